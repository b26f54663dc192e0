//! EUC-JP (section 12.1 of the Standard). Index jis0212 is for decoding only.

use super::decode::{well_formed, well_formed_double_byte};
use super::double_byte::{Encoding, Steps};
use super::restart::Backoff;
use super::{DecodeMachine, Malformed, Step, Unit, jis0208};
use crate::simd::{DoubleByteEncode, Flat, Out, Packed, Values};
use crate::tables;

#[derive(Clone, Copy)]
pub(crate) struct EucJpDecoder {
    jis0212: bool,
    lead: u8,
}

impl EucJpDecoder {
    pub const NEW: Self = Self {
        jis0212: false,
        lead: 0,
    };
}

/// Returns the code point of a pair in index jis0208 or, if `jis0212`, in index jis0212.
#[inline(always)]
fn code_point(jis0212: bool, lead: u8, trail: u8) -> Option<u16> {
    let (row, cell) = (lead.wrapping_sub(0xA1), trail.wrapping_sub(0xA1));
    if row >= 94 || cell >= 94 {
        return None;
    }
    if jis0212 {
        tables::jis0212_code_point(usize::from(row) * 94 + usize::from(cell))
    } else {
        jis0208::code_point(row, cell)
    }
}

/// Decodes well-formed input without vectors. Returns the number of bytes read.
#[inline(never)]
fn run<U: Unit>(src: &[u8], out: &mut Out<'_, U>) -> usize {
    well_formed(src, out, |rest| match *rest {
        [0x8E, trail @ 0xA1..=0xDF, ..] => Some((0xFF61 - 0xA1 + u32::from(trail), 2)),
        [0x8F, lead, trail, ..] => Some((code_point(true, lead, trail)?.into(), 3)),
        [lead, trail, ..] => Some((code_point(false, lead, trail)?.into(), 2)),
        _ => None,
    })
}

impl DecodeMachine for EucJpDecoder {
    const MALFORMED_WITHIN: usize = 3;

    #[inline(always)]
    fn step(&mut self, byte: u8) -> Step {
        match (self.lead, byte) {
            // Step 3.
            (0x8E, 0xA1..=0xDF) => {
                self.lead = 0;
                Step::Scalar(0xFF61 - 0xA1 + u32::from(byte))
            }
            // Step 4.
            (0x8F, 0xA1..=0xFE) => {
                self.jis0212 = true;
                self.lead = byte;
                Step::Continue
            }
            // Steps 6 to 8.
            (0, 0x00..=0x7F) => Step::Scalar(byte.into()),
            (0, 0x8E | 0x8F | 0xA1..=0xFE) => {
                self.lead = byte;
                Step::Continue
            }
            (0, _) => Malformed::through(1),
            // Step 5.
            (lead, _) => {
                let jis0212 = self.jis0212;
                *self = Self::NEW;
                match code_point(jis0212, lead, byte) {
                    Some(code_point) => Step::Scalar(code_point.into()),
                    None => Malformed::pair(byte, 2 + u8::from(jis0212)),
                }
            }
        }
    }

    fn finish(&mut self) -> Option<Malformed> {
        // Steps 1 and 2.
        let len = self.pending() as u8;
        *self = Self::NEW;
        Malformed::at_end(len)
    }

    #[inline(always)]
    fn is_neutral(&self) -> bool {
        self.lead == 0
    }

    #[inline(always)]
    fn probes_ascii(&self) -> bool {
        true
    }

    fn prefix<U: Unit>(
        &mut self,
        src: &[u8],
        out: &mut Out<'_, U>,
        backoff: &mut Backoff,
    ) -> usize {
        well_formed_double_byte(&jis0208::EUC_PAIRS, src, out, backoff, run)
    }

    #[inline(always)]
    fn short<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        run(src, out)
    }

    fn pending(&self) -> usize {
        usize::from(self.lead != 0) + usize::from(self.jis0212)
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        max_utf8_of_pairs(n, replacing)
    }
}

/// Returns the maximum number of UTF-8 bytes for `n` bytes of an encoding whose pairs have at most three UTF-8 bytes.
pub(crate) fn max_utf8_of_pairs(n: usize, replacing: bool) -> Option<usize> {
    if replacing {
        n.checked_mul(3)
    } else {
        n.checked_add(n / 2)
    }
}

struct Encode;

impl Steps for Encode {
    #[inline(always)]
    fn bytes(scalar: u32) -> Option<Packed> {
        Some(match scalar {
            // Steps 3 and 4.
            0xA5 => Packed::one(0x5C),
            0x203E => Packed::one(0x7E),
            // Step 5.
            0xFF61..=0xFF9F => Packed::of([0x8E, (scalar - 0xFF61 + 0xA1) as u8]),
            // Steps 6 to 11: 0xA1 is added to the row and to the cell.
            _ => Packed::lead_trail(jis0208::row_cell(scalar)? + 0xA1A1),
        })
    }

    #[inline(always)]
    fn pair(scalar: u32) -> Option<u16> {
        Some(tables::jis0208_row_cell(u16::try_from(scalar).ok()?)? + 0xA1A1)
    }
}

pub(crate) static ENCODE: Encoding = Encoding::new::<Encode>(DoubleByteEncode {
    flat: Flat::new(),
    table: &tables::JIS0208_ENCODE,
    values: Values::Euc,
    ask: 0,
    others: Encode::bytes,
});
