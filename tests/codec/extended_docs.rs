//! docs/EXTENDED.md lists the encodings of the code.

use mojika::{Encoding, extended};
use std::collections::BTreeMap;

fn lines() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/EXTENDED.md");
    let docs = std::fs::read_to_string(path).unwrap();
    docs.lines().map(str::to_owned).collect()
}

/// Returns the rows of the table with this head.
fn rows(head: &str) -> Vec<String> {
    let lines = lines();
    let start = lines
        .iter()
        .position(|line| line.starts_with(head))
        .unwrap();
    let rows = lines[start + 2..].iter();
    rows.take_while(|line| line.starts_with('|'))
        .cloned()
        .collect()
}

#[test]
fn every_encoding_is_listed_with_its_names() {
    let expected: Vec<String> = extended::all()
        .map(|encoding| {
            let aliases: Vec<&str> = extended::names(encoding).skip(1).collect();
            let aliases = match &aliases[..] {
                [] => "–".to_owned(),
                aliases => aliases.join(", "),
            };
            let number = encoding.windows_code_page();
            let number = number.map_or("–".to_owned(), |number| number.to_string());
            format!("| {encoding} | {aliases} | {number} |")
        })
        .collect();
    assert_eq!(rows("| encoding | aliases"), expected);
}

#[test]
fn every_name_that_both_lookups_know_is_listed() {
    let mut shared = BTreeMap::<_, Vec<String>>::new();
    for (number, encoding) in extended::all().enumerate() {
        for name in extended::names(encoding) {
            if let Some(standard) = Encoding::for_label(name) {
                let names = shared.entry((number, encoding.name(), standard.name()));
                names.or_default().push(name.to_lowercase());
            }
        }
    }
    let expected: Vec<String> = shared
        .into_iter()
        .map(|((_, here, standard), names)| {
            format!("| {} | {standard} | {here} |", names.join(", "))
        })
        .collect();
    assert_eq!(rows("| name | `Encoding::for_label`"), expected);
}
