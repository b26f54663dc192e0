//! Checks and conversions between text in memory, by encoding_rs' contract.
//!
//! This module uses encoding_rs' terms: *Basic Latin* is ASCII in UTF-16, *bidi* is text with right-to-left characters.
//! A function with a documented minimum destination length panics if the destination is shorter.

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use mojika::{Status, mem};

/// The class of a text.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Latin1Bidi {
    /// All code points are below U+0100.
    Latin1 = 0,
    /// A code point is above U+00FF, and none is right-to-left.
    LeftToRight = 1,
    /// A character is right-to-left.
    Bidi = 2,
}

/// Panics if the destination's `room` is less than the `needed` number of units.
#[track_caller]
fn need(room: usize, needed: usize) {
    assert!(
        room >= needed,
        "the destination is shorter than it must be: {room} < {needed}"
    );
}

/// True if all bytes are ASCII.
pub fn is_ascii(buffer: &[u8]) -> bool {
    // For much non-ASCII text, the first byte decides.
    buffer.first().is_none_or(u8::is_ascii) && mem::ascii_prefix_len(buffer) == buffer.len()
}

/// True if all code units are ASCII.
pub fn is_basic_latin(buffer: &[u16]) -> bool {
    buffer.first().is_none_or(|&unit| unit < 0x80)
        && mem::ascii_prefix_len_of_utf16(buffer) == buffer.len()
}

/// True for valid UTF-8 with code points below U+0100 only.
pub fn is_utf8_latin1(buffer: &[u8]) -> bool {
    utf8_latin1_up_to(buffer) == buffer.len()
}

/// True if all code points are below U+0100.
pub fn is_str_latin1(buffer: &str) -> bool {
    str_latin1_up_to(buffer) == buffer.len()
}

/// True if all code units are below U+0100.
pub fn is_utf16_latin1(buffer: &[u16]) -> bool {
    mem::is_latin1_utf16(buffer)
}

/// True for invalid UTF-8, and for text with right-to-left characters.
#[inline]
pub fn is_utf8_bidi(buffer: &[u8]) -> bool {
    mem::has_rtl_or_is_malformed(buffer)
}

/// True if the text has right-to-left characters.
#[inline]
pub fn is_str_bidi(buffer: &str) -> bool {
    mem::has_rtl(buffer)
}

/// True if a code unit is a right-to-left character, or the lead surrogate of one.
pub fn is_utf16_bidi(buffer: &[u16]) -> bool {
    mem::has_rtl(buffer)
}

/// True for a right-to-left character, and for a control that makes text right-to-left.
#[inline(always)]
pub fn is_char_bidi(c: char) -> bool {
    mem::is_rtl(c)
}

/// [`is_char_bidi`] for a code unit; true for lead surrogates of right-to-left blocks.
#[inline(always)]
pub fn is_utf16_code_unit_bidi(u: u16) -> bool {
    mem::is_rtl_unit(u)
}

/// Checks possibly invalid UTF-8 for both Latin-1 and right-to-left text. Invalid UTF-8 is [`Latin1Bidi::Bidi`].
pub fn check_utf8_for_latin1_and_bidi(buffer: &[u8]) -> Latin1Bidi {
    classified(&buffer[utf8_latin1_up_to(buffer)..], is_utf8_bidi)
}

/// Checks a `str` for both Latin-1 and right-to-left text.
pub fn check_str_for_latin1_and_bidi(buffer: &str) -> Latin1Bidi {
    let rest = &buffer[str_latin1_up_to(buffer)..];
    classified(rest.as_bytes(), |_| mem::has_rtl(rest))
}

/// Checks UTF-16 for both Latin-1 and right-to-left text.
pub fn check_utf16_for_latin1_and_bidi(buffer: &[u16]) -> Latin1Bidi {
    if is_utf16_latin1(buffer) {
        return Latin1Bidi::Latin1;
    }
    classified(buffer, is_utf16_bidi)
}

/// Classifies text by the units after its Latin-1 prefix.
fn classified<T>(rest: &[T], is_bidi: impl FnOnce(&[T]) -> bool) -> Latin1Bidi {
    if rest.is_empty() {
        Latin1Bidi::Latin1
    } else if is_bidi(rest) {
        Latin1Bidi::Bidi
    } else {
        Latin1Bidi::LeftToRight
    }
}

/// Converts UTF-8 to UTF-16, malformed sequences to U+FFFD. `dst` is longer than `src`. Returns the code units written.
pub fn convert_utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    need(dst.len(), src.len() + 1);
    mem::utf8_to_utf16(src, dst).written
}

/// Converts UTF-8 to UTF-16. `dst` is at least as long as `src`. Returns the code units written.
pub fn convert_str_to_utf16(src: &str, dst: &mut [u16]) -> usize {
    need(dst.len(), src.len());
    mem::utf8_to_utf16_fatal(src.as_bytes(), dst).written
}

/// Converts UTF-8 to UTF-16. `dst` is at least as long as `src`. Returns the code units written, or `None` for invalid
/// UTF-8.
pub fn convert_utf8_to_utf16_without_replacement(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    need(dst.len(), src.len());
    let progress = mem::utf8_to_utf16_fatal(src, dst);
    (progress.status == Status::InputEmpty).then_some(progress.written)
}

/// Converts UTF-16 to UTF-8, lone surrogates to U+FFFD, as far as it fits. Returns code units read and bytes written.
#[inline(always)]
pub fn convert_utf16_to_utf8_partial(src: &[u16], dst: &mut [u8]) -> (usize, usize) {
    let progress = mem::utf16_to_utf8(src, dst);
    (progress.read, progress.written)
}

/// Converts UTF-16 to UTF-8, lone surrogates to U+FFFD. `dst` is at least three times as long as `src`. Returns the
/// bytes written.
#[inline(always)]
pub fn convert_utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    need(dst.len(), 3 * src.len());
    mem::utf16_to_utf8(src, dst).written
}

/// [`convert_utf16_to_utf8_partial`] into the start of a `str`.
pub fn convert_utf16_to_str_partial(src: &[u16], dst: &mut str) -> (usize, usize) {
    let progress = mem::utf16_to_str(src, dst);
    (progress.read, progress.written)
}

/// [`convert_utf16_to_utf8`] into the start of a `str`.
#[inline(always)]
pub fn convert_utf16_to_str(src: &[u16], dst: &mut str) -> usize {
    need(dst.len(), 3 * src.len());
    mem::utf16_to_str(src, dst).written
}

/// Converts Latin-1 to UTF-16. `dst` is at least as long as `src`; one code unit is written for each byte.
pub fn convert_latin1_to_utf16(src: &[u8], dst: &mut [u16]) {
    need(dst.len(), src.len());
    mem::latin1_to_utf16(src, dst);
}

/// Converts Latin-1 to UTF-8, as far as it fits. Returns bytes read and bytes written.
pub fn convert_latin1_to_utf8_partial(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let progress = mem::latin1_to_utf8(src, dst);
    (progress.read, progress.written)
}

/// Converts Latin-1 to UTF-8. `dst` is at least twice as long as `src`. Returns the bytes written.
#[inline]
pub fn convert_latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    need(dst.len(), 2 * src.len());
    mem::latin1_to_utf8(src, dst).written
}

/// [`convert_latin1_to_utf8_partial`] into the start of a `str`.
#[inline]
pub fn convert_latin1_to_str_partial(src: &[u8], dst: &mut str) -> (usize, usize) {
    let progress = mem::latin1_to_str(src, dst);
    (progress.read, progress.written)
}

/// [`convert_latin1_to_utf8`] into the start of a `str`.
#[inline]
pub fn convert_latin1_to_str(src: &[u8], dst: &mut str) -> usize {
    need(dst.len(), 2 * src.len());
    mem::latin1_to_str(src, dst).written
}

/// Converts UTF-8 below U+0100 to Latin-1 and returns the number of bytes written. `dst` is at least as long as `src`.
///
/// Any other input causes a panic with debug assertions, and a meaningless result without them.
pub fn convert_utf8_to_latin1_lossy(src: &[u8], dst: &mut [u8]) -> usize {
    need(dst.len(), src.len());
    debug_assert!(is_utf8_latin1(src), "not below U+0100");
    mem::utf8_to_latin1_lossy(src, dst).written
}

/// Converts UTF-16 below U+0100 to Latin-1. `dst` is at least as long as `src`; one byte is written for each unit.
///
/// Other input gives meaningless bytes.
pub fn convert_utf16_to_latin1_lossy(src: &[u16], dst: &mut [u8]) {
    need(dst.len(), src.len());
    mem::utf16_to_latin1_lossy(src, dst);
}

/// Decodes Latin-1 to UTF-8, and borrows ASCII.
#[cfg(feature = "alloc")]
pub fn decode_latin1<'a>(bytes: &'a [u8]) -> Cow<'a, str> {
    mem::decode_latin1(bytes)
}

/// Encodes characters below U+0100 as Latin-1, and borrows the input if it is ASCII.
///
/// Any other input causes a panic with debug assertions, and a meaningless result without them.
#[cfg(feature = "alloc")]
pub fn encode_latin1_lossy<'a>(string: &'a str) -> Cow<'a, [u8]> {
    debug_assert!(is_str_latin1(string), "not below U+0100");
    mem::encode_latin1_lossy(string)
}

/// Returns the index of the first lone surrogate, or the length.
pub fn utf16_valid_up_to(buffer: &[u16]) -> usize {
    mem::utf16_prefix_len(buffer)
}

/// Returns the length of the longest prefix that is valid UTF-8 with code points below U+0100 only.
pub fn utf8_latin1_up_to(buffer: &[u8]) -> usize {
    mem::latin1_prefix_len_of_utf8(buffer)
}

/// Returns the length of the longest prefix with code points below U+0100 only.
pub fn str_latin1_up_to(buffer: &str) -> usize {
    mem::latin1_prefix_len_of_utf8(buffer.as_bytes())
}

/// Replaces lone surrogates with U+FFFD.
#[inline]
pub fn ensure_utf16_validity(buffer: &mut [u16]) {
    mem::replace_lone_surrogates(buffer);
}

/// Copies ASCII up to the first other byte. `dst` is at least as long as `src`. Returns the bytes written.
pub fn copy_ascii_to_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    need(dst.len(), src.len());
    mem::copy_ascii(src, dst)
}

/// Converts ASCII to UTF-16, up to the first other byte. `dst` is at least as long as `src`. Returns the code units
/// written.
pub fn copy_ascii_to_basic_latin(src: &[u8], dst: &mut [u16]) -> usize {
    need(dst.len(), src.len());
    mem::ascii_to_utf16(src, dst)
}

/// Converts UTF-16 to ASCII, up to the first other code unit. `dst` is at least as long as `src`. Returns the bytes
/// written.
pub fn copy_basic_latin_to_ascii(src: &[u16], dst: &mut [u8]) -> usize {
    need(dst.len(), src.len());
    mem::utf16_to_ascii(src, dst)
}
