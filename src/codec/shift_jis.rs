//! Shift_JIS (section 12.3 of the Standard).

use super::double_byte::{Encoding, Steps};
use super::pair_decoder::Pairs;
use crate::simd::{DoubleByteDecode, DoubleByteEncode, Flat, Layout, Packed, Values};
use crate::tables;

static KERNEL: DoubleByteDecode = DoubleByteDecode {
    layout: Layout {
        leads: Decode::LEADS,
        plain: Decode::LEADS,
        lead_offsets: [0x81, 0xC1],
        columns: 188,
        trails: [(0x40, 0x7E), (0x80, 0xFC)],
        trail_offsets: [0x40, 0x41],
        first_pointer: 0,
        katakana: true,
    },
    index: &tables::JIS0208,
};

#[derive(Clone, Copy)]
pub(crate) struct Decode;

impl Pairs for Decode {
    const KERNEL: &'static DoubleByteDecode = &KERNEL;

    const LEADS: [(u8, u8); 2] = [(0x81, 0x9F), (0xE0, 0xFC)];

    #[inline(always)]
    fn single(byte: u8) -> Option<u32> {
        match byte {
            // Step 4. The other bytes of this step are ASCII.
            0x80 => Some(0x80),
            // Step 5.
            0xA1..=0xDF => Some(0xFF61 - 0xA1 + u32::from(byte)),
            _ => None,
        }
    }

    #[inline(always)]
    fn scalar(lead: u8, trail: u8) -> Option<u32> {
        // Steps 3.1 to 3.6.
        if !matches!(trail, 0x40..=0x7E | 0x80..=0xFC) {
            return None;
        }
        let offset = if trail < 0x7F { 0x40 } else { 0x41 };
        let lead_offset = if lead < 0xA0 { 0x81 } else { 0xC1 };
        let pointer = usize::from(lead - lead_offset) * 188 + usize::from(trail - offset);
        // Windows' end-user-defined characters.
        if (8836..=10715).contains(&pointer) {
            return Some((0xE000 - 8836 + pointer) as u32);
        }
        tables::jis0208_code_point(pointer).map(u32::from)
    }

    fn max_utf8(n: usize) -> Option<usize> {
        // A single-byte katakana becomes three bytes.
        n.checked_mul(3)
    }
}

struct Encode;

impl Steps for Encode {
    #[inline(always)]
    fn bytes(scalar: u32) -> Option<Packed> {
        Some(match scalar {
            // Step 2.
            0x80 => Packed::one(0x80),
            // Steps 3 and 4.
            0xA5 => Packed::one(0x5C),
            0x203E => Packed::one(0x7E),
            // Step 5.
            0xFF61..=0xFF9F => Packed::one((scalar - 0xFF61 + 0xA1) as u8),
            // Step 6.
            0x2212 => Packed::lead_trail(bytes(tables::shift_jis_row_cell(0xFF0D)?)),
            _ => Packed::lead_trail(bytes(tables::shift_jis_row_cell(
                u16::try_from(scalar).ok()?,
            )?)),
        })
    }

    /// Steps 9 to 13 on row and cell: two rows of 94 cells share a lead with 188 trails.
    #[inline(always)]
    fn pair(scalar: u32) -> Option<u16> {
        /// The number of rows before the duplicates.
        const ROWS: u16 = tables::SHIFT_JIS_FIRST_DUPLICATE_ROW;
        let row_cell = tables::jis0208_row_cell(u16::try_from(scalar).ok()?)?;
        (row_cell < ROWS << 8).then(|| bytes(row_cell))
    }
}

pub(crate) static ENCODE: Encoding = Encoding::new::<Encode>(DoubleByteEncode {
    flat: Flat::new(),
    table: &tables::JIS0208_ENCODE,
    values: Values::ShiftJis,
    ask: 0,
    others: Encode::bytes,
});

/// Returns the two bytes of a row and a cell as `lead << 8 | trail`.
#[inline(always)]
fn bytes(row_cell: u16) -> u16 {
    let (row, cell) = (row_cell >> 8, row_cell & 0xFF);
    let lead = (row >> 1) + if row < 2 * 0x1F { 0x81 } else { 0xC1 };
    let trail = cell + if row & 1 == 0 { 0 } else { 94 };
    lead << 8 | (trail + if trail < 0x3F { 0x40 } else { 0x41 })
}
