//! Counts with AVX-512: a comparison of 64 bytes gives a mask, whose bits are counted or used for a masked add. The
//! auto-vectorised loops of [`counts`](super::counts) move the masks back to registers and take 1.05 to 3 times as
//! long.

use core::arch::x86_64::*;

use super::super::arrays::map_array;
use super::super::registers::prefetch_input;
use bytemuck::{must_cast_ref, must_cast_slice};

/// The number of registers in a group.
const GROUP: usize = 4;

/// The number of UTF-16 code units for each byte of UTF-8, by its high six bits: 0 for a continuation byte, 2 for the
/// lead of a four-byte character, 1 for others.
static UNITS_OF_BYTES: [u8; 64] = {
    let mut units = [1; 64];
    let mut at = 0x80 >> 2;
    while at < 0xC0 >> 2 {
        units[at] = 0;
        at += 1;
    }
    at = 0xF0 >> 2;
    while at < 64 {
        units[at] = 2;
        at += 1;
    }
    units
};

/// Counts the characters of UTF-8: continuation bytes are those below -64 as signed numbers.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn count_chars(src: &[u8]) -> usize {
    let firsts = |bytes| _mm512_cmpge_epi8_mask(bytes, _mm512_set1_epi8(-0x40));
    fold_groups(src, 0, |sum, group| {
        sum + sum_of(map_array(group, |bytes| firsts(bytes).count_ones()))
    })
}

/// Returns the number of UTF-16 code units that UTF-8 becomes: one for each character, and two for a four-byte one.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn count_utf16_of_utf8(src: &[u8]) -> usize {
    // SAFETY: `UNITS_OF_BYTES` has 64 bytes.
    let table = unsafe { _mm512_loadu_si512(UNITS_OF_BYTES.as_ptr().cast()) };
    // The permute takes six bits as index and ignores those above, which come from the neighbouring byte.
    let units = |bytes| _mm512_permutexvar_epi8(_mm512_srli_epi16::<2>(bytes), table);
    let zeros = _mm512_setzero_si512();
    let sums = fold_groups(src, zeros, |sums, group| {
        let [a, b, c, d] = map_array(group, units);
        let of_lanes = _mm512_add_epi8(_mm512_add_epi8(a, b), _mm512_add_epi8(c, d));
        _mm512_add_epi64(sums, _mm512_sad_epu8(of_lanes, zeros))
    });
    _mm512_reduce_add_epi64(sums) as usize
}

/// Counts the non-ASCII bytes.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn count_not_ascii(src: &[u8]) -> usize {
    let sum = fold_groups(src, 0, |sum, group| {
        sum + sum_of(map_array(group, |bytes| {
            _mm512_movepi8_mask(bytes).count_ones()
        }))
    });
    // The continuation bytes that pad the last group were counted too.
    sum - src.len().wrapping_neg() % (64 * GROUP)
}

/// Counts the surrogate pairs of UTF-16.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn count_pairs(src: &[u16]) -> usize {
    fold_units(src, (), |(), _, _| ()).1
}

/// Returns the number of UTF-8 bytes that UTF-16 becomes, with U+FFFD for lone surrogates. The halves of a pair are
/// first counted as three bytes each, although a pair has four.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn count_utf8_of_utf16(src: &[u16]) -> usize {
    let zeros = _mm512_setzero_si512();
    let ones = _mm512_set1_epi8(1);
    let (sums, pairs) = fold_units(src, zeros, |sums, group, bits| {
        let two = |lanes, units| {
            let mask = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x80));
            _mm512_mask_add_epi16(lanes, mask, lanes, _mm512_set1_epi16(1))
        };
        // Compares with U+0800 in the representation that `high_bits` returns.
        let three = |lanes, bits| {
            let mask = _mm512_cmpge_epu8_mask(bits, _mm512_set1_epi16(0x0802));
            _mm512_mask_add_epi8(lanes, mask, lanes, ones)
        };
        let [a, b, c, d] = group;
        let lanes = two(two(zeros, a), b);
        let lanes = two(two(lanes, c), d);
        let lanes = three(three(lanes, bits[0]), bits[1]);
        _mm512_add_epi64(sums, _mm512_sad_epu8(lanes, zeros))
    });
    src.len() + _mm512_reduce_add_epi64(sums) as usize - 2 * pairs
}

#[inline(always)]
fn sum_of<const N: usize>(counts: [u32; N]) -> usize {
    counts.iter().sum::<u32>() as usize
}

/// Loads the bytes of a group into registers.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
fn registers(group: &[u8; 64 * GROUP]) -> [__m512i; GROUP] {
    // SAFETY: `64 * i + 64 <= 64 * GROUP`, the length of the array.
    let load = |i: usize| unsafe { _mm512_loadu_si512(group.as_ptr().add(64 * i).cast()) };
    map_array([0, 1, 2, 3], load)
}

/// Folds `add` over the groups of registers. UTF-8 continuation bytes pad the last group.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
fn fold_groups<T>(src: &[u8], mut sum: T, add: impl Fn(T, [__m512i; GROUP]) -> T) -> T {
    let (groups, rest) = src.as_chunks::<{ 64 * GROUP }>();
    for (at, group) in groups.iter().enumerate() {
        prefetch_input::<GROUP>(src.as_ptr(), at * 64 * GROUP, src.len());
        sum = add(sum, registers(group));
    }
    if rest.is_empty() {
        return sum;
    }
    add(sum, last_registers(rest, _mm512_set1_epi8(-0x80)))
}

/// Folds `add` over the groups of registers and their [`high_bits`]. Returns the result and the number of surrogate
/// pairs. Zeros pad the last group.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
fn fold_units<T>(
    src: &[u16],
    mut sum: T,
    add: impl Fn(T, [__m512i; GROUP], [__m512i; 2]) -> T,
) -> (T, usize) {
    const UNITS: usize = 32 * GROUP;
    let mut pairs = 0;
    let mut rest = src;
    while let [_, after @ ..] = rest {
        let (Some(group), Some(next)) = (rest.first_chunk::<UNITS>(), after.first_chunk::<UNITS>())
        else {
            let last = |units| last_registers(must_cast_slice(units), _mm512_setzero_si512());
            let group = last(rest);
            let bits = high_bits(group);
            pairs += count_pairs_in(bits, || last(after));
            return (add(sum, group, bits), pairs);
        };
        prefetch_input::<GROUP>(rest.as_ptr().cast(), 0, size_of_val(rest));
        let group = registers(must_cast_ref(group));
        let bits = high_bits(group);
        pairs += count_pairs_in(bits, || registers(must_cast_ref(next)));
        sum = add(sum, group, bits);
        rest = &rest[UNITS..];
    }
    (sum, pairs)
}

/// Loads at most a group of bytes, padded with those of `fill`.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
fn last_registers(rest: &[u8], fill: __m512i) -> [__m512i; GROUP] {
    let mut group = [fill; GROUP];
    for (register, bytes) in group.iter_mut().zip(rest.chunks(64)) {
        let lanes = _bzhi_u64(u64::MAX, bytes.len() as u32);
        // SAFETY: the mask excludes the lanes after the last byte.
        *register = unsafe { _mm512_mask_loadu_epi8(fill, lanes, bytes.as_ptr().cast()) };
    }
    group
}

/// Returns the high six bits of each unit, one byte for each, for two registers at a time. Those of the first register
/// are in the low bytes, shifted down. Those of the second are in the high bytes, not shifted.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
fn high_bits([a, b, c, d]: [__m512i; GROUP]) -> [__m512i; 2] {
    const SECOND_AND_TOP_OR_FIRST: i32 = 0xEA;
    let top = _mm512_set1_epi16(0xFC00_u16 as i16);
    map_array([[a, b], [c, d]], |[first, second]| {
        let first = _mm512_srli_epi16::<10>(first);
        _mm512_ternarylogic_epi32::<SECOND_AND_TOP_OR_FIRST>(second, top, first)
    })
}

/// Counts the units that begin a pair, given their [`high_bits`]. `next` returns the registers of the units one further
/// on; it is called only if there are lead surrogates.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
fn count_pairs_in(bits: [__m512i; 2], next: impl FnOnce() -> [__m512i; GROUP]) -> usize {
    let lead = _mm512_set1_epi16(0xD836_u16 as i16);
    let trail = _mm512_set1_epi16(0xDC37_u16 as i16);
    let leads = map_array(bits, |bits| _mm512_cmpeq_epi8_mask(bits, lead));
    if leads == [0, 0] {
        return 0;
    }
    let next = high_bits(next());
    let pairs = |at: usize| _mm512_mask_cmpeq_epi8_mask(leads[at], next[at], trail).count_ones();
    sum_of([pairs(0), pairs(1)])
}
