//! Byte order marks: removed, kept, split, repeated, of another encoding.

use crate::text_decoder::{END, STREAM, TextDecoder, calls};
use mojika::{Encoding, hooks};

/// Label, byte order mark, and "abc" in the encoding.
const ABC: [(&str, &[u8], &[u8]); 3] = [
    ("utf-8", b"\xEF\xBB\xBF", b"abc"),
    ("utf-16le", b"\xFF\xFE", b"a\0b\0c\0"),
    ("utf-16be", b"\xFE\xFF", b"\0a\0b\0c"),
];

fn decoder(label: &str, ignore_bom: bool) -> TextDecoder {
    TextDecoder::with_options(label, false, ignore_bom).expect(label)
}

#[test]
fn textdecoder_ignorebom() {
    for (label, bom, abc) in ABC {
        let bytes = [bom, abc].concat();
        for (ignore_bom, text) in [(true, "\u{FEFF}abc"), (false, "abc")] {
            let mut decoder = decoder(label, ignore_bom);
            for _ in 0..2 {
                assert_eq!(decoder.decode(&bytes, END).as_deref(), Ok(text), "{label}");
            }
        }
    }
}

#[test]
fn streams_decode_ignore_bom_cut_in_two() {
    for (label, bom, abc) in ABC {
        let bytes = [bom, abc].concat();
        for split in 0..bytes.len() {
            for (ignore_bom, expected) in [(true, "\u{FEFF}abc"), (false, "abc")] {
                let mut decoder = decoder(label, ignore_bom);
                let mut text = decoder.decode(&bytes[..split], STREAM).expect("no error");
                text += &decoder.decode(&bytes[split..], END).expect("no error");
                assert_eq!(text, expected, "{label} cut at {split}");
            }
        }
    }
}

#[test]
fn textdecoder_byte_order_marks() {
    let text = "z\u{A2}\u{6C34}\u{1D11E}\u{10FFFD}";
    for (label, bom, _) in ABC {
        let encoding = Encoding::for_label(label).expect(label);
        let bytes = encoding.encode(text).expect("mappable");
        let mut decoder = decoder(label, false);
        assert_eq!(decoder.decode(&bytes, END).as_deref(), Ok(text));
        assert_eq!(
            decoder.decode(&[bom, &bytes].concat(), END).as_deref(),
            Ok(text)
        );
        for (other, other_bom, _) in ABC.into_iter().filter(|row| row.0 != label) {
            let decoded = decoder.decode(&[other_bom, &bytes].concat(), END);
            assert_ne!(
                decoded.as_deref(),
                Ok(text),
                "{label} with the BOM of {other}"
            );
        }
    }
}

/// A page that is declared to be in windows-1252 and starts with a byte order mark.
#[test]
fn bom_handling() {
    let page = "<div>これは文字実験です。</div>";
    for (label, bom, _) in ABC {
        let encoding = Encoding::for_label(label).expect(label);
        let bytes = [bom, &*encoding.encode(page).expect("mappable")].concat();
        let decoded = hooks::decode(&bytes, mojika::WINDOWS_1252);
        assert_eq!((&*decoded.text, decoded.encoding), (page, encoding));
        assert_eq!(hooks::bom_sniff(&bytes), Some(encoding));
        let mut streamed = String::new();
        let mut decoder = mojika::WINDOWS_1252.new_decoder();
        for byte in bytes {
            decoder.decode_append(&[byte], &mut streamed, false);
        }
        assert_eq!(decoder.encoding(), encoding);
        decoder.decode_append(b"", &mut streamed, true);
        assert_eq!(streamed, page, "{label} byte by byte");
    }
}

/// UTF-32 and UTF-7 are unknown labels; a response is then UTF-8, unless it starts with a byte order mark.
#[test]
fn unsupported_encodings() {
    for label in [
        "UTF-7", "utf-7", "UTF-32", "utf-32", "UTF-32LE", "utf-32le", "UTF-32be", "utf-32be",
    ] {
        assert_eq!(Encoding::for_label(label), None);
    }
    for (bytes, text) in [
        (&b"+AD4"[..], "+AD4"),
        (b"\xFF\xFE\0\0A\0\0\0B\0\0\0", "\0A\0B\0"),
        (b"A\0\0\0B\0\0\xC2\x80", "A\0\0\0B\0\0\u{80}"),
        (b"\0\0\0A\0\0\0B\xC2\x80", "\0\0\0A\0\0\0B\u{80}"),
        (
            b"\0\0\xFE\xFF\0\0\0A\0\xC2\x80B",
            "\0\0\u{FFFD}\u{FFFD}\0\0\0A\0\u{80}B",
        ),
    ] {
        assert_eq!(hooks::decode(bytes, mojika::UTF_8).text, text);
        let spec = mojika_spec::hooks::decode_bytes(bytes, mojika_spec::Encoding::Utf8);
        assert_eq!(spec, text);
    }
}

#[test]
fn textdecoder_copy_bom_in_two_buffers() {
    calls(
        "utf-8",
        false,
        &[
            (b"\xEF\xBB", STREAM, Some("")),
            (b"\xBF\x40", END, Some("@")),
        ],
    );
}

#[test]
fn textdecoder_mistakes_bom_cut_or_repeated_utf_8() {
    calls(
        "utf-8",
        false,
        &[
            (b"\x01\x02", STREAM, Some("\x01\x02")),
            (b"\x03", END, Some("\x03")),
            (b"\xEF\xBB", STREAM, Some("")),
            (b"\xBF", STREAM, Some("")),
            (b"\xEF\xBB", STREAM, Some("")),
            (b"\xBF", STREAM, Some("\u{FEFF}")),
            (b"B", END, Some("B")),
            (b"\xEF", STREAM, Some("")),
            (b"\xBB", STREAM, Some("")),
            (b"\xBF", STREAM, Some("")),
            (b"\xEF", STREAM, Some("")),
            (b"\xBB", STREAM, Some("")),
            (b"\xBF", STREAM, Some("\u{FEFF}")),
            (b"\xEF\xBB\xBF", STREAM, Some("\u{FEFF}")),
            (b"A", END, Some("A")),
            (b"", STREAM, Some("")),
            (b"\xEF\xBB", STREAM, Some("")),
            (b"\xBFC", END, Some("C")),
            (b"\xEF", STREAM, Some("")),
            (b"\xBB\xBF*+", END, Some("*+")),
            (b"\0\0", STREAM, Some("\0\0")),
            (b"\0", END, Some("\0")),
            (b"\xEF\xBB", STREAM, Some("")),
            (b"\xBF", END, Some("")),
        ],
    );
}

#[test]
fn textdecoder_mistakes_bom_cut_or_repeated_utf_16() {
    for (label, [a, b], three) in [
        ("utf-16le", [0xFF, 0xFE], [3, 0]),
        ("utf-16be", [0xFE, 0xFF], [0, 3]),
    ] {
        let [c, d] = three;
        calls(
            label,
            false,
            &[
                (&[a, b], STREAM, Some("")),
                (&[c, d], END, Some("\x03")),
                (&[a], STREAM, Some("")),
                (&[b, c, d], END, Some("\x03")),
                (&[a, b], STREAM, Some("")),
                (&[a, b, c, d], END, Some("\u{FEFF}\x03")),
                (&[a], STREAM, Some("")),
                (&[b, a, b, c, d], END, Some("\u{FEFF}\x03")),
            ],
        );
    }
}

/// After an error, the object must still look for a byte order mark in the next stream.
#[test]
fn textdecoder_mistakes_sticky_fatal_bom() {
    for (label, bom, at) in [
        ("utf-8", &b"\xEF\xBB\xBF"[..], &b"@"[..]),
        ("utf-16le", b"\xFF\xFE", b"@\0"),
        ("utf-16be", b"\xFE\xFF", b"\0@"),
    ] {
        calls(
            label,
            true,
            &[
                (b"\xFF", END, None),
                (bom, END, Some("")),
                (b"\xFF", END, None),
                (&[bom, at].concat(), END, Some("@")),
                (b"\xFF", END, None),
                (&bom.repeat(2), END, Some("\u{FEFF}")),
            ],
        );
    }
}
