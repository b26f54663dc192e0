//! Vector look-ups in the ranges of gb18030's four-byte characters.

use core::arch::x86_64::*;

use crate::tables::ranges::IN_BUCKET;
use crate::tables::ranges::Ranges;

/// A range of consecutive values, and the image of the first one.
#[derive(Clone, Copy)]
pub(super) struct MappedRange {
    pub first: u16,
    pub last: u16,
    pub image: u16,
}

impl MappedRange {
    /// A range without any value that is looked up: it contains only U+0000.
    pub const NONE: Self = Self {
        first: 0,
        last: 0,
        image: 0,
    };

    /// Returns the image of a value in the range.
    #[inline(always)]
    pub fn image(self, value: u32) -> u16 {
        self.image
            .wrapping_add((value as u16).wrapping_sub(self.first))
    }

    /// Returns the images of 16 values, and a mask of the values in the range.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn images(self, values: __m256i) -> (__m256i, u16) {
        let set = |value: u16| _mm256_set1_epi16(value as i16);
        let steps = _mm256_sub_epi16(values, set(self.first));
        let within = up_to(steps, self.last - self.first);
        (_mm256_add_epi16(steps, set(self.image)), within)
    }
}

/// Returns a mask of the lanes that are at most `most`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn up_to(lanes: __m256i, most: u16) -> u16 {
    let least = _mm256_min_epu16(lanes, _mm256_set1_epi16(most as i16));
    let are = _mm256_cmpeq_epi16(least, lanes);
    let upper = _mm256_extracti128_si256::<1>(are);
    _mm_movemask_epi8(_mm_packs_epi16(_mm256_castsi256_si128(are), upper)) as u16
}

impl Ranges {
    /// Returns the image of a value, if it is in the domain of this map; unspecified for a code point that has two
    /// bytes.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn get(&self, value: u32) -> Option<u16> {
        let (value, at) = self.find(value)?;
        self.image(value, at)
    }

    /// Returns the range of a value, or the part that exceptions leave, if the value is in the domain of this map. Code
    /// points that have two bytes are in no range.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn range_of(&self, value: u32) -> Option<MappedRange> {
        let (value, at) = self.find(value)?;
        let (mut first, next) = (*self.firsts().get(at)?, *self.firsts().get(at + 1)?);
        let mut len = next - first;
        // The last code points of a range may have two bytes; then the range has fewer four-byte pointers.
        if next < u16::MAX {
            len = len.min(self.image(next, at + 1)? - self.image(first, at)?);
        }
        let mut last = (first + len - 1).min((self.below() - 1) as u16);
        if value > last {
            return None;
        }
        for &(first_except, last_except) in self.except() {
            match value < first_except {
                true => last = last.min(first_except - 1),
                false => first = first.max(last_except + 1),
            }
        }
        let image = self.image(first, at)?;
        Some(MappedRange { first, last, image })
    }

    /// Returns a value in the domain of this map, and the index of its range.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn find(&self, value: u32) -> Option<(u16, usize)> {
        let (value, bucket) = self.bucket(value)?;
        let value_lanes = _mm256_set1_epi16(value as i16);
        // The 16 elements after the bucket's first range, and the last 16. The elements in both count once.
        const SHARED: usize = 32 - IN_BUCKET;
        // SAFETY: `new` has checked that `IN_BUCKET` elements follow the first one of each bucket below `below`.
        let [first, last] = unsafe {
            let after = self.firsts().as_ptr().add(bucket + 1);
            [
                _mm256_loadu_si256(after.cast()),
                _mm256_loadu_si256(after.add(16 - SHARED).cast()),
            ]
        };
        let passed = |lanes| {
            let passed = _mm256_cmpeq_epi16(_mm256_min_epu16(lanes, value_lanes), lanes);
            _mm256_movemask_epi8(passed) as u32
        };
        let last = passed(last) >> (2 * SHARED);
        let passed = (passed(first).count_ones() + last.count_ones()) / 2;
        Some((value, bucket + passed as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::Avx2;
    use crate::tables;

    #[test]
    fn maps_of_gb18030_are_its_ranges() {
        if Avx2::detect().is_none() {
            return;
        }
        let code_point = |pointer: u32| {
            tables::gb18030_ranges_code_point(pointer)
                .filter(|_| pointer < 39_420 && pointer != 7457)
        };
        let pointer = |code_point: u32| {
            let has_four = (0x80..0xD800).contains(&code_point)
                && tables::gb18030_bytes(code_point as u16).is_none();
            has_four.then(|| tables::gb18030_ranges_pointer(code_point))
        };
        let maps: [(_, &dyn Fn(u32) -> Option<u32>); 2] = [
            (&tables::DECODE_RANGES, &code_point),
            (&tables::ENCODE_RANGES, &pointer),
        ];
        for (map, expected) in maps {
            for value in 0x80..0x1_0010 {
                // SAFETY: `detect` above returned a token, so the processor has AVX2.
                let range = unsafe { map.range_of(value) };
                let image = range.map(|range| range.image(value).into());
                assert_eq!(image, expected(value), "{value}");
                let Some(range) = range.filter(|range| u32::from(range.first) == value) else {
                    continue;
                };
                // Kernels rely on every value of a range.
                for value in range.first..=range.last {
                    let value = value.into();
                    assert_eq!(Some(range.image(value).into()), expected(value), "{value}");
                }
            }
        }
    }
}
