//! Text that was decoded in the wrong encoding.

use crate::args;
use crate::progress::*;
use crate::statics::{CEncoding, Found};
use core::ffi::c_int;
use mojika_convert::repair;

/// `mojika_mojibake`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CMojibake {
    line: u64,
    encoding: Found,
    read_as: Found,
    rounds: usize,
    is_certain: c_int,
}

/// The text of a caller, which is UTF-8.
///
/// # Safety
///
/// Unless it is null, `text` must point to `length` bytes that nothing writes to in the lifetime.
unsafe fn text_of<'a>(text: *const u8, length: usize) -> Result<&'a str, c_int> {
    // SAFETY: the caller guarantees it.
    let bytes = unsafe { args::slice(text, length) }.ok_or(INVALID_ARGUMENT)?;
    core::str::from_utf8(bytes).map_err(|_| MALFORMED)
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
    // SAFETY: the conditions of mojika.h are those of these functions.
    let (text, dst) = unsafe { (text_of(text, length), args::target(dst, dst_length)) };
    let (text, dst) = match (text, dst) {
        (Ok(text), Some(dst)) => (text, dst),
        (Err(status), _) => return status,
        (_, None) => return INVALID_ARGUMENT,
    };
    let repaired = repair::repair(text).text;
    // SAFETY: null or a pointer to a size, as mojika.h says.
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
    // SAFETY: the conditions of mojika.h are those of these functions.
    let (text, found) = unsafe { (text_of(text, length), args::target(found, capacity)) };
    let (text, found) = match (text, found) {
        (Ok(text), Some(found)) => (text, found),
        (Err(status), _) => return status,
        (_, None) => return INVALID_ARGUMENT,
    };
    let findings = repair::inspect(text);
    // SAFETY: null or a pointer to a size, as mojika.h says.
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
