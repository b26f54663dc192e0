//! Loops in safe code that count characters and the units of other encoding forms. All are `inline(always)`, like those
//! of [`loops`](super::loops).
//!
//! Each unit adds a small number to a lane of its own, which auto-vectorises. Lanes are summed before one can overflow.

use super::super::surrogates::{is_lead, is_surrogate, is_trail};

/// The number of bytes in a block.
const BYTES: usize = 64;
/// The maximum number of blocks whose lane sums fit a byte if `count` is at most 1; `TWOS` if it is at most 2.
const ONES: usize = 255;
const TWOS: usize = 127;
/// The number of code units in a block. `BLOCKS_OF_UNITS` is the maximum number of blocks whose lane sums fit a `u16`
/// if a unit counts at most 2.
const UNITS: usize = 32;
const BLOCKS_OF_UNITS: usize = 0x7FFF;

/// Returns the sum of `count`, which is at most 1 if `BLOCKS` is [`ONES`], and at most 2 if it is [`TWOS`].
#[inline(always)]
fn sum_of_bytes<const BLOCKS: usize>(src: &[u8], count: impl Fn(u8) -> u8) -> usize {
    let mut sum = 0;
    let (blocks, rest) = src.as_chunks::<BYTES>();
    for blocks in blocks.chunks(BLOCKS) {
        let mut lanes = [0_u8; BYTES];
        for block in blocks {
            for (lane, &byte) in lanes.iter_mut().zip(block) {
                *lane += count(byte);
            }
        }
        sum += lanes.iter().map(|&lane| usize::from(lane)).sum::<usize>();
    }
    sum + rest
        .iter()
        .map(|&byte| usize::from(count(byte)))
        .sum::<usize>()
}

/// Returns 1 if a byte begins a UTF-8 character, otherwise 0: continuation bytes are below -64 as signed numbers.
#[inline(always)]
fn is_first(byte: u8) -> u8 {
    u8::from(byte as i8 >= -0x40)
}

#[inline(always)]
pub(super) fn count_chars(src: &[u8]) -> usize {
    sum_of_bytes::<ONES>(src, is_first)
}

#[inline(always)]
pub(super) fn count_utf16_of_utf8(src: &[u8]) -> usize {
    let is_four = |byte: u8| byte.saturating_sub(0xEF).min(1);
    sum_of_bytes::<TWOS>(src, |byte| is_first(byte) + is_four(byte))
}

#[inline(always)]
pub(super) fn count_not_ascii(src: &[u8]) -> usize {
    sum_of_bytes::<ONES>(src, |byte| byte >> 7)
}

#[inline(always)]
pub(super) fn count_pairs(src: &[u16]) -> usize {
    let is_pair = |unit: u16, next: u16| u16::from(is_lead(unit) & is_trail(next));
    let next = src.get(1..).unwrap_or_default();
    let (blocks, rest) = src[..next.len()].as_chunks::<UNITS>();
    let (next, rest_next) = next.as_chunks::<UNITS>();
    let mut sum = 0;
    for (blocks, next) in blocks
        .chunks(BLOCKS_OF_UNITS)
        .zip(next.chunks(BLOCKS_OF_UNITS))
    {
        let mut lanes = [0_u16; UNITS];
        for (block, next) in blocks.iter().zip(next) {
            for (lane, (&unit, &next)) in lanes.iter_mut().zip(block.iter().zip(next)) {
                *lane += is_pair(unit, next);
            }
        }
        sum += lanes.iter().map(|&lane| usize::from(lane)).sum::<usize>();
    }
    sum + (rest.iter().zip(rest_next))
        .map(|(&unit, &next)| usize::from(is_pair(unit, next)))
        .sum::<usize>()
}

// This loop and that of `count_pairs` are separate: one loop for both, with one more sum or slice, took 1.1 to 2.5
// times as long.
/// Counts each half of a pair as two bytes and a lone surrogate as three. Only text with surrogates takes a second pass
/// for that.
#[inline(always)]
pub(super) fn count_utf8_of_utf16(src: &[u16]) -> usize {
    let from = |unit: u16, first: u16| unit.saturating_sub(first - 1).min(1);
    let mut surrogates = 0;
    let mut sum = src.len();
    let (blocks, rest) = src.as_chunks::<UNITS>();
    for blocks in blocks.chunks(BLOCKS_OF_UNITS) {
        let mut lanes = [[0_u16; UNITS]; 2];
        for block in blocks {
            for (at, &unit) in block.iter().enumerate() {
                lanes[0][at] += from(unit, 0x80) + from(unit, 0x800);
                lanes[1][at] += u16::from(is_surrogate(unit));
            }
        }
        let [more, halves] =
            lanes.map(|lanes| lanes.iter().map(|&lane| usize::from(lane)).sum::<usize>());
        sum += more - halves;
        surrogates += halves;
    }
    for &unit in rest {
        let half = usize::from(is_surrogate(unit));
        sum += usize::from(from(unit, 0x80) + from(unit, 0x800)) - half;
        surrogates += half;
    }
    if surrogates > 0 {
        sum += surrogates - 2 * count_pairs(src);
    }
    sum
}
