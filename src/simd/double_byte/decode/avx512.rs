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
//! quarter of the speed in markup. One block at a time was measured and is slower, because look-ups do not overlap.

use super::{DoubleByteDecode, Grid, Range, leads_before, split, with_grid};
use crate::simd::arrays::{map_array, tail};
use crate::simd::ascii::{copy_ascii, widen_ascii};
use crate::simd::double_byte::{Form, Utf8, Utf16, place_of};
use crate::simd::level::Avx512;
use crate::simd::out::Out;
use crate::simd::registers::load_from;
use crate::simd::{prefetch, tuning};
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// The number of blocks in a batch.
const BLOCKS: usize = 32;
/// Capacity for pairs: at most 32 per block, with padding for stores of whole registers.
const PAIRS: usize = BLOCKS * 32 + 96;
/// An output form of the third pass.
///
/// # Safety
/// Each method initialises the units that it reports as written, and stays inside the bounds given by its constants.
pub(super) unsafe trait Output: Form {
    /// The maximum number of units that a block of 64 bytes becomes.
    const YIELD: usize;
    /// The maximum number of units that a block stores. At most the first `YIELD` are valid.
    const STORED: usize;
    /// True if single bytes may be half-width katakana.
    const KATAKANA: bool;

    /// Writes the ASCII prefix of `src` that fits and returns its length.
    fn ascii(src: &[u8], out: &mut Out<'_, Self::Unit>) -> usize;

    /// Prepares the 32 code points of the pairs from `first` on, for `write`.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets; `first + 64 <= PAIRS`.
    unsafe fn put(batch: &mut Batch, code_points: __m512i, first: usize);

    /// Returns a pointer to the output of [`put`](Self::put) for the first pair.
    fn made(batch: &Batch) -> *const u8;

    /// Converts the block at the start of `src` into `to`. Returns the number of units, at most [`YIELD`](Self::YIELD).
    ///
    /// If `WHOLE`, all 64 bytes are converted, and whole registers may be stored, up to [`STORED`](Self::STORED) units.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets. `YIELD` units at `to` are writable; if `WHOLE`, `STORED` units
    /// are, and `src` has 64 bytes. 64 bytes are readable at `made`, and 64 after the results of any number of the
    /// block's leads and trails.
    unsafe fn write<const WHOLE: bool>(
        block: &Block,
        src: &[u8],
        made: &mut *const u8,
        to: *mut Self::Unit,
    ) -> usize;
}

/// The description of a block for the third pass.
pub(super) struct Block {
    leads: u64,
    trails: u64,
    /// Mask of the bytes to write: all, or those before the end of the batch.
    limit: u64,
    /// The values of the fields `sparse` and `katakana` of the batch.
    sparse: bool,
    katakana: bool,
}

/// Decodes a prefix of `src` and returns its length.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn decode<F: Output>(
    _: Avx512,
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, F::Unit>,
) -> usize {
    type FindPairs = unsafe fn(&mut Batch, &DoubleByteDecode, &[u8]) -> usize;
    let find_pairs: FindPairs = with_grid!(pairs, G => Batch::find_pairs::<G, F>);
    let mut place = MaybeUninit::uninit();
    let batch = Batch::new(&mut place, pairs);
    let mut read = 0;
    // The first batch is small, because work on it is lost if malformed input follows soon.
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
        if read == 0 && end < tuning::PORTABLE_UP_TO {
            return 0;
        }
        let end = batch.look_up::<F>(pairs, end);
        let written = batch.write::<F>(rest, end, out.spare_ptr(), out.room());
        batch.sparse = batch.pairs < 2 * blocks;
        // SAFETY: `write` has initialised at most `YIELD` units a block, and `blocks <= out.room() / YIELD`, by `min`.
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
    /// Never inlined, because its registers would be spilled in the caller.
    #[inline(never)]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    fn find_pairs<G: Grid, F: Output>(&mut self, pairs: &DoubleByteDecode, src: &[u8]) -> usize {
        let finder = Finder::new(pairs);
        let end = self.find_leads::<G, F>(&finder, src);
        self.find_positions::<G>(&finder, end)
    }

    /// First half of the first pass, over blocks: fills the masks and stores the bytes of the pairs contiguously.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
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
                // SAFETY: `whole` is the number of whole blocks in `src`, and `i < whole`, so `64 * i + 64 <= src.len()`.
                unsafe { _mm512_loadu_si512(from.cast()) }
            } else {
                load_from(src, 64 * i)
            };
            let (leads, trails) = split(finder.candidates::<G>(bytes), &mut carry);
            self.leads[i] = leads;
            self.trails[i] = trails;
            let both = leads | trails;
            // SAFETY: `found <= 64 * i`, the number of earlier bytes, and `bytes` holds `64 * (BLOCKS + 1)`.
            unsafe {
                prefetch::to_read::<1, _>(from.wrapping_add(tuning::PREFETCH_BATCH));
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
        // SAFETY: at most `BLOCKS` blocks added 64 bytes each, so `found <= 64 * BLOCKS`; `bytes` holds 64 bytes more.
        unsafe { _mm512_storeu_si512(bytes_of_pairs.add(found).cast(), _mm512_setzero_si512()) };
        self.pairs = found.div_ceil(2);
        if strange != 0 {
            return self.end_at(64 * (i - 1) + strange.trailing_zeros() as usize);
        }
        // A lead at the end of the input, inside a block, is paired with the following NUL, which is not a trail.
        let cut = carry as usize;
        self.pairs -= cut;
        src.len() - cut
    }

    /// Second half of the first pass, over pairs: computes positions in the index. Returns `end`, or the offset of the
    /// first invalid pair.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
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

    /// Ends the batch at offset `at` and returns `at`.
    #[cold]
    fn end_at(&mut self, at: usize) -> usize {
        self.pairs = leads_before(&self.leads, at);
        at
    }

    /// Ends the batch before the given pair and returns the offset of its lead.
    #[cold]
    fn end_before(&mut self, pair: usize) -> usize {
        self.end_at(place_of(pair, self.leads).map_or(0, |(block, at)| 64 * block + at))
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
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
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
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
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
                let ahead = to.wrapping_add(tuning::PREFETCH_BATCH.min(room - written));
                prefetch::to_write::<2, _>(ahead.wrapping_byte_sub(64));
                written += F::write::<true>(&block, tail(src, start), &mut made, to);
            }
            start += 64;
        }
        for (&leads, &trails) in masks.take(end.div_ceil(64)).skip(whole) {
            let limit = _bzhi_u64(u64::MAX, (end - start).min(64) as u32);
            block.limit = limit;
            (block.leads, block.trails) = (leads & limit, trails & limit);
            // SAFETY: `to` has `YIELD` units for each block, and exactly the written units are stored, at most `YIELD`.
            // `made` is at most `pairs` elements after the first, with 64 initialised bytes after it.
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
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn widen(bytes: __m512i) -> __m512i {
    _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes))
}

#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn in_range(bytes: __m512i, range: (u8, u8)) -> u64 {
    let offset = _mm512_sub_epi8(bytes, _mm512_set1_epi8(range.0 as i8));
    _mm512_cmple_epu8_mask(offset, _mm512_set1_epi8((range.1 - range.0) as i8))
}

/// Widens the high 32 bytes to 16-bit lanes.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn widen_upper(bytes: __m512i) -> __m512i {
    _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(bytes))
}

// Masks of leads, and positions in the index, computed from an encoding's layout.

/// An inclusive range of bytes or 16-bit lanes, in registers: its first value, and its last minus its first.
type Within = (__m512i, __m512i);

/// The parts of a layout that the first pass needs, in registers.
struct Finder {
    /// The ranges of leads, in 8-bit lanes.
    leads: [Within; 2],
    /// The ranges of plain leads, in 16-bit lanes, as all further fields are.
    plain: [Within; 2],
    trails: [Within; 2],
    columns: __m512i,
    /// The offset to subtract from `lead * columns + trail`. In the second ranges, `second_lead` and `second_trail` are
    /// subtracted, too.
    offset: __m512i,
    second_lead: __m512i,
    second_trail: __m512i,
    /// The first lead of the second range.
    first_of_second: __m512i,
    /// The length of the index.
    len: __m512i,
}

impl Finder {
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    pub fn new(pairs: &DoubleByteDecode) -> Self {
        let layout = &pairs.layout;
        let set = |value: u16| _mm512_set1_epi16(value as i16);
        let lanes = |(first, last): Range| (set(first.into()), set((last - first).into()));
        let bytes = |(first, last): Range| {
            let [first, after] =
                map_array([first, last - first], |byte| _mm512_set1_epi8(byte as i8));
            (first, after)
        };
        Self {
            leads: map_array(layout.leads, bytes),
            plain: map_array(layout.plain, lanes),
            trails: map_array(layout.trails, lanes),
            columns: set(layout.columns),
            offset: set(layout.offset()),
            second_lead: set(layout.second_lead_offset()),
            second_trail: set(layout.second_trail_offset()),
            first_of_second: set(layout.leads[1].0.into()),
            len: set(pairs.index.len().min(0xFFFF) as u16),
        }
    }

    /// Returns a mask of the bytes that may be leads.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    pub fn candidates<G: Grid>(&self, bytes: __m512i) -> u64 {
        let within =
            |(first, after): Within| _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, first), after);
        let candidates = within(self.leads[0]);
        if G::TWO_RANGES_OF_LEADS {
            candidates | within(self.leads[1])
        } else {
            candidates
        }
    }

    /// Returns positions in the index, and a mask of the valid ones.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    pub fn position<G: Grid>(&self, lead: __m512i, trail: __m512i) -> (__m512i, u32) {
        let within = |lanes, (first, after): Within| {
            _mm512_cmple_epu16_mask(_mm512_sub_epi16(lanes, first), after)
        };
        let mut valid = within(trail, self.trails[0]);
        let pointer = _mm512_add_epi16(_mm512_mullo_epi16(lead, self.columns), trail);
        let mut position = _mm512_sub_epi16(pointer, self.offset);
        if G::TWO_RANGES_OF_TRAILS {
            valid |= within(trail, self.trails[1]);
            let second = _mm512_cmpge_epu16_mask(trail, self.trails[1].0);
            position = _mm512_mask_sub_epi16(position, second, position, self.second_trail);
        }
        if G::TWO_RANGES_OF_LEADS {
            let second = _mm512_cmpge_epu16_mask(lead, self.first_of_second);
            position = _mm512_mask_sub_epi16(position, second, position, self.second_lead);
        }
        if G::SOME_PLAIN {
            valid &= within(lead, self.plain[0]) | within(lead, self.plain[1]);
        }
        let in_index = _mm512_cmplt_epu16_mask(position, self.len);
        (position, valid & in_index)
    }
}

// The third pass for UTF-8 and UTF-16.

/// UTF-8: a lead is replaced by the first two bytes of the character, its trail by the third.
// SAFETY: the functions return the number of units that their stores initialise; each store states its bound.
unsafe impl Output for Utf8 {
    // 32 pairs of three bytes; or one byte for a trail, 31 pairs, and two bytes for a lead.
    const YIELD: usize = 96;
    const STORED: usize = 128;
    const KATAKANA: bool = false;

    fn ascii(src: &[u8], out: &mut Out<'_, u8>) -> usize {
        copy_ascii(src, out)
    }

    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    unsafe fn put(batch: &mut Batch, code_points: __m512i, first: usize) {
        let set = |value: u32| _mm512_set1_epi32(value as i32);
        let to = batch.utf8.as_mut_ptr().cast::<[u8; 3]>();
        // Bit offsets of the extracted bytes, in 64 bits with two code points. The high half of each code point is
        // zero.
        let of_two = _mm512_set1_epi64(0x3030_2026_1010_0006);
        let of_three = _mm512_set1_epi64(0x3020_262C_1000_060C);
        let halves = [
            _mm512_castsi512_si256(code_points),
            _mm512_extracti64x4_epi64::<1>(code_points),
        ];
        for (i, half) in halves.into_iter().enumerate() {
            let code_points = _mm512_cvtepu16_epi32(half);
            let two = _mm512_cmplt_epu32_mask(code_points, set(0x800));
            let from = _mm512_mask_mov_epi32(of_three, two, of_two);
            let marks = _mm512_mask_mov_epi32(set(0x0080_80E0), two, set(0x0000_80C0));
            let bits = _mm512_multishift_epi64_epi8(from, code_points);
            // `bits & 0x3F | marks`; the first byte keeps all bits.
            let bytes = _mm512_ternarylogic_epi32::<0xEA>(bits, set(0x003F_3FFF), marks);
            // SAFETY: each half stores 48 valid bytes and 16 more; `first + 64 <= PAIRS`, by `# Safety` of
            // `Output::put`.
            unsafe {
                let bytes = _mm512_maskz_compress_epi8(0x7777_7777_7777_7777, bytes);
                _mm512_storeu_si512(to.add(first + 16 * i).cast(), bytes);
            }
        }
    }

    fn made(batch: &Batch) -> *const u8 {
        batch.utf8.as_ptr().cast()
    }

    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    unsafe fn write<const WHOLE: bool>(
        block: &Block,
        src: &[u8],
        made: &mut *const u8,
        to: *mut u8,
    ) -> usize {
        let Block {
            leads,
            trails,
            limit,
            ..
        } = *block;
        if block.sparse && leads | trails == 0 {
            // SAFETY: one byte is stored for each bit of `limit`, and 64 < `YIELD`.
            unsafe { _mm512_mask_storeu_epi8(to.cast(), limit, load_from(src, 0)) };
            return limit.count_ones() as usize;
        }
        const EVEN: u64 = 0x5555_5555_5555_5555;
        // Returns 32 bytes of output as compressed lanes, the number of bytes written, and the number of bytes taken
        // from `made`.
        // SAFETY: 64 bytes at `made` are readable, by `# Safety` of `Output::write`.
        let half = |bytes, leads: u32, trails: u32, limit: u32, made: *const u8| unsafe {
            let lead_bytes = _pdep_u64(leads.into(), EVEN);
            let trail_bytes = _pdep_u64(trails.into(), EVEN);
            let places = lead_bytes << 1 | lead_bytes | trail_bytes;
            let lanes = _mm512_mask_expand_epi8(bytes, places, _mm512_loadu_si512(made.cast()));
            // Writes the low byte of each lane, even if NUL, except for trails; and every other byte that is not zero.
            let mut written = _mm512_test_epi8_mask(lanes, lanes) | EVEN & !trail_bytes;
            if !WHOLE {
                written &= 3 * _pdep_u64(limit.into(), EVEN);
            }
            let count = written.count_ones();
            let lanes = _mm512_maskz_compress_epi8(written, lanes);
            (lanes, count as usize, places.count_ones() as usize)
        };
        // SAFETY: bounds are by `# Safety` of `Output::write`. If `WHOLE`, `STORED` = 128 bytes are writable and
        // `low_count <= 64`. Otherwise the masks store exactly `low_count + high_count <= YIELD` bytes.
        unsafe {
            let (low, high) = if WHOLE {
                let load = |at: usize| {
                    _mm512_cvtepu8_epi16(_mm256_loadu_si256(src.as_ptr().add(at).cast()))
                };
                (load(0), load(32))
            } else {
                let bytes = load_from(src, 0);
                (widen(bytes), widen_upper(bytes))
            };
            let (low, low_count, taken) =
                half(low, leads as u32, trails as u32, limit as u32, *made);
            *made = made.add(taken);
            let (high, high_count, taken) = half(
                high,
                (leads >> 32) as u32,
                (trails >> 32) as u32,
                (limit >> 32) as u32,
                *made,
            );
            *made = made.add(taken);
            let after = to.add(low_count);
            if WHOLE {
                _mm512_storeu_si512(to.cast(), low);
                _mm512_storeu_si512(after.cast(), high);
            } else {
                let low_mask = _bzhi_u64(u64::MAX, low_count as u32);
                _mm512_mask_storeu_epi8(to.cast(), low_mask, low);
                let high_mask = _bzhi_u64(u64::MAX, high_count as u32);
                _mm512_mask_storeu_epi8(after.cast(), high_mask, high);
            }
            low_count + high_count
        }
    }
}

/// Loads 32 code units.
///
/// # Safety
/// 32 elements at `from` are readable.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
unsafe fn load_units(from: *const u16) -> __m512i {
    // SAFETY: by `# Safety`, 32 elements at `from` are readable.
    unsafe { _mm512_loadu_si512(from.cast()) }
}

/// UTF-16: trails are removed from the block, and leads replaced by code points.
// SAFETY: the functions return the number of units that their stores initialise; each store states its bound.
unsafe impl Output for Utf16 {
    const YIELD: usize = 64;
    const STORED: usize = 64;
    const KATAKANA: bool = true;

    fn ascii(src: &[u8], out: &mut Out<'_, u16>) -> usize {
        widen_ascii(src, out)
    }

    #[inline]
    unsafe fn put(_: &mut Batch, _: __m512i, _: usize) {
        // Nothing to do: the code points are code units already.
    }

    fn made(batch: &Batch) -> *const u8 {
        batch.code_points.as_ptr().cast()
    }

    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    unsafe fn write<const WHOLE: bool>(
        block: &Block,
        src: &[u8],
        made: &mut *const u8,
        to: *mut u16,
    ) -> usize {
        let Block {
            leads,
            trails,
            limit,
            ..
        } = *block;
        let keep = !trails & limit;
        let bytes = if WHOLE {
            // SAFETY: `src` has 64 bytes if `WHOLE`, by `# Safety` of `Output::write`.
            unsafe { _mm512_loadu_si512(src.as_ptr().cast()) }
        } else {
            load_from(src, 0)
        };
        let bases = _mm512_maskz_compress_epi8(keep, bytes);
        let leads = _pext_u64(leads, keep);
        let low_leads = leads as u32;
        let high_leads = (leads >> 32) as u32;
        let katakana = |units| {
            if !block.katakana {
                return units;
            }
            // As leads are replaced later, only half-width katakana are non-ASCII here: 0xA1 is U+FF61.
            let high = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0xA1));
            _mm512_mask_add_epi16(units, high, units, _mm512_set1_epi16(0xFEC0_u16 as i16))
        };
        let count = keep.count_ones();
        let low_count = count.min(32);
        let high_count = count - low_count;
        let code_points: *const u16 = made.cast();
        // SAFETY: 64 bytes at `made` are readable, also after the low half, by `# Safety` of `Output::write`. If
        // `WHOLE`, `STORED` = 64 units are writable and `low_count <= 32`. Otherwise one unit is stored for each bit of
        // `keep`, at most 64.
        unsafe {
            *made = code_points.add(leads.count_ones() as usize).cast();
            let low = katakana(widen(bases));
            let low = _mm512_mask_expand_epi16(low, low_leads, load_units(code_points));
            if WHOLE {
                _mm512_storeu_si512(to.cast(), low);
            } else {
                _mm512_mask_storeu_epi16(to.cast(), _bzhi_u32(u32::MAX, low_count), low);
            }
            if WHOLE || count > 32 {
                let to = to.add(low_count as usize);
                let after = code_points.add(low_leads.count_ones() as usize);
                let high = katakana(widen_upper(bases));
                let high = _mm512_mask_expand_epi16(high, high_leads, load_units(after));
                if WHOLE {
                    _mm512_storeu_si512(to.cast(), high);
                } else {
                    _mm512_mask_storeu_epi16(to.cast(), _bzhi_u32(u32::MAX, high_count), high);
                }
            }
        }
        (low_count + high_count) as usize
    }
}
