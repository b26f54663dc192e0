//! Big5 (section 11.1 of the Standard): Big5 with the Hong Kong supplement, which the encoder leaves out.

use super::double_byte::{Encoding, Steps};
use super::pair_decoder::Pairs;
use crate::simd::{DoubleByteDecode, DoubleByteEncode, Flat, Layout, Packed, Values};
use crate::tables;

/// Steps 3.3 to 3.5: the pointer of a pair whose lead is in 0x81 to 0xFE.
#[inline(always)]
fn pointer(lead: u8, trail: u8) -> Option<usize> {
    if !matches!(trail, 0x40..=0x7E | 0xA1..=0xFE) {
        return None;
    }
    let offset = if trail < 0x7F { 0x40 } else { 0x62 };
    Some(usize::from(lead - 0x81) * 157 + usize::from(trail - offset))
}

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
    four_bytes: None,
};

/// The decoder's steps.
#[derive(Clone, Copy)]
pub(crate) struct Decode;

impl Pairs for Decode {
    const KERNEL: &'static DoubleByteDecode = &KERNEL;

    #[inline(always)]
    fn scalar(lead: u8, trail: u8) -> Option<u32> {
        tables::big5_code_point(pointer(lead, trail)?)
    }

    #[inline(always)]
    fn two_scalars(lead: u8, trail: u8) -> Option<(u32, u32)> {
        // Step 3.6. The index has nothing at these pointers.
        match pointer(lead, trail)? {
            1133 => Some((0xCA, 0x304)),
            1135 => Some((0xCA, 0x30C)),
            1164 => Some((0xEA, 0x304)),
            1166 => Some((0xEA, 0x30C)),
            _ => None,
        }
    }

    fn max_utf8(n: usize) -> Option<usize> {
        // A pair may give four bytes: a scalar value of plane 2, or two that take two each.
        (n - n % 2).checked_mul(2)?.checked_add(n % 2)
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
    flat: Flat::new(),
    table: &tables::BIG5_ENCODE,
    values: Values::Bytes,
    ask: 0,
    four_bytes: None,
    others: Encode::bytes,
});
