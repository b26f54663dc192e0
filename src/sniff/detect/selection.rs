//! Which encodings and languages are in question by the counts of the sample's bytes alone.
//!
//! Each encoding turns counts of bytes into counts of letters; one row of a table has a letter's cost in all languages of
//! the script.

use super::prior::Prior;
use super::tables::{self, LANES, Script};

/// Most encodings.
pub(super) const MOST: usize = 8;

/// How far behind the best a language in an encoding may be: so much, and so much for each 16 bytes beyond ASCII.
const MARGIN: (u32, u32) = (40, 12);

/// The most that ASCII letters count against a language: there may be more than one in a document.
const ASCII_MOST: u32 = 64;

/// What a capital beyond ASCII costs.
const CAPITAL: u32 = 3;

/// Counts of the sample's bytes.
pub(super) struct Counts {
    counts: [u16; 256],
    /// The values beyond ASCII that there are.
    values: [u8; 128],
    len: usize,
}

impl Counts {
    pub fn new(sample: &[u8]) -> Self {
        let mut counts = [0; 256];
        for &byte in sample {
            counts[usize::from(byte)] += 1;
        }
        let (mut values, mut len) = ([0; 128], 0);
        for byte in 0x80..=0xFF_u8 {
            values[len & 127] = byte;
            len += usize::from(counts[usize::from(byte)] > 0);
        }
        Self {
            counts,
            values,
            len,
        }
    }

    /// How often a byte comes.
    pub fn of(&self, byte: u8) -> u16 {
        self.counts[usize::from(byte)]
    }

    /// The values beyond ASCII, and how often they come.
    pub fn values(&self) -> impl Iterator<Item = (u8, u16)> + '_ {
        self.values[..self.len]
            .iter()
            .map(|&byte| (byte, self.of(byte)))
    }
}

/// An encoding in question, and its languages in question, as bits.
#[derive(Clone, Copy, Default)]
pub(super) struct Selected {
    pub candidate: u8,
    pub languages: u64,
}

/// The encodings in question, more common ones first, and their number.
pub(super) fn select(sample: &[u8], counts: &Counts, prior: &Prior) -> ([Selected; MOST], usize) {
    const MODELS: usize = 128;
    let high: u32 = counts.values().map(|(_, count)| u32::from(count)).sum();
    let runs = runs(sample);
    let is_possible = |script: Script| {
        if script == Script::Latin {
            // Letters of other scripts come in words.
            high < 12 || 2 * high <= 7 * runs
        } else {
            // Letters beyond ASCII come one by one in Latin script.
            runs < 6 || 3 * high > 4 * runs
        }
    };
    let ascii = is_possible(Script::Latin).then(|| ascii(counts));
    let mut models = [(0, 0_u8, 0_u8); MODELS];
    let mut len = 0;
    let mut best = u32::MAX;
    for (at, candidate) in tables::candidates().iter().enumerate() {
        if !is_possible(candidate.script) || !prior.allows(candidate.encoding) {
            continue;
        }
        let (of_encoding, of_languages) = costs(at, candidate.script, counts);
        let (first, _) = tables::languages_of(candidate.script);
        for &language in candidate.languages {
            let lane = usize::from(language - first);
            let tag = tables::languages()[usize::from(language)].tag;
            let ascii = ascii.map_or(0, |ascii| ascii[lane]);
            let is_latin = candidate.script == Script::Latin;
            let cost = of_encoding
                + u32::from(of_languages[lane])
                + if is_latin { ascii } else { 0 }
                + 2 * u32::from(candidate.prior)
                + prior.of_language(tag);
            best = best.min(cost);
            models[len] = (cost, at as u8, language);
            len += 1;
        }
    }
    let bound = best.saturating_add(MARGIN.0 + high * MARGIN.1 / 16);
    let mut kept = 0;
    for at in 0..len {
        models[kept] = models[at];
        kept += usize::from(models[at].0 <= bound);
    }
    let models = &mut models[..kept];
    models.sort_unstable();
    let mut selected = [Selected::default(); MOST];
    let mut len = 0;
    for &(_, candidate, language) in models.iter() {
        let at = selected[..len]
            .iter()
            .position(|one| one.candidate == candidate)
            .unwrap_or(len);
        if let Some(one) = selected.get_mut(at) {
            one.candidate = candidate;
            one.languages |= 1 << language;
            len = len.max(at + 1);
        }
    }
    selected[..len].sort_unstable_by_key(|one| {
        let at = one.candidate;
        (tables::candidates()[usize::from(at)].prior, at)
    });
    (selected, len)
}

/// What the bytes beyond ASCII cost in an encoding, and in each language of its script.
fn costs(candidate: usize, script: Script, counts: &Counts) -> (u32, [u16; LANES]) {
    let (numbers, extras) = (tables::numbers(candidate), tables::extras(candidate));
    let mut of_encoding = 0;
    let mut of_languages = [0_u16; LANES];
    for (byte, count) in counts.values() {
        let at = usize::from(byte & 0x7F);
        let is_capital = extras[at] >> 6 == 2;
        let extra = u32::from(extras[at] & 63) + if is_capital { CAPITAL } else { 0 };
        of_encoding += u32::from(count) * extra;
        let row = tables::single(script, numbers[at]);
        for (sum, &cost) in of_languages.iter_mut().zip(row) {
            *sum = sum.wrapping_add(count * u16::from(cost));
        }
    }
    (of_encoding, of_languages)
}

/// How much more the sample's ASCII letters cost in each language in Latin script than in the best.
fn ascii(counts: &Counts) -> [u32; LANES] {
    let mut sums = [0_u16; LANES];
    for letter in b'a'..=b'z' {
        let count = counts.of(letter) + counts.of(letter.to_ascii_uppercase());
        let row = tables::single(Script::Latin, letter - b'a' + 2);
        for (sum, &cost) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_add(count * u16::from(cost));
        }
    }
    let least = sums.into_iter().min().unwrap_or(0);
    sums.map(|sum| u32::from(sum - least).min(ASCII_MOST))
}

/// How many runs of bytes beyond ASCII there are.
fn runs(sample: &[u8]) -> u32 {
    let first = u32::from(sample.first().is_some_and(|&byte| byte >= 0x80));
    let others = sample
        .iter()
        .zip(sample.iter().skip(1))
        .map(|(&before, &byte)| u32::from(!before & byte) >> 7)
        .sum::<u32>();
    first + others
}
