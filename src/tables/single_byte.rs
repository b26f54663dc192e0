//! Single-byte indexes: 128 code points each to decode; to encode, pages of 64 code points shared by encodings.
//!
//! `code point >> 6` selects a block number common to all encodings, the encoding's row gives the block's page, and the
//! page gives the byte. Equal pages are stored once, which reduces 27 encodings to 12 KB.

use super::load::{u8s, u16s};

include!("../../tables/single_byte_indexes.rs");

const ENCODINGS: usize = SINGLE_BYTE_CODE_POINTS.len() / 128;
const BLOCKS: usize = SINGLE_BYTE_PAGE_NUMBERS.len() / ENCODINGS;

/// The encode tables shared by the indexes of one module.
#[derive(Debug)]
pub(super) struct Shared {
    /// Block number by `code point >> 6`.
    pub(super) blocks: &'static [u8; 1024],
    /// Byte by page number and `code point & 63`.
    pub(super) pages: &'static [[u8; 64]],
}

impl Shared {
    /// Returns the number of the page of the code points from `block << 6` on, in an encoding with these page numbers; 0xFF
    /// if there is none.
    const fn page(&self, numbers: &[u8], block: usize) -> u8 {
        let place = self.blocks[block] as usize;
        if place < numbers.len() {
            numbers[place]
        } else {
            0xFF
        }
    }
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
    /// A letter of the encoding's script.
    letter: u16,
    /// The numbers of the two pages of the 128 code points that include the letter.
    near: [u8; 2],
    is_empty: bool,
    /// True if a code point of the index is U+0800 or above, and so takes three bytes of UTF-8.
    is_wide: bool,
    is_complete: bool,
    /// True if bytes from 0xA0 on are code points of the same value, as in windows-1252.
    is_latin_1: bool,
}

impl SingleByteIndex {
    /// Creates one of the Standard's indexes.
    const fn at(position: usize) -> Self {
        /// The byte of a letter of the encoding's script in every index: U+00E1, U+0430, U+03B1, U+0644 and so on.
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
        // 0xFF stands for no page.
        assert!(pages.pages.len() < 0xFF);
        let (mut is_wide, mut is_complete, mut is_empty) = (false, true, true);
        let mut is_latin_1 = true;
        let mut i = 0;
        while i < 128 {
            is_wide |= code_points[i] >= 0x800;
            is_complete &= code_points[i] != 0;
            is_empty &= code_points[i] == 0;
            is_latin_1 &= i < 0x20 || code_points[i] as usize == 0x80 + i;
            i += 1;
        }
        let block = (letter >> 7 << 1) as usize;
        Self {
            code_points,
            page_numbers,
            pages,
            letter,
            near: [
                pages.page(page_numbers, block),
                pages.page(page_numbers, block + 1),
            ],
            is_empty,
            is_wide,
            is_complete,
            is_latin_1,
        }
    }

    /// Returns the maximum number of UTF-8 bytes for one byte. If `replacing`, an unmapped byte counts three, because
    /// it becomes U+FFFD.
    #[inline]
    pub(crate) fn longest_utf8(&self, replacing: bool) -> usize {
        if self.is_empty && !replacing {
            return 1;
        }
        2 + usize::from(self.is_wide || (replacing && !self.is_complete))
    }

    /// Returns the index code point of `byte`, which is 0x80 or above.
    #[inline]
    pub(crate) fn code_point(&self, byte: u8) -> Option<u16> {
        let code_point = self.code_points[usize::from(byte & 0x7F)];
        (code_point != 0).then_some(code_point)
    }

    /// Returns the code points by `byte - 0x80`; 0 is unmapped.
    #[inline]
    pub(crate) const fn code_points(&self) -> &'static [u16; 128] {
        self.code_points
    }

    /// True if the script is Latin, so that most text is ASCII, and no byte is unmapped.
    #[inline]
    pub(crate) fn is_latin(&self) -> bool {
        self.is_complete && self.letter < 0x180
    }

    /// True if bytes from 0xA0 on are code points of the same value.
    #[inline]
    pub(crate) fn is_latin_1(&self) -> bool {
        self.is_latin_1
    }

    /// Returns the page numbers by block number, for kernels.
    #[inline]
    pub(crate) fn page_numbers(&self) -> &'static [u8] {
        self.page_numbers
    }

    /// Returns the block numbers by `code point >> 6`, for kernels.
    #[inline]
    pub(crate) fn blocks(&self) -> &'static [u8; 1024] {
        self.pages.blocks
    }

    /// Returns the pages by number, for kernels.
    #[inline]
    pub(crate) fn pages(&self) -> &'static [[u8; 64]] {
        self.pages.pages
    }

    /// Returns a letter of the encoding's script: kernels keep the code points near it in registers.
    #[inline]
    pub(crate) fn letter(&self) -> u16 {
        self.letter
    }

    /// Returns the two pages of the 128 code points with the letter.
    #[inline]
    pub(crate) fn near(&self) -> [&'static [u8; 64]; 2] {
        let page = |number: u8| self.pages.pages.get(usize::from(number));
        self.near.map(|number| page(number).unwrap_or(&[0; 64]))
    }

    /// Returns the byte of `code_point`, which is 0x80 or above. ASCII is not covered.
    #[inline]
    pub(crate) fn byte(&self, code_point: u16) -> Option<u8> {
        let block = self.pages.blocks[usize::from(code_point >> 6)];
        let page = usize::from(*self.page_numbers.get(usize::from(block))?);
        let byte = self.pages.pages.get(page)?[usize::from(code_point & 63)];
        (byte != 0).then_some(byte)
    }
}
