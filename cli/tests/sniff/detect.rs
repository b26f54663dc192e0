//! `mojika detect`: its JSON, its table and its exit status.

use crate::common::run_in;
use crate::common::tree::fast_folder;
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
    assert!(
        text.contains("GBK            meta            tentative  a.html"),
        "{text}"
    );
}

#[test]
fn the_table_has_the_probability_of_a_guess_and_the_word_of_a_decision() {
    let folder = fast_folder();
    fs::write(folder.path().join("a.txt"), b"a \xA3 b\n").unwrap();
    fs::write(folder.path().join("b.css"), b"@charset \"koi8-r\";").unwrap();
    let output = detect(folder.path(), &["a.txt", "b.css"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let column = |row: &str| row.split_whitespace().nth(2).unwrap().to_owned();
    let rows: Vec<_> = text.lines().skip(1).map(column).collect();
    let probability: f32 = rows[0].parse().expect("a probability");
    assert!(probability > 0.0 && probability < 1.0, "{text}");
    assert_eq!(rows[1], "certain", "{text}");
}

#[test]
fn verbose_shows_three_guesses_and_what_they_rest_on() {
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
        lines[2].ends_with("its letters would be ru (Cyrl)"),
        "{text}"
    );
    assert!(
        lines[3].starts_with("  2. ") && lines[4].starts_with("  3. "),
        "{text}"
    );
    assert!(lines[5].ends_with("bytes read"), "{text}");
    assert!(text.ends_with("so this is no text\n"), "{text}");

    let output = detect(folder.path(), &["-v", "--json", "a.txt"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["content"], "text");
    assert_eq!(value["guesses"].as_array().map(Vec::len), Some(3));
    assert_eq!(value["guesses"][0]["language"], "ru");
    assert_eq!(value["guesses"][0]["script"], "Cyrl");
    let probability = value["guesses"][0]["probability"].as_f64().unwrap();
    assert!(lines[2].contains(&format!(" {probability:.4} ")), "{text}");
}

#[test]
fn a_page_that_declares_nothing_is_converted() {
    let folder = fast_folder();
    let page = "<html><body><p>Вечером на веранде пили чай с вареньем и говорили о лете.</p></body></html>\n";
    fs::write(
        folder.path().join("page.html"),
        mojika::KOI8_R.encode(page).unwrap(),
    )
    .unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_mojika"))
        .args([
            "convert",
            "--from",
            "auto",
            "--context",
            "html",
            "page.html",
        ])
        .current_dir(folder.path())
        .output()
        .expect("the command starts");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), page);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_word_far_behind_the_first_64_kb_decides() {
    let folder = fast_folder();
    let text = "A line of ASCII.\n".repeat(20_000) + "Вечером на веранде пили чай.\n";
    fs::create_dir(folder.path().join("texts")).unwrap();
    let file = folder.path().join("texts/long.txt");
    fs::write(&file, mojika::WINDOWS_1251.encode(&text).unwrap()).unwrap();
    let output = detect(folder.path(), &["--json", "texts/long.txt"]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["encoding"], "windows-1251");
    assert_eq!(found["source"], "detection");

    let output = Command::new(env!("CARGO_BIN_EXE_mojika"))
        .args([
            "convert",
            "--from",
            "auto",
            "-q",
            "texts",
            "-o",
            "converted",
        ])
        .current_dir(folder.path())
        .output()
        .expect("the command starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(
        fs::read_to_string(folder.path().join("converted/long.txt")).unwrap(),
        text
    );
}

#[test]
fn the_table_marks_what_is_not_decided_and_says_why() {
    let folder = fast_folder();
    let contradiction = b"<?xml version='1.0' encoding='UTF-16'?>";
    fs::write(folder.path().join("c.xml"), contradiction).unwrap();
    fs::write(folder.path().join("e.txt"), b"\xFF\xFEa\0").unwrap();
    let output = detect(folder.path(), &["missing", "c.xml", "e.txt"]);
    assert_eq!(output.status.code(), Some(1));
    let table = String::from_utf8(output.stdout).unwrap();
    let columns: Vec<Vec<_>> = table
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(columns[0], ["encoding", "source", "confidence", "file"]);
    assert_eq!(columns[1], ["?", "?", "?", "missing"]);
    assert_eq!(columns[2][1..], ["xml-family", "certain", "c.xml"]);
    assert_eq!(columns[3], ["UTF-16LE", "bom", "certain", "e.txt"]);
    assert_eq!(columns.len(), 4, "{table}");

    let messages = String::from_utf8(output.stderr).unwrap();
    let messages: Vec<_> = messages.lines().collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(
        messages[0].contains("missing: cannot read: "),
        "{messages:?}"
    );
    assert!(
        messages[1].contains("c.xml: ") && messages[1].contains("at byte offset 30"),
        "{messages:?}"
    );
}

#[test]
fn a_declaration_that_contradicts_the_byte_order_mark_is_an_error() {
    let folder = fast_folder();
    let document = "\u{FEFF}<?xml version='1.0' encoding='EUC-JP'?>";
    let document: Vec<u8> = document.encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(folder.path().join("a.xml"), document).unwrap();
    let output = detect(folder.path(), &["--json", "a.xml"]);
    assert_eq!(output.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["source"], "bom");
    assert_eq!(found["bom_length"], 2);
    assert!(
        found["error"].as_str().unwrap().contains("EUC-JP"),
        "{found}"
    );
}

#[test]
fn an_unknown_environment_is_a_usage_error() {
    let folder = fast_folder();
    fs::write(folder.path().join("a.css"), b"p{}").unwrap();
    let output = detect(folder.path(), &["--environment", "klingon", "a.css"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("klingon"), "{message}");
}

#[test]
fn verbose_names_what_each_guess_rests_on() {
    let folder = fast_folder();
    let utf_16: Vec<u8> = "Plain English words"
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    for (name, bytes, content, reason) in [
        (
            "ascii",
            &b"Nothing but ASCII.\n"[..],
            "ascii",
            "19 bytes read: ASCII, in which nothing is to be guessed",
        ),
        ("utf-8", "Жук".as_bytes(), "text", "well-formed"),
        (
            "iso-2022-jp",
            b"\x1B$B$\"$$\x1B(B\n",
            "text",
            "its escape sequences",
        ),
        ("utf-16", &utf_16, "text", "its code units would be text"),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
        let table = detect(folder.path(), &["-v", name]);
        assert_eq!(table.status.code(), Some(0));
        let table = String::from_utf8(table.stdout).unwrap();
        assert!(
            table.lines().any(|line| line.ends_with(reason)),
            "{name}: {table}"
        );

        let json = detect(folder.path(), &["-v", "--json", name]);
        let found: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!(found["content"], content, "{name}");
        assert_eq!(found["bytes_read"], bytes.len(), "{name}");
    }
    fs::write(folder.path().join("zeros"), [0; 64]).unwrap();
    let json = detect(folder.path(), &["-v", "--json", "zeros"]);
    let found: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(found["content"], "binary");
}

/// Two letters may be in any language: the hint counts, in a head and in the bytes read after it.
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
fn json_has_the_probability_of_a_guess() {
    let folder = fast_folder();
    let text = "Все люди рождаются свободными и равными в своём достоинстве и правах.";
    let bytes = mojika::WINDOWS_1251.encode(text).unwrap();
    fs::write(folder.path().join("a"), &bytes).unwrap();
    for args in [
        &["detect", "--json", "a"][..],
        &["detect", "--json", "-v", "a"],
    ] {
        let line = String::from_utf8(run_in(folder.path(), args, b"").ok()).unwrap();
        let object: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert!(object["probability"].as_f64().unwrap() > 0.9, "{line}");
        assert_eq!(
            line.matches("\"encoding\"").count(),
            1 + object["guesses"].as_array().map_or(0, Vec::len)
        );
    }
}
