//! UTF-8, validated: as when it is copied, but that faults are asked for once in 256 bytes.
//!
//! Times simdutf8, which looks for ASCII in 64 bytes at a time: 1.1 to 1.3 on plain text, 1.2 to 1.9 on text with markup,
//! where a branch on so few bytes is a coin toss; English 0.95 to 1.05. Measured and slower: 128 bytes at a time (0.8); of
//! four parts of a stretch one alone where the others are ASCII (0.6 to 0.9).

use core::arch::x86_64::{
    _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_max_epu8, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_testz_si256,
};

use super::super::super::arrays::each;
use super::super::super::sequence::cut_leads;
use super::super::super::token::Avx2;
use super::super::cut;
use super::LEAST;
use super::copy::{after_zeros, behind, faults, is_malformed, starts_right};

/// Bytes that are looked at together.
const STRETCH: usize = 256;

/// The length of a prefix of `src` that is UTF-8, and ends at a character. What is left may be long only if it starts with a
/// fault within 32 bytes; input of fewer than [`LEAST`] bytes is not looked at.
#[inline(always)]
pub(in crate::simd) fn utf8_prefix_len(_: Avx2, src: &[u8]) -> usize {
    // SAFETY: holding `Avx2` proves detection succeeded.
    unsafe { measure(src) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn measure(src: &[u8]) -> usize {
    let n = src.len();
    if !starts_right(src) {
        return 0;
    }
    // From where blocks are aligned, if three bytes are before that: a tenth, in English.
    let aligned = 32 - src.as_ptr().addr() % 32;
    let mut at = if aligned < 3 { 32 } else { aligned };
    // SAFETY: there are as many bytes, and three before them.
    while n - at >= STRETCH && unsafe { is_right(src.as_ptr().add(at)) } {
        at += STRETCH;
    }
    // The rest, or up to a fault.
    while at < n {
        // The last block overlaps the one before it, over bytes that are right.
        let start = at.min(n - 32);
        // SAFETY: 3 <= start <= n - 32.
        let [bytes, one, two, three] = unsafe { behind(src.as_ptr().add(start)) };
        if is_malformed(bytes, one, two, three) {
            break;
        }
        at = start + 32;
    }
    at - cut([src[at - 3], src[at - 2], src[at - 1]])
}

/// Whether `src`, of [`LEAST`] bytes or more, is UTF-8, without a branch on what stands in it: for short input.
#[inline(always)]
pub(in crate::simd) fn is_few_and_valid(_: Avx2, src: &[u8]) -> bool {
    // SAFETY: holding `Avx2` proves detection succeeded.
    unsafe { is_valid(src) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn is_valid(src: &[u8]) -> bool {
    let n = src.len();
    assert!(n >= LEAST);
    // SAFETY: there are more bytes than a register has.
    let mut last = unsafe { _mm256_loadu_si256(src.as_ptr().cast()) };
    let [bytes, one, two, three] = after_zeros(last);
    let mut wrong = faults(bytes, one, two, three);
    let mut at = 32;
    while at < n {
        // The last block overlaps the one before it.
        let start = at.min(n - 32);
        // SAFETY: 3 <= start <= n - 32.
        let [bytes, one, two, three] = unsafe { behind(src.as_ptr().add(start)) };
        wrong = _mm256_or_si256(wrong, faults(bytes, one, two, three));
        last = bytes;
        at += 32;
    }
    // SAFETY: 32 bytes are read from an array of 32.
    let least = unsafe { _mm256_loadu_si256(const { &cut_leads::<32>() }.as_ptr().cast()) };
    // Anything but 0 where a byte is a lead that the end cuts; 0xFF is nowhere right.
    let cut = _mm256_cmpeq_epi8(_mm256_max_epu8(last, least), last);
    _mm256_testz_si256(wrong, wrong) != 0 && _mm256_testz_si256(cut, cut) != 0
}

/// Whether no byte of a stretch is wrong after those before it.
///
/// # Safety
/// Its bytes are readable, and three before them.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline]
unsafe fn is_right(from: *const u8) -> bool {
    let starts = [0, 32, 64, 96, 128, 160, 192, 224];
    // SAFETY: all blocks lie within the stretch; the rest is the contract of this function.
    unsafe {
        let blocks = each(starts, |i| _mm256_loadu_si256(from.add(i).cast()));
        let any = blocks.iter().fold(blocks[0], |a, &b| _mm256_or_si256(a, b));
        // What is not ASCII may ask for what follows it, up to three bytes behind.
        let before = from.sub(3).cast::<[u8; 3]>().read();
        if _mm256_movemask_epi8(any) == 0 && before.is_ascii() {
            return true;
        }
        let faults_at = |at: *const u8| {
            let [bytes, one, two, three] = behind(at);
            faults(bytes, one, two, three)
        };
        // By twos, as there are not registers enough for eight.
        let of_two = |i| _mm256_or_si256(faults_at(from.add(i)), faults_at(from.add(i + 32)));
        let [a, b, c, d] = each([0, 64, 128, 192], of_two);
        let wrong = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        _mm256_testz_si256(wrong, wrong) != 0
    }
}
