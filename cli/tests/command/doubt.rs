//! Doubtful files, hints, and options that endanger files.

use crate::common::archives::gzip;
use crate::common::tree::{folder, read, run, status};
use crate::common::{has, run_at};
use std::fs;

/// A letter that statistics cannot assign to an encoding.
const SHORT: &[u8] = b"caf\xE9\xA4\n";
const RUSSIAN: &str = "Вечером на веранде пили чай с вареньем и говорили о лете, которое прошло.\n";

fn russian() -> Vec<u8> {
    mojika::WINDOWS_1251.encode(RUSSIAN).unwrap().into_owned()
}

#[test]
fn a_doubtful_file_stays_as_it_is_and_is_listed_first() {
    let russian = russian();
    let tree = folder(&[("src/a.txt", SHORT), ("src/b.txt", &russian)]);
    let summary = status(
        &tree,
        "convert --from auto --confidence 1 -i src --report r --doubtful d",
        1,
    );
    assert_eq!(read(&tree, "src/a.txt"), SHORT);
    let first = summary
        .lines()
        .position(|line| line.contains("doubtful, left"));
    let table = summary
        .lines()
        .position(|line| line.starts_with("encoding "));
    assert!(
        first.is_some() && table.is_none_or(|table| first < Some(table)),
        "{summary}"
    );
    has(&summary, "--files-from d --base src --from LABEL");
    let report = String::from_utf8(read(&tree, "r")).unwrap();
    let line = report.lines().find(|line| line.contains("a.txt")).unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["status"], "doubtful");
    assert!(
        line["candidates"][0]["line"]
            .as_str()
            .unwrap()
            .starts_with("caf"),
        "{line}"
    );
    assert!(line["candidates"].as_array().unwrap().len() > 1, "{line}");

    // The list of doubtful files is read back. The output has the folders of the sources.
    let list = String::from_utf8(read(&tree, "d")).unwrap();
    assert!(list.contains("src/a.txt\n"), "{list}");
    status(
        &tree,
        "convert --files-from d --base src --from latin1 -o out/",
        0,
    );
    assert_eq!(read(&tree, "out/a.txt"), "café¤\n".as_bytes());
    // With a required probability of 0, no file is doubtful.
    status(&tree, "convert --from auto --confidence 0 src -o all/", 0);
    assert_eq!(read(&tree, "all/b.txt"), RUSSIAN.as_bytes());
}

/// The bytes of these letters and signs are the same in all EBCDIC code pages.
#[test]
fn a_doubt_names_the_probability_of_the_text_that_several_encodings_read_alike() {
    let ibm037 = mojika::extended::find("ibm037").unwrap();
    let text = ibm037
        .encode("PAYROLL REPORT. TOTAL AMOUNT DUE, 1200. PAID.")
        .unwrap();
    let tree = folder(&[("a.txt", &*text)]);
    let found = run(&tree, "detect --extended --json -v a.txt").ok();
    let found: serde_json::Value = serde_json::from_slice(&found).unwrap();
    let of_text = found["probability"].as_f64().unwrap();
    let of_guess = found["guesses"][0]["probability"].as_f64().unwrap();
    assert!(of_text > of_guess + 0.02, "{found}");
    let of_text = (of_text * 100.0).floor() / 100.0;
    let said = format!("with a probability of {of_text:.2}");
    for line in [
        "convert --extended --from auto a.txt",
        "check --extended a.txt",
    ] {
        let told = status(&tree, &format!("{line} --confidence 0.99"), 1);
        assert!(told.contains(&said), "{said}: {told}");
    }
}

#[test]
fn a_declaration_that_the_bytes_contradict_is_doubtful() {
    let page = |label: &str| {
        let start = format!("<!DOCTYPE html><meta charset={label}><p>");
        [start.as_bytes(), &russian()].concat()
    };
    let (broken, wrong) = (page("utf-8"), page("windows-1252"));
    let tree = folder(&[("src/broken.html", &broken), ("src/wrong.html", &wrong)]);
    let summary = status(
        &tree,
        "convert --from auto --errors replacement src -o out/ --report r",
        1,
    );
    has(&summary, "declared UTF-8 (meta), but malformed in it");
    assert!(summary.contains("windows-1251"), "{summary}");
    let reason = "declared windows-1252 (meta), but its bytes show windows-1251";
    assert!(summary.contains(reason), "{summary}");
    for name in ["out/broken.html", "out/wrong.html"] {
        assert!(!tree.path().join(name).exists(), "{name}");
    }
    let report = String::from_utf8(read(&tree, "r")).unwrap();
    assert!(report.contains(r#""bytes":"windows-1251""#), "{report}");
    status(
        &tree,
        "convert --from auto --distrust-declared src -o two/",
        0,
    );
    for name in ["two/broken.html", "two/wrong.html"] {
        let text = String::from_utf8(read(&tree, name)).unwrap();
        assert!(text.ends_with(RUSSIAN), "{text}");
    }
    // If no doubt is allowed, the declaration is used as in browsers, with a warning.
    let line = "convert --from auto --confidence 0 src/wrong.html -o three/";
    assert!(status(&tree, line, 0).contains("its bytes look like windows-1251"));
    let text = mojika::WINDOWS_1252.decode(&wrong).text;
    assert_eq!(read(&tree, "three/wrong.html"), text.as_bytes());
}

#[test]
fn a_pipe_is_decided_at_the_first_byte_beyond_ascii() {
    let ascii = "A line of ASCII.\n".repeat(20_000);
    let bytes = [ascii.as_bytes(), &russian()].concat();
    let tree = folder(&[]);
    let run = run_at(tree.path(), "convert --from auto", &bytes);
    assert_eq!(
        String::from_utf8(run.ok()).unwrap(),
        ascii.clone() + RUSSIAN
    );
    // Byte offsets count from the start of the pipe.
    let malformed = [ascii.as_bytes(), "Жук. ".repeat(20_000).as_bytes(), b"\xFF"].concat();
    let run = run_at(tree.path(), "convert --from auto", &malformed);
    let offset = malformed.len() - 1;
    assert_eq!(run.status, 1);
    let place = format!("FF at byte offset {offset} (line 20001, column 100001)");
    run.says(&place);
    run.says("its bytes look like UTF-8");
}

#[test]
fn utf_32_is_read_by_its_mark_in_every_route() {
    let name = mojika::extended::find("UTF-32LE").unwrap();
    let marked = format!("\u{FEFF}{RUSSIAN}");
    let bytes = name.encode(&marked).unwrap().into_owned();
    let tree = folder(&[("src/a.txt", &bytes), ("src/b.html", &bytes)]);
    assert_eq!(run(&tree, "convert src/a.txt").ok(), RUSSIAN.as_bytes());
    status(&tree, "convert src -o out", 0);
    assert_eq!(read(&tree, "out/a.txt"), RUSSIAN.as_bytes());
    assert_eq!(read(&tree, "out/b.html"), RUSSIAN.as_bytes());
    // U+0000 after the byte order mark of UTF-16LE, and in UTF-16 that the user has named.
    let nul = b"\xFF\xFE\0\0a\0b\0";
    let read = run_at(tree.path(), "convert --from utf-8", nul);
    assert_eq!(read.ok(), b"\0ab");
}

#[test]
fn hints_are_taken_in_folders() {
    let tree = folder(&[("src/a", b"\xE4\xE5\n")]);
    for (hint, text) in [
        ("--tld ru", "де\n"),
        ("--tld gr", "δε\n"),
        ("--allow koi8-r", "ДЕ\n"),
    ] {
        let line = format!("convert --from auto --confidence 0 {hint} src -o out --force");
        status(&tree, &line, 0);
        assert_eq!(
            String::from_utf8(read(&tree, "out/a")).unwrap(),
            text,
            "{hint}"
        );
    }
    let line = "convert --from auto --transport koi8-u src -o two";
    status(&tree, line, 0);
    assert_eq!(read(&tree, "two/a"), "ДЕ\n".as_bytes());
    let message = status(&tree, "convert --from koi8-r --tld ru src -o three", 2);
    assert!(message.contains("--tld is a hint for"), "{message}");
}

#[test]
fn ascii_as_a_target_is_us_ascii() {
    let tree = folder(&[("a", "é\n".as_bytes())]);
    let message = status(&tree, "convert --to ascii a", 1);
    has(&message, "cannot be written in US-ASCII");
    status(&tree, "check --to us-ascii a", 1);
    // For input, the label has its meaning in the Standard.
    let read = run_at(tree.path(), "convert --from ascii", b"\xE9");
    assert_eq!(read.ok(), "é".as_bytes());
}

#[test]
fn a_hyphen_as_output_is_standard_output() {
    let tree = folder(&[("a", b"\xE9")]);
    assert_eq!(
        run(&tree, "convert --from latin1 a -o -").ok(),
        "é".as_bytes()
    );
    assert!(!tree.path().join("-").exists());
}

#[test]
fn a_result_is_checked_against_its_source() {
    let russian = russian();
    let twice = mojika::WINDOWS_1252
        .decode("Übergröße\n".as_bytes())
        .text
        .into_owned();
    let tree = folder(&[
        ("src/same", &russian),
        ("src/other", &russian),
        ("src/lost", &russian),
        ("src/twice", &mojika::UTF_8.encode(&twice).unwrap()),
        ("out/same", RUSSIAN.as_bytes()),
        ("out/other", RUSSIAN.replace("чай", "кофе").as_bytes()),
        ("out/twice", twice.as_bytes()),
    ]);
    let summary = status(&tree, "check --against src out", 1);
    assert!(summary.contains("1 the same text"), "{summary}");
    for part in [
        "src/other: differs at byte offset 44 of the result (line 1, column 25): U+0447",
        "src/lost: has no result: there is no out/lost",
        "src/twice: looks encoded twice in 1 line, first in line 1",
    ] {
        assert!(summary.contains(part), "{part}: {summary}");
    }
    fs::write(tree.path().join("out/other"), "\u{FFFD}").unwrap();
    status(&tree, "check --against src/same out/same", 0);
}

/// Files that only one of the two folders has are listed and counted.
#[test]
fn files_without_a_source_or_a_result_are_named_and_counted() {
    let tree = folder(&[
        ("src/same", b"text\n"),
        ("src/lost", b"text\n"),
        ("src/below/lost", b"text\n"),
        ("src/packed.txt", b"text\n"),
        ("src/unpacked.txt.gz", &gzip(b"text\n")),
        ("src/skipped.log", b"text\n"),
        ("out/same", b"text\n"),
        ("out/more", b"text\n"),
        ("out/packed.txt.gz", &gzip(b"text\n")),
        ("out/unpacked.txt", b"text\n"),
        ("out/skipped.log", b"another\n"),
    ]);
    let summary = status(
        &tree,
        "check --against src out --exclude *.log --report out/report.jsonl",
        1,
    );
    for part in [
        "6 files,",
        " 3 the same text, 3 failed\n",
        "  src/lost: has no result: there is no out/lost\n",
        "  src/below/lost: has no result: there is no out/below/lost\n",
        "  out/more: has no source: there is no src/more\n",
        "2 files without a result\n",
        "1 file without a source\n",
    ] {
        assert!(summary.contains(part), "{part}: {summary}");
    }
    let report = String::from_utf8(read(&tree, "out/report.jsonl")).unwrap();
    let line = report.lines().find(|line| line.contains("out/more"));
    assert!(line.unwrap().contains("\"failed\""), "{report}");
    // With the folders exchanged, the same files have no counterpart.
    let summary = status(
        &tree,
        "check --against out src --exclude *.log --exclude report.jsonl",
        1,
    );
    assert!(summary.contains("1 file without a result\n"), "{summary}");
    assert!(summary.contains("2 files without a source\n"), "{summary}");
}

#[test]
fn a_file_is_checked_in_a_folder_under_its_name() {
    let tree = folder(&[
        ("src/a", b"text\n"),
        ("src/b", b"text\n"),
        ("out/a", b"text\n"),
        ("out/c", b"text\n"),
        // A result in a subfolder of the sources is not compared as a source.
        ("src/made/a", b"text\n"),
        ("src/made/b", b"text\n"),
    ]);
    let summary = status(&tree, "check --against src/a out", 0);
    assert!(!summary.contains("without"), "{summary}");
    let summary = status(&tree, "check --against src/b out", 1);
    has(&summary, "src/b: has no result: there is no out/b");
    let summary = status(&tree, "check --against src/b out/b", 1);
    assert!(summary.contains("1 file without a result"), "{summary}");
    let summary = status(&tree, "check --against src out/a", 2);
    has(&summary, "src is a folder, and out/a is a file");
    let summary = status(&tree, "check --against src src/made", 0);
    assert!(summary.contains("2 files,"), "{summary}");
}

/// A comparison ignores its own report and list of doubtful files, and they replace no compared file.
#[test]
fn what_a_comparison_writes_is_no_part_of_it() {
    let tree = folder(&[("src/a", b"text\n"), ("out/a", b"text\n")]);
    for place in ["src", "out"] {
        let line =
            format!("check --against src out --report {place}/report --doubtful {place}/list");
        // The second run finds the report and list of the first.
        for _ in 0..2 {
            let summary = status(&tree, &line, 0);
            assert!(summary.starts_with("1 file,"), "{place}: {summary}");
        }
        for name in ["report", "list"] {
            std::fs::remove_file(tree.path().join(place).join(name)).unwrap();
        }
    }
    for option in ["--report", "--doubtful"] {
        for name in ["src/a", "out/a"] {
            let line = format!("check --against src/a out/a {option} {name}");
            let message = status(&tree, &line, 2);
            assert!(message.contains("is an input"), "{line}: {message}");
            assert_eq!(read(&tree, name), b"text\n", "{line}");
        }
    }
}

#[test]
fn without_doubt_a_declaration_that_the_bytes_contradict_is_warned_of() {
    let page = format!("<meta charset=windows-1252>{RUSSIAN}");
    let tree = folder(&[
        ("src/a.html", page.as_bytes()),
        ("src/b.html", b"<meta charset=windows-1252>caf\xE9"),
    ]);
    let said = status(&tree, "convert --confidence 0 src -o out/", 0);
    let warning = "a.html: declared windows-1252 (meta), though its bytes look like UTF-8; --distrust-declared believes them";
    assert!(said.contains(warning), "{said}");
    assert!(!said.contains("b.html: declared"), "{said}");
    let run = run_at(
        tree.path(),
        "convert --from auto --confidence 0 src/a.html -o one",
        b"",
    );
    assert!(
        run.status == 0 && run.stderr.contains(warning),
        "{}",
        run.stderr
    );
    let said = status(&tree, "convert src -o none/", 1);
    assert!(said.contains("but its bytes show UTF-8"), "{said}");
    assert!(!tree.path().join("none/a.html").exists() && tree.path().join("none/b.html").exists());
    let said = status(&tree, "convert src -o right/ --distrust-declared", 0);
    assert!(!said.contains("though"), "{said}");
    assert_eq!(read(&tree, "right/a.html"), page.as_bytes());
}
