//! How a single-byte encoding reads the sample: numbers of letters for its languages, and what depends on it alone.

use super::signs::{self, Beside};
use super::standings::Fit;
use super::tables::{self, Bytes, SIGN, Script};
use super::words::Words;
use crate::{Encoding, ISO_8859_8, MACINTOSH};

/// Most bytes that are read at once.
pub(super) const LONGEST_STRETCH: usize = 256;

/// What each step of rarity in a class costs.
pub(super) const RARITY: u32 = 5;

/// Costs of a case after a case: neither, lower, upper, and none that there is. A capital within a word is rare.
pub(super) const CASES: [[u8; 4]; 4] = [[0, 0, 3, 0], [0, 0, 10, 0], [0, 1, 1, 0], [0; 4]];

/// The most that capitals at the start of words and after other capitals cost: a text may be all in upper case.
const CAPITALS_MOST: u32 = 16;

/// The costs of [`CASES`]. Costs that count up to [`CAPITALS_MOST`] only are multiplied by [`CAPITALS`], so that a single sum holds
/// both kinds of costs.
const CASE_COSTS: [[u32; 4]; 4] = {
    let mut costs = [[0; 4]; 4];
    let mut at = 0;
    while at < 16 {
        let (case, next) = (at / 4, at % 4);
        let factor = if next == 2 && case != 1 { CAPITALS } else { 1 };
        costs[case][next] = factor * CASES[case][next] as u32;
        at += 1;
    }
    costs
};
const CAPITALS: u32 = 1 << 16;

/// What each number is to a sign next to it. Digits have the number of other signs of ASCII.
static BESIDE: [Beside; 256] = {
    let mut all = [Beside::Letter; 256];
    (all[0], all[1]) = (Beside::Space, Beside::Sign);
    let mut number = SIGN as usize;
    while number < 256 {
        all[number] = Beside::Sign;
        number += 1;
    }
    all[(SIGN + signs::BOX) as usize] = Beside::Box;
    all[(SIGN + signs::SPACE) as usize] = Beside::Space;
    all[POINT as usize] = Beside::Letter;
    all
};

/// What a mark costs that stands on no letter.
const STRAY_POINT: u32 = 15;

/// What it costs that a text in an encoding for another script has signs alone.
const NO_WORDS: u32 = 12;

/// What a byte beyond ASCII costs at most in text that a model is for, more often than not.
const UNKNOWN: u32 = 8;
const UNKNOWN_LATIN: u32 = 16;

/// The same in encodings outside the Standard: a language without a model must not pass for another one in them.
const UNKNOWN_OTHER: u32 = 15;

/// What a letter, and what a sign, costs after two of the same: the three are part of a line that is drawn, not of a word.
pub(super) const REPEATED: u32 = 16;
const REPEATED_SIGN: u32 = 4;

/// What such a letter costs more where it counts how well an encoding fits.
const REPEATED_UNFIT: u32 = 32;

/// What a letter that stands alone in a language without a model costs more, where it counts how well an encoding fits.
const ALONE: u32 = 12;

/// How many other bytes beyond ASCII there are at least where lines of tables do not count how well an encoding fits: all code
/// pages of DOS have them.
const LINES_LEAST: u32 = 6;

/// By how much a sign costs less where the text has had it before: some lists have one in each line.
const AGAIN: u32 = 2;

/// The cost of a sign that does not cost less again: it is none that texts have.
pub(super) const AGAIN_MOST: u8 = 12;

/// The number of marks that stand on the letter before them.
pub(super) const POINT: u8 = 0xC0;

/// An encoding, as far as it has read the sample.
#[derive(Clone, Copy)]
pub(super) struct Reading<'b> {
    pub encoding: &'static Encoding,
    pub script: Script,
    /// Places in the list of languages, as bits.
    pub languages: u64,
    /// How much rarer than windows-1252 it is.
    pub prior: u8,
    pub bytes: &'b Bytes,
    /// Whether right-to-left text is in visual order.
    pub is_visual: bool,
    /// Whether the encoding is outside the Standard.
    pub is_other: bool,
    /// The case of the last letter.
    case: u8,
    words: Words,
    /// What depends on the encoding alone.
    pub cost: u32,
    /// What capitals have cost.
    capitals: u32,
    /// The signs that were read, as bits by their bytes less 0x80.
    signs: u128,
    /// A more common encoding that decodes the sample to the same text.
    pub same_as: Option<u8>,
}

impl<'b> Reading<'b> {
    /// A reading before the first byte.
    pub fn new(
        encoding: &'static Encoding,
        script: Script,
        languages: u64,
        prior: u8,
        bytes: &'b Bytes,
    ) -> Self {
        Self {
            encoding,
            script,
            languages,
            prior,
            bytes,
            is_visual: encoding == ISO_8859_8,
            is_other: false,
            case: 0,
            words: Words::default(),
            cost: u32::from(prior),
            capitals: 0,
            signs: 0,
            same_as: None,
        }
    }

    pub fn of_candidate(at: usize, languages: u64) -> Self {
        let candidate = &tables::candidates()[at];
        Self::new(
            candidate.encoding,
            candidate.script,
            languages,
            candidate.prior,
            tables::bytes(at),
        )
    }

    /// What a byte is to a sign next to it.
    fn beside(&self, byte: Option<&u8>) -> Beside {
        let Some(&byte) = byte else {
            return Beside::Space;
        };
        let number = self.bytes.numbers[usize::from(byte)];
        let is_digit = (number == 1) & byte.is_ascii_digit();
        // This look-up has no branch, because the processor cannot predict what stands beside a sign.
        [BESIDE[usize::from(number)], Beside::Digit][usize::from(is_digit)]
    }

    /// What a sign at a place of the sample costs, and the number of its class.
    fn sign(&self, sample: &[u8], at: usize) -> (u32, u8) {
        let byte = usize::from(sample[at]);
        let place = self.bytes.numbers[byte] - SIGN;
        let before = self.beside(at.checked_sub(1).map(|before| &sample[before]));
        let after = self.beside(sample.get(at + 1));
        let mut cost = u32::from(self.bytes.extras[byte]) + signs::cost(place, before, after);
        if place == signs::BOX && before == Beside::Box {
            let is_repeated = sample[at - 1] == sample[at];
            cost -= if is_repeated {
                signs::BOX_REPEATED
            } else {
                signs::BOX_AFTER_BOX
            };
            let second = at.checked_sub(2).map(|second| &sample[second]);
            let is_third = second.is_some() && self.beside(second) == Beside::Box;
            if is_third && !is_repeated && second != Some(&sample[at]) {
                cost += signs::BOX_MIXED;
            }
        }
        let of_number = |byte: u8| {
            let number = self.bytes.numbers[usize::from(byte)];
            (number >= SIGN) & signs::is_of_number(number.wrapping_sub(SIGN))
        };
        let last = at.checked_sub(1).map_or(0, |last| sample[last]);
        let is_adjacent = (before == Beside::Sign)
            & (last != sample[at])
            & of_number(last)
            & of_number(sample[at]);
        cost += signs::ADJACENT * u32::from(is_adjacent);
        (cost, u8::from(place != signs::SPACE))
    }

    /// Whether a sign at a place is a space next to another one: the models count two spaces as one.
    fn is_spare_space(&self, sample: &[u8], at: usize) -> bool {
        let is_space = self.bytes.numbers[usize::from(sample[at])] == SIGN + signs::SPACE;
        let before = at.checked_sub(1).map(|before| &sample[before]);
        is_space
            && (self.beside(before) == Beside::Space
                || sample.get(at + 1).is_some_and(|&after| after <= b' '))
    }

    /// What a sign costs after two of the same: lines of tables cost nothing.
    fn repeated_sign(&self, number: u8) -> u32 {
        if number == SIGN + signs::BOX {
            0
        } else {
            REPEATED_SIGN
        }
    }

    /// Turns bytes of the sample into numbers of letters, and adds up what depends on the encoding alone.
    ///
    /// `english` is empty, or what each byte of ASCII costs as English where the script is another one. Returns how many
    /// numbers there are: marks on letters have none.
    pub fn read(
        &mut self,
        sample: &[u8],
        (begin, end): (usize, usize),
        english: &[u8],
        numbers: &mut [u8; LONGEST_STRETCH],
    ) -> usize {
        if self.script == Script::Latin {
            self.read_as::<true>(sample, (begin, end), english, numbers)
        } else {
            self.read_as::<false>(sample, (begin, end), english, numbers)
        }
    }

    fn read_as<const IS_LATIN: bool>(
        &mut self,
        sample: &[u8],
        (begin, end): (usize, usize),
        english: &[u8],
        numbers: &mut [u8; LONGEST_STRETCH],
    ) -> usize {
        let (mut case, mut len, mut cost) = (usize::from(self.case), 0, 0);
        let mut of_bytes = 0;
        let mut words = self.words;
        for at in begin..end {
            let byte = sample[at];
            let mut number = self.bytes.numbers[usize::from(byte)];
            let extra = self.bytes.extras[usize::from(byte)];
            if number >= SIGN {
                if number != POINT && is_repeated(sample, at) {
                    cost += self.repeated_sign(number);
                    continue;
                }
                if number == POINT {
                    cost += if words.letters == 0 {
                        STRAY_POINT
                    } else {
                        u32::from(extra)
                    };
                    continue;
                }
                let of_sign;
                (of_sign, number) = self.sign(sample, at);
                // A sign, beyond ASCII.
                number |= SIGN;
                let bit = 1 << (byte & 0x7F);
                let is_again = self.signs & bit != 0 && extra <= AGAIN_MOST && is_alone(sample, at);
                cost += if is_again { of_sign / AGAIN } else { of_sign };
                self.signs |= bit;
                case = 0;
                if !IS_LATIN {
                    cost += words.other(byte);
                }
                if self.is_spare_space(sample, at) {
                    continue;
                }
            } else {
                if (byte >= 0x80) & is_repeated(sample, at) {
                    cost += REPEATED;
                    continue;
                }
                let next = usize::from(extra >> 6);
                let mut of_byte = u32::from(extra & 63) + CASE_COSTS[case][next];
                if !IS_LATIN {
                    let of_english = english.get(at).copied().unwrap_or(0);
                    let is_within_word = (number == 2) & (words.ascii_letters > 0);
                    of_byte = if is_within_word {
                        u32::from(of_english)
                    } else {
                        of_byte
                    };
                }
                of_bytes += of_byte;
                if !IS_LATIN {
                    if number > 2 {
                        words.letter();
                    } else {
                        cost += words.other(byte);
                    }
                }
                case = next;
            }
            numbers[len] = number;
            len += 1;
        }
        (self.case, self.words) = (case as u8, words);
        let capitals = CAPITALS_MOST.min(self.capitals + of_bytes / CAPITALS);
        self.cost += cost + of_bytes % CAPITALS + capitals - self.capitals;
        self.capitals = capitals;
        len
    }

    /// How well a language fits what is beyond ASCII.
    pub fn fit(&self, language: u8, sample: &[u8]) -> Fit {
        if self.is_visual {
            self.fit_as::<true>(language, sample)
        } else {
            self.fit_as::<false>(language, sample)
        }
    }

    fn fit_as<const IS_VISUAL: bool>(&self, language: u8, sample: &[u8]) -> Fit {
        let costs = tables::language_costs(language);
        let letters = tables::letters(language);
        let (mut class, mut was_high) = (0, false);
        let (mut cost, mut high) = (0, 0);
        let (mut of_lines, mut lines) = (0, 0);
        // Pages of DOS have letters where macintosh has them.
        let mut is_known = self.script == Script::Latin
            && !self.is_other
            && self.encoding != MACINTOSH
            && language != tables::UNDETERMINED_LANGUAGE;
        let mut next_at = 0;
        while let Some(&byte) = sample.get(next_at) {
            let at = next_at;
            next_at += 1;
            let mut number = self.bytes.numbers[usize::from(byte)];
            if number == POINT {
                continue;
            }
            let is_high = byte >= 0x80;
            if !(is_high || was_high)
                && number < SIGN
                && sample.get(next_at).is_none_or(u8::is_ascii)
            {
                // Seven of eight bytes of ASCII have ASCII on both sides; in pages of EBCDIC, they may be signs.
                while !self.is_other
                    && let Some(eight) = sample[next_at..].first_chunk()
                    && u64::from_le_bytes(*eight) & 0x8080_8080_8080_8080 == 0
                {
                    next_at += 7;
                }
                continue;
            }
            if is_high && is_repeated(sample, at) {
                if number < SIGN {
                    cost += REPEATED_UNFIT;
                    high += 1;
                }
                continue;
            }
            if number >= SIGN {
                if number == SIGN + signs::BOX {
                    // The text next to a drawn line does not show whether the line fits.
                    of_lines += u32::from(self.bytes.extras[usize::from(byte)]);
                    lines += 1;
                    (class, was_high) = (usize::from(letters[1] & 63), false);
                    continue;
                }
                is_known = is_known && self.is_certain_sign(sample, at);
                let of_sign;
                (of_sign, number) = self.sign(sample, at);
                cost += of_sign;
                if self.is_spare_space(sample, at) {
                    high += 1;
                    continue;
                }
            } else if is_high {
                let extra = self.bytes.extras[usize::from(byte)];
                cost += u32::from(extra & 63);
                if extra >> 6 == 2 || language == tables::UNDETERMINED_LANGUAGE {
                    cost += self.odd_letter(language, sample, at);
                }
                is_known = is_known && !tables::is_foreign(language, number);
            }
            let entry = letters[usize::from(number & 127)];
            let next = usize::from(entry & 63);
            if is_high || was_high {
                let place = if IS_VISUAL {
                    next * tables::CLASSES + class
                } else {
                    class * tables::CLASSES + next
                };
                cost += u32::from(costs[place / 2] >> (4 * (place & 1)) & 15);
                cost += RARITY * u32::from(entry >> 6);
            }
            high += u32::from(is_high);
            (class, was_high) = (next, is_high);
        }
        if high < LINES_LEAST {
            cost += of_lines;
            high += lines;
        }
        Fit {
            cost,
            bytes: high,
            unknown: match self.script {
                Script::Latin if self.is_other => UNKNOWN_OTHER,
                Script::Latin => UNKNOWN_LATIN,
                _ => UNKNOWN,
            },
            is_known,
        }
    }

    /// Whether the sign at a place of the sample is hardly a letter of another encoding.
    fn is_certain_sign(&self, sample: &[u8], at: usize) -> bool {
        let byte = usize::from(sample[at]);
        let before = at.checked_sub(1).map(|before| &sample[before]);
        let [left, right] = [before, sample.get(at + 1)].map(|byte| self.beside(byte));
        let is_after_sign = left == Beside::Sign && before.is_some_and(|byte| !byte.is_ascii());
        let alone = self.bytes.extras[byte];
        !is_after_sign && signs::is_certain(self.bytes.numbers[byte] - SIGN, alone, left, right)
    }

    /// The cost of an unlikely letter: a capital after a small letter, or one that stands alone in a language without a model.
    fn odd_letter(&self, language: u8, sample: &[u8], at: usize) -> u32 {
        let case_of = |byte: u8| self.bytes.extras[usize::from(byte)] >> 6;
        let before = at.checked_sub(1).map(|before| &sample[before]);
        if case_of(sample[at]) == 2 && before.is_some_and(|&before| case_of(before) == 1) {
            return u32::from(CASES[1][2]);
        }
        let is_letter = |byte| self.beside(byte) == Beside::Letter;
        let is_alone = language == tables::UNDETERMINED_LANGUAGE
            && !is_letter(before)
            && !is_letter(sample.get(at + 1));
        if is_alone { ALONE } else { 0 }
    }

    /// What the word costs with which the sample ends, and that there is none.
    pub fn end(&self) -> u32 {
        let mut words = self.words;
        let cost = words.other(b' ');
        let has_words = self.script == Script::Latin || words.has_foreign;
        cost + if has_words { 0 } else { NO_WORDS }
    }
}

/// Whether the byte at a place comes after two of the same.
#[inline(always)]
fn is_repeated(sample: &[u8], at: usize) -> bool {
    let third = sample[at];
    sample[..at]
        .last_chunk()
        .is_some_and(|&[first, second]| (second == third) & (first == third))
}

/// Returns the bytes before and after a place, which are spaces beyond the ends of the sample.
pub(super) fn neighbours(sample: &[u8], at: usize) -> [u8; 2] {
    let before = at.checked_sub(1).map_or(b' ', |before| sample[before]);
    [before, sample.get(at + 1).copied().unwrap_or(b' ')]
}

/// Whether the byte at a place stands between ASCII that is no letter on one side at least.
fn is_alone(sample: &[u8], at: usize) -> bool {
    let [before, after] = neighbours(sample, at);
    let is_word = before.is_ascii_alphabetic() && after.is_ascii_alphabetic();
    before.is_ascii() && after.is_ascii() && !is_word
}
