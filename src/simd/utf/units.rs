//! Code units between native order and bytes of either order: copied, or copied with bytes swapped.
//!
//! Portable code. AVX2 and NEON have a kernel, which leaves the end of the input to this code; AVX-512 was no faster.
//! Blocks without surrogates are one auto-vectorised loop, and so is the test that surrogates are paired. The
//! rest is copied unit by unit. Speed relative to encoding_rs without vector kernels: 4.7 to 6, including emoji.

use crate::simd::tuning;
use core::mem::MaybeUninit;
use core::slice;

use super::super::arrays::{map_array, tail};
use super::super::level::{Active, with_v256};
use super::super::out::Out;
use super::super::surrogates::{is_lead, is_surrogate, is_trail};
use super::{HERE, native};

/// The number of units in a block.
const BLOCK: usize = 64;

/// Copies whole characters; `SRC` and `DST` are true for big-endian. Returns the number of units copied.
///
/// # Safety
/// `room` units of two bytes are writable at `dst`.
#[inline(always)]
unsafe fn copy<const SRC: bool, const DST: bool>(
    src: &[[u8; 2]],
    dst: *mut [u8; 2],
    room: usize,
) -> usize {
    let n = src.len().min(room);
    // SAFETY: `n <= room` units are writable, by `# Safety`; only initialised units are written to the slice.
    let dst: &mut [MaybeUninit<[u8; 2]>] = unsafe { slice::from_raw_parts_mut(dst.cast(), n) };
    let put = |unit: u16| {
        MaybeUninit::new(if DST {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        })
    };
    let mut at = 0;
    while let Some(block) = src[at..n].first_chunk::<BLOCK>() {
        let units = map_array(*block, native::<SRC>);
        let surrogates = units
            .iter()
            .fold(0, |any, &unit| any | u16::from(is_surrogate(unit)));
        let mut len = BLOCK;
        if surrogates != 0 {
            // The block is well-formed if each lead, and no other unit, is followed by a trail. A lead at the end is
            // left to the next block.
            let lone = (units.iter().zip(&units[1..])).fold(0, |any, (&unit, &next)| {
                any | u16::from(is_lead(unit) != is_trail(next))
            });
            if lone != 0 || is_trail(units[0]) {
                break;
            }
            len -= usize::from(is_lead(units[BLOCK - 1]));
        }
        let units = map_array(units, put);
        let to = &mut dst[at..][..BLOCK];
        // Constant lengths, so that the copies are inlined.
        if len == BLOCK {
            to.copy_from_slice(&units);
        } else {
            to[..BLOCK - 1].copy_from_slice(&units[..BLOCK - 1]);
        }
        at += len;
    }
    // Copy the rest, or the units before a lone surrogate.
    while at < n {
        while let Some(block) = src[at..n].first_chunk::<8>() {
            let units = map_array(*block, native::<SRC>);
            let surrogates = units
                .iter()
                .fold(0, |any, &unit| any | u16::from(is_surrogate(unit)));
            if surrogates != 0 {
                break;
            }
            dst[at..][..8].copy_from_slice(&map_array(units, put));
            at += 8;
        }
        if at == n {
            break;
        }
        let unit = native::<SRC>(src[at]);
        if !is_surrogate(unit) {
            dst[at] = put(unit);
            at += 1;
            continue;
        }
        if is_trail(unit) || at + 1 >= n || !is_trail(native::<SRC>(src[at + 1])) {
            break;
        }
        let trail = native::<SRC>(src[at + 1]);
        dst[at..][..2].copy_from_slice(&[put(unit), put(trail)]);
        at += 2;
    }
    at
}

/// Copies units with the kernel of the active level. Returns the number of units copied.
///
/// # Safety
/// `room` units of two bytes are writable at `dst`.
#[inline(always)]
unsafe fn dispatch<const SRC: bool, const DST: bool>(
    active: Active,
    src: &[[u8; 2]],
    dst: *mut [u8; 2],
    room: usize,
) -> usize {
    if src.len() > tuning::UTF_UP_TO
        && let Some((taken, lone)) = with_v256!(active, |token| {
            // SAFETY: holding the token proves detection succeeded; `room` units are writable at `dst`, by `# Safety`.
            unsafe { super::v256::copy_units::<SRC, DST>(token, src, dst, room) }
        })
    {
        if lone || taken == src.len() {
            return taken;
        }
        // SAFETY: `taken <= room`, so `room - taken` units are writable after the first `taken`.
        return taken
            + unsafe { copy_rest::<SRC, DST>(tail(src, taken), dst.add(taken), room - taken) };
    }
    // Short input and noise are copied without the loop over blocks.
    let head = if src.len() <= tuning::UTF_UP_TO {
        src.len()
    } else {
        16
    };
    // SAFETY: `room` units are writable at `dst`, by `# Safety`.
    let taken = unsafe { copy::<SRC, DST>(&src[..head], dst, room) };
    // The head may have ended inside a surrogate pair.
    if taken + 1 < head || taken == src.len() {
        return taken;
    }
    // SAFETY: `taken <= room`, so `room - taken` units are writable after the first `taken`.
    taken + unsafe { copy_rest::<SRC, DST>(tail(src, taken), dst.add(taken), room - taken) }
}

/// Calls [`copy`] without inlining it.
///
/// # Safety
/// `room` units of two bytes are writable at `dst`.
#[inline(never)]
unsafe fn copy_rest<const SRC: bool, const DST: bool>(
    src: &[[u8; 2]],
    dst: *mut [u8; 2],
    room: usize,
) -> usize {
    // SAFETY: `room` units are writable at `dst`, by `# Safety`.
    unsafe { copy::<SRC, DST>(src, dst, room) }
}

/// Copies bytes to native units. Returns the number of units copied.
pub(super) fn from_bytes(
    active: Active,
    src: &[u8],
    big_endian: bool,
    out: &mut Out<'_, u16>,
) -> usize {
    let (src, _) = src.as_chunks::<2>();
    // SAFETY: the kernel writes at most `room` units and initialises those that it reports.
    unsafe {
        out.write_with(|to, room| {
            let taken = if big_endian {
                dispatch::<true, HERE>(active, src, to.cast(), room)
            } else {
                dispatch::<false, HERE>(active, src, to.cast(), room)
            };
            (taken, taken)
        })
    }
}

/// Copies native units to bytes. Returns the number of units copied.
pub(super) fn to_bytes(
    active: Active,
    src: &[u16],
    big_endian: bool,
    out: &mut Out<'_, u8>,
) -> usize {
    let src: &[[u8; 2]] = bytemuck::must_cast_slice(src);
    // SAFETY: the kernel writes at most `room / 2` units of two bytes and initialises those that it reports.
    unsafe {
        out.write_with(|to, room| {
            let taken = if big_endian {
                dispatch::<HERE, true>(active, src, to.cast(), room / 2)
            } else {
                dispatch::<HERE, false>(active, src, to.cast(), room / 2)
            };
            (taken, 2 * taken)
        })
    }
}
