//! Character sets of 94 rows of 94 cells as in their own standards, extracted from the Standard's larger indexes.
//!
//! Rows and cells are bytes of seven bits, 0x21 to 0x7E.

use super::load::{u8s, u16s, u32s};
use super::pairs::Decoded;
use super::rank::RankTable;
use super::{
    euc_kr_bytes, euc_kr_code_point, gb18030_bytes, gb18030_code_point, jis0208_code_point,
    jis0208_row_cell, jis0212_code_point,
};

include!("../../tables/sets.rs");

/// Seven-bit pairs whose characters differ from those of the Standard's index.
type Own = [(u16, u16)];

/// GB 2312's dot and dash, as in glibc, Python and libiconv.
const GB2312_OWN: &Own = &[(0x2124, 0x30FB), (0x212A, 0x2015)];

fn own_code_point(own: &Own, pair: u16) -> Option<u16> {
    own.iter()
        .find(|(own, _)| *own == pair)
        .map(|&(_, code_point)| code_point)
}

fn own_pair(own: &Own, code_point: u16) -> Option<u16> {
    own.iter()
        .find(|(_, to)| *to == code_point)
        .map(|&(pair, _)| pair)
}

/// Returns the code point of a pair of GB 2312.
#[inline]
pub(crate) fn gb2312_code_point(row: u8, cell: u8) -> Option<u16> {
    let pair = u16::from_be_bytes([row, cell]);
    if let Some(code_point) = own_code_point(GB2312_OWN, pair) {
        return Some(code_point);
    }
    // Rows 2, 6 and 8 have additions of GBK and gb18030.
    if matches!(pair, 0x2221..=0x222A | 0x2263 | 0x2659..=0x2675 | 0x283B..=0x2840) {
        return None;
    }
    hz_code_point(row, cell)
}

/// Returns the pair of a code point in GB 2312.
#[inline]
pub(crate) fn gb2312_pair(code_point: u16) -> Option<u16> {
    own_pair(GB2312_OWN, code_point).or_else(|| gb18030_pair(code_point, gb2312_code_point))
}

/// Returns the code point of a pair of HZ, as in index gb18030. Only the rows and cells of GB 2312 are covered, without
/// user-defined areas.
#[inline]
pub(crate) fn hz_code_point(row: u8, cell: u8) -> Option<u16> {
    if !matches!((row, cell), (0x21..=0x77, 0x21..=0x7E)) {
        return None;
    }
    // Pointers of index gb18030 count from 0x81 and 0x40, without 0x7F.
    let pointer = usize::from(row | 0x80) - 0x81;
    let found = gb18030_code_point(pointer * 190 + usize::from(cell | 0x80) - 0x41);
    found.filter(|code_point| !matches!(code_point, 0xE000..=0xF8FF))
}

/// Returns the pair of a code point in HZ.
#[inline]
pub(crate) fn hz_pair(code_point: u16) -> Option<u16> {
    gb18030_pair(code_point, hz_code_point)
}

/// Returns the seven-bit pair of a code point, taken from its gb18030 bytes, if that pair decodes to the code point.
#[inline]
fn gb18030_pair(code_point: u16, decode: impl Fn(u8, u8) -> Option<u16>) -> Option<u16> {
    let [lead, trail] = gb18030_bytes(code_point)?.to_be_bytes();
    let (row, cell) = (lead.checked_sub(0x80)?, trail.checked_sub(0x80)?);
    (decode(row, cell) == Some(code_point)).then_some(u16::from_be_bytes([row, cell]))
}

/// The characters of JIS X 0208 for which the Standard's index has a full-width or other form.
const JIS_X_0208_OWN: &Own = &[
    (0x2141, 0x301C),
    (0x2142, 0x2016),
    (0x215D, 0x2212),
    (0x2171, 0xA2),
    (0x2172, 0xA3),
    (0x224C, 0xAC),
];

#[inline(always)]
fn own_jis_x_0208(pair: u16) -> Option<u16> {
    // Only the first two rows have such characters.
    (pair <= 0x224C).then(|| own_code_point(JIS_X_0208_OWN, pair))?
}

#[inline(always)]
fn is_row_of_jis_x_0208(row: u8) -> bool {
    matches!(row, 0x21..=0x28 | 0x30..=0x74)
}

/// Returns the pointer of a pair in an index of 94 rows.
fn pointer(row: u8, cell: u8) -> Option<usize> {
    let is_pair = matches!((row, cell), (0x21..=0x7E, 0x21..=0x7E));
    is_pair.then(|| usize::from(row - 0x21) * 94 + usize::from(cell - 0x21))
}

/// Returns the code point of a pair of JIS X 0208: rows 1 to 8 and 16 to 84.
#[inline]
pub(crate) fn jis_x_0208_code_point(row: u8, cell: u8) -> Option<u16> {
    if !is_row_of_jis_x_0208(row) {
        return None;
    }
    let own = own_jis_x_0208(u16::from_be_bytes([row, cell]));
    own.or_else(|| jis0208_code_point(pointer(row, cell)?))
}

/// Returns the pair of a code point in JIS X 0208.
#[inline]
pub(crate) fn jis_x_0208_pair(code_point: u16) -> Option<u16> {
    if code_point <= 0x301C
        && let Some(pair) = own_pair(JIS_X_0208_OWN, code_point)
    {
        return Some(pair);
    }
    let pair = jis0208_row_cell(code_point)? + 0x2121;
    let is_own = own_jis_x_0208(pair).is_some();
    (is_row_of_jis_x_0208((pair >> 8) as u8) && !is_own).then_some(pair)
}

/// Returns the code point of a pair of JIS X 0212.
#[inline]
pub(crate) fn jis_x_0212_code_point(row: u8, cell: u8) -> Option<u16> {
    jis0212_code_point(pointer(row, cell)?)
}

/// Returns the pair of a code point in JIS X 0212.
#[inline]
pub(crate) fn jis_x_0212_pair(code_point: u16) -> Option<u16> {
    JIS0212_ENCODE.get(code_point)
}

/// Returns the code point of a pair of KS X 1001.
#[inline]
pub(crate) fn ks_x_1001_code_point(row: u8, cell: u8) -> Option<u16> {
    pointer(row, cell)?;
    euc_kr_code_point(
        usize::from(row | 0x80) - 0x81,
        usize::from(cell | 0x80) - 0x41,
    )
}

/// Returns the pair of a code point in KS X 1001.
#[inline]
pub(crate) fn ks_x_1001_pair(code_point: u16) -> Option<u16> {
    let [lead, trail] = euc_kr_bytes(code_point)?.to_be_bytes();
    let is_own = lead >= 0xA1 && trail >= 0xA1;
    is_own.then_some(u16::from_be_bytes([lead, trail]) & 0x7F7F)
}

/// Decodes a pair of a plane of JIS X 0213.
#[inline]
pub(crate) fn jis_x_0213(is_plane_2: bool, row: u8, cell: u8) -> Option<Decoded> {
    pointer(row, cell)?;
    if !is_plane_2 && let Some(code_point) = jis_x_0208_code_point(row, cell) {
        return Some(Decoded::One(code_point.into()));
    }
    let plane = if is_plane_2 { 0x0080 } else { 0x8080 };
    match JISX0213_PAIRS_ENCODE.get(u16::from_be_bytes([row, cell]) | plane)? {
        place @ 0xD800..=0xDBFF => JISX0213_ABOVE
            .get(usize::from(place) - 0xD800)
            .map(|&to| Decoded::One(to)),
        place @ 0xDC00..=0xDFFF => {
            let joined = JISX0213_JOINED.get(2 * (usize::from(place) - 0xDC00)..)?;
            let [first, second] = *joined.first_chunk()?;
            Some(Decoded::Two(first.into(), second.into()))
        }
        code_point => Some(Decoded::One(code_point.into())),
    }
}

/// Returns the plane, true for plane 2, and the pair of a scalar value in JIS X 0213.
#[inline]
pub(crate) fn jis_x_0213_pair(scalar: u32) -> Option<(bool, u16)> {
    let pair = match u16::try_from(scalar) {
        Ok(code_point) => match jis_x_0208_pair(code_point) {
            Some(pair) => return Some((false, pair)),
            None => JISX0213_ENCODE.get(code_point)?,
        },
        Err(_) => *JISX0213_ABOVE_PAIRS.get(JISX0213_ABOVE.binary_search(&scalar).ok()?)?,
    };
    Some((pair & 0x8000 == 0, pair & 0x7F7F))
}

/// True if a pair of plane 1 is one of the ten that JIS X 0213 added in 2004.
pub(crate) fn is_of_2004(pair: u16) -> bool {
    matches!(
        pair,
        0x2E21 | 0x2F7E | 0x4F54 | 0x4F7E | 0x7427 | 0x7E7A..=0x7E7E
    )
}
