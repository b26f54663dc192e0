//! Single-byte indexes: 128 code points each to decode; to encode, pages of 64 code points that encodings share.
//!
//! `code point >> 6` picks a block number that all encodings have in common, the encoding's row picks the block's page,
//! the page has the byte. Equal pages are stored once, which brings 27 encodings down to 12 KB.

use super::load::{u8s, u16s};

include!("../../tables/single_byte_indexes.rs");

const ENCODINGS: usize = SINGLE_BYTE_CODE_POINTS.len() / 128;
const BLOCKS: usize = SINGLE_BYTE_PAGE_NUMBERS.len() / ENCODINGS;

/// What the indexes of one module share, to encode.
#[derive(Debug)]
pub(super) struct Shared {
    /// Block number by `code point >> 6`.
    pub(super) blocks: &'static [u8; 1024],
    /// Byte by page number and `code point & 63`.
    pub(super) pages: &'static [[u8; 64]],
}

static SHARED: Shared = Shared {
    blocks: &SINGLE_BYTE_BLOCKS,
    pages: SINGLE_BYTE_PAGES.as_chunks().0,
};

/// The index of a single-byte encoding, in both directions.
#[derive(Debug)]
pub(crate) struct SingleByteIndex {
    code_points: &'static [u16; 128],
    page_numbers: &'static [u8],
    pages: &'static Shared,
    /// A letter of the script that the encoding is for.
    letter: u16,
    is_empty: bool,
    /// Whether any code point is U+0800 or above, and takes three bytes of UTF-8.
    is_wide: bool,
    is_complete: bool,
}

impl SingleByteIndex {
    /// One of the Standard's.
    const fn at(position: usize) -> Self {
        /// The byte that stands for a letter of the encoding's script in every index: U+00E1, U+0430, U+03B1, U+0644
        /// and so on.
        const LETTER: usize = 0xE1 - 0x80;
        let code_points: &[u16; 128] = &SINGLE_BYTE_CODE_POINTS.as_chunks().0[position];
        let numbers: &[u8; BLOCKS] = &SINGLE_BYTE_PAGE_NUMBERS.as_chunks().0[position];
        Self::new(code_points, numbers, &SHARED, code_points[LETTER])
    }

    pub(super) const fn new(
        code_points: &'static [u16; 128],
        page_numbers: &'static [u8],
        pages: &'static Shared,
        letter: u16,
    ) -> Self {
        let (mut is_wide, mut is_complete, mut is_empty) = (false, true, true);
        let mut i = 0;
        while i < 128 {
            is_wide |= code_points[i] >= 0x800;
            is_complete &= code_points[i] != 0;
            is_empty &= code_points[i] == 0;
            i += 1;
        }
        Self {
            code_points,
            page_numbers,
            pages,
            letter,
            is_empty,
            is_wide,
            is_complete,
        }
    }

    /// Most bytes of UTF-8 that a byte becomes: U+FFFD, which takes three, stands for an unmapped one if `replacing`.
    #[inline]
    pub(crate) fn longest_utf8(&self, replacing: bool) -> usize {
        if self.is_empty && !replacing {
            return 1;
        }
        2 + usize::from(self.is_wide || (replacing && !self.is_complete))
    }

    /// The index code point of `byte`, which is 0x80 or above.
    #[inline]
    pub(crate) fn code_point(&self, byte: u8) -> Option<u16> {
        let code_point = self.code_points[usize::from(byte & 0x7F)];
        (code_point != 0).then_some(code_point)
    }

    /// The code points by `byte - 0x80`; 0 is unmapped.
    #[inline]
    pub(crate) const fn code_points(&self) -> &'static [u16; 128] {
        self.code_points
    }

    /// The page numbers by block number, for kernels.
    #[inline]
    pub(crate) fn page_numbers(&self) -> &'static [u8] {
        self.page_numbers
    }

    /// The block numbers by `code point >> 6`, for kernels.
    #[inline]
    pub(crate) fn blocks(&self) -> &'static [u8; 1024] {
        self.pages.blocks
    }

    /// The pages by number, for kernels.
    #[inline]
    pub(crate) fn pages(&self) -> &'static [[u8; 64]] {
        self.pages.pages
    }

    /// A letter of the script that the encoding is for: kernels keep at hand what is near it.
    #[inline]
    pub(crate) fn letter(&self) -> u16 {
        self.letter
    }

    /// The byte of `code_point`, 0x80 or above. ASCII has none here.
    #[inline]
    pub(crate) fn byte(&self, code_point: u16) -> Option<u8> {
        let block = self.pages.blocks[usize::from(code_point >> 6)];
        let page = usize::from(*self.page_numbers.get(usize::from(block))?);
        let byte = self.pages.pages.get(page)?[usize::from(code_point & 63)];
        (byte != 0).then_some(byte)
    }
}
