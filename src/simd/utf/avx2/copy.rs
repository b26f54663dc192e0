//! UTF-8 to UTF-8: validate and copy in one pass, 32 bytes at a time.
//!
//! Keiser and Lemire's lookup ("Validating UTF-8 In Less Than One Instruction Per Byte", 2021). A block is known to be
//! right up to the character that its end may cut, three bytes at most: so the store lies three bytes before the load.
//! ASCII is looked for in 256 bytes at once: markup makes the branch
//! on one block a coin toss, which halves the speed.

use core::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_alignr_epi8, _mm256_and_si256, _mm256_broadcastsi128_si256,
    _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_permute2x128_si256,
    _mm256_set1_epi8, _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_storeu_si256,
    _mm256_subs_epu8, _mm256_testz_si256, _mm256_xor_si256,
};

use super::super::super::arrays::each;
use super::super::super::token::Avx2;
use super::super::{cut, lookup};
use super::LEAST;

/// Copies blocks up to the first that has a fault, or all; returns their length, which ends at a character. Input of
/// fewer than [`LEAST`] bytes is not touched.
///
/// # Safety
/// `room` bytes at `dst` are writable.
#[inline(always)]
pub(in super::super) unsafe fn utf8_to_utf8(
    _: Avx2,
    src: &[u8],
    dst: *mut u8,
    room: usize,
) -> usize {
    // SAFETY: holding `Avx2` proves detection succeeded; the rest is the contract of this function.
    unsafe { convert(src, dst, room) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
unsafe fn convert(src: &[u8], dst: *mut u8, room: usize) -> usize {
    let n = src.len().min(room);
    if !starts_right(&src[..n]) {
        return 0;
    }
    // SAFETY: 29 bytes are readable and writable.
    unsafe { dst.copy_from_nonoverlapping(src.as_ptr(), 29) };
    let mut at = 32;
    while at < n {
        if n - at >= 256 {
            // SAFETY: 3 <= at <= n - 256.
            let run: [__m256i; 8] = each([0, 32, 64, 96, 128, 160, 192, 224], |i| unsafe {
                _mm256_loadu_si256(src.as_ptr().add(at - 3 + i).cast())
            });
            let any = run.iter().fold(run[0], |a, &b| _mm256_or_si256(a, b));
            if _mm256_movemask_epi8(any) == 0 && src[at + 253..at + 256].is_ascii() {
                for (i, bytes) in run.into_iter().enumerate() {
                    // SAFETY: as above.
                    unsafe { _mm256_storeu_si256(dst.add(at - 3 + 32 * i).cast(), bytes) };
                }
                at += 256;
                continue;
            }
        }
        let end = n.min(at + 256);
        while at < end {
            // The last block overlaps the one before it, over bytes that are equal.
            let start = at.min(n - 32);
            // SAFETY: 3 <= start <= n - 32.
            let [bytes, one, two, three] = unsafe { behind(src.as_ptr().add(start)) };
            if is_malformed(bytes, one, two, three) {
                break;
            }
            // SAFETY: as above.
            unsafe { _mm256_storeu_si256(dst.add(start - 3).cast(), three) };
            at = start + 32;
        }
        if at < end {
            break;
        }
    }
    // What the last block has before the character that it cut.
    let cut = cut([src[at - 3], src[at - 2], src[at - 1]]);
    // SAFETY: at most three bytes, all before `at`, which is at most `n`.
    unsafe {
        dst.add(at - 3)
            .copy_from_nonoverlapping(src[at - 3..].as_ptr(), 3 - cut);
    }
    at - cut
}

/// Whether there are [`LEAST`] bytes, and the first 32 are right, but for a character that may go on.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn starts_right(src: &[u8]) -> bool {
    if src.len() < LEAST {
        return false;
    }
    // SAFETY: 32 bytes are readable, as just compared.
    let bytes = unsafe { _mm256_loadu_si256(src.as_ptr().cast()) };
    let [bytes, one, two, three] = after_zeros(bytes);
    !is_malformed(bytes, one, two, three)
}

/// The bytes at a place, and those one, two and three before them.
///
/// # Safety
/// 32 bytes are readable there, and three before them.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) unsafe fn behind(from: *const u8) -> [__m256i; 4] {
    // SAFETY: the contract of this function.
    each([0, 1, 2, 3], |back| unsafe {
        _mm256_loadu_si256(from.sub(back).cast())
    })
}

/// The bytes at the start of the input, and those one, two and three before them: zeros before the first.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn after_zeros(bytes: __m256i) -> [__m256i; 4] {
    let before = _mm256_permute2x128_si256::<0x08>(bytes, bytes);
    [
        bytes,
        _mm256_alignr_epi8::<15>(bytes, before),
        _mm256_alignr_epi8::<14>(bytes, before),
        _mm256_alignr_epi8::<13>(bytes, before),
    ]
}

/// Whether a byte is wrong after those one, two and three before it.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn is_malformed(bytes: __m256i, one: __m256i, two: __m256i, three: __m256i) -> bool {
    let wrong = faults(bytes, one, two, three);
    _mm256_testz_si256(wrong, wrong) == 0
}

/// [`is_malformed`] for each byte: anything but 0.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn faults(bytes: __m256i, one: __m256i, two: __m256i, three: __m256i) -> __m256i {
    let nibble = _mm256_set1_epi8(0x0F);
    let high = |bytes| _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibble);
    let after_high = _mm256_shuffle_epi8(table(&lookup::LEAD_HIGH), high(one));
    let after_low = _mm256_shuffle_epi8(table(&lookup::LEAD_LOW), _mm256_and_si256(one, nibble));
    let of_second = _mm256_shuffle_epi8(table(&lookup::SECOND_HIGH), high(bytes));
    let wrong = _mm256_and_si256(_mm256_and_si256(after_high, after_low), of_second);
    // Bit 7 is set where a lead two or three bytes before asks for a continuation.
    let third = _mm256_subs_epu8(two, _mm256_set1_epi8(0x60));
    let fourth = _mm256_subs_epu8(three, _mm256_set1_epi8(0x70));
    let tail = _mm256_and_si256(
        _mm256_or_si256(third, fourth),
        _mm256_set1_epi8(0x80_u8 as i8),
    );
    _mm256_xor_si256(wrong, tail)
}

#[target_feature(enable = "avx2")]
#[inline]
fn table(bytes: &[u8; 16]) -> __m256i {
    // SAFETY: 16 bytes are read from an array of 16.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
}
