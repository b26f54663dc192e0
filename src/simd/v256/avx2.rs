//! A register of AVX2.
//!
//! A table of 128 entries is eight shuffles of the same index, 16 less each time. A shuffle gives 0 where the index is
//! negative, and once it is not, it stays so going backwards: so every shuffle up to an index's own one hits, and the
//! tables hold differences (exclusive or) that cancel. Flags are eight to a byte: two shuffles.

use core::arch::x86_64::*;

use super::super::arrays::map_array;
use super::super::shuffles::BYTES;
use super::super::token::{Avx2, intrinsic};
use super::{HALF, LEN, V256};

// SAFETY: every operation is compared with a loop over bytes in `tests`.
unsafe impl V256 for Avx2 {
    type Bytes = __m256i;
    type Marks = u32;
    type Table = [__m256i; 8];
    type Set = __m256i;
    const ARE_TABLES_COSTLY: bool = true;

    #[inline(always)]
    unsafe fn load(self, from: *const u8) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, `LEN` bytes at `from` are readable.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(self, bytes: __m256i, to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, `LEN` bytes at `to` are writable.
        unsafe { _mm256_storeu_si256(to.cast(), bytes) }
    }
    #[inline(always)]
    unsafe fn load_units(self, from: *const u16) -> [__m256i; 2] {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, `LEN` units at `from` are readable.
        let (a, b) = unsafe {
            (
                _mm256_loadu_si256(from.cast()),
                _mm256_loadu_si256(from.add(LEN / 2).cast()),
            )
        };
        let low = self.splat_units(0xFF);
        [
            self.narrow(self.and(a, low), self.and(b, low)),
            self.narrow(self.right::<8>(a), self.right::<8>(b)),
        ]
    }
    #[inline(always)]
    unsafe fn store_low(self, bytes: __m256i, to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, `HALF` bytes at `to` are writable.
        unsafe { _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(bytes)) }
    }
    #[inline(always)]
    unsafe fn store_high(self, bytes: __m256i, to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, `HALF` bytes at `to` are writable.
        unsafe { _mm_storeu_si128(to.cast(), _mm256_extracti128_si256::<1>(bytes)) }
    }
    #[inline(always)]
    unsafe fn store_low_picked(self, bytes: __m256i, places: &[u8; HALF], to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; `places` has 16 bytes; by `# Safety`, `HALF` bytes at `to`
        // are writable.
        unsafe {
            let places = _mm_loadu_si128(places.as_ptr().cast());
            let picked = _mm_shuffle_epi8(_mm256_castsi256_si128(bytes), places);
            _mm_storeu_si128(to.cast(), picked);
        }
    }
    #[inline(always)]
    unsafe fn store_high_picked(self, bytes: __m256i, places: &[u8; HALF], to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, `HALF` bytes at `to` are writable.
        unsafe {
            let places = _mm_loadu_si128(places.as_ptr().cast());
            let picked = _mm_shuffle_epi8(_mm256_extracti128_si256::<1>(bytes), places);
            _mm_storeu_si128(to.cast(), picked);
        }
    }
    #[inline(always)]
    fn first_words(self, first: u64, second: u64) -> __m256i {
        intrinsic!(_mm256_set_epi64x(0, 0, second as i64, first as i64))
    }
    #[inline(always)]
    fn halves(self, low: &[u8; HALF], high: &[u8; HALF]) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded; each array has as many bytes as are loaded.
        unsafe {
            let [low, high] = map_array([low, high], |half| _mm_loadu_si128(half.as_ptr().cast()));
            _mm256_set_m128i(high, low)
        }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> __m256i {
        intrinsic!(_mm256_set1_epi8(byte as i8))
    }
    #[inline(always)]
    fn splat_units(self, unit: u16) -> __m256i {
        intrinsic!(_mm256_set1_epi16(unit as i16))
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_and_si256(a, b))
    }
    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_or_si256(a, b))
    }
    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_xor_si256(a, b))
    }
    #[inline(always)]
    fn and_not(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_andnot_si256(a, b))
    }
    #[inline(always)]
    fn blend(self, by: __m256i, yes: __m256i, no: __m256i) -> __m256i {
        intrinsic!(_mm256_blendv_epi8(no, yes, by))
    }

    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_add_epi8(a, b))
    }
    #[inline(always)]
    fn subtract(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_sub_epi8(a, b))
    }
    #[inline(always)]
    fn add_up_to_max(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_adds_epu8(a, b))
    }
    #[inline(always)]
    fn subtract_down_to_0(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_subs_epu8(a, b))
    }
    #[inline(always)]
    fn greatest(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_max_epu8(a, b))
    }
    #[inline(always)]
    fn least(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_min_epu8(a, b))
    }
    #[inline(always)]
    fn equal(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_cmpeq_epi8(a, b))
    }
    #[inline(always)]
    fn at_least(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a))
    }
    #[inline(always)]
    fn starts(self, bytes: __m256i) -> __m256i {
        intrinsic!(_mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(-65)))
    }
    #[inline(always)]
    fn shift_6(self, bytes: __m256i) -> __m256i {
        intrinsic!(_mm256_slli_epi16::<6>(bytes))
    }
    #[inline(always)]
    fn top_four(self, bytes: __m256i) -> __m256i {
        self.and(self.right::<4>(bytes), self.splat(0xF))
    }
    #[inline(always)]
    fn top_two(self, bytes: __m256i) -> __m256i {
        self.and(self.right::<6>(bytes), self.splat(3))
    }

    #[inline(always)]
    fn add_units(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_add_epi16(a, b))
    }
    #[inline(always)]
    fn subtract_units(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_sub_epi16(a, b))
    }
    #[inline(always)]
    fn multiply_units(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_mullo_epi16(a, b))
    }
    #[inline(always)]
    fn least_of_units(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_min_epu16(a, b))
    }
    #[inline(always)]
    fn add_units_up_to_max(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_adds_epu16(a, b))
    }
    #[inline(always)]
    fn equal_units(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_cmpeq_epi16(a, b))
    }
    #[inline(always)]
    fn units_above(self, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_cmpgt_epi16(a, b))
    }
    #[inline(always)]
    fn left<const N: i32>(self, units: __m256i) -> __m256i {
        intrinsic!(_mm256_slli_epi16::<N>(units))
    }
    #[inline(always)]
    fn right<const N: i32>(self, units: __m256i) -> __m256i {
        intrinsic!(_mm256_srli_epi16::<N>(units))
    }
    #[inline(always)]
    fn swapped(self, units: __m256i) -> __m256i {
        let (low, high) = (0x0607_0405_0203_0001, 0x0E0F_0C0D_0A0B_0809);
        intrinsic!(_mm256_shuffle_epi8(
            units,
            _mm256_set_epi64x(high, low, high, low)
        ))
    }

    #[inline(always)]
    fn is_zero(self, bytes: __m256i) -> bool {
        intrinsic!(_mm256_testz_si256(bytes, bytes) != 0)
    }
    #[inline(always)]
    fn movemask(self, bytes: __m256i) -> u32 {
        intrinsic!(_mm256_movemask_epi8(bytes) as u32)
    }
    #[inline(always)]
    fn any(self, marks: u32) -> bool {
        marks != 0
    }
    #[inline(always)]
    fn both(self, a: u32, b: u32) -> u32 {
        a & b
    }
    #[inline(always)]
    fn others(self, marks: u32) -> u32 {
        !marks
    }
    #[inline(always)]
    fn bits(self, marks: u32) -> u32 {
        marks
    }
    #[inline(always)]
    fn top_bits_of_two(self, registers: [__m256i; 2]) -> u64 {
        let [low, high] = map_array(registers, |bytes| self.top_bits(bytes));
        u64::from(low) | u64::from(high) << 32
    }
    #[inline(always)]
    fn top_bits_of_units(self, units: __m256i) -> [(u32, usize); 2] {
        // Packed within halves.
        let bits = self.top_bits(intrinsic!(_mm256_packs_epi16(units, units)));
        map_array([bits & 0xFF, bits >> 16 & 0xFF], |bits| {
            (bits, bits.count_ones() as usize)
        })
    }

    #[inline(always)]
    fn bytes_of_bits(self, bits: u32) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe {
            // Each byte of the mask to eight bytes, each of which keeps a bit of its own, moved to the top.
            let bytes = _mm256_shuffle_epi8(
                _mm256_set1_epi32(bits as i32),
                _mm256_setr_epi64x(
                    0,
                    0x0101_0101_0101_0101,
                    0x0202_0202_0202_0202,
                    0x0303_0303_0303_0303,
                ),
            );
            let own = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let is_set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, own), own);
            _mm256_and_si256(is_set, _mm256_set1_epi8(0x80_u8 as i8))
        }
    }
    #[inline(always)]
    fn counts(self, bits: u32) -> [usize; 4] {
        map_array([0, 8, 16, 24], |from| {
            (bits >> from & 0xFF).count_ones() as usize
        })
    }
    #[inline(always)]
    fn count(self, bits: u32) -> usize {
        bits.count_ones() as usize
    }

    #[inline(always)]
    fn on<const N: i32>(self, bytes: __m256i) -> __m256i {
        const { assert!(1 <= N && N <= 3) };
        // SAFETY: holding `self` proves detection succeeded.
        unsafe {
            let before = _mm256_permute2x128_si256::<0x08>(bytes, bytes);
            match N {
                1 => _mm256_alignr_epi8::<15>(bytes, before),
                2 => _mm256_alignr_epi8::<14>(bytes, before),
                3 => _mm256_alignr_epi8::<13>(bytes, before),
                _ => unreachable!("as asserted"),
            }
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
    fn narrow(self, low: __m256i, high: __m256i) -> __m256i {
        intrinsic!(_mm256_permute4x64_epi64::<0b11_01_10_00>(
            _mm256_packus_epi16(low, high)
        ))
    }
    #[inline(always)]
    fn zip(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        intrinsic!([_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)])
    }
    #[inline(always)]
    fn zip_pairs(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        intrinsic!([_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)])
    }
    #[inline(always)]
    fn zip_units(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // In the order in which unpacking takes them.
        let [a, b] = map_array([a, b], |units| {
            intrinsic!(_mm256_permute4x64_epi64::<0b11_01_10_00>(units))
        });
        self.zip_pairs(a, b)
    }
    #[inline(always)]
    fn shuffle(self, bytes: __m256i, [low, high]: [&[u8; HALF]; 2]) -> __m256i {
        let places = self.halves(low, high);
        intrinsic!(_mm256_shuffle_epi8(bytes, places))
    }
    #[inline(always)]
    fn compress(self, bytes: __m256i, bits: [u8; 2]) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded; 8 places are loaded each time.
        unsafe {
            let [low, high] = map_array(bits, |bits| {
                _mm_loadl_epi64(BYTES[usize::from(bits)].as_ptr().cast())
            });
            _mm256_shuffle_epi8(bytes, _mm256_set_m128i(high, low))
        }
    }
    #[inline(always)]
    fn second_eights(self, bytes: __m256i) -> __m256i {
        intrinsic!(_mm256_srli_si256::<8>(bytes))
    }

    #[inline(always)]
    fn look_up_nibbles(self, table: &[u8; HALF], nibbles: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded; the table has as many bytes as are loaded.
        unsafe {
            let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast()));
            _mm256_shuffle_epi8(table, nibbles)
        }
    }
    #[inline(always)]
    fn table(self, entries: &[u8; 128]) -> [__m256i; 8] {
        // SAFETY: holding `self` proves detection succeeded; 16 bytes are loaded from each group of 16.
        unsafe {
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
    }
    #[inline(always)]
    fn look_up(self, table: &[__m256i; 8], bytes: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe {
            let mut index = _mm256_xor_si256(bytes, _mm256_set1_epi8(i8::MIN));
            let mut found = _mm256_shuffle_epi8(table[0], index);
            for difference in &table[1..] {
                index = _mm256_subs_epi8(index, _mm256_set1_epi8(16));
                found = _mm256_xor_si256(found, _mm256_shuffle_epi8(*difference, index));
            }
            found
        }
    }
    #[inline(always)]
    fn set_of_flags(self, flags: &[u8; HALF]) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded; the array has as many bytes as are loaded.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(flags.as_ptr().cast())) }
    }
    #[inline(always)]
    fn is_not_in(self, set: &__m256i, bytes: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe {
            // By the high half of a byte, its bit; ASCII has none.
            let bits = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128);
            let bits = _mm256_broadcastsi128_si256(bits);
            let halves = |bytes| _mm256_and_si256(bytes, _mm256_set1_epi8(15));
            let high = _mm256_shuffle_epi8(bits, halves(_mm256_srli_epi16::<4>(bytes)));
            let low = _mm256_shuffle_epi8(*set, halves(bytes));
            _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256())
        }
    }
}
