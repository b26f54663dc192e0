//! Status codes with their messages, and the report of a streaming call.

use core::ffi::{c_char, c_int};
use mojika::{Progress, Status};

/// All input has been read.
pub(crate) const OK: c_int = 0;
/// The next character does not fit.
pub(crate) const OUTPUT_FULL: c_int = 1;
/// A malformed sequence has been read.
pub(crate) const MALFORMED: c_int = 2;
/// An unmappable scalar value has been read.
pub(crate) const UNMAPPABLE: c_int = 3;
/// All input has been read, except an incomplete sequence at its end.
pub(crate) const INCOMPLETE: c_int = 4;
/// A null pointer, a length beyond the address space, or flags that exclude each other.
pub(crate) const INVALID_ARGUMENT: c_int = 5;
/// The encoding (replacement) has no encoder.
pub(crate) const NO_ENCODER: c_int = 6;
/// The memory is too small or not aligned.
pub(crate) const BAD_MEMORY: c_int = 7;
/// An XML document's encoding declaration contradicts its bytes.
pub(crate) const CONTRADICTION: c_int = 8;
/// libmojika_small lacks the encoding or the function.
pub(crate) const LEFT_OUT: c_int = 9;

/// The call is the last of the stream.
pub(crate) const LAST: u32 = 1;
/// Malformed sequences become U+FFFD, and unmappable characters numeric character references.
pub(crate) const REPLACE: u32 = 2;
/// An incomplete sequence at the end stays unread.
pub(crate) const LEAVE_INCOMPLETE: u32 = 4;

/// `mojika_progress`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct CProgress {
    read: usize,
    written: usize,
    offset: u64,
    scalar: u32,
    malformed_length: u8,
    malformed_after: u8,
    had_errors: u8,
    reserved: u8,
}

impl CProgress {
    /// Returns the report of a call without a malformed sequence or an unmappable character.
    pub(crate) fn of(read: usize, written: usize, had_errors: bool) -> Self {
        Self {
            read,
            written,
            had_errors: had_errors.into(),
            ..Self::default()
        }
    }

    /// Adds the malformed sequence that ended the call. Clears the library's error flag, because nothing was replaced.
    pub(crate) fn malformed(self, offset: u64, len: u8, after: u8) -> Self {
        Self {
            offset,
            malformed_length: len,
            malformed_after: after,
            had_errors: 0,
            ..self
        }
    }

    /// Adds the scalar value that ended the call.
    pub(crate) fn unmappable(self, offset: u64, scalar: u32) -> Self {
        Self {
            offset,
            scalar,
            had_errors: 0,
            ..self
        }
    }

    /// Converts the library's report. Returns the status and the report.
    pub(crate) fn from_library(progress: Progress) -> (c_int, Self) {
        let report = Self::of(progress.read, progress.written, progress.had_errors);
        match progress.status {
            Status::InputEmpty => (OK, report),
            Status::OutputFull => (OUTPUT_FULL, report),
            Status::Malformed(sequence) => (
                MALFORMED,
                report.malformed(sequence.offset, sequence.len, sequence.after),
            ),
            Status::Unmappable(unmappable) => (
                UNMAPPABLE,
                report.unmappable(unmappable.offset, unmappable.scalar.into()),
            ),
        }
    }

    /// Returns the number of units read.
    pub(crate) fn read(self) -> usize {
        self.read
    }

    /// Returns the number of units written.
    pub(crate) fn written(self) -> usize {
        self.written
    }

    /// Returns this error report with the numbers of units of the report `before`.
    pub(crate) fn after(self, before: Self) -> Self {
        Self {
            read: before.read,
            written: before.written,
            had_errors: self.had_errors | before.had_errors,
            ..self
        }
    }

    /// Returns this report with the last `count` units of input unread.
    pub(crate) fn unread(self, count: usize) -> Self {
        Self {
            read: self.read - count,
            ..self
        }
    }
}

/// Returns the message of a status.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_status_text(status: c_int) -> *const c_char {
    let text = match status {
        OK => c"all input has been converted",
        OUTPUT_FULL => c"the output has too little space for the next character",
        MALFORMED => c"the input has a malformed sequence",
        UNMAPPABLE => c"the encoding has no bytes for a character of the input",
        INCOMPLETE => c"the input ends within a character",
        INVALID_ARGUMENT => c"an argument is invalid",
        NO_ENCODER => c"the encoding has no encoder",
        BAD_MEMORY => c"the memory is too small or not aligned",
        CONTRADICTION => c"the XML document contradicts itself about its encoding",
        LEFT_OUT => c"libmojika_small has single bytes and UTF alone: libmojika has the rest",
        _ => c"unknown status",
    };
    text.as_ptr()
}

/// Returns the version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
