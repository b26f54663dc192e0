//! What a call of a decoder or an encoder did, and its error mode.

use crate::{MalformedSequence, Unmappable};

/// Why a streaming call returned.
///
/// A call in error mode "replacement" or "html" never stops at an error: it returns one of the first two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All input has been read. If the call was the last one, the stream is complete.
    InputEmpty,
    /// The next character does not fit into the rest of the output. Call again with more room.
    OutputFull,
    /// A decoder in error mode "fatal" has read a malformed sequence. It may go on with the rest of the input.
    Malformed(MalformedSequence),
    /// An encoder in error mode "fatal" has read a scalar value without bytes. It may go on with the rest of the input.
    Unmappable(Unmappable),
}

/// What a streaming call did.
///
/// Units are bytes, or UTF-16 code units where text is UTF-16.
// In this order: were `read` and `written` neighbours, their copy would be one load of what two stores have just written,
// and wait for both. That took a third of a call on 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(C)]
pub struct Progress {
    /// Units read from the input, up to the end of the error if the status is one.
    pub read: usize,
    /// Why the call returned.
    pub status: Status,
    /// Units written: all that comes before the error if the status is one.
    pub written: usize,
    /// Whether a malformed sequence was replaced with U+FFFD, or an unmappable scalar value with a numeric character
    /// reference. In error mode "fatal" nothing is replaced.
    pub had_errors: bool,
}

impl Progress {
    /// A call that has read and written these many units; it has read all input if that `is_whole`.
    pub(crate) fn new(read: usize, written: usize, is_whole: bool) -> Self {
        Self {
            read,
            status: if is_whole {
                Status::InputEmpty
            } else {
                Status::OutputFull
            },
            written,
            had_errors: false,
        }
    }

    /// Adds the next part of the same call.
    #[cfg(feature = "alloc")]
    pub(crate) fn add(&mut self, next: Progress) {
        self.read += next.read;
        self.status = next.status;
        self.written += next.written;
        self.had_errors |= next.had_errors;
    }
}

/// The Standard's error modes: "replacement" of decoders, "html" of encoders, and "fatal" of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorMode {
    Replacement,
    Html,
    Fatal,
}
