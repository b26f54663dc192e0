//! Names and labels (section 4.2 of the Standard), output encodings (section 4.3), and properties of encodings.

use mojika::{BomHandling, Encoding, UTF_8, UnknownCodePage, extended};
use mojika_spec::labels::LABELS;
use std::collections::HashSet;

/// Returns the Standard's table, from the transliteration: names, and their labels.
fn table() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    LABELS
        .iter()
        .map(|&(encoding, labels)| (encoding.name(), labels))
}

fn named(name: &str) -> &'static Encoding {
    let found = Encoding::all().iter().find(|e| e.name() == name);
    found.unwrap_or_else(|| panic!("no encoding is named {name}"))
}

#[test]
fn the_table_has_40_encodings_and_228_labels() {
    let labels: Vec<&str> = table().flat_map(|(_, labels)| labels).copied().collect();
    let distinct: HashSet<&str> = labels.iter().copied().collect();
    assert_eq!((labels.len(), distinct.len()), (228, 228));
}

#[test]
fn every_label_names_its_encoding() {
    for (name, labels) in table() {
        for label in labels {
            assert_eq!(Encoding::for_label(label), Some(named(name)), "{label}");
        }
    }
}

#[test]
fn statics_are_the_encodings_of_their_names() {
    use mojika::*;
    let statics = [
        UTF_8,
        IBM866,
        ISO_8859_2,
        ISO_8859_3,
        ISO_8859_4,
        ISO_8859_5,
        ISO_8859_6,
        ISO_8859_7,
        ISO_8859_8,
        ISO_8859_8_I,
        ISO_8859_10,
        ISO_8859_13,
        ISO_8859_14,
        ISO_8859_15,
        ISO_8859_16,
        KOI8_R,
        KOI8_U,
        MACINTOSH,
        WINDOWS_874,
        WINDOWS_1250,
        WINDOWS_1251,
        WINDOWS_1252,
        WINDOWS_1253,
        WINDOWS_1254,
        WINDOWS_1255,
        WINDOWS_1256,
        WINDOWS_1257,
        WINDOWS_1258,
        X_MAC_CYRILLIC,
        GBK,
        GB18030,
        BIG5,
        EUC_JP,
        ISO_2022_JP,
        SHIFT_JIS,
        EUC_KR,
        REPLACEMENT,
        UTF_16BE,
        UTF_16LE,
        X_USER_DEFINED,
    ];
    for (encoding, (name, _)) in statics.into_iter().zip(table()) {
        assert_eq!(encoding.name(), name);
        assert_eq!(encoding.to_string(), name);
        assert_eq!(encoding, named(name));
    }
    let distinct: HashSet<&Encoding> = statics.into_iter().collect();
    assert_eq!(distinct.len(), 40);
}

#[test]
fn ascii_whitespace_around_labels_is_ignored() {
    for (name, labels) in table() {
        for label in labels {
            for space in ["\t", "\n", "\x0C", "\r", " ", " \t\n\x0C\r \t\n\x0C\r "] {
                for label in [
                    format!("{space}{label}"),
                    format!("{label}{space}"),
                    format!("{space}{label}{space}"),
                ] {
                    assert_eq!(Encoding::for_label(&label), Some(named(name)), "{label:?}");
                }
            }
        }
    }
}

#[test]
fn what_is_no_label_names_no_encoding() {
    for label in [
        "",
        " ",
        "\t\n",
        "utf",
        "utf-",
        "utf-7",
        "utf-32",
        "utf-32le",
        "utf-16 be",
        "cesu-8",
        "latin-1",
        "latin7",
        "cp437",
        "cp932",
        "windows-932",
        "windows-936",
        "windows-950",
        "johab",
        "utf-8,",
        "\"utf-8\"",
        "utf-8;",
        "iso-8859-12",
        "iso-8859-17",
        "koi8-t",
        "euc-tw",
        "viscii",
        "x-user-define",
        "x-user-defined2",
        "unicode-1-1-utf-80",
        "csisolatincyrillics",
        "cseucpkdfmtjapanesee",
        "\u{212A}oi8-r",
        "utf\u{2010}8",
        "\u{17F}jis",
        "UTF\u{2212}8",
        "binary",
        "none",
        "null",
    ] {
        assert_eq!(Encoding::for_label(label), None, "{label:?}");
    }
    assert_eq!(Encoding::for_label([b'a'; 4096]), None);
    assert_eq!(Encoding::for_label(b"utf-8\xFF"), None);
}

#[test]
fn no_edit_of_one_byte_makes_another_label_by_chance() {
    let known: HashSet<&str> = table().flat_map(|(_, labels)| labels).copied().collect();
    let trimmed = |label: &str| {
        let space: &[char] = &['\t', '\n', '\x0C', '\r', ' '];
        label.trim_matches(space).to_ascii_lowercase()
    };
    for label in &known {
        for at in 0..label.len() {
            for byte in 0..0x80 {
                let mut bytes = label.as_bytes().to_vec();
                bytes[at] = byte;
                let edited = String::from_utf8(bytes).unwrap();
                let expected = known.contains(&*trimmed(&edited));
                assert_eq!(
                    Encoding::for_label(&edited).is_some(),
                    expected,
                    "{edited:?}"
                );
            }
            let shorter = [&label[..at], &label[at + 1..]].concat();
            let expected = known.contains(&*trimmed(&shorter));
            assert_eq!(
                Encoding::for_label(&shorter).is_some(),
                expected,
                "{shorter:?}"
            );
        }
    }
}

#[test]
fn output_encoding_is_utf_8_for_replacement_and_utf_16_only() {
    for encoding in Encoding::all() {
        let expected = match encoding.name() {
            "replacement" | "UTF-16BE" | "UTF-16LE" => mojika::UTF_8,
            _ => encoding,
        };
        assert_eq!(encoding.output_encoding(), expected, "{encoding}");
    }
}

#[test]
fn four_encodings_are_not_ascii_compatible() {
    let others: Vec<&str> = Encoding::all()
        .iter()
        .filter(|e| !e.is_ascii_compatible())
        .map(|e| e.name())
        .collect();
    assert_eq!(
        others,
        ["ISO-2022-JP", "replacement", "UTF-16BE", "UTF-16LE"]
    );
}

/// Iterates over the encodings of the Standard and of `extended`, in order.
fn all() -> impl Iterator<Item = &'static Encoding> {
    Encoding::all().iter().copied().chain(extended::all())
}

#[test]
fn a_byte_order_mark_is_what_is_removed_and_what_u_feff_encodes_to() {
    for encoding in all() {
        let encoded = encoding.encode("\u{FEFF}").ok();
        match encoding.bom() {
            Some(bom) => {
                assert_eq!(encoded.as_deref(), Some(bom), "{encoding}");
                let decoded = encoding.with(BomHandling::Remove).decode(bom);
                assert_eq!((&*decoded.text, decoded.bom_length), ("", bom.len()));
            }
            None => {
                let bytes = encoded.as_deref().unwrap_or(b"\xEF\xBB\xBF");
                let decoded = encoding.with(BomHandling::Remove).decode(bytes);
                assert_eq!(decoded.bom_length, 0, "{encoding}");
            }
        }
    }
    let with: Vec<_> = all().filter(|e| e.bom().is_some()).collect();
    assert_eq!(with.len(), 8, "{with:?}");
}

#[test]
fn characters_are_whole_code_units() {
    for encoding in all().filter(|e| e.new_encoder().is_ok()) {
        // Each text is encoded after a letter, because some encodings write a designation before the first character.
        let has = |text: &&str| encoding.encode(text).is_ok();
        let letter = ["a", "\u{FF41}"].into_iter().find(has).unwrap();
        let before = encoding.encode(letter).unwrap().len();
        let lengths = ["a", "\u{E9}", "\u{5B57}", "\u{1F600}"]
            .into_iter()
            .filter_map(|next| {
                encoding
                    .encode(&[letter, next].concat())
                    .ok()
                    .map(|it| it.len())
            })
            .map(|len| len - before);
        let least = lengths.clone().min();
        assert_eq!(least, Some(encoding.code_unit_len()), "{encoding}");
        assert!(
            lengths
                .into_iter()
                .all(|n| n % encoding.code_unit_len() == 0)
        );
    }
}

/// A stateless encoding encodes two texts separately to the same bytes as both together.
#[test]
fn iso_2022_jp_alone_is_stateful() {
    for encoding in all().filter(|e| e.new_encoder().is_ok()) {
        let text = [
            "\u{5B57}", "\u{E9}", "\u{44F}", "\u{E01}", "\u{5D0}", "\u{627}", "\u{3B1}", "a",
        ]
        .into_iter()
        .find(|text| encoding.encode(text).is_ok())
        .unwrap();
        let once = encoding.encode(text).unwrap().into_owned();
        let twice = encoding.encode(&text.repeat(2)).unwrap().into_owned();
        assert_eq!(
            encoding.is_stateful(),
            twice != once.repeat(2),
            "{encoding}"
        );
    }
}

#[test]
fn unknown_labels_and_code_pages_are_named_in_the_error() {
    let error = |label: &str| label.parse::<&Encoding>().unwrap_err();
    assert_eq!(error("utf-9").label(), "utf-9");
    assert_eq!(
        error("a\n").to_string(),
        r#""a\n" is not a label of the Encoding Standard"#
    );
    assert_eq!(error(&"x".repeat(46)).label(), "x".repeat(46));
    // The label is truncated to whole characters, which have 45 bytes here.
    assert_eq!(error(&"\u{5B57}".repeat(16)).label(), "\u{5B57}".repeat(15));
    assert!(
        error(&"x".repeat(47))
            .to_string()
            .starts_with(&format!("\"{}\"...", "x".repeat(46)))
    );

    assert_eq!(<&Encoding>::try_from(65001), Ok(UTF_8));
    let unknown = <&Encoding>::try_from(1).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "no encoding has the Windows code page 1"
    );
    assert!(matches!(unknown, UnknownCodePage { number: 1, .. }));
}

/// Names, properties and byte order marks can be used in constants.
const _: () = {
    assert!(UTF_8.name().len() == 5);
    assert!(extended::UTF_32LE.code_unit_len() == 4 && extended::UTF_32LE.bom().is_some());
};

#[test]
fn the_standards_room_is_as_before() {
    assert_eq!(Encoding::all().len(), 40);
    let labels: usize = Encoding::all().iter().map(|e| e.labels().count()).sum();
    assert_eq!(labels, 228);
    for encoding in extended::all() {
        assert_eq!(encoding.labels().count(), 0, "{encoding}");
        assert!(!Encoding::all().contains(&encoding), "{encoding}");
        for name in extended::names(encoding) {
            // If the name is also a label of the Standard, the label means another encoding.
            assert_ne!(Encoding::for_label(name), Some(encoding), "{name}");
        }
    }
    assert_eq!(Encoding::for_label("ibm037"), None);
    assert_eq!(Encoding::for_label("latin1"), Some(mojika::WINDOWS_1252));
    assert_eq!(Encoding::for_label("cp437"), None);
}

#[test]
fn labels_lists_exactly_the_labels_in_the_order_of_the_table() {
    for (name, labels) in table() {
        assert!(named(name).labels().eq(labels.iter().copied()), "{name}");
    }
}

#[test]
fn all_lists_the_encodings_in_the_order_of_the_table() {
    let names: Vec<&str> = Encoding::all().iter().map(|e| e.name()).collect();
    let expected: Vec<&str> = table().map(|(name, _)| name).collect();
    assert_eq!(names, expected);
}

#[test]
fn encodings_are_ordered_as_they_are_listed() {
    assert!(all().is_sorted());
    let mut sorted: Vec<_> = all().collect();
    sorted.reverse();
    sorted.sort();
    assert!(sorted.into_iter().eq(all()));
}
