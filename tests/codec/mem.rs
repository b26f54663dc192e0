//! `mojika::mem` compared with the standard library: UTF-8 and UTF-16 of the same text, with errors, into output of any
//! size.
//!
//! The compatibility crate compares the same functions with encoding_rs, and the kernels' own tests run every level.

use crate::common::Random;
use mojika::{Status, mem};

/// Returns strings that mix the characters that kernels convert with others.
fn texts() -> impl Iterator<Item = String> {
    let mut random = Random::new(71);
    let long = (0..40).map(move |i| random.odd_text(20 * i));
    let latin1 = (0..200).map(|n| "naïve été ".chars().cycle().take(n).collect());
    let ascii = (0..100).map(|n| "a".repeat(n));
    long.chain(latin1).chain(ascii)
}

/// UTF-16 with a lone surrogate in some places.
fn broken_units(text: &str, random: &mut Random) -> Vec<u16> {
    let mut units: Vec<u16> = text.encode_utf16().collect();
    for _ in 0..units.len() / 20 + 1 {
        let at = random.below(units.len() + 1);
        units.insert(at, 0xD800 + (random.next() % 0x800) as u16);
    }
    units
}

#[test]
fn lengths_and_counts_are_the_standard_librarys() {
    let mut random = Random::new(79);
    for text in texts() {
        assert_eq!(mem::count_chars(&text), text.chars().count());
        assert_eq!(mem::utf16_len_of_utf8(&text), text.encode_utf16().count());
        let latin1: Vec<u8> = text.chars().map(|c| c as u32 as u8).collect();
        let as_text: String = latin1.iter().map(|&byte| char::from(byte)).collect();
        assert_eq!(mem::utf8_len_of_latin1(&latin1), as_text.len());
        let whole: Vec<u16> = text.encode_utf16().collect();
        for units in [whole, broken_units(&text, &mut random)] {
            let replaced = String::from_utf16_lossy(&units);
            assert_eq!(mem::utf8_len_of_utf16(&units), replaced.len());
            assert_eq!(mem::count_chars_of_utf16(&units), replaced.chars().count());
            let mut bytes = vec![0; replaced.len()];
            assert_eq!(mem::utf16_to_utf8(&units, &mut bytes).read, units.len());
        }
    }
}

#[test]
fn only_what_may_be_completed_is_cut_off() {
    // Every sequence of up to four decisive bytes, after a character of each length.
    let deciding = [
        0x61, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0,
        0xF1, 0xF4, 0xF5, 0xFF,
    ];
    let mut tails = vec![Vec::new()];
    for _ in 0..4 {
        let longer: Vec<Vec<u8>> = (tails.iter())
            .flat_map(|tail| deciding.map(|byte| [tail, &[byte][..]].concat()))
            .collect();
        for tail in &longer {
            for start in ["", "a", "é", "文", "😀"] {
                let bytes = [start.as_bytes(), tail].concat();
                // A stream that waits for more input has not decoded the incomplete sequence.
                let mut decoder = mojika::Decoder::new(mojika::UTF_8, mojika::BomHandling::Keep);
                decoder.decode(&bytes, &mut [0_u8; 64], false);
                let expected = bytes.len() - decoder.incomplete_len();
                assert_eq!(mem::whole_chars_len_of_utf8(&bytes), expected, "{bytes:X?}");
            }
        }
        tails = longer;
    }
    for (units, expected) in [
        (&[][..], 0),
        (&[0x61], 1),
        (&[0xD800], 0),
        (&[0xDBFF], 0),
        (&[0xDC00], 1),
        (&[0xD83D, 0xDE00], 2),
        (&[0xD83D, 0xD83D], 1),
        (&[0xE000], 1),
    ] {
        assert_eq!(mem::whole_chars_len_of_utf16(units), expected, "{units:X?}");
    }
}

#[test]
fn prefixes_end_where_the_standard_library_says() {
    let mut random = Random::new(72);
    for text in texts() {
        let mut bytes = text.clone().into_bytes();
        let ascii = |bytes: &[u8]| bytes.iter().position(|byte| !byte.is_ascii());
        assert_eq!(
            mem::ascii_prefix_len(&bytes),
            ascii(&bytes).unwrap_or(bytes.len())
        );
        assert_eq!(mem::utf8_prefix_len(&bytes), bytes.len());
        let latin1 = text.find(|c| c > '\u{FF}').unwrap_or(text.len());
        assert_eq!(mem::latin1_prefix_len_of_utf8(&bytes), latin1);
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!(mem::utf16_prefix_len(&units), units.len());
        assert_eq!(mem::is_latin1_utf16(&units), latin1 == text.len());
        assert_eq!(mem::has_rtl(&units), text.chars().any(mem::is_rtl));
        assert_eq!(
            mem::has_rtl_or_is_malformed(&bytes),
            text.chars().any(mem::is_rtl)
        );
        assert_eq!(mem::has_rtl(&text), text.chars().any(mem::is_rtl));
        if let Some(at) = bytes
            .len()
            .checked_sub(1)
            .map(|last| random.below(last + 1))
        {
            bytes[at] = random.next() as u8;
            let valid = std::str::from_utf8(&bytes);
            let len = valid.map_or_else(|error| error.valid_up_to(), str::len);
            assert_eq!(mem::utf8_prefix_len(&bytes), len);
            assert!(valid.is_ok() || mem::has_rtl_or_is_malformed(&bytes));
        }
    }
}

#[test]
fn iso_2022_jp_prefixes_end_at_its_controls() {
    for len in 0..700 {
        let clean = vec![b'a'; len];
        assert_eq!(mem::iso_2022_jp_ascii_prefix_len(&clean), len);
        for stop in [0x0E, 0x0F, 0x1B, 0x80, 0xFF] {
            let bytes = [&clean[..], &[stop], b"abc\x1B"].concat();
            assert_eq!(mem::iso_2022_jp_ascii_prefix_len(&bytes), len, "{stop:X}");
        }
        let bytes = [&clean[..], b"\x0D\x10\x1A\x1C\x7F"].concat();
        assert_eq!(mem::iso_2022_jp_ascii_prefix_len(&bytes), len + 5);
    }
}

#[test]
fn utf_8_to_utf_16_is_the_standard_library_s() {
    let mut random = Random::new(73);
    for text in texts() {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut dst = vec![0; text.len()];
        let progress = mem::utf8_to_utf16(text.as_bytes(), &mut dst);
        assert_eq!((progress.read, progress.written), (text.len(), units.len()));
        assert_eq!(dst[..units.len()], units);
        let progress = mem::utf8_to_utf16_fatal(text.as_bytes(), &mut dst);
        assert_eq!((progress.read, progress.written), (text.len(), units.len()));

        let mut bytes = text.into_bytes();
        for _ in 0..bytes.len() / 30 + 1 {
            bytes.insert(random.below(bytes.len() + 1), random.next() as u8);
        }
        let expected: Vec<u16> = String::from_utf8_lossy(&bytes).encode_utf16().collect();
        let mut dst = vec![0; bytes.len()];
        let progress = mem::utf8_to_utf16(&bytes, &mut dst);
        assert_eq!(progress.read, bytes.len());
        assert_eq!(dst[..progress.written], expected);
        for room in (0..40).chain([bytes.len() / 2]) {
            let room = room.min(bytes.len());
            dst.fill(0x2A);
            let progress = mem::utf8_to_utf16(&bytes, &mut dst[..room]);
            // All whole characters that fit are written, and nothing after them.
            let most = expected.len().min(room);
            let cut =
                most > 0 && matches!(expected[most - 1], 0xD800..0xDC00) && most < expected.len();
            assert_eq!(progress.written, most - usize::from(cut));
            assert_eq!(dst[..progress.written], expected[..progress.written]);
            assert!(dst[progress.written..].iter().all(|&unit| unit == 0x2A));
            let read = String::from_utf8_lossy(&bytes[..progress.read]);
            assert!(
                read.encode_utf16()
                    .eq(dst[..progress.written].iter().copied())
            );
            let whole = progress.read == bytes.len();
            assert_eq!(progress.status == Status::InputEmpty, whole);
            let is_malformed = str::from_utf8(&bytes[..progress.read]).is_err();
            assert_eq!(progress.had_errors, is_malformed);
            let fatal = mem::utf8_to_utf16_fatal(&bytes, &mut dst[..room]);
            assert!(fatal.written <= progress.written && !fatal.had_errors);
            match fatal.status {
                Status::InputEmpty => assert_eq!(fatal.read, bytes.len()),
                Status::OutputFull => assert!(fatal.read <= progress.read),
                Status::Malformed(sequence) => {
                    assert_eq!(sequence.offset as usize, mem::utf8_prefix_len(&bytes));
                }
                Status::Unmappable(_) => unreachable!("a decoder has no such error"),
            }
        }
        let progress = mem::utf8_to_utf16_fatal(&bytes, &mut dst);
        let (read, len) = match progress.status {
            Status::Malformed(sequence) => (sequence.offset as usize, sequence.len.into()),
            _ => (progress.read, 0),
        };
        assert_eq!(
            (read, read + len),
            (mem::utf8_prefix_len(&bytes), progress.read)
        );
    }
}

#[test]
fn utf_16_to_utf_8_replaces_lone_surrogates_and_fills_the_room() {
    let mut random = Random::new(74);
    for text in texts() {
        let units = broken_units(&text, &mut random);
        let expected = String::from_utf16_lossy(&units);
        let mut dst = vec![0; 3 * units.len()];
        let progress = mem::utf16_to_utf8(&units, &mut dst);
        assert_eq!(progress.read, units.len());
        assert_eq!(dst[..progress.written], *expected.as_bytes());

        let mut mended = units.clone();
        mem::replace_lone_surrogates(&mut mended);
        assert_eq!(String::from_utf16(&mended).unwrap(), expected);

        for room in (0..80).chain([dst.len() / 2]) {
            let room = room.min(dst.len());
            dst.fill(0x2A);
            let progress = mem::utf16_to_utf8(&units, &mut dst[..room]);
            // All whole characters that fit are written, and nothing after them.
            let fits = (0..=room)
                .rev()
                .find(|&at| expected.is_char_boundary(at))
                .unwrap();
            assert_eq!(progress.written, fits.min(expected.len()));
            assert_eq!(
                dst[..progress.written],
                expected.as_bytes()[..progress.written]
            );
            assert!(dst[progress.written..].iter().all(|&byte| byte == 0x2A));
            let read = String::from_utf16_lossy(&units[..progress.read]);
            assert_eq!(read.len(), progress.written);

            let mut old = "文".repeat(room / 3 + 1);
            let in_str = mem::utf16_to_str(&units, &mut old);
            assert!(std::str::from_utf8(old.as_bytes()).is_ok());
            assert_eq!(old[..in_str.written], expected[..in_str.written]);
        }
    }
}

#[test]
fn latin1_goes_to_utf_8_and_utf_16_and_back() {
    let all: Vec<u8> = (0..=255).cycle().take(1000).collect();
    for len in 0..400 {
        let bytes = &all[len..2 * len];
        let expected: String = bytes.iter().map(|&byte| char::from(byte)).collect();
        assert_eq!(mem::decode_latin1(bytes), expected);
        assert_eq!(*mem::encode_latin1_lossy(&expected), *bytes);
        let mut utf8 = vec![0; 2 * len];
        let progress = mem::latin1_to_utf8(bytes, &mut utf8);
        assert_eq!((progress.read, progress.written), (len, expected.len()));
        assert_eq!(utf8[..progress.written], *expected.as_bytes());
        let mut back = vec![0; expected.len()];
        let progress = mem::utf8_to_latin1_lossy(expected.as_bytes(), &mut back);
        assert_eq!((progress.read, progress.written), (expected.len(), len));
        assert_eq!(back[..len], *bytes);
        for room in [0, 1, 2, len / 3, len / 2, len] {
            let room = room.min(len);
            back.fill(0x2A);
            let progress = mem::utf8_to_latin1_lossy(expected.as_bytes(), &mut back[..room]);
            assert_eq!(progress.written, room);
            assert_eq!(expected[..progress.read].chars().count(), room);
            assert_eq!(back[..room], bytes[..room]);
        }
        let mut units = vec![0; len];
        assert_eq!(mem::latin1_to_utf16(bytes, &mut units), len);
        assert_eq!(mem::latin1_to_utf16(bytes, &mut [0; 7]), len.min(7));
        assert!(
            units
                .iter()
                .zip(bytes)
                .all(|(&unit, &byte)| unit == u16::from(byte))
        );
        let mut back = vec![0; len];
        assert_eq!(mem::utf16_to_latin1_lossy(&units, &mut back), len);
        assert_eq!(mem::utf16_to_latin1_lossy(&units, &mut [0; 7]), len.min(7));
        assert_eq!(back, bytes);
        for room in 0..expected.len().min(70) {
            let mut old = "文".repeat(room / 3 + 1);
            let progress = mem::latin1_to_str(bytes, &mut old);
            assert!(std::str::from_utf8(old.as_bytes()).is_ok());
            assert_eq!(old[..progress.written], expected[..progress.written]);
        }
    }
}

#[test]
fn text_that_is_no_latin1_is_memory_safe_and_stays_in_bounds() {
    let mut random = Random::new(75);
    for len in 0..300 {
        let bytes = random.odd_bytes(len);
        let mut dst = vec![0; bytes.len()];
        let progress = mem::utf8_to_latin1_lossy(&bytes, &mut dst);
        assert!(progress.written <= progress.read && progress.read == bytes.len());
        let progress = mem::utf8_to_latin1_lossy(&bytes, &mut dst[..bytes.len() / 2]);
        assert!(progress.written <= bytes.len() / 2);
        let text = random.odd_text(len);
        assert!(mem::encode_latin1_lossy(&text).len() <= text.len());
    }
}

#[test]
fn ascii_copies_stop_at_the_first_other_unit() {
    for len in 0..200 {
        let mut bytes = vec![b'a'; len];
        bytes.extend_from_slice("éa".as_bytes());
        let units: Vec<u16> = bytes.iter().map(|&byte| u16::from(byte)).collect();
        let mut dst = vec![0; bytes.len()];
        assert_eq!(mem::copy_ascii(&bytes, &mut dst), len);
        assert_eq!(dst[..len], bytes[..len]);
        let mut wide = vec![0; bytes.len()];
        assert_eq!(mem::ascii_to_utf16(&bytes, &mut wide), len);
        assert_eq!(wide[..len], units[..len]);
        dst.fill(0);
        assert_eq!(mem::utf16_to_ascii(&units, &mut dst), len);
        assert_eq!(dst[..len], bytes[..len]);
        assert_eq!(mem::ascii_prefix_len_of_utf16(&units), len);
        let most = len.min(30);
        assert_eq!(mem::copy_ascii(&bytes, &mut dst[..most]), most);
        assert_eq!(mem::ascii_to_utf16(&bytes, &mut wide[..most]), most);
        assert_eq!(mem::utf16_to_ascii(&units, &mut dst[..most]), most);
    }
}

#[test]
fn every_character_and_its_units_agree_on_the_direction() {
    for scalar in '\0'..=char::MAX {
        let mut units = [0; 2];
        let lead = scalar.encode_utf16(&mut units)[0];
        assert_eq!(mem::is_rtl(scalar), mem::is_rtl_unit(lead), "{scalar:?}");
    }
}
