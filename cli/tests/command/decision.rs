//! All subcommands make the same decision, and have the same options to override it.

use crate::common::tree::{folder, read, run, status};
use crate::common::{run_at, run_in};
use mojika::{UTF_16BE, UTF_16LE};
use tempfile::TempDir;

fn wide(text: &str) -> Vec<u8> {
    UTF_16LE.encode(text).unwrap().into_owned()
}

/// Asserts that each subcommand finds the file doubtful for this reason.
#[track_caller]
fn all_doubt(folder: &TempDir, name: &str, reason: &str) {
    let bytes = read(folder, name);
    let routes = [
        run(folder, &format!("convert --from auto {name}")),
        run(folder, &format!("convert --from auto {name} -o out/")),
        run(folder, &format!("check {name}")),
        run_at(folder.path(), "convert --from auto", &bytes),
    ];
    for (number, route) in routes.iter().enumerate() {
        assert_eq!(route.status, 1, "{number}: {}", route.stderr);
        assert!(route.stderr.contains(reason), "{number}: {}", route.stderr);
    }
    if bytes.starts_with(b"\xFF\xFE") {
        // Without --from, the byte order mark decides, and the rest of the bytes contradicts it.
        let piped = run_in(folder.path(), &["convert"], &bytes);
        for route in [run(folder, &format!("convert {name}")), piped] {
            assert_eq!(route.status, 1, "{}", route.stderr);
            assert!(route.stderr.contains(reason), "{}", route.stderr);
        }
    }
    let detected = run(folder, &format!("detect {name}"));
    let shown = String::from_utf8_lossy(&detected.stdout);
    // A guess is shown with its probability, another doubt with its reason.
    if !(shown.contains(" detection ") && shown.contains(reason)) {
        detected.says(reason);
        assert!(shown.contains("doubtful"), "{shown}");
    }
}

#[test]
fn utf_16_that_turns_into_other_text_is_doubtful_with_its_place() {
    let log = wide("\u{FEFF}hi\r\n");
    let line = wide("this is a line\r\n");
    let cases: [(&str, Vec<u8>, &str); 6] = [
        (
            "tail",
            [&log[..], b"hello!\r\n"].concat(),
            "byte offset 10 (line 2, column 1)",
        ),
        (
            "middle",
            [&log[..], b"hello\r\n", &line].concat(),
            "byte offset 10 (line 2, column 1)",
        ),
        (
            "far",
            [&log[..], &line.repeat(50_000), b"hello!\r\n"].concat(),
            "byte offset 1600010 (line 50002, column 1)",
        ),
        (
            "narrow",
            ["größe\n".as_bytes(), &line].concat(),
            "byte offset 8 (line 2, column 1)",
        ),
        (
            "far-narrow",
            ["größe\n".repeat(50_000).as_bytes(), &line].concat(),
            "byte offset 400000 (line 50001, column 1)",
        ),
        (
            "pragma",
            b"\xFF\xFE#pragma once\r\n".to_vec(),
            "byte offset 2 (line 1, column 1)",
        ),
    ];
    for (name, bytes, place) in cases {
        let folder = folder(&[(name, &bytes)]);
        all_doubt(&folder, name, place);
    }
}

#[test]
fn mixed_converts_each_part_from_its_own_encoding() {
    let big = UTF_16BE.encode("of big ends\n").unwrap();
    let parts = [
        (wide("\u{FEFF}straße\r\n"), "straße\r\n"),
        (b"hello\r\n".to_vec(), "hello\r\n"),
        (wide("文字\r\n"), "文字\r\n"),
        ("größe\n".into(), "größe\n"),
        ([b"\xFE\xFF", &big[..]].concat(), "of big ends\n"),
    ];
    let bytes: Vec<u8> = parts.iter().flat_map(|part| part.0.clone()).collect();
    let text: String = parts.iter().map(|part| part.1).collect();
    let folder = folder(&[("log", &bytes), ("in/log", &bytes)]);
    for from in ["--from auto", "--from latin1", ""] {
        let converted = run(&folder, &format!("convert --mixed {from} log"));
        assert_eq!(String::from_utf8(converted.ok()).unwrap(), text, "{from}");
    }
    status(&folder, "convert --mixed in -o out --report report", 0);
    assert_eq!(read(&folder, "out/log"), text.as_bytes());
    let report = String::from_utf8(read(&folder, "report")).unwrap();
    let line: serde_json::Value = serde_json::from_str(&report).unwrap();
    let changes = line["changes"].as_array().unwrap();
    let changes: Vec<_> = changes
        .iter()
        .map(|one| {
            (
                one["offset"].as_u64().unwrap(),
                one["line"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(changes, [(0, 1), (18, 2), (25, 3), (33, 4), (41, 5)]);
    // A pipe cannot be read twice.
    let piped = run_at(folder.path(), "convert --mixed -f latin1", &bytes);
    assert_eq!(piped.status, 1);
    piped.says("UTF-16LE turns into");
}

#[test]
fn xml_that_is_no_utf_8_is_doubtful_on_every_route() {
    let declared = b"\n<?xml version='1.0' encoding='windows-1251'?><r>\xD3\xF4\xE0</r>";
    for (name, bytes) in [("a.xml", &b"<r>\xE0\xF4\xF3</r>"[..]), ("b.xml", declared)] {
        all_doubt(&folder(&[(name, bytes)]), name, "windows-1251");
    }
}

/// In each pair, one word is also valid UTF-8 by chance.
#[test]
fn two_words_in_many_rows_are_in_one_encoding() {
    for (encoding, words) in [
        (mojika::GBK, ["男", "女"]),
        (mojika::WINDOWS_874, ["ชาย", "หญิง"]),
        (mojika::KOI8_U, ["так", "ні"]),
    ] {
        let rows = (0..300).map(|number| format!("{number},{}\r\n", words[number % 2]));
        let text = format!("id,name,value\r\n{}", rows.collect::<String>());
        let bytes = encoding.encode(&text).unwrap();
        let folder = folder(&[("a.csv", &bytes)]);
        let detected = run(&folder, "detect --json -v a.csv");
        let shown = String::from_utf8(detected.stdout).unwrap();
        assert!(
            shown.contains(&format!("\"encoding\":\"{encoding}\"")),
            "{shown}"
        );
        assert!(!shown.contains("--mixed"), "{shown}");
    }
}

#[test]
fn a_label_is_named_as_the_file_has_it_beside_the_candidates() {
    let russian = mojika::WINDOWS_1251
        .encode("Вечером на веранде пили чай.")
        .unwrap();
    let page = [b"<!DOCTYPE html><meta charset=us-ascii><p>", &russian[..]].concat();
    let folder = folder(&[("a.html", &page)]);
    all_doubt(
        &folder,
        "a.html",
        "declared us-ascii, which is windows-1252 (meta)",
    );
    let said = run(&folder, "convert -f auto a.html").stderr;
    assert!(said.contains("\n  windows-1252   said  "), "{said}");
}

#[test]
fn a_result_is_compared_with_the_decision_too() {
    let torn = b"(1,'gr\xFC\xDFe'),(2,'gr\xC3\xBC\xC3\x9Fe');\n";
    let mixed = [&wide("\u{FEFF}hi\r\n")[..], b"hello!\r\n"].concat();
    let folder = folder(&[("a.sql", torn), ("b.log", &mixed)]);
    // Decoded as Latin-1, the first file has text that looks encoded twice.
    for (name, from, given) in [("a.sql", "latin1", 1), ("b.log", "utf-16le", 0)] {
        let convert = format!("convert -f {from} {name} -o out/ --force");
        status(&folder, &convert, 0);
        let said = status(&folder, &format!("check --against {name} out/{name}"), 1);
        assert!(said.contains("1 doubtful"), "{said}");
        let check = format!("check --from {from} --against {name} out/{name}");
        status(&folder, &check, given);
    }
}

#[test]
fn messages_say_what_to_type() {
    let dos = mojika::extended::find("ibm850").unwrap();
    let line = "Die Größe der Häuser ist für Müller schön, während Köln übersät ist.\n";
    let lines = line.repeat(3);
    let text = dos.encode(&lines).unwrap();
    let folder = folder(&[("a.txt", &text), ("dir/b", b"b\n")]);
    let said = run(&folder, "convert -f auto a.txt").stderr;
    assert!(said.contains("by --extended"), "{said}");
    let said = run(&folder, "a.txt");
    said.fails(2, "a.txt is not a subcommand: `mojika detect a.txt` prints its encoding, `mojika convert a.txt -o OUT` converts it");
    let said = run(&folder, "convert dir").stderr;
    assert!(
        said.starts_with("say where the converted files go: -o DIR/"),
        "{said}"
    );
}

#[test]
fn help_is_short_and_has_the_words_that_people_use() {
    let help = |line| String::from_utf8(run(&folder(&[]), line).ok()).unwrap();
    let all = help("--help");
    for word in ["Garbled", "mojibake", "Ã©", "--repair", "--mixed", "twice"] {
        assert!(all.contains(word), "{word}");
    }
    let convert = help("convert --help");
    let words = convert.split_whitespace().count();
    assert!(words <= 1500, "{words}");
    let is_option = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("--") || line.starts_with('-') && line.as_bytes().get(2) == Some(&b',')
    };
    let options = convert.lines().filter(is_option).count();
    // The option --help is among the lines.
    assert!(options <= 46, "{options}");
}
