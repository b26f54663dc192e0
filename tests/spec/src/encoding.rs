//! The encodings (section 4) and the instances of their decoders and encoders.

use crate::extended::{self, Extended};
use crate::handler::{Handler, HandlerResult};
use crate::io_queue::{IoQueue, Item};
use crate::{
    big5, big5_hkscs, cns_11643, euc_jp, euc_kr, gb18030, gb18030_2005, gsm, iso_2022, iso_2022_jp,
    mixed, replacement, shift_jis, shifted, single_byte, two_bytes, utf_7, utf_8, utf_16,
    x_user_defined,
};

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
    /// One that is not in the Standard.
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

    /// All encodings of the Standard, and those of the extension behind them.
    pub fn all() -> impl Iterator<Item = Encoding> {
        let extended = Extended::all().map(Encoding::Extended);
        Encoding::ALL.into_iter().chain(extended)
    }

    /// The place in [`all`](Self::all).
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

    /// A new instance of the encoding's decoder.
    pub fn decoder(self) -> Decoder {
        match self {
            Utf8 => Decoder::Utf8(utf_8::Utf8Decoder::default()),
            // GBK's decoder is gb18030's decoder.
            Gbk | Gb18030 => Decoder::Gb18030(gb18030::Gb18030Decoder::default()),
            Big5 => Decoder::Big5(big5::Big5Decoder::default()),
            EucJp => Decoder::EucJp(euc_jp::EucJpDecoder::default()),
            Iso2022Jp => Decoder::Iso2022Jp(iso_2022_jp::Iso2022JpDecoder::default()),
            ShiftJis => Decoder::ShiftJis(shift_jis::ShiftJisDecoder::default()),
            EucKr => Decoder::EucKr(euc_kr::EucKrDecoder::default()),
            Replacement => Decoder::Replacement(replacement::ReplacementDecoder::default()),
            // UTF-16BE's decoder is shared UTF-16 decoder with its is UTF-16BE decoder set to true.
            Utf16Be => Decoder::Utf16(utf_16::SharedUtf16Decoder::new(true)),
            Utf16Le => Decoder::Utf16(utf_16::SharedUtf16Decoder::new(false)),
            XUserDefined => Decoder::XUserDefined(x_user_defined::XUserDefinedDecoder),
            Other(encoding) => encoding.decoder(),
            single_byte_encoding => {
                Decoder::SingleByte(single_byte::SingleByteDecoder::new(single_byte_encoding))
            }
        }
    }

    /// A new instance of the encoding's encoder; null for replacement and UTF-16BE/LE, which have none.
    pub fn encoder(self) -> Option<Encoder> {
        Some(match self {
            Replacement | Utf16Be | Utf16Le => return None,
            Utf8 => Encoder::Utf8(utf_8::Utf8Encoder),
            // GBK's encoder is gb18030's encoder with its is GBK set to true.
            Gbk => Encoder::Gb18030(gb18030::Gb18030Encoder::new(true)),
            Gb18030 => Encoder::Gb18030(gb18030::Gb18030Encoder::new(false)),
            Big5 => Encoder::Big5(big5::Big5Encoder),
            EucJp => Encoder::EucJp(euc_jp::EucJpEncoder),
            Iso2022Jp => Encoder::Iso2022Jp(iso_2022_jp::Iso2022JpEncoder::default()),
            ShiftJis => Encoder::ShiftJis(shift_jis::ShiftJisEncoder),
            EucKr => Encoder::EucKr(euc_kr::EucKrEncoder),
            XUserDefined => Encoder::XUserDefined(x_user_defined::XUserDefinedEncoder),
            Other(encoding) => encoding.encoder(),
            single_byte_encoding => {
                Encoder::SingleByte(single_byte::SingleByteEncoder::new(single_byte_encoding))
            }
        })
    }
}

/// Defines an instance of any decoder or encoder, which calls the handler of the one it is.
macro_rules! instances {
    ($(#[$doc:meta])* $name:ident: $input:ty => $output:ty { $($variant:ident($type:path),)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub enum $name {
            $(#[doc = concat!("`", stringify!($variant), "`")] $variant($type),)*
        }

        impl Handler for $name {
            type Input = $input;
            type Output = $output;

            fn handler(&mut self, io_queue: &mut IoQueue<$input>, item: Item<$input>) -> HandlerResult<$output> {
                match self {
                    $($name::$variant(instance) => instance.handler(io_queue, item),)*
                }
            }
        }
    };
}

instances! {
    /// A decoder instance.
    Decoder: u8 => char {
        Utf8(utf_8::Utf8Decoder),
        SingleByte(single_byte::SingleByteDecoder),
        Gb18030(gb18030::Gb18030Decoder),
        Big5(big5::Big5Decoder),
        EucJp(euc_jp::EucJpDecoder),
        Iso2022Jp(iso_2022_jp::Iso2022JpDecoder),
        ShiftJis(shift_jis::ShiftJisDecoder),
        EucKr(euc_kr::EucKrDecoder),
        Replacement(replacement::ReplacementDecoder),
        Utf16(utf_16::SharedUtf16Decoder),
        XUserDefined(x_user_defined::XUserDefinedDecoder),
        Utf32(extended::Utf32Decoder),
        Table(extended::TableDecoder),
        Mixed(mixed::MixedDecoder),
        Pure(mixed::PureDecoder),
        Shifted(shifted::ShiftedDecoder),
        Utf7(utf_7::Utf7Decoder),
        TwoBytes(two_bytes::TwoByteDecoder),
        Jis(iso_2022::JisDecoder),
        Gb18030Of2005(gb18030_2005::Gb18030Of2005Decoder),
        Gsm(gsm::GsmDecoder),
        Iso2022Cn(cns_11643::Iso2022CnDecoder),
        EucTw(cns_11643::EucTwDecoder),
    }
}

instances! {
    /// An encoder instance.
    Encoder: char => u8 {
        Utf8(utf_8::Utf8Encoder),
        SingleByte(single_byte::SingleByteEncoder),
        Gb18030(gb18030::Gb18030Encoder),
        Big5(big5::Big5Encoder),
        EucJp(euc_jp::EucJpEncoder),
        Iso2022Jp(iso_2022_jp::Iso2022JpEncoder),
        ShiftJis(shift_jis::ShiftJisEncoder),
        EucKr(euc_kr::EucKrEncoder),
        XUserDefined(x_user_defined::XUserDefinedEncoder),
        Utf32(extended::Utf32Encoder),
        Table(extended::TableEncoder),
        Mixed(mixed::MixedEncoder),
        Pure(mixed::PureEncoder),
        Shifted(shifted::ShiftedEncoder),
        Utf7(utf_7::Utf7Encoder),
        TwoBytes(two_bytes::TwoByteEncoder),
        Jis(iso_2022::JisEncoder),
        Gb18030Of2005(gb18030_2005::Gb18030Of2005Encoder),
        Big5Hkscs(big5_hkscs::Big5HkscsEncoder),
        Gsm(gsm::GsmEncoder),
        Iso2022Cn(cns_11643::Iso2022CnEncoder),
        EucTw(cns_11643::EucTwEncoder),
    }
}
