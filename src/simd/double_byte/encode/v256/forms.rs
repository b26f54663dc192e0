//! UTF-8 and UTF-16 as sources: code units of a batch.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::super::utf8_floor;
use super::{AHEAD, Batch, Buffer, DoubleByteEncode, Input, Source, Taken, UNITS, Units};
#[cfg(target_arch = "aarch64")]
use super::{READ_PADDING, WRITE_PADDING};
#[cfg(target_arch = "x86_64")]
use crate::simd::arrays::tail;
use crate::simd::ascii::{copy_ascii, narrow_ascii};
use crate::simd::double_byte::{Utf8, Utf16};
use crate::simd::out::Out;
#[cfg(target_arch = "x86_64")]
use crate::simd::shuffles::WORDS;
use crate::simd::surrogates::is_lead;
#[cfg(target_arch = "x86_64")]
use crate::simd::surrogates::pair_of;
#[cfg(target_arch = "aarch64")]
use crate::simd::utf;
use crate::simd::vector::{LEN, Token, V256};

/// UTF-8: valid, as it comes from a `str`.
// SAFETY: each store below is counted by what it initialises, as its own comment says.
unsafe impl Input for Utf8 {
    const SPARSE: usize = 6;
    const AHEAD: usize = 0;
    const UNPAIRED: bool = false;

    #[inline(always)]
    fn is_ascii(v: Token, src: &[u8]) -> bool {
        src.first_chunk::<LEN>().is_some_and(|bytes| {
            // SAFETY: LEN bytes are readable.
            !v.any(v.movemask(unsafe { v.load(bytes.as_ptr()) }))
        })
    }

    fn ascii(src: &[u8], out: &mut Out<'_, u8>) -> usize {
        copy_ascii(src, out)
    }

    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn units(v: Token, src: &[u8], most: usize, pairs: bool, to: &mut Buffer) -> Source {
        let whole = utf8_floor(src, most.min(UNITS).min(src.len()));
        let start = to.as_mut_ptr().cast();
        // SAFETY: `whole` ends a character, and is `UNITS` at most.
        let (read, len) = unsafe { widen(v, &src[..whole], pairs, start) };
        Source {
            units: Units { start, len },
            read,
            stops: read < whole,
        }
    }

    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn take_listed(
        v: Token,
        batch: &mut Batch,
        pairs: &DoubleByteEncode,
        src: &[u8],
        most: usize,
        out: &mut Out<'_, u8>,
    ) -> Option<Taken> {
        // SAFETY: by `# Safety` of `Input::take_listed`, there is room for what `most` units become.
        unsafe { batch.take_listed(v, pairs, src, most, out) }
    }

    #[inline(always)]
    unsafe fn source_len(units: *const u16, len: usize) -> usize {
        // SAFETY: by `# Safety` of `Input::source_len`, `len` code units are readable.
        let units = unsafe { core::slice::from_raw_parts(units, len) };
        let of = |&unit: &u16| match unit {
            0..0x80 => 1,
            0x80..0x800 | 0xD800..=0xDFFF => 2,
            _ => 3,
        };
        units.iter().map(of).sum()
    }
}

/// UTF-8 as code units; returns how many bytes were read and units written: all, but of less than four bytes, or of 32 to 34.
///
/// # Safety
/// `src` is whole characters, and `src.len()` units and `WRITE_PADDING` more are writable at `to`.
#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "neon")]
unsafe fn widen(v: Token, src: &[u8], pairs: bool, to: *mut u16) -> (usize, usize) {
    // The kernel wants room for 40 units behind those of a block.
    const { assert!(WRITE_PADDING - READ_PADDING >= 40) };
    // Surrogates end the prefix when they are looked up, where the encoding does not know them.
    let _ = pairs;
    // SAFETY: the contract of this function; the kernel writes no more units than there are bytes.
    unsafe {
        let room = src.len() + WRITE_PADDING - READ_PADDING;
        let (read, len) = utf::v256::valid_utf8_to_utf16(v, src, to.cast(), room);
        to.add(len)
            .cast::<[u16; READ_PADDING]>()
            .write([0; READ_PADDING]);
        (read, len)
    }
}

/// UTF-8 as code units; returns how many bytes were read and units written. Stops before a character of four bytes,
/// unless `pairs` says that it shall become two surrogates.
///
/// # Safety
/// `src` is whole characters, and `src.len()` units and `WRITE_PADDING` more are writable at `to`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
unsafe fn widen(_: Token, src: &[u8], pairs: bool, to: *mut u16) -> (usize, usize) {
    let mut at = 0;
    let mut written = 0;
    while at < src.len() {
        let rest = tail(src, at);
        let mut ends = 0xFFFF;
        // SAFETY: 16 bytes are readable, or are copied to where they are; and as many that follow others as there are.
        let bytes = unsafe {
            if let Some(bytes) = rest.first_chunk::<16>() {
                _mm_loadu_si128(bytes.as_ptr().cast())
            } else {
                ends = (1 << rest.len()) - 1;
                let mut bytes = [0_u8; 16];
                bytes[..rest.len()].copy_from_slice(rest);
                _mm_loadu_si128(bytes.as_ptr().cast())
            }
        };
        // SAFETY: what is behind the second byte of `src` and 16 bytes long is within it.
        let (one, two) = unsafe {
            if at >= 2 && rest.len() >= 16 {
                let from = rest.as_ptr();
                (
                    _mm_loadu_si128(from.sub(1).cast()),
                    _mm_loadu_si128(from.sub(2).cast()),
                )
            } else {
                let mut before = [0_u8; 16];
                if at >= 2 {
                    before[14] = src[at - 2];
                    before[15] = src[at - 1];
                }
                let before = _mm_loadu_si128(before.as_ptr().cast());
                (
                    _mm_alignr_epi8::<15>(bytes, before),
                    _mm_alignr_epi8::<14>(bytes, before),
                )
            }
        };
        let (low, high, inside, four) = {
            let set = |byte: u8| _mm_set1_epi8(byte as i8);
            // No unit ends at a lead, from 0xC0 on, nor behind one from 0xE0 on.
            let lead = _mm_and_si128(bytes, _mm_slli_epi16::<1>(bytes));
            let second = _mm_subs_epu8(one, set(0x60));
            let inside = _mm_movemask_epi8(_mm_or_si128(lead, second)) as u32;
            let four = _mm_movemask_epi8(_mm_subs_epu8(bytes, set(0x70))) as u32;
            // The low and the high byte of the unit that ends at each byte.
            let tail = _mm_cmpgt_epi8(set(0xC0), bytes);
            let sixth = _mm_and_si128(_mm_slli_epi16::<6>(one), set(0xC0));
            let low = _mm_or_si128(_mm_and_si128(bytes, set(0x7F)), _mm_and_si128(sixth, tail));
            let middle = _mm_and_si128(_mm_srli_epi16::<2>(one), set(0x0F));
            // Nothing is left of what is no lead of three.
            let top = _mm_subs_epu8(two, set(0xE0));
            let top = _mm_and_si128(_mm_slli_epi16::<4>(top), set(0xF0));
            let high = _mm_and_si128(_mm_or_si128(middle, top), tail);
            (low, high, inside, four)
        };
        if four != 0 {
            ends &= (1 << four.trailing_zeros()) - 1;
        }
        ends &= !inside;
        for (half, units) in [
            (ends as u8, _mm_unpacklo_epi8(low, high)),
            ((ends >> 8) as u8, _mm_unpackhi_epi8(low, high)),
        ] {
            // SAFETY: no more units are written than bytes were read, and eight are stored.
            unsafe {
                let places = _mm_loadu_si128(WORDS[usize::from(half)].as_ptr().cast());
                _mm_storeu_si128(to.add(written).cast(), _mm_shuffle_epi8(units, places));
            }
            written += half.count_ones() as usize;
        }
        if four == 0 {
            at += 16;
            continue;
        }
        at += four.trailing_zeros() as usize;
        if !pairs {
            break;
        }
        // Where there is one, there may be others.
        while let Some(&bytes) = tail(src, at).first_chunk::<4>()
            && bytes[0] >= 0xF0
        {
            let scalar = _pext_u32(u32::from_be_bytes(bytes), 0x073F_3F3F);
            // SAFETY: four bytes have been read.
            unsafe { to.add(written).cast::<[u16; 2]>().write(pair_of(scalar)) };
            written += 2;
            at += 4;
        }
    }
    // SAFETY: there is room for 16 more.
    unsafe {
        _mm_storeu_si128(to.add(written).cast(), _mm_setzero_si128());
        _mm_storeu_si128(to.add(written + 8).cast(), _mm_setzero_si128());
    }
    (at.min(src.len()), written)
}

/// UTF-16: surrogates without a partner have no bytes, so that they end the prefix.
// SAFETY: each store below is counted by what it initialises, as its own comment says.
unsafe impl Input for Utf16 {
    const SPARSE: usize = 4;
    const AHEAD: usize = AHEAD;
    const UNPAIRED: bool = true;

    #[inline(always)]
    fn is_ascii(_: Token, src: &[u16]) -> bool {
        src.first_chunk::<16>()
            .is_some_and(|units| units.iter().fold(0, |all, unit| all | unit) < 0x80)
    }

    fn ascii(src: &[u16], out: &mut Out<'_, u8>) -> usize {
        narrow_ascii(src, out)
    }

    #[inline(always)]
    unsafe fn units(_: Token, src: &[u16], most: usize, pairs: bool, _: &mut Buffer) -> Source {
        let mut len = most.min(UNITS).min(src.len() / 16 * 16);
        if pairs && len > 0 && is_lead(src[len - 1]) {
            len -= 1;
        }
        let start = src.as_ptr();
        Source {
            units: Units { start, len },
            read: len,
            stops: false,
        }
    }

    #[inline(always)]
    unsafe fn take_listed(
        _: Token,
        _: &mut Batch,
        _: &DoubleByteEncode,
        _: &[u16],
        _: usize,
        _: &mut Out<'_, u8>,
    ) -> Option<Taken> {
        // The last pass uses a list.
        None
    }

    #[inline(always)]
    unsafe fn source_len(_: *const u16, len: usize) -> usize {
        len
    }
}
