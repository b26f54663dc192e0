//! AVX2: a register of 32 bytes in two halves. The first half is an SSE register.
//!
//! A table of 128 entries is eight shuffles by the same index, reduced by 16 before each further shuffle. A shuffle
//! gives 0 for a negative index. So all shuffles up to the one of the index contribute, and the tables hold differences
//! (exclusive OR) that cancel. Flags are stored eight to a byte, and take two shuffles.

use core::arch::x86_64::*;

use super::{HALF, V128, V256, instructions};
use crate::simd::arrays::map_array;
use crate::simd::level::{Avx2, Sse2, intrinsic, methods};
use crate::simd::shuffles::BYTES;

/// The bits of a code unit that are clear below 0x80.
const NOT_ASCII: i16 = 0xFF80_u16 as i16;

/// Restores the order of quarters after a pack, which works inside 128-bit lanes.
const IN_ORDER: i32 = 0b11_01_10_00;

// SAFETY: each method is one or two instructions of the token's set, and the tests compare each with a loop over bytes.
unsafe impl super::Vector for Avx2 {
    const LEN: usize = 32;
    type Bytes = __m256i;
    type Units = [__m256i; 2];
    type Half = Sse2;

    #[inline(always)]
    fn half(self) -> Sse2 {
        self.sse2()
    }

    methods! {
        unsafe fn load(self, from: *const u8) -> __m256i { _mm256_loadu_si256(from.cast()) }
        unsafe fn store(self, bytes: __m256i, to: *mut u8) { _mm256_storeu_si256(to.cast(), bytes) }
        unsafe fn load_units(self, from: *const u16) -> [__m256i; 2] {
            [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(16).cast())]
        }
        unsafe fn store_units(self, units: [__m256i; 2], to: *mut u16) {
            _mm256_storeu_si256(to.cast(), units[0]);
            _mm256_storeu_si256(to.add(16).cast(), units[1]);
        }
    }

    methods! {
        fn or(self, a: __m256i, b: __m256i) -> __m256i { _mm256_or_si256(a, b) }
        fn or_units(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_or_si256(a[0], b[0]), _mm256_or_si256(a[1], b[1])]
        }
        fn is_ascii(self, bytes: __m256i) -> bool { _mm256_movemask_epi8(bytes) == 0 }
        fn is_ascii_units(self, units: [__m256i; 2]) -> bool {
            let any = _mm256_or_si256(units[0], units[1]);
            _mm256_testz_si256(any, _mm256_set1_epi16(NOT_ASCII)) == 1
        }
        fn prefix(self, bytes: __m256i) -> usize {
            (_mm256_movemask_epi8(bytes) as u32).trailing_zeros() as usize
        }
        fn prefix_units(self, units: [__m256i; 2]) -> usize {
            let ascii = map_array(units, |half| {
                let others = _mm256_and_si256(half, _mm256_set1_epi16(NOT_ASCII));
                _mm256_cmpeq_epi16(others, _mm256_setzero_si256())
            });
            let packed = _mm256_packs_epi16(ascii[0], ascii[1]);
            _mm256_movemask_epi8(_mm256_permute4x64_epi64::<IN_ORDER>(packed)).trailing_ones() as usize
        }
        fn widen(self, bytes: __m256i) -> [__m256i; 2] {
            [
                _mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes)),
                _mm256_cvtepu8_epi16(_mm256_extracti128_si256::<1>(bytes)),
            ]
        }
        fn narrow(self, units: [__m256i; 2]) -> __m256i {
            _mm256_permute4x64_epi64::<IN_ORDER>(_mm256_packus_epi16(units[0], units[1]))
        }
    }
}

// SAFETY: loads, stores, masks and counts are exact; `tests` compares each operation with a loop over bytes.
unsafe impl V256 for Avx2 {
    type Bytes = __m256i;
    type Marks = u32;
    type Table = [__m256i; 8];
    type Set = __m256i;
    const ARE_TABLES_COSTLY: bool = true;

    methods! {
        unsafe fn load(self, from: *const u8) -> __m256i { _mm256_loadu_si256(from.cast()) }
        unsafe fn store(self, bytes: __m256i, to: *mut u8) { _mm256_storeu_si256(to.cast(), bytes) }
        unsafe fn load_units(self, from: *const u16) -> [__m256i; 2] {
            let [a, b] = super::Vector::load_units(self, from);
            let low = self.splat_units(0xFF);
            [
                self.narrow(self.and(a, low), self.and(b, low)),
                self.narrow(self.right::<8>(a), self.right::<8>(b)),
            ]
        }
        unsafe fn store_low(self, bytes: __m256i, to: *mut u8) {
            _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(bytes))
        }
        unsafe fn store_high(self, bytes: __m256i, to: *mut u8) {
            _mm_storeu_si128(to.cast(), _mm256_extracti128_si256::<1>(bytes))
        }
        unsafe fn store_low_picked(self, bytes: __m256i, places: &[u8; HALF], to: *mut u8) {
            let places = _mm_loadu_si128(places.as_ptr().cast());
            let picked = _mm_shuffle_epi8(_mm256_castsi256_si128(bytes), places);
            _mm_storeu_si128(to.cast(), picked);
        }
        unsafe fn store_high_picked(self, bytes: __m256i, places: &[u8; HALF], to: *mut u8) {
            let places = _mm_loadu_si128(places.as_ptr().cast());
            let picked = _mm_shuffle_epi8(_mm256_extracti128_si256::<1>(bytes), places);
            _mm_storeu_si128(to.cast(), picked);
        }
    }
    methods! {
        fn first_words(self, first: u64, second: u64) -> __m256i {
            _mm256_set_epi64x(0, 0, second as i64, first as i64)
        }
        fn halves(self, low: &[u8; HALF], high: &[u8; HALF]) -> __m256i {
            let [low, high] = map_array([low, high], |half| _mm_loadu_si128(half.as_ptr().cast()));
            _mm256_set_m128i(high, low)
        }
        fn splat(self, byte: u8) -> __m256i { _mm256_set1_epi8(byte as i8) }
        fn splat_units(self, unit: u16) -> __m256i { _mm256_set1_epi16(unit as i16) }
    }
    instructions! { intrinsic, __m256i:
        and(a, b) = _mm256_and_si256(a, b);
        or(a, b) = _mm256_or_si256(a, b);
        xor(a, b) = _mm256_xor_si256(a, b);
        and_not(a, b) = _mm256_andnot_si256(a, b);
        blend(by, yes, no) = _mm256_blendv_epi8(no, yes, by);
        add(a, b) = _mm256_add_epi8(a, b);
        subtract(a, b) = _mm256_sub_epi8(a, b);
        add_up_to_max(a, b) = _mm256_adds_epu8(a, b);
        subtract_down_to_0(a, b) = _mm256_subs_epu8(a, b);
        least(a, b) = _mm256_min_epu8(a, b);
        equal(a, b) = _mm256_cmpeq_epi8(a, b);
        shift_6(bytes) = _mm256_slli_epi16::<6>(bytes);
        second_eights(bytes) = _mm256_srli_si256::<8>(bytes);
    }
    methods! {
        fn at_least(self, a: __m256i, b: __m256i) -> __m256i { _mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a) }
        fn starts(self, bytes: __m256i) -> __m256i { _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(-65)) }
        fn top_four(self, bytes: __m256i) -> __m256i { self.and(self.right::<4>(bytes), self.splat(0xF)) }
        fn top_two(self, bytes: __m256i) -> __m256i { self.and(self.right::<6>(bytes), self.splat(3)) }
    }

    instructions! { intrinsic, __m256i:
        add_units(a, b) = _mm256_add_epi16(a, b);
        subtract_units(a, b) = _mm256_sub_epi16(a, b);
        multiply_units(a, b) = _mm256_mullo_epi16(a, b);
        least_of_units(a, b) = _mm256_min_epu16(a, b);
        add_units_up_to_max(a, b) = _mm256_adds_epu16(a, b);
        equal_units(a, b) = _mm256_cmpeq_epi16(a, b);
        units_above(a, b) = _mm256_cmpgt_epi16(a, b);
        left<N>(units) = _mm256_slli_epi16::<N>(units);
        right<N>(units) = _mm256_srli_epi16::<N>(units);
    }
    methods! {
        fn swapped(self, units: __m256i) -> __m256i {
            let (low, high) = (0x0607_0405_0203_0001, 0x0E0F_0C0D_0A0B_0809);
            _mm256_shuffle_epi8(units, _mm256_set_epi64x(high, low, high, low))
        }

        fn is_zero(self, bytes: __m256i) -> bool { _mm256_testz_si256(bytes, bytes) != 0 }
        fn movemask(self, bytes: __m256i) -> u32 { _mm256_movemask_epi8(bytes) as u32 }
        fn any(self, marks: u32) -> bool { marks != 0 }
        fn both(self, a: u32, b: u32) -> u32 { a & b }
        fn others(self, marks: u32) -> u32 { !marks }
        fn bits(self, marks: u32) -> u32 { marks }
        fn top_bits_of_two(self, registers: [__m256i; 2]) -> u64 {
            let [low, high] = map_array(registers, |bytes| self.top_bits(bytes));
            u64::from(low) | u64::from(high) << 32
        }
        fn top_bits_of_units(self, units: __m256i) -> [(u32, usize); 2] {
            // The pack instruction works within each half.
            let bits = self.top_bits(_mm256_packs_epi16(units, units));
            map_array([bits & 0xFF, bits >> 16 & 0xFF], |bits| (bits, bits.count_ones() as usize))
        }

        fn counts(self, bits: u32) -> [usize; 4] {
            map_array([0, 8, 16, 24], |from| (bits >> from & 0xFF).count_ones() as usize)
        }
        fn count(self, bits: u32) -> usize { bits.count_ones() as usize }

        fn on<const N: i32>(self, bytes: __m256i) -> __m256i {
            const { assert!(1 <= N && N <= 3) };
            let before = _mm256_permute2x128_si256::<0x08>(bytes, bytes);
            match N {
                1 => _mm256_alignr_epi8::<15>(bytes, before),
                2 => _mm256_alignr_epi8::<14>(bytes, before),
                3 => _mm256_alignr_epi8::<13>(bytes, before),
                _ => unreachable!("as asserted"),
            }
        }
        fn widen(self, bytes: __m256i) -> [__m256i; 2] { super::Vector::widen(self, bytes) }
        fn narrow(self, low: __m256i, high: __m256i) -> __m256i { super::Vector::narrow(self, [low, high]) }
        fn zip(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
            [_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)]
        }
        fn zip_pairs(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
            [_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)]
        }
        fn zip_units(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
            // The order in which unpack instructions take the units.
            let [a, b] = map_array([a, b], |units| _mm256_permute4x64_epi64::<IN_ORDER>(units));
            self.zip_pairs(a, b)
        }
        fn shuffle(self, bytes: __m256i, [low, high]: [&[u8; HALF]; 2]) -> __m256i {
            _mm256_shuffle_epi8(bytes, self.halves(low, high))
        }
        fn compress(self, bytes: __m256i, bits: [u8; 2]) -> __m256i {
            let [low, high] = map_array(bits, |bits| {
                _mm_loadl_epi64(BYTES[usize::from(bits)].as_ptr().cast())
            });
            _mm256_shuffle_epi8(bytes, _mm256_set_m128i(high, low))
        }

        fn look_up_nibbles(self, table: &[u8; HALF], nibbles: __m256i) -> __m256i {
            let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast()));
            _mm256_shuffle_epi8(table, nibbles)
        }
        fn table(self, entries: &[u8; 128]) -> [__m256i; 8] {
            let (groups, _) = entries.as_chunks::<16>();
            let mut table = [_mm256_set1_epi8(0); 8];
            let mut before = _mm_setzero_si128();
            for (difference, group) in table.iter_mut().zip(groups) {
                let here = _mm_loadu_si128(group.as_ptr().cast());
                *difference = _mm256_broadcastsi128_si256(_mm_xor_si128(before, here));
                before = here;
            }
            table
        }
        fn look_up(self, table: &[__m256i; 8], bytes: __m256i) -> __m256i {
            let mut index = _mm256_xor_si256(bytes, _mm256_set1_epi8(i8::MIN));
            let mut found = _mm256_shuffle_epi8(table[0], index);
            for difference in &table[1..] {
                index = _mm256_subs_epi8(index, _mm256_set1_epi8(16));
                found = _mm256_xor_si256(found, _mm256_shuffle_epi8(*difference, index));
            }
            found
        }
        fn set_of_flags(self, flags: &[u8; HALF]) -> __m256i {
            _mm256_broadcastsi128_si256(_mm_loadu_si128(flags.as_ptr().cast()))
        }
        fn is_not_in(self, set: &__m256i, bytes: __m256i) -> __m256i {
            // Maps the high half of a byte to the bit of that half. ASCII has no bit.
            let bits = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128);
            let bits = _mm256_broadcastsi128_si256(bits);
            let halves = |bytes| _mm256_and_si256(bytes, _mm256_set1_epi8(15));
            let high = _mm256_shuffle_epi8(bits, halves(_mm256_srli_epi16::<4>(bytes)));
            let low = _mm256_shuffle_epi8(*set, halves(bytes));
            _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256())
        }
    }
}

// SAFETY: loads, stores, masks and counts are exact; `tests` compares each operation with a loop over bytes.
unsafe impl V128 for Avx2 {
    type Half = __m128i;

    methods! {
        unsafe fn load_half(self, from: *const u8) -> __m128i { _mm_loadu_si128(from.cast()) }
        unsafe fn load_eight(self, from: *const u8) -> __m128i { _mm_loadl_epi64(from.cast()) }
        unsafe fn store_half(self, half: __m128i, to: *mut u8) { _mm_storeu_si128(to.cast(), half) }
        unsafe fn store_eight(self, half: __m128i, to: *mut u8) { _mm_storel_epi64(to.cast(), half) }
    }
    instructions! { intrinsic, __m128i:
        shuffle_half(bytes, places) = _mm_shuffle_epi8(bytes, places);
        or_half(a, b) = _mm_or_si128(a, b);
        and_half(a, b) = _mm_and_si128(a, b);
        and_not_half(a, b) = _mm_andnot_si128(a, b);
        add_half(a, b) = _mm_add_epi16(a, b);
        subtract_half(a, b) = _mm_sub_epi16(a, b);
        equal_half(a, b) = _mm_cmpeq_epi16(a, b);
        above_half(a, b) = _mm_cmpgt_epi16(a, b);
        left_half<N>(units) = _mm_slli_epi16::<N>(units);
        right_half<N>(units) = _mm_srli_epi16::<N>(units);
        upper_eight(half) = _mm_unpackhi_epi64(half, half);
    }
    methods! {
        fn add_above(self, units: __m128i, limit: u16, more: u16) -> __m128i {
            let above = _mm_cmpgt_epi16(units, _mm_set1_epi16(limit as i16));
            _mm_add_epi16(units, _mm_and_si128(above, _mm_set1_epi16(more as i16)))
        }
        fn zeros(self, half: __m128i) -> u32 {
            _mm_movemask_epi8(_mm_cmpeq_epi8(half, _mm_setzero_si128())) as u32
        }
        fn half_of_units(self, unit: u16) -> __m128i { _mm_set1_epi16(unit as i16) }

        fn at_least_half(self, a: __m128i, b: __m128i) -> __m128i { _mm_cmpeq_epi16(_mm_max_epu16(a, b), a) }
        fn lanes(self, units: __m128i) -> u8 { _mm_movemask_epi8(_mm_packs_epi16(units, units)) as u8 }
        fn lanes_of_two(self, low: __m128i, high: __m128i) -> u16 {
            _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u16
        }
        fn deposit(self, bits: u8, mask: u8) -> u8 { _pdep_u32(bits.into(), mask.into()) as u8 }
    }
}
