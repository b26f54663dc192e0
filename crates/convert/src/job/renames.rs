//! The renames of a run. They are recorded before the first one, performed one after another, and can be reverted.
//!
//! The contents of a folder are renamed before the folder itself, so that old paths lead to all remaining files. A
//! rename happens in the open parent folder, to exactly the file that was checked, and never replaces another file.
//! Each completed rename is recorded, so that a run can be continued or reverted after an interruption at any time.

use super::folder::{Folder, Opener, Spot, unreachable};
use super::history::RecordedRun;
use super::names::{name_of, path_of};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A planned or completed rename.
pub struct Rename {
    /// The position of the file, with the names before the run.
    pub spot: Spot,
    /// The new name.
    pub to: OsString,
    /// The inode of the file.
    pub inode: u64,
    /// The progress of the change.
    pub state: RenameState,
}

/// The progress of a rename.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenameState {
    /// Recorded, but not yet performed.
    Planned,
    /// Performed.
    Done,
    /// Reverted.
    Undone,
}

/// The renames of one run, in order.
#[derive(Default)]
pub struct Renames {
    /// The renames, in order.
    pub list: Vec<Rename>,
    /// The index of each rename in the list, by the old path.
    places: HashMap<PathBuf, usize>,
    /// True if all renames are recorded. No rename is performed earlier.
    is_whole: bool,
    /// True if the run has ended.
    pub is_complete: bool,
    /// True if the run is being reverted.
    pub is_undo: bool,
}

impl Renames {
    /// Returns the renames in order of execution.
    pub fn new(mut list: Vec<Rename>) -> Self {
        // The sort is stable, so files at the same depth stay in the order of the walk.
        list.sort_by_key(|one| std::cmp::Reverse(one.spot.within.components().count()));
        let places = places(&list);
        Self {
            list,
            places,
            ..Self::default()
        }
    }

    /// Records all renames, before the first one.
    ///
    /// # Errors
    ///
    /// Fails if the run's file cannot be written. Nothing must be renamed then.
    pub fn note(&self, run: &RecordedRun) -> io::Result<()> {
        let mut lines = Vec::new();
        for one in &self.list {
            let line = json!({
                "root": name_of(&one.spot.root),
                "within": name_of(&one.spot.within),
                "to": name_of(Path::new(&one.to)),
                "ino": one.inode,
            });
            writeln!(lines, "{line}")?;
        }
        writeln!(lines, "{}", json!({"planned": self.list.len()}))?;
        run.append(&lines)?;
        run.sync()
    }

    /// Reads the renames of a run.
    ///
    /// # Errors
    ///
    /// Fails if its file cannot be read.
    pub fn read(run: &RecordedRun) -> io::Result<Self> {
        let mut renames = Self::default();
        let mut roots: HashMap<PathBuf, Arc<Path>> = HashMap::new();
        for line in run.lines()? {
            renames.take(&line?, &mut roots);
        }
        if !renames.is_whole {
            renames.list.clear();
        }
        renames.places = places(&renames.list);
        Ok(renames)
    }

    fn take(&mut self, line: &Value, roots: &mut HashMap<PathBuf, Arc<Path>>) {
        let place = |value: &Value| usize::try_from(value.as_u64()?).ok();
        let mut set = |value: &Value, state| {
            if let Some(one) = place(value).and_then(|at| self.list.get_mut(at)) {
                one.state = state;
            }
        };
        set(&line["done"], RenameState::Done);
        set(&line["undone"], RenameState::Undone);
        self.is_complete |= line["complete"] == true;
        if let Some(is_undo) = line["undo"].as_bool() {
            // A completed undo keeps the names that could not be reverted.
            self.is_undo = is_undo;
            self.is_complete |= !is_undo;
        }
        self.is_whole |= place(&line["planned"]) == Some(self.list.len());
        let paths = ["root", "within", "to"].map(|key| path_of(&line[key]));
        if let ([Some(root), Some(within), Some(to)], Some(inode)) = (paths, line["ino"].as_u64()) {
            let root = roots
                .entry(root)
                .or_insert_with_key(|root| root.as_path().into())
                .clone();
            self.list.push(Rename {
                spot: Spot { root, within },
                to: to.into_os_string(),
                inode,
                state: RenameState::Planned,
            });
        }
    }

    /// Returns the current path of a position, with the new names of renamed folders.
    pub fn now(&self, spot: &Spot) -> PathBuf {
        let mut old = spot.root.to_path_buf();
        let mut now = PathBuf::new();
        for part in spot.within.components() {
            old.push(part);
            let renamed = self.places.get(&old).map(|&at| &self.list[at]);
            match renamed.filter(|one| one.state == RenameState::Done) {
                Some(one) => now.push(&one.to),
                None => now.push(part),
            }
        }
        now
    }

    /// Returns the folder of a rename, opened by its current names.
    fn folder(&self, opener: &mut Opener, at: usize) -> io::Result<Arc<Folder>> {
        let spot = &self.list[at].spot;
        let within = self.now(&spot.folder()).join(spot.name());
        let root = spot.root.clone();
        opener.folder_of(&Spot { root, within })
    }

    /// Performs a rename and records it. `is_again` is true if an interrupted run may have performed it already.
    ///
    /// # Errors
    ///
    /// Returns the reason if the name stays, or if the rename cannot be recorded.
    pub fn rename(
        &mut self,
        opener: &mut Opener,
        run: &RecordedRun,
        at: usize,
        is_again: bool,
    ) -> Result<(), String> {
        let folder = self.folder(opener, at).map_err(unreachable)?;
        let Rename {
            spot, to, inode, ..
        } = &self.list[at];
        change(&folder, spot.name(), to, *inode, is_again)?;
        self.list[at].state = RenameState::Done;
        note(run, "done", at)
    }

    /// Reverts one rename and records it.
    ///
    /// # Errors
    ///
    /// Returns the reason if the name stays, or if the reversion cannot be recorded.
    pub fn undo(
        &mut self,
        opener: &mut Opener,
        run: &RecordedRun,
        at: usize,
    ) -> Result<(), String> {
        let folder = self.folder(opener, at).map_err(unreachable)?;
        let Rename {
            spot, to, inode, ..
        } = &self.list[at];
        change(&folder, to, spot.name(), *inode, true)?;
        self.list[at].state = RenameState::Undone;
        note(run, "undone", at)
    }

    /// True if an interrupted run performed a rename without recording it.
    pub fn was_done(&self, opener: &mut Opener, at: usize) -> bool {
        let Rename {
            spot, to, inode, ..
        } = &self.list[at];
        let folder = self.folder(opener, at).ok();
        folder.is_some_and(|folder| {
            is_it(&folder, to, *inode) && !is_it(&folder, spot.name(), *inode)
        })
    }

    /// Checks that a rename can be reverted, without reverting it.
    ///
    /// # Errors
    ///
    /// Returns the reason if the rename cannot be reverted.
    pub fn check_undo(&self, opener: &mut Opener, at: usize) -> Result<(), String> {
        let folder = self.folder(opener, at).map_err(unreachable)?;
        let Rename {
            spot, to, inode, ..
        } = &self.list[at];
        match (
            is_it(&folder, to, *inode),
            is_it(&folder, spot.name(), *inode),
        ) {
            (_, true) => Ok(()),
            (true, false) if folder.has(spot.name()) => Err(taken(spot.name())),
            (true, false) => Ok(()),
            (false, false) => Err(GONE.to_owned()),
        }
    }
}

const GONE: &str = "it was renamed, removed or replaced after the run";

fn taken(name: &OsStr) -> String {
    format!(
        "{} exists and is not replaced; rename one of the two",
        crate::quote::quote(Path::new(name))
    )
}

fn places(list: &[Rename]) -> HashMap<PathBuf, usize> {
    let paths = list.iter().map(|one| one.spot.path());
    paths.enumerate().map(|(at, path)| (path, at)).collect()
}

fn note(run: &RecordedRun, word: &str, at: usize) -> Result<(), String> {
    let noted = run.append(format!("{{\"{word}\":{at}}}\n").as_bytes());
    noted.map_err(|error| format!("renamed, but that cannot be noted: {error}"))
}

/// True if `name` is the file or folder with this inode. Devices are not compared, because a device number may change
/// later. Both names are on one file system, because a mounted file system cannot be renamed.
fn is_it(folder: &Folder, name: &OsStr, inode: u64) -> bool {
    folder.stamp(name).is_ok_and(|stamp| stamp.inode == inode)
}

/// Renames a file or folder, if it has this inode. `is_again` is true if an earlier run may have renamed it already.
fn change(
    folder: &Folder,
    from: &OsStr,
    to: &OsStr,
    inode: u64,
    is_again: bool,
) -> Result<(), String> {
    if !is_it(folder, from, inode) {
        // An interrupted run has renamed the file.
        return match is_again && is_it(folder, to, inode) {
            true => Ok(()),
            false => Err(GONE.to_owned()),
        };
    }
    match folder.rename_new(from, to) {
        // If a rename is performed as a link and a removal, a run may have been interrupted between these steps.
        Err(error)
            if error.kind() == io::ErrorKind::AlreadyExists
                && is_again
                && is_it(folder, to, inode) =>
        {
            folder.remove(from).map_err(|error| error.to_string())
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(taken(to)),
        renamed => renamed.map_err(|error| format!("cannot rename: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::MetadataExt;

    /// Creates a folder with the file `a`, and returns the file's inode.
    fn one_file() -> (tempfile::TempDir, u64) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "a").unwrap();
        let inode = fs::metadata(folder.path().join("a")).unwrap().ino();
        (folder, inode)
    }

    /// The run was interrupted between a rename and its record.
    #[test]
    fn a_rename_was_done_where_the_file_has_the_new_name_alone() {
        let (folder, inode) = one_file();
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        let renames = Renames::new(vec![Rename {
            spot: Spot {
                root: folder.path().into(),
                within: "a".into(),
            },
            to: "b".into(),
            inode,
            state: RenameState::Planned,
        }]);
        let was_done = || renames.was_done(&mut Opener::default(), 0);
        assert!(!was_done());
        fs::hard_link(&a, &b).unwrap();
        assert!(!was_done());
        fs::remove_file(&a).unwrap();
        assert!(was_done());
        fs::write(&a, "another").unwrap();
        assert!(was_done());
        fs::rename(&a, &b).unwrap();
        assert!(!was_done(), "another file has the name");
    }

    #[test]
    fn a_file_is_renamed_once_and_replaces_nothing() {
        let (folder, inode) = one_file();
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        let opened = Folder::open(folder.path()).unwrap();
        let change = |is_again| change(&opened, OsStr::new("a"), OsStr::new("b"), inode, is_again);
        // Another file has the new name.
        fs::write(&b, "b").unwrap();
        for is_again in [false, true] {
            assert_eq!(change(is_again), Err(taken(OsStr::new("b"))), "{is_again}");
        }
        assert_eq!(fs::read(&b).unwrap(), b"b");
        // The file has both names: a run was interrupted between a link and a removal.
        fs::remove_file(&b).unwrap();
        fs::hard_link(&a, &b).unwrap();
        assert_eq!(change(false), Err(taken(OsStr::new("b"))));
        assert!(a.exists());
        assert_eq!(change(true), Ok(()));
        assert!(!a.exists());
        assert_eq!(fs::read(&b).unwrap(), b"a");
        // The file has been renamed already.
        assert_eq!(change(true), Ok(()));
        assert_eq!(change(false), Err(GONE.to_owned()));
    }

    /// A completed undo has an end line. An interrupted run and an interrupted undo have none.
    #[test]
    fn the_last_notes_of_a_run_say_how_far_it_is() {
        let (complete, begun, ended) = (
            json!({"complete": true}),
            json!({"undo": true}),
            json!({"undo": false}),
        );
        for (notes, is_complete, is_undo) in [
            (&[][..], false, false),
            (&[&complete][..], true, false),
            (&[&begun], false, true),
            (&[&begun, &begun], false, true),
            (&[&complete, &begun], true, true),
            (&[&begun, &ended], true, false),
            (&[&begun, &ended, &begun], true, true),
        ] {
            let mut renames = Renames::default();
            for note in notes {
                renames.take(note, &mut HashMap::new());
            }
            let found = (renames.is_complete, renames.is_undo);
            assert_eq!(found, (is_complete, is_undo), "{notes:?}");
        }
    }

    #[test]
    fn a_name_that_is_not_possible_is_no_name_that_is_taken() {
        let (folder, inode) = one_file();
        let opened = Folder::open(folder.path()).unwrap();
        let long = "x".repeat(300);
        for is_again in [false, true] {
            let changed = change(&opened, OsStr::new("a"), OsStr::new(&long), inode, is_again);
            let error = changed.unwrap_err();
            assert!(error.starts_with("cannot rename: "), "{error}");
        }
        assert!(folder.path().join("a").exists());
    }
}
