//! EUC-KR (section 13.1 of the Standard): KS X 1001 with the Unified Hangul Code.

use super::double_byte::{Encoding, Steps};
use super::pair_decoder::Pairs;
use crate::simd::{DoubleByteDecode, DoubleByteEncode, Flat, Layout, Packed, Values};
use crate::tables;

/// KS X 1001, which covers nearly all text. Its leads and trails are above 0xA0. Other pairs end the prefix.
static KERNEL: DoubleByteDecode = DoubleByteDecode {
    layout: Layout::EUC,
    index: &tables::EUC_KR,
};

#[derive(Clone, Copy)]
pub(crate) struct Decode;

impl Pairs for Decode {
    const KERNEL: &'static DoubleByteDecode = &KERNEL;

    #[inline(always)]
    fn scalar(lead: u8, trail: u8) -> Option<u32> {
        // Steps 3.3 to 3.5. A trail below 0x41 wraps to a column that does not exist.
        let (row, column) = (
            usize::from(lead - 0x81),
            usize::from(trail).wrapping_sub(0x41),
        );
        tables::euc_kr_code_point(row, column).map(u32::from)
    }

    fn max_utf8(n: usize) -> Option<usize> {
        n.checked_add(n / 2)
    }
}

struct Encode;

impl Steps for Encode {
    #[inline(always)]
    fn bytes(scalar: u32) -> Option<Packed> {
        // Steps 3 to 7.
        tables::euc_kr_bytes(u16::try_from(scalar).ok()?).map(Packed::lead_trail)
    }

    #[inline(always)]
    fn pair(scalar: u32) -> Option<u16> {
        tables::EUC_KR_ENCODE.get(u16::try_from(scalar).ok()?)
    }
}

pub(crate) static ENCODE: Encoding = Encoding::new::<Encode>(DoubleByteEncode {
    flat: Flat::new(),
    table: &tables::EUC_KR_ENCODE,
    values: Values::Bytes,
    ask: 0,
    others: Encode::bytes,
});
