//! EUC-KR.

use crate::query::{are_unmappable, queries};
use crate::text_decoder::decodes;

#[test]
fn euckr_decode_errors() {
    for (bytes, text) in [
        (&b"\xB0"[..], "\u{FFFD}"),
        (b"\xB0\xB5\xB0", "갠\u{FFFD}"),
        (b"\xB0\xB0\xB0", "같\u{FFFD}"),
        (b"\xFF", "\u{FFFD}"),
        (b"\xB0\xB5\xFF", "갠\u{FFFD}"),
        (b"\xB0\x31", "\u{FFFD}1"),
        (b"\xB0\xFF", "\u{FFFD}"),
        (b"\x81\x5B", "\u{FFFD}["),
    ] {
        decodes("euc-kr", bytes, text);
        // In a page the closing tag follows.
        decodes(
            "euc-kr",
            &[bytes, b"</span>"].concat(),
            &(text.to_owned() + "</span>"),
        );
    }
}

#[test]
fn euckr_encode_href() {
    for (input, expected) in [
        ("갠", "%B0%B5"),
        ("갂", "%81A"),
        ("힝", "%C8%FE"),
        ("ㄱ", "%A4%A1"),
    ] {
        queries("euc-kr", input, expected);
    }
    are_unmappable("euc-kr", "\u{80}\u{A5}\u{3400}\u{E000}💩");
}
