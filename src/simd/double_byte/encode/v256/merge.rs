//! The first and the last pass: gathering non-ASCII units, and merging their bytes with ASCII.

use core::mem::MaybeUninit;

use super::{Batch, UNITS, Units};
use crate::simd::bits::place_of;
use crate::simd::prefetch;
use crate::simd::shuffles::WORDS;
use crate::simd::vector::{Half, Token, V128};

const NOWHERE: u8 = 0x80;

/// The shuffle indices of a merge: into the stream and into eight code units.
#[repr(C)]
struct Merge {
    stream: [u8; 16],
    units: [u8; 16],
}

/// Merges by mask of the non-ASCII units: two bytes of the stream for each non-ASCII unit, and the low byte of each
/// other unit.
static MERGES: [Merge; 256] = {
    let mut all = [const {
        Merge {
            stream: [NOWHERE; 16],
            units: [NOWHERE; 16],
        }
    }; 256];
    let mut bits = 0;
    while bits < 256 {
        let Merge { stream, units } = &mut all[bits];
        let (mut i, mut to, mut from) = (0, 0, 0);
        while i < 8 {
            if bits >> i & 1 == 1 {
                stream[to] = from;
                stream[to + 1] = from + 1;
                (to, from) = (to + 2, from + 2);
            } else {
                units[to] = 2 * i as u8;
                to += 1;
            }
            i += 1;
        }
        bits += 1;
    }
    all
};

impl Batch {
    /// First pass: fills the masks of non-ASCII units, and the code points, with zeros after the last one.
    ///
    /// `source_ahead` is the prefetch distance.
    ///
    /// # Safety
    /// `len` units at `units`, rounded up to a multiple of 16, are readable.
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) unsafe fn find_characters(
        &mut self,
        v: Token,
        units: *const u16,
        len: usize,
        source_ahead: usize,
    ) {
        assert!(len <= UNITS);
        let masks: *mut u8 = self.masks.as_mut_ptr().cast();
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        let mut count = 0;
        let mut put = |bits: u8, units: Half| {
            // SAFETY: at most one code point for each earlier unit precedes these. `UNITS` is a multiple of 16, so
            // eight more fit.
            unsafe {
                let places = v.load_half(WORDS[usize::from(bits)].as_ptr());
                let found = v.shuffle_half(units, places);
                v.store_half(found, code_points.add(count).cast());
            }
            count += bits.count_ones() as usize;
        };
        for block in (0..len).step_by(64) {
            prefetch::to_read::<2, _>(units.wrapping_add(block + source_ahead));
            for at in (block..len.min(block + 64)).step_by(16) {
                // SAFETY: 16 units are readable, by `# Safety`; `UNITS` is a multiple of 16, so the masks fit.
                unsafe {
                    let low = v.load_half(units.add(at).cast());
                    let high = v.load_half(units.add(at + 8).cast());
                    let from_80 = |units| v.at_least_half(units, v.half_of_units(0x80));
                    let mut other = v.lanes_of_two(from_80(low), from_80(high));
                    if len - at < 16 {
                        other &= (1 << (len - at)) - 1;
                    }
                    let bits = other.to_le_bytes();
                    masks.add(at / 8).cast::<[u8; 2]>().write(bits);
                    put(bits[0], low);
                    put(bits[1], high);
                }
            }
        }
        // SAFETY: `count <= UNITS`, and `code_points` has `READ_PADDING` elements more.
        unsafe {
            let zero = v.half_of_units(0);
            v.store_half(zero, code_points.add(count).cast());
        }
        self.count = count;
    }

    /// Returns the masks of the non-ASCII units of a batch of `len` units, in steps of eight.
    pub(super) fn characters(&self, len: usize) -> impl Iterator<Item = u64> {
        // SAFETY: the first pass has initialised the masks of all steps.
        let masks = unsafe {
            core::slice::from_raw_parts(self.masks.as_ptr().cast::<u8>(), len.div_ceil(8))
        };
        masks.iter().map(|&mask| mask.into())
    }

    /// Returns the index of the unit of a character.
    #[cold]
    pub(super) fn unit_of(&self, character: usize, len: usize) -> usize {
        let place = place_of(character, self.characters(len));
        place.map_or(len, |(step, at)| 8 * step + at)
    }

    /// Last pass: writes the bytes of the first `source.len` units. Returns their number.
    ///
    /// # Safety
    /// The batch was made from `source` or a longer prefix. Its bytes are writable at `to`.
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) unsafe fn write_steps<const VARIABLE_LENGTH: bool>(
        &self,
        v: Token,
        source: Units,
        to: *mut u8,
    ) -> usize {
        // A step's store overshoots by up to 8 bytes, or 16 if `VARIABLE_LENGTH`. Each unit is at least one byte, so
        // the last whole step, or two, and the rest go to scratch memory.
        const SCRATCH: usize = 3;
        let mut scratch = MaybeUninit::<[[u8; 32]; SCRATCH + 1]>::uninit();
        let scratch: *mut u8 = scratch.as_mut_ptr().cast();
        let masks: *const u8 = self.masks.as_ptr().cast();
        let steps = source.len.div_ceil(8);
        let direct = steps.saturating_sub(if VARIABLE_LENGTH { SCRATCH } else { 2 });
        let mut cursor = Cursor {
            ahead: self.ahead,
            values: self.values.as_ptr().cast(),
            to,
        };
        // SAFETY: by `# Safety`. A step has one value for each bit of its mask. Each step has 32 bytes of `scratch`,
        // and 32 more follow for the overshoot.
        unsafe {
            for step in 0..direct {
                let units = source.start.add(8 * step);
                cursor.step::<VARIABLE_LENGTH>(v, *masks.add(step), units);
            }
            let before = cursor.to.offset_from_unsigned(to);
            cursor.to = scratch;
            for step in direct..steps {
                let units = source.start.add(8 * step);
                let len = (source.len - 8 * step).min(8);
                let mask = (u32::from(*masks.add(step)) & ((1 << len) - 1)) as u8;
                cursor.step::<VARIABLE_LENGTH>(v, mask, units);
                // Units after the end were counted as ASCII.
                cursor.to = cursor.to.sub(8 - len);
            }
            let rest = cursor.to.offset_from_unsigned(scratch);
            to.add(before).copy_from_nonoverlapping(scratch, rest);
            before + rest
        }
    }
}

/// The state of the last pass.
struct Cursor {
    ahead: usize,
    values: *const u16,
    to: *mut u8,
}

impl Cursor {
    /// Writes eight units.
    ///
    /// # Safety
    /// Eight units and eight values are readable. The bytes of the step and 8 more, or 16 if `VARIABLE_LENGTH`, are
    /// writable.
    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn step<const VARIABLE_LENGTH: bool>(&mut self, v: Token, mask: u8, units: *const u16) {
        let count = mask.count_ones() as usize;
        prefetch::to_write::<1, _>(self.to.wrapping_add(self.ahead));
        // SAFETY: by `# Safety`, eight units and eight values are readable, and the overshoot is writable.
        unsafe {
            let values = v.load_half(self.values.cast());
            let merge = &MERGES[usize::from(mask)];
            let from_stream = v.load_half(merge.stream.as_ptr());
            let from_units = v.load_half(merge.units.as_ptr());
            let units = v.load_half(units.cast());
            let bytes = v.or_half(
                v.shuffle_half(values, from_stream),
                v.shuffle_half(units, from_units),
            );
            v.store_half(bytes, self.to);
            let mut more = 0;
            if VARIABLE_LENGTH {
                let single = v.equal_half(v.right_half::<8>(values), v.half_of_units(0));
                let variable_length = u32::from(v.deposit(v.lanes(single), mask));
                if variable_length != 0 {
                    more = self.mend(v, mask, variable_length, bytes);
                }
            }
            self.to = self.to.offset((8 + count) as isize + more);
            self.values = self.values.add(count);
        }
    }

    /// Corrects a step that was written as if each character had two bytes. `singles` masks the units of single-byte
    /// characters. Returns minus the number of bytes saved.
    ///
    /// # Safety
    /// As for [`step`](Self::step); `bytes` are those that the step stored.
    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn mend(&mut self, v: Token, mask: u8, mut singles: u32, bytes: Half) -> isize {
        let mut more = 0_isize;
        while singles != 0 {
            let unit = singles.trailing_zeros();
            singles &= singles - 1;
            let before = (u32::from(mask) & ((1 << unit) - 1)).count_ones();
            let at = (unit + before) as isize;
            // SAFETY: the stores end before those of `step`, by `# Safety`. The bytes after the character move forward
            // by one.
            unsafe {
                self.to
                    .offset(at + more)
                    .write(*self.values.add(before as usize) as u8);
                more -= 1;
                let next = at + 2;
                let from = v.load_half(FROM.as_ptr().offset(next));
                v.store_half(v.shuffle_half(bytes, from), self.to.offset(next + more));
            }
        }
        more
    }
}

/// Shuffles, one starting at each byte, that move the bytes from a position on to the front.
static FROM: [u8; 32] = {
    let mut all = [NOWHERE; 32];
    let mut i = 0;
    while i < 16 {
        all[i] = i as u8;
        i += 1;
    }
    all
};
