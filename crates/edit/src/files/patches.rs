//! The patches of a file, in order. A few are kept in memory, more in an unnamed temporary file.

use super::source::SEARCH_LENGTH;
use crate::Patch;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;

/// Patches that are written once and read in order.
#[derive(Default)]
pub struct Patches {
    /// The encoded patches that are not in the temporary file. A patch is encoded as variable-length integers and its
    /// new bytes. The integers are the numbers of unchanged bytes before it, of removed bytes, and of new bytes.
    recent: Vec<u8>,
    file: Option<File>,
    end: u64,
    first: Option<u64>,
    count: usize,
    removed: u64,
    written: u64,
}

impl Patches {
    /// Adds the patches of a part that begins at `offset` of the file.
    ///
    /// # Errors
    ///
    /// Fails if the temporary file cannot be written.
    pub fn extend(&mut self, patches: &[Patch], offset: u64) -> io::Result<()> {
        for patch in patches {
            let (start, end) = (patch.source.start as u64, patch.source.end as u64);
            for number in [
                offset + start - self.end,
                end - start,
                patch.bytes.len() as u64,
            ] {
                push_number(&mut self.recent, number);
            }
            self.recent.extend_from_slice(&patch.bytes);
            self.end = offset + end;
            self.first.get_or_insert(offset + start);
            self.count += 1;
            self.removed += end - start;
            self.written += patch.bytes.len() as u64;
            if self.recent.len() >= SEARCH_LENGTH {
                let file = match &mut self.file {
                    Some(file) => file,
                    none => none.insert(tempfile::tempfile()?),
                };
                file.write_all(&self.recent)?;
                self.recent.clear();
            }
        }
        Ok(())
    }

    /// Returns the number of patches.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if there are no patches.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the number of removed bytes, and the number of written bytes.
    pub fn sizes(&self) -> (u64, u64) {
        (self.removed, self.written)
    }

    /// Returns the offset of the first patch.
    pub fn first(&self) -> Option<u64> {
        self.first
    }

    /// Calls `each` with the range and the new bytes of every patch.
    ///
    /// # Errors
    ///
    /// Fails if `each` does, or the temporary file cannot be read.
    pub fn each(
        &self,
        mut each: impl FnMut(Range<u64>, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut reader: Box<dyn Read + '_> = Box::new(&*self.recent);
        if let Some(file) = &self.file {
            let mut start = file;
            start.seek(SeekFrom::Start(0))?;
            reader = Box::new(BufReader::with_capacity(SEARCH_LENGTH, file).chain(reader));
        }
        let (mut end, mut bytes) = (0, Vec::new());
        for _ in 0..self.count {
            let start = end + number(&mut reader)?;
            end = start + number(&mut reader)?;
            let length = number(&mut reader)?;
            bytes.clear();
            (&mut reader).take(length).read_to_end(&mut bytes)?;
            each(start..end, &bytes)?;
        }
        Ok(())
    }
}

fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(0x80 | number as u8);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn number(reader: &mut dyn Read) -> io::Result<u64> {
    let (mut number, mut byte) = (0, [0x80]);
    for shift in (0..u64::BITS).step_by(7) {
        reader.read_exact(&mut byte)?;
        number |= u64::from(byte[0] & 0x7F) << shift;
        if byte[0] < 0x80 {
            break;
        }
    }
    Ok(number)
}
