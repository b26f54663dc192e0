//! Prefetches of memory, on x86-64: stable Rust has none elsewhere.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{_MM_HINT_ET0, _MM_HINT_T0, _mm_prefetch};

/// Bytes in a line of memory.
const LINE: usize = 64;

/// Asks for `LINES` lines from `at` on, to be read. They may be anywhere.
#[inline(always)]
pub(super) fn to_read<const LINES: usize, T>(at: *const T) {
    for line in 0..LINES {
        let at = at.cast::<i8>().wrapping_add(LINE * line);
        // SAFETY: x86-64 has SSE, and a prefetch takes any address.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(at)
        };
        let _ = at;
    }
}

/// Asks for `LINES` lines from `at` on, to be written. They may be anywhere.
#[inline(always)]
pub(super) fn to_write<const LINES: usize, T>(at: *const T) {
    for line in 0..LINES {
        let at = at.cast::<i8>().wrapping_add(LINE * line);
        // SAFETY: a prefetch reads and writes nothing, and has no fault at any address.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            _mm_prefetch::<_MM_HINT_ET0>(at)
        };
        let _ = at;
    }
}
