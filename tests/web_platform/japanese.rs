//! EUC-JP, Shift_JIS and ISO-2022-JP.

use crate::query::{are_unmappable, queries};
use crate::text_decoder::decodes;

#[test]
fn eucjp_decode_errors() {
    for (bytes, text) in [
        (&b"\xB0"[..], "\u{FFFD}"),
        (b"\xB0\xB5\xB0", "圧\u{FFFD}"),
        (b"\xB0\xB0\xB0", "旭\u{FFFD}"),
        (b"\xFF", "\u{FFFD}"),
        (b"\xB0\xB5\xFF", "圧\u{FFFD}"),
        (b"\x91", "\u{FFFD}"),
        (b"\xB0\xB5\x91", "圧\u{FFFD}"),
        (b"\xB0\x31", "\u{FFFD}1"),
        (b"\xB0\xFF", "\u{FFFD}"),
        (b"\xB0\xA0", "\u{FFFD}"),
        (b"\xA2\xB9", "\u{FFFD}"),
    ] {
        decodes("euc-jp", bytes, text);
        // In a page the closing tag follows.
        decodes(
            "euc-jp",
            &[bytes, b"</span>"].concat(),
            &(text.to_owned() + "</span>"),
        );
    }
}

#[test]
fn sjis_decode_errors() {
    for (bytes, text) in [
        (&b"\xFA"[..], "\u{FFFD}"),
        (b"\xFA\x6E\xFA", "佖\u{FFFD}"),
        (b"\xFA\xFA\xFA", "洄\u{FFFD}"),
        (b"\xFF", "\u{FFFD}"),
        (b"\xA0", "\u{FFFD}"),
        (b"\xE1", "\u{FFFD}"),
        (b"\xFA\xFA\xFF", "洄\u{FFFD}"),
        (b"\xFA\xFD", "\u{FFFD}"),
        (b"\xFA\xFE", "\u{FFFD}"),
        (b"\x81\xB5", "\u{FFFD}"),
    ] {
        decodes("shift_jis", bytes, text);
        decodes(
            "shift_jis",
            &[bytes, b"</span>"].concat(),
            &(text.to_owned() + "</span>"),
        );
    }
}

#[test]
fn eof_shift_jis() {
    decodes(
        "shift_jis",
        b"One-byte truncated sequence:\x82",
        "One-byte truncated sequence:\u{FFFD}",
    );
}

#[test]
fn iso_2022_jp_decoder() {
    for (bytes, text) in [
        (&b"\x1B$"[..], "\u{FFFD}$"),
        (b"\x1B$P", "\u{FFFD}$P"),
        (b"\x1B(BP", "P"),
        (b"\x1B(B\x1B(BP", "\u{FFFD}P"),
        (b"P\x1B(BP", "PP"),
        (b"\x5C\x5D\x7E", "\\]~"),
        (b"\x0D\x0E\x0F\x10", "\r\u{FFFD}\u{FFFD}\x10"),
        (b"\x1B(J\x5C\x5D\x7E", "¥]‾"),
        (b"\x1B(J\x0D\x0E\x0F\x10", "\r\u{FFFD}\u{FFFD}\x10"),
        (b"\x1B(J\x1B\x1B(IP", "\u{FFFD}ﾐ"),
        (b"\x1B(IP", "ﾐ"),
        (b"\x1B(I\x1B$@PP", "\u{FFFD}佩"),
        (b"\x1B(I\x1BP", "\u{FFFD}ﾐ"),
        (b"\x1B(I\x1B$P", "\u{FFFD}､ﾐ"),
        (b"\x1B(IP\x1B(IP", "ﾐﾐ"),
        (
            b"\x1B(I\x0D\x0E\x0F\x10",
            "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
        ),
        (b"\x1B$@PP", "佩"),
        (b"\x1B$BPP", "佩"),
        (b"\x1B$B\x1BPP", "\u{FFFD}佩"),
        (b"\x1B$@\x1B$@", "\u{FFFD}"),
        (b"\x1B$@\x1B$@PP", "\u{FFFD}佩"),
        (b"\x1B$@\x1B$BPP", "\u{FFFD}佩"),
        (b"\x1B$@\x1B$PP", "\u{FFFD}ば\u{FFFD}"),
        (b"\x1B$@P\x1B$@PP", "\u{FFFD}佩"),
        (b"\x1B$@ P", "\u{FFFD}\u{FFFD}"),
        (b"\x1B$@P ", "\u{FFFD}"),
        (b"P\x1B", "P\u{FFFD}"),
        (b"P\x1B$", "P\u{FFFD}$"),
        (b"P\x1BP", "P\u{FFFD}P"),
        (b"P\x1B(B", "P"),
        (b"P\x1B(J", "P"),
        (b"P\x1B(I", "P"),
        (b"P\x1B$@", "P"),
        (b"P\x1B$B", "P"),
    ] {
        decodes("iso-2022-jp", bytes, text);
    }
}

#[test]
fn iso2022jp_decode_errors() {
    for (bytes, text) in [
        (&b"\x0E$ByV\x1B(B"[..], "\u{FFFD}$ByV"),
        (b"\x1B(J\x0F\x1B(B", "\u{FFFD}"),
        (b"\x1B(I\x65\x1B(B", "\u{FFFD}"),
        (b"\x1B$B\x7F\x56\x1B(B", "\u{FFFD}\u{FFFD}"),
        (b"\x1B$B$t", "\u{FFFD}"),
        (b"\x1B$By", "\u{FFFD}"),
        (b"\x1B$By\x7F\x1B(B", "\u{FFFD}"),
        (b"\x1BeyV\x1B(B", "\u{FFFD}eyV"),
        (b"\x1B$eyV\x1B(B", "\u{FFFD}$eyV"),
    ] {
        decodes("iso-2022-jp", bytes, text);
    }
}

#[test]
fn textdecoder_mistakes_concatenated_iso_2022_jp() {
    for (one, text) in [(&b"\x1B(J\x5C\x1B(B"[..], "¥"), (b"\x1B$B00\x1B(B", "旭")] {
        decodes("iso-2022-jp", one, text);
        decodes(
            "iso-2022-jp",
            &one.repeat(2),
            &format!("{text}\u{FFFD}{text}"),
        );
    }
}

#[test]
fn iso_2022_jp_encoder() {
    queries("iso-2022-jp", "s", "s");
    queries(
        "iso-2022-jp",
        "\u{A5}\u{203E}s\\\u{FF90}\u{4F69}",
        "%1B(J\\~s%1B(B\\%1B$B%_PP%1B(B",
    );
    // These would change the state of a decoder: U+FFFD is reported.
    let reference = "%26%2365533%3B";
    queries(
        "iso-2022-jp",
        "\x0E\x0F\x1Bx",
        &format!("{}x", reference.repeat(3)),
    );
}

/// References in the middle of double-byte text, after a return to ASCII; from a form's field.
#[test]
fn iso2022jp_encode_form_errors_stateful() {
    let input = "ABC~¤•★星🌟星★•¤~XYZ";
    let expected = b"ABC~&#164;&#8226;\x1B$B!z@1\x1B(B&#127775;\x1B$B@1!z\x1B(B&#8226;&#164;~XYZ";
    let encoded = mojika::hooks::encode(input, mojika::ISO_2022_JP).expect("an encoder");
    assert_eq!(*encoded.bytes, *expected);
    let spec = mojika_spec::hooks::encode_string(input, mojika_spec::Encoding::Iso2022Jp);
    assert_eq!(spec, expected);
    let back = mojika::hooks::decode(expected, mojika::ISO_2022_JP);
    assert_eq!(
        back.text,
        "ABC~&#164;&#8226;★星&#127775;星★&#8226;&#164;~XYZ"
    );
    assert!(!back.had_errors);
}

/// Code points that share their bytes, or have none, as the suite's own encoders have them.
#[test]
fn eucjp_sjis_iso2022jp_encoders_special_cases() {
    for (label, input, expected) in [
        ("euc-jp", "\u{A5}", "\\"),
        ("euc-jp", "\u{203E}", "~"),
        ("euc-jp", "\u{FF61}\u{FF9F}", "%8E%A1%8E%DF"),
        ("euc-jp", "\u{2212}\u{FF0D}", "%A1%DD%A1%DD"),
        ("shift_jis", "\u{80}", "%80"),
        ("shift_jis", "\u{A5}", "\\"),
        ("shift_jis", "\u{203E}", "~"),
        ("shift_jis", "\u{FF61}\u{FF9F}", "%A1%DF"),
        ("shift_jis", "\u{2212}\u{FF0D}", "%81|%81|"),
        ("iso-2022-jp", "\u{2212}\u{FF0D}", "%1B$B!]!]%1B(B"),
    ] {
        queries(label, input, expected);
    }
    are_unmappable("euc-jp", "\u{80}");
    are_unmappable("iso-2022-jp", "\u{80}");
    for label in ["euc-jp", "shift_jis", "iso-2022-jp"] {
        are_unmappable(label, "\u{AC00}\u{E000}\u{3400}💩");
    }
}

/// Bytes for which the suite's own pages are labelled with another character.
#[test]
fn textdecoder_mistakes_mislabelled() {
    for (label, bytes, text) in [
        ("euc-jp", &b"\x5C"[..], "\\"),
        ("euc-jp", b"\x7E", "~"),
        ("euc-jp", b"\xA1\xDD", "\u{FF0D}"),
        ("shift_jis", b"\x5C", "\\"),
        ("shift_jis", b"\x7E", "~"),
        ("shift_jis", b"\x81\x7C", "\u{FF0D}"),
        ("iso-2022-jp", b"\x1B(J\x5C\x1B(B", "\u{A5}"),
        ("iso-2022-jp", b"\x1B(J\x7E\x1B(B", "\u{203E}"),
        ("iso-2022-jp", b"\x1B$B\x21\x5D\x1B(B", "\u{FF0D}"),
    ] {
        decodes(label, bytes, text);
    }
}
