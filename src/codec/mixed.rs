//! EBCDIC with single and double bytes: 0x0E shifts to pairs, 0x0F back.
//!
//! A shift to what is in force already is read and does nothing. Between the shifts to pairs and back, a byte that is no lead
//! is malformed by itself, and so is a lead before a byte that is no trail, which is read again. Encoders shift where they
//! have to, and back at the end.

use super::ebcdic_pairs;
use super::linked::{Lengths, Linked, Machine, State};
use super::{EncodeStep, InReferences, Malformed, Source, Step, Unit};
use crate::simd::{self, Out, Packed};
use crate::tables::extended::Permuted;
use crate::tables::pairs::{self, Pairs};
use core::marker::PhantomData;

const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

/// Bytes that are converted at once: worth a kernel's start, and little enough to stay in the nearest cache.
const PART: usize = simd::tuning::SINGLE_BYTE_PART;

/// An encoding: its single bytes and its pairs.
pub(crate) struct Mixed<P> {
    single: &'static Permuted,
    pairs: PhantomData<fn() -> P>,
}

impl<P: Pairs> Mixed<P> {
    const fn new(single: &'static Permuted) -> Self {
        Self {
            single,
            pairs: PhantomData,
        }
    }

    #[inline(always)]
    fn is_double(state: &State) -> bool {
        state.mode != 0
    }

    #[inline(always)]
    fn set_double(state: &mut State, double: bool) {
        state.mode = double.into();
    }

    /// The code point of a single byte.
    #[inline(always)]
    fn single(&self, byte: u8) -> Option<u16> {
        match self.single.to_index[usize::from(byte)] {
            ascii @ 0..0x80 => Some(ascii.into()),
            other => self.single.index.code_point(other),
        }
    }

    /// The single byte of a code point, unless that shifts.
    #[inline(always)]
    fn byte(&self, scalar: u32) -> Option<u8> {
        let of_index = match scalar {
            0x0E | 0x0F => return None,
            0..0x80 => scalar as u8,
            _ => self.single.index.byte(u16::try_from(scalar).ok()?)?,
        };
        Some(self.single.from_index[usize::from(of_index)])
    }

    /// Decodes single bytes up to a shift; returns how many.
    fn decode_single<U: Unit>(&self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        /// Runs of markup are short: fewer are not worth a search and a kernel.
        const FEW: usize = 16;
        let mut read = 0;
        for &byte in src.iter().take(FEW) {
            let is_shift = matches!(byte, SHIFT_OUT | SHIFT_IN);
            match self.single(byte) {
                Some(code_point) if !is_shift && U::push_bmp(out, code_point) => read += 1,
                _ => return read,
            }
        }
        let mut scratch = [0; PART];
        while read < src.len() {
            let part = &src[read..];
            let part = &part[..part.len().min(PART)];
            let end = memchr::memchr2(SHIFT_OUT, SHIFT_IN, part).unwrap_or(part.len());
            let permuted = &mut scratch[..end];
            simd::permute(self.single.to_index, &part[..end], permuted);
            let taken = U::push_single_byte(self.single.index.code_points(), permuted, out);
            read += taken;
            if taken < part.len() {
                break;
            }
        }
        read
    }
}

impl<P: Pairs> Machine for Mixed<P> {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        if let &[lead] = state.held() {
            if !matches!(byte, 0x40..=0xFE) {
                return state.malformed_before();
            }
            state.drop_held();
            return ebcdic_pairs::step::<P>(lead, byte);
        }
        match byte {
            SHIFT_OUT | SHIFT_IN => {
                Self::set_double(state, byte == SHIFT_OUT);
                Step::Continue
            }
            0x40..=0xFE if Self::is_double(state) => state.hold(byte),
            _ if Self::is_double(state) => Malformed::through(1),
            _ => match self.single(byte) {
                Some(code_point) => Step::Scalar(code_point.into()),
                None => Malformed::through(1),
            },
        }
    }

    #[inline(never)]
    fn decode<U: Unit>(&self, state: &mut State, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let mut read = 0;
        loop {
            let rest = &src[read..];
            let taken = if Self::is_double(state) {
                ebcdic_pairs::decode::<P, U>(rest, out)
            } else {
                self.decode_single(rest, out)
            };
            read += taken;
            match src.get(read) {
                Some(&byte) if matches!(byte, SHIFT_OUT | SHIFT_IN) => {
                    Self::set_double(state, byte == SHIFT_OUT);
                    read += 1;
                }
                _ => return read,
            }
        }
    }

    fn encode(&self, state: &mut State, scalar: u32) -> EncodeStep {
        // As in ISO-2022-JP: what would shift is not encoded, and U+FFFD is reported.
        let is_shift = matches!(scalar, 0x0E | 0x0F);
        let single = self.byte(scalar).map(Packed::one);
        let double = || ebcdic_pairs::pair::<P>(scalar).map(Packed::lead_trail);
        match (single.or_else(double), single.is_none() && !is_shift) {
            (Some(bytes), is_double) if is_double == Self::is_double(state) => {
                EncodeStep::Bytes(bytes)
            }
            (Some(_), true) => {
                Self::set_double(state, true);
                EncodeStep::Escape(Packed::one(SHIFT_OUT))
            }
            // References are single bytes.
            _ if Self::is_double(state) => {
                Self::set_double(state, false);
                EncodeStep::Escape(Packed::one(SHIFT_IN))
            }
            _ if is_shift => EncodeStep::Unmappable(0xFFFD),
            _ => EncodeStep::Unmappable(scalar),
        }
    }

    fn end(&self, state: &mut State) -> Option<Packed> {
        let was_double = Self::is_double(state);
        Self::set_double(state, false);
        was_double.then(|| Packed::one(SHIFT_IN))
    }

    #[inline(never)]
    fn encode_text<S: Source + ?Sized>(
        &self,
        state: &mut State,
        src: &S,
        out: &mut Out<'_, u8>,
    ) -> usize {
        let mut read = 0;
        while let Some((scalar, len)) = src.scalar(read, false) {
            let pushed = match u16::try_from(scalar) {
                Ok(code_point @ 0x100..) if Self::is_double(state) => {
                    P::pair(code_point).map(|pair| out.push_array(pair.to_be_bytes()))
                }
                _ => None,
            };
            let fits = match pushed {
                Some(fits) => fits,
                None => super::linked::push_by_steps(self, state, scalar, out),
            };
            if !fits {
                break;
            }
            read += usize::from(len);
        }
        read
    }
}

/// What a half of the text can become, two bytes and three or four, and what the end adds.
const LENGTHS: [fn(usize) -> Option<usize>; 4] = [
    // Two bytes of Greek take three with 0x0E before them, ASCII after them two.
    |n| (n / 3).checked_mul(5)?.checked_add([0, 1, 4][n % 3]),
    // One byte, U+000E, gives "&#65533;".
    |n| n.checked_mul(8),
    // Likewise, and a pair more for two characters in place of ASCII after one.
    |n| {
        let whole = (n / 2).checked_mul(5)?;
        whole.checked_add(match n {
            0 => 0,
            _ if n % 2 == 0 => 1,
            _ => 4,
        })
    },
    |n| n.checked_mul(8),
];

/// Defines an encoding.
macro_rules! mixed {
    ($($(#[$doc:meta])* $name:ident: $single:ident, $pairs:ty, $to_utf8:expr;)*) => {
        $(
            $(#[$doc])*
            pub(crate) static $name: Linked = {
                static CODEC: Mixed<$pairs> = Mixed::new(&crate::tables::extended::$single);
                Linked {
                    codec: &CODEC,
                    is_ascii_compatible: false,
                    is_stateful: true,
                    code_unit_len: 1,
                    in_references: Some(InReferences::single(crate::tables::extended::$single.from_index)),
                    lengths: Lengths {
                        to_utf8: $to_utf8,
                        shift: 0,
                        from_utf8: [LENGTHS[0], LENGTHS[1]],
                        from_utf16: [LENGTHS[2], LENGTHS[3]],
                    },
                }
            };
        )*
    };
}

mixed! {
    IBM930: IBM290, pairs::Japan<false>, |n| n.checked_mul(3);
    IBM933: IBM833, pairs::Korea<false>, |n| n.checked_mul(3);
    IBM935: IBM836, pairs::China<false>, |n| n.checked_mul(3);
    IBM937: IBM28709, pairs::Taiwan<false>, |n| n.checked_mul(2);
    IBM939: IBM1027, pairs::Japan<false>, |n| n.checked_mul(3);
    IBM1364: IBM833, pairs::Korea<true>, |n| n.checked_mul(3);
    IBM1371: IBM1159, pairs::Taiwan<true>, |n| n.checked_mul(3);
    IBM1388: IBM836, pairs::China<true>, |n| n.checked_mul(3);
    IBM1390: IBM8482, pairs::Japan<true>, |n| n.checked_mul(3);
    IBM1399: IBM5123, pairs::Japan<true>, |n| n.checked_mul(3);
}
