//! `mojika convert --rfc2781`: RFC 2781's reading of "UTF-16", "UTF-16BE" and "UTF-16LE".

use crate::common::{run, run_in};
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
        let message = "RFC 2781 forbids a byte order mark in UTF-16LE (section 3.3): use --to utf-16 or --bom strip";
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
    // The other encoding may have any name.
    let written = run("convert --rfc2781 -f utf-16 -t ibm037", b"\xFF\xFEa\0").ok();
    assert_eq!(written, b"\x81");
}

#[test]
fn signatures_are_stripped_where_files_are_joined() {
    let folder = std::env::temp_dir().join(format!("mojika-rfc2781-join-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a"), b"\xFE\xFF\0a").unwrap();
    fs::write(folder.join("b"), b"\xFF\xFEb\0").unwrap();
    fs::write(folder.join("c"), b"\0c").unwrap();
    let line = [
        "convert",
        "--rfc2781",
        "-f",
        "utf-16",
        "-t",
        "utf-16",
        "a",
        "b",
        "c",
    ];
    let joined = run_in(&folder, &line, b"").ok();
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(joined, b"\xFE\xFF\0a\0b\0c");
}

#[cfg(unix)]
#[test]
fn folders_are_read_by_the_same_rules() {
    let folder = std::env::temp_dir().join(format!("mojika-rfc2781-tree-{}", std::process::id()));
    fs::create_dir_all(folder.join("in")).unwrap();
    fs::write(folder.join("in/be"), b"\0a").unwrap();
    fs::write(folder.join("in/le"), b"\xFF\xFEa\0").unwrap();
    fs::write(folder.join("in/not-utf-8"), b"\xEF\xBB\xBFa").unwrap();
    let line = [
        "convert",
        "--rfc2781",
        "-q",
        "--convert-utf-8",
        "-f",
        "utf-16",
        "in",
        "-o",
        "out/",
    ];
    run_in(&folder, &line, b"").ok();
    let read = |name: &str| fs::read_to_string(folder.join("out").join(name)).unwrap();
    let texts = ["be", "le", "not-utf-8"].map(read);
    let line = [
        "convert",
        "--rfc2781",
        "-f",
        "utf-16le",
        "in/be",
        "-o",
        "bad/",
    ];
    let bad = run_in(&folder, &line, b"");
    fs::write(folder.join("in/be"), b"\xFE\xFFa\0").unwrap();
    let line = [
        "convert",
        "--rfc2781",
        "--convert-utf-8",
        "-f",
        "utf-16le",
        "in",
        "-o",
        "bad/",
    ];
    let failed = run_in(&folder, &line, b"");
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(texts, ["a", "a", "\u{EFBB}\u{BF61}"]);
    assert_eq!(bad.status, 0, "{}", bad.stderr);
    assert_eq!(failed.status, 1, "{}", failed.stderr);
    failed.says("FE FF at byte offset 0");
}
