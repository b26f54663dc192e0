//! The bytes of characters, each at the position where its character starts in a block of UTF-8.

use super::super::super::arrays::map_array;
use super::super::super::utf8_encode;
use super::super::super::vector::{Bytes, Token, V256};
use super::super::Pages;
use super::groups::store_groups;

/// Replaces the bytes at the positions set in `rest` by those that `byte` returns.
#[inline(never)]
fn patch(found: &mut [u8; 32], mut rest: u32, byte: impl Fn(usize) -> u8) {
    while rest != 0 {
        let place = rest.trailing_zeros() as usize;
        found[place] = byte(place);
        rest &= rest - 1;
    }
}

/// Applies [`patch`] to a register.
#[inline(always)]
pub(super) fn patched(v: Token, found: Bytes, rest: u32, byte: impl Fn(usize) -> u8) -> Bytes {
    let mut buffer = [0; 32];
    // SAFETY: `LEN <= 32`, the length of the buffer.
    unsafe { v.store(found, buffer.as_mut_ptr()) };
    patch(&mut buffer, rest, byte);
    // SAFETY: `LEN <= 32`, the length of the buffer.
    unsafe { v.load(buffer.as_ptr()) }
}

/// Returns the byte of the two- or three-byte character at `at`; 0 if it is unmapped or longer.
pub(super) fn byte_at(pages: &Pages<'_>, src: &[u8], at: usize) -> u8 {
    let here = map_array([0, 1, 2], |i| src.get(at + i).copied().unwrap_or(0));
    utf8_encode::character(here).map_or(0, |(code_point, _)| pages.byte(code_point))
}

/// Writes exactly the bytes set in `starts`. Returns their number.
///
/// # Safety
/// The bytes and [`WRITE_PADDING`](super::groups::WRITE_PADDING) more are writable at `to`.
#[inline(always)]
pub(super) unsafe fn store_starts(v: Token, to: *mut u8, bytes: Bytes, starts: u32) -> usize {
    let eights = [bytes, v.second_eights(bytes)];
    let lens = v.counts(starts);
    let groups = map_array([0, 1], |i| {
        let bits = map_array([8 * i, 16 + 8 * i], |at| (starts >> at) as u8);
        (v.compress(eights[i], bits), [lens[i], lens[2 + i]])
    });
    // SAFETY: the bytes and `WRITE_PADDING` more are writable at `to`, by `# Safety`.
    unsafe { store_groups(v, to, groups, v.count(starts)) }
}
