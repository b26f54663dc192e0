//! Codecs that are called through a reference. Each has a state machine and a kernel for decoding and for encoding. By
//! default, the kernels call the steps of the state machines.

use super::{Chars, EncodeStep, Malformed, Replay, Step, Unit};
use crate::simd::{Out, Packed};
use crate::tables::pairs::Decoded;
use core::panic::RefUnwindSafe;

/// The state of a codec between two calls.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct State {
    /// The state between two characters: shifts, designations, or remaining bits. 0 at the start. Codecs accept any
    /// value, because a mode may come from a stored offset map.
    pub mode: u8,
    /// The bytes of an incomplete character or shift sequence.
    held: [u8; 7],
    held_len: u8,
}

impl State {
    pub const NEW: Self = Self {
        mode: 0,
        held: [0; 7],
        held_len: 0,
    };

    /// Returns a state in `mode`, without bytes of an incomplete sequence.
    #[cfg(feature = "alloc")]
    pub fn between(mode: u8) -> Self {
        Self { mode, ..Self::NEW }
    }

    /// Returns the bytes of an incomplete sequence.
    #[inline(always)]
    pub fn held(&self) -> &[u8] {
        self.held.get(..usize::from(self.held_len)).unwrap_or(&[])
    }

    /// Appends a byte to the incomplete sequence.
    #[inline(always)]
    pub fn hold(&mut self, byte: u8) -> Step {
        if let Some(slot) = self.held.get_mut(usize::from(self.held_len)) {
            *slot = byte;
            self.held_len += 1;
        }
        Step::Continue
    }

    /// Discards the bytes of the incomplete sequence. Returns their number.
    #[inline(always)]
    pub fn drop_held(&mut self) -> u8 {
        core::mem::take(&mut self.held_len)
    }

    /// Reports the first of at most three held bytes as malformed; the other ones and the current byte are read again.
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

    /// Reports the held bytes as malformed; the current byte is read again.
    pub fn malformed_before(&mut self) -> Step {
        Malformed::before(self.drop_held())
    }
}

/// A state machine for each direction, with kernels.
pub(crate) trait Machine: Sync + RefUnwindSafe + 'static {
    /// Decodes one byte: see [`DecodeMachine::step`](super::DecodeMachine::step).
    fn step(&self, state: &mut State, byte: u8) -> Step;

    /// Returns the characters that a pair of bytes decodes to in this state, if it leaves the state unchanged. `None` is
    /// always allowed: the steps are slower but have the same result.
    #[inline(always)]
    fn characters_of_pair(&self, _state: &State, _pair: [u8; 2]) -> Option<Decoded> {
        None
    }

    /// Returns the pair of bytes that a scalar value encodes to in this state, if it leaves the state unchanged. `None`
    /// is always allowed.
    #[inline(always)]
    fn pair_of_scalar(&self, _state: &State, _scalar: u32) -> Option<u16> {
        None
    }

    /// True if ASCII decodes to itself in this state and leaves the state unchanged, except control characters, backslash
    /// and tilde. `false` is always allowed: the steps are slower but have the same result.
    #[inline(always)]
    fn decodes_ascii(&self, _state: &State) -> bool {
        false
    }

    /// True if each ASCII character encodes to itself in this state, except control characters, backslash and tilde.
    #[inline(always)]
    fn encodes_ascii(&self, state: &State) -> bool {
        self.decodes_ascii(state)
    }

    /// Handles end-of-queue: see [`DecodeMachine::finish`](super::DecodeMachine::finish).
    fn finish(&self, state: &mut State) -> Option<Malformed> {
        Malformed::at_end(state.drop_held())
    }

    /// Decodes a prefix: see [`DecodeMachine::prefix`](super::DecodeMachine::prefix).
    fn decode<U: Unit>(&self, state: &mut State, src: &[u8], out: &mut Out<'_, U>) -> usize {
        decode_by_steps(self, state, src, out)
    }

    /// Encodes one scalar value: see [`EncodeMachine::step`](super::EncodeMachine::step).
    fn encode(&self, state: &mut State, scalar: u32) -> EncodeStep;

    /// Handles end-of-queue: see [`EncodeMachine::finish`](super::EncodeMachine::finish).
    fn end(&self, _state: &mut State) -> Option<Packed> {
        None
    }

    /// Encodes a prefix of UTF-8 or UTF-16, without references: see
    /// [`EncodeMachine::prefix`](super::EncodeMachine::prefix).
    fn encode_text<S: Chars + ?Sized>(
        &self,
        state: &mut State,
        src: &S,
        out: &mut Out<'_, u8>,
    ) -> usize {
        encode_by_steps(self, state, src, out)
    }
}

/// Decodes characters while they fit. Returns the number of bytes read.
#[inline(always)]
pub(super) fn decode_by_steps<M: Machine + ?Sized, U: Unit>(
    machine: &M,
    state: &mut State,
    src: &[u8],
    out: &mut Out<'_, U>,
) -> usize {
    let mut read = 0;
    loop {
        if state.held().is_empty() {
            if machine.decodes_ascii(state) {
                read += decode_ascii_while(&src[read..], out, is_plain);
            }
            read += decode_pairs(machine, state, &src[read..], out);
        }
        match decode_next(machine, state, &src[read..], out) {
            Some(length) => read += length,
            None => return read,
        }
    }
}

/// True for ASCII that no shift and no national variant replaces.
#[inline(always)]
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'[' | b']'..=b'}')
}

/// Decodes ASCII until the output is full or `predicate` is false. Returns the number of bytes read. `predicate` must
/// be false for non-ASCII bytes.
#[inline(always)]
pub(super) fn decode_ascii_while<U: Unit>(
    src: &[u8],
    out: &mut Out<'_, U>,
    predicate: impl Fn(u8) -> bool,
) -> usize {
    // Limit the search to the free space of the output. Otherwise, each call would search the rest of a long input again.
    let src = &src[..src.len().min(out.room())];
    let end = src.iter().position(|&byte| !predicate(byte));
    U::push_ascii(&src[..end.unwrap_or(src.len())], out)
}

/// Decodes pairs that do not change the state. Returns the number of bytes read.
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

/// Decodes one character or shift and returns its length in bytes. `None` at the end, for malformed input, and if the
/// character does not fit.
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
            Step::Continue if !current.held().is_empty() => continue,
            Step::Continue => {}
            _ => return None,
        }
        *state = current;
        return Some(at + 1);
    }
    None
}

/// Encodes characters until the output is full or one is unmappable. Returns the number of units read.
#[inline(always)]
pub(super) fn encode_by_steps<M: Machine + ?Sized, S: Chars + ?Sized>(
    machine: &M,
    state: &mut State,
    src: &S,
    out: &mut Out<'_, u8>,
) -> usize {
    encode_by_runs(machine, state, src, out, |state, mut read, out| {
        if machine.encodes_ascii(state) {
            read += encode_ascii_while(src.tail(read), out, is_plain);
        }
        encode_pairs(machine, state, src, read, out)
    })
}

/// Encodes ASCII until the output is full or `predicate` is false. Returns the number of characters read.
#[inline(always)]
pub(super) fn encode_ascii_while<S: Chars + ?Sized>(
    src: &S,
    out: &mut Out<'_, u8>,
    predicate: impl Fn(u8) -> bool,
) -> usize {
    // Limit the search as in `decode_ascii_while`.
    let src = src.head(out.room());
    src.head(src.ascii_len_while(predicate)).push_ascii(out)
}

/// Encodes characters from `read` on to pairs that do not change the state. Returns the offset of the next character.
#[inline(always)]
fn encode_pairs<M: Machine + ?Sized, S: Chars + ?Sized>(
    machine: &M,
    state: &State,
    src: &S,
    mut read: usize,
    out: &mut Out<'_, u8>,
) -> usize {
    while let Some((scalar, length)) = src.scalar(read, false)
        && let Some(pair) = machine.pair_of_scalar(state, scalar)
        && Packed::lead_trail(pair).push_to(out)
    {
        read += usize::from(length);
    }
    read
}

/// Encodes like [`encode_by_steps`], for an encoding in which ASCII characters are single bytes. A kernel copies them.
#[inline(always)]
pub(super) fn encode_with_ascii<M: Machine + ?Sized, S: Chars + ?Sized>(
    machine: &M,
    state: &mut State,
    src: &S,
    out: &mut Out<'_, u8>,
) -> usize {
    encode_by_runs(machine, state, src, out, |state, mut read, out| {
        let rest = src.tail(read);
        if rest.starts_with_ascii() {
            read += rest.push_ascii(out);
        }
        encode_pairs(machine, state, src, read, out)
    })
}

/// Encodes like [`encode_by_steps`], with the kernel `run` for some sequences of characters. `run` encodes characters from
/// an offset on and returns the offset at which it stopped; a step encodes the character there.
#[inline(always)]
pub(super) fn encode_by_runs<M: Machine + ?Sized, S: Chars + ?Sized>(
    machine: &M,
    state: &mut State,
    src: &S,
    out: &mut Out<'_, u8>,
    mut run: impl FnMut(&mut State, usize, &mut Out<'_, u8>) -> usize,
) -> usize {
    let mut read = 0;
    loop {
        read = run(state, read, out);
        match encode_next(machine, state, src, read, out) {
            Some(length) => read += length,
            None => return read,
        }
    }
}

/// Encodes the character at `read` and returns its length in units. `None` at the end, and if the character is unmappable
/// or does not fit.
#[inline(always)]
pub(super) fn encode_next<M: Machine + ?Sized, S: Chars + ?Sized>(
    machine: &M,
    state: &mut State,
    src: &S,
    read: usize,
    out: &mut Out<'_, u8>,
) -> Option<usize> {
    let (scalar, length) = src.scalar(read, false)?;
    push_by_steps(machine, state, scalar, out).then_some(length.into())
}

/// Writes a scalar value and the escape or shift sequence that it needs. Returns false if it is unmappable or does not
/// fit.
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
