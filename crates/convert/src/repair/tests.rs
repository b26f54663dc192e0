//! Text that is repaired, and text that stays.

use super::*;

/// Returns the original of a single line; `None` if it stays.
fn undone(line: &str) -> Option<(String, Vec<&'static Encoding>)> {
    match undo(line, &mut History::default()) {
        Undone::Text(text, readings) => Some((text, readings)),
        Undone::Clean | Undone::Ambiguous => None,
    }
}

/// Each kind of character that text does not contain, at its limits.
#[test]
fn a_run_that_becomes_what_no_text_has_is_none() {
    let read = |text: &str| {
        let bytes = text.bytes().map(|byte| {
            let one = WINDOWS_1252.decode_fatal(std::slice::from_ref(&byte), BomHandling::Keep);
            one.map_or(char::from(byte), |decoded| {
                decoded.text.chars().next().unwrap()
            })
        });
        decoded(&bytes.collect::<String>(), WINDOWS_1252)
    };
    for (text, is_text) in [
        ("é", true),
        ("\u{80}", true),
        ("\u{9F}", true),
        ("\u{D7FF}", true),
        ("\u{E000}", false),
        ("\u{F8FF}", false),
        ("\u{F900}", true),
        ("\u{FFFC}", true),
        ("\u{FFFD}", false),
        ("\u{33FFF}", true),
        ("\u{34000}", false),
        ("\u{DFFFF}", false),
        ("\u{E0000}", true),
        ("\u{EFFFF}", true),
        ("\u{F0000}", false),
        ("\u{10FFFF}", false),
        // ASCII is not part of a run.
        ("éa", false),
        ("é\n", false),
        // One is enough.
        ("é\u{FFFD}é", false),
    ] {
        let expected = is_text.then_some(text);
        assert_eq!(read(text).as_deref(), expected, "{}", text.escape_unicode());
    }
}

#[test]
fn what_was_read_in_another_encoding_is_undone() {
    for (text, encoding) in [
        ("café", WINDOWS_1252),
        ("It’s naïve — déjà vu", WINDOWS_1252),
        ("École", WINDOWS_1252),
        ("Questo campo è limitato a 360°", WINDOWS_1252),
        ("Mettre à jour", WINDOWS_1254),
        ("« %1 »", WINDOWS_1252),
        ("© 2004 – 2023", WINDOWS_1252),
        ("£5", WINDOWS_1252),
        ("TÍTULO", extended::ISO_8859_1),
        ("│ Modul │", extended::ISO_8859_1),
        ("от", extended::ISO_8859_1),
        ("در", WINDOWS_1252),
        ("Привет, мир", WINDOWS_1251),
        ("Привет, мир", WINDOWS_1252),
        ("文字化けの例", WINDOWS_1252),
        ("Žluťoučký kůň", WINDOWS_1250),
        ("élève reçu", MACINTOSH),
        ("élève reçu", extended::ibm(437).unwrap()),
        ("中文乱码的例子", GBK),
        ("Mädchen", ISO_8859_15),
        ("über Flüsse und ähnliche", ISO_8859_15),
        ("smørrebrød på ærø", ISO_8859_15),
        ("La città è cioè là", ISO_8859_15),
        ("hôtel où l’élève", ISO_8859_15),
        ("Það er ýmislegt", ISO_8859_15),
        ("50 € – Šárka, Žižka, œuvre", ISO_8859_15),
        ("Привет, мир", ISO_8859_15),
        ("în pădure, țară și rânduri", ISO_8859_16),
        ("Żółta łódź na rzece", ISO_8859_16),
        ("Привет, мир", extended::ISO_8859_9),
        ("hello 😀 world", WINDOWS_1252),
        ("🎉 party", WINDOWS_1251),
        ("ok 😀😀", WINDOWS_1250),
        ("I ♥ you", WINDOWS_1252),
        ("★★★", WINDOWS_1252),
        ("→ next", WINDOWS_1254),
        ("✔ naïve", WINDOWS_1252),
        ("“quote”", WINDOWS_1252),
        ("RUF MICH ZURÜCK", WINDOWS_1252),
        ("DOS AÑOS", WINDOWS_1252),
        ("HÔTEL", WINDOWS_1252),
        ("VOCÊS", WINDOWS_1252),
        ("Tiếng Việt", WINDOWS_1252),
        ("Napíšte nám !", WINDOWS_1250),
        ("élève reçu", extended::ibm(850).unwrap()),
        ("smørrebrød på Ærø", extended::ibm(850).unwrap()),
        ("Žluťoučký kůň", extended::ibm(852).unwrap()),
        ("Żółta łódź na rzece", extended::ibm(852).unwrap()),
    ] {
        let twice = encoding.decode(text.as_bytes()).text.into_owned();
        if twice.contains('\u{FFFD}') {
            continue;
        }
        assert_eq!(
            undone(&twice).map(|(text, _)| text).as_deref(),
            Some(text),
            "{twice}"
        );
        // Encoded once more.
        let thrice = WINDOWS_1252.decode(twice.as_bytes()).text.into_owned();
        assert_eq!(
            undone(&thrice).map(|(text, _)| text).as_deref(),
            Some(text),
            "{thrice}"
        );
    }
}

#[test]
fn no_reading_makes_another_text_of_a_line() {
    for text in [
        "Mettre à jour",
        "l’été — “quoted”…",
        "Übung, größer",
        "ñandú, señor",
        "5 €",
        "© 2005",
        "20 °C",
        "Łódź, zażółć",
        "Příliš žluťoučký kůň",
        "Şişli, ığdır",
        "ăîşţ",
        "Да",
        "Съешь ещё булок",
        "Ωμέγα και άλφα",
        "עברית",
        "العربية",
        "ภาษาไทย",
        "Việt Nam, tiếng",
        "文字化け",
        "昨天晚上下了一场大雨",
        "한국어",
        "a 😀 b",
        "x² + y²",
    ] {
        assert_eq!(undone(text), None, "{text}");
        let mut found = 0;
        for encoding in readings() {
            let Ok(read) = encoding.decode_fatal(text.as_bytes(), BomHandling::Keep) else {
                continue;
            };
            if let Some((before, _)) = undone(&read.text) {
                assert_eq!(before, text, "{encoding}: {}", read.text);
                found += 1;
            }
        }
        assert!(found >= 3, "{text} is found in {found} readings");
    }
}

#[test]
fn clean_text_stays() {
    for line in [
        "щелчок",
        "NÃO",
        "IRMû",
        "«LIBERTÉ»",
        "LIBERTÉ»",
        "Рёбра и №5",
        "группа С–Д",
        "├── src",
        "├┤",
        "├┤a┼┐a┼┐a┼┐a┼┐a",
        "tralalâ…”",
        "“Lâ”…",
        "à la côteâ—»",
        "AMANHÃ—SÁBADO",
        "AMANHÃ…DEPOIS",
        "IRMÃ’S",
        "uma IRMÃ”",
        "Việt Nam Â",
        "茅台酒",
        "© 2003 — ok",
        "naïve café",
        "Ärger über Öl",
        "35 °C",
        "ÃÂ",
        "IRMÃ®",
        "IRMÃ»",
        "Ø±5",
        "Å¡",
        "文字",
        "élève",
        "Ω≈ç√∫",
        // The bytes of U+0627 in IBM852.
        "věž, věž a věž",
        "pampaměť paměť -s paměť",
        // U+FFFD that was decoded in ISO-8859-15; in windows-1252, the bytes of a katakana letter.
        "Libiï¿œn en Italiï¿œn",
        "",
    ] {
        assert_eq!(undo(line, &mut History::default()), Undone::Clean, "{line}");
    }
}

/// Returns the text that results from wrong decoding, with unmapped bytes kept.
fn misread(text: &str, encoding: &'static Encoding) -> String {
    let shown = |&byte: &u8| match encoding.decode_fatal(&[byte], BomHandling::Keep) {
        Ok(decoded) => decoded.text.into_owned(),
        Err(_) => char::from(byte).to_string(),
    };
    text.as_bytes().iter().map(shown).collect()
}

#[test]
fn a_byte_that_the_encoding_lacks_is_undone_as_it_was_kept() {
    for (text, encoding, lacking) in [
        ("på gården", WINDOWS_1257, '\u{A5}'),
        ("Ϊνδαλμα", WINDOWS_1253, '\u{AA}'),
    ] {
        let twice = misread(text, encoding);
        assert!(
            twice.contains(lacking) && encoding.encode(&lacking.to_string()).is_err(),
            "{twice}"
        );
        assert_eq!(undone(&twice), Some((text.to_owned(), vec![encoding])));
    }
}

/// Two letters of Tifinagh. The script is not recognised, but half of the text is control characters.
#[test]
fn text_with_controls_is_undone_in_any_script() {
    let text = "ⵎⵎ";
    let twice = misread(text, extended::ISO_8859_1);
    assert!(twice.contains('\u{8E}'));
    let found = undone(&twice).map(|(text, _)| text);
    assert_eq!(found.as_deref(), Some(text));
    assert_eq!(undone("âµŽâµŽ"), None, "without controls");
}

/// Text is repaired beside an equal number of typographic signs, but not beside more.
#[test]
fn signs_that_were_added_are_no_more_than_what_is_undone() {
    assert_eq!(undone("cafÃ© — a").unwrap().0, "café — a");
    assert_eq!(undone("cafÃ© — a — b"), None);
}

/// windows-1252 lacks `ҙ` (U+0499). If its low byte, 99, were used, the line would end with UTF-8 for `’`.
#[test]
fn a_character_that_the_encoding_lacks_is_no_byte_of_it() {
    assert_eq!(undone("donâ€™t").unwrap().0, "don’t");
    assert_eq!(undone("donâ€ҙt"), None);
}

/// `ĂŤ` is `ë` decoded in ISO-8859-2, and `Í` decoded in windows-1250, which comes first.
#[test]
fn of_two_readings_the_one_with_fewer_capitals_within_words_wins() {
    assert!(read_back("NoĂŤl", WINDOWS_1250).is_some());
    let expected = ("Noël".to_owned(), vec![ISO_8859_2]);
    assert_eq!(undone("NoĂŤl"), Some(expected));
    // At the start of a word, a capital is possible, so the line stays.
    assert_eq!(undo("ĂŠtes", &mut History::default()), Undone::Ambiguous);
}

/// `€ŠšŽžŒœŸ` are the bytes of Latin-1's `¤¦¨´¸¼½¾`. windows-1252 has other bytes for these, so both decode `Ã` and one
/// letter.
#[test]
fn letters_that_two_encodings_have_in_different_places_are_undone_where_one_fits() {
    for (line, text) in [
        ("grÃ€ulich", "gräulich"),
        ("lÃŠrer", "lærer"),
        ("trÃšs", "très"),
        ("hÃŽtel", "hôtel"),
        ("fÃžr", "før"),
        ("fÃŒr", "für"),
        ("kÃœr", "kýr"),
        ("ÃŸaÃ°", "það"),
    ] {
        assert_eq!(undone(line).map(|(text, _)| text).as_deref(), Some(text));
    }
    for line in [
        "StraÃŸe",
        "Ã€hnlich",
        "ÃŠtre",
        "ÃŽle",
        "Ãžl",
        "ÃŒber",
        "Ãœber",
    ] {
        assert_eq!(
            undo(line, &mut History::default()),
            Undone::Ambiguous,
            "{line}"
        );
    }
}

/// Earlier lines decide the encoding of a line without evidence of its own.
#[test]
fn lines_before_tell_one_reading_from_another() {
    for (before, text) in [
        ("fÃŒr dich", "ähnlich"),
        ("Ã‰t\u{c3}\u{a9}", "Àhnlich"),
        ("cafÃ©", "?"),
    ] {
        let mut history = History::default();
        assert!(matches!(undo(before, &mut history), Undone::Text(..)));
        let found = match undo("Ã€hnlich", &mut history) {
            Undone::Text(text, _) => text,
            Undone::Ambiguous => "?".to_owned(),
            Undone::Clean => String::new(),
        };
        assert_eq!(found, text, "{before}");
    }
}

#[test]
fn of_readings_with_one_result_the_first_is_said() {
    assert!(read_back("cafÃ©", WINDOWS_1254).is_some());
    let expected = ("café".to_owned(), vec![WINDOWS_1252]);
    assert_eq!(undone("cafÃ©"), Some(expected));
}

/// Each minimum for a line, at its limit and one below.
#[test]
fn each_number_decides_at_its_edge() {
    const CYRILLIC: usize = 2;
    let latin = |count| Found {
        count,
        latin: count,
        ..Found::default()
    };
    let wide = |count| Found {
        count,
        wide: count,
        ..Found::default()
    };
    let letters = |count, others: usize| {
        let mut found = Found {
            count: count + others,
            ..Found::default()
        };
        found.scripts[CYRILLIC] = count;
        found
    };
    let ibm437 = extended::ibm(437).unwrap();
    let all = |change: fn(&mut Found), mut found: Found| {
        change(&mut found);
        found
    };
    for (number, (is_enough, encoding, found)) in [
        (false, WINDOWS_1252, latin(0)),
        // Signs that were added later.
        (true, WINDOWS_1252, all(|found| found.others = 4, latin(4))),
        (false, WINDOWS_1252, all(|found| found.others = 5, latin(4))),
        // Control characters, with any others.
        (
            true,
            WINDOWS_1252,
            all(|found| (found.odd, found.controlled) = (4, 2), latin(4)),
        ),
        (
            false,
            WINDOWS_1252,
            all(|found| (found.odd, found.controlled) = (4, 1), latin(4)),
        ),
        // Odd characters: one for eight others.
        (
            true,
            WINDOWS_1252,
            all(|found| found.odd = 1, letters(8, 1)),
        ),
        (
            false,
            WINDOWS_1252,
            all(|found| found.odd = 1, letters(7, 1)),
        ),
        // Chinese decoded in GBK, only with signs of Latin-1.
        (true, GBK, wide(4)),
        (false, GBK, wide(3)),
        (
            true,
            GBK,
            all(|found| (found.count, found.latin) = (5, 1), wide(4)),
        ),
        (false, GBK, all(|found| found.count = 5, wide(4))),
        // East Asian text in Western and Cyrillic encodings.
        (true, WINDOWS_1252, wide(2)),
        (false, WINDOWS_1252, wide(1)),
        (true, WINDOWS_1251, wide(6)),
        (false, WINDOWS_1251, wide(5)),
        (false, KOI8_R, wide(5)),
        (false, IBM866, wide(5)),
        // Letters of one script.
        (true, WINDOWS_1252, letters(3, 1)),
        (false, WINDOWS_1252, letters(2, 1)),
        // Letters of Latin-1, including one within a word.
        (
            true,
            WINDOWS_1252,
            all(|found| (found.count, found.within_words) = (4, 1), latin(3)),
        ),
        (false, WINDOWS_1252, all(|found| found.count = 4, latin(3))),
        (
            false,
            WINDOWS_1252,
            all(|found| (found.count, found.within_words) = (3, 1), latin(2)),
        ),
        // Four Western letters, unless they may be box-drawing characters.
        (true, WINDOWS_1252, latin(4)),
        (false, WINDOWS_1252, latin(3)),
        (
            true,
            WINDOWS_1252,
            all(|found| found.latin = 2, letters(2, 2)),
        ),
        (false, IBM866, latin(4)),
        (false, ibm437, latin(4)),
        // Fewer: half of the characters are marked.
        (true, WINDOWS_1252, all(|found| found.marked = 1, latin(2))),
        (false, WINDOWS_1252, all(|found| found.marked = 1, latin(3))),
        (true, IBM866, all(|found| found.marked = 2, latin(4))),
        (
            false,
            WINDOWS_1252,
            all(|found| (found.count, found.marked) = (2, 2), latin(1)),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(found.is_enough(encoding), is_enough, "case {number}");
    }
}
