//! Characters of four bytes, in a batch whose other characters have been looked up.
//!
//! They take one lane of 32 bits each, as all others of the batch do then; a pair of surrogates takes two of two bytes.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::super::arrays::each;
use super::super::EncodePairs;
use super::{BLOCKS, Batch, CHARACTERS, Form};

/// Ten times as many characters beyond U+FFFF as are not worth an end.
const FEW_BEYOND: usize = 128;

impl Batch {
    /// Asks for the characters of the first `end` units of `src` whose value is 0, which have two bytes or four, and
    /// fills `wide` with the bytes of all. Returns `end`, or where the first is that has no bytes, or one beyond U+FFFF
    /// where those prevail.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    pub(super) fn find_fours<F: Form>(
        &mut self,
        pairs: &EncodePairs,
        src: &[F::Unit],
        end: usize,
    ) -> usize {
        let values = self.values();
        let wide: *mut u32 = self.wide.as_mut_ptr().cast();
        for at in (0..self.count).step_by(16) {
            // SAFETY: values and `wide` have 16 elements behind the last character's; values are initialised there.
            unsafe {
                let values = _mm256_loadu_si256(values.add(at).cast());
                _mm512_storeu_si512(wide.add(at).cast(), _mm512_cvtepu16_epi32(values));
            }
        }
        // The numbers of the characters whose value is 0.
        let mut numbers = MaybeUninit::<[u16; CHARACTERS]>::uninit();
        let numbers: *mut u16 = numbers.as_mut_ptr().cast();
        let mut count = 0;
        let mut number = _mm512_set_epi16(
            31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10,
            9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
        );
        for at in (0..self.count).step_by(32) {
            let lanes = _bzhi_u32(u32::MAX, (self.count - at).min(32) as u32);
            // SAFETY: values are initialised up to 32 behind the last character's; before these there are at most `at`.
            unsafe {
                let values = _mm512_loadu_si512(values.add(at).cast());
                let zeros = _mm512_mask_testn_epi16_mask(lanes, values, values);
                let found = _mm512_maskz_compress_epi16(zeros, number);
                _mm512_storeu_si512(numbers.add(count).cast(), found);
                count += zeros.count_ones() as usize;
            }
            number = _mm512_add_epi16(number, _mm512_set1_epi16(32));
        }
        let (mut block, mut before) = (0, 0);
        let mut beyond = 0;
        for i in 0..count {
            // SAFETY: `count` are initialised, and they are numbers of characters.
            let (character, code_point) = unsafe {
                let character = usize::from(*numbers.add(i));
                (
                    character,
                    *self
                        .characters
                        .code_points
                        .as_ptr()
                        .cast::<u16>()
                        .add(character),
                )
            };
            if let Some(ranges) = pairs.ranges
                && let Some(pointer) = ranges.get(code_point.into())
            {
                // SAFETY: within the batch.
                unsafe { wide.add(character).write(bytes_of(pointer)) };
                continue;
            }
            // SAFETY: within the batch. The trail of a pair has its value when its turn comes.
            if unsafe { *values.add(character) } != 0 {
                continue;
            }
            // They come one behind the other, and so do their blocks.
            while block < BLOCKS && before + self.leads[block].count_ones() as usize <= character {
                before += self.leads[block].count_ones() as usize;
                block += 1;
            }
            let at = F::LEN * block + nth(self.leads[block % BLOCKS], character - before);
            let Some((scalar, pair)) = F::scalar(&src[..end], at) else {
                return at;
            };
            // Where they prevail, it is faster to go one by one.
            beyond += usize::from(scalar > 0xFFFF);
            if 10 * beyond > at + FEW_BEYOND {
                return at;
            }
            let Some(packed) = (pairs.others)(scalar) else {
                return at;
            };
            let two = packed.pair();
            if two != 0 && !pair {
                // SAFETY: within the batch.
                unsafe {
                    values.add(character).write(two);
                    wide.add(character).write(two.into());
                }
                continue;
            }
            let Some(bytes) = packed.four() else {
                return at;
            };
            // SAFETY: within the batch; the trail of a pair is the next character.
            unsafe {
                if pair {
                    let [a, b, c, d] = each(bytes, u16::from);
                    for (half, bytes) in [a | b << 8, c | d << 8].into_iter().enumerate() {
                        values.add(character + half).write(bytes);
                        wide.add(character + half).write(bytes.into());
                    }
                    continue;
                }
                wide.add(character).write(u32::from_le_bytes(bytes));
            }
        }
        end
    }
}

/// The place of a bit that has `before` others below it.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
fn nth(bits: u64, before: usize) -> usize {
    _pdep_u64(1 << (before % 64), bits).trailing_zeros() as usize
}

/// The four bytes of a pointer, the first one low.
#[inline(always)]
fn bytes_of(pointer: u16) -> u32 {
    let pointer = u32::from(pointer);
    let (a, b) = (pointer / 12_600, pointer / 1_260 % 10);
    let (c, d) = (pointer / 10 % 126, pointer % 10);
    0x3081_3081 + (a | b << 8 | c << 16 | d << 24)
}
