//! UTF-8 and UTF-16.

use crate::MalformedSequence;
use crate::progress::{Progress, Status};
use crate::simd::{self, Out};
use crate::{BomHandling, Decoder};

/// Returns the length in bytes of the longest prefix that is UTF-8.
///
/// ```
/// assert_eq!(mojika::mem::utf8_prefix_len(b"\xC3\xA9\xC3"), 2);
/// ```
#[inline]
pub fn utf8_prefix_len(bytes: &[u8]) -> usize {
    simd::utf8_valid_up_to(bytes)
}

/// Returns the length in code units of the longest prefix without a lone surrogate.
///
/// ```
/// assert_eq!(mojika::mem::utf16_prefix_len(&[0xD83D, 0xDCA9, 0xD83D]), 2);
/// ```
#[inline]
pub fn utf16_prefix_len(units: &[u16]) -> usize {
    simd::paired_prefix_len(units)
}

/// Replaces lone surrogates with U+FFFD: "to convert a string into a scalar value string" of the Infra Standard, and
/// JavaScript's `toWellFormed`.
///
/// ```
/// let mut units = [0x61, 0xD83D, 0x62];
/// mojika::mem::replace_lone_surrogates(&mut units);
/// assert_eq!(units, [0x61, 0xFFFD, 0x62]);
/// ```
pub fn replace_lone_surrogates(units: &mut [u16]) {
    let mut at = 0;
    loop {
        at += simd::paired_prefix_len(&units[at..]);
        let Some(lone) = units.get_mut(at) else {
            return;
        };
        *lone = 0xFFFD;
        at += 1;
    }
}

/// Converts UTF-8 to UTF-16, malformed sequences to U+FFFD (section 8.1.1 of the Standard), whole characters while they
/// fit: a code unit for each byte of `src` suffices.
///
/// ```
/// let mut units = [0; 8];
/// let progress = mojika::mem::utf8_to_utf16(b"\xC3\xA9\xFF", &mut units);
/// assert_eq!((progress.read, progress.written), (3, 2));
/// assert_eq!(units[..2], [0xE9, 0xFFFD]);
/// ```
pub fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> Progress {
    let mut out = Out::from_init(&mut *dst);
    let read = simd::utf8_to_utf16(src, &mut out);
    let mut progress = Progress::new(read, out.written(), read == src.len());
    if progress.status == Status::InputEmpty {
        return progress;
    }
    let (rest, dst) = (&src[read..], &mut dst[progress.written..]);
    let next = if dst.len() >= rest.len() {
        // All output fits, so the decoder can replace many malformed sequences in one call.
        Decoder::new(crate::UTF_8, BomHandling::Keep).decode(rest, dst, true)
    } else {
        to_little_room(rest, &mut Out::from_init(dst))
    };
    progress.read += next.read;
    progress.written += next.written;
    progress.status = next.status;
    progress.had_errors = next.had_errors;
    progress
}

/// Converts like [`utf8_to_utf16`], to output that may be too small.
fn to_little_room(src: &[u8], out: &mut Out<'_, u16>) -> Progress {
    let (mut read, mut had_errors) = (0, false);
    loop {
        read += simd::utf8_to_utf16(&src[read..], out);
        // A malformed sequence, a character that does not fit, or the end.
        match malformed_len(&src[read..]) {
            Some(len) if out.push(0xFFFD) => read += len,
            _ => break,
        }
        had_errors = true;
    }
    Progress {
        had_errors,
        ..Progress::new(read, out.written(), read == src.len())
    }
}

/// Converts UTF-8 to UTF-16, up to a malformed or incomplete sequence, whole characters while they fit: a code unit for
/// each byte of `src` suffices.
///
/// ```
/// use mojika::{Status, mem::utf8_to_utf16_fatal};
///
/// let mut units = [0; 8];
/// let progress = utf8_to_utf16_fatal(b"\xC3\xA9\xFF", &mut units);
/// assert!(matches!(progress.status, Status::Malformed(sequence) if sequence.offset == 2));
/// assert_eq!(progress.written, 1);
/// ```
pub fn utf8_to_utf16_fatal(src: &[u8], dst: &mut [u16]) -> Progress {
    let mut out = Out::from_init(dst);
    let read = simd::utf8_to_utf16(src, &mut out);
    let mut progress = Progress::new(read, out.written(), read == src.len());
    if let Some(len) = malformed_len(&src[read..]) {
        progress.status = Status::Malformed(MalformedSequence::new(read as u64, len as u8, 0));
        progress.read += len;
    }
    progress
}

/// Returns the length of the malformed or incomplete sequence at the start of `src`; `None` if it starts with a
/// character.
fn malformed_len(src: &[u8]) -> Option<usize> {
    // Four bytes are enough to determine the length.
    let chunk = src[..src.len().min(4)].utf8_chunks().next()?;
    chunk.valid().is_empty().then(|| chunk.invalid().len())
}

/// Converts UTF-16 to UTF-8, lone surrogates to U+FFFD, whole characters while they fit: three bytes for each code unit
/// suffice.
///
/// Equals `TextEncoder.encodeInto()` (section 7.4 of the Standard).
///
/// ```
/// let mut utf8 = [0; 5];
/// let progress = mojika::mem::utf16_to_utf8(&[0x61, 0xD83D, 0x62, 0x6587], &mut utf8);
/// assert_eq!((progress.read, progress.written), (3, 5));
/// assert_eq!(&utf8, "a\u{FFFD}b".as_bytes());
/// ```
pub fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> Progress {
    let mut out = Out::from_init(dst);
    let read = simd::utf16_to_utf8_replacing(src, &mut out);
    Progress::new(read, out.written(), read == src.len())
}

/// Converts UTF-16 to UTF-8 at the front of a `str`, like [`utf16_to_utf8`]. If the written part ends inside an old
/// character, the rest of that character becomes U+0000.
pub fn utf16_to_str(src: &[u16], dst: &mut str) -> Progress {
    let (read, written) = simd::utf16_to_str(src, dst);
    Progress::new(read, written, read == src.len())
}
