//! EBCDIC with pairs alone: the double bytes of the encodings that shift, without shifts.
//!
//! Two bytes are a code unit: without a character they are malformed as a whole, and so is one byte at the end. No pair is a
//! line end, and none is a character of ASCII: references are written in full width, which all of these encodings have.

use super::ebcdic_pairs;
use super::linked::{Lengths, Linked, Machine, State};
use super::{EncodeStep, InReferences, Source, Step, Unit};
use crate::simd::{Out, Packed};
use crate::tables::pairs::{self, Pairs};
use core::marker::PhantomData;

struct Codec<P>(PhantomData<fn() -> P>);

impl<P: Pairs> Machine for Codec<P> {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        match *state.held() {
            [lead] => {
                state.drop_held();
                ebcdic_pairs::step::<P>(lead, byte)
            }
            _ => state.hold(byte),
        }
    }

    #[inline(never)]
    fn decode<U: Unit>(&self, _: &mut State, src: &[u8], out: &mut Out<'_, U>) -> usize {
        ebcdic_pairs::decode::<P, U>(src, out)
    }

    fn encode(&self, _: &mut State, scalar: u32) -> EncodeStep {
        ebcdic_pairs::pair::<P>(scalar).map_or(EncodeStep::Unmappable(scalar), |pair| {
            EncodeStep::Bytes(Packed::lead_trail(pair))
        })
    }

    #[inline(never)]
    fn encode_text<S: Source + ?Sized>(
        &self,
        _: &mut State,
        src: &S,
        out: &mut Out<'_, u8>,
    ) -> usize {
        let mut read = 0;
        while let Some((scalar, len)) = src.scalar(read, false) {
            let pair = ebcdic_pairs::pair::<P>(scalar);
            if !pair.is_some_and(|pair| out.push_array(pair.to_be_bytes())) {
                break;
            }
            read += usize::from(len);
        }
        read
    }
}

/// The longest outputs.
const LENGTHS: Lengths = Lengths {
    to_utf8: |n| (n / 2).checked_mul(3),
    shift: 0,
    // Characters of two bytes have pairs, ASCII has none: "&#127;" for one byte. A reference has two bytes for a character.
    from_utf8: [|n| Some(n & !1), |n| n.checked_mul(12)],
    from_utf16: [|n| n.checked_mul(2), |n| n.checked_mul(16)],
};

/// The lead of ASCII's characters in full width. Their trails are the bytes that EBCDIC has for ASCII.
const FULL_WIDTH: u8 = 0x42;

/// Defines an encoding.
macro_rules! pure {
    ($($(#[$doc:meta])* $name:ident: $pairs:ty;)*) => {
        $(
            $(#[$doc])*
            pub(crate) static $name: Linked = Linked {
                codec: &Codec::<$pairs>(PhantomData),
                is_ascii_compatible: false,
                is_stateful: false,
                code_unit_len: 2,
                in_references: Some(InReferences::pairs(
                    FULL_WIDTH,
                    crate::tables::extended::IBM037.from_index,
                )),
                lengths: LENGTHS,
            };
        )*
    };
}

pure! {
    /// IBM300.
    IBM300: pairs::Japan<false>;
    /// IBM834.
    IBM834: pairs::Korea<false>;
    /// IBM835.
    IBM835: pairs::Taiwan<false>;
    /// IBM837.
    IBM837: pairs::China<false>;
}
