//! Tests every function of `mem` with both crates. Lengths are from 0 to several registers, at every alignment, and the
//! unit that decides the result is at every index.

mod common;

use encoding_rs::mem as ours;
use mojika_spec::Random;
use published::mem as theirs;

const LONGEST: usize = 200;

/// Calls a function of both crates and compares the results.
macro_rules! same {
    ($name:ident($($argument:expr),*)) => {
        same!($name($($argument),*), |result| result)
    };
    ($name:ident($($argument:expr),*), |$result:ident| $shown:expr) => {{
        let ours = { let $result = ours::$name($($argument),*); $shown };
        let theirs = { let $result = theirs::$name($($argument),*); $shown };
        assert_eq!(ours, theirs, "{} {:X?}", stringify!($name), ($(&$argument),*,));
    }};
}

/// Compares the outputs of a conversion by both crates. `$room` is the length of `dst` in units.
macro_rules! same_output {
    ($name:ident($src:expr), $room:expr) => {
        same_output!($name($src), $room, |written| written)
    };
    ($name:ident($src:expr), $room:expr, |$result:ident| $written:expr) => {{
        let ours = {
            let mut dst = vec![0; $room];
            let $result = ours::$name($src, &mut dst);
            dst.truncate($written);
            dst
        };
        let theirs = {
            let mut dst = vec![0; $room];
            let $result = theirs::$name($src, &mut dst);
            dst.truncate($written);
            dst
        };
        assert_eq!(ours, theirs, "{} {:X?}", stringify!($name), $src);
    }};
}

fn check_bytes(src: &[u8]) {
    same!(is_ascii(src));
    same!(is_utf8_latin1(src));
    same!(is_utf8_bidi(src));
    same!(utf8_latin1_up_to(src));
    same!(check_utf8_for_latin1_and_bidi(src), |class| format!(
        "{class:?}"
    ));
    same!(decode_latin1(src), |text| (
        matches!(text, std::borrow::Cow::Borrowed(_)),
        text
    ));
    same!(convert_utf8_to_utf16(src, &mut vec![0; src.len() + 1]));
    same!(convert_utf8_to_utf16_without_replacement(
        src,
        &mut vec![0; src.len()]
    ));
    same_output!(convert_utf8_to_utf16(src), src.len() + 1);
    same_output!(copy_ascii_to_basic_latin(src), src.len());
    same_output!(convert_latin1_to_utf16(src), src.len(), |_nothing| src
        .len());
    same_output!(copy_ascii_to_ascii(src), src.len());
    same_output!(convert_latin1_to_utf8(src), 2 * src.len());
    if theirs::is_utf8_latin1(src) {
        same_output!(convert_utf8_to_latin1_lossy(src), src.len());
    }
    if let Ok(text) = std::str::from_utf8(src) {
        same!(is_str_latin1(text));
        same!(is_str_bidi(text));
        same!(str_latin1_up_to(text));
        same!(check_str_for_latin1_and_bidi(text), |class| format!(
            "{class:?}"
        ));
        same_output!(convert_str_to_utf16(text), text.len());
        if theirs::is_str_latin1(text) {
            same!(encode_latin1_lossy(text), |bytes| (
                matches!(bytes, std::borrow::Cow::Borrowed(_)),
                bytes
            ));
        }
    }
}

fn check_units(src: &[u16]) {
    same!(is_basic_latin(src));
    same!(is_utf16_latin1(src));
    same!(is_utf16_bidi(src));
    same!(utf16_valid_up_to(src));
    same!(check_utf16_for_latin1_and_bidi(src), |class| format!(
        "{class:?}"
    ));
    same_output!(convert_utf16_to_utf8(src), 3 * src.len());
    same_output!(copy_basic_latin_to_ascii(src), src.len());
    // Also compare input beyond Latin-1. The published crate guarantees nothing for it, but returns low bytes, too.
    same_output!(convert_utf16_to_latin1_lossy(src), src.len(), |_nothing| {
        src.len()
    });
    let mended = |mend: fn(&mut [u16])| {
        let mut units = src.to_vec();
        mend(&mut units);
        units
    };
    assert_eq!(
        mended(ours::ensure_utf16_validity),
        mended(theirs::ensure_utf16_validity)
    );
    let text = |convert: fn(&[u16], &mut str) -> usize| {
        let mut dst = "x".repeat(3 * src.len());
        let written = convert(src, &mut dst);
        dst[..written].to_owned()
    };
    assert_eq!(
        text(ours::convert_utf16_to_str),
        text(theirs::convert_utf16_to_str)
    );
}

/// Compares conversions that stop before a character that does not fit, for every output size.
fn check_partial(bytes: &[u8], units: &[u16]) {
    for room in 0..=3 * units.len() + 2 {
        let output = |convert: fn(&[u16], &mut [u8]) -> (usize, usize)| {
            let mut dst = vec![0x2A; room];
            let (read, written) = convert(units, &mut dst);
            // Both crates guarantee to leave the rest of the output unchanged.
            assert!(dst[written..].iter().all(|&byte| byte == 0x2A));
            (read, dst)
        };
        assert_eq!(
            output(ours::convert_utf16_to_utf8_partial),
            output(theirs::convert_utf16_to_utf8_partial),
            "{units:X?} {room}"
        );
        let output = |convert: fn(&[u16], &mut str) -> (usize, usize)| {
            let mut dst = "文".repeat(room / 3) + &"x".repeat(room % 3);
            let (read, written) = convert(units, &mut dst);
            assert!(std::str::from_utf8(dst.as_bytes()).is_ok());
            (read, dst[..written].to_owned())
        };
        assert_eq!(
            output(ours::convert_utf16_to_str_partial),
            output(theirs::convert_utf16_to_str_partial),
            "{units:X?} {room}"
        );
    }
    for room in 0..=2 * bytes.len() + 2 {
        let output = |convert: fn(&[u8], &mut [u8]) -> (usize, usize)| {
            let mut dst = vec![0x2A; room];
            let (read, written) = convert(bytes, &mut dst);
            dst.truncate(written);
            (read, dst)
        };
        assert_eq!(
            output(ours::convert_latin1_to_utf8_partial),
            output(theirs::convert_latin1_to_utf8_partial),
            "{bytes:X?} {room}"
        );
        let output = |convert: fn(&[u8], &mut str) -> (usize, usize)| {
            let mut dst = "文".repeat(room / 3) + &"x".repeat(room % 3);
            let (read, written) = convert(bytes, &mut dst);
            assert!(std::str::from_utf8(dst.as_bytes()).is_ok());
            (read, dst[..written].to_owned())
        };
        assert_eq!(
            output(ours::convert_latin1_to_str_partial),
            output(theirs::convert_latin1_to_str_partial),
            "{bytes:X?} {room}"
        );
    }
}

/// The pieces of test text: UTF-8 and parts of its sequences.
const BYTES: [&[u8]; 30] = [
    b"",
    b"\x80",
    b"\xBF",
    b"\xC1\x80",
    b"\xC2\x80",
    b"\xC2",
    b"\xC3\xBF",
    b"\xC3\xC0",
    b"\xC4\x80",
    b"\xD6\x8F",
    b"\xD6\x90",
    b"\xD7\x90",
    b"\xE0\xA3\xBF",
    b"\xE0\xA4\x80",
    b"\xE2\x80\x8E",
    b"\xE2\x80\x8F",
    b"\xE2\x80\xAB",
    b"\xE2\x80\xAE",
    b"\xE2\x81\xA7",
    b"\xEF\xAC\x9C",
    b"\xEF\xAC\x9D",
    b"\xEF\xB8\x80",
    b"\xEF\xB9\xB0",
    b"\xEF\xBB\xBE",
    b"\xEF\xBB\xBF",
    b"\xED\xA0\x80",
    b"\xF0\x90\x9F\xBF",
    b"\xF0\x90\xA0\x80",
    b"\xF0\x9E\xBA\x80",
    b"\xF0\x9F\x92",
];

const UNITS: [&[u16]; 26] = [
    &[],
    &[0x7F],
    &[0x80],
    &[0xFF],
    &[0x100],
    &[0x58F],
    &[0x590],
    &[0x8FF],
    &[0x900],
    &[0x200E],
    &[0x200F],
    &[0x202B],
    &[0x202E],
    &[0x2067],
    &[0xFB1C],
    &[0xFB1D],
    &[0xFE00],
    &[0xFE70],
    &[0xFEFE],
    &[0xFEFF],
    &[0xD800],
    &[0xDC00],
    &[0xD83D, 0xDCA9],
    &[0xD802, 0xDC00],
    &[0xD83B, 0xDC00],
    &[0xDC00, 0xD800],
];

#[test]
fn a_piece_at_every_place_of_every_length() {
    let mut random = Random::new(61);
    for base in ["a", "é", "ж", "文"] {
        let text = base.repeat(LONGEST + 8);
        let units: Vec<u16> = text.encode_utf16().collect();
        for len in (0..LONGEST).step_by(base.len()) {
            let piece = BYTES[random.below(BYTES.len())];
            let at = random.below(len / base.len() + 1) * base.len();
            // Slices of one allocation at changing offsets, so that every input alignment occurs.
            let start = random.below(8) * base.len();
            let bytes = [
                &text.as_bytes()[..start],
                &text.as_bytes()[..at],
                piece,
                &text.as_bytes()[at..len],
            ]
            .concat();
            check_bytes(&bytes[start..]);
            let piece = UNITS[random.below(UNITS.len())];
            let (at, start) = (random.below(len + 1), random.below(32));
            let units = [&units[..start], &units[..at], piece, &units[at..len]].concat();
            check_units(&units[start..]);
        }
    }
    for piece in BYTES {
        for before in 0..70 {
            let bytes = [&b"a".repeat(before)[..], piece, &b"b".repeat(40)].concat();
            check_bytes(&bytes);
            check_bytes(&bytes[..before + piece.len()]);
            let bytes = [
                "é".repeat(before / 2).as_bytes(),
                piece,
                "é".repeat(40).as_bytes(),
            ]
            .concat();
            check_bytes(&bytes);
        }
    }
    for piece in UNITS {
        for before in 0..140 {
            for base in [0x61, 0xE9, 0x416, 0x6587] {
                let units = [&vec![base; before][..], piece, &[base; 70]].concat();
                check_units(&units);
                check_units(&units[..before + piece.len()]);
            }
        }
    }
}

#[test]
fn all_lengths_at_all_alignments() {
    let bytes: Vec<u8> = (0..600).map(|i| b"abc\xC3\xA9"[i % 5]).collect();
    let units: Vec<u16> = (0..600).map(|i| [0x61, 0xE9, 0x62][i % 3]).collect();
    for len in 0..160 {
        for shift in 0..64 {
            let src = &bytes[shift..shift + len];
            same!(utf8_latin1_up_to(src));
            same!(is_utf8_bidi(src));
            same!(is_ascii(src));
            let src = &units[shift..shift + len];
            same!(is_utf16_latin1(src));
            same!(is_utf16_bidi(src));
            same!(utf16_valid_up_to(src));
            let mut dst = vec![0; len + 64];
            ours::convert_utf16_to_latin1_lossy(src, &mut dst[shift..]);
            assert!(
                src.iter()
                    .zip(&dst[shift..])
                    .all(|(&unit, &byte)| unit == u16::from(byte))
            );
            let mut back = vec![0; len + 64];
            ours::convert_latin1_to_utf16(&dst[shift..shift + len], &mut back[64 - shift..]);
            assert_eq!(&back[64 - shift..][..len], src);
        }
    }
}

#[test]
fn noise_and_mixed_text() {
    let mut random = Random::new(62);
    for round in 0..2000 {
        let text = random.odd_text(4 * (1 + round % 40));
        check_bytes(text.as_bytes());
        check_bytes(&random.noise(round % 100));
        let mut bytes = text.into_bytes();
        let at = random.below(bytes.len());
        bytes[at] = random.next() as u8;
        check_bytes(&bytes);
        check_units(&random.odd_units(3 * (round % 60)));
        let units: Vec<u16> = (0..round % 90).map(|_| random.next() as u16).collect();
        check_units(&units);
        let low: Vec<u16> = units.iter().map(|unit| unit & 0xFF).collect();
        check_units(&low);
    }
}

#[test]
fn partial_conversions_with_every_room() {
    let mut random = Random::new(63);
    for round in 0..60 {
        check_partial(&random.noise(round), &random.odd_units(3 * (round / 2)));
        let latin1: Vec<u8> = (0..round)
            .map(|i| if i % 7 == 0 { 0xE9 } else { 0x61 })
            .collect();
        let text: Vec<u16> = random.odd_text(4 * (round / 3)).encode_utf16().collect();
        check_partial(&latin1, &text);
    }
}

#[test]
fn every_code_unit_and_character_has_its_direction() {
    for unit in 0..=0xFFFF {
        same!(is_utf16_code_unit_bidi(unit));
    }
    for scalar in '\0'..=char::MAX {
        same!(is_char_bidi(scalar));
    }
}

#[test]
fn short_destinations_panic() {
    let panics =
        |call: &dyn Fn()| std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err();
    std::panic::set_hook(Box::new(|_| {}));
    let calls: [&dyn Fn(); 13] = [
        &|| drop_number(ours::convert_utf8_to_utf16(b"ab", &mut [0; 2])),
        &|| drop_number(ours::convert_str_to_utf16("ab", &mut [0; 1])),
        &|| assert!(ours::convert_utf8_to_utf16_without_replacement(b"ab", &mut [0; 1]).is_some()),
        &|| drop_number(ours::convert_utf16_to_utf8(&[0x61; 2], &mut [0; 5])),
        &|| {
            drop_number(ours::convert_utf16_to_str(
                &[0x61; 2],
                &mut String::from("12345"),
            ))
        },
        &|| ours::convert_latin1_to_utf16(b"ab", &mut [0; 1]),
        &|| drop_number(ours::convert_latin1_to_utf8(b"ab", &mut [0; 3])),
        &|| drop_number(ours::convert_latin1_to_str(b"ab", &mut String::from("123"))),
        &|| drop_number(ours::convert_utf8_to_latin1_lossy(b"ab", &mut [0; 1])),
        &|| ours::convert_utf16_to_latin1_lossy(&[0x61; 2], &mut [0; 1]),
        &|| drop_number(ours::copy_ascii_to_ascii(b"ab", &mut [0; 1])),
        &|| drop_number(ours::copy_ascii_to_basic_latin(b"ab", &mut [0; 1])),
        &|| drop_number(ours::copy_basic_latin_to_ascii(&[0x61; 2], &mut [0; 1])),
    ];
    for (i, call) in calls.into_iter().enumerate() {
        assert!(panics(call), "call {i}");
    }
    drop(std::panic::take_hook());
}

fn drop_number(_: usize) {}
