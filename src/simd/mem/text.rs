//! Conversions built on other kernels, and conversions whose output is a `str`.

use super::super::arrays::tail;
use super::super::ascii::ascii_prefix_len;
use super::super::out::Out;
#[cfg(feature = "alloc")]
use super::super::out::append;
use super::super::single_byte::{Pages, encode_single_byte_utf8, single_byte_to_utf8};
#[cfg(feature = "alloc")]
use super::super::text::append_to_string;
use super::super::text::overwrite_str;
use super::super::utf::utf16_to_utf8;
use super::super::utf::validate::str_from_valid;
use super::latin1_prefix_len_utf8;
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};

#[cfg(feature = "alloc")]
extern crate alloc;

/// Latin-1 as an encoding for the single-byte kernels: bytes from 0x80 on are code points of the same value.
static LATIN1: [u16; 128] = {
    let mut code_points = [0; 128];
    let mut i = 0;
    while i < 128 {
        code_points[i] = 0x80 + i as u16;
        i += 1;
    }
    code_points
};

/// The bytes of U+0080 to U+00BF, of U+00C0 to U+00FF, and zeros for all other code points.
static LATIN1_PAGES: [[u8; 64]; 3] = {
    let mut pages = [[0; 64]; 3];
    let mut i = 0;
    while i < 64 {
        pages[1][i] = 0x80 + i as u8;
        pages[2][i] = 0xC0 + i as u8;
        i += 1;
    }
    pages
};

/// Converts Latin-1 to UTF-8, whole characters while they fit. Returns the number of bytes read.
#[inline]
pub(crate) fn latin1_to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    single_byte_to_utf8(&LATIN1, src, out)
}

/// Converts UTF-8 of code points below U+0100 to Latin-1. The output for other input is unspecified. Never writes more
/// bytes than it reads.
pub(crate) fn utf8_to_latin1_lossy(src: &[u8], out: &mut Out<'_, u8>) {
    let (latin1, rest) = src.split_at(latin1_prefix_len_utf8(src));
    let pages = Pages {
        first_block: 0x80 >> 6,
        blocks: &[1, 2, 0],
        numbers: &[0, 1, 2],
        pages: &LATIN1_PAGES,
        letter: 0xE9,
        is_latin_1: true,
        near: [&LATIN1_PAGES[1], &LATIN1_PAGES[2]],
    };
    // SAFETY: `latin1_prefix_len_utf8` has established that `latin1` is UTF-8.
    let taken = encode_single_byte_utf8(&pages, unsafe { str_from_valid(latin1) }, out);
    if taken < latin1.len() {
        return;
    }
    let mut bytes = rest.iter();
    while let Some(&lead) = bytes.next() {
        let byte = match lead {
            0..0x80 => lead,
            _ => lead << 6 | bytes.next().map_or(0, |&tail| tail & 0x3F),
        };
        if !out.push(byte) {
            return;
        }
    }
}

/// Converts UTF-16 to UTF-8, with U+FFFD for lone surrogates, whole characters while they fit. Returns the number of
/// units read.
pub(crate) fn utf16_to_utf8_replacing(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    loop {
        read += utf16_to_utf8(tail(src, read), out);
        // The kernel stops at lone surrogates, or when the output is full.
        let before = read;
        while let [unit @ 0xD800..=0xDFFF, ref next @ ..] = src[read..] {
            let is_pair = unit < 0xDC00 && matches!(next, [0xDC00..=0xDFFF, ..]);
            if is_pair || !out.push_array(*b"\xEF\xBF\xBD") {
                break;
            }
            read += 1;
        }
        if read == before {
            return read;
        }
    }
}

/// Runs [`utf16_to_utf8_replacing`] over the start of a `str`. Returns the units read and the bytes written.
pub(crate) fn utf16_to_str(src: &[u16], dst: &mut str) -> (usize, usize) {
    // SAFETY: `utf16_to_utf8_replacing` writes whole characters.
    unsafe { overwrite_str(dst, |out| utf16_to_utf8_replacing(src, out)) }
}

/// Runs [`latin1_to_utf8`] over the start of a `str`. Returns the bytes read and the bytes written.
pub(crate) fn latin1_to_str(src: &[u8], dst: &mut str) -> (usize, usize) {
    // SAFETY: the kernel writes whole characters of code points below U+0100.
    unsafe { overwrite_str(dst, |out| latin1_to_utf8(src, out)) }
}

/// Returns Latin-1 as UTF-8, borrowed if it is ASCII.
#[cfg(feature = "alloc")]
pub(crate) fn decode_latin1(src: &[u8]) -> Cow<'_, str> {
    let (ascii, rest) = src.split_at(ascii_prefix_len(src));
    // SAFETY: `ascii_prefix_len` has established that `ascii` is ASCII, which is UTF-8.
    let ascii = unsafe { str_from_valid(ascii) };
    if rest.is_empty() {
        return Cow::Borrowed(ascii);
    }
    let mut text = String::with_capacity(ascii.len() + 2 * rest.len());
    text.push_str(ascii);
    // SAFETY: the kernel writes whole characters of code points below U+0100.
    let taken = unsafe { append_to_string(&mut text, |out| latin1_to_utf8(rest, out)) };
    debug_assert_eq!(taken, rest.len());
    Cow::Owned(text)
}

/// Returns text of code points below U+0100 as Latin-1, borrowed if it is ASCII. The result for other text is
/// unspecified.
#[cfg(feature = "alloc")]
pub(crate) fn encode_latin1_lossy(src: &str) -> Cow<'_, [u8]> {
    let (ascii, rest) = src.as_bytes().split_at(ascii_prefix_len(src.as_bytes()));
    if rest.is_empty() {
        return Cow::Borrowed(ascii);
    }
    let mut bytes = Vec::with_capacity(src.len());
    bytes.extend_from_slice(ascii);
    append(&mut bytes, |out| utf8_to_latin1_lossy(rest, out));
    Cow::Owned(bytes)
}
