//! EUC-TW: plane 1 of CNS 11643 in pairs, and planes 1 and 2 in four bytes, the second being the plane number.
//!
//! Planes 3 to 7 and 15 are missing: their 42,000 characters would take more space than all other tables of `extended`.

use super::by_steps::{self, Machine, State};
use super::linked::{Lengths, Linked};
use super::{Chars, EncodeStep, Malformed, Step, Unit};
use crate::simd::{Out, Packed};
use crate::tables::cns_11643::{cns_11643_code_point, cns_11643_pair};

struct EucTw;

/// The first byte of a four-byte sequence.
const FOUR: u8 = 0x8E;

/// Returns the code point of a pair of bytes above 0xA0 in the plane of the byte `plane`.
#[inline(always)]
fn code_point(plane: u8, lead: u8, trail: u8) -> Option<u16> {
    cns_11643_code_point(plane.wrapping_sub(0xA0), lead & 0x7F, trail & 0x7F)
}

impl Machine for EucTw {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        let is_high = matches!(byte, 0xA1..=0xFE);
        let (len, found) = match *state.held() {
            [] => {
                return match byte {
                    0..0x80 => Step::Scalar(byte.into()),
                    FOUR | 0xA1..=0xFE => state.hold(byte),
                    _ => Malformed::through(1),
                };
            }
            _ if !is_high => return state.malformed_before(),
            [FOUR] if byte > 0xB0 => return state.malformed_before(),
            [FOUR] | [FOUR, _] => return state.hold(byte),
            [lead] => (2, code_point(0xA1, lead, byte)),
            [_, plane, lead, ..] => (4, code_point(plane, lead, byte)),
            [..] => (1, None),
        };
        state.drop_held();
        found.map_or(Malformed::through(len), |to| Step::Scalar(to.into()))
    }

    #[inline(never)]
    fn decode<U: Unit>(&self, _: &mut State, src: &[u8], out: &mut Out<'_, U>) -> usize {
        super::decode::well_formed(src, out, |rest| match *rest {
            [FOUR, plane, lead @ 0xA1..=0xFE, trail @ 0xA1..=0xFE, ..] => {
                Some((code_point(plane, lead, trail)?.into(), 4))
            }
            [lead @ 0xA1..=0xFE, trail @ 0xA1..=0xFE, ..] => {
                Some((code_point(0xA1, lead, trail)?.into(), 2))
            }
            _ => None,
        })
    }

    #[inline(always)]
    fn pair_of_scalar(&self, _: &State, scalar: u32) -> Option<u16> {
        let (plane, pair) = cns_11643_pair(scalar.try_into().ok()?)?;
        (plane == 1).then_some(pair | 0x8080)
    }

    fn encode(&self, _: &mut State, scalar: u32) -> EncodeStep {
        let bytes = match u16::try_from(scalar) {
            Ok(ascii @ 0..0x80) => Some(Packed::one(ascii as u8)),
            Ok(code_point) => cns_11643_pair(code_point).map(|(plane, pair)| {
                let [lead, trail] = (pair | 0x8080).to_be_bytes();
                match plane {
                    1 => Packed::of([lead, trail]),
                    _ => Packed::of([FOUR, 0xA0 + plane, lead, trail]),
                }
            }),
            Err(_) => None,
        };
        bytes.map_or(EncodeStep::Unmappable(scalar), EncodeStep::Bytes)
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

pub(crate) static EUC_TW: Linked = Linked {
    codec: &EucTw,
    is_ascii_compatible: true,
    is_stateful: false,
    code_unit_len: 1,
    in_references: None,
    lengths: Lengths {
        to_utf8: |n| n.checked_add(n / 2),
        shift: 0,
        from_utf8: [
            |n| n.checked_add(n / 3),
            |n| (n / 2).checked_mul(7)?.checked_add(n % 2),
        ],
        from_utf16: [|n| n.checked_mul(4), |n| n.checked_mul(8)],
    },
};
