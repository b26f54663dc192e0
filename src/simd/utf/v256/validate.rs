//! UTF-8, validated: as when it is copied, but with one test for faults in 256 bytes.
//!
//! Times simdutf8, which looks for ASCII in 64 bytes at a time: 1.1 to 1.3 on plain text, 1.2 to 1.9 on text with markup,
//! where a branch on so few bytes is a coin toss; English 0.95 to 1.05. Measured and slower: 128 bytes at a time (0.8); of
//! four parts of a stretch one alone where the others are ASCII (0.6 to 0.9). For AVX2 alone: with NEON it takes as many
//! instructions as simdutf8, and more where there is ASCII.

use super::super::super::arrays::map_array;
use super::super::super::vector::{Token, V256};
use super::super::cut;
use super::faults::{faults, is_malformed, starts_right, with_preceding};

/// Bytes that are looked at together.
const STRETCH: usize = 256;

/// The length of a prefix of `src` that is UTF-8, and ends at a character. What is left may be long only if it starts with a
/// fault within 32 bytes; input of fewer than [`super::LEAST`] bytes is not looked at.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
pub(in crate::simd) fn utf8_prefix_len(v: Token, src: &[u8]) -> usize {
    let n = src.len();
    if !starts_right(v, src) {
        return 0;
    }
    // From where blocks are aligned, if three bytes are before that: a tenth, in English.
    let aligned = 32 - src.as_ptr().addr() % 32;
    let mut at = if aligned < 3 { 32 } else { aligned };
    // SAFETY: these bytes are readable, and three before them.
    while n - at >= STRETCH && unsafe { is_right(v, src.as_ptr().add(at)) } {
        at += STRETCH;
    }
    // The rest, or up to a fault.
    while at < n {
        // The last block overlaps the one before it, over bytes that are right.
        let start = at.min(n - 32);
        // SAFETY: 3 <= start <= n - 32.
        let [bytes, one, two, three] = unsafe { with_preceding(v, src.as_ptr().add(start)) };
        if is_malformed(v, bytes, one, two, three) {
            break;
        }
        at = start + 32;
    }
    at - cut([src[at - 3], src[at - 2], src[at - 1]])
}

/// Whether no byte of a stretch is wrong after those before it.
///
/// # Safety
/// Its bytes are readable, and three before them.
#[inline(always)]
unsafe fn is_right(v: Token, from: *const u8) -> bool {
    let starts = [0, 32, 64, 96, 128, 160, 192, 224];
    // SAFETY: all blocks lie within the stretch; the rest is the contract of this function.
    unsafe {
        let blocks = map_array(starts, |i| v.load(from.add(i)));
        let any = blocks.iter().fold(blocks[0], |a, &b| v.or(a, b));
        // A lead byte asks for up to three bytes after it.
        let before = from.sub(3).cast::<[u8; 3]>().read();
        if !v.any(v.movemask(any)) && before.is_ascii() {
            return true;
        }
        let faults_at = |at: *const u8| {
            let [bytes, one, two, three] = with_preceding(v, at);
            faults(v, bytes, one, two, three)
        };
        // By twos, as there are not registers enough for eight.
        let of_two = |i| v.or(faults_at(from.add(i)), faults_at(from.add(i + 32)));
        let [a, b, c, d] = map_array([0, 64, 128, 192], of_two);
        let wrong = v.or(v.or(a, b), v.or(c, d));
        v.is_zero(wrong)
    }
}
