//! The documents of the snapshots.

use crate::encoded;
use mojika::{
    EUC_JP, Encoding, GBK, ISO_2022_JP, KOI8_R, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252,
    extended,
};

pub const RUSSIAN: &str = "Вечером на веранде пили чай и говорили о лете.";
const FRENCH: &str = "Le garçon près de la fenêtre était déjà là.";
const JAPANESE: &str = "昨日の夜から雨が降り続いているので、傘をさした。";
const CHINESE: &str = "昨天晚上下了一场大雨，今天早晨街道上还有积水。";

/// A document and its name.
pub type Named = (String, Vec<u8>);

pub fn by_name(name: &str) -> &'static Encoding {
    // "ISO-2022-KR" and others are labels of "replacement".
    let outside =
        extended::for_name(name).filter(|encoding| encoding.name().eq_ignore_ascii_case(name));
    outside
        .or_else(|| Encoding::for_label(name))
        .unwrap_or_else(|| panic!("{name} is an encoding"))
}

/// Text that declares nothing.
pub fn plain() -> Vec<Named> {
    let texts = [
        ("windows-1252", FRENCH),
        ("windows-1252", "Copyright © 2005"),
        ("windows-1252", "Müller"),
        ("windows-1251", RUSSIAN),
        ("windows-1251", "Привет"),
        ("KOI8-R", RUSSIAN),
        ("IBM866", RUSSIAN),
        ("windows-1250", "Příliš žluťoučký kůň úpěl."),
        ("ISO-8859-7", "Άκου τη θάλασσα το βράδυ."),
        ("Shift_JIS", JAPANESE),
        ("EUC-JP", JAPANESE),
        ("ISO-2022-JP", JAPANESE),
        ("EUC-KR", "어제 저녁에는 비가 많이 와서 버스가 늦었다."),
        ("GBK", CHINESE),
        ("GBK", "中国"),
        ("gb18030", "這是一個測試，€ ☃ 漢字ㄱ"),
        ("Big5", "昨天晚上下了一場大雨，今天早晨街道上還有積水。"),
        ("IBM437", "Die Brücke über den Fluß wurde geöffnet."),
        (
            "IBM037",
            "The bridge over the river was opened, and all went home.\n",
        ),
        ("IBM437", "Naïve Brücke: Ω = 5 α und π, µ"),
        ("IBM437", "└──┘ der Übung, größer und schöner"),
        ("UTF-7", "Вечером на веранде пили чай."),
        ("ISO-2022-KR", "어제 저녁에는 비가"),
        ("UTF-8", RUSSIAN),
        ("UTF-8", "é"),
    ];
    let of_texts = texts.iter().map(|&(name, text)| {
        let bytes = encoded(by_name(name), text);
        (format!("{name}: {text}"), bytes)
    });
    let utf_16 = RUSSIAN.encode_utf16();
    let octets: [(&str, &[u8]); 21] = [
        ("nothing", b""),
        ("ASCII", b"Plain words in ASCII, and a line.\n"),
        ("a byte beyond ASCII", b"\xE9"),
        ("two bytes beyond ASCII", b"\xA4\xA2"),
        ("ASCII with controls", b"1\x01John\x0130\n2\x01Mary\x0125\n"),
        ("ASCII with NUL between names", b"a.txt\0b.txt\0c/d.txt\0"),
        ("ASCII padded with NUL", b"some text\n\0\0\0\0\0\0"),
        (
            "PNG",
            b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0\x1F\xF3",
        ),
        (
            "PDF",
            b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj\n<<>>\nendobj\n",
        ),
        (
            "controls and bytes beyond ASCII",
            b"\x01\x02\x90\x81\x03\x04\x8F\x9D\x05\x06\xFF\xFE\x07\x0E",
        ),
        (
            "well-formed UTF-8 with controls",
            b"\x01\x02\xC3\xA9\x03\x04\x05\xC3\xA9\x06\x07\x01\x02\x03\x04\xC3\xA9\x05",
        ),
        ("the mark of UTF-8", b"\xEF\xBB\xBF"),
        ("the mark of UTF-16LE", b"\xFF\xFE"),
        ("the mark of UTF-16BE", b"\xFE\xFF"),
        ("the mark of UTF-32LE", b"\xFF\xFE\0\0"),
        ("the mark of UTF-32BE", b"\0\0\xFE\xFF"),
        ("the mark of UTF-16LE and a character", b"\xFF\xFEa\0"),
        (
            "the mark of UTF-32LE and a character",
            b"\xFF\xFE\0\0a\0\0\0",
        ),
        (
            "the mark of UTF-8 before windows-1251",
            b"\xEF\xBB\xBF\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xCA\xE0\xEA \xE4\xE5\xEB\xE0?",
        ),
        (
            "the mark of UTF-16LE before ASCII",
            b"\xFF\xFEPlain words in ASCII, and a line.\n",
        ),
        (
            "the mark of UTF-16LE before windows-1251",
            b"\xFF\xFE\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xCA\xE0\xEA \xE4\xE5\xEB\xE0?",
        ),
    ];
    let of_octets = octets
        .iter()
        .map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec()));
    let russian = encoded(WINDOWS_1251, RUSSIAN);
    let damaged = |damage: &[u8]| [RUSSIAN.as_bytes(), damage, RUSSIAN.as_bytes()].concat();
    let made = [
        (
            "UTF-16LE",
            utf_16.clone().flat_map(u16::to_le_bytes).collect(),
        ),
        ("UTF-16BE", utf_16.flat_map(u16::to_be_bytes).collect()),
        (
            "UTF-32BE",
            RUSSIAN
                .chars()
                .flat_map(|one| u32::from(one).to_be_bytes())
                .collect(),
        ),
        ("UTF-8 with one malformed byte", damaged(b"\xE9")),
        ("UTF-8 with a sequence that is cut", damaged(b"\xD0 ")),
        (
            "UTF-8, cut at its end",
            [RUSSIAN.as_bytes(), b"\xD0"].concat(),
        ),
        (
            "a line of windows-1252 after UTF-8",
            [RUSSIAN.as_bytes(), b"\n", &encoded(WINDOWS_1252, FRENCH)].concat(),
        ),
        (
            "KOI8-R after windows-1251",
            [&russian[..], b"\n", &encoded(KOI8_R, RUSSIAN)].concat(),
        ),
        (
            "300 bytes of ASCII, then windows-1251",
            [&b"Plain words. ".repeat(24)[..], &russian].concat(),
        ),
        (
            "5000 bytes of ASCII, then windows-1251",
            [&b"Plain words. ".repeat(385)[..], &russian].concat(),
        ),
        (
            "70000 bytes of ASCII, then windows-1251",
            [&b"Plain words. ".repeat(5385)[..], &russian].concat(),
        ),
        (
            "70000 bytes of ASCII, then UTF-8",
            [&b"Plain words. ".repeat(5385)[..], RUSSIAN.as_bytes()].concat(),
        ),
        ("70000 bytes of windows-1251", russian.repeat(1522)),
        (
            "70000 bytes of UTF-8, then windows-1251",
            [RUSSIAN.repeat(843).as_bytes(), &russian].concat(),
        ),
    ];
    let made = made
        .into_iter()
        .map(|(name, bytes)| (name.to_owned(), bytes));
    of_texts.chain(of_octets).chain(made).collect()
}

/// The forms of declarations in documents: the text before and after it.
const FORMS: [(&str, &str, &str); 7] = [
    ("cookie", "# coding: {}\n", ""),
    ("meta", "<meta charset={}>\n<p>", "</p>"),
    ("XML", "<?xml version='1.0' encoding='{}'?>\n<p>", "</p>\n"),
    ("CSS", "@charset \"{}\";\n/* ", " */\n"),
    ("late meta", "LATE<meta charset={}>\n<p>", "</p>"),
    (
        "late cookie",
        "LATE# coding: {}\n",
        "\n# vim: set fenc={} :\n",
    ),
    ("modeline", "", "\n# vim: set fenc={} :\n"),
];

/// Text with declarations, that are right or not.
pub fn declaring() -> Vec<Named> {
    let rows: [(&'static Encoding, &str, &[&str]); 9] = [
        (
            WINDOWS_1251,
            RUSSIAN,
            &[
                "windows-1251",
                "windows-1252",
                "koi8-r",
                "utf-8",
                "utf-16",
                "utf-16le",
                "klingon",
                "shift_jis",
                "x-user-defined",
            ],
        ),
        (
            WINDOWS_1252,
            "Copyright © 2005",
            &["windows-1251", "utf-8", "euc-jp"],
        ),
        (WINDOWS_1252, FRENCH, &["macintosh", "iso-8859-2", "utf-8"]),
        (
            UTF_8,
            RUSSIAN,
            &["utf-8", "windows-1251", "utf-16", "us-ascii"],
        ),
        (
            UTF_8,
            "plain",
            &[
                "windows-1251",
                "utf-16",
                "utf-7",
                "replacement",
                "iso-2022-jp",
                "utf-32",
            ],
        ),
        (SHIFT_JIS, JAPANESE, &["shift_jis", "euc-jp"]),
        (EUC_JP, JAPANESE, &["shift_jis", "gbk"]),
        (GBK, CHINESE, &["big5", "gb18030"]),
        (
            ISO_2022_JP,
            JAPANESE,
            &["iso-2022-jp", "utf-8", "windows-1252"],
        ),
    ];
    let mut documents = Vec::new();
    for (row, (encoding, text, labels)) in rows.into_iter().enumerate() {
        // All forms for the first text, and every other for the rest.
        let step = if row == 0 { 1 } else { 2 };
        for (form, before, after) in FORMS.into_iter().skip(row % step).step_by(step) {
            for label in labels {
                let filler = format!("<!--{}-->\n", " ".repeat(5000));
                let before = before.replace("{}", label).replace("LATE", &filler);
                let after = after.replace("{}", label);
                let text = encoded(encoding, text);
                let document = [before.as_bytes(), &text, after.as_bytes()].concat();
                let shown = encoding.name();
                documents.push((format!("{shown}, {form} {label}"), document));
            }
        }
    }
    let ebcdic = "<?xml version='1.0' encoding='IBM1047'?><a>42</a>";
    let wide = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect::<Vec<u8>>()
    };
    documents.extend([
        (
            "IBM1047, XML IBM037".to_owned(),
            encoded(by_name("IBM1047"), "<?xml version='1.0' encoding='IBM037'?><a>The list [of all] things: what! remains | here, and [more] of it</a>"),
        ),
        (
            "EBCDIC, XML IBM1025".to_owned(),
            encoded(by_name("IBM1025"), "<?xml version='1.0' encoding='IBM1025'?><a>Вечером на веранде пили чай.</a>"),
        ),
        (
            "EBCDIC, XML IBM1047".to_owned(),
            encoded(by_name("IBM1047"), ebcdic),
        ),
        (
            "UTF-16BE, XML utf-16".to_owned(),
            wide("<?xml version='1.0' encoding='utf-16'?><a>42</a>"),
        ),
        (
            "UTF-16BE, XML utf-8".to_owned(),
            wide("<?xml version='1.0' encoding='utf-8'?><a>42</a>"),
        ),
        (
            "UTF-16BE, meta utf-8".to_owned(),
            wide("<meta charset=utf-8><p>some words</p>"),
        ),
        (
            "the mark of UTF-8, XML koi8-r".to_owned(),
            b"\xEF\xBB\xBF<?xml version='1.0' encoding='koi8-r'?><a>42</a>".to_vec(),
        ),
        (
            "the mark of UTF-8, meta koi8-r".to_owned(),
            b"\xEF\xBB\xBF<meta charset=koi8-r><p>some words".to_vec(),
        ),
        (
            "70000 bytes of windows-1251 before a late meta koi8-r".to_owned(),
            [
                &encoded(WINDOWS_1251, RUSSIAN).repeat(1522),
                &b"<meta charset=koi8-r>"[..],
            ]
            .concat(),
        ),
        (
            "70000 bytes of ASCII before a late meta windows-1251".to_owned(),
            [
                &b"Plain words. ".repeat(5385)[..],
                b"<meta charset=windows-1251>",
                &encoded(WINDOWS_1251, RUSSIAN),
            ]
            .concat(),
        ),
    ]);
    documents
}
