//! Lists of letters, which are no text in any language: what they cost in each encoding.

use super::counts::single;
use super::evidence::is_undefined;
use super::single_byte::{ASCII_NUMBERS, Kind, extra, kind, number};
use super::standings::Standings;
use super::{CANDIDATES, Script, UNDETERMINED, tag};

/// Adds the cost of a list of letters in each encoding. A sample may be a list if at least three different bytes beyond ASCII
/// stand alone, and at least three quarters of all bytes beyond ASCII do.
pub fn add(read: &[u8], standings: &mut Standings) {
    let (Some(first), Some(fit)) = (standings.places.first(), standings.fit) else {
        return;
    };
    if CANDIDATES.iter().all(|one| one.encoding != first.encoding) {
        return;
    }
    let is_apart =
        |byte: Option<&u8>| byte.is_none_or(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic());
    let (mut alone, mut others) = (Vec::new(), Vec::new());
    for (at, &byte) in read.iter().enumerate().filter(|one| *one.1 >= 0x80) {
        let before = at.checked_sub(1).and_then(|before| read.get(before));
        if is_apart(before) && is_apart(read.get(at + 1)) {
            alone.push(byte);
        } else {
            others.push(byte);
        }
    }
    let mut kinds = alone.clone();
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.len() < 3 || alone.len() < 3 * others.len() {
        return;
    }
    // Signs of windows-1252, the first candidate, are as common as lists are rare.
    let is_sign = |&byte: &u8| kind(0, byte) == Kind::Sign && extra(0, byte).0 <= 12;
    if first.encoding == "windows-1252" && alone.iter().all(is_sign) {
        return;
    }
    let mut costs = Vec::new();
    for (at, candidate) in CANDIDATES.iter().enumerate() {
        let of_languages = candidate.languages.iter().map(|&language| {
            cost(at, language, &alone, false)
                + cost(at, language, &others, true)
                + of_language(language)
        });
        if let Some(least) = of_languages.min() {
            costs.push((
                candidate.encoding,
                least + 12 + 2 * u32::from(candidate.prior),
            ));
        }
    }
    let least = costs.iter().map(|one| one.1).min().unwrap_or(u32::MAX);
    standings.is_list = least < fit.cost;
    for place in &mut standings.places {
        place.behind += fit.cost.saturating_sub(least);
    }
    for (encoding, cost) in costs {
        standings.note(encoding, UNDETERMINED, cost - least.min(fit.cost));
    }
}

/// What a list costs that has the letters of this language alone.
fn of_language(language: u8) -> u32 {
    if tag(language) == UNDETERMINED { 0 } else { 8 }
}

/// What these bytes cost as letters and signs that stand alone, or within words.
fn cost(candidate: usize, language: u8, bytes: &[u8], in_words: bool) -> u32 {
    let letters = (0x80..=0xFF).filter(|&byte| has(candidate, language, byte));
    let cases = match CANDIDATES[candidate].script {
        Script::Latin | Script::Greek | Script::Cyrillic => 2,
        Script::Hebrew | Script::Arabic | Script::Thai => 1,
    };
    let letters = (letters.count() / cases).max(1);
    let of_letter = ((letters as f64).log2() * 4.0 / 3.0) as u32;
    let costs = bytes.iter().map(|&byte| match kind(candidate, byte) {
        _ if is_undefined(CANDIDATES[candidate].encoding, byte) => 40,
        Kind::Point => 16,
        Kind::Sign => extra(candidate, byte).0.max(8),
        _ if in_words => 12,
        _ if has(candidate, language, byte) => of_letter,
        _ => of_letter + 8,
    });
    costs.sum()
}

/// Whether a byte is a letter beyond ASCII that a language has.
fn has(candidate: usize, language: u8, byte: u8) -> bool {
    let script = CANDIDATES[candidate].script;
    let number = number(candidate, byte);
    let ascii = if script == Script::Latin {
        ASCII_NUMBERS
    } else {
        3
    };
    kind(candidate, byte) == Kind::Letter
        && number >= ascii
        && (tag(language) == UNDETERMINED || single(script, number, language) < 20)
}
