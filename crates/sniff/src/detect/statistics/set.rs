//! A map with hashes as keys, for words and sequences that may be repeated.

use alloc::vec::Vec;

/// Returns the hash of a sequence, given the hash of all but its last element.
pub fn mix(hash: u64, last: u64) -> u64 {
    let product = u128::from(hash.rotate_left(32) ^ last) * 0x517C_C1B7_2722_0A95;
    product as u64 ^ (product >> 64) as u64
}

/// Returns the hash of a sequence of bytes.
pub fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let start = mix(seed + 1, bytes.len() as u64);
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let rest = rest.iter().fold(0, |all, &byte| all << 8 | u64::from(byte));
    mix(words.fold(start, mix), rest)
}

/// A map from hashes to numbers. Two keys with the same hash are treated as one key.
#[derive(Default)]
pub struct Map {
    /// The hash and the number + 1 of each entry; 0 marks a free slot. The length is a power of two.
    slots: Vec<(u64, u32)>,
    len: usize,
}

impl Map {
    /// Returns the number of a hash, and true if the hash is new. A new hash gets `number`.
    pub fn insert(&mut self, hash: u64, number: u32) -> (u32, bool) {
        if 2 * (self.len + 1) > self.slots.len() {
            self.grow();
        }
        let slot = self.slot(hash);
        if self.slots[slot].1 != 0 {
            return (self.slots[slot].1 - 1, false);
        }
        self.slots[slot] = (hash, number + 1);
        self.len += 1;
        (number, true)
    }

    /// Returns the number that was inserted with a hash.
    pub fn get(&self, hash: u64) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(hash)].1.checked_sub(1)
    }

    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at].1 != 0 && self.slots[at].0 != hash {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let len = (2 * self.slots.len()).max(64);
        let old = core::mem::replace(&mut self.slots, alloc::vec![(0, 0); len]);
        for one in old.into_iter().filter(|one| one.1 != 0) {
            let slot = self.slot(one.0);
            self.slots[slot] = one;
        }
    }
}

#[derive(Default)]
pub struct Set(Map);

impl Set {
    /// True if the hash is new.
    pub fn insert(&mut self, hash: u64) -> bool {
        self.0.insert(hash, 0).1
    }
}
