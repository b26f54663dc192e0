//! One file through the engine: a stop is noticed between reads.

use super::signals;
use crate::engine::{self, Failure, From, Input, Options, Outcome, Trouble};
use mojika::Encoding;
use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::{Mutex, PoisonError};

/// One file at a time is converted by several threads: the memory that this takes is taken once.
static PARALLEL: Mutex<()> = Mutex::new(());

/// How files are converted; `from` is chosen for each.
pub type Rules = Options;

/// Why a conversion was not completed.
pub enum Stop {
    Trouble(Trouble),
    Interrupted,
    Other(String),
}

/// Most places that are remembered of one file; its counts are exact.
const MOST_TROUBLES: usize = 100_000;

/// Converts all of `file`, which has `size` bytes, is in `from` and is read from its start.
///
/// Returns the places of what was replaced or dropped, too.
pub fn transcode(
    file: &mut File,
    size: u64,
    mut writer: impl Write + Send,
    from: &'static Encoding,
    rules: Rules,
) -> (Outcome, Vec<Trouble>, Result<(), Stop>) {
    let mut options = rules;
    options.from = From::Given(from);
    let guard =
        (size >= crate::PARALLEL).then(|| PARALLEL.lock().unwrap_or_else(PoisonError::into_inner));
    if guard.is_none() {
        options.threads = 1;
    }
    let mut reader = Watched(file);
    let input = Input {
        reader: &mut reader,
        size: Some(size),
    };
    let mut troubles = Vec::new();
    let mut remember = |trouble: &Trouble| {
        if troubles.len() < MOST_TROUBLES {
            troubles.push(trouble.clone());
        }
    };
    let (outcome, result) = engine::convert(input, &mut writer, &options, &mut remember);
    let result = result.map_err(|failure| match failure {
        Failure::Read(_) | Failure::Write(_) if signals::stopped() => Stop::Interrupted,
        Failure::Trouble(trouble) => Stop::Trouble(trouble),
        other => Stop::Other(other.to_string()),
    });
    (outcome, troubles, result)
}

struct Watched<'a>(&'a mut File);

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if signals::stopped() {
            return Err(io::Error::other("interrupted"));
        }
        self.0.read(buffer)
    }
}
