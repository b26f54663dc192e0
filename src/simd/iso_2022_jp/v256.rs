//! AVX2 and NEON: 64 bytes at a time.
//!
//! Stripping works as with AVX-512, except that a table-driven shuffle of eight bytes replaces compress. Inserting
//! first lists the positions where the mode changes. It then copies run after run in whole registers; the next one
//! overwrites the excess. Changes are frequent (every twentieth byte in Japanese articles) and would be mispredicted,
//! so only long lists and long runs have a branch.

use crate::simd::tuning;
use core::mem::MaybeUninit;

use super::super::arrays::{map_array, tail};
use super::super::out::Out;
use super::super::shuffles::BYTES;
use super::super::vector::{Bytes, Token, V128, V256};
use super::{Before, MAX_PART, READ_PADDING, Seen, Stripped, Unescaped};

/// Most bytes that are converted at a time; starting a kernel is expensive.
pub(super) const PART: usize = tuning::ISO_2022_JP_PART[1];

const _: () = assert!(PART <= MAX_PART && READ_PADDING >= 64);

/// Returns for each bit the parity of the bits up to and including it.
#[inline(always)]
fn parity(bits: u64) -> u64 {
    let mut parity = bits;
    for distance in [1, 2, 4, 8, 16, 32] {
        parity ^= parity << distance;
    }
    parity
}

/// A block of 64 bytes.
type Block = [Bytes; 2];

// Functions, not closures: the compiler may outline a closure without the target feature.

#[inline(always)]
fn and(v: Token, [low, high]: Block, byte: u8) -> Block {
    let byte = v.splat(byte);
    [v.and(low, byte), v.and(high, byte)]
}

#[inline(always)]
fn both(v: Token, a: Block, b: Block) -> Block {
    [v.and(a[0], b[0]), v.and(a[1], b[1])]
}

#[inline(always)]
fn either(v: Token, a: Block, b: Block) -> Block {
    [v.or(a[0], b[0]), v.or(a[1], b[1])]
}

#[inline(always)]
fn equal(v: Token, [low, high]: Block, byte: u8) -> Block {
    let byte = v.splat(byte);
    [v.equal(low, byte), v.equal(high, byte)]
}

/// Returns bytes whose top bits are those of the mask.
#[inline(always)]
fn from_top_bits(v: Token, bits: u64) -> Block {
    [
        v.bytes_of_bits(bits as u32),
        v.bytes_of_bits((bits >> 32) as u32),
    ]
}

/// Stores the bytes whose bit is set in `kept` contiguously at `to`.
///
/// # Safety
/// 64 bytes at `to` are writable.
#[inline(always)]
unsafe fn compress(v: Token, block: Block, kept: u64, to: *mut u8) {
    let mut to = to;
    for (bytes, kept) in block.into_iter().zip([kept as u32, (kept >> 32) as u32]) {
        let lens = v.counts(kept);
        let eights = kept.to_le_bytes().into_iter().zip(v.eights(bytes));
        for ((kept, bytes), len) in eights.zip(lens) {
            // SAFETY: at most `8 * i` bytes precede store `i` of eight, so all eight stores end within 64 bytes.
            unsafe {
                let places = v.load_eight(BYTES[usize::from(kept)].as_ptr());
                v.store_eight(v.shuffle_half(bytes, places), to);
                to = to.add(len);
            }
        }
    }
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
)]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(super) fn strip(
    v: Token,
    to: &mut Stripped,
    src: &[u8],
    in_pairs: bool,
    must_have_output: bool,
) {
    /// The bytes of a block and the two after it that are tested.
    const READ: usize = 64 + 2;
    assert!(src.len() <= PART);
    let mut before = Before::new(in_pairs, must_have_output);
    let mut last;
    for start in (0..src.len()).step_by(64) {
        let rest = tail(src, start);
        let from = match rest.first_chunk::<READ>() {
            Some(bytes) => bytes.as_ptr(),
            None => {
                last = [0; READ];
                last[..rest.len()].copy_from_slice(rest);
                last.as_ptr()
            }
        };
        // SAFETY: `from` has `READ` = 66 readable bytes, and `at + 64 <= 66`.
        let [bytes, next, third] = map_array([0, 1, 2], |at| unsafe { v.load_two(from.add(at)) });
        let in_block = u64::MAX >> (64 - rest.len().min(64));
        let escapes = v.top_bits_of_two(equal(v, bytes, 0x1B));
        let shifts = equal(v, and(v, bytes, !1), 0x0E);
        let stops = v.top_bits_of_two(either(v, bytes, shifts)) | !in_block;
        let behind_dollar = equal(v, and(v, third, !2), b'@');
        let to_pairs = both(v, equal(v, next, b'$'), behind_dollar);
        let to_pairs = v.top_bits_of_two(to_pairs) & escapes;
        let to_ascii = both(v, equal(v, next, b'('), equal(v, third, b'B'));
        let to_ascii = v.top_bits_of_two(to_ascii) & escapes;
        let taken = before.take(Seen {
            escapes,
            to_pairs,
            to_ascii,
            behind_odd: parity(escapes),
            stops,
        });
        // SAFETY: `to.len <= start < PART <= MAX_PART`, and `bytes` has `READ_PADDING` = 64 bytes more.
        unsafe {
            let to = to.bytes.as_mut_ptr().add(to.len).cast();
            let bytes = either(v, bytes, from_top_bits(v, taken.pairs));
            compress(v, bytes, taken.kept, to);
        }
        to.add(&taken);
        if taken.stops {
            break;
        }
    }
}

/// Positions listed for each block unconditionally; most blocks have no more.
const AT_ONCE: usize = tuning::ESCAPES_LISTED;
/// Bytes of a run that are copied at once; most runs are shorter. Doubling the number was no faster.
const CHUNK: usize = tuning::ISO_2022_JP_COPY;

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
)]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(super) fn push_escaped(
    v: Token,
    src: &Unescaped,
    in_pairs: &mut bool,
    out: &mut Out<'_, u8>,
) -> bool {
    let len = src.len.min(PART);
    let from: *const u8 = src.bytes.as_ptr().cast();
    // The ends of runs.
    let mut ends = MaybeUninit::<[u16; PART + AT_ONCE + 1]>::uninit();
    let ends: *mut u16 = ends.as_mut_ptr().cast();
    let mut changes = 0;
    let mut carry = u64::from(*in_pairs);
    for start in (0..len).step_by(64) {
        let here = (len - start).min(64) as u32;
        // SAFETY: `start < len`, and `READ_PADDING` = 64 bytes after `len` are initialised.
        let pairs = v.top_bits_of_two(unsafe { v.load_two(from.add(start)) });
        let mut places = (pairs ^ (pairs << 1 | carry)) & u64::MAX >> (64 - here);
        carry = pairs >> (here - 1) & 1;
        let count = places.count_ones() as usize;
        let mut list = |number: usize| {
            // SAFETY: `changes <= start < PART`, and the array has `AT_ONCE + 1` elements more. A volatile write, as
            // the compiler would collect the positions in a register, which is slower.
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
    // SAFETY: `changes <= len <= PART`, which is in the array.
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
    // SAFETY: the list ends with `len`. A register is copied only if `CHUNK` bytes of the source are left, and the
    // output has at least the same room, as `total <= out.room()`. The bytewise copy ends after `total` bytes.
    unsafe {
        let copy = |at: usize, to: *mut u8| {
            let bytes = v.and(v.load(from.add(at)), v.splat(0x7F));
            v.store(bytes, to.add(at));
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
