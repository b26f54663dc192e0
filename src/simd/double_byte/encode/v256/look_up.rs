//! The second pass: values, bytes, and what the encoder has to be asked for.

use super::super::{DoubleByteEncode, FIRST_DUPLICATE_ROW, Values};
use super::Batch;
use crate::simd::vector::{Half, Token, V128};

impl Batch {
    /// Fills `values` with the bytes of `code_points`. Returns the first character that has none.
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
        // The last pass loads eight values from the end of any on.
        // SAFETY: there is room for `READ_PADDING` more than `UNITS`.
        unsafe {
            let end = values.add(self.count.next_multiple_of(8));
            v.store_half(v.half_of_units(0), end.cast());
        }
        let to_ask = v.half_of_units(pairs.ask);
        for at in (0..self.count).step_by(8) {
            let code_points: *const u16 = self.code_points.as_ptr().cast();
            let values: *mut u16 = self.values.as_mut_ptr().cast();
            // SAFETY: up to the next multiple of eight after the last character, both arrays are initialised.
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
            // Those after the last character have no bytes either.
            let lanes = match self.count - at {
                len @ 0..8 => ask & ((1 << len) - 1),
                _ => ask,
            };
            // SAFETY: `lanes` are characters of the batch, as those after the last are masked out.
            let end = unsafe { self.ask(pairs, at, lanes) };
            if end.is_some() {
                return end;
            }
        }
        None
    }

    /// Looks up all code points: values, with their offset added, or 0.
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn load_values<const IDEOGRAPHS: bool>(&mut self, pairs: &DoubleByteEncode) {
        let (table, offset) = (pairs.table, pairs.values.offset());
        let ideographs = table.ideographs();
        let look_up = |code_point: u16| {
            // A branch: in text that needs this table there is hardly anything else.
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

    /// Fills `values` with what `value` has for the code points.
    #[inline(always)]
    fn load(&mut self, value: impl Fn(u16) -> u16) {
        let code_points: *const u16 = self.code_points.as_ptr().cast();
        let values: *mut u16 = self.values.as_mut_ptr().cast();
        for at in (0..self.count).step_by(8) {
            for i in at..at + 8 {
                // SAFETY: up to eight elements after the last character, code points are initialised, and there is
                // room.
                unsafe { *values.add(i) = value(*code_points.add(i)) };
            }
        }
    }

    /// Asks the encoder for some lanes. Returns the first character that has no bytes.
    ///
    /// # Safety
    /// `lanes` are of the batch's characters, from `at` on.
    #[cold]
    #[inline(never)]
    unsafe fn ask(&mut self, pairs: &DoubleByteEncode, at: usize, lanes: u8) -> Option<usize> {
        let code_points: *const u16 = self.code_points.as_ptr().cast();
        let values: *mut u16 = self.values.as_mut_ptr().cast();
        for character in (at..at + 8).filter(|character| lanes >> (character - at) & 1 != 0) {
            // SAFETY: the contract of this function.
            let pair = pairs.pair(unsafe { *code_points.add(character) });
            if pair == 0 {
                return Some(character);
            }
            self.variable_length |= pair < 0x100;
            // SAFETY: within the values.
            unsafe { *values.add(character) = pair };
        }
        None
    }
}

/// Bytes of values, the first of a character low, and the lanes for which the encoder has to be asked.
#[inline(always)]
fn finish(v: Token, kind: Values, values: Half) -> (Half, Half) {
    if kind != Values::ShiftJis {
        let swapped = v.or_half(v.right_half::<8>(values), v.left_half::<8>(values));
        return (swapped, v.equal_half(values, v.half_of_units(0)));
    }
    let set = |value: u16| v.half_of_units(value);
    // 0xFFFF where a lane is `least` or more. All lanes are below 0x8000, but of characters that
    // are asked for anyway.
    let from = |lanes, least: u16| v.above_half(lanes, set(least - 1));
    let one_more = |lanes, mask, more: u16| v.add_half(lanes, v.and_half(mask, set(more)));
    // Absent ones have row 0 - 0x21, which is above all others when it has eight bits.
    let row = v.right_half::<8>(v.subtract_half(values, set(0x2121)));
    let cell = v.subtract_half(v.and_half(values, set(0xFF)), set(0x21));
    let ask = from(row, FIRST_DUPLICATE_ROW);
    // Two rows of 94 make one lead of 188 trails.
    let lead = v.right_half::<1>(row);
    let lead = one_more(v.add_half(lead, set(0x81)), from(lead, 0x1F), 0x40);
    let odd = v.equal_half(v.and_half(row, set(1)), set(1));
    let trail = one_more(cell, odd, 94);
    let trail = one_more(v.add_half(trail, set(0x40)), from(trail, 0x3F), 1);
    (v.or_half(v.left_half::<8>(trail), lead), ask)
}
