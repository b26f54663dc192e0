//! EUC-JIS-2004 and Shift_JIS-2004 (JIS X 0213, annexes 3 and 1), with the pairs of both planes.
//!
//! A pair may decode to two characters. Encoders encode each of the two separately, except U+309A, which is unmappable.

use super::by_steps::{self, Machine, State};
use super::linked::{Lengths, Linked};
use super::{Chars, EncodeStep, Malformed, Step};
use crate::simd::{Out, Packed};
use crate::tables::pairs::Decoded;
use crate::tables::sets;

/// Returns the step for a pair. A malformed pair includes the current byte unless that is ASCII.
fn decoded(found: Option<Decoded>, byte: u8, len: u8) -> Step {
    match found {
        Some(Decoded::One(scalar)) => Step::Scalar(scalar),
        Some(Decoded::Two(first, second)) => Step::Pair(first, second),
        None => Malformed::pair(byte, len),
    }
}

/// Returns the half-width katakana of a byte, which both encodings have at 0xA1 to 0xDF.
fn katakana(byte: u8) -> Option<Decoded> {
    let scalar = 0xFF61 - 0xA1 + u32::from(byte);
    matches!(byte, 0xA1..=0xDF).then_some(Decoded::One(scalar))
}

fn katakana_byte(scalar: u32) -> Option<u8> {
    matches!(scalar, 0xFF61..=0xFF9F).then(|| (scalar - 0xFF61 + 0xA1) as u8)
}

struct EucJis2004;

impl Machine for EucJis2004 {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        let trail = byte.wrapping_sub(0x80);
        let (found, len) = match *state.held() {
            [] => {
                return match byte {
                    0..0x80 => Step::Scalar(byte.into()),
                    0x8E | 0x8F | 0xA1..=0xFE => state.hold(byte),
                    _ => Malformed::through(1),
                };
            }
            [0x8F] if matches!(byte, 0xA1..=0xFE) => return state.hold(byte),
            [0x8F] => (None, 2),
            [0x8E] => (katakana(byte), 2),
            [0x8F, lead, ..] => (sets::jis_x_0213(true, lead - 0x80, trail), 3),
            [lead, ..] => (sets::jis_x_0213(false, lead - 0x80, trail), 2),
        };
        state.drop_held();
        decoded(found, byte, len)
    }

    #[inline(always)]
    fn characters_of_pair(&self, _: &State, [lead, trail]: [u8; 2]) -> Option<Decoded> {
        match lead {
            0x8E => katakana(trail),
            0xA1..=0xFE => sets::jis_x_0213(false, lead - 0x80, trail.wrapping_sub(0x80)),
            _ => None,
        }
    }

    #[inline(always)]
    fn decodes_ascii(&self, _: &State) -> bool {
        true
    }

    #[inline(always)]
    fn pair_of_scalar(&self, _: &State, scalar: u32) -> Option<u16> {
        let (is_plane_2, pair) = sets::jis_x_0213_pair(scalar)?;
        (!is_plane_2).then_some(pair | 0x8080)
    }

    fn encode(&self, _: &mut State, scalar: u32) -> EncodeStep {
        if scalar < 0x80 {
            return EncodeStep::Bytes(Packed::one(scalar as u8));
        }
        if let Some(byte) = katakana_byte(scalar) {
            return EncodeStep::Bytes(Packed::of([0x8E, byte]));
        }
        match sets::jis_x_0213_pair(scalar) {
            Some((true, pair)) => {
                let [lead, trail] = (pair | 0x8080).to_be_bytes();
                EncodeStep::Bytes(Packed::of([0x8F, lead, trail]))
            }
            Some((false, pair)) => EncodeStep::Bytes(Packed::lead_trail(pair | 0x8080)),
            None => EncodeStep::Unmappable(scalar),
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

struct ShiftJis2004;

/// The rows of plane 2, two for each lead from 0xF0 on.
const ROWS_OF_PLANE_2: [u8; 26] = [
    1, 8, 3, 4, 5, 12, 13, 14, 15, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93,
    94,
];

impl ShiftJis2004 {
    /// 0x5C and 0x7E, which are backslash and tilde on Windows, are the yen sign and the overline here, as in JIS X 0201.
    const ROMAN: [(u8, u16); 2] = [(0x5C, 0xA5), (0x7E, 0x203E)];
    /// Backslash and tilde are encoded as the pairs that glibc uses for their full-width forms.
    const ASCII: [(u8, u16); 2] = [(0x5C, 0x2140), (0x7E, 0x2232)];

    fn pair(lead: u8, trail: u8) -> Option<Decoded> {
        let cell = match trail {
            0x40..=0x7E => trail - 0x40,
            0x80..=0xFC => trail - 0x41,
            _ => return None,
        };
        let row = 2 * (lead - if lead < 0xA0 { 0x81 } else { 0xC1 }) + cell / 94;
        let (is_plane_2, row) = match row.checked_sub(94) {
            Some(row) => (true, *ROWS_OF_PLANE_2.get(usize::from(row))?),
            None => (false, row + 1),
        };
        let (row, cell) = (0x20 + row, 0x21 + cell % 94);
        let pair = u16::from_be_bytes([row, cell]);
        let ascii = Self::ASCII.iter().find(|of| !is_plane_2 && of.1 == pair);
        match ascii {
            Some(&(byte, _)) => Some(Decoded::One(byte.into())),
            None => sets::jis_x_0213(is_plane_2, row, cell),
        }
    }

    /// Returns the byte or the pair of a scalar value.
    #[inline(always)]
    fn bytes(scalar: u32) -> Option<u16> {
        let is_roman = |of: &&(u8, u16)| u32::from(of.1) == scalar;
        if let Some(&(byte, _)) = Self::ROMAN.iter().find(is_roman) {
            return Some(byte.into());
        }
        let ascii = Self::ASCII.iter().find(|of| u32::from(of.0) == scalar);
        let (is_plane_2, pair) = match (ascii, scalar) {
            (Some(&(_, pair)), _) => (false, pair),
            (None, 0..0x80) => return Some(scalar as u16),
            _ => match katakana_byte(scalar) {
                Some(byte) => return Some(byte.into()),
                None => sets::jis_x_0213_pair(scalar)?,
            },
        };
        // Full-width backslash and tilde are unmappable, because their pairs stand for the ASCII characters.
        let is_ascii = Self::ASCII.iter().any(|of| of.1 == pair);
        if is_ascii && ascii.is_none() && !is_plane_2 {
            return None;
        }
        let [row, cell] = pair.to_be_bytes();
        let row = row - 0x20;
        let row = match is_plane_2 {
            true => 94 + ROWS_OF_PLANE_2.iter().position(|of| *of == row)? as u8,
            false => row - 1,
        };
        let cell = cell - 0x21 + 94 * (row % 2);
        let lead = row / 2 + if row < 62 { 0x81 } else { 0xC1 };
        let trail = cell + if cell < 63 { 0x40 } else { 0x41 };
        Some(u16::from_be_bytes([lead, trail]))
    }
}

impl Machine for ShiftJis2004 {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        if let &[lead] = state.held() {
            state.drop_held();
            return decoded(Self::pair(lead, byte), byte, 2);
        }
        if let Some(of) = Self::ROMAN.iter().find(|of| of.0 == byte) {
            return Step::Scalar(of.1.into());
        }
        match byte {
            _ if byte < 0x80 => Step::Scalar(byte.into()),
            0x81..=0x9F | 0xE0..=0xFC => state.hold(byte),
            _ => decoded(katakana(byte), byte, 1),
        }
    }

    #[inline(always)]
    fn characters_of_pair(&self, _: &State, [lead, trail]: [u8; 2]) -> Option<Decoded> {
        matches!(lead, 0x81..=0x9F | 0xE0..=0xFC).then(|| Self::pair(lead, trail))?
    }

    #[inline(always)]
    fn pair_of_scalar(&self, _: &State, scalar: u32) -> Option<u16> {
        Self::bytes(scalar).filter(|bytes| *bytes > 0xFF)
    }

    #[inline(always)]
    fn decodes_ascii(&self, _: &State) -> bool {
        true
    }

    fn encode(&self, _: &mut State, scalar: u32) -> EncodeStep {
        match Self::bytes(scalar) {
            Some(byte @ 0..=0xFF) => EncodeStep::Bytes(Packed::one(byte as u8)),
            Some(pair) => EncodeStep::Bytes(Packed::lead_trail(pair)),
            None => EncodeStep::Unmappable(scalar),
        }
    }
}

pub(crate) static EUC_JIS_2004: Linked = Linked {
    codec: &EucJis2004,
    is_ascii_compatible: true,
    is_stateful: false,
    code_unit_len: 1,
    in_references: None,
    lengths: Lengths {
        // A pair may be two characters of three bytes each.
        to_utf8: |n| n.checked_mul(3),
        shift: 0,
        from_utf8: [Some, |n| (n / 2).checked_mul(7)?.checked_add(n % 2)],
        from_utf16: [|n| n.checked_mul(3), |n| n.checked_mul(8)],
    },
};

pub(crate) static SHIFT_JIS_2004: Linked = Linked {
    codec: &ShiftJis2004,
    is_ascii_compatible: false,
    is_stateful: false,
    code_unit_len: 1,
    in_references: None,
    lengths: Lengths {
        to_utf8: |n| n.checked_mul(3),
        shift: 0,
        // A backslash takes two bytes.
        from_utf8: [
            |n| n.checked_mul(2),
            |n| (n / 2).checked_mul(7)?.checked_add(n % 2 * 2),
        ],
        from_utf16: [|n| n.checked_mul(2), |n| n.checked_mul(8)],
    },
};
