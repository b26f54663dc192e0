//! Runs of four-byte characters and ASCII, which is how gb18030 encodes most languages except Chinese, Japanese, Greek
//! and Russian: eight characters at a time, with AVX2.
//!
//! Two multiply-adds compute the pointers. Neighbouring characters of a text are usually in the same range of the
//! index, and ranges are long. One range is therefore kept, together with its difference between pointer and scalar
//! value. It is replaced when the next two characters are outside it. A single character among ASCII, as in German, is
//! converted by scalar code, and so are a few pairs.
//!
//! The batches for pairs (`v256`, [`avx512`](super::avx512)) stop at a four-byte character.

use crate::simd::tuning;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{DoubleByteDecode, FourBytes, RUN_BLOCK as BLOCK};
use crate::simd::arrays::{map_array, tail};
use crate::simd::double_byte::{Form, Utf8, Utf16};
use crate::simd::out::Out;
use crate::simd::ranges::MappedRange;
use crate::simd::surrogates::pair_of;
use crate::simd::token::Avx2;

/// Most pairs between four-byte characters, with ASCII among them, before this kernel gives up.
const MOST_PAIRS: usize = tuning::PAIRS_BETWEEN[0];
/// Minimum number of non-ASCII bytes in the rest of a block for text that is not mostly ASCII.
const DENSE: u32 = tuning::DENSE[0];
/// Units collected in scratch memory before they are pushed; stores there may overshoot.
const PIECE: usize = 512;

/// An output form: UTF-8 or UTF-16.
///
/// # Safety
/// Each method initialises the units that it reports as written, and stays inside the bounds given by its constants.
pub(super) unsafe trait Output: Form {
    /// Returns the number of units of a scalar value from U+0080 on.
    fn length(scalar: u32) -> usize;

    /// Writes 32 bytes that begin with ASCII; the units for other bytes are unspecified.
    ///
    /// # Safety
    /// The processor has AVX2; `BLOCK / 2` units are writable.
    unsafe fn put_ascii(bytes: __m256i, to: *mut Self::Unit);

    /// Writes eight scalar values of the same length.
    ///
    /// # Safety
    /// The processor has AVX2; [`BLOCK`] units are writable.
    unsafe fn put(scalars: __m256i, length: usize, to: *mut Self::Unit);

    /// Writes one scalar value.
    ///
    /// # Safety
    /// Four units are writable.
    unsafe fn put_one(scalar: u32, to: *mut Self::Unit);
}

// SAFETY: each method initialises the units that it reports; each store states its bound.
unsafe impl Output for Utf8 {
    #[inline(always)]
    fn length(scalar: u32) -> usize {
        2 + usize::from(scalar >= 0x800) + usize::from(scalar > 0xFFFF)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn put_ascii(bytes: __m256i, to: *mut u8) {
        // SAFETY: by `# Safety` of `Output::put_ascii`, 32 units at `to` are writable.
        unsafe { _mm256_storeu_si256(to.cast(), bytes) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn put(scalars: __m256i, length: usize, to: *mut u8) {
        let set = |bits: u32| _mm256_set1_epi32(bits as i32);
        let or = |a, b| _mm256_or_si256(a, b);
        // The low six bits; the bits above the last byte's are masked out for each length.
        let sixth = set(0x3F);
        let last = _mm256_and_si256(scalars, sixth);
        let (bytes, shuffle) = match length {
            2 => {
                let bytes = or(
                    _mm256_srli_epi32::<6>(scalars),
                    _mm256_slli_epi32::<8>(last),
                );
                let shuffle =
                    _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1);
                (or(bytes, set(0x80C0)), shuffle)
            }
            3 => {
                let second = _mm256_and_si256(_mm256_slli_epi32::<2>(scalars), set(0x3F00));
                let bytes = or(_mm256_srli_epi32::<12>(scalars), second);
                let bytes = or(bytes, _mm256_slli_epi32::<16>(last));
                let shuffle = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
                (or(bytes, set(0x80_80E0)), shuffle)
            }
            _ => {
                let second = _mm256_and_si256(_mm256_srli_epi32::<4>(scalars), set(0x3F00));
                let third = _mm256_and_si256(_mm256_slli_epi32::<10>(scalars), set(0x3F_0000));
                let bytes = or(or(_mm256_srli_epi32::<18>(scalars), second), third);
                let bytes = or(bytes, _mm256_slli_epi32::<24>(last));
                let shuffle = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
                (or(bytes, set(0x8080_80F0)), shuffle)
            }
        };
        let bytes = _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(shuffle));
        // SAFETY: `length <= 4`, so the stores end within 32 bytes; `BLOCK` = 64 are writable, by `# Safety` of
        // `Output::put`.
        unsafe {
            _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(bytes));
            let upper = _mm256_extracti128_si256::<1>(bytes);
            _mm_storeu_si128(to.add(4 * length).cast(), upper);
        }
    }

    #[inline(always)]
    unsafe fn put_one(scalar: u32, to: *mut u8) {
        // SAFETY: by `# Safety` of `Output::put_one`, four units at `to` are writable.
        unsafe { to.cast::<[u8; 4]>().write(utf8_bytes(scalar)) }
    }
}

// SAFETY: each method initialises the units that it reports; each store states its bound.
unsafe impl Output for Utf16 {
    #[inline(always)]
    fn length(scalar: u32) -> usize {
        1 + usize::from(scalar > 0xFFFF)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn put_ascii(bytes: __m256i, to: *mut u16) {
        let upper = _mm256_extracti128_si256::<1>(bytes);
        // SAFETY: by `# Safety` of `Output::put_ascii`, 32 units at `to` are writable.
        unsafe {
            let lower = _mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes));
            _mm256_storeu_si256(to.cast(), lower);
            _mm256_storeu_si256(to.add(16).cast(), _mm256_cvtepu8_epi16(upper));
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn put(scalars: __m256i, length: usize, to: *mut u16) {
        let set = |bits: u32| _mm256_set1_epi32(bits as i32);
        if length == 2 {
            let trail = _mm256_and_si256(_mm256_slli_epi32::<16>(scalars), set(0x3FF_0000));
            let pairs = _mm256_or_si256(_mm256_srli_epi32::<10>(scalars), trail);
            let pairs = _mm256_add_epi32(pairs, set(0xDC00_D7C0));
            // SAFETY: by `# Safety` of `Output::put`, `BLOCK` units at `to` are writable.
            return unsafe { _mm256_storeu_si256(to.cast(), pairs) };
        }
        let upper = _mm256_extracti128_si256::<1>(scalars);
        let units = _mm_packus_epi32(_mm256_castsi256_si128(scalars), upper);
        // SAFETY: by `# Safety` of `Output::put`, `BLOCK` units at `to` are writable.
        unsafe { _mm_storeu_si128(to.cast(), units) }
    }

    #[inline(always)]
    unsafe fn put_one(scalar: u32, to: *mut u16) {
        // SAFETY: four units at `to` are writable, by `# Safety` of `Output::put_one`; `[u16; 2]` has the alignment of
        // `u16`.
        unsafe { to.cast::<[u16; 2]>().write(utf16_units(scalar)) }
    }
}

/// Returns the UTF-8 of a scalar value from U+0080 on, padded with zeros. Branch-free, because the length depends on
/// the text.
#[inline(always)]
fn utf8_bytes(scalar: u32) -> [u8; 4] {
    let spread = scalar & 0x3F
        | (scalar & 0xFC0) << 2
        | (scalar & 0x3_F000) << 4
        | (scalar & 0x1C_0000) << 6;
    let (marks, unused) = match scalar {
        0..=0x7FF => (0xC080, 16),
        0x800..=0xFFFF => (0xE0_8080, 8),
        _ => (0xF080_8080, 0),
    };
    ((spread | marks) << unused).to_be_bytes()
}

/// Returns the UTF-16 of a scalar value, padded with zero.
#[inline(always)]
fn utf16_units(scalar: u32) -> [u16; 2] {
    match scalar {
        0..=0xFFFF => [scalar as u16, 0],
        _ => pair_of(scalar),
    }
}

/// A range of the index, or a part whose scalar values have the same length in UTF-8.
struct Kept {
    first: __m256i,
    /// The last pointer minus the first.
    more: __m256i,
    /// The difference between scalar value and pointer.
    add: __m256i,
    length: usize,
}

impl Kept {
    /// Returns the range of the `more + 1` pointers from `first` on, where `first` maps to `scalar`.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new<F: Output>(first: u32, more: u32, scalar: u32) -> Self {
        Self {
            first: _mm256_set1_epi32(first as i32),
            more: _mm256_set1_epi32(more as i32),
            add: _mm256_set1_epi32(scalar.wrapping_sub(first) as i32),
            length: F::length(scalar),
        }
    }

    /// Returns the part of `range` around `pointer` in which all scalar values have the same length.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn around<F: Output>(pointer: u32, range: MappedRange) -> Self {
        let (mut first, mut last) = (u32::from(range.first), u32::from(range.last));
        let image = u32::from(range.image);
        // The pointer of U+0800, if it is in the range.
        let long = first + 0x800_u32.saturating_sub(image);
        if pointer < long {
            last = last.min(long - 1);
        } else {
            first = long;
        }
        Self::new::<F>(first, last - first, range.image(first).into())
    }
}

/// Returns the scalar value and the length in bytes of a character whose first byte is not ASCII; `None` if the kernel
/// must stop.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn character(
    pairs: &DoubleByteDecode,
    four_bytes: &FourBytes,
    bytes: [u8; 4],
) -> Option<(u32, usize)> {
    let [a, b, c, d] = bytes;
    if !b.is_ascii_digit() {
        return Some((pairs.code_point(a, b)?.into(), 2));
    }
    if !(0x81..=0xFE).contains(&a) || !(0x81..=0xFE).contains(&c) || !d.is_ascii_digit() {
        return None;
    }
    let pointer = FourBytes::pointer(bytes);
    let scalar = match (
        four_bytes.ranges.get(pointer),
        pointer.wrapping_sub(four_bytes.supplementary),
    ) {
        (Some(image), _) => image.into(),
        (None, beyond @ 0..0x10_0000) => 0x1_0000 + beyond,
        _ => return None,
    };
    Some((scalar, 4))
}

/// Decodes a prefix of `src` that consists of four-byte characters, ASCII and a few pairs; returns its length.
#[inline(always)]
pub(super) fn decode<F: Output>(
    token: Avx2,
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, F::Unit>,
) -> usize {
    let _ = token;
    // SAFETY: holding `Avx2` proves detection succeeded.
    unsafe { decode_featured::<F>(pairs, src, out) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn decode_featured<F: Output>(
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, F::Unit>,
) -> usize {
    let Some(four_bytes) = &pairs.four_bytes else {
        return 0;
    };
    let FourBytes {
        ranges,
        supplementary,
    } = *four_bytes;
    let twos = |low: u8, high: u8| _mm256_set1_epi16(i16::from_le_bytes([low, high]));
    let mut scratch = [const { MaybeUninit::uninit() }; PIECE + BLOCK + 4];
    let (mut read, mut written) = (0, 0);
    // The number of pairs since the last four-byte character.
    let mut pairs_since = 0;
    // Empty at first: no pointer is this large.
    let mut kept = Kept::new::<F>(u32::MAX, 0, 0x80);
    while let Some(block) = tail(src, read).first_chunk::<BLOCK>()
        && out.room() - written >= BLOCK + 4
    {
        if written > PIECE {
            // SAFETY: the first `written` units of `scratch` are initialised.
            let fits = unsafe { out.push_scratch(&scratch, written) };
            debug_assert!(fits);
            written = 0;
        }
        let to = scratch.as_mut_ptr().cast::<F::Unit>().wrapping_add(written);
        // SAFETY: `block` has 64 bytes, and `at + 32 <= 64`.
        let [bytes, after] = map_array([0, BLOCK / 2], |at| unsafe {
            _mm256_loadu_si256(block.as_ptr().add(at).cast())
        });
        let [low, high] = map_array([bytes, after], |bytes| {
            u64::from(_mm256_movemask_epi8(bytes) as u32)
        });
        let others = low | high << 32;
        if others & 1 == 0 {
            // SAFETY: the callee needs AVX2, which this function enables. `written <= PIECE`, and `scratch` has `BLOCK`
            // units after that.
            unsafe {
                F::put_ascii(bytes, to);
                F::put_ascii(after, to.add(BLOCK / 2));
            }
            // With a constant length, the next load does not depend on this block's mask.
            if others == 0 {
                read += BLOCK;
                written += BLOCK;
                continue;
            }
            let ascii = others.trailing_zeros() as usize;
            read += ascii;
            written += ascii;
            if let Some(&next) = tail(src, read).first_chunk()
                && (others >> ascii).count_ones() < DENSE
                && pairs_since < MOST_PAIRS
            {
                let Some((scalar, length)) = character(pairs, four_bytes, next) else {
                    break;
                };
                pairs_since = (pairs_since + 1) * usize::from(length == 2);
                // SAFETY: `to` is at most `PIECE` units into `scratch`, and `ascii < BLOCK`; `scratch` has four units
                // after `PIECE + BLOCK`.
                unsafe { F::put_one(scalar, to.add(ascii)) };
                read += length;
                written += F::length(scalar);
            }
            continue;
        }
        let offsets = _mm256_sub_epi8(bytes, twos(0x81, 0x30));
        let most = _mm256_min_epu8(offsets, twos(0xFE - 0x81, 9));
        let are_fours = _mm256_cmpeq_epi32(most, offsets);
        let pointers = _mm256_maddubs_epi16(offsets, twos(10, 1));
        let pointers = _mm256_madd_epi16(pointers, _mm256_set1_epi32(1 << 16 | 1260));
        let distance = _mm256_sub_epi32(pointers, kept.first);
        let in_range = _mm256_cmpeq_epi32(_mm256_min_epu32(distance, kept.more), distance);
        let known = _mm256_and_si256(are_fours, in_range);
        let known = _mm256_movemask_ps(_mm256_castsi256_ps(known)) as u32;
        if known & 1 != 0 {
            pairs_since = 0;
            // SAFETY: `written <= PIECE`, and `scratch` has `BLOCK` units after that.
            unsafe { F::put(_mm256_add_epi32(pointers, kept.add), kept.length, to) };
            // Well predicted in long runs.
            if known == 0xFF {
                read += BLOCK / 2;
                written += 8 * kept.length;
                continue;
            }
            let count = known.trailing_ones() as usize;
            // Probably a space after a word.
            let next = block[4 * count];
            let (more, is_ascii) = (count * kept.length, usize::from(next < 0x80));
            // SAFETY: as above; at most seven characters of at most four units precede `to.add(more)`.
            unsafe { to.add(more).write(next.into()) };
            read += 4 * count + is_ascii;
            written += more + is_ascii;
            continue;
        }
        // The first eight bytes, the first one lowest.
        let head = _mm_cvtsi128_si64(_mm256_castsi256_si128(bytes)) as u64;
        let fours = _mm256_movemask_ps(_mm256_castsi256_ps(are_fours)) as u32;
        if fours & 1 != 0 {
            pairs_since = 0;
            let pointer = _mm256_cvtsi256_si32(pointers) as u32;
            // Replacing the range pays off for at least two characters outside it, but not for one among characters
            // inside it.
            if fours & !known & 2 != 0 {
                kept = match (
                    ranges.range_of(pointer),
                    pointer.wrapping_sub(supplementary),
                ) {
                    (Some(range), _) => Kept::around::<F>(pointer, range),
                    (None, 0..0x10_0000) => Kept::new::<F>(supplementary, 0xF_FFFF, 0x1_0000),
                    _ => break,
                };
                continue;
            }
        } else {
            // More pairs than a few are left to the kernel for pairs. Their trails are not digits.
            let leads = head & 0x80_0080_0080_0000;
            let trails = (head | head >> 1) & 0x4000_4000_4000_0000;
            pairs_since += 1;
            if leads | trails == 0x4080_4080_4080_0000 || pairs_since > MOST_PAIRS {
                break;
            }
        }
        let Some((scalar, length)) = character(pairs, four_bytes, (head as u32).to_le_bytes())
        else {
            break;
        };
        // SAFETY: `written <= PIECE`, and `scratch` has `BLOCK` >= 4 units after that.
        unsafe { F::put_one(scalar, to) };
        read += length;
        written += F::length(scalar);
    }
    // SAFETY: the first `written` units of `scratch` are initialised.
    let fits = unsafe { out.push_scratch(&scratch, written) };
    debug_assert!(fits);
    read
}
