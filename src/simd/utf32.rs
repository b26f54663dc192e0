//! UTF-32 in any octet order: to and from UTF-16, and through UTF-16 to and from UTF-8.
//!
//! The loops convert blocks of characters below U+10000 without a branch inside the block, so they auto-vectorise.
//! Other characters are converted one at a time. To and from UTF-8, the UTF-16 kernels are a second step, in a buffer
//! that stays in the L1 cache. It costs little: reading or writing the UTF-32 takes several times as long.

use super::arrays::tail;
use super::level::Active;
use super::mem::leveled;
use super::out::Out;
use super::surrogates::{is_lead, is_surrogate, is_trail, join, pair_of};
use super::{utf8_to_utf16, utf16_to_utf8};
use crate::simd::tuning;
use core::mem::MaybeUninit;

/// The order of the four octets of a UTF-32 code unit; 1 is the most significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Utf32Order {
    /// 1234: UTF-32BE.
    BigEndian,
    /// 4321: UTF-32LE.
    LittleEndian,
    /// Byte order 2143.
    Order2143,
    /// Byte order 3412.
    Order3412,
}

impl Utf32Order {
    /// Returns true if the octets of each half are swapped relative to little-endian, and the number of bits by which
    /// the halves are rotated.
    const fn steps(self) -> (bool, u32) {
        match self {
            Self::LittleEndian => (false, 0),
            Self::BigEndian => (true, 0),
            Self::Order2143 => (false, 16),
            Self::Order3412 => (true, 16),
        }
    }

    /// Returns the code unit of four bytes.
    #[inline(always)]
    pub(crate) const fn unit(self, bytes: [u8; 4]) -> u32 {
        let (swap, rotation) = self.steps();
        let unit = u32::from_le_bytes(bytes);
        if swap { unit.swap_bytes() } else { unit }.rotate_left(rotation)
    }

    /// Returns the four bytes of a code unit.
    #[inline(always)]
    pub(crate) const fn bytes(self, unit: u32) -> [u8; 4] {
        let (swap, rotation) = self.steps();
        let unit = unit.rotate_left(rotation);
        if swap { unit.swap_bytes() } else { unit }.to_le_bytes()
    }
}

/// The number of characters in a block, which is tested once for characters above U+FFFF.
const BLOCK: usize = 32;

/// The number of code units in the buffer between the two steps.
const SCRATCH: usize = 1024;

/// Four bytes of the output.
type Spare = [MaybeUninit<u8>; 4];

/// True if a UTF-32 code unit is a scalar value.
#[inline(always)]
fn is_scalar(unit: u32) -> bool {
    unit <= 0x10_FFFF && unit >> 11 != 0x1B
}

/// Converts UTF-32 to UTF-16. Returns the code units read and written.
///
/// Stops before a code unit that is not a scalar value, and if the next character does not fit.
#[inline(always)]
fn to_utf16_loop(
    src: &[[u8; 4]],
    order: Utf32Order,
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    match order.steps() {
        (false, rotation) => to_utf16_swapped::<false>(src, rotation, dst),
        (true, rotation) => to_utf16_swapped::<true>(src, rotation, dst),
    }
}

#[inline(always)]
fn to_utf16_swapped<const SWAP: bool>(
    src: &[[u8; 4]],
    rotation: u32,
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let unit = |bytes| unit::<SWAP>(bytes, rotation);
    let (mut read, mut written) = (0, 0);
    loop {
        while let (Some(block), Some(to)) = (
            src[read..].first_chunk::<BLOCK>(),
            dst[written..].first_chunk_mut::<BLOCK>(),
        ) {
            let mut any = 0;
            let units = block.map(|bytes| {
                let unit = unit(bytes);
                any |= unit;
                unit as u16
            });
            let mut surrogates = 0;
            for unit in units {
                surrogates |= u16::from(is_surrogate(unit));
            }
            // A block that is not converted writes nothing.
            if any > 0xFFFF || surrogates != 0 {
                break;
            }
            *to = units.map(MaybeUninit::new);
            read += BLOCK;
            written += BLOCK;
        }
        let end = src.len().min(read + BLOCK);
        for &bytes in &src[read..end] {
            let unit = unit(bytes);
            if !is_scalar(unit) {
                return (read, written);
            }
            match u16::try_from(unit) {
                Ok(unit) => match dst.get_mut(written) {
                    Some(to) => _ = to.write(unit),
                    None => return (read, written),
                },
                Err(_) => match dst[written..].first_chunk_mut() {
                    Some(to) => *to = pair_of(unit).map(MaybeUninit::new),
                    None => return (read, written),
                },
            }
            read += 1;
            written += 1 + usize::from(unit > 0xFFFF);
        }
        if read == src.len() {
            return (read, written);
        }
    }
}

/// Returns the code unit of four bytes, like [`Utf32Order::unit`].
#[inline(always)]
fn unit<const SWAP: bool>(bytes: [u8; 4], rotation: u32) -> u32 {
    let unit = u32::from_le_bytes(bytes);
    if SWAP { unit.swap_bytes() } else { unit }.rotate_left(rotation)
}

/// Returns the four bytes of a code unit, like [`Utf32Order::bytes`].
#[inline(always)]
fn placed<const SWAP: bool>(unit: u32, rotation: u32) -> Spare {
    let unit = unit.rotate_left(rotation);
    if SWAP { unit.swap_bytes() } else { unit }
        .to_le_bytes()
        .map(MaybeUninit::new)
}

/// Converts UTF-16 to UTF-32. Returns the code units read and written.
///
/// Stops before a lone surrogate, before a lead surrogate at the end, and if `dst` is full.
#[inline(always)]
fn from_utf16_loop(src: &[u16], order: Utf32Order, dst: &mut [Spare]) -> (usize, usize) {
    match order.steps() {
        (false, rotation) => from_utf16_swapped::<false>(src, rotation, dst),
        (true, rotation) => from_utf16_swapped::<true>(src, rotation, dst),
    }
}

#[inline(always)]
fn from_utf16_swapped<const SWAP: bool>(
    src: &[u16],
    rotation: u32,
    dst: &mut [Spare],
) -> (usize, usize) {
    let bytes = |unit: u32| placed::<SWAP>(unit, rotation);
    let (mut read, mut written) = (0, 0);
    loop {
        while let (Some(block), Some(to)) = (
            src[read..].first_chunk::<BLOCK>(),
            dst[written..].first_chunk_mut::<BLOCK>(),
        ) {
            let mut surrogates = 0;
            for &unit in block {
                surrogates |= u16::from(is_surrogate(unit));
            }
            // A block that is not converted writes nothing.
            if surrogates != 0 {
                break;
            }
            for (to, &unit) in to.iter_mut().zip(block) {
                *to = bytes(unit.into());
            }
            read += BLOCK;
            written += BLOCK;
        }
        let end = src.len().min(read + BLOCK);
        while read < end {
            let Some(to) = dst.get_mut(written) else {
                return (read, written);
            };
            match src[read..] {
                [unit, ..] if !is_surrogate(unit) => {
                    *to = bytes(unit.into());
                    read += 1;
                }
                [lead, trail, ..] if is_lead(lead) && is_trail(trail) => {
                    *to = bytes(join(lead, trail));
                    read += 2;
                }
                _ => return (read, written),
            }
            written += 1;
        }
        if read >= src.len() {
            return (read, written);
        }
    }
}

leveled! {
    /// Runs [`to_utf16_loop`], compiled for the instruction set in use.
    to_utf16, to_utf16_at = to_utf16_loop,
    (src: &[[u8; 4]], order: Utf32Order, dst: &mut [MaybeUninit<u16>]) -> (usize, usize)
}
leveled! {
    /// Runs [`from_utf16_loop`], compiled for the instruction set in use.
    from_utf16, from_utf16_at = from_utf16_loop,
    (src: &[u16], order: Utf32Order, dst: &mut [Spare]) -> (usize, usize)
}
/// Converts the bytes of UTF-32 to UTF-16. Returns the number of bytes read, a multiple of four.
pub(crate) fn utf32_bytes_to_utf16(src: &[u8], order: Utf32Order, out: &mut Out<'_, u16>) -> usize {
    4 * units_to_utf16(src.as_chunks().0, order, out)
}

fn units_to_utf16(src: &[[u8; 4]], order: Utf32Order, out: &mut Out<'_, u16>) -> usize {
    // SAFETY: `to_utf16` initialises the `written` units from the cursor on, and writes initialised values only.
    unsafe {
        let (read, written) = to_utf16(src, order, out.spare());
        out.advance(written);
        read
    }
}

/// Converts the bytes of UTF-32 to UTF-8. Returns the number of bytes read, a multiple of four.
pub(crate) fn utf32_bytes_to_utf8(src: &[u8], order: Utf32Order, out: &mut Out<'_, u8>) -> usize {
    let (src, _) = src.as_chunks();
    let mut between = [MaybeUninit::uninit(); SCRATCH];
    let mut read = 0;
    loop {
        // A code unit takes at least one byte, so the output has no space for more.
        let piece = out.room().min(SCRATCH);
        let mut units = Out::from_uninit(&mut between[..piece]);
        let taken = units_to_utf16(&src[read..], order, &mut units);
        let units = units.written_slice();
        let written = utf16_to_utf8(units, out);
        if taken == 0 || written < units.len() {
            // Counts the whole characters written: each has one unit that is not a trail surrogate.
            let whole = units[..written].iter().filter(|&&unit| !is_trail(unit));
            return 4 * (read + whole.count());
        }
        read += taken;
    }
}

/// Converts UTF-16 to the bytes of UTF-32. Returns the number of code units read.
pub(crate) fn utf16_to_utf32_bytes(src: &[u16], order: Utf32Order, out: &mut Out<'_, u8>) -> usize {
    // SAFETY: `from_utf16` writes initialised values only, four bytes for each of `characters` from the cursor on.
    unsafe {
        let (read, characters) = from_utf16(src, order, out.spare().as_chunks_mut().0);
        out.advance(4 * characters);
        read
    }
}

/// Converts UTF-8 to the bytes of UTF-32. Returns the number of bytes read.
pub(crate) fn utf8_to_utf32_bytes(src: &str, order: Utf32Order, out: &mut Out<'_, u8>) -> usize {
    let mut between = [MaybeUninit::uninit(); SCRATCH];
    let mut read = 0;
    loop {
        // A character has no more code units in UTF-32 than in UTF-16, so the output has room for all units.
        let room = (out.room() / 4).min(SCRATCH);
        let mut units = Out::from_uninit(&mut between[..room]);
        let taken = utf8_to_utf16(tail(src.as_bytes(), read), &mut units);
        utf16_to_utf32_bytes(units.written_slice(), order, out);
        if taken == 0 {
            return read;
        }
        read += taken;
    }
}

#[cfg(test)]
mod tests;
