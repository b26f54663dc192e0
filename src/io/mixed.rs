//! `MixedReader`: lines in UTF-8 and lines in another encoding, as a `Read` of UTF-8.

use super::read;
use crate::{BomHandling, Decoder, Encoding, Status, UTF_8, mem};
use std::fmt;
use std::io::{self, BufRead, Read};
use std::mem::take;

/// Bytes per read.
const BLOCK: usize = 128 << 10;

/// The minimum size of a caller's buffer, beyond the pending bytes, for reading directly into that buffer.
const STRAIGHT: usize = 16 << 10;

/// A longer line is read in pieces of about this length, each tested for UTF-8 separately.
const LONGEST_LINE: usize = 1 << 20;

/// An event of a [`MixedReader`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MixedEvent {
    /// The encoding changes here. Lines of ASCII belong to the text before them.
    Change {
        /// Offset of the line's first byte in the input.
        offset: u64,
        /// Number of the line, from 1: the number of LF before it, plus 1.
        line: u64,
        /// The encoding from here on.
        encoding: &'static Encoding,
    },
    /// A malformed sequence, which becomes U+FFFD.
    Malformed {
        /// The offset of the sequence's first byte in the input.
        offset: u64,
        /// The number of the sequence's line, from 1: the number of LF before it, plus 1.
        line: u64,
        /// The sequence's column, from 1: the number of characters since the last LF, plus 1.
        column: u64,
        /// The length of the sequence in bytes.
        len: u8,
        /// The bytes of the sequence. The array is zero after the last byte, and for bytes that were returned with an
        /// earlier piece of a long line.
        bytes: [u8; 4],
    },
}

/// Reads text that changes its encoding from line to line, and returns UTF-8: logs, mailboxes, concatenated files,
/// output of processes.
///
/// A line that is valid UTF-8 is UTF-8. Any other line is decoded in the given encoding, by a [`Decoder`] of its own
/// from its start to its end: LF, CR LF, or a lone CR. A UTF-8 byte order mark at the start of the input is removed.
/// Malformed sequences become U+FFFD. [`on_event`](Self::on_event) reports changes of the encoding and malformed
/// sequences; its line numbers count LF only.
///
/// The text does not depend on the sizes of the inner reads. Lines of more than a megabyte are examined in pieces. If
/// such a line starts as UTF-8, the other encoding begins with the first piece that is not UTF-8.
///
/// ```
/// use mojika::{WINDOWS_1252, io::{MixedEvent, MixedReader}};
/// use std::io::Read;
///
/// let log = b"caf\xC3\xA9\nok\ncaf\xE9\ncaf\xC3\xA9\n";
/// let (mut text, mut changes) = (String::new(), Vec::new());
/// MixedReader::new(&log[..], WINDOWS_1252)
///     .on_event(|event| if let MixedEvent::Change { offset, line, encoding, .. } = event {
///         changes.push((offset, line, encoding.name()));
///     })
///     .read_to_string(&mut text)?;
/// assert_eq!(text, "café\nok\ncafé\ncafé\n");
/// assert_eq!(changes, [(9, 3, "windows-1252"), (14, 4, "UTF-8")]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct MixedReader<R, H = fn(MixedEvent)> {
    inner: R,
    handler: Option<H>,
    other: &'static Encoding,
    /// The encoding of the last line that was not ASCII.
    current: &'static Encoding,
    /// A buffer. The bytes before `start` have been returned, and those up to `end` have been read.
    bytes: Vec<u8>,
    end: usize,
    start: usize,
    /// The bytes up to this index are UTF-8 and are returned unchanged.
    valid: usize,
    is_ended: bool,
    /// True if malformed sequences become U+FFFD.
    replaces: bool,
    /// Text of lines in the other encoding; `given` bytes have been returned.
    text: String,
    given: usize,
    /// The decoder of a long line that has begun.
    decoder: Option<Decoder>,
    /// Offset in the input of `bytes[0]`.
    base: u64,
    /// The line and column of `bytes[valid]`, or of the position of a long line's decoder.
    place: LineColumn,
}

/// Line and column of text, from 1.
#[derive(Clone, Copy)]
struct LineColumn {
    line: u64,
    column: u64,
}

impl LineColumn {
    /// Advances over UTF-8 text.
    fn advance(&mut self, text: &[u8]) {
        let rest = match memchr::memrchr(b'\n', text) {
            Some(last) => {
                self.line += feeds(&text[..=last]);
                self.column = 1;
                &text[last + 1..]
            }
            None => text,
        };
        let is_lead = |byte: &&u8| **byte & 0xC0 != 0x80;
        self.column += rest.iter().filter(is_lead).count() as u64;
    }
}

impl<R> MixedReader<R> {
    /// Creates a reader of lines in UTF-8 and in `other`.
    ///
    /// # Panics
    ///
    /// If `other` is not compatible with ASCII ([`Encoding::is_ascii_compatible`]): line ends cannot be found.
    pub fn new(inner: R, other: &'static Encoding) -> Self {
        assert!(
            other.is_ascii_compatible(),
            "{other} is not compatible with ASCII"
        );
        Self {
            inner,
            handler: None,
            other,
            current: UTF_8,
            bytes: Vec::new(),
            end: 0,
            start: 0,
            valid: 0,
            is_ended: false,
            replaces: true,
            text: String::new(),
            given: 0,
            decoder: None,
            base: 0,
            place: LineColumn { line: 1, column: 1 },
        }
    }
}

impl<R, H> MixedReader<R, H> {
    /// Calls `handler` for each change of the encoding and each malformed sequence, when it is found.
    ///
    /// The reader reads ahead, so the handler may be called before the text is read.
    pub fn on_event<G: FnMut(MixedEvent)>(self, handler: G) -> MixedReader<R, G> {
        MixedReader {
            handler: Some(handler),
            inner: self.inner,
            other: self.other,
            current: self.current,
            bytes: self.bytes,
            end: self.end,
            start: self.start,
            valid: self.valid,
            is_ended: self.is_ended,
            replaces: self.replaces,
            text: self.text,
            given: self.given,
            decoder: self.decoder,
            base: self.base,
            place: self.place,
        }
    }

    /// Omits malformed sequences instead of replacing each with U+FFFD.
    ///
    /// ```
    /// use mojika::{SHIFT_JIS, io::MixedReader};
    /// use std::io::Read;
    ///
    /// let mut text = String::new();
    /// let reader = MixedReader::new(&b"a\xFFb\n"[..], SHIFT_JIS).without_replacement();
    /// reader.take(100).read_to_string(&mut text)?;
    /// assert_eq!(text, "ab\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn without_replacement(mut self) -> Self {
        self.replaces = false;
        self
    }

    /// Returns the encoding of lines that are not UTF-8.
    pub fn other(&self) -> &'static Encoding {
        self.other
    }

    /// Returns the inner reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// Returns the inner reader; bytes read ahead are lost.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read, H: FnMut(MixedEvent)> MixedReader<R, H> {
    fn tell(&mut self, event: MixedEvent) {
        if let Some(handler) = &mut self.handler {
            handler(event);
        }
    }

    /// Prepares more text to return. Returns false at the end.
    fn advance(&mut self) -> io::Result<bool> {
        loop {
            let region = whole_lines(&self.bytes[self.start..self.end], self.is_ended);
            if region > 0 {
                self.take_lines(self.start + region);
                return Ok(true);
            }
            if self.is_ended {
                return Ok(false);
            }
            self.read_more()?;
        }
    }

    /// Reads directly into the caller's buffer, which keeps lines in UTF-8; `None` if this reader's buffers are needed.
    fn read_straight(&mut self, buf: &mut [u8]) -> io::Result<Option<usize>> {
        let pending = self.start..self.end;
        let is_possible = self.current == UTF_8
            && self.decoder.is_none()
            && self.given == self.text.len()
            && self.start == self.valid
            && !self.is_ended
            // The input may start with a byte order mark.
            && self.base + self.start as u64 > 0
            && pending.len() + STRAIGHT <= buf.len();
        if !is_possible {
            return Ok(None);
        }
        let length = pending.len();
        buf[..length].copy_from_slice(&self.bytes[pending]);
        let read = read(&mut self.inner, &mut buf[length..])?;
        self.is_ended = read == 0;
        let bytes = &buf[..length + read];
        let lines = last_line_end(bytes, self.is_ended).unwrap_or(0);
        let lines = &bytes[..lines];
        let is_utf_8 = mem::utf8_prefix_len(lines) == lines.len();
        let given = if is_utf_8 { lines.len() } else { 0 };
        self.place.advance(&bytes[..given]);
        // Keep the bytes after the last line.
        let rest = &bytes[given..];
        self.base += (self.start + given) as u64;
        (self.start, self.valid, self.end) = (0, 0, rest.len());
        if self.bytes.len() < rest.len() {
            self.bytes.resize(rest.len(), 0);
        }
        self.bytes[..rest.len()].copy_from_slice(rest);
        Ok((given > 0).then_some(given))
    }

    fn read_more(&mut self) -> io::Result<()> {
        self.bytes.copy_within(self.start..self.end, 0);
        self.base += self.start as u64;
        self.end -= self.start;
        (self.start, self.valid) = (0, 0);
        let length = self.end;
        if self.bytes.len() < length + BLOCK {
            self.bytes.resize(length + BLOCK, 0);
        }
        let read = read(&mut self.inner, &mut self.bytes[length..][..BLOCK])?;
        self.end = length + read;
        self.is_ended = read == 0;
        let is_at_start = self.base == 0 && length < 3 && (self.end >= 3 || self.is_ended);
        if is_at_start
            && UTF_8
                .bom()
                .is_some_and(|bom| self.bytes[..self.end].starts_with(bom))
        {
            (self.start, self.valid) = (3, 3);
        }
        Ok(())
    }

    /// Prepares the next lines before `end`: consecutive lines in UTF-8, or else in the other encoding.
    fn take_lines(&mut self, end: usize) {
        let region = self.start..end;
        if self.decoder.is_some() {
            return self.take_others(end);
        }
        let valid = mem::utf8_prefix_len(&self.bytes[region.clone()]);
        let utf_8 = if valid == region.len() {
            end
        } else {
            let lines = &self.bytes[self.start..self.start + valid];
            last_line_end(lines, true).map_or(self.start, |end| self.start + end)
        };
        if utf_8 == self.start {
            return self.take_others(end);
        }
        let ready = self.start..utf_8;
        if self.current != UTF_8 {
            let bytes = &self.bytes[ready.clone()];
            let ascii = mem::ascii_prefix_len(bytes);
            if ascii < bytes.len() {
                let before = last_line_end(&bytes[..ascii], true).unwrap_or(0);
                let lines = feeds(&bytes[..before]);
                self.change(self.start + before, self.place.line + lines, UTF_8);
            }
        }
        self.place.advance(&self.bytes[ready]);
        self.valid = utf_8;
    }

    fn change(&mut self, at: usize, line: u64, encoding: &'static Encoding) {
        self.current = encoding;
        self.tell(MixedEvent::Change {
            offset: self.base + at as u64,
            line,
            encoding,
        });
    }

    /// Decodes the leading lines that are not UTF-8, and the ASCII lines between them.
    fn take_others(&mut self, end: usize) {
        let mut text = take(&mut self.text);
        text.clear();
        self.given = 0;
        while self.start < end {
            let line = &self.bytes[self.start..end];
            let line_end = line_end(line, true).map(|end| self.start + end);
            let stop = line_end.unwrap_or(end);
            let line = &self.bytes[self.start..stop];
            if self.decoder.is_none() && mem::utf8_prefix_len(line) == line.len() {
                if !line.is_ascii() {
                    break;
                }
                self.place.advance(line);
                // ASCII is the same in both encodings.
                text.push_str(core::str::from_utf8(line).unwrap_or_default());
            } else {
                if self.current != self.other {
                    self.change(self.start, self.place.line, self.other);
                }
                let is_last = line_end.is_some() || self.is_ended;
                self.decode(self.start..stop, is_last, &mut text);
            }
            self.start = stop;
        }
        self.valid = self.start;
        self.text = text;
    }

    /// Decodes a line, or a piece of a long line.
    fn decode(&mut self, range: core::ops::Range<usize>, is_last: bool, text: &mut String) {
        let mut decoder =
            (self.decoder.take()).unwrap_or_else(|| Decoder::new(self.other, BomHandling::Keep));
        // A decoder's offsets count from the beginning of its line.
        let line_start = self.base + range.start as u64 - decoder.position();
        let mut counted = text.len();
        let mut at = range.start;
        loop {
            let bytes = &self.bytes[at..range.end];
            let progress = decoder.decode_append_fatal(bytes, text, is_last);
            at += progress.read;
            let Status::Malformed(sequence) = progress.status else {
                break;
            };
            self.place.advance(&text.as_bytes()[counted..]);
            let LineColumn { line, column } = self.place;
            counted = text.len();
            if self.replaces {
                text.push('\u{FFFD}');
            }
            let offset = line_start + sequence.offset;
            let mut bytes = [0; 4];
            for (at, byte) in (offset..).zip(&mut bytes[..usize::from(sequence.len).min(4)]) {
                let found = at.checked_sub(self.base);
                let found = found.and_then(|at| self.bytes.get(at as usize));
                *byte = found.copied().unwrap_or_default();
            }
            self.tell(MixedEvent::Malformed {
                bytes,
                column,
                offset,
                line,
                len: sequence.len,
            });
        }
        self.place.advance(&text.as_bytes()[counted..]);
        self.decoder = (!is_last).then_some(decoder);
    }
}

/// Returns the length of the whole lines at the start of `bytes`, or of a piece of a long line; 0 for the start of a line.
/// `is_last` is true if nothing follows `bytes`.
///
/// ```
/// use mojika::io::whole_lines;
///
/// assert_eq!(whole_lines(b"a\r\nb\nc", false), 5);
/// assert_eq!(whole_lines(b"a\r\nb\nc", true), 6);
/// ```
pub fn whole_lines(bytes: &[u8], is_last: bool) -> usize {
    if let Some(piece) = bytes.get(..LONGEST_LINE)
        && line_end(piece, false).is_none()
    {
        // The piece ends before the lead byte of the last character, so as not to cut UTF-8.
        let last = piece.iter().rev().take(3);
        return piece.len() - 1 - last.take_while(|byte| **byte & 0xC0 == 0x80).count();
    }
    match last_line_end(bytes, false) {
        _ if is_last => bytes.len(),
        end => end.unwrap_or(0),
    }
}

/// Returns the end of the first line, after LF, CR LF, or a lone CR. `is_last` is true if no LF follows `bytes`.
pub fn line_end(bytes: &[u8], is_last: bool) -> Option<usize> {
    let at = memchr::memchr2(b'\n', b'\r', bytes)?;
    match (bytes[at], bytes.get(at + 1)) {
        (b'\r', Some(b'\n')) => Some(at + 2),
        (b'\r', None) if !is_last => None,
        _ => Some(at + 1),
    }
}

/// Returns the end of the last complete line.
fn last_line_end(bytes: &[u8], is_last: bool) -> Option<usize> {
    // A CR at the end may be the first half of CR LF.
    let bytes = match bytes {
        [before @ .., b'\r'] if !is_last => before,
        _ => bytes,
    };
    memchr::memrchr2(b'\n', b'\r', bytes).map(|at| at + 1)
}

/// Returns the number of LF.
fn feeds(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

impl<R: Read, H: FnMut(MixedEvent)> Read for MixedReader<R, H> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if let Some(length) = self.read_straight(buf)? {
            return Ok(length);
        }
        let ready = self.fill_buf()?;
        let length = ready.len().min(buf.len());
        buf[..length].copy_from_slice(&ready[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl<R: Read, H: FnMut(MixedEvent)> BufRead for MixedReader<R, H> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.given == self.text.len() && self.start == self.valid {
            if !self.advance()? {
                break;
            }
        }
        if self.given < self.text.len() {
            return Ok(&self.text.as_bytes()[self.given..]);
        }
        Ok(&self.bytes[self.start..self.valid])
    }

    fn consume(&mut self, amount: usize) {
        if self.given < self.text.len() {
            self.given = self.text.len().min(self.given + amount);
        } else {
            self.start = self.valid.min(self.start + amount);
        }
    }
}

impl<R: fmt::Debug, H> fmt::Debug for MixedReader<R, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MixedReader")
            .field("inner", &self.inner)
            .field("other", &self.other)
            .field("current", &self.current)
            .finish_non_exhaustive()
    }
}
