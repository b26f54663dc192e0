//! Looking up a batch of code points in a bitmap-and-rank table.
//!
//! A look-up is three loads that depend on one another, with arithmetic between them that costs more than they do. So
//! it is done in steps over the whole batch: the arithmetic 32 code points at a time, and the two loads that memory has
//! to answer (the directory of pages fits into registers) one by one, without anything between them. Half as long again
//! as this takes one code point after the other.

use core::arch::x86_64::*;

use super::super::Ranks;
use super::Batch;

impl Batch {
    /// Fills `values` with the values of `code_points`, and `members` with which of them have one.
    ///
    /// The value of a code point that has none is any.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,avx512vpopcntdq"
    )]
    pub(super) fn find_values(&mut self, table: &Ranks) {
        let code_points: *mut u16 = self.characters.code_points.as_mut_ptr().cast();
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let descriptors: *mut u64 = self.descriptors.as_mut_ptr().cast();
        let values = self.values();
        // Whole registers are loaded: zeros behind the last of each array that the steps fill one by one.
        // SAFETY: the arrays have 128 elements more than there are characters at most.
        unsafe {
            let zero = _mm512_setzero_si512();
            _mm512_storeu_si512(code_points.add(self.count).cast(), zero);
            _mm512_storeu_si512(values.add(self.count).cast(), zero);
            for i in 0..4 {
                _mm512_storeu_si512(descriptors.add(self.count + 8 * i).cast(), zero);
            }
        }
        // SAFETY: 256 bytes are readable.
        let pages = unsafe {
            let pages: *const u8 = table.pages.as_ptr();
            [
                _mm512_loadu_si512(pages.cast()),
                _mm512_loadu_si512(pages.add(64).cast()),
                _mm512_loadu_si512(pages.add(128).cast()),
                _mm512_loadu_si512(pages.add(192).cast()),
            ]
        };

        // Code points to positions of their blocks: of 65536 at most, and there is one, as `Ranks` sees to.
        let last_block = _mm512_set1_epi16((table.blocks.len() - 1) as i16);
        for at in (0..self.count).step_by(32) {
            // SAFETY: `at + 32 <= count + 31`; the code points are initialised up to 32 elements behind the last.
            unsafe {
                let code_points = _mm512_loadu_si512(code_points.add(at).cast());
                let number = _mm512_srli_epi16::<8>(code_points);
                let page = _mm512_mask_mov_epi16(
                    _mm512_permutex2var_epi8(pages[0], number, pages[1]),
                    _mm512_movepi16_mask(code_points),
                    _mm512_permutex2var_epi8(pages[2], number, pages[3]),
                );
                // The high byte of each lane is what page 0 has; shifted by 8 + 3, only the number is left.
                let page = _mm512_srli_epi16::<5>(_mm512_slli_epi16::<8>(page));
                let row =
                    _mm512_and_si512(_mm512_srli_epi16::<5>(code_points), _mm512_set1_epi16(7));
                let block = _mm512_min_epu16(_mm512_or_si512(page, row), last_block);
                _mm512_storeu_si512(positions.add(at).cast(), block);
            }
        }
        for at in (0..self.count).step_by(8) {
            // SAFETY: `at + 8 <= count + 7`. Positions are initialised up to the next multiple of 32, and below the
            // length by the minimum taken above.
            unsafe {
                for at in at..at + 8 {
                    let position = usize::from(*positions.add(at));
                    *descriptors.add(at) = *table.blocks.get_unchecked(position);
                }
            }
        }

        // Descriptors to positions of values.
        let last_value = _mm512_set1_epi32((table.values.len() - 1) as i32);
        for at in (0..self.count).step_by(32) {
            let mut members = 0;
            for half in [0, 16] {
                // SAFETY: as above; descriptors are initialised up to 32 elements behind the last character.
                unsafe {
                    let code_points = _mm512_cvtepu16_epi32(_mm256_loadu_si256(
                        code_points.add(at + half).cast(),
                    ));
                    let low = _mm512_loadu_si512(descriptors.add(at + half).cast());
                    let high = _mm512_loadu_si512(descriptors.add(at + half + 8).cast());
                    let (place, member) = rank(code_points, low, high, table);
                    let place = _mm512_cvtepi32_epi16(_mm512_min_epu32(place, last_value));
                    _mm256_storeu_si256(positions.add(at + half).cast(), place);
                    members |= u32::from(member) << half;
                }
            }
            self.members[at / 32] = members;
        }
        for at in (0..self.count).step_by(8) {
            // SAFETY: as above, for values.
            unsafe {
                for at in at..at + 8 {
                    let position = usize::from(*positions.add(at));
                    *values.add(at) = *table.values.get_unchecked(position);
                }
            }
        }
    }
}

/// The places of 16 code points among the values, and which of them are members, by their descriptors.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vpopcntdq")]
fn rank(code_points: __m512i, low: __m512i, high: __m512i, table: &Ranks) -> (__m512i, u16) {
    let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    let odd = _mm512_or_si512(even, _mm512_set1_epi32(1));
    let bitmap = _mm512_permutex2var_epi32(low, even, high);
    let before = _mm512_permutex2var_epi32(low, odd, high);
    let one = _mm512_set1_epi32(1);
    let bit = _mm512_sllv_epi32(one, _mm512_and_si512(code_points, _mm512_set1_epi32(31)));
    let below = _mm512_and_si512(bitmap, _mm512_sub_epi32(bit, one));
    let place = _mm512_add_epi32(before, _mm512_popcnt_epi32(below));
    let member = _mm512_test_epi32_mask(bitmap, bit);
    if table.ideographs() == 0 {
        return (place, member);
    }
    let ideograph = _mm512_sub_epi32(code_points, _mm512_set1_epi32(0x4E00));
    let count = _mm512_set1_epi32(table.ideographs() as i32);
    let are = _mm512_cmplt_epu32_mask(ideograph, count);
    let first = _mm512_set1_epi32(table.members as i32);
    let place = _mm512_mask_add_epi32(place, are, ideograph, first);
    (place, member | are)
}
