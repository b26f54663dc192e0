//! Single-byte encodings: how likely a language in an encoding would yield the sample.
//!
//! Three steps. The bytes' counts alone leave a few encodings in question ([`Letters::select`]): one row of a table has a
//! byte's cost in all of them. Each of these turns the sample into numbers of letters, once for all its languages. A
//! language then sums the cost of each class of letters after the one before. Those that fall far behind are dropped.

use super::prior::Prior;
use super::sample::CAPACITY;
use super::selection::{self, Counts};
use super::tables::{CLASSES, Script};
use super::{other, tables};
use crate::{Encoding, ISO_8859_8};

/// Costs of a case behind a case: neither, lower, upper, apostrophe. A capital within a word is rare, a capital behind it
/// less so. In the training texts 4 % of apostrophes (U+2019) are behind another byte than a letter, and 42 % of other signs.
const CASES: [[u8; 4]; 4] = [[0, 0, 3, 5], [0, 0, 10, 0], [0, 1, 1, 0], [0; 4]];

/// What the first ASCII letter of a word costs beyond its class in languages of other scripts.
const ASCII_LETTER: u8 = 5;

/// What each step of rarity in a class costs.
const RARITY: u32 = 5;

/// Class of signs beyond ASCII in each language.
const SIGN_CLASS: usize = 45;

/// Most encodings that are read letter by letter.
const READINGS: usize = selection::MOST + other::COUNT;

/// Most pairs of an encoding and a language.
const MODELS: usize = 128;

/// Most bytes that are read at once.
pub(super) const LONGEST_STRETCH: usize = 256;

/// How far behind the best of its encoding a language may be.
const LANGUAGE_MARGIN: u32 = 24;

/// An encoding, as far as it has read the sample.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    pub encoding: &'static Encoding,
    pub script: Script,
    /// Places in the list of languages, as bits.
    pub languages: u64,
    /// How much rarer than windows-1252 it is.
    pub prior: u8,
    /// The number of each byte's letter.
    pub numbers: [u8; 256],
    /// The case of each byte, in the two high bits, and a cost.
    pub extras: [u8; 256],
    /// Whether right-to-left text is in visual order.
    is_visual: bool,
    /// The case of the last letter.
    case: u8,
    was_ascii_letter: bool,
    /// What depends on the encoding alone.
    cost: u32,
    /// A more common encoding that decodes the sample to the same text.
    same_as: Option<u8>,
}

/// A language in an encoding.
#[derive(Clone, Copy)]
struct Model {
    reading: u8,
    language: u8,
    class: u8,
    cost: u32,
}

/// All candidate encodings and languages.
pub(super) struct Letters {
    readings: [Option<Reading>; READINGS],
    readings_len: usize,
    models: [Model; MODELS],
    models_len: usize,
    read: usize,
}

impl Letters {
    /// Adds the encodings and languages that the sample's counts leave as candidates.
    pub fn select(&mut self, sample: &[u8], prior: &Prior) {
        let counts = Counts::new(sample);
        let (selected, len) = selection::select(sample, &counts, prior);
        for one in &selected[..len] {
            let reading = Reading::of_candidate(usize::from(one.candidate), one.languages);
            self.readings[self.readings_len] = Some(reading);
            self.add_last(&counts, prior);
        }
    }

    /// Adds the encodings of `extended`, whatever the counts.
    pub fn add_others(&mut self, sample: &[u8], prior: &Prior) {
        let counts = Counts::new(sample);
        for reading in other::readings(sample) {
            if prior.allows(reading.encoding) {
                self.readings[self.readings_len] = Some(reading);
                self.add_last(&counts, prior);
            }
        }
    }

    /// No encoding at all.
    pub fn empty() -> Self {
        Self {
            readings: [const { None }; READINGS],
            readings_len: 0,
            models: [Model {
                reading: 0,
                language: 0,
                class: 0,
                cost: 0,
            }; MODELS],
            models_len: 0,
            read: 0,
        }
    }

    /// Adds the reading behind the last one.
    fn add_last(&mut self, counts: &Counts, prior: &Prior) {
        let (before, rest) = self.readings.split_at_mut(self.readings_len);
        let Some(Some(reading)) = rest.first_mut() else {
            return;
        };
        let same_as = before.iter().flatten().position(|common| {
            common.is_visual == reading.is_visual
                && common.script == reading.script
                && reading.languages & !common.languages == 0
                && counts.high().all(|(at, _)| {
                    let byte = 128 + usize::from(at);
                    common.numbers[byte] == reading.numbers[byte]
                        && common.extras[byte] == reading.extras[byte]
                })
                && common.numbers[..128] == reading.numbers[..128]
                && common.extras[..128] == reading.extras[..128]
        });
        reading.same_as = same_as.map(|at| at as u8);
        let mut languages = if same_as.is_none() {
            reading.languages
        } else {
            0
        };
        while languages != 0 {
            let language = languages.trailing_zeros() as u8;
            languages &= languages - 1;
            if let Some(model) = self.models.get_mut(self.models_len) {
                *model = Model {
                    reading: self.readings_len as u8,
                    language,
                    class: 0,
                    cost: prior.of_language(tables::languages()[usize::from(language)].tag),
                };
                self.models_len += 1;
            }
        }
        self.readings_len += 1;
    }

    fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.readings[..self.readings_len].iter().flatten()
    }

    fn reading(&self, model: &Model) -> &Reading {
        self.readings[usize::from(model.reading)]
            .as_ref()
            .expect("models have readings")
    }

    /// Whether a language in question is in another script than the Latin one.
    pub fn has_other_scripts(&self) -> bool {
        let mut models = self.models[..self.models_len].iter();
        models.any(|model| self.reading(model).script != Script::Latin)
    }

    /// Reads the sample up to `end`, where ASCII words cost what they do in English if the language's script is another.
    pub fn advance(&mut self, sample: &[u8], english: &[u8], end: usize) {
        let begin = self.read.min(end);
        let (stretch, english) = (&sample[begin..end], english.get(begin..end).unwrap_or(&[]));
        self.read = end;
        let mut numbers = [0; LONGEST_STRETCH];
        let numbers = &mut numbers[..stretch.len()];
        let mut first = 0;
        for (at, reading) in self.readings.iter_mut().flatten().enumerate() {
            let count = self.models[first..self.models_len]
                .iter()
                .take_while(|model| usize::from(model.reading) == at)
                .count();
            if count == 0 {
                continue;
            }
            if reading.script == Script::Latin {
                reading.read(stretch, numbers);
            } else {
                reading.read_with_english(stretch, english, numbers);
            }
            for model in &mut self.models[first..first + count] {
                if reading.is_visual {
                    model.read(numbers, |class, next| next * CLASSES + class);
                } else {
                    model.read(numbers, |class, next| class * CLASSES + next);
                }
            }
            first += count;
        }
    }

    /// Encoding, language and cost of each model.
    pub fn costs(&self) -> impl Iterator<Item = (&'static Encoding, &'static str, u32)> + '_ {
        self.models[..self.models_len].iter().map(|model| {
            let reading = self.reading(model);
            let language = tables::languages()[usize::from(model.language)].tag;
            (reading.encoding, language, reading.cost + model.cost)
        })
    }

    /// Encodings that read the sample as another one does, which is more common: how much rarer they are, and that one.
    pub fn alike(&self) -> impl Iterator<Item = (&'static Encoding, u32, &'static Encoding)> + '_ {
        self.readings().filter_map(|rare| {
            let common = self.readings[usize::from(rare.same_as?)].as_ref()?;
            let rarer = rare.prior.saturating_sub(common.prior);
            Some((rare.encoding, u32::from(rarer), common.encoding))
        })
    }

    /// The lowest cost.
    pub fn best(&self) -> u32 {
        let costs = self.costs().map(|(_, _, cost)| cost);
        costs.min().unwrap_or(u32::MAX)
    }

    /// Drops models that cost more than `bound`, and languages far behind another one of the same encoding.
    pub fn drop_above(&mut self, bound: u32) {
        let mut best = [u32::MAX; READINGS];
        for model in &self.models[..self.models_len] {
            let best = &mut best[usize::from(model.reading)];
            *best = model.cost.min(*best);
        }
        self.retain(|reading, model| {
            let best = best[usize::from(model.reading)];
            reading.cost + model.cost <= bound && model.cost <= best + LANGUAGE_MARGIN
        });
    }

    /// Keeps the models of the encodings that are `wanted`.
    pub fn keep(&mut self, wanted: impl Fn(&'static Encoding) -> bool) {
        self.retain(|reading, _| wanted(reading.encoding));
    }

    fn retain(&mut self, is_kept: impl Fn(&Reading, &Model) -> bool) {
        let mut kept = 0;
        for at in 0..self.models_len {
            let model = self.models[at];
            if is_kept(self.reading(&model), &model) {
                self.models[kept] = model;
                kept += 1;
            }
        }
        self.models_len = kept;
    }
}

impl Reading {
    /// A reading before the first byte.
    pub fn new(encoding: &'static Encoding, script: Script, languages: u64, prior: u8) -> Self {
        let is_latin = script == Script::Latin;
        let (ascii_numbers, ascii_extras) = if is_latin { &LATIN } else { &NON_LATIN };
        let (mut numbers, mut extras) = ([0; 256], [0; 256]);
        numbers[..128].copy_from_slice(ascii_numbers);
        extras[..128].copy_from_slice(ascii_extras);
        Self {
            encoding,
            script,
            languages,
            prior,
            numbers,
            extras,
            is_visual: encoding == ISO_8859_8,
            case: 0,
            was_ascii_letter: false,
            cost: u32::from(prior),
            same_as: None,
        }
    }

    fn of_candidate(at: usize, languages: u64) -> Self {
        let candidate = &tables::candidates()[at];
        let (script, prior) = (candidate.script, candidate.prior);
        let mut reading = Self::new(candidate.encoding, script, languages, prior);
        reading.numbers[128..].copy_from_slice(tables::numbers(at));
        reading.extras[128..].copy_from_slice(tables::extras(at));
        reading
    }

    /// Turns bytes into numbers of letters, and adds up what depends on the encoding alone.
    fn read(&mut self, bytes: &[u8], numbers: &mut [u8]) {
        let (mut case, mut cost) = (usize::from(self.case), 0);
        for (number, &byte) in numbers.iter_mut().zip(bytes) {
            *number = self.numbers[usize::from(byte)];
            let extra = self.extras[usize::from(byte)];
            let next = usize::from(extra >> 6);
            cost += u32::from(extra & 63) + u32::from(CASES[case][next]);
            case = next;
        }
        self.case = case as u8;
        self.cost += cost;
    }

    /// [`read`](Self::read) where ASCII letters are words of another script's language.
    fn read_with_english(&mut self, bytes: &[u8], english: &[u8], numbers: &mut [u8]) {
        let (mut case, mut cost) = (usize::from(self.case), 0);
        let mut was_ascii_letter = self.was_ascii_letter;
        for ((number, &byte), &english) in numbers.iter_mut().zip(bytes).zip(english) {
            *number = self.numbers[usize::from(byte)];
            let extra = self.extras[usize::from(byte)];
            let next = usize::from(extra >> 6);
            let is_ascii_letter = byte.is_ascii_alphabetic();
            cost += if is_ascii_letter && was_ascii_letter {
                u32::from(english)
            } else {
                u32::from(extra & 63) + u32::from(CASES[case][next])
            };
            (case, was_ascii_letter) = (next, is_ascii_letter);
        }
        self.case = case as u8;
        self.was_ascii_letter = was_ascii_letter;
        self.cost += cost;
    }
}

/// What each ASCII byte of the sample costs in English; the others cost nothing.
pub(super) struct English {
    costs: [u8; CAPACITY],
    read: usize,
    class: u8,
    case: u8,
}

impl English {
    /// Before the first byte.
    pub fn new() -> Self {
        Self {
            costs: [0; CAPACITY],
            read: 0,
            class: 0,
            case: 0,
        }
    }

    /// The costs of the sample's bytes up to `end`.
    pub fn up_to(&mut self, sample: &[u8], end: usize) -> &[u8] {
        let language = tables::english();
        let (classes, costs_of) = (tables::letters(language), tables::language_costs(language));
        let (mut class, mut case) = (usize::from(self.class), usize::from(self.case));
        let begin = self.read.min(end);
        for (cost, &byte) in self.costs[begin..end].iter_mut().zip(&sample[begin..end]) {
            if byte >= 0x80 {
                (class, case) = (SIGN_CLASS, 0);
                continue;
            }
            let next = usize::from(classes[usize::from(LATIN.0[usize::from(byte)])] & 63);
            let next_case = usize::from(LATIN.1[usize::from(byte)] >> 6);
            let place = class * CLASSES + next;
            *cost = (costs_of[place / 2] >> (4 * (place & 1)) & 15) + CASES[case][next_case];
            (class, case) = (next, next_case);
        }
        (self.read, self.class, self.case) = (end, class as u8, case as u8);
        &self.costs[..end]
    }
}

impl Model {
    #[inline(always)]
    fn read(&mut self, numbers: &[u8], place: impl Fn(usize, usize) -> usize) {
        let costs = tables::language_costs(self.language);
        let letters = tables::letters(self.language);
        let (mut class, mut cost) = (usize::from(self.class), 0);
        for &number in numbers {
            let entry = letters[usize::from(number & 127)];
            let next = usize::from(entry & 63);
            let place = place(class, next);
            let step = costs[place / 2] >> (4 * (place & 1)) & 15;
            cost += u32::from(step) + RARITY * u32::from(entry >> 6);
            class = next;
        }
        self.class = class as u8;
        self.cost += cost;
    }
}

/// Numbers of ASCII bytes, and their cases and costs.
type Ascii = ([u8; 128], [u8; 128]);

const fn ascii(is_latin: bool) -> Ascii {
    let (mut numbers, mut extras) = ([1; 128], [0; 128]);
    let mut byte = 0;
    while byte < 128 {
        let lower = (byte as u8).to_ascii_lowercase();
        if byte <= 0x20 {
            numbers[byte] = 0;
        } else if lower.is_ascii_lowercase() {
            let case = if lower == byte as u8 { 1 } else { 2 };
            numbers[byte] = if is_latin { 2 + lower - b'a' } else { 2 };
            extras[byte] = case << 6 | if is_latin { 0 } else { ASCII_LETTER };
        }
        byte += 1;
    }
    (numbers, extras)
}

static LATIN: Ascii = ascii(true);
static NON_LATIN: Ascii = ascii(false);
