//! The encodings (section 4).

use crate::extended::Extended;

macro_rules! encodings {
    ($($encoding:ident $name:literal)*) => {
        /// An encoding of the Standard, in the order of its table, or one of mojika's extension.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Encoding {
            $(#[doc = $name] $encoding,)*
            /// An encoding outside the Standard.
            Extended(Extended),
        }

        impl Encoding {
            /// All encodings, in the order of the Standard's table.
            pub const ALL: [Encoding; 40] = [$(Encoding::$encoding),*];

            /// The encoding's name, in the Standard's spelling.
            pub fn name(self) -> &'static str {
                match self {
                    $(Encoding::$encoding => $name,)*
                    Encoding::Extended(encoding) => encoding.name(),
                }
            }
        }
    };
}

encodings! {
    Utf8 "UTF-8"
    Ibm866 "IBM866"
    Iso8859_2 "ISO-8859-2"
    Iso8859_3 "ISO-8859-3"
    Iso8859_4 "ISO-8859-4"
    Iso8859_5 "ISO-8859-5"
    Iso8859_6 "ISO-8859-6"
    Iso8859_7 "ISO-8859-7"
    Iso8859_8 "ISO-8859-8"
    Iso8859_8I "ISO-8859-8-I"
    Iso8859_10 "ISO-8859-10"
    Iso8859_13 "ISO-8859-13"
    Iso8859_14 "ISO-8859-14"
    Iso8859_15 "ISO-8859-15"
    Iso8859_16 "ISO-8859-16"
    Koi8R "KOI8-R"
    Koi8U "KOI8-U"
    Macintosh "macintosh"
    Windows874 "windows-874"
    Windows1250 "windows-1250"
    Windows1251 "windows-1251"
    Windows1252 "windows-1252"
    Windows1253 "windows-1253"
    Windows1254 "windows-1254"
    Windows1255 "windows-1255"
    Windows1256 "windows-1256"
    Windows1257 "windows-1257"
    Windows1258 "windows-1258"
    XMacCyrillic "x-mac-cyrillic"
    Gbk "GBK"
    Gb18030 "gb18030"
    Big5 "Big5"
    EucJp "EUC-JP"
    Iso2022Jp "ISO-2022-JP"
    ShiftJis "Shift_JIS"
    EucKr "EUC-KR"
    Replacement "replacement"
    Utf16Be "UTF-16BE"
    Utf16Le "UTF-16LE"
    XUserDefined "x-user-defined"
}

impl Encoding {
    /// Returns all encodings of the Standard, then those of the extension.
    pub fn all() -> impl Iterator<Item = Encoding> {
        let extended = Extended::all().map(Encoding::Extended);
        Encoding::ALL.into_iter().chain(extended)
    }

    /// Returns the index in [`all`](Self::all).
    pub fn number(self) -> usize {
        match self {
            Encoding::Extended(encoding) => Encoding::ALL.len() + encoding.number(),
            _ => Encoding::ALL
                .iter()
                .position(|&encoding| encoding == self)
                .expect("one of all"),
        }
    }
}
