//! Locates characters of decoded text in the source bytes.

use super::{Call, Converted, Located, SHOWN};
use crate::engine::TroubleKind;
use mojika::{Decoder, Encoding, Status, UTF_8};

/// A text and its well-formed source bytes, to find the bytes of a character.
pub struct Origins<'a> {
    pub run: &'a Call<'a>,
    pub base: u64,
    pub step: &'a [u8],
    pub text: &'a str,
    /// The number of bytes of `text` that the block's position already includes.
    pub counted: usize,
    /// The input offset of the end of the last malformed sequence.
    pub restored: u64,
    /// A decoder that has read `stepped` bytes of `step` and written `written` bytes of `text`.
    pub decoder: Decoder,
    pub stepped: usize,
    pub written: usize,
    /// The last located character: its offset in the text, and its offset in the input.
    pub located: Option<(usize, u64)>,
}

/// Returns the length of `text` in the encoding, in bytes; `None` if the length depends on the source bytes.
fn length(encoding: &Encoding, text: &str) -> Option<u64> {
    let length = match encoding.code_unit_len() {
        2 => 2 * text.chars().map(char::len_utf16).sum::<usize>(),
        4 => 4 * text.chars().count(),
        _ if encoding.is_single_byte() => text.chars().count(),
        _ if encoding == UTF_8 => text.len(),
        _ => return None,
    };
    Some(length as u64)
}

impl Origins<'_> {
    pub fn count_to(&mut self, at: usize, converted: &mut Converted) {
        converted
            .end
            .advance(&self.text.as_bytes()[self.counted..at]);
        self.counted = at;
    }

    /// Returns the position of the character at byte `at` of the text. That character or its shaped form is unmappable.
    pub fn place(&mut self, at: usize, unmappable: char, converted: &mut Converted) -> Located {
        self.count_to(at, converted);
        let (start, end) = match self.after_located(at) {
            // The end is not used.
            Some(start) => (start, start),
            None => self.locate(at),
        };
        self.located = Some((at, start));
        let mut bytes = [0; SHOWN];
        let character = self.text[at..].chars().next().unwrap_or(unmappable);
        // The decoder's position also includes bytes that it restored after a malformed sequence. `end` is therefore
        // used only if the encoding does not determine the length.
        let len = length(self.decoder.encoding(), character.encode_utf8(&mut [0; 4]));
        let len = len.unwrap_or(end - start).min(SHOWN as u64) as usize;
        self.run.read(start, &mut bytes[..len]);
        Located {
            kind: TroubleKind::Unmappable(unmappable),
            encoding: self.decoder.encoding(),
            offset: start,
            lines: converted.end.lines as u32,
            column: converted.end.column as i64,
            len: len as u8,
            bytes,
        }
    }

    /// Returns the input offset of the character at byte `at` of the text, counted from the last located character.
    /// `None` unless the encoding determines the length of the characters in between.
    fn after_located(&self, at: usize) -> Option<u64> {
        let (before, offset) = self.located?;
        let between = self.text.get(before..at)?;
        Some(offset + length(self.decoder.encoding(), between)?)
    }

    /// Returns the input range of the character at byte `at` of the text; `at` must not decrease from call to call.
    ///
    /// Decodes the source bytes again, first in strides and then, near the character, byte by byte. It starts at a
    /// position at which the decoder had no pending bytes.
    fn locate(&mut self, at: usize) -> (u64, u64) {
        const STRIDE: usize = 64;
        // A stride never writes more bytes than this.
        let mut scratch = [0_u8; 6 * STRIDE];
        if self.stepped == 0 {
            // The decoder outputs restored bytes without further input: ASCII, or one code unit of UTF-16.
            let mut ahead = self.decoder.clone();
            let written = ahead.decode_fatal(b"", &mut scratch, false).written;
            if at < written {
                let start = self.restored + at as u64;
                return (start, start + 1);
            }
        }
        while self.stepped < self.step.len() {
            let mut ahead = self.decoder.clone();
            let stride = &self.step[self.stepped..][..STRIDE.min(self.step.len() - self.stepped)];
            let progress = ahead.decode_fatal(stride, &mut scratch, false);
            let read_all = progress.status == Status::InputEmpty;
            if !read_all || self.written + progress.written > at {
                break;
            }
            self.decoder = ahead;
            self.stepped += stride.len();
            self.written += progress.written;
        }
        while self.stepped < self.step.len() {
            let start = self.base + self.neutral_position();
            let byte = &self.step[self.stepped..=self.stepped];
            let mut ahead = self.decoder.clone();
            let progress = ahead.decode_fatal(byte, &mut scratch, false);
            if self.written + progress.written > at {
                // This byte is not consumed, because it may decode to further characters.
                return (start, self.base + ahead.position());
            }
            self.decoder = ahead;
            self.stepped += 1;
            self.written += progress.written;
        }
        let end = self.base + self.decoder.position();
        (end, end)
    }

    /// Returns the last position at which the decoder had no pending bytes. If the input ended here, pending bytes
    /// would be a malformed sequence.
    fn neutral_position(&self) -> u64 {
        let mut scratch = [0_u8; 16];
        let ended = self.decoder.clone().decode_fatal(b"", &mut scratch, true);
        match ended.status {
            Status::Malformed(sequence) => sequence.offset,
            _ => self.decoder.position(),
        }
    }
}
