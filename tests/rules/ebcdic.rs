//! EBCDIC with single and double bytes: shifts, and malformed bytes between them. Expected bytes are ICU's and glibc's.

use crate::common::{decodes, decodes_cleanly, encodes, encodes_html};
use mojika::{Encoding, extended};

fn page(number: u16) -> &'static Encoding {
    extended::ibm(number).unwrap()
}

#[test]
fn shifts_lead_to_pairs_and_back() {
    for (number, text, bytes) in [
        (939, "A漢字B", &b"\xC1\x0E\x4F\x58\x48\xF2\x0F\xC2"[..]),
        (933, "A한글B", b"\xC1\x0E\xD0\x65\x8B\x69\x0F\xC2"),
        (935, "A汉字B", b"\xC1\x0E\x4D\xB9\x5C\x76\x0F\xC2"),
        (937, "A漢字B", b"\xC1\x0E\x5E\xC6\x4D\xF2\x0F\xC2"),
        (1364, "A똠B", b"\xC1\x0E\x99\xB1\x0F\xC2"),
        (1388, "A㐀B", b"\xC1\x0E\xCF\x41\x0F\xC2"),
        (1390, "𠂉", b"\x0E\xB3\x46\x0F"),
    ] {
        decodes_cleanly(page(number), bytes, text);
        encodes(page(number), text, bytes);
    }
}

/// A character that a pair decodes to is encoded to that pair, or to another pair that decodes to the same character.
#[test]
fn characters_of_pairs_are_encoded() {
    for number in [930, 933, 935, 937, 939, 1364, 1371, 1388, 1390, 1399] {
        let page = page(number);
        let mut count = 0;
        for lead in 0x41..=0xFE {
            for trail in 0x41..=0xFE {
                let bytes = [0x0E, lead, trail, 0x0F];
                let decoded = page.decode(&bytes);
                if decoded.had_errors || decoded.text.chars().count() != 1 {
                    continue;
                }
                count += 1;
                let encoded = page.encode(&decoded.text);
                let encoded = encoded.unwrap_or_else(|_| panic!("{page}: {lead:X} {trail:X}"));
                assert_eq!(
                    page.decode(&encoded).text,
                    decoded.text,
                    "{page}: {lead:X} {trail:X}"
                );
            }
        }
        assert!(count > 5000, "{page}: {count}");
    }
}

#[test]
fn shifts_to_what_is_in_force_do_nothing() {
    decodes_cleanly(
        page(939),
        b"\x0F\xC1\x0F\x0E\x0E\x40\x40\x0E\x0F\x0F\xC2",
        "A\u{3000}B",
    );
    decodes_cleanly(page(939), b"\xC1\x0E\x40\x40", "A\u{3000}");
}

#[test]
fn a_lead_before_a_byte_that_is_no_trail_is_malformed_alone() {
    decodes(page(939), b"\x0E\x4F\x0F\xC1", "\u{FFFD}A", &[(1, 1)]);
    decodes(
        page(939),
        b"\x0E\x4F\x25\x4F\x58",
        "\u{FFFD}\u{FFFD}漢",
        &[(1, 1), (2, 1)],
    );
    decodes(page(939), b"\x0E\x4F", "\u{FFFD}", &[(1, 1)]);
    decodes(page(939), b"\x0E\xFF\x0F\xC1", "\u{FFFD}A", &[(1, 1)]);
}

#[test]
fn a_pair_without_a_character_is_malformed_as_a_whole() {
    decodes(page(939), b"\x0E\xFE\xFE\x4F\x58", "\u{FFFD}漢", &[(1, 2)]);
    decodes(page(933), b"\x0E\x99\xB1\x0F", "\u{FFFD}", &[(1, 2)]);
}

#[test]
fn a_pair_can_stand_for_two_characters() {
    decodes_cleanly(page(1390), b"\x0E\xEC\xB5\x0F\x40", "か\u{309A} ");
    // An encoder encodes each character separately, and the second one has no pair of its own.
    let encoded = b"\x0E\x44\x86\x0F\x50\x7B\xF1\xF2\xF4\xF4\xF2\x5E";
    encodes_html(page(1390), "か\u{309A}", encoded, &[(3, '\u{309A}')]);
}

#[test]
fn controls_that_shift_are_not_encoded() {
    encodes_html(
        page(939),
        "漢\u{E}A",
        b"\x0E\x4F\x58\x0F\x50\x7B\xF6\xF5\xF5\xF3\xF3\x5E\xC1",
        &[(3, '\u{FFFD}')],
    );
}

#[test]
fn references_are_single_bytes_of_the_page() {
    encodes_html(
        page(937),
        "漢€",
        b"\x0E\x5E\xC6\x0F\x50\x7B\xF8\xF3\xF6\xF4\x5E",
        &[(3, '€')],
    );
}

#[test]
fn ebcdic_is_not_ascii() {
    assert!(!extended::ibm(37).unwrap().is_ascii_compatible());
    assert!(extended::ibm(437).unwrap().is_ascii_compatible());
    assert!(extended::ibm(37).unwrap().is_single_byte());
    // The line ends are those that the documentation states.
    let is_ebcdic =
        |encoding: &&Encoding| encoding.is_single_byte() && !encoding.is_ascii_compatible();
    for encoding in extended::all().filter(is_ebcdic) {
        assert_eq!(
            encoding.decode(b"\x15\x25\x0D").text,
            "\u{85}\n\r",
            "{encoding}"
        );
        assert_eq!(
            *encoding.encode("\u{85}\n\r").unwrap(),
            *b"\x15\x25\x0D",
            "{encoding}"
        );
    }
}
