//! The transliteration's results: whole outputs, and the offset of each error in the input and in the output.

use crate::encodings::Pair;
use crate::text::Text;
use mojika::BomHandling;
use mojika_drive::Form;
use mojika_spec::{
    DecodeItem, EncodeItem, Encoding, IoQueue, decode_fragments, encode_fragments, hooks,
    reference, utf_16,
};

/// A malformed sequence, and the offset of its U+FFFD in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Offset in the input.
    pub offset: u64,
    /// Length in bytes.
    pub len: u8,
    /// The offset in the output, in its units, with errors replaced.
    pub at: usize,
}

impl Malformed {
    /// Appends U+FFFD for an error, and returns the error with its position in the output.
    pub fn push<T: Form>(units: &mut Vec<T>, offset: u64, len: u8) -> Self {
        let at = units.len();
        T::push(units, '\u{FFFD}');
        Malformed { offset, len, at }
    }
}

/// Decoded text in one form, with errors replaced, and the errors.
#[derive(Debug, PartialEq, Eq)]
pub struct Decoded<T> {
    /// Bytes of UTF-8 or UTF-16 code units.
    pub units: Vec<T>,
    /// The errors in their order.
    pub errors: Vec<Malformed>,
}

// Not derived, because that would require `T: Default`.
impl<T> Default for Decoded<T> {
    fn default() -> Self {
        Self {
            units: Vec::new(),
            errors: Vec::new(),
        }
    }
}

impl<T: Form> Decoded<T> {
    /// Converts `items` to text and errors. `start` is added to the offsets of errors.
    pub fn new(items: &[DecodeItem], start: usize) -> Self {
        let mut decoded = Self::default();
        for item in items {
            match *item {
                DecodeItem::Scalar { value, .. } => T::push(&mut decoded.units, value),
                DecodeItem::Error { offset, len, .. } => {
                    let len = u8::try_from(len).expect("malformed sequences are short");
                    let error = Malformed::push(&mut decoded.units, (start + offset) as u64, len);
                    decoded.errors.push(error);
                }
            }
        }
        decoded
    }
}

/// Returns the encoding of `bytes` and the length of the BOM to remove, by "BOM sniff" or, for UTF-32, by its own rule.
pub fn bom(pair: Pair, handling: BomHandling, bytes: &[u8]) -> (Encoding, usize) {
    if let Encoding::Extended(extended) = pair.spec
        && extended.is_utf_32()
    {
        let (marked, length) = match handling {
            BomHandling::Keep => (extended, 0),
            _ => extended.after_bom(bytes),
        };
        return (Encoding::Extended(marked), length);
    }
    // Four bytes suffice for any BOM, and take less time than all bytes.
    let front = &bytes[..bytes.len().min(4)];
    let sniffed = hooks::bom_sniff(&IoQueue::immediate(front));
    match (sniffed, handling) {
        (Some(found), BomHandling::Sniff) => (found, bom_length(found)),
        (Some(found), BomHandling::Remove) if found == pair.spec => (found, bom_length(found)),
        _ => (pair.spec, 0),
    }
}

fn bom_length(encoding: Encoding) -> usize {
    if encoding == Encoding::Utf8 { 3 } else { 2 }
}

/// Returns the items of `bytes` after a BOM, and the BOM's length.
pub fn decode(pair: Pair, handling: BomHandling, bytes: &[u8]) -> (Vec<DecodeItem>, usize) {
    let (encoding, bom_length) = bom(pair, handling, bytes);
    (decode_fragments(encoding, &bytes[bom_length..]), bom_length)
}

/// An unmappable scalar value, and the offset of its numeric character reference in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmappable {
    /// The scalar value that the encoder reports.
    pub scalar: char,
    /// The index of the character in the text.
    pub index: usize,
    /// The offset in the output, which includes numeric character references.
    pub at: usize,
}

impl Unmappable {
    /// Appends the numeric character reference for an error, and returns the error with its position in the output.
    pub fn push(bytes: &mut Vec<u8>, pair: Pair, scalar: char, index: usize) -> Self {
        let at = bytes.len();
        bytes.extend(reference(pair.spec, scalar));
        Unmappable { scalar, index, at }
    }

    /// [`push`](Self::push) for a reported error. `offsets` are those of the characters in the encoder's input.
    pub fn found(
        bytes: &mut Vec<u8>,
        pair: Pair,
        offsets: &[usize],
        unmappable: mojika::Unmappable,
    ) -> Self {
        let Ok(index) = offsets.binary_search(&(unmappable.offset as usize)) else {
            panic!("{unmappable} is within a character");
        };
        Self::push(bytes, pair, unmappable.scalar, index)
    }
}

/// Encoded text with numeric character references, and the errors with the offsets of their references.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// All bytes.
    pub bytes: Vec<u8>,
    /// The errors in their order.
    pub errors: Vec<Unmappable>,
}

impl Encoded {
    /// Returns the result of encoding a text.
    pub fn new(pair: Pair, text: &Text) -> Self {
        let mut encoded = Self::default();
        if matches!(pair.spec, Encoding::Utf16Be | Encoding::Utf16Le) {
            encoded.bytes = utf_16::encode_utf_16(pair.spec == Encoding::Utf16Be, &text.characters);
            return encoded;
        }
        for item in encode_fragments(pair.spec, &text.characters) {
            match item {
                EncodeItem::Bytes { bytes, .. } => encoded.bytes.extend_from_slice(&bytes),
                EncodeItem::Unmappable { code_point, index } => {
                    let error = Unmappable::push(&mut encoded.bytes, pair, code_point, index);
                    encoded.errors.push(error);
                }
            }
        }
        encoded
    }
}
