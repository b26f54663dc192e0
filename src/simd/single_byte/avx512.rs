//! AVX-512 VBMI: 128 entries are two registers, and one permute looks up 64 bytes in them.

mod decode;
mod decode_utf8;
mod encode;

pub(super) use decode::utf16 as decode_utf16;
pub(super) use decode_utf8::utf8 as decode_utf8;
pub(super) use encode::{utf8 as encode_utf8, utf16 as encode_utf16};

use core::arch::x86_64::*;

use super::super::arrays::tail;
use super::super::registers::{load_from, load_units_from};
use super::AHEAD;

/// Returns a mask of the low `n` bits; of all bits if `n >= 64`.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn first(n: usize) -> u64 {
    _bzhi_u64(u64::MAX, n.min(64) as u32)
}

#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: `bytes` has 64 bytes.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Writes exactly the first `n` bytes.
///
/// # Safety
/// `n` bytes at `to` are writable; `n <= 64`.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
unsafe fn store_first(to: *mut u8, bytes: __m512i, n: usize) {
    // SAFETY: `n` bytes are writable, by `# Safety`; the masked store writes exactly `n`.
    unsafe {
        if n == 64 {
            _mm512_storeu_si512(to.cast(), bytes);
        } else {
            _mm512_mask_storeu_epi8(to.cast(), first(n), bytes);
        }
    }
}

/// Writes exactly the bytes selected by `keep`, contiguously. Returns their number.
///
/// # Safety
/// `keep.count_ones()` bytes at `to` are writable.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
unsafe fn store_compressed(to: *mut u8, keep: u64, bytes: __m512i) -> usize {
    let n = keep.count_ones() as usize;
    // SAFETY: `n` bytes are writable, by `# Safety`; the masked store writes exactly `n`.
    unsafe {
        _mm512_mask_storeu_epi8(to.cast(), first(n), _mm512_maskz_compress_epi8(keep, bytes));
    }
    n
}

/// True if there are `AHEAD` bytes from `at` on, all ASCII.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn is_ascii_ahead(src: &[u8], at: usize) -> bool {
    let Some(ahead) = tail(src, at).first_chunk::<AHEAD>() else {
        return false;
    };
    let (blocks, _) = ahead.as_chunks();
    let any = |i: usize| _mm512_or_si512(load(&blocks[i]), load(&blocks[i + 1]));
    _mm512_movepi8_mask(_mm512_or_si512(any(0), any(2))) == 0
}

/// True if there are `AHEAD` code units from `at` on, all below 0x80.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn is_ascii_ahead_in_units(src: &[u16], at: usize) -> bool {
    let Some(ahead) = tail(src, at).first_chunk::<AHEAD>() else {
        return false;
    };
    let mut any = _mm512_setzero_si512();
    for units in ahead.as_chunks::<32>().0 {
        // SAFETY: `units` has 32 units.
        any = _mm512_or_si512(any, unsafe { _mm512_loadu_si512(units.as_ptr().cast()) });
    }
    _mm512_test_epi16_mask(any, _mm512_set1_epi16(!0x7F)) == 0
}

/// Copies `AHEAD` bytes.
///
/// # Safety
/// `AHEAD` bytes are readable at `from` and writable at `to`.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
unsafe fn copy_ahead(from: *const u8, to: *mut u8) {
    for i in [0, 64, 128, 192] {
        // SAFETY: `i + 64 <= 256 = AHEAD` bytes are readable and writable, by `# Safety`.
        unsafe { _mm512_storeu_si512(to.add(i).cast(), _mm512_loadu_si512(from.add(i).cast())) };
    }
}
