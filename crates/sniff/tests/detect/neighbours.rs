//! Pairs that must be distinguished: encodings that share most characters, binary files, scripts of languages.

use super::texts::texts;
use super::{encoded, first, plain};
use mojika::{GB18030, GBK, WINDOWS_1251, WINDOWS_1258};
use mojika_sniff::detect::{Content, DetectHints, detect};

const CHINESE: &str =
    "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。";

#[test]
fn characters_of_four_bytes_make_gb18030_of_gbk() {
    let plain = encoded("gbk", CHINESE);
    assert_eq!(first(&plain, &DetectHints::default()), Some(GBK));
    // U+3435, U+20087 and U+4DB5 have no two-byte form.
    for rare in ["㐵", "𠂇", "䶵𠂇㐵"] {
        let bytes = encoded("gb18030", &format!("{rare}{CHINESE}").repeat(2));
        let found = first(&bytes, &DetectHints::default());
        assert_eq!(found, Some(GB18030), "{rare}");
    }
    // Each of the two encodings decodes the other's text. A caller who excludes one gets the other.
    let only = DetectHints {
        denied: &[GB18030],
        ..DetectHints::default()
    };
    let bytes = encoded("gb18030", &format!("㐵{CHINESE}"));
    assert_eq!(first(&bytes, &only), Some(GBK));
}

/// Keyboards write each tone as a separate mark, and converters only if the encoding lacks the letter.
#[test]
fn vietnamese_is_found_in_the_spelling_of_keyboards_and_of_converters() {
    for (of_converters, of_keyboards) in [
        (
            "Ai đó đang hát trong sân",
            "Ai đo\u{301} đang ha\u{301}t trong sân",
        ),
        (
            "Cô bé đi qua cánh đô\u{300}ng",
            "Cô be\u{301} đi qua ca\u{301}nh đô\u{300}ng",
        ),
        (
            "Sáng nay trơ\u{300}i có sương mù",
            "Sa\u{301}ng nay trơ\u{300}i co\u{301} sương mu\u{300}",
        ),
    ] {
        for text in [of_converters, of_keyboards] {
            let ranking = detect(&encoded("windows-1258", text), &DetectHints::default());
            assert_eq!(ranking[0].encoding, WINDOWS_1258, "{text}");
            assert!(ranking[0].probability >= 0.95, "{text}: {ranking:?}");
        }
    }
}

/// If a text consists of a single name, letters that a language does not have decide.
#[test]
fn a_name_is_in_the_encoding_of_a_language_that_has_its_letters_or_doubtful() {
    let western = [
        "José Núñez",
        "François Müller",
        "Ægir Þórsson",
        "Søren Kjær",
        "João Magalhães",
        "Conceição Araújo",
        "Günter Groß",
        "Håkon Bråthen",
        "Björn Ångström",
        "Íñigo Ibáñez",
        "Núria Espert",
        "Seán Ó Ríordáin",
    ];
    let central = [
        "Łukasz Żółć",
        "Małgorzata Śliwińska",
        "Lech Wałęsa",
        "Jiří Novák",
        "Václav Šťastný",
        "Karel Čapek",
    ];
    let names = western.iter().map(|name| (name, "windows-1252"));
    for (name, label) in names.chain(central.iter().map(|name| (name, "windows-1250"))) {
        for text in [
            name.to_string(),
            format!("{name}\n"),
            format!("1,\"{name}\",x@example.com\n"),
            format!("Author: {name} <a@example.org>\nVersion: 1.0\n"),
        ] {
            let bytes = encoded(label, &text);
            let ranking = plain(&bytes);
            let is_right = ranking[0].encoding.decode(&bytes).text == text;
            assert!(
                is_right || ranking[0].probability < 0.9,
                "{text}: {ranking:?}"
            );
        }
    }
}

/// A single sign in its usual position is unlikely to be a letter of an unknown encoding.
#[test]
fn a_sign_at_its_place_in_english_is_not_doubtful() {
    for text in [
        "Copyright © 1994 Example Ltd. All rights reserved.\n",
        "The price of the book is £25 in all shops.\n",
        "The price of the book is 25 € in all shops.\n",
        "The room has 35 m² and two windows.\n",
        "It’s what the customer’s after.\n",
        "They sat in a café near the river.\n",
    ] {
        let ranking = plain(&encoded("windows-1252", text));
        assert_eq!(ranking[0].encoding.name(), "windows-1252", "{text}");
        assert!(ranking[0].probability >= 0.9, "{text}: {ranking:?}");
    }
}

#[test]
fn one_zero_byte_within_single_bytes_is_no_text() {
    let text = "Все люди рождаются свободными и равными в своем достоинстве и правах.\n";
    let bytes = encoded("windows-1251", text).repeat(4);
    assert_eq!(first(&bytes, &DetectHints::default()), Some(WINDOWS_1251));
    for at in [1, bytes.len() / 2] {
        let mut binary = bytes.clone();
        binary[at] = 0;
        let ranking = plain(&binary);
        assert_eq!(ranking.content(), Content::Binary, "{at}: {ranking:?}");
        assert!(ranking.is_empty(), "{at}: {ranking:?}");
    }
}

/// ISO 15924 codes of languages.
#[test]
fn scripts_are_those_of_the_languages() {
    let scripts = [
        ("ru bg uk", "Cyrl"),
        ("el", "Grek"),
        ("he", "Hebr"),
        ("ar", "Arab"),
        ("th", "Thai"),
        ("ja", "Jpan"),
        ("ko", "Kore"),
        ("zh-CN", "Hans"),
        ("zh-TW", "Hant"),
        ("de pl tr", "Latn"),
    ];
    let mut found = 0;
    for (name, language, text) in texts().filter(|one| !one.1.is_empty()) {
        let is_in = |list: &str| list.split(' ').any(|one| one == language);
        let script = scripts.iter().find(|one| is_in(one.0)).map(|one| one.1);
        let ranking = plain(&encoded(name, text));
        assert!(
            script.is_none() || ranking[0].script() == script,
            "{name} {language}"
        );
        found += u32::from(script.is_some());
    }
    assert!(found > 15, "{found}");
}
