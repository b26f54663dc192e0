//! Between the Unicode encodings: UTF-8, UTF-16 code units, and their bytes in either order.
//!
//! Every kernel takes a prefix that is well-formed and fits, character by character: it stops before a malformed or
//! incomplete sequence and before a lone surrogate, to the unit, so that at every level the same prefix is taken.
//! [`portable`] holds the algorithms in safe code; [`units`] copies code units, and is portable code that is compiled
//! once per instruction set; the directories named after instruction sets hold what needs intrinsics.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
mod lookup;
mod portable;
mod units;

use super::ascii::{copy_ascii, narrow_ascii, widen_ascii};
use super::out::Out;
#[cfg(target_arch = "x86_64")]
use super::token;
use super::token::Active;

/// In input of at most this many units, ASCII is converted without a look at the instruction set.
const SHORT: usize = 16;

/// Units taken a character at a time where a kernel has met a lone surrogate.
const STRETCH: usize = 16;

/// Whether UTF-8 starts with what no kernel takes: in noise, every other error is followed by one.
#[inline(always)]
fn starts_malformed(src: &[u8]) -> bool {
    match *src {
        [first, ..] if first < 0x80 => false,
        [0xC2..=0xF4, second, ..] => second & 0xC0 != 0x80,
        _ => true,
    }
}

/// Writes UTF-8 as UTF-16 code units; returns the bytes read.
pub(crate) fn utf8_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let ascii = if src.len() <= SHORT {
        widen_ascii(src, out)
    } else {
        0
    };
    let rest = &src[ascii..];
    if rest.is_empty() || starts_malformed(rest) {
        return ascii;
    }
    ascii + utf8_to_utf16_at(Active::now(), rest, out)
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
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx2::at(active) {
        // SAFETY: as above.
        let read = unsafe {
            let (read, written) =
                avx2::utf8_to_utf16::<false>(token, src, out.spare_ptr().cast(), out.room());
            out.advance(written);
            read
        };
        return read + portable::utf8_to_utf16(&src[read..], out);
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
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx2::at(active) {
        let room = out.room() / 2;
        // SAFETY: as above.
        let read = unsafe {
            let to = out.spare_ptr();
            let (read, written) = if big_endian {
                avx2::utf8_to_utf16::<true>(token, src, to, room)
            } else {
                avx2::utf8_to_utf16::<false>(token, src, to, room)
            };
            out.advance(2 * written);
            read
        };
        return read + portable::utf8_to_utf16_bytes(&src[read..], big_endian, out);
    }
    let _ = active;
    portable::utf8_to_utf16_bytes(src, big_endian, out)
}

/// Copies UTF-8; returns the bytes read, as many as written.
pub(crate) fn utf8_to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let ascii = if src.len() <= SHORT {
        copy_ascii(src, out)
    } else {
        0
    };
    let rest = &src[ascii..];
    if rest.is_empty() || starts_malformed(rest) {
        return ascii;
    }
    ascii + utf8_to_utf8_at(Active::now(), rest, out)
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
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx2::at(active) {
        // SAFETY: as above.
        let copied = unsafe {
            let copied = avx2::utf8_to_utf8(token, src, out.spare_ptr(), out.room());
            out.advance(copied);
            copied
        };
        // A fault within a block, or the end.
        return copied + portable::utf8_to_utf8(&src[copied..], out);
    }
    let _ = active;
    portable::utf8_to_utf8(src, out)
}

/// Writes UTF-16 code units as UTF-8; returns the units read.
pub(crate) fn utf16_to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let ascii = if src.len() <= SHORT {
        narrow_ascii(src, out)
    } else {
        0
    };
    let rest = &src[ascii..];
    if rest.is_empty() {
        return ascii;
    }
    ascii + utf16_to_utf8_at(Active::now(), rest, out)
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
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx2::at(active) {
        let mut read = 0;
        loop {
            let rest = &src[read..];
            // SAFETY: as above.
            read += unsafe {
                let (from, to, room) = (rest.as_ptr().cast(), out.spare_ptr(), out.room());
                let (read, written) =
                    avx2::utf16_to_utf8::<false>(token, from, rest.len(), to, room);
                out.advance(written);
                read
            };
            // A lone surrogate, or the end.
            let rest = &src[read..];
            let n = rest.len().min(STRETCH);
            let taken = portable::utf16_to_utf8(&rest[..n], out);
            read += taken;
            if !portable::goes_on(taken, n) {
                return read;
            }
        }
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
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx2::at(active) {
        let mut read = 0;
        loop {
            let rest = &src[read..];
            // SAFETY: as above.
            read += unsafe {
                let (from, len) = (rest.as_ptr(), rest.len() / 2);
                let (to, room) = (out.spare_ptr(), out.room());
                let (read, written) = if big_endian {
                    avx2::utf16_to_utf8::<true>(token, from, len, to, room)
                } else {
                    avx2::utf16_to_utf8::<false>(token, from, len, to, room)
                };
                out.advance(written);
                2 * read
            };
            // A lone surrogate, or the end.
            let rest = &src[read..];
            let n = (rest.len() / 2).min(STRETCH);
            let taken = portable::utf16_bytes_to_utf8(&rest[..2 * n], big_endian, out);
            read += taken;
            if !portable::goes_on(taken / 2, n) {
                return read;
            }
        }
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
