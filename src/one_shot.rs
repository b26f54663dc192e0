//! One-shot calls: whole input to whole output, borrowed if nothing changes.

use crate::bom::{self, BomHandling};
use crate::codec::{Scheme, is_plain_ascii};
use crate::decoder::Decoder;
use crate::decoder::text;
use crate::progress::Status;
use crate::simd::tuning;
use crate::{DecodeError, EncodeError, Encoding, NoEncoder, Unmappable, simd};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

mod append;
mod column;

pub use column::{ColumnError, DecodedColumn};

/// The text that a one-shot call decoded, with its encoding and errors.
///
/// [`Encoding::decode`] gives a `Decoded<Cow<str>>`, borrowed from the input whenever its bytes are the text's;
/// [`Options::decode_append`] gives a `Decoded<Range<usize>>`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decoded<T> {
    /// The text, or the range of code units of the target that it was appended as.
    pub text: T,
    /// The encoding that was decoded: the requested one, or the one that a byte order mark names.
    pub encoding: &'static Encoding,
    /// True if a malformed sequence was replaced with U+FFFD.
    pub had_errors: bool,
    /// Length in bytes of the byte order mark that was removed from the input; 0 without one.
    pub bom_length: usize,
}

/// The bytes that a one-shot call encoded, with its errors.
///
/// [`Encoding::encode_html`] gives an `Encoded<Cow<[u8]>>`, borrowed from the input whenever its bytes are the output's;
/// [`Encoding::encode_html_append`] gives an `Encoded<Range<usize>>`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Encoded<T> {
    /// The bytes, or the range of the vector that they were appended as.
    pub bytes: T,
    /// True if any character was unmappable.
    pub had_errors: bool,
}

/// The choice of a handler of [`Encoding::encode_or_else`] for an unmappable scalar value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// Writes nothing.
    Omit,
    /// Writes the Standard's numeric character reference, as in error mode "html".
    Html,
    /// Writes the given text, encoded. If that has unmappable scalar values itself, the call fails.
    Text(Cow<'static, str>),
    /// Lets the call fail with [`EncodeError::Unmappable`].
    Fail,
}

/// An encoding with a handling of byte order marks, for one-shot calls. [`Encoding::with`] creates it.
///
/// The error mode is part of a call's name, because it decides about the type of the result. An encoder never writes a
/// byte order mark, so calls that encode are methods of [`Encoding`].
#[derive(Clone, Copy, Debug)]
pub struct Options {
    encoding: &'static Encoding,
    bom: BomHandling,
}

impl Encoding {
    /// Decodes whole input: the Standard's "decode" (section 6.1).
    ///
    /// A byte order mark of UTF-8, UTF-16BE or UTF-16LE overrides the encoding and is removed; malformed sequences
    /// become U+FFFD.
    ///
    /// ```
    /// let decoded = mojika::WINDOWS_1252.decode(b"na\xEFve");
    /// assert_eq!(decoded.text, "naïve");
    /// let with_bom = mojika::WINDOWS_1252.decode(b"\xEF\xBB\xBFna\xC3\xAFve");
    /// assert_eq!((&*with_bom.text, with_bom.encoding), ("naïve", mojika::UTF_8));
    /// ```
    pub fn decode<'a>(&'static self, bytes: &'a [u8]) -> Decoded<Cow<'a, str>> {
        self.with(BomHandling::Sniff).decode_replacing(bytes)
    }

    /// Decodes whole input in error mode "fatal". A byte order mark has the same effect as in [`decode`](Self::decode).
    ///
    /// # Errors
    ///
    /// [`DecodeError`] with offset and length of the first malformed sequence.
    ///
    /// ```
    /// let error = mojika::SHIFT_JIS.decode_fatal(b"abc\x82\"").unwrap_err();
    /// assert_eq!((error.sequence.offset, error.sequence.len), (3, 1));
    /// assert_eq!(error.to_string(), "not Shift_JIS: malformed sequence of 1 byte at byte offset 3");
    /// ```
    pub fn decode_fatal<'a>(
        &'static self,
        bytes: &'a [u8],
    ) -> Result<Decoded<Cow<'a, str>>, DecodeError> {
        self.with(BomHandling::Sniff).decode_fatal(bytes)
    }

    /// Selects a handling of byte order marks. The methods of [`Options`] also append, and decode columns.
    ///
    /// ```
    /// use mojika::{BomHandling, UTF_8};
    ///
    /// let bytes = b"\xEF\xBB\xBFabc";
    /// assert_eq!(UTF_8.with(BomHandling::Remove).decode(bytes).text, "abc");
    /// assert_eq!(UTF_8.with(BomHandling::Keep).decode(bytes).text, "\u{FEFF}abc");
    /// ```
    #[inline(always)]
    pub const fn with(&'static self, bom: BomHandling) -> Options {
        Options {
            encoding: self,
            bom,
        }
    }

    /// Encodes whole text in error mode "fatal".
    ///
    /// UTF-16BE and UTF-16LE encode to themselves, without a byte order mark.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Unmappable`] with the first unmappable scalar value, and its offset in bytes of UTF-8;
    /// [`EncodeError::NoEncoder`] for replacement.
    ///
    /// ```
    /// assert_eq!(*mojika::UTF_16LE.encode("é")?, *b"\xE9\0");
    /// let error = mojika::WINDOWS_1252.encode("1 → 2").unwrap_err();
    /// assert_eq!(error.to_string(), "U+2192 at offset 2 is unmappable in windows-1252");
    /// # Ok::<(), mojika::EncodeError>(())
    /// ```
    pub fn encode<'a>(&'static self, text: &'a str) -> Result<Cow<'a, [u8]>, EncodeError> {
        let encoded = self.encode_or_else(text, |_| Fallback::Fail)?;
        Ok(encoded.bytes)
    }

    /// Encodes whole text in error mode "html": the Standard's "encode" (section 6.1).
    ///
    /// An unmappable scalar value becomes a numeric character reference, which a reader cannot tell from the same
    /// characters in the text.
    ///
    /// # Errors
    ///
    /// [`NoEncoder`] for replacement.
    ///
    /// ```
    /// let encoded = mojika::WINDOWS_1252.encode_html("1 → 2")?;
    /// assert_eq!((&*encoded.bytes, encoded.had_errors), (&b"1 &#8594; 2"[..], true));
    /// # Ok::<(), mojika::NoEncoder>(())
    /// ```
    #[inline]
    pub fn encode_html<'a>(
        &'static self,
        text: &'a str,
    ) -> Result<Encoded<Cow<'a, [u8]>>, NoEncoder> {
        if let Scheme::Utf8 = self.kind {
            return Ok(Encoded::borrowed(text));
        }
        self.encode_legacy(text)
    }

    /// [`encode_html`](Self::encode_html) for encodings other than UTF-8. Short ASCII needs no stack frame.
    #[inline(never)]
    fn encode_legacy<'a>(
        &'static self,
        text: &'a str,
    ) -> Result<Encoded<Cow<'a, [u8]>>, NoEncoder> {
        let is_same = self.kind.is_ascii_compatible() && self.kind.has_encoder();
        match is_same && simd::is_short_ascii(text.as_bytes()) {
            true => Ok(Encoded::borrowed(text)),
            false => self.encode_other(text),
        }
    }

    /// [`encode_html`](Self::encode_html) for text other than short ASCII.
    #[inline(never)]
    fn encode_other<'a>(&'static self, text: &'a str) -> Result<Encoded<Cow<'a, [u8]>>, NoEncoder> {
        let unchanged = self.unchanged_by_encoder(text);
        if unchanged == text.len() && self.kind.has_encoder() {
            return Ok(Encoded::borrowed(text));
        }
        let mut encoder = self.new_encoder()?;
        let room = usual_room(self.kind, text.len()) + references_room(self.kind, text.len());
        let mut bytes = Vec::with_capacity(room);
        bytes.extend_from_slice(&text.as_bytes()[..unchanged]);
        let progress = encoder.encode_html_append(&text[unchanged..], &mut bytes, true);
        Ok(Encoded {
            bytes: Cow::Owned(bytes),
            had_errors: progress.had_errors,
        })
    }

    /// Encodes whole text with a handler that decides about each unmappable scalar value.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Unmappable`] if the handler refuses the scalar value or returns unmappable text;
    /// [`EncodeError::NoEncoder`] for replacement.
    ///
    /// ```
    /// use mojika::Fallback;
    ///
    /// let encoded = mojika::SHIFT_JIS.encode_or_else("5 € 💩", |unmappable| match unmappable.scalar {
    ///     '€' => Fallback::Text("EUR".into()),
    ///     _ => Fallback::Omit,
    /// })?;
    /// assert_eq!(*encoded.bytes, *b"5 EUR ");
    /// # Ok::<(), mojika::EncodeError>(())
    /// ```
    pub fn encode_or_else<'a>(
        &'static self,
        text: &'a str,
        mut handler: impl FnMut(Unmappable) -> Fallback,
    ) -> Result<Encoded<Cow<'a, [u8]>>, EncodeError> {
        let unchanged = self.unchanged_by_encoder(text);
        if unchanged == text.len() && self.kind.has_encoder() {
            return Ok(Encoded::borrowed(text));
        }
        let mut encoder = self.new_encoder()?;
        let mut bytes = Vec::with_capacity(usual_room(self.kind, text.len()));
        bytes.extend_from_slice(&text.as_bytes()[..unchanged]);
        let mut read = unchanged;
        let mut had_errors = false;
        loop {
            let progress = encoder.encode_append(&text[read..], &mut bytes, true);
            read += progress.read;
            let Status::Unmappable(unmappable) = progress.status else {
                return Ok(Encoded {
                    bytes: Cow::Owned(bytes),
                    had_errors,
                });
            };
            had_errors = true;
            let unmappable = Unmappable {
                offset: unchanged as u64 + unmappable.offset,
                ..unmappable
            };
            let fail = EncodeError::Unmappable {
                encoding: self,
                unmappable,
            };
            match handler(unmappable) {
                Fallback::Omit => {}
                Fallback::Html => encoder.owe_reference(unmappable.scalar),
                Fallback::Text(text) => {
                    if !encoder.encode_aside(&text, &mut bytes) {
                        return Err(fail);
                    }
                }
                Fallback::Fail => return Err(fail),
            }
        }
    }

    /// Returns the length of the prefix of `text` that encodes to itself and leaves the encoder in its initial state.
    #[inline(always)]
    fn unchanged_by_encoder(&self, text: &str) -> usize {
        match self.kind {
            Scheme::Utf8 => text.len(),
            Scheme::Iso2022Jp if !text.as_bytes().first().is_some_and(u8::is_ascii) => 0,
            Scheme::Iso2022Jp => unchanged_in_iso_2022_jp(text::split_ascii(text.as_bytes()).0),
            kind if !kind.is_ascii_compatible() => 0,
            // In short text, the end of ASCII would be an unpredictable branch.
            _ if simd::is_short(text.len()) => {
                usize::from(simd::is_short_ascii(text.as_bytes())) * text.len()
            }
            _ => simd::ascii_prefix_len(text.as_bytes()),
        }
    }
}

impl Options {
    /// Decodes whole input; malformed sequences become U+FFFD.
    pub fn decode<'a>(self, bytes: &'a [u8]) -> Decoded<Cow<'a, str>> {
        self.decode_replacing(bytes)
    }

    /// Decodes whole input in error mode "fatal".
    ///
    /// # Errors
    ///
    /// [`DecodeError`] with offset and length of the first malformed sequence.
    pub fn decode_fatal<'a>(self, bytes: &'a [u8]) -> Result<Decoded<Cow<'a, str>>, DecodeError> {
        let plan = Plan::of(self, bytes);
        let text = if plan.rest.is_empty() {
            Cow::Borrowed(plan.prefix)
        } else {
            let (mut decoder, mut text) = plan.decoder();
            let progress = decoder.decode_append_fatal(plan.rest, &mut text, true);
            if let Status::Malformed(sequence) = progress.status {
                let encoding = plan.encoding;
                return Err(DecodeError { encoding, sequence });
            }
            Cow::Owned(text)
        };
        Ok(plan.decoded(text, false))
    }

    /// Returns the encoding to decode, and the length of the byte order mark that is removed.
    #[inline(always)]
    fn find(self, bytes: &[u8]) -> (&'static Encoding, usize) {
        bom::find(self.bom, self.encoding, bytes).unwrap_or((self.encoding, 0))
    }

    /// Decodes whole input with replacement. Borrows input that decodes to itself.
    #[inline(always)]
    fn decode_replacing<'a>(self, bytes: &'a [u8]) -> Decoded<Cow<'a, str>> {
        // No byte order mark starts with ASCII.
        if self.encoding.kind.is_ascii_compatible()
            && let Some(text) = text::short_ascii(bytes)
        {
            return Decoded::borrowed(text, self.encoding, 0);
        }
        self.decode_other(bytes)
    }

    /// [`decode_replacing`](Self::decode_replacing) for long or non-ASCII input.
    #[inline(never)]
    fn decode_other<'a>(self, bytes: &'a [u8]) -> Decoded<Cow<'a, str>> {
        let plan = Plan::of(self, bytes);
        if plan.rest.is_empty() {
            return Decoded::borrowed(plan.prefix, plan.encoding, plan.bom_length);
        }
        let (mut decoder, mut text) = plan.decoder();
        let progress = decoder.decode_append(plan.rest, &mut text, true);
        plan.decoded(Cow::Owned(text), progress.had_errors)
    }
}

/// The plan of a call that decodes whole input, made once from the start of the input.
struct Plan<'a> {
    encoding: &'static Encoding,
    bom_length: usize,
    /// The longest prefix after the byte order mark that decodes to itself; empty if searching for it does not pay off.
    prefix: &'a str,
    /// The input after the prefix; empty if the whole input decodes to itself.
    rest: &'a [u8],
}

impl<'a> Plan<'a> {
    #[inline(always)]
    fn of(options: Options, bytes: &'a [u8]) -> Self {
        let (encoding, bom_length) = options.find(bytes);
        let (prefix, rest) = match (encoding.kind, &bytes[bom_length..]) {
            (Scheme::Utf8, bytes) => simd::split_valid(bytes),
            // Text in ISO-2022-JP usually starts with an escape sequence.
            (Scheme::Iso2022Jp, bytes @ [0x1B | 0x80.., ..]) => ("", bytes),
            (Scheme::Iso2022Jp, bytes) => {
                let (ascii, _) = text::split_ascii(bytes);
                let (prefix, _) = ascii.split_at(unchanged_in_iso_2022_jp(ascii));
                (prefix, &bytes[prefix.len()..])
            }
            (kind, bytes) if !kind.is_ascii_compatible() => ("", bytes),
            // In short text, the end of ASCII would be an unpredictable branch.
            (_, bytes) if simd::is_short(bytes.len()) => match text::short_ascii(bytes) {
                Some(text) => (text, &[][..]),
                None => ("", bytes),
            },
            (_, bytes) => text::split_ascii(bytes),
        };
        Self {
            encoding,
            bom_length,
            prefix,
            rest,
        }
    }

    /// Creates a decoder for the rest, and a string of the prefix with spare capacity.
    #[inline(always)]
    fn decoder(&self) -> (Decoder, String) {
        let decoder = Decoder::starting_at(self.encoding, self.bom_length + self.prefix.len());
        let room = if self.rest.len() <= tuning::WORST_CASE_UP_TO {
            3 * self.rest.len().max(2)
        } else {
            decoder.usual_room(self.rest.len())
        };
        let mut text = String::with_capacity(self.prefix.len() + room);
        text.push_str(self.prefix);
        (decoder, text)
    }

    #[inline(always)]
    fn decoded<'b>(&self, text: Cow<'b, str>, had_errors: bool) -> Decoded<Cow<'b, str>> {
        Decoded {
            text,
            encoding: self.encoding,
            had_errors,
            bom_length: self.bom_length,
        }
    }
}

/// Returns the capacity to reserve before encoding `length` bytes of UTF-8. Few encodings need more.
fn usual_room(kind: Scheme, length: usize) -> usize {
    /// Space for the escape sequences of ISO-2022-JP out of ASCII and back.
    const ESCAPES: usize = 8;
    if length <= tuning::WHOLE_BATCH_UP_TO {
        // A gb18030 kernel reads only the units for which the output has four bytes each.
        let most = match kind {
            Scheme::Gb18030 { is_gbk: false } | Scheme::Utf32(_) => 4,
            _ => 2,
        };
        return most * length + ESCAPES;
    }
    // No text is long enough to overflow.
    simd::whole_blocks(length).unwrap_or(length) + ESCAPES
}

/// Returns the extra capacity for character references: a quarter, because unmappable characters cluster.
fn references_room(kind: Scheme, length: usize) -> usize {
    let has_all = matches!(
        kind,
        Scheme::Utf8 | Scheme::Utf16 { .. } | Scheme::Utf32(_) | Scheme::Gb18030 { is_gbk: false }
    );
    if has_all || length > tuning::MOVED_FROM {
        0
    } else {
        length / 4
    }
}

/// Returns the length of the ASCII prefix without the controls that ISO-2022-JP interprets or refuses.
fn unchanged_in_iso_2022_jp(ascii: &str) -> usize {
    let ascii = ascii.as_bytes();
    // A search is slow to start. It is avoided if two overlapping words are plain, or if the first byte is an escape.
    if ascii.len() <= 16
        && let (Some(&first), Some(&last)) = (ascii.first_chunk(), ascii.last_chunk())
        && is_plain_ascii(first)
        && is_plain_ascii(last)
    {
        return ascii.len();
    }
    if ascii.first() == Some(&0x1B) {
        return 0;
    }
    memchr::memchr3(0x0E, 0x0F, 0x1B, ascii).unwrap_or(ascii.len())
}

impl<'a> Decoded<Cow<'a, str>> {
    #[inline(always)]
    fn borrowed(text: &'a str, encoding: &'static Encoding, bom_length: usize) -> Self {
        Decoded {
            text: Cow::Borrowed(text),
            encoding,
            had_errors: false,
            bom_length,
        }
    }
}

impl<'a> Encoded<Cow<'a, [u8]>> {
    #[inline(always)]
    fn borrowed(text: &'a str) -> Self {
        Encoded {
            bytes: Cow::Borrowed(text.as_bytes()),
            had_errors: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_found_wherever_they_are() {
        for length in 0..40 {
            let text = "x".repeat(length);
            assert_eq!(unchanged_in_iso_2022_jp(&text), length);
            for at in 0..length {
                for byte in 0..0x80 {
                    let mut text = text.clone().into_bytes();
                    text[at] = byte;
                    let text = String::from_utf8(text).unwrap();
                    let expected = if [0x0E, 0x0F, 0x1B].contains(&byte) {
                        at
                    } else {
                        length
                    };
                    assert_eq!(unchanged_in_iso_2022_jp(&text), expected, "{text:?}");
                }
            }
        }
    }
}
