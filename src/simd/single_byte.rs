//! The legacy single-byte encodings and x-user-defined, in both directions.
//!
//! Bytes below 0x80 are ASCII; a table of 128 code points gives the others. Encoding looks code points up in *pages* of
//! 64 bytes. Both tables are arguments: this module knows no encoding.
//!
//! [`portable`] is the scalar loop. [`mostly_ascii`] is for Latin scripts, in which few bytes are not ASCII. [`avx512`]
//! holds a whole table in two registers. [`v256`] looks bytes up in 16 or 64 entries at a time.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod mostly_ascii;
mod portable;
#[cfg(v256)]
mod v256;

pub(crate) use portable::{
    encode_group_utf16, encode_utf8_loop as encode_single_byte_utf8_portable, encode_utf8_short,
    encode_utf16_loop as encode_single_byte_utf16_portable,
};

use super::ascii::bits::{MASK_WIDTH, push_short_ascii};
use super::level::{Active, Level, with_avx512, with_v256};
use super::out::Out;
use crate::simd::tuning;
use core::hint::select_unpredictable;

/// True if short text of Latin letters is converted without tables. Small builds save the code.
const MASKS: bool = cfg!(not(mojika_small));

/// The code points of bytes 0x80 to 0xFF; 0 is unmapped.
type CodePoints = [u16; 128];

/// Bytes by code point, in pages of 64; a byte of 0 is unmapped. ASCII may be missing.
///
/// `blocks` maps `code point >> 6`, from `first_block` on, to a block number. Its last element stands for all code
/// points outside; `numbers` maps block numbers to page numbers. Code points without a page are unmapped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pages<'a> {
    /// `code point >> 6` of the first of `blocks`.
    pub first_block: usize,
    /// Block number by `(code point >> 6) - first_block`.
    pub blocks: &'a [u8],
    /// Page number by block number.
    pub numbers: &'a [u8],
    /// Byte by page number and `code point & 63`.
    pub pages: &'a [[u8; 64]],
    /// A letter of the encoding's script: kernels keep the code points near it in registers.
    pub letter: u16,
    /// True if bytes from 0xA0 on are code points of the same value, as in windows-1252.
    pub is_latin_1: bool,
    /// The two pages of the 128 code points with the letter.
    pub near: [&'a [u8; 64]; 2],
}

static EMPTY_PAGE: [u8; 64] = [0; 64];

impl<'a> Pages<'a> {
    /// Returns the page of 64 code points by number. `None` if all are unmapped.
    #[inline(always)]
    fn mapped_page(&self, block: usize) -> Option<&'a [u8; 64]> {
        // Branch-free, because text mixes code points inside and outside the blocks.
        let place = block.wrapping_sub(self.first_block);
        let place = place.min(self.blocks.len().saturating_sub(1));
        let number = *self.numbers.get(usize::from(*self.blocks.get(place)?))?;
        self.pages.get(usize::from(number))
    }

    /// Returns the page of the code points from `block << 6` on.
    #[inline(always)]
    fn page(&self, block: usize) -> &'a [u8; 64] {
        self.mapped_page(block).unwrap_or(&EMPTY_PAGE)
    }

    /// Returns the byte of a non-ASCII code point; 0 if it is unmapped.
    #[inline(always)]
    fn byte(&self, code_point: u16) -> u8 {
        match self.mapped_page(usize::from(code_point >> 6)) {
            Some(page) => page[usize::from(code_point & 63)],
            None => 0,
        }
    }

    /// Returns the byte of a code point; 0 if it is unmapped, and for U+0000. The only branch is on code points that are
    /// neither ASCII nor near the letter.
    #[inline(always)]
    fn byte_or_ascii(&self, code_point: u16) -> u8 {
        let is_ascii = code_point < 0x80;
        // Selected before the comparison, because the compiler would branch on each of two conditions.
        let from_near = code_point.wrapping_sub(self.letter & !0x7F);
        let from_near = select_unpredictable(is_ascii, 0, from_near);
        if from_near >= 0x80 {
            return self.byte(code_point);
        }
        let page = self.near[usize::from(from_near >> 6)];
        let near = page[usize::from(from_near & 63)];
        select_unpredictable(is_ascii, code_point as u8, near)
    }

    /// True if a scalar value is mapped.
    #[inline(always)]
    pub(crate) fn maps(&self, scalar: u32) -> bool {
        scalar < 0x80 || u16::try_from(scalar).is_ok_and(|code_point| self.byte(code_point) != 0)
    }

    /// Returns the first code points of the three windows of 128 code points that kernels keep in registers. Two are
    /// below U+0800, with two bytes in UTF-8, and one is above.
    ///
    /// One window is that of the letter. The others cover common characters beside letters: Latin-1 or Latin
    /// Extended-A, and General Punctuation.
    #[inline(always)]
    fn windows(&self) -> [u16; 3] {
        match self.letter & !0x7F {
            0x80 | 0x100 => [0x80, 0x100, 0x2000],
            main @ 0x180..0x800 => [main, 0x80, 0x2000],
            main => [0x80, 0x100, main],
        }
    }

    /// True if texts in the encoding are mostly ASCII: it has Latin letters and no combining marks.
    #[inline(always)]
    fn is_sparse(&self) -> bool {
        self.letter < 0x180 && self.more_windows().is_none()
    }

    /// Returns two more windows below U+0800 for an encoding with combining marks: the letters with horn, and the
    /// marks. Every Vietnamese word needs them.
    #[inline(always)]
    fn more_windows(&self) -> Option<[u16; 2]> {
        (self.byte(0x300) != 0).then_some([0x180, 0x300])
    }
}

/// Letters with three bytes in UTF-8 that are consecutive inside a page of 256 code points, like those of Thai. The
/// code point of a letter is its byte plus a constant.
#[derive(Clone, Copy)]
struct WideLetters {
    /// The code point of byte 0x80, if it is a letter.
    first: u16,
    /// The high byte of all code points.
    page: u8,
    /// The difference between the low byte of the code point and the byte.
    offset: u8,
}

impl WideLetters {
    /// Returns the letters of an encoding in which byte 0xE1 is such a letter. Other bytes may be other characters.
    #[inline(always)]
    fn of(code_points: &CodePoints) -> Option<Self> {
        /// The index of byte 0xE1, a letter in all encodings with letters of three bytes in UTF-8.
        const LETTER: u16 = 0x61;
        let letter = code_points[usize::from(LETTER)];
        let first = letter.wrapping_sub(LETTER);
        (letter >= 0x800).then_some(Self {
            first,
            page: (letter >> 8) as u8,
            offset: (first as u8).wrapping_sub(0x80),
        })
    }
}

/// The minimum length of consecutive ASCII, in units, for which switching to another kernel pays off.
///
/// In markup, whether a block of 64 is ASCII is unpredictable: a branch on it cost a third of the speed. So all blocks
/// are treated alike, and only longer runs are copied.
const AHEAD: usize = tuning::ASCII_AHEAD;

/// True if `src` begins with a run of ASCII that is long enough for another kernel.
#[inline(always)]
fn starts_run(src: &[u8]) -> bool {
    src.first_chunk::<AHEAD>().is_some_and(|run| run.is_ascii())
}

/// A counter that decides when a kernel looks for long ASCII: at every fourth block, and after each long ASCII.
struct AsciiProbe(u8);

impl AsciiProbe {
    #[inline(always)]
    fn new() -> Self {
        Self(3)
    }

    #[inline(always)]
    fn is_due(&mut self) -> bool {
        self.0 = (self.0 + 1) % 4;
        self.0 == 0
    }
}

/// Decodes mapped bytes to UTF-8 while they fit. Returns the number of bytes read.
#[inline]
pub(crate) fn single_byte_to_utf8(
    code_points: &[u16; 128],
    src: &[u8],
    out: &mut Out<'_, u8>,
) -> usize {
    let active = Active::now();
    if active.is_short(src.len(), tuning::DIRECT_UP_TO) {
        return portable::decode_utf8_short(code_points, src, out);
    }
    if push_short_ascii(src, out) {
        return src.len();
    }
    decode_utf8_at(active, code_points, src, out)
}

/// Decodes mapped bytes to UTF-16 while they fit. Returns the number of bytes read.
#[inline]
pub(crate) fn single_byte_to_utf16(
    code_points: &[u16; 128],
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    let active = Active::now();
    if active.is_short(src.len(), tuning::DIRECT_UP_TO) {
        return portable::decode_utf16_short(code_points, src, out);
    }
    if push_short_ascii(src, out) {
        return src.len();
    }
    decode_utf16_at(active, code_points, src, out)
}

/// Decodes like [`single_byte_to_utf8`], for a Latin encoding without unmapped bytes.
#[inline]
pub(crate) fn latin_to_utf8(code_points: &[u16; 128], src: &[u8], out: &mut Out<'_, u8>) -> usize {
    if MASKS && src.len() <= MASK_WIDTH {
        return portable::decode_utf8_short(code_points, src, out);
    }
    single_byte_to_utf8(code_points, src, out)
}

/// Decodes like [`single_byte_to_utf16`], for a Latin encoding without unmapped bytes.
#[inline]
pub(crate) fn latin_to_utf16(
    code_points: &[u16; 128],
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    if MASKS && src.len() <= MASK_WIDTH {
        return portable::decode_latin_utf16(code_points, src, out);
    }
    single_byte_to_utf16(code_points, src, out)
}

/// Decodes like [`single_byte_to_utf16`], for an encoding whose code points are consecutive.
///
/// `first` is the code point of 0x80. The compiler vectorises the addition; tables are slower.
#[inline]
pub(crate) fn consecutive_to_utf16(first: u16, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if push_short_ascii(src, out) {
        return src.len();
    }
    portable::decode_consecutive_utf16(first, src, out)
}

/// Encodes mapped characters while they fit. Returns the number of bytes of `src` read.
#[inline(always)]
pub(crate) fn encode_single_byte_utf8(
    pages: &Pages<'_>,
    src: &str,
    out: &mut Out<'_, u8>,
) -> usize {
    let active = Active::now();
    // The kernels compute the letters of Latin-1. For the others, short text does not pay for tables.
    let has_kernel = pages.is_latin_1 && active.level() > Level::Sse2;
    let is_latin = MASKS && pages.letter < 0x180 && src.len() <= MASK_WIDTH;
    if active.is_short(src.len(), tuning::DIRECT_UP_TO) || is_latin && !has_kernel {
        return portable::encode_utf8_short(pages, src.as_bytes(), out);
    }
    encode_utf8_at(active, pages, src, out)
}

/// Encodes mapped code units while they fit. Returns the number of units read.
#[inline(always)]
pub(crate) fn encode_single_byte_utf16(
    pages: &Pages<'_>,
    src: &[u16],
    out: &mut Out<'_, u8>,
) -> usize {
    if MASKS && pages.letter < 0x180 && src.len() <= MASK_WIDTH {
        return portable::encode_latin_utf16(pages, src, out);
    }
    let active = Active::now();
    if active.is_short(src.len(), tuning::DIRECT_UP_TO) {
        return portable::encode_group_utf16(pages, src, out);
    }
    encode_utf16_at(active, pages, src, out)
}

/// Calls the kernel of the highest available level: `dispatch!(active, kernel(arguments))`.
macro_rules! dispatch {
    ($active:expr, $kernel:ident($($argument:expr),*)) => {{
        let active = $active;
        // SAFETY: the token proves detection succeeded.
        with_avx512!(active, |token| return unsafe { avx512::$kernel(token, $($argument),*) });
        // SAFETY: the token proves detection succeeded.
        if let Some(done) = with_v256!(active, |token| unsafe { v256::$kernel(token, $($argument),*) }) {
            return done;
        }
        portable::$kernel($($argument),*)
    }};
}

/// Defines a function that calls a kernel at a given level, whatever the length. The tests compare the levels through
/// it.
macro_rules! kernels {
    ($($name:ident = $kernel:ident($tables:ty, $src:ty) -> $unit:ty;)+) => {$(
        #[inline(never)]
        fn $name(active: Active, tables: $tables, src: $src, out: &mut Out<'_, $unit>) -> usize {
            dispatch!(active, $kernel(tables, src, out))
        }
    )+};
}
kernels! {
    decode_utf16_at = decode_utf16(&CodePoints, &[u8]) -> u16;
    decode_utf8_at = decode_utf8(&CodePoints, &[u8]) -> u8;
    encode_utf8_at = encode_utf8(&Pages<'_>, &str) -> u8;
    encode_utf16_at = encode_utf16(&Pages<'_>, &[u16]) -> u8;
}

#[cfg(test)]
mod tests;
