//! simdutf's conversions, with slices in place of pointers.

/// UTF-8 to UTF-16 in this machine's order: units written, 0 if malformed.
pub fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    assert!(dst.len() >= src.len());
    // SAFETY: text has no more code units than bytes of UTF-8, so `dst` is large enough.
    unsafe { simdutf::convert_utf8_to_utf16(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// UTF-8 to UTF-16 in the order asked for: bytes written, 0 if malformed.
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

/// UTF-16 in this machine's order to UTF-8: bytes written, 0 if malformed.
pub fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    assert!(dst.len() / 3 >= src.len());
    // SAFETY: a code unit becomes at most three bytes of UTF-8, for which `dst` has room.
    unsafe { simdutf::convert_utf16_to_utf8(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// UTF-16 in the order asked for to UTF-8: bytes written, 0 if malformed.
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

/// Checks UTF-16 and copies it, its bytes swapped if it is big-endian: units written, 0 if malformed.
///
/// For a little-endian machine, as is every one that simdutf has kernels for.
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

/// UTF-32 in this machine's order to UTF-8: bytes written, 0 if malformed.
pub fn utf32_to_utf8(src: &[u32], dst: &mut [u8]) -> usize {
    assert!(dst.len() / 4 >= src.len());
    // SAFETY: a code unit becomes at most four bytes of UTF-8, for which `dst` has room.
    unsafe { simdutf::convert_utf32_to_utf8(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// UTF-32 in this machine's order to UTF-16: units written, 0 if malformed.
pub fn utf32_to_utf16(src: &[u32], dst: &mut [u16]) -> usize {
    assert!(dst.len() / 2 >= src.len());
    // SAFETY: a code unit becomes at most two of UTF-16, for which `dst` has room.
    unsafe { simdutf::convert_utf32_to_utf16(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// UTF-8 to UTF-32 in this machine's order: units written, 0 if malformed.
pub fn utf8_to_utf32(src: &[u8], dst: &mut [u32]) -> usize {
    assert!(dst.len() >= src.len());
    // SAFETY: text has no more characters than bytes of UTF-8, so `dst` is large enough.
    unsafe { simdutf::convert_utf8_to_utf32(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// UTF-16 to UTF-32, both in this machine's order: units written, 0 if malformed.
pub fn utf16_to_utf32(src: &[u16], dst: &mut [u32]) -> usize {
    assert!(dst.len() >= src.len());
    // SAFETY: text has no more characters than code units, so `dst` is large enough.
    unsafe { simdutf::convert_utf16_to_utf32(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}
