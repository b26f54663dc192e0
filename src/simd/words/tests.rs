//! What the tests of several kernels need.

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

/// An index of two-byte and three-byte characters, and holes.
pub(in crate::simd) const fn index<const N: usize>() -> [u16; N] {
    let mut index = [0; N];
    let mut i = 0;
    while i < N {
        index[i] = match i % 97 {
            0 => 0,
            1..=9 => 0xA0 + (i % 1800) as u16,
            _ => 0x3000 + (i % 0x9000) as u16,
        };
        i += 1;
    }
    index
}
