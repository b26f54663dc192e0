//! The step from decoded bytes to `str` and `String`.
//!
//! The `str` functions are sound because [`codec::Unit`](crate::codec::Unit) for `u8` writes only whole UTF-8 sequences
//! of scalar values. Tests check that the kernels do so too. So everything that [`Form::run`] has written when it
//! returns is UTF-8.

use super::{Decoder, Form};
use crate::progress::{ErrorMode, Progress};
use crate::simd;
#[cfg(feature = "alloc")]
use alloc::string::String;

/// Decodes to the front of `dst`. If the end of the written part cuts an old character in two, its remaining bytes
/// become U+0000.
pub(crate) fn decode_to_str(
    decoder: &mut Decoder,
    mode: ErrorMode,
    src: &[u8],
    dst: &mut str,
    last: bool,
) -> Progress {
    // SAFETY: a decoder writes only UTF-8 (see above).
    unsafe { simd::overwrite_str(dst, |out| Form::run(decoder, mode, src, out, last)) }.0
}

/// Decodes to the end of `dst`, into its spare capacity.
#[cfg(feature = "alloc")]
pub(crate) fn decode_to_string(
    decoder: &mut Decoder,
    mode: ErrorMode,
    src: &[u8],
    dst: &mut String,
    last: bool,
) -> Progress {
    // SAFETY: a decoder writes only UTF-8 (see above).
    unsafe { simd::append_to_string(dst, |out| Form::run(decoder, mode, src, out, last)) }
}

/// Splits `src` after its longest prefix of ASCII.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn split_ascii(src: &[u8]) -> (&str, &[u8]) {
    let (ascii, rest) = src.split_at(simd::ascii_prefix_len(src));
    // SAFETY: `ascii_prefix_len` has just established that this prefix is ASCII, which is UTF-8.
    (unsafe { simd::str_from_valid(ascii) }, rest)
}

/// Returns `src` if it is [short and ASCII](simd::is_short_ascii).
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn short_ascii(src: &[u8]) -> Option<&str> {
    // SAFETY: `is_short_ascii` establishes that all of `src` is ASCII, which is UTF-8.
    simd::is_short_ascii(src).then(|| unsafe { simd::str_from_valid(src) })
}
