//! Byte-wise look-up in a table of 256 entries, which maps EBCDIC to ASCII order and back.
//!
//! With AVX-512 VBMI the table is four registers; two permutes and a blend look up 64 bytes. AVX2 and NEON look up the
//! 128 entries from 0x80 on. With the top bit inverted, the same look-up covers the other half.

use crate::simd::tuning;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

#[cfg(v256)]
use super::arrays::map_array;
use super::level::{Active, with_avx512, with_v256};
use super::out::Out;
#[cfg(v256)]
use super::vector::{LEN, Token, V256};

/// Writes the entry of `table` for each byte of `src` to the same position of `dst`, up to the shorter length.
#[inline]
pub(crate) fn permute(table: &[u8; 256], src: &[u8], dst: &mut [u8]) {
    let len = src.len().min(dst.len());
    // SAFETY: `len <= src.len()` and `len <= dst.len()`; the two references do not overlap.
    unsafe { look_up(table, src.as_ptr(), dst.as_mut_ptr(), len) }
}

/// Translates everything `out` has written, in place.
#[inline(never)]
pub(crate) fn permute_written(table: &[u8; 256], out: &mut Out<'_, u8>) {
    let bytes = out.written_slice_mut();
    let at = bytes.as_mut_ptr();
    // SAFETY: all `bytes.len()` bytes of the slice are readable and writable.
    unsafe { look_up(table, at, at, bytes.len()) }
}

/// # Safety
/// `len` bytes are readable at `from` and writable at `to`. The two ranges are the same or do not overlap.
#[inline(always)]
unsafe fn look_up(table: &[u8; 256], from: *const u8, to: *mut u8, len: usize) {
    let mut done = 0;
    if len >= tuning::TABLES_FROM {
        // SAFETY: by `# Safety`, `len` bytes are readable at `from` and writable at `to`.
        done = unsafe { blocks(Active::now(), table, from, to, len) };
    }
    for at in done..len {
        // SAFETY: `at < len`, and `len` bytes are readable and writable, by `# Safety`.
        unsafe { *to.add(at) = table[usize::from(*from.add(at))] };
    }
}

/// Looks up the bytes that fill whole registers. Returns their number.
///
/// # Safety
/// As for [`look_up`].
#[inline(never)]
unsafe fn blocks(
    active: Active,
    table: &[u8; 256],
    from: *const u8,
    to: *mut u8,
    len: usize,
) -> usize {
    // SAFETY: the token proves detection succeeded; `len` bytes are readable and writable, by `# Safety`.
    with_avx512!(active, |_token| return unsafe {
        avx512(table, from, to, len)
    });
    // No kernel on this target.
    let _ = (table, from, to, len);
    // SAFETY: the token proves detection succeeded; `len` bytes are readable and writable, by `# Safety`.
    with_v256!(active, |token| unsafe { v256(token, table, from, to, len) }).unwrap_or(0)
}

/// # Safety
/// As for [`look_up`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
unsafe fn avx512(table: &[u8; 256], from: *const u8, to: *mut u8, len: usize) -> usize {
    // SAFETY: `at + 64 <= 256`, the length of the table.
    let [a, b, c, d] = map_array([0, 64, 128, 192], |at| unsafe {
        _mm512_loadu_si512(table.as_ptr().add(at).cast())
    });
    let mut at = 0;
    while at < len {
        let lanes = _bzhi_u64(u64::MAX, (len - at).min(64) as u32);
        // SAFETY: the mask selects bytes below `len`, which are readable and writable, by `# Safety`.
        unsafe {
            let bytes = _mm512_maskz_loadu_epi8(lanes, from.add(at).cast());
            let low = _mm512_permutex2var_epi8(a, bytes, b);
            let high = _mm512_permutex2var_epi8(c, bytes, d);
            let found = _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(bytes), high);
            _mm512_mask_storeu_epi8(to.add(at).cast(), lanes, found);
        }
        at += 64;
    }
    len
}

/// # Safety
/// As for [`look_up`].
#[cfg(v256)]
#[cfg_attr(avx2, target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
unsafe fn v256(v: Token, table: &[u8; 256], from: *const u8, to: *mut u8, len: usize) -> usize {
    let [lower, upper] = map_array([0, 1], |half| v.table(&table.as_chunks().0[half]));
    let mut at = 0;
    while at + LEN <= len {
        // SAFETY: `at + LEN <= len`, by the loop condition; `len` bytes are readable and writable, by `# Safety`.
        unsafe {
            let bytes = v.load(from.add(at));
            let low = v.look_up(&lower, v.xor(bytes, v.splat(0x80)));
            let high = v.look_up(&upper, bytes);
            // Each look-up gives 0 for bytes of the other half.
            v.store(v.or(low, high), to.add(at));
        }
        at += LEN;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::level::available;

    /// Covers each byte at each position of a block, at every level, between two buffers and in place; nothing outside
    /// is written.
    #[test]
    fn every_byte_is_looked_up_whatever_the_length() {
        let table: [u8; 256] =
            core::array::from_fn(|i| (i as u8).wrapping_mul(167).wrapping_add(13));
        let src: [u8; 700] = core::array::from_fn(|i| (i * 89 % 251 + i / 251) as u8);
        for level in available() {
            let active = Active::at_most(level);
            for (start, len) in (0..260)
                .map(|len| (len % 7, len))
                .chain([(0, 700), (13, 600)])
            {
                let src = &src[start..][..len];
                let mut dst = [0xA5; 701];
                // SAFETY: `dst` is longer than `src`.
                let done = unsafe { blocks(active, &table, src.as_ptr(), dst.as_mut_ptr(), len) };
                assert!(done <= len);
                for (i, &byte) in dst.iter().enumerate() {
                    let expected = if i < done {
                        table[usize::from(src[i])]
                    } else {
                        0xA5
                    };
                    assert_eq!(byte, expected, "{len} bytes at {level}, place {i}");
                }
                let mut all = [0; 700];
                permute(&table, src, &mut all[..len]);
                let mut out = [0; 700];
                let mut out = Out::from_init(&mut out);
                assert!(out.push_slice(src));
                permute_written(&table, &mut out);
                let found: &[u8] = out.written_slice_mut();
                assert_eq!(found, &all[..len]);
                assert!(
                    src.iter()
                        .zip(found)
                        .all(|(&from, &to)| table[usize::from(from)] == to)
                );
            }
        }
    }
}
