//! The single-byte encodings and x-user-defined.

use crate::text_decoder::{END, TextDecoder, TypeError};
use mojika::{BomHandling, Encoding, Status};
use mojika_spec::single_byte::index_single_byte;

/// The bytes without a code point; every other single-byte encoding has none.
const WITHOUT_CODE_POINT: [(&str, &[u8]); 9] = [
    ("iso-8859-3", b"\xA5\xAE\xBE\xC3\xD0\xE3\xF0"),
    (
        "iso-8859-6",
        b"\xA1\xA2\xA3\xA5\xA6\xA7\xA8\xA9\xAA\xAB\xAE\xAF\xB0\xB1\xB2\xB3\xB4\xB5\xB6\xB7\xB8\xB9\xBA\xBC\xBD\
          \xBE\xC0\xDB\xDC\xDD\xDE\xDF\xF3\xF4\xF5\xF6\xF7\xF8\xF9\xFA\xFB\xFC\xFD\xFE\xFF",
    ),
    ("iso-8859-7", b"\xAE\xD2\xFF"),
    ("iso-8859-8", HEBREW),
    ("iso-8859-8-i", HEBREW),
    ("windows-874", b"\xDB\xDC\xDD\xDE\xFC\xFD\xFE\xFF"),
    ("windows-1253", b"\xAA\xD2\xFF"),
    ("windows-1255", b"\xD9\xDA\xDB\xDC\xDD\xDE\xDF\xFB\xFC\xFF"),
    ("windows-1257", b"\xA1\xA5"),
];
const HEBREW: &[u8] =
    b"\xA1\xBF\xC0\xC1\xC2\xC3\xC4\xC5\xC6\xC7\xC8\xC9\xCA\xCB\xCC\xCD\xCE\xCF\xD0\xD1\xD2\xD3\
    \xD4\xD5\xD6\xD7\xD8\xD9\xDA\xDB\xDC\xDD\xDE\xFB\xFC\xFF";

fn labels() -> impl Iterator<Item = String> {
    let encodings = Encoding::all().iter().filter(|e| e.is_single_byte());
    encodings.map(|encoding| encoding.name().to_ascii_lowercase())
}

#[test]
fn textdecoder_fatal_single_byte() {
    assert_eq!(labels().count(), 28 + 1);
    for label in labels() {
        let row = WITHOUT_CODE_POINT.into_iter().find(|row| row.0 == label);
        let bad = row.map_or(&b""[..], |row| row.1);
        let mut decoder = TextDecoder::fatal(&label);
        for byte in 0..=0xFF {
            let result = decoder.decode(&[byte], END);
            assert_eq!(result.is_err(), bad.contains(&byte), "{label}: {byte:02X}");
        }
    }
}

/// All 256 bytes in one call against the Standard's own index, and each mapped one back.
#[test]
fn single_byte_decoder() {
    for label in labels().filter(|label| label != "x-user-defined") {
        let encoding = Encoding::for_label(&label).expect("a label");
        let spec = mojika_spec::get_an_encoding(&label).expect("a label");
        let index = index_single_byte(spec).expect("an index");
        let expected = |byte: u8| match byte.checked_sub(0x80) {
            None => Some(char::from(byte)),
            Some(pointer) => index.code_point(pointer.into()),
        };
        let bytes: Vec<u8> = (0..=0xFF).collect();
        let text: String = bytes
            .iter()
            .map(|&b| expected(b).unwrap_or('\u{FFFD}'))
            .collect();
        assert_eq!(
            TextDecoder::new(&label).decode(&bytes, END).as_deref(),
            Ok(&*text)
        );
        assert_eq!(encoding.decode_with(&bytes, BomHandling::Keep).text, text);

        for byte in 0..=0xFF {
            let Some(scalar) = expected(byte) else {
                continue;
            };
            let text = scalar.to_string();
            let encoded = encoding.encode(&text);
            assert_eq!(encoded.as_deref(), Ok(&[byte][..]), "{label}: {scalar:?}");
        }
        let mut encoder = encoding.new_encoder().expect("an encoder");
        let progress = encoder.encode("\u{FFFD}", &mut [0; 8], true);
        assert!(matches!(progress.status, Status::Unmappable(_)), "{label}");
    }
}

/// Single bytes that implementations were found to have wrong; 0xFFFD is none.
const SELECTED: [(&str, &[(u8, u32)]); 14] = [
    ("koi8-u", &[(174, 1118), (190, 1038)]),
    (
        "windows-874",
        &[
            (129, 129),
            (219, 0xFFFD),
            (220, 0xFFFD),
            (221, 0xFFFD),
            (222, 0xFFFD),
            (252, 0xFFFD),
            (253, 0xFFFD),
            (254, 0xFFFD),
            (255, 0xFFFD),
        ],
    ),
    (
        "windows-1252",
        &[
            (128, 8364),
            (129, 129),
            (130, 8218),
            (131, 402),
            (141, 141),
            (158, 382),
            (159, 376),
        ],
    ),
    (
        "windows-1253",
        &[(129, 129), (136, 136), (159, 159), (170, 0xFFFD)],
    ),
    (
        "windows-1255",
        &[(129, 129), (138, 138), (159, 159), (202, 1466)],
    ),
    ("macintosh", &[(189, 937), (219, 8364), (240, 63_743)]),
    (
        "windows-1250",
        &[(129, 129), (131, 131), (136, 136), (144, 144), (152, 152)],
    ),
    ("windows-1251", &[(152, 152)]),
    (
        "windows-1254",
        &[
            (129, 129),
            (140, 338),
            (141, 141),
            (144, 144),
            (157, 157),
            (158, 158),
            (222, 350),
        ],
    ),
    (
        "windows-1257",
        &[
            (129, 129),
            (131, 131),
            (138, 138),
            (145, 8216),
            (159, 159),
            (208, 352),
            (255, 729),
        ],
    ),
    (
        "windows-1258",
        &[
            (129, 129),
            (138, 138),
            (141, 141),
            (158, 158),
            (159, 376),
            (208, 272),
            (255, 255),
        ],
    ),
    (
        "iso-8859-8-i",
        &[
            (160, 160),
            (161, 0xFFFD),
            (162, 162),
            (222, 0xFFFD),
            (223, 8215),
            (254, 8207),
            (255, 0xFFFD),
        ],
    ),
    (
        "iso-8859-16",
        &[
            (128, 128),
            (160, 160),
            (161, 260),
            (252, 252),
            (253, 281),
            (254, 539),
            (255, 255),
        ],
    ),
    (
        "x-mac-cyrillic",
        &[(128, 1040), (214, 247), (254, 1102), (255, 8364)],
    ),
];

#[test]
fn textdecoder_mistakes_selected_single_byte() {
    for (label, bytes) in SELECTED {
        for &(byte, code_point) in bytes {
            let text = char::from_u32(code_point)
                .expect("a scalar value")
                .to_string();
            assert_eq!(
                TextDecoder::new(label).decode(&[byte], END).as_deref(),
                Ok(&*text)
            );
            let fatal = TextDecoder::fatal(label).decode(&[byte], END);
            let expected = if code_point == 0xFFFD {
                Err(TypeError)
            } else {
                Ok(text)
            };
            assert_eq!(fatal, expected, "{label}: {byte}");
        }
    }
}

#[test]
fn textdecoder_mistakes_windows_1252_is_not_latin1() {
    let c1 = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ";
    for label in ["windows-1252", "latin1", "ascii"] {
        let mut decoder = TextDecoder::fatal(label);
        assert_eq!(decoder.encoding(), "windows-1252");
        for (byte, scalar) in (0x80..).zip(c1.chars()) {
            assert_eq!(decoder.decode(&[byte], END), Ok(scalar.to_string()));
        }
    }
}

#[test]
fn textdecoder_mistakes_x_user_defined() {
    for fatal in [false, true] {
        let mut decoder =
            TextDecoder::with_options("x-user-defined", fatal, false).expect("a label");
        for byte in 0..=0xFF_u8 {
            let code_point = if byte < 0x80 { 0 } else { 0xF700 } + u32::from(byte);
            let text = char::from_u32(code_point).map(String::from);
            assert_eq!(decoder.decode(&[byte], END).ok(), text);
        }
    }
}

#[test]
fn textdecoder_mistakes_iso_8859_8_i_decodes_as_iso_8859_8() {
    let bytes: Vec<u8> = (0..=0xFF).collect();
    assert_eq!(
        TextDecoder::new("iso-8859-8").decode(&bytes, END),
        TextDecoder::new("iso-8859-8-i").decode(&bytes, END)
    );
}
