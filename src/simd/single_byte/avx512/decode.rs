//! Decoding with AVX-512 VBMI: two-table permutes, and byte compresses for UTF-8.
//!
//! UTF-16: one permute gives the low bytes of 64 code units, one the high bytes, and unpacks join them. UTF-8: first and
//! second bytes likewise; joined in pairs, the second byte of an ASCII character is 0, and a compress drops it. A block
//! that has a three-byte character takes three tables, three output registers and three compresses. Unpacks work within
//! 128-bit lanes, so the block's eighths are put into an order that makes their output come out in sequence. Masked
//! loads and stores serve what is shorter than a block: there is no scalar tail.
//!
//! Times encoding_rs 0.8.44 on 4 MB that do not repeat (Sapphire Rapids), plain text / markup: to UTF-8 windows-1251 22 /
//! 9, windows-1252 8 / 3.3, windows-874 21 / 11 (`threes`); to UTF-16, where memory is the limit, 21 / 7, 9.5 / 2.5, 14 /
//! 11.

use core::arch::x86_64::*;

use super::super::super::arrays::{after, each};
use super::super::super::ascii::widen_ascii;
use super::super::super::out::Out;
use super::super::super::registers::ask_ahead;
use super::super::{AHEAD, CodePoints, Looks, WideLetters};
use super::{copy_ahead, first, is_ascii_ahead, load, load_from, threes};

/// Eighths of a block in the order that the unpacks need: those of the first half at the even places.
const fn place(position: usize) -> usize {
    let eighth = position / 8;
    8 * (eighth % 4 * 2 + eighth / 4) + position % 8
}

/// Even bytes of two registers.
static EVEN: [u8; 64] = {
    let mut index = [0; 64];
    let mut i = 0;
    while i < 64 {
        index[i] = 2 * i as u8;
        i += 1;
    }
    index
};

/// How three registers of output are put together from the registers of first, second and third bytes.
struct Lanes {
    /// Where in first (from 0) or second bytes (from 64) to look.
    pair: [[u8; 64]; 3],
    /// Where in third bytes to look.
    third: [[u8; 64]; 3],
    /// Which bytes of output are third bytes, and which are first ones.
    is_third: [u64; 3],
    is_first: [u64; 3],
}

static LANES: Lanes = {
    let mut lanes = Lanes {
        pair: [[0; 64]; 3],
        third: [[0; 64]; 3],
        is_third: [0; 3],
        is_first: [0; 3],
    };
    let mut i = 0;
    while i < 192 {
        let from = place(i / 3) as u8;
        match i % 3 {
            0 => {
                lanes.pair[i / 64][i % 64] = from;
                lanes.is_first[i / 64] |= 1 << (i % 64);
            }
            1 => lanes.pair[i / 64][i % 64] = from + 64,
            _ => {
                lanes.third[i / 64][i % 64] = from;
                lanes.is_third[i / 64] |= 1 << (i % 64);
            }
        }
        i += 1;
    }
    lanes
};

/// Which bytes of joined pairs are first ones.
const FIRSTS: u64 = 0x5555_5555_5555_5555;

/// A table of 128 bytes.
#[derive(Clone, Copy)]
struct Table(__m512i, __m512i);

/// The code points, 32 in each register.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
pub(super) fn load_code_points(code_points: &CodePoints) -> [__m512i; 4] {
    // SAFETY: 128 code points are four times 32.
    unsafe {
        let from: *const __m512i = code_points.as_ptr().cast();
        [
            _mm512_loadu_si512(from),
            _mm512_loadu_si512(from.add(1)),
            _mm512_loadu_si512(from.add(2)),
            _mm512_loadu_si512(from.add(3)),
        ]
    }
}

/// The low bytes of 128 units.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn low_bytes(units: [__m512i; 4]) -> Table {
    let even = load(&EVEN);
    Table(
        _mm512_permutex2var_epi8(units[0], even, units[1]),
        _mm512_permutex2var_epi8(units[2], even, units[3]),
    )
}

/// For bytes from 0x80 on their entries, for others 0.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn look_up(table: Table, bytes: __m512i, not_ascii: u64) -> __m512i {
    _mm512_maskz_permutex2var_epi8(not_ascii, table.0, bytes, table.1)
}

/// For bytes from 0x80 on their entries, others as they are.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn look_up_or_keep(table: Table, bytes: __m512i, not_ascii: u64) -> __m512i {
    _mm512_mask2_permutex2var_epi8(table.0, bytes, not_ascii, table.1)
}

/// Puts the eighths of a block in the order that unpacks need.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn in_places(bytes: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), bytes)
}

/// The first position in the input of what is marked in places.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn first_of(in_places: u64) -> usize {
    let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    let marks = _mm512_permutexvar_epi64(order, _mm512_movm_epi8(in_places));
    _mm512_movepi8_mask(marks).trailing_zeros() as usize
}

/// Writes the first `n` units of two registers.
///
/// # Safety
/// `n` units at `to` are writable; `n <= 64`.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
unsafe fn store_units(to: *mut u16, low: __m512i, high: __m512i, n: usize) {
    // SAFETY: the contract of this function; a masked store writes no unit from `n` on.
    unsafe {
        if n == 64 {
            _mm512_storeu_si512(to.cast(), low);
            _mm512_storeu_si512(to.add(32).cast(), high);
        } else {
            let mask = first(n);
            _mm512_mask_storeu_epi16(to.cast(), mask as u32, low);
            _mm512_mask_storeu_epi16(to.wrapping_add(32).cast(), (mask >> 32) as u32, high);
        }
    }
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
pub(super) fn utf16(code_points: &CodePoints, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let units = load_code_points(code_points);
    let low = low_bytes(units);
    let high = low_bytes(each(units, |units| _mm512_srli_epi16::<8>(units)));
    let src = &src[..src.len().min(out.room())];
    let mut at = 0;
    let mut looks = Looks::new();
    while at < src.len() {
        if looks.is_due() && is_ascii_ahead(src, at) {
            at += widen_ascii(after(src, at), out);
            continue;
        }
        let bytes = in_places(load_from(src, at));
        let mut n = (src.len() - at).min(64);
        let not_ascii = _mm512_movepi8_mask(bytes);
        let (mut a, mut b) = (bytes, _mm512_setzero_si512());
        let mut stop = false;
        if not_ascii != 0 {
            a = look_up_or_keep(low, bytes, not_ascii);
            b = look_up(high, bytes, not_ascii);
            let either = _mm512_or_si512(a, b);
            let unmapped = _mm512_mask_testn_epi8_mask(not_ascii, either, either);
            if unmapped != 0 {
                n = first_of(unmapped);
                stop = true;
            }
        }
        // SAFETY: n is at most what is left of `src`, which is no longer than the room.
        unsafe {
            let (low, high) = (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b));
            ask_ahead::<2, _>(out.spare_ptr().cast_const(), 0, out.room());
            store_units(out.spare_ptr(), low, high, n);
            out.advance(n);
        }
        at += n;
        if stop {
            break;
        }
    }
    at
}

/// Decodes where code points follow one another; `start` is the one of 0x80.
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
pub(super) fn consecutive_utf16(start: u16, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let n = src.len().min(out.room());
    let to = out.spare_ptr();
    let offset = _mm512_set1_epi16(start.wrapping_sub(0x80) as i16);
    let mut at = 0;
    while at < n {
        let lanes = first((n - at).min(32)) as u32;
        ask_ahead::<1, _>(to.cast_const(), at, n);
        // SAFETY: `n` bytes are readable and `n` units writable, of which the masks select 32 or what is left.
        unsafe {
            let bytes = _mm256_maskz_loadu_epi8(lanes, src.as_ptr().add(at).cast());
            let units = _mm512_cvtepu8_epi16(bytes);
            let units = _mm512_mask_add_epi16(units, _mm256_movepi8_mask(bytes), units, offset);
            if n - at >= 32 {
                _mm512_storeu_si512(to.add(at).cast(), units);
            } else {
                _mm512_mask_storeu_epi16(to.add(at).cast(), lanes, units);
            }
        }
        at += 32;
    }
    // SAFETY: the stores initialised `n` units, within the room.
    unsafe { out.advance(n) };
    n
}

/// First, second and third bytes of the UTF-8 of 128 code points; a third byte that is not there is 0, and the first
/// one of what is unmapped.
#[derive(Clone, Copy)]
struct Sequences {
    first: Table,
    second: Table,
    third: Table,
    /// Most bytes that a character takes.
    longest: usize,
}

#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn sequences(code_points: &CodePoints) -> Sequences {
    let units = load_code_points(code_points);
    let six = _mm512_set1_epi16(0x3F);
    let continuation = _mm512_set1_epi16(0x80);
    let wide = each(units, |unit| {
        _mm512_cmpge_epu16_mask(unit, _mm512_set1_epi16(0x800))
    });
    let (mut firsts, mut seconds, mut thirds) = (units, units, units);
    for i in 0..4 {
        let mapped = _mm512_test_epi16_mask(units[i], units[i]);
        let middle = _mm512_srli_epi16::<6>(units[i]);
        let two = _mm512_or_si512(middle, _mm512_set1_epi16(0xC0));
        let three = _mm512_or_si512(_mm512_srli_epi16::<12>(units[i]), _mm512_set1_epi16(0xE0));
        firsts[i] = _mm512_maskz_mov_epi16(mapped, _mm512_mask_mov_epi16(two, wide[i], three));
        // continuation | payload & six
        let payload = _mm512_mask_mov_epi16(units[i], wide[i], middle);
        seconds[i] = _mm512_ternarylogic_epi64::<0xF8>(continuation, payload, six);
        let last = _mm512_ternarylogic_epi64::<0xF8>(continuation, units[i], six);
        thirds[i] = _mm512_maskz_mov_epi16(wide[i], last);
    }
    Sequences {
        first: low_bytes(firsts),
        second: low_bytes(seconds),
        third: low_bytes(thirds),
        longest: 2 + usize::from(wide != [0; 4]),
    }
}

/// Writes what `keep` marks, `keep.count_ones()` bytes and no other; returns how many.
///
/// # Safety
/// As many bytes are writable at `to`.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
pub(super) unsafe fn store_compressed(to: *mut u8, keep: u64, bytes: __m512i) -> usize {
    let n = keep.count_ones() as usize;
    // SAFETY: the contract of this function; the masked store writes the first `n` bytes.
    unsafe {
        _mm512_mask_storeu_epi8(to.cast(), first(n), _mm512_maskz_compress_epi8(keep, bytes));
    }
    n
}

/// Writes the UTF-8 of the first `n` characters of a block that stand in places; returns how many bytes.
///
/// # Safety
/// There is room for them at `to`; `n <= 64`.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
unsafe fn store_pairs(to: *mut u8, a: __m512i, b: __m512i, n: usize) -> usize {
    let (low, high) = (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b));
    let mut keep_low = _mm512_test_epi8_mask(low, low) | FIRSTS;
    let mut keep_high = _mm512_test_epi8_mask(high, high) | FIRSTS;
    // SAFETY: the contract of this function. Of a whole block at least 64 bytes are written: the first store may be
    // a whole one, for the second covers what it wrote too much.
    unsafe {
        if n == 64 {
            _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi8(keep_low, low));
            let written = keep_low.count_ones() as usize;
            return written + store_compressed(to.add(written), keep_high, high);
        }
        keep_low &= first(2 * n);
        keep_high &= first((2 * n).saturating_sub(64));
        let written = store_compressed(to, keep_low, low);
        written + store_compressed(to.add(written), keep_high, high)
    }
}

/// [`store_pairs`] for a block with three-byte characters.
///
/// # Safety
/// There is room for the bytes of `n` characters at `to`; `n <= 64`.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
unsafe fn store_triples(to: *mut u8, a: __m512i, b: __m512i, c: __m512i, n: usize) -> usize {
    let mut written = 0;
    for lane in 0..3 {
        let pair = _mm512_permutex2var_epi8(a, load(&LANES.pair[lane]), b);
        let third = load(&LANES.third[lane]);
        let joined = _mm512_mask_permutexvar_epi8(pair, LANES.is_third[lane], third, c);
        let keep = _mm512_test_epi8_mask(joined, joined) | LANES.is_first[lane];
        let keep = keep & first((3 * n).saturating_sub(64 * lane));
        // SAFETY: the contract of this function.
        written += unsafe { store_compressed(to.add(written), keep, joined) };
    }
    written
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
pub(super) fn utf8(code_points: &CodePoints, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    // What text begins with is not worth a look for letters: there may be nothing else, or malformed bytes in it.
    let Some(letters) = WideLetters::of(code_points) else {
        return mixed(code_points, src, out);
    };
    let begin = src.len().min(AHEAD);
    let at = mixed(code_points, &src[..begin], out);
    if at < begin || begin == src.len() {
        return at;
    }
    at + threes::utf8(letters, code_points, after(src, at), out)
}

/// Decodes whatever is mapped.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
fn mixed(code_points: &CodePoints, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let tables = sequences(code_points);
    let (to, room) = (out.spare_ptr(), out.room());
    let (mut at, mut written) = (0, 0);
    let mut looks = Looks::new();
    while at < src.len() {
        // A block of which every character fits, however long. The less room there is, the shorter the block.
        let mut n = (src.len() - at).min(64);
        if room - written < 64 * tables.longest {
            n = n.min((room - written) / tables.longest);
            if n == 0 {
                break;
            }
        }
        if looks.is_due() && n == 64 && is_ascii_ahead(src, at) && room - written >= AHEAD {
            // SAFETY: there are AHEAD bytes on both sides, as just found.
            unsafe { copy_ahead(src.as_ptr().add(at), to.add(written)) };
            written += AHEAD;
            at += AHEAD;
            looks = Looks::new();
            continue;
        }
        let bytes = in_places(load_from(&src[..at + n], at));
        let not_ascii = _mm512_movepi8_mask(bytes);
        let a = look_up_or_keep(tables.first, bytes, not_ascii);
        let b = look_up(tables.second, bytes, not_ascii);
        let unmapped = _mm512_mask_testn_epi8_mask(not_ascii, a, a);
        if unmapped != 0 {
            n = first_of(unmapped);
        }
        let wide = _mm512_cmpge_epu8_mask(a, _mm512_set1_epi8(0xE0_u8 as i8));
        // SAFETY: room for `n` characters of any length was found above.
        unsafe {
            let to = to.add(written);
            written += if wide == 0 {
                store_pairs(to, a, b, n)
            } else {
                let c = look_up(tables.third, bytes, not_ascii);
                store_triples(to, a, b, c, n)
            };
        }
        at += n;
        if unmapped != 0 {
            // SAFETY: the blocks' stores initialised `written` bytes, within the room.
            unsafe { out.advance(written) };
            return at;
        }
    }
    // SAFETY: the blocks' stores initialised `written` bytes, within the room.
    unsafe { out.advance(written) };
    // Room for less than the longest character.
    at + super::super::portable::decode_utf8(code_points, after(src, at), out)
}
