//! `Encoder`: encodes UTF-8 or UTF-16, by encoding_rs' contract.

use crate::encoding::Family;
use crate::{CoderResult, EncoderResult, Encoding, max_length};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use mojika::{Progress, Status};

/// The maximum length of a numeric character reference: `&#1114111;`.
const REFERENCE: usize = 10;

/// A streaming encoder.
///
/// Works like [`mojika::Encoder`], with the differences listed in this crate's documentation. A lead surrogate at the end
/// of a chunk counts as lone.
pub struct Encoder {
    encoding: &'static Encoding,
    engine: mojika::Encoder,
}

/// The result of a step: an encoder result and the number of units read.
type Step = (EncoderResult, usize);

fn step(progress: Progress) -> Step {
    let result = match progress.status {
        Status::InputEmpty => EncoderResult::InputEmpty,
        Status::OutputFull | Status::Malformed(_) => EncoderResult::OutputFull,
        Status::Unmappable(unmappable) => EncoderResult::Unmappable(unmappable.scalar),
    };
    (result, progress.read)
}

impl Encoding {
    /// Returns a streaming encoder for the output encoding.
    #[inline]
    pub fn new_encoder(&'static self) -> Encoder {
        Encoder::new(self.output_encoding())
    }
}

impl Encoder {
    #[inline]
    pub(crate) fn new(output: &'static Encoding) -> Self {
        let engine = output.engine.new_encoder();
        Self {
            encoding: output,
            // Only replacement has no encoder, and it is never an output encoding.
            engine: engine.unwrap_or_else(|error| panic!("{error}")),
        }
    }

    /// Returns the encoding of the output, which is an output encoding.
    #[inline]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// True if ending the stream now would write bytes, as ISO-2022-JP does outside the ASCII state.
    #[inline]
    pub fn has_pending_state(&self) -> bool {
        !self.engine.is_complete()
    }

    /// Returns an output size that suffices for `byte_length` further bytes of UTF-8 if all characters are mappable.
    pub fn max_buffer_length_from_utf8_if_no_unmappables(
        &self,
        byte_length: usize,
    ) -> Option<usize> {
        self.max_buffer_length_from_utf8_without_replacement(byte_length)?
            .checked_add(self.kept())
    }

    /// Returns an output size that suffices for `byte_length` further bytes of UTF-8 without replacement.
    pub fn max_buffer_length_from_utf8_without_replacement(
        &self,
        byte_length: usize,
    ) -> Option<usize> {
        max_length::from_utf8(self.encoding.family, byte_length)
    }

    /// Returns an output size that suffices for `u16_length` further code units if all characters are mappable.
    pub fn max_buffer_length_from_utf16_if_no_unmappables(
        &self,
        u16_length: usize,
    ) -> Option<usize> {
        self.max_buffer_length_from_utf16_without_replacement(u16_length)?
            .checked_add(self.kept())
    }

    /// Returns an output size that suffices for `u16_length` further code units without replacement.
    pub fn max_buffer_length_from_utf16_without_replacement(
        &self,
        u16_length: usize,
    ) -> Option<usize> {
        max_length::from_utf16(self.encoding.family, u16_length)
    }

    /// Returns the number of bytes to keep free for the numeric character reference of an unmappable scalar value.
    #[inline]
    fn kept(&self) -> usize {
        if self.encoding.can_encode_everything() {
            0
        } else {
            REFERENCE
        }
    }

    /// True if `room` bytes suffice for `n` further code units, with replacement. `utf_8_length` is the maximum number
    /// of UTF-8 bytes per code unit, for output in UTF-8.
    ///
    /// Other encodings write at most twelve bytes per code unit: a reference, and ISO-2022-JP's escape sequence to ASCII.
    #[inline]
    fn is_enough(&self, room: usize, utf_8_length: usize, n: usize) -> bool {
        let (factor, more) = match self.encoding.family {
            Family::Utf8 => (utf_8_length, 0),
            _ => (12, 16),
        };
        n < usize::MAX / 16 && factor * n + more <= room
    }

    /// Encodes UTF-8; unmappable scalar values become numeric character references. Returns the result, bytes read,
    /// bytes written, and true if a character was unmappable.
    #[inline]
    pub fn encode_from_utf8(
        &mut self,
        src: &str,
        dst: &mut [u8],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        if self.is_enough(dst.len(), 1, src.len()) {
            return all_read(self.engine.encode_html(src, dst, last));
        }
        self.encode_from_utf8_in_steps(src, dst, last)
    }

    /// [`encode_from_utf8`](Self::encode_from_utf8) for an output that may become full.
    #[inline(never)]
    fn encode_from_utf8_in_steps(
        &mut self,
        src: &str,
        dst: &mut [u8],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let mut target = Front { dst, written: 0 };
        let (result, read, had_errors) = self.replacing(
            src.len(),
            &mut target,
            last,
            |encoder, target, from, kept| {
                target.encode(kept, |dst| encoder.engine.encode(&src[from..], dst, last))
            },
        );
        (result, read, target.written, had_errors)
    }

    /// [`encode_from_utf8`](Self::encode_from_utf8) into the capacity that a vector has left, without growing it.
    #[cfg(feature = "alloc")]
    pub fn encode_from_utf8_to_vec(
        &mut self,
        src: &str,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> (CoderResult, usize, bool) {
        self.replacing(src.len(), dst, last, |encoder, dst, from, kept| {
            encode_to_capacity(&mut encoder.engine, &src[from..], dst, kept, last)
        })
    }

    /// Encodes UTF-8 and stops after an unmappable scalar value. Returns the result, bytes read, and bytes written.
    pub fn encode_from_utf8_without_replacement(
        &mut self,
        src: &str,
        dst: &mut [u8],
        last: bool,
    ) -> (EncoderResult, usize, usize) {
        let progress = self.engine.encode(src, dst, last);
        let (result, read) = step(progress);
        (result, read, progress.written)
    }

    /// [`encode_from_utf8_to_vec`](Self::encode_from_utf8_to_vec) that stops after an unmappable scalar value.
    #[cfg(feature = "alloc")]
    pub fn encode_from_utf8_to_vec_without_replacement(
        &mut self,
        src: &str,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> (EncoderResult, usize) {
        encode_to_capacity(&mut self.engine, src, dst, 0, last)
    }

    /// Encodes UTF-16, lone surrogates as U+FFFD; unmappable scalar values become numeric character references. Returns
    /// the result, code units read, bytes written, and true if a character was unmappable.
    #[inline]
    pub fn encode_from_utf16(
        &mut self,
        src: &[u16],
        dst: &mut [u8],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        if self.is_enough(dst.len(), 3, src.len()) && !matches!(src, [.., 0xD800..=0xDBFF]) {
            return all_read(self.engine.encode_html(src, dst, last));
        }
        self.encode_from_utf16_in_steps(src, dst, last)
    }

    /// [`encode_from_utf16`](Self::encode_from_utf16) for an output that may become full, or input that ends with a lead
    /// surrogate.
    #[inline(never)]
    fn encode_from_utf16_in_steps(
        &mut self,
        src: &[u16],
        dst: &mut [u8],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let mut target = Front { dst, written: 0 };
        let (result, read, had_errors) = self.replacing(
            src.len(),
            &mut target,
            last,
            |encoder, target, from, kept| {
                target.encode(kept, |dst| encoder.utf16(&src[from..], dst, last))
            },
        );
        (result, read, target.written, had_errors)
    }

    /// Encodes UTF-16, lone surrogates as U+FFFD, and stops after an unmappable scalar value. Returns the result, code
    /// units read, and bytes written.
    pub fn encode_from_utf16_without_replacement(
        &mut self,
        src: &[u16],
        dst: &mut [u8],
        last: bool,
    ) -> (EncoderResult, usize, usize) {
        let mut target = Front { dst, written: 0 };
        let (result, read) = target.encode(0, |dst| self.utf16(src, dst, last));
        (result, read, target.written)
    }

    /// Encodes UTF-16, a lead surrogate at the end as lone. The engine alone would wait for a trail surrogate.
    fn utf16(&mut self, src: &[u16], dst: &mut [u8], last: bool) -> Progress {
        let [before @ .., 0xD800..=0xDBFF] = src else {
            return self.engine.encode(src, dst, last);
        };
        let mut progress = self.engine.encode(before, dst, false);
        if progress.status == Status::InputEmpty {
            let rest = &mut dst[progress.written..];
            let lone = self.engine.encode(&[0xFFFD], rest, last);
            progress.status = lone.status;
            progress.read += lone.read;
            progress.written += lone.written;
        }
        progress
    }

    /// Encodes with replacement. `step` encodes from an offset of the source, and keeps space for a reference free.
    fn replacing<T: Target>(
        &mut self,
        source_len: usize,
        target: &mut T,
        last: bool,
        mut step: impl FnMut(&mut Self, &mut T, usize, usize) -> Step,
    ) -> (CoderResult, usize, bool) {
        let kept = self.kept();
        let mut read = 0;
        let mut had_errors = false;
        loop {
            // Less space than a numeric character reference takes counts as no space, even before the first step.
            if target.room() < kept || (had_errors && target.room() == kept) {
                let is_complete = read == source_len && !(last && self.has_pending_state());
                let result = if is_complete {
                    CoderResult::InputEmpty
                } else {
                    CoderResult::OutputFull
                };
                return (result, read, had_errors);
            }
            let (result, more) = step(self, target, read, kept);
            read += more;
            match result {
                EncoderResult::InputEmpty => {
                    return (CoderResult::InputEmpty, read, had_errors);
                }
                EncoderResult::OutputFull => {
                    return (CoderResult::OutputFull, read, had_errors);
                }
                EncoderResult::Unmappable(scalar) => {
                    had_errors = true;
                    let mut bytes = [0; REFERENCE];
                    target.push(reference(scalar, &mut bytes));
                }
            }
        }
    }
}

/// Returns the result of a call that has read all input.
#[inline]
fn all_read(progress: Progress) -> (CoderResult, usize, usize, bool) {
    debug_assert_eq!(progress.status, Status::InputEmpty);
    let Progress {
        read,
        written,
        had_errors,
        ..
    } = progress;
    (CoderResult::InputEmpty, read, written, had_errors)
}

/// Writes the Standard's `&#…;` with the scalar value in decimal.
fn reference(scalar: char, bytes: &mut [u8; REFERENCE]) -> &[u8] {
    let mut rest = u32::from(scalar);
    let mut start = REFERENCE - 1;
    bytes[start] = b';';
    loop {
        start -= 1;
        bytes[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    start -= 2;
    bytes[start..start + 2].copy_from_slice(b"&#");
    &bytes[start..]
}

/// An output for bytes.
trait Target {
    fn room(&self) -> usize;
    /// Writes all of `bytes`, which fit.
    fn push(&mut self, bytes: &[u8]);
}

/// The front of a slice.
struct Front<'a> {
    dst: &'a mut [u8],
    written: usize,
}

impl Front<'_> {
    /// Encodes after the written part of the output, whose last `kept` bytes stay unchanged.
    #[inline]
    fn encode(&mut self, kept: usize, encode: impl FnOnce(&mut [u8]) -> Progress) -> Step {
        let end = self.dst.len() - kept;
        let progress = encode(&mut self.dst[self.written..end]);
        self.written += progress.written;
        step(progress)
    }
}

impl Target for Front<'_> {
    #[inline]
    fn room(&self) -> usize {
        self.dst.len() - self.written
    }

    #[inline]
    fn push(&mut self, bytes: &[u8]) {
        self.dst[self.written..][..bytes.len()].copy_from_slice(bytes);
        self.written += bytes.len();
    }
}

/// The capacity that a vector has left.
#[cfg(feature = "alloc")]
impl Target for Vec<u8> {
    #[inline]
    fn room(&self) -> usize {
        self.capacity() - self.len()
    }

    #[inline]
    fn push(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// Encodes into the spare capacity of `dst`, except its last `kept` bytes.
///
/// The engine would enlarge the vector, so it only gets input whose output is certain to fit. The end of the output
/// goes through a buffer.
#[cfg(feature = "alloc")]
fn encode_to_capacity(
    engine: &mut mojika::Encoder,
    src: &str,
    dst: &mut Vec<u8>,
    kept: usize,
    last: bool,
) -> Step {
    /// The maximum number of bytes per UTF-8 byte within a text (ISO-2022-JP). `ENDS` bytes are added for its ends.
    const FACTOR: usize = 3;
    const ENDS: usize = 16;
    let mut read = 0;
    loop {
        let room = dst.room().saturating_sub(kept);
        let rest = &src[read..];
        let whole = engine
            .max_length_from_utf8(rest.len())
            .is_some_and(|most| most <= room);
        let part = if whole {
            rest
        } else {
            let end = room.saturating_sub(ENDS) / FACTOR;
            &rest[..char_boundary_before(rest, end)]
        };
        if part.is_empty() && !whole {
            let mut buffer = [0; 2 * ENDS];
            let room = room.min(buffer.len());
            let progress = engine.encode(rest, &mut buffer[..room], last);
            dst.extend_from_slice(&buffer[..progress.written]);
            let (result, more) = step(progress);
            return (result, read + more);
        }
        let (result, more) = step(engine.encode_append(part, dst, last && whole));
        read += more;
        if whole || result != EncoderResult::InputEmpty {
            return (result, read);
        }
    }
}

/// Returns the last character boundary at or before `end`.
#[cfg(feature = "alloc")]
fn char_boundary_before(text: &str, end: usize) -> usize {
    let mut end = end.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder")
            .field("encoding", self.encoding)
            .finish_non_exhaustive()
    }
}
