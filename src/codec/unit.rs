//! The output forms of decoders: UTF-8 bytes and UTF-16 code units.

use crate::simd::{self, DoubleByteDecode, FromAscii, Out};
use core::mem::MaybeUninit;

/// A prefix kernel for a family of encodings, as two function pointers, one for each output form.
///
/// `A` identifies the encoding. The functions convert the longest well-formed prefix that fits, and return the number
/// of bytes read.
pub(crate) struct PrefixKernel<A> {
    pub to_utf8: fn(&[u8], A, &mut Out<'_, u8>) -> usize,
    pub to_utf16: fn(&[u8], A, &mut Out<'_, u16>) -> usize,
}

/// A code unit of the output: `u8` for UTF-8, `u16` for UTF-16.
pub(crate) trait Unit: FromAscii + 'static {
    /// Writes a scalar value. Returns false and writes nothing if it does not fit.
    fn push_scalar(out: &mut Out<'_, Self>, scalar: u32) -> bool;

    /// Writes a scalar value from U+0800 to U+FFFF.
    fn push_three(out: &mut Out<'_, Self>, scalar: u32) -> bool;

    /// Writes a scalar value of the Basic Multilingual Plane.
    fn push_bmp(out: &mut Out<'_, Self>, scalar: u16) -> bool;

    /// The maximum number of output units for one UTF-16 code unit.
    const MAX_PER_UTF16: usize;

    /// Writes UTF-16 without surrogates. The caller ensures that it fits.
    fn push_units(src: &[u16], out: &mut Out<'_, Self>);

    /// Writes the ASCII prefix of `src` that fits. Returns its length.
    fn push_ascii(src: &[u8], out: &mut Out<'_, Self>) -> usize;

    /// Writes eight bytes of ASCII. Returns false and writes nothing if they do not fit.
    fn push_ascii_word(out: &mut Out<'_, Self>, word: [u8; 8]) -> bool;

    /// Writes two scalar values. Returns false and writes nothing if they do not fit.
    #[cold]
    fn push_pair(out: &mut Out<'_, Self>, first: u32, second: u32) -> bool {
        // Write to scratch memory, because a pair that does not fit must not be written in part.
        let mut units = [MaybeUninit::uninit(); 8];
        let mut both = Out::from_uninit(&mut units);
        Self::push_scalar(&mut both, first)
            && Self::push_scalar(&mut both, second)
            && out.push_slice(both.written_slice())
    }

    /// Kernel of a single-byte encoding: decodes mapped bytes while they fit.
    fn push_single_byte(code_points: &[u16; 128], src: &[u8], out: &mut Out<'_, Self>) -> usize;

    /// Kernel of a Latin single-byte encoding without unmapped bytes.
    fn push_latin(code_points: &[u16; 128], src: &[u8], out: &mut Out<'_, Self>) -> usize;

    /// Kernel of a single-byte encoding with consecutive code points.
    fn push_consecutive(code_points: &[u16; 128], src: &[u8], out: &mut Out<'_, Self>) -> usize;

    /// Vector kernel of a double-byte encoding: decodes ASCII and well-formed pairs while they fit.
    fn push_double_byte(pairs: &DoubleByteDecode, src: &[u8], out: &mut Out<'_, Self>) -> usize;

    /// Prefix kernel of UTF-8: decodes well-formed sequences while they fit.
    fn push_utf8(src: &[u8], out: &mut Out<'_, Self>) -> usize;

    /// Prefix kernel of UTF-16: decodes whole characters while they fit. Returns the number of bytes read.
    fn push_utf16(src: &[u8], big_endian: bool, out: &mut Out<'_, Self>) -> usize;

    /// Calls a prefix kernel for this output form. Returns the number of bytes read.
    fn push_by<A>(kernel: &PrefixKernel<A>, src: &[u8], of: A, out: &mut Out<'_, Self>) -> usize;
}

impl Unit for u8 {
    #[inline]
    fn push_scalar(out: &mut Out<'_, u8>, scalar: u32) -> bool {
        match scalar {
            0..=0xFFFF => Self::push_bmp(out, scalar as u16),
            _ => out.push_array([
                0xF0 | (scalar >> 18) as u8,
                continuation(scalar >> 12),
                continuation(scalar >> 6),
                continuation(scalar),
            ]),
        }
    }

    #[inline(always)]
    fn push_three(out: &mut Out<'_, u8>, scalar: u32) -> bool {
        out.push_array([
            0xE0 | (scalar >> 12) as u8,
            continuation(scalar >> 6),
            continuation(scalar),
        ])
    }

    #[inline(always)]
    fn push_bmp(out: &mut Out<'_, u8>, scalar: u16) -> bool {
        let s = u32::from(scalar);
        match scalar {
            0..=0x7F => out.push(s as u8),
            0x80..=0x7FF => out.push_array([0xC0 | (s >> 6) as u8, continuation(s)]),
            _ => Self::push_three(out, s),
        }
    }

    const MAX_PER_UTF16: usize = 3;

    fn push_units(src: &[u16], out: &mut Out<'_, u8>) {
        let taken = simd::utf16_to_utf8(src, out);
        for &unit in &src[taken..] {
            let fits = Self::push_bmp(out, unit);
            debug_assert!(fits);
        }
    }

    #[inline(always)]
    fn push_ascii(src: &[u8], out: &mut Out<'_, u8>) -> usize {
        simd::copy_ascii(src, out)
    }

    #[inline(always)]
    fn push_ascii_word(out: &mut Out<'_, u8>, word: [u8; 8]) -> bool {
        out.push_array(word)
    }

    fn push_single_byte(code_points: &[u16; 128], src: &[u8], out: &mut Out<'_, u8>) -> usize {
        simd::single_byte_to_utf8(code_points, src, out)
    }

    fn push_latin(code_points: &[u16; 128], src: &[u8], out: &mut Out<'_, u8>) -> usize {
        simd::latin_to_utf8(code_points, src, out)
    }

    fn push_consecutive(code_points: &[u16; 128], src: &[u8], out: &mut Out<'_, u8>) -> usize {
        simd::single_byte_to_utf8(code_points, src, out)
    }

    fn push_double_byte(pairs: &DoubleByteDecode, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        simd::double_byte_to_utf8(pairs, src, out)
    }

    fn push_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
        simd::utf8_to_utf8(src, out)
    }

    fn push_utf16(src: &[u8], big_endian: bool, out: &mut Out<'_, u8>) -> usize {
        simd::utf16_bytes_to_utf8(src, big_endian, out)
    }

    #[inline(always)]
    fn push_by<A>(kernel: &PrefixKernel<A>, src: &[u8], of: A, out: &mut Out<'_, u8>) -> usize {
        (kernel.to_utf8)(src, of, out)
    }
}

/// Returns a UTF-8 continuation byte with the low six bits of `bits`.
#[inline(always)]
fn continuation(bits: u32) -> u8 {
    0x80 | (bits & 0x3F) as u8
}

impl Unit for u16 {
    #[inline]
    fn push_scalar(out: &mut Out<'_, u16>, scalar: u32) -> bool {
        match scalar {
            0..=0xFFFF => out.push(scalar as u16),
            _ => out.push_array(simd::pair_of(scalar)),
        }
    }

    #[inline(always)]
    fn push_three(out: &mut Out<'_, u16>, scalar: u32) -> bool {
        out.push(scalar as u16)
    }

    #[inline(always)]
    fn push_bmp(out: &mut Out<'_, u16>, scalar: u16) -> bool {
        out.push(scalar)
    }

    const MAX_PER_UTF16: usize = 1;

    fn push_units(src: &[u16], out: &mut Out<'_, u16>) {
        let fits = out.push_slice(src);
        debug_assert!(fits);
    }

    #[inline(always)]
    fn push_ascii(src: &[u8], out: &mut Out<'_, u16>) -> usize {
        simd::widen_ascii(src, out)
    }

    #[inline(always)]
    fn push_ascii_word(out: &mut Out<'_, u16>, word: [u8; 8]) -> bool {
        out.push_array(word.map(u16::from))
    }

    fn push_single_byte(code_points: &[u16; 128], src: &[u8], out: &mut Out<'_, u16>) -> usize {
        simd::single_byte_to_utf16(code_points, src, out)
    }

    fn push_latin(code_points: &[u16; 128], src: &[u8], out: &mut Out<'_, u16>) -> usize {
        simd::latin_to_utf16(code_points, src, out)
    }

    fn push_consecutive(code_points: &[u16; 128], src: &[u8], out: &mut Out<'_, u16>) -> usize {
        simd::consecutive_to_utf16(code_points[0], src, out)
    }

    fn push_double_byte(pairs: &DoubleByteDecode, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        simd::double_byte_to_utf16(pairs, src, out)
    }

    fn push_utf8(src: &[u8], out: &mut Out<'_, u16>) -> usize {
        simd::utf8_to_utf16(src, out)
    }

    fn push_utf16(src: &[u8], big_endian: bool, out: &mut Out<'_, u16>) -> usize {
        simd::utf16_bytes_to_utf16(src, big_endian, out)
    }

    #[inline(always)]
    fn push_by<A>(kernel: &PrefixKernel<A>, src: &[u8], of: A, out: &mut Out<'_, u16>) -> usize {
        (kernel.to_utf16)(src, of, out)
    }
}
