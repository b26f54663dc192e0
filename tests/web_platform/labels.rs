//! Labels: known, unknown and similar to a known one; the replacement encoding.

use crate::text_decoder::{RangeError, TextDecoder};
use mojika::{Encoding, hooks};
use mojika_spec::labels::LABELS;

fn all_labels() -> impl Iterator<Item = (&'static str, &'static str)> {
    LABELS
        .into_iter()
        .flat_map(|(encoding, labels)| labels.iter().map(move |&label| (encoding.name(), label)))
}

#[test]
fn textdecoder_labels() {
    assert_eq!(all_labels().count(), 228);
    for (name, label) in all_labels().filter(|row| row.0 != "replacement") {
        let encoding = |label: &str| TextDecoder::new(label).encoding();
        let name = name.to_ascii_lowercase();
        assert_eq!(encoding(label), name);
        assert_eq!(encoding(&label.to_ascii_uppercase()), name);
        for space in [' ', '\t', '\n', '\u{C}', '\r'] {
            assert_eq!(encoding(&format!("{space}{label}")), name, "{label:?}");
            assert_eq!(encoding(&format!("{label}{space}")), name, "{label:?}");
            assert_eq!(
                encoding(&format!("{space}{label}{space}")),
                name,
                "{label:?}"
            );
        }
    }
}

#[test]
fn api_invalid_label() {
    let refused = |label: &str| {
        let error = TextDecoder::with_options(label, false, false).err();
        assert_eq!(error, Some(RangeError), "{label:?}");
    };
    refused("invalid-invalidLabel");
    for (_, label) in all_labels() {
        for no_space in ['\0', '\u{B}', '\u{A0}', '\u{2028}', '\u{2029}'] {
            refused(&format!("{no_space}{label}"));
            refused(&format!("{label}{no_space}"));
            refused(&format!("{no_space}{label}{no_space}"));
        }
    }
}

/// U+212A KELVIN SIGN is a k in Unicode's lower case, not in ASCII's.
#[test]
fn textdecoder_mistakes_labels_not_ascii() {
    for label in ["\u{212A}oi8-r", "\u{212A}oi8-u", "euc-\u{212A}r"] {
        assert_eq!(
            TextDecoder::with_options(label, false, false).err(),
            Some(RangeError)
        );
    }
}

#[test]
fn api_replacement_encodings() {
    let labels: Vec<_> = all_labels().filter(|row| row.0 == "replacement").collect();
    assert_eq!(labels.len(), 6);
    for (_, label) in labels {
        assert_eq!(Encoding::for_label(label), Some(mojika::REPLACEMENT));
        assert_eq!(
            TextDecoder::with_options(label, false, false).err(),
            Some(RangeError)
        );
    }
}

/// Responses in the encodings that map to replacement.
#[test]
fn replacement_encodings() {
    assert_eq!(
        hooks::decode(b"ABCabc123\xA0", mojika::REPLACEMENT).text,
        "\u{FFFD}"
    );
    assert_eq!(hooks::decode(b"", mojika::REPLACEMENT).text, "");
    assert!(hooks::get_an_encoder(mojika::REPLACEMENT).is_none());
    assert!(mojika::REPLACEMENT.new_encoder().is_err());
    assert_eq!(mojika::REPLACEMENT.output_encoding(), mojika::UTF_8);
}

/// Names decode as labels; legacy encodings encode, but not in `TextEncoder`, which is always UTF-8.
#[test]
fn textencoder_constructor_non_utf() {
    for encoding in Encoding::all() {
        assert_eq!(Encoding::for_label(encoding.name()), Some(*encoding));
        if *encoding != mojika::REPLACEMENT {
            let name = encoding.name().to_ascii_lowercase();
            assert_eq!(TextDecoder::new(encoding.name()).encoding(), name);
        }
    }
}

/// Labels of Unicode encodings that browsers supported before the Standard did.
#[test]
fn api_legacy_utf_labels() {
    for (label, encoding) in [
        ("unicode11utf8", mojika::UTF_8),
        ("unicode20utf8", mojika::UTF_8),
        ("x-unicode20utf8", mojika::UTF_8),
        ("csunicode", mojika::UTF_16LE),
        ("ucs-2", mojika::UTF_16LE),
        ("unicode", mojika::UTF_16LE),
        ("iso-10646-ucs-2", mojika::UTF_16LE),
        ("unicodefeff", mojika::UTF_16LE),
        ("unicodefffe", mojika::UTF_16BE),
    ] {
        assert_eq!(Encoding::for_label(label), Some(encoding), "{label}");
    }
    assert_eq!(Encoding::for_label("dummy"), None);
}

/// Labels that other software knows and the Standard leaves out.
const UNSUPPORTED: &str = "437 adobe-standard-encoding armscii-8 bocu-1 cesu-8 cp1025 cp437 cp737 cp851 cp858 cp862 \
    cp864 cp869 cp875 cp950 csiso103t618bit csiso111ecmacyrillic cspc8codepage437 csviscii dos-720 dos-862 \
    ecma-cyrillic euc-tw german geostd8 hp-roman8 ibm-thai ibm00858 ibm00924 ibm01047 ibm01140 ibm01141 ibm01142 \
    ibm01143 ibm01144 ibm01145 ibm01146 ibm01147 ibm01148 ibm01149 ibm037 ibm1026 ibm1047 ibm273 ibm277 ibm278 \
    ibm280 ibm284 ibm285 ibm290 ibm297 ibm367 ibm420 ibm423 ibm424 ibm437 ibm500 ibm737 ibm775 ibm850 ibm852 \
    ibm855 ibm857 ibm860 ibm861 ibm862 ibm863 ibm864 ibm864i ibm865 ibm868 ibm869 ibm870 ibm871 ibm880 ibm905 \
    ibm918 iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-3 jis_c6226-1978 jis_x0208-1983 jis_x0208-1990 \
    jis_x0212-1990 johab latin9 norwegian sami-ws2 scsu shift_jis_x0213-2000 swedish tcvn tis-620-2533 utf-7 utf-32 \
    viscii windows-sami-2 ws2 x-chinese-cns x-chinese-eten x-cp20001 x-cp20003 x-cp20004 x-cp20005 x-cp20261 \
    x-cp20269 x-cp20936 x-cp20949 x-cp21027 x-cp50227 x-cp50229 x-ebcdic-koreanextended x-europa x-ia5 \
    x-ia5-german x-ia5-norwegian x-ia5-swedish x-iscii-as x-iscii-be x-iscii-de x-iscii-gu x-iscii-ka x-iscii-ma \
    x-iscii-or x-iscii-pa x-iscii-t x-iscii-ta x-iscii-te x-mac-arabic x-mac-ce x-mac-centraleurroman \
    x-mac-chinesesimp x-mac-chinesetrad x-mac-croatian x-mac-devanagari x-mac-dingbats x-mac-farsi x-mac-greek \
    x-mac-gujarati x-mac-gurmukhi x-mac-hebrew x-mac-icelandic x-mac-japanese x-mac-korean x-mac-roman-latin1 \
    x-mac-romanian x-mac-symbol x-mac-thai x-mac-tibetan x-mac-turkish x-mac-vt100 x-nextstep x-vps _autodetect_kr";

#[test]
fn unsupported_labels() {
    for label in UNSUPPORTED.split(' ').chain(["iso-8859-8 visual", ""]) {
        assert_eq!(Encoding::for_label(label), None, "{label}");
        assert_eq!(mojika_spec::get_an_encoding(label), None, "{label}");
    }
}
