//! A fixed buffer with a filled part between two cursors.
//!
//! Memory is allocated on first use, so adapters that pass everything through their caller's buffers never pay for it.
//! When the buffer is empty, it is filled from its front again.

#[derive(Default)]
pub(super) struct Buffer {
    /// Empty until the first use, then `size` bytes.
    bytes: Vec<u8>,
    size: usize,
    start: usize,
    end: usize,
}

impl Buffer {
    pub fn new(size: usize) -> Self {
        Self {
            size,
            ..Self::default()
        }
    }

    /// Changes the size, to at least the length of the filled part, which stays in the buffer.
    pub fn set_size(&mut self, size: usize) {
        let filled = self.filled().to_vec();
        *self = Self::new(size.max(filled.len()));
        if !filled.is_empty() {
            self.spare()[..filled.len()].copy_from_slice(&filled);
            self.add(filled.len());
        }
    }

    /// Returns the filled part.
    pub fn filled(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Returns the number of bytes that fit after the filled part.
    pub fn room(&self) -> usize {
        self.size - self.end
    }

    /// Returns the bytes after the filled part.
    pub fn spare(&mut self) -> &mut [u8] {
        if self.bytes.is_empty() {
            self.bytes = vec![0; self.size];
        }
        &mut self.bytes[self.end..]
    }

    /// Records that the first `n` spare bytes have been filled.
    pub fn add(&mut self, n: usize) {
        self.end = self.bytes.len().min(self.end + n);
    }

    /// Removes the first `n` bytes from the buffer.
    pub fn consume(&mut self, n: usize) {
        self.start = self.end.min(self.start.saturating_add(n));
        if self.is_empty() {
            (self.start, self.end) = (0, 0);
        }
    }

    /// Moves bytes to the front of `dst`; returns the number of bytes moved.
    pub fn move_to(&mut self, dst: &mut [u8]) -> usize {
        let filled = self.filled();
        let n = filled.len().min(dst.len());
        dst[..n].copy_from_slice(&filled[..n]);
        self.consume(n);
        n
    }

    /// Returns the filled part as a vector.
    pub fn into_vec(mut self) -> Vec<u8> {
        self.bytes.truncate(self.end);
        self.bytes.drain(..self.start);
        self.bytes
    }
}
