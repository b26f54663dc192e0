//! Tests encoding streams with both crates, compared as for decoding: call by call in large outputs, by totals and
//! positions in small ones. With replacement, both crates keep space for a numeric character reference in each call,
//! and so report a full output more often.

mod common;

use common::input;
use common::{Drive, Run, in_turns, one_in, ours, theirs};
use mojika_spec::Random;

fn compare(ours: Run<u8>, theirs: Run<u8>, by_call: bool, case: impl Fn() -> String) {
    if by_call {
        for (i, (ours, theirs)) in ours.calls.iter().zip(&theirs.calls).enumerate() {
            assert_eq!(ours, theirs, "call {i}: {}", case());
        }
    }
    assert!(ours.output == theirs.output, "output: {}", case());
    assert_eq!(ours.replaced(), theirs.replaced(), "{}", case());
    assert_eq!(ours.places(), theirs.places(), "{}", case());
    let state = |run: &Run<u8>| run.calls.last().map(|call| call.state.clone());
    assert_eq!(state(&ours), state(&theirs), "{}", case());
}

fn check_utf8(mut drive: Drive<'_, str>, by_call: bool) {
    for replacing in [false, true] {
        for to_vec in [false, true] {
            drive.replacing = replacing;
            let case = || format!("to vector: {to_vec}, {drive:?}");
            let ours = ours::encode_utf8(to_vec, &drive);
            compare(ours, theirs::encode_utf8(to_vec, &drive), by_call, case);
        }
    }
}

fn check_utf16(mut drive: Drive<'_, [u16]>, by_call: bool) {
    for replacing in [false, true] {
        drive.replacing = replacing;
        let case = || format!("from UTF-16, {drive:?}");
        compare(
            ours::encode_utf16(&drive),
            theirs::encode_utf16(&drive),
            by_call,
            case,
        );
    }
}

/// Compares each call in mode "html", from UTF-8 to a slice.
fn replacing(mut drive: Drive<'_, str>) {
    drive.replacing = true;
    let (ours, theirs) = (
        ours::encode_utf8(false, &drive),
        theirs::encode_utf8(false, &drive),
    );
    compare(ours, theirs, true, || format!("{drive:?}"));
}

/// Compares each call in mode "html", from UTF-16.
fn replacing16(mut drive: Drive<'_, [u16]>) {
    drive.replacing = true;
    let (ours, theirs) = (ours::encode_utf16(&drive), theirs::encode_utf16(&drive));
    compare(ours, theirs, true, || format!("{drive:?}"));
}

/// Returns a number of bytes that exceeds any output for a chunk of `len` units, including references.
fn ample(len: usize) -> usize {
    13 * len + 32
}

/// Splits text into chunks of about `size` bytes.
fn chunks(text: &str, size: usize) -> Vec<&str> {
    let mut chunks = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut at = size.min(rest.len());
        while !rest.is_char_boundary(at) {
            at += 1;
        }
        let (chunk, more) = rest.split_at(at);
        chunks.push(chunk);
        rest = more;
    }
    chunks.push("");
    chunks
}

#[test]
fn text_in_chunks_of_many_sizes() {
    let mut random = Random::new(21);
    for name in input::names() {
        for round in (0..10).step_by(one_in(3)) {
            let text = random.odd_text(12 * round);
            let units = random.odd_units(9 * round);
            for size in [1, 2, 3, 5, 16, 1000] {
                check_utf8(Drive::new(name, chunks(&text, size), ample(size + 4)), true);
                let parts: Vec<_> = units.chunks(size).collect();
                check_utf16(Drive::new(name, parts, ample(size)), true);
            }
        }
    }
}

#[test]
fn text_with_every_small_room() {
    let (mut random, mut turn) = (Random::new(22), 0);
    for name in input::names() {
        for round in 1..5 {
            let text = random.odd_text(24 * round);
            let units = random.odd_units(18 * round);
            turn += 1;
            // The published crate needs the space of a reference, an escape sequence and a character.
            for room in in_turns(15..60, 9, turn) {
                check_utf8(Drive::new(name, chunks(&text, 7 * round), room), false);
                check_utf8(Drive::new(name, vec![&text], room), false);
                check_utf16(Drive::new(name, vec![&units], room), false);
            }
        }
    }
}

#[test]
fn long_text() {
    let mut random = Random::new(23);
    for name in input::names() {
        let text = random.odd_text(8000 / one_in(4));
        let units: Vec<u16> = text.encode_utf16().collect();
        check_utf8(Drive::new(name, vec![&text], ample(text.len())), true);
        check_utf16(Drive::new(name, vec![&units], ample(units.len())), true);
        check_utf8(Drive::new(name, chunks(&text, 700), 555), false);
        check_utf16(Drive::new(name, units.chunks(700).collect(), 555), false);
    }
}

#[test]
fn every_scalar_value() {
    for name in input::names() {
        // Use short blocks, so that a failure shows a short text.
        for block in (0..0x11000_u32).chain(0x1F300..0x1F400).step_by(64) {
            let line: String = (block..block + 64).filter_map(char::from_u32).collect();
            let units: Vec<u16> = line.encode_utf16().collect();
            replacing(Drive::new(name, vec![&*line], ample(line.len())));
            replacing16(Drive::new(name, vec![&*units], ample(units.len())));
        }
    }
}

#[test]
fn the_maximum_is_room_enough() {
    let mut random = Random::new(24);
    for name in input::names() {
        for round in 0..200 {
            // Without replacement, a call reports only one error: use mappable text as well as other text.
            let text = random.odd_text(4 * (round % 9));
            let units = random.odd_units(3 * (round % 9));
            let full = |result: &encoding_rs::EncoderResult| {
                assert_ne!(
                    *result,
                    encoding_rs::EncoderResult::OutputFull,
                    "{name} {text:?}"
                );
            };
            let mut encoder = ours::encoding(name).new_encoder();
            let most = encoder.max_buffer_length_from_utf8_without_replacement(text.len());
            let mut dst = vec![0; most.unwrap()];
            full(
                &encoder
                    .encode_from_utf8_without_replacement(&text, &mut dst, true)
                    .0,
            );
            let mut encoder = ours::encoding(name).new_encoder();
            let most = encoder.max_buffer_length_from_utf16_without_replacement(units.len());
            let mut dst = vec![0; most.unwrap()];
            full(
                &encoder
                    .encode_from_utf16_without_replacement(&units, &mut dst, true)
                    .0,
            );
        }
    }
}

#[test]
fn little_room_is_full_before_anything_is_read() {
    // With replacement, both crates first check for the space of a numeric character reference.
    let mut dst = [0; 9];
    for (text, last) in [("a", true), ("a", false), ("", true), ("", false)] {
        let ours = encoding_rs::SHIFT_JIS
            .new_encoder()
            .encode_from_utf8(text, &mut dst, last);
        let theirs = published::SHIFT_JIS
            .new_encoder()
            .encode_from_utf8(text, &mut dst, last);
        assert_eq!(
            format!("{ours:?}"),
            format!("{theirs:?}"),
            "{text:?} {last}"
        );
    }
}

#[test]
fn references_leave_room_for_the_next_as_in_the_published_crate() {
    // The output has only numeric character references, so that both crates check the same free space in each call.
    for (text, count) in [("→", 5), ("💩", 4), ("\u{7FF}💩", 3)] {
        let text = text.repeat(count);
        let units: Vec<u16> = text.encode_utf16().collect();
        for room in 11..80 {
            replacing(Drive::new("windows-1252", vec![&*text], room));
            replacing16(Drive::new("windows-1252", vec![&*units], room));
        }
    }
}
