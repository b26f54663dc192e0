//! Tests of text and binary data, by zero bytes, controls and magic numbers: each rule at its limit and beyond.

use super::{encoded, plain};
use mojika_sniff::detect::{Content, DetectHints, Detector};
use mojika_spec::escapes::unescaped;

fn content(bytes: &[u8]) -> Content {
    plain(bytes).content()
}

/// Asserts that neither UTF-16 nor UTF-32 is an answer, and returns the content, which is the same for all splits.
fn narrow(bytes: &[u8]) -> Content {
    let ranking = plain(bytes);
    let first = ranking.first().map_or("", |guess| guess.encoding.name());
    assert!(
        !first.starts_with("UTF-16") && !first.starts_with("UTF-32"),
        "{first}: {}",
        bytes.escape_ascii()
    );
    for at in 0..bytes.len().min(64) {
        let mut detector = Detector::new();
        detector.feed(&bytes[..at]);
        detector.feed(&bytes[at..]);
        let split = detector.finish(&DetectHints::default());
        assert_eq!(split[..], ranking[..], "{at}");
        assert_eq!(
            (split.content(), split.format()),
            (ranking.content(), ranking.format()),
            "{at}"
        );
    }
    ranking.content()
}

#[test]
fn ascii_with_controls_is_ascii() {
    let assembler =
        "\tTITLE\tMORE\r\n\x0C\r\nSTART:\tMOV\tAH,9\t; print\r\n\tINT\t21H\r\n".repeat(20);
    for text in [
        "1\x01John\x0130\n2\x01Mary\x0125\n",
        "a\x1Fb\x1Fc\x1E1\x1F2\x1F3\x1E",
        "bold \x0Etext\x0F here",
        "\x02frame\x03 after \x10frame",
        "a\tb\nc\td\ne\tf\ng\th\n",
        "1\t2\t3\t4\t5\t6\t7\t8\t9\n",
        "\ta\n\tb\n\tc\n\td\n\te\n\tf\n",
        "x\ty\n\nz\tw\n\n",
        "\x1B[31mred\x1B[0m \x1B[1mbold\x1B[m\x07\n",
        "he\x08e\x08el\x08ll\x08lo\x08o\n",
        "line one\x0B line two\x0B",
    ] {
        assert_eq!(narrow(text.as_bytes()), Content::Ascii, "{text:?}");
    }
    assert_eq!(narrow(assembler.as_bytes()), Content::Ascii);
}

#[test]
fn numbered_fields_that_zeros_end_are_no_wide_units() {
    for prefix in ["f", "x", "id", "key", "col ", "Name"] {
        for first in [0, 10, 95, 100, 1000] {
            for count in [8, 50, 300] {
                let field = |at: usize| format!("{prefix}{}\0", first + at);
                let fields: String = (0..count).map(field).collect();
                assert_eq!(narrow(fields.as_bytes()), Content::Binary, "{fields:?}");
            }
        }
    }
}

#[test]
fn at_most_half_of_ascii_is_controls() {
    assert_eq!(narrow(b"Start\x02\x10\x11\x04\x05"), Content::Ascii);
    assert_eq!(narrow(b"Start\x02\x10\x11\x04\x05\x06"), Content::Binary);
}

#[test]
fn zero_bytes_are_binary_unless_they_are_padding_at_the_end() {
    for bytes in [
        &b"a.txt\0b.txt\0c/d.txt\0"[..],
        b"etc/passwd\0root\0",
        b"JOHN\0\0\0\0SMITH\0\0\0MARY\0\0\0\0JONES\0\0\0",
        b"key=value\0other=thing\0",
        b"one\0two",
        b"\0one two three",
        b"\0\0\0\0\0\0\0\0",
    ] {
        assert_eq!(narrow(bytes), Content::Binary, "{}", bytes.escape_ascii());
    }
    for end in [
        "\0",
        "\0\0\0",
        "\x1A",
        "\x1A\x1A\x1A\x1A",
        "\x1A\0\0\0",
        "\0\0\r\n\x1A\x1A",
        "\r\n\0",
    ] {
        let text = format!("The end of the file{end}");
        assert_eq!(narrow(text.as_bytes()), Content::Ascii, "{text:?}");
        assert_eq!(
            narrow(format!("{text}.").as_bytes()) == Content::Ascii,
            !end.contains('\0')
        );
    }
    let padded = |count: usize, after: &str| {
        let mut bytes = b"MOV AX,BX".to_vec();
        bytes.resize(count, 0);
        bytes.extend_from_slice(after.as_bytes());
        content(&bytes)
    };
    // Text after padding of any length counts, also beyond the first 4 KB.
    for count in [128, 4095, 4096, 4097, 20_000, 100_000] {
        assert_eq!(padded(count, ""), Content::Ascii, "{count}");
        assert_eq!(padded(count, "\r\n\x1A"), Content::Ascii, "{count}");
        assert_eq!(padded(count, "x"), Content::Binary, "{count}");
    }
    // Padding does not turn text into binary data.
    let german = encoded("windows-1252", "Grüße aus der schönen Stadt Köln\0\0\0\0");
    assert_eq!(narrow(&german), Content::Text);
    assert_eq!(narrow("Grüße\0\0\0".as_bytes()), Content::Text);
    assert_eq!(narrow("Grüße\0\0\0.".as_bytes()), Content::Binary);
}

#[test]
fn one_zero_byte_makes_legacy_text_binary() {
    let text = "Съешь ещё этих мягких французских булок, да выпей чаю. ".repeat(8);
    let mut bytes = encoded("windows-1251", &text);
    assert_eq!(narrow(&bytes), Content::Text);
    let middle = bytes.len() / 2;
    bytes[middle] = 0;
    assert_eq!(narrow(&bytes), Content::Binary);
}

#[test]
fn legacy_text_has_one_control_in_32_bytes_or_two_kinds() {
    let letters = encoded("windows-1252", "Öl für Müllers Mühle");
    let mut bytes = letters.repeat(5);
    bytes.truncate(93);
    bytes.extend_from_slice(b"\x01\x02\x03");
    assert_eq!(bytes.len(), 96);
    assert_eq!(narrow(&bytes), Content::Text);
    bytes.push(0x04);
    assert_eq!(narrow(&bytes), Content::Binary);
    let fields = encoded(
        "windows-1252",
        "1\u{1}Jörn Müller\u{1}30\u{2}2\u{1}Märy Schön\u{1}25\u{2}",
    );
    assert_eq!(narrow(&fields), Content::Text);
    let kinds = encoded(
        "windows-1252",
        "1\u{1}Jörn Müller\u{3}30\u{2}2\u{1}Märy Schön\u{1}25\u{2}",
    );
    assert_eq!(narrow(&kinds), Content::Binary);
}

/// Backspaces, tabs, line ends, form feeds and escapes are not counted as kinds of control characters.
#[test]
fn usual_controls_are_no_third_kind() {
    for control in (1..0x20).filter(|&control| control != 0x1A) {
        let field = [&encoded("windows-1252", "Jörn Müller")[..], &[control]].concat();
        let bytes = [field.repeat(4), b"Sch\xF6n \x01\x02 M\xE4ry.".to_vec()].concat();
        let is_usual = matches!(control, 1 | 2 | 8..=10 | 12 | 13 | 27);
        assert_eq!(narrow(&bytes) == Content::Text, is_usual, "{control:02X}");
    }
}

#[test]
fn legacy_text_has_at_most_one_control_in_four_bytes() {
    let letters = encoded("windows-1252", "Größe ");
    let text = |controls: usize| {
        let mut bytes = letters.repeat(2);
        bytes.extend(vec![1; controls]);
        bytes.extend_from_slice(&letters.repeat(2)[..11]);
        narrow(&bytes)
    };
    assert_eq!(text(7), Content::Text);
    assert_eq!(text(8), Content::Binary);
}

#[test]
fn few_controls_next_to_letters_are_no_noise() {
    let mut bytes = b"A line of ASCII that has nothing else in it.\n".repeat(10);
    bytes.extend_from_slice(b"\xD6l\x01\x02\x03f\xFCr\n");
    assert_eq!(narrow(&bytes), Content::Text);
}

#[test]
fn legacy_letters_among_controls_are_no_wide_units() {
    for (name, text) in [
        ("windows-1252", "é\tß\nà\tç\nö\tü\nñ\tå\n"),
        ("windows-1251", "а\tб\nв\tг\nд\tе\nж\tз\n"),
        (
            "windows-1251",
            "имя\u{1}город\u{1}30\nдата\u{1}адрес\u{1}25\n",
        ),
        ("KOI8-R", "имя\0город\0адрес\0"),
        ("EUC-KR", "대한민국\0"),
        ("EUC-KR", "서울\u{1}부산\u{1}대구\u{1}"),
        ("Shift_JIS", "東京\u{1}大阪\u{1}名古屋\u{1A}"),
        ("GBK", "北京\u{1}上海\u{1}广州\u{1A}"),
        ("Big5", "台北\u{1}高雄\u{1}臺中\u{1A}"),
        ("windows-1253", "α\tβ\nγ\tδ\nε\tζ\n"),
        ("windows-1255", "א\tב\nג\tד\nה\tו\n"),
    ] {
        narrow(&encoded(name, text));
    }
}

#[test]
fn a_text_that_goes_on_as_noise_is_binary() {
    let mut script = b"#!/bin/sh\n# An archive follows.\ntail -n +3 \"$0\" | tar x\n".repeat(120);
    let text = script.len();
    assert!(text > 4096);
    let mut state = 1_u32;
    script.extend(
        std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .take(8192),
    );
    assert_eq!(content(&script[..text]), Content::Ascii);
    assert_eq!(content(&script), Content::Binary);
}

/// After the first 4 KB, text may have control characters: one byte in 16, or one in four of only two kinds.
#[test]
fn a_text_that_goes_on_with_controls_is_text() {
    let begins = "Fields follow, with a control after each.\n".repeat(120);
    assert!(begins.len() > 4096);
    let after = |fields: &str| {
        let rest = encoded("windows-1251", &fields.repeat(100));
        content(&[begins.as_bytes(), &rest].concat())
    };
    // Two kinds of control characters make up one in six characters.
    assert_eq!(after("город\u{1}улица\u{2}"), Content::Text);
    assert_eq!(after("город\u{1}улица\u{2}адрес\u{3}"), Content::Binary);
    // Three kinds make up one in twenty.
    let long = ["\u{1}", "\u{2}", "\u{3}"].map(|control| format!("адресбезпромежутков{control}"));
    assert_eq!(after(&long.concat()), Content::Text);
    // Two kinds make up one in three.
    assert_eq!(after("он\u{1}мы\u{2}"), Content::Binary);
}

/// Returns starts of files, made from each format's specification, with the name of the format.
fn beginnings() -> impl Iterator<Item = (Vec<u8>, &'static str)> {
    let rows = include_str!("beginnings.txt").lines();
    rows.map(|row| {
        let (name, text) = row.split_once(" | ").expect(row);
        (unescaped(text, |part| part.into()), name)
    })
}

#[test]
fn formats_are_named_by_their_beginnings() {
    for (bytes, name) in beginnings() {
        assert_eq!(narrow(&bytes), Content::Binary, "{name}");
        let ranking = plain(&bytes);
        assert_eq!(ranking.format(), Some(name));
        assert!(ranking.is_empty());
        // The first bytes suffice to recognise the format.
        let mut detector = Detector::new();
        detector.feed(&[&bytes[..], &[b'a'; 8192]].concat());
        assert!(
            detector.is_decided()
                && detector.finish(&DetectHints::default()).format() == Some(name)
        );
    }
}

#[test]
fn an_archive_may_be_empty() {
    assert_eq!(plain(b"!<arch>\n").format(), Some("ar"));
}

#[test]
fn tar_is_known_by_the_sum_of_its_header() {
    let mut header = [0; 512];
    header[..9].copy_from_slice(b"README.md");
    header[100..108].copy_from_slice(b"0000644\0");
    header[124..136].copy_from_slice(b"00000000012\0");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum::<u32>() + 8 * 32;
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    assert_eq!(plain(&header).format(), Some("tar"));
    assert_eq!(plain(&header[..511]).format(), None);
    header[0] += 1;
    assert_eq!(plain(&header).format(), None);
}

#[test]
fn texts_that_begin_alike_have_no_format() {
    let lines = |text: &str| format!("{text}\nAnd more of it, in plain words.\n");
    for text in [
        "PDF files begin with %PDF-1.7 and a line end.",
        "static const char magic[] =\n\"%PDF-1.4\\n\";",
        "Header:\n%PDF-1.4\nThen the objects follow.",
        "%PDF is a comment.",
        "GIF89a is the name of a format.",
        "GIF87a",
        "RIFF, a container, may have WAVE in it.",
        "FORMALITIES",
        "BM and others",
        "BZh is short for it",
        "MZ are the initials of Mark Zbikowski.",
        "!<arch>\nis the first line of an archive.",
        "ID3 tags are in music.",
        "PK is the initials of Phil Katz.",
        "P6 100 200 255 are numbers.",
        "OTTO was here.",
        "OggS",
        "fLaC",
        "# v2 git bundles",
        "MThd is a chunk.",
        "dex\n035",
        "<#\r\nabccabcc#>",
        "SQLite format 3 is a file format.",
        "070701 is a date, and so is 070702.",
        "ustar",
        "PACKING LIST",
    ] {
        let text = lines(text);
        let ranking = plain(text.as_bytes());
        assert_eq!(
            (ranking.content(), ranking.format()),
            (Content::Ascii, None),
            "{text}"
        );
    }
    // In these encodings, the letters have the bytes of magic numbers.
    for (name, text) in [
        ("windows-1251", "яШя, сказал он, и ушёл домой."),
        ("windows-1251", "ЕРУЖ это не слово, а набор букв."),
        ("windows-1251", "юнъО это тоже не слово."),
    ] {
        let ranking = plain(&encoded(name, text));
        assert_eq!(
            (ranking.content(), ranking.format()),
            (Content::Text, None),
            "{text}"
        );
    }
    for text in [
        "老人与海是一部小说。",
        "Ěl se neví kam.",
        "]一二三四五六七八",
    ] {
        for name in ["UTF-16LE", "UTF-16BE"] {
            assert_eq!(plain(&encoded(name, text)).format(), None, "{name} {text}");
        }
    }
}

#[test]
fn a_mark_of_pdf_is_looked_for_in_1024_bytes() {
    let at = |count: usize| {
        let mut bytes = vec![b' '; count];
        bytes.extend_from_slice(b"\n%PDF-1.7\n1 0 obj\n");
        plain(&bytes).format()
    };
    assert_eq!(at(900), Some("PDF"));
    assert_eq!(at(1024), None);
}
