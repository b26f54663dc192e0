//! Journals: an incomplete run is continued, and does not block other runs.

#![cfg(unix)]

use crate::common::tree::{folder, read, status};
use crate::common::{has, journals, list};
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const OLD: &[u8] = b"\xE4\xE0";
const NEW: &[u8] = b"\xC4\xC1";
const LINE: &str = "convert -f windows-1251 -t koi8-r -i";

/// `xargs -n2` calls the command like this.
#[test]
fn a_batch_that_fails_does_not_block_the_next_one() {
    let folder = folder(&[("s/a", OLD), ("s/bad", b"\x98"), ("s/c", OLD), ("s/d", OLD)]);
    status(&folder, &format!("{LINE} s/a s/bad"), 1);
    status(&folder, &format!("{LINE} s/c s/d"), 0);
    for name in ["s/a", "s/c", "s/d"] {
        assert_eq!(read(&folder, name), NEW, "{name}");
    }
    assert_eq!(list(&folder.path().join("s")), ["a", "bad", "c", "d"]);
    // Only the incomplete run of the two has a journal. `--resume` works for both runs.
    assert_eq!(journals(folder.path()).len(), 1);
    fs::write(folder.path().join("s/bad"), OLD).unwrap();
    status(&folder, &format!("{LINE} s/a s/bad --resume"), 0);
    assert_eq!(
        (read(&folder, "s/a"), read(&folder, "s/bad")),
        (NEW.to_vec(), NEW.to_vec())
    );
    assert!(journals(folder.path()).is_empty());
    // A batch without converted files leaves nothing to resume.
    fs::write(folder.path().join("s/bad"), b"\x98").unwrap();
    status(&folder, &format!("{LINE} s/bad"), 1);
    assert!(journals(folder.path()).is_empty());
}

/// A run is not resumed with other options, because the finished files would keep their old form.
#[test]
fn a_run_goes_on_with_its_own_options_only() {
    let folder = folder(&[("s/a", b"\xE4\xE0"), ("s/bad", b"\xFF")]);
    let line = "convert -f windows-1253 s -o out --resume=j";
    status(&folder, line, 1);
    for option in [
        "--mixed",
        "--repair",
        "--update-declared",
        "--newline lf",
        "--errors skip",
    ] {
        let message = status(&folder, &format!("{line} {option}"), 2);
        assert!(message.contains("another command"), "{option}: {message}");
    }
    fs::write(folder.path().join("s/bad"), b"\xE4\xE0").unwrap();
    let summary = status(&folder, &format!("{line} -j 2"), 0);
    assert!(summary.contains("1 finished before"), "{summary}");
}

#[test]
fn a_run_that_is_resumed_keeps_the_report() {
    let folder = folder(&[("s/a", OLD), ("s/bad", b"ok\n\x98"), ("s/worse", b"\x98")]);
    let line = "convert -f windows-1251 -t koi8-r s -o out --report r";
    let lines = || {
        let report = String::from_utf8(read(&folder, "r")).unwrap();
        let values = report
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        values.collect::<Vec<serde_json::Value>>()
    };
    let found = |path: &str| {
        let lines = lines();
        let last = lines.iter().rfind(|line| line["path"] == path).unwrap();
        last["status"].as_str().unwrap().to_owned()
    };
    status(&folder, line, 1);
    assert_eq!(lines().len(), 3);
    let converted = lines()
        .into_iter()
        .find(|line| line["path"] == "s/a")
        .unwrap();
    // As if a line had been interrupted in its middle.
    let mut cut = read(&folder, "r");
    cut.extend_from_slice(b"{\"path\":\"s/b");
    fs::write(folder.path().join("r"), cut).unwrap();
    fs::write(folder.path().join("s/bad"), OLD).unwrap();
    status(&folder, &format!("{line} --resume"), 1);
    assert_eq!(lines().len(), 5);
    fs::write(folder.path().join("s/worse"), OLD).unwrap();
    status(&folder, &format!("{line} --resume"), 0);
    assert!(lines().contains(&converted), "{:?}", lines());
    for path in ["s/a", "s/bad", "s/worse"] {
        assert_eq!(found(path), "converted", "{path}");
    }
    // A new run has a new report.
    status(
        &folder,
        "convert -f windows-1251 s -o out2 --report r --resume",
        0,
    );
    assert_eq!(lines().len(), 3);
}

#[test]
fn a_journal_that_is_locked_is_not_taken_for_missing() {
    let folder = folder(&[("s/a", OLD), ("s/bad", b"\x98")]);
    for (line, journal) in [
        (format!("{LINE} s --resume=j"), Some("j")),
        (format!("{LINE} s"), None),
    ] {
        status(&folder, &line, 1);
        let path = match journal {
            Some(name) => folder.path().join(name),
            None => journals(folder.path()).remove(0),
        };
        let running = fs::File::open(&path).unwrap();
        running.lock().unwrap();
        for option in ["", " --resume", " --force"] {
            let option = match journal {
                Some(_) => option.replace(" --resume", ""),
                None => option.to_owned(),
            };
            let message = status(&folder, &format!("{line}{option}"), 2);
            has(&message, "another run is converting these files");
        }
        drop(running);
        fs::remove_file(&path).unwrap();
        fs::write(folder.path().join("s/a"), OLD).unwrap();
    }
}

#[test]
fn backups_of_an_earlier_run_are_not_converted() {
    let folder = folder(&[
        ("s/a", OLD),
        ("s/sub/b", OLD),
        ("s/own.orig", OLD),
        ("other/x.orig", OLD),
        ("other/x", OLD),
    ]);
    status(&folder, &format!("{LINE} s --backup .orig"), 0);
    // This file has the extension, but is not a backup of another file.
    assert_eq!(read(&folder, "s/own.orig"), OLD);
    for line in [
        "convert -f koi8-r -t windows-1251 -i s".to_owned(),
        format!("{LINE} s"),
        "convert -f koi8-r s -o out".to_owned(),
    ] {
        let summary = status(&folder, &line, 0);
        has(&summary, "a backup that an earlier run has made");
        for name in ["s/a.orig", "s/sub/b.orig"] {
            assert_eq!(read(&folder, name), OLD, "{line}: {name}");
        }
    }
    assert_eq!(list(&folder.path().join("out")), ["a", "own.orig", "sub"]);
    // No run has created backups in that folder. `s/a.orig` stands for the match of a shell pattern.
    status(&folder, &format!("{LINE} other s/a.orig"), 0);
    assert_eq!(read(&folder, "other/x.orig"), NEW);
    assert_eq!(read(&folder, "s/a.orig"), OLD);
}

/// As with `sed -i`, the mode of the folder decides if its files may be replaced.
#[test]
fn a_read_only_file_in_a_writable_folder_is_replaced_in_place() {
    let folder = folder(&[("s/a", OLD)]);
    let path = folder.path().join("s/a");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    status(&folder, &format!("{LINE} s"), 0);
    assert_eq!(read(&folder, "s/a"), NEW);
    let mode = fs::metadata(Path::new(&path)).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o444);
}

/// Other programs may lock a file, and a report may be a pipe. Both work, even in a resumed run.
#[test]
fn locked_files_are_converted_and_reports_go_to_pipes() {
    let folder = folder(&[("s/a", OLD), ("s/b", OLD), ("s/bad", b"\x98")]);
    let locked = fs::File::open(folder.path().join("s/a")).unwrap();
    locked.lock().unwrap();
    status(&folder, &format!("{LINE} s/a"), 0);
    assert_eq!(read(&folder, "s/a"), NEW);
    let line = "convert -f windows-1251 -t koi8-r s/b s/bad -o out/ --report pipe";
    crate::common::make_fifo(folder.path().join("pipe"));
    // The pipe is also opened for reading, so that it keeps the written bytes.
    let path = folder.path().join("pipe");
    let mut pipe = fs::File::options()
        .read(true)
        .write(true)
        .open(path)
        .unwrap();
    for resume in ["", " --resume"] {
        status(&folder, &format!("{line}{resume}"), 1);
        let mut report = vec![0; 64 << 10];
        let length = pipe.read(&mut report).unwrap();
        let report = String::from_utf8_lossy(&report[..length]).into_owned();
        assert!(report.contains("\"path\":\"s/bad\""), "{resume}: {report}");
    }
}
