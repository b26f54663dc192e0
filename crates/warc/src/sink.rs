//! The destination of records.

use super::document::Document;
use super::format::Format;
use super::parquet::Rows;
use super::reader::Extent;
use mojika_convert::engine::{self, Compressor, CountingWriter};
use std::io::{self, Write};

/// The number of bytes that are written at once.
const BLOCK: usize = 256 << 10;

/// An output, compressed as its format requires.
pub struct Sink<W: Write + Send> {
    target: SinkTarget<W>,
    /// The bytes that are not yet written.
    buffer: Vec<u8>,
    /// The offset in the buffer of the last record.
    last: usize,
    bytes: u64,
}

enum SinkTarget<W: Write + Send> {
    /// One stream for all records.
    Whole(Compressor<W>),
    /// Each record is a separate member, as in all compressed archives.
    Members(W, engine::Format),
    /// A row for each document.
    Rows(Box<Rows<W>>),
}

/// The outputs of a run.
pub trait Sinks {
    type Writer: Write + Send;

    /// Returns the sink for the next document.
    ///
    /// # Errors
    ///
    /// Fails if a new sink cannot begin, or if the previous sink cannot be completed.
    fn next(&mut self) -> io::Result<&mut Sink<Self::Writer>>;

    /// Returns the sink to which the last document was written.
    fn last(&mut self) -> &mut Sink<Self::Writer>;
}

impl<W: Write + Send> Sinks for Sink<W> {
    type Writer = W;

    fn next(&mut self) -> io::Result<&mut Self> {
        Ok(self)
    }

    fn last(&mut self) -> &mut Self {
        self
    }
}

impl<W: Write + Send> Sink<W> {
    /// Creates one of `count` simultaneous outputs, which share the memory of one. `threads` encode its rows.
    ///
    /// # Errors
    ///
    /// Fails if zstd has no memory.
    pub fn new(
        format: Format,
        compression: Option<engine::Format>,
        writer: W,
        (count, threads): (usize, usize),
    ) -> io::Result<Self> {
        let target = match compression {
            _ if format == Format::Parquet => {
                SinkTarget::Rows(Box::new(Rows::new(writer, count, threads)?))
            }
            Some(compression) if format.is_archive() => SinkTarget::Members(writer, compression),
            _ => SinkTarget::Whole(Compressor::new(compression, writer)?),
        };
        Ok(Self {
            target,
            buffer: Vec::new(),
            last: 0,
            bytes: 0,
        })
    }

    /// Returns the number of bytes written, before compression.
    pub fn bytes(&self) -> u64 {
        match &self.target {
            SinkTarget::Rows(rows) => rows.bytes,
            _ => self.bytes + self.buffer.len() as u64,
        }
    }

    /// Writes one record, which `fill` appends to the buffer.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub fn record(&mut self, fill: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        self.last = self.buffer.len();
        fill(&mut self.buffer);
        self.last = self.buffer.len();
        let is_member = matches!(self.target, SinkTarget::Members(..));
        if is_member || self.buffer.len() >= BLOCK {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes one document as a row.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written, or has no rows.
    pub fn row(
        &mut self,
        document: &Document<'_>,
        archive: &str,
        extent: Extent,
    ) -> io::Result<()> {
        match &mut self.target {
            SinkTarget::Rows(rows) => rows.push(document, archive, extent),
            _ => Err(no_rows()),
        }
    }

    /// Removes the bytes of an incomplete record from the buffer.
    pub fn undo(&mut self) {
        self.buffer.truncate(self.last);
    }

    /// Writes one record of any length.
    ///
    /// # Errors
    ///
    /// Fails if `fill` does, or if the output cannot be written.
    pub fn long_record<T>(
        &mut self,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> io::Result<T> {
        self.flush()?;
        let bytes = &mut self.bytes;
        match &mut self.target {
            SinkTarget::Rows(_) => Err(no_rows()),
            SinkTarget::Whole(writer) => fill(&mut CountingWriter::new(writer, bytes)),
            SinkTarget::Members(writer, format) => {
                let mut member = Compressor::new(Some(*format), writer)?;
                let value = fill(&mut CountingWriter::new(&mut member, bytes))?;
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
            SinkTarget::Rows(_) => return Err(no_rows()),
            SinkTarget::Whole(writer) => writer.write_all(&self.buffer)?,
            SinkTarget::Members(writer, format) => {
                let mut member = Compressor::new(Some(*format), writer)?;
                member.write_all(&self.buffer)?;
                member.finish()?;
            }
        }
        self.buffer.clear();
        self.last = 0;
        Ok(())
    }

    /// Writes the end of the output and returns the writer.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush()?;
        match self.target {
            SinkTarget::Whole(writer) => {
                let mut writer = writer.finish()?;
                writer.flush().map(|()| writer)
            }
            SinkTarget::Members(mut writer, _) => writer.flush().map(|()| writer),
            SinkTarget::Rows(rows) => rows.finish(),
        }
    }
}

/// Returns the error for writing a record to an output of rows, or a row to an output of records.
fn no_rows() -> io::Error {
    io::Error::other("an internal error: the output is of another kind")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In compressed archives, each record is a separate member, which begins with the magic number.
    #[test]
    fn records_of_archives_are_members() {
        for (format, members) in [(Format::Jsonl, 1), (Format::Wet, 2), (Format::WarcUtf8, 2)] {
            let mut sink =
                Sink::new(format, Some(engine::Format::Gzip), Vec::new(), (2, 0)).unwrap();
            for record in ["first", "second"] {
                sink.record(|buffer| buffer.extend_from_slice(record.as_bytes()))
                    .unwrap();
            }
            let output = sink.finish().unwrap();
            let starts = output.windows(3).filter(|bytes| bytes == b"\x1F\x8B\x08");
            assert_eq!(starts.count(), members, "{}", format.ending());
        }
    }

    #[test]
    fn all_bytes_of_records_are_counted() {
        for compression in [None, Some(engine::Format::Gzip)] {
            for format in [Format::Jsonl, Format::Wet] {
                let mut sink = Sink::new(format, compression, Vec::new(), (1, 0)).unwrap();
                let mut sum = 0;
                for length in [0, 5, BLOCK - 6, BLOCK + 1, 7, BLOCK, 3] {
                    sink.record(|buffer| buffer.resize(buffer.len() + length, b'x'))
                        .unwrap();
                    sum += length as u64;
                    assert_eq!(sink.bytes(), sum, "{compression:?} {length}");
                }
                sink.long_record(|output| output.write_all(b"a long one"))
                    .unwrap();
                assert_eq!(sink.bytes(), sum + 10, "{compression:?}");
                assert!(!sink.finish().unwrap().is_empty());
            }
        }
    }

    #[test]
    fn a_record_that_is_taken_back_leaves_nothing() {
        use std::panic::{AssertUnwindSafe, catch_unwind};
        for format in [Format::Jsonl, Format::Wet] {
            let mut sink = Sink::new(format, None, Vec::new(), (1, 0)).unwrap();
            for text in ["one", "two"] {
                sink.record(|buffer| buffer.extend_from_slice(text.as_bytes()))
                    .unwrap();
                let fault = catch_unwind(AssertUnwindSafe(|| {
                    sink.record(|buffer| {
                        buffer.extend_from_slice(b"part");
                        panic!("a fault, for the test");
                    })
                }));
                assert!(fault.is_err());
                sink.undo();
            }
            assert_eq!(sink.finish().unwrap(), b"onetwo");
        }
    }
}
