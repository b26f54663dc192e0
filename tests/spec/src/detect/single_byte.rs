//! What single-byte encodings and languages make of a sample.

use super::counts::single;
use super::evidence::is_same_text;
use super::signs::{Beside, Place};
use super::standings::Fit;
use super::words::{self, Token};
use super::{CANDIDATES, LANGUAGES, Script, tag};

static COSTS: &[u8] = include_bytes!("../../../../tables/detect/languages.bin");
static LETTERS: &[u8] = include_bytes!("../../../../tables/detect/letters.bin");
static BYTES: &[u8] = include_bytes!("../../../../tables/detect/bytes.bin");

const CLASSES: usize = 46;

/// How many numbers ASCII has in Latin script: a space, a sign, the letters.
pub const ASCII_NUMBERS: u8 = 28;

/// The class of a sign.
const SIGN: usize = 1;

/// What a byte is in an encoding.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// A space or a control.
    Space,
    /// ASCII that is neither a space nor a letter.
    AsciiSign,
    /// A sign beyond ASCII.
    Sign,
    /// A mark that stands on the letter before it.
    Point,
    Letter,
}

/// What a byte is.
pub fn kind(candidate: usize, byte: u8) -> Kind {
    match table(candidate, byte) {
        0xC0 => Kind::Point,
        0x80.. => Kind::Sign,
        0 => Kind::Space,
        1 => Kind::AsciiSign,
        _ => Kind::Letter,
    }
}

fn table(candidate: usize, byte: u8) -> u8 {
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

/// What a sign beyond ASCII expects beside it.
fn place(candidate: usize, byte: u8) -> Place {
    Place::of(table(candidate, byte) - 0x80)
}

/// The number of a byte's letter in the alphabet of the encoding's script; for signs that of a sign or a space.
pub fn number(candidate: usize, byte: u8) -> u8 {
    match kind(candidate, byte) {
        Kind::Sign if place(candidate, byte) == Place::Space => 0,
        Kind::Sign => 1,
        _ => table(candidate, byte),
    }
}

/// The cost of a byte beyond that of its letter, and its case: 0 neither, 1 lower, 2 upper.
pub fn extra(candidate: usize, byte: u8) -> (u32, usize) {
    if byte >= 0x80 {
        let extra = BYTES[256 * candidate + 128 + usize::from(byte - 0x80)];
        return (u32::from(extra & 63), usize::from(extra >> 6));
    }
    let case = usize::from(byte.is_ascii_lowercase()) + 2 * usize::from(byte.is_ascii_uppercase());
    let is_foreign = case > 0 && CANDIDATES[candidate].script != Script::Latin;
    (if is_foreign { 5 } else { 0 }, case)
}

/// What a letter costs by its case and the one before.
fn case_cost(before: usize, case: usize) -> u32 {
    match (before, case) {
        (1, 2) => 10,
        (0, 2) => 3,
        (2, 1 | 2) => 1,
        _ => 0,
    }
}

/// What a class of letters costs after another one in a language.
fn step(language: u8, before: usize, class: usize) -> u32 {
    let place = before * CLASSES + class;
    let two = COSTS[usize::from(language) * CLASSES * CLASSES / 2 + place / 2];
    u32::from(if place.is_multiple_of(2) {
        two & 15
    } else {
        two >> 4
    })
}

/// The class of a letter in a language, and what its rarity costs.
pub fn class(language: u8, number: u8) -> (usize, u32) {
    let entry = LETTERS[LANGUAGES[usize::from(language)].letters + usize::from(number)];
    (usize::from(entry & 63), 5 * u32::from(entry >> 6))
}

fn is_visual(candidate: usize) -> bool {
    CANDIDATES[candidate].encoding == "ISO-8859-8"
}

/// What a letter costs after another one in a language; text in visual order goes from right to left.
pub fn step_in(candidate: usize, language: u8, before: usize, class: usize) -> u32 {
    if is_visual(candidate) {
        step(language, class, before)
    } else {
        step(language, before, class)
    }
}

/// What each ASCII byte costs in English, 0 for the others.
pub fn english(sample: &[u8]) -> Vec<u32> {
    let english = LANGUAGES.iter().position(|one| one.tag == "en");
    let english = english.expect("English is a language") as u8;
    let (mut before, mut case) = (0, 0);
    let mut costs = Vec::new();
    for &byte in sample {
        if byte >= 0x80 {
            (before, case) = (SIGN, 0);
            costs.push(0);
            continue;
        }
        // Candidate 0 is in Latin script.
        let (next, _) = class(english, number(0, byte));
        let (_, next_case) = extra(0, byte);
        costs.push(step(english, before, next) + case_cost(case, next_case));
        (before, case) = (next, next_case);
    }
    costs
}

/// What stands at a place of the sample, to a sign beside it.
fn beside(candidate: usize, byte: Option<&u8>) -> Beside {
    let Some(&byte) = byte else {
        return Beside::Space;
    };
    match kind(candidate, byte) {
        Kind::Space => Beside::Space,
        Kind::AsciiSign if byte.is_ascii_digit() => Beside::Digit,
        Kind::AsciiSign => Beside::Sign,
        Kind::Letter | Kind::Point => Beside::Letter,
        Kind::Sign => match place(candidate, byte) {
            Place::Box => Beside::Box,
            Place::Space => Beside::Space,
            _ => Beside::Sign,
        },
    }
}

/// Whether a byte beyond ASCII comes after two of the same, and is a letter or a sign.
pub fn is_repeated(candidate: usize, sample: &[u8], at: usize) -> bool {
    let is_byte = sample[at] >= 0x80 && kind(candidate, sample[at]) != Kind::Point;
    is_byte && sample[..=at].ends_with(&[sample[at]; 3])
}

/// Whether a byte stands between ASCII, and not within an ASCII word.
fn is_alone(sample: &[u8], at: usize) -> bool {
    let around = [sample[..at].last(), sample.get(at + 1)];
    let is = |test: fn(&u8) -> bool| around.iter().flatten().all(|&byte| test(byte));
    is(u8::is_ascii) && !(around.iter().all(Option::is_some) && is(u8::is_ascii_alphabetic))
}

/// What the sign at a place of the sample costs.
fn sign_cost(candidate: usize, sample: &[u8], at: usize) -> u32 {
    let place = place(candidate, sample[at]);
    let before = beside(candidate, sample[..at].last());
    let after = beside(candidate, sample.get(at + 1));
    let cost = extra(candidate, sample[at]).0 + place.cost(before, after);
    match (place, before) {
        // Lines of tables go on.
        (Place::Box, Beside::Box) if sample[at] == sample[at - 1] => cost - 6,
        (Place::Box, Beside::Box) => {
            let second = sample[..at - 1].last();
            let is_mixed = second.is_some_and(|&byte| byte != sample[at])
                && beside(candidate, second) == Beside::Box;
            cost - 2 + if is_mixed { 12 } else { 0 }
        }
        (of_number, Beside::Sign) if of_number.is_of_number() => {
            let last = sample[at - 1];
            let is_adjacent = last != sample[at]
                && kind(candidate, last) == Kind::Sign
                && self::place(candidate, last).is_of_number();
            cost + if is_adjacent { 8 } else { 0 }
        }
        _ => cost,
    }
}

/// Whether there is a space beyond ASCII at a place of the sample, beside another space: the two are one to a language.
pub fn is_spare_space(candidate: usize, sample: &[u8], at: usize) -> bool {
    kind(candidate, sample[at]) == Kind::Sign
        && place(candidate, sample[at]) == Place::Space
        && (beside(candidate, sample[..at].last()) == Beside::Space
            || sample.get(at + 1).is_some_and(|&byte| byte <= b' '))
}

/// What depends on the encoding alone, in the sample up to `end`; if that is all, `is_over`.
pub fn of_encoding(
    candidate: usize,
    sample: &[u8],
    end: usize,
    english: &[u32],
    is_over: bool,
) -> u32 {
    let is_latin = CANDIDATES[candidate].script == Script::Latin;
    let mut cost = u32::from(CANDIDATES[candidate].prior);
    let mut capitals = 0;
    // What was read, without marks.
    let mut tokens: Vec<Token> = Vec::new();
    let mut case_before = 0;
    for (at, &byte) in sample[..end].iter().enumerate() {
        let (of_byte, case) = extra(candidate, byte);
        let kind = kind(candidate, byte);
        if is_repeated(candidate, sample, at) {
            cost += match kind {
                // Lines of tables are of one byte.
                Kind::Sign if place(candidate, byte) == Place::Box => 0,
                Kind::Sign => 4,
                _ => 16,
            };
            continue;
        }
        let token = match kind {
            Kind::Letter if number(candidate, byte) > 2 => Token::Letter,
            _ => Token::other(byte),
        };
        match kind {
            Kind::Point => {
                let is_on_letter = tokens.last() == Some(&Token::Letter);
                cost += if is_on_letter { of_byte } else { 15 };
                continue;
            }
            Kind::Sign => {
                let of_sign = sign_cost(candidate, sample, at);
                // Some lists have a sign in each line; texts have no others.
                let is_again =
                    sample[..at].contains(&byte) && of_byte <= 12 && is_alone(sample, at);
                cost += if is_again { of_sign / 2 } else { of_sign };
            }
            // The second letter of an ASCII word, and those after it.
            _ if !is_latin && number(candidate, byte) == 2 && words::is_in_ascii_word(&tokens) => {
                cost += english[at];
            }
            _ => {
                let of_case = case_cost(case_before, case);
                cost += of_byte;
                if case == 2 && case_before != 1 {
                    capitals += of_case;
                } else {
                    cost += of_case;
                }
            }
        }
        case_before = if kind == Kind::Sign { 0 } else { case };
        tokens.push(token);
    }
    // A text may be all in upper case.
    cost += capitals.min(16);
    if is_latin {
        return cost;
    }
    if is_over {
        tokens.push(Token::other(b' '));
    }
    let has_words = tokens.contains(&Token::Letter);
    cost += words::cost(&tokens);
    cost + if is_over && !has_words { 12 } else { 0 }
}

fn is_undetermined(language: u8) -> bool {
    tag(language) == super::UNDETERMINED
}

/// Whether a byte is a letter beyond ASCII that a language in Latin script lacks.
pub fn is_foreign(candidate: usize, language: u8, byte: u8) -> bool {
    let script = CANDIDATES[candidate].script;
    let is_any = is_undetermined(language) || tag(language) == "en";
    let is_letter =
        kind(candidate, byte) == Kind::Letter && number(candidate, byte) >= ASCII_NUMBERS;
    script == Script::Latin
        && !is_any
        && is_letter
        && single(script, number(candidate, byte), language) >= 20
}

/// Whether a sign is hardly a letter of another encoding: it is a common one, where texts have it, and after no other.
fn is_certain_sign(candidate: usize, sample: &[u8], at: usize) -> bool {
    let place = place(candidate, sample[at]);
    let before = beside(candidate, sample[..at].last());
    let after = beside(candidate, sample.get(at + 1));
    let is_after_sign = before == Beside::Sign && sample[at - 1] >= 0x80;
    let touches_letter = match place {
        Place::Apostrophe | Place::Closing | Place::Space => false,
        Place::Free => before == Beside::Letter || after == Beside::Letter,
        _ => before == Beside::Letter,
    };
    extra(candidate, sample[at]).0 <= 9
        && place.cost(before, after) <= 4
        && !touches_letter
        && !is_after_sign
}

/// How well a language in an encoding fits what is beyond ASCII in a sample.
pub fn fit(candidate: usize, language: u8, sample: &[u8]) -> Fit {
    let mut fit = Fit {
        cost: 0,
        bytes: 0,
        unknown: match CANDIDATES[candidate].script {
            Script::Latin => 16,
            _ => 8,
        },
        is_known: CANDIDATES[candidate].script == Script::Latin
            && CANDIDATES[candidate].encoding != super::MACINTOSH
            && !is_undetermined(language),
    };
    let (mut before, mut was_high) = (0, false);
    // What lines of tables cost.
    let mut lines = Vec::new();
    for (at, &byte) in sample.iter().enumerate() {
        let kind = kind(candidate, byte);
        if kind == Kind::Point {
            continue;
        }
        let is_high = byte >= 0x80;
        if is_repeated(candidate, sample, at) {
            let is_letter = kind != Kind::Sign;
            fit.cost += if is_letter { 32 } else { 0 };
            fit.bytes += u32::from(is_letter);
            continue;
        }
        if kind == Kind::Sign && place(candidate, byte) == Place::Box {
            lines.push(extra(candidate, byte).0);
            (before, was_high) = (class(language, 1).0, false);
            continue;
        }
        fit.is_known &= match kind {
            Kind::Sign => is_certain_sign(candidate, sample, at),
            _ => !is_high || !is_foreign(candidate, language, byte),
        };
        if is_spare_space(candidate, sample, at) {
            fit.cost += sign_cost(candidate, sample, at);
            fit.bytes += 1;
            continue;
        }
        let (next, rarity) = class(language, number(candidate, byte));
        if kind == Kind::Sign {
            fit.cost += sign_cost(candidate, sample, at);
        } else if is_high {
            fit.cost += extra(candidate, byte).0 + odd_letter(candidate, language, sample, at);
        }
        if is_high || was_high {
            fit.cost += step_in(candidate, language, before, next) + rarity;
        }
        fit.bytes += u32::from(is_high);
        (before, was_high) = (next, is_high);
    }
    if fit.bytes < 6 {
        fit.bytes += lines.len() as u32;
        fit.cost += lines.iter().sum::<u32>();
    }
    fit
}

/// What a capital after a small letter costs, and a letter by itself in a language without a model.
fn odd_letter(candidate: usize, language: u8, sample: &[u8], at: usize) -> u32 {
    let (before, after) = (sample[..at].last(), sample.get(at + 1));
    let case = |byte: &u8| extra(candidate, *byte).1;
    let is_alone = [before, after]
        .into_iter()
        .all(|byte| beside(candidate, byte) != Beside::Letter);
    match (before.map(case), case(&sample[at])) {
        (Some(1), 2) => 10,
        _ if is_alone && tag(language) == super::UNDETERMINED => 12,
        _ => 0,
    }
}

/// Candidates that read the sample as a more common one does, which has their languages, too.
pub fn alike(selected: &[(usize, Vec<u8>)], sample: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (at, (rare, languages)) in selected.iter().enumerate() {
        let common = selected[..at].iter().find(|(common, others)| {
            CANDIDATES[*common].script == CANDIDATES[*rare].script
                && is_visual(*common) == is_visual(*rare)
                && languages.iter().all(|language| others.contains(language))
                && is_same_text(
                    CANDIDATES[*common].encoding,
                    CANDIDATES[*rare].encoding,
                    sample,
                )
        });
        if let Some((common, _)) = common {
            found.push((*rare, *common));
        }
    }
    found
}
