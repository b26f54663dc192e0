//! The first bytes of a document: whether they are text in units of one byte, in wider units, or no text.
//!
//! Text in a legacy encoding has no zero bytes and hardly any control characters but line ends, tabs and escapes. Wide
//! code units and binary data are full of them.

use super::units;
use crate::{Encoding, simd};

/// How many bytes are counted.
const LIMIT: usize = 4096;

/// How many bytes are kept, and read as wide units.
const KEPT: usize = 512;

/// The first bytes of a stream.
#[derive(Clone)]
pub(super) struct Head {
    kept: [u8; KEPT],
    read: usize,
    zeros: u32,
    /// Control characters that legacy text lacks, U+0000 among them.
    controls: u32,
    /// Printable ASCII, and space.
    printable: u32,
}

impl Head {
    /// At the start of a stream.
    pub fn new() -> Self {
        Self {
            kept: [0; KEPT],
            read: 0,
            zeros: 0,
            controls: 0,
            printable: 0,
        }
    }

    /// Reads one more chunk.
    pub fn feed(&mut self, chunk: &[u8]) {
        let chunk = &chunk[..chunk.len().min(LIMIT - self.read)];
        if chunk.is_empty() {
            return;
        }
        if let Some(room) = self.kept.get_mut(self.read..) {
            let len = room.len().min(chunk.len());
            room[..len].copy_from_slice(&chunk[..len]);
        }
        self.read += chunk.len();
        let [zeros, controls, printable] = simd::count_text_bytes(chunk);
        self.zeros += zeros;
        self.controls += controls;
        self.printable += printable;
    }

    /// Whether more input changes nothing.
    pub fn is_full(&self) -> bool {
        self.read == LIMIT
    }

    fn kept(&self) -> &[u8] {
        &self.kept[..self.read.min(KEPT)]
    }

    /// The best reading as UTF-32 and the best as UTF-16, if they are plausible.
    pub fn wide(&self) -> impl Iterator<Item = (&'static Encoding, f32)> + use<> {
        let has_controls = self.controls > 0 && self.controls as usize * 64 >= self.read;
        // Of the bytes of ideographs about half are in this range.
        let is_ascii = self.zeros == 0 && self.printable as usize * 5 > self.read * 4;
        let possible = !is_ascii && has_controls || units::has_steady_half(self.kept());
        possible
            .then(|| units::guesses(self.kept()))
            .into_iter()
            .flatten()
    }

    /// Whether these bytes are not text in units of one byte.
    ///
    /// Of random bytes, 10 % are control characters that text lacks.
    pub fn is_binary(&self) -> bool {
        self.zeros > 0 || self.controls as usize * 32 > self.read
    }
}
