//! The decoders and encoders that tests run: decoders to UTF-8 and UTF-16, and encoders from UTF-8 and UTF-16.

use crate::memory::{Memory, over_str, over_uninit};
use crate::{Broken, Unit};
use mojika::{
    DecodeTarget, Decoder, EncodeSource, EncodeTarget, Encoder, MalformedSequence, Progress,
    Status, Unmappable,
};
use std::fmt::Debug;

/// The reason why a call returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop<E> {
    /// All input was read.
    InputEmpty,
    /// The output was too small.
    OutputFull,
    /// An error in mode "fatal".
    Error(E),
}

/// The result of a call of any function.
#[derive(Clone, Copy, Debug)]
pub struct Call<E> {
    /// The reason why the call returned.
    pub stop: Stop<E>,
    /// Units read.
    pub read: usize,
    /// Units written.
    pub written: usize,
    /// The flag of the same name that the call returned; false in error mode "fatal".
    pub had_errors: bool,
}

/// The choice of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct How {
    /// True for error mode "fatal", false for "replacement" or "html".
    pub fatal: bool,
    /// The kind of memory for the output.
    pub memory: Memory,
}

impl How {
    /// Error mode "fatal", into a slice.
    pub const FATAL: How = How {
        fatal: true,
        memory: Memory::Init,
    };
    /// Error mode "replacement" or "html", into a slice.
    pub const LENIENT: How = How {
        fatal: false,
        memory: Memory::Init,
    };

    /// Returns the same choice for another kind of memory.
    pub const fn to(self, memory: Memory) -> How {
        How { memory, ..self }
    }
}

/// A decoder or an encoder, with its types of input and output.
pub trait Coder<S: ?Sized, U> {
    /// The error that error mode "fatal" reports.
    type Error: Copy + Debug;
    /// The minimum buffer size. From this size on, "output full" is returned only after a write.
    const LEAST: usize;

    /// Calls a function that writes to a slice.
    fn call(&mut self, src: &S, dst: &mut [U], last: bool, how: How) -> Call<Self::Error>;
    /// Calls a function that appends.
    #[cfg(feature = "alloc")]
    fn append(&mut self, src: &S, out: &mut Vec<U>, last: bool, fatal: bool) -> Call<Self::Error>;
    /// Resets the coder, so that the next call starts another stream.
    fn reset(&mut self);
    /// Returns the maximum number of output units for `units` further units of input.
    fn max_length(&self, units: usize, fatal: bool) -> Option<usize>;
    /// Returns a number of output units that no input of `read` units exceeds, in any error mode.
    fn longest(read: usize) -> usize;
    /// True if the reported error ends at the position of a call that has read `read` units.
    fn is_behind(error: &Self::Error, read: usize) -> bool;
    /// Checks the results of the accessors.
    ///
    /// # Errors
    ///
    /// Returns an error if a result is wrong.
    fn check_state(&self, read: usize, ended: bool) -> Result<(), Broken>;
}

impl<U: Form> Coder<[u8], U> for Decoder {
    type Error = MalformedSequence;
    const LEAST: usize = U::LEAST;

    fn call(&mut self, src: &[u8], dst: &mut [U], last: bool, how: How) -> Call<MalformedSequence> {
        U::call(self, src, dst, last, how)
    }
    #[cfg(feature = "alloc")]
    fn append(
        &mut self,
        src: &[u8],
        out: &mut Vec<U>,
        last: bool,
        fatal: bool,
    ) -> Call<MalformedSequence> {
        U::append(self, src, out, last, fatal)
    }
    fn reset(&mut self) {
        Decoder::reset(self);
    }
    fn max_length(&self, bytes: usize, fatal: bool) -> Option<usize> {
        U::max_length(self, bytes, fatal)
    }
    fn longest(read: usize) -> usize {
        // U+FFFD has three bytes, and so does the longest character that a single byte decodes to.
        3 * read + 3
    }
    fn is_behind(error: &MalformedSequence, read: usize) -> bool {
        (1..=4).contains(&error.len)
            && error.offset + u64::from(error.len) + u64::from(error.after) == read as u64
    }
    fn check_state(&self, read: usize, ended: bool) -> Result<(), Broken> {
        if self.position() != read as u64 {
            return Err(format!("position {} after {read}", self.position()));
        }
        match self.incomplete_len() {
            0 => Ok(()),
            n if ended || n > read => Err(format!("{n} of {read} bytes pending, ended: {ended}")),
            _ => Ok(()),
        }
    }
}

impl<S: Text + ?Sized> Coder<S, u8> for Encoder {
    type Error = Unmappable;
    const LEAST: usize = 4;

    fn call(&mut self, src: &S, dst: &mut [u8], last: bool, how: How) -> Call<Unmappable> {
        match how.memory {
            Memory::Init => encode(self, src, dst, last, how.fatal).1,
            Memory::Uninit => over_uninit(dst, |dst| encode(self, src, dst, last, how.fatal)).1,
            Memory::Str => unreachable!("a str is UTF-8"),
        }
    }
    #[cfg(feature = "alloc")]
    fn append(&mut self, src: &S, out: &mut Vec<u8>, last: bool, fatal: bool) -> Call<Unmappable> {
        match fatal {
            true => self.encode_append(src, out, last).into(),
            false => self.encode_html_append(src, out, last).into(),
        }
    }
    fn reset(&mut self) {
        Encoder::reset(self);
    }
    fn max_length(&self, units: usize, fatal: bool) -> Option<usize> {
        S::max_length(self, units, fatal)
    }
    fn longest(read: usize) -> usize {
        // A reference has ten bytes, with a three-byte escape sequence before it and one at the end; in full width, 16
        // bytes for one code unit. ISO-2022-KR writes four bytes and a shift before the first character.
        16 * read + 5
    }
    fn is_behind(error: &Unmappable, read: usize) -> bool {
        (1..=4).contains(&(read as u64).saturating_sub(error.offset))
    }
    fn check_state(&self, read: usize, ended: bool) -> Result<(), Broken> {
        if ended && !self.is_complete() {
            return Err(format!("not complete at the end, {read}"));
        }
        Ok(())
    }
}

/// A type of output unit of decoders: `u8` (UTF-8) or `u16` (UTF-16).
pub trait Form: Unit {
    /// The minimum buffer size. From this size on, "output full" is returned only after a write.
    const LEAST: usize;
    /// The kinds of memory to which decoders can write these units.
    const MEMORIES: &'static [Memory];

    /// Calls a function that writes to a slice.
    fn call(
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [Self],
        last: bool,
        how: How,
    ) -> Call<MalformedSequence>;
    /// Calls a function that appends.
    #[cfg(feature = "alloc")]
    fn append(
        decoder: &mut Decoder,
        src: &[u8],
        out: &mut Vec<Self>,
        last: bool,
        fatal: bool,
    ) -> Call<MalformedSequence>;
    /// Returns the maximum number of units that `bytes` further bytes can decode to.
    fn max_length(decoder: &Decoder, bytes: usize, fatal: bool) -> Option<usize>;
    /// Appends a scalar value.
    fn push(units: &mut Vec<Self>, scalar: char);
    /// Returns the text in these units, which must be well-formed.
    fn text(units: &[Self]) -> String;
}

impl Form for u8 {
    const LEAST: usize = 4;
    const MEMORIES: &'static [Memory] = &[Memory::Init, Memory::Uninit, Memory::Str];

    fn call(
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
        How { fatal, memory }: How,
    ) -> Call<MalformedSequence> {
        match memory {
            Memory::Init => decode(decoder, src, dst, last, fatal).1,
            Memory::Uninit => over_uninit(dst, |dst| decode(decoder, src, dst, last, fatal)).1,
            Memory::Str => over_str(dst, |dst| decode(decoder, src, dst, last, fatal)).1,
        }
    }
    #[cfg(feature = "alloc")]
    fn append(
        decoder: &mut Decoder,
        src: &[u8],
        out: &mut Vec<u8>,
        last: bool,
        fatal: bool,
    ) -> Call<MalformedSequence> {
        let mut text = String::from("é");
        let call: Call<_> = match fatal {
            true => decoder.decode_append_fatal(src, &mut text, last).into(),
            false => decoder.decode_append(src, &mut text, last).into(),
        };
        assert!(std::str::from_utf8(text.as_bytes()).is_ok());
        let appended = text.strip_prefix('é').expect("what was there stays");
        out.extend_from_slice(appended.as_bytes());
        call
    }
    fn max_length(decoder: &Decoder, bytes: usize, fatal: bool) -> Option<usize> {
        match fatal {
            true => decoder.max_utf8_length_fatal(bytes),
            false => decoder.max_utf8_length(bytes),
        }
    }
    fn push(units: &mut Vec<u8>, scalar: char) {
        units.extend_from_slice(scalar.encode_utf8(&mut [0; 4]).as_bytes());
    }
    fn text(units: &[u8]) -> String {
        String::from_utf8(units.to_vec()).expect("decoders write well-formed UTF-8")
    }
}

impl Form for u16 {
    const LEAST: usize = 2;
    const MEMORIES: &'static [Memory] = &[Memory::Init, Memory::Uninit];

    fn call(
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
        How { fatal, memory }: How,
    ) -> Call<MalformedSequence> {
        match memory {
            Memory::Init => decode(decoder, src, dst, last, fatal).1,
            Memory::Uninit => over_uninit(dst, |dst| decode(decoder, src, dst, last, fatal)).1,
            Memory::Str => unreachable!("a str is UTF-8"),
        }
    }
    #[cfg(feature = "alloc")]
    fn append(
        decoder: &mut Decoder,
        src: &[u8],
        out: &mut Vec<u16>,
        last: bool,
        fatal: bool,
    ) -> Call<MalformedSequence> {
        match fatal {
            true => decoder.decode_append_fatal(src, out, last).into(),
            false => decoder.decode_append(src, out, last).into(),
        }
    }
    fn max_length(decoder: &Decoder, bytes: usize, fatal: bool) -> Option<usize> {
        match fatal {
            true => decoder.max_utf16_length_fatal(bytes),
            false => decoder.max_utf16_length(bytes),
        }
    }
    fn push(units: &mut Vec<u16>, scalar: char) {
        units.extend_from_slice(scalar.encode_utf16(&mut [0; 2]));
    }
    fn text(units: &[u16]) -> String {
        String::from_utf16(units).expect("decoders write well-formed UTF-16")
    }
}

/// Returns the text with U+FFFD inserted at each of these offsets, which are in ascending order.
pub fn replaced<U: Form>(units: &[U], places: impl IntoIterator<Item = usize>) -> Vec<U> {
    let mut replaced = Vec::with_capacity(units.len());
    let mut at = 0;
    for place in places {
        replaced.extend_from_slice(&units[at..place]);
        U::push(&mut replaced, '\u{FFFD}');
        at = place;
    }
    replaced.extend_from_slice(&units[at..]);
    replaced
}

#[inline(always)]
fn decode<T: DecodeTarget + ?Sized>(
    decoder: &mut Decoder,
    src: &[u8],
    dst: &mut T,
    last: bool,
    fatal: bool,
) -> (usize, Call<MalformedSequence>) {
    let call: Call<_> = match fatal {
        true => decoder.decode_fatal(src, dst, last).into(),
        false => decoder.decode(src, dst, last).into(),
    };
    (call.written, call)
}

#[inline(always)]
fn encode<S: EncodeSource + ?Sized, T: EncodeTarget + ?Sized>(
    encoder: &mut Encoder,
    src: &S,
    dst: &mut T,
    last: bool,
    fatal: bool,
) -> (usize, Call<Unmappable>) {
    let call: Call<_> = match fatal {
        true => encoder.encode(src, dst, last).into(),
        false => encoder.encode_html(src, dst, last).into(),
    };
    (call.written, call)
}

/// Input of decoders and encoders.
pub trait Source {
    /// Returns the length in units.
    fn units(&self) -> usize;
    /// Returns the part between two offsets.
    fn part(&self, from: usize, to: usize) -> &Self;
    /// Returns the first offset from `at` on at which the input may be split; this may be its end.
    fn boundary(&self, at: usize) -> usize {
        at.min(self.units())
    }
}

impl<T> Source for [T] {
    fn units(&self) -> usize {
        self.len()
    }
    fn part(&self, from: usize, to: usize) -> &Self {
        &self[from..to]
    }
}

impl Source for str {
    fn units(&self) -> usize {
        self.len()
    }
    fn part(&self, from: usize, to: usize) -> &Self {
        &self[from..to]
    }
    fn boundary(&self, at: usize) -> usize {
        let is_boundary = |&at: &usize| self.is_char_boundary(at);
        (at..self.len()).find(is_boundary).unwrap_or(self.len())
    }
}

/// Input of encoders: `str` (UTF-8) or `[u16]` (UTF-16).
pub trait Text: Source + EncodeSource + Debug {
    /// Returns the maximum number of bytes that `units` more units can encode to.
    fn max_length(encoder: &Encoder, units: usize, fatal: bool) -> Option<usize>;
}

impl Text for str {
    fn max_length(encoder: &Encoder, bytes: usize, fatal: bool) -> Option<usize> {
        match fatal {
            true => encoder.max_length_from_utf8(bytes),
            false => encoder.max_length_from_utf8_html(bytes),
        }
    }
}

impl Text for [u16] {
    fn max_length(encoder: &Encoder, units: usize, fatal: bool) -> Option<usize> {
        match fatal {
            true => encoder.max_length_from_utf16(units),
            false => encoder.max_length_from_utf16_html(units),
        }
    }
}

/// The error of a decoder or an encoder, as a part of a call's status.
pub trait CallError: Sized {
    /// Returns the error of this type that `status` contains.
    fn of(status: Status) -> Option<Self>;
}

impl CallError for MalformedSequence {
    fn of(status: Status) -> Option<Self> {
        match status {
            Status::Malformed(sequence) => Some(sequence),
            _ => None,
        }
    }
}

impl CallError for Unmappable {
    fn of(status: Status) -> Option<Self> {
        match status {
            Status::Unmappable(unmappable) => Some(unmappable),
            _ => None,
        }
    }
}

impl<E: CallError> From<Progress> for Call<E> {
    fn from(progress: Progress) -> Self {
        Call {
            stop: match progress.status {
                Status::InputEmpty => Stop::InputEmpty,
                Status::OutputFull => Stop::OutputFull,
                error => Stop::Error(E::of(error).expect("an error of the other direction")),
            },
            read: progress.read,
            written: progress.written,
            had_errors: progress.had_errors,
        }
    }
}
