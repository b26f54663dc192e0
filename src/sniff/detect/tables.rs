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

/// Classes of a language.
pub(super) const CLASSES: usize = 46;

/// Bytes of a language's costs.
const COSTS: usize = CLASSES * CLASSES / 2;

static LANGUAGE_COSTS: &[u8; LANGUAGES.len() * COSTS] =
    include_bytes!("../../../tables/detect/languages.bin");
static LETTERS: &[u8] = include_bytes!("../../../tables/detect/letters.bin");
/// How many encodings of one byte a character there are.
pub(super) const ENCODINGS: usize = CANDIDATES.len();

static BYTES: &[u8; CANDIDATES.len() * 256] = include_bytes!("../../../tables/detect/bytes.bin");

/// Most costs of a letter that [`single`] yields.
const MOST_LANES: usize = 32;

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

/// For each byte of an encoding from 0x80 on the number of its letter.
pub(super) fn numbers(candidate: usize) -> &'static [u8; 128] {
    &BYTES.as_chunks().0[2 * candidate]
}

/// For each byte of an encoding from 0x80 on a cost, and the case, in the two high bits.
pub(super) fn extras(candidate: usize) -> &'static [u8; 128] {
    &BYTES.as_chunks().0[2 * candidate + 1]
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

    /// The costs of a letter.
    pub fn row<const LANES: usize>(&self, number: u8) -> &'static [u8; LANES] {
        const { assert!(LANES <= MOST_LANES) };
        let row = &self.rows[usize::from(number) * self.count..];
        row.first_chunk().expect("the table has zeros behind it")
    }
}

/// How many numbers ASCII letters and signs have in Latin script.
pub(super) const ASCII_NUMBERS: u8 = 28;

/// How rare a letter beyond ASCII is by itself in a language that does not have it, at least.
const FOREIGN_LEAST: u8 = 20;

/// Whether a language in Latin script other than English lacks this letter beyond ASCII.
pub(super) fn is_foreign(language: u8, number: u8) -> bool {
    let (first, languages) = languages_of(Script::Latin);
    let is_one = (first..first + languages as u8).contains(&language);
    if !is_one || number < ASCII_NUMBERS || matches!(language, UNDETERMINED_LANGUAGE | ENGLISH) {
        return false;
    }
    Single::new(Script::Latin, language).row::<1>(number)[0] >= FOREIGN_LEAST
}
