//! The share of UTF-8 in a stream, independent of chunks.

use mojika::mem;

/// The maximum count of characters and malformed sequences.
const COUNTED: u32 = 1 << 16;

/// The number of malformed sequences up to which they are no evidence.
const FEW: u32 = 64;

/// The number of characters below which other encodings are compared, and the least probability of UTF-8 then.
const SHORT: u32 = 8;
pub(super) const LEAST: f32 = 0.1;

/// The maximum length of one malformed sequence: two surrogates have six bytes.
const RUN: u8 = 6;

/// Counts well-formed and malformed UTF-8, by table 3-7 of the Unicode Standard.
#[derive(Clone, Default)]
pub(super) struct Utf8 {
    /// The number of non-ASCII characters.
    characters: u32,
    /// The number of malformed sequences of up to [`RUN`] bytes.
    malformed: u32,
    /// True if there were more malformed sequences than characters, and more than [`FEW`]. The rest is then not read.
    is_given_up: bool,
    /// The number of bytes of the current malformed sequence; 0 if the next byte begins one.
    run: u8,
    needed: u8,
    /// True if there was a byte that can begin a character.
    is_begun: bool,
    /// The number of bytes at the start that end a character.
    skipped: u8,
    /// The range of the next byte, if the lead byte restricts it.
    range: Option<(u8, u8)>,
    /// True if the whole stream was read, or enough to decide.
    pub is_whole: bool,
}

impl Utf8 {
    /// Reads a whole document.
    ///
    /// The result equals that of feeding the document in chunks, except that text other than UTF-8 may be counted in part.
    pub fn of_whole(bytes: &[u8]) -> Self {
        let mut utf8 = Self {
            is_whole: true,
            ..Self::default()
        };
        let rest = utf8.feed_valid(bytes);
        if utf8.has_failed() {
            // The first of these bytes may end a character.
            let most = utf8.characters + 1 + possible_characters(rest);
            utf8.feed_rest(rest, |utf8, _| most < least_characters(utf8.malformed));
        }
        utf8
    }

    /// True if the first bytes end a character.
    pub fn is_cut(&self) -> bool {
        self.skipped > 0
    }

    /// True if a malformed sequence was read.
    pub fn has_failed(&self) -> bool {
        self.malformed > 0
    }

    /// True if this is damaged UTF-8: at most one in five non-ASCII sequences is malformed.
    ///
    /// In other encodings, about one in ten pairs of bytes looks like a UTF-8 character.
    pub fn is_damaged(&self) -> bool {
        !self.is_given_up
            && self.malformed > 0
            && self.characters >= least_characters(self.malformed)
    }

    /// Returns the number of malformed sequences.
    pub fn malformed(&self) -> u32 {
        self.malformed
    }

    /// Returns the number of non-ASCII characters.
    pub fn characters(&self) -> u32 {
        self.characters
    }

    /// True if other encodings may have the characters by chance.
    pub fn is_short(&self) -> bool {
        self.characters < SHORT
    }

    /// Returns the probability of UTF-8, if there are non-ASCII characters and no malformed sequences.
    pub fn probability(&self) -> Option<f32> {
        // A stream that starts with the end of a character may be a part of a document, and needs more evidence.
        let (needed, probability) = if self.skipped > 0 {
            (6, 0.97)
        } else {
            (1, 0.99)
        };
        (!self.has_failed() && self.characters >= needed).then_some(probability)
    }

    /// Reads one more chunk. At most `left` bytes follow.
    pub fn feed(&mut self, chunk: &[u8], left: usize) {
        let rest = self.feed_valid(chunk);
        let is_hopeless = |utf8: &Self, len| utf8.is_hopeless(left - (chunk.len() - len));
        self.feed_rest(rest, is_hopeless);
    }

    /// Reads the bytes after a malformed one, until `is_hopeless` returns true for the state and the number of bytes left.
    #[inline(always)]
    fn feed_rest(&mut self, mut rest: &[u8], is_hopeless: impl Fn(&Self, usize) -> bool) {
        while let Some((&byte, after)) = rest.split_first() {
            if is_hopeless(self, rest.len()) {
                return;
            }
            if self.needed == 0
                && let Some(block) = rest.first_chunk()
            {
                rest = &rest[self.block(block)..];
            } else {
                self.step(byte);
                rest = after;
            }
            if self.needed == 0
                && let Some(eight) = rest.first_chunk()
                && u64::from_le_bytes(*eight) & 0x8080_8080_8080_8080 == 0
            {
                // Further bytes change nothing.
                self.run = 0;
                rest = &rest[mem::ascii_prefix_len(rest)..];
            }
        }
    }

    /// Reads the sequence that begins in the first [`BLOCK`] bytes, between characters, and returns its length.
    fn block(&mut self, bytes: &[u8; BLOCK + 3]) -> usize {
        // The start of a sequence depends on all sequences before it. The sequence that each byte
        // would begin is computed first, so that this loop has no unpredictable branch.
        let steps = steps(bytes);
        let (mut at, mut run) = (0, self.run);
        while let Some(&step) = steps.get(at) {
            at += usize::from(step & LENGTH);
            self.characters += u32::from(step & CHARACTER != 0);
            let is_malformed = step & MALFORMED != 0;
            let is_new = is_malformed & (run == 0);
            self.malformed += u32::from(is_new & (self.malformed < COUNTED));
            // Tested after each sequence, as in `step`, so that block boundaries make no difference.
            self.is_given_up |= is_malformed & self.is_mostly_malformed();
            run = if is_malformed {
                after_malformed(run)
            } else {
                0
            };
        }
        self.run = run;
        at
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

    /// True if the stream cannot be damaged UTF-8, whatever the next `left` bytes are.
    fn is_hopeless(&self, left: usize) -> bool {
        // The first of these bytes may end a character.
        let most = u64::from(self.characters) + left.div_ceil(2) as u64;
        self.is_given_up || self.malformed > FEW && most < 4 * u64::from(self.malformed)
    }

    #[inline(always)]
    fn is_mostly_malformed(&self) -> bool {
        (self.malformed > FEW) & (self.malformed > self.characters)
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
        let is_new = self.run == 0;
        self.malformed += u32::from(is_new & (self.malformed < COUNTED));
        self.is_given_up |= self.is_mostly_malformed();
        self.run = after_malformed(self.run);
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
            // The sequence so far is malformed, and this byte may begin another.
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

/// Returns the length of a malformed sequence after one more byte; 0 after its last byte.
#[inline(always)]
fn after_malformed(run: u8) -> u8 {
    if run + 1 < RUN { run + 1 } else { 0 }
}

/// The range of bytes that end a character.
const TAIL: (u8, u8) = (0x80, 0xBF);

/// True for UTF-8 with several characters beyond ASCII, each of two bytes. Characters of a double-byte encoding look like
/// this by chance. One character tells little.
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

/// True if the characters of damaged UTF-8 belong to several scripts. Text in another encoding has such characters by
/// chance.
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

/// Returns the least number of characters that damaged UTF-8 with this many malformed runs contains.
fn least_characters(malformed: u32) -> u32 {
    6.max(4 * malformed)
}

/// Returns the number of offsets at which a non-ASCII character may begin, an upper bound on such characters.
fn possible_characters(text: &[u8]) -> u32 {
    let Some((_, after)) = text.split_first() else {
        return 0;
    };
    // Sums fit in bytes, so that more fit in a vector.
    let blocks = text.chunks(128).zip(after.chunks(128));
    let counts = blocks.map(|(leads, tails)| {
        let begins = |lead: u8, tail: u8| u8::from((0xC2..0xF5).contains(&lead) & is_tail(tail));
        let pairs = leads.iter().zip(tails);
        let count = pairs.fold(0, |sum, (&lead, &tail)| sum + begins(lead, tail));
        u32::from(count)
    });
    counts.sum()
}

/// True if a byte can end a character.
#[inline(always)]
fn is_tail(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Returns the number of trail bytes of a lead byte, 0 if it begins no character, and the range of the first trail byte.
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

/// The size of a block.
const BLOCK: usize = 64;

/// The bits of a step: the length of a sequence, and flags for a non-ASCII character and for a malformed one.
const LENGTH: u8 = 7;
const CHARACTER: u8 = 8;
const MALFORMED: u8 = 16;

/// Returns the sequence that each byte of a block would begin. The three bytes after the block are read, too.
#[inline(always)]
fn steps(bytes: &[u8; BLOCK + 3]) -> [u8; BLOCK] {
    let mut steps = [0; BLOCK];
    // Compiled to vectors of bytes, without branches.
    for (at, step) in steps.iter_mut().enumerate() {
        let [lead, second, third, fourth] =
            [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        let is_two = (0xC2..0xE0).contains(&lead) & is_tail(second);
        let is_long = (0xE0..0xF5).contains(&lead);
        let is_three = lead < 0xF0;
        let low = match lead {
            0xE0 => 0xA0,
            0xF0 => 0x90,
            _ => 0x80,
        };
        let high = match lead {
            0xED => 0x9F,
            0xF4 => 0x8F,
            _ => 0xBF,
        };
        let has_second = is_long & (low <= second) & (second <= high);
        let has_third = has_second & is_tail(third);
        let has_fourth = has_third & !is_three & is_tail(fourth);
        // Up to four bytes of ASCII are skipped at once.
        let is_second_ascii = (lead | second) < 0x80;
        let is_third_ascii = (lead | second | third) < 0x80;
        let is_fourth_ascii = (lead | second | third | fourth) < 0x80;
        let len = 1
            + u8::from(is_two | has_second | is_second_ascii)
            + u8::from(has_third | is_third_ascii)
            + u8::from(has_fourth | is_fourth_ascii);
        let is_character = is_two | (has_third & is_three) | has_fourth;
        let is_malformed = (lead >= 0x80) & !is_character;
        *step = len | (u8::from(is_character) << 3) | (u8::from(is_malformed) << 4);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::Utf8;
    use alloc::vec::Vec;

    /// Pseudo-random numbers.
    struct Numbers(u32);

    impl Numbers {
        fn below(&mut self, end: u32) -> u32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) % end
        }

        /// Returns a mixture of ASCII, characters, parts of characters and other bytes.
        fn stream(&mut self) -> Vec<u8> {
            let mut stream = Vec::new();
            let characters = [
                "é",
                "ߟ",
                "ࠀ",
                "文",
                "\u{D7FF}",
                "\u{FFFF}",
                "\u{10000}",
                "💩",
                "\u{10FFFF}",
                "\u{40000}",
            ];
            for _ in 0..self.below(400) {
                match self.below(6) {
                    0 => stream.extend((0..self.below(30)).map(|_| b'a')),
                    1 => {
                        let pair = [
                            [0xE0, 0x9F],
                            [0xED, 0xA0],
                            [0xF0, 0x8F],
                            [0xF4, 0x90],
                            [0xC1, 0xBF],
                        ];
                        stream.extend(pair[self.below(5) as usize]);
                        stream.extend((0..self.below(4)).map(|_| 0x80));
                    }
                    2 => stream.push(self.below(256) as u8),
                    3 => stream.extend((0..self.below(16)).map(|_| 0xBF)),
                    _ => {
                        let character = characters[self.below(10) as usize].as_bytes();
                        let cut = usize::from(self.below(4) == 0);
                        stream.extend(&character[..character.len() - cut]);
                    }
                }
            }
            stream
        }
    }

    #[test]
    fn blocks_count_what_single_bytes_do() {
        let mut numbers = Numbers(51);
        let (mut compared, mut given_up) = (0, 0);
        for _ in 0..3000 {
            let stream = numbers.stream();
            let (mut whole, mut single) = (Utf8::default(), Utf8::default());
            whole.feed(&stream, usize::MAX);
            for byte in stream.chunks(1) {
                single.feed(byte, usize::MAX);
            }
            assert_eq!(whole.is_given_up, single.is_given_up, "{stream:X?}");
            assert_eq!(whole.is_damaged(), single.is_damaged(), "{stream:X?}");
            if single.is_given_up {
                // The split determines how much of the rest is read.
                given_up += 1;
                continue;
            }
            compared += u32::from(stream.len() > 200);
            let counts = |utf8: &Utf8| {
                (
                    utf8.characters,
                    utf8.malformed,
                    utf8.run,
                    utf8.needed,
                    utf8.range,
                )
            };
            assert_eq!(counts(&whole), counts(&single), "{stream:X?}");
        }
        assert!(compared > 100 && given_up > 100, "{compared} {given_up}");
    }

    #[test]
    fn a_whole_document_is_what_its_bytes_are_one_by_one() {
        let mut numbers = Numbers(52);
        let mut damaged = 0;
        for _ in 0..3000 {
            let characters = "да".repeat(numbers.below(60) as usize);
            let mut document = [&numbers.stream(), characters.as_bytes()].concat();
            let begin = numbers.below(document.len() as u32 + 1);
            document.drain(..begin as usize);
            let (whole, mut single) = (Utf8::of_whole(&document), Utf8::default());
            document
                .chunks(1)
                .for_each(|byte| single.feed(byte, usize::MAX));
            let says = |utf8: &Utf8| {
                let counts = utf8
                    .is_damaged()
                    .then_some((utf8.characters, utf8.malformed));
                (utf8.has_failed(), utf8.probability(), counts)
            };
            assert_eq!(says(&whole), says(&single), "{document:X?}");
            damaged += u32::from(whole.is_damaged());
        }
        assert!((100..2000).contains(&damaged), "{damaged}");
    }

    /// One sequence in five is malformed if all remaining bytes form characters of two bytes.
    #[test]
    fn a_stream_is_not_given_up_that_may_end_well() {
        for (last, is_damaged) in [(195, true), (194, false)] {
            let characters = |count| "é".repeat(count).into_bytes();
            let stream = [characters(65), b"\xFFa".repeat(65), characters(last)].concat();
            let mut utf8 = Utf8::default();
            utf8.feed(&stream, stream.len());
            assert_eq!(utf8.is_damaged(), is_damaged, "{last}");
        }
    }

    #[test]
    fn a_stream_is_given_up_only_where_the_rest_changes_nothing() {
        let mut numbers = Numbers(1951);
        for round in 0..200 {
            // Fewer and fewer other bytes precede the characters.
            let mut stream: Vec<u8> = (0..20 * round)
                .map(|_| 0xA0 + numbers.below(0x5F) as u8)
                .collect();
            stream.extend("да".as_bytes().repeat(1000));
            let (mut bounded, mut unbounded) = (Utf8::default(), Utf8::default());
            bounded.feed(&stream, stream.len());
            unbounded.feed(&stream, usize::MAX);
            assert_eq!(
                bounded.is_damaged(),
                unbounded.is_damaged(),
                "round {round}"
            );
            assert_eq!(
                bounded.has_failed(),
                unbounded.has_failed(),
                "round {round}"
            );
        }
    }
}
