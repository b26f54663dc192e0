//! The instances of decoders and encoders.

use crate::encoding::Encoding::{self, Extended as Other, *};
use crate::extended::{
    self, Extended, Rule, TableDecoder, TableEncoder, Utf32Decoder, Utf32Encoder,
};
use crate::handler::{Handler, HandlerResult};
use crate::io_queue::{IoQueue, Item};
use crate::mixed::Mixed as Table;
use crate::{
    big5, big5_hkscs, cns_11643, euc_jp, euc_kr, gb18030, gb18030_2005, gsm, iso_2022, iso_2022_jp,
    mixed, replacement, shift_jis, shifted, single_byte, two_bytes, utf_7, utf_8, utf_16,
    x_user_defined,
};

impl Encoding {
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

impl Extended {
    fn decoder(self) -> Decoder {
        match self.rule() {
            Rule::Utf32(order) => Decoder::Utf32(Utf32Decoder {
                order,
                bytes: Vec::new(),
            }),
            Rule::Mixed => Decoder::Mixed(mixed::MixedDecoder::new(mixed::named(self.name()))),
            Rule::Pure => Decoder::Pure(mixed::PureDecoder::new(Table::with_pairs(self.name()))),
            Rule::Shifted(rule) => Decoder::Shifted(shifted::ShiftedDecoder::new(rule)),
            Rule::Utf7(form) => Decoder::Utf7(utf_7::Utf7Decoder::new(form)),
            Rule::Jis(rule) => Decoder::Jis(iso_2022::JisDecoder::new(rule)),
            Rule::TwoBytes(rule) => Decoder::TwoBytes(two_bytes::TwoByteDecoder::new(rule)),
            Rule::Gb18030Of2005 => Decoder::Gb18030Of2005(Default::default()),
            // The Standard's index has the supplement.
            Rule::Big5Hkscs => Decoder::Big5(Default::default()),
            Rule::Gsm => Decoder::Gsm(Default::default()),
            Rule::Iso2022Cn => Decoder::Iso2022Cn(Default::default()),
            Rule::EucTw => Decoder::EucTw(Default::default()),
            _ => Decoder::Table(TableDecoder { encoding: self }),
        }
    }

    fn encoder(self) -> Encoder {
        match self.rule() {
            Rule::Utf32(_) => Encoder::Utf32(Utf32Encoder { encoding: self }),
            Rule::Shifted(rule) => Encoder::Shifted(shifted::ShiftedEncoder::new(rule)),
            Rule::Utf7(form) => Encoder::Utf7(utf_7::Utf7Encoder::new(form)),
            Rule::Jis(rule) => Encoder::Jis(iso_2022::JisEncoder::new(rule)),
            Rule::TwoBytes(rule) => Encoder::TwoBytes(two_bytes::TwoByteEncoder::new(rule)),
            Rule::Mixed => Encoder::Mixed(mixed::MixedEncoder::new(mixed::named(self.name()))),
            Rule::Pure => Encoder::Pure(mixed::PureEncoder::new(Table::with_pairs(self.name()))),
            Rule::Gb18030Of2005 => Encoder::Gb18030Of2005(Default::default()),
            Rule::Big5Hkscs => Encoder::Big5Hkscs(Default::default()),
            Rule::Gsm => Encoder::Gsm(Default::default()),
            Rule::Iso2022Cn => Encoder::Iso2022Cn(Default::default()),
            Rule::EucTw => Encoder::EucTw(Default::default()),
            _ => Encoder::Table(TableEncoder { encoding: self }),
        }
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
