//! The results of streaming calls.

/// The reason why a call with replacement returned.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum CoderResult {
    /// All input has been read.
    InputEmpty,
    /// The next character may not fit: call again with a larger output.
    OutputFull,
}

/// The reason why a decoding call without replacement returned.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum DecoderResult {
    /// All input has been read.
    InputEmpty,
    /// The next character may not fit: call again with a larger output.
    OutputFull,
    /// A malformed sequence: its length in bytes, and the number of bytes after it that have been read too.
    Malformed(u8, u8),
}

/// The reason why an encoding call without replacement returned.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum EncoderResult {
    /// All input has been read.
    InputEmpty,
    /// The next bytes may not fit: call again with a larger output.
    OutputFull,
    /// An unmappable scalar value, which has been read.
    Unmappable(char),
}
