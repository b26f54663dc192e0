//! The third pass for UTF-8 and UTF-16.

use core::arch::x86_64::*;

use super::{Batch, Block, Output, widen, widen_upper};
use crate::simd::ascii::{copy_ascii, widen_ascii};
use crate::simd::double_byte::{Utf8, Utf16};
use crate::simd::out::Out;
use crate::simd::registers::load_from;

/// UTF-8: a lead is replaced by the first two bytes of the character, its trail by the third.
// SAFETY: the functions return the number of units that their stores initialise; each store states its bound.
unsafe impl Output for Utf8 {
    // 32 pairs of three bytes; or one byte for a trail, 31 pairs, and two bytes for a lead.
    const YIELD: usize = 96;
    const STORED: usize = 128;
    const KATAKANA: bool = false;

    fn ascii(src: &[u8], out: &mut Out<'_, u8>) -> usize {
        copy_ascii(src, out)
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn put(batch: &mut Batch, code_points: __m512i, first: usize) {
        let set = |value: u32| _mm512_set1_epi32(value as i32);
        let to = batch.utf8.as_mut_ptr().cast::<[u8; 3]>();
        // Bit offsets of the extracted bytes, in 64 bits with two code points. The high half of each code point is
        // zero.
        let of_two = _mm512_set1_epi64(0x3030_2026_1010_0006);
        let of_three = _mm512_set1_epi64(0x3020_262C_1000_060C);
        let halves = [
            _mm512_castsi512_si256(code_points),
            _mm512_extracti64x4_epi64::<1>(code_points),
        ];
        for (i, half) in halves.into_iter().enumerate() {
            let code_points = _mm512_cvtepu16_epi32(half);
            let two = _mm512_cmplt_epu32_mask(code_points, set(0x800));
            let from = _mm512_mask_mov_epi32(of_three, two, of_two);
            let marks = _mm512_mask_mov_epi32(set(0x0080_80E0), two, set(0x0000_80C0));
            let bits = _mm512_multishift_epi64_epi8(from, code_points);
            // `bits & 0x3F | marks`; the first byte keeps all bits.
            let bytes = _mm512_ternarylogic_epi32::<0xEA>(bits, set(0x003F_3FFF), marks);
            // SAFETY: each half stores 48 valid bytes and 16 more; `first + 64 <= PAIRS`, by `# Safety` of
            // `Output::put`.
            unsafe {
                let bytes = _mm512_maskz_compress_epi8(0x7777_7777_7777_7777, bytes);
                _mm512_storeu_si512(to.add(first + 16 * i).cast(), bytes);
            }
        }
    }

    fn made(batch: &Batch) -> *const u8 {
        batch.utf8.as_ptr().cast()
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn write<const WHOLE: bool>(
        block: &Block,
        src: &[u8],
        made: &mut *const u8,
        to: *mut u8,
    ) -> usize {
        let Block {
            leads,
            trails,
            limit,
            ..
        } = *block;
        if block.sparse && leads | trails == 0 {
            // SAFETY: one byte is stored for each bit of `limit`, and 64 < `YIELD`.
            unsafe { _mm512_mask_storeu_epi8(to.cast(), limit, load_from(src, 0)) };
            return limit.count_ones() as usize;
        }
        const EVEN: u64 = 0x5555_5555_5555_5555;
        // Returns 32 bytes of output as compressed lanes, the number of bytes written, and the number of bytes taken
        // from `made`.
        // SAFETY: 64 bytes at `made` are readable, by `# Safety` of `Output::write`.
        let half = |bytes, leads: u32, trails: u32, limit: u32, made: *const u8| unsafe {
            let lead_bytes = _pdep_u64(leads.into(), EVEN);
            let trail_bytes = _pdep_u64(trails.into(), EVEN);
            let places = lead_bytes << 1 | lead_bytes | trail_bytes;
            let lanes = _mm512_mask_expand_epi8(bytes, places, _mm512_loadu_si512(made.cast()));
            // Writes the low byte of each lane, even if NUL, except for trails; and every other byte that is not zero.
            let mut written = _mm512_test_epi8_mask(lanes, lanes) | EVEN & !trail_bytes;
            if !WHOLE {
                written &= 3 * _pdep_u64(limit.into(), EVEN);
            }
            let count = written.count_ones();
            let lanes = _mm512_maskz_compress_epi8(written, lanes);
            (lanes, count as usize, places.count_ones() as usize)
        };
        // SAFETY: bounds are by `# Safety` of `Output::write`. If `WHOLE`, `STORED` = 128 bytes are writable and
        // `low_count <= 64`. Otherwise the masks store exactly `low_count + high_count <= YIELD` bytes.
        unsafe {
            let (low, high) = if WHOLE {
                let load = |at: usize| {
                    _mm512_cvtepu8_epi16(_mm256_loadu_si256(src.as_ptr().add(at).cast()))
                };
                (load(0), load(32))
            } else {
                let bytes = load_from(src, 0);
                (widen(bytes), widen_upper(bytes))
            };
            let (low, low_count, taken) =
                half(low, leads as u32, trails as u32, limit as u32, *made);
            *made = made.add(taken);
            let (high, high_count, taken) = half(
                high,
                (leads >> 32) as u32,
                (trails >> 32) as u32,
                (limit >> 32) as u32,
                *made,
            );
            *made = made.add(taken);
            let after = to.add(low_count);
            if WHOLE {
                _mm512_storeu_si512(to.cast(), low);
                _mm512_storeu_si512(after.cast(), high);
            } else {
                let low_mask = _bzhi_u64(u64::MAX, low_count as u32);
                _mm512_mask_storeu_epi8(to.cast(), low_mask, low);
                let high_mask = _bzhi_u64(u64::MAX, high_count as u32);
                _mm512_mask_storeu_epi8(after.cast(), high_mask, high);
            }
            low_count + high_count
        }
    }
}

/// Loads 32 code units.
///
/// # Safety
/// 32 elements at `from` are readable.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn load_units(from: *const u16) -> __m512i {
    // SAFETY: by `# Safety`, 32 elements at `from` are readable.
    unsafe { _mm512_loadu_si512(from.cast()) }
}

/// UTF-16: trails are removed from the block, and leads replaced by code points.
// SAFETY: the functions return the number of units that their stores initialise; each store states its bound.
unsafe impl Output for Utf16 {
    const YIELD: usize = 64;
    const STORED: usize = 64;
    const KATAKANA: bool = true;

    fn ascii(src: &[u8], out: &mut Out<'_, u16>) -> usize {
        widen_ascii(src, out)
    }

    #[inline]
    unsafe fn put(_: &mut Batch, _: __m512i, _: usize) {
        // Nothing to do: the code points are code units already.
    }

    fn made(batch: &Batch) -> *const u8 {
        batch.code_points.as_ptr().cast()
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn write<const WHOLE: bool>(
        block: &Block,
        src: &[u8],
        made: &mut *const u8,
        to: *mut u16,
    ) -> usize {
        let Block {
            leads,
            trails,
            limit,
            ..
        } = *block;
        let keep = !trails & limit;
        let bytes = if WHOLE {
            // SAFETY: `src` has 64 bytes if `WHOLE`, by `# Safety` of `Output::write`.
            unsafe { _mm512_loadu_si512(src.as_ptr().cast()) }
        } else {
            load_from(src, 0)
        };
        let bases = _mm512_maskz_compress_epi8(keep, bytes);
        let leads = _pext_u64(leads, keep);
        let low_leads = leads as u32;
        let high_leads = (leads >> 32) as u32;
        let katakana = |units| {
            if !block.katakana {
                return units;
            }
            // As leads are replaced later, only half-width katakana are non-ASCII here: 0xA1 is U+FF61.
            let high = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0xA1));
            _mm512_mask_add_epi16(units, high, units, _mm512_set1_epi16(0xFEC0_u16 as i16))
        };
        let count = keep.count_ones();
        let low_count = count.min(32);
        let high_count = count - low_count;
        let code_points: *const u16 = made.cast();
        // SAFETY: 64 bytes at `made` are readable, also after the low half, by `# Safety` of `Output::write`. If
        // `WHOLE`, `STORED` = 64 units are writable and `low_count <= 32`. Otherwise one unit is stored for each bit of
        // `keep`, at most 64.
        unsafe {
            *made = code_points.add(leads.count_ones() as usize).cast();
            let low = katakana(widen(bases));
            let low = _mm512_mask_expand_epi16(low, low_leads, load_units(code_points));
            if WHOLE {
                _mm512_storeu_si512(to.cast(), low);
            } else {
                _mm512_mask_storeu_epi16(to.cast(), _bzhi_u32(u32::MAX, low_count), low);
            }
            if WHOLE || count > 32 {
                let to = to.add(low_count as usize);
                let after = code_points.add(low_leads.count_ones() as usize);
                let high = katakana(widen_upper(bases));
                let high = _mm512_mask_expand_epi16(high, high_leads, load_units(after));
                if WHOLE {
                    _mm512_storeu_si512(to.cast(), high);
                } else {
                    _mm512_mask_storeu_epi16(to.cast(), _bzhi_u32(u32::MAX, high_count), high);
                }
            }
        }
        (low_count + high_count) as usize
    }
}
