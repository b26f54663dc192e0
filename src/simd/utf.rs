//! Between the Unicode encodings: UTF-8, UTF-16 code units, and their bytes in either order.
//!
//! Every kernel takes a prefix that is well-formed and fits, character by character: it stops before a malformed or
//! incomplete sequence and before a lone surrogate, to the unit, so that at every level the same prefix is taken.
//! [`portable`] holds the algorithms in safe code; [`units`] copies code units, and is portable code that is compiled
//! once per instruction set; the directories named after instruction sets hold what needs intrinsics.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod lookup;
mod portable;
mod units;

use super::out::Out;
use super::token::{self, Active};

/// Writes UTF-8 as UTF-16 code units; returns the bytes read.
pub(crate) fn utf8_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    utf8_to_utf16_at(Active::now(), src, out)
}

fn utf8_to_utf16_at(active: Active, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx512::at(active) {
        // SAFETY: `out` has room for `room()` units; the kernel initialises those it reports.
        return unsafe {
            let (read, written) =
                avx512::utf8_to_utf16::<false>(token, src, out.spare_ptr().cast(), out.room());
            out.advance(written);
            read
        };
    }
    let _ = active;
    portable::utf8_to_utf16(src, out)
}

/// Writes UTF-8 as the bytes of UTF-16; returns the bytes read.
pub(crate) fn utf8_to_utf16_bytes(src: &[u8], big_endian: bool, out: &mut Out<'_, u8>) -> usize {
    utf8_to_utf16_bytes_at(Active::now(), src, big_endian, out)
}

fn utf8_to_utf16_bytes_at(
    active: Active,
    src: &[u8],
    big_endian: bool,
    out: &mut Out<'_, u8>,
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx512::at(active) {
        let room = out.room() / 2;
        // SAFETY: `out` has room for `room` units of two bytes; the kernel initialises those it reports.
        return unsafe {
            let to = out.spare_ptr();
            let (read, written) = if big_endian {
                avx512::utf8_to_utf16::<true>(token, src, to, room)
            } else {
                avx512::utf8_to_utf16::<false>(token, src, to, room)
            };
            out.advance(2 * written);
            read
        };
    }
    let _ = active;
    portable::utf8_to_utf16_bytes(src, big_endian, out)
}

/// Copies UTF-8; returns the bytes read, as many as written.
pub(crate) fn utf8_to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    utf8_to_utf8_at(Active::now(), src, out)
}

fn utf8_to_utf8_at(active: Active, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx512::at(active) {
        // SAFETY: `out` has room for `room()` bytes; the kernel initialises those it reports.
        return unsafe {
            let copied = avx512::utf8_to_utf8(token, src, out.spare_ptr(), out.room());
            out.advance(copied);
            copied
        };
    }
    let _ = active;
    portable::utf8_to_utf8(src, out)
}

/// Writes UTF-16 code units as UTF-8; returns the units read.
pub(crate) fn utf16_to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    utf16_to_utf8_at(Active::now(), src, out)
}

fn utf16_to_utf8_at(active: Active, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx512::at(active) {
        // SAFETY: `src` has `len` units, and `out` room for `room()` bytes; the kernel initialises those it reports.
        return unsafe {
            let (from, to, room) = (src.as_ptr().cast(), out.spare_ptr(), out.room());
            let (read, written) = avx512::utf16_to_utf8::<false>(token, from, src.len(), to, room);
            out.advance(written);
            read
        };
    }
    let _ = active;
    portable::utf16_to_utf8(src, out)
}

/// Writes the bytes of UTF-16 as UTF-8; returns the bytes read, an even number.
pub(crate) fn utf16_bytes_to_utf8(src: &[u8], big_endian: bool, out: &mut Out<'_, u8>) -> usize {
    utf16_bytes_to_utf8_at(Active::now(), src, big_endian, out)
}

fn utf16_bytes_to_utf8_at(
    active: Active,
    src: &[u8],
    big_endian: bool,
    out: &mut Out<'_, u8>,
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx512::at(active) {
        // SAFETY: `src` has `len` units of two bytes, and `out` room for `room()` bytes; the kernel initialises those
        // it reports.
        return unsafe {
            let (from, len) = (src.as_ptr(), src.len() / 2);
            let (to, room) = (out.spare_ptr(), out.room());
            let (read, written) = if big_endian {
                avx512::utf16_to_utf8::<true>(token, from, len, to, room)
            } else {
                avx512::utf16_to_utf8::<false>(token, from, len, to, room)
            };
            out.advance(written);
            2 * read
        };
    }
    let _ = active;
    portable::utf16_bytes_to_utf8(src, big_endian, out)
}

/// Writes the bytes of UTF-16 as code units; returns the bytes read, an even number.
pub(crate) fn utf16_bytes_to_utf16(src: &[u8], big_endian: bool, out: &mut Out<'_, u16>) -> usize {
    2 * units::from_bytes(Active::now(), src, big_endian, out)
}

/// Writes UTF-16 code units as their bytes; returns the units read.
pub(crate) fn utf16_to_utf16_bytes(src: &[u16], big_endian: bool, out: &mut Out<'_, u8>) -> usize {
    units::to_bytes(Active::now(), src, big_endian, out)
}

#[cfg(test)]
mod tests;
