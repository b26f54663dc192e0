//! Decoding to UTF-16 with AVX-512 VBMI, and the code that decoding to UTF-8 shares.
//!
//! One two-table permute gives the low bytes of 64 code units, another the high bytes, and unpacks join them. Unpacks
//! work inside 128-bit lanes, so the eighths of a block are first reordered to make the output sequential. Whole blocks
//! have a loop of their own. Shorter input uses masked loads and stores instead of a scalar tail.
//!
//! Speed relative to encoding_rs 0.8.44 (Sapphire Rapids), plain text / markup. On 2 MB that do not repeat, where
//! memory is the limit: windows-1251 22 / 10, windows-1252 5 to 10 / 3. On 200 KB: 33 / 15, 6 to 16 / 4.

use core::arch::x86_64::*;

use super::super::super::arrays::{map_array, tail};
use super::super::super::ascii::widen_ascii;
use super::super::super::level::Avx512;
use super::super::super::out::Out;
use super::super::super::registers::prefetch_output;
use super::super::{AsciiProbe, CodePoints};
use super::{first, is_ascii_ahead, load, load_from};

/// Maps a position to unpack order, in which the eighths of the first half are at the even positions.
pub(super) const fn place(position: usize) -> usize {
    let eighth = position / 8;
    8 * (eighth % 4 * 2 + eighth / 4) + position % 8
}

/// The even bytes of two registers.
static EVEN: [u8; 64] = {
    let mut index = [0; 64];
    let mut i = 0;
    while i < 64 {
        index[i] = 2 * i as u8;
        i += 1;
    }
    index
};

/// A table of 128 bytes.
#[derive(Clone, Copy)]
pub(super) struct Table(__m512i, __m512i);

/// Loads the code points, 32 into each register.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn load_code_points(code_points: &CodePoints) -> [__m512i; 4] {
    // SAFETY: `at + 32 <= 128`, the length of the array.
    map_array([0, 32, 64, 96], |at| unsafe {
        _mm512_loadu_si512(code_points.as_ptr().add(at).cast())
    })
}

/// Returns a table of the low bytes of 128 units.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn low_bytes(units: [__m512i; 4]) -> Table {
    let even = load(&EVEN);
    Table(
        _mm512_permutex2var_epi8(units[0], even, units[1]),
        _mm512_permutex2var_epi8(units[2], even, units[3]),
    )
}

/// Returns the table entries of bytes from 0x80 on, and 0 for ASCII.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn look_up(table: Table, bytes: __m512i, not_ascii: u64) -> __m512i {
    _mm512_maskz_permutex2var_epi8(not_ascii, table.0, bytes, table.1)
}

/// Returns the table entries of bytes from 0x80 on, and keeps ASCII.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn look_up_or_keep(table: Table, bytes: __m512i, not_ascii: u64) -> __m512i {
    _mm512_mask2_permutex2var_epi8(table.0, bytes, not_ascii, table.1)
}

/// Reorders the eighths of a block for unpacks.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn in_places(bytes: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), bytes)
}

/// Returns the first position, in input order, of a mask in unpack order.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn first_of(in_places: u64) -> usize {
    let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    let marks = _mm512_permutexvar_epi64(order, _mm512_movm_epi8(in_places));
    _mm512_movepi8_mask(marks).trailing_zeros() as usize
}

/// Writes exactly the first `n` units of two registers.
///
/// # Safety
/// `n` units at `to` are writable; `n <= 64`.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
unsafe fn store_units(to: *mut u16, low: __m512i, high: __m512i, n: usize) {
    // SAFETY: `n` units are writable, by `# Safety`; the masked stores write exactly `n`.
    unsafe {
        if n == 64 {
            _mm512_storeu_si512(to.cast(), low);
            _mm512_storeu_si512(to.add(32).cast(), high);
        } else {
            let mask = first(n);
            _mm512_mask_storeu_epi16(to.cast(), mask as u32, low);
            _mm512_mask_storeu_epi16(to.wrapping_add(32).cast(), (mask >> 32) as u32, high);
        }
    }
}

#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(in super::super) fn utf16(
    _: Avx512,
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    let tables = Units::of(code_points);
    let src = &src[..src.len().min(out.room())];
    let mut at = 0;
    loop {
        let (taken, is_run) = tables.whole_blocks(tail(src, at), out);
        at += taken;
        if !is_run {
            break;
        }
        at += widen_ascii(tail(src, at), out);
    }
    // The rest is shorter than a block or contains an unmapped byte.
    while at < src.len() {
        let bytes = in_places(load_from(src, at));
        let mut n = (src.len() - at).min(64);
        let (low, high, unmapped) = tables.look_up(bytes);
        if unmapped != 0 {
            n = first_of(unmapped);
        }
        // SAFETY: `n <= src.len() - at`, and the output has room for all of `src`, which was cut to it.
        unsafe {
            store_units(out.spare_ptr(), low, high, n);
            out.advance(n);
        }
        at += n;
        if unmapped != 0 {
            break;
        }
    }
    at
}

/// The low and high bytes of the 128 code units.
struct Units {
    low: Table,
    high: Table,
}

impl Units {
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    fn of(code_points: &CodePoints) -> Self {
        let units = load_code_points(code_points);
        Self {
            low: low_bytes(units),
            high: low_bytes(map_array(units, |units| _mm512_srli_epi16::<8>(units))),
        }
    }

    /// Returns the code units of a block in unpack order, and a mask of the unmapped units in the same order.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    fn look_up(&self, bytes: __m512i) -> (__m512i, __m512i, u64) {
        let not_ascii = _mm512_movepi8_mask(bytes);
        let a = look_up_or_keep(self.low, bytes, not_ascii);
        let b = look_up(self.high, bytes, not_ascii);
        let either = _mm512_or_si512(a, b);
        let unmapped = _mm512_mask_testn_epi8_mask(not_ascii, either, either);
        let (low, high) = (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b));
        (low, high, unmapped)
    }

    /// Decodes whole blocks, up to a run of ASCII or a block with an unmapped byte. Returns the number of bytes read,
    /// and true if a run follows. The output has room for all of `src`.
    ///
    /// A separate loop, because tests for the end and for a stop in each block took a fifth to a half of the time.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    fn whole_blocks(&self, src: &[u8], out: &mut Out<'_, u16>) -> (usize, bool) {
        debug_assert!(src.len() <= out.room());
        let to = out.spare_ptr();
        let (mut at, mut is_run) = (0, false);
        let mut looks = AsciiProbe::new();
        while src.len() - at >= 64 {
            is_run = looks.is_due() && is_ascii_ahead(src, at);
            if is_run {
                break;
            }
            // SAFETY: `at + 64 <= src.len()`, by the loop condition; the caller ensures `src.len() <= out.room()`.
            unsafe {
                let bytes = in_places(_mm512_loadu_si512(src.as_ptr().add(at).cast()));
                let (low, high, unmapped) = self.look_up(bytes);
                if unmapped != 0 {
                    break;
                }
                prefetch_output::<2, _>(to.cast_const(), at, src.len());
                store_units(to.add(at), low, high, 64);
            }
            at += 64;
        }
        // SAFETY: the blocks have stored the first `at` units.
        unsafe { out.advance(at) };
        (at, is_run)
    }
}
