//! Text that changes its encoding: from line to line between UTF-8 and another encoding, or from part to part to UTF-16.

use super::{BLOCK, Place, Turn, byte_order_mark};
use mojika::io::{line_end, whole_lines};
use mojika::{Encoding, UTF_8, mem};
use mojika_sniff::Source;
use std::io::{self, Read};

/// The maximum number of changes that are listed for one input.
pub const MAX_CHANGES: usize = 1000;

/// The marks of UTF-32, and the number of bytes that decide if a text begins with one.
const UTF_32_MARKS: [&[u8]; 2] = [b"\xFF\xFE\0\0", b"\0\0\xFE\xFF"];
const MARKED: usize = 4 + 256;

/// A part of a text, in UTF-16 or with single-byte units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// UTF-16 in the part's byte order; `None` for single-byte units.
    pub encoding: Option<&'static Encoding>,
    /// The position of the part's first byte.
    pub place: Place,
}

/// A change of the encoding in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The input offset of the line's first byte.
    pub offset: u64,
    /// Number of the line, from 1.
    pub line: u64,
    /// The encoding from there on.
    pub encoding: &'static Encoding,
}

/// A reader that sets the turn before it returns the first byte in another encoding, and ends a read there.
pub struct MixedText<'a> {
    reader: &'a mut (dyn Read + Send),
    /// The encoding of the lines that are not UTF-8, and its source.
    other: (&'static Encoding, &'static str),
    parts: &'a [Part],
    turn: &'a Turn,
    /// The encoding of the text that has been returned.
    current: &'static Encoding,
    /// The encoding of the current part if it is not read by lines.
    wide: Option<&'static Encoding>,
    /// True if the text that has been returned ends within a line in the other encoding.
    is_within: bool,
    /// A buffer. The bytes before `start` have been returned, and those up to `end` have been read. From `start` on, `run`
    /// bytes are in one encoding.
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    run: usize,
    /// The input offset of the byte at `start`.
    offset: u64,
    has_ended: bool,
}

impl<'a> MixedText<'a> {
    pub fn new(
        reader: &'a mut (dyn Read + Send),
        other: (&'static Encoding, &'static str),
        parts: &'a [Part],
        turn: &'a Turn,
    ) -> Self {
        Self {
            reader,
            other,
            parts,
            turn,
            current: UTF_8,
            wide: None,
            is_within: false,
            bytes: Vec::new(),
            start: 0,
            end: 0,
            run: 0,
            offset: 0,
            has_ended: false,
        }
    }

    /// Finds the next run of bytes in one encoding.
    fn next_run(&mut self) -> io::Result<()> {
        loop {
            let part = self.parts.first();
            if let Some(part) = part.filter(|part| part.place.offset <= self.offset) {
                self.parts = &self.parts[1..];
                (self.wide, self.is_within) = (part.encoding, false);
            }
            let end = self
                .parts
                .first()
                .map_or(u64::MAX, |part| part.place.offset);
            let most = usize::try_from(end - self.offset).unwrap_or(usize::MAX);
            let bytes = std::mem::take(&mut self.bytes);
            let text = &bytes[self.start..self.end];
            let text = &text[..text.len().min(most)];
            let is_last = self.has_ended || text.len() == most;
            if self.offset == 0 && self.parts.is_empty() && self.wide.is_none() {
                // A mark of UTF-32 counts only if text in UTF-32 follows.
                let may_be_utf_32 = |mark: &[u8]| text.starts_with(mark) || mark.starts_with(text);
                if !is_last && text.len() < MARKED && UTF_32_MARKS.into_iter().any(may_be_utf_32) {
                    self.bytes = bytes;
                    self.read_more()?;
                    continue;
                }
                // The mark of UTF-16 makes the whole text one part.
                let mark = byte_order_mark(text, None, None).filter(|(mark, _)| *mark != UTF_8);
                self.wide = mark.map(|(mark, _)| mark);
            }
            let (run, encoding) = match self.wide {
                Some(wide) => (text.len(), wide),
                None => self.lines(text, is_last),
            };
            self.bytes = bytes;
            if run > 0 {
                if encoding != self.current {
                    // Only the mark of the whole text makes it wide without a part.
                    let is_marked =
                        self.wide.is_some() && self.parts.is_empty() && self.offset == 0;
                    let why = match is_marked {
                        true => Source::Bom.as_str(),
                        false => self.other.1,
                    };
                    self.turn.set(encoding, why);
                }
                (self.run, self.current) = (run, encoding);
                return Ok(());
            }
            if self.has_ended {
                return Ok(());
            }
            self.read_more()?;
        }
    }

    fn read_more(&mut self) -> io::Result<()> {
        self.bytes.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        if self.bytes.len() < self.end + BLOCK {
            self.bytes.resize(self.end + BLOCK, 0);
        }
        let read = self.reader.read(&mut self.bytes[self.end..])?;
        self.end += read;
        self.has_ended = read == 0;
        Ok(())
    }

    /// Returns the length of the lines at the start of `text` in one encoding, and that encoding. ASCII lines belong to
    /// the lines before them. `is_last` is true if the part ends with `text`.
    fn lines(&mut self, text: &[u8], is_last: bool) -> (usize, &'static Encoding) {
        let before = match self.current.code_unit_len() {
            1 => self.current,
            _ => UTF_8,
        };
        let text = &text[..whole_lines(text, is_last)];
        if !self.is_within {
            let valid = mem::utf8_prefix_len(text);
            let end_of = |text: &[u8]| memchr::memrchr2(b'\n', b'\r', text).map_or(0, |at| at + 1);
            let end = match valid == text.len() {
                true => valid,
                false => end_of(&text[..valid]),
            };
            let ascii = mem::ascii_prefix_len(&text[..end]);
            match end_of(&text[..ascii]) {
                _ if end == 0 => {}
                _ if ascii == end => return (end, before),
                start if start > 0 && before != UTF_8 => return (start, before),
                _ => return (end, UTF_8),
            }
        }
        // The first line is in the other encoding.
        let mut end = 0;
        while end < text.len() {
            let rest = &text[end..];
            let line_end = line_end(rest, true);
            let line = &rest[..line_end.unwrap_or(rest.len())];
            let kind = match self.is_within {
                true => LineKind::Other,
                false => LineKind::of(line),
            };
            if kind == LineKind::Utf8 {
                break;
            }
            self.is_within = kind == LineKind::Other && line_end.is_none() && !is_last;
            end += line.len();
        }
        (end, self.other.0)
    }
}

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// All bytes are ASCII.
    Ascii,
    /// Valid UTF-8, and not ASCII.
    Utf8,
    /// Another encoding.
    Other,
}

impl LineKind {
    /// Returns the kind of a line.
    pub fn of(line: &[u8]) -> Self {
        let rest = &line[mem::ascii_prefix_len(line)..];
        match rest {
            [] => Self::Ascii,
            // In most lines of other encodings, the first two bytes are not UTF-8.
            [0xC2..=0xF4, 0x80..=0xBF, ..] if mem::utf8_prefix_len(rest) == rest.len() => {
                Self::Utf8
            }
            _ => Self::Other,
        }
    }
}

impl Read for MixedText<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.run == 0 {
            self.next_run()?;
        }
        let length = self.run.min(buffer.len());
        buffer[..length].copy_from_slice(&self.bytes[self.start..][..length]);
        self.start += length;
        self.run -= length;
        self.offset += length as u64;
        Ok(length)
    }
}
