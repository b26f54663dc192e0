//! `mojika get`, `put` and `edit`: the changes, and the unchanged bytes.

mod long;

use crate::common::{holds, list, run_at, run_in};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use tempfile::{TempDir, tempdir};

/// Creates a folder with one file.
fn folder(name: &str, bytes: &[u8]) -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join(name), bytes).unwrap();
    folder
}

/// Runs `mojika edit` on a file of these bytes and returns its new bytes. No other file may be left.
#[track_caller]
fn edited(bytes: &[u8], args: &[&str]) -> Vec<u8> {
    let folder = folder("file.txt", bytes);
    let args = [&["edit", "file.txt"], args].concat();
    run_in(folder.path(), &args, b"").ends(0);
    assert_eq!(list(folder.path()), ["file.txt"]);
    fs::read(folder.path().join("file.txt")).unwrap()
}

/// Returns the message of a refused edit.
#[track_caller]
fn refused(bytes: &[u8], args: &[&str]) -> String {
    let folder = folder("file.txt", bytes);
    let args = [&["edit", "file.txt"], args].concat();
    let run = run_in(folder.path(), &args, b"").ends(1);
    assert_eq!(list(folder.path()), ["file.txt"]);
    holds(&folder, "file.txt", bytes);
    run.stderr
}

/// Passes the text through `get`, changes it, and passes it through `put`.
#[track_caller]
fn put(bytes: &[u8], from: &str, change: impl Fn(&str) -> String) -> Vec<u8> {
    let folder = folder("file.txt", bytes);
    let get = ["get", "--json", "--from", from, "file.txt"];
    let got = run_in(folder.path(), &get, b"").ok();
    let object: serde_json::Value = serde_json::from_slice(&got).unwrap();
    let expect = object["fingerprint"].as_str().unwrap();
    let text = change(object["text"].as_str().unwrap());
    let args = ["put", "file.txt", "--expect", expect];
    run_in(folder.path(), &args, text.as_bytes()).ends(0);
    fs::read(folder.path().join("file.txt")).unwrap()
}

/// Asserts that replacing `old` with `new`, by `--replace`, by `--patch` and by `put`, changes only these bytes.
#[track_caller]
fn changes_alone(bytes: &[u8], from: &str, (old, new): (&str, &str), expected: (&[u8], &[u8])) {
    let at = memchr::memmem::find(bytes, expected.0).unwrap();
    let after = at + expected.0.len();
    let expected = [&bytes[..at], expected.1, &bytes[after..]].concat();
    let found = edited(bytes, &["--from", from, "--replace", old, new]);
    assert_eq!(found, expected, "--replace");
    let found = put(bytes, from, |text| text.replacen(old, new, 1));
    assert_eq!(found, expected, "put");
    // The text comes from a program that writes LF for each line end.
    let found = put(bytes, from, |text| {
        text.replacen(old, new, 1).replace("\r\n", "\n")
    });
    assert_eq!(found, expected, "put, with LF");
}

#[test]
fn claude_code_85842_a_byte_far_from_the_edit_stays() {
    let mut file = b"first line\r\n".to_vec();
    for _ in 0..997 {
        file.extend_from_slice(b"int x = 0; // nothing here\r\n");
    }
    file.extend_from_slice(b"// Product\x99 is a trademark\r\n");
    changes_alone(&file, "windows-1252", ("first", "1st"), (b"first", b"1st"));
}

#[test]
fn claude_code_3416_5518_7134_accents_of_windows_1252_stay_and_are_inserted() {
    let advpl = b"User Function Mata010()\r\n// Configura\xE7\xE3o da filial n\xE3o \xE9 v\xE1lida\r\nReturn .T.\r\n";
    changes_alone(advpl, "auto", (".T.", ".F."), (b".T.", b".F."));
    changes_alone(
        advpl,
        "auto",
        ("filial não", "filial já não"),
        (b"filial n\xE3o", b"filial j\xE1 n\xE3o"),
    );
}

#[test]
fn gemini_cli_1468_text_is_read_and_written_in_its_own_encoding() {
    let unit = b"unit TestUnit;\r\n// O objetivo \xE9 testar opera\xE7\xF5es e a marca\xE7\xE3o autom\xE1tica.\r\nend.\r\n";
    let folder = folder("TestUnit.pas", unit);
    let text = run_at(folder.path(), "get -q TestUnit.pas", b"").ok();
    assert!(
        String::from_utf8(text)
            .unwrap()
            .contains("operações e a marcação automática")
    );
    changes_alone(
        unit,
        "auto",
        ("testar", "verificar"),
        (b"testar", b"verificar"),
    );
}

#[test]
fn codex_4013_emoji_stay_and_line_ends_are_not_spelled_out() {
    let file = "status = \"🔴\"\r\nif (x) {\r\n}\r\n";
    changes_alone(
        file.as_bytes(),
        "auto",
        ("if (x) {\r\n", "if (x) {\r\n    y();\r\n"),
        (b"if (x) {\r\n", b"if (x) {\r\n    y();\r\n"),
    );
    let found = edited(file.as_bytes(), &["--replace", "{\n}", "{\n    y();\n}"]);
    assert_eq!(
        found,
        file.replace("{\r\n}", "{\r\n    y();\r\n}").as_bytes()
    );
}

#[test]
fn copilot_cli_3732_one_byte_of_windows_1252_stays() {
    let file = b"// Copyright \xA9 Example. all rights reserved.\r\nint main() { return 0; }\r\n";
    changes_alone(file, "auto", ("all rights", "All rights"), (b"all", b"All"));
    let found = edited(file, &["--replace", "return 0", "return 1"]);
    assert_eq!(found[13], 0xA9);
}

#[test]
fn zed_16965_44819_each_of_their_encodings_is_saved_as_it_was() {
    for (from, text, old, new) in [
        ("iso-8859-1", "Ä café in Zürich\n", "Zürich", "Genève"),
        (
            "cp865",
            "Rødgrød med fløde på Ærø\n",
            "fløde",
            "sukker og fløde",
        ),
        ("koi8-r", "Привет, мир\n", "мир", "Москва"),
        (
            "utf-16le",
            "\u{FEFF}plain and ünïcode\r\n",
            "plain",
            "simple",
        ),
        (
            "shift_jis",
            "// 表示する\r\nint 値; ソース\r\n",
            "値",
            "数値",
        ),
        ("euc-jp", "日本語の文章\n", "文章", "文"),
        ("big5", "繁體中文的文件\n", "文件", "檔案"),
        ("iso-2022-jp", "日本語mail\n", "本語", "本の"),
    ] {
        let encoding = mojika::extended::find(from).unwrap();
        let encoded = |text: &str| encoding.encode(text).unwrap().into_owned();
        let found = edited(&encoded(text), &["--from", from, "--replace", old, new]);
        assert_eq!(found, encoded(&text.replace(old, new)), "{from}");
    }
}

#[test]
fn malformed_bytes_and_second_forms_stay_through_get_and_put() {
    // FA 54 is the second byte sequence, NEC's, for "¬". 82 22 and FF are malformed.
    let file = b"\xFA\x54 \x82\" \x95\xB6\xFF\x8E\x9A\n";
    let found = put(file, "shift_jis", |text| text.replace('文', "漢"));
    assert_eq!(found, b"\xFA\x54 \x82\" \x8A\xBF\xFF\x8E\x9A\n");
}

#[test]
fn put_is_refused_if_the_file_has_changed() {
    let folder = folder("file.txt", b"\xE9 one\n");
    let get = ["get", "--fingerprint", "--from", "windows-1252", "file.txt"];
    let fingerprint = String::from_utf8(run_in(folder.path(), &get, b"").ok()).unwrap();
    let args = ["put", "file.txt", "--expect", fingerprint.trim()];
    fs::write(folder.path().join("file.txt"), b"\xE9 two\n").unwrap();
    let run = run_in(folder.path(), &args, "é three\n".as_bytes());
    assert_eq!(run.status, 1);
    run.says("has changed");
    holds(&folder, "file.txt", b"\xE9 two\n");
    fs::write(folder.path().join("file.txt"), b"\xE9 one\n").unwrap();
    // Empty input, as from a program that has failed.
    let run = run_in(folder.path(), &args, b"");
    run.says("the new text is empty");
    let run = run_in(folder.path(), &args, b"\xE9 not UTF-8\n");
    run.says("not UTF-8 at byte offset 0");
    let run = run_at(folder.path(), "put file.txt --expect x", b"a");
    assert_eq!(run.status, 2);
    holds(&folder, "file.txt", b"\xE9 one\n");
}

#[test]
fn mode_links_and_names_are_kept() {
    let folder = folder("-odd\nname", b"a\n");
    let path = folder.path().join("-odd\nname");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("-odd\nname", folder.path().join("link")).unwrap();
    run_at(folder.path(), "edit link --replace a b", b"").ends(0);
    let run = run_in(
        folder.path(),
        &["edit", "--replace", "b", "c", "--", "-odd\nname"],
        b"",
    )
    .ends(0);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert_eq!(fs::read(&path).unwrap(), b"c\n");
    let metadata = fs::metadata(&path).unwrap();
    assert_eq!(metadata.mode() & 0o777, 0o640);
    assert!(
        fs::symlink_metadata(folder.path().join("link"))
            .unwrap()
            .is_symlink()
    );
    // If the text is the same, the file is not written.
    let before = metadata.ino();
    assert_eq!(
        run_at(folder.path(), "edit -q link --replace c c", b"").status,
        0
    );
    assert_eq!(fs::metadata(&path).unwrap().ino(), before);
    let run = run_at(folder.path(), "edit -n link --replace c d", b"");
    run.says("would replace 1 byte with 1");
    assert_eq!(fs::read(&path).unwrap(), b"c\n");
    // The file gets new times, unless an option keeps them.
    let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(old)
        .unwrap();
    run_at(
        folder.path(),
        "edit -q --keep-times link --replace c d",
        b"",
    )
    .ok();
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), old);
    run_at(folder.path(), "edit -q link --replace d e", b"").ok();
    assert!(fs::metadata(&path).unwrap().modified().unwrap() > old);
}

#[test]
fn what_is_no_file_is_refused() {
    let folder = tempdir().unwrap();
    crate::common::make_fifo(folder.path().join("pipe"));
    for name in [".", "pipe", "missing", "/"] {
        let run = run_in(folder.path(), &["edit", name, "--replace", "a", "b"], b"");
        assert_eq!(run.status, 1, "{name}: {}", run.stderr);
    }
}
