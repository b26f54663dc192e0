//! Line ends, normalization, and byte order marks within a text.

use super::common::tree::{folder, read, run, status};
use super::common::{has, run_in};
use crate::common::run_at;
use serde_json::Value;
use std::fs;

fn report(bytes: &[u8], name: &str) -> Value {
    let report = String::from_utf8(bytes.to_vec()).unwrap();
    let line = report.lines().find(|line| line.contains(name)).unwrap();
    serde_json::from_str(line).unwrap()
}

#[test]
fn every_line_end_becomes_the_one_that_is_named() {
    let text = "a\rb\r\nc\nd\u{85}é".as_bytes();
    let folder = folder(&[("a.txt", text)]);
    for (name, end) in [
        ("lf", "\n"),
        ("crlf", "\r\n"),
        ("cr", "\r"),
        ("nel", "\u{85}"),
    ] {
        let expected = ["a", "b", "c", "d", "é"].join(end);
        let said = run(&folder, &format!("convert --newline {name} a.txt"));
        assert_eq!(String::from_utf8(said.stdout).unwrap(), expected);
        let kind = name.to_uppercase().replace("CRLF", "CR LF");
        assert_eq!(
            said.stderr,
            format!("a.txt: mixed line ends, 1 LF, 1 CR LF, 1 CR, 1 NEL; all are {kind} now\n")
        );
        let again = run_in(
            folder.path(),
            &["convert", "--newline", name],
            expected.as_bytes(),
        );
        assert_eq!(again.ok(), expected.as_bytes());
    }
    // Byte 85 of windows-1252 is an ellipsis.
    let kept = run(&folder, "convert -q --from windows-1252 --newline lf a.txt");
    assert!(kept.stdout.ends_with("d\u{C2}…Ã©".as_bytes()));
}

#[test]
fn mixed_line_ends_and_interior_marks_are_in_summary_and_report() {
    let folder = folder(&[
        ("src/mixed.txt", b"a\r\nb\nc\xC3\xA9\r"),
        (
            "src/marks.txt",
            "\u{FEFF}a\u{FEFF}b\n\u{FEFF}é\n".as_bytes(),
        ),
        ("src/clean.txt", "é\n".as_bytes()),
        (
            "src/latin.txt",
            b"un \xE9l\xE8ve fran\xE7ais\r\nd\xE9j\xE0 vu\n",
        ),
    ]);
    let check = "check src --report report.jsonl";
    let said = status(&folder, check, 0);
    assert!(
        said.contains("mixed line ends:\n  src/latin.txt: 1 LF, 1 CR LF\n  src/mixed.txt: 1 LF, 1 CR LF, 1 CR\n")
            || said.contains("mixed line ends:\n  src/mixed.txt: 1 LF, 1 CR LF, 1 CR\n  src/latin.txt: 1 LF, 1 CR LF\n"),
        "{said}"
    );
    has(
        &said,
        "byte order marks after the start:\n  src/marks.txt: 2\n",
    );
    let lines = read(&folder, "report.jsonl");
    let ends = &report(&lines, "mixed.txt")["line_ends"];
    assert_eq!(
        *ends,
        serde_json::json!({"lf": 1, "crlf": 1, "cr": 1, "nel": 0})
    );
    assert_eq!(report(&lines, "marks.txt")["interior_bom"], 2);
    assert_eq!(report(&lines, "clean.txt")["interior_bom"], 0);

    let line = "convert --from auto src -o out --newline lf --bom none";
    let said = status(&folder, line, 0);
    has(&said, "src/mixed.txt: 1 LF, 1 CR LF, 1 CR");
    assert_eq!(read(&folder, "out/mixed.txt"), "a\nb\ncé\n".as_bytes());
    assert_eq!(read(&folder, "out/marks.txt"), "ab\né\n".as_bytes());
    assert_eq!(
        read(&folder, "out/latin.txt"),
        "un élève français\ndéjà vu\n".as_bytes()
    );
    // A second run changes nothing, even with a named encoding that is right for some of the files only.
    for from in ["auto", "latin1"] {
        let again = format!("convert --from {from} out --in-place --newline lf --bom none --force");
        let said = status(&folder, &again, 0);
        assert!(said.contains("4 in the output encoding already"), "{said}");
    }
    assert_eq!(read(&folder, "out/mixed.txt"), "a\nb\ncé\n".as_bytes());
    // `check` counts the line ends of standard input too.
    let said = run_at(folder.path(), "check", b"a\xC3\xA9\r\nb\n");
    assert!(
        said.stderr.ends_with("mixed line ends, 1 LF, 1 CR LF\n"),
        "{}",
        said.stderr
    );
}

#[test]
fn text_is_written_in_a_normalization_form() {
    let text = "Việt Nam, ﬁn, Å, e\u{301}\n";
    let folder = folder(&[("src/a.txt", text.as_bytes())]);
    for (form, expected) in [
        ("nfc", "Việt Nam, ﬁn, Å, é\n"),
        ("nfd", "Vie\u{323}\u{302}t Nam, ﬁn, A\u{30A}, e\u{301}\n"),
        ("nfkc", "Việt Nam, fin, Å, é\n"),
        ("nfkd", "Vie\u{323}\u{302}t Nam, fin, A\u{30A}, e\u{301}\n"),
    ] {
        let one = run(&folder, &format!("convert --normalize {form} src/a.txt"));
        assert_eq!(String::from_utf8(one.ok()).unwrap(), expected);
        let line = format!("convert --normalize {form} src -o {form}/");
        let said = status(&folder, &line, 0);
        assert!(said.contains("1 converted"), "{said}");
        let again = format!("convert --normalize {form} {form} --in-place");
        let said = status(&folder, &again, 0);
        assert!(said.contains("1 in the output encoding already"), "{said}");
    }
    // The report has the field only for files in which something was changed.
    fs::write(folder.path().join("src/b.txt"), "é\n").unwrap();
    status(
        &folder,
        "convert --normalize nfc src -o d/ --report r.jsonl",
        0,
    );
    let lines = fs::read(folder.path().join("r.jsonl")).unwrap();
    assert_eq!(report(&lines, "a.txt")["normalized"], 1);
    assert_eq!(report(&lines, "b.txt").get("normalized"), None);
    fs::remove_file(folder.path().join("src/b.txt")).unwrap();
    // An unmappable character that normalization creates is reported with the position of its source.
    let said = run(&folder, "convert --to iso-8859-5 --normalize nfd src/a.txt");
    assert_eq!(said.status, 1);
    said.says("U+0323 '\\u{323}' at byte offset 2 (line 1, column 3)");
    let joined = "x\ne".repeat(200_000) + "\u{301}";
    let said = run_at(
        folder.path(),
        "convert --to iso-8859-5 --normalize nfc",
        joined.as_bytes(),
    );
    said.says("U+00E9 'é' at byte offset 599999 (line 200001, column 1)");
}
