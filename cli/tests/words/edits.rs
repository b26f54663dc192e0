//! The messages of `get`, `put` and `edit`.

use crate::common::tree::folder;
use crate::common::{has, run_in};
use crate::{replayed, snapshot};
use std::fs;
use std::path::Path;

fn told(path: &Path, line: &str, stdin: &str) -> String {
    let args: Vec<_> = line.split(' ').collect();
    let run = run_in(path, &args, stdin.as_bytes());
    let output = String::from_utf8(run.stdout).unwrap();
    format!(
        "$ mojika {line}\n{output}{}status {}\n",
        run.stderr, run.status
    )
}

#[test]
fn edits_and_refusals() {
    let russian = mojika::WINDOWS_1251
        .encode("раз два\nраз три\n\nи раз\n")
        .unwrap();
    let tree = folder(&[
        ("once.txt", b"one two\r\nthree\r\n"),
        ("mac.txt", b"one\rtwo\r"),
        ("host.txt", b"\xD6\x95\x85\x15"),
        ("mixed.txt", b"one\ntwo\r\nthree\n"),
        ("none.txt", b"one"),
        ("utf-8.txt", "\u{FEFF}é\u{80}\n".as_bytes()),
        ("malformed.txt", b"a\xFFb\xFE\n"),
        ("russian.txt", &russian),
        ("linked.txt", b"text\n"),
    ]);
    for name in ["link1", "link2"] {
        fs::hard_link(tree.path().join("linked.txt"), tree.path().join(name)).unwrap();
    }
    let lines = replayed("edit.txt", |line| told(tree.path(), line, "new\n"));
    snapshot("edit.txt", &lines.join("\n"));
    let line = "edit -f utf-8 mixed.txt --replace two 2\n2";
    let said = told(tree.path(), line, "");
    has(
        &said,
        "its line ends are mixed, and inserted ones were kept as given",
    );
}

#[test]
fn edits_that_are_refused_say_why() {
    let diff = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
    let tree = folder(&[
        ("a.txt", b"one\ntwo\n"),
        ("b.txt", b"\xC4\xC1\n"),
        ("linked.txt", b"text\n"),
        ("utf-8.txt", "\u{FEFF}é\n".as_bytes()),
        ("fits.diff", diff.as_bytes()),
        ("fits-not.diff", diff.replace("two", "three").as_bytes()),
        ("no.diff", b"some text\n"),
        ("bad.diff", b"--- a\n+++ b\n@@ -1 +1 @@\nx\n"),
        ("bytes.diff", b"@@ \xFF\n"),
        ("empty", b""),
    ]);
    let path = tree.path();
    fs::hard_link(path.join("linked.txt"), path.join("link")).unwrap();
    let empty = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
    let mut said = Vec::new();
    for (line, stdin) in [
        ("edit a.txt", ""),
        ("edit a.txt --replace one 1 --replace two 2", ""),
        ("edit a.txt b.txt --patch fits.diff", ""),
        ("edit -f utf-8 a.txt --patch fits-not.diff", ""),
        ("edit -f utf-8 a.txt --patch no.diff", ""),
        ("edit -f utf-8 a.txt --patch bad.diff", ""),
        ("edit -f utf-8 a.txt --patch empty", ""),
        ("edit -f utf-8 a.txt --patch bytes.diff", ""),
        ("edit -f utf-8 a.txt --patch gone.diff", ""),
        ("edit -f utf-8 a.txt --patch -", "text\n"),
        ("edit -f utf-8 -n a.txt --patch fits.diff", ""),
        ("edit -f utf-8 a.txt --patch fits.diff", ""),
        ("edit -f utf-8 a.txt --patch fits.diff", ""),
        ("edit -f utf-8 linked.txt --replace text Text", ""),
        ("edit -f utf-8 .. --replace text Text", ""),
        ("get -f utf-8 .", ""),
        ("get -f iso-2022-kr b.txt", ""),
        ("get b.txt --allow koi8-r,windows-1251 --confidence 1", ""),
    ] {
        said.push(told(path, line, stdin));
    }
    // The new text is empty, has a byte order mark, or is not UTF-8.
    let fingerprint = told(path, "get -f utf-8 --fingerprint a.txt", "");
    let fingerprint = fingerprint.lines().nth(1).unwrap().to_owned();
    for stdin in ["", "\u{FEFF}new\n"] {
        let line = format!("put a.txt --expect {fingerprint}");
        said.push(told(path, &line, stdin));
    }
    let run = run_in(
        path,
        &["put", "a.txt", "--expect", &format!("UTF-8:{empty}")],
        b"a\xFF",
    );
    said.push(format!("{}status {}\n", run.stderr, run.status));
    said.push(told(path, &format!("put empty --expect UTF-8:{empty}"), ""));
    said.push(told(
        path,
        &format!("put empty --expect UTF-8:{empty}"),
        "é\n",
    ));
    said.push(told(path, "get -f utf-8 --json a.txt", ""));
    // The library's messages about diffs are cut, because they are not compared.
    let said = said.join("\n");
    let lines = said.lines().map(|line| {
        let cut = [
            "the diff does not fit its text: ",
            "no unified diff of one file: ",
        ];
        let cut = cut.iter().find_map(|cut| Some(line.find(cut)? + cut.len()));
        format!("{}\n", cut.map_or(line, |end| &line[..end]))
    });
    snapshot(
        "edit.refused.txt",
        &crate::stable(&lines.collect::<String>()),
    );
}
