//! AVX-512: three passes over a batch of up to 16 blocks of 64 bytes.
//!
//! 1. Masks of leads and trails by a carry trick (a trail is what follows a lead, and leads and trails share bytes, so
//!    that runs of candidates alternate); leads and trails are compressed, and pairs become pointers, 32 at a time.
//! 2. The pointers are looked up: the only serial work, and only for pairs. For UTF-8, code points are then split into
//!    heads (first and second byte) and tails (third byte), 32 at a time.
//! 3. Heads and tails are expanded back to where leads and trails were, in lanes of 16 bits, and compressed to bytes.
//!
//! No pass has a branch that the text decides: skipping blocks without pairs pays only where they are the rule, and
//! costs a quarter of the speed in markup. Measured against it and slower: a block at a time (look-ups do not overlap),
//! gathers (no faster than loads on this hardware).

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::bits::place_of;
use super::super::out::Out;
use super::super::registers::load_from;
use super::super::token::Avx512;
use super::grid::{Grid, with_grid};
use super::quads::Quads;
use super::{Pairs, SHORT, split};

mod finder;
mod forms;

use finder::Finder;
pub(super) use forms::{Utf8, Utf16};

/// Blocks in a batch.
const BLOCKS: usize = 16;
/// Pairs in a batch: at most 32 a block, and room to store whole registers.
const PAIRS: usize = BLOCKS * 32 + 96;
/// Room before the first tail, so that a register may be loaded from one before it.
const BEFORE: usize = 32;

/// Second and fourth bytes of characters of four.
const DIGITS: (u8, u8) = (0x30, 0x39);

/// UTF-8 or UTF-16, for the third pass.
pub(super) trait Form {
    type Unit: Copy;
    /// Most units that one block of 64 bytes can become.
    const MOST: usize;
    /// Most units that one block may store, of which `MOST` count.
    const STORED: usize;
    /// Whether single bytes may be half-width katakana.
    const KATAKANA: bool;

    /// Writes the ASCII prefix of `src` that fits; returns its length.
    fn ascii(src: &[u8], out: &mut Out<'_, Self::Unit>) -> usize;

    /// Whether code points are split into heads and tails before they are written.
    const SPLITS: bool;

    /// Splits 32 code points into what stands in a lead's place and what stands in its trail's.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets.
    unsafe fn split(code_points: __m512i) -> (__m512i, __m512i);

    /// Writes one character of four bytes in the places of the two pairs from `first` on.
    fn put_quad(batch: &mut Batch, first: usize, scalar: u32);

    /// Writes one block at `to`; returns how many units that is, [`MOST`](Self::MOST) at most.
    ///
    /// `WHOLE` says that all bytes count and that whole registers may be stored, [`STORED`](Self::STORED) units at
    /// most.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets; `MOST` units at `to` are writable, `STORED` if `WHOLE`; 32
    /// elements at `heads` and at
    /// `tails` are readable from the count of any leads and trails of the block on, and one before `tails`.
    unsafe fn write<const WHOLE: bool>(
        block: &Block,
        heads: *const u16,
        tails: *const u16,
        to: *mut Self::Unit,
    ) -> usize;
}

/// What the third pass knows of a block.
pub(super) struct Block {
    bytes: __m512i,
    leads: u64,
    trails: u64,
    /// The bytes that are written now: all, or those before where the batch stops.
    limit: u64,
    /// As of the batch.
    sparse: bool,
    /// Whether some leads' code points may be zero, which is no unit.
    quads: bool,
}

/// Decodes a prefix of `src`; returns its length.
#[inline(always)]
pub(super) fn decode<F: Form>(
    token: Avx512,
    pairs: &Pairs,
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
fn decode_featured<F: Form>(pairs: &Pairs, src: &[u8], out: &mut Out<'_, F::Unit>) -> usize {
    type FindPairs = unsafe fn(&mut Batch, &Pairs, &[u8]) -> usize;
    let find_pairs: FindPairs = with_grid!(pairs, G => Batch::find_pairs::<G, F>);
    let mut batch = Batch::new();
    let mut read = 0;
    // The first batch is small: the text behind it may be malformed, and then the work on it is in vain.
    let mut most = 2;
    loop {
        let mut rest = &src[read..];
        if rest.len() >= 64 && _mm512_movepi8_mask(load_from(rest, 0)) == 0 {
            read += F::ascii(rest, out);
            rest = &src[read..];
        }
        let blocks = rest.len().div_ceil(64).min(most).min(out.room() / F::MOST);
        if blocks == 0 {
            return read;
        }
        let whole = (blocks * 64).min(rest.len());
        // SAFETY: this function has the features.
        let end = unsafe { find_pairs(&mut batch, pairs, &rest[..whole]) };
        if read == 0 && end < SHORT {
            return 0;
        }
        let end = batch.look_up::<F>(pairs, rest, end);
        let written = batch.write::<F>(rest, end, out.spare_ptr());
        batch.sparse = batch.pairs < 2 * blocks;
        // SAFETY: `write` has initialised that many units, within the room for `blocks * MOST` established above.
        unsafe { out.advance(written) };
        read += end;
        // A character cut by the end of the batch is left to the next one.
        let cut = if pairs.four_bytes.is_some() { 3 } else { 1 };
        if end + cut < whole || end == rest.len() || end == 0 {
            return read;
        }
        most = (most * 4).min(BLOCKS);
    }
}

/// A batch between its passes.
pub(super) struct Batch {
    leads: [u64; BLOCKS],
    trails: [u64; BLOCKS],
    /// Trails that are digits, where there are characters of four bytes.
    digits: [u64; BLOCKS],
    positions: MaybeUninit<[u16; PAIRS]>,
    code_points: MaybeUninit<[u16; PAIRS]>,
    heads: MaybeUninit<[u16; PAIRS]>,
    tails: MaybeUninit<[u16; BEFORE + PAIRS]>,
    pairs: usize,
    quads: Quads,
    /// Whether blocks without pairs are so frequent that looking out for them pays.
    sparse: bool,
}

impl Batch {
    #[inline(always)]
    fn new() -> Self {
        let mut batch = Self {
            leads: [0; BLOCKS],
            trails: [0; BLOCKS],
            digits: [0; BLOCKS],
            positions: MaybeUninit::uninit(),
            code_points: MaybeUninit::uninit(),
            heads: MaybeUninit::uninit(),
            tails: MaybeUninit::uninit(),
            pairs: 0,
            quads: Quads::new(),
            sparse: false,
        };
        // SAFETY: within `tails`, whose element type has no invalid values.
        unsafe {
            batch
                .tails
                .as_mut_ptr()
                .cast::<u16>()
                .add(BEFORE - 1)
                .write(0)
        };
        batch
    }

    /// [`find_pairs_featured`](Self::find_pairs_featured), never inlined: else its registers would be spilled.
    ///
    /// # Safety
    /// The processor has [`Avx512`]'s instruction sets.
    #[inline(never)]
    unsafe fn find_pairs<G: Grid, F: Form>(&mut self, pairs: &Pairs, src: &[u8]) -> usize {
        // SAFETY: the contract of this function.
        unsafe { self.find_pairs_featured::<G, F>(pairs, src) }
    }

    /// First pass, over at most [`BLOCKS`] blocks: fills masks and positions in the index.
    ///
    /// Returns how many bytes are whole characters of a shape that the kernel knows: all of `src`, unless a pair is
    /// cut.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn find_pairs_featured<G: Grid, F: Form>(&mut self, pairs: &Pairs, src: &[u8]) -> usize {
        let finder = Finder::new(pairs);
        debug_assert!(src.len() <= BLOCKS * 64);
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        self.pairs = 0;
        self.quads.clear();
        let mut end = src.len();
        let mut any_digits = 0;
        let mut carry = 0;
        let mut start = 0;
        for i in 0..src.len().div_ceil(64).min(BLOCKS) {
            let rest = &src[start..];
            let bytes = load_from(rest, 0);
            // The byte behind the block, for a lead at its end; zero behind the last.
            let next = load_from(rest, 1);
            let (leads, trails) = split(finder.candidates::<G>(bytes), &mut carry);
            self.leads[i] = leads;
            self.trails[i] = trails;

            let high = _mm512_movepi8_mask(bytes);
            if self.sparse && high | trails == 0 {
                self.digits[i] = 0;
                start += 64;
                continue;
            }
            let mut strange = high & !(leads | trails);
            if F::KATAKANA && G::KATAKANA {
                strange &= !in_range(bytes, (0xA1, 0xDF));
            }
            let lead = widen(_mm512_maskz_compress_epi8(leads, bytes));
            let trail = widen(_mm512_maskz_compress_epi8(leads, next));
            let (position, in_index) = finder.position::<G>(lead, trail);
            let mut valid = in_index;
            if G::FOUR_BYTES {
                let digits = trails & in_range(bytes, DIGITS);
                self.digits[i] = digits;
                any_digits |= digits;
                // Their positions do not count.
                let offset = _mm512_sub_epi16(trail, _mm512_set1_epi16(DIGITS.0.into()));
                valid |= _mm512_cmple_epu16_mask(offset, _mm512_set1_epi16(9));
            }
            let count = leads.count_ones();
            // SAFETY: a lead is followed by a trail, so that a block has at most 32 leads beside one trail; before
            // block `i` there are at most 32 * i, and `positions` has room for 32 * (BLOCKS + 1).
            unsafe {
                _mm512_storeu_si512(
                    positions.add(self.pairs).cast(),
                    _mm512_maskz_mov_epi16(in_index, position),
                );
            }
            let invalid = !valid & _bzhi_u32(u32::MAX, count);
            if invalid != 0 {
                // The place of the lead whose pair is the first invalid one.
                strange |= _pdep_u64(u64::from(_blsi_u32(invalid)), leads);
            }
            if strange != 0 {
                end = start + strange.trailing_zeros() as usize;
                break;
            }
            self.pairs += count as usize;
            start += 64;
        }
        if G::FOUR_BYTES && any_digits != 0 {
            let blocks = end.div_ceil(64).min(BLOCKS);
            let wrong = self
                .quads
                .find(&self.leads[..blocks], &self.digits[..blocks]);
            end = end.min(wrong.unwrap_or(end));
        }
        // A lead without its trail was a pair with NUL, which is no trail: `end` was before it.
        if end < src.len() || self.quads.pending().is_some() {
            end = self.end_at(end);
        }
        end
    }

    /// Ends the batch at `at`, or before a character of four bytes that is not complete there.
    #[cold]
    fn end_at(&mut self, at: usize) -> usize {
        let at = at.min(self.quads.pending().unwrap_or(at));
        self.pairs = 0;
        for (i, leads) in self.leads[..at.div_ceil(64)].iter().enumerate() {
            let leads = match at - 64 * i {
                n @ 0..64 => leads & ((1 << n) - 1),
                _ => *leads,
            };
            self.pairs += leads.count_ones() as usize;
        }
        self.quads.truncate(self.pairs);
        at
    }

    /// Second pass: code points for positions. Returns `end`, or where the first unmapped pair is before it.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn look_up<F: Form>(&mut self, pairs: &Pairs, src: &[u8], mut end: usize) -> usize {
        let index = pairs.index;
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        // Look-ups go eight at a time, and the third pass loads whole registers: zeros behind the last pair.
        // SAFETY: pairs <= 32 * BLOCKS, and both arrays have 96 elements more.
        unsafe {
            _mm512_storeu_si512(positions.add(self.pairs).cast(), _mm512_setzero_si512());
            _mm512_storeu_si512(code_points.add(self.pairs).cast(), _mm512_setzero_si512());
        }
        let mut at = 0;
        while at < self.pairs {
            // SAFETY: `at + 8 <= pairs + 7 < PAIRS`. The first `pairs` positions are initialised by the first pass and
            // below `index.len()`, as `position` checks; the seven behind them are the zeros.
            unsafe {
                for i in 0..8 {
                    let position = usize::from(*positions.add(at + i));
                    *code_points.add(at + i) = *index.get_unchecked(position);
                }
            }
            at += 8;
        }
        for first in self.quads.firsts() {
            // SAFETY: both pairs are below `pairs`.
            unsafe { code_points.add(first).cast::<[u16; 2]>().write([0x3000; 2]) };
        }
        let heads: *mut u16 = self.heads.as_mut_ptr().cast();
        let tails: *mut u16 = self.tails.as_mut_ptr().cast();
        let mut unmapped = 0;
        let mut at = 0;
        while at < self.pairs && unmapped == 0 {
            let lanes = _bzhi_u32(u32::MAX, (self.pairs - at).min(32) as u32);
            // SAFETY: `at + 64 <= pairs + 63 < PAIRS`, and `tails` has `BEFORE` elements more; `code_points` is
            // initialised up to 32 elements behind the last pair.
            unmapped = unsafe {
                let code_points = _mm512_loadu_si512(code_points.add(at).cast());
                if F::SPLITS {
                    let (head, tail) = F::split(code_points);
                    _mm512_storeu_si512(heads.add(at).cast(), head);
                    _mm512_storeu_si512(tails.add(BEFORE + at).cast(), tail);
                }
                _mm512_mask_testn_epi16_mask(lanes, code_points, code_points)
            };
            at += 32;
        }
        if F::SPLITS {
            // SAFETY: `at <= pairs + 31`, and so `at + 32 <= PAIRS`.
            unsafe {
                _mm512_storeu_si512(heads.add(at).cast(), _mm512_setzero_si512());
                _mm512_storeu_si512(tails.add(BEFORE + at).cast(), _mm512_setzero_si512());
            }
        }
        if unmapped != 0 {
            end = self.end_before(at - 32 + unmapped.trailing_zeros() as usize);
        }
        if let Some(four_bytes) = pairs.four_bytes {
            let mut i = 0;
            while let Some((first, start)) = self.quads.get(i) {
                let bytes = src[start..].first_chunk::<4>();
                let Some(scalar) = bytes.and_then(|&bytes| four_bytes(bytes)) else {
                    return self.end_at(start);
                };
                F::put_quad(self, first, scalar);
                i += 1;
            }
        }
        end
    }

    /// Ends the batch before a pair: returns where its lead is.
    #[cold]
    fn end_before(&mut self, pair: usize) -> usize {
        let at = place_of(pair, &self.leads).map_or(0, |(block, at)| 64 * block + at);
        self.end_at(at)
    }

    /// Third pass: writes the first `end` bytes of `src`, which end a character; returns how many units that is.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn write<F: Form>(&self, src: &[u8], end: usize, to: *mut F::Unit) -> usize {
        // SAFETY: `tails` has `BEFORE` elements before the first.
        let (mut heads, mut tails) = unsafe {
            if F::SPLITS {
                (
                    self.heads.as_ptr().cast::<u16>(),
                    self.tails.as_ptr().cast::<u16>().add(BEFORE),
                )
            } else {
                let code_points: *const u16 = self.code_points.as_ptr().cast();
                (code_points, code_points)
            }
        };
        let mut written = 0;
        let mut start = 0;
        for i in 0..end.div_ceil(64).min(BLOCKS) {
            let limit = _bzhi_u64(u64::MAX, (end - start).min(64) as u32);
            let block = Block {
                bytes: load_from(src, start),
                leads: self.leads[i] & limit,
                trails: self.trails[i] & limit,
                limit,
                sparse: self.sparse,
                quads: !self.quads.is_empty(),
            };
            // The registers that a block stores reach past what it writes. The blocks behind it write over that, as
            // each but the last writes half a register at least; the last two store no more than they write.
            const { assert!(F::STORED <= 3 * F::MOST) };
            // Characters of four bytes may leave a quarter, 16 units of UTF-16 or 32 bytes, for three quarters of a
            // register that are stored too much: that takes one block more.
            let exact = if block.quads { 192 } else { 128 };
            let whole = start + exact < end;
            // SAFETY: the caller's feature set; `to` has room for MOST units a block, and this is block `i`: with two
            // more blocks behind it there is room for STORED. `heads` and `tails` are at most `pairs` behind the first,
            // with 32 initialised elements behind and, for `tails`, one before.
            unsafe {
                let to = to.add(written);
                written += if whole {
                    F::write::<true>(&block, heads, tails, to)
                } else {
                    F::write::<false>(&block, heads, tails, to)
                };
                let pairs = block.leads.count_ones() as usize;
                heads = heads.add(pairs);
                tails = tails.add(pairs);
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
