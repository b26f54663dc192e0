//! The bytes of characters, each in the place where its character starts in a block of UTF-8.

use super::super::super::arrays::map_array;
use super::super::super::utf8_encode;
use super::super::super::vector::{Bytes, Token, V256};
use super::super::Pages;
use super::groups::store_groups;

/// `found` with what `byte` gives for the positions that `rest` marks.
#[inline(never)]
fn patch(found: &mut [u8; 32], mut rest: u32, byte: impl Fn(usize) -> u8) {
    while rest != 0 {
        let place = rest.trailing_zeros() as usize;
        found[place] = byte(place);
        rest &= rest - 1;
    }
}

/// [`patch`] of a register.
#[inline(always)]
pub(super) fn patched(v: Token, found: Bytes, rest: u32, byte: impl Fn(usize) -> u8) -> Bytes {
    let mut buffer = [0; 32];
    // SAFETY: LEN is at most 32.
    unsafe { v.store(found, buffer.as_mut_ptr()) };
    patch(&mut buffer, rest, byte);
    // SAFETY: LEN is at most 32.
    unsafe { v.load(buffer.as_ptr()) }
}

/// The byte of the character of two or three bytes that starts at `at`; 0 of a longer one.
pub(super) fn byte_at(pages: &Pages<'_>, src: &[u8], at: usize) -> u8 {
    let here = map_array([0, 1, 2], |i| src.get(at + i).copied().unwrap_or(0));
    utf8_encode::character(here).map_or(0, |(code_point, _)| pages.byte(code_point))
}

/// Writes the bytes that `starts` marks: exactly those; returns how many.
///
/// # Safety
/// There is room for them and [`WRITE_PADDING`] bytes at `to`.
#[inline(always)]
pub(super) unsafe fn store_starts(v: Token, to: *mut u8, bytes: Bytes, starts: u32) -> usize {
    let eights = [bytes, v.second_eights(bytes)];
    let lens = v.counts(starts);
    let groups = map_array([0, 1], |i| {
        let bits = map_array([8 * i, 16 + 8 * i], |at| (starts >> at) as u8);
        (v.compress(eights[i], bits), [lens[i], lens[2 + i]])
    });
    // SAFETY: by `# Safety`, there is room for the bytes and `WRITE_PADDING` more at `to`.
    unsafe { store_groups(v, to, groups, v.count(starts)) }
}
