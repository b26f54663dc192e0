//! From UTF-16 to UTF-8: the loops for runs of ASCII, and of any units except surrogates.
//!
//! Whole registers are stored if later output overwrites the excess, because a masked store across a cache line is
//! slower.

use crate::simd::tuning;
use core::arch::x86_64::*;

use super::super::super::arrays::map_array;
use super::super::super::registers::prefetch_input;
use super::first;
use super::utf16_lanes::{UNITS, from_80, from_800, load, three_bytes_each};

/// Minimum length of a run of ASCII, in units, that is worth another loop.
const AHEAD: usize = tuning::ASCII_AHEAD_IN_UTF16;
/// Rounds without a unit from 0x800 on that end the loop for mixed text.
const GONE: u32 = tuning::ROUNDS_APART;

/// Writes the run of ASCII at the start of the first `n` units, if it has at least `AHEAD`. Returns its length.
///
/// # Safety
/// `n` units at `src` are readable, and `n` bytes at `dst` are writable.
#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw")]
#[inline]
pub(super) unsafe fn ascii_run<const SWAP: bool>(src: *const u8, n: usize, dst: *mut u8) -> usize {
    if n < AHEAD {
        return 0;
    }
    // SAFETY: `AHEAD <= n` units are readable, and `AHEAD` is 128.
    let [a, b, c, d] = map_array([0, 64, 128, 192], |i| unsafe {
        load::<SWAP>(src.add(i), 32)
    });
    let any = _mm512_ternarylogic_epi32::<0xFE>(a, b, c);
    if from_80(_mm512_or_si512(any, d)) != 0 {
        return 0;
    }
    let mut at = 0;
    while n - at >= 64 {
        prefetch_input::<2>(src, 2 * at, 2 * n);
        // SAFETY: `n - at >= 64`, by the loop condition.
        let [a, b] = map_array([0, 64], |i| unsafe {
            load::<SWAP>(src.add(2 * at + i), 32)
        });
        let others = u64::from(from_80(b)) << 32 | u64::from(from_80(a));
        let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        let bytes = _mm512_permutexvar_epi64(order, _mm512_packus_epi16(a, b));
        // SAFETY: `n - at >= 64`, so 64 bytes are writable; the mask selects a part.
        unsafe {
            let to = dst.add(at).cast();
            if others != 0 {
                let ascii = others.trailing_zeros() as usize;
                _mm512_mask_storeu_epi8(to, first(ascii), bytes);
                return at + ascii;
            }
            _mm512_storeu_si512(to.cast(), bytes);
        }
        at += 64;
    }
    at
}

/// Writes units of any length except surrogates, 21 at a time, while units from 0x800 on are frequent. Returns the
/// units read, the bytes written, and true if surrogates are ahead.
///
/// # Safety
/// `len` units at `src` are readable, and `room` bytes at `dst` are writable.
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
#[inline]
pub(super) unsafe fn mixed<const SWAP: bool>(
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> (usize, usize, bool) {
    // Units ahead that are known to contain no surrogates.
    const KNOWN: usize = 64;
    let (mut read, mut written, mut gone) = (0, 0, 0);
    // SAFETY: `len >= KNOWN + 32`, tested first.
    unsafe {
        if len < KNOWN + 32 {
            return (0, 0, false);
        }
        if has_surrogates(load::<SWAP>(src, 32)) || has_surrogates(load::<SWAP>(src.add(64), 32)) {
            return (0, 0, true);
        }
    }
    while len - read >= KNOWN + 32 && room - written >= 128 && gone < GONE {
        // SAFETY: `len - read >= KNOWN + 32`, by the loop condition.
        let (units, ahead) = unsafe {
            let from = src.add(2 * read);
            (
                load::<SWAP>(from, 32),
                load::<SWAP>(from.add(2 * KNOWN), 32),
            )
        };
        if has_surrogates(ahead) {
            return (read, written, true);
        }
        let from_800 = from_800(units);
        prefetch_input::<1>(src, 2 * read, 2 * len);
        let (bytes, kept) = three_bytes_each(units, from_80(units), from_800);
        // SAFETY: 64 bytes are writable, as `room - written >= 128`. The excess is at most 43 bytes, which later rounds
        // overwrite: 43 units without surrogates follow, and at least 65 bytes of room.
        unsafe {
            let bytes = _mm512_maskz_compress_epi8(kept, bytes);
            _mm512_storeu_si512(dst.add(written).cast(), bytes);
        }
        written += kept.count_ones() as usize;
        read += UNITS;
        gone = if from_800 == 0 { gone + 1 } else { 0 };
    }
    (read, written, false)
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn has_surrogates(units: __m512i) -> bool {
    let from_surrogates = _mm512_sub_epi16(units, _mm512_set1_epi16(0xD800_u16 as i16));
    _mm512_cmplt_epu16_mask(from_surrogates, _mm512_set1_epi16(0x800)) != 0
}
