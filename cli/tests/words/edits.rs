//! What `get`, `put`, `edit` and `merge` say.

use crate::common::run_in;
use crate::common::tree::folder;
use crate::snapshot;
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
    let lines = [
        "get -f utf-8 once.txt",
        "get -f utf-8 mac.txt",
        "get -f ibm1047 --json host.txt",
        "get -f utf-8 --json mixed.txt",
        "get -f utf-8 none.txt",
        "get utf-8.txt",
        "get -f utf-8 --json malformed.txt",
        "get -f windows-1251 --fingerprint russian.txt",
        "get -f utf-8 --max-size 2 none.txt",
        "get -f utf-8 --max-size 3 none.txt",
        "edit -f utf-8 once.txt -n --replace two 2",
        "edit -f utf-8 once.txt --replace two 2",
        "edit -f utf-8 once.txt --replace e E",
        "edit -f utf-8 once.txt --replace e E --all",
        "edit -f utf-8 once.txt --replace E E --all",
        "edit -f utf-8 once.txt --replace absent x",
        "edit -f utf-8 mixed.txt --replace two 2\n2",
        "edit -f utf-8 linked.txt --replace text Text",
        "edit -f windows-1251 russian.txt --replace раз one",
        "edit -f windows-1251 russian.txt --replace раз x文字 --all",
        "edit -f windows-1251 russian.txt --replace два \u{FFFD}",
        "edit -f windows-1251 russian.txt --replace два 文 --errors html",
        "edit -f windows-1251 russian.txt none.txt gone.txt --replace три 3",
        "edit -f utf-8 none.txt --replace one ",
        "edit -f utf-8 none.txt --replace  x",
        "put none.txt --expect utf-8:0",
        "put mac.txt --expect UTF-8:0000000000000000000000000000000000000000",
    ]
    .map(|line| told(tree.path(), line, "new\n"));
    snapshot("edit.txt", &lines.join("\n"));
}

#[test]
fn merges_and_their_conflicts() {
    let tree = folder(&[
        ("base.txt", b"1\r\n2\r\n3\r\n4\r\n5\r\n"),
        ("ours.txt", b"1\r\nours\r\n3\r\n4\r\n5\r\n"),
        ("theirs.txt", b"1\n2\n3\n4\ntheirs\n"),
        ("conflicting.txt", b"1\r\nother\r\n3\r\n4\r\n5\r\n"),
    ]);
    let mut lines = Vec::new();
    for theirs in ["theirs.txt", "conflicting.txt"] {
        lines.push(told(
            tree.path(),
            &format!("merge -f utf-8 base.txt ours.txt {theirs}"),
            "",
        ));
        lines.push(told(tree.path(), "get -f utf-8 --json ours.txt", ""));
    }
    snapshot("merge.txt", &lines.join("\n"));
}
