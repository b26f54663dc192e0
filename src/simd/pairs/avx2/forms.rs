//! The last pass, for UTF-8 and for UTF-16.

use core::arch::x86_64::*;

use super::super::super::ascii::{copy_ascii, widen_ascii};
use super::super::super::out::Out;
use super::super::quads::{utf8_bytes, utf16_units};
use super::listed::{write_listed_bytes, write_listed_units};
use super::steps::{Merge, Shape, kept};
use super::{Batch, Block, Form, set};

/// UTF-8.
pub(in super::super) struct Utf8;

impl Form for Utf8 {
    type Unit = u8;
    // 32 pairs of three bytes, or 31 of them between a trail's one and a lead's two.
    const MOST: usize = 96;
    const KATAKANA: bool = false;
    const SPLITS: bool = true;

    fn ascii(src: &[u8], out: &mut Out<'_, u8>) -> usize {
        copy_ascii(src, out)
    }

    fn put_quad(batch: &mut Batch, first: usize, scalar: u32) {
        // Each lead's lane has a byte at least.
        let [a, b, c, d] = utf8_bytes(scalar);
        let stream = [[u16::from(a), 0], [u16::from_le_bytes([b, c]), d.into()]];
        batch.put_in_stream(first, stream);
        batch.make_ragged(first);
    }

    #[inline(always)]
    unsafe fn write_listed(
        batch: &Batch,
        _: bool,
        src: *const u8,
        until: usize,
        to: *mut u8,
        ahead: usize,
    ) -> (usize, usize) {
        // SAFETY: the contract of this function.
        unsafe { write_listed_bytes(batch, src, until, to, ahead) }
    }

    #[inline(always)]
    unsafe fn write_block(
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
        // SAFETY: the contract of this function: the stream has the characters from the one before `first` on. Step `i`
        // has written `8 * i` bytes, and one for each lead; its store ends within SURPLUS behind `MOST`.
        unsafe {
            // The tail of a character whose lead is in the block before comes first.
            let stream = batch.stream.as_ptr().cast::<u8>().add(4 * first);
            let stream = stream.sub(2 * carry as usize);
            if batch.is_ragged(first, leads, carry) {
                return write_ragged(block, stream, src, to);
            }
            let stream = stream.add(2 * carry as usize);
            let mut before = 0;
            let mut bits = leads << 1 | carry;
            for step in 0..8 {
                let shape = Shape::of(bits);
                let stream = stream.add(4 * before).sub(2 * (bits & 1) as usize);
                let bytes = merge(shape.utf_8(), stream, src.add(8 * step));
                _mm_storeu_si128(to.add(8 * step + before).cast(), bytes);
                before += shape.leads();
                bits = leads >> (8 * step + 7);
            }
            64 + before
        }
    }
}

/// Writes a block whose characters are of any length.
///
/// # Safety
/// That of [`Form::write_block`]; `stream` is the first lane of the block.
#[inline(always)]
unsafe fn write_ragged(block: Block, mut stream: *const u8, src: *const u8, to: *mut u8) -> usize {
    let Block { leads, carry, .. } = block;
    let mut bits = leads << 1 | carry;
    let mut written = 0;
    // SAFETY: as in `write_block`. A step writes 16 bytes at most and stores no more than 8 behind what it writes; all
    // steps before it have written no more than 12 each.
    unsafe {
        for step in 0..8 {
            written += ragged_step(bits, &mut stream, src.add(8 * step), to.add(written));
            bits = leads >> (8 * step + 7);
        }
    }
    written
}

/// Writes a step whose characters are of any length.
///
/// # Safety
/// The processor has AVX2; 16 bytes are readable at `stream` and 8 at `src`; 24 are writable at `to`.
#[inline(always)]
pub(super) unsafe fn ragged_step(
    bits: u64,
    stream: &mut *const u8,
    src: *const u8,
    to: *mut u8,
) -> usize {
    let shape = Shape::of(bits);
    // SAFETY: the contract of this function.
    unsafe {
        let lanes = merge(shape.lanes(), *stream, src);
        let zeros = _mm_cmpeq_epi8(lanes, _mm_setzero_si128());
        let counts = !_mm_movemask_epi8(zeros) as u32 | shape.single_bytes();
        let (low, low_len) = kept(counts);
        let (high, high_len) = kept(counts >> 8);
        let low = _mm_shuffle_epi8(lanes, _mm_loadl_epi64(low.as_ptr().cast()));
        let upper = _mm_unpackhi_epi64(lanes, lanes);
        let high = _mm_shuffle_epi8(upper, _mm_loadl_epi64(high.as_ptr().cast()));
        _mm_storel_epi64(to.cast(), low);
        _mm_storel_epi64(to.add(low_len).cast(), high);
        // A lane for each lead and each trail: the last lead's trail may be in the next step.
        let cut = (bits >> 8 & 1) as usize;
        let lanes = 2 * shape.leads() + (bits & 1) as usize - cut;
        *stream = stream.add(2 * lanes);
        low_len + high_len
    }
}

/// Takes bytes from the stream and from the input.
///
/// # Safety
/// The processor has AVX2; 16 bytes at `stream` and 8 at `src` are readable.
#[inline(always)]
pub(super) unsafe fn merge(merge: &Merge, stream: *const u8, src: *const u8) -> __m128i {
    // SAFETY: the contract of this function.
    unsafe {
        let from_stream = _mm_loadu_si128(merge.stream.as_ptr().cast());
        let from_input = _mm_loadu_si128(merge.input.as_ptr().cast());
        _mm_or_si128(
            _mm_shuffle_epi8(_mm_loadu_si128(stream.cast()), from_stream),
            _mm_shuffle_epi8(_mm_loadl_epi64(src.cast()), from_input),
        )
    }
}

/// 16 code points as two lanes each, and which of them have no tail.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn split_code_points(code_points: __m256i) -> ([__m256i; 2], u16) {
    let set = |value: u16| _mm256_set1_epi16(value as i16);
    let and = |a, b| _mm256_and_si256(a, b);
    let or = |a, b| _mm256_or_si256(a, b);
    let short = _mm256_cmpeq_epi16(_mm256_min_epu16(code_points, set(0x7FF)), code_points);
    let bits = _mm256_movemask_epi8(_mm256_packs_epi16(short, _mm256_setzero_si256())) as u32;
    // In the order in which unpacking takes them.
    let code_points = _mm256_permute4x64_epi64::<0b11_01_10_00>(code_points);
    let short = _mm256_permute4x64_epi64::<0b11_01_10_00>(short);
    // Three bytes: 1110xxxx 10xxxxxx, and 10xxxxxx. Two: 110xxxxx 10xxxxxx, and no tail.
    let three = or(
        _mm256_srli_epi16::<12>(code_points),
        and(_mm256_slli_epi16::<2>(code_points), set(0x3F00)),
    );
    let two = or(
        _mm256_srli_epi16::<6>(code_points),
        and(_mm256_slli_epi16::<8>(code_points), set(0x3F00)),
    );
    // 0xE0 less 0x20 is 0xC0.
    let marks = _mm256_sub_epi16(set(0x80E0), and(short, set(0x20)));
    let head = or(_mm256_blendv_epi8(three, two, short), marks);
    let tail = or(and(code_points, set(0x3F)), set(0x80));
    let tail = _mm256_andnot_si256(short, tail);
    let stream = [
        _mm256_unpacklo_epi16(head, tail),
        _mm256_unpackhi_epi16(head, tail),
    ];
    (stream, (bits | bits >> 8) as u16)
}

/// UTF-16.
pub(in super::super) struct Utf16;

impl Form for Utf16 {
    type Unit = u16;
    const MOST: usize = 64;
    const KATAKANA: bool = true;
    const SPLITS: bool = false;

    fn ascii(src: &[u8], out: &mut Out<'_, u16>) -> usize {
        widen_ascii(src, out)
    }

    fn put_quad(batch: &mut Batch, first: usize, scalar: u32) {
        // Zero is no unit.
        batch.put_code_points(first, utf16_units(scalar));
        batch.make_ragged(first);
    }

    #[inline(always)]
    unsafe fn write_listed(
        batch: &Batch,
        katakana: bool,
        src: *const u8,
        until: usize,
        to: *mut u16,
        ahead: usize,
    ) -> (usize, usize) {
        // SAFETY: the contract of this function.
        unsafe {
            match katakana {
                true => write_listed_units::<true>(batch, src, until, to, ahead),
                false => write_listed_units::<false>(batch, src, until, to, ahead),
            }
        }
    }

    #[inline(always)]
    unsafe fn write_block(
        batch: &Batch,
        block: Block,
        katakana: bool,
        src: *const u8,
        to: *mut u16,
    ) -> usize {
        let Block {
            leads,
            carry,
            first,
        } = block;
        // SAFETY: the contract of this function: `code_points` has the characters from `first` on, and 16 bytes behind
        // the last. A step writes one unit for each byte but trails, and stores eight.
        unsafe {
            let code_points = batch.code_points.as_ptr().cast::<u16>().add(first);
            if !batch.quads.is_empty() && batch.is_ragged(first, leads, carry) {
                return write_ragged_units(block, code_points, src, to);
            }
            match katakana {
                true => write_units::<true>(block, code_points, src, to),
                false => write_units::<false>(block, code_points, src, to),
            }
        }
    }
}

/// Writes a block whose characters have one unit each.
///
/// # Safety
/// That of [`Form::write_block`].
#[inline(always)]
unsafe fn write_units<const KATAKANA: bool>(
    block: Block,
    code_points: *const u16,
    src: *const u8,
    to: *mut u16,
) -> usize {
    let Block { leads, carry, .. } = block;
    let mut before = 0;
    let mut bits = leads << 1 | carry;
    // A unit for each byte but the trails: of leads before, and of the block before, but for one still to come.
    let to = to.wrapping_sub(carry as usize);
    // SAFETY: as in `write_block`.
    unsafe {
        for step in 0..8 {
            let shape = Shape::of(bits);
            let units = units::<KATAKANA>(shape, code_points.add(before), src.add(8 * step));
            let to = to.wrapping_add((bits & 1) as usize).wrapping_sub(before);
            _mm_storeu_si128(to.wrapping_add(8 * step).cast(), units);
            before += shape.leads();
            bits = leads >> (8 * step + 7);
        }
    }
    // As before a ninth step.
    64 + (bits & 1) as usize - before - carry as usize
}

/// The units of a step whose characters have one each.
///
/// # Safety
/// The processor has AVX2; 16 bytes are readable at `code_points` and 8 at `src`.
#[inline(always)]
pub(super) unsafe fn units<const KATAKANA: bool>(
    shape: Shape,
    code_points: *const u16,
    src: *const u8,
) -> __m128i {
    let places = shape.utf_16();
    // SAFETY: the contract of this function.
    unsafe {
        let stream = _mm_shuffle_epi8(
            _mm_loadu_si128(code_points.cast()),
            _mm_loadu_si128(places.stream.as_ptr().cast()),
        );
        let mut single = _mm_shuffle_epi8(
            _mm_loadl_epi64(src.cast()),
            _mm_loadu_si128(places.input.as_ptr().cast()),
        );
        if KATAKANA {
            single = widen_katakana(single);
        }
        _mm_or_si128(stream, single)
    }
}

/// Makes half-width katakana, which are all that is not ASCII, code points: 0xA1 is U+FF61.
#[inline(always)]
fn widen_katakana(units: __m128i) -> __m128i {
    // SAFETY: x86-64 has SSE2.
    unsafe {
        let high = _mm_cmpgt_epi16(units, set(0xA0));
        _mm_add_epi16(units, _mm_and_si128(high, set(0xFEC0)))
    }
}

/// Writes a block with characters of four bytes.
///
/// # Safety
/// That of [`Form::write_block`].
#[inline(always)]
unsafe fn write_ragged_units(
    block: Block,
    mut code_points: *const u16,
    src: *const u8,
    to: *mut u16,
) -> usize {
    let Block { leads, carry, .. } = block;
    let mut bits = leads << 1 | carry;
    let mut written = 0;
    // SAFETY: as in `write_block`.
    unsafe {
        for step in 0..8 {
            let (src, to) = (src.add(8 * step), to.add(written));
            written += ragged_units::<false>(bits, code_points, src, to);
            code_points = code_points.add(Shape::of(bits).leads());
            bits = leads >> (8 * step + 7);
        }
    }
    written
}

/// Writes a step with characters of four bytes, or NUL.
///
/// # Safety
/// The processor has AVX2; 16 bytes are readable at `code_points` and 8 at `src`; 8 units are writable at `to`.
#[inline(always)]
pub(super) unsafe fn ragged_units<const KATAKANA: bool>(
    bits: u64,
    code_points: *const u16,
    src: *const u8,
    to: *mut u16,
) -> usize {
    let shape = Shape::of(bits);
    // SAFETY: the contract of this function.
    unsafe {
        let units = units::<KATAKANA>(shape, code_points, src);
        let zero = _mm_setzero_si128();
        let zeros = _mm_packs_epi16(_mm_cmpeq_epi16(units, zero), zero);
        let counts = !_mm_movemask_epi8(zeros) as u32 & 0xFF | shape.single_units();
        // The last lead's trail may be in the next step.
        let cut = (bits >> 8 & 1) as usize;
        let len = 8 - (shape.leads() + (bits & 1) as usize - cut);
        let (places, kept) = kept(counts & ((1 << len) - 1));
        // The places of units become those of their bytes; nowhere stays nowhere.
        let places = _mm_loadl_epi64(places.as_ptr().cast());
        let twice = _mm_unpacklo_epi8(places, places);
        let twice = _mm_or_si128(_mm_adds_epu8(twice, twice), set(0x0100));
        _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(units, twice));
        kept
    }
}
