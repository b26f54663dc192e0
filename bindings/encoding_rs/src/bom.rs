//! Byte order marks, and a decoder's progress in searching for one.
//!
//! The engine can also search for a mark. This crate does it itself: encoding_rs has its own rules for bytes that turn
//! out not to be a mark, and dependants rely on them.

use crate::encoding::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use core::fmt;

/// A byte order mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    Utf8,
    Utf16Be,
    Utf16Le,
}

impl Mark {
    /// Returns the mark that starts with `byte`. All marks start with different bytes.
    #[inline]
    pub fn starting_with(byte: u8) -> Option<Self> {
        match byte {
            0xEF => Some(Self::Utf8),
            0xFE => Some(Self::Utf16Be),
            0xFF => Some(Self::Utf16Le),
            _ => None,
        }
    }

    /// True if a stream that starts with `first` cannot start with the mark `expected`, or with any mark if
    /// `expected` is `None`.
    #[inline]
    pub fn is_absent(expected: Option<Self>, first: u8) -> bool {
        match Self::starting_with(first) {
            None => true,
            Some(mark) => expected.is_some_and(|expected| expected != mark),
        }
    }

    /// Returns the encoding's byte order mark.
    pub fn of(encoding: &'static Encoding) -> Option<Self> {
        [Self::Utf8, Self::Utf16Be, Self::Utf16Le]
            .into_iter()
            .find(|mark| mark.encoding() == encoding)
    }

    pub fn bytes(self) -> &'static [u8] {
        self.encoding().engine.bom().unwrap_or_default()
    }

    pub fn encoding(self) -> &'static Encoding {
        match self {
            Self::Utf8 => UTF_8,
            Self::Utf16Be => UTF_16BE,
            Self::Utf16Le => UTF_16LE,
        }
    }
}

/// The stage of a decoder in its search for a byte order mark.
#[derive(Clone, Copy)]
pub(crate) enum Stage {
    /// No byte has been read. The decoder searches for the given mark, or for any mark if `None`.
    Start(Option<Mark>),
    /// Only the first `seen` bytes of `mark` have been read.
    Matching { mark: Mark, seen: u8 },
    /// No mark was found. Bytes `from..to` of `mark`, from earlier chunks, must be decoded before the input.
    Held { mark: Mark, from: u8, to: u8 },
    /// The search for a mark is over.
    Converting,
    /// The stream is complete.
    Finished,
}

/// Prints the same text as encoding_rs.
impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start(None) => "AtStart",
            Self::Start(Some(Mark::Utf8)) => "AtUtf8Start",
            Self::Start(Some(Mark::Utf16Be)) => "AtUtf16BeStart",
            Self::Start(Some(Mark::Utf16Le)) => "AtUtf16LeStart",
            Self::Matching { mark, seen } | Self::Held { mark, to: seen, .. } => match mark {
                Mark::Utf16Be => "SeenUtf16BeFirst",
                Mark::Utf16Le => "SeenUtf16LeFirst",
                Mark::Utf8 if matches!(self, Self::Held { from: 1, .. }) => {
                    "ConvertingWithPendingBB"
                }
                Mark::Utf8 if *seen == 1 => "SeenUtf8First",
                Mark::Utf8 => "SeenUtf8Second",
            },
            Self::Converting => "Converting",
            Self::Finished => "Finished",
        })
    }
}
