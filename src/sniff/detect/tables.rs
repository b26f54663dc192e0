//! What `gen train` counted, in typed form.

use crate::*;

/// A script with encodings of one byte a character. Each has numbers for its letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Greek,
    Hebrew,
    Arabic,
    Thai,
    Cyrillic,
}

/// A language, and where the classes of its letters stand.
pub(super) struct Language {
    pub tag: &'static str,
    letters: usize,
}

/// A single-byte encoding.
pub(super) struct Candidate {
    pub encoding: &'static Encoding,
    pub script: Script,
    /// How much rarer than windows-1252 it is.
    pub prior: u8,
    /// Places in `LANGUAGES`.
    pub languages: &'static [u8],
}

include!("../../../tables/detect/candidates.rs");

/// The languages.
pub(super) fn languages() -> &'static [Language] {
    static ALL: &[Language] = &LANGUAGES;
    ALL
}

/// The tag of the model of languages that have none of their own.
pub(super) const UNDETERMINED: &str = "und";

/// The model of languages that have none of their own.
pub(super) const UNDETERMINED_LANGUAGE: u8 = language("und");

/// English, the language of most ASCII.
pub(super) const ENGLISH: u8 = language("en");

/// The place of a language of two or three letters.
const fn language(tag: &str) -> u8 {
    let mut at = 0;
    while !is_same(LANGUAGES[at].tag.as_bytes(), tag.as_bytes()) {
        at += 1;
    }
    at as u8
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// The encodings.
pub(super) fn candidates() -> &'static [Candidate] {
    static ALL: &[Candidate] = &CANDIDATES;
    ALL
}

/// Returns the place of an encoding in [`candidates`] and its entry.
pub(super) fn candidate(encoding: &Encoding) -> Option<(usize, &'static Candidate)> {
    let mut candidates = candidates().iter().enumerate();
    candidates.find(|(_, candidate)| candidate.encoding == encoding)
}

/// Classes of a language.
pub(super) const CLASSES: usize = 46;

/// Bytes of a language's costs.
const COSTS: usize = CLASSES * CLASSES / 2;

static LANGUAGE_COSTS: &[u8; LANGUAGES.len() * COSTS] =
    include_bytes!("../../../tables/detect/languages.bin");
const LETTERS: &[u8] = include_bytes!("../../../tables/detect/letters.bin");
/// How many encodings of one byte a character there are.
pub(super) const ENCODINGS: usize = CANDIDATES.len();

const BYTES: &[u8; CANDIDATES.len() * 256] = include_bytes!("../../../tables/detect/bytes.bin");

/// Numbers from here on are signs: the low bits say what they expect beside them.
pub(super) const SIGN: u8 = 0x80;

/// How an encoding reads bytes.
#[derive(Clone)]
pub(super) struct Bytes {
    /// The number of each byte's letter.
    pub numbers: [u8; 256],
    /// The case of each byte, in the two high bits, and a cost.
    pub extras: [u8; 256],
}

impl Bytes {
    /// ASCII alone, in an encoding for the Latin script or for another one.
    pub const fn of_ascii(is_latin: bool) -> Self {
        let mut bytes = Self {
            numbers: [0; 256],
            extras: [0; 256],
        };
        let mut byte = 0x21;
        while byte < 0x80 {
            let lower = (byte as u8).to_ascii_lowercase();
            bytes.numbers[byte] = 1;
            if lower.is_ascii_lowercase() {
                let case = if lower == byte as u8 { 1 } else { 2 };
                bytes.numbers[byte] = if is_latin { 2 + lower - b'a' } else { 2 };
                bytes.extras[byte] = case << 6 | if is_latin { 0 } else { ASCII_LETTER };
            }
            byte += 1;
        }
        bytes
    }

    const fn of_candidate(at: usize) -> Self {
        let mut bytes = Self::of_ascii(matches!(CANDIDATES[at].script, Script::Latin));
        let mut byte = 0;
        while byte < 128 {
            bytes.numbers[128 + byte] = BYTES[256 * at + byte];
            bytes.extras[128 + byte] = BYTES[256 * at + 128 + byte];
            byte += 1;
        }
        bytes
    }
}

/// What the first ASCII letter of a word costs beyond its class in languages of other scripts than the Latin one.
const ASCII_LETTER: u8 = 5;

static OF_CANDIDATES: [Bytes; ENCODINGS] = {
    let mut all = [const { Bytes::of_ascii(true) }; ENCODINGS];
    let mut at = 0;
    while at < ENCODINGS {
        all[at] = Bytes::of_candidate(at);
        at += 1;
    }
    all
};

/// What a byte costs in each encoding, an encoding a lane: the lanes after the last one are free of costs.
const LANES: usize = simd::COST_LANES;
const _: () = assert!(ENCODINGS <= LANES);

static BY_BYTE: [[u8; LANES]; 128] = {
    let mut rows = [[0; LANES]; 128];
    let mut byte = 0;
    while byte < 128 {
        let mut at = 0;
        while at < ENCODINGS {
            rows[byte][at] = BYTES[256 * at + 128 + byte];
            at += 1;
        }
        byte += 1;
    }
    rows
};

/// The least that a byte costs as a letter in a language of each encoding, an encoding a lane, as in [`BY_BYTE`].
static LEAST: [[u8; LANES]; 128] = {
    let mut rows = [[0; LANES]; 128];
    let mut at = 0;
    while at < ENCODINGS {
        let (row, first, count) = SCRIPTS[CANDIDATES[at].script as usize];
        let languages = CANDIDATES[at].languages;
        let mut byte = 0;
        while byte < 128 {
            let number = BYTES[256 * at + byte];
            // Signs cost the same in all languages.
            let mut least = if number < SIGN { u8::MAX } else { 0 };
            let mut one = 0;
            while one < languages.len() && number < SIGN {
                let cost =
                    SINGLE[row + number as usize * count + (languages[one] - first) as usize];
                least = if cost < least { cost } else { least };
                one += 1;
            }
            rows[byte][at] = least;
            byte += 1;
        }
        at += 1;
    }
    rows
};

/// Most costs of a letter that [`Single`] yields.
const MOST_LANES: usize = simd::COST_LANES;

/// The table has zeros behind it, so that each row can be read in whole vectors.
static SINGLE: [u8; SINGLE_LEN + MOST_LANES] = {
    let table: &[u8; SINGLE_LEN] = include_bytes!("../../../tables/detect/single.bin");
    let mut padded = [0; SINGLE_LEN + MOST_LANES];
    let mut at = 0;
    while at < SINGLE_LEN {
        padded[at] = table[at];
        at += 1;
    }
    padded
};
const SINGLE_LEN: usize = include_bytes!("../../../tables/detect/single.bin").len();

/// Cost of one class after another, two in a byte.
pub(super) fn language_costs(language: u8) -> &'static [u8; COSTS] {
    &LANGUAGE_COSTS.as_chunks().0[usize::from(language)]
}

/// Class of each letter of the language's script, and how rare it is in its class, in the two high bits.
pub(super) fn letters(language: u8) -> &'static [u8; 128] {
    let place = LANGUAGES[usize::from(language)].letters;
    LETTERS[place..]
        .first_chunk()
        .expect("the table goes on for 128 bytes behind each place")
}

/// The class of each byte in English, and its case, in the two high bits. Bytes beyond ASCII are signs.
pub(super) static ENGLISH_BYTES: [u8; 256] = {
    let ascii = Bytes::of_ascii(true);
    let place = LANGUAGES[ENGLISH as usize].letters;
    let mut bytes = [1; 256];
    let mut byte = 0;
    while byte < 0x80 {
        let entry = LETTERS[place + ascii.numbers[byte] as usize];
        bytes[byte] = entry & 63 | ascii.extras[byte] & 0xC0;
        byte += 1;
    }
    bytes
};

/// How an encoding reads bytes.
pub(super) fn bytes(candidate: usize) -> &'static Bytes {
    &OF_CANDIDATES[candidate]
}

/// Each byte's cost in each encoding, and its case, in the two high bits; bytes are less 0x80.
pub(super) fn extras() -> &'static [[u8; LANES]; 128] {
    &BY_BYTE
}

/// The least that each byte costs as a letter in each encoding; bytes are less 0x80.
pub(super) fn least() -> &'static [[u8; LANES]; 128] {
    &LEAST
}

/// A script's first language, and how many it has.
pub(super) fn languages_of(script: Script) -> (u8, usize) {
    let (_, first, count) = SCRIPTS[script as usize];
    (first, count)
}

/// The costs of a script's letters in its languages from one on, a language a lane: what follows the last language has
/// no meaning.
pub(super) struct Single {
    rows: &'static [u8],
    count: usize,
}

impl Single {
    pub fn new(script: Script, language: u8) -> Self {
        let (row, first, count) = SCRIPTS[script as usize];
        let rows = &SINGLE[row + usize::from(language - first)..];
        Self { rows, count }
    }

    /// The sums of the rows of consecutive letters from one on, each multiplied by its count.
    pub fn sum_rows(&self, number: u8, counts: &[u16]) -> [u16; MOST_LANES] {
        let rows = &self.rows[usize::from(number) * self.count..];
        simd::sum_rows(counts, rows, self.count)
    }

    /// The costs of a letter.
    pub fn row<const LANES: usize>(&self, number: u8) -> &'static [u8; LANES] {
        const { assert!(LANES <= MOST_LANES) };
        let row = &self.rows[usize::from(number) * self.count..];
        row.first_chunk().expect("the table has zeros behind it")
    }
}

/// How many numbers ASCII letters and signs have in Latin script.
pub(super) const ASCII_NUMBERS: u8 = 28;

/// The same in other scripts, where ASCII letters have one number.
const OTHER_ASCII_NUMBERS: u8 = 3;

/// How rare a letter beyond ASCII is by itself in a language that does not have it, at least.
const FOREIGN_LEAST: u8 = 20;

/// Whether a language in Latin script other than English lacks this letter beyond ASCII.
pub(super) fn is_foreign(language: u8, number: u8) -> bool {
    let (first, languages) = languages_of(Script::Latin);
    (first..first + languages as u8).contains(&language)
        && language != ENGLISH
        && is_letter(Script::Latin, number)
        && !has_letter(Script::Latin, language, number)
}

/// Whether a number is that of a letter beyond ASCII.
const fn is_letter(script: Script, number: u8) -> bool {
    let ascii = match script {
        Script::Latin => ASCII_NUMBERS,
        _ => OTHER_ASCII_NUMBERS,
    };
    ascii <= number && number < SIGN
}

/// Whether a language has this letter beyond ASCII of its script. A language without a model may have any.
pub(super) const fn has_letter(script: Script, language: u8, number: u8) -> bool {
    let (row, first, count) = SCRIPTS[script as usize];
    is_letter(script, number)
        && (language == UNDETERMINED_LANGUAGE
            || SINGLE[row + number as usize * count + (language - first) as usize] < FOREIGN_LEAST)
}

/// How many letters beyond ASCII an encoding has for a language.
pub(super) fn letters_of(candidate: usize, language: u8) -> u8 {
    LETTER_COUNTS[candidate][usize::from(language)]
}

static LETTER_COUNTS: [[u8; LANGUAGES.len()]; ENCODINGS] = {
    let mut counts = [[0; LANGUAGES.len()]; ENCODINGS];
    let mut at = 0;
    while at < ENCODINGS {
        let languages = CANDIDATES[at].languages;
        let mut one = 0;
        while one < languages.len() {
            let mut byte = 0;
            while byte < 128 {
                let number = BYTES[256 * at + byte];
                if has_letter(CANDIDATES[at].script, languages[one], number) {
                    counts[at][languages[one] as usize] += 1;
                }
                byte += 1;
            }
            one += 1;
        }
        at += 1;
    }
    counts
};
