//! Text in EBCDIC, by its space, letters, digits and line ends.
//!
//! Below its space, 0x40, EBCDIC has only controls, and text has only tabs and line ends among them. In other encodings,
//! spaces, digits and punctuation are below 0x40, which is `@`. Latin letters and digits are the same in all code pages.

const SPACE: u8 = 0x40;

/// The least length in bytes of a text that is named EBCDIC when its code page is not found.
pub(super) const LEAST: usize = 24;

/// What a byte is in all code pages of EBCDIC.
enum Kind {
    /// A letter of the Latin alphabet or a digit.
    Word,
    /// A space, a mark of punctuation or a line end.
    Sign,
    /// A control that text lacks.
    Control,
    /// Letters of other scripts, accented ones, brackets.
    Other,
}

impl Kind {
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

/// Whether this is text in EBCDIC.
///
/// At most 1 byte in 64 is a control that text lacks, and at least 1 in 16 is a space. Of the rest, half are Latin letters
/// and digits, and at most 1 byte in 8 is an accented letter or a bracket. Or the letters are of another script, and between
/// 1 byte in 10 and 1 in 2 is a space. Lists of words have fewer spaces: 1 in 32 is a space or a line end, and three in four
/// are Latin letters and digits.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let len = bytes.len();
    let spaces = count(bytes, |byte| byte == SPACE);
    let separators = spaces + count(bytes, |byte| byte == 0x15 || byte == 0x25);
    if separators * 32 < len {
        return false;
    }
    let (mut words, mut controls, mut others) = (0, 0, 0);
    for &byte in bytes {
        match Kind::of(byte) {
            Kind::Word => words += 1,
            Kind::Sign => {}
            Kind::Control => controls += 1,
            Kind::Other => others += 1,
        }
    }
    let is_spaced = spaces * 16 >= len || words * 4 >= len * 3;
    let is_latin = words > 0 && words * 2 >= len - spaces && others * 8 <= len;
    let is_latin = is_latin && is_spaced;
    controls * 64 <= len && (is_latin || spaces * 10 >= len && spaces * 2 <= len)
}

/// How many of the bytes are one of these.
fn count(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    // Sums of bytes, which vectors have more of.
    let sum = |block: &[u8]| {
        block
            .iter()
            .fold(0_u8, |sum, &byte| sum + u8::from(is(byte)))
    };
    bytes.chunks(128).map(|block| usize::from(sum(block))).sum()
}
