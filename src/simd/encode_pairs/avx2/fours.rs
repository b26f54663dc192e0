//! Characters of four bytes: what note is taken of while values are looked up, and their bytes.

use core::arch::x86_64::*;

use super::super::super::packed::Packed;
use super::super::super::ranges::Stretch;
use super::super::super::shuffles::WORDS;
use super::super::super::surrogates::{is_lead, is_surrogate, is_trail, join};
use super::super::EncodePairs;
use super::super::pointers::make_bytes;
use super::{Batch, Units};

/// The value of a trail of surrogates, whose lead has the bytes of both. Nothing but ASCII has this single byte.
pub(super) const NO_BYTES: u16 = 1;

impl Batch {
    /// Takes note of some of eight characters, for which [`Pointers`](super::super::Pointers) are; or else returns false.
    ///
    /// # Safety
    /// Eight code points are readable from the character at `at` on, of which the batch has `lanes`; their values are 0.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    pub(super) unsafe fn note_eight(&mut self, at: usize, lanes: u8) -> bool {
        let set = |word: u16| _mm_set1_epi16(word as i16);
        // SAFETY: the contract of this function. No more are noted than there are characters, and there is room for eight
        // more.
        unsafe {
            let code_points: *const u16 = self.code_points.as_ptr().cast();
            let code_points = _mm_loadu_si128(code_points.add(at).cast());
            let from = |least| _mm_cmpeq_epi16(_mm_max_epu16(code_points, set(least)), code_points);
            let are = |words| super::lanes(words) & lanes != 0;
            if are(from(0xD800)) {
                if are(from(0xE000)) {
                    return false;
                }
                self.surrogates = true;
                const _: () = assert!(NO_BYTES == 1);
                let base = _mm_and_si128(code_points, set(0xFC00));
                let trails = _mm_srli_epi16::<15>(_mm_cmpeq_epi16(base, set(0xDC00)));
                let values: *mut __m128i = self.values.as_mut_ptr().cast::<u16>().add(at).cast();
                _mm_storeu_si128(values, _mm_or_si128(_mm_loadu_si128(values), trails));
            }
            let places = _mm_loadu_si128(WORDS[usize::from(lanes)].as_ptr().cast());
            let noted = _mm_shuffle_epi8(code_points, places);
            let to: *mut u16 = self.absent.as_mut_ptr().cast();
            _mm_storeu_si128(to.add(self.absent_count).cast(), noted);
        }
        self.absent_count += lanes.count_ones() as usize;
        self.ragged = true;
        true
    }

    /// Takes note of a code point of the batch.
    pub(super) fn note(&mut self, code_point: u16) {
        // SAFETY: no more are noted than there are characters.
        unsafe {
            let to: *mut u16 = self.absent.as_mut_ptr().cast();
            to.add(self.absent_count).write(code_point);
        }
        self.absent_count += 1;
        self.surrogates |= is_surrogate(code_point);
        self.ragged = true;
    }

    /// Fills `fours` with the bytes of the characters of which note was taken.
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    pub(super) fn find_fours(&mut self, pairs: &EncodePairs) {
        let fours: *mut u32 = self.fours.as_mut_ptr().cast();
        let absent: *mut u16 = self.absent.as_mut_ptr().cast();
        let mut range = Stretch::NONE;
        let (mut i, mut count) = (0, 0);
        // SAFETY: as many have been noted, and there is room for 16 more in both. No more than these have bytes.
        unsafe {
            _mm256_storeu_si256(absent.add(self.absent_count).cast(), _mm256_setzero_si256());
            while i < self.absent_count {
                let (from, to) = (absent.add(i), fours.add(count));
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
            make_bytes(fours, count);
        }
    }

    /// The first character of the batch that is a surrogate without its partner.
    ///
    /// # Safety
    /// The batch is of `source`, which is readable.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    pub(super) unsafe fn unpaired(&self, source: Units) -> Option<usize> {
        let set = |word: u16| _mm_set1_epi16(word as i16);
        let (mut carry, mut before) = (0, 0);
        for (step, characters) in self.characters(source.len).enumerate() {
            // SAFETY: the contract of this function; up to the next multiple of 16 units are readable.
            let units = unsafe { _mm_loadu_si128(source.start.add(8 * step).cast()) };
            let base = _mm_and_si128(units, set(0xFC00));
            let counted = _bzhi_u32(0xFF, (source.len - 8 * step).min(8) as u32);
            let are = |kind| u32::from(super::lanes(_mm_cmpeq_epi16(base, set(kind)))) & counted;
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
        // SAFETY: as above.
        let is_last = source.len > 0 && is_lead(unsafe { *source.start.add(source.len - 1) });
        is_last.then(|| before - 1)
    }
}
