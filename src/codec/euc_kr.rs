//! EUC-KR (section 13.1 of the Standard): KS X 1001 with the Unified Hangul Code.

use super::double_byte::{Encoding, Steps};
use super::restart::Backoff;
use super::{DecodeMachine, Malformed, Step, Unit};
use crate::simd::{DoubleByteDecode, DoubleByteEncode, Layout, Out, Packed, Values};
use crate::tables;

#[derive(Clone, Copy, Default)]
pub(crate) struct EucKrDecoder {
    lead: u8,
}

/// Steps 3.3 to 3.5: the code point of a pair whose lead is in 0x81 to 0xFE.
#[inline(always)]
fn code_point(lead: u8, trail: u8) -> Option<u16> {
    if !matches!(trail, 0x41..=0xFE) {
        return None;
    }
    tables::euc_kr_code_point(usize::from(lead - 0x81), usize::from(trail - 0x41))
}

/// KS X 1001, which is nearly all of text: its leads and trails are above 0xA0, and others end the prefix.
static PAIRS: DoubleByteDecode = DoubleByteDecode {
    layout: Layout::EUC,
    index: &tables::decode::EUC_KR,
    four_bytes: None,
};

impl DecodeMachine for EucKrDecoder {
    const MALFORMED_WITHIN: usize = 2;

    #[inline(always)]
    fn step(&mut self, byte: u8) -> Step {
        // Step 3.
        if self.lead != 0 {
            let lead = core::mem::take(&mut self.lead);
            return match code_point(lead, byte) {
                Some(code_point) => Step::Scalar(code_point.into()),
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
            [lead @ 0x81..=0xFE, trail, ..] => Some((code_point(lead, trail)?.into(), 2)),
            _ => None,
        })
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        if replacing {
            n.checked_mul(3)
        } else {
            n.checked_add(n / 2)
        }
    }
}

/// The encoder's steps.
struct Encode;

impl Steps for Encode {
    #[inline(always)]
    fn bytes(scalar: u32) -> Option<Packed> {
        // Steps 3 to 7.
        tables::euc_kr_bytes(u16::try_from(scalar).ok()?).map(Packed::lead_trail)
    }
}

/// The encoder.
pub(crate) static ENCODE: Encoding = Encoding::new::<Encode>(DoubleByteEncode {
    table: &tables::encode::EUC_KR_ENCODE,
    values: Values::Bytes,
    ask: 0,
    four_bytes: false,
    pointers: None,
    others: Encode::bytes,
});
