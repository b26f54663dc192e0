//! Text in EBCDIC, by its space, letters, digits and line ends.
//!
//! In EBCDIC, the space is 0x40, and bytes below it are control characters; text only has tabs and line ends. In other
//! encodings, 0x40 is `@`, and spaces, digits and punctuation are below it. All EBCDIC code pages share Latin letters and
//! digits.

const SPACE: u8 = 0x40;

/// The minimum length in bytes of text that is recognised as EBCDIC, without a code page.
pub(super) const LEAST: usize = 24;

/// True if the bytes are EBCDIC text.
///
/// In such text, at most 1 byte in 64 is a control character that text does not contain, and at least 1 in 16 is a
/// space. At least half of the other bytes are Latin letters and digits, and at most 1 byte in 8 is an accented letter
/// or a bracket. Alternatively, the letters are of another script, and between 1 byte in 10 and 1 in 2 is a space. Word
/// lists have fewer spaces: 1 in 32 is a space or a line end, and at least three in four are Latin letters and digits.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let len = bytes.len();
    if memchr::memchr3_iter(SPACE, 0x15, 0x25, bytes).count() * 32 < len {
        return false;
    }
    let spaces = memchr::memchr_iter(SPACE, bytes).count();
    let (mut words, mut controls, mut others) = (0, 0, 0);
    for &byte in bytes {
        match byte {
            0x81..=0x89 | 0x91..=0x99 | 0xA2..=0xA9 => words += 1,
            0xC1..=0xC9 | 0xD1..=0xD9 | 0xE2..=0xE9 | 0xF0..=0xF9 => words += 1,
            // Tab, form feed, carriage return, new line, line feed.
            0x05 | 0x0C | 0x0D | 0x15 | 0x25 => {}
            0..0x40 | 0xFF => controls += 1,
            // . < ( + & * ) ; - / , % _ > ? : ' = "
            SPACE | 0x4B..=0x4E | 0x50 | 0x5C..=0x5E | 0x60 | 0x61 => {}
            0x6B..=0x6F | 0x7A | 0x7D..=0x7F => {}
            // Letters of other scripts, accented letters, brackets.
            _ => others += 1,
        }
    }
    let is_spaced = spaces * 16 >= len || words * 4 >= len * 3;
    let is_latin = words > 0 && words * 2 >= len - spaces && others * 8 <= len;
    let is_latin = is_latin && is_spaced;
    controls * 64 <= len && (is_latin || spaces * 10 >= len && spaces * 2 <= len)
}
