//! x-user-defined (section 14.5 of the Standard): bytes 0x80 to 0xFF are U+F780 to U+F7FF.

use super::restart::Backoff;
use super::single_byte::with_references;
use super::{Chars, DecodeMachine, EncodeMachine, EncodeStep, Malformed, Step, Unit, Unmappables};
use crate::simd::{Out, Packed, Pages};
use core::hint::select_unpredictable;

#[derive(Clone, Copy)]
pub(crate) struct XUserDefinedDecoder;

/// Returns the scalar value of a non-ASCII byte.
#[inline(always)]
fn scalar_of(byte: u8) -> u32 {
    0xF780 + u32::from(byte) - 0x80
}

/// Code points by `byte - 0x80`, for the kernels.
static CODE_POINTS: [u16; 128] = {
    let mut code_points = [0; 128];
    let mut i = 0;
    while i < 128 {
        code_points[i] = 0xF780 + i as u16;
        i += 1;
    }
    code_points
};

/// Bytes by code point, for the kernels: two consecutive pages, and an empty one for all other code points.
static BYTES: [[u8; 64]; 3] = {
    let mut bytes = [[0; 64]; 3];
    let mut i = 0;
    while i < 128 {
        bytes[i / 64][i % 64] = 0x80 + i as u8;
        i += 1;
    }
    bytes
};

static PAGES: Pages<'static> = Pages {
    first_block: 0xF780 >> 6,
    blocks: &[0, 1, 2],
    numbers: &[0, 1, 2],
    pages: &BYTES,
    letter: 0xF780,
    is_latin_1: false,
    near: [&BYTES[0], &BYTES[1]],
};

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

    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>, _: &mut Backoff) -> usize {
        U::push_consecutive(&CODE_POINTS, src, out)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct XUserDefinedEncoder(Backoff);

impl XUserDefinedEncoder {
    pub const fn new() -> Self {
        Self(Backoff::new())
    }
}

/// Returns the byte of a scalar value, if it has one. Branch-free, because ASCII and other characters alternate
/// unpredictably.
#[inline(always)]
fn byte_of(scalar: u32) -> Option<u8> {
    let byte = scalar.wrapping_sub(0xF780 - 0x80);
    let byte = select_unpredictable(scalar < 0x80, scalar, byte);
    (byte <= 0xFF && (byte < 0x80) == (scalar < 0x80)).then_some(byte as u8)
}

impl EncodeMachine for XUserDefinedEncoder {
    #[inline(always)]
    fn step(&mut self, scalar: u32) -> EncodeStep {
        // Step 3, for the other scalar values.
        byte_of(scalar).map_or(EncodeStep::Unmappable(scalar), |byte| {
            EncodeStep::Bytes(Packed::one(byte))
        })
    }

    #[inline(always)]
    fn probes_ascii(&self) -> bool {
        true
    }

    fn prefix<S: Chars + ?Sized>(
        &mut self,
        src: &S,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        with_references(&mut self.0, &PAGES, src, out, unmappables)
    }
}
