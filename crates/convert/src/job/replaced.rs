//! The files that a run replaces while it keeps backups. They are recorded before that, and can be restored.
//!
//! The line for each name describes the old file, the new file, and the backup, so the state on the disk determines the
//! remaining work. An interrupted run is reverted as far as it went, and an interrupted undo can be continued.

use super::draft::{Access, Draft};
use super::folder::{Folder, Opener, Stamp, unreachable};
use super::history::RecordedRun;
use super::names::{name_of, path_of};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The record of the files that a run replaces.
pub struct Kept {
    run: RecordedRun,
    has_lines: AtomicBool,
}

impl Kept {
    /// Returns the record of a new or continued run.
    ///
    /// # Errors
    ///
    /// Fails if its file cannot be read or written.
    pub fn new(run: RecordedRun) -> io::Result<Self> {
        let has_lines = run.lines()?.next().is_some();
        if has_lines {
            run.go_on()?;
        }
        let has_lines = AtomicBool::new(has_lines);
        Ok(Self { run, has_lines })
    }

    /// Records those of `drafts` that are about to replace files, whose backups get the extension `suffix`.
    ///
    /// # Errors
    ///
    /// Fails if the record cannot be written. The drafts must then not be committed.
    pub fn note<'d>(
        &self,
        drafts: impl Iterator<Item = &'d Draft>,
        suffix: &str,
    ) -> io::Result<()> {
        let mut lines = Vec::new();
        for draft in drafts {
            let Some(old) = draft.replaces else {
                continue;
            };
            let new = Stamp::of(&draft.file().metadata()?);
            let folder = draft.folder().identity()?.1;
            let mut backup = draft.target().into_os_string();
            backup.push(suffix);
            let line = |path: &Path, within: u64, has_backup: bool| {
                json!({
                    "file": name_of(path),
                    "in": within,
                    "old": stamp_line(old),
                    "new": stamp_line(new),
                    "backup": name_of(Path::new(&backup)),
                    "backup_in": folder,
                    "has_backup": has_backup,
                })
            };
            writeln!(lines, "{}", line(&draft.target(), folder, true))?;
            for link in &draft.links {
                // A link in a folder that cannot be opened will not be replaced either, so it is not recorded.
                if let Ok(within) = Opener::default()
                    .folder_of(link)
                    .and_then(|at| at.identity())
                {
                    writeln!(lines, "{}", line(&link.path(), within.1, false))?;
                }
            }
        }
        if lines.is_empty() {
            return Ok(());
        }
        self.has_lines.store(true, Ordering::Relaxed);
        self.run.append(&lines)?;
        self.run.sync()
    }

    /// Ends the run; returns its number if there is something to revert.
    ///
    /// # Errors
    ///
    /// Fails if the file of a run without replacements cannot be removed.
    pub fn end(self) -> io::Result<Option<u64>> {
        if self.has_lines.load(Ordering::Relaxed) {
            return Ok(Some(self.run.id));
        }
        self.run.remove().map(|()| None)
    }
}

fn stamp_line(stamp: Stamp) -> Value {
    let (seconds, nanoseconds) = stamp.modified;
    json!([stamp.inode, stamp.size, seconds, nanoseconds])
}

/// The identity of a file and its content, without the device number, which may change later.
type Content = (u64, u64, (i64, i64));

fn content(stamp: Stamp) -> Content {
    (stamp.inode, stamp.size, stamp.modified)
}

fn content_of(value: &Value) -> Option<Content> {
    let modified = (value[2].as_i64()?, value[3].as_i64()?);
    Some((value[0].as_u64()?, value[1].as_u64()?, modified))
}

/// A name whose file was replaced.
pub struct Replaced {
    place: FolderEntry,
    /// The position of the backup. Hard links to the same file share the backup of the first link.
    backup: FolderEntry,
    has_backup: bool,
    /// The name of the file in the backup's folder from which the backup was made.
    first: OsString,
    old: Content,
    new: Content,
}

/// A name in a folder; the folder is identified by its inode.
#[derive(Clone)]
struct FolderEntry {
    path: PathBuf,
    within: u64,
}

impl FolderEntry {
    fn name(&self) -> &OsStr {
        self.path.file_name().unwrap_or_default()
    }

    /// Opens the folder, and checks that it is still the recorded folder.
    fn folder(&self) -> Result<Arc<Folder>, String> {
        let parent = self.path.parent().unwrap_or(Path::new("/"));
        let folder = Folder::open(parent).map_err(unreachable)?;
        let is_same = folder.identity().is_ok_and(|now| now.1 == self.within);
        match is_same {
            true => Ok(Arc::new(folder)),
            false => Err(
                "its folder was moved or replaced after the run; move the old folder back"
                    .to_owned(),
            ),
        }
    }
}

/// Returns the names of a run in order, each with its last record.
///
/// # Errors
///
/// Fails if the run's file cannot be read.
pub fn read(run: &RecordedRun) -> io::Result<Vec<Replaced>> {
    let mut list: Vec<Option<Replaced>> = Vec::new();
    let mut places = HashMap::new();
    for line in run.lines()? {
        if let Some(one) = Replaced::of(&line?, &run.header.cwd) {
            // A resumed run records a file again if the earlier run was interrupted before it replaced the file.
            if let Some(before) = places.insert(one.place.path.clone(), list.len()) {
                list[before] = None;
            }
            list.push(Some(one));
        }
    }
    let mut list: Vec<Replaced> = list.into_iter().flatten().collect();
    let with_backup = list.iter().filter(|one| one.has_backup);
    let firsts: HashMap<_, _> = with_backup
        .map(|one| (one.backup.path.clone(), one.place.name().to_owned()))
        .collect();
    for one in &mut list {
        if let Some(first) = firsts.get(&one.backup.path) {
            one.first.clone_from(first);
        }
    }
    Ok(list)
}

impl Replaced {
    fn of(line: &Value, cwd: &Path) -> Option<Self> {
        let place = |path: &str, within: &str| {
            Some(FolderEntry {
                path: cwd.join(path_of(&line[path])?),
                within: line[within].as_u64()?,
            })
        };
        Some(Self {
            place: place("file", "in")?,
            backup: place("backup", "backup_in")?,
            has_backup: line["has_backup"].as_bool()?,
            first: OsString::new(),
            old: content_of(&line["old"])?,
            new: content_of(&line["new"])?,
        })
    }

    /// Returns the path of the replaced file.
    pub fn path(&self) -> &Path {
        &self.place.path
    }

    /// Removes temporary names that interrupted undos have left in the folder.
    pub fn sweep(&self) {
        if let Ok(folder) = self.place.folder() {
            super::draft::sweep(&folder);
        }
    }

    /// True if a file is the file that was replaced.
    fn is_old(&self, folder: &Folder, name: &OsStr) -> bool {
        let stamp = folder.stamp(name);
        stamp.is_ok_and(|stamp| content(stamp) == self.old)
    }

    /// Returns the position of the replaced file: its backup, or its old name if it has already been restored there.
    fn original(&self) -> Result<(Arc<Folder>, &OsStr), String> {
        let folder = self.backup.folder()?;
        let names = [self.backup.name(), &self.first];
        let found = names.into_iter().find(|name| self.is_old(&folder, name));
        found.map(|name| (folder, name)).ok_or_else(|| {
            let backup = crate::quote::quote(Path::new(self.backup.name()));
            format!(
                "its backup {backup} was changed or removed after the run, so it stays converted"
            )
        })
    }

    /// True if the old file has been restored before. Otherwise, an undo can restore it.
    ///
    /// # Errors
    ///
    /// Returns the reason if the file cannot be restored.
    pub fn check(&self) -> Result<bool, String> {
        const CHANGED: &str = "it was changed, renamed or removed after the run, so it stays as it is; its backup has the old text";
        let folder = self.place.folder()?;
        let now = folder.stamp(self.place.name());
        let now = now.map_err(|_| CHANGED.to_owned()).map(content)?;
        if now == self.old {
            return Ok(true);
        }
        if now != self.new {
            return Err(CHANGED.to_owned());
        }
        self.original().map(|_| false)
    }

    /// Restores the old file under its name, atomically. Returns true if that was done before.
    ///
    /// # Errors
    ///
    /// Returns the reason as an error if the file stays.
    pub fn undo(&self) -> Result<bool, String> {
        let failed = |error: io::Error| format!("cannot revert it: {error}");
        let is_restored = self.check()?;
        let folder = self.place.folder()?;
        let (name, backup) = (self.place.name(), self.backup.name());
        if is_restored {
            // The run was interrupted after it made the backup and before it replaced the file.
            if self.has_backup && self.is_old(&folder, backup) {
                folder.remove(backup).map_err(failed)?;
            }
            return Ok(true);
        }
        let (from, original) = self.original()?;
        if self.has_backup {
            folder.rename(original, name).map_err(failed)?;
        } else {
            let draft = Draft::create_named(&folder, name, true, Access::Private);
            let draft = draft.map_err(failed)?;
            draft.link_instead(&from, original).map_err(failed)?;
        }
        Ok(false)
    }
}
