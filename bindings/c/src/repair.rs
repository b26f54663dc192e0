//! Text that was decoded in the wrong encoding.

use crate::args;
use crate::progress::*;
use crate::statics::{CEncoding, EncodingOrNull};
use core::ffi::c_int;
use core::mem::MaybeUninit;
use mojika_convert::repair;

/// `mojika_mojibake`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CMojibake {
    line: u64,
    encoding: EncodingOrNull,
    read_as: EncodingOrNull,
    rounds: usize,
    is_certain: c_int,
}

/// Returns a caller's text; an error unless it is UTF-8.
///
/// # Safety
///
/// Unless it is null, `text` must point to `length` bytes that nothing writes to in the lifetime.
unsafe fn text_of<'a>(text: *const u8, length: usize) -> Result<&'a str, c_int> {
    // SAFETY: the caller guarantees this function's conditions.
    let bytes = unsafe { args::slice(text, length) }.ok_or(INVALID_ARGUMENT)?;
    core::str::from_utf8(bytes).map_err(|_| MALFORMED)
}

/// Returns a caller's text and output.
///
/// # Safety
///
/// The conditions of [`text_of`] and [`args::target`] apply.
unsafe fn arguments<'a, T>(
    (text, length): (*const u8, usize),
    (dst, dst_length): (*mut T, usize),
) -> Result<(&'a str, &'a mut [MaybeUninit<T>]), c_int> {
    // SAFETY: the caller guarantees this function's conditions.
    let (text, dst) = unsafe { (text_of(text, length)?, args::target(dst, dst_length)) };
    Ok((text, dst.ok_or(INVALID_ARGUMENT)?))
}

/// `mojika_repair`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_repair(
    text: *const u8,
    length: usize,
    dst: *mut u8,
    dst_length: usize,
    dst_needed: *mut usize,
) -> c_int {
    // SAFETY: mojika.h states the conditions of `arguments`.
    let (text, dst) = match unsafe { arguments((text, length), (dst, dst_length)) } {
        Ok(arguments) => arguments,
        Err(status) => return status,
    };
    let repaired = repair::repair(text).text;
    // SAFETY: mojika.h requires memory of a size_t, or null.
    if let Some(needed) = unsafe { dst_needed.as_mut() } {
        *needed = repaired.len();
    }
    if repaired.len() > dst.len() {
        return OUTPUT_FULL;
    }
    for (to, &byte) in dst.iter_mut().zip(repaired.as_bytes()) {
        to.write(byte);
    }
    OK
}

/// `mojika_find_mojibake`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_find_mojibake(
    text: *const u8,
    length: usize,
    found: *mut CMojibake,
    capacity: usize,
    count: *mut usize,
) -> c_int {
    // SAFETY: mojika.h states the conditions of `arguments`.
    let (text, found) = match unsafe { arguments((text, length), (found, capacity)) } {
        Ok(arguments) => arguments,
        Err(status) => return status,
    };
    let findings = repair::inspect(text);
    // SAFETY: mojika.h requires memory of a size_t, or null.
    if let Some(count) = unsafe { count.as_mut() } {
        *count = findings.len();
    }
    for (to, finding) in found.iter_mut().zip(&findings) {
        let first = finding.misreadings.first();
        to.write(CMojibake {
            line: finding.line,
            encoding: first.map(|one| CEncoding::of(one.encoding)),
            read_as: first.map(|one| CEncoding::of(one.read_as)),
            rounds: finding.misreadings.len(),
            is_certain: finding.after.is_some().into(),
        });
    }
    if findings.len() > capacity {
        OUTPUT_FULL
    } else {
        OK
    }
}
