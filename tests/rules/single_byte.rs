//! Rules of the legacy single-byte encodings, x-user-defined and replacement (sections 9, 14.1 and 14.5 of the
//! Standard).

use crate::common::{decodes, decodes_cleanly, drive, encodes, encodes_html, hex, is_one_error};
use mojika::*;

#[test]
fn the_characters_of_mac_hebrew_arabic_and_thai_have_one_byte_each_to_be_written() {
    let named = |name| extended::for_name(name).unwrap();
    for (encoding, read, text, written) in [
        // Signs and digits that also have bytes for right-to-left text, a vowel with two bytes, a letter with a point.
        (
            named("machebrew"),
            &b"\xE0\xA0\xB1\xCB\xDE\x81"[..],
            "א 1\u{5B8}\u{5B8}\u{FB1F}",
            &b"\xE0 1\xCB\xCB\x81"[..],
        ),
        (
            named("macarabic"),
            b"\xC7\xA0\xB1\xDB\xC0",
            "ا ١[❊",
            b"\xC7 \xB1[\xC0",
        ),
        // A tone mark that has bytes for four positions.
        (
            named("macthai"),
            b"\xA1\x83\x88\x98\xE8\xDB",
            "ก่่่่\u{2060}",
            b"\xA1\xE8\xE8\xE8\xE8\xDB",
        ),
    ] {
        decodes_cleanly(encoding, read, text);
        encodes(encoding, text, written);
    }
    for byte in [0xC0, 0xC2, 0xC3, 0xC4, 0xC5] {
        is_one_error(named("machebrew"), &[byte]);
    }
}

#[test]
fn characters_of_pages_beside_the_standard() {
    for (name, bytes, text) in [
        ("koi8-ru", &b"\xC4\xC1\x93\xAE\xBE\xA4"[..], "да“ўЎє"),
        // Tone marks are separate characters, as in windows-1258.
        ("tcvn", b"a\xB0\x01\xB8\n", "a\u{300}Úá\n"),
        ("ibm880", b"\x77\x78\x45\xC1\x25", "абєA\n"),
        ("ibm905", b"\xAC\xC1\x15", "ŜA\u{85}"),
        ("ibm924", b"\x9F\xC1\xB9", "€AŸ"),
    ] {
        let encoding = extended::for_name(name).unwrap();
        decodes_cleanly(encoding, bytes, text);
        encodes(encoding, text, bytes);
    }
    assert_eq!(Encoding::for_label("koi8-ru"), Some(KOI8_U));
}

#[test]
fn unmappable_scalar_values_become_decimal_references_in_mode_html() {
    encodes_html(
        WINDOWS_1252,
        "é→💩\u{10FFFF}z",
        b"\xE9&#8594;&#128169;&#1114111;z",
        &[(2, '→'), (5, '💩'), (9, '\u{10FFFF}')],
    );
}

#[test]
fn replacement_decodes_nothing_to_nothing() {
    decodes_cleanly(REPLACEMENT, b"", "");
}

#[test]
fn replacement_decodes_anything_else_to_a_single_error() {
    for bytes in [
        &b"a"[..],
        b"\0",
        b"\xFF",
        b"<script>alert(1)</script>",
        &[b'x'; 500],
    ] {
        decodes(REPLACEMENT, bytes, "\u{FFFD}", &[(0, 1)]);
    }
}

#[test]
fn replacement_drops_the_rest_across_chunks_and_starts_anew_with_the_next_stream() {
    let decoder = &mut REPLACEMENT.new_decoder();
    for _ in 0..2 {
        let decoding = drive::decode::<u8>(decoder, &[b"a", b"", b"bc", b"d"], 4);
        assert_eq!(decoding.text(), "\u{FFFD}");
    }
    assert_eq!(drive::decode::<u8>(decoder, &[b"", b""], 4).text(), "");
}

#[test]
fn replacement_has_no_encoder() {
    assert_eq!(
        REPLACEMENT.new_encoder().err().unwrap().encoding,
        REPLACEMENT
    );
    assert_eq!(REPLACEMENT.output_encoding(), UTF_8);
    assert!(REPLACEMENT.encode("").is_err());
    assert!(REPLACEMENT.encode_html("a").is_err());
}

#[test]
fn replacement_still_obeys_a_byte_order_mark_under_decode() {
    let decoded = REPLACEMENT.decode(b"\xEF\xBB\xBFabc");
    assert_eq!((&*decoded.text, decoded.encoding), ("abc", UTF_8));
    assert_eq!(hex(decoded.text.as_bytes()), "61 62 63");
}

/// Expected bytes are those of glibc.
#[test]
fn pages_without_all_of_ascii_report_what_they_lack() {
    let named = |name| extended::for_name(name).unwrap();
    let viscii = named("viscii");
    decodes_cleanly(viscii, b"Ti\xAAng Vi\xAEt\x02", "Tiếng ViệtẲ");
    encodes(viscii, "Tiếng ViệtẲ", b"Ti\xAAng Vi\xAEt\x02");
    encodes_html(
        viscii,
        "a\u{2}字",
        b"a&#2;&#23383;",
        &[(1, '\u{2}'), (2, '字')],
    );
    // References are in EBCDIC.
    let ibm420 = named("ibm420");
    decodes_cleanly(ibm420, b"\xC1\x4C\x81\x6E\xF1", "A<a>1");
    encodes_html(ibm420, "A{", b"\xC1\x50\x7B\xF1\xF2\xF3\x5E", &[(1, '{')]);
    decodes(ibm420, b"\xC1\x53\xC1", "A\u{FFFD}A", &[(1, 1)]);
}
