//! Index gb18030 for two bytes, and the ranges for four (section 10 of the Standard), shared by gb18030 and its 2005
//! edition.

use crate::tables;

/// Returns the code point of a pair whose lead is in 0x81 to 0xFE.
#[inline(always)]
pub(super) fn two_byte(lead: u8, trail: u8) -> Option<u16> {
    if !matches!(trail, 0x40..=0x7E | 0x80..=0xFE) {
        return None;
    }
    let offset = if trail < 0x7F { 0x40 } else { 0x41 };
    tables::gb18030_code_point(usize::from(lead - 0x81) * 190 + usize::from(trail - offset))
}

/// Returns the code point of four bytes that are in their ranges: 0x81 to 0xFE, digit, 0x81 to 0xFE, digit (section
/// 10.2.1, step 3).
#[inline(always)]
pub(super) fn four_byte(bytes: [u8; 4]) -> Option<u32> {
    let [first, second, third, fourth] = bytes.map(u32::from);
    tables::gb18030_ranges_code_point(
        (first - 0x81) * (10 * 126 * 10)
            + (second - 0x30) * (10 * 126)
            + (third - 0x81) * 10
            + (fourth - 0x30),
    )
}

/// Steps 9 to 16 of the encoder: returns the four bytes of a code point without a two-byte form.
#[inline(always)]
pub(super) fn four_bytes(code_point: u32) -> [u8; 4] {
    let pointer = tables::gb18030_ranges_pointer(code_point);
    [
        (pointer / (10 * 126 * 10)) as u8 + 0x81,
        (pointer / (10 * 126) % 10) as u8 + 0x30,
        (pointer / 10 % 126) as u8 + 0x81,
        (pointer % 10) as u8 + 0x30,
    ]
}
