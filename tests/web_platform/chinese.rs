//! gb18030, GBK and Big5.

use crate::query::{are_unmappable, queries};
use crate::text_decoder::{decodes, decodes_as};
use mojika::BomHandling;
use mojika_spec::indexes::index_gb18030_ranges;

/// The four bytes of a pointer of gb18030's ranges.
fn four_bytes(pointer: usize) -> [u8; 4] {
    [
        pointer / 12600 + 0x81,
        pointer % 12600 / 1260 + 0x30,
        pointer % 1260 / 10 + 0x81,
        pointer % 10 + 0x30,
    ]
    .map(|byte| u8::try_from(byte).expect("a byte"))
}

#[test]
fn gb18030_decoder() {
    for (bytes, text) in [
        (&b"s"[..], "s"),
        (b"\x80", "€"),
        (b"\xFF", "\u{FFFD}"),
        (b"\x81", "\u{FFFD}"),
        (b"\x81\x28", "\u{FFFD}("),
        (b"\x81\x40", "\u{4E02}"),
        (b"\x81\x7E", "\u{4E8A}"),
        (b"\x81\x7F", "\u{FFFD}\u{7F}"),
        (b"\x81\x80", "\u{4E90}"),
        (b"\x81\xFE", "\u{4FA2}"),
        (b"\x81\xFF", "\u{FFFD}"),
        (b"\xFE\x40", "\u{FA0C}"),
        (b"\xFE\xFE", "\u{E4C5}"),
        (b"\xFE\xFF", "\u{FFFD}"),
        (b"\x81\x30", "\u{FFFD}"),
        (b"\x81\x30\xFE", "\u{FFFD}"),
        (b"\x81\x30\xFF", "\u{FFFD}0\u{FFFD}"),
        (b"\x81\x30\xFE\x29", "\u{FFFD}0\u{FFFD})"),
        (b"\xFE\x39\xFE\x39", "\u{FFFD}"),
        (b"\x81\x35\xF4\x36", "\u{1E3E}"),
        (b"\x81\x35\xF4\x37", "\u{E7C7}"),
        (b"\x81\x35\xF4\x38", "\u{1E40}"),
        (b"\x84\x31\xA4\x39", "\u{FFFF}"),
        (b"\x84\x31\xA5\x30", "\u{FFFD}"),
        (b"\x8F\x39\xFE\x39", "\u{FFFD}"),
        (b"\x90\x30\x81\x30", "\u{10000}"),
        (b"\xE3\x32\x9A\x35", "\u{10FFFF}"),
        (b"\xE3\x32\x9A\x36", "\u{FFFD}"),
        (b"\x83\x36\xC8\x30", "\u{E7C8}"),
        (b"\xA1\xAD", "\u{2026}"),
        (b"\xA1\xAB", "\u{FF5E}"),
    ] {
        decodes("gb18030", bytes, text);
        decodes("gbk", bytes, text);
    }
}

#[test]
fn gb18030_decoder_and_encoder_ranges() {
    let ranges = index_gb18030_ranges();
    assert_eq!(ranges.len(), 207);
    for &(pointer, code_point) in ranges {
        let text = char::from_u32(code_point)
            .expect("a scalar value")
            .to_string();
        let bytes = four_bytes(pointer);
        decodes("gb18030", &bytes, &text);
        decodes("gbk", &bytes, &text);
        let [a, b, c, d] = bytes;
        let expected = format!("%{a:02X}{}%{c:02X}{}", char::from(b), char::from(d));
        queries("gb18030", &text, &expected);
    }
}

#[test]
fn gb18030_decode_errors() {
    for (bytes, text) in [
        (&b"\x82\x30\xC3"[..], "\u{FFFD}"),
        (b"\x82\x30\xC3\x53", "\u{FFFD}0肧"),
        (b"\x82\x30\xFF\x33", "\u{FFFD}0\u{FFFD}3"),
        (b"\x82\xFF\xC3\x33", "\u{FFFD}\u{FFFD}"),
        (b"\xFF\x30\xC3\x33", "\u{FFFD}0\u{FFFD}"),
    ] {
        decodes("gb18030", bytes, text);
        decodes("gbk", bytes, text);
    }
}

#[test]
fn textdecoder_mistakes_gb18030_version_and_ranges() {
    for label in ["gb18030", "gbk"] {
        for (bytes, text) in [
            (&b"\x84\x31\xA4\x36"[..], "\u{FFFC}"),
            (b"\x84\x31\xA4\x38", "\u{FFFE}"),
            (b"\x90\x30\x81\x31", "\u{10001}"),
            (b"\xE3\x32\x9A\x37", "\u{FFFD}"),
            (b"\xFF\x39\xFE\x39", "\u{FFFD}9\u{FFFD}"),
            (b"\xFE\x40\xFE\x39", "\u{FA0C}\u{FFFD}"),
            (b"\xFE\x39\xFF\x39", "\u{FFFD}9\u{FFFD}9"),
            (b"\xFE\x39\xFE\x40", "\u{FFFD}9\u{FA0C}"),
            (b"\xA8\xBB", "\u{251}"),
            (b"\xA8\xBC", "\u{1E3F}"),
            (b"\xA8\xBD", "\u{144}"),
            (b"\xA6\xD9", "\u{FE10}"),
            (b"\xA6\xED", "\u{FE18}"),
            (b"\xA6\xF3", "\u{FE19}"),
            (b"\xFE\x59", "\u{9FB4}"),
            (b"\xFE\xA0", "\u{9FBB}"),
        ] {
            decodes(label, bytes, text);
        }
        // U+FFFD has bytes of its own.
        decodes_as(label, b"\x84\x31\xA4\x37", "\u{FFFD}", false);
    }
}

#[test]
fn gbk_decoder() {
    let trails = [0x54, 0x55, 0x56, 0x57, 0x58, 0x5A, 0x5B, 0x5C, 0x5D, 0x5E];
    let text = "\u{2E84}\u{3473}\u{3447}\u{2E88}\u{2E8B}\u{359E}\u{361A}\u{360E}\u{2E8C}\u{2E97}";
    for (trail, scalar) in trails.into_iter().zip(text.chars()) {
        decodes("gbk", &[0xFE, trail], &scalar.to_string());
    }
}

#[test]
fn textdecoder_mistakes_gbk_decoder_is_gb18030_decoder() {
    for lead in [0, 0x40, 0x7F, 0x80, 0x81, 0xA0, 0xA6, 0xFE, 0xFF] {
        for trail in 0..=0xFF {
            let bytes = [lead, trail];
            assert_eq!(
                mojika::GBK.decode_with(&bytes, BomHandling::Keep).text,
                mojika::GB18030.decode_with(&bytes, BomHandling::Keep).text,
            );
        }
    }
}

#[test]
fn gb18030_encoder() {
    for (input, expected) in [
        ("s", "s"),
        ("\u{20AC}", "%A2%E3"),
        ("\u{4E02}", "%81@"),
        ("\u{E4C6}", "%A1@"),
        ("\u{E4C5}", "%FE%FE"),
        ("\u{E5E5}", "%26%2358853%3B"),
        ("💩", "%949%DA3"),
        ("\u{E7C7}", "%815%F47"),
        ("\u{E7C8}", "%836%C80"),
        ("\u{2026}", "%A1%AD"),
        ("\u{FF5E}", "%A1%AB"),
    ] {
        queries("gb18030", input, expected);
    }
}

/// The 18 code points that gave their two bytes to others in 2022 and yet keep them in encoders, and those others. (Some
/// versions of the suite have the former in four bytes.)
#[test]
fn gb18030_encoder_of_2022() {
    let new = "\u{FE10}\u{FE12}\u{FE11}\u{FE13}\u{FE14}\u{FE15}\u{FE16}\u{FE17}\u{FE18}\u{FE19}\
               \u{9FB4}\u{9FB5}\u{9FB6}\u{9FB7}\u{9FB8}\u{9FB9}\u{9FBA}\u{9FBB}";
    let old = "\u{E78D}\u{E78E}\u{E78F}\u{E790}\u{E791}\u{E792}\u{E793}\u{E794}\u{E795}\u{E796}\
               \u{E81E}\u{E826}\u{E82B}\u{E82C}\u{E832}\u{E843}\u{E854}\u{E864}";
    let bytes = [
        "%A6%D9", "%A6%DA", "%A6%DB", "%A6%DC", "%A6%DD", "%A6%DE", "%A6%DF", "%A6%EC", "%A6%ED",
        "%A6%F3", "%FEY", "%FEa", "%FEf", "%FEg", "%FEm", "%FE~", "%FE%90", "%FE%A0",
    ];
    for ((new, old), expected) in new.chars().zip(old.chars()).zip(bytes) {
        queries("gb18030", &new.to_string(), expected);
        queries("gb18030", &old.to_string(), expected);
    }
}

#[test]
fn gbk_encoder() {
    for (input, expected) in [
        ("s", "s"),
        ("\u{20AC}", "%80"),
        ("\u{4E02}", "%81@"),
        ("\u{E4C6}", "%A1@"),
        ("\u{E4C5}", "%FE%FE"),
        ("💩", "%26%23128169%3B"),
        ("\u{2026}", "%A1%AD"),
        ("\u{FF5E}", "%A1%AB"),
    ] {
        queries("gbk", input, expected);
    }
    are_unmappable("gbk", "\u{E7C8}\u{A5}\u{22EF}\u{301C}");
}

#[test]
fn big5_encoder() {
    for (input, expected) in [
        ("ab", "ab"),
        ("\u{3000}", "%A1@"),
        ("\u{20AC}", "%A3%E1"),
        ("\u{4E00}", "%A4@"),
        ("\u{27607}", "%C8%A4"),
        ("\u{FFE2}", "%C8%CD"),
        ("\u{79D4}", "%FE%FE"),
        // In plane 2; a character of plane 0 with the same low 16 bits has a lower pointer.
        ("\u{203B5}", "%FDj"),
        // Of two pointers the last.
        ("\u{2550}", "%F9%F9"),
    ] {
        queries("big5", input, expected);
    }
    // The highest pointers that the encoder must not use, in planes 0 and 2, and two outside of the index.
    are_unmappable("big5", "\u{9EA6}\u{2626B}\u{2603}💩");
}

#[test]
fn big5_enc_ascii() {
    for byte in 0..0x7F_u8 {
        let text = char::from(byte).to_string();
        let expected = match byte {
            0x21..=0x7E if !b"\"#<>".contains(&byte) => text.clone(),
            _ => format!("%{byte:02X}"),
        };
        queries("big5", &text, &expected);
    }
}

#[test]
fn big5_decode_errors() {
    for (bytes, text) in [
        (&b"\xAB"[..], "\u{FFFD}"),
        (b"\xAB\xB5\xAB", "奏\u{FFFD}"),
        (b"\xAB\xAB\xAB", "垂\u{FFFD}"),
        (b"\xFF", "\u{FFFD}"),
        (b"\xAB\xB5\xFF", "奏\u{FFFD}"),
        (b"\xAB\x31", "\u{FFFD}1"),
        (b"\xAB\xFF", "\u{FFFD}"),
        (b"\xC8\xF2", "\u{FFFD}"),
    ] {
        decodes("big5", bytes, text);
        // In a page the closing tag follows.
        decodes(
            "big5",
            &[bytes, b"</span>"].concat(),
            &(text.to_owned() + "</span>"),
        );
    }
}
