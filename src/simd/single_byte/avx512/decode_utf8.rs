//! Decoding to UTF-8 with AVX-512 VBMI: two-table permutes and byte compresses.
//!
//! Permutes give the first and the second bytes of 64 characters, which are then interleaved. The second byte of an
//! ASCII character is 0, and a compress drops it. A block with a three-byte character takes three tables, three output
//! registers and three compresses.
//!
//! Speed relative to encoding_rs 0.8.44 on 2 MB that do not repeat (Sapphire Rapids), plain text / markup: windows-1251
//! 25 / 10, windows-1252 5 to 11 / 3; windows-874 14 / 4.7 (Zen 4).

use core::arch::x86_64::*;

use super::super::super::arrays::{map_array, tail};
use super::super::super::level::Avx512;
use super::super::super::out::Out;
use super::super::{AHEAD, AsciiProbe, CodePoints, portable};
use super::decode::{
    Table, first_of, in_places, load_code_points, look_up, look_up_or_keep, low_bytes, place,
};
use super::{copy_ahead, first, is_ascii_ahead, load, load_from, store_compressed};

/// Shuffles that build three registers of output from the registers of first, second and third bytes.
struct Lanes {
    /// Indices into the register of first bytes (0 to 63) and the register of second bytes (64 to 127).
    pair: [[u8; 64]; 3],
    /// Indices into the register of third bytes.
    third: [[u8; 64]; 3],
    /// Masks of the output bytes that are third bytes, and first bytes.
    is_third: [u64; 3],
    is_first: [u64; 3],
}

static LANES: Lanes = {
    let mut lanes = Lanes {
        pair: [[0; 64]; 3],
        third: [[0; 64]; 3],
        is_third: [0; 3],
        is_first: [0; 3],
    };
    let mut i = 0;
    while i < 192 {
        let from = place(i / 3) as u8;
        match i % 3 {
            0 => {
                lanes.pair[i / 64][i % 64] = from;
                lanes.is_first[i / 64] |= 1 << (i % 64);
            }
            1 => lanes.pair[i / 64][i % 64] = from + 64,
            _ => {
                lanes.third[i / 64][i % 64] = from;
                lanes.is_third[i / 64] |= 1 << (i % 64);
            }
        }
        i += 1;
    }
    lanes
};

/// Mask of the first bytes in interleaved pairs.
const FIRSTS: u64 = 0x5555_5555_5555_5555;

/// The first, second and third UTF-8 bytes of 128 code points. A missing third byte is 0. The first byte of an unmapped
/// code point is 0.
#[derive(Clone, Copy)]
struct Sequences {
    first: Table,
    second: Table,
    third: Table,
    /// The maximum number of UTF-8 bytes of a character.
    longest: usize,
    /// True if every byte is mapped.
    complete: bool,
}

#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn sequences(code_points: &CodePoints) -> Sequences {
    let units = load_code_points(code_points);
    let six = _mm512_set1_epi16(0x3F);
    let continuation = _mm512_set1_epi16(0x80);
    let wide = map_array(units, |unit| {
        _mm512_cmpge_epu16_mask(unit, _mm512_set1_epi16(0x800))
    });
    let (mut firsts, mut seconds, mut thirds) = (units, units, units);
    let mut complete = true;
    for i in 0..4 {
        let mapped = _mm512_test_epi16_mask(units[i], units[i]);
        complete &= mapped == u32::MAX;
        let middle = _mm512_srli_epi16::<6>(units[i]);
        let two = _mm512_or_si512(middle, _mm512_set1_epi16(0xC0));
        let three = _mm512_or_si512(_mm512_srli_epi16::<12>(units[i]), _mm512_set1_epi16(0xE0));
        firsts[i] = _mm512_maskz_mov_epi16(mapped, _mm512_mask_mov_epi16(two, wide[i], three));
        // continuation | payload & six
        let payload = _mm512_mask_mov_epi16(units[i], wide[i], middle);
        seconds[i] = _mm512_ternarylogic_epi64::<0xF8>(continuation, payload, six);
        let last = _mm512_ternarylogic_epi64::<0xF8>(continuation, units[i], six);
        thirds[i] = _mm512_maskz_mov_epi16(wide[i], last);
    }
    Sequences {
        first: low_bytes(firsts),
        second: low_bytes(seconds),
        third: low_bytes(thirds),
        longest: 2 + usize::from(wide != [0; 4]),
        complete,
    }
}

/// Writes the UTF-8 of the first `n` characters of a block in unpack order. Returns the number of bytes. `COVERED`
/// means that the block is whole, and that later output overwrites up to 32 bytes stored in excess.
///
/// # Safety
/// The bytes, and 32 more if `COVERED`, are writable at `to`; `n <= 64`.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
unsafe fn store_pairs<const COVERED: bool>(to: *mut u8, a: __m512i, b: __m512i, n: usize) -> usize {
    let (low, high) = (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b));
    let mut keep_low = _mm512_test_epi8_mask(low, low) | FIRSTS;
    let mut keep_high = _mm512_test_epi8_mask(high, high) | FIRSTS;
    // SAFETY: the block's bytes are writable, and 32 more if `COVERED`, by `# Safety`. Each half of a whole block becomes at
    // least 32 bytes, by `FIRSTS`, so the unmasked stores of 64 bytes end within these.
    unsafe {
        if COVERED || n == 64 {
            _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi8(keep_low, low));
            let written = keep_low.count_ones() as usize;
            let to = to.add(written);
            if COVERED {
                _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi8(keep_high, high));
                return written + keep_high.count_ones() as usize;
            }
            return written + store_compressed(to, keep_high, high);
        }
        keep_low &= first(2 * n);
        keep_high &= first((2 * n).saturating_sub(64));
        let written = store_compressed(to, keep_low, low);
        written + store_compressed(to.add(written), keep_high, high)
    }
}

/// Implements [`store_pairs`] for a block with three-byte characters.
///
/// # Safety
/// The bytes of `n` characters are writable at `to`; `n <= 64`.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
unsafe fn store_triples(to: *mut u8, a: __m512i, b: __m512i, c: __m512i, n: usize) -> usize {
    let mut written = 0;
    for lane in 0..3 {
        let pair = _mm512_permutex2var_epi8(a, load(&LANES.pair[lane]), b);
        let third = load(&LANES.third[lane]);
        let joined = _mm512_mask_permutexvar_epi8(pair, LANES.is_third[lane], third, c);
        let keep = _mm512_test_epi8_mask(joined, joined) | LANES.is_first[lane];
        let keep = keep & first((3 * n).saturating_sub(64 * lane));
        // SAFETY: `keep` selects bytes of the first `n` characters only, which are writable, by `# Safety`.
        written += unsafe { store_compressed(to.add(written), keep, joined) };
    }
    written
}

#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(in super::super) fn utf8(
    _: Avx512,
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u8>,
) -> usize {
    let tables = sequences(code_points);
    let mut at = match tables.complete {
        true => tables.whole_blocks::<true>(src, out),
        false => tables.whole_blocks::<false>(src, out),
    };
    let (to, room) = (out.spare_ptr(), out.room());
    let mut written = 0;
    // The rest is shorter than two blocks, contains an unmapped byte, or has little room.
    while at < src.len() {
        // The number of characters that fit even if all are of the longest form. It shrinks with the free output.
        let fitting = (room - written) / tables.longest;
        let mut n = (src.len() - at).min(64).min(fitting);
        if n == 0 {
            break;
        }
        let bytes = in_places(load_from(&src[..at + n], at));
        let (a, b, not_ascii, unmapped) = tables.look_up(bytes);
        if unmapped != 0 {
            n = first_of(unmapped);
        }
        // SAFETY: `n <= fitting`, set above, so `n` characters of `tables.longest` bytes fit into `room - written`.
        written += unsafe { tables.store::<false>(to.add(written), bytes, (a, b), not_ascii, n) };
        at += n;
        if unmapped != 0 {
            // SAFETY: the stores initialised `written <= room` bytes.
            unsafe { out.advance(written) };
            return at;
        }
    }
    // SAFETY: the stores initialised `written <= room` bytes.
    unsafe { out.advance(written) };
    // Fewer bytes are free than the longest character takes.
    at + portable::decode_utf8(code_points, tail(src, at), out)
}

impl Sequences {
    /// Returns the first and second bytes of a block in unpack order, and masks of the non-ASCII and the unmapped
    /// bytes.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    fn look_up(&self, bytes: __m512i) -> (__m512i, __m512i, u64, u64) {
        let not_ascii = _mm512_movepi8_mask(bytes);
        let a = look_up_or_keep(self.first, bytes, not_ascii);
        let b = look_up(self.second, bytes, not_ascii);
        let unmapped = _mm512_mask_testn_epi8_mask(not_ascii, a, a);
        (a, b, not_ascii, unmapped)
    }

    /// Writes the first `n` characters of a block. Returns the number of bytes.
    ///
    /// # Safety
    /// As for [`store_pairs`] and [`store_triples`].
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    unsafe fn store<const COVERED: bool>(
        &self,
        to: *mut u8,
        bytes: __m512i,
        (a, b): (__m512i, __m512i),
        not_ascii: u64,
        n: usize,
    ) -> usize {
        let wide = _mm512_cmpge_epu8_mask(a, _mm512_set1_epi8(0xE0_u8 as i8));
        // SAFETY: the bytes of `n` characters are writable, by `# Safety`, which is that of both functions.
        unsafe {
            if wide == 0 {
                return store_pairs::<COVERED>(to, a, b, n);
            }
            let c = look_up(self.third, bytes, not_ascii);
            store_triples(to, a, b, c, n)
        }
    }

    /// Decodes whole blocks, up to one with an unmapped byte. If no byte is unmapped (`COMPLETE`), each block may
    /// overshoot, and the next one overwrites the excess. Returns the number of bytes read.
    ///
    /// A separate loop, because tests for the end of the input, the end of the output and a stop in each block took a
    /// quarter of the time.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    fn whole_blocks<const COMPLETE: bool>(&self, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        const { assert!(AHEAD <= 2 * 192) };
        let (to, room) = (out.spare_ptr(), out.room());
        let (mut at, mut written) = (0, 0);
        let mut looks = AsciiProbe::new();
        // Two blocks must be left, and must fit in their longest form.
        while src.len() - at >= 128 && room - written >= 2 * 192 {
            if looks.is_due() && is_ascii_ahead(src, at) {
                // SAFETY: `is_ascii_ahead` found `AHEAD` bytes in `src`, and `AHEAD <= 2 * 192 <= room - written`.
                unsafe { copy_ahead(src.as_ptr().add(at), to.add(written)) };
                written += AHEAD;
                at += AHEAD;
                looks = AsciiProbe::new();
                continue;
            }
            // SAFETY: `at + 128 <= src.len()`, and there is room for two blocks. If `COMPLETE`, later
            // output of at least 64 bytes, here or in `utf8`, overwrites the excess.
            unsafe {
                let bytes = in_places(_mm512_loadu_si512(src.as_ptr().add(at).cast()));
                let (a, b, not_ascii, unmapped) = self.look_up(bytes);
                if !COMPLETE && unmapped != 0 {
                    break;
                }
                written += self.store::<COMPLETE>(to.add(written), bytes, (a, b), not_ascii, 64);
            }
            at += 64;
        }
        // SAFETY: the stores initialised `written <= room` bytes.
        unsafe { out.advance(written) };
        at
    }
}
