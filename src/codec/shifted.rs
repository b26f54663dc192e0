//! Encodings of mail that shift between ASCII and pairs of seven bits: HZ (RFC 1843) and ISO-2022-KR (RFC 1557).
//!
//! In both, a line feed returns to ASCII, because lines must start in ASCII. HZ has the pairs of GB 2312 as in GBK, and
//! ISO-2022-KR those of KS X 1001 as in EUC-KR.

use super::by_steps::{Machine, State};
use super::linked::{Lengths, Linked};
use super::{EncodeStep, Malformed, Step};
use crate::simd::Packed;
use crate::tables::pairs::Decoded;
use crate::tables::sets;

/// Set in a mode while pairs are in force.
const PAIRS: u8 = 1;
/// Set in the mode of an ISO-2022-KR encoder once the designation is written.
const DESIGNATED: u8 = 2;

fn in_pairs(state: &State) -> bool {
    state.mode & PAIRS != 0
}

fn set_pairs(state: &mut State, pairs: bool) {
    state.mode = state.mode & !PAIRS | u8::from(pairs);
}

fn one(code_point: Option<u16>) -> Option<Decoded> {
    code_point.map(|code_point| Decoded::One(code_point.into()))
}

struct Hz;

impl Machine for Hz {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        let is_double = in_pairs(state);
        match *state.held() {
            [] => match byte {
                b'~' => state.hold(byte),
                b'\n' => {
                    set_pairs(state, false);
                    Step::Scalar(byte.into())
                }
                0x21..=0x7D if is_double => state.hold(byte),
                0..0x80 if !is_double => Step::Scalar(byte.into()),
                _ => Malformed::through(1),
            },
            [b'~'] => match (byte, is_double) {
                (b'~', false) => {
                    state.drop_held();
                    Step::Scalar(byte.into())
                }
                (b'{', false) | (b'}', true) => {
                    state.drop_held();
                    set_pairs(state, !is_double);
                    Step::Continue
                }
                (b'\n', false) => {
                    state.drop_held();
                    Step::Continue
                }
                _ => state.first_malformed(),
            },
            [lead, ..] if matches!(byte, 0x21..=0x7E) => {
                state.drop_held();
                sets::hz_code_point(lead, byte)
                    .map_or(Malformed::through(2), |to| Step::Scalar(to.into()))
            }
            _ => state.malformed_before(),
        }
    }

    #[inline(always)]
    fn characters_of_pair(&self, state: &State, [row, cell]: [u8; 2]) -> Option<Decoded> {
        let is_pair = in_pairs(state) && matches!((row, cell), (0x21..=0x7D, 0x21..=0x7E));
        is_pair.then(|| one(sets::hz_code_point(row, cell)))?
    }

    #[inline(always)]
    fn decodes_ascii(&self, state: &State) -> bool {
        !in_pairs(state)
    }

    #[inline(always)]
    fn pair_of_scalar(&self, state: &State, scalar: u32) -> Option<u16> {
        in_pairs(state).then(|| sets::hz_pair(scalar.try_into().ok()?))?
    }

    fn encode(&self, state: &mut State, scalar: u32) -> EncodeStep {
        let pair = u16::try_from(scalar).ok().and_then(sets::hz_pair);
        let wants_pairs = pair.is_some();
        if wants_pairs != in_pairs(state) {
            set_pairs(state, wants_pairs);
            return EncodeStep::Escape(Packed::of(if wants_pairs { *b"~{" } else { *b"~}" }));
        }
        match (scalar, pair) {
            (_, Some(pair)) => EncodeStep::Bytes(Packed::lead_trail(pair)),
            (0x7E, _) => EncodeStep::Bytes(Packed::of(*b"~~")),
            (0..0x80, _) => EncodeStep::Bytes(Packed::one(scalar as u8)),
            _ => EncodeStep::Unmappable(scalar),
        }
    }

    fn end(&self, state: &mut State) -> Option<Packed> {
        let was_double = in_pairs(state);
        set_pairs(state, false);
        was_double.then(|| Packed::of(*b"~}"))
    }
}

struct Iso2022Kr;

/// The designation of KS X 1001, written once before all text.
const DESIGNATION: [u8; 4] = *b"\x1B$)C";

impl Machine for Iso2022Kr {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        let is_double = in_pairs(state);
        match *state.held() {
            [] => match byte {
                0x0E | 0x0F => {
                    set_pairs(state, byte == 0x0E);
                    Step::Continue
                }
                0x1B => state.hold(byte),
                b'\n' => {
                    set_pairs(state, false);
                    Step::Scalar(byte.into())
                }
                0x21..=0x7E if is_double => state.hold(byte),
                // Controls and the space are the same in both sets.
                0..0x80 if !is_double || byte < 0x21 => Step::Scalar(byte.into()),
                _ => Malformed::through(1),
            },
            [0x1B, ..] => {
                let at = state.held().len();
                if byte != DESIGNATION[at.min(3)] {
                    return state.first_malformed();
                }
                if at == 3 {
                    state.drop_held();
                    return Step::Continue;
                }
                state.hold(byte)
            }
            [lead, ..] if matches!(byte, 0x21..=0x7E) => {
                state.drop_held();
                sets::ks_x_1001_code_point(lead, byte)
                    .map_or(Malformed::through(2), |to| Step::Scalar(to.into()))
            }
            _ => state.malformed_before(),
        }
    }

    #[inline(always)]
    fn characters_of_pair(&self, state: &State, [row, cell]: [u8; 2]) -> Option<Decoded> {
        let is_pair = in_pairs(state) && matches!((row, cell), (0x21..=0x7E, 0x21..=0x7E));
        is_pair.then(|| one(sets::ks_x_1001_code_point(row, cell)))?
    }

    #[inline(always)]
    fn decodes_ascii(&self, state: &State) -> bool {
        !in_pairs(state)
    }

    #[inline(always)]
    fn encodes_ascii(&self, state: &State) -> bool {
        state.mode == DESIGNATED
    }

    #[inline(always)]
    fn pair_of_scalar(&self, state: &State, scalar: u32) -> Option<u16> {
        (state.mode == DESIGNATED | PAIRS).then(|| sets::ks_x_1001_pair(scalar.try_into().ok()?))?
    }

    fn encode(&self, state: &mut State, scalar: u32) -> EncodeStep {
        if state.mode & DESIGNATED == 0 {
            state.mode |= DESIGNATED;
            return EncodeStep::Escape(Packed::of(DESIGNATION));
        }
        let pair = u16::try_from(scalar).ok().and_then(sets::ks_x_1001_pair);
        let wants_pairs = pair.is_some();
        if wants_pairs != in_pairs(state) {
            set_pairs(state, wants_pairs);
            return EncodeStep::Escape(Packed::one(if wants_pairs { 0x0E } else { 0x0F }));
        }
        match (scalar, pair) {
            (_, Some(pair)) => EncodeStep::Bytes(Packed::lead_trail(pair)),
            // As in ISO-2022-JP, shift characters are reported as U+FFFD.
            (0x0E | 0x0F | 0x1B, _) => EncodeStep::Unmappable(0xFFFD),
            (0..0x80, _) => EncodeStep::Bytes(Packed::one(scalar as u8)),
            _ => EncodeStep::Unmappable(scalar),
        }
    }

    fn end(&self, state: &mut State) -> Option<Packed> {
        let was_double = in_pairs(state);
        state.mode = 0;
        was_double.then(|| Packed::one(0x0F))
    }
}

pub(crate) static HZ: Linked = Linked {
    codec: &Hz,
    is_ascii_compatible: false,
    is_stateful: true,
    code_unit_len: 1,
    in_references: None,
    lengths: Lengths {
        // Pairs become three bytes each, after "~{".
        to_utf8: |n| Some(n.max((n.saturating_sub(2) / 2).checked_mul(3)? + n % 2)),
        shift: 2,
        from_utf8: [
            // Two bytes of Greek become four after "~{", and a tilde after them four: eight for three.
            |n| (n / 3).checked_mul(8)?.checked_add([0, 2, 6][n % 3]),
            |n| (n / 2).checked_mul(7)?.checked_add(n % 2 * 2),
        ],
        from_utf16: [
            |n| n.checked_mul(4)?.checked_add(n % 2 * 2),
            |n| n.checked_mul(8),
        ],
    },
};

pub(crate) static ISO_2022_KR: Linked = Linked {
    codec: &Iso2022Kr,
    is_ascii_compatible: false,
    is_stateful: true,
    code_unit_len: 1,
    in_references: None,
    lengths: Lengths {
        to_utf8: |n| {
            let pairs = n.saturating_sub(1);
            Some(n.max((pairs / 2).checked_mul(3)? + pairs % 2))
        },
        shift: 1,
        from_utf8: [
            |n| {
                let text = (n / 3).checked_mul(5)?.checked_add([0, 1, 4][n % 3])?;
                text.checked_add(if n > 0 { 4 } else { 0 })
            },
            |n| n.checked_mul(8)?.checked_add(if n > 0 { 4 } else { 0 }),
        ],
        from_utf16: [
            |n| {
                let text = (n / 2).checked_mul(5)?.checked_add(match n {
                    0 => 0,
                    _ if n % 2 == 0 => 1,
                    _ => 4,
                })?;
                text.checked_add(if n > 0 { 4 } else { 0 })
            },
            |n| n.checked_mul(8)?.checked_add(if n > 0 { 4 } else { 0 }),
        ],
    },
};
