//! x-user-defined (section 14.5 of the Standard): bytes 0x80 to 0xFF are U+F780 to U+F7FF.

use super::encode::{Packed, mappable_utf8, mappable_utf16};
use super::{DecodeMachine, EncodeMachine, EncodeStep, Malformed, Step, Unit};
use crate::simd::Out;

#[derive(Clone, Copy)]
pub(crate) struct XUserDefinedDecoder;

/// The scalar value of a non-ASCII byte.
#[inline(always)]
fn scalar_of(byte: u8) -> u32 {
    0xF780 + u32::from(byte) - 0x80
}

impl DecodeMachine for XUserDefinedDecoder {
    fn step(&mut self, byte: u8) -> Step {
        Step::Scalar(if byte < 0x80 {
            byte.into()
        } else {
            scalar_of(byte)
        })
    }

    fn finish(&mut self) -> Option<Malformed> {
        None
    }

    fn is_neutral(&self) -> bool {
        true
    }

    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        super::decode::well_formed(src, out, |rest| Some((scalar_of(*rest.first()?), 1)))
    }
}

#[derive(Clone, Copy)]
pub(crate) struct XUserDefinedEncoder;

#[inline(always)]
fn bytes(scalar: u32) -> Option<Packed> {
    // Step 3.
    matches!(scalar, 0xF780..=0xF7FF).then(|| Packed::one((scalar - 0xF780 + 0x80) as u8))
}

impl EncodeMachine for XUserDefinedEncoder {
    fn step(&mut self, scalar: u32) -> EncodeStep {
        if scalar < 0x80 {
            return EncodeStep::Bytes(Packed::one(scalar as u8));
        }
        bytes(scalar).map_or(EncodeStep::Unmappable(scalar), EncodeStep::Bytes)
    }

    fn prefix_utf8(&mut self, src: &str, out: &mut Out<'_, u8>) -> usize {
        mappable_utf8(src, out, bytes)
    }

    fn prefix_utf16(&mut self, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        mappable_utf16(src, out, bytes)
    }
}
