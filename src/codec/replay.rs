//! The bytes that a decoder must read again.

/// Bytes that were read and must be decoded again, before further input.
///
/// The Standard restores these bytes to the I/O queue. They are at most the first two bytes of a BOM, or two restored
/// bytes. If the current byte was itself a restored one, it follows them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Replay {
    bytes: [u8; 4],
    len: u8,
}

impl Replay {
    pub fn of<const N: usize>(restored: [u8; N]) -> Self {
        let mut replay = Replay::default();
        for (to, from) in replay.bytes.iter_mut().zip(restored) {
            *to = from;
        }
        replay.len = N.min(4) as u8;
        replay
    }

    pub fn push(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(usize::from(self.len)) {
            *slot = byte;
            self.len += 1;
        }
    }

    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn front(&self) -> Option<u8> {
        (self.len > 0).then_some(self.bytes[0])
    }

    #[cold]
    pub fn pop(&mut self) {
        let [_, b, c, d] = self.bytes;
        self.bytes = [b, c, d, 0];
        self.len = self.len.saturating_sub(1);
    }

    /// Prepends `restored`.
    #[cold]
    pub fn restore(&mut self, restored: Replay) {
        let mut joined = restored;
        for &byte in &self.bytes[..self.len()] {
            joined.push(byte);
        }
        *self = joined;
    }
}
