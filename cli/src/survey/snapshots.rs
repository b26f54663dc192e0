//! What is counted in all short texts of a few kinds of lines.

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
