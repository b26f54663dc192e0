//! Text in EBCDIC, by its space, letters, digits and line ends.
//!
//! In EBCDIC, the space is 0x40, and bytes below it are control characters; text only has tabs and line ends. In other
//! encodings, 0x40 is `@`, and spaces, digits and punctuation are below it. All EBCDIC code pages share Latin letters and
//! digits.

const SPACE: u8 = 0x40;

/// The minimum length in bytes of text that is recognised as EBCDIC, without a code page.
pub(super) const LEAST: usize = 24;

/// The class of a byte in all EBCDIC code pages.
enum ByteClass {
    /// A letter of the Latin alphabet or a digit.
    Word,
    /// A space, a mark of punctuation or a line end.
    Sign,
    /// A control character that text does not contain.
    Control,
    /// Letters of other scripts, accented letters, brackets.
    Other,
}

impl ByteClass {
    fn of(byte: u8) -> Self {
        match byte {
            0x81..=0x89 | 0x91..=0x99 | 0xA2..=0xA9 => Self::Word,
            0xC1..=0xC9 | 0xD1..=0xD9 | 0xE2..=0xE9 | 0xF0..=0xF9 => Self::Word,
            // Tab, form feed, carriage return, new line, line feed.
            0x05 | 0x0C | 0x0D | 0x15 | 0x25 => Self::Sign,
            0..0x40 | 0xFF => Self::Control,
            // . < ( + & * ) ; - / , % _ > ? : ' = "
            SPACE | 0x4B..=0x4E | 0x50 | 0x5C..=0x5E | 0x60 | 0x61 | 0x6B..=0x6F | 0x7A => {
                Self::Sign
            }
            0x7D..=0x7F => Self::Sign,
            _ => Self::Other,
        }
    }
}

/// True if the bytes are EBCDIC text.
///
/// At most 1 byte in 64 is a control character that text does not contain, and at least 1 in 16 is a space. Half of the
/// others are Latin letters and digits, and at most 1 byte in 8 is an accented letter or a bracket. Or the letters are of
/// another script, and between 1 byte in 10 and 1 in 2 is a space. Word lists have fewer spaces: 1 in 32 is a space or a
/// line end, and three in four are Latin letters and digits.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let len = bytes.len();
    let spaces = count(bytes, |byte| byte == SPACE);
    let separators = spaces + count(bytes, |byte| byte == 0x15 || byte == 0x25);
    if separators * 32 < len {
        return false;
    }
    let (mut words, mut controls, mut others) = (0, 0, 0);
    for &byte in bytes {
        match ByteClass::of(byte) {
            ByteClass::Word => words += 1,
            ByteClass::Sign => {}
            ByteClass::Control => controls += 1,
            ByteClass::Other => others += 1,
        }
    }
    let is_spaced = spaces * 16 >= len || words * 4 >= len * 3;
    let is_latin = words > 0 && words * 2 >= len - spaces && others * 8 <= len;
    let is_latin = is_latin && is_spaced;
    controls * 64 <= len && (is_latin || spaces * 10 >= len && spaces * 2 <= len)
}

/// Counts the bytes for which `is` holds.
fn count(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    // Sums fit in bytes, so that more fit in a vector.
    let sum = |block: &[u8]| {
        block
            .iter()
            .fold(0_u8, |sum, &byte| sum + u8::from(is(byte)))
    };
    bytes.chunks(128).map(|block| usize::from(sum(block))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// True if a text may have these numbers of letters, spaces, other characters and controls.
    fn are_text(letters: usize, spaces: usize, others: usize, controls: usize) -> bool {
        let kinds = [
            (0x81, letters),
            (SPACE, spaces),
            (0x51, others),
            (0x01, controls),
        ];
        let bytes = kinds
            .iter()
            .flat_map(|&(byte, count)| core::iter::repeat_n(byte, count));
        is_text(&bytes.collect::<Vec<u8>>())
    }

    #[test]
    fn each_share_decides_at_its_edge() {
        // One byte in 64 is a control, and one in 8 is an accented letter or a bracket.
        assert!(are_text(58, 5, 0, 1) && !are_text(57, 5, 0, 1));
        assert!(are_text(51, 5, 8, 0) && !are_text(50, 5, 9, 0));
        // One in 16 is a space; in a list of words, one in 32.
        assert!(are_text(44, 4, 0, 0) && are_text(62, 2, 0, 0) && !are_text(64, 1, 0, 0));
        // Line ends separate words, too.
        for line_end in [0x15, 0x25] {
            let words = [[0x81; 31].as_slice(), &[line_end]].concat();
            assert!(is_text(&words) && !is_text(&[&[0x81], &words[..]].concat()));
        }
        // In another script, between one in 10 and one in 2 is a space.
        assert!(are_text(0, 6, 54, 0) && !are_text(0, 6, 55, 0));
        assert!(are_text(0, 32, 32, 0) && !are_text(0, 33, 32, 0));
        // At least half of the characters are letters or digits. Spaces do not count.
        let with_signs = |signs| is_text(&[[0x81; 20].as_slice(), &[SPACE; 4], signs].concat());
        assert!(with_signs(&[0x4B; 20]) && !with_signs(&[0x4B; 21]));
    }

    /// Line ends and tabs are neither control characters nor letters.
    #[test]
    fn bytes_that_text_has_are_none_that_it_lacks() {
        let kind = |byte| match ByteClass::of(byte) {
            ByteClass::Word => 'w',
            ByteClass::Sign => 's',
            ByteClass::Control => 'c',
            ByteClass::Other => 'o',
        };
        for (bytes, expected) in [
            (&b"\x05\x0C\x0D\x15\x25\x40\x4B\x4E\x50\x5C\x5E\x60\x61\x6B\x6F\x7A\x7D\x7F"[..], 's'),
            (b"\x00\x04\x06\x0B\x0E\x14\x16\x24\x26\x3F\xFF", 'c'),
            (b"\x81\x89\x91\x99\xA2\xA9\xC1\xC9\xD1\xD9\xE2\xE9\xF0\xF9", 'w'),
            (b"\x41\x4A\x4F\x51\x5B\x5F\x62\x6A\x70\x79\x7B\x7C\x80\x8A\x90\x9A\xA1\xAA\xC0\xCA\xD0\xE1\xEA\xFA\xFE", 'o'),
        ] {
            for &byte in bytes {
                assert_eq!(kind(byte), expected, "{byte:02X}");
            }
        }
    }
}
