//! The counts of all short texts of a few kinds of lines.

use super::*;
use mojika::WINDOWS_1251;
use mojika_spec::snapshot::compare;
use std::fmt::Write;

/// A line of each kind, by a letter: ASCII, UTF-8 with few characters and many, another encoding with few and many, UTF-8 with a
/// damaged character, escapes of ISO-2022-JP.
fn line(kind: char) -> Vec<u8> {
    let russian = "Привет, мир: строка журнала";
    match kind {
        'a' => b"a line of ASCII".to_vec(),
        'u' => "a café".into(),
        'U' => russian.into(),
        'o' => b"a caf\xE9".to_vec(),
        'O' => WINDOWS_1251.encode(russian).unwrap().into_owned(),
        'd' => [russian.as_bytes(), b"\xD0 ", russian.as_bytes()].concat(),
        _ => b"a \x1B$B3$\x1B(B".to_vec(),
    }
}

fn place(place: Option<&Place>) -> String {
    place.map_or("-".to_owned(), |place| {
        let (line, column) = place.line.unwrap_or_default();
        format!("{} ({line}:{column})", place.offset)
    })
}

#[test]
fn what_is_counted_of_lines_is_what_was_reviewed() {
    let kinds = ["a", "u", "U", "o", "O", "d", "e"].map(String::from);
    let longer = |texts: &[String]| -> Vec<String> {
        let pairs = texts
            .iter()
            .flat_map(|text| kinds.iter().map(move |kind| format!("{text}{kind}")));
        pairs.collect()
    };
    let two = longer(&kinds);
    let three = longer(&two);
    let mut text = String::from(
        "lines of UTF-8 and others; changes; characters; well-formed and malformed among others; first; sample; mixed; damaged; escaped; parts\n",
    );
    for (end, name, last) in [
        ("\n", "LF", true),
        ("\n", "LF, none at the end", false),
        ("\r\n", "CR LF", true),
        ("\r", "CR", true),
    ] {
        writeln!(text, "\n{name}").unwrap();
        let all = [&kinds[..], &two, &three].concat();
        // Of other line ends, the shorter texts.
        for pattern in all
            .iter()
            .filter(|pattern| pattern.len() < 3 || (name == "LF" && pattern.len() == 3))
        {
            let lines: Vec<Vec<u8>> = pattern.chars().map(line).collect();
            let mut bytes = lines.join(end.as_bytes());
            if last {
                bytes.extend_from_slice(end.as_bytes());
            }
            let survey = Survey::of(&bytes[..]).unwrap();
            let parts: Vec<String> = survey
                .parts
                .unlike()
                .map(|(at, _)| place(Some(&at)))
                .collect();
            writeln!(
                text,
                "{pattern:4} {:?}; {}; {}; {:?}; {}; {}; {}; {}; {}; {}",
                survey.lines(),
                survey.changes,
                survey.characters,
                survey.others,
                place(survey.first.as_ref()),
                survey.sample.len(),
                survey.is_mixed(),
                survey.is_mixed_or_damaged(),
                place(escaped(&bytes).as_ref()),
                parts.join(" "),
            )
            .unwrap();
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots/survey.txt");
    compare(path, &text);
}

/// A text of `count` characters in `utf_8` lines of UTF-8, and other lines.
///
/// Each entry of `others` is a line: its numbers of well-formed and malformed sequences. Lines of both kinds take turns if they are
/// apart.
fn mixture(count: usize, utf_8: usize, others: &[(usize, usize)], is_apart: bool) -> Vec<u8> {
    let ours = (0..utf_8).map(|line| {
        let length = if line == 0 { count + 1 - utf_8 } else { 1 };
        ("é".repeat(length) + "\n").into_bytes()
    });
    let others = others.iter().map(|&(valid, invalid)| {
        [
            "é".repeat(valid).into_bytes(),
            b"\xFF ".repeat(invalid),
            b"\n".to_vec(),
        ]
        .concat()
    });
    if is_apart {
        let (mut ours, mut others) = (ours, others);
        let mut text = Vec::new();
        loop {
            let pair = [ours.next(), others.next()];
            if pair == [None, None] {
                return text;
            }
            text.extend(pair.into_iter().flatten().flatten());
        }
    }
    ours.chain(others).flatten().collect()
}

/// The fewest characters of UTF-8 that chance excludes: more are needed in more lines and in more places, fewer where more of the
/// rest is malformed.
#[test]
fn lines_of_utf_8_need_as_many_characters_as_reviewed() {
    let mut text = String::from(
        "lines of UTF-8; others, each with its well-formed and malformed sequences; fewest characters, together and apart\n",
    );
    for utf_8 in [1, 2, 5, 20] {
        for others in [
            &[(0, 4)][..],
            &[(0, 2), (0, 2)],
            &[(0, 9)],
            &[(3, 4)],
            &[(8, 4)],
            &[(0, 1); 10],
            &[(1, 1); 10],
            &[(2, 3); 40],
        ] {
            let fewest = [false, true].map(|is_apart| {
                (utf_8..2000).find(|&count| {
                    let text = mixture(count, utf_8, others, is_apart);
                    Survey::of_text(&text).is_mixed()
                })
            });
            let [together, apart] =
                fewest.map(|count| count.map_or("none".to_owned(), |count| count.to_string()));
            let (count, (valid, invalid)) = (others.len(), others[0]);
            writeln!(
                text,
                "{utf_8:2}; {count:2} ({valid}, {invalid}); {together}, {apart}"
            )
            .unwrap();
        }
    }
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/snapshots/survey.fewest.txt"
    );
    compare(path, &text);
}

/// A line of the kinds that parts are about, by a letter: long lines in two encodings, the same in upper case, short ones, one
/// whose letters are far from the first, and ASCII.
fn part_line(kind: char, number: usize) -> Vec<u8> {
    let sentences = [
        "строка журнала с русским текстом и ошибкой",
        "вечером на веранде пили чай с вареньем",
        "съешь ещё этих мягких французских булок",
        "мост через реку починили только к осени",
    ];
    let sentence = sentences[number % sentences.len()];
    let far = format!("и: {}{sentence}", "a".repeat(80));
    let (encoding, text) = match kind {
        'k' => (mojika::KOI8_R, sentence.to_owned()),
        'w' => (WINDOWS_1251, sentence.to_owned()),
        'K' => (mojika::KOI8_R, sentence.to_uppercase()),
        'l' => (mojika::KOI8_R, sentence.chars().take(6).collect()),
        'x' => (WINDOWS_1251, sentence.chars().take(6).collect()),
        'y' => (WINDOWS_1251, "и".to_owned()),
        'f' => (WINDOWS_1251, far),
        'i' => (WINDOWS_1251, format!("{}{sentence}", "a".repeat(100))),
        _ => (WINDOWS_1251, "ascii".to_owned()),
    };
    let mut line = encoding.encode(&text).unwrap().into_owned();
    line.push(b'\n');
    line
}

/// Texts of two encodings, and of one: which lines are unlike the rest.
#[test]
fn parts_that_are_unlike_the_rest_are_those_that_were_reviewed() {
    let mut table = String::from(
        "lines, by their letters, and where each kind begins; then where each unlike part begins, and its length\n",
    );
    let alternating = "k5 w5 ".repeat(12);
    for pattern in [
        "k60",
        "w60",
        "k1",
        "k2",
        "k60 w1",
        "k60 w2",
        "w1 k60",
        "w2 k60",
        "w60 k2",
        "k30 w2 k30",
        "k30 w6 k30",
        "k6 w30 k6",
        "k60 w6 k6",
        "k1 w1",
        "k1 w2",
        "k2 w1",
        "k1 k1",
        "w4 k4",
        "k60 a9 w2",
        "k60 a9 w2 a9",
        "a9 w2 a9 k60",
        "k40 K4",
        "k40 K4 k40",
        "l60 x4",
        "l60 x8",
        "l60 x20",
        "x20 l60",
        "l60 x8 l60",
        "k20 y20",
        "k20 y23",
        "k20 y24",
        "k20 y25",
        "y23 k20",
        "y24 k20",
        "y40 k20",
        "k20 y64 k20",
        "y20",
        "y23",
        "y47",
        "y48",
        "y24 l3",
        "y24 l5",
        "k40 f1",
        "f1 k40",
        "k40 f3 k40",
        "k20 i2",
        "k20 i9",
        "i9 k20",
        "k20 w20",
        "k5 w5 k5 w5",
        &alternating,
    ] {
        let (mut text, mut begins) = (Vec::new(), Vec::new());
        for group in pattern.split_whitespace() {
            begins.push(text.len().to_string());
            let (kind, count) = group.split_at(1);
            for number in 0..count.parse().unwrap() {
                text.extend(part_line(kind.chars().next().unwrap(), number));
            }
        }
        let survey = Survey::of(&text[..]).unwrap();
        let found: Vec<String> = survey
            .parts
            .unlike()
            .map(|(place, part)| format!("{}+{}", place.offset, part.len()))
            .collect();
        let lengths = begins.join(" ");
        writeln!(
            table,
            "{} ({lengths}, end {}): {}",
            pattern.trim(),
            text.len(),
            found.join(" ")
        )
        .unwrap();
    }
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/snapshots/survey.parts.txt"
    );
    compare(path, &table);
}
