//! Generators of odd input, shared by all sweeps: well-formed text, malformed text, boundaries.

use crate::repertoire::{Repertoire, enter};
use crate::subject::Subject;
use mojika_spec::odd::{EDGE_BYTES, EDGE_SCALARS, ESCAPES};
use mojika_spec::{Encoding, Random};

/// UTF-32 code units next to boundaries, and some that are not scalar values.
pub const UTF_32_UNITS: [u32; 18] = [
    0x00,
    0x41,
    0x7F,
    0x80,
    0x7FF,
    0x800,
    0xD7FF,
    0xD800,
    0xDFFF,
    0xE000,
    0xFEFF,
    0xFFFF,
    0x10000,
    0x10FFFF,
    0x110000,
    0x41_0000,
    0xFFFE_0000,
    0xFFFF_FFFF,
];

/// Bytes at the limits of ranges in some encoding. They are few, so that sweeps can test all their combinations.
pub const BOUNDARY_BYTES: [u8; 36] = [
    0x00, 0x0E, 0x1B, 0x20, 0x21, 0x24, 0x28, 0x2F, 0x30, 0x39, 0x3A, 0x40, 0x42, 0x5C, 0x7E, 0x7F,
    0x80, 0x81, 0x84, 0x8E, 0x8F, 0x90, 0x9F, 0xA0, 0xA1, 0xC7, 0xDF, 0xE0, 0xED, 0xF0, 0xF4, 0xF7,
    0xFC, 0xFD, 0xFE, 0xFF,
];

/// Returns well-formed text of exactly `length` bytes (rounded down to whole code units), mostly not ASCII.
///
/// In ISO-2022-JP, the text is in the jis0208 state, without the escape sequence to it.
pub fn dense(subject: Subject, random: &mut Random, length: usize) -> Vec<u8> {
    let length = match subject.spec {
        Encoding::Iso2022Jp => length & !1,
        _ => length - length % subject.ascii_length(),
    };
    let mut bytes: Vec<u8> = Repertoire::of(subject)
        .dense(random, length)
        .into_iter()
        .flat_map(|character| character.bytes.iter().copied())
        .collect();
    // ASCII before the characters fills the missing length.
    let missing = length - bytes.len();
    bytes.splice(0..0, ascii(subject, random, missing));
    bytes
}

/// Returns ASCII text of exactly `length` bytes (rounded down to whole code units).
pub fn ascii(subject: Subject, random: &mut Random, length: usize) -> Vec<u8> {
    let characters = length / subject.ascii_length();
    let text: Vec<u8> = (0..characters).map(|_| random.ascii()).collect();
    subject.ascii(&text)
}

/// Returns about `length` bytes of several kinds: ASCII, dense text, malformed characters, limits of ranges, noise.
pub fn noise(subject: Subject, random: &mut Random, length: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(length + 8);
    // Some inputs are well-formed except in few positions, others are malformed throughout.
    let calm = random.below(3);
    while bytes.len() < length {
        let longest = 1 + random.below(length.min(100));
        match random.below(if calm == 0 { 9 } else { 12 }) {
            0 | 1 => bytes.extend(ascii(subject, random, longest)),
            2 | 3 => {
                bytes.extend(enter(subject));
                bytes.extend(dense(subject, random, longest));
            }
            4 => {
                for _ in 0..=random.below(3) {
                    bytes.push(*random.pick(&EDGE_BYTES));
                }
            }
            5 => {
                if let Some(character) = Repertoire::of(subject).character(random) {
                    // Replace the last byte of a character, or leave it out.
                    let (last, rest) = character.bytes.split_last().expect("not empty");
                    bytes.extend(rest);
                    match random.below(4) {
                        0 => bytes.push(last ^ (1 << random.below(8))),
                        1 => bytes.push(random.ascii()),
                        2 => bytes.push(*random.pick(&EDGE_BYTES)),
                        _ => {}
                    }
                }
            }
            6 => match subject.spec {
                Encoding::Iso2022Jp => bytes.extend(*random.pick(&ESCAPES)),
                Encoding::Utf16Be | Encoding::Utf16Le => {
                    bytes.extend(subject.unit(0xD800 + random.below(0x800) as u16));
                }
                Encoding::Extended(extended) if extended.is_utf_32() => {
                    let units = [0xD800, 0xDFFF, 0x110000, 0xFEFF, 0xFFFE0000, u32::MAX];
                    bytes.extend(extended.code_unit(*random.pick(&units)));
                }
                _ => bytes.push(0x80 + random.below(0x80) as u8),
            },
            7 => {
                bytes.extend(subject.reset(bytes.len()));
            }
            8 if subject.spec == Encoding::Iso2022Jp => {
                bytes.extend(
                    random
                        .pick(&[&b"\x1B"[..], b"\x1B$", b"\x1B(", b"\x1B(X"])
                        .iter(),
                );
            }
            _ => {
                for _ in 0..=random.below(3) {
                    bytes.push(random.byte());
                }
            }
        }
    }
    bytes.truncate(length);
    bytes
}

/// Returns about `length` scalar values: ASCII, mappable and unmappable characters, and characters that an encoder
/// treats specially.
pub fn text(subject: Subject, random: &mut Random, length: usize) -> Vec<char> {
    let repertoire = Repertoire::of(subject);
    let mut text = Vec::with_capacity(length);
    let calm = random.below(3) > 0;
    while text.len() < length {
        let run = 1 + random.below(length.min(60));
        match random.below(if calm { 6 } else { 10 }) {
            0 | 1 => text.extend((0..run).map(|_| char::from(random.ascii()))),
            2..=4 => {
                let dense = repertoire.dense(random, run * 2);
                text.extend(dense.into_iter().flat_map(|c| c.text.iter().copied()));
                // An encoding may have no non-ASCII characters. Append ASCII, to avoid an endless loop.
                text.push(char::from(random.ascii()));
            }
            5 => text.push(*random.pick(&EDGE_SCALARS)),
            6 => text.push(scalar_value(random.below(0x80))),
            7 => text.push(scalar_value(random.below(0x800))),
            8 => text.push(scalar_value(random.below(0x10000))),
            _ => text.push(scalar_value(random.below(0x110000))),
        }
    }
    text.truncate(length);
    text
}

/// Returns UTF-16 of the kinds that [`text`] returns, with lone surrogates.
pub fn units(subject: Subject, random: &mut Random, length: usize) -> Vec<u16> {
    let mut units = Vec::new();
    for c in text(subject, random, length) {
        if random.below(12) == 0 {
            for _ in 0..=random.below(2) {
                units.push(0xD800 + random.below(0x800) as u16);
            }
        }
        units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
    }
    units.truncate(length);
    units
}

fn scalar_value(value: usize) -> char {
    char::from_u32(value as u32).unwrap_or('\u{FFFD}')
}
