//! Typed errors with offsets, for decoding and encoding.

use crate::Encoding;
use core::fmt;

/// A malformed byte sequence in a stream, found in error mode "fatal".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MalformedSequence {
    /// The offset of the first byte from the start of the stream (of the input, for one-shot calls), including a BOM.
    pub offset: u64,
    /// The length of the sequence in bytes: 1 to 4.
    pub len: u8,
    /// Number of bytes read after the sequence; the decoder keeps them and decodes them in the next call.
    pub after: u8,
}

impl MalformedSequence {
    pub(crate) fn new(offset: u64, len: u8, after: u8) -> Self {
        Self { offset, len, after }
    }
}

impl fmt::Display for MalformedSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.len == 1 { "" } else { "s" };
        write!(
            f,
            "malformed sequence of {} byte{s} at byte offset {}",
            self.len, self.offset
        )
    }
}

/// The input of a one-shot call is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeError {
    /// The encoding that was decoded: the requested one, or the one that a BOM names.
    pub encoding: &'static Encoding,
    /// The first malformed sequence.
    pub sequence: MalformedSequence,
}

impl DecodeError {
    /// Creates the error of a decoder of `encoding` that has reported `sequence`.
    pub const fn new(encoding: &'static Encoding, sequence: MalformedSequence) -> Self {
        Self { encoding, sequence }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not {}: {}", self.encoding, self.sequence)
    }
}

/// A scalar value that an encoding cannot represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unmappable {
    /// The scalar value. ISO-2022-JP reports U+FFFD for U+000E, U+000F and U+001B, and UTF-16 input for a lone
    /// surrogate, as the Standard's encoder does.
    pub scalar: char,
    /// Offset of the scalar value from the start of the stream, in bytes of UTF-8 or in UTF-16 code units.
    pub offset: u64,
}

impl Unmappable {
    /// Creates the error for a scalar value at an offset.
    pub const fn new(scalar: char, offset: u64) -> Self {
        Self { scalar, offset }
    }
}

impl fmt::Display for Unmappable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "U+{:04X} at offset {} is unmappable",
            u32::from(self.scalar),
            self.offset
        )
    }
}

/// A string is not a label of an encoding of the Standard.
///
/// ```
/// let error = "latin-1".parse::<&mojika::Encoding>().unwrap_err();
/// assert_eq!(error.to_string(), r#""latin-1" is not a label of the Encoding Standard"#);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct UnknownLabel {
    /// The start of the label, in UTF-8.
    bytes: [u8; UnknownLabel::CAPACITY],
    len: u8,
    is_cut: bool,
}

impl UnknownLabel {
    /// Labels of the Standard have at most 19 bytes.
    const CAPACITY: usize = 46;

    pub(crate) fn new(label: &str) -> Self {
        let mut len = label.len().min(Self::CAPACITY);
        while !label.is_char_boundary(len) {
            len -= 1;
        }
        let mut bytes = [0; Self::CAPACITY];
        bytes[..len].copy_from_slice(&label.as_bytes()[..len]);
        Self {
            bytes,
            len: len as u8,
            is_cut: len < label.len(),
        }
    }

    /// Returns the string that was looked up. If it is longer than 46 bytes, only the characters within the first 46 are
    /// kept.
    pub fn label(&self) -> &str {
        core::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl fmt::Debug for UnknownLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UnknownLabel").field(&self.label()).finish()
    }
}

impl fmt::Display for UnknownLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = if self.is_cut { "..." } else { "" };
        write!(
            f,
            "{:?}{dots} is not a label of the Encoding Standard",
            self.label()
        )
    }
}

/// A number is not a Windows code page of any encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownCodePage {
    /// The number that was looked up.
    pub number: u16,
}

impl fmt::Display for UnknownCodePage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no encoding has the Windows code page {}", self.number)
    }
}

/// The encoding (replacement) has no encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoEncoder {
    /// The requested encoding.
    pub encoding: &'static Encoding,
}

impl fmt::Display for NoEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} has no encoder; its output encoding is {}",
            self.encoding,
            self.encoding.output_encoding()
        )
    }
}

/// A one-shot call cannot encode its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// The encoding cannot represent a scalar value of the input.
    Unmappable {
        /// The requested encoding.
        encoding: &'static Encoding,
        /// The first unmappable scalar value.
        unmappable: Unmappable,
    },
    /// The encoding has no encoder at all.
    NoEncoder(NoEncoder),
}

impl From<NoEncoder> for EncodeError {
    fn from(error: NoEncoder) -> Self {
        Self::NoEncoder(error)
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unmappable {
                encoding,
                unmappable,
            } => write!(f, "{unmappable} in {encoding}"),
            Self::NoEncoder(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for MalformedSequence {}
impl core::error::Error for DecodeError {}
impl core::error::Error for Unmappable {}
impl core::error::Error for NoEncoder {}
impl core::error::Error for UnknownLabel {}
impl core::error::Error for UnknownCodePage {}
impl core::error::Error for EncodeError {}
