//! A reusable buffer.

/// A buffer whose spare space stays initialised, so that space that is reused is not zeroed again.
#[derive(Debug, Default)]
pub struct Room {
    all: Vec<u8>,
    length: usize,
}

impl Room {
    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.all[..self.length]
    }

    /// Returns the number of bytes in the buffer.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns the length of the spare space after the bytes.
    pub fn spare_len(&self) -> usize {
        self.all.len() - self.length
    }

    /// Returns the spare space after the bytes.
    pub fn spare(&mut self) -> &mut [u8] {
        &mut self.all[self.length..]
    }

    /// Makes the spare space at least this long.
    pub fn reserve(&mut self, room: usize) {
        if self.spare_len() < room {
            self.all.resize(self.length + room, 0);
        }
    }

    /// Adds the first `count` bytes of [`spare`](Self::spare), which the caller has written.
    pub fn add(&mut self, count: usize) {
        self.length += count;
        debug_assert!(self.length <= self.all.len());
    }

    /// Removes bytes at the start.
    pub fn take_off(&mut self, count: usize) {
        self.all.copy_within(count..self.length, 0);
        self.length -= count;
    }

    /// Removes all bytes.
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Calls `more` with the buffer as a vector, to append bytes. The spare space is lost.
    pub fn append<T>(&mut self, more: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        self.all.truncate(self.length);
        let value = more(&mut self.all);
        self.length = self.all.len();
        value
    }
}
