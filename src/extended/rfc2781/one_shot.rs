//! One-shot calls, and concatenation.

use super::{ByteOrder, Charset, CharsetError, Opening};
use crate::{BomHandling, DecodeError, Decoded, EncodeError};
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;

/// A string that [`Charset::concat`] cannot join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConcatError {
    /// The index of the string among the given ones.
    pub part: usize,
    /// The first error in the string, with its offset from the start of the string.
    pub error: CharsetError,
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
    /// The result names UTF-16BE or UTF-16LE, and its BOM length is the length of the signature.
    ///
    /// ```
    /// use mojika::extended::rfc2781::Charset;
    ///
    /// let decoded = Charset::Utf16.decode(b"\xFF\xFE\x57\x5B");
    /// assert_eq!((&*decoded.text, decoded.encoding), ("字", mojika::UTF_16LE));
    /// assert_eq!(decoded.bom_length, 2);
    /// ```
    pub fn decode(self, bytes: &[u8]) -> Decoded<Cow<'_, str>> {
        let opening = self.opening(bytes.first_chunk().copied());
        let encoding = opening.order.encoding();
        let mut decoded = if opening.reversed {
            let rest = encoding.with(BomHandling::Keep).decode(&bytes[2..]);
            Decoded {
                text: Cow::Owned(String::from("\u{FFFD}") + &rest.text),
                had_errors: true,
                ..rest
            }
        } else {
            encoding
                .with(BomHandling::Keep)
                .decode(&bytes[opening.signature_len.into()..])
        };
        decoded.bom_length = opening.signature_len.into();
        decoded
    }

    /// Decodes whole input that has no errors.
    ///
    /// # Errors
    ///
    /// The first [`CharsetError`].
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
    pub fn decode_fatal(self, bytes: &[u8]) -> Result<Decoded<Cow<'_, str>>, CharsetError> {
        let opening = self.opening(bytes.first_chunk().copied());
        decode_rest(opening, bytes)
    }

    /// Decodes whole input to UTF-16 code units; sequences in error become U+FFFD.
    ///
    /// ```
    /// use mojika::extended::rfc2781::Charset;
    ///
    /// let decoded = Charset::Utf16.decode_to_utf16(b"\xFF\xFE\x08\xD8\x45\xDF\x00\xDC");
    /// assert_eq!((decoded.text, decoded.bom_length), (vec![0xD808, 0xDF45, 0xFFFD], 2));
    /// ```
    pub fn decode_to_utf16(self, bytes: &[u8]) -> Decoded<Vec<u16>> {
        let opening = self.opening(bytes.first_chunk().copied());
        let start = if opening.reversed {
            2
        } else {
            opening.signature_len.into()
        };
        let encoding = opening.order.encoding();
        let mut text = Vec::from_iter(opening.reversed.then_some(0xFFFD));
        let decoded = encoding
            .with(BomHandling::Keep)
            .decode_append(&bytes[start..], &mut text);
        Decoded {
            text,
            encoding,
            had_errors: decoded.had_errors || opening.reversed,
            bom_length: opening.signature_len.into(),
        }
    }

    /// Decodes whole input that has no errors to UTF-16 code units.
    ///
    /// # Errors
    ///
    /// The first [`CharsetError`].
    ///
    /// ```
    /// use mojika::extended::rfc2781::Charset;
    ///
    /// let decoded = Charset::Utf16.decode_to_utf16_fatal(b"\xFE\xFF\0a").unwrap();
    /// assert_eq!(decoded.text, [0x61]);
    /// assert!(Charset::Utf16.decode_to_utf16_fatal(b"\xDC\0").is_err());
    /// ```
    pub fn decode_to_utf16_fatal(self, bytes: &[u8]) -> Result<Decoded<Vec<u16>>, CharsetError> {
        let opening = self.opening(bytes.first_chunk().copied());
        let rest = behind_signature(opening, bytes)?;
        let encoding = opening.order.encoding();
        let mut text = Vec::new();
        encoding
            .with(BomHandling::Keep)
            .decode_append_fatal(rest, &mut text)
            .map_err(|error| error_in(opening, bytes, error))?;
        Ok(Decoded {
            text,
            encoding,
            had_errors: false,
            bom_length: opening.signature_len.into(),
        })
    }

    /// Encodes whole UTF-16 like [`encode`](Self::encode); lone surrogates count as U+FFFD.
    ///
    /// # Errors
    ///
    /// Never fails, like `encode`.
    ///
    /// ```
    /// use mojika::extended::rfc2781::Charset;
    ///
    /// assert_eq!(Charset::Utf16.encode_utf16(&[0xD808, 0xDF45])?, b"\xFE\xFF\xD8\x08\xDF\x45");
    /// # Ok::<(), mojika::EncodeError>(())
    /// ```
    pub fn encode_utf16(self, units: &[u16]) -> Result<Vec<u8>, EncodeError> {
        let order = self.output_order();
        let mut bytes = Vec::new();
        self.push_signature(order, &mut bytes);
        order.encoding().encode_append(units, &mut bytes)?;
        Ok(bytes)
    }

    /// Encodes whole text. "UTF-16" is big-endian after a signature; "UTF-16BE" and "UTF-16LE" have no signature.
    ///
    /// # Errors
    ///
    /// Never fails: the return type is the same as that of [`Encoding::encode`](crate::Encoding::encode).
    ///
    /// ```
    /// use mojika::extended::rfc2781::Charset;
    ///
    /// assert_eq!(Charset::Utf16.encode("a")?, b"\xFE\xFF\0a");
    /// assert_eq!(Charset::Utf16Le.encode("a")?, b"a\0");
    /// # Ok::<(), mojika::EncodeError>(())
    /// ```
    pub fn encode(self, text: &str) -> Result<Vec<u8>, EncodeError> {
        let order = self.output_order();
        let mut bytes = Vec::new();
        self.push_signature(order, &mut bytes);
        order.encoding().encode_append(text, &mut bytes)?;
        Ok(bytes)
    }

    /// Joins strings in this charset into one (section 3.2).
    ///
    /// In "UTF-16" each string may have a byte order of its own. The result has the order of the first string, after
    /// one signature; the signatures of the strings are removed. In "UTF-16BE" and "UTF-16LE" a leading U+FEFF is text
    /// and stays.
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

    /// Returns the byte order of the output.
    fn output_order(self) -> ByteOrder {
        match self {
            Charset::Utf16 | Charset::Utf16Be => ByteOrder::BigEndian,
            Charset::Utf16Le => ByteOrder::LittleEndian,
        }
    }

    /// Writes the signature that this charset requires.
    fn push_signature(self, order: ByteOrder, bytes: &mut Vec<u8>) {
        if self == Charset::Utf16 {
            bytes.extend(order.octets(0xFEFF));
        }
    }
}

/// Returns the input after the signature.
fn behind_signature(opening: Opening, bytes: &[u8]) -> Result<&[u8], CharsetError> {
    if opening.reversed {
        return Err(CharsetError::of(opening, bytes, 0, 2));
    }
    Ok(&bytes[opening.signature_len.into()..])
}

/// Converts an error found after the signature of `bytes` to the RFC's error.
fn error_in(opening: Opening, bytes: &[u8], error: DecodeError) -> CharsetError {
    let offset = error.sequence.offset + u64::from(opening.signature_len);
    CharsetError::of(
        opening,
        &bytes[offset as usize..],
        offset,
        error.sequence.len,
    )
}

/// Decodes the input after the signature.
fn decode_rest(opening: Opening, bytes: &[u8]) -> Result<Decoded<Cow<'_, str>>, CharsetError> {
    let rest = behind_signature(opening, bytes)?;
    let encoding = opening.order.encoding();
    let mut decoded = encoding
        .with(BomHandling::Keep)
        .decode_fatal(rest)
        .map_err(|error| error_in(opening, bytes, error))?;
    decoded.bom_length = opening.signature_len.into();
    Ok(decoded)
}
