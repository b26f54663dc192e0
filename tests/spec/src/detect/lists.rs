//! Lists of letters, which are no text in any language: what they cost in each encoding.

use super::counts::single;
use super::evidence::{Evidence, is_undefined};
use super::single_byte::{ASCII_NUMBERS, Kind, extra, kind, number};
use super::standings::Standings;
use super::{CANDIDATES, Script, UNDETERMINED, tag};

/// Adds the cost of a list of letters in each encoding. A sample may be a list if at least three different bytes beyond ASCII
/// are listed, and at least three quarters of all bytes beyond ASCII: those that stand alone or, where no text fits, in runs
/// of different ones.
pub fn add(read: &[u8], evidence: &Evidence, standings: &mut Standings) {
    let (Some(first), Some(fit)) = (standings.places.first(), standings.fit) else {
        return;
    };
    let is_single = CANDIDATES.iter().any(|one| one.encoding == first.encoding);
    if !is_single && evidence.malformed(first.encoding).counted() == 0 {
        return;
    }
    let is_list = |(listed, others): &(Vec<u8>, Vec<u8>)| {
        let mut kinds = listed.clone();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.len() >= 3 && listed.len() >= 3 * others.len()
    };
    let alone = Some(split(read, false)).filter(is_list);
    let rows = || Some(split(read, true)).filter(|found| fit.unknown() < 0 && is_list(found));
    let with_rows = alone.is_none();
    let Some((listed, others)) = alone.or_else(rows) else {
        return;
    };
    // Signs of windows-1252, the first candidate, are as common as lists are rare.
    let is_sign = |&byte: &u8| kind(0, byte) == Kind::Sign && extra(0, byte).0 <= 12;
    if first.encoding == "windows-1252" && listed.iter().all(is_sign) {
        return;
    }
    let mut costs = Vec::new();
    for (at, candidate) in CANDIDATES.iter().enumerate() {
        let of_languages = candidate.languages.iter().map(|&language| {
            cost(at, language, &listed, false)
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
    // Words that fit no language well are no list.
    if with_rows && 8 * least > 5 * fit.cost {
        return;
    }
    standings.is_list = least < fit.cost;
    for place in &mut standings.places {
        place.behind += fit.cost.saturating_sub(least);
    }
    for (encoding, cost) in costs {
        standings.note(encoding, UNDETERMINED, cost - least.min(fit.cost));
    }
}

/// The bytes beyond ASCII that are listed, and the others.
fn split(read: &[u8], with_rows: bool) -> (Vec<u8>, Vec<u8>) {
    let (mut listed, mut others) = (Vec::new(), Vec::new());
    let runs: Vec<&[u8]> = read
        .chunk_by(|one, next| one.is_ascii() == next.is_ascii())
        .collect();
    for (at, run) in runs.iter().enumerate().filter(|one| !one.1[0].is_ascii()) {
        let mut sorted = run.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
        let before = at.checked_sub(1).and_then(|before| runs[before].last());
        let after = runs.get(at + 1).and_then(|run| run.first());
        let is_listed = match run.len() {
            1 => !is_letter(before) && !is_letter(after),
            len => with_rows && sorted.len() == len,
        };
        if is_listed {
            listed.extend(*run);
        } else {
            others.extend(*run);
        }
    }
    (listed, others)
}

/// What a list costs that has the letters of this language alone.
fn of_language(language: u8) -> u32 {
    if tag(language) == UNDETERMINED { 0 } else { 8 }
}

/// What these bytes cost as letters and signs that are listed, or within words.
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
