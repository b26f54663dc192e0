//! EUC-JP (section 12.1).

use crate::handler::{Handler, HandlerResult, is_ascii_byte, is_ascii_code_point};
use crate::indexes::{index_jis0208, index_jis0212};
use crate::io_queue::{IoQueue, Item};

/// EUC-JP's decoder.
#[derive(Clone, Debug, Default)]
pub struct EucJpDecoder {
    jis0212: bool,
    lead: u8,
}

impl Handler for EucJpDecoder {
    type Input = u8;
    type Output = char;

    fn handler(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = byte else {
            // Step 1.
            if self.lead != 0x00 {
                self.lead = 0x00;
                return HandlerResult::error();
            }
            // Step 2.
            return HandlerResult::Finished;
        };
        // Step 3.
        if self.lead == 0x8E && (0xA1..=0xDF).contains(&byte) {
            self.lead = 0x00;
            return HandlerResult::code_point(0xFF61 - 0xA1 + u32::from(byte));
        }
        // Step 4.
        if self.lead == 0x8F && (0xA1..=0xFE).contains(&byte) {
            self.jis0212 = true;
            self.lead = byte;
            return HandlerResult::Continue;
        }
        // Step 5.
        if self.lead != 0x00 {
            // Step 5.1.
            let leading = self.lead;
            // Step 5.2.
            self.lead = 0x00;
            // Step 5.3.
            let mut code_point = None;
            // Step 5.4.
            if (0xA1..=0xFE).contains(&leading) && (0xA1..=0xFE).contains(&byte) {
                let index = if !self.jis0212 {
                    index_jis0208()
                } else {
                    index_jis0212()
                };
                code_point =
                    index.code_point((usize::from(leading) - 0xA1) * 94 + usize::from(byte) - 0xA1);
            }
            // Step 5.5.
            self.jis0212 = false;
            // Step 5.6.
            if let Some(code_point) = code_point {
                return HandlerResult::items(&[code_point]);
            }
            // Step 5.7.
            if is_ascii_byte(byte) {
                io_queue.restore(byte);
            }
            // Step 5.8.
            return HandlerResult::error();
        }
        // Step 6.
        if is_ascii_byte(byte) {
            return HandlerResult::code_point(u32::from(byte));
        }
        // Step 7.
        if byte == 0x8E || byte == 0x8F || (0xA1..=0xFE).contains(&byte) {
            self.lead = byte;
            return HandlerResult::Continue;
        }
        // Step 8.
        HandlerResult::error()
    }
}

/// EUC-JP's encoder.
#[derive(Clone, Copy, Debug, Default)]
pub struct EucJpEncoder;

impl Handler for EucJpEncoder {
    type Input = char;
    type Output = u8;

    fn handler(&mut self, _: &mut IoQueue<char>, code_point: Item<char>) -> HandlerResult<u8> {
        // Step 1.
        let Item::Value(mut code_point) = code_point else {
            return HandlerResult::Finished;
        };
        // Step 2.
        if is_ascii_code_point(code_point) {
            return HandlerResult::byte(u32::from(code_point));
        }
        // Step 3.
        if code_point == '\u{00A5}' {
            return HandlerResult::byte(0x5C);
        }
        // Step 4.
        if code_point == '\u{203E}' {
            return HandlerResult::byte(0x7E);
        }
        // Step 5.
        if ('\u{FF61}'..='\u{FF9F}').contains(&code_point) {
            return HandlerResult::bytes(&[0x8E, u32::from(code_point) - 0xFF61 + 0xA1]);
        }
        // Step 6.
        if code_point == '\u{2212}' {
            code_point = '\u{FF0D}';
        }
        // Step 7. If pointer is non-null, it is less than 8836, due to the nature of index jis0208.
        let pointer = index_jis0208().pointer(code_point);
        // Step 8.
        let Some(pointer) = pointer else {
            return HandlerResult::error_with(code_point);
        };
        // Step 9.
        let leading = pointer as u32 / 94 + 0xA1;
        // Step 10.
        let trailing = pointer as u32 % 94 + 0xA1;
        // Step 11.
        HandlerResult::bytes(&[leading, trailing])
    }
}
