//! `Encoding`: the properties of each of the Standard's 40 encodings; those of `extended` have the same type.

use crate::codec::Kind;
use crate::encodings::{ALL, UTF_8};
use crate::{BomHandling, Decoder, Encoder, NoEncoder, UnknownLabel, bom, tables};
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

/// One of the 40 encodings of the Encoding Standard (section 4), or one of [`extended`](crate::extended).
///
/// There is one static per encoding, such as [`SHIFT_JIS`](crate::SHIFT_JIS), and encodings are used by reference.
pub struct Encoding {
    pub(crate) name: &'static str,
    /// Place in the Standard's table of names and labels.
    pub(crate) number: u8,
    pub(crate) kind: Kind,
}

/// Longest label, in bytes.
const MAX_LABEL_LEN: usize = 19;

impl Encoding {
    /// "Get an encoding" (section 4.2): the encoding that a label names, or `None`.
    ///
    /// ASCII whitespace around the label is ignored, and so is ASCII case.
    ///
    /// ```
    /// use mojika::Encoding;
    /// assert_eq!(Encoding::for_label(" Latin1\n"), Some(mojika::WINDOWS_1252));
    /// assert_eq!(Encoding::for_label("latin-1"), None);
    /// ```
    pub fn for_label(label: impl AsRef<[u8]>) -> Option<&'static Encoding> {
        let is_space = |byte: &u8| matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ');
        // Step 1.
        let mut label = label.as_ref();
        while let [first, rest @ ..] = label
            && is_space(first)
        {
            label = rest;
        }
        while let [rest @ .., last] = label
            && is_space(last)
        {
            label = rest;
        }
        // Step 2.
        let mut buffer = [0; MAX_LABEL_LEN];
        let lowercase = buffer.get_mut(..label.len())?;
        lowercase.copy_from_slice(label);
        lowercase.make_ascii_lowercase();
        let number = tables::encoding_number_for_label(lowercase)?;
        ALL.get(usize::from(number)).copied()
    }

    /// "BOM sniff" (section 6.1): the encoding that a byte order mark at the start of `bytes` names, and the length of
    /// the BOM in bytes.
    ///
    /// ```
    /// assert_eq!(mojika::Encoding::for_bom(b"\xFF\xFEa\0"), Some((mojika::UTF_16LE, 2)));
    /// ```
    pub fn for_bom(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
        bom::sniff(bytes)
    }

    /// All encodings, in the order of the Standard's table.
    ///
    /// ```
    /// assert_eq!(mojika::Encoding::all().len(), 40);
    /// ```
    pub fn all() -> &'static [&'static Encoding; 40] {
        &ALL
    }

    /// The name, as the Standard writes it. Its lower-case form is a label.
    ///
    /// ```
    /// assert_eq!(mojika::SHIFT_JIS.name(), "Shift_JIS");
    /// ```
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The labels, in lower case, in the order of the Standard's table.
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

    /// "Get an output encoding" (section 4.3): UTF-8 for replacement, UTF-16BE/LE and UTF-32, else the encoding itself.
    ///
    /// The Web uses it for URLs and forms. Encoders here do not: UTF-16LE encodes to UTF-16LE.
    ///
    /// ```
    /// assert_eq!(mojika::UTF_16LE.output_encoding(), mojika::UTF_8);
    /// ```
    pub fn output_encoding(&'static self) -> &'static Encoding {
        match self.kind {
            Kind::Replacement | Kind::Utf16 { .. } | Kind::Utf32(_) => UTF_8,
            _ => self,
        }
    }

    /// Whether a byte below 0x80 decodes to the ASCII character of that number wherever a character starts, and every ASCII
    /// character encodes to that byte.
    ///
    /// False for UTF-16, UTF-32, ISO-2022-JP and replacement, and for EBCDIC. A trail in Shift_JIS, Big5, GBK or gb18030 may
    /// be below 0x80.
    ///
    /// ```
    /// assert!(mojika::SHIFT_JIS.is_ascii_compatible());
    /// assert!(!mojika::ISO_2022_JP.is_ascii_compatible());
    /// ```
    pub const fn is_ascii_compatible(&self) -> bool {
        self.kind.is_ascii_compatible()
    }

    /// Whether each byte is one character: true of the legacy single-byte encodings and x-user-defined.
    pub const fn is_single_byte(&self) -> bool {
        self.kind.is_single_byte()
    }

    /// Whether what a byte means depends on an escape sequence before it: true of ISO-2022-JP.
    ///
    /// An encoder may have to write an escape sequence at the end of the stream, and text cannot be decoded from the middle.
    pub const fn is_stateful(&self) -> bool {
        self.kind.is_stateful()
    }

    /// Length of a code unit in bytes: 2 for UTF-16, 4 for UTF-32, otherwise 1.
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

    /// The byte order mark, U+FEFF in this encoding; `None` unless the encoding is UTF-8, UTF-16 or UTF-32.
    ///
    /// gb18030 can encode U+FEFF, but no decoder takes it for a mark there. Encoders never write a mark by themselves.
    ///
    /// ```
    /// assert_eq!(mojika::UTF_16BE.bom(), Some(&b"\xFE\xFF"[..]));
    /// assert_eq!(mojika::GB18030.bom(), None);
    /// ```
    pub const fn bom(&self) -> Option<&'static [u8]> {
        self.kind.bom()
    }

    /// A streaming decoder that obeys any byte order mark: the Standard's "decode".
    ///
    /// [`Decoder::new`] takes another [`BomHandling`].
    #[inline]
    pub fn new_decoder(&'static self) -> Decoder {
        Decoder::new(self, BomHandling::Sniff)
    }

    /// A streaming encoder.
    ///
    /// # Errors
    ///
    /// [`NoEncoder`] for replacement.
    #[inline]
    pub fn new_encoder(&'static self) -> Result<Encoder, NoEncoder> {
        Encoder::new(self)
    }
}

impl FromStr for &'static Encoding {
    type Err = UnknownLabel;

    /// [`Encoding::for_label`].
    ///
    /// ```
    /// use mojika::Encoding;
    /// assert_eq!("sjis".parse::<&Encoding>()?, mojika::SHIFT_JIS);
    /// # Ok::<(), mojika::UnknownLabel>(())
    /// ```
    fn from_str(label: &str) -> Result<Self, UnknownLabel> {
        Encoding::for_label(label).ok_or_else(|| UnknownLabel::new(label))
    }
}

impl TryFrom<&str> for &'static Encoding {
    type Error = UnknownLabel;

    /// [`Encoding::for_label`].
    fn try_from(label: &str) -> Result<Self, UnknownLabel> {
        label.parse()
    }
}

impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Encoding {}

impl Ord for Encoding {
    /// The order of [`Encoding::all`], followed by that of [`extended::all`](crate::extended::all).
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

/// The code points of the bytes from 0x80 on in a single-byte encoding that is a superset of ASCII; 0 is unmapped.
#[cfg(feature = "detect")]
pub(crate) fn single_byte_code_points(encoding: &Encoding) -> Option<&'static [u16; 128]> {
    match encoding.kind {
        Kind::SingleByte(index) => Some(index.code_points()),
        _ => None,
    }
}
