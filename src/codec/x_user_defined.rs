//! x-user-defined (section 14.5 of the Standard): bytes 0x80 to 0xFF are U+F780 to U+F7FF.

use super::{DecodeMachine, EncodeMachine, EncodeStep, Malformed, Source, Step, Unit, Unmappables};
use crate::simd::{self, Out, Packed, Pages};
use core::hint::select_unpredictable;

#[derive(Clone, Copy)]
pub(crate) struct XUserDefinedDecoder;

/// The scalar value of a non-ASCII byte.
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

/// Bytes by code point, for the kernels: two pages, one after the other, and an empty one for all else.
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
    consecutive: true,
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

    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        U::push_consecutive(&CODE_POINTS, src, out)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct XUserDefinedEncoder;

/// The byte of a scalar value, if it has one: without a branch between ASCII and the rest, as in text that comes here nobody
/// can predict it.
#[inline(always)]
fn byte_of(scalar: u32) -> Option<u8> {
    let byte = scalar.wrapping_sub(0xF780 - 0x80);
    let byte = select_unpredictable(scalar < 0x80, scalar, byte);
    (byte <= 0xFF && (byte < 0x80) == (scalar < 0x80)).then_some(byte as u8)
}

/// Encodes UTF-8 as long as there is something unmappable every [`NEAR`] bytes. All that is mapped has one byte or three: there
/// is no branch between those. Returns how many bytes, and whether the kernel is to go on.
fn encode_few_utf8(
    src: &str,
    out: &mut Out<'_, u8>,
    unmappables: &mut Unmappables,
) -> (usize, bool) {
    let mut read = 0;
    loop {
        let mapped = few_mapped(&src.as_bytes()[read..], out);
        read += mapped;
        if mapped >= NEAR {
            return (read, true);
        }
        match src.scalar(read, false) {
            Some((scalar, len)) if byte_of(scalar).is_none() && unmappables.write(scalar, out) => {
                read += usize::from(len);
            }
            _ => return (read, false),
        }
    }
}

/// Encodes [`NEAR`] bytes or a few more, up to an unmappable character; returns how many.
#[inline(always)]
fn few_mapped(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    while read < NEAR
        && let Some(&bytes) = src[read..].first_chunk()
    {
        let word = u32::from_le_bytes(bytes);
        let is_ascii = word & 0x80 == 0;
        // 0xEF, 0x9E or 0x9F, and the low six bits of a third byte.
        if !(is_ascii | (word & 0xFEFF == 0x9EEF)) {
            break;
        }
        let byte = 0x80 | word >> 2 & 0x40 | word >> 16 & 0x3F;
        if !out.push(select_unpredictable(is_ascii, word, byte) as u8) {
            break;
        }
        read += select_unpredictable(is_ascii, 1, 3);
    }
    read
}

/// Behind less units something unmappable is near: a kernel is not worth its start.
const NEAR: usize = 96;

impl EncodeMachine for XUserDefinedEncoder {
    #[inline(always)]
    fn step(&mut self, scalar: u32) -> EncodeStep {
        // Step 3 is the latter.
        byte_of(scalar).map_or(EncodeStep::Unmappable(scalar), |byte| {
            EncodeStep::Bytes(Packed::one(byte))
        })
    }

    #[inline(always)]
    fn near<S: Source + ?Sized>(&self) -> usize {
        NEAR
    }

    fn prefix_utf8(
        &mut self,
        src: &str,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        let few = |out: &mut Out<'_, u8>, unmappables: &mut Unmappables| {
            encode_few_utf8(src, out, unmappables)
        };
        unmappables.few_then_kernel(self, src, out, few, |read, out| {
            simd::encode_single_byte_utf8(&PAGES, &src[read..], out)
        })
    }

    fn prefix_utf16(
        &mut self,
        src: &[u16],
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        let few = |out: &mut Out<'_, u8>, unmappables: &mut Unmappables| {
            unmappables.encode_few(&PAGES, src, out)
        };
        unmappables.few_then_kernel(self, src, out, few, |read, out| {
            simd::encode_single_byte_utf16(&PAGES, &src[read..], out)
        })
    }
}
