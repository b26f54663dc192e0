//! Rules of ISO-2022-JP (section 12.2 of the Standard).

use crate::common::{decodes, decodes_cleanly, drive, encodes, encodes_html, hex, utf_16};
use mojika::ISO_2022_JP;

const R: &str = "\u{FFFD}";

#[test]
fn ascii_state_is_the_first() {
    decodes_cleanly(ISO_2022_JP, b"a\\~\x00\x7F\r\n", "a\\~\0\u{7F}\r\n");
    for byte in (0x80..=0xFF).chain([0x0E, 0x0F]) {
        decodes(ISO_2022_JP, &[b'a', byte, b'b'], "a\u{FFFD}b", &[(1, 1)]);
    }
}

#[test]
fn escape_sequences_switch_between_the_four_states() {
    decodes_cleanly(
        ISO_2022_JP,
        b"\\\x1B(J\\~a\x1B(I\x21\x5F\x1B$@0!\x1B$B!!\x1B(B\\",
        "\\¥‾a｡ﾟ亜\u{3000}\\",
    );
}

#[test]
fn roman_state_has_yen_and_overline() {
    decodes_cleanly(ISO_2022_JP, b"\x1B(J\x5C\x5D\x7E\x7F", "¥]‾\u{7F}");
    for byte in (0x80..=0xFF).chain([0x0E, 0x0F]) {
        decodes(
            ISO_2022_JP,
            &[0x1B, b'(', b'J', byte, 0x5C],
            "\u{FFFD}¥",
            &[(3, 1)],
        );
    }
}

#[test]
fn katakana_state_has_0x21_to_0x5f_only() {
    let bytes: Vec<u8> = b"\x1B(I".iter().copied().chain(0x21..=0x5F).collect();
    let text: String = ('\u{FF61}'..='\u{FF9F}').collect();
    decodes_cleanly(ISO_2022_JP, &bytes, &text);
    for byte in (0..=0x20).chain(0x60..=0xFF).filter(|&byte| byte != 0x1B) {
        decodes(
            ISO_2022_JP,
            &[0x1B, b'(', b'I', byte, 0x31],
            "\u{FFFD}ｱ",
            &[(3, 1)],
        );
    }
}

#[test]
fn lead_byte_state_has_0x21_to_0x7e_only() {
    for byte in (0..=0x20).chain(0x7F..=0xFF).filter(|&byte| byte != 0x1B) {
        decodes(
            ISO_2022_JP,
            &[0x1B, b'$', b'B', byte, 0x30, 0x21],
            "\u{FFFD}亜",
            &[(3, 1)],
        );
    }
}

#[test]
fn trail_byte_out_of_range_or_unmapped_is_an_error_of_two_bytes() {
    for byte in (0..=0x20).chain(0x7F..=0xFF).filter(|&byte| byte != 0x1B) {
        // The same for an ASCII trail byte: nothing is restored.
        decodes(
            ISO_2022_JP,
            &[0x1B, b'$', b'B', 0x30, byte, 0x30, 0x21],
            "\u{FFFD}亜",
            &[(3, 2)],
        );
    }
    decodes(ISO_2022_JP, b"\x1B$B\x29\x210!", "\u{FFFD}亜", &[(3, 2)]);
}

#[test]
fn escape_in_the_place_of_a_trail_byte_is_an_error_of_the_lead() {
    decodes(ISO_2022_JP, b"\x1B$B0\x1B(Ba", "\u{FFFD}a", &[(3, 1)]);
    // The escape itself may be malformed.
    decodes(
        ISO_2022_JP,
        b"\x1B$B0\x1B0!",
        "\u{FFFD}\u{FFFD}亜",
        &[(3, 1), (4, 1)],
    );
}

#[test]
fn bad_escape_start_restores_the_byte_after_0x1b() {
    decodes(ISO_2022_JP, b"\x1Ba", "\u{FFFD}a", &[(0, 1)]);
    decodes(ISO_2022_JP, b"\x1B\x1B(J~", "\u{FFFD}‾", &[(0, 1)]);
    decodes(
        ISO_2022_JP,
        b"\x1B\xFF",
        "\u{FFFD}\u{FFFD}",
        &[(0, 1), (1, 1)],
    );
}

#[test]
fn bad_escape_restores_both_bytes_after_0x1b() {
    decodes(ISO_2022_JP, b"\x1B(Ca", "\u{FFFD}(Ca", &[(0, 1)]);
    decodes(ISO_2022_JP, b"\x1B$A", "\u{FFFD}$A", &[(0, 1)]);
    decodes(ISO_2022_JP, b"\x1B$(D0!", "\u{FFFD}$(D0!", &[(0, 1)]);
    decodes(ISO_2022_JP, b"\x1B(\x1B(J~", "\u{FFFD}(‾", &[(0, 1)]);
    // Restored in the current state: `(!` is a pair of jis0208.
    decodes(ISO_2022_JP, b"\x1B$B0!\x1B(!", "亜\u{FFFD}─", &[(5, 1)]);
}

#[test]
fn escape_sequence_after_another_without_output_is_an_error() {
    // The first of the two is the error, and the second is in effect.
    decodes(ISO_2022_JP, b"\x1B$B\x1B(Ba", "\u{FFFD}a", &[(0, 3)]);
    decodes(ISO_2022_JP, b"\x1B(J\x1B$B0!", "\u{FFFD}亜", &[(0, 3)]);
    decodes(
        ISO_2022_JP,
        b"a\x1B(B\x1B(J\x1B(B",
        "a\u{FFFD}\u{FFFD}",
        &[(1, 3), (4, 3)],
    );
    // Any output between them prevents the error, even U+FFFD.
    decodes_cleanly(ISO_2022_JP, b"\x1B(Ba\x1B(J", "a");
    decodes(ISO_2022_JP, b"\x1B(B\x80\x1B(J~", "\u{FFFD}‾", &[(3, 1)]);
    decodes(ISO_2022_JP, b"\x1B(B\x1Ba\x1B(J~", "\u{FFFD}a‾", &[(3, 1)]);
    decodes(
        ISO_2022_JP,
        b"\x1B(B\x1B(\xFF\x1B(J~",
        "\u{FFFD}(\u{FFFD}‾",
        &[(3, 1), (5, 1)],
    );
}

#[test]
fn escape_sequence_at_the_end_is_no_error() {
    for bytes in [&b"\x1B(B"[..], b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B"] {
        decodes_cleanly(ISO_2022_JP, bytes, "");
    }
}

#[test]
fn cut_off_sequences_are_errors() {
    decodes(ISO_2022_JP, b"\x1B", R, &[(0, 1)]);
    decodes(ISO_2022_JP, b"\x1B(", "\u{FFFD}(", &[(0, 1)]);
    decodes(ISO_2022_JP, b"\x1B$", "\u{FFFD}$", &[(0, 1)]);
    decodes(ISO_2022_JP, b"\x1B$B0", R, &[(3, 1)]);
    // The restored byte is the lead byte of a truncated pair here.
    decodes(
        ISO_2022_JP,
        b"\x1B$B0!\x1B(",
        "亜\u{FFFD}\u{FFFD}",
        &[(5, 1), (6, 1)],
    );
}

#[test]
fn encoder_escapes_only_where_the_state_changes() {
    encodes(ISO_2022_JP, "ab", b"ab");
    encodes(ISO_2022_JP, "a亜唖b", b"a\x1B$B0!0\"\x1B(Bb");
    encodes(ISO_2022_JP, "¥‾", b"\x1B(J\x5C\x7E\x1B(B");
    encodes(ISO_2022_JP, "亜¥亜", b"\x1B$B0!\x1B(J\x5C\x1B$B0!\x1B(B");
}

#[test]
fn encoder_stays_in_roman_for_ascii_but_5c_and_7e() {
    encodes(ISO_2022_JP, "¥abc]", b"\x1B(J\x5Cabc]\x1B(B");
    encodes(ISO_2022_JP, "¥\\", b"\x1B(J\x5C\x1B(B\x5C");
    encodes(ISO_2022_JP, "‾a~b", b"\x1B(J\x7Ea\x1B(B~b");
}

#[test]
fn encoder_returns_to_ascii_at_the_end_of_the_stream() {
    encodes(ISO_2022_JP, "亜", b"\x1B$B0!\x1B(B");
    encodes(ISO_2022_JP, "¥", b"\x1B(J\x5C\x1B(B");
    let mut encoder = ISO_2022_JP.new_encoder().unwrap();
    let mut bytes = Vec::new();
    encoder.encode_html_append("亜", &mut bytes, false);
    assert!(!encoder.is_complete());
    encoder.encode_html_append("", &mut bytes, true);
    assert!(encoder.is_complete());
    assert_eq!(hex(&bytes), hex(b"\x1B$B0!\x1B(B"));
}

#[test]
fn encoder_makes_half_width_katakana_full_width() {
    encodes(ISO_2022_JP, "｡ｱﾞﾟ", b"\x1B$B!#%\"!+!,\x1B(B");
}

#[test]
fn encoder_takes_the_minus_sign_for_the_full_width_hyphen_minus() {
    encodes(ISO_2022_JP, "−－", b"\x1B$B!]!]\x1B(B");
}

#[test]
fn encoder_reports_three_controls_as_u_fffd() {
    for control in ['\u{E}', '\u{F}', '\u{1B}'] {
        // In the states ASCII and Roman; from jis0208, the encoder returns to ASCII first.
        encodes_html(
            ISO_2022_JP,
            &control.to_string(),
            b"&#65533;",
            &[(0, '\u{FFFD}')],
        );
        encodes_html(
            ISO_2022_JP,
            &format!("¥{control}"),
            b"\x1B(J\x5C&#65533;\x1B(B",
            &[(2, '\u{FFFD}')],
        );
        encodes_html(
            ISO_2022_JP,
            &format!("亜{control}亜"),
            b"\x1B$B0!\x1B(B&#65533;\x1B$B0!\x1B(B",
            &[(3, '\u{FFFD}')],
        );
    }
}

#[test]
fn encoder_leaves_jis0208_before_it_reports_an_unmappable_scalar_value() {
    encodes_html(
        ISO_2022_JP,
        "亜💩亜",
        b"\x1B$B0!\x1B(B&#128169;\x1B$B0!\x1B(B",
        &[(3, '💩')],
    );
    // In Roman the reference is written unchanged.
    encodes_html(
        ISO_2022_JP,
        "¥💩¥",
        b"\x1B(J\x5C&#128169;\x5C\x1B(B",
        &[(2, '💩')],
    );
    // In mode "fatal" the escape sequence is part of the output.
    let encoder = &mut ISO_2022_JP.new_encoder().unwrap();
    let encoded = drive::encode_fatal(encoder, &["亜💩"], 32);
    assert_eq!(hex(&encoded.bytes), hex(b"\x1B$B0!\x1B(B"));
    let units = utf_16("亜💩");
    let encoded = drive::encode_fatal(encoder, &[&*units], 32);
    assert_eq!(hex(&encoded.bytes), hex(b"\x1B$B0!\x1B(B"));
}

#[test]
fn encoder_has_no_jis0212_and_no_c1_controls() {
    crate::common::has_no_bytes_for(
        ISO_2022_JP,
        ['\u{80}', '\u{2D8}', '丂', 'é', '\u{FF60}', '\u{FFA0}'],
    );
}
