//! Counts the UTF-8 sequences in a stream, independent of chunks.

use mojika::mem;

/// The number of characters below which UTF-8 is compared with other encodings, and its minimum probability there.
const SHORT: u32 = 8;
pub(super) const LEAST: f32 = 0.1;

/// With more malformed sequences than this, and than characters, a text is not damaged UTF-8.
const FEW: u32 = 64;

/// The maximum number of bytes that count as one malformed sequence: a pair of encoded surrogates has six bytes.
const RUN: usize = 6;

/// Validates UTF-8 up to the first malformed sequence.
#[derive(Clone, Default)]
pub(super) struct Utf8 {
    /// The number of non-ASCII characters.
    characters: u32,
    has_failed: bool,
    /// The bytes of a character that a chunk ended within.
    open: [u8; 4],
    open_len: usize,
    /// True if a byte that can begin a character has been read.
    is_begun: bool,
    /// The number of bytes at the start of the stream that are the end of a character.
    skipped: u8,
}

impl Utf8 {
    /// True if the stream starts with the end of a character.
    pub fn is_cut(&self) -> bool {
        self.skipped > 0
    }

    /// True if a malformed sequence was read.
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// True if there are so few characters that they may be text in another encoding by chance.
    pub fn is_short(&self) -> bool {
        self.characters < SHORT
    }

    /// Returns the probability of UTF-8, if there are non-ASCII characters and no malformed sequences.
    pub fn probability(&self) -> Option<f32> {
        // A stream that starts with the end of a character may be a part of a document, and needs more evidence.
        let (needed, probability) = match self.is_cut() {
            true => (6, 0.97),
            false => (1, 0.99),
        };
        (!self.has_failed && self.characters >= needed).then_some(probability)
    }

    /// Reads one more chunk up to the first malformed sequence, and returns the number of bytes read.
    pub fn feed(&mut self, chunk: &[u8]) -> usize {
        let mut at = 0;
        while !self.is_begun
            && let Some(byte) = chunk.get(at)
        {
            self.is_begun = !matches!(byte, 0x80..=0xBF) || self.skipped == 3;
            if !self.is_begun {
                self.skipped += 1;
                at += 1;
            }
        }
        while !self.has_failed && at < chunk.len() {
            if self.open_len == 0 {
                let len = mem::utf8_prefix_len(&chunk[at..]);
                self.count(&chunk[at..at + len]);
                at += len;
            }
            let Some(&byte) = chunk.get(at) else {
                break;
            };
            self.open[self.open_len] = byte;
            self.open_len += 1;
            match core::str::from_utf8(&self.open[..self.open_len]) {
                Ok(_) => {
                    self.characters += 1;
                    self.open_len = 0;
                }
                Err(error) => self.has_failed = error.error_len().is_some(),
            }
            at += 1;
        }
        at
    }

    fn count(&mut self, valid: &[u8]) {
        // More characters make no difference.
        if self.characters < 1 << 16 {
            self.characters += valid.iter().filter(|&&byte| byte >= 0xC0).count() as u32;
        }
    }
}

/// The malformed sequences of UTF-8.
#[derive(Clone, Copy, Default)]
pub(super) struct Damage {
    /// The number of non-ASCII characters.
    pub characters: u32,
    /// The number of malformed sequences of up to [`RUN`] bytes.
    pub malformed: u32,
}

impl Damage {
    /// Returns the damage of a document that begins with this text: at most one in five non-ASCII sequences is malformed.
    ///
    /// In other encodings, about one in ten pairs of bytes looks like a UTF-8 character. Parts of characters at both ends
    /// are no damage.
    pub fn of(text: &[u8]) -> Option<Self> {
        let is_tail = |byte: &&u8| matches!(byte, 0x80..=0xBF);
        let text = &text[text.iter().take(3).take_while(is_tail).count()..];
        let mut found = Self::default();
        let (mut run, mut left) = (0, text.len());
        for chunk in text.utf8_chunks() {
            let (valid, invalid) = (chunk.valid(), chunk.invalid());
            left -= valid.len() + invalid.len();
            if !valid.is_empty() {
                found.characters += valid.chars().filter(|one| !one.is_ascii()).count() as u32;
                run = 0;
            }
            let is_open = |error: core::str::Utf8Error| error.error_len().is_none();
            if invalid.is_empty() || left == 0 && core::str::from_utf8(invalid).is_err_and(is_open)
            {
                break;
            }
            found.malformed += u32::from(run == 0);
            run = (run + invalid.len()) % RUN;
            if found.malformed > FEW.max(found.characters) {
                return None;
            }
        }
        // If this text has no malformed sequence, the document has one after it.
        found.malformed = found.malformed.max(1);
        (found.characters >= 6.max(4 * found.malformed)).then_some(found)
    }
}

/// True for UTF-8 with several non-ASCII characters, all of two bytes. Characters of a double-byte encoding may look
/// like that by chance. A single character is little evidence.
pub(super) fn may_be_pairs(text: &[u8]) -> bool {
    let mut characters = core::str::from_utf8(text)
        .unwrap_or_default()
        .chars()
        .filter(|one| !one.is_ascii());
    let first = characters.next();
    let mut is_several = false;
    first.is_some_and(|one| one.len_utf8() == 2)
        && characters.all(|one| {
            is_several |= Some(one) != first;
            one.len_utf8() == 2
        })
        && is_several
}

/// True if the characters of damaged UTF-8 belong to several scripts. That is so in text of another encoding in which
/// some characters are valid UTF-8 by chance.
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
