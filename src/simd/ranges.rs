//! Vector look-ups in the ranges of gb18030's four bytes.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little")
))]
use crate::tables::ranges::IN_BUCKET;
use crate::tables::ranges::Ranges;

/// Values in a row, and what the first one becomes.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct MappedRange {
    pub first: u16,
    pub last: u16,
    pub image: u16,
}

#[cfg(target_arch = "x86_64")]
impl MappedRange {
    /// One that no value is in, but 0xFFFF, for which no map is.
    pub const NONE: Self = Self {
        first: u16::MAX,
        last: u16::MAX,
        image: 0,
    };

    /// What a value in it becomes.
    #[inline(always)]
    pub fn image(self, value: u32) -> u16 {
        self.image
            .wrapping_add((value as u16).wrapping_sub(self.first))
    }

    /// What 16 values become, and which of them are in it.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn images(self, values: __m256i) -> (__m256i, u16) {
        let set = |value: u16| _mm256_set1_epi16(value as i16);
        let steps = _mm256_sub_epi16(values, set(self.first));
        let within = up_to(steps, self.last - self.first);
        (_mm256_add_epi16(steps, set(self.image)), within)
    }
}

/// Which of 16 lanes are not above `most`.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn up_to(lanes: __m256i, most: u16) -> u16 {
    let least = _mm256_min_epu16(lanes, _mm256_set1_epi16(most as i16));
    let are = _mm256_cmpeq_epi16(least, lanes);
    let upper = _mm256_extracti128_si256::<1>(are);
    _mm_movemask_epi8(_mm_packs_epi16(_mm256_castsi256_si128(are), upper)) as u16
}

impl Ranges {
    /// What a value is mapped to, if this map is for it.
    ///
    /// Branch-free after the bounds check: text would decide how many ranges of a bucket are before the value.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,popcnt")]
    pub(super) fn get(&self, value: u32) -> Option<u16> {
        let (value, bucket) = self.bucket(value)?;
        const LANES: u32 = (1 << IN_BUCKET) - 1;
        // SAFETY: `new` has checked that there are as many elements behind the first of each bucket below `below`.
        let behind = unsafe {
            _mm512_maskz_loadu_epi16(LANES, self.firsts().as_ptr().add(bucket + 1).cast())
        };
        let value_lanes = _mm512_set1_epi16(value as i16);
        let passed = _mm512_mask_cmple_epu16_mask(LANES, behind, value_lanes);
        self.image(value, bucket + passed.count_ones() as usize)
    }

    /// What the first of 16 values become, up to one that this map is not for, of which `len` count; and how many those are.
    ///
    /// `range` is what those before were in: of a script, most of text is in one.
    ///
    /// # Safety
    /// 16 values are readable.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub(super) unsafe fn get_16(
        &self,
        range: &mut MappedRange,
        values: *const u16,
        len: usize,
    ) -> (__m256i, usize) {
        // SAFETY: by `# Safety`, 16 values are readable.
        let lanes = unsafe { _mm256_loadu_si256(values.cast()) };
        let len = len.min(up_to(lanes, (self.below() - 1) as u16).trailing_ones() as usize);
        let all = |lanes: u16| lanes.trailing_ones() as usize >= len;
        let (images, within) = range.images(lanes);
        if all(within) {
            return (images, len);
        }
        // SAFETY: by `# Safety`, 16 values are readable; `len` is at most 16.
        let values = unsafe { core::slice::from_raw_parts(values, len) };
        let Some(first) = self.range_of(values[0].into()) else {
            return (images, 0);
        };
        *range = first;
        let (images, within) = first.images(lanes);
        if all(within) {
            return (images, len);
        }
        let mut images = [0_u16; 16];
        // SAFETY: the array is as long as the register.
        let load = |images: &[u16; 16]| unsafe { _mm256_loadu_si256(images.as_ptr().cast()) };
        for (i, (to, &value)) in images.iter_mut().zip(values).enumerate() {
            match self.get_wide(value.into()) {
                Some(image) => *to = image,
                None => return (load(&images), i),
            }
        }
        (load(&images), len)
    }

    /// [`get`](Self::get) without AVX-512.
    #[cfg(any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little")
    ))]
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,popcnt"))]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn get_wide(&self, value: u32) -> Option<u16> {
        let (value, at) = self.find(value)?;
        self.image(value, at)
    }

    /// The range that a value is in, or the part of it that the exception leaves, if this map is for the value.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn range_of(&self, value: u32) -> Option<MappedRange> {
        let (value, at) = self.find(value)?;
        let (mut first, next) = (*self.firsts().get(at)?, *self.firsts().get(at + 1)?);
        let mut last = (self.below().min(next.into()) - 1) as u16;
        match self.except() {
            Some(except) if value < except => last = last.min(except - 1),
            Some(except) => first = first.max(except + 1),
            None => {}
        }
        let image = self.image(first, at)?;
        Some(MappedRange { first, last, image })
    }

    /// A value that this map is for, and the number of the range that it is in.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn find(&self, value: u32) -> Option<(u16, usize)> {
        let (value, bucket) = self.bucket(value)?;
        let value_lanes = _mm256_set1_epi16(value as i16);
        // The first 16 behind the bucket's first range, and the last: those they share count once.
        const SHARED: usize = 32 - IN_BUCKET;
        // SAFETY: `new` has checked that there are as many elements behind the first of each bucket below `below`.
        let [first, last] = unsafe {
            let behind = self.firsts().as_ptr().add(bucket + 1);
            [
                _mm256_loadu_si256(behind.cast()),
                _mm256_loadu_si256(behind.add(16 - SHARED).cast()),
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

    /// A value that this map is for, and the number of the range that it is in.
    #[cfg(target_arch = "aarch64")]
    #[inline]
    #[target_feature(enable = "neon")]
    fn find(&self, value: u32) -> Option<(u16, usize)> {
        let (value, bucket) = self.bucket(value)?;
        let behind: &[u16; IN_BUCKET] = self.firsts().get(bucket + 1..)?.first_chunk()?;
        // One comparison each, so that the compiler makes vectors of it.
        let passed: u16 = behind.iter().map(|&first| u16::from(first <= value)).sum();
        Some((value, bucket + usize::from(passed)))
    }
}

#[cfg(all(
    test,
    any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little")
    )
))]
mod tests {
    #[cfg(target_arch = "x86_64")]
    use super::super::token::Avx512;
    use super::super::token::V256Token;
    #[cfg(target_arch = "x86_64")]
    use super::MappedRange;
    use crate::tables;

    #[test]
    fn maps_of_gb18030_are_its_ranges() {
        for value in 0..0x1_0010 {
            let code_point = tables::gb18030_ranges_code_point(value)
                .filter(|_| value < 39_420 && value != 7457);
            let pointer = (0x80..0xD800)
                .contains(&value)
                .then(|| tables::gb18030_ranges_pointer(value));
            for (map, expected) in [
                (&tables::DECODE_RANGES, code_point),
                (&tables::ENCODE_RANGES, pointer),
            ] {
                if value < 0x80 && core::ptr::eq(map, &tables::ENCODE_RANGES) {
                    continue;
                }
                #[cfg(target_arch = "x86_64")]
                if Avx512::detect().is_some() {
                    // SAFETY: `detect` above has just succeeded, for this instruction set or a later one.
                    let found = unsafe { map.get(value) };
                    assert_eq!(found.map(u32::from), expected, "{value}");
                }
                if V256Token::detect().is_none() {
                    continue;
                }
                // SAFETY: `detect` above has just succeeded, for this instruction set or a later one.
                let found = unsafe { map.get_wide(value) };
                assert_eq!(found.map(u32::from), expected, "{value}");
                #[cfg(target_arch = "x86_64")]
                {
                    // SAFETY: `V256Token::detect` above has succeeded, which is AVX2 here.
                    let range = unsafe { map.range_of(value) };
                    assert_eq!(range.map(|range| range.image(value).into()), expected);
                    if let Some(MappedRange { first, last, .. }) = range {
                        let range = u32::from(first)..=u32::from(last);
                        let is_excepted = map.except().is_some() && range.contains(&7457);
                        assert!(range.contains(&value) && !is_excepted, "{value}");
                    }
                }
            }
        }
    }
}
