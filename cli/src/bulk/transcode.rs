//! One file through the engine: its troubles, and why it was not completed.

use super::source::Opened;
use crate::engine::{self, Failure, Format, From, Input, Options, Outcome, Trouble};
use crate::job::record::Faults;
use crate::job::report::Reporter;
use crate::job::signals;
use std::io::{ErrorKind, Write};
use std::sync::{Mutex, PoisonError};

/// One file at a time is converted by several threads: the memory that this takes is taken once.
static PARALLEL: Mutex<()> = Mutex::new(());

/// How files are converted; `from` is chosen for each.
pub type Rules = Options;

/// Why a conversion was not completed.
pub enum Stop {
    Trouble(Trouble),
    Interrupted,
    /// Compressed data is damaged; what precedes the damage was written.
    Damaged(Format, String),
    /// The file system is full.
    NoRoom(String),
    Other(String),
}

/// Converts all of `source`; `from` says which encoding it is in.
///
/// Also returns where something was replaced or dropped, at most so many runs of it as `most_faults` says.
pub fn transcode(
    source: &Opened<'_>,
    writer: &mut (dyn Write + Send),
    from: From,
    rules: Rules,
    reporter: Option<&Reporter>,
    most_faults: usize,
) -> (Outcome, Faults, Result<(), Stop>) {
    let mut faults = Faults::new(most_faults);
    let mut options = rules;
    options.from = from;
    let is_large = source.metadata.len() >= engine::PARALLEL;
    let guard = is_large.then(|| PARALLEL.lock().unwrap_or_else(PoisonError::into_inner));
    if guard.is_none() {
        options.threads = 1;
    }
    let mut reader = match source.text(reporter) {
        Ok(reader) => reader,
        Err(error) => {
            let stop = failed(Failure::Read(error), source.format);
            return (Outcome::default(), faults, Err(stop));
        }
    };
    let input = Input {
        reader: &mut *reader,
        size: source.size(),
        prompt: false,
        turn: None,
    };
    let mut remember = |trouble: &Trouble| faults.push(trouble);
    let (outcome, result) = engine::convert(input, writer, &options, &mut remember);
    let result = result.map_err(|failure| failed(failure, source.format));
    (outcome, faults, result)
}

fn failed(failure: Failure, format: Option<Format>) -> Stop {
    match (failure, format) {
        (Failure::Read(_) | Failure::Write(_), _) if signals::stopped() => Stop::Interrupted,
        (Failure::Trouble(trouble), _) => Stop::Trouble(trouble),
        (Failure::Read(error), Some(format)) => Stop::Damaged(format, error.to_string()),
        (Failure::Write(error), _) if error.kind() == ErrorKind::StorageFull => {
            Stop::NoRoom(Failure::Write(error).to_string())
        }
        (other, _) => Stop::Other(other.to_string()),
    }
}
