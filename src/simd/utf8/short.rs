//! Validation of short UTF-8 without a branch on what stands in it, by SSE2, where x86-64 is compiled for it.
//!
//! In so little text a loop over characters is branches that nobody foresees. Here each byte of a register is compared, and
//! what must follow a lead is compared with the bytes one and two before. Characters of four bytes are left to others.

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_loadu_si128,
    _mm_max_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_slli_si128,
    _mm_subs_epu8, _mm_xor_si128,
};

use super::super::arrays::{each, padded};
use super::super::sequence::cut_leads;

/// Bytes in a register.
const WHOLE: usize = 16;

/// Whether all of `src` is UTF-8 of 4 bytes or more and up to three bytes a character. No says nothing.
#[inline]
pub(super) fn is_valid(src: &[u8]) -> bool {
    if src.len() < WHOLE {
        // Behind the last byte are zeros, before which no character is cut.
        return padded(src).is_some_and(|[low, high]| {
            // SAFETY: the crate is compiled for SSE2.
            let bytes = unsafe { _mm_set_epi64x(high as i64, low as i64) };
            are_clear(faults(after_zeros(bytes)))
        });
    }
    // Two bytes before the last register are read.
    src.len() != WHOLE + 1 && is_long_valid(src)
}

/// `src` has a register's bytes, or two more, or above.
#[inline(never)]
fn is_long_valid(src: &[u8]) -> bool {
    let len = src.len();
    assert!(len == WHOLE || len >= WHOLE + 2);
    // SAFETY: there are as many bytes as a register has.
    let mut last = unsafe { load(src.as_ptr()) };
    let mut wrong = faults(after_zeros(last));
    let mut at = WHOLE;
    while at < len {
        // The last register overlaps the one before it.
        let start = at.min(len - WHOLE);
        // SAFETY: 2 <= start <= len - WHOLE.
        let bytes = each([0, 1, 2], |back| unsafe {
            load(src.as_ptr().add(start - back))
        });
        // SAFETY: the crate is compiled for SSE2.
        wrong = unsafe { _mm_or_si128(wrong, faults(bytes)) };
        last = bytes[0];
        at += WHOLE;
    }
    // SAFETY: the crate is compiled for SSE2, and an array of WHOLE bytes is read.
    unsafe {
        let least = load(const { &cut_leads::<WHOLE>() }.as_ptr());
        let cut = _mm_cmpeq_epi8(_mm_max_epu8(last, least), last);
        are_clear(_mm_or_si128(wrong, cut))
    }
}

/// # Safety
/// 16 bytes at `from` are readable.
#[inline(always)]
unsafe fn load(from: *const u8) -> __m128i {
    // SAFETY: the contract of this function; the crate is compiled for SSE2.
    unsafe { _mm_loadu_si128(from.cast()) }
}

/// The bytes at the start of the input, and those one and two before them: zeros before the first.
#[inline(always)]
fn after_zeros(bytes: __m128i) -> [__m128i; 3] {
    // SAFETY: the crate is compiled for SSE2.
    unsafe {
        [
            bytes,
            _mm_slli_si128::<1>(bytes),
            _mm_slli_si128::<2>(bytes),
        ]
    }
}

/// Marks bytes that are wrong after those one and two before them, or of characters of four bytes, by anything but 0.
#[inline(always)]
fn faults([bytes, one, two]: [__m128i; 3]) -> __m128i {
    // SAFETY: the crate is compiled for SSE2.
    unsafe {
        let all = |byte: u8| _mm_set1_epi8(byte as i8);
        let either = |a, b| _mm_or_si128(a, b);
        // As signed numbers: continuations, and those with which neither overlong sequences nor surrogates are told.
        let is_tail = _mm_cmplt_epi8(bytes, all(0xC0));
        let is_low = _mm_cmplt_epi8(bytes, all(0xA0));
        // Bit 7 is set where a lead one or two bytes before asks for a continuation.
        let awaited = either(_mm_subs_epu8(one, all(0x40)), _mm_subs_epu8(two, all(0x60)));
        let misplaced = _mm_and_si128(_mm_xor_si128(is_tail, awaited), all(0x80));
        let overlong = either(
            _mm_cmpeq_epi8(_mm_and_si128(bytes, all(0xFE)), all(0xC0)),
            _mm_and_si128(is_low, _mm_cmpeq_epi8(one, all(0xE0))),
        );
        let surrogate = _mm_andnot_si128(is_low, _mm_cmpeq_epi8(one, all(0xED)));
        let four = _mm_subs_epu8(bytes, all(0xEF));
        either(either(misplaced, four), either(overlong, surrogate))
    }
}

/// Whether nothing is marked.
#[inline(always)]
fn are_clear(marks: __m128i) -> bool {
    // SAFETY: the crate is compiled for SSE2.
    unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(marks, _mm_set1_epi8(0))) == 0xFFFF }
}
