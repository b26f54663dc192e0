//! Process a queue, process an item, error modes (section 4.1).

use crate::handler::{Handler, HandlerResult};
use crate::io_queue::{IoQueue, Item};

/// The error mode. Decoders take `Replacement` or `Fatal`, encoders `Fatal` or `Html`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorMode {
    /// "replacement": U+FFFD is pushed.
    Replacement,
    /// "fatal": processing ends with the error.
    Fatal,
    /// "html": `&#` code point in decimal `;` is pushed.
    Html,
}

/// The result of processing an item or a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processed {
    /// Finished.
    Finished,
    /// Error, with the code point that an encoder reported.
    Error(Option<char>),
    /// Continue, which [`process_a_queue`] never returns.
    Continue,
}

/// The type of the items that a handler returns: scalar values for decoders, bytes for encoders.
pub trait Output: Copy + Default {
    /// True if decoders return this type of item.
    const OF_DECODER: bool;
    /// Returns the items that the error mode "replacement" pushes.
    fn replacement() -> Vec<Self>;
    /// Returns the items that the error mode "html" pushes.
    fn html(code_point: char) -> Vec<Self>;
}

impl Output for char {
    const OF_DECODER: bool = true;

    fn replacement() -> Vec<Self> {
        vec!['\u{FFFD}']
    }

    fn html(_: char) -> Vec<Self> {
        unreachable!("step 2 of process an item")
    }
}

impl Output for u8 {
    const OF_DECODER: bool = false;

    fn replacement() -> Vec<Self> {
        unreachable!("step 1 of process an item")
    }

    fn html(code_point: char) -> Vec<Self> {
        format!("&#{};", u32::from(code_point)).into_bytes()
    }
}

/// Process a queue: runs `encoder_decoder` over all of `input`. Returns finished or, in the mode "fatal", an error.
pub fn process_a_queue<H: Handler<Output: Output>>(
    encoder_decoder: &mut H,
    input: &mut IoQueue<H::Input>,
    output: &mut IoQueue<H::Output>,
    mode: ErrorMode,
) -> Processed {
    // Step 1. While true:
    loop {
        // Step 1.1.
        let item = input.read();
        let result = process_an_item(item, encoder_decoder, input, output, mode);
        // Step 1.2.
        if result != Processed::Continue {
            return result;
        }
    }
}

/// Process an item.
///
/// # Panics
///
/// If the error mode is not one for a decoder or an encoder, respectively.
pub fn process_an_item<H: Handler<Output: Output>>(
    item: Item<H::Input>,
    encoder_decoder: &mut H,
    input: &mut IoQueue<H::Input>,
    output: &mut IoQueue<H::Output>,
    mode: ErrorMode,
) -> Processed {
    // Step 1. Assert: if encoderDecoder is an encoder instance, then mode is not "replacement".
    assert!(H::Output::OF_DECODER || mode != ErrorMode::Replacement);
    // Step 2. Assert: if encoderDecoder is a decoder instance, then mode is not "html".
    assert!(!H::Output::OF_DECODER || mode != ErrorMode::Html);
    // Step 3. Assert: if encoderDecoder is an encoder instance, then item is not a surrogate. (It is a `char`.)
    // Step 4.
    let result = encoder_decoder.handler(input, item);
    match result {
        // Step 5. If result is finished:
        HandlerResult::Finished => {
            // Step 5.1.
            output.push(Item::EndOfQueue);
            // Step 5.2.
            return Processed::Finished;
        }
        // Step 6. Otherwise, if result is one or more items:
        HandlerResult::Items(items) => {
            // Step 6.1. Assert: if encoderDecoder is a decoder instance, result has no surrogates. (They are `char`.)
            // Step 6.2.
            output.push_all(items.as_slice());
        }
        // Step 7. Otherwise, if result is an error, then switch on mode:
        HandlerResult::Error(code_point) => match mode {
            ErrorMode::Replacement => output.push_all(&H::Output::replacement()),
            ErrorMode::Html => {
                output.push_all(&H::Output::html(
                    code_point.expect("encoders' errors have a code point"),
                ));
            }
            ErrorMode::Fatal => return Processed::Error(code_point),
        },
        HandlerResult::Continue => {}
    }
    // Step 8.
    Processed::Continue
}
