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
    let tables = Units::of(code_points);
    let src = &src[..src.len().min(out.room())];
    let mut at = 0;
    loop {
        at += tables.whole_blocks(after(src, at), out);
        if src.len() - at < AHEAD || !is_ascii_ahead(src, at) {
            break;
        }
        at += widen_ascii(after(src, at), out);
    }
    // What is left is less than a block, or has something unmapped.
    while at < src.len() {
        let bytes = in_places(load_from(src, at));
        let mut n = (src.len() - at).min(64);
        let (low, high, unmapped) = tables.look_up(bytes);
        if unmapped != 0 {
            n = first_of(unmapped);
        }
        // SAFETY: n is at most what is left of `src`, which is no longer than the room.
        unsafe {
            store_units(out.spare_ptr(), low, high, n);
            out.advance(n);
        }
        at += n;
        if unmapped != 0 {
            break;
        }
    }
    at
}

/// The low and the high bytes of code units.
struct Units {
    low: Table,
    high: Table,
}

impl Units {
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn of(code_points: &CodePoints) -> Self {
        let units = load_code_points(code_points);
        Self {
            low: low_bytes(units),
            high: low_bytes(each(units, |units| _mm512_srli_epi16::<8>(units))),
        }
    }

    /// The units of a block that stands in places, and which are unmapped, in places.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn look_up(&self, bytes: __m512i) -> (__m512i, __m512i, u64) {
        let not_ascii = _mm512_movepi8_mask(bytes);
        let a = look_up_or_keep(self.low, bytes, not_ascii);
        let b = look_up(self.high, bytes, not_ascii);
        let either = _mm512_or_si512(a, b);
        let unmapped = _mm512_mask_testn_epi8_mask(not_ascii, either, either);
        let (low, high) = (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b));
        (low, high, unmapped)
    }

    /// Decodes whole blocks, up to a run of ASCII or a block that has something unmapped; returns how many bytes. There is
    /// room for all of `src`.
    ///
    /// A loop of its own: what it takes to see to the end and to a stop, in every block, is a fifth to a half of the time.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn whole_blocks(&self, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        debug_assert!(src.len() <= out.room());
        let to = out.spare_ptr();
        let mut at = 0;
        let mut looks = Looks::new();
        while src.len() - at >= 64 {
            if looks.is_due() && is_ascii_ahead(src, at) {
                break;
            }
            // SAFETY: a block is left, and there is room for it.
            unsafe {
                let bytes = in_places(_mm512_loadu_si512(src.as_ptr().add(at).cast()));
                let (low, high, unmapped) = self.look_up(bytes);
                if unmapped != 0 {
                    break;
                }
                ask_ahead::<2, _>(to.cast_const(), at, src.len());
                store_units(to.add(at), low, high, 64);
            }
            at += 64;
        }
        // SAFETY: as many units have been stored.
        unsafe { out.advance(at) };
        at
    }
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
    /// Whether every byte is mapped.
    complete: bool,
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
        complete: each(units, |units| _mm512_testn_epi16_mask(units, units)) == [0; 4],
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

/// Writes the UTF-8 of the first `n` characters of a block that stand in places; returns how many bytes. Where `COVERED`
/// says that as much is written behind it, the block is whole, and up to 32 bytes more are stored.
///
/// # Safety
/// There is room for them at `to`; `n <= 64`.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
)]
unsafe fn store_pairs<const COVERED: bool>(to: *mut u8, a: __m512i, b: __m512i, n: usize) -> usize {
    let (low, high) = (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b));
    let mut keep_low = _mm512_test_epi8_mask(low, low) | FIRSTS;
    let mut keep_high = _mm512_test_epi8_mask(high, high) | FIRSTS;
    // SAFETY: the contract of this function. Of a whole block at least 64 bytes are written: the first store may be
    // a whole one, for the second covers what it wrote too much.
    unsafe {
        if COVERED || n == 64 {
            _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi8(keep_low, low));
            let written = keep_low.count_ones() as usize;
            let to = to.add(written);
            if COVERED {
                _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi8(keep_high, high));
                return written + keep_high.count_ones() as usize;
            }
            return written + store_compressed(to, keep_high, high);
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
    let mut at = match tables.complete {
        true => tables.whole_blocks::<true>(src, out),
        false => tables.whole_blocks::<false>(src, out),
    };
    let (to, room) = (out.spare_ptr(), out.room());
    let mut written = 0;
    // What is left is less than a block or two, has something unmapped, or little room.
    while at < src.len() {
        // A block of which every character fits, however long. The less room there is, the shorter the block.
        let mut n = (src.len() - at).min(64);
        n = n.min((room - written) / tables.longest);
        if n == 0 {
            break;
        }
        let bytes = in_places(load_from(&src[..at + n], at));
        let (a, b, not_ascii, unmapped) = tables.look_up(bytes);
        if unmapped != 0 {
            n = first_of(unmapped);
        }
        // SAFETY: room for `n` characters of any length was found above.
        written += unsafe { tables.store::<false>(to.add(written), bytes, (a, b), not_ascii, n) };
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

impl Sequences {
    /// First and second bytes of a block that stands in places; which of it are not ASCII, and which are unmapped.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn look_up(&self, bytes: __m512i) -> (__m512i, __m512i, u64, u64) {
        let not_ascii = _mm512_movepi8_mask(bytes);
        let a = look_up_or_keep(self.first, bytes, not_ascii);
        let b = look_up(self.second, bytes, not_ascii);
        let unmapped = _mm512_mask_testn_epi8_mask(not_ascii, a, a);
        (a, b, not_ascii, unmapped)
    }

    /// Writes the first `n` characters of a block; returns how many bytes.
    ///
    /// # Safety
    /// That of [`store_pairs`] and [`store_triples`].
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    unsafe fn store<const COVERED: bool>(
        &self,
        to: *mut u8,
        bytes: __m512i,
        (a, b): (__m512i, __m512i),
        not_ascii: u64,
        n: usize,
    ) -> usize {
        let wide = _mm512_cmpge_epu8_mask(a, _mm512_set1_epi8(0xE0_u8 as i8));
        // SAFETY: the contract of this function.
        unsafe {
            if wide == 0 {
                return store_pairs::<COVERED>(to, a, b, n);
            }
            let c = look_up(self.third, bytes, not_ascii);
            store_triples(to, a, b, c, n)
        }
    }

    /// Decodes whole blocks, up to one that has something unmapped, or to the last one if all is mapped (`COMPLETE`): then
    /// each may store too much, which the next one covers. Returns how many bytes.
    ///
    /// A loop of its own: what it takes to see to the end, to the room and to a stop, in every block, is a quarter of the
    /// time.
    #[inline]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2"
    )]
    fn whole_blocks<const COMPLETE: bool>(&self, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        const { assert!(AHEAD <= 2 * 192) };
        let (to, room) = (out.spare_ptr(), out.room());
        let (mut at, mut written) = (0, 0);
        let mut looks = Looks::new();
        // Two blocks, and room for them, however long.
        while src.len() - at >= 128 && room - written >= 2 * 192 {
            if looks.is_due() && is_ascii_ahead(src, at) {
                // SAFETY: there are AHEAD bytes on both sides, as just found.
                unsafe { copy_ahead(src.as_ptr().add(at), to.add(written)) };
                written += AHEAD;
                at += AHEAD;
                looks = Looks::new();
                continue;
            }
            // SAFETY: a block is left, and there is room for it. If all is mapped, another one is written behind it, of 64
            // bytes at least.
            unsafe {
                let bytes = in_places(_mm512_loadu_si512(src.as_ptr().add(at).cast()));
                let (a, b, not_ascii, unmapped) = self.look_up(bytes);
                if !COMPLETE && unmapped != 0 {
                    break;
                }
                written += self.store::<COMPLETE>(to.add(written), bytes, (a, b), not_ascii, 64);
            }
            at += 64;
        }
        // SAFETY: the blocks' stores initialised `written` bytes, within the room.
        unsafe { out.advance(written) };
        at
    }
}
