//! The first bytes of a document: whether they are text in units of one byte, in wider units, or no text.
//!
//! Text in a legacy encoding has no zero bytes, and few control characters except line ends, tabs
//! and escapes. Wide code units and binary data have many.
//!
//! The rule for zero bytes: a document that has one is not text, as in other tools, unless all bytes from there to its end
//! are padding: zero bytes, the end-of-file mark 0x1A of CP/M and DOS, and white space.

use super::{magic, units};
use mojika::{Encoding, mem};

/// The number of bytes that are counted.
const LIMIT: usize = 4096;

/// The number of bytes that are kept, and read as the beginning of a file.
const KEPT: usize = 1024;

/// The number of bytes that are read as wide units.
const WIDE: usize = 512;

/// The first bytes of a stream.
#[derive(Clone)]
pub(super) struct Head {
    kept: [u8; KEPT],
    read: usize,
    counts: Counts,
    /// The counts of the padding that was read last, which count if text follows.
    padding: Counts,
    /// The number of bytes read before that padding.
    body: usize,
    /// The format of a file of more than [`LIMIT`] bytes.
    format: Option<&'static str>,
}

/// Counts of bytes by class.
#[derive(Clone, Copy, Default)]
struct Counts {
    zeros: u32,
    /// Control characters that legacy text lacks, U+0000 among them.
    controls: u32,
    /// Printable ASCII, and space.
    printable: u32,
}

impl Counts {
    fn of(bytes: &[u8]) -> Self {
        let [zeros, controls, printable] = mem::count_text_bytes(bytes);
        Self {
            zeros,
            controls,
            printable,
        }
    }

    fn add(&mut self, other: Self) {
        self.zeros += other.zeros;
        self.controls += other.controls;
        self.printable += other.printable;
    }

    /// True if `len` bytes that start with `kept` and have these counts are not text in units of one byte.
    ///
    /// Of random bytes, 10 % are control characters that text lacks, of 26 kinds. Text that separates its fields by controls
    /// has one or two kinds.
    fn is_noise(&self, len: usize, kept: &[u8]) -> bool {
        let controls = self.controls as usize;
        if controls * 32 <= len {
            return false;
        }
        let is_text = |byte: u8| !matches!(byte, 0..0x20 | 0x7F);
        let kinds = kept
            .iter()
            .filter(|&&byte| !is_text(byte))
            .fold(0_u32, |kinds, byte| kinds | 1 << (byte & 0x1F));
        let usual = 1 << 8 | 1 << 9 | 1 << 10 | 1 << 12 | 1 << 13 | 1 << 27;
        let is_chance = controls < 8 && self.printable as usize * 2 < len;
        controls * 4 > len || is_chance || (kinds & !usual).count_ones() > 2
    }
}

fn is_padding(byte: u8) -> bool {
    matches!(byte, 0 | 0x1A | b'\t' | b'\n' | b'\r' | b' ')
}

fn without_padding(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| !is_padding(byte));
    &bytes[..end.map_or(0, |end| end + 1)]
}

impl Head {
    /// At the start of a stream.
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            kept: [0; KEPT],
            read: 0,
            counts: Counts::default(),
            padding: Counts::default(),
            body: 0,
            format: None,
        }
    }

    /// Reads one more chunk.
    pub fn feed(&mut self, chunk: &[u8]) {
        let (chunk, rest) = chunk.split_at(chunk.len().min(LIMIT - self.read));
        if !chunk.is_empty() {
            if let Some(room) = self.kept.get_mut(self.read..) {
                let len = room.len().min(chunk.len());
                room[..len].copy_from_slice(&chunk[..len]);
            }
            let body = without_padding(chunk);
            if !body.is_empty() {
                self.end_padding();
                self.counts.add(Counts::of(body));
                self.body = self.read + body.len();
            }
            self.padding.add(Counts::of(&chunk[body.len()..]));
            self.read += chunk.len();
            if self.read == LIMIT {
                self.format = magic::format(&self.kept);
            }
        }
        if self.is_padding() && !rest.iter().copied().all(is_padding) {
            self.end_padding();
        }
    }

    fn is_padding(&self) -> bool {
        self.padding.controls > 0
    }

    /// Adds the counts of the padding.
    fn end_padding(&mut self) {
        self.counts.add(core::mem::take(&mut self.padding));
        self.body = self.read;
    }

    /// True if more input changes nothing.
    pub fn is_full(&self) -> bool {
        self.read == LIMIT && !self.is_padding()
    }

    /// True if these bytes alone decide: a zero byte is not in text in units of one byte.
    #[cfg(feature = "detect")]
    pub fn is_settled(&self) -> bool {
        self.is_full() && (self.format.is_some() || self.counts.zeros > 0)
    }

    /// The name of the binary format that the document begins as.
    pub fn format(&self) -> Option<&'static str> {
        match self.read {
            LIMIT.. => self.format,
            _ => magic::format(self.kept()),
        }
    }

    fn kept(&self) -> &[u8] {
        &self.kept[..self.read.min(KEPT)]
    }

    /// The kept bytes, without the zero bytes at their end that do not belong to a wide unit.
    pub fn text(&self) -> &[u8] {
        let kept = self.kept();
        let end = kept.iter().rposition(|&byte| byte != 0);
        let len = end.map_or(0, |end| end + 1).next_multiple_of(4);
        &kept[..len.min(kept.len())]
    }

    /// The best readings as UTF-32 and as UTF-16, if they are text.
    pub fn wide(&self) -> impl Iterator<Item = (&'static Encoding, f32)> + use<> {
        let controls = self.counts.controls as usize;
        let has_controls = controls > 0 && controls * 64 >= self.body;
        let text = &self.text()[..self.text().len().min(WIDE)];
        let possible = has_controls || units::has_steady_half(text);
        possible.then(|| units::guesses(text)).into_iter().flatten()
    }

    /// True if a zero byte was read that is no padding.
    #[cfg(feature = "detect")]
    pub fn has_zeros(&self) -> bool {
        self.counts.zeros > 0
    }

    /// True if these bytes, from which ASCII was left out, are not text although the document begins with text.
    #[cfg(feature = "detect")]
    pub fn goes_on_as_noise(&self, bytes: &[u8]) -> bool {
        if self.read < LIMIT {
            return false;
        }
        let bytes = without_padding(bytes);
        let counts = Counts::of(bytes);
        let is_noise =
            counts.controls as usize * 16 > bytes.len() && counts.is_noise(bytes.len(), bytes);
        counts.zeros > 0 || is_noise
    }

    /// True if these bytes are not text in units of one byte. Noise is neither UTF-8 nor in seven bits.
    pub fn is_binary(&self, is_utf8: bool) -> bool {
        let (mut counts, mut len) = (self.counts, self.body);
        if len == 0 {
            // Padding of nothing.
            counts = self.padding;
            len = self.read;
        }
        if counts.zeros > 0 {
            return true;
        }
        if is_utf8 {
            return counts.controls as usize * 2 > len;
        }
        counts.is_noise(len, &self.kept[..len.min(KEPT)])
    }
}
