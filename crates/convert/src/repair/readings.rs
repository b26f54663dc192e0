//! The encodings in which UTF-8 is read by mistake, and the bytes of a character in each.
//!
//! A quick look at the first two characters of a run tells the readings in which they are the bytes that UTF-8 begins with.

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

/// The number of readings of one byte a character, which come first.
pub const SINGLE_BYTE: usize = 25;

/// The readings, the frequent ones first.
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

/// The numbers of the readings that differ from ISO-8859-1 in few characters.
const LIKE_LATIN_1: u32 = bits(&[0, 6, 11, 12, 14, 19]);

/// The numbers of the readings with box-drawing characters: code pages of DOS.
const OF_DOS: u32 = bits(&[3, 10, 15, 16]);

/// The numbers of the readings in which UTF-8 begins with signs: code pages of DOS, and those of Macs.
const OF_SIGNS: u32 = OF_DOS | bits(&[2, 21, 22, 23, 24]);

/// The numbers of the readings in which the rest of a sequence may be letters of a language: they are not looked for within
/// good text.
const OF_LETTERS: u32 = bits(&[10, 18, 20, 21]);

/// The numbers of the readings whose letters are Cyrillic.
const CYRILLIC: u32 = bits(&[1, 9, 10, 21]);

const fn bits(numbers: &[usize]) -> u32 {
    let (mut bits, mut at) = (0, 0);
    while at < numbers.len() {
        bits |= 1 << numbers[at];
        at += 1;
    }
    bits
}

/// The number of a reading.
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

    /// The byte of a character in a reading of one byte a character. A byte without a character is the control of its
    /// number, as programs keep it.
    pub fn byte_of(self, character: char) -> Option<u8> {
        let row = *TABLES.rows.get(character as usize)?;
        Some(TABLES.bytes[usize::from(row)][self.0]).filter(|&byte| byte > 0)
    }
}

/// Tables of the characters of the Basic Multilingual Plane.
struct Tables {
    /// A bit for each reading: in the first set if a run may begin with the character, and in the second if it may be the
    /// second one of a run. Readings of two bytes a character have three bits, by the length of the sequence of UTF-8 with
    /// which a run begins: two, three or four bytes.
    sets: Vec<(u64, u64)>,
    /// The row of each character in `bytes`; the first row is empty.
    rows: Vec<u16>,
    /// The bytes of a character in the readings of one byte a character, or 0.
    bytes: Vec<[u8; SINGLE_BYTE]>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables {
        sets: vec![(0, 0); 1 << 16],
        rows: vec![0; 1 << 16],
        bytes: vec![[0; SINGLE_BYTE]],
    };
    for number in 0..READINGS {
        let single = (0x80..=0xFF).map(|byte| (byte, None));
        let trails = |lead| (0x40..=0xFE).map(move |trail| (lead, Some(trail)));
        // Two in five pairs are in no sequence of UTF-8.
        let double = (0x81..=0xFE)
            .flat_map(trails)
            .filter(|&(lead, trail)| of_double_byte(lead, trail) != (0, 0));
        let pairs: Vec<(u8, Option<u8>)> = match number < SINGLE_BYTE {
            true => single.collect(),
            false => single.chain(double).collect(),
        };
        // All at once, as there are 14,000 of two bytes: each is a line.
        let mut lines = Vec::with_capacity(3 * pairs.len());
        for &(lead, trail) in &pairs {
            lines.push(lead);
            lines.extend(trail);
            lines.push(b'\n');
        }
        let decoded = ENCODINGS[number].decode_with(&lines, BomHandling::Keep);
        for (&(lead, trail), line) in pairs.iter().zip(decoded.text.lines()) {
            tables.note(number, lead, trail, line);
        }
    }
    tables
});

impl Tables {
    /// Notes the character of one or two bytes.
    fn note(&mut self, number: usize, lead: u8, trail: Option<u8>, text: &str) {
        let mut characters = text.chars();
        let own = match (characters.next(), characters.next()) {
            (Some(own), None) if own != '\u{FFFD}' => own,
            _ if number < SINGLE_BYTE => char::from(lead),
            _ => return,
        };
        let Some(set) = self.sets.get_mut(own as usize) else {
            return;
        };
        if number >= SINGLE_BYTE {
            let (first, second) = of_double_byte(lead, trail);
            let shift = SINGLE_BYTE + 3 * (number - SINGLE_BYTE);
            set.0 |= first << shift;
            set.1 |= second << shift;
            return;
        }
        set.0 |= u64::from(is_lead(lead)) << number;
        set.1 |= u64::from(is_tail(lead)) << number;
        let row = &mut self.rows[own as usize];
        if *row == 0 {
            *row = u16::try_from(self.bytes.len()).unwrap_or(0);
            self.bytes.push([0; SINGLE_BYTE]);
        }
        self.bytes[usize::from(*row)][number] = lead;
    }
}

/// True if a byte begins a sequence of UTF-8 beyond ASCII.
pub fn is_lead(byte: u8) -> bool {
    matches!(byte, 0xC2..=0xF4)
}

/// True if a byte continues a sequence of UTF-8.
pub fn is_tail(byte: u8) -> bool {
    matches!(byte, 0x80..=0xBF)
}

/// Returns the lengths, a bit for each of two, three and four, of sequences that may begin with the bytes of a
/// character. The second set has those that the first character may begin and this one may continue.
fn of_double_byte(first: u8, second: Option<u8>) -> (u64, u64) {
    let Some(second) = second else {
        // Katakana of half the width, and U+20AC.
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
        // Another sequence, the end of one and another one or ASCII, or the end.
        _ if is_lead(first) && is_tail(second) => 0b001,
        _ if is_tail(first) && (is_lead(second) || second < 0x80) => 0b010,
        _ if is_tail(first) && is_tail(second) => 0b100,
        _ => 0,
    };
    (begins, goes_on)
}

/// The readings of a line: those in which each run may be UTF-8, signs that somebody has added aside, and those in which
/// some run may be.
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

/// The first two bytes of a byte order mark in GBK, EUC-KR and Big5. The third one may be lost.
const LOST_MARKS: [char; 3] = ['锘', '癤', '嚜'];

/// True if no line that was encoded twice has a first run that begins with `text`, as for most lines.
pub fn is_excluded(text: &str) -> bool {
    of_start(text) == 0 && !text.starts_with(is_typographic) && !text.starts_with(LOST_MARKS)
}

/// The readings in which UTF-8 may begin with `text`.
fn of_start(text: &str) -> u32 {
    let set = |character: char| TABLES.sets.get(character as usize);
    let mut characters = text.chars();
    let first = characters.next().and_then(set).map_or(0, |sets| sets.0);
    if first == 0 {
        return 0;
    }
    let second = match characters.next().filter(|c| !c.is_ascii()) {
        // A single character of two bytes.
        None => 0b001_001_001_001 << SINGLE_BYTE,
        Some(second) => set(second).map_or(0, |sets| sets.1),
    };
    let both = first & second;
    let mut found = both as u32 & ((1 << SINGLE_BYTE) - 1);
    for number in SINGLE_BYTE..READINGS {
        let shift = SINGLE_BYTE + 3 * (number - SINGLE_BYTE);
        found |= u32::from(both >> shift & 0b111 != 0) << number;
    }
    found
}

/// The kinds of text in a block that a first look tells from most clean text.
#[derive(Clone, Copy, Default)]
pub struct Signs {
    /// A pair as of UTF-8 that was read in another encoding, within a line of good text.
    pub is_mixed: bool,
    /// A control, or three letters of Latin-1 in a row.
    pub is_misread: bool,
}

impl Signs {
    /// True if there is neither sign.
    pub fn is_none(self) -> bool {
        !self.is_mixed && !self.is_misread
    }

    /// Looks for signs in UTF-8, at the speed of vectors.
    pub fn of(text: &[u8]) -> Self {
        // The last characters, and zeros after them.
        let mut end = [0; 32];
        let from = text.len().saturating_sub(16);
        end[..text.len() - from].copy_from_slice(&text[from..]);
        let (all, last) = (Self::of_long(text), Self::of_long(&end));
        Self {
            is_mixed: all.is_mixed || last.is_mixed,
            is_misread: all.is_misread || last.is_misread,
        }
    }

    /// Looks at all but the last five bytes.
    fn of_long(text: &[u8]) -> Self {
        let (mut mixed, mut misread) = (0u8, 0u8);
        let length = text.len().saturating_sub(5);
        let at = |from: usize| &text[from.min(text.len())..][..length];
        let (a, b, c, d, e) = (at(0), at(1), at(2), at(3), at(4));
        for i in 0..length {
            let (a, b, c, d, e) = (a[i], b[i], c[i], d[i], e[i]);
            // The tail of a pair is a sign, and rarely a letter.
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
