//! Edits of samples, of long files, and of unusual ones.

use super::{edited, refused};
use crate::common::{has, run_in, samples};
use std::fs;
use tempfile::tempdir;

/// In each sample, one word is changed, and all other bytes stay.
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
        // The shortest samples are doubtful, so the encoding is taken from the name.
        let from = name.split('.').nth(1).unwrap();
        let got = run_in(
            folder.path(),
            &["get", "--json", "--from", from, &name],
            b"",
        )
        .ok();
        let object: serde_json::Value = serde_json::from_slice(&got).unwrap();
        let text = object["text"].as_str().unwrap();
        // Takes the first word with non-ASCII letters that occurs only once in the text, and reverses its letters.
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
        // The output of `cmp -l`.
        let differ: Vec<_> = (0..old.len()).filter(|&i| old[i] != new[i]).collect();
        let span = differ.last().unwrap() - differ[0] + 1;
        assert!(span <= 4 * word.chars().count(), "{name}: {differ:?}");
        count += 1;
    }
    assert!(count >= 4, "{count}");
}

/// A text far into a file is found by its bytes, and its position is right. The file is not read as a whole.
#[test]
fn a_long_file_is_edited_piece_by_piece() {
    for (from, filler, old, new) in [
        ("windows-1251", "Строка текста\r\n", "ёж", "ужи"),
        ("shift_jis", "表示する、ソース\r\n", "文字化け", "化"),
        ("euc-jp", "日本語の文章\n", "文字化け", "化"),
        ("gbk", "这个函数返回\n", "温度", "湿度"),
        // Line ends are rare, and no other byte shows a boundary between characters for certain.
        ("gbk", &("这个函数返回".repeat(70) + "\n"), "温度", "湿度"),
        ("big5", "繁體中文\n", "文件", "檔案"),
        ("euc-kr", "안녕하세요\n", "문자", "글자"),
        ("utf-8", "élève «à»\n", "reçu", "rendu"),
        ("utf-16be", "\u{10000}😀 ünï\n", "cöde", "code"),
        ("ibm037", "plain text", "WORD", "OTHER"),
    ] {
        let encoding = mojika::extended::find(from).unwrap();
        let encoded = |text: &str| encoding.encode(text).unwrap().into_owned();
        let count = 800_000 / filler.len();
        let many = encoded(&filler.repeat(count));
        let file = [&many[..], &encoded(old), &many].concat();
        let bounded = ["--from", from, "--max-size", "100000"];
        let found = edited(&file, &[&bounded[..], &["--replace", old, new]].concat());
        assert_eq!(found, [&many[..], &encoded(new), &many].concat(), "{from}");
        // The text to replace is at the end of the file, then at the start.
        let file = [&many[..], &encoded(old)].concat();
        let found = edited(&file, &[&bounded[..], &["--replace", old, ""]].concat());
        assert_eq!(found, many, "{from}");
        let file = [&encoded(old)[..], &many].concat();
        let found = edited(&file, &[&bounded[..], &["--replace", old, new]].concat());
        assert_eq!(found, [&encoded(new)[..], &many].concat(), "{from}");
        // Messages have line numbers: for two matches, and for an unmappable character.
        let file = [&encoded(old)[..], &many, &encoded(old)].concat();
        let said = refused(&file, &[&bounded[..], &["--replace", old, new]].concat());
        let last = if filler.ends_with('\n') { count + 1 } else { 1 };
        let lines = format!("2 times, in lines 1 and {last}");
        assert!(said.contains(&lines), "{from}: {said}");
        let said = refused(
            &file,
            &[&bounded[..], &["--all", "--replace", old, "\u{FFFD}"]].concat(),
        );
        has(&said, "U+FFFD at line 1, column 1");
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

/// The position of a refused edit refers to the whole file, even after earlier edits.
#[test]
fn an_edit_that_would_combine_is_refused_with_its_place() {
    let many = "表示\n".repeat(40_000);
    let many = mojika::SHIFT_JIS.encode(&many).unwrap();
    let file = [b"\"\n", &*many, b"\"ab\n\"ab\x82\"c\n"].concat();
    for all in [&file[..], &file[file.len() - 9..]] {
        let said = refused(all, &["-f", "shift_jis", "--all", "--replace", "\"", ""]);
        let line = 1 + all[..all.len() - 3]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        let place = format!(
            "the edit at line {line}, column 5, byte offset {}",
            all.len() - 3
        );
        assert!(said.contains(&place), "{said}");
    }
}

/// An insertion gets the line ends of the whole file, wherever it is.
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

/// Nearby matches are searched together, in parts of 64 KiB. No part exceeds the limit for reading a file as a whole.
#[test]
fn a_text_that_a_long_file_has_everywhere_is_replaced_part_by_part() {
    for (from, near) in [("windows-1252", 1000), ("utf-8", 4000), ("utf-16le", 100)] {
        let encoding = mojika::Encoding::for_label(from).unwrap();
        let text = ("word".to_owned() + &" ".repeat(near)).repeat(400_000 / near);
        let file = encoding.encode(&text).unwrap();
        let bounded = ["-f", from, "--max-size", "100000", "--all"];
        let found = edited(&file, &[&bounded[..], &["--replace", "word", "é"]].concat());
        let expected = text.replace("word", "é");
        assert!(found == *encoding.encode(&expected).unwrap(), "{from}");
    }
}

/// Line ends are counted in pieces of 1 MiB. CRLF at the end of a piece counts once, and CR or LF there, or at the end
/// of the file, is found.
#[test]
fn line_ends_are_those_of_the_file_wherever_it_is_cut() {
    const PIECE: usize = 1 << 20;
    for (from, unit) in [("windows-1252", 1), ("utf-16le", 2)] {
        let encoding = mojika::Encoding::for_label(from).unwrap();
        let encoded = |text: &str| encoding.encode(text).unwrap().into_owned();
        for end in ["\n", "\r\n", "\r"] {
            for length in PIECE / unit - 2..=PIECE / unit + 1 {
                let before = "x".repeat(length) + end;
                let file = encoded(&format!("{before}word{end}"));
                let found = edited(&file, &["-f", from, "--replace", "word", "a\nb"]);
                let expected = encoded(&format!("{before}a{end}b{end}"));
                assert!(found == expected, "{from}, {end:?} after {length}");
            }
        }
    }
}
