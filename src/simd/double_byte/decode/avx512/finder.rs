//! Masks of leads, and positions in the index, computed from an encoding's layout.

use core::arch::x86_64::*;

use super::super::grid::Grid;
use super::super::{DoubleByteDecode, Range};
use crate::simd::arrays::map_array;

/// An inclusive range of bytes or 16-bit lanes, in registers: its first value, and its last minus its first.
type Within = (__m512i, __m512i);

/// The parts of a layout that the first pass needs, in registers.
pub(super) struct Finder {
    /// In 8-bit lanes.
    leads: [Within; 2],
    /// In 16-bit lanes, like all fields after it.
    plain: [Within; 2],
    trails: [Within; 2],
    columns: __m512i,
    /// The offset for the first ranges, subtracted from `lead * columns + trail`; the next two are further offsets for
    /// the second ranges.
    offset: __m512i,
    second_lead: __m512i,
    second_trail: __m512i,
    /// The first lead of the second range.
    first_of_second: __m512i,
    /// The length of the index.
    len: __m512i,
}

impl Finder {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn new(pairs: &DoubleByteDecode) -> Self {
        let layout = &pairs.layout;
        let set = |value: u16| _mm512_set1_epi16(value as i16);
        let lanes = |(first, last): Range| (set(first.into()), set((last - first).into()));
        let bytes = |(first, last): Range| {
            let [first, after] =
                map_array([first, last - first], |byte| _mm512_set1_epi8(byte as i8));
            (first, after)
        };
        Self {
            leads: map_array(layout.leads, bytes),
            plain: map_array(layout.plain, lanes),
            trails: map_array(layout.trails, lanes),
            columns: set(layout.columns),
            offset: set(layout.offset()),
            second_lead: set(layout.second_lead_offset()),
            second_trail: set(layout.second_trail_offset()),
            first_of_second: set(layout.leads[1].0.into()),
            len: set(pairs.index.len().min(0xFFFF) as u16),
        }
    }

    /// Returns a mask of the bytes that may be leads.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn candidates<G: Grid>(&self, bytes: __m512i) -> u64 {
        let within =
            |(first, after): Within| _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, first), after);
        let candidates = within(self.leads[0]);
        if G::TWO_RANGES_OF_LEADS {
            candidates | within(self.leads[1])
        } else {
            candidates
        }
    }

    /// Returns positions in the index, and a mask of the valid ones.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn position<G: Grid>(&self, lead: __m512i, trail: __m512i) -> (__m512i, u32) {
        let within = |lanes, (first, after): Within| {
            _mm512_cmple_epu16_mask(_mm512_sub_epi16(lanes, first), after)
        };
        let mut valid = within(trail, self.trails[0]);
        let pointer = _mm512_add_epi16(_mm512_mullo_epi16(lead, self.columns), trail);
        let mut position = _mm512_sub_epi16(pointer, self.offset);
        if G::TWO_RANGES_OF_TRAILS {
            valid |= within(trail, self.trails[1]);
            let second = _mm512_cmpge_epu16_mask(trail, self.trails[1].0);
            position = _mm512_mask_sub_epi16(position, second, position, self.second_trail);
        }
        if G::TWO_RANGES_OF_LEADS {
            let second = _mm512_cmpge_epu16_mask(lead, self.first_of_second);
            position = _mm512_mask_sub_epi16(position, second, position, self.second_lead);
        }
        if G::SOME_PLAIN {
            valid &= within(lead, self.plain[0]) | within(lead, self.plain[1]);
        }
        let in_index = _mm512_cmplt_epu16_mask(position, self.len);
        (position, valid & in_index)
    }
}
