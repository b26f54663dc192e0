//! The state of a reader: a window of decoded text, and checkpoints from which to decode any other.

use crate::decode::PIECE;
use crate::errors::{self, Errors, MOST_LISTED};
use crate::packed::Packed;
use crate::sniff::{self, Wish};
use crate::source::Source;
use mojika::{BomHandling, Decoder, Encoding, MalformedSequence, Status};
use mojika_arrow::{Faults, Place, What};
use mojika_sniff::judge::Judgement;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::mem::MaybeUninit;

/// The number of bytes that are read and decoded at once. Their text fits the second-level cache.
const CHUNK: usize = 256 << 10;
/// The distance between checkpoints in bytes of text. It is the maximum that is decoded again after seeking back.
const STRIDE: u64 = 4 << 20;
/// The maximum length of a malformed sequence, in bytes.
const LONGEST: usize = 4;

/// A position at which decoding can resume.
struct Checkpoint {
    text: u64,
    decoder: Decoder,
}

pub struct State {
    source: Packed,
    /// The encoding; `None` until it is detected.
    encoding: Option<&'static Encoding>,
    /// The conditions for detecting the encoding.
    wish: Wish,
    /// The judgement that found the encoding.
    judgement: Option<Judgement>,
    /// The origin of the encoding, unless a byte order mark overrides it.
    decided_by: sniff::Source,
    handling: BomHandling,
    on_error: Errors,
    decoder: Decoder,
    /// The last [`LONGEST`] bytes of the previous chunk, and the bytes read after them.
    chunk: Vec<u8>,
    /// The number of bytes at the start of `chunk` that are already decoded.
    at: usize,
    /// True if the source has no more bytes.
    ended: bool,
    /// True if the text has ended.
    done: bool,
    /// Decoded text, which starts at `window_start`.
    text: String,
    window_start: u64,
    position: u64,
    checkpoints: Vec<Checkpoint>,
    size: Option<u64>,
    /// The malformed sequence after the text, if decoding has stopped at one.
    error: Option<(&'static Encoding, MalformedSequence)>,
    had_errors: bool,
    listing: Listing,
    /// The text position at the last check for signals.
    signals_at: u64,
}

/// The list of malformed sequences, each added when it is first decoded.
struct Listing {
    faults: Faults,
    /// The number of errors, listed or not.
    count: u64,
    /// The offset of the first byte that may start an error that is not counted yet.
    next: u64,
    /// The text position up to which lines are counted.
    counted: u64,
    place: Place,
    /// The offsets, lines and columns of the malformed sequences at which reading has stopped.
    fatal: Vec<(u64, Place)>,
}

impl State {
    pub fn new(
        source: Packed,
        encoding: Option<&'static Encoding>,
        handling: BomHandling,
        on_error: Errors,
        wish: Wish,
    ) -> Self {
        Self {
            source,
            encoding,
            wish,
            judgement: None,
            decided_by: sniff::Source::Override,
            handling,
            on_error,
            decoder: Decoder::new(encoding.unwrap_or(mojika::UTF_8), handling),
            chunk: Vec::new(),
            at: 0,
            ended: false,
            done: false,
            text: String::new(),
            window_start: 0,
            position: 0,
            checkpoints: Vec::new(),
            size: None,
            error: None,
            had_errors: false,
            listing: Listing {
                faults: Faults::new(What::Bytes),
                count: 0,
                next: 0,
                counted: 0,
                place: Place::default(),
                fatal: Vec::new(),
            },
            signals_at: 0,
        }
    }

    /// Returns the malformed sequences so far and their number.
    pub fn faults(&self) -> (&Faults, u64) {
        (&self.listing.faults, self.listing.count)
    }

    /// Detects the encoding if necessary, and returns the judgement that found it, if any.
    pub fn judgement(&mut self) -> PyResult<Option<&Judgement>> {
        self.decide()?;
        Ok(self.judgement.as_ref())
    }

    pub fn source(&mut self) -> &mut Packed {
        &mut self.source
    }

    pub fn position(&self) -> u64 {
        self.position
    }

    pub fn set_position(&mut self, position: u64) {
        self.position = position;
    }

    pub fn advance(&mut self, length: usize) {
        self.position += length as u64;
    }

    pub fn had_errors(&self) -> bool {
        self.had_errors
    }

    pub fn check_open(&self) -> PyResult<()> {
        match self.source.is_closed() {
            true => Err(PyValueError::new_err("I/O operation on closed file.")),
            false => Ok(()),
        }
    }

    pub fn close(&mut self) -> Source {
        self.text = String::new();
        self.chunk = Vec::new();
        self.source.close()
    }

    /// Detects the encoding if necessary, and returns it.
    pub fn encoding(&mut self) -> PyResult<&'static Encoding> {
        self.decide()?;
        if self.decoder.position() == 0 && !self.ended {
            self.window()?;
        }
        Ok(self.decoder.encoding())
    }

    /// Returns the origin of the encoding.
    pub fn decided_by(&mut self) -> PyResult<sniff::Source> {
        let is_overridden = Some(self.encoding()?) != self.encoding;
        Ok(if is_overridden {
            sniff::Source::Bom
        } else {
            self.decided_by
        })
    }

    /// Decides the encoding, unless it is known, and reads as much as the decision needs.
    fn decide(&mut self) -> PyResult<()> {
        if self.encoding.is_some() {
            return Ok(());
        }
        while !self.ended && self.needs_more() {
            self.ended = self.source.read(&mut self.chunk, sniff::PIECE)? == 0;
        }
        let decided = Python::attach(|py| sniff::judged(py, &self.chunk, &self.wish));
        let judgement = decided?;
        let decision = judgement.decision;
        self.judgement = Some(judgement);
        self.encoding = Some(decision.encoding);
        self.decided_by = decision.source;
        self.decoder = Decoder::new(decision.encoding, self.handling);
        Ok(())
    }

    /// True if the bytes read are too few for a decision, or only ASCII.
    fn needs_more(&self) -> bool {
        let beyond = mojika::mem::ascii_prefix_len(&self.chunk);
        let is_ascii = beyond == self.chunk.len() && !self.chunk.contains(&0x1B);
        match is_ascii {
            true => self.chunk.len() < sniff::MAX_HELD,
            false => self.chunk.len() < (beyond + sniff::PIECE).min(sniff::MAX_HELD),
        }
    }

    /// Returns the decoded text from the position on; empty only at the end.
    pub fn window(&mut self) -> PyResult<&[u8]> {
        self.check_open()?;
        loop {
            let end = self.window_start + self.text.len() as u64;
            if (self.window_start..end).contains(&self.position) {
                let start = (self.position - self.window_start) as usize;
                return Ok(&self.text.as_bytes()[start..]);
            }
            if self.size.is_some_and(|size| self.position >= size) {
                return Ok(&[]);
            }
            let known = self
                .checkpoints
                .partition_point(|known| known.text <= self.position);
            if let Some(known) = known.checked_sub(1)
                && (self.position < self.window_start || self.checkpoints[known].text > end)
            {
                self.restore(known)?;
            }
            if !self.fill()? && self.position >= self.window_start {
                return Ok(&[]);
            }
        }
    }

    /// Returns the length of the whole text in bytes.
    pub fn size(&mut self) -> PyResult<u64> {
        self.check_open()?;
        if self.size.is_none() {
            while self.fill()? {}
        }
        Ok(self.size.unwrap_or(self.window_start))
    }

    /// Decodes the next window. Returns false at the end.
    fn fill(&mut self) -> PyResult<bool> {
        self.decide()?;
        let end = self.window_start + self.text.len() as u64;
        if end.abs_diff(self.signals_at) >= PIECE as u64 {
            self.signals_at = end;
            Python::attach(|py| py.check_signals())?;
        }
        self.count_lines();
        self.window_start = end;
        self.text.clear();
        self.note_checkpoint();
        loop {
            if let Some((encoding, sequence)) = self.error.take() {
                let mut fatal = self.listing.fatal.iter();
                let place = fatal
                    .find(|(offset, _)| *offset == sequence.offset)
                    .map(|(_, place)| *place);
                return Err(self.exception(encoding, sequence, place));
            }
            if self.done {
                self.size = Some(self.window_start);
                return Ok(false);
            }
            if self.at == self.chunk.len() && !self.ended {
                let kept = self.at.saturating_sub(LONGEST);
                self.chunk.drain(..kept);
                self.at -= kept;
                self.ended = self.source.read(&mut self.chunk, CHUNK)? == 0;
            }
            self.decode()?;
            if !self.text.is_empty() {
                return Ok(true);
            }
        }
    }

    fn decode(&mut self) -> PyResult<()> {
        loop {
            let input = &self.chunk[self.at..];
            let progress = self
                .decoder
                .decode_append_fatal(input, &mut self.text, self.ended);
            self.at += progress.read;
            let Status::Malformed(sequence) = progress.status else {
                self.done = self.ended;
                return Ok(());
            };
            self.had_errors = true;
            let place = self.list(sequence);
            match &self.on_error {
                Errors::Strict | Errors::Html => {
                    self.error = Some((self.decoder.encoding(), sequence));
                    return Ok(());
                }
                Errors::Replace => self.text.push(char::REPLACEMENT_CHARACTER),
                Errors::Ignore => {}
                Errors::Handler(handler) => {
                    let text = self.handled(handler, sequence, place)?;
                    self.text += &text;
                }
            }
        }
    }

    /// Returns the text with which the handler replaces a malformed sequence.
    fn handled(
        &self,
        handler: &Py<PyAny>,
        sequence: MalformedSequence,
        place: Option<Place>,
    ) -> PyResult<String> {
        let exception = self.exception(self.decoder.encoding(), sequence, place);
        let length = self.malformed_bytes(sequence).len();
        Python::attach(|py| {
            let exception = exception.into_value(py).into_bound(py).into_any();
            let text = errors::handled_in_stream(handler.bind(py), exception, length)?;
            Ok(text.cast::<PyString>()?.to_str()?.to_owned())
        })
    }

    /// Counts the lines of the text so far.
    fn count_lines(&mut self) {
        let listing = &mut self.listing;
        let counted = listing.counted.saturating_sub(self.window_start) as usize;
        if listing.counted >= self.window_start
            && let Some(text) = self.text.as_bytes().get(counted..)
        {
            listing.place.advance(text);
            listing.counted += text.len() as u64;
        }
    }

    /// Lists a malformed sequence after the decoded text, and returns its line and column. `None` if the sequence is
    /// listed already, because the text is decoded again after seeking back.
    fn list(&mut self, sequence: MalformedSequence) -> Option<Place> {
        if sequence.offset < self.listing.next {
            return None;
        }
        self.count_lines();
        let bytes = self.malformed_bytes(sequence).to_vec();
        let encoding = self.decoder.encoding();
        let listing = &mut self.listing;
        let place = listing.place;
        listing.next = sequence.offset + 1;
        listing.count += 1;
        if listing.faults.len() < MOST_LISTED {
            listing
                .faults
                .malformed(None, sequence.offset, place, &bytes, encoding);
        }
        match self.on_error {
            Errors::Strict | Errors::Html => listing.fatal.push((sequence.offset, place)),
            Errors::Ignore => listing.place.column += 1,
            // U+FFFD, and the text of a handler, are counted with the decoded text.
            Errors::Replace | Errors::Handler(_) => {}
        }
        Some(place)
    }

    fn malformed_bytes(&self, sequence: MalformedSequence) -> &[u8] {
        let behind = (self.decoder.position() - sequence.offset) as usize;
        let start = self.at.saturating_sub(behind);
        let end = (start + usize::from(sequence.len)).min(self.chunk.len());
        &self.chunk[start..end]
    }

    /// Adds a checkpoint here if the last one is far enough back.
    fn note_checkpoint(&mut self) {
        let is_far = self
            .checkpoints
            .last()
            .is_none_or(|last| self.window_start >= last.text + STRIDE);
        if is_far && self.error.is_none() && !self.done {
            self.checkpoints.push(Checkpoint {
                text: self.window_start,
                decoder: self.decoder.clone(),
            });
        }
    }

    fn restore(&mut self, index: usize) -> PyResult<()> {
        let Checkpoint { text, decoder } = &self.checkpoints[index];
        let byte = decoder.position();
        self.source.seek(byte)?;
        self.decoder = decoder.clone();
        self.window_start = *text;
        self.text.clear();
        self.chunk.clear();
        self.at = 0;
        self.ended = false;
        self.done = false;
        self.error = None;
        Ok(())
    }

    /// Returns the exception about a malformed sequence. It indexes into the sequence's bytes and states their offset.
    fn exception(
        &self,
        encoding: &Encoding,
        sequence: MalformedSequence,
        place: Option<Place>,
    ) -> PyErr {
        let bytes = self.malformed_bytes(sequence);
        Python::attach(|py| {
            let object = PyBytes::new(py, bytes);
            let offset = sequence.offset;
            let exception = errors::decode_exception(encoding, &object, 0, bytes.len(), offset);
            errors::raise(exception.and_then(|exception| errors::placed(exception, place)))
        })
    }

    /// Fills `buffer` as far as there is text. A malformed sequence is an error even if text precedes it, because a
    /// short read would look like the end.
    pub fn read_into(&mut self, buffer: &mut [MaybeUninit<u8>]) -> PyResult<usize> {
        self.check_open()?;
        let mut filled = 0;
        while filled < buffer.len() {
            let window = self.window()?;
            if window.is_empty() {
                break;
            }
            let taken = window.len().min(buffer.len() - filled);
            for (slot, byte) in buffer[filled..].iter_mut().zip(&window[..taken]) {
                slot.write(*byte);
            }
            filled += taken;
            self.advance(taken);
        }
        Ok(filled)
    }

    /// Returns an estimate of the remaining bytes of text.
    pub fn rest_hint(&mut self) -> PyResult<usize> {
        /// The estimate if the length of the file is unknown.
        const UNKNOWN: u64 = 1 << 20;
        self.check_open()?;
        let rest = match self.size {
            Some(size) => size.saturating_sub(self.position),
            None => {
                let read = self.decoder.position();
                let bytes = self
                    .source
                    .length()
                    .map(|length| length.saturating_sub(read));
                // Most text grows by half in UTF-8.
                bytes.map_or(UNKNOWN, |bytes| bytes + bytes / 2)
            }
        };
        let ready = self.text.len() as u64;
        // The estimate is never 0, so that callers can double it.
        Ok(usize::try_from(rest + ready + 64).unwrap_or(UNKNOWN as usize))
    }

    /// Reads to the end of a line, but at most `most` bytes.
    pub fn read_line(&mut self, most: usize) -> PyResult<Vec<u8>> {
        let mut line = Vec::new();
        self.check_open()?;
        while line.len() < most {
            let window = self.window()?;
            if window.is_empty() {
                break;
            }
            let window = &window[..window.len().min(most - line.len())];
            let end = memchr::memchr(b'\n', window);
            let taken = end.map_or(window.len(), |end| end + 1);
            line.extend_from_slice(&window[..taken]);
            self.advance(taken);
            if end.is_some() {
                break;
            }
        }
        Ok(line)
    }
}
