//! Decoding to UTF-8 where letters have three bytes and follow one another, as in Thai.
//!
//! Such a letter is its byte and some constants: no table is looked up but the one that says what is a letter.
//! Twenty-one characters are a register of UTF-8: a permute puts each byte in three places, an addition makes the low
//! byte of its code point there, and a compress drops what ASCII leaves empty. So a block is 63 bytes.

use core::arch::x86_64::*;

use super::super::super::arrays::{map_array, tail};
use super::super::super::out::Out;
use super::super::super::registers::prefetch_output;
use super::super::{AHEAD, AsciiProbe, CodePoints, WideLetters};
use super::decode::load_code_points;
use super::{copy_ahead, is_ascii_ahead, load, short, store_compressed};

/// Characters in a register of UTF-8.
const CHARACTERS: usize = 21;
/// Which bytes of a register are second and last ones; the last byte of the register is none.
const SECONDS: u64 = 0x2492_4924_9249_2492;
const LASTS: u64 = SECONDS << 1;
const ALL: u64 = u64::MAX >> 1;
/// Room for a block: three registers.
const BLOCK: usize = 192;
/// (A & B) | C
const AND_OR: i32 = 0xEA;

/// A register that repeats three bytes.
const fn threes(three: [u8; 3]) -> [u8; 64] {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 63 {
        bytes[i] = three[i % 3];
        i += 1;
    }
    bytes
}

/// For each register of a block, which of its bytes stands where.
static PLACES: [[u8; 64]; 3] = {
    let mut places = [[0; 64]; 3];
    let mut i = 0;
    while i < 189 {
        places[i / 63][i % 63] = (i / 3) as u8;
        i += 1;
    }
    places
};
/// The numbers from 0 on.
static COUNTING: CodePoints = {
    let mut numbers = [0; 128];
    let mut i = 0;
    while i < 128 {
        numbers[i] = i as u16;
        i += 1;
    }
    numbers
};
/// What a byte of UTF-8 takes of a code point.
static FIELDS: [u8; 64] = threes([0, 0x03, 0x3F]);

/// Decodes for an encoding that has such letters.
#[inline(never)]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
pub(super) fn utf8(
    shared: WideLetters,
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u8>,
) -> usize {
    let letters = Letters::of(shared, code_points);
    let mut at = 0;
    loop {
        at += letters.utf8(tail(src, at), out);
        // A block of anything: punctuation, or the last one.
        let end = src.len().min(at + 64);
        at += short::utf8(code_points, &src[at..end], out);
        if at < end || end == src.len() {
            return at;
        }
    }
}

/// The letters of an encoding.
struct Letters {
    /// From a byte to the low byte of its code point.
    offset: __m512i,
    /// What three bytes of UTF-8 have of what all letters share.
    shared: __m512i,
    /// All ones for what is no letter, by the low seven bits.
    others: [__m512i; 2],
}

impl Letters {
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn of(shared: WideLetters, code_points: &CodePoints) -> Self {
        let WideLetters {
            first,
            page,
            offset,
        } = shared;
        // What differs from consecutive code points, or lies in another page of 256, is no letter.
        let counting = load_code_points(&COUNTING);
        let mut others = [0; 4];
        for (i, units) in load_code_points(code_points).into_iter().enumerate() {
            let expected = _mm512_add_epi16(counting[i], _mm512_set1_epi16(first as i16));
            let same_page = _mm512_set1_epi16((u16::from(page) << 8) as i16);
            // (expected ^ units) | (units ^ page) & 0xFF00
            let other_page =
                _mm512_andnot_si512(_mm512_set1_epi16(0xFF), _mm512_xor_si512(units, same_page));
            let other = _mm512_or_si512(_mm512_xor_si512(expected, units), other_page);
            others[i] = u64::from(_mm512_test_epi16_mask(other, other));
        }
        let others = [others[0] | others[1] << 32, others[2] | others[3] << 32];
        let first = _mm512_set1_epi8((0xE0 | page >> 4) as i8);
        let second = _mm512_set1_epi8((0x80 | page << 2 & 0x3C) as i8);
        let shared = _mm512_mask_mov_epi8(first, SECONDS, second);
        Self {
            offset: _mm512_set1_epi8(offset as i8),
            shared: _mm512_mask_mov_epi8(shared, LASTS, _mm512_set1_epi8(0x80_u8 as i8)),
            others: map_array(others, |others| _mm512_movm_epi8(others)),
        }
    }

    /// The block at `at` if it is whole and all ASCII and letters, for which 189 bytes are needed.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn block(&self, src: &[u8], at: usize) -> Option<__m512i> {
        let bytes = load(tail(src, at).first_chunk()?);
        let others = _mm512_permutex2var_epi8(self.others[0], bytes, self.others[1]);
        let strange = _mm512_movepi8_mask(_mm512_and_si512(others, bytes)) & ALL;
        (strange == 0).then_some(bytes)
    }

    /// Writes a block; returns how many bytes: 63 at least.
    ///
    /// If it is not the last one, up to 43 bytes more are written over.
    ///
    /// # Safety
    /// 192 bytes at `to` are writable, or all that the block becomes if it is the last.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn write<const LAST: bool>(&self, block: __m512i, to: *mut u8) -> usize {
        let mut written = 0;
        for places in &PLACES {
            let bytes = _mm512_permutexvar_epi8(load(places), block);
            let low = _mm512_add_epi8(bytes, self.offset);
            let high = _mm512_srli_epi16::<6>(low);
            let low_or_high = _mm512_mask_mov_epi8(low, SECONDS, high);
            let letters =
                _mm512_ternarylogic_epi32::<AND_OR>(low_or_high, load(&FIELDS), self.shared);
            let not_ascii = _mm512_movepi8_mask(bytes);
            let utf8 = _mm512_mask_mov_epi8(bytes, not_ascii, letters);
            let keep = (not_ascii | LASTS) & ALL;
            // SAFETY: the contract of this function. Of a register at most 63 bytes are kept.
            unsafe {
                let to = to.add(written);
                if LAST {
                    store_compressed(to, keep, utf8);
                } else {
                    _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi8(keep, utf8));
                }
            }
            written += keep.count_ones() as usize;
        }
        written
    }

    /// Writes blocks of ASCII and letters, as many as there is ample room for; returns the bytes read.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn utf8(&self, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        let (to, room) = (out.spare_ptr(), out.room());
        let (mut at, mut written) = (0, 0);
        let mut looks = AsciiProbe::new();
        let mut next = self.block(src, 0).filter(|_| room >= BLOCK);
        while let Some(block) = next {
            if looks.is_due() && room - written >= AHEAD && is_ascii_ahead(src, at) {
                // SAFETY: there are AHEAD bytes on both sides, as just found.
                unsafe { copy_ahead(src.as_ptr().add(at), to.add(written)) };
                written += AHEAD;
                at += AHEAD;
                next = self.block(src, at).filter(|_| room - written >= BLOCK);
                continue;
            }
            prefetch_output::<3, _>(to.cast_const(), written, room);
            at += 3 * CHARACTERS;
            next = self.block(src, at).filter(|_| room - written >= 2 * BLOCK);
            // SAFETY: there is room for a block. Another, or AHEAD bytes, will cover what is written beyond it.
            unsafe {
                let to = to.add(written);
                written += if next.is_some() {
                    self.write::<false>(block, to)
                } else {
                    self.write::<true>(block, to)
                };
            }
        }
        // SAFETY: the blocks' stores initialised `written` bytes, within the room.
        unsafe { out.advance(written) };
        at
    }
}
