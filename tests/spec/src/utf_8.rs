//! UTF-8 (section 8.1).

use crate::handler::{Handler, HandlerResult, is_ascii_code_point};
use crate::io_queue::{IoQueue, Item};

/// UTF-8's decoder.
#[derive(Clone, Debug)]
pub struct Utf8Decoder {
    code_point: u32,
    bytes_seen: u32,
    bytes_needed: u32,
    lower_boundary: u8,
    upper_boundary: u8,
}

impl Default for Utf8Decoder {
    fn default() -> Self {
        Utf8Decoder {
            code_point: 0,
            bytes_seen: 0,
            bytes_needed: 0,
            lower_boundary: 0x80,
            upper_boundary: 0xBF,
        }
    }
}

impl Handler for Utf8Decoder {
    type Input = u8;
    type Output = char;

    fn handler(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = byte else {
            // Step 1.
            if self.bytes_needed != 0 {
                self.bytes_needed = 0;
                return HandlerResult::error();
            }
            // Step 2.
            return HandlerResult::Finished;
        };
        // Step 3. If UTF-8 bytes needed is 0, then, based on byte:
        if self.bytes_needed == 0 {
            match byte {
                0x00..=0x7F => {
                    return HandlerResult::code_point(u32::from(byte));
                }
                0xC2..=0xDF => {
                    // Step 3.1.
                    self.bytes_needed = 1;
                    // Step 3.2.
                    self.code_point = u32::from(byte) & 0x1F;
                }
                0xE0..=0xEF => {
                    // Step 3.1.
                    if byte == 0xE0 {
                        self.lower_boundary = 0xA0;
                    }
                    // Step 3.2.
                    if byte == 0xED {
                        self.upper_boundary = 0x9F;
                    }
                    // Step 3.3.
                    self.bytes_needed = 2;
                    // Step 3.4.
                    self.code_point = u32::from(byte) & 0xF;
                }
                0xF0..=0xF4 => {
                    // Step 3.1.
                    if byte == 0xF0 {
                        self.lower_boundary = 0x90;
                    }
                    // Step 3.2.
                    if byte == 0xF4 {
                        self.upper_boundary = 0x8F;
                    }
                    // Step 3.3.
                    self.bytes_needed = 3;
                    // Step 3.4.
                    self.code_point = u32::from(byte) & 0x7;
                }
                _ => {
                    return HandlerResult::error();
                }
            }
            return HandlerResult::Continue;
        }
        // Step 4.
        if !(self.lower_boundary..=self.upper_boundary).contains(&byte) {
            // Step 4.1.
            self.code_point = 0;
            self.bytes_needed = 0;
            self.bytes_seen = 0;
            self.lower_boundary = 0x80;
            self.upper_boundary = 0xBF;
            // Step 4.2.
            io_queue.restore(byte);
            // Step 4.3.
            return HandlerResult::error();
        }
        // Step 5.
        self.lower_boundary = 0x80;
        self.upper_boundary = 0xBF;
        // Step 6.
        self.code_point = (self.code_point << 6) | (u32::from(byte) & 0x3F);
        // Step 7.
        self.bytes_seen += 1;
        // Step 8.
        if self.bytes_seen != self.bytes_needed {
            return HandlerResult::Continue;
        }
        // Step 9.
        let code_point = self.code_point;
        // Step 10.
        self.code_point = 0;
        self.bytes_needed = 0;
        self.bytes_seen = 0;
        // Step 11.
        HandlerResult::code_point(code_point)
    }
}

/// UTF-8's encoder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf8Encoder;

impl Handler for Utf8Encoder {
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
        // Step 3. Set count and offset based on the range codePoint is in.
        let (mut count, offset) = match code_point {
            '\u{0080}'..='\u{07FF}' => (1, 0xC0),
            '\u{0800}'..='\u{FFFF}' => (2, 0xE0),
            _ => (3, 0xF0),
        };
        // Step 4.
        let code_point = u32::from(code_point);
        let mut bytes = vec![(code_point >> (6 * count)) + offset];
        // Step 5.
        while count > 0 {
            // Step 5.1.
            let temp = code_point >> (6 * (count - 1));
            // Step 5.2.
            bytes.push(0x80 | (temp & 0x3F));
            // Step 5.3.
            count -= 1;
        }
        // Step 6.
        HandlerResult::bytes(&bytes)
    }
}
