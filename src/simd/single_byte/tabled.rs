//! Single-byte kernels without vector instructions for long input: with tables made for the call.
//!
//! What [`portable`](super::portable) computes for each character is one look-up here, ASCII included, so that no branch
//! asks what a character is; a table costs what some hundred characters cost there. These loops take what they can of the
//! middle of the input and stop wherever it pleases them: before anything unmapped, near the end, with little room.
//!
//! Where lengths vary, a piece goes beside the output first: there each store may be longer than what it means, and the
//! next one overwrites the rest.

use core::hint::select_unpredictable;
use core::mem::MaybeUninit;

use super::super::arrays::{after, each};
use super::super::ascii::{copy_ascii, narrow_ascii, starts_ascii, widen_ascii};
use super::super::out::Out;
use super::super::sequence::{sequence, three};
use super::portable::{byte_of, character, decode_utf16_loop, encode_utf16_loop};
use super::{CodePoints, Pages};

/// Units of input between two looks at the room and for runs of ASCII.
const PIECE: usize = 256;
/// Bytes that may be read behind a piece, and written behind what a piece gives.
const SLACK: usize = 32;
/// Bytes looked at together.
const WINDOW: usize = 16;
/// The bits that are set in no ASCII byte.
const NOT_ASCII: u64 = 0x8080_8080_8080_8080;

/// The 16 bytes from `at` on, in two words, the first byte lowest.
///
/// # Safety
/// They lie within `src`.
#[inline(always)]
unsafe fn window(src: &[u8], at: usize) -> [u64; 2] {
    debug_assert!(at + WINDOW <= src.len());
    // SAFETY: the contract of this function.
    let bytes = unsafe { src.as_ptr().add(at).cast::<[[u8; 8]; 2]>().read() };
    each(bytes, u64::from_le_bytes)
}

/// How many ASCII bytes a window starts with.
#[inline(always)]
fn ascii_prefix([low, high]: [u64; 2]) -> usize {
    let [low, high] = each([low, high], |word| {
        (word & NOT_ASCII).trailing_zeros() as usize / 8
    });
    select_unpredictable(low < 8, low, 8 + high)
}

/// Whether any byte is 0.
#[inline(always)]
fn has_zero<const N: usize>(bytes: [u8; N]) -> bool {
    // Only 0 less 1 has the top bit.
    let any = |any, &byte: &u8| any | u32::from(byte).wrapping_sub(1);
    bytes.iter().fold(0, any) >> 31 != 0
}

/// Whether a word has more than one bit set.
#[inline(always)]
fn is_more_than_one(bits: u64) -> bool {
    bits & bits.wrapping_sub(1) != 0
}

/// The UTF-8 of every byte, the first one lowest, and the length above; 0 if unmapped.
#[inline(always)]
fn utf8_table(code_points: &CodePoints) -> [u32; 256] {
    let mut table = [0; 256];
    let (ascii, others) = table.split_at_mut(128);
    for (i, entry) in ascii.iter_mut().enumerate() {
        *entry = 1 << 24 | i as u32;
    }
    for (entry, &code_point) in others.iter_mut().zip(code_points) {
        let (bytes, len) = sequence(code_point);
        *entry = match code_point {
            0 => 0,
            1..0x80 => 1 << 24 | u32::from(code_point),
            _ => (len as u32) << 24 | bytes,
        };
    }
    table
}

pub(super) fn decode_utf8(code_points: &CodePoints, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let table = utf8_table(code_points);
    let mut beside = [MaybeUninit::uninit(); 3 * PIECE + SLACK];
    let mut read = 0;
    while src.len() - read >= PIECE + SLACK && out.room() >= 3 * PIECE + SLACK {
        let rest = after(src, read);
        if starts_ascii(rest) {
            read += copy_ascii(rest, out);
            continue;
        }
        let Some((piece, _)) = rest.split_first_chunk() else {
            break;
        };
        let (taken, written) = decode_piece(&table, piece, &mut beside);
        // SAFETY: `decode_piece` initialised as many bytes.
        let fits = unsafe { out.push_beside(&beside, written) };
        debug_assert!(fits);
        read += taken;
        if taken < PIECE {
            break;
        }
    }
    read
}

/// Decodes [`PIECE`] bytes or a few more, or up to an unmapped one; returns the bytes read, and the bytes initialised.
#[inline(always)]
fn decode_piece(
    table: &[u32; 256],
    src: &[u8; PIECE + SLACK],
    beside: &mut [MaybeUninit<u8>; 3 * PIECE + SLACK],
) -> (usize, usize) {
    let to = beside.as_mut_ptr().cast::<u8>();
    let (mut at, mut written) = (0, 0);
    while at < PIECE {
        // SAFETY: at < PIECE, and there are SLACK bytes more.
        let words = unsafe { window(src, at) };
        let others = each(words, |word| word & NOT_ASCII);
        if others == [0; 2] {
            // SAFETY: `beside` has SLACK bytes more than are written before the piece ends.
            unsafe {
                let ascii = each(words, u64::to_le_bytes);
                to.add(written).cast::<[[u8; 8]; 2]>().write(ascii);
            }
            at += WINDOW;
            written += WINDOW;
        } else if is_more_than_one(others[0]) {
            let (before, mut unmapped) = (written, 0);
            for byte in words[0].to_le_bytes() {
                let entry = table[usize::from(byte)];
                // SAFETY: as above.
                unsafe { to.add(written).cast::<[u8; 4]>().write(entry.to_le_bytes()) };
                written += (entry >> 24) as usize;
                unmapped |= entry.wrapping_sub(1);
            }
            // Only 0 less 1 has the top bit.
            if unmapped >> 31 != 0 {
                return (at, before);
            }
            at += 8;
        } else {
            // ASCII, and a byte that is not.
            let ascii = ascii_prefix(words);
            let entry = table[usize::from(src[at + ascii])];
            // SAFETY: as above.
            unsafe {
                let to = to.add(written);
                to.cast::<[[u8; 8]; 2]>()
                    .write(each(words, u64::to_le_bytes));
                to.add(ascii).cast::<[u8; 4]>().write(entry.to_le_bytes());
            }
            at += ascii;
            written += ascii;
            if entry == 0 {
                return (at, written);
            }
            at += 1;
            written += (entry >> 24) as usize;
        }
    }
    (at, written)
}

pub(super) fn decode_utf16(code_points: &CodePoints, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut table = [0; 256];
    let (ascii, others) = table.split_at_mut(128);
    for (i, entry) in ascii.iter_mut().enumerate() {
        *entry = i as u16;
    }
    others.copy_from_slice(code_points);
    let mut read = 0;
    while let Some(window) = src[read..].first_chunk::<WINDOW>()
        && out.room() >= WINDOW
    {
        if window.is_ascii() {
            read += widen_ascii(after(src, read), out);
            continue;
        }
        let bytes: &[u8; 8] = &window.as_chunks().0[0];
        let units = each(*bytes, |byte| table[usize::from(byte)]);
        if !units.contains(&0) {
            if !out.push_array(units) {
                break;
            }
            read += 8;
            continue;
        }
        // U+0000, or unmapped.
        let taken = decode_utf16_loop(code_points, bytes, out);
        read += taken;
        if taken < 8 {
            break;
        }
    }
    read
}

/// Characters that a table knows: all of two bytes in UTF-8, and some of three.
const KNOWN: usize = 0x1000;

/// The bytes of the first code points, ASCII included, 0 of those that are not mapped.
#[inline(never)]
fn byte_table(pages: &Pages<'_>) -> [u8; KNOWN] {
    let mut table = [0; KNOWN];
    for (block, page) in table.as_chunks_mut().0.iter_mut().enumerate() {
        *page = *pages.page(block);
    }
    for (i, entry) in table[..128].iter_mut().enumerate() {
        *entry = i as u8;
    }
    // Stands for all that is beyond, too.
    table[KNOWN - 1] = 0;
    table
}

pub(super) fn encode_utf8(pages: &Pages<'_>, src: &str, out: &mut Out<'_, u8>) -> usize {
    let src = src.as_bytes();
    let table = byte_table(pages);
    // There the leads of three and four bytes have their places: no encoding has those code points.
    debug_assert!(table[0x800..0xD40].iter().all(|&byte| byte == 0));
    let mut beside = [MaybeUninit::uninit(); PIECE + SLACK];
    let mut read = 0;
    while src.len() - read >= PIECE + SLACK && out.room() >= PIECE + SLACK {
        let rest = after(src, read);
        if starts_ascii(rest) {
            read += copy_ascii(rest, out);
            continue;
        }
        let Some((piece, _)) = rest.split_first_chunk() else {
            break;
        };
        let (taken, written) = encode_piece(&table, pages, piece, &mut beside);
        // SAFETY: `encode_piece` initialised as many bytes.
        let fits = unsafe { out.push_beside(&beside, written) };
        debug_assert!(fits);
        read += taken;
        if taken < PIECE {
            break;
        }
    }
    read
}

/// Where the table has a sequence of two bytes; where it has nothing for a lead of three or four.
#[inline(always)]
fn place(lead: u8, second: u8) -> usize {
    usize::from(lead & 0x3F) << 6 | usize::from(second & 0x3F)
}

/// Encodes [`PIECE`] bytes or a few more, or up to an unmapped character; returns the bytes read, and those initialised.
#[inline(always)]
fn encode_piece(
    table: &[u8; KNOWN],
    pages: &Pages<'_>,
    src: &[u8; PIECE + SLACK],
    beside: &mut [MaybeUninit<u8>; PIECE + SLACK],
) -> (usize, usize) {
    let to = beside.as_mut_ptr().cast::<u8>();
    let (mut at, mut written) = (0, 0);
    while at < PIECE {
        // SAFETY: at < PIECE, and there are SLACK bytes more.
        let words = unsafe { window(src, at) };
        let others = each(words, |word| word & NOT_ASCII);
        if others == [0; 2] {
            // SAFETY: `beside` has SLACK bytes more than are written before the piece ends.
            unsafe {
                let ascii = each(words, u64::to_le_bytes);
                to.add(written).cast::<[[u8; 8]; 2]>().write(ascii);
            }
            at += WINDOW;
            written += WINDOW;
            continue;
        }
        let ascii = ascii_prefix(words);
        let mut end = at + 8;
        if is_more_than_one(others[0] & others[0] >> 8) {
            // Four characters of one byte or two.
            let (mut word, mut len, mut bytes) = (words[0], 4, [0; 4]);
            for byte in &mut bytes {
                let is_pair = word & 0x80 != 0;
                let pair = place(word as u8, (word >> 8) as u8);
                *byte = table[select_unpredictable(is_pair, pair, (word & 0x7F) as usize)];
                word = select_unpredictable(is_pair, word >> 16, word >> 8);
                len += usize::from(is_pair);
            }
            if !has_zero(bytes) {
                // SAFETY: as above.
                unsafe { to.add(written).cast::<[u8; 4]>().write(bytes) };
                at += len;
                written += 4;
                continue;
            }
        } else {
            // ASCII, and a character that is not.
            let [lead, second] = each([0, 1], |i| src[at + ascii + i]);
            let byte = table[place(lead, second)];
            // SAFETY: as above.
            unsafe {
                let to = to.add(written);
                to.cast::<[[u8; 8]; 2]>()
                    .write(each(words, u64::to_le_bytes));
                to.add(ascii).write(byte);
            }
            at += ascii;
            written += ascii;
            if byte != 0 {
                at += 2;
                written += 1;
                continue;
            }
            end = at;
        }
        // Characters of three bytes that the table knows.
        let start = at;
        while at < PIECE && matches!(src[at], 0xE0..0xF0) {
            let word = u32::from_le_bytes(each([0, 1, 2, 3], |i| src[at + i]));
            let byte = table[usize::from(three(word)).min(KNOWN - 1)];
            if byte == 0 {
                break;
            }
            // SAFETY: as above.
            unsafe { to.add(written).write(byte) };
            at += 3;
            written += 1;
        }
        if at > start {
            continue;
        }
        // One by one where the table does not know something.
        loop {
            let here = each([0, 1, 2], |i| src[at + i]);
            let Some((code_point, len)) = character(here) else {
                return (at, written);
            };
            let byte = byte_of(pages, code_point);
            if byte == 0 && code_point != 0 {
                return (at, written);
            }
            // SAFETY: as above.
            unsafe { to.add(written).write(byte) };
            at += len;
            written += 1;
            if at >= end {
                break;
            }
        }
    }
    (at, written)
}

pub(super) fn encode_utf16(pages: &Pages<'_>, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let table = byte_table(pages);
    let mut read = 0;
    while let Some(window) = src[read..].first_chunk::<WINDOW>()
        && out.room() >= WINDOW
    {
        if window.iter().fold(0, |any, unit| any | unit) < 0x80 {
            read += narrow_ascii(after(src, read), out);
            continue;
        }
        let units: &[u16; 8] = &window.as_chunks().0[0];
        let bytes = units.iter().rev().fold(0, |bytes, &unit| {
            bytes << 8 | u64::from(table[usize::from(unit).min(KNOWN - 1)])
        });
        // The lowest byte that is 0 gets the top bit, which it had not.
        if bytes.wrapping_sub(0x0101_0101_0101_0101) & !bytes & NOT_ASCII == 0 {
            if !out.push_array(bytes.to_le_bytes()) {
                break;
            }
            read += 8;
            continue;
        }
        // The table does not know something.
        let taken = encode_utf16_loop(pages, units, out);
        read += taken;
        if taken < 8 {
            break;
        }
    }
    read
}

/// [`encode_utf16`] where the bytes from 0x80 on are 128 code points that follow one another.
pub(super) fn encode_consecutive_utf16(first: u16, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    while let Some(window) = src[read..].first_chunk::<WINDOW>() {
        let lacks = |unit: u16| u16::from(unit & 0xFF80 != 0) & u16::from(unit & 0xFF80 != first);
        let any = window.iter().fold(0, |any, &unit| any | lacks(unit));
        let byte = |unit: u16| unit as u8 & 0x7F | u8::from(unit & 0xFF80 != 0) << 7;
        if any != 0 || !out.push_array(window.map(byte)) {
            break;
        }
        read += WINDOW;
    }
    read
}

/// [`encode_utf8`] where the bytes from 0x80 on are 128 code points that follow one another, of three bytes each.
///
/// Whatever a position holds, a byte is made of it and the two behind it, and kept if a character starts there.
pub(super) fn encode_consecutive_utf8(first: u16, src: &str, out: &mut Out<'_, u8>) -> usize {
    let src = src.as_bytes();
    let [lead, second] = [0xE0 | (first >> 12) as u8, 0x80 | (first >> 6 & 0x3F) as u8];
    let mut beside = [0; PIECE];
    let mut read = 0;
    while src.len() - read >= PIECE + SLACK && out.room() >= PIECE {
        let rest = after(src, read);
        if starts_ascii(rest) {
            read += copy_ascii(rest, out);
            continue;
        }
        let (mut at, mut written) = (0, 0);
        while at < PIECE {
            let Some(window) = rest[at..].first_chunk::<{ WINDOW + 2 }>() else {
                break;
            };
            let (mut bytes, mut kept, mut others) = ([0; WINDOW], [0; WINDOW], 0);
            for i in 0..WINDOW {
                // Vectors are made of this only without "or else".
                let [a, b, c] = [window[i], window[i + 1], window[i + 2]];
                let other = 0x80 | (b & 1) << 6 | c & 0x3F;
                bytes[i] = if a < 0x80 { a } else { other };
                kept[i] = u8::from(a < 0x80) | u8::from(a >= 0xC0);
                let lacks = u8::from(a != lead) | u8::from(b & !1 != second);
                others |= u8::from(a >= 0xC0) & lacks;
            }
            if others != 0 {
                break;
            }
            // Not unrolled to all sixteen.
            for (bytes, kept) in bytes.chunks_exact(4).zip(kept.chunks_exact(4)) {
                for (&byte, &kept) in bytes.iter().zip(kept) {
                    beside[written % PIECE] = byte;
                    written += usize::from(kept);
                }
            }
            at += WINDOW;
        }
        let fits = out.push_slice(&beside[..written]);
        debug_assert!(fits);
        // Up to the next character.
        let stop = at < PIECE;
        while rest.get(at).is_some_and(|&byte| byte & 0xC0 == 0x80) {
            at += 1;
        }
        read += at;
        if stop {
            break;
        }
    }
    read
}
