//! `mojika convert --rfc2781`: the labels "UTF-16", "UTF-16BE" and "UTF-16LE" as RFC 2781 defines them.

use crate::common::{holds, run, run_at};
use std::fs;

#[test]
fn a_reversed_signature_is_replaced_or_dropped_like_other_errors() {
    for (errors, to, expected) in [
        ("replace", "utf-8", "\u{FFFD}a".as_bytes()),
        ("html", "windows-1252", b"&#65533;a"),
        ("skip", "utf-8", b"a"),
        ("replace", "utf-16", b"\xFE\xFF\xFF\xFD\0a"),
    ] {
        let line = format!("convert --rfc2781 -q -f utf-16be -e {errors} -t {to}");
        let converted = run(&line, b"\xFF\xFE\0a").ok();
        assert_eq!(converted, expected, "{errors}");
    }
    let failed = run("convert --rfc2781 -f utf-16be -e replace", b"\xFF\xFE\0a");
    let said = "standard input: 1 malformed sequence replaced\n";
    assert_eq!((failed.status, &*failed.stderr), (0, said));
}

#[test]
fn a_byte_order_mark_is_refused_where_section_3_3_forbids_it() {
    for mode in ["add", "keep"] {
        let line = format!("convert --rfc2781 -f utf-8 -t utf-16le --bom {mode}");
        let message = "RFC 2781 (section 3.3) forbids a byte order mark in UTF-16LE; use --to utf-16 or --bom strip";
        assert_eq!(run(&line, b"a").fails(2, message), b"");
    }
    let line = "convert --rfc2781 -f utf-8 -t utf-16 --bom strip";
    assert_eq!(run(line, b"a").ok(), b"\0a");
}

#[test]
fn it_is_refused_without_a_name_that_it_is_about() {
    let message =
        "--rfc2781 is about UTF-16, UTF-16BE and UTF-16LE: name one of them with --from or --to";
    run("convert --rfc2781 -f utf-8 -t utf-32be", b"a").fails(2, message);
    // Only one of the two encodings needs such a name.
    let written = run("convert --rfc2781 -f utf-16 -t ibm037", b"\xFF\xFEa\0").ok();
    assert_eq!(written, b"\x81");
}

#[test]
fn signatures_are_stripped_where_files_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [("a", b"\xFE\xFF\0a"), ("b", b"\xFF\xFEb\0")] {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    fs::write(folder.path().join("c"), b"\0c").unwrap();
    let joined = run_at(&folder, "convert --rfc2781 -f utf-16 -t utf-16 a b c", b"").ok();
    assert_eq!(joined, b"\xFE\xFF\0a\0b\0c");
}

#[cfg(unix)]
#[test]
fn folders_are_read_by_the_same_rules() {
    let folder = crate::common::tree::folder(&[
        ("in/be", b"\0a"),
        ("in/le", b"\xFF\xFEa\0"),
        ("in/not-utf-8", b"\xEF\xBB\xBFa"),
    ]);
    let line = "convert --rfc2781 --convert-utf-8 -f";
    run_at(&folder, &format!("{line} utf-16 -q in -o out/"), b"").ok();
    for (name, text) in [("be", "a"), ("le", "a"), ("not-utf-8", "\u{EFBB}\u{BF61}")] {
        holds(&folder, &format!("out/{name}"), text);
    }
    run_at(&folder, "convert --rfc2781 -f utf-16le in/be -o bad/", b"").ends(0);
    fs::write(folder.path().join("in/be"), b"\xFE\xFFa\0").unwrap();
    let failed = run_at(&folder, &format!("{line} utf-16le in -o bad/"), b"").ends(1);
    failed.says("FE FF at byte offset 0");
}
