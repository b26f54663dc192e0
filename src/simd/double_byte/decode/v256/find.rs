//! The first pass: leads, non-ASCII steps, and pairs.

use super::super::grid::Grid;
use super::super::{DoubleByteDecode, split};
use super::masks::in_ranges;
use super::steps::Shape;
use super::{AHEAD, BLOCKS, Batch, End, Output, READ_PADDING};
use crate::simd::bits::place_of;
use crate::simd::prefetch;
use crate::simd::shuffles::list_steps;
use crate::simd::vector::{Token, V128, V256};

impl Batch {
    /// First pass: runs [`find_pairs_featured`](Self::find_pairs_featured) and computes positions. Never inlined, as
    /// its registers would be spilled.
    ///
    /// # Safety
    /// The processor has the instruction sets of the token.
    #[inline(never)]
    pub(super) unsafe fn find_pairs<G: Grid, F: Output>(
        &mut self,
        v: Token,
        pairs: &DoubleByteDecode,
        src: &[u8],
        blocks: usize,
    ) -> End {
        // SAFETY: by `# Safety`, the processor has the token's instruction sets.
        unsafe {
            let end = self.find_pairs_featured::<G, F>(v, pairs, src, blocks);
            self.find_positions::<G>(v, pairs, end)
        }
    }

    /// Fills `leads`, `steps`, and `positions` with the bytes of pairs. `src` has `READ_PADDING` bytes after the
    /// blocks.
    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn find_pairs_featured<G: Grid, F: Output>(
        &mut self,
        v: Token,
        pairs: &DoubleByteDecode,
        src: &[u8],
        blocks: usize,
    ) -> End {
        let layout = &pairs.layout;
        assert!(blocks <= BLOCKS && src.len() >= 64 * blocks + READ_PADDING);
        let list: *mut u8 = self.steps.as_mut_ptr().cast();
        let mut listed = 0;
        let (mut stop, mut carry) = (None, 0);
        for i in 0..blocks {
            // SAFETY: `64 * i + 64 <= src.len()`, asserted above.
            let (block, high) = unsafe {
                let block = src.as_ptr().add(64 * i);
                prefetch::to_read::<1, _>(block.wrapping_add(AHEAD));
                (block, v.top_bits_of_two(v.load_two(block)))
            };
            // SAFETY: 64 bytes at `block` are in `src`, as above.
            let candidates = unsafe { in_ranges(v, block, layout.leads, G::TWO_RANGES_OF_LEADS) };
            let (leads, trails) = split(candidates, &mut carry);
            self.leads[i] = leads;
            let mut strange = high & !(leads | trails);
            if F::KATAKANA && G::KATAKANA {
                // SAFETY: 64 bytes at `block` are in `src`, as above.
                strange &= !unsafe { in_ranges(v, block, [(0xA1, 0xDF); 2], false) };
            }
            // SAFETY: at most `8 * i` steps precede block `i < BLOCKS`, and the list has room for `8 * BLOCKS + 8`.
            unsafe { listed += list_steps(list.add(listed), i, high | trails) };
            if strange != 0 {
                stop = Some(64 * i + strange.trailing_zeros() as usize);
                carry = 0;
                break;
            }
        }
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let mut found = 0;
        for k in 0..listed {
            // SAFETY: `k < listed`, and each listed step belongs to a processed block. The load of 16 bytes ends at
            // most `READ_PADDING` bytes after the blocks. `found` is at most 32 per block plus one, and four pairs are
            // stored: at most `PAIRS`.
            unsafe {
                let step = usize::from(*list.add(k));
                let shape = Shape::of(u64::from(bytemuck::bytes_of(&self.leads)[step]) << 1);
                let bytes = v.load_half(src.as_ptr().add(8 * step));
                let places = v.load_eight(shape.pairs().as_ptr());
                let pairs = v.shuffle_half(bytes, places);
                v.store_eight(pairs, positions.add(found).cast());
                found += shape.leads();
            }
        }
        self.pairs = found;
        let mut at = 64 * blocks;
        if carry == 1 {
            // The trail of the last lead is after the batch, so the next batch begins with that lead.
            self.leads[blocks - 1] &= u64::MAX >> 1;
            self.pairs -= 1;
            at -= 1;
        }
        match stop {
            Some(at) => self.stop(at),
            None => End { at, stops: false },
        }
    }

    /// Ends the batch at `at`.
    #[cold]
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn stop(&mut self, at: usize) -> End {
        // Masks of later blocks are not read again.
        let (before, rest) = self.leads.split_at_mut((at / 64).min(BLOCKS));
        self.pairs = before.iter().map(|l| l.count_ones() as usize).sum();
        if let Some(leads) = rest.first_mut() {
            *leads &= (1 << (at % 64)) - 1;
            self.pairs += leads.count_ones() as usize;
        }
        End { at, stops: true }
    }

    /// Ends the batch before a pair.
    #[cold]
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn stop_before(&mut self, pair: usize) -> End {
        let at = place_of(pair, self.leads).map_or(0, |(block, at)| 64 * block + at);
        self.stop(at)
    }
}
