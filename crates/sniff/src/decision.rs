//! A decided encoding, with its source and its certainty.

use super::Source;
use core::fmt;
use mojika::Encoding;

/// The certainty of a decision: a later declaration in the document may change a tentative one
/// (HTML Standard, "confidence").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Confidence {
    /// The decision is final.
    Certain,
    /// A later declaration may change the decision.
    Tentative,
}

impl Confidence {
    /// Returns `certain` or `tentative`.
    pub fn as_str(self) -> &'static str {
        match self {
            Confidence::Certain => "certain",
            Confidence::Tentative => "tentative",
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The encoding of a document, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// The encoding to decode with.
    pub encoding: &'static Encoding,
    /// The source that decided.
    pub source: Source,
    /// The certainty of the decision.
    pub confidence: Confidence,
    /// The length in bytes of the byte order mark to skip.
    pub bom_length: usize,
}

impl Decision {
    /// Returns a final decision, without a byte order mark.
    pub(super) fn certain(encoding: &'static Encoding, source: Source) -> Self {
        Self {
            encoding,
            source,
            confidence: Confidence::Certain,
            bom_length: 0,
        }
    }

    /// Returns a decision that a later declaration may change.
    pub(super) fn tentative(encoding: &'static Encoding, source: Source) -> Self {
        Self {
            confidence: Confidence::Tentative,
            ..Self::certain(encoding, source)
        }
    }
}

impl From<Decision> for &'static Encoding {
    fn from(decision: Decision) -> Self {
        decision.encoding
    }
}
