//! Replaces `codecs` without the feature `compressed`: it recognises the formats and refuses them by name.

use super::Format;
use std::io::{self, Read, Write};

fn left_out(format: Format) -> io::Error {
    let text =
        format!("this build of mojika has no {format}: build it with the feature \"compressed\"");
    io::Error::new(io::ErrorKind::Unsupported, text)
}

/// Refuses `format`.
///
/// # Errors
///
/// Fails always.
pub fn decompressor<'a>(
    format: Format,
    _reader: impl Read + Send + 'a,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    Err(left_out(format))
}

/// Passes on its input.
pub struct Compressor<W: Write>(W);

impl<W: Write> Compressor<W> {
    /// Returns a writer that passes on its input, if no compression is requested.
    ///
    /// # Errors
    ///
    /// Fails if there is a format.
    pub fn new(format: Option<Format>, writer: W) -> io::Result<Self> {
        match format {
            None => Ok(Self(writer)),
            Some(format) => Err(left_out(format)),
        }
    }

    /// Returns the writer.
    ///
    /// # Errors
    ///
    /// Never fails.
    pub fn finish(self) -> io::Result<W> {
        Ok(self.0)
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
