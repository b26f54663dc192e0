//! The input forms UTF-8 and UTF-16, which supply the code units of a batch.

use super::super::utf8_floor;
use super::{AHEAD, BatchInput, Buffer, Input, READ_PADDING, UNITS, Units, WRITE_PADDING};
use crate::simd::ascii::{copy_ascii, narrow_ascii};
use crate::simd::double_byte::{Utf8, Utf16};
use crate::simd::out::Out;
use crate::simd::surrogates::is_lead;
use crate::simd::utf;
use crate::simd::vector::{LEN, Token, V256};

/// UTF-8, which is valid, as it comes from a `str`.
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

    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
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

/// Converts UTF-8 to code units. Returns the number of bytes read and units written: all, except for fewer than four
/// bytes, or 32 to 34.
///
/// # Safety
/// `src` consists of whole characters. `src.len() + WRITE_PADDING` units are writable at `to`.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
)]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
unsafe fn widen(v: Token, src: &[u8], to: *mut u16) -> (usize, usize) {
    // The kernel requires 40 writable units after those of a block.
    const { assert!(WRITE_PADDING - READ_PADDING >= 40) };
    // SAFETY: `src.len() + WRITE_PADDING` units are writable, by `# Safety`. The kernel writes at most one unit for
    // each byte, so `len + READ_PADDING` are in bounds.
    unsafe {
        let room = src.len() + WRITE_PADDING - READ_PADDING;
        let (read, len) = utf::v256::valid_utf8_to_utf16(v, src, to.cast(), room);
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
