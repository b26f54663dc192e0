//! Declarations beyond the head of a text: after a long comment or preamble, and in the last lines.

use super::{HEAD_LENGTH, find_in, find_in_end};
use alloc::vec::Vec;
use mojika::Encoding;

/// The number of bytes from the start that are searched.
const START_LENGTH: usize = 16 * HEAD_LENGTH;

/// The number of bytes at the end that are searched, if the text is longer than [`START_LENGTH`].
const END_LENGTH: usize = 2 * HEAD_LENGTH;

/// Searches a text that is fed in chunks of any size.
#[derive(Clone, Debug, Default)]
pub struct LateDeclaration {
    start: Vec<u8>,
    /// The last bytes that were fed, once the text is longer than [`START_LENGTH`].
    end: Vec<u8>,
}

impl LateDeclaration {
    pub fn feed(&mut self, chunk: &[u8]) {
        let missing = START_LENGTH - self.start.len();
        let (start, rest) = chunk.split_at(chunk.len().min(missing));
        self.start.extend_from_slice(start);
        if rest.is_empty() {
            return;
        }
        if self.end.is_empty() {
            // The end may overlap the start.
            let last = &self.start[START_LENGTH - END_LENGTH..];
            self.end.extend_from_slice(last);
        }
        let rest = &rest[rest.len().saturating_sub(END_LENGTH)..];
        // Bytes are moved rarely, even if many chunks are short.
        if self.end.len() + rest.len() > 2 * END_LENGTH {
            let excess = (self.end.len() + rest.len()).saturating_sub(END_LENGTH);
            self.end.drain(..excess.min(self.end.len()));
        }
        self.end.extend_from_slice(rest);
    }

    /// Returns the declared encoding. `is_whole` is true if the text ends here.
    pub fn found(&self, is_whole: bool) -> Option<&'static Encoding> {
        if self.start.len() < HEAD_LENGTH {
            // The head, which is the whole text, has been searched already.
            return None;
        }
        let is_in_end = is_whole && !self.end.is_empty();
        let in_start = find_in(&self.start, is_whole && !is_in_end);
        let end = &self.end[self.end.len().saturating_sub(END_LENGTH)..];
        in_start.or_else(|| find_in_end(end).filter(|_| is_in_end))
    }
}
