//! Big5 (section 11.1 of the Standard): Big5 with the Hong Kong supplement, which the encoder leaves out.

use super::double_byte::{Encoding, Steps};
use super::restart::Backoff;
use super::{DecodeMachine, Malformed, Step, Unit};
use crate::simd::{DoubleByteDecode, DoubleByteEncode, Layout, Out, Packed, Values};
use crate::tables;

#[derive(Clone, Copy, Default)]
pub(crate) struct Big5Decoder {
    lead: u8,
}

/// Steps 3.3 to 3.5: the pointer of a pair whose lead is in 0x81 to 0xFE.
#[inline(always)]
fn pointer(lead: u8, trail: u8) -> Option<usize> {
    if !matches!(trail, 0x40..=0x7E | 0xA1..=0xFE) {
        return None;
    }
    let offset = if trail < 0x7F { 0x40 } else { 0x62 };
    Some(usize::from(lead - 0x81) * 157 + usize::from(trail - offset))
}

static PAIRS: DoubleByteDecode = DoubleByteDecode {
    layout: Layout {
        leads: [(0x81, 0xFE); 2],
        plain: [(0xA1, 0xC7), (0xC9, 0xF9)],
        lead_offsets: [0x81; 2],
        columns: 157,
        trails: [(0x40, 0x7E), (0xA1, 0xFE)],
        trail_offsets: [0x40, 0x62],
        first_pointer: tables::decode::BIG5_FIRST_POINTER as u16,
        katakana: false,
    },
    index: &tables::decode::BIG5,
    four_bytes: None,
};

impl DecodeMachine for Big5Decoder {
    const MALFORMED_WITHIN: usize = 2;

    #[inline(always)]
    fn step(&mut self, byte: u8) -> Step {
        // Step 3.
        if self.lead != 0 {
            let lead = core::mem::take(&mut self.lead);
            let Some(pointer) = pointer(lead, byte) else {
                return Malformed::pair(byte, 2);
            };
            // Step 3.6.
            match pointer {
                1133 => return Step::Pair(0xCA, 0x304),
                1135 => return Step::Pair(0xCA, 0x30C),
                1164 => return Step::Pair(0xEA, 0x304),
                1166 => return Step::Pair(0xEA, 0x30C),
                _ => {}
            }
            return match tables::big5_code_point(pointer) {
                Some(code_point) => Step::Scalar(code_point),
                None => Malformed::pair(byte, 2),
            };
        }
        // Steps 4 to 6.
        match byte {
            0x00..=0x7F => Step::Scalar(byte.into()),
            0x81..=0xFE => {
                self.lead = byte;
                Step::Continue
            }
            _ => Malformed::through(1),
        }
    }

    fn finish(&mut self) -> Option<Malformed> {
        // Steps 1 and 2.
        (core::mem::take(&mut self.lead) != 0).then_some(Malformed {
            len: 1,
            ..Malformed::default()
        })
    }

    #[inline(always)]
    fn is_neutral(&self) -> bool {
        self.lead == 0
    }

    fn prefix<U: Unit>(
        &mut self,
        src: &[u8],
        out: &mut Out<'_, U>,
        backoff: &mut Backoff,
    ) -> usize {
        super::decode::well_formed_double_byte(&PAIRS, src, out, backoff, |rest| match *rest {
            [lead @ 0x81..=0xFE, trail, ..] => {
                Some((tables::big5_code_point(pointer(lead, trail)?)?, 2))
            }
            _ => None,
        })
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        if replacing {
            n.checked_mul(3)
        } else {
            // A pair may give four bytes: a scalar value of plane 2, or two that take two each.
            (n - n % 2).checked_mul(2)?.checked_add(n % 2)
        }
    }
}

/// The encoder's steps.
struct Encode;

impl Steps for Encode {
    #[inline(always)]
    fn bytes(scalar: u32) -> Option<Packed> {
        // Steps 3 to 8.
        tables::big5_bytes(scalar).map(Packed::lead_trail)
    }
}

/// The encoder.
pub(crate) static ENCODE: Encoding = Encoding::new::<Encode>(DoubleByteEncode {
    table: &tables::encode::BIG5_ENCODE,
    values: Values::Bytes,
    ask: 0,
    four_bytes: false,
    pointers: None,
    others: Encode::bytes,
});
