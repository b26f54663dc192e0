//! `Encoding`: labels, properties, and one-shot calls.

use crate::bom::Mark;
use crate::encodings::{self, REPLACEMENT, UTF_8};
use crate::{Decoder, Encoder};
#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::fmt;
use core::hash::{Hash, Hasher};

/// The algorithm of an encoding, as far as this layer depends on it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Utf8,
    SingleByte,
    Gb18030 { is_gbk: bool },
    Big5,
    EucJp,
    Iso2022Jp,
    ShiftJis,
    EucKr,
    Replacement,
    Utf16,
    XUserDefined,
}

/// An encoding of the Encoding Standard, used by reference through statics such as [`UTF_8`].
pub struct Encoding {
    /// A reference, because a static cannot be initialised with another's value.
    pub(crate) engine: &'static &'static mojika::Encoding,
    pub(crate) family: Family,
}

impl Encoding {
    /// "Get an encoding": the encoding that a label names.
    pub fn for_label(label: &[u8]) -> Option<&'static Encoding> {
        mojika::Encoding::for_label(label).map(encodings::of_engine)
    }

    /// [`for_label`](Self::for_label), but `None` for replacement.
    #[inline]
    pub fn for_label_no_replacement(label: &[u8]) -> Option<&'static Encoding> {
        Self::for_label(label).filter(|encoding| *encoding != REPLACEMENT)
    }

    /// "BOM sniff": the encoding that a byte order mark names, and the mark's length.
    #[inline]
    pub fn for_bom(buffer: &[u8]) -> Option<(&'static Encoding, usize)> {
        let mark = Mark::starting_with(*buffer.first()?)?;
        buffer
            .starts_with(mark.bytes())
            .then(|| (mark.encoding(), mark.bytes().len()))
    }

    /// The name, as the Standard writes it.
    #[inline]
    pub fn name(&'static self) -> &'static str {
        self.engine.name()
    }

    /// True if the output encoding is UTF-8.
    #[inline]
    pub fn can_encode_everything(&'static self) -> bool {
        self.output_encoding() == UTF_8
    }

    /// True if bytes below 0x80 are ASCII, and the other way round.
    #[inline]
    pub fn is_ascii_compatible(&'static self) -> bool {
        self.engine.is_ascii_compatible()
    }

    /// True if each byte is a character of its own.
    #[inline]
    pub fn is_single_byte(&'static self) -> bool {
        self.engine.is_single_byte()
    }

    /// "Get an output encoding": UTF-8 for replacement and UTF-16BE/LE.
    #[inline]
    pub fn output_encoding(&'static self) -> &'static Encoding {
        match self.family {
            Family::Replacement | Family::Utf16 => UTF_8,
            _ => self,
        }
    }

    /// Decodes whole input in the encoding that a byte order mark names, or in this one; malformed sequences become
    /// U+FFFD. Returns the text, the encoding, and true if a sequence was malformed.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn decode<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, &'static Encoding, bool) {
        let decoded = self.engine.decode(bytes);
        let encoding = if decoded.encoding == *self.engine {
            self
        } else {
            encodings::of_engine(decoded.encoding)
        };
        let text = encoding.borrowed_if_usual(decoded.text);
        (text, encoding, decoded.had_errors)
    }

    /// [`decode`](Self::decode) that removes this encoding's own byte order mark and obeys no other.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn decode_with_bom_removal<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, bool) {
        let bom_length = match Self::for_bom(bytes) {
            Some((encoding, length)) if encoding == self => length,
            _ => 0,
        };
        self.decode_without_bom_handling(&bytes[bom_length..])
    }

    /// [`decode`](Self::decode) that treats a byte order mark as content.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn decode_without_bom_handling<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, bool) {
        let decoded = self.engine.decode_with(bytes, mojika::BomHandling::Keep);
        (self.borrowed_if_usual(decoded.text), decoded.had_errors)
    }

    /// [`decode_without_bom_handling`](Self::decode_without_bom_handling), but `None` if anything is malformed.
    #[cfg(feature = "alloc")]
    pub fn decode_without_bom_handling_and_without_replacement<'a>(
        &'static self,
        bytes: &'a [u8],
    ) -> Option<Cow<'a, str>> {
        let decoded = self
            .engine
            .decode_fatal(bytes, mojika::BomHandling::Keep)
            .ok()?;
        Some(self.borrowed_if_usual(decoded.text))
    }

    /// The engine borrows empty text even in encodings that never borrow input; encoding_rs does not.
    #[cfg(feature = "alloc")]
    #[inline]
    fn borrowed_if_usual<'a>(&self, text: Cow<'a, str>) -> Cow<'a, str> {
        match self.family {
            Family::Replacement | Family::Utf16 => Cow::Owned(text.into_owned()),
            _ => text,
        }
    }

    /// Encodes whole text to the output encoding; unmappable scalar values become numeric character references. Returns
    /// the bytes, the output encoding, and true if a character was unmappable.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn encode<'a>(&'static self, string: &'a str) -> (Cow<'a, [u8]>, &'static Encoding, bool) {
        let output = self.output_encoding();
        match output.engine.encode_html(string) {
            Ok(encoded) => (encoded.bytes, output, encoded.had_errors),
            // Unreachable: only replacement has no encoder, and it is never an output encoding.
            Err(_) => (Cow::Borrowed(string.as_bytes()), output, false),
        }
    }

    /// A streaming decoder that obeys any byte order mark.
    #[inline]
    pub fn new_decoder(&'static self) -> Decoder {
        Decoder::sniffing(self)
    }

    /// A streaming decoder that removes this encoding's own byte order mark.
    #[inline]
    pub fn new_decoder_with_bom_removal(&'static self) -> Decoder {
        Decoder::removing(self)
    }

    /// A streaming decoder that treats a byte order mark as content.
    #[inline]
    pub fn new_decoder_without_bom_handling(&'static self) -> Decoder {
        Decoder::keeping(self)
    }

    /// A streaming encoder of the output encoding.
    #[inline]
    pub fn new_encoder(&'static self) -> Encoder {
        Encoder::new(self.output_encoding())
    }

    /// Length of the longest prefix that is valid UTF-8.
    pub fn utf8_valid_up_to(bytes: &[u8]) -> usize {
        mojika::mem::utf8_prefix_len(bytes)
    }

    /// Length of the longest prefix that is ASCII.
    pub fn ascii_valid_up_to(bytes: &[u8]) -> usize {
        mojika::mem::ascii_prefix_len(bytes)
    }

    /// Length of the longest prefix that ISO-2022-JP, in its initial state, decodes to the same ASCII.
    pub fn iso_2022_jp_ascii_valid_up_to(bytes: &[u8]) -> usize {
        mojika::mem::iso_2022_jp_ascii_prefix_len(bytes)
    }
}

impl PartialEq for Encoding {
    #[inline]
    fn eq(&self, other: &Encoding) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Encoding {}

impl Hash for Encoding {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        core::ptr::hash(self, state);
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoding")
            .field("name", &self.engine.name())
            .finish_non_exhaustive()
    }
}
