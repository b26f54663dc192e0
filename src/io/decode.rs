//! Decoding without I/O: a decoder between a buffer of source bytes and a buffer of text.
//!
//! [`DecodeCore`] requests source bytes and is given them; it neither reads nor waits. The adapters for `std::io::Read`,
//! tokio and tokio-util are loops around it.

use super::buffer::Buffer;
use super::invalid_data;
use crate::bom::BOMS;
use crate::decoder::text;
use crate::progress::{ErrorMode, Progress, Status};
use crate::simd::Out;
use crate::{DecodeError, Decoder, Encoding, MalformedSequence};
use std::{fmt, io};

/// The default size of each buffer. One buffer fits the second-level cache with space to spare.
pub(super) const CAPACITY: usize = 32 * 1024;
/// Least size of a buffer; a decoder needs room for one character.
const LEAST_CAPACITY: usize = 16;
/// A caller's buffer of at least this many bytes is decoded into directly. For shorter ones, a decoder call costs more
/// than a copy out of the text buffer.
const DIRECT: usize = 2048;

/// A decoder with its unread source bytes.
pub(super) struct Pump<H> {
    decoder: Decoder,
    is_fatal: bool,
    /// Called for each malformed sequence that becomes U+FFFD.
    handler: Option<H>,
    source: Buffer,
    /// True if `source` holds the last bytes of the stream.
    source_ended: bool,
    /// True if the decoder may have more to write although it has read all of `source`.
    waiting: bool,
    done: bool,
    /// The error that follows the text decoded last. It is reported once, before anything after it is decoded.
    error: Option<DecodeError>,
    had_errors: bool,
}

impl Pump<fn(MalformedSequence)> {
    pub fn new(decoder: Decoder, capacity: usize) -> Self {
        Self {
            decoder,
            is_fatal: false,
            handler: None,
            source: Buffer::new(capacity),
            source_ended: false,
            waiting: false,
            done: false,
            error: None,
            had_errors: false,
        }
    }
}

impl<H> Pump<H> {
    pub fn set_fatal(&mut self) {
        self.is_fatal = true;
    }

    pub fn with_handler<G>(self, handler: G) -> Pump<G> {
        Pump {
            decoder: self.decoder,
            is_fatal: false,
            handler: Some(handler),
            source: self.source,
            source_ended: self.source_ended,
            waiting: self.waiting,
            done: self.done,
            error: self.error,
            had_errors: self.had_errors,
        }
    }

    #[cfg(feature = "tokio-util")]
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    pub fn had_errors(&self) -> bool {
        self.had_errors
    }

    fn can_run(&self) -> bool {
        let has_input = !self.source.is_empty() || self.source_ended || self.waiting;
        has_input && self.error.is_none() && !self.done
    }

    /// Returns the reason why nothing could be decoded: an error, the end of the stream, or missing source bytes
    /// (`None`).
    fn stop(&mut self) -> Option<io::Result<()>> {
        match self.error.take() {
            Some(error) => Some(Err(invalid_data(error))),
            None => self.done.then_some(Ok(())),
        }
    }

    /// [`Pump::stop`] for a caller that has received `text` from the same run: the error is reported after the text.
    #[cfg(feature = "tokio-util")]
    pub fn stop_after(&mut self, text: &str) -> io::Result<()> {
        match self.error.take_if(|_| text.is_empty()) {
            Some(error) => Err(invalid_data(error)),
            None => Ok(()),
        }
    }

    /// True if the next bytes could be a byte order mark that changes the encoding.
    fn may_change_encoding(&self) -> bool {
        // The remaining bytes of each BOM after 0, 1 or 2 held ones. If a copy of the decoder changes its encoding
        // after one of these, the decoder still waits for a BOM. A decoder that has decided never changes.
        let mut ends = BOMS
            .iter()
            .flat_map(|(bom, _)| (0..bom.len()).map(|held| &bom[held..]));
        let changes = |end: &[u8]| {
            let mut decoder = self.decoder.clone();
            decoder.decode(end, &mut [0_u8; 16], false);
            decoder.encoding() != self.decoder.encoding()
        };
        !self.done && ends.any(changes)
    }
}

impl<H: FnMut(MalformedSequence)> Pump<H> {
    /// Returns "fatal" also with a handler, because the other modes do not report malformed sequences.
    fn mode(&self) -> ErrorMode {
        match self.is_fatal || self.handler.is_some() {
            true => ErrorMode::Fatal,
            false => ErrorMode::Replacement,
        }
    }

    /// Decodes source bytes to the front of `dst`, which has space for a character; returns the number of bytes
    /// written.
    ///
    /// Returns 0 if there is nothing to decode; [`Pump::stop`] then gives the reason.
    fn run(&mut self, dst: &mut [u8]) -> usize {
        let mut written = 0;
        loop {
            if !self.can_run() {
                return written;
            }
            let source = self.source.filled();
            let out = &mut Out::from_init(&mut dst[written..]);
            let mode = self.mode();
            let run =
                crate::decoder::Form::run(&mut self.decoder, mode, source, out, self.source_ended);
            let is_malformed = matches!(run.status, Status::Malformed(_));
            written += self.note(run, |pump, n| pump.source.consume(n));
            // Decoding continues after a sequence that the handler has received.
            if !is_malformed {
                return written;
            }
        }
    }

    /// Decodes the caller's bytes, which follow those in the buffer, to the end of `dst`.
    ///
    /// Reads all of `bytes`, unless it stops at an error; returns the number of bytes read. Ending a finished stream
    /// again has no effect.
    #[cfg(feature = "tokio-util")]
    pub fn run_over(&mut self, bytes: &[u8], last: bool, dst: &mut String) -> usize {
        if self.done && last && bytes.is_empty() {
            return 0;
        }
        if self.error.is_some() {
            return 0;
        }
        self.source_ended = last;
        self.done = false;
        let mut taken = 0;
        while self.error.is_none()
            && !self.done
            && (taken < bytes.len() || self.waiting || self.source_ended)
        {
            let rest = &bytes[taken..];
            dst.reserve(self.decoder.usual_room(rest.len()));
            let mode = self.mode();
            let run = text::decode_to_string(&mut self.decoder, mode, rest, dst, last);
            self.note(run, |_, n| taken += n);
        }
        taken
    }

    /// Runs [`Pump::run`] and writes to the end of a string.
    fn run_to_string(&mut self, dst: &mut String) -> usize {
        if !self.can_run() {
            return 0;
        }
        let (mode, last) = (self.mode(), self.source_ended);
        let source = self.source.filled();
        dst.reserve(self.decoder.usual_room(source.len()));
        let run = text::decode_to_string(&mut self.decoder, mode, source, dst, last);
        self.note(run, |pump, n| pump.source.consume(n))
    }

    fn note(&mut self, run: Progress, read: impl FnOnce(&mut Self, usize)) -> usize {
        read(self, run.read);
        self.had_errors |= run.had_errors;
        self.waiting = run.status != Status::InputEmpty;
        match run.status {
            Status::InputEmpty => self.done = self.source_ended,
            Status::OutputFull | Status::Unmappable(_) => {}
            Status::Malformed(sequence) => match &mut self.handler {
                Some(handler) if !self.is_fatal => {
                    handler(sequence);
                    self.had_errors = true;
                    self.decoder.owe_replacement();
                }
                _ => {
                    self.error = Some(DecodeError {
                        encoding: self.decoder.encoding(),
                        sequence,
                    });
                }
            },
        }
        run.written
    }
}

/// A [`Pump`] with a buffer for text that its caller has not read yet.
pub(super) struct DecodeCore<H> {
    pump: Pump<H>,
    text: Buffer,
    /// Bytes of text returned to the caller.
    text_position: u64,
}

impl DecodeCore<fn(MalformedSequence)> {
    pub fn new(decoder: Decoder) -> Self {
        Self {
            pump: Pump::new(decoder, CAPACITY),
            text: Buffer::new(CAPACITY),
            text_position: 0,
        }
    }
}

impl<H> DecodeCore<H> {
    pub fn with_handler<G>(self, handler: G) -> DecodeCore<G> {
        DecodeCore {
            pump: self.pump.with_handler(handler),
            text: self.text,
            text_position: self.text_position,
        }
    }

    pub fn set_fatal(&mut self) {
        self.pump.set_fatal();
    }

    pub fn set_capacity(&mut self, capacity: usize) {
        let capacity = capacity.max(LEAST_CAPACITY);
        self.pump.source.set_size(capacity);
        self.text.set_size(capacity);
    }

    pub fn encoding(&self) -> &'static Encoding {
        self.pump.decoder.encoding()
    }

    pub fn byte_position(&self) -> u64 {
        self.pump.decoder.position()
    }

    pub fn text_position(&self) -> u64 {
        self.text_position
    }

    pub fn had_errors(&self) -> bool {
        self.pump.had_errors()
    }

    /// Returns the text in the buffer.
    pub fn text(&self) -> &[u8] {
        self.text.filled()
    }

    /// Removes `n` bytes of the text in the buffer.
    pub fn consume(&mut self, n: usize) {
        let n = n.min(self.text().len());
        self.text.consume(n);
        self.text_position += n as u64;
    }

    /// Returns the buffer for source bytes. It is not empty after another method has returned `None`.
    pub fn space(&mut self) -> &mut [u8] {
        self.pump.source.spare()
    }

    /// Records that the first `n` bytes of [`DecodeCore::space`] are source bytes; 0 is the end of the stream.
    pub fn filled(&mut self, n: usize) -> io::Result<()> {
        if n > self.pump.source.room() {
            return Err(io::Error::other("the inner reader read more than fits"));
        }
        self.pump.source_ended = n == 0;
        self.pump.source.add(n);
        Ok(())
    }

    pub fn into_unread(self) -> Unread {
        Unread {
            decoder: self.pump.decoder,
            bytes: self.pump.source.into_vec(),
            text: self.text.into_vec(),
            error: self.pump.error,
            ended: self.pump.done,
        }
    }
}

impl<H: FnMut(MalformedSequence)> DecodeCore<H> {
    /// Reads text; `None` if source bytes are needed first: see [`DecodeCore::space`].
    pub fn read(&mut self, buf: &mut [u8]) -> Option<io::Result<usize>> {
        if buf.is_empty() {
            return Some(Ok(0));
        }
        let n = if self.text.is_empty() && buf.len() >= DIRECT {
            match self.pump.run(buf) {
                0 => return self.pump.stop().map(|stop| stop.map(|()| 0)),
                n => n,
            }
        } else {
            match self.fill_text()? {
                Ok(()) => self.text.move_to(buf),
                Err(error) => return Some(Err(error)),
            }
        };
        self.text_position += n as u64;
        Some(Ok(n))
    }

    /// Decodes if [`DecodeCore::text`] is empty; text that stays empty is the end. `None` if source bytes are needed.
    pub fn fill_text(&mut self) -> Option<io::Result<()>> {
        if self.text.is_empty() {
            let n = self.pump.run(self.text.spare());
            if n == 0 {
                return self.pump.stop();
            }
            self.text.add(n);
        }
        Some(Ok(()))
    }

    /// Decodes the available source bytes to the end of `dst`; `None` if more are needed.
    pub fn read_to_string(&mut self, dst: &mut String) -> Option<io::Result<()>> {
        let buffered = match std::str::from_utf8(self.text.filled()) {
            Ok(text) => text,
            Err(_) => {
                let message = "the text read so far ends inside a character";
                return Some(Err(io::Error::new(io::ErrorKind::InvalidData, message)));
            }
        };
        let mut n = buffered.len();
        dst.push_str(buffered);
        self.text.consume(n);
        loop {
            self.text_position += n as u64;
            n = self.pump.run_to_string(dst);
            if n == 0 && !self.pump.can_run() {
                return self.pump.stop();
            }
        }
    }

    /// Decodes until the encoding is known; `None` if that needs source bytes.
    pub fn sniff(&mut self) -> Option<&'static Encoding> {
        // Once the buffer has text, the decoder is past any byte order mark.
        if self.text.is_empty() {
            let n = self.pump.run(self.text.spare());
            self.text.add(n);
        }
        (!self.pump.may_change_encoding()).then(|| self.encoding())
    }
}

impl<H> fmt::Debug for DecodeCore<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodeCore")
            .field("encoding", &self.encoding())
            .field("byte_position", &self.byte_position())
            .field("text_position", &self.text_position)
            .finish_non_exhaustive()
    }
}

/// The unread state of a reader: data that it has read from the inner reader and not returned to its caller.
///
/// The stream continues with `text`, then `error`, then the text that `decoder` makes of `bytes` and of further input.
#[derive(Clone)]
#[non_exhaustive]
pub struct Unread {
    /// The decoder, which may hold the first bytes of a character.
    pub decoder: Decoder,
    /// Bytes that the decoder has not read.
    pub bytes: Vec<u8>,
    /// UTF-8 that the caller has not read. It starts in the middle of a character if the caller has read its first
    /// part.
    pub text: Vec<u8>,
    /// An unreported error after `text`.
    pub error: Option<DecodeError>,
    /// True if the decoder has seen the end of the stream: nothing follows, and further input would start another
    /// stream.
    pub ended: bool,
}

impl fmt::Debug for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unread")
            .field("encoding", &self.decoder.encoding())
            .field("bytes", &self.bytes)
            .field("text", &String::from_utf8_lossy(&self.text))
            .field("error", &self.error)
            .field("ended", &self.ended)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BomHandling, SHIFT_JIS};

    /// Checks the counters in the middle of a stream.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn offsets_go_on_beyond_4_gib() {
        let start = (1 << 32) - 2;
        let mut core = DecodeCore::new(Decoder::starting_at(SHIFT_JIS, start));
        core.set_fatal();
        core.text_position = start as u64;
        core.space()[..6].copy_from_slice(b"abc\xFFde");
        core.filled(6).expect("there is room");
        let buf = &mut [0; DIRECT];
        assert_eq!(core.read(buf).expect("text").expect("no error"), 3);
        let error = core.read(buf).expect("an error").expect_err("an error");
        let error = error.get_ref().and_then(|error| error.downcast_ref());
        let error: &DecodeError = error.expect("a typed error");
        assert_eq!(error.sequence.offset, (1 << 32) + 1);
        assert_eq!(core.read(buf).expect("text").expect("no error"), 2);
        assert_eq!(core.byte_position(), (1 << 32) + 4);
        assert_eq!(core.text_position(), (1 << 32) + 3);
    }

    #[test]
    fn a_decided_decoder_waits_for_no_byte_order_mark() {
        for (bytes, waits) in [
            (&b""[..], true),
            (b"\xEF", true),
            (b"\xEF\xBB", true),
            (b"\xFF", true),
            (b"\xFE", true),
            (b"a", false),
            (b"\xEFa", false),
            (b"\xEF\xBB\xBF", false),
            (b"\xFF\xFE", false),
        ] {
            for handling in [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep] {
                let mut pump = Pump::new(Decoder::new(SHIFT_JIS, handling), LEAST_CAPACITY);
                pump.source.spare()[..bytes.len()].copy_from_slice(bytes);
                pump.source.add(bytes.len());
                pump.run(&mut [0; 16]);
                let expected = waits && handling == BomHandling::Sniff;
                assert_eq!(
                    pump.may_change_encoding(),
                    expected,
                    "{handling:?} {bytes:02X?}"
                );
            }
        }
    }
}
