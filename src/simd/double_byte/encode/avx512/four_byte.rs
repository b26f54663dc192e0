//! Characters of four bytes, in a batch whose other characters have been looked up.
//!
//! Their bytes are made for the whole batch. A block of UTF-8 that has any is compressed as if each had one byte, and
//! stored again behind each run of them, from where it goes on. In 32 units of UTF-16 runs are short: each takes a lane of
//! 32 bits, as all others of the block do then, by which scripts of four bytes are half as fast again.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::DoubleByteEncode;
use super::super::pointers::make_bytes;
use super::{Batch, CHARACTERS, Input, store, zeros};
use crate::simd::ranges::MappedRange;
use crate::simd::registers::counting;
use crate::simd::surrogates::{is_lead, is_surrogate};

/// The number of each lane.
const ALL: __m512i = counting(0);

impl Batch {
    /// Finds the bytes of the characters of the first `end` units of `src` whose value is 0, which have two or four, and
    /// fills `fours` with those of the latter. Returns `end`, or where the first is that has no bytes.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    pub(super) fn find_fours<F: Input>(
        &mut self,
        pairs: &DoubleByteEncode,
        src: &[F::Unit],
        end: usize,
    ) -> usize {
        // SAFETY: this function is compiled for the instruction sets that the callee asks for, so the processor has
        // them.
        let end = unsafe { F::paired(&src[..end]) };
        let (count, stop) = self.ask_for_absent::<F>(pairs, &src[..end]);
        let fours: *mut u32 = self.fours.as_mut_ptr().cast();
        // SAFETY: there is room for whole registers.
        unsafe { make_bytes(fours, count) };
        stop.unwrap_or(end)
    }

    /// Fills `fours` with the bytes of characters of `src`, or with their pointers. Returns how many those are, and where
    /// the first character is that has no bytes.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn ask_for_absent<F: Input>(
        &mut self,
        pairs: &DoubleByteEncode,
        src: &[F::Unit],
    ) -> (usize, Option<usize>) {
        let (mut code_points, mut places) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        let (code_points, absent) = self.find_absent(&mut code_points);
        // Where they are is not always needed.
        let mut known_places: Option<&[u16]> = None;
        let mut range = MappedRange::NONE;
        let mut count = 0;
        let mut i = 0;
        while i < absent {
            let fours: *mut u32 = self.fours.as_mut_ptr().cast();
            // A surrogate stands for a character of UTF-8 that has to be read.
            let is_to_read = !F::HAS_PAIRS && is_surrogate(code_points[i]);
            if let Some(pointers) = pairs.pointers.as_ref().filter(|_| !is_to_read) {
                // SAFETY: 16 more than `absent` are readable. No more are in `fours` than characters before these, behind
                // which there is room.
                let (taken, found) = unsafe {
                    let from = code_points.as_ptr().add(i);
                    pointers.take(&mut range, from, absent - i, fours.add(count))
                };
                i += taken;
                count += found;
                if taken > 0 {
                    continue;
                }
            }
            let places = match known_places {
                Some(places) => places,
                None => self.find_places::<F>(src.len(), &mut places),
            };
            known_places = Some(places);
            // What is behind the end does not count.
            let at = places.get(i).map_or(src.len(), |&at| at.into());
            if at >= src.len() {
                break;
            }
            let four = match Self::pointer::<F>(pairs, src, at, code_points[i]) {
                Some(pointer) => Some(pointer),
                None => match self.ask::<F>(pairs, src, at) {
                    Some(four) => four,
                    None => return (count, Some(at)),
                },
            };
            if let Some(four) = four {
                let fours: *mut u32 = self.fours.as_mut_ptr().cast();
                // SAFETY: no more are before this one than characters.
                unsafe { fours.add(count).write(four) };
                count += 1;
            }
            // The trail of a pair is the next one.
            i += 1 + usize::from(is_lead(code_points[i]) && F::HAS_PAIRS);
        }
        (count, None)
    }

    /// The pointer of a character that is at a place of `src`, if it is beyond U+FFFF.
    #[inline]
    fn pointer<F: Input>(
        pairs: &DoubleByteEncode,
        src: &[F::Unit],
        at: usize,
        code_point: u16,
    ) -> Option<u32> {
        let pointers = pairs
            .pointers
            .as_ref()
            .filter(|_| is_surrogate(code_point))?;
        let beyond = F::scalar(src, at)?.checked_sub(0x1_0000)?;
        Some(pointers.beyond + beyond)
    }

    /// The code points of the characters whose value is 0, and how many there are; 16 zeros are behind them.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn find_absent<'a>(
        &mut self,
        absent: &'a mut MaybeUninit<[u16; CHARACTERS]>,
    ) -> (&'a [u16], usize) {
        let values = self.values();
        let code_points: *const u16 = self.characters.code_points.as_ptr().cast();
        let to: *mut u16 = absent.as_mut_ptr().cast();
        let mut count = 0;
        // SAFETY: values and code points are initialised up to 32 behind the last character's; before these there are at
        // most `at`, so that 32 more fit. `count` have been stored in the end.
        unsafe {
            for at in (0..self.count).step_by(32) {
                let absent = zeros(values.add(at), (self.count - at).min(32) as u32);
                let found = _mm512_loadu_si512(code_points.add(at).cast());
                let found = _mm512_maskz_compress_epi16(absent, found);
                _mm512_storeu_si512(to.add(count).cast(), found);
                count += absent.count_ones() as usize;
            }
            _mm256_storeu_si256(to.add(count).cast(), _mm256_setzero_si256());
            (core::slice::from_raw_parts(to, count + 16), count)
        }
    }

    /// Where those characters are, in the first `end` units of the source.
    #[cold]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn find_places<'a, F: Input>(
        &mut self,
        end: usize,
        places: &'a mut MaybeUninit<[u16; CHARACTERS]>,
    ) -> &'a [u16] {
        let mut values: *const u16 = self.values();
        let to: *mut u16 = places.as_mut_ptr().cast();
        let mut count = 0;
        for (block, &leads) in self.leads.iter().take(end.div_ceil(F::LEN)).enumerate() {
            let first = F::LEN * block;
            let len = leads.count_ones();
            // SAFETY: values are initialised up to 32 behind the last character's; no more are before these than
            // characters, so that 32 more fit.
            unsafe {
                let absent = zeros(values, len);
                let places = _mm512_maskz_compress_epi8(_pdep_u64(absent.into(), leads), ALL);
                let places = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(places));
                let places = _mm512_add_epi16(places, _mm512_set1_epi16(first as i16));
                _mm512_storeu_si512(to.add(count).cast(), places);
                count += absent.count_ones() as usize;
                values = values.add(len as usize);
            }
        }
        // SAFETY: as many have been stored.
        unsafe { core::slice::from_raw_parts(to, count) }
    }

    /// Asks the encoder for the character at a place of `src`: for its four bytes, or none if it has two, which are its
    /// value now. None of either if it has no bytes.
    #[cold]
    fn ask<F: Input>(
        &mut self,
        pairs: &DoubleByteEncode,
        src: &[F::Unit],
        at: usize,
    ) -> Option<Option<u32>> {
        let packed = (pairs.others)(F::scalar(src, at)?)?;
        if let Some(bytes) = packed.four() {
            return Some(Some(u32::from_le_bytes(bytes)));
        }
        let (block, at) = (at / F::LEN, at % F::LEN);
        let before = self.leads[..block]
            .iter()
            .map(|leads| leads.count_ones())
            .sum::<u32>();
        let character = before + (self.leads[block] & ((1 << at) - 1)).count_ones();
        match packed.pair() {
            0 => None,
            // SAFETY: within the batch.
            two => unsafe {
                self.values().add(character as usize).write(two);
                Some(None)
            },
        }
    }
}

/// Writes `bytes`, of which those that `keep` names count, and of them `leads` are to become the next four bytes of
/// `fours`; returns how many.
///
/// # Safety
/// As for [`Input::write_with_fours`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(super) unsafe fn write_in_runs<const WHOLE: bool>(
    bytes: __m512i,
    keep: u64,
    leads: u64,
    fours: &mut *const u32,
    to: *mut u8,
) -> usize {
    // SAFETY: by `# Safety` of `Input::write_with_fours`, `fours` has the characters' bytes, 64 bytes are readable from
    // each on, and there is room for the block.
    let store = |at: usize, bytes, len| unsafe { store::<WHOLE>(to.add(at), bytes, len) };
    let count = keep.count_ones() as usize;
    let bytes = _mm512_maskz_compress_epi8(keep, bytes);
    store(0, bytes, count);
    let mut places = _pext_u64(leads, keep);
    let mut more = 0;
    while places != 0 {
        // A run of them.
        let from = places.trailing_zeros() as usize;
        let run = (places >> from).trailing_ones() as usize;
        places &= places.wrapping_add(1 << from);
        for first in (0..run).step_by(16) {
            let len = (run - first).min(16);
            // SAFETY: `fours` has as many: the contract of this function.
            let bytes = unsafe {
                _mm512_maskz_loadu_epi32(
                    _bzhi_u32(u32::MAX, len as u32) as u16,
                    fours.add(first).cast(),
                )
            };
            store(from + more + 4 * first, bytes, 4 * len);
        }
        // SAFETY: `fours` has four bytes for each place in `run`, by `# Safety`.
        *fours = unsafe { fours.add(run) };
        more += 3 * run;
        let next = from + run;
        let rest =
            _mm512_permutexvar_epi8(_mm512_add_epi8(ALL, _mm512_set1_epi8(next as i8)), bytes);
        store(next + more, rest, count - next);
    }
    count + more
}

/// Writes 16 characters of two bytes at most, of which `kept` count, and of them `wide` become the next four bytes of
/// `fours`; returns how many.
///
/// # Safety
/// As for [`Input::write_with_fours`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi2,popcnt")]
pub(super) unsafe fn write_wide<const WHOLE: bool>(
    units: __m256i,
    kept: u16,
    wide: u16,
    fours: &mut *const u32,
    to: *mut u8,
) -> usize {
    const LOW: u64 = 0x1111_1111_1111_1111;
    // SAFETY: by `# Safety` of `Input::write_with_fours`, `fours` has the characters' bytes, 64 bytes are readable from
    // each on, and there is room for the block.
    unsafe {
        let next = _mm512_loadu_si512(fours.cast());
        *fours = fours.add(wide.count_ones() as usize);
        let lanes = _mm512_mask_expand_epi32(_mm512_cvtepu16_epi32(units), wide, next);
        let low = _pdep_u64(kept.into(), LOW);
        let keep = low | _mm512_test_epi8_mask(lanes, lanes) & (low * 15);
        let bytes = _mm512_maskz_compress_epi8(keep, lanes);
        store::<WHOLE>(to, bytes, keep.count_ones() as usize)
    }
}
