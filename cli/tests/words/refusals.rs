//! Requests that are refused before anything is read or written, and messages that replace output.

use crate::common::mojika;
use crate::common::tree::{folder, read};
use crate::{snapshot, stable};
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

fn all(path: &Path, lines: &[&str]) -> String {
    lines.iter().map(|line| told(path, line)).collect()
}

const RUSSIAN: &str = "Вечером на веранде пили чай с вареньем и говорили о лете, которое прошло.\n";

#[test]
fn options_that_do_not_go_together_are_refused_with_what_to_type() {
    let tree = folder(&[
        ("a.txt", b"text\n"),
        ("src/b.txt", b"text\n"),
        ("k.txt", b"\xD0\n"),
    ]);
    let lines = [
        "convert --mail -f auto -t koi8-r a.txt",
        "convert -i --compress gz -f koi8-r a.txt",
        "convert -i --salvage -f koi8-r a.txt",
        "convert -i",
        "convert -i -",
        "convert src -o src",
        "convert src -o src/../src/",
        "convert -i --mixed -f utf-16le src",
        "convert -i --mixed -f utf-8 src",
        "convert --mixed -f utf-8 a.txt",
        "convert --mixed",
        "convert --mixed -",
        "convert -f utf-8 -t ascii//FOO a.txt",
        "convert -f utf-8 -t ascii//IGNORE --errors html a.txt",
        "convert -f utf-8 --include *.txt a.txt",
        "convert -f utf-8 --exclude *.txt a.txt",
        "convert -f utf-8 --gitignore a.txt",
        "convert -f utf-8 --copy-other a.txt",
        "convert -f utf-8 --report - a.txt",
        "convert -f utf-8 a.txt -o none/out",
        "convert -f utf-8 --backup .orig a.txt",
        "convert -f utf-8 -i --backup .orig/ a.txt",
        "convert a.txt src",
        "convert -f utf-8 a.txt -n",
        "check -f klingon a.txt",
        "check --to replacement a.txt",
        "check",
        "detect --environment klingon a.txt",
        "detect --compare koi8-r,klingon a.txt",
        "detect --allow klingon a.txt",
        "show --from klingon a.txt",
        "convert --from  a.txt",
        "convert -f utf-8 --context html a.txt",
        "check -f utf-8 --context html a.txt",
        "convert --to utf-8-mac a.txt",
        "check --repair a.txt",
        "detect a.txt -o out.txt",
        "check --no-such-option a.txt",
        "show none.txt",
        "convert -f utf-8 --backup .orig src -o out/",
        "convert -f utf-8 a.txt -o b.txt -n",
        "convert -f utf-8 a.txt -o b.txt --resume",
        "convert -f utf-8 a.txt -o a.txt -n",
        "convert src -o out/ --exclude ",
        "convert src -o out/ --include /",
        "convert src -o out/ --include [",
        "check src --exclude {b*",
        "check src --include src/b*",
        "check --allow koi8-r,utf-8 --deny utf-8,koi8-r a.txt",
        "check --against src -",
        "check --against src none",
        "detect --tld https://example.jp/ a.txt",
        "detect --tld www.example.jp. --locale ja_JP.UTF-8 a.txt",
        "convert --from auto --locale ru,uk a.txt",
        "check --confidence -1 a.txt",
        "check -j -1 a.txt",
        "check -j many a.txt",
        "show -n -1 a.txt",
        "convert -v --from utf-8 none.txt",
        "convert -v k.txt",
        "encodings sjis koi8-r",
        "undo x",
    ];
    snapshot("refusals.txt", &all(tree.path(), &lines));
}

#[test]
fn options_of_other_programs_are_answered_with_what_to_type() {
    let path = tempfile::tempdir().unwrap();
    let lines = [
        "-x utf8 a.txt",
        "convert --callback skip a.txt",
        "convert --from-callback skip a.txt",
        "convert --to-callback skip a.txt",
        "convert --substitute ? a.txt",
        "convert --byte-subst=? a.txt",
        "convert --widechar-subst=? a.txt",
        "convert --unicode-subst=? a.txt",
        "convert --add-signature a.txt",
        "convert --remove-signature a.txt",
        "-w a.txt",
        "-w8 a.txt",
        "-w16 a.txt",
        "-S a.txt",
        "-E a.txt",
        "-J a.txt",
        "-W a.txt",
        "--ic=sjis a.txt",
        "--oc=utf-8 a.txt",
        "-g a.txt",
        "--guess a.txt",
        "-L a.txt",
        "-Lu a.txt",
        "-Lw a.txt",
        "-d a.txt",
        "--overwrite a.txt",
        "-r a.txt",
        "--notest a.txt",
        "latin1..utf8 a.txt b.txt",
        "latin1/CR-LF..utf8",
    ];
    snapshot("others.txt", &all(path.path(), &lines));
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
    let lines = [
        "warc a.warc --status 2x",
        "warc a.warc --status 1000",
        "warc a.warc --status 200-",
        "warc a.warc --status 9xx -o out.jsonl",
        "warc a.warc --status 10xx",
        "warc a.warc --format warc-utf8 --status 200",
        "warc a.warc --format warc-utf8 --dedup digest",
        "warc a.warc --format warc-utf8 --mime text/html",
        "warc a.warc --format warc-utf8 --url http://*",
        "warc a.warc -o there.jsonl",
        "warc a.warc -o out.csv",
        "warc a.warc -o out.tsv --format wet",
        "warc a.warc --format jsonl -o out.parquet",
        "warc a.warc --format parquet -o out.jsonl",
        "warc a.warc --format parquet --compress gz -o out.parquet",
        "warc a.warc --format wet --compress bz2 -o out.warc",
        "warc a.warc --shards 2",
        "warc a.warc --shards 2 -o none/",
        "warc a.warc --shards 2 --format wet -o out.warc",
        "warc a.warc --shard-size 5XB -o out.jsonl",
        "warc a.warc --shard-size 0 -o out.jsonl",
        "warc a.warc --report -",
        "warc a.warc --shards 2 -o gone/out.jsonl",
        "warc none",
        "warc missing.warc",
        "warc - -o none/",
        "warc a.warc --cdx bad.cdx",
        "warc a.warc --cdx other.cdxj",
        "pages site --format warc-utf8",
        "pages site -o none/",
        "warc a.warc -o a.warc --force",
        "warc a.warc --format warc-utf8 -o ./ --force",
        "warc b.warc --cdx other.cdxj -o other.cdxj --force",
        "pages site -o site/a.html --force",
        "warc a.warc --mime [",
        "warc a.warc --url ",
        "warc a.warc --shards 0 -o out.jsonl",
        "warc a.warc --max-body -1",
    ];
    snapshot("refusals-warc.txt", &all(tree.path(), &lines));
}

/// Options that require another one, which a third option excludes.
#[test]
fn an_option_needs_another_one_also_where_that_is_excluded() {
    let tree = folder(&[("a.txt", b"text\n"), ("src/b.txt", b"text\n")]);
    for line in [
        "convert -f utf-8 --backup .orig a.txt -o b.txt",
        "names src -o out",
        "names src --max-size 5",
        "names src --max-entries 5",
        "names --resume --zip a.txt",
        "edit a.txt --patch none --all",
        "completions bash --prefix out",
    ] {
        let said = told(tree.path(), line);
        assert!(said.contains("cannot be used with"), "{said}");
        assert!(said.ends_with("status 2\n"), "{said}");
    }
    assert_eq!(read(&tree, "a.txt"), b"text\n");
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
    let lines = [
        "convert -f koi8-r src -o out/ -j 1 -v",
        "convert -f koi8-r src -o out/ -j 1 --links follow --force",
        "convert src -o auto/ -j 1 --copy-other --allow koi8-r,utf-8 -v",
        "convert -f koi8-r -n src -o out/ -j 1 --links copy --exclude *.?m*",
        "convert -f koi8-r -i src/koi8.txt src/link -j 1 --backup .orig -v",
        "convert -f koi8-r -i src -j 1 --text --restart",
        "detect src/a.gif src/a.html src/a.jpg src/b.ogg src/b.mp3 src/a.eml src/controls.txt",
    ];
    // The backup's name belongs to another file.
    fs::write(tree.path().join("src/koi8.txt.orig"), "another").unwrap();
    snapshot("left.txt", &all(tree.path(), &lines));
    assert_eq!(read(&tree, "src/koi8.txt.orig"), b"another");
}

/// Journals of other runs, and unusable state folders.
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
        told(path, &format!("{line} --journal foreign")),
        told(path, &format!("{line} --journal none/journal")),
        told(path, &format!("{line} --resume -n")),
        told(
            path,
            "convert -f utf-8 -t koi8-r src -o o2 -j 1 --journal j -q",
        ),
        told(
            path,
            "convert -f utf-8 -t koi8-r src -o o3 -j 1 --journal j --resume -q",
        ),
    ];
    // A run in progress.
    let journal = fs::File::open(path.join("j")).unwrap();
    journal.lock().unwrap();
    said.push(told(
        path,
        "convert -f utf-8 -t koi8-r src -o o2 -j 1 --journal j -q",
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
    // A relative path as state folder, and no state folder.
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
