//! AVX-512: three passes over a batch of up to 32 blocks, as for decoding.
//!
//! 1. Compress the non-ASCII characters of each block. For UTF-8 these are the lead bytes and the two bytes after each;
//!    they become code points once the batch is complete.
//! 2. Look up the code points (`ranks`).
//! 3. Expand the bytes to the positions of the characters, and write each block with one compress.
//!
//! The first and the third pass are bound by port 5, which executes compress, expand and mask operations. They
//! therefore do no work per block that can be done per batch.
//!
//! A block is a register of the source: 64 bytes of UTF-8, or 32 units of UTF-16. Either becomes at most 64 bytes.

use crate::simd::tuning;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{DoubleByteEncode, FIRST_DUPLICATE_ROW, Values};
use crate::simd::arrays::tail;
use crate::simd::bits::place_of;
use crate::simd::double_byte::Form;
use crate::simd::out::Out;
use crate::simd::prefetch;
use crate::simd::token::Avx512;

mod forms;
mod ranks;

/// The number of blocks in a batch.
const BLOCKS: usize = 32;
/// Prefetch distance of the first and the third pass, in bytes. The passes alternate, which hardware prefetching does
/// not follow.
const AHEAD: usize = tuning::PREFETCH_BATCH;
/// Capacity for non-ASCII characters: at most 32 per block, with padding for whole registers.
const CHARACTERS: usize = BLOCKS * 32 + 128;

/// An input form: UTF-8 or UTF-16.
///
/// # Safety
/// Each method initialises the elements that it reports as written, and reports no more units as read than `src` has.
pub(super) unsafe trait Input: Form {
    /// The number of units in a block.
    const LEN: usize;
    /// Units that the first pass reads after a block.
    const READ_PADDING: usize;

    /// Writes the ASCII prefix of `src` that fits and returns its length.
    fn ascii(src: &[Self::Unit], out: &mut Out<'_, u8>) -> usize;

    /// True if the first block of `src` is whole and ASCII.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets.
    unsafe fn is_ascii(src: &[Self::Unit]) -> bool;

    /// Returns the end of the last character that ends within the first `whole` units of `src`.
    fn floor(src: &[Self::Unit], whole: usize) -> usize;

    /// First pass over the block at `start`: stores its characters after the first `at` ones. Returns a mask of their
    /// positions.
    ///
    /// `WHOLE` means that the whole block counts and that `READ_PADDING` units after it are readable; otherwise `limit`
    /// masks the units that count.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets. `characters` has capacity for 32 more.
    unsafe fn find<const WHOLE: bool>(
        src: &[Self::Unit],
        start: usize,
        limit: u64,
        characters: &mut Characters,
        at: usize,
    ) -> u64;

    /// Computes the code points of `count` characters; those outside the BMP become a surrogate.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets. `count` characters are initialised, and there is capacity for
    /// 32 more.
    unsafe fn code_points(characters: &mut Characters, count: usize);

    /// Third pass: merges a block with the bytes that were looked up. Returns the bytes and a mask of the bytes to
    /// write.
    ///
    /// `WHOLE` means that the whole block counts.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets. 64 bytes at `looked_up` and one before are readable.
    unsafe fn merge<const WHOLE: bool>(
        block: &Block,
        src: &[Self::Unit],
        looked_up: *const u8,
    ) -> (__m512i, u64);
}

/// The non-ASCII characters of a batch.
pub(super) struct Characters {
    /// The bytes of UTF-8: the leads, and the first and the second byte after each.
    bytes: [MaybeUninit<[u8; CHARACTERS]>; 3],
    code_points: MaybeUninit<[u16; CHARACTERS]>,
}

/// A block, as the third pass sees it.
#[derive(Clone, Copy)]
pub(super) struct Block {
    start: usize,
    leads: u64,
    /// True if the previous block ended with a lead, so that this one starts with its second byte.
    carry: bool,
    /// Mask of the units that count.
    limit: u64,
}

/// Encodes a prefix of `src` and returns its length.
#[inline(always)]
pub(super) fn encode<F: Input>(
    token: Avx512,
    pairs: &DoubleByteEncode,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
) -> usize {
    let _ = token;
    // SAFETY: holding `Avx512` proves detection succeeded.
    unsafe { encode_featured::<F>(pairs, src, out) }
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,avx512vpopcntdq"
)]
fn encode_featured<F: Input>(
    pairs: &DoubleByteEncode,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
) -> usize {
    let mut place = MaybeUninit::uninit();
    let batch = Batch::new(&mut place);
    let mut read = 0;
    // The first batch is small: work on it is lost if unmappable input follows soon.
    let mut most = 2;
    loop {
        let mut rest = tail(src, read);
        // SAFETY: the callee's target features are among those of this function, so the processor has them.
        if unsafe { F::is_ascii(rest) } {
            read += F::ascii(rest, out);
            rest = tail(src, read);
        }
        let blocks = rest.len().div_ceil(F::LEN).min(most).min(out.room() / 64);
        let whole = F::floor(rest, (blocks * F::LEN).min(rest.len()));
        batch.find::<F>(rest, whole);
        let end = batch.look_up::<F>(pairs, whole);
        let written = batch.write::<F>(rest, end, out.spare_ptr(), out.room());
        // SAFETY: `write` has initialised `written <= 64 * blocks <= out.room()` bytes.
        unsafe { out.advance(written) };
        read += end;
        if end < whole || end == 0 || end == rest.len() {
            return read;
        }
        most = (most * 4).min(BLOCKS);
    }
}

/// The state of a batch between its passes.
struct Batch {
    leads: [u64; BLOCKS],
    characters: Characters,
    count: usize,
    /// A mask of the members of the table for each 32 code points.
    members: [u32; CHARACTERS / 32],
    positions: MaybeUninit<[u16; CHARACTERS]>,
    descriptors: MaybeUninit<[u32; CHARACTERS]>,
    /// Values, later bytes: the first byte of a character low, then its second byte or 0. One element precedes the
    /// first character's.
    values: MaybeUninit<[u16; 1 + CHARACTERS]>,
}

impl Batch {
    /// Initialises a batch in place. It is large, and returning it by value would copy it.
    #[inline(always)]
    fn new(place: &mut MaybeUninit<Self>) -> &mut Self {
        let batch = place.as_mut_ptr();
        // SAFETY: all fields are inside the batch. Fields whose type has invalid values are written; the others are
        // `MaybeUninit`. The first element of `values` is written because the third pass may load it.
        unsafe {
            (&raw mut (*batch).leads).write([0; BLOCKS]);
            (&raw mut (*batch).members).write([0; CHARACTERS / 32]);
            (&raw mut (*batch).count).write(0);
            (&raw mut (*batch).values).cast::<u16>().write(0);
            place.assume_init_mut()
        }
    }

    /// Returns a pointer to the value of the first character.
    #[inline(always)]
    fn values(&mut self) -> *mut u16 {
        // In bounds, as `values` has more than one element; `wrapping_add` needs no `unsafe`.
        self.values.as_mut_ptr().cast::<u16>().wrapping_add(1)
    }

    /// First pass, over the first `end` units of `src`, which end with a whole character.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn find<F: Input>(&mut self, src: &[F::Unit], end: usize) {
        let whole = (end / F::LEN).min(src.len().saturating_sub(F::READ_PADDING) / F::LEN);
        let mut count = 0;
        for (i, leads) in self.leads.iter_mut().take(end.div_ceil(F::LEN)).enumerate() {
            let start = i * F::LEN;
            // SAFETY: the callee's target features are among those of this function. A block has at most 32 characters,
            // so `count <= 32 * (BLOCKS - 1)`, and there is capacity for 32 more.
            *leads = unsafe {
                if i < whole {
                    F::find::<true>(src, start, u64::MAX, &mut self.characters, count)
                } else {
                    let limit = _bzhi_u64(u64::MAX, (end - start).min(F::LEN) as u32);
                    F::find::<false>(src, start, limit, &mut self.characters, count)
                }
            };
            count += leads.count_ones() as usize;
        }
        self.count = count;
        // SAFETY: the callee's target features are among those of this function. The blocks had `count` characters.
        unsafe { F::code_points(&mut self.characters, self.count) };
    }

    /// Second pass: looks up the bytes of code points. Returns `end`, or the offset of the first unmappable character.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,avx512vpopcntdq"
    )]
    fn look_up<F: Input>(&mut self, pairs: &DoubleByteEncode, end: usize) -> usize {
        self.find_values(pairs.table);
        let code_points: *const u16 = self.characters.code_points.as_ptr().cast();
        let values = self.values();
        let offset = _mm512_set1_epi16(pairs.values.offset() as i16);
        let to_ask = _mm512_set1_epi16(pairs.ask as i16);
        let mut unmappable = 0;
        let mut at = 0;
        while at < self.count && unmappable == 0 {
            let lanes = _bzhi_u32(u32::MAX, (self.count - at).min(32) as u32);
            // SAFETY: `at + 32 <= count + 31 < CHARACTERS`. Lanes after the last character hold zeros.
            unmappable = unsafe {
                let value = _mm512_loadu_si512(values.add(at).cast());
                // From here on, no value of a member is 0.
                let value = _mm512_maskz_add_epi16(self.members[at / 32], value, offset);
                let (mut bytes, mut absent) = finish(pairs.values, value);
                let asked = _mm512_loadu_si512(code_points.add(at).cast());
                absent |= _mm512_cmpeq_epi16_mask(asked, to_ask);
                absent &= lanes;
                if absent != 0 {
                    bytes = ask(pairs, bytes, absent, code_points.add(at));
                }
                _mm512_storeu_si512(values.add(at).cast(), bytes);
                _mm512_mask_testn_epi16_mask(lanes, bytes, bytes)
            };
            at += 32;
        }
        // SAFETY: `at <= count + 31`, so `at + 32 <= CHARACTERS`. The third pass loads whole registers, so zeros follow
        // the last character.
        unsafe { _mm512_storeu_si512(values.add(at).cast(), _mm512_setzero_si512()) };
        if unmappable != 0 {
            return self.end_before(at - 32 + unmappable.trailing_zeros() as usize, F::LEN);
        }
        end
    }

    /// Ends the batch before the given character and returns its offset.
    #[cold]
    fn end_before(&mut self, character: usize, block: usize) -> usize {
        self.count = character;
        place_of(character, self.leads).map_or(0, |(i, at)| block * i + at)
    }

    /// Third pass: writes the first `end` units of `src`, which end with a whole character. Returns the number of
    /// bytes.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn write<F: Input>(&mut self, src: &[F::Unit], end: usize, to: *mut u8, room: usize) -> usize {
        let mut writer = Writer {
            values: self.values(),
            to,
            room,
            written: 0,
        };
        let mut block = Block {
            start: 0,
            leads: 0,
            carry: false,
            limit: u64::MAX,
        };
        // A store overshoots a block's bytes, and later blocks overwrite the excess: each becomes at least 21 bytes.
        let whole = (end / F::LEN).saturating_sub(4);
        // SAFETY: the callee's target features are among those of this function. `to` has 64 bytes for each block. The
        // batch was made from `src`: each lead has a value, with 32 elements after the last one and one before the
        // first.
        unsafe {
            // The fast path for whole blocks.
            for &leads in self.leads.iter().take(whole) {
                block.leads = leads;
                writer.write::<F, true>(&block, src);
                block.carry = leads >> 63 != 0;
                block.start += F::LEN;
            }
            for &leads in self.leads.iter().take(end.div_ceil(F::LEN)).skip(whole) {
                block.limit = _bzhi_u64(u64::MAX, (end - block.start).min(F::LEN) as u32);
                block.leads = leads & block.limit;
                writer.write::<F, false>(&block, src);
                block.carry = block.leads >> 63 != 0;
                block.start += F::LEN;
            }
        }
        writer.written
    }
}

/// The state of the third pass.
struct Writer {
    values: *const u16,
    to: *mut u8,
    room: usize,
    written: usize,
}

impl Writer {
    /// Writes a block of `src`. `WHOLE` means that the whole block counts and that the store may overshoot to 64 bytes.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets. The block's leads have values, and 64 bytes at `values` and one
    /// before are readable. The bytes of the block are writable at `to`; 64 bytes if `WHOLE`.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn write<F: Input, const WHOLE: bool>(&mut self, block: &Block, src: &[F::Unit]) {
        let count = block.leads.count_ones();
        // SAFETY: 64 bytes at `values` are readable, and the stored bytes are writable, by `# Safety`.
        unsafe {
            let to = self.to.add(self.written);
            prefetch::to_write::<1, _>(to.wrapping_add(AHEAD.min(self.room - self.written)));
            let (bytes, keep) = F::merge::<WHOLE>(block, src, self.values.cast());
            let bytes = _mm512_maskz_compress_epi8(keep, bytes);
            let len = keep.count_ones();
            match WHOLE {
                true => _mm512_storeu_si512(to.cast(), bytes),
                false => _mm512_mask_storeu_epi8(to.cast(), _bzhi_u64(u64::MAX, len), bytes),
            }
            self.written += len as usize;
            self.values = self.values.add(count as usize);
        }
    }
}

/// Returns the bytes of values, the first byte of a character low, and a mask of the lanes that only the encoder can
/// decide.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn finish(kind: Values, values: __m512i) -> (__m512i, u32) {
    if kind != Values::ShiftJis {
        let absent = _mm512_testn_epi16_mask(values, values);
        return (_mm512_shldi_epi16::<8>(values, values), absent);
    }
    let set = |value: u16| _mm512_set1_epi16(value as i16);
    let row = _mm512_sub_epi16(_mm512_srli_epi16::<8>(values), set(0x21));
    let cell = _mm512_sub_epi16(_mm512_and_si512(values, set(0xFF)), set(0x21));
    // Two rows of 94 cells share a lead with 188 trails.
    let lead = _mm512_srli_epi16::<1>(row);
    let upper = _mm512_cmpge_epu16_mask(lead, set(0x1F));
    let lead = _mm512_add_epi16(lead, _mm512_mask_mov_epi16(set(0x81), upper, set(0xC1)));
    let odd = _mm512_test_epi16_mask(row, set(1));
    let trail = _mm512_mask_add_epi16(cell, odd, cell, set(94));
    let upper = _mm512_cmpge_epu16_mask(trail, set(0x3F));
    let trail = _mm512_add_epi16(trail, _mm512_mask_mov_epi16(set(0x40), upper, set(0x41)));
    let bytes = _mm512_or_si512(_mm512_slli_epi16::<8>(trail), lead);
    // Absent code points have row 0 - 0x21, which is above all others.
    let ask = _mm512_cmpge_epu16_mask(row, set(FIRST_DUPLICATE_ROW));
    (bytes, ask)
}

/// Requests the bytes of the given lanes from the encoder, until the first unmappable one.
///
/// # Safety
/// `code_points` is readable for each lane set in `lanes`.
#[cold]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn ask(
    pairs: &DoubleByteEncode,
    bytes: __m512i,
    lanes: u32,
    code_points: *const u16,
) -> __m512i {
    let mut all = [0_u16; 32];
    // SAFETY: `all` is as long as the register.
    unsafe { _mm512_storeu_si512(all.as_mut_ptr().cast(), bytes) };
    let mut rest = lanes;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        // SAFETY: the lane is set in `lanes`, so its code point is readable, by `# Safety`.
        let bytes = pairs.pair(unsafe { *code_points.add(lane) });
        all[lane] = bytes;
        if bytes == 0 {
            // Lanes after an unmappable one are not used.
            break;
        }
    }
    // SAFETY: `all` is as long as the register.
    unsafe { _mm512_loadu_si512(all.as_ptr().cast()) }
}
