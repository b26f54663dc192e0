//! The source of an archive's bytes.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;

/// The bytes of an archive and, for a regular file, random access.
pub struct Input<R> {
    reader: R,
    file: Option<File>,
}

impl<R: Read> Input<R> {
    /// Creates an input that can only be read in sequence.
    pub fn stream(reader: R) -> Self {
        Self { reader, file: None }
    }

    /// Reads `file` from its start.
    ///
    /// # Errors
    ///
    /// Fails if the file has no metadata.
    pub fn file(reader: R, file: &File) -> io::Result<Self> {
        let is_regular = file.metadata()?.is_file();
        let file = is_regular.then(|| file.try_clone()).transpose()?;
        Ok(Self { reader, file })
    }

    /// Reads bytes at an offset without moving the reading position; `None` if the input is not a regular file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn look(&self, offset: u64, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        let Some(file) = &self.file else {
            return Ok(None);
        };
        let mut length = 0;
        while length < buffer.len() {
            match file.read_at(&mut buffer[length..], offset + length as u64) {
                Ok(0) => break,
                Ok(more) => length += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The offset is larger than that of any file.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => break,
                Err(error) => return Err(error),
            }
        }
        Ok(Some(length))
    }

    /// Returns the size of a regular file in bytes.
    pub fn size(&self) -> Option<u64> {
        Some(self.file.as_ref()?.metadata().ok()?.len())
    }
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}
