//! Input in UTF-8 whose lines were encoded twice.

use super::counting::Counting;
use super::{Failure, Input, Options, Outcome, Trouble, workers};
use crate::repair::{RepairReader, Treatment};
use std::io::Write;

/// Restores the original text of lines that were encoded twice, and converts it. Offsets of errors refer to that text.
pub fn convert(
    input: Input<'_>,
    output: &mut (dyn Write + Send),
    options: &Options,
    on_trouble: &mut (dyn FnMut(&Trouble) + Send),
) -> (Outcome, Result<(), Failure>) {
    let is_same = options.repair != Treatment::Undo;
    let mut counting = Counting::new(input.reader, input.size);
    let mut reader = RepairReader::new(&mut counting, options.repair);
    let inner = Input {
        reader: &mut reader,
        // Restored text has another length, so the known size does not apply.
        size: input.size.filter(|_| is_same),
        ..input
    };
    let (mut outcome, result) = workers::convert(inner, output, options, on_trouble);
    outcome.repaired = reader.into_found();
    outcome.bytes_in = counting.read;
    (outcome, counting.check(result))
}
