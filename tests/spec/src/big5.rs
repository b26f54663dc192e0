//! Big5 (section 11.1).

use crate::handler::{Handler, HandlerResult, is_ascii_byte, is_ascii_code_point};
use crate::indexes::{index_big5, index_big5_pointer};
use crate::io_queue::{IoQueue, Item};

/// Big5's decoder.
#[derive(Clone, Debug, Default)]
pub struct Big5Decoder {
    lead: u8,
}

/// The rows of step 3.6: the pointers that decode to two code points.
pub const TWO_CODE_POINTS: [(usize, [char; 2]); 4] = [
    (1133, ['\u{00CA}', '\u{0304}']),
    (1135, ['\u{00CA}', '\u{030C}']),
    (1164, ['\u{00EA}', '\u{0304}']),
    (1166, ['\u{00EA}', '\u{030C}']),
];

impl Handler for Big5Decoder {
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
            let offset = if byte < 0x7F { 0x40 } else { 0x62 };
            // Step 3.5.
            if (0x40..=0x7E).contains(&byte) || (0xA1..=0xFE).contains(&byte) {
                pointer = Some((usize::from(leading) - 0x81) * 157 + (usize::from(byte) - offset));
            }
            // Step 3.6.
            if let Some((_, code_points)) =
                TWO_CODE_POINTS.iter().find(|row| Some(row.0) == pointer)
            {
                return HandlerResult::items(code_points);
            }
            // Step 3.7.
            let code_point = pointer.and_then(|pointer| index_big5().code_point(pointer));
            // Step 3.8.
            if let Some(code_point) = code_point {
                return HandlerResult::items(&[code_point]);
            }
            // Step 3.9.
            if is_ascii_byte(byte) {
                io_queue.restore(byte);
            }
            // Step 3.10.
            return HandlerResult::error();
        }
        // Step 4.
        if is_ascii_byte(byte) {
            return HandlerResult::code_point(u32::from(byte));
        }
        // Step 5.
        if (0x81..=0xFE).contains(&byte) {
            self.lead = byte;
            return HandlerResult::Continue;
        }
        // Step 6.
        HandlerResult::error()
    }
}

/// Big5's encoder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Big5Encoder;

impl Handler for Big5Encoder {
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
        let pointer = index_big5_pointer(code_point);
        // Step 4.
        let Some(pointer) = pointer else {
            return HandlerResult::error_with(code_point);
        };
        // Step 5.
        let leading = pointer as u32 / 157 + 0x81;
        // Step 6.
        let trailing = pointer as u32 % 157;
        // Step 7.
        let offset = if trailing < 0x3F { 0x40 } else { 0x62 };
        // Step 8.
        HandlerResult::bytes(&[leading, trailing + offset])
    }
}
