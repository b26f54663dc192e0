//! Encodings that are not the Standard's, from the command line.

mod common;

use common::run;
use mojika::{Encoding, extended};

#[test]
fn every_extended_encoding_converts_both_ways() {
    for encoding in extended::all().filter(|encoding| encoding.is_single_byte()) {
        let name = format!("extended:{encoding}");
        let text = "Hello <42>\n";
        let bytes = encoding.encode(text).unwrap();
        let written = run(
            &format!("convert --from utf-8 --to {name}"),
            text.as_bytes(),
        )
        .ok();
        assert_eq!(written, *bytes, "{encoding}");
        let read = run(&format!("convert --from {name}"), &written).ok();
        assert_eq!(read, text.as_bytes(), "{encoding}");
    }
}

#[test]
fn the_standards_labels_come_first() {
    assert_eq!(run("encodings latin1", b"").ok(), b"windows-1252\n");
    assert_eq!(run("encodings extended:latin1", b"").ok(), b"ISO-8859-1\n");
    assert_eq!(run("encodings cp28591", b"").ok(), b"ISO-8859-1\n");
    assert_eq!(run("encodings ebcdic-cp-us", b"").ok(), b"IBM037\n");
    let line = "unknown encoding 'ebcdic-cp-uss'; did you mean ebcdic-cp-us";
    let failed = run("encodings ebcdic-cp-uss", b"");
    assert!(failed.stderr.contains(line), "{}", failed.stderr);
}

#[test]
fn json_lists_both_rooms() {
    let json = String::from_utf8(run("encodings --json", b"").ok()).unwrap();
    let count = Encoding::all().len() + extended::all().count();
    assert_eq!(json.matches("\"name\"").count(), count);
    assert!(json.contains("\"name\": \"IBM273\", \"room\": \"extended\""));
    assert!(json.contains("\"windows_code_page\": 20273"));
    let lines = String::from_utf8(run("encodings", b"").ok()).unwrap();
    assert!(lines.contains("\nIBM437: ibm437, cspc8codepage437 (Windows code page 437)\n"));
}
