//! The messages of a conversion to one output: progress and report, from [`mojika_convert::job`].

use crate::args::convert::ConvertArgs;
use mojika_convert::engine::{Format, Outcome, Trouble};
use mojika_convert::job::operation::Operation;
use mojika_convert::job::record::{Fate, Faults, Record};
use mojika_convert::job::report::Progress;
use mojika_convert::quote::quote;
use mojika_convert::report::{self, Failure};
use mojika_sniff::judge::Judgement;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The result for one input.
pub struct Finding {
    pub path: PathBuf,
    pub format: Option<Format>,
    /// The size of a regular file, in bytes.
    pub size: Option<u64>,
    pub outcome: Outcome,
    faults: Faults,
    /// The judgement on the encoding, with `--from auto`.
    pub judgement: Option<Judgement>,
    pub time: Duration,
    /// The results for the parts of mail, with --mail.
    pub mail: Option<Box<mojika_mail::Report>>,
    /// The declarations of the encoding, with --update-declared.
    pub declared: mojika_convert::declared::Changes,
}

impl Finding {
    fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            format: None,
            size: None,
            outcome: Outcome::default(),
            faults: Default::default(),
            judgement: None,
            time: Duration::ZERO,
            mail: None,
            declared: mojika_convert::declared::Changes::default(),
        }
    }

    /// Adds an error for the report.
    pub fn add(&mut self, trouble: &Trouble) {
        self.faults.push(trouble);
    }
}

pub use mojika_convert::job::operation::going;

/// Collects the results for the inputs.
pub struct Watch {
    operation: Option<Arc<Operation>>,
    most_faults: usize,
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

/// Returns the number of threads for one input; 0 means one per core.
pub fn jobs(args: &ConvertArgs) -> usize {
    args.select.run.jobs
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
            most_faults: mojika_convert::job::record::MOST_FAULTS,
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

    /// Returns an empty result for the input at `path`.
    pub fn finding(&self, path: &Path) -> Finding {
        let mut finding = Finding::new(path);
        finding.faults = Faults::new(self.most_faults);
        finding
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

    /// Records the result for an input. An input that is not converted has a reason; it counts as failed if there is a
    /// failure.
    pub fn add(&self, finding: Finding, failure: Option<&Failure>, reason: Option<String>) {
        let Some(operation) = &self.operation else {
            return;
        };
        let is_converted = reason.is_none();
        // The record has path and reason in separate fields.
        let named = format!("{}: ", quote(&finding.path));
        let reason = reason.map(|reason| match reason.strip_prefix(&named) {
            Some(rest) => rest.to_owned(),
            None => reason,
        });
        let fate = match is_converted {
            true => Fate::Converted,
            false => Fate::Skipped,
        };
        let mut record = Record::new(finding.path, fate);
        record.reason = reason;
        record.encoding = finding.outcome.encoding;
        record.why = finding.outcome.encoding.map(|_| finding.outcome.why);
        record.judgement = finding.judgement;
        record.format = finding.format;
        record.bytes_in = finding.size.unwrap_or(finding.outcome.bytes_in);
        record.bytes_out = finding.outcome.bytes_out;
        record.bytes_counted = self.counted.swap(0, Ordering::Relaxed);
        record.malformed = finding.outcome.malformed;
        record.unmappable = finding.outcome.unmappable;
        record.seen = Some(finding.outcome.seen).filter(|_| self.counts && is_converted);
        record.faults = finding.faults;
        record.declared = finding.declared;
        record.mail = finding.mail;
        record.changes = finding.outcome.changes;
        record.repaired = finding.outcome.repaired.repaired;
        record.time = finding.time;
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
