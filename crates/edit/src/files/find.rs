//! Finds the parts of a file that may contain a text, by its bytes.
//!
//! Only these parts are decoded and edited; in stateful encodings, the whole file is. Each begins and ends at a
//! [`Boundary`], so its text is part of the file's. No edit reaches a part's last unit, so the text after it stays.

use super::boundary::Boundary;
use super::needle::Needle;
use super::source::{SEARCH_LENGTH, SourceFile};
use crate::{Document, LineEnds};
use memchr::memmem;
use mojika::{BomHandling, Decoder, Encoding};
use std::io;
use std::ops::Range;

/// Parts at a smaller distance, in bytes, are joined, up to [`LONGEST_JOINED`].
const NEAR: u64 = 4 << 10;
const LONGEST_JOINED: u64 = 64 << 10;

/// The number of bytes at the start of a file that may contain a byte order mark, with a margin.
const MARK: u64 = 8;

/// The number of bytes of a part that are decoded at once, if the part can be split.
pub const LONGEST_PIECE: u64 = 256 << 10;

/// The number of bytes in which a boundary is searched first.
const NEXT: u64 = 256;

/// A file, and the rule for the offsets at which it can be split.
#[derive(Clone, Copy)]
pub struct Finder<'a> {
    pub source: SourceFile<'a>,
    pub encoding: &'static Encoding,
    pub boundary: Boundary,
    /// The number of bytes of a part that are decoded at once, if the part can be split.
    pub piece: u64,
}

impl Finder<'_> {
    /// Returns the parts that contain the bytes of `needle`, and thus may contain its text, in order.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn parts<'n>(&self, needle: &'n Needle) -> io::Result<SearchedParts<'n>>
    where
        Self: 'n,
    {
        let mut parts = SearchedParts {
            finder: *self,
            needle,
            hits: Hits::new(self.source, &needle.bytes),
            around: None,
            floor: 0,
        };
        parts.advance()?;
        Ok(parts)
    }

    /// Opens a part as a document.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn open(&self, part: &Range<u64>) -> io::Result<Document<'static>> {
        let bytes = self.source.range(part.start, part.end)?;
        // At any other offset, these bytes are not a byte order mark.
        let bom = match part.start {
            0 => BomHandling::Sniff,
            _ => BomHandling::Keep,
        };
        Ok(Document::open_with(bytes, self.encoding, bom))
    }

    /// Returns the line ends of the whole text.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn line_ends(&self) -> io::Result<LineEnds> {
        let length = self.source.length();
        let (mut at, mut found) = (0, LineEnds::None);
        let mut decoder = Decoder::new(self.encoding, BomHandling::Sniff);
        let mut text = String::new();
        while at < length && found != LineEnds::Mixed {
            let end = (at + SEARCH_LENGTH as u64).min(length);
            let bytes = self.source.range(at, end)?;
            decoder.decode_append(&bytes, &mut text, end == length);
            // A line end of two characters is not split.
            let is_split = end < length && text.ends_with('\r');
            let whole = text.len() - usize::from(is_split);
            match (found, LineEnds::of(&text[..whole], self.encoding)) {
                (LineEnds::None, own) => found = own,
                (_, LineEnds::None) => {}
                (all, own) if all == own => {}
                _ => found = LineEnds::Mixed,
            }
            text.drain(..whole);
            at = end;
        }
        Ok(found)
    }

    /// Returns the last boundary at or before an offset. It is at least `floor`, which is a boundary.
    pub fn boundary_before(&self, at: u64, floor: u64) -> io::Result<u64> {
        let mut length = NEXT;
        loop {
            let start = at.saturating_sub(length).max(floor) & !1;
            let start = start.max(floor);
            let bytes = self.source.range(start, at)?;
            if let Some(found) = self.boundary.last(&bytes, bytes.len()) {
                return Ok(start + found as u64);
            }
            if start == floor {
                return Ok(floor);
            }
            length *= 4;
        }
    }

    /// Returns the first boundary after an offset, or the end of the file; `at` if boundaries cannot be found in bytes.
    pub fn boundary_after(&self, at: u64) -> io::Result<u64> {
        if self.boundary == Boundary::Initial {
            return Ok(at.min(self.source.length()));
        }
        let at = at & !(self.boundary.unit() - 1);
        let mut length = NEXT;
        loop {
            let end = (at + length).min(self.source.length());
            let bytes = self.source.range(at, end)?;
            if let Some(found) = self.boundary.first_after(&bytes, 0) {
                return Ok(at + found as u64);
            }
            if end == self.source.length() {
                return Ok(end);
            }
            length *= 4;
        }
    }
}

/// Iterates over the parts of a file that may contain a text.
pub struct SearchedParts<'a> {
    finder: Finder<'a>,
    needle: &'a Needle,
    hits: Hits<'a>,
    /// The range around the next occurrence of the needle.
    around: Option<Range<u64>>,
    /// The end of the previous part.
    floor: u64,
}

impl SearchedParts<'_> {
    fn advance(&mut self) -> io::Result<()> {
        // The part must also contain an overlapping occurrence that was skipped.
        let after = (2 * self.needle.bytes.len() + self.needle.after) as u64 + MARK;
        self.around = self.hits.next()?.map(|hit| {
            let start = hit.saturating_sub(self.needle.before as u64);
            let start = if start < MARK { 0 } else { start & !1 };
            start..(hit + after).min(self.finder.source.length())
        });
        Ok(())
    }

    /// Returns the next part.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn next(&mut self) -> io::Result<Option<Range<u64>>> {
        let Some(first) = self.around.take() else {
            return Ok(None);
        };
        let start = self.finder.boundary_before(first.start, self.floor)?;
        let mut end = first.end;
        self.advance()?;
        loop {
            while let Some(next) = &self.around {
                let is_near = end - start < LONGEST_JOINED && next.start < end + NEAR;
                if next.start >= end && !is_near {
                    break;
                }
                end = next.end;
                self.advance()?;
            }
            end = self.finder.boundary_after(end)?;
            // The next part then begins at or after `end`.
            if self.around.as_ref().is_none_or(|next| next.start >= end) {
                break;
            }
        }
        self.floor = end;
        Ok(Some(start..end))
    }
}

/// Iterates over the occurrences of the needle's bytes in a file.
struct Hits<'a> {
    source: SourceFile<'a>,
    needle: memmem::Finder<'a>,
    buffer: Vec<u8>,
    /// The offset in the file of the buffer's start, the number of file bytes in the buffer, and the number searched.
    start: u64,
    filled: usize,
    searched: usize,
}

impl<'a> Hits<'a> {
    fn new(source: SourceFile<'a>, bytes: &'a [u8]) -> Self {
        Self {
            source,
            needle: memmem::Finder::new(bytes),
            buffer: vec![0; SEARCH_LENGTH.max(2 * bytes.len())],
            start: 0,
            filled: 0,
            searched: 0,
        }
    }

    /// Returns the offset of the next occurrence. Occurrences that overlap or are not whole characters may be left out.
    fn next(&mut self) -> io::Result<Option<u64>> {
        loop {
            let rest = &self.buffer[self.searched..self.filled];
            if let Some(found) = self.needle.find(rest) {
                let hit = self.searched + found;
                self.searched = hit + self.needle.needle().len();
                return Ok(Some(self.start + hit as u64));
            }
            // Bytes at the end of the buffer may be the start of an occurrence.
            let begun = self.needle.needle().len() - 1;
            let kept = self.filled.saturating_sub(begun).max(self.searched);
            self.buffer.copy_within(kept..self.filled, 0);
            self.start += kept as u64;
            (self.filled, self.searched) = (self.filled - kept, 0);
            let read = self.start + self.filled as u64;
            let more =
                (self.buffer.len() - self.filled).min((self.source.length() - read) as usize);
            if more == 0 {
                return Ok(None);
            }
            let end = self.filled + more;
            self.source.fill(&mut self.buffer[self.filled..end], read)?;
            self.filled = end;
        }
    }
}
