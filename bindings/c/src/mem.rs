//! Text in memory: validation, and conversion between Unicode encoding forms.

use crate::args;
use crate::progress::*;
use core::ffi::c_int;
use mojika::mem;

/// Defines functions of a slice.
macro_rules! of_slice {
    ($($(#[$doc:meta])* $name:ident($unit:ty) -> $result:ty, $none:expr, $run:expr;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(text: *const $unit, length: usize) -> $result {
            // SAFETY: mojika.h requires `length` units at `text`.
            unsafe { args::slice(text, length) }.map_or($none, $run)
        }
    )*};
}

of_slice! {
    /// [`mem::ascii_prefix_len`].
    mojika_ascii_prefix_length(u8) -> usize, 0, mem::ascii_prefix_len;
    /// [`mem::ascii_prefix_len_of_utf16`].
    mojika_ascii_prefix_length_utf16(u16) -> usize, 0, mem::ascii_prefix_len_of_utf16;
    /// [`mem::utf8_prefix_len`].
    mojika_utf8_prefix_length(u8) -> usize, 0, mem::utf8_prefix_len;
    /// [`mem::utf16_prefix_len`].
    mojika_utf16_prefix_length(u16) -> usize, 0, mem::utf16_prefix_len;
    /// [`mem::latin1_prefix_len_of_utf8`].
    mojika_latin1_prefix_length_utf8(u8) -> usize, 0, mem::latin1_prefix_len_of_utf8;
    /// [`mem::is_latin1_utf16`].
    mojika_is_latin1_utf16(u16) -> c_int, 0, |text| mem::is_latin1_utf16(text).into();
    /// [`mem::has_rtl`] of UTF-8; 1 if the text is malformed.
    mojika_has_rtl_utf8(u8) -> c_int, 0, |text| {
        str::from_utf8(text).map_or(true, mem::has_rtl).into()
    };
    /// [`mem::count_chars`]; `SIZE_MAX` if the text is malformed, here and in the next function.
    mojika_count_chars_utf8(u8) -> usize, usize::MAX, |text| {
        str::from_utf8(text).map_or(usize::MAX, mem::count_chars)
    };
    /// [`mem::utf16_len_of_utf8`].
    mojika_utf16_length_of_utf8(u8) -> usize, usize::MAX, |text| {
        str::from_utf8(text).map_or(usize::MAX, mem::utf16_len_of_utf8)
    };
    /// [`mem::count_chars_of_utf16`].
    mojika_count_chars_utf16(u16) -> usize, usize::MAX, mem::count_chars_of_utf16;
    /// [`mem::utf8_len_of_utf16`]. A slice has at most half of `isize::MAX` code units: three times that does not overflow.
    mojika_utf8_length_of_utf16(u16) -> usize, usize::MAX, mem::utf8_len_of_utf16;
    /// [`mem::utf8_len_of_latin1`].
    mojika_utf8_length_of_latin1(u8) -> usize, usize::MAX, mem::utf8_len_of_latin1;
    /// [`mem::whole_chars_len_of_utf8`].
    mojika_whole_length_utf8(u8) -> usize, 0, mem::whole_chars_len_of_utf8;
    /// [`mem::whole_chars_len_of_utf16`].
    mojika_whole_length_utf16(u16) -> usize, 0, mem::whole_chars_len_of_utf16;
    /// [`mem::has_rtl`] of UTF-16.
    mojika_has_rtl_utf16(u16) -> c_int, 0, |text| mem::has_rtl(text).into();
}

/// [`mem::replace_lone_surrogates`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_replace_lone_surrogates(text: *mut u16, length: usize) {
    // SAFETY: mojika.h requires `length` initialised code units at `text` that nothing else uses in the call.
    if let Some(text) = unsafe { args::initialised_target(text, length) } {
        mem::replace_lone_surrogates(text);
    }
}

/// Defines conversions from a slice to another.
macro_rules! conversions {
    ($($(#[$doc:meta])* $name:ident($from:ty) -> $to:ty, $run:expr;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            src: *const $from,
            src_length: usize,
            dst: *mut $to,
            dst_length: usize,
            progress: *mut CProgress,
        ) -> c_int {
            // SAFETY: mojika.h requires `src_length` units at `src`, which do not overlap the output.
            let src = unsafe { args::slice(src, src_length) };
            // SAFETY: mojika.h requires writable memory of `dst_length` units at `dst` that nothing else uses during
            // the call. The functions called write through the library's cursor `Out`, which reads only units that it
            // has written.
            let dst = unsafe { args::initialised_target(dst, dst_length) };
            let (status, report) = match (src, dst) {
                (Some(src), Some(dst)) => $run(src, dst),
                _ => (INVALID_ARGUMENT, CProgress::default()),
            };
            // SAFETY: mojika.h requires memory of a mojika_progress, or null.
            unsafe { args::write(progress, report) };
            status
        }
    )*};
}

/// Returns the report of a conversion that writes one unit for each unit read.
fn one_each(read: usize, length: usize) -> (c_int, CProgress) {
    let status = if read == length { OK } else { OUTPUT_FULL };
    (status, CProgress::of(read, read, false))
}

conversions! {
    /// [`mem::utf8_to_utf16`].
    mojika_utf8_to_utf16(u8) -> u16, |src: &[u8], dst: &mut [u16]| {
        CProgress::from_library(mem::utf8_to_utf16(src, dst))
    };
    /// [`mem::utf8_to_utf16_fatal`].
    mojika_utf8_to_utf16_fatal(u8) -> u16, |src: &[u8], dst: &mut [u16]| {
        CProgress::from_library(mem::utf8_to_utf16_fatal(src, dst))
    };
    /// [`mem::utf16_to_utf8`].
    mojika_utf16_to_utf8(u16) -> u8, |src: &[u16], dst: &mut [u8]| {
        CProgress::from_library(mem::utf16_to_utf8(src, dst))
    };
    /// [`mem::latin1_to_utf8`].
    mojika_latin1_to_utf8(u8) -> u8, |src: &[u8], dst: &mut [u8]| {
        CProgress::from_library(mem::latin1_to_utf8(src, dst))
    };
    /// [`mem::latin1_to_utf16`].
    mojika_latin1_to_utf16(u8) -> u16, |src: &[u8], dst: &mut [u16]| {
        one_each(mem::latin1_to_utf16(src, dst), src.len())
    };
    /// [`mem::utf8_to_latin1_lossy`].
    mojika_utf8_to_latin1_lossy(u8) -> u8, |src: &[u8], dst: &mut [u8]| {
        CProgress::from_library(mem::utf8_to_latin1_lossy(src, dst))
    };
    /// [`mem::utf16_to_latin1_lossy`].
    mojika_utf16_to_latin1_lossy(u16) -> u8, |src: &[u16], dst: &mut [u8]| {
        one_each(mem::utf16_to_latin1_lossy(src, dst), src.len())
    };
}
