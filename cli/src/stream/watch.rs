//! The messages of a conversion to one output: progress and report, from [`mojika_convert::job`].

use crate::args::convert::ConvertArgs;
use mojika_convert::job::operation::Operation;
use mojika_convert::job::record::{Fate, Record};
use mojika_convert::job::report::Progress;
use mojika_convert::quote::quote;
use mojika_convert::report::{self, Failure};
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use mojika_convert::job::operation::going;

/// Collects the results for the inputs.
pub struct Watch {
    operation: Option<Arc<Operation>>,
    /// The number of input bytes that progress includes.
    counted: Arc<AtomicU64>,
    /// True if line ends and marks are counted.
    counts: bool,
}

/// Records the failure of an input that is not converted.
pub fn refuse(record: &mut Record, failure: &Failure) {
    match failure {
        Failure::Doubtful { doubt, .. } | Failure::Contradiction { doubt, .. } => {
            record.fate = Fate::Doubtful;
            record.reason = Some(doubt.reason.clone());
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
            operation: Some(Arc::new(operation)),
            counted: Arc::default(),
            counts: !args.shape().is_idle(),
        })
    }

    /// Sets the expected total.
    pub fn expect(&self, files: &[PathBuf]) {
        if let Some(operation) = &self.operation {
            let size = |file: &PathBuf| file.metadata().map_or(0, |metadata| metadata.len());
            operation.reporter.expect(files.iter().map(size));
        }
    }

    /// Wraps a reader so that it shows progress.
    pub fn counting(&self, reader: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        self.counted.store(0, Ordering::Relaxed);
        match &self.operation {
            Some(operation) if operation.reporter.shows_progress() => Box::new(Counting {
                reader,
                operation: Arc::clone(operation),
                counted: Arc::clone(&self.counted),
            }),
            _ => reader,
        }
    }

    /// Adds the result for an input. An input that is not converted has a reason; it counts as failed if there is a failure.
    pub fn add(&self, mut record: Record, failure: Option<&Failure>, reason: Option<String>) {
        let Some(operation) = &self.operation else {
            return;
        };
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
        operation.reporter.add(record);
    }

    /// Writes a line to standard error.
    pub fn say(&self, line: &str) {
        match &self.operation {
            Some(operation) => operation.reporter.warn(line),
            None => report::say(line),
        }
    }

    /// Ends progress and report.
    pub fn finish(&mut self) -> Result<(), Failure> {
        let operation = self.operation.take().and_then(Arc::into_inner);
        operation.map_or(Ok(()), |operation| operation.end(None).map(drop))
    }
}

struct Counting {
    reader: Box<dyn Read + Send>,
    operation: Arc<Operation>,
    counted: Arc<AtomicU64>,
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(buffer)?;
        self.counted.fetch_add(len as u64, Ordering::Relaxed);
        self.operation.reporter.advance(len as u64);
        Ok(len)
    }
}
