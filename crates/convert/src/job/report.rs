//! The messages of a run: progress, the report, warnings.

use super::lines::{self, Lines};
use super::record::{Fate, Record};
use super::summary::{self, Summary};
use crate::engine::lock;
use crate::quote::quote;
use crate::report::Failure;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The setting for progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// Only on a terminal.
    #[default]
    Auto,
    /// Always; if standard error is not a terminal, as a line per second.
    Always,
    /// Never.
    Never,
}

/// The settings for messages of a run.
#[derive(Clone, Copy, Default)]
pub struct Say<'a> {
    /// The path of the report; "-" is standard output.
    pub report: Option<&'a Path>,
    /// The path of the list of doubtful files, and the byte that ends each name; "-" is standard output.
    pub doubtful: Option<(&'a Path, u8)>,
    /// The setting for progress.
    pub progress: Progress,
    /// True if only errors are reported.
    pub quiet: bool,
    /// True if each finished file is listed.
    pub verbose: bool,
    /// True to stop at the first file that fails.
    pub fail_fast: bool,
    /// True to continue the report of the resumed run.
    pub resume: bool,
}

/// Receives the records of all threads.
pub struct Reporter {
    state: Mutex<ReportState>,
    show: Show,
    /// The number of processed bytes.
    bytes: AtomicU64,
    verbose: bool,
    fail_fast: bool,
}

/// The form of progress on standard error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    Nothing,
    /// A line a second.
    Lines,
    /// On a terminal: one line, written anew ten times a second.
    OneLine,
}

struct ReportState {
    summary: Summary,
    report: Option<Lines>,
    /// The list of doubtful files, and the byte that ends each name.
    doubtful: Option<(Lines, u8)>,
    /// True if the report already contains the lines of the resumed run.
    has_earlier: bool,
    files: u64,
    /// The number of all files and their total size in bytes, if known.
    expected: (u64, u64),
    /// True if the terminal shows a progress line, which has to be erased.
    is_shown: bool,
    start: Instant,
    last_line: Instant,
}

impl ReportState {
    fn note_doubtful(&mut self, record: &Record) {
        let name = record.path.as_os_str();
        // Standard input has no name that a list could contain.
        if record.fate == Fate::Doubtful
            && name != "-"
            && let Some((list, end)) = &mut self.doubtful
        {
            let mut name = name.as_encoded_bytes().to_vec();
            name.push(*end);
            list.write(&name);
        }
    }
}

impl Reporter {
    /// Opens the report, and shows progress if requested.
    ///
    /// # Errors
    ///
    /// Fails if the report or the list of doubtful files cannot be created, or if they are the same file.
    pub fn new(say: &Say<'_>) -> Result<Self, Failure> {
        let list = say.doubtful.map(|(path, _)| path);
        if let (Some(report), Some(list)) = (say.report, list)
            && lines::are_same(report, list)
        {
            return Err(Failure::usage(
                "--report and --doubtful need different files",
            ));
        }
        let (report, has_earlier) = match say.report {
            None => (None, false),
            Some(path) if say.resume => {
                let (report, has_earlier) = Lines::resume(path)?;
                (Some(report), has_earlier)
            }
            Some(path) => (Some(Lines::create(path)?), false),
        };
        let doubtful = match say.doubtful {
            None => None,
            Some((path, end)) => Some((Lines::create(path)?, end)),
        };
        let is_terminal = io::stderr().is_terminal();
        let show = match say.progress {
            Progress::Auto => is_terminal && !say.quiet,
            Progress::Always => true,
            Progress::Never => false,
        };
        let show = match (show, is_terminal) {
            (false, _) => Show::Nothing,
            (true, false) => Show::Lines,
            (true, true) => Show::OneLine,
        };
        let now = Instant::now();
        Ok(Self {
            state: Mutex::new(ReportState {
                summary: Summary::default(),
                report,
                doubtful,
                has_earlier,
                files: 0,
                expected: (0, 0),
                is_shown: false,
                start: now,
                last_line: now,
            }),
            show,
            bytes: AtomicU64::new(0),
            verbose: say.verbose,
            fail_fast: say.fail_fast,
        })
    }

    /// True if progress is shown, which needs the totals.
    pub fn shows_progress(&self) -> bool {
        self.show != Show::Nothing
    }

    /// Adds up the expected sizes of the files for progress.
    pub fn expect(&self, sizes: impl Iterator<Item = u64>) {
        if self.shows_progress() {
            let sum = |(files, bytes), size| (files + 1, bytes + size);
            self.lock().expected = sizes.fold((0, 0), sum);
        }
    }

    /// Adds bytes that have been read of an unfinished file.
    pub fn advance(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        if self.shows_progress() {
            self.line(&mut self.lock());
        }
    }

    /// Adds the record of a finished file.
    pub fn add(&self, record: Record) {
        if self.fail_fast && record.fate == Fate::Failed {
            super::signals::stop();
        }
        let line = self.verbose.then(|| {
            let reason = record.reason.as_deref().map(|reason| format!(": {reason}"));
            let preposition = match record.fate {
                Fate::Already => "in",
                _ => "from",
            };
            let encoding = record
                .encoding
                .map(|encoding| format!(" {preposition} {encoding}"));
            format!(
                "{}: {}{}{}",
                quote(&record.path),
                record.fate.word(),
                encoding.unwrap_or_default(),
                reason.unwrap_or_default()
            )
        });
        let mut state = self.lock();
        state.summary.add(&record);
        state.note_doubtful(&record);
        state.files += 1;
        let is_there = state.has_earlier && record.is_reported;
        if let Some(report) = &mut state.report
            && !is_there
        {
            report.write(format!("{}\n", record.json()).as_bytes());
        }
        let more = record.bytes_in.saturating_sub(record.bytes_counted);
        self.bytes.fetch_add(more, Ordering::Relaxed);
        if self.shows_progress() {
            self.line(&mut state);
        }
        drop(state);
        if let Some(line) = line {
            self.warn(&line);
        }
    }

    /// Shows the progress, unless it was shown just before.
    fn line(&self, state: &mut ReportState) {
        let is_one = self.show == Show::OneLine;
        let between = Duration::from_millis(if is_one { 100 } else { 1000 });
        if state.last_line.elapsed() < between {
            return;
        }
        state.last_line = Instant::now();
        let done = self.bytes.load(Ordering::Relaxed);
        let seconds = state.start.elapsed().as_secs_f64();
        let (files, expected) = state.expected;
        let of_files = match is_one {
            true => format!(
                "{} of {}",
                state.files,
                crate::report::counted(files, "file")
            ),
            false => crate::report::counted(state.files, "file"),
        };
        let line = format!(
            "{of_files}, {} of {}, {}/s",
            summary::bytes(done as f64),
            summary::bytes(expected as f64),
            summary::bytes(done as f64 / seconds)
        );
        if is_one {
            self.wipe(state);
            // Errors are ignored: if the terminal is gone, nobody sees the progress.
            let _ = write!(io::stderr(), "{line}");
            state.is_shown = true;
        } else {
            crate::report::say(&line);
        }
    }

    fn wipe(&self, state: &mut ReportState) {
        if std::mem::take(&mut state.is_shown) {
            let _ = write!(io::stderr(), "\r\x1B[2K");
        }
    }

    /// Writes the collected lines to the report.
    pub fn flush(&self) {
        if let Some(report) = &mut self.lock().report {
            report.flush();
        }
    }

    /// Writes a line to standard error, instead of the progress.
    pub fn warn(&self, line: &str) {
        let mut state = self.lock();
        self.wipe(&mut state);
        crate::report::say(line);
    }

    /// Ends progress, report and list. Returns the summary, and an error if the report or the list was not written.
    pub fn finish(self) -> (Summary, Result<(), Failure>) {
        self.wipe(&mut self.lock());
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let report = state.report.map_or(Ok(()), Lines::end);
        let list = state.doubtful.map_or(Ok(()), |(list, _)| list.end());
        (state.summary, report.and(list))
    }

    fn lock(&self) -> MutexGuard<'_, ReportState> {
        lock(&self.state)
    }
}

#[cfg(test)]
mod tests;
