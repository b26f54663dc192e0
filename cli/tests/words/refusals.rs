//! Requests that are refused before anything is read or written, and messages that replace output.

use crate::common::mojika;
use crate::common::tree::{folder, read};
use crate::{replayed, snapshot, stable};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Returns the messages on both streams, and the status. The run record is in the folder.
pub fn told(path: &Path, line: &str) -> String {
    let mut command = mojika();
    command.args(line.split(' ')).current_dir(path);
    command
        .env("COLUMNS", "100")
        .stdin(std::process::Stdio::null());
    let output = command.env("XDG_STATE_HOME", path.join("state")).output();
    let output = output.unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    let text = text.replace(&format!("{}/", path.display()), "");
    let status = output.status.code().unwrap();
    stable(&format!("$ mojika {line}\n{text}status {status}\n"))
}

/// Runs the commands in the snapshot `name`, and compares their messages with the snapshot.
fn replay(path: &Path, name: &str) {
    snapshot(name, &replayed(name, |line| told(path, line)).concat());
}

const RUSSIAN: &str = "Вечером на веранде пили чай с вареньем и говорили о лете, которое прошло.\n";

#[test]
fn options_that_do_not_go_together_are_refused_with_what_to_type() {
    let tree = folder(&[
        ("a.txt", b"text\n"),
        ("src/b.txt", b"text\n"),
        ("k.txt", b"\xD0\n"),
    ]);
    replay(tree.path(), "refusals.txt");
}

#[test]
fn options_of_other_programs_are_answered_with_what_to_type() {
    let path = tempfile::tempdir().unwrap();
    replay(path.path(), "others.txt");
}

#[test]
fn options_of_archives_are_refused_with_what_to_type() {
    let tree = folder(&[
        ("a.warc", b""),
        ("b.warc", b""),
        ("there.jsonl", b""),
        ("none/a.txt", b""),
        ("site/a.html", b"<p>text"),
        ("bad.cdx", b"no fields\n"),
        ("other.cdxj", b"com,example)/ 20260101000000 {\"filename\": \"b.warc\", \"offset\": \"0\", \"length\": \"10\"}\n"),
    ]);
    replay(tree.path(), "refusals-warc.txt");
}

#[test]
fn files_that_stay_as_they_are_say_why() {
    let russian = mojika::KOI8_R.encode(RUSSIAN).unwrap();
    let tree = folder(&[
        ("src/a.gif", b"GIF89a\x01\0\x01\0"),
        ("src/a.html", b"GIF89a is how this page begins\n"),
        ("src/a.jpg", b"\xFF\xD8\xFF\xE0\0\x10JFIF"),
        ("src/a.pdf", b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n"),
        ("src/a.zip", b"PK\x03\x04\0\0"),
        ("src/a.7z", b"7z\xBC\xAF\x27\x1C\0"),
        ("src/a.elf", b"\x7FELF\0"),
        ("src/a.ogg", b"OggS\0"),
        ("src/b.ogg", b"OggS as text\n"),
        ("src/a.mp3", b"ID3\x04\0"),
        ("src/b.mp3", b"ID3 as text\n"),
        ("src/a.wasm", b"\0asm"),
        ("src/a.sqlite", b"SQLite format 3\0"),
        ("src/a.bin", b"a\0b"),
        ("src/a.eml", b"From: a\nTo: b\nSubject: c\nMessage-ID: <1>\n\nbody\n"),
        ("src/a.mbox", b"From a@b Thu Nov 26 11:00:00 2026\nFrom: a\nTo: b\nSubject: c\nMessage-ID: <1>\n\nbody\n"),
        ("src/utf-8.txt", RUSSIAN.as_bytes()),
        ("src/koi8.txt", &russian),
        ("src/controls.txt", &[7, 0x1B, 1, 2, 3, 0x85, 4, 5, 6].repeat(30)),
    ]);
    symlink("koi8.txt", tree.path().join("src/link")).unwrap();
    symlink(".", tree.path().join("src/loop")).unwrap();
    // Another file has the name that the backup would get.
    fs::write(tree.path().join("src/koi8.txt.orig"), "another").unwrap();
    replay(tree.path(), "left.txt");
    assert_eq!(read(&tree, "src/koi8.txt.orig"), b"another");
}

/// Journals of other runs, and state folders that cannot be used.
#[test]
fn journals_and_notes_that_cannot_be_used_say_why() {
    let damaged = [RUSSIAN.as_bytes(), b"\xFF\n"].concat();
    let tree = folder(&[
        ("src/a.txt", &mojika::KOI8_R.encode(RUSSIAN).unwrap()),
        ("src/z.txt", &damaged),
        ("foreign", b"no journal\n"),
    ]);
    let path = tree.path();
    let line = "convert -f koi8-r -t windows-1251 src -o out/ -j 1 -q";
    let mut said = vec![
        told(path, &format!("{line} --resume=foreign")),
        told(path, &format!("{line} --resume=none/journal")),
        told(path, &format!("{line} --resume -n")),
        told(
            path,
            "convert -f utf-8 -t koi8-r src -o o2 -j 1 --resume=j -q",
        ),
        told(
            path,
            "convert -f utf-8 -t koi8-r src -o o3 -j 1 --resume=j -q",
        ),
    ];
    // Test a run in progress: its journal is locked.
    let journal = fs::File::open(path.join("j")).unwrap();
    journal.lock().unwrap();
    said.push(told(
        path,
        "convert -f utf-8 -t koi8-r src -o o2 -j 1 --resume=j -q",
    ));
    drop(journal);
    let source = fs::File::open(path.join("src")).unwrap();
    source.lock().unwrap();
    said.push(told(path, "convert -f koi8-r -i src -q"));
    said.push(told(path, "names --from koi8-r --rename src"));
    drop(source);
    said.push(told(path, "convert -f koi8-r -i src/a.txt --backup .orig"));
    let run = fs::File::open(path.join("state/mojika/runs/1.run")).unwrap();
    run.lock().unwrap();
    let began = fs::read_to_string(path.join("state/mojika/runs/1.run")).unwrap();
    let began: serde_json::Value = serde_json::from_str(began.lines().next().unwrap()).unwrap();
    assert!(began["began"].as_u64().unwrap() > 1_700_000_000);
    let list = told(path, "undo --list");
    assert!(list.contains("files, under way, in "), "{list}");
    said.push(told(path, "undo 1"));
    drop(run);
    let elsewhere = tempfile::tempdir().unwrap();
    let state = path.join("state");
    let output = mojika()
        .arg("undo")
        .current_dir(elsewhere.path())
        .env("XDG_STATE_HOME", &state)
        .output()
        .unwrap();
    said.push(String::from_utf8(output.stderr).unwrap());
    said.push(told(path, "undo -n"));
    said.push(told(path, "undo -q"));
    // The environment gives a relative path as state folder, or none.
    for home in ["", "relative"] {
        let mut command = mojika();
        let output = command
            .args("convert -f koi8-r src/a.txt -i".split(' '))
            .current_dir(path)
            .env("XDG_STATE_HOME", home)
            .env_remove("HOME")
            .output()
            .unwrap();
        said.push(format!(
            "XDG_STATE_HOME={home:?}\n{}status {}\n",
            String::from_utf8(output.stderr).unwrap(),
            output.status.code().unwrap()
        ));
    }
    let said = said
        .join("\n")
        .replace(env!("CARGO_BIN_EXE_mojika"), "mojika");
    snapshot("journals.txt", &said);
}
