//! Pairs of EBCDIC: what encodings with single and double bytes and encodings of pairs alone have in common.

use super::{Malformed, Step, Unit};
use crate::simd::Out;
use crate::tables::pairs::{Decoded, Pairs};

/// What a lead and a trail become.
#[inline(always)]
pub(super) fn step<P: Pairs>(lead: u8, trail: u8) -> Step {
    match P::unit(lead, trail) {
        0 => match P::other(lead, trail) {
            Some(Decoded::One(scalar)) => Step::Scalar(scalar),
            Some(Decoded::Two(first, second)) => Step::Pair(first, second),
            None => Malformed::through(2),
        },
        code_point => Step::Scalar(code_point.into()),
    }
}

/// The pair of a scalar value.
#[inline(always)]
pub(super) fn pair<P: Pairs>(scalar: u32) -> Option<u16> {
    match u16::try_from(scalar) {
        Ok(code_point) => P::pair(code_point),
        Err(_) => P::pair_above(scalar),
    }
}

/// Decodes pairs of one code point each, up to what is none; returns how many bytes.
#[inline(always)]
pub(super) fn decode<P: Pairs, U: Unit>(src: &[u8], out: &mut Out<'_, U>) -> usize {
    let mut read = 0;
    for &[lead, trail] in src.as_chunks().0 {
        let code_point = P::unit(lead, trail);
        let fits = match code_point {
            0 => false,
            0x800.. => U::push_three(out, code_point.into()),
            _ => U::push_bmp(out, code_point),
        };
        if !fits {
            break;
        }
        read += 2;
    }
    read
}
