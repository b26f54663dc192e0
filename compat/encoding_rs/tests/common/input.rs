//! Input for both crates: what real text has, what nearly is text, and noise, from a seed.

/// The names of all encodings.
pub fn names() -> impl Iterator<Item = &'static str> {
    mojika_names().into_iter()
}

fn mojika_names() -> Vec<&'static str> {
    mojika::Encoding::all()
        .iter()
        .map(|encoding| encoding.name())
        .collect()
}

/// Encodings of which no two have the same machine, and two single-byte ones, of which one has unmapped bytes.
pub const REPRESENTATIVES: [&str; 13] = [
    "UTF-8",
    "windows-1252",
    "windows-1255",
    "x-user-defined",
    "GBK",
    "gb18030",
    "Big5",
    "EUC-JP",
    "ISO-2022-JP",
    "Shift_JIS",
    "EUC-KR",
    "UTF-16BE",
    "UTF-16LE",
];

/// A small generator of numbers (xorshift).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }

    /// Text of words in many scripts.
    pub fn text(&mut self, words: usize) -> String {
        const WORDS: [&str; 24] = [
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
        (0..words).map(|_| self.pick(&WORDS)).collect()
    }

    /// UTF-16 with lone surrogates among text.
    pub fn utf16(&mut self, words: usize) -> Vec<u16> {
        let mut units = Vec::new();
        for _ in 0..words {
            match self.below(4) {
                0 => units.push(0xD800 + self.below(0x800) as u16),
                1 => units.push(0xD83D),
                _ => units.extend(self.text(1).encode_utf16()),
            }
        }
        units
    }
}

/// Pieces that decoders stumble over.
pub const PIECES: [&[u8]; 46] = [
    b"a",
    b"ab",
    b"\0",
    b"0",
    b"\"",
    b"\x0E",
    b"\x1B",
    b"\x1B$",
    b"\x1B$B",
    b"\x1B(B",
    b"\x1B(J",
    b"\x1B(I",
    b"\x1B(",
    b"\x1B\x1B",
    b"$",
    b"(",
    b"!",
    b"0!",
    b"\x7F",
    b"\x80",
    b"\x81",
    b"\x81\x30",
    b"\x81\x30\x81",
    b"\x81\x30\x81\x30",
    b"\x90\x30\x81\x30",
    b"\xFE\x39\xFE\x39",
    b"\x84\x31\xA4\x37",
    b"\x88\x62",
    b"\x8E",
    b"\x8E\xA1",
    b"\x8F",
    b"\x8F\xA2",
    b"\x8F\xA2\xAF",
    b"\xA1",
    b"\xA1\xA1",
    b"\xC2",
    b"\xE3\x81",
    b"\xE3\x81\x82",
    b"\xF0\x9F\x92",
    b"\xED\xA0\x80",
    b"\xEF",
    b"\xEF\xBB",
    b"\xFE",
    b"\xFF",
    b"\xD8\x3D",
    b"\x3D\xD8",
];

/// Encodings' byte order marks, what nearly is one, and what may follow.
pub const MARKS: [&[u8]; 9] = [
    b"",
    b"\xEF",
    b"\xEF\xBB",
    b"\xEF\xBB\xBF",
    b"\xFE",
    b"\xFE\xFF",
    b"\xFF",
    b"\xFF\xFE",
    b"\xEF\xBBA",
];

/// A stream for an encoding: text of its own, broken in places, pieces and noise.
pub fn stream(rng: &mut Rng, name: &str, parts: usize) -> Vec<u8> {
    let encoding = published::Encoding::for_label(name.as_bytes()).unwrap_or(published::UTF_8);
    let mut bytes = Vec::new();
    for _ in 0..parts {
        match rng.below(8) {
            0 => {
                let len = rng.below(4);
                bytes.extend(rng.bytes(len));
            }
            1..=3 => bytes.extend_from_slice(rng.pick(&PIECES)),
            _ => {
                let text = rng.text(1);
                match name {
                    "UTF-16BE" => bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
                    "UTF-16LE" => bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
                    _ => bytes.extend_from_slice(&encoding.encode(&text).0),
                }
            }
        }
    }
    bytes
}
