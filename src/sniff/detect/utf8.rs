//! Whether a stream is UTF-8 so far, however it is split.

use crate::mem;

/// Well-formedness of UTF-8: table 3-7 of the Unicode Standard.
#[derive(Clone, Default)]
pub(super) struct Utf8 {
    failed: bool,
    needed: u8,
    /// Whether a byte was read that can begin a character.
    is_begun: bool,
    /// How many bytes of a character were read before that.
    skipped: u8,
    /// How many bytes of a character that is not complete were read.
    pending: u8,
    /// The lowest and highest next byte, where the lead restricts it.
    range: Option<(u8, u8)>,
}

impl Utf8 {
    /// Whether something malformed was read.
    pub fn has_failed(&self) -> bool {
        self.failed
    }

    /// How many bytes of a character that is not complete were read last.
    pub fn pending(&self) -> usize {
        usize::from(self.pending)
    }

    /// How many bytes at the start are the end of a character: the stream may be a piece of another one.
    pub fn skipped(&self) -> usize {
        usize::from(self.skipped)
    }

    /// Reads one more chunk.
    pub fn feed(&mut self, mut chunk: &[u8]) {
        while !self.is_begun
            && let Some((&byte, rest)) = chunk.split_first()
        {
            self.is_begun = !matches!(byte, 0x80..=0xBF) || self.skipped == 3;
            if !self.is_begun {
                self.skipped += 1;
                chunk = rest;
            }
        }
        while !self.failed {
            if self.needed == 0 {
                chunk = &chunk[mem::utf8_prefix_len(chunk)..];
            }
            let Some((&byte, rest)) = chunk.split_first() else {
                return;
            };
            self.step(byte);
            chunk = rest;
        }
    }

    fn step(&mut self, byte: u8) {
        if self.needed > 0 {
            let (low, high) = self.range.take().unwrap_or((0x80, 0xBF));
            self.failed |= !(low..=high).contains(&byte);
            self.needed -= 1;
            self.pending = if self.needed == 0 {
                0
            } else {
                self.pending + 1
            };
            return;
        }
        (self.needed, self.range) = match byte {
            0..0x80 => (0, None),
            0xC2..=0xDF => (1, None),
            0xE0 => (2, Some((0xA0, 0xBF))),
            0xED => (2, Some((0x80, 0x9F))),
            0xE1..=0xEF => (2, None),
            0xF0 => (3, Some((0x90, 0xBF))),
            0xF4 => (3, Some((0x80, 0x8F))),
            0xF1..=0xF3 => (3, None),
            _ => {
                self.failed = true;
                (0, None)
            }
        };
        self.pending = u8::from(self.needed > 0);
    }
}
