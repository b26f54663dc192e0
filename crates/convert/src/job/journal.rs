//! The journal of finished files, so that `--resume` skips them.
//!
//! A journal belongs to one run: the same command in the same working folder. It is in the user's state folder ([`state`])
//! or at the path of `--resume=FILE`, and is removed when the run is complete. The first line has the options. Then two lines
//! are written for each file. "intent", before the file appears, has the identity of the draft. If the run is interrupted
//! after that, and the target has this identity, the file is finished. "done" follows when the file has appeared. A resumed
//! run is therefore correct after an interruption at any time, and never converts a file twice. "made" lists folders that
//! get their attributes only at the end. "complete" is the last line of a run without failures, which then removes the
//! journal.

mod content;

use super::folder::{Folder, Spot, Stamp};
use super::names::{name_of, write_name};
use super::{sources, state};
use crate::engine::lock;
use crate::quote::quote;
use crate::report::Failure;
pub use content::Before;
use content::{Finished, Header, read_header};
use rustix::fs::FlockOperation;
use serde_json::json;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The maximum number of simultaneous runs of one command.
const MAX_RUNS: u32 = 64;

/// The parameters for opening a journal.
pub struct Ask<'a> {
    /// The options that must be equal for a run to be resumed.
    pub options: String,
    /// The absolute paths of the sources of a run in place; empty for other runs.
    pub in_place: Vec<PathBuf>,
    /// The user's path for the journal.
    pub file: Option<&'a Path>,
    /// True if an earlier run is to be continued.
    pub resume: bool,
    /// True to start anew even if an earlier run was not completed.
    pub restart: bool,
}

/// The journal of a run in progress, locked until it is dropped.
pub struct Journal {
    folder: Folder,
    name: OsString,
    file: Mutex<File>,
    finished: Finished,
    is_resumed: bool,
    /// True if the run can be resumed: it has created a file or a folder, and is not complete.
    has_work: AtomicBool,
}

/// The reason why there is no journal.
pub(crate) enum JournalError {
    /// Reading or writing the named file failed.
    Io(PathBuf, io::Error),
    /// There is no state folder.
    NoState(io::Error),
    /// The file at the journal's path is not a journal.
    Foreign(PathBuf),
    /// An earlier run has converted files in place, and `--resume` is missing. The string is its command, if different.
    Unfinished(PathBuf, Option<String>),
    /// The run to be resumed, or a run over the same files, has not ended.
    Locked(PathBuf),
    /// `--resume=FILE` names the journal of another run.
    OtherOptions(PathBuf),
}

impl JournalError {
    /// Returns the message for the user.
    pub fn failure(self) -> Failure {
        match self {
            Self::Io(path, error) => {
                let remedy = format!("{error}; name another file with --resume=FILE");
                Failure::io("keep the journal", quote(&path), io::Error::other(remedy))
            }
            Self::NoState(error) => Failure::usage(&format!(
                "no place for the journal, the list of finished files with which an interrupted run goes on ({error}); name a file for it with --resume=FILE"
            )),
            Self::Foreign(path) => Failure::usage(&format!(
                "{}: is not the journal of a run, so it stays as it is; name a new file with --resume=FILE",
                quote(&path)
            )),
            Self::Unfinished(path, None) => Failure::usage(&format!(
                "an earlier run of this command is unfinished (its journal is {}); add --resume to go on with it, or --force to begin anew",
                quote(&path)
            )),
            Self::Unfinished(path, Some(command)) => Failure::usage(&format!(
                "an earlier run over these files is unfinished (its journal is {}); go on with it: {command}; or add --force to begin anew",
                quote(&path)
            )),
            Self::Locked(path) => Failure::usage(&format!(
                "another run is converting these files (it holds the journal {}); wait until it ends",
                quote(&path)
            )),
            Self::OtherOptions(path) => Failure::usage(&format!(
                "{}: is the journal of another command or working folder; repeat that command to go on with it, or name a new file with --resume=FILE",
                quote(&path)
            )),
        }
    }
}

impl Journal {
    /// Opens the journal of a run.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be written, if the file is not a journal, or if its run has not ended. In place, it also
    /// fails if an incomplete earlier run has converted some of the same files.
    pub(crate) fn open(ask: &Ask<'_>) -> Result<Self, JournalError> {
        if let Some(path) = ask.file {
            let failed = |error| JournalError::Io(path.to_owned(), error);
            let parent = path.parent().unwrap_or(Path::new(""));
            let folder = Folder::open(parent).map_err(failed)?;
            let name = path.file_name().unwrap_or_default();
            let opened = Self::open_named(folder, name, ask)?;
            return opened.ok_or_else(|| JournalError::Locked(path.to_owned()));
        }
        let state = || state::open("journals").map_err(JournalError::NoState);
        // FNV-1a is used because it does not change between versions of the program.
        let hash = ask
            .options
            .bytes()
            .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
            });
        let own = |count: u32| {
            OsString::from(match count {
                0 => format!("{hash:016x}.journal"),
                _ => format!("{hash:016x}-{count}.journal"),
            })
        };
        if !ask.in_place.is_empty() {
            look_for_others(&state()?, &own(0), ask)?;
        }
        for count in 0..MAX_RUNS {
            let folder = state()?;
            let name = own(count);
            let path = folder.path().join(&name);
            match Self::open_named(folder, &name, ask) {
                Ok(Some(journal)) => return Ok(journal),
                // The same command is already running.
                Ok(None) if ask.resume || !ask.in_place.is_empty() => {
                    return Err(JournalError::Locked(path));
                }
                // Another command has the same hash, so the next name is tried.
                Ok(None) | Err(JournalError::OtherOptions(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let busy = io::Error::other("the same command is running too many times");
        Err(JournalError::NoState(busy))
    }

    /// Opens the journal of a run. If no folder can hold it, and it is not needed, warns and returns `None`.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be written, or if an earlier run must be completed first.
    pub fn open_or_warn(ask: &Ask<'_>, is_needed: bool) -> Result<Option<Self>, Failure> {
        if ask.file.is_some_and(|file| file.as_os_str() == "-") {
            return Err(Failure::usage(
                "the journal is read again by the next run, so it cannot be standard output; name a file with --resume=FILE",
            ));
        }
        match Self::open(ask) {
            Ok(journal) => {
                if ask.resume && !journal.is_resumed {
                    crate::report::say(
                        "nothing to resume: no earlier run of this command is unfinished; a new run begins",
                    );
                }
                Ok(Some(journal))
            }
            Err(JournalError::NoState(error)) if !is_needed => {
                crate::report::say(&format!(
                    "no place for the journal ({error}): this run cannot go on after an interruption, unless --resume=FILE names a file for it"
                ));
                Ok(None)
            }
            Err(error) => Err(error.failure()),
        }
    }

    /// Opens the journal with this name; `None` if another run has it open.
    fn open_named(
        folder: Folder,
        name: &OsStr,
        ask: &Ask<'_>,
    ) -> Result<Option<Self>, JournalError> {
        let path = folder.path().join(name);
        let failed = |error| JournalError::Io(path.clone(), error);
        let mut file = loop {
            let file = state::open_file(&folder, name).map_err(failed)?;
            if rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
                return Ok(None);
            }
            // A completed run may have removed the file before it was locked here.
            let now = folder.stamp(name).ok().map(|now| now.identity());
            let metadata = file.metadata().map_err(failed)?;
            if now == Some(Stamp::of(&metadata).identity()) {
                break file;
            }
        };
        let is_new = file.metadata().map_err(failed)?.len() == 0;
        let header = read_header(&file).map_err(failed)?;
        let mut start = Vec::new();
        let mut finished = Finished::default();
        let is_same = header
            .as_ref()
            .is_some_and(|header| header.options == ask.options);
        match &header {
            None if !is_new => return Err(JournalError::Foreign(path)),
            Some(_) if !is_same && (ask.resume || ask.file.is_none()) => {
                return Err(JournalError::OtherOptions(path));
            }
            None => {}
            Some(header) => {
                finished = Finished::read(&file).map_err(failed)?;
                // With very many sources, the header of a run does not list them.
                let is_in_place = !header.sources.is_empty() || is_same && !ask.in_place.is_empty();
                let guards = is_in_place && !ask.resume && !ask.restart;
                if guards && finished.is_under_way() {
                    let command = (!is_same).then(|| header.command.clone());
                    return Err(JournalError::Unfinished(path, command));
                }
            }
        }
        let is_resumed = ask.resume && is_same;
        if is_resumed {
            // The last line of the earlier run may be truncated.
            start.push(b'\n');
        } else {
            finished = Finished::default();
            file.set_len(0).map_err(failed)?;
            writeln!(start, "{}", Header::line(ask)).map_err(failed)?;
        }
        file.write_all(&start).map_err(failed)?;
        Ok(Some(Self {
            has_work: AtomicBool::new(finished.has_work() && !finished.complete),
            name: name.to_owned(),
            folder,
            file: Mutex::new(file),
            finished,
            is_resumed,
        }))
    }

    /// True if an earlier run is continued; otherwise all earlier runs were complete.
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// Returns the state in which an earlier run left the file at `target`, if it finished the file.
    pub fn finished(&self, target: &Path) -> Option<Before> {
        self.finished.before(target)
    }

    /// Returns the folders that earlier runs have created below the output folder, each with its source folder.
    pub fn made(&self) -> &[(PathBuf, Spot)] {
        &self.finished.made
    }

    /// Records the targets of drafts, which are identified by device and inode.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be written. The drafts must then not be committed.
    pub(crate) fn intend<'a>(
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

    /// Records the targets of finished files.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be written.
    pub fn done<'a>(&self, targets: impl Iterator<Item = &'a Path>) -> io::Result<()> {
        let mut lines = Vec::new();
        for target in targets {
            write_name(&mut lines, target)?;
            lines.extend_from_slice(b"}\n");
        }
        self.append(&lines)
    }

    /// Records a folder that was created below the output folder, with its source folder.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be written.
    pub fn make(&self, folder: &Path, like: &Spot) -> io::Result<()> {
        let line = json!({
            "made": name_of(folder),
            "root": name_of(&like.root),
            "within": name_of(&like.within),
        });
        self.append(format!("{line}\n").as_bytes())
    }

    fn append(&self, lines: &[u8]) -> io::Result<()> {
        self.has_work.store(true, Ordering::Relaxed);
        let mut file = lock(&self.file);
        file.write_all(lines)
    }

    /// Records that the run is complete, so that resuming does nothing.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be written.
    pub fn complete(&self) -> io::Result<()> {
        self.append(format!("{}\n", json!({ "complete": true })).as_bytes())?;
        self.has_work.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// Records the run of [`super::history`] that owns this journal.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be written.
    pub fn note_run(&self, id: u64) -> io::Result<()> {
        let mut file = lock(&self.file);
        writeln!(file, "{}", json!({ "run": id }))
    }

    /// Returns the number of the resumed run in [`super::history`], if it was recorded.
    pub fn run(&self) -> Option<u64> {
        self.finished.run
    }

    /// Returns the path of the journal.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// Ends the run. The journal is removed if the run is complete, or if it has finished no file.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be removed.
    pub fn end(self) -> io::Result<()> {
        if self.has_work.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.folder.remove(&self.name)
    }
}

/// Removes the journal at a path, if it belongs to this run and no process has it open.
///
/// # Errors
///
/// Fails if the run has not ended, or the journal cannot be removed.
pub fn remove_of_run(path: &Path, id: u64) -> io::Result<()> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(());
    };
    let Ok(folder) = Folder::open(parent) else {
        return Ok(());
    };
    if !folder.has(name) {
        return Ok(());
    }
    // Another file may have the journal's name by now.
    let Ok(file) = state::open_file(&folder, name) else {
        return Ok(());
    };
    if read_header(&file)?.is_none() || Finished::read(&file)?.run != Some(id) {
        return Ok(());
    }
    if rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
        return Err(io::Error::other("the run is under way"));
    }
    folder.remove(name)
}

/// Looks for runs over the same files that are incomplete or have not ended.
fn look_for_others(state: &Folder, own: &OsStr, ask: &Ask<'_>) -> Result<(), JournalError> {
    let failed = |error| JournalError::Io(state.path().to_owned(), error);
    for (name, _) in state.names().map_err(failed)? {
        let is_journal = name.as_bytes().ends_with(b".journal");
        let Some(file) = state.read(&name).ok().filter(|_| is_journal && name != own) else {
            continue;
        };
        let Ok(Some(header)) = read_header(&file) else {
            continue;
        };
        if !sources::overlap(&header.sources, &ask.in_place) {
            continue;
        }
        let path = state.path().join(&name);
        if rustix::fs::flock(&file, FlockOperation::NonBlockingLockShared).is_err() {
            return Err(JournalError::Locked(path));
        }
        let finished = Finished::read(&file).map_err(failed)?;
        if !ask.restart && finished.touches(&header.cwd, &ask.in_place) {
            return Err(JournalError::Unfinished(path, Some(header.command)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
