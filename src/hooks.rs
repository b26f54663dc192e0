//! Hooks for standards (section 6 of the Standard), under their names.
//!
//! Other standards call these algorithms; code that implements such a standard can follow it literally. Everything here
//! is also reachable through [`Encoding`], [`Decoder`](crate::Decoder) and [`Encoder`]. "UTF-8 encode" is `str::as_bytes`.

#[cfg(feature = "alloc")]
use crate::{BomHandling, DecodeError, Decoded, Encoded, NoEncoder, Status, UTF_8};
use crate::{Encoder, Encoding};
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};

/// "Decode": `fallback` is overridden by a byte order mark; errors are replaced.
///
/// ```
/// assert_eq!(mojika::hooks::decode(b"\xFE\xFF\x65\x87", mojika::UTF_8).text, "文");
/// ```
#[cfg(feature = "alloc")]
pub fn decode<'a>(bytes: &'a [u8], fallback: &'static Encoding) -> Decoded<Cow<'a, str>> {
    fallback.decode(bytes)
}

/// "UTF-8 decode": a UTF-8 byte order mark is removed; errors are replaced.
///
/// ```
/// assert_eq!(mojika::hooks::utf_8_decode(b"\xEF\xBB\xBFa\xFF"), "a\u{FFFD}");
/// ```
#[cfg(feature = "alloc")]
pub fn utf_8_decode(bytes: &[u8]) -> Cow<'_, str> {
    UTF_8.decode_with(bytes, BomHandling::Remove).text
}

/// "UTF-8 decode without BOM": a byte order mark is content; errors are replaced.
///
/// ```
/// assert_eq!(mojika::hooks::utf_8_decode_without_bom(b"\xEF\xBB\xBFa"), "\u{FEFF}a");
/// ```
#[cfg(feature = "alloc")]
pub fn utf_8_decode_without_bom(bytes: &[u8]) -> Cow<'_, str> {
    UTF_8.decode_with(bytes, BomHandling::Keep).text
}

/// "UTF-8 decode without BOM or fail": a byte order mark is content.
///
/// # Errors
///
/// [`DecodeError`] at the first malformed sequence.
///
/// ```
/// assert!(mojika::hooks::utf_8_decode_without_bom_or_fail(b"a\xFF").is_err());
/// ```
#[cfg(feature = "alloc")]
pub fn utf_8_decode_without_bom_or_fail(bytes: &[u8]) -> Result<Cow<'_, str>, DecodeError> {
    UTF_8
        .decode_fatal(bytes, BomHandling::Keep)
        .map(|decoded| decoded.text)
}

/// "BOM sniff": the encoding that a byte order mark names, or `None`.
///
/// ```
/// assert_eq!(mojika::hooks::bom_sniff(b"\xFF\xFE"), Some(mojika::UTF_16LE));
/// ```
pub fn bom_sniff(bytes: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_bom(bytes).map(|(encoding, _)| encoding)
}

/// "Encode": unmappable scalar values become numeric character references.
///
/// # Errors
///
/// [`NoEncoder`] for replacement. (The Standard also forbids UTF-16BE/LE; these encode to themselves here.)
#[cfg(feature = "alloc")]
pub fn encode<'a>(
    text: &'a str,
    encoding: &'static Encoding,
) -> Result<Encoded<Cow<'a, [u8]>>, NoEncoder> {
    encoding.encode_html(text)
}

/// "Get an encoder", or `None` for the encodings that the Standard asserts it is not asked for: replacement and
/// UTF-16BE/LE.
pub fn get_an_encoder(encoding: &'static Encoding) -> Option<Encoder> {
    if encoding.output_encoding() != encoding {
        return None;
    }
    encoding.new_encoder().ok()
}

/// "Encode or fail": encodes from the front of `input`, which is advanced, to the end of `output`.
///
/// Returns the scalar value that could not be encoded, after which the caller calls again with the same encoder,
/// or `None` at the end of the input. ISO-2022-JP reports U+FFFD for some controls.
///
/// ```
/// use mojika::hooks::{encode_or_fail, get_an_encoder};
///
/// let mut encoder = get_an_encoder(mojika::EUC_JP).unwrap();
/// let (mut input, mut output) = ("字💩字", Vec::new());
/// assert_eq!(encode_or_fail(&mut input, &mut encoder, &mut output), Some('💩'));
/// assert_eq!(encode_or_fail(&mut input, &mut encoder, &mut output), None);
/// assert_eq!(output, b"\xBB\xFA\xBB\xFA");
/// ```
#[cfg(feature = "alloc")]
pub fn encode_or_fail(
    input: &mut &str,
    encoder: &mut Encoder,
    output: &mut Vec<u8>,
) -> Option<char> {
    let progress = encoder.encode_append(input, output, true);
    *input = &input[progress.read..];
    match progress.status {
        Status::Unmappable(unmappable) => Some(unmappable.scalar),
        _ => None,
    }
}
