//! The probability of an answer by structure, and its language.

use super::{first, plain};
use mojika::{ISO_2022_JP, UTF_8};
use mojika_sniff::detect::{Content, DetectHints, detect};

/// The probability of damaged UTF-8 rises with the number of characters per malformed sequence.
#[test]
fn damaged_utf_8_is_as_sure_as_little_is_damaged() {
    for malformed in [1, 2, 70] {
        for (characters, probability) in [
            (6, 0.9),
            (8, 0.9),
            (9, 0.95),
            (19, 0.95),
            (20, 0.99),
            (90, 0.99),
        ] {
            let text = "é ".repeat(characters * malformed);
            let bytes = [text.as_bytes(), &b"\xFF ".repeat(malformed)].concat();
            let ranking = plain(&bytes);
            let best = &ranking[0];
            assert_eq!((best.encoding, best.malformed), (UTF_8, malformed as u64));
            assert_eq!(
                best.probability, probability,
                "{characters} for {malformed}"
            );
        }
    }
}

/// With fewer than six characters per malformed sequence, UTF-8 is no answer: the text may be in another encoding.
#[test]
fn damaged_utf_8_has_six_characters() {
    for (characters, is_utf_8) in [(4, false), (5, false), (6, true)] {
        let bytes = ["é ".repeat(characters).as_bytes(), b"\xFF "].concat();
        assert_eq!(plain(&bytes)[0].encoding == UTF_8, is_utf_8, "{characters}");
    }
}

/// From the 65th malformed sequence on, these must never outnumber the characters before them, whatever follows.
#[test]
fn what_begins_with_more_malformed_sequences_than_characters_is_no_utf_8() {
    for (malformed, is_utf_8) in [(64, true), (65, true), (66, false)] {
        let bytes = [
            "é ".repeat(65).as_bytes(),
            &b"\xFF ".repeat(malformed),
            "é ".repeat(400).as_bytes(),
        ]
        .concat();
        let ranking = plain(&bytes);
        assert_eq!(ranking[0].encoding == UTF_8, is_utf_8, "{malformed}");
        assert!(!is_utf_8 || ranking[0].malformed == malformed as u64);
    }
}

/// Up to six consecutive bytes outside characters are one malformed sequence.
#[test]
fn six_bytes_are_one_malformed_sequence() {
    let text = "Größere Häuser stehen am Fluß. ".repeat(20);
    for (bytes, malformed) in [(1, 1), (5, 1), (6, 1), (7, 2), (12, 2), (13, 3)] {
        for byte in [0x80, 0xFF] {
            let bytes = [text.as_bytes(), &vec![byte; bytes], text.as_bytes()].concat();
            assert_eq!(plain(&bytes)[0].malformed, malformed, "{byte:02X}");
        }
    }
}

/// In other encodings, the bytes of two Thai words look like Latin and Cyrillic letters.
#[test]
fn damaged_utf_8_in_several_scripts_is_less_sure() {
    let thai = mojika::WINDOWS_874.encode("ลบป้ายกำกับ").unwrap();
    for times in [2, 3] {
        let text = [b"WARN ".as_slice(), &thai, b"\n"].concat().repeat(times);
        let ranking = plain(&text);
        assert!(ranking[0].probability < 0.9, "{ranking:?}");
    }
    let cyrillic = [&b"\xFF "[..], "да, конечно".as_bytes()].concat();
    assert_eq!(plain(&cyrillic)[0].probability, 0.95);
    let damaged = [&b"\xFF \xFF "[..], "да, конечно".as_bytes()].concat();
    assert_eq!(plain(&damaged)[0].probability, 0.9);
}

/// The probability is higher if all characters are of one script. Dashes and ideographs belong to no script.
#[test]
fn damaged_utf_8_in_two_scripts_is_less_sure() {
    let letters = ["é", "ạ", "α", "ἀ", "д", "א", "क", "の", "한"];
    let scripts = [0, 0, 1, 1, 2, 3, 4, 5, 5];
    for (one, script) in letters.iter().zip(scripts) {
        let all = letters.iter().zip(scripts);
        for (other, other_script) in all.chain([(&"—", script), (&"😀", script)]) {
            let text = format!("{one}{one}{one} {other}{other}{other}{other} ");
            let ranking = plain(&[text.as_bytes(), b"\xFF"].concat());
            let expected = if script == other_script { 0.9 } else { 0.8 };
            let best = &ranking[0];
            assert_eq!(
                (best.encoding, best.probability),
                (UTF_8, expected),
                "{text}"
            );
        }
    }
}

/// If a document starts within a character, more characters are needed to recognise UTF-8.
#[test]
fn a_piece_of_utf_8_needs_six_characters() {
    for characters in [5, 6] {
        let piece = [b"\xA9", "é".repeat(characters).as_bytes()].concat();
        let ranking = plain(&piece);
        let is_utf_8 = ranking
            .first()
            .is_some_and(|best| best.encoding == UTF_8 && best.probability == 0.97);
        assert_eq!(is_utf_8, characters == 6, "{characters}");
    }
    assert_eq!(plain("é".as_bytes())[0].probability, 0.99);
}

/// A truncated escape sequence lowers the probability. So does the end of Japanese text, as terminals use it, too.
#[test]
fn escapes_are_as_sure_as_they_are_whole() {
    for (bytes, probability) in [
        (&b"text \x1B$B$3"[..], 0.99),
        (b"text \x1B(I12", 0.99),
        (b"text \x1B(B more", 0.9),
        (b"text \x1B(J more", 0.9),
        (b"text \x1B$", 0.9),
        (b"text \x1B(", 0.6),
        (b"text \x1B", 0.5),
    ] {
        let ranking = plain(bytes);
        assert_eq!(ranking.len(), 1, "{bytes:?}");
        let best = &ranking[0];
        assert_eq!(
            (best.encoding, best.probability),
            (ISO_2022_JP, probability),
            "{bytes:?}"
        );
        assert_eq!(best.language, Some("ja"), "{bytes:?}");
    }
}

/// Each seven-bit encoding has a language, except UTF-7.
#[test]
fn encodings_in_seven_bits_have_their_language() {
    let hints = DetectHints {
        extended: true,
        ..DetectHints::default()
    };
    for (bytes, name, language) in [
        (&b"\x1B$)C\x0EGQ1[\x0F\n"[..], "ISO-2022-KR", Some("ko")),
        (b"\x1B$)A\x0E<:;;\x0F\n", "ISO-2022-CN", Some("zh")),
        (b"~{<:;;VPND~}\n", "HZ-GB-2312", Some("zh")),
        (b"\x1B$(D0!\x1B(B\n", "ISO-2022-JP-1", Some("ja")),
        (b"\x1B$A<:\x1B(B\n", "ISO-2022-JP-2", Some("ja")),
        (b"\x1B$(O0!\x1B(B\n", "ISO-2022-JP-3", Some("ja")),
        (b"\x1B$(Q0!\x1B(B\n", "ISO-2022-JP-2004", Some("ja")),
    ] {
        let ranking = detect(bytes, &hints);
        let best = ranking.first().unwrap_or_else(|| panic!("{name}"));
        let encoding = mojika::extended::for_name(name).unwrap();
        assert_eq!((best.encoding, best.language), (encoding, language));
        assert_eq!(best.probability, 0.97, "{name}");
        assert_eq!(plain(bytes).content(), Content::Unsupported(name));
        assert_eq!(first(bytes, &DetectHints::default()), None, "{name}");
    }
}

/// Sections of HZ consist mostly of common characters: any two ASCII bytes may be a character by chance.
#[test]
fn sections_of_rare_characters_are_no_hz() {
    for (section, is_text) in [
        ("<:;;", true),
        ("<:h;", true),
        ("h:h;<<", false),
        ("h:", false),
    ] {
        let text = format!("a ~{{{section}~}} b\n");
        let content = plain(text.as_bytes()).content();
        assert_eq!(
            content == Content::Unsupported("HZ-GB-2312"),
            is_text,
            "{section}"
        );
    }
}

/// In text with non-ASCII letters, up to seven control characters are tolerated. More must be at most one in 32 bytes.
#[test]
fn few_controls_among_letters_beyond_ascii_are_chance() {
    let text = "вечером на веранде пили чай ".repeat(6);
    let text = mojika::KOI8_R.encode(&text).unwrap();
    let with = |controls: usize| {
        let bytes = [&text[..], &[1].repeat(controls), b"."].concat();
        plain(&bytes).content()
    };
    assert_eq!(with(5), Content::Text);
    assert_eq!([6, 7].map(with), [Content::Binary; 2]);
    assert_eq!([8, 20].map(with), [Content::Text; 2]);
}

/// Noise without zero bytes is recognised by control characters of many kinds, if they are more than one byte in 16.
#[test]
fn text_that_goes_on_as_noise_without_zeros_is_binary() {
    let text = b"a line of text\n".repeat(300);
    assert!(text.len() > 4096);
    let noise: Vec<u8> = (0..2000_u32)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8)
        .filter(|&byte| byte != 0)
        .collect();
    assert_eq!(
        plain(&[&text[..], &noise].concat()).content(),
        Content::Binary
    );
    // Letters with one control character in 20 bytes are text.
    let letters = mojika::KOI8_R.encode("вечером на веранде").unwrap();
    let few = [&letters[..], b"\x01"].concat().repeat(30);
    assert_eq!(plain(&[&text[..], &few].concat()).content(), Content::Text);
}
