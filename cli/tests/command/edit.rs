//! `mojika get`, `put` and `edit`: what is changed, and that nothing else is.

use crate::common::{list, mojika, run_in, samples};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::{TempDir, tempdir};

/// A folder with one file.
fn folder(name: &str, bytes: &[u8]) -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join(name), bytes).unwrap();
    folder
}

/// Runs `mojika edit` on a file of these bytes and returns its new bytes. Nothing stays beside it.
#[track_caller]
fn edited(bytes: &[u8], args: &[&str]) -> Vec<u8> {
    let folder = folder("file.txt", bytes);
    let args = [&["edit", "file.txt"], args].concat();
    let run = run_in(folder.path(), &args, b"");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(list(folder.path()), ["file.txt"]);
    fs::read(folder.path().join("file.txt")).unwrap()
}

/// The same, of a refused edit: the message.
#[track_caller]
fn refused(bytes: &[u8], args: &[&str]) -> String {
    let folder = folder("file.txt", bytes);
    let args = [&["edit", "file.txt"], args].concat();
    let run = run_in(folder.path(), &args, b"");
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert_eq!(list(folder.path()), ["file.txt"]);
    assert_eq!(fs::read(folder.path().join("file.txt")).unwrap(), bytes);
    run.stderr
}

/// The text through `get`, changed, through `put`.
#[track_caller]
fn put(bytes: &[u8], from: &str, change: impl Fn(&str) -> String) -> Vec<u8> {
    let folder = folder("file.txt", bytes);
    let get = ["get", "--json", "--from", from, "file.txt"];
    let got = run_in(folder.path(), &get, b"").ok();
    let object: serde_json::Value = serde_json::from_slice(&got).unwrap();
    let expect = object["fingerprint"].as_str().unwrap();
    let text = change(object["text"].as_str().unwrap());
    let args = ["put", "file.txt", "--expect", expect];
    let run = run_in(folder.path(), &args, text.as_bytes());
    assert_eq!(run.status, 0, "{}", run.stderr);
    fs::read(folder.path().join("file.txt")).unwrap()
}

/// An edit that replaces `old` by `new`, once by text and once by patch and by `put`, changes these bytes alone.
#[track_caller]
fn changes_alone(bytes: &[u8], from: &str, (old, new): (&str, &str), expected: (&[u8], &[u8])) {
    let at = memchr::memmem::find(bytes, expected.0).unwrap();
    let after = at + expected.0.len();
    let expected = [&bytes[..at], expected.1, &bytes[after..]].concat();
    let found = edited(bytes, &["--from", from, "--replace", old, new]);
    assert_eq!(found, expected, "--replace");
    let found = put(bytes, from, |text| text.replacen(old, new, 1));
    assert_eq!(found, expected, "put");
    // As a program does that knows LF alone.
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
fn claude_code_36104_comments_in_gb2312_stay() {
    let file = mojika::GBK
        .encode("// 初始化串口，波特率为九千六百\r\nvoid init(void) {\r\n    baud = 9600;\r\n}\r\n// 这个函数返回当前的温度\r\n")
        .unwrap();
    changes_alone(&file, "auto", ("9600", "115200"), (b"9600", b"115200"));
    let celsius = mojika::GBK.encode("湿度").unwrap();
    let old = mojika::GBK.encode("温度").unwrap();
    changes_alone(&file, "auto", ("温度", "湿度"), (&old, &celsius));
}

#[test]
fn gemini_cli_1468_text_is_read_and_written_in_its_own_encoding() {
    let unit = b"unit TestUnit;\r\n// O objetivo \xE9 testar opera\xE7\xF5es e a marca\xE7\xE3o autom\xE1tica.\r\nend.\r\n";
    let folder = folder("TestUnit.pas", unit);
    let text = run_in(folder.path(), &["get", "-q", "TestUnit.pas"], b"").ok();
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
fn opencode_37602_the_encoding_can_be_named() {
    changes_alone(
        b"\xC4\xE3\xBA\xC3\n",
        "gbk",
        ("你好", "世界"),
        (b"\xC4\xE3\xBA\xC3", b"\xCA\xC0\xBD\xE7"),
    );
}

#[test]
fn deepseek_reasonix_3354_text_to_replace_is_found_in_gbk() {
    let file = mojika::GBK
        .encode(".版本 2\r\n.子程序 窗口创建完毕\r\n标签1.标题 ＝ “你好，世界”\r\n")
        .unwrap();
    let (old, new) = (
        mojika::GBK.encode("世界").unwrap(),
        mojika::GBK.encode("朋友").unwrap(),
    );
    changes_alone(&file, "auto", ("世界", "朋友"), (&old, &new));
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
    // FA 54 is NEC's second form of "¬"; 82 22 and FF are malformed.
    let file = b"\xFA\x54 \x82\" \x95\xB6\xFF\x8E\x9A\n";
    let found = put(file, "shift_jis", |text| text.replace('文', "漢"));
    assert_eq!(found, b"\xFA\x54 \x82\" \x8A\xBF\xFF\x8E\x9A\n");
}

#[test]
fn a_patch_is_applied_whatever_its_line_ends() {
    let file = b"\xE0\r\n\xE1\r\n\xE2\r\n";
    let diff = "--- a/file.txt\n+++ b/file.txt\n@@ -1,3 +1,4 @@\n а\n-б\n+бб\n+г\n в\n";
    for diff in [diff.to_owned(), diff.replace('\n', "\r\n")] {
        let folder = folder("file.txt", file);
        let args = ["edit", "file.txt", "--from", "windows-1251", "--patch", "-"];
        let run = run_in(folder.path(), &args, diff.as_bytes());
        assert_eq!(run.status, 0, "{}", run.stderr);
        let found = fs::read(folder.path().join("file.txt")).unwrap();
        assert_eq!(found, b"\xE0\r\n\xE1\xE1\r\n\xE3\r\n\xE2\r\n");
    }
    // As they are given: the diff has to have those of the file, and what it inserts has its own.
    for (diff, status) in [(diff.to_owned(), 1), (diff.replace('\n', "\r\n"), 0)] {
        let folder = folder("file.txt", file);
        let args = [
            "edit",
            "file.txt",
            "--from",
            "windows-1251",
            "--keep-line-ends",
            "--patch",
            "-",
        ];
        let run = run_in(folder.path(), &args, diff.as_bytes());
        assert_eq!(run.status, status, "{}", run.stderr);
    }
    let folder = folder("file.txt", file);
    let args = ["edit", "file.txt", "--from", "koi8-r", "--patch", "-"];
    let run = run_in(folder.path(), &args, diff.as_bytes());
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("does not fit"), "{}", run.stderr);
}

#[test]
fn a_merge_keeps_what_neither_side_changes() {
    let folder = tempdir().unwrap();
    // "¬" in its second form, a malformed byte; each line once.
    let base = b"\xFA\x54 \xFF\r\n\x82\xA0\r\nx\r\n\x82\xA2\r\n";
    let theirs = replaced_once(base, b"\x82\xA2", b"\x82\xA4");
    let ours = replaced_once(base, b"\x82\xA0", b"\x82\xA6");
    for (name, bytes) in [("o", &base[..]), ("a", &ours), ("b", &theirs)] {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let args = ["merge", "-q", "--from", "shift_jis", "o", "a", "b"];
    run_in(folder.path(), &args, b"").ok();
    let merged = fs::read(folder.path().join("a")).unwrap();
    assert_eq!(merged, replaced_once(&ours, b"\x82\xA2", b"\x82\xA4"));
    // The same line on both sides.
    fs::write(folder.path().join("a"), &ours).unwrap();
    fs::write(
        folder.path().join("b"),
        replaced_once(base, b"\x82\xA0", b"\x82\xA8"),
    )
    .unwrap();
    let run = run_in(folder.path(), &args, b"");
    assert_eq!(run.status, 1);
    let merged = fs::read(folder.path().join("a")).unwrap();
    assert!(
        merged.starts_with(b"\xFA\x54 \xFF\r\n<<<<<<<"),
        "{merged:X?}"
    );
    assert!(merged.ends_with(b"\r\nx\r\n\x82\xA2\r\n"), "{merged:X?}");
}

/// Bytes with the first occurrence of others replaced.
fn replaced_once(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = memchr::memmem::find(bytes, old).unwrap();
    [&bytes[..at], new, &bytes[at + old.len()..]].concat()
}

#[test]
fn what_cannot_be_written_is_refused_with_its_place() {
    let file = b"one\ntwo caf\xE9\n";
    let said = refused(
        file,
        &["--from", "windows-1252", "--replace", "café", "café → thé"],
    );
    assert!(said.contains("U+2192 '→' at line 2, column 10"), "{said}");
    let said = refused(
        file,
        &["--from", "windows-1252", "--replace", "one", "\u{FFFD}"],
    );
    assert!(said.contains("U+FFFD at line 1, column 1"), "{said}");
    let found = edited(
        file,
        &[
            "--from",
            "windows-1252",
            "--errors",
            "html",
            "--replace",
            "café",
            "café → thé",
        ],
    );
    assert_eq!(found, b"one\ntwo caf\xE9 &#8594; th\xE9\n");
    // The lead takes what would come after it.
    let said = refused(b"\x82\"a", &["--from", "shift_jis", "--replace", "\"", ""]);
    assert!(said.contains("line 1, column 2, byte offset 1"), "{said}");
}

#[test]
fn a_text_that_is_not_there_once_is_refused() {
    let said = refused(b"a b\na\n", &["--replace", "c", "d"]);
    assert!(said.contains("\"c\" is not in its text"), "{said}");
    let said = refused(b"a b\na\n", &["--replace", "a", "d"]);
    assert!(said.contains("2 times, in lines 1 and 2"), "{said}");
    assert_eq!(
        edited(b"a b\na\n", &["--replace", "a", "d", "--all"]),
        b"d b\nd\n"
    );
    assert_eq!(edited(b"a\n", &["--replace", "a", "-d"]), b"-d\n");
}

#[test]
fn a_doubtful_file_is_refused() {
    let said = refused(b"\xC1\xC2\xC3 \xD1\xD2\n", &["--replace", "x", "y"]);
    assert!(said.contains("doubtful"), "{said}");
    let folder = folder("file.txt", b"\xC1\xC2\xC3 \xD1\xD2\n");
    let run = run_in(folder.path(), &["get", "file.txt"], b"");
    assert_eq!((run.status, &*run.stdout), (1, &b""[..]));
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
    assert!(run.stderr.contains("has changed"), "{}", run.stderr);
    assert_eq!(
        fs::read(folder.path().join("file.txt")).unwrap(),
        b"\xE9 two\n"
    );
    fs::write(folder.path().join("file.txt"), b"\xE9 one\n").unwrap();
    // As of a program that has failed.
    let run = run_in(folder.path(), &args, b"");
    assert!(
        run.stderr.contains("the new text is empty"),
        "{}",
        run.stderr
    );
    let run = run_in(folder.path(), &args, b"\xE9 not UTF-8\n");
    assert!(
        run.stderr.contains("not UTF-8 at byte offset 0"),
        "{}",
        run.stderr
    );
    let run = run_in(folder.path(), &["put", "file.txt", "--expect", "x"], b"a");
    assert_eq!(run.status, 2);
    assert_eq!(
        fs::read(folder.path().join("file.txt")).unwrap(),
        b"\xE9 one\n"
    );
}

#[test]
fn mode_links_and_names_are_kept() {
    let folder = folder("-odd\nname", b"a\n");
    let path = folder.path().join("-odd\nname");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("-odd\nname", folder.path().join("link")).unwrap();
    let run = run_in(folder.path(), &["edit", "link", "--replace", "a", "b"], b"");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let run = run_in(
        folder.path(),
        &["edit", "--replace", "b", "c", "--", "-odd\nname"],
        b"",
    );
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert_eq!(fs::read(&path).unwrap(), b"c\n");
    let metadata = fs::metadata(&path).unwrap();
    assert_eq!(metadata.mode() & 0o777, 0o640);
    assert!(
        fs::symlink_metadata(folder.path().join("link"))
            .unwrap()
            .is_symlink()
    );
    // Nothing to change: nothing is written.
    let before = metadata.ino();
    assert_eq!(
        run_in(
            folder.path(),
            &["edit", "-q", "link", "--replace", "c", "c"],
            b""
        )
        .status,
        0
    );
    assert_eq!(fs::metadata(&path).unwrap().ino(), before);
    let run = run_in(
        folder.path(),
        &["edit", "-n", "link", "--replace", "c", "d"],
        b"",
    );
    assert!(
        run.stderr.contains("would replace 1 bytes with 1"),
        "{}",
        run.stderr
    );
    assert_eq!(fs::read(&path).unwrap(), b"c\n");
    // Times are new, unless asked for.
    let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(old)
        .unwrap();
    run_in(
        folder.path(),
        &["edit", "-q", "--keep-times", "link", "--replace", "c", "d"],
        b"",
    )
    .ok();
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), old);
    run_in(
        folder.path(),
        &["edit", "-q", "link", "--replace", "d", "e"],
        b"",
    )
    .ok();
    assert!(fs::metadata(&path).unwrap().modified().unwrap() > old);
}

#[test]
fn what_is_no_file_is_refused() {
    let folder = tempdir().unwrap();
    Command::new("mkfifo")
        .arg(folder.path().join("pipe"))
        .status()
        .unwrap();
    for name in [".", "pipe", "missing", "/"] {
        let run = run_in(folder.path(), &["edit", name, "--replace", "a", "b"], b"");
        assert_eq!(run.status, 1, "{name}: {}", run.stderr);
    }
    let run = run_in(folder.path(), &["edit", "file"], b"");
    assert_eq!(run.status, 2, "{}", run.stderr);
}

/// Done when, of the issue: a word of each sample is changed, and no other byte.
#[test]
fn a_word_of_each_sample_changes_its_bytes_alone() {
    let folder = tempdir().unwrap();
    let mut count = 0;
    for entry in samples().read_dir().unwrap() {
        let path = entry.unwrap().path();
        if !path.is_file() || path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let copy = folder.path().join(&name);
        fs::copy(&path, &copy).unwrap();
        // The shortest ones are doubtful; their names have the encoding.
        let from = name.split('.').nth(1).unwrap();
        let got = run_in(
            folder.path(),
            &["get", "--json", "--from", from, &name],
            b"",
        )
        .ok();
        let object: serde_json::Value = serde_json::from_slice(&got).unwrap();
        let text = object["text"].as_str().unwrap();
        // The first word of letters beyond ASCII that the text has once; its letters are reversed.
        let words = text.split(|c: char| !c.is_alphabetic());
        let word = words
            .filter(|word| word.chars().count() > 2 && !word.is_ascii())
            .find(|word| text.matches(word).count() == 1)
            .unwrap_or_else(|| panic!("{name} has a word"));
        let reversed: String = word.chars().rev().collect();
        let args = [
            "edit",
            "-q",
            "--from",
            from,
            &name,
            "--replace",
            word,
            &reversed,
        ];
        run_in(folder.path(), &args, b"").ok();
        let (old, new) = (fs::read(&path).unwrap(), fs::read(&copy).unwrap());
        let encoding = mojika::extended::find(object["encoding"].as_str().unwrap()).unwrap();
        let expected = text.replacen(word, &reversed, 1);
        assert_eq!(encoding.decode(&new).text, expected, "{name}");
        assert_eq!(old.len(), new.len(), "{name}");
        // What `cmp -l` lists.
        let differ: Vec<_> = (0..old.len()).filter(|&i| old[i] != new[i]).collect();
        let span = differ.last().unwrap() - differ[0] + 1;
        assert!(span <= 4 * word.chars().count(), "{name}: {differ:?}");
        count += 1;
    }
    assert!(count >= 4, "{count}");
}

/// A text that is far into a file is found, with its place, by bytes; nothing is read whole.
#[test]
fn a_long_file_is_edited_piece_by_piece() {
    for (from, filler, old, new) in [
        ("windows-1251", "Строка текста\r\n", "ёж", "ужи"),
        ("shift_jis", "表示する、ソース\r\n", "文字化け", "化"),
        ("euc-jp", "日本語の文章\n", "文字化け", "化"),
        ("gbk", "这个函数返回\n", "温度", "湿度"),
        ("big5", "繁體中文\n", "文件", "檔案"),
        ("euc-kr", "안녕하세요\n", "문자", "글자"),
        ("utf-8", "élève «à»\n", "reçu", "rendu"),
        ("utf-16be", "\u{10000}😀 ünï\n", "cöde", "code"),
        ("ibm037", "plain text", "WORD", "OTHER"),
    ] {
        let encoding = mojika::extended::find(from).unwrap();
        let encoded = |text: &str| encoding.encode(text).unwrap().into_owned();
        let many = encoded(&filler.repeat(40_000));
        let file = [&many[..], &encoded(old), &many].concat();
        let bounded = ["--from", from, "--max-size", "100000"];
        let found = edited(&file, &[&bounded[..], &["--replace", old, new]].concat());
        assert_eq!(found, [&many[..], &encoded(new), &many].concat(), "{from}");
        // At its end, and at its start.
        let file = [&many[..], &encoded(old)].concat();
        let found = edited(&file, &[&bounded[..], &["--replace", old, ""]].concat());
        assert_eq!(found, many, "{from}");
        let file = [&encoded(old)[..], &many].concat();
        let found = edited(&file, &[&bounded[..], &["--replace", old, new]].concat());
        assert_eq!(found, [&encoded(new)[..], &many].concat(), "{from}");
        // Twice, and what cannot be written: with the lines.
        let file = [&encoded(old)[..], &many, &encoded(old)].concat();
        let said = refused(&file, &[&bounded[..], &["--replace", old, new]].concat());
        let last = if filler.ends_with('\n') { 40_001 } else { 1 };
        let lines = format!("2 times, in lines 1 and {last}");
        assert!(said.contains(&lines), "{from}: {said}");
        let said = refused(
            &file,
            &[&bounded[..], &["--all", "--replace", old, "\u{FFFD}"]].concat(),
        );
        assert!(
            said.contains("U+FFFD at line 1, column 1"),
            "{from}: {said}"
        );
        let found = edited(
            &file,
            &[&bounded[..], &["--all", "--replace", old, new]].concat(),
        );
        assert_eq!(
            found,
            [&encoded(new)[..], &many, &encoded(new)].concat(),
            "{from}"
        );
    }
    let long = b"a\n".repeat(10_000);
    let said = refused(&long, &["--max-size", "10000", "--replace", "a", "b"]);
    assert!(said.contains("--max-size allows 10000"), "{said}");
}

/// Line ends of all of the file count, wherever the insertion is.
#[test]
fn insertions_into_long_files_follow_their_line_ends() {
    let many = b"line\r\n".repeat(100_000);
    let file = [&many[..], b"word"].concat();
    let found = edited(&file, &["-f", "utf-8", "--replace", "word", "a\nb"]);
    assert_eq!(found, [&many[..], b"a\r\nb"].concat());
    let file = [&many[..], b"word\n"].concat();
    let found = edited(&file, &["-f", "utf-8", "--replace", "word", "a\nb"]);
    assert_eq!(found, [&many[..], b"a\nb\n"].concat());
}

#[test]
fn odd_inputs_are_edited_or_refused_with_a_reason() {
    let sjis = ["-f", "shift_jis"];
    let with = |from: &[&str], old: &str, new: &str| -> Vec<String> {
        let words = [from, &["--replace", old, new]].concat();
        words.into_iter().map(str::to_owned).collect()
    };
    for (file, from, old, new, expected) in [
        // A byte order mark is no text, and stays.
        (
            &b"\xEF\xBB\xBFabc"[..],
            &[][..],
            "abc",
            "x",
            Ok(&b"\xEF\xBB\xBFx"[..]),
        ),
        (
            b"\xFF\xFEa\0b\0",
            &[],
            "b",
            "字",
            Ok(b"\xFF\xFEa\0\x57\x5B"),
        ),
        // Over a malformed sequence, which goes or stays.
        (b"a\xFFb", &["-f", "utf-8"], "a\u{FFFD}b", "x", Ok(b"x")),
        (
            b"a\xFFb",
            &["-f", "utf-8"],
            "a\u{FFFD}b",
            "x\u{FFFD}b",
            Ok(b"x\xFFb"),
        ),
        (
            b"a\xFFb",
            &["-f", "utf-8"],
            "\u{FFFD}",
            "\u{FFFD}\u{FFFD}",
            Err("U+FFFD at line 1, column 3"),
        ),
        (b"\x82", &sjis, "\u{FFFD}", "", Ok(b"")),
        // The trail 5C is no backslash.
        (b"\x81\x5C\x5C", &sjis, "\\", "/", Ok(b"\x81\x5C/")),
        // Texts that overlap are several.
        (b"aaa", &[], "aa", "b", Err("2 times, in lines 1 and 1")),
        (b"\xB1\xB1\xB1 ", &sjis, "ｱｱ", "b", Err("2 times")),
        // An escape sequence within.
        (
            b"a\x1B$B;z\x1B(Bb",
            &["-f", "iso-2022-jp"],
            "a字b",
            "字",
            Ok(b"\x1B$B;z\x1B(B"),
        ),
        (
            b"a\x1B$B;z\x1B(Bb",
            &["-f", "iso-2022-jp"],
            "\u{1B}",
            "x",
            Err("is not in its text"),
        ),
        // An odd length, and half of a pair.
        (b"a\0b\0c", &["-f", "utf-16le"], "b", "x", Ok(b"a\0x\0c")),
        (
            b"a\0\x3D\xD8",
            &["-f", "utf-16le"],
            "a",
            "😀",
            Ok(b"\x3D\xD8\0\xDE\x3D\xD8"),
        ),
        (
            b"\x3D\xD8a\0\0\xDE",
            &["-f", "utf-16le"],
            "a",
            "",
            Err("into other characters"),
        ),
        // A byte order mark would come to be.
        (
            b"q\xEF\xBB\xBF rest",
            &["-f", "windows-1252"],
            "q",
            "",
            Err("a byte order mark"),
        ),
        (
            b"\xEF\xBBq\xBF rest",
            &["-f", "windows-1252"],
            "q",
            "",
            Err("a byte order mark"),
        ),
        (
            b"x\xBB\xBF rest",
            &["-f", "windows-1252"],
            "x",
            "ï",
            Err("a byte order mark"),
        ),
        (b"", &[], "a", "b", Err("is not in its text")),
    ] {
        let args = with(from, old, new);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        match expected {
            Ok(bytes) => assert_eq!(edited(file, &args), bytes, "{file:02X?} {old:?}"),
            Err(reason) => {
                let said = refused(file, &args);
                assert!(said.contains(reason), "{file:02X?} {old:?}: {said}");
            }
        }
    }
    for diff in ["garbage", "", "--- a\n+++ b\n"] {
        let folder = folder("file.txt", b"text\n");
        let run = run_in(
            folder.path(),
            &["edit", "file.txt", "--patch", "-"],
            diff.as_bytes(),
        );
        assert_eq!(run.status, 1);
        assert!(run.stderr.contains("no hunk"), "{}", run.stderr);
    }
}

/// A server over a folder, and what it answers to messages.
#[cfg(feature = "mcp")]
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
#[cfg(feature = "mcp")]
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

#[cfg(feature = "mcp")]
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

#[cfg(feature = "mcp")]
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

#[cfg(feature = "mcp")]
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
