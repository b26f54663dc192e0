//! Bitmap-and-rank: an order-preserving minimal perfect hash from BMP code points to `u16`.
//!
//! Blocks of 16 code points have one descriptor each, sixteen of them make a page, and a directory names the page of each
//! 256 code points; all that is empty shares page 0. One load of a descriptor gives membership, exactly, and with a
//! population count the place of the value, so a look-up is three dependent loads and one branch that input can sway.
//! Compared with a two-stage table this saves about 100 KB over all encodings.

// Kernels for AVX-512 read the parts of a table, and those for AVX2 and NEON look values up without a branch.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

/// A map from BMP code points to `u16`.
#[derive(Debug)]
pub(crate) struct RankTable {
    /// By `code point >> 8`: the page.
    pages: &'static [u8; 256],
    /// By `page * 16 + (code point >> 4 & 15)`: the descriptor. Low half: bitmap of the members. High half: how many
    /// members come before the block.
    blocks: &'static [u32],
    /// The members' values in the order of code points, and after them those of the code points from U+4E00 on.
    values: &'static [u16],
    /// How many of `values` are members'. If there are more, no code point of the latter is a member.
    members: usize,
}

impl RankTable {
    /// The map. Vector kernels rely on what is asserted here, when the crate is compiled, for their bounds.
    pub(crate) const fn new(
        pages: &'static [u8; 256],
        blocks: &'static [u32],
        values: &'static [u16],
        members: usize,
    ) -> Self {
        assert!(!blocks.is_empty() && blocks.len() <= 1 << 16);
        assert!(!values.is_empty() && values.len() < 1 << 16);
        assert!(members <= values.len());
        Self {
            pages,
            blocks,
            values,
            members,
        }
    }

    /// Page by `code point >> 8`.
    #[inline(always)]
    pub(crate) const fn pages(&self) -> &'static [u8; 256] {
        self.pages
    }

    /// The descriptors, one at least.
    #[inline(always)]
    pub(crate) const fn blocks(&self) -> &'static [u32] {
        self.blocks
    }

    /// The members' values, and the ideographs' after them; one at least.
    #[inline(always)]
    pub(crate) const fn values(&self) -> &'static [u16] {
        self.values
    }

    /// How many values are members'.
    #[inline(always)]
    pub(crate) const fn members(&self) -> usize {
        self.members
    }

    /// The values of the code points from U+4E00 on that are not members; none in most tables.
    #[inline(always)]
    pub(crate) fn ideographs(&self) -> &'static [u16] {
        self.values.get(self.members..).unwrap_or(&[])
    }

    /// The value of `code_point`, if it is a member.
    #[inline(always)]
    pub(crate) fn get(&self, code_point: u16) -> Option<u16> {
        let descriptor = self.descriptor(code_point);
        if descriptor >> (code_point & 15) & 1 == 0 {
            return None;
        }
        let place = (descriptor >> 16) as usize + count_of_15(below(descriptor, code_point));
        self.values.get(place).copied()
    }

    /// The value of a member, and whether it is one; the value of another code point is unspecified. Branch-free, for text
    /// that mixes both.
    #[inline(always)]
    pub(crate) fn find(&self, code_point: u16) -> (u16, bool) {
        let descriptor = self.descriptor(code_point);
        let place = rank(descriptor, code_point);
        let value = self.values.get(place).copied().unwrap_or(0);
        (value, descriptor >> (code_point & 15) & 1 != 0)
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

/// The place of a value. Kernels have an instruction that counts bits; [`RankTable::get`] has [`count_of_15`].
#[inline(always)]
const fn rank(descriptor: u32, code_point: u16) -> usize {
    (descriptor >> 16) as usize + below(descriptor, code_point).count_ones() as usize
}

/// The members of a block that are smaller than `code_point`: 15 bits.
#[inline(always)]
const fn below(descriptor: u32, code_point: u16) -> u32 {
    descriptor & ((1 << (code_point & 15)) - 1)
}

/// How many of 15 bits are set, in half the instructions that `count_ones` takes where the processor is not known to have one
/// for it: of four copies, each a multiple of 15 bits further on, every fourth bit is one of the 15, and a product sums them up.
#[inline(always)]
const fn count_of_15(bits: u32) -> usize {
    let copies = (bits as u64).wrapping_mul(0x2000_4000_8001);
    ((copies & 0x0111_1111_1111_1111).wrapping_mul(0x1111_1111_1111_1111) >> 60) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_counted() {
        for bits in 0..1 << 15 {
            assert_eq!(count_of_15(bits), bits.count_ones() as usize, "{bits:b}");
        }
    }
}
