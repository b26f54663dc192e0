//! UTF-16 code units in lanes: their lengths in UTF-8, and their bytes in the lane of each unit.

use core::arch::x86_64::*;

use super::{SWAPPED, first, register};

/// The number of units in a round: each has space for three bytes.
pub(super) const UNITS: usize = 21;
/// Masks of the lanes with the first, the second and the last of each three bytes.
pub(super) const FIRSTS: u64 = 0x1249_2492_4924_9249;
const SECONDS: u64 = FIRSTS << 1;
const LASTS: u64 = FIRSTS << 2;
/// (A & B) | C
const AND_OR: i32 = 0xEA;

/// Returns a mask of the units from 0x80 on.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
pub(super) fn from_80(units: __m512i) -> u32 {
    _mm512_test_epi16_mask(units, _mm512_set1_epi16(0xFF80_u16 as i16))
}

/// Returns a mask of the units from 0x800 on.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
pub(super) fn from_800(units: __m512i) -> u32 {
    _mm512_test_epi16_mask(units, _mm512_set1_epi16(0xF800_u16 as i16))
}

/// # Safety
/// `n` units at `from` are readable; `n <= 32`.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
pub(super) unsafe fn load<const SWAP: bool>(from: *const u8, n: usize) -> __m512i {
    // SAFETY: the mask selects `n` units, which are readable, by `# Safety`.
    let units = unsafe { _mm512_maskz_loadu_epi16(first(n) as u32, from.cast()) };
    if SWAP {
        _mm512_shuffle_epi8(units, SWAPPED)
    } else {
        units
    }
}

/// Writes the lanes in `kept`, contiguously. Returns their number.
///
/// # Safety
/// `kept.count_ones()` bytes are writable at `to`.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
pub(super) unsafe fn put(bytes: __m512i, kept: u64, to: *mut u8) -> usize {
    let n = kept.count_ones() as usize;
    // SAFETY: the mask selects `n` bytes, which are writable, by `# Safety`. Compressed in the register, because the
    // compressing store is microcoded on some processors.
    unsafe {
        _mm512_mask_storeu_epi8(to.cast(), first(n), _mm512_maskz_compress_epi8(kept, bytes));
    }
    n
}

/// Returns a lead and a trail in the lane of each unit below 0x800, and a mask of the bytes to keep.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
pub(super) fn two_bytes_each(units: __m512i, from_80: u32) -> (__m512i, u64) {
    const LEADS: u64 = 0x5555_5555_5555_5555;
    let shifts = _mm512_set1_epi64(i64::from_le_bytes([6, 0, 22, 16, 38, 32, 54, 48]));
    let fields = _mm512_multishift_epi64_epi8(shifts, units);
    let bytes = _mm512_ternarylogic_epi32::<AND_OR>(
        fields,
        _mm512_set1_epi16(0x3F1F),
        _mm512_set1_epi16(0x80C0_u16 as i16),
    );
    let leads = _pdep_u64(from_80.into(), LEADS);
    let ascii = (leads ^ LEADS) << 1;
    (
        _mm512_mask_mov_epi8(bytes, ascii, fields),
        leads | LEADS << 1,
    )
}

/// Returns the bytes of 21 units, and a mask of the bytes to keep.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
pub(super) fn three_bytes_each(units: __m512i, from_80: u32, from_800: u32) -> (__m512i, u64) {
    let fields = _mm512_multishift_epi64_epi8(
        const { SPREAD.1 },
        _mm512_permutexvar_epi16(const { SPREAD.0 }, units),
    );
    let bytes = _mm512_ternarylogic_epi32::<AND_OR>(
        fields,
        const { threes([0x0F, 0x3F, 0x3F]) },
        const { threes([0xE0, 0x80, 0x80]) },
    );
    let seconds = _pdep_u64(from_80.into(), SECONDS);
    let firsts = _pdep_u64(from_800.into(), FIRSTS);
    let leads_of_two = seconds & !(firsts << 1);
    let ascii = (seconds ^ SECONDS) << 1;
    let bytes = _mm512_mask_mov_epi8(
        bytes,
        leads_of_two,
        _mm512_or_si512(bytes, _mm512_set1_epi8(0x40)),
    );
    let bytes = _mm512_mask_mov_epi8(bytes, ascii, fields);
    (bytes, firsts | seconds | LASTS)
}

/// Returns a register that repeats three bytes.
const fn threes(three: [u8; 3]) -> __m512i {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = three[i % 3];
        i += 1;
    }
    register(bytes)
}

/// For each quadword of output: four consecutive units, starting with the unit of the quadword's first byte; and the
/// bit offsets in those units of the quadword's bytes.
const SPREAD: (__m512i, __m512i) = {
    let (mut words, mut shifts) = ([0; 64], [0; 64]);
    let mut i = 0;
    while i < 64 {
        let first_unit = i / 8 * 8 / 3;
        words[i] = if i % 2 == 0 {
            (first_unit + i % 8 / 2) as u8
        } else {
            0
        };
        shifts[i] = (16 * (i / 3 - first_unit) + 12 - 6 * (i % 3)) as u8;
        i += 1;
    }
    (register(words), register(shifts))
};
