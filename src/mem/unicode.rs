//! UTF-8 and UTF-16.

use super::Progress;
use crate::simd::{self, Out};
use crate::{BomHandling, Decoder};

/// Length in bytes of the longest prefix that is UTF-8.
///
/// ```
/// assert_eq!(mojika::mem::utf8_prefix_len(b"\xC3\xA9\xC3"), 2);
/// ```
#[inline]
pub fn utf8_prefix_len(bytes: &[u8]) -> usize {
    simd::utf8_valid_up_to(bytes)
}

/// Length in code units of the longest prefix without a lone surrogate.
///
/// ```
/// assert_eq!(mojika::mem::utf16_prefix_len(&[0xD83D, 0xDCA9, 0xD83D]), 2);
/// ```
#[inline]
pub fn utf16_prefix_len(units: &[u16]) -> usize {
    simd::paired_prefix_len(units)
}

/// Replaces lone surrogates with U+FFFD: "to convert a string into a scalar value string" of the Infra Standard.
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

/// UTF-8 to UTF-16, malformed sequences as U+FFFD (section 8.1.1 of the Standard), as many characters as fit: as many code
/// units as `src` has bytes suffice for all.
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
    let written = out.written();
    if read == src.len() {
        return Progress { read, written };
    }
    if dst.len() >= src.len() {
        // The room suffices: the decoder replaces many malformed sequences at once.
        let mut decoder = Decoder::new(crate::UTF_8, BomHandling::Keep);
        let progress = decoder.decode(&src[read..], &mut dst[written..], true);
        return Progress {
            read: src.len(),
            written: written + progress.written,
        };
    }
    let rest = to_little_room(&src[read..], &mut Out::from_init(&mut dst[written..]));
    Progress {
        read: read + rest.read,
        written: written + rest.written,
    }
}

/// [`utf8_to_utf16`] where the room may not suffice.
fn to_little_room(src: &[u8], out: &mut Out<'_, u16>) -> Progress {
    let mut read = 0;
    loop {
        read += simd::utf8_to_utf16(&src[read..], out);
        // A malformed sequence, a character that does not fit, or the end: four bytes tell.
        let rest = &src[read..];
        let first = rest[..rest.len().min(4)].utf8_chunks().next();
        let (len, fits) = match first {
            Some(chunk) if chunk.valid().is_empty() => (chunk.invalid().len(), out.push(0xFFFD)),
            _ => (0, false),
        };
        if !fits {
            let written = out.written();
            return Progress { read, written };
        }
        read += len;
    }
}

/// UTF-8 to UTF-16, up to a malformed sequence or an incomplete one, as many characters as fit: as many code units as `src`
/// has bytes suffice for all.
///
/// ```
/// let mut units = [0; 8];
/// let progress = mojika::mem::utf8_to_utf16_fatal(b"\xC3\xA9\xFF", &mut units);
/// assert_eq!((progress.read, progress.written), (2, 1));
/// ```
pub fn utf8_to_utf16_fatal(src: &[u8], dst: &mut [u16]) -> Progress {
    let mut out = Out::from_init(dst);
    Progress {
        read: simd::utf8_to_utf16(src, &mut out),
        written: out.written(),
    }
}

/// UTF-16 to UTF-8, lone surrogates as U+FFFD, as many characters as fit: three bytes for a code unit suffice for all.
///
/// As `TextEncoder.encodeInto()` (section 7.4 of the Standard).
///
/// ```
/// let mut utf8 = [0; 5];
/// let progress = mojika::mem::utf16_to_utf8(&[0x61, 0xD83D, 0x62, 0x6587], &mut utf8);
/// assert_eq!((progress.read, progress.written), (3, 5));
/// assert_eq!(&utf8, "a\u{FFFD}b".as_bytes());
/// ```
pub fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> Progress {
    let mut out = Out::from_init(dst);
    Progress {
        read: simd::utf16_to_utf8_replacing(src, &mut out),
        written: out.written(),
    }
}

/// [`utf16_to_utf8`] over the front of a `str`. If the written part ends inside an old character, the rest of that
/// character becomes U+0000.
pub fn utf16_to_str(src: &[u16], dst: &mut str) -> Progress {
    let (read, written) = simd::utf16_to_str(src, dst);
    Progress { read, written }
}
