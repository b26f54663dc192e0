//! Sets of 16-bit numbers: byte pairs, and UTF-16 code units.

/// A set of 16-bit numbers, with one bit each.
#[derive(Clone)]
pub(super) struct Set([u64; 1024]);

impl Set {
    pub(super) const EMPTY: Self = Self([0; 1024]);
    pub(super) const FULL: Self = Self([u64::MAX; 1024]);

    /// Returns this set with the numbers of some ranges added.
    pub(super) fn with(mut self, ranges: impl Iterator<Item = (u32, u32)>) -> Self {
        for number in ranges.flat_map(|(first, last)| first..=last) {
            self.0[number as usize / 64] |= 1 << (number % 64);
        }
        self
    }

    fn bit(&self, number: u16) -> u64 {
        self.0[usize::from(number >> 6)] >> (number & 63) & 1
    }

    pub(super) fn contains(&self, number: u16) -> bool {
        self.bit(number) != 0
    }

    /// True if any of `numbers` is in the set.
    pub(super) fn contains_any(&self, numbers: &[u16]) -> bool {
        // There is no branch per number, only per chunk.
        numbers.chunks(64).any(|chunk| {
            chunk
                .iter()
                .map(|&number| self.bit(number))
                .fold(0, |any, one| any | one)
                != 0
        })
    }

    /// Inserts a number or removes it.
    pub(super) fn set(&mut self, number: u16, is_in: bool) {
        let (word, bit) = (&mut self.0[usize::from(number >> 6)], 1 << (number & 63));
        *word = if is_in { *word | bit } else { *word & !bit };
    }
}
