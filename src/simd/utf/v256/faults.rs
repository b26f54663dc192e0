//! What is malformed in a register of UTF-8: Keiser and Lemire's lookup ("Validating UTF-8 In Less Than One Instruction Per
//! Byte", 2021).

use super::super::super::arrays::map_array;
use super::super::super::vector::{Bytes, Token, V256};
use super::super::lookup;
use super::LEAST;

/// Whether there are [`LEAST`] bytes, and the first 32 are right, apart from a character that may go on.
#[inline(always)]
pub(super) fn starts_right(v: Token, src: &[u8]) -> bool {
    if src.len() < LEAST {
        return false;
    }
    // SAFETY: 32 bytes are readable, as just compared.
    let bytes = unsafe { v.load(src.as_ptr()) };
    let [bytes, one, two, three] = after_zeros(v, bytes);
    !is_malformed(v, bytes, one, two, three)
}

/// The bytes at a place, and those one, two and three before them.
///
/// # Safety
/// 32 bytes are readable there, and three before them.
#[inline(always)]
pub(super) unsafe fn with_preceding(v: Token, from: *const u8) -> [Bytes; 4] {
    // SAFETY: by `# Safety`, 32 bytes are readable at `from`, and three before them.
    map_array([0, 1, 2, 3], |back| unsafe { v.load(from.sub(back)) })
}

/// The bytes at the start of the input, and those one, two and three before them: zeros before the first.
#[inline(always)]
pub(super) fn after_zeros(v: Token, bytes: Bytes) -> [Bytes; 4] {
    [bytes, v.on::<1>(bytes), v.on::<2>(bytes), v.on::<3>(bytes)]
}

/// Whether a byte is wrong after those one, two and three before it.
#[inline(always)]
pub(super) fn is_malformed(v: Token, bytes: Bytes, one: Bytes, two: Bytes, three: Bytes) -> bool {
    let wrong = faults(v, bytes, one, two, three);
    !v.is_zero(wrong)
}

/// [`is_malformed`] for each byte: anything but 0.
#[inline(always)]
pub(super) fn faults(v: Token, bytes: Bytes, one: Bytes, two: Bytes, three: Bytes) -> Bytes {
    let after_high = v.look_up_nibbles(&lookup::LEAD_HIGH, v.top_four(one));
    let after_low = v.look_up_nibbles(&lookup::LEAD_LOW, v.and(one, v.splat(0x0F)));
    let of_second = v.look_up_nibbles(&lookup::SECOND_HIGH, v.top_four(bytes));
    let wrong = v.and(v.and(after_high, after_low), of_second);
    // Bit 7 is set where a lead two or three bytes before asks for a continuation.
    let third = v.subtract_down_to_0(two, v.splat(0x60));
    let fourth = v.subtract_down_to_0(three, v.splat(0x70));
    let tail = v.and(v.or(third, fourth), v.splat(0x80));
    v.xor(wrong, tail)
}
