//! Compares functions of `mojika::mem` that encoding_rs does not have with the standard library. The compatibility
//! crate compares the others with encoding_rs, and the kernels' own tests run at every level.

use crate::common::Random;
use mojika::mem;

/// Returns strings that mix the characters that kernels convert with others.
fn texts() -> impl Iterator<Item = String> {
    let mut random = Random::new(71);
    let long = (0..40).map(move |i| random.odd_text(20 * i));
    let latin1 = (0..200).map(|n| "naïve été ".chars().cycle().take(n).collect());
    let ascii = (0..100).map(|n| "a".repeat(n));
    long.chain(latin1).chain(ascii)
}

/// Returns the text in UTF-16 with lone surrogates at random positions.
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
    // Test every sequence of up to four of these bytes, at which UTF-8 rules differ, after a character of each length.
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
                // A decoder that waits for more input keeps exactly the incomplete sequence.
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
fn every_character_and_its_units_agree_on_the_direction() {
    for scalar in '\0'..=char::MAX {
        let mut units = [0; 2];
        let lead = scalar.encode_utf16(&mut units)[0];
        assert_eq!(mem::is_rtl(scalar), mem::is_rtl_unit(lead), "{scalar:?}");
    }
}
