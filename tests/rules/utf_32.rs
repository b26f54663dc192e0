//! UTF-32 in its four octet orders.

use crate::common::{decodes, decodes_cleanly, encodes, is_one_error};
use mojika::BomHandling;
use mojika::extended::{UTF_32_2143, UTF_32_3412, UTF_32BE, UTF_32LE};

#[test]
fn octet_orders_are_those_of_xml_appendix_f() {
    encodes(UTF_32BE, "\u{10203}", b"\0\x01\x02\x03");
    encodes(UTF_32LE, "\u{10203}", b"\x03\x02\x01\0");
    encodes(UTF_32_2143, "\u{10203}", b"\x01\0\x03\x02");
    encodes(UTF_32_3412, "\u{10203}", b"\x02\x03\0\x01");
    decodes_cleanly(UTF_32_2143, b"\0\0\x3C\0", "<");
    decodes_cleanly(UTF_32_3412, b"\0\x3C\0\0", "<");
}

#[test]
fn surrogates_and_cut_off_units_are_malformed() {
    decodes(
        UTF_32BE,
        b"\0\0\xD8\0\0\x11\0\0",
        "\u{FFFD}\u{FFFD}",
        &[(0, 4), (4, 4)],
    );
    decodes(UTF_32LE, b"a\0\0\0b\0\0", "a\u{FFFD}", &[(4, 3)]);
    is_one_error(UTF_32LE, b"a");
}

/// In UTF-32, the byte order marks of other encodings are ordinary bytes.
#[test]
fn the_own_byte_order_mark_is_removed_and_no_other_counts() {
    for encoding in [UTF_32BE, UTF_32LE, UTF_32_2143, UTF_32_3412] {
        let twice = encoding.encode("\u{FEFF}\u{FEFF}a").unwrap();
        for handling in [BomHandling::Sniff, BomHandling::Remove] {
            let decoded = encoding.with(handling).decode(&twice);
            assert_eq!((&*decoded.text, decoded.bom_length), ("\u{FEFF}a", 4));
            assert_eq!(decoded.encoding, encoding);
        }
        for mark in [
            &b"\xEF\xBB\xBFa"[..],
            b"\xFE\xFF\x01\x01",
            b"\xFF\xFE\x01\x01",
        ] {
            let decoded = encoding.decode(mark);
            assert_eq!((&*decoded.text, decoded.encoding), ("\u{FFFD}", encoding));
        }
    }
}
