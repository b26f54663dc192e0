//! Files, links, names and modes that an attacker has prepared, or that change during a run.
//!
//! Each test is a row of the table in docs/SECURITY.md.

#![cfg(target_os = "linux")]

use crate::common::tree::{bash, folder, read, run, status};
use crate::common::{list, make_fifo, mojika, run_at, run_in};
use crate::help::{is_root, mode, run_as_other, set_mode};
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const OLD: &[u8] = b"\xE4\xE0";
const NEW: &[u8] = "да".as_bytes();
const SECRET: &[u8] = b"secret\n";

/// A journal is not searched for in other users' folders. A file with its name is only written if it is a journal.
#[test]
fn a_planted_journal_is_not_written_to() {
    for command in [
        "convert -f windows-1251 -i s",
        "convert -f windows-1251 s -o out/",
        "warc w -o out/",
    ] {
        let folder = folder(&[("s/a", OLD), ("p", SECRET), ("w/a.warc", b"")]);
        fs::create_dir(folder.path().join("out")).unwrap();
        for planted in ["s/.mojika-journal", "out/.mojika-journal"] {
            symlink("../p", folder.path().join(planted)).unwrap();
        }
        status(&folder, command, 0);
        assert_eq!(read(&folder, "p"), SECRET, "{command}");
        // The user may request a report at any path.
        let folder = crate::common::tree::folder(&[("s/a", OLD), ("p", SECRET), ("w/a.warc", b"")]);
        for planted in ["link", "zero", "hard", "fifo", "text"] {
            let path = folder.path().join(planted);
            match planted {
                "link" => symlink("p", path).unwrap(),
                "zero" => symlink("/dev/zero", path).unwrap(),
                "hard" => fs::hard_link(folder.path().join("p"), path).unwrap(),
                "fifo" => make_fifo(&path),
                _ => fs::write(path, SECRET).unwrap(),
            }
            let run = run(&folder, &format!("{command} --resume={planted}"));
            assert!(matches!(run.status, 1 | 2), "{planted}: {}", run.stderr);
            run.says(planted);
            assert_eq!(read(&folder, "p"), SECRET, "{command}, {planted}");
            assert_eq!(read(&folder, "s/a"), OLD);
        }
        assert_eq!(read(&folder, "text"), SECRET);
    }
}

#[test]
fn a_state_folder_that_others_may_write_to_is_not_used() {
    let folder = folder(&[("s/a", OLD)]);
    fs::create_dir_all(folder.path().join("state/mojika")).unwrap();
    set_mode(&folder, "state/mojika", 0o777);
    // A folder within the state folder is not used either if others may write to it.
    fs::create_dir_all(folder.path().join("inner/mojika/journals")).unwrap();
    set_mode(&folder, "inner/mojika", 0o700);
    set_mode(&folder, "inner/mojika/journals", 0o770);
    let inner = mojika()
        .env("XDG_STATE_HOME", folder.path().join("inner"))
        .args(["convert", "-f", "windows-1251", "-i", "s"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(inner.status.code(), Some(2));
    assert_eq!(read(&folder, "s/a"), OLD);
    let run = |line: &str| {
        let output = mojika()
            .env("XDG_STATE_HOME", folder.path().join("state"))
            .args(line.split(' '))
            .current_dir(folder.path())
            .output()
            .unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), message)
    };
    // In place, a run needs a journal; for a new output folder, the journal is optional.
    let (code, message) = run("convert -f windows-1251 -i s");
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("--resume=FILE"), "{message}");
    assert_eq!(read(&folder, "s/a"), OLD);
    let (code, message) = run("convert -f windows-1251 s -o out");
    assert_eq!(code, Some(0), "{message}");
    assert!(message.contains("no place for the journal"), "{message}");
    let (code, message) = run("convert -f windows-1251 -i s --resume=j");
    assert_eq!(code, Some(0), "{message}");
    assert_eq!(read(&folder, "s/a"), NEW);
}

/// As with `cp -p`, the set-user-ID bit is cleared if the owner changes.
#[test]
fn bits_for_the_user_id_go_where_the_owner_is_not_kept() {
    let lines = [
        ("convert -f windows-1251 s -o out", "out/a"),
        (
            "convert -f windows-1251 s -o copies --copy-other",
            "copies/b",
        ),
        ("convert -f windows-1251 s/a -o f", "f"),
        ("convert -f windows-1251 -i s", "s/a"),
    ];
    let folder = folder(&[
        ("s/a", OLD),
        ("s/b", b"\x89PNG\r\n\x1A\n\0\0"),
        ("f", b"old"),
    ]);
    let all = ["s/a", "s/b", "f"];
    for name in all {
        set_mode(&folder, name, 0o6755);
    }
    // If the owner is kept, the bits are kept as well.
    for (line, output) in &lines[..3] {
        status(&folder, line, 0);
        assert_eq!(mode(&folder, output), 0o6755, "{line}");
        let _ = fs::remove_dir_all(folder.path().join("out"));
        let _ = fs::remove_dir_all(folder.path().join("copies"));
    }
    if !is_root() {
        eprintln!("left out: only root gives files away");
        return;
    }
    set_mode(&folder, "s", 0o777);
    for (line, output) in lines {
        set_mode(&folder, "f", 0o6777);
        let run = run_as_other(&folder, &format!("chmod 777 . 2>&1; mojika {line}"));
        // If the other user may not write, the folder is opened for all, because root owns it.
        let made = match run.status {
            0 => mode(&folder, output),
            _ => {
                set_mode(&folder, "", 0o777);
                let folder_of_all = folder.path().to_owned();
                let again = Command::new("setpriv")
                    .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
                    .arg(folder.path().join("mojika-copy"))
                    .args(line.split(' '))
                    .env("XDG_STATE_HOME", folder.path().join("state"))
                    .current_dir(&folder_of_all)
                    .output()
                    .unwrap();
                let message = String::from_utf8_lossy(&again.stderr).into_owned();
                assert!(again.status.success(), "{line}: {message}");
                mode(&folder, output)
            }
        };
        assert_eq!(made & 0o7000, 0, "{line}: {made:o}");
        assert_eq!(made & 0o755, 0o755, "{line}: {made:o}");
    }
}

/// While files are converted, a folder and a file are repeatedly replaced by links to others.
#[test]
fn a_file_that_becomes_a_link_is_not_read_and_not_replaced() {
    const FILES: usize = 40;
    let secret = b"\xF1\xE5\xEA\xF0\xE5\xF2".repeat(20);
    let base = crate::common::tree::fast_folder();
    let outside = base.path().join("outside");
    fs::create_dir(&outside).unwrap();
    let fill = |folder: &Path| {
        fs::create_dir_all(folder).unwrap();
        for file in 0..FILES {
            fs::write(folder.join(file.to_string()), OLD).unwrap();
        }
    };
    for file in 0..FILES {
        fs::write(outside.join(file.to_string()), &secret).unwrap();
    }
    let tree = base.path().join("s");
    fill(&tree.join("d"));
    symlink("../outside", tree.join("x")).unwrap();
    for file in 0..FILES {
        fs::write(tree.join(format!("f{file}")), OLD).unwrap();
        symlink(
            outside.join(file.to_string()),
            tree.join(format!("l{file}")),
        )
        .unwrap();
    }
    let stop = AtomicBool::new(false);
    let exchange = |one: &Path, other: &Path| {
        let flags = rustix::fs::RenameFlags::EXCHANGE;
        let _ = rustix::fs::renameat_with(rustix::fs::CWD, one, rustix::fs::CWD, other, flags);
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                exchange(&tree.join("d"), &tree.join("x"));
                for file in 0..FILES {
                    exchange(
                        &tree.join(format!("f{file}")),
                        &tree.join(format!("l{file}")),
                    );
                }
            }
        });
        let begin = Instant::now();
        let mut round = 0;
        while round < 30 || begin.elapsed() < Duration::from_secs(2) {
            round += 1;
            let out = format!("out{round}");
            run_in(
                base.path(),
                &["convert", "-q", "-f", "windows-1251", "s", "-o", &out],
                b"",
            );
            for path in [format!("{out}/d"), format!("{out}/x"), out.clone()] {
                let Ok(entries) = base.path().join(path).read_dir() else {
                    continue;
                };
                for entry in entries.flatten().filter(|one| one.path().is_file()) {
                    let text = fs::read(entry.path()).unwrap();
                    let is_secret = text.starts_with("секрет".as_bytes());
                    assert!(!is_secret, "{}", entry.path().display());
                }
            }
            fs::remove_dir_all(base.path().join(out)).unwrap();
            run_at(
                base.path(),
                "convert -q -f windows-1251 -t koi8-r -i s --force",
                b"",
            );
            for file in 0..FILES {
                let path = outside.join(file.to_string());
                assert!(fs::read(&path).unwrap() == secret, "{}", path.display());
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
}

/// Texts in a folder that only its owner can read stay inaccessible to others during conversion, and after a kill.
#[test]
fn copies_of_private_folders_are_private_from_the_start() {
    let folder = folder(&[
        ("s/in/a", &OLD.repeat(10_000_000)),
        ("t/in/a", OLD),
        ("t/in/b", OLD),
    ]);
    for name in ["s", "s/in", "t", "t/in"] {
        set_mode(&folder, name, 0o700);
    }
    let line = "convert -f windows-1251 s -o out --resume=j";
    let mut child = crate::common::tree::start(&folder, line);
    let begin = Instant::now();
    while !folder.path().join("out/in").exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing begins");
    }
    assert_eq!(mode(&folder, "out"), 0o700);
    assert_eq!(mode(&folder, "out/in"), 0o700);
    child.kill().unwrap();
    child.wait().unwrap();
    for name in ["s", "s/in"] {
        set_mode(&folder, name, 0o750);
    }
    // The folders that the killed run has created get their attributes from the run that completes the work.
    assert_eq!(mode(&folder, "out/in"), 0o700);
    status(&folder, line, 0);
    for name in ["out", "out/in"] {
        assert_eq!(mode(&folder, name), 0o750, "{name}");
        let original = folder.path().join(name.replace("out", "s"));
        let times = |path: &Path| fs::metadata(path).unwrap().mtime();
        assert_eq!(times(&folder.path().join(name)), times(&original));
    }
    // An existing folder keeps its mode.
    fs::create_dir(folder.path().join("there")).unwrap();
    set_mode(&folder, "there", 0o711);
    status(&folder, "convert -f windows-1251 t -o there", 0);
    assert_eq!(mode(&folder, "there"), 0o711);
    assert_eq!(mode(&folder, "there/in"), 0o700);
}

#[cfg(feature = "warc")]
#[test]
fn outputs_of_private_archives_are_private() {
    let warc = crate::common::archives::page("text");
    let folder = folder(&[("w/in/a.warc", &warc), ("w/open.warc", &warc)]);
    for (name, bits) in [
        ("w/in/a.warc", 0o600),
        ("w/open.warc", 0o644),
        ("w/in", 0o700),
        ("w", 0o750),
    ] {
        set_mode(&folder, name, bits);
    }
    // The second run replaces the output of the first.
    for line in ["warc w -o out/ --resume=j", "warc w -o out/ --force"] {
        status(&folder, line, 0);
        for (name, bits) in [
            ("out/in/a.jsonl", 0o600),
            ("out/open.jsonl", 0o644),
            ("out/in", 0o700),
            ("out", 0o750),
        ] {
            assert_eq!(mode(&folder, name), bits, "{line}: {name}");
        }
    }
    // The input is a pipe, whose permissions are not copied to the output.
    make_fifo(folder.path().join("pipe"));
    fs::write(folder.path().join("plain"), "").unwrap();
    for line in ["warc pipe -o made/", "warc pipe -o made/ --force"] {
        let child = crate::common::tree::start(&folder, line);
        fs::write(folder.path().join("pipe"), &warc).unwrap();
        assert!(child.wait_with_output().unwrap().status.success());
        assert_eq!(mode(&folder, "made/pipe.jsonl"), mode(&folder, "plain"));
    }
}

#[test]
fn a_file_that_replaces_a_private_one_is_private_from_the_start() {
    let folder = folder(&[("out", b"old")]);
    set_mode(&folder, "out", 0o600);
    let mut child = mojika()
        .args(["convert", "-f", "sjis", "-o", "out"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take();
    let begin = Instant::now();
    while list(folder.path()).len() < 2 {
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing begins");
    }
    let names = list(folder.path());
    let temporary = names.iter().find(|name| *name != "out").unwrap();
    assert_eq!(mode(&folder, temporary), 0o600);
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert_eq!(mode(&folder, "out"), 0o600);
    // A new file gets the mode by the process' mask.
    status(&folder, "convert -f sjis out -o new", 0);
    fs::write(folder.path().join("plain"), "").unwrap();
    assert_eq!(mode(&folder, "new"), mode(&folder, "plain"));
}

#[test]
fn a_link_in_the_output_is_not_followed() {
    // The run copies a link from the first source. The second source has a folder at the path of that link.
    let folder = folder(&[("x/s/a", OLD), ("y/s/l/b", OLD), ("outside/keep", b"")]);
    symlink(folder.path().join("outside"), folder.path().join("x/s/l")).unwrap();
    let line = "convert -f windows-1251 x/s y/s -o o/ --links copy -j 1";
    let summary = status(&folder, line, 1);
    assert!(summary.contains("y/s/l"), "{summary}");
    assert_eq!(list(&folder.path().join("outside")), ["keep"]);
    assert_eq!(read(&folder, "o/s/a"), NEW);
    // The link is in the output folder before the run.
    for line in [
        "convert -f windows-1251 y/s -o there/ --force",
        "convert -f windows-1251 y/s -o there/ --copy-other --links copy",
    ] {
        fs::create_dir_all(folder.path().join("there")).unwrap();
        let _ = symlink("../outside", folder.path().join("there/l"));
        let summary = status(&folder, line, 1);
        assert!(summary.contains("symbolic link"), "{summary}");
        assert_eq!(list(&folder.path().join("outside")), ["keep"]);
    }
    // Output of archives does not follow the link either.
    let warc = crate::common::archives::page("text");
    fs::create_dir_all(folder.path().join("w/l")).unwrap();
    fs::write(folder.path().join("w/l/a.warc"), warc).unwrap();
    status(&folder, "warc w -o there/ --force", 1);
    assert_eq!(list(&folder.path().join("outside")), ["keep"]);
}

#[test]
fn archives_behind_links_in_a_folder_are_left_out() {
    let warc = crate::common::archives::page("text");
    let folder = folder(&[("w/a.warc", &warc), ("outside/b.warc", &warc)]);
    symlink("../outside/b.warc", folder.path().join("w/b.warc")).unwrap();
    symlink("../outside", folder.path().join("w/c")).unwrap();
    make_fifo(folder.path().join("w/d.warc"));
    status(&folder, "warc w -o out/", 0);
    assert_eq!(list(&folder.path().join("out")), ["a.jsonl"]);
    status(&folder, "warc w -o all/ --follow-links", 0);
    assert_eq!(
        list(&folder.path().join("all")),
        ["a.jsonl", "b.jsonl", "c"]
    );
}

#[test]
fn ignore_files_are_regular_and_bounded() {
    for name in [".gitignore", ".ignore"] {
        let folder = folder(&[("s/a", OLD), ("s/sub/b", OLD), ("big/a", OLD)]);
        make_fifo(folder.path().join("s").join(name));
        symlink("/dev/zero", folder.path().join("s/sub").join(name)).unwrap();
        status(&folder, "convert -f windows-1251 s -o out --gitignore", 0);
        assert_eq!(read(&folder, "out/sub/b"), NEW);
        let big = fs::File::create(folder.path().join("big").join(name)).unwrap();
        big.set_len(1 << 40).unwrap();
        let summary = status(
            &folder,
            "convert -f windows-1251 big -o big.out --gitignore",
            1,
        );
        assert!(summary.contains(name), "{summary}");
    }
}

#[test]
fn a_working_folder_that_is_gone_is_an_error() {
    let folder = folder(&[("s/in/a", OLD), ("gone/x", b"")]);
    let source = folder.path().join("s");
    for line in [
        "SRC -o .",
        "SRC -o out",
        "-i .",
        "SRC -o out/ --resume",
        "-i SRC/in/a",
    ] {
        let line = line.replace("SRC", source.to_str().unwrap());
        let _ = fs::create_dir(folder.path().join("gone"));
        let script =
            format!("rm -r ../gone; exec timeout 120 mojika convert -f windows-1251 {line}");
        let run = bash(&folder.path().join("gone"), &script);
        let message = run.stderr;
        assert!(matches!(run.status, 0..=2), "{line}: {message}");
        assert!(!message.contains("panicked"), "{line}: {message}");
    }
}

/// The output folder and its parents are removed while files are written to it.
#[test]
fn a_working_folder_that_goes_is_an_error_of_each_file() {
    let folder = crate::common::tree::fast_folder();
    for file in 0..3000 {
        let name = folder.path().join(format!("s/{file}"));
        fs::create_dir_all(&name).unwrap();
        fs::write(name.join("a"), OLD).unwrap();
    }
    let gone = folder.path().join("gone");
    fs::create_dir(&gone).unwrap();
    let mut child = mojika()
        .args(["convert", "-q", "-f", "windows-1251", "../s", "-o", "out"])
        .current_dir(&gone)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while !gone.join("out/1000").exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing begins");
    }
    while fs::remove_dir_all(&gone).is_err() {}
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    // The process must not end by a signal, as after a stack overflow.
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
