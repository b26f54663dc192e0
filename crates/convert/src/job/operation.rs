//! One operation over many inputs: the output folder, the journal, the report, workers, and the end.
//!
//! Each subcommand that reads or changes files is an operation. It opens its [`Operation`] before the first input,
//! passes its inputs to [`work`](Operation::work) or takes them from [`going`], and ends it.

pub use super::again::again;
use super::batch::{Batch, FileStep};
use super::folder::{Folder, Spot, Stamp};
use super::journal::{Before, Journal};
use super::lines;
use super::output_tree::OutputTree;
use super::problem::{Problem, failed};
use super::record::{Fate, Record};
use super::replaced::Kept;
use super::report::{Reporter, Say};
use super::signals;
use super::summary::Summary;
use crate::engine::{self, lock};
use crate::report::{self as messages, Failure};
use std::collections::HashSet;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// An operation in progress.
pub struct Operation {
    start: Instant,
    /// Receives the records.
    pub reporter: Reporter,
    /// The journal of finished files.
    pub journal: Option<Journal>,
    /// The folders of the output.
    pub folders: Option<OutputTree>,
    /// The device and inode of each file that the operation writes besides its output.
    own: Vec<(u64, u64)>,
    /// The claimed outputs.
    outputs: Mutex<HashSet<PathBuf>>,
}

/// Processes inputs in one thread.
pub trait Worker<T> {
    /// Processes one input.
    fn work(&mut self, input: T);

    /// Ends the work of the thread.
    fn end(self);
}

impl Operation {
    /// Resumes the work in the journal, and opens the report. The caller must handle signals before it creates files.
    ///
    /// # Errors
    ///
    /// Fails if the journal or the report cannot be written.
    pub fn begin(
        say: &Say<'_>,
        journal: Option<Journal>,
        folders: Option<OutputTree>,
    ) -> Result<Self, Failure> {
        if let (Some(folders), Some(journal)) = (&folders, &journal) {
            let taken = folders.resume(journal);
            taken.map_err(|error| Failure::io("write", "the journal", error))?;
        }
        let resume = journal.as_ref().is_some_and(Journal::is_resumed);
        Ok(Self {
            start: Instant::now(),
            reporter: Reporter::new(&Say { resume, ..*say })?,
            journal,
            folders,
            own: say.own_identities(),
            outputs: Mutex::default(),
        })
    }

    /// True if the operation itself writes the file at `path`, as its report or its list of doubtful files.
    pub fn is_own(&self, path: &Path) -> bool {
        !self.own.is_empty() && lines::identity(path).is_some_and(|one| self.own.contains(&one))
    }

    /// True if the operation itself writes this open file.
    pub fn is_own_file(&self, file: &Metadata) -> bool {
        self.own.contains(&Stamp::of(file).identity())
    }

    /// Notes the output of a file in its record. Returns a step if the resumed run has finished the file.
    ///
    /// # Errors
    ///
    /// Fails if the output would replace the report or the list of doubtful files.
    pub fn set_output(
        &self,
        target: &Path,
        record: &mut Record,
    ) -> Result<Option<FileStep>, Problem> {
        let journal = self.journal.as_ref();
        if let Some(before) = journal.and_then(|journal| journal.finished(target)) {
            record.is_reported = before == Before::Reported;
            return Ok(Some(FileStep::Done(Fate::Finished)));
        }
        record.output = Some(target.to_owned());
        match self.is_own(target) {
            true => Err(failed(
                "its output would replace the report or list of this run; give the report or list another name",
            )),
            false => Ok(None),
        }
    }

    /// Returns the folder at `relative` below the output folder, which is created if missing.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be created, or if there is no output folder.
    pub fn make_folder(&self, relative: &Path, like: Option<Spot>) -> io::Result<Arc<Folder>> {
        let folders = self.folders.as_ref().ok_or(io::ErrorKind::NotFound)?;
        folders.make(relative, like, self.journal.as_ref())
    }

    /// Claims an output for one input, which messages call `what`.
    ///
    /// # Errors
    ///
    /// Fails if another input has claimed the output.
    pub fn claim(&self, target: &Path, what: &str) -> Result<(), Problem> {
        match lock(&self.outputs).insert(target.to_owned()) {
            true => Ok(()),
            false => Err(failed(format!(
                "another {what} of this run has the same output; convert one of the two to another folder"
            ))),
        }
    }

    /// Returns an empty batch for one of `jobs` threads. Replaced files are recorded in `kept`, and renamed with the
    /// extension `backup`.
    pub fn batch<'a>(
        &'a self,
        jobs: usize,
        backup: Option<&'a str>,
        kept: Option<&'a Kept>,
    ) -> Batch<'a> {
        Batch::new(self.journal.as_ref(), &self.reporter, backup, kept, jobs)
    }

    /// Passes the inputs to the workers of `jobs` threads, until none is left or the operation must stop.
    pub fn work<T, W: Worker<T>>(
        &self,
        jobs: usize,
        inputs: impl Iterator<Item = T> + Send,
        worker: impl Fn() -> W + Sync,
    ) {
        let inputs = Mutex::new(going(inputs));
        let next = || lock(&inputs).next();
        engine::on_threads(jobs, &|| {
            let mut worker = worker();
            while let Some(input) = next() {
                worker.work(input);
            }
            worker.end();
        });
    }

    /// Ends progress and report, gives the output folders the attributes of their originals, and removes a journal that
    /// has nothing to resume. If `verb`, the word for the treatment of the files, is given, prints the summary.
    ///
    /// Returns the summary and the exit status, in which doubtful files do not count as failures.
    ///
    /// # Errors
    ///
    /// Fails if the journal, the report or the list of doubtful files cannot be written.
    pub fn end(self, verb: Option<&str>) -> Result<(Summary, u8), Failure> {
        if let Some(folders) = &self.folders {
            folders.keep_attributes(&self.reporter);
        }
        let (summary, reported) = self.reporter.finish();
        let is_complete = !summary.has_failures() && !signals::stopped();
        let journal_failed = |error| Failure::io("write", "the journal", error);
        if is_complete && let Some(journal) = &self.journal {
            journal.complete().map_err(journal_failed)?;
        }
        if let Some(verb) = verb {
            let again = (self.journal.is_some() && !is_complete).then(again);
            let text = summary.text(self.start.elapsed(), again.as_deref(), verb);
            messages::say(text.trim_end());
        }
        reported?;
        if let Some(journal) = self.journal {
            journal.end().map_err(journal_failed)?;
        }
        Ok((summary, status(is_complete)))
    }
}

/// Returns the inputs until the operation must stop.
pub fn going<I: Iterator>(inputs: I) -> impl Iterator<Item = I::Item> {
    inputs.take_while(|_| !signals::stopped())
}

/// Returns the exit status of an operation: that of the signal that stopped it, or 1 unless it `is_complete`.
pub fn status(is_complete: bool) -> u8 {
    signals::status().unwrap_or(u8::from(!is_complete))
}
