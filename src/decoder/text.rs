//! Where bytes that a decoder wrote become `str` and `String`.
//!
//! The one fact behind the `str` functions: [`codec::Unit`](crate::codec::Unit) for `u8` writes whole UTF-8 sequences
//! of scalar values, or nothing, and kernels are held to the same output by the tests; so what [`Decoder::run`] has
//! written when it returns is UTF-8.

use super::{Decoder, ErrorMode, Run};
#[cfg(feature = "alloc")]
use crate::simd;
use crate::simd::Out;
#[cfg(feature = "alloc")]
use alloc::string::String;

/// Decodes to the front of `dst`, then mends the character that the end of the written part may have cut in two: what
/// is left of it becomes U+0000.
pub(crate) fn decode_to_str(
    decoder: &mut Decoder,
    mode: ErrorMode,
    src: &[u8],
    dst: &mut str,
    last: bool,
) -> Run {
    /// If the decoder panics, the text it was overwriting becomes U+0000, so that it stays valid.
    struct Guard<'a>(&'a mut [u8]);
    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            self.0.fill(0);
        }
    }
    // SAFETY: what the decoder writes is UTF-8 (see above), the remains of a cut character behind it are set to zero
    // below, and the rest is the old text from a character boundary on; the guard covers unwinding.
    let mut guard = Guard(unsafe { dst.as_bytes_mut() });
    let run = decoder.run(mode, src, &mut Out::from_init(guard.0), last);
    debug_assert!(is_utf8(guard.0.get(..run.written)));
    let rest = core::mem::take(&mut guard.0)
        .get_mut(run.written..)
        .unwrap_or_default();
    for byte in rest {
        if *byte & 0xC0 != 0x80 {
            break;
        }
        *byte = 0;
    }
    run
}

/// Decodes to the end of `dst`, into the capacity it has.
#[cfg(feature = "alloc")]
pub(crate) fn decode_to_string(
    decoder: &mut Decoder,
    mode: ErrorMode,
    src: &[u8],
    dst: &mut String,
    last: bool,
) -> Run {
    // SAFETY: what the decoder writes is UTF-8 (see above), and it is appended to UTF-8.
    let vec = unsafe { dst.as_mut_vec() };
    let before = vec.len();
    let run = simd::append(vec, |out| decoder.run(mode, src, out, last));
    debug_assert!(is_utf8(vec.get(before..)));
    run
}

/// Starts the kernel at the end of `dst`, in the capacity it has; returns the number of bytes read.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn start_to_string(decoder: &mut Decoder, src: &[u8], dst: &mut String) -> usize {
    // SAFETY: as above; kernels end at a character.
    let vec = unsafe { dst.as_mut_vec() };
    let before = vec.len();
    let read = simd::append(vec, |out| decoder.start(src, out));
    debug_assert!(is_utf8(vec.get(before..)));
    read
}

/// Splits `src` after its longest prefix of ASCII.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn split_ascii(src: &[u8]) -> (&str, &[u8]) {
    let (ascii, rest) = src.split_at(simd::ascii_prefix_len(src));
    // SAFETY: `ascii_prefix_len` has just established that this prefix is ASCII, which is UTF-8.
    (unsafe { simd::str_from_valid(ascii) }, rest)
}

/// `src` if it is [short and ASCII](simd::is_short_ascii).
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn short_ascii(src: &[u8]) -> Option<&str> {
    // SAFETY: `is_short_ascii` establishes that all of it is ASCII, which is UTF-8.
    simd::is_short_ascii(src).then(|| unsafe { simd::str_from_valid(src) })
}

/// In debug builds, and so in tests, fuzz targets and proofs, checks all bytes that become a `str` here.
fn is_utf8(written: Option<&[u8]>) -> bool {
    written.is_some_and(|written| core::str::from_utf8(written).is_ok())
}
