//! Single-byte encodings (section 9).

use std::sync::OnceLock;

use crate::encoding::Encoding::{self, *};
use crate::handler::{Handler, HandlerResult, is_ascii_byte, is_ascii_code_point};
use crate::indexes::{Index, index_file};
use crate::io_queue::{IoQueue, Item};

/// The text of the index for `encoding`; null if `encoding` is not a single-byte encoding.
fn index_text(encoding: Encoding) -> Option<&'static str> {
    Some(match encoding {
        Ibm866 => index_file!("ibm866"),
        Iso8859_2 => index_file!("iso-8859-2"),
        Iso8859_3 => index_file!("iso-8859-3"),
        Iso8859_4 => index_file!("iso-8859-4"),
        Iso8859_5 => index_file!("iso-8859-5"),
        Iso8859_6 => index_file!("iso-8859-6"),
        Iso8859_7 => index_file!("iso-8859-7"),
        // ISO-8859-8 and ISO-8859-8-I share an index.
        Iso8859_8 | Iso8859_8I => index_file!("iso-8859-8"),
        Iso8859_10 => index_file!("iso-8859-10"),
        Iso8859_13 => index_file!("iso-8859-13"),
        Iso8859_14 => index_file!("iso-8859-14"),
        Iso8859_15 => index_file!("iso-8859-15"),
        Iso8859_16 => index_file!("iso-8859-16"),
        Koi8R => index_file!("koi8-r"),
        Koi8U => index_file!("koi8-u"),
        Macintosh => index_file!("macintosh"),
        Windows874 => index_file!("windows-874"),
        Windows1250 => index_file!("windows-1250"),
        Windows1251 => index_file!("windows-1251"),
        Windows1252 => index_file!("windows-1252"),
        Windows1253 => index_file!("windows-1253"),
        Windows1254 => index_file!("windows-1254"),
        Windows1255 => index_file!("windows-1255"),
        Windows1256 => index_file!("windows-1256"),
        Windows1257 => index_file!("windows-1257"),
        Windows1258 => index_file!("windows-1258"),
        XMacCyrillic => index_file!("x-mac-cyrillic"),
        _ => return None,
    })
}

/// Index single-byte for `encoding`; null if `encoding` is not a single-byte encoding.
///
/// In the Standard, x-user-defined is not a single-byte encoding: an algorithm defines it.
pub fn index_single_byte(encoding: Encoding) -> Option<&'static Index> {
    static INDEXES: [OnceLock<Index>; 40] = [const { OnceLock::new() }; 40];
    let text = index_text(encoding)?;
    Some(INDEXES[encoding.number()].get_or_init(|| Index::parse(text)))
}

/// The decoder of all single-byte encodings.
#[derive(Clone, Debug)]
pub struct SingleByteDecoder {
    index: &'static Index,
}

impl SingleByteDecoder {
    /// The decoder of `encoding`.
    ///
    /// # Panics
    ///
    /// If `encoding` is not a single-byte encoding.
    pub fn new(encoding: Encoding) -> Self {
        SingleByteDecoder {
            index: index_single_byte(encoding).expect("a single-byte encoding"),
        }
    }
}

impl Handler for SingleByteDecoder {
    type Input = u8;
    type Output = char;

    fn handler(&mut self, _: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        // Step 1.
        let Item::Value(byte) = byte else {
            return HandlerResult::Finished;
        };
        // Step 2.
        if is_ascii_byte(byte) {
            return HandlerResult::code_point(u32::from(byte));
        }
        // Step 3.
        let code_point = self.index.code_point(usize::from(byte) - 0x80);
        // Step 4.
        let Some(code_point) = code_point else {
            return HandlerResult::error();
        };
        // Step 5.
        HandlerResult::items(&[code_point])
    }
}

/// The encoder of all single-byte encodings.
#[derive(Clone, Debug)]
pub struct SingleByteEncoder {
    index: &'static Index,
}

impl SingleByteEncoder {
    /// The encoder of `encoding`.
    ///
    /// # Panics
    ///
    /// If `encoding` is not a single-byte encoding.
    pub fn new(encoding: Encoding) -> Self {
        SingleByteEncoder {
            index: index_single_byte(encoding).expect("a single-byte encoding"),
        }
    }
}

impl Handler for SingleByteEncoder {
    type Input = char;
    type Output = u8;

    fn handler(&mut self, _: &mut IoQueue<char>, code_point: Item<char>) -> HandlerResult<u8> {
        // Step 1.
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        // Step 2.
        if is_ascii_code_point(code_point) {
            return HandlerResult::byte(u32::from(code_point));
        }
        // Step 3.
        let pointer = self.index.pointer(code_point);
        // Step 4.
        let Some(pointer) = pointer else {
            return HandlerResult::error_with(code_point);
        };
        // Step 5.
        HandlerResult::byte(pointer as u32 + 0x80)
    }
}
