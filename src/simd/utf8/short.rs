//! Validation of short UTF-8 without a branch on what stands in it: up to 64 bytes, as bits.
//!
//! In so little text a loop over characters is branches that nobody foresees. Here each property of a byte is a bit of a
//! word, and what must follow a lead is that word, shifted. Characters of four bytes are left to others.

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_cvtsi32_si128, _mm_loadl_epi64,
    _mm_loadu_si128, _mm_max_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
};

/// A bit for each byte.
const MOST: usize = u64::BITS as usize;
/// Bytes in a register, in half of one and in a quarter.
const WHOLE: usize = 16;
const HALF: usize = 8;
const QUARTER: usize = 4;

/// Calls `note` with every register of `src`, the place of its first byte, and a bit for each of its bytes; the last ones
/// again where the length is no multiple. Whether `src` is as long as that can be.
#[inline(always)]
fn registers(src: &[u8], mut note: impl FnMut(__m128i, usize, u64)) -> bool {
    match src.len() {
        QUARTER..HALF => {
            for at in [0, src.len() - QUARTER] {
                // SAFETY: 4 bytes are readable from `at` on; the crate is compiled for SSE2.
                let bytes = unsafe {
                    _mm_cvtsi32_si128(src.as_ptr().add(at).cast::<i32>().read_unaligned())
                };
                note(bytes, at, 0xF);
            }
            true
        }
        HALF..WHOLE => {
            for at in [0, src.len() - HALF] {
                // SAFETY: 8 bytes are readable from `at` on; the crate is compiled for SSE2.
                let bytes = unsafe { _mm_loadl_epi64(src.as_ptr().add(at).cast()) };
                note(bytes, at, 0xFF);
            }
            true
        }
        WHOLE..=MOST => {
            let last = src.len() - WHOLE;
            let mut at = 0;
            loop {
                // SAFETY: `at` is at most `last`, so that 16 bytes are readable; the crate is compiled for SSE2.
                let bytes = unsafe { _mm_loadu_si128(src.as_ptr().add(at).cast()) };
                note(bytes, at, 0xFFFF);
                if at == last {
                    return true;
                }
                at = last.min(at + WHOLE);
            }
        }
        _ => false,
    }
}

/// A register of the same bytes.
#[inline(always)]
fn all(byte: u8) -> __m128i {
    // SAFETY: the crate is compiled for SSE2.
    unsafe { _mm_set1_epi8(byte as i8) }
}

/// Marks what is `byte` or above.
#[inline(always)]
fn at_least(bytes: __m128i, byte: u8) -> __m128i {
    // SAFETY: the crate is compiled for SSE2.
    unsafe { _mm_cmpeq_epi8(_mm_max_epu8(bytes, all(byte)), bytes) }
}

/// Marks what is `byte`.
#[inline(always)]
fn equal(bytes: __m128i, byte: u8) -> __m128i {
    // SAFETY: the crate is compiled for SSE2.
    unsafe { _mm_cmpeq_epi8(bytes, all(byte)) }
}

/// A bit for each byte by its top bit.
#[inline(always)]
fn bits(marks: __m128i) -> u64 {
    // SAFETY: the crate is compiled for SSE2.
    unsafe { _mm_movemask_epi8(marks) as u64 }
}

/// Whether all of `src` is UTF-8 of 4 to 64 bytes and up to three bytes a character. No says nothing.
#[inline]
pub(super) fn is_valid(src: &[u8]) -> bool {
    let (mut others, mut continuations, mut threes) = (0, 0, 0);
    let mut faults = all(0);
    let mut rare = faults;
    let short = registers(src, |bytes, at, mask| {
        others |= (bits(bytes) & mask) << at;
        threes |= (bits(at_least(bytes, 0xE0)) & mask) << at;
        // SAFETY: the crate is compiled for SSE2.
        unsafe {
            // As signed numbers.
            continuations |= (bits(_mm_cmplt_epi8(bytes, all(0xC0))) & mask) << at;
            let overlong = equal(_mm_and_si128(bytes, all(0xFE)), 0xC0);
            faults = _mm_or_si128(faults, _mm_or_si128(overlong, at_least(bytes, 0xF0)));
            rare = _mm_or_si128(rare, _mm_or_si128(equal(bytes, 0xE0), equal(bytes, 0xED)));
        }
    });
    // There are bits beyond the last byte's, where nothing may be awaited.
    let leads = u128::from(others & !continuations);
    let awaited = leads << 1 | u128::from(threes) << 2;
    short
        && awaited == u128::from(continuations)
        && bits(faults) == 0
        && (bits(rare) == 0 || are_rare_valid(src))
}

/// Whether what must not follow 0xE0 and 0xED, overlong sequences and surrogates, does not.
#[inline(never)]
fn are_rare_valid(src: &[u8]) -> bool {
    let (mut high, mut least, mut surrogates) = (0, 0, 0);
    registers(src, |bytes, at, mask| {
        high |= (bits(at_least(bytes, 0xA0)) & mask) << at;
        least |= (bits(equal(bytes, 0xE0)) & mask) << at;
        surrogates |= (bits(equal(bytes, 0xED)) & mask) << at;
    });
    ((least << 1 & !high) | (surrogates << 1 & high)) == 0
}
