//! Decoded text in UTF-8 or UTF-16, as the offset maps read it.

use crate::{AppendTarget, Decoder, simd};
use alloc::string::String;
use alloc::vec::Vec;

/// Text as UTF-8 bytes or UTF-16 code units, well-formed.
pub(super) trait Text {
    fn len(&self) -> usize;

    /// Returns the number of ASCII characters from `at` on.
    fn ascii_run(&self, at: usize) -> usize;

    /// Returns the lengths of the character at `at`: in UTF-8, and in units of this form.
    fn character(&self, at: usize) -> (u8, usize);
}

impl Text for [u8] {
    fn len(&self) -> usize {
        self.len()
    }

    #[inline]
    fn ascii_run(&self, at: usize) -> usize {
        match self[at..] {
            [] => 0,
            [first, ..] if first >= 0x80 => 0,
            [_, second, ..] if second >= 0x80 => 1,
            _ => simd::ascii_prefix_len(&self[at..]),
        }
    }

    #[inline]
    fn character(&self, at: usize) -> (u8, usize) {
        match self[at] {
            0..0x80 => (1, 1),
            0x80..0xE0 => (2, 2),
            0xE0..0xF0 => (3, 3),
            0xF0.. => (4, 4),
        }
    }
}

impl Text for [u16] {
    fn len(&self) -> usize {
        self.len()
    }

    #[inline]
    fn ascii_run(&self, at: usize) -> usize {
        let rest = &self[at..];
        rest.iter()
            .position(|&unit| unit >= 0x80)
            .unwrap_or(rest.len())
    }

    #[inline]
    fn character(&self, at: usize) -> (u8, usize) {
        match self[at] {
            0..0x80 => (1, 1),
            0x80..0x800 => (2, 1),
            0xD800..0xDC00 => (4, 2),
            _ => (3, 1),
        }
    }
}

/// A growing text that builders append to.
pub(super) trait TextBuffer: AppendTarget {
    type Text: Text + ?Sized;

    fn len(&self) -> usize;

    /// Returns the text appended after `from`.
    fn since(&self, from: usize) -> &Self::Text;

    /// Reserves capacity for the usual text of `src_len` bytes, plus `more`, so that later pieces rarely grow the
    /// buffer.
    fn reserve_for(&mut self, decoder: &Decoder, src_len: usize, more: usize);

    fn push_replacement(&mut self);

    /// Returns the UTF-8 length in bytes of the text appended after `from`.
    fn utf8_len_since(&self, from: usize) -> u64;

    /// Returns the UTF-16 length in code units of the text appended after `from`.
    fn utf16_len_since(&self, from: usize) -> u64;
}

impl TextBuffer for String {
    type Text = [u8];

    fn len(&self) -> usize {
        self.len()
    }

    fn since(&self, from: usize) -> &[u8] {
        &self.as_bytes()[from..]
    }

    fn reserve_for(&mut self, decoder: &Decoder, src_len: usize, more: usize) {
        self.reserve(decoder.usual_room(src_len).saturating_add(3 * more));
    }

    fn push_replacement(&mut self) {
        self.push(char::REPLACEMENT_CHARACTER);
    }

    fn utf8_len_since(&self, from: usize) -> u64 {
        (self.len() - from) as u64
    }

    fn utf16_len_since(&self, from: usize) -> u64 {
        // Count a unit for each byte that starts a character, and another one if the character has four bytes. Block
        // counts fit into a byte, so compilers vectorise this.
        let units = |&byte: &u8| u8::from(byte & 0xC0 != 0x80) + u8::from(byte >= 0xF0);
        let (blocks, rest) = self.as_bytes()[from..].as_chunks::<64>();
        let block = |bytes: &[u8; 64]| u64::from(bytes.iter().map(units).sum::<u8>());
        let rest: u8 = rest.iter().map(units).sum();
        blocks.iter().map(block).sum::<u64>() + u64::from(rest)
    }
}

impl TextBuffer for Vec<u16> {
    type Text = [u16];

    fn len(&self) -> usize {
        self.len()
    }

    fn since(&self, from: usize) -> &[u16] {
        &self[from..]
    }

    fn reserve_for(&mut self, decoder: &Decoder, src_len: usize, more: usize) {
        let most = decoder.max_utf16_length_fatal(src_len).unwrap_or(src_len);
        self.reserve(most.saturating_add(more));
    }

    fn push_replacement(&mut self) {
        self.push(0xFFFD);
    }

    fn utf8_len_since(&self, from: usize) -> u64 {
        // A unit becomes at most three bytes; half of a surrogate pair counts as two of the pair's four bytes.
        let block = |units: &[u16]| -> u16 {
            let bytes = |&unit: &u16| {
                1 + u16::from(unit >= 0x80) + u16::from(unit >= 0x800)
                    - u16::from(simd::is_surrogate(unit))
            };
            units.iter().map(bytes).sum()
        };
        let blocks = self[from..].chunks(4096);
        blocks.map(|units| u64::from(block(units))).sum()
    }

    fn utf16_len_since(&self, from: usize) -> u64 {
        (self.len() - from) as u64
    }
}
