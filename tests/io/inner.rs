//! Inner readers and writers for the tests of the adapters. They are repeatedly interrupted, or would block.

#![allow(dead_code, reason = "each test binary uses a part of this")]

use mojika::{DecodeError, EncodeError};
use std::io::{self, ErrorKind, Read, Write};

/// The number of bytes of each inner read or write.
pub const CHUNKS: [usize; 5] = [1, 2, 3, 7, 4096];

/// Returns three results in turn: no error, `Interrupted`, `WouldBlock`.
#[derive(Clone, Debug, Default)]
pub struct Trouble {
    calls: u32,
    on: bool,
}

impl Trouble {
    pub fn new(on: bool) -> Self {
        Trouble { calls: 0, on }
    }

    pub fn next(&mut self) -> io::Result<()> {
        self.calls += 1;
        match self.calls % 4 {
            1 if self.on => Err(ErrorKind::Interrupted.into()),
            2 if self.on => Err(ErrorKind::WouldBlock.into()),
            _ => Ok(()),
        }
    }
}

/// A reader that returns its bytes in chunks of one size.
#[derive(Clone, Debug)]
pub struct Trickle<'a> {
    pub bytes: &'a [u8],
    pub chunk: usize,
    pub trouble: Trouble,
}

impl<'a> Trickle<'a> {
    pub fn new(bytes: &'a [u8], chunk: usize) -> Self {
        Trickle {
            bytes,
            chunk,
            trouble: Trouble::default(),
        }
    }

    /// Creates a reader that is repeatedly interrupted, and repeatedly would block.
    pub fn troubled(bytes: &'a [u8], chunk: usize) -> Self {
        Trickle {
            trouble: Trouble::new(true),
            ..Self::new(bytes, chunk)
        }
    }
}

impl Read for Trickle<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        assert!(!buf.is_empty(), "an adapter has no reason to read nothing");
        self.trouble.next()?;
        let n = self.bytes.len().min(self.chunk).min(buf.len());
        let (now, rest) = self.bytes.split_at(n);
        buf[..n].copy_from_slice(now);
        self.bytes = rest;
        Ok(n)
    }
}

/// A writer that accepts at most a fixed number of bytes per call.
#[derive(Clone, Debug)]
pub struct Picky {
    pub bytes: Vec<u8>,
    pub chunk: usize,
    pub flushes: u32,
    pub trouble: Trouble,
}

impl Picky {
    pub fn new(chunk: usize) -> Self {
        Picky {
            bytes: Vec::new(),
            chunk,
            flushes: 0,
            trouble: Trouble::default(),
        }
    }

    /// Creates a writer that is repeatedly interrupted, and repeatedly would block.
    pub fn troubled(chunk: usize) -> Self {
        Picky {
            trouble: Trouble::new(true),
            ..Self::new(chunk)
        }
    }
}

impl Write for Picky {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        assert!(!buf.is_empty(), "an adapter has no reason to write nothing");
        self.trouble.next()?;
        let n = buf.len().min(self.chunk);
        self.bytes.extend_from_slice(&buf[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushes += 1;
        Ok(())
    }
}

/// Repeats a call while it would block. Panics on `Interrupted`, which adapters must handle themselves.
pub fn unblocked<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => panic!("not retried"),
            result => return result,
        }
    }
}

/// Returns the malformed sequence in an error.
#[track_caller]
pub fn decode_error(error: &io::Error) -> DecodeError {
    assert_eq!(error.kind(), ErrorKind::InvalidData, "{error}");
    let error = error.get_ref().and_then(|error| error.downcast_ref());
    *error.expect("a typed error")
}

/// Returns the unmappable scalar value in an error, and its offset.
#[track_caller]
pub fn encode_error(error: &io::Error) -> (char, u64) {
    assert_eq!(error.kind(), ErrorKind::InvalidData, "{error}");
    match error.get_ref().and_then(|error| error.downcast_ref()) {
        Some(EncodeError::Unmappable { unmappable, .. }) => (unmappable.scalar, unmappable.offset),
        other => panic!("{other:?} of {error}"),
    }
}
