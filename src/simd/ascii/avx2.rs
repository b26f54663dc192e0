//! AVX2: 32 bytes in a register.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi16, _mm256_cvtepu8_epi16,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_packs_epi16, _mm256_packus_epi16, _mm256_permute4x64_epi64, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_storeu_si256, _mm256_testz_si256,
};

use super::super::arrays::map_array;
use super::super::token::{Avx2, Sse2, intrinsic};
use super::vector::{Vector, entry_point};

entry_point!(Avx2, "avx2,bmi1,bmi2,popcnt,lzcnt");

/// The bits of a code unit that are set in none below 0x80.
const NOT_ASCII: i16 = 0xFF80_u16 as i16;

/// Packs work within 128-bit lanes; this puts their quarters in order.
const IN_ORDER: i32 = 0b11_01_10_00;

// SAFETY: each method is one instruction or two of the token's set, and the tests compare each with a loop over bytes.
unsafe impl Vector for Avx2 {
    const LEN: usize = 32;
    type Bytes = __m256i;
    type Units = [__m256i; 2];
    type Half = Sse2;

    #[inline(always)]
    fn half(self) -> Sse2 {
        self.sse2()
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u8) -> __m256i {
        // SAFETY: holding `Avx2` proves detection succeeded; by `# Safety`, `LEN` bytes are readable.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(self, bytes: __m256i, to: *mut u8) {
        // SAFETY: holding `Avx2` proves detection succeeded; by `# Safety`, `LEN` bytes are writable.
        unsafe { _mm256_storeu_si256(to.cast(), bytes) }
    }
    #[inline(always)]
    unsafe fn load_units(self, from: *const u16) -> [__m256i; 2] {
        // SAFETY: holding `Avx2` proves detection succeeded; by `# Safety`, `LEN` units are readable.
        unsafe {
            [
                _mm256_loadu_si256(from.cast()),
                _mm256_loadu_si256(from.add(16).cast()),
            ]
        }
    }
    #[inline(always)]
    unsafe fn store_units(self, units: [__m256i; 2], to: *mut u16) {
        // SAFETY: holding `Avx2` proves detection succeeded; by `# Safety`, `LEN` units are writable.
        unsafe {
            _mm256_storeu_si256(to.cast(), units[0]);
            _mm256_storeu_si256(to.add(16).cast(), units[1]);
        }
    }

    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_or_si256(a, b))
    }
    #[inline(always)]
    fn or_units(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        intrinsic!([_mm256_or_si256(a[0], b[0]), _mm256_or_si256(a[1], b[1])])
    }
    #[inline(always)]
    fn is_ascii(self, bytes: __m256i) -> bool {
        intrinsic!(_mm256_movemask_epi8(bytes) == 0)
    }
    #[inline(always)]
    fn is_ascii_units(self, units: [__m256i; 2]) -> bool {
        // SAFETY: holding `Avx2` proves detection succeeded.
        unsafe {
            let any = _mm256_or_si256(units[0], units[1]);
            _mm256_testz_si256(any, _mm256_set1_epi16(NOT_ASCII)) == 1
        }
    }
    #[inline(always)]
    fn prefix(self, bytes: __m256i) -> usize {
        intrinsic!((_mm256_movemask_epi8(bytes) as u32).trailing_zeros() as usize)
    }
    #[inline(always)]
    fn prefix_units(self, units: [__m256i; 2]) -> usize {
        // SAFETY: holding `Avx2` proves detection succeeded.
        unsafe {
            let ascii = map_array(units, |half| {
                _mm256_cmpeq_epi16(
                    _mm256_and_si256(half, _mm256_set1_epi16(NOT_ASCII)),
                    _mm256_setzero_si256(),
                )
            });
            let packed = _mm256_packs_epi16(ascii[0], ascii[1]);
            _mm256_movemask_epi8(_mm256_permute4x64_epi64::<IN_ORDER>(packed)).trailing_ones()
                as usize
        }
    }
    #[inline(always)]
    fn widen(self, bytes: __m256i) -> [__m256i; 2] {
        intrinsic!([
            _mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes)),
            _mm256_cvtepu8_epi16(_mm256_extracti128_si256::<1>(bytes)),
        ])
    }
    #[inline(always)]
    fn narrow(self, units: [__m256i; 2]) -> __m256i {
        intrinsic!(_mm256_permute4x64_epi64::<IN_ORDER>(_mm256_packus_epi16(
            units[0], units[1]
        )))
    }
}
