//! The tables that `gen train` computes from texts, and the functions that read them.

use super::costs::Cost;
use super::tokens::{
    HAN, HANGUL, Kind, LATIN, SCRIPTS, SIGN, SIGN_GROUPS, WIDE_CLASSES, WORD, ascii_element,
    is_point, wide_class,
};
use mojika::Encoding;

/// A language, and the offsets of its data in the tables.
pub struct Language {
    /// BCP 47 tag.
    pub tag: &'static str,
    pub script: u8,
    /// The offset in `letters.bin`: each letter's number in the language, in script order, then each number's class.
    letters: usize,
    /// The offset in `words.bin`.
    costs: usize,
    /// The number of letters. Number 0 stands for the end of a word, and 1 for the letters of other languages.
    len: usize,
    /// The number of classes. The cost of a letter depends on the previous letter, and on the class of the one before.
    classes: usize,
}

/// A single-byte encoding that text may be in.
pub struct Candidate {
    pub name: &'static str,
    /// The prior cost of the encoding.
    pub prior: Cost,
    pub is_of_the_web: bool,
    pub is_latin: bool,
    /// The languages written in the encoding, each with its prior cost.
    pub languages: &'static [(u8, i16)],
}

impl Candidate {
    /// Returns the encoding; `None` if it is not linked into the program.
    pub fn encoding(&self) -> Option<&'static Encoding> {
        encoding_of(self.name)
    }
}

/// Returns the encoding with this name; `None` if it is not linked into the program.
pub fn encoding_of(name: &str) -> Option<&'static Encoding> {
    let extended = || mojika::extended::all().find(|one| one.name() == name);
    Encoding::for_label(name).or_else(extended)
}

include!("../../../tables/model.rs");

static LETTERS_OF: &[u8] = include_bytes!("../../../tables/letters.bin");
static WORDS: &[u8] = include_bytes!("../../../tables/words.bin");
static BYTES: &[u8] = include_bytes!("../../../tables/bytes.bin");
static CHARACTERS: &[u8] = include_bytes!("../../../tables/characters.bin");
static POOLED: &[u8] = include_bytes!("../../../tables/pooled.bin");
static UNIGRAMS: &[u8] = include_bytes!("../../../tables/unigrams.bin");
static CHAIN: &[u8] = include_bytes!("../../../tables/chain.bin");
static WIDE: &[u8] = include_bytes!("../../../tables/wide.bin");

/// The number of elements, which are classes of tokens, and the number of elements other than non-ASCII signs.
pub const ELEMENTS: usize = SIGN as usize + SIGN_COUNT;
pub const CORE: usize = SIGN as usize;

fn nibble(table: &[u8], at: usize) -> u8 {
    table[at / 2] >> (at % 2 * 4) & 15
}

/// The offset in `unigrams.bin` and in `pooled.bin` of each script.
const OFFSETS: [(usize, usize); SCRIPTS] = {
    let mut offsets = [(0, 0); SCRIPTS];
    let mut script = 1;
    while script < SCRIPTS {
        let (letters, pairs) = offsets[script - 1];
        let len = LETTERS[script - 1];
        offsets[script] = (letters + len, pairs + (len * len).div_ceil(2));
        script += 1;
    }
    offsets
};

/// Returns the cost of a letter that the language does not have.
fn unigram(script: u8, letter: u8) -> Cost {
    let before = OFFSETS[usize::from(script)].0;
    2 * Cost::from(UNIGRAMS[before + usize::from(letter)])
}

impl Language {
    /// Returns the cost of a word in the script of this language.
    pub fn word(&self, word: &[u8]) -> Cost {
        let count = LETTERS[usize::from(self.script)];
        let letters = &LETTERS_OF[self.letters..][..count + self.len];
        let (letters, classes) = letters.split_at(count);
        let cells = self.len * self.len * self.classes;
        let table = &WORDS[self.costs..][..cells.div_ceil(2)];
        let (mut class, mut last) = (usize::from(classes[0]), 0);
        let mut cost = 0;
        for &letter in word {
            let number = usize::from(letters[usize::from(letter)]);
            let cell = (class * self.len + last) * self.len + number;
            cost += Cost::from(LEVELS[usize::from(nibble(table, cell))]);
            if number == 1 {
                cost += unigram(self.script, letter);
            }
            (class, last) = (usize::from(classes[last]), number);
        }
        let cell = (class * self.len + last) * self.len;
        cost + Cost::from(LEVELS[usize::from(nibble(table, cell))])
    }
}

/// Returns the cost of a letter after another one, or after 0, in the pooled model of all languages of its script.
pub fn pooled(script: u8, last: u8, letter: u8) -> Cost {
    let script = usize::from(script);
    let cell = usize::from(last) * LETTERS[script] + usize::from(letter);
    Cost::from(LEVELS[usize::from(nibble(&POOLED[OFFSETS[script].1..], cell))])
}

/// Returns the cost of a word in the pooled model.
pub fn pooled_word(script: u8, word: &[u8]) -> Cost {
    let mut last = 0;
    let mut cost = 0;
    for &letter in word.iter().chain(&[0]) {
        cost += pooled(script, last, letter);
        last = letter;
    }
    cost
}

/// Returns the kinds of the non-ASCII bytes in a candidate.
pub fn kinds_of(candidate: usize) -> &'static [[u8; 2]; 128] {
    let (candidates, _) = BYTES.as_chunks().0.as_chunks();
    &candidates[candidate]
}

/// The kinds of ASCII bytes.
pub static ASCII: [Kind; 128] = {
    let mut kinds = [Kind::MALFORMED; 128];
    let mut byte = 0;
    while byte < 128 {
        let letter = (byte as u8).to_ascii_lowercase();
        kinds[byte] = if letter.is_ascii_lowercase() {
            Kind::letter(LATIN, letter - b'a' + 1, (byte as u8).is_ascii_uppercase())
        } else {
            Kind::element(ascii_element(byte as u8))
        };
        byte += 1;
    }
    kinds
};

/// Returns the kind of a character in a single-byte encoding.
pub fn kind_of_char(character: char) -> Kind {
    if character.is_ascii() {
        return ASCII[character as usize];
    }
    if is_point(character) {
        return Kind::POINT;
    }
    let of = |row: &[u8; 4]| u32::from(u16::from_le_bytes([row[0], row[1]]));
    let known = CHARACTERS.as_chunks().0;
    match known.binary_search_by_key(&(character as u32), of) {
        Ok(at) => Kind(u16::from_le_bytes([known[at][2], known[at][3]])),
        Err(_) => Kind::MALFORMED,
    }
}

/// Returns the kind of a character in a double-byte encoding.
pub fn kind_of_wide(character: char) -> Kind {
    match character {
        '\0'..='\x7F' => ASCII[character as usize],
        '\u{FFFD}' => Kind::MALFORMED,
        _ => Kind::element(wide_class(character).unwrap_or(super::tokens::CJK_OTHER)),
    }
}

/// Returns the group of a sign.
pub fn group_of(sign: u8) -> u8 {
    GROUPS[usize::from(sign) - CORE]
}

/// A chain of elements, for text with words, or for Japanese, Korean or Chinese text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    Words,
    Japanese,
    Korean,
    Chinese,
}

impl Chain {
    /// Returns the cost of an element after another one.
    pub fn step(self, previous: u8, next: u8) -> Cost {
        let (previous, next) = (usize::from(previous), usize::from(next));
        let of_words = CORE * ELEMENTS + SIGN_COUNT * CORE + SIGN_GROUPS * SIGN_COUNT;
        let at = if self != Self::Words {
            let (previous, next) = (previous.min(CORE - 1), next.min(CORE - 1));
            of_words + (self as usize - 1) * CORE * CORE + previous * CORE + next
        } else if previous < CORE {
            previous * ELEMENTS + next
        } else if next < CORE {
            CORE * ELEMENTS + (previous - CORE) * CORE + next
        } else {
            let group = usize::from(GROUPS[previous - CORE]);
            CORE * ELEMENTS + SIGN_COUNT * CORE + group * SIGN_COUNT + next - CORE
        };
        2 * Cost::from(CHAIN[at])
    }
}

/// A language of a double-byte encoding: Japanese, Korean, Chinese in simplified and in traditional characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wide {
    Ja,
    Ko,
    ZhCn,
    ZhTw,
}

impl Wide {
    pub fn tag(self) -> &'static str {
        ["ja", "ko", "zh-CN", "zh-TW"][self as usize]
    }

    /// Returns the costs of a character, given its class: in text, and in lists and dictionaries, where rare characters are
    /// likelier.
    pub fn character(self, class: u8, character: char) -> (Cost, Option<Cost>) {
        const COMMON: usize = 512;
        const OF_CHINESE: usize = (COMMON + 0x5200) / 2;
        const OF_KOREAN: usize = (COMMON + 11172) / 2;
        let (start, first, own) = match self {
            Self::Ja => (0, 0x4E00, HAN),
            Self::Ko => (OF_CHINESE, 0xAC00, HANGUL),
            Self::ZhCn => (OF_CHINESE + OF_KOREAN, 0x4E00, HAN),
            Self::ZhTw => (2 * OF_CHINESE + OF_KOREAN, 0x4E00, HAN),
        };
        let code = character as usize;
        let place = match code {
            0x3000..0x3100 => Some(code - 0x3000),
            0xFF00..0x1_0000 => Some(256 + code - 0xFF00),
            0x4E00..0xA000 if own == HAN => Some(COMMON + code - first),
            0xAC00..0xD7A4 if own == HANGUL => Some(COMMON + code - first),
            _ => None,
        };
        let level = place.map_or(15, |place| nibble(&WIDE[start..], place));
        let of_class = |costs: [u16; WIDE_CLASSES]| Cost::from(costs[usize::from(class - HAN)]);
        let Some(&in_text) = WIDE_LEVELS.get(usize::from(level)) else {
            return (of_class(UNSEEN[self as usize]), None);
        };
        let in_text = Cost::from(in_text);
        let listed = match of_class(LISTED[self as usize]) {
            0 => None,
            cost => Some(cost + (FLATNESS * in_text as f32) as Cost),
        };
        (in_text, listed)
    }
}

const _: () = assert!(UNSEEN[0].len() == WIDE_CLASSES && WORD < SIGN);
