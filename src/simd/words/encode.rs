//! Code points that have two bytes, encoded.

use core::mem::MaybeUninit;

use super::super::arrays::{after, each};
use super::super::ascii::bits;
use super::super::encode_pairs::Ranks;
use super::super::out::Out;
use super::{BLOCK, PIECE, RUN, block_at, has_long_run};

/// Bytes that a piece becomes at most, the run behind it, and a pair.
const MOST: usize = 2 * PIECE + RUN + 2;

/// UTF-8 or UTF-16.
pub(in crate::simd) trait Form {
    type Unit: Copy + Default;
    /// Units of the longest character that is known here.
    const LONGEST: usize;

    /// How many units become what there is room for, whatever they are.
    fn fit(room: usize) -> usize;

    /// Where characters other than ASCII start, and where there is what is not known here.
    fn starts(block: &[Self::Unit; BLOCK]) -> (u64, u64);

    /// The bits of what is not ASCII.
    fn others(block: &[Self::Unit; BLOCK]) -> u64;

    /// The code point of a character, and how many units it has.
    fn character(units: [Self::Unit; 4]) -> (u16, usize);

    /// Writes ASCII.
    fn run(units: [Self::Unit; RUN]) -> [u8; RUN];
}

pub(in crate::simd) struct Utf8;

impl Form for Utf8 {
    type Unit = u8;
    const LONGEST: usize = 3;

    #[inline(always)]
    fn fit(room: usize) -> usize {
        room
    }

    #[inline(always)]
    fn others(block: &[u8; BLOCK]) -> u64 {
        bits::not_ascii(block)
    }

    #[inline(always)]
    fn starts(block: &[u8; BLOCK]) -> (u64, u64) {
        let at_least =
            |first: u8| bits::not_ascii(&block.map(|byte| if byte >= first { 0x80 } else { 0 }));
        let four = at_least(0xF0);
        (at_least(0xC0) & !four, four)
    }

    #[inline(always)]
    fn character(bytes: [u8; 4]) -> (u16, usize) {
        let word = u32::from_le_bytes(bytes);
        if bytes[0] < 0xE0 {
            return (((word & 0x1F) << 6 | (word >> 8 & 0x3F)) as u16, 2);
        }
        let code_point = (word & 0xF) << 12 | (word >> 2 & 0xFC0) | (word >> 16 & 0x3F);
        (code_point as u16, 3)
    }

    #[inline(always)]
    fn run(units: [u8; RUN]) -> [u8; RUN] {
        units
    }
}

pub(in crate::simd) struct Utf16;

impl Form for Utf16 {
    type Unit = u16;
    const LONGEST: usize = 1;

    #[inline(always)]
    fn fit(room: usize) -> usize {
        room / 2
    }

    #[inline(always)]
    fn others(block: &[u16; BLOCK]) -> u64 {
        bits::not_ascii(&block.map(|unit| if unit < 0x80 { 0 } else { 0x80 }))
    }

    #[inline(always)]
    fn starts(block: &[u16; BLOCK]) -> (u64, u64) {
        // No encoding has bytes for a surrogate.
        (Self::others(block), 0)
    }

    #[inline(always)]
    fn character([unit, ..]: [u16; 4]) -> (u16, usize) {
        (unit, 1)
    }

    #[inline(always)]
    fn run(units: [u16; RUN]) -> [u8; RUN] {
        each(units, |unit| unit as u8)
    }
}

/// Encodes a prefix of text by a map to pairs of bytes; returns its length in units.
#[inline(never)]
pub(in crate::simd) fn encode<F: Form>(
    ranks: &Ranks,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
) -> usize {
    let mut at = 0;
    loop {
        let rest = after(src, at);
        let len = rest.len().min(PIECE).min(F::fit(out.room()));
        let mut beside = [const { MaybeUninit::uninit() }; MOST];
        let (taken, written, stops) = encode_piece::<F>(ranks, rest, len, &mut beside);
        // SAFETY: `encode_piece` has initialised them.
        let fits = unsafe { out.push_beside(&beside, written) };
        debug_assert!(fits);
        at += taken;
        if stops || taken == 0 {
            return at;
        }
    }
}

/// Encodes what it can of the first `len` units, which are at most [`PIECE`]; returns how many that is, how many bytes are
/// initialised for them, and whether it stops at what is not for this kernel; if not, the rest is for the next piece.
#[inline(always)]
fn encode_piece<F: Form>(
    ranks: &Ranks,
    src: &[F::Unit],
    len: usize,
    to: &mut [MaybeUninit<u8>; MOST],
) -> (usize, usize, bool) {
    assert!(len <= PIECE && len <= src.len());
    let start = to.as_mut_ptr().cast::<u8>();
    // Where what follows `at` is to go.
    let (mut at, mut to) = (0, start);
    let mut stops = false;
    let mut padded = MaybeUninit::uninit();
    while at < len {
        let left = len - at;
        if left < BLOCK && len < src.len() {
            break;
        }
        stops = true;
        let block = block_at(src, at, &mut padded);
        let Some(units) = block.first_chunk() else {
            break;
        };
        let inside = u64::MAX >> (BLOCK - left.min(BLOCK));
        if has_long_run(!F::others(units) & inside) {
            break;
        }
        let (starts, unknown) = F::starts(units);
        // What begins near the end is for the next block.
        let whole = starts & inside >> (F::LONGEST - 1);
        let ends = (starts & !whole) | unknown | !inside;
        let mut rest = whole & !ends & ends.wrapping_sub(1);
        let mut end = ends.trailing_zeros() as usize;
        // SAFETY: four units are readable from each start on, and a run behind its character, in the last three places of the
        // block, too. A character has one unit at least and becomes two bytes; so each is written behind the one before it,
        // and `MOST` has room for what a whole piece becomes and for the run behind it.
        unsafe {
            let from = block.as_ptr();
            let run = |at: usize| F::run(from.add(at).cast::<[F::Unit; RUN]>().read());
            to.cast::<[u8; RUN]>().write(run(0));
            while rest != 0 {
                let i = rest.trailing_zeros() as usize;
                let (code_point, n) = F::character(from.add(i).cast::<[F::Unit; 4]>().read());
                let Some(pair) = ranks.get(code_point) else {
                    end = i;
                    break;
                };
                let here = to.wrapping_add(i);
                here.cast::<[u8; 2]>().write(pair.to_be_bytes());
                here.add(2).cast::<[u8; RUN]>().write(run(i + n));
                to = to.wrapping_add(2).wrapping_sub(n);
                rest &= rest - 1;
            }
        }
        to = to.wrapping_add(end);
        at += end;
        if end <= BLOCK - F::LONGEST {
            break;
        }
        stops = false;
    }
    // SAFETY: both are in `beside`.
    let written = unsafe { to.offset_from_unsigned(start) };
    (at, written, stops)
}

#[cfg(test)]
mod tests;
