//! The last pass where most steps are ASCII: only those that are not are merged. Behind each of them 64 units are copied
//! as ASCII, which is more than lies between one step of the list and the next; what is too much, the next one covers.

use core::arch::x86_64::*;

use super::super::super::prefetch;
use super::Batch;
use super::forms::{merge, ragged_step, ragged_units, units};
use super::steps::Shape;

/// Writes listed steps; see [`Form::write_listed`].
///
/// # Safety
/// That of [`Form::write_listed`].
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
pub(super) unsafe fn write_listed_bytes(
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
            let bytes = merge(shape.utf_8(), stream, from);
            let mut written = 8 + shape.leads();
            let zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
            // A character of less than three bytes, or NUL.
            if _bzhi_u32(zeros as u32, written as u32) != 0 {
                written = rare_ragged_step(bits, stream, from, to);
            } else {
                _mm_storeu_si128(to.cast(), bytes);
            }
            before += shape.leads();
            more += written as isize - 8;
            for i in 0..2 {
                let ascii = _mm256_loadu_si256(from.add(8 + 32 * i).cast());
                _mm256_storeu_si256(to.add(written + 32 * i).cast(), ascii);
            }
        }
    }
}

/// [`ragged_step`], out of line.
///
/// # Safety
/// That of [`ragged_step`].
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
unsafe fn rare_ragged_step(bits: u64, mut stream: *const u8, src: *const u8, to: *mut u8) -> usize {
    // SAFETY: the contract of this function.
    unsafe { ragged_step(bits, &mut stream, src, to) }
}

/// Writes listed steps; see [`Form::write_listed`].
///
/// # Safety
/// That of [`Form::write_listed`].
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
pub(super) unsafe fn write_listed_units<const KATAKANA: bool>(
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
            let units = units::<KATAKANA>(shape, code_points, from);
            let mut written = 8 - shape.leads() - (bits & 1) as usize + (bits >> 8) as usize;
            let zeros = _mm_movemask_epi8(_mm_cmpeq_epi16(units, _mm_setzero_si128()));
            // A character of four bytes, or NUL.
            if _bzhi_u32(zeros as u32, 2 * written as u32) != 0 {
                written = rare_ragged_units::<KATAKANA>(bits, code_points, from, to);
            } else {
                _mm_storeu_si128(to.cast(), units);
            }
            before += shape.leads();
            less += 8 - written;
            for i in 0..4 {
                let ascii = _mm_loadu_si128(from.add(8 + 16 * i).cast());
                _mm256_storeu_si256(to.add(written + 16 * i).cast(), _mm256_cvtepu8_epi16(ascii));
            }
        }
    }
}

/// [`ragged_units`], out of line.
///
/// # Safety
/// That of [`ragged_units`].
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
unsafe fn rare_ragged_units<const KATAKANA: bool>(
    bits: u64,
    code_points: *const u16,
    src: *const u8,
    to: *mut u16,
) -> usize {
    // SAFETY: the contract of this function.
    unsafe { ragged_units::<KATAKANA>(bits, code_points, src, to) }
}
