//! Big5 with the Hong Kong supplement of 2008, in both directions.
//!
//! The decoder is the Standard's, whose index includes the supplement. The Standard's encoder excludes the part of the
//! supplement before Big5's first row. This encoder searches those 4,000 positions in the decoder's index, and so needs no
//! table. Reserved pairs are decoded but never written: their characters have another pair in Big5 or in the supplement.

use super::big5_index;
use super::by_steps::{self, Machine, State};
use super::linked::{Lengths, Linked};
use super::{Chars, EncodeStep, Malformed, Step, Unit};
use crate::simd::{Out, Packed};
use crate::tables;

struct Big5Hkscs;

/// Reserved pairs before Big5's first row, whose characters have another pair later in the supplement.
const RESERVED: [u16; 4] = [0x8FCC, 0x92C8, 0x9644, 0x96ED];

/// Reserved pairs that the Standard's encoder writes, and the pairs that replace them in the supplement.
const INSTEAD: [(u16, u16); 9] = [
    (0xC6CF, 0xFBFD),
    (0xC6D3, 0xFCD3),
    (0xC6D5, 0xFEC1),
    (0xC6D7, 0x90C4),
    (0xC6DF, 0xC969),
    (0xFB48, 0x9DEF),
    (0xFBF9, 0x9DFB),
    (0xFC6C, 0xA0DC),
    (0xFE52, 0x9975),
];

/// Returns the pair of a non-ASCII character; `None` if it is unmappable.
#[inline(always)]
fn pair(scalar: u32) -> Option<u16> {
    match tables::big5_bytes(scalar) {
        Some(found @ (0xC6CF..=0xC6DF | 0xFB48..)) => {
            let instead = INSTEAD.iter().find(|(standard, _)| *standard == found);
            Some(instead.map_or(found, |&(_, own)| own))
        }
        Some(found) => Some(found),
        None => supplement_pair(scalar),
    }
}

/// Returns the pair of a character before Big5's first row.
#[inline(never)]
fn supplement_pair(scalar: u32) -> Option<u16> {
    let pair = |pointer: usize| {
        let (lead, cell) = (0x81 + pointer / 157, pointer % 157);
        let trail = cell + if cell < 0x3F { 0x40 } else { 0x62 };
        (lead << 8 | trail) as u16
    };
    let mut pointers = tables::big5_supplement_pointers(scalar).map(pair);
    pointers.find(|pair| !RESERVED.contains(pair))
}

impl Machine for Big5Hkscs {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        if let &[lead] = state.held() {
            state.drop_held();
            if let Some((first, second)) = big5_index::two_code_points(lead, byte) {
                return Step::Pair(first, second);
            }
            return match big5_index::code_point(lead, byte) {
                Some(scalar) => Step::Scalar(scalar),
                None => Malformed::pair(byte, 2),
            };
        }
        match byte {
            0..0x80 => Step::Scalar(byte.into()),
            0x81..=0xFE => state.hold(byte),
            0x80 | 0xFF => Malformed::through(1),
        }
    }

    #[inline(never)]
    fn decode<U: Unit>(&self, _: &mut State, src: &[u8], out: &mut Out<'_, U>) -> usize {
        super::decode::well_formed(src, out, |rest| match *rest {
            [lead @ 0x81..=0xFE, trail, ..] => Some((big5_index::code_point(lead, trail)?, 2)),
            _ => None,
        })
    }

    fn encode(&self, _: &mut State, scalar: u32) -> EncodeStep {
        match scalar {
            0..0x80 => EncodeStep::Bytes(Packed::one(scalar as u8)),
            _ => EncodeStep::pair(scalar, pair(scalar)),
        }
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

pub(crate) static BIG5_HKSCS: Linked = Linked {
    codec: &Big5Hkscs,
    is_ascii_compatible: true,
    is_stateful: false,
    code_unit_len: 1,
    in_references: None,
    lengths: Lengths {
        to_utf8: big5_index::max_utf8,
        shift: 0,
        from_utf8: [Some, |n| (n / 2).checked_mul(7)?.checked_add(n % 2)],
        from_utf16: [|n| n.checked_mul(2), |n| n.checked_mul(8)],
    },
};
