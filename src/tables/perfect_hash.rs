//! Hash-and-displace: look-up in a perfect hash that stores no keys.
//!
//! The high bits of a key's hash select a bucket; the bucket's displacement perturbs the hash, which then selects the slot.
//! Every key has a slot, even if it is not in the table: callers compare the slot's content.
//!
//! The construction, and its copy of these functions, is `gen/src/perfect_hash.rs`.

/// Returns the slot, below `slots`, of a key with this hash.
#[inline]
pub(super) fn slot<const BUCKETS: usize>(
    hash: u32,
    displacements: &[u8; BUCKETS],
    slots: usize,
) -> usize {
    const { assert!(BUCKETS.is_power_of_two() && BUCKETS > 1) };
    let bucket = (hash >> (32 - BUCKETS.trailing_zeros())) as usize;
    let displacement = u32::from(displacements[bucket % BUCKETS]);
    let mixed = hash ^ displacement.wrapping_mul(0x9E37_79B9);
    let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x85EB_CA6B);
    let mixed = mixed ^ (mixed >> 13);
    ((u64::from(mixed) * slots as u64) >> 32) as usize
}

/// Returns FNV-1a over a label's bytes, multiplied once more so that the high bits depend on the last byte.
pub(super) fn hash_label(label: &[u8]) -> u32 {
    label
        .iter()
        .fold(0x811C_9DC5_u32, |hash, &byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        })
        .wrapping_mul(0x9E37_79B1)
}

/// Returns the Fibonacci hash of a code point.
#[inline]
pub(super) fn hash_code_point(code_point: u32) -> u32 {
    code_point.wrapping_mul(0x9E37_79B1)
}
