//! UTF-16BE and UTF-16LE, and text in all three encodings of Unicode.

use crate::text_decoder::{END, STREAM, TextDecoder, calls, decodes};

/// The code units in UTF-16BE or UTF-16LE.
fn utf_16_bytes(label: &str, units: &[u16]) -> Vec<u8> {
    let bytes = units.iter().map(|unit| match label {
        "utf-16be" => unit.to_be_bytes(),
        _ => unit.to_le_bytes(),
    });
    bytes.flatten().collect()
}

/// Code units and the text they decode to; textdecoder-utf16-surrogates, and that part of textdecoder-mistakes.
const SURROGATES: [(&[u16], &str); 10] = [
    (&[0xD800], "\u{FFFD}"),
    (&[0xDC00], "\u{FFFD}"),
    (&[0xD800, 0], "\u{FFFD}\0"),
    (&[0xDC00, 0], "\u{FFFD}\0"),
    (&[0xDC00, 0xD800], "\u{FFFD}\u{FFFD}"),
    (&[0x61, 0x62, 0xD800, 0x77, 0x78], "ab\u{FFFD}wx"),
    (&[0xD800, 0xD800], "\u{FFFD}\u{FFFD}"),
    (&[0x61, 0x62, 0xDFFF, 0x77, 0x78], "ab\u{FFFD}wx"),
    (&[0xDFFF, 0xD800], "\u{FFFD}\u{FFFD}"),
    (&[0xD834, 0xDD1E], "\u{1D11E}"),
];

#[test]
fn textdecoder_utf16_surrogates() {
    for label in ["utf-16le", "utf-16be"] {
        for (units, text) in SURROGATES {
            decodes(label, &utf_16_bytes(label, units), text);
            // Among enough other text for vectors.
            let units = [&[0x2603; 40], units, &[0x41; 40]].concat();
            let text = ["☃".repeat(40), text.to_owned(), "A".repeat(40)].concat();
            decodes(label, &utf_16_bytes(label, &units), &text);
        }
    }
}

#[test]
fn textdecoder_mistakes_truncated_utf_16() {
    for (label, bytes, text) in [
        ("utf-16le", [0x00, 0x00, 0x00], "\0\u{FFFD}"),
        ("utf-16le", [0x2A, 0x00, 0x00], "*\u{FFFD}"),
        ("utf-16le", [0x00, 0xD8, 0x00], "\u{FFFD}"),
        ("utf-16le", [0x00, 0xD8, 0xD8], "\u{FFFD}"),
        ("utf-16be", [0x00, 0x00, 0x00], "\0\u{FFFD}"),
        ("utf-16be", [0x00, 0x2A, 0x00], "*\u{FFFD}"),
        ("utf-16be", [0xD8, 0x00, 0x00], "\u{FFFD}"),
        ("utf-16be", [0xD8, 0x00, 0xD8], "\u{FFFD}"),
    ] {
        decodes(label, &bytes, text);
    }
}

#[test]
fn textdecoder_fatal_streaming() {
    for (label, bytes) in [
        ("utf-8", b"\xC0"),
        ("utf-16le", b"\x00"),
        ("utf-16be", b"\x00"),
    ] {
        decodes(label, bytes, "\u{FFFD}");
    }
    calls(
        "utf-16le",
        true,
        &[
            (b"\0", STREAM, Some("")),
            (b"\0", END, Some("\0")),
            (b"\0\0", STREAM, Some("\0")),
            (b"\0", END, None),
            (b"\0", STREAM, Some("")),
            (b"\0\0", END, None),
            (b"\0\0", STREAM, Some("\0")),
            (b"\0\0", END, Some("\0")),
        ],
    );
}

#[test]
fn textdecoder_streaming() {
    let text = "\u{0}123ABCabc\u{80}\u{FF}\u{100}\u{1000}\u{FFFD}\u{10000}\u{10FFFF}";
    let units: Vec<u16> = text.encode_utf16().collect();
    for (label, bytes) in [
        ("utf-8", text.as_bytes().to_vec()),
        ("utf-16le", utf_16_bytes("utf-16le", &units)),
        ("utf-16be", utf_16_bytes("utf-16be", &units)),
    ] {
        for window in 1..=5 {
            let mut decoder = TextDecoder::new(label);
            let mut out = String::new();
            for chunk in bytes.chunks(window) {
                out += &decoder.decode(chunk, STREAM).expect("no error");
            }
            out += &decoder.decode(b"", END).expect("no error");
            assert_eq!(out, text, "{label} in chunks of {window}");
        }
    }
}

/// z, cent, water, G clef, private use in both planes, and a byte-swapped BOM.
#[test]
fn api_basics_sample() {
    let text = "z\u{A2}\u{6C34}\u{1D11E}\u{F8FF}\u{10FFFD}\u{FFFE}";
    let utf_8 = b"\x7A\xC2\xA2\xE6\xB0\xB4\xF0\x9D\x84\x9E\xEF\xA3\xBF\xF4\x8F\xBF\xBD\xEF\xBF\xBE";
    let le = b"\x7A\x00\xA2\x00\x34\x6C\x34\xD8\x1E\xDD\xFF\xF8\xFF\xDB\xFD\xDF\xFE\xFF";
    let be = b"\x00\x7A\x00\xA2\x6C\x34\xD8\x34\xDD\x1E\xF8\xFF\xDB\xFF\xDF\xFD\xFF\xFE";
    assert_eq!(text.as_bytes(), utf_8);
    assert_eq!(*mojika::UTF_16LE.encode(text).expect("mappable"), *le);
    assert_eq!(*mojika::UTF_16BE.encode(text).expect("mappable"), *be);
    decodes("utf-8", utf_8, text);
    decodes("utf-16le", le, text);
    decodes("utf-16", le, text);
    decodes("utf-16be", be, text);
}
