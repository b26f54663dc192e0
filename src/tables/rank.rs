//! Bitmap-and-rank: an order-preserving minimal perfect hash from BMP code points to `u16`.
//!
//! Each block of 16 code points has one descriptor. Sixteen descriptors make a page, and a directory has the page of
//! each 256 code points; empty pages are page 0. One load of a descriptor gives exact membership, and with a population
//! count the index of the value. A look-up is three dependent loads and one data-dependent branch. Compared with a
//! two-stage table this saves about 100 KB over all encodings.

// AVX-512 kernels read the parts of a table directly. AVX2 and NEON kernels look values up without a branch.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

/// A map from BMP code points to `u16`.
#[derive(Debug)]
pub(crate) struct RankTable {
    /// The number of the page of 256 code points, by `code point >> 8`.
    pages: &'static [u8; 256],
    /// The descriptor by `page * 16 + (code point >> 4 & 15)`. Low half: bitmap of the members. High half: the number
    /// of members before the block.
    blocks: &'static [u32],
    /// The values of members, in the order of code points; in some tables, then values of code points from U+4E00 on.
    values: &'static [u16],
    /// The number of members' values. If more values follow, no code point from U+4E00 on is a member.
    members: usize,
}

impl RankTable {
    /// Creates the map, and checks the bounds that vector kernels rely on, at compile time.
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

    /// Returns the number of the page, by `code point >> 8`.
    #[inline(always)]
    pub(crate) const fn pages(&self) -> &'static [u8; 256] {
        self.pages
    }

    /// Returns the descriptors, at least one.
    #[inline(always)]
    pub(crate) const fn blocks(&self) -> &'static [u32] {
        self.blocks
    }

    /// Returns the members' values, then those of ideographs; at least one.
    #[inline(always)]
    pub(crate) const fn values(&self) -> &'static [u16] {
        self.values
    }

    /// Returns the number of members. Each member has a value.
    #[inline(always)]
    pub(crate) const fn members(&self) -> usize {
        self.members
    }

    /// Returns the values of the code points from U+4E00 on that are not members; empty in most tables.
    #[inline(always)]
    pub(crate) fn ideographs(&self) -> &'static [u16] {
        self.values.get(self.members..).unwrap_or(&[])
    }

    /// Returns the value of `code_point`, if it is a member.
    #[inline(always)]
    pub(crate) fn get(&self, code_point: u16) -> Option<u16> {
        let descriptor = self.descriptor(code_point);
        if descriptor >> (code_point & 15) & 1 == 0 {
            return None;
        }
        let place = (descriptor >> 16) as usize + count_of_15(below(descriptor, code_point));
        self.values.get(place).copied()
    }

    /// Returns a value, and true if `code_point` is a member; otherwise the value is unspecified. Branch-free, as texts
    /// mix members and other code points.
    #[inline(always)]
    pub(crate) fn find(&self, code_point: u16) -> (u16, bool) {
        let descriptor = self.descriptor(code_point);
        let place = rank(descriptor, code_point);
        let value = self.values.get(place).copied().unwrap_or(0);
        (value, descriptor >> (code_point & 15) & 1 != 0)
    }

    /// Returns the number of members below `code_point`, provided that its page has any.
    #[inline(always)]
    pub(crate) const fn rank_below(&self, code_point: u16) -> usize {
        rank(self.descriptor(code_point), code_point)
    }

    #[inline(always)]
    const fn descriptor(&self, code_point: u16) -> u32 {
        let page = self.pages[(code_point >> 8) as usize] as usize;
        let block = page * 16 + (code_point >> 4 & 15) as usize;
        // The directory only has existing pages. The check replaces a panic in the compiled code.
        if block < self.blocks.len() {
            self.blocks[block]
        } else {
            0
        }
    }
}

/// Returns the index of a value. Kernels have an instruction that counts bits; [`RankTable::get`] uses [`count_of_15`].
#[inline(always)]
const fn rank(descriptor: u32, code_point: u16) -> usize {
    (descriptor >> 16) as usize + below(descriptor, code_point).count_ones() as usize
}

/// Returns the members of a block below `code_point`: 15 bits.
#[inline(always)]
const fn below(descriptor: u32, code_point: u16) -> u32 {
    descriptor & ((1 << (code_point & 15)) - 1)
}

/// Counts the set bits of 15, in half the instructions that `count_ones` takes without a population count instruction.
/// Every fourth bit of four copies, shifted by multiples of 15 bits, gives each bit once; a product sums them.
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
