//! UTF-8 (section 8.1 of the Standard).

use super::restart::Backoff;
use super::{Chars, DecodeMachine, EncodeMachine, EncodeStep, Malformed, Step, Unit, Unmappables};
use crate::simd::tuning;
use crate::simd::{self, Out, Packed, is_alone, tail};
use core::ops::RangeInclusive;

#[derive(Clone, Copy)]
pub(crate) struct Utf8Decoder {
    code_point: u32,
    bytes_seen: u8,
    bytes_needed: u8,
    lower_boundary: u8,
    upper_boundary: u8,
}

impl Utf8Decoder {
    pub const NEW: Self = Self {
        code_point: 0,
        bytes_seen: 0,
        bytes_needed: 0,
        lower_boundary: 0x80,
        upper_boundary: 0xBF,
    };
}

impl DecodeMachine for Utf8Decoder {
    fn step(&mut self, byte: u8) -> Step {
        // Step 3.
        if self.bytes_needed == 0 {
            let (needed, bits) = match byte {
                0x00..=0x7F => return Step::Scalar(byte.into()),
                0xC2..=0xDF => (1, byte & 0x1F),
                0xE0..=0xEF => (2, byte & 0xF),
                0xF0..=0xF4 => (3, byte & 0x7),
                _ => return Malformed::through(1),
            };
            (self.lower_boundary, self.upper_boundary) = boundaries(byte).into_inner();
            self.bytes_needed = needed;
            self.code_point = bits.into();
            return Step::Continue;
        }
        // Step 4.
        if !(self.lower_boundary..=self.upper_boundary).contains(&byte) {
            let len = 1 + self.bytes_seen;
            *self = Self::NEW;
            return Malformed::before(len);
        }
        // Steps 5 to 7.
        self.lower_boundary = 0x80;
        self.upper_boundary = 0xBF;
        self.code_point = self.code_point << 6 | u32::from(byte & 0x3F);
        self.bytes_seen += 1;
        // Step 8.
        if self.bytes_seen != self.bytes_needed {
            return Step::Continue;
        }
        // Steps 9 to 11.
        let code_point = self.code_point;
        *self = Self::NEW;
        Step::Scalar(code_point)
    }

    fn finish(&mut self) -> Option<Malformed> {
        // Steps 1 and 2.
        let len = self.pending() as u8;
        *self = Self::NEW;
        Malformed::at_end(len)
    }

    #[inline(always)]
    fn is_neutral(&self) -> bool {
        self.bytes_needed == 0
    }

    #[inline(always)]
    fn malformed(&self, src: &[u8]) -> usize {
        let continues = |byte: u8| byte & 0xC0 == 0x80;
        match *src {
            [0x80..=0xC1 | 0xF5..=0xFF, ..] => 1,
            // A byte that does not continue the sequence is restored.
            [lead @ 0xC2..=0xFF, second, ..] if !boundaries(lead).contains(&second) => 1,
            [0xE0..=0xFF, _, third, ..] if !continues(third) => 2,
            [0xF0..=0xFF, _, _, fourth, ..] if !continues(fourth) => 3,
            _ => 0,
        }
    }

    #[inline(always)]
    fn probes_ascii(&self) -> bool {
        true
    }

    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>, _: &mut Backoff) -> usize {
        U::push_utf8(src, out)
    }

    fn pending(&self) -> usize {
        if self.bytes_needed == 0 {
            0
        } else {
            1 + usize::from(self.bytes_seen)
        }
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        n.checked_mul(if replacing { 3 } else { 1 })
    }
}

/// Returns the range of the byte after a lead.
#[inline(always)]
fn boundaries(lead: u8) -> RangeInclusive<u8> {
    match lead {
        0xE0 => 0xA0..=0xBF,
        0xED => 0x80..=0x9F,
        0xF0 => 0x90..=0xBF,
        0xF4 => 0x80..=0x8F,
        _ => 0x80..=0xBF,
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Utf8Encoder;

#[inline(always)]
fn pack(scalar: u32) -> Packed {
    let tail = |shift: u32| 0x80 | (scalar >> shift & 0x3F) as u8;
    match scalar {
        0..=0x7F => Packed::one(scalar as u8),
        0x80..=0x7FF => Packed::of([0xC0 | (scalar >> 6) as u8, tail(0)]),
        0x800..=0xFFFF => Packed::of([0xE0 | (scalar >> 12) as u8, tail(6), tail(0)]),
        _ => Packed::of([0xF0 | (scalar >> 18) as u8, tail(12), tail(6), tail(0)]),
    }
}

impl EncodeMachine for Utf8Encoder {
    fn step(&mut self, scalar: u32) -> EncodeStep {
        EncodeStep::Bytes(pack(scalar))
    }

    fn prefix<S: Chars + ?Sized>(
        &mut self,
        src: &S,
        out: &mut Out<'_, u8>,
        _: &mut Unmappables,
    ) -> usize {
        src.by_form(out, Self::copy, Self::narrow)
    }
}

impl Utf8Encoder {
    fn copy(src: &str, out: &mut Out<'_, u8>) -> usize {
        let head = src.head(out.room());
        let fits = out.push_slice(head.as_bytes());
        debug_assert!(fits);
        head.len()
    }

    /// Encodes UTF-16, with U+FFFD for lone surrogates.
    fn narrow(src: &[u16], out: &mut Out<'_, u8>) -> usize {
        if src.len() > tuning::UTF16_DIRECT_UP_TO[0] && simd::push_short_ascii_units(src, out) {
            return src.len();
        }
        let mut read = simd::utf16_to_utf8(src, out);
        // A lead surrogate at the end is left to the driver.
        while let [unit, ref after @ ..] = *tail(src, read)
            && is_alone(unit, after.first().copied())
            && out.push_array(*b"\xEF\xBF\xBD")
        {
            read += 1;
            read += simd::utf16_to_utf8(tail(src, read), out);
        }
        read
    }
}
