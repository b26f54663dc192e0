//! AVX-512: three passes over a batch of up to 32 blocks of 64 bytes.
//!
//! 1. Masks of leads and trails by a carry trick (a trail is what follows a lead, and leads and trails share bytes, so
//!    that runs of candidates alternate). By them pairs are compressed, a block after the other, and become pointers, 32
//!    at a time.
//! 2. The pointers are looked up, and only those of pairs. For UTF-8, code points then become three
//!    bytes each, the last ones zero where there are less.
//! 3. What pairs became is expanded back to where leads and trails were, and compressed to what is written.
//!
//! Port 5, where compressing, expanding and masks meet, is what the speed of the first and third pass depends on, most of
//! all in markup: so they do nothing for each block that can be done for the batch. Batches half as long are a tenth
//! slower in markup, as the end of each loop over what a batch has is mispredicted.
//!
//! No pass has a branch that the text decides: skipping blocks without pairs pays only where they are the rule, and
//! costs a quarter of the speed in markup. Measured against it and slower: a block at a time (look-ups do not overlap).

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

/// Blocks in a batch.
const BLOCKS: usize = 32;
/// Pairs in a batch: at most 32 a block, and room to store whole registers.
const PAIRS: usize = BLOCKS * 32 + 96;
/// How far ahead of the first and of the third pass memory is asked for, in bytes and in units: the passes come and go, and
/// the processor's own prefetching does not keep up with that.
const AHEAD: usize = tuning::PREFETCH_BATCH;

/// UTF-8 or UTF-16, for the third pass.
///
/// # Safety
/// What a method says that it has written is initialised, and no more than its constants allow.
pub(super) unsafe trait Output: Form {
    /// Most units that one block of 64 bytes can become.
    const MOST: usize;
    /// Most units that one block may store; the first `MOST` count.
    const STORED: usize;
    /// Whether single bytes may be half-width katakana.
    const KATAKANA: bool;

    /// Writes the ASCII prefix of `src` that fits; returns its length.
    fn ascii(src: &[u8], out: &mut Out<'_, Self::Unit>) -> usize;

    /// Makes of 32 code points, those of the pairs from `first` on, what `write` takes.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets; `first + 64 <= PAIRS`.
    unsafe fn put(batch: &mut Batch, code_points: __m512i, first: usize);

    /// What [`put`](Self::put) has made of the first pair.
    fn made(batch: &Batch) -> *const u8;

    /// Writes the block that `src` starts with at `to`; returns how many units that is, [`MOST`](Self::MOST) at most.
    ///
    /// `WHOLE` says that all bytes count and that whole registers may be stored, [`STORED`](Self::STORED) units at
    /// most.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets; `MOST` units at `to` are writable, `STORED` if `WHOLE`, and then
    /// `src` has 64 bytes; 64 bytes are readable from `made` on, and after what any leads and trails of the block take.
    unsafe fn write<const WHOLE: bool>(
        block: &Block,
        src: &[u8],
        made: &mut *const u8,
        to: *mut Self::Unit,
    ) -> usize;
}

/// What the third pass knows of a block.
pub(super) struct Block {
    leads: u64,
    trails: u64,
    /// The bytes that are written now: all, or those before where the batch stops.
    limit: u64,
    /// As of the batch.
    sparse: bool,
    katakana: bool,
}

/// Decodes a prefix of `src`; returns its length.
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
    // The first batch is small: text after it may be malformed, and work on it would be wasted.
    let mut most = 2;
    loop {
        let mut rest = tail(src, read);
        if rest.len() >= 64 && _mm512_movepi8_mask(load_from(rest, 0)) == 0 {
            read += F::ascii(rest, out);
            rest = tail(src, read);
        }
        let blocks = rest.len().div_ceil(64).min(most).min(out.room() / F::MOST);
        if blocks == 0 {
            return read;
        }
        let whole = (blocks * 64).min(rest.len());
        // SAFETY: this function is compiled for the instruction sets that the callee asks for, so the processor has
        // them.
        let end = unsafe { find_pairs(batch, pairs, &rest[..whole]) };
        if read == 0 && end < SHORT && !pairs.starts_four_bytes(tail(rest, end)) {
            return 0;
        }
        let end = batch.look_up::<F>(pairs, end);
        let written = batch.write::<F>(rest, end, out.spare_ptr(), out.room());
        batch.sparse = batch.pairs < 2 * blocks;
        // SAFETY: `write` has initialised that many units, within the output for `blocks * MOST` established above.
        unsafe { out.advance(written) };
        read += end;
        // A character cut by the end of the batch is left to the next one.
        if end + 1 < whole || end == rest.len() || end == 0 {
            return read;
        }
        most = (most * 4).min(BLOCKS);
    }
}

/// A batch between its passes.
pub(super) struct Batch {
    leads: [u64; BLOCKS],
    trails: [u64; BLOCKS],
    /// Leads and trails before a block.
    before: [u16; BLOCKS],
    /// Blocks that the first pass has seen.
    blocks: usize,
    pairs: usize,
    /// Leads and trails, pair by pair.
    bytes: MaybeUninit<[u16; PAIRS]>,
    positions: MaybeUninit<[u16; PAIRS]>,
    code_points: MaybeUninit<[u16; PAIRS]>,
    /// Three bytes for each pair, zeros where a character has less.
    utf8: MaybeUninit<[[u8; 3]; PAIRS]>,
    /// Whether blocks without pairs are so frequent that looking out for them pays.
    sparse: bool,
    katakana: bool,
}

impl Batch {
    /// Makes a batch in place: it is large, and a value would be moved, or filled with zeros.
    #[inline(always)]
    fn new<'a>(place: &'a mut MaybeUninit<Self>, pairs: &DoubleByteDecode) -> &'a mut Self {
        let batch = place.as_mut_ptr();
        // SAFETY: within the batch. What has invalid values is written; all else is `MaybeUninit`.
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

    /// First pass, over at most [`BLOCKS`] blocks: fills masks and positions in the index.
    ///
    /// Returns how many bytes are whole characters of a shape that the kernel knows: all of `src`, unless a pair is
    /// cut.
    ///
    /// Never inlined: else its registers would be spilled.
    #[inline(never)]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn find_pairs<G: Grid, F: Output>(&mut self, pairs: &DoubleByteDecode, src: &[u8]) -> usize {
        let finder = Finder::new(pairs);
        let end = self.find_leads::<G, F>(&finder, src);
        self.find_positions::<G>(&finder, end)
    }

    /// The half of the first pass that goes over blocks: masks, and the bytes of pairs one after the other.
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
                // SAFETY: the block is whole.
                unsafe { _mm512_loadu_si512(from.cast()) }
            } else {
                load_from(src, 64 * i)
            };
            let (leads, trails) = split(finder.candidates::<G>(bytes), &mut carry);
            self.leads[i] = leads;
            self.trails[i] = trails;
            self.before[i] = found as u16;
            let both = leads | trails;
            // SAFETY: before block `i` there are at most 64 * i bytes, and there is room for 64 * (BLOCKS + 1).
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
        // SAFETY: `found` is 64 * BLOCKS at most, and there is room for 64 bytes more.
        unsafe { _mm512_storeu_si512(bytes_of_pairs.add(found).cast(), _mm512_setzero_si512()) };
        self.blocks = i;
        self.pairs = found.div_ceil(2);
        if strange != 0 {
            return self.end_at(64 * (i - 1) + strange.trailing_zeros() as usize);
        }
        // A lead without its trail in the middle of a block is a pair with NUL, which is no trail.
        let cut = carry as usize;
        self.pairs -= cut;
        src.len() - cut
    }

    /// The other half, which goes over pairs.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn find_positions<G: Grid>(&mut self, finder: &Finder, end: usize) -> usize {
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let mut at = 0;
        while at < self.pairs {
            // SAFETY: `at + 32 <= pairs + 31 < PAIRS`; bytes are initialised up to 64 after the last pair's.
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

    /// Ends the batch at `at`, which is before its end; returns that.
    #[cold]
    fn end_at(&mut self, at: usize) -> usize {
        let (block, bit) = (at / 64 % BLOCKS, at % 64);
        let before = self.leads[block] & ((1 << bit) - 1);
        self.pairs = self.pairs_before(block) + before.count_ones() as usize;
        at
    }

    /// Pairs that begin before a block: a trail at its start belongs to one of them.
    #[inline(always)]
    fn pairs_before(&self, block: usize) -> usize {
        usize::from(self.before[block]).div_ceil(2)
    }

    /// Ends the batch before a pair of it: returns where its lead is.
    #[cold]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl")]
    fn end_before(&mut self, pair: usize) -> usize {
        let at = self.place(pair);
        self.end_at(at)
    }

    /// Where the lead of a pair is.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl")]
    fn place(&self, pair: usize) -> usize {
        const { assert!(BLOCKS == 32) };
        // SAFETY: the array is as long as the register.
        let before = unsafe { _mm512_loadu_si512(self.before.as_ptr().cast()) };
        // A pair has two bytes. Half of them, rounded up, is the number of pairs.
        let before = _mm512_avg_epu16(before, _mm512_setzero_si512());
        // It is in the last of the blocks that have no more pairs before them.
        let blocks = _mm512_cmple_epu16_mask(before, _mm512_set1_epi16(pair as i16));
        let blocks = _bzhi_u32(blocks, self.blocks as u32);
        let block = (31 - blocks.leading_zeros()) as usize % BLOCKS;
        let number = pair.wrapping_sub(self.pairs_before(block)) as u32;
        64 * block + _pdep_u64(1 << (number % 64), self.leads[block]).trailing_zeros() as usize
    }

    /// Fills `code_points` with what the index has at each position.
    #[inline(always)]
    fn load(&mut self, index: &[u16]) {
        debug_assert!(!index.is_empty());
        let positions: *const u16 = self.positions.as_ptr().cast();
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        for at in (0..self.pairs).step_by(8) {
            // SAFETY: `at + 8 <= pairs + 7 < PAIRS`. The first pass has initialised positions up to the next multiple of
            // 32. Positions beyond the index have become 0 in `find_positions`.
            unsafe {
                for at in at..at + 8 {
                    let position = usize::from(*positions.add(at));
                    *code_points.add(at) = *index.get_unchecked(position);
                }
            }
        }
    }

    /// Second pass: what positions stand for. Returns `end`, or where the first unmapped pair is before it.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn look_up<F: Output>(&mut self, pairs: &DoubleByteDecode, mut end: usize) -> usize {
        self.load(pairs.index);
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        // The third pass loads whole registers: zeros after the last pair.
        // SAFETY: pairs <= 32 * BLOCKS, and the array has 96 elements more.
        unsafe {
            _mm512_storeu_si512(code_points.add(self.pairs).cast(), _mm512_setzero_si512());
        }
        let mut at = 0;
        while at < self.pairs {
            let lanes = _bzhi_u32(u32::MAX, (self.pairs - at).min(32) as u32);
            // SAFETY: `at + 64 <= pairs + 63 < PAIRS`; `code_points` is initialised up to 32 elements after the last
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
        // SAFETY: `at` is a multiple of 32, at most 32 * BLOCKS, so that `at + 64 <= PAIRS`.
        unsafe { F::put(self, _mm512_setzero_si512(), at) };
        end
    }

    /// Third pass: writes the first `end` bytes of `src`, which end a character; returns how many units that is.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn write<F: Output>(&self, src: &[u8], end: usize, to: *mut F::Unit, room: usize) -> usize {
        let mut made = F::made(self);
        let mut written = 0;
        let mut start = 0;
        // The registers that a block stores reach past what it writes. The blocks after it write over that, as
        // each but the last writes half a register at least; the last two store no more than they write.
        const { assert!(F::STORED <= 3 * F::MOST) };
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
            // SAFETY: the caller's feature set; `to` has room for MOST units a block: with two more blocks after it
            // there is room for STORED, and all of it is in `src`. `made` is at most `pairs` after the first, with 64
            // initialised bytes after.
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
            // SAFETY: as above; no more is stored than written.
            unsafe {
                let to = to.add(written);
                written += F::write::<false>(&block, tail(src, start), &mut made, to);
            }
            start += 64;
        }
        written
    }
}

/// The low 32 bytes as 16-bit lanes.
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

/// The upper half of a register as 16-bit lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn widen_upper(bytes: __m512i) -> __m512i {
    _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(bytes))
}
