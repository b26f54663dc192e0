//! UTF-8 to bytes that are, from 0xA0 on, those of Latin-1: windows-1252's.
//!
//! Letters of two bytes are arithmetic, and everything else is looked up one by one. It is for text in which letters are
//! many, as in French: no branch asks whether a block has any. Where they are few, [`mostly_ascii`](super::super::mostly_ascii)
//! copies blocks of ASCII and is the better way, by a tenth in German and English.

use super::super::super::arrays::{map_array, tail};
use super::super::super::out::Out;
use super::super::super::vector::{LEN, Token, V256};
use super::super::Pages;
use super::groups::WRITE_PADDING;
use super::starts::{byte_at, patched, store_starts};
use crate::simd::tuning;

/// Blocks between two looks at how many letters there are.
const BLOCKS: usize = tuning::LATIN_1_BLOCKS;
/// With this many letters in [`BLOCKS`] blocks, the blocks are too sparse for this loop.
const FEW: usize = tuning::FEW_LETTERS;

/// Encodes blocks of `src`, which is text, as long as letters are many: up to an unmapped character, or where little is left
/// of it or of the output; returns how many bytes of it.
#[inline(always)]
pub(super) fn utf8(v: Token, pages: &Pages<'_>, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    // SAFETY: holding the token proves detection succeeded.
    unsafe { featured(v, pages, src, out) }
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
)]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn featured(v: Token, pages: &Pages<'_>, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let mut at = 0;
    let mut are_many = true;
    while are_many {
        let rest = tail(src, at);
        // Two bytes more than a block: the characters that start in it end there.
        let most = (rest.len().saturating_sub(2) / LEN)
            .min(out.room().saturating_sub(WRITE_PADDING) / LEN)
            .min(BLOCKS);
        let (mut taken, mut written, to) = (0, 0, out.spare_ptr());
        for _ in 0..most {
            // SAFETY: LEN + 2 bytes are left, and there is room for LEN and WRITE_PADDING, as `most` has it.
            let block = unsafe { take(v, pages, tail(rest, taken), to.add(written)) };
            let Some(len) = block else { break };
            taken += LEN;
            written += len;
        }
        // SAFETY: the blocks' stores initialised `written` bytes, within the output.
        unsafe { out.advance(written) };
        at += taken;
        are_many = taken == LEN * BLOCKS && taken - written > FEW;
    }
    // The last character is taken as a whole.
    let is_left = |byte: &&u8| byte.cast_signed() < -64;
    at + tail(src, at).iter().take_while(is_left).count()
}

/// Writes what the characters become that start in a block; how many bytes, if all are mapped.
///
/// # Safety
/// `src` is text of LEN + 2 bytes at least; there is room for LEN bytes and [`WRITE_PADDING`] at `to`.
#[inline(always)]
unsafe fn take(v: Token, pages: &Pages<'_>, src: &[u8], to: *mut u8) -> Option<usize> {
    // SAFETY: by `# Safety`, `src` has LEN + 2 bytes.
    let [bytes, next] = map_array([0, 1], |i| unsafe { v.load(src.as_ptr().add(i)) });
    let starts = v.top_bits(v.starts(bytes));
    // Leads of U+0080 to U+00BF, and of U+00C0 to U+00FF: the next byte is the one sought, less 0x40.
    let is_second = v.equal(bytes, v.splat(0xC3));
    let is_first = v.equal(bytes, v.splat(0xC2));
    let letters = v.or(next, v.and(is_second, v.splat(0x40)));
    let is_letter = v.or(is_first, is_second);
    let mut found = v.blend(is_letter, letters, bytes);
    // Controls, most of which windows-1252 does not have; and all other leads.
    let controls = v.equal(v.and(found, v.splat(0xE0)), v.splat(0x80));
    let others = v.and_not(is_letter, v.at_least(bytes, v.splat(0xC4)));
    let rest = v.top_bits(v.or(controls, others)) & starts;
    if rest != 0 {
        found = patched(v, found, rest, |place| byte_at(pages, src, place));
        if v.top_bits(v.equal(found, v.splat(0))) & rest != 0 {
            return None;
        }
    }
    // SAFETY: by `# Safety`, there is room for LEN bytes and `WRITE_PADDING` at `to`.
    Some(unsafe { store_starts(v, to, found, starts) })
}
