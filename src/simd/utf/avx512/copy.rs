//! UTF-8 to UTF-8: validates and copies in one pass, 64 bytes at a time.
//!
//! Uses the look-up of Keiser and Lemire ("Validating UTF-8 In Less Than One Instruction Per Byte", 2021). Three nibble
//! tables find the errors in two adjacent bytes, and a saturating subtraction finds where third and fourth bytes must
//! be. A block is known to be valid except for a character cut by its end, at most three bytes. So the store is three
//! bytes behind the load, and no mask delays the next block. A branch for ASCII in each block costs more than it saves,
//! as it is unpredictable in markup (5 GB/s with it, 13 without). A look-ahead of four blocks, which becomes rarer
//! while it fails, raises English from 18 to 27 GB/s and costs other text almost nothing.

use crate::simd::tuning;
use core::arch::x86_64::*;

use super::super::super::arrays::map_array;
use super::super::super::level::Avx512;
use super::super::super::registers::{load_from, prefetch_input};
use super::super::super::utf8_encode::cut_leads;
use super::super::{cut, lookup};
use super::block::Block;
use super::{counting, first, register};

/// Copies the longest prefix that is UTF-8 if `COPY`, otherwise only validates it. Returns its length.
///
/// # Safety
/// `room` bytes at `dst` are writable if `COPY`.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(in crate::simd) unsafe fn utf8_to_utf8<const COPY: bool>(
    _: Avx512,
    src: &[u8],
    dst: *mut u8,
    room: usize,
) -> usize {
    let n = src.len().min(room);
    let mut at = 0;
    if n >= 67 {
        // SAFETY: `n <= src.len()` bytes are readable and `n <= room` writable; `67 <= n`.
        at = unsafe { blocks::<COPY>(src.as_ptr(), dst, n) };
    }
    while at < src.len() {
        let len = (src.len() - at).min(64);
        // SAFETY: `at + len <= src.len()`, because `len` is at most the number of bytes left.
        let mut block = unsafe { Block::load(src.as_ptr().add(at), len) };
        block.limit_bytes(room - at);
        if COPY {
            // SAFETY: the mask selects `block.len <= room - at` bytes, ensured by `limit_bytes`.
            unsafe { _mm512_mask_storeu_epi8(dst.add(at).cast(), first(block.len), block.bytes) };
        }
        at += block.len;
        if !block.clean {
            break;
        }
    }
    at
}

/// True if `src` is UTF-8. Has no data-dependent branch, for short input. For 65 or 66 bytes, `false` is inconclusive.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(in crate::simd) fn is_few_and_valid(_: Avx512, src: &[u8]) -> bool {
    let n = src.len();
    if (65..67).contains(&n) {
        return false;
    }
    let mut last = load_from(src, 0);
    let [bytes, one, two, three] = after_zeros(last);
    let mut wrong = faults(bytes, one, two, three);
    let mut at = 64;
    while at < n {
        // The last block overlaps the one before it.
        let start = at.min(n - 64);
        // SAFETY: `3 <= start <= n - 64`, as `n >= 67` if there is a second block.
        let [bytes, one, two, three] =
            unsafe { map_array([0, 1, 2, 3], |back| load(src.as_ptr().add(start - back))) };
        wrong = _mm512_or_si512(wrong, faults(bytes, one, two, three));
        last = bytes;
        at += 64;
    }
    // Finds leads whose character the end cuts. If the last block is not full, `wrong` already shows them.
    (_mm512_test_epi8_mask(wrong, wrong)
        | _mm512_cmpge_epu8_mask(last, const { register(cut_leads()) }))
        == 0
}

/// Returns the bytes at the start of the input, and these shifted by one, two and three bytes, with zeros moved in.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
fn after_zeros(bytes: __m512i) -> [__m512i; 4] {
    [
        bytes,
        _mm512_maskz_permutexvar_epi8(!1, const { counting(255) }, bytes),
        _mm512_maskz_permutexvar_epi8(!3, const { counting(254) }, bytes),
        _mm512_maskz_permutexvar_epi8(!7, const { counting(253) }, bytes),
    ]
}

/// Copies blocks up to the first one with an error, or all. Ends at a character boundary.
///
/// # Safety
/// `67 <= n`. `n` bytes at `src` are readable, and if `COPY`, `n` at `dst` are writable.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline(never)]
unsafe fn blocks<const COPY: bool>(src: *const u8, dst: *mut u8, n: usize) -> usize {
    // SAFETY: 64 bytes are readable: `67 <= n`, by `# Safety`.
    let [bytes, one, two, three] = after_zeros(unsafe { load(src) });
    if is_malformed(bytes, one, two, three) {
        return 0;
    }
    if COPY {
        // SAFETY: the mask selects 61 bytes, and `61 <= n`.
        unsafe { _mm512_mask_storeu_epi8(dst.cast(), first(61), bytes) };
    }
    // Aligns the loads if three bytes precede them, which gains 5 %. A copy cannot align both loads and stores.
    let aligned = 64 - src.addr() % 64;
    let mut at = if COPY || aligned < 3 { 64 } else { aligned };
    let (mut looks, mut vain) = (0_u32, tuning::PROBES_IN_UTF8[0]);
    while at < n {
        // A probe for a run of ASCII pays off, but not soon after a probe that found none.
        if looks == 0 {
            // SAFETY: `at <= n`, by the loop condition, and `at >= 3` from the start.
            let between = unsafe { src.add(at - 1).read() } < 0x80;
            let from = at;
            while between && n - at >= tuning::ASCII_AHEAD {
                if !COPY {
                    // Without a copy, reads are the bottleneck.
                    prefetch_input::<4>(src, at, n);
                }
                // SAFETY: `n - at >= AHEAD`, by the loop condition.
                let blocks = unsafe { map_array([0, 64, 128, 192], |i| load(src.add(at + i))) };
                let [a, b, c, d] = blocks;
                let any = _mm512_ternarylogic_epi32::<0xFE>(a, b, c);
                if _mm512_movepi8_mask(_mm512_or_si512(any, d)) != 0 {
                    break;
                }
                if COPY {
                    for (i, block) in blocks.into_iter().enumerate() {
                        // SAFETY: `n - at >= AHEAD`, by the loop condition, and `n` bytes are writable at `dst`.
                        unsafe { _mm512_storeu_si512(dst.add(at + 64 * i).cast(), block) };
                    }
                }
                at += tuning::ASCII_AHEAD;
            }
            vain = if at > from {
                tuning::PROBES_IN_UTF8[0]
            } else {
                (2 * vain).min(tuning::PROBES_IN_UTF8[1])
            };
            looks = vain;
            if at > from && COPY {
                // SAFETY: `from >= 3`, the first value of `at`, which only grows; `from <= at <= n`, by the loop condition.
                unsafe { core::ptr::copy_nonoverlapping(src.add(from - 3), dst.add(from - 3), 3) };
            }
            if at == n {
                break;
            }
        }
        looks -= 1;
        // The last block overlaps the one before it, over equal bytes.
        let start = at.min(n - 64);
        // SAFETY: `start` is at least 3, because `at >= 3` and `n >= 67`, and at most `n - 64`, by `min`.
        let [bytes, one, two, three] =
            unsafe { map_array([0, 1, 2, 3], |back| load(src.add(start - back))) };
        if is_malformed(bytes, one, two, three) {
            break;
        }
        if COPY {
            // SAFETY: `start - 3 + 64 <= n`, and `n` bytes are writable at `dst`.
            unsafe { _mm512_storeu_si512(dst.add(start - 3).cast(), three) };
        }
        at = start + 64;
    }
    // SAFETY: `at >= 3`, its first value, and `at <= n`, as each step adds only bytes before `n`.
    let cut = cut(unsafe { map_array([3, 2, 1], |back| src.add(at - back).read()) });
    if COPY {
        // SAFETY: `3 <= at <= n`, and `n` bytes are writable at `dst`; at most three before `at` are copied.
        unsafe { core::ptr::copy_nonoverlapping(src.add(at - 3), dst.add(at - 3), 3 - cut) };
    }
    at - cut
}

/// # Safety
/// 64 bytes at `from` are readable.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
unsafe fn load(from: *const u8) -> __m512i {
    // SAFETY: by `# Safety`, 64 bytes at `from` are readable.
    unsafe { _mm512_loadu_si512(from.cast()) }
}

/// True if a byte is wrong after the three bytes before it, which are in `one`, `two` and `three`.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
fn is_malformed(bytes: __m512i, one: __m512i, two: __m512i, three: __m512i) -> bool {
    let wrong = faults(bytes, one, two, three);
    _mm512_test_epi8_mask(wrong, wrong) != 0
}

/// Returns non-zero lanes for bytes that are wrong after the three bytes before them: see [`is_malformed`].
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
fn faults(bytes: __m512i, one: __m512i, two: __m512i, three: __m512i) -> __m512i {
    let nibble = _mm512_set1_epi8(0x0F);
    let high = |bytes| _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), nibble);
    let after_high = _mm512_shuffle_epi8(const { table(lookup::LEAD_HIGH) }, high(one));
    let after_low = _mm512_shuffle_epi8(
        const { table(lookup::LEAD_LOW) },
        _mm512_and_si512(one, nibble),
    );
    let of_second = _mm512_shuffle_epi8(const { table(lookup::SECOND_HIGH) }, high(bytes));
    const AND: i32 = 0b1000_0000;
    let wrong = _mm512_ternarylogic_epi32::<AND>(after_high, after_low, of_second);
    // Bit 7 is set if a lead two or three bytes before requires a continuation byte.
    let third = _mm512_subs_epu8(two, _mm512_set1_epi8(0x60));
    let fourth = _mm512_subs_epu8(three, _mm512_set1_epi8(0x70));
    let tail = _mm512_and_si512(
        _mm512_or_si512(third, fourth),
        _mm512_set1_epi8(0x80_u8 as i8),
    );
    _mm512_xor_si512(wrong, tail)
}

/// Repeats a table of 16 bytes in each 128-bit lane.
const fn table(bytes: [u8; 16]) -> __m512i {
    let mut all = [0; 64];
    let mut i = 0;
    while i < 64 {
        all[i] = bytes[i % 16];
        i += 1;
    }
    register(all)
}
