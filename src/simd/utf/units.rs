//! Code units between native order and bytes of either order: copied, or copied with their bytes swapped.
//!
//! Portable code; AVX-512, AVX2 and NEON have kernels of their own, and the latter two leave the end to this one. A block
//! without surrogates is one loop that the compiler turns into vectors, and so is the test that its surrogates come in pairs.
//! What is left over goes unit by unit.
//! 4.7 to 6 of encoding_rs without vector kernels, emoji included.

use crate::simd::tuning;
use core::mem::MaybeUninit;
use core::slice;

use super::super::arrays::{map_array, tail};
use super::super::out::Out;
use super::super::surrogates::{is_lead, is_surrogate, is_trail};
#[cfg(target_arch = "x86_64")]
use super::super::token;
use super::super::token::{Active, with_v256};
use super::{HERE, native};

/// Units in a block.
const BLOCK: usize = 64;

/// Units of input that are served without a kernel for an instruction set. AVX-512's kernel takes any length.
const SHORT: usize = tuning::UTF_UP_TO;

/// Copies whole characters, `SRC` and `DST` being "big-endian"; returns the units copied.
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
    // SAFETY: by `# Safety`, `n` units, which are at most `room`, are writable, and initialised units are written alone.
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
            // Well-formed when trails follow leads and nothing else; a lead at the end waits for the next block.
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
        // Of lengths that are known, as they are copied in line.
        if len == BLOCK {
            to.copy_from_slice(&units);
        } else {
            to[..BLOCK - 1].copy_from_slice(&units[..BLOCK - 1]);
        }
        at += len;
    }
    // The rest, or what stands before a lone surrogate.
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

/// A copying kernel of two orders at the level that is active.
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
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx512::at(active) {
        // SAFETY: holding the token proves detection succeeded; by `# Safety`, `room` units are writable at `dst`.
        return unsafe { super::avx512::copy_units::<SRC, DST>(token, src, dst, room) };
    }
    if src.len() > SHORT
        && let Some((taken, lone)) = with_v256!(active, |token| {
            // SAFETY: holding the token proves detection succeeded; by `# Safety`, `room` units are writable at `dst`.
            unsafe { super::v256::copy_units::<SRC, DST>(token, src, dst, room) }
        })
    {
        if lone || taken == src.len() {
            return taken;
        }
        // SAFETY: the contract of this function; no more units are taken than fit.
        return taken
            + unsafe { copy_rest::<SRC, DST>(tail(src, taken), dst.add(taken), room - taken) };
    }
    // Short input and noise are served here, without the loop over blocks.
    let head = if src.len() <= SHORT { src.len() } else { 16 };
    // SAFETY: by `# Safety`, `room` units are writable at `dst`.
    let taken = unsafe { copy::<SRC, DST>(&src[..head], dst, room) };
    // The head may end inside a pair.
    if taken + 1 < head || taken == src.len() {
        return taken;
    }
    // SAFETY: the contract of this function; no more units are taken than fit.
    taken + unsafe { copy_rest::<SRC, DST>(tail(src, taken), dst.add(taken), room - taken) }
}

/// [`copy`] by call.
///
/// # Safety
/// `room` units of two bytes are writable at `dst`.
#[inline(never)]
unsafe fn copy_rest<const SRC: bool, const DST: bool>(
    src: &[[u8; 2]],
    dst: *mut [u8; 2],
    room: usize,
) -> usize {
    // SAFETY: the contract of this function is that of `copy`.
    unsafe { copy::<SRC, DST>(src, dst, room) }
}

/// Bytes to native units; returns the units taken.
pub(super) fn from_bytes(
    active: Active,
    src: &[u8],
    big_endian: bool,
    out: &mut Out<'_, u16>,
) -> usize {
    let (src, _) = src.as_chunks::<2>();
    // SAFETY: the kernel initialises the units that it returns.
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

/// Native units to bytes; returns the units taken.
pub(super) fn to_bytes(
    active: Active,
    src: &[u16],
    big_endian: bool,
    out: &mut Out<'_, u8>,
) -> usize {
    let src: &[[u8; 2]] = bytemuck::must_cast_slice(src);
    // SAFETY: the kernel initialises the units, of two bytes each, that it returns.
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
