//! The messages of a conversion to one output: progress and report, from [`mojika_convert::job`].

use crate::args::convert::ConvertArgs;
use crate::source::Watched;
use mojika_convert::job::operation::Operation;
use mojika_convert::job::record::{Fate, Record};
use mojika_convert::job::report::Progress;
use mojika_convert::quote::quote;
use mojika_convert::report::Failure;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

pub use mojika_convert::job::operation::going;

/// Collects the results for the inputs.
pub struct Watch {
    operation: Operation,
    /// The number of input bytes that progress includes.
    counted: AtomicU64,
    /// True if line ends and marks are counted.
    counts: bool,
}

/// Records the failure of an input that is not converted.
pub fn refuse(record: &mut Record, failure: &Failure) {
    match failure {
        Failure::Doubtful { doubt, .. } | Failure::Contradiction { doubt, .. } => {
            record.fate = Fate::Doubtful;
            record.reason = Some(doubt.to_string());
            record.doubt = Some(doubt.clone());
        }
        Failure::Binary { what, .. } => {
            record.fate = Fate::Skipped;
            record.reason = Some((*what).to_owned());
        }
        failure => {
            record.fate = Fate::Failed;
            record.reason = record.reason.take().or_else(|| failure.message());
        }
    }
    if let Some(judgement) = record.judgement.filter(|_| record.encoding.is_none())
        && record.fate == Fate::Doubtful
    {
        record.encoding = Some(judgement.decision.encoding);
        record.why = Some(judgement.decision.source.as_str());
    }
}

/// Refuses options that select files in folders.
pub fn refuse_options(args: &ConvertArgs) -> Result<(), Failure> {
    let select = &args.select;
    let options = [
        ("--include", !select.include.is_empty()),
        ("--exclude", !select.exclude.is_empty()),
        ("--gitignore", select.gitignore),
        ("--copy-other", args.place.copy_other),
        ("--null", select.list.null && select.doubtful.is_none()),
    ];
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(Failure::Usage(format!(
            "{option} is for folders: name one as source, or use -o DIR/"
        ))),
        None => Ok(()),
    }
}

impl Watch {
    pub fn new(args: &ConvertArgs) -> Result<Self, Failure> {
        let is_text_there = args.output.is_none();
        let is_there = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
        if is_text_there && is_there(&args.select.run.report) {
            return Err(Failure::usage(
                "the text goes to standard output: write the report to a file",
            ));
        }
        if is_text_there && is_there(&args.select.doubtful) {
            return Err(Failure::usage(
                "the text goes to standard output: write the list of doubtful files to a file",
            ));
        }
        let inputs = args.inputs();
        let names = inputs.iter().map(PathBuf::as_path);
        args.select.check_own_files(names, args.output.as_deref())?;
        let mut say = args.select.say(args.quiet);
        if args.output.is_none() && say.progress == Progress::Auto && io::stdout().is_terminal() {
            // The text itself is shown on the terminal.
            say.progress = Progress::Never;
        }
        let operation = Operation::begin(&say, None, None)?;
        Ok(Self {
            operation,
            counted: AtomicU64::new(0),
            counts: !args.shape().is_idle(),
        })
    }

    /// Sets the expected total.
    pub fn expect(&self, files: &[PathBuf]) {
        let size = |file: &PathBuf| file.metadata().map_or(0, |metadata| metadata.len());
        self.operation.reporter.expect(files.iter().map(size));
    }

    /// Wraps a reader so that it shows progress.
    pub fn counting<'w>(&'w self, reader: Box<dyn Read + Send>) -> Box<dyn Read + Send + 'w> {
        self.counted.store(0, Ordering::Relaxed);
        let reporter = &self.operation.reporter;
        match reporter.shows_progress() {
            true => Box::new(Watched {
                reader,
                counted: &self.counted,
                reporter: Some(reporter),
            }),
            false => reader,
        }
    }

    /// Adds the result for an input. An input that is not converted has a reason; it counts as failed if there is a failure.
    pub fn add(&self, mut record: Record, failure: Option<&Failure>, reason: Option<String>) {
        record.seen = record.seen.filter(|_| self.counts && reason.is_none());
        if reason.is_some() {
            record.fate = Fate::Skipped;
        }
        // The record has path and reason in separate fields.
        let named = format!("{}: ", quote(&record.path));
        record.reason = reason.map(|reason| match reason.strip_prefix(&named) {
            Some(rest) => rest.to_owned(),
            None => reason,
        });
        record.bytes_counted = self.counted.swap(0, Ordering::Relaxed);
        if let Some(failure) = failure {
            refuse(&mut record, failure);
        }
        self.operation.reporter.add(record);
    }

    /// Writes a line to standard error.
    pub fn say(&self, line: &str) {
        self.operation.reporter.warn(line);
    }

    /// Ends progress and report.
    pub fn finish(self) -> Result<(), Failure> {
        self.operation.end(None).map(drop)
    }
}
