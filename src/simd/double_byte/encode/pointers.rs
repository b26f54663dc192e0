//! gb18030's pointers of four bytes, by which such characters are encoded.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

#[cfg(target_arch = "x86_64")]
use crate::simd::ranges::MappedRange;
use crate::tables::ranges::Ranges;

/// Pointers by code point, of those that have four bytes.
pub(crate) struct Pointers {
    /// Below U+D800, of those that the table of two bytes does not have.
    pub of_bmp: &'static Ranges,
    /// The pointer of U+10000. From there on, pointers are as far apart as code points.
    pub beyond: u32,
}

#[cfg(target_arch = "x86_64")]
impl Pointers {
    /// Puts the pointers of some of the first `len` of 16 code points at `to`: of those of the BMP that come first, or of
    /// pairs of surrogates. Returns how many code points that were, and how many pointers; none if the first is another.
    ///
    /// `range` is that of code points before these.
    ///
    /// # Safety
    /// 16 code points are readable; 16 elements are writable.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub(super) unsafe fn take(
        &self,
        range: &mut MappedRange,
        code_points: *const u16,
        len: usize,
        to: *mut u32,
    ) -> (usize, usize) {
        let set = |word: u32| _mm256_set1_epi32(word as i32);
        // SAFETY: by `# Safety`, 16 code points are readable, and 16 elements are writable.
        unsafe {
            let all = _mm256_loadu_si256(code_points.cast());
            let are_pairs =
                _mm256_cmpeq_epi32(_mm256_and_si256(all, set(0xFC00_FC00)), set(0xDC00_D800));
            let are_pairs = _mm256_movemask_ps(_mm256_castsi256_ps(are_pairs));
            let pairs = (are_pairs.trailing_ones() as usize).min(len / 2);
            if pairs > 0 {
                let lead = _mm256_slli_epi32::<10>(_mm256_and_si256(all, set(0x3FF)));
                let trail = _mm256_and_si256(_mm256_srli_epi32::<16>(all), set(0x3FF));
                let beyond = _mm256_or_si256(lead, trail);
                _mm256_storeu_si256(to.cast(), _mm256_add_epi32(beyond, set(self.beyond)));
                return (2 * pairs, pairs);
            }
            let (found, len) = self.of_bmp.get_16(range, code_points, len);
            let upper = _mm256_extracti128_si256::<1>(found);
            let lower = _mm256_castsi256_si128(found);
            _mm256_storeu_si256(to.cast(), _mm256_cvtepu16_epi32(lower));
            _mm256_storeu_si256(to.add(8).cast(), _mm256_cvtepu16_epi32(upper));
            (len, len)
        }
    }
}

/// Makes bytes of the pointers among `count` elements, others of which are bytes, none of them 0.
///
/// # Safety
/// As many are initialised from `fours` on, and there is room for 16 more, which are initialised, too.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn make_bytes(fours: *mut u32, count: usize) {
    // SAFETY: by `# Safety`, `count` elements are initialised from `fours` on, and there is room for 16 more.
    unsafe {
        for behind in [count, count + 8] {
            _mm256_storeu_si256(fours.add(behind).cast(), _mm256_setzero_si256());
        }
        for at in (0..count).step_by(8) {
            let fours: *mut __m256i = fours.add(at).cast();
            let found = _mm256_loadu_si256(fours);
            let are_bytes =
                _mm256_cmpgt_epi32(_mm256_srli_epi32::<24>(found), _mm256_setzero_si256());
            let bytes = _mm256_blendv_epi8(bytes_of(found), found, are_bytes);
            _mm256_storeu_si256(fours, bytes);
        }
    }
}

/// The four bytes of pointers below 2^21, the first one low.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn bytes_of(pointers: __m256i) -> __m256i {
    let set = |value: u32| _mm256_set1_epi32(value as i32);
    // Exact for all of them, as a test shows.
    let quotient = |lanes, by: u32| {
        let inverse = _mm256_set1_ps(1.0 / by as f32);
        _mm256_cvttps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps(lanes), inverse))
    };
    let rest = |lanes, quotient, by| _mm256_sub_epi32(lanes, _mm256_mullo_epi32(quotient, set(by)));
    let tens = quotient(pointers, 10);
    let rows = quotient(tens, 126);
    let a = quotient(rows, 10);
    let b = rest(rows, a, 10);
    let c = rest(tens, rows, 126);
    let d = rest(pointers, tens, 10);
    let low = _mm256_or_si256(a, _mm256_slli_epi32::<8>(b));
    let high = _mm256_or_si256(_mm256_slli_epi32::<16>(c), _mm256_slli_epi32::<24>(d));
    _mm256_add_epi32(_mm256_or_si256(low, high), set(0x3081_3081))
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::make_bytes;
    use crate::simd::double_byte::decode::tests::bytes_of;
    use crate::simd::token::Avx2;
    use crate::tables::SUPPLEMENTARY;

    #[test]
    fn bytes_of_every_pointer_are_exact() {
        if Avx2::detect().is_none() {
            return;
        }
        let pointers: Vec<u32> = (0..39_420).chain(SUPPLEMENTARY..=1_237_575).collect();
        for pointers in pointers.chunks(1000) {
            let mut fours = pointers.to_vec();
            fours.resize(pointers.len() + 16, 0xEEEE_EEEE);
            // What are bytes already stays.
            fours[3] = u32::from_le_bytes(bytes_of(pointers[3]));
            // SAFETY: the processor has AVX2; there is room for 16 more.
            unsafe { make_bytes(fours.as_mut_ptr(), pointers.len()) };
            for (&pointer, four) in pointers.iter().zip(fours) {
                assert_eq!(four.to_le_bytes(), bytes_of(pointer), "{pointer}");
            }
        }
    }
}
