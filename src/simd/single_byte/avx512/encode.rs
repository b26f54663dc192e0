//! Encoding with AVX-512 VBMI: windows of 128 code points, a permute for each.
//!
//! A window is two pages in two registers. What a window applies to is one compare: of lead bytes in UTF-8, where lead
//! and continuation give the place in the window; of high bytes in UTF-16. Three windows are tried on every block,
//! branch-free; a character outside of them brings in its own, for all of its kind in the block, so that a rare one ends
//! nothing. From UTF-8 the results lie where characters start, and a byte compress closes the gaps. What is unmapped
//! looks up as 0, and so do lone surrogates and what lies beyond U+FFFF.
//!
//! Times encoding_rs 0.8.44 on 2 MB that do not repeat (Sapphire Rapids), plain text / markup: from UTF-8 windows-1251 32
//! / 12, windows-1252 9 / 6.5, windows-874 33 / 29; from UTF-16 19 / 8, 8 / 6, 38 / 27.

use core::arch::x86_64::*;

use super::super::super::arrays::each;
use super::super::super::out::Out;
use super::super::{AHEAD, Looks, Pages};
use super::{
    copy_ahead, first, is_ascii_ahead, is_ascii_ahead_in_units, load, load_from, load_units_from,
    store_first,
};

/// 128 code points from a multiple of 128 on.
#[derive(Clone, Copy)]
struct Window {
    start: u16,
    low: __m512i,
    high: __m512i,
}

/// A block of UTF-8 with the bytes that follow each.
#[derive(Clone, Copy)]
struct Block {
    bytes: __m512i,
    next: __m512i,
    after: __m512i,
}

#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn window(pages: &Pages<'_>, code_point: u16) -> Window {
    let block = usize::from(code_point >> 7) * 2;
    Window {
        start: code_point & !0x7F,
        low: load(pages.page(block)),
        high: load(pages.page(block + 1)),
    }
}

/// The windows' bytes; of an index the low seven bits count.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn look_up(window: &Window, index: __m512i) -> __m512i {
    _mm512_permutex2var_epi8(window.low, index, window.high)
}

/// `index` with the low six bits of `continuation` for its own.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn join(lead: __m512i, continuation: __m512i) -> __m512i {
    let six = _mm512_set1_epi8(0x3F);
    _mm512_ternarylogic_epi64::<0xCA>(six, continuation, _mm512_slli_epi16::<6>(lead))
}

/// The even number at or below each byte.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn even(bytes: __m512i) -> __m512i {
    _mm512_and_si512(bytes, _mm512_set1_epi8(!1))
}

#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn equal(bytes: __m512i, to: u8) -> u64 {
    _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(to as i8))
}

/// Where the block has two-byte characters of a window below U+0800, and their bytes.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn two_byte(block: &Block, window: &Window) -> (u64, __m512i) {
    let lead = 0xC0 | (window.start >> 6) as u8;
    let index = join(block.bytes, block.next);
    (equal(even(block.bytes), lead), look_up(window, index))
}

/// Where the block has three-byte characters of a window from U+0800 on, and their bytes.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn three_byte(block: &Block, window: &Window) -> (u64, __m512i) {
    let lead = 0xE0 | (window.start >> 12) as u8;
    let second = 0x80 | (window.start >> 6 & 0x3F) as u8;
    let index = join(block.next, block.after);
    let here = equal(block.bytes, lead) & equal(even(block.next), second);
    (here, look_up(window, index))
}

/// Brings in windows until every character that `rest` marks has been looked up; what is beyond U+FFFF becomes 0.
#[inline(never)]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn others(pages: &Pages<'_>, src: &[u8], at: usize, mut rest: u64, mut found: __m512i) -> __m512i {
    let block = Block {
        bytes: load_from(src, at),
        next: load_from(src, at + 1),
        after: load_from(src, at + 2),
    };
    while rest != 0 {
        let start = at + rest.trailing_zeros() as usize;
        let [lead, second] = each([0, 1], |i| {
            u16::from(src.get(start + i).copied().unwrap_or(0))
        });
        let (here, bytes) = match lead {
            0..0xE0 => two_byte(&block, &window(pages, (lead & 0x1F) << 6)),
            0xE0..0xF0 => {
                let code_point = (lead & 0xF) << 12 | (second & 0x3F) << 6;
                three_byte(&block, &window(pages, code_point))
            }
            _ => (rest & rest.wrapping_neg(), _mm512_setzero_si512()),
        };
        found = _mm512_mask_mov_epi8(found, here, bytes);
        let lowest = rest & rest.wrapping_neg();
        // All before it is known: if it is unmapped, nothing behind it matters.
        if _mm512_mask_testn_epi8_mask(lowest, found, found) != 0 {
            break;
        }
        // The first one is always among them; it says so for the compiler and for what is not UTF-8.
        rest &= !(here | lowest);
    }
    found
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
pub(super) fn utf8(pages: &Pages<'_>, src: &str, out: &mut Out<'_, u8>) -> usize {
    let src = src.as_bytes();
    let mut at = 0;
    let (to, room) = (out.spare_ptr(), out.room());
    let mut written = 0;
    let mut looks = Looks::new();
    // For so little, windows that nothing may lie in are not worth their loads.
    let windows = if src.len() <= 64 {
        None
    } else {
        let [a, b, c] = pages.windows();
        Some((window(pages, a), window(pages, b), window(pages, c)))
    };
    let mut more = None;
    if windows.is_some()
        && let Some([a, b]) = pages.more_windows()
    {
        more = Some([window(pages, a), window(pages, b)]);
    }
    while at < src.len() {
        if looks.is_due() && is_ascii_ahead(src, at) && room - written >= AHEAD {
            // SAFETY: there are AHEAD bytes on both sides, as just found.
            unsafe { copy_ahead(src.as_ptr().add(at), to.add(written)) };
            written += AHEAD;
            at += AHEAD;
            looks = Looks::new();
            continue;
        }
        let block = Block {
            bytes: load_from(src, at),
            next: load_from(src, at + 1),
            after: load_from(src, at + 2),
        };
        let not_ascii = _mm512_movepi8_mask(block.bytes);
        let n = (src.len() - at).min(64);
        // A continuation byte is below -64. Those at the block's start belong to a character taken already.
        let starts = first(n) & _mm512_cmpge_epi8_mask(block.bytes, _mm512_set1_epi8(-64));
        let characters = starts & not_ascii;
        let mut found = block.bytes;
        let mut known = 0;
        if let Some((a, b, c)) = &windows {
            for (here, bytes) in [
                two_byte(&block, a),
                two_byte(&block, b),
                three_byte(&block, c),
            ] {
                found = _mm512_mask_mov_epi8(found, here, bytes);
                known |= here;
            }
        }
        for window in more.iter().flatten() {
            let (here, bytes) = two_byte(&block, window);
            found = _mm512_mask_mov_epi8(found, here, bytes);
            known |= here;
        }
        let rest = characters & !known;
        if rest != 0 {
            found = others(pages, src, at, rest, found);
        }
        let unmapped = _mm512_mask_testn_epi8_mask(characters, found, found);
        let mut keep = starts & below_lowest(unmapped);
        if keep.count_ones() as usize > room - written {
            keep = _pdep_u64(first(room - written), keep);
        }
        let kept = keep.count_ones() as usize;
        // SAFETY: there is room for `kept` bytes: `keep` was cut to that.
        unsafe {
            let bytes = _mm512_maskz_compress_epi8(keep, found);
            _mm512_mask_storeu_epi8(to.add(written).cast(), first(kept), bytes);
        }
        written += kept;
        if keep != starts {
            // The first character not taken.
            at += (starts & !keep).trailing_zeros() as usize;
            break;
        }
        at += n;
    }
    // SAFETY: the blocks' stores initialised `written` bytes, within the room.
    unsafe { out.advance(written) };
    at
}

/// All bits below the lowest one set; all, if none is.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn below_lowest(bits: u64) -> u64 {
    !bits & bits.wrapping_sub(1)
}

/// Even and odd bytes of two registers.
static HALVES: [[u8; 64]; 2] = {
    let mut halves = [[0; 64]; 2];
    let mut i = 0;
    while i < 128 {
        halves[i % 2][i / 2] = i as u8;
        i += 1;
    }
    halves
};

/// Where code units lie in a window, by their high bytes and the top bits of their low bytes.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn in_window(high: __m512i, top: u64, start: u16) -> u64 {
    let half = if start & 0x80 == 0 { !top } else { top };
    equal(high, (start >> 8) as u8) & half
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
pub(super) fn utf16(pages: &Pages<'_>, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let src = &src[..src.len().min(out.room())];
    let to = out.spare_ptr();
    let mut at = 0;
    let mut looks = Looks::new();
    // For one block, windows that nothing may lie in are not worth their loads.
    let mut windows: Option<[Window; 3]> = None;
    let mut more: Option<[Window; 2]> = None;
    while at < src.len() {
        let mut n = (src.len() - at).min(64);
        if looks.is_due() && is_ascii_ahead_in_units(src, at) {
            for block in 0..AHEAD / 64 {
                let from = at + 64 * block;
                let (a, b) = (load_units_from(src, from), load_units_from(src, from + 32));
                let low = _mm512_permutex2var_epi8(a, load(&HALVES[0]), b);
                // SAFETY: AHEAD units are left of `src`, which is no longer than the room.
                unsafe { store_first(to.add(from), low, 64) };
            }
            at += AHEAD;
            looks = Looks::new();
            continue;
        }
        let (a, b) = (load_units_from(src, at), load_units_from(src, at + 32));
        let low = _mm512_permutex2var_epi8(a, load(&HALVES[0]), b);
        let high = _mm512_permutex2var_epi8(a, load(&HALVES[1]), b);
        let top = _mm512_movepi8_mask(low);
        let ascii = equal(high, 0) & !top;
        let (mut found, mut known) = (low, ascii);
        for window in windows.iter().flatten() {
            let here = in_window(high, top, window.start);
            found = _mm512_mask_mov_epi8(found, here, look_up(window, low));
            known |= here;
        }
        for window in more.iter().flatten() {
            let here = in_window(high, top, window.start);
            found = _mm512_mask_mov_epi8(found, here, look_up(window, low));
            known |= here;
        }
        let mut rest = !known;
        while rest != 0 {
            let lowest = rest & rest.wrapping_neg();
            let unit = src.get(at + rest.trailing_zeros() as usize).copied();
            let window = window(pages, unit.unwrap_or(0));
            let here = in_window(high, top, window.start) | lowest;
            found = _mm512_mask_mov_epi8(found, here, look_up(&window, low));
            // All before it is known: if it is unmapped, nothing behind it matters.
            if _mm512_mask_testn_epi8_mask(lowest, found, found) != 0 {
                break;
            }
            rest &= !here;
        }
        let unmapped = _mm512_mask_testn_epi8_mask(!ascii, found, found);
        let stop = unmapped != 0;
        if stop {
            n = unmapped.trailing_zeros() as usize;
        }
        // SAFETY: at + n <= src.len(), which is at most the room.
        unsafe { store_first(to.add(at), found, n) };
        at += n;
        if stop {
            break;
        }
        if windows.is_none() && at < src.len() {
            let [a, b, c] = pages.windows();
            windows = Some([window(pages, a), window(pages, b), window(pages, c)]);
            if let Some([a, b]) = pages.more_windows() {
                more = Some([window(pages, a), window(pages, b)]);
            }
        }
    }
    // SAFETY: every block stored as many bytes as `at` moved on, within the room.
    unsafe { out.advance(at) };
    at
}
