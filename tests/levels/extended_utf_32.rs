//! UTF-32 in four byte orders, compared with a simple model.

use crate::common::{decodes, decodes_cleanly, drive, encodes, hex, is_one_error};
use mojika::extended::{UTF_32_2143, UTF_32_3412, UTF_32BE, UTF_32LE};
use mojika::{BomHandling, Decoder, Encoding};

/// Each encoding with the offset of each byte, the most significant first.
const ORDERS: [(&Encoding, [usize; 4]); 4] = [
    (UTF_32BE, [0, 1, 2, 3]),
    (UTF_32LE, [3, 2, 1, 0]),
    (UTF_32_2143, [1, 0, 3, 2]),
    (UTF_32_3412, [2, 3, 0, 1]),
];

/// The bytes of a code unit, scalar value or not.
fn bytes_of(unit: u32, places: [usize; 4]) -> [u8; 4] {
    let mut bytes = [0; 4];
    for (i, place) in places.into_iter().enumerate() {
        bytes[place] = (unit >> (24 - 8 * i)) as u8;
    }
    bytes
}

fn bytes_of_all(units: &[u32], places: [usize; 4]) -> Vec<u8> {
    units
        .iter()
        .flat_map(|&unit| bytes_of(unit, places))
        .collect()
}

/// Returns the text with U+FFFD, and the malformed sequences.
fn model(bytes: &[u8], places: [usize; 4]) -> (String, Vec<(u64, u8)>) {
    let (mut text, mut errors) = (String::new(), Vec::new());
    for (i, unit) in bytes.chunks(4).enumerate() {
        let value = (unit.len() == 4).then(|| {
            places
                .iter()
                .fold(0, |value, &place| value << 8 | u32::from(unit[place]))
        });
        let scalar = value.and_then(char::from_u32);
        if scalar.is_none() {
            errors.push((4 * i as u64, unit.len() as u8));
        }
        text.push(scalar.unwrap_or('\u{FFFD}'));
    }
    (text, errors)
}

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
fn surrogates_and_what_is_above_10ffff_are_malformed() {
    let bad = [
        0xD800,
        0xDBFF,
        0xDC00,
        0xDFFF,
        0x11_0000,
        0x1_00_D8_00,
        u32::MAX,
    ];
    for (encoding, places) in ORDERS {
        for unit in bad {
            is_one_error(encoding, &bytes_of(unit, places));
            let bytes = bytes_of_all(&[0x61, unit, unit, 0x62], places);
            decodes(encoding, &bytes, "a\u{FFFD}\u{FFFD}b", &[(4, 4), (8, 4)]);
        }
    }
}

#[test]
fn an_incomplete_code_unit_at_the_end_is_malformed() {
    for (encoding, places) in ORDERS {
        let bytes = bytes_of_all(&[0x61, 0x62], places);
        for len in 5..8 {
            let errors = [(4, len as u8 - 4)];
            decodes(encoding, &bytes[..len], "a\u{FFFD}", &errors);
        }
        is_one_error(encoding, &bytes[..1]);
    }
}

#[test]
fn the_own_byte_order_mark_is_removed_and_no_other_counts() {
    for (encoding, places) in ORDERS {
        let bom = bytes_of(0xFEFF, places);
        let text = bytes_of_all(&[0xFEFF, 0xFEFF, 0x61], places);
        for handling in [BomHandling::Sniff, BomHandling::Remove] {
            let decoded = encoding.decode_fatal(&text, handling).unwrap();
            assert_eq!(decoded.text, "\u{FEFF}a", "{encoding} {handling:?}");
            assert_eq!((decoded.bom_length, decoded.encoding), (4, encoding));
            for cut in 0..text.len() {
                let (head, tail) = text.split_at(cut);
                let decoder = &mut Decoder::new(encoding, handling);
                let got = drive::decode_fatal::<u8>(decoder, &[head, tail], 16);
                assert_eq!(got.text(), "\u{FEFF}a", "{encoding} {handling:?} at {cut}");
            }
        }
        let kept = encoding.decode_with(&bom, BomHandling::Keep);
        assert_eq!(kept.text, "\u{FEFF}", "{encoding}");

        // Every prefix of the mark, followed by nothing or by other bytes.
        for len in 0..4 {
            for rest in [
                &b""[..],
                &bytes_of(0x61, places),
                b"\x01\xFF\xFE\xEF\xBB\xBF\0",
            ] {
                let bytes = [&bom[..len], rest].concat();
                let (expected, errors) = model(&bytes, places);
                // Some of these complete the mark.
                let expected = expected.trim_start_matches('\u{FEFF}');
                let chunks: Vec<&[u8]> = bytes.chunks(1).collect();
                for chunks in [&[&*bytes][..], &chunks] {
                    let decoder = &mut encoding.new_decoder();
                    let got = drive::decode_fatal::<u8>(decoder, chunks, 16);
                    let places: Vec<_> = got.errors.iter().map(|e| (e.offset, e.len)).collect();
                    assert_eq!(places, errors, "{encoding}: {}", hex(&bytes));
                    assert_eq!(got.with_replacements().text(), expected, "{}", hex(&bytes));
                }
                assert_eq!(encoding.decode(&bytes).text, expected, "{}", hex(&bytes));
            }
        }
        // The byte order marks of the Standard are bytes of UTF-32 here.
        for (standard, _) in [
            (&b"\xEF\xBB\xBFab"[..], 3),
            (b"\xFE\xFF\0a\0", 2),
            (b"\xFF\xFEa\0\0", 2),
        ] {
            let decoded = encoding.decode(standard);
            assert_eq!(decoded.encoding, encoding);
            assert_eq!(decoded.text, model(standard, places).0, "{encoding}");
        }
    }
}
