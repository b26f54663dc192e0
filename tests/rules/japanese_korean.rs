//! Rules of EUC-JP, Shift_JIS and EUC-KR (sections 12.1, 12.3 and 13 of the Standard).

use crate::common::{
    decodes, decodes_cleanly, encodes, encodes_html, has_no_bytes_for, is_one_error,
};
use mojika::{EUC_JP, EUC_KR, SHIFT_JIS};

#[test]
fn euc_jp_decodes_one_two_and_three_byte_forms() {
    decodes_cleanly(EUC_JP, b"a\xB0\xA1\x8E\xB1\x8F\xB0\xA1z", "a亜ｱ丂z");
    decodes_cleanly(EUC_JP, b"\xA1\xA1\xF4\xA6\xFC\xFE", "\u{3000}熙＂");
}

#[test]
fn euc_jp_bytes_that_start_nothing_are_an_error() {
    for byte in (0x80..=0x8D).chain(0x90..=0xA0).chain([0xFF]) {
        is_one_error(EUC_JP, &[byte]);
        decodes(EUC_JP, &[byte, b'a'], "\u{FFFD}a", &[(0, 1)]);
    }
}

#[test]
fn euc_jp_0x8e_leads_half_width_katakana_only() {
    decodes_cleanly(EUC_JP, b"\x8E\xA1\x8E\xDF", "｡ﾟ");
    encodes(EUC_JP, "｡ﾟ", b"\x8E\xA1\x8E\xDF");
    for trail in [0x80, 0xA0, 0xE0, 0xFE, 0xFF] {
        is_one_error(EUC_JP, &[0x8E, trail]);
    }
    decodes(EUC_JP, b"\x8Ea", "\u{FFFD}a", &[(0, 1)]);
}

#[test]
fn euc_jp_0x8f_leads_jis0212() {
    decodes_cleanly(EUC_JP, b"\x8F\xA2\xAF\x8F\xED\xE3", "\u{2D8}\u{9FA5}");
    // The lead byte after 0x8F must be in 0xA1 to 0xFE; otherwise 0x8F is an error with the next byte.
    is_one_error(EUC_JP, b"\x8F\xA0");
    is_one_error(EUC_JP, b"\x8F\xFF");
    is_one_error(EUC_JP, b"\x8F\x8F");
    decodes(EUC_JP, b"\x8Fa", "\u{FFFD}a", &[(0, 1)]);
    // Unmapped or out of range: all three bytes, unless the third is ASCII.
    is_one_error(EUC_JP, b"\x8F\xA1\xA1");
    is_one_error(EUC_JP, b"\x8F\xB0\xA0");
    is_one_error(EUC_JP, b"\x8F\xB0\xFF");
    decodes(EUC_JP, b"\x8F\xB0a", "\u{FFFD}a", &[(0, 2)]);
    // After the error, the state is that of jis0208.
    decodes(EUC_JP, b"\x8F\xA1\xA1\xB0\xA1", "\u{FFFD}亜", &[(0, 3)]);
    decodes_cleanly(EUC_JP, b"\x8F\xB0\xA1\xB0\xA1", "丂亜");
}

#[test]
fn euc_jp_ascii_trail_is_restored() {
    decodes(EUC_JP, b"\xB0\"", "\u{FFFD}\"", &[(0, 1)]);
    is_one_error(EUC_JP, b"\xB0\xA0");
    is_one_error(EUC_JP, b"\xB0\xFF");
    is_one_error(EUC_JP, b"\xA9\xA1");
}

#[test]
fn euc_jp_cut_off_is_a_single_error() {
    is_one_error(EUC_JP, b"\xB0");
    is_one_error(EUC_JP, b"\x8E");
    is_one_error(EUC_JP, b"\x8F");
    is_one_error(EUC_JP, b"\x8F\xB0");
}

#[test]
fn euc_jp_jis0212_is_not_encoded() {
    has_no_bytes_for(EUC_JP, ['\u{2D8}', '丂', '\u{9FA5}', '\u{80}', '💩']);
}

#[test]
fn euc_jp_yen_overline_and_minus_have_bytes_of_their_own() {
    encodes(EUC_JP, "¥‾−－", b"\x5C\x7E\xA1\xDD\xA1\xDD");
    decodes_cleanly(EUC_JP, b"\x5C\x7E\xA1\xDD", "\\~－");
}

#[test]
fn euc_jp_takes_the_first_pointer() {
    // These pairs are preferred over the IBM extension in row 115, and over NEC's row 13.
    encodes(EUC_JP, "Ⅰ≒∪", b"\xAD\xB5\xA2\xE2\xA2\xC0");
    // Pointers from 8272 on, which Shift_JIS does not use.
    encodes(EUC_JP, "纊ⅰ", b"\xF9\xA1\xFC\xF1");
}

#[test]
fn shift_jis_decodes_pairs_of_both_lead_ranges() {
    decodes_cleanly(
        SHIFT_JIS,
        b"\x81\x40\x88\x9F\xE0\x40\xEA\xA4\xFC\x4B",
        "\u{3000}亜漾熙黑",
    );
    encodes(
        SHIFT_JIS,
        "\u{3000}亜漾熙黑",
        b"\x81\x40\x88\x9F\xE0\x40\xEA\xA4\xFC\x4B",
    );
}

#[test]
fn shift_jis_0x80_is_u_0080() {
    decodes_cleanly(SHIFT_JIS, b"\x80", "\u{80}");
    encodes(SHIFT_JIS, "\u{80}", b"\x80");
    has_no_bytes_for(SHIFT_JIS, ['\u{81}', '\u{A0}']);
}

#[test]
fn shift_jis_bytes_that_start_nothing_are_an_error() {
    for byte in [0xA0, 0xFD, 0xFE, 0xFF] {
        is_one_error(SHIFT_JIS, &[byte]);
        decodes(SHIFT_JIS, &[byte, b'@'], "\u{FFFD}@", &[(0, 1)]);
    }
}

#[test]
fn shift_jis_half_width_katakana_is_one_byte() {
    let bytes: Vec<u8> = (0xA1..=0xDF).collect();
    let text: String = ('\u{FF61}'..='\u{FF9F}').collect();
    decodes_cleanly(SHIFT_JIS, &bytes, &text);
    encodes(SHIFT_JIS, &text, &bytes);
}

#[test]
fn shift_jis_ascii_trail_is_restored() {
    // In range but unmapped, and out of range.
    decodes(SHIFT_JIS, b"\x85@", "\u{FFFD}@", &[(0, 1)]);
    decodes(SHIFT_JIS, b"\x82\"", "\u{FFFD}\"", &[(0, 1)]);
    decodes(SHIFT_JIS, b"\x82\x7F", "\u{FFFD}\u{7F}", &[(0, 1)]);
    decodes(SHIFT_JIS, b"\x81\x0A", "\u{FFFD}\n", &[(0, 1)]);
}

#[test]
fn shift_jis_other_bad_trail_belongs_to_the_error() {
    for trail in [0xFD, 0xFE, 0xFF] {
        is_one_error(SHIFT_JIS, &[0x81, trail]);
    }
    is_one_error(SHIFT_JIS, b"\x85\x80");
    is_one_error(SHIFT_JIS, b"\x81\xAD");
    decodes_cleanly(SHIFT_JIS, b"\x81\x7E\x81\x80", "×÷");
}

#[test]
fn shift_jis_cut_off_lead_is_an_error() {
    for lead in (0x81..=0x9F).chain(0xE0..=0xFC) {
        is_one_error(SHIFT_JIS, &[lead]);
    }
}

#[test]
fn shift_jis_eudc_is_decoded_and_not_encoded() {
    decodes_cleanly(
        SHIFT_JIS,
        b"\xF0\x40\xF0\x7E\xF0\x80\xF9\xFC",
        "\u{E000}\u{E03E}\u{E03F}\u{E757}",
    );
    has_no_bytes_for(SHIFT_JIS, ['\u{E000}', '\u{E03F}', '\u{E757}']);
    // Before and after the range.
    decodes_cleanly(SHIFT_JIS, b"\xEE\xFC\xFA\x40", "＂ⅰ");
    is_one_error(SHIFT_JIS, b"\xEF\xFC");
}

#[test]
fn shift_jis_pointers_8272_to_8835_are_not_encoded_to() {
    for (bytes, nec, text) in [
        (b"\xFA\x5C", b"\xED\x40", "纊"),
        (b"\xFB\x5C", b"\xEE\x40", "犾"),
        (b"\xFA\x40", b"\xEE\xEF", "ⅰ"),
        (b"\xFA\x55", b"\xEE\xFA", "￤"),
        (b"\xFA\x57", b"\xEE\xFC", "＂"),
        (b"\x81\xCA", b"\xEE\xF9", "￢"),
    ] {
        decodes_cleanly(SHIFT_JIS, nec, text);
        decodes_cleanly(SHIFT_JIS, bytes, text);
        encodes(SHIFT_JIS, text, bytes);
    }
}

#[test]
fn shift_jis_takes_the_first_of_the_other_pointers() {
    for (first, other, text) in [
        (b"\x81\xBE", b"\x87\x9C", "∪"),
        (b"\x81\xBF", b"\x87\x9B", "∩"),
        (b"\x81\xDA", b"\x87\x97", "∠"),
        (b"\x81\xDB", b"\x87\x96", "⊥"),
        (b"\x81\xDF", b"\x87\x91", "≡"),
        (b"\x81\xE0", b"\x87\x90", "≒"),
        (b"\x81\xE3", b"\x87\x95", "√"),
        (b"\x81\xE6", b"\xFA\x5B", "∵"),
        (b"\x81\xE7", b"\x87\x92", "∫"),
        (b"\x87\x54", b"\xFA\x4A", "Ⅰ"),
        (b"\x87\x82", b"\xFA\x59", "№"),
        (b"\x87\x84", b"\xFA\x5A", "℡"),
        (b"\x87\x8A", b"\xFA\x58", "㈱"),
    ] {
        decodes_cleanly(SHIFT_JIS, first, text);
        decodes_cleanly(SHIFT_JIS, other, text);
        encodes(SHIFT_JIS, text, first);
    }
}

#[test]
fn shift_jis_yen_overline_and_minus_have_bytes_of_their_own() {
    encodes(SHIFT_JIS, "¥‾−－", b"\x5C\x7E\x81\x7C\x81\x7C");
    decodes_cleanly(SHIFT_JIS, b"\x5C\x7E\x81\x7C", "\\~－");
    encodes_html(SHIFT_JIS, "丂", b"&#19970;", &[(0, '丂')]);
}

#[test]
fn euc_kr_leads_and_trails_have_these_ranges() {
    for lead in [0x80, 0xFF] {
        is_one_error(EUC_KR, &[lead]);
        decodes(EUC_KR, &[lead, b'A'], "\u{FFFD}A", &[(0, 1)]);
    }
    let bytes =
        b"\x81\x41\x81\x5A\x81\x61\x81\x7A\x81\x81\x81\xFE\xA1\xA1\xB0\xA1\xC8\xFE\xC6\x52\xFD\xFE";
    let text = "갂갴갵걕걖괓\u{3000}가힝힣\u{8A70}";
    decodes_cleanly(EUC_KR, bytes, text);
    encodes(EUC_KR, text, bytes);
    decodes(EUC_KR, b"\x81@", "\u{FFFD}@", &[(0, 1)]);
    is_one_error(EUC_KR, b"\x81\xFF");
    is_one_error(EUC_KR, b"\x81\x80");
}

#[test]
fn euc_kr_ascii_trail_is_restored() {
    // Unmapped cells between the letters, and out of range.
    for trail in (0..0x41).chain(0x5B..=0x60).chain(0x7B..=0x7F) {
        let text = format!("\u{FFFD}{}", char::from(trail));
        decodes(EUC_KR, &[0x81, trail], &text, &[(0, 1)]);
    }
    decodes(EUC_KR, b"\xC7A", "\u{FFFD}A", &[(0, 1)]);
    is_one_error(EUC_KR, b"\xC9\xA1");
    is_one_error(EUC_KR, b"\xFE\xFE");
}

#[test]
fn euc_kr_cut_off_lead_is_an_error() {
    for lead in 0x81..=0xFE {
        is_one_error(EUC_KR, &[lead]);
    }
}

#[test]
fn euc_kr_has_no_bytes_outside_its_index() {
    has_no_bytes_for(
        EUC_KR,
        ['\u{80}', '¥', '‾', 'ｱ', '\u{D7A4}', '丂', '\u{E000}', '💩'],
    );
}
