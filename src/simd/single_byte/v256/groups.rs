//! The output of a block, stored in groups of variable length.

use core::mem::MaybeUninit;

use super::super::super::vector::{Bytes, Token, V256};

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
