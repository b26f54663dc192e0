use mojika_spec::{Encoding, get_an_encoding, get_an_output_encoding, labels::LABELS};

#[test]
fn there_are_40_encodings_and_228_distinct_labels() {
    let mut labels: Vec<&str> = LABELS.iter().flat_map(|row| row.1).copied().collect();
    assert_eq!((LABELS.len(), labels.len()), (40, 228));
    labels.sort_unstable();
    labels.dedup();
    assert_eq!(labels.len(), 228);
    assert!(labels.iter().all(|label| {
        label
            .bytes()
            .all(|b| b.is_ascii_graphic() && !b.is_ascii_uppercase())
    }));
}

#[test]
fn the_name_in_ascii_lowercase_is_a_label() {
    assert_eq!(LABELS.map(|row| row.0), Encoding::ALL);
    for (encoding, labels) in LABELS {
        assert!(labels.contains(&encoding.name().to_ascii_lowercase().as_str()));
    }
}

#[test]
fn labels_are_trimmed_of_ascii_whitespace_only() {
    assert_eq!(
        get_an_encoding("\t\n\u{C}\r utf8 \r\u{C}\n\t"),
        Some(Encoding::Utf8)
    );
    for label in [
        "\u{B}utf8",
        "utf8\u{A0}",
        "utf8\0",
        "\u{FEFF}utf8",
        "\u{3000}utf8",
        "utf 8",
        "",
        " ",
    ] {
        assert_eq!(get_an_encoding(label), None, "{label:?}");
    }
}

#[test]
fn labels_match_ascii_case_insensitively() {
    assert_eq!(get_an_encoding("sHiFt_JiS"), Some(Encoding::ShiftJis));
    // U+212A KELVIN SIGN and U+017F LONG S lowercase to ASCII letters, but not in ASCII.
    assert_eq!(get_an_encoding("\u{212A}oi8-r"), None);
    assert_eq!(get_an_encoding("\u{17F}jis"), None);
}

#[test]
fn famous_labels() {
    assert_eq!(get_an_encoding("latin1"), Some(Encoding::Windows1252));
    assert_eq!(get_an_encoding("ascii"), Some(Encoding::Windows1252));
    assert_eq!(get_an_encoding("iso-8859-9"), Some(Encoding::Windows1254));
    assert_eq!(get_an_encoding("utf-16"), Some(Encoding::Utf16Le));
    assert_eq!(get_an_encoding("unicodefffe"), Some(Encoding::Utf16Be));
    assert_eq!(get_an_encoding("iso-2022-kr"), Some(Encoding::Replacement));
    assert_eq!(get_an_encoding("gb2312"), Some(Encoding::Gbk));
    assert_eq!(get_an_encoding("utf-7"), None);
    assert_eq!(get_an_encoding("utf-32"), None);
}

#[test]
fn output_encoding_of_encodings_without_encoder_is_utf_8() {
    for encoding in Encoding::ALL {
        let without =
            [Encoding::Replacement, Encoding::Utf16Be, Encoding::Utf16Le].contains(&encoding);
        assert_eq!(encoding.encoder().is_none(), without);
        assert_eq!(
            get_an_output_encoding(encoding),
            if without { Encoding::Utf8 } else { encoding }
        );
    }
}
