//! UTF-8: malformed sequences, the end of the queue, chunks.

use crate::text_decoder::{Call, END, STREAM, TextDecoder, TypeError, calls, decodes};

/// Malformed sequences of textdecoder-fatal. (Its case for UTF-16LE is in the module of UTF-16.)
const MALFORMED: [(&str, &[u8]); 33] = [
    ("invalid code", b"\xFF"),
    ("ends early", b"\xC0"),
    ("ends early 2", b"\xE0"),
    ("invalid trail", b"\xC0\x00"),
    ("invalid trail 2", b"\xC0\xC0"),
    ("invalid trail 3", b"\xE0\x00"),
    ("invalid trail 4", b"\xE0\xC0"),
    ("invalid trail 5", b"\xE0\x80\x00"),
    ("invalid trail 6", b"\xE0\x80\xC0"),
    ("above U+10FFFF", b"\xFC\x80\x80\x80\x80\x80"),
    ("obsolete lead byte", b"\xFE\x80\x80\x80\x80\x80"),
    ("overlong U+0000, 2 bytes", b"\xC0\x80"),
    ("overlong U+0000, 3 bytes", b"\xE0\x80\x80"),
    ("overlong U+0000, 4 bytes", b"\xF0\x80\x80\x80"),
    ("overlong U+0000, 5 bytes", b"\xF8\x80\x80\x80\x80"),
    ("overlong U+0000, 6 bytes", b"\xFC\x80\x80\x80\x80\x80"),
    ("overlong U+007F, 2 bytes", b"\xC1\xBF"),
    ("overlong U+007F, 3 bytes", b"\xE0\x81\xBF"),
    ("overlong U+007F, 4 bytes", b"\xF0\x80\x81\xBF"),
    ("overlong U+007F, 5 bytes", b"\xF8\x80\x80\x81\xBF"),
    ("overlong U+007F, 6 bytes", b"\xFC\x80\x80\x80\x81\xBF"),
    ("overlong U+07FF, 3 bytes", b"\xE0\x9F\xBF"),
    ("overlong U+07FF, 4 bytes", b"\xF0\x80\x9F\xBF"),
    ("overlong U+07FF, 5 bytes", b"\xF8\x80\x80\x9F\xBF"),
    ("overlong U+07FF, 6 bytes", b"\xFC\x80\x80\x80\x9F\xBF"),
    ("overlong U+FFFF, 4 bytes", b"\xF0\x8F\xBF\xBF"),
    ("overlong U+FFFF, 5 bytes", b"\xF8\x80\x8F\xBF\xBF"),
    ("overlong U+FFFF, 6 bytes", b"\xFC\x80\x80\x8F\xBF\xBF"),
    ("overlong U+10FFFF, 5 bytes", b"\xF8\x84\x8F\xBF\xBF"),
    ("overlong U+10FFFF, 6 bytes", b"\xFC\x80\x84\x8F\xBF\xBF"),
    ("lead surrogate", b"\xED\xA0\x80"),
    ("trail surrogate", b"\xED\xB0\x80"),
    ("surrogate pair", b"\xED\xA0\x80\xED\xB0\x80"),
];

#[test]
fn textdecoder_fatal() {
    for (name, bytes) in MALFORMED {
        for (before, after) in [
            (&b""[..], &b""[..]),
            (b"a\xC3\xA9", b"z"),
            (&[b'x'; 64], b"z"),
        ] {
            let bytes = [before, bytes, after].concat();
            assert_eq!(
                TextDecoder::fatal("utf-8").decode(&bytes, END),
                Err(TypeError),
                "{name}"
            );
            let text = TextDecoder::new("utf-8").decode(&bytes, END);
            assert!(text.is_ok_and(|text| text.contains('\u{FFFD}')), "{name}");
            assert!(
                mojika::hooks::utf_8_decode_without_bom_or_fail(&bytes).is_err(),
                "{name}"
            );
        }
    }
}

#[test]
fn textdecoder_fatal_error_does_not_prevent_future_decodes() {
    calls(
        "utf-8",
        true,
        &[
            (b"\xE2\x99\xA5", END, Some("♥")),
            (b"\xE2\x99", END, None),
            (b"\xE2\x99\xA5", END, Some("♥")),
        ],
    );
}

#[test]
fn textdecoder_eof() {
    for (bytes, text) in [
        (&b"\xF0"[..], "\u{FFFD}"),
        (b"\xF0\x9F", "\u{FFFD}"),
        (b"\xF0\x9F\x92", "\u{FFFD}"),
        (b"\xF0\x9F\x41", "\u{FFFD}A"),
        (b"\xF0\x41\x42", "\u{FFFD}AB"),
        (b"\xF0\x41\xF0", "\u{FFFD}A\u{FFFD}"),
        (b"\xF0\x8F\x92", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ] {
        decodes("utf-8", bytes, text);
    }
    decodes("big5", b"\x81\x40", "\u{FFFD}@");
    decodes("big5", b"\x81\x81", "\u{FFFD}");
    decodes("big5", b"\x87\x87\x40", "\u{FFFD}@");
}

#[test]
fn textdecoder_eof_while_streaming() {
    let replaced = Some("\u{FFFD}");
    calls(
        "utf-8",
        false,
        &[
            (b"\xF0", STREAM, Some("")),
            (b"", END, replaced),
            (b"\xF0", STREAM, Some("")),
            (b"\x9F", STREAM, Some("")),
            (b"", END, replaced),
            (b"\xF0\x9F", STREAM, Some("")),
            (b"\x92", END, replaced),
            (b"\xF0\x9F", STREAM, Some("")),
            (b"\x41", STREAM, Some("\u{FFFD}A")),
            (b"", END, Some("")),
            (b"\xF0\x41\x42", STREAM, Some("\u{FFFD}AB")),
            (b"", END, Some("")),
            (b"\xF0\x41\xF0", STREAM, Some("\u{FFFD}A")),
            (b"", END, replaced),
            (b"\xF0", STREAM, Some("")),
            (b"\x8F", STREAM, Some("\u{FFFD}\u{FFFD}")),
            (b"\x92", STREAM, replaced),
            (b"", END, Some("")),
            (b"\xF0\xC2\x80\x2A", STREAM, Some("\u{FFFD}\u{80}*")),
            (b"", END, Some("")),
            (b"\xF0", STREAM, Some("")),
            (b"\xC2", STREAM, replaced),
            (b"\x80", STREAM, Some("\u{80}")),
            (b"\x2A", STREAM, Some("*")),
            (b"", END, Some("")),
            (b"\xF0", STREAM, Some("")),
            (b"\xC2", STREAM, replaced),
            (b"\x80\x2A", STREAM, Some("\u{80}*")),
            (b"", END, Some("")),
            (b"\xF0", STREAM, Some("")),
            (b"\xC2\x80\x2A", STREAM, Some("\u{FFFD}\u{80}*")),
            (b"", END, Some("")),
        ],
    );
    calls(
        "big5",
        false,
        &[
            (b"\x81\x40", STREAM, Some("\u{FFFD}@")),
            (b"", END, Some("")),
            (b"\x81", STREAM, Some("")),
            (b"\x40", STREAM, Some("\u{FFFD}@")),
            (b"", END, Some("")),
        ],
    );
}

/// Pages that end in the middle of a character.
#[test]
fn eof_utf_8_one_two_three() {
    for bytes in [&b"\xF0"[..], b"\xF0\x9F", b"\xF0\x9F\x92"] {
        let page = [b"Truncated sequence:", bytes].concat();
        let decoded = mojika::hooks::decode(&page, mojika::UTF_8);
        assert_eq!(decoded.text, "Truncated sequence:\u{FFFD}");
    }
}

#[test]
fn textdecoder_streaming_utf_8_chunks() {
    let all: &[Call<'_>] = &[
        (b"\xC1", STREAM, Some("\u{FFFD}")),
        (b"", END, Some("")),
        (b"\xF5", STREAM, Some("\u{FFFD}")),
        (b"", END, Some("")),
        (b"\xE0\x41", STREAM, Some("\u{FFFD}A")),
        (b"\x42", END, Some("B")),
        (b"\xE0\x80", STREAM, Some("\u{FFFD}\u{FFFD}")),
        (b"\x80", END, Some("\u{FFFD}")),
        (b"\xED\xA0", STREAM, Some("\u{FFFD}\u{FFFD}")),
        (b"\x80", END, Some("\u{FFFD}")),
        (b"\xF0\x41", STREAM, Some("\u{FFFD}A")),
        (b"\x42", STREAM, Some("B")),
        (b"\x43", END, Some("C")),
        (b"\xF0\x80", STREAM, Some("\u{FFFD}\u{FFFD}")),
        (b"\x80", STREAM, Some("\u{FFFD}")),
        (b"\x80", END, Some("\u{FFFD}")),
        (b"\xF4\xA0", STREAM, Some("\u{FFFD}\u{FFFD}")),
        (b"\x80", STREAM, Some("\u{FFFD}")),
        (b"\x80", END, Some("\u{FFFD}")),
        (b"\xF0\x90\x41", STREAM, Some("\u{FFFD}A")),
        (b"\x42", END, Some("B")),
        // No lead surrogate comes early.
        (b"\xF0\x9F\x92", STREAM, Some("")),
        (b"\xA9", END, Some("💩")),
    ];
    calls("utf-8", false, all);
}

#[test]
fn textdecoder_arguments_flush() {
    calls(
        "utf-8",
        false,
        &[
            (b"", END, Some("")),
            (b"\xC9", STREAM, Some("")),
            (b"", END, Some("\u{FFFD}")),
        ],
    );
}

#[test]
fn streams_decode_utf_8() {
    let text = "I \u{1F499} streams";
    calls("utf-8", false, &[(text.as_bytes(), END, Some(text))]);
    calls(
        "utf-8",
        false,
        &[(b"", STREAM, Some("")), (text.as_bytes(), END, Some(text))],
    );
    calls(
        "utf-8",
        false,
        &[(text.as_bytes(), STREAM, Some(text)), (b"", END, Some(""))],
    );
}

#[test]
fn streams_decode_split_character() {
    let bytes = "I \u{1F499} streams".as_bytes();
    for split in 2..=5 {
        let (head, tail) = bytes.split_at(split);
        for hole in [false, true] {
            let mut all: Vec<Call<'_>> = vec![(head, STREAM, Some("I "))];
            if hole {
                all.push((b"", STREAM, Some("")));
            }
            all.push((tail, END, Some("\u{1F499} streams")));
            calls("utf-8", false, &all);
        }
    }
    calls(
        "utf-8",
        false,
        &[
            (&bytes[..6], STREAM, Some("I \u{1F499}")),
            (&bytes[6..], END, Some(" streams")),
        ],
    );
}

#[test]
fn streams_decode_incomplete_input() {
    calls(
        "utf-8",
        false,
        &[(b"\xE5", STREAM, Some("")), (b"", END, Some("\u{FFFD}"))],
    );
    calls(
        "utf-8",
        true,
        &[(b"\xE5", STREAM, Some("")), (b"", END, None)],
    );
}
