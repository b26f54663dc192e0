//! Code units between native order and bytes of either order: copied, or copied with their bytes swapped.
//!
//! Portable code, compiled once per instruction set: a block without surrogates is one loop that the compiler turns
//! into vectors. A block with surrogates goes pair by pair, and what is left over unit by unit.

use super::super::out::Out;
use super::super::token::{self, Active};

/// Units in a block: four registers of AVX-512's.
const BLOCK: usize = 64;

/// Reads code units of one byte order, natively.
#[inline(always)]
fn native<const BIG_ENDIAN: bool>(bytes: [u8; 2]) -> u16 {
    if BIG_ENDIAN {
        u16::from_be_bytes(bytes)
    } else {
        u16::from_le_bytes(bytes)
    }
}

#[inline(always)]
fn is_surrogate(unit: u16) -> bool {
    unit & 0xF800 == 0xD800
}

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
    let put = |unit: u16| {
        if DST {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        }
    };
    let mut at = 0;
    loop {
        while let Some(block) = src[at..n].first_chunk::<BLOCK>() {
            let surrogates = block.iter().fold(0, |any, &bytes| {
                any | u16::from(is_surrogate(native::<SRC>(bytes)))
            });
            if surrogates != 0 {
                break;
            }
            // SAFETY: `BLOCK` more units than `at` are at most `n`, which is at most `room`.
            unsafe {
                dst.add(at)
                    .cast::<[[u8; 2]; BLOCK]>()
                    .write(block.map(|bytes| put(native::<SRC>(bytes))));
            }
            at += BLOCK;
        }
        // A block's worth, or the rest.
        let end = n.min(at + BLOCK);
        while at < end {
            let unit = native::<SRC>(src[at]);
            if is_surrogate(unit) {
                if unit & 0x400 != 0 || at + 1 >= n {
                    return at;
                }
                let trail = native::<SRC>(src[at + 1]);
                if trail & 0xFC00 != 0xDC00 {
                    return at;
                }
                // SAFETY: at + 1 < n <= room.
                unsafe {
                    dst.add(at)
                        .cast::<[[u8; 2]; 2]>()
                        .write([put(unit), put(trail)])
                };
                at += 2;
            } else {
                // SAFETY: at < n <= room.
                unsafe { dst.add(at).write(put(unit)) };
                at += 1;
            }
        }
        if at >= n {
            return at;
        }
    }
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
    {
        #[target_feature(enable = "avx2")]
        unsafe fn avx2<const SRC: bool, const DST: bool>(
            src: &[[u8; 2]],
            dst: *mut [u8; 2],
            room: usize,
        ) -> usize {
            // SAFETY: the contract of this function is that of `copy`.
            unsafe { copy::<SRC, DST>(src, dst, room) }
        }
        #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl")]
        unsafe fn avx512<const SRC: bool, const DST: bool>(
            src: &[[u8; 2]],
            dst: *mut [u8; 2],
            room: usize,
        ) -> usize {
            // SAFETY: the contract of this function is that of `copy`.
            unsafe { copy::<SRC, DST>(src, dst, room) }
        }
        if token::Avx512::at(active).is_some() {
            // SAFETY: the token proves detection succeeded; the rest is the contract of this function.
            return unsafe { avx512::<SRC, DST>(src, dst, room) };
        }
        if token::Avx2::at(active).is_some() {
            // SAFETY: as above.
            return unsafe { avx2::<SRC, DST>(src, dst, room) };
        }
    }
    let _ = active;
    // SAFETY: the contract of this function.
    unsafe { copy::<SRC, DST>(src, dst, room) }
}

const HERE: bool = cfg!(target_endian = "big");

/// Bytes to native units; returns the units taken.
pub(super) fn from_bytes(
    active: Active,
    src: &[u8],
    big_endian: bool,
    out: &mut Out<'_, u16>,
) -> usize {
    let (src, _) = src.as_chunks::<2>();
    let (dst, room) = (out.spare_ptr().cast(), out.room());
    // SAFETY: `out` has room for `room` units, and the kernel initialises those it reports.
    unsafe {
        let taken = if big_endian {
            dispatch::<true, HERE>(active, src, dst, room)
        } else {
            dispatch::<false, HERE>(active, src, dst, room)
        };
        out.advance(taken);
        taken
    }
}

/// Native units to bytes; returns the units taken.
pub(super) fn to_bytes(
    active: Active,
    src: &[u16],
    big_endian: bool,
    out: &mut Out<'_, u8>,
) -> usize {
    let (dst, room) = (out.spare_ptr().cast(), out.room() / 2);
    // SAFETY: a code unit is two bytes, and `[u8; 2]` needs no alignment; `out` has room for `room` units, and the
    // kernel initialises those it reports.
    unsafe {
        let src = core::slice::from_raw_parts(src.as_ptr().cast(), src.len());
        let taken = if big_endian {
            dispatch::<HERE, true>(active, src, dst, room)
        } else {
            dispatch::<HERE, false>(active, src, dst, room)
        };
        out.advance(2 * taken);
        taken
    }
}
