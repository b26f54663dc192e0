//! `mojika convert` from files to files: trees, in place, resuming, and failures on the way.

#![cfg(unix)]

use crate::common::tree::{folder, read, run, status};
use crate::common::{has, journals, list, run_at};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

const SJIS: &[u8] = b"\x95\xB6\x8E\x9A\n";
const TEXT: &str = "文字\n";

#[test]
fn one_file_under_two_names_is_converted_once() {
    let folder = folder(&[("a", b"\xE4\xE0")]);
    symlink("a", folder.path().join("link")).unwrap();
    status(&folder, "convert -f windows-1251 -t koi8-r -i a a link", 0);
    assert_eq!(read(&folder, "a"), b"\xC4\xC1");
    assert!(folder.path().join("link").is_symlink());
    // A folder whose files are named again. Locks on its files by other programs do not matter.
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/a"), b"\xE4\xE0").unwrap();
    let locked = fs::File::open(folder.path().join("src/a")).unwrap();
    locked.lock().unwrap();
    let line = "convert -f windows-1251 -t koi8-r -i src ./src src/a";
    let said = status(&folder, line, 0);
    assert!(said.contains("1 converted, 2 skipped"), "{said}");
    assert_eq!(read(&folder, "src/a"), b"\xC4\xC1");
}

/// The user's own patterns apply in all folders, and those of a folder's own ignore files have precedence.
#[cfg(feature = "gitignore")]
#[test]
fn the_users_own_ignore_file_counts_last() {
    let folder = folder(&[
        ("config/git/ignore", b"*.log\n*.bak\n"),
        ("src/a.txt", SJIS),
        ("src/b.log", SJIS),
        ("src/c.bak", SJIS),
        ("src/sub/.gitignore", b"!*.log\n"),
        ("src/sub/d.log", SJIS),
        ("src/sub/e.bak", SJIS),
    ]);
    let run = |options: &[&str], out: &str| {
        let output = crate::common::mojika()
            .args(["convert", "-f", "sjis", "src", "-o", out])
            .args(options)
            .current_dir(folder.path())
            .env("HOME", folder.path())
            .env("XDG_CONFIG_HOME", folder.path().join("config"))
            .output();
        assert!(output.unwrap().status.success(), "{out}");
        let names = |name: &str| list(&folder.path().join(out).join(name));
        (names(""), names("sub"))
    };
    let (all, below) = run(&["--gitignore"], "out");
    assert_eq!(all, ["a.txt", "sub"]);
    assert_eq!(below, [".gitignore", "d.log"]);
    let (all, below) = run(&[], "all");
    assert_eq!(all, ["a.txt", "b.log", "c.bak", "sub"]);
    assert_eq!(below, [".gitignore", "d.log", "e.bak"]);
}

#[test]
fn globs_lists_and_gitignore_choose_files() {
    let folder = folder(&[
        ("src/a.txt", SJIS),
        ("src/b.log", SJIS),
        ("src/sub/c.txt", SJIS),
        ("src/.gitignore", b"b.log\n"),
        // The rule ignores the folder `build`, but not the file of this name.
        ("kinds/.gitignore", b"build/\n"),
        ("kinds/build/d", SJIS),
        ("kinds/sub/build", SJIS),
    ]);
    let names = |out: &str| {
        let mut names = list(&folder.path().join(out));
        names.retain(|name| name != "sub");
        names
    };
    status(
        &folder,
        "convert -f sjis src -o 1 --include *.txt --exclude sub",
        0,
    );
    assert_eq!(names("1"), ["a.txt"]);
    status(&folder, "convert -f sjis src -o 2 --gitignore", 0);
    assert_eq!(names("2"), [".gitignore", "a.txt"]);
    status(&folder, "convert -f sjis kinds -o kept --gitignore", 0);
    assert_eq!(names("kept"), [".gitignore"]);
    assert_eq!(names("kept/sub"), ["build"]);
    run_at(
        folder.path(),
        "convert -f sjis --files-from - -0 -o 3",
        b"src/a.txt\0src/sub/c.txt\0",
    )
    .ends(0);
    assert_eq!(read(&folder, "3/src/sub/c.txt"), TEXT.as_bytes());
}

#[test]
fn odd_names_are_converted_and_quoted() {
    let folder = folder(&[]);
    let name = OsStr::from_bytes(b"a\n\x1B[31m\xFF");
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src").join(name), b"\xFF").unwrap();
    let summary = status(&folder, "convert -f sjis src -o out --report r", 1);
    assert!(summary.contains(r"$'src/a\n\033[31m\377'"), "{summary}");
    let report = String::from_utf8(read(&folder, "r")).unwrap();
    assert!(
        report.contains(r#""path_bytes":"7372632F610A1B5B33316DFF""#),
        "{report}"
    );
    fs::write(folder.path().join("src").join(name), SJIS).unwrap();
    status(&folder, "convert -f sjis src -o out", 0);
    assert_eq!(
        fs::read(folder.path().join("out").join(name)).unwrap(),
        TEXT.as_bytes()
    );
}

#[test]
fn drafts_of_dead_runs_are_removed_and_those_of_live_ones_stay() {
    let folder = folder(&[
        ("src/a", SJIS),
        ("src/.mojika-1-1-0.tmp", b"dead"),
        ("src/.mojika-2-2-0.tmp", b"live"),
    ]);
    let live = fs::File::open(folder.path().join("src/.mojika-2-2-0.tmp")).unwrap();
    live.lock().unwrap();
    let said = status(&folder, "convert -f sjis -i src", 0);
    assert!(said.starts_with("1 file, "), "{said}");
    assert_eq!(list(&folder.path().join("src")), [".mojika-2-2-0.tmp", "a"]);
}

#[test]
fn a_complete_run_leaves_no_journal_and_one_that_was_killed_is_resumed() {
    let folder = folder(&[
        ("src/a", b"\xE4\xE0"),
        ("src/b", b"\xE4\xE0"),
        ("c", b"\xE4\xE0"),
    ]);
    fs::hard_link(folder.path().join("src/b"), folder.path().join("src/link")).unwrap();
    let line = "convert -f windows-1251 -t koi8-r -i src";
    // If there is nothing to resume, a new run begins, and a message says so.
    let message = status(&folder, &format!("{line} --resume"), 0);
    assert!(message.contains("nothing to resume"), "{message}");
    for name in ["src/a", "src/b", "src/link"] {
        assert_eq!(read(&folder, name), b"\xC4\xC1", "{name}");
    }
    assert_eq!(journals(folder.path()), [] as [&Path; 0]);
    assert_eq!(list(&folder.path().join("src")), ["a", "b", "link"]);

    // One file fails, so the run is incomplete, and its journal stays.
    fs::write(folder.path().join("src/bad"), b"\x98").unwrap();
    status(&folder, line, 1);
    let left = journals(folder.path());
    assert_eq!(left.len(), 1, "{left:?}");
    // Change the journal as if the run had been interrupted before it lists the files as done.
    let journal = fs::read_to_string(&left[0]).unwrap();
    let intended: String = journal
        .lines()
        .filter(|line| line.contains("options") || line.contains("ino"))
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(&left[0], intended).unwrap();
    let twice = [0xC4, 0xC1].map(|byte| {
        let text = mojika::WINDOWS_1251.decode(&[byte]).text.into_owned();
        mojika::KOI8_R.encode(&text).unwrap()[0]
    });
    for name in ["src/a", "src/b", "src/link"] {
        assert_eq!(read(&folder, name), twice, "{name}");
    }
    fs::write(folder.path().join("src/bad"), b"\xE4\xE0").unwrap();
    // Without --resume, files would be converted twice: by the same command, and by others over the same files.
    for (line, files) in [
        (line, ""),
        ("convert -f windows-1251 -t koi8-r -i", " src/a c"),
        ("convert -f sjis -i", " ."),
    ] {
        let message = status(&folder, &format!("{line}{files}"), 2);
        assert!(message.contains("is unfinished"), "{message}");
        assert!(
            message.contains("--resume") && message.contains("--force"),
            "{message}"
        );
    }
    let summary = status(&folder, &format!("{line} --resume"), 0);
    has(&summary, "1 converted, 3 finished before");
    for name in ["src/a", "src/b", "src/link"] {
        assert_eq!(read(&folder, name), twice, "{name}");
    }
    assert_eq!(read(&folder, "src/bad"), b"\xC4\xC1");
    assert_eq!(journals(folder.path()), [] as [&Path; 0]);
    assert_eq!(read(&folder, "c"), b"\xE4\xE0");
}

#[test]
fn completions_and_man_pages_are_installed() {
    let folder = folder(&[]);
    let installed = run(&folder, "completions --install --prefix local").ok();
    let installed = String::from_utf8(installed).unwrap();
    for path in installed.lines() {
        assert!(folder.path().join(path).is_file(), "{path}");
    }
    let page = read(&folder, "local/share/man/man1/mojika-convert.1");
    assert!(String::from_utf8(page).unwrap().contains("in\\-place"));
    let zsh = run(&folder, "completions zsh").ok();
    assert!(zsh.starts_with(b"#compdef mojika"));
}

/// In place, a UTF-8 file is rewritten only to add or remove its byte order mark.
#[test]
fn marks_of_utf_8_are_added_kept_or_stripped_in_place() {
    const MARKED: &[u8] = "\u{FEFF}文字\n".as_bytes();
    let plain = TEXT.as_bytes();
    for from in ["auto", "utf-8"] {
        for (bom, marked, unmarked, already) in [
            ("", plain, plain, 1),
            ("--bom strip", plain, plain, 1),
            ("--bom add", MARKED, MARKED, 1),
            ("--bom keep", MARKED, plain, 2),
        ] {
            let folder = folder(&[("src/marked", MARKED), ("src/plain", plain)]);
            let what = format!("-f {from} {bom}");
            let summary = status(&folder, &format!("convert -i src {what}"), 0);
            let said = format!("{already} in the output encoding already");
            assert!(summary.contains(&said), "{what}: {summary}");
            assert_eq!(read(&folder, "src/marked"), marked, "{what}");
            assert_eq!(read(&folder, "src/plain"), unmarked, "{what}");
        }
    }
}

#[test]
fn text_in_the_output_encoding_is_written_anew_where_options_ask_for_it() {
    let plain = TEXT.as_bytes();
    let folder = folder(&[
        ("gz/a.txt.gz", &crate::common::archives::gzip(plain)),
        ("gz/b.txt", plain),
        ("other/a.png", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"),
        ("other/b.txt", SJIS),
        ("globs/a.txt", SJIS),
        ("globs/sub/b.log", SJIS),
    ]);
    let said = status(&folder, "convert -f utf-8 gz -o none --compress none", 0);
    has(&said, "1 converted, 1 in the output encoding already");
    assert_eq!(list(&folder.path().join("none")), ["a.txt", "b.txt"]);
    assert_eq!(read(&folder, "none/a.txt"), plain);
    let said = status(&folder, "convert -f utf-8 gz -o same", 0);
    assert!(said.contains("2 in the output encoding already"), "{said}");
    // In place, there is no output folder, so nothing is copied.
    let said = status(&folder, "convert -f sjis -i other --copy-other", 0);
    assert!(said.contains("1 converted, 1 skipped"), "{said}");
    // Folders are created even if no file in them is selected.
    let said = status(
        &folder,
        "convert -f sjis globs -o included --include *.txt",
        0,
    );
    assert!(said.starts_with("1 file, "), "{said}");
    assert_eq!(list(&folder.path().join("included")), ["a.txt", "sub"]);
    assert!(list(&folder.path().join("included/sub")).is_empty());
}
