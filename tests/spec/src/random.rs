//! Reproducible random numbers for tests, proofs, fuzz targets and benches: SplitMix64 (Steele, Lea and Flood, "Fast
//! splittable pseudorandom number generators", 2014).

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a generator whose numbers depend only on `seed`.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// Creates a generator whose numbers depend on all of `seeds`, and on nothing else.
    pub fn from_seeds(seeds: &[u64]) -> Self {
        let mut random = Random(0x6D6F_6A69_6B61);
        for &seed in seeds {
            random.0 ^= seed.wrapping_mul(0xA24B_AED4_963E_E407);
            random.next();
        }
        random
    }

    /// Returns the next number: 64 random bits.
    #[allow(
        clippy::should_implement_trait,
        reason = "an endless source, not an iterator"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// Returns a random byte.
    pub fn byte(&mut self) -> u8 {
        (self.next() >> 24) as u8
    }

    /// Returns a byte from `low` to `high`, both included.
    pub fn in_range(&mut self, low: u8, high: u8) -> u8 {
        low + self.below(usize::from(high - low) + 1) as u8
    }

    /// Returns an item of `list`, which must not be empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// Puts `list` into random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }

    /// Returns a random printable ASCII byte.
    pub fn ascii(&mut self) -> u8 {
        0x20 + self.below(0x5F) as u8
    }

    /// Returns `length` random bytes, with equal probability for all values.
    pub fn noise(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.byte()).collect()
    }
}
