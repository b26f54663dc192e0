//! EUC-KR (section 13.1).

use crate::handler::{Handler, HandlerResult, is_ascii_byte, is_ascii_code_point};
use crate::indexes::index_euc_kr;
use crate::io_queue::{IoQueue, Item};

/// EUC-KR's decoder.
#[derive(Clone, Debug, Default)]
pub struct EucKrDecoder {
    lead: u8,
}

impl Handler for EucKrDecoder {
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
            if (0x41..=0xFE).contains(&byte) {
                pointer = Some((usize::from(leading) - 0x81) * 190 + (usize::from(byte) - 0x41));
            }
            // Step 3.5.
            let code_point = pointer.and_then(|pointer| index_euc_kr().code_point(pointer));
            // Step 3.6.
            if let Some(code_point) = code_point {
                return HandlerResult::items(&[code_point]);
            }
            // Step 3.7.
            if is_ascii_byte(byte) {
                io_queue.restore(byte);
            }
            // Step 3.8.
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

/// EUC-KR's encoder.
#[derive(Clone, Copy, Debug, Default)]
pub struct EucKrEncoder;

impl Handler for EucKrEncoder {
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
        let pointer = index_euc_kr().pointer(code_point);
        // Step 4.
        let Some(pointer) = pointer else {
            return HandlerResult::error_with(code_point);
        };
        // Step 5.
        let leading = pointer as u32 / 190 + 0x81;
        // Step 6.
        let trailing = pointer as u32 % 190 + 0x41;
        // Step 7.
        HandlerResult::bytes(&[leading, trailing])
    }
}
