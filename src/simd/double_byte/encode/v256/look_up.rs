//! The second pass: values, their bytes, and requests to the encoder.

use super::super::{DoubleByteEncode, FIRST_DUPLICATE_ROW, Values};
use super::Batch;
use crate::simd::vector::{Half, Token, V128};

impl Batch {
    /// Fills `values` with the bytes of `code_points`. Returns the first unmappable character.
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn look_up(&mut self, v: Token, pairs: &DoubleByteEncode) -> Option<usize> {
        if pairs.table.ideographs().is_empty() {
            self.load_values::<false>(pairs);
        } else {
            self.load_values::<true>(pairs);
        }
        self.variable_length = false;
        let values: *mut u16 = self.values.as_mut_ptr().cast();
        // SAFETY: `values` has `READ_PADDING` elements more than `UNITS`. The last pass loads eight values from any
        // position.
        unsafe {
            let end = values.add(self.count.next_multiple_of(8));
            v.store_half(v.half_of_units(0), end.cast());
        }
        let to_ask = v.half_of_units(pairs.ask);
        for at in (0..self.count).step_by(8) {
            let code_points: *const u16 = self.code_points.as_ptr().cast();
            let values: *mut u16 = self.values.as_mut_ptr().cast();
            // SAFETY: both arrays are initialised up to the next multiple of eight after the last character.
            let ask = unsafe {
                let value = v.load_half(values.add(at).cast());
                let (bytes, absent) = finish(v, pairs.values, value);
                let code_points = v.load_half(code_points.add(at).cast());
                let ask = v.or_half(absent, v.equal_half(code_points, to_ask));
                v.store_half(v.and_not_half(ask, bytes), values.add(at).cast());
                v.lanes(ask)
            };
            if ask == 0 {
                continue;
            }
            // Excludes lanes after the last character, which have no bytes either.
            let lanes = match self.count - at {
                len @ 0..8 => ask & ((1 << len) - 1),
                _ => ask,
            };
            // SAFETY: `lanes` are characters of the batch, as later lanes are masked out.
            let end = unsafe { self.ask(pairs, at, lanes) };
            if end.is_some() {
                return end;
            }
        }
        None
    }

    /// Looks up every code point: its value plus `offset`, or 0.
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn load_values<const IDEOGRAPHS: bool>(&mut self, pairs: &DoubleByteEncode) {
        let (table, offset) = (pairs.table, pairs.values.offset());
        let ideographs = table.ideographs();
        let look_up = |code_point: u16| {
            // Well predicted: text that needs this table consists almost only of ideographs.
            let ideograph = usize::from(code_point).wrapping_sub(0x4E00);
            if IDEOGRAPHS && let Some(value) = ideographs.get(ideograph) {
                return value.wrapping_add(offset);
            }
            let (value, member) = table.find(code_point);
            value.wrapping_add(offset) & 0_u16.wrapping_sub(member.into())
        };
        match pairs.flat.before(self.count, look_up) {
            Some(flat) => self.load(|code_point| flat[usize::from(code_point)]),
            None => self.load(look_up),
        }
    }

    /// Sets each of `values` to `value` of its code point.
    #[inline(always)]
    fn load(&mut self, value: impl Fn(u16) -> u16) {
        let code_points: *const u16 = self.code_points.as_ptr().cast();
        let values: *mut u16 = self.values.as_mut_ptr().cast();
        for at in (0..self.count).step_by(8) {
            for i in at..at + 8 {
                // SAFETY: code points are initialised for eight elements after the last character, and `values` has the
                // same length.
                unsafe { *values.add(i) = value(*code_points.add(i)) };
            }
        }
    }

    /// Requests the bytes of the given lanes from the encoder. Returns the first unmappable character.
    ///
    /// # Safety
    /// The lanes, counted from `at`, are characters of the batch.
    #[cold]
    #[inline(never)]
    unsafe fn ask(&mut self, pairs: &DoubleByteEncode, at: usize, lanes: u8) -> Option<usize> {
        let code_points: *const u16 = self.code_points.as_ptr().cast();
        let values: *mut u16 = self.values.as_mut_ptr().cast();
        for character in (at..at + 8).filter(|character| lanes >> (character - at) & 1 != 0) {
            // SAFETY: `character` is a character of the batch, by `# Safety`.
            let pair = pairs.pair(unsafe { *code_points.add(character) });
            if pair == 0 {
                return Some(character);
            }
            self.variable_length |= pair < 0x100;
            // SAFETY: as above; `values` has an element for each character.
            unsafe { *values.add(character) = pair };
        }
        None
    }
}

/// Returns the bytes of values, the first byte of a character low, and a mask of the lanes that only the encoder can
/// decide.
#[inline(always)]
fn finish(v: Token, kind: Values, values: Half) -> (Half, Half) {
    if kind != Values::ShiftJis {
        let swapped = v.or_half(v.right_half::<8>(values), v.left_half::<8>(values));
        return (swapped, v.equal_half(values, v.half_of_units(0)));
    }
    let set = |value: u16| v.half_of_units(value);
    // Returns 0xFFFF for lanes of at least `least`. All lanes are below 0x8000, except for characters that are asked
    // for anyway.
    let from = |lanes, least: u16| v.above_half(lanes, set(least - 1));
    let one_more = |lanes, mask, more: u16| v.add_half(lanes, v.and_half(mask, set(more)));
    // Absent code points have row 0 - 0x21, which is above all others if it has eight bits.
    let row = v.right_half::<8>(v.subtract_half(values, set(0x2121)));
    let cell = v.subtract_half(v.and_half(values, set(0xFF)), set(0x21));
    let ask = from(row, FIRST_DUPLICATE_ROW);
    // Two rows of 94 cells share a lead with 188 trails.
    let lead = v.right_half::<1>(row);
    let lead = one_more(v.add_half(lead, set(0x81)), from(lead, 0x1F), 0x40);
    let odd = v.equal_half(v.and_half(row, set(1)), set(1));
    let trail = one_more(cell, odd, 94);
    let trail = one_more(v.add_half(trail, set(0x40)), from(trail, 0x3F), 1);
    (v.or_half(v.left_half::<8>(trail), lead), ask)
}
