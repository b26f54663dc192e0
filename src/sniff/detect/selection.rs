//! Which encodings and languages are in question by the counts of the sample's bytes alone.
//!
//! Each encoding turns counts of bytes into counts of letters; one row of a table has a letter's cost in all languages of
//! the script.

use super::prior::Prior;
use super::reading::POINT;
use super::tables::{self, ENCODINGS, SIGN, Script, Single};
use crate::simd;

/// Most encodings.
pub(super) const MOST: usize = 8;

/// How far behind the best a language in an encoding may be: so much, and so much for each 16 bytes beyond ASCII.
const MARGIN: (u32, u32) = (40, 12);

/// The most that ASCII letters count against a language: there may be more than one in a document.
const ASCII_MOST: u32 = 64;

/// What each letter beyond ASCII beside an ASCII letter counts against other scripts than the Latin one, and how many of
/// them count: words are in one script.
const MIXED: u32 = 8;
const MIXED_MOST: u32 = 8;

/// What a capital beyond ASCII costs, and how many of them count: a text may be all in upper case.
const CAPITAL: u16 = 3;
const CAPITALS_MOST: u16 = 3;

/// What a mark costs that stands on no letter.
const STRAY_POINT: u16 = 12;

/// The place of windows-1252 among the candidates.
const MOST_COMMON: u8 = 0;

/// The greatest number of different letters beyond ASCII in a language without a model.
const FEW: u32 = 3;

/// The least number of times that each of these letters occurs, on average.
const AGAIN: u32 = 3;

/// The least number of these letters for each other byte beyond ASCII.
const OTHERS: u32 = 8;

/// Counts of the sample's bytes.
pub(super) struct Counts {
    counts: [u16; 256],
    /// The values beyond ASCII that there are, less 0x80, and how often each comes.
    values: [(u8, u16); 128],
    len: usize,
    /// How many bytes are beyond ASCII.
    high: u32,
}

impl Counts {
    pub fn new(sample: &[u8]) -> Self {
        let mut counts = [0; 256];
        for &byte in sample {
            counts[usize::from(byte)] += 1;
        }
        let (mut values, mut len, mut high) = ([(0, 0); 128], 0, 0);
        let (eights, _) = counts[128..].as_chunks::<8>();
        for (first, eight) in (0_u8..).step_by(8).zip(eights) {
            // Most of the values are not there.
            if eight.iter().fold(0, |any, count| any | count) == 0 {
                continue;
            }
            for (at, &count) in (first..).zip(eight) {
                values[len & 127] = (at, count);
                len += usize::from(count > 0);
                high += u32::from(count);
            }
        }
        Self {
            counts,
            values,
            len,
            high,
        }
    }

    /// How often a byte comes.
    pub fn of(&self, byte: u8) -> u16 {
        self.counts[usize::from(byte)]
    }

    /// How many bytes are beyond ASCII.
    pub fn beyond_ascii(&self) -> u32 {
        self.high
    }

    /// The values beyond ASCII, less 0x80, and how often they come.
    pub fn high(&self) -> &[(u8, u16)] {
        &self.values[..self.len]
    }

    /// Whether the text may be in a language without a model: in windows-1252, nearly all bytes beyond ASCII are few letters
    /// that occur again and again.
    ///
    /// Letters below 0xC0 do not count, as languages that have a model use them.
    pub fn has_few_letters(&self) -> bool {
        let numbers = &tables::bytes(usize::from(MOST_COMMON)).numbers;
        let (mut kinds, mut letters) = (0_u128, 0);
        for &(at, count) in self.high() {
            let number = numbers[128 + usize::from(at & 0x7F)];
            if at >= 0x40 && number < SIGN {
                kinds |= 1 << number;
                letters += u32::from(count);
            }
        }
        let kinds = kinds.count_ones();
        let others = self.high - letters;
        (1..=FEW).contains(&kinds) && letters >= AGAIN * kinds && OTHERS * others <= letters
    }
}

/// An encoding in question, and its languages in question, as bits.
#[derive(Clone, Copy, Default)]
pub(super) struct Selected {
    pub candidate: u8,
    pub languages: u64,
}

/// Whether a text may be in a script that has `high` bytes beyond ASCII in this number of runs.
///
/// Letters of other scripts come in words, those beyond ASCII in Latin script one by one.
pub(super) fn is_possible(script: Script, high: u32, runs: u32) -> bool {
    match script {
        Script::Latin => high < 12 || 2 * high <= 7 * runs,
        _ => runs < 6 || 3 * high > 4 * runs,
    }
}

/// The encodings in question, more common ones first, and their number.
///
/// `has_few_letters` is the answer of [`Counts::has_few_letters`]. If it is true, a language without a model is in question in
/// windows-1252.
pub(super) fn select(
    sample: &[u8],
    counts: &Counts,
    prior: &Prior,
    has_few_letters: bool,
) -> ([Selected; MOST], usize) {
    const MODELS: usize = 128;
    let high = counts.beyond_ascii();
    let [runs, mixed] = simd::count_runs(sample);
    let mixed = MIXED * mixed.min(MIXED_MOST);
    let ascii = is_possible(Script::Latin, high, runs).then(|| ascii(counts));
    let mut models = [(0, 0_u8, 0_u8); MODELS];
    let mut len = 0;
    let mut best = u32::MAX;
    let margin = MARGIN.0 + high * MARGIN.1 / 16;
    let mut of_encodings = encoding_costs(counts);
    for ((cost, least), candidate) in of_encodings.iter_mut().zip(tables::candidates()) {
        let mixed = match candidate.script {
            Script::Latin => 0,
            _ => mixed,
        };
        let is_possible = is_possible(candidate.script, high, runs);
        let more = 2 * u32::from(candidate.prior) + mixed;
        *cost += more;
        *least = if is_possible && prior.allows(candidate.encoding) {
            *least + more
        } else {
            u32::MAX
        };
    }
    // The likeliest encoding comes first: the costs of its languages exclude others early.
    let first = (0..ENCODINGS).min_by_key(|&at| of_encodings[at].1);
    let others = (0..ENCODINGS).filter(|&at| Some(at) != first);
    for at in first.into_iter().chain(others) {
        let (of_encoding, least) = of_encodings[at];
        let is_kept = has_few_letters && at == usize::from(MOST_COMMON);
        if least == u32::MAX || least > best.saturating_add(margin) && !is_kept {
            continue;
        }
        let candidate = &tables::candidates()[at];
        let (Some(&first), Some(last)) = (candidate.languages.first(), candidate.languages.last())
        else {
            continue;
        };
        let is_latin = candidate.script == Script::Latin;
        let of_languages = match last - first {
            0 => language_costs::<1>(at, candidate.script, first, counts),
            1..8 => language_costs::<8>(at, candidate.script, first, counts),
            _ => language_costs::<16>(at, candidate.script, first, counts),
        };
        let (script_first, _) = tables::languages_of(candidate.script);
        let ascii = ascii
            .as_ref()
            .filter(|_| is_latin)
            .map(|ascii| &ascii[usize::from(first - script_first)..]);
        for &language in candidate.languages {
            let lane = usize::from(language - first);
            let cost = of_encoding
                + u32::from(of_languages[lane])
                + ascii.map_or(0, |ascii| ascii[lane])
                + prior.of_model(language);
            best = best.min(cost);
            // A language without a model is in question, whatever it costs.
            let cost = if is_kept && language == tables::UNDETERMINED_LANGUAGE {
                0
            } else {
                cost
            };
            models[len] = (cost, at as u8, language);
            // The bound can only fall.
            len += usize::from(cost <= best.saturating_add(margin));
        }
    }
    let bound = best.saturating_add(margin);
    let in_question = models[..len].iter().filter(|model| model.0 <= bound);
    most_likely(in_question)
}

/// The encodings of these models, with their lowest costs first, and those that are left if they are too many.
fn most_likely<'m>(models: impl Iterator<Item = &'m (u32, u8, u8)>) -> ([Selected; MOST], usize) {
    // An encoding's models are behind one another.
    let mut all = [(0, Selected::default()); ENCODINGS];
    let mut len = 0;
    for &(cost, candidate, language) in models {
        if len == 0 || all[len - 1].1.candidate != candidate {
            all[len] = (
                cost,
                Selected {
                    candidate,
                    languages: 0,
                },
            );
            len += 1;
        }
        let (least, one) = &mut all[len - 1];
        *least = cost.min(*least);
        one.languages |= 1 << language;
    }
    let all = &mut all[..len];
    if len > MOST {
        // The most common encoding is in question wherever it is possible.
        all.sort_unstable_by_key(|&(least, one)| {
            (one.candidate > MOST_COMMON, least, one.candidate)
        });
    }
    let mut selected = [Selected::default(); MOST];
    len = len.min(MOST);
    for (place, &(_, one)) in selected.iter_mut().zip(all.iter()) {
        *place = one;
    }
    selected[..len].sort_unstable_by_key(|one| {
        let at = one.candidate;
        (tables::candidates()[usize::from(at)].prior, at)
    });
    (selected, len)
}

/// Most languages that an encoding has in a row of the table.
const MOST_LANGUAGES: usize = 16;

/// What the bytes beyond ASCII cost in each encoding, whatever the language, and the least that they cost in any language.
fn encoding_costs(counts: &Counts) -> [(u32, u32); ENCODINGS] {
    let [sums, capitals, letters] =
        simd::sum_byte_costs(tables::extras(), tables::least(), counts.high());
    core::array::from_fn(|at| {
        let capitals = CAPITAL * capitals[at].min(CAPITALS_MOST);
        let cost = u32::from(sums[at]) + u32::from(capitals);
        (cost, cost + u32::from(letters[at]))
    })
}

/// What the bytes beyond ASCII cost in each language of an encoding's script from `first` on.
fn language_costs<const LANES: usize>(
    candidate: usize,
    script: Script,
    first: u8,
    counts: &Counts,
) -> [u16; MOST_LANGUAGES] {
    let numbers = &tables::bytes(candidate).numbers;
    let single = Single::new(script, first);
    let mut sums = [0_u16; LANES];
    let (mut of_letters, mut points) = (0, 0);
    for &(at, count) in counts.high() {
        let number = numbers[128 + usize::from(at & 0x7F)];
        // A sign adds zero. The processor would mispredict a branch on signs.
        let is_letter = u8::from(number < SIGN).wrapping_neg();
        points += if number == POINT { count } else { 0 };
        let count = count & u16::from_ne_bytes([is_letter; 2]);
        of_letters += count;
        let row: &[u8; LANES] = single.row(number & is_letter);
        for (sum, &cost) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_add(count.wrapping_mul(u16::from(cost)));
        }
    }
    let stray = STRAY_POINT * points.saturating_sub(of_letters);
    let mut costs = [0; MOST_LANGUAGES];
    for (cost, sum) in costs.iter_mut().zip(sums) {
        *cost = sum + stray;
    }
    costs
}

/// The number of languages in Latin script, at least.
const LATIN_LANES: usize = 32;

/// How much more the sample's ASCII letters cost in each language in Latin script than in the best.
fn ascii(counts: &Counts) -> [u32; LATIN_LANES] {
    let (first, languages) = tables::languages_of(Script::Latin);
    let single = Single::new(Script::Latin, first);
    let letters: [u16; 26] = core::array::from_fn(|at| {
        let letter = b'a' + at as u8;
        counts.of(letter) + counts.of(letter.to_ascii_uppercase())
    });
    let sums: [u16; LATIN_LANES] = single.sum_rows(2, &letters);
    let least = sums[..languages].iter().min().copied().unwrap_or(0);
    sums.map(|sum| u32::from(sum.saturating_sub(least)).min(ASCII_MOST))
}
