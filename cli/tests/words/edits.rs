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

/// What the options of an edit, its texts and the file refuse.
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
    // A whole text: none, one that is not UTF-8, one with a byte order mark.
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
    // What the library for diffs says is not compared.
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

#[cfg(feature = "mcp")]
#[test]
fn what_a_server_says() {
    let tree = folder(&[
        ("root/a.txt", b"one\ntwo\nthree\n"),
        ("root/b.bin", b"a\0b"),
        ("outside.txt", b"text"),
    ]);
    let call = |name: &str, arguments: serde_json::Value| {
        let params = serde_json::json!({"name": name, "arguments": arguments});
        serde_json::json!({"id": 1, "method": "tools/call", "params": params}).to_string()
    };
    let json = |text: &str| -> serde_json::Value { serde_json::from_str(text).unwrap() };
    let messages = [
        r#"{"id": 1, "method": "initialize", "params": {"protocolVersion": "2024-11-05"}}"#
            .to_owned(),
        r#"{"id": "two", "method": "initialize"}"#.to_owned(),
        r#"{"method": "notifications/initialized"}"#.to_owned(),
        String::new(),
        r#"{"id": 3, "method": "tools/list"}"#.to_owned(),
        r#"{"id": 4, "method": "ping"}"#.to_owned(),
        r#"{"id": 5, "method": "resources/list"}"#.to_owned(),
        r#"{"id": 6}"#.to_owned(),
        r#"{"id": 7, "result": {}}"#.to_owned(),
        r#"{"id": 8, "error": {}}"#.to_owned(),
        r#"{"id": 9, "method": "tools/call"}"#.to_owned(),
        call("remove", json("{}")),
        call(
            "read",
            json(r#"{"path": "a.txt", "first_line": 2, "lines": 1}"#),
        ),
        call("read", json(r#"{"path": "a.txt", "first_line": 0}"#)),
        call("read", json(r#"{"path": "a.txt", "lines": "1"}"#)),
        call("read", json(r#"{"path": "a.txt", "lines": -1}"#)),
        call("read", json(r#"{"path": "a.txt", "from": "klingon"}"#)),
        call("read", json("{}")),
        call("read", json(r#"{"path": "../outside.txt"}"#)),
        call("read", json(r#"{"path": "/outside.txt"}"#)),
        call("read", json(r#"{"path": "."}"#)),
        call("read", json(r#"{"path": "gone"}"#)),
        call("detect", json(r#"{"path": "a.txt"}"#)),
        call("detect", json(r#"{"path": "b.bin"}"#)),
        call("replace", json(r#"{"path": "a.txt", "old": "e"}"#)),
        call(
            "replace",
            json(r#"{"path": "a.txt", "old": "e", "new": "E"}"#),
        ),
        call(
            "replace",
            json(r#"{"path": "a.txt", "old": "e", "new": "E", "all": true}"#),
        ),
        call("write", json(r#"{"path": "a.txt", "text": "x"}"#)),
        call(
            "write",
            json(r#"{"path": "a.txt", "text": "x", "expect": "UTF-8"}"#),
        ),
    ];
    let stdin = messages.join("\n") + "\n";
    let mut said = String::new();
    for line in ["mcp --root root", "mcp --root root --read-only"] {
        said += &told(tree.path(), line, &stdin).replace(env!("CARGO_PKG_VERSION"), "VERSION");
        said += "\n";
    }
    said += &told(tree.path(), "mcp --root gone", "");
    snapshot("edit.server.txt", &said);
    let said = told(tree.path(), "mcp --root root", "no JSON\n");
    assert!(said.contains(r#"{"error":{"code":-32700,"#), "{said}");
}
