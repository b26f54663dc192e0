//! Counts the bytes of an input before another reader changes them.

use super::Failure;
use std::io::{self, Read};

/// Counts the bytes that are read.
pub struct Counting<'a> {
    reader: &'a mut (dyn Read + Send),
    /// The expected number of bytes, if known.
    expected: Option<u64>,
    /// The number of bytes read.
    pub read: u64,
}

impl<'a> Counting<'a> {
    /// Creates a counter; `size` is the [`size`](super::Input::size) of the input.
    pub fn new(reader: &'a mut (dyn Read + Send), size: Option<u64>) -> Self {
        Self {
            reader,
            expected: size.filter(|size| *size > 0),
            read: 0,
        }
    }

    /// Checks the size after a conversion that has read the whole input. Returns a failure if the size is unexpected.
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
