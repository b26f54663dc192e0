//! `mojika mcp`: a server over one folder.

use super::folder;
use crate::common::mojika;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;
use tempfile::tempdir;

/// A server over a folder, and what it answers to messages.
fn served(root: &Path, args: &[&str], messages: &[&str]) -> Vec<serde_json::Value> {
    use std::io::Write;
    let mut child = mojika()
        .args(["mcp", "--root"])
        .arg(root)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    for message in messages {
        writeln!(pipe, "{message}").unwrap();
    }
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let lines = output.stdout.split(|&byte| byte == b'\n');
    lines
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

/// The text that a tool gives, and whether it is an error.
fn called(root: &Path, name: &str, arguments: serde_json::Value) -> (String, bool) {
    let message = serde_json::json!({
        "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": name, "arguments": arguments},
    });
    let answers = served(root, &[], &[&message.to_string()]);
    assert_eq!(answers[0]["id"], 7);
    let result = &answers[0]["result"];
    let text = result["content"][0]["text"].as_str().unwrap().to_owned();
    (text, result["isError"].as_bool().unwrap())
}

#[test]
fn a_server_reads_and_edits_below_its_folder() {
    use serde_json::json;
    let folder = tempdir().unwrap();
    let root = folder.path().join("root");
    fs::create_dir_all(root.join("inner")).unwrap();
    let file = root.join("inner/a.txt");
    fs::write(
        &file,
        b"\x82\xB1\x82\xEA\x82\xCD\x93\xFA\x96{\x8C\xEA\x82\xC5\x82\xB7\r\n",
    )
    .unwrap();
    let (text, is_error) = called(&root, "read", json!({"path": "inner/a.txt"}));
    assert!(!is_error, "{text}");
    let read: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&read["text"], &read["encoding"]),
        (&json!("これは日本語です\r\n"), &json!("Shift_JIS"))
    );
    let (text, is_error) = called(&root, "detect", json!({"path": "inner/a.txt"}));
    assert_eq!((&*text, is_error), ("Shift_JIS (detection)", false));
    let arguments = json!({"path": file, "old": "日本語", "new": "文字"});
    let (text, is_error) = called(&root, "replace", arguments);
    assert!(!is_error, "{text}");
    assert_eq!(
        fs::read(&file).unwrap(),
        b"\x82\xB1\x82\xEA\x82\xCD\x95\xB6\x8E\x9A\x82\xC5\x82\xB7\r\n"
    );
    // The fingerprint is of the old bytes.
    let arguments = json!({"path": "inner/a.txt", "text": "x", "expect": read["fingerprint"]});
    let (text, is_error) = called(&root, "write", arguments);
    assert!(is_error && text.contains("has changed"), "{text}");
    let (text, _) = called(
        &root,
        "read",
        json!({"path": "inner/a.txt", "from": "shift_jis"}),
    );
    let read: serde_json::Value = serde_json::from_str(&text).unwrap();
    let arguments =
        json!({"path": "inner/a.txt", "text": "これは文です\n", "expect": read["fingerprint"]});
    let (text, is_error) = called(&root, "write", arguments);
    assert!(!is_error, "{text}");
    assert_eq!(
        fs::read(&file).unwrap(),
        b"\x82\xB1\x82\xEA\x82\xCD\x95\xB6\x82\xC5\x82\xB7\r\n"
    );
}

#[test]
fn nothing_outside_of_the_folder_is_reached() {
    use serde_json::json;
    let folder = tempdir().unwrap();
    let root = folder.path().join("root");
    fs::create_dir(&root).unwrap();
    fs::write(folder.path().join("secret.txt"), "secret\n").unwrap();
    fs::write(root.join("a.txt"), "text\n").unwrap();
    symlink("../secret.txt", root.join("link.txt")).unwrap();
    symlink("..", root.join("up")).unwrap();
    let absolute = folder.path().join("secret.txt");
    for path in [
        "../secret.txt",
        "link.txt",
        "up/secret.txt",
        "x/../../secret.txt",
        "",
        ".",
        "/",
        absolute.to_str().unwrap(),
        "a\0b",
    ] {
        for (tool, arguments) in [
            ("read", json!({"path": path})),
            ("detect", json!({"path": path})),
            (
                "replace",
                json!({"path": path, "old": "secret", "new": "x"}),
            ),
        ] {
            let (text, is_error) = called(&root, tool, arguments);
            assert!(is_error, "{tool} {path:?}: {text}");
        }
    }
    assert_eq!(fs::read(&absolute).unwrap(), b"secret\n");
}

#[test]
fn messages_are_answered_as_the_protocol_has_it() {
    let folder = folder("a.txt", b"text\n");
    let answers = served(
        folder.path(),
        &["--read-only"],
        &[
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":"two","method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":4,"method":"no/such"}"#,
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"write","arguments":{}}}"#,
            r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"read","arguments":{"path":1}}}"#,
            "{",
            "[]",
        ],
    );
    assert_eq!(answers.len(), 8, "{answers:?}");
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-03-26");
    assert_eq!(answers[1]["id"], "two");
    let tools = answers[1]["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["read", "detect"]);
    assert_eq!(answers[2]["result"], serde_json::json!({}));
    let codes: Vec<_> = [3, 4, 6, 7]
        .map(|i| answers[i]["error"]["code"].as_i64().unwrap())
        .into();
    assert_eq!(codes, [-32601, -32602, -32700, -32600]);
    assert_eq!(answers[5]["result"]["isError"], true);
}
