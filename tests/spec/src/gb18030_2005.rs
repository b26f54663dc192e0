//! **Extension of mojika**, not in the Standard: GB 18030 before its edition of 2022.

use crate::gb18030::SIDE_TABLE;
use crate::handler::{Handler, HandlerResult, is_ascii_byte, is_ascii_code_point};
use crate::indexes;
use crate::io_queue::{IoQueue, Item};

/// Returns the character of a pair in the 2005 edition. It differs from the Standard for pairs of the side table, and
/// for the pair 0xA3 0xA0.
fn pair(lead: u8, trail: u8) -> Option<char> {
    if [lead, trail] == [0xA3, 0xA0] {
        return Some('\u{E5E5}');
    }
    let old = SIDE_TABLE.iter().find(|(_, bytes)| *bytes == [lead, trail]);
    if let Some((code_point, _)) = old {
        return Some(*code_point);
    }
    let cell = match trail {
        0x40..=0x7E => trail - 0x40,
        0x80..=0xFE => trail - 0x41,
        _ => return None,
    };
    indexes::index_gb18030().code_point(usize::from(lead - 0x81) * 190 + usize::from(cell))
}

/// The decoder.
#[derive(Clone, Debug, Default)]
pub struct Gb18030Of2005Decoder {
    bytes: Vec<u8>,
}

impl Handler for Gb18030Of2005Decoder {
    type Input = u8;
    type Output = char;

    fn handler(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = byte else {
            let is_complete = std::mem::take(&mut self.bytes).is_empty();
            return if is_complete {
                HandlerResult::Finished
            } else {
                HandlerResult::error()
            };
        };
        self.bytes.push(byte);
        let found = match self.bytes[..] {
            [byte] if is_ascii_byte(byte) => Some(char::from(byte)),
            [0x81..=0xFE] | [_, b'0'..=b'9'] | [_, _, 0x81..=0xFE] => {
                return HandlerResult::Continue;
            }
            [_] => None,
            [lead, trail] => {
                let found = pair(lead, trail);
                if found.is_none() && is_ascii_byte(trail) {
                    io_queue.restore(trail);
                }
                found
            }
            [first, second, third, fourth @ b'0'..=b'9'] => {
                let digits = [(first, 0x81, 10), (second, 0x30, 126), (third, 0x81, 10)];
                let mut pointer = 0;
                for (byte, from, next) in digits {
                    pointer = (pointer + usize::from(byte - from)) * next;
                }
                indexes::index_gb18030_ranges_code_point(pointer + usize::from(fourth - 0x30))
            }
            // Only the first byte is part of the error.
            _ => {
                io_queue.restore_all(&self.bytes[1..]);
                None
            }
        };
        self.bytes.clear();
        match found {
            Some(found) => HandlerResult::items(&[found]),
            None => HandlerResult::error(),
        }
    }
}

/// The encoder.
#[derive(Clone, Debug, Default)]
pub struct Gb18030Of2005Encoder;

impl Handler for Gb18030Of2005Encoder {
    type Input = char;
    type Output = u8;

    fn handler(&mut self, _: &mut IoQueue<char>, code_point: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        if is_ascii_code_point(code_point) {
            return HandlerResult::byte(code_point.into());
        }
        let index = indexes::index_gb18030();
        let old = SIDE_TABLE.iter().find(|row| row.0 == code_point);
        let bytes = match (old, index.pointer(code_point)) {
            _ if code_point == '\u{E5E5}' => Some([0xA3, 0xA0]),
            (Some((_, bytes)), _) => Some(*bytes),
            (None, Some(pointer)) => {
                let (lead, cell) = (pointer / 190, pointer % 190);
                let trail = if cell < 63 { cell + 0x40 } else { cell + 0x41 };
                Some([lead as u8 + 0x81, trail as u8])
            }
            (None, None) => None,
        };
        // Write the pair only if it decodes to this code point. Otherwise write four bytes.
        match bytes.filter(|&[lead, trail]| pair(lead, trail) == Some(code_point)) {
            Some(bytes) => HandlerResult::items(&bytes),
            None => {
                let mut pointer = indexes::index_gb18030_ranges_pointer(code_point) as u32;
                let mut bytes = [0; 4];
                for (place, base, from) in
                    [(3, 10, 0x30), (2, 126, 0x81), (1, 10, 0x30), (0, 126, 0x81)]
                {
                    bytes[place] = pointer % base + from;
                    pointer /= base;
                }
                HandlerResult::bytes(&bytes)
            }
        }
    }
}
