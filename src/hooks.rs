//! The Standard's hooks for other standards (section 6), and the operations of the URL and Infra Standards that build
//! on them, under their names.
//!
//! Other standards call these algorithms; code that implements such a standard can follow it literally. Everything here
//! is also reachable through [`Encoding`], [`Decoder`](crate::Decoder) and [`Encoder`]. "UTF-8 encode" is `str::as_bytes`.

#[cfg(feature = "alloc")]
use crate::extended::ISO_8859_1;
#[cfg(feature = "alloc")]
use crate::{BomHandling, DecodeError, Decoded, EncodeError, Encoded, NoEncoder, Status, UTF_8};
use crate::{Encoder, Encoding};
#[cfg(feature = "alloc")]
use alloc::{
    borrow::Cow,
    string::{String, ToString},
    vec::Vec,
};

/// "Decode": a byte order mark overrides `fallback`; errors are replaced.
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
    UTF_8.with(BomHandling::Remove).decode(bytes).text
}

/// "UTF-8 decode without BOM": a byte order mark is content; errors are replaced.
///
/// ```
/// assert_eq!(mojika::hooks::utf_8_decode_without_bom(b"\xEF\xBB\xBFa"), "\u{FEFF}a");
/// ```
#[cfg(feature = "alloc")]
pub fn utf_8_decode_without_bom(bytes: &[u8]) -> Cow<'_, str> {
    UTF_8.with(BomHandling::Keep).decode(bytes).text
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
        .with(BomHandling::Keep)
        .decode_fatal(bytes)
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

/// "Get an encoder": `None` for replacement and UTF-16BE/LE, which the Standard's assertion excludes.
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

/// "Percent-encode after encoding" of the URL Standard: `input` in `encoding`, percent-encoded.
///
/// `is_in_set` is the percent-encode set; it is called with each byte as the code point of that number. It is not
/// called for bytes outside U+0020 to U+007E, as all sets contain these. With `space_as_plus`, a space becomes `+`. An
/// unmappable scalar value becomes a percent-encoded numeric character reference. The encoding used is ["get an output
/// encoding"](Encoding::output_encoding) of the given one.
///
/// ```
/// use mojika::hooks::percent_encode_after_encoding;
///
/// let query = |byte| b" \"#<>".contains(&byte);
/// let encode = |text| percent_encode_after_encoding(mojika::SHIFT_JIS, text, query, false);
/// assert_eq!(encode("\u{2261}\u{203D}a b"), "%81%DF%26%238253%3Ba%20b");
/// ```
#[cfg(feature = "alloc")]
pub fn percent_encode_after_encoding(
    encoding: &'static Encoding,
    mut input: &str,
    is_in_set: impl Fn(u8) -> bool,
    space_as_plus: bool,
) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut output = String::with_capacity(input.len());
    // Steps 1 and 2. An output encoding has an encoder.
    let Ok(mut encoder) = encoding.output_encoding().new_encoder() else {
        return output;
    };
    let mut bytes = Vec::new();
    loop {
        // Steps 3, 4 and 5.1.
        bytes.clear();
        let potential_error = encode_or_fail(&mut input, &mut encoder, &mut bytes);
        // Step 5.2.
        for &byte in &bytes {
            match byte {
                // Step 5.2.1.
                b' ' if space_as_plus => output.push('+'),
                // Steps 5.2.2 to 5.2.4.
                0x20..=0x7E if !is_in_set(byte) => output.push(char::from(byte)),
                // Step 5.2.5.
                _ => {
                    output.push('%');
                    output.push(char::from(DIGITS[usize::from(byte >> 4)]));
                    output.push(char::from(DIGITS[usize::from(byte & 15)]));
                }
            }
        }
        // Step 5.3.
        let Some(scalar) = potential_error else {
            return output;
        };
        output.push_str("%26%23");
        output.push_str(&u32::from(scalar).to_string());
        output.push_str("%3B");
    }
}

/// "Isomorphic decode" of the Infra Standard: each byte becomes the code point of its value.
///
/// ```
/// assert_eq!(mojika::hooks::isomorphic_decode(b"a\x80\xFF"), "a\u{80}\u{FF}");
/// ```
#[cfg(feature = "alloc")]
pub fn isomorphic_decode(bytes: &[u8]) -> Cow<'_, str> {
    ISO_8859_1.with(BomHandling::Keep).decode(bytes).text
}

/// "Isomorphic encode" of the Infra Standard: each code point becomes the byte of its value.
///
/// # Errors
///
/// [`EncodeError`] at the first code point above U+00FF. The Standard asserts that the text has none.
///
/// ```
/// use mojika::hooks::isomorphic_encode;
///
/// assert_eq!(*isomorphic_encode("a\u{80}\u{FF}")?, *b"a\x80\xFF");
/// assert!(isomorphic_encode("\u{100}").is_err());
/// # Ok::<(), mojika::EncodeError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn isomorphic_encode(text: &str) -> Result<Cow<'_, [u8]>, EncodeError> {
    ISO_8859_1.encode(text)
}
