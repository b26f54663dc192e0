//! What a call of a decoder did.

use crate::{MalformedSequence, Status};

/// What a call in error mode "replacement" did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeProgress {
    /// Why the call returned.
    pub status: Status,
    /// Bytes read from the input.
    pub read: usize,
    /// Bytes of UTF-8 or UTF-16 code units written.
    pub written: usize,
    /// Whether a malformed sequence was replaced with U+FFFD.
    pub had_errors: bool,
}

/// Why a call in error mode "fatal" returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FatalDecodeStatus {
    /// All input has been read. If the call was the last one, the stream is complete.
    InputEmpty,
    /// The next character does not fit into the rest of the output. Call again with more room.
    OutputFull,
    /// A malformed sequence. The decoder stands behind it and may go on with the rest of the input.
    Malformed(MalformedSequence),
}

/// What a call in error mode "fatal" did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FatalDecodeProgress {
    /// Why the call returned.
    pub status: FatalDecodeStatus,
    /// Bytes read from the input.
    pub read: usize,
    /// Bytes of UTF-8 or UTF-16 code units written: all that comes before a malformed sequence.
    pub written: usize,
}

/// The Standard's error modes of a decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorMode {
    Replacement,
    Fatal,
}

/// What one call did, in either mode.
///
/// In this order: were `read` and `written` neighbours, their copy into a progress would be one load of what two stores
/// have just written, and wait for both. That took a third of a call on 16 bytes.
#[derive(Debug)]
#[repr(C)]
pub struct Run {
    pub read: usize,
    pub status: FatalDecodeStatus,
    pub written: usize,
    pub had_errors: bool,
}

impl From<Run> for DecodeProgress {
    #[inline]
    fn from(run: Run) -> Self {
        DecodeProgress {
            status: match run.status {
                FatalDecodeStatus::OutputFull => Status::OutputFull,
                // Mode "replacement" never stops at a malformed sequence.
                FatalDecodeStatus::InputEmpty | FatalDecodeStatus::Malformed(_) => {
                    Status::InputEmpty
                }
            },
            read: run.read,
            written: run.written,
            had_errors: run.had_errors,
        }
    }
}

impl From<Run> for FatalDecodeProgress {
    #[inline]
    fn from(run: Run) -> Self {
        FatalDecodeProgress {
            status: run.status,
            read: run.read,
            written: run.written,
        }
    }
}
