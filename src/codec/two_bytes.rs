//! Encodings of `extended` with one ASCII byte, or a lead and a trail, per character: Johab and GB 2312.
//!
//! The pairs come from tables of the Standard's encodings, in another order or as a subset.

use super::by_steps::{self, Machine, State};
use super::linked::{Lengths, Linked};
use super::{Chars, EncodeStep, Malformed, Step, Unit};
use crate::simd::{Out, Packed};
use crate::tables::{self, johab, sets};
use core::marker::PhantomData;

/// The pairs of an encoding.
trait TwoBytes: 'static {
    fn is_lead(byte: u8) -> bool;

    fn code_point(lead: u8, trail: u8) -> Option<u16>;

    fn pair(code_point: u16) -> Option<u16>;
}

struct Codec<T>(PhantomData<fn() -> T>);

impl<T: TwoBytes> Machine for Codec<T> {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        if let &[lead] = state.held() {
            state.drop_held();
            return match T::code_point(lead, byte) {
                Some(code_point) => Step::Scalar(code_point.into()),
                // As in the Standard's encodings, ASCII is read again.
                None => Malformed::pair(byte, 2),
            };
        }
        match byte {
            0..0x80 => Step::Scalar(byte.into()),
            _ if T::is_lead(byte) => state.hold(byte),
            _ => Malformed::through(1),
        }
    }

    #[inline(never)]
    fn decode<U: Unit>(&self, _: &mut State, src: &[u8], out: &mut Out<'_, U>) -> usize {
        super::decode::well_formed(src, out, |rest| match *rest {
            [lead, trail, ..] if T::is_lead(lead) => Some((T::code_point(lead, trail)?.into(), 2)),
            _ => None,
        })
    }

    #[inline(always)]
    fn pair_of_scalar(&self, _: &State, scalar: u32) -> Option<u16> {
        T::pair(scalar.try_into().ok()?)
    }

    fn encode(&self, _: &mut State, scalar: u32) -> EncodeStep {
        match u16::try_from(scalar) {
            Ok(ascii @ 0..0x80) => EncodeStep::Bytes(Packed::one(ascii as u8)),
            Ok(code_point) => EncodeStep::pair(scalar, T::pair(code_point)),
            Err(_) => EncodeStep::Unmappable(scalar),
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

/// KS X 1001 annex 3: Hangul composed of letters, and the other characters of KS X 1001, with two rows per lead.
struct Johab;

impl Johab {
    /// The first and the last cell of letters in row 4 of KS X 1001, which Johab encodes in the form of syllables.
    const JAMO: [u8; 2] = [0xA1, 0xD3];
    /// The Hangul filler, which Johab encodes only as a pair of row 4.
    const FILLER: u16 = 0x3164;

    /// Returns the EUC-KR bytes of a pair that is not a syllable.
    fn euc_kr(lead: u8, trail: u8) -> Option<[u8; 2]> {
        let first = match lead {
            0xD9..=0xDE => 0xA1 + 2 * (lead - 0xD9),
            0xE0..=0xF9 => 0xCA + 2 * (lead - 0xE0),
            _ => return None,
        };
        let cell = match trail {
            0x31..=0x7E => trail - 0x31,
            0x91..=0xFE => trail - 0x91 + 78,
            _ => return None,
        };
        let bytes = [first + cell / 94, 0xA1 + cell % 94];
        (!Self::is_jamo(bytes)).then_some(bytes)
    }

    fn is_jamo([lead, trail]: [u8; 2]) -> bool {
        lead == 0xA4 && (Self::JAMO[0]..=Self::JAMO[1]).contains(&trail)
    }
}

impl TwoBytes for Johab {
    #[inline(always)]
    fn is_lead(byte: u8) -> bool {
        matches!(byte, 0x84..=0xD3 | 0xD9..=0xDE | 0xE0..=0xF9)
    }

    #[inline(always)]
    fn code_point(lead: u8, trail: u8) -> Option<u16> {
        if lead <= 0xD3 {
            let is_trail = matches!(trail, 0x41..=0x7E | 0x81..=0xFE);
            let of_parts = johab::code_point(lead, trail).filter(|&to| to != Self::FILLER);
            return of_parts.filter(|_| is_trail);
        }
        let [lead, trail] = Self::euc_kr(lead, trail)?;
        tables::euc_kr_code_point(usize::from(lead) - 0x81, usize::from(trail) - 0x41)
    }

    #[inline(always)]
    fn pair(code_point: u16) -> Option<u16> {
        if code_point != Self::FILLER
            && let Some(pair) = johab::pair(code_point)
        {
            return Some(pair);
        }
        let [lead, trail] = tables::euc_kr_bytes(code_point)?.to_be_bytes();
        let row = lead.checked_sub(0xA1)?;
        let first = match row {
            0..=11 => 0xD9,
            41..=92 => 0xE0 - 20,
            _ => return None,
        };
        let cell = trail.checked_sub(0xA1)? + 94 * ((row + u8::from(row >= 41)) % 2);
        let row = if row >= 41 { row - 1 } else { row };
        let trail = if cell < 78 {
            0x31 + cell
        } else {
            cell - 78 + 0x91
        };
        Some(u16::from_be_bytes([first + row / 2, trail]))
    }
}

/// GB 2312 in EUC form, as a part of gb18030.
struct Gb2312;

impl TwoBytes for Gb2312 {
    #[inline(always)]
    fn is_lead(byte: u8) -> bool {
        matches!(byte, 0xA1..=0xF7)
    }

    #[inline(always)]
    fn code_point(lead: u8, trail: u8) -> Option<u16> {
        sets::gb2312_code_point(lead & 0x7F, trail.checked_sub(0x80)?)
    }

    #[inline(always)]
    fn pair(code_point: u16) -> Option<u16> {
        sets::gb2312_pair(code_point).map(|pair| pair | 0x8080)
    }
}

/// Exact maximum lengths of the output of both encodings.
const LENGTHS: Lengths = Lengths {
    to_utf8: |n| n.checked_add(n / 2),
    shift: 0,
    from_utf8: [Some, |n| (n / 2).checked_mul(7)?.checked_add(n % 2)],
    from_utf16: [|n| n.checked_mul(2), |n| n.checked_mul(8)],
};

pub(crate) static JOHAB: Linked = Linked {
    codec: &Codec::<Johab>(PhantomData),
    is_ascii_compatible: true,
    is_stateful: false,
    code_unit_len: 1,
    in_references: None,
    lengths: LENGTHS,
};

pub(crate) static GB_2312: Linked = Linked {
    codec: &Codec::<Gb2312>(PhantomData),
    is_ascii_compatible: true,
    is_stateful: false,
    code_unit_len: 1,
    in_references: None,
    lengths: LENGTHS,
};
