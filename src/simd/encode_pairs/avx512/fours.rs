//! Characters of four bytes, in a batch whose other characters have been looked up.
//!
//! They take one lane of 32 bits each, as all others of the batch do then; a pair of surrogates takes two of two bytes.

use core::arch::x86_64::*;

use super::super::EncodePairs;
use super::{Batch, Form};

impl Batch {
    /// Asks for the characters of the first `end` units of `src` whose value is 0, which have two bytes or four, and
    /// fills `wide` with the bytes of all. Returns `end`, or where the first is that has no bytes.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw")]
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
        let mut first = 0;
        for (i, &leads) in self.leads.iter().enumerate().take(end.div_ceil(F::LEN)) {
            let count = leads.count_ones();
            // SAFETY: a block has 32 characters at most, and values are readable that far behind the last.
            let mut fours = unsafe {
                let values = _mm512_loadu_si512(values.add(first).cast());
                _mm512_mask_testn_epi16_mask(_bzhi_u32(u32::MAX, count), values, values)
            };
            while fours != 0 {
                let number = fours.trailing_zeros();
                fours &= fours - 1;
                let at = F::LEN * i + _pdep_u64(1 << number, leads).trailing_zeros() as usize;
                let character = first + number as usize;
                let Some((scalar, pair)) = F::scalar(&src[..end], at) else {
                    return at;
                };
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
                        let [a, b, c, d] = bytes.map(u16::from);
                        for (half, bytes) in [a | b << 8, c | d << 8].into_iter().enumerate() {
                            values.add(character + half).write(bytes);
                            wide.add(character + half).write(bytes.into());
                        }
                        // The trail has its bytes, and is no longer to be found.
                        fours &= !(2 << number);
                        continue;
                    }
                    wide.add(character).write(u32::from_le_bytes(bytes));
                }
            }
            first += count as usize;
        }
        end
    }
}
