//! Runs without threads, with few open files, little memory, and extreme options.

#![cfg(target_os = "linux")]

use crate::common::run_in;
use crate::common::tree::{bash, folder, read, status};
use crate::help::{run_as_other, set_mode};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::time::{Duration, Instant};

const OLD: &[u8] = b"\xE4\xE0";

#[test]
fn without_threads_there_is_no_panic() {
    let big = OLD.repeat(10_000_000);
    let warc = crate::common::archives::page("text");
    let folder = folder(&[
        ("s/a", OLD),
        ("s/b", OLD),
        ("big", &big),
        ("w/a.warc", &warc),
        ("w/b.warc", &warc),
    ]);
    set_mode(&folder, "", 0o777);
    for line in [
        "convert -f windows-1251 s -o out -j 4",
        "convert -f windows-1251 big -o out.txt",
        "convert -f windows-1251 big",
        "check -f windows-1251 s big -j 4",
        "detect s/a",
        "warc w -o out/ -j 4",
        "warc w/a.warc",
        "convert -f windows-1251 s -o three -j 4 --progress always",
    ] {
        let run = run_as_other(
            &folder,
            &format!("ulimit -u 0; exec mojika {line} > /dev/null"),
        );
        assert!(
            matches!(run.status, 0..=2),
            "{line}: {} {}",
            run.status,
            run.stderr
        );
        assert!(!run.stderr.contains("panicked"), "{line}: {}", run.stderr);
    }
}

/// Lists, texts and patches may come from untrusted sources.
#[test]
fn input_without_an_end_is_refused() {
    let folder = folder(&[("a.txt", b"text"), ("a.warc", b"")]);
    for (line, reason) in [
        (
            "put a.txt --expect UTF-8:0000000000000000000000000000000000000000 < /dev/zero",
            "more than 67108864 bytes",
        ),
        (
            "edit a.txt --patch - < /dev/zero",
            "more than 67108864 bytes",
        ),
        (
            "edit a.txt --patch /dev/zero --max-size 1000000",
            "more than 1000000 bytes",
        ),
        (
            "convert -f latin1 --files-from /dev/zero -o out",
            "more than 65536 bytes",
        ),
        ("detect --files-from - < /dev/zero", "more than 65536 bytes"),
        (
            "warc a.warc --cdx /dev/zero -o w",
            "more than 1048576 bytes",
        ),
    ] {
        let run = bash(folder.path(), &format!("ulimit -v 400000; mojika {line}"));
        assert!(
            matches!(run.status, 1 | 2),
            "{line}: {} {}",
            run.status,
            run.stderr
        );
        assert!(run.stderr.contains(reason), "{line}: {}", run.stderr);
    }
}

/// Each hunk is searched for in the whole text, so their number is limited.
#[test]
fn a_diff_of_too_many_hunks_is_refused() {
    let hunks: String = (1..=20_001)
        .map(|line| format!("@@ -{line} +{line} @@\n-a\n+b\n"))
        .collect();
    let diff = format!("--- a\n+++ b\n{hunks}");
    let text = "a\n".repeat(20_001);
    let folder = folder(&[("a.txt", text.as_bytes()), ("d", diff.as_bytes())]);
    let said = status(&folder, "edit a.txt --from latin1 --patch d", 1);
    assert!(said.contains("more than 20000 hunks"), "{said}");
    assert_eq!(read(&folder, "a.txt"), text.as_bytes());
}

/// Text without a return to the initial state cannot be split, and its changes are kept in memory.
#[test]
fn too_many_places_in_a_part_that_cannot_be_split_are_refused() {
    let text = [b"\x1B$B", &b"$\"$$".repeat(1_000_001)[..], b"\x1B(B"].concat();
    let folder = folder(&[("a.txt", &text)]);
    let line = "edit a.txt --from iso-2022-jp --replace あ う --all";
    let said = status(&folder, line, 1);
    assert!(said.contains("more than 1000000 places"), "{said}");
    assert_eq!(read(&folder, "a.txt"), text);
}

/// A long text is written in pieces, however much escapes lengthen it.
#[test]
fn a_page_of_characters_that_are_escaped_is_written_in_pieces() {
    let text = "\0\u{1}é\"".repeat(3 << 20);
    let folder = folder(&[("a.html", text.as_bytes())]);
    let line = "ulimit -v 300000; exec mojika pages a.html -o o.jsonl -q";
    let run = bash(folder.path(), line);
    assert!(matches!(run.status, 0 | 1), "{}", run.stderr);
    let line: serde_json::Value = serde_json::from_slice(&read(&folder, "o.jsonl")).unwrap();
    assert!(line["text"] == text);
}

#[test]
fn few_open_files_mean_few_jobs() {
    let files: Vec<_> = (0..300)
        .map(|file| format!("s/{}/{file}", file % 7))
        .collect();
    let files: Vec<_> = files.iter().map(|name| (&**name, OLD)).collect();
    let folder = folder(&files);
    for (limit, line) in [(16, "s -o out"), (16, "-i s"), (20, "s -o out2 --report r")] {
        let script = format!("ulimit -n {limit}; exec mojika convert -f windows-1251 -j 8 {line}");
        let run = bash(folder.path(), &script);
        assert_eq!(run.status, 0, "{limit}: {}", run.stderr);
    }
}

#[test]
fn absurd_options_are_bounded_or_refused() {
    let folder = folder(&[("s/a", OLD)]);
    let begin = Instant::now();
    status(&folder, "convert -f windows-1251 s -o out -j 100000", 0);
    status(&folder, "warc s -o out -j 18446744073709551615", 2);
    assert!(
        begin.elapsed() < Duration::from_secs(60),
        "{:?}",
        begin.elapsed()
    );
    for suffix in ["", "/../x"] {
        let args = [
            "convert",
            "-f",
            "windows-1251",
            "-i",
            "s",
            "--backup",
            suffix,
        ];
        let run = run_in(folder.path(), &args, b"");
        assert_eq!(run.status, 2, "{suffix}: {}", run.stderr);
        assert_eq!(read(&folder, "s/a"), OLD);
    }
}

#[test]
fn a_report_to_a_closed_output_fails() {
    let folder = folder(&[("s/a", OLD)]);
    for line in [
        "check -f windows-1251 s --report -",
        "detect s",
        "encodings",
        #[cfg(feature = "completions")]
        "completions bash",
    ] {
        let run = bash(folder.path(), &format!("exec mojika {line} >&-"));
        assert_eq!(run.status, 1, "{line}: {}", run.stderr);
    }
    // A command that prints nothing succeeds without standard output.
    let names = "names -f koi8-r --rename s -q";
    for line in ["undo -q", "undo"] {
        let name = folder.path().join("s").join(OsStr::from_bytes(b"\xC4"));
        fs::write(&name, "").unwrap();
        let state = "XDG_STATE_HOME=$PWD/state; export XDG_STATE_HOME";
        let run = bash(
            folder.path(),
            &format!("{state}; mojika {names} && exec mojika {line} >&-"),
        );
        let expected = i32::from(line == "undo");
        assert_eq!(run.status, expected, "{line}: {}", run.stderr);
        assert_eq!(name.exists(), line != "undo", "{line}");
    }
}

/// The file is sparse: its length exceeds the limit, without bytes on the disk.
#[cfg(feature = "edit")]
#[test]
fn files_to_edit_are_bounded() {
    let folder = folder(&[("a", b"text"), ("long", b"long text")]);
    let sparse = fs::File::create(folder.path().join("sparse")).unwrap();
    sparse.set_len(1 << 43).unwrap();
    let fingerprint = "--expect UTF-8:da39a3ee5e6b4b0d3255bfef95601890afd80709";
    for line in [
        "get sparse",
        "edit sparse --replace a b",
        &format!("put sparse {fingerprint}"),
        "get long --max-size 8",
    ] {
        let message = status(&folder, line, 1);
        assert!(message.contains("--max-size"), "{line}: {message}");
    }
    let edit = "edit sparse a --replace text other -f utf-8";
    status(&folder, edit, 1);
    // The file is not read for its line ends either.
    let edit = [
        "edit",
        "sparse",
        "-f",
        "utf-8",
        "--replace",
        "text",
        "two\nlines",
    ];
    let run = run_in(folder.path(), &edit, b"");
    run.says("not on the disk");
    assert_eq!(read(&folder, "a"), b"other");
    status(&folder, "get long --max-size 9", 0);
    status(&folder, "get long --max-size 18446744073709551615", 0);
}

/// If 100,000 errors were kept for each of many small files, each would take 10 MB of memory.
#[test]
fn errors_are_counted_and_their_list_is_bounded() {
    let folder = crate::common::tree::fast_folder();
    fs::create_dir(folder.path().join("s")).unwrap();
    for file in 0..120 {
        fs::write(folder.path().join(format!("s/{file}")), [0xFF; 100_000]).unwrap();
    }
    let mixed = b"\xFFa".repeat(5000);
    fs::write(folder.path().join("s/mixed"), &mixed).unwrap();
    for line in [
        "s -o out -j 2 --report r",
        "s -o out2 -j 1 --report r2",
        "s/mixed s/0 -o one --report r3",
    ] {
        let script = format!("ulimit -v 500000; exec mojika convert -f utf-8 -e skip {line}");
        let run = bash(folder.path(), &script);
        assert_eq!(run.status, 0, "{line}: {}", run.stderr);
    }
    for report in ["r", "r2", "r3"] {
        let report = String::from_utf8(read(&folder, report)).unwrap();
        assert!(report.len() < 1 << 20, "{}", report.len());
        let line = |name: &str| -> serde_json::Value {
            let mut lines = report
                .lines()
                .map(|line| serde_json::from_str(line).unwrap());
            lines
                .find(|line: &serde_json::Value| line["path"] == name)
                .unwrap()
        };
        let run = &line("s/0")["errors"];
        assert_eq!(
            (&run[0]["count"], &run[0]["end"], &run[1]),
            (&100_000.into(), &100_000.into(), &serde_json::Value::Null)
        );
        let mixed = line("s/mixed");
        assert_eq!(mixed["malformed"], 5000);
        assert_eq!(mixed["errors"].as_array().unwrap().len(), 1000);
        assert_eq!(mixed["errors_not_listed"], 4000);
    }
}
