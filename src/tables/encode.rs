//! Code point to bytes, or to row and cell, of the double-byte encodings.
//!
//! The BMP goes through [`RankTable`]s. Beside them: the main block of ideographs of gb18030 is flat; Hangul outside
//! KS X 1001 and the user-defined areas of gb18030 follow from arithmetic, as flat tables would cost 22 and 4 KB for
//! rare characters; Big5's plane 2 is a perfect hash.

use super::decode::big5_code_point;
use super::load::{joined, tables, u16s};
use super::perfect_hash;
use super::rank::RankTable;

tables! {
    JIS0208_PAGES: u8 = u8s("encode_jis0208_pages.bin");
    JIS0208_BLOCKS: u32 = u32s("encode_jis0208_blocks.bin");
    JIS0208_VALUES: u16 = u16s("encode_jis0208_values.bin");
    /// For pointers 8272..=8835, which "index Shift_JIS pointer" passes over: `row << 8 | cell` of the pointer it gives
    /// for the same code point. 0xFFFF: none.
    SHIFT_JIS_DUPLICATES: u16 = u16s("encode_shift_jis_duplicates.bin");

    EUC_KR_PAGES: u8 = u8s("encode_euc_kr_pages.bin");
    EUC_KR_BLOCKS: u32 = u32s("encode_euc_kr_blocks.bin");
    EUC_KR_VALUES: u16 = u16s("encode_euc_kr_values.bin");

    GB18030_PAGES: u8 = u8s("encode_gb18030_pages.bin");
    GB18030_BLOCKS: u32 = u32s("encode_gb18030_blocks.bin");

    BIG5_PAGES: u8 = u8s("encode_big5_pages.bin");
    BIG5_BLOCKS: u32 = u32s("encode_big5_blocks.bin");
    BIG5_VALUES: u16 = u16s("encode_big5_values.bin");
    BIG5_PLANE_2_DISPLACEMENTS: u8 = u8s("encode_big5_plane_2_displacements.bin");
    /// `lead << 8 | trail` by slot; 0 in an empty slot.
    BIG5_PLANE_2_VALUES: u16 = u16s("encode_big5_plane_2_values.bin");
}

/// `lead << 8 | trail` of the members of [`GB18030_ENCODE`], and then of U+4E00..=U+9FA5: one array, so that a kernel
/// looks up either kind with one load.
static GB18030_ALL_VALUES: [u16; (GB18030_MIXED.len() + GB18030_MAIN.len()) / 2] =
    u16s(&joined::<{ GB18030_MIXED.len() + GB18030_MAIN.len() }>(
        GB18030_MIXED,
        GB18030_MAIN,
    ));
const GB18030_MIXED: &[u8] = include_bytes!("../../tables/encode_gb18030_values.bin");
const GB18030_MAIN: &[u8] = include_bytes!("../../tables/encode_gb18030_ideographs.bin");

/// `row << 8 | cell` of the index pointer in index jis0208: rows and cells from 0, 94 cells a row.
pub(crate) static JIS0208_ENCODE: RankTable = RankTable::new(
    &JIS0208_PAGES,
    &JIS0208_BLOCKS,
    &JIS0208_VALUES,
    JIS0208_VALUES.len(),
);

/// `lead << 8 | trail`, without the Hangul syllables of the extension area.
pub(crate) static EUC_KR_ENCODE: RankTable = RankTable::new(
    &EUC_KR_PAGES,
    &EUC_KR_BLOCKS,
    &EUC_KR_VALUES,
    EUC_KR_VALUES.len(),
);

/// `lead << 8 | trail`, without the user-defined areas. U+4E00..=U+9FA5 stand behind the members.
pub(crate) static GB18030_ENCODE: RankTable = RankTable::new(
    &GB18030_PAGES,
    &GB18030_BLOCKS,
    &GB18030_ALL_VALUES,
    GB18030_MIXED.len() / 2,
);

/// `lead << 8 | trail` of the index Big5 pointer in the BMP.
pub(crate) static BIG5_ENCODE: RankTable =
    RankTable::new(&BIG5_PAGES, &BIG5_BLOCKS, &BIG5_VALUES, BIG5_VALUES.len());

/// `row << 8 | cell` of the index pointer in index jis0208. Rows are below 94.
#[inline]
pub(crate) fn jis0208_row_cell(code_point: u16) -> Option<u16> {
    JIS0208_ENCODE.get(code_point)
}

/// `row << 8 | cell` of the index Shift_JIS pointer. Rows go up to 118.
#[inline]
pub(crate) fn shift_jis_row_cell(code_point: u16) -> Option<u16> {
    const FIRST_ROW: u16 = 8272 / 94;
    let row_cell = jis0208_row_cell(code_point)?;
    match (row_cell >> 8).checked_sub(FIRST_ROW) {
        None => Some(row_cell),
        Some(row) => {
            let position = usize::from(row) * 94 + usize::from(row_cell & 0xFF);
            SHIFT_JIS_DUPLICATES
                .get(position)
                .copied()
                .filter(|&value| value != 0xFFFF)
        }
    }
}

/// `lead << 8 | trail` of the index pointer in index EUC-KR.
#[inline]
pub(crate) fn euc_kr_bytes(code_point: u16) -> Option<u16> {
    EUC_KR_ENCODE
        .get(code_point)
        .or_else(|| hangul_extension_bytes(code_point))
}

/// A Hangul syllable that KS X 1001 lacks. The extension area has them in Unicode order, so their place is the number of
/// syllables below, less those in the table. Leads 0x81..=0xA0 have 178 trails there; from 0xA1 on, 84, as 0xA1..=0xFE
/// belongs to KS X 1001.
fn hangul_extension_bytes(code_point: u16) -> Option<u16> {
    const FIRST: u16 = 0xAC00;
    const BEFORE: usize = EUC_KR_ENCODE.rank_below(FIRST);
    const FULL_ROWS: u16 = (0xA1 - 0x81) * 178;
    if !(FIRST..=0xD7A3).contains(&code_point) {
        return None;
    }
    let place = code_point - FIRST - (EUC_KR_ENCODE.rank_below(code_point) - BEFORE) as u16;
    let (lead, cell) = match place.checked_sub(FULL_ROWS) {
        None => (0x81 + place / 178, place % 178),
        Some(place) => (0xA1 + place / 84, place % 84),
    };
    let trail = match cell {
        0..26 => 0x41 + cell,
        26..52 => 0x61 + cell - 26,
        _ => 0x81 + cell - 52,
    };
    Some(lead << 8 | trail)
}

/// `lead << 8 | trail` of the gb18030 encoder's two-byte form: its 18 own rows, then the index pointer in index gb18030.
#[inline]
pub(crate) fn gb18030_bytes(code_point: u16) -> Option<u16> {
    match code_point {
        0x4E00..=0x9FA5 => GB18030_ENCODE
            .ideographs()
            .get(usize::from(code_point - 0x4E00))
            .copied(),
        0xE000..=0xE765 => gb18030_user_defined_bytes(code_point),
        _ => GB18030_ENCODE.get(code_point),
    }
}

/// U+E000..=U+E765, row by row: 0xAAA1..=0xAFFE and 0xF8A1..=0xFEFE, rows of 94, and 0xA140..=0xA7A0, rows of 96.
fn gb18030_user_defined_bytes(code_point: u16) -> Option<u16> {
    if code_point == 0xE5E5 {
        // Its bytes, 0xA3 0xA0, decode to U+3000.
        return None;
    }
    let (lead, trail) = match code_point - 0xE000 {
        offset @ 0..564 => (0xAA + offset / 94, 0xA1 + offset % 94),
        offset @ 564..1222 => (0xF8 + (offset - 564) / 94, 0xA1 + (offset - 564) % 94),
        offset => {
            let cell = (offset - 1222) % 96;
            let trail = if cell < 0x3F {
                0x40 + cell
            } else {
                0x41 + cell
            };
            (0xA1 + (offset - 1222) / 96, trail)
        }
    };
    Some(lead << 8 | trail)
}

/// `lead << 8 | trail` of the index Big5 pointer.
#[inline]
pub(crate) fn big5_bytes(code_point: u32) -> Option<u16> {
    match u16::try_from(code_point) {
        Ok(code_point) => BIG5_ENCODE.get(code_point),
        Err(_) => big5_plane_2_bytes(code_point),
    }
}

/// The slot's bytes are the ones if they decode to the code point.
fn big5_plane_2_bytes(code_point: u32) -> Option<u16> {
    let hash = perfect_hash::hash_code_point(code_point);
    let slot = perfect_hash::slot(hash, &BIG5_PLANE_2_DISPLACEMENTS, BIG5_PLANE_2_VALUES.len());
    let bytes = BIG5_PLANE_2_VALUES
        .get(slot)
        .copied()
        .filter(|&bytes| bytes != 0)?;
    let (lead, trail) = (usize::from(bytes >> 8), usize::from(bytes & 0xFF));
    let pointer = (lead - 0x81) * 157 + trail - if trail < 0x7F { 0x40 } else { 0x62 };
    (big5_code_point(pointer) == Some(code_point)).then_some(bytes)
}
