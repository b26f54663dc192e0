//! Look-up of a batch of code points in a bitmap-and-rank table.
//!
//! A look-up is three dependent loads, and the arithmetic between them takes longer than the loads. The directory of
//! pages, the target of the first load, fits into registers. The rest is done in steps over the whole batch: the
//! arithmetic for 32 code points at a time, and the two loads in scalar loops without other work. One code point after
//! the other takes 1.5 times as long.

use core::arch::x86_64::*;

use super::Batch;
use crate::tables::rank::RankTable;

/// A table with its directory in registers.
pub(super) struct Directory<'a> {
    table: &'a RankTable,
    pages: [__m512i; 4],
    last_block: __m512i,
}

impl<'a> Directory<'a> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn new(table: &'a RankTable) -> Self {
        // SAFETY: `pages` has 256 bytes.
        let pages = unsafe {
            let pages: *const u8 = table.pages().as_ptr();
            [
                _mm512_loadu_si512(pages.cast()),
                _mm512_loadu_si512(pages.add(64).cast()),
                _mm512_loadu_si512(pages.add(128).cast()),
                _mm512_loadu_si512(pages.add(192).cast()),
            ]
        };
        Self {
            table,
            pages,
            // At most 65,536 blocks, and at least one, as `RankTable::new` asserts.
            last_block: _mm512_set1_epi16((table.blocks().len() - 1) as i16),
        }
    }

    /// Returns the indices of the descriptors of 32 code points, clamped below the number of descriptors.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn blocks(&self, code_points: __m512i) -> __m512i {
        let number = _mm512_srli_epi16::<8>(code_points);
        let page = _mm512_mask_mov_epi16(
            _mm512_permutex2var_epi8(self.pages[0], number, self.pages[1]),
            _mm512_movepi16_mask(code_points),
            _mm512_permutex2var_epi8(self.pages[2], number, self.pages[3]),
        );
        // Shifts out the high byte of each lane, for which entry 0 was looked up.
        let page = _mm512_srli_epi16::<4>(_mm512_slli_epi16::<8>(page));
        let row = _mm512_and_si512(_mm512_srli_epi16::<4>(code_points), _mm512_set1_epi16(15));
        _mm512_min_epu16(_mm512_or_si512(page, row), self.last_block)
    }

    /// Returns the indices of 16 code points in the values, and a mask of the members. The index of other code points
    /// is unspecified.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vpopcntdq")]
    fn rank(&self, code_points: __m512i, descriptors: __m512i) -> (__m512i, u16) {
        let one = _mm512_set1_epi32(1);
        let bit = _mm512_sllv_epi32(one, _mm512_and_si512(code_points, _mm512_set1_epi32(15)));
        let below = _mm512_and_si512(descriptors, _mm512_sub_epi32(bit, one));
        let before = _mm512_srli_epi32::<16>(descriptors);
        let mut place = _mm512_add_epi32(before, _mm512_popcnt_epi32(below));
        let mut members = _mm512_test_epi32_mask(descriptors, bit);
        if !self.table.ideographs().is_empty() {
            let ideograph = _mm512_sub_epi32(code_points, _mm512_set1_epi32(0x4E00));
            let count = _mm512_set1_epi32(self.table.ideographs().len() as i32);
            let are = _mm512_cmplt_epu32_mask(ideograph, count);
            let first = _mm512_set1_epi32(self.table.members() as i32);
            place = _mm512_mask_add_epi32(place, are, ideograph, first);
            members |= are;
        }
        (place, members)
    }
}

impl Batch {
    /// Fills `values` with the values of `code_points`, and `members` with the masks of code points that have one.
    ///
    /// The value of a code point without one is unspecified.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,avx512vpopcntdq"
    )]
    pub(super) fn find_values(&mut self, table: &RankTable) {
        let directory = Directory::new(table);
        let code_points: *mut u16 = self.characters.code_points.as_mut_ptr().cast();
        // SAFETY: the array has 128 elements more than the largest `count`. Whole registers are loaded, so zeros follow
        // the last code point.
        unsafe {
            let zero = _mm512_setzero_si512();
            _mm512_storeu_si512(code_points.add(self.count).cast(), zero);
        }
        self.load_values(&directory);
    }

    /// Implements [`find_values`](Self::find_values), with zeros after the last code point.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,avx512vpopcntdq"
    )]
    fn load_values(&mut self, directory: &Directory<'_>) {
        let table = directory.table;
        let code_points: *const u16 = self.characters.code_points.as_ptr().cast();
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let descriptors: *mut u32 = self.descriptors.as_mut_ptr().cast();
        let values = self.values();
        let last_value = _mm512_set1_epi32((table.values().len() - 1) as i32);
        // SAFETY: the arrays have 128 elements more than the largest `count`. The scalar loops fill fewer elements than
        // the registers load, so zeros follow.
        unsafe {
            let zero = _mm512_setzero_si512();
            _mm512_storeu_si512(values.add(self.count).cast(), zero);
            for i in 0..2 {
                _mm512_storeu_si512(descriptors.add(self.count + 16 * i).cast(), zero);
            }
        }
        // Map code points to the indices of their descriptors.
        for at in (0..self.count).step_by(32) {
            // SAFETY: `at + 32 <= count + 31`; code points are initialised for 32 elements after the last.
            unsafe {
                let code_points = _mm512_loadu_si512(code_points.add(at).cast());
                _mm512_storeu_si512(positions.add(at).cast(), directory.blocks(code_points));
            }
        }
        for at in (0..self.count).step_by(8) {
            // SAFETY: `at + 8 <= count + 7`. Positions are initialised up to the next multiple of 32, and `blocks`
            // clamps them below the length.
            unsafe {
                for at in at..at + 8 {
                    let position = usize::from(*positions.add(at));
                    *descriptors.add(at) = *table.blocks().get_unchecked(position);
                }
            }
        }

        // Map descriptors to the indices of values.
        for at in (0..self.count).step_by(32) {
            let mut members = 0;
            for half in [0, 16] {
                // SAFETY: as above; descriptors are initialised for 32 elements after the last character.
                unsafe {
                    let code_points = _mm512_cvtepu16_epi32(_mm256_loadu_si256(
                        code_points.add(at + half).cast(),
                    ));
                    let descriptors = _mm512_loadu_si512(descriptors.add(at + half).cast());
                    let (places, some) = directory.rank(code_points, descriptors);
                    let places = _mm512_cvtepi32_epi16(_mm512_min_epu32(places, last_value));
                    _mm256_storeu_si256(positions.add(at + half).cast(), places);
                    members |= u32::from(some) << half;
                }
            }
            self.members[at / 32] = members;
        }
        for at in (0..self.count).step_by(8) {
            // SAFETY: as above; `last_value` clamps the positions below the length of the values.
            unsafe {
                for at in at..at + 8 {
                    let position = usize::from(*positions.add(at));
                    *values.add(at) = *table.values().get_unchecked(position);
                }
            }
        }
    }
}
