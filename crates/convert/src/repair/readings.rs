//! The *readings*: encodings in which UTF-8 is read by mistake, with the bytes of each character.
//!
//! A look at the first two characters of a run excludes most readings: their bytes must begin a UTF-8 sequence.

use super::is_typographic;
use mojika::{
    BIG5, BomHandling, EUC_KR, Encoding, GBK, IBM866, ISO_8859_2, ISO_8859_15, ISO_8859_16, KOI8_R,
    MACINTOSH, SHIFT_JIS, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253,
    WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258, X_MAC_CYRILLIC, extended,
    mem,
};
use std::sync::LazyLock;

/// The number of readings.
pub const READINGS: usize = 29;

/// The number of readings in single-byte encodings, which come first.
pub const SINGLE_BYTE: usize = 25;

/// The encodings of the readings, the frequent ones first.
pub static ENCODINGS: LazyLock<[&Encoding; READINGS]> = LazyLock::new(|| {
    let ibm = |page| extended::ibm(page).unwrap_or(WINDOWS_1252);
    let named = |name| extended::find(name).unwrap_or(MACINTOSH);
    [
        WINDOWS_1252,
        WINDOWS_1251,
        MACINTOSH,
        ibm(437),
        WINDOWS_1250,
        ISO_8859_2,
        WINDOWS_1254,
        WINDOWS_1257,
        WINDOWS_1253,
        KOI8_R,
        IBM866,
        extended::ISO_8859_1,
        ISO_8859_15,
        ISO_8859_16,
        extended::ISO_8859_9,
        ibm(850),
        ibm(852),
        WINDOWS_1255,
        WINDOWS_1256,
        WINDOWS_1258,
        WINDOWS_874,
        X_MAC_CYRILLIC,
        named("MacCentralEurope"),
        named("MacGreek"),
        named("MacTurkish"),
        GBK,
        SHIFT_JIS,
        EUC_KR,
        BIG5,
    ]
});

/// The readings that differ from ISO-8859-1 in few characters, as bits.
const LIKE_LATIN_1: u32 = bits(&[0, 6, 11, 12, 14, 19]);

/// The readings with box-drawing characters, as bits: code pages of DOS.
const OF_DOS: u32 = bits(&[3, 10, 15, 16]);

/// The readings in which UTF-8 sequences begin with signs, as bits: code pages of DOS and of the Macintosh.
const OF_SIGNS: u32 = OF_DOS | bits(&[2, 21, 22, 23, 24]);

/// The readings in which trail bytes of UTF-8 may be letters of a language, as bits. They are not searched for within
/// correct text.
const OF_LETTERS: u32 = bits(&[10, 18, 20, 21]);

/// The readings whose letters are Cyrillic, as bits.
const CYRILLIC: u32 = bits(&[1, 9, 10, 21]);

const fn bits(numbers: &[usize]) -> u32 {
    let (mut bits, mut at) = (0, 0);
    while at < numbers.len() {
        bits |= 1 << numbers[at];
        at += 1;
    }
    bits
}

/// An encoding in which UTF-8 is read by mistake, as its number in the list of these encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading(pub usize);

impl Reading {
    pub const ISO_8859_15: Self = Self(12);
    pub const IBM852: Self = Self(16);
    pub const MAC_CENTRAL_EUROPE: Self = Self(22);

    pub fn encoding(self) -> &'static Encoding {
        ENCODINGS[self.0]
    }

    pub fn is_like_latin_1(self) -> bool {
        LIKE_LATIN_1 >> self.0 & 1 == 1
    }

    pub fn has_box_drawing(self) -> bool {
        OF_DOS >> self.0 & 1 == 1
    }

    pub fn is_of_signs(self) -> bool {
        OF_SIGNS >> self.0 & 1 == 1
    }

    pub fn is_cyrillic(self) -> bool {
        CYRILLIC >> self.0 & 1 == 1
    }

    pub fn is_double_byte(self) -> bool {
        self.0 >= SINGLE_BYTE
    }

    /// Returns the byte of a character in a single-byte reading. An unmapped byte is the control character with its
    /// number, because programs keep such bytes.
    pub fn byte_of(self, character: char) -> Option<u8> {
        Some(row_of(character).bytes[self.0]).filter(|&byte| byte > 0)
    }
}

/// A character in the single-byte readings. `first` and `second` are sets of readings in which it may be the first or
/// the second character of a run. `bytes` has its byte in each reading, or 0.
#[derive(Clone, Copy, Default)]
struct Row {
    first: u32,
    second: u32,
    bytes: [u8; SINGLE_BYTE],
}

/// The rows of characters of the Basic Multilingual Plane, by their index; the first row is empty.
static ROWS: LazyLock<(Vec<u16>, Vec<Row>)> = LazyLock::new(|| {
    let (mut indices, mut rows) = (vec![0; 1 << 16], vec![Row::default()]);
    for number in 0..SINGLE_BYTE {
        let pairs = (0x80..=0xFF).map(|byte| (byte, None));
        each_character(number, pairs, |lead, _, own| {
            let own = own.unwrap_or(char::from(lead)) as usize;
            if indices[own] == 0 {
                indices[own] = rows.len() as u16;
                rows.push(Row::default());
            }
            let row = &mut rows[usize::from(indices[own])];
            row.first |= u32::from(is_lead(lead)) << number;
            row.second |= u32::from(is_tail(lead)) << number;
            row.bytes[number] = lead;
        });
    }
    (indices, rows)
});

fn row_of(character: char) -> &'static Row {
    let (indices, rows) = &*ROWS;
    let index = indices.get(character as usize).copied().unwrap_or(0);
    &rows[usize::from(index)]
}

/// The least character with which a run may begin in a double-byte reading.
const FIRST_OF_PAIRS: char = '\u{2170}';

/// The characters of the Basic Multilingual Plane in the double-byte readings. For each reading, a set has three bits:
/// the run may begin with a UTF-8 sequence of two, three or four bytes. The first set is for the character as the first
/// one of a run, the second set as the second one.
///
/// Computing the sets takes most of a millisecond, and most text does not need them.
static PAIRS: LazyLock<Vec<(u16, u16)>> = LazyLock::new(|| {
    let mut sets = vec![(0, 0); 1 << 16];
    for number in SINGLE_BYTE..READINGS {
        let single = (0x80..=0xFF).map(|byte| (byte, None));
        let trails = |lead| (0x40..=0xFE).map(move |trail| (lead, Some(trail)));
        let double = (0x81..=0xFE).flat_map(trails);
        // Two in five byte pairs cannot occur in a UTF-8 sequence.
        let double = double.filter(|&(lead, trail)| of_double_byte(lead, trail) != (0, 0));
        each_character(number, single.chain(double), |lead, trail, own| {
            if let Some(set) = own.and_then(|own| sets.get_mut(own as usize)) {
                let (first, second) = of_double_byte(lead, trail);
                let shift = 3 * (number - SINGLE_BYTE);
                set.0 |= first << shift;
                set.1 |= second << shift;
            }
        });
    }
    sets
});

/// Calls `each` with every byte or pair of bytes, and the character that it is in a reading, if any.
fn each_character(
    number: usize,
    pairs: impl Iterator<Item = (u8, Option<u8>)> + Clone,
    mut each: impl FnMut(u8, Option<u8>, Option<char>),
) {
    // One call decodes all 14,000 pairs, each on a line of its own.
    let line = |(lead, trail): (u8, Option<u8>)| [Some(lead), trail, Some(b'\n')];
    let lines: Vec<u8> = pairs.clone().flat_map(line).flatten().collect();
    let decoded = ENCODINGS[number].with(BomHandling::Keep).decode(&lines);
    let mut characters = decoded.text.chars();
    for (lead, trail) in pairs {
        let mut line = characters.by_ref().take_while(|&c| c != '\n');
        let (first, more) = (line.next(), line.count());
        each(lead, trail, first.filter(|&c| c != '\u{FFFD}' && more == 0));
    }
}

/// True if a byte is the lead byte of a non-ASCII UTF-8 sequence.
pub fn is_lead(byte: u8) -> bool {
    matches!(byte, 0xC2..=0xF4)
}

/// True if a byte is a trail byte of UTF-8.
pub fn is_tail(byte: u8) -> bool {
    matches!(byte, 0x80..=0xBF)
}

/// Returns the lengths of UTF-8 sequences that the bytes of a character may begin, with a bit for each of two, three
/// and four. The second set is for the second character of a run: the lengths of the sequence begun by the first one.
fn of_double_byte(first: u8, second: Option<u8>) -> (u16, u16) {
    let Some(second) = second else {
        // Half-width katakana, and U+20AC.
        return (
            if is_lead(first) { 0b111 } else { 0 },
            if is_tail(first) { 0b111 } else { 0 },
        );
    };
    let begins = match first {
        _ if !is_tail(second) => 0,
        0xC2..=0xDF => 0b001,
        0xE0..=0xEF => 0b010,
        0xF0..=0xF4 => 0b100,
        _ => 0,
    };
    let goes_on = match (first, second) {
        // Either the bytes begin another sequence, or the first one ends a sequence, or both do.
        _ if is_lead(first) && is_tail(second) => 0b001,
        _ if is_tail(first) && (is_lead(second) || second < 0x80) => 0b010,
        _ if is_tail(first) && is_tail(second) => 0b100,
        _ => 0,
    };
    (begins, goes_on)
}

/// Returns the readings in which every run of a line may be UTF-8, apart from typographic signs that a program has
/// inserted. The second set has the readings in which some run may be UTF-8.
pub fn possible(line: &str, looks_within: bool) -> (u32, u32) {
    let (mut of_all, mut of_any, mut rest) = (u32::MAX, 0, line);
    loop {
        rest = &rest[mem::ascii_prefix_len(rest.as_bytes())..];
        if rest.is_empty() || !looks_within && of_all == 0 {
            let of_some = if looks_within {
                of_any & !OF_LETTERS
            } else {
                0
            };
            return (of_all & of_any, of_some);
        }
        let end = rest.bytes().position(|byte| byte.is_ascii());
        let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
        let of_run = of_start(run);
        of_any |= of_run;
        if !run.chars().all(is_typographic) {
            of_all &= of_run;
        }
        if looks_within {
            // `voilÃ  le`, whose U+00A0 has become a blank.
            of_any |= u32::from(run.ends_with('Ã') && after.starts_with(' '));
            let mut from = run;
            while let Some(first) = from.chars().next() {
                of_any |= of_start(from) & ((1 << SINGLE_BYTE) - 1);
                from = &from[first.len_utf8()..];
            }
        }
        rest = after;
    }
}

/// The first two bytes of UTF-8's byte order mark in GBK, EUC-KR and Big5. The third byte may be lost.
const LOST_MARKS: [char; 3] = ['锘', '癤', '嚜'];

/// True if a line whose first run begins with `text` cannot have been encoded twice. That holds for most lines.
pub fn is_excluded(text: &str) -> bool {
    of_start(text) == 0 && !text.starts_with(is_typographic) && !text.starts_with(LOST_MARKS)
}

/// Returns the readings in which a UTF-8 sequence may begin with `text`.
fn of_start(text: &str) -> u32 {
    let mut characters = text.chars();
    let Some(first) = characters.next() else {
        return 0;
    };
    let of_first = row_of(first).first;
    if of_first == 0 && first < FIRST_OF_PAIRS {
        return 0;
    }
    let second = characters.next().filter(|c| !c.is_ascii());
    let found = of_first & second.map_or(0, |second| row_of(second).second);
    if first < FIRST_OF_PAIRS {
        return found;
    }
    let set = |character: char| PAIRS.get(character as usize).copied().unwrap_or_default();
    // A run of one double-byte character, or the first two characters of a run.
    let both = set(first).0 & second.map_or(0b001_001_001_001, |second| set(second).1);
    (SINGLE_BYTE..READINGS).fold(found, |found, number| {
        let is_found = both >> (3 * (number - SINGLE_BYTE)) & 0b111 != 0;
        found | u32::from(is_found) << number
    })
}

/// The number of bytes that are searched for signs at once.
pub const CHUNK: usize = 256;

/// The signs that a block of text may contain lines to repair. Most correct text has no such sign.
#[derive(Clone, Copy, Default)]
pub struct Signs {
    /// True if a line of correct text also has a pair of characters that is typical of UTF-8 read in another encoding.
    pub is_mixed: bool,
    /// True if the text contains a C1 control character, or three consecutive Latin-1 letters.
    pub is_misread: bool,
}

impl Signs {
    /// True if no sign was found.
    pub fn is_none(self) -> bool {
        !self.is_mixed && !self.is_misread
    }

    /// Looks for signs that begin in each [`CHUNK`] of a block.
    pub fn of_chunks(block: &[u8]) -> Vec<Self> {
        let starts = (0..block.len()).step_by(CHUNK);
        let signs = starts.map(|from| match block.get(from..from + CHUNK + 5) {
            Some(chunk) => Self::of_long(chunk),
            None => Self::of(&block[from..]),
        });
        signs.collect()
    }

    /// Searches UTF-8 text for signs, in a form that the compiler vectorizes.
    pub fn of(text: &[u8]) -> Self {
        // The last bytes are searched with zeros after them.
        let mut end = [0; 32];
        let from = text.len().saturating_sub(16);
        end[..text.len() - from].copy_from_slice(&text[from..]);
        let (all, last) = (Self::of_long(text), Self::of_long(&end));
        Self {
            is_mixed: all.is_mixed || last.is_mixed,
            is_misread: all.is_misread || last.is_misread,
        }
    }

    /// Searches all positions except the last five bytes.
    fn of_long(text: &[u8]) -> Self {
        let (mut mixed, mut misread) = (0u8, 0u8);
        let length = text.len().saturating_sub(5);
        let at = |from: usize| &text[from.min(text.len())..][..length];
        let (a, b, c, d, e) = (at(0), at(1), at(2), at(3), at(4));
        for i in 0..length {
            let (a, b, c, d, e) = (a[i], b[i], c[i], d[i], e[i]);
            // The second character of a misread pair is a typographic sign, and rarely a letter.
            let sign = u8::from(c == 0xC2)
                | u8::from(c == 0xE2)
                | u8::from(c == 0xC5)
                | u8::from(c == 0xC4)
                | u8::from(c == 0xCB)
                | u8::from(c == 0xC6)
                | (u8::from(c == 0xCE) & u8::from(d < 0x91));
            let rare = u8::from(c == 0xC2)
                | u8::from(c == 0xE2)
                | u8::from(c == 0xD2)
                | (u8::from(c == 0xD0) & u8::from(d < 0x90))
                | (u8::from(c == 0xD1) & u8::from(d >= 0x90));
            let latin = u8::from(a == 0xC3)
                | u8::from(a == 0xC4)
                | u8::from(a == 0xC5)
                | u8::from(a == 0xCE)
                | u8::from(a == 0xCF);
            let root = u8::from(a == 0xE2)
                & (u8::from(b == 0x88) | u8::from(b == 0x94))
                & u8::from(d >= 0xC2);
            let blank = u8::from(a == 0xC3) & u8::from(b == 0x83) & u8::from(c == b' ');
            mixed |= blank | (latin & sign) | (u8::from(a == 0xD0) & rare) | root;
            misread |= (u8::from(a == 0xC2) & u8::from(b < 0xA0))
                | (u8::from(a == 0xC3) & u8::from(c == 0xC3) & u8::from(e == 0xC3));
        }
        Self {
            is_mixed: mixed > 0,
            is_misread: misread > 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The characters below [`FIRST_OF_PAIRS`] need no table of pairs.
    #[test]
    fn no_run_of_pairs_begins_before_the_first_character() {
        let first = PAIRS.iter().position(|set| set.0 != 0);
        assert_eq!(first, Some(FIRST_OF_PAIRS as usize));
        assert_eq!(of_start("锘縰") >> SINGLE_BYTE & 1, 1);
    }
}
