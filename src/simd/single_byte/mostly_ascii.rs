//! Single-byte kernels for text that is mostly ASCII, such as that of Latin scripts. A block of 64 is converted as
//! ASCII, then its few other characters are converted one by one, by the bits of a mask.
//!
//! Neither the presence nor the number of such characters is predictable. So at least [`FEW_LETTERS`] iterations run
//! for each block; iterations without a character write to the place of the next block's output. After a character that
//! becomes longer or shorter, the rest of the block is copied to its new position. The distance to the next character
//! therefore does not matter. If code units and bytes are equal from 0xA0 on, as in windows-1252, conversions to and
//! from UTF-16 handle only the differing characters.
//!
//! Each instruction set provides the mask and compiles these functions for itself.

use crate::simd::tuning;
use core::hint::select_unpredictable;
use core::mem::MaybeUninit;

use super::super::arrays::tail;
use super::super::ascii::{copy_ascii, narrow_ascii, widen_ascii};
use super::super::out::Out;
use super::super::utf8_encode::{character, sequence};
use super::{CodePoints, Pages, starts_run};

/// The number of bytes or code units in a block: one bit for each in a mask.
pub(super) const BLOCK: usize = 64;
/// Minimum number of characters converted in each block that is not ASCII.
const FEW_LETTERS: usize = tuning::FEW_LETTERS;
/// The maximum number of bytes that are read after a block, and written after its output.
const READ_PADDING: usize = BLOCK + 2;
/// The maximum number of bytes of a block in UTF-8, with those written after it.
const WIDE: usize = 3 * BLOCK + READ_PADDING;
/// The number of units converted to scratch memory at a time.
const PIECE: usize = 4 * BLOCK;
/// Minimum number of two-byte letters in a piece of UTF-8 that is not mostly ASCII.
pub(super) const MANY: usize = tuning::MANY_LETTERS;
/// The number of blocks of ASCII after which the kernel for runs of ASCII takes over.
const RUN: usize = tuning::BLOCKS_OF_ASCII;

/// True if texts in an encoding are mostly ASCII: it has Latin letters, no combining marks, and no unmapped byte.
///
/// Not inlined, and given a slice, because the compiler would unroll the loop.
#[inline(never)]
pub(super) fn is_for(code_points: &[u16]) -> bool {
    let (mut latin, mut others) = (0_u8, false);
    for &c in code_points {
        latin += u8::from(c < 0x250);
        // Non-short-circuiting `|`, so that it vectorises.
        others |= (c == 0) | (0x300..0x370).contains(&c);
    }
    latin >= 64 && !others
}

/// True if bytes from 0xA0 on are code points of the same value, as in windows-1252.
#[inline(never)]
fn decodes_latin_1(code_points: &CodePoints) -> bool {
    let differ = |any, (&code_point, byte)| any | (code_point ^ byte);
    code_points[0x20..].iter().zip(0xA0..).fold(0, differ) == 0
}

/// Copies a block.
///
/// # Safety
/// `BLOCK` bytes are readable at `from` and writable at `to`, and the two do not overlap.
#[inline(always)]
unsafe fn copy(from: *const u8, to: *mut u8) {
    // SAFETY: `BLOCK` bytes are readable and writable without overlap, by `# Safety`.
    unsafe {
        to.cast::<[u8; BLOCK]>()
            .write(from.cast::<[u8; BLOCK]>().read())
    }
}

/// Returns the UTF-8 of bytes from 0x80 on, the first byte lowest, with the length minus one in the top byte.
#[inline(never)]
fn sequences(code_points: &CodePoints) -> [u32; 128] {
    let mut all = [0; 128];
    for (entry, &code_point) in all.iter_mut().zip(code_points) {
        let (bytes, len) = sequence(code_point);
        *entry = (len as u32 - 1) << 24 | bytes;
    }
    all
}

/// Decodes a prefix of long input in an encoding for which [`is_for`] is true. Returns the number of bytes read.
#[inline(always)]
pub(super) fn decode_utf8(
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u8>,
    top_bits: impl Fn(&[u8; BLOCK]) -> u64,
) -> usize {
    let mut at = 0;
    let sequences = sequences(code_points);
    loop {
        let (start, room) = (out.spare_ptr(), out.room());
        let (mut written, mut ascii) = (0, 0);
        // Output after the last block is overwritten, because enough mapped input for that follows and fits.
        while src.len() - at >= BLOCK + READ_PADDING && room - written >= WIDE + 3 && ascii < RUN {
            // SAFETY: `BLOCK + READ_PADDING` bytes are left and `WIDE + 3` fit, by the loop condition. A character is
            // at `i <= BLOCK` (at `BLOCK` if there is none), and `BLOCK` bytes are copied from `i + 1` on.
            unsafe {
                let src = src.as_ptr().add(at);
                let mut to = start.add(written);
                copy(src, to);
                let mut rest = top_bits(&*src.cast());
                ascii += 1;
                if rest != 0 {
                    ascii = 0;
                    let mut count = 0;
                    while count < FEW_LETTERS || rest != 0 {
                        let i = rest.trailing_zeros() as usize;
                        let sequence = sequences[usize::from(*src.add(i) & 0x7F)];
                        to.add(i).cast::<[u8; 4]>().write(sequence.to_le_bytes());
                        let more = (sequence >> 24) as usize;
                        to = to.add(select_unpredictable(rest != 0, more, 0));
                        copy(src.add(i + 1), to.add(i + 1));
                        rest &= rest.wrapping_sub(1);
                        count += 1;
                    }
                }
                written = to.offset_from_unsigned(start) + BLOCK;
            }
            at += BLOCK;
        }
        // SAFETY: the blocks initialised `written <= room` bytes.
        unsafe { out.advance(written) };
        if ascii < RUN {
            return at;
        }
        at += copy_ascii(tail(src, at), out);
    }
}

/// Decodes a prefix of long input to UTF-16, as [`decode_utf8`] does.
#[inline(always)]
pub(super) fn decode_utf16(
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u16>,
    top_bits: impl Fn(&[u8; BLOCK]) -> u64,
) -> usize {
    match decodes_latin_1(code_points) {
        true => {
            let differs = |byte| if byte & 0xE0 == 0x80 { 0x80 } else { 0 };
            let differing = |block: &[u8; BLOCK]| top_bits(&block.map(differs));
            decode_differing(code_points, src, out, differing)
        }
        false => decode_differing(code_points, src, out, top_bits),
    }
}

/// Implements [`decode_utf16`]; `differing` returns a mask of the bytes of a block that differ from their code points.
#[inline(always)]
fn decode_differing(
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u16>,
    differing: impl Fn(&[u8; BLOCK]) -> u64,
) -> usize {
    let decode = |block: &[u8; BLOCK], units: &mut [MaybeUninit<u16>; BLOCK]| {
        *units = block.map(|byte| MaybeUninit::new(u16::from(byte)));
        let others = differing(block);
        if others != 0 {
            each_bit(others, |i| {
                units[i].write(code_points[usize::from(block[i] & 0x7F)]);
            });
        }
        Ok(others == 0)
    };
    // SAFETY: `decode` initialises all units of a block.
    unsafe { unit_by_unit(src, out, decode, widen_ascii) }
}

/// Converts blocks with `convert`, which writes one unit for each input unit. `convert` returns true if all units are
/// ASCII, or an error with the number of units before an unmapped one. `ascii` converts runs of ASCII. Returns the
/// number of units read.
///
/// # Safety
/// `convert` initialises the block's units, or those before the unmapped one, and leaves the others unchanged.
#[inline(always)]
unsafe fn unit_by_unit<T, U: Copy>(
    src: &[T],
    out: &mut Out<'_, U>,
    convert: impl Fn(&[T; BLOCK], &mut [MaybeUninit<U>; BLOCK]) -> Result<bool, usize>,
    ascii: impl Fn(&[T], &mut Out<'_, U>) -> usize,
) -> usize {
    let len = src.len().min(out.room());
    // The address of the first unit's output, and the number of consecutive ASCII blocks.
    let (mut to, mut ascii_blocks) = (out.spare_ptr(), 0);
    let (mut at, mut before) = (0, 0);
    while let Some(block) = src[at..len].first_chunk() {
        // SAFETY: `len` units are writable at `to`, and `at + BLOCK <= len`, as `src[at..len]` has a whole block.
        let units = unsafe { &mut *to.wrapping_add(at).cast() };
        match convert(block, units) {
            Ok(true) => ascii_blocks += 1,
            Ok(false) => ascii_blocks = 0,
            Err(taken) => {
                at += taken;
                break;
            }
        }
        at += BLOCK;
        if ascii_blocks == RUN {
            // SAFETY: `convert` initialised the units from `before` to `at <= len`.
            unsafe { out.advance(at - before) };
            at += ascii(tail(src, at), out);
            (before, ascii_blocks) = (at, 0);
            to = out.spare_ptr().wrapping_sub(at);
        }
    }
    // SAFETY: `convert` initialised the units from `before` to `at <= len`.
    unsafe { out.advance(at - before) };
    at
}

/// Calls `f` with the index of each set bit; `bits` is not zero. With fewer than [`FEW_LETTERS`] bits, the last index
/// is repeated.
#[inline(always)]
fn each_bit(bits: u64, mut f: impl FnMut(usize)) {
    let mut rest = bits;
    for _ in 0..(bits.count_ones() as usize).max(FEW_LETTERS) {
        f(rest.trailing_zeros() as usize % BLOCK);
        let next = rest & rest.wrapping_sub(1);
        rest = select_unpredictable(next != 0, next, rest);
    }
}

/// The bytes of characters below U+0200 and from U+2000 to U+203F. The first index is the low three bits of the last
/// byte but one.
struct Near([[u8; 64]; 8]);

impl Near {
    #[inline(never)]
    fn new(pages: &Pages<'_>) -> Self {
        let mut near = Self([[0; 64]; 8]);
        for (i, page) in near.0.iter_mut().enumerate() {
            // Leads of the other pages are 0xC1 to 0xC7.
            copy_page(pages, if i == 0 { 0x80 } else { i }, page);
        }
        near
    }

    /// Returns the byte of the character at the start of `bytes`, 0 if it is unmapped, and its length.
    #[inline(always)]
    fn byte(&self, pages: &Pages<'_>, bytes: [u8; 4]) -> (u8, usize) {
        let word = u32::from_le_bytes(bytes);
        let is_three = word as u16 == 0x80E2;
        if !is_three && bytes[0] > 0xC7 {
            return far(pages, bytes);
        }
        let last = word >> (8 * u32::from(is_three));
        let byte = self.0[(last & 7) as usize][(last >> 8 & 0x3F) as usize];
        (byte, 2 + usize::from(is_three))
    }
}

/// Copies a page. Not inlined, because the compiler would unroll the loop around it.
#[inline(never)]
fn copy_page(pages: &Pages<'_>, block: usize, to: &mut [u8; 64]) {
    *to = *pages.page(block);
}

/// Returns the byte of any character, 0 if it is unmapped, and its length.
#[inline(never)]
fn far(pages: &Pages<'_>, [a, b, c, _]: [u8; 4]) -> (u8, usize) {
    let character = character([a, b, c]);
    character.map_or((0, 1), |(code_point, len)| (pages.byte(code_point), len))
}

/// Encodes a prefix of long text. Returns the number of bytes read. After a piece with more than [`MANY`] letters,
/// `dense` encodes a further prefix of whole characters.
#[inline(always)]
pub(super) fn encode_utf8(
    pages: &Pages<'_>,
    src: &str,
    out: &mut Out<'_, u8>,
    top_bits: impl Fn(&[u8; BLOCK]) -> u64,
    dense: impl Fn(&[u8], &mut Out<'_, u8>) -> usize,
) -> usize {
    let src = src.as_bytes();
    let near = Near::new(pages);
    let mut scratch = [MaybeUninit::uninit(); PIECE + BLOCK + 2 * READ_PADDING];
    let to = scratch.as_mut_ptr().cast::<u8>();
    let mut at = 0;
    while src.len() - at >= PIECE + BLOCK + 2 * READ_PADDING && out.room() >= PIECE + BLOCK {
        let rest = tail(src, at);
        if starts_run(rest) {
            at += copy_ascii(rest, out);
            continue;
        }
        // SAFETY: the loop condition ensures that the bytes are readable; `scratch` has the same number.
        let (read, written, stops) =
            unsafe { encode_piece(pages, rest.as_ptr(), to, &near, &top_bits) };
        // SAFETY: `encode_piece` initialised the first `written` bytes.
        let fits = unsafe { out.push_scratch(&scratch, written) };
        debug_assert!(fits);
        at += read;
        if stops {
            break;
        }
        if read - written > MANY {
            at += dense(tail(src, at), out);
        }
    }
    at
}

/// Encodes [`PIECE`] bytes or a few more, up to an unmapped character. Returns the bytes read, the bytes written, and
/// true if it stopped at an unmapped character.
///
/// # Safety
/// `PIECE + BLOCK + 2 * READ_PADDING` bytes of text are readable at `src`, and the same number is writable at `to`.
#[inline(always)]
unsafe fn encode_piece(
    pages: &Pages<'_>,
    src: *const u8,
    to: *mut u8,
    near: &Near,
    top_bits: impl Fn(&[u8; BLOCK]) -> u64,
) -> (usize, usize, bool) {
    let mut at = 0;
    // The address of the output for the byte at `src`; it moves back with each multi-byte character.
    let mut moved = to;
    while at < PIECE {
        // SAFETY: `at < PIECE`, so `BLOCK + 2 * READ_PADDING` bytes are readable from `at` on. Writes stay inside the
        // same number of bytes.
        unsafe {
            let block = &*src.add(at).cast::<[u8; BLOCK]>();
            copy(block.as_ptr(), moved.wrapping_add(at));
            let leads = block.map(|byte| byte & byte << 1);
            let mut rest = top_bits(&leads);
            while rest != 0 {
                let i = at + rest.trailing_zeros() as usize;
                let here = src.add(i).cast::<[u8; 4]>().read();
                let (byte, len) = near.byte(pages, here);
                if byte == 0 {
                    let written = moved.wrapping_add(i).offset_from_unsigned(to);
                    return (i, written, true);
                }
                moved.wrapping_add(i).write(byte);
                moved = moved.wrapping_sub(len - 1);
                copy(src.add(i + len), moved.wrapping_add(i + len));
                rest &= rest - 1;
            }
            // The continuation bytes of the block's last character.
            let is_left = |i: usize| usize::from((*src.add(at + BLOCK + i)).cast_signed() < -64);
            at += BLOCK + is_left(0) + (is_left(0) & is_left(1));
        }
    }
    // SAFETY: both pointers are in the buffer at `to`, as at most `at` bytes are written.
    let written = unsafe { moved.wrapping_add(at).offset_from_unsigned(to) };
    (at, written, false)
}

/// Encodes a prefix of code units. Returns the number of units read.
#[inline(always)]
pub(super) fn encode_utf16(
    pages: &Pages<'_>,
    src: &[u16],
    out: &mut Out<'_, u8>,
    top_bits: impl Fn(&[u8; BLOCK]) -> u64,
) -> usize {
    match pages.is_latin_1 {
        true => {
            let differs = |unit: u16| (unit & 0xFFE0 == 0x80) | (unit & 0xFF00 != 0);
            encode_differing(pages, src, out, differs, top_bits)
        }
        false => encode_differing(pages, src, out, |unit| unit >= 0x80, top_bits),
    }
}

/// Implements [`encode_utf16`]; `differs` is true for code units that differ from their bytes.
#[inline(always)]
fn encode_differing(
    pages: &Pages<'_>,
    src: &[u16],
    out: &mut Out<'_, u8>,
    differs: impl Fn(u16) -> bool,
    top_bits: impl Fn(&[u8; BLOCK]) -> u64,
) -> usize {
    let encode = |block: &[u16; BLOCK], bytes: &mut [MaybeUninit<u8>; BLOCK]| {
        let kept = *bytes;
        *bytes = block.map(|unit| MaybeUninit::new(unit as u8));
        let others = top_bits(&block.map(|unit| if differs(unit) { 0x80 } else { 0 }));
        if others == 0 {
            return Ok(true);
        }
        let mut unmapped = false;
        each_bit(others, |i| {
            let byte = pages.byte(block[i]);
            bytes[i].write(byte);
            unmapped |= byte == 0;
        });
        if !unmapped {
            return Ok(false);
        }
        // Finds the first unmapped unit.
        let mut rest = others;
        while rest & (rest - 1) != 0 && pages.byte(block[rest.trailing_zeros() as usize]) != 0 {
            rest &= rest - 1;
        }
        let mapped = rest.trailing_zeros() as usize;
        bytes[mapped..].copy_from_slice(&kept[mapped..]);
        Err(mapped)
    };
    // SAFETY: `encode` initialises all bytes of a block, or restores those from the unmapped one on.
    unsafe { unit_by_unit(src, out, encode, narrow_ascii) }
}
