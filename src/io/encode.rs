//! Encoding without I/O: UTF-8 bytes, cut anywhere, to a buffer of encoded bytes.
//!
//! [`EncodeCore`] reports how many bytes it takes and which bytes to write; it neither writes nor waits. The adapters
//! for `std::io::Write` and tokio are loops around it.

use super::buffer::Buffer;
use super::decode::CAPACITY;
use super::invalid_data;
use super::transcode::Transcoder;
use crate::{
    DecodeError, EncodeError, Encoder, Encoding, Fallback, MalformedSequence, UTF_8, Unmappable,
    simd,
};
use std::{fmt, io, str};

/// With less space than this, the buffer counts as full. Every character takes fewer bytes in UTF-8 and in the output,
/// even as a numeric character reference in UTF-16.
const LEAST_ROOM: usize = 32;
/// Least size of the buffer.
const LEAST_CAPACITY: usize = 2 * LEAST_ROOM;

pub(super) struct EncodeCore<H> {
    transcoder: Transcoder<H>,
    /// True if malformed UTF-8 becomes U+FFFD.
    replaces_invalid: bool,
    /// The first bytes of an incomplete character.
    tail: [u8; 4],
    tail_length: usize,
    output: Buffer,
    /// Bytes of text encoded: all taken bytes except the tail.
    encoded: u64,
    /// Bytes of output that the inner writer has taken.
    written: u64,
}

/// The start of a byte sequence.
enum Start<'a> {
    Text(&'a str),
    /// The whole sequence is an incomplete character.
    Incomplete,
    /// A malformed sequence of the given length.
    Malformed(usize),
}

/// Returns the first character, or the incomplete or malformed sequence in its place.
fn start_of(bytes: &[u8]) -> Start<'_> {
    let (text, rest) = simd::split_valid(bytes);
    if let Some(first) = text.chars().next() {
        return Start::Text(&text[..first.len_utf8()]);
    }
    match str::from_utf8(rest).map_err(|error| error.error_len()) {
        Err(Some(length)) => Start::Malformed(length),
        _ => Start::Incomplete,
    }
}

impl EncodeCore<fn(Unmappable) -> Fallback> {
    pub fn new(encoder: Encoder) -> Self {
        EncodeCore {
            transcoder: Transcoder::new(encoder),
            replaces_invalid: false,
            tail: [0; 4],
            tail_length: 0,
            output: Buffer::new(CAPACITY),
            encoded: 0,
            written: 0,
        }
    }
}

impl<H> EncodeCore<H> {
    pub fn set_html(&mut self) {
        self.transcoder.set_html();
    }

    pub fn set_replaces_invalid(&mut self) {
        self.replaces_invalid = true;
    }

    pub fn set_capacity(&mut self, capacity: usize) {
        self.output.set_size(capacity.max(LEAST_CAPACITY));
    }

    pub fn with_handler<G>(self, handler: G) -> EncodeCore<G> {
        EncodeCore {
            transcoder: self.transcoder.with_handler(handler),
            replaces_invalid: self.replaces_invalid,
            tail: self.tail,
            tail_length: self.tail_length,
            output: self.output,
            encoded: self.encoded,
            written: self.written,
        }
    }

    pub fn encoding(&self) -> &'static Encoding {
        self.transcoder.encoding()
    }

    pub fn text_position(&self) -> u64 {
        self.encoded + self.tail_length as u64
    }

    pub fn byte_position(&self) -> u64 {
        self.written
    }

    pub fn had_errors(&self) -> bool {
        self.transcoder.had_errors()
    }

    /// True if the output must be written before more text is taken.
    pub fn is_full(&self) -> bool {
        self.output.room() < LEAST_ROOM
    }

    /// Returns the bytes to write.
    pub fn output(&self) -> &[u8] {
        self.output.filled()
    }

    /// Records that the inner writer has taken `n` bytes of the output.
    pub fn took(&mut self, n: usize) -> io::Result<()> {
        match n {
            0 => Err(io::ErrorKind::WriteZero.into()),
            _ if n > self.output().len() => Err(io::Error::other(
                "the inner writer wrote more than it was given",
            )),
            _ => {
                self.output.consume(n);
                self.written += n as u64;
                Ok(())
            }
        }
    }

    pub fn into_unwritten(self) -> Unwritten {
        let (encoder, owed) = self.transcoder.into_parts();
        let mut bytes = self.output.into_vec();
        bytes.extend_from_slice(&owed);
        Unwritten {
            encoder,
            bytes,
            text: self.tail[..self.tail_length].to_vec(),
        }
    }
}

impl<H: FnMut(Unmappable) -> Fallback> EncodeCore<H> {
    /// Takes UTF-8 from the front of `bytes`; returns the number of bytes taken. The output must not be full.
    ///
    /// 0 means that the output is now full, or that the incomplete character of earlier calls has been handled. Call
    /// again then. After an error, no byte has been taken.
    pub fn take(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.transcoder.waits() && (!self.settle(false) || self.is_full()) {
            return Ok(0);
        }
        if self.tail_length > 0 {
            return self.take_to_tail(bytes);
        }
        // Text beyond the free space of the output rarely fits. It is not validated now, because the next call would
        // validate it again.
        let window = &bytes[..bytes.len().min(self.output.room())];
        let (text, rest) = simd::split_valid(window);
        let start = match text {
            "" => start_of(rest),
            _ => Start::Text(text),
        };
        let n = match start {
            Start::Text(text) => self.encode(text)?,
            Start::Incomplete => {
                // The window is longer than any character, so it does not cut this one.
                self.tail[..rest.len()].copy_from_slice(rest);
                self.tail_length = rest.len();
                return Ok(rest.len());
            }
            Start::Malformed(length) => {
                self.invalid(length)?;
                length
            }
        };
        self.encoded += n as u64;
        Ok(n)
    }

    /// Does the same as [`EncodeCore::take`], for bytes that follow the tail.
    fn take_to_tail(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let held = self.tail_length;
        let more = bytes.len().min(self.tail.len() - held);
        let mut sequence = self.tail;
        sequence[held..held + more].copy_from_slice(&bytes[..more]);
        let length = match start_of(&sequence[..held + more]) {
            Start::Text(text) => {
                if self.encode(text)? == 0 {
                    return Ok(0);
                }
                text.len()
            }
            Start::Incomplete => {
                self.tail = sequence;
                self.tail_length = held + more;
                return Ok(more);
            }
            Start::Malformed(length) => {
                let result = self.invalid(length);
                if result.is_err() {
                    // The caller cannot pass these bytes again. The error reports them once.
                    self.drop_tail();
                }
                result?;
                length
            }
        };
        self.tail_length = 0;
        self.encoded += length as u64;
        Ok(length - held)
    }

    /// Ends the text: an incomplete character is malformed.
    pub fn end_text(&mut self) -> io::Result<()> {
        match self.tail_length {
            0 => Ok(()),
            length => {
                let result = self.invalid(length);
                self.drop_tail();
                result
            }
        }
    }

    /// Encodes pending output for text that has been taken and, if `last`, the end of the stream. True if everything
    /// fits; otherwise the output is full.
    pub fn settle(&mut self, last: bool) -> bool {
        let (spare, offset) = (self.output.spare(), self.encoded);
        let encoded = self.transcoder.encode("", offset, spare, last);
        self.output.add(encoded.written);
        !encoded.full
    }

    /// Encodes text, which starts at `self.encoded`. Returns an error if the first character is refused.
    fn encode(&mut self, text: &str) -> io::Result<usize> {
        let (spare, offset) = (self.output.spare(), self.encoded);
        let encoded = self.transcoder.encode(text, offset, spare, false);
        self.output.add(encoded.written);
        match encoded.refused {
            Some(unmappable) if encoded.read == 0 => Err(invalid_data(EncodeError::Unmappable {
                encoding: self.encoding(),
                unmappable,
            })),
            _ => Ok(encoded.read),
        }
    }

    /// Encodes U+FFFD for a malformed sequence of `length` bytes, or returns the sequence as an error.
    fn invalid(&mut self, length: usize) -> io::Result<()> {
        if self.replaces_invalid {
            return self.encode("\u{FFFD}").map(|_| ());
        }
        Err(invalid_data(DecodeError {
            encoding: UTF_8,
            sequence: MalformedSequence::new(self.encoded, length as u8, 0),
        }))
    }

    fn drop_tail(&mut self) {
        self.encoded += self.tail_length as u64;
        self.tail_length = 0;
    }
}

impl<H> fmt::Debug for EncodeCore<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncodeCore")
            .field("encoding", &self.encoding())
            .field("text_position", &self.text_position())
            .field("byte_position", &self.byte_position())
            .finish_non_exhaustive()
    }
}

/// The pending state of a writer: text that the writer has taken but not yet written to its inner writer.
#[derive(Clone)]
#[non_exhaustive]
pub struct Unwritten {
    /// The encoder, whose state follows `bytes`.
    pub encoder: Encoder,
    /// Encoded bytes.
    pub bytes: Vec<u8>,
    /// The first bytes of an incomplete UTF-8 character.
    pub text: Vec<u8>,
}

impl fmt::Debug for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unwritten")
            .field("encoding", &self.encoder.encoding())
            .field("bytes", &self.bytes)
            .field("text", &self.text)
            .finish()
    }
}
