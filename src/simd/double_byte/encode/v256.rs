//! AVX2 and NEON: three passes over a batch of up to 2048 code units, as with AVX-512, where what a compress or an
//! expand would do, a shuffle does by a table, for eight code units at a time.
//!
//! 1. UTF-8 becomes code units, in a buffer of the batch (`forms`). Those that are not ASCII are picked out.
//! 2. They are looked up (`look_up`): a *stream* of two bytes each.
//! 3. A step merges eight units and the stream (`merge`): which of them are ASCII names two shuffles. A batch with
//!    characters of one byte is of *variable length*: there, steps that have any are written as if those had two, and again
//!    from after each of them on.
//!
//! Where ASCII prevailed in the batch before, the first and the last pass go over a list of the steps that are not ASCII,
//! and copy the rest; of UTF-8 they are steps of bytes then, and no code units are made of the rest (`listed`).
//!
//! Where a batch ends early, what it has taken of UTF-8 is counted back from the code units. No pass has a branch that
//! mappable text decides, except in batches of variable length. Registers have 16 bytes: the tables are for eight code units.
//!
//! Times encoding_rs 0.8.44 with AVX2, on megabytes of ideographs and kana / of markup: UTF-8 to Shift_JIS 4.3 / 3.2,
//! EUC-JP 5.1 / 3.6, GBK 3.2 / 2.5, gb18030 3.5 / 2.5, Big5 4.1 / 2.9; UTF-16 to Shift_JIS 5.6 / 3.6, GBK 4.3 / 2.8,
//! gb18030 5.4 / 4.0, Big5 5.5 / 4.0. Measured and slower: the list for text that is not mostly ASCII, by up to a tenth;
//! gathers in the loop that makes bytes of values, whose branches cost what had been gathered ahead, likewise.
//! Measured and no faster: registers of 32 bytes for the first pass, and loads with fewer instructions around them.

use crate::simd::tuning;
use core::mem::MaybeUninit;

use super::DoubleByteEncode;
use crate::simd::arrays::tail;
use crate::simd::double_byte::Form;
use crate::simd::out::Out;
use crate::simd::vector::Token;

mod forms;
#[cfg(target_arch = "x86_64")]
pub(super) mod four_byte_runs;
mod listed;
mod look_up;
mod merge;

use listed::{List, Utf8Steps};

/// Code units in a batch: one for each byte of UTF-8, at most.
const UNITS: usize = 2048;
/// How far ahead of the first and of the last pass memory is asked for, as with AVX-512, where there is as much.
const AHEAD: usize = tuning::PREFETCH_BATCH;
/// Elements after those of a batch that may be loaded or stored with them.
const READ_PADDING: usize = 16;
/// Code units after those of a buffer that may be written.
const WRITE_PADDING: usize = 64;

/// UTF-8 or UTF-16, as source.
///
/// # Safety
/// What a method says that it has written is initialised, and what it says that it has read was there.
pub(super) unsafe trait Input: Form {
    /// Where fewer than one in this many units are not ASCII, ASCII prevails.
    const SPARSE: usize;
    /// How far ahead of `units` the source is, and memory is asked for.
    const AHEAD: usize;

    /// Whether `src` starts with a run of ASCII.
    fn is_ascii(v: Token, src: &[Self::Unit]) -> bool;

    /// Writes the ASCII prefix of `src` that fits; returns its length.
    fn ascii(src: &[Self::Unit], out: &mut Out<'_, u8>) -> usize;

    /// Code units of a prefix of `src` of at most `most` units; `to` may hold them. No pair of surrogates is cut.
    ///
    /// # Safety
    /// The processor has the token's instruction sets.
    unsafe fn units(v: Token, src: &[Self::Unit], most: usize, to: &mut Buffer) -> Source;

    /// Encodes a batch of `src` of at most `most` units by a list of the steps that are not ASCII; nothing where that
    /// cannot be.
    ///
    /// # Safety
    /// The processor has the token's instruction sets; there is room for `most` units, each of which becomes two bytes at
    /// most.
    unsafe fn take_listed(
        v: Token,
        batch: &mut Batch,
        pairs: &DoubleByteEncode,
        src: &[Self::Unit],
        most: usize,
        out: &mut Out<'_, u8>,
    ) -> Option<Taken>;

    /// Units of the source that are the first `len` of `units`.
    ///
    /// # Safety
    /// `len` code units are readable.
    unsafe fn source_len(units: *const u16, len: usize) -> usize;
}

/// Room for the code units of a batch.
pub(super) type Buffer = MaybeUninit<[u16; UNITS + WRITE_PADDING]>;

/// Code units: they are readable up to the next multiple of 16.
#[derive(Clone, Copy)]
pub(super) struct Units {
    start: *const u16,
    len: usize,
}

/// What a batch is of.
pub(super) struct Source {
    units: Units,
    /// Units of the source that they are.
    read: usize,
    /// Whether something follows that the kernel does not know, or too little for it.
    stops: bool,
}

/// What a completed batch was.
pub(super) struct Taken {
    read: usize,
    /// Whether something follows that has no bytes.
    stops: bool,
}

/// A batch between its passes.
pub(super) struct Batch {
    /// How far ahead memory is asked for, of the output.
    ahead: usize,
    /// Whether ASCII prevailed in the batch before.
    sparse: bool,
    /// Of UTF-8 that is taken by a list.
    utf8: Utf8Steps,
    /// The steps that are not ASCII, and the first of each block.
    list: List,
    /// Which of eight units are not ASCII.
    masks: MaybeUninit<[u8; UNITS / 8 + READ_PADDING]>,
    code_points: MaybeUninit<[u16; UNITS + READ_PADDING]>,
    /// Values, and then bytes: the first of a character low, and its second, or 0 in a single byte.
    values: MaybeUninit<[u16; UNITS + READ_PADDING]>,
    /// Code points.
    count: usize,
    /// Whether any has one byte.
    variable_length: bool,
}

impl Batch {
    /// Makes a batch in place: it is large, and a value would be moved, or filled.
    #[inline(always)]
    fn new(place: &mut MaybeUninit<Self>) -> &mut Self {
        let batch = place.as_mut_ptr();
        // SAFETY: within the batch. What has invalid values is written; all else is `MaybeUninit`.
        unsafe {
            (&raw mut (*batch).count).write(0);
            (&raw mut (*batch).variable_length).write(false);
            (&raw mut (*batch).ahead).write(0);
            (&raw mut (*batch).sparse).write(false);
            (&raw mut (*batch).list.len).write(0);
            (&raw mut (*batch).utf8.leads.before).write(0);
            place.assume_init_mut()
        }
    }
}

/// Encodes a prefix of `src`; returns its length.
#[inline(always)]
pub(super) fn encode<F: Input>(
    v: Token,
    pairs: &DoubleByteEncode,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
) -> usize {
    // SAFETY: holding `Token` proves detection succeeded.
    unsafe { encode_featured::<F>(v, pairs, src, out) }
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
)]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn encode_featured<F: Input>(
    v: Token,
    pairs: &DoubleByteEncode,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
) -> usize {
    let mut buffer = Buffer::uninit();
    let mut place = MaybeUninit::uninit();
    let batch = Batch::new(&mut place);
    let mut read = 0;
    // The first batch is small: what follows may be unmappable, and work on it would be wasted.
    let mut most = 128;
    loop {
        let mut rest = tail(src, read);
        if F::is_ascii(v, rest) {
            read += F::ascii(rest, out);
            rest = tail(src, read);
        }
        let source_ahead = F::AHEAD.min(rest.len());
        batch.ahead = AHEAD.min(out.room());
        let fitting = most.min(out.room() / 2);
        if batch.sparse {
            // SAFETY: this function is compiled for these instruction sets; there is room, as below.
            let taken = unsafe { F::take_listed(v, batch, pairs, rest, fitting, out) };
            if let Some(taken) = taken {
                read += taken.read;
                if taken.stops {
                    return read;
                }
                most = UNITS;
                continue;
            }
        }
        // SAFETY: this function is compiled for the instruction sets that the callee asks for, so the processor has
        // them.
        let source = unsafe { F::units(v, rest, fitting, &mut buffer) };
        let mut units = source.units;
        if units.len == 0 {
            return read;
        }
        // SAFETY: `units` says what is readable; the batch is of it. Each unit becomes two bytes at most.
        unsafe {
            match batch.sparse {
                true => batch.find_characters::<true>(v, units.start, units.len, source_ahead),
                false => batch.find_characters::<false>(v, units.start, units.len, source_ahead),
            }
            if let Some(character) = batch.look_up(v, pairs) {
                units.len = batch.unit_of(character, units.len);
            }
            let written = match batch.variable_length {
                false => batch.write_steps::<false>(v, units, out.spare_ptr()),
                true => batch.write_steps::<true>(v, units, out.spare_ptr()),
            };
            out.advance(written);
        }
        if units.len < source.units.len || source.stops {
            // SAFETY: `units.len` units are readable from `units.start` on: `F::units` made them, and they have only
            // been cut since.
            return read + unsafe { F::source_len(units.start, units.len) };
        }
        read += source.read;
        batch.sparse = F::SPARSE * batch.count < source.read;
        // Where other characters are rare, runs of ASCII are near.
        most = match batch.count < units.len / 64 {
            true => 64,
            false => (most * 4).min(UNITS),
        };
    }
}
