//! UTF-8 of up to three bytes a character to UTF-16. Longer characters end the prefix, and so does what is malformed.

use super::super::arrays::each;
use super::super::ascii::bits;
use super::super::out::Out;
use super::super::sequence::{three, two};
use super::{BLOCK, PIECE, RUN, convert, has_long_run, units};

/// From how many bytes on the kernel is worth its start.
pub(in crate::simd) const FROM: usize = 96;
/// So often at least a block changes between ASCII and other characters that runs of either are short: else, unless most
/// others have two bytes, branches foresee most of what comes.
const MIXED: u32 = 12;
/// So many blocks of ASCII are a run for the kernel that all encodings share.
const LONG_RUN: usize = 4;
/// Units that a piece becomes at most, and a run behind it.
const MOST: usize = PIECE + RUN + 1;

/// Converts a prefix of `src`; returns its length.
#[inline(never)]
pub(in crate::simd) fn utf8_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut ascii_blocks = 0;
    let block = |block: &[u8; BLOCK + RUN], inside: u64, to| {
        let others = bits::not_ascii(units(block));
        let changes = ((others ^ others << 1) & inside).count_ones();
        let is_ascii = others & inside == 0;
        ascii_blocks = if is_ascii { ascii_blocks + 1 } else { 0 };
        // Whether characters of two bytes may be more than changes.
        let may_be_runs = match is_ascii {
            true => ascii_blocks < LONG_RUN,
            false => (others & inside).count_ones() > 2 * changes,
        };
        if !may_be_runs && changes < MIXED {
            return None;
        }
        let characters = places(units(block), others, inside);
        let (twos, threes) = (characters.twos.count_ones(), characters.threes.count_ones());
        let is_run = is_ascii || twos > changes.max(threes);
        if !is_run && changes < MIXED {
            return None;
        }
        // SAFETY: `places` answers for the characters, and `MOST` for the room.
        let to = unsafe {
            if is_run {
                write_runs(block, characters, to)
            } else if has_long_run(!others & inside) {
                write::<true>(block, characters, to)
            } else {
                write::<false>(block, characters, to)
            }
        };
        Some((characters.end, to))
    };
    // SAFETY: both ways to write initialise what they write, a unit at most for each byte, and a run behind the last one.
    unsafe { convert::<_, _, MOST>(src, out, |room| room, 3, block) }
}

/// What a block starts with.
#[derive(Clone, Copy)]
struct Characters {
    /// The leads of whole characters of two bytes.
    twos: u64,
    /// Of three bytes.
    threes: u64,
    /// Where something else begins, or the end.
    end: usize,
}

#[inline(always)]
fn places(block: &[u8; BLOCK], others: u64, inside: u64) -> Characters {
    let marks =
        |is: fn(u8) -> bool| bits::not_ascii(&block.map(|byte| if is(byte) { 0x80 } else { 0 }));
    let leads = marks(|byte| byte >= 0xC0);
    // Most text of two bytes a character has nothing else.
    let unusual = |any, &byte: &u8| any | u8::from(byte >= 0xE0) | u8::from(byte & 0xFE == 0xC0);
    let second = (others & !leads & inside) >> 1;
    let (twos, threes) = if block.iter().fold(0, unusual) == 0 {
        (leads & second, 0)
    } else {
        let at_least_a0 = marks(|byte| byte >= 0xA0);
        let short = marks(|byte| byte < 0xC2);
        let long = marks(|byte| byte >= 0xE0);
        let longer = marks(|byte| byte >= 0xF0);
        let overlong = marks(|byte| byte == 0xE0) & !(at_least_a0 >> 1);
        let surrogates = marks(|byte| byte == 0xED) & at_least_a0 >> 1;
        (
            leads & !short & !long & second,
            long & !longer & !overlong & !surrogates & second & second >> 1,
        )
    };
    let good = twos | threes;
    let ends = (others & !(good | good << 1 | threes << 2)) | !inside;
    let before_end = !ends & ends.wrapping_sub(1);
    Characters {
        twos: twos & before_end,
        threes: threes & before_end,
        end: ends.trailing_zeros() as usize,
    }
}

/// Writes the characters of a block; returns where what follows is to go.
///
/// # Safety
/// They are where they are said to be, of the lengths, and there is nothing else but ASCII before the end, of which more
/// than [`RUN`] bytes stand in a row only if `LONG`. [`RUN`] units more than the end has bytes are writable at `to`.
#[inline(always)]
unsafe fn write<const LONG: bool>(
    block: &[u8; BLOCK + RUN],
    Characters { twos, threes, end }: Characters,
    mut to: *mut u16,
) -> *mut u16 {
    let from = block.as_ptr();
    // SAFETY: a character ends in the first BLOCK bytes, so that RUN bytes are readable behind it, from each place before
    // `end`, and so four from a lead on. The rest is the contract of this function.
    unsafe {
        let run = |at: usize| each(from.add(at).cast::<[u8; RUN]>().read(), u16::from);
        let put = |at: usize, until: usize, to: *mut u16| {
            to.wrapping_add(at).cast::<[u16; RUN]>().write(run(at));
            if LONG {
                for more in (at + RUN..until).step_by(RUN) {
                    to.wrapping_add(more).cast::<[u16; RUN]>().write(run(more));
                }
            }
        };
        let mut rest = twos | threes;
        let next = |rest: u64| end.min(rest.trailing_zeros() as usize);
        put(0, next(rest), to);
        while rest != 0 {
            let i = rest.trailing_zeros() as usize;
            let word = u32::from_le_bytes(from.add(i).cast::<[u8; 4]>().read());
            let is_long = word >> 5 & 1;
            let (two, three) = (two(word), three(word));
            // A choice may become a branch.
            let unit = two ^ ((two ^ three) & (is_long as u16).wrapping_neg());
            to.wrapping_add(i).write(unit);
            let len = 2 + is_long as usize;
            to = to.wrapping_add(1).wrapping_sub(len);
            rest &= rest - 1;
            put(i + len, next(rest), to);
        }
    }
    to.wrapping_add(end)
}

/// [`write`] for long runs: of ASCII, and of characters of two bytes, eight of which are converted at a time.
///
/// # Safety
/// That of `write::<true>`.
#[inline(always)]
unsafe fn write_runs(
    block: &[u8; BLOCK + RUN],
    Characters { twos, threes, end }: Characters,
    mut to: *mut u16,
) -> *mut u16 {
    let from = block.as_ptr();
    let (leads, pairs) = (twos | threes, twos | twos << 1);
    let mut at = 0;
    // SAFETY: RUN bytes are readable from every place in the first BLOCK ones on, and so four from a lead of three bytes
    // on, which end there. A run of so many is written past the units that count, at most.
    unsafe {
        while at < end {
            let rest = leads >> at;
            let next = end.min(at + rest.trailing_zeros() as usize);
            while at < next {
                let ascii = from.add(at).cast::<[u8; RUN]>().read();
                to.cast::<[u16; RUN]>().write(each(ascii, u16::from));
                let taken = RUN.min(next - at);
                at += taken;
                to = to.add(taken);
            }
            if at == end {
                break;
            }
            let until = end.min(at + (!pairs >> at).trailing_zeros() as usize);
            while at < until {
                let pairs = from.add(at).cast::<[[u8; 2]; RUN / 2]>().read();
                let two = |pair| two(u32::from(u16::from_le_bytes(pair)));
                to.cast::<[u16; RUN / 2]>().write(each(pairs, two));
                let taken = RUN.min(until - at);
                at += taken;
                to = to.add(taken / 2);
            }
            while at < end && threes >> at & 1 != 0 {
                let word = u32::from_le_bytes(from.add(at).cast::<[u8; 4]>().read());
                to.write(three(word));
                at += 3;
                to = to.add(1);
            }
        }
    }
    to
}

#[cfg(test)]
mod tests;
