//! `TextEncoder` (section 7.4 of the Standard), and the conversion of a DOMString to a USVString.

use crate::{BomHandling, Decoder, Encoder, UTF_8, UTF_16BE, UTF_16LE};
use alloc::string::String;
use alloc::vec::Vec;

/// The dictionary `TextEncoderEncodeIntoResult`: the result of [`TextEncoder::encode_into`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TextEncoderEncodeIntoResult {
    /// `read`: UTF-16 code units of the source that were converted, also if the source is UTF-8.
    pub read: usize,
    /// `written`: bytes written.
    pub written: usize,
}

/// `TextEncoder`: strings to UTF-8 (section 7.4 of the Standard).
///
/// ```
/// use mojika::web::TextEncoder;
///
/// let encoder = TextEncoder::new();
/// assert_eq!(encoder.encode("é"), b"\xC3\xA9");
/// // A lone surrogate.
/// assert_eq!(encoder.encode_utf16(&[0x61, 0xD800]), b"a\xEF\xBF\xBD");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TextEncoder;

impl TextEncoder {
    /// `new TextEncoder()`.
    pub fn new() -> Self {
        Self
    }

    /// `encoding`: always "utf-8".
    pub fn encoding(&self) -> &'static str {
        "utf-8"
    }

    /// `encode(input)`.
    pub fn encode(&self, input: &str) -> Vec<u8> {
        input.as_bytes().to_vec()
    }

    /// `encode(input)` for UTF-16, lone surrogates as U+FFFD.
    pub fn encode_utf16(&self, input: &[u16]) -> Vec<u8> {
        let mut output = Vec::new();
        utf_8_encoder().encode_html_append(input, &mut output, true);
        output
    }

    /// `encodeInto(source, destination)`: writes the whole characters that fit.
    ///
    /// To continue, slice `source` after `read` code units; [`encode_into_utf16`](Self::encode_into_utf16) avoids the
    /// conversion.
    ///
    /// ```
    /// use mojika::web::TextEncoder;
    ///
    /// let mut destination = [0; 6];
    /// let result = TextEncoder::new().encode_into("a💩é", &mut destination);
    /// assert_eq!((result.read, result.written), (3, 5));
    /// assert_eq!(destination, *b"a\xF0\x9F\x92\xA9\0");
    /// ```
    pub fn encode_into(&self, source: &str, destination: &mut [u8]) -> TextEncoderEncodeIntoResult {
        // Step 6: the longest prefix that fits and does not cut a character.
        let mut written = source.len().min(destination.len());
        while !source.is_char_boundary(written) {
            written -= 1;
        }
        let bytes = &source.as_bytes()[..written];
        // Step 6.4.1.3.
        destination[..written].copy_from_slice(bytes);
        // Steps 6.4.1.1 and 6.4.1.2: two units for each lead byte of four, one for each other character's first byte.
        let units = |byte: &u8| usize::from(byte & 0xC0 != 0x80) + usize::from(*byte >= 0xF0);
        // Step 7.
        TextEncoderEncodeIntoResult {
            read: bytes.iter().map(units).sum(),
            written,
        }
    }

    /// `encodeInto(source, destination)` for UTF-16, lone surrogates as U+FFFD.
    ///
    /// ```
    /// use mojika::web::TextEncoder;
    ///
    /// let mut destination = [0; 5];
    /// let result = TextEncoder::new().encode_into_utf16(&[0xDC00, 0x61, 0xE9], &mut destination);
    /// assert_eq!((result.read, result.written), (2, 4));
    /// ```
    pub fn encode_into_utf16(
        &self,
        source: &[u16],
        destination: &mut [u8],
    ) -> TextEncoderEncodeIntoResult {
        // Steps 1 to 6: the encoder stops before the first character that does not fit.
        let progress = utf_8_encoder().encode_html(source, destination, true);
        // Step 7.
        TextEncoderEncodeIntoResult {
            read: progress.read,
            written: progress.written,
        }
    }
}

/// "Convert a string into a scalar value string" (the Infra Standard): lone surrogates become U+FFFD.
///
/// Web IDL applies this conversion to a DOMString that is passed as a USVString.
///
/// ```
/// assert_eq!(mojika::web::to_usv_string(&[0x61, 0xD83D, 0xDCA9, 0xD83D]), "a💩\u{FFFD}");
/// ```
pub fn to_usv_string(units: &[u16]) -> String {
    let native = if cfg!(target_endian = "big") {
        UTF_16BE
    } else {
        UTF_16LE
    };
    let mut string = String::new();
    Decoder::new(native, BomHandling::Keep).decode_append(
        bytemuck::must_cast_slice(units),
        &mut string,
        true,
    );
    string
}

/// Returns an instance of UTF-8's encoder.
pub(super) fn utf_8_encoder() -> Encoder {
    UTF_8.new_encoder().expect("UTF-8 has an encoder")
}
