//! Lines and columns, counted in decoded text.

use super::Trouble;
use crate::bounded;
use std::fmt;
use std::io::{self, Read};

/// A position in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The byte offset.
    pub offset: u64,
    /// The line and the column, from 1, if known.
    pub line: Option<(u64, u64)>,
}

impl Place {
    /// Returns the position of a trouble.
    pub fn of(trouble: &Trouble) -> Self {
        Self {
            offset: trouble.offset,
            line: Some((trouble.line, trouble.column)),
        }
    }

    /// Returns a position with only an offset.
    pub fn at(offset: u64) -> Self {
        Self { offset, line: None }
    }

    /// Returns the line and the column in parentheses; empty if they are unknown.
    pub(crate) fn in_lines(self) -> String {
        self.line.map_or_else(String::new, |(line, column)| {
            format!(" (line {line}, column {column})")
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte offset {}{}", self.offset, self.in_lines())
    }
}

/// Reads the text from the start of a file to a position; returns its line and column, from 1.
pub fn line_after(text: &mut dyn Read) -> io::Result<(u64, u64)> {
    let mut position = Position::default();
    let mut piece = vec![0; 64 << 10];
    loop {
        match bounded::read(&mut *text, &mut piece)? {
            0 => return Ok((position.lines + 1, position.column + 1)),
            length => position.advance(&piece[..length]),
        }
    }
}

/// A position in text, relative to the start of counting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The number of U+000A since the start.
    pub lines: u64,
    /// The number of characters since the last U+000A, or since the start.
    pub column: u64,
}

impl Position {
    /// Counts UTF-8 text, which must consist of whole characters.
    pub fn advance(&mut self, text: &[u8]) {
        let lines = memchr::memchr_iter(b'\n', text).count();
        let tail = match lines {
            0 => text,
            _ => {
                self.lines += lines as u64;
                self.column = 0;
                &text[memchr::memrchr(b'\n', text).map_or(0, |at| at + 1)..]
            }
        };
        self.column += characters(tail);
    }

    /// Counts a malformed sequence.
    pub(crate) fn advance_malformed(&mut self) {
        self.column += 1;
    }

    /// Returns the position `further` after this one.
    pub fn plus(self, further: Self) -> Self {
        Self {
            lines: self.lines + further.lines,
            column: if further.lines == 0 {
                self.column.wrapping_add(further.column)
            } else {
                further.column
            },
        }
    }
}

/// Returns the number of characters: bytes that are not continuation bytes.
fn characters(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| (byte as i8) >= -0x40).count() as u64
}
