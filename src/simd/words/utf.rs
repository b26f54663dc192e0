//! UTF-8 of up to three bytes a character to UTF-16. Longer characters end the prefix, and so does what is malformed.

use super::super::arrays::each;
use super::super::ascii::bits;
use super::super::out::Out;
use super::super::sequence::{three, two};
use super::{BLOCK, PIECE, RUN, convert, has_long_run, units};

/// From how many bytes on the kernel is worth its start.
pub(in crate::simd) const FROM: usize = 96;
/// So often at least a block changes between ASCII and other characters: else branches foresee most of what comes.
const MIXED: u32 = 12;
/// Units that a piece becomes at most, and a run behind it.
const MOST: usize = PIECE + RUN + 1;

/// Converts a prefix of `src`; returns its length.
#[inline(never)]
pub(in crate::simd) fn utf8_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let block = |block: &[u8; BLOCK + RUN], inside: u64, to| {
        let others = bits::not_ascii(units(block));
        let changes = (others ^ others << 1) & inside;
        if changes.count_ones() < MIXED {
            return None;
        }
        let (leads, end) = places(units(block), others, inside);
        // SAFETY: `places` answers for the leads, and `MOST` for the room.
        let to = unsafe {
            if has_long_run(!others & inside) {
                write::<true>(block, leads, end, to)
            } else {
                write::<false>(block, leads, end, to)
            }
        };
        Some((end, to))
    };
    // SAFETY: `write` initialises what it writes, a unit at most for each byte, and a run behind the last one.
    unsafe { convert::<_, _, MOST>(src, out, |room| room, 3, block) }
}

/// The leads of whole characters, and where something else begins, or the end.
#[inline(always)]
fn places(block: &[u8; BLOCK], others: u64, inside: u64) -> (u64, usize) {
    let marks =
        |is: fn(u8) -> bool| bits::not_ascii(&block.map(|byte| if is(byte) { 0x80 } else { 0 }));
    let at_least_a0 = marks(|byte| byte >= 0xA0);
    let leads = marks(|byte| byte >= 0xC0);
    let short = marks(|byte| byte < 0xC2);
    let long = marks(|byte| byte >= 0xE0);
    let longer = marks(|byte| byte >= 0xF0);
    let overlong = marks(|byte| byte == 0xE0) & !(at_least_a0 >> 1);
    let surrogates = marks(|byte| byte == 0xED) & at_least_a0 >> 1;
    let second = (others & !leads & inside) >> 1;
    let twos = leads & !short & !long & second;
    let threes = long & !longer & !overlong & !surrogates & second & second >> 1;
    let good = twos | threes;
    let ends = (others & !(good | good << 1 | threes << 2)) | !inside;
    (
        good & !ends & ends.wrapping_sub(1),
        ends.trailing_zeros() as usize,
    )
}

/// Writes the first `end` bytes of a block; returns where what follows is to go.
///
/// # Safety
/// Each lead is the first of two or three bytes of the block, before `end`; there is nothing else but ASCII, of which more
/// than [`RUN`] bytes stand in a row only if `LONG`. At `to`, `end + RUN` units are writable.
#[inline(always)]
unsafe fn write<const LONG: bool>(
    block: &[u8; BLOCK + RUN],
    leads: u64,
    end: usize,
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
        let mut rest = leads;
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

#[cfg(test)]
mod tests;
