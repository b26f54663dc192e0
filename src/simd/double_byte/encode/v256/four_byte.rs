//! Characters of four bytes: found while values are looked up, and their bytes.

use super::super::DoubleByteEncode;
#[cfg(target_arch = "x86_64")]
use super::super::pointers::make_bytes;
use super::{Batch, Units};
use crate::simd::packed::Packed;
#[cfg(target_arch = "x86_64")]
use crate::simd::ranges::MappedRange;
use crate::simd::shuffles::WORDS;
use crate::simd::surrogates::{is_lead, is_surrogate, is_trail, join};
use crate::simd::vector::{Token, V128, V256};

/// The value of a trail of surrogates, whose lead has the bytes of both. Nothing but ASCII has this single byte.
pub(super) const NO_BYTES: u16 = 1;

impl Batch {
    /// Records some of eight characters, for which [`Pointers`](super::super::Pointers) are; or else returns false.
    ///
    /// # Safety
    /// Eight code points are readable from the character at `at` on, of which the batch has `lanes`; their values are 0.
    #[inline(never)]
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) unsafe fn note_eight(&mut self, v: Token, at: usize, lanes: u8) -> bool {
        let set = |word: u16| v.half_of_units(word);
        // SAFETY: the contract of this function. No more are noted than there are characters, and there is room for eight
        // more.
        unsafe {
            let code_points: *const u16 = self.code_points.as_ptr().cast();
            let code_points = v.load_half(code_points.add(at).cast());
            let from = |least| v.at_least_half(code_points, set(least));
            let are = |words| v.lanes(words) & lanes != 0;
            if are(from(0xD800)) {
                if are(from(0xE000)) {
                    return false;
                }
                self.surrogates = true;
                const _: () = assert!(NO_BYTES == 1);
                let base = v.and_half(code_points, set(0xFC00));
                let trails = v.right_half::<15>(v.equal_half(base, set(0xDC00)));
                let values: *mut u8 = self.values.as_mut_ptr().cast::<u16>().add(at).cast();
                v.store_half(v.or_half(v.load_half(values), trails), values);
            }
            let places = v.load_half(WORDS[usize::from(lanes)].as_ptr());
            let noted = v.shuffle_half(code_points, places);
            let to: *mut u16 = self.absent.as_mut_ptr().cast();
            v.store_half(noted, to.add(self.absent_count).cast());
        }
        self.absent_count += lanes.count_ones() as usize;
        self.variable_length = true;
        true
    }

    /// Records a code point of the batch.
    pub(super) fn note(&mut self, code_point: u16) {
        // SAFETY: no more are noted than there are characters.
        unsafe {
            let to: *mut u16 = self.absent.as_mut_ptr().cast();
            to.add(self.absent_count).write(code_point);
        }
        self.absent_count += 1;
        self.surrogates |= is_surrogate(code_point);
        self.variable_length = true;
    }

    /// Fills `fours` with the bytes of the characters that were noted.
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn find_fours(&mut self, v: Token, pairs: &DoubleByteEncode) {
        let fours: *mut u32 = self.fours.as_mut_ptr().cast();
        let absent: *mut u16 = self.absent.as_mut_ptr().cast();
        #[cfg(target_arch = "x86_64")]
        let mut range = MappedRange::NONE;
        let (mut i, mut count) = (0, 0);
        // SAFETY: as many have been noted, and there is room for 16 more in both. No more than these have bytes.
        unsafe {
            v.store(v.splat(0), absent.add(self.absent_count).cast());
            while i < self.absent_count {
                let (from, to) = (absent.add(i), fours.add(count));
                #[cfg(target_arch = "x86_64")]
                if let Some(pointers) = &pairs.pointers {
                    let taken = pointers.take(&mut range, from, self.absent_count - i, to);
                    if taken != (0, 0) {
                        (i, count) = (i + taken.0, count + taken.1);
                        continue;
                    }
                }
                // Others have four bytes, which was asked for before. Surrogates by themselves are behind the end.
                let (scalar, len) = match (*from, *from.add(1)) {
                    (lead, trail) if is_lead(lead) && is_trail(trail) => (join(lead, trail), 2),
                    (unit, _) => (unit.into(), 1),
                };
                let bytes = match len == 1 && is_surrogate(*from) {
                    true => None,
                    false => (pairs.others)(scalar).and_then(Packed::four),
                };
                to.write(bytes.map_or(0, u32::from_le_bytes));
                (i, count) = (i + len, count + 1);
            }
            #[cfg(target_arch = "x86_64")]
            make_bytes(fours, count);
            // Elsewhere they are bytes already; there are zeros behind them.
            #[cfg(not(target_arch = "x86_64"))]
            fours.add(count).cast::<[u32; 16]>().write([0; 16]);
        }
    }

    /// The first character of the batch that is a surrogate without its partner.
    ///
    /// # Safety
    /// The batch is of `source`, which is readable.
    #[cold]
    #[inline(never)]
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) unsafe fn unpaired(&self, v: Token, source: Units) -> Option<usize> {
        let set = |word: u16| v.half_of_units(word);
        let (mut carry, mut before) = (0, 0);
        for (step, characters) in self.characters(source.len).enumerate() {
            // SAFETY: the contract of this function; up to the next multiple of 16 units are readable.
            let units = unsafe { v.load_half(source.start.add(8 * step).cast()) };
            let base = v.and_half(units, set(0xFC00));
            let counted = 0xFF >> (8 - (source.len - 8 * step).min(8));
            let are = |kind| u32::from(v.lanes(v.equal_half(base, set(kind)))) & counted;
            let leads = are(0xD800);
            // Behind each lead is a trail, and nowhere else.
            let wrong = (are(0xDC00) ^ (leads << 1 | carry)) & counted;
            if wrong != 0 {
                let at = wrong.trailing_zeros();
                let others = (characters as u32 & ((1 << at) - 1)).count_ones() as usize;
                // A trail by itself, or what follows a lead by itself.
                let is_behind = (leads << 1 | carry) >> at & 1;
                return Some(before + others - is_behind as usize);
            }
            before += characters.count_ones() as usize;
            carry = leads >> 7;
        }
        // SAFETY: by `# Safety`, `source.len` units are readable; there is one at least, as just compared.
        let is_last = source.len > 0 && is_lead(unsafe { *source.start.add(source.len - 1) });
        is_last.then(|| before - 1)
    }
}
