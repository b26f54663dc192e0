//! Encodings that consist of ASCII bytes: ISO 2022 by its escape sequences, HZ-GB-2312 (RFC 1843) and UTF-7 (RFC 2152).
//!
//! The sequences of ISO 2022 are found anywhere in a stream of ASCII. The designated character sets identify the
//! encoding. HZ and UTF-7 are checked in the first 64 KB, because their marks also occur in other text.

use super::SAMPLE_LENGTH;
use super::units::Reading;
use alloc::vec::Vec;
use memchr::{memchr, memchr2};
use mojika::mem;

/// Japanese text in ISO-2022-JP begins. The sequences that were seen are a bit set.
const JP: u16 = 1;
/// Japanese text ends. Without [`JP`], the sequence ends the text of a truncated document.
const END: u16 = 1 << 1;
const JP_1: u16 = 1 << 2;
const JP_2: u16 = 1 << 3;
const JP_3: u16 = 1 << 4;
const JP_2004: u16 = 1 << 5;
const KR: u16 = 1 << 6;
const CN: u16 = 1 << 7;
const CN_EXT: u16 = 1 << 8;
/// The single shifts of ISO-2022-CN and ISO-2022-JP-2.
const SHIFT: u16 = 1 << 9;
/// A sequence of a terminal, or a sequence that belongs to no encoding.
const OTHER: u16 = 1 << 10;
const JAPANESE: u16 = JP | END | JP_1 | JP_2 | JP_3 | JP_2004;

const ESC: u8 = 0x1B;

/// The sequences, without ESC. None is the beginning of another.
const SEQUENCES: [(&[u8], u16); 25] = [
    (b"$@", JP),
    (b"$B", JP),
    (b"(I", JP),
    (b"(B", END),
    (b"(J", END),
    (b"$(D", JP_1),
    (b"$A", JP_2),
    (b"$(C", JP_2),
    (b".A", JP_2),
    (b".F", JP_2),
    (b"$(O", JP_3),
    (b"$(P", JP_2004),
    (b"$(Q", JP_2004),
    (b"$)C", KR),
    (b"$)A", CN),
    (b"$)G", CN),
    (b"$*H", CN),
    (b"$)E", CN_EXT),
    (b"$+I", CN_EXT),
    (b"$+J", CN_EXT),
    (b"$+K", CN_EXT),
    (b"$+L", CN_EXT),
    (b"$+M", CN_EXT),
    (b"N", SHIFT),
    (b"O", SHIFT),
];

/// The sequences that show an encoding, its other sequences, its name and its language.
const NAMED: [(u16, u16, &str, &str); 7] = [
    (KR, 0, "ISO-2022-KR", "ko"),
    (CN_EXT, CN, "ISO-2022-CN-EXT", "zh"),
    (CN, 0, "ISO-2022-CN", "zh"),
    (JP_2004, JAPANESE, "ISO-2022-JP-2004", "ja"),
    (JP_3, JAPANESE, "ISO-2022-JP-3", "ja"),
    (JP_2, JAPANESE, "ISO-2022-JP-2", "ja"),
    (JP_1, JAPANESE, "ISO-2022-JP-1", "ja"),
];

/// The name of an encoding, and its language, if it has only one.
type Named = (&'static str, Option<&'static str>);

/// The evidence in a stream of ASCII, independent of chunks.
#[derive(Clone, Default)]
pub(super) struct SevenBit {
    /// The escape sequences seen so far.
    seen: u16,
    /// The bytes of an incomplete sequence, from ESC on.
    open: Vec<u8>,
    /// The first bytes of the stream, from the first `~` or `+` on.
    shifted: Vec<u8>,
}

impl SevenBit {
    /// Returns the probability of ISO-2022-JP, if only its sequences were seen.
    ///
    /// A stream may be a part of a document. Its only sequence may then end Japanese text, or begin a truncated one.
    pub fn iso_2022_jp(&self) -> Option<f32> {
        match self.open[..] {
            _ if self.seen & !(JP | END) != 0 => None,
            _ if self.seen & JP != 0 => Some(0.99),
            // Terminals also use this sequence.
            _ if self.seen & END != 0 => Some(0.9),
            [ESC, b'$'] => Some(0.9),
            [ESC, b'('] => Some(0.6),
            [ESC] => Some(0.5),
            _ => None,
        }
    }

    /// Returns another encoding that the stream is in.
    pub fn named(&self) -> Option<Named> {
        let hz = || is_hz(&self.shifted).then_some(("HZ-GB-2312", Some("zh")));
        let utf_7 = || is_utf_7(&self.shifted).then_some(("UTF-7", None));
        self.escaped().or_else(hz).or_else(utf_7)
    }

    /// Returns the encoding that the sequences belong to.
    fn escaped(&self) -> Option<Named> {
        let (own, others, name, language) = NAMED.iter().find(|row| self.seen & row.0 != 0)?;
        (self.seen & !(own | others | SHIFT) == 0).then_some((name, Some(language)))
    }

    /// True if one encoding explains all sequences, and at least one was complete. Then the bytes are not UTF-16 or
    /// UTF-32.
    pub fn is_escaped(&self) -> bool {
        self.seen & JP != 0 && self.iso_2022_jp().is_some() || self.escaped().is_some()
    }

    /// True if the stream is not within a sequence.
    pub fn is_in_text(&self) -> bool {
        self.open.is_empty()
    }

    /// Reads the marks of HZ and UTF-7 in one more chunk at `offset`.
    pub fn feed_marks(&mut self, chunk: &[u8], offset: u64) {
        let left = (SAMPLE_LENGTH as u64).saturating_sub(offset) as usize;
        let early = &chunk[..chunk.len().min(left)];
        let start = match self.shifted.is_empty() {
            true => memchr2(b'~', b'+', early).unwrap_or(early.len()),
            false => 0,
        };
        self.shifted.extend_from_slice(&early[start..]);
    }

    /// Reads the escape sequences in one more chunk of ASCII.
    pub fn feed(&mut self, mut ascii: &[u8]) {
        loop {
            if self.open.is_empty() {
                ascii = &ascii[mem::iso_2022_jp_ascii_prefix_len(ascii)..];
            }
            let Some((&byte, rest)) = ascii.split_first() else {
                return;
            };
            ascii = rest;
            if self.open.is_empty() && byte != ESC {
                continue;
            }
            self.open.push(byte);
            let sequence = &self.open[1..];
            let found = SEQUENCES.iter().find(|row| row.0.starts_with(sequence));
            if found.is_none_or(|row| row.0 == sequence) {
                self.seen |= found.map_or(OTHER, |row| row.1);
                self.open.clear();
            }
        }
    }
}

/// True for HZ-GB-2312: sections of GB 2312 stand between `~{` and `~}`, and every `~{` begins one.
///
/// Most characters are punctuation, full-width letters or one of 3,755 common ideographs.
fn is_hz(mut ascii: &[u8]) -> bool {
    let (mut sections, mut characters, mut common) = (0, 0, 0);
    while let Some(at) = memchr(b'~', ascii) {
        let mut is_open = ascii.get(at + 1) == Some(&b'{');
        ascii = ascii.get(at + 2..).unwrap_or_default();
        while is_open {
            match *ascii {
                [
                    first @ (0x21..=0x29 | 0x30..=0x77),
                    0x21..=0x7E,
                    ref rest @ ..,
                ] => {
                    characters += 1;
                    common += u32::from(matches!(first, 0x21 | 0x23 | 0x30..=0x57));
                    ascii = rest;
                }
                [b'~', b'}', ref rest @ ..] => {
                    sections += 1;
                    ascii = rest;
                    is_open = false;
                }
                // A line ends a section, too, and so does the end of the sample.
                [b'\n' | b'\r', ..] | [] | [b'~' | 0x21..=0x29 | 0x30..=0x77] => {
                    is_open = false;
                }
                _ => return false,
            }
        }
    }
    sections > 0 && characters >= 2 && common * 2 >= characters
}

/// The number of bits by which the characters of UTF-7 must cost less than random ones.
const GAIN: u32 = 24;

/// The minimum number of non-ASCII characters in UTF-7.
const LEAST: u32 = 3;

/// The number of remembered Base64 sequences: a repeated sequence adds no evidence.
const REMEMBERED: usize = 8;

/// True for UTF-7 that cannot be ASCII.
///
/// Other text has plus signs, too: source code, Base64, numbers. In UTF-7, each plus sign begins a Base64 sequence of
/// UTF-16, or is part of `+-`. The sequences must encode text that is unlikely by chance.
fn is_utf_7(mut ascii: &[u8]) -> bool {
    let (mut digits, mut beyond_ascii) = (0, 0);
    let mut reading = Reading::default();
    let mut seen = [&[][..]; REMEMBERED];
    let mut count = 0;
    while let Some(at) = memchr(b'+', ascii) {
        let base64 = &ascii[at + 1..];
        let len = base64.iter().take_while(|byte| digit(**byte).is_some());
        let (run, end) = base64.split_at(len.count());
        ascii = end;
        let is_open = end.is_empty();
        if run.is_empty() && !is_open && end[0] != b'-' {
            return false;
        }
        if seen.contains(&run) {
            continue;
        }
        seen[count % REMEMBERED] = run;
        count += 1;
        digits += run.len() as u32;
        // The last bits, and the number of bits that are not yet part of a code unit.
        let (mut bits, mut pending) = (0, 0);
        for value in run.iter().filter_map(|byte| digit(*byte)) {
            bits = bits << 6 | value;
            pending += 6;
            if pending >= 16 {
                pending -= 16;
                let unit = (bits >> pending) as u16;
                bits &= (1 << pending) - 1;
                beyond_ascii += u32::from(unit >= 0x80);
                reading.unit_16(unit);
            }
        }
        // The remaining bits must be fewer than six, and zero.
        if !is_open && (pending >= 6 || bits != 0 || reading.bad_units() > 0) {
            return false;
        }
    }
    beyond_ascii >= LEAST && reading.is_text() && 6 * digits >= reading.cost() + GAIN
}

/// Returns the value of a Base64 digit.
fn digit(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}
