//! A worker: takes entries, decides on each, and converts files to drafts.

use super::walk::{EntryKind, Item, WalkEntry};
use super::{Destination, Run};
use crate::args::files::Links;
use crate::source::{HEAD, Opened};
use mojika_convert::engine::Compress;
use mojika_convert::job::batch::{self, Batch, FileStep};
use mojika_convert::job::draft::Maker;
use mojika_convert::job::folder::{LastFolder, Opener};
use mojika_convert::job::operation;
use mojika_convert::job::problem::{Cause, Problem, cannot, failed, skipped};
use mojika_convert::job::record::{Fate, Record};
use mojika_convert::report::counted;
use std::io;
use std::os::unix::fs::MetadataExt;

/// Takes entries one after another. New files get their final names in batches.
pub struct Worker<'a> {
    pub run: &'a Run<'a>,
    pub batch: Batch<'a>,
    pub maker: Maker,
    pub sources: Opener,
    pub targets: LastFolder,
    head: Vec<u8>,
}

impl<'a> Worker<'a> {
    pub fn new(run: &'a Run<'a>, jobs: usize) -> Self {
        let backup = run.order.how.backup.as_deref();
        Self {
            run,
            batch: run.operation.batch(jobs, backup, run.kept.as_ref()),
            maker: Maker::default(),
            sources: Opener::default(),
            targets: LastFolder::default(),
            head: vec![0; HEAD],
        }
    }

    fn work_on(&mut self, entry: &WalkEntry) {
        let mut head = std::mem::take(&mut self.head);
        let processed = batch::guarded(entry.path.clone(), |record| match entry.kind {
            EntryKind::File if entry.is_backup => Err(skipped(match self.run.order.place {
                Destination::Sources => "a backup that an earlier run has made: it stays as it is",
                _ => "a backup that an earlier run has made; name it to convert it",
            })),
            EntryKind::File => {
                let source = Opened::new(self.sources.read(&entry.spot), &mut head)?;
                if self.run.operation.is_own_file(&source.metadata) {
                    return Err(skipped("the report or list that this run writes"));
                }
                let step = self.file(entry, &source, record);
                record.bytes_counted = source.counted();
                step
            }
            _ => self.other(entry, record),
        });
        self.head = head;
        self.batch.take(processed);
    }

    /// Handles an entry that is not a file.
    fn other(&mut self, entry: &WalkEntry, record: &mut Record) -> Result<FileStep, Problem> {
        match entry.kind {
            EntryKind::Folder => {
                if self.run.operation.folders.is_some() {
                    let like = Some(entry.spot.clone());
                    let made = self.run.operation.make_folder(&entry.relative, like);
                    made.map_err(cannot("create the folder"))?;
                }
                Ok(FileStep::Nothing)
            }
            EntryKind::Link => match (&self.run.order.place, self.run.order.select.links) {
                (Destination::Folder(folder), Links::Copy) => {
                    record.output = Some(folder.join(&entry.relative));
                    if self.run.operation.folders.is_some() {
                        self.copy_link(entry).map_err(cannot("copy the link"))?;
                    }
                    Ok(FileStep::Done(Fate::Copied))
                }
                _ => Err(skipped("a symbolic link")),
            },
            _ => Err(skipped("not a regular file")),
        }
    }

    fn file(
        &mut self,
        entry: &WalkEntry,
        source: &Opened<'_>,
        record: &mut Record,
    ) -> Result<FileStep, Problem> {
        let order = &self.run.order;
        let in_place = order.in_place();
        record.bytes_in = source.metadata.len();
        record.format = source.format;
        let target = self.target(entry, source.format);
        if let Some(target) = &target
            && let Some(step) = self.run.operation.set_output(&target.path, record)?
        {
            return Ok(step);
        }
        if in_place {
            if let Some(step) = self.check_in_place(entry, source, record)? {
                return Ok(step);
            }
        } else if let Some(target) = &target {
            let replaces = order.how.output.force;
            // For a small file, creating the draft detects an existing output just as early.
            let is_early = source.whole().is_none() || order.how.dry_run;
            if is_early && !replaces && target.path.symlink_metadata().is_ok() {
                return Err(failed(batch::EXISTS));
            }
            // Without these options, the draft of the second file finds the output of the first.
            if replaces || order.compress != Compress::Keep {
                self.run.operation.claim(&target.path, "file")?;
            }
        }

        let choice = match (self.run.choose(entry, source, record), &target) {
            (Err(problem), Some(target))
                if problem.cause == Cause::Binary && !in_place && order.how.copy_other =>
            {
                return self.copy(entry, source, target, record, Fate::Copied);
            }
            (choice, _) => choice?,
        };
        record.encoding = Some(choice.encoding);
        record.why = Some(choice.why);
        if self.run.is_already(source, choice, record)? {
            return match target {
                Some(target) if !in_place => {
                    self.copy(entry, source, &target, record, Fate::Already)
                }
                _ => Ok(FileStep::Done(Fate::Already)),
            };
        }

        let Some(target) = target.filter(|_| !self.run.order.how.dry_run) else {
            let (outcome, result) = self.convert(source, &mut io::sink(), choice, record);
            record.bytes_out = outcome.bytes_out;
            result?;
            if matches!(self.run.order.place, Destination::Nowhere)
                && let Some(first) = &outcome.first_error
            {
                return Err(self.faulty(first, choice, record));
            }
            return Ok(FileStep::Done(Fate::Converted));
        };
        match self.convert_to(entry, source, &target, choice, record) {
            Err(problem) if problem.cause == Cause::NoRoom && !self.batch.is_empty() => {
                // Frees space: before the commit, a draft and the file that it replaces both occupy space.
                self.batch.commit();
                self.convert_to(entry, source, &target, choice, record)
            }
            result => result,
        }
    }

    /// Checks that a file may be replaced now; returns a step if the file is already finished.
    fn check_in_place(
        &self,
        entry: &WalkEntry,
        source: &Opened<'_>,
        record: &mut Record,
    ) -> Result<Option<FileStep>, Problem> {
        let metadata = &source.metadata;
        match &entry.links {
            None if metadata.nlink() > 1 => {
                self.run.defer((metadata.dev(), metadata.ino()), entry);
                return Ok(Some(FileStep::Nothing));
            }
            None => {
                if !self.run.touch(metadata) {
                    return Err(skipped("this run has converted it under another name"));
                }
            }
            Some(links) => {
                let within = links.len() as u64 + 1;
                if metadata.nlink() > within {
                    let beyond = metadata.nlink() - within;
                    let keep = if beyond == 1 { "keeps" } else { "keep" };
                    record.reason = Some(format!(
                        "{} outside of the sources {keep} the old text",
                        counted(beyond, "more hard link")
                    ));
                }
            }
        }
        // As with `sed -i`, a read-only file is replaced if its folder is writable.
        Ok(None)
    }
}

impl operation::Worker<Item> for Worker<'_> {
    fn work(&mut self, item: Item) {
        match item {
            Ok(entry) => self.work_on(&entry),
            Err(error) => self.run.operation.reporter.add(error.record()),
        }
    }

    /// Moves finished drafts to their final names.
    fn end(mut self) {
        self.batch.commit();
    }
}

/// Converts a file with several hard links in the tree, and gives them all to the new file.
impl operation::Worker<Vec<WalkEntry>> for Worker<'_> {
    fn work(&mut self, mut entries: Vec<WalkEntry>) {
        // They are in the order in which the workers met them.
        entries.sort_by(|one, other| one.path.cmp(&other.path));
        let mut first = entries.remove(0);
        first.links = Some(entries.into_iter().map(|entry| entry.spot).collect());
        self.work_on(&first);
        self.batch.commit();
    }

    fn end(self) {}
}
