//! The second half of the pipeline: text to bytes of the output encoding, through one fixed buffer.

use crate::args::ErrorMode;
use crate::report::Failure;
use mojika::{Encoder, Encoding, FatalEncodeStatus, UTF_8, UTF_16BE, UTF_16LE};
use std::io::{self, Write};

/// Bytes of the buffer between encoder and writer, and the least that a `Sink` writes at once but when flushed.
const BUFFER: usize = 128 << 10;

/// Encodes text and writes it.
pub struct Sink<W> {
    target: &'static Encoding,
    /// `None` for UTF-8, which text is already.
    encoder: Option<Encoder>,
    errors: ErrorMode,
    buffer: Box<[u8]>,
    /// How much of `buffer` waits to be written.
    filled: usize,
    writer: W,
}

/// Why text was not written.
pub enum SinkError {
    /// In error mode "fail": `character` at byte `at` of the text has no bytes.
    Unmappable { character: char, at: usize },
    /// The writer failed.
    Write(io::Error),
}

impl From<io::Error> for SinkError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl<W: Write> Sink<W> {
    /// A sink whose output begins with a byte order mark if `bom` is set.
    pub fn new(
        target: &'static Encoding,
        errors: ErrorMode,
        bom: bool,
        writer: W,
    ) -> Result<Self, Failure> {
        let encoder = target.new_encoder().map_err(|error| Failure::NoEncoder {
            encoding: error.encoding,
        })?;
        let has_bom = [UTF_8, UTF_16BE, UTF_16LE].contains(&target);
        if bom && !has_bom {
            return Err(Failure::NoBom { encoding: target });
        }
        let mut sink = Self {
            target,
            encoder: (target != UTF_8).then_some(encoder),
            errors,
            buffer: vec![0; BUFFER].into(),
            filled: 0,
            writer,
        };
        if bom {
            let encoded = target.encode("\u{FEFF}").unwrap_or_default();
            sink.buffer[..encoded.len()].copy_from_slice(&encoded);
            sink.filled = encoded.len();
        }
        Ok(sink)
    }

    /// The encoding of the output.
    pub fn target(&self) -> &'static Encoding {
        self.target
    }

    /// Writes `text`, which is part of the input; returns how many of its characters were unmappable.
    pub fn push(&mut self, text: &str) -> Result<u64, SinkError> {
        self.encode(text)
    }

    /// Writes U+FFFD for a malformed sequence, as the error mode has it.
    pub fn push_replacement(&mut self) -> Result<(), SinkError> {
        self.encode("\u{FFFD}").map(drop)
    }

    /// Ends the stream, which takes ISO-2022-JP back to ASCII, and returns the writer, flushed.
    pub fn finish(mut self) -> io::Result<W> {
        self.encode_some("", true)?;
        self.flush()?;
        Ok(self.writer)
    }

    /// Writes out all that has been encoded.
    pub fn flush(&mut self) -> io::Result<()> {
        self.write_buffer()?;
        self.writer.flush()
    }

    fn write_buffer(&mut self) -> io::Result<()> {
        let filled = std::mem::take(&mut self.filled);
        self.writer.write_all(&self.buffer[..filled])
    }

    fn encode(&mut self, text: &str) -> Result<u64, SinkError> {
        if self.encoder.is_none() {
            self.copy(text.as_bytes())?;
            return Ok(0);
        }
        let mut unmappable_count = 0;
        let mut read = 0;
        loop {
            let (status, now_read) = self.encode_some(&text[read..], false)?;
            read += now_read;
            let FatalEncodeStatus::Unmappable(unmappable) = status else {
                return Ok(unmappable_count);
            };
            unmappable_count += 1;
            match self.errors {
                ErrorMode::Fail => {
                    // Not `unmappable.scalar`: for ISO-2022-JP's forbidden controls that is U+FFFD.
                    let character = text[..read].chars().next_back();
                    let character = character.unwrap_or(unmappable.scalar);
                    let at = read - character.len_utf8();
                    return Err(SinkError::Unmappable { character, at });
                }
                ErrorMode::Skip => {}
                ErrorMode::Replace => self.encode_aside("?")?,
                // The Standard's error mode "html" refers to what the encoder reports.
                ErrorMode::Html => {
                    self.encode_aside(&format!("&#{};", u32::from(unmappable.scalar)))?;
                }
            }
        }
    }

    /// Encodes ASCII, which all encoders can, in the place of a character of the text.
    fn encode_aside(&mut self, ascii: &str) -> io::Result<()> {
        self.encode_some(ascii, false).map(drop)
    }

    /// Encodes up to an unmappable character or the end of `text`; returns which, and the bytes read.
    fn encode_some(&mut self, text: &str, last: bool) -> io::Result<(FatalEncodeStatus, usize)> {
        let mut read = 0;
        loop {
            let Some(encoder) = &mut self.encoder else {
                return Ok((FatalEncodeStatus::InputEmpty, text.len()));
            };
            let free = &mut self.buffer[self.filled..];
            let progress = encoder.encode_from_utf8_fatal(&text[read..], free, last);
            read += progress.read;
            self.filled += progress.written;
            if progress.status != FatalEncodeStatus::OutputFull {
                return Ok((progress.status, read));
            }
            self.write_buffer()?;
        }
    }

    /// Writes bytes of UTF-8 as they are: many at once directly, few by way of the buffer.
    fn copy(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() > self.buffer.len() - self.filled {
            self.write_buffer()?;
        }
        if bytes.len() >= self.buffer.len() / 2 {
            self.write_buffer()?;
            return self.writer.write_all(bytes);
        }
        self.buffer[self.filled..][..bytes.len()].copy_from_slice(bytes);
        self.filled += bytes.len();
        Ok(())
    }
}
