//! Encodings that the Standard does not have.

use mojika_spec::hooks::{decode_bytes, encode_string};
use mojika_spec::{EncodeItem, Encoding, Extended, encode_fragments};

pub fn named(name: &str) -> Encoding {
    let found = Extended::all().find(|encoding| encoding.name() == name);
    Encoding::Extended(found.expect("an encoding of this name"))
}

#[test]
fn octet_orders_are_those_of_xml() {
    // "<" in appendix F of XML 1.0.
    for (name, bytes) in [
        ("UTF-32BE", b"\x00\x00\x00\x3C"),
        ("UTF-32LE", b"\x3C\x00\x00\x00"),
        ("UTF-32-2143", b"\x00\x00\x3C\x00"),
        ("UTF-32-3412", b"\x00\x3C\x00\x00"),
    ] {
        assert_eq!(encode_string("<", named(name)), bytes, "{name}");
        assert_eq!(decode_bytes(bytes, named(name)), "<", "{name}");
    }
}

#[test]
fn what_is_no_scalar_value_is_an_error_of_four_bytes() {
    let decoded = decode_bytes(b"\0\0\xD8\0\0\x11\0\0\0\x10\xFF\xFF\0\0", named("UTF-32BE"));
    assert_eq!(decoded, "\u{FFFD}\u{FFFD}\u{10FFFF}\u{FFFD}");
}

#[test]
fn its_own_byte_order_mark_is_removed_and_no_other_obeyed() {
    assert_eq!(decode_bytes(b"\xFF\xFE\0\0a\0\0\0", named("UTF-32LE")), "a");
    let decoded = decode_bytes(b"\0\0\xFE\xFF\0\0\xFE\xFF", named("UTF-32BE"));
    assert_eq!(decoded, "\u{FEFF}");
    assert_eq!(decode_bytes(b"\xFE\xFF\0a", named("UTF-32BE")), "\u{FFFD}");
}

#[test]
fn tables_decode_and_encode() {
    assert_eq!(
        decode_bytes(b"\xC8\x85\x25\x15", named("IBM037")),
        "He\n\u{85}"
    );
    assert_eq!(encode_string("€", named("IBM1140")), b"\x9F");
    let items = encode_fragments(named("IBM037"), &['€']);
    assert!(matches!(
        items[..],
        [EncodeItem::Unmappable {
            code_point: '€',
            index: 0
        }]
    ));
    assert_eq!(
        decode_bytes(b"\x80\xFF", named("ISO-8859-1")),
        "\u{80}\u{FF}"
    );
    assert_eq!(decode_bytes(b"a\x80", named("US-ASCII")), "a\u{FFFD}");
}
