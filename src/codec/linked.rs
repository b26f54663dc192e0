//! Codecs that are reached through a reference, so that a program links those alone whose encodings it names.
//!
//! A [`Codec`] has no state of its own: what a decoder or an encoder remembers is a [`State`], which has the same form for
//! all. [`Machine`] is what a codec implements; kernels follow from its steps unless it has better ones.

use super::restart::Backoff;
use super::{
    DecodeMachine, EncodeMachine, EncodeStep, InReferences, Malformed, Replay, Source, Step, Unit,
    Unmappables,
};
use crate::codec::unit::PrefixKernel;
use crate::simd::{Out, Packed};
use crate::tables::pairs::Decoded;
use core::panic::RefUnwindSafe;

/// What a codec remembers between two calls.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct State {
    /// What stays in force between two characters: shifts, designations, bits left over. 0 at the start. A codec takes any
    /// value, as one may come from a stored offset map.
    pub mode: u8,
    /// The bytes of a character or of a shift that is incomplete.
    held: [u8; 7],
    held_len: u8,
}

impl State {
    pub const NEW: Self = Self {
        mode: 0,
        held: [0; 7],
        held_len: 0,
    };

    /// The state between two characters.
    #[cfg(feature = "alloc")]
    pub fn between(mode: u8) -> Self {
        Self { mode, ..Self::NEW }
    }

    /// The bytes that wait for others.
    #[inline(always)]
    pub fn held(&self) -> &[u8] {
        self.held.get(..usize::from(self.held_len)).unwrap_or(&[])
    }

    /// Keeps a byte.
    #[inline(always)]
    pub fn hold(&mut self, byte: u8) -> Step {
        if let Some(slot) = self.held.get_mut(usize::from(self.held_len)) {
            *slot = byte;
            self.held_len += 1;
        }
        Step::Continue
    }

    /// Forgets the bytes that wait; returns how many there were.
    #[inline(always)]
    pub fn drop_held(&mut self) -> u8 {
        core::mem::take(&mut self.held_len)
    }

    /// The first of at most three bytes that wait is malformed; the others and the current one are read again.
    pub fn first_malformed(&mut self) -> Step {
        let replay = match *self.held() {
            [_, second] => Replay::of([second]),
            [_, second, third] => Replay::of([second, third]),
            _ => Replay::default(),
        };
        self.drop_held();
        Step::Malformed(Malformed {
            len: 1,
            replay,
            unread: true,
            ..Malformed::default()
        })
    }

    /// The bytes that wait are malformed, and the current one is read again.
    pub fn malformed_before(&mut self) -> Step {
        Malformed::before(self.drop_held())
    }
}

/// What all encodings with a codec of this kind have to say of themselves.
pub(crate) struct Linked {
    pub codec: &'static dyn Codec,
    /// As [`Kind::is_ascii_compatible`](super::Kind::is_ascii_compatible).
    pub is_ascii_compatible: bool,
    /// As [`Kind::is_stateful`](super::Kind::is_stateful).
    pub is_stateful: bool,
    /// As [`Kind::code_unit_len`](super::Kind::code_unit_len).
    pub code_unit_len: u8,
    /// How numeric character references are written, where they are not ASCII.
    pub in_references: Option<InReferences>,
    pub lengths: Lengths,
}

/// The longest outputs; exact.
pub(crate) struct Lengths {
    /// UTF-8 from bytes, in error mode "fatal".
    pub to_utf8: fn(usize) -> Option<usize>,
    /// The bytes of a shift, without which text can be longer where one is in force.
    pub shift: usize,
    /// Bytes from UTF-8, in error modes "fatal" and "html".
    pub from_utf8: [fn(usize) -> Option<usize>; 2],
    /// Bytes from UTF-16.
    pub from_utf16: [fn(usize) -> Option<usize>; 2],
}

/// A state machine for each direction, and kernels.
pub(crate) trait Machine: Sync + RefUnwindSafe + 'static {
    /// [`DecodeMachine::step`].
    fn step(&self, state: &mut State, byte: u8) -> Step;

    /// The characters of a pair of bytes in this state, which stays as it is. A short cut: `None` also where only the steps can
    /// tell.
    #[inline(always)]
    fn characters_of_pair(&self, _state: &State, _pair: [u8; 2]) -> Option<Decoded> {
        None
    }

    /// The pair of bytes that is all that a scalar value takes in this state, which stays as it is; likewise.
    #[inline(always)]
    fn pair_of_scalar(&self, _state: &State, _scalar: u32) -> Option<u16> {
        None
    }

    /// [`DecodeMachine::finish`].
    fn finish(&self, state: &mut State) -> Option<Malformed> {
        Malformed::at_end(state.drop_held())
    }

    /// [`DecodeMachine::prefix`].
    fn decode<U: Unit>(&self, state: &mut State, src: &[u8], out: &mut Out<'_, U>) -> usize {
        decode_by_steps(self, state, src, out)
    }

    /// [`EncodeMachine::step`].
    fn encode(&self, state: &mut State, scalar: u32) -> EncodeStep;

    /// [`EncodeMachine::finish`].
    fn end(&self, _state: &mut State) -> Option<Packed> {
        None
    }

    /// [`EncodeMachine::prefix_utf8`] and its like, without references.
    fn encode_text<S: Source + ?Sized>(
        &self,
        state: &mut State,
        src: &S,
        out: &mut Out<'_, u8>,
    ) -> usize {
        encode_by_steps(self, state, src, out)
    }
}

/// A prefix kernel of every codec: pairs by the short cut, all else by its steps, as long as they give characters that fit.
#[inline(always)]
pub(super) fn decode_by_steps<M: Machine + ?Sized, U: Unit>(
    machine: &M,
    state: &mut State,
    src: &[u8],
    out: &mut Out<'_, U>,
) -> usize {
    let mut read = 0;
    loop {
        if state.held_len == 0 {
            read += decode_pairs(machine, state, &src[read..], out);
        }
        match decode_next(machine, state, &src[read..], out) {
            Some(length) => read += length,
            None => return read,
        }
    }
}

/// Decodes pairs that do not change the state; returns the number of bytes taken.
#[inline(always)]
fn decode_pairs<M: Machine + ?Sized, U: Unit>(
    machine: &M,
    state: &State,
    src: &[u8],
    out: &mut Out<'_, U>,
) -> usize {
    let mut read = 0;
    for &pair in src.as_chunks().0 {
        let is_pushed = match machine.characters_of_pair(state, pair) {
            Some(Decoded::One(scalar)) => U::push_scalar(out, scalar),
            Some(Decoded::Two(first, second)) => U::push_pair(out, first, second),
            None => false,
        };
        if !is_pushed {
            break;
        }
        read += 2;
    }
    read
}

/// Decodes one character or shift; returns its length in bytes. `None` at the end, and if it is malformed or does not fit.
#[inline(always)]
fn decode_next<M: Machine + ?Sized, U: Unit>(
    machine: &M,
    state: &mut State,
    src: &[u8],
    out: &mut Out<'_, U>,
) -> Option<usize> {
    let mut current = *state;
    for (at, &byte) in src.iter().enumerate() {
        match machine.step(&mut current, byte) {
            Step::Scalar(scalar) if U::push_scalar(out, scalar) => {}
            Step::Pair(first, second) if U::push_pair(out, first, second) => {}
            Step::Continue if current.held_len > 0 => continue,
            Step::Continue => {}
            _ => return None,
        }
        *state = current;
        return Some(at + 1);
    }
    None
}

/// Likewise in the other direction.
#[inline(always)]
pub(super) fn encode_by_steps<M: Machine + ?Sized, S: Source + ?Sized>(
    machine: &M,
    state: &mut State,
    src: &S,
    out: &mut Out<'_, u8>,
) -> usize {
    let mut read = 0;
    loop {
        while let Some((scalar, length)) = src.scalar(read, false)
            && let Some(pair) = machine.pair_of_scalar(state, scalar)
            && Packed::lead_trail(pair).push_to(out)
        {
            read += usize::from(length);
        }
        match encode_next(machine, state, src, read, out) {
            Some(length) => read += length,
            None => return read,
        }
    }
}

/// Likewise in an encoding that has all of ASCII in single bytes, which a kernel copies.
#[inline(always)]
pub(super) fn encode_with_ascii<M: Machine + ?Sized, S: Source + ?Sized>(
    machine: &M,
    state: &mut State,
    src: &S,
    out: &mut Out<'_, u8>,
) -> usize {
    let mut read = 0;
    loop {
        let rest = src.tail(read);
        if rest.starts_with_ascii() {
            read += rest.push_ascii(out);
        }
        match encode_next(machine, state, src, read, out) {
            Some(length) => read += length,
            None => return read,
        }
    }
}

/// Encodes the character at `read`; returns its length in the source. `None` at the end, and if the character is unmappable or
/// does not fit.
#[inline(always)]
pub(super) fn encode_next<M: Machine + ?Sized, S: Source + ?Sized>(
    machine: &M,
    state: &mut State,
    src: &S,
    read: usize,
    out: &mut Out<'_, u8>,
) -> Option<usize> {
    let (scalar, length) = src.scalar(read, false)?;
    push_by_steps(machine, state, scalar, out).then_some(length.into())
}

/// Writes a scalar value, with what has to stand before it; false if it is unmappable or does not fit.
#[inline(always)]
pub(super) fn push_by_steps<M: Machine + ?Sized>(
    machine: &M,
    state: &mut State,
    scalar: u32,
    out: &mut Out<'_, u8>,
) -> bool {
    loop {
        let before = *state;
        let (bytes, done) = match machine.encode(state, scalar) {
            EncodeStep::Bytes(bytes) => (bytes, true),
            EncodeStep::Escape(bytes) => (bytes, false),
            EncodeStep::Unmappable(_) => {
                *state = before;
                return false;
            }
        };
        if !bytes.push_to(out) {
            *state = before;
            return false;
        }
        if done {
            return true;
        }
    }
}

/// [`Machine`] without type parameters.
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

/// A decoder of any of these encodings.
#[derive(Clone, Copy)]
pub(crate) struct LinkedDecoder {
    linked: &'static Linked,
    state: State,
    /// The second of two characters that share a pair, if only the first one fitted into the output.
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

    /// A decoder between two characters.
    #[cfg(feature = "alloc")]
    pub fn between(linked: &'static Linked, mode: u8) -> Self {
        Self {
            linked,
            state: State::between(mode),
            owed: None,
        }
    }

    /// The character that the output lacks.
    pub fn owed(&mut self) -> &mut Option<char> {
        &mut self.owed
    }

    /// What is in force between two characters; `None` within one, and in an encoding without a state.
    #[cfg(feature = "alloc")]
    pub fn mode(&self) -> Option<u8> {
        (self.linked.is_stateful && self.is_neutral()).then_some(self.state.mode)
    }

    /// Forgets the bytes of an incomplete character.
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
        self.state.held_len == 0 && self.owed.is_none()
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
        self.state.held_len.into()
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        if replacing {
            // A malformed sequence is a code unit at least, or what the end leaves of one.
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

/// An encoder to any of these encodings.
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

    /// Whether there is something that another stream must not start with.
    #[inline]
    pub fn is_changed(&self) -> bool {
        self.state != State::NEW
    }

    /// How references are written.
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
    fn prefix_utf8(&mut self, src: &str, out: &mut Out<'_, u8>, _: &mut Unmappables) -> usize {
        self.linked.codec.encode_utf8(&mut self.state, src, out)
    }

    #[inline(always)]
    fn prefix_utf16(&mut self, src: &[u16], out: &mut Out<'_, u8>, _: &mut Unmappables) -> usize {
        self.linked.codec.encode_utf16(&mut self.state, src, out)
    }
}
