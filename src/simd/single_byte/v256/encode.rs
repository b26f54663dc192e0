//! Encoding by shuffles.

use super::super::super::arrays::{map_array, tail};
use super::super::super::out::Out;
use super::super::super::vector::{Bytes, LEN, Token, V256};
use super::super::{MASKS, Pages, mostly_ascii, portable};
use super::groups::{WRITE_PADDING, byte_at, patched, store_starts};
use super::latin_1;
use crate::simd::tuning;

/// Minimum number of units for which building the windows pays off.
const SHORT: usize = tuning::TABLES_FROM;

/// A window of 128 code points, starting at a multiple of 128.
struct Window {
    start: u16,
    /// Built on first use: much text needs only one window.
    table: Option<<Token as V256>::Table>,
}

impl Window {
    #[inline(always)]
    fn new(start: u16) -> Self {
        Self { start, table: None }
    }

    #[inline(always)]
    fn table(&mut self, v: Token, pages: &Pages<'_>) -> &<Token as V256>::Table {
        // Not `get_or_insert_with`: the compiler may outline its closure without the target feature.
        if self.table.is_none() {
            let block = usize::from(self.start >> 6);
            let mut entries = [0; 128];
            entries[..64].copy_from_slice(pages.page(block));
            entries[64..].copy_from_slice(pages.page(block + 1));
            self.table = Some(v.table(&entries));
        }
        match &self.table {
            Some(table) => table,
            None => unreachable!("just made"),
        }
    }
}

/// Replaces the bytes of `found` in the lanes `here` by the window's bytes. The low seven bits of `index` are the
/// positions in the table.
#[inline(always)]
fn look_up(
    v: Token,
    table: &<Token as V256>::Table,
    index: Bytes,
    here: Bytes,
    found: Bytes,
) -> Bytes {
    let bytes = v.look_up(table, v.or(index, v.splat(0x80)));
    v.or(v.and(here, bytes), v.and_not(here, found))
}

/// Joins the low six bits of `next` and, above them, bits 0 and 1 of `lead`.
#[inline(always)]
fn join(v: Token, lead: Bytes, next: Bytes) -> Bytes {
    let six = v.splat(0x3F);
    v.or(v.and_not(six, v.shift_6(lead)), v.and(six, next))
}

#[cfg_attr(avx2, target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
pub(in super::super) fn utf8(
    v: Token,
    pages: &Pages<'_>,
    text: &str,
    out: &mut Out<'_, u8>,
) -> usize {
    let src = text.as_bytes();
    let is_short = MASKS && src.len() < tuning::TABLES_OF_CALL_FROM;
    if is_short && pages.is_latin_1 && latin_1::push_all(v, pages, src, out) {
        return src.len();
    }
    if src.len() < SHORT {
        return portable::encode_utf8(pages, text, out);
    }
    if text.len() >= tuning::TABLES_OF_CALL_FROM && pages.is_sparse() {
        let dense = |src: &[u8], out: &mut Out<'_, u8>| match pages.is_latin_1 {
            true => latin_1::utf8(v, pages, src, out),
            false => 0,
        };
        let at =
            mostly_ascii::encode_utf8(pages, text, out, |block| v.top_bits_of_block(block), dense);
        return at + portable::encode_utf8(pages, tail(text, at), out);
    }
    let [mut a, mut b, mut c] = pages.windows().map(Window::new);
    let (to, room) = (out.spare_ptr(), out.room());
    let (mut at, mut written) = (0, 0);
    // Two bytes more than a block, so that each character that starts in it also ends in the input.
    while src.len() - at >= LEN + 2 && room - written >= LEN + WRITE_PADDING {
        // SAFETY: `src.len() - at >= LEN + 2`, by the loop condition.
        let [bytes, next, after] =
            map_array([0, 1, 2], |i| unsafe { v.load(src.as_ptr().add(at + i)) });
        let not_ascii = v.movemask(bytes);
        if !v.any(not_ascii) {
            // SAFETY: `room - written >= LEN`, by the loop condition.
            unsafe { v.store(bytes, to.add(written)) };
            written += LEN;
            at += LEN;
            continue;
        }
        // Continuation bytes at the start of the block belong to an earlier character.
        let starts = v.movemask(v.starts(bytes));
        let characters = v.both(starts, not_ascii);
        let even = v.splat(!1);
        let pair = v.and(bytes, even);
        let mut found = bytes;
        let mut rest = characters;
        for window in [&mut a, &mut b] {
            let here = v.equal(pair, v.splat(0xC0 | (window.start >> 6) as u8));
            let marks = v.movemask(here);
            if v.any(marks) {
                found = look_up(v, window.table(v, pages), join(v, bytes, next), here, found);
                rest = v.both(rest, v.others(marks));
            }
        }
        let lead = v.equal(bytes, v.splat(0xE0 | (c.start >> 12) as u8));
        let second = v.splat(0x80 | (c.start >> 6 & 0x3F) as u8);
        let here = v.and(lead, v.equal(v.and(next, even), second));
        let marks = v.movemask(here);
        if v.any(marks) {
            found = look_up(v, c.table(v, pages), join(v, next, after), here, found);
            rest = v.both(rest, v.others(marks));
        }
        if v.any(rest) {
            let rest = v.bits(rest);
            found = patched(v, found, rest, |place| byte_at(pages, src, at + place));
        }
        if v.any(v.both(v.movemask(v.equal(found, v.splat(0))), characters)) {
            break;
        }
        // SAFETY: `room - written >= LEN + WRITE_PADDING`, by the loop condition.
        written += unsafe { store_starts(v, to.add(written), found, v.bits(starts)) };
        at += LEN;
    }
    // SAFETY: the stores initialised `written <= room` bytes.
    unsafe { out.advance(written) };
    // Skips the continuation bytes of the last character.
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at + portable::encode_utf8(pages, tail(text, at), out)
}

#[cfg_attr(avx2, target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
pub(in super::super) fn utf16(
    v: Token,
    pages: &Pages<'_>,
    src: &[u16],
    out: &mut Out<'_, u8>,
) -> usize {
    if src.len() < SHORT {
        return portable::encode_utf16(pages, src, out);
    }
    if pages.is_sparse() {
        let at = mostly_ascii::encode_utf16(pages, src, out, |block| v.top_bits_of_block(block));
        return at + portable::encode_utf16(pages, tail(src, at), out);
    }
    let mut windows = pages.windows().map(Window::new);
    let len = src.len().min(out.room());
    let to = out.spare_ptr();
    let mut at = 0;
    while len - at >= LEN {
        // SAFETY: `len - at >= LEN`, by the loop condition, and `len <= src.len()`.
        let [low, high] = unsafe { v.load_units(src.as_ptr().add(at)) };
        let is_high = v.at_least(low, v.splat(0x80));
        let zero = v.splat(0);
        let ascii = v.and_not(is_high, v.equal(high, zero));
        let characters = v.others(v.movemask(ascii));
        let mut found = low;
        if v.any(characters) {
            let mut rest = characters;
            for window in &mut windows {
                let page = v.equal(high, v.splat((window.start >> 8) as u8));
                let here = match window.start & 0x80 {
                    0 => v.and_not(is_high, page),
                    _ => v.and(is_high, page),
                };
                let marks = v.movemask(here);
                if v.any(marks) {
                    found = look_up(v, window.table(v, pages), low, here, found);
                    rest = v.both(rest, v.others(marks));
                }
            }
            if v.any(rest) {
                let rest = v.bits(rest);
                found = patched(v, found, rest, |place| {
                    src.get(at + place).map_or(0, |&unit| pages.byte(unit))
                });
            }
            if v.any(v.both(v.movemask(v.equal(found, zero)), characters)) {
                break;
            }
        }
        // SAFETY: `at + LEN <= len`, by the loop condition, and `len` was cut to `out.room()`.
        unsafe { v.store(found, to.add(at)) };
        at += LEN;
    }
    // SAFETY: the stores initialised `at <= len` bytes, and `len` was cut to `out.room()`.
    unsafe { out.advance(at) };
    at + portable::encode_utf16(pages, tail(src, at), out)
}
