//! replacement (section 14.1).

use crate::handler::{Handler, HandlerResult};
use crate::io_queue::{IoQueue, Item};

/// The decoder of replacement, which has no encoder.
#[derive(Clone, Debug, Default)]
pub struct ReplacementDecoder {
    error_returned: bool,
}

impl Handler for ReplacementDecoder {
    type Input = u8;
    type Output = char;

    fn handler(&mut self, _: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        // Step 1.
        if byte == Item::EndOfQueue {
            return HandlerResult::Finished;
        }
        // Step 2.
        if !self.error_returned {
            self.error_returned = true;
            return HandlerResult::error();
        }
        // Step 3.
        HandlerResult::Finished
    }
}
