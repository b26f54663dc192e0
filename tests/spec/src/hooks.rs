//! Hooks for standards (section 6).
//!
//! If a hook of the Standard takes an optional output queue, the function returns a new one.

use crate::encoding::Encoding;
use crate::instances::Encoder;
use crate::io_queue::IoQueue;
use crate::process_queue::{ErrorMode, Processed, process_a_queue};

/// UTF-8 decode.
pub fn utf_8_decode(io_queue: &mut IoQueue<u8>) -> IoQueue<char> {
    let mut output = IoQueue::new();
    // Step 1.
    let buffer = io_queue.peek(3);
    // Step 2. (Do nothing with those bytes.)
    if buffer == [0xEF, 0xBB, 0xBF] {
        io_queue.read_number(3);
    }
    // Step 3.
    process_a_queue(
        &mut Encoding::Utf8.decoder(),
        io_queue,
        &mut output,
        ErrorMode::Replacement,
    );
    // Step 4.
    output
}

/// UTF-8 decode without BOM.
pub fn utf_8_decode_without_bom(io_queue: &mut IoQueue<u8>) -> IoQueue<char> {
    let mut output = IoQueue::new();
    // Step 1.
    process_a_queue(
        &mut Encoding::Utf8.decoder(),
        io_queue,
        &mut output,
        ErrorMode::Replacement,
    );
    // Step 2.
    output
}

/// UTF-8 decode without BOM or fail; failure is `None`.
pub fn utf_8_decode_without_bom_or_fail(io_queue: &mut IoQueue<u8>) -> Option<IoQueue<char>> {
    let mut output = IoQueue::new();
    // Step 1.
    let potential_error = process_a_queue(
        &mut Encoding::Utf8.decoder(),
        io_queue,
        &mut output,
        ErrorMode::Fatal,
    );
    // Step 2.
    if let Processed::Error(_) = potential_error {
        return None;
    }
    // Step 3.
    Some(output)
}

/// Decode, with `encoding` as the fallback if there is no byte order mark.
pub fn decode(io_queue: &mut IoQueue<u8>, mut encoding: Encoding) -> IoQueue<char> {
    let mut output = IoQueue::new();
    // Extension of mojika: UTF-32 obeys only its own byte order mark.
    let bom_encoding = match encoding {
        Encoding::Extended(extended) if extended.is_utf_32() => {
            let (marked, bom_length) = extended.after_bom(&io_queue.peek(4));
            encoding = Encoding::Extended(marked);
            io_queue.read_number(bom_length);
            None
        }
        // Step 1.
        _ => bom_sniff(io_queue),
    };
    // Step 2. If BOMEncoding is non-null:
    if let Some(bom_encoding) = bom_encoding {
        // Step 2.1.
        encoding = bom_encoding;
        // Step 2.2. (Do nothing with those bytes.)
        io_queue.read_number(if bom_encoding == Encoding::Utf8 { 3 } else { 2 });
    }
    // Step 3.
    process_a_queue(
        &mut encoding.decoder(),
        io_queue,
        &mut output,
        ErrorMode::Replacement,
    );
    // Step 4.
    output
}

/// BOM sniff: the encoding that a byte order mark indicates, or null. Reads nothing from the queue.
pub fn bom_sniff(io_queue: &IoQueue<u8>) -> Option<Encoding> {
    // Step 1.
    let bom = io_queue.peek(3);
    // Step 2. For each of the rows in the table, starting with the first one and going down:
    let table: [(&[u8], Encoding); 3] = [
        (&[0xEF, 0xBB, 0xBF], Encoding::Utf8),
        (&[0xFE, 0xFF], Encoding::Utf16Be),
        (&[0xFF, 0xFE], Encoding::Utf16Le),
    ];
    for (bytes, encoding) in table {
        if bom.starts_with(bytes) {
            return Some(encoding);
        }
    }
    // Step 3.
    None
}

/// Encode.
///
/// # Panics
///
/// If `encoding` is replacement or UTF-16BE/LE.
pub fn encode(io_queue: &mut IoQueue<char>, encoding: Encoding) -> IoQueue<u8> {
    let mut output = IoQueue::new();
    // Step 1.
    let mut encoder = get_an_encoder(encoding);
    // Step 2.
    process_a_queue(&mut encoder, io_queue, &mut output, ErrorMode::Html);
    // Step 3.
    output
}

/// Get an encoder.
///
/// # Panics
///
/// If `encoding` is replacement or UTF-16BE/LE.
pub fn get_an_encoder(encoding: Encoding) -> Encoder {
    // Step 1. Assert: encoding is not replacement or UTF-16BE/LE.
    // Step 2.
    encoding
        .encoder()
        .expect("the encoding is not replacement or UTF-16BE/LE")
}

/// [`decode`] from bytes to a string.
pub fn decode_bytes(bytes: &[u8], encoding: Encoding) -> String {
    decode(&mut IoQueue::immediate(bytes), encoding).into_string()
}

/// Decodes all of `bytes` with U+FFFD for errors, without looking for a byte order mark.
pub fn decode_bytes_without_bom_handling(bytes: &[u8], encoding: Encoding) -> String {
    let mut output = IoQueue::new();
    let mut input = IoQueue::immediate(bytes);
    process_a_queue(
        &mut encoding.decoder(),
        &mut input,
        &mut output,
        ErrorMode::Replacement,
    );
    output.into_string()
}
