//! Decoding by shuffles, or by arithmetic.

use super::super::super::arrays::{map_array, tail};
use super::super::super::ascii::widen_ascii;
use super::super::super::out::Out;
use super::super::super::vector::{Bytes, LEN, Marks, Token, V256};
use super::super::{AsciiProbe, CodePoints, WideLetters, mostly_ascii, portable, starts_run};
use super::groups::{WRITE_PADDING, store_groups};
use super::{PAIRS, TRIPLES};
use crate::simd::tuning;

/// Minimum number of bytes for which building the tables pays off.
const SHORT: usize = tuning::TABLES_FROM;

/// Decodes short input, and the start of input that may soon stop, with `portable`. Returns the number of bytes read,
/// and true if more can be decoded.
#[inline(always)]
fn start(
    code_points: &CodePoints,
    src: &[u8],
    portable: impl FnOnce(&[u8]) -> usize,
) -> (usize, bool) {
    let len = src.len();
    let take = match () {
        () if len < SHORT => len,
        () if has_gaps(code_points) => tuning::PORTABLE_UP_TO,
        () => return (0, true),
    };
    let taken = portable(&src[..take]);
    (taken, taken == take && take < len)
}

/// True if any byte is unmapped. No early exit, so that it vectorises.
#[inline(always)]
fn has_gaps(code_points: &CodePoints) -> bool {
    code_points.iter().fold(false, |any, &c| any | (c == 0))
}

/// Builds a table of one byte for each code point.
#[inline(always)]
fn table(v: Token, code_points: &CodePoints, byte: impl Fn(u16) -> u16) -> <Token as V256>::Table {
    let mut entries = [0; 128];
    for (entry, &code_point) in entries.iter_mut().zip(code_points) {
        *entry = byte(code_point) as u8;
    }
    v.table(&entries)
}

#[cfg_attr(avx2, target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
pub(in super::super) fn utf16(
    v: Token,
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    let (mut at, more) = start(code_points, src, |src| {
        portable::decode_utf16(code_points, src, out)
    });
    if !more {
        return at;
    }
    if mostly_ascii::is_for(code_points) {
        at = mostly_ascii::decode_utf16(code_points, src, out, |block| v.top_bits_of_block(block));
        return at + portable::decode_utf16(code_points, tail(src, at), out);
    }
    let low = table(v, code_points, |c| c);
    let high = table(v, code_points, |c| c >> 8);
    let zero = v.splat(0);
    let mut looks = AsciiProbe::new();
    while src.len() - at >= LEN && out.room() >= LEN {
        if looks.is_due() && starts_run(tail(src, at)) {
            at += widen_ascii(tail(src, at), out);
            continue;
        }
        // SAFETY: `src.len() - at >= LEN`, by the loop condition.
        let bytes = unsafe { v.load(src.as_ptr().add(at)) };
        let not_ascii = v.movemask(bytes);
        let (mut a, mut b) = (bytes, zero);
        if v.any(not_ascii) {
            a = v.look_up(&low, bytes);
            b = v.look_up(&high, bytes);
            let unmapped = v.equal(v.or(a, b), zero);
            if v.any(v.both(v.movemask(unmapped), not_ascii)) {
                break;
            }
            a = v.blend(bytes, a, bytes);
        }
        let to = out.spare_ptr();
        for (i, units) in v.zip(a, b).into_iter().enumerate() {
            // SAFETY: `out.room() >= LEN`, by the loop condition, and `LEN` is 32: eight units end at `8 * i + 8` and
            // `16 + 8 * i + 8`.
            unsafe {
                v.store_low(units, to.add(8 * i).cast());
                v.store_high(units, to.add(16 + 8 * i).cast());
            }
        }
        // SAFETY: the loop above stored `LEN` units.
        unsafe { out.advance(LEN) };
        at += LEN;
    }
    at + portable::decode_utf16(code_points, tail(src, at), out)
}

#[cfg_attr(avx2, target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
pub(in super::super) fn utf8(
    v: Token,
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u8>,
) -> usize {
    let (mut at, more) = start(code_points, src, |src| {
        portable::decode_utf8(code_points, src, out)
    });
    if !more {
        return at;
    }
    if src.len() >= tuning::TABLES_OF_CALL_FROM && mostly_ascii::is_for(code_points) {
        at = mostly_ascii::decode_utf8(code_points, src, out, |block| v.top_bits_of_block(block));
        return at + portable::decode_utf8(code_points, tail(src, at), out);
    }
    let first = table(v, code_points, |c| {
        let lead = if c < 0x800 {
            0xC0 | c >> 6
        } else {
            0xE0 | c >> 12
        };
        if c == 0 { 0 } else { lead }
    });
    let second = table(v, code_points, |c| {
        0x80 | (if c < 0x800 { c } else { c >> 6 }) & 0x3F
    });
    let third = table(v, code_points, |c| 0x80 | c & 0x3F);
    let letters = match Token::ARE_TABLES_COSTLY {
        true => Letters::of(v, code_points),
        false => None,
    };
    let (to, room) = (out.spare_ptr(), out.room());
    let mut written = 0;
    while src.len() - at >= LEN && room - written >= 3 * LEN + WRITE_PADDING {
        // SAFETY: `LEN` bytes are left, and `3 * LEN + WRITE_PADDING` bytes of room, by the loop condition.
        unsafe {
            let to = to.add(written);
            let bytes = v.load(src.as_ptr().add(at));
            let not_ascii = v.movemask(bytes);
            if !v.any(not_ascii) {
                v.store(bytes, to);
                written += LEN;
                at += LEN;
                continue;
            }
            if let Some(triples) = letters
                .as_ref()
                .and_then(|l| l.triples(v, bytes, not_ascii))
            {
                written += store_triples(v, to, triples, bytes, bytes);
                at += LEN;
                continue;
            }
            let mut a = v.look_up(&first, bytes);
            let b = v.look_up(&second, bytes);
            if v.any(v.both(v.movemask(v.equal(a, v.splat(0))), not_ascii)) {
                break;
            }
            let wide = v.at_least(a, v.splat(0xE0));
            a = v.blend(bytes, a, bytes);
            written += if !v.any(v.movemask(wide)) {
                store_pairs(v, to, a, b, v.bits(not_ascii))
            } else {
                store_triples(v, to, [a, b, v.look_up(&third, bytes)], bytes, wide)
            };
        }
        at += LEN;
    }
    // SAFETY: the stores initialised `written <= room` bytes.
    unsafe { out.advance(written) };
    at + portable::decode_utf8(code_points, tail(src, at), out)
}

/// Consecutive three-byte letters in a page of 256 code points, like those of Thai. Each is computed from its byte and
/// constants.
struct Letters {
    are: <Token as V256>::Set,
    shared: WideLetters,
}

impl Letters {
    /// Returns the letters of an encoding that has such letters.
    #[inline(always)]
    fn of(v: Token, code_points: &CodePoints) -> Option<Self> {
        let shared = WideLetters::of(code_points)?;
        let mut are = [false; 128];
        for (i, (is_letter, &code_point)) in are.iter_mut().zip(code_points).enumerate() {
            let expected = shared.first.wrapping_add(i as u16);
            *is_letter = code_point == expected && code_point >> 8 == u16::from(shared.page);
        }
        Some(Self {
            are: v.set(&are),
            shared,
        })
    }

    /// Returns the three bytes of each character (ASCII uses the first); `None` if there are other characters.
    #[inline(always)]
    fn triples(&self, v: Token, bytes: Bytes, not_ascii: Marks) -> Option<[Bytes; 3]> {
        let others = v.movemask(v.is_not_in(&self.are, bytes));
        if v.any(v.both(others, not_ascii)) {
            return None;
        }
        let WideLetters { page, offset, .. } = self.shared;
        let low = v.add(bytes, v.splat(offset));
        let first = v.blend(bytes, v.splat(0xE0 | page >> 4), bytes);
        let second = v.or(v.top_two(low), v.splat(0x80 | (page & 0xF) << 2));
        let third = v.or(v.and(low, v.splat(0x3F)), v.splat(0x80));
        Some([first, second, third])
    }
}

/// Writes characters of one byte, or of two if set in `not_ascii`. Returns the number of bytes.
///
/// # Safety
/// The bytes and [`WRITE_PADDING`] more are writable at `to`.
#[inline(always)]
unsafe fn store_pairs(v: Token, to: *mut u8, a: Bytes, b: Bytes, not_ascii: u32) -> usize {
    let pairs = v.zip(a, b);
    let lens = v.counts(not_ascii);
    let groups = map_array([0, 1], |i| {
        let bits = map_array([8 * i, 16 + 8 * i], |at| (not_ascii >> at) as u8);
        let places = map_array(bits, |bits| &PAIRS[usize::from(bits)]);
        let lens = [8 + lens[i], 8 + lens[2 + i]];
        (v.shuffle(pairs[i], places), lens)
    });
    // SAFETY: the bytes and `WRITE_PADDING` more are writable at `to`, by `# Safety`.
    unsafe { store_groups(v, to, groups, LEN + v.count(not_ascii)) }
}

/// Writes 1 byte per character, 2 if its byte in `not_ascii` has the top bit set, 3 if its byte in `wide` has.
/// Returns the number of bytes.
///
/// # Safety
/// The bytes and [`WRITE_PADDING`] more are writable at `to`.
#[inline(always)]
unsafe fn store_triples(
    v: Token,
    to: *mut u8,
    [a, b, c]: [Bytes; 3],
    not_ascii: Bytes,
    wide: Bytes,
) -> usize {
    let (firsts, lasts) = (v.zip(a, b), v.zip(c, v.splat(0)));
    let slots = map_array([0, 1], |i| v.zip_pairs(firsts[i], lasts[i]));
    // Two bits for each character.
    let masks = map_array(v.zip(not_ascii, wide), |masks| v.top_bits(masks));
    let lens = map_array(masks, |bits| v.counts(bits));
    let groups = map_array([0, 1, 2, 3], |i| {
        let bits = map_array([8 * (i % 2), 16 + 8 * (i % 2)], |at| {
            (masks[i / 2] >> at) as u8
        });
        let places = map_array(bits, |bits| &TRIPLES[usize::from(bits)]);
        let lens = [4 + lens[i / 2][i % 2], 4 + lens[i / 2][2 + i % 2]];
        (v.shuffle(slots[i / 2][i % 2], places), lens)
    });
    let len = LEN + v.count(masks[0]) + v.count(masks[1]);
    // SAFETY: the bytes and `WRITE_PADDING` more are writable at `to`, by `# Safety`.
    unsafe { store_groups(v, to, groups, len) }
}
