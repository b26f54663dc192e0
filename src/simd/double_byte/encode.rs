//! Encoding to double-byte encodings: a prefix kernel for every encoding that maps ASCII to itself and code points of
//! the BMP to one or two bytes.
//!
//! An encoding is a value, [`DoubleByteEncode`], and all share one kernel of each kind. Code that depends on the
//! encoding runs once per batch, or once per register of look-ups; compiling the kernels for each of seven encodings
//! made them no faster. A kernel stops at unmappable characters and at surrogate pairs. The codec continues from there.
//!
//! [`avx512`] compresses and expands; [`v256`] does the same with shuffle tables. Other targets use the codecs' portable
//! loop, which also converts the four-byte characters of gb18030.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod flat;
#[cfg(all(test, v256))]
mod tests;
#[cfg(v256)]
mod v256;

pub(crate) use flat::Flat;

use super::{Utf8, Utf16};
use crate::simd::level::{Active, IS_IN_HALVES, with_avx512, with_v256};
use crate::simd::out::Out;
use crate::simd::packed::Packed;
use crate::tables::rank::RankTable;

/// The meaning of a value of a [`RankTable`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Values {
    /// The two bytes of the character, the first one high.
    Bytes,
    /// Row and cell of 94, from 0, for the bytes of EUC: 0xA1 is added to both.
    Euc,
    /// Row and cell of 94, from 0, for the bytes of Shift_JIS.
    ShiftJis,
}

impl Values {
    /// Returns the offset added to a value so that no value is 0.
    #[inline(always)]
    fn offset(self) -> u16 {
        match self {
            Values::Bytes => 0,
            Values::Euc => 0xA1A1,
            Values::ShiftJis => 0x2121,
        }
    }
}

/// An encoder of single code points to one or two bytes.
pub(crate) struct DoubleByteEncode {
    /// The two bytes of most code points.
    pub table: &'static RankTable,
    /// The meaning of the values of `table`.
    pub values: Values,
    /// A code point for which `others` overrides `table`; 0 for none, because ASCII is never looked up.
    pub ask: u16,
    /// Returns the bytes of code points that `table` does not decide.
    ///
    /// In the BMP it is called for `ask`, for code points missing from `table` except surrogates, and, for Shift_JIS,
    /// for rows from [`FIRST_DUPLICATE_ROW`] on.
    pub others: fn(u32) -> Option<Packed>,
    /// `table` indexed by code point, on targets where that is faster.
    pub flat: Flat,
}

impl DoubleByteEncode {
    /// Returns the one or two bytes of a code point, the first one low, with 0 after a single byte. Returns 0 if it is
    /// unmappable or has more bytes.
    #[inline]
    fn pair(&self, code_point: u16) -> u16 {
        match code_point {
            0xD800..=0xDFFF => 0,
            _ => (self.others)(code_point.into()).map_or(0, Packed::pair),
        }
    }
}

/// The first row of index jis0208 with pointers that the index Shift_JIS pointer excludes.
const FIRST_DUPLICATE_ROW: u16 = 8272 / 94;

/// An input form that all kernels of this architecture support.
#[cfg(target_arch = "x86_64")]
trait Input: avx512::Input + v256::Input {}
#[cfg(target_arch = "x86_64")]
impl<F: avx512::Input + v256::Input> Input for F {}

#[cfg(all(v256, not(target_arch = "x86_64")))]
use v256::Input;

#[cfg(not(v256))]
use super::Form as Input;

/// Encodes a prefix of UTF-8 text and returns its length in bytes.
#[inline]
pub(crate) fn utf8_to_double_byte(
    pairs: &DoubleByteEncode,
    src: &str,
    out: &mut Out<'_, u8>,
) -> usize {
    encode_at::<Utf8>(Active::now(), pairs, src.as_bytes(), out, 512)
}

/// Encodes a prefix of UTF-16 code units and returns its length in units.
#[inline]
pub(crate) fn utf16_to_double_byte(
    pairs: &DoubleByteEncode,
    src: &[u16],
    out: &mut Out<'_, u8>,
) -> usize {
    encode_at::<Utf16>(Active::now(), pairs, src, out, 64)
}

/// Encodes a prefix of `src`. UTF-8 is valid, as [`utf8_to_double_byte`] takes a `str`. With NEON and simd128, fewer
/// than `halves_from` units are left to the portable loop, which is faster.
#[inline(always)]
fn encode_at<F: Input>(
    active: Active,
    pairs: &DoubleByteEncode,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
    halves_from: usize,
) -> usize {
    // SAFETY: the token proves detection succeeded.
    with_avx512!(active, |token| return unsafe {
        avx512::encode::<F>(token, pairs, src, out)
    });
    if IS_IN_HALVES && src.len() < halves_from {
        return 0;
    }
    // No kernel on this target.
    let _ = (pairs, src, &out);
    // SAFETY: the token proves detection succeeded.
    with_v256!(active, |token| unsafe {
        v256::encode::<F>(token, pairs, src, out)
    })
    .unwrap_or(0)
}

/// Returns the end of the last character that ends within the first `whole` bytes of valid UTF-8.
#[inline(always)]
fn utf8_floor(src: &[u8], whole: usize) -> usize {
    // Branch-free. In UTF-8 the third byte before a continuation byte starts a character if no nearer byte does.
    let continues = |at: usize| usize::from(src.get(at).is_some_and(|byte| byte & 0xC0 == 0x80));
    let nearer = continues(whole.wrapping_sub(1)) * (1 + continues(whole.wrapping_sub(2)));
    whole - continues(whole) * (1 + nearer)
}
