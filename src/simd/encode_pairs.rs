//! Double-byte encodings, encoded: a prefix kernel for every encoding that has one or two bytes for a code point of the
//! BMP, and ASCII for ASCII.
//!
//! An encoding gives a look-up; the kernels are compiled for each. What is unmappable ends the prefix, and so does what
//! needs a surrogate pair but for gb18030's characters of four bytes: the codec goes on from there.
//!
//! [`avx512`] compresses and expands; [`shuffle`] does the same by tables, for AVX2 and SSSE3. Elsewhere there is the
//! codecs' portable loop.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod shuffle;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

use super::out::Out;
#[cfg(target_arch = "x86_64")]
use super::token;
use super::token::Active;

/// A map from code points of the BMP to `u16`: bitmap and rank, as `tables` describes it.
#[derive(Clone, Copy)]
pub(crate) struct Ranks {
    /// By `code point >> 8`: the page.
    pub pages: &'static [u8; 256],
    /// By `page * 8 + (code point >> 5 & 7)`: bitmap of the members in the low half, members before the block in the
    /// high half.
    pub blocks: &'static [u64],
    /// In the order of code points; fewer than 65536, and not none.
    pub values: &'static [u16],
    /// Where in `values` the code points from U+4E00 on stand, up to the end, which `blocks` does not have then.
    pub ideographs: Option<usize>,
}

/// What a value of [`Ranks`] is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Values {
    /// The bytes, the first one high.
    Bytes,
    /// Row and cell of 94, from 0, in the bytes of EUC: 0xA1 is to be added to both.
    Euc,
    /// Row and cell of 94, from 0, in the bytes of Shift_JIS.
    ShiftJis,
}

/// An encoder of single code points to one or two bytes.
pub(crate) trait EncodePairs: Copy {
    /// What the values of [`ranks`](Self::ranks) are.
    const VALUES: Values;

    /// A code point for which the kernel shall ask although `ranks` has it.
    const ASK: Option<u16> = None;

    /// The bytes of most code points.
    fn ranks() -> Ranks;

    /// The bytes of a code point from U+0080 on, the first one high; a single byte has a high byte of 0.
    ///
    /// 0 where the kernel shall stop, surrogates among it. The kernel asks for [`ASK`](Self::ASK), for the code points
    /// that `ranks` does not have and, for Shift_JIS, for rows from [`FIRST_DUPLICATE_ROW`] on; for no others.
    fn bytes(code_point: u16) -> u16;

    /// Whether scalar values without one or two bytes may have four.
    const FOUR_BYTES: bool = false;

    /// The four bytes of a scalar value for which [`bytes`](Self::bytes) has none, of which none is 0. `bytes` has two
    /// for any that the kernel asks for then.
    fn four_bytes(_scalar: u32) -> Option<[u8; 4]> {
        None
    }
}

/// The first row of index jis0208 with pointers that "index Shift_JIS pointer" passes over.
pub(crate) const FIRST_DUPLICATE_ROW: u16 = 8272 / 94;

/// Encodes a prefix of UTF-8 text; returns its length in bytes.
#[inline]
pub(crate) fn utf8_to_pairs<P: EncodePairs>(src: &str, out: &mut Out<'_, u8>) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        let active = Active::now();
        if let Some(token) = token::Avx512::at(active) {
            return avx512::encode::<P, avx512::Utf8>(token, src.as_bytes(), out);
        }
        if let Some(token) = token::Avx2::at(active) {
            return shuffle::encode::<_, P, shuffle::Utf8>(token, src.as_bytes(), out);
        }
        if let Some(token) = token::Ssse3::at(active) {
            return shuffle::encode::<_, P, shuffle::Utf8>(token, src.as_bytes(), out);
        }
    }
    let _ = (src, out, Active::now());
    0
}

/// Encodes a prefix of UTF-16 code units; returns its length.
#[inline]
pub(crate) fn utf16_to_pairs<P: EncodePairs>(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        let active = Active::now();
        if let Some(token) = token::Avx512::at(active) {
            return avx512::encode::<P, avx512::Utf16>(token, src, out);
        }
        if let Some(token) = token::Avx2::at(active) {
            return shuffle::encode::<_, P, shuffle::Utf16>(token, src, out);
        }
        if let Some(token) = token::Ssse3::at(active) {
            return shuffle::encode::<_, P, shuffle::Utf16>(token, src, out);
        }
    }
    let _ = (src, out, Active::now());
    0
}

/// The end of the last character that ends within the first `whole` bytes of valid UTF-8.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn utf8_floor(src: &[u8], whole: usize) -> usize {
    // Without a branch that text could sway: in UTF-8 the third byte before a continuation byte starts a character, if
    // none nearer does.
    let continues = |at: usize| usize::from(src.get(at).is_some_and(|byte| byte & 0xC0 == 0x80));
    let nearer = continues(whole.wrapping_sub(1)) * (1 + continues(whole.wrapping_sub(2)));
    whole - continues(whole) * (1 + nearer)
}
