//! Single-byte pages that lack ASCII characters or have a character twice: VISCII, TCVN 5712, Lao, Armenian, AIX Arabic,
//! Mac OS Hebrew and Arabic, and EBCDIC in Arabic and Farsi.
//!
//! Each page has two arrays: code points by byte, and bytes sorted by code point, for binary search. EBCDIC pages that
//! lack a character of numeric character references are not included, because they could not represent unmappable
//! characters.

use super::by_steps::{Machine, State};
use super::linked::{Lengths, Linked};
use super::{EncodeStep, InReferences, Malformed, Step};
use crate::simd::Packed;
use crate::tables::extended::Page;

impl Machine for Page {
    fn step(&self, _: &mut State, byte: u8) -> Step {
        self.code_point(byte)
            .map_or(Malformed::through(1), |to| Step::Scalar(to.into()))
    }

    fn encode(&self, _: &mut State, scalar: u32) -> EncodeStep {
        let byte = u16::try_from(scalar).ok().and_then(|to| self.byte(to));
        byte.map_or(EncodeStep::Unmappable(scalar), |byte| {
            EncodeStep::Bytes(Packed::one(byte))
        })
    }
}

/// Upper bounds of the output length, at most a few bytes too large.
const LENGTHS: Lengths = Lengths {
    to_utf8: |n| n.checked_mul(3),
    shift: 0,
    // "&#123;" for an ASCII character.
    from_utf8: [Some, |n| n.checked_mul(6)],
    from_utf16: [Some, |n| n.checked_mul(8)],
};

/// Defines encodings, each with `is_ascii_compatible` and, for EBCDIC, the bytes of ASCII characters in references.
macro_rules! pages {
    ($($(#[$doc:meta])* $name:ident $is_ascii_compatible:literal $in_references:expr;)*) => {
        $(
            $(#[$doc])*
            pub(crate) static $name: Linked = Linked {
                codec: &crate::tables::extended::$name,
                is_ascii_compatible: $is_ascii_compatible,
                is_stateful: false,
                code_unit_len: 1,
                in_references: $in_references,
                lengths: LENGTHS,
            };
        )*
    };
}

/// Returns the bytes of a page for ASCII characters; 0 for characters that the page lacks.
const fn of_ascii(page: &Page) -> [u8; 256] {
    let mut bytes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let to = page.unit(byte as u8);
        if to < 0x80 {
            bytes[to as usize] = byte as u8;
        }
        byte += 1;
    }
    bytes
}

const fn ebcdic(from_ascii: &'static [u8; 256]) -> Option<InReferences> {
    Some(InReferences::single(from_ascii))
}

pages! {
    VISCII false None;
    IBM1133 true None;
    ARMSCII_8 true None;
    IBM1046 true None;
    /// TCVN 5712-1.
    TCVN5712_1 false None;
    /// Mac OS, Hebrew.
    MACHEBREW true None;
    /// Mac OS, Arabic.
    MACARABIC true None;
    IBM420 false ebcdic(const { &of_ascii(&crate::tables::extended::IBM420) });
    IBM1097 false ebcdic(const { &of_ascii(&crate::tables::extended::IBM1097) });
    IBM16804 false ebcdic(const { &of_ascii(&crate::tables::extended::IBM16804) });
}
