//! Single-byte kernels for text that is mostly ASCII, as that of Latin letters is: blocks of 64, treated as ASCII first,
//! and then the few characters that are not, one by one, by the bits of a mask.
//!
//! Whether a block has any, and how many, is what nobody predicts. So [`FEW`] are treated whatever the block has, and what
//! is written for none lies where the next block is going to be. A character that becomes longer or shorter is followed by
//! all that the block has after it, at its new place: nothing asks how far it is to the next one. Where code units and
//! bytes are the same from 0xA0 on, as in windows-1252, to and from UTF-16 only the others are such characters.
//!
//! Each instruction set brings the mask, and compiles these functions for itself.

use crate::simd::tuning;
use core::hint::select_unpredictable;
use core::mem::MaybeUninit;

use super::super::arrays::tail;
use super::super::ascii::{copy_ascii, narrow_ascii, widen_ascii};
use super::super::out::Out;
use super::super::utf8_encode::{character, sequence};
use super::{CodePoints, Pages, starts_run};

/// Bytes or code units that are looked at together: a bit for each.
pub(super) const BLOCK: usize = 64;
/// Characters that are treated in each block that is not ASCII, at least.
const FEW: usize = tuning::FEW_LETTERS;
/// Bytes after a block that are read, and after what it becomes that are written, at most.
const READ_PADDING: usize = BLOCK + 2;
/// What a block becomes in UTF-8, at most, with what is written after it.
const MOST: usize = 3 * BLOCK + READ_PADDING;
/// Units of a piece that is written to scratch memory.
const PIECE: usize = 4 * BLOCK;
/// From this many letters of two bytes in a piece of UTF-8 on, no letter is treated by itself.
pub(super) const MANY: usize = tuning::MANY_LETTERS;
/// After this many blocks of ASCII the kernel for runs of ASCII takes over, which all encodings share.
const RUN: usize = tuning::BLOCKS_OF_ASCII;

/// Whether the texts of an encoding are mostly ASCII: its letters are Latin ones, without combining marks, and it maps
/// every byte.
///
/// A slice, and by call, as the compiler would unroll the loop.
#[inline(never)]
pub(super) fn is_for(code_points: &[u16]) -> bool {
    let (mut latin, mut others) = (0_u8, false);
    for &c in code_points {
        latin += u8::from(c < 0x250);
        // Without "or else": so the compiler makes vectors of it.
        others |= (c == 0) | (0x300..0x370).contains(&c);
    }
    latin >= 64 && !others
}

/// 0xA0 to 0xFF.
const LATIN_1: [u8; 96] = {
    let mut bytes = [0; 96];
    let mut i = 0;
    while i < bytes.len() {
        bytes[i] = 0xA0 + i as u8;
        i += 1;
    }
    bytes
};

/// Whether bytes from 0xA0 on stand for the code points of these numbers, as those of windows-1252 do.
#[inline(never)]
fn decodes_latin_1(code_points: &CodePoints) -> bool {
    let differ = |any, (&code_point, &byte)| any | (code_point ^ u16::from(byte));
    code_points[0x20..].iter().zip(&LATIN_1).fold(0, differ) == 0
}

/// Whether the code points from U+00A0 to U+00FF have the bytes of these numbers.
#[inline(always)]
pub(super) fn encodes_latin_1(pages: &Pages<'_>) -> bool {
    let (first, second) = LATIN_1.split_at(0x20);
    *pages.page(3) == *second && pages.page(2)[0x20..] == *first
}

/// Copies a block.
///
/// # Safety
/// As much is readable at `from`, and writable at `to`, and the two do not overlap.
#[inline(always)]
unsafe fn copy(from: *const u8, to: *mut u8) {
    // SAFETY: by `# Safety`, `BLOCK` bytes are readable at `from` and writable at `to`, and the two do not overlap.
    unsafe {
        to.cast::<[u8; BLOCK]>()
            .write(from.cast::<[u8; BLOCK]>().read())
    }
}

/// The UTF-8 of bytes from 0x80 on, the first byte lowest, and on top how much longer than one byte it is.
#[inline(never)]
fn sequences(code_points: &CodePoints) -> [u32; 128] {
    let mut all = [0; 128];
    for (entry, &code_point) in all.iter_mut().zip(code_points) {
        let (bytes, len) = sequence(code_point);
        *entry = (len as u32 - 1) << 24 | bytes;
    }
    all
}

/// Decodes what it can of long input from an encoding that this [`is_for`]; returns how many bytes.
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
        // What is written after the last block is written again: that many bytes follow, none of them is unmapped, and
        // there is room.
        while src.len() - at >= BLOCK + READ_PADDING && room - written >= MOST + 3 && ascii < RUN {
            // SAFETY: BLOCK + READ_PADDING bytes are left, and there is room for MOST, as just compared: a character at `i`,
            // which is below BLOCK, or at BLOCK if there is none, is followed by one BLOCK more from i + 1 on.
            unsafe {
                let src = src.as_ptr().add(at);
                let mut to = start.add(written);
                copy(src, to);
                let mut rest = top_bits(&*src.cast());
                ascii += 1;
                if rest != 0 {
                    ascii = 0;
                    let mut count = 0;
                    while count < FEW || rest != 0 {
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
        // SAFETY: the blocks initialised `written` bytes, within the output.
        unsafe { out.advance(written) };
        if ascii < RUN {
            return at;
        }
        at += copy_ascii(tail(src, at), out);
    }
}

/// Likewise to UTF-16.
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

/// [`decode_utf16`] where `differing` says which bytes of a block are not those of their code points.
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
    // SAFETY: `decode` writes whole blocks.
    unsafe { unit_by_unit(src, out, decode, widen_ascii) }
}

/// Converts blocks by `convert`, which writes a unit for each, and says whether all are ASCII, or how many it has taken
/// before one that it does not know; runs of ASCII by `ascii`. Returns how many units it took.
///
/// # Safety
/// `convert` initialises the units that it says it has taken.
#[inline(always)]
unsafe fn unit_by_unit<T, U: Copy>(
    src: &[T],
    out: &mut Out<'_, U>,
    convert: impl Fn(&[T; BLOCK], &mut [MaybeUninit<U>; BLOCK]) -> Result<bool, usize>,
    ascii: impl Fn(&[T], &mut Out<'_, U>) -> usize,
) -> usize {
    let len = src.len().min(out.room());
    // Where the first unit would be written, and how many blocks of ASCII precede.
    let (mut to, mut ascii_blocks) = (out.spare_ptr(), 0);
    let (mut at, mut before) = (0, 0);
    while let Some(block) = src[at..len].first_chunk() {
        // SAFETY: `to` has room for `len` units, and `at + BLOCK <= len`, as `src[at..len]` has a whole block.
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
            // SAFETY: `convert` initialised these units, within the output.
            unsafe { out.advance(at - before) };
            at += ascii(tail(src, at), out);
            (before, ascii_blocks) = (at, 0);
            to = out.spare_ptr().wrapping_sub(at);
        }
    }
    // SAFETY: `convert` initialised these units, within the output.
    unsafe { out.advance(at - before) };
    at
}

/// Calls `f` with the place of each set bit; `bits` is not zero. Below [`FEW`] bits, the last place is given again.
#[inline(always)]
fn each_bit(bits: u64, mut f: impl FnMut(usize)) {
    let mut rest = bits;
    for _ in 0..(bits.count_ones() as usize).max(FEW) {
        f(rest.trailing_zeros() as usize % BLOCK);
        let next = rest & rest.wrapping_sub(1);
        rest = select_unpredictable(next != 0, next, rest);
    }
}

/// The bytes of characters below U+0200, and of those from U+2000 to U+203F, by the low three bits of the byte before
/// their last one.
struct Near([[u8; 64]; 8]);

impl Near {
    #[inline(never)]
    fn new(pages: &Pages<'_>) -> Self {
        let mut near = Self([[0; 64]; 8]);
        for (i, page) in near.0.iter_mut().enumerate() {
            // The lead of the others is 0xC0 to 0xC7.
            copy_page(pages, if i == 0 { 0x80 } else { i }, page);
        }
        near
    }

    /// The byte of the character that starts with `bytes`, 0 if it has none, and how long it is.
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

/// By call, as the compiler unrolls the loop around it.
#[inline(never)]
fn copy_page(pages: &Pages<'_>, block: usize, to: &mut [u8; 64]) {
    *to = *pages.page(block);
}

/// The byte of any character, 0 if it has none, and how long it is.
#[inline(never)]
fn far(pages: &Pages<'_>, [a, b, c, _]: [u8; 4]) -> (u8, usize) {
    let character = character([a, b, c]);
    character.map_or((0, 1), |(code_point, len)| (pages.byte(code_point), len))
}

/// Encodes what it can of long text; returns how many bytes of it. After a piece with [`MANY`] letters, `dense` encodes
/// as much as it likes, whole characters.
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
        // SAFETY: these bytes are readable and writable, as just compared.
        let (read, written, stops) =
            unsafe { encode_piece(pages, rest.as_ptr(), to, &near, &top_bits) };
        // SAFETY: `encode_piece` initialised these bytes.
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

/// Encodes [`PIECE`] bytes or a few more, or up to an unmapped character: the bytes read, those written, and whether it
/// stops there.
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
    // Where the byte at `src` would be written: it moves back for every character.
    let mut moved = to;
    while at < PIECE {
        // SAFETY: at < PIECE, so that BLOCK and twice READ_PADDING are readable from there on; no more is written.
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
            // What is left of the last character.
            let is_left = |i: usize| usize::from((*src.add(at + BLOCK + i)).cast_signed() < -64);
            at += BLOCK + is_left(0) + (is_left(0) & is_left(1));
        }
    }
    // SAFETY: no bytes are counted as written.
    let written = unsafe { moved.wrapping_add(at).offset_from_unsigned(to) };
    (at, written, false)
}

/// Encodes what it can of code units; returns how many.
#[inline(always)]
pub(super) fn encode_utf16(
    pages: &Pages<'_>,
    src: &[u16],
    out: &mut Out<'_, u8>,
    top_bits: impl Fn(&[u8; BLOCK]) -> u64,
) -> usize {
    match encodes_latin_1(pages) {
        true => {
            let differs = |unit: u16| (unit & 0xFFE0 == 0x80) | (unit & 0xFF00 != 0);
            encode_differing(pages, src, out, differs, top_bits)
        }
        false => encode_differing(pages, src, out, |unit| unit >= 0x80, top_bits),
    }
}

/// [`encode_utf16`] where `differs` says which code units are not those of their bytes.
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
        // There is one.
        let mut rest = others;
        while rest & (rest - 1) != 0 && pages.byte(block[rest.trailing_zeros() as usize]) != 0 {
            rest &= rest - 1;
        }
        let mapped = rest.trailing_zeros() as usize;
        bytes[mapped..].copy_from_slice(&kept[mapped..]);
        Err(mapped)
    };
    // SAFETY: `encode` writes whole blocks; what it takes back was there before.
    unsafe { unit_by_unit(src, out, encode, narrow_ascii) }
}
