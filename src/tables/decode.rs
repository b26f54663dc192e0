//! Pointer to code point: flat arrays, one load. 0 is unmapped, as no index maps to U+0000.

use super::load::tables;

tables! {
    /// index jis0208, pointers 0..=11103.
    JIS0208: u16 = u16s("decode_jis0208.bin");
    /// index jis0212, pointers 0..=7210.
    JIS0212: u16 = u16s("decode_jis0212.bin");
    /// The part of index EUC-KR that is KS X 1001, by row and cell: `94 * row + cell`.
    EUC_KR: u16 = u16s("decode_euc_kr.bin");
    /// The rest of it, the syllables that KS X 1001 lacks, by place: every 32nd, and what to add for each.
    EUC_KR_BASES: u16 = u16s("decode_euc_kr_bases.bin");
    EUC_KR_STEPS: u8 = u8s("decode_euc_kr_steps.bin");
    /// index gb18030, pointers 0..=23939, none unmapped.
    GB18030: u16 = u16s("decode_gb18030.bin");
    /// index Big5 from pointer [`BIG5_FIRST_POINTER`] on: the low 16 bits of the code point.
    BIG5: u16 = u16s("decode_big5.bin");
    /// Bitmap beside [`BIG5`], least significant bit first: the code point is in plane 2.
    BIG5_PLANE_2: u32 = u32s("decode_big5_plane_2.bin");
}

/// The pointer of the first entry of [`BIG5`].
pub(crate) const BIG5_FIRST_POINTER: usize = 942;

#[inline(always)]
fn code_point(index: &[u16], pointer: usize) -> Option<u16> {
    index
        .get(pointer)
        .copied()
        .filter(|&code_point| code_point != 0)
}

/// The index code point in index jis0208.
#[inline]
pub(crate) fn jis0208_code_point(pointer: usize) -> Option<u16> {
    code_point(&JIS0208, pointer)
}

/// The index code point in index jis0212.
#[inline]
pub(crate) fn jis0212_code_point(pointer: usize) -> Option<u16> {
    code_point(&JIS0212, pointer)
}

/// The index code point in index EUC-KR, where pointers are `190 * row + column`.
#[inline]
pub(crate) fn euc_kr_code_point(row: usize, column: usize) -> Option<u16> {
    // The first lead and the first trail of KS X 1001 are 0xA1; there are 94 of each.
    let row_from_a1 = row.checked_sub(0xA1 - 0x81).map(|row| row.min(94));
    match (row_from_a1, column) {
        (Some(row), 96..190) => code_point(&EUC_KR, 94 * row + column - 96),
        _ => hangul_extension(row_from_a1, row, column),
    }
}

/// The syllable of a pair of the extension area, as `hangul_extension_bytes` has it the other way round: leads below 0xA1
/// have 178 trails there, others 84.
fn hangul_extension(row_from_a1: Option<usize>, row: usize, column: usize) -> Option<u16> {
    // Trails A to Z, a to z, and from 0x81 on.
    let cell = match column {
        0..26 => column,
        32..58 => column - 6,
        64..190 => column - 12,
        _ => return None,
    };
    let place = match row_from_a1 {
        None => 178 * row + cell,
        Some(row) => 178 * (0xA1 - 0x81) + 84 * row + cell,
    };
    let step = *EUC_KR_STEPS.get(place)?;
    let base = *EUC_KR_BASES.get(place / 32)?;
    Some(base + u16::from(step))
}

/// The index code point in index gb18030.
#[inline]
pub(crate) fn gb18030_code_point(pointer: usize) -> Option<u16> {
    code_point(&GB18030, pointer)
}

/// The index code point in index Big5. The four pointers that decode to two code points are not in the index.
#[inline]
pub(crate) fn big5_code_point(pointer: usize) -> Option<u32> {
    let position = pointer.checked_sub(BIG5_FIRST_POINTER)?;
    let low = code_point(&BIG5, position)?;
    let in_plane_2 = BIG5_PLANE_2.get(position / 32)? & 1 << (position % 32) != 0;
    Some(u32::from(in_plane_2) << 17 | u32::from(low))
}
