//! UTF-16 to UTF-8, 21 or 32 code units at a time.
//!
//! 21 units have space for three bytes each in one register. A word permute moves the four units from which eight
//! output bytes can come into their quadword. A multishift selects the six-bit fields, and one compress drops the bytes
//! that shorter characters lack. Units below 0x800 alone are converted 32 at a time, with two bytes each. Each
//! surrogate gives two of the four bytes of its pair. It is rewritten so that its bit fields are where a three-byte
//! character has them, so a pair needs little extra work.

use core::arch::x86_64::*;

use super::super::super::level::Avx512;
use super::super::super::registers::prefetch_input;
use super::utf16_lanes::{
    FIRSTS, UNITS, from_80, from_800, load, put, three_bytes_each, two_bytes_each,
};
use super::{first, register};

/// Converts a prefix of `len` code units. Returns the units read and the bytes written.
///
/// # Safety
/// `len` units of two bytes each at `src` are readable, of any alignment, and `room` bytes at `dst` are writable.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(in super::super) unsafe fn utf16_to_utf8<const SWAP: bool>(
    _: Avx512,
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if len >= 32 && room >= 64 {
        let clean;
        // SAFETY: `len` units are readable at `src`, and `room` bytes writable at `dst`, by `# Safety`.
        (read, written, clean) = unsafe { rounds::<SWAP>(src, len, dst, room) };
        if !clean {
            return (read, written);
        }
    }
    while read < len {
        let n = (len - read).min(UNITS);
        // SAFETY: `read + n <= len`, because `n` is at most the number of units left.
        let units = unsafe { load::<SWAP>(src.add(2 * read), n) };
        let mut round = Round::of(units, from_80(units), from_800(units), n);
        round.limit(room - written);
        // SAFETY: `limit` has reduced the bytes to `room - written`.
        written += unsafe { put(round.bytes, round.kept, dst.add(written)) };
        read += round.len;
        if !round.clean {
            break;
        }
    }
    (read, written)
}

/// Converts whole registers. Returns the units read, the bytes written, and false if a lone surrogate follows.
///
/// In markup, branches on the kind of the next characters are mispredicted. So there are only two paths: one for ASCII
/// and two-byte units, and one for all lengths.
///
/// # Safety
/// As [`utf16_to_utf8`].
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline(never)]
unsafe fn rounds<const SWAP: bool>(
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> (usize, usize, bool) {
    let (mut read, mut written) = (0, 0);
    // True if the next 64 units have no surrogates.
    let mut is_known = false;
    while len - read >= 32 && room - written >= 64 {
        // SAFETY: `len - read >= 32` and `room - written >= 64`, by the loop condition.
        let (units, to) = unsafe { (load::<SWAP>(src.add(2 * read), 32), dst.add(written)) };
        prefetch_input::<1>(src, 2 * read, 2 * len);
        let (from_80, from_800) = (from_80(units), from_800(units));
        if from_80 == 0 {
            // SAFETY: 32 bytes are written, and `room - written >= 64`, by the loop condition.
            unsafe { _mm256_storeu_si256(to.cast(), _mm512_cvtepi16_epi8(units)) };
            written += 32;
            read += 32;
            is_known = false;
            continue;
        }
        if from_800 == 0 {
            is_known = false;
            let (bytes, kept) = two_bytes_each(units, from_80);
            // SAFETY: 32 units of at most two bytes are at most 64 bytes, and `room - written >= 64`, by the loop
            // condition.
            written += unsafe { put(bytes, kept, to) };
            read += 32;
            continue;
        }
        // A masked store across a cache line is slow. Without surrogates in the next 64 units, later output overwrites the
        // surplus of a whole store.
        if len - read >= 96 && room - written >= 128 {
            // SAFETY: `len - read >= 96`, tested above, and `at` is at most 64.
            let is_clean =
                |at| unsafe { !has_surrogates(load::<SWAP>(src.add(2 * (read + at)), 32)) };
            is_known = (is_known || is_clean(0) && is_clean(32)) && is_clean(64);
            if is_known {
                let (bytes, kept) = three_bytes_each(units, from_80, from_800);
                let bytes = _mm512_maskz_compress_epi8(kept, bytes);
                // SAFETY: `room - written >= 128`, tested above, so 64 bytes fit. At least 43 units follow. They have
                // no surrogates, so each is converted, to at least one byte.
                unsafe { _mm512_storeu_si512(to.cast(), bytes) };
                written += kept.count_ones() as usize;
                read += UNITS;
                continue;
            }
        }
        let round = Round::of(units, from_80, from_800, UNITS);
        // SAFETY: 21 units of at most three bytes are at most 63 bytes, and `room - written >= 64`, by the loop
        // condition.
        written += unsafe { put(round.bytes, round.kept, to) };
        read += round.len;
        if !round.clean {
            return (read, written, false);
        }
    }
    (read, written, true)
}

#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
fn has_surrogates(units: __m512i) -> bool {
    let from_surrogates = _mm512_sub_epi16(units, _mm512_set1_epi16(0xD800_u16 as i16));
    _mm512_cmplt_epu16_mask(from_surrogates, _mm512_set1_epi16(0x800)) != 0
}

/// Up to 21 units, with three bytes for each.
struct Round {
    bytes: __m512i,
    /// Mask of the bytes to write.
    kept: u64,
    /// The number of code units that `bytes` and `kept` encode.
    len: usize,
    /// True if no lone surrogate follows.
    clean: bool,
    /// Mask of the trail surrogates.
    trails: u32,
}

impl Round {
    /// Converts the first `n` units, given the masks of units from 0x80 and from 0x800 on.
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    #[inline]
    fn of(units: __m512i, from_80: u32, from_800: u32, n: usize) -> Self {
        let from_surrogates = _mm512_sub_epi16(units, _mm512_set1_epi16(0xD800_u16 as i16));
        let surrogates = _mm512_cmplt_epu16_mask(from_surrogates, _mm512_set1_epi16(0x800));
        let within = first(n) as u32;
        if surrogates & within != 0 {
            let leads = _mm512_cmplt_epu16_mask(from_surrogates, _mm512_set1_epi16(0x400)) & within;
            return Self::with_pairs(units, from_80, from_800, n, leads, surrogates & !leads);
        }
        let (bytes, kept) = three_bytes_each(units, from_80, from_800);
        Round {
            bytes,
            kept: kept & first(3 * n),
            len: n,
            clean: true,
            trails: 0,
        }
    }

    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    #[inline]
    fn with_pairs(
        units: __m512i,
        from_80: u32,
        from_800: u32,
        n: usize,
        leads: u32,
        trails: u32,
    ) -> Self {
        // A pair cut by the end of a whole round is no error. A pair cut by the end of the input is.
        let asked = if n == UNITS {
            first(UNITS) as u32
        } else {
            u32::MAX
        };
        let lone = ((leads << 1) ^ (trails & first(n) as u32)) & asked;
        let at = lone.trailing_zeros() as usize;
        let len = if lone == 0 {
            n - (n == UNITS && leads >> (UNITS - 1) & 1 == 1) as usize
        } else {
            at - (leads << 1 >> at & 1) as usize
        };

        // A lead's fields: its ten bits, with 1 added to the upper four for the plane. A trail's fields: its ten bits,
        // with the lead's lowest two above them.
        let ten = _mm512_set1_epi16(0x3FF);
        let lead = _mm512_add_epi16(
            _mm512_slli_epi16::<4>(_mm512_and_si512(units, ten)),
            _mm512_set1_epi16(0x400),
        );
        let before = _mm512_permutexvar_epi16(const { words_before() }, units);
        let two = _mm512_slli_epi16::<10>(_mm512_and_si512(before, _mm512_set1_epi16(3)));
        let trail = _mm512_or_si512(_mm512_and_si512(units, ten), two);
        let units = _mm512_mask_mov_epi16(units, leads, lead);
        let units = _mm512_mask_mov_epi16(units, trails, trail);

        let (bytes, kept) = three_bytes_each(units, from_80, from_800);
        let four = _pdep_u64(leads.into(), FIRSTS);
        let bytes =
            _mm512_mask_mov_epi8(bytes, four, _mm512_or_si512(bytes, _mm512_set1_epi8(0x10)));
        let dropped = four << 2 | _pdep_u64(trails.into(), FIRSTS);
        Round {
            bytes,
            kept: kept & !dropped & first(3 * len),
            len,
            clean: lone == 0,
            trails,
        }
    }

    /// Shortens the round to whole characters that fit into `room` bytes.
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    #[inline]
    fn limit(&mut self, room: usize) {
        if self.kept.count_ones() as usize > room {
            let over = _pdep_u64(1 << room, self.kept).trailing_zeros() as usize / 3;
            self.len = over - (self.trails >> over & 1) as usize;
            self.kept &= first(3 * self.len);
            self.clean = false;
        }
    }
}

/// Returns for each word the index of the one before it.
const fn words_before() -> __m512i {
    let mut bytes = [0; 64];
    let mut i = 2;
    while i < 64 {
        bytes[i] = (i / 2 - 1) as u8;
        i += 2;
    }
    register(bytes)
}
