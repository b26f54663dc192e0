//! Codecs that are called through a reference, so that a program links only those whose encodings it names.
//!
//! A [`Codec`] is stateless: the state of a decoder or an encoder is a [`State`], of the same type for all codecs. A
//! codec implements [`Machine`].

use super::by_steps::{Machine, State};
use super::restart::Backoff;
use super::{
    Chars, DecodeMachine, EncodeMachine, EncodeStep, InReferences, Malformed, Step, Unit,
    Unmappables,
};
use crate::codec::unit::PrefixKernel;
use crate::simd::{Out, Packed};
use core::panic::RefUnwindSafe;

/// The description of an encoding whose codec is called through a reference.
pub(crate) struct Linked {
    pub codec: &'static dyn Codec,
    /// See [`Scheme::is_ascii_compatible`](super::Scheme::is_ascii_compatible).
    pub is_ascii_compatible: bool,
    /// See [`Scheme::is_stateful`](super::Scheme::is_stateful).
    pub is_stateful: bool,
    /// See [`Scheme::code_unit_len`](super::Scheme::code_unit_len).
    pub code_unit_len: u8,
    /// The bytes of numeric character references, if they are not ASCII.
    pub in_references: Option<InReferences>,
    pub lengths: Lengths,
}

/// Exact maximum lengths of the output.
pub(crate) struct Lengths {
    /// UTF-8 from bytes, in error mode "fatal".
    pub to_utf8: fn(usize) -> Option<usize>,
    /// The number of bytes of a shift sequence. Input that starts in the shifted state is shorter by this number.
    pub shift: usize,
    /// Bytes from UTF-8, in error modes "fatal" and "html".
    pub from_utf8: [fn(usize) -> Option<usize>; 2],
    /// Bytes from UTF-16.
    pub from_utf16: [fn(usize) -> Option<usize>; 2],
}

/// The methods of [`Machine`] without type parameters, for use as a trait object.
pub(crate) trait Codec: Sync + RefUnwindSafe {
    fn step(&self, state: &mut State, byte: u8) -> Step;
    fn finish(&self, state: &mut State) -> Option<Malformed>;
    fn to_utf8(&self, state: &mut State, src: &[u8], out: &mut Out<'_, u8>) -> usize;
    fn to_utf16(&self, state: &mut State, src: &[u8], out: &mut Out<'_, u16>) -> usize;
    fn encode(&self, state: &mut State, scalar: u32) -> EncodeStep;
    fn end(&self, state: &mut State) -> Option<Packed>;
    fn encode_utf8(&self, state: &mut State, src: &str, out: &mut Out<'_, u8>) -> usize;
    fn encode_utf16(&self, state: &mut State, src: &[u16], out: &mut Out<'_, u8>) -> usize;
}

impl<M: Machine> Codec for M {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        Machine::step(self, state, byte)
    }

    fn finish(&self, state: &mut State) -> Option<Malformed> {
        Machine::finish(self, state)
    }

    fn to_utf8(&self, state: &mut State, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        self.decode(state, src, out)
    }

    fn to_utf16(&self, state: &mut State, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        self.decode(state, src, out)
    }

    fn encode(&self, state: &mut State, scalar: u32) -> EncodeStep {
        Machine::encode(self, state, scalar)
    }

    fn end(&self, state: &mut State) -> Option<Packed> {
        Machine::end(self, state)
    }

    fn encode_utf8(&self, state: &mut State, src: &str, out: &mut Out<'_, u8>) -> usize {
        self.encode_text(state, src, out)
    }

    fn encode_utf16(&self, state: &mut State, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        self.encode_text(state, src, out)
    }
}

/// A decoder for any codec that is called through a reference.
#[derive(Clone, Copy)]
pub(crate) struct LinkedDecoder {
    linked: &'static Linked,
    state: State,
    /// The second of two characters of a pair, if only the first one fitted.
    owed: Option<char>,
}

impl LinkedDecoder {
    pub const fn new(linked: &'static Linked) -> Self {
        Self {
            linked,
            state: State::NEW,
            owed: None,
        }
    }

    /// Returns a decoder between two characters.
    #[cfg(feature = "alloc")]
    pub fn between(linked: &'static Linked, mode: u8) -> Self {
        Self {
            linked,
            state: State::between(mode),
            owed: None,
        }
    }

    /// Returns the character that did not fit into the output.
    pub fn owed(&mut self) -> &mut Option<char> {
        &mut self.owed
    }

    /// Returns the mode between two characters; `None` inside a character, and in a stateless encoding.
    #[cfg(feature = "alloc")]
    pub fn mode(&self) -> Option<u8> {
        (self.linked.is_stateful && self.is_neutral()).then_some(self.state.mode)
    }

    /// Discards the bytes of an incomplete character.
    pub fn forget_incomplete(&mut self) {
        self.state.drop_held();
    }
}

impl DecodeMachine for LinkedDecoder {
    fn step(&mut self, byte: u8) -> Step {
        self.linked.codec.step(&mut self.state, byte)
    }

    fn finish(&mut self) -> Option<Malformed> {
        self.linked.codec.finish(&mut self.state)
    }

    #[inline(always)]
    fn is_neutral(&self) -> bool {
        self.state.held().is_empty() && self.owed.is_none()
    }

    #[inline(always)]
    fn probes_ascii(&self) -> bool {
        self.linked.is_ascii_compatible
    }

    #[inline(always)]
    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>, _: &mut Backoff) -> usize {
        let kernel = PrefixKernel {
            to_utf8: |src, decoder: &mut Self, out| {
                decoder.linked.codec.to_utf8(&mut decoder.state, src, out)
            },
            to_utf16: |src, decoder: &mut Self, out| {
                decoder.linked.codec.to_utf16(&mut decoder.state, src, out)
            },
        };
        U::push_by(&kernel, src, self, out)
    }

    fn pending(&self) -> usize {
        self.incomplete() + usize::from(self.owed.is_some())
    }

    fn incomplete(&self) -> usize {
        self.state.held().len()
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        if replacing {
            // A malformed sequence has at least one code unit. An incomplete code unit at the end counts as one.
            n.div_ceil(self.linked.code_unit_len.into()).checked_mul(3)
        } else {
            let shift = self.linked.lengths.shift * usize::from(self.state.mode != 0);
            (self.linked.lengths.to_utf8)(n.checked_add(shift)?)
        }
    }

    fn max_utf16(&self, n: usize, replacing: bool) -> Option<usize> {
        let unit = usize::from(self.linked.code_unit_len);
        Some(if replacing {
            n.div_ceil(unit)
        } else {
            n / unit
        })
    }
}

/// An encoder for any codec that is called through a reference.
#[derive(Clone, Copy)]
pub(crate) struct LinkedEncoder {
    linked: &'static Linked,
    state: State,
}

impl LinkedEncoder {
    pub const fn new(linked: &'static Linked) -> Self {
        Self {
            linked,
            state: State::NEW,
        }
    }

    /// True if the state differs from the state at the start of a stream.
    #[inline]
    pub fn is_changed(&self) -> bool {
        self.state != State::NEW
    }

    /// Returns the bytes of references, if they are not ASCII.
    pub fn in_references(&self) -> Option<InReferences> {
        self.linked.in_references
    }
}

impl EncodeMachine for LinkedEncoder {
    fn step(&mut self, scalar: u32) -> EncodeStep {
        self.linked.codec.encode(&mut self.state, scalar)
    }

    fn finish(&mut self) -> Option<Packed> {
        self.linked.codec.end(&mut self.state)
    }

    #[inline(always)]
    fn probes_ascii(&self) -> bool {
        self.linked.is_ascii_compatible
    }

    #[inline(always)]
    fn prefix<S: Chars + ?Sized>(
        &mut self,
        src: &S,
        out: &mut Out<'_, u8>,
        _: &mut Unmappables,
    ) -> usize {
        let codec = self.linked.codec;
        src.by_form(
            (&mut self.state, out),
            |src, (state, out)| codec.encode_utf8(state, src, out),
            |src, (state, out)| codec.encode_utf16(state, src, out),
        )
    }
}
