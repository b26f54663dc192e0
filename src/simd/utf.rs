//! Conversions between the Unicode encodings: UTF-8, UTF-16 code units, and their bytes in either order.
//!
//! Every kernel converts the longest well-formed prefix that fits, in whole characters. It stops before a malformed or
//! incomplete sequence and before a lone surrogate, at the same unit at every level. The algorithms in safe code are in
//! [`portable`] (from UTF-8), [`utf16_to_utf8_portable`] and [`units`] (copies code units). [`avx512`] has the kernels for AVX-512, and [`v256`] those for AVX2 and NEON.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
mod lookup;
mod portable;
mod units;
mod utf16_to_utf8_portable;
#[cfg(v256)]
pub(super) mod v256;
pub(super) mod validate;

use super::arrays::tail;
use super::ascii::bits::FromAscii;
use super::ascii::{copy_ascii, narrow_ascii, widen_ascii};
use super::level::{Active, Level, with_avx512, with_v256};
use super::out::Out;
use crate::simd::tuning;
use validate::{is_few_and_valid, may_be_ascii};

/// True if this machine is big-endian.
const HERE: bool = cfg!(target_endian = "big");

/// Converts a code unit of the given byte order to a native one.
#[inline(always)]
fn native<const BIG_ENDIAN: bool>(bytes: [u8; 2]) -> u16 {
    if BIG_ENDIAN {
        u16::from_be_bytes(bytes)
    } else {
        u16::from_le_bytes(bytes)
    }
}

/// True if UTF-8 starts with a malformed sequence. In noise, half of the errors are followed by another one.
#[inline(always)]
fn starts_malformed(src: &[u8]) -> bool {
    match *src {
        [first, ..] if first < 0x80 => false,
        [0xC2..=0xF4, second, ..] => second & 0xC0 != 0x80,
        _ => true,
    }
}

/// Returns how many of the last three bytes are the start of a cut character, if the bytes before are well-formed.
#[inline(always)]
fn cut(last: [u8; 3]) -> usize {
    match last {
        [_, _, 0xC0..=0xFF] => 1,
        [_, 0xE0..=0xFF, _] => 2,
        [0xF0..=0xFF, _, _] => 3,
        _ => 0,
    }
}

/// Writes UTF-8 as UTF-16 code units. Returns the number of bytes read.
pub(crate) fn utf8_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() <= tuning::UTF8_DIRECT_UP_TO {
        return portable::short_utf8_to_utf16(src, out);
    }
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

/// True if all of `src` fits into one block of this level's kernel, so that no ASCII kernel need run first.
#[inline(always)]
fn is_block(active: Active, src: &[u8]) -> bool {
    match active.level() {
        Level::Avx512 => src.len() <= 64,
        Level::Avx2 | Level::Neon | Level::Simd128 => src.len() <= 32,
        _ => false,
    }
}

fn utf8_to_utf16_at(active: Active, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    // SAFETY: `room` units are writable at `to`, and the kernel initialises those that it reports.
    let read = unsafe { out.write_with(|to, room| to_units::<HERE>(active, src, to.cast(), room)) };
    if read == src.len() || active.level() == Level::Avx512 {
        return read;
    }
    read + portable::utf8_to_utf16(tail(src, read), out)
}

/// Converts UTF-8 to code units of the given byte order with the kernel of a level. Returns the bytes read and the code
/// units written. AVX-512's kernel leaves nothing to the portable loop.
///
/// # Safety
/// `room` code units of two bytes, of any alignment, are writable at `to`.
#[inline(always)]
unsafe fn to_units<const BIG_ENDIAN: bool>(
    active: Active,
    src: &[u8],
    to: *mut u8,
    room: usize,
) -> (usize, usize) {
    // SAFETY: holding the token proves detection succeeded; `room` units are writable, by `# Safety`.
    with_avx512!(active, |token| return unsafe {
        avx512::utf8_to_utf16::<BIG_ENDIAN>(token, src, to, room)
    });
    let _ = (src, to, room);
    // SAFETY: holding the token proves detection succeeded; `room` units are writable, by `# Safety`.
    with_v256!(active, |token| unsafe {
        v256::utf8_to_utf16::<BIG_ENDIAN, false>(token, src, to, room)
    })
    .unwrap_or((0, 0))
}

/// Writes UTF-8 as the bytes of UTF-16. Returns the number of bytes read.
pub(crate) fn utf8_to_utf16_bytes(src: &[u8], big_endian: bool, out: &mut Out<'_, u8>) -> usize {
    utf8_to_utf16_bytes_at(Active::now(), src, big_endian, out)
}

fn utf8_to_utf16_bytes_at(
    active: Active,
    src: &[u8],
    big_endian: bool,
    out: &mut Out<'_, u8>,
) -> usize {
    // SAFETY: `room / 2` units of two bytes are writable at `to`, and the kernel initialises those that it reports.
    let read = unsafe {
        out.write_with(|to, room| {
            let (read, written) = match big_endian {
                true => to_units::<true>(active, src, to, room / 2),
                false => to_units::<false>(active, src, to, room / 2),
            };
            (read, 2 * written)
        })
    };
    if active.level() == Level::Avx512 {
        return read;
    }
    let rest = tail(src, read);
    read + portable::utf8_to_utf16_bytes(active, rest, big_endian, out)
}

/// Copies UTF-8. Returns the number of bytes read, which equals the number of bytes written.
pub(crate) fn utf8_to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let active = Active::now();
    // Validating short input as a whole is faster than character by character.
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
    // SAFETY: the kernel writes at most `room` bytes and initialises those that it reports.
    with_avx512!(active, |token| return unsafe {
        out.write_with(|to, room| [avx512::utf8_to_utf8::<true>(token, src, to, room); 2].into())
    });
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = super::level::Avx2::at(active) {
        // SAFETY: the kernel writes at most `room` bytes and initialises those that it reports.
        let copied = unsafe {
            out.write_with(|to, room| [v256::utf8_to_utf8(token, src, to, room); 2].into())
        };
        // The rest starts in a block with a malformed sequence, or is too short for a block.
        return copied + portable::utf8_to_utf8(tail(src, copied), out);
    }
    let _ = active;
    portable::utf8_to_utf8(src, out)
}

/// Writes UTF-16 code units as UTF-8. Returns the number of units read.
pub(crate) fn utf16_to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let active = Active::now();
    if active.is_short(src.len(), tuning::UTF16_DIRECT_UP_TO) {
        return utf16_to_utf8_portable::utf16_to_utf8::<HERE>(bytemuck::must_cast_slice(src), out);
    }
    // The start of a page, or a whole short text, may be ASCII.
    let ascii = match src {
        [first, ..] if *first < 0x80 => narrow_ascii(src, out),
        _ => 0,
    };
    let rest = bytemuck::must_cast_slice(tail(src, ascii));
    ascii + ordered_utf16_to_utf8::<HERE>(active, rest, out)
}

/// Writes 8 to 256 ASCII code units. Returns false and writes nothing if there are others, or if they do not fit.
#[inline(always)]
pub(crate) fn push_short_ascii_units(src: &[u16], out: &mut Out<'_, u8>) -> bool {
    // The first unit rejects most non-ASCII text.
    src.first().is_some_and(|&first| first < 0x80)
        && src.len() <= 256
        && u8::push_short_ascii(src, out)
}

/// Writes the bytes of UTF-16 as UTF-8. Returns the number of bytes read, which is even.
pub(crate) fn utf16_bytes_to_utf8(src: &[u8], big_endian: bool, out: &mut Out<'_, u8>) -> usize {
    let (src, _) = src.as_chunks::<2>();
    2 * if big_endian {
        ordered_utf16_to_utf8::<true>(Active::now(), src, out)
    } else {
        ordered_utf16_to_utf8::<false>(Active::now(), src, out)
    }
}

/// Writes UTF-16 of one byte order as UTF-8. Returns the number of units read.
fn ordered_utf16_to_utf8<const BIG_ENDIAN: bool>(
    active: Active,
    src: &[[u8; 2]],
    out: &mut Out<'_, u8>,
) -> usize {
    if src.len() <= tuning::UTF16_DIRECT_UP_TO[0] {
        return utf16_to_utf8_portable::utf16_to_utf8::<BIG_ENDIAN>(src, out);
    }
    // SAFETY: holding the token proves detection succeeded. `src` has `len` units; the kernel writes at most `room` bytes
    // and initialises those that it reports.
    with_avx512!(active, |token| return unsafe {
        let (from, len) = (src.as_ptr().cast(), src.len());
        out.write_with(|to, room| avx512::utf16_to_utf8::<BIG_ENDIAN>(token, from, len, to, room))
    });
    let mut read = 0;
    loop {
        let rest = tail(src, read);
        if rest.len() < 16 {
            return read + utf16_to_utf8_portable::utf16_to_utf8::<BIG_ENDIAN>(rest, out);
        }
        let taken: Option<usize> = with_v256!(active, |token| {
            let (from, len) = (rest.as_ptr().cast(), rest.len());
            // SAFETY: holding the token proves detection succeeded. `rest` has `len` units; the kernel writes at most
            // `room` bytes and initialises those that it reports.
            unsafe {
                out.write_with(|to, room| {
                    v256::utf16_to_utf8::<BIG_ENDIAN>(token, from, len, to, room)
                })
            }
        });
        let Some(taken) = taken else {
            return utf16_to_utf8_portable::utf16_to_utf8::<BIG_ENDIAN>(rest, out);
        };
        read += taken;
        // The kernel stopped at a lone surrogate, near the end of the output, or near the end of the input.
        let rest = tail(src, read);
        if rest.is_empty() {
            return read;
        }
        let n = rest.len().min(tuning::PORTABLE_UP_TO);
        let taken = utf16_to_utf8_portable::utf16_to_utf8::<BIG_ENDIAN>(&rest[..n], out);
        read += taken;
        // The units converted one by one may end inside a surrogate pair.
        if read == src.len() || taken == 0 || taken + 1 < n {
            return read;
        }
    }
}

/// Writes the bytes of UTF-16 as code units. Returns the number of bytes read, which is even.
pub(crate) fn utf16_bytes_to_utf16(src: &[u8], big_endian: bool, out: &mut Out<'_, u16>) -> usize {
    2 * units::from_bytes(Active::now(), src, big_endian, out)
}

/// Writes UTF-16 code units as their bytes. Returns the number of units read.
pub(crate) fn utf16_to_utf16_bytes(src: &[u16], big_endian: bool, out: &mut Out<'_, u8>) -> usize {
    units::to_bytes(Active::now(), src, big_endian, out)
}

#[cfg(test)]
mod tests;
