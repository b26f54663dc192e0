//! Encodings and languages that are in question by counts alone.

use super::single_byte::number;
use super::{CANDIDATES, SCRIPTS, Script};

static SINGLE: &[u8] = include_bytes!("../../../../tables/detect/single.bin");

fn single(script: Script, number: u8, language: u8) -> u32 {
    let (row, first, count) = SCRIPTS[script as usize];
    u32::from(SINGLE[row + usize::from(number) * count + usize::from(language - first)])
}

/// Candidates with their languages, more common ones first.
pub fn select(sample: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let high = sample.iter().filter(|&&byte| byte >= 0x80).count() as u32;
    let runs = sample
        .split(|&byte| byte < 0x80)
        .filter(|run| !run.is_empty())
        .count() as u32;
    let is_possible = |script: Script| match script {
        Script::Latin => high < 12 || 2 * high <= 7 * runs,
        _ => runs < 6 || 3 * high > 4 * runs,
    };
    let ascii = |language: u8| -> u32 {
        let letters = sample
            .iter()
            .map(u8::to_ascii_lowercase)
            .filter(u8::is_ascii_lowercase);
        letters
            .map(|letter| single(Script::Latin, letter - b'a' + 2, language))
            .sum()
    };
    let (_, first, count) = SCRIPTS[Script::Latin as usize];
    let least = (first..first + count as u8).map(ascii).min().unwrap_or(0);
    // Words are in one script.
    let mixed = sample
        .windows(2)
        .filter(|two| {
            two[0] >= 0x80 && two[1].is_ascii_alphabetic()
                || two[0].is_ascii_alphabetic() && two[1] >= 0x80
        })
        .count() as u32;
    let mut models = Vec::new();
    for (at, candidate) in CANDIDATES.iter().enumerate() {
        for &language in candidate
            .languages
            .iter()
            .filter(|_| is_possible(candidate.script))
        {
            let mut cost = 2 * u32::from(candidate.prior);
            for &byte in sample.iter().filter(|&&byte| byte >= 0x80) {
                let (extra, case) = super::single_byte::extra(at, byte);
                cost += extra + if case == 2 { 3 } else { 0 };
                cost += single(candidate.script, number(at, byte), language);
            }
            if candidate.script == Script::Latin {
                cost += (ascii(language) - least).min(64);
            } else {
                cost += 8 * mixed.min(8);
            }
            models.push((cost, at, language));
        }
    }
    models.sort_unstable();
    let bound = models.first().map_or(0, |one| one.0) + 40 + high * 12 / 16;
    let mut selected: Vec<(usize, Vec<u8>)> = Vec::new();
    for (_, candidate, language) in models.into_iter().filter(|one| one.0 <= bound) {
        match selected.iter().position(|one| one.0 == candidate) {
            Some(at) => selected[at].1.push(language),
            None if selected.len() < 8 => selected.push((candidate, vec![language])),
            None => {}
        }
    }
    for (_, languages) in &mut selected {
        languages.sort_unstable();
    }
    selected.sort_by_key(|one| (CANDIDATES[one.0].prior, one.0));
    selected
}
