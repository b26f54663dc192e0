//! EBCDIC pairs alone: the double bytes of the mixed encodings, without shifts.
//!
//! A code unit is two bytes. A unit without a character is malformed as a whole, and so is a single byte at the end. Pairs
//! include no line end and no ASCII character. References are written in full-width characters, which all these encodings
//! have.

use super::by_steps::{self, Machine, State};
use super::ebcdic_pairs::{self, Encode};
use super::linked::{Lengths, Linked};
use super::{Chars, EncodeStep, InReferences, Step, Unit};
use crate::simd::Out;
use crate::tables::pairs;
use core::marker::PhantomData;

struct Codec<P>(PhantomData<fn() -> P>);

impl<P: Encode> Machine for Codec<P> {
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
    fn decode<U: Unit>(&self, state: &mut State, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let mut units = [0; ebcdic_pairs::PART];
        let mut read = 0;
        while let Some(room) = ebcdic_pairs::room(out) {
            let count = ebcdic_pairs::fill::<P>(&src[read..], &mut units[..room]);
            U::push_units(&units[..count], out);
            read += 2 * count;
            if count < room {
                return read;
            }
        }
        read + by_steps::decode_by_steps(self, state, &src[read..], out)
    }

    fn encode(&self, _: &mut State, scalar: u32) -> EncodeStep {
        EncodeStep::pair(scalar, ebcdic_pairs::pair::<P>(scalar))
    }

    #[inline(never)]
    fn encode_text<S: Chars + ?Sized>(
        &self,
        state: &mut State,
        src: &S,
        out: &mut Out<'_, u8>,
    ) -> usize {
        let mut scratch = [0; ebcdic_pairs::PART];
        let (mut read, mut most) = (0, 16);
        loop {
            let rest = src.tail(read);
            let room = (out.room() / 2).min(most);
            // The first parts are small, because the rest of the text may be unmappable.
            most = (4 * most).min(scratch.len());
            let (units, length) = rest.units(&mut scratch[..room]);
            // Kernels would encode ASCII, which has no pairs, as single bytes.
            let wide = units.iter().take_while(|&&unit| unit >= 0x100).count();
            let taken = ebcdic_pairs::encode::<P>(&units[..wide], out);
            if taken == units.len() && taken > 0 {
                read += length;
                continue;
            }
            read += S::length_of(&units[..taken]);
            // A step handles the characters with a pair that the kernel does not encode.
            match by_steps::encode_next(self, state, src, read, out) {
                Some(length) => read += length,
                None => return read,
            }
        }
    }
}

/// Exact maximum lengths of the output.
const LENGTHS: Lengths = Lengths {
    to_utf8: |n| (n / 2).checked_mul(3),
    shift: 0,
    // Two-byte characters have pairs; ASCII has none: "&#127;" for one byte. A reference has two bytes for each
    // character.
    from_utf8: [|n| Some(n & !1), |n| n.checked_mul(12)],
    from_utf16: [|n| n.checked_mul(2), |n| n.checked_mul(16)],
};

/// The lead of full-width ASCII characters; their trails are the EBCDIC bytes of ASCII.
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
    IBM300: pairs::Japan<false>;
    IBM834: pairs::Korea<false>;
    IBM835: pairs::Taiwan<false>;
    IBM837: pairs::China<false>;
}
