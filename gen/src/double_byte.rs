//! The mapping from pointers to bytes of each double-byte encoding: the closing steps of the Standard's encoders.

/// The number of leads of Big5, EUC-KR and gb18030: 0x81..=0xFE.
pub const LEADS: u32 = 0xFE - 0x81 + 1;

/// The pointer arithmetic of an encoding: the number of trail bytes per lead byte, and the mapping to bytes.
pub struct Layout {
    /// The number of trail bytes per lead byte.
    pub trails: u32,
    first_lead: u32,
    first_trail: u32,
    /// The first cell whose trail byte is counted from `second_trail` instead of `first_trail`.
    split: u32,
    second_trail: u32,
}

/// Big5: 157 trail bytes, 0x40..=0x7E and 0xA1..=0xFE.
pub const BIG5: Layout = Layout::new(157, 0x81, 0x40, 0x3F, 0xA1);
/// EUC-KR: 190 trail bytes, 0x41..=0xFE.
pub const EUC_KR: Layout = Layout::new(190, 0x81, 0x41, 190, 0);
/// gb18030: 190 trail bytes, 0x40..=0x7E and 0x80..=0xFE.
pub const GB18030: Layout = Layout::new(190, 0x81, 0x40, 0x3F, 0x80);
/// EUC-JP, for index jis0208 and, after 0x8F, for index jis0212: 94 trail bytes, 0xA1..=0xFE.
pub const EUC_JP: Layout = Layout::new(94, 0xA1, 0xA1, 94, 0);
/// Shift_JIS: 188 trail bytes, 0x40..=0x7E and 0x80..=0xFC. Lead bytes skip 0xA0..=0xDF.
pub const SHIFT_JIS: Layout = Layout::new(188, 0x81, 0x40, 0x3F, 0x80);

impl Layout {
    pub const fn new(
        trails: u32,
        first_lead: u32,
        first_trail: u32,
        split: u32,
        second_trail: u32,
    ) -> Self {
        Self {
            trails,
            first_lead,
            first_trail,
            split,
            second_trail,
        }
    }

    /// Returns the lead and trail bytes of `pointer`.
    pub fn bytes(&self, pointer: u32) -> [u8; 2] {
        let (row, cell) = (pointer / self.trails, pointer % self.trails);
        let mut lead = self.first_lead + row;
        if self.trails == SHIFT_JIS.trails && lead >= 0xA0 {
            lead += 0xE0 - 0xA0;
        }
        let trail = if cell < self.split {
            self.first_trail + cell
        } else {
            self.second_trail + cell - self.split
        };
        [lead, trail].map(|byte| u8::try_from(byte).expect("a pointer of this layout"))
    }

    /// Returns `lead << 8 | trail` of `pointer`.
    pub fn value(&self, pointer: u32) -> u16 {
        u16::from_be_bytes(self.bytes(pointer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_cover_their_byte_ranges() {
        assert_eq!(BIG5.bytes(0), [0x81, 0x40]);
        assert_eq!(BIG5.bytes(0x3F), [0x81, 0xA1]);
        assert_eq!(BIG5.bytes(LEADS * 157 - 1), [0xFE, 0xFE]);
        assert_eq!(EUC_KR.bytes(LEADS * 190 - 1), [0xFE, 0xFE]);
        assert_eq!(GB18030.bytes(0x3F), [0x81, 0x80]);
        assert_eq!(GB18030.bytes(LEADS * 190 - 1), [0xFE, 0xFE]);
        assert_eq!(EUC_JP.bytes(94 * 94 - 1), [0xFE, 0xFE]);
        assert_eq!(SHIFT_JIS.bytes(31 * 188 - 1), [0x9F, 0xFC]);
        assert_eq!(SHIFT_JIS.bytes(31 * 188), [0xE0, 0x40]);
        assert_eq!(SHIFT_JIS.bytes(60 * 188 - 1), [0xFC, 0xFC]);
    }
}
