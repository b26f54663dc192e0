//! The text of a document in one encoding.

use alloc::string::String;
use mojika::{BomHandling, Decoder, Encoding, Status};

/// The decoded bytes.
pub(super) struct Reading {
    decoder: Decoder,
    pub text: String,
    pub malformed: u64,
    /// The offset of the first malformed sequence.
    pub first: Option<u64>,
}

impl Reading {
    fn new(encoding: &'static Encoding) -> Self {
        Self {
            decoder: Decoder::new(encoding, BomHandling::Keep),
            text: String::new(),
            malformed: 0,
            first: None,
        }
    }

    pub fn of(encoding: &'static Encoding, bytes: &[u8], is_whole: bool) -> Self {
        let mut reading = Self::new(encoding);
        reading.read(bytes, is_whole);
        reading
    }

    /// Reads more bytes; `is_last` is true at the end of the document.
    fn read(&mut self, mut bytes: &[u8], is_last: bool) {
        loop {
            let progress = self
                .decoder
                .decode_append_fatal(bytes, &mut self.text, is_last);
            bytes = &bytes[progress.read..];
            let Status::Malformed(sequence) = progress.status else {
                return;
            };
            self.malformed += 1;
            self.first.get_or_insert(sequence.offset);
            self.text.push('\u{FFFD}');
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

/// True if the bytes are the same text in both encodings, by [`Reading::is_same`]. Most texts differ near the start.
pub(super) fn reads_alike(
    one: &'static Encoding,
    other: &'static Encoding,
    bytes: &[u8],
    is_whole: bool,
) -> bool {
    const PIECE: usize = 1024;
    let mut readings = [one, other].map(Reading::new);
    let mut compared = 0;
    let mut rest = bytes;
    loop {
        let (piece, after) = rest.split_at(rest.len().min(PIECE));
        rest = after;
        for reading in &mut readings {
            reading.read(piece, is_whole && rest.is_empty());
        }
        let [one, other] = readings.each_ref().map(|reading| reading.text.as_bytes());
        let shorter = one.len().min(other.len());
        if one[compared..shorter] != other[compared..shorter] {
            return false;
        }
        compared = shorter;
        if rest.is_empty() {
            return !is_whole || one.len() == other.len();
        }
    }
}
