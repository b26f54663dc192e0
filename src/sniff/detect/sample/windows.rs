//! Windows of a sample: around the first place of each byte value that the sample's first stretch lacks.

use super::is_paired;
use crate::simd::ByteSet;

/// Most windows.
const WINDOWS: usize = 32;

/// Bytes before and after the one that a window is about.
const AROUND: usize = 3;

/// A space, and the window.
const WINDOW: usize = 2 * AROUND + 2;

/// Most bytes of all windows.
pub(super) const CAPACITY: usize = WINDOWS * WINDOW;

/// In how many bytes after the first stretch windows are looked for.
const LIMIT: usize = 16 * 1024;

/// Collects windows while the stream is read.
#[derive(Clone)]
pub(super) struct Windows {
    bytes: [u8; CAPACITY],
    len: usize,
    /// How many bytes are still to be looked at.
    left: usize,
    /// The byte values that the sample lacks and should contain.
    unseen: ByteSet,
    /// The last bytes.
    before: [u8; AROUND],
    /// How many bytes of the last window are still to come.
    after: usize,
}

impl Windows {
    pub fn new() -> Self {
        Self {
            bytes: [0; CAPACITY],
            len: 0,
            left: LIMIT,
            unseen: ByteSet::new(),
            before: [0; AROUND],
            after: 0,
        }
    }

    /// Begins after the first stretch: looks for the byte values that it lacks.
    pub fn begin(&mut self, first: &[u8]) {
        if is_paired(first) {
            // Windows are of single bytes.
            self.left = 0;
            return;
        }
        self.unseen = ByteSet::lacking(first);
        self.before = *first.last_chunk().unwrap_or(&[0; AROUND]);
    }

    /// The windows that were found so far.
    pub fn collected(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Looks through the bytes that follow.
    pub fn feed(&mut self, chunk: &[u8]) {
        let mut chunk = &chunk[..chunk.len().min(self.left)];
        while !chunk.is_empty() {
            let mut read = self.after.min(chunk.len());
            if read > 0 {
                for &byte in &chunk[..read] {
                    self.unseen.remove(byte);
                    self.bytes[self.len] = byte;
                    self.len += 1;
                }
                self.after -= read;
            } else {
                read = self.unseen.free_prefix_len(chunk);
            }
            self.pass(&chunk[..read]);
            chunk = &chunk[read..];
            if self.after > 0 || chunk.is_empty() {
                continue;
            }
            if self.len + WINDOW > self.bytes.len() {
                self.left = 0;
                return;
            }
            let byte = chunk[0];
            if self.unseen.contains(byte) {
                self.unseen.remove(byte);
                let window = &mut self.bytes[self.len..];
                window[0] = b' ';
                window[1..][..AROUND].copy_from_slice(&self.before);
                window[1 + AROUND] = byte;
                self.len += AROUND + 2;
                self.after = AROUND;
                self.pass(&chunk[..1]);
                chunk = &chunk[1..];
            }
        }
    }

    fn pass(&mut self, bytes: &[u8]) {
        self.left -= bytes.len();
        let kept = bytes.len().min(AROUND);
        self.before.copy_within(kept.., 0);
        self.before[AROUND - kept..].copy_from_slice(&bytes[bytes.len() - kept..]);
    }
}
