//! Rules of the legacy single-byte encodings, x-user-defined and replacement (sections 9, 14.1 and 14.5 of the
//! Standard).

use crate::common::{
    decodes, decodes_cleanly, drive, encodes, encodes_html, has_no_bytes_for, hex, is_one_error,
};
use mojika::*;

#[test]
fn single_byte_encodings_decode_ascii_to_itself_and_back() {
    let ascii: Vec<u8> = (0..0x80).collect();
    let text = str::from_utf8(&ascii).unwrap();
    for encoding in Encoding::all().iter().filter(|e| e.is_single_byte()) {
        decodes_cleanly(encoding, &ascii, text);
        encodes(encoding, text, &ascii);
    }
}

#[test]
fn unmapped_bytes_are_an_error_each() {
    let unmapped: [(&'static Encoding, &[u8]); 10] = [
        (ISO_8859_3, b"\xA5\xAE\xBE\xC3\xD0\xE3\xF0"),
        (ISO_8859_6, b"\xA1\xA2\xA3\xA5\xBA\xC0\xDB\xF3\xFF"),
        (ISO_8859_7, b"\xAE\xD2\xFF"),
        (ISO_8859_8, b"\xA1\xBF\xC0\xDE\xFB\xFC\xFF"),
        (ISO_8859_8_I, b"\xA1\xBF\xC0\xDE\xFB\xFC\xFF"),
        (WINDOWS_874, b"\xDB\xDC\xDD\xDE\xFC\xFD\xFE\xFF"),
        (WINDOWS_1253, b"\xAA\xD2\xFF"),
        (WINDOWS_1255, b"\xD9\xDA\xDB\xDC\xDD\xDE\xDF\xFB\xFC\xFF"),
        (WINDOWS_1257, b"\xA1\xA5"),
        (WINDOWS_1252, b""),
    ];
    for (encoding, bytes) in unmapped {
        for &byte in bytes {
            is_one_error(encoding, &[byte]);
            decodes(
                encoding,
                &[b'<', byte, byte, b'>'],
                "<\u{FFFD}\u{FFFD}>",
                &[(1, 1), (2, 1)],
            );
        }
    }
}

#[test]
fn windows_1252_maps_its_five_unassigned_bytes_to_controls() {
    decodes_cleanly(
        WINDOWS_1252,
        b"\x81\x8D\x8F\x90\x9D",
        "\u{81}\u{8D}\u{8F}\u{90}\u{9D}",
    );
    encodes(
        WINDOWS_1252,
        "\u{81}\u{8D}\u{8F}\u{90}\u{9D}",
        b"\x81\x8D\x8F\x90\x9D",
    );
    has_no_bytes_for(
        WINDOWS_1252,
        ['\u{80}', '\u{82}', '\u{9F}', 'Ā', '\u{10080}'],
    );
}

#[test]
fn characters_of_each_single_byte_encoding() {
    for (encoding, bytes, text) in [
        (IBM866, &b"\x8F\xE0\xA8\xB0\xFF"[..], "При░\u{A0}"),
        (ISO_8859_2, b"\xA3\xF3\xBC", "Łóź"),
        (ISO_8859_3, b"\xA6\xFE", "Ĥŝ"),
        (ISO_8859_4, b"\xBD\xFE", "Ŋū"),
        (ISO_8859_5, b"\xF0\xB0\xFD", "№А§"),
        (ISO_8859_6, b"\xAC\xC7", "،ا"),
        (ISO_8859_7, b"\xA4\xC1\xFE", "€Αώ"),
        (ISO_8859_8, b"\xE0\xFA\xFD", "את\u{200E}"),
        (ISO_8859_8_I, b"\xE0\xFA\xFD", "את\u{200E}"),
        (ISO_8859_10, b"\xBD\xFF", "―ĸ"),
        (ISO_8859_13, b"\xA1\xFF", "”’"),
        (ISO_8859_14, b"\xA1\xD0", "ḂŴ"),
        (ISO_8859_15, b"\xA4\xBE", "€Ÿ"),
        (ISO_8859_16, b"\xA4\xAA", "€Ș"),
        (KOI8_R, b"\xC4\xC1\x9A", "да\u{A0}"),
        // The Standard's KOI8-U has U+040E and U+045E where others have box-drawing characters.
        (KOI8_U, b"\xA4\xAE\xBE", "єўЎ"),
        (MACINTOSH, b"\xDB\xF0", "€\u{F8FF}"),
        (WINDOWS_874, b"\x80\xA1\xFB", "€ก๛"),
        (WINDOWS_1250, b"\x8A\x9F", "Šź"),
        (WINDOWS_1251, b"\x88\xC0\x98", "€А\u{98}"),
        (WINDOWS_1252, b"\x80\x9F\xFF", "€Ÿÿ"),
        (WINDOWS_1253, b"\xC1\xFE", "Αώ"),
        (WINDOWS_1254, b"\xD0\xFE", "Ğş"),
        (WINDOWS_1255, b"\xA4\xE0\xCA", "₪א\u{5BA}"),
        (WINDOWS_1256, b"\x81\xFF", "پے"),
        (WINDOWS_1257, b"\xC0\xFF", "Ą˙"),
        (WINDOWS_1258, b"\xFE\xD2", "₫\u{309}"),
        (X_MAC_CYRILLIC, b"\x80\xFF\xA2", "А€Ґ"),
    ] {
        decodes_cleanly(encoding, bytes, text);
        encodes(encoding, text, bytes);
    }
}

#[test]
fn the_characters_of_mac_hebrew_arabic_and_thai_have_one_byte_each_to_be_written() {
    let named = |name| extended::for_name(name).unwrap();
    for (encoding, read, text, written) in [
        // Digits and signs in right-to-left text; a vowel in two forms; a letter with a point.
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
        // A tone mark with four possible positions.
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
        // Marks are separate, as in windows-1258.
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
fn x_user_defined_maps_the_upper_half_to_u_f780() {
    let bytes: Vec<u8> = (0x80..=0xFF).collect();
    let text: String = ('\u{F780}'..='\u{F7FF}').collect();
    decodes_cleanly(X_USER_DEFINED, &bytes, &text);
    encodes(X_USER_DEFINED, &text, &bytes);
    has_no_bytes_for(
        X_USER_DEFINED,
        ['\u{80}', 'ÿ', '\u{F77F}', '\u{F800}', '\u{1F780}'],
    );
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
