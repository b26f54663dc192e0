//! Input in parts: some in UTF-16, which are converted to UTF-8, and others with single-byte units.

use super::workers::lock;
use super::{Place, Trouble, TroubleKind};
use mojika::{BomHandling, Decoder, Encoding, Status};
use std::io::{self, Read};
use std::sync::{Arc, Mutex};

/// The number of bytes of UTF-16 to decode at once.
const DECODE_LENGTH: usize = 64 << 10;

/// A part of a text, in UTF-16 or with single-byte units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// UTF-16 in the part's byte order; `None` for single-byte units.
    pub encoding: Option<&'static Encoding>,
    /// The position of the part's first byte.
    pub place: Place,
}

/// The maximum number of malformed sequences that are listed.
const MAX_MALFORMED: usize = 1000;

/// The parts whose start has been read, and the malformed sequences in the parts in UTF-16.
#[derive(Debug, Default)]
pub struct Begun {
    /// The output offset of each part, with the part.
    pub starts: Vec<(u64, Part)>,
    /// The first malformed sequences, up to a limit.
    pub malformed: Vec<Trouble>,
    /// The number of all malformed sequences.
    pub malformed_count: u64,
}

/// The state that a reader shares with its owner while the input is read.
pub type Starts = Arc<Mutex<Begun>>;

/// Maps an output offset to the input offset and the part. In UTF-16, the input offset is the start of the part.
pub(crate) fn in_input(starts: &Starts, offset: u64) -> (u64, Option<Part>) {
    let starts = &lock(starts).starts;
    let next = starts.partition_point(|(start, _)| *start <= offset);
    let Some(&(start, part)) = next.checked_sub(1).and_then(|at| starts.get(at)) else {
        return (offset, None);
    };
    let within = part.encoding.map_or(offset - start, |_| 0);
    (part.place.offset + within, Some(part))
}

/// Reads a text in parts.
pub struct PartReader<'p, R> {
    reader: R,
    parts: &'p [Part],
    starts: Starts,
    decoder: Option<Decoder>,
    /// The number of input bytes read, and the number of output bytes `given`, which are returned or pending.
    read: u64,
    given: u64,
    /// The input offset of the current part.
    begun: u64,
    /// The line and the column of the next character, from 1.
    line: (u64, u64),
    /// The text that replaces a malformed sequence.
    replacement: &'static str,
    /// Text decoded from UTF-16.
    text: String,
    /// The number of bytes of `text` that have been returned.
    passed: usize,
    bytes: Vec<u8>,
    has_ended: bool,
}

impl<'p, R: Read> PartReader<'p, R> {
    /// Creates a reader; `read` bytes of the input precede those of `reader`.
    pub fn new(reader: R, parts: &'p [Part], read: u64) -> (Self, Starts) {
        let starts = Starts::default();
        let parts = Self {
            reader,
            parts,
            starts: Arc::clone(&starts),
            decoder: None,
            read,
            given: read,
            begun: 0,
            line: (1, 1),
            replacement: "\u{FFFD}",
            text: String::new(),
            passed: 0,
            bytes: Vec::new(),
            has_ended: false,
        };
        (parts, starts)
    }

    /// Leaves out malformed sequences, instead of a replacement for each.
    pub fn without_replacement(mut self) -> Self {
        self.replacement = "";
        self
    }

    /// Begins the next part if the current part has ended.
    fn begin(&mut self) {
        if let Some(part) = self
            .parts
            .first()
            .filter(|part| part.place.offset <= self.read)
        {
            lock(&self.starts).starts.push((self.given, *part));
            self.line = part.place.line.unwrap_or((1, 1));
            let decoder = |encoding| Decoder::new(encoding, BomHandling::Remove);
            self.decoder = part.encoding.map(decoder);
            self.begun = self.read;
            self.parts = &self.parts[1..];
        }
    }

    /// Returns the number of remaining bytes of the current part.
    fn left(&self) -> usize {
        let end = self
            .parts
            .first()
            .map_or(u64::MAX, |part| part.place.offset);
        usize::try_from(end - self.read).unwrap_or(usize::MAX)
    }

    /// Decodes the next bytes of UTF-16.
    fn decode(&mut self) -> io::Result<()> {
        let left = self.left();
        self.bytes.resize(left.min(DECODE_LENGTH), 0);
        let length = self.reader.read(&mut self.bytes)?;
        self.read += length as u64;
        self.has_ended = length == 0;
        let is_last = self.has_ended || length == left;
        (self.passed, self.text) = (0, String::new());
        let Some(decoder) = &mut self.decoder else {
            return Ok(());
        };
        let mut bytes = &self.bytes[..length];
        loop {
            let before = self.text.len();
            let progress = decoder.decode_append_fatal(bytes, &mut self.text, is_last);
            bytes = &bytes[progress.read..];
            let text = &self.text[before..];
            let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
            let last = text.rfind('\n').map_or(text, |end| &text[end + 1..]);
            let column = if lines == 0 { self.line.1 } else { 1 };
            self.line = (self.line.0 + lines, column + last.chars().count() as u64);
            let Status::Malformed(sequence) = progress.status else {
                break;
            };
            let offset = self.begun + sequence.offset;
            // The malformed sequence may begin before `bytes`.
            let end = self.read - bytes.len() as u64 - u64::from(sequence.after);
            let from = length - bytes.len() - usize::from(sequence.after);
            let shown = usize::try_from(end - offset).unwrap_or(0).min(from);
            let mut begun = lock(&self.starts);
            begun.malformed_count += 1;
            if begun.malformed.len() < MAX_MALFORMED {
                begun.malformed.push(Trouble {
                    kind: TroubleKind::Malformed,
                    offset,
                    line: self.line.0,
                    column: self.line.1,
                    bytes: self.bytes[from - shown..from].to_vec(),
                    encoding: Some(decoder.encoding()),
                });
            }
            self.text.push_str(self.replacement);
            self.line.1 += 1;
        }
        self.given += self.text.len() as u64;
        if is_last {
            self.decoder = None;
        }
        Ok(())
    }
}

impl<R: Read> Read for PartReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let text = &self.text.as_bytes()[self.passed..];
            if !text.is_empty() || self.has_ended {
                let length = text.len().min(buffer.len());
                buffer[..length].copy_from_slice(&text[..length]);
                self.passed += length;
                return Ok(length);
            }
            self.begin();
            if self.decoder.is_some() {
                self.decode()?;
                continue;
            }
            let most = buffer.len().min(self.left());
            let length = self.reader.read(&mut buffer[..most])?;
            self.read += length as u64;
            self.given += length as u64;
            return Ok(length);
        }
    }
}
