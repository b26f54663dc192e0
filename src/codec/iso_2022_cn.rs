//! ISO-2022-CN (RFC 1922): ASCII; after 0x0E, pairs of GB 2312 or of plane 1 of CNS 11643; after `ESC N`, one pair of plane
//! 2.
//!
//! Escape sequences designate the sets for the rest of the line. Encoders search GB 2312 first, then planes 1 and 2.

use super::by_steps::{Machine, State};
use super::linked::{Lengths, Linked};
use super::{EncodeStep, Malformed, Step};
use crate::simd::Packed;
use crate::tables::cns_11643::{cns_11643_code_point, cns_11643_pair};
use crate::tables::sets;

struct Iso2022Cn;

/// The fields of a mode: the set that 0x0E shifts to, if any; whether it is in force; and whether plane 2 is designated for
/// `ESC N`.
const SET: u8 = 3;
const GB_2312: u8 = 1;
const PLANE_1: u8 = 2;
const SHIFTED: u8 = 4;
const PLANE_2: u8 = 8;

/// Escape sequences, the bits that they set in a mode, and the mask of the bits that they replace.
const DESIGNATIONS: [(&[u8; 4], u8, u8); 3] = [
    (b"\x1B$)A", GB_2312, SET),
    (b"\x1B$)G", PLANE_1, SET),
    (b"\x1B$*H", PLANE_2, PLANE_2),
];

fn is_designated(mode: u8) -> bool {
    matches!(mode & SET, GB_2312 | PLANE_1)
}

/// True if bytes are decoded in pairs in this mode.
fn in_pairs(mode: u8) -> bool {
    mode & SHIFTED != 0 && is_designated(mode)
}

fn pair(mode: u8, row: u8, cell: u8) -> Option<u16> {
    match mode & SET {
        GB_2312 => sets::gb2312_code_point(row, cell),
        _ => cns_11643_code_point(1, row, cell),
    }
}

/// Handles a byte of an escape sequence, which may continue, complete or end it.
fn escape(state: &mut State, byte: u8) -> Step {
    let held = state.held();
    let (len, is_shift) = (held.len(), held == b"\x1B" && byte == b'N');
    let mut rests = DESIGNATIONS
        .iter()
        .filter_map(|(sequence, adds, replaces)| {
            let rest = sequence.strip_prefix(held)?;
            (rest.first() == Some(&byte)).then_some((adds, replaces))
        });
    match rests.next() {
        Some((adds, replaces)) if len == 3 => {
            state.mode = state.mode & !replaces | adds;
            state.drop_held();
            Step::Continue
        }
        Some(_) => state.hold(byte),
        None if is_shift && state.mode & PLANE_2 != 0 => state.hold(byte),
        None => state.first_malformed(),
    }
}

impl Machine for Iso2022Cn {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        let is_pair = matches!(byte, 0x21..=0x7E);
        let (len, found) = match *state.held() {
            [] => match byte {
                0x1B => return state.hold(byte),
                b'\n' => {
                    // Lines start in ASCII, without designated sets.
                    state.mode = 0;
                    return Step::Scalar(byte.into());
                }
                0x0E if is_designated(state.mode) => {
                    state.mode |= SHIFTED;
                    return Step::Continue;
                }
                0x0F => {
                    state.mode &= !SHIFTED;
                    return Step::Continue;
                }
                0x0E | 0x80.. => return Malformed::through(1),
                _ if is_pair && in_pairs(state.mode) => return state.hold(byte),
                // Controls and the space are the same in all sets.
                _ => return Step::Scalar(byte.into()),
            },
            [0x1B, b'N', ..] if !is_pair => return state.malformed_before(),
            [0x1B, b'N'] => return state.hold(byte),
            [0x1B, b'N', row, ..] => (4, cns_11643_code_point(2, row, byte)),
            [0x1B, ..] => return escape(state, byte),
            _ if !is_pair => return state.malformed_before(),
            [row, ..] => (2, pair(state.mode, row, byte)),
        };
        state.drop_held();
        found.map_or(Malformed::through(len), |to| Step::Scalar(to.into()))
    }

    fn encode(&self, state: &mut State, scalar: u32) -> EncodeStep {
        if let ascii @ 0..0x80 = scalar {
            return in_ascii(state, |state| encode_ascii(state, ascii as u8));
        }
        let code_point = u16::try_from(scalar).ok();
        let gb_2312 = code_point.and_then(sets::gb2312_pair);
        let (set, pair) = match gb_2312 {
            Some(pair) => (GB_2312, pair),
            None => match code_point.and_then(cns_11643_pair) {
                Some((1, pair)) => (PLANE_1, pair),
                Some((_, pair)) => (PLANE_2, pair),
                // References are written in ASCII.
                None => return in_ascii(state, |_| EncodeStep::Unmappable(scalar)),
            },
        };
        let missing = DESIGNATIONS
            .iter()
            .find(|of| of.1 == set && state.mode & of.2 != set);
        if let Some(&(sequence, adds, replaces)) = missing {
            state.mode = state.mode & !replaces | adds;
            return EncodeStep::Escape(Packed::of(*sequence));
        }
        if set == PLANE_2 {
            let [row, cell] = pair.to_be_bytes();
            return EncodeStep::Bytes(Packed::of([0x1B, b'N', row, cell]));
        }
        if !in_pairs(state.mode) {
            state.mode |= SHIFTED;
            return EncodeStep::Escape(Packed::one(0x0E));
        }
        EncodeStep::Bytes(Packed::lead_trail(pair))
    }

    fn end(&self, state: &mut State) -> Option<Packed> {
        let was_in_pairs = in_pairs(state.mode);
        state.mode = 0;
        was_in_pairs.then(|| Packed::one(0x0F))
    }
}

/// Returns the shift to ASCII or, if ASCII is in force, the result of `then`.
fn in_ascii(state: &mut State, then: impl FnOnce(&mut State) -> EncodeStep) -> EncodeStep {
    if in_pairs(state.mode) {
        state.mode &= !SHIFTED;
        return EncodeStep::Escape(Packed::one(0x0F));
    }
    then(state)
}

fn encode_ascii(state: &mut State, byte: u8) -> EncodeStep {
    match byte {
        // As in ISO-2022-JP, shift characters are not encoded but reported as U+FFFD.
        0x0E | 0x0F | 0x1B => return EncodeStep::Unmappable(0xFFFD),
        b'\n' => state.mode = 0,
        _ => {}
    }
    EncodeStep::Bytes(Packed::one(byte))
}

/// ISO-2022-CN. The lengths are upper bounds, at most a few bytes too large.
pub(crate) static ISO_2022_CN: Linked = Linked {
    codec: &Iso2022Cn,
    is_ascii_compatible: false,
    is_stateful: true,
    code_unit_len: 1,
    in_references: None,
    lengths: Lengths {
        to_utf8: |n| n.checked_mul(2)?.checked_add(n % 2),
        shift: 0,
        from_utf8: [
            // Two bytes of UTF-8 become six with a designation; ASCII after them becomes two.
            |n| n.checked_mul(3)?.checked_add(3),
            // One byte, U+000E, becomes "&#65533;".
            |n| n.checked_mul(8)?.checked_add(3),
        ],
        from_utf16: [
            |n| n.checked_mul(6)?.checked_add(4),
            |n| n.checked_mul(9)?.checked_add(4),
        ],
    },
};
