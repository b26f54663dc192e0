//! Rules of gb18030, GBK and Big5 (sections 10 and 11 of the Standard).

use crate::common::{
    decodes, decodes_cleanly, drive, encodes, encodes_html, has_no_bytes_for, hex, is_one_error,
};
use mojika::{BIG5, BomHandling, Decoder, GB18030, GBK};

/// The rows of step 5 of gb18030's encoder: code points that the index gave up in 2022.
const ASYMMETRIC: [(char, [u8; 2]); 18] = [
    ('\u{E78D}', [0xA6, 0xD9]),
    ('\u{E78E}', [0xA6, 0xDA]),
    ('\u{E78F}', [0xA6, 0xDB]),
    ('\u{E790}', [0xA6, 0xDC]),
    ('\u{E791}', [0xA6, 0xDD]),
    ('\u{E792}', [0xA6, 0xDE]),
    ('\u{E793}', [0xA6, 0xDF]),
    ('\u{E794}', [0xA6, 0xEC]),
    ('\u{E795}', [0xA6, 0xED]),
    ('\u{E796}', [0xA6, 0xF3]),
    ('\u{E81E}', [0xFE, 0x59]),
    ('\u{E826}', [0xFE, 0x61]),
    ('\u{E82B}', [0xFE, 0x66]),
    ('\u{E82C}', [0xFE, 0x67]),
    ('\u{E832}', [0xFE, 0x6D]),
    ('\u{E843}', [0xFE, 0x7E]),
    ('\u{E854}', [0xFE, 0x90]),
    ('\u{E864}', [0xFE, 0xA0]),
];

#[test]
fn gb18030_and_gbk_have_the_same_decoder() {
    for encoding in [GB18030, GBK] {
        decodes_cleanly(encoding, b"a\xCE\xC4\xD7\xD6", "a文字");
        decodes_cleanly(encoding, b"\x80", "€");
        decodes_cleanly(encoding, b"\x81\x30\x81\x30", "\u{80}");
        is_one_error(encoding, b"\xFF");
    }
}

#[test]
fn gb18030_two_byte_trails_skip_0x7f_and_0xff() {
    decodes_cleanly(GB18030, b"\x81\x40\x81\x7E\x81\x80\x81\xFE", "丂亊亐侢");
    encodes(GB18030, "丂亊亐侢", b"\x81\x40\x81\x7E\x81\x80\x81\xFE");
    decodes(GB18030, b"\x81\x7F", "\u{FFFD}\u{7F}", &[(0, 1)]);
    is_one_error(GB18030, b"\x81\xFF");
    decodes_cleanly(GB18030, b"\xFE\xFE", "\u{E4C5}");
}

#[test]
fn gb18030_ascii_trail_is_restored() {
    for trail in (0..0x30).chain(0x3A..0x40).chain([0x7F]) {
        let text = format!("\u{FFFD}{}", char::from(trail));
        decodes(GB18030, &[0x81, trail], &text, &[(0, 1)]);
    }
}

#[test]
fn gb18030_bad_third_byte_restores_the_second_and_itself() {
    decodes(GB18030, b"\x81\x30a", "\u{FFFD}0a", &[(0, 1)]);
    decodes(GB18030, b"\x81\x30\x80", "\u{FFFD}0€", &[(0, 1)]);
    decodes(
        GB18030,
        b"\x81\x30\xFF",
        "\u{FFFD}0\u{FFFD}",
        &[(0, 1), (2, 1)],
    );
}

#[test]
fn gb18030_bad_fourth_byte_restores_the_second_the_third_and_itself() {
    // The third byte becomes a lead byte: of an ASCII byte, which is restored,
    decodes(GB18030, b"\x81\x30\x81a", "\u{FFFD}0乤", &[(0, 1)]);
    decodes(
        GB18030,
        b"\x81\x30\x81!",
        "\u{FFFD}0\u{FFFD}!",
        &[(0, 1), (2, 1)],
    );
    // of a pair, and of the next four-byte sequence.
    decodes(GB18030, b"\x81\x30\xCE\xC4", "\u{FFFD}0文", &[(0, 1)]);
    decodes(
        GB18030,
        b"\x81\x30\x81\x81\x30\x81\x30",
        "\u{FFFD}0亖0\u{FFFD}",
        &[(0, 1), (5, 2)],
    );
}

#[test]
fn gb18030_cut_off_is_a_single_error_of_one_to_three_bytes() {
    is_one_error(GB18030, b"\x81");
    is_one_error(GB18030, b"\x81\x30");
    is_one_error(GB18030, b"\x81\x30\x81");
    decodes(GB18030, b"0\x90\x30\x81", "0\u{FFFD}", &[(1, 3)]);
}

#[test]
fn gb18030_ranges_have_these_edges() {
    for (bytes, scalar) in [
        (b"\x81\x30\x81\x30", '\u{80}'),
        (b"\x81\x30\x84\x35", '\u{A3}'),
        (b"\x81\x30\x84\x36", '\u{A5}'),
        (b"\x84\x31\xA4\x36", '\u{FFFC}'),
        (b"\x84\x31\xA4\x37", '\u{FFFD}'),
        (b"\x84\x31\xA4\x39", '\u{FFFF}'),
        (b"\x90\x30\x81\x30", '\u{10000}'),
        (b"\xE3\x32\x9A\x35", '\u{10FFFF}'),
    ] {
        decodes_cleanly(GB18030, bytes, &scalar.to_string());
        encodes(GB18030, &scalar.to_string(), bytes);
    }
}

#[test]
fn gb18030_pointers_outside_the_ranges_are_an_error_of_four_bytes() {
    // 39420 to 188999, and above 1237575.
    for bytes in [
        b"\x84\x31\xA5\x30",
        b"\x84\x32\x81\x30",
        b"\x8F\x39\xFE\x39",
        b"\xE3\x32\x9A\x36",
        b"\xFE\x39\xFE\x39",
    ] {
        is_one_error(GB18030, bytes);
    }
}

#[test]
fn gb18030_pointer_7457_is_u_e7c7() {
    decodes_cleanly(GB18030, b"\x81\x35\xF4\x37", "\u{E7C7}");
    encodes(GB18030, "\u{E7C7}", b"\x81\x35\xF4\x37");
    // The former pair of U+E7C7.
    decodes_cleanly(GB18030, b"\xA8\xBC", "\u{1E3F}");
    encodes(GB18030, "\u{1E3F}", b"\xA8\xBC");
}

#[test]
fn gb18030_has_no_bytes_for_u_e5e5() {
    has_no_bytes_for(GB18030, ['\u{E5E5}']);
    has_no_bytes_for(GBK, ['\u{E5E5}']);
    decodes_cleanly(GB18030, b"\xA3\xA0", "\u{3000}");
    encodes(GB18030, "\u{3000}", b"\xA1\xA1");
    encodes(GB18030, "\u{E5E4}\u{E5E6}", b"\xA3\x9F\xA4\x40");
}

#[test]
fn gb18030_18_rows_encode_asymmetrically() {
    for (scalar, bytes) in ASYMMETRIC {
        for encoding in [GB18030, GBK] {
            encodes(encoding, &scalar.to_string(), &bytes);
            let decoded = encoding.decode_with(&bytes, BomHandling::Keep);
            assert!(!decoded.had_errors, "{encoding}: {}", hex(&bytes));
            assert_ne!(
                decoded.text,
                scalar.to_string(),
                "{encoding}: {}",
                hex(&bytes)
            );
            // The text of the pair encodes to the pair.
            encodes(encoding, &decoded.text, &bytes);
        }
    }
    decodes_cleanly(GB18030, b"\xA6\xD9\xFE\x59", "\u{FE10}\u{9FB4}");
}

#[test]
fn gb18030_euro_is_two_bytes_and_gbk_euro_is_one() {
    encodes(GB18030, "€", b"\xA2\xE3");
    encodes(GBK, "€", b"\x80");
    decodes_cleanly(GBK, b"\xA2\xE3", "€");
}

#[test]
fn gbk_encodes_no_four_byte_sequences() {
    has_no_bytes_for(
        GBK,
        [
            '\u{80}',
            '£',
            '¥',
            '\u{E7C7}',
            '\u{FFFF}',
            '\u{20000}',
            '💩',
        ],
    );
    encodes_html(GBK, "文💩", b"\xCE\xC4&#128169;", &[(3, '💩')]);
    encodes(GB18030, "£", b"\x81\x30\x84\x35");
}

#[test]
fn gb18030_digits_after_a_lead_take_part_in_four_bytes_only() {
    // Parts of one sequence, over three chunks of odd sizes.
    let decoder = &mut Decoder::new(GB18030, BomHandling::Keep);
    let chunks = [&b"\x90"[..], b"", b"\x30\x81", b"\x30"];
    let decoding = drive::decode_fatal::<u8>(decoder, &chunks, 4);
    assert_eq!(
        (decoding.text().as_str(), decoding.errors),
        ("\u{10000}", vec![])
    );
}

#[test]
fn big5_leads_and_trails_have_these_ranges() {
    for lead in [0x80, 0xFF] {
        is_one_error(BIG5, &[lead]);
        decodes(BIG5, &[lead, b'@'], "\u{FFFD}@", &[(0, 1)]);
    }
    let edges = b"\xA4\x40\xA4\x7E\xA4\xA1\xA4\xFE";
    decodes_cleanly(BIG5, edges, "一才丑丙");
    encodes(BIG5, "一才丑丙", edges);
    for trail in [0x80, 0xA0, 0xFF] {
        is_one_error(BIG5, &[0xA4, trail]);
    }
    decodes(BIG5, b"\xA4\x3F", "\u{FFFD}?", &[(0, 1)]);
    decodes(BIG5, b"\xA4\x7F", "\u{FFFD}\u{7F}", &[(0, 1)]);
}

#[test]
fn big5_ascii_trail_is_restored() {
    // 0x87 has no characters below trail 0x40, and 0x81 none at all.
    decodes(BIG5, b"\x81@", "\u{FFFD}@", &[(0, 1)]);
    decodes(BIG5, b"\x81\xA1", "\u{FFFD}", &[(0, 2)]);
    decodes(
        BIG5,
        b"<a href=\"\xA4\">",
        "<a href=\"\u{FFFD}\">",
        &[(9, 1)],
    );
}

#[test]
fn big5_cut_off_lead_is_an_error() {
    is_one_error(BIG5, b"\xA4");
    decodes(BIG5, b"\xA4\xE5\xA4", "文\u{FFFD}", &[(2, 1)]);
}

#[test]
fn big5_four_pointers_yield_two_code_points() {
    for (bytes, text) in [
        (b"\x88\x62", "\u{CA}\u{304}"),
        (b"\x88\x64", "\u{CA}\u{30C}"),
        (b"\x88\xA3", "\u{EA}\u{304}"),
        (b"\x88\xA5", "\u{EA}\u{30C}"),
    ] {
        decodes_cleanly(BIG5, bytes, text);
        // Both fit into a buffer of the minimum size, or neither.
        let decoder = &mut Decoder::new(BIG5, BomHandling::Keep);
        let decoding = drive::decode::<u16>(decoder, &[bytes, b"a", bytes], 2);
        assert_eq!(decoding.text(), format!("{text}a{text}"), "{}", hex(bytes));
    }
}

#[test]
fn big5_hong_kong_supplement_is_decoded_and_not_encoded() {
    decodes_cleanly(
        BIG5,
        b"\x87\x40\x88\x66\x89\x40\xA0\xFE",
        "\u{43F0}\u{CA}\u{2A3A9}\u{2626B}",
    );
    has_no_bytes_for(
        BIG5,
        ['\u{43F0}', '\u{CA}', '\u{EA}', '\u{27267}', '\u{2626B}'],
    );
    // From lead 0xA1 on, characters beyond the first plane are encoded too.
    decodes_cleanly(BIG5, b"\xFA\x40\xFE\xFE", "\u{20547}\u{79D4}");
    encodes(BIG5, "\u{20547}\u{79D4}", b"\xFA\x40\xFE\xFE");
}

#[test]
fn big5_last_pointer_is_taken_for_six_code_points() {
    for (first, last, scalar) in [
        (b"\xA2\xA4", b"\xF9\xF9", '\u{2550}'),
        (b"\xA2\xA5", b"\xF9\xE9", '\u{255E}'),
        (b"\xA2\xA6", b"\xF9\xEA", '\u{256A}'),
        (b"\xA2\xA7", b"\xF9\xEB", '\u{2561}'),
        (b"\xA2\xCC", b"\xA4\x51", '\u{5341}'),
        (b"\xA2\xCE", b"\xA4\xCA", '\u{5345}'),
    ] {
        let text = scalar.to_string();
        decodes_cleanly(BIG5, first, &text);
        decodes_cleanly(BIG5, last, &text);
        encodes(BIG5, &text, last);
    }
}

#[test]
fn big5_first_pointer_is_taken_for_other_duplicates() {
    for (first, last, scalar) in [
        (b"\xA1\xB2", b"\xC6\xDE", '\u{3003}'),
        (b"\xA2\x7E", b"\xF9\xFA", '\u{256D}'),
        (b"\xA2\xA3", b"\xF9\xFD", '\u{256F}'),
        (b"\xA2\xCD", b"\xFA\xC5", '\u{5344}'),
        (b"\xA5\x5D", b"\xFA\xBD", '包'),
        (b"\xB0\xB0", b"\xFA\x66", '偽'),
    ] {
        let text = scalar.to_string();
        decodes_cleanly(BIG5, first, &text);
        decodes_cleanly(BIG5, last, &text);
        encodes(BIG5, &text, first);
    }
}
