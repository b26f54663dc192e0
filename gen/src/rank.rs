//! Bitmap-and-rank: an order-preserving minimal perfect hash from BMP code points to `u16`.
//!
//! The BMP is divided into blocks of 16 code points. A block's descriptor is one `u32`: the membership bitmap in the low
//! half, and the number of members before the block in the high half. One load gives exact membership and, with a
//! population count, the index of the value. Kernels compute with one descriptor per lane. Sixteen descriptors form a page
//! of 256 code points. A directory byte per page gives its position; page 0 is the shared empty one. Blocks of 64 code
//! points would take 10 bytes instead of 16, but need two loads.

use std::collections::BTreeMap;

/// Descriptors in a page.
const BLOCKS_PER_PAGE: usize = 16;

/// The three arrays of a bitmap-and-rank table.
pub struct RankTable {
    /// The page by `code point >> 8`.
    pub pages: [u8; 256],
    /// The descriptor by `page * 16 + (code point >> 4 & 15)`.
    pub blocks: Vec<u32>,
    /// The values in code point order.
    pub values: Vec<u16>,
}

impl RankTable {
    /// Builds the table of `map`.
    pub fn new(map: &BTreeMap<u16, u16>) -> Self {
        let mut pages = [0; 256];
        let mut blocks = vec![0; BLOCKS_PER_PAGE];
        let mut rank = 0_u32;
        for high in 0..=u8::MAX {
            let first = u16::from(high) << 8;
            if map.range(first..=first | 0xFF).next().is_none() {
                continue;
            }
            pages[usize::from(high)] = u8::try_from(blocks.len() / BLOCKS_PER_PAGE)
                .expect("at most 255 pages, as one of 256 is always empty");
            for block in (first..=first | 0xFF).step_by(16) {
                let members = map.range(block..=block | 15);
                let bitmap = members.fold(0, |bits, (&cp, _)| bits | 1 << (cp & 15));
                assert!(rank <= u32::from(u16::MAX));
                blocks.push(rank << 16 | bitmap);
                rank += bitmap.count_ones();
            }
        }
        let table = Self {
            pages,
            blocks,
            values: map.values().copied().collect(),
        };
        for code_point in 0..=u16::MAX {
            assert_eq!(table.get(code_point), map.get(&code_point).copied());
        }
        table
    }

    /// Returns the descriptor of the block of `code_point`, and the mask of the members below it.
    fn descriptor(&self, code_point: u16) -> (u32, u32) {
        let page = usize::from(self.pages[usize::from(code_point >> 8)]);
        let block = usize::from(code_point >> 4 & 15);
        let below = (1_u32 << (code_point & 15)) - 1;
        (self.blocks[page * BLOCKS_PER_PAGE + block], below)
    }

    /// Returns the value of `code_point`.
    pub fn get(&self, code_point: u16) -> Option<u16> {
        let (descriptor, below) = self.descriptor(code_point);
        (descriptor & (below + 1) != 0).then(|| self.values[self.rank(code_point)])
    }

    /// Returns the number of members below `code_point`, whose page must not be empty.
    pub fn rank(&self, code_point: u16) -> usize {
        let (descriptor, below) = self.descriptor(code_point);
        (descriptor >> 16) as usize + (descriptor & below).count_ones() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_gaps_are_told_apart() {
        // `new` itself checks all 65,536 code points.
        let map: BTreeMap<u16, u16> = [0, 15, 16, 255, 256, 0x4E00, 0xFFFF]
            .into_iter()
            .map(|code_point| (code_point, !code_point))
            .collect();
        let table = RankTable::new(&map);
        assert_eq!(table.blocks.len(), (1 + 4) * BLOCKS_PER_PAGE);
        assert_eq!(table.get(0x4E00), Some(!0x4E00));
        assert_eq!(table.get(0x4E01), None);
        assert_eq!(table.rank(0x4E01), 6);
    }

    #[test]
    fn the_empty_map_has_the_empty_page() {
        let table = RankTable::new(&BTreeMap::new());
        assert_eq!((table.blocks.len(), table.values.len()), (16, 0));
    }
}
