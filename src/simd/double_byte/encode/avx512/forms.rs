//! UTF-8 and UTF-16 as input: the first and the third pass over a block.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::utf8_floor;
use super::{AHEAD, Block, CHARACTERS, Characters, Input};
use crate::simd::ascii::{copy_ascii, narrow_ascii};
use crate::simd::double_byte::{Utf8, Utf16};
use crate::simd::out::Out;
use crate::simd::prefetch;
use crate::simd::registers::{load_from, load_units_from};
use crate::simd::surrogates::is_lead;

/// Stores the bytes selected by `lanes`, at most 32, at index `at`.
///
/// # Safety
/// `at + 32 <= CHARACTERS`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
unsafe fn put(to: &mut MaybeUninit<[u8; CHARACTERS]>, at: usize, lanes: u64, bytes: __m512i) {
    let bytes = _mm512_castsi512_si256(_mm512_maskz_compress_epi8(lanes, bytes));
    // SAFETY: 32 bytes are stored, and `at + 32 <= CHARACTERS` by `# Safety`.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast::<u8>().add(at).cast(), bytes) };
}

/// UTF-8, which is valid, as it comes from a `str`.
// SAFETY: the functions report the elements that their stores initialise; each store states its bound.
unsafe impl Input for Utf8 {
    const LEN: usize = 64;
    const READ_PADDING: usize = 2;

    fn ascii(src: &[u8], out: &mut Out<'_, u8>) -> usize {
        copy_ascii(src, out)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    unsafe fn is_ascii(src: &[u8]) -> bool {
        src.len() >= 64 && _mm512_movepi8_mask(load_from(src, 0)) == 0
    }

    #[inline(always)]
    fn floor(src: &[u8], whole: usize) -> usize {
        utf8_floor(src, whole)
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn find<const WHOLE: bool>(
        src: &[u8],
        start: usize,
        limit: u64,
        characters: &mut Characters,
        at: usize,
    ) -> u64 {
        let (first, second, third) = if WHOLE {
            // SAFETY: 64 bytes and two after them are readable from `start` on, by `# Safety` of `Input::find`.
            unsafe {
                let src = src.as_ptr().add(start);
                prefetch::to_read::<1, _>(src.wrapping_add(AHEAD));
                (
                    _mm512_loadu_si512(src.cast()),
                    _mm512_loadu_si512(src.add(1).cast()),
                    _mm512_loadu_si512(src.add(2).cast()),
                )
            }
        } else {
            (
                load_from(src, start),
                load_from(src, start + 1),
                load_from(src, start + 2),
            )
        };
        // In valid UTF-8 only leads are at least 0xC0.
        let mut leads = _mm512_cmpge_epu8_mask(first, _mm512_set1_epi8(0xC0_u8 as i8));
        if !WHOLE {
            leads &= limit;
        }
        // SAFETY: a block has at most 32 leads, and there is capacity for 32, by `# Safety` of `Input::find`.
        unsafe {
            let [firsts, seconds, thirds] = &mut characters.bytes;
            put(firsts, at, leads, first);
            put(seconds, at, leads, second);
            put(thirds, at, leads, third);
        }
        leads
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn code_points(characters: &mut Characters, count: usize) {
        let [first, second, third] = characters.bytes.each_mut();
        let [first, second, third]: [*mut u8; 3] = [
            first.as_mut_ptr().cast(),
            second.as_mut_ptr().cast(),
            third.as_mut_ptr().cast(),
        ];
        for bytes in [first, second, third] {
            // SAFETY: there is capacity for 32 more than `count` characters, by `# Safety` of `Input::code_points`.
            unsafe { _mm256_storeu_si256(bytes.add(count).cast(), _mm256_setzero_si256()) };
        }
        let to: *mut u16 = characters.code_points.as_mut_ptr().cast();
        let set = |value: i16| _mm512_set1_epi16(value);
        for at in (0..count).step_by(32) {
            // SAFETY: `count` characters and 32 zeros after them are initialised.
            let load = |bytes: *mut u8| unsafe {
                _mm512_cvtepu8_epi16(_mm256_loadu_si256(bytes.add(at).cast()))
            };
            let (first, second, third) = (load(first), load(second), load(third));
            let second = _mm512_and_si512(second, set(0x3F));
            let middle = _mm512_slli_epi16::<6>(second);
            // second | first << 6 & 0x1F << 6
            let of_two = _mm512_ternarylogic_epi32::<0xF8>(
                second,
                _mm512_slli_epi16::<6>(first),
                set(0x1F << 6),
            );
            // first << 12 | middle | third & 0x3F
            let of_three = _mm512_ternarylogic_epi32::<0xFE>(
                _mm512_slli_epi16::<12>(first),
                middle,
                _mm512_and_si512(third, set(0x3F)),
            );
            let three = _mm512_cmpge_epu16_mask(first, set(0xE0));
            // SAFETY: `at + 32 <= count + 31`, and there is capacity for that, by `# Safety` of `Input::code_points`.
            unsafe {
                let code_points = _mm512_mask_mov_epi16(of_two, three, of_three);
                let four = _mm512_cmpge_epu16_mask(first, set(0xF0));
                let code_points = _mm512_mask_mov_epi16(code_points, four, set(0xD800_u16 as i16));
                _mm512_storeu_si512(to.add(at).cast(), code_points);
            }
        }
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn merge<const WHOLE: bool>(
        block: &Block,
        src: &[u8],
        looked_up: *const u8,
    ) -> (__m512i, u64) {
        let bytes = if WHOLE {
            // SAFETY: `WHOLE` means that 64 bytes are readable at `block.start`.
            unsafe { _mm512_loadu_si512(src.as_ptr().add(block.start).cast()) }
        } else {
            load_from(src, block.start)
        };
        // A second byte goes to the position after its lead; all other continuation bytes are dropped.
        let after = block.leads << 1 | u64::from(block.carry);
        // Signed: 0x80 to 0xBF are below -64.
        let mut starts = _mm512_cmpge_epi8_mask(bytes, _mm512_set1_epi8(0xC0_u8 as i8));
        if !WHOLE {
            starts &= block.limit;
        }
        // SAFETY: 64 bytes at `looked_up` and one before are readable, by `# Safety` of `Input::merge`.
        let looked_up =
            unsafe { _mm512_loadu_si512(looked_up.sub(usize::from(block.carry)).cast()) };
        let bytes = _mm512_mask_expand_epi8(bytes, block.leads | after, looked_up);
        let keep = starts | _mm512_mask_test_epi8_mask(after, bytes, bytes);
        (bytes, keep)
    }
}

/// Mask of the low bytes of code units.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// UTF-16. Surrogates have no values, so they end the prefix.
// SAFETY: the functions report the elements that their stores initialise; each store states its bound.
unsafe impl Input for Utf16 {
    const LEN: usize = 32;
    const READ_PADDING: usize = 0;

    fn ascii(src: &[u16], out: &mut Out<'_, u8>) -> usize {
        narrow_ascii(src, out)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    unsafe fn is_ascii(src: &[u16]) -> bool {
        src.len() >= 32
            && _mm512_cmpge_epu16_mask(load_units_from(src, 0), _mm512_set1_epi16(0x80)) == 0
    }

    #[inline(always)]
    fn floor(src: &[u16], whole: usize) -> usize {
        // Does not cut a surrogate pair.
        match whole.checked_sub(1).and_then(|last| src.get(last)) {
            Some(&unit) if is_lead(unit) => whole - 1,
            _ => whole,
        }
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn find<const WHOLE: bool>(
        src: &[u16],
        start: usize,
        limit: u64,
        characters: &mut Characters,
        at: usize,
    ) -> u64 {
        let units = if WHOLE {
            // SAFETY: 32 units are readable from `start` on, by `# Safety` of `Input::find`.
            unsafe {
                let src = src.as_ptr().add(start);
                prefetch::to_read::<1, _>(src.wrapping_add(AHEAD / 2));
                _mm512_loadu_si512(src.cast())
            }
        } else {
            load_units_from(src, start)
        };
        let mut leads = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x80));
        if !WHOLE {
            leads &= limit as u32;
        }
        // SAFETY: there is capacity for 32 code points, by `# Safety` of `Input::find`.
        unsafe {
            let to: *mut u16 = characters.code_points.as_mut_ptr().cast();
            _mm512_storeu_si512(to.add(at).cast(), _mm512_maskz_compress_epi16(leads, units));
        }
        leads.into()
    }

    #[inline(always)]
    unsafe fn code_points(_: &mut Characters, _: usize) {
        // Nothing to do: a surrogate is in no table and has no bytes.
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn merge<const WHOLE: bool>(
        block: &Block,
        src: &[u16],
        looked_up: *const u8,
    ) -> (__m512i, u64) {
        // SAFETY: 64 bytes at `looked_up` are readable, by `# Safety` of `Input::merge`.
        let looked_up = unsafe { _mm512_loadu_si512(looked_up.cast()) };
        let units = if WHOLE {
            // SAFETY: `WHOLE` means that 32 units are readable at `block.start`.
            unsafe { _mm512_loadu_si512(src.as_ptr().add(block.start).cast()) }
        } else {
            load_units_from(src, block.start)
        };
        let bytes = _mm512_mask_expand_epi16(units, block.leads as u32, looked_up);
        // Keeps the low byte of each unit, even if NUL, and high bytes other than zero.
        let mut keep = EVEN | _mm512_test_epi8_mask(bytes, bytes);
        if !WHOLE {
            keep &= _pdep_u64(block.limit, EVEN) * 3;
        }
        (bytes, keep)
    }
}
