//! The instruction sets: how masks are made of 64 bytes, and the passes compiled for each.

use core::arch::x86_64::*;

use super::super::super::out::Out;
use super::super::super::token::{Avx2, Ssse3};
use super::super::{Pairs, Range};
use super::{Batch, Form, Set, decode_batches};

/// The passes, compiled for one instruction set.
macro_rules! passes {
    ($features:literal) => {
        #[inline(always)]
        fn decode<P: Pairs, F: Form>(self, src: &[u8], out: &mut Out<'_, F::Unit>) -> usize {
            #[target_feature(enable = $features)]
            fn featured<S: Set, P: Pairs, F: Form>(
                set: S,
                src: &[u8],
                out: &mut Out<'_, F::Unit>,
            ) -> usize {
                decode_batches::<S, P, F>(set, src, out)
            }
            // SAFETY: holding the token proves detection succeeded.
            unsafe { featured::<Self, P, F>(self, src, out) }
        }

        #[inline(always)]
        unsafe fn write<F: Form>(
            self,
            batch: &Batch,
            katakana: bool,
            src: &[u8],
            end: usize,
            to: *mut F::Unit,
        ) -> usize {
            #[inline(never)]
            #[target_feature(enable = $features)]
            unsafe fn featured<F: Form>(
                batch: &Batch,
                katakana: bool,
                src: &[u8],
                end: usize,
                to: *mut F::Unit,
            ) -> usize {
                // SAFETY: the contract of this method.
                unsafe { batch.write_blocks::<F>(katakana, src, end, to) }
            }
            // SAFETY: holding the token proves detection succeeded; the rest is the contract of this method.
            unsafe { featured::<F>(batch, katakana, src, end, to) }
        }
    };
}

impl Set for Avx2 {
    passes!("avx2,bmi1,bmi2,popcnt,lzcnt");

    #[inline(always)]
    unsafe fn top_bits(self, from: *const u8) -> u64 {
        // SAFETY: holding `self` proves detection succeeded; the rest is the contract of this method.
        unsafe { top_bits_of_32(from) | top_bits_of_32(from.add(32)) << 32 }
    }

    #[inline(always)]
    unsafe fn in_ranges(self, from: *const u8, ranges: [Range; 2]) -> u64 {
        // SAFETY: holding `self` proves detection succeeded; the rest is the contract of this method.
        unsafe { in_ranges_32(from, ranges) | in_ranges_32(from.add(32), ranges) << 32 }
    }
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
unsafe fn in_ranges_32(from: *const u8, [a, b]: [Range; 2]) -> u64 {
    // SAFETY: the contract of this function.
    let bytes = unsafe { _mm256_loadu_si256(from.cast()) };
    let mut within = in_range_32(bytes, a);
    if a != b {
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

impl Set for Ssse3 {
    passes!("ssse3");

    #[inline(always)]
    unsafe fn top_bits(self, from: *const u8) -> u64 {
        // SAFETY: x86-64 has SSE2; the rest is the contract of this method.
        unsafe {
            (0..4).fold(0, |bits, i| {
                let bytes = _mm_loadu_si128(from.add(16 * i).cast());
                bits | (_mm_movemask_epi8(bytes) as u64) << (16 * i)
            })
        }
    }

    #[inline(always)]
    unsafe fn in_ranges(self, from: *const u8, [a, b]: [Range; 2]) -> u64 {
        // SAFETY: x86-64 has SSE2; the rest is the contract of this method.
        unsafe {
            let set = |byte: u8| _mm_set1_epi8(byte as i8);
            (0..4).fold(0, |bits, i| {
                let bytes = _mm_loadu_si128(from.add(16 * i).cast());
                let within = |(first, last): Range| {
                    let offset = _mm_sub_epi8(bytes, set(first));
                    _mm_cmpeq_epi8(_mm_min_epu8(offset, set(last - first)), offset)
                };
                let mask = _mm_movemask_epi8(match a == b {
                    true => within(a),
                    false => _mm_or_si128(within(a), within(b)),
                });
                bits | (mask as u64) << (16 * i)
            })
        }
    }
}
