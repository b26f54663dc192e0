//! Files that change their encoding from line to line.

use super::common::tree::{folder, read, run, status};
use super::common::{has, run_in};
use crate::common::run_at;
use mojika::{Encoding, KOI8_R, UTF_16LE, WINDOWS_1251, WINDOWS_1252};
use serde_json::Value;

const RUSSIAN: &str = "2003-01-01 Сервер запущен и ожидает соединения от клиентов\n";

fn log() -> Vec<u8> {
    let other = WINDOWS_1251.encode(RUSSIAN).unwrap().repeat(30);
    let utf_8 = RUSSIAN.repeat(30);
    [
        utf_8.as_bytes(),
        b"ascii\n",
        &other,
        b"ascii\n",
        utf_8.as_bytes(),
    ]
    .concat()
}

fn expected() -> Vec<u8> {
    let text = RUSSIAN.repeat(30);
    format!("{text}ascii\n{text}ascii\n{text}").into_bytes()
}

#[test]
fn lines_are_converted_each_from_its_encoding() {
    let folder = folder(&[("src/a.log", &log()), ("src/plain.txt", RUSSIAN.as_bytes())]);
    let line = "convert --from auto src -o out --mixed --report report.jsonl";
    status(&folder, line, 0);
    assert_eq!(read(&folder, "out/a.log"), expected());
    assert_eq!(read(&folder, "out/plain.txt"), RUSSIAN.as_bytes());
    let report = String::from_utf8(read(&folder, "report.jsonl")).unwrap();
    let line = report.lines().find(|line| line.contains("a.log")).unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["encoding"], "windows-1251");
    let offset = 30 * RUSSIAN.len() + 6;
    assert_eq!(line["changes"][0]["offset"], offset);
    assert_eq!(line["changes"][0]["line"], 32);
    assert_eq!(line["changes"][0]["encoding"], "windows-1251");
    assert_eq!(line["changes"][1]["line"], 63);
    assert_eq!(line["changes"][1]["encoding"], "UTF-8");
    // A second run changes nothing.
    let said = status(&folder, "convert --from auto out --in-place --mixed", 0);
    assert!(said.contains("2 in the output encoding already"), "{said}");
}

/// A lone surrogate in a section of UTF-16 is malformed, and is reported at its position in the file.
#[test]
fn a_malformed_part_follows_the_error_mode() {
    let (wide, plain) = ("text\r\n".repeat(9), "plain bytes\r\n".repeat(9));
    let part = UTF_16LE.encode(&wide).unwrap();
    let file = [b"\xFF\xFE", &*part, b"\x00\xD8", &*part, plain.as_bytes()].concat();
    let folder = folder(&[("a", &file)]);
    let said = status(&folder, "convert --mixed a", 1);
    has(&said, "UTF-16LE sequence 00 D8 at byte offset 110 ");
    for (mode, mark) in [("replacement", "\u{FFFD}"), ("skip", "")] {
        let written = run(&folder, &format!("convert --mixed -q -e {mode} a")).ok();
        assert_eq!(written, [&*wide, mark, &*wide, &*plain].concat().as_bytes());
    }
}

#[test]
fn one_file_and_a_pipe_are_converted_as_folders_are() {
    let folder = folder(&[("a.log", &log())]);
    assert_eq!(run(&folder, "convert --mixed a.log").ok(), expected());
    assert_eq!(
        run(&folder, "convert --mixed --from cp1251 a.log").ok(),
        expected()
    );
    assert_eq!(
        run_at(folder.path(), "convert --mixed --from cp1251", &log()).ok(),
        expected()
    );
    let message = run_at(folder.path(), "convert --mixed", &log());
    assert_eq!(message.status, 2);
    message.says("--from LABEL");
    // To another encoding, with other line ends.
    let wide = run(&folder, "convert --mixed --to cp1251 --newline crlf a.log").ok();
    let text = String::from_utf8(expected()).unwrap().replace('\n', "\r\n");
    assert_eq!(wide, *WINDOWS_1251.encode(&text).unwrap());
}

/// Asserts that a command converts nothing, and says why.
#[track_caller]
fn doubts(folder: &tempfile::TempDir, line: &str, said: &str) {
    let run = run(folder, line);
    assert_eq!(run.status, 1, "{line}: {}", run.stderr);
    assert!(run.stderr.contains(said), "{line}: {}", run.stderr);
}

/// Asserts that the runs do not convert `a.log`, and say why.
#[track_caller]
fn every_route_doubts(folder: &tempfile::TempDir, said: &str) {
    doubts(folder, "convert --from auto a.log", said);
    doubts(folder, "convert --from auto -o out/ a.log", said);
    doubts(folder, "check a.log", said);
    let bytes = std::fs::read(folder.path().join("a.log")).unwrap();
    let of_pipe = run_at(folder.path(), "check", &bytes).ends(1);
    of_pipe.says(said);
}

/// Without the option, text in two encodings is not converted.
#[test]
fn without_the_option_it_is_doubtful() {
    let folder = folder(&[("a.log", &log())]);
    every_route_doubts(&folder, "doubtful");
    every_route_doubts(&folder, "60 lines are UTF-8 and 30");
}

/// `--mixed` is for UTF-8 and one other encoding.
#[test]
fn lines_in_three_encodings_are_doubtful() {
    let line = |encoding: &'static Encoding| encoding.encode(RUSSIAN).unwrap().repeat(9);
    let bytes = [
        RUSSIAN.repeat(9).as_bytes(),
        &line(WINDOWS_1251),
        &line(KOI8_R),
    ]
    .concat();
    let folder = folder(&[("a.log", &bytes)]);
    doubts(&folder, "convert --mixed a.log", "KOI8-R");
    doubts(&folder, "convert --mixed a.log -o out/", "KOI8-R");
}

/// Each byte of UTF-8 is a letter in many single-byte encodings, so the file could be in such an encoding.
#[test]
fn utf_8_after_a_long_text_in_another_encoding_is_doubtful() {
    let other = WINDOWS_1251.encode(RUSSIAN).unwrap().repeat(6000);
    let bytes = [&other[..], RUSSIAN.repeat(30).as_bytes()].concat();
    let folder = folder(&[("a.log", &bytes)]);
    let said = "30 lines are UTF-8 and 6000";
    doubts(&folder, "convert --from auto a.log", said);
    doubts(&folder, "convert --from auto -o out/ a.log", said);
    let text = RUSSIAN.repeat(6030);
    assert!(run(&folder, "convert --mixed a.log").ok() == text.as_bytes());
    // A pipe's output is written before the doubt, so the message comes at the end. A compressed file is read again.
    let ascii = b"2003-01-01 started\n".repeat(40_000);
    let late = [&ascii[..], &other, RUSSIAN.repeat(30).as_bytes()].concat();
    for args in [&["check"][..], &["convert", "--from", "auto", "--repair"]] {
        let of_pipe = run_in(folder.path(), args, &late);
        assert_eq!(of_pipe.status, 1, "{args:?}");
        of_pipe.says(said);
    }
    let offset = ascii.len() + other.len();
    let koi8_r = KOI8_R.encode(RUSSIAN).unwrap().repeat(30);
    let of_koi8_r = [&ascii[..], &other, &koi8_r].concat();
    let args = ["convert", "--from", "auto"];
    for (bytes, said) in [
        (&bytes, "30 lines are UTF-8 and 6000".to_owned()),
        (
            &of_koi8_r,
            format!("a part of it at byte offset {offset} (line 46001, column 1) is in KOI8-R"),
        ),
    ] {
        let pipe = run_in(folder.path(), &args, bytes).ends(1);
        pipe.says(&said);
        pipe.says("has been written");
    }
    let pipe = run_in(folder.path(), &args, &[&ascii[..], &other].concat()).ok();
    assert!(pipe.len() == ascii.len() + 6000 * RUSSIAN.len());
}

/// A line by another program is converted, if its few bytes form a word in another encoding. Damage is an error.
#[test]
fn one_word_in_another_encoding_is_converted_and_damage_is_not() {
    let utf_8 = "Tonalità, città e qualità: così è più facile, perché c’è già\n".repeat(6);
    let added = b"Esci dalla modalit\xE0 di anteprima\n";
    let after = "Perciò l’opzione è già lì\n";
    let bytes = [utf_8.as_bytes(), added, after.as_bytes()].concat();
    let damaged = [utf_8.as_bytes(), b"\x93\xFF\x01\n", after.as_bytes()].concat();
    let within = [utf_8.as_bytes(), "già modalit\u{e0}".as_bytes(), b"\xE0\n"].concat();
    let folder = folder(&[
        ("a.log", &bytes),
        ("damaged.log", &damaged),
        ("within.log", &within),
    ]);
    let text = format!("{utf_8}Esci dalla modalità di anteprima\n{after}");
    assert_eq!(run(&folder, "convert --mixed a.log").ok(), text.as_bytes());
    for name in ["damaged.log", "within.log"] {
        let run = run(&folder, &format!("convert --mixed {name}"));
        assert_eq!(run.status, 1, "{name}");
        run.says("malformed UTF-8");
    }
}

#[test]
fn a_file_in_one_encoding_is_what_it_is_without_the_option() {
    let latin = WINDOWS_1252
        .encode("Les élèves ont déjà été reçus à l'école française.\n")
        .unwrap();
    let folder = folder(&[
        ("a.txt", &latin.repeat(20)),
        ("mark.txt", b"\xEF\xBB\xBFcaf\xC3\xA9\n"),
    ]);
    for name in ["a.txt", "mark.txt"] {
        let plain = run(&folder, &format!("convert --from auto {name}")).ok();
        assert_eq!(
            run(&folder, &format!("convert --from auto --mixed {name}")).ok(),
            plain
        );
    }
    let kept = run(&folder, "convert --mixed --from cp1252 --bom keep mark.txt").ok();
    assert_eq!(kept, b"\xEF\xBB\xBFcaf\xC3\xA9\n");
    assert_eq!(
        run(&folder, "convert --mixed --from utf-16le a.txt").status,
        2
    );
}
