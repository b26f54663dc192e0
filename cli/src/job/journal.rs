//! The journal: what a run has finished, so that `--resume` skips it.
//!
//! Two lines are written for each file. "intent", before the file appears, has the identity of the draft: if the run is
//! killed after that, and the target has this identity, the file is finished. "done" follows when it has appeared. So
//! a resumed run is right wherever the first one was killed, and never converts a file twice. "complete" ends the
//! journal of a run without failures, which stays: to resume such a run does nothing.

use super::quote;
use crate::report::Failure;
use rustix::fs::FlockOperation;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const NAME: &str = ".mojika-journal";

/// Most runs at once that write to one folder.
const MOST: u32 = 64;

/// The journal of a run in progress, locked until it is dropped.
pub struct Journal {
    file: Mutex<File>,
    finished: Finished,
}

/// What earlier runs have finished.
#[derive(Default)]
pub struct Finished {
    done: HashSet<PathBuf>,
    /// Device and inode of the drafts.
    intended: HashMap<PathBuf, (u64, u64)>,
    /// Whether the last line says that the run is complete.
    complete: bool,
}

/// Why there is no journal.
pub enum JournalError {
    Io(PathBuf, io::Error),
    /// An earlier run has converted files in place, and `--resume` is not given.
    Unfinished(PathBuf),
    /// `--resume` where no run has left a journal.
    Missing,
    /// `--resume` with other options than those of the run that is to be resumed.
    OtherOptions(PathBuf),
}

impl JournalError {
    /// The message, where the journal is in `folder`.
    pub fn failure(self, folder: &Path) -> Failure {
        match self {
            Self::Io(path, error) => Failure::io("write the journal", quote(&path), error),
            Self::Unfinished(path) => Failure::usage(&format!(
                "{}: an earlier run was not completed; --resume goes on with it, --force begins anew",
                quote(&path)
            )),
            Self::Missing => Failure::usage(&format!(
                "{}: no earlier run has left a journal here, so there is nothing to resume; run without --resume to begin",
                quote(folder)
            )),
            Self::OtherOptions(path) => Failure::usage(&format!(
                "{}: that run had other options or another working folder; --resume goes on with the same command only",
                quote(&path)
            )),
        }
    }
}

impl Journal {
    /// Opens the journal in `folder`. `options` says what must be the same for a run to be resumed.
    ///
    /// # Errors
    ///
    /// With `resume`, fails if there is no journal of a run with the same options. Without it, fails if `guard` is set
    /// and a run has converted files and is not complete.
    pub fn open(
        folder: &Path,
        options: &str,
        resume: bool,
        guard: bool,
    ) -> Result<Self, JournalError> {
        let mut other = None;
        for count in 0..MOST {
            let suffix = if count == 0 {
                String::new()
            } else {
                format!(".{count}")
            };
            let path = folder.join(format!("{NAME}{suffix}"));
            let failed = |error| JournalError::Io(path.clone(), error);
            let opened = OpenOptions::new()
                .read(true)
                .append(true)
                .create(!resume)
                .open(&path);
            let mut file = match opened {
                Err(error) if resume && error.kind() == io::ErrorKind::NotFound => continue,
                opened => opened.map_err(failed)?,
            };
            if rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
                continue;
            }
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(failed)?;
            let (header, finished) = Finished::parse(&bytes);
            let mut start = Vec::new();
            let finished = if resume {
                match header {
                    None => continue,
                    Some(header) if header != options => {
                        other.get_or_insert(path);
                        continue;
                    }
                    Some(_) => {}
                }
                // The last line may have been cut off.
                start.push(b'\n');
                finished
            } else {
                if guard && finished.is_under_way() {
                    return Err(JournalError::Unfinished(path));
                }
                file.set_len(0).map_err(failed)?;
                writeln!(start, "{}", json!({ "options": options })).map_err(failed)?;
                Finished::default()
            };
            file.write_all(&start).map_err(failed)?;
            return Ok(Self {
                file: Mutex::new(file),
                finished,
            });
        }
        if resume {
            return Err(other.map_or(JournalError::Missing, JournalError::OtherOptions));
        }
        let busy = io::Error::other("too many runs write to this folder");
        Err(JournalError::Io(folder.join(NAME), busy))
    }

    /// Whether an earlier run has finished the file that appears at `target`.
    pub fn is_finished(&self, target: &Path) -> bool {
        self.finished.contains(target)
    }

    /// Records the targets of drafts, which are identified by device and inode.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be written to: then the drafts must not appear.
    pub fn intend<'a>(
        &self,
        drafts: impl Iterator<Item = (&'a Path, (u64, u64))>,
    ) -> io::Result<()> {
        let mut lines = Vec::new();
        for (target, (dev, ino)) in drafts {
            write_name(&mut lines, target)?;
            writeln!(lines, ",\"dev\":{dev},\"ino\":{ino}}}")?;
        }
        self.append(&lines)
    }

    /// Notes which files have appeared.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be written to.
    pub fn done<'a>(&self, targets: impl Iterator<Item = &'a Path>) -> io::Result<()> {
        let mut lines = Vec::new();
        for target in targets {
            write_name(&mut lines, target)?;
            lines.extend_from_slice(b"}\n");
        }
        self.append(&lines)
    }

    fn append(&self, lines: &[u8]) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(lines)
    }

    /// Records that the run is complete. The journal stays, so that a resumed run finds nothing to do.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be written to.
    pub fn complete(self) -> io::Result<()> {
        self.append(format!("{}\n", json!({ "complete": true })).as_bytes())
    }
}

impl Finished {
    fn contains(&self, target: &Path) -> bool {
        let is_draft = || {
            let (dev, ino) = self.intended.get(target)?;
            let metadata = fs::symlink_metadata(target).ok()?;
            Some((metadata.dev(), metadata.ino()) == (*dev, *ino))
        };
        self.done.contains(target) || is_draft().unwrap_or(false)
    }

    /// Whether files have been converted, and others are left to do.
    fn is_under_way(&self) -> bool {
        let has_work = !self.done.is_empty() || !self.intended.is_empty();
        has_work && !self.complete
    }

    /// The options of the run and what it has finished. Lines that were cut off are left out.
    fn parse(bytes: &[u8]) -> (Option<String>, Self) {
        let mut finished = Self::default();
        let mut options = None;
        for line in bytes.split(|&byte| byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<Value>(line) else {
                continue;
            };
            if let Some(value) = line["options"].as_str() {
                options = Some(value.to_owned());
            } else if line["complete"] == true {
                finished.complete = true;
            } else if let Some(path) = path_of(&line) {
                finished.complete = false;
                match (line["dev"].as_u64(), line["ino"].as_u64()) {
                    (Some(dev), Some(ino)) => {
                        finished.intended.insert(path, (dev, ino));
                    }
                    _ => {
                        finished.done.insert(path);
                    }
                }
            }
        }
        (options, finished)
    }
}

/// The start of the line for a file, without the brace that ends it.
fn write_name(lines: &mut Vec<u8>, path: &Path) -> io::Result<()> {
    let Some(text) = path.to_str() else {
        let object = name_of(path).to_string();
        lines.extend_from_slice(object.trim_end_matches('}').as_bytes());
        return Ok(());
    };
    lines.extend_from_slice(b"{\"path\":");
    Ok(serde_json::to_writer(lines, text)?)
}

/// A JSON object with the exact name: as a string where it is UTF-8, else in hex.
pub fn name_of(path: &Path) -> Value {
    match path.to_str() {
        Some(text) => json!({ "path": text }),
        None => {
            let bytes = path.as_os_str().as_bytes();
            let hex: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
            json!({ "path": path.to_string_lossy(), "path_bytes": hex })
        }
    }
}

fn path_of(line: &Value) -> Option<PathBuf> {
    let Some(hex) = line["path_bytes"].as_str() else {
        return line["path"].as_str().map(PathBuf::from);
    };
    let digits = hex.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> = digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    Some(PathBuf::from(std::ffi::OsString::from_vec(bytes?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(folder: &Path, resume: bool) -> Journal {
        let Ok(journal) = Journal::open(folder, "options", resume, false) else {
            panic!("no journal");
        };
        journal
    }

    /// The run was killed after the file appeared and before the journal said so.
    #[test]
    fn an_intended_file_that_has_appeared_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(std::ffi::OsStr::from_bytes(b"a\n\xFF"));
        let missing = folder.path().join("missing");
        let file = File::create(&path).unwrap().metadata().unwrap();
        let identity = (file.dev(), file.ino());
        let journal = open(folder.path(), false);
        journal
            .intend([(&*path, identity), (&*missing, identity)].into_iter())
            .unwrap();
        drop(journal);
        let journal = open(folder.path(), true);
        assert!(journal.is_finished(&path));
        assert!(!journal.is_finished(&missing));
        drop(journal);
        // Another file of that name is not the one that was intended.
        let other = folder.path().join("other");
        fs::write(&other, "").unwrap();
        fs::rename(&other, &path).unwrap();
        assert!(!open(folder.path(), true).is_finished(&path));
    }

    #[test]
    fn a_line_that_was_cut_off_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let journal = open(folder.path(), false);
        journal
            .done([Path::new("a"), Path::new("b")].into_iter())
            .unwrap();
        drop(journal);
        let path = folder.path().join(NAME);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
        let journal = open(folder.path(), true);
        assert!(journal.is_finished(Path::new("a")));
        assert!(!journal.is_finished(Path::new("b")));
        journal.done([Path::new("b")].into_iter()).unwrap();
        drop(journal);
        assert!(open(folder.path(), true).is_finished(Path::new("b")));
    }

    #[test]
    fn a_live_runs_journal_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let first = open(folder.path(), false);
        let second = open(folder.path(), false);
        first.done([Path::new("a")].into_iter()).unwrap();
        drop(second);
        drop(first);
        assert!(open(folder.path(), true).is_finished(Path::new("a")));
    }

    #[test]
    fn a_complete_journal_stays_until_more_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let is_missing = Journal::open(folder.path(), "options", true, true);
        assert!(matches!(is_missing, Err(JournalError::Missing)));
        let journal = open(folder.path(), false);
        journal.done([Path::new("a")].into_iter()).unwrap();
        journal.complete().unwrap();
        let journal = open(folder.path(), true);
        assert!(journal.finished.complete && journal.is_finished(Path::new("a")));
        journal.done([Path::new("b")].into_iter()).unwrap();
        drop(journal);
        let guarded = Journal::open(folder.path(), "options", false, true);
        assert!(matches!(guarded, Err(JournalError::Unfinished(_))));
        let others = Journal::open(folder.path(), "others", true, true);
        assert!(matches!(others, Err(JournalError::OtherOptions(_))));
    }
}
