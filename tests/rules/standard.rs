//! Rules of the Standard's multi-byte encodings, as short tables of cases.
//!
//! The cases follow the Standard (sections 8, 10 to 13 and 14.2 to 14.4). The proof and `fault_2` compare all other
//! input with the transliteration, which a test of `tests/spec` compares with encoding_rs.

use crate::common::{decodes, drive, encodes, encodes_html, has_no_bytes_for, hex, utf_16};
use mojika::*;

/// Bytes, their text, and the offsets and lengths of the malformed sequences.
type Decoded = (&'static [u8], &'static str, &'static [(u64, u8)]);
/// A text and its bytes.
type Encoded = (&'static str, &'static [u8]);

fn rules(encoding: &'static Encoding, decoded: &[Decoded], encoded: &[Encoded], lacks: &str) {
    for (bytes, text, errors) in decoded {
        decodes(encoding, bytes, text, errors);
    }
    for (text, bytes) in encoded {
        encodes(encoding, text, bytes);
    }
    has_no_bytes_for(encoding, lacks.chars());
}

#[test]
fn gb18030_and_gbk_have_the_same_decoder() {
    #[rustfmt::skip]
    let decoded: &[Decoded] = &[
        (b"a\xCE\xC4\xD7\xD6", "a文字", &[]),
        (b"\x80", "€", &[]),
        (b"\xFF", "\u{FFFD}", &[(0, 1)]),
        // 0x7F and 0xFF are not trail bytes. An ASCII byte in place of a trail byte is restored.
        (b"\x81\x40\x81\x7E\x81\x80\x81\xFE", "丂亊亐侢", &[]),
        (b"\x81\x7F", "\u{FFFD}\u{7F}", &[(0, 1)]),
        (b"\x81\xFF", "\u{FFFD}", &[(0, 2)]),
        // If the third byte is wrong, the second and third are restored; if the fourth is wrong, the second to fourth.
        (b"\x81\x30a", "\u{FFFD}0a", &[(0, 1)]),
        (b"\x81\x30\x80", "\u{FFFD}0€", &[(0, 1)]),
        (b"\x81\x30\x81a", "\u{FFFD}0乤", &[(0, 1)]),
        (b"\x81\x30\x81!", "\u{FFFD}0\u{FFFD}!", &[(0, 1), (2, 1)]),
        (b"\x81\x30\xCE\xC4", "\u{FFFD}0文", &[(0, 1)]),
        // A sequence that the end of the input truncates is one error of one to three bytes.
        (b"\x81", "\u{FFFD}", &[(0, 1)]),
        (b"\x81\x30", "\u{FFFD}", &[(0, 2)]),
        (b"0\x90\x30\x81", "0\u{FFFD}", &[(1, 3)]),
        // The limits of the ranges, which do not include pointers 39420 to 188999 and those above 1237575.
        (b"\x81\x30\x81\x30\x81\x30\x84\x35", "\u{80}£", &[]),
        (b"\x84\x31\xA4\x39\x90\x30\x81\x30", "\u{FFFF}\u{10000}", &[]),
        (b"\xE3\x32\x9A\x35", "\u{10FFFF}", &[]),
        (b"\x84\x31\xA5\x30", "\u{FFFD}", &[(0, 4)]),
        (b"\x8F\x39\xFE\x39", "\u{FFFD}", &[(0, 4)]),
        (b"\xE3\x32\x9A\x36", "\u{FFFD}", &[(0, 4)]),
        // Pointer 7457, and the pair that its code point once had.
        (b"\x81\x35\xF4\x37\xA8\xBC", "\u{E7C7}\u{1E3F}", &[]),
        (b"\xA3\xA0", "\u{3000}", &[]),
        // Two of the 18 pairs in step 5 of the encoder.
        (b"\xA6\xD9\xFE\x59", "\u{FE10}\u{9FB4}", &[]),
    ];
    #[rustfmt::skip]
    let both: &[Encoded] = &[
        ("丂亊亐侢", b"\x81\x40\x81\x7E\x81\x80\x81\xFE"),
        ("\u{3000}\u{1E3F}", b"\xA1\xA1\xA8\xBC"),
        ("\u{E5E4}\u{E5E6}", b"\xA3\x9F\xA4\x40"),
        ("\u{E78D}\u{FE10}", b"\xA6\xD9\xA6\xD9"),
        ("\u{E81E}\u{9FB4}", b"\xFE\x59\xFE\x59"),
        ("\u{E864}", b"\xFE\xA0"),
    ];
    for encoding in [GB18030, GBK] {
        rules(encoding, decoded, both, "\u{E5E5}");
    }
    #[rustfmt::skip]
    let four: &[Encoded] = &[
        ("€£", b"\xA2\xE3\x81\x30\x84\x35"),
        ("\u{E7C7}\u{10000}", b"\x81\x35\xF4\x37\x90\x30\x81\x30"),
    ];
    rules(GB18030, &[], four, "");
    // GBK encodes the euro sign as one byte, and has no four-byte sequences.
    rules(GBK, &[], &[("€", b"\x80")], "\u{80}£¥\u{E7C7}\u{FFFF}💩");
}

#[test]
fn big5_decodes_the_hong_kong_supplement_and_does_not_encode_it() {
    #[rustfmt::skip]
    let decoded: &[Decoded] = &[
        (b"\xA4\x40\xA4\x7E\xA4\xA1\xA4\xFE", "一才丑丙", &[]),
        (b"\x80@", "\u{FFFD}@", &[(0, 1)]),
        (b"\xA4\x80", "\u{FFFD}", &[(0, 2)]),
        // An ASCII trail byte is restored, even if it is in the range of trail bytes.
        (b"\x81@", "\u{FFFD}@", &[(0, 1)]),
        (b"\"\xA4\">", "\"\u{FFFD}\">", &[(1, 1)]),
        (b"\x81\xA1", "\u{FFFD}", &[(0, 2)]),
        (b"\xA4\xE5\xA4", "文\u{FFFD}", &[(2, 1)]),
        // Four pointers decode to two code points each.
        (b"\x88\x62\x88\x64", "\u{CA}\u{304}\u{CA}\u{30C}", &[]),
        (b"\x88\xA3\x88\xA5", "\u{EA}\u{304}\u{EA}\u{30C}", &[]),
        (b"\x87\x40\x88\x66\x89\x40", "\u{43F0}\u{CA}\u{2A3A9}", &[]),
        (b"\xFA\x40\xFE\xFE", "\u{20547}\u{79D4}", &[]),
        // Of several pointers, the encoder uses the last one for six code points, and the first one for all others.
        (b"\xA2\xA4\xF9\xF9\xA2\xCC\xA4\x51", "\u{2550}\u{2550}十十", &[]),
        (b"\xA1\xB2\xC6\xDE\xA5\x5D\xFA\xBD", "〃〃包包", &[]),
    ];
    #[rustfmt::skip]
    let encoded: &[Encoded] = &[
        ("一才丑丙", b"\xA4\x40\xA4\x7E\xA4\xA1\xA4\xFE"),
        ("\u{20547}\u{79D4}", b"\xFA\x40\xFE\xFE"),
        ("\u{2550}\u{255E}\u{256A}", b"\xF9\xF9\xF9\xE9\xF9\xEA"),
        ("\u{2561}\u{5341}\u{5345}", b"\xF9\xEB\xA4\x51\xA4\xCA"),
        ("〃\u{256D}\u{5344}包偽", b"\xA1\xB2\xA2\x7E\xA2\xCD\xA5\x5D\xB0\xB0"),
    ];
    rules(
        BIG5,
        decoded,
        encoded,
        "\u{43F0}\u{CA}\u{EA}\u{27267}\u{2626B}",
    );
}

#[test]
fn euc_jp_decodes_jis_x_0212_and_does_not_encode_it() {
    #[rustfmt::skip]
    let decoded: &[Decoded] = &[
        (b"a\xB0\xA1\x8E\xB1\x8F\xB0\xA1z", "a亜ｱ丂z", &[]),
        (b"\x80a\xA0", "\u{FFFD}a\u{FFFD}", &[(0, 1), (2, 1)]),
        // After 0x8E, only half-width katakana are valid.
        (b"\x8E\xA1\x8E\xDF", "｡ﾟ", &[]),
        (b"\x8E\xE0", "\u{FFFD}", &[(0, 2)]),
        (b"\x8Ea", "\u{FFFD}a", &[(0, 1)]),
        // After 0x8F, a wrong second or third byte is part of the error, unless it is ASCII.
        (b"\x8F\xA0", "\u{FFFD}", &[(0, 2)]),
        (b"\x8F\xB0\xA0", "\u{FFFD}", &[(0, 3)]),
        (b"\x8F\xB0a", "\u{FFFD}a", &[(0, 2)]),
        // After this error, the set is jis0208 again.
        (b"\x8F\xA1\xA1\xB0\xA1", "\u{FFFD}亜", &[(0, 3)]),
        (b"\xB0\"", "\u{FFFD}\"", &[(0, 1)]),
        (b"\xA9\xA1", "\u{FFFD}", &[(0, 2)]),
        (b"\x8F\xB0", "\u{FFFD}", &[(0, 2)]),
        (b"\x5C\x7E\xA1\xDD", "\\~－", &[]),
    ];
    #[rustfmt::skip]
    let encoded: &[Encoded] = &[
        ("｡ﾟ", b"\x8E\xA1\x8E\xDF"),
        // The encoder has special rules for the yen sign, the overline and the minus sign.
        ("¥‾−－", b"\x5C\x7E\xA1\xDD\xA1\xDD"),
        // The first pointer of a code point is used, including those that Shift_JIS excludes.
        ("Ⅰ≒∪纊ⅰ", b"\xAD\xB5\xA2\xE2\xA2\xC0\xF9\xA1\xFC\xF1"),
    ];
    rules(EUC_JP, decoded, encoded, "\u{2D8}丂\u{9FA5}\u{80}💩");
}

#[test]
fn shift_jis_decodes_user_defined_characters_and_does_not_encode_them() {
    #[rustfmt::skip]
    let decoded: &[Decoded] = &[
        (b"\x81\x40\x88\x9F\xE0\x40\xFC\x4B", "\u{3000}亜漾黑", &[]),
        (b"\x80\xA1\xDF", "\u{80}｡ﾟ", &[]),
        (b"\xA0@\xFD", "\u{FFFD}@\u{FFFD}", &[(0, 1), (2, 1)]),
        // An ASCII byte in place of a trail byte is restored; any other wrong byte is part of the error.
        (b"\x85@", "\u{FFFD}@", &[(0, 1)]),
        (b"\x82\"", "\u{FFFD}\"", &[(0, 1)]),
        (b"\x81\xFD\x85\x80", "\u{FFFD}\u{FFFD}", &[(0, 2), (2, 2)]),
        (b"\x81\x7E\x81\x80", "×÷", &[]),
        (b"\xFC", "\u{FFFD}", &[(0, 1)]),
        (b"\xF0\x40\xF0\x80\xF9\xFC", "\u{E000}\u{E03F}\u{E757}", &[]),
        (b"\xEE\xFC\xFA\x40\xEF\xFC", "＂ⅰ\u{FFFD}", &[(4, 2)]),
        (b"\xED\x40\xFA\x5C\x81\xBE\x87\x9C", "纊纊∪∪", &[]),
    ];
    #[rustfmt::skip]
    let encoded: &[Encoded] = &[
        ("\u{80}｡ﾟ\u{3000}", b"\x80\xA1\xDF\x81\x40"),
        ("¥‾−－", b"\x5C\x7E\x81\x7C\x81\x7C"),
        // The encoder excludes pointers 8272 to 8835. Of the others, it uses the first one.
        ("纊犾ⅰ￤＂￢", b"\xFA\x5C\xFB\x5C\xFA\x40\xFA\x55\xFA\x57\x81\xCA"),
        ("∪∠≡∵Ⅰ№㈱", b"\x81\xBE\x81\xDA\x81\xDF\x81\xE6\x87\x54\x87\x82\x87\x8A"),
    ];
    rules(
        SHIFT_JIS,
        decoded,
        encoded,
        "\u{E000}\u{E757}\u{81}\u{A0}丂",
    );
}

#[test]
fn euc_kr_has_letters_as_trails() {
    #[rustfmt::skip]
    let decoded: &[Decoded] = &[
        (b"\x81\x41\x81\x5A\x81\x61\x81\x7A\x81\x81\x81\xFE", "갂갴갵걕걖괓", &[]),
        (b"\x80A", "\u{FFFD}A", &[(0, 1)]),
        (b"\x81@\x81[", "\u{FFFD}@\u{FFFD}[", &[(0, 1), (2, 1)]),
        (b"\x81\xFF\xC9\xA1", "\u{FFFD}\u{FFFD}", &[(0, 2), (2, 2)]),
        (b"\xC7A\x81", "\u{FFFD}A\u{FFFD}", &[(0, 1), (2, 1)]),
    ];
    #[rustfmt::skip]
    let encoded: &[Encoded] = &[("가힝힣\u{8A70}", b"\xB0\xA1\xC8\xFE\xC6\x52\xFD\xFE")];
    rules(EUC_KR, decoded, encoded, "\u{80}¥‾ｱ\u{D7A4}丂\u{E000}💩");
}

#[test]
fn iso_2022_jp_blames_escapes_that_do_nothing() {
    #[rustfmt::skip]
    let decoded: &[Decoded] = &[
        (b"\\\x1B(J\\~a\x1B(I\x21\x5F\x1B$@0!\x1B$B!!\x1B(B\\", "\\¥‾a｡ﾟ亜\u{3000}\\", &[]),
        (b"a\x80\x0Eb", "a\u{FFFD}\u{FFFD}b", &[(1, 1), (2, 1)]),
        (b"\x1B(I\x601", "\u{FFFD}ｱ", &[(3, 1)]),
        (b"\x1B$B\x200!", "\u{FFFD}亜", &[(3, 1)]),
        // A wrong trail byte is part of the error, even if it is ASCII. 0x1B in its place is not.
        (b"\x1B$B0\x0A0!", "\u{FFFD}亜", &[(3, 2)]),
        (b"\x1B$B\x29\x210!", "\u{FFFD}亜", &[(3, 2)]),
        (b"\x1B$B0\x1B(Ba", "\u{FFFD}a", &[(3, 1)]),
        (b"\x1B$B0\x1B0!", "\u{FFFD}\u{FFFD}亜", &[(3, 1), (4, 1)]),
        // After an invalid escape sequence, the bytes after 0x1B are restored, and decoded in the current state.
        (b"\x1Ba", "\u{FFFD}a", &[(0, 1)]),
        (b"\x1B(Ca", "\u{FFFD}(Ca", &[(0, 1)]),
        (b"\x1B(\x1B(J~", "\u{FFFD}(‾", &[(0, 1)]),
        (b"\x1B$B0!\x1B(!", "亜\u{FFFD}─", &[(5, 1)]),
        // If two escape sequences have no output between them, the error covers the first one.
        (b"\x1B$B\x1B(Ba", "\u{FFFD}a", &[(0, 3)]),
        (b"a\x1B(B\x1B(J\x1B(B", "a\u{FFFD}\u{FFFD}", &[(1, 3), (4, 3)]),
        (b"\x1B(Ba\x1B(J", "a", &[]),
        (b"\x1B(B\x80\x1B(J~", "\u{FFFD}‾", &[(3, 1)]),
        // At the end of the input, a complete escape sequence is no error, and a truncated one is.
        (b"\x1B$B", "", &[]),
        (b"\x1B(", "\u{FFFD}(", &[(0, 1)]),
        (b"\x1B$B0!\x1B(", "亜\u{FFFD}\u{FFFD}", &[(5, 1), (6, 1)]),
    ];
    #[rustfmt::skip]
    let encoded: &[Encoded] = &[
        ("a亜唖b", b"a\x1B$B0!0\"\x1B(Bb"),
        ("亜¥亜", b"\x1B$B0!\x1B(J\x5C\x1B$B0!\x1B(B"),
        // The encoder stays in the Roman state for ASCII, except for 0x5C and 0x7E.
        ("¥abc]\\", b"\x1B(J\x5Cabc]\x1B(B\x5C"),
        ("‾a~b", b"\x1B(J\x7Ea\x1B(B~b"),
        ("｡ｱﾞﾟ−－", b"\x1B$B!#%\"!+!,!]!]\x1B(B"),
    ];
    rules(
        ISO_2022_JP,
        decoded,
        encoded,
        "\u{80}\u{2D8}丂é\u{FF60}\u{FFA0}",
    );
}

#[test]
fn iso_2022_jp_leaves_jis0208_before_a_reference() {
    for (text, bytes, unmappables) in [
        (
            "亜💩亜",
            &b"\x1B$B0!\x1B(B&#128169;\x1B$B0!\x1B(B"[..],
            (3, '💩'),
        ),
        ("¥💩¥", b"\x1B(J\x5C&#128169;\x5C\x1B(B", (2, '💩')),
        // Three control characters, which could change the decoder's state, are reported as U+FFFD.
        ("\u{E}", b"&#65533;", (0, '\u{FFFD}')),
        ("¥\u{F}", b"\x1B(J\x5C&#65533;\x1B(B", (2, '\u{FFFD}')),
        ("亜\u{1B}", b"\x1B$B0!\x1B(B&#65533;", (3, '\u{FFFD}')),
    ] {
        encodes_html(ISO_2022_JP, text, bytes, &[unmappables]);
    }
    // In mode "fatal", the output before the error ends with an escape sequence to ASCII.
    let encoder = &mut ISO_2022_JP.new_encoder().unwrap();
    let encoded = drive::encode_fatal(encoder, &["亜💩"], 32);
    assert_eq!(hex(&encoded.bytes), hex(b"\x1B$B0!\x1B(B"));
    let mut bytes = Vec::new();
    encoder.encode_html_append("亜", &mut bytes, false);
    assert!(!encoder.is_complete());
    encoder.encode_html_append("", &mut bytes, true);
    assert!(encoder.is_complete());
    assert_eq!(hex(&bytes), hex(b"\x1B$B0!\x1B(B"));
}

#[test]
fn utf_8_errors_are_maximal_subparts() {
    let each: &[(u64, u8)] = &[(0, 1), (1, 1), (2, 1), (3, 1)];
    for bytes in [
        // Overlong forms, surrogates, and values above U+10FFFF.
        &b"\xC0\x80"[..],
        b"\xC1\xBF",
        b"\xE0\x9F\xBF",
        b"\xED\xA0\x80",
        b"\xED\xBF\xBF",
        b"\xF0\x8F\xBF\xBF",
        b"\xF4\x90\x80\x80",
        b"\x80\xF5",
    ] {
        let text = "\u{FFFD}".repeat(bytes.len());
        decodes(UTF_8, bytes, &text, &each[..bytes.len()]);
    }
    for bytes in [
        &b"\xC2"[..],
        b"\xE0\xA0",
        b"\xED\x9F",
        b"\xF0\x90\x80",
        b"\xF4\x8F\xBF",
    ] {
        let len = bytes.len() as u8;
        decodes(UTF_8, bytes, "\u{FFFD}", &[(0, len)]);
        // After the sequence, the next character is decoded.
        let then_wide = [bytes, "あ".as_bytes()].concat();
        decodes(UTF_8, &then_wide, "\u{FFFD}あ", &[(0, len)]);
    }
    for text in [
        "\u{7F}\u{80}\u{7FF}\u{800}",
        "\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}",
    ] {
        decodes(UTF_8, text.as_bytes(), text, &[]);
        encodes(UTF_8, text, text.as_bytes());
    }
}

#[test]
fn utf_16_restores_the_unit_after_a_lead_without_a_trail() {
    #[rustfmt::skip]
    let decoded: &[Decoded] = &[
        (b"\0a\x65\x87\xD8\x3D\xDC\xA9", "a文💩", &[]),
        (b"\xD8\0\0a", "\u{FFFD}a", &[(0, 2)]),
        (b"\xD8\0\xD8\0\xDC\0", "\u{FFFD}\u{10000}", &[(0, 2)]),
        (b"\xD8\0\xDC\0\xDC\0", "\u{10000}\u{FFFD}", &[(4, 2)]),
        // A sequence that the end of the input truncates is one error of one to three bytes.
        (b"\0a\0", "a\u{FFFD}", &[(2, 1)]),
        (b"\xD8\0", "\u{FFFD}", &[(0, 2)]),
        (b"\xD8\0\xDC", "\u{FFFD}", &[(0, 3)]),
    ];
    rules(
        UTF_16BE,
        decoded,
        &[("\u{FEFF}💩", b"\xFE\xFF\xD8\x3D\xDC\xA9")],
        "",
    );
    #[rustfmt::skip]
    let decoded: &[Decoded] = &[
        (b"a\0\x87\x65\x3D\xD8\xA9\xDC", "a文💩", &[]),
        (b"\0\xD8\0\xD8b\0", "\u{FFFD}\u{FFFD}b", &[(0, 2), (2, 2)]),
        (b"\xFF\xDFa\0", "\u{FFFD}a", &[(0, 2)]),
    ];
    rules(UTF_16LE, decoded, &[("a💩", b"a\0\x3D\xD8\xA9\xDC")], "");
    // Lone surrogates in UTF-16 input are encoded as U+FFFD.
    let units = [0xD800, 0x61, 0xDC00, 0xD83D, 0xDCA9, 0xD83D];
    let expected = "\u{FFFD}a\u{FFFD}💩\u{FFFD}";
    let encoded = drive::encode(&mut UTF_8.new_encoder().unwrap(), &[&units[..]], 64);
    assert_eq!(
        (encoded.bytes, encoded.had_errors),
        (expected.into(), false)
    );
    let encoded = drive::encode(&mut UTF_16BE.new_encoder().unwrap(), &[&units[..]], 64);
    let units = utf_16(expected).into_iter().flat_map(u16::to_be_bytes);
    assert!(units.eq(encoded.bytes));
}
