//! The encoder of the double-byte encodings, but for ISO-2022-JP, which has a state: one for all.
//!
//! What it has to know of each is an [`Encoding`]. Compiled for each are only the loops over runs of characters, which
//! decide how fast short input is.

use super::encode::{Window, floor_char_boundary};
use super::{EncodeMachine, EncodeStep};
use crate::simd::{
    self, EncodePairs, Out, Packed, Ranks, after, is_lead, is_surrogate, is_trail, join,
};
use crate::tables::rank::RankTable;

/// A double-byte encoding: the Standard's steps for one scalar value.
pub(super) trait Steps {
    /// The bytes of a scalar value from U+0080 on.
    fn bytes(scalar: u32) -> Option<Packed>;

    /// What `bytes` has for a large part of text: a short cut where others may have a different number of bytes.
    #[inline(always)]
    fn pair(_scalar: u32) -> Option<u16> {
        None
    }
}

/// A double-byte encoding, as a value.
pub(crate) struct Encoding {
    pairs: EncodePairs,
    bytes: fn(u32) -> Option<Packed>,
    run_utf8: fn(&str, &mut Out<'_, u8>, &mut u32) -> usize,
    run_utf16: fn(&[u16], &mut Out<'_, u8>, &mut u32) -> usize,
}

impl Encoding {
    pub(super) const fn new<S: Steps>(pairs: EncodePairs) -> Self {
        Self {
            pairs,
            bytes: S::bytes,
            run_utf8: run_utf8::<S>,
            run_utf16: run_utf16::<S>,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct PairsEncoder {
    encoding: &'static Encoding,
    window: Window,
    /// A scalar value that has no bytes: the last one that stopped the kernel, so that it need not be looked up again.
    /// 0 to begin with, which has.
    unmappable: u32,
}

impl PairsEncoder {
    pub fn new(encoding: &'static Encoding) -> Self {
        Self {
            encoding,
            window: Window::new(),
            unmappable: 0,
        }
    }
}

/// In text of less than so many units characters of four bytes are not worth the kernel's start, if it starts with Latin
/// letters or emoji.
const LITTLE: usize = 320;

impl EncodeMachine for PairsEncoder {
    fn step(&mut self, scalar: u32) -> EncodeStep {
        // Step 2 of each.
        if scalar < 0x80 {
            return EncodeStep::Bytes(Packed::one(scalar as u8));
        }
        if scalar == self.unmappable {
            return EncodeStep::Unmappable(scalar);
        }
        (self.encoding.bytes)(scalar).map_or(EncodeStep::Unmappable(scalar), EncodeStep::Bytes)
    }

    fn prefix_utf8(&mut self, src: &str, out: &mut Out<'_, u8>) -> usize {
        let mut rest = src;
        let mut is_little = false;
        if rest.len() >= Window::SHORT_VECTOR {
            if rest.as_bytes()[0] < 0x80 {
                rest = after(rest, simd::copy_ascii(rest.as_bytes(), out));
            }
            is_little = self.encoding.pairs.four_bytes
                && rest.len() < LITTLE
                && matches!(rest.as_bytes(), [0xC2..=0xC9 | 0xF0..=0xFF, ..]);
            if self.is_untroubled() && rest.len() >= Window::SHORT_VECTOR && !is_little {
                rest = after(rest, simd::utf8_to_pairs(&self.encoding.pairs, rest, out));
            }
            if rest.is_empty() {
                return src.len();
            }
        }
        loop {
            let portable = if is_little || rest.len() < self.window.0 + Window::VECTOR {
                rest
            } else {
                &rest[..floor_char_boundary(rest, self.window.0)]
            };
            let taken = self.mappable_utf8(portable, out);
            rest = after(rest, taken);
            if taken < portable.len() || rest.is_empty() {
                return src.len() - rest.len();
            }
            let taken = simd::utf8_to_pairs(&self.encoding.pairs, rest, out);
            rest = after(rest, taken);
            self.window.adapt(taken);
        }
    }

    fn prefix_utf16(&mut self, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        let mut rest = src;
        let mut is_little = false;
        if rest.len() >= Window::SHORT_VECTOR / 2 {
            if rest[0] < 0x80 {
                rest = after(rest, simd::narrow_ascii(rest, out));
            }
            is_little = self.encoding.pairs.four_bytes
                && rest.len() < LITTLE
                && matches!(rest, [0x80..0x280 | 0xD800..0xE000, ..]);
            if self.is_untroubled() && rest.len() >= Window::SHORT_VECTOR / 2 && !is_little {
                rest = after(rest, simd::utf16_to_pairs(&self.encoding.pairs, rest, out));
            }
            if rest.is_empty() {
                return src.len();
            }
        }
        loop {
            let (portable, cut) = if is_little || rest.len() < self.window.0 + Window::VECTOR {
                (rest, false)
            } else {
                (&rest[..self.window.0], is_lead(rest[self.window.0 - 1]))
            };
            let taken = self.mappable_utf16(portable, out);
            rest = after(rest, taken);
            // A surrogate pair may be cut by the window.
            if taken + usize::from(cut) < portable.len() || taken == 0 || rest.is_empty() {
                return src.len() - rest.len();
            }
            let taken = simd::utf16_to_pairs(&self.encoding.pairs, rest, out);
            rest = after(rest, taken);
            self.window.adapt(2 * taken);
        }
    }
}

impl PairsEncoder {
    /// Whether nothing has stopped the vector kernel early: then it goes first.
    #[inline(always)]
    fn is_untroubled(&self) -> bool {
        self.unmappable == 0 && self.window.is_first()
    }

    /// The portable prefix kernel over UTF-8: runs of ASCII, and runs of the rest.
    #[inline(always)]
    fn mappable_utf8(&mut self, src: &str, out: &mut Out<'_, u8>) -> usize {
        let mut rest = src;
        loop {
            // Not called in vain.
            if rest.as_bytes().first().is_some_and(u8::is_ascii) {
                rest = after(rest, simd::copy_ascii(rest.as_bytes(), out));
            }
            if rest.is_empty() {
                return src.len();
            }
            rest = after(
                rest,
                (self.encoding.run_utf8)(rest, out, &mut self.unmappable),
            );
            match rest.as_bytes().first() {
                Some(0..0x80) if out.room() > 0 => {}
                _ => return src.len() - rest.len(),
            }
        }
    }

    /// The portable prefix kernel over UTF-16.
    #[inline(always)]
    fn mappable_utf16(&mut self, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        let mut rest = src;
        loop {
            if rest.first().is_some_and(|&unit| unit < 0x80) {
                rest = after(rest, simd::narrow_ascii(rest, out));
            }
            if rest.is_empty() {
                return src.len();
            }
            rest = after(
                rest,
                (self.encoding.run_utf16)(rest, out, &mut self.unmappable),
            );
            match rest.first() {
                Some(0..0x80) if out.room() > 0 => {}
                _ => return src.len() - rest.len(),
            }
        }
    }
}

/// A table of two bytes, or of rows and cells, as the kernels take it.
pub(super) const fn ranks(table: &'static RankTable) -> Ranks {
    Ranks::new(&table.pages, table.blocks, table.values, table.values.len())
}

/// Encodes up to a run of ASCII; returns how many bytes were read. Takes note of what is unmappable, and stops before it.
fn run_utf8<S: Steps>(src: &str, out: &mut Out<'_, u8>, unmappable: &mut u32) -> usize {
    let mut rest = src;
    loop {
        match *rest.as_bytes() {
            [a, b, ..] if a < 0x80 && b >= 0x80 => {
                if !out.push(a) {
                    break;
                }
                rest = after(rest, 1);
                continue;
            }
            [a, ..] if a < 0x80 => break,
            _ => {}
        }
        let mut chars = rest.chars();
        let Some(scalar) = chars.next() else {
            break;
        };
        if !push::<S>(scalar.into(), out, unmappable) {
            break;
        }
        rest = chars.as_str();
    }
    src.len() - rest.len()
}

/// [`run_utf8`] over UTF-16; stops before a surrogate without its partner, too.
fn run_utf16<S: Steps>(src: &[u16], out: &mut Out<'_, u8>, unmappable: &mut u32) -> usize {
    let mut read = 0;
    loop {
        let (scalar, len) = match src[read..] {
            [] => break,
            [a, b, ..] if a < 0x80 && b >= 0x80 => {
                if !out.push(a as u8) {
                    break;
                }
                read += 1;
                continue;
            }
            [a, ..] if a < 0x80 => break,
            [lead, trail, ..] if is_lead(lead) && is_trail(trail) => (join(lead, trail), 2),
            [unit, ..] if is_surrogate(unit) => break,
            [unit, ..] => (unit.into(), 1),
        };
        if !push::<S>(scalar, out, unmappable) {
            break;
        }
        read += len;
    }
    read
}

/// Writes the bytes of a scalar value; false, and nothing written, if there are none, or too little room.
#[inline(always)]
fn push<S: Steps>(scalar: u32, out: &mut Out<'_, u8>, unmappable: &mut u32) -> bool {
    if let Some(pair) = S::pair(scalar) {
        return out.push_array(pair.to_be_bytes());
    }
    match S::bytes(scalar) {
        Some(packed) => packed.push_to(out),
        None => {
            *unmappable = scalar;
            false
        }
    }
}
