//! Bitmap-and-rank: an order-preserving minimal perfect hash from BMP code points to `u16`.
//!
//! Blocks of 16 code points have one descriptor each, sixteen of them make a page, and a directory names the page of each
//! 256 code points; all that is empty shares page 0. One load of a descriptor gives membership, exactly, and with a
//! population count the place of the value, so a look-up is three dependent loads and one branch that input can sway.
//! Compared with a two-stage table this saves about 100 KB over all encodings.

/// A map from BMP code points to `u16`.
#[derive(Debug)]
pub(crate) struct RankTable {
    /// By `code point >> 8`: the page.
    pub(crate) pages: [u8; 256],
    /// By `page * 16 + (code point >> 4 & 15)`: the descriptor. Low half: bitmap of the members. High half: how many
    /// members come before the block.
    pub(crate) blocks: &'static [u32],
    /// In the order of code points.
    pub(crate) values: &'static [u16],
}

impl RankTable {
    /// The value of `code_point`, if it is a member.
    #[inline(always)]
    pub(crate) fn get(&self, code_point: u16) -> Option<u16> {
        let descriptor = self.descriptor(code_point);
        if descriptor >> (code_point & 15) & 1 == 0 {
            return None;
        }
        self.values.get(rank(descriptor, code_point)).copied()
    }

    /// How many members are smaller than `code_point`, provided that its page has any.
    #[inline(always)]
    pub(crate) const fn rank_below(&self, code_point: u16) -> usize {
        rank(self.descriptor(code_point), code_point)
    }

    #[inline(always)]
    const fn descriptor(&self, code_point: u16) -> u32 {
        let page = self.pages[(code_point >> 8) as usize] as usize;
        let block = page * 16 + (code_point >> 4 & 15) as usize;
        // Every page of the directory exists; the check stands in for a panic.
        if block < self.blocks.len() {
            self.blocks[block]
        } else {
            0
        }
    }
}

#[inline(always)]
const fn rank(descriptor: u32, code_point: u16) -> usize {
    let below = (1_u32 << (code_point & 15)) - 1;
    (descriptor >> 16) as usize + (descriptor & below).count_ones() as usize
}
