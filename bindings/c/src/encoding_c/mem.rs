//! encoding_c_mem: `encoding_rs::mem` for C.

use super::functions;
use crate::args;
use encoding_rs::mem::{self, Latin1Bidi};

/// Returns bytes as text.
///
/// # Safety
///
/// `bytes` must be valid UTF-8.
unsafe fn valid(bytes: &[u8]) -> &str {
    // SAFETY: the caller guarantees that `bytes` is valid UTF-8.
    unsafe { str::from_utf8_unchecked(bytes) }
}

/// Defines functions of one slice.
macro_rules! of_slice {
    ($($name:ident($unit:ty) -> $result:ty, $none:expr, $run:expr;)*) => {functions! {$(
        /// Returns a property of text.
        fn $name(buffer: *const $unit, length: usize) -> $result {
            // SAFETY: encoding_rs_mem.h requires `length` units at `buffer`, and valid UTF-8 if the name has `str`.
            unsafe { args::slice(buffer, length).map_or($none, $run) }
        }
    )*}};
}

of_slice! {
    mojika_c_encoding_mem_is_ascii(u8) -> bool, false, mem::is_ascii;
    mojika_c_encoding_mem_is_basic_latin(u16) -> bool, false, mem::is_basic_latin;
    mojika_c_encoding_mem_is_utf8_latin1(u8) -> bool, false, mem::is_utf8_latin1;
    mojika_c_encoding_mem_is_str_latin1(u8) -> bool, false, |text| mem::is_str_latin1(valid(text));
    mojika_c_encoding_mem_is_utf16_latin1(u16) -> bool, false, mem::is_utf16_latin1;
    mojika_c_encoding_mem_is_utf8_bidi(u8) -> bool, false, mem::is_utf8_bidi;
    mojika_c_encoding_mem_is_str_bidi(u8) -> bool, false, |text| mem::is_str_bidi(valid(text));
    mojika_c_encoding_mem_is_utf16_bidi(u16) -> bool, false, mem::is_utf16_bidi;
    mojika_c_encoding_mem_check_utf8_for_latin1_and_bidi(u8) -> Latin1Bidi, Latin1Bidi::Latin1,
        mem::check_utf8_for_latin1_and_bidi;
    mojika_c_encoding_mem_check_str_for_latin1_and_bidi(u8) -> Latin1Bidi, Latin1Bidi::Latin1,
        |text| mem::check_str_for_latin1_and_bidi(valid(text));
    mojika_c_encoding_mem_check_utf16_for_latin1_and_bidi(u16) -> Latin1Bidi, Latin1Bidi::Latin1,
        mem::check_utf16_for_latin1_and_bidi;
    mojika_c_encoding_mem_utf16_valid_up_to(u16) -> usize, 0, mem::utf16_valid_up_to;
    mojika_c_encoding_mem_utf8_latin1_up_to(u8) -> usize, 0, mem::utf8_latin1_up_to;
    mojika_c_encoding_mem_str_latin1_up_to(u8) -> usize, 0, |text| mem::str_latin1_up_to(valid(text));
}

functions! {
    /// True if the character `c` is right-to-left; false if `c` is not a scalar value.
    fn mojika_c_encoding_mem_is_char_bidi(c: u32) -> bool {
        char::from_u32(c).is_some_and(mem::is_char_bidi)
    }
    /// True if a code unit is right-to-left.
    fn mojika_c_encoding_mem_is_utf16_code_unit_bidi(u: u16) -> bool {
        mem::is_utf16_code_unit_bidi(u)
    }
    /// Replaces lone surrogates with U+FFFD.
    fn mojika_c_encoding_mem_ensure_utf16_validity(buffer: *mut u16, length: usize) {
        // SAFETY: encoding_rs_mem.h requires `length` initialised code units that nothing else uses in the call.
        if let Some(text) = unsafe { args::initialised_target(buffer, length) } {
            mem::ensure_utf16_validity(text);
        }
    }
}

/// Defines conversions that take the lengths of input and output.
macro_rules! conversions {
    ($($name:ident($from:ty) -> $to:ty, $result:ty, $none:expr, $run:expr;)*) => {functions! {$(
        /// Converts text in memory.
        fn $name(src: *const $from, src_length: usize, dst: *mut $to, dst_length: usize) -> $result {
            // SAFETY: encoding_rs_mem.h requires memory of these lengths without overlap, and valid UTF-8 if the name
            // has `str`. No function reads output before it has written it.
            unsafe {
                match (args::slice(src, src_length), args::initialised_target(dst, dst_length)) {
                    (Some(src), Some(dst)) => $run(src, dst),
                    _ => $none,
                }
            }
        }
    )*}};
}

conversions! {
    mojika_c_encoding_mem_convert_utf8_to_utf16(u8) -> u16, usize, 0, mem::convert_utf8_to_utf16;
    mojika_c_encoding_mem_convert_str_to_utf16(u8) -> u16, usize, 0,
        |src, dst| mem::convert_str_to_utf16(valid(src), dst);
    mojika_c_encoding_mem_convert_utf8_to_utf16_without_replacement(u8) -> u16, usize, usize::MAX,
        |src, dst| mem::convert_utf8_to_utf16_without_replacement(src, dst).unwrap_or(usize::MAX);
    mojika_c_encoding_mem_convert_utf16_to_utf8(u16) -> u8, usize, 0, mem::convert_utf16_to_utf8;
    mojika_c_encoding_mem_convert_latin1_to_utf16(u8) -> u16, (), (), mem::convert_latin1_to_utf16;
    mojika_c_encoding_mem_convert_latin1_to_utf8(u8) -> u8, usize, 0, mem::convert_latin1_to_utf8;
    mojika_c_encoding_mem_convert_utf8_to_latin1_lossy(u8) -> u8, usize, 0, mem::convert_utf8_to_latin1_lossy;
    mojika_c_encoding_mem_convert_utf16_to_latin1_lossy(u16) -> u8, (), (), mem::convert_utf16_to_latin1_lossy;
    mojika_c_encoding_mem_copy_ascii_to_ascii(u8) -> u8, usize, 0, mem::copy_ascii_to_ascii;
    mojika_c_encoding_mem_copy_ascii_to_basic_latin(u8) -> u16, usize, 0, mem::copy_ascii_to_basic_latin;
    mojika_c_encoding_mem_copy_basic_latin_to_ascii(u16) -> u8, usize, 0, mem::copy_basic_latin_to_ascii;
}

/// Defines conversions that report the numbers of units read and written.
macro_rules! partial {
    ($($name:ident($from:ty) -> $to:ty, $run:expr;)*) => {functions! {$(
        /// Converts text in memory until the input ends or the output is full.
        fn $name(src: *const $from, src_length: *mut usize, dst: *mut $to, dst_length: *mut usize) {
            // SAFETY: encoding_rs_mem.h requires pointers to lengths, and memory of these lengths without overlap. No
            // function reads output before it has written it.
            unsafe {
                let (read, written) =
                    match (args::slice(src, *src_length), args::initialised_target(dst, *dst_length)) {
                        (Some(src), Some(dst)) => $run(src, dst),
                        _ => (0, 0),
                    };
                args::write(src_length, read);
                args::write(dst_length, written);
            }
        }
    )*}};
}

partial! {
    mojika_c_encoding_mem_convert_utf16_to_utf8_partial(u16) -> u8, mem::convert_utf16_to_utf8_partial;
    mojika_c_encoding_mem_convert_latin1_to_utf8_partial(u8) -> u8, mem::convert_latin1_to_utf8_partial;
}
