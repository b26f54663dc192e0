//! Hash-and-displace: a perfect hash without keys.
//!
//! A key's 32-bit hash selects a bucket. The bucket's displacement, one byte, perturbs the hash, which then selects the
//! slot. Large buckets are placed first, each with the first displacement that sends all its keys to free slots. The cost
//! is one byte per bucket, and two dependent loads before a hit is confirmed. The slot count is the smallest that works,
//! starting at the number of keys.
//!
//! `src/tables/perfect_hash.rs` repeats [`bucket`] and [`slot`].

/// A completed placement.
pub struct PerfectHash {
    /// The displacement of each bucket.
    pub displacements: Vec<u8>,
    /// The key in each slot.
    pub slots: Vec<Option<usize>>,
}

/// Returns the bucket of `hash` among `buckets`, a power of two greater than one.
pub fn bucket(hash: u32, buckets: usize) -> usize {
    (hash >> (32 - buckets.trailing_zeros())) as usize
}

/// Returns the slot of `hash` among `slots`.
pub fn slot(hash: u32, displacement: u8, slots: usize) -> usize {
    let mixed = hash ^ u32::from(displacement).wrapping_mul(0x9E37_79B9);
    let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x85EB_CA6B);
    let mixed = mixed ^ (mixed >> 13);
    ((u64::from(mixed) * slots as u64) >> 32) as usize
}

/// Returns FNV-1a over a label's bytes, multiplied once more so that the high bits depend on the last byte.
pub fn hash_label(label: &[u8]) -> u32 {
    label
        .iter()
        .fold(0x811C_9DC5_u32, |hash, &byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        })
        .wrapping_mul(0x9E37_79B1)
}

/// Returns the Fibonacci hash of a code point.
pub fn hash_code_point(code_point: u32) -> u32 {
    code_point.wrapping_mul(0x9E37_79B1)
}

impl PerfectHash {
    /// Places keys by their hashes, which must all differ.
    pub fn new(hashes: &[u32], buckets: usize) -> Self {
        (hashes.len()..hashes.len() * 2 + 2)
            .find_map(|slots| Self::with_slots(hashes, buckets, slots))
            .expect("twice the slots suffice unless two hashes are equal")
    }

    fn with_slots(hashes: &[u32], buckets: usize, slots: usize) -> Option<Self> {
        let mut members = vec![Vec::new(); buckets];
        for (key, &hash) in hashes.iter().enumerate() {
            members[bucket(hash, buckets)].push(key);
        }
        let mut order: Vec<usize> = (0..buckets).collect();
        order.sort_by_key(|&number| std::cmp::Reverse(members[number].len()));

        let mut placed = Self {
            displacements: vec![0; buckets],
            slots: vec![None; slots],
        };
        for number in order {
            placed.displacements[number] = (0..=u8::MAX)
                .find(|&displacement| placed.place(hashes, &members[number], displacement))?;
        }
        Some(placed)
    }

    /// Places all of `keys`, or leaves the slots unchanged.
    fn place(&mut self, hashes: &[u32], keys: &[usize], displacement: u8) -> bool {
        for (count, &key) in keys.iter().enumerate() {
            let slot = slot(hashes[key], displacement, self.slots.len());
            if self.slots[slot].is_some() {
                for &undone in &keys[..count] {
                    let slot = self::slot(hashes[undone], displacement, self.slots.len());
                    self.slots[slot] = None;
                }
                return false;
            }
            self.slots[slot] = Some(key);
        }
        true
    }

    /// Returns the only key that `hash` can belong to.
    pub fn get(&self, hash: u32) -> Option<usize> {
        let displacement = self.displacements[bucket(hash, self.displacements.len())];
        self.slots[slot(hash, displacement, self.slots.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found_in_its_own_slot() {
        let hashes: Vec<u32> = (0..300)
            .map(|key| hash_code_point(0x2_0000 + key * 37))
            .collect();
        let table = PerfectHash::new(&hashes, 128);
        for (key, &hash) in hashes.iter().enumerate() {
            assert_eq!(table.get(hash), Some(key));
        }
        assert_eq!(table.slots.iter().flatten().count(), hashes.len());
        assert!(table.slots.len() < 400);
    }

    #[test]
    fn no_keys_give_no_hit() {
        assert!(PerfectHash::new(&[], 2).slots.is_empty());
    }

    #[test]
    #[should_panic(expected = "two hashes are equal")]
    fn equal_hashes_are_refused() {
        PerfectHash::new(&[7, 7], 2);
    }
}
