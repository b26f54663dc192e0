//! The reasons why an edit is refused.

use core::fmt;
use core::ops::Range;
use mojika::EncodeError;

/// The reason why an edit is refused. The document is unchanged.
///
/// Offsets in the document's text and in the edited text are in UTF-8 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The range is not within the document's text, or splits a character.
    Range(Range<usize>),
    /// The range overlaps the range of an earlier edit.
    Overlap(Range<usize>),
    /// An inserted character cannot be encoded: the encoding lacks it, its bytes decode to another character, or there
    /// is no encoder. The offset is in the edited text.
    Encode(EncodeError),
    /// The insertion contains U+FFFD, which stands for malformed bytes and has no bytes of its own.
    Replacement {
        /// The offset of U+FFFD in the edited text.
        offset: usize,
    },
    /// The bytes next to the edit would combine with the new ones, and the result would not decode to the edited text.
    Combines {
        /// The start of the edit in the document's text.
        offset: usize,
        /// The start of the edit in the document's bytes.
        source: usize,
    },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range(range) => write!(
                f,
                "the range {} to {} is not within the text, or splits a character",
                range.start, range.end
            ),
            Self::Overlap(range) => write!(
                f,
                "the range {} to {} overlaps one that is replaced already",
                range.start, range.end
            ),
            Self::Encode(error) => error.fmt(f),
            Self::Replacement { offset } => write!(
                f,
                "U+FFFD at offset {offset} of the edited text stands for no bytes of the document; \
                 it can be kept or removed, not inserted"
            ),
            Self::Combines { offset, source } => write!(
                f,
                "the edit at offset {offset} of the text, byte offset {source}, would join bytes into other characters; \
                 include the malformed sequence next to it in the edit, or leave its neighbour as it is"
            ),
        }
    }
}

impl core::error::Error for EditError {}

impl From<EncodeError> for EditError {
    fn from(error: EncodeError) -> Self {
        Self::Encode(error)
    }
}
