//! Byte order marks: removed, kept, split, repeated, of another encoding.

use crate::text_decoder::{END, STREAM, calls};

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
