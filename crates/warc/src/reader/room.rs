//! Memory that is written to again and again.

/// A buffer with initialised spare space: released space is not set to zero again.
#[derive(Debug, Default)]
pub struct Room {
    all: Vec<u8>,
    length: usize,
}

impl Room {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.all[..self.length]
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.length
    }

    /// The length of the room behind the bytes.
    pub fn spare_len(&self) -> usize {
        self.all.len() - self.length
    }

    /// The room behind the bytes.
    pub fn spare(&mut self) -> &mut [u8] {
        &mut self.all[self.length..]
    }

    /// Makes the room behind the bytes as long as this, or longer.
    pub fn reserve(&mut self, room: usize) {
        if self.spare_len() < room {
            self.all.resize(self.length + room, 0);
        }
    }

    /// Adds `count` bytes at the start of [`spare`](Self::spare), which have been written.
    pub fn add(&mut self, count: usize) {
        self.length += count;
        debug_assert!(self.length <= self.all.len());
    }

    /// Takes off bytes at the start.
    pub fn take_off(&mut self, count: usize) {
        self.all.copy_within(count..self.length, 0);
        self.length -= count;
    }

    /// Takes off all bytes.
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Appends to the bytes with `more`, as to a vector. The spare space is given up.
    pub fn append<T>(&mut self, more: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        self.all.truncate(self.length);
        let value = more(&mut self.all);
        self.length = self.all.len();
        value
    }
}
