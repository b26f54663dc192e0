//! Names and labels (section 4.2 of the Standard), output encodings (section 4.3), and properties of encodings.

use mojika::{BomHandling, Encoding, UTF_8, UnknownCodePage, extended};
use std::collections::HashSet;

/// The Standard's table: names, and their labels.
#[rustfmt::skip]
const TABLE: [(&str, &str); 40] = [
    ("UTF-8", "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8"),
    ("IBM866", "866 cp866 csibm866 ibm866"),
    ("ISO-8859-2", "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"),
    ("ISO-8859-3", "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3"),
    ("ISO-8859-4", "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4"),
    ("ISO-8859-5", "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988"),
    ("ISO-8859-6", "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"),
    ("ISO-8859-7", "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek"),
    ("ISO-8859-8", "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual"),
    ("ISO-8859-8-I", "csiso88598i iso-8859-8-i logical"),
    ("ISO-8859-10", "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6"),
    ("ISO-8859-13", "iso-8859-13 iso8859-13 iso885913"),
    ("ISO-8859-14", "iso-8859-14 iso8859-14 iso885914"),
    ("ISO-8859-15", "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9"),
    ("ISO-8859-16", "iso-8859-16"),
    ("KOI8-R", "cskoi8r koi koi8 koi8-r koi8_r"),
    ("KOI8-U", "koi8-ru koi8-u"),
    ("macintosh", "csmacintosh mac macintosh x-mac-roman"),
    ("windows-874", "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874"),
    ("windows-1250", "cp1250 windows-1250 x-cp1250"),
    ("windows-1251", "cp1251 windows-1251 x-cp1251"),
    ("windows-1252", "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252"),
    ("windows-1253", "cp1253 windows-1253 x-cp1253"),
    ("windows-1254", "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254"),
    ("windows-1255", "cp1255 windows-1255 x-cp1255"),
    ("windows-1256", "cp1256 windows-1256 x-cp1256"),
    ("windows-1257", "cp1257 windows-1257 x-cp1257"),
    ("windows-1258", "cp1258 windows-1258 x-cp1258"),
    ("x-mac-cyrillic", "x-mac-cyrillic x-mac-ukrainian"),
    ("GBK", "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk"),
    ("gb18030", "gb18030"),
    ("Big5", "big5 big5-hkscs cn-big5 csbig5 x-x-big5"),
    ("EUC-JP", "cseucpkdfmtjapanese euc-jp x-euc-jp"),
    ("ISO-2022-JP", "csiso2022jp iso-2022-jp"),
    ("Shift_JIS", "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis"),
    ("EUC-KR", "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949"),
    ("replacement", "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement"),
    ("UTF-16BE", "unicodefffe utf-16be"),
    ("UTF-16LE", "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le"),
    ("x-user-defined", "x-user-defined"),
];

fn table() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    TABLE
        .iter()
        .map(|(name, labels)| (*name, labels.split(' ').collect()))
}

fn named(name: &str) -> &'static Encoding {
    let found = Encoding::all().iter().find(|e| e.name() == name);
    found.unwrap_or_else(|| panic!("no encoding is named {name}"))
}

#[test]
fn the_table_has_40_encodings_and_228_labels() {
    let labels: Vec<&str> = table().flat_map(|(_, labels)| labels).collect();
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
    let known: HashSet<&str> = table().flat_map(|(_, labels)| labels).collect();
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
                let decoded = encoding.decode_with(bom, BomHandling::Remove);
                assert_eq!((&*decoded.text, decoded.bom_length), ("", bom.len()));
            }
            None => {
                let bytes = encoded.as_deref().unwrap_or(b"\xEF\xBB\xBF");
                let decoded = encoding.decode_with(bytes, BomHandling::Remove);
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
        assert_eq!(named(name).labels().collect::<Vec<_>>(), labels, "{name}");
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
