//! The instances of decoders and encoders.

use crate::encoding::Encoding::{self, Extended as Other, *};
use crate::extended::{Extended, Rule, TableDecoder, TableEncoder, Utf32Decoder, Utf32Encoder};
use crate::handler::Handler;
use crate::mixed::Mixed as Table;
use crate::{
    big5, big5_hkscs, cns_11643, euc_jp, euc_kr, gb18030, gb18030_2005, gsm, iso_2022, iso_2022_jp,
    mixed, replacement, shift_jis, shifted, single_byte, two_bytes, utf_7, utf_8, utf_16,
    x_user_defined,
};

/// A decoder instance.
pub type Decoder = Box<dyn Handler<Input = u8, Output = char>>;

/// An encoder instance.
pub type Encoder = Box<dyn Handler<Input = char, Output = u8>>;

impl Encoding {
    /// A new instance of the encoding's decoder.
    pub fn decoder(self) -> Decoder {
        match self {
            Utf8 => Box::new(utf_8::Utf8Decoder::default()),
            // GBK's decoder is gb18030's decoder.
            Gbk | Gb18030 => Box::new(gb18030::Gb18030Decoder::default()),
            Big5 => Box::new(big5::Big5Decoder::default()),
            EucJp => Box::new(euc_jp::EucJpDecoder::default()),
            Iso2022Jp => Box::new(iso_2022_jp::Iso2022JpDecoder::default()),
            ShiftJis => Box::new(shift_jis::ShiftJisDecoder::default()),
            EucKr => Box::new(euc_kr::EucKrDecoder::default()),
            Replacement => Box::new(replacement::ReplacementDecoder::default()),
            // UTF-16BE's decoder is shared UTF-16 decoder with its is UTF-16BE decoder set to true.
            Utf16Be => Box::new(utf_16::SharedUtf16Decoder::new(true)),
            Utf16Le => Box::new(utf_16::SharedUtf16Decoder::new(false)),
            XUserDefined => Box::new(x_user_defined::XUserDefinedDecoder),
            Other(encoding) => encoding.decoder(),
            single_byte_encoding => {
                Box::new(single_byte::SingleByteDecoder::new(single_byte_encoding))
            }
        }
    }

    /// A new instance of the encoding's encoder; null for replacement and UTF-16BE/LE, which have none.
    pub fn encoder(self) -> Option<Encoder> {
        Some(match self {
            Replacement | Utf16Be | Utf16Le => return None,
            Utf8 => Box::new(utf_8::Utf8Encoder),
            // GBK's encoder is gb18030's encoder with its is GBK set to true.
            Gbk => Box::new(gb18030::Gb18030Encoder::new(true)),
            Gb18030 => Box::new(gb18030::Gb18030Encoder::new(false)),
            Big5 => Box::new(big5::Big5Encoder),
            EucJp => Box::new(euc_jp::EucJpEncoder),
            Iso2022Jp => Box::new(iso_2022_jp::Iso2022JpEncoder::default()),
            ShiftJis => Box::new(shift_jis::ShiftJisEncoder),
            EucKr => Box::new(euc_kr::EucKrEncoder),
            XUserDefined => Box::new(x_user_defined::XUserDefinedEncoder),
            Other(encoding) => encoding.encoder(),
            single_byte_encoding => {
                Box::new(single_byte::SingleByteEncoder::new(single_byte_encoding))
            }
        })
    }
}

impl Extended {
    fn decoder(self) -> Decoder {
        match self.rule() {
            Rule::Utf32(order) => Box::new(Utf32Decoder {
                order,
                bytes: Vec::new(),
            }),
            Rule::Mixed => Box::new(mixed::MixedDecoder::new(mixed::named(self.name()))),
            Rule::Pure => Box::new(mixed::PureDecoder::new(Table::with_pairs(self.name()))),
            Rule::Shifted(rule) => Box::new(shifted::ShiftedDecoder::new(rule)),
            Rule::Utf7(form) => Box::new(utf_7::Utf7Decoder::new(form)),
            Rule::Jis(rule) => Box::new(iso_2022::JisDecoder::new(rule)),
            Rule::TwoBytes(rule) => Box::new(two_bytes::TwoByteDecoder::new(rule)),
            Rule::Gb18030Of2005 => Box::new(gb18030_2005::Gb18030Of2005Decoder::default()),
            // The Standard's index has the supplement.
            Rule::Big5Hkscs => Box::new(big5::Big5Decoder::default()),
            Rule::Gsm => Box::new(gsm::GsmDecoder::default()),
            Rule::Iso2022Cn => Box::new(cns_11643::Iso2022CnDecoder::default()),
            Rule::EucTw => Box::new(cns_11643::EucTwDecoder::default()),
            _ => Box::new(TableDecoder { encoding: self }),
        }
    }

    fn encoder(self) -> Encoder {
        match self.rule() {
            Rule::Utf32(_) => Box::new(Utf32Encoder { encoding: self }),
            Rule::Shifted(rule) => Box::new(shifted::ShiftedEncoder::new(rule)),
            Rule::Utf7(form) => Box::new(utf_7::Utf7Encoder::new(form)),
            Rule::Jis(rule) => Box::new(iso_2022::JisEncoder::new(rule)),
            Rule::TwoBytes(rule) => Box::new(two_bytes::TwoByteEncoder::new(rule)),
            Rule::Mixed => Box::new(mixed::MixedEncoder::new(mixed::named(self.name()))),
            Rule::Pure => Box::new(mixed::PureEncoder::new(Table::with_pairs(self.name()))),
            Rule::Gb18030Of2005 => Box::new(gb18030_2005::Gb18030Of2005Encoder),
            Rule::Big5Hkscs => Box::new(big5_hkscs::Big5HkscsEncoder),
            Rule::Gsm => Box::new(gsm::GsmEncoder),
            Rule::Iso2022Cn => Box::new(cns_11643::Iso2022CnEncoder::default()),
            Rule::EucTw => Box::new(cns_11643::EucTwEncoder),
            _ => Box::new(TableEncoder { encoding: self }),
        }
    }
}
