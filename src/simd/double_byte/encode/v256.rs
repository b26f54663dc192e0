//! AVX2 and NEON: three passes over a batch of up to 2,048 code units. This is the algorithm for AVX-512, except that
//! table-driven shuffles of eight code units replace compress and expand.
//!
//! 1. Convert UTF-8 to code units in a buffer, and gather the non-ASCII ones.
//! 2. Look them up, into a *stream* of two bytes each.
//! 3. Merge eight units and the stream: the mask of non-ASCII units selects two shuffles. A batch that
//!    contains single-byte characters is *variable-length*. Steps with such characters are written as if they had two
//!    bytes, then corrected after each such character.
//!
//! If a batch ends early, the number of UTF-8 bytes read is computed from the code units. Except in variable-length
//! batches, no pass has a branch that depends on mappable text. Registers have 16 bytes, because the tables are for
//! eight code units.
//!
//! Speed relative to encoding_rs 0.8.44, with AVX2, on megabytes of ideographs and kana / of markup: UTF-8 to Shift_JIS
//! 4.3 / 3.2, EUC-JP 5.1 / 3.6, GBK 3.2 / 2.5, gb18030 3.5 / 2.5, Big5 4.1 / 2.9; UTF-16 to Shift_JIS 5.6 / 3.6, GBK
//! 4.3 / 2.8, gb18030 5.4 / 4.0, Big5 5.5 / 4.0. In the loop that turns values into bytes, gathers are slower by up to
//! a tenth, because mispredictions discard them. Two other changes gain nothing: registers of 32 bytes for the first
//! pass, and fewer instructions around loads.

use super::{DoubleByteEncode, FIRST_DUPLICATE_ROW, Values, utf8_floor};
use crate::simd::arrays::tail;
use crate::simd::ascii::{copy_ascii, narrow_ascii};
use crate::simd::double_byte::{Form, Utf8, Utf16, place_of};
use crate::simd::out::Out;
use crate::simd::shuffles::WORDS;
use crate::simd::surrogates::is_lead;
use crate::simd::vector::{Half, LEN, Token, V128, V256};
use crate::simd::{prefetch, tuning, utf};
use core::mem::MaybeUninit;

/// Code units in a batch: at most one for each byte of UTF-8.
const UNITS: usize = 2048;
/// Prefetch distance of the first and the last pass, as for AVX-512.
const AHEAD: usize = tuning::PREFETCH_BATCH;
/// The number of elements after a batch that may be loaded or stored with it.
const READ_PADDING: usize = 16;
/// The number of code units that may be written after a batch.
const WRITE_PADDING: usize = 64;

/// An input form: UTF-8 or UTF-16.
///
/// # Safety
/// Each method initialises the elements that it reports as written, and reports no more units as read than `src` has.
pub(super) unsafe trait Input: Form {
    /// The prefetch distance in the source for the first pass; 0 if that pass reads a buffer.
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
    /// The number of source units that the code units were converted from.
    read: usize,
    /// True if the input after the batch is unsupported, or shorter than a block.
    stops: bool,
}

/// The state of a batch between its passes.
pub(super) struct Batch {
    /// Prefetch distance in the output.
    ahead: usize,
    /// For each eight units, a mask of the non-ASCII ones.
    masks: MaybeUninit<[u8; UNITS / 8 + READ_PADDING]>,
    code_points: MaybeUninit<[u16; UNITS + READ_PADDING]>,
    /// The values; later the bytes of each character: the first is the low byte, the second the high byte, or 0.
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
#[cfg_attr(avx2, target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
pub(super) fn encode<F: Input>(
    v: Token,
    pairs: &DoubleByteEncode,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
) -> usize {
    let mut buffer = Buffer::uninit();
    let mut place = MaybeUninit::uninit();
    let batch = Batch::new(&mut place);
    let mut read = 0;
    // The first batch is small, because work on it is lost if unmappable input follows soon.
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
        // If non-ASCII characters are rare, a short batch reaches the ASCII path soon.
        most = match batch.count < units.len / 64 {
            true => 64,
            false => (most * 4).min(UNITS),
        };
    }
}

// The input forms UTF-8 and UTF-16, which supply the code units of a batch.

/// Valid UTF-8, because it comes from a `str`.
// SAFETY: `widen` initialises the units that it reports; `read` and `whole` are at most `src.len()`.
unsafe impl Input for Utf8 {
    const AHEAD: usize = 0;

    #[inline(always)]
    fn is_ascii(v: Token, src: &[u8]) -> bool {
        src.first_chunk::<LEN>().is_some_and(|bytes| {
            // SAFETY: `bytes` has `LEN` bytes.
            !v.any(v.movemask(unsafe { v.load(bytes.as_ptr()) }))
        })
    }

    fn ascii(src: &[u8], out: &mut Out<'_, u8>) -> usize {
        copy_ascii(src, out)
    }

    #[inline(always)]
    unsafe fn units(v: Token, src: &[u8], most: usize, to: &mut Buffer) -> BatchInput {
        let whole = utf8_floor(src, most.min(UNITS).min(src.len()));
        let start = to.as_mut_ptr().cast();
        // SAFETY: `whole` is the end of a character, and `whole <= UNITS`.
        let (read, len) = unsafe { widen(v, &src[..whole], start) };
        BatchInput {
            units: Units { start, len },
            read,
            stops: read < whole,
        }
    }

    #[inline(always)]
    unsafe fn source_len(units: *const u16, len: usize) -> usize {
        // SAFETY: `len` code units are readable, by `# Safety` of `Input::source_len`.
        let units = unsafe { core::slice::from_raw_parts(units, len) };
        let of = |&unit: &u16| match unit {
            0..0x80 => 1,
            0x80..0x800 | 0xD800..=0xDFFF => 2,
            _ => 3,
        };
        units.iter().map(of).sum()
    }
}

/// Converts UTF-8 to code units. Returns the numbers of bytes read and units written. Converts all of `src`, unless it has
/// fewer than four bytes, or 32 to 34.
///
/// # Safety
/// `src` consists of whole characters. `src.len() + WRITE_PADDING` units are writable at `to`.
#[inline(always)]
unsafe fn widen(v: Token, src: &[u8], to: *mut u16) -> (usize, usize) {
    // The kernel requires 40 writable units after those of a block.
    const { assert!(WRITE_PADDING - READ_PADDING >= 40) };
    // SAFETY: `src.len() + WRITE_PADDING` units are writable, by `# Safety`. The kernel writes at most one unit for
    // each byte, so `len + READ_PADDING` are in bounds.
    unsafe {
        let room = src.len() + WRITE_PADDING - READ_PADDING;
        let (read, len) = utf::v256::utf8_to_utf16::<false, true>(v, src, to.cast(), room);
        to.add(len)
            .cast::<[u16; READ_PADDING]>()
            .write([0; READ_PADDING]);
        (read, len)
    }
}

// SAFETY: the units are those of `src`, so they are initialised; `len <= src.len()`.
unsafe impl Input for Utf16 {
    const AHEAD: usize = AHEAD;

    #[inline(always)]
    fn is_ascii(_: Token, src: &[u16]) -> bool {
        src.first_chunk::<16>()
            .is_some_and(|units| units.iter().fold(0, |all, unit| all | unit) < 0x80)
    }

    fn ascii(src: &[u16], out: &mut Out<'_, u8>) -> usize {
        narrow_ascii(src, out)
    }

    #[inline(always)]
    unsafe fn units(_: Token, src: &[u16], most: usize, _: &mut Buffer) -> BatchInput {
        let mut len = most.min(UNITS).min(src.len() / 16 * 16);
        if len > 0 && is_lead(src[len - 1]) {
            len -= 1;
        }
        let start = src.as_ptr();
        BatchInput {
            units: Units { start, len },
            read: len,
            stops: false,
        }
    }

    #[inline(always)]
    unsafe fn source_len(_: *const u16, len: usize) -> usize {
        len
    }
}

// The second pass: values, their bytes, and requests to the encoder.

impl Batch {
    /// Fills `values` with the bytes of `code_points`. Returns the first unmappable character.
    #[cfg_attr(avx2, target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
    fn look_up(&mut self, v: Token, pairs: &DoubleByteEncode) -> Option<usize> {
        if pairs.table.ideographs().is_empty() {
            self.load_values::<false>(pairs);
        } else {
            self.load_values::<true>(pairs);
        }
        self.variable_length = false;
        let values: *mut u16 = self.values.as_mut_ptr().cast();
        // SAFETY: `values` has `READ_PADDING` elements more than `UNITS`. The last pass loads eight values from any
        // position.
        unsafe {
            let end = values.add(self.count.next_multiple_of(8));
            v.store_half(v.half_of_units(0), end.cast());
        }
        let to_ask = v.half_of_units(pairs.ask);
        for at in (0..self.count).step_by(8) {
            let code_points: *const u16 = self.code_points.as_ptr().cast();
            let values: *mut u16 = self.values.as_mut_ptr().cast();
            // SAFETY: both arrays are initialised up to the next multiple of eight after the last character.
            let ask = unsafe {
                let value = v.load_half(values.add(at).cast());
                let (bytes, absent) = finish(v, pairs.values, value);
                let code_points = v.load_half(code_points.add(at).cast());
                let ask = v.or_half(absent, v.equal_half(code_points, to_ask));
                v.store_half(v.and_not_half(ask, bytes), values.add(at).cast());
                v.lanes(ask)
            };
            if ask == 0 {
                continue;
            }
            // Excludes lanes after the last character, which have no bytes either.
            let lanes = match self.count - at {
                len @ 0..8 => ask & ((1 << len) - 1),
                _ => ask,
            };
            // SAFETY: `lanes` are characters of the batch, as later lanes are masked out.
            let end = unsafe { self.ask(pairs, at, lanes) };
            if end.is_some() {
                return end;
            }
        }
        None
    }

    /// Loads the value of each code point, plus `offset`; 0 if the table lacks the code point.
    #[inline(always)]
    fn load_values<const IDEOGRAPHS: bool>(&mut self, pairs: &DoubleByteEncode) {
        let (table, offset) = (pairs.table, pairs.values.offset());
        let ideographs = table.ideographs();
        let look_up = |code_point: u16| {
            // Well predicted: text that needs this table consists almost only of ideographs.
            let ideograph = usize::from(code_point).wrapping_sub(0x4E00);
            if IDEOGRAPHS && let Some(value) = ideographs.get(ideograph) {
                return value.wrapping_add(offset);
            }
            let (value, member) = table.find(code_point);
            value.wrapping_add(offset) & 0_u16.wrapping_sub(member.into())
        };
        match pairs.flat.before(self.count, look_up) {
            Some(flat) => self.load(|code_point| flat[usize::from(code_point)]),
            None => self.load(look_up),
        }
    }

    /// Sets each of `values` to the result of `value` for its code point.
    #[inline(always)]
    fn load(&mut self, value: impl Fn(u16) -> u16) {
        let code_points: *const u16 = self.code_points.as_ptr().cast();
        let values: *mut u16 = self.values.as_mut_ptr().cast();
        for at in (0..self.count).step_by(8) {
            for i in at..at + 8 {
                // SAFETY: code points are initialised for eight elements after the last character, and `values` has the
                // same length.
                unsafe { *values.add(i) = value(*code_points.add(i)) };
            }
        }
    }

    /// Requests the bytes of the given lanes from the encoder. Returns the first unmappable character.
    ///
    /// # Safety
    /// The lanes, counted from `at`, are characters of the batch.
    #[cold]
    #[inline(never)]
    unsafe fn ask(&mut self, pairs: &DoubleByteEncode, at: usize, lanes: u8) -> Option<usize> {
        let code_points: *const u16 = self.code_points.as_ptr().cast();
        let values: *mut u16 = self.values.as_mut_ptr().cast();
        for character in (at..at + 8).filter(|character| lanes >> (character - at) & 1 != 0) {
            // SAFETY: `character < count`, by `# Safety`, and `count` code points are initialised.
            let pair = pairs.pair(unsafe { *code_points.add(character) });
            if pair == 0 {
                return Some(character);
            }
            self.variable_length |= pair < 0x100;
            // SAFETY: `character < count`, by `# Safety`, and `values` has `count` elements and more.
            unsafe { *values.add(character) = pair };
        }
        None
    }
}

/// Returns the bytes of values, the first byte of a character low, and a mask of the lanes that only the encoder can
/// decide.
#[inline(always)]
fn finish(v: Token, kind: Values, values: Half) -> (Half, Half) {
    if kind != Values::ShiftJis {
        let swapped = v.or_half(v.right_half::<8>(values), v.left_half::<8>(values));
        return (swapped, v.equal_half(values, v.half_of_units(0)));
    }
    let set = |value: u16| v.half_of_units(value);
    // Returns 0xFFFF for lanes of at least `least`. All lanes are below 0x8000, except those of characters that the
    // encoder converts anyway.
    let from = |lanes, least: u16| v.above_half(lanes, set(least - 1));
    let one_more = |lanes, mask, more: u16| v.add_half(lanes, v.and_half(mask, set(more)));
    // Absent code points have row 0 - 0x21, which is above all others if it has eight bits.
    let row = v.right_half::<8>(v.subtract_half(values, set(0x2121)));
    let cell = v.subtract_half(v.and_half(values, set(0xFF)), set(0x21));
    let ask = from(row, FIRST_DUPLICATE_ROW);
    // Two rows of 94 cells share a lead with 188 trails.
    let lead = v.right_half::<1>(row);
    let lead = one_more(v.add_half(lead, set(0x81)), from(lead, 0x1F), 0x40);
    let odd = v.equal_half(v.and_half(row, set(1)), set(1));
    let trail = one_more(cell, odd, 94);
    let trail = one_more(v.add_half(trail, set(0x40)), from(trail, 0x3F), 1);
    (v.or_half(v.left_half::<8>(trail), lead), ask)
}

// The first and the last pass: gathering non-ASCII units, and merging their bytes with ASCII.

const NOWHERE: u8 = 0x80;

/// The shuffle indices of a merge: into the stream and into eight code units.
#[repr(C)]
struct Merge {
    stream: [u8; 16],
    units: [u8; 16],
}

/// Merges by mask of the non-ASCII units: two bytes of the stream for each non-ASCII unit, and the low byte of each
/// other unit.
static MERGES: [Merge; 256] = {
    let mut all = [const {
        Merge {
            stream: [NOWHERE; 16],
            units: [NOWHERE; 16],
        }
    }; 256];
    let mut bits = 0;
    while bits < 256 {
        let Merge { stream, units } = &mut all[bits];
        let (mut i, mut to, mut from) = (0, 0, 0);
        while i < 8 {
            if bits >> i & 1 == 1 {
                stream[to] = from;
                stream[to + 1] = from + 1;
                (to, from) = (to + 2, from + 2);
            } else {
                units[to] = 2 * i as u8;
                to += 1;
            }
            i += 1;
        }
        bits += 1;
    }
    all
};

impl Batch {
    /// First pass: fills the masks of non-ASCII units, and the code points, with zeros after the last one.
    ///
    /// `source_ahead` is the prefetch distance.
    ///
    /// # Safety
    /// `len` units at `units`, rounded up to a multiple of 16, are readable.
    #[cfg_attr(avx2, target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
    unsafe fn find_characters(
        &mut self,
        v: Token,
        units: *const u16,
        len: usize,
        source_ahead: usize,
    ) {
        assert!(len <= UNITS);
        let masks: *mut u8 = self.masks.as_mut_ptr().cast();
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        let mut count = 0;
        let mut put = |bits: u8, units: Half| {
            // SAFETY: at most one code point for each earlier unit precedes these. `UNITS` is a multiple of 16, so
            // eight more fit.
            unsafe {
                let places = v.load_half(WORDS[usize::from(bits)].as_ptr());
                let found = v.shuffle_half(units, places);
                v.store_half(found, code_points.add(count).cast());
            }
            count += bits.count_ones() as usize;
        };
        for block in (0..len).step_by(64) {
            prefetch::to_read::<2, _>(units.wrapping_add(block + source_ahead));
            for at in (block..len.min(block + 64)).step_by(16) {
                // SAFETY: 16 units are readable, by `# Safety`; `UNITS` is a multiple of 16, so the masks fit.
                unsafe {
                    let low = v.load_half(units.add(at).cast());
                    let high = v.load_half(units.add(at + 8).cast());
                    let from_80 = |units| v.at_least_half(units, v.half_of_units(0x80));
                    let mut other = v.lanes_of_two(from_80(low), from_80(high));
                    if len - at < 16 {
                        other &= (1 << (len - at)) - 1;
                    }
                    let bits = other.to_le_bytes();
                    masks.add(at / 8).cast::<[u8; 2]>().write(bits);
                    put(bits[0], low);
                    put(bits[1], high);
                }
            }
        }
        // SAFETY: `count <= UNITS`: a batch has no more units; `code_points` has `READ_PADDING` elements more.
        unsafe {
            let zero = v.half_of_units(0);
            v.store_half(zero, code_points.add(count).cast());
        }
        self.count = count;
    }

    /// Returns the masks of the non-ASCII units of a batch of `len` units, in steps of eight.
    fn characters(&self, len: usize) -> impl Iterator<Item = u64> {
        // SAFETY: the first pass has initialised the masks of all steps.
        let masks = unsafe {
            core::slice::from_raw_parts(self.masks.as_ptr().cast::<u8>(), len.div_ceil(8))
        };
        masks.iter().map(|&mask| mask.into())
    }

    /// Returns the index of the unit of a character.
    #[cold]
    fn unit_of(&self, character: usize, len: usize) -> usize {
        let place = place_of(character, self.characters(len));
        place.map_or(len, |(step, at)| 8 * step + at)
    }

    /// Last pass: writes the bytes of the first `source.len` units. Returns their number.
    ///
    /// # Safety
    /// The batch was made from `source` or from a longer text that starts with it. Its bytes are writable at `to`.
    #[cfg_attr(avx2, target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
    unsafe fn write_steps<const VARIABLE_LENGTH: bool>(
        &self,
        v: Token,
        source: Units,
        to: *mut u8,
    ) -> usize {
        // A step's store overshoots by up to 8 bytes, or 16 if `VARIABLE_LENGTH`. Each unit is at least one byte, so
        // the last whole step, or two, and the rest go to scratch memory.
        const SCRATCH: usize = 3;
        let mut scratch = MaybeUninit::<[[u8; 32]; SCRATCH + 1]>::uninit();
        let scratch: *mut u8 = scratch.as_mut_ptr().cast();
        let masks: *const u8 = self.masks.as_ptr().cast();
        let steps = source.len.div_ceil(8);
        let direct = steps.saturating_sub(if VARIABLE_LENGTH { SCRATCH } else { 2 });
        let mut cursor = Cursor {
            ahead: self.ahead,
            values: self.values.as_ptr().cast(),
            to,
        };
        // SAFETY: by `# Safety`, `masks` and `values` have the steps of `source`, and its bytes are writable at `to`. At least
        // 9 units follow the direct steps, or 17 if `VARIABLE_LENGTH`: their bytes cover the overshoot. Each other step writes
        // at most 32 bytes of `scratch`, whose last 32 are for the overshoot.
        unsafe {
            for step in 0..direct {
                let units = source.start.add(8 * step);
                cursor.step::<VARIABLE_LENGTH>(v, *masks.add(step), units);
            }
            let before = cursor.to.offset_from_unsigned(to);
            cursor.to = scratch;
            for step in direct..steps {
                let units = source.start.add(8 * step);
                let len = (source.len - 8 * step).min(8);
                let mask = (u32::from(*masks.add(step)) & ((1 << len) - 1)) as u8;
                cursor.step::<VARIABLE_LENGTH>(v, mask, units);
                // Units after the end were counted as ASCII.
                cursor.to = cursor.to.sub(8 - len);
            }
            let rest = cursor.to.offset_from_unsigned(scratch);
            to.add(before).copy_from_nonoverlapping(scratch, rest);
            before + rest
        }
    }
}

/// The state of the last pass.
struct Cursor {
    ahead: usize,
    values: *const u16,
    to: *mut u8,
}

impl Cursor {
    /// Writes eight units.
    ///
    /// # Safety
    /// Eight units and eight values are readable. The bytes of the step and 8 more, or 16 if `VARIABLE_LENGTH`, are
    /// writable.
    #[inline(always)]
    unsafe fn step<const VARIABLE_LENGTH: bool>(&mut self, v: Token, mask: u8, units: *const u16) {
        let count = mask.count_ones() as usize;
        prefetch::to_write::<1, _>(self.to.wrapping_add(self.ahead));
        // SAFETY: by `# Safety`, eight units and eight values are readable, and the overshoot is writable.
        unsafe {
            let values = v.load_half(self.values.cast());
            let merge = &MERGES[usize::from(mask)];
            let from_stream = v.load_half(merge.stream.as_ptr());
            let from_units = v.load_half(merge.units.as_ptr());
            let units = v.load_half(units.cast());
            let bytes = v.or_half(
                v.shuffle_half(values, from_stream),
                v.shuffle_half(units, from_units),
            );
            v.store_half(bytes, self.to);
            let mut more = 0;
            if VARIABLE_LENGTH {
                let single = v.equal_half(v.right_half::<8>(values), v.half_of_units(0));
                let variable_length = u32::from(v.deposit(v.lanes(single), mask));
                if variable_length != 0 {
                    more = self.mend(v, mask, variable_length, bytes);
                }
            }
            self.to = self.to.offset((8 + count) as isize + more);
            self.values = self.values.add(count);
        }
    }

    /// Corrects a step that was written as if each character had two bytes. `singles` masks the units of single-byte
    /// characters. Returns minus the number of bytes saved.
    ///
    /// # Safety
    /// As for [`step`](Self::step); `bytes` are those that the step stored.
    #[inline(always)]
    unsafe fn mend(&mut self, v: Token, mask: u8, mut singles: u32, bytes: Half) -> isize {
        let mut more = 0_isize;
        while singles != 0 {
            let unit = singles.trailing_zeros();
            singles &= singles - 1;
            let before = (u32::from(mask) & ((1 << unit) - 1)).count_ones();
            let at = (unit + before) as isize;
            // SAFETY: the stores end before those of `step`, by `# Safety`. The bytes after the character move forward
            // by one.
            unsafe {
                self.to
                    .offset(at + more)
                    .write(*self.values.add(before as usize) as u8);
                more -= 1;
                let next = at + 2;
                let from = v.load_half(FROM.as_ptr().offset(next));
                v.store_half(v.shuffle_half(bytes, from), self.to.offset(next + more));
            }
        }
        more
    }
}

/// Overlapping shuffles: the 16 bytes from index `i` on move the bytes from position `i` on to the front.
static FROM: [u8; 32] = {
    let mut all = [NOWHERE; 32];
    let mut i = 0;
    while i < 16 {
        all[i] = i as u8;
        i += 1;
    }
    all
};
