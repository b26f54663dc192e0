//! ISO-2022-JP-1 (RFC 2237), -2 (RFC 1554), -3 and -2004 (JIS X 0213, annex 2): ISO-2022-JP with more character sets.
//!
//! Escape sequences designate the set for the following bytes. ISO-2022-JP-2 can also designate a set of 96 characters
//! until the end of the line; `ESC N` selects it for one byte. The sets are those of their own standards, not the Encoding
//! Standard's indexes. Encoders search the sets in a fixed order, independent of designations.

use super::by_steps::{Machine, State};
use super::linked::{Lengths, Linked};
use super::{EncodeStep, Malformed, Step};
use crate::simd::Packed;
use crate::tables::pairs::Decoded;
use crate::tables::sets;

/// A set of characters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Ascii,
    Roman,
    Katakana,
    JisX0208,
    JisX0212,
    Gb2312,
    KsX1001,
    /// Plane 1 without the characters added in 2004.
    JisX0213Of2000,
    JisX0213Plane1,
    JisX0213Plane2,
    /// The upper half of ISO-8859-1.
    Latin,
    /// The upper half of ISO-8859-7.
    Greek,
}

impl Set {
    fn is_double(self) -> bool {
        !matches!(
            self,
            Self::Ascii | Self::Roman | Self::Katakana | Self::Latin | Self::Greek
        )
    }

    /// Returns the character of a seven-bit byte in a single-byte set.
    fn single(self, byte: u8) -> Option<u16> {
        match (self, byte) {
            (Self::Roman, 0x5C) => Some(0xA5),
            (Self::Roman, 0x7E) => Some(0x203E),
            (Self::Ascii | Self::Roman, 0x21..=0x7E) => Some(byte.into()),
            (Self::Katakana, 0x21..=0x5F) => Some(0xFF61 - 0x21 + u16::from(byte)),
            (Self::Latin, 0x20..=0x7F) => Some(0x80 + u16::from(byte)),
            (Self::Greek, 0x20..=0x7F) => crate::tables::ISO_8859_7.code_point(byte | 0x80),
            _ => None,
        }
    }

    fn pair(self, row: u8, cell: u8) -> Option<Decoded> {
        let one = |code_point: u16| Decoded::One(code_point.into());
        match self {
            Self::JisX0208 => sets::jis_x_0208_code_point(row, cell).map(one),
            Self::JisX0212 => sets::jis_x_0212_code_point(row, cell).map(one),
            Self::Gb2312 => sets::gb2312_code_point(row, cell).map(one),
            Self::KsX1001 => sets::ks_x_1001_code_point(row, cell).map(one),
            Self::JisX0213Of2000 if sets::is_of_2004(u16::from_be_bytes([row, cell])) => None,
            Self::JisX0213Of2000 | Self::JisX0213Plane1 => sets::jis_x_0213(false, row, cell),
            Self::JisX0213Plane2 => sets::jis_x_0213(true, row, cell),
            _ => None,
        }
    }

    /// Returns the one or two bytes of a character; `None` if the set lacks it.
    fn bytes(self, scalar: u32) -> Option<Packed> {
        let code_point = u16::try_from(scalar);
        let pair = match (self, code_point) {
            (Self::JisX0213Of2000 | Self::JisX0213Plane1 | Self::JisX0213Plane2, _) => {
                let (is_plane_2, pair) = sets::jis_x_0213_pair(scalar)?;
                let is_later = self == Self::JisX0213Of2000 && sets::is_of_2004(pair);
                let is_in_plane = is_plane_2 == (self == Self::JisX0213Plane2);
                (is_in_plane && !is_later).then_some(pair)
            }
            (Self::JisX0208, Ok(code_point)) => sets::jis_x_0208_pair(code_point),
            (Self::JisX0212, Ok(code_point)) => sets::jis_x_0212_pair(code_point),
            (Self::Gb2312, Ok(code_point)) => sets::gb2312_pair(code_point),
            (Self::KsX1001, Ok(code_point)) => sets::ks_x_1001_pair(code_point),
            (Self::Ascii, Ok(code_point @ 0..0x80)) => {
                return Some(Packed::one(code_point as u8));
            }
            (Self::Roman, Ok(0xA5)) => return Some(Packed::one(0x5C)),
            (Self::Roman, Ok(0x203E)) => return Some(Packed::one(0x7E)),
            (Self::Katakana, Ok(code_point @ 0xFF61..=0xFF9F)) => {
                return Some(Packed::one((code_point - 0xFF61 + 0x21) as u8));
            }
            (Self::Latin, Ok(code_point @ 0xA0..=0xFF)) => {
                return Some(Packed::of([0x1B, b'N', code_point as u8 & 0x7F]));
            }
            (Self::Greek, Ok(code_point)) => {
                let byte = crate::tables::ISO_8859_7.byte(code_point)?;
                return (byte >= 0xA0).then(|| Packed::of([0x1B, b'N', byte & 0x7F]));
            }
            _ => None,
        };
        pair.map(Packed::lead_trail)
    }
}

/// An escape sequence and the set that it designates.
type Designation = (&'static [u8], Set);

struct Iso2022 {
    /// Escape sequences and their sets; the first is ASCII. For a set listed twice, encoders write the first sequence.
    designations: &'static [Designation],
    /// The designations of the sets of 96 characters.
    seconds: &'static [Designation],
    /// The order in which encoders search the sets.
    order: &'static [Set],
}

/// Masks the index of the designated set in a mode. The higher bits are 1 plus the index of the 96-character set, or 0.
const FIRST: u8 = 0xF;
const SECOND_SHIFT: u8 = 4;

impl Iso2022 {
    fn first(&self, mode: u8) -> Set {
        let place = usize::from(mode & FIRST);
        self.designations.get(place).map_or(Set::Ascii, |of| of.1)
    }

    fn second(&self, mode: u8) -> Option<Set> {
        let place = usize::from(mode >> SECOND_SHIFT).checked_sub(1)?;
        self.seconds.get(place).map(|of| of.1)
    }

    /// Handles a byte of an escape sequence, which may continue, complete or end it.
    fn escape(&self, state: &mut State, byte: u8) -> Step {
        let held = state.held();
        let is = |(sequence, _): &Designation| sequence.strip_prefix(held) == Some(&[byte]);
        if let Some(place) = self.designations.iter().position(is) {
            state.mode = state.mode & !FIRST | place as u8;
            state.drop_held();
            return Step::Continue;
        }
        if let Some(place) = self.seconds.iter().position(is) {
            state.mode = state.mode & FIRST | (place as u8 + 1) << SECOND_SHIFT;
            state.drop_held();
            return Step::Continue;
        }
        let goes_on = |(sequence, _): &Designation| {
            sequence
                .strip_prefix(held)
                .is_some_and(|rest| rest.first() == Some(&byte))
        };
        let is_shift = *held == [0x1B] && byte == b'N' && self.second(state.mode).is_some();
        let mut all = self.designations.iter().chain(self.seconds);
        if is_shift || all.any(goes_on) {
            return state.hold(byte);
        }
        state.first_malformed()
    }
}

impl Machine for Iso2022 {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        let set = self.first(state.mode);
        match *state.held() {
            [] => match byte {
                0x1B => state.hold(byte),
                b'\n' => {
                    // A set of 96 characters holds for one line.
                    state.mode &= FIRST;
                    Step::Scalar(byte.into())
                }
                0x0E | 0x0F | 0x80.. => Malformed::through(1),
                // Controls and the space are the same in all sets.
                0..=0x20 | 0x7F => Step::Scalar(byte.into()),
                _ if set.is_double() => state.hold(byte),
                _ => match set.single(byte) {
                    Some(code_point) => Step::Scalar(code_point.into()),
                    None => Malformed::through(1),
                },
            },
            [0x1B, b'N'] => {
                if !matches!(byte, 0x20..=0x7F) {
                    return state.malformed_before();
                }
                state.drop_held();
                let second = self.second(state.mode).and_then(|set| set.single(byte));
                second.map_or(Malformed::through(3), |to| Step::Scalar(to.into()))
            }
            [0x1B, ..] => self.escape(state, byte),
            [row, ..] => {
                if !matches!(byte, 0x21..=0x7E) {
                    return state.malformed_before();
                }
                state.drop_held();
                match set.pair(row, byte) {
                    Some(Decoded::One(scalar)) => Step::Scalar(scalar),
                    Some(Decoded::Two(first, second)) => Step::Pair(first, second),
                    None => Malformed::through(2),
                }
            }
        }
    }

    #[inline(always)]
    fn characters_of_pair(&self, state: &State, [row, cell]: [u8; 2]) -> Option<Decoded> {
        let is_pair = matches!((row, cell), (0x21..=0x7E, 0x21..=0x7E));
        // A single-byte set has no pairs.
        is_pair.then(|| self.first(state.mode).pair(row, cell))?
    }

    #[inline(always)]
    fn decodes_ascii(&self, state: &State) -> bool {
        self.first(state.mode) == Set::Ascii
    }

    #[inline(always)]
    fn pair_of_scalar(&self, state: &State, scalar: u32) -> Option<u16> {
        // No set that precedes JIS X 0208 in the search order has any of its characters.
        (self.first(state.mode) == Set::JisX0208)
            .then(|| sets::jis_x_0208_pair(scalar.try_into().ok()?))?
    }

    fn encode(&self, state: &mut State, scalar: u32) -> EncodeStep {
        // As in ISO-2022-JP, shift characters are not encoded but reported as U+FFFD.
        let is_shift = matches!(scalar, 0x0E | 0x0F | 0x1B);
        let mut found = (self.order.iter()).filter_map(|set| Some((*set, set.bytes(scalar)?)));
        let found = found.next().filter(|_| !is_shift);
        let wanted = found.as_ref().map_or(Set::Ascii, |(set, _)| *set);
        let is = |(_, set): &Designation| *set == wanted;
        if let Some(place) = self.seconds.iter().position(is) {
            let place = (place as u8 + 1) << SECOND_SHIFT;
            if state.mode & !FIRST != place {
                state.mode = state.mode & FIRST | place;
                return EncodeStep::Escape(escape(self.seconds, wanted));
            }
        } else if self.first(state.mode) != wanted {
            let place = self.designations.iter().position(is).unwrap_or(0);
            state.mode = state.mode & !FIRST | place as u8;
            // References are written in ASCII.
            return EncodeStep::Escape(escape(self.designations, wanted));
        }
        if scalar == 0x0A {
            state.mode &= FIRST;
        }
        match found {
            Some((_, bytes)) => EncodeStep::Bytes(bytes),
            None => EncodeStep::Unmappable(if is_shift { 0xFFFD } else { scalar }),
        }
    }

    fn end(&self, state: &mut State) -> Option<Packed> {
        let mode = core::mem::take(&mut state.mode);
        (mode & FIRST != 0).then(|| escape(self.designations, Set::Ascii))
    }
}

/// Returns the escape sequence of a set.
fn escape(designations: &[Designation], set: Set) -> Packed {
    let found = designations.iter().find(|(_, of)| *of == set);
    match found.map_or(&[][..], |(sequence, _)| sequence) {
        [a, b, c, d] => Packed::of([*a, *b, *c, *d]),
        [a, b, c] => Packed::of([*a, *b, *c]),
        _ => Packed::of([0x1B, b'(', b'B']),
    }
}

/// Upper bounds of the output length, at most a few bytes too large.
const LENGTHS: Lengths = Lengths {
    // Roman has U+203E in one byte.
    to_utf8: |n| n.checked_mul(3),
    shift: 0,
    from_utf8: [
        // Two bytes of UTF-8 become six with an escape sequence of four; ASCII after them becomes four.
        |n| (n / 3 + n % 3).checked_mul(10)?.checked_add(3),
        // One byte, U+000E, becomes "&#65533;".
        |n| n.checked_mul(8)?.checked_add(3),
    ],
    from_utf16: [
        |n| n.checked_mul(6)?.checked_add(3),
        |n| n.checked_mul(9)?.checked_add(3),
    ],
};

const ASCII: Designation = (b"\x1B(B", Set::Ascii);
const ROMAN: Designation = (b"\x1B(J", Set::Roman);
const KATAKANA: Designation = (b"\x1B(I", Set::Katakana);
const JIS_X_0208: Designation = (b"\x1B$B", Set::JisX0208);
/// The designation of the 1978 edition of JIS X 0208.
const JIS_C_6226: Designation = (b"\x1B$@", Set::JisX0208);
const JIS_X_0212: Designation = (b"\x1B$(D", Set::JisX0212);
const PLANE_1: Designation = (b"\x1B$(Q", Set::JisX0213Plane1);
/// The designation of plane 1 in the 2000 edition of JIS X 0213.
const OLD_PLANE_1: Designation = (b"\x1B$(O", Set::JisX0213Of2000);
const PLANE_2: Designation = (b"\x1B$(P", Set::JisX0213Plane2);

macro_rules! iso_2022 {
    ($($(#[$doc:meta])* $name:ident: $designations:expr, $seconds:expr, $order:expr;)*) => {
        $(
            $(#[$doc])*
            pub(crate) static $name: Linked = Linked {
                codec: &Iso2022 {
                    designations: &$designations,
                    seconds: &$seconds,
                    order: &$order,
                },
                is_ascii_compatible: false,
                is_stateful: true,
                code_unit_len: 1,
                in_references: None,
                lengths: LENGTHS,
            };
        )*
    };
}

iso_2022! {
    ISO_2022_JP_1: [ASCII, ROMAN, JIS_X_0208, JIS_C_6226, JIS_X_0212],
        [],
        [Set::Ascii, Set::Roman, Set::JisX0208, Set::JisX0212];
    ISO_2022_JP_2: [
            ASCII, ROMAN, JIS_X_0208, JIS_C_6226, JIS_X_0212,
            // Python writes the second sequence.
            (b"\x1B$A", Set::Gb2312), (b"\x1B$(A", Set::Gb2312), (b"\x1B$(C", Set::KsX1001),
        ],
        [(b"\x1B.A", Set::Latin), (b"\x1B.F", Set::Greek)],
        [
            Set::Ascii, Set::Roman, Set::JisX0208, Set::JisX0212,
            Set::Latin, Set::Greek, Set::Gb2312, Set::KsX1001,
        ];
    ISO_2022_JP_3: [ASCII, ROMAN, KATAKANA, JIS_X_0208, JIS_C_6226, OLD_PLANE_1, PLANE_1, PLANE_2],
        [],
        [
            Set::Ascii, Set::Roman, Set::Katakana, Set::JisX0208,
            Set::JisX0213Of2000, Set::JisX0213Plane1, Set::JisX0213Plane2,
        ];
    ISO_2022_JP_2004: [ASCII, ROMAN, KATAKANA, JIS_X_0208, JIS_C_6226, PLANE_1, OLD_PLANE_1, PLANE_2],
        [],
        [
            Set::Ascii, Set::Roman, Set::Katakana, Set::JisX0208,
            Set::JisX0213Plane1, Set::JisX0213Plane2,
        ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_set_before_jis_x_0208_has_any_of_its_characters() {
        let before = [Set::Ascii, Set::Roman, Set::Katakana];
        for scalar in 0..=0xFFFF {
            let has = |set: Set| set.bytes(scalar.into()).is_some();
            if sets::jis_x_0208_pair(scalar).is_some() {
                assert!(!before.iter().any(|set| has(*set)), "U+{scalar:04X}");
            }
        }
    }
}
