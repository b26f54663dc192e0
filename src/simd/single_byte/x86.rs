//! AVX2: a shuffle looks bytes up in 16 entries at a time.
//!
//! A table of 128 entries is eight shuffles of the same index, 16 less each time. A shuffle gives 0 where the index is
//! negative, and once it is not, it stays so going backwards: so every shuffle up to an index's own one hits, and the
//! tables hold differences (exclusive or) that cancel.

use core::arch::x86_64::*;

use super::super::out::Out;
use super::super::token::Avx2;
use super::vector::Vector;
use super::{CodePoints, Pages, shuffle};

/// Defines the module of one instruction set's entries: safe, for they take its token.
macro_rules! entries {
    ($module:ident, $token:ident, $features:literal, $what:literal) => {
        #[doc = $what]
        pub(super) mod $module {
            use super::*;

            entries!(@entry decode_utf16, $token, $features, &CodePoints, &[u8], u16);
            entries!(@entry decode_utf8, $token, $features, &CodePoints, &[u8], u8);
            entries!(@entry encode_utf8, $token, $features, &Pages<'_>, &str, u8);
            entries!(@entry encode_utf16, $token, $features, &Pages<'_>, &[u16], u8);
        }
    };
    (@entry $name:ident, $token:ident, $features:literal, $tables:ty, $src:ty, $unit:ty) => {
        #[inline(always)]
        pub(in super::super) fn $name(
            token: $token,
            tables: $tables,
            src: $src,
            out: &mut Out<'_, $unit>,
        ) -> usize {
            #[target_feature(enable = $features)]
            fn featured(token: $token, tables: $tables, src: $src, out: &mut Out<'_, $unit>) -> usize {
                shuffle::$name(token, tables, src, out)
            }
            // SAFETY: holding the token proves detection succeeded.
            unsafe { featured(token, tables, src, out) }
        }
    };
}
entries!(
    avx2,
    Avx2,
    "avx2,bmi1,bmi2,popcnt,lzcnt",
    "The kernels with AVX2."
);

/// The methods on 16 bytes, which both instruction sets do alike.
macro_rules! parts {
    () => {
        type Part = __m128i;

        #[inline(always)]
        fn zip(self, a: __m128i, b: __m128i) -> [__m128i; 2] {
            // SAFETY: holding `self` proves detection succeeded.
            unsafe { [_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)] }
        }
        #[inline(always)]
        fn zip_pairs(self, a: __m128i, b: __m128i) -> [__m128i; 2] {
            // SAFETY: holding `self` proves detection succeeded.
            unsafe { [_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)] }
        }
        #[inline(always)]
        fn zero_part(self) -> __m128i {
            // SAFETY: holding `self` proves detection succeeded.
            unsafe { _mm_setzero_si128() }
        }
        #[inline(always)]
        fn pick(self, bytes: __m128i, places: &[u8; 16]) -> __m128i {
            // SAFETY: holding `self` proves detection succeeded; 16 places are loaded.
            unsafe { _mm_shuffle_epi8(bytes, _mm_loadu_si128(places.as_ptr().cast())) }
        }
        #[inline(always)]
        unsafe fn store_part(self, bytes: __m128i, to: *mut u8) {
            // SAFETY: holding `self` proves detection succeeded; the rest is the contract of this method.
            unsafe { _mm_storeu_si128(to.cast(), bytes) }
        }
        #[inline(always)]
        unsafe fn store_half(self, bytes: __m128i, to: *mut u8) {
            // SAFETY: holding `self` proves detection succeeded; the rest is the contract of this method.
            unsafe { _mm_storel_epi64(to.cast(), bytes) }
        }
    };
}

/// The methods that differ in the intrinsics' names only. `$wide` is the register, `$tail` puts what packs leave in order.
macro_rules! bytes {
    ($wide:ty, $len:literal, $loadu:ident, $storeu:ident, $splat:ident, $splat16:ident, $and:ident, $or:ident,
     $andnot:ident, $xor:ident, $eq:ident, $max:ident, $mask:ident, $shl16:ident, $shr16:ident, $subs:ident,
     $shuffle:ident, $pack:ident, $in_order:expr, $broadcast:expr) => {
        const LEN: usize = $len;
        type Bytes = $wide;
        type Parts = [__m128i; $len / 16];
        type Table = [$wide; 8];

        #[inline(always)]
        unsafe fn load(self, from: *const u8) -> $wide {
            // SAFETY: holding `self` proves detection succeeded; the rest is the contract of this method.
            unsafe { $loadu(from.cast()) }
        }
        #[inline(always)]
        unsafe fn store(self, bytes: $wide, to: *mut u8) {
            // SAFETY: holding `self` proves detection succeeded; the rest is the contract of this method.
            unsafe { $storeu(to.cast(), bytes) }
        }
        #[inline(always)]
        unsafe fn load_units(self, from: *const u16) -> [$wide; 2] {
            // SAFETY: holding `self` proves detection succeeded; the rest is the contract of this method.
            unsafe {
                let (a, b) = ($loadu(from.cast()), $loadu(from.add($len / 2).cast()));
                let low = $splat16(0xFF);
                [
                    $in_order($pack($and(a, low), $and(b, low))),
                    $in_order($pack($shr16::<8>(a), $shr16::<8>(b))),
                ]
            }
        }
        #[inline(always)]
        fn splat(self, byte: u8) -> $wide {
            // SAFETY: holding `self` proves detection succeeded.
            unsafe { $splat(byte as i8) }
        }
        #[inline(always)]
        fn and(self, a: $wide, b: $wide) -> $wide {
            // SAFETY: holding `self` proves detection succeeded.
            unsafe { $and(a, b) }
        }
        #[inline(always)]
        fn or(self, a: $wide, b: $wide) -> $wide {
            // SAFETY: holding `self` proves detection succeeded.
            unsafe { $or(a, b) }
        }
        #[inline(always)]
        fn and_not(self, a: $wide, b: $wide) -> $wide {
            // SAFETY: holding `self` proves detection succeeded.
            unsafe { $andnot(a, b) }
        }
        #[inline(always)]
        fn equal(self, a: $wide, b: $wide) -> $wide {
            // SAFETY: holding `self` proves detection succeeded.
            unsafe { $eq(a, b) }
        }
        #[inline(always)]
        fn at_least(self, a: $wide, b: $wide) -> $wide {
            // SAFETY: holding `self` proves detection succeeded.
            unsafe { $eq($max(a, b), a) }
        }
        #[inline(always)]
        fn top_bits(self, bytes: $wide) -> u32 {
            // SAFETY: holding `self` proves detection succeeded.
            unsafe { $mask(bytes) as u32 }
        }
        #[inline(always)]
        fn shift_6(self, bytes: $wide) -> $wide {
            // SAFETY: holding `self` proves detection succeeded.
            unsafe { $shl16::<6>(bytes) }
        }
        #[inline(always)]
        fn table(self, entries: &[u8; 128]) -> [$wide; 8] {
            // SAFETY: holding `self` proves detection succeeded; 16 bytes are loaded from each group of 16.
            unsafe {
                let (groups, _) = entries.as_chunks::<16>();
                let mut table = [$splat(0); 8];
                let mut before = _mm_setzero_si128();
                for (difference, group) in table.iter_mut().zip(groups) {
                    let here = _mm_loadu_si128(group.as_ptr().cast());
                    *difference = $broadcast(_mm_xor_si128(before, here));
                    before = here;
                }
                table
            }
        }
        #[inline(always)]
        fn look_up(self, table: &[$wide; 8], bytes: $wide) -> $wide {
            // SAFETY: holding `self` proves detection succeeded.
            unsafe {
                let mut index = $xor(bytes, $splat(i8::MIN));
                let mut found = $shuffle(table[0], index);
                for difference in &table[1..] {
                    index = $subs(index, $splat(16));
                    found = $xor(found, $shuffle(*difference, index));
                }
                found
            }
        }
    };
}

impl Vector for Avx2 {
    parts!();
    #[inline(always)]
    fn parts(self, bytes: __m256i) -> [__m128i; 2] {
        // SAFETY: holding `Avx2` proves detection succeeded.
        unsafe {
            [
                _mm256_castsi256_si128(bytes),
                _mm256_extracti128_si256::<1>(bytes),
            ]
        }
    }
    bytes!(
        __m256i,
        32,
        _mm256_loadu_si256,
        _mm256_storeu_si256,
        _mm256_set1_epi8,
        _mm256_set1_epi16,
        _mm256_and_si256,
        _mm256_or_si256,
        _mm256_andnot_si256,
        _mm256_xor_si256,
        _mm256_cmpeq_epi8,
        _mm256_max_epu8,
        _mm256_movemask_epi8,
        _mm256_slli_epi16,
        _mm256_srli_epi16,
        _mm256_subs_epi8,
        _mm256_shuffle_epi8,
        _mm256_packus_epi16,
        |v| _mm256_permute4x64_epi64::<0b11_01_10_00>(v),
        |v| _mm256_broadcastsi128_si256(v)
    );
}
