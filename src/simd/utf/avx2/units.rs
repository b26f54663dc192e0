//! Code units between native order and bytes of either order: copied up to a lone surrogate.
//!
//! 32 units at a time. Where there are surrogates, the mask of leads, shifted by one unit, has to be that of trails. A
//! lead at the end waits for the next block.
//! 3 of encoding_rs and more, 1.6 in noise.

use core::arch::x86_64::{
    _mm256_and_si256, _mm256_cmpeq_epi16, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_set1_epi16, _mm256_storeu_si256,
};
use core::mem::MaybeUninit;

use super::super::super::token::Avx2;
use super::swapped;

/// Copies blocks of whole characters, `SRC` and `DST` being "big-endian"; returns the units copied, and whether a lone
/// surrogate follows.
///
/// # Safety
/// `room` units are writable at `dst`.
#[inline(always)]
pub(in super::super) unsafe fn copy_units<const SRC: bool, const DST: bool>(
    _: Avx2,
    src: &[[u8; 2]],
    dst: *mut [u8; 2],
    room: usize,
) -> (usize, bool) {
    // SAFETY: holding `Avx2` proves detection succeeded; the rest is the contract of this function.
    unsafe { copy::<SRC, DST>(src, dst, room) }
}

/// # Safety
/// `room` units are writable at `dst`.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
unsafe fn copy<const SRC: bool, const DST: bool>(
    src: &[[u8; 2]],
    dst: *mut [u8; 2],
    room: usize,
) -> (usize, bool) {
    let end = src.len().min(room);
    let all = |bits: u16| _mm256_set1_epi16(bits as i16);
    // The bits of a unit as it lies there.
    let lying = |bits: u16| all(if SRC { bits.swap_bytes() } else { bits });
    let is =
        |units, mask, bits| _mm256_cmpeq_epi16(_mm256_and_si256(units, lying(mask)), lying(bits));
    let mut at = 0;
    while end - at >= 32 {
        // SAFETY: 32 units are left, and `at < room`.
        let (low, high, to) = unsafe {
            let from = src.as_ptr().add(at);
            (
                _mm256_loadu_si256(from.cast()),
                _mm256_loadu_si256(from.add(16).cast()),
                dst.add(at),
            )
        };
        let store = || {
            let (low, high) = if SRC == DST {
                (low, high)
            } else {
                (swapped(low), swapped(high))
            };
            // SAFETY: there is room for 32 units.
            unsafe {
                _mm256_storeu_si256(to.cast(), low);
                _mm256_storeu_si256(to.add(16).cast(), high);
            }
        };
        let surrogates = _mm256_or_si256(is(low, 0xF800, 0xD800), is(high, 0xF800, 0xD800));
        if _mm256_movemask_epi8(surrogates) == 0 {
            store();
            at += 32;
            continue;
        }
        // Two bits a unit.
        let mask = |bits| {
            let low = _mm256_movemask_epi8(is(low, 0xFC00, bits)) as u32;
            let high = _mm256_movemask_epi8(is(high, 0xFC00, bits)) as u32;
            u64::from(low) | u64::from(high) << 32
        };
        let (leads, trails) = (mask(0xD800), mask(0xDC00));
        let lone = leads << 2 ^ trails;
        // Less a lead before a unit that is no trail, or before the end of the block.
        let mut whole = lone.trailing_zeros() as usize / 2;
        whole -= usize::from(whole > 0 && leads >> (2 * whole - 1) & 1 != 0);
        if room - at < 64 {
            return (at, false);
        }
        // SAFETY: room for 64 units. What the stores spill is put back, initialised or not.
        unsafe {
            let behind = to.add(whole).cast::<[MaybeUninit<u8>; 64]>();
            let kept = behind.read();
            store();
            behind.write(kept);
        }
        at += whole;
        if lone != 0 {
            return (at, true);
        }
    }
    (at, false)
}
