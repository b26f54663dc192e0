//! Batches of new files that get their final names together. They are flushed to the disk at once, and recorded in the
//! journal before and after that.

use super::draft::{Access, Draft};
use super::folder::{Folder, Opener, Spot};
use super::journal::Journal;
use super::problem::{Problem, failed};
use super::record::{Fate, Record};
use super::replaced::Kept;
use super::report::Reporter;
use crate::quote::quote;
use std::ffi::OsStr;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// The reason why a file is not converted whose output exists.
pub const EXISTS: &str = "the output exists; --force replaces it";

/// The maximum number of files in a batch.
const MAX_FILES: usize = 100;
/// The maximum number of bytes that a batch holds before it is committed.
pub const MOST_BYTES: u64 = 16 << 20;

/// The maximum number of bytes in the lists of a batch's records, before the batch is committed.
const MOST_LISTED: usize = 2 << 20;

/// The number of open files besides drafts: standard streams, journal, report, locks, signals, the directory walk, and
/// files that libraries open.
const OTHER_FILES: u64 = 64;
/// The number of other open files, to limit the number of jobs. A job has a source and a draft, with their folders.
const FEWEST_OTHER_FILES: u64 = 13;
const EACH_JOB: u64 = 6;

/// Returns the number of jobs, at most `jobs`, that the limit on open files allows.
pub fn most_jobs(jobs: usize) -> usize {
    let Some(files) = most_files() else {
        return jobs;
    };
    let most = files.saturating_sub(FEWEST_OTHER_FILES) / EACH_JOB;
    jobs.min(usize::try_from(most).unwrap_or(jobs)).max(1)
}

/// Returns the maximum number of drafts that each of `jobs` batches may hold open.
fn most_drafts(jobs: usize) -> usize {
    let Some(files) = most_files() else {
        return MAX_FILES;
    };
    // Each job also has a source and a folder open, and each draft may need an open folder of its own.
    let jobs = jobs.max(1) as u64;
    let each = (files.saturating_sub(OTHER_FILES) / jobs).saturating_sub(2) / 2;
    usize::try_from(each)
        .unwrap_or(MAX_FILES)
        .clamp(1, MAX_FILES)
}

/// Returns the limit on open files, after raising it as far as the system allows.
fn most_files() -> Option<u64> {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        let raised = rustix::process::Rlimit {
            current: limit.maximum,
            ..limit
        };
        if setrlimit(Resource::Nofile, raised).is_ok() {
            limit = raised;
        }
    }
    limit.current
}

/// The state of a file so far.
pub enum FileStep {
    /// There is nothing to do: the entry is a folder, or a file that waits for its other hard links.
    Nothing,
    /// The file is finished without a new file.
    Done(Fate),
    /// The new file is complete, but does not have its final name yet.
    Draft(Box<Draft>),
}

/// The record of a file, and the state of the file or its problem.
pub type Processed = (Record, Result<FileStep, Problem>);

/// Processes the file at `path`; a panic becomes a problem of that file.
pub fn guarded(
    path: PathBuf,
    work: impl FnOnce(&mut Record) -> Result<FileStep, Problem>,
) -> Processed {
    Record::timed(path, |record| {
        let result = catch_unwind(AssertUnwindSafe(|| work(record)));
        result.unwrap_or_else(|_| Err(failed("an internal error; please report it")))
    })
}

/// A complete new file that does not have its final name yet.
struct Ready {
    draft: Draft,
    /// The record to report once the file has its final name.
    record: Record,
}

/// The drafts of one thread.
pub struct Batch<'a> {
    /// The journal that records finished files.
    journal: Option<&'a Journal>,
    /// Receives the records of files that are finished or have failed.
    reporter: &'a Reporter,
    /// The extension of backups. A file that is replaced is kept under its name with this extension.
    backup: Option<&'a str>,
    /// The list of replaced files, for an undo.
    kept: Option<&'a Kept>,
    /// The maximum number of drafts.
    most: usize,
    ready: Vec<Ready>,
    bytes: u64,
    /// The number of bytes in the lists of the records.
    listed: usize,
}

impl<'a> Batch<'a> {
    /// Creates an empty batch for one of `jobs` threads.
    pub(crate) fn new(
        journal: Option<&'a Journal>,
        reporter: &'a Reporter,
        backup: Option<&'a str>,
        kept: Option<&'a Kept>,
        jobs: usize,
    ) -> Self {
        Self {
            journal,
            reporter,
            backup,
            kept,
            most: most_drafts(jobs),
            ready: Vec::new(),
            bytes: 0,
            listed: 0,
        }
    }

    /// Takes the result for a file. A draft waits until its batch is committed.
    pub fn take(&mut self, (mut record, result): Processed) {
        match result {
            Ok(FileStep::Nothing) => return,
            Ok(FileStep::Draft(draft)) => {
                let draft = *draft;
                return self.add(Ready { draft, record });
            }
            Ok(FileStep::Done(fate)) => record.fate = fate,
            Err(problem) => {
                record.fate = problem.fate;
                record.reason = Some(problem.reason);
            }
        }
        self.reporter.add(record);
    }

    /// Adds a draft, and commits the batch if it is full.
    fn add(&mut self, ready: Ready) {
        self.bytes += ready.record.bytes_out;
        self.listed += ready.record.weight();
        self.ready.push(ready);
        if self.ready.len() >= self.most || self.bytes >= MOST_BYTES || self.listed >= MOST_LISTED {
            self.commit();
        }
    }

    /// True if no draft is waiting.
    pub fn is_empty(&self) -> bool {
        self.ready.is_empty()
    }

    /// Commits the batch: gives all its drafts the names of their targets.
    pub fn commit(&mut self) {
        (self.bytes, self.listed) = (0, 0);
        if self.ready.is_empty() {
            return;
        }
        let batch = std::mem::take(&mut self.ready);
        if let Err(error) = self.secure(&batch) {
            for mut one in batch {
                one.record.fate = Fate::Failed;
                one.record.reason = Some(format!("cannot write to the disk: {error}"));
                self.reporter.add(one.record);
            }
            return;
        }
        let mut appeared = Vec::with_capacity(batch.len());
        for one in batch {
            let Ready {
                mut draft,
                mut record,
            } = one;
            let target = draft.target();
            let (folder, name) = (draft.folder().clone(), draft.name().to_owned());
            let links = std::mem::take(&mut draft.links);
            match self.appear(draft) {
                Ok(()) => {
                    for link in &links {
                        if let Err(error) = relink(&folder, &name, link) {
                            record.fate = Fate::Failed;
                            let link = quote(&link.path());
                            record.reason = Some(format!("cannot link {link}: {error}"));
                        }
                    }
                    if record.fate != Fate::Failed {
                        appeared.push(target);
                        appeared.extend(links.iter().map(Spot::path));
                    }
                }
                Err(reason) => {
                    record.fate = Fate::Failed;
                    record.reason = Some(reason);
                }
            }
            self.reporter.add(record);
        }
        // The report is flushed first, because a resumed run does not report files that the journal lists as done.
        self.reporter.flush();
        if let Some(journal) = self.journal
            && let Err(error) = journal.done(appeared.iter().map(PathBuf::as_path))
        {
            let reason = format!("cannot write to the journal: {error}");
            self.reporter.warn(&reason);
        }
    }

    /// Records the batch in the journal, and flushes it to the disk.
    fn secure(&self, batch: &[Ready]) -> io::Result<()> {
        if let Some(journal) = self.journal {
            let mut targets = Vec::with_capacity(batch.len());
            // The text saved from damaged input is not a finished file.
            let whole = batch.iter().filter(|one| one.record.fate != Fate::Failed);
            for one in whole {
                let identity = one.draft.identity()?;
                targets.push((one.draft.target(), identity));
                // The other hard links of the replaced file will become links to the draft.
                targets.extend(one.draft.links.iter().map(|link| (link.path(), identity)));
            }
            journal.intend(targets.iter().map(|(path, identity)| (&**path, *identity)))?;
        }
        if let (Some(kept), Some(suffix)) = (self.kept, self.backup) {
            kept.note(batch.iter().map(|one| &one.draft), suffix)?;
        }
        // A power failure must not lose text: the whole batch is on the disk before any of its files replaces another.
        let mut devices = Vec::new();
        for one in batch {
            let device = one.draft.device();
            if cfg!(target_os = "linux") && devices.contains(&device) {
                continue;
            }
            devices.push(device);
            #[cfg(target_os = "linux")]
            rustix::fs::syncfs(one.draft.file())?;
            #[cfg(not(target_os = "linux"))]
            one.draft.file().sync_all()?;
        }
        Ok(())
    }

    /// Gives a draft the name of its target. It replaces an existing file only if that is still the file that was read.
    fn appear(&self, draft: Draft) -> Result<(), String> {
        let cannot = |action: &str, error| format!("cannot {action}: {error}");
        if let Some(source) = draft.replaces {
            let (folder, name) = (draft.folder(), draft.name());
            let now = folder
                .stamp(name)
                .map_err(|error| cannot("replace", error))?;
            if now != source {
                return Err("another program has changed it meanwhile, so it stays as it is; convert it again".to_owned());
            }
            if let Some(suffix) = self.backup {
                let mut backup = name.to_owned();
                backup.push(suffix);
                if let Err(error) = folder.link(name, folder, &backup) {
                    // A run that was interrupted at this point has already made the backup.
                    if folder.stamp(&backup).ok() != Some(source) {
                        return Err(match error.kind() {
                            io::ErrorKind::AlreadyExists => format!(
                                "its backup {} exists and is not replaced; move it away, or use another --backup SUFFIX",
                                quote(Path::new(&backup))
                            ),
                            _ => cannot("keep a backup", error),
                        });
                    }
                }
            }
        }
        draft.commit().map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => EXISTS.to_owned(),
            _ => cannot("replace", error),
        })
    }
}

/// Replaces `link` by a hard link to the file `name` in `folder`, atomically.
fn relink(folder: &Folder, name: &OsStr, link: &Spot) -> io::Result<()> {
    let target = Opener::default().folder_of(link)?;
    let temporary = Draft::create_named(&target, link.name(), true, Access::Private)?;
    temporary.link_instead(folder, name)
}
