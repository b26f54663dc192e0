//! `mojika detect`: its JSON, its table and its exit status.

use crate::common::tree::fast_folder;
use crate::common::{has, run_in};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn detect(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mojika"))
        .arg("detect")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command starts")
}

#[test]
fn one_json_object_per_file_and_the_rest_goes_on() {
    let folder = fast_folder();
    for (name, bytes) in [
        ("a.html", &b"<meta charset=sjis>"[..]),
        ("b.css", b"@charset \"koi8-r\";"),
        ("c.xml", b"<?xml version='1.0' encoding='UTF-16'?>"),
        ("d", b"<?xml version='1.0' encoding='EUC-JP'?>"),
        ("e.txt", b"\xFF\xFEa\0"),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let files = [
        "--json", "a.html", "b.css", "c.xml", "missing", "d", "e.txt",
    ];
    let output = detect(folder.path(), &files);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert_eq!(
        lines[0],
        r#"{"path":"a.html","encoding":"Shift_JIS","source":"meta","confidence":"tentative","probability":null,"bom_length":0,"error":null}"#
    );
    assert_eq!(
        lines[1],
        r#"{"path":"b.css","encoding":"KOI8-R","source":"css-charset","confidence":"certain","probability":null,"bom_length":0,"error":null}"#
    );
    assert!(lines[2].contains("at byte offset 30"), "{}", lines[2]);
    assert!(lines[3].contains(r#""encoding":null"#), "{}", lines[3]);
    assert!(
        lines[4].contains(r#""encoding":"EUC-JP","source":"xml-declaration""#),
        "{}",
        lines[4]
    );
    assert!(
        lines[5].contains(
            r#""encoding":"UTF-16LE","source":"bom","confidence":"certain","probability":null,"bom_length":2"#
        ),
        "{}",
        lines[5]
    );
}

#[test]
fn an_unknown_transport_label_is_no_usage_error() {
    let folder = fast_folder();
    fs::write(folder.path().join("a.html"), b"<meta charset=gbk>").unwrap();
    let output = detect(folder.path(), &["--transport", "klingon", "a.html"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    has(&text, "GBK            meta            tentative  a.html");
}

#[test]
fn verbose_shows_the_guesses_and_what_they_rest_on() {
    let folder = fast_folder();
    let text = mojika::WINDOWS_1251.encode("Старый мост").unwrap();
    fs::write(folder.path().join("a.txt"), &text).unwrap();
    fs::write(
        folder.path().join("b.bin"),
        b"\x7FELF\x02\x01\x01\0\0\0\0\0",
    )
    .unwrap();
    let output = detect(folder.path(), &["-v", "a.txt", "b.bin"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[1].starts_with("windows-1251"), "{text}");
    assert!(lines[2].starts_with("  1. windows-1251"), "{text}");
    assert!(
        lines[2].ends_with("its letters read as ru (Cyrl)"),
        "{text}"
    );
    assert!(lines[3].starts_with("  2. "), "{text}");
    assert!(lines[4].ends_with("bytes read"), "{text}");
    assert!(text.ends_with("so this is not text\n"), "{text}");

    let output = detect(folder.path(), &["-v", "--json", "a.txt"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["content"], "text");
    assert_eq!(value["guesses"].as_array().map(Vec::len), Some(2));
    assert_eq!(value["guesses"][0]["language"], "ru");
    assert_eq!(value["guesses"][0]["script"], "Cyrl");
    let probability = value["guesses"][0]["probability"].as_f64().unwrap();
    assert!(lines[2].contains(&format!(" {probability:.4} ")), "{text}");
}

/// Two letters may be in any language, so the hint decides: for a short file, and for letters after long ASCII.
#[test]
fn domain_and_locale_reach_detection() {
    let folder = fast_folder();
    let letters = b"\xE4\xE5\n";
    fs::write(folder.path().join("short"), letters).unwrap();
    let long = [b"A line of ASCII.\n".repeat(20_000), letters.to_vec()].concat();
    fs::write(folder.path().join("long"), long).unwrap();
    let find = |hint, value, file| {
        let output = detect(folder.path(), &[hint, value, "-v", "--json", file]);
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    for (hint, russian, greek) in [("--tld", "ru", "gr"), ("--locale", "ru-RU", "el")] {
        assert_eq!(find(hint, russian, "short")["encoding"], "windows-1251");
        assert_eq!(find(hint, greek, "short")["encoding"], "windows-1253");

        let [with, without] = [greek, russian].map(|value| {
            let found = find(hint, value, "long");
            let guesses = found["guesses"].as_array().unwrap();
            let greek = guesses.iter().find(|guess| guess["language"] == "el");
            greek
                .and_then(|guess| guess["probability"].as_f64())
                .unwrap_or(0.0)
        });
        assert!(with > 1.5 * without, "{hint}: {with} and {without}");
    }
}

#[test]
fn several_files_are_refused_before_anything_is_written() {
    let folder = fast_folder();
    let document = |name: &str| format!("<?xml version='1.0' encoding='{name}'?>\n<a/>");
    fs::write(folder.path().join("a.xml"), document("EUC-JP")).unwrap();
    fs::write(folder.path().join("b.xml"), document("UTF-16")).unwrap();
    // A file with an unknown extension is XML by its declaration.
    fs::write(folder.path().join("data"), document("EUC-JP")).unwrap();
    let args = ["convert", "--from", "auto"];
    let run = run_in(
        folder.path(),
        &[&args[..], &["a.xml", "b.xml"]].concat(),
        b"",
    );
    let line = "b.xml: doubtful: encoding \"UTF-16\" declared, but the bytes are an ASCII-compatible encoding at byte \
                offset 30; name its encoding with --from LABEL";
    assert_eq!(run.fails(1, line), b"");
    let run = run_in(folder.path(), &[&args[..], &["data"]].concat(), b"");
    assert_eq!(run.ok(), document("EUC-JP").as_bytes());
}
