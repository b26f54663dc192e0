//! **Extension of mojika**, not in the Standard: UTF-32 in four byte orders, and other single-byte encodings.
//!
//! UTF-32 follows Unicode's definition D90, ISO-8859-1 the Infra Standard's isomorphic decode and encode, US-ASCII the
//! Standard's ASCII bytes. [`process_queue`](crate::process_queue) writes numeric character references in ASCII. EBCDIC
//! has other bytes for them, so comparisons must encode them. The other encodings of this module are tables with a code
//! point for each mapped byte.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::handler::{Handler, HandlerResult, is_ascii_byte};
use crate::io_queue::{IoQueue, Item};
use crate::{iso_2022, shifted, two_bytes, utf_7};

/// The significance of each octet in a code unit, from the first octet on; 0 is the most significant.
type OctetOrder = [usize; 4];

/// The rule that defines an encoding.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    Utf32(OctetOrder),
    IsomorphicDecode,
    AsciiBytes,
    /// A table, which is the text of a file. Each line has a byte and its code point.
    Table(&'static str),
    /// EBCDIC with single and double bytes.
    Mixed,
    /// EBCDIC with double bytes only.
    Pure,
    /// An encoding of [`shifted`].
    Shifted(shifted::Rule),
    /// UTF-7.
    Utf7(utf_7::Form),
    /// An encoding of [`iso_2022`].
    Jis(iso_2022::Rule),
    /// An encoding of [`two_bytes`].
    TwoBytes(two_bytes::Rule),
    /// gb18030 before the edition of 2022.
    Gb18030Of2005,
    /// Big5 with the Hong Kong supplement.
    Big5Hkscs,
    /// The alphabet of GSM text messages.
    Gsm,
    /// ISO-2022-CN: GB 2312 and CNS 11643 in seven-bit bytes.
    Iso2022Cn,
    /// CNS 11643.
    EucTw,
}

macro_rules! list {
    ($($name:literal)*; $($later:literal)*) => {
        [
            ("UTF-32BE", Rule::Utf32([0, 1, 2, 3])),
            ("UTF-32LE", Rule::Utf32([3, 2, 1, 0])),
            ("UTF-32-2143", Rule::Utf32([1, 0, 3, 2])),
            ("UTF-32-3412", Rule::Utf32([2, 3, 0, 1])),
            ("ISO-8859-1", Rule::IsomorphicDecode),
            ("ISO-8859-9", Rule::Table(include_str!("../../../gen/extended/iso-8859-9.txt"))),
            ("ISO-8859-11", Rule::Table(include_str!("../../../gen/extended/iso-8859-11.txt"))),
            ("US-ASCII", Rule::AsciiBytes),
            $((concat!("IBM", $name), Rule::Table(include_str!(concat!("../../../gen/extended/ibm", $name, ".txt")))),)*
            // UTF-32 is big-endian unless a byte order mark states otherwise.
            ("UTF-32", Rule::Utf32([0, 1, 2, 3])),
            $((concat!("IBM", $later), Rule::Table(include_str!(concat!("../../../gen/extended/ibm", $later, ".txt")))),)*
            ("MacCentralEurope", Rule::Table(include_str!("../../../gen/extended/maccentraleurope.txt"))),
            ("MacGreek", Rule::Table(include_str!("../../../gen/extended/macgreek.txt"))),
            ("MacTurkish", Rule::Table(include_str!("../../../gen/extended/macturkish.txt"))),
            ("MacRomania", Rule::Table(include_str!("../../../gen/extended/macromania.txt"))),
            ("MacIceland", Rule::Table(include_str!("../../../gen/extended/maciceland.txt"))),
            ("MacCroatian", Rule::Table(include_str!("../../../gen/extended/maccroatian.txt"))),
            ("KZ-1048", Rule::Table(include_str!("../../../gen/extended/kz-1048.txt"))),
            ("PTCP154", Rule::Table(include_str!("../../../gen/extended/ptcp154.txt"))),
            ("KOI8-T", Rule::Table(include_str!("../../../gen/extended/koi8-t.txt"))),
            ("IBM930", Rule::Mixed),
            ("IBM933", Rule::Mixed),
            ("IBM935", Rule::Mixed),
            ("IBM937", Rule::Mixed),
            ("IBM939", Rule::Mixed),
            ("IBM1364", Rule::Mixed),
            ("IBM1371", Rule::Mixed),
            ("IBM1388", Rule::Mixed),
            ("IBM1390", Rule::Mixed),
            ("IBM1399", Rule::Mixed),
            ("HZ", Rule::Shifted(shifted::Rule::Hz)),
            ("ISO-2022-KR", Rule::Shifted(shifted::Rule::Iso2022Kr)),
            ("CESU-8", Rule::Shifted(shifted::Rule::Cesu8)),
            ("MUTF-8", Rule::Shifted(shifted::Rule::ModifiedUtf8)),
            ("UTF-7", Rule::Utf7(utf_7::Form::Mail)),
            ("UTF-7-IMAP", Rule::Utf7(utf_7::Form::Imap)),
            ("Johab", Rule::TwoBytes(two_bytes::Rule::Johab)),
            ("GB2312", Rule::TwoBytes(two_bytes::Rule::Gb2312)),
            ("ISO-2022-JP-1", Rule::Jis(iso_2022::Rule::Jp1)),
            ("ISO-2022-JP-2", Rule::Jis(iso_2022::Rule::Jp2)),
            ("ISO-2022-JP-3", Rule::Jis(iso_2022::Rule::Jp3)),
            ("ISO-2022-JP-2004", Rule::Jis(iso_2022::Rule::Jp2004)),
            ("EUC-JIS-2004", Rule::Jis(iso_2022::Rule::Euc)),
            ("Shift_JIS-2004", Rule::Jis(iso_2022::Rule::ShiftJis)),
            ("HP-Roman8", Rule::Table(include_str!("../../../gen/extended/hp-roman8.txt"))),
            ("IBM901", Rule::Table(include_str!("../../../gen/extended/ibm901.txt"))),
            ("IBM902", Rule::Table(include_str!("../../../gen/extended/ibm902.txt"))),
            ("IBM922", Rule::Table(include_str!("../../../gen/extended/ibm922.txt"))),
            ("IBM1133", Rule::Table(include_str!("../../../gen/extended/ibm1133.txt"))),
            ("IBM4909", Rule::Table(include_str!("../../../gen/extended/ibm4909.txt"))),
            ("IBM1130", Rule::Table(include_str!("../../../gen/extended/ibm1130.txt"))),
            ("IBM1132", Rule::Table(include_str!("../../../gen/extended/ibm1132.txt"))),
            ("IBM1137", Rule::Table(include_str!("../../../gen/extended/ibm1137.txt"))),
            ("IBM4971", Rule::Table(include_str!("../../../gen/extended/ibm4971.txt"))),
            ("IBM9030", Rule::Table(include_str!("../../../gen/extended/ibm9030.txt"))),
            ("IBM12712", Rule::Table(include_str!("../../../gen/extended/ibm12712.txt"))),
            ("VISCII", Rule::Table(include_str!("../../../gen/extended/viscii.txt"))),
            ("IBM420", Rule::Table(include_str!("../../../gen/extended/ibm420.txt"))),
            ("IBM1097", Rule::Table(include_str!("../../../gen/extended/ibm1097.txt"))),
            ("IBM16804", Rule::Table(include_str!("../../../gen/extended/ibm16804.txt"))),
            ("GB18030-2005", Rule::Gb18030Of2005),
            ("Big5-HKSCS", Rule::Big5Hkscs),
            ("GSM-03.38", Rule::Gsm),
            ("ISO-2022-CN", Rule::Iso2022Cn),
            ("EUC-TW", Rule::EucTw),
            ("IBM300", Rule::Pure),
            ("IBM834", Rule::Pure),
            ("IBM835", Rule::Pure),
            ("IBM837", Rule::Pure),
            ("IBM833", Rule::Table(include_str!("../../../gen/extended/ibm833.txt"))),
            ("IBM836", Rule::Table(include_str!("../../../gen/extended/ibm836.txt"))),
            ("IBM1027", Rule::Table(include_str!("../../../gen/extended/ibm1027.txt"))),
            ("ARMSCII-8", Rule::Table(include_str!("../../../gen/extended/armscii-8.txt"))),
            ("Georgian-Academy", Rule::Table(include_str!("../../../gen/extended/georgian-academy.txt"))),
            ("Georgian-PS", Rule::Table(include_str!("../../../gen/extended/georgian-ps.txt"))),
            ("IBM1046", Rule::Table(include_str!("../../../gen/extended/ibm1046.txt"))),
            ("KOI8-RU", Rule::Table(include_str!("../../../gen/extended/koi8-ru.txt"))),
            ("TCVN5712-1", Rule::Table(include_str!("../../../gen/extended/tcvn5712-1.txt"))),
            ("IBM880", Rule::Table(include_str!("../../../gen/extended/ibm880.txt"))),
            ("IBM905", Rule::Table(include_str!("../../../gen/extended/ibm905.txt"))),
            ("IBM924", Rule::Table(include_str!("../../../gen/extended/ibm924.txt"))),
            ("MacThai", Rule::Table(include_str!("../../../gen/extended/macthai.txt"))),
            ("MacHebrew", Rule::Table(include_str!("../../../gen/extended/machebrew.txt"))),
            ("MacArabic", Rule::Table(include_str!("../../../gen/extended/macarabic.txt"))),
            ("WTF-8", Rule::Shifted(shifted::Rule::Wtf8)),
        ]
    };
}

/// All encodings of the extension. The macro's arguments are the numbers of IBM's code pages.
const LIST: [(&str, Rule); COUNT] = list! {
    "437" "720" "737" "775" "850" "852" "855" "857" "858" "860" "861" "862" "863" "864" "865" "869" "874"
    "037" "273" "277" "278" "280" "284" "285" "297" "500" "871" "1047"
    "1140" "1141" "1142" "1143" "1144" "1145" "1146" "1147" "1148" "1149";
    "290" "424" "870" "875" "918" "1025" "1026" "1112" "1122" "1123" "1153" "1154" "1155" "1156" "1157" "1158" "1160"
    "1164" "856" "1006" "1124" "1125" "1129"
};

/// The number of encodings.
pub const COUNT: usize = 144;

/// An encoding of mojika's extension, which is not in the Standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Extended(u8);

impl Extended {
    /// Returns all encodings.
    pub fn all() -> impl Iterator<Item = Extended> {
        (0..COUNT as u8).map(Extended)
    }

    /// Returns the index in the list.
    pub fn number(self) -> usize {
        self.0.into()
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        LIST[self.number()].0
    }

    /// True for UTF-32, in any byte order.
    pub fn is_utf_32(self) -> bool {
        matches!(LIST[self.number()].1, Rule::Utf32(_))
    }

    /// True for EBCDIC with single and double bytes.
    pub fn is_mixed(self) -> bool {
        matches!(LIST[self.number()].1, Rule::Mixed)
    }

    /// True for EBCDIC with double bytes only.
    pub fn is_pure(self) -> bool {
        matches!(LIST[self.number()].1, Rule::Pure)
    }

    /// Returns the character for an ASCII character of a reference: in full width if there are only double bytes.
    pub fn in_references(self, ascii: char) -> char {
        match ascii {
            '!'..='~' if self.is_pure() => {
                char::from_u32(u32::from(ascii) - 0x20 + 0xFF00).expect("a scalar value")
            }
            ' ' if self.is_pure() => '\u{3000}',
            _ => ascii,
        }
    }

    /// Returns the bytes of `code_unit`, which need not be a scalar value.
    ///
    /// # Panics
    ///
    /// If the encoding is not UTF-32.
    pub fn code_unit(self, code_unit: u32) -> [u8; 4] {
        let Rule::Utf32(order) = LIST[self.number()].1 else {
            panic!("{} has no code units", self.name());
        };
        order.map(|place| code_unit.to_be_bytes()[place])
    }

    /// Returns the code point of each byte.
    fn table(self) -> &'static [Option<char>; 256] {
        static TABLES: [OnceLock<[Option<char>; 256]>; COUNT] = [const { OnceLock::new() }; COUNT];
        TABLES[self.number()].get_or_init(|| match LIST[self.number()].1 {
            Rule::IsomorphicDecode => std::array::from_fn(|byte| Some(char::from(byte as u8))),
            Rule::AsciiBytes => std::array::from_fn(|byte| {
                let byte = byte as u8;
                is_ascii_byte(byte).then(|| char::from(byte))
            }),
            Rule::Table(text) => parse(text),
            _ => panic!("{} has no table", self.name()),
        })
    }

    /// Returns the byte of each code point. If there are two, it is the last one in the table.
    fn bytes(self) -> &'static BTreeMap<char, u8> {
        static BYTES: [OnceLock<BTreeMap<char, u8>>; COUNT] = [const { OnceLock::new() }; COUNT];
        BYTES[self.number()].get_or_init(|| {
            let mut bytes = BTreeMap::new();
            for byte in 0..=0xFF {
                if let Some(code_point) = self.table()[usize::from(byte)] {
                    bytes.insert(code_point, byte);
                }
            }
            if let Rule::Table(text) = LIST[self.number()].1 {
                for (byte, code_point) in lines(text) {
                    bytes.insert(code_point, byte as u8);
                }
            }
            bytes
        })
    }

    /// Returns the definition of the encoding.
    pub(crate) fn rule(self) -> Rule {
        LIST[self.number()].1
    }

    /// Returns the encoding by a byte order mark at the start of `bytes`, and the mark's length. Only U+FEFF in this
    /// encoding's own byte order is a mark. "UTF-32" becomes the encoding of the mark.
    pub fn after_bom(self, bytes: &[u8]) -> (Extended, usize) {
        let own = ["UTF-32BE", "UTF-32LE"];
        let marked = Extended::all().find(|one| {
            let counts = if self.name() == "UTF-32" {
                own.contains(&one.name())
            } else {
                *one == self
            };
            counts && bytes.starts_with(&one.code_unit(0xFEFF))
        });
        match marked {
            Some(marked) => (marked, 4),
            None => (self, 0),
        }
    }
}

fn parse(text: &str) -> [Option<char>; 256] {
    let mut table = [None; 256];
    for (byte, code_point) in lines(text) {
        table[byte] = Some(code_point);
    }
    table
}

/// Returns the entries of a file in their order: a byte and its code point.
fn lines(text: &str) -> impl Iterator<Item = (usize, char)> {
    let entries = text.lines().filter(|line| line.starts_with("0x"));
    entries.map(|line| {
        let mut numbers = line.split('\t').map(|field| {
            let digits = field.strip_prefix("0x").expect("a hexadecimal number");
            u32::from_str_radix(digits, 16).expect("a hexadecimal number")
        });
        let byte = numbers.next().expect("a byte") as usize;
        let code_point = numbers.next().expect("a code point");
        (byte, char::from_u32(code_point).expect("a scalar value"))
    })
}

/// The decoder of UTF-32.
#[derive(Clone, Debug)]
pub struct Utf32Decoder {
    pub(crate) order: OctetOrder,
    /// The bytes of an incomplete code unit.
    pub(crate) bytes: Vec<u8>,
}

impl Handler for Utf32Decoder {
    type Input = u8;
    type Output = char;

    fn handler(&mut self, _: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = byte else {
            // An incomplete code unit at the end is one error.
            if !self.bytes.is_empty() {
                self.bytes.clear();
                return HandlerResult::error();
            }
            return HandlerResult::Finished;
        };
        self.bytes.push(byte);
        if self.bytes.len() < 4 {
            return HandlerResult::Continue;
        }
        let mut code_unit = 0;
        for (place, byte) in self.order.into_iter().zip(self.bytes.drain(..)) {
            code_unit += u32::from(byte) << (8 * (3 - place));
        }
        // A surrogate, or a value above U+10FFFF, is an error of four bytes.
        match char::from_u32(code_unit) {
            Some(scalar_value) => HandlerResult::items(&[scalar_value]),
            None => HandlerResult::error(),
        }
    }
}

/// The encoder of UTF-32.
#[derive(Clone, Debug)]
pub struct Utf32Encoder {
    pub(crate) encoding: Extended,
}

impl Handler for Utf32Encoder {
    type Input = char;
    type Output = u8;

    fn handler(&mut self, _: &mut IoQueue<char>, code_point: Item<char>) -> HandlerResult<u8> {
        match code_point {
            Item::Value(code_point) => {
                HandlerResult::items(&self.encoding.code_unit(u32::from(code_point)))
            }
            Item::EndOfQueue => HandlerResult::Finished,
        }
    }
}

/// The decoder of single-byte encodings that are tables.
#[derive(Clone, Debug)]
pub struct TableDecoder {
    pub(crate) encoding: Extended,
}

impl Handler for TableDecoder {
    type Input = u8;
    type Output = char;

    fn handler(&mut self, _: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = byte else {
            return HandlerResult::Finished;
        };
        match self.encoding.table()[usize::from(byte)] {
            Some(code_point) => HandlerResult::items(&[code_point]),
            None => HandlerResult::error(),
        }
    }
}

/// The encoder of single-byte encodings that are tables.
#[derive(Clone, Debug)]
pub struct TableEncoder {
    pub(crate) encoding: Extended,
}

impl Handler for TableEncoder {
    type Input = char;
    type Output = u8;

    fn handler(&mut self, _: &mut IoQueue<char>, code_point: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        match self.encoding.bytes().get(&code_point) {
            Some(&byte) => HandlerResult::byte(byte.into()),
            None => HandlerResult::error_with(code_point),
        }
    }
}
