//! What the kernels ask of AVX2: registers of 32 bytes, halves of them, and a look-up of bytes in tables.
//!
//! Holding the token proves that detection succeeded, and every method's use of intrinsics rests on that. Methods are
//! inlined into functions compiled for the instruction set.
//!
//! A table of 128 entries is eight shuffles of the same index, 16 less each time. A shuffle gives 0 where the index is
//! negative, and once it is not, it stays so going backwards: so every shuffle up to an index's own one hits, and the
//! tables hold differences (exclusive or) that cancel. Flags are eight to a byte: two shuffles.

use core::arch::x86_64::*;

use super::super::super::arrays::each;
use super::super::super::shuffles::BYTES;
use super::super::super::token::Avx2;

/// Bytes in a register.
pub(super) const LEN: usize = 32;
/// 128 entries.
pub(super) type Table = [__m256i; 8];
/// 128 flags: by the low half of a byte a bit for each of the eight high halves from 8 on.
pub(super) struct Set(__m256i);

impl Avx2 {
    /// # Safety
    /// [`LEN`] bytes at `from` are readable.
    #[inline(always)]
    pub(super) unsafe fn load(self, from: *const u8) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded; the rest is the contract of this method.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    /// # Safety
    /// [`LEN`] bytes at `to` are writable.
    #[inline(always)]
    pub(super) unsafe fn store(self, bytes: __m256i, to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; the rest is the contract of this method.
        unsafe { _mm256_storeu_si256(to.cast(), bytes) }
    }

    /// The low and the high bytes of [`LEN`] units.
    ///
    /// # Safety
    /// [`LEN`] units at `from` are readable.
    #[inline(always)]
    pub(super) unsafe fn load_units(self, from: *const u16) -> [__m256i; 2] {
        // SAFETY: holding `self` proves detection succeeded; the rest is the contract of this method.
        unsafe {
            let in_order = |v| _mm256_permute4x64_epi64::<0b11_01_10_00>(v);
            let (a, b) = (
                _mm256_loadu_si256(from.cast()),
                _mm256_loadu_si256(from.add(LEN / 2).cast()),
            );
            let low = _mm256_set1_epi16(0xFF);
            [
                in_order(_mm256_packus_epi16(
                    _mm256_and_si256(a, low),
                    _mm256_and_si256(b, low),
                )),
                in_order(_mm256_packus_epi16(
                    _mm256_srli_epi16::<8>(a),
                    _mm256_srli_epi16::<8>(b),
                )),
            ]
        }
    }

    #[inline(always)]
    pub(super) fn splat(self, byte: u8) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { _mm256_set1_epi8(byte as i8) }
    }

    #[inline(always)]
    pub(super) fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { _mm256_and_si256(a, b) }
    }

    #[inline(always)]
    pub(super) fn or(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { _mm256_or_si256(a, b) }
    }

    /// `b` where no bit of `a` is set.
    #[inline(always)]
    pub(super) fn and_not(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { _mm256_andnot_si256(a, b) }
    }

    /// The bytes of `yes` where those of `by` have the top bit, of `no` elsewhere.
    #[inline(always)]
    pub(super) fn choose(self, by: __m256i, yes: __m256i, no: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { _mm256_blendv_epi8(no, yes, by) }
    }

    /// All bits where bytes are equal.
    #[inline(always)]
    pub(super) fn equal(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { _mm256_cmpeq_epi8(a, b) }
    }

    /// All bits where bytes, as unsigned numbers, are at least as great.
    #[inline(always)]
    pub(super) fn at_least(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { _mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a) }
    }

    /// All bits in the bytes that continue no character of UTF-8.
    #[inline(always)]
    pub(super) fn starts(self, bytes: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(-65)) }
    }

    /// The top bit of each byte, the first byte's lowest.
    #[inline(always)]
    pub(super) fn top_bits(self, bytes: __m256i) -> u32 {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { _mm256_movemask_epi8(bytes) as u32 }
    }

    /// Each byte shifted to the left by 6; the low six bits are anything.
    #[inline(always)]
    pub(super) fn shift_6(self, bytes: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { _mm256_slli_epi16::<6>(bytes) }
    }

    #[inline(always)]
    pub(super) fn table(self, entries: &[u8; 128]) -> Table {
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

    /// The entries of bytes from 0x80 on; 0 of others.
    #[inline(always)]
    pub(super) fn look_up(self, table: &Table, bytes: __m256i) -> __m256i {
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

    /// The bytes from 0x80 on whose entry is true.
    #[inline(always)]
    pub(super) fn set(self, entries: &[bool; 128]) -> Set {
        let mut set = [0; 16];
        for (i, &is_in) in entries.iter().enumerate() {
            set[i % 16] |= u8::from(is_in) << (i / 16);
        }
        // SAFETY: holding `self` proves detection succeeded; the array has 16 bytes.
        Set(unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(set.as_ptr().cast())) })
    }

    /// All bits in the bytes that are not in a set.
    #[inline(always)]
    pub(super) fn is_not_in(self, set: &Set, bytes: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe {
            // By the high half of a byte, its bit; ASCII has none.
            let bits = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128);
            let bits = _mm256_broadcastsi128_si256(bits);
            let halves = |bytes| _mm256_and_si256(bytes, _mm256_set1_epi8(15));
            let high = _mm256_shuffle_epi8(bits, halves(_mm256_srli_epi16::<4>(bytes)));
            let low = _mm256_shuffle_epi8(set.0, halves(bytes));
            _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256())
        }
    }

    #[inline(always)]
    pub(super) fn add(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { _mm256_add_epi8(a, b) }
    }

    /// The two top bits of each byte.
    #[inline(always)]
    pub(super) fn top_two(self, bytes: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { _mm256_and_si256(_mm256_srli_epi16::<6>(bytes), _mm256_set1_epi8(3)) }
    }

    /// First halves and second halves of each half register, interleaved byte by byte.
    #[inline(always)]
    pub(super) fn zip(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { [_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)] }
    }

    /// First halves and second halves of each half register, interleaved in pairs of bytes.
    #[inline(always)]
    pub(super) fn zip_pairs(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { [_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)] }
    }

    /// In each half, the bytes at these places, all of them below 16; from 0x80 on, 0.
    #[inline(always)]
    pub(super) fn pick(self, bytes: __m256i, places: [&[u8; 16]; 2]) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded; 16 places are loaded each time.
        unsafe {
            let [low, high] = each(places, |places| _mm_loadu_si128(places.as_ptr().cast()));
            _mm256_shuffle_epi8(bytes, _mm256_set_m128i(high, low))
        }
    }

    /// In each half, those of the first eight bytes whose bits are set, then anything.
    #[inline(always)]
    pub(super) fn compress(self, bytes: __m256i, bits: [u8; 2]) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded; 8 places are loaded each time.
        unsafe {
            let [low, high] = each(bits, |bits| {
                _mm_loadl_epi64(BYTES[usize::from(bits)].as_ptr().cast())
            });
            _mm256_shuffle_epi8(bytes, _mm256_set_m128i(high, low))
        }
    }

    /// The second eight bytes of each half, then zeros.
    #[inline(always)]
    pub(super) fn second_eights(self, bytes: __m256i) -> __m256i {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe { _mm256_srli_si256::<8>(bytes) }
    }

    /// # Safety
    /// 16 bytes at `to` are writable.
    #[inline(always)]
    pub(super) unsafe fn store_low(self, bytes: __m256i, to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; the rest is the contract of this method.
        unsafe { _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(bytes)) }
    }

    /// # Safety
    /// 16 bytes at `to` are writable.
    #[inline(always)]
    pub(super) unsafe fn store_high(self, bytes: __m256i, to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; the rest is the contract of this method.
        unsafe { _mm_storeu_si128(to.cast(), _mm256_extracti128_si256::<1>(bytes)) }
    }
}

/// The top bits of two registers.
#[inline(always)]
pub(super) fn top_bits(v: Avx2, block: &[u8; 2 * LEN]) -> u64 {
    // SAFETY: the block has LEN bytes twice.
    let [low, high] = each([0, LEN], |at| unsafe {
        v.top_bits(v.load(block.as_ptr().add(at)))
    });
    u64::from(low) | u64::from(high) << 32
}
