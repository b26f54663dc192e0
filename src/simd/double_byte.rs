//! Double-byte encodings: one prefix kernel for each direction, parameterised by a description of the encoding.

pub(crate) mod decode;
pub(crate) mod encode;

use crate::simd::arrays::tail;
use crate::simd::out::Out;
use crate::simd::tuning;
use crate::tables::ranges::Ranges;

/// The four-byte characters of gb18030, in one direction.
#[derive(Clone, Copy)]
pub(crate) struct FourBytes {
    /// Maps pointers to code points of the BMP, or back. The codec handles the exceptions.
    pub ranges: &'static Ranges,
    /// The pointer of U+10000; from there on, pointers and code points increase in step.
    pub supplementary: u32,
}

impl FourBytes {
    /// Returns the pointer of a four-byte sequence: 0x81 to 0xFE, digit, 0x81 to 0xFE, digit (section 10.2.1, step 3).
    #[inline(always)]
    pub fn pointer(bytes: [u8; 4]) -> u32 {
        let [first, second, third, fourth] = bytes.map(u32::from);
        (first - 0x81) * (10 * 126 * 10)
            + (second - 0x30) * (10 * 126)
            + (third - 0x81) * 10
            + (fourth - 0x30)
    }

    /// Returns the four bytes of a pointer (section 10.2.2, steps 9 to 16).
    #[inline(always)]
    pub fn bytes(pointer: u32) -> [u8; 4] {
        [
            (pointer / (10 * 126 * 10)) as u8 + 0x81,
            (pointer / (10 * 126) % 10) as u8 + 0x30,
            (pointer / 10 % 126) as u8 + 0x81,
            (pointer % 10) as u8 + 0x30,
        ]
    }
}

/// A Unicode encoding form. Each kernel has a trait for its own requirements, which [`Utf8`] and [`Utf16`] implement.
trait Form {
    type Unit: Copy + From<u8>;
}

struct Utf8;

impl Form for Utf8 {
    type Unit = u8;
}

struct Utf16;

impl Form for Utf16 {
    type Unit = u16;
}

/// Converts a prefix of `src` with two alternating kernels, after its first `read` units, which are already converted.
/// `pairs` stops at a four-byte character, and `run` converts a run of such characters. Returns the length of the
/// prefix.
#[inline(always)]
fn by_turns<S, D>(
    src: &[S],
    mut read: usize,
    out: &mut Out<'_, D>,
    pairs: impl Fn(&[S], &mut Out<'_, D>) -> usize,
    run: impl Fn(&[S], &mut Out<'_, D>) -> usize,
) -> usize {
    /// Shorter progress does not pay for restarting both kernels.
    const SHORT_RUN: usize = tuning::TABLES_FROM;
    loop {
        let before = read;
        read += pairs(tail(src, read), out);
        let length = run(tail(src, read), out);
        read += length;
        if length == 0 || read - before < SHORT_RUN {
            return read;
        }
    }
}
