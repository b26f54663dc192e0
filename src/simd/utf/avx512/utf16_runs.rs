//! From UTF-16 to UTF-8, the loops for runs: of ASCII, and of any units that are no surrogates.
//!
//! Registers are stored whole where it is known that what follows will be written over what is too much: a masked store
//! that crosses a cache line takes the processor longer.

use crate::simd::tuning;
use core::arch::x86_64::*;

use super::super::super::arrays::map_array;
use super::super::super::registers::prefetch_input;
use super::first;
use super::utf16_lanes::{UNITS, from_80, from_800, load, three_bytes_each};

/// A run of ASCII that is worth another loop has this many units.
const AHEAD: usize = tuning::ASCII_AHEAD_IN_UTF16;
/// Rounds without such a unit that end it.
const GONE: u32 = tuning::ROUNDS_APART;

/// Writes the ASCII among the first `n` units if it is AHEAD at least; returns its length.
///
/// # Safety
/// `n` units at `src` are readable, and `n` bytes at `dst` are writable.
#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw")]
#[inline]
pub(super) unsafe fn ascii_run<const SWAP: bool>(src: *const u8, n: usize, dst: *mut u8) -> usize {
    if n < AHEAD {
        return 0;
    }
    // SAFETY: AHEAD units are readable.
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
        // SAFETY: 64 units are readable from here on.
        let [a, b] = map_array([0, 64], |i| unsafe {
            load::<SWAP>(src.add(2 * at + i), 32)
        });
        let others = u64::from(from_80(b)) << 32 | u64::from(from_80(a));
        let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        let bytes = _mm512_permutexvar_epi64(order, _mm512_packus_epi16(a, b));
        // SAFETY: 64 bytes are writable from here on, and the mask selects the first of them.
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

/// Writes units of any length but surrogates, 21 at a time, for as long as units from 0x800 on are near; returns how many
/// units and bytes, and whether surrogates are ahead.
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
    // How many units ahead there are no surrogates.
    const KNOWN: usize = 64;
    let (mut read, mut written, mut gone) = (0, 0, 0);
    // SAFETY: `src` has KNOWN + 32 units, as just compared.
    unsafe {
        if len < KNOWN + 32 {
            return (0, 0, false);
        }
        if has_surrogates(load::<SWAP>(src, 32)) || has_surrogates(load::<SWAP>(src.add(64), 32)) {
            return (0, 0, true);
        }
    }
    while len - read >= KNOWN + 32 && room - written >= 128 && gone < GONE {
        // SAFETY: KNOWN + 32 units are left.
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
        // SAFETY: 64 bytes are writable. What is too much, 43 bytes at most, the next rounds write over: 43 units without
        // surrogates are after these, and 65 bytes of room.
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
