//! AVX2: three passes over a batch of up to 16 blocks of 64 bytes, as with AVX-512, where what a compress or an expand
//! would do, a shuffle does by a table, for eight bytes of input at a time.
//!
//! 1. Masks of leads and trails; leads with their trails are picked out, and pairs become positions in the index.
//! 2. The positions are looked up. For UTF-8, code points then become a *stream* of two lanes of 16 bits each: the
//!    first two bytes, and the third or zero.
//! 3. A step merges eight places of input and the stream: the shape of the step (see [`steps`]) names two shuffles. For
//!    UTF-8 that takes every character of the stream to have three bytes; blocks that have others are *ragged*: they
//!    are merged in lanes of 16 bits, of which the bytes that are there are kept.
//!
//! But for ragged blocks no pass has a branch that the text decides. The end of the input is left to the portable loop,
//! so that whole registers may be loaded.
//!
//! Times encoding_rs 0.8.44 with AVX2, on megabytes of plain text / markup: to UTF-8 Shift_JIS 5.2 / 2.8, Big5 4.2 /
//! 3.9, EUC-KR 3.8 / 3.5, GBK 2.9 / 1.8, gb18030 with a character in thirty of four bytes 2.3 / 1.6; to UTF-16 about as
//! much. Measured and slower: skipping blocks of ASCII, by a sixth in markup. Measured and left out: the same code with
//! SSSE3, nine tenths as fast, for it would be as large again.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::arrays::after;
use super::super::bits::place_of;
use super::super::out::Out;
use super::super::token::Avx2;
use super::grid::{Grid, with_grid};
use super::quads::Quads;
use super::{Pairs, SHORT, split};

mod forms;
mod look_up;
mod masks;
mod steps;

pub(super) use forms::{Utf8, Utf16};
use masks::{in_ranges, top_bits};
use steps::Shape;

/// Blocks in a batch.
const BLOCKS: usize = 16;
/// Pairs in a batch: at most 32 a block and one, and room to load and store whole registers.
const PAIRS: usize = BLOCKS * 32 + 24;
/// Bytes behind a block that may be loaded with it.
const BEHIND: usize = 8;
/// Units behind a block that are stored with it, at most.
const SURPLUS: usize = 16;

/// UTF-8 or UTF-16, for the last pass.
pub(super) trait Form {
    type Unit: Copy;
    /// Most units that one block can become.
    const MOST: usize;
    /// Whether single bytes may be half-width katakana.
    const KATAKANA: bool;
    /// Whether code points are made a stream of bytes.
    const SPLITS: bool;

    /// Writes the ASCII prefix of `src` that fits; returns its length.
    fn ascii(src: &[u8], out: &mut Out<'_, Self::Unit>) -> usize;

    /// Writes one character of four bytes in the places of the two code points at `first`.
    fn put_quad(batch: &mut Batch, first: usize, scalar: u32);

    /// Writes a block whose characters begin with the element `first` of the batch; returns how many units that is.
    ///
    /// # Safety
    /// The processor has AVX2; 64 bytes at `src` are readable, `MOST + SURPLUS` units at `to` writable. From `first` on
    /// the batch has a character for each lead, and one before if `carry` is 1.
    unsafe fn write_block(
        batch: &Batch,
        block: Block,
        katakana: bool,
        src: *const u8,
        to: *mut Self::Unit,
    ) -> usize;
}

/// What the last pass knows of a block.
#[derive(Clone, Copy)]
pub(super) struct Block {
    leads: u64,
    /// 1 if the first byte is a trail.
    carry: u64,
    /// The number in the batch of the first lead's pair.
    first: usize,
}

/// A batch between its passes.
pub(super) struct Batch {
    leads: [u64; BLOCKS],
    /// Trails that are digits, where there are characters of four bytes.
    digits: [u64; BLOCKS],
    /// Leads, and trails in the upper bytes; then positions.
    positions: MaybeUninit<[u16; PAIRS]>,
    code_points: MaybeUninit<[u16; PAIRS]>,
    stream: MaybeUninit<[[u16; 2]; PAIRS]>,
    /// A bit for each pair that is ragged.
    ragged: [u8; PAIRS / 8 + 8],
    pairs: usize,
    quads: Quads,
}

impl Batch {
    /// Whether a block has a character that is ragged.
    #[inline(always)]
    fn is_ragged(&self, first: usize, leads: u64, carry: u64) -> bool {
        let carry = carry as usize;
        let from = first - carry;
        let bytes = self.ragged[from / 8..].first_chunk::<8>();
        let bits = bytes.map_or(0, |&bytes| u64::from_le_bytes(bytes)) >> (from % 8);
        // 33 at most.
        let count = leads.count_ones() as usize + carry;
        bits & ((1 << count) - 1) != 0
    }

    /// Says that two pairs are ragged.
    fn make_ragged(&mut self, first: usize) {
        for pair in [first, first + 1] {
            self.ragged[pair / 8] |= 1 << (pair % 8);
        }
    }

    /// Replaces two characters of the stream.
    fn put_in_stream(&mut self, first: usize, characters: [[u16; 2]; 2]) {
        assert!(first + 2 <= PAIRS);
        // SAFETY: within `stream`, as asserted.
        unsafe {
            let stream = self.stream.as_mut_ptr().cast::<[u16; 2]>().add(first);
            stream.cast::<[[u16; 2]; 2]>().write(characters);
        }
    }

    /// Replaces two code points.
    fn put_code_points(&mut self, first: usize, units: [u16; 2]) {
        assert!(first + 2 <= PAIRS);
        // SAFETY: within `code_points`, as asserted.
        unsafe {
            let code_points = self.code_points.as_mut_ptr().cast::<u16>().add(first);
            code_points.cast::<[u16; 2]>().write_unaligned(units);
        }
    }
}

/// How far a batch goes.
#[derive(Clone, Copy)]
struct End {
    /// Bytes that are whole characters.
    at: usize,
    /// Whether something follows that the kernel does not know.
    stops: bool,
}

/// Decodes a prefix of `src`; returns its length.
#[inline(always)]
pub(super) fn decode<F: Form>(
    token: Avx2,
    pairs: &Pairs,
    src: &[u8],
    out: &mut Out<'_, F::Unit>,
) -> usize {
    let _ = token;
    // SAFETY: holding `Avx2` proves detection succeeded.
    unsafe { decode_featured::<F>(pairs, src, out) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn decode_featured<F: Form>(pairs: &Pairs, src: &[u8], out: &mut Out<'_, F::Unit>) -> usize {
    type FindPairs = unsafe fn(&mut Batch, &Pairs, &[u8], usize) -> End;
    let find_pairs: FindPairs = with_grid!(pairs, G => Batch::find_pairs::<G, F>);
    let mut batch = Batch::new();
    let mut read = 0;
    // The first batch is small: the text behind it may be malformed, and then the work on it is in vain.
    let mut most = 2;
    loop {
        let mut rest = after(src, read);
        // SAFETY: 64 bytes are readable.
        if rest.len() >= 64 && unsafe { top_bits(rest.as_ptr()) } == 0 {
            read += F::ascii(rest, out);
            rest = after(src, read);
        }
        let blocks = rest.len().saturating_sub(BEHIND) / 64;
        let blocks = blocks.min(most).min(out.room() / F::MOST);
        if blocks == 0 {
            return read;
        }
        // SAFETY: this function has the features.
        let end = unsafe { find_pairs(&mut batch, pairs, &rest[..64 * blocks + BEHIND], blocks) };
        if read == 0 && end.at < SHORT {
            return 0;
        }
        let end = batch.look_up::<F>(pairs, rest, end);
        // SAFETY: there is room for `MOST` units of each block, the batch is of `rest`, and `write` initialises as many
        // units as it returns.
        unsafe {
            let to = out.spare_ptr();
            let written = batch.write::<F>(pairs.layout.katakana, rest, end.at, to);
            out.advance(written);
        }
        read += end.at;
        if end.stops {
            return read;
        }
        // Where pairs are rare, runs of ASCII are near.
        most = match batch.pairs < blocks {
            true => 1,
            false => (most * 4).min(BLOCKS),
        };
    }
}

impl Batch {
    #[inline(always)]
    fn new() -> Self {
        Self {
            leads: [0; BLOCKS],
            digits: [0; BLOCKS],
            positions: MaybeUninit::uninit(),
            code_points: MaybeUninit::uninit(),
            stream: MaybeUninit::uninit(),
            ragged: [0; PAIRS / 8 + 8],
            pairs: 0,
            quads: Quads::new(),
        }
    }

    /// First pass: [`find_pairs_featured`](Self::find_pairs_featured) and positions; never inlined, as its registers would
    /// be spilled.
    ///
    /// # Safety
    /// The processor has [`Avx2`]'s instruction sets.
    #[inline(never)]
    unsafe fn find_pairs<G: Grid, F: Form>(
        &mut self,
        pairs: &Pairs,
        src: &[u8],
        blocks: usize,
    ) -> End {
        // SAFETY: the contract of this function.
        unsafe {
            let end = self.find_pairs_featured::<G, F>(pairs, src, blocks);
            self.find_positions::<G>(pairs, end)
        }
    }

    /// First pass: fills `leads`, and `positions` with pairs as they stand in `src`, which has `BEHIND` bytes beyond
    /// the blocks.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn find_pairs_featured<G: Grid, F: Form>(
        &mut self,
        pairs: &Pairs,
        src: &[u8],
        blocks: usize,
    ) -> End {
        let layout = &pairs.layout;
        assert!(blocks <= BLOCKS && src.len() >= 64 * blocks + BEHIND);
        self.pairs = 0;
        self.quads.clear();
        let (mut stop, mut seen) = (None, blocks);
        let mut any_digits = 0;
        let mut carry = 0;
        for i in 0..blocks {
            // SAFETY: 64 bytes and `BEHIND` more from here on are within `src`, as asserted.
            let (block, high) = unsafe {
                let block = src.as_ptr().add(64 * i);
                (block, top_bits(block))
            };
            /// The mask of the block's bytes in some ranges: a closure would not be compiled for the instruction set.
            macro_rules! within {
                ($ranges:expr, two: $two:expr) => {
                    // SAFETY: as above.
                    unsafe { in_ranges(block, $ranges, $two) }
                };
            }
            let (leads, trails) = split(
                within!(layout.leads, two: G::TWO_RANGES_OF_LEADS),
                &mut carry,
            );
            let mut strange = high & !(leads | trails);
            if F::KATAKANA && G::KATAKANA {
                strange &= !within!([(0xA1, 0xDF); 2], two: false);
            }
            if G::SOME_PLAIN {
                strange |= leads & !within!(layout.plain, two: true);
            }
            let mut wrong_trails = trails & !within!(layout.trails, two: G::TWO_RANGES_OF_TRAILS);
            if G::FOUR_BYTES {
                let digits = wrong_trails & within!([(0x30, 0x39); 2], two: false);
                wrong_trails &= !digits;
                self.digits[i] = digits;
                any_digits |= digits;
            }
            self.leads[i] = leads;
            // SAFETY: 16 bytes from the start of each step are within the block and `BEHIND`. Before block `i` there
            // are at most 32 * i + 1 pairs: with those before this step, and four more that are stored, PAIRS is not
            // exceeded.
            unsafe {
                let positions: *mut u16 = self.positions.as_mut_ptr().cast();
                let mut pairs = self.pairs;
                for step in 0..8 {
                    let shape = Shape::of(leads >> (8 * step) << 1 & 0x1FE);
                    let bytes = _mm_loadu_si128(block.add(8 * step).cast());
                    let places = _mm_loadl_epi64(shape.pairs().as_ptr().cast());
                    let found = _mm_shuffle_epi8(bytes, places);
                    _mm_storel_epi64(positions.add(pairs).cast(), found);
                    pairs += shape.leads();
                }
                self.pairs = pairs;
            }
            if strange | wrong_trails != 0 {
                let strange = strange.trailing_zeros() as usize;
                // A wrong trail's lead is before it.
                let wrong_trail = (wrong_trails.trailing_zeros() as usize + 64 * i).wrapping_sub(1);
                stop = Some((64 * i + strange).min(wrong_trail));
                carry = 0;
                seen = i + 1;
                break;
            }
        }
        let mut at = 64 * blocks;
        if carry == 1 {
            // The last lead's trail is behind the batch: the next one begins with it.
            self.leads[blocks - 1] &= u64::MAX >> 1;
            self.pairs -= 1;
            at -= 1;
        }
        if G::FOUR_BYTES && any_digits != 0 {
            let wrong = self.quads.find(&self.leads[..seen], &self.digits[..seen]);
            stop = wrong.map_or(stop, |wrong| Some(wrong.min(stop.unwrap_or(wrong))));
        }
        if let Some(at) = stop {
            return self.stop(at);
        }
        if let Some(first) = self.quads.pending() {
            let mut end = self.stop(first);
            end.stops = first + 4 <= 64 * blocks;
            return end;
        }
        End { at, stops: false }
    }

    /// Ends the batch at `at`, or before the character of four bytes that is not complete there.
    #[cold]
    fn stop(&mut self, at: usize) -> End {
        let at = at.min(self.quads.pending().unwrap_or(at));
        // Nothing looks at the blocks behind.
        let (before, rest) = self.leads.split_at_mut((at / 64).min(BLOCKS));
        self.pairs = before.iter().map(|l| l.count_ones() as usize).sum();
        if let Some(leads) = rest.first_mut() {
            *leads &= (1 << (at % 64)) - 1;
            self.pairs += leads.count_ones() as usize;
        }
        self.quads.truncate(self.pairs);
        End { at, stops: true }
    }

    /// Ends the batch before a pair.
    #[cold]
    fn stop_before(&mut self, pair: usize) -> End {
        let at = place_of(pair, &self.leads).map_or(0, |(block, at)| 64 * block + at);
        self.stop(at)
    }

    /// Last pass: writes the first `end` bytes of `src`, which end a character; returns how many units that is.
    ///
    /// # Safety
    /// There is room for `MOST` units of each block at `to`; the blocks are within `src`, and the batch is of it.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    unsafe fn write<F: Form>(
        &self,
        katakana: bool,
        src: &[u8],
        end: usize,
        to: *mut F::Unit,
    ) -> usize {
        // The last two blocks are written beside the output, for more is stored than counts; where other blocks store
        // too much, what follows covers it: a whole block has more units than SURPLUS but in the case of four bytes a
        // character, and then it stores less.
        const BESIDE: usize = 2;
        let mut beside = MaybeUninit::<[[F::Unit; 96]; BESIDE + 1]>::uninit();
        const { assert!(F::MOST <= 96 && SURPLUS <= 96) };
        let beside: *mut F::Unit = beside.as_mut_ptr().cast();
        let blocks = end.div_ceil(64).min(BLOCKS);
        let direct = blocks.saturating_sub(BESIDE);
        let (mut carry, mut first) = (0, 0);
        let (mut before, mut start, mut written) = (0, to, 0);
        for i in 0..blocks {
            if i == direct {
                (before, start, written) = (written, beside, 0);
            }
            let leads = self.leads[i];
            // SAFETY: the contract of this function. With two more blocks behind it there is room for `MOST + SURPLUS`
            // units, and so there is in `beside`.
            written += unsafe {
                let (src, to) = (src.as_ptr().add(64 * i), start.add(written));
                let block = Block {
                    leads,
                    carry,
                    first,
                };
                F::write_block(self, block, katakana, src, to)
            };
            first += leads.count_ones() as usize;
            carry = leads >> 63;
        }
        // Every byte behind the end was written as one unit.
        written -= 64 * blocks - end;
        // SAFETY: `written` units beside are initialised, and fit behind those `before`.
        unsafe { to.add(before).copy_from_nonoverlapping(beside, written) };
        before + written
    }
}

/// Eight times the same.
#[inline(always)]
fn set(value: u16) -> __m128i {
    // SAFETY: x86-64 has SSE2.
    unsafe { _mm_set1_epi16(value as i16) }
}
