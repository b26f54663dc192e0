//! AVX-512: three passes over a batch of up to 16 blocks, as for decoding.
//!
//! 1. The code points of a block's non-ASCII characters are compressed, 32 at a time: from UTF-8 by its bytes and the two
//!    that follow each.
//! 2. They are looked up: the only serial work.
//! 3. The bytes are expanded back to where the characters were, and each block is written with one compress.
//!
//! A block is a register of the source: 64 bytes of UTF-8, 32 units of UTF-16. Both give at most 64 bytes.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::ascii::{copy_ascii, narrow_ascii};
use super::super::out::Out;
use super::super::token::Avx512;
use super::{EncodePairs, FIRST_DUPLICATE_ROW, Ranks, Values};

/// Blocks in a batch.
const BLOCKS: usize = 16;
/// Non-ASCII characters in a batch: at most 32 a block, and room to store and load whole registers.
const CHARACTERS: usize = BLOCKS * 32 + 128;
/// Room before the first second byte, so that a register may be loaded from one before it.
const BEFORE: usize = 64;
/// Most bytes that a block becomes.
const MOST: usize = 64;

/// UTF-8 or UTF-16, as source.
pub(super) trait Form {
    type Unit: Copy;
    /// Units in a block.
    const LEN: usize;
    /// Whether the third pass takes first and second bytes apart.
    const SPLITS: bool;

    /// Writes the ASCII prefix of `src` that fits; returns its length.
    fn ascii(src: &[Self::Unit], out: &mut Out<'_, u8>) -> usize;

    /// Whether the first block of `src` is whole and ASCII.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets.
    unsafe fn is_ascii(src: &[Self::Unit]) -> bool;

    /// The end of the last character that ends within the first `whole` units of `src`.
    fn floor(src: &[Self::Unit], whole: usize) -> usize;

    /// First pass over a block that starts at `start` and of which `limit` counts: code points to `to`.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets; 32 elements at `to` are writable.
    unsafe fn find(src: &[Self::Unit], start: usize, limit: u64, to: *mut u16) -> Found;

    /// Third pass: writes a block at `to`; returns how many bytes.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets; 64 bytes at `to` are writable, 64 elements at `values` are
    /// readable and one before.
    unsafe fn write(block: &Block, src: &[Self::Unit], values: Looked, to: *mut u8) -> usize;
}

/// What the first pass finds in a block: places of characters to look up, and of what it does not know.
pub(super) struct Found {
    leads: u64,
    strange: u64,
}

/// What the third pass knows of a block.
pub(super) struct Block {
    start: usize,
    leads: u64,
    /// Whether the block before ended behind a lead, so that this one starts with a second byte.
    carry: bool,
    /// The units that count.
    limit: u64,
}

/// Looked-up bytes: the first of each character and its second or 0, or both in one, the first low.
#[derive(Clone, Copy)]
pub(super) struct Looked {
    firsts: *const u8,
    seconds: *const u8,
    both: *const u16,
}

/// Encodes a prefix of `src`; returns its length.
#[inline(always)]
pub(super) fn encode<P: EncodePairs, F: Form>(
    token: Avx512,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
) -> usize {
    let _ = token;
    // SAFETY: holding `Avx512` proves detection succeeded.
    unsafe { encode_featured::<P, F>(src, out) }
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn encode_featured<P: EncodePairs, F: Form>(src: &[F::Unit], out: &mut Out<'_, u8>) -> usize {
    let mut batch = Batch::new();
    let mut read = 0;
    // The first batch is small: what follows may be unmappable, and then the work on it is in vain.
    let mut most = 2;
    loop {
        let mut rest = &src[read..];
        // SAFETY: this function has the features.
        if unsafe { F::is_ascii(rest) } {
            read += F::ascii(rest, out);
            rest = &src[read..];
        }
        let blocks = rest.len().div_ceil(F::LEN).min(most).min(out.room() / MOST);
        let whole = F::floor(rest, (blocks * F::LEN).min(rest.len()));
        let end = batch.find::<F>(rest, whole);
        let end = batch.look_up::<P, F>(end);
        let written = batch.write::<F>(rest, end, out.spare_ptr());
        // SAFETY: `write` has initialised that many bytes, within the room for `blocks` established above.
        unsafe { out.advance(written) };
        read += end;
        if end < whole || end == 0 || end == rest.len() {
            return read;
        }
        most = (most * 4).min(BLOCKS);
    }
}

/// A batch between its passes.
struct Batch {
    leads: [u64; BLOCKS],
    code_points: MaybeUninit<[u16; CHARACTERS]>,
    both: MaybeUninit<[u16; CHARACTERS]>,
    firsts: MaybeUninit<[u8; CHARACTERS]>,
    seconds: MaybeUninit<[u8; BEFORE + CHARACTERS]>,
    characters: usize,
}

impl Batch {
    #[inline(always)]
    fn new() -> Self {
        let mut batch = Self {
            leads: [0; BLOCKS],
            code_points: MaybeUninit::uninit(),
            both: MaybeUninit::uninit(),
            firsts: MaybeUninit::uninit(),
            seconds: MaybeUninit::uninit(),
            characters: 0,
        };
        // SAFETY: within `seconds`, whose element type has no invalid values.
        unsafe {
            batch
                .seconds
                .as_mut_ptr()
                .cast::<u8>()
                .add(BEFORE - 1)
                .write(0)
        };
        batch
    }

    /// First pass, over the first `end` units of `src`, which end a character. Returns `end`, or the place before it of
    /// something the kernel does not know.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn find<F: Form>(&mut self, src: &[F::Unit], end: usize) -> usize {
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        self.characters = 0;
        let mut start = 0;
        for leads in self.leads.iter_mut().take(end.div_ceil(F::LEN)) {
            let limit = _bzhi_u64(u64::MAX, (end - start).min(F::LEN) as u32);
            // SAFETY: this function has the features. A block has at most 32 characters, so that before this one there
            // are at most 32 * (BLOCKS - 1), and `code_points` has room for 32 more.
            let found = unsafe { F::find(src, start, limit, code_points.add(self.characters)) };
            *leads = found.leads;
            if found.strange != 0 {
                let place = found.strange.trailing_zeros();
                self.characters += _bzhi_u64(found.leads, place).count_ones() as usize;
                return start + place as usize;
            }
            self.characters += found.leads.count_ones() as usize;
            start += F::LEN;
        }
        end
    }

    /// Second pass: bytes for code points. Returns `end`, or where the first character is that has none.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn look_up<P: EncodePairs, F: Form>(&mut self, end: usize) -> usize {
        let code_points: *const u16 = self.code_points.as_ptr().cast();
        let both: *mut u16 = self.both.as_mut_ptr().cast();
        let ranks = P::ranks();
        for at in 0..self.characters {
            // SAFETY: the first pass has initialised `characters` elements, fewer than CHARACTERS.
            unsafe { *both.add(at) = value::<P>(&ranks, *code_points.add(at)) };
        }
        let firsts: *mut u8 = self.firsts.as_mut_ptr().cast();
        let seconds: *mut u8 = self.seconds.as_mut_ptr().cast();
        let mut unmappable = 0;
        let mut at = 0;
        while at < self.characters && unmappable == 0 {
            let lanes = _bzhi_u32(u32::MAX, (self.characters - at).min(32) as u32);
            // SAFETY: `at + 32 <= characters + 31 < CHARACTERS`, and `seconds` has `BEFORE` elements more. Lanes past the
            // last character are not loaded, as they may be uninitialised.
            unmappable = unsafe {
                let values = _mm512_maskz_loadu_epi16(lanes, both.add(at).cast());
                let (mut bytes, mut absent) = finish::<P>(values);
                if let Some(code_point) = P::ASK {
                    let code_points = _mm512_maskz_loadu_epi16(lanes, code_points.add(at).cast());
                    let ask = _mm512_set1_epi16(code_point as i16);
                    absent |= _mm512_cmpeq_epi16_mask(code_points, ask);
                }
                absent &= lanes;
                if absent != 0 {
                    bytes = ask::<P>(bytes, absent, code_points.add(at));
                }
                // The first byte is high in a pair, and low in a single byte.
                let pairs = _mm512_cmpge_epu16_mask(bytes, _mm512_set1_epi16(0x100));
                let high = _mm512_srli_epi16::<8>(bytes);
                let first = _mm512_mask_mov_epi16(bytes, pairs, high);
                let second = _mm512_maskz_mov_epi16(pairs, bytes);
                if F::SPLITS {
                    _mm256_storeu_si256(firsts.add(at).cast(), _mm512_cvtepi16_epi8(first));
                    let second = _mm512_cvtepi16_epi8(second);
                    _mm256_storeu_si256(seconds.add(BEFORE + at).cast(), second);
                } else {
                    let swapped = _mm512_or_si512(high, _mm512_slli_epi16::<8>(second));
                    let swapped = _mm512_mask_mov_epi16(bytes, pairs, swapped);
                    _mm512_storeu_si512(both.add(at).cast(), swapped);
                }
                _mm512_mask_testn_epi16_mask(lanes, bytes, bytes)
            };
            at += 32;
        }
        // The third pass loads whole registers: zeros behind the last character.
        // SAFETY: `at <= characters + 31`, and so `at + 64 <= CHARACTERS`.
        unsafe {
            if F::SPLITS {
                _mm512_storeu_si512(firsts.add(at).cast(), _mm512_setzero_si512());
                _mm512_storeu_si512(seconds.add(BEFORE + at).cast(), _mm512_setzero_si512());
            } else {
                _mm512_storeu_si512(both.add(at).cast(), _mm512_setzero_si512());
            }
        }
        if unmappable != 0 {
            return self.end_before(at - 32 + unmappable.trailing_zeros() as usize, F::LEN);
        }
        end
    }

    /// Where a character is.
    #[cold]
    fn end_before(&mut self, character: usize, block: usize) -> usize {
        self.characters = character;
        let mut before = character as u32;
        for (i, leads) in self.leads.iter().enumerate() {
            let count = leads.count_ones();
            if before < count {
                let mut leads = *leads;
                for _ in 0..before {
                    leads &= leads - 1;
                }
                return block * i + leads.trailing_zeros() as usize;
            }
            before -= count;
        }
        0
    }

    /// Third pass: writes the first `end` units of `src`, which end a character; returns how many bytes that is.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn write<F: Form>(&self, src: &[F::Unit], end: usize, to: *mut u8) -> usize {
        // SAFETY: `seconds` has `BEFORE` elements before the first.
        let mut values = unsafe {
            Looked {
                firsts: self.firsts.as_ptr().cast(),
                seconds: self.seconds.as_ptr().cast::<u8>().add(BEFORE),
                both: self.both.as_ptr().cast(),
            }
        };
        let mut written = 0;
        let mut carry = false;
        let mut start = 0;
        for leads in self.leads.iter().take(end.div_ceil(F::LEN)) {
            let limit = _bzhi_u64(u64::MAX, (end - start).min(F::LEN) as u32);
            let leads = leads & limit;
            let block = Block {
                start,
                leads,
                carry,
                limit,
            };
            let count = leads.count_ones() as usize;
            // SAFETY: this function has the features; `to` has room for MOST bytes a block; `values` is at most
            // `characters` behind the first, with 64 elements behind and, for second bytes, one before.
            unsafe {
                written += F::write(&block, src, values, to.add(written));
                values = Looked {
                    firsts: values.firsts.add(count),
                    seconds: values.seconds.add(count),
                    both: values.both.add(count),
                };
            }
            carry = leads >> 63 != 0;
            start += F::LEN;
        }
        written
    }
}

/// The value of a code point plus [`offset`], or 0: without a branch, as members and others alternate in any text.
#[inline(always)]
fn value<P: EncodePairs>(ranks: &Ranks, code_point: u16) -> u16 {
    let page = usize::from(ranks.pages[usize::from(code_point >> 8)]);
    let block = page * 8 + usize::from(code_point >> 5 & 7);
    // The bounds hold for every code point; they are compared with constants.
    let descriptor = ranks.blocks.get(block).copied().unwrap_or(0);
    let bit = u32::from(code_point & 31);
    let below = descriptor as u32 & ((1 << bit) - 1);
    let mut place = (descriptor >> 32) as usize + below.count_ones() as usize;
    let mut member = (descriptor >> bit) as u16 & 1;
    let mut values = ranks.values;
    if !ranks.ideographs.is_empty() {
        let ideograph = usize::from(code_point.wrapping_sub(0x4E00));
        let is_ideograph = ideograph < ranks.ideographs.len();
        values = core::hint::select_unpredictable(is_ideograph, ranks.ideographs, values);
        place = core::hint::select_unpredictable(is_ideograph, ideograph, place);
        member |= u16::from(is_ideograph);
    }
    let value = values.get(place).copied().unwrap_or(0);
    value.wrapping_add(offset::<P>()) & member.wrapping_neg()
}

/// What is added to a value, so that none is 0.
const fn offset<P: EncodePairs>() -> u16 {
    match P::VALUES {
        Values::Bytes => 0,
        Values::Euc => 0xA1A1,
        Values::ShiftJis => 0x2121,
    }
}

/// Bytes of values, and the lanes for which the encoder has to be asked.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn finish<P: EncodePairs>(values: __m512i) -> (__m512i, u32) {
    let absent = _mm512_testn_epi16_mask(values, values);
    if !matches!(P::VALUES, Values::ShiftJis) {
        return (values, absent);
    }
    let set = |value: u16| _mm512_set1_epi16(value as i16);
    let row = _mm512_sub_epi16(_mm512_srli_epi16::<8>(values), set(0x21));
    let cell = _mm512_sub_epi16(_mm512_and_si512(values, set(0xFF)), set(0x21));
    // Two rows of 94 make one lead of 188 trails.
    let lead = _mm512_srli_epi16::<1>(row);
    let upper = _mm512_cmpge_epu16_mask(lead, set(0x1F));
    let lead = _mm512_add_epi16(lead, _mm512_mask_mov_epi16(set(0x81), upper, set(0xC1)));
    let odd = _mm512_test_epi16_mask(row, set(1));
    let trail = _mm512_mask_add_epi16(cell, odd, cell, set(94));
    let upper = _mm512_cmpge_epu16_mask(trail, set(0x3F));
    let trail = _mm512_add_epi16(trail, _mm512_mask_mov_epi16(set(0x40), upper, set(0x41)));
    let bytes = _mm512_or_si512(_mm512_slli_epi16::<8>(lead), trail);
    // Absent ones have row 0 - 0x21, which is above all others.
    let ask = _mm512_cmpge_epu16_mask(row, set(FIRST_DUPLICATE_ROW));
    (bytes, ask)
}

/// Asks the encoder for some lanes.
///
/// # Safety
/// `code_points` is readable wherever `lanes` has a bit.
#[cold]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn ask<P: EncodePairs>(bytes: __m512i, lanes: u32, code_points: *const u16) -> __m512i {
    let mut all = [0_u16; 32];
    // SAFETY: the array is as long as the register.
    unsafe { _mm512_storeu_si512(all.as_mut_ptr().cast(), bytes) };
    for (lane, value) in all.iter_mut().enumerate() {
        if lanes >> lane & 1 != 0 {
            // SAFETY: the contract of this function.
            *value = P::bytes(unsafe { *code_points.add(lane) });
        }
    }
    // SAFETY: the array is as long as the register.
    unsafe { _mm512_loadu_si512(all.as_ptr().cast()) }
}

/// The first 64 bytes from `start` on; zeros behind the end.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn load(src: &[u8], start: usize) -> __m512i {
    let rest = src.get(start..).unwrap_or_default();
    // SAFETY: 64 bytes are readable, or only as many lanes are loaded as there are bytes.
    unsafe {
        if rest.len() >= 64 {
            _mm512_loadu_si512(rest.as_ptr().cast())
        } else {
            let lanes = _bzhi_u64(u64::MAX, rest.len() as u32);
            _mm512_maskz_loadu_epi8(lanes, rest.as_ptr().cast())
        }
    }
}

/// The first 32 code units from `start` on; zeros behind the end.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn load_units(src: &[u16], start: usize) -> __m512i {
    let rest = src.get(start..).unwrap_or_default();
    // SAFETY: 32 units are readable, or only as many lanes are loaded as there are units.
    unsafe {
        if rest.len() >= 32 {
            _mm512_loadu_si512(rest.as_ptr().cast())
        } else {
            let lanes = _bzhi_u32(u32::MAX, rest.len() as u32);
            _mm512_maskz_loadu_epi16(lanes, rest.as_ptr().cast())
        }
    }
}

/// Compresses the bytes of `lanes` to 16-bit lanes, 32 at most.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn compress(lanes: u64, bytes: __m512i) -> __m512i {
    _mm512_cvtepu8_epi16(_mm512_castsi512_si256(_mm512_maskz_compress_epi8(
        lanes, bytes,
    )))
}

/// UTF-8: valid, as it comes from a `str`.
pub(super) struct Utf8;

impl Form for Utf8 {
    type Unit = u8;
    const LEN: usize = 64;
    const SPLITS: bool = true;

    fn ascii(src: &[u8], out: &mut Out<'_, u8>) -> usize {
        copy_ascii(src, out)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    unsafe fn is_ascii(src: &[u8]) -> bool {
        src.len() >= 64 && _mm512_movepi8_mask(load(src, 0)) == 0
    }

    #[inline(always)]
    fn floor(src: &[u8], whole: usize) -> usize {
        let mut end = whole;
        while src.get(end).is_some_and(|byte| byte & 0xC0 == 0x80) {
            end -= 1;
        }
        end
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn find(src: &[u8], start: usize, limit: u64, to: *mut u16) -> Found {
        let bytes = load(src, start);
        let leads = _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(0xC0_u8 as i8)) & limit;
        let strange = _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(0xF0_u8 as i8)) & limit;
        let set = |value: i16| _mm512_set1_epi16(value);
        let first = compress(leads, bytes);
        let second = _mm512_and_si512(compress(leads, load(src, start + 1)), set(0x3F));
        let third = _mm512_and_si512(compress(leads, load(src, start + 2)), set(0x3F));
        let three = _mm512_cmpge_epu16_mask(first, set(0xE0));
        let middle = _mm512_slli_epi16::<6>(second);
        let of_two = _mm512_or_si512(
            _mm512_slli_epi16::<6>(_mm512_and_si512(first, set(0x1F))),
            second,
        );
        // a | b | c
        let of_three =
            _mm512_ternarylogic_epi32::<0xFE>(_mm512_slli_epi16::<12>(first), middle, third);
        // SAFETY: 32 elements are writable: the contract of this function.
        unsafe {
            _mm512_storeu_si512(to.cast(), _mm512_mask_mov_epi16(of_two, three, of_three));
        }
        Found { leads, strange }
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn write(block: &Block, src: &[u8], values: Looked, to: *mut u8) -> usize {
        let bytes = load(src, block.start);
        // A second byte goes to the place behind its lead; all other continuation bytes are dropped.
        let behind = block.leads << 1 | u64::from(block.carry);
        // Signed: 0x80 to 0xBF are below -64.
        let starts = _mm512_cmpge_epi8_mask(bytes, _mm512_set1_epi8(0xC0_u8 as i8)) & block.limit;
        // SAFETY: 64 elements are readable, and one before the second bytes: the contract of this function.
        let (firsts, seconds) = unsafe {
            (
                _mm512_loadu_si512(values.firsts.cast()),
                _mm512_loadu_si512(values.seconds.sub(usize::from(block.carry)).cast()),
            )
        };
        let seconds = _mm512_maskz_expand_epi8(behind, seconds);
        let bytes = _mm512_mask_expand_epi8(bytes, block.leads, firsts);
        let bytes = _mm512_mask_mov_epi8(bytes, behind, seconds);
        let keep = starts | _mm512_test_epi8_mask(seconds, seconds);
        let count = keep.count_ones();
        // SAFETY: as many bytes are stored as `keep` has bits, 64 at most.
        unsafe {
            _mm512_mask_storeu_epi8(
                to.cast(),
                _bzhi_u64(u64::MAX, count),
                _mm512_maskz_compress_epi8(keep, bytes),
            );
        }
        count as usize
    }
}

/// UTF-16: surrogates have no bytes, so that they end the prefix.
pub(super) struct Utf16;

impl Form for Utf16 {
    type Unit = u16;
    const LEN: usize = 32;
    const SPLITS: bool = false;

    fn ascii(src: &[u16], out: &mut Out<'_, u8>) -> usize {
        narrow_ascii(src, out)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    unsafe fn is_ascii(src: &[u16]) -> bool {
        src.len() >= 32 && _mm512_cmpge_epu16_mask(load_units(src, 0), _mm512_set1_epi16(0x80)) == 0
    }

    #[inline(always)]
    fn floor(_: &[u16], whole: usize) -> usize {
        whole
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn find(src: &[u16], start: usize, limit: u64, to: *mut u16) -> Found {
        let units = load_units(src, start);
        let leads = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x80)) & limit as u32;
        // SAFETY: 32 elements are writable: the contract of this function.
        unsafe {
            _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi16(leads, units));
        }
        Found {
            leads: leads.into(),
            strange: 0,
        }
    }

    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn write(block: &Block, src: &[u16], values: Looked, to: *mut u8) -> usize {
        // SAFETY: 64 elements are readable: the contract of this function.
        let both = unsafe { _mm512_loadu_si512(values.both.cast()) };
        let units =
            _mm512_mask_expand_epi16(load_units(src, block.start), block.leads as u32, both);
        // The low byte of every unit, even NUL, and high bytes that are not zero.
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let within = _pdep_u64(block.limit, EVEN);
        let keep = within | (_mm512_test_epi8_mask(units, units) & within << 1);
        let count = keep.count_ones();
        // SAFETY: as many bytes are stored as `keep` has bits, 64 at most.
        unsafe {
            _mm512_mask_storeu_epi8(
                to.cast(),
                _bzhi_u64(u64::MAX, count),
                _mm512_maskz_compress_epi8(keep, units),
            );
        }
        count as usize
    }
}
