//! Tables of `crate::extended`: single-byte indexes outside the Standard, and permutations for EBCDIC.
//!
//! The Standard's encodings do not refer to these tables, so a program that uses only those does not link them.

use super::load::{u8s, u16s};
use super::single_byte::{Shared, SingleByteIndex};

include!("../../tables/extended_indexes.rs");
include!("../../tables/ebcdic_indexes.rs");
include!("../../tables/ebcdic_pages.rs");
include!("../../tables/table_pages.rs");

const INDEXES: usize = EXTENDED_CODE_POINTS.len() / 128;
const BLOCKS: usize = EXTENDED_PAGE_NUMBERS.len() / INDEXES;

static SHARED: Shared = Shared {
    blocks: &EXTENDED_BLOCKS,
    pages: EXTENDED_PAGES.as_chunks().0,
};

const EBCDIC_INDEXES: usize = EBCDIC_CODE_POINTS.len() / 128;
const EBCDIC_BLOCK_COUNT: usize = EBCDIC_PAGE_NUMBERS.len() / EBCDIC_INDEXES;

static EBCDIC_SHARED: Shared = Shared {
    blocks: &EBCDIC_BLOCKS,
    pages: EBCDIC_PAGES.as_chunks().0,
};

impl SingleByteIndex {
    const fn extended(position: usize) -> Self {
        let code_points = &EXTENDED_CODE_POINTS.as_chunks().0[position];
        let numbers: &[u8; BLOCKS] = &EXTENDED_PAGE_NUMBERS.as_chunks().0[position];
        Self::new(code_points, numbers, &SHARED, letter(code_points))
    }

    /// Creates the index of the non-ASCII half of an EBCDIC page, for a half that no other encoding has.
    const fn ebcdic(position: usize) -> Self {
        let code_points = &EBCDIC_CODE_POINTS.as_chunks().0[position];
        let numbers: &[u8; EBCDIC_BLOCK_COUNT] = &EBCDIC_PAGE_NUMBERS.as_chunks().0[position];
        Self::new(code_points, numbers, &EBCDIC_SHARED, letter(code_points))
    }
}

/// Returns a code point in the window of 128 that contains most letters of the index; kernels keep that window in
/// registers.
///
/// U+2000 to U+2FFF is skipped, because most OEM pages have box drawings there.
const fn letter(code_points: &[u16; 128]) -> u16 {
    let (mut best, mut most) = (0xE1, 0);
    let mut i = 0;
    while i < 128 {
        let window = code_points[i] >> 7;
        let is_script = code_points[i] >= 0x80 && code_points[i] >> 12 != 2;
        let (mut count, mut j) = (0, 0);
        while j < 128 {
            if code_points[j] >> 7 == window {
                count += 1;
            }
            j += 1;
        }
        if is_script && count > most {
            (best, most) = (code_points[i], count);
        }
        i += 1;
    }
    best
}

/// A page whose bytes are those of an ASCII-compatible index in another order.
#[derive(Debug)]
pub(crate) struct Permuted {
    pub(crate) index: &'static SingleByteIndex,
    /// The byte in the index (or ASCII) for each byte of the page.
    pub(crate) to_index: &'static [u8; 256],
    /// The inverse.
    pub(crate) from_index: &'static [u8; 256],
}

impl Permuted {
    const fn at(index: &'static SingleByteIndex, position: usize) -> Self {
        Self {
            index,
            to_index: &EBCDIC_TO_LATIN1.as_chunks().0[position],
            from_index: &EBCDIC_FROM_LATIN1.as_chunks().0[position],
        }
    }

    /// The entry in [`units`](Self::units) for an unmapped byte.
    pub(crate) const UNMAPPED: u16 = 0xFFFF;

    /// Returns the code point of each byte of the page.
    pub(crate) const fn units(&self) -> [u16; 256] {
        let mut units = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let of_index = self.to_index[byte] as usize;
            units[byte] = match of_index.checked_sub(0x80) {
                None => of_index as u16,
                Some(place) => match self.index.code_points()[place] {
                    0 => Self::UNMAPPED,
                    code_point => code_point,
                },
            };
            byte += 1;
        }
        units
    }
}

/// A page that lacks characters of ASCII.
#[derive(Debug)]
pub(crate) struct Page {
    /// [`UNMAPPED`](Self::UNMAPPED) for unmapped bytes.
    code_points: &'static [u16; 256],
    /// The bytes sorted by their code points. Of several bytes with the same code point, the encoder writes the last.
    order: &'static [u8; 256],
}

impl Page {
    const UNMAPPED: u16 = 0xFFFF;

    const fn at(position: usize) -> Self {
        Self {
            code_points: &TABLE_CODE_POINTS.as_chunks().0[position],
            order: &TABLE_ORDER.as_chunks().0[position],
        }
    }

    /// Returns the code point of a byte, or [`UNMAPPED`](Self::UNMAPPED).
    pub(crate) const fn unit(&self, byte: u8) -> u16 {
        self.code_points[byte as usize]
    }

    /// Returns the code point of a byte.
    pub(crate) fn code_point(&self, byte: u8) -> Option<u16> {
        Some(self.unit(byte)).filter(|&unit| unit != Self::UNMAPPED)
    }

    /// Returns the byte of a code point.
    pub(crate) fn byte(&self, code_point: u16) -> Option<u8> {
        let after = self
            .order
            .partition_point(|&byte| self.unit(byte) <= code_point);
        let byte = *self.order.get(after.checked_sub(1)?)?;
        (self.code_point(byte) == Some(code_point)).then_some(byte)
    }
}
