//! EBCDIC with double bytes only. Expected bytes are those that ICU and glibc write between shifts.

use crate::common::{decodes, decodes_cleanly, encodes, encodes_html};
use mojika::{Encoding, extended};

fn ibm(number: u16) -> &'static Encoding {
    extended::ibm(number).unwrap()
}

#[test]
fn pairs_alone_are_those_of_the_encodings_that_shift() {
    for (number, mixed, text, bytes) in [
        (
            300,
            930,
            "文字　ＡΩＥ",
            b"\x45\xCA\x48\xF2\x40\x40\x42\xC1\x41\x78\x42\xC5",
        ),
        (
            300,
            939,
            "文字　ＡΩＥ",
            b"\x45\xCA\x48\xF2\x40\x40\x42\xC1\x41\x78\x42\xC5",
        ),
        (
            834,
            933,
            "한글　ＡΩＥ",
            b"\xD0\x65\x8B\x69\x40\x40\x42\xC1\x46\x78\x42\xC5",
        ),
        (
            835,
            937,
            "漢字　ＡΩＥ",
            b"\x5E\xC6\x4D\xF2\x40\x40\x42\xC1\x41\x78\x42\xC5",
        ),
        (
            837,
            935,
            "汉字　ＡΩＥ",
            b"\x4D\xB9\x5C\x76\x40\x40\x42\xC1\x41\x78\x42\xC5",
        ),
    ] {
        let shifted = [b"\x0E", &bytes[..], b"\x0F"].concat();
        assert_eq!(*ibm(mixed).encode(text).unwrap(), shifted, "{mixed}");
        encodes(ibm(number), text, bytes);
        decodes_cleanly(ibm(number), bytes, text);
    }
}

#[test]
fn every_pair_is_that_between_shifts() {
    for (number, mixed) in [(300, 930), (834, 933), (835, 937), (837, 935)] {
        let (pure, mixed) = (ibm(number), ibm(mixed));
        let mut mapped = 0;
        for lead in 0x40..=0xFE {
            for trail in 0x40..=0xFE {
                let bytes = [0x0E, lead, trail, 0x0F];
                let between = mixed.decode(&bytes);
                let alone = pure.decode(&bytes[1..3]);
                assert_eq!(alone.text, between.text, "{pure}: {lead:02X} {trail:02X}");
                assert_eq!(alone.had_errors, between.had_errors);
                let Some(single) = alone.text.chars().next().filter(|_| !alone.had_errors) else {
                    continue;
                };
                mapped += 1;
                let single = single.to_string();
                let encoded = pure.encode(&single).unwrap();
                assert_eq!(pure.decode(&encoded).text, single, "{pure}");
                // In a mixed encoding, a character that has a single byte is not encoded to a pair.
                let in_mixed = mixed.encode(&single).unwrap();
                if in_mixed.len() == 4 {
                    assert_eq!(in_mixed[1..3], *encoded, "{pure}: {single}");
                }
            }
        }
        assert!(mapped > 9_000, "{pure}: {mapped}");
    }
}

#[test]
fn two_bytes_are_a_unit_whatever_they_are() {
    decodes(
        ibm(300),
        b"\x45\xCA\x00\x45\x0E\x0F\xFF\x45\x48\xF2\x45",
        "文\u{FFFD}\u{FFFD}\u{FFFD}字\u{FFFD}",
        &[(2, 2), (4, 2), (6, 2), (10, 1)],
    );
}

#[test]
fn references_are_in_full_width() {
    for number in [300, 834, 835, 837] {
        let encoding = ibm(number);
        let html = b"\x42\xC1\x42\x50\x42\x7B\x42\xF6\x42\xF5\x42\x5E\x42\xC2";
        encodes_html(encoding, "ＡAＢ", html, &[(3, 'A')]);
        decodes_cleanly(encoding, html, "Ａ＆＃６５；Ｂ");
    }
}

#[test]
fn single_bytes_of_the_encodings_that_shift_are_encodings_by_themselves() {
    for (number, mixed) in [(833, 933), (836, 935), (1027, 939)] {
        for byte in (0..=0xFF).filter(|byte| !matches!(byte, 0x0E | 0x0F)) {
            let byte_alone = [byte];
            let (alone, before) = (
                ibm(number).decode(&byte_alone),
                ibm(mixed).decode(&byte_alone),
            );
            assert_eq!(alone.text, before.text, "{number}: {byte:02X}");
        }
    }
    decodes_cleanly(ibm(1027), b"\xC1\x81\x0E\x0F", "Aa\u{E}\u{F}");
}
