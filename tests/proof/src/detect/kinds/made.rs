//! Generates lines, damaged text and control characters.

use mojika_spec::random::Random;

/// Short texts with signs and words of windows-1252 that ASCII lacks. A number replaces each `#`.
const SIGNS: [&str; 64] = [
    "Price: £#",
    "£#.99",
    "£#",
    "© # Example Ltd.",
    "Copyright © #",
    "©#",
    "#°C (#°F)",
    "# °C",
    "#° N",
    "area (# m²)",
    "m² = #",
    "# cm³",
    "m³/h",
    "# µs",
    "µg/m³",
    "#µ",
    "a\u{A0}b",
    "#\u{A0}000",
    "\u{A0}# km",
    "it’s #",
    "the customer’s",
    "‘#’",
    "“#”",
    "“so to say”",
    "# – #",
    "#–#",
    "yes — no",
    "wait … #",
    "…",
    "€#",
    "# €",
    "• item #",
    "• one",
    "Brand® #",
    "®",
    "Thing™",
    "§ #",
    "§§ #–#",
    "¶",
    "« # »",
    "#·#",
    "# × #",
    "#×#",
    "# ÷ #",
    "½",
    "# ½",
    "¼ cup",
    "¾",
    "± #",
    "±#",
    "¡# !",
    "¿# ?",
    "Nº #",
    "#ª",
    "#¢",
    "¥#",
    "¬#",
    "café",
    "naïve",
    "Zürich",
    "São Paulo",
    "Malmö",
    "señor",
    "Müller",
];

/// Names and amounts of money in ten languages. A number replaces each `#`.
const NAMES: [&str; 20] = [
    "Jörg Krüger; # €",
    "Groß & Söhne",
    "Hélène Lefèvre, # F",
    "Crédit Français",
    "Íñigo Muñoz: # pts",
    "Peñón",
    "João Conceição - R$ #",
    "Açúcar",
    "Sjöström, Åke # kr",
    "Björk",
    "Øyvind Sæther, # kr",
    "Ærø",
    "Mäkelä #,-",
    "Järvi",
    "Þórður Guðjónsson # kr.",
    "Niccolò È # lire",
    "Citroën",
    "Noël # fl",
    "Núria Solà",
    "l·lació",
];

/// Returns a line or a short document with a character outside of ASCII, and the name of its form.
pub fn line(random: &mut Random, english: &[String], number: usize) -> (&'static str, String) {
    let sign = |random: &mut Random| {
        let pattern = match random.below(4) {
            0 => random.pick(&NAMES),
            _ => random.pick(&SIGNS),
        };
        let parts: Vec<&str> = pattern.split('#').collect();
        parts.join(&(1 + random.below(999)).to_string())
    };
    let end = *random.pick(&["\n", "\n", "\r\n", "\r"]);
    let words = |random: &mut Random, count: usize| {
        let lines: Vec<&str> = (0..count).map(|_| random.pick(english).as_str()).collect();
        lines.join(end)
    };
    let count = *random.pick(&[0, 1, 4, 30, 400]);
    match number % 10 {
        0 | 1 => ("alone", sign(random)),
        2 => (
            "first",
            format!("{}{end}{}", sign(random), words(random, count)),
        ),
        3 => (
            "last",
            format!("{}{end}{}", words(random, count), sign(random)),
        ),
        4 => {
            let (before, after) = (words(random, count), words(random, count));
            ("middle", format!("{before} {} {after}", sign(random)))
        }
        5 => {
            let mut text = format!("id,what,how much{end}");
            for row in 0..=count {
                let cell = if random.below(3) > 0 {
                    "-".to_owned()
                } else {
                    sign(random)
                };
                text += &format!("{row},{cell},{}{end}", random.below(900));
            }
            ("table", text + "total," + &sign(random))
        }
        6 => (
            "comment",
            format!(
                "/* {} */{end}int i;{end}{}",
                sign(random),
                words(random, count)
            ),
        ),
        7 => {
            let paragraphs = words(random, count).replace(end, "</p><p>");
            (
                "page",
                format!(
                    "<html><body><p>{paragraphs}</p><i>{}</i></body></html>",
                    sign(random)
                ),
            )
        }
        8 => (
            "setting",
            format!(
                "[a]{end}key = {}{end}text = {}{end}",
                sign(random),
                words(random, 1)
            ),
        ),
        _ => {
            let list: Vec<String> = (0..1 + random.below(12)).map(|_| sign(random)).collect();
            ("list", list.join(end))
        }
    }
}

/// Ways to damage UTF-8.
pub const DAMAGES: [&str; 9] = [
    "E9",
    "FF",
    "C0 80",
    "continuation lost",
    "lead lost",
    "CESU-8",
    "Latin-1 line",
    "quotes",
    "cut off",
];

/// Returns the text with one of [`DAMAGES`], between two of its characters.
pub fn damage(text: &[u8], damage: &str, random: &mut Random) -> Vec<u8> {
    let leads: Vec<usize> = (0..text.len()).filter(|&at| text[at] >= 0xC2).collect();
    let at = *random.pick(&leads);
    let with = |bytes: &[u8]| [&text[..at], bytes, &text[at..]].concat();
    match damage {
        "E9" => with(b"\xE9"),
        "FF" => with(b"\xFF"),
        "C0 80" => with(b"\xC0\x80"),
        "continuation lost" => [&text[..=at], &text[at + 2..]].concat(),
        "lead lost" => [&text[..at], &text[at + 1..]].concat(),
        "CESU-8" => with(b"\xED\xA0\xBD\xED\xB2\xA9"),
        "Latin-1 line" => [text, b"Sch\xF6ne Gr\xFC\xDFe\n"].concat(),
        "quotes" => with(b"\x93x\x94"),
        _ => text[leads[0] + 1..text.len() - 2].to_vec(),
    }
}

/// Returns the text in upper case. Greek has no accents then, as on signs in the street.
pub fn upper(text: &str, language: &str) -> String {
    let upper = text.to_uppercase();
    if language != "el" {
        return upper.replace('\n', " ");
    }
    let plain = |letter| match letter {
        'Ά' => 'Α',
        'Έ' => 'Ε',
        'Ή' => 'Η',
        'Ί' | 'Ϊ' => 'Ι',
        'Ό' => 'Ο',
        'Ύ' | 'Ϋ' => 'Υ',
        'Ώ' => 'Ω',
        '\n' => ' ',
        other => other,
    };
    upper.chars().map(plain).collect()
}

/// Returns ASCII with control characters, and the name of its form.
pub fn controls(random: &mut Random, english: &[String], number: usize) -> (&'static str, Vec<u8>) {
    let count = *random.pick(&[2, 6, 40, 500]);
    let mut words: Vec<&str> = Vec::new();
    while words.len() < count {
        words.extend(random.pick(english).split(' '));
    }
    words.truncate(count);
    let padded = |pad: u8, unit: usize| {
        let mut bytes = words.join(" ").into_bytes();
        bytes.resize(bytes.len().next_multiple_of(unit), pad);
        bytes
    };
    let fields = |separator: &str, end: &str| {
        let rows = words.chunks(3).map(|row| row.join(separator) + end);
        rows.collect::<String>().into_bytes()
    };
    match number % 12 {
        0 => ("NUL between", fields("/", "\0")),
        1 => ("01 between", fields("\x01", "\n")),
        2 => ("NUL after", padded(0, 512)),
        3 => ("1A after", padded(0x1A, 128)),
        4 => (
            "shifts",
            format!("\x0E{}\x0F", words.join(" ")).into_bytes(),
        ),
        5 => (
            "DLE",
            format!("\x10\x02{}\x10\x03", words.join(" ")).into_bytes(),
        ),
        6 => {
            let letters = words.iter().filter_map(|word| word.get(..1));
            (
                "letters",
                letters
                    .map(|letter| format!("{letter}\t1\n"))
                    .collect::<String>()
                    .into_bytes(),
            )
        }
        7 => ("pairs", fields("=", "\0\0")),
        8 => ("separators", fields("\x1F", "\x1E")),
        9 => (
            "overstruck",
            words
                .iter()
                .map(|word| format!("_\x08{word} "))
                .collect::<String>()
                .into_bytes(),
        ),
        10 => (
            "colours",
            words
                .iter()
                .map(|word| format!("\x1B[1m{word}\x1B[0m "))
                .collect::<String>()
                .into_bytes(),
        ),
        _ => {
            let records = words.iter().flat_map(|word| {
                let mut record = word.as_bytes().to_vec();
                record.resize(12, 0);
                record
            });
            ("records", records.collect())
        }
    }
}

/// Languages and encodings, with words that have vowel points.
pub const POINTED: [(&str, &str, &[&str]); 2] = [
    (
        "he",
        "windows-1255",
        &[
            "סֵפֶר",
            "יֶלֶד",
            "מֶלֶךְ",
            "בַּיִת",
            "שֻׁלְחָן",
            "תַּלְמִיד",
            "מִשְׁפָּחָה",
            "חָכְמָה",
            "שִׁיר",
            "יְרוּשָׁלַיִם",
            "עִבְרִית",
            "לִכְתּוֹב",
            "דָּבָר",
            "אִמָּא",
            "אַבָּא",
            "בֹּקֶר",
            "עֶרֶב",
            "שֶׁמֶשׁ",
            "גָּדוֹל",
            "קָטָן",
            "הָלַךְ",
            "אֶל",
            "עַל",
            "וְהוּא",
            "כָּל",
        ],
    ),
    (
        "ar",
        "windows-1256",
        &[
            "كِتَابٌ",
            "مَدْرَسَةٌ",
            "قَلَمٌ",
            "بَيْتٌ",
            "وَلَدٌ",
            "كَبِيرٌ",
            "جَمِيلٌ",
            "يَكْتُبُ",
            "ذَهَبَ",
            "إِلَى",
            "مِنْ",
            "السُّوقِ",
            "اللُّغَةُ",
            "العَرَبِيَّةُ",
            "شُكْرًا",
            "مُعَلِّمٌ",
            "سَيَّارَةٌ",
            "مَاءٌ",
        ],
    ),
];
