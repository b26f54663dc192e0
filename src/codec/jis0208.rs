//! What EUC-JP and ISO-2022-JP share: index jis0208 by row and cell of 94.

use crate::simd::{DoubleByteDecode, Layout};
use crate::tables;

/// Characters with both high bits set, for the vector kernels: EUC-JP's, and those of ISO-2022-JP without escape
/// sequences.
pub(crate) static EUC_PAIRS: DoubleByteDecode = DoubleByteDecode {
    layout: Layout::EUC,
    index: &tables::JIS0208,
    four_bytes: None,
};

/// The code point of a row and a cell, each counted from 0 and below 94.
#[inline(always)]
pub(crate) fn code_point(row: u8, cell: u8) -> Option<u16> {
    tables::jis0208_code_point(usize::from(row) * 94 + usize::from(cell))
}

/// Row (high byte) and cell (low byte) of a code point, after the encoders' rule for U+2212.
#[inline(always)]
pub(crate) fn row_cell(scalar: u32) -> Option<u16> {
    match scalar {
        // "If codePoint is U+2212 (−), then set it to U+FF0D (－)."
        0x2212 => tables::jis0208_row_cell(0xFF0D),
        _ => tables::jis0208_row_cell(u16::try_from(scalar).ok()?),
    }
}
