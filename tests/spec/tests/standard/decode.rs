use mojika_spec::DecodeItem::{Error, Scalar};
use mojika_spec::Encoding::*;
use mojika_spec::hooks::decode_bytes_without_bom_handling;
use mojika_spec::{DecodeItem, Encoding, decode_fragments};

fn check(encoding: Encoding, bytes: &[u8], expected: &str) {
    assert_eq!(
        decode_bytes_without_bom_handling(bytes, encoding),
        expected,
        "{} {bytes:02X?}",
        encoding.name()
    );
}

/// Offsets and lengths of the errors.
fn errors(encoding: Encoding, bytes: &[u8]) -> Vec<(usize, usize)> {
    let error = |item| match item {
        Error { offset, len, .. } => Some((offset, len)),
        Scalar { .. } => None,
    };
    decode_fragments(encoding, bytes)
        .into_iter()
        .filter_map(error)
        .collect()
}

#[test]
fn utf_8_errors_are_maximal_subparts() {
    check(Utf8, b"\xF0\x9F\x92\xA9", "💩");
    check(Utf8, b"\xF0\x80\x80\x41", "\u{FFFD}\u{FFFD}\u{FFFD}A");
    check(Utf8, b"\xED\xA0\x80", "\u{FFFD}\u{FFFD}\u{FFFD}");
    assert_eq!(
        errors(Utf8, b"\xF0\x9F\x92A\xC2\xE2\x82"),
        [(0, 3), (4, 1), (5, 2)]
    );
}

#[test]
fn single_byte_decoders_follow_their_index() {
    check(Windows1252, b"\x80\x81\xE9", "€\u{81}é");
    check(Koi8R, b"\xF0\xD2", "Пр");
    check(Windows1253, b"\xAA\xD2", "\u{FFFD}\u{FFFD}");
    check(Iso8859_8I, b"\xE0\xA1", "א\u{FFFD}");
    check(Windows874, b"\xA1", "ก");
    check(XUserDefined, b"\x7F\x80\xFF", "\u{7F}\u{F780}\u{F7FF}");
}

#[test]
fn gb18030_0xa3a0_is_ideographic_space() {
    check(Gb18030, b"\xA3\xA0\xA1\xA1", "\u{3000}\u{3000}");
}

#[test]
fn gb18030_0x80_is_euro_sign_and_0xff_an_error() {
    check(Gbk, b"\x80\xA2\xE3\xFF", "€€\u{FFFD}");
}

#[test]
fn gb18030_four_bytes() {
    check(Gb18030, b"\x81\x30\x81\x30", "\u{80}");
    check(Gb18030, b"\x84\x31\xA4\x37", "\u{FFFD}");
    check(Gb18030, b"\x84\x31\xA4\x39", "\u{FFFF}");
    check(Gb18030, b"\x84\x31\xA5\x30", "\u{FFFD}");
    check(Gb18030, b"\x90\x30\x81\x30", "\u{10000}");
    check(Gb18030, b"\xE3\x32\x9A\x35", "\u{10FFFF}");
    check(Gb18030, b"\xE3\x32\x9A\x36", "\u{FFFD}");
    assert_eq!(errors(Gb18030, b"\xE3\x32\x9A\x36"), [(0, 4)]);
    assert_eq!(errors(Gb18030, b"\x84\x31\xA4\x39"), []);
}

#[test]
fn gb18030_pointer_7457_is_u_e7c7() {
    // 7457 = 5 x 1260 + 115 x 10 + 7.
    check(Gb18030, b"\x81\x35\xF4\x37", "\u{E7C7}");
    check(Gb18030, b"\xA8\xBC", "\u{1E3F}");
}

#[test]
fn gb18030_2022_two_bytes_are_not_private_use() {
    check(Gb18030, b"\xA6\xD9\xFE\x59", "\u{FE10}\u{9FB4}");
}

#[test]
fn gb18030_bad_fourth_byte_restores_three() {
    check(Gb18030, b"\x81\x30\x81\x41", "\u{FFFD}0\u{4E04}");
    assert_eq!(errors(Gb18030, b"\x81\x30\x81\xFF"), [(0, 1), (2, 2)]);
}

#[test]
fn gb18030_bad_third_byte_restores_two() {
    check(Gb18030, b"\x81\x30A", "\u{FFFD}0A");
    assert_eq!(errors(Gb18030, b"\x81\x30\xFF"), [(0, 1), (2, 1)]);
}

#[test]
fn gb18030_end_of_queue_masks_one_digit() {
    check(Gb18030, b"\x81\x30", "\u{FFFD}");
    assert_eq!(errors(Gb18030, b"\x81\x30\x81"), [(0, 3)]);
}

#[test]
fn big5_1133_yields_two_code_points() {
    check(Big5, b"\x88\x62\x88\x64", "\u{CA}\u{304}\u{CA}\u{30C}");
    check(Big5, b"\x88\xA3\x88\xA5", "\u{EA}\u{304}\u{EA}\u{30C}");
    let both = [
        Scalar {
            value: '\u{CA}',
            end: 2,
        },
        Scalar {
            value: '\u{304}',
            end: 2,
        },
    ];
    assert_eq!(decode_fragments(Big5, b"\x88\x62"), both);
}

#[test]
fn big5_ascii_trail_is_restored() {
    check(Big5, b"\x81A", "\u{FFFD}A");
    assert_eq!(
        errors(Big5, b"\x81A\x81\x80\xA4\xFF\xA4"),
        [(0, 1), (2, 2), (4, 2), (6, 1)]
    );
    check(Big5, b"\xA4\xA4\xA4\xE5", "中文");
}

#[test]
fn euc_jp_three_byte_and_katakana_sequences() {
    check(EucJp, b"\x8F\xB0\xA1\x8E\xB1\xB0\xA1", "丂\u{FF71}亜");
    assert_eq!(errors(EucJp, b"\x8F\xA1A"), [(0, 2)]);
    assert_eq!(errors(EucJp, b"\x8F\xA1\xA1"), [(0, 3)]);
    assert_eq!(
        errors(EucJp, b"\x8E\xE0\x8FA\x8F\x80\x8F\xA1"),
        [(0, 2), (2, 1), (4, 2), (6, 2)]
    );
}

#[test]
fn euc_jp_jis0212_is_forgotten_after_an_error() {
    check(EucJp, b"\x8F\xA1A\xB0\xA1", "\u{FFFD}A亜");
}

#[test]
fn shift_jis_ascii_trail_is_restored() {
    check(ShiftJis, b"\x82\"", "\u{FFFD}\"");
    check(ShiftJis, b"\x85\x40", "\u{FFFD}@");
    assert_eq!(
        errors(ShiftJis, b"\x85\x40\x85\x80\x82\xFD\x82"),
        [(0, 1), (2, 2), (4, 2), (6, 1)]
    );
}

#[test]
fn shift_jis_single_bytes() {
    check(
        ShiftJis,
        b"\x5C\x7E\x80\xA0\xA1\xDF\xFD",
        "\\~\u{80}\u{FFFD}\u{FF61}\u{FF9F}\u{FFFD}",
    );
}

#[test]
fn shift_jis_eudc_is_private_use() {
    check(ShiftJis, b"\xF0\x40\xF9\xFC", "\u{E000}\u{E757}");
    check(ShiftJis, b"\xFA\x40\x81\x5F", "ⅰ＼");
}

#[test]
fn euc_kr_ascii_trail_is_restored() {
    check(EucKr, b"\xB0\xA1\x81\x41\xC7\x41", "가갂\u{FFFD}A");
    assert_eq!(
        errors(EucKr, b"\x81\x5B\xC9\xA1\x81\xFF\x81"),
        [(0, 1), (2, 2), (4, 2), (6, 1)]
    );
}

#[test]
fn iso_2022_jp_designations() {
    check(Iso2022Jp, b"\x5C\x7E\x1B(J\x5C\x7E", "\\~¥‾");
    check(Iso2022Jp, b"\x1B(I\x21\x5F\x60", "\u{FF61}\u{FF9F}\u{FFFD}");
    check(Iso2022Jp, b"\x1B$@\x30\x21\x1B$B\x30\x22\x1B(BA", "亜唖A");
}

#[test]
fn iso_2022_jp_errors_cover_no_escape_before_them() {
    assert_eq!(
        errors(Iso2022Jp, b"\x1B$B\xFF\x30\x21\x0A"),
        [(3, 1), (6, 1)]
    );
    assert_eq!(errors(Iso2022Jp, b"\x0E\x0F\x80"), [(0, 1), (1, 1), (2, 1)]);
    check(Iso2022Jp, b"\x1B(J\x0E\x1B(I\x0F", "\u{FFFD}\u{FFFD}");
}

#[test]
fn iso_2022_jp_escape_after_escape_blames_the_earlier() {
    let expected: [DecodeItem; 2] = [
        Error {
            offset: 0,
            len: 3,
            end: 6,
        },
        Scalar {
            value: '¥', end: 7
        },
    ];
    assert_eq!(decode_fragments(Iso2022Jp, b"\x1B(B\x1B(J\x5C"), expected);
    assert_eq!(errors(Iso2022Jp, b"A\x1B(B\x1B(J\x1B$B"), [(1, 3), (4, 3)]);
    // The example of the Standard: two outputs of the encoder, concatenated.
    check(Iso2022Jp, b"\x1B(J\x5C\x1B(B\x1B(J\x5C\x1B(B", "¥\u{FFFD}¥");
}

#[test]
fn iso_2022_jp_escape_as_trail_blames_the_lead() {
    let expected: [DecodeItem; 2] = [
        Error {
            offset: 3,
            len: 1,
            end: 5,
        },
        Scalar { value: 'A', end: 8 },
    ];
    assert_eq!(decode_fragments(Iso2022Jp, b"\x1B$B\x30\x1B(BA"), expected);
    assert_eq!(errors(Iso2022Jp, b"\x1B$B\x30\x1BAA"), [(3, 1), (4, 1)]);
    assert_eq!(errors(Iso2022Jp, b"\x1B$B\x30\x1B"), [(3, 1), (4, 1)]);
}

#[test]
fn iso_2022_jp_bad_escape_is_an_error_of_one_byte() {
    check(Iso2022Jp, b"\x1B(A\x1B$", "\u{FFFD}(A\u{FFFD}$");
    assert_eq!(errors(Iso2022Jp, b"A\x1B\x1B"), [(1, 1), (2, 1)]);
    // The restored 0x24 is a lead byte here.
    check(Iso2022Jp, b"\x1B$B\x1B$\x22", "\u{FFFD}あ");
}

#[test]
fn iso_2022_jp_bad_trail_is_consumed() {
    assert_eq!(
        errors(Iso2022Jp, b"\x1B$B\x30\x0A\x30\x21\x30"),
        [(3, 2), (7, 1)]
    );
}

#[test]
fn replacement_is_one_error_at_the_first_byte() {
    check(Replacement, b"", "");
    check(Replacement, b"<script>", "\u{FFFD}");
    assert_eq!(
        decode_fragments(Replacement, b"ab"),
        [Error {
            offset: 0,
            len: 1,
            end: 1
        }]
    );
}

#[test]
fn utf_16_lone_surrogates_are_errors_of_two_bytes() {
    check(Utf16Be, b"\xD8\x3D\xDC\xA9", "💩");
    check(Utf16Le, b"\x3D\xD8\xA9\xDC", "💩");
    check(Utf16Le, b"\x3D\xD8A\0", "\u{FFFD}A");
    check(Utf16Be, b"\xD8\x3D\xD8\x3D\xDC\xA9", "\u{FFFD}💩");
    assert_eq!(
        errors(Utf16Be, b"\xD8\x3D\0A\xDC\0\0"),
        [(0, 2), (4, 2), (6, 1)]
    );
}

#[test]
fn utf_16_end_of_queue_is_one_error_of_all_that_is_pending() {
    assert_eq!(errors(Utf16Be, b"\0A\xD8\0"), [(2, 2)]);
    assert_eq!(errors(Utf16Le, b"A\0\0\xD8\xDC"), [(2, 3)]);
}
