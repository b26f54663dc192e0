//! `Encoding`: the properties of each of the Standard's 40 encodings; those of `extended` have the same type.

use crate::codec::{AnyDecoder, AnyEncoder, Scheme};
use crate::tables;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

/// One of the 40 encodings of the Encoding Standard (section 4), or one of [`extended`](crate::extended).
///
/// There is one static per encoding, such as [`SHIFT_JIS`](crate::SHIFT_JIS), and encodings are used by reference.
pub struct Encoding {
    pub(crate) name: &'static str,
    /// The position in the Standard's table of names and labels.
    pub(crate) number: u8,
    pub(crate) kind: Scheme,
    /// The initial state of a decoder. Copying it is faster than building it field by field: loading the whole state
    /// would wait for the stores.
    pub(crate) decoder: AnyDecoder,
    /// The initial state of an encoder, if the encoding has one.
    pub(crate) encoder: Option<AnyEncoder>,
    /// The encodings that a byte order mark selects between, for "UTF-32", whose name states no byte order. `None` for
    /// all others: they have at most one mark of their own.
    pub(crate) named_by_bom: Option<[&'static Encoding; 2]>,
}

impl Encoding {
    /// Returns the name, as the Standard writes it. Its lower-case form is a label.
    ///
    /// ```
    /// assert_eq!(mojika::SHIFT_JIS.name(), "Shift_JIS");
    /// ```
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the labels, in lower case, in the order of the Standard's table.
    ///
    /// An encoding of [`extended`](crate::extended) has none; [`extended::names`](crate::extended::names) lists its names.
    ///
    /// ```
    /// assert!(mojika::EUC_KR.labels().any(|label| label == "windows-949"));
    /// ```
    pub fn labels(&self) -> impl Iterator<Item = &'static str> + use<> {
        let number = self.number;
        tables::labels()
            .filter(move |&(_, of)| of == number)
            .map(|(label, _)| label)
    }

    /// True if, at the start of a character, each byte below 0x80 decodes to the ASCII character of that number, and
    /// each ASCII character encodes to that byte.
    ///
    /// False for UTF-16, UTF-32, ISO-2022-JP, replacement and EBCDIC. A trail byte in Shift_JIS, Big5, GBK or gb18030
    /// may be below 0x80.
    ///
    /// ```
    /// assert!(mojika::SHIFT_JIS.is_ascii_compatible());
    /// assert!(!mojika::ISO_2022_JP.is_ascii_compatible());
    /// ```
    pub const fn is_ascii_compatible(&self) -> bool {
        self.kind.is_ascii_compatible()
    }

    /// True if each byte is one character, as in the legacy single-byte encodings and x-user-defined.
    pub const fn is_single_byte(&self) -> bool {
        self.kind.is_single_byte()
    }

    /// True if bytes change meaning after an escape or shift sequence. Of the Standard's encodings, only ISO-2022-JP is
    /// stateful.
    ///
    /// An encoder may have to write an escape sequence at the end of the stream, and decoding cannot start in the
    /// middle of a text.
    pub const fn is_stateful(&self) -> bool {
        self.kind.is_stateful()
    }

    /// True if this small build has no codec for the encoding: see [Small builds](crate#small-builds).
    #[cfg(mojika_small)]
    pub const fn is_left_out(&self) -> bool {
        self.kind.is_left_out()
    }

    /// Returns the length of a code unit in bytes: 2 for UTF-16, 4 for UTF-32, otherwise 1.
    ///
    /// Every character is a whole number of code units.
    ///
    /// ```
    /// assert_eq!(mojika::UTF_16LE.code_unit_len(), 2);
    /// assert_eq!(mojika::extended::UTF_32BE.code_unit_len(), 4);
    /// assert_eq!(mojika::GB18030.code_unit_len(), 1);
    /// ```
    pub const fn code_unit_len(&self) -> usize {
        self.kind.code_unit_len()
    }

    /// Returns the byte order mark, U+FEFF in this encoding; `None` unless the encoding is UTF-8, UTF-16 or UTF-32.
    ///
    /// gb18030 can encode U+FEFF, but its decoder does not treat it as a mark. Encoders never write a mark by
    /// themselves.
    ///
    /// ```
    /// assert_eq!(mojika::UTF_16BE.bom(), Some(&b"\xFE\xFF"[..]));
    /// assert_eq!(mojika::GB18030.bom(), None);
    /// ```
    pub const fn bom(&self) -> Option<&'static [u8]> {
        self.kind.bom()
    }
}

impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Encoding {}

impl Ord for Encoding {
    /// Compares by position: [`Encoding::all`], followed by [`extended::all`](crate::extended::all).
    fn cmp(&self, other: &Self) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl PartialOrd for Encoding {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Encoding {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Encoding({})", self.name)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}
