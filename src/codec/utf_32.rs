//! UTF-32 in four octet orders, which the Standard does not have.
//!
//! Unicode's definition D90: a code unit is a scalar value. Four bytes that are none (a surrogate, or above U+10FFFF)
//! are one malformed sequence, and so are one to three bytes at the end of the input.

use super::restart::Backoff;
use super::{DecodeMachine, EncodeMachine, EncodeStep, Malformed, Step, Unit, Unmappables};
use crate::simd::{self, Out, Packed, Utf32Order};

#[derive(Clone, Copy)]
pub(crate) struct Utf32Decoder {
    order: Utf32Order,
    /// The bytes of a code unit that is not complete.
    bytes: [u8; 3],
    len: u8,
}

impl Utf32Decoder {
    pub fn new(order: Utf32Order) -> Self {
        Self {
            order,
            bytes: [0; 3],
            len: 0,
        }
    }
}

impl DecodeMachine for Utf32Decoder {
    fn step(&mut self, byte: u8) -> Step {
        if let Some(slot) = self.bytes.get_mut(usize::from(self.len)) {
            *slot = byte;
            self.len += 1;
            return Step::Continue;
        }
        self.len = 0;
        let [a, b, c] = self.bytes;
        match char::from_u32(self.order.unit([a, b, c, byte])) {
            Some(scalar) => Step::Scalar(scalar.into()),
            None => Malformed::through(4),
        }
    }

    fn finish(&mut self) -> Option<Malformed> {
        let len = core::mem::take(&mut self.len);
        Malformed::at_end(len)
    }

    #[inline(always)]
    fn is_neutral(&self) -> bool {
        self.len == 0
    }

    #[inline(always)]
    fn malformed(&self, src: &[u8]) -> usize {
        let unit = src.first_chunk().map(|&bytes| self.order.unit(bytes));
        4 * usize::from(unit.is_some_and(|unit| char::from_u32(unit).is_none()))
    }

    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>, _: &mut Backoff) -> usize {
        U::push_utf32(src, self.order, out)
    }

    fn pending(&self) -> usize {
        self.len.into()
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        // A last incomplete code unit becomes U+FFFD.
        Some(n - n % 4 + 3 * usize::from(replacing && !n.is_multiple_of(4)))
    }

    fn max_utf16(&self, n: usize, replacing: bool) -> Option<usize> {
        Some(n / 4 * 2 + usize::from(replacing && !n.is_multiple_of(4)))
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Utf32Encoder {
    order: Utf32Order,
}

impl Utf32Encoder {
    pub fn new(order: Utf32Order) -> Self {
        Self { order }
    }
}

impl EncodeMachine for Utf32Encoder {
    fn step(&mut self, scalar: u32) -> EncodeStep {
        EncodeStep::Bytes(Packed::of(self.order.bytes(scalar)))
    }

    fn prefix_utf8(&mut self, src: &str, out: &mut Out<'_, u8>, _: &mut Unmappables) -> usize {
        simd::utf8_to_utf32_bytes(src, self.order, out)
    }

    fn prefix_utf16(&mut self, src: &[u16], out: &mut Out<'_, u8>, _: &mut Unmappables) -> usize {
        simd::utf16_to_utf32_bytes(src, self.order, out)
    }
}
