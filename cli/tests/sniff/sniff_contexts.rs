//! Contexts and hints on the command line. `crates/sniff/tests` has the table of contexts.

use crate::common::tree::fast_folder;
use crate::common::{mojika, run_at, run_in};
use mojika_sniff::contexts::TABLE;
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// Returns `[encoding, source, confidence, bom_length]` of the document on standard input.
fn detect(bytes: &[u8], options: &[&str]) -> [String; 4] {
    let args = [&["detect", "--json"], options, &["-"]].concat();
    let line = run_in(Path::new("."), &args, bytes).ok();
    let object: serde_json::Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(object["path"], "-");
    assert!(object["error"].is_null());
    let field = |name: &str| match &object[name] {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    [
        field("encoding"),
        field("source"),
        field("confidence"),
        field("bom_length"),
    ]
}

#[test]
fn convert_and_check_take_the_contexts_that_detect_takes() {
    for row in &TABLE {
        for command in [
            &["convert", "--from", "auto", "--context", row.id][..],
            &["check", "--from", "auto", "--context", row.id, "-"],
        ] {
            let run = run_in(Path::new("."), command, b"plain");
            assert_eq!(run.status, 0, "{}: {}", row.id, run.stderr);
        }
    }
    // The declaration is read as for the media type.
    let options = ["--transport", "text/html", "--context", "view-source"];
    let convert = [&["convert", "--from", "auto"], &options[..]].concat();
    let run = run_in(Path::new("."), &convert, b"<meta charset=koi8-r>\xC1");
    assert_eq!(run.stdout, "<meta charset=koi8-r>а".as_bytes());
}

#[test]
fn the_five_words_are_contexts() {
    for (word, id) in [
        ("html", "html-parser"),
        ("xml", "xml-parser"),
        ("css", "css-from-document"),
        ("text", "plain-text"),
    ] {
        for bytes in [
            &b"<meta charset=gbk>"[..],
            b"<?xml encoding='gbk'?>",
            b"@charset \"gbk\";",
            b"\xFF\xFE\0\0",
        ] {
            let both = [word, id].map(|context| detect(bytes, &["--context", context]));
            assert_eq!(both[0], both[1], "{word}");
        }
    }
    let run = run_in(
        Path::new("."),
        &["detect", "--context", "klingon", "-"],
        b"",
    );
    assert_eq!(run.status, 2);
    run.says("[possible values: auto, html, xml, css, text]");
}

#[test]
fn json_has_seven_keys_in_order_whatever_the_path() {
    let folder = fast_folder();
    let name = "a \"b\"\\\u{1}é.html";
    fs::write(folder.path().join(name), b"<meta charset=gbk>").unwrap();
    let line = run_in(folder.path(), &["detect", "--json", name], b"").ok();
    let line = String::from_utf8(line).unwrap();
    let object: serde_json::Map<_, _> = serde_json::from_str(&line).unwrap();
    assert_eq!(object["path"], name);
    assert_eq!(object.len(), 7);
    let keys = [
        "path",
        "encoding",
        "source",
        "confidence",
        "probability",
        "bom_length",
        "error",
    ];
    let places = keys.map(|key| line.find(&format!("\"{key}\":")).unwrap());
    assert!(places.is_sorted(), "{line}");
    assert_eq!(line.matches('\n').count(), 1);
}

#[test]
fn from_auto_takes_hints_and_refuses_them_elsewhere() {
    let here = Path::new(".");
    let page = b"<meta charset=gbk>\xCE\xC4";
    let run = run_at(here, "convert -q --from auto --context html", page);
    assert_eq!(run.ok(), "<meta charset=gbk>文".as_bytes());
    let run = run_at(
        here,
        "convert -q --from auto --transport text/html;charset=koi8-r",
        b"<meta charset=gbk>\xF0\xD2\xC9\xD7\xC5\xD4",
    );
    assert_eq!(run.ok(), "<meta charset=gbk>Привет".as_bytes());
    let run = run_at(
        here,
        "convert -q --from auto --transport klingon --context html",
        page,
    );
    assert_eq!(run.ok(), "<meta charset=gbk>文".as_bytes());
    let run = run_at(here, "convert --context html", page);
    assert_eq!(run.status, 2);
    run.says("a hint for --from auto");
    let folder = fast_folder();
    fs::create_dir(folder.path().join("in")).unwrap();
    run_at(
        folder.path(),
        "convert --from auto --context html in -o out/",
        b"",
    )
    .ends(0);
    assert!(folder.path().join("out").exists());
}

/// A large file is not read to its end. This one is sparse: reading its holes would take seconds, and memory.
#[test]
fn a_file_of_any_size_is_decided_by_its_start() {
    let folder = fast_folder();
    for (name, start) in [
        ("a.html", &b"<meta charset=gbk>"[..]),
        ("b.xml", b"<?xml version='1.0' encoding='gbk'?>"),
        ("c.css", b"@charset \"gbk\";"),
        ("d.txt", b"\xFF\xFEa\0"),
        ("e.txt", b"plain"),
    ] {
        let file = fs::File::create(folder.path().join(name)).unwrap();
        std::os::unix::fs::FileExt::write_all_at(&file, start, 0).unwrap();
        file.set_len(1 << 40).unwrap();
    }
    let files = ["a.html", "b.xml", "c.css", "d.txt", "e.txt"];
    let run = run_in(folder.path(), &[&["detect"], &files[..]].concat(), b"");
    assert_eq!(String::from_utf8(run.ok()).unwrap().lines().count(), 6);
}

/// The file offset of standard input shows the number of bytes that the command has read, in steps of 8 KB.
#[test]
fn no_more_is_read_than_the_standards_name() {
    use std::io::{Seek, SeekFrom, Write};
    for (context, start, most) in [
        ("html", &b"<meta charset=gbk>"[..], 73_728),
        ("xml", b"<?xml version='1.0' encoding='gbk'?>", 73_728),
        ("css", b"@charset \"gbk\";", 73_728),
        ("css", b"a {}", 73_728),
        ("xml", b"<a/>", 73_728),
        ("text", b"\xEF\xBB\xBF", 73_728),
        ("text", b"a", 73_728),
        ("html", b"a", 73_728),
    ] {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(start).unwrap();
        file.set_len(200 << 20).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        let output = mojika()
            .args(["detect", "--context", context, "-"])
            .stdin(Stdio::from(file.try_clone().unwrap()))
            .output()
            .unwrap();
        assert!(output.status.success());
        let read = file.stream_position().unwrap();
        assert!(
            read <= most,
            "{context}: {read} bytes of {}",
            start.escape_ascii()
        );
    }
}
