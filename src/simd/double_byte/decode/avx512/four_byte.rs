//! Characters of four bytes in a batch: to the first pass they are two pairs whose trails are digits.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::FourBytes;
use super::super::four_byte::{is_many, pointer};
use super::{BLOCKS, Batch, Output, PAIRS};
use crate::simd::bits::place_of;

impl Batch {
    /// The first pair with a digit, if there are enough of them to end the batch there.
    #[inline]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    pub(super) fn first_of_many_digits(&self) -> Option<usize> {
        let digits = self.digits[..self.pairs.div_ceil(32)].iter().enumerate();
        let digits = digits
            .map(|(i, &digits)| _bzhi_u32(digits, (self.pairs - 32 * i).min(32) as u32).into());
        let count: u32 = digits.clone().map(u64::count_ones).sum();
        if !is_many(count as usize, self.pairs) {
            return None;
        }
        place_of(0, digits).map(|(i, digit)| 32 * i + digit)
    }

    /// Puts characters of four bytes in the places of their pairs. Returns `end`, or where the first pair with a digit
    /// is before it that belongs to no such character.
    #[inline(never)]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    pub(super) fn put_quads<F: Output>(
        &mut self,
        four_bytes: FourBytes,
        src: &[u8],
        mut end: usize,
    ) -> usize {
        // The numbers of pairs with digits: modulo 64, and divided by it.
        let mut low = MaybeUninit::<[u8; PAIRS]>::uninit();
        let mut high = MaybeUninit::<[u8; PAIRS]>::uninit();
        let (low, high): (*mut u8, *mut u8) = (low.as_mut_ptr().cast(), high.as_mut_ptr().cast());
        let lanes = _mm512_set_epi8(
            63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42,
            41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20,
            19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
        );
        let mut number = _mm512_setzero_si512();
        let mut count = 0;
        let mut at = 0;
        while at < self.pairs {
            let i = at / 64;
            let digits = u64::from(self.digits[2 * i]) | u64::from(self.digits[2 * i + 1]) << 32;
            let digits = _bzhi_u64(digits, (self.pairs - at).min(64) as u32);
            // SAFETY: before these there are at most `at`, and `at + 64 <= pairs + 63 < PAIRS`.
            unsafe {
                _mm512_storeu_si512(
                    low.add(count).cast(),
                    _mm512_maskz_compress_epi8(digits, lanes),
                );
                _mm512_storeu_si512(high.add(count).cast(), number);
            }
            number = _mm512_add_epi8(number, _mm512_set1_epi8(1));
            count += digits.count_ones() as usize;
            at += 64;
        }
        let mut seconds = [0; BLOCKS];
        let mut i = 0;
        while i < count {
            let last = count - 1;
            // SAFETY: `count` numbers are initialised, and those of pairs; so are the bytes of pairs, and of one behind.
            let (first, second, bytes) = unsafe {
                let number = |i: usize| usize::from(*high.add(i)) * 64 + usize::from(*low.add(i));
                let first = number(i);
                let bytes = self.bytes.as_ptr().cast::<u16>().add(first);
                (
                    first,
                    number(last.min(i + 1)),
                    bytes.cast::<[u8; 4]>().read(),
                )
            };
            let place = self.place(first);
            // Else there is something between the pairs.
            let joined = second == first + 1
                && src.get(place..).and_then(|src| src.first_chunk()) == Some(&bytes);
            let scalar = match four_bytes.ranges.get(pointer(bytes)) {
                Some(code_point) => Some(code_point.into()),
                None if joined => (four_bytes.scalar)(bytes),
                None => None,
            };
            let (true, Some(scalar)) = (joined, scalar) else {
                end = self.end_at(place);
                break;
            };
            // SAFETY: both are numbers of pairs.
            unsafe { F::put_quad(self, first, scalar) };
            let at = place + 2;
            seconds[at / 64 % BLOCKS] |= u64::from(scalar < 0x1_0000) << (at % 64);
            i += 2;
        }
        // SAFETY: this function is compiled for the instruction sets that the callee asks for, so the processor has
        // them.
        unsafe { F::end_quads(self, &seconds) };
        end
    }
}
