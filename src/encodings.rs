//! The 40 encodings, one static each, in the order of the Standard's table of names and labels (section 4.2), and the
//! lookup by label.

use crate::codec::{AnyDecoder, AnyEncoder, PairEncoding, Scheme};
use crate::{Encoding, UnknownLabel, tables};
use core::str::FromStr;

/// Defines a static per encoding, numbered by its position, and the list of all.
macro_rules! encodings {
    ($($(#[$doc:meta])* $ident:ident $number:literal $name:literal $kind:expr;)*) => {
        $(
            $(#[$doc])*
            pub static $ident: &Encoding = &Encoding {
                name: $name,
                number: $number,
                kind: $kind,
                decoder: AnyDecoder::new($kind),
                encoder: AnyEncoder::new($kind),
                named_by_bom: None,
            };
        )*

        /// All encodings by number.
        pub(crate) static ALL: [&Encoding; 40] = [$($ident),*];
    };
}

encodings! {
    /// UTF-8: the encoding for anything new.
    UTF_8 0 "UTF-8" Scheme::Utf8;
    /// IBM866: Cyrillic (DOS).
    IBM866 1 "IBM866" Scheme::SingleByte(&tables::IBM866);
    /// ISO-8859-2: Central European.
    ISO_8859_2 2 "ISO-8859-2" Scheme::SingleByte(&tables::ISO_8859_2);
    /// ISO-8859-3: South European.
    ISO_8859_3 3 "ISO-8859-3" Scheme::SingleByte(&tables::ISO_8859_3);
    /// ISO-8859-4: North European.
    ISO_8859_4 4 "ISO-8859-4" Scheme::SingleByte(&tables::ISO_8859_4);
    /// ISO-8859-5: Cyrillic.
    ISO_8859_5 5 "ISO-8859-5" Scheme::SingleByte(&tables::ISO_8859_5);
    /// ISO-8859-6: Arabic.
    ISO_8859_6 6 "ISO-8859-6" Scheme::SingleByte(&tables::ISO_8859_6);
    /// ISO-8859-7: Greek.
    ISO_8859_7 7 "ISO-8859-7" Scheme::SingleByte(&tables::ISO_8859_7);
    /// ISO-8859-8: Hebrew, in visual order.
    ISO_8859_8 8 "ISO-8859-8" Scheme::SingleByte(&tables::ISO_8859_8);
    /// ISO-8859-8-I: ISO-8859-8 in logical order.
    ISO_8859_8_I 9 "ISO-8859-8-I" Scheme::SingleByte(&tables::ISO_8859_8);
    /// ISO-8859-10: Nordic.
    ISO_8859_10 10 "ISO-8859-10" Scheme::SingleByte(&tables::ISO_8859_10);
    /// ISO-8859-13: Baltic.
    ISO_8859_13 11 "ISO-8859-13" Scheme::SingleByte(&tables::ISO_8859_13);
    /// ISO-8859-14: Celtic.
    ISO_8859_14 12 "ISO-8859-14" Scheme::SingleByte(&tables::ISO_8859_14);
    /// ISO-8859-15: Western European with the euro sign.
    ISO_8859_15 13 "ISO-8859-15" Scheme::SingleByte(&tables::ISO_8859_15);
    /// ISO-8859-16: South-eastern European.
    ISO_8859_16 14 "ISO-8859-16" Scheme::SingleByte(&tables::ISO_8859_16);
    /// KOI8-R: Russian.
    KOI8_R 15 "KOI8-R" Scheme::SingleByte(&tables::KOI8_R);
    /// KOI8-U: Ukrainian.
    KOI8_U 16 "KOI8-U" Scheme::SingleByte(&tables::KOI8_U);
    /// macintosh: Western European (Mac OS).
    MACINTOSH 17 "macintosh" Scheme::SingleByte(&tables::MACINTOSH);
    /// windows-874: Thai; also the meaning of the label "iso-8859-11".
    WINDOWS_874 18 "windows-874" Scheme::SingleByte(&tables::WINDOWS_874);
    /// windows-1250: Central European.
    WINDOWS_1250 19 "windows-1250" Scheme::SingleByte(&tables::WINDOWS_1250);
    /// windows-1251: Cyrillic.
    WINDOWS_1251 20 "windows-1251" Scheme::SingleByte(&tables::WINDOWS_1251);
    /// windows-1252: also the meaning of the labels "latin1", "iso-8859-1" and "ascii".
    WINDOWS_1252 21 "windows-1252" Scheme::SingleByte(&tables::WINDOWS_1252);
    /// windows-1253: Greek.
    WINDOWS_1253 22 "windows-1253" Scheme::SingleByte(&tables::WINDOWS_1253);
    /// windows-1254: Turkish; also the meaning of the label "iso-8859-9".
    WINDOWS_1254 23 "windows-1254" Scheme::SingleByte(&tables::WINDOWS_1254);
    /// windows-1255: Hebrew.
    WINDOWS_1255 24 "windows-1255" Scheme::SingleByte(&tables::WINDOWS_1255);
    /// windows-1256: Arabic.
    WINDOWS_1256 25 "windows-1256" Scheme::SingleByte(&tables::WINDOWS_1256);
    /// windows-1257: Baltic.
    WINDOWS_1257 26 "windows-1257" Scheme::SingleByte(&tables::WINDOWS_1257);
    /// windows-1258: Vietnamese.
    WINDOWS_1258 27 "windows-1258" Scheme::SingleByte(&tables::WINDOWS_1258);
    /// x-mac-cyrillic: Cyrillic (Mac OS).
    X_MAC_CYRILLIC 28 "x-mac-cyrillic" Scheme::SingleByte(&tables::X_MAC_CYRILLIC);
    /// GBK: decodes as gb18030, encodes to one and two bytes only.
    GBK 29 "GBK" Scheme::Gb18030 { is_gbk: true };
    /// gb18030, in its 2022 version: all of Unicode in one, two and four bytes.
    GB18030 30 "gb18030" Scheme::Gb18030 { is_gbk: false };
    /// Big5 with the Hong Kong supplement, which is decoded but not encoded.
    BIG5 31 "Big5" Scheme::Pairs(PairEncoding::Big5);
    /// EUC-JP: JIS X 0208 and half-width katakana; JIS X 0212 for decoding.
    EUC_JP 32 "EUC-JP" Scheme::EucJp;
    /// ISO-2022-JP: seven-bit Japanese with escape sequences.
    ISO_2022_JP 33 "ISO-2022-JP" Scheme::Iso2022Jp;
    /// Shift_JIS with Windows' extensions.
    SHIFT_JIS 34 "Shift_JIS" Scheme::Pairs(PairEncoding::ShiftJis);
    /// EUC-KR with the Unified Hangul Code (Windows code page 949).
    EUC_KR 35 "EUC-KR" Scheme::Pairs(PairEncoding::EucKr);
    /// replacement: decodes any input to one U+FFFD, and has no encoder.
    REPLACEMENT 36 "replacement" Scheme::Replacement;
    /// UTF-16BE: big-endian UTF-16.
    UTF_16BE 37 "UTF-16BE" Scheme::Utf16 { big_endian: true };
    /// UTF-16LE: little-endian UTF-16; also the meaning of the label "utf-16".
    UTF_16LE 38 "UTF-16LE" Scheme::Utf16 { big_endian: false };
    /// x-user-defined: bytes from 0x80 are U+F780 to U+F7FF.
    X_USER_DEFINED 39 "x-user-defined" Scheme::XUserDefined;
}

/// Longest label, in bytes.
const MAX_LABEL_LEN: usize = 19;

impl Encoding {
    /// "Get an encoding" (section 4.2): returns the encoding that a label names, or `None`.
    ///
    /// ASCII whitespace around the label is ignored, and so is ASCII case.
    ///
    /// ```
    /// use mojika::Encoding;
    /// assert_eq!(Encoding::for_label(" Latin1\n"), Some(mojika::WINDOWS_1252));
    /// assert_eq!(Encoding::for_label("latin-1"), None);
    /// ```
    pub fn for_label(label: impl AsRef<[u8]>) -> Option<&'static Encoding> {
        let is_space = |byte: &u8| matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ');
        // Step 1.
        let mut label = label.as_ref();
        while let [first, rest @ ..] = label
            && is_space(first)
        {
            label = rest;
        }
        while let [rest @ .., last] = label
            && is_space(last)
        {
            label = rest;
        }
        // Step 2.
        let mut buffer = [0; MAX_LABEL_LEN];
        let lowercase = buffer.get_mut(..label.len())?;
        lowercase.copy_from_slice(label);
        lowercase.make_ascii_lowercase();
        let number = tables::encoding_number_for_label(lowercase)?;
        ALL.get(usize::from(number)).copied()
    }

    /// Returns all encodings, in the order of the Standard's table.
    ///
    /// ```
    /// assert_eq!(mojika::Encoding::all().len(), 40);
    /// ```
    pub const fn all() -> &'static [&'static Encoding; 40] {
        &ALL
    }

    /// "Get an output encoding" (section 4.3): returns UTF-8 for replacement, UTF-16BE/LE and UTF-32, else the encoding
    /// itself.
    ///
    /// The Web uses it for URLs and forms. Encoders here do not: UTF-16LE encodes to UTF-16LE.
    ///
    /// ```
    /// assert_eq!(mojika::UTF_16LE.output_encoding(), mojika::UTF_8);
    /// ```
    pub fn output_encoding(&'static self) -> &'static Encoding {
        match self.kind {
            Scheme::Replacement | Scheme::Utf16 { .. } | Scheme::Utf32(_) => UTF_8,
            _ => self,
        }
    }
}

impl FromStr for &'static Encoding {
    type Err = UnknownLabel;

    /// [`Encoding::for_label`].
    ///
    /// ```
    /// use mojika::Encoding;
    /// assert_eq!("sjis".parse::<&Encoding>()?, mojika::SHIFT_JIS);
    /// # Ok::<(), mojika::UnknownLabel>(())
    /// ```
    fn from_str(label: &str) -> Result<Self, UnknownLabel> {
        Encoding::for_label(label).ok_or_else(|| UnknownLabel::new(label))
    }
}

impl TryFrom<&str> for &'static Encoding {
    type Error = UnknownLabel;

    /// [`Encoding::for_label`].
    fn try_from(label: &str) -> Result<Self, UnknownLabel> {
        label.parse()
    }
}
