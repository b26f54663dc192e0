//! One worker: takes entries, decides what becomes of each, and converts files to drafts.

use super::problem::{Cause, Problem, cannot, damaged, failed, skipped, unreadable};
use super::source::{HEAD, Opened};
use super::target::{Outputs, Target};
use super::transcode::{Stop, transcode};
use super::walk::{Entry, Kind};
use super::{Place, Run, Source};
use crate::args::files::Links;
use crate::decide::{self, Doubt};
use crate::engine::{self, BomMode, Compressor, ErrorMode, From, Newline, Outcome};
use crate::job::batch::{Batch, MOST_BYTES, Ready};
use crate::job::draft::Draft;
use crate::job::folder::{Spot, Stamp};
use crate::job::journal::Before;
use crate::job::output_tree::Like;
use crate::job::record::{Fate, Record};
use crate::job::{signals, summary};
use crate::report;
use mojika::Encoding;
use mojika::sniff::Source as SniffSource;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// The encoding of a file, and why, in the words of the report.
#[derive(Clone, Copy)]
struct Choice {
    encoding: &'static Encoding,
    why: &'static str,
    /// What the engine is told.
    from: From,
}

/// What a file is.
enum Chosen {
    Text(Choice),
    /// No text, but this.
    Binary(&'static str),
}

/// A file that somebody has to decide on.
fn doubtful(record: &mut Record, doubt: Doubt) -> Problem {
    let reason = doubt.reason.clone();
    record.doubt = Some(Box::new(doubt));
    Problem {
        fate: Fate::Doubtful,
        ..failed(reason)
    }
}

pub struct Worker<'a> {
    run: &'a Run,
    batch: Batch<'a>,
    outputs: Outputs<'a>,
    head: Vec<u8>,
}

/// What became of an entry so far.
enum Step {
    /// It is a folder, or waits for its hard links.
    Nothing,
    Done(Fate),
    Draft(Box<Draft>),
}

impl<'a> Worker<'a> {
    pub fn new(run: &'a Run, jobs: usize) -> Self {
        Self {
            run,
            batch: Batch::new(run.policy(jobs)),
            outputs: Outputs::new(run),
            head: vec![0; HEAD],
        }
    }

    /// Works on one entry.
    pub fn work(&mut self, entry: &Entry) {
        self.work_on(entry, None);
    }

    /// Converts a file that has several names in the tree, and gives them all to the new one.
    pub fn work_linked(&mut self, mut entries: Vec<Entry>) {
        let first = entries.remove(0);
        let others = entries.into_iter().map(|entry| entry.spot).collect();
        self.work_on(&first, Some(others));
        self.batch.commit();
    }

    /// Lets what is ready appear.
    pub fn commit(&mut self) {
        self.batch.commit();
    }

    fn work_on(&mut self, entry: &Entry, links: Option<Vec<Spot>>) {
        let start = Instant::now();
        let mut record = Record::new(entry.path.clone(), Fate::Converted);
        let mut head = std::mem::take(&mut self.head);
        let mut replaces = None;
        let file = || match entry.kind {
            Kind::File if entry.is_backup => Err(skipped(
                "a backup that an earlier run has made; name it to convert it",
            )),
            Kind::File => {
                let opened = Opened::new(self.outputs.open(entry), &mut head);
                opened.map_err(Problem::from).and_then(|source| {
                    let step = self.file(entry, &source, &mut record, links.as_deref());
                    record.bytes_counted = source.counted();
                    if matches!(self.run.place, Place::Sources { .. }) {
                        replaces = Some(Stamp::of(&source.metadata));
                    }
                    step
                })
            }
            _ => self.other(entry, &mut record),
        };
        // A fault of this program is one file's, and the others go on.
        let result = catch_unwind(AssertUnwindSafe(file));
        let result = result.unwrap_or_else(|_| Err(failed("an internal error; please report it")));
        self.head = head;
        record.time = start.elapsed();
        match result {
            Ok(Step::Nothing) => {}
            Ok(Step::Done(fate)) => {
                record.fate = fate;
                self.run.reporter.add(record);
            }
            Ok(Step::Draft(draft)) => self.batch.add(Ready {
                draft: *draft,
                record,
                replaces,
                links: links.unwrap_or_default(),
            }),
            Err(problem) => {
                record.fate = problem.fate;
                record.reason = Some(problem.reason);
                self.run.reporter.add(record);
            }
        }
    }

    /// What is not a file.
    fn other(&mut self, entry: &Entry, record: &mut Record) -> Result<Step, Problem> {
        match entry.kind {
            Kind::Folder => {
                if let Some(folders) = &self.run.folders {
                    let like = Like::Folder(entry.spot.clone());
                    let made = folders.make(&entry.relative, &like, self.run.journal.as_ref());
                    made.map_err(cannot("create the folder"))?;
                }
                Ok(Step::Nothing)
            }
            Kind::Link => match (&self.run.place, self.run.links) {
                (Place::Folder(folder), Links::Copy) => {
                    record.output = Some(folder.join(&entry.relative));
                    if self.run.folders.is_some() {
                        self.outputs
                            .copy_link(entry)
                            .map_err(cannot("copy the link"))?;
                    }
                    Ok(Step::Done(Fate::Copied))
                }
                _ => Err(skipped("a symbolic link")),
            },
            _ => Err(skipped("not a regular file")),
        }
    }

    fn file(
        &mut self,
        entry: &Entry,
        source: &Opened<'_>,
        record: &mut Record,
        links: Option<&[Spot]>,
    ) -> Result<Step, Problem> {
        let in_place = matches!(self.run.place, Place::Sources { .. });
        record.bytes_in = source.metadata.len();
        record.format = source.format;
        let target = self.outputs.target(entry, source.format);
        if let (Some(target), Some(journal)) = (&target, &self.run.journal)
            && let Some(before) = journal.finished(&target.path)
        {
            record.is_reported = before == Before::Reported;
            return Ok(Step::Done(Fate::Finished));
        }
        record.output = target.as_ref().map(|target| target.path.clone());
        if in_place {
            if let Some(step) = self.check_in_place(entry, source, record, links)? {
                return Ok(step);
            }
        } else if let Some(target) = &target {
            // A small file's draft finds it as soon.
            let is_early = source.whole().is_none() || self.run.dry_run;
            if is_early && !self.run.force && target.path.symlink_metadata().is_ok() {
                return Err(failed("the output exists; --force replaces it"));
            }
            if !self.run.is_first(&target.path) {
                return Err(failed("another file of this run has the same output"));
            }
        }

        let choice = match self.choose(entry, source, record)? {
            Chosen::Text(choice) => choice,
            Chosen::Binary(what) => {
                return match target {
                    Some(target) if !in_place && self.run.copy_other => {
                        self.copy(entry, source, &target, record, Fate::Copied)
                    }
                    _ => Err(skipped(match source.format {
                        None => what.to_owned(),
                        Some(format) => format!("{format} data, and in it {what}"),
                    })),
                };
            }
        };
        record.encoding = Some(choice.encoding);
        record.why = Some(choice.why);
        if self.is_already(source, choice)? || self.is_utf_8_already(source, choice, record)? {
            return match target {
                Some(target) if !in_place => {
                    self.copy(entry, source, &target, record, Fate::Already)
                }
                _ => Ok(Step::Done(Fate::Already)),
            };
        }

        let Some(target) = target.filter(|_| !self.run.dry_run) else {
            let (outcome, result) = self.convert(source, &mut io::sink(), choice, record);
            record.bytes_out = outcome.bytes_out;
            return result.map(|()| Step::Done(Fate::Converted));
        };
        match self.convert_to(entry, source, &target, choice, record) {
            Err(problem) if problem.cause == Cause::NoRoom && !self.batch.is_empty() => {
                // What waits to replace a file takes room twice.
                self.batch.commit();
                self.convert_to(entry, source, &target, choice, record)
            }
            result => result,
        }
    }

    /// The encoding of a file, given or decided.
    fn choose(
        &self,
        entry: &Entry,
        source: &Opened<'_>,
        record: &mut Record,
    ) -> Result<Chosen, Problem> {
        let Source::Given(given) = self.run.from else {
            return self.decide(entry, source, record);
        };
        let head = source.head();
        let is_text = self.run.question.is_text;
        if let Some(what) = decide::binary(head, Some(given)).filter(|_| !is_text) {
            return Ok(Chosen::Binary(what));
        }
        let mark = engine::byte_order_mark(head, Some(given), self.run.rules.rfc2781);
        Ok(Chosen::Text(Choice {
            encoding: mark.map_or(given, |(encoding, _)| encoding),
            why: mark
                .map_or(SniffSource::Override, |_| SniffSource::Bom)
                .as_str(),
            from: From::Given(given),
        }))
    }

    /// The encoding of a file that the user does not name.
    fn decide(
        &self,
        entry: &Entry,
        source: &Opened<'_>,
        record: &mut Record,
    ) -> Result<Chosen, Problem> {
        let decided = source
            .decide(&self.run.question, &entry.path)
            .map_err(unreadable(source.format))?;
        record.judgement = decided.judgement;
        let decision = decided.decision();
        record.encoding = decision.map(|decision| decision.encoding);
        record.why = decision.map(|decision| decision.source.as_str());
        match decided.outcome {
            decide::Outcome::Binary(what) => {
                (record.encoding, record.why) = (None, None);
                return Ok(Chosen::Binary(what));
            }
            decide::Outcome::Contradiction(error) => {
                return Err(doubtful(record, Doubt::of_contradiction(&error)));
            }
            decide::Outcome::Doubtful(doubt) => return Err(doubtful(record, *doubt)),
            decide::Outcome::Sure => {}
        }
        let decision = decision.ok_or_else(|| failed("nothing says which encoding this is"))?;
        Ok(Chosen::Text(Choice {
            encoding: decision.encoding,
            why: decision.source.as_str(),
            from: From::Decided(decision),
        }))
    }

    /// Whether a file may be replaced now; a step if it is done with.
    fn check_in_place(
        &self,
        entry: &Entry,
        source: &Opened<'_>,
        record: &mut Record,
        links: Option<&[Spot]>,
    ) -> Result<Option<Step>, Problem> {
        let metadata = &source.metadata;
        match links {
            None if metadata.nlink() > 1 => {
                self.run.defer((metadata.dev(), metadata.ino()), entry);
                return Ok(Some(Step::Nothing));
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
                    record.reason = Some(format!(
                        "{beyond} more hard links outside of the sources keep the old text"
                    ));
                }
            }
        }
        // A file that is read-only is replaced, as `sed -i` does: its folder counts.
        Ok(None)
    }

    /// Whether the conversion would change nothing.
    fn is_already(&self, source: &Opened<'_>, choice: Choice) -> Result<bool, Problem> {
        let mut rules = self.run.rules;
        let has_bom =
            engine::byte_order_mark(source.head(), Some(choice.encoding), rules.rfc2781).is_some();
        let same_bom = match rules.bom {
            BomMode::Add => has_bom,
            BomMode::Strip => !has_bom,
            BomMode::Keep => true,
        };
        let same_format = self.run.compress.format(source.format) == source.format;
        if choice.encoding != rules.to
            || !same_bom
            || !same_format
            || rules.newline != Newline::Keep
        {
            return Ok(false);
        }
        if choice.encoding == mojika::UTF_8 {
            // What is damaged is no text, and the conversion says so.
            return Ok(matches!(source.utf_8(), Ok(Some(_))));
        }
        rules.errors = ErrorMode::Fatal;
        let (_, _, result) = transcode(source, &mut io::sink(), choice.from, rules, None, 0);
        Ok(result.is_ok())
    }

    /// Whether a file is UTF-8 although the user says otherwise: it has been converted before.
    fn is_utf_8_already(
        &self,
        source: &Opened<'_>,
        choice: Choice,
        record: &mut Record,
    ) -> Result<bool, Problem> {
        let rules = &self.run.rules;
        let is_candidate = !self.run.convert_utf_8
            && rules.to == mojika::UTF_8
            && matches!(choice.from, From::Given(_))
            && choice.why == SniffSource::Override.as_str()
            && rules.newline == Newline::Keep
            && rules.bom != BomMode::Add
            && choice.encoding != mojika::UTF_8;
        // Damaged data is found when it is converted.
        if !is_candidate || !matches!(source.utf_8(), Ok(Some(true))) {
            return Ok(false);
        }
        record.reason = Some("already UTF-8; --convert-utf-8 converts it all the same".to_owned());
        record.encoding = Some(mojika::UTF_8);
        record.why = Some(SniffSource::Detection.as_str());
        Ok(true)
    }

    /// Converts a file to a draft.
    fn convert_to(
        &mut self,
        entry: &Entry,
        source: &Opened<'_>,
        target: &Target,
        choice: Choice,
        record: &mut Record,
    ) -> Result<Step, Problem> {
        let in_place = matches!(self.run.place, Place::Sources { .. });
        if source.metadata.len() > MOST_BYTES {
            // What is ready need not wait for a long conversion.
            self.batch.commit();
        }
        let draft = self.draft(entry, source, target)?;
        let format = self.run.compress.format(source.format);
        let mut writer = Compressor::new(format, draft.file()).map_err(cannot("compress"))?;
        let (outcome, result) = self.convert(source, &mut writer, choice, record);
        let damage = match result {
            Ok(()) => None,
            Err(problem)
                if problem.cause == Cause::Damage && self.run.salvage && outcome.bytes_out > 0 =>
            {
                Some(problem)
            }
            Err(problem) => return Err(problem),
        };
        writer.finish().map_err(cannot("write"))?;
        record.bytes_out = match format {
            None => outcome.bytes_out,
            Some(_) => draft.file().metadata().map_err(cannot("write"))?.len(),
        };
        if let Some(problem) = damage {
            record.fate = Fate::Failed;
            let saved = outcome.bytes_out;
            record.reason = Some(format!("{}; {saved} bytes of text saved", problem.reason));
        } else if !source
            .is_unchanged(outcome.bytes_in)
            .map_err(cannot("read"))?
        {
            return Err(failed("it changed while it was read"));
        }
        draft
            .keep_attributes(&source.file, &source.metadata)
            .map_err(cannot("keep mode and times"))?;
        if in_place && let Ok(own) = draft.file().metadata() {
            self.run.touch(&own);
        }
        Ok(Step::Draft(Box::new(draft)))
    }

    /// Converts a file; what precedes a problem has been written.
    fn convert(
        &self,
        source: &Opened<'_>,
        writer: &mut (dyn Write + Send),
        choice: Choice,
        record: &mut Record,
    ) -> (Outcome, Result<(), Problem>) {
        let (rules, reporter) = (self.run.rules, Some(&self.run.reporter));
        let (outcome, faults, result) = transcode(
            source,
            writer,
            choice.from,
            rules,
            reporter,
            self.run.most_faults,
        );
        record.malformed = outcome.malformed;
        record.unmappable = outcome.unmappable;
        record.faults = faults;
        let result = result.map_err(|stop| match stop {
            Stop::Trouble(trouble) => {
                let mut reason = summary::trouble(&trouble, choice.encoding, rules.to);
                if trouble.kind == engine::TroubleKind::Malformed {
                    reason += &report::in_question(record.judgement.as_ref());
                }
                if record.faults.is_empty() {
                    record.faults.push(&trouble);
                }
                failed(reason)
            }
            Stop::NoRoom(reason) => Problem {
                cause: Cause::NoRoom,
                ..failed(reason)
            },
            Stop::Damaged(format, error) => Problem {
                cause: Cause::Damage,
                ..failed(damaged(format, &error, outcome.bytes_in))
            },
            Stop::Interrupted => failed("interrupted"),
            Stop::Other(reason) => failed(reason),
        });
        (outcome, result)
    }

    fn draft(
        &mut self,
        entry: &Entry,
        source: &Opened<'_>,
        target: &Target,
    ) -> Result<Draft, Problem> {
        let created = self.outputs.draft(entry, source, target);
        let created = created.or_else(|error| {
            if error.kind() != io::ErrorKind::StorageFull {
                return Err(error);
            }
            // What waits to replace a file takes room twice.
            self.batch.commit();
            self.outputs.draft(entry, source, target)
        });
        created.map_err(cannot("create a file"))
    }

    /// Copies the file as it is.
    fn copy(
        &mut self,
        entry: &Entry,
        source: &Opened<'_>,
        target: &Target,
        record: &mut Record,
        fate: Fate,
    ) -> Result<Step, Problem> {
        record.fate = fate;
        record.bytes_out = source.metadata.len();
        if self.run.dry_run {
            return Ok(Step::Done(fate));
        }
        source.rewind().map_err(cannot("read"))?;
        let draft = self.draft(entry, source, target)?;
        // Between two files this is `copy_file_range`.
        let copied = io::copy(&mut &source.file, &mut draft.file()).map_err(cannot("copy"))?;
        if copied != source.metadata.len()
            || !source.is_unchanged(copied).map_err(cannot("read"))?
        {
            return Err(failed("it changed while it was read"));
        }
        draft
            .keep_attributes(&source.file, &source.metadata)
            .map_err(cannot("keep mode and times"))?;
        Ok(Step::Draft(Box::new(draft)))
    }
}

/// Whether the run goes on.
pub fn goes_on() -> bool {
    !signals::stopped()
}
