//! Code points that have two bytes, encoded.

use super::super::arrays::each;
use super::super::ascii::bits;
use super::super::encode_pairs::Ranks;
use super::super::out::Out;
use super::super::packed::LongBytes;
use super::super::sequence::{four, three, two};
use super::super::surrogates::{is_surrogate, scalar_of};
use super::{BLOCK, PIECE, RUN, convert, has_long_run, units};

/// Bytes that a piece becomes at most, the run behind it, and a pair.
const MOST: usize = 2 * PIECE + RUN + 2;
/// And with others: no reference has more than eight bytes for each unit of its character.
const MOST_WITH_OTHERS: usize = 8 * PIECE + RUN + 16;

/// UTF-8 or UTF-16.
pub(in crate::simd) trait Form {
    type Unit: Copy + Default;
    /// Units of the longest character that is known here.
    const LONGEST: usize;
    /// Units of the longest character.
    const LONGEST_OF_ALL: usize;

    /// How many units become what there is room for, whatever they are.
    fn fit(room: usize) -> usize;

    /// Where characters other than ASCII start, and where there is what is not known here.
    fn starts(block: &[Self::Unit; BLOCK]) -> (u64, u64);

    /// The bits of what is not ASCII.
    fn others(block: &[Self::Unit; BLOCK]) -> u64;

    /// The code point of a character, and how many units it has.
    fn character(units: [Self::Unit; 4]) -> (u16, usize);

    /// Whether a character has more than [`LONGEST`](Self::LONGEST) units.
    fn is_long(units: [Self::Unit; 4]) -> bool;

    /// Any character but ASCII, lone surrogates as U+FFFD.
    fn scalar(units: [Self::Unit; 4]) -> (u32, usize);

    /// Writes ASCII.
    fn run(units: [Self::Unit; RUN]) -> [u8; RUN];
}

pub(in crate::simd) struct Utf8;

impl Form for Utf8 {
    type Unit = u8;
    const LONGEST: usize = 3;
    const LONGEST_OF_ALL: usize = 4;

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
            (two(word), 2)
        } else {
            (three(word), 3)
        }
    }

    #[inline(always)]
    fn is_long(bytes: [u8; 4]) -> bool {
        bytes[0] >= 0xF0
    }

    #[inline(always)]
    fn scalar(bytes: [u8; 4]) -> (u32, usize) {
        if bytes[0] < 0xF0 {
            let (code_point, len) = Self::character(bytes);
            return (code_point.into(), len);
        }
        (four(u32::from_le_bytes(bytes)), 4)
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
    const LONGEST_OF_ALL: usize = 2;

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
    fn is_long([unit, ..]: [u16; 4]) -> bool {
        is_surrogate(unit)
    }

    #[inline(always)]
    fn scalar([unit, next, ..]: [u16; 4]) -> (u32, usize) {
        scalar_of(unit, next)
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
    // SAFETY: there are no others.
    unsafe { encode_some::<F, false, MOST>(ranks, src, out, |_| None) }
}

/// [`encode`], where `others` has what stands for the scalar values of all other characters, as long as it does.
///
/// # Safety
/// That has at most eight bytes for each unit of the character.
#[inline(always)]
pub(in crate::simd) unsafe fn encode_with_others<F: Form>(
    ranks: &Ranks,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
    others: impl FnMut(u32) -> Option<LongBytes>,
) -> usize {
    // SAFETY: the contract of this function.
    unsafe { encode_some::<F, true, MOST_WITH_OTHERS>(ranks, src, out, others) }
}

/// [`encode`], with others if so it is said; a piece becomes `N` bytes at most.
///
/// # Safety
/// That of [`encode_with_others`], which is nothing if there are none.
#[inline(always)]
unsafe fn encode_some<F: Form, const OTHERS: bool, const N: usize>(
    ranks: &Ranks,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
    mut others: impl FnMut(u32) -> Option<LongBytes>,
) -> usize {
    const { assert!(N >= if OTHERS { MOST_WITH_OTHERS } else { MOST }) };
    let longest = if OTHERS {
        F::LONGEST_OF_ALL
    } else {
        F::LONGEST
    };
    let fit = |room| if OTHERS { room / 8 } else { F::fit(room) };
    let block = |block: &[F::Unit; BLOCK + RUN], inside: u64, to| {
        if has_long_run(!F::others(units(block)) & inside) {
            return None;
        }
        let (starts, unknown) = F::starts(units(block));
        let (starts, unknown) = if OTHERS {
            (starts | unknown, 0)
        } else {
            (starts, unknown)
        };
        // What begins near the end is for the next block.
        let whole = starts & inside >> (longest - 1);
        let ends = (starts & !whole) | unknown | !inside;
        let whole = whole & !ends & ends.wrapping_sub(1);
        let end = ends.trailing_zeros() as usize;
        // SAFETY: as many places as the longest character has follow each start, and `N` has room for a whole piece. What
        // `others` has is the contract of this function.
        Some(unsafe { write::<F, OTHERS>(ranks, block, whole, end, to, &mut others) })
    };
    // SAFETY: `write` initialises what it writes, two bytes at most for each unit, or eight, and what is written behind the
    // last one.
    unsafe { convert::<_, _, N>(src, out, fit, longest, block) }
}

/// Writes the bytes of the first `end` places of a block, up to a character that has none; returns how many places that is,
/// and where what follows is to go.
///
/// # Safety
/// Each of `starts` is that of a character of the block, before `end`; at `to`, there is room for two bytes for each place
/// and a run; with `OTHERS`, for eight, a run and sixteen bytes, and `others` has no more than eight for each unit.
#[inline(always)]
unsafe fn write<F: Form, const OTHERS: bool>(
    ranks: &Ranks,
    block: &[F::Unit; BLOCK + RUN],
    starts: u64,
    mut end: usize,
    mut to: *mut u8,
    mut others: impl FnMut(u32) -> Option<LongBytes>,
) -> (usize, *mut u8) {
    // SAFETY: four units are readable from each start on, and a run behind its character, in the last places of the block,
    // too. A character has one unit at least and becomes two bytes; so each is written behind the one before it. The rest
    // is the contract of this function.
    unsafe {
        let from = block.as_ptr();
        let run = |at: usize| F::run(from.add(at).cast::<[F::Unit; RUN]>().read());
        to.cast::<[u8; RUN]>().write(run(0));
        let mut rest = starts;
        while rest != 0 {
            let i = rest.trailing_zeros() as usize;
            let character = from.add(i).cast::<[F::Unit; 4]>().read();
            let (code_point, n) = F::character(character);
            let (pair, is_member) = ranks.find(code_point);
            let here = to.wrapping_add(i);
            rest &= rest - 1;
            if is_member && !(OTHERS && F::is_long(character)) {
                here.cast::<[u8; 2]>().write(pair.to_be_bytes());
                here.add(2).cast::<[u8; RUN]>().write(run(i + n));
                to = to.wrapping_add(2).wrapping_sub(n);
                continue;
            }
            let (scalar, n) = F::scalar(character);
            let Some((bytes, len)) = others(scalar) else {
                end = i;
                break;
            };
            here.cast::<[u8; 16]>().write(bytes);
            here.add(len).cast::<[u8; RUN]>().write(run(i + n));
            to = to.wrapping_add(len).wrapping_sub(n);
            // The trail of a pair of surrogates is none of the starts any more, nor the end of them.
            rest &= u64::MAX << (i + n - 1) << 1;
            end = end.max(i + n);
        }
    }
    (end, to.wrapping_add(end))
}

#[cfg(test)]
mod tests;
