//! Decoding short input with AVX-512: nothing is prepared.
//!
//! The kernels for long input split the table of code points into bytes first, which takes longer than to decode a word.
//! Here the table is looked up as it lies in memory, 32 characters at a time; UTF-8 is put together from the code points.

use core::arch::x86_64::*;

use super::super::super::arrays::tail;
use super::super::super::out::Out;
use super::super::super::registers::load_from;
use super::super::CodePoints;
use super::{copy_ascii_blocks, first};

/// Up to 32 characters from `at` on: their code points, which are ASCII, how many come before an unmapped one, and how
/// many there are.
struct Characters {
    code_points: __m512i,
    not_ascii: u32,
    mapped: usize,
    count: usize,
}

#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn look_up(table: &CodePoints, src: &[u8], at: usize) -> Characters {
    let count = (src.len() - at).min(32);
    // SAFETY: the masked load reads `count` bytes, which `src` has from `at` on. 128 code points are four times 32.
    let (bytes, a, b, c, d) = unsafe {
        let bytes = _mm256_maskz_loadu_epi8(first(count) as u32, src.as_ptr().add(at).cast());
        let table: *const __m512i = table.as_ptr().cast();
        (
            bytes,
            _mm512_loadu_si512(table),
            _mm512_loadu_si512(table.add(1)),
            _mm512_loadu_si512(table.add(2)),
            _mm512_loadu_si512(table.add(3)),
        )
    };
    let not_ascii = _mm256_movepi8_mask(bytes);
    let wide = _mm512_cvtepu8_epi16(bytes);
    // Six bits of an index count; the seventh tells the halves apart.
    let upper = _mm512_test_epi16_mask(wide, _mm512_set1_epi16(0x40));
    let looked_up = _mm512_mask_mov_epi16(
        _mm512_permutex2var_epi16(a, wide, b),
        upper,
        _mm512_permutex2var_epi16(c, wide, d),
    );
    let code_points = _mm512_mask_mov_epi16(wide, not_ascii, looked_up);
    let unmapped = _mm512_mask_testn_epi16_mask(not_ascii, code_points, code_points);
    Characters {
        code_points,
        not_ascii,
        mapped: (unmapped.trailing_zeros() as usize).min(count),
        count,
    }
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
pub(super) fn utf16(table: &CodePoints, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let src = &src[..src.len().min(out.room())];
    let mut at = 0;
    while at < src.len() {
        let characters = look_up(table, src, at);
        // SAFETY: `src` is no longer than the room, and the masked store writes as many units as `src` has bytes here.
        unsafe {
            let mapped = first(characters.mapped) as u32;
            _mm512_mask_storeu_epi16(out.spare_ptr().cast(), mapped, characters.code_points);
            out.advance(characters.mapped);
        }
        at += characters.mapped;
        if characters.mapped < characters.count {
            break;
        }
    }
    at
}

/// Writes what `keep` marks if it fits; returns whether it does.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn push_kept(out: &mut Out<'_, u8>, keep: u64, bytes: __m512i) -> bool {
    let n = keep.count_ones() as usize;
    if n > out.room() {
        return false;
    }
    // SAFETY: there is room for `n` bytes, and the masked store writes `n`.
    unsafe {
        let bytes = _mm512_maskz_compress_epi8(keep, bytes);
        _mm512_mask_storeu_epi8(out.spare_ptr().cast(), first(n), bytes);
        out.advance(n);
    }
    true
}

/// The UTF-8 of 16 code points, in lanes of four bytes that end in zeros.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn sequences(code_points: __m512i) -> __m512i {
    let set = |value: i32| _mm512_set1_epi32(value);
    let last = _mm512_and_si512(code_points, set(0x3F));
    let above = _mm512_srli_epi32::<6>(code_points);
    let middle = _mm512_and_si512(above, set(0x3F));
    // a | b | c
    let two = _mm512_ternarylogic_epi32::<0xFE>(above, _mm512_slli_epi32::<8>(last), set(0x80C0));
    let three = _mm512_ternarylogic_epi32::<0xFE>(
        _mm512_srli_epi32::<12>(code_points),
        _mm512_slli_epi32::<8>(middle),
        _mm512_slli_epi32::<16>(last),
    );
    let three = _mm512_or_si512(three, set(0x80_80E0));
    let not_ascii = _mm512_cmpge_epu32_mask(code_points, set(0x80));
    let wide = _mm512_cmpge_epu32_mask(code_points, set(0x800));
    let sequences = _mm512_mask_mov_epi32(code_points, not_ascii, two);
    _mm512_mask_mov_epi32(sequences, wide, three)
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
pub(super) fn utf8(table: &CodePoints, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    /// The first byte of each lane.
    const FIRST_OF_2: u64 = 0x5555_5555_5555_5555;
    const FIRST_OF_4: u64 = 0x1111_1111_1111_1111;
    // Short text is ASCII, or all of it goes one way: parts of it one after the other would take twice as long.
    let mut at = 0;
    if _mm512_movepi8_mask(load_from(src, 0)) == 0 {
        at = copy_ascii_blocks(src, out);
    }
    while at < src.len() {
        let Characters {
            code_points,
            not_ascii,
            mapped,
            count,
        } = look_up(table, src, at);
        let wide = _mm512_cmpge_epu16_mask(code_points, _mm512_set1_epi16(0x800));
        if wide & first(mapped) as u32 == 0 {
            let last = _mm512_and_si512(code_points, _mm512_set1_epi16(0x3F));
            let two = _mm512_ternarylogic_epi32::<0xFE>(
                _mm512_srli_epi16::<6>(code_points),
                _mm512_slli_epi16::<8>(last),
                _mm512_set1_epi16(0x80C0_u16 as i16),
            );
            let lanes = _mm512_mask_mov_epi16(code_points, not_ascii, two);
            let keep = FIRST_OF_2 | _mm512_test_epi8_mask(lanes, lanes);
            if !push_kept(out, keep & first(2 * mapped), lanes) {
                break;
            }
            at += mapped;
        } else {
            let halves = [
                _mm512_castsi512_si256(code_points),
                _mm512_extracti64x4_epi64::<1>(code_points),
            ];
            let mut left = mapped;
            for half in halves {
                let lanes = sequences(_mm512_cvtepu16_epi32(half));
                let keep = FIRST_OF_4 | _mm512_test_epi8_mask(lanes, lanes);
                let taken = left.min(16);
                if !push_kept(out, keep & first(4 * taken), lanes) {
                    break;
                }
                left -= taken;
            }
            at += mapped - left;
            if left > 0 {
                break;
            }
        }
        if mapped < count {
            return at;
        }
    }
    if at == src.len() {
        return at;
    }
    // Little room is left.
    at + super::super::portable::decode_utf8(table, tail(src, at), out)
}
