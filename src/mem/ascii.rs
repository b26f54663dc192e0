//! ASCII prefixes and copies of ASCII.

use crate::simd::{self, Out};

/// Returns the length of the longest ASCII prefix, in bytes.
///
/// ```
/// assert_eq!(mojika::mem::ascii_prefix_len("naïve".as_bytes()), 2);
/// ```
#[inline]
pub fn ascii_prefix_len(bytes: &[u8]) -> usize {
    simd::ascii_prefix_len(bytes)
}

/// Returns the length of the longest ASCII prefix, in UTF-16 code units.
///
/// ```
/// assert_eq!(mojika::mem::ascii_prefix_len_of_utf16(&[0x61, 0x80]), 1);
/// ```
#[inline]
pub fn ascii_prefix_len_of_utf16(units: &[u16]) -> usize {
    simd::ascii_prefix_len_u16(units)
}

/// Returns the length in bytes of the longest prefix that ISO-2022-JP (section 12.2.1 of the Standard) decodes to the
/// same ASCII: without U+000E, U+000F and U+001B.
///
/// ```
/// assert_eq!(mojika::mem::iso_2022_jp_ascii_prefix_len(b"ab\x1B$B"), 2);
/// ```
pub fn iso_2022_jp_ascii_prefix_len(bytes: &[u8]) -> usize {
    // For much input, the first bytes decide the result. They are tested one by one.
    let (first, rest) = bytes.split_at(bytes.len().min(8));
    let stops = |byte: &u8| matches!(byte, 0x0E | 0x0F | 0x1B | 0x80..);
    if let Some(at) = first.iter().position(stops) {
        return at;
    }
    // The windows grow: long ASCII is scanned at full speed, and little is scanned beyond short ASCII.
    first.len() + plain_prefix_len(rest)
}

fn plain_prefix_len(bytes: &[u8]) -> usize {
    let mut at = 0;
    let mut window = 64;
    loop {
        let part = &bytes[at..bytes.len().min(at + window)];
        let ascii = &part[..simd::ascii_prefix_len(part)];
        let len = memchr::memchr3(0x0E, 0x0F, 0x1B, ascii).unwrap_or(ascii.len());
        at += len;
        if len < window {
            return at;
        }
        window = (2 * window).min(1 << 14);
    }
}

/// Counts three kinds of bytes in a sample, which distinguish text from other data: zeros; controls that text lacks,
/// including zeros; and printable ASCII.
///
/// # Panics
///
/// Panics if the sample has more than `u32::MAX` bytes.
///
/// ```
/// assert_eq!(mojika::mem::count_text_bytes(b"a b\0\x01\n"), [1, 2, 3]);
/// ```
#[inline]
pub fn count_text_bytes(sample: &[u8]) -> [u32; 3] {
    assert!(
        u32::try_from(sample.len()).is_ok(),
        "a sample is counted in 32 bits"
    );
    simd::count_text_bytes(sample)
}

/// Copies ASCII up to the first non-ASCII byte, as far as it fits; returns the number of bytes written.
///
/// ```
/// let mut dst = [0; 6];
/// assert_eq!(mojika::mem::copy_ascii("naïve".as_bytes(), &mut dst), 2);
/// assert_eq!(&dst[..2], b"na");
/// ```
pub fn copy_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    simd::copy_ascii(src, &mut Out::from_init(dst))
}

/// Writes ASCII as UTF-16, up to the first non-ASCII byte, as far as it fits; returns the number of code units written.
pub fn ascii_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    simd::widen_ascii(src, &mut Out::from_init(dst))
}

/// Writes UTF-16 as ASCII, up to the first non-ASCII code unit, as far as it fits; returns the number of bytes written.
pub fn utf16_to_ascii(src: &[u16], dst: &mut [u8]) -> usize {
    simd::narrow_ascii(src, &mut Out::from_init(dst))
}
