//! UTF-8 to encodings that are Latin-1 from 0xA0 on, such as windows-1252.
//!
//! Two-byte letters are computed; other characters are looked up one by one. This is for text with many letters, such
//! as French: no branch tests whether a block has any. With few letters, [`mostly_ascii`](super::super::mostly_ascii),
//! which copies blocks of ASCII, is faster by a tenth in German and English.

use super::super::super::arrays::{map_array, tail};
use super::super::super::out::Out;
use super::super::super::vector::{LEN, Token, V256};
use super::super::Pages;
use super::groups::{WRITE_PADDING, byte_at, patched, store_starts};
use crate::simd::tuning;

/// Encodes blocks of the text `src` while letters are frequent. Stops at an unmapped character, and near the end of the
/// input or the output. Returns the number of bytes read.
#[inline(always)]
pub(super) fn utf8(v: Token, pages: &Pages<'_>, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    // SAFETY: holding the token proves detection succeeded.
    unsafe { featured(v, pages, src, out) }
}

#[cfg_attr(avx2, target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
fn featured(v: Token, pages: &Pages<'_>, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let mut at = 0;
    let mut are_many = true;
    while are_many {
        let rest = tail(src, at);
        // Two bytes more than a block, so that each character that starts in it also ends in the input.
        let most = (rest.len().saturating_sub(2) / LEN)
            .min(out.room().saturating_sub(WRITE_PADDING) / LEN)
            .min(tuning::LATIN_1_BLOCKS);
        let (mut taken, mut written, to) = (0, 0, out.spare_ptr());
        for _ in 0..most {
            // SAFETY: `most` is chosen so that `LEN + 2` bytes are left and `LEN + WRITE_PADDING` bytes fit.
            let block = unsafe { take(v, pages, tail(rest, taken), u32::MAX, to.add(written)) };
            let Some(len) = block else { break };
            taken += LEN;
            written += len;
        }
        // SAFETY: the stores initialised `written <= out.room()` bytes.
        unsafe { out.advance(written) };
        at += taken;
        are_many = taken == LEN * tuning::LATIN_1_BLOCKS && taken - written > tuning::FEW_LETTERS;
    }
    // Includes the continuation bytes of the last character.
    let is_left = |byte: &&u8| byte.cast_signed() < -64;
    at + tail(src, at).iter().take_while(is_left).count()
}

/// Encodes all of a text of more than one block, however few letters it has. Returns false and reports nothing as
/// written for a shorter text, if a character is unmapped, or if there is less room than whole blocks need.
#[inline(always)]
pub(super) fn push_all(v: Token, pages: &Pages<'_>, src: &[u8], out: &mut Out<'_, u8>) -> bool {
    if src.len() <= LEN || out.room() < src.len() + LEN + WRITE_PADDING {
        return false;
    }
    // The last two blocks are padded with zeros.
    let whole = (src.len() - 1) / LEN - 1;
    let mut end = [0; 2 * LEN + 2];
    let rest = src.len() - whole * LEN;
    let (Some(first), Some(last)) = (
        tail(src, whole * LEN).first_chunk::<LEN>(),
        src.last_chunk::<LEN>(),
    ) else {
        return false;
    };
    end[..LEN].copy_from_slice(first);
    end[rest - LEN..rest].copy_from_slice(last);
    let in_last = u32::MAX >> (2 * LEN - rest);
    let (mut written, to) = (0, out.spare_ptr());
    let blocks = (0..whole).map(|i| (tail(src, i * LEN), u32::MAX));
    for (block, limit) in blocks.chain([(&end[..], u32::MAX), (&end[LEN..], in_last)]) {
        // SAFETY: more than `2 * LEN` bytes of `src` follow the start of each of its blocks, and `end` has two bytes
        // after its blocks. At most `src.len()` bytes were written before, which leaves `LEN + WRITE_PADDING`.
        match unsafe { take(v, pages, block, limit, to.add(written)) } {
            Some(len) => written += len,
            None => return false,
        }
    }
    // SAFETY: the stores initialised `written <= src.len()` bytes, which fit, as tested above.
    unsafe { out.advance(written) };
    true
}

/// Writes the bytes of the characters that start at positions set in `limit`. Returns their number, or `None` if one is
/// unmapped.
///
/// # Safety
/// `src` is text of at least `LEN + 2` bytes. `LEN + WRITE_PADDING` bytes are writable at `to`.
#[inline(always)]
unsafe fn take(v: Token, pages: &Pages<'_>, src: &[u8], limit: u32, to: *mut u8) -> Option<usize> {
    // SAFETY: `src` has at least `LEN + 2` bytes, by `# Safety`.
    let [bytes, next] = map_array([0, 1], |i| unsafe { v.load(src.as_ptr().add(i)) });
    let starts = v.top_bits(v.starts(bytes)) & limit;
    // Leads of U+0080 to U+00BF, and of U+00C0 to U+00FF, whose byte in Latin-1 is the continuation byte plus 0x40.
    let is_second = v.equal(bytes, v.splat(0xC3));
    let is_first = v.equal(bytes, v.splat(0xC2));
    let letters = v.or(next, v.and(is_second, v.splat(0x40)));
    let is_letter = v.or(is_first, is_second);
    let mut found = v.blend(is_letter, letters, bytes);
    // C1 controls, which windows-1252 mostly lacks, and all other leads.
    let controls = v.equal(v.and(found, v.splat(0xE0)), v.splat(0x80));
    let others = v.and_not(is_letter, v.at_least(bytes, v.splat(0xC4)));
    let rest = v.top_bits(v.or(controls, others)) & starts;
    if rest != 0 {
        found = patched(v, found, rest, |place| byte_at(pages, src, place));
        if v.top_bits(v.equal(found, v.splat(0))) & rest != 0 {
            return None;
        }
    }
    // SAFETY: `LEN + WRITE_PADDING` bytes are writable at `to`, by `# Safety`.
    Some(unsafe { store_starts(v, to, found, starts) })
}
