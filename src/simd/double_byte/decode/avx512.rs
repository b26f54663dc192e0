//! AVX-512: three passes over a batch of up to 32 blocks of 64 bytes.
//!
//! 1. Find the masks of leads and trails with a carry trick: the byte after a lead is its trail, and as both use the
//!    same byte values, runs of candidates alternate. Compress the pairs of each block, then compute 32 pointers at a
//!    time.
//! 2. Look up the pointers of pairs only. For UTF-8, turn each code point into three bytes, padded with zeros.
//! 3. Expand the results to the positions of leads and trails, and compress the lanes that are written.
//!
//! The first and the third pass are bound by port 5, which executes compress, expand and mask operations, above all in
//! markup. They therefore do no work per block that can be done per batch. With batches half as long, markup is a tenth
//! slower, because the end of each loop over a batch is mispredicted.
//!
//! No pass has a data-dependent branch. Skipping blocks without pairs pays off only if they predominate, and costs a
//! quarter of the speed in markup. Measured and slower: one block at a time, as look-ups do not overlap.

use crate::simd::tuning;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::grid::{Grid, with_grid};
use super::{DoubleByteDecode, SHORT, split};
use crate::simd::arrays::tail;
use crate::simd::double_byte::Form;
use crate::simd::out::Out;
use crate::simd::prefetch;
use crate::simd::registers::load_from;
use crate::simd::token::Avx512;

mod finder;
mod forms;

use finder::Finder;

/// The number of blocks in a batch.
const BLOCKS: usize = 32;
/// Capacity for pairs: at most 32 per block, with padding for stores of whole registers.
const PAIRS: usize = BLOCKS * 32 + 96;
/// Prefetch distance of the first and the third pass, in bytes and in units. The passes alternate, which hardware
/// prefetching does not follow.
const AHEAD: usize = tuning::PREFETCH_BATCH;

/// An output form of the third pass.
///
/// # Safety
/// Each method initialises the units that it reports as written, and stays inside the bounds given by its constants.
pub(super) unsafe trait Output: Form {
    /// The maximum number of units that a block of 64 bytes becomes.
    const YIELD: usize;
    /// The maximum number of units that a block stores, the first `YIELD` or fewer being valid.
    const STORED: usize;
    /// True if single bytes may be half-width katakana.
    const KATAKANA: bool;

    /// Writes the ASCII prefix of `src` that fits and returns its length.
    fn ascii(src: &[u8], out: &mut Out<'_, Self::Unit>) -> usize;

    /// Prepares 32 code points, those of the pairs from `first` on, for `write`.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets; `first + 64 <= PAIRS`.
    unsafe fn put(batch: &mut Batch, code_points: __m512i, first: usize);

    /// Returns a pointer to the result of [`put`](Self::put) for the first pair.
    fn made(batch: &Batch) -> *const u8;

    /// Writes the block at the start of `src` to `to`. Returns the number of units, at most [`YIELD`](Self::YIELD).
    ///
    /// `WHOLE` means that all 64 bytes count and that whole registers may be stored, up to [`STORED`](Self::STORED)
    /// units.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets. `YIELD` units at `to` are writable; if `WHOLE`, `STORED` units
    /// are, and `src` has 64 bytes. 64 bytes at `made` are readable, and 64 more after the results for any prefix of
    /// the block's leads and trails.
    unsafe fn write<const WHOLE: bool>(
        block: &Block,
        src: &[u8],
        made: &mut *const u8,
        to: *mut Self::Unit,
    ) -> usize;
}

/// A block, as the third pass sees it.
pub(super) struct Block {
    leads: u64,
    trails: u64,
    /// Mask of the bytes to write: all, or those before the end of the batch.
    limit: u64,
    /// Copied from the batch, like `katakana`.
    sparse: bool,
    katakana: bool,
}

/// Decodes a prefix of `src` and returns its length.
#[inline(always)]
pub(super) fn decode<F: Output>(
    token: Avx512,
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, F::Unit>,
) -> usize {
    let _ = token;
    // SAFETY: holding `Avx512` proves detection succeeded.
    unsafe { decode_featured::<F>(pairs, src, out) }
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn decode_featured<F: Output>(
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, F::Unit>,
) -> usize {
    type FindPairs = unsafe fn(&mut Batch, &DoubleByteDecode, &[u8]) -> usize;
    let find_pairs: FindPairs = with_grid!(pairs, G => Batch::find_pairs::<G, F>);
    let mut place = MaybeUninit::uninit();
    let batch = Batch::new(&mut place, pairs);
    let mut read = 0;
    // The first batch is small: work on it is lost if malformed input follows soon.
    let mut most = 2;
    loop {
        let mut rest = tail(src, read);
        if rest.len() >= 64 && _mm512_movepi8_mask(load_from(rest, 0)) == 0 {
            read += F::ascii(rest, out);
            rest = tail(src, read);
        }
        let blocks = rest.len().div_ceil(64).min(most).min(out.room() / F::YIELD);
        if blocks == 0 {
            return read;
        }
        let whole = (blocks * 64).min(rest.len());
        // SAFETY: the callee's target features are among those of this function, so the processor has them.
        let end = unsafe { find_pairs(batch, pairs, &rest[..whole]) };
        if read == 0 && end < SHORT {
            return 0;
        }
        let end = batch.look_up::<F>(pairs, end);
        let written = batch.write::<F>(rest, end, out.spare_ptr(), out.room());
        batch.sparse = batch.pairs < 2 * blocks;
        // SAFETY: `write` has initialised `written <= blocks * YIELD <= out.room()` units.
        unsafe { out.advance(written) };
        read += end;
        // The next batch begins with the character that the end of this one splits.
        if end + 1 < whole || end == rest.len() || end == 0 {
            return read;
        }
        most = (most * 4).min(BLOCKS);
    }
}

/// The state of a batch between its passes.
pub(super) struct Batch {
    leads: [u64; BLOCKS],
    trails: [u64; BLOCKS],
    /// The number of lead and trail bytes before each block.
    before: [u16; BLOCKS],
    /// The number of blocks that the first pass has processed.
    blocks: usize,
    pairs: usize,
    /// The bytes of the pairs: lead low, trail high.
    bytes: MaybeUninit<[u16; PAIRS]>,
    positions: MaybeUninit<[u16; PAIRS]>,
    code_points: MaybeUninit<[u16; PAIRS]>,
    /// Three bytes for each pair, padded with zeros.
    utf8: MaybeUninit<[[u8; 3]; PAIRS]>,
    /// True if blocks without pairs are frequent enough to test for them.
    sparse: bool,
    katakana: bool,
}

impl Batch {
    /// Initialises a batch in place. It is large, and returning it by value would copy it or fill it with zeros.
    #[inline(always)]
    fn new<'a>(place: &'a mut MaybeUninit<Self>, pairs: &DoubleByteDecode) -> &'a mut Self {
        let batch = place.as_mut_ptr();
        // SAFETY: all fields are inside the batch. Fields whose type has invalid values are written; the others are
        // `MaybeUninit`.
        unsafe {
            (&raw mut (*batch).leads).write([0; BLOCKS]);
            (&raw mut (*batch).trails).write([0; BLOCKS]);
            (&raw mut (*batch).before).write([0; BLOCKS]);
            (&raw mut (*batch).blocks).write(0);
            (&raw mut (*batch).pairs).write(0);
            (&raw mut (*batch).sparse).write(false);
            (&raw mut (*batch).katakana).write(pairs.layout.katakana);
            place.assume_init_mut()
        }
    }

    /// First pass over at most [`BLOCKS`] blocks: fills the masks and the positions in the index.
    ///
    /// Returns the number of bytes that form complete characters of a supported form: all of `src`, unless its end splits a
    /// pair.
    ///
    /// Never inlined: otherwise, its registers would be spilled.
    #[inline(never)]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn find_pairs<G: Grid, F: Output>(&mut self, pairs: &DoubleByteDecode, src: &[u8]) -> usize {
        let finder = Finder::new(pairs);
        let end = self.find_leads::<G, F>(&finder, src);
        self.find_positions::<G>(&finder, end)
    }

    /// First half of the first pass, over blocks: fills the masks and stores the bytes of the pairs contiguously.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn find_leads<G: Grid, F: Output>(&mut self, finder: &Finder, src: &[u8]) -> usize {
        debug_assert!(src.len() <= BLOCKS * 64);
        let bytes_of_pairs: *mut u8 = self.bytes.as_mut_ptr().cast();
        let blocks = src.len().div_ceil(64).min(BLOCKS);
        let whole = src.len() / 64;
        let mut found = 0;
        let mut carry = 0;
        let mut strange = 0;
        let mut i = 0;
        while i < blocks {
            let from = src.as_ptr().wrapping_add(64 * i);
            let bytes = if i < whole {
                // SAFETY: `i < whole`, so `64 * i + 64 <= src.len()`.
                unsafe { _mm512_loadu_si512(from.cast()) }
            } else {
                load_from(src, 64 * i)
            };
            let (leads, trails) = split(finder.candidates::<G>(bytes), &mut carry);
            self.leads[i] = leads;
            self.trails[i] = trails;
            self.before[i] = found as u16;
            let both = leads | trails;
            // SAFETY: `found <= 64 * i`, the number of earlier bytes, and `bytes` holds `64 * (BLOCKS + 1)`.
            unsafe {
                prefetch::to_read::<1, _>(from.wrapping_add(AHEAD));
                let both = _mm512_maskz_compress_epi8(both, bytes);
                _mm512_storeu_si512(bytes_of_pairs.add(found).cast(), both);
            }
            found += both.count_ones() as usize;
            strange = _mm512_movepi8_mask(bytes) & !both;
            if F::KATAKANA && G::KATAKANA {
                strange &= !in_range(bytes, (0xA1, 0xDF));
            }
            i += 1;
            if strange != 0 {
                break;
            }
        }
        // SAFETY: `found <= 64 * BLOCKS`, and `bytes` holds 64 bytes more.
        unsafe { _mm512_storeu_si512(bytes_of_pairs.add(found).cast(), _mm512_setzero_si512()) };
        self.blocks = i;
        self.pairs = found.div_ceil(2);
        if strange != 0 {
            return self.end_at(64 * (i - 1) + strange.trailing_zeros() as usize);
        }
        // A lead at the end of the input, inside a block, is paired with NUL, which is not a trail.
        let cut = carry as usize;
        self.pairs -= cut;
        src.len() - cut
    }

    /// Second half of the first pass, over pairs: computes positions in the index. Returns `end`, or the offset of the
    /// first invalid pair.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn find_positions<G: Grid>(&mut self, finder: &Finder, end: usize) -> usize {
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let mut at = 0;
        while at < self.pairs {
            // SAFETY: `at + 32 <= pairs + 31 < PAIRS`. `find_leads` initialised 64 bytes after the last pair.
            unsafe {
                let bytes = _mm512_loadu_si512(self.bytes.as_ptr().cast::<u16>().add(at).cast());
                let lead = _mm512_and_si512(bytes, _mm512_set1_epi16(0xFF));
                let trail = _mm512_srli_epi16::<8>(bytes);
                let (position, in_index) = finder.position::<G>(lead, trail);
                let position = _mm512_maskz_mov_epi16(in_index, position);
                _mm512_storeu_si512(positions.add(at).cast(), position);
                let lanes = _bzhi_u32(u32::MAX, (self.pairs - at).min(32) as u32);
                let invalid = lanes & !in_index;
                if invalid != 0 {
                    return self.end_before(at + invalid.trailing_zeros() as usize);
                }
            }
            at += 32;
        }
        end
    }

    /// Ends the batch at offset `at` and returns it.
    #[cold]
    fn end_at(&mut self, at: usize) -> usize {
        let (block, bit) = (at / 64 % BLOCKS, at % 64);
        let before = self.leads[block] & ((1 << bit) - 1);
        self.pairs = self.pairs_before(block) + before.count_ones() as usize;
        at
    }

    /// Returns the number of pairs that begin before a block, including one whose trail starts the block.
    #[inline(always)]
    fn pairs_before(&self, block: usize) -> usize {
        usize::from(self.before[block]).div_ceil(2)
    }

    /// Ends the batch before the given pair and returns the offset of its lead.
    #[cold]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl")]
    fn end_before(&mut self, pair: usize) -> usize {
        let at = self.place(pair);
        self.end_at(at)
    }

    /// Returns the offset of a pair's lead.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl")]
    fn place(&self, pair: usize) -> usize {
        const { assert!(BLOCKS == 32) };
        // SAFETY: `before` and the register have 32 elements each.
        let before = unsafe { _mm512_loadu_si512(self.before.as_ptr().cast()) };
        // The number of pairs is half the number of bytes, rounded up.
        let before = _mm512_avg_epu16(before, _mm512_setzero_si512());
        // The pair is in the last block with at most `pair` pairs before it.
        let blocks = _mm512_cmple_epu16_mask(before, _mm512_set1_epi16(pair as i16));
        let blocks = _bzhi_u32(blocks, self.blocks as u32);
        let block = (31 - blocks.leading_zeros()) as usize % BLOCKS;
        let number = pair.wrapping_sub(self.pairs_before(block)) as u32;
        64 * block + _pdep_u64(1 << (number % 64), self.leads[block]).trailing_zeros() as usize
    }

    /// Fills `code_points` with the elements of the index at `positions`.
    #[inline(always)]
    fn load(&mut self, index: &[u16]) {
        debug_assert!(!index.is_empty());
        let positions: *const u16 = self.positions.as_ptr().cast();
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        for at in (0..self.pairs).step_by(8) {
            // SAFETY: `at + 8 <= pairs + 7 < PAIRS`. The first pass has initialised positions up to the next multiple
            // of 32. `find_positions` replaced positions outside the index by 0.
            unsafe {
                for at in at..at + 8 {
                    let position = usize::from(*positions.add(at));
                    *code_points.add(at) = *index.get_unchecked(position);
                }
            }
        }
    }

    /// Second pass: looks up the code points. Returns `end`, or the offset of the first unmapped pair if that is
    /// smaller.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn look_up<F: Output>(&mut self, pairs: &DoubleByteDecode, mut end: usize) -> usize {
        self.load(pairs.index);
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        // SAFETY: `pairs <= 32 * BLOCKS`, and the array has 96 elements more. The third pass loads whole registers, so
        // zeros follow the last pair.
        unsafe {
            _mm512_storeu_si512(code_points.add(self.pairs).cast(), _mm512_setzero_si512());
        }
        let mut at = 0;
        while at < self.pairs {
            let lanes = _bzhi_u32(u32::MAX, (self.pairs - at).min(32) as u32);
            // SAFETY: `at + 64 <= pairs + 63 < PAIRS`. `code_points` is initialised for 32 elements after the last
            // pair.
            unsafe {
                let some = _mm512_loadu_si512(code_points.add(at).cast());
                let unmapped = _mm512_mask_testn_epi16_mask(lanes, some, some);
                if unmapped != 0 {
                    end = self.end_before(at + unmapped.trailing_zeros() as usize);
                }
                F::put(self, some, at);
            }
            at += 32;
        }
        // SAFETY: `at` is a multiple of 32 and at most `32 * BLOCKS`, so `at + 64 <= PAIRS`.
        unsafe { F::put(self, _mm512_setzero_si512(), at) };
        end
    }

    /// Third pass: writes the characters of the first `end` bytes of `src`. Returns the number of units.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn write<F: Output>(&self, src: &[u8], end: usize, to: *mut F::Unit, room: usize) -> usize {
        let mut made = F::made(self);
        let mut written = 0;
        let mut start = 0;
        // A block's stores overshoot its output. Later blocks overwrite the excess: each block before the last writes
        // at least half a register. The last two blocks store exactly their output.
        const { assert!(F::STORED <= 3 * F::YIELD) };
        let mut block = Block {
            leads: 0,
            trails: 0,
            limit: u64::MAX,
            sparse: self.sparse,
            katakana: self.katakana,
        };
        let masks = self.leads.iter().zip(&self.trails);
        let whole = end.saturating_sub(128).div_ceil(64);
        for (&leads, &trails) in masks.clone().take(whole) {
            (block.leads, block.trails) = (leads, trails);
            // SAFETY: the callee's target features are among those of this function. `to` has `YIELD` units for each
            // block; with two more blocks to come, that is at least `STORED`. All 64 bytes are in `src`, as `start + 64
            // <= end`. `made` is at most `pairs` elements after the first, with 64 initialised bytes after it.
            unsafe {
                let to = to.add(written);
                let ahead = to.wrapping_add(AHEAD.min(room - written));
                prefetch::to_write::<2, _>(ahead.wrapping_byte_sub(64));
                written += F::write::<true>(&block, tail(src, start), &mut made, to);
            }
            start += 64;
        }
        for (&leads, &trails) in masks.take(end.div_ceil(64)).skip(whole) {
            let limit = _bzhi_u64(u64::MAX, (end - start).min(64) as u32);
            block.limit = limit;
            (block.leads, block.trails) = (leads & limit, trails & limit);
            // SAFETY: as above, except that exactly the written units are stored, at most `YIELD` per block.
            unsafe {
                let to = to.add(written);
                written += F::write::<false>(&block, tail(src, start), &mut made, to);
            }
            start += 64;
        }
        written
    }
}

/// Widens the low 32 bytes to 16-bit lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn widen(bytes: __m512i) -> __m512i {
    _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn in_range(bytes: __m512i, range: (u8, u8)) -> u64 {
    let offset = _mm512_sub_epi8(bytes, _mm512_set1_epi8(range.0 as i8));
    _mm512_cmple_epu8_mask(offset, _mm512_set1_epi8((range.1 - range.0) as i8))
}

/// Widens the high 32 bytes to 16-bit lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn widen_upper(bytes: __m512i) -> __m512i {
    _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(bytes))
}
