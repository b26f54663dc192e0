//! UTF-7 and IMAP's variant. Expected bytes are those of ICU, glibc and Python.

use crate::common::{decodes, decodes_cleanly, encodes};
use mojika::{Encoding, extended};

fn named(name: &str) -> &'static Encoding {
    extended::for_name(name).unwrap()
}

#[test]
fn utf_7_has_utf_16_in_base64() {
    let utf_7 = named("utf-7");
    for (text, bytes) in [
        ("é~\n", &b"+AOkAfg\n"[..]),
        ("a+b", b"a+-b"),
        ("é+b", b"+AOkAKw-b"),
        ("éé-x", b"+AOkA6Q--x"),
        ("é x", b"+AOk x"),
        ("\0a", b"+AAA-a"),
        ("日本語", b"+ZeVnLIqe-"),
        ("😀a", b"+2D3eAA-a"),
        ("a😀😀é", b"a+2D3eANg93gAA6Q-"),
        ("é&b", b"+AOk&b"),
    ] {
        decodes_cleanly(utf_7, bytes, text);
        encodes(utf_7, text, bytes);
    }
    // The decoder also accepts Base64 of characters that need none, and Base64 without "-" at its end.
    decodes_cleanly(utf_7, b"+AGE-+AOk", "aé");
}

#[test]
fn what_rfc_2152_calls_ill_formed_is_malformed() {
    let utf_7 = named("utf-7");
    decodes(
        utf_7,
        b"a~\\\x80\x01",
        "a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
        &[(1, 1), (2, 1), (3, 1), (4, 1)],
    );
    decodes(utf_7, b"+!+", "\u{FFFD}!\u{FFFD}", &[(0, 1), (2, 1)]);
    // The Base64 digits do not form a whole code unit.
    decodes(utf_7, b"+A-b", "\u{FFFD}b", &[(0, 2)]);
    decodes(utf_7, b"+AOkA-b", "é\u{FFFD}b", &[(4, 1)]);
    // The bits after the last code unit are not zero.
    decodes(utf_7, b"+AOl-b", "é\u{FFFD}b", &[(4, 1)]);
    decodes(utf_7, b"+AOl b", "é\u{FFFD}b", &[(4, 1)]);
    // Lone surrogates. The decoder has read bytes after the first one.
    decodes(utf_7, b"+2AA-", "\u{FFFD}", &[(0, 4)]);
    decodes(utf_7, b"+3AAA6Q-", "\u{FFFD}é", &[(0, 4)]);
    decodes(utf_7, b"+2AAA6Q-", "\u{FFFD}é", &[(0, 4)]);
    decodes(utf_7, b"+2AA", "\u{FFFD}", &[(0, 4)]);
    decodes(utf_7, b"+2ADY", "\u{FFFD}\u{FFFD}", &[(0, 4), (4, 1)]);
}

#[test]
fn names_of_mailboxes_have_one_form() {
    let imap = named("utf-7-imap");
    for (text, bytes) in [
        ("é~\n", &b"&AOk-~&AAo-"[..]),
        ("a&b+c", b"a&-b+c"),
        ("é&é", b"&AOk-&-&AOk-"),
        (
            "~peter/mail/台北/日本語",
            b"~peter/mail/&U,BTFw-/&ZeVnLIqe-",
        ),
    ] {
        decodes_cleanly(imap, bytes, text);
        encodes(imap, text, bytes);
    }
    // In IMAP's form, printable ASCII in Base64, Base64 without "-" at its end, and controls are malformed.
    decodes(imap, b"&AGE-", "\u{FFFD}", &[(0, 4)]);
    decodes(imap, b"&ACY-b", "\u{FFFD}b", &[(0, 4)]);
    decodes(imap, b"&AOk b", "é\u{FFFD}b", &[(4, 1)]);
    decodes(imap, b"&AOk&b", "é\u{FFFD}b", &[(4, 1)]);
    decodes(imap, b"a\nb&", "a\u{FFFD}b\u{FFFD}", &[(1, 1), (3, 1)]);
}
