//! AVX2 and NEON: three passes over a batch of up to 32 blocks of 64 bytes, as with AVX-512, where what a compress or an expand
//! would do, a shuffle does by a table, for eight bytes of input at a time.
//!
//! 1. Masks of leads, and a list of the steps of eight bytes that are not ASCII. In those, leads with their trails are
//!    picked out, and pairs become positions in the index (`find`).
//! 2. The positions are looked up. For UTF-8, code points then become a *stream* of two lanes of 16 bits each: the
//!    first two bytes, and the third or zero.
//! 3. A step merges eight places of input and the stream: the shape of the step (see [`steps`]) names two shuffles. For
//!    UTF-8 that takes every character of the stream to have three bytes; blocks that have others are of *variable length*:
//!    they are merged in lanes of 16 bits, and only the valid bytes are kept.
//!
//! Apart from characters of variable length, no pass has a branch that the text decides: a list of non-ASCII blocks skips the
//! others without mispredicted branches. The end of the input is left to the portable loop, so that whole registers may be
//! loaded.
//!
//! Times encoding_rs 0.8.44 with AVX2, on megabytes of plain text / markup: to UTF-8 Shift_JIS 5.2 / 3.5, Big5 4.2 /
//! 3.9, EUC-KR 3.8 / 3.5, GBK 3.0 / 2.4; to UTF-16 about as much. Measured and slower: skipping blocks of ASCII, by a sixth in markup; batches half as long, by a tenth there.
//! Measured and left out: the same code with SSSE3, nine tenths as fast, for it would be as large again.

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

/// Blocks in a batch.
const BLOCKS: usize = 32;
/// Pairs in a batch: at most 32 a block and one, and room to load and store whole registers.
const PAIRS: usize = BLOCKS * 32 + 24;
/// How far ahead of the first and of the last pass memory is asked for, in bytes and in units, as with AVX-512.
const AHEAD: usize = tuning::PREFETCH_BATCH;
/// Bytes after a block that may be loaded with it.
const READ_PADDING: usize = 8;
/// Units after a block that are stored with it, at most.
const WRITE_PADDING: usize = 16;

/// UTF-8 or UTF-16, for the last pass.
///
/// # Safety
/// What a method says that it has written is initialised, and no more than its constants allow.
pub(super) unsafe trait Output: Form {
    /// Most units that one block can become.
    const MOST: usize;
    /// Whether single bytes may be half-width katakana.
    const KATAKANA: bool;
    /// Whether code points are made a stream of bytes.
    const SPLITS: bool;

    /// Writes the ASCII prefix of `src` that fits; returns its length.
    fn ascii(src: &[u8], out: &mut Out<'_, Self::Unit>) -> usize;

    /// Writes a block whose characters begin with the element `first` of the batch; returns how many units that is.
    ///
    /// # Safety
    /// 64 bytes at `src` are readable, `MOST + WRITE_PADDING` units at `to` writable. From `first` on
    /// the batch has a character for each lead, and one before if `carry` is 1.
    unsafe fn write_block(
        v: Token,
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
    /// Masks of leads.
    leads: [u64; BLOCKS],
    /// The numbers of the steps, of eight bytes each, that are not ASCII, and of each block's first.
    steps: MaybeUninit<[u8; 8 * BLOCKS + 8]>,
    /// Leads, and trails in the upper bytes; then positions.
    positions: MaybeUninit<[u16; PAIRS]>,
    code_points: MaybeUninit<[u16; PAIRS]>,
    stream: MaybeUninit<[[u16; 2]; PAIRS]>,
    /// A bit for each pair of another length than three bytes.
    variable_length: MaybeUninit<[u8; PAIRS / 8 + 8]>,
    pairs: usize,
}

impl Batch {
    /// Whether a block has a character of another length than three bytes.
    #[inline(always)]
    fn is_variable_length(&self, first: usize, leads: u64, carry: u64) -> bool {
        let carry = carry as usize;
        let from = first - carry;
        assert!(from <= self.pairs);
        // SAFETY: bits are initialised for all pairs, and eight bytes after.
        let bits = unsafe {
            let bytes = self.variable_length.as_ptr().cast::<u8>().add(from / 8);
            u64::from_le_bytes(bytes.cast::<[u8; 8]>().read()) >> (from % 8)
        };
        // 33 at most.
        let count = leads.count_ones() as usize + carry;
        bits & ((1 << count) - 1) != 0
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
    // The first batch is small: text after it may be malformed, and work on it would be wasted.
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
        let blocks = blocks.min(most).min(out.room() / F::MOST);
        if blocks == 0 {
            return read;
        }
        // SAFETY: this function is compiled for the instruction sets that the callee asks for, so the processor has
        // them.
        let end =
            unsafe { find_pairs(batch, v, pairs, &rest[..64 * blocks + READ_PADDING], blocks) };
        if read == 0 && end.at < SHORT && !pairs.starts_four_bytes(tail(rest, end.at)) {
            return 0;
        }
        let end = batch.look_up::<F>(v, pairs, end);
        // SAFETY: there is room for `MOST` units of each block, the batch is of `rest`, and `write` initialises as many
        // units as it returns.
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
        // Where pairs are rare, runs of ASCII are near.
        most = match batch.pairs < blocks {
            true => 1,
            false => (most * 4).min(BLOCKS),
        };
    }
}

impl Batch {
    /// Makes a batch in place: it is large, and a value would be moved, or filled.
    #[inline(always)]
    fn new(place: &mut MaybeUninit<Self>) -> &mut Self {
        let batch = place.as_mut_ptr();
        // SAFETY: within the batch. What has invalid values is written; all else is `MaybeUninit`.
        unsafe {
            (&raw mut (*batch).leads).write([0; BLOCKS]);
            (&raw mut (*batch).pairs).write(0);
            place.assume_init_mut()
        }
    }

    /// Last pass: writes the first `end` bytes of `src`, which end a character; returns how many units that is.
    ///
    /// # Safety
    /// There is room for `MOST` units of each block at `to`; the blocks are within `src`, and the batch is of it.
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
        // The last two blocks are written to scratch memory, as more is stored than counts; where other blocks store
        // too much, what follows covers it: a whole block has more units than WRITE_PADDING.
        const SCRATCH: usize = 2;
        let mut scratch = MaybeUninit::<[[F::Unit; 96]; SCRATCH + 1]>::uninit();
        const { assert!(F::MOST <= 96 && WRITE_PADDING <= 96) };
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
            // SAFETY: the contract of this function. With two more blocks after it there is room for `MOST + WRITE_PADDING`
            // units, and so there is in `beside`.
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
        // Every byte after the end was written as one unit.
        written -= 64 * blocks - end;
        // SAFETY: `written` units beside are initialised, and fit after those `before`.
        unsafe { to.add(before).copy_from_nonoverlapping(scratch, written) };
        before + written
    }
}
