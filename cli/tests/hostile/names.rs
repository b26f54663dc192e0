//! `mojika names` and `mojika undo` in folders that others have prepared or change during the run.

use crate::common::tree::folder;
use crate::common::{Run, holds};
use crate::help::{run_as_other, set_mode};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use tempfile::TempDir;

/// "папка" in KOI8-R.
fn old() -> &'static OsStr {
    OsStr::from_bytes(b"\xD0\xC1\xD0\xCB\xC1")
}

const NEW: &str = "папка";

fn run(folder: &TempDir, line: &str) -> Run {
    let args: Vec<_> = line.split(' ').collect();
    let mut command = crate::common::mojika();
    command
        .args(args)
        .env("XDG_STATE_HOME", folder.path().join("state"))
        .current_dir(folder.path());
    command.output().unwrap().into()
}

#[test]
fn folders_that_cannot_be_read_are_said_and_renamed_all_the_same() {
    let folder = folder(&[]);
    let closed = folder.path().join("a").join(old());
    fs::create_dir_all(closed.join(old())).unwrap();
    set_mode(&folder, "a", 0o777);
    fs::set_permissions(&closed, std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
    let said = run_as_other(&folder, "mojika names -f koi8-r a --rename").ends(1);
    said.says("cannot read");
    said.says("1 renamed");
    let open = folder.path().join("a").join(NEW);
    fs::set_permissions(&open, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    assert!(open.join(old()).is_dir());
}

/// In a folder without write permission, each name is refused, and there is nothing to revert.
#[test]
fn folders_that_may_not_be_written_to_keep_their_names() {
    let folder = folder(&[]);
    fs::create_dir_all(folder.path().join("a").join(old())).unwrap();
    set_mode(&folder, "a", 0o555);
    let said = run_as_other(&folder, "mojika names -f koi8-r a --rename; mojika undo");
    said.says("refused: cannot rename: Permission denied");
    said.says("nothing to revert");
    assert!(folder.path().join("a").join(old()).is_dir());
    set_mode(&folder, "a", 0o755);
}

/// A folder that was replaced by a link is not entered, neither to rename nor to revert.
#[test]
fn a_folder_that_became_a_link_is_not_entered() {
    let folder = folder(&[]);
    let at = folder.path().join("a/b");
    fs::create_dir_all(at.join(old())).unwrap();
    assert_eq!(run(&folder, "names -f koi8-r a --rename").status, 0);
    let elsewhere = folder.path().join("elsewhere");
    fs::rename(&at, &elsewhere).unwrap();
    symlink("../elsewhere", &at).unwrap();
    let said = run(&folder, "undo");
    assert_eq!(said.status, 1);
    said.says("a symbolic link is in the way");
    assert!(elsewhere.join(NEW).is_dir());
    // When the folder is there again, its name is reverted.
    fs::remove_file(&at).unwrap();
    fs::rename(&elsewhere, &at).unwrap();
    assert_eq!(run(&folder, "undo").status, 0);
    assert!(at.join(old()).is_dir());
}

/// Characters that control a terminal are escaped in every line. JSON has the original bytes.
#[test]
fn names_that_steer_a_terminal_are_escaped() {
    let folder = folder(&[]);
    let name = [b"\x1B[2J\n", old().as_bytes()].concat();
    fs::write(folder.path().join(OsStr::from_bytes(&name)), "").unwrap();
    for line in [
        "names -f koi8-r .",
        "names -f koi8-r . --json",
        "names -f koi8-r . --rename",
        "undo",
    ] {
        let said = run(&folder, line);
        assert_eq!(said.status, 0, "{line}: {}", said.stderr);
        let text = String::from_utf8(said.stdout).unwrap() + &said.stderr;
        assert!(!text.contains('\x1B') && !text.is_empty(), "{line}: {text}");
        assert_eq!(text.matches(NEW).count(), 1, "{line}: {text}");
    }
}

/// A run record is ignored if other users could have written it.
#[test]
fn planted_notes_are_not_followed() {
    let folder = folder(&[("a/b", b"text"), ("precious", b"text")]);
    assert_eq!(run(&folder, "undo").status, 2);
    let runs = folder.path().join("state/mojika/runs");
    symlink(folder.path().join("precious"), runs.join("1.run")).unwrap();
    fs::write(runs.join("2.run"), "no notes\n").unwrap();
    fs::write(folder.path().join("a").join(old()), "").unwrap();
    run(&folder, "undo").ends(2);
    let said = run(&folder, "undo 1").ends(1);
    said.says("a symbolic link");
    assert_eq!(run(&folder, "names -f koi8-r a --rename").status, 0);
    assert!(run(&folder, "undo --list").stdout.starts_with(b"   3  "));
    holds(&folder, "precious", b"text");
    assert_eq!(fs::read(runs.join("2.run")).unwrap(), b"no notes\n");
}
