//! Double-byte encodings, encoded: a prefix kernel for every encoding that has one or two bytes for a code point of the
//! BMP, and ASCII for ASCII.
//!
//! An encoding is a value, [`DoubleByteEncode`], so that all share one kernel of each kind: what depends on the encoding is
//! decided once for a batch, or once for a register of look-ups. Compiling the kernels for each of seven encodings made
//! them no faster. What is unmappable ends the prefix, and so does what needs a surrogate pair: the codec goes on from there.
//!
//! [`avx512`] compresses and expands; [`v256`] does the same by tables. gb18030's characters of four bytes are for
//! [`four_byte_runs`], which takes over where a kernel stops before one. Elsewhere there is the codecs' portable loop.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod flat;
#[cfg(all(test, v256))]
mod tests;
#[cfg(v256)]
mod v256;

pub(crate) use flat::Flat;

use super::{FourBytes, Utf8, Utf16, by_turns};
use crate::simd::level::IS_IN_HALVES;
use crate::simd::out::Out;
use crate::simd::packed::Packed;
#[cfg(target_arch = "x86_64")]
use crate::simd::token;
use crate::simd::token::{Active, with_v256};
use crate::tables::rank::RankTable;
#[cfg(target_arch = "x86_64")]
use v256::four_byte_runs;

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

/// An encoder of single code points to one or two bytes.
pub(crate) struct DoubleByteEncode {
    /// The bytes of most code points: two.
    pub table: &'static RankTable,
    /// What the values of `table` are.
    pub values: Values,
    /// A code point for which `others` shall be asked although `table` has it; 0 for none, as ASCII is never looked up.
    pub ask: u16,
    /// Characters of four bytes, if there are such; values of `table` are [`Values::Bytes`] then.
    pub four_bytes: Option<FourBytes>,
    /// The bytes of what has none by `table`.
    ///
    /// Of the BMP it is asked for `ask`, for the code points that `table` does not have, without surrogates, and, for
    /// Shift_JIS, for rows from [`FIRST_DUPLICATE_ROW`] on; for nothing else.
    pub others: fn(u32) -> Option<Packed>,
    /// `table` by code point, where and when that is faster.
    pub flat: Flat,
}

impl DoubleByteEncode {
    /// One or two bytes of a code point for which a kernel asks, the first one low, and 0 after a single byte. 0 where
    /// there are none, or more.
    #[inline]
    fn pair(&self, code_point: u16) -> u16 {
        match code_point {
            0xD800..=0xDFFF => 0,
            _ => (self.others)(code_point.into()).map_or(0, Packed::pair),
        }
    }

    /// The value of an ideograph that `table` has after its members.
    #[inline(always)]
    fn ideograph(&self, code_point: u16) -> Option<u16> {
        let place = usize::from(code_point).wrapping_sub(0x4E00);
        self.table.ideographs().get(place).copied()
    }
}

/// The first row of index jis0208 with pointers that "index Shift_JIS pointer" passes over.
const FIRST_DUPLICATE_ROW: u16 = 8272 / 94;

/// A form of text that all kernels of this architecture know.
#[cfg(target_arch = "x86_64")]
trait Input: avx512::Input + four_byte_runs::Sparse {}
#[cfg(target_arch = "x86_64")]
impl<F: avx512::Input + four_byte_runs::Sparse> Input for F {}

#[cfg(all(v256, not(target_arch = "x86_64")))]
use v256::Input;

#[cfg(not(v256))]
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

/// As UTF-8 `src` is valid: [`utf8_to_double_byte`] has it from a `str`. With NEON and simd128, less than `halves_from` units
/// are left to the portable loop, which is faster.
#[inline(always)]
fn encode<F: Input>(
    pairs: &DoubleByteEncode,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
    halves_from: usize,
) -> usize {
    let active = Active::now();
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx512::at(active) {
        return between_runs::<F>(active, pairs, src, out, |src, out| {
            avx512::encode::<F>(token, pairs, src, out)
        });
    }
    // NEON and simd128 have no kernel for characters of four bytes. With simd128, the one for pairs is worth its start even so.
    let has_four_bytes = cfg!(target_arch = "aarch64") && pairs.four_bytes.is_some();
    if IS_IN_HALVES && (has_four_bytes || src.len() < halves_from) {
        return 0;
    }
    // Where there are no such registers, nothing is encoded here.
    let _ = (pairs, src, &out);
    with_v256!(active, |token| {
        between_runs::<F>(active, pairs, src, out, |src, out| {
            v256::encode::<F>(token, pairs, src, out)
        })
    })
    .unwrap_or(0)
}

/// Encodes a prefix of `src` by a kernel for pairs, which stops before a character of four bytes, and by the one for those;
/// returns its length.
#[inline(always)]
fn between_runs<F: Input>(
    active: Active,
    pairs: &DoubleByteEncode,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
    kernel: impl Fn(&[F::Unit], &mut Out<'_, u8>) -> usize,
) -> usize {
    by_turns(src, 0, out, kernel, |rest, out| {
        if pairs.four_bytes.is_none() {
            return 0;
        }
        encode_run::<F>(active, pairs, rest, out)
    })
}

/// Encodes a prefix of characters of four bytes and ASCII; returns its length, 0 where no kernel is for those.
#[inline(always)]
fn encode_run<F: Input>(
    active: Active,
    pairs: &DoubleByteEncode,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx2::at(active) {
        return four_byte_runs::encode::<F>(token, pairs, src, out);
    }
    let _ = (active, pairs, src, out);
    0
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
