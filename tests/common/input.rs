//! A seeded generator of odd input: bytes that provoke decoders, text that provokes encoders.

use mojika::Encoding;
use mojika_spec::Random;
use std::ops::{Deref, DerefMut};

/// The shared generator of numbers, and odd input made of them.
#[derive(Clone)]
pub struct Rng(Random);

impl Deref for Rng {
    type Target = Random;

    fn deref(&self) -> &Random {
        &self.0
    }
}

impl DerefMut for Rng {
    fn deref_mut(&mut self) -> &mut Random {
        &mut self.0
    }
}

impl Rng {
    /// A generator; seeds that differ give streams that differ.
    pub fn new(seed: u64) -> Self {
        Rng(Random::new(&[seed]))
    }

    /// About `len` bytes: ASCII runs, leads with trails good and bad, escapes, edges of ranges, noise.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        const EDGES: &[u8] = &[
            0x00, 0x0E, 0x0F, 0x1B, 0x20, 0x21, 0x24, 0x28, 0x2F, 0x30, 0x39, 0x3A, 0x3F, 0x40,
            0x41, 0x42, 0x49, 0x4A, 0x5C, 0x5F, 0x60, 0x7E, 0x7F, 0x80, 0x81, 0x8E, 0x8F, 0x9F,
            0xA0, 0xA1, 0xBF, 0xC0, 0xC1, 0xC2, 0xC6, 0xC9, 0xD7, 0xD8, 0xDB, 0xDC, 0xDF, 0xE0,
            0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFC, 0xFD, 0xFE, 0xFF,
        ];
        const SEQUENCES: &[&[u8]] = &[
            b"\x1B(B",
            b"\x1B(J",
            b"\x1B(I",
            b"\x1B$@",
            b"\x1B$B",
            b"\x1B$(D",
            b"\x1B\x1B",
            b"\x1B$",
            b"\x1B(",
            b"\x81\x30\x81\x30",
            b"\x84\x31\xA4\x39",
            b"\x90\x30\x81\x30",
            b"\xE3\x32\x9A\x36",
            b"\x81\x35\xF4\x37",
            b"\x81\x30\x81",
            b"\x81\x30",
            b"\x88\x62",
            b"\x88\xA7",
            b"\x8F\xA2\xAF",
            b"\x8E\xB1",
            b"\x8F\xA1",
            b"\xEF\xBB\xBF",
            b"\xEF\xBB",
            b"\xFE\xFF",
            b"\xFF\xFE",
            b"\xE3\x81\x82",
            b"\xF0\x9F\x92\xA9",
            b"\xF0\x9F\x92",
            b"\xED\xA0\x80",
            b"\xF4\x90\x80\x80",
            b"\xC3\xA9",
            b"\xD8\x3D\xDC\xA9",
            b"\x3D\xD8\xA9\xDC",
            b"\xD8\x00",
            b"\x00\xD8",
            b"\x00\xDC",
            b"0!0\"",
        ];
        let mut bytes = Vec::with_capacity(len + 64);
        while bytes.len() < len {
            match self.below(10) {
                0 => {
                    for _ in 0..self.below(70) {
                        bytes.push(self.in_range(0x20, 0x7E));
                    }
                }
                1 => bytes.push(self.next() as u8),
                2 => bytes.push(*self.pick(EDGES)),
                3 => bytes.extend_from_slice(&[*self.pick(EDGES), *self.pick(EDGES)]),
                4 => bytes.extend_from_slice(self.pick::<&[u8]>(SEQUENCES)),
                5 => {
                    bytes.extend_from_slice(&[self.in_range(0x21, 0x7E), self.in_range(0x21, 0x7E)])
                }
                6 => bytes.extend_from_slice(&[
                    self.in_range(0x81, 0xFE),
                    self.in_range(0x30, 0x39),
                    self.in_range(0x81, 0xFE),
                    self.in_range(0x30, 0x39),
                ]),
                7 => {
                    for _ in 0..self.below(40) {
                        bytes.extend_from_slice(&[
                            self.in_range(0xA1, 0xFE),
                            self.in_range(0xA1, 0xFE),
                        ]);
                    }
                }
                _ => {
                    for _ in 0..self.below(12) {
                        bytes.extend_from_slice(&[
                            self.in_range(0x81, 0xFE),
                            self.in_range(0x40, 0xFE),
                        ]);
                    }
                }
            }
        }
        bytes
    }

    /// A scalar value: of ASCII, of the scripts that legacy encodings have, or any.
    pub fn scalar(&mut self) -> char {
        const EDGES: &[char] = &[
            '\0',
            '\u{E}',
            '\u{F}',
            '\u{1B}',
            '\\',
            '~',
            '\u{7F}',
            '\u{80}',
            '¥',
            '\u{7FF}',
            '\u{800}',
            '‾',
            '€',
            '−',
            '\u{D7FF}',
            '\u{E000}',
            '\u{E5E5}',
            '\u{E7C7}',
            '\u{F780}',
            '\u{F7FF}',
            '\u{FEFF}',
            '～',
            'ｱ',
            'ﾟ',
            '\u{FFFD}',
            '\u{FFFF}',
            '\u{10000}',
            '\u{2000B}',
            '💩',
            '\u{10FFFF}',
        ];
        let (from, to) = match self.below(12) {
            0 => return *self.pick(EDGES),
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
        let scalar = from + self.below(to - from + 1) as u32 as usize;
        char::from_u32(scalar as u32).unwrap_or('\u{E123}')
    }

    /// Text of `len` scalar values, in runs of a script now and then.
    pub fn text(&mut self, len: usize) -> String {
        let mut text = String::new();
        let mut left = len;
        while left > 0 {
            let run = (1 + self.below(20)).min(left);
            left -= run;
            let first = self.scalar();
            let steady = self.below(2) == 0;
            for _ in 0..run {
                text.push(if steady { first } else { self.scalar() });
            }
        }
        text
    }

    /// UTF-16 of `len` code units, with lone surrogates.
    pub fn units(&mut self, len: usize) -> Vec<u16> {
        let mut units = Vec::with_capacity(len);
        while units.len() < len {
            match self.below(8) {
                0 => units.push(0xD800 + self.below(0x800) as u16),
                1 => units.push(self.next() as u16),
                _ => {
                    let scalar = self.scalar();
                    units.extend_from_slice(scalar.encode_utf16(&mut [0; 2]));
                }
            }
        }
        units.truncate(len);
        units
    }
}

/// Scripts by the first code point and how many there are, of which most encodings have one beside ASCII.
pub const SCRIPTS: [(u32, usize); 15] = [
    (0x20, 95),
    (0x61, 26),
    (0xE0, 32),
    (0x100, 128),
    (0x391, 25),
    (0x410, 64),
    (0x5D0, 27),
    (0x627, 36),
    (0x905, 50),
    (0xE01, 58),
    (0x3041, 80),
    (0x4E00, 20_902),
    (0xAC00, 11_172),
    (0xF780, 128),
    (0x1_F600, 64),
];

/// The encodings whose codecs differ in kind: all of those with more than one byte a character, and single-byte ones
/// with and without gaps, of two- and three-byte characters in UTF-8.
pub fn representatives() -> Vec<&'static Encoding> {
    let chosen = [
        mojika::WINDOWS_1252,
        mojika::WINDOWS_874,
        mojika::ISO_8859_5,
        mojika::ISO_8859_6,
        mojika::WINDOWS_1253,
    ];
    let differs = |encoding: &&'static Encoding| {
        !encoding.is_single_byte()
            || *encoding == mojika::X_USER_DEFINED
            || chosen.contains(encoding)
    };
    Encoding::all().iter().copied().filter(differs).collect()
}

/// Inputs for a decoder: well-formed, malformed, cut off, with byte order marks.
///
/// The shared ones go to every encoding, as what is fine in one is an oddity in another.
pub fn byte_inputs() -> Vec<&'static [u8]> {
    vec![
        b"",
        b"a",
        b"\xFF",
        b"\x81",
        b"ab\x95\xB6\x8E\x9A\x89\xBBcd\x81",
        b"\x81\x30\x81\x30\x90\x30\x81\x30a\x81\x30\x81a",
        b"\x81\x30\x81\xFF\x81\x30\xFF\x81\x41\x80\xFF\x81",
        b"\xA1\xA1\xB0\xA1\x8E\xB1\x8F\xA2\xAF\x8F\xA2a\x8F",
        b"a\x88\x62\x88\x64\x88\xA3\x88\xA5\x87\x40b\x88a\xFE\xFE",
        b"a\x1B$B0!F|\x1B(J\\~\x1B(I12\x1B(Bz",
        b"\x1B$B0\x1B(B\x1B(J\x1B$\x1B(\x0E\x1Ba\x1B(",
        b"\x1B$B!!0\xFF\x80\x0F0a0!\x1B$",
        b"\xE3\x81\x82\xF0\x9F\x92\xA9\xED\xA0\x80\xF4\x90\xC0\xE3\x81",
        b"\xF0\x9F\x92a\xF0\x80\xC3\xA9\xE3\x81\xFF\xF0\x9F",
        b"\xEF\xBB\xBFa\xEF\xBB\xBF\xC3\xA9\xFF",
        b"\xFE\xFF\0a\xD8\x3D\xDC\xA9\xDC\0\xD8\0\0b\xD8\0",
        b"\xFF\xFEa\0\x3D\xD8\xA9\xDC\0\xDC\0\xD8b\0\0\xD8\x7F",
        b"\xEF\xBB",
        b"\xEF\xBBa\xEF",
        b"\xFEab",
        b"\xFF\xFF\xFE",
        b"\xEF\xEF\xBB\xBF\xFE",
    ]
}

/// Texts for an encoder.
pub fn text_inputs() -> Vec<&'static str> {
    vec![
        "",
        "a",
        "é",
        "💩",
        "ab文字化cd¥‾z",
        "\u{E}文\u{F}\u{1B}¥\u{1B}a",
        "αaβ¥γ‾δ\\~",
        "ｱｶﾞ−～\u{E5E5}\u{E7C7}€",
        "한글 漢字 \u{20000}\u{2000B}\u{10FFFF}",
        "Привет, \u{F780}\u{F7FF} ท",
        "\u{80}\u{7FF}\u{800}\u{FFFF}\u{FFFD}\u{FEFF}",
        "a💩b\u{7FF}文\u{7FF}¥💩",
    ]
}
