//! The output of a block, stored in groups of variable length.

use core::mem::MaybeUninit;

use super::super::super::vector::{Bytes, Token, V256};

/// Bytes after a block's that may be written for a while.
pub(super) const WRITE_PADDING: usize = 16;

/// The bytes of a block's characters: in each register those of a group in the first half of the block, and of one in the
/// second, with how many they are.
type Groups<const N: usize> = [(Bytes, [usize; 2]); N];

/// Writes the bytes of a block, and no others; returns how many.
///
/// A store of 16 bytes writes too much. The next one covers it, and after the last one is put back what was there: to go
/// by way of a buffer would cost more, as what is loaded soon after it was stored in parts waits for them.
///
/// # Safety
/// There is room for the bytes and [`WRITE_PADDING`] more at `to`; each group has the length that it gives, 16 at most.
#[inline(always)]
pub(super) unsafe fn store_groups<const N: usize>(
    v: Token,
    to: *mut u8,
    groups: Groups<N>,
    len: usize,
) -> usize {
    // SAFETY: the contract of this function. What is kept may be uninitialised.
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
