//! Constants and loads for the AVX-512 kernels. Lanes after the end are zero, so no scalar tails are needed.
//!
//! A fully masked load is slow if its address is not mapped: it takes longer than converting a short text. Loads past
//! the end therefore use the address of the end of the slice, not that of an empty one.

use crate::simd::tuning;
use core::arch::x86_64::*;

use core::mem::transmute;

use super::prefetch;

/// Prefetch distance of the output, in bytes. The output is not read first, so hardware prefetching sees too few
/// accesses.
const TO_WRITE: usize = tuning::PREFETCH_TO_WRITE;
/// Prefetch distance of the input, in bytes: hardware prefetching stops at the end of a page.
const TO_READ: usize = tuning::PREFETCH_TO_READ;

/// Prefetches `LINES` cache lines `TO_WRITE` bytes ahead, if that is inside the output.
#[inline(always)]
pub(super) fn prefetch_output<const LINES: usize, T>(to: *const T, written: usize, room: usize) {
    let ahead = written + TO_WRITE / size_of::<T>();
    if ahead < room {
        prefetch::to_write::<LINES, _>(to.wrapping_add(ahead));
    }
}

/// Prefetches `LINES` cache lines `TO_READ` bytes ahead, if that is inside the input.
#[inline(always)]
pub(super) fn prefetch_input<const LINES: usize>(from: *const u8, read: usize, len: usize) {
    let ahead = read + TO_READ;
    if ahead < len {
        prefetch::to_read::<LINES, _>(from.wrapping_add(ahead));
    }
}

/// Loads up to 64 bytes of `src` from `start` on, padded with zeros.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn load_from(src: &[u8], start: usize) -> __m512i {
    let rest = &src[start.min(src.len())..];
    // SAFETY: `rest.len() >= 64`, or the mask excludes the lanes from `rest.len()` on.
    unsafe {
        if rest.len() >= 64 {
            _mm512_loadu_si512(rest.as_ptr().cast())
        } else {
            let lanes = _bzhi_u64(u64::MAX, rest.len() as u32);
            _mm512_maskz_loadu_epi8(lanes, rest.as_ptr().cast())
        }
    }
}

/// Loads up to 32 code units of `src` from `start` on, padded with zeros.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn load_units_from(src: &[u16], start: usize) -> __m512i {
    let rest = &src[start.min(src.len())..];
    // SAFETY: `rest.len() >= 32`, or the mask excludes the lanes from `rest.len()` on.
    unsafe {
        if rest.len() >= 32 {
            _mm512_loadu_si512(rest.as_ptr().cast())
        } else {
            let lanes = _bzhi_u32(u32::MAX, rest.len() as u32);
            _mm512_maskz_loadu_epi16(lanes, rest.as_ptr().cast())
        }
    }
}

/// Converts bytes to a register.
pub(super) const fn register(bytes: [u8; 64]) -> __m512i {
    // SAFETY: both types have 64 bytes, and every bit pattern is valid for either.
    unsafe { transmute::<[u8; 64], __m512i>(bytes) }
}

/// Returns a register whose byte `i` is `i + offset`.
pub(super) const fn counting(offset: u8) -> __m512i {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = (i as u8).wrapping_add(offset);
        i += 1;
    }
    register(bytes)
}
