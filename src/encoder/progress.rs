//! What a call of an encoder did.

use crate::codec::Unmappables;
use crate::{Status, Unmappable};

/// What a call in error mode "html" did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HtmlEncodeProgress {
    /// Why the call returned.
    pub status: Status,
    /// Bytes of UTF-8 or UTF-16 code units read from the input.
    pub read: usize,
    /// Bytes written.
    pub written: usize,
    /// Whether an unmappable scalar value was written as a numeric character reference.
    pub had_unmappables: bool,
}

/// Why a call in error mode "fatal" returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeStatus {
    /// All input has been read. If the call was the last one, the stream is complete.
    InputEmpty,
    /// The next bytes do not fit into the rest of the output. Call again with more room.
    OutputFull,
    /// A scalar value without bytes. The encoder stands behind it and may go on with the rest of the input.
    Unmappable(Unmappable),
}

/// What a call in error mode "fatal" did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodeProgress {
    /// Why the call returned.
    pub status: EncodeStatus,
    /// Bytes of UTF-8 or UTF-16 code units read from the input, an unmappable scalar value included.
    pub read: usize,
    /// Bytes written: all that comes before an unmappable scalar value.
    pub written: usize,
}

/// The Standard's error modes of an encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorMode {
    Html,
    Fatal,
}

impl ErrorMode {
    /// What becomes of unmappable scalar values.
    #[inline(always)]
    pub(crate) fn unmappables(self) -> Unmappables {
        Unmappables {
            reference: self == ErrorMode::Html,
            seen: false,
        }
    }
}

/// What one call did, in either mode.
///
/// In this order for the reason that [`decoder::Run`](crate::decoder::Run) has.
#[derive(Debug)]
#[repr(C)]
pub struct Run {
    pub read: usize,
    pub status: EncodeStatus,
    pub written: usize,
    pub had_unmappables: bool,
}

impl From<Run> for HtmlEncodeProgress {
    #[inline]
    fn from(run: Run) -> Self {
        HtmlEncodeProgress {
            status: match run.status {
                EncodeStatus::OutputFull => Status::OutputFull,
                // Mode "html" never stops at an unmappable scalar value.
                EncodeStatus::InputEmpty | EncodeStatus::Unmappable(_) => Status::InputEmpty,
            },
            read: run.read,
            written: run.written,
            had_unmappables: run.had_unmappables,
        }
    }
}

impl From<Run> for EncodeProgress {
    #[inline]
    fn from(run: Run) -> Self {
        EncodeProgress {
            status: run.status,
            read: run.read,
            written: run.written,
        }
    }
}
