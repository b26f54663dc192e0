//! Double-byte encodings: a prefix kernel for each direction, which takes the encoding as a value.

pub(crate) mod decode;
pub(crate) mod encode;

use crate::simd::arrays::tail;
use crate::simd::out::Out;
use crate::simd::tuning;
use crate::tables::ranges::Ranges;

/// gb18030's characters of four bytes, in one direction.
#[derive(Clone, Copy)]
pub(crate) struct FourBytes {
    /// From pointers to code points of the BMP, or back; the codec knows those that it is not for.
    pub ranges: &'static Ranges,
    /// The pointer of U+10000. From there on, pointers are as far apart as code points.
    pub supplementary: u32,
}

impl FourBytes {
    /// The pointer of four bytes, each odd one in 0x81 to 0xFE and each even one a digit (section 10.2.1, step 3).
    #[inline(always)]
    pub fn pointer(bytes: [u8; 4]) -> u32 {
        let [first, second, third, fourth] = bytes.map(u32::from);
        (first - 0x81) * (10 * 126 * 10)
            + (second - 0x30) * (10 * 126)
            + (third - 0x81) * 10
            + (fourth - 0x30)
    }

    /// The four bytes of a pointer (section 10.2.2, steps 9 to 16).
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

/// A form of text. Each kernel has a trait for what it needs of one, which both implement.
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

/// Converts a prefix of `src`, whose first `read` units are converted already, by two kernels in turn: `pairs` stops before a
/// character of four bytes, and `run` converts such characters. Returns the length of the prefix.
#[inline(always)]
fn by_turns<S, D>(
    src: &[S],
    mut read: usize,
    out: &mut Out<'_, D>,
    pairs: impl Fn(&[S], &mut Out<'_, D>) -> usize,
    run: impl Fn(&[S], &mut Out<'_, D>) -> usize,
) -> usize {
    /// Fewer units than that are not worth another start of both kernels.
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
