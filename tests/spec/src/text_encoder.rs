//! `TextEncoder`'s `encodeInto` (section 7.4) and `TextEncoderStream` (section 7.6), without JavaScript.

use crate::handler::{Handler, HandlerResult};
use crate::io_queue::{IoQueue, Item};
use crate::process_queue::{ErrorMode, process_an_item};
use crate::utf_8::Utf8Encoder;
use crate::utf_16::{is_leading_surrogate, is_trailing_surrogate, scalar_value_from_surrogates};

/// `TextEncoderEncodeIntoResult`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodeIntoResult {
    /// `read`: the number of UTF-16 code units of the source that were converted.
    pub read: usize,
    /// `written`: the number of bytes that were written.
    pub written: usize,
}

/// `encodeInto(source, destination)`.
pub fn encode_into(source: &[char], destination: &mut [u8]) -> EncodeIntoResult {
    // Step 1.
    let mut read = 0;
    // Step 2.
    let mut written = 0;
    // Step 3.
    let mut encoder = Utf8Encoder;
    // Step 4.
    let mut unused = IoQueue::immediate(&[]);
    // Step 5. Convert source to an I/O queue of scalar values.
    let mut source = IoQueue::immediate(source);
    // Step 6. While true:
    loop {
        // Step 6.1.
        let item = source.read();
        // Step 6.2.
        let result = encoder.handler(&mut unused, item);
        // Step 6.3. If result is finished, then break.
        let (HandlerResult::Items(bytes), Item::Value(item)) = (result, item) else {
            break;
        };
        // Step 6.4. Otherwise:
        let bytes = bytes.as_slice();
        if destination.len() - written >= bytes.len() {
            // Step 6.4.1.1 and 6.4.1.2.
            read += if item > '\u{FFFF}' { 2 } else { 1 };
            // Step 6.4.1.3.
            destination[written..written + bytes.len()].copy_from_slice(bytes);
            // Step 6.4.1.4.
            written += bytes.len();
        } else {
            // Step 6.4.2.
            break;
        }
    }
    // Step 7.
    EncodeIntoResult { read, written }
}

/// The result of the convert code unit to scalar value algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Converted {
    /// A scalar value.
    ScalarValue(char),
    /// Continue.
    Continue,
}

/// `TextEncoderStream`.
#[derive(Clone, Debug, Default)]
pub struct TextEncoderStream {
    encoder: Utf8Encoder,
    leading_surrogate: Option<u16>,
}

impl TextEncoderStream {
    /// `new TextEncoderStream()`.
    pub fn new() -> Self {
        Self::default()
    }

    /// Encode and enqueue a chunk of UTF-16 code units; returns the enqueued bytes, empty if there are none.
    pub fn encode_and_enqueue_a_chunk(&mut self, chunk: &[u16]) -> Vec<u8> {
        // Steps 1 and 2.
        let mut input = IoQueue::immediate(chunk);
        // Step 3.
        let mut output = IoQueue::immediate(&[]);
        // Step 4. While true:
        loop {
            // Step 4.1.
            let item = input.read();
            // Step 4.2.
            let Item::Value(item) = item else {
                return output.into_items();
            };
            // Step 4.3.
            let result = self.convert_code_unit_to_scalar_value(item, &mut input);
            // Step 4.4. (The UTF-8 encoder does not use its input, so that a queue of another type can be passed.)
            if let Converted::ScalarValue(result) = result {
                let mut unused = IoQueue::immediate(&[]);
                let item = Item::Value(result);
                process_an_item(
                    item,
                    &mut self.encoder,
                    &mut unused,
                    &mut output,
                    ErrorMode::Fatal,
                );
            }
        }
    }

    /// Convert code unit to scalar value.
    pub fn convert_code_unit_to_scalar_value(
        &mut self,
        item: u16,
        input: &mut IoQueue<u16>,
    ) -> Converted {
        // Step 1. If encoder's leading surrogate is non-null:
        if let Some(encoders_leading_surrogate) = self.leading_surrogate {
            // Step 1.1.
            let leading_surrogate = encoders_leading_surrogate;
            // Step 1.2.
            self.leading_surrogate = None;
            // Step 1.3.
            if is_trailing_surrogate(item) {
                return Converted::ScalarValue(scalar_value_from_surrogates(
                    leading_surrogate,
                    item,
                ));
            }
            // Step 1.4.
            input.restore(item);
            // Step 1.5.
            return Converted::ScalarValue('\u{FFFD}');
        }
        // Step 2.
        if is_leading_surrogate(item) {
            self.leading_surrogate = Some(item);
            return Converted::Continue;
        }
        // Step 3.
        if is_trailing_surrogate(item) {
            return Converted::ScalarValue('\u{FFFD}');
        }
        // Step 4.
        Converted::ScalarValue(char::from_u32(u32::from(item)).expect("not a surrogate"))
    }

    /// Encode and flush; returns the enqueued bytes, empty if there are none.
    ///
    /// As in the Standard, the leading surrogate stays set; the stream is closed after this.
    pub fn encode_and_flush(&self) -> Vec<u8> {
        // Step 1.
        if self.leading_surrogate.is_some() {
            return vec![0xEF, 0xBF, 0xBD];
        }
        Vec::new()
    }
}
