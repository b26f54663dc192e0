//! Why a streaming call returned.

/// Why a call with replacement returned.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum CoderResult {
    /// All input has been read.
    InputEmpty,
    /// The next character may not fit: call again with more room.
    OutputFull,
}

/// Why a decoding call without replacement returned.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum DecoderResult {
    /// All input has been read.
    InputEmpty,
    /// The next character may not fit: call again with more room.
    OutputFull,
    /// A malformed sequence: its length in bytes, and the number of bytes after it that have been read too.
    Malformed(u8, u8),
}

/// Why an encoding call without replacement returned.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum EncoderResult {
    /// All input has been read.
    InputEmpty,
    /// The next bytes may not fit: call again with more room.
    OutputFull,
    /// A scalar value that the encoding has no bytes for. It has been read.
    Unmappable(char),
}
