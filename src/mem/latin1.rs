//! Latin-1: each byte is the code point of the same number.

use crate::Progress;
use crate::simd::{self, Out};
#[cfg(feature = "alloc")]
use alloc::borrow::Cow;

/// True if all code points of UTF-16 are below U+0100.
///
/// ```
/// assert!(mojika::mem::is_latin1_utf16(&[0x61, 0xFF]));
/// assert!(!mojika::mem::is_latin1_utf16(&[0x61, 0x100]));
/// ```
#[inline]
pub fn is_latin1_utf16(units: &[u16]) -> bool {
    simd::are_latin1_units(units)
}

/// Returns the length in bytes of the longest prefix that is UTF-8 of code points below U+0100.
///
/// ```
/// assert_eq!(mojika::mem::latin1_prefix_len_of_utf8("naïve → é".as_bytes()), 7);
/// ```
#[inline]
pub fn latin1_prefix_len_of_utf8(bytes: &[u8]) -> usize {
    simd::latin1_prefix_len_utf8(bytes)
}

/// Converts Latin-1 to UTF-16, as far as it fits; returns the number of bytes read, equal to the code units written.
///
/// ```
/// let mut units = [0; 2];
/// assert_eq!(mojika::mem::latin1_to_utf16(b"a\xE9", &mut units), 2);
/// assert_eq!(units, [0x61, 0xE9]);
/// ```
pub fn latin1_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    let len = src.len().min(dst.len());
    simd::widen_latin1(&src[..len], &mut dst[..len]);
    len
}

/// Converts Latin-1 to UTF-8, whole characters while they fit; two bytes for each byte of `src` suffice.
///
/// ```
/// let mut utf8 = [0; 4];
/// let progress = mojika::mem::latin1_to_utf8(b"\xE9t\xE9", &mut utf8);
/// assert_eq!((progress.read, progress.written), (2, 3));
/// assert_eq!(&utf8[..3], "ét".as_bytes());
/// ```
pub fn latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> Progress {
    let mut out = Out::from_init(dst);
    let read = simd::latin1_to_utf8(src, &mut out);
    Progress::new(read, out.written(), read == src.len())
}

/// Converts Latin-1 to UTF-8 at the front of a `str`, like [`latin1_to_utf8`]. If the written part ends inside an old
/// character, the rest of that character becomes U+0000.
pub fn latin1_to_str(src: &[u8], dst: &mut str) -> Progress {
    let (read, written) = simd::latin1_to_str(src, dst);
    Progress::new(read, written, read == src.len())
}

/// Returns Latin-1 as UTF-8, borrowed if it is ASCII.
///
/// ```
/// assert_eq!(mojika::mem::decode_latin1(b"na\xEFve"), "naïve");
/// ```
#[cfg(feature = "alloc")]
pub fn decode_latin1(bytes: &[u8]) -> Cow<'_, str> {
    simd::decode_latin1(bytes)
}

/// Converts UTF-8 of code points below U+0100 to Latin-1, whole characters while they fit; the length of `src`
/// suffices.
///
/// The text must have passed [`latin1_prefix_len_of_utf8`]: other input gives meaningless bytes.
///
/// ```
/// let mut latin1 = [0; 4];
/// let progress = mojika::mem::utf8_to_latin1_lossy("naïveté".as_bytes(), &mut latin1);
/// assert_eq!((progress.read, progress.written), (5, 4));
/// assert_eq!(&latin1, b"na\xEFv");
/// ```
pub fn utf8_to_latin1_lossy(src: &[u8], dst: &mut [u8]) -> Progress {
    let mut out = Out::from_init(dst);
    let mut read = 0;
    // Input no longer than the free output always fits. It may fill the output only in part, so the loop repeats.
    while read < src.len() && out.room() > 0 {
        let rest = &src[read..];
        let mut len = rest.len().min(out.room());
        if len < rest.len() && rest[len - 1] >= 0xC0 {
            // The cut is inside a two-byte character: move it to a character boundary.
            len = if len == 1 { 2 } else { len - 1 };
        }
        simd::utf8_to_latin1_lossy(&rest[..len], &mut out);
        read += len;
    }
    Progress::new(read, out.written(), read == src.len())
}

/// Converts UTF-16 of code points below U+0100 to Latin-1, as far as it fits, by the low half of each code unit.
/// Returns the number of code units read, equal to the bytes written.
pub fn utf16_to_latin1_lossy(src: &[u16], dst: &mut [u8]) -> usize {
    let len = src.len().min(dst.len());
    simd::narrow_units(&src[..len], &mut dst[..len]);
    len
}

/// Returns text of code points below U+0100 as Latin-1, borrowed if it is ASCII; other text gives meaningless bytes.
///
/// ```
/// assert_eq!(*mojika::mem::encode_latin1_lossy("naïve"), *b"na\xEFve");
/// ```
#[cfg(feature = "alloc")]
pub fn encode_latin1_lossy(text: &str) -> Cow<'_, [u8]> {
    simd::encode_latin1_lossy(text)
}
