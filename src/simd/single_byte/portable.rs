//! Single-byte kernels without vector instructions: one character at a time, with few branches.
//!
//! In dense text, letters and spaces alternate unpredictably, so a branch on them costs more than all other work on a
//! character. Here ASCII and two-byte characters take the same path: the length only advances the cursor, and the
//! stores for both lengths overlap. The remaining branches are seldom taken: for a run of ASCII, a three-byte
//! character, or a stop.

use crate::simd::tuning;
use core::hint::select_unpredictable;

use super::super::arrays::{map_array, tail};
use super::super::ascii::bits::{differing_units, not_ascii, push_as_ascii};
use super::super::ascii::{copy_ascii, narrow_ascii, widen_ascii};
use super::super::out::Out;
use super::super::utf8_encode::character;
use super::{CodePoints, Pages, mostly_ascii};

/// The length of the prefix that is converted without tables, so that input that often stops never builds tables.
const HEAD: usize = tuning::PORTABLE_HEAD;

/// The number of characters between two tests for a run of ASCII and for the room.
const GROUP: usize = 8;

/// The kind of the next characters.
enum Ahead {
    /// At least two groups of ASCII: a run, for the kernel that all encodings share.
    Run,
    /// A group of ASCII.
    Ascii,
    /// Other characters.
    Mixed,
}

#[inline(always)]
fn ahead(src: &[u8]) -> Ahead {
    const NOT_ASCII: u64 = 0x8080_8080_8080_8080;
    let is_ascii = |bytes: &[u8; GROUP]| u64::from_ne_bytes(*bytes) & NOT_ASCII == 0;
    match src.as_chunks().0 {
        [first, second, ..] if is_ascii(first) && is_ascii(second) => Ahead::Run,
        [first, ..] if is_ascii(first) => Ahead::Ascii,
        _ => Ahead::Mixed,
    }
}

/// Implements [`ahead`] for code units.
#[inline(always)]
fn ahead_in_units(src: &[u16]) -> Ahead {
    let is_ascii = |units: &[u16; GROUP]| units.iter().fold(0, |any, unit| any | unit) < 0x80;
    match src.as_chunks().0 {
        [first, second, ..] if is_ascii(first) && is_ascii(second) => Ahead::Run,
        [first, ..] if is_ascii(first) => Ahead::Ascii,
        _ => Ahead::Mixed,
    }
}

/// Returns the code point of a byte; 0 if it is unmapped.
#[inline(always)]
fn code_point(code_points: &CodePoints, byte: u8) -> u16 {
    let code_point = code_points[usize::from(byte & 0x7F)];
    select_unpredictable(byte < 0x80, u16::from(byte), code_point)
}

/// Returns the first group of `src`, or all of `src` if it is shorter.
#[inline(always)]
fn group<T>(src: &[T]) -> &[T] {
    &src[..src.len().min(GROUP)]
}

/// Writes the rest of `src` from `read` on, if it is shorter than a group and the last group of `src` is ASCII. Stores
/// that whole group, whose start was written before. Otherwise returns false and writes nothing.
#[inline(always)]
fn push_ascii_end<T: Copy + Into<u32>, U: Copy>(
    src: &[T],
    read: usize,
    out: &mut Out<'_, U>,
    convert: impl Fn(T) -> U,
) -> bool {
    let end = src.len() - read;
    let Some(last) = src.last_chunk::<GROUP>().filter(|_| end < GROUP) else {
        return false;
    };
    let any = last.iter().fold(0, |any, &unit| any | unit.into());
    let again = GROUP - end;
    if any >= 0x80 || out.room() < end || out.written() < again {
        return false;
    }
    // SAFETY: `out.written() >= again` and `out.room() >= end`, tested above, and `again + end = GROUP`. The first
    // `again` units are ASCII that was written already, so they keep their values.
    unsafe {
        let to = out.spare_ptr().sub(again).cast::<[U; GROUP]>();
        to.write(map_array(*last, convert));
        out.advance(end);
    }
    true
}

/// Converts units of a group up to the first for which `convert` returns `None`. Returns the number written.
#[inline(always)]
fn convert_group<T: Copy, U: Copy>(
    group: &[T],
    out: &mut Out<'_, U>,
    convert: impl Fn(T) -> Option<U>,
) -> usize {
    let group = &group[..group.len().min(out.room())];
    let to = out.spare_ptr();
    let mut taken = 0;
    // SAFETY: `taken < group.len()` in the loop, and `group` was cut to `out.room()`. The loop initialises `taken` units.
    unsafe {
        for &unit in group {
            let Some(converted) = convert(unit) else {
                break;
            };
            to.add(taken).write(converted);
            taken += 1;
        }
        out.advance(taken);
    }
    taken
}

/// Decodes like [`decode_utf16_some`], with a fast exit for empty input, which kernels usually leave.
#[inline(always)]
pub(super) fn decode_utf16(code_points: &CodePoints, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.is_empty() {
        return 0;
    }
    decode_utf16_some(code_points, src, out)
}

#[inline(never)]
fn decode_utf16_some(code_points: &CodePoints, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() <= tuning::DIRECT_UP_TO[1] {
        return decode_group_utf16(code_points, src, out);
    }
    let mut read = 0;
    if src.len() >= tuning::TABLES_OF_CALL_FROM && mostly_ascii::is_for(code_points) {
        read = decode_utf16_loop(code_points, &src[..HEAD], out);
        if read < HEAD {
            return read;
        }
        let rest = tail(src, read);
        read += mostly_ascii::decode_utf16(code_points, rest, out, |block| not_ascii(block));
    }
    read + decode_utf16_loop(code_points, tail(src, read), out)
}

/// Decodes mapped bytes while they fit, eight at a time. Returns the number of bytes read.
pub(super) fn decode_utf16_short(
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    let mut out = out.local();
    let mut rest = src;
    while let Some((&bytes, after)) = rest.split_first_chunk::<GROUP>() {
        let units = if bytes.is_ascii() {
            map_array(bytes, u16::from)
        } else {
            eight_units(code_points, bytes)
        };
        // A unit of 0 is unmapped, or U+0000.
        let is_zero = units.iter().fold(false, |any, &unit| any | (unit == 0));
        if is_zero || !out.push_array(units) {
            break;
        }
        rest = after;
    }
    src.len() - rest.len() + decode_group_utf16(code_points, rest, &mut out)
}

/// Decodes up to `MASK_WIDTH` bytes of a Latin encoding without unmapped bytes. Returns the number of bytes read.
///
/// All bytes are widened as ASCII, and then the letters are corrected. The only data-dependent branch is on their
/// number.
pub(super) fn decode_latin_utf16(
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    let start = out.written();
    if !push_as_ascii(src, out) {
        return decode_group_utf16(code_points, src, out);
    }
    let mut letters = not_ascii(src);
    let units = &mut out.written_slice_mut()[start..];
    while letters != 0 {
        let at = letters.trailing_zeros() as usize;
        if let (Some(unit), Some(&byte)) = (units.get_mut(at), src.get(at)) {
            *unit = code_points[usize::from(byte & 0x7F)];
        }
        letters &= letters - 1;
    }
    src.len()
}

/// Returns the code points of eight bytes; 0 for an unmapped byte. The compiler would branch on each byte.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn eight_units(code_points: &CodePoints, bytes: [u8; GROUP]) -> [u16; GROUP] {
    use core::arch::x86_64::*;
    let high = map_array(bytes, |byte| code_points[usize::from(byte & 0x7F)] as i16);
    // SAFETY: the crate is compiled for SSE2.
    bytemuck::must_cast(unsafe {
        let [a, b, c, d, e, f, g, h] = high;
        let high = _mm_setr_epi16(a, b, c, d, e, f, g, h);
        let low = _mm_cvtsi64_si128(i64::from_le_bytes(bytes));
        let low = _mm_unpacklo_epi8(low, _mm_setzero_si128());
        let is_ascii = _mm_cmplt_epi16(low, _mm_set1_epi16(0x80));
        _mm_or_si128(
            _mm_and_si128(is_ascii, low),
            _mm_andnot_si128(is_ascii, high),
        )
    })
}

/// Returns the code points of eight bytes; 0 for an unmapped byte.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
#[inline(always)]
fn eight_units(code_points: &CodePoints, bytes: [u8; GROUP]) -> [u16; GROUP] {
    map_array(bytes, |byte| code_point(code_points, byte))
}

/// Decodes a group up to the first unmapped byte. Returns the number of bytes read.
#[inline(always)]
pub(super) fn decode_group_utf16(
    code_points: &CodePoints,
    group: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    convert_group(group, out, |byte| {
        let unit = code_point(code_points, byte);
        (unit != 0 || byte == 0).then_some(unit)
    })
}

pub(super) fn decode_utf16_loop(
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    let mut read = 0;
    loop {
        let rest = tail(src, read);
        let taken = match ahead(rest) {
            Ahead::Run => widen_ascii(rest, out),
            Ahead::Ascii => convert_group(group(rest), out, |byte| Some(u16::from(byte))),
            Ahead::Mixed if push_ascii_end(src, read, out, u16::from) => return src.len(),
            Ahead::Mixed => decode_group_utf16(code_points, group(rest), out),
        };
        read += taken;
        if taken < GROUP {
            return read;
        }
    }
}

/// Decodes ASCII as is, and byte 0x80 + n as `start` + n, while they fit. Returns the number of bytes read.
pub(super) fn decode_consecutive_utf16(start: u16, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let offset = start.wrapping_sub(0x80);
    let convert = |byte: u8| {
        let mask = (i16::from(byte as i8) >> 7) as u16;
        u16::from(byte).wrapping_add(offset & mask)
    };
    let n = src.len().min(out.room());
    let to = out.spare_ptr();
    // SAFETY: `n <= out.room()`, and the loop initialises `n` units.
    unsafe {
        for (i, &byte) in src[..n].iter().enumerate() {
            to.add(i).write(convert(byte));
        }
        out.advance(n);
    }
    n
}

/// Returns a continuation byte with the low six bits of `bits`.
#[inline(always)]
fn continuation(bits: u32) -> u8 {
    0x80 | (bits & 0x3F) as u8
}

/// Decodes like [`decode_utf8_some`], with a fast exit for empty input, which kernels usually leave.
#[inline(always)]
pub(super) fn decode_utf8(code_points: &CodePoints, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    if src.is_empty() {
        return 0;
    }
    decode_utf8_some(code_points, src, out)
}

#[inline(never)]
fn decode_utf8_some(code_points: &CodePoints, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    if src.len() <= tuning::DIRECT_UP_TO[1] {
        return decode_utf8_short(code_points, src, out);
    }
    let mut read = 0;
    if src.len() >= tuning::TABLES_OF_CALL_FROM && mostly_ascii::is_for(code_points) {
        read = decode_utf8_loop(code_points, &src[..HEAD], out);
        if read < HEAD {
            return read;
        }
        let rest = tail(src, read);
        read += mostly_ascii::decode_utf8(code_points, rest, out, |block| not_ascii(block));
    }
    read + decode_utf8_loop(code_points, tail(src, read), out)
}

fn decode_utf8_loop(code_points: &CodePoints, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    loop {
        let rest = tail(src, read);
        let group = group(rest);
        if out.room() < 3 * group.len() {
            break;
        }
        let taken = match ahead(rest) {
            Ahead::Run => copy_ascii(rest, out),
            Ahead::Ascii => convert_group(group, out, Some),
            Ahead::Mixed if push_ascii_end(src, read, out, |byte| byte) => return src.len(),
            Ahead::Mixed => decode_group(code_points, group, out),
        };
        read += taken;
        if taken < GROUP {
            return read;
        }
    }
    // Little output space is left.
    read + decode_utf8_short(code_points, tail(src, read), out)
}

/// Returns the first group of `src` if it is ASCII.
#[inline(always)]
fn ascii_group<T: Copy + Into<u32>>(src: &[T]) -> Option<[T; GROUP]> {
    let group = src.first_chunk()?;
    (group.iter().fold(0, |any, &unit| any | unit.into()) < 0x80).then_some(*group)
}

// Short input, or the last characters that fit, are converted one at a time. Branches on ASCII make this 1.3 to 1.7
// times as fast as selections on a Zen 4. For UTF-16 they are slower, so its functions use groups.

/// Decodes mapped bytes while they fit. Returns the number of bytes read.
pub(super) fn decode_utf8_short(
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u8>,
) -> usize {
    let mut out = out.local();
    let mut rest = src;
    while let [byte, ref after @ ..] = *rest {
        if byte < 0x80 {
            if let Some(group) = ascii_group(rest)
                && out.push_array(group)
            {
                rest = &rest[GROUP..];
                continue;
            }
            if !out.push(byte) {
                break;
            }
        } else {
            let fits = match u32::from(code_points[usize::from(byte & 0x7F)]) {
                0 => false,
                c @ ..0x800 => out.push_array([0xC0 | (c >> 6) as u8, continuation(c)]),
                c => out.push_array([
                    0xE0 | (c >> 12) as u8,
                    continuation(c >> 6),
                    continuation(c),
                ]),
            };
            if !fits {
                break;
            }
        }
        rest = after;
    }
    src.len() - rest.len()
}

/// Encodes mapped characters while they fit. Returns the number of bytes read.
pub(crate) fn encode_utf8_short(pages: &Pages<'_>, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let mut out = out.local();
    let mut rest = src;
    while let [first, ref after @ ..] = *rest {
        if first < 0x80 {
            if let Some(group) = ascii_group(rest)
                && out.push_array(group)
            {
                rest = &rest[GROUP..];
                continue;
            }
            if !out.push(first) {
                break;
            }
            rest = after;
        } else {
            let bits = |byte: u8| u16::from(byte & 0x3F);
            let (code_point, after) = match *after {
                [second, ref after @ ..] if first < 0xE0 => {
                    (u16::from(first & 0x1F) << 6 | bits(second), after)
                }
                [second, third, ref after @ ..] if first < 0xF0 => {
                    let code_point = u16::from(first) << 12 | bits(second) << 6 | bits(third);
                    (code_point, after)
                }
                _ => break,
            };
            let byte = pages.byte_or_ascii(code_point);
            if byte == 0 || !out.push(byte) {
                break;
            }
            rest = after;
        }
    }
    src.len() - rest.len()
}

/// Decodes a group to UTF-8 up to the first unmapped byte. Returns the number of bytes read, which is 0 if the longest
/// form of the group would not fit.
#[inline(always)]
pub(super) fn decode_group(code_points: &CodePoints, group: &[u8], out: &mut Out<'_, u8>) -> usize {
    if out.room() < 3 * group.len() {
        return 0;
    }
    let (mut taken, mut written, to) = (0, 0, out.spare_ptr());
    for &byte in group {
        let unit = code_point(code_points, byte);
        if unit == 0 && byte != 0 {
            break;
        }
        let c = u32::from(unit);
        // SAFETY: each character writes at most three bytes, and `3 * group.len() <= out.room()`.
        unsafe {
            let to = to.add(written);
            if c < 0x800 {
                // Writes one or two bytes: the second store goes to the same byte or to the next.
                let ascii = c < 0x80;
                let lead = 0xC0 | (c >> 6) as u8;
                let more = usize::from(!ascii);
                to.write(select_unpredictable(ascii, c as u8, lead));
                to.add(more)
                    .write(select_unpredictable(ascii, c as u8, continuation(c)));
                written += 1 + more;
            } else {
                to.write(0xE0 | (c >> 12) as u8);
                to.add(1).write(continuation(c >> 6));
                to.add(2).write(continuation(c));
                written += 3;
            }
        }
        taken += 1;
    }
    // SAFETY: the loop initialised the first `written` bytes.
    unsafe { out.advance(written) };
    taken
}

/// The number of characters of up to three bytes that a window of 16 bytes always holds.
const CHARACTERS: usize = 5;

pub(super) fn encode_utf8(pages: &Pages<'_>, src: &str, out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    if src.len() >= tuning::TABLES_OF_CALL_FROM && pages.is_sparse() {
        let head = (HEAD..).find(|&at| src.is_char_boundary(at)).unwrap_or(0);
        read = encode_utf8_loop(pages, &src[..head], out);
        if read < head {
            return read;
        }
        let rest = tail(src, read);
        read += mostly_ascii::encode_utf8(pages, rest, out, |block| not_ascii(block), |_, _| 0);
    }
    read + encode_utf8_loop(pages, tail(src, read), out)
}

pub(crate) fn encode_utf8_loop(pages: &Pages<'_>, src: &str, out: &mut Out<'_, u8>) -> usize {
    let src = src.as_bytes();
    let mut read = 0;
    while let Some(window) = src[read..].first_chunk::<16>()
        && out.room() >= GROUP
    {
        match ahead(window) {
            Ahead::Run => {
                read += copy_ascii(tail(src, read), out);
                continue;
            }
            Ahead::Ascii => {
                read += convert_group(group(window), out, Some);
                continue;
            }
            Ahead::Mixed => {}
        }
        let (mut at, mut written, to) = (0, 0, out.spare_ptr());
        while written < CHARACTERS {
            let here = map_array([0, 1, 2], |i| window[(at + i) & 15]);
            let Some((code_point, len)) = character(here) else {
                break;
            };
            let byte = pages.byte_or_ascii(code_point);
            if byte == 0 && code_point != 0 {
                break;
            }
            // SAFETY: `written < CHARACTERS`, which is below `GROUP`, and the outer loop requires `GROUP` bytes of room.
            unsafe { to.add(written).write(byte) };
            written += 1;
            at += len;
        }
        read += at;
        // SAFETY: the loop initialised `written <= CHARACTERS < GROUP` bytes, and `out.room() >= GROUP`.
        unsafe { out.advance(written) };
        if written < CHARACTERS {
            return read;
        }
    }
    read + encode_utf8_short(pages, tail(src, read), out)
}

/// Encodes like [`encode_utf16_some`], with a fast exit for empty input, which kernels usually leave.
#[inline(always)]
pub(super) fn encode_utf16(pages: &Pages<'_>, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    if src.is_empty() {
        return 0;
    }
    encode_utf16_some(pages, src, out)
}

#[inline(never)]
fn encode_utf16_some(pages: &Pages<'_>, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    if src.len() <= tuning::DIRECT_UP_TO[1] {
        return encode_group_utf16(pages, src, out);
    }
    let mut read = 0;
    if src.len() >= tuning::TABLES_OF_CALL_FROM && pages.is_sparse() {
        read = encode_utf16_loop(pages, &src[..HEAD], out);
        if read < HEAD {
            return read;
        }
        let rest = tail(src, read);
        read += mostly_ascii::encode_utf16(pages, rest, out, |block| not_ascii(block));
    }
    read + encode_utf16_loop(pages, tail(src, read), out)
}

/// Encodes up to `MASK_WIDTH` units in a Latin encoding. Returns the number of units read.
///
/// All units are narrowed as ASCII, and then the letters are corrected, as in [`decode_latin_utf16`].
pub(super) fn encode_latin_utf16(pages: &Pages<'_>, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let letters = match pages.is_latin_1 {
        true => differing_units::<true>(src),
        false => differing_units::<false>(src),
    };
    let mut left = letters;
    let start = out.written();
    while left != 0 {
        if byte_at(pages, src, left.trailing_zeros()) == 0 {
            return encode_group_utf16(pages, src, out);
        }
        left &= left - 1;
    }
    if !push_as_ascii(src, out) {
        return encode_group_utf16(pages, src, out);
    }
    let bytes = &mut out.written_slice_mut()[start..];
    left = letters;
    while left != 0 {
        let at = left.trailing_zeros();
        if let Some(byte) = bytes.get_mut(at as usize) {
            *byte = byte_at(pages, src, at);
        }
        left &= left - 1;
    }
    src.len()
}

/// Returns the byte of the unit at `at`; 0 if it is unmapped.
#[inline(always)]
fn byte_at(pages: &Pages<'_>, src: &[u16], at: u32) -> u8 {
    src.get(at as usize).map_or(0, |&unit| pages.byte(unit))
}

/// Encodes a group up to the first unmapped unit. Returns the number of units read.
#[inline(always)]
pub(crate) fn encode_group_utf16(pages: &Pages<'_>, group: &[u16], out: &mut Out<'_, u8>) -> usize {
    convert_group(group, out, |unit| {
        let byte = pages.byte_or_ascii(unit);
        (byte != 0 || unit == 0).then_some(byte)
    })
}

pub(crate) fn encode_utf16_loop(pages: &Pages<'_>, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    loop {
        let rest = tail(src, read);
        let taken = match ahead_in_units(rest) {
            Ahead::Run => narrow_ascii(rest, out),
            Ahead::Ascii => convert_group(group(rest), out, |unit| Some(unit as u8)),
            Ahead::Mixed if push_ascii_end(src, read, out, |unit| unit as u8) => return src.len(),
            Ahead::Mixed => encode_group_utf16(pages, group(rest), out),
        };
        read += taken;
        if taken < GROUP {
            return read;
        }
    }
}
