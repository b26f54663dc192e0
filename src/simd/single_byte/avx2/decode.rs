//! Decoding by shuffles.

use core::arch::x86_64::__m256i;

use super::super::super::arrays::{after, each};
use super::super::super::ascii::widen_ascii;
use super::super::super::out::Out;
use super::super::super::token::Avx2;
use super::super::{AHEAD, CodePoints, Looks, portable};
use super::registers::{LEN, Table};
use super::{FROM, PAIRS, TRIPLES};

/// Below so many bytes the tables are not worth their making.
const SHORT: usize = 64;

/// Where bytes may be unmapped, the portable loop tries so many first: of noise it takes few.
const TRY: usize = 32;

/// Takes short input, and the first bytes of input that may stop soon, by `portable`. How many bytes those were, and
/// whether there are more to take.
#[inline(always)]
fn start(
    code_points: &CodePoints,
    src: &[u8],
    portable: impl FnOnce(&[u8]) -> usize,
) -> (usize, bool) {
    let len = src.len();
    let take = match () {
        () if len < SHORT => len,
        () if has_gaps(code_points) => TRY,
        () => return (0, true),
    };
    let taken = portable(&src[..take]);
    (taken, taken == take && take < len)
}

/// Whether any byte is unmapped. Without an early end: so the compiler makes vectors of it.
#[inline(always)]
fn has_gaps(code_points: &CodePoints) -> bool {
    code_points.iter().fold(false, |any, &c| any | (c == 0))
}

/// A table of bytes made from code points.
#[inline(always)]
fn table(v: Avx2, code_points: &CodePoints, byte: impl Fn(u16) -> u16) -> Table {
    let mut entries = [0; 128];
    for (entry, &code_point) in entries.iter_mut().zip(code_points) {
        *entry = byte(code_point) as u8;
    }
    v.table(&entries)
}

#[inline(always)]
pub(in super::super) fn utf16(
    v: Avx2,
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
    let low = table(v, code_points, |c| c);
    let high = table(v, code_points, |c| c >> 8);
    let zero = v.splat(0);
    let mut looks = Looks::new();
    while src.len() - at >= LEN && out.room() >= LEN {
        if looks.is_due()
            && let Some(ahead) = src[at..].first_chunk::<AHEAD>()
            && ahead.is_ascii()
        {
            at += widen_ascii(after(src, at), out);
            continue;
        }
        // SAFETY: LEN bytes are left, as just compared.
        let bytes = unsafe { v.load(src.as_ptr().add(at)) };
        let not_ascii = v.top_bits(bytes);
        let (mut a, mut b) = (bytes, zero);
        if not_ascii != 0 {
            a = v.look_up(&low, bytes);
            b = v.look_up(&high, bytes);
            let unmapped = v.equal(v.or(a, b), zero);
            if v.top_bits(unmapped) & not_ascii != 0 {
                break;
            }
            a = v.or(a, ascii_of(v, bytes));
        }
        let (a, b) = (v.parts(a), v.parts(b));
        for (i, (&a, &b)) in a.iter().zip(b.as_ref()).enumerate() {
            for (j, units) in v.zip(a, b).into_iter().enumerate() {
                // SAFETY: room for LEN units was found above; this is the (2i + j)th eight of them.
                unsafe { v.store_part(units, out.spare_ptr().add(16 * i + 8 * j).cast()) };
            }
        }
        // SAFETY: the loops above stored LEN units.
        unsafe { out.advance(LEN) };
        at += LEN;
    }
    at + portable::decode_utf16(code_points, after(src, at), out)
}

/// The bytes that are ASCII; 0 for others.
#[inline(always)]
fn ascii_of(v: Avx2, bytes: __m256i) -> __m256i {
    v.and_not(v.at_least(bytes, v.splat(0x80)), bytes)
}

#[inline(always)]
pub(in super::super) fn utf8(
    v: Avx2,
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
    let (to, room) = (out.spare_ptr(), out.room());
    let mut written = 0;
    while src.len() - at >= LEN && room - written >= 3 * LEN {
        // SAFETY: LEN bytes are left, and there is room for three times as many, as just compared.
        unsafe {
            let to = to.add(written);
            let bytes = v.load(src.as_ptr().add(at));
            let not_ascii = v.top_bits(bytes);
            if not_ascii == 0 {
                v.store(bytes, to);
                written += LEN;
                at += LEN;
                continue;
            }
            let mut a = v.look_up(&first, bytes);
            let b = v.look_up(&second, bytes);
            if v.top_bits(v.equal(a, v.splat(0))) & not_ascii != 0 {
                break;
            }
            let wide = v.top_bits(v.at_least(a, v.splat(0xE0)));
            a = v.or(a, ascii_of(v, bytes));
            written += if wide == 0 {
                store_pairs(v, to, a, b, not_ascii)
            } else {
                store_triples(v, to, [a, b, v.look_up(&third, bytes)], not_ascii, wide)
            };
        }
        at += LEN;
    }
    // SAFETY: the blocks' stores initialised `written` bytes, within the room.
    unsafe { out.advance(written) };
    at + portable::decode_utf8(code_points, after(src, at), out)
}

/// Writes characters of one byte, or two where `not_ascii` says so: exactly those; returns how many bytes.
///
/// # Safety
/// There is room for them at `to`.
#[inline(always)]
unsafe fn store_pairs(v: Avx2, to: *mut u8, a: __m256i, b: __m256i, not_ascii: u32) -> usize {
    let mut written = 0;
    let (a, b) = (v.parts(a), v.parts(b));
    for (i, (&a, &b)) in a.iter().zip(b.as_ref()).enumerate() {
        for (j, pairs) in v.zip(a, b).into_iter().enumerate() {
            let group = 2 * i + j;
            let bits = (not_ascii >> (8 * group)) as u8;
            let bytes = v.pick(pairs, &PAIRS[usize::from(bits)]);
            let n = 8 + bits.count_ones() as usize;
            // SAFETY: a group has 8 to 16 bytes. What the store of 16 writes too much, at most 8 bytes, lies within the
            // next group. The last group's two stores of 8 bytes, its first and its last, are within the group.
            unsafe {
                let to = to.add(written);
                if group < LEN / 8 - 1 {
                    v.store_part(bytes, to);
                } else {
                    v.store_half(bytes, to);
                    v.store_half(v.pick(bytes, &FROM[n - 8]), to.add(n - 8));
                }
            }
            written += n;
        }
    }
    written
}

/// Writes characters of one byte, two where `not_ascii`, or three where `wide` says so: exactly those; returns how many
/// bytes.
///
/// # Safety
/// There is room for them at `to`.
#[inline(always)]
unsafe fn store_triples(
    v: Avx2,
    to: *mut u8,
    lanes: [__m256i; 3],
    not_ascii: u32,
    wide: u32,
) -> usize {
    // A group has 4 to 12 bytes, and a store of 16 reaches beyond the next one: so they go by way of a buffer.
    let mut buffer = [0_u8; 3 * 32 + 16];
    let mut written = 0;
    let [a, b, c] = each(lanes, |bytes| v.parts(bytes));
    for i in 0..LEN / 16 {
        let firsts = v.zip(a.as_ref()[i], b.as_ref()[i]);
        let lasts = v.zip(c.as_ref()[i], v.zero_part());
        for (j, (first, last)) in firsts.into_iter().zip(lasts).enumerate() {
            for (k, slots) in v.zip_pairs(first, last).into_iter().enumerate() {
                let group = 4 * i + 2 * j + k;
                let seconds = not_ascii >> (4 * group) & 0xF;
                let thirds = wide >> (4 * group) & 0xF;
                let bits = seconds | thirds << 4;
                let bytes = v.pick(slots, &TRIPLES[bits as usize]);
                // SAFETY: at most 12 bytes of each of at most 8 groups precede; the buffer has 16 more than all.
                unsafe { v.store_part(bytes, buffer.as_mut_ptr().add(written)) };
                written += 4 + bits.count_ones() as usize;
            }
        }
    }
    // SAFETY: `written` is at least LEN and at most 3 * LEN, and fits at `to` by the contract of this function. Of the
    // stores of LEN bytes the last one ends at `written`.
    unsafe {
        let last = written - LEN;
        for from in [0, LEN.min(last), last] {
            v.store(v.load(buffer.as_ptr().add(from)), to.add(from));
        }
    }
    written
}
