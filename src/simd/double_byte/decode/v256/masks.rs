//! Masks over blocks of 64 bytes.

use super::super::Range;
use crate::simd::vector::{Bytes, Token, V256};

/// Returns a mask of the bytes that are in range `a`, or also in `b` if `two`.
///
/// # Safety
/// 64 bytes at `from` are readable.
#[inline(always)]
pub(super) unsafe fn in_ranges(v: Token, from: *const u8, [a, b]: [Range; 2], two: bool) -> u64 {
    // SAFETY: by `# Safety`, 64 bytes at `from` are readable.
    let [low, high] = unsafe { v.load_two(from) };
    // A function, not a closure: the compiler may outline a closure without the target feature.
    let mut within = [in_range(v, low, a), in_range(v, high, a)];
    if two {
        let [low, high] = [in_range(v, low, b), in_range(v, high, b)];
        within = [v.or(within[0], low), v.or(within[1], high)];
    }
    v.top_bits_of_two(within)
}

#[inline(always)]
fn in_range(v: Token, bytes: Bytes, (first, last): Range) -> Bytes {
    v.at_least(v.splat(last - first), v.subtract(bytes, v.splat(first)))
}
