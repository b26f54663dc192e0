//! The output of a block, stored in groups of variable length; and the bytes of characters, each at the position where
//! its character starts in a block of UTF-8.

use core::mem::MaybeUninit;

use super::super::super::arrays::map_array;
use super::super::super::utf8_encode;
use super::super::super::vector::{Bytes, Token, V256};
use super::super::Pages;

/// The number of bytes after a block's output that are overwritten and restored.
pub(super) const WRITE_PADDING: usize = 16;

/// The bytes of a block's characters. Each register has a group of the first half of the block and one of the second
/// half, with their lengths.
type Groups<const N: usize> = [(Bytes, [usize; 2]); N];

/// Writes exactly the bytes of a block. Returns their number.
///
/// Each store overshoots, and the next store overwrites the excess. The bytes after the last store are restored. A
/// buffer would cost more, because a load that spans several recent stores waits for them.
///
/// # Safety
/// The bytes and [`WRITE_PADDING`] more are writable at `to`. The lengths of the groups are at most 16 and their sum is
/// `len`.
#[inline(always)]
pub(super) unsafe fn store_groups<const N: usize>(
    v: Token,
    to: *mut u8,
    groups: Groups<N>,
    len: usize,
) -> usize {
    // SAFETY: by `# Safety`, each store of 16 bytes starts at or before `to + len`. `kept` may be uninitialised.
    unsafe {
        let after = to.add(len).cast::<[MaybeUninit<u8>; WRITE_PADDING]>();
        let kept = after.read();
        let mut to = to;
        for (bytes, lens) in groups {
            v.store_low(bytes, to);
            to = to.add(lens[0]);
        }
        for (bytes, lens) in groups {
            v.store_high(bytes, to);
            to = to.add(lens[1]);
        }
        after.write(kept);
    }
    len
}

/// Replaces the bytes at the positions set in `rest` by those that `byte` returns.
#[inline(never)]
fn patch(found: &mut [u8; 32], mut rest: u32, byte: impl Fn(usize) -> u8) {
    while rest != 0 {
        let place = rest.trailing_zeros() as usize;
        found[place] = byte(place);
        rest &= rest - 1;
    }
}

/// Applies [`patch`] to a register.
#[inline(always)]
pub(super) fn patched(v: Token, found: Bytes, rest: u32, byte: impl Fn(usize) -> u8) -> Bytes {
    let mut buffer = [0; 32];
    // SAFETY: `Bytes` has 32 bytes, the length of the buffer.
    unsafe { v.store(found, buffer.as_mut_ptr()) };
    patch(&mut buffer, rest, byte);
    // SAFETY: `Bytes` has 32 bytes, the length of the buffer.
    unsafe { v.load(buffer.as_ptr()) }
}

/// Returns the byte of the two- or three-byte character at `at`; 0 if it is unmapped or longer.
pub(super) fn byte_at(pages: &Pages<'_>, src: &[u8], at: usize) -> u8 {
    let here = map_array([0, 1, 2], |i| src.get(at + i).copied().unwrap_or(0));
    utf8_encode::character(here).map_or(0, |(code_point, _)| pages.byte(code_point))
}

/// Writes exactly the bytes set in `starts`. Returns their number.
///
/// # Safety
/// The bytes and [`WRITE_PADDING`] more are writable at `to`.
#[inline(always)]
pub(super) unsafe fn store_starts(v: Token, to: *mut u8, bytes: Bytes, starts: u32) -> usize {
    let eights = [bytes, v.second_eights(bytes)];
    let lens = v.counts(starts);
    let groups = map_array([0, 1], |i| {
        let bits = map_array([8 * i, 16 + 8 * i], |at| (starts >> at) as u8);
        (v.compress(eights[i], bits), [lens[i], lens[2 + i]])
    });
    // SAFETY: the bytes and `WRITE_PADDING` more are writable at `to`, by `# Safety`.
    unsafe { store_groups(v, to, groups, v.count(starts)) }
}
