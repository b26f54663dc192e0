//! Detection: the project's own sample, properties of the model, splits, pathological input, hints.
#![cfg(feature = "detect")]

#[path = "detect/binary.rs"]
mod binary;
#[path = "detect/boxes.rs"]
mod boxes;
#[path = "detect/documents.rs"]
mod documents;
#[path = "detect/formats.rs"]
mod formats;
#[path = "detect/kinds.rs"]
mod kinds;
#[path = "detect/model.rs"]
mod model;
#[path = "detect/named.rs"]
mod named;
#[path = "detect/neighbours.rs"]
mod neighbours;
#[path = "detect/sureness.rs"]
mod sureness;
#[path = "detect/texts.rs"]
mod texts;
#[path = "detect/units.rs"]
mod units;

use documents::documents;
use mojika::{BIG5, EUC_KR, Encoding, GBK, ISO_8859_7, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253};
use mojika_drive::spent;
use mojika_sniff::detect::{Content, DetectHints, Detector, Ranking, detect};
use mojika_spec::Random;
use std::time::Duration;
use texts::texts;

fn encoding(name: &str) -> &'static Encoding {
    Encoding::for_label(name)
        .or_else(|| mojika::extended::for_name(name))
        .unwrap_or_else(|| panic!("{name} is an encoding"))
}

fn encoded(name: &str, text: &str) -> Vec<u8> {
    let bytes = encoding(name).encode(text);
    bytes
        .unwrap_or_else(|error| panic!("{name}: {error}"))
        .into_owned()
}

fn plain(bytes: &[u8]) -> Ranking {
    detect(bytes, &DetectHints::default())
}

fn first(bytes: &[u8], hints: &DetectHints) -> Option<&'static Encoding> {
    detect(bytes, hints).first().map(|guess| guess.encoding)
}

fn summary(ranking: &Ranking) -> Vec<(&'static str, Option<&'static str>, u32)> {
    let guesses = ranking.iter();
    guesses
        .map(|guess| {
            (
                guess.encoding.name(),
                guess.language,
                guess.probability.to_bits(),
            )
        })
        .collect()
}

#[test]
fn the_own_sample_is_detected_with_its_languages() {
    for (name, language, text) in texts() {
        let bytes = encoded(name, text);
        let ranking = plain(&bytes);
        assert_eq!(ranking.content(), Content::Text, "{name} {language}");
        assert_eq!(
            ranking[0].encoding.decode(&bytes).text,
            text,
            "{name} {language}: {ranking:?}"
        );
        if !language.is_empty() {
            assert_eq!(ranking[0].language, Some(language), "{name}: {ranking:?}");
            assert!(ranking[0].script().is_some());
        }
    }
}

/// Hebrew is found in visual order as in logical order.
#[test]
fn hebrew_in_the_order_of_display_is_as_sure() {
    let visual: String = VISUAL.chars().rev().collect();
    for text in [VISUAL, &visual] {
        let ranking = plain(&encoded("ISO-8859-8", text));
        let name = ranking[0].encoding.name();
        assert!(
            ["windows-1255", "ISO-8859-8"].contains(&name),
            "{ranking:?}"
        );
        assert_eq!(ranking[0].language, Some("he"), "{ranking:?}");
        assert!(ranking[0].probability > 0.98, "{ranking:?}");
    }
}

#[test]
fn half_of_each_text_in_markup_is_detected() {
    for (name, language, text) in texts() {
        let half = text.chars().count() / 2;
        let text: String = text.chars().take(half).collect();
        let page = format!(
            "<html><body><div class=\"main\"><p><a href=\"/index.html\">{text}</a></p></div></body></html>\n"
        );
        let bytes = encoded(name, &page);
        for strip_markup in [false, true] {
            let hints = DetectHints {
                strip_markup,
                ..DetectHints::default()
            };
            let ranking = detect(&bytes, &hints);
            assert_eq!(
                ranking[0].encoding.decode(&bytes).text,
                page,
                "{name} {language}: {ranking:?}"
            );
        }
    }
}

/// The tag after a title begins next to a non-ASCII letter, and ends next to an ASCII character.
#[test]
fn what_follows_a_tag_counts_wherever_the_tag_ends() {
    for (name, language, text) in texts() {
        let title = text.chars().find(|letter| !letter.is_ascii()).unwrap();
        for tags in ["</title>", "</title></head><body class=main>", "<br>"] {
            let page = format!("<title>{title}{tags}\n1234567890 1234567890\n{text}\n");
            let bytes = encoded(name, &page);
            let hints = DetectHints {
                strip_markup: true,
                ..DetectHints::default()
            };
            let ranking = detect(&bytes, &hints);
            assert_eq!(
                ranking[0].encoding.decode(&bytes).text,
                page,
                "{name} {language} {tags}: {ranking:?}"
            );
        }
    }
}

const VISUAL: &str = "בבוקר יצאנו לשוק הישן כדי לקנות לחם ופירות, ולכן הלכנו לאט.";

#[test]
fn every_split_gives_the_same_answer() {
    let mut random = Random::new(30);
    let mut all: Vec<Vec<u8>> = documents(40).collect();
    all.extend(texts().map(|(name, _, text)| encoded(name, text)));
    for document in all {
        let whole = plain(&document);
        let check = |pieces: &[&[u8]]| {
            let mut detector = Detector::new();
            for piece in pieces {
                detector.feed(piece);
            }
            let ranking = detector.finish(&DetectHints::default());
            assert_eq!(summary(&ranking), summary(&whole), "{document:02X?}");
            assert_eq!(ranking.content(), whole.content());
        };
        check(&document.chunks(1).collect::<Vec<_>>());
        for at in 0..document.len().min(300) {
            let (before, after) = document.split_at(at);
            check(&[before, after]);
        }
        for _ in 0..10 {
            check(&document.chunks(1 + random.below(100)).collect::<Vec<_>>());
        }
    }
}

#[test]
fn where_reading_ends_does_not_depend_on_splits() {
    let legacy = encoded("windows-1250", "Příliš žluťoučký kůň ");
    let utf8 = "Příliš žluťoučký kůň ".repeat(4000);
    // The last part of the sample ends after the last byte that is used.
    let sparse = [&legacy[..], &[b' '; 40_000]].concat().repeat(4);
    for document in [
        sparse,
        [utf8.as_bytes(), &legacy.repeat(1000)].concat(),
        [utf8.as_bytes(), b"\xFF\xC3 ", &legacy.repeat(7000)].concat(),
    ] {
        let whole = plain(&document);
        for size in [1, 1000, 16 * 1024 + 1] {
            let mut detector = Detector::new();
            for piece in document.chunks(size) {
                detector.feed(piece);
            }
            let ranking = detector.finish(&DetectHints::default());
            assert_eq!(ranking[..], whole[..], "{size}");
            assert_eq!(ranking.bytes_read(), whole.bytes_read(), "{size}");
        }
    }
}

#[test]
fn pathological_input_takes_linear_time() {
    let all: Vec<u8> = texts()
        .filter(|(name, ..)| !name.starts_with("UTF-16"))
        .flat_map(|(name, _, text)| encoded(name, &text.chars().take(9).collect::<String>()))
        .collect();
    // Most encodings, and all double-byte encodings, have these bytes.
    let many = encoded("EUC-KR", "가나다라마바사아");
    let single = b"\xE9\x1Ba\x80<\0\xFF".chunks(1);
    for unit in single.chain([&all[..], &many, b"\x1B$"]) {
        let start = spent();
        let large = unit.repeat(10_000_000 / unit.len());
        std::hint::black_box(plain(&large));
        let took = spent() - start;
        assert!(took < Duration::from_secs(5), "{unit:02X?}: {took:?}");
    }
}

#[test]
fn reading_ends_where_nothing_can_change() {
    let legacy =
        encoded("windows-1251", "Съешь ещё этих мягких французских булок. ").repeat(100_000);
    assert_eq!(plain(&legacy).bytes_read(), 64 * 1024);
    let mut detector = Detector::new();
    detector.feed(&legacy);
    assert!(detector.is_decided());
    let ascii = vec![b'a'; 1_000_000];
    assert_eq!(plain(&ascii).bytes_read(), 1_000_000);
    let damaged_late = ["é".repeat(60_000).as_bytes(), b"\xFF "].concat();
    assert_eq!(plain(&damaged_late).bytes_read(), 120_001);
}

#[test]
fn one_legacy_word_behind_much_ascii_counts() {
    let mut bytes = vec![b' '; 3_000_000];
    bytes.extend(encoded(
        "windows-1251",
        "Съешь ещё этих мягких французских булок",
    ));
    bytes.extend(vec![b' '; 3_000_000]);
    assert_eq!(first(&bytes, &DetectHints::default()), Some(WINDOWS_1251));
}

#[test]
fn a_byte_beyond_the_running_text_tells_close_encodings_apart() {
    // The bytes of the euro sign and of the capital alpha with tonos are other characters in ISO-8859-7.
    let text = "και το νερό τρέχει κάτω από τη γέφυρα ".repeat(60);
    let greek = |end: &str, name| {
        first(
            &encoded(name, &format!("{text}{end}")),
            &DetectHints::default(),
        )
    };
    assert_eq!(greek("Άλλα νερά", "windows-1253"), Some(WINDOWS_1253));
    assert_eq!(greek("Άλλα νερά", "ISO-8859-7"), Some(ISO_8859_7));
}

#[test]
fn an_apostrophe_stands_behind_a_letter() {
    // In windows-1253 the capital alpha with tonos has the byte of ISO-8859-7's apostrophe.
    for (name, text) in [
        ("windows-1253", "Άουτς! Το νερό ήταν κρύο σήμερα."),
        ("windows-1253", "Άκου τη θάλασσα το βράδυ."),
        ("ISO-8859-7", "Άκου τη θάλασσα το βράδυ."),
    ] {
        let ranking = plain(&encoded(name, text));
        assert_eq!(ranking[0].encoding, encoding(name), "{text}: {ranking:?}");
        assert!(ranking[0].probability > 0.6, "{text}: {ranking:?}");
    }
}

#[test]
fn binary_data_is_a_class_of_its_own() {
    let mut random = Random::new(31);
    let noise: Vec<u8> = (0..4096).map(|_| random.below(256) as u8).collect();
    let executable =
        std::fs::read(std::env::current_exe().expect("a test is a file")).expect("it can be read");
    for bytes in [
        &noise[..],
        &noise[..100],
        &executable,
        b"GIF89a\x01\0\x01\0\x80\0\0\xFF\xFF\xFF\0\0\0",
    ] {
        let ranking = plain(bytes);
        assert_eq!(ranking.content(), Content::Binary);
        assert!(ranking.is_empty());
    }
    assert_eq!(plain(b"").content(), Content::Ascii);
    assert_eq!(plain(b"text\r\n\tmore\x0C").content(), Content::Ascii);
}

#[test]
fn hints_decide_what_bytes_leave_open() {
    // A single letter exists in many encodings and languages.
    let bytes = b"h\xE1";
    let language = |tld, locale| {
        let hints = DetectHints {
            tld,
            locale,
            ..DetectHints::default()
        };
        detect(bytes, &hints)[0].language
    };
    assert_eq!(language(Some("pt"), None), Some("pt"));
    assert_eq!(language(Some("www.example.hu"), None), Some("hu"));
    assert_eq!(language(Some("com"), None), language(None, None));
    assert_eq!(language(Some("pt"), Some("pt-BR")), Some("pt"));
    // These ideographs are common in two indexes.
    let bytes = encoded("GBK", "中国人");
    let of = |tld| {
        first(
            &bytes,
            &DetectHints {
                tld: Some(tld),
                ..DetectHints::default()
            },
        )
    };
    assert_eq!(of("cn"), Some(GBK));
}

#[test]
fn the_end_of_a_text_in_iso_2022_jp_is_enough() {
    let end = b"3$l$O\x1B(B, and more ASCII";
    assert_eq!(
        first(end, &DetectHints::default()),
        Some(mojika::ISO_2022_JP)
    );
    // A terminal's colours.
    assert!(plain(b"\x1B(B\x1B[m plain").is_empty());
}

#[test]
fn allowed_and_denied_encodings_are_obeyed() {
    for (name, _, text) in texts() {
        let bytes = encoded(name, text);
        let denied = [encoding(name)];
        let hints = DetectHints {
            denied: &denied,
            ..DetectHints::default()
        };
        assert!(
            detect(&bytes, &hints)
                .iter()
                .all(|guess| guess.encoding != denied[0]),
            "{name}"
        );
        let allowed = [WINDOWS_1252, BIG5, EUC_KR];
        let hints = DetectHints {
            allowed: Some(&allowed),
            ..DetectHints::default()
        };
        assert!(
            detect(&bytes, &hints)
                .iter()
                .all(|guess| allowed.contains(&guess.encoding)),
            "{name}"
        );
        let hints = DetectHints {
            allowed: Some(&denied),
            ..DetectHints::default()
        };
        assert_eq!(first(&bytes, &hints), Some(denied[0]), "{name}");
    }
}

#[test]
fn encodings_outside_the_standard_are_no_answers() {
    for name in ["IBM437", "IBM850", "IBM037", "IBM500", "IBM1047"] {
        let german = "Die Brücke über den Fluss wurde im März geöffnet! Früher gab es Boote.\n";
        let ranking = plain(&encoded(name, german));
        let is_of_the_web = |name| Encoding::for_label(name).is_some();
        let mut names = ranking.iter().map(|guess| guess.encoding.name());
        assert!(names.all(is_of_the_web), "{ranking:?}");
    }
}

#[test]
fn words_of_even_length_alone_are_no_double_byte_text() {
    let text = "1. לא ניתן להתקין את ערכת הצבעים שנבחרה לא ניתן להעביר את הקבצים";
    let bytes = encoded("windows-1255", text);
    let ranking = plain(&bytes);
    assert_eq!(ranking[0].encoding.decode(&bytes).text, text, "{ranking:?}");
}

#[test]
fn an_escape_that_is_cut_off_is_iso_2022_jp() {
    for end in ["\x1B", "\x1B$", "\x1B("] {
        let piece = format!("The text begins here: {end}");
        let ranking = plain(piece.as_bytes());
        assert_eq!(
            ranking.first().map(|guess| guess.encoding),
            Some(mojika::ISO_2022_JP)
        );
    }
    assert!(plain(b"\x1B[31mred\x1B[0m, and cut off \x1B").is_empty());
}

#[test]
fn the_usual_octet_order_of_utf_32_wins_near_ties() {
    // With the bytes of each pair swapped, these ideographs are kana, and these kana are ideographs.
    let text = "細倰估まめ".repeat(10);
    let bytes = encoded("UTF-32BE", &text);
    assert_eq!(plain(&bytes)[0].encoding.name(), "UTF-32BE");
    // In text with letters, the order is certain.
    let text = "Each unit has its octets in an order that no program writes.";
    let bytes = encoded("UTF-32-2143", text);
    assert_eq!(plain(&bytes)[0].encoding.name(), "UTF-32-2143");
}

#[test]
fn a_detector_can_be_shared_sent_and_printed() {
    fn check<T: std::fmt::Debug + Send + Sync>() {}
    check::<Detector>();
}
