//! Masks of 64 bytes.

use super::super::super::arrays::each;
use super::super::super::wide::{Bytes, LEN, Token, Wide};
use super::super::Range;

/// The top bits of 64 bytes.
///
/// # Safety
/// 64 bytes at `from` are readable.
#[inline(always)]
pub(super) unsafe fn top_bits(v: Token, from: *const u8) -> u64 {
    // SAFETY: the contract of this function.
    v.top_bits_of_two(unsafe { load(v, from) })
}

/// Which of 64 bytes are in one of two ranges, or of the first one.
///
/// # Safety
/// 64 bytes at `from` are readable.
#[inline(always)]
pub(super) unsafe fn in_ranges(v: Token, from: *const u8, [a, b]: [Range; 2], two: bool) -> u64 {
    // SAFETY: the contract of this function.
    let [low, high] = unsafe { load(v, from) };
    // No closure: that the compiler may call, and without the instruction set.
    let mut within = [in_range(v, low, a), in_range(v, high, a)];
    if two {
        let [low, high] = [in_range(v, low, b), in_range(v, high, b)];
        within = [v.or(within[0], low), v.or(within[1], high)];
    }
    v.top_bits_of_two(within)
}

/// # Safety
/// 64 bytes at `from` are readable.
#[inline(always)]
unsafe fn load(v: Token, from: *const u8) -> [Bytes; 2] {
    // SAFETY: the contract of this function.
    each([0, LEN], |at| unsafe { v.load(from.add(at)) })
}

#[inline(always)]
fn in_range(v: Token, bytes: Bytes, (first, last): Range) -> Bytes {
    v.at_least(v.splat(last - first), v.subtract(bytes, v.splat(first)))
}
