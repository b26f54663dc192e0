//! Look-ups by the processor's gathers, which take as many loads as a register has lanes at once.
//!
//! Whether that is faster than loads one by one, no instruction set says. Intel's processors from Skylake to Rocket Lake
//! execute gathers at a fraction of their speed since microcode guards against Gather Data Sampling (INTEL-SA-00828), and
//! AMD's up to Zen 4 make dozens of operations of each. So kernels that gather have a way by loads, too, and
//! [`LookUps::here`] chooses gathers where AVX-VNNI is: Intel's processors have it since they are free of that flaw (Alder
//! Lake, Sapphire Rapids), and none before. Of others, Zen 5 and Intel's small cores have it, too; those are not measured.
//! On a Xeon of family 6, model 143, double-byte text is encoded 1.1 to 1.45 times as fast by gathers (1.02 to 1.4 with
//! AVX2), and with AVX-512 decoded 1.02 to 1.17 times.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

#[cfg(target_arch = "x86_64")]
use super::level;

/// How a kernel looks up many places of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LookUps {
    Loads,
    Gathers,
}

impl LookUps {
    /// What is faster on this machine.
    #[inline(always)]
    pub fn here() -> Self {
        #[cfg(target_arch = "x86_64")]
        let are_fast = level::has_fast_gathers();
        #[cfg(not(target_arch = "x86_64"))]
        let are_fast = false;
        match are_fast {
            true => Self::Gathers,
            false => Self::Loads,
        }
    }

    /// `table` for gathers, if those are what look-ups are done by, and it is fit for them.
    #[inline(always)]
    pub fn words(self, table: &[u16]) -> Option<Words<'_>> {
        let is_fit = !table.is_empty() && table.len().is_multiple_of(2);
        (self == Self::Gathers && is_fit).then_some(Words(table))
    }
}

/// A table of an even number of words, and not of none: a gather takes two, one of which was asked for.
#[derive(Clone, Copy)]
pub(super) struct Words<'a>(&'a [u16]);

#[cfg(target_arch = "x86_64")]
impl Words<'_> {
    /// The last place, in every lane: any beyond it counts as this one.
    #[inline(always)]
    fn last(self) -> i32 {
        (self.0.len() - 1) as i32
    }

    /// Words at eight places, each in a lane of 32 bits.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn eight(self, places: __m256i) -> __m256i {
        let places = _mm256_min_epu32(places, _mm256_set1_epi32(self.last()));
        let twos = _mm256_srli_epi32::<1>(places);
        // SAFETY: by the minimum just taken, each place is in the table; so is the word beside it, as the length is even.
        let twos = unsafe { _mm256_i32gather_epi32::<4>(self.0.as_ptr().cast(), twos) };
        let odd = _mm256_and_si256(_mm256_slli_epi32::<4>(places), _mm256_set1_epi32(16));
        _mm256_and_si256(_mm256_srlv_epi32(twos, odd), _mm256_set1_epi32(0xFFFF))
    }

    /// Words at 16 places, each of which has a lane of 32 bits.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn sixteen(self, places: __m512i) -> __m256i {
        let places = _mm512_min_epu32(places, _mm512_set1_epi32(self.last()));
        let twos = _mm512_srli_epi32::<1>(places);
        // SAFETY: as above.
        let twos = unsafe { _mm512_i32gather_epi32::<4>(twos, self.0.as_ptr().cast()) };
        let odd = _mm512_and_si512(_mm512_slli_epi32::<4>(places), _mm512_set1_epi32(16));
        _mm512_cvtepi32_epi16(_mm512_srlv_epi32(twos, odd))
    }
}

#[cfg(test)]
mod tests {
    use super::LookUps;
    use crate::tables::{decode, encode};

    #[test]
    fn the_tables_that_kernels_look_up_are_fit_for_gathers() {
        for table in [
            &decode::BIG5[..],
            &decode::EUC_KR,
            &decode::GB18030,
            &decode::JIS0208,
            &encode::BIG5_VALUES,
            &encode::EUC_KR_VALUES,
            &encode::GB18030_ALL_VALUES,
            &encode::JIS0208_VALUES,
        ] {
            assert!(LookUps::Gathers.words(table).is_some());
            assert!(LookUps::Loads.words(table).is_none());
            assert!(LookUps::Gathers.words(&table[1..]).is_none());
        }
    }
}
