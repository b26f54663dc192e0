//! Counts with AVX-512: a comparison of 64 bytes is a mask, whose bits are counted. The loops of [`counts`](super::counts),
//! which the compiler makes vectors of, move the masks back to registers, and take 1.05 to 3 times as long.

use core::arch::x86_64::*;

use super::super::arrays::map_array;
use super::super::registers::prefetch_input;
use bytemuck::must_cast_ref;

/// Registers that are tested at once for what is rare.
const GROUP: usize = 4;

/// How many characters UTF-8 has.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
pub(super) fn count_chars(src: &[u8]) -> usize {
    sum_of_groups(src, |group| count_firsts(group))
}

/// How many UTF-16 code units UTF-8 becomes: one for each character, and one more for one of four bytes.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
pub(super) fn count_utf16_of_utf8(src: &[u8]) -> usize {
    sum_of_groups(src, |group| {
        let fours = |bytes| _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(0xF0_u8 as i8));
        let [a, b, c, d] = group;
        let most = _mm512_max_epu8(_mm512_max_epu8(a, b), _mm512_max_epu8(c, d));
        let mut sum = count_firsts(group);
        // Most text has none.
        if fours(most) != 0 {
            sum += group
                .iter()
                .map(|&bytes| fours(bytes).count_ones())
                .sum::<u32>();
        }
        sum
    })
}

/// How many bytes are not ASCII.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
pub(super) fn count_not_ascii(src: &[u8]) -> usize {
    let count = |group: [__m512i; GROUP]| {
        group
            .iter()
            .map(|&bytes| _mm512_movepi8_mask(bytes).count_ones())
            .sum()
    };
    // The tails that fill the last group are no ASCII, either.
    sum_of_groups(src, count) - src.len().wrapping_neg() % (64 * GROUP)
}

/// How many surrogate pairs UTF-16 has.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
pub(super) fn count_pairs(src: &[u16]) -> usize {
    sum_and_pairs(src, |_| 0)[1]
}

/// How many bytes of UTF-8 UTF-16 becomes, with U+FFFD for lone surrogates: a pair is four, as two of three are six.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
pub(super) fn count_utf8_of_utf16(src: &[u16]) -> usize {
    let [more, pairs] = sum_and_pairs(src, |units| {
        let two = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x80));
        let three = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x800));
        two.count_ones() + three.count_ones()
    });
    src.len() + more - 2 * pairs
}

/// How many bytes begin a character of UTF-8: tails are the lowest of the signed numbers.
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
#[inline]
fn count_firsts(group: [__m512i; GROUP]) -> u32 {
    let firsts = |bytes| _mm512_cmpge_epi8_mask(bytes, _mm512_set1_epi8(-0x40));
    group.iter().map(|&bytes| firsts(bytes).count_ones()).sum()
}

/// The bytes of a group in registers.
#[target_feature(enable = "avx512f")]
#[inline]
fn registers(group: &[u8; 64 * GROUP]) -> [__m512i; GROUP] {
    // SAFETY: 64 bytes are readable from the one at 64 i on.
    let load = |i: usize| unsafe { _mm512_loadu_si512(group.as_ptr().add(64 * i).cast()) };
    map_array([0, 1, 2, 3], load)
}

/// Adds up what `count` returns for each group of registers. Tails of UTF-8 fill the last group.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
#[inline]
fn sum_of_groups(src: &[u8], count: impl Fn([__m512i; GROUP]) -> u32) -> usize {
    let (groups, rest) = src.as_chunks::<{ 64 * GROUP }>();
    let mut sum = 0;
    for (at, group) in groups.iter().enumerate() {
        prefetch_input::<GROUP>(src.as_ptr(), at * 64 * GROUP, src.len());
        sum += count(registers(group)) as usize;
    }
    if rest.is_empty() {
        return sum;
    }
    let tails = _mm512_set1_epi8(-0x80);
    let mut last = [tails; GROUP];
    for (register, bytes) in last.iter_mut().zip(rest.chunks(64)) {
        let lanes = _bzhi_u64(u64::MAX, bytes.len() as u32);
        // SAFETY: the mask leaves out the lanes after the last byte.
        *register = unsafe { _mm512_mask_loadu_epi8(tails, lanes, bytes.as_ptr().cast()) };
    }
    sum + count(last) as usize
}

/// Adds up what `count` returns for each register, and counts the surrogate pairs. Zeros fill the last register.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
#[inline]
fn sum_and_pairs(src: &[u16], count: impl Fn(__m512i) -> u32) -> [usize; 2] {
    let (groups, rest) = src.as_chunks::<{ 32 * GROUP }>();
    let (mut sum, mut pairs, mut lead) = (0, 0, 0);
    for (at, group) in groups.iter().enumerate() {
        prefetch_input::<GROUP>(src.as_ptr().cast(), at * 64 * GROUP, size_of_val(src));
        let group = registers(must_cast_ref(group));
        let mut any = 0;
        for units in group {
            sum += count(units) as usize;
            any |= in_block(units, 0xF800, 0xD800);
        }
        if any == 0 {
            lead = 0;
            continue;
        }
        for units in group {
            pairs += pairs_in(units, &mut lead);
        }
    }
    for units in rest.chunks(32) {
        let lanes = _bzhi_u32(u32::MAX, units.len() as u32);
        // SAFETY: the mask leaves out the lanes after the last unit.
        let units = unsafe { _mm512_maskz_loadu_epi16(lanes, units.as_ptr().cast()) };
        sum += count(units) as usize;
        pairs += pairs_in(units, &mut lead);
    }
    [sum, pairs]
}

/// How many pairs end in a register; `lead` is 1 if the unit before it is a leading surrogate, and then if its last is.
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
#[inline]
fn pairs_in(units: __m512i, lead: &mut u32) -> usize {
    let leads = in_block(units, 0xFC00, 0xD800);
    let after_leads = leads << 1 | *lead;
    *lead = leads >> 31;
    (after_leads & in_block(units, 0xFC00, 0xDC00)).count_ones() as usize
}

/// The units whose bits in `mask` are `block`.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn in_block(units: __m512i, mask: u16, block: u16) -> u32 {
    let high = _mm512_and_si512(units, _mm512_set1_epi16(mask as i16));
    _mm512_cmpeq_epi16_mask(high, _mm512_set1_epi16(block as i16))
}
