//! The bytes of a file, read on demand.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;

/// The number of bytes that are searched at once, which stay in the L2 cache.
pub const SEARCH_LENGTH: usize = 256 << 10;

/// The number of bytes that are copied at once.
pub const STEP: u64 = 16 << 20;

/// A file of a known length.
#[derive(Clone, Copy)]
pub struct SourceFile<'a> {
    file: &'a File,
    length: u64,
}

impl<'a> SourceFile<'a> {
    pub fn new(file: &'a File, length: u64) -> Self {
        Self { file, length }
    }

    /// Returns the length of the file when it was opened.
    pub fn length(self) -> u64 {
        self.length
    }

    /// Fills `bytes` from an offset on.
    ///
    /// # Errors
    ///
    /// Fails if the file is now shorter.
    pub fn fill(self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        self.file.read_exact_at(bytes, offset)
    }

    /// Returns the bytes of a range.
    ///
    /// # Errors
    ///
    /// Fails if the file is now shorter, or memory is insufficient.
    pub fn range(self, start: u64, end: u64) -> io::Result<Vec<u8>> {
        let length = usize::try_from(end - start).unwrap_or(usize::MAX);
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length)?;
        bytes.resize(length, 0);
        self.fill(&mut bytes, start)?;
        Ok(bytes)
    }

    /// Copies the bytes of a range to a file. The system copies long ranges without this process; `copied` is called after
    /// every [`STEP`] bytes.
    ///
    /// # Errors
    ///
    /// Fails if the file is now shorter, or the output cannot be written.
    pub fn copy(
        self,
        start: u64,
        end: u64,
        output: &mut BufWriter<&File>,
        copied: &mut dyn FnMut(),
    ) -> io::Result<()> {
        if end - start <= SEARCH_LENGTH as u64 {
            return output.write_all(&self.range(start, end)?);
        }
        output.flush()?;
        let mut file = self.file;
        file.seek(SeekFrom::Start(start))?;
        let mut at = start;
        while at < end {
            let step = STEP.min(end - at);
            if io::copy(&mut file.take(step), output.get_mut())? < step {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            at += step;
            copied();
        }
        Ok(())
    }
}
