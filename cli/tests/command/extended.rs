//! Encodings outside the Standard, from the command line.

use crate::common::{malformed, run, run_in, unmappable};
use mojika::{BomHandling, Encoding, extended};
use mojika_spec::sample::in_turns;
use std::path::Path;

#[test]
fn every_extended_encoding_converts_a_file_both_ways() {
    let folder = std::env::temp_dir().join(format!("mojika-extended-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for encoding in in_turns(extended::all(), 4, 1) {
        let line = match encoding.code_unit_len() {
            // Double-byte encodings without single bytes have no line ends.
            2 => "Ｈｅｌｌｏ　＜４２＞",
            _ => "Hello <42>\n",
        };
        let mut text = line.repeat(100);
        // The line has all characters of a code page, so that each byte is converted.
        let all: Vec<u8> = (0..=255).collect();
        let own = encoding.decode_with(&all, BomHandling::Keep).text;
        text.extend(own.chars().filter(|c| *c != '\u{FFFD}'));
        std::fs::write(folder.join("text"), &text).unwrap();
        let name = format!("extended:{encoding}");
        let line = [
            "convert", "--from", "utf-8", "--to", &name, "text", "-o", "bytes",
        ];
        run_in(&folder, &line, b"").ok();
        let bytes = std::fs::read(folder.join("bytes")).unwrap();
        assert_eq!(bytes, *encoding.encode(&text).unwrap(), "{encoding}");
        let line = ["convert", "--from", &name, "bytes", "-o", "back"];
        run_in(&folder, &line, b"").ok();
        assert!(
            std::fs::read_to_string(folder.join("back")).unwrap() == text,
            "{encoding}"
        );
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn malformed_input_is_named_with_its_place() {
    for (name, bytes, message) in [
        (
            "utf-32be",
            &b"\0\0\0a\0\0"[..],
            "UTF-32BE sequence 00 00 at byte offset 4",
        ),
        (
            "utf-32le",
            b"a\0\0\0\xFF",
            "UTF-32LE sequence FF at byte offset 4",
        ),
        (
            "utf-32le",
            b"\0\xD8\0\0",
            "UTF-32LE sequence 00 D8 00 00 at byte offset 0",
        ),
        (
            "ucs-4-2143",
            b"\0\x11\0\0",
            "UTF-32-2143 sequence 00 11 00 00 at byte offset 0",
        ),
        (
            "extended:us-ascii",
            b"ab\xFF",
            "US-ASCII sequence FF at byte offset 2",
        ),
        ("ibm869", b"\x80", "IBM869 sequence 80 at byte offset 0"),
    ] {
        let line = format!("standard input: malformed {message}");
        run(&format!("convert --from {name}"), bytes).fails(1, &malformed(&line));
    }
}

#[test]
fn characters_that_a_page_lacks_are_named_or_written_in_it() {
    let line = "standard input: U+20AC '€' at byte offset 1 cannot be written in IBM037";
    run("convert --from utf-8 --to cp037", "a€".as_bytes()).fails(1, &unmappable(line));
    let written = run(
        "convert -q -e html --from utf-8 --to cp037",
        "a€".as_bytes(),
    )
    .ok();
    assert_eq!(written, b"\x81\x50\x7B\xF8\xF3\xF6\xF4\x5E");
}

#[test]
fn the_standards_labels_come_first() {
    assert_eq!(run("encodings latin1", b"").ok(), b"windows-1252\n");
    assert_eq!(run("encodings extended:latin1", b"").ok(), b"ISO-8859-1\n");
    assert_eq!(run("encodings cp28591", b"").ok(), b"ISO-8859-1\n");
    assert_eq!(run("encodings ebcdic-cp-us", b"").ok(), b"IBM037\n");
    let line = "unknown encoding 'ebcdic-cp-uss'; did you mean ebcdic-cp-us";
    let failed = run("encodings ebcdic-cp-uss", b"");
    failed.says(line);
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

/// An allowed encoding outside the Standard may be guessed. Allowing one of the Standard changes no guess.
#[test]
fn an_encoding_that_is_allowed_by_name_is_guessed() {
    let text = "DIE ZEILE HAT WORTE UND ZAHLEN 12345\n".repeat(20);
    let bytes = extended::find("IBM037").unwrap().encode(&text).unwrap();
    for (allow, guessed) in [
        (&[][..], false),
        (&["--extended"], true),
        (&["--allow", "ibm037"], true),
        (&["--allow", "koi8-r,ibm037"], true),
        (&["--allow", "koi8-r"], false),
    ] {
        let args = [&["detect", "-b"], allow].concat();
        let found = String::from_utf8(run_in(Path::new("."), &args, &bytes).stdout).unwrap();
        assert_eq!(found.contains("IBM037"), guessed, "{allow:?}: {found}");
    }
}
