//! Odd input, shared by tests, proofs and fuzz targets: bytes and text that are difficult for decoders and encoders.

use crate::Random;

/// Bytes at which some encoding's rules change: limits of ranges, lead bytes, trail bytes, 0x1B, and their neighbours.
pub const EDGE_BYTES: [u8; 58] = [
    0x00, 0x0E, 0x0F, 0x1B, 0x20, 0x21, 0x22, 0x24, 0x28, 0x2F, 0x30, 0x39, 0x3A, 0x3F, 0x40, 0x41,
    0x42, 0x49, 0x4A, 0x5C, 0x5F, 0x60, 0x61, 0x7E, 0x7F, 0x80, 0x81, 0x84, 0x8E, 0x8F, 0x90, 0x9F,
    0xA0, 0xA1, 0xBF, 0xC0, 0xC1, 0xC2, 0xC6, 0xC7, 0xC9, 0xD7, 0xD8, 0xDB, 0xDC, 0xDF, 0xE0, 0xED,
    0xEF, 0xF0, 0xF4, 0xF5, 0xF7, 0xFC, 0xFD, 0xFE, 0xFF, 0x87,
];

/// The escape sequences of ISO-2022-JP.
pub const ESCAPES: [&[u8]; 5] = [b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B"];

/// Multi-byte sequences that some decoder treats specially: characters, truncated characters, and whole, broken or unknown
/// escape sequences.
pub const SEQUENCES: [&[u8]; 51] = [
    b"\x1B(B",
    b"\x1B(J",
    b"\x1B(I",
    b"\x1B$@",
    b"\x1B$B",
    b"\x1B$(D",
    b"\x1B$A",
    b"\x1B\x1B",
    b"\x1B$",
    b"\x1B(",
    b"0!",
    b"0!0\"",
    b"\x81\x30",
    b"\x81\x30\x81",
    b"\x81\x30\x81\x30",
    b"\x81\x35\xF4\x37",
    b"\x84\x31\xA4\x37",
    b"\x84\x31\xA4\x39",
    b"\x90\x30\x81\x30",
    b"\xE3\x32\x9A\x36",
    b"\xFE\x39\xFE\x39",
    b"\x88\x62",
    b"\x88\xA7",
    b"\x8E\xA1",
    b"\x8E\xB1",
    b"\x8F\xA1",
    b"\x8F\xA2",
    b"\x8F\xA2\xAF",
    b"\xA1\xA1",
    b"\xEF\xBB\xBF",
    b"\xEF\xBB",
    b"\xEF\xBBA",
    b"\xFE\xFF",
    b"\xFF\xFE",
    b"\xC3\xA9",
    b"\xE3\x81",
    b"\xE3\x81\x82",
    b"\xED\xA0\x80",
    b"\xF0\x80",
    b"\xF0\x9F\x92",
    b"\xF0\x9F\x92\xA9",
    b"\xF4\x90",
    b"\xF4\x90\x80\x80",
    b"\xD8\x3D",
    b"\x3D\xD8",
    b"\xD8\x3D\xDC\xA9",
    b"\x3D\xD8\xA9\xDC",
    b"\xD8\x00",
    b"\x00\xD8",
    b"\xDC\x00",
    b"\x00\xDC",
];

/// Starts of a stream: empty, byte order marks and their prefixes.
pub const STARTS: [&[u8]; 11] = [
    b"",
    b"\xEF",
    b"\xEF\xBB",
    b"\xEF\xBB\xBF",
    b"\xEF\xBBA",
    b"\xFE",
    b"\xFE\xFF",
    b"\xFF",
    b"\xFF\xFE",
    b"a",
    b"\0",
];

/// Scalar values that some encoder treats specially, and limits of ranges.
pub const EDGE_SCALARS: [char; 36] = [
    '\0',
    '\n',
    '\u{E}',
    '\u{F}',
    '\u{1B}',
    '\\',
    '~',
    '\u{7F}',
    '\u{80}',
    '\u{A0}',
    '¥',
    '\u{FF}',
    '\u{7FF}',
    '\u{800}',
    '‾',
    '€',
    '−',
    '═',
    '\u{D7FF}',
    '\u{E000}',
    '\u{E5E5}',
    '\u{E7C7}',
    '\u{E81E}',
    '\u{F780}',
    '\u{F7FF}',
    '\u{FEFF}',
    '～',
    '－',
    'ｱ',
    'ﾟ',
    '\u{FFFD}',
    '\u{FFFF}',
    '\u{10000}',
    '\u{2000B}',
    '💩',
    '\u{10FFFF}',
];

/// Words in the scripts of legacy encodings, and combinations that an encoder treats specially.
pub const WORDS: [&str; 25] = [
    "hello",
    " ",
    "\n",
    "<p class=\"x\">",
    "naïve",
    "œuvre€",
    "Ελλάδα",
    "Привет",
    "שלום",
    "ไทย",
    "漢字",
    "文字化け",
    "かな混じり",
    "ｶﾅ",
    "한국어",
    "汉语",
    "𠮷",
    "💩",
    "¥",
    "‾\\~",
    "\u{E5E5}",
    "\u{80}",
    "\u{FEFF}",
    "\u{F780}",
    "ÊÊ\u{304}",
];

impl Random {
    /// Returns about `length` bytes: ASCII, lead bytes with valid and invalid trail bytes, escapes, limits, noise.
    pub fn odd_bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(length + 64);
        while bytes.len() < length {
            match self.below(10) {
                0 => {
                    for _ in 0..self.below(70) {
                        bytes.push(self.ascii());
                    }
                }
                1 => bytes.push(self.byte()),
                2 => bytes.push(*self.pick(&EDGE_BYTES)),
                3 => bytes.extend([*self.pick(&EDGE_BYTES), *self.pick(&EDGE_BYTES)]),
                4 => bytes.extend_from_slice(self.pick::<&[u8]>(&SEQUENCES)),
                5 => bytes.extend([self.in_range(0x21, 0x7E), self.in_range(0x21, 0x7E)]),
                6 => bytes.extend([
                    self.in_range(0x81, 0xFE),
                    self.in_range(0x30, 0x39),
                    self.in_range(0x81, 0xFE),
                    self.in_range(0x30, 0x39),
                ]),
                7 => {
                    for _ in 0..self.below(40) {
                        bytes.extend([self.in_range(0xA1, 0xFE), self.in_range(0xA1, 0xFE)]);
                    }
                }
                _ => {
                    for _ in 0..self.below(12) {
                        bytes.extend([self.in_range(0x81, 0xFE), self.in_range(0x40, 0xFE)]);
                    }
                }
            }
        }
        bytes
    }

    /// Returns a random scalar value: from [`EDGE_SCALARS`], from ASCII, from the scripts of legacy encodings, or any.
    pub fn odd_scalar(&mut self) -> char {
        let (first, last) = match self.below(12) {
            0 => return *self.pick(&EDGE_SCALARS),
            1..=3 => (0x20, 0x7E),
            4 => (0x80, 0x24F),
            5 => (0x370, 0x6FF),
            6 => (0x2000, 0x2700),
            7 => (0x3000, 0x30FF),
            8 => (0x4E00, 0x9FA5),
            9 => (0xAC00, 0xD7A3),
            10 => (0xF780, 0xFFEF),
            _ => (0, 0x10FFFF),
        };
        let scalar = first + self.below(last - first + 1);
        char::from_u32(scalar as u32).unwrap_or('\u{E123}')
    }

    /// Returns text of `length` scalar values, in runs of random scalar values, of a repeated one, or of words.
    pub fn odd_text(&mut self, length: usize) -> String {
        let mut text = String::new();
        let mut left = length;
        while left > 0 {
            let run = (1 + self.below(20)).min(left);
            left -= run;
            match self.below(3) {
                0 => text.extend(std::iter::repeat_n(self.odd_scalar(), run)),
                1 => text.extend((0..run).map(|_| self.odd_scalar())),
                _ => {
                    let start = self.below(WORDS.len());
                    let words = WORDS[start..].iter().chain(&WORDS[..start]);
                    text.extend(words.flat_map(|word| word.chars()).cycle().take(run));
                }
            }
        }
        text
    }

    /// Returns UTF-16 text of `length` code units, with lone surrogates.
    pub fn odd_units(&mut self, length: usize) -> Vec<u16> {
        let mut units = Vec::with_capacity(length + 16);
        while units.len() < length {
            match self.below(8) {
                0 => units.push(0xD800 + self.below(0x800) as u16),
                1 => units.push(self.next() as u16),
                2 => units.extend(self.pick(&WORDS).encode_utf16()),
                _ => {
                    let scalar = self.odd_scalar();
                    units.extend_from_slice(scalar.encode_utf16(&mut [0; 2]));
                }
            }
        }
        units.truncate(length);
        units
    }
}
