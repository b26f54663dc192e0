//! AVX2 and NEON: three passes over a batch of up to 32 blocks of 64 bytes. This is the algorithm for AVX-512, except
//! that table-driven shuffles of eight input bytes replace compress and expand.
//!
//! 1. Find the leads of each block, and list the steps (eight bytes each) that are not ASCII. Gather the pairs of the
//!    listed steps and turn them into positions in the index (`find`).
//! 2. Look up the positions. For UTF-8, turn each code point into two 16-bit lanes of a *stream*: its first two bytes,
//!    and its third byte or zero.
//! 3. Merge eight input bytes and the stream: the shape of the step (see [`steps`]) selects two shuffles. For UTF-8
//!    these assume three bytes for each character of the stream. Blocks with other lengths are *variable-length*: they
//!    are merged in 16-bit lanes, of which the valid bytes are kept.
//!
//! Except for variable-length blocks, no pass has a data-dependent branch: the list of steps skips ASCII without
//! mispredictions. The end of the input is left to the portable loop, so that whole registers may be loaded.
//!
//! Speed relative to encoding_rs 0.8.44, with AVX2, on megabytes of plain text / markup: to UTF-8, Shift_JIS 5.2 / 3.5,
//! Big5 4.2 / 3.9, EUC-KR 3.8 / 3.5, GBK 3.0 / 2.4; to UTF-16 about the same. Measured and slower: skipping blocks of
//! ASCII, by a sixth in markup; batches half as long, by a tenth in markup. Measured and omitted: the same code with
//! SSSE3, at 90 % of the speed, which would double the code size.

use crate::simd::tuning;
use core::mem::MaybeUninit;

use super::grid::{Grid, with_grid};
use super::{DoubleByteDecode, SHORT};
use crate::simd::arrays::tail;
use crate::simd::double_byte::Form;
use crate::simd::out::Out;
use crate::simd::prefetch;
use crate::simd::vector::{Token, V256};

mod find;
mod forms;
mod look_up;
mod masks;
mod steps;

/// The number of blocks in a batch.
const BLOCKS: usize = 32;
/// Capacity for pairs: at most 32 per block and one, with padding for whole registers.
const PAIRS: usize = BLOCKS * 32 + 24;
/// Prefetch distance of the first and the last pass, in bytes and in units, as for AVX-512.
const AHEAD: usize = tuning::PREFETCH_BATCH;
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
    /// True if code points are split into the stream.
    const SPLITS: bool;

    /// Writes the ASCII prefix of `src` that fits and returns its length.
    fn ascii(src: &[u8], out: &mut Out<'_, Self::Unit>) -> usize;

    /// Writes a block and returns the number of units. Its first lead's character is element `block.first` of the
    /// batch.
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
    /// The index in the batch of the first lead's pair.
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
        // At most 33: one per two bytes, plus the carried one.
        let count = leads.count_ones() as usize + carry;
        bits & ((1 << count) - 1) != 0
    }
}

/// The end of a batch.
#[derive(Clone, Copy)]
struct End {
    /// The number of bytes that form whole characters.
    at: usize,
    /// True if unsupported input follows.
    stops: bool,
}

/// Decodes a prefix of `src` and returns its length.
#[inline(always)]
pub(super) fn decode<F: Output>(
    v: Token,
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, F::Unit>,
) -> usize {
    // SAFETY: holding `Token` proves detection succeeded.
    unsafe { decode_featured::<F>(v, pairs, src, out) }
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
)]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn decode_featured<F: Output>(
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
        if read == 0 && end.at < SHORT {
            return 0;
        }
        let end = batch.look_up::<F>(v, pairs, end);
        // SAFETY: `blocks * YIELD <= out.room()`; the batch was made from `rest`; `write` initialises the units that it
        // reports.
        unsafe {
            let to = out.spare_ptr();
            let ahead = AHEAD.min(out.room());
            let written = batch.write::<F>(v, pairs.layout.katakana, rest, end.at, to, ahead);
            out.advance(written);
        }
        read += end.at;
        if end.stops {
            return read;
        }
        // If pairs are rare, long ASCII is probably near.
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
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
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
        // Each byte after the end was written as one unit.
        written -= 64 * blocks - end;
        // SAFETY: `written` units of `scratch` are initialised, and `before + written` is at most `YIELD` for each
        // block.
        unsafe { to.add(before).copy_from_nonoverlapping(scratch, written) };
        before + written
    }
}
