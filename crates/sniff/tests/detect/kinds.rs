//! Kinds of text that are easily misjudged: signs within ASCII, damaged UTF-8, upper case, points, unusual positions,
//! languages without a model.

use super::{encoded, first, plain};
use mojika::{BIG5, ISO_8859_5, UTF_8, WINDOWS_1255};
use mojika_sniff::detect::{Content, DetectHints};

/// Languages in Latin script without a model: Scottish Gaelic, Haitian, Mapudungun, Afrikaans, Albanian.
const WITHOUT_MODELS: &[&str] = &[
    "Tha a h-uile duine air a bhreith saor agus co-ionnan ann an urram ’s ann an còirichean, ’s tha iad reusanta",
    "Se pou sa tout moun fèt lib, egal ego pou diyite kou wè dwa; nou gen larezon ak la konsyans epi nou fèt",
    "Ñuke mapu mew inche kimün ñi kümelkan, fey wüla ñi pu che müley tañi küme felen",
    "Alle menslike wesens word vry, met gelyke waardigheid en regte, gebore. Hulle het rede en gewete, sê hy",
    "Të gjithë njerëzit lindin të lirë dhe të barabartë në dinjitet dhe në të drejta, çdo njeri ka ndërgjegje",
];

/// English text with signs in their usual positions.
const SIGNS: &[&str] = &[
    "Price: £25",
    "£100",
    "Copyright © 2005 Example Ltd.",
    "© 2005",
    "35 °C (95 °F)",
    "area (m²)",
    "the volume is 12 m³ of water",
    "PM10 in the air (µg/m³)",
    "Hello\u{A0}World",
    "10\u{A0}000\u{A0}km",
    "costs 5 € now",
    "It’s what the customer’s after",
    "he said “no” and left",
    "1999–2004 — all rights reserved…",
    "• first item",
    "±5 mm",
    "3 × 4 = 12",
    "½ cup of sugar",
    "see § 12 of the act",
    "Windows® and Office™ are trademarks",
    "¿Qué hora es? ¡No lo sé!",
    "a café in the middle of London",
    "Herr Müller and Señor José",
];

#[test]
fn signs_stay_themselves_wherever_they_stand_in_ascii() {
    let line =
        "This program is free software; you can redistribute it and modify it under the terms.\n";
    for text in SIGNS {
        for (before, after) in [
            (0, 0),
            (0, 1),
            (1, 0),
            (3, 3),
            (40, 0),
            (0, 40),
            (120, 120),
            (700, 9),
        ] {
            let text = [&line.repeat(before), *text, "\n", &line.repeat(after)].concat();
            let bytes = encoded("windows-1252", &text);
            let ranking = plain(&bytes);
            assert_eq!(ranking[0].encoding.decode(&bytes).text, text, "{ranking:?}");
        }
    }
}

#[test]
fn a_winner_decodes_what_was_read() {
    // These bytes are malformed in EUC-JP.
    for bytes in [
        &b"\xA3100"[..],
        b"\xA9 2005",
        b"\xA3 100",
        b"\xE9",
        b"x\xA0",
    ] {
        let ranking = plain(bytes);
        assert_eq!(ranking[0].malformed, 0, "{bytes:02X?}: {ranking:?}");
        assert!(!ranking[0].encoding.decode(bytes).had_errors, "{ranking:?}");
    }
}

#[test]
fn malformed_sequences_are_counted_in_each_guess() {
    let mut bytes = encoded("Shift_JIS", &"これは文字化けのない文章です。\n".repeat(20));
    bytes.extend_from_slice(b"\x82\n\x83\n");
    let ranking = plain(&bytes);
    assert_eq!(ranking[0].encoding, mojika::SHIFT_JIS, "{ranking:?}");
    assert_eq!(ranking[0].malformed, 2, "{ranking:?}");
}

#[test]
fn a_block_of_one_byte_in_utf_8_is_damage_at_one_place() {
    let text = "Größere Häuser stehen am Fluß. ".repeat(20);
    for byte in [0x80, 0x81, 0xBF, 0xC0, 0xC1, 0xF5, 0xFF] {
        let bytes = [text.as_bytes(), &[byte; 40], text.as_bytes()].concat();
        let ranking = plain(&bytes);
        assert_eq!(ranking[0].encoding, UTF_8, "{byte:02X}");
        assert!(ranking[0].probability > 0.97, "{byte:02X}: {ranking:?}");
    }
}

#[test]
fn damaged_utf_8_is_utf_8() {
    let texts = [
        "Все люди рождаются свободными и равными в своём достоинстве и правах.\n",
        "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。\n",
        "Tous les êtres humains naissent libres et égaux; ils sont doués de raison, là où ça naît.\n",
    ];
    for text in texts {
        let text = text.repeat(4);
        let middle = text.char_indices().nth(text.chars().count() / 2).unwrap().0;
        let lone = text
            .char_indices()
            .find(|(_, character)| character.len_utf8() > 1)
            .unwrap()
            .0;
        let with = |damage: &[u8]| {
            let (start, end) = text.as_bytes().split_at(middle);
            [start, damage, end].concat()
        };
        let mut lost = text.clone().into_bytes();
        lost.remove(lone + 1);
        for bytes in [
            with(b"\xE9"),
            with(b"\xFF"),
            with(b"\xC0\x80"),
            with(b"\xED\xA0\xBD\xED\xB8\x80"),
            [text.as_bytes(), b"D\xE9j\xE0 vu\n"].concat(),
            lost,
        ] {
            let ranking = plain(&bytes);
            assert_eq!(ranking[0].encoding, UTF_8, "{bytes:02X?}: {ranking:?}");
            assert!(ranking[0].malformed > 0, "{ranking:?}");
        }
    }
}

/// Frequent characters of double-byte encodings that are characters of UTF-8, too.
#[test]
fn double_bytes_that_are_valid_utf_8_are_doubtful() {
    for (name, text) in [
        ("GBK", "int a; /* 鲁 墓 */\n"),
        ("GBK", "/* 学晒 */"),
        ("GBK", "模式"),
        ("GBK", "// 学习\n"),
        ("GBK", "/* 时 系 */\n"),
        ("GBK", "x = 1; /* 系统 */\n"),
        ("EUC-JP", "/* 動的 */\n"),
        ("EUC-JP", "連続的\n"),
        ("EUC-KR", "// 호환\n"),
        ("EUC-KR", "1\t키트\t2\n"),
        ("Big5", "翻譯\n"),
    ] {
        let bytes = encoded(name, text);
        assert!(core::str::from_utf8(&bytes).is_ok(), "{text}");
        let hints = DetectHints::default();
        let ranking = super::detect(&bytes, &hints);
        assert!(ranking[0].probability < 0.9, "{text}: {ranking:?}");
        let is_found = |name: &str| ranking.iter().any(|guess| guess.encoding.name() == name);
        assert!(is_found("UTF-8") && is_found(name), "{text}: {ranking:?}");
        let mut detector = mojika_sniff::detect::Detector::new();
        bytes.chunks(1).for_each(|byte| detector.feed(byte));
        assert_eq!(detector.finish(&hints)[..], ranking[..], "{text}");
        let only = DetectHints {
            allowed: Some(&[UTF_8]),
            ..hints
        };
        let ranking = super::detect(&bytes, &only);
        assert!(ranking[0].probability >= 0.9, "{text}: {ranking:?}");
    }
}

/// Words of languages in two-byte characters, and signs.
const SHORT_UTF_8: &str = "café naïve élève À Noël cœur île über Ärger ß ü größer señor niño Ñ não ação coração perché è \
    också Å Ångström København rødgrød ø Æ äiti yö hän það Þór coördinatie això Éire fáilte është çdo Łódź żółć się gęślą \
    Ž Č příliš žluťoučký kůň ľ ťava őrült tükörfúrógép ű š čas đak ćevapi și țară ăsta İstanbul ığdır şeker ğ žodis ačiū \
    Šiauliai ēka ķēniņš õun ĉu ŝi ŵyr tŷ Əli Bakı çörək êvar şêr ħobża ġdid Đà Ελλάδα νερό ω Ω Привет да нет Ё ещё ж \
    Київ їжа ґанок Ці її България ъгъл Беларусь ў Београд љубав њој Ѓорѓи Қазақстан ән тоҷик ӯ татарча җир Өвөл שלום כן א \
    مرحبا و سلام گل اردو ہے Հայ Հայաստան բարև ܫܠܡܐ ɓera ɗan ƙasa Māori ʻōlelo ˈɹɛd ŋ £ © ® ° ² ³ µ § ± ½ × ÷ ¿Qué «oui» \
    m² 5µm 20° ©2005 3×4½ cafe\u{301}";

#[test]
fn short_utf_8_is_not_doubtful() {
    for word in SHORT_UTF_8.split_whitespace() {
        for (before, after) in [
            ("", ""),
            ("", "\n"),
            ("a text with ", " in it\n"),
            ("x = \"", "\";\n"),
            ("int a; /* ", " */\n"),
            ("1\t", "\t2\n"),
        ] {
            let text = [before, word, after].concat();
            let ranking = plain(text.as_bytes());
            assert_eq!(ranking[0].encoding, UTF_8, "{text}: {ranking:?}");
            assert!(ranking[0].probability >= 0.9, "{text}: {ranking:?}");
        }
    }
}

/// The capitals of KOI8-U are small letters in Greek encodings, and the reverse.
const UKRAINIAN_IN_UPPER_CASE: &[&str] = &[
    "ВІЛЬНІ МІСЦЯ: 12, 14, 2",
    "ІСТОРІЯ ЗМІН: 3 ВЕРСІЇ",
    "ДІЇ ЗІ СПИСКОМ ФАЙЛІВ",
    "НІЧ І ДЕНЬ, 12.1, 14.2",
    "МІСЯЦІ ТА РІК: 7, 8, 9",
    "ЗІРКИ: 5. ЛІТА: 12, 14",
    "ВІДДІЛИ: 1.2, 1.3, 1.4",
];
const GREEK_IN_UPPER_CASE: &[&str] = &[
    "ΟΡΟΣ ΚΑΙ ΝΗΣΟΣ, 12, 1",
    "ΜΙΚΡΟΣ ΟΔΗΓΟΣ ΑΘΗΝΑΣ",
    "ΝΟΜΟΣ ΤΗΣ ΦΥΣΕΩΣ 2",
    "ΠΟΙΟΣ ΛΑΟΣ ΕΙΝΑΙ",
    "ΣΟΛΩΝΟΣ ΛΟΙΠΟΣ ΧΩΡΟΣ",
];

#[test]
fn upper_case_is_read() {
    let ukrainian = UKRAINIAN_IN_UPPER_CASE.iter().map(|&text| ("KOI8-U", text));
    let greek = GREEK_IN_UPPER_CASE.iter().map(|&text| ("ISO-8859-7", text));
    let others = [
        ("windows-1251", "ВСЕ ЛЮДИ РОЖДАЮТСЯ СВОБОДНЫМИ"),
        ("KOI8-R", "ВСЕ ЛЮДИ РОЖДАЮТСЯ СВОБОДНЫМИ"),
        ("ISO-8859-5", "ВСЕ ЛЮДИ РОЖДАЮТСЯ СВОБОДНЫМИ"),
        ("IBM866", "ВСЕ ЛЮДИ РОЖДАЮТСЯ СВОБОДНЫМИ"),
        ("windows-1251", "УСІ ЛЮДИ НАРОДЖУЮТЬСЯ ВІЛЬНИМИ І РІВНИМИ"),
        ("windows-1251", "ВСИЧКИ ХОРА СЕ РАЖДАТ СВОБОДНИ И РАВНИ"),
        ("windows-1253", "ΟΛΟΙ ΟΙ ΑΝΘΡΩΠΟΙ ΓΕΝΝΙΟΥΝΤΑΙ ΕΛΕΥΘΕΡΟΙ"),
        (
            "windows-1250",
            "VŠICHNI LIDÉ RODÍ SE SVOBODNÍ A SOBĚ ROVNÍ CO DO DŮSTOJNOSTI A PRÁV",
        ),
    ];
    for (name, text) in others.into_iter().chain(ukrainian).chain(greek) {
        for text in [text.to_owned(), format!("{text}. ").repeat(12)] {
            let bytes = encoded(name, &text);
            let ranking = plain(&bytes);
            assert_eq!(
                ranking[0].encoding.decode(&bytes).text,
                text,
                "{name}: {ranking:?}"
            );
        }
    }
}

#[test]
fn a_latin_i_stands_for_the_cyrillic_one() {
    for (label, text) in [
        ("windows-1251", "Кiлькiсть вiдвiдувачiв"),
        ("windows-1251", "Iншi мiста України та Бiлорусi"),
        ("windows-1251", "Мiнiстэрства адукацыi Рэспублiкi Беларусь"),
        ("KOI8-U", "Кiлькiсть вiдвiдувачiв за тиждень"),
    ] {
        let bytes = encoded(label, text);
        let ranking = plain(&bytes);
        assert_eq!(ranking[0].encoding.decode(&bytes).text, text, "{ranking:?}");
        assert!(ranking[0].probability > 0.9, "{text}: {ranking:?}");
    }
}

#[test]
fn one_odd_place_does_not_decide() {
    // A list of characters whose second byte is a backslash, then running text.
    let list =
        "# 許\\ 功\\ 蓋\\ 餐\\ 枯\\ 閱\\ 珮\\ 穀\\ 跚\\ 淚\\ 躡\\ 豹\\ 擺\\ 璞\\ 縷\\ 髏\\\n"
            .repeat(3);
    let text =
        "msgid \"cannot open the file\"\nmsgstr \"無法開啟檔案，因為它已經被別的程式使用。\"\n";
    let bytes = encoded("Big5", &[&list, &*text.repeat(200)].concat());
    assert_eq!(first(&bytes, &DetectHints::default()), Some(BIG5));
    // A short text in Chinese that begins with lines in Japanese.
    let start = "ひらがなカタカナ\n".repeat(3);
    let text =
        "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。\n";
    let bytes = encoded("GBK", &[&start, &*text.repeat(4)].concat());
    assert_eq!(first(&bytes, &DetectHints::default()), Some(mojika::GBK));
    // These bytes have the form of a four-byte character of gb18030, but no character is assigned to them.
    let ranking = plain(b"\xE22\xF8\n\xE22\xDB");
    assert!(
        ranking
            .iter()
            .all(|guess| guess.encoding != mojika::GB18030),
        "{ranking:?}"
    );
    assert_eq!(encoded("ISO-8859-5", "т2ј\nт2л"), b"\xE22\xF8\n\xE22\xDB");
    let bytes = encoded("ISO-8859-5", "пт2ј\nпт2л\nсви људи се рађају слободни");
    assert_eq!(first(&bytes, &DetectHints::default()), Some(ISO_8859_5));
}

#[test]
fn vowel_points_are_company_of_letters() {
    let bytes = b"\xEE\xC4\xE9\x20\xE9\xC5\xE3\xC7\xF2\x20\xF4\xC0";
    assert_eq!(first(bytes, &DetectHints::default()), Some(WINDOWS_1255));
    let text = "בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם וְאֵת הָאָרֶץ";
    let bytes = encoded("windows-1255", text);
    let ranking = plain(&bytes);
    assert_eq!(ranking[0].encoding, WINDOWS_1255, "{ranking:?}");
    assert!(ranking[0].probability > 0.9, "{ranking:?}");
    let text = "كُلُّ النَّاسِ يُولَدُونَ أَحْرَارًا";
    let bytes = encoded("windows-1256", text);
    let ranking = plain(&bytes);
    assert_eq!(ranking[0].encoding.decode(&bytes).text, text, "{ranking:?}");
}

#[test]
fn languages_without_a_model_are_in_latin_script() {
    for text in WITHOUT_MODELS {
        let bytes = encoded("windows-1252", text);
        let ranking = plain(&bytes);
        let decoded = ranking[0].encoding.decode(&bytes).text;
        let is_latin = |character: char| character < '\u{250}' || matches!(character, '‘' | '’');
        assert!(decoded.chars().all(is_latin), "{text}: {ranking:?}");
    }
}

#[test]
fn doubt_is_an_answer() {
    // German text in a DOS code page, which is an answer only if the hint `extended` is set.
    let text = "Die Prüfung der Bücher für das nächste Jahr müßte schöne Übungen einschließen. ";
    let bytes = encoded("IBM437", &text.repeat(4));
    let ranking = plain(&bytes);
    assert_eq!(ranking.content(), Content::Text);
    assert!(ranking[0].probability < 0.5, "{ranking:?}");
    let hints = DetectHints {
        extended: true,
        ..DetectHints::default()
    };
    let guess = super::detect(&bytes, &hints)[0];
    assert_eq!(guess.encoding.decode(&bytes).text, text.repeat(4));
    assert!(guess.probability > 0.3, "{guess:?}");
}

/// Files are converted only if the probability is at least 0.9, unless the user asks for less.
#[test]
fn a_sentence_in_a_code_page_of_dos_is_not_doubtful() {
    const GREEK: &str = "Το καλοκαίρι πέρασε και όλοι μιλούσαν για τη θάλασσα και τα νησιά.";
    let hints = DetectHints {
        extended: true,
        ..DetectHints::default()
    };
    for (name, text) in [
        (
            "IBM850",
            "Die Brücke über den Fluss wurde im März geöffnet.",
        ),
        (
            "IBM850",
            "Mañana volverán todos para comer piñones y mirar cómo los pájaros bajan de la montaña.",
        ),
        ("IBM850", "Het pakket is al geïnstalleerd."),
        ("IBM852", "začali v údolí sklízet jablka."),
        ("IBM852", "Vo vysokých horách ešte ležal sneh,"),
        ("IBM775", "Vaikai čiuožia šalia kranto,"),
        ("IBM737", GREEK),
        ("IBM869", GREEK),
        (
            "IBM862",
            "בקיץ הלכנו כולנו אל הים ודיברנו על הימים שעברו ועל מה שיבוא.",
        ),
        (
            "IBM855",
            "Вечерта на верандата пиеха чай и говореха за лятото, което мина.",
        ),
        (
            "IBM852",
            "Večer na verandě pili čaj a mluvili o létě, které už dávno uplynulo.",
        ),
        (
            "IBM857",
            "Akşamleyin bahçede çay içip geçen yazı ve güneşli günleri konuştuk.",
        ),
        (
            "IBM775",
            "Vakare gėrėme arbatą ir kalbėjomės apie vasarą, kuri jau seniai praėjo.",
        ),
        (
            "IBM850",
            "Nous étions à la fenêtre, près du poêle, où l'été nous avait laissés.",
        ),
    ] {
        let bytes = encoded(name, text);
        let guess = super::detect(&bytes, &hints)[0];
        assert_eq!(guess.encoding.decode(&bytes).text, text, "{guess:?}");
        assert!(guess.probability > 0.9, "{text}: {guess:?}");
    }
}

#[test]
fn code_pages_of_dos_need_evidence() {
    let hints = DetectHints {
        extended: true,
        ..DetectHints::default()
    };
    for text in SIGNS.iter().chain(WITHOUT_MODELS) {
        let text = format!("{text}\n{text}\n");
        let bytes = encoded("windows-1252", &text);
        let ranking = super::detect(&bytes, &hints);
        assert_eq!(ranking[0].encoding.decode(&bytes).text, text, "{ranking:?}");
    }
    for (name, text) in [
        (
            "KOI8-R",
            "Не удалось открыть файл, позиция за пределами буфера",
        ),
        ("Shift_JIS", "かかってこい！アフィリエイト"),
    ] {
        let bytes = encoded(name, text);
        let ranking = super::detect(&bytes, &hints);
        assert_eq!(ranking[0].encoding.decode(&bytes).text, text, "{ranking:?}");
    }
}

#[test]
fn letters_that_touch_ascii_words_are_latin() {
    for text in [
        "Name1ÄÜÖ,23,x\nKey2ßäö,7,y\nCol3üÜ,51,x\n",
        "Key0ñóú,83,x",
        "x1é=3; y2è=4; z3ü=5",
    ] {
        let bytes = encoded("windows-1252", text);
        let ranking = plain(&bytes);
        let decoded = ranking[0].encoding.decode(&bytes).text;
        let is_latin = |character: char| character < '\u{250}';
        let is_doubtful = ranking[0].probability < 0.9;
        assert!(
            decoded.chars().all(is_latin) || is_doubtful,
            "{text}: {ranking:?}"
        );
    }
    // Words in the document's own script decide.
    let text = "Купи MP3плеер и DVDдиск";
    let ranking = plain(&encoded("windows-1251", text));
    assert_eq!(ranking[0].encoding, mojika::WINDOWS_1251, "{ranking:?}");
}
