//! UTF-16 to UTF-8, 21 or 32 code units at a time.
//!
//! Twenty-one units have room for three bytes each in one register: a word permute brings the four units that eight
//! output bytes can come from into their quadword, a multishift picks the six-bit fields, and one compress drops the
//! bytes that shorter characters lack. Units below 0x800 alone go 32 at a time, two bytes each. A surrogate yields
//! two bytes of four: rewritten so that its fields lie where a third's would, a pair needs nothing else of its own.

use crate::simd::tuning;
use core::arch::x86_64::*;

use super::super::super::token::Avx512;
use super::utf16_lanes::{
    FIRSTS, UNITS, from_80, from_800, load, put, three_bytes_each, two_bytes_each,
};
use super::utf16_runs::{ascii_run, mixed};
use super::{first, register};

/// Converts a prefix of `len` code units; returns the units read and the bytes written.
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
        // SAFETY: by `# Safety`, `len` units are readable at `src`, and `room` bytes writable at `dst`.
        (read, written, clean) = unsafe { rounds::<SWAP>(src, len, dst, room) };
        if !clean {
            return (read, written);
        }
    }
    while read < len {
        let n = (len - read).min(UNITS);
        // SAFETY: `n` units are left.
        let units = unsafe { load::<SWAP>(src.add(2 * read), n) };
        let mut round = Round::of(units, from_80(units), from_800(units), n);
        round.limit(room - written);
        // SAFETY: `limit` has fitted the bytes to the room.
        written += unsafe { put(round.bytes, round.kept, dst.add(written)) };
        read += round.len;
        if !round.clean {
            break;
        }
    }
    (read, written)
}

/// Rounds between two probes for such a run: after one, and at most. A probe that finds none doubles the distance.
const AGAIN: u32 = tuning::PROBES_IN_UTF16[0];
const MOST: u32 = tuning::PROBES_IN_UTF16[1];
/// Units from 0x800 on that a register has at least, or rounds since the last such unit at most, in text that mixes
/// all lengths. A dash among letters of two bytes is not that.
const MANY: u32 = tuning::MANY_OF_THREE;
const NEAR: u32 = tuning::NEAR_OF_THREE;
/// Rounds that go one by one where surrogates are met.
const CLOSE: u32 = tuning::AFTER_SURROGATES;

/// Whole registers; false when a lone surrogate follows.
///
/// In markup branches on what comes next are mispredicted. So there are few: ASCII and units of two bytes go one
/// way, and all lengths together go another, for a while.
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
    let (mut looks, mut vain) = (AGAIN, AGAIN);
    let mut since = u32::MAX / 2;
    // Rounds before surrogates are asked for far ahead again, as they were met, or may be all that the text has.
    let mut close = CLOSE;
    while len - read >= 32 && room - written >= 64 {
        // SAFETY: 32 units are left, and 64 bytes of room.
        let (from, to) = unsafe { (src.add(2 * read), dst.add(written)) };
        let (left, room) = (len - read, room - written);
        if looks == 0 {
            // SAFETY: `left` units are readable, and `room` bytes writable.
            let run = unsafe { ascii_run::<SWAP>(from, left.min(room), to) };
            vain = if run > 0 { AGAIN } else { (2 * vain).min(MOST) };
            looks = vain;
            if run > 0 {
                since = u32::MAX / 2;
                read += run;
                written += run;
                continue;
            }
        }
        // SAFETY: 32 units are left.
        let units = unsafe { load::<SWAP>(from, 32) };
        let from_800 = from_800(units);
        looks -= 1;
        if from_800 == 0 {
            let (bytes, kept) = two_bytes_each(units, from_80(units));
            // SAFETY: at most 64 bytes, which fit.
            written += unsafe { put(bytes, kept, to) };
            since = since.saturating_add(1);
            read += 32;
            continue;
        }
        if close == 0 && (from_800.count_ones() >= MANY || since <= NEAR) {
            // SAFETY: `left` units are readable, and `room` bytes writable.
            let (units, bytes, surrogates) = unsafe { mixed::<SWAP>(from, left, to, room) };
            read += units;
            written += bytes;
            if surrogates {
                close = CLOSE;
            }
            if units > 0 {
                (looks, since) = (0, 0);
                continue;
            }
        }
        close = close.saturating_sub(1);
        since = 0;
        let round = Round::of(units, from_80(units), from_800, UNITS);
        // SAFETY: at most 63 bytes.
        written += unsafe { put(round.bytes, round.kept, to) };
        read += round.len;
        if !round.clean {
            return (read, written, false);
        }
    }
    (read, written, true)
}

/// Up to 21 units, three bytes in each one's place.
struct Round {
    bytes: __m512i,
    /// The bytes that are output.
    kept: u64,
    /// The units that they encode.
    len: usize,
    /// Whether no lone surrogate follows.
    clean: bool,
    /// Trailing surrogates.
    trails: u32,
}

impl Round {
    /// Of the first `n` units, with the masks of those from 0x80 and from 0x800 on.
    #[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vbmi")]
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

    #[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vbmi")]
    #[inline]
    fn with_pairs(
        units: __m512i,
        from_80: u32,
        from_800: u32,
        n: usize,
        leads: u32,
        trails: u32,
    ) -> Self {
        // The pair that the end of a whole round cuts is no fault; that of the input is.
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

        // The fields of a lead: ten bits, and the plane's 1 added to the upper four. Those of a trail: its ten bits,
        // and the lead's lowest two above them.
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

    /// Shortens the round to the characters whose bytes fit.
    #[target_feature(enable = "bmi1,bmi2,popcnt")]
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

/// For each word, the number of the one before it.
const fn words_before() -> __m512i {
    let mut bytes = [0; 64];
    let mut i = 2;
    while i < 64 {
        bytes[i] = (i / 2 - 1) as u8;
        i += 2;
    }
    register(bytes)
}
