//! Lines of UTF-8 as they were before they were encoded twice.

use super::undo;
use mojika::Encoding;
use std::io::{self, BufRead, BufReader, Read};

/// A longer line passes in pieces, as it is.
const LONGEST_LINE: u64 = 1 << 20;

/// Lines that are listed, at most.
const MOST: usize = 1000;

/// A line that was encoded twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// Its number, from 1.
    pub line: u64,
    pub before: String,
    pub after: String,
    /// In which encodings it was read by mistake, the last one first.
    pub readings: Vec<&'static Encoding>,
}

/// Bytes of lines that are given out at once, if the reader has them.
const BLOCK: usize = 32 << 10;

/// Reads text in UTF-8, and gives it out with the lines undone that were encoded twice.
pub struct RepairReader<R> {
    inner: BufReader<R>,
    /// Lines as they are given out.
    block: Vec<u8>,
    given: usize,
    number: u64,
    is_within_line: bool,
    /// How many lines were encoded twice, and the first ones of them.
    pub count: u64,
    pub repaired: Vec<Repaired>,
}

impl<R: Read> RepairReader<R> {
    pub fn new(inner: R) -> Self {
        Self {
            inner: BufReader::with_capacity(64 << 10, inner),
            block: Vec::new(),
            given: 0,
            number: 0,
            is_within_line: false,
            count: 0,
            repaired: Vec::new(),
        }
    }

    /// Takes at least one line, and those after it that are at hand.
    fn next_block(&mut self) -> io::Result<()> {
        self.block.clear();
        self.given = 0;
        loop {
            self.next_line()?;
            let is_at_hand = memchr::memchr(b'\n', self.inner.buffer()).is_some();
            if self.block.len() >= BLOCK || !is_at_hand {
                return Ok(());
            }
        }
    }

    fn next_line(&mut self) -> io::Result<()> {
        let start = self.block.len();
        let mut piece = (&mut self.inner).take(LONGEST_LINE);
        piece.read_until(b'\n', &mut self.block)?;
        let line = &self.block[start..];
        let was_within_line = self.is_within_line;
        self.is_within_line = line.last() != Some(&b'\n');
        self.number += u64::from(!was_within_line);
        let is_long = was_within_line || self.is_within_line && line.len() as u64 == LONGEST_LINE;
        if is_long || line.is_ascii() {
            return Ok(());
        }
        // What is malformed is the converter's to say.
        let Ok(text) = std::str::from_utf8(line) else {
            return Ok(());
        };
        if let Some((after, readings)) = undo(text) {
            self.count += 1;
            if self.repaired.len() < MOST {
                self.repaired.push(Repaired {
                    line: self.number,
                    before: text.to_owned(),
                    after: after.clone(),
                    readings,
                });
            }
            self.block.truncate(start);
            self.block.extend_from_slice(after.as_bytes());
        }
        Ok(())
    }
}

impl<R: Read> Read for RepairReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.block.len() {
            self.next_block()?;
        }
        let rest = &self.block[self.given..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.given += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_undone_one_by_one() {
        let long = "é".repeat(1 << 20);
        let text = format!("cafÃ©\nok\nPrÃ¼fung é\n{long}\ncafÃ©");
        let mut reader = RepairReader::new(text.as_bytes());
        let mut read = String::new();
        reader.read_to_string(&mut read).unwrap();
        assert_eq!(read, format!("café\nok\nPrÃ¼fung é\n{long}\ncafé"));
        assert_eq!(reader.count, 2);
        let lines: Vec<_> = reader.repaired.iter().map(|one| one.line).collect();
        assert_eq!(lines, [1, 5]);
    }
}
