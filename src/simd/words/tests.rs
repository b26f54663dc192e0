//! What the tests of all directions need.

use super::RUN;

/// Random numbers below a bound.
pub(in crate::simd) fn dice() -> impl FnMut(u64) -> u64 {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    }
}

/// Whether a block is ASCII for longer than the kernels like.
pub(super) fn has_long_run<T: Copy>(is_ascii: impl Fn(T) -> bool) -> impl Fn(&[T]) -> bool {
    move |block| {
        block
            .windows(RUN + 1)
            .any(|run| run.iter().all(|&unit| is_ascii(unit)))
    }
}
