//! The parts of a file that may have a text, found by its bytes.
//!
//! Only these parts are decoded and edited. Each begins and ends at a [`Boundary`], so that its text is a part of the file's
//! text, and one unit before its end is outside of all edits, so that what follows is not changed by them.

use super::boundary::Boundary;
use super::needle::Needle;
use super::source::{PIECE, Source};
use memchr::memmem;
use mojika::edit::{Document, LineEnds};
use mojika::{BomHandling, Encoding};
use std::io;
use std::ops::Range;

/// Needles that are noted; where there are more, the file is taken as a whole.
const MOST_HITS: usize = 1 << 20;

/// Parts that are nearer than this are one, up to [`LONGEST_JOINED`].
const NEAR: u64 = 4 << 10;
const LONGEST_JOINED: u64 = 64 << 10;

/// Bytes that a byte order mark is in, at the start of a file, with some more.
const MARK: u64 = 8;

/// Bytes that are first looked at for a boundary.
const NEXT: u64 = 256;

/// A file with an encoding that has boundaries.
#[derive(Clone, Copy)]
pub struct Finder<'a> {
    pub source: Source<'a>,
    pub encoding: &'static Encoding,
    pub boundary: Boundary,
}

impl Finder<'_> {
    /// The parts that may have a text with this needle, in order. `None` if there are too many, or one that is longer than
    /// `most`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn parts(&self, needle: &Needle, most: u64) -> io::Result<Option<Vec<Range<u64>>>> {
        let Some(hits) = self.hits(&needle.bytes)? else {
            return Ok(None);
        };
        let length = self.source.length();
        // A needle that overlaps the one that was found, and is not noted, is in the part, too.
        let after = (2 * needle.bytes.len() + needle.after) as u64 + MARK;
        let around = |hit: u64| {
            let start = hit.saturating_sub(needle.before as u64);
            let start = if start < MARK { 0 } else { start & !1 };
            start..(hit + after).min(length)
        };
        let mut parts: Vec<Range<u64>> = Vec::new();
        let mut hits = hits.into_iter().map(around).peekable();
        while let Some(first) = hits.next() {
            let floor = parts.last().map_or(0, |last| last.end);
            let start = self.boundary_before(first.start, floor)?;
            let mut end = first.end;
            loop {
                while let Some(next) = hits.next_if(|next| {
                    let is_short = end - start < LONGEST_JOINED;
                    next.start < end || (is_short && next.start - end < NEAR)
                }) {
                    end = next.end;
                }
                end = self.boundary_after(end)?;
                // The part that follows begins there or later.
                if hits.peek().is_none_or(|next| next.start >= end) {
                    break;
                }
            }
            if end - start > most {
                return Ok(None);
            }
            parts.push(start..end);
        }
        Ok(Some(parts))
    }

    /// A part as a document.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn open(&self, part: &Range<u64>) -> io::Result<Document<'static>> {
        let bytes = self.source.range(part.start, part.end)?;
        // Elsewhere, what looks like a byte order mark is none.
        let bom = match part.start {
            0 => BomHandling::Sniff,
            _ => BomHandling::Keep,
        };
        Ok(Document::open_with(bytes, self.encoding, bom))
    }

    /// How the lines of all of the text end.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn line_ends(&self) -> io::Result<LineEnds> {
        let length = self.source.length();
        let (mut at, mut found) = (0, LineEnds::None);
        while at < length {
            let mut end = (at + 4 * PIECE as u64).min(length);
            loop {
                end = self.boundary_after(end)?;
                // No line end of two characters is cut.
                let unit = self.boundary.unit();
                let last = self.source.range((end - unit).max(at), end)?;
                if end == length || !last.contains(&b'\r') {
                    break;
                }
            }
            match (found, self.open(&(at..end))?.line_ends()) {
                (LineEnds::None, own) => found = own,
                (_, LineEnds::None) => {}
                (all, own) if all == own => {}
                _ => found = LineEnds::Mixed,
            }
            if found == LineEnds::Mixed {
                break;
            }
            at = end;
        }
        Ok(found)
    }

    /// Where the bytes are; `None` if they are in too many places.
    fn hits(&self, bytes: &[u8]) -> io::Result<Option<Vec<u64>>> {
        let finder = memmem::Finder::new(bytes);
        let length = self.source.length();
        let mut hits = Vec::new();
        let mut buffer = vec![0; PIECE.max(2 * bytes.len())];
        // What the buffer begins with of the piece before, and where in the file that is.
        let (mut kept, mut start) = (0, 0);
        while start + (kept as u64) < length {
            let read = start + kept as u64;
            let end = buffer.len().min((length - start) as usize);
            self.source.fill(&mut buffer[kept..end], read)?;
            // Also those that are not whole characters: they may hide others that are.
            hits.extend(
                finder
                    .find_iter(&buffer[..end])
                    .map(|hit| start + hit as u64),
            );
            if hits.len() > MOST_HITS {
                return Ok(None);
            }
            kept = (bytes.len() - 1).min(end);
            buffer.copy_within(end - kept..end, 0);
            start += (end - kept) as u64;
        }
        Ok(Some(hits))
    }

    /// The last boundary at or before an offset, not before `floor`, which is one.
    fn boundary_before(&self, at: u64, floor: u64) -> io::Result<u64> {
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

    /// The first boundary after an offset, or the end of the file.
    fn boundary_after(&self, at: u64) -> io::Result<u64> {
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
