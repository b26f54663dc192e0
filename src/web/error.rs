//! The exceptions that section 7 of the Standard throws, as typed errors.

use crate::{Encoding, MalformedSequence};
use core::fmt;

/// The constructors' RangeError: the label names no encoding that may be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RangeError {
    /// No encoding has this label.
    UnknownLabel,
    /// The label is one of replacement, an encoding that exists to refuse dangerous ones.
    ReplacementLabel,
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownLabel => "no encoding has this label",
            Self::ReplacementLabel => "the label is one of the encoding replacement",
        })
    }
}

/// The TypeError of a decoder in error mode "fatal": the input is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TypeError {
    /// The encoding that was decoded.
    pub encoding: &'static Encoding,
    /// The malformed sequence; its offset counts from the start of the stream, which for a `TextDecoder` is the first
    /// byte after the last call that did not set `stream`.
    pub sequence: MalformedSequence,
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not {}: {}", self.encoding, self.sequence)
    }
}

impl core::error::Error for RangeError {}
impl core::error::Error for TypeError {}
