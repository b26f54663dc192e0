use mojika_spec::Encoding::*;
use mojika_spec::hooks::encode_string;
use mojika_spec::utf_16::encode_utf_16;
use mojika_spec::{EncodeItem, Encoding, encode_fragments};

fn check(encoding: Encoding, string: &str, expected: &[u8]) {
    let bytes = encode_string(string, encoding);
    assert_eq!(
        bytes,
        expected,
        "{} {string:?} {bytes:02X?}",
        encoding.name()
    );
}

#[test]
fn utf_8_encodes_every_length() {
    check(Utf8, "Aé€💩", "Aé€💩".as_bytes());
}

#[test]
fn unmappable_is_a_decimal_reference_in_html_mode() {
    check(Windows1252, "💩€", b"&#128169;\x80");
    check(XUserDefined, "\u{F780}\u{F7FF}\u{80}", b"\x80\xFF&#128;");
}

#[test]
fn euro_sign_in_gbk_is_one_byte() {
    check(Gbk, "€", b"\x80");
    check(Gb18030, "€", b"\xA2\xE3");
}

#[test]
fn gb18030_does_not_encode_u_e5e5() {
    check(Gb18030, "\u{E5E5}\u{3000}", b"&#58853;\xA1\xA1");
    check(Gbk, "\u{E5E5}", b"&#58853;");
}

#[test]
fn gb18030_side_table() {
    check(
        Gb18030,
        "\u{E78D}\u{E796}\u{E81E}\u{E864}",
        b"\xA6\xD9\xA6\xF3\xFE\x59\xFE\xA0",
    );
    check(Gbk, "\u{E78D}", b"\xA6\xD9");
    check(Gb18030, "\u{FE10}\u{9FB4}", b"\xA6\xD9\xFE\x59");
}

#[test]
fn gbk_has_no_four_bytes() {
    check(
        Gb18030,
        "\u{80}\u{E7C7}\u{10FFFF}",
        b"\x81\x30\x81\x30\x81\x35\xF4\x37\xE3\x32\x9A\x35",
    );
    check(Gbk, "\u{80}\u{E7C7}💩", b"&#128;&#59335;&#128169;");
}

#[test]
fn big5_does_not_encode_hkscs_below_0xa1() {
    // U+43F0 is pointer 942, lead 0x87.
    check(Big5, "\u{43F0}中", b"&#17392;\xA4\xA4");
}

#[test]
fn big5_encodes_six_code_points_by_their_last_pointer() {
    check(
        Big5,
        "═╞╡╪十卅",
        b"\xF9\xF9\xF9\xE9\xF9\xEB\xF9\xEA\xA4\x51\xA4\xCA",
    );
}

#[test]
fn japanese_yen_overline_and_minus() {
    check(EucJp, "¥‾−ｱ", b"\x5C\x7E\xA1\xDD\x8E\xB1");
    check(ShiftJis, "¥‾−ｱ\u{80}", b"\x5C\x7E\x81\x7C\xB1\x80");
    check(Iso2022Jp, "−", b"\x1B$B\x21\x5D\x1B(B");
}

#[test]
fn euc_jp_encoder_has_no_jis0212() {
    check(EucJp, "丂", b"&#19970;");
}

#[test]
fn shift_jis_leaves_out_pointers_8272_to_8835() {
    // Not 0xEE 0xEF, of NEC's selection of IBM's extensions; nor is private use encoded.
    check(
        ShiftJis,
        "ⅰ纊￢\u{E000}",
        b"\xFA\x40\xFA\x5C\x81\xCA&#57344;",
    );
    check(EucJp, "纊", b"\xF9\xA1");
}

#[test]
fn iso_2022_jp_states() {
    check(Iso2022Jp, "¥", b"\x1B(J\x5C\x1B(B");
    check(
        Iso2022Jp,
        "¥A\\‾~",
        b"\x1B(J\x5CA\x1B(B\x5C\x1B(J\x7E\x1B(B\x7E",
    );
    check(Iso2022Jp, "A亜A", b"A\x1B$B\x30\x21\x1B(BA");
}

#[test]
fn iso_2022_jp_katakana_are_made_full_width() {
    check(
        Iso2022Jp,
        "\u{FF71}\u{FF9E}",
        b"\x1B$B\x25\x22\x21\x2B\x1B(B",
    );
}

#[test]
fn iso_2022_jp_shifts_and_escape_are_reported_as_u_fffd() {
    check(Iso2022Jp, "\u{E}\u{F}\u{1B}", b"&#65533;&#65533;&#65533;");
    check(Iso2022Jp, "亜\u{1B}", b"\x1B$B\x30\x21\x1B(B&#65533;");
    check(Iso2022Jp, "¥\u{1B}", b"\x1B(J\x5C&#65533;\x1B(B");
}

#[test]
fn iso_2022_jp_goes_to_ascii_before_an_error_in_jis0208_but_not_in_roman() {
    check(Iso2022Jp, "亜💩", b"\x1B$B\x30\x21\x1B(B&#128169;");
    check(Iso2022Jp, "¥💩", b"\x1B(J\x5C&#128169;\x1B(B");
}

#[test]
fn encode_fragments_tell_the_character() {
    let bytes = |bytes: &[u8], index| EncodeItem::Bytes {
        bytes: bytes.to_vec(),
        index,
    };
    let expected = [
        bytes(b"\x1B$B", 0),
        bytes(b"\x30\x21", 0),
        bytes(b"\x1B(B", 1),
        EncodeItem::Unmappable {
            code_point: '\u{FFFD}',
            index: 1,
        },
        bytes(b"\x1B(J", 2),
        bytes(b"\x5C", 2),
        bytes(b"\x1B(B", 3),
    ];
    assert_eq!(
        encode_fragments(Iso2022Jp, &['亜', '\u{1B}', '¥']),
        expected
    );
}

#[test]
fn utf_16_is_encoded_by_an_extension() {
    assert_eq!(encode_utf_16(true, &['A', '💩']), b"\0A\xD8\x3D\xDC\xA9");
    assert_eq!(encode_utf_16(false, &['A', '💩']), b"A\0\x3D\xD8\xA9\xDC");
}

#[test]
#[should_panic(expected = "not replacement or UTF-16BE/LE")]
fn utf_16_has_no_encoder() {
    encode_string("", Utf16Le);
}
