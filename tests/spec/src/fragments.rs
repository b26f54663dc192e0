//! The position of each item and each error, for comparison with engines that report offsets.
//!
//! The Standard defines only the order of items and errors, not these positions. A position is the number of bytes read
//! minus the number of bytes restored. An error covers the bytes from the start of the current sequence to the position
//! at which the error is reported. A sequence starts after the last item, error or complete escape sequence.
//!
//! The positions of two errors of ISO-2022-JP differ from this rule, to match encoding_rs:
//!
//! - A valid escape sequence directly after another one (the *output* of step 7.4 is true) is reported as an error of the
//!   earlier one, with three bytes. The later one has also been consumed.
//! - 0x1B in place of a trail byte is reported as an error of the lead byte alone. The 0x1B has been consumed, and starts
//!   the next sequence.
//!
//! In these two cases, `end` is above `offset + len`; in all others, both are equal.

use crate::encoding::Encoding;
use crate::handler::{DecoderState, Handler, HandlerResult};
use crate::io_queue::{IoQueue, Item};

/// An item or error that a decoder returned, with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeItem {
    /// A scalar value.
    Scalar {
        /// The scalar value.
        value: char,
        /// The position after the bytes of the scalar value.
        end: usize,
    },
    /// An error.
    Error {
        /// The position of the malformed sequence.
        offset: usize,
        /// The number of bytes in the malformed sequence.
        len: usize,
        /// The position when the error was reported: the bytes before it have been consumed.
        end: usize,
    },
}

impl DecodeItem {
    /// Returns the scalar value in the output of error mode "replacement": U+FFFD for an error.
    pub fn replaced(&self) -> char {
        match *self {
            Self::Scalar { value, .. } => value,
            Self::Error { .. } => char::REPLACEMENT_CHARACTER,
        }
    }
}

/// An item or error that an encoder returned, with the index of its character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeItem {
    /// Bytes. An escape sequence is a separate item, with the index of the character after it.
    Bytes {
        /// The bytes.
        bytes: Vec<u8>,
        /// The index of the character for which the encoder returned the bytes; at the end, the number of characters.
        index: usize,
    },
    /// An error.
    Unmappable {
        /// The code point with which the encoder returned error: the character's, or U+FFFD in ISO-2022-JP.
        code_point: char,
        /// The index of the character that cannot be encoded.
        index: usize,
    },
}

/// Runs a new decoder of `encoding` over `bytes`, without BOM handling.
pub fn decode_fragments(encoding: Encoding, bytes: &[u8]) -> Vec<DecodeItem> {
    let with_starts = decode_fragments_with_starts(encoding, bytes);
    with_starts.into_iter().map(|(_, item)| item).collect()
}

/// Works as [`decode_fragments`], and also returns the position of each item's first byte. Bytes between items, and
/// after the last one, are shifts and escape sequences.
pub fn decode_fragments_with_starts(encoding: Encoding, bytes: &[u8]) -> Vec<(usize, DecodeItem)> {
    let mut decoder = encoding.decoder();
    let mut io_queue = IoQueue::immediate(bytes);
    let mut items = Vec::new();
    // The position at which the current sequence started.
    let mut start = 0;
    loop {
        let state_before = decoder.state();
        let byte = io_queue.read();
        let result = decoder.handler(&mut io_queue, byte);
        let position = bytes.len() - io_queue.len();
        match result {
            HandlerResult::Finished => return items,
            HandlerResult::Items(values) => {
                for &value in values.as_slice() {
                    let item = DecodeItem::Scalar {
                        value,
                        end: position,
                    };
                    items.push((start, item));
                }
                start = position;
            }
            HandlerResult::Error(_) => {
                // Nothing was restored: the escape sequence is valid, and the error is that of the one before it.
                let is_second_escape =
                    state_before == Some(DecoderState::Escape) && position == start + 3;
                let is_escape_in_pair =
                    state_before == Some(DecoderState::TrailByte) && byte == Item::Value(0x1B);
                let (offset, len, next) = match (is_second_escape, is_escape_in_pair) {
                    (true, _) => (start - 3, 3, position),
                    (_, true) => (start, 1, position - 1),
                    _ => (start, position - start, position),
                };
                let item = DecodeItem::Error {
                    offset,
                    len,
                    end: position,
                };
                items.push((offset, item));
                start = next;
            }
            HandlerResult::Continue => {
                let is_shift = decoder.is_between() || state_before == Some(DecoderState::Escape);
                if is_shift {
                    // A complete escape sequence or shift.
                    start = position;
                }
            }
        }
    }
}

/// Returns the bytes of the numeric character reference for an unmappable code point in error mode "html".
///
/// In the Standard's encodings, they are ASCII ([`process_queue`](crate::process_queue)). In encodings that are not
/// supersets of ASCII, they are the encoder's bytes for the reference, in its state after the error. The header that
/// ISO-2022-KR has at the start of a text is left out.
///
/// # Panics
///
/// If the encoding has no encoder.
pub fn reference(encoding: Encoding, code_point: char) -> Vec<u8> {
    let reference = format!("&#{};", u32::from(code_point));
    let Encoding::Extended(extended) = encoding else {
        return reference.into_bytes();
    };
    let characters = reference.chars().map(|c| extended.in_references(c));
    let characters: Vec<char> = characters.collect();
    let items = encode_fragments(encoding, &characters);
    let bytes = items.into_iter().flat_map(|item| match item {
        EncodeItem::Bytes { bytes, .. } => bytes,
        EncodeItem::Unmappable { .. } => {
            unreachable!("every encoding has the characters of a reference")
        }
    });
    let mut bytes: Vec<u8> = bytes.collect();
    if bytes.starts_with(&crate::shifted::DESIGNATION) {
        bytes.drain(..crate::shifted::DESIGNATION.len());
    }
    bytes
}

/// Runs a new encoder of `encoding` over `scalar_values`.
///
/// # Panics
///
/// If the encoding has no encoder, as replacement and UTF-16BE/LE.
pub fn encode_fragments(encoding: Encoding, scalar_values: &[char]) -> Vec<EncodeItem> {
    let mut encoder = encoding.encoder().expect("an encoding with an encoder");
    let mut io_queue = IoQueue::immediate(scalar_values);
    let mut items = Vec::new();
    loop {
        let index = scalar_values.len() - io_queue.len();
        let code_point = io_queue.read();
        match encoder.handler(&mut io_queue, code_point) {
            HandlerResult::Finished => return items,
            HandlerResult::Items(bytes) => {
                items.push(EncodeItem::Bytes {
                    bytes: bytes.as_slice().to_vec(),
                    index,
                });
            }
            HandlerResult::Error(code_point) => {
                let code_point = code_point.expect("encoders' errors have a code point");
                items.push(EncodeItem::Unmappable { code_point, index });
            }
            HandlerResult::Continue => {}
        }
    }
}
