//! textdecoder-mistakes: faults that implementations were found to have. Those of one encoding alone stand in its
//! module; here are those that several share.

use crate::text_decoder::{END, STREAM, TextDecoder, TypeError, calls, decodes};
use mojika::Encoding;

#[test]
fn invalid_unicode_input_is_replaced() {
    decodes("utf-8", b"\0\xFE\xFF", "\0\u{FFFD}\u{FFFD}");
    decodes("utf-8", b"\x80", "\u{FFFD}");
    decodes("utf-8", b"\xF0\x90\x80", "\u{FFFD}");
    decodes("utf-8", b"\xF0\x80\x80", "\u{FFFD}\u{FFFD}\u{FFFD}");
}

#[test]
fn most_encodings_are_ascii_supersets() {
    let encodings = Encoding::all().iter().filter(|e| e.is_ascii_compatible());
    for encoding in encodings {
        for byte in [0x00, 0x1A, 0x1C, 0x42, 0x7F_u8] {
            decodes(
                &encoding.name().to_ascii_lowercase(),
                &[byte],
                &char::from(byte).to_string(),
            );
        }
    }
}

#[test]
fn fast_path_misdetection() {
    let euro = [874, 1250, 1252, 1253, 1254, 1255, 1257, 1258].map(|n| format!("windows-{n}"));
    for label in euro.iter().map(String::as_str).chain(["latin1", "ascii"]) {
        for len in 0..=64 {
            let bytes = [vec![0; len], vec![0x80]].concat();
            let text = "\0".repeat(len) + "€";
            for fatal in [false, true] {
                calls(label, fatal, &[(&bytes, END, Some(&text))]);
            }
        }
    }
}

/// Encoding, bytes and text: non-ASCII bytes in a malformed sequence are not decoded again.
const PUSH_BACK: [(&str, &[u8], &str); 16] = [
    ("big5", b"\x80", "\u{FFFD}"),
    ("big5", b"\x81\x40", "\u{FFFD}@"),
    ("big5", b"\x83\x5C", "\u{FFFD}\\"),
    ("big5", b"\x87\x87\x40", "\u{FFFD}@"),
    ("big5", b"\x81\x81", "\u{FFFD}"),
    ("iso-2022-jp", b"\x1B\x24", "\u{FFFD}$"),
    ("iso-2022-jp", b"\x1B\x24\x40\x1B\x24", "\u{FFFD}\u{FFFD}"),
    ("gb18030", b"\xA0\x30\x2B", "\u{FFFD}0+"),
    ("gb18030", b"\x81\x31", "\u{FFFD}"),
    ("euc-jp", b"\x80", "\u{FFFD}"),
    ("euc-jp", b"\x8D\x8D", "\u{FFFD}\u{FFFD}"),
    ("euc-jp", b"\x8E\x8E", "\u{FFFD}"),
    ("euc-kr", b"\x80", "\u{FFFD}"),
    ("euc-kr", b"\xAD\xAD", "\u{FFFD}"),
    ("euc-kr", b"A\xC7A", "A\u{FFFD}A"),
    ("shift_jis", b"\x85\x85", "\u{FFFD}"),
];

#[test]
fn replacement_push_back_ascii_characters() {
    for (label, bytes, text) in PUSH_BACK {
        decodes(label, bytes, text);
        if label == "gb18030" {
            decodes("gbk", bytes, text);
        }
    }
}

const STICKY: [(&str, &[u8], &str); 24] = [
    ("iso-2022-jp", b"\x1B", "\u{FFFD}"),
    ("iso-2022-jp", b"\x1B(", "\u{FFFD}("),
    ("iso-2022-jp", b"\x1B(I", ""),
    ("gb18030", b"\xFE", "\u{FFFD}"),
    ("gb18030", b"\xFE\x39", "\u{FFFD}"),
    ("gb18030", b"\xFE\x39\xFE", "\u{FFFD}"),
    ("gb18030", b"\xFE\x39\xFE\x39", "\u{FFFD}"),
    ("gb18030", b"\xFF", "\u{FFFD}"),
    ("gb18030", b"\xFE\xFF", "\u{FFFD}"),
    ("gb18030", b"\xFE\x39\xFF", "\u{FFFD}9\u{FFFD}"),
    ("gb18030", b"\xFE\x39\xFE\x40", "\u{FFFD}9\u{FA0C}"),
    ("gb18030", b"\x81", "\u{FFFD}"),
    ("gb18030", b"\x81\x3A", "\u{FFFD}:"),
    ("gb18030", b"\x81\x3A\x81", "\u{FFFD}:\u{FFFD}"),
    ("gbk", b"\xFE\x39\xFF", "\u{FFFD}9\u{FFFD}"),
    ("gbk", b"\x81\x3A\x81", "\u{FFFD}:\u{FFFD}"),
    ("big5", b"\x87\x3A", "\u{FFFD}:"),
    ("big5", b"\x87\x3A\x87", "\u{FFFD}:\u{FFFD}"),
    ("shift_jis", b"\x81\x3A", "\u{FFFD}:"),
    ("shift_jis", b"\x81\x3A\x81", "\u{FFFD}:\u{FFFD}"),
    ("euc-kr", b"\x81\x3A", "\u{FFFD}:"),
    ("euc-kr", b"\x81\x3A\x81", "\u{FFFD}:\u{FFFD}"),
    ("euc-jp", b"\x8F\xA1", "\u{FFFD}"),
    ("euc-jp", b"\x8E", "\u{FFFD}"),
];

/// Errors of one stream must not reach the next.
#[test]
fn sticky_multibyte_state() {
    for (label, bytes, text) in STICKY {
        decodes(label, bytes, text);
        for fatal in [false, true] {
            let mut decoder = TextDecoder::with_options(label, fatal, false).expect(label);
            assert_eq!(decoder.decode(b"@", END).as_deref(), Ok("@"));
            let expected = if fatal && text.contains('\u{FFFD}') {
                Err(&TypeError)
            } else {
                Ok(text)
            };
            assert_eq!(
                decoder.decode(bytes, END).as_deref(),
                expected,
                "{label}: {bytes:02X?}"
            );
            for ascii in ["@", "*", "B"] {
                assert_eq!(
                    decoder.decode(ascii.as_bytes(), END).as_deref(),
                    Ok(ascii),
                    "{label}"
                );
            }
        }
    }
}

/// [`decodes`] cuts these everywhere, with an empty chunk in the cut.
#[test]
fn stream() {
    for (label, bytes, text) in [
        ("utf-8", &b"\xF0\xC3\x80**"[..], "\u{FFFD}\u{C0}**"),
        ("gbk", b"\x81\x82", "\u{4E97}"),
        ("gbk", b"\xA0\x30\x2B", "\u{FFFD}0+"),
        ("gb18030", b"\x81\x82", "\u{4E97}"),
        ("gb18030", b"\xA0\x30\x2B", "\u{FFFD}0+"),
        ("big5", b"\xFE\x40", "\u{9442}"),
        ("shift_jis", b"\x81\x87", "\u{221E}"),
        ("euc-kr", b"\x81\x41", "\u{AC02}"),
        ("euc-jp", b"\xB0\xB0", "\u{65ED}"),
        ("iso-2022-jp", b"*\x1B", "*\u{FFFD}"),
    ] {
        decodes(label, bytes, text);
    }
    for (bytes, text) in [
        (&b"\xC0"[..], "\u{FFFD}"),
        (b"\xFF", "\u{FFFD}"),
        (b"\xED\xBF", "\u{FFFD}\u{FFFD}"),
    ] {
        calls("utf-8", false, &[(bytes, STREAM, Some(text))]);
    }
}

#[test]
fn fatal_stream_utf_8() {
    calls(
        "utf-8",
        true,
        &[
            (b"\xC0", STREAM, None),
            (b"\xFF", STREAM, None),
            (b"", END, Some("")),
        ],
    );
    calls(
        "utf-8",
        false,
        &[
            (b"\xFD\xEF", STREAM, Some("\u{FFFD}")),
            (b"", END, Some("\u{FFFD}")),
        ],
    );
    // The Standard's words keep 0xEF for the next call; see `TextDecoder`.
    calls(
        "utf-8",
        true,
        &[(b"\xFD\xEF", STREAM, None), (b"", END, Some(""))],
    );
}

#[test]
fn fatal_stream_utf_16() {
    for label in ["utf-16le", "utf-16be"] {
        calls(
            label,
            true,
            &[
                (b"\0", STREAM, Some("")),
                (b"", END, None),
                (b"", END, Some("")),
            ],
        );
    }
}

/// The one decoder whose state outlives an error: the character set that an escape sequence chose.
#[test]
fn fatal_stream_iso_2022_jp() {
    calls(
        "iso-2022-jp",
        true,
        &[
            (b"~", END, Some("~")),
            (b"\x1B(J\xFF", STREAM, None),
            (b"~", END, Some("\u{203E}")),
        ],
    );
    calls(
        "iso-2022-jp",
        true,
        &[
            (b"B", END, Some("B")),
            (b"\x1B(I\xFF", STREAM, None),
            (b"B", END, Some("\u{FF82}")),
        ],
    );
}

/// streams/decode-non-utf8: one character of each, and malformed input in both error modes.
#[test]
fn streams_decode_non_utf8() {
    for (label, bytes, text, malformed) in [
        ("utf-16be", &b"\x6C\x34"[..], "\u{6C34}", &b"\xD8\x00"[..]),
        ("utf-16le", b"\x34\x6C", "\u{6C34}", b"\x00\xD8"),
        ("shift_jis", b"\x90\x85", "\u{6C34}", b"\xFF"),
        ("iso-2022-jp", b"ABC\x1BABC", "ABC\u{FFFD}ABC", b"\x0E"),
        ("iso-8859-14", b"d\xF0r", "d\u{175}r", b""),
    ] {
        calls(label, false, &[(bytes, STREAM, Some(text))]);
        if !malformed.is_empty() {
            decodes(label, malformed, "\u{FFFD}");
        }
    }
}
