//! Messages and progress lines of runs that end by a signal or at the first failure.

use crate::common::tree::{fast_folder, folder, status};
use crate::common::{list, mojika};
use rustix::process::{Pid, Signal};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// Starts a command line, split at spaces, with all streams as pipes. Its run records are in the folder.
fn started(path: &Path, line: &str) -> Child {
    mojika()
        .args(line.split(' '))
        .current_dir(path)
        .env("XDG_STATE_HOME", path.join("state"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for the end. Returns the exit status and standard error.
fn ended(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), said)
}

/// Sends a signal by a system call, because starting `kill` would take time.
fn signal(child: &Child, signal: Signal) {
    rustix::process::kill_process(Pid::from_child(child), signal).unwrap();
}

/// Waits until this pipe, which nothing reads, is full, so that the command is blocked.
fn until_full(stdout: &ChildStdout) {
    let (mut before, mut same, begin) = (0, 0, Instant::now());
    while same < 5 {
        let waiting = rustix::io::ioctl_fionread(stdout).unwrap();
        same = if waiting == before && waiting > 48 << 10 {
            same + 1
        } else {
            0
        };
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "{waiting} bytes come"
        );
        before = waiting;
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Reads the rest of a pipe slowly, so that a signal arrives before the end.
fn slowly(mut stdout: ChildStdout) -> Vec<u8> {
    let (mut all, mut piece) = (Vec::new(), [0; 4 << 10]);
    loop {
        std::thread::sleep(Duration::from_millis(10));
        match stdout.read(&mut piece).unwrap() {
            0 => return all,
            length => all.extend_from_slice(&piece[..length]),
        }
    }
}

/// Interrupts a command once its output has filled a pipe. Returns its output and standard error.
fn interrupted(path: &Path, line: &str) -> (Vec<u8>, String) {
    let mut child = started(path, line);
    let stdout = child.stdout.take().unwrap();
    until_full(&stdout);
    signal(&child, Signal::INT);
    let printed = slowly(stdout);
    let (status, said) = ended(child);
    assert_eq!(status, Some(130), "{line}: {said}");
    (printed, said)
}

#[test]
fn one_stream_that_a_signal_ends_says_so_unless_the_terminal_has_gone() {
    let message = "interrupted; temporary files have been removed\n";
    for (sent, expected) in [
        (Signal::INT, message),
        (Signal::TERM, message),
        (Signal::HUP, ""),
    ] {
        let tree = folder(&[]);
        let mut child = started(tree.path(), "convert -f sjis -o out");
        // Keep the input open until the signal has been handled.
        let stdin = child.stdin.take();
        let begin = Instant::now();
        while list(tree.path()).is_empty() {
            assert!(
                begin.elapsed() < Duration::from_secs(60),
                "no output begins"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
        signal(&child, sent);
        let said = ended(child);
        drop(stdin);
        let status = Some(128 + sent.as_raw());
        assert_eq!(said, (status, expected.to_owned()), "{sent:?}");
        assert!(list(tree.path()).is_empty(), "{sent:?}");
    }
}

/// Returns a folder of files whose report exceeds the buffer of a pipe.
fn many_files() -> tempfile::TempDir {
    let tree = fast_folder();
    fs::create_dir(tree.path().join("src")).unwrap();
    for number in 0..1000 {
        let path = tree.path().join(format!("src/{number:04}.txt"));
        fs::write(path, b"\xC4\xC1\n").unwrap();
    }
    tree
}

const REPORTED: &str = "convert -f koi8-r src -o out/ -j 1 --report -";

/// After the first signal, a run has five seconds to end cleanly. The second signal kills it.
#[test]
fn a_second_signal_ends_a_run_that_does_not_end() {
    // On a busy machine, the five seconds may be over before the second signal: try again.
    for round in 1.. {
        let tree = many_files();
        let mut child = started(tree.path(), REPORTED);
        // The output pipe is not read, so that the run cannot end cleanly.
        let unread = child.stdout.take().unwrap();
        until_full(&unread);
        let begin = Instant::now();
        signal(&child, Signal::INT);
        std::thread::sleep(Duration::from_millis(300));
        signal(&child, Signal::TERM);
        let (status, said) = ended(child);
        drop(unread);
        assert_eq!(said, "interrupted; temporary files have been removed\n");
        if begin.elapsed() < Duration::from_millis(4500) {
            assert_eq!(status, Some(143));
            return;
        }
        assert!(round < 4, "{:?}", begin.elapsed());
    }
}

/// A signal stops a run after its current file. The summary states how to resume it, and nothing is lost.
#[test]
fn an_interrupted_run_ends_in_order_and_is_gone_on_with() {
    let tree = many_files();
    let (report, said) = interrupted(tree.path(), REPORTED);
    let converted = list(&tree.path().join("out")).len();
    let line = format!("{converted} files, ");
    assert!(said.starts_with(&line) && converted < 1000, "{said}");
    assert!(
        said.trim_end()
            .ends_with("convert --resume -f koi8-r src -o out/ -j 1 --report -"),
        "{said}"
    );
    assert_eq!(
        report.iter().filter(|byte| **byte == b'\n').count(),
        converted
    );
    let (status, said) = ended(started(tree.path(), &format!("{REPORTED} --resume -q")));
    assert_eq!((status, &*said), (Some(0), ""));
    assert_eq!(list(&tree.path().join("out")).len(), 1000);
}

/// Progress lines count each byte once, even those of a file that is counted while it is read.
#[test]
fn progress_counts_no_byte_twice() {
    let tree = many_files();
    // Larger than one read.
    fs::write(tree.path().join("src/0.txt"), b"\xC4\xC1\n".repeat(1 << 20)).unwrap();
    let archive = crate::common::archives::page(&"text ".repeat(400_000));
    fs::create_dir(tree.path().join("warc")).unwrap();
    for number in 0..1000 {
        let bytes = if number == 0 { &archive[..] } else { b"" };
        fs::write(tree.path().join(format!("warc/{number:04}.warc")), bytes).unwrap();
    }
    for line in [REPORTED, "warc warc -o texts/ -j 1 --report -"] {
        let begin = Instant::now();
        let mut child = started(tree.path(), &format!("{line} --progress always"));
        let stdout = child.stdout.take().unwrap();
        until_full(&stdout);
        std::thread::sleep(Duration::from_millis(1100));
        to_end(stdout);
        let (status, said) = ended(child);
        assert_eq!(status, Some(0), "{said}");
        // There is at most one progress line per second.
        let lines = said.lines().filter(|line| line.contains(" of ")).count();
        assert!(lines as u64 <= 1 + begin.elapsed().as_secs(), "{said}");
        assert!(counts_right(&said), "{said}");
    }
    // All inputs go to one output. After the large file, an empty pipe keeps the run waiting.
    for line in [
        "warc warc/0000.warc - -o one.jsonl --force",
        "convert -f koi8-r src/0.txt - src/0001.txt -o one",
    ] {
        // On a busy machine, the file may not have been read after one second.
        let is_said = [1100, 3000, 9000].into_iter().any(|pause| {
            let mut child = started(tree.path(), &format!("{line} --progress always"));
            let stdin = child.stdin.take();
            std::thread::sleep(Duration::from_millis(pause));
            drop(stdin);
            let (status, said) = ended(child);
            assert_eq!(status, Some(0), "{said}");
            counts_right(&said)
        });
        assert!(is_said, "{line}");
    }
}

fn to_end(mut stdout: ChildStdout) {
    stdout.read_to_end(&mut Vec::new()).unwrap();
}

/// True if the progress lines count the bytes that were read, and never exceed the existing number of bytes.
#[track_caller]
fn counts_right(said: &str) -> bool {
    let bytes = |text: &str| -> Option<f64> {
        let (number, unit) = text.trim().split_once(' ')?;
        let power = ["B", "kB", "MB"].iter().position(|one| *one == unit)?;
        Some(number.parse::<f64>().ok()? * 1000_f64.powi(i32::try_from(power).ok()?))
    };
    let mut most = 0.0_f64;
    for line in said.lines().filter(|line| line.contains(" of ")) {
        let parts: Vec<_> = line.split(", ").collect();
        let is_counted = parts[0] == "1 file" || parts[0].ends_with(" files");
        let (done, all) = parts[1].split_once(" of ").unwrap();
        let (done, all) = (bytes(done).unwrap(), bytes(all).unwrap());
        assert!(is_counted && done <= 1.01 * all, "{said}");
        most = most.max(done);
    }
    most > 1e6
}

/// The first failing file ends the run.
#[test]
fn a_run_that_fails_fast_takes_no_further_file() {
    let tree = folder(&[
        ("a", b"\xFF"),
        ("src/1", b"\xFF"),
        ("src/2", b"ok"),
        ("src/3", b"\xFF"),
    ]);
    for (line, files, failed) in [
        (
            "convert -f utf-8 -t koi8-r src -o out/ -j 1",
            "3 files",
            "2 failed",
        ),
        (
            "convert -f utf-8 -t koi8-r src -o out1/ -j 1 --fail-fast",
            "1 file,",
            "1 failed",
        ),
        (
            "convert -f utf-8 -t koi8-r -i a src -j 1 --fail-fast",
            "1 file,",
            "1 failed",
        ),
        ("check -f utf-8 src -j 1", "3 files", "2 failed"),
        ("check -f utf-8 src -j 1 --fail-fast", "1 file,", "1 failed"),
    ] {
        let said = status(&tree, line, 1);
        assert!(
            said.starts_with(files) && said.contains(failed),
            "{line}: {said}"
        );
    }
    assert!(!tree.path().join("out1/2").exists());
    // All inputs are converted to one output.
    let said = status(&tree, "convert -f utf-8 a src/3 src/1 -o out2", 1);
    assert_eq!(said.lines().count(), 3, "{said}");
    let said = status(
        &tree,
        "convert -f utf-8 a src/3 src/1 -o out2 --fail-fast",
        1,
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}

/// If a signal stops an undo, a message states how far it went. The next undo reverts the rest.
#[test]
fn an_interrupted_undo_says_what_goes_on() {
    for kind in ["names", "files"] {
        let tree = fast_folder();
        let src = tree.path().join("src");
        fs::create_dir(&src).unwrap();
        let long = "x".repeat(200);
        let old = |number: usize| -> PathBuf {
            use std::os::unix::ffi::OsStrExt;
            let name = [long.as_bytes(), b"\xC4\xC1", number.to_string().as_bytes()].concat();
            src.join(std::ffi::OsStr::from_bytes(&name))
        };
        for number in 0..1500 {
            fs::write(old(number), b"\xC4\xC1").unwrap();
        }
        let line = match kind {
            "names" => "names -f koi8-r --rename src -q",
            _ => "convert -f koi8-r -i src --backup .orig -q",
        };
        let (status, said) = ended(started(tree.path(), line));
        assert_eq!((status, &*said), (Some(0), ""), "{kind}");
        let (lines, said) = interrupted(tree.path(), "undo");
        let back = lines.iter().filter(|byte| **byte == b'\n').count();
        assert!(back < 1500, "{kind}: the signal came too late");
        let what = if kind == "names" { "names" } else { "files" };
        let last = format!("{back} {what} reverted; interrupted: mojika undo 1 goes on\n");
        assert!(said.ends_with(&last), "{kind}: {back}: {said}");
        if kind == "names" {
            let (status, said) = ended(started(tree.path(), line));
            assert_eq!(status, Some(2), "{said}");
        }
        let (status, said) = ended(started(tree.path(), "undo"));
        assert_eq!(status, Some(0), "{kind}: {said}");
        let last = format!("{} {what} reverted\n", 1500 - back);
        assert!(said.ends_with(&last), "{kind}: {said}");
        for number in 0..1500 {
            assert_eq!(fs::read(old(number)).unwrap(), b"\xC4\xC1", "{kind}");
        }
        assert_eq!(src.read_dir().unwrap().count(), 1500, "{kind}");
    }
}

#[test]
fn interrupted_renames_say_what_goes_on() {
    for round in 1.. {
        let tree = fast_folder();
        let src = tree.path().join("src");
        fs::create_dir(&src).unwrap();
        let files = 2000 * round;
        for number in 0..files {
            use std::os::unix::ffi::OsStrExt;
            let name = [b"\xC4\xC1", number.to_string().as_bytes()].concat();
            fs::write(src.join(std::ffi::OsStr::from_bytes(&name)), "").unwrap();
        }
        let line = "names -f koi8-r --rename src";
        let mut child = started(tree.path(), line);
        let mut stdout = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || stdout.read_to_end(&mut Vec::new()));
        let begin = Instant::now();
        let is_begun =
            || fs::read_dir(tree.path().join("state/mojika/runs")).is_ok_and(|all| all.count() > 0);
        while !is_begun() {
            assert!(begin.elapsed() < Duration::from_secs(60), "nothing begins");
        }
        signal(&child, Signal::INT);
        let (status, said) = ended(child);
        reader.join().unwrap().unwrap();
        if said.contains(&format!("{files} renamed;")) && round < 6 {
            // The command ended before the signal arrived: try again.
            continue;
        }
        assert_eq!(status, Some(130), "{said}");
        assert!(said.contains("interrupted; to go on: "), "{said}");
        assert!(
            said.ends_with("names --resume -f koi8-r --rename src\n"),
            "{said}"
        );
        let (status, said) = ended(started(tree.path(), &format!("{line} --resume -q")));
        assert_eq!((status, &*said), (Some(0), ""));
        return;
    }
}
