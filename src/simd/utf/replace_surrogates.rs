//! Replaces lone surrogates in UTF-16 by U+FFFD, for text with many lone surrogates: a block at a time, without a
//! branch on their positions.
//!
//! The code is portable, and the compiler vectorises it.

use super::super::arrays::tail;
use super::super::out::Out;
use super::super::surrogates::{is_lead, is_trail};
use super::native;

/// The number of units in a block.
const BLOCK: usize = 64;

/// A block of whole characters.
struct Replaced {
    units: [u16; BLOCK],
    /// The number of valid units: all, or all but a lead whose trail is in the next block.
    len: usize,
    /// True if more than one surrogate was lone, so that more are likely.
    many: bool,
}

impl Replaced {
    /// Replaces the lone surrogates of a block. `around` has the block and one unit on either side. The unit before the
    /// block is never a lead.
    #[inline(never)]
    fn of(around: &[u16; BLOCK + 2]) -> Self {
        let before = around[..BLOCK].iter();
        let after = around[2..].iter();
        let mut units = [0; BLOCK];
        units.copy_from_slice(&around[1..=BLOCK]);
        let mut count = 0;
        for ((unit, &before), &after) in units.iter_mut().zip(before).zip(after) {
            // Non-short-circuiting `&` and `|`, so that it vectorises.
            let lone_lead = u16::from(is_lead(*unit)) & u16::from(!is_trail(after));
            let lone_trail = u16::from(is_trail(*unit)) & u16::from(!is_lead(before));
            let alone = lone_lead | lone_trail;
            let mask = 0_u16.wrapping_sub(alone);
            *unit = *unit & !mask | 0xFFFD & mask;
            count += alone;
        }
        Self {
            units,
            len: BLOCK - usize::from(is_lead(units[BLOCK - 1])),
            many: count > 1,
        }
    }
}

/// Returns a 0, the units of a block, and the unit after the block, all converted by `native`.
#[inline(always)]
fn around<T: Copy>(block: &[T; BLOCK + 1], native: impl Fn(T) -> u16) -> [u16; BLOCK + 2] {
    let mut around = [0; BLOCK + 2];
    for (to, &unit) in around[1..].iter_mut().zip(block) {
        *to = native(unit);
    }
    around
}

/// Reads bytes of UTF-16 up to a block with few lone surrogates, and writes code units with U+FFFD for lone surrogates.
/// Returns the number of bytes read.
pub(crate) fn utf16_bytes_replacing_surrogates(
    src: &[u8],
    big_endian: bool,
    out: &mut Out<'_, u16>,
) -> usize {
    let (src, _) = src.as_chunks::<2>();
    let mut at = 0;
    while let Some(block) = tail(src, at).first_chunk::<{ BLOCK + 1 }>() {
        let replaced = Replaced::of(&match big_endian {
            true => around(block, native::<true>),
            false => around(block, native::<false>),
        });
        if !out.push_slice(&replaced.units[..replaced.len]) {
            break;
        }
        at += replaced.len;
        if !replaced.many {
            break;
        }
    }
    2 * at
}

/// Reads code units up to a block with few lone surrogates, and writes UTF-8 with U+FFFD for lone surrogates. Returns
/// the number of units read.
pub(crate) fn utf16_to_utf8_replacing_surrogates(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut at = 0;
    while let Some(block) = tail(src, at).first_chunk::<{ BLOCK + 1 }>() {
        let replaced = Replaced::of(&around(block, |unit| unit));
        let taken = super::utf16_to_utf8(&replaced.units[..replaced.len], out);
        at += taken;
        if taken < replaced.len || !replaced.many {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika_spec::Random;
    use std::vec::Vec;

    /// Returns code units with many surrogates, a quarter each of leads and trails, or with few if `rare`.
    fn units(random: &mut Random, rare: bool) -> Vec<u16> {
        let mut next = || random.next() as u32;
        let len = next() as usize % 400;
        let mut unit = || match next() % if rare { 200 } else { 4 } {
            0 => 0xD800 | next() as u16 & 0x3FF,
            1 => 0xDC00 | next() as u16 & 0x3FF,
            _ => (next() as u16).min(0xD7FF),
        };
        (0..len).map(|_| unit()).collect()
    }

    /// Returns the units with lone surrogates replaced by the standard library.
    fn model(src: &[u16]) -> Vec<u16> {
        let characters = char::decode_utf16(src.iter().copied());
        characters
            .map(|c| c.unwrap_or('\u{FFFD}'))
            .flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec())
            .collect()
    }

    #[test]
    fn lone_surrogates_are_replaced_wherever_they_are() {
        let (mut random, mut total) = (Random::new(1), 0);
        for round in 0..2000 {
            let src = units(&mut random, round % 2 == 0);
            let expected = model(&src);
            for room in [src.len(), src.len() / 2] {
                let mut utf8 = std::vec![0; 3 * room];
                let mut out = Out::from_init(&mut utf8);
                let taken = utf16_to_utf8_replacing_surrogates(&src, &mut out);
                let text = std::string::String::from_utf16(&expected[..taken]).unwrap();
                assert_eq!(out.written_slice(), text.as_bytes(), "{src:X?}");
                for big_endian in [false, true] {
                    let bytes = src.iter().flat_map(|unit| match big_endian {
                        true => unit.to_be_bytes(),
                        false => unit.to_le_bytes(),
                    });
                    let bytes: Vec<u8> = bytes.collect();
                    let mut units = std::vec![0; room];
                    let mut out = Out::from_init(&mut units);
                    let taken = utf16_bytes_replacing_surrogates(&bytes, big_endian, &mut out) / 2;
                    assert_eq!(out.written_slice(), &expected[..taken], "{src:X?}");
                    total += taken;
                }
            }
        }
        // The kernel must get past the first blocks.
        assert!(total > 100_000, "{total}");
    }
}
