//! Where the records of one output go.

use super::args::Format;
use crate::engine::{self, Compressor};
use std::io::{self, Write};

/// Bytes that are written at once.
const BLOCK: usize = 256 << 10;

/// An output, compressed as its format has it.
pub struct Sink<W: Write> {
    target: Target<W>,
    /// What is not written yet.
    buffer: Vec<u8>,
    /// Where in it the last record begins.
    last: usize,
    bytes: u64,
}

enum Target<W: Write> {
    /// One stream.
    Whole(Compressor<W>),
    /// Each record is a member of its own, as in all compressed archives.
    Members(W, engine::Format),
}

impl<W: Write> Sink<W> {
    /// An output of this format.
    ///
    /// # Errors
    ///
    /// Fails if zstd has no memory.
    pub fn new(format: Format, compression: Option<engine::Format>, writer: W) -> io::Result<Self> {
        let target = match compression {
            Some(compression) if format.is_archive() => Target::Members(writer, compression),
            _ => Target::Whole(Compressor::new(compression, writer)?),
        };
        Ok(Self {
            target,
            buffer: Vec::new(),
            last: 0,
            bytes: 0,
        })
    }

    /// Bytes that have been written, before compression.
    pub fn bytes(&self) -> u64 {
        self.bytes + self.buffer.len() as u64
    }

    /// Writes one record, which `fill` appends to memory.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written to.
    pub fn record(&mut self, fill: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        self.last = self.buffer.len();
        fill(&mut self.buffer);
        self.last = self.buffer.len();
        let is_member = matches!(self.target, Target::Members(..));
        if is_member || self.buffer.len() >= BLOCK {
            self.flush()?;
        }
        Ok(())
    }

    /// Drops what was appended of a record that was not completed.
    pub fn undo(&mut self) {
        self.buffer.truncate(self.last);
    }

    /// Writes one record of any length.
    ///
    /// # Errors
    ///
    /// Fails if `fill` does, or if the output cannot be written to.
    pub fn long_record<T>(
        &mut self,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> io::Result<T> {
        self.flush()?;
        match &mut self.target {
            Target::Whole(writer) => fill(writer),
            Target::Members(writer, format) => {
                let mut member = Compressor::new(Some(*format), writer)?;
                let value = fill(&mut member)?;
                member.finish()?;
                Ok(value)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.bytes += self.buffer.len() as u64;
        match &mut self.target {
            Target::Whole(writer) => writer.write_all(&self.buffer)?,
            Target::Members(writer, format) => {
                let mut member = Compressor::new(Some(*format), writer)?;
                member.write_all(&self.buffer)?;
                member.finish()?;
            }
        }
        self.buffer.clear();
        self.last = 0;
        Ok(())
    }

    /// Writes the end.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written to.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        match self.target {
            Target::Whole(writer) => writer.finish()?.flush(),
            Target::Members(mut writer, _) => writer.flush(),
        }
    }
}
