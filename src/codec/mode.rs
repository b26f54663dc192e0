//! The state of a stateful decoder between two characters.

use super::Scheme;
use super::iso_2022_jp::Mode as Iso2022JpMode;

/// The state of a decoder between two characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Mode {
    /// ASCII, of ISO-2022-JP.
    Ascii,
    /// JIS X 0201 Roman, of ISO-2022-JP.
    Roman,
    /// JIS X 0201 Katakana, of ISO-2022-JP.
    Katakana,
    /// JIS X 0208 in two bytes, of ISO-2022-JP.
    LeadByte,
    /// The mode of another stateful encoding, as a number defined by its codec. In UTF-7, 0 is outside Base64.
    Linked(u8),
}

impl From<Iso2022JpMode> for Mode {
    fn from(mode: Iso2022JpMode) -> Self {
        match mode {
            Iso2022JpMode::Ascii => Self::Ascii,
            Iso2022JpMode::Roman => Self::Roman,
            Iso2022JpMode::Katakana => Self::Katakana,
            Iso2022JpMode::LeadByte => Self::LeadByte,
        }
    }
}

impl Mode {
    /// Packs the mode into one byte, for maps that store many.
    pub(crate) fn pack(self) -> u8 {
        match self {
            Self::Ascii => 0,
            Self::Roman => 1,
            Self::Katakana => 2,
            Self::LeadByte => 3,
            Self::Linked(mode) => mode,
        }
    }

    /// Returns the mode of a byte from [`pack`](Self::pack), in an encoding of `kind`.
    pub(crate) fn unpack(packed: u8, kind: Scheme) -> Self {
        match (kind, packed) {
            (Scheme::Linked(_), mode) => Self::Linked(mode),
            (_, 0) => Self::Ascii,
            (_, 1) => Self::Roman,
            (_, 2) => Self::Katakana,
            _ => Self::LeadByte,
        }
    }

    /// Returns the mode of ISO-2022-JP; `None` for other encodings.
    pub(crate) fn iso_2022_jp(self) -> Option<Iso2022JpMode> {
        match self {
            Self::Ascii => Some(Iso2022JpMode::Ascii),
            Self::Roman => Some(Iso2022JpMode::Roman),
            Self::Katakana => Some(Iso2022JpMode::Katakana),
            Self::LeadByte => Some(Iso2022JpMode::LeadByte),
            Self::Linked(_) => None,
        }
    }

    /// True if a decoder of `kind` can have the mode.
    #[cfg(feature = "serde")]
    pub(crate) fn is_of(self, kind: Scheme) -> bool {
        match self {
            Self::Linked(_) => matches!(kind, Scheme::Linked(_)),
            _ => matches!(kind, Scheme::Iso2022Jp),
        }
    }
}
