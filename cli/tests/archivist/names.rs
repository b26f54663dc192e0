//! `mojika names` and `mojika undo`: file names in an old encoding.

use crate::common::tree::{Met, fast_folder, kill_runs, number};
use crate::common::{has, mojika};
use mojika_spec::sample::one_in;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tempfile::TempDir;

/// The result of running the command in a folder, with its own state folder.
pub struct Said {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Said {
    /// Asserts that standard error contains this text.
    #[track_caller]
    pub fn says(&self, text: &str) {
        assert!(self.stderr.contains(text), "{text}: {}", self.stderr);
    }
}

pub fn run(folder: &TempDir, line: &str) -> Said {
    let output = command(folder, line).output().unwrap();
    Said {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

pub fn command(folder: &TempDir, line: &str) -> std::process::Command {
    let mut command = mojika();
    command
        .args(line.split(' '))
        .current_dir(folder.path())
        .env("XDG_STATE_HOME", folder.path().join("state"));
    command
}

/// Runs the command as [`run`] does, and asserts the exit status.
#[track_caller]
pub fn status(folder: &TempDir, line: &str, status: i32) -> Said {
    let said = run(folder, line);
    assert_eq!(
        said.status, status,
        "{line}\n{}{}",
        said.stdout, said.stderr
    );
    said
}

fn koi8_r(name: &str) -> OsString {
    OsString::from_vec(mojika::KOI8_R.encode(name).unwrap().into_owned())
}

/// True if a path is missing or has another inode. Unlike [`paths`], this works while a run renames files.
pub fn is_changed(folder: &Path, paths: &BTreeMap<PathBuf, u64>) -> bool {
    paths.iter().any(|(path, &inode)| {
        let metadata = fs::symlink_metadata(folder.join(path));
        metadata.map_or(true, |metadata| metadata.ino() != inode)
    })
}

/// Returns all paths below a folder with their inodes, except those of the state.
pub fn paths(folder: &Path) -> BTreeMap<PathBuf, u64> {
    fn add(folder: &Path, base: &Path, all: &mut BTreeMap<PathBuf, u64>) {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            if path == base.join("state") {
                continue;
            }
            all.insert(path.strip_prefix(base).unwrap().to_owned(), metadata.ino());
            if metadata.is_dir() {
                add(&path, base, all);
            }
        }
    }
    let mut all = BTreeMap::new();
    add(folder, folder, &mut all);
    all
}

const NAMES: [&str; 8] = [
    "Отчёт за январь",
    "Письма и телеграммы",
    "Договор с поставщиком",
    "Список сотрудников",
    "Протокол собрания",
    "Фотографии",
    "Справка из архива",
    "Черновик доклада",
];

/// Creates a tree in KOI8-R, three folders deep, with a link, a name in UTF-8 and names in ASCII.
fn archive(files: usize) -> TempDir {
    let folder = fast_folder();
    let mut at = folder.path().join("archive");
    fs::create_dir(&at).unwrap();
    for level in 0..3 {
        for file in 0..files {
            let name = format!("{} {file}.txt", NAMES[(level + file) % NAMES.len()]);
            fs::write(at.join(koi8_r(&name)), name).unwrap();
        }
        fs::write(at.join("readme.txt"), "ASCII").unwrap();
        fs::write(at.join("уже.txt"), "UTF-8").unwrap();
        symlink("/nowhere", at.join(koi8_r("ссылка"))).unwrap();
        at.push(koi8_r(NAMES[level]));
        fs::create_dir(&at).unwrap();
    }
    folder
}

/// Returns the paths that `names` must create, by inode.
fn converted(before: &BTreeMap<PathBuf, u64>) -> BTreeMap<PathBuf, u64> {
    let new = |path: &PathBuf| -> PathBuf {
        let parts = path.components().map(|part| {
            let bytes = part.as_os_str().as_bytes();
            match std::str::from_utf8(bytes) {
                Ok(text) => text.to_owned(),
                Err(_) => mojika::KOI8_R.decode(bytes).text.into_owned(),
            }
        });
        parts.collect()
    };
    before
        .iter()
        .map(|(path, inode)| (new(path), *inode))
        .collect()
}

#[test]
fn names_are_shown_first_renamed_when_asked_and_taken_back() {
    let folder = archive(4);
    let before = paths(folder.path());
    let dry = status(&folder, "names archive", 0);
    assert_eq!(paths(folder.path()), before, "a dry run");
    assert_eq!(dry.stdout.lines().count(), 18, "{}", dry.stdout);
    assert!(
        dry.stdout.contains(" -> 'Отчёт за январь 0.txt'\n"),
        "{}",
        dry.stdout
    );
    for said in [
        "are in KOI8-R (detection, 0.",
        "18 would be renamed; --rename does it",
    ] {
        assert!(dry.stderr.contains(said), "{said}: {}", dry.stderr);
    }
    let done = status(&folder, "names archive --rename", 0);
    assert!(
        done.stderr
            .contains("18 renamed; to revert it: mojika undo 1"),
        "{}",
        done.stderr
    );
    assert_eq!(paths(folder.path()), converted(&before));
    // A second run changes nothing.
    let again = status(&folder, "names archive --rename", 0);
    assert_eq!(again.stdout, "");
    again.says("0 renamed");
    assert_eq!(paths(folder.path()), converted(&before));
    let list = status(&folder, "undo --list", 0);
    assert!(
        list.stdout.contains("names, in ") && list.stdout.lines().count() == 1,
        "{}",
        list.stdout
    );
    status(&folder, "undo --dry-run", 0);
    assert_eq!(paths(folder.path()), converted(&before), "a dry run");
    status(&folder, "undo", 0);
    assert_eq!(paths(folder.path()), before);
    let none = status(&folder, "undo", 2);
    none.says("nothing to revert");
}

/// Without a number, `undo` does not revert a run that was started in another folder.
#[test]
fn an_undo_without_a_number_is_of_the_folder_that_one_is_in() {
    let folder = archive(1);
    let before = paths(folder.path());
    status(&folder, "names archive --rename -q", 0);
    let elsewhere = fast_folder();
    let undo = |at: &Path, line: &str| {
        let output = command(&folder, line).current_dir(at).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), said)
    };
    let (code, said) = undo(elsewhere.path(), "undo");
    assert_eq!(code, 2, "{said}");
    has(&said, "no known run began in this folder");
    assert_eq!(paths(folder.path()), converted(&before));
    let (code, said) = undo(&folder.path().join("archive"), "undo");
    assert_eq!(code, 0, "{said}");
    assert_eq!(paths(folder.path()), before);
    status(&folder, "names archive --rename -q", 0);
    let (code, said) = undo(elsewhere.path(), "undo 1");
    assert_eq!(code, 0, "{said}");
    // `undo` reverts a run that was started in this folder, although that run renamed files in another folder.
    let archive = folder.path().join("archive");
    let line = format!("names {} --rename -q", archive.display());
    let (code, said) = undo(elsewhere.path(), &line);
    assert_eq!(code, 0, "{said}");
    let (code, said) = undo(elsewhere.path(), "undo -q");
    assert_eq!(code, 0, "{said}");
    assert_eq!(paths(folder.path()), before);
}

/// If two files would get the same name, or the new name exists, these files keep their names. Others are renamed.
#[test]
fn collisions_are_refused_one_by_one_and_nothing_is_lost() {
    let folder = fast_folder();
    let at = folder.path().join("a");
    fs::create_dir(&at).unwrap();
    for (name, text) in [
        (koi8_r("письмо"), "old"),
        ("письмо".into(), "new"),
        (koi8_r("другое"), "other"),
    ] {
        fs::write(at.join(name), text).unwrap();
    }
    // A composed and a decomposed form: the new name of both is é.
    fs::write(at.join("e\u{301}"), "apart").unwrap();
    fs::write(at.join("e\u{301}\u{323}"), "1").unwrap();
    fs::write(at.join("e\u{323}\u{301}"), "2").unwrap();
    let said = status(&folder, "names -f koi8-r --normalize nfc a --rename", 1);
    let text = |name: &OsStr| fs::read_to_string(at.join(name)).unwrap();
    assert_eq!(text(&koi8_r("письмо")), "old");
    assert_eq!(text("письмо".as_ref()), "new");
    assert_eq!(text("другое".as_ref()), "other");
    assert_eq!(text("é".as_ref()), "apart");
    assert_eq!(text("e\u{301}\u{323}".as_ref()), "1");
    assert_eq!(text("e\u{323}\u{301}".as_ref()), "2");
    for reason in [
        "refused: письмо exists in its folder",
        "would have the same new name",
        "2 renamed, 3 refused",
    ] {
        assert!(said.stderr.contains(reason), "{reason}: {}", said.stderr);
    }
    assert_eq!(
        said.stderr.matches(": refused: ").count(),
        3,
        "{}",
        said.stderr
    );
}

#[test]
fn doubtful_names_stay_and_the_candidates_are_shown() {
    let folder = fast_folder();
    fs::write(folder.path().join(OsStr::from_bytes(b"caf\xE9 \xF8")), "").unwrap();
    let before = paths(folder.path());
    let said = status(&folder, "names . --rename", 1);
    said.says("doubtful: windows-1252");
    said.says("café ø");
    assert_eq!(paths(folder.path()), before);
    status(&folder, "names . --rename --confidence 0 -q", 0);
    assert!(folder.path().join("café ø").exists());
}

#[test]
fn sources_have_names_too_and_links_are_not_followed() {
    let folder = fast_folder();
    let named = folder.path().join(koi8_r("Документы"));
    fs::create_dir(&named).unwrap();
    fs::create_dir(folder.path().join("elsewhere")).unwrap();
    fs::write(folder.path().join("elsewhere").join(koi8_r("чужое")), "").unwrap();
    symlink("../elsewhere", named.join(koi8_r("туда"))).unwrap();
    let run = |args: &[&OsStr]| {
        let output = mojika()
            .args(args)
            .current_dir(folder.path())
            .env("XDG_STATE_HOME", folder.path().join("state"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    let source = koi8_r("Документы");
    run(&["names", "-f", "koi8-r", "--rename"]
        .map(OsStr::new)
        .into_iter()
        .chain([&*source])
        .collect::<Vec<_>>());
    let link = folder.path().join("Документы/туда");
    assert_eq!(fs::read_link(link).unwrap(), Path::new("../elsewhere"));
    assert!(
        folder
            .path()
            .join("elsewhere")
            .join(koi8_r("чужое"))
            .exists()
    );
    run(&["undo".as_ref()]);
    assert!(named.join(koi8_r("туда")).is_symlink());
}

#[test]
fn to_another_encoding_and_back_names_are_the_same() {
    let folder = archive(3);
    let before = paths(folder.path());
    status(&folder, "names archive --rename -q", 0);
    let line = "names --from utf-8 --to koi8-r archive --rename -q";
    // Rename UTF-8 names to KOI8-R, and again back to UTF-8.
    status(&folder, line, 0);
    status(&folder, line, 0);
    let now = paths(folder.path());
    assert_eq!(converted(&now), converted(&before));
    assert!(
        now.keys()
            .all(|path| path.to_str().is_none_or(str::is_ascii))
    );
    let mistakes = [
        (
            "names --from koi8-r --to shift_jis archive",
            "change the names to UTF-8 first",
        ),
        (
            "names --from utf-16le archive",
            "names of files cannot be in UTF-16LE",
        ),
        (
            "names --to utf-16le archive",
            "names of files cannot be in UTF-16LE",
        ),
        ("names --to iso-2022-jp archive", "cannot be in ISO-2022-JP"),
        ("names --from koi8-r --tld ru archive", "a hint for --from"),
    ];
    for (line, said) in mistakes {
        let run = status(&folder, line, 2);
        assert!(run.stderr.contains(said), "{line}: {}", run.stderr);
    }
}

#[test]
fn an_undo_refuses_what_has_changed_and_takes_back_the_rest() {
    let folder = archive(3);
    status(&folder, "names archive --rename -q", 0);
    let at = folder.path().join("archive");
    let replaced = at.join("Отчёт за январь 0.txt");
    fs::remove_file(&replaced).unwrap();
    fs::write(&replaced, "a new one").unwrap();
    let taken = at.join(koi8_r("Письма и телеграммы 1.txt"));
    fs::write(&taken, "a new one of the old name").unwrap();
    // A dry run prints the same, and does nothing.
    let before = paths(folder.path());
    let dry = status(&folder, "undo --dry-run", 1);
    for part in [
        " exists and is not replaced",
        "it was renamed, removed or replaced after the run",
        " names would be reverted, 2 refused",
    ] {
        assert_eq!(
            dry.stderr.matches(part).count(),
            1,
            "{part}: {}",
            dry.stderr
        );
    }
    assert_eq!(paths(folder.path()), before);
    let said = status(&folder, "undo", 1);
    assert_eq!(
        said.stderr.matches(": refused: ").count(),
        2,
        "{}",
        said.stderr
    );
    assert_eq!(fs::read_to_string(&replaced).unwrap(), "a new one");
    assert_eq!(
        fs::read_to_string(&taken).unwrap(),
        "a new one of the old name"
    );
    assert!(at.join("Письма и телеграммы 1.txt").exists());
    assert!(at.join(koi8_r("Договор с поставщиком 2.txt")).exists());
    // When the file in the way is removed, the same command reverts all other names.
    fs::remove_file(&taken).unwrap();
    let said = status(&folder, "undo", 1);
    assert_eq!(
        said.stderr.matches(": refused: ").count(),
        1,
        "{}",
        said.stderr
    );
    assert!(taken.exists());
    // Other runs can start.
    status(&folder, "names archive --rename -q", 0);
}

/// An undo is interrupted after it has reverted a name and before it has recorded the reversion.
#[test]
fn a_name_that_was_taken_back_and_not_noted_is_taken_back() {
    let folder = archive(3);
    let before = paths(folder.path());
    status(&folder, "names archive --rename -q", 0);
    let at = folder.path().join("archive");
    let name = "Отчёт за январь 0.txt";
    fs::rename(at.join(name), at.join(koi8_r(name))).unwrap();
    let notes = folder.path().join("state/mojika/runs/1.run");
    let noted = fs::read_to_string(&notes).unwrap() + "\n{\"undo\":true}\n";
    fs::write(&notes, noted).unwrap();
    let refused = status(&folder, "names archive --rename", 2);
    refused.says("an undo of an earlier run over these names is unfinished");
    status(&folder, "undo -q", 0);
    assert_eq!(paths(folder.path()), before);
}

/// A run that is killed at any time can be continued or reverted, and an undo can be continued.
#[test]
fn killed_at_any_moment_names_are_old_or_new_and_the_rest_follows() {
    let rounds = number("MOJIKA_KILLS", 8 / one_in(2));
    let files = number("MOJIKA_KILL_FILES", 600);
    let forward = "names archive --rename -q";
    let begin = Instant::now();
    status(&archive(files), forward, 0);
    let whole = begin.elapsed();
    for is_undo in [false, true] {
        kill_runs(rounds, 5, whole, |moment, what| {
            let folder = archive(files);
            let before = paths(folder.path());
            let after = converted(&before);
            let (from, to) = match is_undo {
                false => (&before, &after),
                true => (&after, &before),
            };
            let line = if is_undo { "undo -q" } else { forward };
            if is_undo {
                status(&folder, forward, 0);
            }
            let mut child = command(&folder, line).spawn().unwrap();
            moment.wait(|| is_changed(folder.path(), from));
            child.kill().unwrap();
            child.wait().unwrap();
            let now = paths(folder.path());
            assert_eq!(now.len(), before.len(), "{what}");
            let inodes = |all: &BTreeMap<PathBuf, u64>| {
                let mut inodes: Vec<_> = all.values().copied().collect();
                inodes.sort_unstable();
                inodes
            };
            assert_eq!(inodes(&now), inodes(&before), "{what}: every file is there");
            let met = match () {
                () if now == *to => Met::End,
                () if now == *from => Met::Nothing,
                () => Met::Middle,
            };
            if is_undo {
                // If all names were reverted, the undo may have removed its record, and nothing is left to revert.
                let said = run(&folder, line);
                let is_over = matches!(met, Met::End) && said.stderr.contains("nothing to revert");
                assert!(said.status == 0 || is_over, "{what}: {}", said.stderr);
                assert_eq!(paths(folder.path()), before, "{what}");
            } else if matches!(met, Met::Middle) {
                let refused = status(&folder, forward, 2);
                refused.says("is unfinished");
                if moment.after.as_nanos() % 2 == 0 {
                    status(&folder, &format!("{forward} --resume"), 0);
                    assert_eq!(paths(folder.path()), after, "{what}");
                }
                status(&folder, "undo -q", 0);
                assert_eq!(paths(folder.path()), before, "{what}");
            }
            met
        });
    }
}
