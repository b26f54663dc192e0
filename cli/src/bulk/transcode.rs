//! Passes one file through the engine.

use crate::source::Opened;
use mojika_convert::engine::{self, Failure, Input, Options, Outcome, Trouble};
use mojika_convert::job::report::Reporter;
use std::io::Write;
use std::sync::Mutex;

/// Allows only one file at a time to be converted by several threads, because that needs much memory.
static PARALLEL: Mutex<()> = Mutex::new(());

/// The options of a conversion; `from` is set for each file.
pub type Rules = Options;

/// Converts all of `source`; calls `on_trouble` for each replacement or omission.
pub fn transcode(
    source: &Opened<'_>,
    writer: &mut (dyn Write + Send),
    mut rules: Rules,
    reporter: Option<&Reporter>,
    on_trouble: &mut (dyn FnMut(&Trouble) + Send),
) -> (Outcome, Result<(), Failure>) {
    let is_large = source.metadata.len() >= engine::PARALLEL;
    let guard = is_large.then(|| engine::lock(&PARALLEL));
    if guard.is_none() {
        rules.threads = 1;
    }
    let mut reader = match source.text(reporter) {
        Ok(reader) => reader,
        Err(error) => return (Outcome::default(), Err(Failure::Read(error))),
    };
    let input = Input {
        size: source.size(),
        parts: source.parts.get().map_or(&[], Vec::as_slice),
        ..Input::new(&mut *reader)
    };
    engine::convert(input, writer, &rules, on_trouble)
}
