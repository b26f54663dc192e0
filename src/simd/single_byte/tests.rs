//! One suite for every kernel at every level of this machine, against loops over characters.
//!
//! Covers fault classes 8 (a tail reads or writes past the buffer) and 17 (the result depends on the instruction set,
//! the alignment or the sizes).

extern crate std;

use core::fmt::Debug;
use std::{format, string::String, vec, vec::Vec};

mod long;
use mojika_spec::Random;
use mojika_spec::sample::in_turns;

use super::super::level::available;
use super::*;
use crate::tables::SINGLE_BYTE_CODE_POINTS;

/// Returns all single-byte indexes, x-user-defined, and some that kernels might confuse with them.
fn all_code_points() -> Vec<CodePoints> {
    let x_user_defined = core::array::from_fn(|i| 0xF780 + i as u16);
    let mut all = SINGLE_BYTE_CODE_POINTS.as_chunks().0.to_vec();
    all.push(x_user_defined);
    assert_eq!(all.len(), 28);
    // Two encodings that do not exist: three-byte letters in two pages, and letters out of order.
    all.push(core::array::from_fn(|i| 0x1EC0 + i as u16));
    all.push(core::array::from_fn(|i| {
        0x0E00 + (i as u16 ^ 1 & i as u16 >> 3)
    }));
    all
}

/// Owned pages, made from code points.
struct Made {
    blocks: Vec<u8>,
    numbers: Vec<u8>,
    pages: Vec<[u8; 64]>,
    first_block: usize,
    letter: u16,
}

impl Made {
    /// Makes pages: page 0 is empty, and block numbers count backwards, so that they differ from page numbers.
    fn new(code_points: &CodePoints) -> Self {
        let mapped = || code_points.iter().copied().filter(|&c| c != 0);
        let first_block = usize::from(mapped().min().unwrap() >> 6);
        let last_block = usize::from(mapped().max().unwrap() >> 6);
        let mut made = Self {
            // The last element stands for all code points outside the blocks.
            blocks: vec![0; last_block - first_block + 2],
            numbers: vec![0; 60],
            pages: vec![[0; 64]],
            first_block,
            letter: code_points[0x61],
        };
        for (i, &c) in code_points.iter().enumerate().filter(|(_, c)| **c != 0) {
            let block = usize::from(c >> 6) - first_block;
            if made.blocks[block] == 0 {
                made.blocks[block] = 60 - made.pages.len() as u8;
                made.numbers[usize::from(made.blocks[block])] = made.pages.len() as u8;
                made.pages.push([0; 64]);
            }
            let number = made.numbers[usize::from(made.blocks[block])];
            made.pages[usize::from(number)][usize::from(c & 63)] = 0x80 + i as u8;
        }
        made
    }

    fn pages(&self) -> Pages<'_> {
        let pages = Pages {
            first_block: self.first_block,
            blocks: &self.blocks,
            numbers: &self.numbers,
            pages: &self.pages,
            letter: self.letter,
            is_latin_1: false,
            near: [&EMPTY_PAGE; 2],
        };
        let block = usize::from(self.letter >> 7 << 1);
        Pages {
            near: [pages.page(block), pages.page(block + 1)],
            is_latin_1: (0xA0..=0xFF).all(|byte| pages.byte(byte.into()) == byte),
            ..pages
        }
    }
}

/// Returns mapped bytes in runs: of ASCII, of letters, and of any kind.
fn mapped_bytes(code_points: &CodePoints, len: usize, rng: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.len() < len {
        let kind = rng.below(4);
        let longest = [6, 90, 12, 30][rng.below(4)];
        for _ in 0..1 + rng.below(longest) {
            let byte = match kind {
                0 => rng.below(0x80) as u8,
                1 => 0xC0 + rng.below(0x40) as u8,
                2 => 0x80 + rng.below(0x80) as u8,
                _ => rng.below(0x100) as u8,
            };
            if byte < 0x80 || code_points[usize::from(byte & 0x7F)] != 0 {
                bytes.push(byte);
            }
        }
    }
    bytes.truncate(len);
    bytes
}

fn char_of(code_points: &CodePoints, byte: u8) -> Option<char> {
    match (byte, code_points[usize::from(byte & 0x7F)]) {
        (0..0x80, _) => Some(char::from(byte)),
        (_, 0) => None,
        (_, c) => char::from_u32(c.into()),
    }
}

fn byte_of(code_points: &CodePoints, scalar: u32) -> Option<u8> {
    match scalar {
        0..0x80 => Some(scalar as u8),
        _ => code_points
            .iter()
            .position(|&c| u32::from(c) == scalar)
            .map(|i| 0x80 + i as u8),
    }
}

/// Returns the ways to call a kernel: each level, and the public function with its inline path.
fn entries() -> impl Iterator<Item = Option<Active>> {
    available()
        .map(|level| Some(Active::at_most(level)))
        .chain([None])
}

/// The expected result of a kernel: the number of units read, and the output.
#[derive(Default)]
struct Expected<T> {
    taken: usize,
    output: Vec<T>,
}

/// Calls `kernel` in each way of [`entries`], with `room` units between canaries. Compares the result and the buffer.
fn check<T: Copy + Debug + PartialEq>(
    expected: &Expected<T>,
    canary: T,
    (skip, room): (usize, usize),
    what: impl Fn() -> String,
    mut kernel: impl FnMut(Option<Active>, &mut Out<'_, T>) -> usize,
) {
    let mut buffer = vec![canary; skip + room + 80];
    for entry in entries() {
        buffer.fill(canary);
        let mut out = Out::from_init(&mut buffer[skip..skip + room]);
        let taken = kernel(entry, &mut out);
        let written = out.written();
        let describe = || format!("{} at {entry:?}, room {room}, offset {skip}", what());
        assert_eq!(taken, expected.taken, "taken: {}", describe());
        assert_eq!(written, expected.output.len(), "written: {}", describe());
        assert_eq!(
            buffer[skip..skip + written],
            expected.output,
            "output: {}",
            describe()
        );
        let is_canary = |unit: &T| *unit == canary;
        assert!(
            buffer[..skip].iter().all(is_canary) && buffer[skip + written..].iter().all(is_canary),
            "written past what it reports: {}",
            describe()
        );
    }
}

fn check_decode(code_points: &CodePoints, src: &[u8], (skip, room): (usize, usize)) {
    let mut units = Expected::default();
    let mut bytes = Expected::default();
    let chars = || src.iter().map_while(|&byte| char_of(code_points, byte));
    for char in chars().take(room) {
        units.output.push(char as u16);
        units.taken += 1;
    }
    for char in chars() {
        if bytes.output.len() + char.len_utf8() > room {
            break;
        }
        bytes.output.extend(char.encode_utf8(&mut [0; 4]).bytes());
        bytes.taken += 1;
    }
    let what = || format!("decode {} bytes {src:02X?}", src.len());
    check(
        &units,
        0xC9C9,
        (skip, room),
        what,
        |entry, out| match entry {
            Some(active) => decode_utf16_at(active, code_points, src, out),
            None => single_byte_to_utf16(code_points, src, out),
        },
    );
    check(&bytes, 0xC9, (skip, room), what, |entry, out| match entry {
        Some(active) => decode_utf8_at(active, code_points, src, out),
        None => single_byte_to_utf8(code_points, src, out),
    });
}

/// Returns the bytes of characters, given with their lengths, up to an unmapped one or the end of the room.
fn encoded(
    code_points: &CodePoints,
    characters: impl Iterator<Item = (u32, usize)>,
    room: usize,
) -> Expected<u8> {
    let mut expected = Expected::default();
    for (scalar, len) in characters {
        match byte_of(code_points, scalar) {
            Some(byte) if expected.output.len() < room => expected.output.push(byte),
            _ => break,
        }
        expected.taken += len;
    }
    expected
}

fn check_encode_utf8(
    code_points: &CodePoints,
    pages: &Pages<'_>,
    src: &str,
    place: (usize, usize),
) {
    let characters = src.chars().map(|char| (char.into(), char.len_utf8()));
    let expected = encoded(code_points, characters, place.1);
    let what = || format!("encode {} bytes {src:?}", src.len());
    check(&expected, 0xC9, place, what, |entry, out| match entry {
        Some(active) => encode_utf8_at(active, pages, src, out),
        None => encode_single_byte_utf8(pages, src, out),
    });
}

fn check_encode_utf16(
    code_points: &CodePoints,
    pages: &Pages<'_>,
    src: &[u16],
    place: (usize, usize),
) {
    let characters = src.iter().map(|&unit| (unit.into(), 1));
    let expected = encoded(code_points, characters, place.1);
    let what = || format!("encode {} units {src:04X?}", src.len());
    check(&expected, 0xC9, place, what, |entry, out| match entry {
        Some(active) => encode_utf16_at(active, pages, src, out),
        None => encode_single_byte_utf16(pages, src, out),
    });
}

/// Runs `body` with each encoding's code points, their pages, and a generator.
fn for_all(mut body: impl FnMut(&CodePoints, &Pages<'_>, &mut Random)) {
    for (i, code_points) in all_code_points().iter().enumerate() {
        let made = Made::new(code_points);
        let mut rng = Random::new(0x9E37_79B9_7F4A_7C15 + i as u64);
        body(code_points, &made.pages(), &mut rng);
    }
}

fn text_of(code_points: &CodePoints, bytes: &[u8]) -> String {
    bytes
        .iter()
        .filter_map(|&byte| char_of(code_points, byte))
        .collect()
}

const LONGEST: usize = 300;

#[test]
fn decoding_of_every_length_is_exact_at_every_level() {
    for_all(|code_points, _, rng| {
        for len in 0..=LONGEST {
            let bytes = mapped_bytes(code_points, len, rng);
            check_decode(
                code_points,
                &bytes,
                (rng.below(64), 3 * len + rng.below(40)),
            );
        }
    });
}

#[test]
fn encoding_of_every_length_is_exact_at_every_level() {
    for_all(|code_points, pages, rng| {
        for len in 0..=LONGEST {
            let text = text_of(code_points, &mapped_bytes(code_points, len, rng));
            let place = (rng.below(64), len + rng.below(120));
            check_encode_utf8(code_points, pages, &text, place);
            let units: Vec<u16> = text.encode_utf16().collect();
            check_encode_utf16(code_points, pages, &units, place);
        }
    });
}

/// Covers text of Latin scripts, which has its own kernel, also with an unmapped character.
#[test]
fn short_and_sparse_input_is_exact_at_every_level() {
    for_all(|code_points, pages, rng| {
        let gap = code_points.iter().position(|&c| c == 0);
        for len in (0..=tuning::TABLES_FROM + 8).flat_map(|len| [len; 6]) {
            let mut bytes = mapped_bytes(code_points, len, rng);
            let sparse = [3, 9, 60][rng.below(3)];
            for byte in bytes.iter_mut().filter(|_| rng.below(sparse) > 0) {
                *byte &= 0x7F;
            }
            let text = text_of(code_points, &bytes);
            let place = (rng.below(64), [3 * len, rng.below(3 * len + 9)][len % 2]);
            check_decode(code_points, &bytes, place);
            check_encode_utf8(code_points, pages, &text, place);
            let at = rng.below(len.max(1));
            let other = ['\u{9E9E}', '\u{1F600}', '\u{84}'][len % 3];
            let text: String = (text.chars().take(at)).chain([other, '!']).collect();
            check_encode_utf8(code_points, pages, &text, place);
            if let (Some(byte), Some(gap)) = (bytes.get_mut(at), gap) {
                *byte = 0x80 + gap as u8;
                check_decode(code_points, &bytes, place);
            }
        }
    });
}

#[test]
fn unmapped_byte_stops_at_every_place() {
    for_all(|code_points, _, rng| {
        let Some(gap) = code_points.iter().position(|&c| c == 0) else {
            return;
        };
        for len in [1, 40, 130, 200] {
            for stop in 0..len {
                let mut bytes = mapped_bytes(code_points, len, rng);
                bytes[stop] = 0x80 + gap as u8;
                if len % 3 == 0 {
                    bytes[len - 1] = 0x80 + gap as u8;
                }
                check_decode(code_points, &bytes, (stop % 64, 3 * len));
            }
        }
    });
}

#[test]
fn unmappable_character_stops_at_every_place() {
    for_all(|code_points, pages, rng| {
        for len in [1, 40, 130, 200] {
            let bytes = mapped_bytes(code_points, len, rng);
            let mut chars: Vec<char> = text_of(code_points, &bytes).chars().collect();
            for stop in 0..len {
                let other = ['\u{5B57}', '\u{7FF}', '\u{1F600}', '\u{FFFD}', '\u{84}'][stop % 5];
                if byte_of(code_points, other.into()).is_some() {
                    continue;
                }
                let before = core::mem::replace(&mut chars[stop], other);
                let text: String = chars.iter().collect();
                check_encode_utf8(code_points, pages, &text, (stop % 64, len));
                let mut units: Vec<u16> = text.encode_utf16().collect();
                check_encode_utf16(code_points, pages, &units, (stop % 64, len));
                // Lone surrogates: the first lead and the last trail.
                units[stop] = [0xD800, 0xDFFF][stop % 2];
                check_encode_utf16(code_points, pages, &units, (stop % 64, len));
                chars[stop] = before;
            }
        }
    });
}

#[test]
fn every_size_of_the_room_is_kept() {
    for_all(|code_points, pages, rng| {
        let bytes = mapped_bytes(code_points, 210, rng);
        let text = text_of(code_points, &bytes);
        let units: Vec<u16> = text.encode_utf16().collect();
        for room in (0..=220).chain((220..640).step_by(7)) {
            check_decode(code_points, &bytes, (room % 64, room));
            check_encode_utf8(code_points, pages, &text, (room % 64, room));
            check_encode_utf16(code_points, pages, &units, (room % 64, room));
        }
    });
}

/// Covers every byte and every code unit, for errors in a window, an index or a comparison.
#[test]
fn every_code_unit_is_what_the_index_says() {
    for_all(|code_points, pages, _| {
        for byte in 0..=0xFF {
            let mut bytes = [b'a'; 70];
            bytes[66] = byte;
            check_decode(code_points, &bytes, (0, 210));
        }
        every_code_unit(code_points, pages, &mut [0x61; 70], 67);
        if pages.is_sparse() {
            every_code_unit(code_points, pages, &mut [0x61; 530], 20);
        }
    });
}

fn every_code_unit(code_points: &CodePoints, pages: &Pages<'_>, units: &mut [u16], at: usize) {
    let place = (0, units.len());
    // At 0x13, most encodings have U+2013, and no other character near it.
    let places = [0, 1, 2, 0x13, 62, 63];
    let units_there = (0..=u16::MAX).filter(|unit| places.contains(&(unit % 64)));
    // A step of five, so that each of the six positions is used.
    for unit in in_turns(units_there, 5, usize::from(code_points[0x60])) {
        units[at] = unit;
        check_encode_utf16(code_points, pages, units, place);
        if unit % 64 == 0x13 {
            let text = String::from_utf16_lossy(units);
            check_encode_utf8(code_points, pages, &text, place);
        }
    }
    for &unit in code_points.iter().filter(|unit| **unit != 0) {
        units[at] = unit;
        check_encode_utf16(code_points, pages, units, place);
        let text = String::from_utf16_lossy(units);
        check_encode_utf8(code_points, pages, &text, place);
    }
}

#[test]
fn consecutive_code_points_decode_as_their_table_does() {
    let code_points: CodePoints = core::array::from_fn(|i| 0xF780 + i as u16);
    let bytes: Vec<u8> = (0..=0xFF).rev().collect();
    for len in 0..=100 {
        for room in [0, 1, 31, 32, 33, 99, 100] {
            let bytes = &bytes[256 - 90 - len..][..len];
            let expected = Expected {
                taken: len.min(room),
                output: (bytes.iter().take(room))
                    .map(|&byte| char_of(&code_points, byte).unwrap() as u16)
                    .collect(),
            };
            let what = || format!("decode {bytes:02X?}");
            check(&expected, 0xC9C9, (len % 64, room), what, |_, out| {
                consecutive_to_utf16(code_points[0], bytes, out)
            });
        }
    }
}

/// Uses allocations of exactly the length, so that the address sanitizer sees accesses out of bounds.
#[test]
fn exact_allocations_are_enough() {
    for_all(|code_points, pages, rng| {
        for len in (0..=150).chain(700..720) {
            let bytes = mapped_bytes(code_points, len, rng).into_boxed_slice();
            let text = text_of(code_points, &bytes).into_boxed_str();
            let units = text.encode_utf16().collect::<Vec<_>>().into_boxed_slice();
            for entry in available().map(Active::at_most) {
                let mut utf16 = vec![0; len].into_boxed_slice();
                let mut utf8 = vec![0; text.len()].into_boxed_slice();
                let mut out = Out::from_init(&mut utf16);
                assert_eq!(decode_utf16_at(entry, code_points, &bytes, &mut out), len);
                let mut out = Out::from_init(&mut utf8);
                assert_eq!(decode_utf8_at(entry, code_points, &bytes, &mut out), len);
                assert_eq!((&*utf16, &*utf8), (&*units, text.as_bytes()));
                let mut back = vec![0; len].into_boxed_slice();
                let mut out = Out::from_init(&mut back);
                assert_eq!(encode_utf8_at(entry, pages, &text, &mut out), text.len());
                assert_eq!(back, bytes);
                let mut out = Out::from_init(&mut back);
                assert_eq!(encode_utf16_at(entry, pages, &units, &mut out), len);
                assert_eq!(back, bytes);
            }
        }
    });
}
