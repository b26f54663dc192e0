//! The loops, in safe code. All are `inline(always)`, and are inlined into one function for each instruction set.

use super::super::surrogates::{is_lead, is_surrogate, is_trail};

/// The number of units in a block; rare cases are tested once per block.
const BLOCK: usize = 64;

/// The number of units in a block of the remainder.
const SMALL_BLOCK: usize = 16;

/// The number of units tested one by one first: the first character often decides.
const FIRST: usize = 8;

#[inline(always)]
pub(super) fn widen(src: &[u8], dst: &mut [u16]) {
    for (to, &from) in dst.iter_mut().zip(src) {
        *to = u16::from(from);
    }
}

#[inline(always)]
pub(super) fn narrow(src: &[u16], dst: &mut [u8]) {
    for (to, &from) in dst.iter_mut().zip(src) {
        *to = from as u8;
    }
}

#[inline(always)]
pub(super) fn are_latin1(src: &[u16]) -> bool {
    let (blocks, rest) = src.as_chunks::<{ 4 * BLOCK }>();
    let any = |units: &[u16]| units.iter().fold(0, |any, unit| any | unit);
    src.first().is_none_or(|&first| first < 0x100)
        && blocks.iter().all(|block| any(block) < 0x100)
        && any(rest) < 0x100
}

/// True if a byte is the UTF-8 lead of U+0080 to U+00FF.
#[inline(always)]
fn is_latin1_lead(byte: u8) -> bool {
    byte & 0xFE == 0xC2
}

#[inline(always)]
fn is_tail(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Tests `N` bytes from `at`, where a character starts: every lead has its continuation byte, and there are no other
/// non-ASCII bytes. The byte after these must exist; it is included if the last byte is a lead. Returns the end.
#[inline(always)]
fn latin1_block<const N: usize>(src: &[u8], at: usize) -> Option<usize> {
    let bytes = src.get(at..)?.first_chunk::<N>()?;
    let next = src.get(at + 1..)?.first_chunk::<N>()?;
    let mut bad = u8::from(is_tail(bytes[0]));
    for (&byte, &next) in bytes.iter().zip(next) {
        let other = byte >= 0x80 && !is_tail(byte) && !is_latin1_lead(byte);
        bad |= u8::from(other) | u8::from(is_latin1_lead(byte) != is_tail(next));
    }
    (bad == 0).then_some(at + N + usize::from(is_latin1_lead(bytes[N - 1])))
}

#[inline(always)]
pub(super) fn latin1_prefix_len(src: &[u8]) -> usize {
    let mut at = 0;
    if src.len() > BLOCK {
        while let Some(end) = latin1_block::<BLOCK>(src, at) {
            at = end;
        }
    }
    while let Some(end) = latin1_block::<SMALL_BLOCK>(src, at) {
        at = end;
    }
    loop {
        match src[at..] {
            [0..0x80, ..] => at += 1,
            [lead, tail, ..] if is_latin1_lead(lead) && is_tail(tail) => at += 2,
            _ => return at,
        }
    }
}

/// Tests code units like [`latin1_block`]: each lead is followed by a trail, and each trail preceded by a lead.
#[inline(always)]
fn paired_block<const N: usize>(src: &[u16], at: usize) -> Option<usize> {
    let units = src.get(at..)?.first_chunk::<N>()?;
    let next = src.get(at + 1..)?.first_chunk::<N>()?;
    let mut bad = u16::from(is_trail(units[0]));
    for (&unit, &next) in units.iter().zip(next) {
        bad |= u16::from(is_lead(unit) != is_trail(next));
    }
    (bad == 0).then_some(at + N + usize::from(is_lead(units[N - 1])))
}

#[inline(always)]
pub(super) fn paired_prefix_len(src: &[u16]) -> usize {
    let mut at = 0;
    if src.len() > BLOCK {
        while let Some(end) = paired_block::<BLOCK>(src, at) {
            at = end;
        }
    }
    while let Some(end) = paired_block::<SMALL_BLOCK>(src, at) {
        at = end;
    }
    loop {
        match src[at..] {
            [unit, ..] if !is_surrogate(unit) => at += 1,
            [lead, trail, ..] if is_lead(lead) && is_trail(trail) => at += 2,
            _ => return at,
        }
    }
}

/// True for code units of blocks of right-to-left scripts, lead surrogates of such blocks, and the four controls that
/// begin right-to-left text.
///
/// The blocks are U+0590 to U+08FF; U+FB1D to U+FDFF, which starts inside a block with Hebrew; U+FE70 to U+FEFE, as
/// U+FEFF is the byte order mark; U+10800 to U+10FFF; and U+1E800 to U+1EFFF.
#[inline(always)]
pub(crate) fn is_rtl_unit(unit: u16) -> bool {
    let within = |from: u16, to: u16| unit.wrapping_sub(from) < to - from;
    // Branch-free, so that it vectorises.
    within(0x0590, 0x0900)
        | within(0xFB1D, 0xFE00)
        | within(0xFE70, 0xFEFF)
        | (unit & 0xFFFE == 0xD802)
        | (unit & 0xFFFE == 0xD83A)
        | (unit == 0x200F)
        | (unit == 0x202B)
        | (unit == 0x202E)
        | (unit == 0x2067)
}

#[inline(always)]
pub(super) fn have_rtl(src: &[u16]) -> bool {
    let (first, rest) = src.split_at(src.len().min(FIRST));
    if first
        .iter()
        .any(|&unit| unit >= 0x0590 && is_rtl_unit(unit))
    {
        return true;
    }
    let (blocks, rest) = rest.as_chunks::<BLOCK>();
    let (small_blocks, rest) = rest.as_chunks::<SMALL_BLOCK>();
    let any = |units: &[u16]| {
        // No right-to-left unit is below U+0590.
        let all = units.iter().fold(0, |most, &unit| unit.max(most));
        all >= 0x0590 && {
            (units.iter()).fold(0, |any, &unit| any | u16::from(is_rtl_unit(unit))) != 0
        }
    };
    blocks.iter().any(|block| any(block))
        || small_blocks.iter().any(|block| any(block))
        || rest.iter().any(|&unit| unit >= 0x0590 && is_rtl_unit(unit))
}

/// The number of bytes counted at once, each in its own lane. `COUNTED` is the maximum number of blocks that fit.
const LANES: usize = 32;
const COUNTED: usize = 128;

/// True for control characters that text lacks: all but tab, line feed, form feed, carriage return, backspace, and the
/// shifts and the escape of ISO 2022.
#[inline(always)]
fn is_control(byte: u8) -> bool {
    // Comparisons instead of a look-up, so that it vectorises.
    let is_layout = (byte.wrapping_sub(8) < 3) | (byte.wrapping_sub(12) < 2);
    (byte < 0x20) & !is_layout & (byte != 27)
}

#[inline(always)]
fn is_printable(byte: u8) -> bool {
    byte.wrapping_sub(0x20) < 0x5F
}

#[inline(always)]
pub(super) fn count_text_bytes(src: &[u8]) -> [u32; 3] {
    let kinds = |byte: u8| [byte == 0, is_control(byte), is_printable(byte)];
    let mut counts = [0; 3];
    let (blocks, rest) = src.as_chunks::<LANES>();
    for blocks in blocks.chunks(COUNTED) {
        let [mut zeros, mut controls, mut printable] = [[0_u8; LANES]; 3];
        for block in blocks {
            for (lane, &byte) in block.iter().enumerate() {
                zeros[lane] += u8::from(byte == 0);
                controls[lane] += u8::from(is_control(byte));
                printable[lane] += u8::from(is_printable(byte));
            }
        }
        for (count, lanes) in counts.iter_mut().zip([zeros, controls, printable]) {
            *count += lanes.iter().map(|&lane| u32::from(lane)).sum::<u32>();
        }
    }
    for &byte in rest {
        for (count, is_one) in counts.iter_mut().zip(kinds(byte)) {
            *count += u32::from(is_one);
        }
    }
    counts
}
