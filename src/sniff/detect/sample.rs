//! The bytes that statistics look at: a bounded sample around what is not ASCII, and whether all of it is UTF-8.
//!
//! ASCII far from other bytes tells little about an encoding, and is skipped at the speed of memory. The sample is the
//! same however the input is split.

use crate::mem;

/// How many bytes the sample holds.
pub const CAPACITY: usize = 512;

/// How many ASCII bytes before and after others belong to the sample: a long word.
const CONTEXT: usize = 12;

/// Collects the sample of a stream.
pub struct Sample {
    bytes: [u8; CAPACITY],
    len: usize,
    /// The last ASCII bytes that are not in the sample.
    before: [u8; CONTEXT],
    before_len: usize,
    /// Whether ASCII was left out before those.
    gap: bool,
    /// How many ASCII bytes of the context after other bytes are to come.
    after: usize,
    utf_8: Utf8,
    escapes: Escapes,
    high_bytes: usize,
}

impl Sample {
    /// At the start of a stream.
    pub fn new() -> Self {
        Self {
            bytes: [0; CAPACITY],
            len: 0,
            before: [0; CONTEXT],
            before_len: 0,
            gap: false,
            after: 0,
            utf_8: Utf8::default(),
            escapes: Escapes::default(),
            high_bytes: 0,
        }
    }

    /// The sample.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Whether any byte was beyond ASCII.
    pub fn is_ascii(&self) -> bool {
        self.high_bytes == 0
    }

    /// Whether the stream is UTF-8 as far as it was read; the last character may be cut.
    pub fn is_utf_8(&self) -> bool {
        !self.utf_8.failed
    }

    /// Whether an escape sequence of ISO-2022-JP was seen, and no other.
    pub fn is_iso_2022_jp(&self) -> bool {
        self.escapes.found && !self.escapes.other && self.is_ascii()
    }

    /// Whether more input can change nothing.
    pub fn is_decided(&self) -> bool {
        self.len == CAPACITY && self.utf_8.failed
    }

    /// Reads one more chunk.
    pub fn feed(&mut self, mut chunk: &[u8]) {
        while let Some(&byte) = chunk.first() {
            if self.is_decided() {
                return;
            }
            if byte < 0x80 {
                let (ascii, rest) = chunk.split_at(mem::ascii_prefix_len(chunk));
                self.ascii(ascii);
                chunk = rest;
            } else if self.len == CAPACITY && self.utf_8.is_between_characters() {
                let valid = mem::utf8_prefix_len(chunk);
                chunk = &chunk[valid..];
                if let Some((&byte, rest)) = chunk.split_first() {
                    self.utf_8.step(byte);
                    chunk = rest;
                }
            } else {
                self.high(byte);
                chunk = &chunk[1..];
            }
        }
    }

    fn ascii(&mut self, ascii: &[u8]) {
        self.utf_8.ascii();
        if self.high_bytes == 0 {
            self.escapes.feed(ascii);
        }
        let (context, rest) = ascii.split_at(self.after.min(ascii.len()));
        self.after -= context.len();
        for &byte in context {
            self.push(byte);
        }
        let kept = rest.len().min(CONTEXT);
        let dropped = (self.before_len + kept).saturating_sub(CONTEXT);
        self.gap |= dropped > 0 || kept < rest.len();
        self.before.copy_within(dropped..self.before_len, 0);
        self.before_len -= dropped;
        self.before[self.before_len..self.before_len + kept]
            .copy_from_slice(&rest[rest.len() - kept..]);
        self.before_len += kept;
    }

    fn high(&mut self, byte: u8) {
        self.utf_8.step(byte);
        self.high_bytes += 1;
        if self.before_len > 0 {
            if core::mem::take(&mut self.gap) {
                self.push(b' ');
            }
            for at in 0..core::mem::take(&mut self.before_len) {
                self.push(self.before[at]);
            }
        }
        self.push(byte);
        self.after = CONTEXT;
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        }
    }
}

/// Well-formedness of UTF-8, byte by byte: table 3-7 of the Unicode Standard.
#[derive(Default)]
struct Utf8 {
    failed: bool,
    needed: u8,
    /// The lowest and highest next byte, where the lead restricts it.
    range: Option<(u8, u8)>,
}

impl Utf8 {
    fn is_between_characters(&self) -> bool {
        self.needed == 0 && !self.failed
    }

    fn ascii(&mut self) {
        self.failed |= self.needed > 0;
    }

    fn step(&mut self, byte: u8) {
        if self.needed > 0 {
            let (low, high) = self.range.take().unwrap_or((0x80, 0xBF));
            self.failed |= !(low..=high).contains(&byte);
            self.needed -= 1;
            return;
        }
        (self.needed, self.range) = match byte {
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
    }
}

/// Escape sequences of ISO-2022-JP in a stream.
#[derive(Default)]
struct Escapes {
    found: bool,
    other: bool,
    /// 0: none; 1: behind ESC; 2: behind ESC $; 3: behind ESC (.
    state: u8,
}

impl Escapes {
    fn feed(&mut self, mut ascii: &[u8]) {
        while !ascii.is_empty() {
            if self.state == 0 {
                let plain = mem::iso_2022_jp_ascii_prefix_len(ascii);
                ascii = &ascii[plain..];
            }
            let Some((&byte, rest)) = ascii.split_first() else {
                return;
            };
            ascii = rest;
            self.state = match (self.state, byte) {
                (0, 0x1B) => 1,
                (0, _) => 0,
                (1, b'$') => 2,
                (1, b'(') => 3,
                (2, b'@' | b'B') | (3, b'I') => {
                    self.found = true;
                    0
                }
                (3, b'B' | b'J') => 0,
                _ => {
                    self.other = true;
                    0
                }
            };
        }
    }
}
