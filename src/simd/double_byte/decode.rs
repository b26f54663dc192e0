//! Double-byte encodings, decoded: a prefix kernel for every encoding whose characters are ASCII bytes and pairs of a
//! lead and a trail that make a pointer into an index.
//!
//! An encoding describes itself by [`DoubleByteDecode`]: its [`Layout`] and its index. The kernels take that as an argument, as
//! code for each encoding would be much; but the first pass is compiled for a few [`grid`]s. Whatever they do not know
//! (forms of three and four bytes, plane 2, single bytes except half-width katakana in UTF-16) ends the prefix, and so
//! does whatever is malformed or unmapped: the codec goes on from there.
//!
//! [`avx512`] compresses and expands; [`v256`] does the same by tables. gb18030's characters of four bytes are for
//! [`four_byte_runs`], which takes over where a kernel stops before one. Elsewhere there is the codecs' portable loop.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod four_byte_runs;
#[cfg(v256)]
mod grid;
#[cfg(all(test, v256))]
pub(super) mod tests;
#[cfg(v256)]
mod v256;

use super::{FourBytes, Utf8, Utf16, by_turns};
use crate::simd::arrays::tail;
use crate::simd::out::Out;
#[cfg(target_arch = "x86_64")]
use crate::simd::token;
use crate::simd::token::{Active, with_v256};
use crate::simd::tuning;

/// A prefix below this length is left to the portable loop: in noise most are, and it is faster there.
const SHORT: usize = tuning::PORTABLE_UP_TO;

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
pub(crate) struct DoubleByteDecode {
    pub layout: Layout,
    /// The index, by pointer from [`Layout::first_pointer`] on: code points of the BMP, 0 where the kernel shall stop.
    pub index: &'static [u16],
    /// Characters of four bytes, each odd one a lead and each even one a digit, if there are such.
    pub four_bytes: Option<FourBytes>,
}

impl DoubleByteDecode {
    /// Whether a text starts with what may be a character of four bytes.
    #[inline(always)]
    fn starts_four_bytes(&self, src: &[u8]) -> bool {
        self.four_bytes.is_some() && matches!(src, [0x81..=0xFE, 0x30..=0x39, ..])
    }

    /// The code point of a lead and a trail of a layout with one range of leads, if the index has one.
    #[inline(always)]
    fn code_point(&self, lead: u8, trail: u8) -> Option<u16> {
        let layout = &self.layout;
        let within = |byte, (first, last): Range| (first..=last).contains(&byte);
        let range = layout.trails.iter().position(|&range| within(trail, range));
        if !within(lead, layout.leads[0]) {
            return None;
        }
        let pointer = u16::from(lead) * layout.columns + u16::from(trail);
        let code_point = self.code_point_at(pointer.wrapping_sub(layout.offset_of(0, range?)));
        (code_point != 0).then_some(code_point)
    }

    /// The code point that the index has at a place, 0 if none.
    #[inline(always)]
    pub(super) fn code_point_at(&self, place: u16) -> u16 {
        self.index.get(usize::from(place)).copied().unwrap_or(0)
    }
}

impl Layout {
    /// What is to be taken off `lead * columns + trail` for a lead and a trail of some ranges; such numbers wrap.
    pub(super) const fn offset_of(&self, lead: usize, trail: usize) -> u16 {
        let lead = self.lead_offsets[lead] as u16 * self.columns;
        let trail = self.trail_offsets[trail] as u16;
        lead.wrapping_add(trail).wrapping_add(self.first_pointer)
    }

    /// For a lead and a trail of the first ranges.
    pub(super) const fn offset(&self) -> u16 {
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
#[inline(always)]
pub(super) fn split(candidates: u64, carry: &mut u64) -> (u64, u64) {
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

/// Bytes that [`four_byte_runs`] looks at together, and units that they become at most.
const RUN_BLOCK: usize = 64;

/// From how many bytes on a vector kernel is worth its start, if this machine has one.
#[inline]
pub(crate) fn double_byte_from() -> Option<usize> {
    let active = Active::now();
    #[cfg(target_arch = "x86_64")]
    if token::Avx512::at(active).is_some() {
        return Some(tuning::DOUBLE_BYTE_FROM[0]);
    }
    with_v256!(active, |_token| tuning::DOUBLE_BYTE_FROM[1])
}

/// A form of text that all kernels of this architecture know.
#[cfg(target_arch = "x86_64")]
trait Output: avx512::Output + v256::Output + four_byte_runs::Output {}
#[cfg(target_arch = "x86_64")]
impl<F: avx512::Output + v256::Output + four_byte_runs::Output> Output for F {}

#[cfg(all(v256, not(target_arch = "x86_64")))]
use v256::Output;

#[cfg(not(v256))]
use super::Form as Output;

/// Decodes a prefix of `src` to UTF-8; returns its length.
#[inline]
pub(crate) fn double_byte_to_utf8(
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, u8>,
) -> usize {
    decode::<Utf8>(pairs, src, out)
}

/// Decodes a prefix of `src` to UTF-16; returns its length.
#[inline]
pub(crate) fn double_byte_to_utf16(
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    decode::<Utf16>(pairs, src, out)
}

#[inline(always)]
fn decode<F: Output>(pairs: &DoubleByteDecode, src: &[u8], out: &mut Out<'_, F::Unit>) -> usize {
    let active = Active::now();
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx512::at(active) {
        return between_runs::<F>(active, pairs, src, out, |src, out| {
            avx512::decode::<F>(token, pairs, src, out)
        });
    }
    // Where there are no such registers, nothing is decoded here.
    let _ = (pairs, src, &out);
    with_v256!(active, |token| {
        between_runs::<F>(active, pairs, src, out, |src, out| {
            v256::decode::<F>(token, pairs, src, out)
        })
    })
    .unwrap_or(0)
}

/// Decodes a prefix of `src` by a kernel for pairs, which stops before a character of four bytes, and by the one for those;
/// returns its length.
#[inline(always)]
fn between_runs<F: Output>(
    active: Active,
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, F::Unit>,
    kernel: impl Fn(&[u8], &mut Out<'_, F::Unit>) -> usize,
) -> usize {
    /// Text of fewer bytes is not worth starting both kernels for, if it begins with a character of four bytes.
    const SHORT_TEXT: usize = tuning::FOUR_BYTE_TEXT;
    let mut read = 0;
    if src.len() < SHORT_TEXT {
        if pairs.starts_four_bytes(tail(src, short_ascii_prefix(src))) {
            return 0;
        }
    } else if pairs.starts_four_bytes(src) {
        let Some(run) = decode_run::<F>(active, pairs, src, out) else {
            return 0;
        };
        read = run;
        let rest = tail(src, read);
        if rest.len() < RUN_BLOCK && pairs.starts_four_bytes(rest) {
            return read;
        }
    }
    by_turns(src, read, out, kernel, |rest, out| {
        if !pairs.starts_four_bytes(rest) {
            return 0;
        }
        decode_run::<F>(active, pairs, rest, out).unwrap_or(0)
    })
}

/// Decodes a prefix of characters of four bytes and ASCII; returns its length, or nothing where no kernel is for those.
#[inline(always)]
fn decode_run<F: Output>(
    active: Active,
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, F::Unit>,
) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    let run =
        token::Avx2::at(active).map(|token| four_byte_runs::decode::<F>(token, pairs, src, out));
    #[cfg(not(target_arch = "x86_64"))]
    let run = None;
    let _ = (active, pairs, src, out);
    run
}

/// How many of the first eight bytes are ASCII and have nothing else before them.
#[inline(always)]
fn short_ascii_prefix(src: &[u8]) -> usize {
    src.first_chunk().map_or(0, |&bytes| {
        (u64::from_le_bytes(bytes) & 0x8080_8080_8080_8080).trailing_zeros() as usize / 8
    })
}
