//! The last pass for UTF-8 and UTF-16.

use super::steps::{Merge, Shape, kept};
use super::{Batch, Block, Output};
use crate::simd::ascii::{copy_ascii, widen_ascii};
use crate::simd::double_byte::{Utf8, Utf16};
use crate::simd::out::Out;
use crate::simd::vector::{Bytes, Half, Token, V128, V256};

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
    // SAFETY: as in `write_block`. Each earlier step has written at most 12 bytes; a step stores at most 8 bytes more
    // than the 16 that it may write.
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
pub(super) fn split_code_points(v: Token, code_points: Bytes) -> ([Bytes; 2], u16) {
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
    // One unit for each byte that is not a trail. The first step of the loop takes back the subtraction of `carry`.
    let to = to.wrapping_sub(carry as usize);
    // SAFETY: by `# Safety`, as in `write_block`.
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
    // The count as it would be before a ninth step.
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
