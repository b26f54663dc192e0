//! UTF-8 of up to a few hundred bytes, validated.

use super::super::super::utf8_encode::cut_leads;
use super::super::super::vector::{Token, V256};
use super::LEAST;
use super::faults::{after_zeros, faults, with_preceding};

/// Whether `src`, of [`LEAST`] bytes or more, is UTF-8, without a branch on what stands in it: for short input.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
)]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(in crate::simd) fn is_few_and_valid(v: Token, src: &[u8]) -> bool {
    let n = src.len();
    assert!(n >= LEAST);
    // SAFETY: there are more bytes than a register has.
    let mut last = unsafe { v.load(src.as_ptr()) };
    let [bytes, one, two, three] = after_zeros(v, last);
    let mut wrong = faults(v, bytes, one, two, three);
    let mut at = 32;
    while at < n {
        // The last block overlaps the one before it.
        let start = at.min(n - 32);
        // SAFETY: 3 <= start <= n - 32.
        let [bytes, one, two, three] = unsafe { with_preceding(v, src.as_ptr().add(start)) };
        wrong = v.or(wrong, faults(v, bytes, one, two, three));
        last = bytes;
        at += 32;
    }
    // SAFETY: 32 bytes are read from an array of 32.
    let least = unsafe { v.load(const { &cut_leads::<32>() }.as_ptr()) };
    // Anything but 0 where a byte is a lead that the end cuts; 0xFF is nowhere right.
    let cut = v.at_least(last, least);
    v.is_zero(wrong) && v.is_zero(cut)
}
