//! Instruction sets: runs a check at each level of the machine, or at the level that the input selects.

use mojika::simd::{self, Level};
use std::sync::LazyLock;

static AVAILABLE: LazyLock<Vec<Level>> = LazyLock::new(|| simd::available().collect());

/// Runs `check` at every available level.
pub fn at_each(mut check: impl FnMut(Level)) {
    for &level in AVAILABLE.iter() {
        simd::cap(Some(level));
        check(level);
    }
}

/// Limits the instruction sets of the process to the level that `byte` selects.
pub fn choose(byte: u8) -> Level {
    let level = AVAILABLE[usize::from(byte) % AVAILABLE.len()];
    simd::cap(Some(level));
    level
}
