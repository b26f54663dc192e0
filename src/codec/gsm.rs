//! The default alphabet of GSM 03.38 (3GPP TS 23.038, 6.2.1), one septet in each byte, with its extension table after
//! 0x1B.
//!
//! If the extension table has no character for a byte, the recommendation displays the byte's character of the default
//! alphabet. This decoder reports 0x1B as malformed, and decodes the byte to that character. National tables are
//! missing, because the text itself does not name its table.

use super::by_steps::{Machine, State};
use super::linked::{Lengths, Linked};
use super::{EncodeStep, Malformed, Step};
use crate::simd::Packed;

struct Gsm;

/// The default alphabet where it differs from ASCII; 0 for other bytes and 0x1B.
const ALPHABET: [u16; 128] = {
    let mut alphabet = [0; 128];
    let mut i = 0;
    while i < OWN.len() {
        let (first, code_points) = OWN[i];
        let mut j = 0;
        while j < code_points.len() {
            alphabet[first + j] = code_points[j];
            j += 1;
        }
        i += 1;
    }
    alphabet
};

/// Consecutive bytes of the default alphabet: the first byte and the code points.
const OWN: [(usize, &[u16]); 7] = [
    (
        0x00,
        &[
            0x40, 0xA3, 0x24, 0xA5, 0xE8, 0xE9, 0xF9, 0xEC, 0xF2, 0xC7, 0x0A, 0xD8, 0xF8, 0x0D,
            0xC5, 0xE5, 0x394, 0x5F, 0x3A6, 0x393, 0x39B, 0x3A9, 0x3A0, 0x3A8, 0x3A3, 0x398, 0x39E,
        ],
    ),
    (0x1C, &[0xC6, 0xE6, 0xDF, 0xC9]),
    (0x24, &[0xA4]),
    (0x40, &[0xA1]),
    (0x5B, &[0xC4, 0xD6, 0xD1, 0xDC, 0xA7]),
    (0x60, &[0xBF]),
    (0x7B, &[0xE4, 0xF6, 0xF1, 0xFC, 0xE0]),
];

/// The extension table.
const EXTENSION: [(u8, u16); 10] = [
    (0x0A, 0x0C),
    (0x14, 0x5E),
    (0x28, 0x7B),
    (0x29, 0x7D),
    (0x2F, 0x5C),
    (0x3C, 0x5B),
    (0x3D, 0x7E),
    (0x3E, 0x5D),
    (0x40, 0x7C),
    (0x65, 0x20AC),
];

/// The bytes of the characters below U+0100; 0xFF for characters that the default alphabet lacks.
const LATIN: [u8; 256] = {
    let mut bytes = [0xFF; 256];
    let mut byte = 0;
    while byte < 0x80 {
        let code_point = code_point(byte);
        if code_point < 0x100 && byte != ESCAPE {
            bytes[code_point as usize] = byte;
        }
        byte += 1;
    }
    bytes
};

const ESCAPE: u8 = 0x1B;

/// Returns the code point of a byte other than the escape.
const fn code_point(byte: u8) -> u16 {
    match ALPHABET[byte as usize & 0x7F] {
        0 => byte as u16,
        code_point => code_point,
    }
}

impl Machine for Gsm {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        if state.drop_held() > 0 {
            let found = EXTENSION.iter().find(|of| of.0 == byte);
            return found.map_or(Malformed::before(1), |of| Step::Scalar(of.1.into()));
        }
        match byte {
            ESCAPE => state.hold(byte),
            0..0x80 => Step::Scalar(code_point(byte).into()),
            _ => Malformed::through(1),
        }
    }

    fn encode(&self, _: &mut State, scalar: u32) -> EncodeStep {
        let byte = match scalar {
            0..0x100 => LATIN[scalar as usize],
            0x393..=0x3A9 => {
                let place = ALPHABET.iter().position(|&of| u32::from(of) == scalar);
                place.map_or(0xFF, |byte| byte as u8)
            }
            _ => 0xFF,
        };
        if byte != 0xFF {
            return EncodeStep::Bytes(Packed::one(byte));
        }
        let extended = EXTENSION.iter().find(|of| u32::from(of.1) == scalar);
        extended.map_or(EncodeStep::Unmappable(scalar), |of| {
            EncodeStep::Bytes(Packed::of([ESCAPE, of.0]))
        })
    }
}

pub(crate) static GSM_03_38: Linked = Linked {
    codec: &Gsm,
    is_ascii_compatible: false,
    is_stateful: false,
    code_unit_len: 1,
    in_references: None,
    lengths: Lengths {
        // An accented letter has two UTF-8 bytes.
        to_utf8: |n| n.checked_mul(2),
        shift: 0,
        // A brace takes two bytes, and U+007F becomes "&#127;".
        from_utf8: [|n| n.checked_mul(2), |n| n.checked_mul(6)],
        from_utf16: [|n| n.checked_mul(2), |n| n.checked_mul(8)],
    },
};
