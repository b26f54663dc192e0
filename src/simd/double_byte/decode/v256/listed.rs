//! The last pass where most steps are ASCII: only those that are not are merged. Behind each of them 64 units are copied
//! as ASCII, which is more than lies between one step of the list and the next; what is too much, the next one covers.

use super::Batch;
use super::forms::{merge, ragged_step, ragged_units, units};
use super::steps::Shape;
use crate::simd::prefetch;
use crate::simd::v256::{Token, V128, V256};

/// Writes listed steps; see [`super::Output::write_listed`].
///
/// # Safety
/// As for [`super::Output::write_listed`].
#[inline(never)]
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
)]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(super) unsafe fn write_listed_bytes(
    v: Token,
    batch: &Batch,
    src: *const u8,
    until: usize,
    to: *mut u8,
    ahead: usize,
) -> (usize, usize) {
    let list: *const u8 = batch.steps.as_ptr().cast();
    let stream = batch.stream.as_ptr().cast::<u8>();
    let mut before = 0;
    // Bytes written less bytes read.
    let mut more = 0_isize;
    let mut at = list;
    // SAFETY: the contract of this function; the first step of the block behind `until` is listed.
    unsafe {
        loop {
            let step = usize::from(*at);
            if step >= until {
                return ((8 * until).wrapping_add_signed(more), before);
            }
            at = at.add(1);
            let bits = batch.leads.around(step);
            let shape = Shape::of(bits);
            let from = src.add(8 * step);
            let to = to.offset((8 * step) as isize + more);
            prefetch::to_write::<2, _>(to.wrapping_add(ahead));
            let stream = stream.add(4 * before).sub(2 * (bits & 1) as usize);
            let bytes = merge(v, shape.utf_8(), stream, from);
            let mut written = 8 + shape.leads();
            // A character of less than three bytes, or NUL.
            if v.any_zero(bytes, written) {
                written = rare_ragged_step(v, bits, stream, from, to);
            } else {
                v.store_half(bytes, to);
            }
            before += shape.leads();
            more += written as isize - 8;
            for i in 0..2 {
                let ascii = v.load(from.add(8 + 32 * i));
                v.store(ascii, to.add(written + 32 * i));
            }
        }
    }
}

/// [`ragged_step`], out of line.
///
/// # Safety
/// As for [`ragged_step`].
#[cold]
#[inline(never)]
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
)]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
unsafe fn rare_ragged_step(
    v: Token,
    bits: u64,
    mut stream: *const u8,
    src: *const u8,
    to: *mut u8,
) -> usize {
    // SAFETY: by `# Safety`, 16 bytes are readable at `stream` and 8 at `src`, and 24 are writable at `to`.
    unsafe { ragged_step(v, bits, &mut stream, src, to) }
}

/// Writes listed steps; see [`super::Output::write_listed`].
///
/// # Safety
/// As for [`super::Output::write_listed`].
#[inline(never)]
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
)]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(super) unsafe fn write_listed_units<const KATAKANA: bool>(
    v: Token,
    batch: &Batch,
    src: *const u8,
    until: usize,
    to: *mut u16,
    ahead: usize,
) -> (usize, usize) {
    let code_points: *const u16 = batch.code_points.as_ptr().cast();
    let mut before = 0;
    // Bytes read less units written.
    let mut less = 0;
    let mut at = batch.steps.as_ptr().cast::<u8>();
    // SAFETY: the contract of this function; the first step of the block behind `until` is listed.
    unsafe {
        loop {
            let step = usize::from(*at);
            if step >= until {
                return (8 * until - less, before);
            }
            at = at.add(1);
            let bits = batch.leads.around(step);
            let shape = Shape::of(bits);
            let from = src.add(8 * step);
            let to = to.add(8 * step - less);
            prefetch::to_write::<2, _>(to.wrapping_add(ahead));
            let code_points = code_points.add(before);
            let units = units::<KATAKANA>(v, shape, code_points, from);
            let mut written = 8 - shape.leads() - (bits & 1) as usize + (bits >> 8) as usize;
            // A character of four bytes, or NUL.
            if v.any_zero_unit(units, written) {
                written = rare_ragged_units::<KATAKANA>(v, bits, code_points, from, to);
            } else {
                v.store_half(units, to.cast());
            }
            before += shape.leads();
            less += 8 - written;
            for i in 0..4 {
                let ascii = v.load_half(from.add(8 + 16 * i));
                v.store(v.widen_half(ascii), to.add(written + 16 * i).cast());
            }
        }
    }
}

/// [`ragged_units`], out of line.
///
/// # Safety
/// As for [`ragged_units`].
#[cold]
#[inline(never)]
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
)]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
unsafe fn rare_ragged_units<const KATAKANA: bool>(
    v: Token,
    bits: u64,
    code_points: *const u16,
    src: *const u8,
    to: *mut u16,
) -> usize {
    // SAFETY: by `# Safety`, 16 bytes are readable at `code_points` and 8 at `src`, and 8 units are writable at `to`.
    unsafe { ragged_units::<KATAKANA>(v, bits, code_points, src, to) }
}
