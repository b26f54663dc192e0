//! How much of a stream is UTF-8, however it is split.

use crate::mem;

/// Up to how many characters and malformed sequences are counted.
const COUNTED: u32 = 1 << 16;

/// Up to how many bytes in a row that belong to no character are one malformed sequence: a pair of surrogates has six.
const RUN: u8 = 6;

/// Well-formedness of UTF-8: table 3-7 of the Unicode Standard.
#[derive(Clone, Default)]
pub(super) struct Utf8 {
    /// Characters beyond ASCII.
    characters: u32,
    /// Runs of up to [`RUN`] bytes that belong to no character.
    malformed: u32,
    /// How many bytes in a row belonged to no character last, up to [`RUN`].
    run: u8,
    needed: u8,
    /// Whether a byte was read that can begin a character.
    is_begun: bool,
    /// How many bytes of a character were read before that.
    skipped: u8,
    /// The lowest and highest next byte, where the lead restricts it.
    range: Option<(u8, u8)>,
}

impl Utf8 {
    /// Whether something malformed was read.
    pub fn has_failed(&self) -> bool {
        self.malformed > 0
    }

    /// Whether this is UTF-8 with some of it damaged: at most one in five sequences beyond ASCII is malformed.
    ///
    /// In other encodings, about one in ten pairs of bytes looks like a character of UTF-8.
    pub fn is_damaged(&self) -> bool {
        self.malformed > 0 && self.characters >= 6 && self.characters >= 4 * self.malformed
    }

    /// How many runs of bytes belong to no character.
    pub fn malformed(&self) -> u32 {
        self.malformed
    }

    /// How many characters beyond ASCII were read.
    pub fn characters(&self) -> u32 {
        self.characters
    }

    /// How sure it is that this is UTF-8, if nothing is malformed and something is beyond ASCII.
    pub fn probability(&self) -> Option<f32> {
        // A stream whose start is the end of a character may be a piece of another one, and needs more evidence.
        let (needed, probability) = if self.skipped > 0 {
            (6, 0.97)
        } else {
            (1, 0.99)
        };
        (!self.has_failed() && self.characters >= needed).then_some(probability)
    }

    /// Reads one more chunk.
    pub fn feed(&mut self, chunk: &[u8]) {
        let mut rest = self.feed_valid(chunk);
        while let Some((&byte, after)) = rest.split_first() {
            if self.is_hopeless() {
                return;
            }
            if byte < 0x80 || self.needed > 0 || rest.len() < 4 {
                self.step(byte);
                rest = after;
            }
            if byte < 0x80
                && let Some(eight) = after.first_chunk()
                && u64::from_le_bytes(*eight) & 0x8080_8080_8080_8080 == 0
            {
                // More of it changes nothing.
                rest = &after[mem::ascii_prefix_len(after)..];
            }
            if self.needed == 0 {
                rest = self.feed_beyond_ascii(rest);
            }
        }
    }

    /// Reads what is beyond ASCII and stands as a whole in the chunk, between characters, and returns the rest.
    fn feed_beyond_ascii<'c>(&mut self, mut chunk: &'c [u8]) -> &'c [u8] {
        while let Some(&four) = chunk.first_chunk::<4>()
            && four[0] >= 0x80
            && !self.is_hopeless()
        {
            // In other encodings, most bytes stand before one that ends no character.
            let (len, is_character) = if is_tail(four[1]) {
                sequence(four)
            } else {
                (1, false)
            };
            if is_character {
                self.characters += 1;
                self.run = 0;
            } else {
                self.malformed_byte();
            }
            chunk = &chunk[len..];
        }
        chunk
    }

    /// Reads one more chunk up to the first malformed byte, and returns the rest.
    pub fn feed_valid<'c>(&mut self, mut chunk: &'c [u8]) -> &'c [u8] {
        while !self.is_begun
            && let Some((&byte, rest)) = chunk.split_first()
        {
            self.is_begun = !matches!(byte, 0x80..=0xBF) || self.skipped == 3;
            if !self.is_begun {
                self.skipped += 1;
                chunk = rest;
            }
        }
        while self.malformed == 0 {
            if self.needed == 0 {
                let (valid, rest) = chunk.split_at(mem::utf8_prefix_len(chunk));
                self.count(valid);
                chunk = rest;
            }
            let Some((&byte, rest)) = chunk.split_first() else {
                return chunk;
            };
            self.step(byte);
            chunk = rest;
        }
        chunk
    }

    /// Whether the stream is not UTF-8, and will not be.
    pub fn is_hopeless(&self) -> bool {
        self.malformed > 64 && self.malformed > self.characters
    }

    fn count(&mut self, valid: &[u8]) {
        if self.characters < COUNTED {
            let leads = valid.chunks(128).map(|block| {
                let is_lead = |byte: u8| u8::from(byte >= 0xC0);
                let leads = block.iter().fold(0, |sum, &byte| sum + is_lead(byte));
                u32::from(leads)
            });
            self.characters += leads.sum::<u32>();
        }
    }

    fn malformed_byte(&mut self) {
        if self.run == 0 || self.run == RUN {
            self.malformed += u32::from(self.malformed < COUNTED);
            self.run = 0;
        }
        self.run += 1;
        self.needed = 0;
    }

    #[inline]
    fn step(&mut self, byte: u8) {
        if self.needed > 0 {
            let (low, high) = self.range.take().unwrap_or(TAIL);
            if (low..=high).contains(&byte) {
                self.needed -= 1;
                if self.needed == 0 {
                    self.characters += 1;
                    self.run = 0;
                }
                return;
            }
            // What was begun is malformed, and this byte may begin something else.
            self.malformed_byte();
        }
        if byte < 0x80 {
            self.run = 0;
            return;
        }
        let (needed, range) = after(byte);
        if needed == 0 {
            self.malformed_byte();
        }
        (self.needed, self.range) = (needed, (range != TAIL).then_some(range));
    }
}

/// The bytes that end a character.
const TAIL: (u8, u8) = (0x80, 0xBF);

/// Returns whether the well-formed characters of damaged UTF-8 belong to several scripts. Text in another encoding has such
/// characters by chance.
pub(super) fn has_several_scripts(text: &[u8]) -> bool {
    let characters = text.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
    let scripts = characters.map(|character| match u32::from(character) {
        0xC0..=0x24F | 0x1E00..=0x1EFF => 1,
        0x370..=0x3FF | 0x1F00..=0x1FFF => 2,
        0x400..=0x52F => 4,
        0x530..=0x8FF => 8,
        0x900..=0x1CFF => 16,
        0x3040..=0xD7FF => 32,
        _ => 0,
    });
    let scripts: u32 = scripts.fold(0, |all, script| all | script);
    scripts.count_ones() > 1
}

/// Whether a byte can end a character.
#[inline(always)]
fn is_tail(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// How many bytes a byte beyond ASCII needs after it, none if it begins no character, and the lowest and highest next one.
#[inline(always)]
fn after(lead: u8) -> (u8, (u8, u8)) {
    match lead {
        0xC2..=0xDF => (1, TAIL),
        0xE0 => (2, (0xA0, 0xBF)),
        0xED => (2, (0x80, 0x9F)),
        0xE1..=0xEF => (2, TAIL),
        0xF0 => (3, (0x90, 0xBF)),
        0xF4 => (3, (0x80, 0x8F)),
        0xF1..=0xF3 => (3, TAIL),
        _ => (0, TAIL),
    }
}

/// How many bytes from a byte beyond ASCII on are a character, or the beginning of one that is malformed, and whether they are one.
#[inline(always)]
fn sequence([lead, second, third, fourth]: [u8; 4]) -> (usize, bool) {
    let (needed, (low, high)) = after(lead);
    if needed == 0 || second < low || second > high {
        (1, false)
    } else if needed == 1 {
        (2, true)
    } else if !is_tail(third) {
        (2, false)
    } else if needed == 2 {
        (3, true)
    } else {
        (3 + usize::from(is_tail(fourth)), is_tail(fourth))
    }
}
