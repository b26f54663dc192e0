//! Double-byte encodings, decoded: a prefix kernel for every encoding whose characters are ASCII bytes and pairs of a
//! lead and a trail that make a pointer into an index.
//!
//! An encoding describes itself by [`Pairs`]: its [`Layout`] and its index. The kernels take that as an argument, as
//! code for each encoding would be much; but the first pass is compiled for a few [`grid`]s. Whatever they do not know
//! (three-byte forms, plane 2 but in four bytes, single bytes but half-width katakana in UTF-16) ends the prefix, and so
//! does whatever is malformed or unmapped: the codec goes on from there.
//!
//! [`avx512`] compresses and expands; [`avx2`] does the same by tables, with [`quads`] for the books of gb18030's
//! characters of four bytes. Elsewhere there is the codecs' portable loop.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod grid;
#[cfg(target_arch = "x86_64")]
mod quads;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

use super::out::Out;
use super::ranges::Ranges;
#[cfg(target_arch = "x86_64")]
use super::token;
use super::token::Active;

/// A prefix below this length is left to the portable loop: in noise most are, and it is faster there.
#[cfg(target_arch = "x86_64")]
const SHORT: usize = 16;

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
}

impl Layout {
    /// Rows and cells of 94, with 0xA0 added to both: that of EUC-JP's and EUC-KR's two-byte sets.
    pub const EUC: Self = Self {
        leads: [(0xA1, 0xFE); 2],
        plain: [(0xA1, 0xFE); 2],
        lead_offsets: [0xA1; 2],
        columns: 94,
        trails: [(0xA1, 0xFE); 2],
        trail_offsets: [0xA1; 2],
        first_pointer: 0,
        katakana: false,
    };
}

/// A double-byte encoding.
pub(crate) struct Pairs {
    pub layout: Layout,
    /// The index, by pointer from [`Layout::first_pointer`] on: code points of the BMP, 0 where the kernel shall stop.
    pub index: &'static [u16],
    /// The scalar value of four bytes, each odd one a lead and each even one a digit, if such are a character.
    pub four_bytes: Option<fn([u8; 4]) -> Option<u32>>,
    /// The same for pointers of four bytes that are in ranges, code points of the BMP.
    pub ranges: Option<&'static Ranges>,
    /// Whether its text has spaces between words, which nobody foresees: slow for the portable loop.
    pub has_spaces: bool,
}

#[cfg(target_arch = "x86_64")]
impl Layout {
    /// What is to be taken off `lead * columns + trail` for a lead and a trail of some ranges; such numbers wrap.
    const fn offset_of(&self, lead: usize, trail: usize) -> u16 {
        let lead = self.lead_offsets[lead] as u16 * self.columns;
        let trail = self.trail_offsets[trail] as u16;
        lead.wrapping_add(trail).wrapping_add(self.first_pointer)
    }

    /// For a lead and a trail of the first ranges.
    const fn offset(&self) -> u16 {
        self.offset_of(0, 0)
    }

    /// What is to be taken off beside [`offset`](Self::offset) for a lead of the second range.
    const fn second_lead_offset(&self) -> u16 {
        self.offset_of(1, 0).wrapping_sub(self.offset())
    }

    /// Likewise for a trail.
    const fn second_trail_offset(&self) -> u16 {
        self.offset_of(0, 1).wrapping_sub(self.offset())
    }
}

/// Leads and trails among `candidates` for leads: whatever follows a lead is a trail, and a candidate that is no trail
/// is a lead. `carry` is 1 when the byte before the block was a lead.
///
/// Runs of candidates alternate from their start. Subtracting the run starts from the odd bits lets a borrow run
/// through each run, which marks alternate places without a loop, as simdjson does for backslashes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn split(candidates: u64, carry: &mut u64) -> (u64, u64) {
    const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    let potential = candidates & !*carry;
    let followers = potential << 1;
    let series = (followers | ODD).wrapping_sub(potential);
    let leads_and_ends = series ^ ODD;
    let trails = leads_and_ends ^ (candidates | *carry);
    let leads = leads_and_ends & candidates;
    *carry = leads >> 63;
    (leads, trails)
}

/// From how many bytes on the vector kernel is worth its start, in text of which nothing is known.
#[inline]
pub(crate) fn pairs_worth_starting(pairs: &Pairs) -> usize {
    #[cfg(target_arch = "x86_64")]
    if token::Avx512::detect().is_some() {
        return if pairs.has_spaces { 32 } else { 48 };
    }
    _ = pairs;
    128
}

/// How many bytes behind something malformed are left to the portable loop, before the vector kernel starts again: the
/// next error may be near. Noise seldom has 24 bytes well-formed in a row; with AVX2 a start costs what 100 bytes do, 30 if
/// the portable loop is slow. `None` where there is no vector kernel.
#[inline]
pub(crate) fn pairs_first_window(pairs: &Pairs) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    {
        let active = Active::now();
        if token::Avx512::at(active).is_some() {
            return Some(24);
        }
        if token::Avx2::at(active).is_some() {
            return Some(if pairs.has_spaces { 32 } else { 128 });
        }
    }
    _ = pairs;
    None
}

/// Decodes a prefix of `src` to UTF-8; returns its length.
#[inline]
pub(crate) fn pairs_to_utf8(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        let active = Active::now();
        if let Some(token) = token::Avx512::at(active) {
            return avx512::decode::<avx512::Utf8>(token, pairs, src, out);
        }
        if let Some(token) = token::Avx2::at(active) {
            return avx2::decode::<avx2::Utf8>(token, pairs, src, out);
        }
    }
    let _ = (pairs, src, out, Active::now());
    0
}

/// Decodes a prefix of `src` to UTF-16; returns its length.
#[inline]
pub(crate) fn pairs_to_utf16(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        let active = Active::now();
        if let Some(token) = token::Avx512::at(active) {
            return avx512::decode::<avx512::Utf16>(token, pairs, src, out);
        }
        if let Some(token) = token::Avx2::at(active) {
            return avx2::decode::<avx2::Utf16>(token, pairs, src, out);
        }
    }
    let _ = (pairs, src, out, Active::now());
    0
}
