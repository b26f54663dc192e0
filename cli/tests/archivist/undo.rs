//! `mojika undo` of conversions in place: every file and all its names are restored.

use crate::common::holds;
use crate::common::tree::{Met, fast_folder, kill_runs, number};
use crate::names::{command, is_changed, paths, run, status};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Instant;
use tempfile::TempDir;

const LINE: &str = "convert --from koi8-r --in-place --backup .orig src -q";
/// [`LINE`] with one thread. The first of a file's names in sorted order then gets the backup.
const IN_ORDER: &str = "convert --from koi8-r --in-place --backup .orig src -q --jobs 1";

fn text(number: usize) -> Vec<u8> {
    let text = format!("Письмо под номером {number}\n").repeat(200);
    mojika::KOI8_R.encode(&text).unwrap().into_owned()
}

/// Creates a folder `src` with files. Every third file has two more hard links in another folder.
fn tree(files: usize) -> TempDir {
    let folder = fast_folder();
    let src = folder.path().join("src");
    fs::create_dir_all(src.join("links")).unwrap();
    for number in 0..files {
        let path = src.join(format!("{number}.txt"));
        fs::write(&path, text(number)).unwrap();
        if number % 3 == 0 {
            for name in ["a", "b"] {
                fs::hard_link(&path, src.join(format!("links/{number}{name}"))).unwrap();
            }
        }
    }
    folder
}

fn is_converted(path: &Path) -> bool {
    std::str::from_utf8(&fs::read(path).unwrap()).is_ok()
}

#[test]
fn files_and_all_their_names_are_what_they_were() {
    let folder = tree(9);
    let before = paths(folder.path());
    let said = status(&folder, LINE.trim_end_matches(" -q"), 0);
    assert!(
        said.stderr.ends_with("to revert it: mojika undo 1\n"),
        "{}",
        said.stderr
    );
    assert!(is_converted(&folder.path().join("src/links/3b")));
    let list = status(&folder, "undo --list", 0);
    assert!(list.stdout.contains("files, in "), "{}", list.stdout);
    let after = paths(folder.path());
    let dry = status(&folder, "undo --dry-run", 0);
    dry.says("15 files would be reverted");
    assert_eq!(paths(folder.path()), after, "a dry run");
    let said = status(&folder, "undo", 0);
    assert_eq!(said.stdout.lines().count(), 15, "{}", said.stdout);
    // Each path is the same file as before, not a copy, and no backup remains.
    assert_eq!(paths(folder.path()), before);
    holds(&folder, "src/links/3a", text(3));
    status(&folder, "undo", 2);
    // A run without replacements leaves no record.
    let utf_8 = fast_folder();
    fs::create_dir(utf_8.path().join("src")).unwrap();
    fs::write(utf_8.path().join("src/a"), "текст").unwrap();
    status(&utf_8, LINE, 0);
    status(&utf_8, "undo", 2);
}

#[test]
fn what_has_changed_since_is_refused_and_keeps_its_backup() {
    let folder = tree(6);
    status(&folder, IN_ORDER, 0);
    let at = |name: &str| folder.path().join("src").join(name);
    // Test an edited file, a replaced file, a removed file, a removed backup and a changed backup.
    fs::write(at("1.txt"), "edited").unwrap();
    fs::remove_file(at("links/3a")).unwrap();
    fs::write(at("links/3a"), "another").unwrap();
    fs::remove_file(at("2.txt")).unwrap();
    fs::remove_file(at("4.txt.orig")).unwrap();
    fs::write(at("5.txt.orig"), "edited").unwrap();
    // A dry run prints the same, and does nothing.
    let before = paths(folder.path());
    let dry = status(&folder, "undo --dry-run", 1);
    let refused = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.contains(": refused: "));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(paths(folder.path()), before);
    let said = status(&folder, "undo", 1);
    assert_eq!(refused(&dry.stderr), refused(&said.stderr));
    assert_eq!(refused(&dry.stderr).len(), 5, "{}", dry.stderr);
    for (name, reason) in [
        ("1.txt", "changed, renamed or removed"),
        ("links/3a", "changed, renamed or removed"),
        ("2.txt", "changed, renamed or removed"),
        ("4.txt", "its backup 4.txt.orig was changed or removed"),
        ("5.txt", "its backup 5.txt.orig was changed or removed"),
    ] {
        let line = said
            .stderr
            .lines()
            .find(|line| line.contains(&format!("src/{name}: refused: ")));
        assert!(
            line.is_some_and(|line| line.contains(reason)),
            "{name}: {}",
            said.stderr
        );
    }
    assert_eq!(fs::read(at("1.txt")).unwrap(), b"edited");
    assert_eq!(fs::read(at("1.txt.orig")).unwrap(), text(1));
    assert_eq!(fs::read(at("2.txt.orig")).unwrap(), text(2));
    assert_eq!(fs::read(at("links/3a")).unwrap(), b"another");
    assert_eq!(fs::read(at("links/3b")).unwrap(), text(3));
    assert_eq!(fs::read(at("3.txt")).unwrap(), text(3));
    assert!(!at("3.txt.orig").exists() && is_converted(&at("4.txt")) && is_converted(&at("5.txt")));
    assert_eq!(fs::read(at("0.txt")).unwrap(), text(0));
    // 2.txt exists again under its old name, and the next undo restores it, too.
    fs::rename(at("2.txt.orig"), at("2.txt")).unwrap();
    let said = status(&folder, "undo", 1);
    assert!(!said.stderr.contains("2.txt"), "{}", said.stderr);
}

/// A run is interrupted between creating a backup and replacing its file: both names refer to the old file.
#[test]
fn killed_between_backup_and_replacement_only_the_backup_goes() {
    let folder = tree(6);
    let before = paths(folder.path());
    status(&folder, LINE, 0);
    let at = |name: &str| folder.path().join("src").join(name);
    fs::rename(at("1.txt.orig"), at("1.txt")).unwrap();
    fs::hard_link(at("1.txt"), at("1.txt.orig")).unwrap();
    let said = status(&folder, "undo", 0);
    assert!(!said.stdout.contains("1.txt"), "{}", said.stdout);
    assert_eq!(paths(folder.path()), before);
    assert_eq!(fs::read(at("1.txt")).unwrap(), text(1));
}

/// An undo is interrupted between the system calls that restore another hard link. It leaves nothing, a temporary
/// file, or a new hard link of the old file that has not replaced the new file.
#[test]
fn killed_while_a_further_name_is_taken_back_an_undo_is_gone_on_with() {
    for state in ["draft", "nothing", "link"] {
        let folder = tree(6);
        let before = paths(folder.path());
        status(&folder, IN_ORDER, 0);
        let at = |name: &str| folder.path().join("src").join(name);
        let draft = at("links/.mojika-99999999-1f2e-0.tmp");
        match state {
            "draft" => fs::write(&draft, "").unwrap(),
            "link" => fs::hard_link(at("3.txt.orig"), &draft).unwrap(),
            _ => {}
        }
        // Of the two other hard links, only 3b is restored already.
        fs::remove_file(at("links/3b")).unwrap();
        fs::hard_link(at("3.txt.orig"), at("links/3b")).unwrap();
        let middle = paths(folder.path());
        status(&folder, "undo --dry-run", 0);
        assert_eq!(paths(folder.path()), middle, "{state}: a dry run");
        let said = status(&folder, "undo", 0);
        assert!(!said.stdout.contains("3b"), "{state}: {}", said.stdout);
        assert!(said.stdout.contains("3a"), "{state}: {}", said.stdout);
        assert_eq!(paths(folder.path()), before, "{state}");
    }
}

/// An undo is interrupted before it removes its record: all files are restored, and the record exists.
#[test]
fn killed_before_its_notes_go_an_undo_does_nothing_more() {
    let folder = tree(6);
    let before = paths(folder.path());
    status(&folder, LINE, 0);
    let (state, copy) = (folder.path().join("state"), folder.path().join("copy"));
    let copied = |from: &Path, to: &Path| {
        let mut cp = std::process::Command::new("cp");
        assert!(cp.arg("-a").args([from, to]).status().unwrap().success());
    };
    copied(&state, &copy);
    status(&folder, "undo -q", 0);
    fs::remove_dir_all(&state).unwrap();
    fs::rename(&copy, &state).unwrap();
    let said = status(&folder, "undo", 0);
    assert_eq!(said.stdout, "");
    assert_eq!(paths(folder.path()), before);
    status(&folder, "undo", 2);
}

/// An interrupted run has recorded a file that did not get its final name, and a truncated line. Neither affects the
/// records of the run that resumes it.
#[test]
fn a_run_that_was_killed_and_gone_on_with_is_taken_back_as_one() {
    let folder = tree(6);
    let at = |name: &str| folder.path().join("src").join(name);
    let line = "convert --from utf-8 --to koi8-r --in-place --backup .orig src -q";
    for number in 0..6 {
        let text = mojika::KOI8_R.decode(&text(number)).text.into_owned();
        fs::write(at(&format!("{number}.txt")), text).unwrap();
    }
    let good = fs::read(at("1.txt")).unwrap();
    fs::write(at("1.txt"), "\u{FFFF}").unwrap();
    status(&folder, line, 1);
    let notes = folder.path().join("state/mojika/runs/1.run");
    let noted = fs::read_to_string(&notes).unwrap();
    let of_4 = noted
        .lines()
        .find(|line| line.contains("src/4.txt\""))
        .unwrap();
    let mut before: serde_json::Value = serde_json::from_str(of_4).unwrap();
    before["new"][0] = 1.into();
    let (first, others) = noted.split_once('\n').unwrap();
    fs::write(&notes, format!("{first}\n{before}\n{others}{{\"file\":{{")).unwrap();
    fs::write(at("1.txt"), &good).unwrap();
    let before = paths(folder.path());
    status(&folder, &format!("{line} --resume"), 0);
    assert_ne!(fs::read(at("1.txt")).unwrap(), good);
    // Of several records of a file, the last one counts.
    let dry = status(&folder, "undo -n", 0);
    assert_eq!(dry.stdout.lines().count(), 10, "{}", dry.stdout);
    let said = status(&folder, "undo", 0);
    assert!(
        said.stderr.ends_with("10 files reverted\n"),
        "{}",
        said.stderr
    );
    assert_eq!(fs::read(at("1.txt")).unwrap(), good);
    assert_eq!(before.len(), paths(folder.path()).len() + 5);
}

#[test]
fn a_run_over_very_many_names_is_taken_back() {
    let folder = tree(2);
    let before = paths(folder.path());
    let long = "x".repeat(200);
    let mut names: String = (0..10_000)
        .map(|number| format!("none/{long}{number}\n"))
        .collect();
    names += "src/0.txt\n";
    let list = folder.path().join("list");
    fs::write(&list, names).unwrap();
    let line = "convert --from koi8-r --in-place --backup .orig --files-from list -q";
    status(&folder, line, 1);
    assert!(is_converted(&folder.path().join("src/0.txt")));
    status(&folder, "undo -q", 0);
    fs::remove_file(list).unwrap();
    assert_eq!(paths(folder.path()), before);
}

/// The oldest runs are removed first; runs are sorted by number.
#[test]
fn the_last_hundred_runs_are_kept() {
    let folder = tree(2);
    let state = folder.path().join("state/mojika");
    fs::create_dir_all(state.join("runs")).unwrap();
    for path in [&state, &state.join("runs")] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
    }
    for number in 1..=100 {
        let header = r#"{"mojika_run":1,"kind":"names","command":"c","cwd":{"path":"/"},"sources":[],"journal":null,"began":0}"#;
        let path = state.join(format!("runs/{number}.run"));
        fs::write(path, format!("{header}\n")).unwrap();
    }
    let numbers = || -> Vec<u64> {
        let list = status(&folder, "undo --list", 0).stdout;
        let words = list.lines().map(|line| line.split_whitespace().next());
        words.map(|word| word.unwrap().parse().unwrap()).collect()
    };
    assert_eq!(numbers(), Vec::from_iter(1..=100));
    status(&folder, LINE, 0);
    assert_eq!(numbers(), Vec::from_iter(2..=101));
    status(&folder, "undo -q", 0);
    assert_eq!(numbers(), Vec::from_iter(2..=100));
}

/// An interrupted conversion is reverted as far as it went, and an interrupted undo is resumed.
#[test]
fn killed_at_any_moment_a_conversion_is_taken_back() {
    let (rounds, files) = (number("MOJIKA_KILLS", 8), number("MOJIKA_KILL_FILES", 120));
    for is_undo in [false, true] {
        let folder = tree(files);
        let begin = Instant::now();
        status(&folder, LINE, 0);
        let mut whole = begin.elapsed();
        if is_undo {
            let begin = Instant::now();
            status(&folder, "undo -q", 0);
            whole = begin.elapsed();
        }
        kill_runs(rounds, 5, whole, |moment, what| {
            let folder = tree(files);
            let before = paths(folder.path());
            if is_undo {
                status(&folder, LINE, 0);
            }
            let after = paths(folder.path());
            let line = if is_undo { "undo -q" } else { LINE };
            let mut child = command(&folder, line).spawn().unwrap();
            moment.wait(|| is_changed(folder.path(), &after));
            child.kill().unwrap();
            child.wait().unwrap();
            let now = paths(folder.path());
            let texts = before.keys().filter(|path| path.extension().is_some());
            for path in texts {
                let bytes = fs::read(folder.path().join(path)).unwrap();
                assert!(bytes.len() > 4000, "{what}: {} is whole", path.display());
            }
            let done = now.len() - before.len();
            let met = match is_undo {
                true if now == after => Met::Nothing,
                true if now == before => Met::End,
                false if now == before => Met::Nothing,
                false if done == files => Met::End,
                _ => Met::Middle,
            };
            // Files that the interrupted run has not recorded cannot be reverted.
            let said = run(&folder, "undo -q");
            let is_none = said.status == 2 && !matches!(met, Met::Middle);
            assert!(said.status == 0 || is_none, "{what}: {}", said.stderr);
            let mut now = paths(folder.path());
            // The next run removes drafts of the interrupted run.
            now.retain(|path, _| !path.to_string_lossy().contains(".mojika-"));
            assert_eq!(now, before, "{what}");
            // No incomplete run is left, so a new run may start.
            if !is_undo {
                status(&folder, LINE, 0);
                assert!(is_converted(&folder.path().join("src/0.txt")), "{what}");
            }
            met
        });
    }
}
