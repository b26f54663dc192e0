//! Input in UTF-8 whose lines were encoded twice.

use super::{Failure, Input, Options, Outcome, Trouble, workers};
use crate::repair::{RepairReader, Treatment};
use std::io::{self, Read, Write};

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

/// Counts the bytes that are read.
struct Counting<'a> {
    reader: &'a mut (dyn Read + Send),
    /// The expected number of bytes, if known.
    expected: Option<u64>,
    /// The number of bytes read.
    read: u64,
}

impl<'a> Counting<'a> {
    /// Creates a counter; `size` is the [`size`](super::Input::size) of the input.
    fn new(reader: &'a mut (dyn Read + Send), size: Option<u64>) -> Self {
        Self {
            reader,
            expected: size.filter(|size| *size > 0),
            read: 0,
        }
    }

    /// Checks the size after a conversion that has read the whole input. Returns a failure if the size is unexpected.
    fn check(&self, result: Result<(), Failure>) -> Result<(), Failure> {
        let read = self.read;
        match self.expected {
            Some(expected) if expected != read => {
                result.and(Err(Failure::Changed { expected, read }))
            }
            _ => result,
        }
    }
}

impl Read for Counting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        self.read += length as u64;
        Ok(length)
    }
}
