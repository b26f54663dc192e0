//! The first bytes of a document: text in single bytes, text in wider units, or binary data.
//!
//! Text in a legacy encoding has no zero bytes, and few control characters except line ends, tabs and ESC. UTF-16, UTF-32
//! and binary data have many.
//!
//! As in other tools, a document with a zero byte is not text. The exception is padding up to the end of the document:
//! zero bytes, 0x1A (the end-of-file mark of CP/M and DOS), and white space.

use super::{magic, units};
use mojika::{Encoding, mem};

/// The number of bytes at the start that are counted by kind.
const LIMIT: usize = 4096;

/// The number of bytes that are kept to recognise binary formats.
const KEPT: usize = 1024;

/// The number of bytes that are examined as UTF-16 and UTF-32.
const WIDE: usize = 512;

/// The first bytes of a stream.
#[derive(Clone)]
pub(super) struct Head {
    kept: [u8; KEPT],
    read: usize,
    counts: Counts,
    /// The counts of the current padding. They are added to `counts` if text follows.
    padding: Counts,
    /// The number of bytes before the current padding.
    body: usize,
    /// The binary format, determined once more than [`LIMIT`] bytes have been read.
    format: Option<&'static str>,
}

/// Counts of bytes by class.
#[derive(Clone, Copy, Default)]
struct Counts {
    zeros: u32,
    /// Control characters that legacy text lacks, U+0000 among them.
    controls: u32,
    /// Printable ASCII, including space.
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

    /// True if bytes with these counts are not single-byte text. `len` is their number, and `kept` the first ones.
    ///
    /// In random bytes, 10 % are control characters of 26 kinds that text does not contain. Text with control characters as
    /// separators has one or two kinds.
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
    /// Returns the state at the start of a stream.
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

    /// True if more input makes no difference.
    pub fn is_full(&self) -> bool {
        self.read == LIMIT && !self.is_padding()
    }

    /// True if the first bytes are decisive: single-byte text has no zero byte, and does not start like a binary
    /// format.
    #[cfg(feature = "detect")]
    pub fn is_settled(&self) -> bool {
        self.is_full() && (self.format.is_some() || self.counts.zeros > 0)
    }

    /// Returns the name of the binary format, if the document starts like one.
    pub fn format(&self) -> Option<&'static str> {
        match self.read {
            LIMIT.. => self.format,
            _ => magic::format(self.kept()),
        }
    }

    fn kept(&self) -> &[u8] {
        &self.kept[..self.read.min(KEPT)]
    }

    /// Returns the kept bytes. Zero bytes at their end are left out, unless they belong to a unit of UTF-16 or UTF-32.
    pub fn text(&self) -> &[u8] {
        let kept = self.kept();
        let end = kept.iter().rposition(|&byte| byte != 0);
        let len = end.map_or(0, |end| end + 1).next_multiple_of(4);
        &kept[..len.min(kept.len())]
    }

    /// Returns the best byte order of UTF-32 and of UTF-16, if the bytes are text in that encoding.
    pub fn wide(&self) -> impl Iterator<Item = (&'static Encoding, f32)> + use<> {
        let controls = self.counts.controls as usize;
        let has_controls = controls > 0 && controls * 64 >= self.body;
        let text = &self.text()[..self.text().len().min(WIDE)];
        let possible = has_controls || units::has_steady_half(text);
        possible.then(|| units::guesses(text)).into_iter().flatten()
    }

    /// True if there was a zero byte other than padding.
    #[cfg(feature = "detect")]
    pub fn has_zeros(&self) -> bool {
        self.counts.zeros > 0
    }

    /// True if the document begins with text, but `bytes` are not text. `bytes` are later bytes, without ASCII.
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

    /// True if the bytes are not single-byte text. Noise is neither UTF-8 nor a seven-bit encoding.
    pub fn is_binary(&self, is_utf8: bool) -> bool {
        let (mut counts, mut len) = (self.counts, self.body);
        if len == 0 {
            // The document consists only of padding.
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
