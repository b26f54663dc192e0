//! Index Big5 by lead and trail (section 11.1 of the Standard), shared by Big5 and Big5-HKSCS.

use crate::tables;

/// Steps 3.3 to 3.5: returns the pointer of a pair whose lead is in 0x81 to 0xFE.
#[inline(always)]
fn pointer(lead: u8, trail: u8) -> Option<usize> {
    let cell = CELLS[usize::from(trail)];
    (cell < 157).then(|| usize::from(lead - 0x81) * 157 + usize::from(cell))
}

/// The cell of each trail byte, and 0xFF for other bytes. In short text, a look-up takes half the time of comparisons.
static CELLS: [u8; 256] = {
    let mut cells = [0xFF; 256];
    let mut cell = 0;
    while cell < 157 {
        let offset = if cell < 0x3F { 0x40 } else { 0x62 };
        cells[(cell + offset) as usize] = cell;
        cell += 1;
    }
    cells
};

/// Returns the code point of a pair whose lead is in 0x81 to 0xFE.
#[inline(always)]
pub(super) fn code_point(lead: u8, trail: u8) -> Option<u32> {
    tables::big5_code_point(pointer(lead, trail)?)
}

/// Step 3.6: returns the two code points of a pair that has two. The index has no element at these pointers.
#[inline(always)]
pub(super) fn two_code_points(lead: u8, trail: u8) -> Option<(u32, u32)> {
    match pointer(lead, trail)? {
        1133 => Some((0xCA, 0x304)),
        1135 => Some((0xCA, 0x30C)),
        1164 => Some((0xEA, 0x304)),
        1166 => Some((0xEA, 0x30C)),
        _ => None,
    }
}

/// Returns the maximum number of UTF-8 bytes for `n` bytes.
pub(super) fn max_utf8(n: usize) -> Option<usize> {
    // A pair may become four bytes: a scalar value of plane 2, or two scalar values of two bytes each.
    (n - n % 2).checked_mul(2)?.checked_add(n % 2)
}
