//! Between the Unicode encodings: UTF-8, UTF-16 code units, and their bytes in either order.
//!
//! Every kernel takes a prefix that is well-formed and fits, character by character: it stops before a malformed or
//! incomplete sequence and before a lone surrogate, to the unit, so that at every level the same prefix is taken.
//! [`portable`] holds the algorithms from UTF-8 in safe code, [`utf16_to_utf8_portable`] the one from UTF-16 to UTF-8,
//! [`units`] the one that copies code units, [`replace_surrogates`] the one that replaces lone surrogates; [`avx512`] has
//! kernels for that instruction set, and [`v256`] those for AVX2 and NEON.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
mod lookup;
mod portable;
mod replace_surrogates;
mod units;
mod utf16_to_utf8_portable;
#[cfg(v256)]
pub(super) mod v256;
pub(super) mod validate;

pub(crate) use replace_surrogates::{
    utf16_bytes_replacing_surrogates, utf16_to_utf8_replacing_surrogates,
};

use super::arrays::tail;
use super::ascii::bits::FromAscii;
use super::ascii::{copy_ascii, narrow_ascii, widen_ascii};
use super::level::Level;
use super::out::Out;
#[cfg(target_arch = "x86_64")]
use super::token;
use super::token::{Active, with_v256};
use crate::simd::tuning;
use validate::{is_few_and_valid, may_be_ascii};

/// Whether this machine is big-endian.
const HERE: bool = cfg!(target_endian = "big");

/// Units taken a character at a time where a kernel has met a lone surrogate.
const STRETCH: usize = tuning::AFTER_LONE_SURROGATE;

/// Reads a code unit of one byte order, natively.
#[inline(always)]
fn native<const BIG_ENDIAN: bool>(bytes: [u8; 2]) -> u16 {
    if BIG_ENDIAN {
        u16::from_be_bytes(bytes)
    } else {
        u16::from_le_bytes(bytes)
    }
}

/// Whether UTF-8 starts with what no kernel takes: in noise, every other error is followed by one.
#[inline(always)]
fn starts_malformed(src: &[u8]) -> bool {
    match *src {
        [first, ..] if first < 0x80 => false,
        [0xC2..=0xF4, second, ..] => second & 0xC0 != 0x80,
        _ => true,
    }
}

/// How many of the last three bytes before a place are of a character that it cuts, where all before it is right so far.
#[inline(always)]
fn cut(last: [u8; 3]) -> usize {
    match last {
        [_, _, 0xC0..=0xFF] => 1,
        [_, 0xE0..=0xFF, _] => 2,
        [0xF0..=0xFF, _, _] => 3,
        _ => 0,
    }
}

/// Writes UTF-8 as UTF-16 code units; returns the bytes read.
pub(crate) fn utf8_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let active = Active::now();
    let ascii = if !is_block(active, src) && may_be_ascii(src) {
        widen_ascii(src, out)
    } else {
        0
    };
    let rest = tail(src, ascii);
    if rest.is_empty() || starts_malformed(rest) {
        return ascii;
    }
    ascii + utf8_to_utf16_at(active, rest, out)
}

/// Whether all of `src` is a block for the kernel of this level, which does not ask what is ASCII.
#[inline(always)]
fn is_block(active: Active, src: &[u8]) -> bool {
    match active.level() {
        Level::Avx512 => src.len() <= 64,
        Level::Avx2 | Level::Neon | Level::Simd128 => src.len() <= 32,
        _ => false,
    }
}

fn utf8_to_utf16_at(active: Active, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx512::at(active) {
        // SAFETY: holding the token proves detection succeeded; the kernel initialises the units that it returns.
        return unsafe {
            out.write_with(|to, room| avx512::utf8_to_utf16::<false>(token, src, to.cast(), room))
        };
    }
    let read = with_v256!(active, |token| {
        // SAFETY: the kernel initialises the units that it returns.
        unsafe {
            out.write_with(|to, room| v256::utf8_to_utf16::<false>(token, src, to.cast(), room))
        }
    });
    if let Some(read) = read {
        if read == src.len() {
            return read;
        }
        return read + portable::utf8_to_utf16(tail(src, read), out);
    }
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
        // SAFETY: holding the token proves detection succeeded; the kernel initialises the units that it returns.
        return unsafe {
            out.write_with(|to, room| {
                let (read, written) = if big_endian {
                    avx512::utf8_to_utf16::<true>(token, src, to, room / 2)
                } else {
                    avx512::utf8_to_utf16::<false>(token, src, to, room / 2)
                };
                (read, 2 * written)
            })
        };
    }
    let read = with_v256!(active, |token| {
        // SAFETY: the kernel initialises the units that it returns.
        unsafe {
            out.write_with(|to, room| {
                let (read, written) = if big_endian {
                    v256::utf8_to_utf16::<true>(token, src, to, room / 2)
                } else {
                    v256::utf8_to_utf16::<false>(token, src, to, room / 2)
                };
                (read, 2 * written)
            })
        }
    });
    let read = read.unwrap_or(0);
    let rest = tail(src, read);
    read + portable::utf8_to_utf16_bytes(active, rest, big_endian, out)
}

/// Copies UTF-8; returns the bytes read, which are the bytes written.
pub(crate) fn utf8_to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let active = Active::now();
    // Looked at as a whole it is faster than from character to character.
    if is_few_and_valid(active, src) && out.push_slice(src) {
        return src.len();
    }
    let ascii = if may_be_ascii(src) {
        copy_ascii(src, out)
    } else {
        0
    };
    let rest = tail(src, ascii);
    if rest.is_empty() || starts_malformed(rest) {
        return ascii;
    }
    ascii + utf8_to_utf8_at(active, rest, out)
}

fn utf8_to_utf8_at(active: Active, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx512::at(active) {
        // SAFETY: the kernel initialises the bytes that it returns.
        return unsafe {
            out.write_with(|to, room| [avx512::utf8_to_utf8(token, src, to, room); 2].into())
        };
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx2::at(active) {
        // SAFETY: holding the token proves detection succeeded; the kernel initialises the bytes that it returns.
        let copied = unsafe {
            out.write_with(|to, room| [v256::utf8_to_utf8(token, src, to, room); 2].into())
        };
        // A fault within a block, or the end.
        return copied + portable::utf8_to_utf8(tail(src, copied), out);
    }
    let _ = active;
    portable::utf8_to_utf8(src, out)
}

/// Writes UTF-16 code units as UTF-8; returns the units read.
pub(crate) fn utf16_to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    // A page's head, or all of a short text, may be ASCII.
    let ascii = match src {
        [first, ..] if *first < 0x80 => narrow_ascii(src, out),
        _ => 0,
    };
    let rest = tail(src, ascii);
    if rest.is_empty() {
        return ascii;
    }
    let rest = bytemuck::must_cast_slice(rest);
    ascii + ordered_utf16_to_utf8::<HERE>(Active::now(), rest, out)
}

/// Writes 4 to 256 code units of ASCII; does nothing, and says so, if they are anything else or there is no room.
#[inline(always)]
pub(crate) fn push_short_ascii_units(src: &[u16], out: &mut Out<'_, u8>) -> bool {
    match src.len() {
        0..=16 => {
            utf16_to_utf8_portable::push_short_ascii::<HERE>(bytemuck::must_cast_slice(src), out)
        }
        17..=256 => u8::push_short_ascii(src, out),
        _ => false,
    }
}

/// Writes the bytes of UTF-16 as UTF-8; returns the bytes read, an even number.
pub(crate) fn utf16_bytes_to_utf8(src: &[u8], big_endian: bool, out: &mut Out<'_, u8>) -> usize {
    let (src, _) = src.as_chunks::<2>();
    2 * if big_endian {
        ordered_utf16_to_utf8::<true>(Active::now(), src, out)
    } else {
        ordered_utf16_to_utf8::<false>(Active::now(), src, out)
    }
}

/// Writes UTF-16 of one byte order as UTF-8; returns the units read.
fn ordered_utf16_to_utf8<const BIG_ENDIAN: bool>(
    active: Active,
    src: &[[u8; 2]],
    out: &mut Out<'_, u8>,
) -> usize {
    if utf16_to_utf8_portable::push_short_ascii::<BIG_ENDIAN>(src, out) {
        return src.len();
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = token::Avx512::at(active) {
        let (from, len) = (src.as_ptr().cast(), src.len());
        // SAFETY: holding the token proves detection succeeded; `src` has `len` units, and the kernel initialises the bytes
        // that it returns.
        return unsafe {
            out.write_with(|to, room| {
                avx512::utf16_to_utf8::<BIG_ENDIAN>(token, from, len, to, room)
            })
        };
    }
    let mut read = 0;
    loop {
        let rest = tail(src, read);
        if rest.len() < 16 {
            return read + utf16_to_utf8_portable::utf16_to_utf8::<BIG_ENDIAN>(active, rest, out);
        }
        let taken: Option<usize> = with_v256!(active, |token| {
            let (from, len) = (rest.as_ptr().cast(), rest.len());
            // SAFETY: holding the token proves detection succeeded; `rest` has `len` units, and the kernel initialises the
            // bytes that it returns.
            unsafe {
                out.write_with(|to, room| {
                    v256::utf16_to_utf8::<BIG_ENDIAN>(token, from, len, to, room)
                })
            }
        });
        let Some(taken) = taken else {
            return utf16_to_utf8_portable::utf16_to_utf8::<BIG_ENDIAN>(active, rest, out);
        };
        read += taken;
        // A lone surrogate, little room, or the end.
        let rest = tail(src, read);
        if rest.is_empty() {
            return read;
        }
        let n = rest.len().min(STRETCH);
        let taken = utf16_to_utf8_portable::utf16_to_utf8::<BIG_ENDIAN>(active, &rest[..n], out);
        read += taken;
        // The stretch may have ended inside a pair.
        if read == src.len() || taken == 0 || taken + 1 < n {
            return read;
        }
    }
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
