//! UTF-16BE/LE (sections 14.2 to 14.4), and encoders for them, an extension of mojika.

use crate::handler::{Handler, HandlerResult};
use crate::io_queue::{IoQueue, Item};

/// A leading surrogate is a code point in the range U+D800 to U+DBFF, inclusive.
pub fn is_leading_surrogate(code_unit: u16) -> bool {
    (0xD800..=0xDBFF).contains(&code_unit)
}

/// A trailing surrogate is a code point in the range U+DC00 to U+DFFF, inclusive.
pub fn is_trailing_surrogate(code_unit: u16) -> bool {
    (0xDC00..=0xDFFF).contains(&code_unit)
}

/// The scalar value from surrogates (section 3).
///
/// # Panics
///
/// If the arguments are not a leading and a trailing surrogate.
pub fn scalar_value_from_surrogates(leading: u16, trailing: u16) -> char {
    assert!(is_leading_surrogate(leading) && is_trailing_surrogate(trailing));
    let value = 0x10000 + ((u32::from(leading) - 0xD800) << 10) + (u32::from(trailing) - 0xDC00);
    char::from_u32(value).expect("a scalar value")
}

/// The shared UTF-16 decoder.
#[derive(Clone, Debug)]
pub struct SharedUtf16Decoder {
    leading_byte: Option<u8>,
    leading_surrogate: Option<u16>,
    is_utf_16be_decoder: bool,
}

impl SharedUtf16Decoder {
    /// Creates a decoder with its is UTF-16BE decoder set to `is_utf_16be_decoder`.
    pub fn new(is_utf_16be_decoder: bool) -> Self {
        SharedUtf16Decoder {
            leading_byte: None,
            leading_surrogate: None,
            is_utf_16be_decoder,
        }
    }
}

impl Handler for SharedUtf16Decoder {
    type Input = u8;
    type Output = char;

    fn handler(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = byte else {
            // Step 1.
            if self.leading_byte.is_some() || self.leading_surrogate.is_some() {
                self.leading_byte = None;
                self.leading_surrogate = None;
                return HandlerResult::error();
            }
            // Step 2.
            return HandlerResult::Finished;
        };
        // Step 3.
        let Some(leading_byte) = self.leading_byte else {
            self.leading_byte = Some(byte);
            return HandlerResult::Continue;
        };
        // Step 4.
        let code_unit = if self.is_utf_16be_decoder {
            (u16::from(leading_byte) << 8) + u16::from(byte)
        } else {
            (u16::from(byte) << 8) + u16::from(leading_byte)
        };
        // Step 5.
        self.leading_byte = None;
        // Step 6.
        if let Some(utf_16_leading_surrogate) = self.leading_surrogate {
            // Step 6.1.
            let leading_surrogate = utf_16_leading_surrogate;
            // Step 6.2.
            self.leading_surrogate = None;
            // Step 6.3.
            if is_trailing_surrogate(code_unit) {
                return HandlerResult::items(&[scalar_value_from_surrogates(
                    leading_surrogate,
                    code_unit,
                )]);
            }
            // Step 6.4.
            let byte1 = (code_unit >> 8) as u8;
            // Step 6.5.
            let byte2 = (code_unit & 0x00FF) as u8;
            // Step 6.6.
            let bytes = if self.is_utf_16be_decoder {
                [byte1, byte2]
            } else {
                [byte2, byte1]
            };
            // Step 6.7.
            io_queue.restore_all(&bytes);
            return HandlerResult::error();
        }
        // Step 7.
        if is_leading_surrogate(code_unit) {
            self.leading_surrogate = Some(code_unit);
            return HandlerResult::Continue;
        }
        // Step 8.
        if is_trailing_surrogate(code_unit) {
            return HandlerResult::error();
        }
        // Step 9.
        HandlerResult::code_point(u32::from(code_unit))
    }
}

/// **Extension of mojika**, not in the Standard: encodes as UTF-16BE (if `be`) or UTF-16LE, without a BOM.
pub fn encode_utf_16(be: bool, scalar_values: &[char]) -> Vec<u8> {
    let mut output = Vec::new();
    for &scalar_value in scalar_values {
        let value = u32::from(scalar_value);
        let code_units = if value <= 0xFFFF {
            vec![value]
        } else {
            vec![
                0xD800 + ((value - 0x10000) >> 10),
                0xDC00 + ((value - 0x10000) & 0x3FF),
            ]
        };
        for code_unit in code_units {
            let high = (code_unit >> 8) as u8;
            let low = (code_unit & 0xFF) as u8;
            output.extend_from_slice(&if be { [high, low] } else { [low, high] });
        }
    }
    output
}
