//! Encodings and languages that are in question by counts alone.

use super::single_byte::{Kind, extra, kind, number};
use super::{CANDIDATES, SCRIPTS, Script, UNDETERMINED, prior_of_language, tag};

static SINGLE: &[u8] = include_bytes!("../../../../tables/detect/single.bin");

/// How far behind the best a language in an encoding may be: so much, and so much for each 16 bytes beyond ASCII.
const MARGIN: (u32, u32) = (40, 12);

/// How many encodings are in question at most.
const MOST: usize = 8;

/// What a letter costs in a language, wherever it stands.
pub fn single(script: Script, number: u8, language: u8) -> u32 {
    let (row, first, count) = SCRIPTS[script as usize];
    u32::from(SINGLE[row + usize::from(number) * count + usize::from(language - first)])
}

/// Whether the text may be in a language without a model: in windows-1252, the first candidate, nearly all bytes beyond ASCII
/// are one to three letters, and each occurs at least three times on average.
pub fn has_few_letters(sample: &[u8]) -> bool {
    let high = sample.iter().filter(|&&byte| byte >= 0x80);
    let (letters, others): (Vec<u8>, Vec<u8>) =
        high.partition(|&&byte| byte >= 0xC0 && kind(0, byte) == Kind::Letter);
    let mut kinds: Vec<u8> = letters.iter().map(|&byte| number(0, byte)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let is_few = (1..=3).contains(&kinds.len());
    is_few && letters.len() >= 3 * kinds.len() && letters.len() >= 8 * others.len()
}

/// Whether a text may be in a script, by its runs of bytes beyond ASCII.
pub fn is_possible(script: Script, sample: &[u8]) -> bool {
    let count = sample.iter().filter(|&&byte| byte >= 0x80).count();
    let runs = sample.split(u8::is_ascii);
    let runs = runs.filter(|run| !run.is_empty()).count();
    match script {
        // Letters beyond ASCII come one by one in Latin script.
        Script::Latin => count < 12 || 2 * count <= 7 * runs,
        // Letters of other scripts come in words.
        _ => runs < 6 || 3 * count > 4 * runs,
    }
}

/// Candidates with their languages, more common ones first.
pub fn select(sample: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let high: Vec<u8> = sample
        .iter()
        .copied()
        .filter(|byte| *byte >= 0x80)
        .collect();
    let count = high.len() as u32;
    let mut models = Vec::new();
    for (at, candidate) in CANDIDATES.iter().enumerate() {
        if !is_possible(candidate.script, sample) {
            continue;
        }
        let of_encoding = encoding_cost(at, &high)
            + match candidate.script {
                Script::Latin => 0,
                _ => mixed(sample),
            };
        for &language in candidate.languages {
            let of_ascii = match candidate.script {
                Script::Latin => ascii(sample, language),
                _ => 0,
            };
            let cost = of_encoding
                + letters_cost(at, language, &high)
                + of_ascii
                + prior_of_language(language);
            models.push((cost, at, language));
        }
    }
    let least = models.iter().map(|model| model.0).min().unwrap_or(0);
    // A language without a model is in question, whatever it costs.
    if has_few_letters(sample) {
        for model in &mut models {
            if model.1 == 0 && tag(model.2) == UNDETERMINED {
                model.0 = 0;
            }
        }
    }
    // The most common encoding is in question wherever it is possible, the others by their costs.
    models.sort_unstable_by_key(|&(cost, at, language)| (at > 0, cost, at, language));
    let bound = least + MARGIN.0 + count * MARGIN.1 / 16;
    let mut selected: Vec<(usize, Vec<u8>)> = Vec::new();
    for (_, candidate, language) in models.into_iter().filter(|model| model.0 <= bound) {
        match selected.iter().position(|one| one.0 == candidate) {
            Some(at) => selected[at].1.push(language),
            None if selected.len() < MOST => selected.push((candidate, vec![language])),
            None => {}
        }
    }
    for (_, languages) in &mut selected {
        languages.sort_unstable();
    }
    selected.sort_by_key(|one| (CANDIDATES[one.0].prior, one.0));
    selected
}

/// What the bytes beyond ASCII cost in an encoding, whatever the language.
fn encoding_cost(candidate: usize, high: &[u8]) -> u32 {
    let extras = high.iter().map(|&byte| extra(candidate, byte));
    let capitals = extras.clone().filter(|extra| extra.1 == 2).count() as u32;
    let bytes: u32 = extras.map(|extra| extra.0).sum();
    // A text may be all in upper case.
    2 * u32::from(CANDIDATES[candidate].prior) + bytes + 3 * capitals.min(3)
}

/// What the letters beyond ASCII cost in a language, and the marks that stand on none of them.
fn letters_cost(candidate: usize, language: u8, high: &[u8]) -> u32 {
    let of_kind = |wanted: Kind| {
        let bytes = high.iter().copied();
        bytes.filter(move |&byte| kind(candidate, byte) == wanted)
    };
    let letters = of_kind(Kind::Letter);
    let script = CANDIDATES[candidate].script;
    let cost: u32 = letters
        .clone()
        .map(|byte| single(script, number(candidate, byte), language))
        .sum();
    let stray = of_kind(Kind::Point).count().saturating_sub(letters.count());
    cost + 12 * stray as u32
}

/// How much more ASCII letters cost in a language in Latin script than in the one that they fit best.
fn ascii(sample: &[u8], language: u8) -> u32 {
    let cost_in = |language: u8| -> u32 {
        let letters = sample.iter().map(u8::to_ascii_lowercase);
        letters
            .filter(u8::is_ascii_lowercase)
            .map(|letter| single(Script::Latin, letter - b'a' + 2, language))
            .sum()
    };
    let (_, first, count) = SCRIPTS[Script::Latin as usize];
    let least = (first..first + count as u8).map(cost_in).min();
    (cost_in(language) - least.unwrap_or(0)).min(64)
}

/// What it costs other scripts than the Latin one that letters beyond ASCII stand beside ASCII letters.
fn mixed(sample: &[u8]) -> u32 {
    let is_mixed = |two: &&[u8]| {
        two[0] >= 0x80 && two[1].is_ascii_alphabetic()
            || two[0].is_ascii_alphabetic() && two[1] >= 0x80
    };
    8 * sample.windows(2).filter(is_mixed).count().min(8) as u32
}
