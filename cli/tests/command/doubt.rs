//! Doubtful files, hints, and options that endanger files.

use crate::common::archives::gzip;
use crate::common::tree::{folder, read, run, status};
use crate::common::{has, run_at};

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
    for output in ["three/", "one"] {
        let line = format!("convert --from auto --confidence 0 src/wrong.html -o {output}");
        let said = status(&tree, &line, 0);
        has(
            &said,
            "its bytes look like windows-1251; --distrust-declared",
        );
    }
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
    run.says("write U+FFFD for it");
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
