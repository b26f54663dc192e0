//! Sets of 94 rows of 94 characters as their own standards have them, in the Standard's indexes, which have more.
//!
//! Rows and cells are bytes of seven bits, 0x21 to 0x7E.

use super::{gb18030_bytes, gb18030_code_point};

/// A pair of seven bits for each character that a set has elsewhere than the Standard's index does.
type Own = [(u16, u16)];

/// GB 2312: the dot and the dash as glibc, Python and libiconv have them.
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

/// The code point of a pair of GB 2312.
#[inline]
pub(crate) fn gb2312_code_point(row: u8, cell: u8) -> Option<u16> {
    if !matches!((row, cell), (0x21..=0x77, 0x21..=0x7E)) {
        return None;
    }
    let pair = u16::from_be_bytes([row, cell]);
    if let Some(code_point) = own_code_point(GB2312_OWN, pair) {
        return Some(code_point);
    }
    // What GBK and gb18030 have in rows 2, 6 and 8 beyond it, and their areas for users.
    if matches!(pair, 0x2221..=0x222A | 0x2263 | 0x2659..=0x2675 | 0x283B..=0x2840) {
        return None;
    }
    // Pointers of index gb18030 count from 0x81 and 0x40, without 0x7F.
    let pointer = usize::from(row | 0x80) - 0x81;
    let found = gb18030_code_point(pointer * 190 + usize::from(cell | 0x80) - 0x41);
    found.filter(|code_point| !matches!(code_point, 0xE000..=0xF8FF))
}

/// The pair of a code point in GB 2312.
#[inline]
pub(crate) fn gb2312_pair(code_point: u16) -> Option<u16> {
    if let Some(pair) = own_pair(GB2312_OWN, code_point) {
        return Some(pair);
    }
    let [lead, trail] = gb18030_bytes(code_point)?.to_be_bytes();
    let (row, cell) = (lead.checked_sub(0x80)?, trail.checked_sub(0x80)?);
    let is_own = gb2312_code_point(row, cell) == Some(code_point);
    is_own.then_some(u16::from_be_bytes([row, cell]))
}
