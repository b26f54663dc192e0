//! Errors in a register of UTF-8, found with the look-up of Keiser and Lemire ("Validating UTF-8 In Less Than One
//! Instruction Per Byte", 2021).

use super::super::super::arrays::map_array;
use super::super::super::vector::{Bytes, Token, V256};
use super::super::lookup;
use super::LEAST;

/// True if there are [`LEAST`] bytes and the first 32 are valid, except for a character that may continue after them.
#[inline(always)]
pub(super) fn starts_right(v: Token, src: &[u8]) -> bool {
    if src.len() < LEAST {
        return false;
    }
    // SAFETY: `src.len() >= LEAST >= 32`, tested above.
    let bytes = unsafe { v.load(src.as_ptr()) };
    let [bytes, one, two, three] = after_zeros(v, bytes);
    !is_malformed(v, bytes, one, two, three)
}

/// Returns the 32 bytes at `from`, and the 32 bytes that begin one, two and three bytes earlier.
///
/// # Safety
/// 32 bytes at `from`, and three before it, are readable.
#[inline(always)]
pub(super) unsafe fn with_preceding(v: Token, from: *const u8) -> [Bytes; 4] {
    // SAFETY: 32 bytes at `from`, and three before it, are readable, by `# Safety`.
    map_array([0, 1, 2, 3], |back| unsafe { v.load(from.sub(back)) })
}

/// Returns the bytes at the start of the input, and these shifted by one, two and three bytes, with zeros moved in.
#[inline(always)]
pub(super) fn after_zeros(v: Token, bytes: Bytes) -> [Bytes; 4] {
    [bytes, v.on::<1>(bytes), v.on::<2>(bytes), v.on::<3>(bytes)]
}

/// True if a byte is wrong after the three bytes before it, which are in `one`, `two` and `three`.
#[inline(always)]
pub(super) fn is_malformed(v: Token, bytes: Bytes, one: Bytes, two: Bytes, three: Bytes) -> bool {
    let wrong = faults(v, bytes, one, two, three);
    !v.is_zero(wrong)
}

/// Returns non-zero bytes where a byte is wrong after the three bytes before it: see [`is_malformed`].
#[inline(always)]
pub(super) fn faults(v: Token, bytes: Bytes, one: Bytes, two: Bytes, three: Bytes) -> Bytes {
    let after_high = v.look_up_nibbles(&lookup::LEAD_HIGH, v.top_four(one));
    let after_low = v.look_up_nibbles(&lookup::LEAD_LOW, v.and(one, v.splat(0x0F)));
    let of_second = v.look_up_nibbles(&lookup::SECOND_HIGH, v.top_four(bytes));
    let wrong = v.and(v.and(after_high, after_low), of_second);
    // Bit 7 is set if a lead two or three bytes before requires a continuation byte.
    let third = v.subtract_down_to_0(two, v.splat(0x60));
    let fourth = v.subtract_down_to_0(three, v.splat(0x70));
    let tail = v.and(v.or(third, fourth), v.splat(0x80));
    v.xor(wrong, tail)
}
