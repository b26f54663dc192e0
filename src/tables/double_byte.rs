//! The tables of double-byte encodings, in both directions.
//!
//! Pointer to code point: flat arrays, with one load; 0 is unmapped, because no index contains U+0000.
//!
//! Code point to bytes, or to row and cell: [`RankTable`]s for the BMP, with three exceptions. The main block of
//! ideographs of gb18030 is flat. Hangul outside KS X 1001 and the user-defined areas of gb18030 follow from
//! arithmetic, as flat tables would cost 22 and 4 KB for rare characters. Big5's plane 2 is a perfect hash.
//!
//! `gen` writes the statics: the index of an encoding `NAME`, and its rank table `NAME_ENCODE`.

use super::load::{u8s, u16s, u32s};
use super::perfect_hash;
use super::rank::RankTable;
use core::ops::Range;

include!("../../tables/double_byte.rs");

/// The pointer of the first entry of [`BIG5`].
pub(crate) const BIG5_FIRST_POINTER: usize = 942;

/// Returns the index code point in an index that `gen` has written flat by pointer, for the BMP.
#[inline(always)]
pub(crate) fn index_code_point(index: &[u16], pointer: usize) -> Option<u16> {
    index
        .get(pointer)
        .copied()
        .filter(|&code_point| code_point != 0)
}

/// Returns the index code point in index jis0208.
#[inline]
pub(crate) fn jis0208_code_point(pointer: usize) -> Option<u16> {
    index_code_point(&JIS0208, pointer)
}

/// Returns the index code point in index jis0212.
#[inline]
pub(crate) fn jis0212_code_point(pointer: usize) -> Option<u16> {
    index_code_point(&JIS0212, pointer)
}

/// Returns the index code point in index EUC-KR, whose pointers are `190 * row + column`.
#[inline]
pub(crate) fn euc_kr_code_point(row: usize, column: usize) -> Option<u16> {
    // `EUC_KR` covers KS X 1001 only, nearly all of text: its first lead and first trail are 0xA1, and there are 94 of
    // each.
    let row_from_a1 = row.checked_sub(0xA1 - 0x81).map(|row| row.min(94));
    match (row_from_a1, column.wrapping_sub(0xA1 - 0x41)) {
        (Some(row @ 0..94), cell @ 0..94) => index_code_point(&EUC_KR, 94 * row + cell),
        _ => hangul_extension(row_from_a1, row, column),
    }
}

/// Returns the syllable of a pair of the extension area, the inverse of `hangul_extension_bytes`: leads below 0xA1 have
/// 178 trails there, others 84.
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
    // A syllable that KS X 1001 lacks is stored as the distance from a base. Every 32nd such syllable is a base.
    let step = *EUC_KR_STEPS.get(place)?;
    let base = *EUC_KR_BASES.get(place / 32)?;
    Some(base + u16::from(step))
}

/// Returns the index code point in index gb18030.
#[inline]
pub(crate) fn gb18030_code_point(pointer: usize) -> Option<u16> {
    index_code_point(&GB18030, pointer)
}

/// Returns the index code point in index Big5. The four pointers that decode to two code points are not in the index.
#[inline]
pub(crate) fn big5_code_point(pointer: usize) -> Option<u32> {
    /// Leads 0xA1 to 0xC7, which nearly all text uses, are all in plane 0.
    const PLAIN: Range<usize> =
        (0xA1 - 0x81) * 157 - BIG5_FIRST_POINTER..(0xC8 - 0x81) * 157 - BIG5_FIRST_POINTER;
    let position = pointer.checked_sub(BIG5_FIRST_POINTER)?;
    let low = index_code_point(&BIG5, position)?;
    if PLAIN.contains(&position) {
        return Some(low.into());
    }
    // One bit for each entry, the least significant first.
    let in_plane_2 = BIG5_PLANE_2.get(position / 32)? & 1 << (position % 32) != 0;
    Some(u32::from(in_plane_2) << 17 | u32::from(low))
}

/// Returns `row << 8 | cell` of the "index pointer" in index jis0208. Rows are below 94.
#[inline]
pub(crate) fn jis0208_row_cell(code_point: u16) -> Option<u16> {
    JIS0208_ENCODE.get(code_point)
}

/// The row of the first pointer that "index Shift_JIS pointer" skips.
pub(crate) const SHIFT_JIS_FIRST_DUPLICATE_ROW: u16 = 8272 / 94;

/// Returns `row << 8 | cell` of the "index Shift_JIS pointer". Rows go up to 118. Pointers 8272..=8835 are skipped: for
/// their code points, [`SHIFT_JIS_DUPLICATES`] has the pointer to use.
#[inline]
pub(crate) fn shift_jis_row_cell(code_point: u16) -> Option<u16> {
    let row_cell = jis0208_row_cell(code_point)?;
    match (row_cell >> 8).checked_sub(SHIFT_JIS_FIRST_DUPLICATE_ROW) {
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

/// Returns `lead << 8 | trail` of the "index pointer" in index EUC-KR.
#[inline]
pub(crate) fn euc_kr_bytes(code_point: u16) -> Option<u16> {
    EUC_KR_ENCODE
        .get(code_point)
        .or_else(|| hangul_extension_bytes(code_point))
}

/// Returns the bytes of a Hangul syllable that KS X 1001 lacks. The extension area has these syllables in Unicode
/// order. The position of a syllable is the number of lower syllables, less those of KS X 1001. Leads 0x81..=0xA0 have
/// 178 trails; from 0xA1 on 84, as 0xA1..=0xFE belongs to KS X 1001.
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

/// Returns `lead << 8 | trail` of the two-byte form: from the 18 rows in step 5 of the Standard's gb18030 encoder, or
/// else from index gb18030.
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

/// Returns the bytes of U+E000..=U+E765, row by row: 0xAAA1..=0xAFFE and 0xF8A1..=0xFEFE, rows of 94, and
/// 0xA140..=0xA7A0, rows of 96.
fn gb18030_user_defined_bytes(code_point: u16) -> Option<u16> {
    if code_point == 0xE5E5 {
        // The user-defined area has the bytes 0xA3 0xA0 for this code point, but they decode to U+3000.
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

/// Returns the pointers of a code point that are below the Standard encoder's pointer, in order, by linear search.
pub(crate) fn big5_supplement_pointers(code_point: u32) -> impl Iterator<Item = usize> {
    const PIECE: usize = 64;
    const END: usize = (0xA1 - 0x81) * 157 - BIG5_FIRST_POINTER;
    let low = code_point as u16;
    let pieces = BIG5.get(..END).unwrap_or(&[]).chunks(PIECE).enumerate();
    let holds = move |piece: &[u16]| piece.iter().fold(false, |found, &of| found | (of == low));
    let pieces = pieces.filter(move |(_, piece)| low != 0 && holds(piece));
    let pointers = pieces.flat_map(|(number, piece)| {
        let first = BIG5_FIRST_POINTER + number * PIECE;
        first..first + piece.len()
    });
    pointers.filter(move |&pointer| big5_code_point(pointer) == Some(code_point))
}

/// Returns `lead << 8 | trail` of the "index Big5 pointer".
#[inline]
pub(crate) fn big5_bytes(code_point: u32) -> Option<u16> {
    match u16::try_from(code_point) {
        Ok(code_point) => BIG5_ENCODE.get(code_point),
        Err(_) => big5_plane_2_bytes(code_point),
    }
}

/// Returns the bytes of a code point above the BMP. Its slot may hold the bytes of another one.
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

/// Returns index ISO-2022-JP katakana's code point for U+FF61 + `offset`, the full-width form that the encoder writes:
/// `offset` is 0 to 62, and the result beyond is U+FFFD.
#[inline]
pub(crate) fn iso_2022_jp_katakana(offset: u8) -> u16 {
    ISO_2022_JP_KATAKANA
        .get(usize::from(offset))
        .copied()
        .unwrap_or(0xFFFD)
}
