//! `mojika convert --rfc2781`: RFC 2781's reading of "UTF-16", "UTF-16BE" and "UTF-16LE".

use crate::common::{run, run_in};
use std::fs;

/// Section 5's phrase, with the hieroglyph of Ra as U+12345.
const RA: &str = "\u{12345}=Ra";
const RA_BE: &[u8] = b"\xD8\x08\xDF\x45\x00\x3D\x00\x52\x00\x61";
const RA_LE: &[u8] = b"\x08\xD8\x45\xDF\x3D\x00\x52\x00\x61\x00";

#[test]
fn section_5_examples_are_read_and_written() {
    for (charset, signature, bytes) in [
        ("utf-16be", &b""[..], RA_BE),
        ("UTF-16LE", b"", RA_LE),
        ("utf-16", b"\xFE\xFF", RA_BE),
    ] {
        let bytes = [signature, bytes].concat();
        let read = run(&format!("convert --rfc2781 --from {charset}"), &bytes).ok();
        assert_eq!(read, RA.as_bytes(), "{charset}");
        let line = format!("convert --rfc2781 --from utf-8 --to {charset}");
        assert_eq!(run(&line, RA.as_bytes()).ok(), bytes, "{charset}");
    }
    let little = [b"\xFF\xFE", RA_LE].concat();
    let read = run("convert --rfc2781 --from utf16", &little).ok();
    assert_eq!(read, RA.as_bytes());
}

#[test]
fn utf_16_without_a_signature_is_big_endian() {
    assert_eq!(run("convert --rfc2781 -f utf-16", b"\0a").ok(), b"a");
    assert_eq!(run("convert -f utf-16", b"a\0").ok(), b"a");
    // Of UTF-8's byte order mark, the RFC knows nothing.
    let read = run("convert --rfc2781 -f utf-16", b"\xEF\xBB\xBFa").ok();
    assert_eq!(read, "\u{EFBB}\u{BF61}".as_bytes());
}

#[test]
fn only_the_first_feff_of_utf_16_is_a_signature() {
    for bytes in [b"\xFE\xFF\xFE\xFF\0a", b"\xFF\xFE\xFF\xFEa\0"] {
        let read = run("convert --rfc2781 -f utf-16", bytes).ok();
        assert_eq!(read, "\u{FEFF}a".as_bytes());
    }
    let read = run("convert --rfc2781 -f utf-16be", b"\xFE\xFF\0a").ok();
    assert_eq!(read, "\u{FEFF}a".as_bytes());
}

#[test]
fn errors_name_w1_and_its_place() {
    for (charset, bytes, message) in [
        (
            "utf-16",
            &b"\xFF\xFEa\0\x08\xD8b\0"[..],
            "UTF-16LE: 0xD808 is a high surrogate without a low one after it, at byte offset 4",
        ),
        (
            "utf-16be",
            b"\0a\xDC\x37\0b",
            "UTF-16BE: 0xDC37 is a low surrogate without a high one before it, at byte offset 2",
        ),
        (
            "utf-16le",
            b"\xFE\xFFa\0",
            "UTF-16LE: 0xFFFE is no character but a byte order mark in the other byte order, at byte offset 0",
        ),
        (
            "utf-16be",
            b"\0a\0",
            "UTF-16BE: half a code unit, at byte offset 2",
        ),
    ] {
        let line = format!("standard input: malformed {message}");
        run(&format!("convert --rfc2781 -f {charset}"), bytes).fails(1, &line);
    }
}

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
    // The other side takes any name.
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
    assert!(
        failed.stderr.contains("FE FF at byte offset 0"),
        "{}",
        failed.stderr
    );
}
