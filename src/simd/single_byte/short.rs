//! Single-byte kernels for short input on any machine: up to 64 units.
//!
//! In so little text branches cost the most: each run of ASCII that ends somewhere is one that nobody predicts. What is
//! ASCII as a whole is copied. Little else goes from character to character, with no branch on what they are; and what is
//! longer and mostly ASCII is treated as ASCII first, and one loop goes over the bits of what is not: its end is the
//! branch that is left.

use core::hint::select_unpredictable;
use core::mem::MaybeUninit;

use super::super::arrays::each;
use super::super::ascii::bits::{self, STEP, not_ascii, push_short_ascii, steps};
use super::super::ascii::{copy_ascii, narrow_ascii, widen_ascii};
use super::super::out::Out;
use super::super::sequence::sequence;
use super::portable::{self, byte_of, character};
use super::{CodePoints, Pages, SHORT};

/// Bytes of a run that are copied without a question, and so beyond what is read or written.
pub(super) const RUN: usize = 32;
/// A bit for each byte.
const MOST: usize = bits::MOST;
const _: () = assert!(SHORT <= MOST);
/// Up to so many bytes become UTF-16 one by one.
const FEW: usize = 16;
/// Whether input is as short as that, and what it gives has room: `longest` units for each at most.
#[inline(always)]
fn is_short<T, U: Copy>(src: &[T], longest: usize, out: &Out<'_, U>) -> bool {
    src.len() <= SHORT && out.room() >= longest * src.len()
}

/// Whether `N` units in a row are not ASCII somewhere: text that has more characters than runs.
#[inline(always)]
pub(super) fn has_in_row<const N: usize>(others: u64) -> bool {
    (1..N).fold(others, |all, i| all & others >> i) != 0
}

/// Decodes short input, up to an unmapped byte; returns how many bytes. `None` if it is longer, or if there is little room,
/// and for more than `most` bytes of which little is ASCII.
#[inline(always)]
pub(super) fn decode_utf16(
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u16>,
    most: usize,
) -> Option<usize> {
    if !is_short(src, 1, out) {
        return None;
    }
    decode_short_utf16(code_points, src, out, most)
}

#[inline(never)]
fn decode_short_utf16(
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u16>,
    most: usize,
) -> Option<usize> {
    let mut others = not_ascii(src);
    if others == 0 && src.len() >= STEP {
        return Some(widen_ascii(src, out));
    }
    if src.len() <= FEW || has_in_row::<3>(others) {
        return (src.len() <= most.max(FEW))
            .then(|| portable::decode_group_utf16(code_points, src, out));
    }
    let mut beside = [0; MOST];
    steps(src, |at, bytes: &[u8; STEP]| {
        beside[at..at + STEP].copy_from_slice(&bytes.map(u16::from));
    });
    let mut taken = src.len();
    while others != 0 {
        let at = others.trailing_zeros() as usize;
        let code_point = code_points[usize::from(src[at] & 0x7F)];
        if code_point == 0 {
            taken = at;
            break;
        }
        beside[at] = code_point;
        others &= others - 1;
    }
    Some(push_steps(&beside, src.len(), taken, out))
}

/// Decodes short input, as [`decode_utf16`] does.
#[inline(always)]
pub(super) fn decode_utf8(
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u8>,
    most: usize,
) -> Option<usize> {
    if !is_short(src, 3, out) {
        return None;
    }
    // Here, as what follows has much to put on the stack.
    if bits::is_short_ascii(src) {
        return Some(copy_ascii(src, out));
    }
    decode_short_utf8(code_points, src, out, most)
}

#[inline(never)]
fn decode_short_utf8(
    code_points: &CodePoints,
    src: &[u8],
    out: &mut Out<'_, u8>,
    most: usize,
) -> Option<usize> {
    let others = not_ascii(src);
    if src.len() <= STEP || has_in_row::<3>(others) {
        return (src.len() <= most).then(|| portable::decode_group(code_points, src, out));
    }
    let decode = |[byte, ..]: [u8; 3]| {
        let code_point = code_points[usize::from(byte & 0x7F)];
        let (bytes, written) = sequence(code_point);
        (code_point >= 0x80).then_some(Converted {
            read: 1,
            bytes,
            written,
        })
    };
    // SAFETY: one byte becomes the bytes of a code point below U+10000, up to three.
    Some(unsafe { convert_sparse::<3, { 3 * MOST + RUN }>(src, others, out, decode) })
}

/// Encodes short text, up to an unmapped character; returns how many bytes it took. `None` as [`decode_utf16`] has it.
#[inline(always)]
pub(super) fn encode_utf8(
    pages: &Pages<'_>,
    src: &str,
    out: &mut Out<'_, u8>,
    most: usize,
) -> Option<usize> {
    if !is_short(src.as_bytes(), 1, out) {
        return None;
    }
    if push_short_ascii(src.as_bytes(), out) {
        return Some(src.len());
    }
    encode_short_utf8(pages, src, out, most)
}

#[inline(never)]
fn encode_short_utf8(
    pages: &Pages<'_>,
    src: &str,
    out: &mut Out<'_, u8>,
    most: usize,
) -> Option<usize> {
    let bytes = src.as_bytes();
    let others = not_ascii(bytes);
    // Five in a row are more than one character of three bytes.
    if bytes.len() < STEP || has_in_row::<5>(others) {
        return (bytes.len() <= most).then(|| encode_dense_utf8(pages, src, out));
    }
    let encode = |here| {
        let (code_point, read) = character(here)?;
        let byte = pages.byte(code_point);
        (byte != 0).then_some(Converted {
            read,
            bytes: u32::from(byte),
            written: 1,
        })
    };
    // SAFETY: `src` is a `str`, so that a character ends where its lead says; it becomes one byte.
    Some(unsafe { convert_sparse::<1, { MOST + RUN }>(bytes, others, out, encode) })
}

/// Encodes short text of UTF-16, as [`encode_utf8`] does.
#[inline(always)]
pub(super) fn encode_utf16(
    pages: &Pages<'_>,
    src: &[u16],
    out: &mut Out<'_, u8>,
    most: usize,
) -> Option<usize> {
    if !is_short(src, 1, out) {
        return None;
    }
    encode_short_utf16(pages, src, out, most)
}

#[inline(never)]
fn encode_short_utf16(
    pages: &Pages<'_>,
    src: &[u16],
    out: &mut Out<'_, u8>,
    most: usize,
) -> Option<usize> {
    if bits::is_short_ascii_units(src) {
        return Some(narrow_ascii(src, out));
    }
    let mut others = 0;
    steps(src, |at, units| others |= narrow(units).1 << at);
    if src.len() < STEP || has_in_row::<3>(others) {
        return (src.len() <= most).then(|| portable::encode_group_utf16(pages, src, out));
    }
    let mut beside = [0; MOST];
    steps(src, |at, units| {
        beside[at..at + STEP].copy_from_slice(&narrow(units).0)
    });
    let mut taken = src.len();
    while others != 0 {
        let at = others.trailing_zeros() as usize;
        let byte = pages.byte(src[at]);
        if byte == 0 {
            taken = at;
            break;
        }
        beside[at] = byte;
        others &= others - 1;
    }
    Some(push_steps(&beside, src.len(), taken, out))
}

/// Writes the first `taken` of the `len` units that were written beside the output in [`steps`]; returns how many.
///
/// Step by step, as copying more at once would wait for what has just been written in parts.
#[inline(always)]
fn push_steps<T: Copy>(
    beside: &[T; MOST],
    len: usize,
    taken: usize,
    out: &mut Out<'_, T>,
) -> usize {
    let beside = &beside[..len];
    if taken < len || out.room() < len {
        return if out.push_slice(&beside[..taken]) {
            taken
        } else {
            0
        };
    }
    let to = out.spare_ptr();
    // SAFETY: there is room for `len` units, as just compared, and STEP from `at` on are within them.
    steps(beside, |at, units| unsafe {
        to.add(at).cast::<[T; STEP]>().write(*units)
    });
    // SAFETY: there are STEP units or more: the steps wrote `len` of them.
    unsafe { out.advance(len) };
    len
}

/// The low bytes of units that are ASCII, and the bits of those that are not.
#[inline(always)]
pub(super) fn narrow(units: &[u16; STEP]) -> ([u8; STEP], u64) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    {
        use core::arch::x86_64::{
            _mm_and_si128, _mm_cmpeq_epi16, _mm_cvtsi128_si64, _mm_loadu_si128, _mm_movemask_epi8,
            _mm_packs_epi16, _mm_packus_epi16, _mm_set1_epi16, _mm_setzero_si128,
        };
        // SAFETY: 16 bytes are readable, and the crate is compiled for SSE2.
        unsafe {
            let zero = _mm_setzero_si128();
            let units = _mm_loadu_si128(units.as_ptr().cast());
            let high = _mm_and_si128(units, _mm_set1_epi16(0xFF80_u16 as i16));
            let ascii = _mm_packs_epi16(_mm_cmpeq_epi16(high, zero), zero);
            let low = _mm_packus_epi16(_mm_and_si128(units, _mm_set1_epi16(0x7F)), zero);
            let bytes = _mm_cvtsi128_si64(low).to_le_bytes();
            (bytes, u64::from(!_mm_movemask_epi8(ascii) as u8))
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    {
        // What is not ASCII becomes 0x80.
        let bytes = each(*units, |unit| unit.min(0x80) as u8);
        (bytes, bits::top_bits(bytes))
    }
}

/// The bytes, and zeros behind them.
#[inline(always)]
pub(super) fn padded(src: &[u8]) -> [u8; MOST + RUN] {
    let mut padded = [0; MOST + RUN];
    let wide = 2 * STEP;
    if let (Some(first), Some(last)) = (src.first_chunk::<16>(), src.last_chunk::<16>()) {
        padded[..wide].copy_from_slice(first);
        let mut at = wide;
        while let Some(bytes) = src[at..].first_chunk::<16>() {
            padded[at..at + wide].copy_from_slice(bytes);
            at += wide;
        }
        padded[src.len() - wide..src.len()].copy_from_slice(last);
    } else {
        steps(src, |at, bytes| {
            padded[at..at + STEP].copy_from_slice(bytes)
        });
    }
    padded
}

/// Copies `len` bytes of `src` from `at` on and up to [`RUN`] more; `padded` is `src` with zeros behind.
///
/// # Safety
/// `at + len` is at most `src.len()`, which is at most `MOST`; [`RUN`] bytes are writable at `to`, and `MOST` if `len` is
/// above that.
#[inline(always)]
pub(super) unsafe fn copy_run(
    src: &[u8],
    padded: &[u8; MOST + RUN],
    at: usize,
    to: *mut u8,
    len: usize,
) {
    let padded = padded.as_ptr();
    // What has just been written is slow to be read at other places.
    let whole = at + RUN <= src.len();
    // SAFETY: `at` is at most MOST, so that RUN bytes of `padded` are readable from there, and of `src` as compared. Above
    // RUN bytes of a run, `at` is at most MOST - RUN. The rest is the contract.
    unsafe {
        let from = select_unpredictable(whole, src.as_ptr().wrapping_add(at), padded.add(at));
        to.cast::<[u8; RUN]>()
            .write(from.cast::<[u8; RUN]>().read());
        if len > RUN {
            let next = padded.add(at + RUN).cast::<[u8; RUN]>().read();
            to.add(RUN).cast::<[u8; RUN]>().write(next);
        }
    }
}

/// What one character that is not ASCII becomes.
struct Converted {
    /// How long it is.
    read: usize,
    /// Its bytes, the first one lowest.
    bytes: u32,
    /// How many they are.
    written: usize,
}

/// Copies ASCII, and converts by `convert` what starts with three bytes that are not, up to a character for which it gives
/// nothing; returns how many bytes that is. Takes none if what they give has no room.
///
/// `src` has up to [`MOST`] bytes, of which `others` are not ASCII; the result has `N` bytes.
///
/// # Safety
/// What `convert` has read, one to three bytes, are in `src` and none of them is ASCII; they become up to `LONGEST` times
/// as many.
#[inline(always)]
unsafe fn convert_sparse<const LONGEST: usize, const N: usize>(
    src: &[u8],
    mut others: u64,
    out: &mut Out<'_, u8>,
    convert: impl Fn([u8; 3]) -> Option<Converted>,
) -> usize {
    const { assert!(N == LONGEST * MOST + RUN) };
    let len = src.len();
    assert!(len <= MOST);
    let beside = padded(src);
    let mut result = [MaybeUninit::uninit(); N];
    let to = result.as_mut_ptr().cast::<u8>();
    let (mut at, mut written) = (0, 0);
    loop {
        let run = len.min(others.trailing_zeros() as usize) - at;
        // SAFETY: at + run <= MOST. At most LONGEST * at bytes are written, and the result has RUN more than LONGEST *
        // MOST; a run above RUN adds as much to `at`, so that MOST are left.
        unsafe { copy_run(src, &beside, at, to.add(written), run) };
        at += run;
        written += run;
        if others == 0 {
            break;
        }
        let Some(converted) = convert(each([0, 1, 2], |i| beside[at + i])) else {
            break;
        };
        // SAFETY: at < MOST, so that the result has RUN bytes or more behind the LONGEST * at that are written.
        unsafe {
            to.add(written)
                .cast::<[u8; 4]>()
                .write(converted.bytes.to_le_bytes())
        };
        at += converted.read;
        written += converted.written;
        // As many bits, all of them the lowest.
        let one = others & (others - 1);
        let two = one & one.wrapping_sub(1);
        let three = two & two.wrapping_sub(1);
        others = match converted.read {
            1 => one,
            read => select_unpredictable(read > 2, three, two),
        };
    }
    // SAFETY: the runs and characters initialised `written` bytes.
    let fits = unsafe { out.push_beside(&result, written) };
    if fits { at } else { 0 }
}

/// Encodes text of up to [`MOST`] bytes, up to an unmapped character; returns how many bytes. There is room for as many.
#[inline(always)]
fn encode_dense_utf8(pages: &Pages<'_>, src: &str, out: &mut Out<'_, u8>) -> usize {
    let src = src.as_bytes();
    assert!(src.len() <= out.room());
    // Two bytes behind the last may be looked at.
    let Some(whole) = src.len().checked_sub(2) else {
        return portable::encode_rest_utf8(pages, src, 0, out);
    };
    let to = out.spare_ptr();
    let (mut at, mut written) = (0, 0);
    while at < whole {
        let here = each([0, 1, 2], |i| src[at + i]);
        let Some((code_point, n)) = character(here) else {
            break;
        };
        let byte = byte_of(pages, code_point);
        if byte == 0 && code_point != 0 {
            break;
        }
        // SAFETY: no more bytes are written than read, for which there is room, as asserted above.
        unsafe { to.add(written).write(byte) };
        at += n;
        written += 1;
    }
    // SAFETY: the loop wrote `written` bytes.
    unsafe { out.advance(written) };
    if at < whole {
        return at;
    }
    portable::encode_rest_utf8(pages, src, at, out)
}
