//! ISO-2022-JP (section 12.2 of the Standard): escape sequences switch between ASCII, Roman, katakana and jis0208.
//!
//! Long ASCII has the kernel that all encodings share; pairs have none.

use super::Unit;
use crate::simd::{Out, tail};

mod decode;
mod encode;

pub(super) use decode::Iso2022JpDecoder;
pub(super) use encode::Iso2022JpEncoder;

/// A decoder's output state: the meaning of bytes outside escape sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Ascii,
    Roman,
    Katakana,
    LeadByte,
}

/// Returns the mode that an escape sequence selects by its last two bytes.
#[inline(always)]
fn mode_of(lead: u8, byte: u8) -> Option<Mode> {
    match (lead, byte) {
        (0x28, 0x42) => Some(Mode::Ascii),
        (0x28, 0x4A) => Some(Mode::Roman),
        (0x28, 0x49) => Some(Mode::Katakana),
        (0x24, 0x40 | 0x42) => Some(Mode::LeadByte),
        _ => None,
    }
}

/// Copies ASCII up to a byte with a special meaning here. Returns its length.
///
/// The search windows grow: long ASCII is scanned at full speed, and little is scanned beyond short ASCII.
fn push_plain_ascii<U: Unit>(src: &[u8], out: &mut Out<'_, U>) -> usize {
    const WORD: usize = 8;
    // In text, consecutive ASCII is often a word or two; in noise, one or two bytes.
    let mut read = 0;
    while read <= WORD
        && let Some(&word) = src[read..].first_chunk()
        && is_plain_ascii(word)
        && U::push_ascii_word(out, word)
    {
        read += WORD;
    }
    if read <= WORD {
        for &byte in src[read..].iter().take(WORD) {
            if matches!(byte, 0x0E | 0x0F | 0x1B | 0x80..) || !U::push_bmp(out, byte.into()) {
                return read;
            }
            read += 1;
        }
    }
    if read == src.len() {
        return read;
    }
    let mut window = 64;
    loop {
        let rest = tail(src, read);
        let rest = &rest[..rest.len().min(window)];
        let end = memchr::memchr3(0x0E, 0x0F, 0x1B, rest).unwrap_or(rest.len());
        let taken = U::push_ascii(&rest[..end], out);
        read += taken;
        if taken < window {
            return read;
        }
        window = (window * 2).min(8192);
    }
}

/// True if eight bytes are ASCII and none has a special meaning here.
#[inline(always)]
pub(crate) fn is_plain_ascii(bytes: [u8; 8]) -> bool {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let bytes = u64::from_ne_bytes(bytes);
    let low = bytes & (0x7F * EACH);
    // For a byte below 0x80, 0x80 minus the byte has bit 7 set exactly if the byte is zero.
    let zero = |bytes: u64| 0x80 * EACH - bytes;
    let control = zero((low & (0x7E * EACH)) ^ (0x0E * EACH)) | zero(low ^ (0x1B * EACH));
    (bytes | control) & (0x80 * EACH) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_ascii_is_told_from_controls_and_what_is_no_ascii() {
        for at in 0..8 {
            for byte in 0..=0xFF {
                for others in [0, 0x0D, 0x10, 0x1A, 0x1C, 0x7F] {
                    let mut bytes = [others; 8];
                    bytes[at] = byte;
                    let plain = byte < 0x80 && ![0x0E, 0x0F, 0x1B].contains(&byte);
                    assert_eq!(is_plain_ascii(bytes), plain, "{bytes:X?}");
                }
            }
        }
    }
}
