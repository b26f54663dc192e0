//! Summaries and reports of `convert`, `check` and `detect`, for no file, one file, and several files of every kind.

use crate::common::tree::{folder, read};
use crate::{replayed, snapshot, stable, told};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

const RUSSIAN: &str = "Вечером на веранде пили чай с вареньем и говорили о лете, которое прошло.\n";

fn russian() -> Vec<u8> {
    mojika::WINDOWS_1251.encode(RUSSIAN).unwrap().into_owned()
}

/// Returns a folder with files for every outcome, two for most outcomes.
fn every_kind() -> tempfile::TempDir {
    let russian = russian();
    let declared = [b"<meta charset=utf-8>\n", &russian[..]].concat();
    let page = "<meta charset=utf-8>\n".as_bytes();
    let damaged = [page, RUSSIAN.as_bytes(), b"\xFF\xFE\n", RUSSIAN.as_bytes()].concat();
    let gzip = crate::common::archives::gzip(&russian);
    let cut = &gzip[..gzip.len() - 12];
    let tree = folder(&[
        ("src/1.txt", &russian),
        ("src/2.txt", &russian),
        ("src/ascii.txt", b"nothing else\n"),
        (
            "src/contradiction.xml",
            b"<?xml version='1.0' encoding='UTF-16'?><a/>",
        ),
        ("src/cut.txt.gz", cut),
        ("src/damaged.html", &damaged),
        ("src/declared.html", &declared),
        ("src/declared2.html", &declared),
        ("src/sub/image.png", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"),
        ("src/sub/utf-8.txt", RUSSIAN.as_bytes()),
    ]);
    symlink("1.txt", tree.path().join("src/link")).unwrap();
    crate::common::make_fifo(tree.path().join("src/pipe"));
    tree
}

/// Options that leave few possible encodings, whose order does not depend on the model.
const ALLOW: &str = "--allow windows-1251,utf-8 --errors replacement -j 1";

/// Returns a report with its lines sorted by name.
fn report(path: &Path) -> String {
    let text = fs::read_to_string(path.join("report")).unwrap();
    let mut lines: Vec<_> = text
        .lines()
        .map(|line| {
            let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(line["seconds"].as_f64().is_some(), "{line}");
            line.as_object_mut().unwrap().remove("seconds");
            stable(&line.to_string())
        })
        .collect();
    lines.sort_by_key(|line| {
        let line: serde_json::Value = serde_json::from_str(&line.replace(":#", ":0")).unwrap();
        line["path"].as_str().unwrap().to_owned()
    });
    lines.join("\n") + "\n"
}

#[test]
fn a_run_over_nothing() {
    let tree = folder(&[]);
    fs::create_dir(tree.path().join("src")).unwrap();
    let said = replayed("nothing.txt", |line| told(tree.path(), line));
    snapshot("nothing.txt", &said.join("\n"));
    assert_eq!(read(&tree, "report"), b"");
}

#[test]
fn a_run_over_one_file() {
    let tree = folder(&[("src/1.txt", &russian())]);
    let said = replayed("one.txt", |line| told(tree.path(), line));
    snapshot("one.txt", &said.join("\n"));
    snapshot("one.report.txt", &report(tree.path()));
}

#[test]
fn a_run_over_several_of_everything() {
    let tree = every_kind();
    let first = format!("convert src -o out/ --copy-other --report report {ALLOW}");
    let mut said = vec![told(tree.path(), &first)];
    snapshot("several.report.txt", &report(tree.path()));
    said.push(told(
        tree.path(),
        &format!("convert src -o out/ --report report {ALLOW}"),
    ));
    said.push(told(tree.path(), &format!("convert -n -i src {ALLOW}")));
    said.push(told(
        tree.path(),
        &format!("check src {}", ALLOW.replace("--errors replacement ", "")),
    ));
    said.push(told(
        tree.path(),
        &format!("convert --from windows-1251 -i src {ALLOW}")
            .replace("--allow windows-1251,utf-8 ", ""),
    ));
    snapshot("several.txt", &said.join("\n"));
}

#[test]
fn a_run_to_one_output() {
    let tree = every_kind();
    let said = [
        format!("convert --from auto src/1.txt src/damaged.html -o text --report report {ALLOW}"),
        format!(
            "convert --from auto src/1.txt src/declared.html src/contradiction.xml -o text {ALLOW}"
        ),
        "convert src/1.txt -o text".to_owned(),
        "convert --from utf-8 src/damaged.html -o text".to_owned(),
        "convert --from utf-8 --to latin1 src/sub/utf-8.txt -o text".to_owned(),
        "convert --from windows-1251 src/cut.txt.gz -o text".to_owned(),
        "convert --from windows-1251 src/cut.txt.gz -o text --salvage".to_owned(),
    ]
    .map(|line| told(tree.path(), &line));
    snapshot("output.txt", &said.join("\n"));
    snapshot("output.report.txt", &{
        told(
            tree.path(),
            &format!(
                "convert --from auto src/1.txt src/damaged.html -o text --report report {ALLOW}"
            ),
        );
        report(tree.path())
    });
}

#[test]
fn an_interrupted_run_says_how_to_go_on() {
    // Detection calls this malformed text UTF-8 with any model.
    let damaged = [RUSSIAN.as_bytes(), b"\xFF\n"].concat();
    let tree = folder(&[("src/1.txt", &russian()), ("src/2.txt", &damaged)]);
    let said = replayed("resume.txt", |line| told(tree.path(), line));
    let said = said.join("\n");
    // Replace the paths of commands and journals, which differ between machines.
    let said: Vec<_> = said
        .split_inclusive(char::is_whitespace)
        .map(|word| match word.contains("/mojika") && word.len() > 24 {
            true => "PATH ".to_owned(),
            false => word.to_owned(),
        })
        .collect();
    snapshot("resume.txt", &said.concat());
}

#[test]
fn a_table_of_detection() {
    let tree = every_kind();
    let said = replayed("detect.txt", |line| told(tree.path(), line));
    snapshot("detect.txt", &said.join("\n"));
}

/// Declarations that are updated, declarations that cannot name the output encoding, and text that was encoded twice.
#[test]
fn runs_over_declarations_and_text_that_was_encoded_twice() {
    let twice = |text: &str| {
        let text = mojika::WINDOWS_1251.decode(text.as_bytes()).text;
        format!("ascii\n{text}\nascii\n")
    };
    let page = b"<meta charset=koi8-r>\n<p>\xC4\xC1\n";
    let cookie = b"# -*- coding: koi8-r -*-\n# vim: fileencoding=koi8-r\n'\xC4\xC1'\n";
    let long = "Вечером на веранде пили чай с вареньем";
    let tree = folder(&[
        ("one/a.html", page),
        ("several/a.html", page),
        ("several/b.html", page),
        ("several/c.py", cookie),
        ("twice/1.txt", twice(long).as_bytes()),
        ("twice/2.txt", twice(&format!("{long}\n{long}")).as_bytes()),
        ("twice/3.txt", b"ascii\n"),
    ]);
    for number in 0..21 {
        fs::create_dir_all(tree.path().join("many")).unwrap();
        fs::write(tree.path().join(format!("many/{number:02}.py")), cookie).unwrap();
    }
    let said = replayed("declared.txt", |line| told(tree.path(), line));
    let mut said = said.join("\n");
    for name in ["report", "wide.report", "twice.report"] {
        let text = String::from_utf8(read(&tree, name)).unwrap();
        for line in text.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            said += &format!(
                "\n{}: {} {}",
                line["path"], line["declared"], line["encoded_twice"]
            );
        }
    }
    snapshot("declared.txt", &(said + "\n"));
}
