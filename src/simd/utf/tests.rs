//! One suite for every kernel at every level of this machine, against the conversions of `core`, a character at a time.
//!
//! Covers fault classes 8 (a tail reads or writes past the buffer) and 17 (the result depends on the instruction set,
//! the alignment or the sizes).

extern crate std;

use core::fmt::Debug;
use mojika_spec::Random;
use mojika_spec::sample::{in_turns, one_in};
use std::{format, string::String, vec, vec::Vec};

use super::super::level::available;
use super::*;

/// Characters at the limits of every class, and common characters of each class.
const CHARACTERS: &[char] = &[
    'a',
    '\0',
    '\x7F',
    '\u{80}',
    'é',
    '\u{7FF}',
    '\u{800}',
    'ก',
    '老',
    '한',
    '\u{D7FF}',
    '\u{E000}',
    '\u{FFFD}',
    '\u{FFFF}',
    '\u{10000}',
    '😀',
    '\u{FFFFF}',
    '\u{10FFFF}',
];

/// Malformed sequences, ordered by the class of the error.
const MALFORMED: &[&[u8]] = &[
    b"\x80",
    b"\xBF",
    b"\xC0\x80",
    b"\xC1\xBF",
    b"\xC2",
    b"\xC2A",
    b"\xC2\xC2\x80",
    b"\xDF\xC0",
    b"\xE0\x80\x80",
    b"\xE0\x9F\xBF",
    b"\xE1\x80",
    b"\xE2\x82A",
    b"\xED\xA0\x80",
    b"\xED\xBF\xBF",
    b"\xEF",
    b"\xEF\xBF",
    b"\xE3\x81\xC2\xA0",
    b"\xF0\x80\x80\x80",
    b"\xF0\x8F\xBF\xBF",
    b"\xF0\x9F\x98",
    b"\xF0\x9F\x98A",
    b"\xF1\x80",
    b"\xF3",
    b"\xF4\x90\x80\x80",
    b"\xF5\x80\x80\x80",
    b"\xF8\x88\x80\x80\x80",
    b"\xFC\x80",
    b"\xFF",
    b"\xFE\xFF",
    b"\xE0\xA0\x80\x80",
    b"\xC2\x80\x80",
];

trait Canary: Copy + Debug + PartialEq {
    const CANARY: Self;
}
impl Canary for u8 {
    const CANARY: u8 = 0xC9;
}
impl Canary for u16 {
    const CANARY: u16 = 0xC9C9;
}

/// Compares all observable results of a kernel, with outputs of several lengths. `model` returns for each character of
/// an input its length and its output units.
fn check<I: Copy + Debug, O: Canary>(
    kernel: impl Fn(Active, &[I], &mut Out<'_, O>) -> usize,
    model: impl Fn(&[I]) -> Vec<(usize, Vec<O>)>,
    src: &[I],
    lengths: impl Fn(usize) -> Vec<usize>,
) {
    // Exactly as long as the input, for the address sanitizer, and at a varying alignment.
    let src = Vec::from(src).into_boxed_slice();
    let characters = model(&src);
    let all: usize = characters.iter().map(|(_, units)| units.len()).sum();
    let before = src.len() % 67;
    for room in lengths(all) {
        let (mut read, mut expected) = (0, Vec::new());
        for (taken, units) in &characters {
            if expected.len() + units.len() > room {
                break;
            }
            read += taken;
            expected.extend_from_slice(units);
        }
        for level in available() {
            let mut buffer = vec![O::CANARY; before + room + 80];
            let mut out = Out::from_init(&mut buffer[before..before + room]);
            let taken = kernel(Active::at_most(level), &src, &mut out);
            let written = out.written();
            let place = || format!("at {level}, room {room}, input {src:02X?}");
            assert_eq!(written, expected.len(), "written {}", place());
            assert_eq!(taken, read, "read {}", place());
            assert_eq!(buffer[before..before + written], expected, "{}", place());
            let untouched = |part: &[O]| part.iter().all(|&unit| unit == O::CANARY);
            assert!(untouched(&buffer[..before]), "written before {}", place());
            assert!(
                untouched(&buffer[before + written..]),
                "written past what it reports {}",
                place()
            );
        }
    }
}

fn some_rooms(all: usize) -> Vec<usize> {
    let mut lengths = vec![all, all + 1, all + 70, all.saturating_sub(1), all / 2];
    lengths.dedup();
    lengths
}

fn every_room_up_to_all(all: usize) -> Vec<usize> {
    (0..=all + 3).collect()
}

fn valid(src: &[u8]) -> &str {
    match core::str::from_utf8(src) {
        Ok(text) => text,
        Err(error) => core::str::from_utf8(&src[..error.valid_up_to()]).unwrap(),
    }
}

/// Returns the characters of UTF-8, each with its output by `of`.
fn of_utf8<O>(src: &[u8], of: impl Fn(char) -> Vec<O>) -> Vec<(usize, Vec<O>)> {
    valid(src).chars().map(|c| (c.len_utf8(), of(c))).collect()
}

/// Returns the characters of UTF-16 before a lone surrogate, each with its output by `of`.
fn of_utf16<O>(
    src: impl Iterator<Item = u16>,
    of: impl Fn(char) -> Vec<O>,
) -> Vec<(usize, Vec<O>)> {
    char::decode_utf16(src)
        .map_while(|c| c.ok())
        .map(|c| (c.len_utf16(), of(c)))
        .collect()
}

fn utf8(c: char) -> Vec<u8> {
    c.encode_utf8(&mut [0; 4]).as_bytes().to_vec()
}

fn units(c: char) -> Vec<u16> {
    c.encode_utf16(&mut [0; 2]).to_vec()
}

fn bytes(big_endian: bool, units: &[u16]) -> Vec<u8> {
    let order = if big_endian {
        u16::to_be_bytes
    } else {
        u16::to_le_bytes
    };
    units.iter().flat_map(|&unit| order(unit)).collect()
}

fn from_bytes(big_endian: bool, src: &[u8]) -> impl Iterator<Item = u16> {
    src.chunks_exact(2).map(move |pair| {
        let pair = [pair[0], pair[1]];
        if big_endian {
            u16::from_be_bytes(pair)
        } else {
            u16::from_le_bytes(pair)
        }
    })
}

fn doubled<O>(characters: Vec<(usize, Vec<O>)>) -> Vec<(usize, Vec<O>)> {
    characters
        .into_iter()
        .map(|(taken, units)| (2 * taken, units))
        .collect()
}

fn check_utf8(src: &[u8], lengths: impl Fn(usize) -> Vec<usize> + Copy) {
    check(utf8_to_utf16_at, |src| of_utf8(src, units), src, lengths);
    check(utf8_to_utf8_at, |src| of_utf8(src, utf8), src, lengths);
    for order in [false, true] {
        check(
            |active, src, out| utf8_to_utf16_bytes_at(active, src, order, out),
            |src| of_utf8(src, |c| bytes(order, &units(c))),
            src,
            lengths,
        );
    }
}

/// Converts bytes of UTF-16 in a byte order to UTF-8. Returns the number of bytes read.
fn bytes_to_utf8(active: Active, big_endian: bool, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let src = src.as_chunks::<2>().0;
    2 * match big_endian {
        true => ordered_utf16_to_utf8::<true>(active, src, out),
        false => ordered_utf16_to_utf8::<false>(active, src, out),
    }
}

fn check_utf16(src: &[u16], lengths: impl Fn(usize) -> Vec<usize> + Copy) {
    check(
        |active, src, out| {
            ordered_utf16_to_utf8::<HERE>(active, bytemuck::must_cast_slice(src), out)
        },
        |src| of_utf16(src.iter().copied(), utf8),
        src,
        lengths,
    );
    for order in [false, true] {
        check(
            |active, src, out| super::units::to_bytes(active, src, order, out),
            |src| of_utf16(src.iter().copied(), |c| bytes(order, &units(c))),
            src,
            lengths,
        );
        for odd in [&[][..], b"A"] {
            let src = [&bytes(order, src), odd].concat();
            check(
                |active, src, out| bytes_to_utf8(active, order, src, out),
                |src| doubled(of_utf16(from_bytes(order, src), utf8)),
                &src,
                lengths,
            );
            check(
                |active, src, out| 2 * super::units::from_bytes(active, src, order, out),
                |src| doubled(of_utf16(from_bytes(order, src), units)),
                &src,
                lengths,
            );
        }
    }
}

fn check_text(text: &str, lengths: impl Fn(usize) -> Vec<usize> + Copy) {
    check_utf8(text.as_bytes(), lengths);
    check_utf16(&text.encode_utf16().collect::<Vec<_>>(), lengths);
}

/// Returns text of `n` characters, mostly `often`.
fn text(numbers: &mut Random, n: usize, often: char) -> String {
    (0..n)
        .map(|_| match numbers.below(8) {
            0 => CHARACTERS[numbers.below(CHARACTERS.len())],
            1 | 2 => 'x',
            _ => often,
        })
        .collect()
}

#[test]
fn every_length_of_every_class() {
    let mut numbers = Random::new(1);
    for n in 0..=300 {
        let often = CHARACTERS[n % CHARACTERS.len()];
        check_text(&text(&mut numbers, n, often), some_rooms);
    }
    for &often in CHARACTERS {
        for n in [1, 2, 15, 16, 21, 22, 31, 32, 33, 63, 64, 65, 100, 129, 256] {
            let text: String = core::iter::repeat_n(often, n).collect();
            check_text(&text, some_rooms);
        }
    }
}

#[test]
fn every_class_in_every_lane() {
    for &character in CHARACTERS {
        for (filler, lanes) in [('.', 140), ('я', 70), ('ก', 48)] {
            for lane in in_turns(0..lanes, 3, character as usize) {
                let mut text: String = core::iter::repeat_n(filler, lane).collect();
                text.push(character);
                text.extend(core::iter::repeat_n(filler, 150 - lane));
                check_text(&text, |all| vec![all]);
            }
        }
    }
}

/// The input includes text of ASCII alone.
#[test]
fn every_class_in_every_place_of_short_text() {
    for &character in CHARACTERS {
        for len in 1..=36 {
            for place in in_turns(0..=len, 4, character as usize + len) {
                let mut text: Vec<char> = ('A'..).take(len).collect();
                if let Some(at) = text.get_mut(place) {
                    *at = character;
                }
                check_text(&String::from_iter(text), some_rooms);
            }
        }
    }
}

#[test]
fn malformed_utf8_in_every_lane() {
    for &malformed in MALFORMED {
        for (filler, lanes) in [('.', 140), ('я', 70), ('ก', 48), ('😀', 36)] {
            for lane in 0..lanes {
                let start: String = core::iter::repeat_n(filler, lane).collect();
                let mut src = start.into_bytes();
                src.extend_from_slice(malformed);
                if lane % 4 != 0 {
                    src.extend_from_slice("яkก😀.".repeat(lane % 3 * 12).as_bytes());
                }
                check_utf8(&src, |all| vec![all + 64]);
            }
        }
    }
}

#[test]
fn lone_surrogates_in_every_lane() {
    for malformed in [
        &[0xD800][..],
        &[0xDBFF, 0x41],
        &[0xDC00],
        &[0xDFFF, 0x41],
        &[0xD83D, 0xD83D, 0xDE00],
        &[0xDE00, 0xD83D],
    ] {
        for filler in ['.', 'я', 'ก', '😀'] {
            for lane in 0..100 {
                let start: String = core::iter::repeat_n(filler, lane).collect();
                let mut src: Vec<u16> = start.encode_utf16().collect();
                src.extend_from_slice(malformed);
                if lane % 4 != 0 {
                    src.extend("яkก😀.".repeat(lane % 3 * 12).encode_utf16());
                }
                check_utf16(&src, |all| vec![all + 64]);
            }
        }
    }
}

#[test]
fn every_room() {
    let mut numbers = Random::new(2);
    for often in ['.', 'я', 'ก', '😀'] {
        for n in [3, 20, 40, 90] {
            check_text(&text(&mut numbers, n, often), every_room_up_to_all);
        }
    }
}

#[test]
fn random_bytes_and_units() {
    let mut numbers = Random::new(3);
    for round in 0..3000 / one_in(3) {
        let often = CHARACTERS[numbers.below(CHARACTERS.len())];
        let n = numbers.below(220);
        let mut src = text(&mut numbers, n, often).into_bytes();
        for _ in 0..round % 3 {
            if !src.is_empty() {
                let at = numbers.below(src.len());
                src[at] = numbers.below(256) as u8;
            }
        }
        check_utf8(&src, |all| vec![all, all + 64]);
        let mut src: Vec<u16> = text(&mut numbers, n, often).encode_utf16().collect();
        for _ in 0..round % 3 {
            if !src.is_empty() {
                let at = numbers.below(src.len());
                src[at] = 0xD800 + numbers.below(0x800) as u16;
            }
        }
        check_utf16(&src, |all| vec![all, all + 64]);
    }
}

/// Covers every lead, so that an error shows where the tables and masks disagree with `core`.
#[test]
fn every_sequence_of_three_bytes_is_told_apart() {
    let mut buffer = [0; 80];
    for first in 0xC0..=0xFF_u8 {
        for second in 0x70..=0xD0_u8 {
            for third in [0x41, 0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC0] {
                let mut src = [b'.'; 200];
                src[130..134].copy_from_slice(&[first, second, third, 0x80]);
                for at in [131, 200] {
                    // Tests without and with a fourth byte that is a continuation byte.
                    if at == 131 {
                        src[133] = b'.';
                    } else {
                        src[133] = 0x80;
                    }
                    let expected = valid(&src).len();
                    for level in available() {
                        let active = Active::at_most(level);
                        let mut dst = [0; 200];
                        let taken = utf8_to_utf8_at(active, &src, &mut Out::from_init(&mut dst));
                        assert_eq!(
                            taken, expected,
                            "{level} {first:02X} {second:02X} {third:02X}"
                        );
                        let taken =
                            utf8_to_utf16_at(active, &src[120..], &mut Out::from_init(&mut buffer));
                        assert_eq!(
                            taken,
                            expected - 120,
                            "{level} {first:02X} {second:02X} {third:02X}"
                        );
                    }
                }
            }
        }
    }
}

/// Covers runs of a class, for which kernels have their own loops, and the changes between them.
#[test]
fn runs_of_classes_up_to_a_lone_surrogate() {
    let mut numbers = Random::new(5);
    for _ in 0..1500 {
        let mut src = Vec::new();
        for _ in 0..1 + numbers.below(6) {
            let often = ['a', 'я', '한', 'x', '😀'][numbers.below(5) % (2 + numbers.below(4))];
            let seldom = ['b', 'é', '\u{2014}'][numbers.below(3)];
            let n = 1 + numbers.below(240);
            let one_in = 1 + numbers.below(60);
            for _ in 0..n {
                let rare = one_in > 1 && numbers.below(one_in) == 0;
                src.extend(units(if rare { seldom } else { often }));
            }
        }
        let bytes = String::from_utf16(&src).unwrap().len();
        let lengths = [bytes, numbers.below(bytes), numbers.below(bytes)];
        src.extend([0xDC00, 0x41]);
        check(
            |active, src, out| {
                ordered_utf16_to_utf8::<HERE>(active, bytemuck::must_cast_slice(src), out)
            },
            |src| of_utf16(src.iter().copied(), utf8),
            &src,
            |_| lengths.to_vec(),
        );
        // The buffer continues after the units that fit.
        check(
            |active, src, out| bytes_to_utf8(active, true, src, out),
            |src| doubled(of_utf16(from_bytes(true, src), utf8)),
            &self::bytes(true, &src),
            |all| vec![all + 200],
        );
    }
}
