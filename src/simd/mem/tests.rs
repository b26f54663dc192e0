//! Each loop at every level of this machine, against a loop over units. Covers all lengths up to several blocks, the
//! deciding unit at every position, and changing alignments.
//!
//! Covers fault classes 8 (a tail reads or writes past the buffer) and 17 (the result depends on the instruction set,
//! the alignment or the sizes).

extern crate std;

use super::super::level::available;
use super::*;
use std::{vec, vec::Vec};

const LONGEST: usize = 300;

/// Runs `check` at every level with `base` repeated, and with one piece inserted at every position. Slices start at
/// changing offsets and are allocations of exactly their length.
fn each_piece<T: Copy>(base: &[T], pieces: &[&[T]], mut check: impl FnMut(Active, &[T])) {
    let long: Vec<T> = base.iter().copied().cycle().take(2 * LONGEST).collect();
    for level in available() {
        let active = Active::at_most(level);
        for len in 0..LONGEST {
            check(active, &long[len % 61..][..len]);
            check(active, &long[..len].to_vec().into_boxed_slice());
        }
        for piece in pieces {
            for at in (0..LONGEST - 80).step_by(base.len()) {
                let src = [&long[..at], piece, &long[at..LONGEST]].concat();
                check(active, &src[(at / 7 / base.len()) * base.len()..]);
                check(active, &src[..at + piece.len()]);
            }
        }
    }
}

#[test]
fn widening_and_narrowing_keep_numbers_and_bounds() {
    let bytes: Vec<u8> = (0..=255).collect();
    each_piece(&bytes, &[], |active, src| {
        for room in [src.len(), src.len() + 9, src.len() / 2] {
            let mut dst = vec![0xC9C9; room];
            widen_latin1_at(active, src, &mut dst);
            for (i, &unit) in dst.iter().enumerate() {
                let expected = src.get(i).map_or(0xC9C9, |&byte| u16::from(byte));
                assert_eq!(unit, expected, "{active:?} {} {room} {i}", src.len());
            }
        }
    });
    let units: Vec<u16> = (0..=255).map(|i| i * 0x101).collect();
    each_piece(&units, &[], |active, src| {
        for room in [src.len(), src.len() + 9, src.len() / 2] {
            let mut dst = vec![0xC9; room];
            narrow_units_at(active, src, &mut dst);
            for (i, &byte) in dst.iter().enumerate() {
                let expected = src.get(i).map_or(0xC9, |&unit| unit as u8);
                assert_eq!(byte, expected, "{active:?} {} {room} {i}", src.len());
            }
        }
    });
}

#[test]
fn latin1_units_are_those_below_0x100() {
    for base in [&[0x61][..], &[0xFF, 0x61, 0]] {
        each_piece(
            base,
            &[&[0x100], &[0xFF00], &[0xFFFF], &[0xFF]],
            |active, src| {
                let expected = src.iter().all(|&unit| unit < 0x100);
                assert_eq!(
                    are_latin1_units_at(active, src),
                    expected,
                    "{active:?} {src:X?}"
                );
            },
        );
    }
}

#[test]
fn latin1_prefixes_of_utf8_end_at_the_first_other_character() {
    let expected = |src: &[u8]| {
        let valid = core::str::from_utf8(src).map_or_else(|error| error.valid_up_to(), str::len);
        let text = core::str::from_utf8(&src[..valid]).unwrap_or_default();
        text.find(|c| c > '\u{FF}').unwrap_or(valid)
    };
    let pieces: [&[u8]; 9] = [
        b"\x80",
        b"\xBF",
        b"\xC0\x80",
        b"\xC1\xBF",
        b"\xC2",
        b"\xC3\x7F",
        b"\xC4\x80",
        b"\xC2\xC2",
        b"\xE6\x96\x87",
    ];
    for base in ["a", "é", "aé", "éaa"] {
        each_piece(base.as_bytes(), &pieces, |active, src| {
            assert_eq!(
                latin1_prefix_len_utf8_at(active, src),
                expected(src),
                "{active:?} {src:X?}"
            );
        });
    }
}

#[test]
fn paired_prefixes_end_at_the_first_lone_surrogate() {
    let expected = |src: &[u16]| {
        let mut at = 0;
        for unit in char::decode_utf16(src.iter().copied()) {
            match unit {
                Ok(c) => at += c.len_utf16(),
                Err(_) => break,
            }
        }
        at
    };
    let pieces: [&[u16]; 6] = [
        &[0xD800],
        &[0xDC00],
        &[0xDBFF, 0xDBFF, 0xDFFF],
        &[0xD83D, 0xDCA9],
        &[0xE000],
        &[0xDFFF, 0xD800],
    ];
    for base in [&[0x61][..], &[0xD83D, 0xDCA9], &[0x61, 0xD83D, 0xDCA9]] {
        each_piece(base, &pieces, |active, src| {
            assert_eq!(
                paired_prefix_len_at(active, src),
                expected(src),
                "{active:?} {src:X?}"
            );
        });
    }
}

#[test]
fn right_to_left_units_are_found_everywhere() {
    let pieces: [&[u16]; 12] = [
        &[0x58F],
        &[0x590],
        &[0x8FF],
        &[0x900],
        &[0x200F],
        &[0x2067],
        &[0xFB1C],
        &[0xFB1D],
        &[0xFE70],
        &[0xFEFF],
        &[0xD802],
        &[0xD83B],
    ];
    for base in [&[0x61][..], &[0x6587]] {
        each_piece(base, &pieces, |active, src| {
            let expected = src.iter().any(|&unit| is_rtl_unit(unit));
            assert_eq!(
                have_rtl_units_at(active, src),
                expected,
                "{active:?} {src:X?}"
            );
        });
    }
}

#[test]
fn bytes_of_text_are_counted_by_kind() {
    let every: Vec<u8> = (0..=255).collect();
    for base in [&b"a"[..], &[0], &[0x1F], &every, b"a\xE4\xF6 b"] {
        each_piece(base, &[&every, b"\t\n\x1B\x7F"], |active, src| {
            let count = |is: fn(u8) -> bool| src.iter().filter(|&&byte| is(byte)).count() as u32;
            let expected = [
                count(|byte| byte == 0),
                count(|byte| byte < 0x20 && !matches!(byte, 8..=10 | 12 | 13 | 27)),
                count(|byte| matches!(byte, 0x20..=0x7E)),
            ];
            assert_eq!(count_text_bytes_at(active, src), expected, "{active:?}");
        });
    }
}

#[test]
fn bytes_count_as_what_they_begin() {
    // The loops count bytes, so the input need not be valid. Without intermediate sums, the last
    // input would overflow a lane.
    let mut long = "aé文😀".repeat(3000).into_bytes();
    long.extend([0xFF; 40_000]);
    let check = |active: Active, src: &[u8]| {
        let count = |is: fn(u8) -> bool| src.iter().filter(|&&byte| is(byte)).count();
        let chars = count(|byte| byte & 0xC0 != 0x80);
        let four = count(|byte| byte >= 0xF0);
        let what = (active, src.len());
        assert_eq!(count_chars_at(active, src), chars, "{what:?}");
        assert_eq!(
            count_utf16_of_utf8_at(active, src),
            chars + four,
            "{what:?}"
        );
        let not_ascii = count(|byte| byte >= 0x80);
        assert_eq!(count_not_ascii_at(active, src), not_ascii, "{what:?}");
    };
    let every: Vec<u8> = (0..=255).collect();
    for base in [&b"a"[..], &every, "é文😀".as_bytes(), &[0xFF]] {
        each_piece(base, &[&every, "😀".as_bytes()], check);
    }
    for level in available() {
        for len in [0, 16_319, 16_320, 16_384, 32_641, long.len()] {
            check(Active::at_most(level), &long[long.len() - len..]);
            check(Active::at_most(level), &long[..len]);
        }
    }
}

#[test]
fn units_count_as_what_they_become() {
    let check = |active: Active, src: &[u16]| {
        let decoded = || char::decode_utf16(src.iter().copied());
        let what = (active, src.len());
        let pairs = decoded()
            .filter(|c| c.as_ref().is_ok_and(|&c| c > '\u{FFFF}'))
            .count();
        assert_eq!(count_pairs_at(active, src), pairs, "{what:?}");
        let bytes: usize = decoded().map(|c| c.map_or(3, char::len_utf8)).sum();
        assert_eq!(count_utf8_of_utf16_at(active, src), bytes, "{what:?}");
    };
    let pieces: [&[u16]; 5] = [
        &[0xD83D, 0xDE00],
        &[0xDE00, 0xD83D],
        &[0xD83D, 0xD83D, 0xDE00, 0xDE00],
        &[0x7F, 0x80, 0x7FF, 0x800, 0xFFFF],
        &[0xD7FF, 0xE000],
    ];
    for base in [&[0x61][..], &[0x6587], &[0xD83D, 0xDE00], &[0xE9, 0xDC00]] {
        each_piece(base, &pieces, check);
    }
    // The halves of a pair in adjacent registers, and too far apart to be a pair.
    for level in available() {
        for lead in [31, 63, 95, 127, 255] {
            for trail in [lead + 1, 128, 256, 384] {
                let mut src = [0x61; 600];
                src[trail] = 0xDC00;
                src[lead] = 0xD800;
                check(Active::at_most(level), &src);
            }
        }
    }
    // Longer than the sum of a lane allows: 16,383 blocks of 32 units.
    let long = [0x6587_u16, 0xFFFF].repeat(400_000);
    for level in available() {
        check(Active::at_most(level), &long);
    }
}
