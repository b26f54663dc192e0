//! SSE2: a register of 16 bytes.

use core::arch::x86_64::*;

use super::portable::Word;
use crate::simd::arrays::map_array;
use crate::simd::level::{Sse2, methods};

/// The bits of a code unit that are clear below 0x80.
const NOT_ASCII: i16 = 0xFF80_u16 as i16;

// SAFETY: each method is one or two instructions of the token's set, and the tests compare each with a loop over bytes.
unsafe impl super::Vector for Sse2 {
    const LEN: usize = 16;
    type Bytes = __m128i;
    type Units = [__m128i; 2];
    type Half = Word<8>;

    #[inline(always)]
    fn half(self) -> Word<8> {
        Word
    }

    methods! {
        unsafe fn load(self, from: *const u8) -> __m128i { _mm_loadu_si128(from.cast()) }
        unsafe fn store(self, bytes: __m128i, to: *mut u8) { _mm_storeu_si128(to.cast(), bytes) }
        unsafe fn load_units(self, from: *const u16) -> [__m128i; 2] {
            [_mm_loadu_si128(from.cast()), _mm_loadu_si128(from.add(8).cast())]
        }
        unsafe fn store_units(self, units: [__m128i; 2], to: *mut u16) {
            _mm_storeu_si128(to.cast(), units[0]);
            _mm_storeu_si128(to.add(8).cast(), units[1]);
        }
    }

    methods! {
        fn or(self, a: __m128i, b: __m128i) -> __m128i { _mm_or_si128(a, b) }
        fn or_units(self, a: [__m128i; 2], b: [__m128i; 2]) -> [__m128i; 2] {
            [_mm_or_si128(a[0], b[0]), _mm_or_si128(a[1], b[1])]
        }
        fn is_ascii(self, bytes: __m128i) -> bool { _mm_movemask_epi8(bytes) == 0 }
        fn is_ascii_units(self, units: [__m128i; 2]) -> bool {
            let any = _mm_and_si128(_mm_or_si128(units[0], units[1]), _mm_set1_epi16(NOT_ASCII));
            _mm_movemask_epi8(_mm_cmpeq_epi16(any, _mm_setzero_si128())) == 0xFFFF
        }
        fn prefix(self, bytes: __m128i) -> usize {
            let stops = _mm_movemask_epi8(bytes) as u32;
            (stops | 1 << 16).trailing_zeros() as usize
        }
        fn prefix_units(self, units: [__m128i; 2]) -> usize {
            let ascii = map_array(units, |half| {
                _mm_cmpeq_epi16(_mm_and_si128(half, _mm_set1_epi16(NOT_ASCII)), _mm_setzero_si128())
            });
            _mm_movemask_epi8(_mm_packs_epi16(ascii[0], ascii[1])).trailing_ones() as usize
        }
        fn widen(self, bytes: __m128i) -> [__m128i; 2] {
            let zero = _mm_setzero_si128();
            [_mm_unpacklo_epi8(bytes, zero), _mm_unpackhi_epi8(bytes, zero)]
        }
        fn narrow(self, units: [__m128i; 2]) -> __m128i { _mm_packus_epi16(units[0], units[1]) }
    }
}
