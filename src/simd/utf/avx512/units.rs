//! Code units between native order and bytes of either order, copied up to a lone surrogate.
//!
//! Handles 32 units at a time: the mask of lead surrogates, shifted by one lane, must equal that of trail surrogates. A
//! lead in the last lane is left to the next block. Masked loads and stores handle shorter input.

use core::arch::x86_64::*;

use super::super::super::token::Avx512;
use super::{SWAPPED, first};

/// Copies whole characters; `SRC` and `DST` are true for big-endian. Returns the number of units copied.
///
/// # Safety
/// `room` units are writable at `dst`.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(in super::super) unsafe fn copy_units<const SRC: bool, const DST: bool>(
    _: Avx512,
    src: &[[u8; 2]],
    dst: *mut [u8; 2],
    room: usize,
) -> usize {
    let end = src.len().min(room);
    let mut at = 0;
    while at < end {
        let n = (end - at).min(32);
        let lanes = first(n) as u32;
        // SAFETY: the mask selects `n` units, and `at + n <= src.len()`.
        let loaded = unsafe { _mm512_maskz_loadu_epi16(lanes, src.as_ptr().add(at).cast()) };
        let swapped = _mm512_shuffle_epi8(loaded, SWAPPED);
        let native = if SRC { swapped } else { loaded };
        let kind = _mm512_and_si512(native, _mm512_set1_epi16(0xFC00_u16 as i16));
        let leads = _mm512_cmpeq_epi16_mask(kind, _mm512_set1_epi16(0xD800_u16 as i16));
        let trails = _mm512_cmpeq_epi16_mask(kind, _mm512_set1_epi16(0xDC00_u16 as i16));
        let lone = ((leads << 1) ^ trails) & lanes;
        // Branches, so that the next block does not depend on these masks.
        if lone == 0 && n == 32 && leads >> 31 == 0 {
            // SAFETY: `n == 32`, tested above, so `at + 32 <= end`; `end <= room`, by `min`.
            unsafe {
                let units = if SRC == DST { loaded } else { swapped };
                _mm512_storeu_si512(dst.add(at).cast(), units);
            }
            at += 32;
            continue;
        }
        let mut whole = (lone.trailing_zeros() as usize).min(n);
        // A lead is not copied without its trail, which may be missing or in the next block.
        whole -= usize::from(whole > 0 && leads >> (whole - 1) & 1 != 0);
        // SAFETY: the mask selects `whole` units, and `at + whole <= end <= room`.
        unsafe {
            let units = if SRC == DST { loaded } else { swapped };
            _mm512_mask_storeu_epi16(dst.add(at).cast(), first(whole) as u32, units);
        }
        at += whole;
        if lone != 0 || whole == 0 {
            break;
        }
    }
    at
}
