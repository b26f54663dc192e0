//! `Encoding`: the 40 encodings, their labels and properties, and one-shot calls.

use Family::*;
#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::fmt;
use core::hash::{Hash, Hasher};

/// The algorithm of an encoding, as far as this crate distinguishes algorithms.
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
    /// A reference to a static, because one static cannot be initialised with another's value.
    pub(crate) engine: &'static &'static mojika::Encoding,
    pub(crate) family: Family,
}

impl Encoding {
    /// The Standard's "get an encoding": returns the encoding of a label.
    pub fn for_label(label: &[u8]) -> Option<&'static Encoding> {
        mojika::Encoding::for_label(label).map(of_engine)
    }

    /// [`for_label`](Self::for_label), but `None` for replacement.
    #[inline]
    pub fn for_label_no_replacement(label: &[u8]) -> Option<&'static Encoding> {
        Self::for_label(label).filter(|encoding| *encoding != REPLACEMENT)
    }

    /// The Standard's "BOM sniff": returns the encoding of a byte order mark and the mark's length.
    #[inline]
    pub fn for_bom(buffer: &[u8]) -> Option<(&'static Encoding, usize)> {
        // The first byte rules out a mark in most streams.
        if !matches!(*buffer.first()?, 0xEF | 0xFE | 0xFF) {
            return None;
        }
        mojika::Encoding::for_bom(buffer).map(|(encoding, length)| (of_engine(encoding), length))
    }

    /// Returns the name, as the Standard spells it.
    #[inline]
    pub fn name(&'static self) -> &'static str {
        self.engine.name()
    }

    /// True if the output encoding is UTF-8.
    #[inline]
    pub fn can_encode_everything(&'static self) -> bool {
        self.output_encoding() == UTF_8
    }

    /// True if the bytes below 0x80, and no others, are ASCII.
    #[inline]
    pub fn is_ascii_compatible(&'static self) -> bool {
        self.engine.is_ascii_compatible()
    }

    /// True if each byte decodes to one character.
    #[inline]
    pub fn is_single_byte(&'static self) -> bool {
        self.engine.is_single_byte()
    }

    /// The Standard's "get an output encoding": UTF-8 for replacement and UTF-16BE/LE.
    #[inline]
    pub fn output_encoding(&'static self) -> &'static Encoding {
        match self.family {
            Family::Replacement | Family::Utf16 => UTF_8,
            _ => self,
        }
    }

    /// Decodes whole input in the encoding that a byte order mark names, or in `self`; malformed sequences become
    /// U+FFFD. Returns the text, the encoding, and true if a sequence was malformed.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn decode<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, &'static Encoding, bool) {
        let decoded = self.engine.decode(bytes);
        let encoding = if decoded.encoding == *self.engine {
            self
        } else {
            of_engine(decoded.encoding)
        };
        let text = encoding.borrowed_if_usual(decoded.text);
        (text, encoding, decoded.had_errors)
    }

    /// [`decode`](Self::decode) that removes only this encoding's own byte order mark, and obeys no other mark.
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
        let decoded = self.engine.with(mojika::BomHandling::Keep).decode(bytes);
        (self.borrowed_if_usual(decoded.text), decoded.had_errors)
    }

    /// [`decode_without_bom_handling`](Self::decode_without_bom_handling), but `None` if a sequence is malformed.
    #[cfg(feature = "alloc")]
    pub fn decode_without_bom_handling_and_without_replacement<'a>(
        &'static self,
        bytes: &'a [u8],
    ) -> Option<Cow<'a, str>> {
        let decoded = self
            .engine
            .with(mojika::BomHandling::Keep)
            .decode_fatal(bytes)
            .ok()?;
        Some(self.borrowed_if_usual(decoded.text))
    }

    /// Returns empty text as encoding_rs does: owned in encodings that never borrow. The engine borrows it.
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

    /// Returns the length of the longest prefix that is valid UTF-8.
    pub fn utf8_valid_up_to(bytes: &[u8]) -> usize {
        mojika::mem::utf8_prefix_len(bytes)
    }

    /// Returns the length of the longest prefix that is ASCII.
    pub fn ascii_valid_up_to(bytes: &[u8]) -> usize {
        mojika::mem::ascii_prefix_len(bytes)
    }

    /// Returns the length of the longest prefix that ISO-2022-JP, in its initial state, decodes to the same ASCII.
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

/// Defines two statics for each encoding, and the list of all encodings.
macro_rules! encodings {
    ($($ident:ident $init:ident $family:expr;)*) => {
        $(
            #[doc = concat!("What [`", stringify!($ident), "`] refers to, for the initialisers of other statics.")]
            pub static $init: Encoding = Encoding {
                engine: &mojika::$ident,
                family: $family,
            };

            #[doc = concat!("As [`mojika::", stringify!($ident), "`].")]
            pub static $ident: &'static Encoding = &$init;
        )*

        /// All encodings.
        static ALL: [&Encoding; 40] = [$(&$init),*];
    };
}

encodings! {
    UTF_8 UTF_8_INIT Utf8;
    IBM866 IBM866_INIT SingleByte;
    ISO_8859_2 ISO_8859_2_INIT SingleByte;
    ISO_8859_3 ISO_8859_3_INIT SingleByte;
    ISO_8859_4 ISO_8859_4_INIT SingleByte;
    ISO_8859_5 ISO_8859_5_INIT SingleByte;
    ISO_8859_6 ISO_8859_6_INIT SingleByte;
    ISO_8859_7 ISO_8859_7_INIT SingleByte;
    ISO_8859_8 ISO_8859_8_INIT SingleByte;
    ISO_8859_8_I ISO_8859_8_I_INIT SingleByte;
    ISO_8859_10 ISO_8859_10_INIT SingleByte;
    ISO_8859_13 ISO_8859_13_INIT SingleByte;
    ISO_8859_14 ISO_8859_14_INIT SingleByte;
    ISO_8859_15 ISO_8859_15_INIT SingleByte;
    ISO_8859_16 ISO_8859_16_INIT SingleByte;
    KOI8_R KOI8_R_INIT SingleByte;
    KOI8_U KOI8_U_INIT SingleByte;
    MACINTOSH MACINTOSH_INIT SingleByte;
    WINDOWS_874 WINDOWS_874_INIT SingleByte;
    WINDOWS_1250 WINDOWS_1250_INIT SingleByte;
    WINDOWS_1251 WINDOWS_1251_INIT SingleByte;
    WINDOWS_1252 WINDOWS_1252_INIT SingleByte;
    WINDOWS_1253 WINDOWS_1253_INIT SingleByte;
    WINDOWS_1254 WINDOWS_1254_INIT SingleByte;
    WINDOWS_1255 WINDOWS_1255_INIT SingleByte;
    WINDOWS_1256 WINDOWS_1256_INIT SingleByte;
    WINDOWS_1257 WINDOWS_1257_INIT SingleByte;
    WINDOWS_1258 WINDOWS_1258_INIT SingleByte;
    X_MAC_CYRILLIC X_MAC_CYRILLIC_INIT SingleByte;
    GBK GBK_INIT Gb18030 { is_gbk: true };
    GB18030 GB18030_INIT Gb18030 { is_gbk: false };
    BIG5 BIG5_INIT Big5;
    EUC_JP EUC_JP_INIT EucJp;
    ISO_2022_JP ISO_2022_JP_INIT Iso2022Jp;
    SHIFT_JIS SHIFT_JIS_INIT ShiftJis;
    EUC_KR EUC_KR_INIT EucKr;
    REPLACEMENT REPLACEMENT_INIT Replacement;
    UTF_16BE UTF_16BE_INIT Utf16;
    UTF_16LE UTF_16LE_INIT Utf16;
    X_USER_DEFINED X_USER_DEFINED_INIT XUserDefined;
}

/// Returns this crate's encoding for one of the engine's.
pub(crate) fn of_engine(engine: &'static mojika::Encoding) -> &'static Encoding {
    ALL.into_iter()
        .find(|encoding| *encoding.engine == engine)
        // Every encoding of the engine is in the list, as a test verifies.
        .unwrap_or(UTF_8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_of_the_engine_has_its_own() {
        for &engine in mojika::Encoding::all() {
            assert_eq!(of_engine(engine).name(), engine.name());
        }
    }
}
