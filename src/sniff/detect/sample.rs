//! The bytes that statistics look at: a bounded sample around what is not ASCII.
//!
//! ASCII far from other bytes says little about an encoding and is left out. The sample begins with what comes first in
//! the document; further stretches are spread over what is read after that, as one odd place must not decide. Then come
//! windows: the first place of each byte value that the first stretch lacks, as one such byte may tell two close encodings
//! apart. The sample is the same however the input is split.

mod windows;

use super::repeats::{REPEATED, has_long_run, without_repeats};
use crate::mem;
use windows::Windows;

/// How many bytes the first stretch holds.
const FIRST: usize = 512;

/// How many bytes each further stretch holds.
const FURTHER: usize = 64;

/// Where further stretches begin, in bytes after the first one beyond ASCII.
const PLACES: [usize; 8] = [
    2 << 10,
    4 << 10,
    8 << 10,
    16 << 10,
    24 << 10,
    32 << 10,
    42 << 10,
    52 << 10,
];

/// Most stretches.
pub(super) const STRETCHES: usize = 1 + PLACES.len();

/// How many bytes of running text the sample holds.
pub(super) const MAIN: usize = FIRST + PLACES.len() * FURTHER;

/// Most bytes of a sample.
pub(super) const CAPACITY: usize = MAIN + windows::CAPACITY;

/// How many ASCII bytes before and after others belong to the sample: a long word. Brackets of markup end them.
const CONTEXT: usize = 12;

/// Collects the sample of a stream.
#[derive(Clone)]
pub(super) struct Collector {
    bytes: [u8; MAIN],
    len: usize,
    /// Where each stretch ends, once it has.
    ends: [u16; STRETCHES],
    /// How many stretches have ended.
    ended: usize,
    /// How many bytes were read since the first one beyond ASCII.
    position: usize,
    /// Whether a new stretch waits for the end of the run of bytes beyond ASCII: it may be within a character.
    is_within: bool,
    /// The last ASCII bytes that are not in the sample.
    before: [u8; CONTEXT],
    before_len: usize,
    /// Whether ASCII was left out before those.
    gap: bool,
    /// How many ASCII bytes of the context after other bytes are to come.
    after: usize,
    windows: Windows,
}

impl Collector {
    /// At the start of a stream.
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            bytes: [0; MAIN],
            len: 0,
            ends: [0; STRETCHES],
            ended: 0,
            position: 0,
            is_within: false,
            before: [0; CONTEXT],
            before_len: 0,
            gap: false,
            after: 0,
            windows: Windows::new(),
        }
    }

    /// Whether no byte was beyond ASCII.
    pub fn is_ascii(&self) -> bool {
        self.len == 0
    }

    /// What was collected so far.
    pub fn collected(&self) -> Collected<'_> {
        Collected {
            main: &self.bytes[..self.len],
            ends: &self.ends[..self.ended],
            windows: self.windows.collected(),
        }
    }

    /// Reads one more chunk.
    pub fn feed(&mut self, mut chunk: &[u8]) {
        while !chunk.is_empty() {
            let begin = match self.ended {
                0 => 0,
                ended => *PLACES.get(ended - 1).unwrap_or(&usize::MAX),
            };
            let read = if self.position < begin {
                self.pass(&chunk[..chunk.len().min(begin - self.position)])
            } else if self.is_within {
                // Up to the first ASCII byte.
                let run = chunk.iter().take_while(|byte| !byte.is_ascii()).count();
                self.is_within = run == chunk.len();
                (self.before_len, self.gap, self.after) = (0, true, 0);
                self.pass(&chunk[..run])
            } else if self.after == 0 {
                let ascii = mem::ascii_prefix_len(chunk);
                self.skip(&chunk[..ascii]);
                if ascii < chunk.len() {
                    self.begin_word();
                }
                if self.position > 0 {
                    self.pass(&chunk[..ascii])
                } else {
                    ascii
                }
            } else {
                let read = self.word(chunk);
                // What is within the first stretch is no window.
                if self.ended == 0 {
                    self.position += read;
                    read
                } else {
                    self.pass(&chunk[..read])
                }
            };
            chunk = &chunk[read..];
            if self.len == self.end_of_stretch() {
                self.end_stretch();
            }
        }
    }

    /// Counts bytes, and looks for windows in them.
    fn pass(&mut self, bytes: &[u8]) -> usize {
        self.position += bytes.len();
        if self.ended > 0 {
            self.windows.feed(bytes);
        }
        bytes.len()
    }

    /// Where the stretch that is being filled ends at the latest.
    fn end_of_stretch(&self) -> usize {
        match self.ended {
            0 => FIRST,
            ended => usize::from(self.ends[ended - 1]) + FURTHER,
        }
    }

    fn end_stretch(&mut self) {
        if self.ended == STRETCHES {
            return;
        }
        if self.ended == 0 {
            self.windows.begin(&self.bytes[..FIRST]);
        }
        self.ends[self.ended] = self.len as u16;
        self.ended += 1;
        self.is_within = true;
        // The next place ahead.
        while let Some(&place) = PLACES.get(self.ended - 1)
            && place < self.position
        {
            self.ends[self.ended] = self.len as u16;
            self.ended += 1;
        }
    }

    /// Skips ASCII except for its last bytes.
    pub fn skip(&mut self, ascii: &[u8]) {
        let kept = ascii.len().min(CONTEXT);
        let dropped = (self.before_len + kept).saturating_sub(CONTEXT);
        self.gap |= dropped > 0 || kept < ascii.len();
        self.before.copy_within(dropped..self.before_len, 0);
        self.before_len -= dropped;
        self.before[self.before_len..self.before_len + kept]
            .copy_from_slice(&ascii[ascii.len() - kept..]);
        self.before_len += kept;
    }

    /// Takes the ASCII before a word, from the last bracket of markup on.
    fn begin_word(&mut self) {
        let (before, len) = (self.before, core::mem::take(&mut self.before_len));
        let before = &before[..len];
        let bracket = before.iter().rposition(|&byte| is_bracket(byte));
        let begin = bracket.unwrap_or(0);
        if core::mem::take(&mut self.gap) || begin > 0 {
            self.push(b" ");
        }
        self.push(&before[begin..]);
        self.after = CONTEXT;
    }

    /// Takes what belongs to a word and its context from the beginning of the chunk, and returns its length.
    fn word(&mut self, chunk: &[u8]) -> usize {
        let chunk = &chunk[..chunk.len().min(self.end_of_stretch() - self.len)];
        let mut after = self.after;
        let mut len = 0;
        while after > 0
            && let Some(&byte) = chunk.get(len)
        {
            if after >= 8
                && let Some(eight) = chunk[len..].first_chunk()
                && !has_bracket(*eight)
            {
                let high = u64::from_le_bytes(*eight) & 0x8080_8080_8080_8080;
                after = if high == 0 {
                    after - 8
                } else {
                    CONTEXT - high.leading_zeros() as usize / 8
                };
                len += 8;
                continue;
            }
            after = match byte {
                0x80.. => CONTEXT,
                b'<' | b'>' => 0,
                _ => after - 1,
            };
            len += 1;
        }
        self.after = after;
        self.push(&chunk[..len]);
        len
    }

    fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[..bytes.len().min(self.end_of_stretch() - self.len)];
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }
}

/// What a sample is made of: running text in stretches, and windows.
#[derive(Clone, Copy)]
pub(super) struct Collected<'c> {
    main: &'c [u8],
    /// Where each stretch ends; the last one that has begun ends with the text.
    ends: &'c [u16],
    windows: &'c [u8],
}

impl<'c> Collected<'c> {
    /// The running text.
    pub fn main(&self) -> &'c [u8] {
        self.main
    }

    /// Where each stretch of the running text ends.
    fn ends(&self) -> impl Iterator<Item = usize> + use<'c> {
        let last = self.ends.last().map(|&end| usize::from(end));
        let open = (last != Some(self.main.len())).then_some(self.main.len());
        self.ends.iter().map(|&end| usize::from(end)).chain(open)
    }

    /// All of it, as it is.
    pub fn whole(&self) -> Sample {
        let mut sample = Sample::empty();
        sample.bytes[..self.main.len()].copy_from_slice(self.main);
        for end in self.ends() {
            sample.end_stretch(end);
        }
        sample.add_windows(self.windows);
        sample
    }

    /// Reads the first stretch with the windows into an empty sample. Lines of one byte are short in it.
    pub fn first(&self, sample: &mut Sample) {
        sample.add_stretch(&self.main[..self.ends().next().unwrap_or(0)]);
        sample.add_windows(self.windows);
    }

    /// The further stretches, if there are any. Lines of one byte are short in them.
    pub fn further(&self) -> Option<Sample> {
        let mut ends = self.ends();
        let mut begin = ends.next().unwrap_or(0);
        if begin == self.main.len() {
            return None;
        }
        let mut sample = Sample::empty();
        for end in ends {
            sample.add_stretch(&self.main[begin..end]);
            begin = end;
        }
        Some(sample)
    }

    /// The running text without tags, if something beyond ASCII is left of it.
    ///
    /// A tag is what HTML begins one with, up to `>`. The context of words ends with the bracket of a tag whose rest is not in the
    /// sample: such brackets are spaces.
    pub fn without_markup(&self) -> Option<Sample> {
        let mut stripped = Sample::empty();
        let mut begin = 0;
        for end in self.ends() {
            let mut rest = &self.main[begin..end];
            while let Some((&byte, after)) = rest.split_first() {
                if let Some(len) = tag_len(rest) {
                    rest = &rest[len..];
                    continue;
                }
                rest = after;
                let is_cut = is_bracket(byte);
                if is_cut && stripped.bytes[..stripped.main].last() == Some(&b' ') {
                    continue;
                }
                stripped.bytes[stripped.main] = if is_cut { b' ' } else { byte };
                stripped.main += 1;
            }
            stripped.end_stretch(stripped.main);
            begin = end;
        }
        (!stripped.main().is_ascii()).then_some(stripped)
    }
}

/// The length of the tag that the text begins with.
fn tag_len(text: &[u8]) -> Option<usize> {
    let (b'<', inner) = text.split_first()? else {
        return None;
    };
    // HTML Standard, section 13.2.5.6, "Tag open state".
    let is_tag = matches!(inner.first()?, b'!' | b'/' | b'?' | b'A'..=b'Z' | b'a'..=b'z');
    let end = inner.iter().position(|&byte| is_bracket(byte))?;
    (is_tag && inner[end] == b'>').then_some(end + 2)
}

/// A sample: running text in stretches, then windows.
#[derive(Clone)]
pub(super) struct Sample {
    bytes: [u8; CAPACITY],
    main: usize,
    len: usize,
    ends: [u16; STRETCHES],
    stretches: usize,
}

impl Sample {
    /// Nothing.
    #[inline(always)]
    pub fn empty() -> Self {
        Self {
            bytes: [0; CAPACITY],
            main: 0,
            len: 0,
            ends: [0; STRETCHES],
            stretches: 0,
        }
    }

    /// The running text.
    pub fn main(&self) -> &[u8] {
        &self.bytes[..self.main]
    }

    /// The running text and the windows.
    pub fn all(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// What it is made of.
    pub fn collected(&self) -> Collected<'_> {
        Collected {
            main: self.main(),
            ends: &self.ends[..self.stretches],
            windows: &self.bytes[self.main..self.len],
        }
    }

    /// Adds the windows after the last stretch.
    fn add_windows(&mut self, windows: &[u8]) {
        self.bytes[self.main..][..windows.len()].copy_from_slice(windows);
        self.len = self.main + windows.len();
    }

    /// The running text after the first `read` bytes of the only stretch, and the windows.
    pub fn after(&self, read: usize) -> Self {
        let mut rest = Self::empty();
        rest.len = self.len - read;
        rest.bytes[..rest.len].copy_from_slice(&self.bytes[read..self.len]);
        rest.main = self.main - read;
        (rest.ends[0], rest.stretches) = (rest.main as u16, 1);
        rest
    }

    /// The first `len` bytes of the running text.
    pub fn beginning(&self, len: usize) -> Self {
        let mut beginning = Self::empty();
        beginning.bytes[..len].copy_from_slice(&self.bytes[..len]);
        beginning.end_stretch(len);
        beginning
    }

    /// Adds a stretch with at most [`REPEATED`] times the same byte beyond ASCII in a row, and without what repeats a
    /// pattern.
    pub fn add_stretch(&mut self, text: &[u8]) {
        let begin = self.main;
        self.add_short_runs(text);
        self.main = begin + without_repeats(&mut self.bytes[begin..self.main]);
        self.end_stretch(self.main);
    }

    fn add_short_runs(&mut self, text: &[u8]) {
        if !has_long_run(text) {
            self.bytes[self.main..][..text.len()].copy_from_slice(text);
            self.main += text.len();
            return;
        }
        let (mut run, mut last) = (0, 0);
        for &byte in text {
            run = if byte >= 0x80 && byte == last {
                run + 1
            } else {
                1
            };
            last = byte;
            if run > REPEATED {
                run -= 2;
                self.main -= 1;
            } else {
                self.bytes[self.main] = byte;
                self.main += 1;
            }
        }
    }

    fn end_stretch(&mut self, end: usize) {
        (self.main, self.len) = (end, end);
        self.ends[self.stretches] = end as u16;
        self.stretches += 1;
    }

    /// Where each stretch of the running text ends.
    pub fn ends(&self) -> impl Iterator<Item = usize> + '_ {
        self.ends[..self.stretches]
            .iter()
            .map(|&end| usize::from(end))
    }
}

/// Whether a byte begins or ends a tag: words of markup tell nothing about the text's language.
fn is_bracket(byte: u8) -> bool {
    matches!(byte, b'<' | b'>')
}

/// Whether one of these bytes is a bracket.
fn has_bracket(bytes: [u8; 8]) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The brackets differ in one bit alone.
    let differences = (u64::from_le_bytes(bytes) & !(2 * ONES)) ^ (0x3C * ONES);
    differences.wrapping_sub(ONES) & !differences & (0x80 * ONES) != 0
}

/// Whether the first twelve whole runs of bytes beyond ASCII are pairs of bytes, and longer than accents make them.
///
/// Then the text is in an encoding of two bytes a character that are both beyond ASCII, such as EUC-KR: in others every
/// other run has an odd length.
pub(super) fn is_paired(text: &[u8]) -> bool {
    const RUNS: usize = 12;
    const MOST_OF_ACCENTS: usize = 7 * RUNS / 2;
    // The first run may be cut off.
    let Some(mut begin) = text.iter().position(u8::is_ascii) else {
        return false;
    };
    let (mut runs, mut bytes) = (0, 0);
    for (at, &byte) in text.iter().enumerate().skip(begin) {
        if byte >= 0x80 {
            continue;
        }
        let len = at - begin;
        begin = at + 1;
        if len & 1 == 1 {
            return false;
        }
        runs += usize::from(len > 0);
        bytes += len;
        if runs == RUNS {
            return bytes > MOST_OF_ACCENTS;
        }
    }
    false
}

#[cfg(test)]
mod tests;
