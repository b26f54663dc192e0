//! Messages about incomplete runs: about new runs that conflict with them, about resuming, and about undo.

use crate::common::tree::{folder, read};
use crate::common::{has, mojika};
use crate::refusals::told;
use crate::snapshot;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

const OLD: &[u8] = b"\xD4\xC5\xCB\xD3\xD4\n";
const LINE: &str = "convert -f koi8-r -j 1 -i";

/// Returns the messages of a command that uses another state folder.
fn told_with_state(path: &Path, state: &Path, line: &str) -> String {
    let output = mojika()
        .args(line.split(' '))
        .current_dir(path)
        .env("XDG_STATE_HOME", state)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let said = said.replace(&format!("{}/", path.display()), "");
    let status = output.status.code().unwrap();
    crate::stable(&format!("$ mojika {line}\n{said}status {status}\n"))
}

/// Removes the names of journals, which depend on the machine.
fn without_journals(text: &str) -> String {
    let words =
        text.split_inclusive([' ', '\n'])
            .map(|word| match word.find("state/mojika/journals/") {
                Some(start) => format!("{}JOURNAL); ", &word[..start]),
                None => word.to_owned(),
            });
    words.collect()
}

#[test]
fn what_is_not_there_to_resume_and_where_no_journal_can_be_is_said() {
    let tree = folder(&[("a.txt", OLD), ("b.txt", OLD), ("file", b""), ("c/d", OLD)]);
    let path = tree.path();
    let mut said = vec![
        told(path, "convert -f koi8-r -j 1 a.txt -o out/ --resume"),
        told(path, &format!("{LINE} a.txt --resume")),
        // A completed run cannot be resumed.
        told(path, "convert -f koi8-r -j 1 a.txt -o other/ -q"),
        told(path, "convert -f koi8-r -j 1 a.txt -o other/ --resume"),
    ];
    let output = "convert -f koi8-r -j 1 b.txt -o";
    said.push(told_with_state(
        path,
        &path.join("file"),
        &format!("{output} one/"),
    ));
    said.push(told_with_state(
        path,
        &path.join("file"),
        &format!("{output} one/ --resume"),
    ));
    said.push(told_with_state(
        path,
        &path.join("file"),
        &format!("{LINE} b.txt"),
    ));
    said.push(told_with_state(path, &path.join("file"), "undo"));
    // State folders that other users may write to, and journals that are not files.
    let state = path.join("open");
    fs::create_dir_all(state.join("mojika/journals")).unwrap();
    for mode in [0o770, 0o707] {
        fs::set_permissions(state.join("mojika"), fs::Permissions::from_mode(mode)).unwrap();
        said.push(told_with_state(path, &state, &format!("{LINE} b.txt")));
    }
    fs::set_permissions(state.join("mojika"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(
        state.join("mojika/journals"),
        fs::Permissions::from_mode(0o775),
    )
    .unwrap();
    said.push(told_with_state(path, &state, &format!("{LINE} b.txt")));
    fs::write(path.join("one name"), "").unwrap();
    fs::hard_link(path.join("one name"), path.join("two names")).unwrap();
    symlink("one name", path.join("link")).unwrap();
    for journal in ["c", "link", "none/j"] {
        said.push(told(path, &format!("{LINE} b.txt --resume={journal}")));
    }
    let output = mojika()
        .args(LINE.split(' '))
        .args(["b.txt", "--resume=two names"])
        .current_dir(path)
        .output()
        .unwrap();
    said.push(String::from_utf8(output.stderr).unwrap());
    crate::common::make_fifo(path.join("fifo"));
    said.push(told(path, &format!("{LINE} b.txt --resume=fifo")));
    assert_eq!(read(&tree, "b.txt"), OLD);
    snapshot(
        "unfinished.journals.txt",
        &without_journals(&said.join("\n")),
    );
}

/// An incomplete run over a folder blocks only runs over the files that it has converted.
#[test]
fn a_run_is_refused_where_an_earlier_one_has_converted_files() {
    let tree = folder(&[
        ("src/done/a", OLD),
        ("src/failed/b", b"\xFF\xFF"),
        ("src/failed/sub/c", b"\xFF\xFF"),
        ("other/d", OLD),
        ("src2/e", OLD),
    ]);
    let path = tree.path();
    let line = "convert -f utf-8 -t koi8-r -j 1 -i";
    fs::write(path.join("src/done/a"), "текст").unwrap();
    let mut said = vec![told(path, &format!("{line} src"))];
    // A second run of the same command is refused as well.
    said.push(told(path, &format!("{line} src")));
    for sources in [
        "src",
        "src/done",
        "src/done/a",
        "other src/done",
        ".",
        "src/failed",
        "src/failed/b",
        "src2",
    ] {
        said.push(told(path, &format!("{line} -q --errors skip {sources}")));
    }
    said.push(told(path, &format!("{line} -q --errors skip src --force")));
    snapshot(
        "unfinished.folders.txt",
        &without_journals(&said.join("\n")),
    );
}

/// A killed run has renamed only some of the files. The run can be resumed or reverted.
#[test]
fn names_that_were_not_all_renamed_are_gone_on_with_or_taken_back() {
    let tree = folder(&[("a/1", b""), ("a/2", b""), ("a/3", b"")]);
    let path = tree.path();
    let name = |number: usize, is_old: bool| {
        use std::os::unix::ffi::OsStrExt;
        let name = format!("имя {number}");
        let bytes = match is_old {
            true => mojika::KOI8_R.encode(&name).unwrap().into_owned(),
            false => name.into_bytes(),
        };
        path.join("a").join(std::ffi::OsStr::from_bytes(&bytes))
    };
    for number in 1..=3 {
        fs::rename(path.join(format!("a/{number}")), name(number, true)).unwrap();
    }
    let line = "names --from koi8-r --rename a";
    let mut said = vec![told(path, line)];
    let notes = path.join("state/mojika/runs/1.run");
    let noted = fs::read_to_string(&notes).unwrap();
    let killed: String = noted
        .lines()
        .filter(|line| !line.contains("complete") && !line.contains("{\"done\":2}"))
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(&notes, &killed).unwrap();
    fs::rename(name(3, false), name(3, true)).unwrap();
    said.push(told(path, line));
    said.push(told(path, &format!("{line} --resume")));
    said.push(told(path, &format!("{line} --resume")));
    // Another file has the old name of a renamed file.
    fs::write(&notes, &killed).unwrap();
    fs::rename(name(3, false), name(3, true)).unwrap();
    fs::write(name(3, false), "another").unwrap();
    said.push(told(path, &format!("{line} --resume")));
    fs::remove_file(name(3, false)).unwrap();
    // The record of an interrupted undo, then a record that a running command has locked.
    fs::write(&notes, format!("{killed}{{\"undo\":true}}\n")).unwrap();
    said.push(told(path, line));
    let running = fs::File::open(&notes).unwrap();
    running.lock().unwrap();
    said.push(told(path, line));
    drop(running);
    said.push(told(path, "undo"));
    assert!((1..=3).all(|number| name(number, true).exists()));
    // A file was renamed by hand after the run was killed. Undo reverts all other files, and a new run can start.
    fs::write(&notes, &killed).unwrap();
    fs::rename(name(1, true), name(1, false)).unwrap();
    fs::rename(name(2, true), path.join("other")).unwrap();
    said.push(told(path, "undo 1"));
    fs::rename(path.join("other"), name(2, true)).unwrap();
    said.push(told(path, line));
    said.push(told(path, "undo"));
    fs::remove_file(&notes).unwrap();
    // The record of a run that was interrupted before its first rename.
    let planned: String = noted
        .lines()
        .take(3)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(&notes, planned).unwrap();
    said.push(told(path, line));
    snapshot("unfinished.names.txt", &said.join("\n"));
}

/// An incomplete run over a folder blocks runs over folders below or above, but no others. Runs over files never block.
#[test]
fn names_are_refused_where_an_earlier_run_was_over_a_folder_below_or_above() {
    let tree = folder(&[
        ("a/in/1", b""),
        ("a/in/2", b""),
        ("b/in/3", b""),
        ("b/4", OLD),
    ]);
    let path = tree.path();
    use std::os::unix::ffi::OsStrExt;
    let old = std::ffi::OsStr::from_bytes(b"\xC9\xCD\xD1");
    fs::rename(path.join("a/in/1"), path.join("a/in").join(old)).unwrap();
    fs::rename(path.join("b/in/3"), path.join("b/in").join(old)).unwrap();
    let line = "names --from koi8-r --rename";
    // A complete run over a file.
    let mut said = vec![told(path, &format!("{LINE} b/4 --backup .orig"))];
    said.push(told(path, &format!("{line} a/in")));
    let notes = path.join("state/mojika/runs/2.run");
    let noted = fs::read_to_string(&notes).unwrap();
    let killed: Vec<_> = noted
        .lines()
        .filter(|line| !line.contains("complete"))
        .collect();
    fs::write(&notes, killed.join("\n") + "\n").unwrap();
    for sources in ["a", "a/in/2", "b", "."] {
        said.push(told(path, &format!("{line} {sources}")));
    }
    said.push(told(path, "undo --list"));
    let list = said.pop().unwrap();
    let kinds: Vec<_> = list
        .lines()
        .skip(1)
        .filter_map(|line| line.split_whitespace().nth(3))
        .collect();
    assert_eq!(kinds, ["files,", "names,", "names,"], "{list}");
    said.push(told(path, "undo 1"));
    assert_eq!(read(&tree, "b/4"), OLD);
    // Test a run in progress: its record is locked.
    let running = fs::File::open(path.join("state/mojika/runs/3.run")).unwrap();
    running.lock().unwrap();
    let list = told(path, "undo --list");
    let states: Vec<_> = list
        .lines()
        .map(|line| line.contains("names, under way, in "))
        .collect();
    assert_eq!(states[1..], [false, true, false], "{list}");
    said.push(told(path, "undo 3"));
    snapshot("unfinished.above.txt", &said.join("\n"));
}

/// If the folder of replaced files is now another folder with the same path, undo does not change its files.
#[test]
fn an_undo_refuses_folders_and_files_that_are_others_now() {
    let tree = folder(&[
        ("src/1", OLD),
        ("src/sub/2", OLD),
        ("src/sub/3", OLD),
        ("src/sub/4", OLD),
    ]);
    let path = tree.path();
    told(path, &format!("{LINE} src --backup .orig"));
    let converted = read(&tree, "src/sub/2");
    fs::rename(path.join("src"), path.join("moved")).unwrap();
    let mut said = vec![told(path, "undo -n")];
    fs::create_dir_all(path.join("src/sub")).unwrap();
    fs::rename(path.join("moved/1"), path.join("src/1")).unwrap();
    fs::rename(path.join("moved/1.orig"), path.join("src/1.orig")).unwrap();
    said.extend(["undo -n", "undo"].map(|line| told(path, line)));
    assert_eq!(read(&tree, "src/1"), converted);
    fs::rename(path.join("src"), path.join("other")).unwrap();
    fs::rename(path.join("moved"), path.join("src")).unwrap();
    for name in ["1", "1.orig"] {
        fs::rename(path.join("other").join(name), path.join("src").join(name)).unwrap();
    }
    // The backup's folder does not exist, the backup does not exist, or the file was edited.
    fs::remove_file(path.join("src/sub/3.orig")).unwrap();
    fs::write(path.join("src/sub/4"), "edited").unwrap();
    said.push(told(path, "undo"));
    assert_eq!(
        (read(&tree, "src/1"), read(&tree, "src/sub/2")),
        (OLD.to_vec(), OLD.to_vec())
    );
    assert!(!path.join("src/sub/2.orig").exists() && path.join("src/sub/4.orig").exists());
    snapshot("unfinished.undo.txt", &said.join("\n"));
}

/// Undo removes the journal of the reverted run, so that the run cannot be resumed. Journals of other runs stay.
#[test]
fn an_undo_removes_the_journal_of_its_own_run_alone() {
    let tree = folder(&[
        ("a", "текст".as_bytes()),
        ("b", "текст".as_bytes()),
        ("bad", b"\xFF"),
        ("foreign", b""),
    ]);
    let path = tree.path();
    let line = "convert -f utf-8 -t koi8-r -j 1 -q --backup .orig --resume=j -i";
    told(path, &format!("{line} a"));
    assert!(!path.join("j").exists(), "the run is complete");
    told(path, &format!("{line} b bad"));
    let journal = read(&tree, "j");
    told(path, "undo 1");
    assert_eq!(read(&tree, "a"), "текст".as_bytes());
    assert_eq!(read(&tree, "j"), journal, "it is of run 2");
    let running = fs::File::open(path.join("j")).unwrap();
    running.lock().unwrap();
    let said = told(path, "undo 2");
    assert!(
        said.ends_with("cannot remove the journal of the run: the run is under way\nstatus 1\n"),
        "{said}"
    );
    drop(running);
    // A dry run removes nothing.
    told(path, "undo 2 -n");
    assert_eq!(read(&tree, "j"), journal);
    told(path, "undo 2");
    assert!(!path.join("j").exists());
    assert_eq!(read(&tree, "b"), "текст".as_bytes());
    // A file of the user with the journal's path stays.
    told(path, &format!("{line} b bad"));
    fs::rename(path.join("foreign"), path.join("j")).unwrap();
    fs::write(path.join("j"), "mine").unwrap();
    told(path, "undo");
    assert_eq!(read(&tree, "j"), b"mine");
}

/// The last line of a journal states whether its run was complete. A complete run blocks no other run.
#[test]
fn a_run_that_was_completed_stands_in_no_other_ones_way() {
    let line = "convert -f utf-8 -t koi8-r -j 1 -q";
    let complete = "{\"complete\":true}\n";
    for (state, more, other, same) in [
        ("failed", String::new(), 2, 2),
        ("complete", complete.to_owned(), 0, 1),
        (
            "complete, and gone on with",
            format!("{complete}{{\"path\":\"src/a\"}}\n"),
            2,
            2,
        ),
    ] {
        let tree = folder(&[("src/a", "текст".as_bytes()), ("src/bad", b"\xFF")]);
        let path = tree.path();
        told(path, &format!("{line} -i src"));
        let journals = path.join("state/mojika/journals");
        let journal = journals.read_dir().unwrap().next().unwrap().unwrap().path();
        let noted = fs::read_to_string(&journal).unwrap();
        fs::write(&journal, noted + &more).unwrap();
        fs::write(path.join("src/a"), "текст").unwrap();
        let said = told(path, &format!("{line} -i src/a"));
        assert!(
            said.ends_with(&format!("status {other}\n")),
            "{state}: {said}"
        );
        fs::write(path.join("src/a"), "текст").unwrap();
        let said = told(path, &format!("{line} -i src"));
        assert!(
            said.ends_with(&format!("status {same}\n")),
            "{state}: {said}"
        );
    }
}

/// A journal lists the paths of up to a thousand sources. With more, it only blocks the same command.
#[test]
fn runs_over_very_many_sources_do_not_know_each_other() {
    let line = "convert -f utf-8 -t koi8-r -j 1 -q --errors skip -i";
    for (count, expected) in [(1000, 2), (1001, 0)] {
        let tree = folder(&[("f/0", "текст".as_bytes())]);
        let path = tree.path();
        let names: Vec<_> = (0..count).map(|number| format!("f/{number}\n")).collect();
        // Only the first file exists.
        fs::write(path.join("list"), names.concat()).unwrap();
        let said = told(path, &format!("{line} --files-from list"));
        assert!(said.ends_with("status 1\n"), "{said}");
        let said = told(path, &format!("{line} f/0"));
        assert!(said.ends_with(&format!("status {expected}\n")), "{said}");
        let said = told(path, &format!("{line} --files-from list"));
        assert!(said.ends_with("status 2\n"), "{said}");
    }
}

/// Only the user can read the record of a run. The name of a run's journal must stay the same in later versions.
#[test]
fn notes_of_runs_are_private_and_have_the_same_names_in_all_versions() {
    let tree = folder(&[("src/a", "текст".as_bytes()), ("src/bad", b"\xFF")]);
    let path = tree.path();
    let line = "convert -f utf-8 -t koi8-r -j 1 -i src --backup .orig -q";
    told(path, line);
    let state = path.join("state/mojika");
    let journals = state.join("journals");
    let names = crate::common::list(&journals);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    for name in ["journals", "runs"] {
        assert_eq!(mode(&state.join(name)), 0o700, "{name}");
    }
    let journal = journals.join(&names[0]);
    for file in [&journal, &state.join("runs/1.run"), &state.join("backups")] {
        assert_eq!(mode(file), 0o600, "{}", file.display());
    }
    // 64-bit FNV-1a.
    let text = fs::read_to_string(&journal).unwrap();
    let header: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for byte in header["options"].as_str().unwrap().bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
    }
    assert_eq!(names, [format!("{hash:016x}.journal")]);
}

/// With a new output folder, a second run gets its own journal. In place, or with --resume, it is refused.
#[test]
fn the_same_command_twice_at_once_is_refused_where_both_would_do_the_same() {
    let tree = folder(&[("src/a", "текст".as_bytes()), ("src/bad", b"\xFF")]);
    let path = tree.path();
    let journals = path.join("state/mojika/journals");
    let line = "convert -f utf-8 -t koi8-r -j 1 -q src --force -o out/";
    for (line, options) in [
        (line, &[("", 1), (" --resume", 2)][..]),
        (
            "convert -f utf-8 -t koi8-r -j 1 -q -i src",
            &[("", 2), (" --resume", 2), (" --force", 2)],
        ),
    ] {
        told(path, line);
        let first = journals.join(&crate::common::list(&journals)[0]);
        let running = fs::File::open(&first).unwrap();
        running.lock().unwrap();
        for (option, expected) in options {
            let said = told(path, &format!("{line}{option}"));
            assert!(said.ends_with(&format!("status {expected}\n")), "{said}");
            let is_said = said.contains("another run is converting these files");
            assert_eq!(is_said, *expected == 2, "{said}");
        }
        drop(running);
        fs::remove_dir_all(&journals).unwrap();
    }
}

/// A resumed run keeps the number of the incomplete run, even if other runs have followed. Undo reverts it as a whole.
#[test]
fn a_run_that_is_gone_on_with_keeps_its_number() {
    let tree = folder(&[
        ("a", "текст".as_bytes()),
        ("b", "текст".as_bytes()),
        ("bad", b"\xFF"),
    ]);
    let path = tree.path();
    let line = "convert -f utf-8 -t koi8-r -j 1 --backup .orig -i";
    for (sources, status) in [("a", 0), ("b bad", 1)] {
        let said = told(path, &format!("{line} {sources}"));
        assert!(said.ends_with(&format!("status {status}\n")), "{said}");
    }
    fs::write(path.join("bad"), "текст").unwrap();
    let said = told(path, &format!("{line} b bad --resume"));
    assert!(said.contains("1 converted, 1 finished before"), "{said}");
    assert!(said.contains("to revert it: mojika undo 2\n"), "{said}");
    let runs = crate::common::list(&path.join("state/mojika/runs"));
    assert_eq!(runs, ["1.run", "2.run"]);
    let said = told(path, "undo 2");
    assert!(said.contains("2 files reverted"), "{said}");
    assert_eq!(read(&tree, "b"), "текст".as_bytes());
    assert_ne!(read(&tree, "a"), "текст".as_bytes());
}

#[test]
fn backups_of_all_endings_and_all_folders_are_known() {
    let tree = folder(&[("s/a", OLD), ("t/b", OLD), ("t/c", OLD)]);
    let path = tree.path();
    let back = "convert -f utf-8 -t koi8-r -j 1 -i";
    for line in [
        format!("{LINE} s --backup .old"),
        format!("{LINE} t/b --backup .old"),
        // A further run over the same folder, with another extension.
        format!("{back} s --backup .older"),
        format!("{LINE} t/c --backup .oldest"),
    ] {
        let said = told(path, &line);
        assert!(said.contains("1 converted"), "{said}");
    }
    let said = told(path, &format!("{LINE} s t"));
    has(&said, "4  a backup that an earlier run has made");
    for (name, is_old) in [
        ("s/a.old", true),
        ("s/a.older", false),
        ("t/b.old", true),
        ("t/c.oldest", true),
    ] {
        assert_eq!(read(&tree, name) == OLD, is_old, "{name}");
    }
    // If the files are recorded already, a run does not record them again.
    let notes = path.join("state/mojika/backups");
    let noted = fs::read_to_string(&notes).unwrap();
    assert_eq!(noted.lines().count(), 4, "{noted}");
    let said = told(path, &format!("{back} s/a --backup .older --force"));
    assert!(said.contains("1 failed"), "{said}");
    assert_eq!(fs::read_to_string(&notes).unwrap(), noted);
}

/// If the record of backups becomes too long, it is replaced by a new one, which keeps only the last entries.
#[test]
fn notes_of_backups_are_bounded() {
    const MOST: usize = 1 << 20;
    // The length of a line in the record, which depends on the length of the folder's path.
    let mut line = 0;
    for case in 0..4 {
        let (length, kept) = match case {
            0 => (1000, 1000),
            1 => (MOST, 0),
            // The maximum length of the record, and one byte more.
            2 => (MOST - line, MOST - line),
            _ => (MOST - line + 1, 0),
        };
        let tree = folder(&[("a", OLD), ("src/b", OLD)]);
        let path = tree.path();
        told(path, "undo --list");
        let notes = path.join("state/mojika/backups");
        fs::write(&notes, "\n".repeat(length)).unwrap();
        told(path, &format!("{LINE} src --backup .old -q"));
        let noted = fs::read_to_string(&notes).unwrap();
        assert_eq!(noted.matches('\n').count(), kept + 1, "{length}");
        line = noted.len() - kept;
        let said = told(path, "convert -f utf-8 -t koi8-r -j 1 -i src --force");
        has(&said, "1  a backup that an earlier run has made");
    }
}
