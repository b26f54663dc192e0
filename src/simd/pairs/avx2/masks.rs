//! Masks of 64 bytes.

use core::arch::x86_64::*;

use super::super::Range;

/// The top bits of 64 bytes.
///
/// # Safety
/// 64 bytes at `from` are readable.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn top_bits(from: *const u8) -> u64 {
    // SAFETY: the contract of this function.
    unsafe { top_bits_of_32(from) | top_bits_of_32(from.add(32)) << 32 }
}

/// Which of 64 bytes are in one of two ranges, or of the first one.
///
/// # Safety
/// 64 bytes at `from` are readable.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn in_ranges(from: *const u8, ranges: [Range; 2], two: bool) -> u64 {
    // SAFETY: the contract of this function.
    unsafe { in_ranges_32(from, ranges, two) | in_ranges_32(from.add(32), ranges, two) << 32 }
}

// Not closures: those are not compiled for the instruction set.

/// # Safety
/// 32 bytes at `from` are readable.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn top_bits_of_32(from: *const u8) -> u64 {
    // SAFETY: the contract of this function.
    let bytes = unsafe { _mm256_loadu_si256(from.cast()) };
    u64::from(_mm256_movemask_epi8(bytes) as u32)
}

/// # Safety
/// 32 bytes at `from` are readable.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn in_ranges_32(from: *const u8, [a, b]: [Range; 2], two: bool) -> u64 {
    // SAFETY: the contract of this function.
    let bytes = unsafe { _mm256_loadu_si256(from.cast()) };
    let mut within = in_range_32(bytes, a);
    if two {
        within = _mm256_or_si256(within, in_range_32(bytes, b));
    }
    u64::from(_mm256_movemask_epi8(within) as u32)
}

#[inline]
#[target_feature(enable = "avx2")]
fn in_range_32(bytes: __m256i, (first, last): Range) -> __m256i {
    let offset = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first as i8));
    let most = _mm256_set1_epi8((last - first) as i8);
    _mm256_cmpeq_epi8(_mm256_min_epu8(offset, most), offset)
}
