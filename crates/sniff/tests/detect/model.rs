//! Tests of the statistical model: the kinds of text that it is made for, and properties that hold for any tables.

use super::documents::documents;
use super::texts::texts;
use super::{encoded, encoding, plain};
use mojika::{EUC_JP, SHIFT_JIS};
use mojika_sniff::detect::{DetectHints, detect};
use mojika_spec::Random;

/// The minimum probability of an answer that is not doubtful.
const SURE: f32 = 0.9;

/// Panics if the answer to a text is wrong and not doubtful. Returns true if the answer is right.
fn is_right(name: &str, text: &str, extended: bool) -> bool {
    let bytes = encoded(name, text);
    let hints = DetectHints {
        extended,
        ..DetectHints::default()
    };
    let ranking = detect(&bytes, &hints);
    let first = ranking.first().expect("there is text beyond ASCII");
    let is_right = first.encoding.decode(&bytes).text == text;
    let is_doubtful = first.probability < SURE;
    assert!(is_right || is_doubtful, "{name} {text:?}: {ranking:?}");
    is_right
}

/// Returns rows of a table with spaces, of a log, of an INI file, of SQL, of CSV and of a list of names.
fn forms(words: &[&str]) -> Vec<String> {
    let row = |form: &dyn Fn(usize, &str) -> String| {
        let rows = words.iter().enumerate().map(|(at, word)| form(at, word));
        rows.collect::<String>()
    };
    vec![
        row(&|at, word| format!("{word:<20}{:>6}\n", 17 * at + 3)),
        row(&|at, word| {
            format!(
                "2024-05-{:02} 10:11:12 INFO login user=17 city={word} status=200\n",
                at + 1
            )
        }),
        row(&|at, word| format!("[city{at}]\r\nname={word}\r\nenabled=1\r\n")),
        row(&|at, word| format!("INSERT INTO city VALUES ({at}, '{word}');\n")),
        row(&|at, word| format!("{at};{word};{}\n", at % 3)),
        row(&|_, word| format!("{word}\n")),
    ]
}

const NAMES: &[(&str, &[&str])] = &[
    (
        "windows-1250",
        &["Dìčín", "Plzeň", "Čáslav", "Třebíč", "Žďár"],
    ),
    (
        "ISO-8859-2",
        &["Częstochowa", "Łódź", "Gdańsk", "Poznań", "Świdnica"],
    ),
    (
        "windows-1251",
        &["Москва", "Самара", "Тверь", "Калуга", "Псков"],
    ),
    ("KOI8-R", &["Москва", "Самара", "Тверь", "Калуга", "Псков"]),
    (
        "windows-1252",
        &["Köln", "München", "Würzburg", "Düren", "Görlitz"],
    ),
    (
        "windows-1253",
        &["Αθήνα", "Πάτρα", "Λάρισα", "Βόλος", "Χανιά"],
    ),
    (
        "windows-1254",
        &["İzmir", "Eskişehir", "Muğla", "Diyarbakır", "Şanlıurfa"],
    ),
    (
        "windows-1255",
        &["ירושלים", "חיפה", "נתניה", "אשדוד", "טבריה"],
    ),
    (
        "windows-1256",
        &["القاهرة", "دمشق", "بغداد", "الرباط", "عمان"],
    ),
    (
        "windows-1257",
        &[
            "Panevėžys",
            "Šiauliai",
            "Kėdainiai",
            "Mažeikiai",
            "Rokiškis",
        ],
    ),
    (
        "windows-874",
        &["กรุงเทพ", "เชียงใหม่", "ขอนแก่น", "ภูเก็ต", "อุดรธานี"],
    ),
    // Two of these words alone are Cyrillic capitals in IBM866.
    ("Shift_JIS", &["札幌", "名古屋", "京都", "東京", "大阪"]),
    ("EUC-JP", &["東京", "大阪", "京都", "札幌", "名古屋"]),
    ("GBK", &["北京", "上海", "广州", "深圳", "成都"]),
    ("Big5", &["臺北", "高雄", "臺中", "臺南", "新竹"]),
    ("EUC-KR", &["서울", "부산", "대구", "인천", "광주"]),
];

#[test]
fn names_in_rows_are_in_their_encoding_or_doubtful() {
    let (mut right, mut all) = (0, 0);
    for (name, words) in NAMES {
        let words: Vec<String> = words.iter().map(|word| word.replace('ì', "ě")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        for count in [2, 3, 5] {
            for text in forms(&words[..count]) {
                right += usize::from(is_right(name, &text, false));
                all += 1;
            }
        }
    }
    assert!(right * 10 >= all * 9, "{right} of {all}");
}

/// Examples of text that other detectors misjudge.
#[test]
fn odd_texts_are_right_or_doubtful() {
    for (name, text) in [
        ("windows-1251", "Уфа          \n"),
        ("windows-1251", "Уiльямс вiдвiдувачiв\n"),
        ("windows-1251", "# Сode: чтение\n"),
        (
            "windows-1250",
            "lezginčina\nslovenčina\nčečenčina\nšpanielčina\n",
        ),
        ("windows-1257", "tšetšeeni\n"),
        (
            "Big5",
            "  {\"元\", 0.34},\n  {\"恩\", 0.70},\n  {\"水\", 0.12},\n",
        ),
        ("GBK", "1\t水\t90000\n2\t火\t89923\n3\t土\t80000\n"),
        ("EUC-KR", "1,남\n2,여\n3,남\n4,여\n"),
        ("windows-1251", "1,да\n2,нет\n3,да\n4,нет\n"),
        ("Shift_JIS", "1,有\n2,無\n3,有\n"),
        ("windows-1252", "Acme® is a mark.\n"),
        ("windows-1252", "35 m², 20°, £100, ½ cup\n"),
    ] {
        is_right(name, text, false);
    }
    is_right("IBM850", "sarà usata", true);
}

/// The capital letter was typed on a Cyrillic keyboard. In x-mac-cyrillic, its byte is a dash.
#[test]
fn a_cyrillic_capital_in_an_english_word_is_a_letter() {
    let text = [
        "# Сommit: чтение\n",
        "Сode: запись данных\n",
        "# Сount: число\n",
        "// Сlose, новый файл\n",
    ];
    for text in text {
        assert!(is_right("windows-1251", text, false), "{text}");
    }
}

/// Names have characters that are rare in other texts.
#[test]
fn names_of_two_characters_are_not_doubtful() {
    for (name, names) in [
        ("GBK", "王芳 李娜 张伟 刘洋 陈静 杨帆"),
        ("GBK", "邹国 侯欣 姚伟 龙勇 任晨 傅慧"),
        ("GBK", "于鹏 邓芳 龚博 蒋欣 阎洋 吴艳"),
        ("GBK", "曹磊 杨桂 沈佳 熊琴 何艳 魏秀"),
        ("GBK", "宋涛 田俊 傅华 杜琳 顾云 姚帆"),
        ("GBK", "傅琴 丁梦 孟兴 白娜 邵秀 潘辉"),
        ("Big5", "陳靜 林志 黃文 張豪 李明 王美"),
        ("Shift_JIS", "佐藤 鈴木 高橋 田中 伊藤 渡辺"),
    ] {
        let names: Vec<&str> = names.split(' ').collect();
        let row = |at: usize| format!("{}\t{}\t{}\n", at + 1, names[at % 6], at * 37 % 101);
        let bytes = encoded(name, &(0..60).map(row).collect::<String>());
        let first = plain(&bytes)[0];
        let is_sure = first.encoding == encoding(name) && first.probability > SURE;
        assert!(is_sure, "{name} {names:?}: {first:?}");
    }
}

/// If each row has two words, the answer is as certain as for the words alone.
#[test]
fn repetition_adds_no_certainty() {
    for (name, words) in NAMES {
        let words = &words[..2];
        if words.iter().any(|word| word.contains('ì')) {
            continue;
        }
        let rows = |times: usize| {
            let row = |at: usize| format!("{};{};{}\n", at, words[at % 2], at % 7);
            encoded(name, &(0..2 * times).map(row).collect::<String>())
        };
        let (few, many) = (plain(&rows(2)), plain(&rows(150)));
        assert_eq!(few[0].encoding, many[0].encoding, "{few:?} {many:?}");
        assert!(
            many[0].probability <= few[0].probability + 0.03,
            "{few:?} {many:?}"
        );
    }
}

/// Spaces, digits and English words between the words have little effect.
#[test]
fn fillers_do_not_change_the_answer() {
    for (name, _, text) in texts() {
        let is_spaced = text.contains(' ');
        let words: Vec<&str> = text.split(' ').take(20).collect();
        if !is_spaced || words.len() < 10 || encoded(name, text).is_ascii() {
            continue;
        }
        let before = encoded(name, &words.join(" "));
        for filler in ["    ", " 12 ", " name ", "\n"] {
            let after = encoded(name, &words.join(filler));
            let (one, other) = (plain(&before), plain(&after));
            let as_read = |bytes: &[u8], encoding: &'static mojika::Encoding| {
                encoding.decode(bytes).text.into_owned()
            };
            assert_eq!(
                as_read(&after, one[0].encoding),
                as_read(&after, other[0].encoding),
                "{name} {filler:?}: {one:?} {other:?}"
            );
        }
    }
}

#[test]
fn lines_may_stand_in_any_order() {
    let mut random = Random::new(42);
    for (name, words) in NAMES.iter().skip(1) {
        let mut lines: Vec<String> = words.iter().map(|word| format!("{word}, 5\n")).collect();
        let first = plain(&encoded(name, &lines.concat()));
        for _ in 0..5 {
            for at in (1..lines.len()).rev() {
                lines.swap(at, random.below(at + 1));
            }
            let other = plain(&encoded(name, &lines.concat()));
            assert_eq!(first[0].encoding, other[0].encoding, "{lines:?}");
            let difference = (first[0].probability - other[0].probability).abs();
            assert!(difference < 0.1, "{lines:?} {first:?} {other:?}");
        }
    }
}

/// One of the allowed encodings is right, so their probabilities add up to 1.
#[test]
fn probabilities_are_those_within_the_allowed_encodings() {
    let bytes = encoded("Shift_JIS", "1,男\n2,女\n");
    let hints = DetectHints {
        allowed: Some(&[SHIFT_JIS, EUC_JP]),
        ..DetectHints::default()
    };
    let ranking = detect(&bytes, &hints);
    assert_eq!(ranking[0].encoding, SHIFT_JIS, "{ranking:?}");
    assert!(ranking[0].probability > SURE, "{ranking:?}");
    for document in documents(100) {
        let ranking = detect(&document, &hints);
        let sum: f32 = ranking.iter().map(|guess| guess.probability).sum();
        assert!(sum < 1.001, "{ranking:?}");
    }
}

#[test]
fn a_locale_decides_what_bytes_leave_open() {
    let bytes = encoded("Shift_JIS", "1,男\n2,女\n");
    let hints = DetectHints {
        locale: Some("ja"),
        ..DetectHints::default()
    };
    assert_eq!(detect(&bytes, &hints)[0].encoding, encoding("Shift_JIS"));
}

/// Long documents with few decisive letters, far from the beginning.
#[test]
fn deciding_letters_count_wherever_they_stand() {
    let greek = "Οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια.\n";
    let text = format!("{}Άλλο\n{}", greek.repeat(500), greek.repeat(500));
    for name in ["windows-1253", "ISO-8859-7"] {
        is_right(name, &text, false);
    }
}

/// A dictionary has kanji that texts lack, and each kanji is equally likely.
#[test]
fn lists_of_characters_are_in_their_encoding() {
    // The second level of JIS X 0208 in radical order, and the kanji that children learn first.
    let kanji = "弌丐丕个丱丶丼丿乂乖乘亂亅豫亊舒弍于亞亟亠亢亰亳亶从仍仄仆仂仗仞仭仟价伉佚估佛佝佗佇佶侈侏侘佻佩";
    let common = "一右雨円王音下火花貝学気九休玉金空月犬見五口校左三山子四糸字耳七車手十出女小上森";
    let katakana = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン";
    let rows = |text: &str| {
        let rows = text.chars().enumerate();
        rows.map(|(at, one)| format!("{one} {at}\n"))
            .collect::<String>()
    };
    let kana: Vec<char> = katakana.chars().collect();
    let words = kana
        .windows(4)
        .map(|four| format!("{},1,{0}\n", four.iter().collect::<String>()));
    assert!(is_right("EUC-JP", &words.collect::<String>(), false));
    // Half-width katakana have one byte in Shift_JIS, and two in EUC-JP.
    let halves = "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓ".chars();
    let pairs = kana
        .iter()
        .zip(halves)
        .map(|(full, half)| format!("(\"{full}\" \"{half}\")\n"));
    let pairs = pairs.collect::<String>();
    assert!(is_right("EUC-JP", &pairs, false) && is_right("Shift_JIS", &pairs, false));
    assert!(is_right("Shift_JIS", &rows(kanji), false));
    assert!(is_right("EUC-JP", &rows(common), false));
}

#[test]
fn words_of_another_language_count_in_an_english_document() {
    let english = "This message is shown when the file cannot be opened for writing.";
    for (name, words) in [
        (
            "windows-1250",
            ["fájlkezelő", "megőrzött", "szűrő", "időtúllépés"],
        ),
        (
            "ISO-8859-2",
            ["nagłówek", "wyświetlić", "usunięto", "następny"],
        ),
        (
            "windows-1257",
            ["žinutė", "pašalinti", "šaltinis", "įrašyti"],
        ),
        (
            "windows-1251",
            ["сообщение", "удалить", "файлы", "источник"],
        ),
    ] {
        let entry = |word: &str| format!("# {english}\nmsgid \"{english}\"\nmsgstr \"{word}\"\n\n");
        let text: String = words.into_iter().map(entry).collect();
        assert!(is_right(name, &text, false), "{name}");
    }
}

#[test]
fn rare_encodings_of_several_bytes_are_answers_with_extended() {
    let korean = "이 프로그램은 자유 소프트웨어입니다. 누구나 바꾸고 나누어 줄 수 있습니다.\n";
    let chinese = "這個程式是自由軟體，任何人都可以修改並且重新散布，只要保留原來的授權條款。\n";
    let czech = "Příliš žluťoučký kůň úpěl ďábelské ódy, a nikdo v celém městě ho neslyšel.\n";
    for (name, text) in [("Johab", korean), ("EUC-TW", chinese), ("x-mac-ce", czech)] {
        assert!(is_right(name, text, true), "{name}");
        is_right(name, text, false);
    }
}
