//! Big5 (section 11.1 of the Standard), with the Hong Kong supplement, which the encoder excludes.

use super::big5_index;
use super::double_byte::{Encoding, Steps};
use super::pair_decoder::Pairs;
use crate::simd::{DoubleByteDecode, DoubleByteEncode, Flat, Layout, Packed, Values};
use crate::tables;

static KERNEL: DoubleByteDecode = DoubleByteDecode {
    layout: Layout {
        leads: [(0x81, 0xFE); 2],
        plain: [(0xA1, 0xC7), (0xC9, 0xF9)],
        lead_offsets: [0x81; 2],
        columns: 157,
        trails: [(0x40, 0x7E), (0xA1, 0xFE)],
        trail_offsets: [0x40, 0x62],
        first_pointer: tables::BIG5_FIRST_POINTER as u16,
        katakana: false,
    },
    index: &tables::BIG5,
};

#[derive(Clone, Copy)]
pub(crate) struct Decode;

impl Pairs for Decode {
    const KERNEL: &'static DoubleByteDecode = &KERNEL;

    #[inline(always)]
    fn scalar(lead: u8, trail: u8) -> Option<u32> {
        big5_index::code_point(lead, trail)
    }

    #[inline(always)]
    fn two_scalars(lead: u8, trail: u8) -> Option<(u32, u32)> {
        big5_index::two_code_points(lead, trail)
    }

    fn max_utf8(n: usize) -> Option<usize> {
        big5_index::max_utf8(n)
    }
}

struct Encode;

impl Steps for Encode {
    #[inline(always)]
    fn bytes(scalar: u32) -> Option<Packed> {
        // Steps 3 to 8.
        tables::big5_bytes(scalar).map(Packed::lead_trail)
    }

    #[inline(always)]
    fn pair(scalar: u32) -> Option<u16> {
        tables::BIG5_ENCODE.get(u16::try_from(scalar).ok()?)
    }
}

pub(crate) static ENCODE: Encoding = Encoding::new::<Encode>(DoubleByteEncode {
    flat: Flat::new(),
    table: &tables::BIG5_ENCODE,
    values: Values::Bytes,
    ask: 0,
    others: Encode::bytes,
});
