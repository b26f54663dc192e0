//! The UTF kernels in safe code: the ASCII kernel for runs of ASCII, and single characters otherwise.
//!
//! Text usually continues in the class of the last character, and so does the loop. To UTF-16, characters of up to two
//! bytes are converted four at a time.

use core::hint::select_unpredictable;
use core::mem::MaybeUninit;

use super::super::arrays::{map_array, tail};
use super::super::ascii::widen_ascii;
use super::super::level::Active;
use super::super::out::Out;
use super::super::surrogates::{is_surrogate, pair_of};
use super::super::utf8_encode;
use super::units::to_bytes;
use super::validate::utf8_valid_up_to;

/// Returns the scalar value and the length of the well-formed multi-byte sequence at the start of `src`.
#[inline(always)]
fn well_formed(src: &[u8]) -> Option<(u32, usize)> {
    let bits = |byte: u8| u32::from(byte & 0x3F);
    let tail = |byte: u8| byte & 0xC0 == 0x80;
    match *src {
        [a @ 0xC2..=0xDF, b, ..] if tail(b) => Some((u32::from(a & 0x1F) << 6 | bits(b), 2)),
        [a @ 0xE0..=0xEF, b, c, ..] if tail(b) && tail(c) => {
            let scalar = u32::from(a & 0xF) << 12 | bits(b) << 6 | bits(c);
            // Not overlong and not a surrogate.
            (scalar >= 0x800 && scalar & 0xF800 != 0xD800).then_some((scalar, 3))
        }
        [a @ 0xF0..=0xF4, b, c, d, ..] if tail(b) && tail(c) && tail(d) => {
            let scalar = u32::from(a & 0x7) << 18 | bits(b) << 12 | bits(c) << 6 | bits(d);
            (0x10000..=0x10FFFF)
                .contains(&scalar)
                .then_some((scalar, 4))
        }
        _ => None,
    }
}

#[inline(always)]
fn push_units(out: &mut Out<'_, u16>, scalar: u32) -> bool {
    match u16::try_from(scalar) {
        Ok(unit) => out.push(unit),
        Err(_) => out.push_array(pair_of(scalar)),
    }
}

/// Returns the code unit of a well-formed three-byte sequence; `bytes` has the first byte lowest.
#[inline(always)]
fn well_formed_three(bytes: u32) -> Option<u16> {
    let unit = utf8_encode::three(bytes);
    // Not overlong and not a surrogate.
    let fits = bytes & 0x00C0_C0F0 == 0x0080_80E0 && unit >= 0x800 && !is_surrogate(unit);
    fits.then_some(unit)
}

/// Returns the code units of the first four characters, and their length in bytes; `None` if one has more than two
/// bytes or is malformed. `bytes` has the first byte lowest.
#[inline(always)]
fn four_short(mut bytes: u64) -> Option<([u16; 4], usize)> {
    let (mut units, mut len, mut faults) = (0, 4, 0);
    for i in 0..4 {
        let is_pair = bytes & 0x80 != 0;
        let pair = (bytes & 0x1F) << 6 | (bytes >> 8 & 0x3F);
        // Not zero if the lead or the continuation byte lacks its marker bits, or if the form is overlong.
        let fault = (bytes & 0xC0E0 ^ 0x80C0) | (pair.wrapping_sub(0x80) >> 63);
        faults |= select_unpredictable(is_pair, fault, 0);
        units |= select_unpredictable(is_pair, pair, bytes & 0x7F) << (16 * i);
        bytes = select_unpredictable(is_pair, bytes >> 16, bytes >> 8);
        len += usize::from(is_pair);
    }
    let units = map_array([0, 16, 32, 48], |shift| (units >> shift) as u16);
    (faults == 0).then_some((units, len))
}

/// Converts several characters at the start of `src`: three-byte ones, or four of one or two bytes. Returns the number
/// of bytes read; 0 if there are none.
#[inline(always)]
fn several(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut read = 0;
    let Some(&bytes) = src.first_chunk() else {
        return 0;
    };
    let bytes = u64::from_le_bytes(bytes);
    if bytes & 0xF0 == 0xE0 {
        while let Some(&bytes) = src[read..].first_chunk()
            && let Some(unit) = well_formed_three(u32::from_le_bytes(bytes))
            && out.push(unit)
        {
            read += 3;
        }
    } else if bytes & 0x00E0_00E0 == 0x00C0_00C0 {
        if let Some((units, len)) = four_short(bytes)
            && out.push_array(units)
        {
            read = len;
        }
    } else if bytes & 0xC0E0 == 0x80C0
        && bytes & 0x1E != 0
        && out.push(utf8_encode::two(bytes as u32))
    {
        read = 2;
    }
    read
}

pub(super) fn utf8_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut read = 0;
    loop {
        read += widen_ascii(tail(src, read), out);
        loop {
            match src[read..] {
                [] => return read,
                // A single ASCII byte between other characters does not justify starting the ASCII kernel.
                [a, b, ..] if a < 0x80 && b >= 0x80 => {
                    if !out.push(a.into()) {
                        return read;
                    }
                    read += 1;
                }
                [a, ..] if a < 0x80 => {
                    if out.room() == 0 {
                        return read;
                    }
                    break;
                }
                _ => {
                    let taken = several(tail(src, read), out);
                    if taken > 0 {
                        read += taken;
                        continue;
                    }
                    match well_formed(tail(src, read)) {
                        Some((scalar, len)) if push_units(out, scalar) => read += len,
                        _ => return read,
                    }
                }
            }
        }
    }
}

/// Converts a short text like [`utf8_to_utf16`], one character at a time.
pub(super) fn short_utf8_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut out = out.local();
    let mut read = 0;
    loop {
        let rest = tail(src, read);
        let (fits, len) = match *rest {
            [] => return read,
            [a, ..] if a < 0x80 => (out.push(a.into()), 1),
            [a @ 0xC2..=0xDF, b @ 0x80..=0xBF, ..] => {
                (out.push(u16::from(a & 0x1F) << 6 | u16::from(b & 0x3F)), 2)
            }
            _ => match well_formed(rest) {
                Some((scalar, len)) => (push_units(&mut out, scalar), len),
                None => return read,
            },
        };
        if !fits {
            return read;
        }
        read += len;
    }
}

/// Converts pieces to code units, which the copying kernel writes in the requested order.
pub(super) fn utf8_to_utf16_bytes(
    active: Active,
    src: &[u8],
    big_endian: bool,
    out: &mut Out<'_, u8>,
) -> usize {
    const PIECE: usize = 1024;
    let mut units = [const { MaybeUninit::uninit() }; PIECE];
    let mut read = 0;
    loop {
        let room = PIECE.min(out.room() / 2);
        let mut piece = Out::from_uninit(&mut units[..room]);
        let taken = utf8_to_utf16(tail(src, read), &mut piece);
        if taken == 0 {
            return read;
        }
        let put = to_bytes(active, piece.written_slice(), big_endian, out);
        debug_assert_eq!(put, piece.written());
        read += taken;
    }
}

/// The number of bytes of a piece, which is validated and then copied. It fits the L1 cache twice.
const PIECE: usize = 8192;

pub(super) fn utf8_to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let src = &src[..src.len().min(out.room())];
    if src.is_empty() {
        return 0;
    }
    let mut read = 0;
    loop {
        let piece = &src[read..src.len().min(read + PIECE)];
        let valid = utf8_valid_up_to(piece);
        let fits = out.push_slice(&piece[..valid]);
        debug_assert!(fits);
        read += valid;
        // A piece may end inside a character; otherwise a shorter prefix means an error.
        if valid + 4 <= piece.len() || piece.len() < PIECE {
            return read;
        }
    }
}
