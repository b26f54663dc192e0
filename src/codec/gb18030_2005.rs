//! The 2005 edition of GB 18030: gb18030 with 18 characters as before the 2022 edition, and with the pair 0xA3 0xA0.
//!
//! The 2022 edition decodes the pairs of these characters to characters of Unicode 4.1. This edition decodes them to
//! private-use code points, and encodes the characters in four bytes. The Standard's additions for the Web, 0x80 and a
//! second ideographic space, are missing.

use super::by_steps::{self, Machine, State};
use super::gb18030_index::{self, four_byte};
use super::linked::{Lengths, Linked};
use super::{Chars, EncodeStep, Malformed, Step, Unit};
use crate::simd::{Out, Packed};
use crate::tables;

struct Gb18030Of2005;

/// Returns the code point of a pair for which this edition and index gb18030 differ.
#[inline(always)]
fn own(lead: u8, trail: u8) -> Option<u16> {
    let cell = u16::from(trail);
    match (lead, trail) {
        (0xA3, 0xA0) => Some(0xE5E5),
        (0xA6, 0xD9..=0xDF) => Some(0xE78D + cell - 0xD9),
        (0xA6, 0xEC | 0xED) => Some(0xE794 + cell - 0xEC),
        (0xA6, 0xF3) => Some(0xE796),
        (0xFE, 0x59 | 0x61 | 0x66 | 0x67 | 0x6D | 0x7E) => Some(0xE7C5 + cell),
        (0xFE, 0x90 | 0xA0) => Some(0xE7C4 + cell),
        _ => None,
    }
}

#[inline(always)]
fn two_byte(lead: u8, trail: u8) -> Option<u16> {
    if matches!(lead, 0xA3 | 0xA6 | 0xFE)
        && let Some(code_point) = own(lead, trail)
    {
        return Some(code_point);
    }
    gb18030_index::two_byte(lead, trail)
}

/// Returns the bytes of a non-ASCII code point.
#[inline(always)]
fn bytes(scalar: u32) -> Packed {
    let pair = match u16::try_from(scalar) {
        Ok(0xE5E5) => Some(0xA3A0),
        // These characters have other pairs in the 2022 edition.
        Ok(0xFE10..=0xFE19 | 0x9FB4..=0x9FBB) | Err(_) => None,
        Ok(code_point) => tables::gb18030_bytes(code_point),
    };
    match pair {
        Some(pair) => Packed::lead_trail(pair),
        None => Packed::of(gb18030_index::four_bytes(scalar)),
    }
}

impl Machine for Gb18030Of2005 {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        let is_digit = byte.is_ascii_digit();
        match *state.held() {
            [] => match byte {
                0..0x80 => Step::Scalar(byte.into()),
                0x81..=0xFE => state.hold(byte),
                0x80 | 0xFF => Malformed::through(1),
            },
            [_] if is_digit => state.hold(byte),
            [lead] => {
                state.drop_held();
                match two_byte(lead, byte) {
                    Some(code_point) => Step::Scalar(code_point.into()),
                    None => Malformed::pair(byte, 2),
                }
            }
            [_, _] if matches!(byte, 0x81..=0xFE) => state.hold(byte),
            [first, second, third] if is_digit => {
                state.drop_held();
                match four_byte([first, second, third, byte]) {
                    Some(code_point) => Step::Scalar(code_point),
                    None => Malformed::through(4),
                }
            }
            _ => state.first_malformed(),
        }
    }

    #[inline(never)]
    fn decode<U: Unit>(&self, _: &mut State, src: &[u8], out: &mut Out<'_, U>) -> usize {
        super::decode::well_formed(src, out, |rest| match *rest {
            [
                first @ 0x81..=0xFE,
                second @ 0x30..=0x39,
                third @ 0x81..=0xFE,
                fourth @ 0x30..=0x39,
                ..,
            ] => Some((four_byte([first, second, third, fourth])?, 4)),
            [lead @ 0x81..=0xFE, trail, ..] => Some((two_byte(lead, trail)?.into(), 2)),
            _ => None,
        })
    }

    fn encode(&self, _: &mut State, scalar: u32) -> EncodeStep {
        EncodeStep::Bytes(match scalar {
            0..0x80 => Packed::one(scalar as u8),
            _ => bytes(scalar),
        })
    }

    #[inline(never)]
    fn encode_text<S: Chars + ?Sized>(
        &self,
        state: &mut State,
        src: &S,
        out: &mut Out<'_, u8>,
    ) -> usize {
        by_steps::encode_with_ascii(self, state, src, out)
    }
}

/// Every scalar value has bytes. Two bytes of UTF-8 may become four.
const FROM_UTF8: fn(usize) -> Option<usize> = |n| (n - n % 2).checked_mul(2)?.checked_add(n % 2);
const FROM_UTF16: fn(usize) -> Option<usize> = |n| n.checked_mul(4);

pub(crate) static GB_18030_2005: Linked = Linked {
    codec: &Gb18030Of2005,
    is_ascii_compatible: true,
    is_stateful: false,
    code_unit_len: 1,
    in_references: None,
    lengths: Lengths {
        to_utf8: |n| n.checked_add(n / 2),
        shift: 0,
        from_utf8: [FROM_UTF8; 2],
        from_utf16: [FROM_UTF16; 2],
    },
};
