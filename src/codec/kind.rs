//! The algorithms of encodings, with the properties that need no codec.

use super::linked::Linked;
use super::utf_32::Utf32;
use crate::tables::SingleByteIndex;
use crate::tables::extended::Permuted;

/// The algorithm of an encoding. Several encodings may share one.
#[derive(Clone, Copy)]
pub(crate) enum Scheme {
    Utf8,
    SingleByte(&'static SingleByteIndex),
    /// A single-byte encoding whose lower half is not ASCII.
    Permuted(&'static Permuted),
    Gb18030 {
        is_gbk: bool,
    },
    /// A double-byte encoding in which a character is one byte, or a lead and a trail.
    Pairs(PairEncoding),
    EucJp,
    Iso2022Jp,
    Replacement,
    Utf16 {
        big_endian: bool,
    },
    Utf32(&'static Utf32),
    XUserDefined,
    /// An encoding of [`extended`](crate::extended) whose codec is called through a reference.
    Linked(&'static Linked),
    /// In a small build, an encoding whose codec is excluded; it is `Linked` in other builds.
    #[cfg(mojika_small)]
    LeftOut {
        is_ascii_compatible: bool,
        is_stateful: bool,
        code_unit_len: u8,
    },
}

/// A double-byte encoding in which a character is one byte, or a lead and a trail.
#[derive(Clone, Copy)]
pub(crate) enum PairEncoding {
    Big5,
    ShiftJis,
    EucKr,
}

impl Scheme {
    /// Returns the scheme of an encoding whose codec is called through a reference and is excluded from small builds.
    pub const fn unless_small(linked: &'static Linked) -> Self {
        #[cfg(mojika_small)]
        return Scheme::LeftOut {
            is_ascii_compatible: linked.is_ascii_compatible,
            is_stateful: linked.is_stateful,
            code_unit_len: linked.code_unit_len,
        };
        #[cfg(not(mojika_small))]
        Scheme::Linked(linked)
    }

    /// True if this build excludes the codec of the encoding.
    #[cfg(any(feature = "alloc", mojika_small))]
    pub const fn is_left_out(self) -> bool {
        #[cfg(mojika_small)]
        if let Scheme::LeftOut { .. } = self {
            return true;
        }
        cfg!(mojika_small)
            && matches!(
                self,
                Scheme::Gb18030 { .. } | Scheme::Pairs(_) | Scheme::EucJp | Scheme::Iso2022Jp
            )
    }

    /// True if any input is one malformed sequence.
    #[cfg(feature = "alloc")]
    pub const fn is_decoded_as_replacement(self) -> bool {
        matches!(self, Scheme::Replacement) || self.is_left_out()
    }

    /// True except for replacement, and for encodings that are left out.
    #[cfg(feature = "alloc")]
    pub const fn has_encoder(self) -> bool {
        !self.is_decoded_as_replacement()
    }

    /// True if the bytes below 0x80 are exactly the ASCII characters, in both directions. Only trail bytes may also be
    /// below 0x80.
    #[inline(always)]
    pub const fn is_ascii_compatible(self) -> bool {
        if let Scheme::Linked(linked) = self {
            return linked.is_ascii_compatible;
        }
        #[cfg(mojika_small)]
        if let Scheme::LeftOut {
            is_ascii_compatible,
            ..
        } = self
        {
            return is_ascii_compatible;
        }
        !matches!(
            self,
            Scheme::Iso2022Jp
                | Scheme::Replacement
                | Scheme::Utf16 { .. }
                | Scheme::Utf32(_)
                | Scheme::Permuted(_)
        )
    }

    /// True if each byte is one character.
    pub const fn is_single_byte(self) -> bool {
        matches!(
            self,
            Scheme::SingleByte(_) | Scheme::Permuted(_) | Scheme::XUserDefined
        )
    }

    /// True if bytes change meaning after an escape or shift sequence.
    pub const fn is_stateful(self) -> bool {
        match self {
            Scheme::Linked(linked) => linked.is_stateful,
            #[cfg(mojika_small)]
            Scheme::LeftOut { is_stateful, .. } => is_stateful,
            _ => matches!(self, Scheme::Iso2022Jp),
        }
    }

    /// Returns the length of a code unit in bytes.
    pub const fn code_unit_len(self) -> usize {
        match self {
            Scheme::Utf16 { .. } => 2,
            Scheme::Utf32(_) => 4,
            Scheme::Linked(linked) => linked.code_unit_len as usize,
            #[cfg(mojika_small)]
            Scheme::LeftOut { code_unit_len, .. } => code_unit_len as usize,
            _ => 1,
        }
    }

    /// Returns the byte order mark, U+FEFF in this encoding. `None` if the encoding has no byte order mark.
    pub const fn bom(self) -> Option<&'static [u8]> {
        match self {
            Scheme::Utf8 => Some(b"\xEF\xBB\xBF"),
            Scheme::Utf16 { big_endian: true } => Some(b"\xFE\xFF"),
            Scheme::Utf16 { big_endian: false } => Some(b"\xFF\xFE"),
            Scheme::Utf32(utf_32) => Some(&utf_32.bom),
            _ => None,
        }
    }
}
