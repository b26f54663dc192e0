//! Double-byte encodings, encoded: a prefix kernel for every encoding that has one or two bytes for a code point of the
//! BMP, and ASCII for ASCII.
//!
//! An encoding is a value, [`DoubleByteEncode`], so that all share one kernel of each kind: what depends on the encoding is
//! decided once for a batch, or once for a register of look-ups. Compiling the kernels for each of seven encodings made
//! them no faster. What is unmappable ends the prefix, and so does what needs a surrogate pair, except gb18030's characters
//! of four bytes: the codec goes on from there.
//!
//! [`avx512`] compresses and expands; [`v256`] does the same by tables. Elsewhere there is the codecs' portable loop.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod pointers;
#[cfg(all(
    test,
    any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little")
    )
))]
mod tests;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little")
))]
mod v256;

use super::{Utf8, Utf16};
use crate::simd::level::IS_NEON;
use crate::simd::out::Out;
use crate::simd::packed::Packed;
#[cfg(target_arch = "x86_64")]
use crate::simd::token;
use crate::simd::token::{Active, with_v256};
use crate::tables::rank::RankTable;
pub(crate) use pointers::Pointers;

/// What a value of [`RankTable`] is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Values {
    /// The bytes, the first one high.
    Bytes,
    /// Row and cell of 94, from 0, in the bytes of EUC: 0xA1 is to be added to both.
    Euc,
    /// Row and cell of 94, from 0, in the bytes of Shift_JIS.
    ShiftJis,
}

impl Values {
    /// What is added to a value, so that none is 0.
    #[inline(always)]
    fn offset(self) -> u16 {
        match self {
            Values::Bytes => 0,
            Values::Euc => 0xA1A1,
            Values::ShiftJis => 0x2121,
        }
    }
}

/// An encoder of single code points to one or two bytes, or four.
pub(crate) struct DoubleByteEncode {
    /// The bytes of most code points: two.
    pub table: &'static RankTable,
    /// What the values of `table` are.
    pub values: Values,
    /// A code point for which `others` shall be asked although `table` has it; 0 for none, as ASCII is never looked up.
    pub ask: u16,
    /// Whether scalar values may have four bytes.
    pub four_bytes: bool,
    /// The pointers of four bytes, where `others` need not be asked for them.
    pub pointers: Option<Pointers>,
    /// The bytes of what has none by `table`.
    ///
    /// Of the BMP it is asked for `ask`, for the code points that `table` does not have, without surrogates, and, for
    /// Shift_JIS, for rows from [`FIRST_DUPLICATE_ROW`] on; for nothing else.
    pub others: fn(u32) -> Option<Packed>,
}

impl DoubleByteEncode {
    /// One or two bytes of a code point for which a kernel asks, the first one low, and 0 behind a single byte. 0 where
    /// there are none, or more.
    #[inline]
    fn pair(&self, code_point: u16) -> u16 {
        match code_point {
            0xD800..=0xDFFF => 0,
            _ => (self.others)(code_point.into()).map_or(0, Packed::pair),
        }
    }
}

/// The first row of index jis0208 with pointers that "index Shift_JIS pointer" passes over.
const FIRST_DUPLICATE_ROW: u16 = 8272 / 94;

/// A form of text that all kernels of this architecture know.
#[cfg(target_arch = "x86_64")]
trait Input: avx512::Input + v256::Input {}
#[cfg(target_arch = "x86_64")]
impl<F: avx512::Input + v256::Input> Input for F {}

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use v256::Input;

#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little")
)))]
use super::Form as Input;

/// Encodes a prefix of UTF-8 text; returns its length in bytes.
#[inline]
pub(crate) fn utf8_to_double_byte(
    pairs: &DoubleByteEncode,
    src: &str,
    out: &mut Out<'_, u8>,
) -> usize {
    encode::<Utf8>(pairs, src.as_bytes(), out, 512)
}

/// Encodes a prefix of UTF-16 code units; returns its length.
#[inline]
pub(crate) fn utf16_to_double_byte(
    pairs: &DoubleByteEncode,
    src: &[u16],
    out: &mut Out<'_, u8>,
) -> usize {
    encode::<Utf16>(pairs, src, out, 64)
}

/// As UTF-8 `src` is valid: [`utf8_to_double_byte`] has it from a `str`. With NEON, less than `neon_from` units are left to
/// the portable loop, which is faster.
#[inline(always)]
fn encode<F: Input>(
    pairs: &DoubleByteEncode,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
    neon_from: usize,
) -> usize {
    let active = Active::now();
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx512::at(active) {
        return avx512::encode::<F>(token, pairs, src, out);
    }
    // In NEON's kernel characters of four bytes among Latin letters take more than in the portable loop.
    if IS_NEON && (pairs.four_bytes || src.len() < neon_from) {
        return 0;
    }
    // Where there are no such registers, nothing is encoded here.
    let _ = &out;
    with_v256!(active, |token| v256::encode::<F>(token, pairs, src, out)).unwrap_or(0)
}

/// The end of the last character that ends within the first `whole` bytes of valid UTF-8.
#[inline(always)]
fn utf8_floor(src: &[u8], whole: usize) -> usize {
    // Without a branch that text could sway: in UTF-8 the third byte before a continuation byte starts a character, if
    // none nearer does.
    let continues = |at: usize| usize::from(src.get(at).is_some_and(|byte| byte & 0xC0 == 0x80));
    let nearer = continues(whole.wrapping_sub(1)) * (1 + continues(whole.wrapping_sub(2)));
    whole - continues(whole) * (1 + nearer)
}
