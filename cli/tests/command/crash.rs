//! Killed or interrupted runs. No file is lost, no temporary file is left, and `--resume` completes the work.

#![cfg(unix)]

use crate::common::list;
use crate::common::tree::{
    Met, bash, begun, fast_folder, folder, has_journal, kill_runs, number, read, signal, start,
    status,
};
use mojika_spec::sample::one_in;
use std::fs;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const OLD: &[u8] = b"\xE4\xE0 ";
const NEW: &[u8] = b"\xC4\xC1 ";
const LINE: &str = "convert -f windows-1251 -t koi8-r -i src -j 2 -q --resume=journal";

/// Creates a folder `src` with `count` files.
fn tree(count: usize) -> TempDir {
    let folder = fast_folder();
    fs::create_dir(folder.path().join("src")).unwrap();
    for file in 0..count {
        fs::write(folder.path().join(format!("src/{file}")), OLD.repeat(3000)).unwrap();
    }
    folder
}

/// Returns the number of converted files in the tree, after asserting that all files exist and are complete.
#[track_caller]
fn converted(folder: &TempDir, count: usize, what: &str) -> usize {
    let names = (0..count).map(|file| format!("src/{file}"));
    for name in names.clone() {
        assert!(folder.path().join(&name).is_file(), "{what}: {name}");
    }
    crate::common::tree::converted(folder, names, &OLD.repeat(3000), &NEW.repeat(3000))
}

/// After a kill, every file is complete, in its old or new form. A resumed run converts the rest.
///
/// `MOJIKA_KILLS` is the number of killed runs, by default 24, or 48 if sweeps run all cases. `MOJIKA_KILL_FILES` is the
/// number of files.
#[test]
fn killed_at_any_moment_nothing_is_lost_or_converted_twice() {
    let (rounds, files) = (
        number("MOJIKA_KILLS", 48 / one_in(2)),
        number("MOJIKA_KILL_FILES", 300),
    );
    let undisturbed = tree(files);
    let begin = Instant::now();
    assert!(start(&undisturbed, LINE).wait().unwrap().success());
    let whole = begin.elapsed();
    kill_runs(rounds, 20, whole, |moment, what| {
        let folder = tree(files);
        let mut child = start(&folder, LINE);
        moment.wait(|| has_journal(&folder));
        child.kill().unwrap();
        child.wait().unwrap();
        let met = match converted(&folder, files, what) {
            0 => Met::Nothing,
            all if all == files => Met::End,
            _ => Met::Middle,
        };
        // A run that was killed at its end may have removed its journal. Otherwise it is resumed.
        if !matches!(met, Met::End) || folder.path().join("journal").exists() {
            status(&folder, LINE, 0);
        }
        assert_eq!(converted(&folder, files, what), files, "{what}");
        assert_eq!(list(&folder.path().join("src")).len(), files, "{what}");
        assert_eq!(list(folder.path()), ["src"], "{what}: no journal");
        met
    });
}

/// A run is interrupted between the sync of a batch and its line in the journal. A part of the batch has its final names.
#[test]
fn killed_between_sync_and_journal_nothing_is_converted_twice() {
    for appeared in [0, 1, 17, 29, 30] {
        let files = 30;
        let folder = tree(files);
        // One file cannot be converted, so that the journal is not removed.
        fs::write(folder.path().join("src/bad"), b"\x98").unwrap();
        status(&folder, LINE, 1);
        fs::remove_file(folder.path().join("src/bad")).unwrap();
        // Change the journal as if the run had been killed before it replaced the first file.
        let journal = folder.path().join("journal");
        let lines = fs::read_to_string(&journal).unwrap();
        let before: String = lines
            .lines()
            .filter(|line| line.contains("options") || line.contains("\"ino\""))
            .map(|line| format!("{line}\n"))
            .collect();
        assert_eq!(before.lines().count(), 1 + files);
        fs::write(&journal, before).unwrap();
        for file in appeared..files {
            // As if the file had not been replaced yet: its draft remains.
            let path = folder.path().join(format!("src/{file}"));
            fs::rename(
                &path,
                folder.path().join(format!("src/.mojika-0-0-{file}.tmp")),
            )
            .unwrap();
            fs::write(&path, OLD.repeat(3000)).unwrap();
        }
        assert_eq!(converted(&folder, files, "killed"), appeared);
        status(&folder, LINE, 0);
        assert_eq!(converted(&folder, files, "resumed"), files);
        assert_eq!(list(&folder.path().join("src")).len(), files);
    }
}

#[test]
fn every_signal_ends_one_stream_with_its_status_and_leaves_no_draft() {
    let all = ["HUP 1", "INT 2", "QUIT 3", "ALRM 14", "TERM 15", "PROF 27"];
    // Also test signals that exist only on Linux, or have other numbers elsewhere.
    let others: &[_] = match cfg!(target_os = "linux") {
        true => &[
            "USR1 10", "USR2 12", "IO 29", "PWR 30", "35 35", "40 40", "64 64",
        ],
        false => &[],
    };
    for signal_and_number in all.iter().chain(others) {
        let (name, number) = signal_and_number.split_once(' ').unwrap();
        let expected = 128 + number.parse::<i32>().unwrap();
        for old in [&[][..], &[("out", &b"old"[..])]] {
            let folder = folder(old);
            // Keep the input open until the signal has been handled.
            let (mut child, stdin) = begun(&folder, "convert -f sjis -o out", b"");
            signal(&child, name);
            assert_eq!(child.wait().unwrap().code(), Some(expected), "SIG{name}");
            drop(stdin);
            let names: Vec<_> = old.iter().map(|(name, _)| *name).collect();
            assert_eq!(list(folder.path()), names, "SIG{name}");
            if !old.is_empty() {
                assert_eq!(read(&folder, "out"), b"old", "SIG{name}");
            }
        }
    }
}

#[test]
fn signals_end_a_run_over_a_tree_in_order() {
    for (name, expected) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let files = 200;
        let folder = tree(files);
        // The file is so large that it is unfinished when the signal arrives.
        let large = folder.path().join("src/large");
        fs::write(&large, OLD.repeat(10_000_000)).unwrap();
        let mut child = start(&folder, LINE);
        let begin = Instant::now();
        while read(&folder, "src/0")[0] == OLD[0] {
            assert!(begin.elapsed() < Duration::from_secs(60), "nothing begins");
        }
        signal(&child, name);
        assert_eq!(child.wait().unwrap().code(), Some(expected), "SIG{name}");
        converted(&folder, files, name);
        let names = list(&folder.path().join("src"));
        assert_eq!(names.len(), files + 1, "SIG{name}: files");
        fs::remove_file(large).unwrap();
        status(&folder, LINE, 0);
        assert_eq!(converted(&folder, files, name), files);
    }
}

/// Two simultaneous runs write to one output folder: every file is complete and comes from a single run.
#[test]
fn two_runs_at_once_do_not_disturb_each_other() {
    let files = 300;
    let folder = tree(files);
    let line = "convert -f windows-1251 -t koi8-r src -o out -q";
    let children: Vec<_> = (0..2).map(|_| start(&folder, line)).collect();
    for mut child in children {
        // The status is 1 if a file exists already, from the other run.
        assert!(matches!(child.wait().unwrap().code(), Some(0 | 1)));
    }
    for file in 0..files {
        assert!(read(&folder, &format!("out/{file}")) == NEW.repeat(3000));
    }
    let drafts = list(&folder.path().join("out"));
    assert!(
        drafts.iter().all(|name| !name.ends_with(".tmp")),
        "{drafts:?}"
    );

    // In place, the second run is refused, because it could convert files twice.
    let children: Vec<_> = (0..2).map(|_| start(&folder, LINE)).collect();
    for mut child in children {
        assert!(matches!(child.wait().unwrap().code(), Some(0 | 2)));
    }
    assert_eq!(converted(&folder, files, "in place"), files);
}

/// SIGXFSZ, from a limit on file sizes, makes the write fail. A conversion to a single output leaves no file.
#[test]
fn a_limit_on_file_sizes_leaves_no_draft() {
    let folder = folder(&[("a", &OLD.repeat(100_000))]);
    let script = "ulimit -f 16; exec mojika convert -f windows-1251 a -o out";
    let run = bash(folder.path(), script);
    let message = run.stderr;
    assert_eq!(run.status, 1, "{message}");
    assert!(message.contains("cannot write to out"), "{message}");
    assert_eq!(list(folder.path()), ["a"]);
    // A report that cannot be written makes the run fail at its end.
    let script = "ulimit -f 0; exec mojika check -f windows-1251 a --report r -q";
    let run = bash(folder.path(), script);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(
        run.stderr.starts_with("cannot write to r: "),
        "{}",
        run.stderr
    );
}

/// Before a converted file replaces the hard links to its source, each link is recorded. None is converted twice.
#[test]
fn killed_before_links_are_noted_as_done_none_is_converted_twice() {
    let folder = folder(&[("src/a", OLD), ("src/bad", b"\x98")]);
    let path = |name: &str| folder.path().join(name);
    fs::hard_link(path("src/a"), path("src/b")).unwrap();
    fs::create_dir(path("src/sub")).unwrap();
    fs::hard_link(path("src/a"), path("src/sub/c")).unwrap();
    status(&folder, LINE, 1);
    assert_eq!(read(&folder, "src/sub/c"), NEW);
    // Change the journal as if the run had been killed before it replaced the files, while it wrote a line.
    let journal = fs::read_to_string(path("journal")).unwrap();
    let before = journal
        .lines()
        .filter(|line| line.contains("options") || line.contains("\"ino\""))
        .map(|line| format!("{line}\n"));
    fs::write(
        path("journal"),
        before
            .chain(["{\"path\":\"src/".to_owned()])
            .collect::<String>(),
    )
    .unwrap();
    fs::write(path("src/new"), OLD).unwrap();
    status(&folder, LINE, 1);
    for name in ["src/a", "src/b", "src/sub/c", "src/new"] {
        assert_eq!(read(&folder, name), NEW, "{name}");
    }
    // The records of the resumed run are complete.
    let journal = fs::read_to_string(path("journal")).unwrap();
    let is_whole = |line: &&str| serde_json::from_str::<serde_json::Value>(line).is_ok();
    let (whole, cut): (Vec<_>, Vec<_>) = journal
        .lines()
        .filter(|line| !line.is_empty())
        .partition(is_whole);
    assert_eq!(cut, ["{\"path\":\"src/"]);
    let noted = whole.iter().filter(|line| line.contains("src/new"));
    assert_eq!(noted.count(), 2, "{journal}");
}

/// Whenever a run is interrupted, its report has every file that the journal lists as done. A resumed run does not
/// report these files again.
#[test]
fn killed_at_a_batch_the_report_has_what_the_journal_has() {
    use std::process::Stdio;
    let folder = fast_folder();
    fs::create_dir(folder.path().join("src")).unwrap();
    let files = 1000;
    for file in 0..files {
        // With names of this length, a Linux pipe is full at the start of a batch.
        let name = format!("src/{}-{file:04}", "x".repeat(171));
        fs::write(folder.path().join(name), OLD).unwrap();
    }
    let line = "convert -f windows-1251 -t koi8-r src -o out -j 1 --resume=journal --report report";
    // The messages with the names of finished files are not read, so that the run blocks within a batch.
    let mut child = crate::common::mojika()
        .args(line.split(' '))
        .arg("-v")
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    let mut before = (0, 0);
    while before.0 == 0 || before.1 < 10 {
        let done = fs::metadata(folder.path().join("journal")).map_or(0, |metadata| metadata.len());
        before = (done, if done == before.0 { before.1 + 1 } else { 0 });
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing is done");
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let made = list(&folder.path().join("out"));
    assert!((100..files).contains(&made.len()), "{}", made.len());
    // If the file system supports unnamed files, a draft does not have a name yet.
    let flags = rustix::fs::OFlags::TMPFILE | rustix::fs::OFlags::WRONLY;
    let mode = rustix::fs::Mode::RUSR;
    if cfg!(target_os = "linux") && rustix::fs::open(folder.path(), flags, mode).is_ok() {
        let drafts = made.iter().filter(|name| name.ends_with(".tmp"));
        assert_eq!(drafts.count(), 0, "{made:?}");
    }
    status(&folder, &format!("{line} -q"), 0);
    let report = String::from_utf8(read(&folder, "report")).unwrap();
    let mut names: Vec<_> = report
        .lines()
        .map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            line["path"].as_str().unwrap().to_owned()
        })
        .collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), files);
}
