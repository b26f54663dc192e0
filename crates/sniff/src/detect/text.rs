//! The input of statistics: up to 64 KB from the first non-ASCII byte on, and some ASCII before it.

use alloc::vec::Vec;
use core::mem::MaybeUninit;
use mojika::{BomHandling, Decoder, Encoding, Status};

/// The number of bytes that are read from the first non-ASCII byte on.
pub(super) const LIMIT: usize = 64 * 1024;

/// The number of ASCII bytes kept before the first non-ASCII byte. No part of the sample begins with more ASCII.
const BEFORE: usize = 72;

/// The number of malformed sequences at which counting stops.
const MOST: u32 = 1000;

/// Collects the bytes of a stream.
#[derive(Clone, Default)]
pub(super) struct Text {
    bytes: Vec<u8>,
    /// The number of kept bytes before the first non-ASCII byte, if there is one.
    before: Option<usize>,
    /// True if the input starts with a non-ASCII byte. It may be a part of a document, and start within a character.
    is_cut: bool,
}

impl Text {
    /// True if all bytes were ASCII.
    pub fn is_ascii(&self) -> bool {
        self.before.is_none()
    }

    /// True if no more bytes are read.
    pub fn is_full(&self) -> bool {
        self.left() == 0
    }

    /// Returns the number of bytes that may still be read.
    pub fn left(&self) -> usize {
        let read = |before: usize| self.bytes.len() - before;
        LIMIT - self.before.map_or(0, read)
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes from the first non-ASCII byte on.
    pub fn beyond_ascii(&self) -> &[u8] {
        &self.bytes[self.before.unwrap_or(self.bytes.len())..]
    }

    /// Returns the first bytes that statistics use.
    pub fn beginning(&self) -> &[u8] {
        &self.bytes[..self.bytes.len().min(1024)]
    }

    /// Keeps the last bytes of ASCII before the first non-ASCII byte.
    pub fn skip(&mut self, ascii: &[u8]) {
        let kept = &ascii[ascii.len().saturating_sub(BEFORE)..];
        let excess = (self.bytes.len() + kept.len()).saturating_sub(BEFORE);
        self.bytes.drain(..excess);
        self.bytes.extend_from_slice(kept);
    }

    /// Reads one more chunk. `is_first` is true at the start of the document.
    pub fn feed(&mut self, chunk: &[u8], is_first: bool) {
        let mut rest = chunk;
        if self.is_ascii() {
            let ascii = mojika::mem::ascii_prefix_len(chunk);
            self.skip(&chunk[..ascii]);
            rest = &chunk[ascii..];
            if rest.is_empty() {
                return;
            }
            self.before = Some(self.bytes.len());
            self.is_cut = is_first && ascii == 0;
        }
        let len = rest.len().min(self.left());
        self.bytes.extend_from_slice(&rest[..len]);
    }

    /// Returns the bytes with each tag replaced by a space; `None` if the remaining text is ASCII.
    ///
    /// A tag begins as in HTML (section 13.2.5.6, "Tag open state"), and ends with `>`.
    pub fn without_markup(&self) -> Option<Vec<u8>> {
        let mut stripped = Vec::with_capacity(self.bytes.len());
        let mut rest = self.bytes.as_slice();
        while let Some(at) = memchr::memchr(b'<', rest) {
            let (text, tag) = rest.split_at(at);
            stripped.extend_from_slice(text);
            let is_tag = matches!(
                tag.get(1),
                Some(b'!' | b'/' | b'?' | b'A'..=b'Z' | b'a'..=b'z')
            );
            let end = match is_tag {
                true => memchr::memchr2(b'>', b'<', &tag[1..]).map_or(tag.len(), |at| at + 1),
                false => 1,
            };
            stripped.push(if is_tag { b' ' } else { b'<' });
            rest = &tag[end..];
            rest = rest.strip_prefix(b">").filter(|_| is_tag).unwrap_or(rest);
        }
        stripped.extend_from_slice(rest);
        (!stripped.is_ascii()).then_some(stripped)
    }

    /// Returns the number of malformed sequences in an encoding.
    ///
    /// An incomplete sequence at the end is not counted, because the text continues. A truncated character at the start
    /// is not counted either.
    pub fn malformed(&self, encoding: &'static Encoding) -> u32 {
        let bytes = self.beyond_ascii();
        let count = count_malformed(encoding, bytes);
        if self.is_cut && count > 0 {
            return count.min(count_malformed(encoding, &bytes[1..]));
        }
        count
    }
}

fn count_malformed(encoding: &'static Encoding, mut src: &[u8]) -> u32 {
    let mut decoder = Decoder::new(encoding, BomHandling::Keep);
    let mut count = 0;
    let mut units = [const { MaybeUninit::<u16>::uninit() }; 4096];
    while count < MOST {
        let progress = decoder.decode_fatal(src, &mut units[..], false);
        src = &src[progress.read..];
        match progress.status {
            Status::Malformed(_) => count += 1,
            Status::OutputFull => {}
            Status::InputEmpty | Status::Unmappable(_) => break,
        }
    }
    count
}
