//! Byte order marks: the three of the Encoding Standard, and the seven of XML's Appendix F with UCS-4.

use crate::{Decision, Source, encoding_for_name};
use mojika::{BomHandling, Decoder, Encoding, Status};

/// A byte order mark at the start of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bom {
    /// The encoding of the mark.
    pub encoding: &'static Encoding,
    /// The length of the mark in bytes.
    pub length: usize,
}

impl From<Bom> for Decision {
    fn from(bom: Bom) -> Self {
        Self {
            bom_length: bom.length,
            ..Self::certain(bom.encoding, Source::Bom)
        }
    }
}

/// The marks of XML and the names of their encodings, longest marks first: Appendix F.1, "With a Byte Order Mark".
///
/// `FF FE` followed by `00 00` is not UTF-16LE, because no document starts with U+0000.
pub static XML_TABLE: [(&[u8], &str); 7] = [
    (&[0x00, 0x00, 0xFE, 0xFF], "UTF-32BE"),
    (&[0xFF, 0xFE, 0x00, 0x00], "UTF-32LE"),
    (&[0x00, 0x00, 0xFF, 0xFE], "UTF-32-2143"),
    (&[0xFE, 0xFF, 0x00, 0x00], "UTF-32-3412"),
    (&[0xFE, 0xFF], "UTF-16BE"),
    (&[0xFF, 0xFE], "UTF-16LE"),
    (&[0xEF, 0xBB, 0xBF], "UTF-8"),
];

/// Returns the byte order mark of UTF-8, UTF-16BE or UTF-16LE: "BOM sniff" of the Encoding Standard.
///
/// ```
/// let bom = mojika_sniff::bom::standard(b"\xFF\xFE\0\0").unwrap();
/// assert_eq!((bom.encoding, bom.length), (mojika::UTF_16LE, 2));
/// ```
pub fn standard(bytes: &[u8]) -> Option<Bom> {
    Encoding::for_bom(bytes).map(|(encoding, length)| Bom { encoding, length })
}

/// Finds a byte order mark of [`XML_TABLE`].
///
/// ```
/// let bom = mojika_sniff::bom::xml(b"\xEF\xBB\xBF<a/>").unwrap();
/// assert_eq!((bom.encoding, bom.length), (mojika::UTF_8, 3));
/// ```
pub fn xml(bytes: &[u8]) -> Option<Bom> {
    // Most documents start with other bytes, which this quick test excludes.
    if !matches!(bytes.first()?, 0x00 | 0xEF | 0xFE | 0xFF) {
        return None;
    }
    let (mark, name) = XML_TABLE.iter().find(|row| bytes.starts_with(row.0))?;
    Some(Bom {
        encoding: encoding_for_name(name.as_bytes())?,
        length: mark.len(),
    })
}

/// The number of bytes after a UTF-32 mark that [`of_text`] examines.
const LOOKED_AT: usize = 256;

/// The maximum number of bytes at the start of a document that [`of_text`] reads.
pub(super) const HEAD_LENGTH: usize = 4 + LOOKED_AT;

/// Returns the byte order mark of a text file: one of [`XML_TABLE`], but one of UTF-32 only if text in UTF-32 follows.
///
/// `FF FE 00 00` may also be the mark of UTF-16LE and U+0000. It is the mark of UTF-32LE if all complete units in the
/// next 256 bytes are scalar values other than U+0000, or if no bytes follow. The same holds for other UTF-32 marks.
///
/// ```
/// use mojika_sniff::bom::of_text;
///
/// let bom = of_text(b"\xFF\xFE\0\0a\0\0\0").unwrap();
/// assert_eq!((bom.encoding.name(), bom.length), ("UTF-32LE", 4));
/// let bom = of_text(b"\xFF\xFE\0\0a\0b\0").unwrap();
/// assert_eq!((bom.encoding.name(), bom.length), ("UTF-16LE", 2));
/// ```
pub fn of_text(bytes: &[u8]) -> Option<Bom> {
    let marked = xml(bytes)?;
    if marked.length < 4 {
        return Some(marked);
    }
    let rest = &bytes[marked.length..];
    let rest = &rest[..rest.len().min(LOOKED_AT)];
    let mut units = [1_u16; LOOKED_AT];
    let mut decoder = Decoder::new(marked.encoding, BomHandling::Keep);
    let decoded = decoder.decode_fatal(rest, &mut units[..], false);
    if decoded.status == Status::InputEmpty && !units.contains(&0) {
        Some(marked)
    } else {
        standard(bytes)
    }
}
