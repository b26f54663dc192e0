//! Pointer to code point: flat arrays, one load. 0 is unmapped, as no index maps to U+0000.

use super::load::tables;

tables! {
    /// index jis0208, pointers 0..=11103.
    JIS0208: u16 = u16s("decode_jis0208.bin");
    /// index jis0212, pointers 0..=7210.
    JIS0212: u16 = u16s("decode_jis0212.bin");
    /// index EUC-KR, pointers 0..=23749.
    EUC_KR: u16 = u16s("decode_euc_kr.bin");
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

/// The index code point in index EUC-KR.
#[inline]
pub(crate) fn euc_kr_code_point(pointer: usize) -> Option<u16> {
    code_point(&EUC_KR, pointer)
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
