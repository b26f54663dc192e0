//! The legacy single-byte encodings and x-user-defined, both directions.
//!
//! A byte below 0x80 is ASCII; 128 code points say what the others are. Encoding looks code points up in *pages* of
//! 64 bytes. Both come as arguments: nothing here knows an encoding.
//!
//! [`portable`] is the loop for any machine; [`mostly_ascii`] is for Latin ones, in which little is not ASCII; [`avx512`]
//! holds a whole table in two registers; [`v256`] looks bytes up in sixteen entries at a time, or in 64.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod mostly_ascii;
mod portable;
#[cfg(v256)]
mod v256;

use super::ascii::bits::push_short_ascii;
use super::out::Out;
#[cfg(target_arch = "x86_64")]
use super::token;
use super::token::{Active, with_v256};
use crate::simd::tuning;

/// Up to this many bytes an addition is made without AVX-512's kernel.
const SHORT: usize = tuning::TABLES_FROM;

/// Up to this many units go one by one, whatever the processor.
const DIRECT: usize = tuning::DIRECT_UP_TO[0];

/// What bytes 0x80 to 0xFF stand for; 0 is unmapped.
type CodePoints = [u16; 128];

/// Bytes by code point, in pages of 64; a byte of 0 is unmapped. ASCII need not be there.
///
/// `blocks` has a block number by `code point >> 6`, from `first_block` on, and its last stands for all that lie outside;
/// `numbers` has the block's page number. What lies outside of that is unmapped.
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
    /// A letter of the script that the encoding is for: kernels keep at hand what is near it.
    pub letter: u16,
}

static EMPTY_PAGE: [u8; 64] = [0; 64];

impl<'a> Pages<'a> {
    /// The page of the code points from `block << 6` on.
    #[inline(always)]
    fn page(&self, block: usize) -> &'a [u8; 64] {
        // Branch-free: text mixes what lies within and what lies outside.
        let place = block.wrapping_sub(self.first_block);
        let place = place.min(self.blocks.len().saturating_sub(1));
        let number = self
            .blocks
            .get(place)
            .and_then(|&number| self.numbers.get(usize::from(number)));
        number
            .and_then(|&number| self.pages.get(usize::from(number)))
            .unwrap_or(&EMPTY_PAGE)
    }

    /// The byte of a code point that is not ASCII; 0 when it has none.
    #[inline(always)]
    fn byte(&self, code_point: u16) -> u8 {
        self.page(usize::from(code_point >> 6))[usize::from(code_point & 63)]
    }

    /// Whether a scalar value has a byte.
    #[inline(always)]
    pub(crate) fn maps(&self, scalar: u32) -> bool {
        scalar < 0x80 || u16::try_from(scalar).is_ok_and(|code_point| self.byte(code_point) != 0)
    }

    /// The three windows of 128 code points that kernels keep at hand, each by its first one: two below U+0800, whose
    /// UTF-8 is two bytes long, and one above.
    ///
    /// The letter's own window comes first; the others are what its texts hold beside letters: Latin-1 or Latin
    /// Extended-A, and General Punctuation.
    #[inline(always)]
    fn windows(&self) -> [u16; 3] {
        match self.letter & !0x7F {
            0x80 | 0x100 => [0x80, 0x100, 0x2000],
            main @ 0x180..0x800 => [main, 0x80, 0x2000],
            main => [0x80, 0x100, main],
        }
    }

    /// Whether the texts of the encoding are mostly ASCII: its letters are Latin ones, without combining marks.
    #[inline(always)]
    fn is_sparse(&self) -> bool {
        self.letter < 0x180 && self.more_windows().is_none()
    }

    /// Two more windows below U+0800, for an encoding that has combining marks: those of the letters with horn and of
    /// the marks, without which no word of Vietnamese is written.
    #[inline(always)]
    fn more_windows(&self) -> Option<[u16; 2]> {
        (self.byte(0x300) != 0).then_some([0x180, 0x300])
    }
}

/// Letters of three bytes in UTF-8 that follow one another in a page of 256 code points, as those of Thai do: a letter's
/// code point is its byte and a constant.
#[derive(Clone, Copy)]
struct WideLetters {
    /// What byte 0x80 stands for, if it is a letter.
    first: u16,
    /// The high byte of their code points.
    page: u8,
    /// From a byte to the low byte of its code point.
    offset: u8,
}

impl WideLetters {
    /// The letters of an encoding that has such letters. Not all of its bytes stand for one.
    #[inline(always)]
    fn of(code_points: &CodePoints) -> Option<Self> {
        /// The low bits of a byte that is a letter in every encoding that has letters of three bytes.
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

/// A run of ASCII that is worth another kernel has this many units.
///
/// In markup nobody can predict whether a block of 64 is ASCII: a branch there cost a third of the speed. So blocks are
/// all treated alike, and only longer runs are copied.
const AHEAD: usize = tuning::ASCII_AHEAD;

/// Whether bytes begin with a run of ASCII that is worth another kernel.
#[inline(always)]
fn starts_run(src: &[u8]) -> bool {
    src.first_chunk::<AHEAD>().is_some_and(|run| run.is_ascii())
}

/// From this many units on, tables are made for the call: they take the time of some hundred characters.
const LONG: usize = tuning::TABLES_OF_CALL_FROM;

/// When a kernel looks for a run of ASCII: at every fourth block, and anew after one that it found.
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

/// Decodes mapped bytes to UTF-8 while they fit; returns how many.
#[inline]
pub(crate) fn single_byte_to_utf8(
    code_points: &[u16; 128],
    src: &[u8],
    out: &mut Out<'_, u8>,
) -> usize {
    if push_short_ascii(src, out) {
        return src.len();
    }
    if src.len() <= DIRECT && out.room() >= 3 * src.len() {
        return portable::decode_group(code_points, src, out);
    }
    decode_utf8_at(Active::now(), code_points, src, out)
}

/// Decodes mapped bytes to UTF-16 while they fit; returns how many.
#[inline]
pub(crate) fn single_byte_to_utf16(
    code_points: &[u16; 128],
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    if push_short_ascii(src, out) {
        return src.len();
    }
    if src.len() <= DIRECT {
        return portable::decode_group_utf16(code_points, src, out);
    }
    decode_utf16_at(Active::now(), code_points, src, out)
}

/// [`single_byte_to_utf16`] where code points follow one another.
///
/// `first` is the one of 0x80. That is an addition, which the compiler vectorizes; tables are slower.
#[inline]
pub(crate) fn consecutive_to_utf16(first: u16, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if push_short_ascii(src, out) {
        return src.len();
    }
    #[cfg(target_arch = "x86_64")]
    if src.len() > SHORT
        && let Some(token) = token::Avx512::at(Active::now())
    {
        return avx512::decode_consecutive_utf16(token, first, src, out);
    }
    portable::decode_consecutive_utf16(first, src, out)
}

/// Encodes mapped characters while they fit; returns how many bytes of `src` they took.
#[inline(always)]
pub(crate) fn encode_single_byte_utf8(
    pages: &Pages<'_>,
    src: &str,
    out: &mut Out<'_, u8>,
) -> usize {
    if src.len() <= DIRECT {
        return portable::encode_rest_utf8(pages, src.as_bytes(), 0, out);
    }
    encode_utf8_at(Active::now(), pages, src, out)
}

/// Encodes mapped code units while they fit; returns how many.
#[inline(always)]
pub(crate) fn encode_single_byte_utf16(
    pages: &Pages<'_>,
    src: &[u16],
    out: &mut Out<'_, u8>,
) -> usize {
    if src.len() <= DIRECT {
        return portable::encode_group_utf16(pages, src, out);
    }
    encode_utf16_at(Active::now(), pages, src, out)
}

/// [`encode_single_byte_utf8`] without vectors, up to an unmapped character or the end of the output.
pub(crate) fn encode_single_byte_utf8_portable(
    pages: &Pages<'_>,
    src: &str,
    out: &mut Out<'_, u8>,
) -> usize {
    portable::encode_utf8_loop(pages, src, out)
}

/// [`encode_single_byte_utf16`], likewise.
pub(crate) fn encode_single_byte_utf16_portable(
    pages: &Pages<'_>,
    src: &[u16],
    out: &mut Out<'_, u8>,
) -> usize {
    portable::encode_utf16_loop(pages, src, out)
}

/// Calls the named kernel of the best level there is: `dispatch!(active, kernel(arguments))`.
macro_rules! dispatch {
    ($active:expr, $kernel:ident($($argument:expr),*)) => {{
        let active = $active;
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(token) = token::Avx512::at(active) {
                return avx512::$kernel(token, $($argument),*);
            }
        }
        if let Some(done) = with_v256!(active, |token| v256::$kernel(token, $($argument),*)) {
            return done;
        }
        portable::$kernel($($argument),*)
    }};
}

// The whole kernels at a given level, whatever the length: what the tests compare.

#[inline(never)]
fn decode_utf16_at(
    active: Active,
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    dispatch!(active, decode_utf16(code_points, src, out))
}

#[inline(never)]
fn decode_utf8_at(
    active: Active,
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u8>,
) -> usize {
    dispatch!(active, decode_utf8(code_points, src, out))
}

#[inline(never)]
fn encode_utf8_at(active: Active, pages: &Pages<'_>, src: &str, out: &mut Out<'_, u8>) -> usize {
    dispatch!(active, encode_utf8(pages, src, out))
}

#[inline(never)]
fn encode_utf16_at(active: Active, pages: &Pages<'_>, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    dispatch!(active, encode_utf16(pages, src, out))
}

#[cfg(test)]
mod tests;
