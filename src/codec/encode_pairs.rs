//! The encoder of the double-byte encodings, but for ISO-2022-JP, which has a state: one for all.
//!
//! What it has to know of each is an [`Encoding`]. Compiled for each are only the loops over runs of characters, which
//! decide how fast short input is.

use super::encode::floor_char_boundary;
use super::pace::Window;
use super::{EncodeMachine, EncodeStep, Unmappables};
use crate::simd::{
    self, EncodePairs, Out, Packed, Ranks, Text, after, is_lead, is_surrogate, is_trail, join,
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
    run_utf8: fn(&str, &mut Out<'_, u8>, &mut u32, &mut Unmappables) -> usize,
    run_utf16: fn(&[u16], &mut Out<'_, u8>, &mut u32, &mut Unmappables) -> usize,
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
    /// A scalar value that has no bytes: the last one of what went without the vector kernel just before, so that it need not
    /// be looked up again. 0 if there was none, which has.
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

    fn prefix_utf8(
        &mut self,
        src: &str,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        let mut rest = src;
        let mut is_little = false;
        if rest.len() >= Window::SHORT_VECTOR {
            if rest.as_bytes()[0] < 0x80 {
                rest = after(rest, simd::copy_ascii(rest.as_bytes(), out));
            }
            is_little = self.encoding.pairs.four_bytes
                && rest.len() < LITTLE
                && matches!(rest.as_bytes(), [0xC2..=0xC9 | 0xF0..=0xFF, ..]);
            if self.starts_unmappable(rest) {
                unmappables.pace.troubles.expect();
                self.window.widen(self.near());
            }
            if self.is_untroubled(unmappables) && rest.len() >= Window::SHORT_VECTOR && !is_little {
                rest = after(rest, simd::utf8_to_pairs(&self.encoding.pairs, rest, out));
            }
            if rest.is_empty() {
                return src.len();
            }
        }
        loop {
            let portable = if is_little || rest.len() < self.window.len() + Window::VECTOR {
                rest
            } else {
                &rest[..floor_char_boundary(rest, self.window.len())]
            };
            let taken = self.portable_utf8(portable, out, unmappables);
            rest = after(rest, taken);
            if rest.is_empty() && self.unmappable == 0 {
                self.window.narrow();
                return src.len();
            }
            let stays = self.stays_portable(taken, unmappables);
            if taken < portable.len() || rest.is_empty() {
                return src.len() - rest.len();
            }
            if stays {
                continue;
            }
            let taken = simd::utf8_to_pairs(&self.encoding.pairs, rest, out);
            rest = after(rest, taken);
            unmappables.pace.troubles.pass(taken);
            self.window.adapt(taken);
        }
    }

    fn prefix_utf16(
        &mut self,
        src: &[u16],
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        let mut rest = src;
        let mut is_little = false;
        if rest.len() >= Window::SHORT_VECTOR / 2 {
            if rest[0] < 0x80 {
                rest = after(rest, simd::narrow_ascii(rest, out));
            }
            is_little = self.encoding.pairs.four_bytes
                && rest.len() < LITTLE
                && matches!(rest, [0x80..0x280 | 0xD800..0xE000, ..]);
            if self.starts_unmappable(rest) {
                unmappables.pace.troubles.expect();
                self.window.widen(self.near());
            }
            if self.is_untroubled(unmappables)
                && rest.len() >= Window::SHORT_VECTOR / 2
                && !is_little
            {
                rest = after(rest, simd::utf16_to_pairs(&self.encoding.pairs, rest, out));
            }
            if rest.is_empty() {
                return src.len();
            }
        }
        loop {
            let (portable, cut) = if is_little || rest.len() < self.window.len() + Window::VECTOR {
                (rest, false)
            } else {
                (
                    &rest[..self.window.len()],
                    is_lead(rest[self.window.len() - 1]),
                )
            };
            let taken = self.portable_utf16(portable, out, unmappables);
            rest = after(rest, taken);
            if rest.is_empty() && self.unmappable == 0 {
                self.window.narrow();
                return src.len();
            }
            // A surrogate pair may be cut by the window.
            let stays = self.stays_portable(3 * taken, unmappables);
            if taken + usize::from(cut) < portable.len() || taken == 0 || rest.is_empty() {
                return src.len() - rest.len();
            }
            if stays {
                continue;
            }
            let taken = simd::utf16_to_pairs(&self.encoding.pairs, rest, out);
            rest = after(rest, taken);
            unmappables.pace.troubles.pass(3 * taken);
            self.window.adapt(2 * taken);
        }
    }
}

impl PairsEncoder {
    /// Whether text starts with what makes the kernel work in vain on the rest of a batch.
    #[inline(always)]
    fn starts_unmappable<T: Text + ?Sized>(&self, src: &T) -> bool {
        !self.encoding.pairs.four_bytes && src.starts_beyond_bmp()
    }

    /// Where unmappable characters are near each other, so many bytes without one come before the kernel.
    #[inline(always)]
    fn near(&self) -> u16 {
        if self.encoding.pairs.has_spaces {
            256
        } else {
            64
        }
    }

    /// Whether nothing has stopped the vector kernel early: then it goes first.
    #[inline(always)]
    fn is_untroubled(&self, unmappables: &Unmappables) -> bool {
        let met = self.unmappable != 0 || unmappables.pace.troubles.any();
        !met && self.window.is_first()
    }

    /// Takes note of so many bytes of UTF-8, about, that went without the vector kernel. Whether so is what follows, as
    /// something unmappable was among them, and more of it is near.
    #[inline(always)]
    fn stays_portable(&mut self, taken: usize, unmappables: &mut Unmappables) -> bool {
        unmappables.pace.troubles.pass(taken);
        let stays = self.unmappable != 0 && unmappables.pace.troubles.meet(1);
        if stays {
            self.window.widen(self.near());
        }
        stays
    }

    /// Takes note of an unmappable scalar value that has become a reference; 0 is none.
    #[inline(always)]
    fn note(&mut self, unmappable: u32, unmappables: &mut Unmappables) {
        if unmappable != 0 {
            self.unmappable = unmappable;
            unmappables.seen = true;
        }
    }

    /// The portable prefix kernel over UTF-8: runs of ASCII, and runs of the rest.
    #[inline(always)]
    fn portable_utf8(
        &mut self,
        src: &str,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        self.unmappable = 0;
        let mut rest = src;
        loop {
            // Not called in vain.
            if rest.as_bytes().first().is_some_and(u8::is_ascii) {
                rest = after(rest, simd::copy_ascii(rest.as_bytes(), out));
            }
            if rest.is_empty() {
                return src.len();
            }
            if unmappables.pace.troubles.any()
                && self.encoding.pairs.has_spaces
                && unmappables.reference
            {
                let (taken, unmappable) =
                    simd::utf8_to_pairs_with_references(&self.encoding.pairs, rest, out);
                rest = after(rest, taken);
                self.note(unmappable, unmappables);
            }
            rest = after(
                rest,
                (self.encoding.run_utf8)(rest, out, &mut self.unmappable, unmappables),
            );
            match rest.as_bytes().first() {
                Some(0..0x80) if out.room() > 0 => {}
                _ => return src.len() - rest.len(),
            }
        }
    }

    /// The portable prefix kernel over UTF-16.
    #[inline(always)]
    fn portable_utf16(
        &mut self,
        src: &[u16],
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        self.unmappable = 0;
        let mut rest = src;
        loop {
            if rest.first().is_some_and(|&unit| unit < 0x80) {
                rest = after(rest, simd::narrow_ascii(rest, out));
            }
            if rest.is_empty() {
                return src.len();
            }
            if unmappables.pace.troubles.any()
                && self.encoding.pairs.has_spaces
                && unmappables.reference
            {
                let (taken, unmappable) =
                    simd::utf16_to_pairs_with_references(&self.encoding.pairs, rest, out);
                rest = after(rest, taken);
                self.note(unmappable, unmappables);
            }
            rest = after(
                rest,
                (self.encoding.run_utf16)(rest, out, &mut self.unmappable, unmappables),
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

/// Encodes up to a run of ASCII; returns how many bytes were read. Takes note of what is unmappable, and writes a reference, or
/// stops before it.
fn run_utf8<S: Steps>(
    src: &str,
    out: &mut Out<'_, u8>,
    unmappable: &mut u32,
    unmappables: &mut Unmappables,
) -> usize {
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
        if !push::<S>(scalar.into(), out, unmappable, unmappables) {
            break;
        }
        rest = chars.as_str();
    }
    src.len() - rest.len()
}

/// [`run_utf8`] over UTF-16; stops before a surrogate without its partner, too.
fn run_utf16<S: Steps>(
    src: &[u16],
    out: &mut Out<'_, u8>,
    unmappable: &mut u32,
    unmappables: &mut Unmappables,
) -> usize {
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
        if !push::<S>(scalar, out, unmappable, unmappables) {
            break;
        }
        read += len;
    }
    read
}

/// Writes the bytes of a scalar value, or a reference; false, and nothing written, if there are none, or too little room.
#[inline(always)]
fn push<S: Steps>(
    scalar: u32,
    out: &mut Out<'_, u8>,
    unmappable: &mut u32,
    unmappables: &mut Unmappables,
) -> bool {
    if let Some(pair) = S::pair(scalar) {
        return out.push_array(pair.to_be_bytes());
    }
    match S::bytes(scalar) {
        Some(packed) => packed.push_to(out),
        None => push_reference(scalar, out, unmappable, unmappables),
    }
}

/// Takes note of an unmappable scalar value, and writes a reference, if so it is wanted and fits. By call, as the loops above
/// are short.
#[inline(never)]
fn push_reference(
    scalar: u32,
    out: &mut Out<'_, u8>,
    unmappable: &mut u32,
    unmappables: &mut Unmappables,
) -> bool {
    *unmappable = scalar;
    unmappables.write(scalar, out)
}
