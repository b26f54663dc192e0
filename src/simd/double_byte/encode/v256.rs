//! AVX2 and NEON: three passes over a batch of up to 2,048 code units. This is the algorithm for AVX-512, except that
//! table-driven shuffles of eight code units replace compress and expand.
//!
//! 1. Convert UTF-8 to code units in a buffer (`forms`), and gather the non-ASCII ones.
//! 2. Look them up (`look_up`), into a *stream* of two bytes each.
//! 3. Merge eight units and the stream (`merge`): the mask of non-ASCII units selects two shuffles. A batch that
//!    contains single-byte characters is *variable-length*. Steps with such characters are written as if they had two
//!    bytes, then corrected after each such character.
//!
//! If a batch ends early, the number of UTF-8 bytes read is computed from the code units. Except in variable-length
//! batches, no pass has a branch that depends on mappable text. Registers have 16 bytes, because the tables are for
//! eight code units.
//!
//! Speed relative to encoding_rs 0.8.44, with AVX2, on megabytes of ideographs and kana / of markup: UTF-8 to Shift_JIS
//! 4.3 / 3.2, EUC-JP 5.1 / 3.6, GBK 3.2 / 2.5, gb18030 3.5 / 2.5, Big5 4.1 / 2.9; UTF-16 to Shift_JIS 5.6 / 3.6, GBK
//! 4.3 / 2.8, gb18030 5.4 / 4.0, Big5 5.5 / 4.0. Measured and slower by up to a tenth: gathers in the loop that turns values into bytes, whose mispredictions discard the gathers. Measured
//! and no faster: registers of 32 bytes for the first pass, and loads with fewer instructions around them.

use crate::simd::tuning;
use core::mem::MaybeUninit;

use super::DoubleByteEncode;
use crate::simd::arrays::tail;
use crate::simd::double_byte::Form;
use crate::simd::out::Out;
use crate::simd::vector::Token;

mod forms;
mod look_up;
mod merge;

/// Code units in a batch: at most one for each byte of UTF-8.
const UNITS: usize = 2048;
/// Prefetch distance of the first and the last pass, as for AVX-512.
const AHEAD: usize = tuning::PREFETCH_BATCH;
/// The number of elements after those of a batch that may be loaded or stored with them.
const READ_PADDING: usize = 16;
/// The number of code units after those of a buffer that may be written.
const WRITE_PADDING: usize = 64;

/// An input form: UTF-8 or UTF-16.
///
/// # Safety
/// Each method initialises the elements that it reports as written, and reports no more units as read than `src` has.
pub(super) unsafe trait Input: Form {
    /// Prefetch distance in the source, from `units` on.
    const AHEAD: usize;

    /// True if `src` starts with a run of ASCII.
    fn is_ascii(v: Token, src: &[Self::Unit]) -> bool;

    /// Writes the ASCII prefix of `src` that fits and returns its length.
    fn ascii(src: &[Self::Unit], out: &mut Out<'_, u8>) -> usize;

    /// Returns the code units of a prefix of `src`, at most `most` units, using `to` as a buffer. Never cuts a
    /// surrogate pair.
    ///
    /// # Safety
    /// The processor has the token's instruction sets.
    unsafe fn units(v: Token, src: &[Self::Unit], most: usize, to: &mut Buffer) -> BatchInput;

    /// Returns the number of source units that became the first `len` of `units`.
    ///
    /// # Safety
    /// `len` code units are readable.
    unsafe fn source_len(units: *const u16, len: usize) -> usize;
}

/// A buffer for the code units of a batch.
pub(super) type Buffer = MaybeUninit<[u16; UNITS + WRITE_PADDING]>;

/// Code units, readable up to the next multiple of 16.
#[derive(Clone, Copy)]
pub(super) struct Units {
    start: *const u16,
    len: usize,
}

/// The input of a batch.
pub(super) struct BatchInput {
    units: Units,
    /// The number of source units that they were converted from.
    read: usize,
    /// True if unsupported input follows, or less than a block.
    stops: bool,
}

/// The state of a batch between its passes.
pub(super) struct Batch {
    /// Prefetch distance in the output.
    ahead: usize,
    /// For each eight units, a mask of the non-ASCII ones.
    masks: MaybeUninit<[u8; UNITS / 8 + READ_PADDING]>,
    code_points: MaybeUninit<[u16; UNITS + READ_PADDING]>,
    /// Values, later bytes: the first byte of a character low, then its second byte, or 0 for a single byte.
    values: MaybeUninit<[u16; UNITS + READ_PADDING]>,
    /// The number of code points.
    count: usize,
    /// True if a code point has a single byte.
    variable_length: bool,
}

impl Batch {
    /// Initialises a batch in place. It is large, and returning it by value would copy or zero it.
    #[inline(always)]
    fn new(place: &mut MaybeUninit<Self>) -> &mut Self {
        let batch = place.as_mut_ptr();
        // SAFETY: all fields are inside the batch. Fields whose type has invalid values are written; the others are
        // `MaybeUninit`.
        unsafe {
            (&raw mut (*batch).count).write(0);
            (&raw mut (*batch).variable_length).write(false);
            (&raw mut (*batch).ahead).write(0);
            place.assume_init_mut()
        }
    }
}

/// Encodes a prefix of `src` and returns its length.
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
    // The first batch is small: work on it is lost if unmappable input follows soon.
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
        // SAFETY: the callee's target features are among those of this function, so the processor has them.
        let source = unsafe { F::units(v, rest, fitting, &mut buffer) };
        let mut units = source.units;
        if units.len == 0 {
            return read;
        }
        // SAFETY: `units` are readable up to a multiple of 16, and the batch is made from them. Each unit becomes at
        // most two bytes, and `2 * units.len <= out.room()`.
        unsafe {
            batch.find_characters(v, units.start, units.len, source_ahead);
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
            // SAFETY: `F::units` returned at least `units.len` readable units; `units.len` has only been reduced since.
            return read + unsafe { F::source_len(units.start, units.len) };
        }
        read += source.read;
        // If other characters are rare, a run of ASCII is probably near.
        most = match batch.count < units.len / 64 {
            true => 64,
            false => (most * 4).min(UNITS),
        };
    }
}
