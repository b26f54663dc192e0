//! What single-byte encodings and languages make of a sample.

use super::{CANDIDATES, LANGUAGES, Script};

static COSTS: &[u8] = include_bytes!("../../../../tables/detect/languages.bin");
static LETTERS: &[u8] = include_bytes!("../../../../tables/detect/letters.bin");
static BYTES: &[u8] = include_bytes!("../../../../tables/detect/bytes.bin");

const CLASSES: usize = 46;
const SIGN: usize = 45;

/// How far behind the best of its encoding a language may be.
pub const LANGUAGE_MARGIN: u32 = 24;

/// The number of a byte's letter in the alphabet of the encoding's script.
pub fn number(candidate: usize, byte: u8) -> u8 {
    match byte {
        0x80.. => BYTES[256 * candidate + usize::from(byte - 0x80)],
        0..=b' ' => 0,
        b'a'..=b'z' | b'A'..=b'Z' if CANDIDATES[candidate].script == Script::Latin => {
            byte.to_ascii_lowercase() - b'a' + 2
        }
        b'a'..=b'z' | b'A'..=b'Z' => 2,
        _ => 1,
    }
}

/// The cost of a byte beyond that of its letter, and its case: 0 neither, 1 lower, 2 upper, 3 apostrophe.
pub fn extra(candidate: usize, byte: u8) -> (u32, usize) {
    if byte >= 0x80 {
        let extra = BYTES[256 * candidate + 128 + usize::from(byte - 0x80)];
        return (u32::from(extra & 63), usize::from(extra >> 6));
    }
    let case = usize::from(byte.is_ascii_lowercase()) + 2 * usize::from(byte.is_ascii_uppercase());
    let is_foreign = case > 0 && CANDIDATES[candidate].script != Script::Latin;
    (if is_foreign { 5 } else { 0 }, case)
}

fn case_cost(before: usize, case: usize) -> u32 {
    match (before, case) {
        (1, 2) => 10,
        (0, 2) => 3,
        (0, 3) => 5,
        (2, 1 | 2) => 1,
        _ => 0,
    }
}

fn step(language: usize, before: usize, class: usize) -> u32 {
    let place = before * CLASSES + class;
    let two = COSTS[language * CLASSES * CLASSES / 2 + place / 2];
    u32::from(if place.is_multiple_of(2) {
        two & 15
    } else {
        two >> 4
    })
}

/// The class of a letter in a language, and what its rarity costs.
fn class(language: usize, number: u8) -> (usize, u32) {
    let entry = LETTERS[LANGUAGES[language].letters + usize::from(number)];
    (usize::from(entry & 63), 5 * u32::from(entry >> 6))
}

/// What each ASCII byte costs in English, 0 for the others.
pub fn english(sample: &[u8]) -> Vec<u32> {
    let language = LANGUAGES
        .iter()
        .position(|one| one.tag == "en")
        .expect("English is a language");
    let (mut before, mut case) = (0, 0);
    let mut costs = Vec::new();
    for &byte in sample {
        if byte >= 0x80 {
            (before, case) = (SIGN, 0);
            costs.push(0);
            continue;
        }
        // Candidate 0 is in Latin script.
        let (next, _) = class(language, number(0, byte));
        let (_, next_case) = extra(0, byte);
        costs.push(step(language, before, next) + case_cost(case, next_case));
        (before, case) = (next, next_case);
    }
    costs
}

/// What depends on the encoding alone.
pub fn of_encoding(candidate: usize, sample: &[u8], english: &[u32]) -> u32 {
    let is_latin = CANDIDATES[candidate].script == Script::Latin;
    let mut cost = u32::from(CANDIDATES[candidate].prior);
    for (at, &byte) in sample.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| sample[at]);
        let is_letter = |byte: u8| byte.is_ascii_alphabetic();
        if !is_latin && is_letter(byte) && before.is_some_and(is_letter) {
            cost += english[at];
        } else {
            let (extra_cost, case) = extra(candidate, byte);
            let before = before.map_or(0, |before| extra(candidate, before).1);
            cost += extra_cost + case_cost(before, case);
        }
    }
    cost
}

/// What a language makes of the letters.
pub fn of_language(candidate: usize, language: u8, sample: &[u8]) -> u32 {
    let is_visual = CANDIDATES[candidate].encoding == "ISO-8859-8";
    let (mut before, mut cost) = (0, 0);
    for &byte in sample {
        let (next, rarity) = class(language.into(), number(candidate, byte));
        cost += rarity;
        cost += if is_visual {
            step(language.into(), next, before)
        } else {
            step(language.into(), before, next)
        };
        before = next;
    }
    cost
}

/// Candidates that read the sample as a more common one does, which has their languages, too.
pub fn alike(selected: &[(usize, Vec<u8>)], sample: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (at, (rare, languages)) in selected.iter().enumerate() {
        let common = selected[..at].iter().find(|(common, others)| {
            let is_visual = |candidate: usize| CANDIDATES[candidate].encoding == "ISO-8859-8";
            CANDIDATES[*common].script == CANDIDATES[*rare].script
                && is_visual(*common) == is_visual(*rare)
                && languages.iter().all(|language| others.contains(language))
                && sample.iter().filter(|&&byte| byte >= 0x80).all(|&byte| {
                    number(*common, byte) == number(*rare, byte)
                        && extra(*common, byte) == extra(*rare, byte)
                })
        });
        if let Some((common, _)) = common {
            found.push((*rare, *common));
        }
    }
    found
}
