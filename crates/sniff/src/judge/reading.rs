//! The text of a document in one encoding.

use alloc::string::String;
use mojika::{BomHandling, Decoder, Encoding, Status};

/// The decoded bytes.
pub(super) struct Reading {
    pub encoding: &'static Encoding,
    text: String,
    pub malformed: u64,
    /// The offset of the first malformed sequence.
    pub first: Option<u64>,
}

impl Reading {
    /// Decodes bytes; `is_whole` is true if the document ends with them.
    pub fn of(encoding: &'static Encoding, mut bytes: &[u8], is_whole: bool) -> Self {
        let mut decoder = Decoder::new(encoding, BomHandling::Keep);
        let mut reading = Self {
            encoding,
            text: String::new(),
            malformed: 0,
            first: None,
        };
        loop {
            let progress = decoder.decode_append_fatal(bytes, &mut reading.text, is_whole);
            bytes = &bytes[progress.read..];
            let Status::Malformed(sequence) = progress.status else {
                return reading;
            };
            reading.malformed += 1;
            reading.first.get_or_insert(sequence.offset);
            reading.text.push('\u{FFFD}');
        }
    }

    /// True if both texts are the same. If the window is truncated, it may end within a character of either encoding.
    pub fn is_same(&self, other: &Self, is_whole: bool) -> bool {
        if is_whole {
            return self.text == other.text;
        }
        self.text.starts_with(&other.text) || other.text.starts_with(&self.text)
    }
}
