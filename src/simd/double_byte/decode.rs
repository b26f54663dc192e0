//! Decoding of double-byte encodings: a prefix kernel for every encoding of ASCII bytes and pairs, where lead and trail
//! give a pointer into an index.
//!
//! An encoding describes itself by a [`DoubleByteDecode`]: its [`Layout`] and its index. Kernels take it as an
//! argument, as code for each encoding would be too large; only the first pass is compiled for a few [`Grid`]s. A
//! kernel stops at sequences that it does not cover: three and four bytes, plane 2, and single bytes except half-width
//! katakana in UTF-16. It also stops at malformed and unmapped input. The codec continues from there.
//!
//! [`avx512`] compresses and expands; [`v256`] does the same with shuffle tables. Other targets use the codecs' portable
//! loop, which also converts the four-byte characters of gb18030.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(all(test, v256))]
pub(super) mod tests;
#[cfg(v256)]
mod v256;

use super::{Utf8, Utf16};
use crate::simd::level::{Active, with_avx512, with_v256};
use crate::simd::out::Out;
#[cfg(v256)]
use crate::simd::tuning;

/// An inclusive range of bytes.
pub(crate) type Range = (u8, u8);

/// The layout of pointers: `(lead - offset) * columns + trail - offset - first_pointer`.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    /// The two ranges of leads, in order; both equal if there is only one.
    pub leads: [Range; 2],
    /// The two ranges of leads that only start pairs of the index. Any other lead ends the prefix.
    pub plain: [Range; 2],
    /// The offset subtracted from a lead of each range.
    pub lead_offsets: [u8; 2],
    /// The number of trails for one lead.
    pub columns: u16,
    /// The two ranges of trails, in order; both equal if there is only one.
    pub trails: [Range; 2],
    /// The offset subtracted from a trail of each range.
    pub trail_offsets: [u8; 2],
    /// The pointer of the index's first element.
    pub first_pointer: u16,
    /// True if the single bytes 0xA1 to 0xDF are half-width katakana.
    pub katakana: bool,
}

impl Layout {
    /// Rows and cells of 94, each with 0xA0 added: the two-byte sets of EUC-JP and EUC-KR.
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
    /// The index, starting at [`Layout::first_pointer`]: code points of the BMP, or 0 to stop the kernel.
    pub index: &'static [u16],
}

impl Layout {
    /// Returns the number subtracted from `lead * columns + trail` for the given ranges; the arithmetic wraps.
    pub(super) const fn offset_of(&self, lead: usize, trail: usize) -> u16 {
        let lead = self.lead_offsets[lead] as u16 * self.columns;
        let trail = self.trail_offsets[trail] as u16;
        lead.wrapping_add(trail).wrapping_add(self.first_pointer)
    }

    /// Returns the offset for the first ranges of leads and trails.
    pub(super) const fn offset(&self) -> u16 {
        self.offset_of(0, 0)
    }

    /// Returns the number subtracted in addition to [`offset`](Self::offset) for a lead of the second range.
    const fn second_lead_offset(&self) -> u16 {
        self.offset_of(1, 0).wrapping_sub(self.offset())
    }

    /// Returns the number subtracted in addition to [`offset`](Self::offset) for a trail of the second range.
    const fn second_trail_offset(&self) -> u16 {
        self.offset_of(0, 1).wrapping_sub(self.offset())
    }
}

/// The shape of an encoding's leads and trails. The first pass is compiled for each: testing the properties at run time
/// costs 5 % of the speed.
trait Grid {
    /// True if leads have two ranges.
    const TWO_RANGES_OF_LEADS: bool = false;
    /// True if trails have two ranges.
    const TWO_RANGES_OF_TRAILS: bool = true;
    /// True if some leads are not [`Layout::plain`].
    const SOME_PLAIN: bool = false;
    /// True if some single bytes are half-width katakana: [`Layout::katakana`].
    const KATAKANA: bool = false;

    /// True if the leads and trails of the encoding have this grid's shape.
    fn fits(pairs: &DoubleByteDecode) -> bool {
        let Layout {
            leads,
            plain,
            trails,
            katakana,
            ..
        } = pairs.layout;
        Self::TWO_RANGES_OF_LEADS == (leads[0] != leads[1])
            && Self::TWO_RANGES_OF_TRAILS == (trails[0] != trails[1])
            && Self::SOME_PLAIN == (plain != leads)
            && Self::KATAKANA == katakana
    }
}

/// One range of leads and one of trails.
struct SingleRange;

impl Grid for SingleRange {
    const TWO_RANGES_OF_TRAILS: bool = false;
}

/// The grid of Shift_JIS.
struct Katakana;

impl Grid for Katakana {
    const TWO_RANGES_OF_LEADS: bool = true;
    const KATAKANA: bool = true;
}

/// The grid of Big5.
struct SomePlain;

impl Grid for SomePlain {
    const SOME_PLAIN: bool = true;
}

/// The grid of gb18030.
struct Gb18030;

impl Grid for Gb18030 {}

/// Evaluates an expression with the grid of an encoding.
#[cfg(v256)]
macro_rules! with_grid {
    ($pairs:expr, $grid:ident => $body:expr) => {
        with_grid!(@ $pairs, $grid => $body, Katakana SomePlain Gb18030)
    };
    (@ $pairs:expr, $grid:ident => $body:expr, $($name:ident)*) => {
        $(if $crate::simd::double_byte::decode::$name::fits($pairs) {
            type $grid = $crate::simd::double_byte::decode::$name;
            $body
        } else)* {
            type $grid = $crate::simd::double_byte::decode::SingleRange;
            debug_assert!($grid::fits($pairs), "no encoding has another grid");
            $body
        }
    };
}
#[cfg(v256)]
use with_grid;

/// Splits candidates for leads into leads and trails. The byte after a lead is its trail. A candidate that is not a
/// trail is a lead. `carry` is 1 if the byte before the block was a lead.
///
/// In consecutive candidates, leads and trails alternate. Subtracting the first bit of each sequence from the odd bits
/// makes a borrow ripple through it. This marks alternate positions without a loop, as simdjson does for backslashes.
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

/// Returns the number of leads before an offset. `leads` has a mask for each block of 64 bytes.
#[cfg(v256)]
fn leads_before(leads: &[u64], at: usize) -> usize {
    let (whole, rest) = leads.split_at((at / 64).min(leads.len()));
    let part = rest
        .first()
        .map_or(0, |leads| leads & ((1 << (at % 64)) - 1));
    let counts = whole.iter().map(|leads| leads.count_ones());
    (counts.sum::<u32>() + part.count_ones()) as usize
}

/// Returns the minimum length, in bytes, from which a vector kernel pays off; `None` if this machine has no such
/// kernel.
#[inline]
pub(crate) fn double_byte_from() -> Option<usize> {
    let active = Active::now();
    with_avx512!(active, |_token| return Some(tuning::DOUBLE_BYTE_FROM[0]));
    with_v256!(active, |_token| tuning::DOUBLE_BYTE_FROM[1])
}

/// An output form that all kernels of this architecture support.
#[cfg(target_arch = "x86_64")]
trait Output: avx512::Output + v256::Output {}
#[cfg(target_arch = "x86_64")]
impl<F: avx512::Output + v256::Output> Output for F {}

#[cfg(all(v256, not(target_arch = "x86_64")))]
use v256::Output;

#[cfg(not(v256))]
use super::Form as Output;

/// Decodes a prefix of `src` to UTF-8 and returns its length in bytes.
#[inline]
pub(crate) fn double_byte_to_utf8(
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, u8>,
) -> usize {
    decode_at::<Utf8>(Active::now(), pairs, src, out)
}

/// Decodes a prefix of `src` to UTF-16 and returns its length in bytes.
#[inline]
pub(crate) fn double_byte_to_utf16(
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    decode_at::<Utf16>(Active::now(), pairs, src, out)
}

#[inline(always)]
fn decode_at<F: Output>(
    active: Active,
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, F::Unit>,
) -> usize {
    // SAFETY: the token proves detection succeeded.
    with_avx512!(active, |token| return unsafe {
        avx512::decode::<F>(token, pairs, src, out)
    });
    // No kernel on this target.
    let _ = (pairs, src, &out);
    // SAFETY: the token proves detection succeeded.
    with_v256!(active, |token| unsafe {
        v256::decode::<F>(token, pairs, src, out)
    })
    .unwrap_or(0)
}
