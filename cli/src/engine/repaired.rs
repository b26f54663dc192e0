//! Input in UTF-8 whose lines were encoded twice.

use super::mixed::Counting;
use super::{Failure, Input, Options, Outcome, Trouble, workers};
use crate::repair::RepairReader;
use std::io::Write;

/// Converts what the lines were before they were encoded twice. Offsets of errors count in the text that is undone.
pub fn convert(
    input: Input<'_>,
    output: &mut (dyn Write + Send),
    options: &Options,
    on_trouble: &mut (dyn FnMut(&Trouble) + Send),
) -> (Outcome, Result<(), Failure>) {
    let mut counting = Counting {
        reader: input.reader,
        read: 0,
    };
    let mut reader = RepairReader::new(&mut counting);
    let inner = Input {
        reader: &mut reader,
        size: None,
        prompt: input.prompt,
        turn: input.turn,
    };
    let (mut outcome, result) = workers::convert(inner, output, options, on_trouble);
    outcome.repaired = std::mem::take(&mut reader.repaired);
    outcome.repaired_count = reader.count;
    drop(reader);
    let read = counting.read;
    outcome.bytes_in = read;
    let result = match input.size {
        Some(expected) if expected != 0 && expected != read && result.is_ok() => {
            Err(Failure::Changed { expected, read })
        }
        _ => result,
    };
    (outcome, result)
}
