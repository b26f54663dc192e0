//! Shift_JIS (section 12.3).

use crate::handler::{Handler, HandlerResult, is_ascii_byte, is_ascii_code_point};
use crate::indexes::{index_jis0208, index_shift_jis_pointer};
use crate::io_queue::{IoQueue, Item};

/// Shift_JIS's decoder.
#[derive(Clone, Debug, Default)]
pub struct ShiftJisDecoder {
    lead: u8,
}

impl Handler for ShiftJisDecoder {
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
        if self.lead != 0x00 {
            // Step 3.1.
            let leading = self.lead;
            // Step 3.2.
            self.lead = 0x00;
            // Step 3.3.
            let mut pointer = None;
            // Step 3.4.
            let offset = if byte < 0x7F { 0x40 } else { 0x41 };
            // Step 3.5.
            let leading_offset = if leading < 0xA0 { 0x81 } else { 0xC1 };
            // Step 3.6.
            if (0x40..=0x7E).contains(&byte) || (0x80..=0xFC).contains(&byte) {
                pointer = Some(
                    (usize::from(leading) - leading_offset) * 188 + usize::from(byte) - offset,
                );
            }
            // Step 3.7. This is interoperable legacy from Windows known as EUDC.
            if let Some(pointer @ 8836..=10715) = pointer {
                return HandlerResult::code_point(0xE000 - 8836 + pointer as u32);
            }
            // Step 3.8.
            let code_point = pointer.and_then(|pointer| index_jis0208().code_point(pointer));
            // Step 3.9.
            if let Some(code_point) = code_point {
                return HandlerResult::items(&[code_point]);
            }
            // Step 3.10.
            if is_ascii_byte(byte) {
                io_queue.restore(byte);
            }
            // Step 3.11.
            return HandlerResult::error();
        }
        // Step 4.
        if is_ascii_byte(byte) || byte == 0x80 {
            return HandlerResult::code_point(u32::from(byte));
        }
        // Step 5.
        if (0xA1..=0xDF).contains(&byte) {
            return HandlerResult::code_point(0xFF61 - 0xA1 + u32::from(byte));
        }
        // Step 6.
        if (0x81..=0x9F).contains(&byte) || (0xE0..=0xFC).contains(&byte) {
            self.lead = byte;
            return HandlerResult::Continue;
        }
        // Step 7.
        HandlerResult::error()
    }
}

/// Shift_JIS's encoder.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShiftJisEncoder;

impl Handler for ShiftJisEncoder {
    type Input = char;
    type Output = u8;

    fn handler(&mut self, _: &mut IoQueue<char>, code_point: Item<char>) -> HandlerResult<u8> {
        // Step 1.
        let Item::Value(mut code_point) = code_point else {
            return HandlerResult::Finished;
        };
        // Step 2.
        if is_ascii_code_point(code_point) || code_point == '\u{0080}' {
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
            return HandlerResult::byte(u32::from(code_point) - 0xFF61 + 0xA1);
        }
        // Step 6.
        if code_point == '\u{2212}' {
            code_point = '\u{FF0D}';
        }
        // Step 7.
        let pointer = index_shift_jis_pointer(code_point);
        // Step 8.
        let Some(pointer) = pointer else {
            return HandlerResult::error_with(code_point);
        };
        // Step 9.
        let leading = pointer as u32 / 188;
        // Step 10.
        let leading_offset = if leading < 0x1F { 0x81 } else { 0xC1 };
        // Step 11.
        let trailing = pointer as u32 % 188;
        // Step 12.
        let offset = if trailing < 0x3F { 0x40 } else { 0x41 };
        // Step 13.
        HandlerResult::bytes(&[leading + leading_offset, trailing + offset])
    }
}
