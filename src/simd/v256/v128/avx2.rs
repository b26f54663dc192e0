//! The first half of a register of AVX2: one of SSE.

use core::arch::x86_64::*;

use super::super::super::token::{Avx2, intrinsic};
use super::V128;

// SAFETY: every operation is compared with a loop over bytes in `tests`.
unsafe impl V128 for Avx2 {
    type Half = __m128i;

    #[inline(always)]
    unsafe fn load_half(self, from: *const u8) -> __m128i {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, 16 bytes at `from` are readable.
        unsafe { _mm_loadu_si128(from.cast()) }
    }
    #[inline(always)]
    unsafe fn load_eight(self, from: *const u8) -> __m128i {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, eight bytes at `from` are readable.
        unsafe { _mm_loadl_epi64(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store_half(self, half: __m128i, to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, 16 bytes at `to` are writable.
        unsafe { _mm_storeu_si128(to.cast(), half) }
    }
    #[inline(always)]
    unsafe fn store_eight(self, half: __m128i, to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, eight bytes at `to` are writable.
        unsafe { _mm_storel_epi64(to.cast(), half) }
    }
    #[inline(always)]
    fn widen_half(self, half: __m128i) -> __m256i {
        intrinsic!(_mm256_cvtepu8_epi16(half))
    }
    #[inline(always)]
    fn or_half(self, a: __m128i, b: __m128i) -> __m128i {
        intrinsic!(_mm_or_si128(a, b))
    }
    #[inline(always)]
    fn shuffle_half(self, bytes: __m128i, places: __m128i) -> __m128i {
        intrinsic!(_mm_shuffle_epi8(bytes, places))
    }
    #[inline(always)]
    fn eights(self, bytes: __m256i) -> [__m128i; 4] {
        // SAFETY: holding `self` proves detection succeeded.
        let [low, high] = unsafe {
            [
                _mm256_castsi256_si128(bytes),
                _mm256_extracti128_si256::<1>(bytes),
            ]
        };
        [low, self.upper_eight(low), high, self.upper_eight(high)]
    }
    #[inline(always)]
    fn upper_eight(self, half: __m128i) -> __m128i {
        intrinsic!(_mm_unpackhi_epi64(half, half))
    }
    #[inline(always)]
    fn add_above(self, units: __m128i, limit: u16, more: u16) -> __m128i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe {
            let above = _mm_cmpgt_epi16(units, _mm_set1_epi16(limit as i16));
            _mm_add_epi16(units, _mm_and_si128(above, _mm_set1_epi16(more as i16)))
        }
    }
    #[inline(always)]
    fn places_of_units(self, places: __m128i) -> __m128i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe {
            let twice = _mm_unpacklo_epi8(places, places);
            _mm_or_si128(_mm_adds_epu8(twice, twice), _mm_set1_epi16(0x0100))
        }
    }
    #[inline(always)]
    fn zeros(self, half: __m128i) -> u32 {
        intrinsic!(_mm_movemask_epi8(_mm_cmpeq_epi8(half, _mm_setzero_si128())) as u32)
    }
    #[inline(always)]
    fn zero_units(self, half: __m128i) -> u32 {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe {
            let zero = _mm_setzero_si128();
            _mm_movemask_epi8(_mm_packs_epi16(_mm_cmpeq_epi16(half, zero), zero)) as u32
        }
    }

    #[inline(always)]
    fn half_of_units(self, unit: u16) -> __m128i {
        intrinsic!(_mm_set1_epi16(unit as i16))
    }
    #[inline(always)]
    fn and_half(self, a: __m128i, b: __m128i) -> __m128i {
        intrinsic!(_mm_and_si128(a, b))
    }
    #[inline(always)]
    fn and_not_half(self, a: __m128i, b: __m128i) -> __m128i {
        intrinsic!(_mm_andnot_si128(a, b))
    }
    #[inline(always)]
    fn blend_half(self, by: __m128i, yes: __m128i, no: __m128i) -> __m128i {
        intrinsic!(_mm_blendv_epi8(no, yes, by))
    }
    #[inline(always)]
    fn add_half(self, a: __m128i, b: __m128i) -> __m128i {
        intrinsic!(_mm_add_epi16(a, b))
    }
    #[inline(always)]
    fn subtract_half(self, a: __m128i, b: __m128i) -> __m128i {
        intrinsic!(_mm_sub_epi16(a, b))
    }
    #[inline(always)]
    fn left_half<const N: i32>(self, units: __m128i) -> __m128i {
        intrinsic!(_mm_slli_epi16::<N>(units))
    }
    #[inline(always)]
    fn right_half<const N: i32>(self, units: __m128i) -> __m128i {
        intrinsic!(_mm_srli_epi16::<N>(units))
    }
    #[inline(always)]
    fn equal_half(self, a: __m128i, b: __m128i) -> __m128i {
        intrinsic!(_mm_cmpeq_epi16(a, b))
    }
    #[inline(always)]
    fn at_least_half(self, a: __m128i, b: __m128i) -> __m128i {
        intrinsic!(_mm_cmpeq_epi16(_mm_max_epu16(a, b), a))
    }
    #[inline(always)]
    fn above_half(self, a: __m128i, b: __m128i) -> __m128i {
        intrinsic!(_mm_cmpgt_epi16(a, b))
    }
    #[inline(always)]
    fn lanes(self, units: __m128i) -> u8 {
        intrinsic!(_mm_movemask_epi8(_mm_packs_epi16(units, units)) as u8)
    }
    #[inline(always)]
    fn lanes_of_two(self, low: __m128i, high: __m128i) -> u16 {
        intrinsic!(_mm_movemask_epi8(_mm_packs_epi16(low, high)) as u16)
    }
    #[inline(always)]
    fn top_bits_of_eight(self, half: __m128i) -> u8 {
        intrinsic!(_mm_movemask_epi8(half) as u8)
    }
    #[inline(always)]
    fn first_word(self, half: __m128i) -> u64 {
        intrinsic!(_mm_cvtsi128_si64(half) as u64)
    }
    #[inline(always)]
    fn deposit(self, bits: u8, mask: u8) -> u8 {
        intrinsic!(_pdep_u32(bits.into(), mask.into()) as u8)
    }
}
