//! The second pass: code points of positions, and the stream.

use super::super::grid::Grid;
use super::super::{DoubleByteDecode, Layout, Range};
use super::{Batch, End, Output, forms};
use crate::simd::vector::{Bytes, LEN, Token, V256};

impl Batch {
    /// Completes the first pass: replaces pairs by positions in the index. Ends the batch before the first pair without
    /// one.
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn find_positions<G: Grid>(
        &mut self,
        v: Token,
        pairs: &DoubleByteDecode,
        end: End,
    ) -> End {
        let layout = &pairs.layout;
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let first_pair = u16::from_le_bytes([layout.plain[0].0, layout.trails[0].0]);
        let first_pair = v.splat_units(first_pair);
        // SAFETY: `pairs <= 32 * BLOCKS + 1`, so 16 elements after the last pair are in the array.
        // `find_pairs_featured` initialised the first `pairs` elements.
        unsafe {
            v.store(first_pair, positions.add(self.pairs).cast());
            for at in (0..self.pairs).step_by(16) {
                let here = positions.add(at).cast::<u8>();
                let (position, right) = position::<G>(v, layout, v.load(here), pairs.index.len());
                v.store(position, here);
                let wrong = v.others(v.movemask(right));
                if v.any(wrong) {
                    let first = v.bits(wrong).trailing_zeros() as usize / 2;
                    return self.stop_before(at + first);
                }
            }
        }
        end
    }

    /// Second pass: looks up code points and fills the stream. Ends the batch before the first unmapped pair.
    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn look_up<F: Output>(
        &mut self,
        v: Token,
        pairs: &DoubleByteDecode,
        mut end: End,
    ) -> End {
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        let index = pairs.index;
        // SAFETY: `pairs <= 32 * BLOCKS + 1`, so 16 elements after the last pair are in the arrays. `find_positions`
        // clamped every position, up to 16 after the last pair, below the length of the index.
        unsafe {
            for at in (0..self.pairs).step_by(8) {
                for i in at..at + 8 {
                    let position = usize::from(*positions.add(i));
                    *code_points.add(i) = *index.get_unchecked(position);
                }
            }
            // Non-zero padding, which does not count as unmapped.
            v.store(v.splat_units(0x3000), code_points.add(self.pairs).cast());
        }
        // SAFETY: the target features are the caller's; every array has 16 elements after the last pair.
        let unmapped = unsafe {
            let zero = v.splat(0);
            let mut unmapped = zero;
            let stream: *mut [u16; 2] = self.stream.as_mut_ptr().cast();
            let variable_length: *mut u8 = self.variable_length.as_mut_ptr().cast();
            for at in (0..self.pairs).step_by(16) {
                let code_points = v.load(code_points.add(at).cast());
                unmapped = v.or(unmapped, v.equal_units(code_points, zero));
                if F::SPLITS {
                    let (stream_of_16, short) = forms::split_code_points(v, code_points);
                    let to: *mut u8 = stream.add(at).cast();
                    v.store(stream_of_16[0], to);
                    v.store(stream_of_16[1], to.add(LEN));
                    variable_length
                        .add(at / 8)
                        .cast::<[u8; 2]>()
                        .write(short.to_le_bytes());
                }
            }
            if F::SPLITS {
                // The last pass loads four characters from the end of the last one on.
                let after = stream.add(self.pairs.next_multiple_of(16));
                after.cast::<[u8; 16]>().write([0; 16]);
                let after = variable_length.add(self.pairs.div_ceil(16) * 2);
                after.cast::<[u8; 8]>().write([0; 8]);
            }
            v.any(v.movemask(unmapped))
        };
        if unmapped {
            // SAFETY: the loop above initialised `pairs` code points.
            let code_points =
                unsafe { core::slice::from_raw_parts(code_points.cast_const(), self.pairs) };
            if let Some(pair) = code_points.iter().position(|&code_point| code_point == 0) {
                end = self.stop_before(pair);
            }
        }
        end
    }
}

/// Returns the positions of 16 pairs, clamped below the length of the index, and a mask of the valid positions.
#[inline(always)]
fn position<G: Grid>(v: Token, layout: &Layout, pairs: Bytes, len: usize) -> (Bytes, Bytes) {
    let set = |value: u16| v.splat_units(value);
    let within = |lanes, (first, last): Range| {
        let offset = v.subtract_units(lanes, set(first.into()));
        let most = set((last - first).into());
        v.equal_units(v.least_of_units(offset, most), offset)
    };
    let last = set((len - 1).min(0xFFFF) as u16);
    let lead = v.and(pairs, set(0xFF));
    let trail = v.right::<8>(pairs);
    let pointer = v.add_units(v.multiply_units(lead, set(layout.columns)), trail);
    let mut position = v.subtract_units(pointer, set(layout.offset()));
    let mut right = within(trail, layout.trails[0]);
    if G::TWO_RANGES_OF_TRAILS {
        right = v.or(right, within(trail, layout.trails[1]));
        let second = v.units_above(trail, set(u16::from(layout.trails[1].0) - 1));
        let more = set(layout.second_trail_offset());
        position = v.subtract_units(position, v.and(second, more));
    }
    if G::TWO_RANGES_OF_LEADS {
        let second = v.units_above(lead, set(u16::from(layout.leads[1].0) - 1));
        let more = set(layout.second_lead_offset());
        position = v.subtract_units(position, v.and(second, more));
    }
    if G::SOME_PLAIN {
        let plain = v.or(within(lead, layout.plain[0]), within(lead, layout.plain[1]));
        right = v.and(right, plain);
    }
    let inside = v.least_of_units(position, last);
    (inside, v.and(right, v.equal_units(inside, position)))
}
