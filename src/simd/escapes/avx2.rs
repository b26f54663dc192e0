//! AVX2: 64 bytes at a time.
//!
//! Stripping: as with AVX-512, but for what a compress would do, which a shuffle does by a table, for eight bytes at a
//! time. Inserting: first a list of the places where the kind changes, then run after run is copied, in whole registers
//! of which the next one covers what is too much. Text is full of changes (in Japanese articles every twentieth byte is
//! one), which nobody foresees: so there is no branch on them but for long lists and long runs.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::arrays::after;
use super::super::out::Out;
use super::super::shuffles::BYTES;
use super::super::token::Avx2;
use super::{BEHIND, Before, MOST, Seen, Stripped, Unescaped};

/// Bytes that are converted at a time, at most: a kernel's start costs much.
pub(super) const PART: usize = 8192;

const _: () = assert!(PART <= MOST && BEHIND >= 64);

/// Of each bit whether an odd number is set up to it.
#[inline(always)]
fn parity(bits: u64) -> u64 {
    let mut parity = bits;
    for distance in [1, 2, 4, 8, 16, 32] {
        parity ^= parity << distance;
    }
    parity
}

/// Two registers.
#[derive(Clone, Copy)]
struct Pair(__m256i, __m256i);

impl Pair {
    /// # Safety
    /// 64 bytes at `from` are readable.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the contract of this function.
        unsafe {
            Self(
                _mm256_loadu_si256(from.cast()),
                _mm256_loadu_si256(from.add(32).cast()),
            )
        }
    }

    /// # Safety
    /// 64 bytes at `to` are writable.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the contract of this function.
        unsafe {
            _mm256_storeu_si256(to.cast(), self.0);
            _mm256_storeu_si256(to.add(32).cast(), self.1);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn and(self, byte: u8) -> Self {
        let byte = _mm256_set1_epi8(byte as i8);
        Self(
            _mm256_and_si256(self.0, byte),
            _mm256_and_si256(self.1, byte),
        )
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn or(self, other: Self) -> Self {
        Self(
            _mm256_or_si256(self.0, other.0),
            _mm256_or_si256(self.1, other.1),
        )
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn equal(self, byte: u8) -> Self {
        let byte = _mm256_set1_epi8(byte as i8);
        Self(
            _mm256_cmpeq_epi8(self.0, byte),
            _mm256_cmpeq_epi8(self.1, byte),
        )
    }

    /// The highest bit of each byte.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn top_bits(self) -> u64 {
        let low = _mm256_movemask_epi8(self.0) as u32;
        let high = _mm256_movemask_epi8(self.1) as u32;
        u64::from(low) | u64::from(high) << 32
    }

    /// The highest bits of bytes, as the mask has them.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn from_top_bits(bits: u64) -> Self {
        let of = |bits: u32| {
            // Each byte of the mask to eight bytes, each of which keeps a bit of its own, moved to the top.
            let bytes = _mm256_shuffle_epi8(
                _mm256_set1_epi32(bits as i32),
                _mm256_setr_epi64x(
                    0,
                    0x0101_0101_0101_0101,
                    0x0202_0202_0202_0202,
                    0x0303_0303_0303_0303,
                ),
            );
            let own = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let is_set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, own), own);
            _mm256_and_si256(is_set, _mm256_set1_epi8(0x80_u8 as i8))
        };
        Self(of(bits as u32), of((bits >> 32) as u32))
    }

    /// Moves bytes whose bit is set to `to`.
    ///
    /// # Safety
    /// 64 bytes at `to` are writable.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn compress(self, kept: u64, to: *mut u8) {
        let quarters = [
            _mm256_castsi256_si128(self.0),
            _mm256_extracti128_si256::<1>(self.0),
            _mm256_castsi256_si128(self.1),
            _mm256_extracti128_si256::<1>(self.1),
        ];
        let kept = kept.to_le_bytes();
        let mut len = 0;
        for (i, quarter) in (0..).zip(quarters) {
            for (kept, bytes) in [
                (kept[2 * i], quarter),
                (kept[2 * i + 1], _mm_unpackhi_epi64(quarter, quarter)),
            ] {
                // SAFETY: no more bytes are before these than in the source, and eight are stored.
                unsafe {
                    let places = _mm_loadl_epi64(BYTES[usize::from(kept)].as_ptr().cast());
                    _mm_storel_epi64(to.add(len).cast(), _mm_shuffle_epi8(bytes, places));
                }
                len += kept.count_ones() as usize;
            }
        }
    }
}

#[inline(always)]
pub(super) fn strip(
    _: Avx2,
    to: &mut Stripped,
    src: &[u8],
    in_pairs: bool,
    must_have_output: bool,
) {
    // SAFETY: holding `Avx2` proves detection succeeded.
    unsafe { strip_featured(to, src, in_pairs, must_have_output) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn strip_featured(to: &mut Stripped, src: &[u8], in_pairs: bool, must_have_output: bool) {
    /// A block, and what is looked at behind it.
    const READ: usize = 64 + 2;
    assert!(src.len() <= PART);
    let mut before = Before::new(in_pairs, must_have_output);
    let mut last;
    for start in (0..src.len()).step_by(64) {
        let rest = after(src, start);
        let from = match rest.first_chunk::<READ>() {
            Some(bytes) => bytes.as_ptr(),
            None => {
                last = [0; READ];
                last[..rest.len()].copy_from_slice(rest);
                last.as_ptr()
            }
        };
        // SAFETY: `READ` bytes are readable.
        let (bytes, next, third) = unsafe {
            (
                Pair::load(from),
                Pair::load(from.add(1)),
                Pair::load(from.add(2)),
            )
        };
        let in_block = _bzhi_u64(u64::MAX, rest.len().min(64) as u32);
        let escapes = bytes.equal(0x1B).top_bits();
        let stops = bytes.or(bytes.and(!1).equal(0x0E)).top_bits() | !in_block;
        let dollars = next.equal(b'$');
        let to_pairs = Pair(
            _mm256_and_si256(dollars.0, third.and(!2).equal(b'@').0),
            _mm256_and_si256(dollars.1, third.and(!2).equal(b'@').1),
        )
        .top_bits()
            & escapes;
        let parens = next.equal(b'(');
        let to_ascii = Pair(
            _mm256_and_si256(parens.0, third.equal(b'B').0),
            _mm256_and_si256(parens.1, third.equal(b'B').1),
        )
        .top_bits()
            & escapes;
        let taken = before.take(Seen {
            escapes,
            to_pairs,
            to_ascii,
            behind_odd: parity(escapes),
            stops,
        });
        // SAFETY: no more are kept before than were read, less than PART, and there is room for 64 bytes more.
        unsafe {
            let to = to.bytes.as_mut_ptr().add(to.len).cast();
            bytes
                .or(Pair::from_top_bits(taken.pairs))
                .compress(taken.kept, to);
        }
        to.add(&taken);
        if taken.stops {
            break;
        }
    }
}

#[inline(always)]
pub(super) fn push_escaped(
    _: Avx2,
    src: &Unescaped,
    in_pairs: &mut bool,
    out: &mut Out<'_, u8>,
) -> bool {
    // SAFETY: holding `Avx2` proves detection succeeded.
    unsafe { push_escaped_featured(src, in_pairs, out) }
}

/// Places that are listed for a block, whether or not it has so many: most have no more.
const AT_ONCE: usize = 8;
/// Bytes of a run that are copied at once: more than most runs have. Twice as much was no faster.
const CHUNK: usize = 32;

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn push_escaped_featured(src: &Unescaped, in_pairs: &mut bool, out: &mut Out<'_, u8>) -> bool {
    let len = src.len.min(PART);
    let from: *const u8 = src.bytes.as_ptr().cast();
    // Where runs end.
    let mut ends = MaybeUninit::<[u16; PART + AT_ONCE + 1]>::uninit();
    let ends: *mut u16 = ends.as_mut_ptr().cast();
    let mut changes = 0;
    let mut carry = u64::from(*in_pairs);
    for start in (0..len).step_by(64) {
        let here = (len - start).min(64) as u32;
        // SAFETY: `start` is below `PART`, and as much and more can be read.
        let pairs = unsafe { Pair::load(from.add(start)) }.top_bits();
        let mut places = (pairs ^ (pairs << 1 | carry)) & _bzhi_u64(u64::MAX, here);
        carry = pairs >> (here - 1) & 1;
        let count = places.count_ones() as usize;
        let mut list = |number: usize| {
            // SAFETY: there are no more places than bytes before them, and there is room for so many more. Volatile, as the
            // compiler would collect them in a register, which takes longer.
            unsafe {
                let place = start as u32 + places.trailing_zeros();
                ends.add(changes + number).write_volatile(place as u16);
            }
            places &= places.wrapping_sub(1);
        };
        for number in 0..AT_ONCE {
            list(number);
        }
        for number in AT_ONCE..count {
            list(number);
        }
        changes += count;
    }
    if len == 0 {
        return true;
    }
    // SAFETY: there are `len` at most, which is `PART` at most.
    unsafe { ends.add(changes).write(len as u16) };
    let total = len + 3 * changes;
    if out.room() < total {
        return false;
    }
    const TO_PAIRS: u32 = u32::from_le_bytes(*b"\x1B$B\0");
    const TO_ASCII: u32 = u32::from_le_bytes(*b"\x1B(B\0");
    let mut escape = if *in_pairs { TO_ASCII } else { TO_PAIRS };
    let mut to = out.spare_ptr();
    let mut at = 0;
    // SAFETY: as many ends are listed, the last of which is `len`. What is copied has `at` bytes and some escape sequences
    // before it, and where a register is copied, as many bytes as it has, or more, are left of the source, so that there is
    // as much room, of which nothing is written yet. Byte by byte, there is room for all, as was asked.
    unsafe {
        let copy = |at: usize, to: *mut u8| {
            let bytes = _mm256_loadu_si256(from.add(at).cast());
            let bytes = _mm256_and_si256(bytes, _mm256_set1_epi8(0x7F));
            _mm256_storeu_si256(to.add(at).cast(), bytes);
        };
        let mut run = ends;
        let last = loop {
            let end = usize::from(run.read());
            if end + CHUNK > len {
                break end;
            }
            copy(at, to);
            while end - at > CHUNK {
                at += CHUNK;
                copy(at, to);
            }
            at = end;
            to.add(at).cast::<[u8; 4]>().write(escape.to_le_bytes());
            escape ^= TO_PAIRS ^ TO_ASCII;
            to = to.add(3);
            run = run.add(1);
        };
        while at + CHUNK <= last {
            copy(at, to);
            at += CHUNK;
        }
        while at < len {
            let byte = from.add(at).read();
            if (byte >= 0x80) != (escape == TO_ASCII) {
                let [a, b, c, _] = escape.to_le_bytes();
                to.add(at).cast::<[u8; 3]>().write([a, b, c]);
                escape ^= TO_PAIRS ^ TO_ASCII;
                to = to.add(3);
            }
            to.add(at).write(byte & 0x7F);
            at += 1;
        }
        out.advance(total);
    }
    *in_pairs = carry != 0;
    true
}
