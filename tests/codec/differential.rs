//! Against encoding_rs 0.8.44, which shares no code with this library: decoding of all short inputs and of streams,
//! encoding of every scalar value.
//!
//! For UTF-16BE/LE and replacement, encoding_rs encodes to UTF-8, as the Web does; mojika does not. These three are
//! compared in decoding only.

use crate::common::peer::{self, Comparison, PeerForm};
use crate::common::{EncodeError, Random, drive, hex, in_turns, input, utf_16};
use mojika::Encoding;
use mojika_spec::odd::STARTS;

/// Encodings whose encoders can be compared.
fn encoders() -> impl Iterator<Item = &'static Encoding> {
    Encoding::all()
        .iter()
        .copied()
        .filter(|e| e.output_encoding() == *e)
}

fn every_input_of_up_to_two_bytes<U: PeerForm>() {
    for (number, encoding) in Encoding::all().iter().enumerate() {
        let mut comparison = Comparison::<U>::new(encoding, 2);
        comparison.check(b"", false);
        // The preceding byte matters less if each byte is a character.
        let share = if encoding.is_single_byte() { 8 } else { 2 };
        for first in 0..=0xFF {
            comparison.check(&[first], false);
            for second in in_turns(0..=0xFF, share, number + usize::from(first)) {
                comparison.check(&[first, second], false);
            }
        }
    }
}

#[test]
fn every_input_of_up_to_two_bytes_to_utf_8() {
    every_input_of_up_to_two_bytes::<u8>();
}

#[test]
fn every_input_of_up_to_two_bytes_to_utf_16() {
    every_input_of_up_to_two_bytes::<u16>();
}

#[test]
fn every_pair_between_ascii() {
    // Long enough for the fast paths of both, including the input after a broken pair.
    for encoding in input::representatives() {
        let mut comparison = Comparison::<u8>::new(encoding, 256 * 5);
        for first in 0x80..=0xFF {
            let line: Vec<u8> = (0..=0xFF)
                .flat_map(|second| [b'<', first, second, b'a', b'>'])
                .collect();
            comparison.check(&line, false);
        }
    }
}

#[test]
fn every_escape_sequence_of_iso_2022_jp() {
    let mut comparison = Comparison::<u8>::new(mojika::ISO_2022_JP, 16);
    for start in [&b""[..], b"\x1B$B", b"\x1B(I", b"\x1B(J\\", b"\x1B$B0"] {
        for first in 0..=0x7F {
            for second in 0..=0x7F {
                let bytes = [start, &[0x1B, first, second, 0x30, 0x21][..]].concat();
                comparison.check(&bytes, false);
            }
        }
    }
}

#[test]
fn every_third_and_fourth_byte_of_gb18030() {
    let mut comparison = Comparison::<u8>::new(mojika::GB18030, 8);
    for start in [
        b"\x81\x30",
        b"\x84\x31",
        b"\x8F\x39",
        b"\x90\x30",
        b"\xE3\x32",
        b"\xFE\x39",
    ] {
        for third in 0..=0xFF {
            for fourth in in_turns(0..=0xFF, 3, usize::from(third)) {
                let bytes = [&start[..], &[third, fourth]].concat();
                comparison.check(&bytes, false);
            }
        }
    }
}

#[test]
fn every_three_bytes_of_utf_8_and_euc_jp_by_class() {
    let classes = [
        0x00, 0x41, 0x7F, 0x80, 0x8E, 0x8F, 0x90, 0x9F, 0xA0, 0xA1, 0xA2, 0xBF, 0xC0, 0xC1, 0xC2,
        0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFE, 0xFF,
    ];
    for encoding in [mojika::UTF_8, mojika::EUC_JP] {
        let mut comparison = Comparison::<u16>::new(encoding, 8);
        for (i, a) in classes.into_iter().enumerate() {
            for (j, b) in classes.into_iter().enumerate() {
                for c in in_turns(classes, 3, i + j) {
                    for d in [0x41, 0x80, 0xA1, 0xBF, 0xF0] {
                        comparison.check(&[a, b, c], false);
                        comparison.check(&[a, b, c, d], false);
                    }
                }
            }
        }
    }
}

fn odd_streams<U: PeerForm>(seed: u64) {
    let mut random = Random::new(seed);
    for encoding in Encoding::all() {
        let mut comparison = Comparison::<U>::new(encoding, 5000);
        for round in in_turns(0..60, 3, random.below(3)) {
            let bytes = random.odd_bytes(round * round);
            comparison.check(&bytes, false);
            comparison.check(&bytes, true);
            // Output of encoders: mostly well-formed.
            if let Ok(encoded) = encoding.encode_html(&random.odd_text(10 * round)) {
                let mut bytes = encoded.bytes.into_owned();
                comparison.check(&bytes, false);
                for _ in 0..3 {
                    let at = random.below(bytes.len().max(1));
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = random.next() as u8;
                    }
                }
                comparison.check(&bytes, false);
            }
        }
    }
}

#[test]
fn odd_streams_to_utf_8() {
    odd_streams::<u8>(10);
}

#[test]
fn odd_streams_to_utf_16() {
    odd_streams::<u16>(11);
}

#[test]
fn byte_order_marks_and_what_nearly_is_one() {
    for encoding in Encoding::all() {
        let mut units = Comparison::<u16>::new(encoding, 16);
        let mut bytes = Comparison::<u8>::new(encoding, 16);
        for first in STARTS {
            for second in STARTS {
                for third in STARTS {
                    let input = [first, second, third].concat();
                    units.check(&input, true);
                    bytes.check(&input, true);
                }
            }
        }
    }
}

/// Every scalar value of a range.
fn scalars(from: u32, to: u32) -> String {
    (from..=to).filter_map(char::from_u32).collect()
}

#[track_caller]
fn same(encoding: &Encoding, ours: &[u8], theirs: &[u8]) {
    if ours == theirs {
        return;
    }
    let at = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
    let near = |bytes: &[u8]| hex(&bytes[at.saturating_sub(8)..bytes.len().min(at + 16)]);
    let level = mojika::simd::level();
    panic!(
        "{encoding} at level {level} at byte {at}: {} is not {}",
        near(ours),
        near(theirs)
    );
}

#[test]
fn every_scalar_value_of_the_first_plane_in_mode_html() {
    let text = scalars(0, 0xFFFF);
    let units = utf_16(&text);
    for (number, encoding) in encoders().enumerate() {
        let encoder = &mut encoding.new_encoder().unwrap();
        let room = 10 * text.len();
        for from_utf_16 in in_turns([false, true], 2, number) {
            let ours = match from_utf_16 {
                false => drive::encode(encoder, &[&*text], room).bytes,
                true => drive::encode(encoder, &[&*units], room).bytes,
            };
            let theirs = peer::encode_html(encoding, &text, from_utf_16);
            same(encoding, &ours, &theirs);
        }
    }
}

/// Mode "html" on the other planes: encoding_rs gives the output for the three encodings that have bytes for some, and
/// the rest are references.
fn other_planes(check: impl Fn(&'static Encoding, &str, &[u8])) {
    let text = scalars(0x10000, 0x10FFFF);
    let references: String = text.chars().map(crate::common::reference).collect();
    for encoding in encoders() {
        match encoding.name() {
            "UTF-8" => check(encoding, &text, text.as_bytes()),
            "gb18030" | "Big5" => {
                check(encoding, &text, &peer::encode_html(encoding, &text, false))
            }
            _ => check(encoding, &text, references.as_bytes()),
        }
    }
}

#[test]
fn every_scalar_value_of_the_other_planes_from_utf_8() {
    other_planes(|encoding, text, expected| {
        same(
            encoding,
            &encoding.encode_html(text).unwrap().bytes,
            expected,
        );
    });
}

#[test]
fn every_scalar_value_of_the_other_planes_from_utf_16() {
    // Details of UTF-16 are the same for all single-byte encodings.
    let representatives = input::representatives();
    let units = utf_16(&scalars(0x10000, 0x10FFFF));
    other_planes(|encoding, _, expected| {
        if !representatives.contains(&encoding) {
            return;
        }
        let mut bytes = Vec::with_capacity(expected.len());
        let mut encoder = encoding.new_encoder().unwrap();
        encoder.encode_html_append(&units, &mut bytes, true);
        same(encoding, &bytes, expected);
    });
}

#[test]
fn every_scalar_value_of_the_first_plane_in_mode_fatal() {
    // In pieces, as finding an offset from encoding_rs's answers is slow.
    for (number, from) in (0..0x10000).step_by(0x200).enumerate() {
        let text = scalars(from, from + 0x1FF);
        for encoding in in_turns(encoders(), 3, number) {
            let encoder = &mut encoding.new_encoder().unwrap();
            let (bytes, errors) = peer::encode_fatal(encoding, &text);
            let ours = drive::encode_fatal(encoder, &[&*text], bytes.len() + 16);
            same(encoding, &ours.bytes, &bytes);
            let place = |error: &EncodeError| (error.offset, error.at, error.scalar);
            let ours: Vec<_> = ours.errors.iter().map(place).collect();
            let theirs: Vec<_> = errors.iter().map(place).collect();
            assert!(
                ours == theirs,
                "{encoding}: U+{from:04X} and the 511 after it"
            );
        }
    }
}

#[test]
fn odd_texts_in_both_modes() {
    let mut random = Random::new(12);
    for encoding in encoders() {
        let encoder = &mut encoding.new_encoder().unwrap();
        for round in in_turns(0..80, 4, random.below(4)) {
            let text = random.odd_text(round * 4);
            let room = 10 * text.len() + 16;
            let html = drive::encode(encoder, &[&*text], room);
            same(
                encoding,
                &html.bytes,
                &peer::encode_html(encoding, &text, false),
            );
            let fatal = drive::encode_fatal(encoder, &[&*text], room);
            let (bytes, errors) = peer::encode_fatal(encoding, &text);
            same(encoding, &fatal.bytes, &bytes);
            assert_eq!(fatal.errors, errors, "{encoding}: {text:?}");
        }
    }
}
