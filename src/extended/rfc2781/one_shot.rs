//! One-shot calls, and concatenation.

use super::{ByteOrder, Charset, Error, Opening};
use crate::{BomHandling, Decoded, EncodeError};
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;

/// A string that [`Charset::concat`] cannot join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConcatError {
    /// Which of the strings, counted from 0.
    pub part: usize,
    /// The first error in it, with an offset from its own start.
    pub error: Error,
}

impl fmt::Display for ConcatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in string {}: {}", self.part, self.error)
    }
}

impl core::error::Error for ConcatError {}

impl Charset {
    /// Decodes whole input; sequences in error become U+FFFD.
    ///
    /// The result names UTF-16BE or UTF-16LE, and the length of the signature as that of a byte order mark.
    ///
    /// ```
    /// use mojika::extended::rfc2781::Charset;
    ///
    /// let decoded = Charset::Utf16.decode(b"\xFF\xFE\x57\x5B");
    /// assert_eq!((&*decoded.text, decoded.encoding), ("字", mojika::UTF_16LE));
    /// assert_eq!(decoded.bom_length, 2);
    /// ```
    pub fn decode(self, bytes: &[u8]) -> Decoded<'_> {
        let opening = self.opening(bytes.first_chunk().copied());
        let encoding = opening.order.encoding();
        let mut decoded = if opening.reversed {
            let rest = encoding.decode_with(&bytes[2..], BomHandling::Keep);
            Decoded {
                text: Cow::Owned(String::from("\u{FFFD}") + &rest.text),
                had_errors: true,
                ..rest
            }
        } else {
            encoding.decode_with(&bytes[opening.signature_len.into()..], BomHandling::Keep)
        };
        decoded.bom_length = opening.signature_len.into();
        decoded
    }

    /// Decodes whole input that has no errors.
    ///
    /// # Errors
    ///
    /// The first [`Error`].
    ///
    /// ```
    /// use mojika::extended::rfc2781::Charset;
    ///
    /// let error = Charset::Utf16Be.decode_fatal(b"\xFF\xFEa\0").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "0xFFFE is no character but a byte order mark in the other byte order, at byte offset 0",
    /// );
    /// ```
    pub fn decode_fatal(self, bytes: &[u8]) -> Result<Decoded<'_>, Error> {
        let opening = self.opening(bytes.first_chunk().copied());
        decode_rest(opening, bytes)
    }

    /// Encodes whole text: "UTF-16" big-endian behind a signature, the others without one.
    ///
    /// # Errors
    ///
    /// None: the type is that of [`Encoding::encode`](crate::Encoding::encode).
    ///
    /// ```
    /// use mojika::extended::rfc2781::Charset;
    ///
    /// assert_eq!(Charset::Utf16.encode("a")?, b"\xFE\xFF\0a");
    /// assert_eq!(Charset::Utf16Le.encode("a")?, b"a\0");
    /// # Ok::<(), mojika::EncodeError>(())
    /// ```
    pub fn encode(self, text: &str) -> Result<Vec<u8>, EncodeError> {
        let (order, signature) = match self {
            Charset::Utf16 => (
                ByteOrder::BigEndian,
                Some(ByteOrder::BigEndian.octets(0xFEFF)),
            ),
            Charset::Utf16Be => (ByteOrder::BigEndian, None),
            Charset::Utf16Le => (ByteOrder::LittleEndian, None),
        };
        let encoded = order.encoding().encode(text)?;
        Ok(match signature {
            Some(signature) => [&signature[..], &encoded].concat(),
            None => encoded.into_owned(),
        })
    }

    /// Joins strings in this charset into one (section 3.2).
    ///
    /// In "UTF-16" each string may have a byte order of its own. The result has the first one's, behind one signature;
    /// the signatures of all strings are left out. In "UTF-16BE" and "UTF-16LE" a leading U+FEFF is text and stays.
    ///
    /// # Errors
    ///
    /// [`ConcatError`] for the first string that has an error.
    ///
    /// ```
    /// use mojika::extended::rfc2781::Charset;
    ///
    /// let joined = Charset::Utf16.concat([&b"\xFE\xFF\0a"[..], b"\xFF\xFEb\0", b"\0c"]).unwrap();
    /// assert_eq!(joined, b"\xFE\xFF\0a\0b\0c");
    /// ```
    pub fn concat<'a>(
        self,
        strings: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Vec<u8>, ConcatError> {
        let mut joined = Vec::new();
        let mut order = None;
        for (part, bytes) in strings.into_iter().enumerate() {
            let opening = self.opening(bytes.first_chunk().copied());
            decode_rest(opening, bytes).map_err(|error| ConcatError { part, error })?;
            let order = *order.get_or_insert_with(|| {
                self.push_signature(opening.order, &mut joined);
                opening.order
            });
            let text = &bytes[opening.signature_len.into()..];
            if opening.order == order {
                joined.extend_from_slice(text);
            } else {
                let (units, _) = text.as_chunks();
                joined.extend(units.iter().flat_map(|&[a, b]| [b, a]));
            }
        }
        if order.is_none() {
            self.push_signature(ByteOrder::BigEndian, &mut joined);
        }
        Ok(joined)
    }

    /// Writes the signature that this charset asks for.
    fn push_signature(self, order: ByteOrder, bytes: &mut Vec<u8>) {
        if self == Charset::Utf16 {
            bytes.extend(order.octets(0xFEFF));
        }
    }
}

/// Decodes what is behind the signature.
fn decode_rest(opening: Opening, bytes: &[u8]) -> Result<Decoded<'_>, Error> {
    if opening.reversed {
        return Err(Error::of(opening, bytes, 0, 2));
    }
    let signature_len = usize::from(opening.signature_len);
    let rest = &bytes[signature_len..];
    let decoded = opening
        .order
        .encoding()
        .decode_fatal(rest, BomHandling::Keep);
    match decoded {
        Ok(decoded) => Ok(Decoded {
            bom_length: signature_len,
            ..decoded
        }),
        Err(error) => {
            let offset = error.sequence.offset as usize;
            let stream_offset = error.sequence.offset + signature_len as u64;
            Err(Error::of(
                opening,
                &rest[offset..],
                stream_offset,
                error.sequence.len,
            ))
        }
    }
}
