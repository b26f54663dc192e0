//! The encoder of ISO-2022-JP.

use super::super::{Chars, EncodeMachine, EncodeStep, Reference, Unmappables, jis0208};
use super::push_plain_ascii;
use crate::simd::tuning;
use crate::simd::{self, Out, Packed, tail};
use crate::tables;

/// An encoder's state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ascii,
    Roman,
    Jis0208,
}

#[derive(Clone, Copy)]
pub(crate) struct Iso2022JpEncoder {
    state: State,
}

impl Iso2022JpEncoder {
    pub const NEW: Self = Self {
        state: State::Ascii,
    };

    fn switch(&mut self, state: State) -> Packed {
        self.state = state;
        Self::escape(state)
    }

    /// Returns the escape sequence to a state.
    #[inline(always)]
    fn escape(state: State) -> Packed {
        Packed::of(match state {
            State::Ascii => [0x1B, 0x28, 0x42],
            State::Roman => [0x1B, 0x28, 0x4A],
            State::Jis0208 => [0x1B, 0x24, 0x42],
        })
    }

    /// Steps 9 and 10: returns row and cell of a scalar value, after mapping half-width katakana to full-width.
    #[inline(always)]
    fn row_cell(scalar: u32) -> Option<u16> {
        match scalar {
            0xFF61..=0xFF9F => {
                let full_width = tables::iso_2022_jp_katakana((scalar - 0xFF61) as u8);
                jis0208::row_cell(full_width.into())
            }
            _ => jis0208::row_cell(scalar),
        }
    }
}

/// Returns the byte of a scalar value that has one byte in the given state.
#[inline(always)]
fn single(state: State, scalar: u32) -> Option<u8> {
    match (state, scalar) {
        (State::Jis0208, _) | (_, 0x0E | 0x0F | 0x1B) => None,
        // Step 4.
        (State::Ascii, 0..=0x7F) => Some(scalar as u8),
        // Step 5.
        (State::Roman, 0x5C | 0x7E) => None,
        (State::Roman, 0..=0x7F) => Some(scalar as u8),
        (State::Roman, 0xA5) => Some(0x5C),
        (State::Roman, 0x203E) => Some(0x7E),
        _ => None,
    }
}

impl EncodeMachine for Iso2022JpEncoder {
    fn step(&mut self, scalar: u32) -> EncodeStep {
        // Step 3: to prevent attacks, U+FFFD is reported instead of the control.
        if self.state != State::Jis0208 && matches!(scalar, 0x0E | 0x0F | 0x1B) {
            return EncodeStep::Unmappable(0xFFFD);
        }
        // Steps 4 and 5.
        if let Some(byte) = single(self.state, scalar) {
            return EncodeStep::Bytes(Packed::one(byte));
        }
        match scalar {
            // Step 6.
            0..=0x7F => return EncodeStep::Escape(self.switch(State::Ascii)),
            // Step 7.
            0xA5 | 0x203E => return EncodeStep::Escape(self.switch(State::Roman)),
            _ => {}
        }
        // Steps 8 to 10.
        let Some(row_cell) = Self::row_cell(scalar) else {
            // Step 11.
            if self.state == State::Jis0208 {
                return EncodeStep::Escape(self.switch(State::Ascii));
            }
            return EncodeStep::Unmappable(scalar);
        };
        // Step 12.
        if self.state != State::Jis0208 {
            return EncodeStep::Escape(self.switch(State::Jis0208));
        }
        // Steps 13 to 15.
        EncodeStep::Bytes(Packed::lead_trail(row_cell + 0x2121))
    }

    fn finish(&mut self) -> Option<Packed> {
        // Steps 1 and 2.
        (self.state != State::Ascii).then(|| self.switch(State::Ascii))
    }

    fn prefix<S: Chars + ?Sized>(
        &mut self,
        src: &S,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        src.by_form(
            (self, out, unmappables),
            |src, (machine, out, unmappables)| machine.encode_utf8(src, out, unmappables),
            |src, (machine, out, unmappables)| machine.encode_utf16(src, out, unmappables),
        )
    }
}

impl Iso2022JpEncoder {
    fn encode_utf8(
        &mut self,
        src: &str,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        let mut left = src;
        let mut out = out.local();
        loop {
            let head = left.as_bytes().first_chunk::<RUN>();
            if self.state == State::Ascii && head.is_some_and(|head| head.is_ascii()) {
                left = tail(left, out.lend(|out| push_plain_ascii(left.as_bytes(), out)));
            }
            let mut chars = left.chars();
            let Some(scalar) = chars.next().map(u32::from) else {
                return src.len();
            };
            if !self.push(scalar, &mut out)
                && !out.lend(|out| self.push_reference(scalar, out, unmappables))
            {
                return src.len() - left.len();
            }
            left = chars.as_str();
        }
    }

    fn encode_utf16(
        &mut self,
        src: &[u16],
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        let (mut read, mut out) = (0, out.local());
        loop {
            let rest = tail(src, read);
            let is_ascii = |head: &[u16; RUN]| head.iter().fold(0, |any, unit| any | unit) < 0x80;
            if self.state == State::Ascii && rest.first_chunk().is_some_and(is_ascii) {
                read += out.lend(|out| narrow_plain_ascii(rest, out));
            }
            // Surrogates have no bytes.
            let unit = src.get(read).copied();
            if unit.is_some_and(|unit| self.push(unit.into(), &mut out)) {
                read += 1;
                continue;
            }
            match src.scalar(read, false) {
                Some((scalar, len))
                    if out.lend(|out| self.push_reference(scalar, out, unmappables)) =>
                {
                    read += usize::from(len);
                }
                _ => return read,
            }
        }
    }
}

/// The minimum number of consecutive ASCII units that bypass the steps. Most markup has such sequences.
const RUN: usize = tuning::ISO_2022_JP_RUN;

/// Writes ASCII until a control that the state machine handles. Returns the number of units. The search windows grow.
#[inline(never)]
fn narrow_plain_ascii(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    let mut window = 64;
    loop {
        let rest = tail(src, read);
        let rest = &rest[..rest.len().min(window)];
        let taken = simd::narrow_ascii(&rest[..plain_len(rest)], out);
        read += taken;
        if taken < window {
            return read;
        }
        window = (window * 2).min(8192);
    }
}

/// Returns the number of units before a control with a special meaning here.
#[inline(always)]
fn plain_len(src: &[u16]) -> usize {
    let is_control = |unit: u16| matches!(unit, 0x0E | 0x0F | 0x1B);
    // A fold over all units vectorises; a search does not.
    if src.iter().fold(false, |any, &unit| any | is_control(unit)) {
        let first = src.iter().position(|&unit| is_control(unit));
        first.unwrap_or(src.len())
    } else {
        src.len()
    }
}

impl Iso2022JpEncoder {
    /// Writes a scalar value, with an escape sequence between ASCII and jis0208. Returns false and writes nothing if
    /// the machine must handle it.
    #[inline(always)]
    fn push(&mut self, scalar: u32, out: &mut Out<'_, u8>) -> bool {
        match self.state {
            State::Jis0208 if matches!(scalar, 0..=0x7F) => {
                let plain = !matches!(scalar, 0x0E | 0x0F | 0x1B);
                let done = plain && out.push_packed(ascii_escape(scalar), 4);
                if done {
                    self.state = State::Ascii;
                }
                done
            }
            State::Jis0208 if matches!(scalar, 0xA5 | 0x203E) => false,
            State::Jis0208 => Self::pair(scalar).is_some_and(|pair| pair.push_to(out)),
            State::Ascii if scalar >= 0x80 && !matches!(scalar, 0xA5 | 0x203E) => {
                let Some(pair) = Self::pair(scalar) else {
                    return false;
                };
                let escape = Self::escape(State::Jis0208);
                let done = out.room() >= 5 && escape.push_to(out) && pair.push_to(out);
                if done {
                    self.state = State::Jis0208;
                }
                done
            }
            state => single(state, scalar).is_some_and(|byte| out.push(byte)),
        }
    }

    /// Writes a reference for a character outside ASCII, jis0208 and Roman. Returns false and writes nothing if
    /// references are not requested, or if the reference may not fit.
    #[inline(never)]
    fn push_reference(
        &mut self,
        scalar: u32,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> bool {
        let is_possible = unmappables.reference && out.room() >= ESCAPED_REFERENCE;
        let is_single = matches!(scalar, 0..=0x7F | 0xA5 | 0x203E);
        if !is_possible || is_single || Self::pair(scalar).is_some() {
            return false;
        }
        // Step 11.
        if self.state == State::Jis0208 && !self.switch(State::Ascii).push_to(out) {
            return false;
        }
        unmappables.write(scalar, out)
    }

    /// Returns the two bytes of a scalar value in jis0208.
    #[inline(always)]
    fn pair(scalar: u32) -> Option<Packed> {
        Some(Packed::lead_trail(Self::row_cell(scalar)? + 0x2121))
    }
}

/// The length of an escape sequence and the longest reference.
const ESCAPED_REFERENCE: usize = 3 + Reference::MAX_LENGTH;

/// Returns the escape sequence to ASCII and an ASCII character, packed.
fn ascii_escape(scalar: u32) -> u32 {
    u32::from_le_bytes([0x1B, 0x28, 0x42, scalar as u8])
}
