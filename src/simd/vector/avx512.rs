//! AVX-512: a register of 64 bytes, and masks for shorter input.

use core::arch::x86_64::*;

use crate::simd::level::{Avx2, Avx512, methods};
use crate::simd::registers::prefetch_output;

/// The bits of a code unit that are clear below 0x80.
const NOT_ASCII: i16 = 0xFF80_u16 as i16;

// SAFETY: each method is one or two instructions of the token's set, and the tests compare each with a loop over bytes.
unsafe impl super::Vector for Avx512 {
    const LEN: usize = 64;
    const MASKED: bool = true;
    type Bytes = __m512i;
    type Units = [__m512i; 2];
    type Half = Avx2;

    #[inline(always)]
    fn half(self) -> Avx2 {
        self.avx2()
    }

    #[inline(always)]
    fn prefetch_output(self, to: *const u8, line: usize, room: usize) {
        prefetch_output::<1, _>(to.wrapping_add(line), 0, room.saturating_sub(line));
    }

    methods! {
        unsafe fn load(self, from: *const u8) -> __m512i { _mm512_loadu_si512(from.cast()) }
        unsafe fn store(self, bytes: __m512i, to: *mut u8) { _mm512_storeu_si512(to.cast(), bytes) }
        unsafe fn load_units(self, from: *const u16) -> [__m512i; 2] {
            [_mm512_loadu_si512(from.cast()), _mm512_loadu_si512(from.add(32).cast())]
        }
        unsafe fn store_units(self, units: [__m512i; 2], to: *mut u16) {
            _mm512_storeu_si512(to.cast(), units[0]);
            _mm512_storeu_si512(to.add(32).cast(), units[1]);
        }
    }

    methods! {
        fn or(self, a: __m512i, b: __m512i) -> __m512i { _mm512_or_si512(a, b) }
        fn or_units(self, a: [__m512i; 2], b: [__m512i; 2]) -> [__m512i; 2] {
            [_mm512_or_si512(a[0], b[0]), _mm512_or_si512(a[1], b[1])]
        }
        fn is_ascii(self, bytes: __m512i) -> bool { _mm512_movepi8_mask(bytes) == 0 }
        fn is_ascii_units(self, units: [__m512i; 2]) -> bool {
            let any = _mm512_or_si512(units[0], units[1]);
            _mm512_test_epi16_mask(any, _mm512_set1_epi16(NOT_ASCII)) == 0
        }
        fn prefix(self, bytes: __m512i) -> usize { _mm512_movepi8_mask(bytes).trailing_zeros() as usize }
        fn prefix_units(self, units: [__m512i; 2]) -> usize {
            let not_ascii = _mm512_set1_epi16(NOT_ASCII);
            let low = _mm512_test_epi16_mask(units[0], not_ascii);
            let high = _mm512_test_epi16_mask(units[1], not_ascii);
            (u64::from(high) << 32 | u64::from(low)).trailing_zeros() as usize
        }
        fn widen(self, bytes: __m512i) -> [__m512i; 2] {
            [
                _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes)),
                _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(bytes)),
            ]
        }
        fn narrow(self, units: [__m512i; 2]) -> __m512i {
            _mm512_permutexvar_epi64(
                _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7),
                _mm512_packus_epi16(units[0], units[1]),
            )
        }
    }

    methods! {
        unsafe fn load_first(self, from: *const u8, n: usize) -> __m512i {
            _mm512_maskz_loadu_epi8(self.first(n), from.cast())
        }
        unsafe fn store_first(self, bytes: __m512i, to: *mut u8, n: usize) {
            _mm512_mask_storeu_epi8(to.cast(), self.first(n), bytes)
        }
        // The second address may be out of bounds, but then its mask is empty.
        unsafe fn load_units_first(self, from: *const u16, n: usize) -> [__m512i; 2] {
            let mask = self.first(n);
            [
                _mm512_maskz_loadu_epi16(mask as u32, from.cast()),
                _mm512_maskz_loadu_epi16((mask >> 32) as u32, from.wrapping_add(32).cast()),
            ]
        }
        unsafe fn store_units_first(self, units: [__m512i; 2], to: *mut u16, n: usize) {
            let mask = self.first(n);
            _mm512_mask_storeu_epi16(to.cast(), mask as u32, units[0]);
            _mm512_mask_storeu_epi16(to.wrapping_add(32).cast(), (mask >> 32) as u32, units[1]);
        }
    }
}

impl Avx512 {
    methods! {
        /// Returns a mask of the first `n` of 64 lanes.
        fn first(self, n: usize) -> u64 { _bzhi_u64(u64::MAX, n as u32) }
    }
}
