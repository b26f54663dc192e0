//! UTF-8 sequences of two or more bytes, as words with the first byte lowest.

use core::hint::select_unpredictable;

use super::arrays::map_array;

/// Returns the UTF-8 of a code point from U+0080 on, and its length.
#[inline(always)]
pub(super) fn sequence(code_point: u16) -> (u32, usize) {
    let c = u32::from(code_point);
    let [last, middle] = map_array([c, c >> 6], |bits| 0x80 | bits & 0x3F);
    let two = last << 8 | 0xC0 | c >> 6;
    let three = last << 16 | middle << 8 | 0xE0 | c >> 12;
    let is_three = c >= 0x800;
    (
        select_unpredictable(is_three, three, two),
        2 + usize::from(is_three),
    )
}

/// Returns the code point of a two-byte sequence; higher bytes are ignored.
#[inline(always)]
pub(super) fn two(word: u32) -> u16 {
    ((word & 0x1F) << 6 | (word >> 8 & 0x3F)) as u16
}

/// Returns the code point of a three-byte sequence; higher bytes are ignored.
#[inline(always)]
pub(super) fn three(word: u32) -> u16 {
    ((word & 0xF) << 12 | (word >> 2 & 0xFC0) | (word >> 16 & 0x3F)) as u16
}

/// Returns the code point and the length of the character at the start of `bytes`; `None` above U+FFFF.
#[inline(always)]
pub(super) fn character([lead, second, third]: [u8; 3]) -> Option<(u16, usize)> {
    let [second, third] = map_array([second, third], |byte| u16::from(byte & 0x3F));
    match lead {
        // Characters of one or two bytes.
        0..0xE0 => {
            let ascii = lead < 0x80;
            let pair = u16::from(lead & 0x1F) << 6 | second;
            let code_point = select_unpredictable(ascii, u16::from(lead), pair);
            Some((code_point, 1 + usize::from(!ascii)))
        }
        0xE0..0xF0 => Some((u16::from(lead & 0xF) << 12 | second << 6 | third, 3)),
        _ => None,
    }
}

/// Returns, for each of the last three of `N` positions, the least lead whose character does not end within the `N`
/// bytes. Earlier positions have 0xFF.
pub(super) const fn cut_leads<const N: usize>() -> [u8; N] {
    let mut bytes = [0xFF; N];
    (bytes[N - 3], bytes[N - 2], bytes[N - 1]) = (0xF0, 0xE0, 0xC0);
    bytes
}

#[cfg(test)]
mod tests {
    use super::{sequence, three, two};

    #[test]
    fn sequences_are_the_standard_librarys() {
        for code_point in (0x80..=0xFFFF).filter(|code_point| code_point & 0xF800 != 0xD800) {
            let c = char::from_u32(code_point.into()).unwrap();
            let mut bytes = [0; 4];
            let len = c.encode_utf8(&mut bytes).len();
            let word = u32::from_le_bytes(bytes);
            assert_eq!(sequence(code_point), (word, len));
            // Bytes after the character do not matter.
            let word = word | u32::MAX << (8 * len);
            assert_eq!([two, three][len - 2](word), code_point);
        }
    }
}
