//! Text that is in another encoding after the bytes with which a declaration or a guess is compared.

#[cfg(feature = "warc")]
use crate::common::archives;
use crate::common::run_in;
use crate::common::tree::{folder, read, status};

const RUSSIAN: &str = "Вечером на веранде пили чай с вареньем и говорили о лете, которое прошло.\n";

/// The place at which the text changes its encoding: after the part that is read before a decision.
const LATE: usize = 1 << 20;

/// Returns a page in its declared encoding up to [`LATE`], and windows-1251 after that.
fn late() -> Vec<u8> {
    let mut page = b"<!DOCTYPE html><meta charset=utf-8>\n".to_vec();
    while page.len() < LATE {
        page.extend_from_slice(RUSSIAN.as_bytes());
    }
    page.extend(
        mojika::WINDOWS_1251
            .encode(&RUSSIAN.repeat(300))
            .unwrap()
            .iter(),
    );
    page
}

/// The same page, with a damaged character late in it.
fn damaged() -> Vec<u8> {
    let mut page = late();
    page.truncate(LATE);
    page.extend_from_slice(b"\xFF\n");
    page.extend_from_slice(RUSSIAN.repeat(300).as_bytes());
    page
}

#[test]
fn a_late_change_of_encoding_is_doubtful_in_folders_and_files() {
    let page = late();
    let tree = folder(&[("src/a.html", &page), ("src/damaged.html", &damaged())]);
    let said = status(
        &tree,
        "convert --errors replacement src -o out/ --report r",
        1,
    );
    assert!(said.contains("1 doubtful"), "{said}");
    assert!(!tree.path().join("out/a.html").exists());
    // Damage is counted, not doubted: no other encoding reads it better.
    assert!(tree.path().join("out/damaged.html").exists());
    let report = String::from_utf8(read(&tree, "r")).unwrap();
    let line = report.lines().find(|line| line.contains("a.html")).unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["status"], "doubtful");
    let at = line["malformed_at"]["offset"].as_u64().unwrap() as usize;
    assert!((LATE..LATE + 200).contains(&at), "{line}");
    let lines = page[..at].iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!(line["malformed_at"]["line"], lines + 1);
    assert_eq!(line["candidates"][0]["encoding"], "windows-1251");
    assert!(
        line["candidates"][0]["line"]
            .as_str()
            .unwrap()
            .starts_with("Вечером"),
        "{line}"
    );

    status(&tree, "convert --errors replacement -i src", 1);
    assert_eq!(read(&tree, "src/a.html"), page);

    let said = status(
        &tree,
        "convert --from auto --errors replacement src/a.html -o one",
        1,
    );
    assert!(
        said.contains("doubtful: UTF-8 by its beginning (meta)"),
        "{said}"
    );
    assert!(said.contains(&format!("line {}", lines + 1)), "{said}");
    assert!(!tree.path().join("one").exists());
    // Who asks for it gets it.
    let all = "convert --from auto --confidence 0 --errors replacement src/a.html -o one";
    status(&tree, all, 0);
}

/// The part that is looked at begins with the end of a line.
#[test]
fn a_late_change_of_encoding_after_empty_lines_is_doubtful() {
    let page = late();
    let (before, after) = page.split_at(LATE - LATE % 4);
    let lines = b"\n".repeat(1 << 16);
    let tree = folder(&[("src/a.html", &[before, &lines, after].concat())]);
    let line = "convert --errors replacement src -o out/ --report r";
    let said = status(&tree, line, 1);
    assert!(said.contains("1 doubtful"), "{said}");
    let line: serde_json::Value = serde_json::from_slice(&read(&tree, "r")).unwrap();
    assert_eq!(line["candidates"][0]["encoding"], "windows-1251");
}

/// Around each place, a part of the text is looked at, and no more: the doubt is about the place that shows the change.
#[test]
fn damage_before_a_late_change_of_encoding_is_not_taken_for_it() {
    let russian = RUSSIAN.repeat(300);
    let other = mojika::WINDOWS_1251.encode(&russian).unwrap();
    for least_length in [0, 2 * LATE] {
        let mut page = damaged();
        while page.len() < least_length {
            page.extend_from_slice(RUSSIAN.as_bytes());
        }
        let changed = page.len();
        page.extend(other.iter());
        let tree = folder(&[("src/a.html", &page)]);
        let said = status(
            &tree,
            "convert --errors replacement src -o out/ --report r",
            1,
        );
        assert!(said.contains("1 doubtful"), "{said}");
        let line: serde_json::Value = serde_json::from_slice(&read(&tree, "r")).unwrap();
        assert_eq!(line["status"], "doubtful");
        let at = line["malformed_at"]["offset"].as_u64().unwrap() as usize;
        assert!((changed..changed + 200).contains(&at), "{changed}: {line}");
        assert_eq!(line["candidates"][0]["encoding"], "windows-1251");
        let shown = line["candidates"][0]["line"].as_str().unwrap();
        assert!(shown.starts_with("Вечером"), "{line}");
    }
}

#[test]
fn a_late_change_of_encoding_in_a_pipe_is_said_at_its_end() {
    let tree = folder(&[]);
    let args = ["convert", "--from", "auto", "--errors", "replacement"];
    let run = run_in(tree.path(), &args, &late());
    assert_eq!(run.status, 1);
    // The text before has been written.
    assert!(run.stdout.len() > LATE);
    assert!(run.stderr.contains("doubtful: UTF-8"), "{}", run.stderr);
    // Damage where the decision was made is no doubt.
    let early = [RUSSIAN.repeat(100).as_bytes(), b"\xFF\n"].concat();
    let run = run_in(tree.path(), &args, &early);
    assert_eq!(
        (run.status, run.stdout.is_empty()),
        (0, false),
        "{}",
        run.stderr
    );
}

#[cfg(feature = "warc")]
#[test]
fn a_late_change_of_encoding_in_an_archive_is_doubtful() {
    let records = [late(), damaged()].map(|page| archives::record("resource", "text/html", &page));
    let tree = folder(&[("a.warc", &records.concat())]);
    let lines = run_in(tree.path(), &["warc", "-q", "a.warc"], b"").stdout;
    let lines = String::from_utf8(lines).unwrap();
    let lines: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["doubtful"], true);
    assert_eq!(lines[1]["doubtful"], false);
    let page = damaged();
    let newlines = page[..LATE].iter().filter(|&&byte| byte == b'\n').count() as u64;
    assert_eq!(lines[1]["first_error_line"].as_u64().unwrap(), newlines + 1);
}
