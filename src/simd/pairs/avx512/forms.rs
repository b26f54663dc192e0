//! The third pass, for UTF-8 and for UTF-16.

use core::arch::x86_64::*;

use super::super::super::ascii::{copy_ascii, widen_ascii};
use super::super::super::out::Out;
use super::super::quads::{utf8_bytes, utf16_units};
use super::{BEFORE, Batch, Block, Form, PAIRS, widen, widen_upper};

/// UTF-8: the first two bytes of a character are its head, the third is its tail.
pub(in super::super) struct Utf8;

impl Form for Utf8 {
    type Unit = u8;
    // 32 pairs of three bytes, or 31 of them between a trail's one and a lead's two.
    const MOST: usize = 96;
    const STORED: usize = 128;
    const KATAKANA: bool = false;
    const SPLITS: bool = true;

    fn ascii(src: &[u8], out: &mut Out<'_, u8>) -> usize {
        copy_ascii(src, out)
    }

    fn put_quad(batch: &mut Batch, first: usize, scalar: u32) {
        // The places of leads have one byte at least, those of trails may have none.
        let [a, b, c, d] = utf8_bytes(scalar);
        let heads = [u16::from(a), u16::from_le_bytes([b, c])];
        assert!(first + 2 <= PAIRS);
        // SAFETY: within `heads` and `tails`, as asserted.
        unsafe {
            let to = batch.heads.as_mut_ptr().cast::<u16>().add(first);
            to.cast::<[u16; 2]>().write(heads);
            let to = batch.tails.as_mut_ptr().cast::<u16>();
            to.add(BEFORE + first)
                .cast::<[u16; 2]>()
                .write([0, d.into()]);
        }
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn split(code_points: __m512i) -> (__m512i, __m512i) {
        let set = |value: u16| _mm512_set1_epi16(value as i16);
        // Three bytes: 1110xxxx 10xxxxxx, and 10xxxxxx. Two: 110xxxxx 10xxxxxx, and no tail.
        let three = _mm512_cmpge_epu16_mask(code_points, set(0x800));
        let over_6 = _mm512_srli_epi16::<6>(code_points);
        let over_12 = _mm512_srli_epi16::<12>(code_points);
        // a & 0x3F | 0x80, in the high byte of each lane or in the low one.
        let high_of = |x| {
            _mm512_ternarylogic_epi32::<0xEA>(_mm512_slli_epi16::<8>(x), set(0x3F00), set(0x8000))
        };
        let of_two = _mm512_or_si512(over_6, _mm512_or_si512(high_of(code_points), set(0xC0)));
        let of_three = _mm512_or_si512(over_12, _mm512_or_si512(high_of(over_6), set(0xE0)));
        let head = _mm512_mask_mov_epi16(of_two, three, of_three);
        let last = _mm512_ternarylogic_epi32::<0xEA>(code_points, set(0x3F), set(0x80));
        (head, _mm512_maskz_mov_epi16(three, last))
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn write<const WHOLE: bool>(
        block: &Block,
        heads: *const u16,
        tails: *const u16,
        to: *mut u8,
    ) -> usize {
        let Block {
            bytes,
            leads,
            trails,
            limit,
            ..
        } = *block;
        if block.sparse && leads | trails == 0 {
            // SAFETY: as many bytes as `limit` has bits, 64 < MOST at most.
            unsafe { _mm512_mask_storeu_epi8(to.cast(), limit, bytes) };
            return limit.count_ones() as usize;
        }
        // A trail without a lead begins the block: its tail is the one before.
        // SAFETY: the contract of this function: 64 elements of each, and one before `tails`.
        let (low, high) = unsafe {
            let tails = tails.sub((trails & 1) as usize);
            let low_leads = leads as u32;
            let low_trails = trails as u32;
            let low = _mm512_mask_expand_epi16(widen(bytes), low_leads, load_units(heads));
            let low = _mm512_mask_expand_epi16(low, low_trails, load_units(tails));
            let heads = heads.add(low_leads.count_ones() as usize);
            let tails = tails.add(low_trails.count_ones() as usize);
            let high = widen_upper(bytes);
            let high = _mm512_mask_expand_epi16(high, (leads >> 32) as u32, load_units(heads));
            let high = _mm512_mask_expand_epi16(high, (trails >> 32) as u32, load_units(tails));
            (low, high)
        };
        // What is written: the low byte of every place but a trail's, even NUL, and whatever else is not zero.
        let part = |lanes, limit: u64, keep: u64| {
            const EVEN: u64 = 0x5555_5555_5555_5555;
            let mut written = _mm512_test_epi8_mask(lanes, lanes);
            if !WHOLE {
                let within = _pdep_u64(limit, EVEN);
                written &= within | within << 1;
            }
            written | _pdep_u64(keep, EVEN)
        };
        let keep = !trails & limit;
        let low_mask = part(low, limit, keep);
        let high_mask = part(high, limit >> 32, keep >> 32);
        let low_count = low_mask.count_ones();
        let high_count = high_mask.count_ones();
        // SAFETY: WHOLE: 128 bytes are writable, and `low_count` is 64 at most. Else as many bytes are stored as the
        // masks have bits, MOST at most.
        unsafe {
            let low = _mm512_maskz_compress_epi8(low_mask, low);
            let high = _mm512_maskz_compress_epi8(high_mask, high);
            let behind = to.add(low_count as usize);
            if WHOLE {
                _mm512_storeu_si512(to.cast(), low);
                _mm512_storeu_si512(behind.cast(), high);
            } else {
                _mm512_mask_storeu_epi8(to.cast(), _bzhi_u64(u64::MAX, low_count), low);
                _mm512_mask_storeu_epi8(behind.cast(), _bzhi_u64(u64::MAX, high_count), high);
            }
        }
        (low_count + high_count) as usize
    }
}

/// Loads 32 code units.
///
/// # Safety
/// 32 elements at `from` are readable.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn load_units(from: *const u16) -> __m512i {
    // SAFETY: the contract of this function.
    unsafe { _mm512_loadu_si512(from.cast()) }
}

/// UTF-16: trails are taken out of the block, and leads replaced by code points.
pub(in super::super) struct Utf16;

impl Form for Utf16 {
    type Unit = u16;
    const MOST: usize = 64;
    const STORED: usize = 64;
    const KATAKANA: bool = true;
    const SPLITS: bool = false;

    fn ascii(src: &[u8], out: &mut Out<'_, u16>) -> usize {
        widen_ascii(src, out)
    }

    fn put_quad(batch: &mut Batch, first: usize, scalar: u32) {
        assert!(first + 2 <= PAIRS);
        // SAFETY: within `code_points`, as asserted.
        unsafe {
            let to = batch.code_points.as_mut_ptr().cast::<u16>().add(first);
            to.cast::<[u16; 2]>().write(utf16_units(scalar));
        }
    }

    unsafe fn split(code_points: __m512i) -> (__m512i, __m512i) {
        (code_points, code_points)
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn write<const WHOLE: bool>(
        block: &Block,
        code_points: *const u16,
        _: *const u16,
        to: *mut u16,
    ) -> usize {
        let Block {
            bytes,
            leads,
            trails,
            limit,
            ..
        } = *block;
        let keep = !trails & limit;
        let bases = _mm512_maskz_compress_epi8(keep, bytes);
        let leads = _pext_u64(leads, keep);
        let low_leads = leads as u32;
        let high_leads = (leads >> 32) as u32;
        let katakana = |units| {
            // Leads are replaced, so that only half-width katakana are non-ASCII here: 0xA1 is U+FF61.
            let high = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0xA1));
            _mm512_mask_add_epi16(units, high, units, _mm512_set1_epi16(0xFEC0_u16 as i16))
        };
        let count = keep.count_ones();
        let mut low_count = count.min(32);
        let mut high_count = count - low_count;
        // SAFETY: the contract of this function; as many units are stored as `keep` has bits, 64 at most.
        unsafe {
            let low = katakana(widen(bases));
            let mut low = _mm512_mask_expand_epi16(low, low_leads, load_units(code_points));
            if block.quads {
                let kept = !(low_leads & _mm512_testn_epi16_mask(low, low));
                low = _mm512_maskz_compress_epi16(kept, low);
                low_count -= (!kept).count_ones();
            }
            if WHOLE {
                _mm512_storeu_si512(to.cast(), low);
            } else {
                _mm512_mask_storeu_epi16(to.cast(), _bzhi_u32(u32::MAX, low_count), low);
            }
            if WHOLE || count > 32 {
                let to = to.add(low_count as usize);
                let behind = code_points.add(low_leads.count_ones() as usize);
                let high = katakana(widen_upper(bases));
                let mut high = _mm512_mask_expand_epi16(high, high_leads, load_units(behind));
                if block.quads {
                    let kept = !(high_leads & _mm512_testn_epi16_mask(high, high));
                    high = _mm512_maskz_compress_epi16(kept, high);
                    high_count -= (!kept).count_ones();
                }
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
