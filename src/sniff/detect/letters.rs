//! Single-byte encodings: how likely a language in an encoding would yield the sample.
//!
//! Three steps. The bytes' counts alone leave a few encodings in question ([`Letters::select`]): one row of a table has a
//! byte's cost in all of them. Each of these turns the sample into numbers of letters, once for all its languages. A
//! language then sums the cost of each class of letters after the one before. Those that fall far behind are dropped.

use super::other::Others;
use super::prior::Prior;
use super::reading::{CASES, LONGEST_STRETCH, RARITY, Reading};
use super::sample::CAPACITY;
use super::selection::{self, Counts};
use super::standings::Fit;
use super::tables::{ASCII_NUMBERS, CLASSES, SIGN, Script};
use super::{other, tables, text};
use crate::{Encoding, WINDOWS_1252};

/// Most encodings that are read letter by letter.
const READINGS: usize = selection::MOST + other::COUNT;

/// Most pairs of an encoding and a language.
const MODELS: usize = 192;

/// How far behind the best of its encoding a language may be.
const LANGUAGE_MARGIN: u32 = 24;

/// What a letter beyond ASCII costs that a language in Latin script other than English does not have, once, and up to how
/// many of them.
const FOREIGN: u32 = 8;
const FOREIGN_MOST: u32 = 3;

/// Up to how many bytes beyond ASCII these count: in more text, what stands beside the letters tells more.
const FOREIGN_AMONG: u32 = 24;

/// The greatest cost of an ASCII letter or sign after another one in a language without a model, in eighths.
///
/// The median is 4.9 for text in the model of its own language, and 5.3 at most for 95 of 100 documents. It is 5.4 for
/// text in a language without a model, in the model that fits it best.
const UNKNOWN_ASCII: u32 = 43;

/// The least number of ASCII letters and signs after another one for which that bound applies.
const UNKNOWN_ASCII_LEAST: u32 = 32;

/// A language in an encoding.
#[derive(Clone, Copy)]
struct Model {
    reading: u8,
    language: u8,
    class: u8,
    was_ascii: bool,
    cost: u32,
    /// The part of the cost that is of ASCII letters alone.
    ascii: u32,
    /// What the text costs in the language and the encoding.
    total: u32,
}

/// All candidate encodings and languages.
pub(super) struct Letters<'b> {
    readings: [Option<Reading<'b>>; READINGS],
    readings_len: usize,
    models: [Model; MODELS],
    models_len: usize,
    read: usize,
    /// Whether the text may be in a language that has no model.
    has_few_letters: bool,
    /// If so, the number of ASCII letters and signs after another one, as windows-1252 has read them.
    ascii_pairs: u32,
}

impl<'b> Letters<'b> {
    /// Adds the encodings and languages that the sample's counts leave as candidates.
    pub fn select(&mut self, sample: &[u8], prior: &Prior) {
        let counts = Counts::new(sample);
        self.has_few_letters = counts.has_few_letters();
        let (selected, len) = selection::select(sample, &counts, prior, self.has_few_letters);
        for one in &selected[..len] {
            let reading = Reading::of_candidate(usize::from(one.candidate), one.languages);
            self.readings[self.readings_len] = Some(reading);
            self.add_last(&counts, prior);
        }
    }

    /// Adds encodings of `extended`, whatever the counts.
    pub fn add_others(
        &mut self,
        sample: &[u8],
        prior: &Prior,
        others: Others,
        tables: &'b mut other::Tables,
    ) {
        let counts = Counts::new(sample);
        for reading in other::readings(sample, others, tables) {
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
                was_ascii: true,
                cost: 0,
                ascii: 0,
                total: 0,
            }; MODELS],
            models_len: 0,
            read: 0,
            has_few_letters: false,
            ascii_pairs: 0,
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
                && text::is_same(
                    common.encoding,
                    reading.encoding,
                    counts.high().iter().map(|one| one.0),
                )
        });
        reading.same_as = same_as.map(|at| at as u8);
        let languages = if same_as.is_none() {
            reading.languages
        } else {
            0
        };
        for language in places(languages) {
            if let Some(model) = self.models.get_mut(self.models_len) {
                *model = Model {
                    reading: self.readings_len as u8,
                    language,
                    class: 0,
                    was_ascii: true,
                    ascii: 0,
                    total: 0,
                    cost: prior.of_model(language) + foreign(reading, language, counts),
                };
                self.models_len += 1;
            }
        }
        self.readings_len += 1;
    }

    fn readings(&self) -> impl Iterator<Item = &Reading<'b>> {
        self.readings[..self.readings_len].iter().flatten()
    }

    fn reading(&self, model: &Model) -> &Reading<'b> {
        self.readings[usize::from(model.reading)]
            .as_ref()
            .expect("models have readings")
    }

    /// Whether a language in question is in another script than the Latin one.
    pub fn has_other_scripts(&self) -> bool {
        let mut models = self.models().iter();
        models.any(|model| self.reading(model).script != Script::Latin)
    }

    /// Reads the sample up to `end`, where ASCII words cost what they do in English if the language's script is another.
    pub fn advance(&mut self, sample: &[u8], english: &[u8], end: usize) {
        let begin = self.read.min(end);
        self.read = end;
        let mut numbers = [0; LONGEST_STRETCH];
        let mut first = 0;
        for (at, reading) in self.readings.iter_mut().flatten().enumerate() {
            let count = self.models[first..self.models_len]
                .iter()
                .take_while(|model| usize::from(model.reading) == at)
                .count();
            if count == 0 {
                continue;
            }
            let len = reading.read(sample, (begin, end), english, &mut numbers);
            let numbers = &numbers[..len];
            if self.has_few_letters && reading.encoding == WINDOWS_1252 {
                self.ascii_pairs += ascii_pairs(numbers, self.models[first].was_ascii);
            }
            for model in &mut self.models[first..first + count] {
                if reading.is_visual {
                    model.read::<false>(numbers, |class, next| next * CLASSES + class);
                } else if reading.script == Script::Latin {
                    model.read::<true>(numbers, |class, next| class * CLASSES + next);
                } else {
                    model.read::<false>(numbers, |class, next| class * CLASSES + next);
                }
            }
            first += count;
        }
        self.add_up();
    }

    /// Adds what the words cost with which the sample ends.
    pub fn end(&mut self) {
        for reading in self.readings.iter_mut().flatten() {
            reading.cost += reading.end();
        }
        self.add_up();
    }

    /// Adds up what the text costs in each model.
    ///
    /// A language that has no model has the letters of others beyond ASCII. Its ASCII letters say nothing: they cost what
    /// they do in the language that fits them best. Where a text has few letters beyond ASCII, that cost has a bound.
    fn add_up(&mut self) {
        let is_latin = |model: &Model| self.reading(model).script == Script::Latin;
        let latin = self.models().iter().filter(|model| is_latin(model));
        let least_ascii = latin.map(|model| model.ascii).min().unwrap_or(0);
        let unknown_ascii = if self.ascii_pairs < UNKNOWN_ASCII_LEAST {
            least_ascii
        } else {
            least_ascii.min(UNKNOWN_ASCII * self.ascii_pairs / 8)
        };
        for at in 0..self.models_len {
            let model = self.models[at];
            let of_ascii = if model.language != tables::UNDETERMINED_LANGUAGE {
                0
            } else if self.reading(&model).is_other {
                model.ascii - least_ascii
            } else {
                model.ascii - unknown_ascii
            };
            self.models[at].total = self.reading(&model).cost + model.cost - of_ascii;
        }
    }

    fn models(&self) -> &[Model] {
        &self.models[..self.models_len]
    }

    /// Encoding, language and cost of each model.
    pub fn costs(&self) -> impl Iterator<Item = (&'static Encoding, &'static str, u32)> + '_ {
        self.models().iter().map(|model| {
            let language = tables::languages()[usize::from(model.language)].tag;
            (self.reading(model).encoding, language, model.total)
        })
    }

    /// How well a language in an encoding fits what is beyond ASCII.
    pub fn fit(&self, encoding: &'static Encoding, tag: &str, sample: &[u8]) -> Option<Fit> {
        let reading = self.readings().find(|one| one.encoding == encoding)?;
        let mut languages = (0..).zip(tables::languages());
        let (language, _) =
            languages.find(|(at, one)| reading.languages >> at & 1 != 0 && one.tag == tag)?;
        Some(reading.fit(language, sample))
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
        let costs = self.models().iter().map(|model| model.total);
        costs.min().unwrap_or(u32::MAX)
    }

    /// Drops the models of all encodings but one.
    pub fn keep(&mut self, encoding: &'static Encoding) {
        self.retain(|reading, _| reading.encoding == encoding);
    }

    /// Adds the dropped languages of the kept encoding again, because a text may begin with foreign words. The initial cost of
    /// each is the lowest cost plus [`LANGUAGE_MARGIN`].
    ///
    /// Adds no language if the model of all languages has the lowest cost.
    pub fn readmit(&mut self) {
        let Some(&best) = self.first() else { return };
        if best.language == tables::UNDETERMINED_LANGUAGE {
            return;
        }
        let mut dropped = self.reading(&best).languages & !(1 << tables::UNDETERMINED_LANGUAGE);
        for model in self.models() {
            dropped &= !(1 << model.language);
        }
        for language in places(dropped) {
            if let Some(model) = self.models.get_mut(self.models_len) {
                *model = Model {
                    language,
                    class: 0,
                    was_ascii: true,
                    cost: best.cost + LANGUAGE_MARGIN,
                    total: best.total + LANGUAGE_MARGIN,
                    ..best
                };
                self.models_len += 1;
            }
        }
    }

    /// Whether several models are left.
    pub fn has_choice(&self) -> bool {
        self.models_len > 1
    }

    /// The language of the model that costs least.
    pub fn first_language(&self) -> Option<&'static str> {
        let first = self.first()?;
        Some(tables::languages()[usize::from(first.language)].tag)
    }

    /// The model that costs least.
    fn first(&self) -> Option<&Model> {
        self.models().iter().min_by_key(|model| model.total)
    }

    /// Drops each language whose cost exceeds the lowest cost by more than twice [`LANGUAGE_MARGIN`].
    ///
    /// A language that [`Letters::readmit`] has added starts with half of that difference.
    pub fn drop_languages(&mut self) {
        let best = self.best();
        self.retain(|_, model| model.total <= best + 2 * LANGUAGE_MARGIN);
    }

    /// Drops models that cost more than `bound`, and languages far behind another one of the same encoding.
    pub fn drop_above(&mut self, bound: u32) {
        let mut best = [u32::MAX; READINGS];
        for model in self.models() {
            let best = &mut best[usize::from(model.reading)];
            *best = model.total.min(*best);
        }
        self.retain(|reading, model| {
            let best = best[usize::from(model.reading)];
            // Tables and menus have words of several languages, and pages of DOS have most letters at the same places.
            let is_kept = model.language == tables::UNDETERMINED_LANGUAGE && reading.is_other;
            model.total <= bound && (model.total <= best + LANGUAGE_MARGIN || is_kept)
        });
    }

    /// Drops the models for which this is false.
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

/// Returns the places of the bits that are set.
fn places(mut bits: u64) -> impl Iterator<Item = u8> {
    core::iter::from_fn(move || {
        let place = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (place < u64::BITS).then_some(place as u8)
    })
}

/// The number of ASCII letters and signs that follow another one.
fn ascii_pairs(numbers: &[u8], mut was_ascii: bool) -> u32 {
    let pairs = numbers.iter().filter(|&&number| {
        let is_ascii = number < ASCII_NUMBERS;
        core::mem::replace(&mut was_ascii, is_ascii) & is_ascii
    });
    pairs.count() as u32
}

/// What the letters cost that a language does not have, where few letters are beyond ASCII.
///
/// The letters of one name can decide between encodings, and two of them next to each other are as rare in messages as a
/// letter of another language.
fn foreign(reading: &Reading, language: u8, counts: &Counts) -> u32 {
    if reading.script != Script::Latin || counts.beyond_ascii() > FOREIGN_AMONG {
        return 0;
    }
    let letters = counts.high().iter().filter(|&&(at, _)| {
        let number = reading.bytes.numbers[128 + usize::from(at & 0x7F)];
        number < SIGN && tables::is_foreign(language, number)
    });
    FOREIGN * FOREIGN_MOST.min(letters.count() as u32)
}

/// What each ASCII byte of the sample costs in English; the others cost nothing.
pub(super) struct English {
    costs: [u8; CAPACITY],
    read: usize,
    /// The class of the last byte, and its case, in the two high bits.
    last: u8,
}

impl English {
    /// Before the first byte.
    pub fn new() -> Self {
        Self {
            costs: [0; CAPACITY],
            read: 0,
            last: 0,
        }
    }

    /// The costs of the sample's bytes up to `end`.
    pub fn up_to(&mut self, sample: &[u8], end: usize) -> &[u8] {
        let costs_of = tables::language_costs(tables::ENGLISH);
        let mut last = self.last;
        let begin = self.read.min(end);
        for (cost, &byte) in self.costs[begin..end].iter_mut().zip(&sample[begin..end]) {
            let next = tables::ENGLISH_BYTES[usize::from(byte)];
            let place = usize::from(last & 63) * CLASSES + usize::from(next & 63);
            let step = costs_of[place / 2] >> (4 * (place & 1)) & 15;
            let of_case = CASES[usize::from(last >> 6)][usize::from(next >> 6)];
            // Without a branch, bytes beyond ASCII cost nothing.
            *cost = (step + of_case) & (byte >> 7).wrapping_sub(1);
            last = next;
        }
        (self.read, self.last) = (end, last);
        &self.costs[..end]
    }
}

impl Model {
    /// Reads numbers of letters. Costs of ASCII letters alone are of use in Latin script.
    #[inline(always)]
    fn read<const IS_LATIN: bool>(
        &mut self,
        numbers: &[u8],
        place: impl Fn(usize, usize) -> usize,
    ) {
        let costs = tables::language_costs(self.language);
        let letters = tables::letters(self.language);
        let (mut class, mut steps, mut rarity, mut ascii) = (usize::from(self.class), 0, 0, 0);
        let mut was_ascii = self.was_ascii;
        for &number in numbers {
            let entry = letters[usize::from(number & 127)];
            let next = usize::from(entry & 63);
            let place = place(class, next);
            let step = u32::from(costs[place / 2] >> (4 * (place & 1)) & 15);
            steps += step;
            rarity += u32::from(entry >> 6);
            if IS_LATIN {
                let is_ascii = number < ASCII_NUMBERS;
                ascii += step & u32::from(is_ascii & was_ascii).wrapping_neg();
                was_ascii = is_ascii;
            }
            class = next;
        }
        (self.class, self.was_ascii) = (class as u8, was_ascii);
        self.cost += steps + RARITY * rarity;
        self.ascii += ascii;
    }
}
