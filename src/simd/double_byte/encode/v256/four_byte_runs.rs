//! Runs of four-byte characters and ASCII, which is how gb18030 encodes most languages except Chinese, Japanese, Greek
//! and Russian: with AVX2, 16 code units at a time, or 64 units of mostly-ASCII text.
//!
//! Neighbouring characters of a text are usually in the same range of the index, and ranges are long. One range is
//! therefore kept, and replaced when the next character is outside it. Divisions in eight lanes give the bytes of
//! pointers, and shuffles keep one byte of each ASCII character. A few single two-byte characters are encoded by scalar
//! code; more are left to the batches, which stop at a four-byte character.

use crate::simd::tuning;
use core::arch::x86_64::*;
use core::hint::select_unpredictable;
use core::mem::MaybeUninit;

use super::super::DoubleByteEncode;
use super::{Buffer, Input, Token, UNITS};
use crate::simd::arrays::{map_array, tail};
use crate::simd::double_byte::{FourBytes, Utf8, Utf16};
use crate::simd::out::Out;
use crate::simd::ranges::{MappedRange, up_to};
use crate::simd::surrogates::is_lead;
use crate::simd::utf8_encode::character;
use crate::simd::vector::{LEN, V256};

/// Units in a block of mostly-ASCII text.
const BLOCK: usize = 2 * LEN;
/// Code units in a step of other text.
const STEP: usize = 16;
/// Most bytes that a block and the character after its ASCII become, or a step.
const MOST_BYTES: usize = BLOCK + 4;
/// Most two-byte characters among ASCII after a four-byte one.
const MOST_PAIRS: usize = tuning::PAIRS_BETWEEN[1];
/// Bytes collected in scratch memory before they are pushed; stores there may overshoot.
const PIECE: usize = 512;

/// An input form of mostly-ASCII text: UTF-8 or UTF-16.
///
/// # Safety
/// Each method initialises the bytes that it reports as written.
pub(in super::super) unsafe trait Sparse: Input {
    /// Minimum number of non-ASCII units in 32 for text that is not mostly ASCII.
    const DENSE: u32;

    /// Writes a block as if it were ASCII. Returns a mask of its non-ASCII units.
    ///
    /// # Safety
    /// The processor has the token's instruction sets. [`BLOCK`] units are readable at `src`, and [`BLOCK`] bytes are
    /// writable at `to`.
    unsafe fn put_ascii(v: Token, src: *const Self::Unit, to: *mut u8) -> u64;

    /// Returns the first code point of `src` and its length in units, if it is in the BMP.
    fn first(src: &[Self::Unit]) -> Option<(u16, usize)>;
}

// SAFETY: the stores of two registers initialise all `BLOCK` bytes.
unsafe impl Sparse for Utf8 {
    const DENSE: u32 = tuning::DENSE[1];

    #[inline(always)]
    unsafe fn put_ascii(v: Token, src: *const u8, to: *mut u8) -> u64 {
        // SAFETY: `BLOCK = 2 * LEN` bytes are readable at `src` and writable at `to`, by `# Safety`.
        unsafe {
            let bytes = v.load_two(src);
            v.store(bytes[0], to);
            v.store(bytes[1], to.add(LEN));
            v.top_bits_of_two(bytes)
        }
    }

    #[inline(always)]
    fn first(src: &[u8]) -> Option<(u16, usize)> {
        character(map_array([0, 1, 2], |i| src.get(i).copied().unwrap_or(0)))
    }
}

// SAFETY: the stores of two registers initialise all `BLOCK` bytes.
unsafe impl Sparse for Utf16 {
    const DENSE: u32 = tuning::DENSE[2];

    #[inline(always)]
    unsafe fn put_ascii(v: Token, src: *const u16, to: *mut u8) -> u64 {
        // SAFETY: by `# Safety`, `2 * LEN` units are readable and `2 * LEN` bytes are writable.
        let others = map_array([0, LEN], |at| unsafe {
            let [low, high] = v.load_units(src.add(at));
            v.store(low, to.add(at));
            v.or(low, v.at_least(high, v.splat(1)))
        });
        v.top_bits_of_two(others)
    }

    #[inline(always)]
    fn first(src: &[u16]) -> Option<(u16, usize)> {
        src.first().map(|&unit| (unit, 1))
    }
}

/// A shuffle that keeps one byte of four if the bit is set, and all four otherwise.
static KEPT: [[u8; 16]; 16] = {
    let mut all = [[0x80; 16]; 16];
    let mut bits = 0;
    while bits < 16 {
        let (mut from, mut to) = (0, 0);
        while from < 16 {
            if from % 4 == 0 || bits >> (from / 4) & 1 == 0 {
                all[bits][to] = from as u8;
                to += 1;
            }
            from += 1;
        }
        bits += 1;
    }
    all
};

/// Encodes a prefix of `src` that consists of four-byte characters, ASCII and a few pairs; returns its length.
#[inline(always)]
pub(in super::super) fn encode<F: Sparse>(
    v: Token,
    pairs: &DoubleByteEncode,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
) -> usize {
    // SAFETY: holding `Token` proves detection succeeded.
    unsafe { encode_featured::<F>(v, pairs, src, out) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn encode_featured<F: Sparse>(
    v: Token,
    pairs: &DoubleByteEncode,
    src: &[F::Unit],
    out: &mut Out<'_, u8>,
) -> usize {
    /// The length of the first piece, in units. It is small because a run may be short, and units after it are
    /// discarded.
    const FIRST: usize = tuning::FIRST_PIECE[0];
    /// The length of the first piece after mostly-ASCII text, in units.
    const BEHIND_ASCII: usize = tuning::FIRST_PIECE[1];
    let Some(four_bytes) = &pairs.four_bytes else {
        return 0;
    };
    let mut run = FourByteKernel {
        pairs,
        four_bytes,
        range: MappedRange::NONE,
        pairs_since: 0,
        scratch: [const { MaybeUninit::uninit() }; PIECE + MOST_BYTES],
        written: 0,
    };
    let mut buffer = Buffer::uninit();
    let mut read = 0;
    let mut most = FIRST;
    let mut is_sparse = true;
    loop {
        if is_sparse {
            let taken = run.encode_sparse::<F>(v, tail(src, read), out);
            read += taken;
            if taken > 0 {
                most = BEHIND_ASCII;
            }
        }
        let rest = tail(src, read);
        // SAFETY: the callee's target features are among those of this function. `F::units` returns readable units.
        let (source, units) = unsafe {
            let source = F::units(v, rest, most, &mut buffer);
            let units = core::slice::from_raw_parts(source.units.start, source.units.len);
            (source, units)
        };
        let taken;
        (taken, is_sparse) = run.encode_dense(units, rest.len() >= 2 * BLOCK, out);
        if taken == units.len() {
            read += source.read;
        } else {
            // SAFETY: `taken <= units.len()`.
            read += unsafe { F::source_len(source.units.start, taken) };
        }
        if taken == 0 || source.stops || taken < units.len() && !is_sparse {
            run.flush(out);
            return read;
        }
        most = (most * 4).min(UNITS);
    }
}

/// The state of the kernel.
struct FourByteKernel<'a> {
    pairs: &'a DoubleByteEncode,
    four_bytes: &'a FourBytes,
    /// The range of the last four-byte character.
    range: MappedRange,
    /// The number of two-byte characters since the last four-byte one.
    pairs_since: usize,
    scratch: [MaybeUninit<u8>; PIECE + MOST_BYTES],
    /// The number of bytes in `scratch` that are initialised and not pushed yet.
    written: usize,
}

impl FourByteKernel<'_> {
    /// Pushes the contents of `scratch`.
    #[inline(always)]
    fn flush(&mut self, out: &mut Out<'_, u8>) {
        // SAFETY: the first `written` bytes of `scratch` are initialised.
        let fits = unsafe { out.push_scratch(&self.scratch, self.written) };
        debug_assert!(fits);
        self.written = 0;
    }

    /// Returns a pointer to [`MOST_BYTES`] bytes of `scratch`, if the output has the same room.
    #[inline(always)]
    fn place(&mut self, out: &mut Out<'_, u8>) -> Option<*mut u8> {
        if self.written > PIECE {
            self.flush(out);
        }
        let place = self.scratch.as_mut_ptr().cast::<u8>();
        (out.room() - self.written >= MOST_BYTES).then(|| place.wrapping_add(self.written))
    }

    /// Encodes a prefix of mostly-ASCII text and returns its length.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn encode_sparse<F: Sparse>(
        &mut self,
        v: Token,
        src: &[F::Unit],
        out: &mut Out<'_, u8>,
    ) -> usize {
        let mut read = 0;
        while src.len() - read >= BLOCK
            && let Some(to) = self.place(out)
        {
            // SAFETY: the callee's target features are among those of this function. `read + BLOCK <= src.len()` by the
            // loop condition, and `place` returned `MOST_BYTES >= BLOCK` writable bytes.
            let others = unsafe { F::put_ascii(v, src.as_ptr().add(read), to) };
            // With a constant length, the next load does not depend on this block's mask.
            if others == 0 {
                read += BLOCK;
                self.written += BLOCK;
                continue;
            }
            let ascii = others.trailing_zeros() as usize;
            read += ascii;
            self.written += ascii;
            let Some((code_point, len)) = F::first(tail(src, read)) else {
                break;
            };
            if ((others >> ascii) as u32).count_ones() >= F::DENSE {
                break;
            }
            let Some((bytes, count)) = self.bytes(code_point) else {
                break;
            };
            // SAFETY: `ascii < BLOCK`, and `MOST_BYTES = BLOCK + 4` bytes are writable at `to`.
            unsafe { to.add(ascii).cast::<[u8; 4]>().write(bytes) };
            read += len;
            self.written += count;
        }
        read
    }

    /// Returns the bytes of a code point from U+0080 on, and their number; `None` if the kernel must stop. The number
    /// depends on the text, so it is selected without a branch.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn bytes(&mut self, code_point: u16) -> Option<([u8; 4], usize)> {
        let (value, is_pair) = match self.pairs.ideograph(code_point) {
            Some(value) => (value, true),
            None => self.pairs.table.find(code_point),
        };
        let pairs_since = (self.pairs_since + 1) * usize::from(is_pair);
        let pointer = self.four_bytes.ranges.get(code_point.into());
        if pairs_since > MOST_PAIRS || !is_pair && pointer.is_none() {
            return None;
        }
        self.pairs_since = pairs_since;
        let four = u32::from_le_bytes(FourBytes::bytes(pointer.unwrap_or(0).into()));
        let pair = u32::from(value.swap_bytes());
        let bytes = select_unpredictable(is_pair, pair, four);
        Some((bytes.to_le_bytes(), 4 - 2 * usize::from(is_pair)))
    }

    /// Encodes a prefix of code units, or up to a step of ASCII if `may_end`. Returns its length, and true if it ended
    /// at such a step.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn encode_dense(
        &mut self,
        units: &[u16],
        may_end: bool,
        out: &mut Out<'_, u8>,
    ) -> (usize, bool) {
        let mut read = 0;
        while read < units.len()
            && let Some(to) = self.place(out)
        {
            let rest = tail(units, read);
            let mut step = [0; STEP];
            match rest.first_chunk() {
                Some(units) => step = *units,
                None => step[..rest.len()].copy_from_slice(rest),
            }
            // SAFETY: `step` is as long as the register, and `MOST_BYTES >= 4 * STEP` bytes are writable at `to`.
            let (taken, bytes) = unsafe {
                let lanes = _mm256_loadu_si256(step.as_ptr().cast());
                self.write(lanes, step[0], rest.len(), to)
            };
            read += taken;
            self.written += bytes;
            // A step was ASCII if the numbers of units and bytes are equal.
            if taken == 0 || may_end && taken == STEP && bytes == STEP {
                return (read, taken != 0);
            }
        }
        (read, false)
    }

    /// Encodes a prefix of 16 code units. Only the first `len` units belong to the text, and `first` is unit 0. Returns
    /// the units read and the bytes written.
    ///
    /// # Safety
    /// `4 * STEP` bytes at `to` are writable.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    unsafe fn write(
        &mut self,
        units: __m256i,
        first: u16,
        len: usize,
        to: *mut u8,
    ) -> (usize, usize) {
        let ascii = up_to(units, 0x7F);
        loop {
            let (images, within) = self.range.images(units);
            let count = len.min((ascii | within).trailing_ones() as usize);
            let fours = !u32::from(ascii) & ((1 << count) - 1);
            // SAFETY: `4 * STEP` bytes at `to` are writable, by `# Safety`.
            unsafe {
                if count > 0 && fours == 0 {
                    let upper = _mm256_extracti128_si256::<1>(units);
                    let bytes = _mm_packus_epi16(_mm256_castsi256_si128(units), upper);
                    _mm_storeu_si128(to.cast(), bytes);
                    return (count, count);
                }
                if count > 0 {
                    put(units, images, ascii, to);
                    self.pairs_since = 0;
                    return (count, count + 3 * fours.count_ones() as usize);
                }
                if is_lead(first) {
                    return self.write_surrogates(units, len, to);
                }
            }
            if let Some(range) = self.four_bytes.ranges.range_of(first.into()) {
                self.range = range;
                continue;
            }
            // The next unit is not ASCII either, so pairs probably prevail.
            if (ascii | within) & 2 == 0 {
                return (0, 0);
            }
            let Some((bytes, count)) = self.bytes(first) else {
                return (0, 0);
            };
            // SAFETY: four of the `4 * STEP` bytes at `to` are written.
            unsafe { to.cast::<[u8; 4]>().write(bytes) };
            return (1, count);
        }
    }

    /// Encodes the surrogate pairs at the start of 16 code units. Arguments and result are those of
    /// [`write`](Self::write).
    ///
    /// # Safety
    /// 32 bytes at `to` are writable.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn write_surrogates(
        &mut self,
        units: __m256i,
        len: usize,
        to: *mut u8,
    ) -> (usize, usize) {
        let set = |word: u32| _mm256_set1_epi32(word as i32);
        let base = _mm256_and_si256(units, set(0xFC00_FC00));
        let are_pairs = _mm256_cmpeq_epi32(base, set(0xDC00_D800));
        let are_pairs = _mm256_movemask_ps(_mm256_castsi256_ps(are_pairs));
        let count = (len / 2).min(are_pairs.trailing_ones() as usize);
        let lead = _mm256_slli_epi32::<10>(_mm256_and_si256(units, set(0x3FF)));
        let trail = _mm256_and_si256(_mm256_srli_epi32::<16>(units), set(0x3FF));
        let beyond = _mm256_or_si256(lead, trail);
        let pointers = _mm256_add_epi32(beyond, set(self.four_bytes.supplementary));
        // SAFETY: by `# Safety`, 32 bytes at `to` are writable.
        unsafe { _mm256_storeu_si256(to.cast(), bytes_of(pointers)) };
        self.pairs_since = 0;
        (2 * count, 4 * count)
    }
}

/// Copies ASCII units, and writes the four bytes of the pointers for other units.
///
/// # Safety
/// `4 * STEP` bytes at `to` are writable.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn put(units: __m256i, pointers: __m256i, ascii: u16, mut to: *mut u8) {
    let halves = |register: __m256i| {
        let upper = _mm256_extracti128_si256::<1>(register);
        [_mm256_castsi256_si128(register), upper]
    };
    let quarters = map_array([0, 4, 8, 12], |at| usize::from(ascii >> at & 15));
    for (i, (units, pointers)) in halves(units).into_iter().zip(halves(pointers)).enumerate() {
        let units = _mm256_cvtepu16_epi32(units);
        let bytes = bytes_of(_mm256_cvtepu16_epi32(pointers));
        let are_ascii = _mm256_cmpgt_epi32(_mm256_set1_epi32(0x80), units);
        let bytes = _mm256_blendv_epi8(bytes, units, are_ascii);
        for (bits, bytes) in quarters[2 * i..].iter().zip(halves(bytes)) {
            // SAFETY: each of the four quarters writes at most 16 of the `4 * STEP` bytes; the table entry is as long
            // as the register.
            unsafe {
                let kept = _mm_loadu_si128(KEPT[*bits].as_ptr().cast());
                _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(bytes, kept));
                to = to.add(16 - 3 * bits.count_ones() as usize);
            }
        }
    }
}

/// Returns the four bytes of each pointer below 2^21, the first one low.
#[inline]
#[target_feature(enable = "avx2")]
fn bytes_of(pointers: __m256i) -> __m256i {
    let set = |value: u32| _mm256_set1_epi32(value as i32);
    // Exact for every pointer, as `bytes_of_every_pointer_are_exact` shows.
    let quotient = |lanes, by: u32| {
        let inverse = _mm256_set1_ps(1.0 / by as f32);
        _mm256_cvttps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps(lanes), inverse))
    };
    let rest = |lanes, quotient, by| _mm256_sub_epi32(lanes, _mm256_mullo_epi32(quotient, set(by)));
    let tens = quotient(pointers, 10);
    let rows = quotient(tens, 126);
    let a = quotient(rows, 10);
    let b = rest(rows, a, 10);
    let c = rest(tens, rows, 126);
    let d = rest(pointers, tens, 10);
    let low = _mm256_or_si256(a, _mm256_slli_epi32::<8>(b));
    let high = _mm256_or_si256(_mm256_slli_epi32::<16>(c), _mm256_slli_epi32::<24>(d));
    _mm256_add_epi32(_mm256_or_si256(low, high), set(0x3081_3081))
}

#[cfg(test)]
mod tests {
    use core::arch::x86_64::*;

    use super::bytes_of;
    use crate::simd::double_byte::decode::tests;
    use crate::simd::token::Avx2;
    use crate::tables::SUPPLEMENTARY;

    #[test]
    fn bytes_of_every_pointer_are_exact() {
        if Avx2::detect().is_none() {
            return;
        }
        let mut pointers: Vec<u32> = (0..39_420).chain(SUPPLEMENTARY..=1_237_575).collect();
        pointers.resize(pointers.len().next_multiple_of(8), 0);
        for pointers in pointers.as_chunks::<8>().0 {
            let mut bytes = [[0; 4]; 8];
            // SAFETY: `detect` found AVX2; both arrays are as long as a register.
            unsafe {
                let pointers = _mm256_loadu_si256(pointers.as_ptr().cast());
                _mm256_storeu_si256(bytes.as_mut_ptr().cast(), bytes_of(pointers));
            }
            assert_eq!(bytes, pointers.map(tests::bytes_of), "{pointers:?}");
        }
    }
}
