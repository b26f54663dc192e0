//! Reads the fuzzer's bytes from the front.

/// The fuzzer's bytes that have not been read. Reads beyond the end return zeros.
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// Returns the next byte.
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&first, rest)) => {
                self.0 = rest;
                first
            }
            None => 0,
        }
    }

    /// Returns the next `number` bytes, fewer at the end.
    pub fn take(&mut self, number: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(number.min(self.0.len()));
        self.0 = rest;
        taken
    }
}
