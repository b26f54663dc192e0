//! What the user sees of a run: progress, the report, warnings.

use super::args::Progress;
use super::quote;
use super::record::{Fate, Record};
use super::summary::Summary;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Takes the records of all workers.
pub struct Reporter {
    state: Mutex<State>,
    bar: ProgressBar,
    verbose: bool,
    fail_fast: bool,
}

struct State {
    summary: Summary,
    report: Option<BufWriter<Box<dyn Write + Send>>>,
    report_error: Option<io::Error>,
    files: u64,
}

impl Reporter {
    /// Opens the report, and shows progress if it is wanted.
    pub fn new(
        report: Option<&Path>,
        progress: Progress,
        quiet: bool,
        verbose: bool,
        fail_fast: bool,
    ) -> io::Result<Self> {
        let report: Option<Box<dyn Write + Send>> = match report {
            None => None,
            Some(path) if path.as_os_str() == "-" => Some(Box::new(io::stdout())),
            Some(path) => Some(Box::new(File::create(path)?)),
        };
        let show = match progress {
            Progress::Auto => io::stderr().is_terminal() && !quiet,
            Progress::Never => false,
        };
        let bar = if show {
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10))
        } else {
            ProgressBar::hidden()
        };
        Ok(Self {
            state: Mutex::new(State {
                summary: Summary::default(),
                report: report.map(BufWriter::new),
                report_error: None,
                files: 0,
            }),
            bar,
            verbose,
            fail_fast,
        })
    }

    /// Whether the totals are of use.
    pub fn shows_progress(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// Says how much there is to do.
    pub fn expect(&self, files: u64, bytes: u64) {
        let color = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let bar = if color {
            "{wide_bar:.cyan/blue}"
        } else {
            "{wide_bar}"
        };
        let template = format!(
            "{{msg}} of {files} files {bar} {{bytes}}/{{total_bytes}} {{bytes_per_sec}} {{eta}}"
        );
        if let Ok(style) = ProgressStyle::with_template(&template) {
            self.bar.set_style(style.progress_chars("=> "));
        }
        self.bar.set_length(bytes);
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    /// Takes the record of a file that is finished with.
    pub fn add(&self, record: Record) {
        if self.fail_fast && record.fate == Fate::Failed {
            super::signals::stop();
        }
        let line = if self.verbose {
            let reason = record.reason.as_deref().map(|reason| format!(": {reason}"));
            let encoding = record.encoding.map(|encoding| format!(" from {encoding}"));
            Some(format!(
                "{}: {}{}{}",
                quote(&record.path),
                record.fate.word(),
                encoding.unwrap_or_default(),
                reason.unwrap_or_default()
            ))
        } else {
            None
        };
        let mut state = self.lock();
        state.summary.add(&record);
        state.files += 1;
        if let Some(report) = &mut state.report
            && let Err(error) = writeln!(report, "{}", record.json())
        {
            state.report_error.get_or_insert(error);
        }
        if !self.bar.is_hidden() {
            self.bar.set_message(state.files.to_string());
            self.bar.inc(record.bytes_in);
        }
        drop(state);
        if let Some(line) = line {
            self.warn(&line);
        }
    }

    /// Writes a line to standard error, above the progress bar.
    pub fn warn(&self, line: &str) {
        self.bar.suspend(|| crate::report::say(line));
    }

    /// Ends progress and report, and returns the summary.
    pub fn finish(self) -> (Summary, io::Result<()>) {
        self.bar.finish_and_clear();
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let result = match (state.report_error, state.report) {
            (Some(error), _) => Err(error),
            (None, Some(mut report)) => report.flush(),
            (None, None) => Ok(()),
        };
        (state.summary, result)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
