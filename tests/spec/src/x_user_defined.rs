//! x-user-defined (section 14.5).

use crate::handler::{Handler, HandlerResult, is_ascii_byte, is_ascii_code_point};
use crate::io_queue::{IoQueue, Item};

/// x-user-defined's decoder.
#[derive(Clone, Copy, Debug, Default)]
pub struct XUserDefinedDecoder;

impl Handler for XUserDefinedDecoder {
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
        HandlerResult::code_point(0xF780 + u32::from(byte) - 0x80)
    }
}

/// x-user-defined's encoder.
#[derive(Clone, Copy, Debug, Default)]
pub struct XUserDefinedEncoder;

impl Handler for XUserDefinedEncoder {
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
        if ('\u{F780}'..='\u{F7FF}').contains(&code_point) {
            return HandlerResult::byte(u32::from(code_point) - 0xF780 + 0x80);
        }
        // Step 4.
        HandlerResult::error_with(code_point)
    }
}
