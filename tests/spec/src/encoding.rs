//! The encodings (section 4).

use crate::extended::Extended;

/// An encoding of the Standard, in the order of its table, or one of mojika's extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// IBM866.
    Ibm866,
    /// ISO-8859-2.
    Iso8859_2,
    /// ISO-8859-3.
    Iso8859_3,
    /// ISO-8859-4.
    Iso8859_4,
    /// ISO-8859-5.
    Iso8859_5,
    /// ISO-8859-6.
    Iso8859_6,
    /// ISO-8859-7.
    Iso8859_7,
    /// ISO-8859-8.
    Iso8859_8,
    /// ISO-8859-8-I.
    Iso8859_8I,
    /// ISO-8859-10.
    Iso8859_10,
    /// ISO-8859-13.
    Iso8859_13,
    /// ISO-8859-14.
    Iso8859_14,
    /// ISO-8859-15.
    Iso8859_15,
    /// ISO-8859-16.
    Iso8859_16,
    /// KOI8-R.
    Koi8R,
    /// KOI8-U.
    Koi8U,
    /// macintosh.
    Macintosh,
    /// windows-874.
    Windows874,
    /// windows-1250.
    Windows1250,
    /// windows-1251.
    Windows1251,
    /// windows-1252.
    Windows1252,
    /// windows-1253.
    Windows1253,
    /// windows-1254.
    Windows1254,
    /// windows-1255.
    Windows1255,
    /// windows-1256.
    Windows1256,
    /// windows-1257.
    Windows1257,
    /// windows-1258.
    Windows1258,
    /// x-mac-cyrillic.
    XMacCyrillic,
    /// GBK.
    Gbk,
    /// gb18030.
    Gb18030,
    /// Big5.
    Big5,
    /// EUC-JP.
    EucJp,
    /// ISO-2022-JP.
    Iso2022Jp,
    /// Shift_JIS.
    ShiftJis,
    /// EUC-KR.
    EucKr,
    /// replacement.
    Replacement,
    /// UTF-16BE.
    Utf16Be,
    /// UTF-16LE.
    Utf16Le,
    /// x-user-defined.
    XUserDefined,
    /// An encoding outside the Standard.
    Extended(Extended),
}

use Encoding::{Extended as Other, *};

impl Encoding {
    /// All encodings, in the order of the Standard's table.
    #[rustfmt::skip]
    pub const ALL: [Encoding; 40] = [
        Utf8, Ibm866, Iso8859_2, Iso8859_3, Iso8859_4, Iso8859_5, Iso8859_6, Iso8859_7, Iso8859_8, Iso8859_8I,
        Iso8859_10, Iso8859_13, Iso8859_14, Iso8859_15, Iso8859_16, Koi8R, Koi8U, Macintosh, Windows874,
        Windows1250, Windows1251, Windows1252, Windows1253, Windows1254, Windows1255, Windows1256, Windows1257,
        Windows1258, XMacCyrillic, Gbk, Gb18030, Big5, EucJp, Iso2022Jp, ShiftJis, EucKr, Replacement, Utf16Be,
        Utf16Le, XUserDefined,
    ];

    /// Returns all encodings of the Standard, then those of the extension.
    pub fn all() -> impl Iterator<Item = Encoding> {
        let extended = Extended::all().map(Encoding::Extended);
        Encoding::ALL.into_iter().chain(extended)
    }

    /// Returns the index in [`all`](Self::all).
    pub fn number(self) -> usize {
        match self {
            Other(encoding) => Encoding::ALL.len() + encoding.number(),
            _ => Encoding::ALL
                .iter()
                .position(|&encoding| encoding == self)
                .expect("one of all"),
        }
    }

    /// The encoding's name, in the Standard's spelling.
    pub fn name(self) -> &'static str {
        match self {
            Utf8 => "UTF-8",
            Ibm866 => "IBM866",
            Iso8859_2 => "ISO-8859-2",
            Iso8859_3 => "ISO-8859-3",
            Iso8859_4 => "ISO-8859-4",
            Iso8859_5 => "ISO-8859-5",
            Iso8859_6 => "ISO-8859-6",
            Iso8859_7 => "ISO-8859-7",
            Iso8859_8 => "ISO-8859-8",
            Iso8859_8I => "ISO-8859-8-I",
            Iso8859_10 => "ISO-8859-10",
            Iso8859_13 => "ISO-8859-13",
            Iso8859_14 => "ISO-8859-14",
            Iso8859_15 => "ISO-8859-15",
            Iso8859_16 => "ISO-8859-16",
            Koi8R => "KOI8-R",
            Koi8U => "KOI8-U",
            Macintosh => "macintosh",
            Windows874 => "windows-874",
            Windows1250 => "windows-1250",
            Windows1251 => "windows-1251",
            Windows1252 => "windows-1252",
            Windows1253 => "windows-1253",
            Windows1254 => "windows-1254",
            Windows1255 => "windows-1255",
            Windows1256 => "windows-1256",
            Windows1257 => "windows-1257",
            Windows1258 => "windows-1258",
            XMacCyrillic => "x-mac-cyrillic",
            Gbk => "GBK",
            Gb18030 => "gb18030",
            Big5 => "Big5",
            EucJp => "EUC-JP",
            Iso2022Jp => "ISO-2022-JP",
            ShiftJis => "Shift_JIS",
            EucKr => "EUC-KR",
            Replacement => "replacement",
            Utf16Be => "UTF-16BE",
            Utf16Le => "UTF-16LE",
            XUserDefined => "x-user-defined",
            Other(encoding) => encoding.name(),
        }
    }
}
