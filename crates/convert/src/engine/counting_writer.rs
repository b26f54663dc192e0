//! Counts the bytes of an output while they are written.

use std::io::{self, Write};

/// Counts the bytes that are written.
pub struct CountingWriter<'a, W: ?Sized> {
    writer: &'a mut W,
    /// The counter of bytes.
    written: &'a mut u64,
}

impl<'a, W: Write + ?Sized> CountingWriter<'a, W> {
    /// Creates a writer that adds the number of bytes written to `written`.
    pub fn new(writer: &'a mut W, written: &'a mut u64) -> Self {
        Self { writer, written }
    }
}

impl<W: Write + ?Sized> Write for CountingWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.writer.write(bytes)?;
        *self.written += length as u64;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
