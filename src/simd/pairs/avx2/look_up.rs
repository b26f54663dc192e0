//! The second pass: positions, code points, and the stream.

use core::arch::x86_64::*;

use super::super::grid::Grid;
use super::super::{Layout, Pairs};
use super::{Batch, End, Form, forms, set};

impl Batch {
    /// The end of the first pass: positions for pairs.
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    pub(super) fn find_positions<G: Grid>(&mut self, pairs: &Pairs, end: End) -> End {
        let layout = &pairs.layout;
        let len = pairs.index.len();
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        // Digits take positions of characters of four bytes anywhere: no matter.
        let whole = layout.is_within(len);
        let first_pair = u16::from_le_bytes([layout.plain[0].0, layout.trails[0].0]);
        // SAFETY: the caller's feature set. `pairs <= 32 * BLOCKS + 1`: eight elements behind the last pair are within
        // the array. The first `pairs` elements were initialised by the pass over the blocks.
        unsafe {
            _mm_storeu_si128(positions.add(self.pairs).cast(), set(first_pair));
            for at in (0..self.pairs).step_by(8) {
                let here = positions.add(at).cast();
                let (position, inside) = position::<G>(layout, _mm_loadu_si128(here), len);
                _mm_storeu_si128(here, position);
                if inside != 0xFFFF && !whole {
                    return self.stop_before(at + inside.trailing_ones() as usize / 2);
                }
            }
        }
        end
    }

    /// Second pass: code points for positions, and the stream.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    pub(super) fn look_up<F: Form>(&mut self, pairs: &Pairs, src: &[u8], mut end: End) -> End {
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        let index = pairs.index;
        if !F::SPLITS && !self.quads.is_empty() {
            self.ragged.fill(0);
        }
        // SAFETY: `pairs <= 32 * BLOCKS + 1`: eight elements behind the last pair are within the arrays. Every position
        // is below the index's length, and so are up to eight behind the last, as the first pass has seen to.
        unsafe {
            for at in (0..self.pairs).step_by(8) {
                for i in at..at + 8 {
                    let position = usize::from(*positions.add(i));
                    *code_points.add(i) = *index.get_unchecked(position);
                }
            }
            // No zero behind the last pair, nor where it means nothing.
            _mm_storeu_si128(code_points.add(self.pairs).cast(), set(0x3000));
            for first in self.quads.firsts() {
                code_points.add(first).write(0x3000);
                code_points.add(first + 1).write(0x3000);
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
        if let Some(four_bytes) = pairs.four_bytes {
            let mut quad = 0;
            while let Some((first, at)) = self.quads.get(quad) {
                let bytes = src[at..].first_chunk::<4>();
                let Some(scalar) = bytes.and_then(|&bytes| four_bytes(bytes)) else {
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
fn position<G: Grid>(layout: &Layout, pairs: __m128i, len: usize) -> (__m128i, u32) {
    let last = set((len - 1).min(0xFFFF) as u16);
    // SAFETY: x86-64 has SSE2.
    unsafe {
        let lead = _mm_and_si128(pairs, set(0xFF));
        let trail = _mm_srli_epi16::<8>(pairs);
        let pointer = _mm_add_epi16(_mm_mullo_epi16(lead, set(layout.columns)), trail);
        let mut position = _mm_sub_epi16(pointer, set(layout.offset()));
        if G::TWO_RANGES_OF_TRAILS {
            let second = _mm_cmpgt_epi16(trail, set(u16::from(layout.trails[1].0) - 1));
            let more = set(layout.second_trail_offset());
            position = _mm_sub_epi16(position, _mm_and_si128(second, more));
        }
        if G::TWO_RANGES_OF_LEADS {
            let second = _mm_cmpgt_epi16(lead, set(u16::from(layout.leads[1].0) - 1));
            let more = set(layout.second_lead_offset());
            position = _mm_sub_epi16(position, _mm_and_si128(second, more));
        }
        let excess = _mm_subs_epu16(position, last);
        let position = _mm_sub_epi16(position, excess);
        let inside = _mm_cmpeq_epi16(excess, _mm_setzero_si128());
        (position, _mm_movemask_epi8(inside) as u32)
    }
}
