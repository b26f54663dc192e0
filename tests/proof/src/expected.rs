//! The oracle's results for an input, in the engine's forms.

use crate::subject::Subject;
use mojika::BomHandling;
use mojika_spec::{
    DecodeItem, EncodeItem, Encoding, IoQueue, decode_fragments, encode_fragments, hooks, reference,
};

/// A malformed sequence, and the length of the output before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Offset in bytes.
    pub offset: usize,
    /// Length in bytes.
    pub len: usize,
    /// The number of UTF-8 bytes before the sequence.
    pub utf8: usize,
    /// The number of UTF-16 code units before the sequence.
    pub utf16: usize,
}

/// The result of decoding in error mode "fatal", continuing after each error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoding {
    /// The text in UTF-8.
    pub utf8: Vec<u8>,
    /// The text in UTF-16.
    pub utf16: Vec<u16>,
    /// The malformed sequences.
    pub errors: Vec<Malformed>,
}

/// A borrowed [`Decoding`].
#[derive(Clone, Copy, Debug)]
pub struct DecodingRef<'a> {
    /// The text in UTF-8.
    pub utf8: &'a [u8],
    /// The text in UTF-16.
    pub utf16: &'a [u16],
    /// The malformed sequences.
    pub errors: &'a [Malformed],
}

impl Decoding {
    /// Returns the oracle's result.
    pub fn of(subject: Subject, bytes: &[u8]) -> Self {
        let mut decoding = Decoding::default();
        for item in decode_fragments(subject.spec, bytes) {
            decoding.push(item, 0);
        }
        decoding
    }

    /// Returns the oracle's result for the bytes from `start` on, with a decoder that has read all bytes before.
    pub fn behind(subject: Subject, bytes: &[u8], start: usize) -> Self {
        let mut decoding = Decoding::default();
        for item in decode_fragments(subject.spec, bytes) {
            let (DecodeItem::Scalar { end, .. } | DecodeItem::Error { end, .. }) = item;
            if end > start {
                decoding.push(item, start);
            }
        }
        decoding
    }

    /// Returns the oracle's result with this handling of byte order marks, the encoding of the text, and the mark's length.
    pub fn marked(subject: Subject, bom: BomHandling, bytes: &[u8]) -> (Self, Encoding, usize) {
        let (encoding, length) = mark(subject, bom, bytes);
        let mut decoding = Decoding::default();
        for item in decode_fragments(encoding, &bytes[length..]) {
            decoding.push(item, 0);
        }
        for error in &mut decoding.errors {
            error.offset += length;
        }
        (decoding, encoding, length)
    }

    fn push(&mut self, item: DecodeItem, start: usize) {
        match item {
            DecodeItem::Scalar { value, .. } => {
                self.utf8
                    .extend_from_slice(value.encode_utf8(&mut [0; 4]).as_bytes());
                self.utf16
                    .extend_from_slice(value.encode_utf16(&mut [0; 2]));
            }
            DecodeItem::Error { offset, len, .. } => self.errors.push(Malformed {
                offset: offset - start,
                len,
                utf8: self.utf8.len(),
                utf16: self.utf16.len(),
            }),
        }
    }

    /// Appends the result for input that starts at `at`, where the decoder is in the neutral state.
    pub fn append(&mut self, piece: &Decoding, at: usize) {
        let (utf8, utf16) = (self.utf8.len(), self.utf16.len());
        self.errors
            .extend(piece.errors.iter().map(|error| Malformed {
                offset: at + error.offset,
                len: error.len,
                utf8: utf8 + error.utf8,
                utf16: utf16 + error.utf16,
            }));
        self.utf8.extend_from_slice(&piece.utf8);
        self.utf16.extend_from_slice(&piece.utf16);
    }

    /// Returns a borrowed view.
    pub fn as_ref(&self) -> DecodingRef<'_> {
        DecodingRef {
            utf8: &self.utf8,
            utf16: &self.utf16,
            errors: &self.errors,
        }
    }
}

/// Returns the encoding of `bytes` and the length of the mark to remove, by "BOM sniff" or, for UTF-32, by its own rule.
fn mark(subject: Subject, bom: BomHandling, bytes: &[u8]) -> (Encoding, usize) {
    if let Some(extended) = subject.utf_32() {
        let (marked, length) = match bom {
            BomHandling::Keep => (extended, 0),
            _ => extended.after_bom(bytes),
        };
        return (Encoding::Extended(marked), length);
    }
    // Four bytes suffice for any mark, and take less time than all bytes.
    let front = &bytes[..bytes.len().min(4)];
    match hooks::bom_sniff(&IoQueue::immediate(front)) {
        Some(found)
            if bom == BomHandling::Sniff || bom == BomHandling::Remove && found == subject.spec =>
        {
            (found, if found == Encoding::Utf8 { 3 } else { 2 })
        }
        _ => (subject.spec, 0),
    }
}

/// Text to be encoded, in both source forms.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// UTF-8; `None` if there are lone surrogates.
    pub utf8: Option<String>,
    /// UTF-16.
    pub utf16: Vec<u16>,
    /// The scalar values, with U+FFFD for lone surrogates.
    scalars: Vec<char>,
}

impl Text {
    /// Creates a text of scalar values.
    pub fn of(scalars: &[char]) -> Self {
        let utf8: String = scalars.iter().collect();
        Text {
            utf16: utf8.encode_utf16().collect(),
            utf8: Some(utf8),
            scalars: scalars.to_vec(),
        }
    }

    /// Creates a text from UTF-16 that may have lone surrogates.
    pub fn of_units(units: &[u16]) -> Self {
        let decoded = || char::decode_utf16(units.iter().copied());
        Text {
            utf8: decoded().collect::<Result<String, _>>().ok(),
            utf16: units.to_vec(),
            scalars: decoded().map(|c| c.unwrap_or('\u{FFFD}')).collect(),
        }
    }
}

/// An unmappable scalar value, and the length of the output before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmappable {
    /// The scalar value that the encoder reports.
    pub scalar: char,
    /// The offset in bytes of UTF-8 (meaningless if there are lone surrogates).
    pub utf8: usize,
    /// Offset in UTF-16 code units.
    pub utf16: usize,
    /// The number of bytes written before the scalar value in error mode "fatal".
    pub written: usize,
}

/// The result of encoding a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// The output in error mode "fatal", continuing after each error.
    pub bytes: Vec<u8>,
    /// The output in error mode "html".
    pub html: Vec<u8>,
    /// The unmappable scalar values.
    pub unmappables: Vec<Unmappable>,
}

impl Encoded {
    /// Returns the oracle's result.
    pub fn of(subject: Subject, text: &Text) -> Self {
        if subject.is_utf_16() {
            let be = subject.spec == Encoding::Utf16Be;
            let bytes = mojika_spec::utf_16::encode_utf_16(be, &text.scalars);
            return Encoded {
                html: bytes.clone(),
                bytes,
                unmappables: Vec::new(),
            };
        }
        let mut encoded = Encoded::default();
        let (mut at, mut utf8, mut utf16) = (0, 0, 0);
        for item in encode_fragments(subject.spec, &text.scalars) {
            match item {
                EncodeItem::Bytes { bytes, .. } => {
                    encoded.bytes.extend_from_slice(&bytes);
                    encoded.html.extend_from_slice(&bytes);
                }
                EncodeItem::Unmappable { code_point, index } => {
                    for c in &text.scalars[at..index] {
                        utf8 += c.len_utf8();
                        utf16 += c.len_utf16();
                    }
                    at = index;
                    encoded.unmappables.push(Unmappable {
                        scalar: code_point,
                        utf8,
                        utf16,
                        written: encoded.bytes.len(),
                    });
                    encoded.html.extend(reference(subject.spec, code_point));
                }
            }
        }
        encoded
    }
}
