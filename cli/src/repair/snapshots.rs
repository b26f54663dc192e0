//! The undone text of each encoding in which text was read, as a table.

use super::*;
use mojika_spec::snapshot::compare;
use std::fmt::Write;

const LINES: [&str; 34] = [
    "é",
    "café",
    "École",
    "à",
    "Mettre à jour",
    "l’été — “quoted”…",
    "naïve café, déjà vu",
    "Übung, größer",
    "ñandú, señor",
    "5 €",
    "© 2005",
    "20 °C",
    "½ µm",
    "Łódź, zażółć",
    "Příliš žluťoučký kůň",
    "Şişli, ığdır",
    "ăîşţ",
    "Да",
    "Привет",
    "Съешь ещё булок",
    "Ωμέγα και άλφα",
    "עברית",
    "العربية",
    "ภาษาไทย",
    "Việt Nam, tiếng",
    "日本語",
    "文字化け",
    "中文",
    "昨天晚上下了一场大雨",
    "한국어",
    "😀",
    "a 😀 b",
    "x² + y²",
    "“",
];

/// The text after it was encoded in UTF-8 and read in another encoding, unless that has no character for some byte.
fn misread(text: &str, encoding: &'static Encoding) -> Option<String> {
    let read = encoding
        .decode_fatal(text.as_bytes(), BomHandling::Keep)
        .ok()?;
    Some(read.text.into_owned())
}

/// Returns a sign for the outcome. `=`: the text comes back by this reading, `+`: by another one.
/// `.`: the line stays, `?`: it was encoded twice in more ways than one. `!`: it becomes another
/// text, and a space: the reading has no character for some byte.
fn outcome(text: &str, encoding: &'static Encoding, rounds: usize) -> char {
    let mut line = text.to_owned();
    for _ in 0..rounds {
        match misread(&line, encoding) {
            Some(next) => line = next,
            None => return ' ',
        }
    }
    match undo(&line, &mut History::default()) {
        Undone::Clean => '.',
        Undone::Ambiguous => '?',
        Undone::Text(found, readings) if found == text => match readings[0] == encoding {
            true => '=',
            false => '+',
        },
        Undone::Text(..) => '!',
    }
}

#[test]
fn what_is_undone_is_what_was_reviewed() {
    let mut text = String::new();
    for (number, encoding) in readings().iter().enumerate() {
        writeln!(text, "{number:2} {}", encoding.name()).unwrap();
    }
    text += "\nA column for each reading, once, twice and three times:\n";
    for line in LINES {
        for rounds in 1..=3 {
            let outcomes: String = readings()
                .iter()
                .map(|encoding| outcome(line, encoding, rounds))
                .collect();
            write!(text, "{outcomes}  ").unwrap();
        }
        assert_eq!(undo(line, &mut History::default()), Undone::Clean, "{line}");
        writeln!(text, "{line}").unwrap();
    }
    text += "\nA column for each character, alone, within a word and twice:\n";
    for (first, last) in [
        ('\u{A0}', '\u{FF}'),
        ('\u{100}', '\u{17F}'),
        ('Α', 'ω'),
        ('А', 'я'),
        ('‐', '‧'),
    ] {
        let characters: String = (first..=last).collect();
        writeln!(text, "   {characters}").unwrap();
        for (number, encoding) in readings().iter().enumerate() {
            for form in ["{}", "a{}b", "{}{}"] {
                let outcomes = (first..=last)
                    .map(|one| outcome(&form.replace("{}", &one.to_string()), encoding, 1));
                let outcomes: String = outcomes.collect();
                if !outcomes.chars().all(|outcome| ". ".contains(outcome)) {
                    writeln!(text, "{number:2} {outcomes}  {form}").unwrap();
                }
            }
        }
    }
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/snapshots/repair.readings.txt"
    );
    compare(path, &text);
}

#[test]
fn what_is_undone_after_other_lines_is_what_was_reviewed() {
    let mut text = String::new();
    for encoding in readings() {
        let mut history = History::default();
        for line in LINES {
            let Some(line) = misread(line, encoding) else {
                continue;
            };
            let _ = undo(&line, &mut history);
        }
        let found = LINES.map(|line| match misread(line, encoding) {
            None => ' ',
            Some(misread) => match undo(&misread, &mut history) {
                Undone::Clean => '.',
                Undone::Ambiguous => '?',
                Undone::Text(found, _) if found == line => '=',
                Undone::Text(..) => '!',
            },
        });
        writeln!(
            text,
            "{}  {}",
            found.iter().collect::<String>(),
            encoding.name()
        )
        .unwrap();
    }
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/snapshots/repair.history.txt"
    );
    compare(path, &text);
}
