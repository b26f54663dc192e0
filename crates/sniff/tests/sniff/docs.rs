//! Tests that docs/SNIFFING.md agrees with the code.

use mojika_sniff::{bom, contexts, xml};
use std::fmt::Write;

const PAGE: &str = include_str!("../../../../docs/SNIFFING.md");

fn hex(bytes: &[u8]) -> String {
    let bytes: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    bytes.join(" ")
}

/// Returns the rows of a section's table, without its heading row.
fn rows(section: &str) -> Vec<&'static str> {
    let (_, behind) = PAGE
        .split_once(&format!("\n## {section}\n"))
        .expect(section);
    let lines = behind.lines().take_while(|line| !line.starts_with("## "));
    lines.filter(|line| line.starts_with('|')).skip(2).collect()
}

#[test]
fn contexts_stand_in_the_docs() {
    let yes = |flag| if flag { "yes" } else { "no" };
    let expected: Vec<_> = contexts::TABLE
        .iter()
        .map(|row| {
            let mut line = format!("| {} | {} | {:?} ", row.id, row.name, row.operation);
            write!(line, "| {} | {} ", yes(row.streams), yes(row.legacy)).unwrap();
            write!(line, "| {:?} | {} ", row.bom, yes(row.user_override)).unwrap();
            write!(line, "| {} | {:?} ", yes(row.transport), row.sniffing).unwrap();
            write!(line, "| {:?} | {} ", row.fallback, yes(row.may_change)).unwrap();
            write!(line, "| {:?} |", row.errors).unwrap();
            line
        })
        .collect();
    assert_eq!(rows("Contexts"), expected);
}

#[test]
fn byte_order_marks_stand_in_the_docs() {
    let line = |(bytes, name): &(&[u8], &str)| format!("| {} | {name} |", hex(bytes));
    let expected: Vec<_> = bom::XML_TABLE.iter().map(line).collect();
    assert_eq!(rows("XML with a byte order mark"), expected);
}

#[test]
fn families_stand_in_the_docs() {
    for (line, row) in rows("XML without a byte order mark")
        .iter()
        .zip(&xml::TABLE)
    {
        let start = format!("| {} | {} |", hex(&row.bytes), row.family);
        assert!(line.starts_with(&start), "{line}\n{start}");
    }
}
