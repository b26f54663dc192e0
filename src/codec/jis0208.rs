//! Index jis0208 by row and cell of 94, shared by EUC-JP and ISO-2022-JP.

use crate::simd::{DoubleByteDecode, Layout};
use crate::tables;

/// Pairs with both high bits set, for the vector kernels: the pairs of EUC-JP. The codec of ISO-2022-JP sets the bits
/// when it removes the escape sequences.
pub(crate) static EUC_PAIRS: DoubleByteDecode = DoubleByteDecode {
    layout: Layout::EUC,
    index: &tables::JIS0208,
};

/// Returns the code point of a row and a cell, each counted from 0 and below 94.
#[inline(always)]
pub(crate) fn code_point(row: u8, cell: u8) -> Option<u16> {
    tables::jis0208_code_point(usize::from(row) * 94 + usize::from(cell))
}

/// Returns the row (high byte) and the cell (low byte) of a code point, after applying the encoders' rule for U+2212.
#[inline(always)]
pub(crate) fn row_cell(scalar: u32) -> Option<u16> {
    match scalar {
        // "If codePoint is U+2212 (−), then set it to U+FF0D (－)."
        0x2212 => tables::jis0208_row_cell(0xFF0D),
        _ => tables::jis0208_row_cell(u16::try_from(scalar).ok()?),
    }
}
