//! Encodings outside the Standard, from the command line.

use crate::common::{run, run_in};
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
        let own = encoding.with(BomHandling::Keep).decode(&all).text;
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
