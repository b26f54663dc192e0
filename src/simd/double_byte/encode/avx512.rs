//! AVX-512: three passes over a batch of up to 32 blocks, as for decoding.
//!
//! 1. Compress the non-ASCII characters of each block. For UTF-8 these are the lead bytes and the two bytes after each;
//!    they become code points once the batch is complete.
//! 2. Look up the code points.
//! 3. Expand the bytes to the positions of the characters, and write each block with one compress.
//!
//! The first and the third pass are bound by port 5, which executes compress, expand and mask operations. They
//! therefore do no work per block that can be done per batch.
//!
//! A block is a register of the source: 64 bytes of UTF-8, or 32 units of UTF-16. A block becomes at most 64 bytes.

use super::{DoubleByteEncode, FIRST_DUPLICATE_ROW, Values, utf8_floor};
use crate::simd::arrays::{map_array, tail};
use crate::simd::ascii::{copy_ascii, narrow_ascii};
use crate::simd::double_byte::{Form, Utf8, Utf16, place_of};
use crate::simd::level::Avx512;
use crate::simd::out::Out;
use crate::simd::registers::{load_from, load_units_from};
use crate::simd::surrogates::is_lead;
use crate::simd::{prefetch, tuning};
use crate::tables::rank::RankTable;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// The number of blocks in a batch.
const BLOCKS: usize = 32;
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
    /// If `WHOLE`, all units of the block are used, and `READ_PADDING` units after the block are readable. Otherwise
    /// `limit` masks the units to use.
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
    /// If `WHOLE`, all units of the block are written.
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

/// The description of a block for the third pass.
#[derive(Clone, Copy)]
pub(super) struct Block {
    start: usize,
    leads: u64,
    /// True if the previous block ended with a lead, so that this block starts with its second byte.
    carry: bool,
    /// Mask of the units to write.
    limit: u64,
}

/// Encodes a prefix of `src` and returns its length.
#[target_feature(
    enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,avx512vpopcntdq"
)]
pub(super) fn encode<F: Input>(
    _: Avx512,
    pairs: &DoubleByteEncode,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
) -> usize {
    let mut place = MaybeUninit::uninit();
    let batch = Batch::new(&mut place);
    let mut read = 0;
    // The first batch is small, because work on it is lost if unmappable input follows soon.
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
        // SAFETY: `write` has initialised `written <= 64 * blocks` bytes; `blocks <= out.room() / 64`, by `min`.
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
    /// The values; later the bytes of each character: the first is the low byte, the second the high byte, or 0. The
    /// first element belongs to no character.
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
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
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
        enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,avx512vpopcntdq"
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

    /// Ends the batch before the given character. Returns the character's offset.
    #[cold]
    fn end_before(&mut self, character: usize, block: usize) -> usize {
        self.count = character;
        place_of(character, self.leads).map_or(0, |(i, at)| block * i + at)
    }

    /// Third pass: writes the first `end` units of `src`, which end with a whole character. Returns the number of
    /// bytes.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
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
    /// Writes a block of `src`. If `WHOLE`, the whole block is written, and the store may overshoot to 64 bytes.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets. The block's leads have values, and 64 bytes at `values` and one
    /// before are readable. The bytes of the block are writable at `to`; 64 bytes if `WHOLE`.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    unsafe fn write<F: Input, const WHOLE: bool>(&mut self, block: &Block, src: &[F::Unit]) {
        let count = block.leads.count_ones();
        // SAFETY: 64 bytes at `values` are readable, and the stored bytes are writable, by `# Safety`.
        unsafe {
            let to = self.to.add(self.written);
            prefetch::to_write::<1, _>(
                to.wrapping_add(tuning::PREFETCH_BATCH.min(self.room - self.written)),
            );
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

/// Returns the bytes of values, the first byte of a character low. Also returns a mask of the lanes whose bytes must be
/// requested from the encoder.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
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
    // Absent code points have the value 0. Their row wraps to a number above all other rows.
    let ask = _mm512_cmpge_epu16_mask(row, set(FIRST_DUPLICATE_ROW));
    (bytes, ask)
}

/// Requests the bytes of the given lanes from the encoder, until the first unmappable one.
///
/// # Safety
/// `code_points` is readable for each lane set in `lanes`.
#[cold]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
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

// Look-up of a batch of code points in a bitmap-and-rank table.
//
// A look-up is three dependent loads, and the arithmetic between them takes longer than the loads. The directory of
// pages, the target of the first load, fits into registers. The rest is done in steps over the whole batch: the
// arithmetic for 32 code points at a time, and the two loads in scalar loops without other work. One code point after
// the other takes 1.5 times as long.

/// A table with its directory in registers.
struct Directory<'a> {
    table: &'a RankTable,
    pages: [__m512i; 4],
    last_block: __m512i,
}

impl<'a> Directory<'a> {
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    pub fn new(table: &'a RankTable) -> Self {
        // SAFETY: `at + 64 <= 256`, the length of the pages.
        let pages = map_array([0, 64, 128, 192], |at| unsafe {
            _mm512_loadu_si512(table.pages().as_ptr().add(at).cast())
        });
        Self {
            table,
            pages,
            // At most 65,536 blocks, and at least one, as `RankTable::new` asserts.
            last_block: _mm512_set1_epi16((table.blocks().len() - 1) as i16),
        }
    }

    /// Returns the indices of the descriptors of 32 code points, clamped below the number of descriptors.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    fn blocks(&self, code_points: __m512i) -> __m512i {
        let number = _mm512_srli_epi16::<8>(code_points);
        let page = _mm512_mask_mov_epi16(
            _mm512_permutex2var_epi8(self.pages[0], number, self.pages[1]),
            _mm512_movepi16_mask(code_points),
            _mm512_permutex2var_epi8(self.pages[2], number, self.pages[3]),
        );
        // Shifts out the high byte of each lane, for which entry 0 was looked up.
        let page = _mm512_srli_epi16::<4>(_mm512_slli_epi16::<8>(page));
        let row = _mm512_and_si512(_mm512_srli_epi16::<4>(code_points), _mm512_set1_epi16(15));
        _mm512_min_epu16(_mm512_or_si512(page, row), self.last_block)
    }

    /// Returns the indices of 16 code points in the values, and a mask of the members. The index of other code points
    /// is unspecified.
    #[inline]
    #[target_feature(
        enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,avx512vpopcntdq"
    )]
    fn rank(&self, code_points: __m512i, descriptors: __m512i) -> (__m512i, u16) {
        let one = _mm512_set1_epi32(1);
        let bit = _mm512_sllv_epi32(one, _mm512_and_si512(code_points, _mm512_set1_epi32(15)));
        let below = _mm512_and_si512(descriptors, _mm512_sub_epi32(bit, one));
        let before = _mm512_srli_epi32::<16>(descriptors);
        let mut place = _mm512_add_epi32(before, _mm512_popcnt_epi32(below));
        let mut members = _mm512_test_epi32_mask(descriptors, bit);
        if !self.table.ideographs().is_empty() {
            let ideograph = _mm512_sub_epi32(code_points, _mm512_set1_epi32(0x4E00));
            let count = _mm512_set1_epi32(self.table.ideographs().len() as i32);
            let are = _mm512_cmplt_epu32_mask(ideograph, count);
            let first = _mm512_set1_epi32(self.table.members() as i32);
            place = _mm512_mask_add_epi32(place, are, ideograph, first);
            members |= are;
        }
        (place, members)
    }
}

impl Batch {
    /// Fills `values` with the values of `code_points`, and `members` with the masks of code points that have one.
    ///
    /// The value of a code point without one is unspecified.
    #[inline]
    #[target_feature(
        enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,avx512vpopcntdq"
    )]
    fn find_values(&mut self, table: &RankTable) {
        let directory = Directory::new(table);
        let code_points: *mut u16 = self.characters.code_points.as_mut_ptr().cast();
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let descriptors: *mut u32 = self.descriptors.as_mut_ptr().cast();
        let values = self.values();
        let last_value = _mm512_set1_epi32((table.values().len() - 1) as i32);
        // SAFETY: the arrays have 128 elements more than the largest `count`. Whole registers are loaded, so zeros follow
        // the last element.
        unsafe {
            let zero = _mm512_setzero_si512();
            _mm512_storeu_si512(code_points.add(self.count).cast(), zero);
            _mm512_storeu_si512(values.add(self.count).cast(), zero);
            for i in 0..2 {
                _mm512_storeu_si512(descriptors.add(self.count + 16 * i).cast(), zero);
            }
        }
        // Map code points to the indices of their descriptors.
        for at in (0..self.count).step_by(32) {
            // SAFETY: `at + 32 <= count + 31`; code points are initialised for 32 elements after the last.
            unsafe {
                let code_points = _mm512_loadu_si512(code_points.add(at).cast());
                _mm512_storeu_si512(positions.add(at).cast(), directory.blocks(code_points));
            }
        }
        for at in (0..self.count).step_by(8) {
            // SAFETY: `at + 8 <= count + 7`. Positions are initialised up to the next multiple of 32, and `blocks`
            // clamps them below the length.
            unsafe {
                for at in at..at + 8 {
                    let position = usize::from(*positions.add(at));
                    *descriptors.add(at) = *table.blocks().get_unchecked(position);
                }
            }
        }

        // Map descriptors to the indices of values.
        for at in (0..self.count).step_by(32) {
            let mut members = 0;
            for half in [0, 16] {
                // SAFETY: `at + 32 <= count + 31`; code points and descriptors are initialised for `count + 32` elements.
                unsafe {
                    let code_points = _mm512_cvtepu16_epi32(_mm256_loadu_si256(
                        code_points.add(at + half).cast(),
                    ));
                    let descriptors = _mm512_loadu_si512(descriptors.add(at + half).cast());
                    let (places, some) = directory.rank(code_points, descriptors);
                    let places = _mm512_cvtepi32_epi16(_mm512_min_epu32(places, last_value));
                    _mm256_storeu_si256(positions.add(at + half).cast(), places);
                    members |= u32::from(some) << half;
                }
            }
            self.members[at / 32] = members;
        }
        for at in (0..self.count).step_by(8) {
            // SAFETY: `at + 8 <= count + 7`, and `last_value` clamps the positions below the length of the values.
            unsafe {
                for at in at..at + 8 {
                    let position = usize::from(*positions.add(at));
                    *values.add(at) = *table.values().get_unchecked(position);
                }
            }
        }
    }
}

// UTF-8 and UTF-16 as input: the first and the third pass over a block.

/// Stores the bytes selected by `lanes`, at most 32, at index `at`.
///
/// # Safety
/// `at + 32 <= CHARACTERS`.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
unsafe fn put(to: &mut MaybeUninit<[u8; CHARACTERS]>, at: usize, lanes: u64, bytes: __m512i) {
    let bytes = _mm512_castsi512_si256(_mm512_maskz_compress_epi8(lanes, bytes));
    // SAFETY: 32 bytes are stored, and `at + 32 <= CHARACTERS` by `# Safety`.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast::<u8>().add(at).cast(), bytes) };
}

/// Valid UTF-8, because it comes from a `str`.
// SAFETY: the functions report the elements that their stores initialise; each store states its bound.
unsafe impl Input for Utf8 {
    const LEN: usize = 64;
    const READ_PADDING: usize = 2;

    fn ascii(src: &[u8], out: &mut Out<'_, u8>) -> usize {
        copy_ascii(src, out)
    }

    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    unsafe fn is_ascii(src: &[u8]) -> bool {
        src.len() >= 64 && _mm512_movepi8_mask(load_from(src, 0)) == 0
    }

    #[inline(always)]
    fn floor(src: &[u8], whole: usize) -> usize {
        utf8_floor(src, whole)
    }

    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    unsafe fn find<const WHOLE: bool>(
        src: &[u8],
        start: usize,
        limit: u64,
        characters: &mut Characters,
        at: usize,
    ) -> u64 {
        if WHOLE {
            prefetch::to_read::<1, _>(src.as_ptr().wrapping_add(start + tuning::PREFETCH_BATCH));
        }
        let [first, second, third] = map_array([start, start + 1, start + 2], |at| match WHOLE {
            // SAFETY: `start + 66` bytes are readable, by `# Safety` of `Input::find`, and `at <= start + 2`.
            true => unsafe { _mm512_loadu_si512(src.as_ptr().add(at).cast()) },
            false => load_from(src, at),
        });
        // In valid UTF-8 only leads are at least 0xC0.
        let mut leads = _mm512_cmpge_epu8_mask(first, _mm512_set1_epi8(0xC0_u8 as i8));
        if !WHOLE {
            leads &= limit;
        }
        // SAFETY: a block has at most 32 leads, and there is capacity for 32, by `# Safety` of `Input::find`.
        unsafe {
            let [firsts, seconds, thirds] = &mut characters.bytes;
            put(firsts, at, leads, first);
            put(seconds, at, leads, second);
            put(thirds, at, leads, third);
        }
        leads
    }

    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    unsafe fn code_points(characters: &mut Characters, count: usize) {
        let [first, second, third] = characters.bytes.each_mut();
        let [first, second, third]: [*mut u8; 3] = [
            first.as_mut_ptr().cast(),
            second.as_mut_ptr().cast(),
            third.as_mut_ptr().cast(),
        ];
        for bytes in [first, second, third] {
            // SAFETY: there is capacity for 32 more than `count` characters, by `# Safety` of `Input::code_points`.
            unsafe { _mm256_storeu_si256(bytes.add(count).cast(), _mm256_setzero_si256()) };
        }
        let to: *mut u16 = characters.code_points.as_mut_ptr().cast();
        let set = |value: i16| _mm512_set1_epi16(value);
        for at in (0..count).step_by(32) {
            // SAFETY: `count` characters and 32 zeros after them are initialised.
            let load = |bytes: *mut u8| unsafe {
                _mm512_cvtepu8_epi16(_mm256_loadu_si256(bytes.add(at).cast()))
            };
            let (first, second, third) = (load(first), load(second), load(third));
            let second = _mm512_and_si512(second, set(0x3F));
            let middle = _mm512_slli_epi16::<6>(second);
            // second | first << 6 & 0x1F << 6
            let of_two = _mm512_ternarylogic_epi32::<0xF8>(
                second,
                _mm512_slli_epi16::<6>(first),
                set(0x1F << 6),
            );
            // first << 12 | middle | third & 0x3F
            let of_three = _mm512_ternarylogic_epi32::<0xFE>(
                _mm512_slli_epi16::<12>(first),
                middle,
                _mm512_and_si512(third, set(0x3F)),
            );
            let three = _mm512_cmpge_epu16_mask(first, set(0xE0));
            // SAFETY: `at + 32 <= count + 31`, and there is capacity for that, by `# Safety` of `Input::code_points`.
            unsafe {
                let code_points = _mm512_mask_mov_epi16(of_two, three, of_three);
                let four = _mm512_cmpge_epu16_mask(first, set(0xF0));
                let code_points = _mm512_mask_mov_epi16(code_points, four, set(0xD800_u16 as i16));
                _mm512_storeu_si512(to.add(at).cast(), code_points);
            }
        }
    }

    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    unsafe fn merge<const WHOLE: bool>(
        block: &Block,
        src: &[u8],
        looked_up: *const u8,
    ) -> (__m512i, u64) {
        let bytes = if WHOLE {
            // SAFETY: `WHOLE` means that 64 bytes are readable at `block.start`.
            unsafe { _mm512_loadu_si512(src.as_ptr().add(block.start).cast()) }
        } else {
            load_from(src, block.start)
        };
        // A second byte goes to the position after its lead; all other continuation bytes are dropped.
        let after = block.leads << 1 | u64::from(block.carry);
        // Signed: 0x80 to 0xBF are below -64.
        let mut starts = _mm512_cmpge_epi8_mask(bytes, _mm512_set1_epi8(0xC0_u8 as i8));
        if !WHOLE {
            starts &= block.limit;
        }
        // SAFETY: 64 bytes at `looked_up` and one before are readable, by `# Safety` of `Input::merge`.
        let looked_up =
            unsafe { _mm512_loadu_si512(looked_up.sub(usize::from(block.carry)).cast()) };
        let bytes = _mm512_mask_expand_epi8(bytes, block.leads | after, looked_up);
        let keep = starts | _mm512_mask_test_epi8_mask(after, bytes, bytes);
        (bytes, keep)
    }
}

/// Mask of the low bytes of code units.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// UTF-16. Surrogates have no values, so they end the prefix.
// SAFETY: the functions report the elements that their stores initialise; each store states its bound.
unsafe impl Input for Utf16 {
    const LEN: usize = 32;
    const READ_PADDING: usize = 0;

    fn ascii(src: &[u16], out: &mut Out<'_, u8>) -> usize {
        narrow_ascii(src, out)
    }

    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    unsafe fn is_ascii(src: &[u16]) -> bool {
        src.len() >= 32
            && _mm512_cmpge_epu16_mask(load_units_from(src, 0), _mm512_set1_epi16(0x80)) == 0
    }

    #[inline(always)]
    fn floor(src: &[u16], whole: usize) -> usize {
        // Does not cut a surrogate pair.
        match whole.checked_sub(1).and_then(|last| src.get(last)) {
            Some(&unit) if is_lead(unit) => whole - 1,
            _ => whole,
        }
    }

    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    unsafe fn find<const WHOLE: bool>(
        src: &[u16],
        start: usize,
        limit: u64,
        characters: &mut Characters,
        at: usize,
    ) -> u64 {
        let units = if WHOLE {
            // SAFETY: 32 units are readable from `start` on, by `# Safety` of `Input::find`.
            unsafe {
                let src = src.as_ptr().add(start);
                prefetch::to_read::<1, _>(src.wrapping_add(tuning::PREFETCH_BATCH / 2));
                _mm512_loadu_si512(src.cast())
            }
        } else {
            load_units_from(src, start)
        };
        let mut leads = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x80));
        if !WHOLE {
            leads &= limit as u32;
        }
        // SAFETY: there is capacity for 32 code points, by `# Safety` of `Input::find`.
        unsafe {
            let to: *mut u16 = characters.code_points.as_mut_ptr().cast();
            _mm512_storeu_si512(to.add(at).cast(), _mm512_maskz_compress_epi16(leads, units));
        }
        leads.into()
    }

    #[inline(always)]
    unsafe fn code_points(_: &mut Characters, _: usize) {
        // Nothing to do: a surrogate is in no table and has no bytes.
    }

    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    unsafe fn merge<const WHOLE: bool>(
        block: &Block,
        src: &[u16],
        looked_up: *const u8,
    ) -> (__m512i, u64) {
        // SAFETY: 64 bytes at `looked_up` are readable, by `# Safety` of `Input::merge`.
        let looked_up = unsafe { _mm512_loadu_si512(looked_up.cast()) };
        let units = if WHOLE {
            // SAFETY: `WHOLE` means that 32 units are readable at `block.start`.
            unsafe { _mm512_loadu_si512(src.as_ptr().add(block.start).cast()) }
        } else {
            load_units_from(src, block.start)
        };
        let bytes = _mm512_mask_expand_epi16(units, block.leads as u32, looked_up);
        // Keeps the low byte of each unit, even if NUL, and high bytes other than zero.
        let mut keep = EVEN | _mm512_test_epi8_mask(bytes, bytes);
        if !WHOLE {
            keep &= _pdep_u64(block.limit, EVEN) * 3;
        }
        (bytes, keep)
    }
}
