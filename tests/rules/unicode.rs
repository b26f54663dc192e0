//! Rules of UTF-8, UTF-16BE and UTF-16LE (sections 8.1 and 14.2 to 14.4 of the Standard).

use crate::common::{decodes, decodes_cleanly, drive, encodes, hex, is_one_error, utf_16};
use mojika::{BomHandling, Decoder, Status, UTF_8, UTF_16BE, UTF_16LE};

#[test]
fn utf_8_decodes_the_edges_of_each_length() {
    for text in [
        "\0",
        "\u{7F}",
        "\u{80}",
        "\u{7FF}",
        "\u{800}",
        "\u{FFF}",
        "\u{1000}",
        "\u{CFFF}",
        "\u{D7FF}",
        "\u{E000}",
        "\u{FFFF}",
        "\u{10000}",
        "\u{3FFFF}",
        "\u{40000}",
        "\u{FFFFF}",
        "\u{100000}",
        "\u{10FFFF}",
    ] {
        decodes_cleanly(UTF_8, text.as_bytes(), text);
        encodes(UTF_8, text, text.as_bytes());
    }
}

#[test]
fn utf_8_bytes_that_start_nothing_are_an_error_each() {
    for byte in (0x80..=0xC1).chain(0xF5..=0xFF) {
        is_one_error(UTF_8, &[byte]);
        decodes(
            UTF_8,
            &[b'a', byte, byte, b'b'],
            "a\u{FFFD}\u{FFFD}b",
            &[(1, 1), (2, 1)],
        );
    }
}

#[test]
fn utf_8_overlong_forms_are_an_error_per_byte() {
    decodes(UTF_8, b"\xC0\x80", "\u{FFFD}\u{FFFD}", &[(0, 1), (1, 1)]);
    decodes(UTF_8, b"\xC1\xBF", "\u{FFFD}\u{FFFD}", &[(0, 1), (1, 1)]);
    let three = [(0, 1), (1, 1), (2, 1)];
    decodes(UTF_8, b"\xE0\x80\x80", "\u{FFFD}\u{FFFD}\u{FFFD}", &three);
    decodes(UTF_8, b"\xE0\x9F\xBF", "\u{FFFD}\u{FFFD}\u{FFFD}", &three);
    let four = [(0, 1), (1, 1), (2, 1), (3, 1)];
    for bytes in [b"\xF0\x80\x80\x80", b"\xF0\x8F\xBF\xBF"] {
        decodes(UTF_8, bytes, "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", &four);
    }
}

#[test]
fn utf_8_surrogates_are_an_error_per_byte() {
    let three = [(0, 1), (1, 1), (2, 1)];
    for bytes in [
        b"\xED\xA0\x80",
        b"\xED\xAF\xBF",
        b"\xED\xB0\x80",
        b"\xED\xBF\xBF",
    ] {
        decodes(UTF_8, bytes, "\u{FFFD}\u{FFFD}\u{FFFD}", &three);
    }
    decodes_cleanly(UTF_8, b"\xED\x9F\xBF", "\u{D7FF}");
}

#[test]
fn utf_8_beyond_the_last_code_point_is_an_error_per_byte() {
    let four = [(0, 1), (1, 1), (2, 1), (3, 1)];
    decodes(
        UTF_8,
        b"\xF4\x90\x80\x80",
        "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
        &four,
    );
    decodes_cleanly(UTF_8, b"\xF4\x8F\xBF\xBF", "\u{10FFFF}");
}

#[test]
fn utf_8_truncated_sequences_are_one_error_of_their_maximal_subpart() {
    for bytes in [
        &b"\xC2"[..],
        b"\xDF",
        b"\xE0",
        b"\xE0\xA0",
        b"\xE1\x80",
        b"\xED\x9F",
        b"\xEF\xBF",
        b"\xF0",
        b"\xF0\x90",
        b"\xF0\x90\x80",
        b"\xF1\x80\x80",
        b"\xF4\x8F",
        b"\xF4\x8F\xBF",
    ] {
        is_one_error(UTF_8, bytes);
        let len = bytes.len() as u8;
        // The byte that ends the sequence early is decoded.
        let then_ascii = [bytes, b"a"].concat();
        decodes(UTF_8, &then_ascii, "\u{FFFD}a", &[(0, len)]);
        let then_wide = [bytes, "あ".as_bytes()].concat();
        decodes(UTF_8, &then_wide, "\u{FFFD}あ", &[(0, len)]);
        let twice = [bytes, bytes].concat();
        decodes(
            UTF_8,
            &twice,
            "\u{FFFD}\u{FFFD}",
            &[(0, len), (len.into(), len)],
        );
    }
}

#[test]
fn utf_8_second_bytes_have_the_ranges_of_their_lead() {
    for lead in 0xC2..=0xF4 {
        let range = match lead {
            0xE0 => 0xA0..=0xBF,
            0xED => 0x80..=0x9F,
            0xF0 => 0x90..=0xBF,
            0xF4 => 0x80..=0x8F,
            _ => 0x80..=0xBF,
        };
        for second in 0..=0xFF {
            let bytes = [lead, second, b'.'];
            let decoded = UTF_8.decode_fatal(&bytes, BomHandling::Keep);
            let len = decoded.map_or_else(|error| error.sequence.len, |_| 0);
            let expected = match (range.contains(&second), lead) {
                (true, 0xC2..=0xDF) => 0,
                (true, _) => 2,
                (false, _) => 1,
            };
            assert_eq!(len, expected, "{}", hex(&bytes));
        }
    }
}

#[test]
fn utf_16_decodes_units_and_pairs_in_its_byte_order() {
    decodes_cleanly(UTF_16BE, b"\0a\x65\x87\xD8\x3D\xDC\xA9", "a文💩");
    decodes_cleanly(UTF_16LE, b"a\0\x87\x65\x3D\xD8\xA9\xDC", "a文💩");
    decodes_cleanly(
        UTF_16BE,
        b"\xD8\0\xDC\0\xDB\xFF\xDF\xFF",
        "\u{10000}\u{10FFFF}",
    );
    decodes_cleanly(UTF_16LE, b"\xFF\xFE\xFE\xFF", "\u{FEFF}\u{FFFE}");
}

#[test]
fn utf_16_lead_without_trail_is_an_error_and_the_unit_after_it_is_restored() {
    decodes(UTF_16BE, b"\xD8\0\0a", "\u{FFFD}a", &[(0, 2)]);
    decodes(UTF_16LE, b"\0\xD8a\0", "\u{FFFD}a", &[(0, 2)]);
    // The restored unit may itself be a lead surrogate.
    decodes(
        UTF_16BE,
        b"\xD8\0\xD8\0\xDC\0",
        "\u{FFFD}\u{10000}",
        &[(0, 2)],
    );
    decodes(
        UTF_16LE,
        b"\0\xD8\0\xD8\0\xD8b\0",
        "\u{FFFD}\u{FFFD}\u{FFFD}b",
        &[(0, 2), (2, 2), (4, 2)],
    );
}

#[test]
fn utf_16_trail_without_lead_is_an_error() {
    decodes(UTF_16BE, b"\xDC\0\0a", "\u{FFFD}a", &[(0, 2)]);
    decodes(UTF_16LE, b"\xFF\xDFa\0", "\u{FFFD}a", &[(0, 2)]);
    decodes(
        UTF_16BE,
        b"\xD8\0\xDC\0\xDC\0",
        "\u{10000}\u{FFFD}",
        &[(4, 2)],
    );
}

#[test]
fn utf_16_cut_off_is_a_single_error_of_one_to_three_bytes() {
    for encoding in [UTF_16BE, UTF_16LE] {
        let lead: &[u8] = if encoding == UTF_16BE {
            b"\xD8\0"
        } else {
            b"\0\xD8"
        };
        is_one_error(encoding, b"a");
        is_one_error(encoding, lead);
        is_one_error(encoding, &[lead, b"\xDC"].concat());
    }
    decodes(UTF_16BE, b"\0a\0", "a\u{FFFD}", &[(2, 1)]);
}

#[test]
fn utf_16_encodes_to_utf_16_of_its_byte_order() {
    encodes(UTF_16BE, "a文💩", b"\0a\x65\x87\xD8\x3D\xDC\xA9");
    encodes(UTF_16LE, "a文💩", b"a\0\x87\x65\x3D\xD8\xA9\xDC");
    encodes(UTF_16BE, "\u{FEFF}\u{FFFF}", b"\xFE\xFF\xFF\xFF");
    encodes(UTF_16LE, "", b"");
}

#[test]
fn lone_surrogates_in_utf_16_input_encode_as_the_replacement_character() {
    let units = [0xD800, 0x61, 0xDC00, 0xD83D, 0xDCA9, 0xD83D];
    let expected = utf_16("\u{FFFD}a\u{FFFD}💩\u{FFFD}");
    let be: Vec<u8> = expected
        .iter()
        .flat_map(|unit| unit.to_be_bytes())
        .collect();
    let encoder = &mut UTF_16BE.new_encoder().unwrap();
    assert_eq!(drive::encode(encoder, &[&units[..]], 64).bytes, be);
    let encoder = &mut UTF_8.new_encoder().unwrap();
    let encoded = drive::encode(encoder, &[&units[..]], 64);
    assert_eq!(encoded.bytes, "\u{FFFD}a\u{FFFD}💩\u{FFFD}".as_bytes());
    assert!(!encoded.had_errors);
}

#[test]
fn a_fatal_error_leaves_the_decoder_behind_the_malformed_sequence() {
    let mut decoder = Decoder::new(UTF_16BE, BomHandling::Keep);
    let mut text = [0; 8];
    let bytes = b"\xD8\0\0a\0b";
    let first = decoder.decode_fatal(bytes, &mut text, true);
    let Status::Malformed(sequence) = first.status else {
        panic!("{first:?}");
    };
    // The unit that was not a trail surrogate has been read, but not decoded.
    assert_eq!((sequence.offset, sequence.len, sequence.after), (0, 2, 2));
    assert_eq!((first.read, first.written), (4, 0));
    let second = decoder.decode_fatal(&bytes[4..], &mut text, true);
    assert_eq!(second.status, Status::InputEmpty);
    assert_eq!(&text[..second.written], b"ab");
}
