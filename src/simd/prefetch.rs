//! Memory prefetches on x86-64; stable Rust has none for other targets.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{_MM_HINT_ET0, _MM_HINT_T0, _mm_prefetch};

/// The number of bytes in a cache line.
const LINE: usize = 64;

/// Prefetches `LINES` cache lines from `at` on for reading. Any address is allowed.
#[inline(always)]
pub(super) fn to_read<const LINES: usize, T>(at: *const T) {
    for line in 0..LINES {
        let at = at.cast::<i8>().wrapping_add(LINE * line);
        // SAFETY: x86-64 has SSE, and a prefetch never faults.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(at)
        };
        let _ = at;
    }
}

/// Prefetches `LINES` cache lines from `at` on for writing. Any address is allowed.
#[inline(always)]
pub(super) fn to_write<const LINES: usize, T>(at: *const T) {
    for line in 0..LINES {
        let at = at.cast::<i8>().wrapping_add(LINE * line);
        // SAFETY: x86-64 has SSE, and a prefetch never faults.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            _mm_prefetch::<_MM_HINT_ET0>(at)
        };
        let _ = at;
    }
}
