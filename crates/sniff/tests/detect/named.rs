//! Encodings that are recognised by structure, mostly without a decoder, and texts that resemble them.

use super::{encoded, plain};
use mojika::ISO_2022_JP;
use mojika_sniff::detect::{Content, DetectHints, Detector, detect};

/// Returns the content, which is the same for all splits.
fn content(bytes: &[u8]) -> Content {
    let ranking = plain(bytes);
    for at in 0..bytes.len() {
        let mut detector = Detector::new();
        detector.feed(&bytes[..at]);
        detector.feed(&bytes[at..]);
        let split = detector.finish(&DetectHints::default());
        assert_eq!(
            (&split[..], split.content()),
            (&ranking[..], ranking.content()),
            "{at}"
        );
    }
    let mut detector = Detector::new();
    bytes.chunks(1).for_each(|byte| detector.feed(byte));
    assert_eq!(
        detector.finish(&DetectHints::default()).content(),
        ranking.content()
    );
    ranking.content()
}

#[test]
fn encodings_of_iso_2022_are_named_by_their_escapes() {
    for (bytes, name) in [
        (
            &b"# \x1B$)C\x0E?@4C@:\x0F \x0E:q0!\x0F.\n\x0E3;@O@:\x0F \x0E8<@=\x0F.\n"[..],
            "ISO-2022-KR",
        ),
        (b"\x1B$)C only a header", "ISO-2022-KR"),
        (
            b"\x1B$)A\x0E=qK!\x0F and\n\x1B$)G\x0EGc\x0F\n",
            "ISO-2022-CN",
        ),
        (b"\x1B$*H\x1BN!!\n", "ISO-2022-CN"),
        (b"\x1B$)E\x0E=qK!\x0F\n", "ISO-2022-CN-EXT"),
        (b"\x1B$)A\x0E=qK!\x0F\x1B$+I\x1BO!!\n", "ISO-2022-CN-EXT"),
        (b"\x1B$(D0!0\"\x1B(B \x1B$B=u;z\x1B(B\n", "ISO-2022-JP-1"),
        (
            b"\x1B$BCfJ8\x1B(B \x1B$(CGQ19\x1B(B \x1B$A2;\x1B(B\n",
            "ISO-2022-JP-2",
        ),
        (b"\x1B.F \x1BNaE\n", "ISO-2022-JP-2"),
        (b"\x1B$(O.\"\x1B(B\n", "ISO-2022-JP-3"),
        (b"\x1B$(Q.\"\x1B$(P!!\x1B(B\n", "ISO-2022-JP-2004"),
    ] {
        assert_eq!(content(bytes), Content::Unsupported(name));
        assert!(plain(bytes).is_empty());
    }
    // An encoding with a decoder is also named.
    let japanese = b"\x1B$BFs!;!;8^G/\x1B(B \x1B(I6@6E\x1B(J\n";
    assert_eq!(content(japanese), Content::Text);
    assert_eq!(plain(japanese)[0].encoding, ISO_2022_JP);
}

#[test]
fn what_extended_decodes_is_an_answer_with_that_hint() {
    let mut hints = DetectHints {
        extended: true,
        ..DetectHints::default()
    };
    let named = |name| mojika::extended::for_name(name).unwrap();
    let (iso_2022_kr, hz) = (named("ISO-2022-KR"), named("HZ"));
    let (jp_1, jp_2004, utf_7) = (
        named("ISO-2022-JP-1"),
        named("ISO-2022-JP-2004"),
        named("UTF-7"),
    );
    let iso_2022_cn = named("ISO-2022-CN");
    let all = [iso_2022_kr, iso_2022_cn, hz, jp_1, jp_2004, utf_7];
    let korean = b"\x1B$)C\x0E0!0\"\x0F and ASCII\n";
    let chinese = b"~{VPND~} and ASCII\n";
    let both = b"\x1B$)A\x0E=;?5\x0F\n\x1B$)G\x0EGc\x0F\n";
    let japanese = b"\x1B$(D0!0\"\x1B(B \x1B$B=u;z\x1B(B\n";
    let later = b"\x1B$(Q.\"\x1B$(P!!\x1B(B\n";
    let russian = b"+BCEENQQzBD4ENAQ9BE8 +BDQEPgQ2BDQETA, +BDcEMAQyBEIEQAQw.";
    for (bytes, encoding) in [
        (&korean[..], iso_2022_kr),
        (chinese, hz),
        (both, iso_2022_cn),
        (japanese, jp_1),
        (later, jp_2004),
        (russian, utf_7),
    ] {
        let ranking = detect(bytes, &hints);
        assert_eq!(ranking[0].encoding, encoding);
        assert_eq!(ranking.content(), Content::Text);
        assert!(!encoding.decode(bytes).had_errors);
        hints.denied = &all;
        assert!(detect(bytes, &hints).is_empty());
        hints.denied = &[];
    }
    let other = b"\x1B$)E\x0E=;?5\x0F\n";
    assert_eq!(
        detect(other, &hints).content(),
        Content::Unsupported("ISO-2022-CN-EXT")
    );
}

#[test]
fn a_detector_is_shown_by_its_name() {
    assert_eq!(format!("{:?}", Detector::new()), "Detector { .. }");
}

#[test]
fn escapes_of_terminals_and_mixtures_are_named_nothing() {
    for bytes in [
        &b"\x1B$)C and \x1B[31m colours"[..],
        b"\x1B$)C\x0E?@\x0F \x1B$B=u\x1B(B",
        b"\x1B$)A\x0E?@\x0F \x1B$)C\x0E?@\x0F",
        b"\x1B)0 lines \x0Eqqq\x0F",
        b"\x1B$)Z\x0E?@\x0F",
        b"shift out \x0E and in \x0F",
    ] {
        assert_eq!(content(bytes), Content::Ascii, "{}", bytes.escape_ascii());
    }
}

#[test]
fn hz_is_named_by_its_sections() {
    for text in [
        "~{=qLlOBSj#,CwLlGg!#~}\n",
        "This sentence is in ASCII.\n~{<:Ky2;S{#,NpJ)l6HK!#~}Bye.\n",
        "~{VPND\nA line ends a section, ~{VPND~} too.",
        "A ~~ and a line ~\nthat goes on: ~{VPND~}",
    ] {
        assert_eq!(
            content(text.as_bytes()),
            Content::Unsupported("HZ-GB-2312"),
            "{text}"
        );
    }
    for text in [
        "~{VPND",
        "~{}~}",
        "~{V~}",
        "~{VP~}",
        // The text has only rare ideographs.
        "~{abcdefgh~}",
        "see ~{12} and ~{34~} of the manual",
        "~{VPND~} and ~{not this~}",
        "in TeX: Fig.~{\\bf 3}~ and $x~}$",
        "~user/bin ~/lib ~{a,b}/c",
        "~{~}~{~}~{~}",
        "~{xy{z~}",
    ] {
        assert_eq!(content(text.as_bytes()), Content::Ascii, "{text}");
    }
}

#[test]
fn utf_7_is_named_if_it_cannot_be_ascii() {
    for text in [
        "Gr+APwA3w-e aus K+APY-ln und D+APw-sseldorf, sch+APY-n ist es in +ANY-sterreich",
        "+BCEENQQzBD4ENAQ9BE8 +BDQEPgQ2BDQETA, +BDcEMAQyBEIEQAQw +BE8EQQQ9BD4.",
        "+Tspl5TBvlug-, +Zg5l5TBvZnQwjDBnMFcwhzBGMAI- 1 +- 1",
        // A plus sign within Base64 is a digit.
        "+T+F1KFNh and +T+FO+w, +Z2VP4Q 3",
    ] {
        assert_eq!(
            content(text.as_bytes()),
            Content::Unsupported("UTF-7"),
            "{text}"
        );
        // A single plus sign begins no Base64 sequence.
        for other in [" a+b", " 1 + 1", " C++", " +49 30", " +="] {
            assert_eq!(
                content(format!("{text}{other};").as_bytes()),
                Content::Ascii,
                "{other}"
            );
        }
        // UTF-7 does not contain non-ASCII bytes.
        assert_ne!(
            content(format!("{text} é").as_bytes()),
            Content::Unsupported("UTF-7")
        );
    }
    for text in [
        "for (i = 0; i < n; i++) sum += a[i] + b[i];",
        "+ELLIPSIS +ELLIPSIS +ELLIPSIS +ELLIPSIS +ELLIPSIS +ELLIPSIS +ELLIPSIS",
        "one +AOk- only",
        &"+ZeVnLIqe- and ".repeat(20),
        "+- is a plus sign, and +- is another",
        "Content-Transfer-Encoding: base64\n\n3q2+7w8fLz9PX29/j5+vv8/f7/8BI0VniavN7w+AhIiMkJSYnKCkqKw\n",
        "{\"a\":\"x+y\",\"b\":\"+1-555-0100\",\"date\":\"2024-01-01T00:00:00+01:00\"}",
        "/^[a-z]+[0-9]+$/ and (\\w+)-(\\d+)",
        "+x-pattern +y-pattern +z-pattern",
        "version 1.2.3+dfsg-1 and 4.5+git20240101",
        "~peter/mail/&U,BTFw-/&ZeVnLIqe- and &AOk-",
        "diff\n+import os\n+import sys\n",
        "+AGEAYgBj- +AGQAZQBm- +AGcAaABp-",
        "+2D0- +2D0- lone surrogates +3gA-",
    ] {
        assert_eq!(content(text.as_bytes()), Content::Ascii, "{text}");
    }
}

const GERMAN: &str = "Die Brücke über den Fluss wurde im März geöffnet! Früher mussten die Leute mit einem Boot übersetzen.\n";

#[test]
fn ebcdic_is_named_and_is_an_answer_if_asked_for() {
    let hints = DetectHints {
        extended: true,
        ..DetectHints::default()
    };
    let cards: String = [
        "//JOB1 JOB (ACCT),'A NAME'",
        "//STEP1 EXEC PGM=IEFBR14",
        "MOVE TOTAL TO LINE-OUT.",
    ]
    .iter()
    .map(|card| format!("{card:<80}"))
    .collect();
    for name in ["IBM037", "IBM500", "IBM1047"] {
        for text in [
            GERMAN,
            &cards,
            &GERMAN.to_uppercase(),
            "plain words of letters alone",
        ] {
            let bytes = encoded(name, text);
            assert_eq!(
                content(&bytes),
                Content::Unsupported("EBCDIC"),
                "{name} {text}"
            );
            assert!(plain(&bytes).is_empty());
        }
        let bytes = encoded(name, GERMAN);
        let ranking = detect(&bytes, &hints);
        assert_eq!(ranking.content(), Content::Text);
        assert_eq!(ranking[0].encoding.decode(&bytes).text, GERMAN, "{name}");
    }
    // A few words are not enough.
    let short = encoded("IBM037", "too short a text it is");
    assert_ne!(content(&short), Content::Unsupported("EBCDIC"));
    let twice = [&short[..], &short].concat();
    assert_eq!(content(&twice), Content::Unsupported("EBCDIC"));
}

#[test]
fn other_scripts_in_ebcdic_are_named() {
    // Hebrew, whose letters are below 0x80, and Greek.
    for bytes in [
        &b"EXEh@SAW@hHB@FAQIQ@VAFDK@AXHXF@BAQU@TiBq@TQDF@BST@bhBK"[..],
        b"V@\xAD\xAC\xBB\x8A\x9F\xB6\xBA@\x8E\xB5\xAA\x8A\x9C@\xAD\x9E\x8A\xBB\xB7\xBA@\x8E\x8D\xB9K@E\xAE\xBE\xB6\x9F\x8A\xAF\xBB\x8E@\x9D\xB1\x9B\x8E@\x8B\xAE\xB1\x8D\xBCK",
    ] {
        assert_eq!(content(bytes), Content::Unsupported("EBCDIC"));
    }
}

#[test]
fn text_in_ebcdic_has_a_space_in_sixteen_bytes_and_a_list_of_words_one_in_32() {
    let text = |word: &[u8]| content(&[word, b"@"].concat().repeat(4));
    // Half of these code units are letters, the others commas.
    let data = [0x83, 0x6B].repeat(20);
    assert_eq!(text(&data[..15]), Content::Unsupported("EBCDIC"));
    assert_ne!(text(&data[..16]), Content::Unsupported("EBCDIC"));
    assert_eq!(text(&[0x83; 31]), Content::Unsupported("EBCDIC"));
    assert_ne!(text(&[0x83; 32]), Content::Unsupported("EBCDIC"));
}

#[test]
fn tabs_and_line_ends_are_no_controls_in_ebcdic() {
    let lines = |end: u8| {
        content(
            &[&[0x83; 9][..], b"@", &[0x83; 9], &[end]]
                .concat()
                .repeat(8),
        )
    };
    for control in 0..0x40 {
        let is_text = matches!(control, 0x05 | 0x0C | 0x0D | 0x15 | 0x25);
        let is_found = lines(control) == Content::Unsupported("EBCDIC");
        assert_eq!(is_found, is_text, "{control:02X}");
    }
}

#[test]
fn hz_and_utf_7_are_looked_for_in_64_kb() {
    for (text, name) in [
        ("~{VPND~}", "HZ-GB-2312"),
        (
            "+BCEENQQzBD4ENAQ9BE8 +BDQEPgQ2BDQETA, +BDcEMAQyBEIEQAQw.",
            "UTF-7",
        ),
    ] {
        let after = |count: usize| {
            let bytes = [&vec![b' '; count], text.as_bytes()].concat();
            let whole = plain(&bytes).content();
            let mut detector = Detector::new();
            bytes.chunks(1000).for_each(|chunk| detector.feed(chunk));
            assert_eq!(detector.finish(&DetectHints::default()).content(), whole);
            whole
        };
        assert_eq!(after(65_536 - text.len()), Content::Unsupported(name));
        assert_eq!(after(65_536), Content::Ascii);
    }
}

#[test]
fn at_signs_are_no_spaces_of_ebcdic() {
    for text in [
        "a@b@c@d@e@f@g@h@i@j@k@l@m@n@o@p@q@r@s@t@1",
        "root@localhost,admin@example.org,info@example.com",
        "имя@сервер, другое@сервер, третье@сервер и ещё@сервер",
        "ИМЯ@ГОРОД@АДРЕС@ДАТА@НОМЕР@ЦЕНА@ИМЯ@ГОРОД 5",
    ] {
        for name in ["windows-1251", "KOI8-R"] {
            let content = content(&encoded(name, text));
            assert!(
                matches!(content, Content::Ascii | Content::Text),
                "{text} {content:?}"
            );
        }
    }
    assert_eq!(content(&[b'@'; 40]), Content::Ascii);
    // Text has no zero byte.
    let mut bytes = encoded("IBM037", GERMAN);
    bytes[10] = 0;
    assert_eq!(content(&bytes), Content::Binary);
}

/// A few seven-bit bytes may also be valid UTF-16.
#[test]
fn escapes_name_their_encoding_before_wide_units_do() {
    let hints = DetectHints {
        extended: true,
        ..DetectHints::default()
    };
    for lead in 0x21..0x7E {
        for trail in [0x21, 0x33, 0x7E] {
            for end in ["", "\n"] {
                let pair = [lead, trail];
                let korean = [b"\x1B$)C\x0E", &pair[..], b"\x0F", end.as_bytes()].concat();
                let ranking = detect(&korean, &DetectHints::default());
                assert_eq!(ranking.content(), Content::Unsupported("ISO-2022-KR"));
                assert!(ranking.is_empty(), "{korean:?}");
                let first = detect(&korean, &hints)[0];
                assert_eq!(first.encoding.name(), "ISO-2022-KR", "{korean:?}");
                let japanese = [b"\x1B$B", &pair[..], b"\x1B(B", end.as_bytes()].concat();
                let first = detect(&japanese, &DetectHints::default())[0];
                assert_eq!(first.encoding, mojika::ISO_2022_JP, "{japanese:?}");
            }
        }
    }
}
