//! UTF-32 in four byte orders, which are not in the Standard.
//!
//! By Unicode's definition D90, a code unit is a scalar value. Four bytes of another value (a surrogate, or above
//! U+10FFFF) are one malformed sequence. So are one to three bytes at the end of the input.

use super::restart::Backoff;
use super::unit::PrefixKernel;
use super::{Chars, DecodeMachine, EncodeMachine, EncodeStep, Malformed, Step, Unit, Unmappables};
use crate::simd::{self, Out, Packed, Utf32Order};

/// UTF-32 in one byte order. The value holds its kernels, so that a program links only the orders that it names.
pub(crate) struct Utf32 {
    order: Utf32Order,
    /// The byte order mark in this order.
    pub(super) bom: [u8; 4],
    decode: PrefixKernel<Utf32Order>,
    encode_utf8: fn(&str, Utf32Order, &mut Out<'_, u8>) -> usize,
    encode_utf16: fn(&[u16], Utf32Order, &mut Out<'_, u8>) -> usize,
}

impl Utf32 {
    const fn new(order: Utf32Order) -> Self {
        Self {
            order,
            bom: order.bytes(0xFEFF),
            decode: PrefixKernel {
                to_utf8: simd::utf32_bytes_to_utf8,
                to_utf16: simd::utf32_bytes_to_utf16,
            },
            encode_utf8: simd::utf8_to_utf32_bytes,
            encode_utf16: simd::utf16_to_utf32_bytes,
        }
    }
}

pub(crate) static BIG_ENDIAN: Utf32 = Utf32::new(Utf32Order::BigEndian);
pub(crate) static LITTLE_ENDIAN: Utf32 = Utf32::new(Utf32Order::LittleEndian);
pub(crate) static ORDER_2143: Utf32 = Utf32::new(Utf32Order::Order2143);
pub(crate) static ORDER_3412: Utf32 = Utf32::new(Utf32Order::Order3412);

#[derive(Clone, Copy)]
pub(crate) struct Utf32Decoder {
    utf_32: &'static Utf32,
    /// The bytes of an incomplete code unit.
    bytes: [u8; 3],
    len: u8,
}

impl Utf32Decoder {
    pub const fn new(utf_32: &'static Utf32) -> Self {
        Self {
            utf_32,
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
        match char::from_u32(self.utf_32.order.unit([a, b, c, byte])) {
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
        let order = self.utf_32.order;
        let unit = src.first_chunk().map(|&bytes| order.unit(bytes));
        4 * usize::from(unit.is_some_and(|unit| char::from_u32(unit).is_none()))
    }

    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>, _: &mut Backoff) -> usize {
        U::push_by(&self.utf_32.decode, src, self.utf_32.order, out)
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
    utf_32: &'static Utf32,
}

impl Utf32Encoder {
    pub const fn new(utf_32: &'static Utf32) -> Self {
        Self { utf_32 }
    }
}

impl EncodeMachine for Utf32Encoder {
    fn step(&mut self, scalar: u32) -> EncodeStep {
        EncodeStep::Bytes(Packed::of(self.utf_32.order.bytes(scalar)))
    }

    fn prefix<S: Chars + ?Sized>(
        &mut self,
        src: &S,
        out: &mut Out<'_, u8>,
        _: &mut Unmappables,
    ) -> usize {
        let Utf32 { order, .. } = *self.utf_32;
        src.by_form(
            out,
            |src, out| (self.utf_32.encode_utf8)(src, order, out),
            |src, out| (self.utf_32.encode_utf16)(src, order, out),
        )
    }
}
