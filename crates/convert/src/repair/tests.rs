//! Tests of text that is repaired, and of text that stays.

use super::readings::{ENCODINGS, Reading, is_excluded, possible};
use super::runs::decoded;
use super::*;
use mojika::{BomHandling, ISO_8859_2, WINDOWS_1252, WINDOWS_1253, WINDOWS_1257, extended};

/// Returns the original of a single line; `None` if the line stays.
fn undone(line: &str) -> Option<(String, Vec<&'static Encoding>)> {
    match undo(line, &mut History::default()) {
        Undone::Text(text, readings) => {
            Some((text, readings.iter().map(|one| one.read_as).collect()))
        }
        Undone::Clean | Undone::Ambiguous(_) => None,
    }
}

/// The first and last character of each kind that does not occur in text.
#[test]
fn a_run_that_becomes_what_no_text_has_is_none() {
    let read = |text: &str| {
        let bytes = text.bytes().map(|byte| {
            let one = WINDOWS_1252.decode_fatal(std::slice::from_ref(&byte));
            one.map_or(char::from(byte), |decoded| {
                decoded.text.chars().next().unwrap()
            })
        });
        decoded(&bytes.collect::<String>(), Reading(0))
    };
    let texts = "é|\u{80}|\u{9F}|\u{D7FF}|\u{F900}|\u{FFFC}|\u{FFFD}|\u{33FFF}|\u{E0000}|\u{EFFFF}";
    // ASCII does not belong to a run, and one such character suffices.
    let others = "\u{E000}|\u{F8FF}|\u{34000}|\u{DFFFF}|\u{F0000}|\u{10FFFF}|éa|é\n|é\u{E000}é";
    let texts = texts.split('|').map(|text| (text, true));
    for (text, is_text) in texts.chain(others.split('|').map(|text| (text, false))) {
        let expected = is_text.then_some(text);
        assert_eq!(read(text).as_deref(), expected, "{}", text.escape_unicode());
    }
}

#[test]
fn what_was_read_in_another_encoding_is_undone() {
    let texts = "\
windows-1252|café|It’s naïve — déjà vu|École|Questo campo è limitato a 360°|« %1 »|© 2004 – 2023|£5|در
windows-1252|Привет, мир|文字化けの例|hello 😀 world|I ♥ you|★★★|✔ naïve|“quote”|RUF MICH ZURÜCK|DOS AÑOS|HÔTEL|VOCÊS
windows-1252|Tiếng Việt
windows-1254|Mettre à jour|→ next
iso-8859-1|TÍTULO|│ Modul │|от
windows-1251|Привет, мир|🎉 party
windows-1250|Žluťoučký kůň|ok 😀😀|Napíšte nám !
macintosh|élève reçu
ibm437|élève reçu
gbk|中文乱码的例子
iso-8859-15|Mädchen|über Flüsse und ähnliche|smørrebrød på ærø|La città è cioè là|hôtel où l’élève
iso-8859-15|Það er ýmislegt|50 € – Šárka, Žižka, œuvre|Привет, мир
iso-8859-16|în pădure, țară și rânduri|Żółta łódź na rzece
iso-8859-9|Привет, мир
ibm850|élève reçu|smørrebrød på Ærø
ibm852|Žluťoučký kůň|Żółta łódź na rzece";
    let texts = texts.lines().flat_map(|line| {
        let (name, texts) = line.split_once('|').unwrap();
        texts
            .split('|')
            .map(move |text| (text, extended::find(name).unwrap()))
    });
    for (text, encoding) in texts {
        let twice = encoding.decode(text.as_bytes()).text.into_owned();
        if twice.contains('\u{FFFD}') {
            continue;
        }
        assert_eq!(
            undone(&twice).map(|(text, _)| text).as_deref(),
            Some(text),
            "{twice}"
        );
        // And once more.
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
    let texts = [
        "Mettre à jour|l’été — “quoted”…|Übung, größer|ñandú, señor|5 €|© 2005",
        "20 °C|Łódź, zażółć|Příliš žluťoučký kůň|Şişli, ığdır|ăîşţ|Да",
        "Съешь ещё булок|Ωμέγα και άλφα|עברית|العربية|ภาษาไทย|Việt Nam, tiếng",
        "文字化け|昨天晚上下了一场大雨|한국어|a 😀 b|x² + y²",
    ];
    for text in texts.iter().flat_map(|text| text.split('|')) {
        assert_eq!(undone(text), None, "{text}");
        let mut found = 0;
        for encoding in *ENCODINGS {
            let Ok(read) = encoding.decode_fatal(text.as_bytes()) else {
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
    let lines = [
        "щелчок|NÃO|IRMû|«LIBERTÉ»|LIBERTÉ»|Рёбра и №5|группа С–Д|├── src|├┤",
        "├┤a┼┐a┼┐a┼┐a┼┐a|tralalâ…”|“Lâ”…|à la côteâ—»|AMANHÃ—SÁBADO|AMANHÃ…DEPOIS|IRMÃ’S",
        "uma IRMÃ”|Việt Nam Â|茅台酒|© 2003 — ok|naïve café|Ärger über Öl|35 °C|ÃÂ|IRMÃ®",
        "IRMÃ»|Ø±5|Å¡|文字|élève|Ω≈ç√∫|věž, věž a věž|pampaměť paměť -s paměť",
    ];
    for line in lines.iter().flat_map(|line| line.split('|')) {
        assert_eq!(undo(line, &mut History::default()), Undone::Clean, "{line}");
    }
}

/// Returns the characters that programs show for the bytes of a text. Unmapped bytes become control characters.
fn misread(text: &str, encoding: &'static Encoding) -> String {
    let shown = |&byte: &u8| match encoding.with(BomHandling::Keep).decode_fatal(&[byte]) {
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

/// Two Tifinagh letters. Their script is not recognised, but half of the misread characters are controls.
#[test]
fn text_with_controls_is_undone_in_any_script() {
    let text = "ⵎⵎ";
    let twice = misread(text, extended::ISO_8859_1);
    assert!(twice.contains('\u{8E}'));
    let found = undone(&twice).map(|(text, _)| text);
    assert_eq!(found.as_deref(), Some(text));
    assert_eq!(undone("âµŽâµŽ"), None, "without controls");
}

/// Text that was encoded twice is repaired beside an equal number of typographic signs, but not beside more.
#[test]
fn signs_that_were_added_are_no_more_than_what_is_undone() {
    assert_eq!(undone("cafÃ© — a").unwrap().0, "café — a");
    assert_eq!(undone("Ãªtre — a").unwrap().0, "être — a");
    assert_eq!(undone("Ãªtre — a — b"), None);
}

/// windows-1252 does not have `ҙ` (U+0499). If its low byte, 99, were taken, the line would end as UTF-8 for `’`.
#[test]
fn a_character_that_the_encoding_lacks_is_no_byte_of_it() {
    assert_eq!(undone("donâ€™t").unwrap().0, "don’t");
    assert_eq!(undone("donâ€ҙt"), None);
}

/// `ĂŤ` is `ë` read in ISO-8859-2, and `Í` read in windows-1250, which precedes it in the list of readings.
#[test]
fn of_two_readings_the_one_with_fewer_capitals_within_words_wins() {
    assert!(runs::read_back("NoĂŤl", Reading(4), false).is_some());
    let expected = ("Noël".to_owned(), vec![ISO_8859_2]);
    assert_eq!(undone("NoĂŤl"), Some(expected));
    // At the start of a word, a capital letter is possible, so the line stays.
    assert!(matches!(
        undo("ĂŠtes", &mut History::default()),
        Undone::Ambiguous(_)
    ));
}

/// In ISO-8859-15, `€ŠšŽžŒœŸ` are the bytes of Latin-1's `¤¦¨´¸¼½¾`. windows-1252 has other bytes for these letters. In
/// both readings, the line thus has `Ã` and one letter, and often only one reading fits.
#[test]
fn letters_that_two_encodings_have_in_different_places_are_undone_where_one_fits() {
    let lines = "grÃ€ulich|lÃŠrer|trÃšs|hÃŽtel|fÃžr|fÃŒr|kÃœr|ÃŸaÃ°".split('|');
    let texts = "gräulich|lærer|très|hôtel|før|für|kýr|það".split('|');
    for (line, text) in lines.zip(texts) {
        assert_eq!(undone(line).map(|(text, _)| text).as_deref(), Some(text));
    }
    for line in "StraÃŸe|Ã€hnlich|ÃŠtre|ÃŽle|Ãžl|ÃŒber|Ãœber".split('|') {
        let undone = undo(line, &mut History::default());
        assert!(matches!(undone, Undone::Ambiguous(_)), "{line}");
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
            Undone::Ambiguous(_) => "?".to_owned(),
            Undone::Clean => String::new(),
        };
        assert_eq!(found, text, "{before}");
    }
}

#[test]
fn of_readings_with_one_result_the_first_is_said() {
    assert!(runs::read_back("cafÃ©", Reading(6), false).is_some());
    let expected = ("café".to_owned(), vec![WINDOWS_1252]);
    assert_eq!(undone("cafÃ©"), Some(expected));
}

/// Returns the readings in which each run of a line may be UTF-8.
fn possible_in_all(line: &str) -> u32 {
    possible(line, false).0
}

#[test]
fn no_reading_is_excluded_that_can_be_undone() {
    let texts = "éà|é中é|молоко|中é|中文|中文字化|от|😀|é😀|中😀é".split('|');
    let mut undone = [0; READINGS];
    for text in texts.flat_map(|text| [text.to_owned(), text.repeat(4)]) {
        for (number, encoding) in ENCODINGS.iter().copied().enumerate() {
            let twice = encoding.decode(text.as_bytes()).text;
            if runs::read_back(&twice, Reading(number), false).is_none() {
                continue;
            }
            undone[number] += 1;
            assert_ne!(
                possible_in_all(&twice) & 1 << number,
                0,
                "{twice} {encoding}"
            );
            assert!(!is_excluded(&twice), "{twice}");
        }
    }
    assert!(undone.iter().all(|&count| count > 0), "{undone:?}");
}

/// Checks that each line is repaired to its original; a line without an original stays.
fn assert_repaired(pairs: &[(&str, &str)]) {
    for (line, text) in pairs {
        let found = super::repair(line);
        assert_eq!(found.text, *text, "{line}");
        assert_eq!(found.findings.is_empty(), line == text, "{line}");
    }
}

#[test]
fn a_mark_that_became_text_is_dropped() {
    assert_repaired(&[
        ("ï»¿hello", "hello"),
        ("п»їпривет", "привет"),
        ("∩╗┐hello", "hello"),
        ("锘縰sing System", "using System"),
        ("锘?using", "using"),
        ("锘<?xml", "<?xml"),
        ("锘 No 102", "锘 No 102"),
    ]);
}

#[test]
fn a_blank_that_was_u_00a0_belongs_to_its_letter() {
    assert_repaired(&[
        ("Ã  l'Ã©poque", "à l'époque"),
        ("voilÃ  le travail, dÃ©jÃ ", "voilà le travail, déjà "),
        ("atenÃ§Ã£o Ã s crianÃ§as", "atenção às crianças"),
        ("Å veices baÅ†Ä·ieri", "Šveices baņķieri"),
        ("MANHÃ DE SOL", "MANHÃ DE SOL"),
    ]);
}

#[test]
fn good_text_stays_beside_what_is_undone() {
    assert_repaired(&[
        ("CafÃ© – Привет", "Café – Привет"),
        (
            "{\"a\":\"cafÃ©\",\"b\":\"ñ\"}",
            "{\"a\":\"café\",\"b\":\"ñ\"}",
        ),
        ("naïve “cafÃ©” donâ€™t", "naïve “café” don’t"),
        ("РџСЂРёРІРµС‚ – Привет", "Привет – Привет"),
        ("Ã©Ã©Ã© Привет", "ééé Привет"),
        // Ukrainian and Thai words, and a text about misread characters.
        ("Австралія/БрокенГілл", "Австралія/БрокенГілл"),
        ("เส\u{0e49}นพาธ", "เส\u{0e49}นพาธ"),
        (
            "un « Ã© » trahit l’erreur à l’œil",
            "un « Ã© » trahit l’erreur à l’œil",
        ),
    ]);
}

#[test]
fn utf_8_is_undone_from_windows_and_mac_encodings() {
    for name in [
        "windows-1255",
        "windows-1256",
        "windows-1258",
        "windows-874",
        "x-mac-cyrillic",
        "MacGreek",
        "MacTurkish",
    ] {
        let encoding = extended::find(name).unwrap();
        for text in ["naïve café, déjà vu", "Привет, это обычный текст"] {
            let twice = misread(text, encoding);
            assert_eq!(super::repair(&twice).text, text, "{name}: {twice}");
        }
    }
}

#[test]
fn utf_8_is_undone_from_encodings_of_two_bytes() {
    assert_repaired(&[
        ("Don鈥檛", "Don’t"),
        ("r茅sum茅", "résumé"),
        ("袩褉懈胁械褌", "Привет"),
        ("cafﾃｩ", "café"),
        ("it窶冱", "it’s"),
        // One letter may be a word.
        ("T恤 app茅台", "T恤 app茅台"),
    ]);
    for encoding in [mojika::SHIFT_JIS, mojika::EUC_KR, mojika::BIG5] {
        let text = "молоко и голод";
        let twice = encoding.decode(text.as_bytes());
        if !twice.had_errors {
            assert_eq!(super::repair(&twice.text).text, text, "{encoding}");
        }
    }
}

#[test]
fn controls_are_signs_of_windows_1252() {
    assert_repaired(&[
        ("Queen\u{92}s", "Queen’s"),
        (
            "\u{93}Hello\u{94}, dit-elle\u{85} \u{96} œuvre",
            "“Hello”, dit-elle… – œuvre",
        ),
        ("\u{9A}koda", "škoda"),
        ("\u{82}±\u{82}ê\u{82}ç", "\u{82}±\u{82}ê\u{82}ç"),
        ("end\u{85}", "end\u{85}"),
    ]);
}

#[test]
fn words_of_latin_1_are_text_in_an_old_encoding() {
    assert_repaired(&[
        ("ÑÅÊÐÅÒ", "СЕКРЕТ"),
        ("Ïðèâåò, ìèð", "Привет, мир"),
        ("Été à l’île", "Été à l’île"),
    ]);
    let long = "Ïðèâåò\n".repeat(5000);
    assert_eq!(super::repair(&long).text, "Привет\n".repeat(5000));
}
