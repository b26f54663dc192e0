//! simdutf's conversions, with slices instead of pointers.

/// Converts UTF-8 to UTF-16 in native byte order; returns the number of units, 0 if malformed.
pub fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    assert!(dst.len() >= src.len());
    // SAFETY: text has no more code units than bytes of UTF-8, so `dst` is large enough.
    unsafe { simdutf::convert_utf8_to_utf16(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// Converts UTF-8 to UTF-16 in the given byte order; returns the number of bytes, 0 if malformed.
pub fn utf8_to_utf16_bytes(src: &[u8], dst: &mut [u16], big_endian: bool) -> usize {
    assert!(dst.len() >= src.len());
    let convert = if big_endian {
        simdutf::convert_utf8_to_utf16be
    } else {
        simdutf::convert_utf8_to_utf16le
    };
    // SAFETY: text has no more code units than bytes of UTF-8, so `dst` is large enough.
    2 * unsafe { convert(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// Converts UTF-16 in native byte order to UTF-8; returns the number of bytes, 0 if malformed.
pub fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    assert!(dst.len() / 3 >= src.len());
    // SAFETY: a code unit becomes at most three bytes of UTF-8, for which `dst` has room.
    unsafe { simdutf::convert_utf16_to_utf8(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// Converts UTF-16 in the given byte order to UTF-8; returns the number of bytes, 0 if malformed.
pub fn utf16_bytes_to_utf8(src: &[u16], dst: &mut [u8], big_endian: bool) -> usize {
    assert!(dst.len() / 3 >= src.len());
    let convert = if big_endian {
        simdutf::convert_utf16be_to_utf8
    } else {
        simdutf::convert_utf16le_to_utf8
    };
    // SAFETY: a code unit becomes at most three bytes of UTF-8, for which `dst` has room.
    unsafe { convert(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// Validates UTF-16 and copies it, with swapped bytes if it is big-endian; returns the number of units, 0 if malformed.
///
/// Assumes a little-endian machine, like all that simdutf has kernels for.
pub fn check_and_copy_utf16(src: &[u16], dst: &mut [u16], big_endian: bool) -> usize {
    assert!(dst.len() >= src.len());
    if !big_endian {
        dst[..src.len()].copy_from_slice(src);
        return if simdutf::validate_utf16le(src) {
            src.len()
        } else {
            0
        };
    }
    // SAFETY: `dst` is at least as long as `src`.
    unsafe { simdutf::change_endianness_utf16(src.as_ptr(), src.len(), dst.as_mut_ptr()) };
    if simdutf::validate_utf16be(src) {
        src.len()
    } else {
        0
    }
}

/// Converts UTF-32 in native byte order to UTF-8; returns the number of bytes, 0 if malformed.
pub fn utf32_to_utf8(src: &[u32], dst: &mut [u8]) -> usize {
    assert!(dst.len() / 4 >= src.len());
    // SAFETY: a code unit becomes at most four bytes of UTF-8, for which `dst` has room.
    unsafe { simdutf::convert_utf32_to_utf8(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// Converts UTF-32 in native byte order to UTF-16; returns the number of units, 0 if malformed.
pub fn utf32_to_utf16(src: &[u32], dst: &mut [u16]) -> usize {
    assert!(dst.len() / 2 >= src.len());
    // SAFETY: a code unit becomes at most two of UTF-16, for which `dst` has room.
    unsafe { simdutf::convert_utf32_to_utf16(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// Converts UTF-8 to UTF-32 in native byte order; returns the number of units, 0 if malformed.
pub fn utf8_to_utf32(src: &[u8], dst: &mut [u32]) -> usize {
    assert!(dst.len() >= src.len());
    // SAFETY: text has no more characters than bytes of UTF-8, so `dst` is large enough.
    unsafe { simdutf::convert_utf8_to_utf32(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// Converts UTF-16 to UTF-32, both in native byte order; returns the number of units, 0 if malformed.
pub fn utf16_to_utf32(src: &[u16], dst: &mut [u32]) -> usize {
    assert!(dst.len() >= src.len());
    // SAFETY: text has no more characters than code units, so `dst` is large enough.
    unsafe { simdutf::convert_utf16_to_utf32(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}
