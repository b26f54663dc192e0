//! What the user sees of a run: progress, the report, warnings.

use super::bar::Bar;
use super::record::{Fate, Record};
use super::summary::{self, Summary};
use crate::engine::lock;
use crate::quote::quote;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Whether progress is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// On a terminal only.
    #[default]
    Auto,
    /// Where standard error is no terminal, as a line a second.
    Always,
    /// Never.
    Never,
}

/// What is said about a run.
#[derive(Clone, Copy, Default)]
pub struct Say<'a> {
    /// Where the report goes; "-" is standard output.
    pub report: Option<&'a Path>,
    /// Where the names of doubtful files go, and the byte that ends each.
    pub doubtful: Option<(&'a Path, u8)>,
    pub progress: Progress,
    pub quiet: bool,
    /// Name each file that is finished.
    pub verbose: bool,
    /// Stop at the first file that fails.
    pub fail_fast: bool,
    /// Go on with the report of the run that is resumed.
    pub resume: bool,
}

/// Takes the records of all threads.
pub struct Reporter {
    state: Mutex<State>,
    bar: Bar,
    /// Whether progress is shown as lines, not as a bar.
    lines: bool,
    /// Bytes that count as worked on.
    bytes: AtomicU64,
    verbose: bool,
    fail_fast: bool,
}

struct State {
    summary: Summary,
    report: Option<BufWriter<Box<dyn Write + Send>>>,
    report_error: Option<io::Error>,
    /// The list of doubtful files, and the byte that ends each name.
    doubtful: Option<(BufWriter<File>, u8)>,
    /// Whether the report has what the run that is resumed found.
    has_earlier: bool,
    files: u64,
    /// Bytes of all files, if they have been counted.
    expected: u64,
    start: Instant,
    last_line: Instant,
}

impl State {
    fn note_doubtful(&mut self, record: &Record) {
        if record.fate == Fate::Doubtful
            && let Some((list, end)) = &mut self.doubtful
        {
            let mut name = record.path.as_os_str().as_encoded_bytes().to_vec();
            name.push(*end);
            if let Err(error) = list.write_all(&name) {
                self.report_error.get_or_insert(error);
            }
        }
    }
}

impl Reporter {
    /// Opens the report, and shows progress if it is wanted.
    ///
    /// # Errors
    ///
    /// Fails if the report cannot be created.
    pub fn new(say: &Say<'_>) -> io::Result<Self> {
        let mut has_earlier = false;
        let report: Option<Box<dyn Write + Send>> = match say.report {
            None => None,
            Some(path) if path.as_os_str() == "-" => {
                if crate::standard::was_closed() {
                    return Err(io::Error::other("it is closed"));
                }
                Some(Box::new(io::stdout()))
            }
            Some(path) if say.resume => {
                let (file, length) = go_on(path)?;
                has_earlier = length > 0;
                Some(Box::new(file))
            }
            Some(path) => Some(Box::new(File::create(path)?)),
        };
        let doubtful = match say.doubtful {
            None => None,
            Some((path, end)) => Some((BufWriter::new(File::create(path)?), end)),
        };
        let is_terminal = io::stderr().is_terminal();
        let show = match say.progress {
            Progress::Auto => is_terminal && !say.quiet,
            Progress::Always => true,
            Progress::Never => false,
        };
        let bar = Bar::new(show && is_terminal);
        let now = Instant::now();
        Ok(Self {
            state: Mutex::new(State {
                summary: Summary::default(),
                report: report.map(BufWriter::new),
                report_error: None,
                doubtful,
                has_earlier,
                files: 0,
                expected: 0,
                start: now,
                last_line: now,
            }),
            lines: show && bar.is_hidden(),
            bar,
            bytes: AtomicU64::new(0),
            verbose: say.verbose,
            fail_fast: say.fail_fast,
        })
    }

    /// Whether the totals are of use.
    pub fn shows_progress(&self) -> bool {
        self.lines || !self.bar.is_hidden()
    }

    /// Says how much there is to do.
    pub fn expect(&self, files: u64, bytes: u64) {
        self.lock().expected = bytes;
        self.bar.begin(files, bytes);
    }

    /// Counts bytes that have been read of a file that is not finished.
    pub fn advance(&self, bytes: u64) {
        self.count(bytes);
        if self.lines {
            self.line(&mut self.lock());
        }
    }

    fn count(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.bar.advance(bytes);
    }

    /// Takes the record of a file that is finished with.
    pub fn add(&self, record: Record) {
        if self.fail_fast && record.fate == Fate::Failed {
            super::signals::stop();
        }
        let line = self.verbose.then(|| {
            let reason = record.reason.as_deref().map(|reason| format!(": {reason}"));
            let encoding = record.encoding.map(|encoding| format!(" from {encoding}"));
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
            && let Err(error) = writeln!(report, "{}", record.json())
        {
            state.report_error.get_or_insert(error);
        }
        self.bar.set_files(state.files);
        self.count(record.bytes_in.saturating_sub(record.bytes_counted));
        if self.lines {
            self.line(&mut state);
        }
        drop(state);
        if let Some(line) = line {
            self.warn(&line);
        }
    }

    /// Says once a second how far the run is.
    fn line(&self, state: &mut State) {
        if state.last_line.elapsed() < Duration::from_secs(1) {
            return;
        }
        state.last_line = Instant::now();
        let done = self.bytes.load(Ordering::Relaxed);
        let seconds = state.start.elapsed().as_secs_f64();
        crate::report::say(&format!(
            "{}, {} of {}, {}/s",
            crate::report::counted(state.files, "file"),
            summary::bytes(done as f64),
            summary::bytes(state.expected as f64),
            summary::bytes(done as f64 / seconds)
        ));
    }

    /// Writes to the report what it has been told.
    pub fn flush(&self) {
        let mut state = self.lock();
        if let Some(report) = &mut state.report
            && let Err(error) = report.flush()
        {
            state.report_error.get_or_insert(error);
        }
    }

    /// Writes a line to standard error, above the progress bar.
    pub fn warn(&self, line: &str) {
        self.bar.suspend(|| crate::report::say(line));
    }

    /// Ends progress and report, and returns the summary.
    pub fn finish(self) -> (Summary, io::Result<()>) {
        self.bar.clear();
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
        lock(&self.state)
    }
}

/// Opens the report of the run that is resumed behind its last whole line; returns its length, too.
fn go_on(path: &Path) -> io::Result<(File, u64)> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    let mut length = file.metadata()?.len();
    if !file.metadata()?.is_file() {
        return Ok((file, 0));
    }
    // The last line may have been cut off.
    let mut block = vec![0; 64 << 10];
    while length > 0 {
        let start = length.saturating_sub(block.len() as u64);
        let block = &mut block[..(length - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(block)?;
        if let Some(end) = memchr::memrchr(b'\n', block) {
            length = start + end as u64 + 1;
            break;
        }
        length = start;
    }
    file.set_len(length)?;
    file.seek(SeekFrom::Start(length))?;
    Ok((file, length))
}

#[cfg(test)]
mod tests;
