//! AVX-512: masks find the characters, byte compresses gather them.

mod block;
mod copy;
mod utf16_lanes;
mod utf16_to_utf8;
mod utf8_to_utf16;

pub(in crate::simd) use copy::{is_few_and_valid, utf8_to_utf8};
pub(super) use utf8_to_utf16::utf8_to_utf16;
pub(super) use utf16_to_utf8::utf16_to_utf8;

use core::arch::x86_64::{__m512i, _bzhi_u64};

use super::super::registers::{counting, register};

/// A shuffle that swaps the bytes of each code unit.
const SWAPPED: __m512i = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = (i as u8 & 15) ^ 1;
        i += 1;
    }
    register(bytes)
};

/// Returns a mask of the first `n` of 64 lanes.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
fn first(n: usize) -> u64 {
    _bzhi_u64(u64::MAX, n as u32)
}
