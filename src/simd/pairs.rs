//! Double-byte encodings, decoded: a prefix kernel for every encoding whose characters are ASCII bytes and pairs of a
//! lead and a trail that make a pointer into an index.
//!
//! An encoding describes itself by a [`Layout`] and its index; the kernel is compiled for each of them. Whatever it does
//! not know (three- and four-byte forms, plane 2, single bytes but half-width katakana in UTF-16) ends the prefix, and so
//! does whatever is malformed or unmapped: the codec goes on from there.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

use super::out::Out;
use super::token::Active;

/// An inclusive range of bytes.
pub(crate) type Range = (u8, u8);

/// How lead and trail make a pointer: `(lead - offset) * columns + trail - offset - first_pointer`.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    /// Two ranges of leads, in order; the same one twice if there is one.
    pub leads: [Range; 2],
    /// Two ranges of leads whose pairs the index answers in full; others end the prefix.
    pub plain: [Range; 2],
    /// What to take off a lead of each range.
    pub lead_offsets: [u8; 2],
    /// Trails of one lead.
    pub columns: u16,
    /// Two ranges of trails, in order; the same one twice if there is one.
    pub trails: [Range; 2],
    /// What to take off a trail of each range.
    pub trail_offsets: [u8; 2],
    /// The pointer of the index's first element.
    pub first_pointer: u16,
    /// Whether single bytes 0xA1 to 0xDF are half-width katakana.
    pub katakana: bool,
    /// Whether bytes outside pairs may be ASCII: else the kernel takes pairs only.
    pub ascii: bool,
}

/// A double-byte encoding.
pub(crate) trait Pairs: Copy {
    const LAYOUT: Layout;

    /// The index, by pointer from [`Layout::first_pointer`] on: code points of the BMP, 0 where the kernel shall stop.
    fn index() -> &'static [u16];
}

/// Decodes a prefix of `src` to UTF-8; returns its length.
#[inline]
pub(crate) fn pairs_to_utf8<P: Pairs>(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = super::token::Avx512::at(Active::now()) {
        return avx512::decode::<P, avx512::Utf8>(token, src, out);
    }
    let _ = (src, out, Active::now());
    0
}

/// Decodes a prefix of `src` to UTF-16; returns its length.
#[inline]
pub(crate) fn pairs_to_utf16<P: Pairs>(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = super::token::Avx512::at(Active::now()) {
        return avx512::decode::<P, avx512::Utf16>(token, src, out);
    }
    let _ = (src, out, Active::now());
    0
}
