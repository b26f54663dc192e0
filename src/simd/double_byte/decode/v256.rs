//! AVX2 and NEON: three passes over a batch of up to 32 blocks of 64 bytes. This is the algorithm for AVX-512, except
//! that table-driven shuffles of eight input bytes replace compress and expand.
//!
//! 1. Find the leads of each block, and list the steps (eight bytes each) that are not ASCII. Gather the pairs of the
//!    listed steps and turn them into positions in the index.
//! 2. Look up the positions. For UTF-8, turn each code point into two 16-bit lanes of a *stream*: its first two bytes,
//!    and its third byte or zero.
//! 3. Merge eight input bytes and the stream: the [`Shape`] of the step selects two shuffles. For UTF-8
//!    these assume three bytes for each character of the stream. Blocks with other lengths are *variable-length*: they
//!    are merged in 16-bit lanes, of which the valid bytes are kept.
//!
//! Except for variable-length blocks, no pass has a data-dependent branch: the list of steps skips ASCII without
//! mispredictions. The end of the input is left to the portable loop, so that whole registers may be loaded.
//!
//! Speed relative to encoding_rs 0.8.44, with AVX2, on megabytes of plain text / markup: to UTF-8, Shift_JIS 5.2 / 3.5,
//! Big5 4.2 / 3.9, EUC-KR 3.8 / 3.5, GBK 3.0 / 2.4; to UTF-16 about the same. Skipping blocks of ASCII makes markup
//! slower by a sixth, and batches half as long make it slower by a tenth. The same code with SSSE3 has 90 % of the
//! speed. It was omitted, because it would double the code size.

use super::{DoubleByteDecode, Grid, Layout, Range, leads_before, split, with_grid};
use crate::simd::arrays::tail;
use crate::simd::ascii::{copy_ascii, widen_ascii};
use crate::simd::double_byte::{Form, Utf8, Utf16, place_of};
use crate::simd::out::Out;
use crate::simd::shuffles::{BYTES, list_steps};
use crate::simd::vector::{Bytes, Half, LEN, Token, V128, V256};
use crate::simd::{prefetch, tuning};
use core::mem::MaybeUninit;

/// The number of blocks in a batch.
const BLOCKS: usize = 32;
/// Capacity for pairs: at most 32 per block and one, with padding for whole registers.
const PAIRS: usize = BLOCKS * 32 + 24;
/// The number of bytes after a block that are loaded with it.
const READ_PADDING: usize = 8;
/// The maximum number of units after a block that are stored with it.
const WRITE_PADDING: usize = 16;

/// An output form of the last pass.
///
/// # Safety
/// Each method initialises the units that it reports as written, and stays inside the bounds given by its constants.
pub(super) unsafe trait Output: Form {
    /// The maximum number of units that one block becomes.
    const YIELD: usize;
    /// True if single bytes may be half-width katakana.
    const KATAKANA: bool;
    /// True if the second pass splits code points into the two lanes of the stream.
    const SPLITS: bool;

    /// Writes the ASCII prefix of `src` that fits and returns its length.
    fn ascii(src: &[u8], out: &mut Out<'_, Self::Unit>) -> usize;

    /// Writes a block and returns the number of units. The character of the block's first lead is element `block.first`
    /// of the batch.
    ///
    /// # Safety
    /// 64 bytes at `src` are readable, and `YIELD + WRITE_PADDING` units at `to` are writable. From `first` on, the
    /// batch has a character for each lead, and one before those if `carry` is 1.
    unsafe fn write_block(
        v: Token,
        batch: &Batch,
        block: Block,
        katakana: bool,
        src: *const u8,
        to: *mut Self::Unit,
    ) -> usize;
}

/// The description of a block for the last pass.
#[derive(Clone, Copy)]
pub(super) struct Block {
    leads: u64,
    /// 1 if the first byte is a trail.
    carry: u64,
    /// The index that the pair of the first lead has in the batch.
    first: usize,
}

/// The state of a batch between its passes.
pub(super) struct Batch {
    /// Masks of leads.
    leads: [u64; BLOCKS],
    /// The numbers of the eight-byte steps that are not ASCII, and of the first step of each block.
    steps: MaybeUninit<[u8; 8 * BLOCKS + 8]>,
    /// Pairs with the lead in the low byte; later their positions in the index.
    positions: MaybeUninit<[u16; PAIRS]>,
    code_points: MaybeUninit<[u16; PAIRS]>,
    stream: MaybeUninit<[[u16; 2]; PAIRS]>,
    /// One bit per pair, set if the character does not have three bytes.
    variable_length: MaybeUninit<[u8; PAIRS / 8 + 8]>,
    pairs: usize,
}

impl Batch {
    /// True if a character of the block does not have three bytes.
    #[inline(always)]
    fn is_variable_length(&self, first: usize, leads: u64, carry: u64) -> bool {
        let carry = carry as usize;
        let from = first - carry;
        assert!(from <= self.pairs);
        // SAFETY: `from <= pairs`, asserted above; bits are initialised for all pairs and eight bytes after.
        let bits = unsafe {
            let bytes = self.variable_length.as_ptr().cast::<u8>().add(from / 8);
            u64::from_le_bytes(bytes.cast::<[u8; 8]>().read()) >> (from % 8)
        };
        // At most 33: a lead for every two bytes, and the carried lead.
        let count = leads.count_ones() as usize + carry;
        bits & ((1 << count) - 1) != 0
    }
}

/// The end of a batch.
#[derive(Clone, Copy)]
struct End {
    /// The end of the batch: the number of bytes that form whole characters.
    at: usize,
    /// True if the batch ended because unsupported input follows.
    stops: bool,
}

/// Decodes a prefix of `src` and returns its length.
#[cfg_attr(avx2, target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
pub(super) fn decode<F: Output>(
    v: Token,
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, F::Unit>,
) -> usize {
    type FindPairs = unsafe fn(&mut Batch, Token, &DoubleByteDecode, &[u8], usize) -> End;
    let find_pairs: FindPairs = with_grid!(pairs, G => Batch::find_pairs::<G, F>);
    let mut place = MaybeUninit::uninit();
    let batch = Batch::new(&mut place);
    let mut read = 0;
    // The first batch is small: work on it is lost if malformed input follows soon.
    let mut most = 2;
    loop {
        let mut rest = tail(src, read);
        if let Some(block) = rest.first_chunk()
            && v.top_bits_of_block(block) == 0
        {
            read += F::ascii(rest, out);
            rest = tail(src, read);
        }
        let blocks = rest.len().saturating_sub(READ_PADDING) / 64;
        let blocks = blocks.min(most).min(out.room() / F::YIELD);
        if blocks == 0 {
            return read;
        }
        // SAFETY: the callee's target features are among those of this function, so the processor has them.
        let end =
            unsafe { find_pairs(batch, v, pairs, &rest[..64 * blocks + READ_PADDING], blocks) };
        if read == 0 && end.at < tuning::PORTABLE_UP_TO {
            return 0;
        }
        let end = batch.look_up::<F>(v, pairs, end);
        // SAFETY: `blocks * YIELD <= out.room()`; the batch was made from `rest`; `write` initialises the units that it
        // reports.
        unsafe {
            let to = out.spare_ptr();
            let ahead = tuning::PREFETCH_BATCH.min(out.room());
            let written = batch.write::<F>(v, pairs.layout.katakana, rest, end.at, to, ahead);
            out.advance(written);
        }
        read += end.at;
        if end.stops {
            return read;
        }
        // If pairs are rare, a long run of ASCII probably follows soon.
        most = match batch.pairs < blocks {
            true => 1,
            false => (most * 4).min(BLOCKS),
        };
    }
}

impl Batch {
    /// Initialises a batch in place. It is large, and returning it by value would copy or zero it.
    #[inline(always)]
    fn new(place: &mut MaybeUninit<Self>) -> &mut Self {
        let batch = place.as_mut_ptr();
        // SAFETY: all fields are inside the batch. Fields whose type has invalid values are written; the others are
        // `MaybeUninit`.
        unsafe {
            (&raw mut (*batch).leads).write([0; BLOCKS]);
            (&raw mut (*batch).pairs).write(0);
            place.assume_init_mut()
        }
    }

    /// Last pass: writes the characters of the first `end` bytes of `src`. Returns the number of units.
    ///
    /// # Safety
    /// `YIELD` units for each block are writable at `to`. The blocks lie in `src`, and the batch was made from them.
    #[inline(never)]
    #[cfg_attr(avx2, target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
    unsafe fn write<F: Output>(
        &self,
        v: Token,
        katakana: bool,
        src: &[u8],
        end: usize,
        to: *mut F::Unit,
        ahead: usize,
    ) -> usize {
        // The last two blocks go to scratch memory, because their stores overshoot. The overshoot of other blocks is
        // overwritten by the next block, which has more than `WRITE_PADDING` units.
        const SCRATCH: usize = 2;
        let mut scratch = MaybeUninit::<[[F::Unit; 96]; SCRATCH + 1]>::uninit();
        const { assert!(F::YIELD <= 96 && WRITE_PADDING <= 96) };
        let scratch: *mut F::Unit = scratch.as_mut_ptr().cast();
        let blocks = end.div_ceil(64).min(BLOCKS);
        let direct = blocks.saturating_sub(SCRATCH);
        let (mut before, mut start) = (0, to);
        let mut written = 0;
        let mut first = 0;
        let mut carry = 0;
        for i in 0..blocks {
            if i == direct {
                (before, start, written) = (written, scratch, 0);
            }
            let leads = self.leads[i];
            // SAFETY: `YIELD` units for each block are writable, by `# Safety`. A direct block has two more blocks after
            // it, so `YIELD + WRITE_PADDING` units are writable. `scratch` has the same room: 96 units for each of its
            // two blocks and 96 more.
            written += unsafe {
                let (src, to) = (src.as_ptr().add(64 * i), start.add(written));
                prefetch::to_write::<2, _>(to.wrapping_add(ahead));
                let block = Block {
                    leads,
                    carry,
                    first,
                };
                F::write_block(v, self, block, katakana, src, to)
            };
            first += leads.count_ones() as usize;
            carry = leads >> 63;
        }
        // The kernel wrote each byte after the end as one unit.
        written -= 64 * blocks - end;
        // SAFETY: `written` units of `scratch` are initialised, and `before + written` is at most `YIELD` for each
        // block.
        unsafe { to.add(before).copy_from_nonoverlapping(scratch, written) };
        before + written
    }
}

// Tables for a step of the shuffle kernel: eight bytes, each a lead, a trail or another byte.
//
// A trail follows each lead and nothing else. The positions of the leads and the class of the
// first byte thus give the shape of a step: nine bits without two adjacent ones. That leaves 89
// shapes. Their tables and the index fit into the L1 cache.

/// The number of shapes of eight bytes.
const SHAPES: usize = 89;

/// The shuffle indices of a merge: into the stream of characters and into the input. Values from 0x80 on give zero.
#[repr(C)]
#[derive(Clone, Copy)]
struct Merge {
    pub stream: [u8; 16],
    pub input: [u8; 16],
}

const NOWHERE: u8 = 0x80;

/// True if nine bits are a shape. Bit 0 is set if the first byte is a trail, bit `i + 1` if byte `i` is a lead.
const fn is_shape(bits: usize) -> bool {
    bits & bits >> 1 == 0
}

/// The index of each shape by its bits; 0 for bits that are no shape.
const NUMBERS_VALUE: [u8; 512] = {
    let mut numbers = [0; 512];
    let (mut bits, mut n) = (0, 0);
    while bits < 512 {
        if is_shape(bits) {
            numbers[bits] = n;
            n += 1;
        }
        bits += 1;
    }
    assert!(n as usize == SHAPES);
    numbers
};
static NUMBERS: [u8; 512] = NUMBERS_VALUE;

/// The bits of each shape, by its index.
const BITS: [usize; SHAPES] = {
    let mut all = [0; SHAPES];
    let (mut bits, mut n) = (0, 0);
    while bits < 512 {
        if is_shape(bits) {
            all[n] = bits;
            n += 1;
        }
        bits += 1;
    }
    all
};

/// The number of leads of each shape.
static LEADS: [u8; SHAPES] = {
    let mut all = [0; SHAPES];
    let mut n = 0;
    while n < SHAPES {
        all[n] = (BITS[n] >> 1).count_ones() as u8;
        n += 1;
    }
    all
};

/// The positions of each lead and of the byte after it.
static PAIR_SHUFFLES: [[u8; 8]; SHAPES] = {
    let mut all = [[NOWHERE; 8]; SHAPES];
    let mut n = 0;
    while n < SHAPES {
        let (mut i, mut to) = (0, 0);
        while i < 8 {
            if BITS[n] >> (i + 1) & 1 == 1 {
                all[n][to] = i as u8;
                all[n][to + 1] = i as u8 + 1;
                to += 2;
            }
            i += 1;
        }
        n += 1;
    }
    all
};

/// The output layout of a merge.
#[derive(Clone, Copy)]
enum MergeTarget {
    /// A lead becomes two bytes of the stream, a trail one of the next two; any other byte stays.
    Utf8,
    /// A lead becomes two bytes of the stream; a trail becomes nothing; any other byte is followed by zero.
    Utf16,
    /// A lead and a trail become two bytes of the stream each; any other byte is followed by zero.
    Lanes,
}

const fn merges(output: MergeTarget) -> [Merge; SHAPES] {
    let mut all = [Merge {
        stream: [NOWHERE; 16],
        input: [NOWHERE; 16],
    }; SHAPES];
    let mut n = 0;
    while n < SHAPES {
        let bits = BITS[n];
        let Merge { stream, input } = &mut all[n];
        let (mut i, mut to, mut from) = (0, 0, 0);
        while i < 8 {
            let is_lead = bits >> (i + 1) & 1 == 1;
            let is_trail = bits >> i & 1 == 1;
            match (output, is_lead, is_trail) {
                (MergeTarget::Utf16, false, true) => {}
                (MergeTarget::Utf8, false, true) => {
                    stream[to] = from;
                    (to, from) = (to + 1, from + 2);
                }
                (_, true, _) | (MergeTarget::Lanes, _, true) => {
                    stream[to] = from;
                    stream[to + 1] = from + 1;
                    (to, from) = (to + 2, from + 2);
                }
                _ => {
                    input[to] = i as u8;
                    to += if matches!(output, MergeTarget::Utf8) {
                        1
                    } else {
                        2
                    };
                }
            }
            i += 1;
        }
        n += 1;
    }
    all
}

static UTF_8: [Merge; SHAPES] = merges(MergeTarget::Utf8);
static UTF_16: [Merge; SHAPES] = merges(MergeTarget::Utf16);
static LANES: [Merge; SHAPES] = merges(MergeTarget::Lanes);

/// The lanes of [`LANES`] that are neither lead nor trail, with one bit for their low bytes.
static SINGLE_BYTES: [u16; SHAPES] = {
    let mut all = [0; SHAPES];
    let mut n = 0;
    while n < SHAPES {
        let mut i = 0;
        while i < 8 {
            if BITS[n] >> i & 3 == 0 {
                all[n] |= 1 << (2 * i);
            }
            i += 1;
        }
        n += 1;
    }
    all
};

/// A shape, as an index into the tables.
#[derive(Clone, Copy)]
struct Shape(usize);

impl Shape {
    /// Returns the shape with the low nine bits of `bits`: the first is set if the first byte is a trail, the others
    /// mark leads.
    #[inline(always)]
    pub fn of(bits: u64) -> Self {
        Self(usize::from(NUMBERS[(bits & 0x1FF) as usize]))
    }

    /// Returns the number of leads.
    #[inline(always)]
    pub fn leads(self) -> usize {
        self.get(&LEADS).into()
    }

    #[inline(always)]
    pub fn pairs(self) -> &'static [u8; 8] {
        self.entry(&PAIR_SHUFFLES)
    }

    #[inline(always)]
    pub fn utf_8(self) -> &'static Merge {
        self.entry(&UTF_8)
    }

    #[inline(always)]
    pub fn utf_16(self) -> &'static Merge {
        self.entry(&UTF_16)
    }

    #[inline(always)]
    pub fn lanes(self) -> &'static Merge {
        self.entry(&LANES)
    }

    #[inline(always)]
    pub fn single_bytes(self) -> u32 {
        self.get(&SINGLE_BYTES).into()
    }

    #[inline(always)]
    fn get<T: Copy>(self, table: &'static [T; SHAPES]) -> T {
        *self.entry(table)
    }

    #[inline(always)]
    fn entry<T>(self, table: &'static [T; SHAPES]) -> &'static T {
        const {
            let mut bits = 0;
            while bits < 512 {
                assert!((NUMBERS_VALUE[bits] as usize) < SHAPES);
                bits += 1;
            }
        }
        // SAFETY: all of `NUMBERS` is below `SHAPES`, asserted above, and a `Shape` holds such a number.
        unsafe { table.get_unchecked(self.0) }
    }
}

/// Returns the shuffle that keeps byte `i` if bit `i` of `bits` is set, for `i` below 8, and the number of kept bytes.
#[inline(always)]
fn kept(bits: u32) -> (&'static [u8; 8], usize) {
    let bits = (bits & 0xFF) as u8;
    (&BYTES[usize::from(bits)], bits.count_ones() as usize)
}

// Masks over blocks of 64 bytes.

/// Returns a mask of the bytes that are in range `a`, or also in `b` if `two`.
///
/// # Safety
/// 64 bytes at `from` are readable.
#[inline(always)]
unsafe fn in_ranges(v: Token, from: *const u8, [a, b]: [Range; 2], two: bool) -> u64 {
    // SAFETY: by `# Safety`, 64 bytes at `from` are readable.
    let [low, high] = unsafe { v.load_two(from) };
    // A function, not a closure: the compiler may outline a closure without the target feature.
    let mut within = [in_range(v, low, a), in_range(v, high, a)];
    if two {
        let [low, high] = [in_range(v, low, b), in_range(v, high, b)];
        within = [v.or(within[0], low), v.or(within[1], high)];
    }
    v.top_bits_of_two(within)
}

#[inline(always)]
fn in_range(v: Token, bytes: Bytes, (first, last): Range) -> Bytes {
    v.at_least(v.splat(last - first), v.subtract(bytes, v.splat(first)))
}

// The first pass: leads, non-ASCII steps, and pairs.

impl Batch {
    /// First pass: finds pairs and computes their positions. Never inlined, because its registers would be spilled in
    /// the caller.
    #[inline(never)]
    #[cfg_attr(avx2, target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
    fn find_pairs<G: Grid, F: Output>(
        &mut self,
        v: Token,
        pairs: &DoubleByteDecode,
        src: &[u8],
        blocks: usize,
    ) -> End {
        let end = self.list_pairs::<G, F>(v, pairs, src, blocks);
        self.find_positions::<G>(v, pairs, end)
    }

    /// Fills `leads`, `steps`, and `positions` with the bytes of pairs. `src` has `READ_PADDING` bytes after the
    /// blocks.
    #[inline(always)]
    fn list_pairs<G: Grid, F: Output>(
        &mut self,
        v: Token,
        pairs: &DoubleByteDecode,
        src: &[u8],
        blocks: usize,
    ) -> End {
        let layout = &pairs.layout;
        assert!(blocks <= BLOCKS && src.len() >= 64 * blocks + READ_PADDING);
        let list: *mut u8 = self.steps.as_mut_ptr().cast();
        let mut listed = 0;
        let (mut stop, mut carry) = (None, 0);
        for i in 0..blocks {
            // SAFETY: `64 * i + 64 <= src.len()`, asserted above.
            let (block, high) = unsafe {
                let block = src.as_ptr().add(64 * i);
                prefetch::to_read::<1, _>(block.wrapping_add(tuning::PREFETCH_BATCH));
                (block, v.top_bits_of_two(v.load_two(block)))
            };
            // SAFETY: 64 bytes at `block` are in `src`: `64 * i + 64 <= src.len()`.
            let candidates = unsafe { in_ranges(v, block, layout.leads, G::TWO_RANGES_OF_LEADS) };
            let (leads, trails) = split(candidates, &mut carry);
            self.leads[i] = leads;
            let mut strange = high & !(leads | trails);
            if F::KATAKANA && G::KATAKANA {
                // SAFETY: 64 bytes at `block` are in `src`: `64 * i + 64 <= src.len()`.
                strange &= !unsafe { in_ranges(v, block, [(0xA1, 0xDF); 2], false) };
            }
            // SAFETY: at most `8 * i` steps precede block `i < BLOCKS`, and the list has room for `8 * BLOCKS + 8`.
            unsafe { listed += list_steps(list.add(listed), i, high | trails) };
            if strange != 0 {
                stop = Some(64 * i + strange.trailing_zeros() as usize);
                carry = 0;
                break;
            }
        }
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let mut found = 0;
        for k in 0..listed {
            // SAFETY: `k < listed`, and each listed step belongs to a processed block. The load of 16 bytes ends at
            // most `READ_PADDING` bytes after the blocks. `found` is at most `32 * BLOCKS + 1`, so the four stored
            // pairs are within `PAIRS`.
            unsafe {
                let step = usize::from(*list.add(k));
                let shape = Shape::of(u64::from(bytemuck::bytes_of(&self.leads)[step]) << 1);
                let bytes = v.load_half(src.as_ptr().add(8 * step));
                let places = v.load_eight(shape.pairs().as_ptr());
                let pairs = v.shuffle_half(bytes, places);
                v.store_eight(pairs, positions.add(found).cast());
                found += shape.leads();
            }
        }
        self.pairs = found;
        let mut at = 64 * blocks;
        if carry == 1 {
            // The trail of the last lead is after the batch, so the next batch begins with that lead.
            self.leads[blocks - 1] &= u64::MAX >> 1;
            self.pairs -= 1;
            at -= 1;
        }
        match stop {
            Some(at) => self.stop(at),
            None => End { at, stops: false },
        }
    }

    /// Ends the batch at `at`.
    #[cold]
    fn stop(&mut self, at: usize) -> End {
        self.pairs = leads_before(&self.leads, at);
        // Masks of later blocks are not read again.
        if let Some(leads) = self.leads.get_mut(at / 64) {
            *leads &= (1 << (at % 64)) - 1;
        }
        End { at, stops: true }
    }

    /// Ends the batch before a pair.
    #[cold]
    fn stop_before(&mut self, pair: usize) -> End {
        let at = place_of(pair, self.leads).map_or(0, |(block, at)| 64 * block + at);
        self.stop(at)
    }
}

// The second pass: code points of positions, and the stream.

impl Batch {
    /// Completes the first pass: replaces pairs by positions in the index. Ends the batch before the first pair without
    /// one.
    #[inline(always)]
    fn find_positions<G: Grid>(&mut self, v: Token, pairs: &DoubleByteDecode, end: End) -> End {
        let layout = &pairs.layout;
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let first_pair = u16::from_le_bytes([layout.plain[0].0, layout.trails[0].0]);
        let first_pair = v.splat_units(first_pair);
        // SAFETY: `pairs <= 32 * BLOCKS + 1`, so 16 elements after the last pair are in the array.
        // `list_pairs` initialised the first `pairs` elements.
        unsafe {
            v.store(first_pair, positions.add(self.pairs).cast());
            for at in (0..self.pairs).step_by(16) {
                let here = positions.add(at).cast::<u8>();
                let (position, right) = position::<G>(v, layout, v.load(here), pairs.index.len());
                v.store(position, here);
                let wrong = v.others(v.movemask(right));
                if v.any(wrong) {
                    let first = v.bits(wrong).trailing_zeros() as usize / 2;
                    return self.stop_before(at + first);
                }
            }
        }
        end
    }

    /// Second pass: looks up code points and fills the stream. Ends the batch before the first unmapped pair.
    #[inline(always)]
    fn look_up<F: Output>(&mut self, v: Token, pairs: &DoubleByteDecode, mut end: End) -> End {
        let positions: *mut u16 = self.positions.as_mut_ptr().cast();
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        let index = pairs.index;
        // SAFETY: `pairs <= 32 * BLOCKS + 1`, so 16 elements after the last pair are in the arrays. `find_positions`
        // clamped every position, up to 16 after the last pair, below the length of the index.
        unsafe {
            for at in (0..self.pairs).step_by(8) {
                for i in at..at + 8 {
                    let position = usize::from(*positions.add(i));
                    *code_points.add(i) = *index.get_unchecked(position);
                }
            }
            // Non-zero padding, which does not count as unmapped.
            v.store(v.splat_units(0x3000), code_points.add(self.pairs).cast());
        }
        // SAFETY: the target features are the caller's; every array has 16 elements after the last pair.
        let unmapped = unsafe {
            let zero = v.splat(0);
            let mut unmapped = zero;
            let stream: *mut [u16; 2] = self.stream.as_mut_ptr().cast();
            let variable_length: *mut u8 = self.variable_length.as_mut_ptr().cast();
            for at in (0..self.pairs).step_by(16) {
                let code_points = v.load(code_points.add(at).cast());
                unmapped = v.or(unmapped, v.equal_units(code_points, zero));
                if F::SPLITS {
                    let (stream_of_16, short) = split_code_points(v, code_points);
                    let to: *mut u8 = stream.add(at).cast();
                    v.store(stream_of_16[0], to);
                    v.store(stream_of_16[1], to.add(LEN));
                    variable_length
                        .add(at / 8)
                        .cast::<[u8; 2]>()
                        .write(short.to_le_bytes());
                }
            }
            if F::SPLITS {
                // The last pass loads four characters from the end of the last one on.
                let after = stream.add(self.pairs.next_multiple_of(16));
                after.cast::<[u8; 16]>().write([0; 16]);
                let after = variable_length.add(self.pairs.div_ceil(16) * 2);
                after.cast::<[u8; 8]>().write([0; 8]);
            }
            v.any(v.movemask(unmapped))
        };
        if unmapped {
            // SAFETY: the loop above initialised `pairs` code points.
            let code_points =
                unsafe { core::slice::from_raw_parts(code_points.cast_const(), self.pairs) };
            if let Some(pair) = code_points.iter().position(|&code_point| code_point == 0) {
                end = self.stop_before(pair);
            }
        }
        end
    }
}

/// Returns the positions of 16 pairs, clamped below the length of the index, and a mask of the valid positions.
#[inline(always)]
fn position<G: Grid>(v: Token, layout: &Layout, pairs: Bytes, len: usize) -> (Bytes, Bytes) {
    let set = |value: u16| v.splat_units(value);
    let within = |lanes, (first, last): Range| {
        let offset = v.subtract_units(lanes, set(first.into()));
        let most = set((last - first).into());
        v.equal_units(v.least_of_units(offset, most), offset)
    };
    let last = set((len - 1).min(0xFFFF) as u16);
    let lead = v.and(pairs, set(0xFF));
    let trail = v.right::<8>(pairs);
    let pointer = v.add_units(v.multiply_units(lead, set(layout.columns)), trail);
    let mut position = v.subtract_units(pointer, set(layout.offset()));
    let mut right = within(trail, layout.trails[0]);
    if G::TWO_RANGES_OF_TRAILS {
        right = v.or(right, within(trail, layout.trails[1]));
        let second = v.units_above(trail, set(u16::from(layout.trails[1].0) - 1));
        let more = set(layout.second_trail_offset());
        position = v.subtract_units(position, v.and(second, more));
    }
    if G::TWO_RANGES_OF_LEADS {
        let second = v.units_above(lead, set(u16::from(layout.leads[1].0) - 1));
        let more = set(layout.second_lead_offset());
        position = v.subtract_units(position, v.and(second, more));
    }
    if G::SOME_PLAIN {
        let plain = v.or(within(lead, layout.plain[0]), within(lead, layout.plain[1]));
        right = v.and(right, plain);
    }
    let inside = v.least_of_units(position, last);
    (inside, v.and(right, v.equal_units(inside, position)))
}

// The last pass for UTF-8 and UTF-16.

// SAFETY: the functions return the number of units that their stores initialise; each store states its bound.
unsafe impl Output for Utf8 {
    // 32 pairs of three bytes; or one byte for a trail, 31 pairs, and two bytes for a lead.
    const YIELD: usize = 96;
    const KATAKANA: bool = false;
    const SPLITS: bool = true;

    fn ascii(src: &[u8], out: &mut Out<'_, u8>) -> usize {
        copy_ascii(src, out)
    }

    #[inline(always)]
    unsafe fn write_block(
        v: Token,
        batch: &Batch,
        block: Block,
        _: bool,
        src: *const u8,
        to: *mut u8,
    ) -> usize {
        let Block {
            leads,
            carry,
            first,
        } = block;
        // SAFETY: by `# Safety` of `Output::write_block`, the stream has the block's characters, from the one before
        // `first` if `carry`. Before step `i`, `8 * i` bytes and one per lead are written, so its store ends within
        // `YIELD + WRITE_PADDING`.
        unsafe {
            // The rest of a character whose lead is in the previous block comes first.
            let stream = batch.stream.as_ptr().cast::<u8>().add(4 * first);
            let stream = stream.sub(2 * carry as usize);
            if batch.is_variable_length(first, leads, carry) {
                return write_ragged(v, block, stream, src, to);
            }
            let stream = stream.add(2 * carry as usize);
            let mut before = 0;
            let mut bits = leads << 1 | carry;
            for step in 0..8 {
                let shape = Shape::of(bits);
                let stream = stream.add(4 * before).sub(2 * (bits & 1) as usize);
                let bytes = merge(v, shape.utf_8(), stream, src.add(8 * step));
                v.store_half(bytes, to.add(8 * step + before));
                before += shape.leads();
                bits = leads >> (8 * step + 7);
            }
            64 + before
        }
    }
}

/// Writes a block with characters of any length.
///
/// # Safety
/// As for [`Output::write_block`]. `stream` is the first lane of the block, and the stream has its lanes and 16 bytes
/// more.
#[inline(always)]
unsafe fn write_ragged(
    v: Token,
    block: Block,
    mut stream: *const u8,
    src: *const u8,
    to: *mut u8,
) -> usize {
    let Block { leads, carry, .. } = block;
    let mut bits = leads << 1 | carry;
    let mut written = 0;
    // SAFETY: `stream` has the block's lanes and 16 bytes more, and 64 bytes are readable at `src`, by `# Safety`. The
    // last step starts at most 7 * 12 bytes after `to`, and 7 * 12 + 24 <= `YIELD + WRITE_PADDING`.
    unsafe {
        for step in 0..8 {
            written += ragged_step(v, bits, &mut stream, src.add(8 * step), to.add(written));
            bits = leads >> (8 * step + 7);
        }
    }
    written
}

/// Writes a step with characters of any length.
///
/// # Safety
/// 16 bytes are readable at `stream` and 8 at `src`; 24 are writable at `to`.
#[inline(always)]
unsafe fn ragged_step(
    v: Token,
    bits: u64,
    stream: &mut *const u8,
    src: *const u8,
    to: *mut u8,
) -> usize {
    let shape = Shape::of(bits);
    // SAFETY: by `# Safety`, 16 bytes are readable at `stream` and 8 at `src`, and 24 are writable at `to`.
    unsafe {
        let lanes = merge(v, shape.lanes(), *stream, src);
        let counts = !v.zeros(lanes) | shape.single_bytes();
        let (low, low_len) = kept(counts);
        let (high, high_len) = kept(counts >> 8);
        let low = v.shuffle_half(lanes, v.load_eight(low.as_ptr()));
        let upper = v.upper_eight(lanes);
        let high = v.shuffle_half(upper, v.load_eight(high.as_ptr()));
        v.store_eight(low, to);
        v.store_eight(high, to.add(low_len));
        // One lane for each lead and each trail; the trail of the last lead may be in the next step.
        let cut = (bits >> 8 & 1) as usize;
        let lanes = 2 * shape.leads() + (bits & 1) as usize - cut;
        *stream = stream.add(2 * lanes);
        low_len + high_len
    }
}

/// Merges 16 bytes from the stream and the input.
///
/// # Safety
/// 16 bytes at `stream` and 8 at `src` are readable.
#[inline(always)]
unsafe fn merge(v: Token, merge: &Merge, stream: *const u8, src: *const u8) -> Half {
    // SAFETY: by `# Safety`, 16 bytes at `stream` and 8 at `src` are readable.
    unsafe {
        let from_stream = v.load_half(merge.stream.as_ptr());
        let from_input = v.load_half(merge.input.as_ptr());
        v.or_half(
            v.shuffle_half(v.load_half(stream), from_stream),
            v.shuffle_half(v.load_eight(src), from_input),
        )
    }
}

/// Returns two lanes for each of 16 code points, and a mask of the code points without a third byte.
#[inline(always)]
fn split_code_points(v: Token, code_points: Bytes) -> ([Bytes; 2], u16) {
    let set = |value: u16| v.splat_units(value);
    let and = |a, b| v.and(a, b);
    let or = |a, b| v.or(a, b);
    let short = v.equal_units(v.least_of_units(code_points, set(0x7FF)), code_points);
    let [(low, _), (high, _)] = v.top_bits_of_units(short);
    // Three bytes: 1110xxxx 10xxxxxx, and 10xxxxxx. Two: 110xxxxx 10xxxxxx, and no tail.
    let three = or(
        v.right::<12>(code_points),
        and(v.left::<2>(code_points), set(0x3F00)),
    );
    let two = or(
        v.right::<6>(code_points),
        and(v.left::<8>(code_points), set(0x3F00)),
    );
    // 0xE0 - 0x20 = 0xC0.
    let marks = v.subtract_units(set(0x80E0), and(short, set(0x20)));
    let head = or(v.blend(short, two, three), marks);
    let tail = or(and(code_points, set(0x3F)), set(0x80));
    let tail = v.and_not(short, tail);
    (v.zip_units(head, tail), (low | high << 8) as u16)
}

// SAFETY: the functions return the number of units that their stores initialise; each store states its bound.
unsafe impl Output for Utf16 {
    const YIELD: usize = 64;
    const KATAKANA: bool = true;
    const SPLITS: bool = false;

    fn ascii(src: &[u8], out: &mut Out<'_, u16>) -> usize {
        widen_ascii(src, out)
    }

    #[inline(always)]
    unsafe fn write_block(
        v: Token,
        batch: &Batch,
        block: Block,
        katakana: bool,
        src: *const u8,
        to: *mut u16,
    ) -> usize {
        // SAFETY: by `# Safety` of `Output::write_block`, `code_points` has the block's characters and 16 readable
        // bytes after the last one. Each step stores eight units, and keeps one for each byte that is not a trail.
        unsafe {
            let code_points = batch.code_points.as_ptr().cast::<u16>().add(block.first);
            match katakana {
                true => write_units::<true>(v, block, code_points, src, to),
                false => write_units::<false>(v, block, code_points, src, to),
            }
        }
    }
}

/// Writes a block with one unit for each character.
///
/// # Safety
/// As for [`Output::write_block`].
#[inline(always)]
unsafe fn write_units<const KATAKANA: bool>(
    v: Token,
    block: Block,
    code_points: *const u16,
    src: *const u8,
    to: *mut u16,
) -> usize {
    let Block { leads, carry, .. } = block;
    let mut before = 0;
    let mut bits = leads << 1 | carry;
    // One unit for each byte that is not a trail. The first step of the loop adds the subtracted `carry` again.
    let to = to.wrapping_sub(carry as usize);
    // SAFETY: `code_points` has the block's characters and 16 readable bytes after the last one, and 64 bytes are readable
    // at `src`, by `# Safety` of `Output::write_block`. Step `i` stores eight units after those of the first `8 * i` bytes,
    // which are at most `8 * i`, so it ends within the 64 units of `YIELD`.
    unsafe {
        for step in 0..8 {
            let shape = Shape::of(bits);
            let units = units::<KATAKANA>(v, shape, code_points.add(before), src.add(8 * step));
            let to = to.wrapping_add((bits & 1) as usize).wrapping_sub(before);
            v.store_half(units, to.wrapping_add(8 * step).cast());
            before += shape.leads();
            bits = leads >> (8 * step + 7);
        }
    }
    // The total: the offset at which a ninth step would start.
    64 + (bits & 1) as usize - before - carry as usize
}

/// Returns the units of a step with one unit for each character.
///
/// # Safety
/// 16 bytes are readable at `code_points` and 8 at `src`.
#[inline(always)]
unsafe fn units<const KATAKANA: bool>(
    v: Token,
    shape: Shape,
    code_points: *const u16,
    src: *const u8,
) -> Half {
    let places = shape.utf_16();
    // SAFETY: by `# Safety`, 16 bytes are readable at `code_points` and 8 at `src`.
    unsafe {
        let stream = v.shuffle_half(
            v.load_half(code_points.cast()),
            v.load_half(places.stream.as_ptr()),
        );
        let mut single = v.shuffle_half(v.load_eight(src), v.load_half(places.input.as_ptr()));
        if KATAKANA {
            // Only half-width katakana are non-ASCII here: 0xA1 is U+FF61.
            single = v.add_above(single, 0xA0, 0xFEC0);
        }
        v.or_half(stream, single)
    }
}
