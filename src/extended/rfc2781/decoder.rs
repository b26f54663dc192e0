//! The streaming decoder: determines the byte order, and finds the code unit of each error, which the RFC calls W1.

use super::{ByteOrder, Charset, CharsetError, Opening};
use crate::decoder::Target;
use crate::progress::{ErrorMode, Progress, Status};
use crate::{BomHandling, DecodeTarget, Encoding};

/// A streaming decoder of a charset of RFC 2781.
///
/// Chunks may be cut anywhere, and the output may have any size from 4 bytes on; neither changes the text, the errors or
/// their offsets. Once a call with `last` set has returned "input empty", the next call starts another stream.
///
/// ```
/// use mojika::{UTF_16LE, extended::rfc2781::Charset};
///
/// let mut decoder = Charset::Utf16.new_decoder();
/// let mut text = [0_u8; 8];
/// assert_eq!(decoder.decode(b"\xFF", &mut text, false).written, 0);
/// assert_eq!(decoder.decode(b"\xFEa\0", &mut text, true).written, 1);
/// assert_eq!((decoder.encoding(), text[0]), (Some(UTF_16LE), b'a'));
/// ```
#[derive(Clone)]
pub struct CharsetDecoder {
    charset: Charset,
    state: State,
    /// Bytes read since the start of the stream.
    position: u64,
    /// The last bytes read, the latest one last: a malformed sequence may start there.
    tail: [u8; TAIL],
    finished: bool,
    /// The sequence at which the last call in error mode "fatal" stopped.
    error: Option<CharsetError>,
}

/// The length of `tail`, at least 5: a malformed sequence has up to 3 octets, and 2 more may be read after it.
const TAIL: usize = 8;

#[derive(Clone)]
enum State {
    /// The byte order is not determined yet. `first` is the first octet, if it has been read.
    Start { first: Option<u8> },
    /// The byte order is known.
    Text {
        order: ByteOrder,
        decoder: crate::Decoder,
        /// The interpretation of the first two octets; `decoder` has not seen a signature.
        opening: Opening,
    },
}

impl Charset {
    /// Creates a streaming decoder.
    pub fn new_decoder(self) -> CharsetDecoder {
        CharsetDecoder {
            charset: self,
            state: State::Start { first: None },
            position: 0,
            tail: [0; TAIL],
            finished: false,
            error: None,
        }
    }
}

impl CharsetDecoder {
    /// Returns the requested charset.
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Returns UTF-16BE or UTF-16LE, once it is known: for "UTF-16" after the first two octets or at the end of the
    /// stream.
    pub fn encoding(&self) -> Option<&'static Encoding> {
        let order = match (&self.state, self.charset) {
            (State::Text { order, .. }, _) => *order,
            (_, Charset::Utf16) => return None,
            (_, Charset::Utf16Be) => ByteOrder::BigEndian,
            (_, Charset::Utf16Le) => ByteOrder::LittleEndian,
        };
        Some(order.encoding())
    }

    /// Returns the length in bytes of the signature that was removed: 0 or 2.
    pub fn signature_len(&self) -> usize {
        match self.state {
            State::Text { opening, .. } => opening.signature_len.into(),
            State::Start { .. } => 0,
        }
    }

    /// Returns the number of bytes read since the start of the stream.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Resets the decoder for a new stream.
    pub fn reset(&mut self) {
        *self = self.charset.new_decoder();
    }

    /// Returns the maximum number of UTF-8 bytes that `byte_length` further bytes can decode to. `None` if it does not
    /// fit into `usize`.
    pub fn max_utf8_length(&self, byte_length: usize) -> Option<usize> {
        match &self.state {
            State::Text { decoder, .. } if !self.finished => decoder.max_utf8_length(byte_length),
            State::Start { first: Some(_) } => {
                byte_length.checked_add(1)?.div_ceil(2).checked_mul(3)
            }
            _ => byte_length.div_ceil(2).checked_mul(3),
        }
    }

    /// Returns the maximum number of UTF-16 code units that `byte_length` further bytes can decode to. `None` if it
    /// does not fit into `usize`.
    pub fn max_utf16_length(&self, byte_length: usize) -> Option<usize> {
        match &self.state {
            State::Text { decoder, .. } if !self.finished => decoder.max_utf16_length(byte_length),
            State::Start { first: Some(_) } => Some(byte_length.checked_add(1)?.div_ceil(2)),
            _ => Some(byte_length.div_ceil(2)),
        }
    }

    /// Returns the RFC's description of the sequence at which the last call of [`decode_fatal`](Self::decode_fatal)
    /// stopped.
    pub fn error(&self) -> Option<CharsetError> {
        self.error
    }

    /// Decodes to the front of `dst`; sequences in error become U+FFFD.
    pub fn decode<T: DecodeTarget + ?Sized>(
        &mut self,
        src: &[u8],
        dst: &mut T,
        last: bool,
    ) -> Progress {
        self.run(ErrorMode::Replacement, src, dst, last)
    }

    /// Decodes to the front of `dst` and stops after a sequence in error, which [`error`](Self::error) then returns.
    ///
    /// ```
    /// use mojika::{Status, extended::rfc2781::{Charset, ErrorKind}};
    ///
    /// let mut decoder = Charset::Utf16.new_decoder();
    /// let progress = decoder.decode_fatal(b"\0a\xDC\0", &mut [0_u16; 4], true);
    /// assert!(matches!(progress.status, Status::Malformed(sequence) if sequence.offset == 2));
    /// assert_eq!(decoder.error().unwrap().kind, ErrorKind::NotHighSurrogate);
    /// ```
    pub fn decode_fatal<T: DecodeTarget + ?Sized>(
        &mut self,
        src: &[u8],
        dst: &mut T,
        last: bool,
    ) -> Progress {
        self.run(ErrorMode::Fatal, src, dst, last)
    }

    fn run<T: Target + ?Sized>(
        &mut self,
        mode: ErrorMode,
        src: &[u8],
        dst: &mut T,
        last: bool,
    ) -> Progress {
        if self.finished {
            self.reset();
        }
        self.error = None;
        let mut run = Progress::new(0, 0, true);
        if let State::Start { first } = self.state {
            let octets = match first {
                Some(_) => [first, src.first().copied()],
                None => [src.first().copied(), src.get(1).copied()],
            };
            if octets[1].is_none() && !last {
                self.state = State::Start { first: octets[0] };
                self.note(src);
                run.read = src.len();
                return run;
            }
            // The octets to decode in place of the first ones of this chunk.
            let (opening, octets_read) = self.open(first, octets);
            self.note(&src[..octets_read]);
            run.read = octets_read;
            for octet in opening.into_iter().flatten() {
                self.feed(mode, &[octet], dst, false, &mut run);
            }
        }
        if run.status == Status::InputEmpty {
            let rest = &src[run.read..];
            let read = self.feed(mode, rest, dst, last, &mut run);
            self.note(&rest[..read]);
            run.read += read;
            self.finished = last && run.status == Status::InputEmpty;
        }
        if let Status::Malformed(sequence) = run.status {
            self.error = Some(self.error_at(sequence.offset, sequence.len));
        }
        run
    }

    /// Determines the byte order from the stream's first two octets; `first` came in an earlier chunk. Returns the
    /// octets to decode before the rest of this chunk, and the number of octets of this chunk that are used up.
    fn open(&mut self, first: Option<u8>, octets: [Option<u8>; 2]) -> ([Option<u8>; 2], usize) {
        let head = match octets {
            [Some(a), Some(b)] => Some([a, b]),
            _ => None,
        };
        let opening = self.charset.opening(head);
        self.state = State::Text {
            order: opening.order,
            decoder: crate::Decoder::new(opening.order.encoding(), BomHandling::Keep),
            opening,
        };
        let of_chunk = if first.is_some() { 1 } else { 2 };
        if opening.reversed {
            // A malformed code unit in place of 0xFFFE, which the decoder would take for a character.
            let [a, b] = opening.order.octets(0xDC00);
            ([Some(a), Some(b)], of_chunk)
        } else if opening.signature_len > 0 {
            ([None, None], of_chunk)
        } else {
            ([first, None], 0)
        }
    }

    /// Decodes `octets`, after the output of `run`; returns the number of octets read.
    fn feed<T: Target + ?Sized>(
        &mut self,
        mode: ErrorMode,
        octets: &[u8],
        dst: &mut T,
        last: bool,
        run: &mut Progress,
    ) -> usize {
        let State::Text {
            decoder, opening, ..
        } = &mut self.state
        else {
            return 0;
        };
        let fed = dst.run(run.written, decoder, mode, octets, last);
        run.written += fed.written;
        run.had_errors |= fed.had_errors;
        run.status = fed.status;
        if let Status::Malformed(sequence) = &mut run.status {
            sequence.offset += u64::from(opening.signature_len);
        }
        fed.read
    }

    /// Counts octets that were read, and keeps the last ones in `tail`.
    fn note(&mut self, octets: &[u8]) {
        self.position += octets.len() as u64;
        for &octet in &octets[octets.len().saturating_sub(TAIL)..] {
            self.tail.rotate_left(1);
            self.tail[TAIL - 1] = octet;
        }
    }

    /// Returns the error of `len` octets at `offset`, which are among the last ones read.
    fn error_at(&self, offset: u64, len: u8) -> CharsetError {
        let back = usize::try_from(self.position - offset).unwrap_or(TAIL);
        let octets = &self.tail[TAIL.saturating_sub(back)..];
        let opening = match &self.state {
            State::Text { opening, .. } => *opening,
            State::Start { .. } => self.charset.opening(None),
        };
        CharsetError::of(opening, octets, offset, len)
    }
}

impl core::fmt::Debug for CharsetDecoder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("CharsetDecoder")
            .field("charset", &self.charset)
            .field("encoding", &self.encoding())
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}
