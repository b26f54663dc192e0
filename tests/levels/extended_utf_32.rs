//! UTF-32 in its four octet orders, against a model of a few lines.

use crate::common::{
    Random, at_every_level, decodes, decodes_cleanly, drive, encodes, hex, is_one_error,
};
use mojika::extended::{UTF_32_2143, UTF_32_3412, UTF_32BE, UTF_32LE};
use mojika::{BomHandling, Decoder, Encoding};

/// Each encoding with the place of each octet, the most significant first.
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
fn every_scalar_value_is_itself_both_ways() {
    let all: String = (0..=0x10_FFFF).filter_map(char::from_u32).collect();
    let units: Vec<u32> = all.chars().map(u32::from).collect();
    at_every_level(|level| {
        for (encoding, places) in ORDERS {
            let bytes = bytes_of_all(&units, places);
            let decoded = encoding.decode_with(&bytes, BomHandling::Keep);
            assert!(!decoded.had_errors, "{encoding} at {level}");
            assert!(decoded.text == all, "{encoding} at {level}: decoded");
            let encoded = encoding.encode(&all).unwrap();
            assert!(*encoded == *bytes, "{encoding} at {level}: encoded");
            let mut utf_16 = Vec::new();
            encoding.decode_append(&bytes, BomHandling::Keep, &mut utf_16);
            assert!(utf_16.iter().copied().eq(all.encode_utf16()));
            let mut encoder = encoding.new_encoder().unwrap();
            let encoded = drive::encode(&mut encoder, &[&*utf_16], 1 << 23);
            assert!(
                *encoded.bytes == *bytes,
                "{encoding} at {level}: from UTF-16"
            );
        }
    });
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
fn odd_input_is_what_the_model_says_whatever_the_chunks_and_buffers() {
    let mut random = Random::new(32);
    at_every_level(|level| {
        for (encoding, places) in ORDERS {
            for case in 0..120 {
                let mut bytes: Vec<u8> = (0..random.below(150))
                    .flat_map(|_| {
                        let unit = match random.below(12) {
                            0 => random.next() as u32,
                            1 => 0xD800 + random.below(0x800) as u32,
                            2 => 0x11_0000,
                            _ if case % 3 == 0 => 0x20 + random.below(0x60) as u32,
                            _ => random.odd_scalar().into(),
                        };
                        bytes_of(unit, places)
                    })
                    .collect();
                bytes.truncate(bytes.len() - random.below(4).min(bytes.len()));
                let (text, errors) = model(&bytes, places);
                let cut = random.below(bytes.len() + 1);
                let (head, tail) = bytes.split_at(cut);
                let room = 4 + random.below(80);
                let message = || {
                    format!(
                        "{encoding} at {level}, room {room}: {} | {}",
                        hex(head),
                        hex(tail)
                    )
                };
                let decoder = &mut Decoder::new(encoding, BomHandling::Keep);
                let got = drive::decode::<u8>(decoder, &[head, tail], room);
                assert_eq!(got.text(), text, "{}", message());
                let got = drive::decode_fatal::<u16>(decoder, &[head, tail], room);
                let places: Vec<_> = got.errors.iter().map(|e| (e.offset, e.len)).collect();
                assert_eq!(places, errors, "{}", message());
                assert_eq!(got.with_replacements().text(), text, "{}", message());
            }
        }
    });
}

#[test]
fn text_in_chunks_encodes_as_in_one_piece() {
    let mut random = Random::new(33);
    at_every_level(|level| {
        for (encoding, places) in ORDERS {
            for _ in 0..60 {
                let len = random.below(300);
                let text = random.odd_text(len);
                let units: Vec<u32> = text.chars().map(u32::from).collect();
                let bytes = bytes_of_all(&units, places);
                let cut = (0..=random.below(text.len() + 1))
                    .rev()
                    .find(|&at| text.is_char_boundary(at))
                    .unwrap_or(0);
                let (head, tail) = text.split_at(cut);
                let room = 10 + random.below(90);
                let encoder = &mut encoding.new_encoder().unwrap();
                let got = drive::encode(encoder, &[head, tail], room);
                assert_eq!(*got.bytes, *bytes, "{encoding} at {level}: {text:?}");
                let utf_16: Vec<u16> = text.encode_utf16().collect();
                let (head, tail) = utf_16.split_at(random.below(utf_16.len() + 1));
                let got = drive::encode(encoder, &[head, tail], room);
                assert_eq!(*got.bytes, *bytes, "{encoding} at {level}: {utf_16:X?}");
            }
        }
    });
}

#[test]
fn lone_surrogates_of_utf_16_become_replacement_characters() {
    for (encoding, places) in ORDERS {
        let encoder = &mut encoding.new_encoder().unwrap();
        let units = [0x61, 0xD800, 0x62, 0xDC00, 0xDBFF];
        let expected = bytes_of_all(&[0x61, 0xFFFD, 0x62, 0xFFFD, 0xFFFD], places);
        let got = drive::encode(encoder, &[&units[..]], 64);
        assert_eq!(*got.bytes, *expected, "{encoding}");
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

        // Every prefix of the mark, then nothing or something else.
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

#[test]
fn maximum_lengths_are_reached_and_never_exceeded() {
    for (encoding, places) in ORDERS {
        let decoder = Decoder::new(encoding, BomHandling::Keep);
        let bad = bytes_of_all(&[0x10_FFFF; 3], places);
        for len in 0..=bad.len() {
            let replaced = encoding.decode_with(&bad[..len], BomHandling::Keep);
            let units = replaced.text.encode_utf16().count();
            assert_eq!(
                decoder.max_utf8_length(len),
                Some(replaced.text.len()),
                "{len}"
            );
            assert_eq!(decoder.max_utf16_length(len), Some(units), "{len}");
            let whole = encoding.decode_with(&bad[..len - len % 4], BomHandling::Keep);
            assert_eq!(decoder.max_utf8_length_fatal(len), Some(whole.text.len()));
        }
        let _ = decoder.max_utf8_length(usize::MAX);
        let encoder = encoding.new_encoder().unwrap();
        let text = "abcdefg";
        let encoded = encoding.encode(text).unwrap();
        assert_eq!(
            encoder.max_length_from_utf8_html(text.len()),
            Some(encoded.len())
        );
        assert_eq!(
            encoder.max_length_from_utf16_html(text.len()),
            Some(encoded.len())
        );
        assert_eq!(encoder.max_length_from_utf8_html(usize::MAX), None);
    }
}

#[test]
fn offsets_lead_back_to_the_source() {
    use mojika::offsets::{OffsetMapBuilder, TextUnit};

    for (encoding, places) in ORDERS {
        let units = [0xFEFF, 0x61, 0x5B57, 0xD800, 0x1_F600, 0x62];
        let source = bytes_of_all(&units, places);
        for chunk in [1, 3, 4, source.len()] {
            let mut builder = OffsetMapBuilder::new(encoding);
            let mut text = String::new();
            for part in source.chunks(chunk) {
                builder.decode_append(part, &mut text, false);
            }
            builder.decode_append(b"", &mut text, true);
            assert_eq!(text, "a字\u{FFFD}😀b", "{encoding}");
            let map = builder.into_map();
            let offsets = map.offsets(&source, TextUnit::Utf8).unwrap();
            for (i, (at, character)) in text.char_indices().enumerate() {
                let range = at as u64..(at + character.len_utf8()) as u64;
                let expected = 4 * (i as u64 + 1)..4 * (i as u64 + 2);
                assert_eq!(
                    offsets.source_range(range),
                    Some(expected),
                    "{encoding} {chunk}"
                );
            }
        }
    }
}

#[test]
fn names_are_apart_from_the_labels_of_the_standard() {
    for (encoding, _) in ORDERS {
        assert_eq!(mojika::extended::for_name(encoding.name()), Some(encoding));
        assert_eq!(Encoding::for_label(encoding.name()), None);
        assert_eq!(encoding.labels().count(), 0);
        assert!(!encoding.is_ascii_compatible() && !encoding.is_single_byte());
    }
    let labels = Encoding::all()
        .iter()
        .flat_map(|encoding| encoding.labels());
    assert_eq!(labels.count(), 228);
}
