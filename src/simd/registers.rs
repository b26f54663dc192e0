//! Constants and loads for the AVX-512 kernels, which do without scalar tails: what lies past the end is zeros.
//!
//! Where nothing is loaded, the address still counts: a load whose lanes are all masked, from where no page is, takes
//! the processor longer than a short text does. So it is the end of the slice, and not that of an empty one.

use crate::simd::tuning;
use core::arch::x86_64::*;

use core::mem::transmute;

use super::prefetch;

/// How many bytes after what is being written memory is asked for: it is not read before, so that the processor's own
/// prefetching sees too little of it.
const TO_WRITE: usize = tuning::PREFETCH_TO_WRITE;
/// And after what is being read: the processor's own prefetching ends with a page.
const TO_READ: usize = tuning::PREFETCH_TO_READ;

/// Asks for `LINES` lines of memory, TO_WRITE bytes from `written` units on, if there is so much room.
#[inline(always)]
pub(super) fn prefetch_output<const LINES: usize, T>(to: *const T, written: usize, room: usize) {
    let ahead = written + TO_WRITE / size_of::<T>();
    if ahead < room {
        prefetch::to_write::<LINES, _>(to.wrapping_add(ahead));
    }
}

/// Asks for `LINES` lines of memory, TO_READ bytes from `read` on, if `len` is so much.
#[inline(always)]
pub(super) fn prefetch_input<const LINES: usize>(from: *const u8, read: usize, len: usize) {
    let ahead = read + TO_READ;
    if ahead < len {
        prefetch::to_read::<LINES, _>(from.wrapping_add(ahead));
    }
}

/// Up to 64 bytes of `src` from `start` on, then zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
pub(super) fn load_from(src: &[u8], start: usize) -> __m512i {
    let rest = &src[start.min(src.len())..];
    // SAFETY: 64 bytes are readable, or the mask leaves out the lanes after the last byte.
    unsafe {
        if rest.len() >= 64 {
            _mm512_loadu_si512(rest.as_ptr().cast())
        } else {
            let lanes = _bzhi_u64(u64::MAX, rest.len() as u32);
            _mm512_maskz_loadu_epi8(lanes, rest.as_ptr().cast())
        }
    }
}

/// Up to 32 code units of `src` from `start` on, then zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
pub(super) fn load_units_from(src: &[u16], start: usize) -> __m512i {
    let rest = &src[start.min(src.len())..];
    // SAFETY: 32 units are readable, or the mask leaves out the lanes after the last unit.
    unsafe {
        if rest.len() >= 32 {
            _mm512_loadu_si512(rest.as_ptr().cast())
        } else {
            let lanes = _bzhi_u32(u32::MAX, rest.len() as u32);
            _mm512_maskz_loadu_epi16(lanes, rest.as_ptr().cast())
        }
    }
}

/// A register as its bytes.
pub(super) const fn register(bytes: [u8; 64]) -> __m512i {
    // SAFETY: both are 64 bytes of plain data, and every bit pattern is a value of either.
    unsafe { transmute::<[u8; 64], __m512i>(bytes) }
}

/// The register whose byte `i` is `i + offset`.
pub(super) const fn counting(offset: u8) -> __m512i {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = (i as u8).wrapping_add(offset);
        i += 1;
    }
    register(bytes)
}
