//! Runs that `mojika undo` can revert: a file of JSON lines for each, in the user's state folder.
//!
//! The first line describes the run. The other lines depend on the kind of run: new names ([`super::renames`]) or replaced
//! files ([`super::replaced`]). A run keeps its file locked. The last `MAX_KEPT_RUNS` runs are kept.

use super::folder::{Folder, Stamp};
use super::names::{name_of, path_of};
use super::state;
use rustix::fs::{FlockOperation, Mode, OFlags};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// The maximum number of runs that are kept.
pub(crate) const MAX_KEPT_RUNS: usize = 100;
/// The maximum length of a line in bytes: the first one has all sources of the command line.
const MOST_LINE: u64 = 32 << 20;
const VERSION: u64 = 1;
const ENDING: &str = ".run";

/// The kind of the changes that a run has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// New names of files, by `mojika names`.
    Names,
    /// New contents of files, by `mojika convert --in-place --backup`.
    Files,
}

impl ChangeKind {
    /// Returns the word for the kind.
    pub fn word(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::Files => "files",
        }
    }
}

/// The first line of a run.
#[derive(Clone, Debug)]
pub struct Header {
    /// The kind of the run.
    pub kind: ChangeKind,
    /// The command line.
    pub command: String,
    /// The working folder.
    pub cwd: PathBuf,
    /// The absolute paths of the files and folders that the user named.
    pub sources: Vec<PathBuf>,
    /// The absolute path of the run's journal. If that file exists, the run was interrupted.
    pub journal: Option<PathBuf>,
    /// The start of the run, in seconds since 1970.
    pub began: u64,
}

impl Header {
    /// Returns the header of a run that begins now.
    pub fn new(kind: ChangeKind, sources: Vec<PathBuf>) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            kind,
            command: super::again::again(),
            cwd: std::env::current_dir().unwrap_or_default(),
            sources,
            journal: None,
            began: now.unwrap_or_default().as_secs(),
        }
    }

    fn line(&self) -> Value {
        json!({
            "mojika_run": VERSION,
            "kind": self.kind.word(),
            "command": self.command,
            "cwd": name_of(&self.cwd),
            "sources": self.sources.iter().map(|path| name_of(path)).collect::<Vec<_>>(),
            "journal": self.journal.as_deref().map(name_of),
            "began": self.began,
        })
    }

    fn of(line: &Value) -> Option<Self> {
        (line["mojika_run"] == VERSION).then_some(())?;
        let kinds = [ChangeKind::Names, ChangeKind::Files];
        Some(Self {
            kind: kinds.into_iter().find(|kind| line["kind"] == kind.word())?,
            command: line["command"].as_str().unwrap_or_default().to_owned(),
            cwd: path_of(&line["cwd"])?,
            sources: line["sources"]
                .as_array()?
                .iter()
                .filter_map(path_of)
                .collect(),
            journal: path_of(&line["journal"]),
            began: line["began"].as_u64().unwrap_or_default(),
        })
    }
}

/// A recorded run. Its file stays locked until this value is dropped.
pub struct RecordedRun {
    folder: Folder,
    name: OsString,
    file: File,
    /// The number of the run.
    pub id: u64,
    /// The first line of the run's history.
    pub header: Header,
}

/// The reason why a run cannot be opened.
pub enum RunError {
    /// No run has this number.
    None,
    /// The run has not ended.
    Locked,
    /// Reading or writing failed.
    Io(io::Error),
}

impl From<io::Error> for RunError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::None,
            _ => Self::Io(error),
        }
    }
}

fn folder() -> io::Result<Folder> {
    state::open("runs")
}

fn name_of_run(id: u64) -> OsString {
    OsString::from(format!("{id}{ENDING}"))
}

/// Returns the numbers of all runs, in order.
fn ids(folder: &Folder) -> io::Result<Vec<u64>> {
    let number = |(name, _): &(OsString, _)| name.to_str()?.strip_suffix(ENDING)?.parse().ok();
    let mut ids: Vec<u64> = folder.names()?.iter().filter_map(number).collect();
    ids.sort_unstable();
    Ok(ids)
}

/// A run that is kept.
pub struct Listed {
    /// The number of the run.
    pub id: u64,
    /// The first line of the run's history.
    pub header: Header,
    /// True if the run has not ended.
    pub is_locked: bool,
}

/// Returns the runs that are kept, in order.
///
/// # Errors
///
/// Fails if there is no state folder, or it cannot be read.
pub fn all() -> io::Result<Vec<Listed>> {
    let mut runs = Vec::new();
    let folder = folder()?;
    for id in ids(&folder)? {
        match RecordedRun::open(id) {
            Ok(run) => runs.push(Listed {
                id,
                header: run.header,
                is_locked: false,
            }),
            Err(RunError::Locked) => {
                let file = folder.read(&name_of_run(id));
                let header = file.ok().and_then(|file| read_header(&file).ok()?);
                runs.extend(header.map(|header| Listed {
                    id,
                    header,
                    is_locked: true,
                }));
            }
            // The run has been removed, or was interrupted before its first line.
            Err(RunError::None | RunError::Io(_)) => {}
        }
    }
    Ok(runs)
}

fn read_header(mut file: &File) -> io::Result<Option<Header>> {
    file.rewind()?;
    let mut lines = state::lines(file, MOST_LINE);
    Ok(lines.next().transpose()?.as_ref().and_then(Header::of))
}

impl RecordedRun {
    /// Creates the file of a new run, and removes the oldest runs beyond `MAX_KEPT_RUNS`.
    ///
    /// # Errors
    ///
    /// Fails if there is no state folder, or the file cannot be written.
    pub fn create(header: Header) -> io::Result<Self> {
        let folder = folder()?;
        let known = ids(&folder)?;
        let mut id = known.last().map_or(1, |last| last + 1);
        let flags = OFlags::RDWR
            | OFlags::APPEND
            | OFlags::CREATE
            | OFlags::EXCL
            | OFlags::NOFOLLOW
            | OFlags::CLOEXEC;
        let (name, file) = loop {
            let name = name_of_run(id);
            match rustix::fs::openat(folder.fd(), &name, flags, Mode::RUSR | Mode::WUSR) {
                Ok(file) => break (name, File::from(file)),
                Err(rustix::io::Errno::EXIST) => id += 1,
                Err(error) => return Err(error.into()),
            }
        };
        rustix::fs::flock(&file, FlockOperation::LockExclusive)?;
        let run = Self {
            folder,
            name,
            file,
            id,
            header,
        };
        run.append(format!("{}\n", run.header.line()).as_bytes())?;
        let many = (known.len() + 1).saturating_sub(MAX_KEPT_RUNS);
        for &old in known.iter().take(many) {
            // A run that has not ended stays.
            if let Ok(old) = Self::open(old) {
                old.remove()?;
            }
        }
        Ok(run)
    }

    /// Opens the run with this number.
    ///
    /// # Errors
    ///
    /// Fails if there is no such run, or it has not ended.
    pub fn open(id: u64) -> Result<Self, RunError> {
        let folder = folder()?;
        let name = name_of_run(id);
        // The file is looked up first, because `open_file` would create it if it were missing.
        folder.stamp(&name)?;
        let file = state::open_file(&folder, &name)?;
        if rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            return Err(RunError::Locked);
        }
        let now = folder.stamp(&name)?.identity();
        if now != Stamp::of(&file.metadata()?).identity() {
            return Err(RunError::None);
        }
        let header = read_header(&file)?.ok_or(RunError::None)?;
        Ok(Self {
            folder,
            name,
            file,
            id,
            header,
        })
    }

    /// Returns the lines after the first one. A truncated line is left out.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn lines(&self) -> io::Result<impl Iterator<Item = io::Result<Value>> + '_> {
        (&self.file).rewind()?;
        Ok(state::lines(&self.file, MOST_LINE).skip(1))
    }

    /// Continues an interrupted run, whose last line may be truncated.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn go_on(&self) -> io::Result<()> {
        self.append(b"\n")
    }

    /// Appends lines.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn append(&self, lines: &[u8]) -> io::Result<()> {
        (&self.file).write_all(lines)
    }

    /// Flushes the appended lines to the disk.
    ///
    /// # Errors
    ///
    /// Fails if flushing fails.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Removes the file, because nothing can be reverted any more.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be removed.
    pub fn remove(self) -> io::Result<()> {
        self.folder.remove(OsStr::new(&self.name))
    }
}
