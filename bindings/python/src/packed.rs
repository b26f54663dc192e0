//! A source of bytes, which decompresses them if necessary. The first bytes identify the format, as in the command.

use crate::source::Source;
use mojika_convert::engine::{Format, damage, decompressor};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::io::{Cursor, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of bytes of a compressed file read at once.
const PIECE: usize = 64 << 10;
/// The number of leading bytes that identify the format.
const HEAD: usize = 10;

/// The value of the argument `compression`.
#[derive(Clone, Copy, PartialEq)]
pub enum Compression {
    /// The format that the first bytes indicate.
    Infer,
    /// No compression: compressed data are an error.
    Plain,
    /// Compression in the given format. Data in any other form are an error.
    Of(Format),
}

impl Compression {
    /// Parses pandas' word for a format, or the format's name.
    pub fn of(word: Option<&str>) -> PyResult<Self> {
        Ok(match word {
            Some("infer") => Compression::Infer,
            None => Compression::Plain,
            Some("gzip" | "gz") => Compression::Of(Format::Gzip),
            Some("zstd" | "zst") => Compression::Of(Format::Zstd),
            Some("bz2" | "bzip2") => Compression::Of(Format::Bzip2),
            Some("xz") => Compression::Of(Format::Xz),
            Some(other) => {
                return Err(PyValueError::new_err(format!(
                    "compression must be 'infer', None, 'gzip', 'zstd', 'bz2' or 'xz', not {other:?}"
                )));
            }
        })
    }
}

/// A source of decompressed bytes.
pub struct Packed {
    source: Arc<Mutex<Source>>,
    compression: Compression,
    layer: Layer,
}

enum Layer {
    /// The source has not been read yet.
    Unknown,
    /// The source is not compressed. The value is the bytes that were read to identify the format.
    Plain(Vec<u8>),
    Compressed {
        format: Format,
        reader: Box<dyn Read + Send>,
        position: u64,
    },
}

/// A source as a Rust reader.
struct Raw {
    source: Arc<Mutex<Source>>,
    piece: Vec<u8>,
}

impl Read for Raw {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        self.piece.clear();
        let amount = out.len().min(PIECE);
        locked(&self.source).read(&mut self.piece, amount)?;
        out[..self.piece.len()].copy_from_slice(&self.piece);
        Ok(self.piece.len())
    }
}

fn locked(source: &Mutex<Source>) -> MutexGuard<'_, Source> {
    source.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Packed {
    pub fn new(source: Source, compression: Compression) -> Self {
        Self {
            source: Arc::new(Mutex::new(source)),
            compression,
            layer: Layer::Unknown,
        }
    }

    /// Appends at most `amount` bytes to `buffer`; 0 means the end. Call it without the interpreter's lock.
    pub fn read(&mut self, buffer: &mut Vec<u8>, amount: usize) -> PyResult<usize> {
        if let Layer::Unknown = self.layer {
            self.look()?;
        }
        match &mut self.layer {
            Layer::Plain(head) if !head.is_empty() => {
                let length = head.len();
                buffer.append(head);
                Ok(length)
            }
            Layer::Plain(_) | Layer::Unknown => locked(&self.source).read(buffer, amount),
            Layer::Compressed {
                format,
                reader,
                position,
            } => {
                let before = buffer.len();
                buffer.resize(before + amount, 0);
                let read = reader.read(&mut buffer[before..]);
                let length = *read.as_ref().unwrap_or(&0);
                buffer.truncate(before + length);
                *position += length as u64;
                read.map_err(|error| match error.get_ref() {
                    Some(inner) if inner.is::<PyErr>() => error.into(),
                    _ => PyOSError::new_err(damage(*format, &error.to_string())),
                })
            }
        }
    }

    /// Reads the first bytes of the source, and identifies its format.
    fn look(&mut self) -> PyResult<()> {
        let mut head = Vec::new();
        while head.len() < HEAD && locked(&self.source).read(&mut head, PIECE)? > 0 {}
        let found = Format::of(&head);
        self.layer = match (self.compression, found) {
            (Compression::Infer | Compression::Plain, None) => Layer::Plain(head),
            (Compression::Plain, Some(format)) => {
                return Err(PyValueError::new_err(format!(
                    "the file is {format} data, and compression=None does not read it; \
                     compression=\"infer\", the default, does"
                )));
            }
            (Compression::Of(wanted), found) if found != Some(wanted) => {
                let is = match found {
                    Some(format) => format!("{format} data"),
                    None => "not compressed".to_owned(),
                };
                return Err(PyValueError::new_err(format!(
                    "the file is no {wanted} data, as compression= says: it is {is}"
                )));
            }
            (_, Some(format)) => self.opened(format, head)?,
            (_, None) => Layer::Plain(head),
        };
        Ok(())
    }

    fn opened(&self, format: Format, head: Vec<u8>) -> PyResult<Layer> {
        let raw = Raw {
            source: self.source.clone(),
            piece: Vec::new(),
        };
        Ok(Layer::Compressed {
            format,
            reader: decompressor(format, Cursor::new(head).chain(raw))?,
            position: 0,
        })
    }

    /// Returns the length in bytes, if it is known without reading.
    pub fn length(&self) -> Option<u64> {
        match self.layer {
            Layer::Compressed { .. } => None,
            Layer::Plain(_) | Layer::Unknown => locked(&self.source).length(),
        }
    }

    /// True if [`seek`](Self::seek) works.
    pub fn is_seekable(&mut self) -> bool {
        locked(&self.source).is_seekable()
    }

    /// Seeks to a position, in bytes from the start of the decompressed data.
    pub fn seek(&mut self, place: u64) -> PyResult<()> {
        let (format, position) = match &mut self.layer {
            Layer::Unknown => return Ok(()),
            Layer::Plain(head) => {
                head.clear();
                return locked(&self.source).seek(place);
            }
            Layer::Compressed {
                format, position, ..
            } => (*format, *position),
        };
        if place < position {
            locked(&self.source).seek(0)?;
            self.layer = self.opened(format, Vec::new())?;
        }
        let mut skipped = Vec::new();
        while let Layer::Compressed { position, .. } = &self.layer
            && *position < place
        {
            let missing = usize::try_from(place - position).unwrap_or(PIECE);
            skipped.clear();
            if self.read(&mut skipped, missing.min(PIECE))? == 0 {
                break;
            }
        }
        Ok(())
    }

    pub fn is_closed(&self) -> bool {
        matches!(*locked(&self.source), Source::Closed)
    }

    /// True for a file that Rust has opened.
    pub fn is_file(&self) -> bool {
        matches!(*locked(&self.source), Source::File(_))
    }

    /// Closes the decompressor, and returns the source.
    pub fn close(&mut self) -> Source {
        self.layer = Layer::Unknown;
        std::mem::replace(&mut locked(&self.source), Source::Closed)
    }
}
