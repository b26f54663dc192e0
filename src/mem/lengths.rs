//! Lengths of text in another form, and the end of its last whole character.

use crate::simd;

/// Returns the number of characters (scalar values) of a text.
///
/// ```
/// assert_eq!(mojika::mem::count_chars("aé文😀"), 4);
/// ```
#[inline]
pub fn count_chars(text: &str) -> usize {
    simd::count_chars(text.as_bytes())
}

/// Returns the number of characters of UTF-16; a lone surrogate counts as one.
///
/// ```
/// assert_eq!(mojika::mem::count_chars_of_utf16(&[0x61, 0xD83D, 0xDE00, 0xD83D]), 3);
/// ```
#[inline]
pub fn count_chars_of_utf16(units: &[u16]) -> usize {
    units.len() - simd::count_pairs(units)
}

/// Returns the number of UTF-16 code units that [`utf8_to_utf16`](super::utf8_to_utf16) writes for a text.
///
/// ```
/// assert_eq!(mojika::mem::utf16_len_of_utf8("aé文😀"), 5);
/// ```
#[inline]
pub fn utf16_len_of_utf8(text: &str) -> usize {
    simd::count_utf16_of_utf8(text.as_bytes())
}

/// Returns the number of UTF-8 bytes that [`utf16_to_utf8`](super::utf16_to_utf8) writes for these code units: three
/// for each lone surrogate, which becomes U+FFFD.
///
/// ```
/// assert_eq!(mojika::mem::utf8_len_of_utf16(&[0x61, 0xE9, 0x6587, 0xD83D, 0xDE00, 0xD83D]), 13);
/// ```
///
/// # Panics
///
/// If the length does not fit into `usize`. That takes input of more than half of the address space of a 32-bit
/// processor.
#[inline]
pub fn utf8_len_of_utf16(units: &[u16]) -> usize {
    assert!(units.len() <= usize::MAX / 3, "the length overflows");
    simd::count_utf8_of_utf16(units)
}

/// Returns the number of UTF-8 bytes that [`latin1_to_utf8`](super::latin1_to_utf8) writes for `bytes`.
///
/// ```
/// assert_eq!(mojika::mem::utf8_len_of_latin1(b"a\xE9"), 3);
/// ```
#[inline]
pub fn utf8_len_of_latin1(bytes: &[u8]) -> usize {
    bytes.len() + simd::count_not_ascii(bytes)
}

/// Returns the length of `bytes` without an incomplete UTF-8 sequence at the end.
///
/// A sequence is incomplete if further bytes can complete it: it is the maximal prefix of a well-formed sequence (the
/// Unicode Standard, section 3.9). Malformed sequences are not searched for.
///
/// ```
/// use mojika::mem::whole_chars_len_of_utf8;
///
/// assert_eq!(whole_chars_len_of_utf8("aé文".as_bytes()), 6);
/// assert_eq!(whole_chars_len_of_utf8(b"a\xE6\x96"), 1);
/// assert_eq!(whole_chars_len_of_utf8(b"a\xE0\x80"), 3); // malformed, whatever follows
/// ```
pub fn whole_chars_len_of_utf8(bytes: &[u8]) -> usize {
    let most = bytes.len().min(3);
    for (back, &lead) in (1..=most).zip(bytes.iter().rev()) {
        if lead & 0xC0 == 0x80 {
            continue;
        }
        let at = bytes.len() - back;
        // If more bytes could complete the sequence, the error of the standard library has no length.
        return match core::str::from_utf8(&bytes[at..]) {
            Err(error) if error.valid_up_to() == 0 && error.error_len().is_none() => at,
            _ => bytes.len(),
        };
    }
    bytes.len()
}

/// Returns the length of `units` without a lead surrogate at the end, whose trail may follow.
///
/// ```
/// use mojika::mem::whole_chars_len_of_utf16;
///
/// assert_eq!(whole_chars_len_of_utf16(&[0x61, 0xD83D]), 1);
/// assert_eq!(whole_chars_len_of_utf16(&[0xD83D, 0xDE00]), 2);
/// ```
#[inline]
pub fn whole_chars_len_of_utf16(units: &[u16]) -> usize {
    let is_lead = units.last().is_some_and(|&unit| simd::is_lead(unit));
    units.len() - usize::from(is_lead)
}
