//! The second pass: positions, code points, and the stream.

use core::arch::x86_64::*;

use super::super::Pairs;
use super::{Batch, End, Form, forms, set};

impl Batch {
    /// Second pass: code points for positions, and the stream.
    #[inline(always)]
    pub(super) fn look_up<P: Pairs, F: Form>(&mut self, src: &[u8], mut end: End) -> End {
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        let index = P::index();
        if P::FOUR_BYTES && !F::SPLITS && !self.quads.is_empty() {
            self.ragged.fill(0);
        }
        let first_pair = u16::from_le_bytes([P::LAYOUT.plain[0].0, P::LAYOUT.trails[0].0]);
        // SAFETY: the caller's feature set. `pairs <= 32 * BLOCKS + 1`: eight elements behind the last pair are within
        // the arrays. The first `pairs` positions were initialised by the first pass.
        let outside = unsafe {
            _mm_storeu_si128(positions.add(self.pairs).cast(), set(first_pair));
            let mut outside = None;
            for at in (0..self.pairs).step_by(8) {
                let here = positions.add(at).cast();
                let (position, inside) = position::<P>(_mm_loadu_si128(here), index.len());
                _mm_storeu_si128(here, position);
                if inside != 0xFFFF {
                    outside = Some(at + inside.trailing_ones() as usize / 2);
                    break;
                }
            }
            outside
        };
        if let Some(pair) = outside {
            end = self.stop_before(pair);
        }
        // SAFETY: as above; `position` is below the index's length for every element, and up to eight behind the last.
        unsafe {
            for at in (0..self.pairs).step_by(8) {
                for i in at..at + 8 {
                    let position = usize::from(*positions.add(i));
                    *code_points.add(i) = *index.get_unchecked(position);
                }
            }
            // No zero behind the last pair, nor where it means nothing.
            _mm_storeu_si128(code_points.add(self.pairs).cast(), set(0x3000));
            if P::FOUR_BYTES {
                for first in self.quads.firsts() {
                    code_points.add(first).write(0x3000);
                    code_points.add(first + 1).write(0x3000);
                }
            }
        }
        // SAFETY: the caller's feature set; every array has room for eight elements behind the last pair.
        let unmapped = unsafe {
            let zero = _mm_setzero_si128();
            let mut unmapped = zero;
            for at in (0..self.pairs).step_by(8) {
                let code_points = _mm_loadu_si128(code_points.add(at).cast());
                unmapped = _mm_or_si128(unmapped, _mm_cmpeq_epi16(code_points, zero));
                if F::SPLITS {
                    let stream: *mut [u16; 2] = self.stream.as_mut_ptr().cast();
                    let (head, tail, short) = forms::split_code_points(code_points);
                    let stream = stream.add(at);
                    _mm_storeu_si128(stream.cast(), _mm_unpacklo_epi16(head, tail));
                    _mm_storeu_si128(stream.add(4).cast(), _mm_unpackhi_epi16(head, tail));
                    self.ragged[at / 8] = short;
                }
            }
            if F::SPLITS {
                // The last pass loads four characters from the last one's end on.
                let stream: *mut [u16; 2] = self.stream.as_mut_ptr().cast();
                _mm_storeu_si128(stream.add(self.pairs.next_multiple_of(8)).cast(), zero);
            }
            _mm_movemask_epi8(unmapped)
        };
        if unmapped != 0 {
            // SAFETY: `pairs` code points are initialised.
            let code_points =
                unsafe { core::slice::from_raw_parts(code_points.cast_const(), self.pairs) };
            if let Some(pair) = code_points.iter().position(|&code_point| code_point == 0) {
                end = self.stop_before(pair);
            }
        }
        if P::FOUR_BYTES {
            let mut quad = 0;
            while let Some((first, at)) = self.quads.get(quad) {
                let bytes = src[at..].first_chunk::<4>();
                let Some(scalar) = bytes.and_then(|&bytes| P::four_bytes(bytes)) else {
                    return self.stop(at);
                };
                F::put_quad(self, first, scalar);
                quad += 1;
            }
        }
        end
    }
}

/// The positions of pairs in the index, or some other below its length, and which are right, two bits each.
#[inline(always)]
fn position<P: Pairs>(pairs: __m128i, len: usize) -> (__m128i, u32) {
    let layout = const { &P::LAYOUT };
    // lead * columns + trail - (lead offset * columns + trail offset + first pointer).
    let off = |lead: usize, trail: usize| {
        let pointer = u16::from(layout.lead_offsets[lead]) * layout.columns;
        let trail = u16::from(layout.trail_offsets[trail]);
        pointer
            .wrapping_add(trail)
            .wrapping_add(layout.first_pointer)
    };
    let last = set((len - 1).min(0xFFFF) as u16);
    // SAFETY: x86-64 has SSE2.
    unsafe {
        let lead = _mm_and_si128(pairs, set(0xFF));
        let trail = _mm_srli_epi16::<8>(pairs);
        let pointer = _mm_add_epi16(_mm_mullo_epi16(lead, set(layout.columns)), trail);
        let mut position = _mm_sub_epi16(pointer, set(off(0, 0)));
        if layout.trails[0] != layout.trails[1] {
            let second = _mm_cmpgt_epi16(trail, set(u16::from(layout.trails[1].0) - 1));
            let more = set(off(0, 1).wrapping_sub(off(0, 0)));
            position = _mm_sub_epi16(position, _mm_and_si128(second, more));
        }
        if layout.leads[0] != layout.leads[1] {
            let second = _mm_cmpgt_epi16(lead, set(u16::from(layout.leads[1].0) - 1));
            let more = set(off(1, 0).wrapping_sub(off(0, 0)));
            position = _mm_sub_epi16(position, _mm_and_si128(second, more));
        }
        let excess = _mm_subs_epu16(position, last);
        let position = _mm_sub_epi16(position, excess);
        if P::LAYOUT.is_within(len) {
            return (position, 0xFFFF);
        }
        let inside = _mm_cmpeq_epi16(excess, _mm_setzero_si128());
        (position, _mm_movemask_epi8(inside) as u32)
    }
}
