//! The bytes of an input, counted before another reader changes them.

use super::Failure;
use std::io::{self, Read};

/// Counts the bytes that are read.
pub struct Counting<'a> {
    reader: &'a mut (dyn Read + Send),
    /// The number of bytes that the input is expected to have, where that is known.
    expected: Option<u64>,
    /// Bytes read.
    pub read: u64,
}

impl<'a> Counting<'a> {
    /// `size` is the [`size`](super::Input::size) of the input.
    pub fn new(reader: &'a mut (dyn Read + Send), size: Option<u64>) -> Self {
        Self {
            reader,
            expected: size.filter(|size| *size > 0),
            read: 0,
        }
    }

    /// The result of a conversion that has read all of the input: a failure if that had another size than expected.
    pub fn check(&self, result: Result<(), Failure>) -> Result<(), Failure> {
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
