//! Drafts that appear together: forced to the disk at once, with lines in the journal before and after.

use super::draft::Draft;
use super::journal::Journal;
use super::quote;
use super::record::{Fate, Record};
use super::report::Reporter;
use clap::ValueEnum;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Most files of a batch, and the bytes that end it.
const MOST: usize = 100;
pub const MOST_BYTES: u64 = 16 << 20;

/// Open files that are no drafts: standard streams, journal, report, sources, what libraries open.
const OTHER_FILES: u64 = 64;

/// When output is forced to the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Sync {
    /// When the system likes: a power failure can lose text
    None,
    /// Before the files of a batch appear, all of them at once
    #[default]
    Batch,
    /// Before each file appears
    File,
}

/// How batches appear.
#[derive(Clone, Copy)]
pub struct Policy<'a> {
    /// Where to note what appears.
    pub journal: Option<&'a Journal>,
    /// Takes the records of files that have appeared or failed.
    pub reporter: &'a Reporter,
    /// When to force output to the disk.
    pub sync: Sync,
    /// What is replaced keeps its name with this ending.
    pub backup: Option<&'a str>,
    /// Most drafts of a batch.
    pub most: usize,
}

/// How many drafts each of `jobs` batches may hold open. Raises the limit on open files as far as the system allows.
pub fn most_drafts(jobs: usize, sync: Sync) -> usize {
    use rustix::process::{Resource, getrlimit, setrlimit};
    if sync == Sync::File {
        return 1;
    }
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
    let Some(files) = limit.current else {
        return MOST;
    };
    // Each job has a source and a folder open besides, and each draft may be in a folder of its own, which is open, too.
    let jobs = jobs.max(1) as u64;
    let each = (files.saturating_sub(OTHER_FILES) / jobs).saturating_sub(2) / 2;
    usize::try_from(each).unwrap_or(MOST).clamp(1, MOST)
}

/// A draft that is complete but has not appeared.
pub struct Ready {
    pub draft: Draft,
    /// What to report once it has appeared.
    pub record: Record,
    /// The file that it replaces, as it was when it was read: if that has changed, the draft does not appear.
    pub replaces: Option<Metadata>,
    /// Further names that become names of the new file.
    pub links: Vec<PathBuf>,
}

/// The drafts of one thread.
pub struct Batch<'a> {
    policy: Policy<'a>,
    ready: Vec<Ready>,
    bytes: u64,
}

impl<'a> Batch<'a> {
    pub fn new(policy: Policy<'a>) -> Self {
        Self {
            policy,
            ready: Vec::new(),
            bytes: 0,
        }
    }

    /// Adds a draft, and lets the batch appear if it is full.
    pub fn add(&mut self, ready: Ready) {
        self.bytes += ready.record.bytes_out;
        self.ready.push(ready);
        if self.ready.len() >= self.policy.most || self.bytes >= MOST_BYTES {
            self.commit();
        }
    }

    /// Whether no draft waits.
    pub fn is_empty(&self) -> bool {
        self.ready.is_empty()
    }

    /// Lets the batch appear.
    pub fn commit(&mut self) {
        self.bytes = 0;
        if self.ready.is_empty() {
            return;
        }
        let batch = std::mem::take(&mut self.ready);
        if let Err(error) = self.secure(&batch) {
            for mut one in batch {
                one.record.fate = Fate::Failed;
                one.record.reason = Some(format!("cannot write to the disk: {error}"));
                self.policy.reporter.add(one.record);
            }
            return;
        }
        let mut appeared = Vec::with_capacity(batch.len());
        for one in batch {
            let Ready {
                draft,
                mut record,
                replaces,
                links,
            } = one;
            match self.appear(draft, replaces.as_ref()) {
                Ok(target) => {
                    for link in &links {
                        if let Err(error) = relink(&target, link) {
                            record.fate = Fate::Failed;
                            record.reason = Some(format!("cannot link {}: {error}", quote(link)));
                        }
                    }
                    // Output saved from damaged input does not count as finished.
                    if record.fate != Fate::Failed {
                        appeared.push(target);
                        appeared.extend(links);
                    }
                }
                Err(reason) => {
                    record.fate = Fate::Failed;
                    record.reason = Some(reason);
                }
            }
            self.policy.reporter.add(record);
        }
        if let Some(journal) = self.policy.journal
            && let Err(error) = journal.done(appeared.iter().map(PathBuf::as_path))
        {
            let reason = format!("cannot write to the journal: {error}");
            self.policy.reporter.warn(&reason);
        }
    }

    /// Writes to the journal what is to appear, and the batch to the disk.
    fn secure(&self, batch: &[Ready]) -> io::Result<()> {
        if let Some(journal) = self.policy.journal {
            let mut identities = Vec::with_capacity(batch.len());
            for one in batch {
                identities.push(one.draft.identity()?);
            }
            journal.intend(batch.iter().zip(&identities).flat_map(|(one, &identity)| {
                // The further names of a file become names of the draft.
                let links = one.links.iter().map(PathBuf::as_path);
                let targets = std::iter::once(one.draft.target()).chain(links);
                targets.map(move |target| (target, identity))
            }))?;
        }
        match self.policy.sync {
            Sync::None => {}
            #[cfg(target_os = "linux")]
            Sync::Batch => {
                let mut devices = Vec::new();
                for one in batch {
                    let device = one.draft.device();
                    if !devices.contains(&device) {
                        devices.push(device);
                        rustix::fs::syncfs(one.draft.file())?;
                    }
                }
            }
            _ => {
                for one in batch {
                    one.draft.file().sync_all()?;
                }
            }
        }
        Ok(())
    }

    /// Lets one file appear; where it replaces another, only if that is still what was read.
    fn appear(&self, draft: Draft, replaces: Option<&Metadata>) -> Result<PathBuf, String> {
        let cannot = |action: &str, error| format!("cannot {action}: {error}");
        let target = draft.target().to_owned();
        if let Some(source) = replaces {
            let now = fs::symlink_metadata(&target).map_err(|error| cannot("replace", error))?;
            if !is_same(&now, source) {
                return Err("another program has changed it; it stays as it is".to_owned());
            }
            if let Some(suffix) = self.policy.backup {
                let mut name = target.clone().into_os_string();
                name.push(suffix);
                if let Err(error) = fs::hard_link(&target, &name) {
                    // A run that was killed here has made the backup.
                    let backup = fs::symlink_metadata(&name);
                    if !backup.is_ok_and(|backup| is_same(&backup, source)) {
                        return Err(cannot("keep a backup", error));
                    }
                }
            }
        }
        draft.commit().map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => "the output exists; --force replaces it".to_owned(),
            _ => cannot("replace", error),
        })?;
        Ok(target)
    }
}

/// Whether nothing has been written to a file.
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    let identity = |one: &Metadata| {
        (
            one.dev(),
            one.ino(),
            one.len(),
            one.mtime(),
            one.mtime_nsec(),
        )
    };
    identity(one) == identity(other)
}

/// Makes `link` a name of the file at `target`, in one step.
fn relink(target: &Path, link: &Path) -> io::Result<()> {
    let temporary = Draft::create(link, true, 0o600)?;
    temporary.link_instead(target)
}
