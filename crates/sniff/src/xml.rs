//! XML: the family of encodings from the first four bytes, then the encoding declaration in that family (XML 1.0, section
//! 4.3.3 and Appendix F).
//!
//! [`sniff`] is strict: every conflict is an error. [`sniff_like_browsers`] never fails.

use super::bom::{self, Bom};
use super::{Decision, Source, encoding_for_name, html};
use core::fmt;
use mojika::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

mod declaration;

use declaration::Head;
pub use declaration::Name;

/// The number of bytes of a document that are read: a declaration of 4,096 bytes, and a byte order mark.
pub const HEAD_LENGTH: usize = 4096 + 4;

/// A family of encodings that encode the characters of an encoding declaration in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// 32-bit units, bytes in order 1234.
    Ucs4Be,
    /// 32-bit units, bytes in order 4321.
    Ucs4Le,
    /// 32-bit units, bytes in order 2143.
    Ucs4Order2143,
    /// 32-bit units, bytes in order 3412.
    Ucs4Order3412,
    /// 16-bit units, big-endian.
    Utf16Be,
    /// 16-bit units, little-endian.
    Utf16Le,
    /// ASCII characters as ASCII bytes.
    Ascii,
    /// Any EBCDIC code page.
    Ebcdic,
}

/// A row of the table for documents without a byte order mark.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The first four bytes.
    pub bytes: [u8; 4],
    /// The family of the first bytes.
    pub family: Family,
    /// The number of bytes of a code unit.
    width: usize,
    /// The name of the only encoding of the family that needs no declaration; empty for EBCDIC.
    encoding: &'static str,
    /// The family's name for readers.
    name: &'static str,
}

/// Appendix F.1, "Without a Byte Order Mark", in the order of [`Family`]. Documents that start with other bytes are UTF-8
/// without a declaration.
#[rustfmt::skip]
pub static TABLE: [Row; 8] = [
    Row { bytes: [0x00, 0x00, 0x00, 0x3C], family: Family::Ucs4Be, width: 4, encoding: "UTF-32BE", name: "UCS-4 (octet order 1234)" },
    Row { bytes: [0x3C, 0x00, 0x00, 0x00], family: Family::Ucs4Le, width: 4, encoding: "UTF-32LE", name: "UCS-4 (octet order 4321)" },
    Row { bytes: [0x00, 0x00, 0x3C, 0x00], family: Family::Ucs4Order2143, width: 4, encoding: "UTF-32-2143", name: "UCS-4 (octet order 2143)" },
    Row { bytes: [0x00, 0x3C, 0x00, 0x00], family: Family::Ucs4Order3412, width: 4, encoding: "UTF-32-3412", name: "UCS-4 (octet order 3412)" },
    Row { bytes: [0x00, 0x3C, 0x00, 0x3F], family: Family::Utf16Be, width: 2, encoding: "UTF-16BE", name: "UTF-16, big-endian" },
    Row { bytes: [0x3C, 0x00, 0x3F, 0x00], family: Family::Utf16Le, width: 2, encoding: "UTF-16LE", name: "UTF-16, little-endian" },
    Row { bytes: [0x3C, 0x3F, 0x78, 0x6D], family: Family::Ascii, width: 1, encoding: "UTF-8", name: "an ASCII-compatible encoding" },
    Row { bytes: [0x4C, 0x6F, 0xA7, 0x94], family: Family::Ebcdic, width: 1, encoding: "", name: "EBCDIC" },
];

impl Family {
    /// Returns the family of the first four bytes, without a byte order mark.
    pub fn of(bytes: &[u8]) -> Option<Family> {
        let row = TABLE.iter().find(|row| bytes.starts_with(&row.bytes));
        row.map(|row| row.family)
    }

    fn of_bom(encoding: &Encoding) -> Family {
        let row = TABLE.iter().find(|row| row.encoding == encoding.name());
        row.map_or(Family::Ascii, |row| row.family)
    }

    /// Returns the only encoding of the family that needs no declaration; `None` for EBCDIC.
    pub fn encoding(self) -> Option<&'static Encoding> {
        let name = TABLE[self as usize].encoding;
        encoding_for_name(name.as_bytes())
    }

    /// True if a name means the family's encoding without stating the byte order: `UTF-16`, `ISO-10646-UCS-4`.
    fn is_named_by(self, name: &[u8]) -> bool {
        let names = match TABLE[self as usize].width {
            1 => "",
            2 => "utf-16 csutf16 iso-10646-ucs-2 ucs-2 csunicode unicode",
            _ => "utf-32 csutf32 iso-10646-ucs-4 ucs-4 csucs4",
        };
        let mut names = names.split(' ');
        names.any(|one| one.as_bytes().eq_ignore_ascii_case(name))
    }

    /// True if `encoding` belongs to the family.
    fn contains(self, encoding: &'static Encoding) -> bool {
        match self {
            // Stateful encodings begin in ASCII, and Java's modified UTF-8 differs only in U+0000.
            Family::Ascii => {
                let is_ebcdic = Family::Ebcdic.contains(encoding);
                encoding.code_unit_len() == 1 && !is_ebcdic && encoding != mojika::REPLACEMENT
            }
            // IBM's code pages without ASCII bytes are EBCDIC. Double-byte code pages cannot contain declarations.
            Family::Ebcdic => {
                encoding.name().starts_with("IBM")
                    && !encoding.is_ascii_compatible()
                    && encoding.code_unit_len() == 1
            }
            _ => self.encoding() == Some(encoding),
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(TABLE[*self as usize].name)
    }
}

/// A fatal error in the encoding declaration of an XML entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct XmlError {
    /// The kind of error.
    pub kind: XmlErrorKind,
    /// The byte offset of the error: the declared name, or the malformed character of the declaration.
    pub offset: u64,
    /// The family of the first bytes.
    pub family: Family,
    /// The encoding by the bytes, if they determine one, for callers that continue after errors.
    pub fallback: Option<&'static Encoding>,
    /// The length in bytes of the byte order mark.
    pub bom_length: usize,
}

/// The error in an encoding declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum XmlErrorKind {
    /// The XML or text declaration breaks the grammar.
    Malformed,
    /// The declared name is unknown, or its encoding cannot be decoded.
    Unsupported(Name),
    /// The declared encoding differs from that of the bytes.
    Conflict(Name),
    /// The family needs a declaration, but there is none.
    Undeclared,
}

impl fmt::Display for XmlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { family, offset, .. } = self;
        match self.kind {
            XmlErrorKind::Malformed => write!(f, "malformed XML declaration")?,
            XmlErrorKind::Unsupported(name) => {
                write!(f, "unsupported encoding \"{name}\" declared")?
            }
            XmlErrorKind::Conflict(name) => {
                write!(f, "encoding \"{name}\" declared, but ")?;
                // If the encoding is a superset of ASCII, the mark identifies it more exactly than the family.
                match self.fallback.filter(|_| self.bom_length > 0) {
                    Some(marked) => write!(f, "the byte order mark is that of {marked}")?,
                    None => write!(f, "the bytes are {family}")?,
                }
            }
            XmlErrorKind::Undeclared => write!(f, "{family} without an encoding declaration")?,
        }
        write!(f, " at byte offset {offset}")
    }
}

impl core::error::Error for XmlError {}

/// Finds the encoding of an XML entity strictly, without external information.
///
/// # Errors
///
/// Fails with [`XmlError`] if the declaration is malformed, names an unsupported encoding, or contradicts the bytes.
/// EBCDIC without a declaration is also an error.
///
/// ```
/// use mojika_sniff::xml::{XmlErrorKind, sniff};
///
/// assert_eq!(sniff(b"<?xml version='1.0' encoding='EUC-JP'?>").unwrap().encoding, mojika::EUC_JP);
/// let error = sniff(b"<?xml version='1.0' encoding='UTF-16'?>").unwrap_err();
/// assert!(matches!(error.kind, XmlErrorKind::Conflict(_)));
/// assert_eq!(error.offset, 30);
/// ```
pub fn sniff(bytes: &[u8]) -> Result<Decision, XmlError> {
    let bytes = &bytes[..bytes.len().min(HEAD_LENGTH)];
    let (marked, family) = family_of(bytes);
    let bom_length = marked.map_or(0, |bom| bom.length);
    let Some(family) = family else {
        return Ok(Decision::certain(UTF_8, Source::Default));
    };
    let own = marked.map_or_else(|| family.encoding(), |bom| Some(bom.encoding));
    let error = |kind, offset| XmlError {
        kind,
        offset: offset as u64,
        family,
        fallback: own,
        bom_length,
    };
    let head = Head::new(bytes, bom_length, family);
    let found = |encoding, source| Decision {
        bom_length,
        ..Decision::certain(encoding, marked.map_or(source, |_| Source::Bom))
    };
    let declared = declaration::read(head.text())
        .map_err(|at| error(XmlErrorKind::Malformed, head.offset(at)))?;
    let Some(declared) = declared else {
        let source = match family {
            Family::Ascii => Source::Default,
            _ => Source::XmlFamily,
        };
        return match own {
            Some(encoding) => Ok(found(encoding, source)),
            None if family == Family::Ebcdic => Err(error(XmlErrorKind::Undeclared, bom_length)),
            None => Err(error(XmlErrorKind::Unsupported(Name::new(b"UCS-4")), 0)),
        };
    };
    let offset = head.offset(declared.start);
    let name = Name::new(&head.text()[declared]);
    let conflict = error(XmlErrorKind::Conflict(name), offset);
    if family.is_named_by(name.as_bytes())
        && let Some(encoding) = own
    {
        return Ok(found(encoding, Source::XmlDeclaration));
    }
    let unsupported = error(XmlErrorKind::Unsupported(name), offset);
    let encoding = encoding_for_name(name.as_bytes()).filter(|&one| !hides_markup(one));
    let Some(encoding) = encoding else {
        // A name of another family contradicts these bytes, even if its encoding is not supported.
        let of_others = [Family::Utf16Be, Family::Ucs4Be]
            .iter()
            .any(|other| other.is_named_by(name.as_bytes()));
        return Err(if of_others { conflict } else { unsupported });
    };
    let agrees = match marked {
        Some(bom) => bom.encoding == encoding,
        None => family.contains(encoding),
    };
    if agrees {
        Ok(found(encoding, Source::XmlDeclaration))
    } else {
        Err(conflict)
    }
}

/// Returns the byte order mark, and the family by it or by the first bytes.
fn family_of(bytes: &[u8]) -> (Option<Bom>, Option<Family>) {
    match bom::xml(bytes) {
        Some(bom) => (Some(bom), Some(Family::of_bom(bom.encoding))),
        None => (None, Family::of(bytes)),
    }
}

/// True if a document starts with an XML or text declaration, in any family, with or without a byte order mark.
pub(super) fn has_declaration(bytes: &[u8]) -> bool {
    let (marked, family) = family_of(bytes);
    let start = marked.map_or(0, |bom| bom.length);
    family.is_some_and(|family| declaration::is_at_start(Head::new(bytes, start, family).text()))
}

/// True if markup can be hidden in bytes that look like ASCII. That holds for UTF-7, and for encodings with a name that
/// the Standard maps to "replacement".
fn hides_markup(encoding: &'static Encoding) -> bool {
    let is_refused = |name: &str| Encoding::for_label(name) == Some(mojika::REPLACEMENT);
    let mut names = mojika::extended::names(encoding);
    is_refused(encoding.name()) || names.any(is_refused) || encoding.name().starts_with("UTF-7")
}

/// Returns the encoding of an XML document whose transport says "UTF-16" or "UTF-32" without a byte order. The document has
/// no byte order mark. Returns `None` for other names.
///
/// The bytes of the first character decide, if it is `<`. Otherwise the order is big-endian (RFC 2781, section 4.3).
pub(super) fn encoding_for_open_order(name: &[u8], bytes: &[u8]) -> Option<&'static Encoding> {
    if Family::Utf16Be.is_named_by(name) {
        return Some(if bytes.starts_with(b"<\0") {
            UTF_16LE
        } else {
            UTF_16BE
        });
    }
    if !Family::Ucs4Be.is_named_by(name) {
        return None;
    }
    let shown = Family::of(bytes).filter(|family| family.is_named_by(name));
    shown.unwrap_or(Family::Ucs4Be).encoding()
}

/// Finds the encoding of an XML document as browsers do. Browsers support only the Encoding Standard's encodings.
///
/// The order is: a byte order mark; `<?x` in UTF-16; the declaration, in which UTF-16 means UTF-8 and an unknown label is
/// ignored; UTF-8.
pub fn sniff_like_browsers(bytes: &[u8]) -> Decision {
    if let Some(bom) = bom::standard(bytes) {
        return bom.into();
    }
    match Family::of(bytes) {
        Some(family @ (Family::Utf16Be | Family::Utf16Le)) => {
            let encoding = family.encoding().unwrap_or(UTF_8);
            Decision::certain(encoding, Source::XmlFamily)
        }
        Some(Family::Ascii) => match html::xml_encoding(&bytes[..bytes.len().min(HEAD_LENGTH)]) {
            Some(encoding) => Decision::certain(encoding, Source::XmlDeclaration),
            None => Decision::certain(UTF_8, Source::Default),
        },
        _ => Decision::certain(UTF_8, Source::Default),
    }
}
