//! UTF-32 in any octet order: to and from UTF-16, and through UTF-16 to and from UTF-8.
//!
//! The loops here convert blocks of characters below U+10000 without a branch within the block, and the compiler makes
//! vectors of them. Other characters go one at a time. UTF-8 takes the kernels for UTF-16 as its second step, over a
//! buffer that stays in the first-level cache: they are several times as fast as the memory that UTF-32 fills.

use super::arrays::tail;
use super::mem::leveled;
use super::out::Out;
use super::surrogates::{is_lead, is_surrogate, is_trail, join, pair_of};
#[cfg(target_arch = "x86_64")]
use super::token;
use super::token::Active;
use super::{utf8_to_utf16, utf16_to_utf8};
use core::mem::MaybeUninit;

/// The order in which the four octets of a UTF-32 code unit stand, 1 being the most significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Utf32Order {
    /// 1234: UTF-32BE.
    BigEndian,
    /// 4321: UTF-32LE.
    LittleEndian,
    /// 2143.
    Order2143,
    /// 3412.
    Order3412,
}

impl Utf32Order {
    /// Whether the octets of each half are swapped against little-endian, and by how many bits the halves are rotated.
    const fn steps(self) -> (bool, u32) {
        match self {
            Self::LittleEndian => (false, 0),
            Self::BigEndian => (true, 0),
            Self::Order2143 => (false, 16),
            Self::Order3412 => (true, 16),
        }
    }

    /// The code unit of four bytes.
    #[inline(always)]
    pub(crate) const fn unit(self, bytes: [u8; 4]) -> u32 {
        let (swap, rotation) = self.steps();
        let unit = u32::from_le_bytes(bytes);
        if swap { unit.swap_bytes() } else { unit }.rotate_left(rotation)
    }

    /// The four bytes of a code unit.
    #[inline(always)]
    pub(crate) const fn bytes(self, unit: u32) -> [u8; 4] {
        let (swap, rotation) = self.steps();
        let unit = unit.rotate_left(rotation);
        if swap { unit.swap_bytes() } else { unit }.to_le_bytes()
    }
}

/// Characters in a block: whether all are below U+10000 is tested once.
const BLOCK: usize = 32;

/// Code units of the buffer between two steps.
const SCRATCH: usize = 1024;

/// Four bytes of the output.
type Spare = [MaybeUninit<u8>; 4];

/// Up to this many characters the portable loop serves: looking at the instruction set costs more.
const SHORT: usize = 16;

/// Whether a UTF-32 code unit is a scalar value.
#[inline(always)]
fn is_scalar(unit: u32) -> bool {
    unit <= 0x10_FFFF && unit >> 11 != 0x1B
}

/// Writes UTF-32 as UTF-16; returns the code units read and written.
///
/// Stops before a code unit that is no scalar value, and where the next character does not fit.
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
    let unit = |bytes: [u8; 4]| {
        let unit = u32::from_le_bytes(bytes);
        if SWAP { unit.swap_bytes() } else { unit }.rotate_left(rotation)
    };
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
            // Nothing is written of a block that is not taken.
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

/// The four bytes of a code unit, as [`Utf32Order::bytes`] has them.
#[inline(always)]
fn placed<const SWAP: bool>(unit: u32, rotation: u32) -> Spare {
    let unit = unit.rotate_left(rotation);
    if SWAP { unit.swap_bytes() } else { unit }
        .to_le_bytes()
        .map(MaybeUninit::new)
}

/// Writes blocks of ASCII as UTF-32; returns the bytes read, which are the code units written.
#[inline(always)]
fn from_ascii_loop(src: &[u8], order: Utf32Order, dst: &mut [Spare]) -> usize {
    match order.steps() {
        (false, rotation) => from_ascii_swapped::<false>(src, rotation, dst),
        (true, rotation) => from_ascii_swapped::<true>(src, rotation, dst),
    }
}

#[inline(always)]
fn from_ascii_swapped<const SWAP: bool>(src: &[u8], rotation: u32, dst: &mut [Spare]) -> usize {
    let blocks = src.as_chunks::<BLOCK>().0.iter();
    let mut done = 0;
    for (block, to) in blocks.zip(dst.as_chunks_mut::<BLOCK>().0) {
        if !block.is_ascii() {
            break;
        }
        for (to, &byte) in to.iter_mut().zip(block) {
            *to = placed::<SWAP>(byte.into(), rotation);
        }
        done += BLOCK;
    }
    done
}

/// Writes UTF-16 as UTF-32; returns the code units read and written.
///
/// Stops before a lone surrogate, before a lead surrogate at the end, and where `dst` ends.
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
            // Nothing is written of a block that is not taken.
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
    /// [`to_utf16_loop`] compiled for the instruction set in use.
    to_utf16, to_utf16_at = to_utf16_loop,
    (src: &[[u8; 4]], order: Utf32Order, dst: &mut [MaybeUninit<u16>]) -> (usize, usize)
}
leveled! {
    /// [`from_utf16_loop`] compiled for the instruction set in use.
    from_utf16, from_utf16_at = from_utf16_loop,
    (src: &[u16], order: Utf32Order, dst: &mut [Spare]) -> (usize, usize)
}
leveled! {
    /// [`from_ascii_loop`] compiled for the instruction set in use.
    from_ascii, from_ascii_at = from_ascii_loop,
    (src: &[u8], order: Utf32Order, dst: &mut [Spare]) -> usize
}

/// Writes the bytes of UTF-32 as UTF-16; returns the bytes read, a multiple of four.
pub(crate) fn utf32_bytes_to_utf16(src: &[u8], order: Utf32Order, out: &mut Out<'_, u16>) -> usize {
    4 * units_to_utf16(src.as_chunks().0, order, out)
}

fn units_to_utf16(src: &[[u8; 4]], order: Utf32Order, out: &mut Out<'_, u16>) -> usize {
    // SAFETY: `to_utf16` writes initialised units, as many as it returns, from the cursor on.
    unsafe {
        let (read, written) = to_utf16(src, order, out.spare());
        out.advance(written);
        read
    }
}

/// Writes the bytes of UTF-32 as UTF-8; returns the bytes read, a multiple of four.
pub(crate) fn utf32_bytes_to_utf8(src: &[u8], order: Utf32Order, out: &mut Out<'_, u8>) -> usize {
    let (src, _) = src.as_chunks();
    let mut between = [MaybeUninit::uninit(); SCRATCH];
    let mut read = 0;
    loop {
        let mut units = Out::from_uninit(&mut between);
        let taken = units_to_utf16(&src[read..], order, &mut units);
        let units = units.written_slice();
        let written = utf16_to_utf8(units, out);
        if taken == 0 || written < units.len() {
            // Whole characters were written: each has one unit that is no trail surrogate.
            let whole = units[..written].iter().filter(|&&unit| !is_trail(unit));
            return 4 * (read + whole.count());
        }
        read += taken;
    }
}

/// Writes UTF-16 as the bytes of UTF-32; returns the code units read.
pub(crate) fn utf16_to_utf32_bytes(src: &[u16], order: Utf32Order, out: &mut Out<'_, u8>) -> usize {
    // SAFETY: `from_utf16` writes initialised bytes, four for each character that it returns, from the cursor on.
    unsafe {
        let (read, characters) = from_utf16(src, order, out.spare().as_chunks_mut().0);
        out.advance(4 * characters);
        read
    }
}

/// Writes UTF-8 as the bytes of UTF-32; returns the bytes read.
pub(crate) fn utf8_to_utf32_bytes(src: &[u8], order: Utf32Order, out: &mut Out<'_, u8>) -> usize {
    let mut between = [MaybeUninit::uninit(); SCRATCH];
    let mut read = 0;
    loop {
        // SAFETY: `from_ascii` writes initialised bytes, four for each that it returns, from the cursor on.
        unsafe {
            let ascii = from_ascii(tail(src, read), order, out.spare().as_chunks_mut().0);
            out.advance(4 * ascii);
            read += ascii;
        }
        // No character has more code units of UTF-32 than of UTF-16: what is between fits into the output.
        let room = (out.room() / 4).min(SCRATCH);
        let mut units = Out::from_uninit(&mut between[..room]);
        let taken = utf8_to_utf16(tail(src, read), &mut units);
        utf16_to_utf32_bytes(units.written_slice(), order, out);
        if taken == 0 {
            return read;
        }
        read += taken;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Level;

    const ORDERS: [Utf32Order; 4] = [
        Utf32Order::BigEndian,
        Utf32Order::LittleEndian,
        Utf32Order::Order2143,
        Utf32Order::Order3412,
    ];

    #[test]
    fn orders_place_the_octets_as_their_names_say() {
        let bytes = ORDERS.map(|order| order.bytes(0x0102_0304));
        assert_eq!(
            bytes,
            [[1, 2, 3, 4], [4, 3, 2, 1], [2, 1, 4, 3], [3, 4, 1, 2]]
        );
        for (order, bytes) in ORDERS.into_iter().zip(bytes) {
            assert_eq!(order.unit(bytes), 0x0102_0304, "{order:?}");
        }
    }

    /// Text with something else than a character of two bytes at `at`.
    fn text(len: usize, at: usize, other: u32) -> Vec<u32> {
        let usual = |i: usize| 0x41 + 0x3A7 * (i as u32 % 40);
        (0..len)
            .map(|i| if i == at { other } else { usual(i) })
            .collect()
    }

    #[test]
    fn every_level_stops_where_a_character_by_character_conversion_does() {
        for level in crate::simd::available() {
            let active = Active::at_most(level);
            for order in ORDERS {
                for (len, at) in [(3, 1), (40, 39), (70, 33), (130, 64), (200, 500)] {
                    for other in [0, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFFFF, 0x1_0000] {
                        check(active, level, order, &text(len, at, other));
                    }
                    for other in [0x10_FFFF, 0x11_0000, 0x1_D800, 0xFFFF_FFFF] {
                        check(active, level, order, &text(len, at, other));
                    }
                }
            }
        }
    }

    fn check(active: Active, level: Level, order: Utf32Order, units: &[u32]) {
        let src: Vec<[u8; 4]> = units.iter().map(|&unit| order.bytes(unit)).collect();
        let expected: String = units
            .iter()
            .map_while(|&unit| char::from_u32(unit))
            .collect();
        let expected: Vec<u16> = expected.encode_utf16().collect();
        for room in [expected.len(), expected.len().saturating_sub(1), 33, 0] {
            let mut dst = vec![0xAAAA; room];
            let mut out = Out::from_init(&mut dst);
            // SAFETY: as many initialised units are written as it returns.
            let (read, written) = unsafe {
                let done = to_utf16_at(active, &src, order, out.spare());
                out.advance(done.1);
                done
            };
            assert!(dst[written..].iter().all(|&unit| unit == 0xAAAA));
            let case = || format!("{level} {order:?} room {room}: {units:X?}");
            let whole = char::decode_utf16(dst[..written].iter().copied())
                .map(|unit| unit.map(u32::from))
                .collect::<Result<Vec<_>, _>>();
            assert_eq!(whole.as_deref(), Ok(&units[..read]), "{}", case());
            let next = units.get(read).copied().and_then(char::from_u32);
            let fits = next.is_some_and(|next| next.len_utf16() <= room - written);
            assert!(!fits, "stopped early, {}", case());

            let mut back = vec![0; 4 * read];
            let mut out = Out::from_init(&mut back);
            // SAFETY: initialised bytes are written, four for each character.
            let result = unsafe {
                let to = out.spare().as_chunks_mut().0;
                from_utf16_at(active, &dst[..written], order, to)
            };
            assert_eq!(result, (written, read), "{}", case());
            assert_eq!(back, src[..read].as_flattened(), "{}", case());
        }
    }
}
