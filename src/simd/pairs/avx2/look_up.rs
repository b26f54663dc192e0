//! The second pass: positions, code points, and the stream.

use core::arch::x86_64::*;

use super::super::grid::Grid;
use super::super::quads::pointer;
use super::super::{FourBytes, Layout, Pairs, Range};
use super::{Batch, End, Form, forms};

impl Batch {
    /// The end of the first pass: positions for pairs, of which the first that has none ends the batch. Returns whether
    /// some trails are digits, where there are characters of four bytes.
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    pub(super) fn find_positions<G: Grid>(&mut self, pairs: &Pairs, end: End) -> (End, bool) {
        let layout = &pairs.layout;
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let first_pair = u16::from_le_bytes([layout.plain[0].0, layout.trails[0].0]);
        let first_pair = _mm256_set1_epi16(first_pair as i16);
        let mut any_digits = _mm256_setzero_si256();
        // SAFETY: `pairs <= 32 * BLOCKS + 1`: 16 elements behind the last pair are within the array. The first `pairs`
        // elements were initialised by the pass over the blocks.
        unsafe {
            _mm256_storeu_si256(positions.add(self.pairs).cast(), first_pair);
            for at in (0..self.pairs).step_by(16) {
                let here = positions.add(at).cast();
                let found = position::<G>(layout, _mm256_loadu_si256(here), pairs.index.len());
                _mm256_storeu_si256(here, found.position);
                let mut right = found.right;
                if G::FOUR_BYTES {
                    any_digits = _mm256_or_si256(any_digits, found.digits);
                    right = _mm256_or_si256(right, found.digits);
                }
                let right = _mm256_movemask_epi8(right) as u32;
                if right != u32::MAX {
                    let end = self.stop_before(at + right.trailing_ones() as usize / 2);
                    return (end, _mm256_movemask_epi8(any_digits) != 0);
                }
            }
        }
        (end, _mm256_movemask_epi8(any_digits) != 0)
    }

    /// Second pass: code points for positions, and the stream.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    pub(super) fn look_up<F: Form>(&mut self, pairs: &Pairs, src: &[u8], mut end: End) -> End {
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        let index = pairs.index;
        if !F::SPLITS && !self.quads.is_empty() {
            self.ragged.write([0; super::PAIRS / 8 + 8]);
        }
        // SAFETY: `pairs <= 32 * BLOCKS + 1`: 16 elements behind the last pair are within the arrays. Every position
        // is below the index's length, and so are up to 16 behind the last, as the first pass has seen to.
        unsafe {
            for at in (0..self.pairs).step_by(8) {
                for i in at..at + 8 {
                    let position = usize::from(*positions.add(i));
                    *code_points.add(i) = *index.get_unchecked(position);
                }
            }
            // No zero behind the last pair, nor where it means nothing.
            _mm256_storeu_si256(
                code_points.add(self.pairs).cast(),
                _mm256_set1_epi16(0x3000),
            );
            for first in self.quads.firsts() {
                code_points.add(first).write(0x3000);
                code_points.add(first + 1).write(0x3000);
            }
        }
        // SAFETY: the caller's feature set; every array has room for 16 elements behind the last pair.
        let unmapped = unsafe {
            let zero = _mm256_setzero_si256();
            let mut unmapped = zero;
            let stream: *mut [u16; 2] = self.stream.as_mut_ptr().cast();
            let ragged: *mut u8 = self.ragged.as_mut_ptr().cast();
            for at in (0..self.pairs).step_by(16) {
                let code_points = _mm256_loadu_si256(code_points.add(at).cast());
                unmapped = _mm256_or_si256(unmapped, _mm256_cmpeq_epi16(code_points, zero));
                if F::SPLITS {
                    let (stream_of_16, short) = forms::split_code_points(code_points);
                    let to: *mut __m256i = stream.add(at).cast();
                    _mm256_storeu_si256(to, stream_of_16[0]);
                    _mm256_storeu_si256(to.add(1), stream_of_16[1]);
                    ragged
                        .add(at / 8)
                        .cast::<[u8; 2]>()
                        .write(short.to_le_bytes());
                }
            }
            if F::SPLITS {
                // The last pass loads four characters from the last one's end on.
                let behind = stream.add(self.pairs.next_multiple_of(16));
                _mm_storeu_si128(behind.cast(), _mm_setzero_si128());
                let behind = ragged.add(self.pairs.div_ceil(16) * 2);
                behind.cast::<[u8; 8]>().write([0; 8]);
            }
            _mm256_movemask_epi8(unmapped)
        };
        if unmapped != 0 {
            // SAFETY: `pairs` code points are initialised.
            let code_points =
                unsafe { core::slice::from_raw_parts(code_points.cast_const(), self.pairs) };
            if let Some(pair) = code_points.iter().position(|&code_point| code_point == 0) {
                end = self.stop_before(pair);
            }
        }
        if let Some(FourBytes { scalar, ranges, .. }) = pairs.four_bytes {
            let mut quad = 0;
            while let Some((first, at)) = self.quads.get(quad) {
                let scalar = src[at..].first_chunk().and_then(|&bytes| {
                    match ranges.get_with_avx2(pointer(bytes)) {
                        Some(code_point) => Some(code_point.into()),
                        None => scalar(bytes),
                    }
                });
                let Some(scalar) = scalar else {
                    return self.stop(at);
                };
                F::put_quad(self, first, scalar);
                quad += 1;
            }
        }
        end
    }
}

/// What the first pass makes of 16 pairs.
struct Found {
    /// Positions in the index, or some others below its length.
    position: __m256i,
    /// Which of them are right.
    right: __m256i,
    /// Which trails are digits.
    digits: __m256i,
}

#[inline]
#[target_feature(enable = "avx2")]
fn position<G: Grid>(layout: &Layout, pairs: __m256i, len: usize) -> Found {
    let set = |value: u16| _mm256_set1_epi16(value as i16);
    let within = |lanes, (first, last): Range| {
        let offset = _mm256_sub_epi16(lanes, set(first.into()));
        let most = set((last - first).into());
        _mm256_cmpeq_epi16(_mm256_min_epu16(offset, most), offset)
    };
    let last = set((len - 1).min(0xFFFF) as u16);
    let lead = _mm256_and_si256(pairs, set(0xFF));
    let trail = _mm256_srli_epi16::<8>(pairs);
    let pointer = _mm256_add_epi16(_mm256_mullo_epi16(lead, set(layout.columns)), trail);
    let mut position = _mm256_sub_epi16(pointer, set(layout.offset()));
    let mut right = within(trail, layout.trails[0]);
    if G::TWO_RANGES_OF_TRAILS {
        right = _mm256_or_si256(right, within(trail, layout.trails[1]));
        let second = _mm256_cmpgt_epi16(trail, set(u16::from(layout.trails[1].0) - 1));
        let more = set(layout.second_trail_offset());
        position = _mm256_sub_epi16(position, _mm256_and_si256(second, more));
    }
    if G::TWO_RANGES_OF_LEADS {
        let second = _mm256_cmpgt_epi16(lead, set(u16::from(layout.leads[1].0) - 1));
        let more = set(layout.second_lead_offset());
        position = _mm256_sub_epi16(position, _mm256_and_si256(second, more));
    }
    if G::SOME_PLAIN {
        let plain = _mm256_or_si256(within(lead, layout.plain[0]), within(lead, layout.plain[1]));
        right = _mm256_and_si256(right, plain);
    }
    let inside = _mm256_min_epu16(position, last);
    right = _mm256_and_si256(right, _mm256_cmpeq_epi16(inside, position));
    Found {
        position: inside,
        right,
        digits: within(trail, (0x30, 0x39)),
    }
}
