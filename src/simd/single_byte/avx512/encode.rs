//! Encoding with AVX-512 VBMI: windows of 128 code points, with one permute for each.
//!
//! A window is two pages in two registers. One comparison selects its characters: of lead bytes in UTF-8, where lead
//! and continuation give the position in the window, or of high bytes in UTF-16. Three windows are tried on every
//! block, without branches. A character outside them loads its own window, which is applied to the whole block, so that
//! a rare character does not stop the kernel. From UTF-8, results are at the first bytes of characters, and a compress
//! closes the gaps. Unmapped characters, lone surrogates and code points above U+FFFF give 0.
//!
//! Whole blocks have loops of their own. Tests in each block for the ends of input and output and for a stop took a
//! fifth of the time from UTF-8, and a third from UTF-16.
//!
//! Speed relative to encoding_rs 0.8.44 on 2 MB that do not repeat (Sapphire Rapids), plain text / markup: from UTF-8
//! windows-1251 28 / 12, windows-1252 4 to 9 / 3; from UTF-16 13 / 8, 3 to 6 / 2.

use crate::simd::tuning;
use core::arch::x86_64::*;

use super::super::super::arrays::{map_array, tail};
use super::super::super::level::Avx512;
use super::super::super::out::Out;
use super::super::{AHEAD, AsciiProbe, Pages};
use super::{
    copy_ahead, first, is_ascii_ahead, is_ascii_ahead_in_units, load, load_from, load_units_from,
    store_compressed, store_first,
};

/// A window of 128 code points, starting at a multiple of 128.
#[derive(Clone, Copy)]
struct Window {
    start: u16,
    low: __m512i,
    high: __m512i,
}

/// A block of UTF-8: the bytes, the byte after each, and the byte after that.
#[derive(Clone, Copy)]
struct Block {
    bytes: __m512i,
    next: __m512i,
    after: __m512i,
}

impl Block {
    /// Loads a block of `src` from `at` on, padded with zeros.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    fn of(src: &[u8], at: usize) -> Self {
        Self {
            bytes: load_from(src, at),
            next: load_from(src, at + 1),
            after: load_from(src, at + 2),
        }
    }
}

#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn window(pages: &Pages<'_>, code_point: u16) -> Window {
    let block = usize::from(code_point >> 7) * 2;
    Window {
        start: code_point & !0x7F,
        low: load(pages.page(block)),
        high: load(pages.page(block + 1)),
    }
}

/// Returns the entry of the window for the low seven bits of each index.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn look_up(window: &Window, index: __m512i) -> __m512i {
    _mm512_permutex2var_epi8(window.low, index, window.high)
}

/// Joins the low bits of `lead`, from bit 6 on, with the low six bits of `continuation`.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn join(lead: __m512i, continuation: __m512i) -> __m512i {
    let six = _mm512_set1_epi8(0x3F);
    _mm512_ternarylogic_epi64::<0xCA>(six, continuation, _mm512_slli_epi16::<6>(lead))
}

/// Clears the lowest bit of each byte.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn even(bytes: __m512i) -> __m512i {
    _mm512_and_si512(bytes, _mm512_set1_epi8(!1))
}

#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn equal(bytes: __m512i, to: u8) -> u64 {
    _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(to as i8))
}

/// Returns a mask of the two-byte characters in a window below U+0800, and their bytes.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn two_byte(block: &Block, window: &Window) -> (u64, __m512i) {
    let lead = 0xC0 | (window.start >> 6) as u8;
    let index = join(block.bytes, block.next);
    (equal(even(block.bytes), lead), look_up(window, index))
}

/// Returns a mask of the three-byte characters in a window from U+0800 on, and their bytes.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn three_byte(block: &Block, window: &Window) -> (u64, __m512i) {
    let lead = 0xE0 | (window.start >> 12) as u8;
    let second = 0x80 | (window.start >> 6 & 0x3F) as u8;
    let index = join(block.next, block.after);
    let here = equal(block.bytes, lead) & equal(even(block.next), second);
    (here, look_up(window, index))
}

/// Loads windows until every character in `rest` has been looked up. Characters above U+FFFF become 0.
#[inline(never)]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn others(pages: &Pages<'_>, src: &[u8], at: usize, mut rest: u64, mut found: __m512i) -> __m512i {
    let block = Block::of(src, at);
    while rest != 0 {
        let start = at + rest.trailing_zeros() as usize;
        let [lead, second] = map_array([0, 1], |i| {
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
        // All characters before the lowest one are known. If the lowest one is unmapped, later ones do not matter.
        if _mm512_mask_testn_epi8_mask(lowest, found, found) != 0 {
            break;
        }
        // For valid UTF-8, `here` includes the lowest bit. The compiler does not know that, and other input may differ.
        rest &= !(here | lowest);
    }
    found
}

#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(in super::super) fn utf8(
    _: Avx512,
    pages: &Pages<'_>,
    src: &str,
    out: &mut Out<'_, u8>,
) -> usize {
    let src = src.as_bytes();
    // Windows would not pay off for so little text; letters of Latin-1 need none.
    let few = if pages.is_latin_1 {
        tuning::TABLES_OF_CALL_FROM
    } else {
        64
    };
    let windows = (src.len() > few).then(|| Windows::of(pages));
    let mut at = 0;
    if let Some(windows) = &windows {
        at = windows.whole_blocks(pages, src, out);
    }
    // The rest is shorter than a block or contains an unmapped character, or little output is free.
    let (to, room) = (out.spare_ptr(), out.room());
    let mut written = 0;
    while at < src.len() {
        let block = Block::of(src, at);
        let n = (src.len() - at).min(64);
        let starts = first(n) & starts(&block);
        let (found, unmapped) = encode_block(pages, windows.as_ref(), &block, starts, src, at);
        let mut keep = starts & below_lowest(unmapped);
        if keep.count_ones() as usize > room - written {
            keep = _pdep_u64(first(room - written), keep);
        }
        // SAFETY: `keep` has at most `room - written` bits, cut above.
        written += unsafe { store_compressed(to.add(written), keep, found) };
        if keep != starts {
            // The first character that was not encoded.
            at += (starts & !keep).trailing_zeros() as usize;
            break;
        }
        at += n;
    }
    // SAFETY: the stores initialised `written <= room` bytes.
    unsafe { out.advance(written) };
    at
}

/// Returns a mask of the bytes that start characters. Continuation bytes are below -64; those at the start of the block
/// belong to an earlier character.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn starts(block: &Block) -> u64 {
    _mm512_cmpge_epi8_mask(block.bytes, _mm512_set1_epi8(-64))
}

/// The windows in which every block is looked up.
struct Windows {
    two: [Window; 2],
    three: Window,
    more: Option<[Window; 2]>,
}

impl Windows {
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    fn of(pages: &Pages<'_>) -> Self {
        let [a, b, three] = pages.windows();
        Self {
            two: [window(pages, a), window(pages, b)],
            three: window(pages, three),
            more: pages
                .more_windows()
                .map(|more| map_array(more, |start| window(pages, start))),
        }
    }

    /// Returns the bytes of the block's characters, each at the first byte of its character, and a mask of the
    /// characters found.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    fn look_up(&self, block: &Block) -> (__m512i, u64) {
        let (mut found, mut known) = (block.bytes, 0);
        let mut add = |(here, bytes): (u64, __m512i)| {
            found = _mm512_mask_mov_epi8(found, here, bytes);
            known |= here;
        };
        add(two_byte(block, &self.two[0]));
        add(two_byte(block, &self.two[1]));
        add(three_byte(block, &self.three));
        for window in self.more.iter().flatten() {
            add(two_byte(block, window));
        }
        (found, known)
    }

    /// Encodes whole blocks, up to one with an unmapped character. Returns the number of bytes read.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    fn whole_blocks(&self, pages: &Pages<'_>, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        let (to, room) = (out.spare_ptr(), out.room());
        let (mut at, mut written) = (0, 0);
        let mut looks = AsciiProbe::new();
        while src.len() - at >= 64 + 2 && room - written >= 64 {
            if looks.is_due() && room - written >= AHEAD && is_ascii_ahead(src, at) {
                // SAFETY: `is_ascii_ahead` found `AHEAD` bytes in `src`, and `AHEAD <= room - written`.
                unsafe { copy_ahead(src.as_ptr().add(at), to.add(written)) };
                written += AHEAD;
                at += AHEAD;
                looks = AsciiProbe::new();
                continue;
            }
            // SAFETY: `at + 66 <= src.len()`, by the loop condition.
            let [bytes, next, after] = map_array([0, 1, 2], |i| unsafe {
                _mm512_loadu_si512(src.as_ptr().add(at + i).cast())
            });
            let block = Block { bytes, next, after };
            let starts = starts(&block);
            let (found, unmapped) = encode_block(pages, Some(self), &block, starts, src, at);
            if unmapped != 0 {
                break;
            }
            // SAFETY: `room - written >= 64`, by the loop condition.
            written += unsafe { store_compressed(to.add(written), starts, found) };
            at += 64;
        }
        // SAFETY: the stores initialised `written <= room` bytes.
        unsafe { out.advance(written) };
        at
    }
}

/// Returns the bytes of the characters that start at `starts`, and a mask of the unmapped ones. Results after the first
/// unmapped one are unspecified. The block starts at `at` in `src`.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn encode_block(
    pages: &Pages<'_>,
    windows: Option<&Windows>,
    block: &Block,
    starts: u64,
    src: &[u8],
    at: usize,
) -> (__m512i, u64) {
    let characters = starts & _mm512_movepi8_mask(block.bytes);
    let (mut found, known) = match windows {
        Some(windows) => windows.look_up(block),
        None if pages.is_latin_1 => latin_1(block),
        None => (block.bytes, 0),
    };
    let rest = characters & !known;
    if rest != 0 {
        found = others(pages, src, at, rest, found);
    }
    (found, _mm512_mask_testn_epi8_mask(characters, found, found))
}

/// Returns the bytes of U+00A0 to U+00FF, each at the first byte of its character, and a mask of these characters.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn latin_1(block: &Block) -> (__m512i, u64) {
    let from_c0 = equal(block.bytes, 0xC3);
    let from_a0 = _mm512_cmpge_epu8_mask(block.next, _mm512_set1_epi8(0xA0_u8 as i8));
    let letters = equal(block.bytes, 0xC2) & from_a0 | from_c0;
    let found = _mm512_mask_mov_epi8(block.bytes, letters, block.next);
    let more = _mm512_set1_epi8(0x40);
    (_mm512_mask_add_epi8(found, from_c0, found, more), letters)
}

/// Returns a mask of the bits below the lowest set bit; of all bits if none is set.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn below_lowest(bits: u64) -> u64 {
    !bits & bits.wrapping_sub(1)
}

/// The even and the odd bytes of two registers.
static HALVES: [[u8; 64]; 2] = {
    let mut halves = [[0; 64]; 2];
    let mut i = 0;
    while i < 128 {
        halves[i % 2][i / 2] = i as u8;
        i += 1;
    }
    halves
};

/// Returns a mask of the code units in a window, given their high bytes and the top bits of their low bytes.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn in_window(high: __m512i, top: u64, start: u16) -> u64 {
    let half = if start & 0x80 == 0 { !top } else { top };
    equal(high, (start >> 8) as u8) & half
}

/// Loads 64 code units and returns their low and high bytes.
///
/// # Safety
/// 64 units are readable at `from`.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
unsafe fn halves_at(from: *const u16) -> [__m512i; 2] {
    // SAFETY: by `# Safety`, 64 units are readable at `from`.
    unsafe {
        halves(
            _mm512_loadu_si512(from.cast()),
            _mm512_loadu_si512(from.add(32).cast()),
        )
    }
}

/// Returns the low and the high bytes of two registers of code units.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn halves(a: __m512i, b: __m512i) -> [__m512i; 2] {
    map_array([0, 1], |half| {
        _mm512_permutex2var_epi8(a, load(&HALVES[half]), b)
    })
}

#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(in super::super) fn utf16(
    _: Avx512,
    pages: &Pages<'_>,
    src: &[u16],
    out: &mut Out<'_, u8>,
) -> usize {
    let src = &src[..src.len().min(out.room())];
    let to = out.spare_ptr();
    let mut at = 0;
    let mut looks = AsciiProbe::new();
    // Windows would not pay off for one block.
    let windows = (src.len() > 64).then(|| Windows::of(pages));
    while src.len() - at >= 64 {
        // SAFETY: `at + 64 <= src.len()`, by the loop condition, and `src` was cut to `out.room()`. `is_ascii_ahead_in_units`
        // has found `AHEAD` units from `at` on.
        unsafe {
            if looks.is_due() && is_ascii_ahead_in_units(src, at) {
                for at in (at..at + AHEAD).step_by(64) {
                    let [low, _] = halves_at(src.as_ptr().add(at));
                    _mm512_storeu_si512(to.add(at).cast(), low);
                }
                at += AHEAD;
                looks = AsciiProbe::new();
                continue;
            }
            let units = halves_at(src.as_ptr().add(at));
            let (found, unmapped) = encode_units(pages, windows.as_ref(), units, tail(src, at));
            if unmapped != 0 {
                break;
            }
            _mm512_storeu_si512(to.add(at).cast(), found);
        }
        at += 64;
    }
    // The rest is shorter than a block or contains an unmapped unit.
    if at < src.len() {
        let rest = tail(src, at);
        let units = halves(load_units_from(rest, 0), load_units_from(rest, 32));
        let (found, unmapped) = encode_units(pages, windows.as_ref(), units, rest);
        let n = rest.len().min(unmapped.trailing_zeros() as usize);
        // SAFETY: `n <= rest.len()`, by `min`; `at + rest.len() = src.len()`, and `src` was cut to `out.room()`.
        unsafe { store_first(to.add(at), found, n) };
        at += n;
    }
    // SAFETY: the stores initialised `at <= src.len()` bytes, and `src` was cut to `out.room()`.
    unsafe { out.advance(at) };
    at
}

/// Returns the bytes of 64 code units and a mask of the unmapped ones. The units are the first ones of `src`, also
/// given as low and high bytes. Results after the first unmapped unit are unspecified.
#[inline]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn encode_units(
    pages: &Pages<'_>,
    windows: Option<&Windows>,
    [low, high]: [__m512i; 2],
    src: &[u16],
) -> (__m512i, u64) {
    let top = _mm512_movepi8_mask(low);
    let ascii = equal(high, 0) & !top;
    let (mut found, mut known) = (low, ascii);
    if let Some(windows) = windows {
        let mut add = |window: &Window| {
            let here = in_window(high, top, window.start);
            found = _mm512_mask_mov_epi8(found, here, look_up(window, low));
            known |= here;
        };
        add(&windows.two[0]);
        add(&windows.two[1]);
        add(&windows.three);
        for window in windows.more.iter().flatten() {
            add(window);
        }
    }
    if known != u64::MAX {
        found = other_units(pages, src, [low, high], !known, found);
    }
    (found, _mm512_mask_testn_epi8_mask(!ascii, found, found))
}

/// Loads windows until every unit in `rest` has been looked up.
#[inline(never)]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
fn other_units(
    pages: &Pages<'_>,
    src: &[u16],
    [low, high]: [__m512i; 2],
    mut rest: u64,
    mut found: __m512i,
) -> __m512i {
    let top = _mm512_movepi8_mask(low);
    while rest != 0 {
        let lowest = rest & rest.wrapping_neg();
        let unit = src.get(rest.trailing_zeros() as usize).copied();
        let window = window(pages, unit.unwrap_or(0));
        let here = in_window(high, top, window.start) | lowest;
        found = _mm512_mask_mov_epi8(found, here, look_up(&window, low));
        // All units before the lowest one are known. If the lowest one is unmapped, later ones do not matter.
        if _mm512_mask_testn_epi8_mask(lowest, found, found) != 0 {
            break;
        }
        rest &= !here;
    }
    found
}
