//! Splits text into tokens: words, numbers, spaces and signs.
//!
//! A token is an element of the chain (`chain.bin` has the cost of each element after another). If it is a word, it
//! also has the letters of one script. The generator uses this file, too, to count texts.

use alloc::vec::Vec;

/// The number of scripts whose letters form words: Latin, Greek, Cyrillic, Hebrew, Arabic, Thai.
pub const SCRIPTS: usize = 6;

/// The script of ASCII letters.
pub const LATIN: u8 = 0;

pub const CYRILLIC: u8 = 2;

/// Scripts with vowel points.
pub const HEBREW: u8 = 3;
pub const ARABIC: u8 = 4;

/// The elements of the chain, which are classes of tokens. Non-ASCII signs have the numbers from [`SIGN`] on.
pub const LINE: u8 = 0;
pub const SPACE: u8 = 1;
pub const DIGIT: u8 = 2;
pub const WORD: u8 = 3;
/// The first of the seven groups of signs in ASCII.
pub const ASCII_SIGN: u8 = 4;
pub const CONTROL: u8 = 11;
/// The first class of wide characters.
pub const HAN: u8 = 12;
pub const HIRAGANA: u8 = 13;
pub const KATAKANA: u8 = 14;
pub const HANGUL: u8 = 15;
pub const CJK_SIGN: u8 = 16;
pub const FULL_WIDTH: u8 = 17;
pub const HALF_KATAKANA: u8 = 18;
/// Letters and signs of other scripts in a double-byte encoding.
pub const CJK_OTHER: u8 = 19;
/// The last class of wide characters: private use.
pub const RARE: u8 = 20;
pub const UNKNOWN: u8 = 21;
pub const SIGN: u8 = 22;

/// The number of classes of wide characters.
pub const WIDE_CLASSES: usize = (RARE - HAN) as usize + 1;

/// The meaning of a character in the model: a letter of a script, or an element of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind(pub u16);

impl Kind {
    const LETTER: u16 = 0x8000;
    const UPPER: u16 = 0x4000;
    /// A vowel point, which belongs to the letter before it.
    pub const POINT: Self = Self(0x2000);
    pub const MALFORMED: Self = Self(UNKNOWN as u16);

    pub const fn letter(script: u8, symbol: u8, is_upper: bool) -> Self {
        Self(
            Self::LETTER
                | if is_upper { Self::UPPER } else { 0 }
                | (script as u16) << 8
                | symbol as u16,
        )
    }

    pub const fn element(element: u8) -> Self {
        Self(element as u16)
    }

    pub const fn is_letter(self) -> bool {
        self.0 & Self::LETTER != 0
    }

    pub const fn is_upper(self) -> bool {
        self.0 & Self::UPPER != 0
    }

    pub const fn script(self) -> u8 {
        (self.0 >> 8) as u8 & 7
    }

    /// True if both are letters of one script.
    pub const fn continues(self, last: Self) -> bool {
        self.is_letter() && (self.0 ^ last.0) & !(Self::UPPER | 0xFF) == 0
    }

    /// Returns the number of the letter in its script, or the number of the element.
    pub const fn low(self) -> u8 {
        self.0 as u8
    }
}

impl From<[u8; 2]> for Kind {
    fn from(bytes: [u8; 2]) -> Self {
        Self(u16::from_le_bytes(bytes))
    }
}

/// The case of a word's letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    Lower,
    Title,
    Upper,
    Mixed,
}

/// One token of a text.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub element: u8,
    /// The script of a word.
    pub script: u8,
    pub is_ascii: bool,
    pub case: Case,
    /// The number of vowel points on the letters of a word.
    pub points: u8,
    /// The range of the word's letters in the list of symbols; for other tokens, `start` is the character.
    pub start: u32,
    pub end: u32,
}

impl Token {
    pub fn is_word(&self) -> bool {
        self.element == WORD
    }

    pub fn is_wide(&self) -> bool {
        (HAN..=RARE).contains(&self.element)
    }

    fn of_element(element: u8, character: char) -> Self {
        Self {
            element,
            script: 0,
            is_ascii: character.is_ascii(),
            case: Case::Lower,
            points: 0,
            start: character as u32,
            end: 0,
        }
    }
}

/// A word whose end has not been read.
struct Open {
    script: u8,
    start: usize,
    capitals: u32,
    is_title: bool,
    is_ascii: bool,
    points: u8,
}

/// Appends the tokens of a text to `tokens`, and the letters of its words to `symbols`.
///
/// A sequence of spaces, of line ends, of digits or of one non-ASCII sign is a single token.
pub fn cut(
    text: impl Iterator<Item = (Kind, char)>,
    symbols: &mut Vec<u8>,
    tokens: &mut Vec<Token>,
) {
    let mut last = UNKNOWN;
    let mut open: Option<Open> = None;
    for (kind, character) in text {
        if kind.is_letter() {
            match &mut open {
                Some(word) if word.script == kind.script() => {
                    word.capitals += u32::from(kind.is_upper());
                    word.is_ascii &= character.is_ascii();
                }
                _ => {
                    close(open.take(), symbols.len(), tokens);
                    open = Some(Open {
                        script: kind.script(),
                        start: symbols.len(),
                        capitals: kind.is_upper().into(),
                        is_title: kind.is_upper(),
                        is_ascii: character.is_ascii(),
                        points: 0,
                    });
                }
            }
            symbols.push(kind.low());
            last = WORD;
            continue;
        }
        let mut element = kind.low();
        if kind == Kind::POINT {
            match &mut open {
                Some(word) if word.script == HEBREW || word.script == ARABIC => {
                    word.points = word.points.saturating_add(1);
                    continue;
                }
                _ => element = UNKNOWN,
            }
        }
        close(open.take(), symbols.len(), tokens);
        let is_run = matches!(element, LINE | SPACE | DIGIT) || element >= SIGN;
        if !is_run || last != element {
            tokens.push(Token::of_element(element, character));
        }
        last = element;
    }
    close(open, symbols.len(), tokens);
}

fn close(word: Option<Open>, end: usize, tokens: &mut Vec<Token>) {
    let Some(word) = word else {
        return;
    };
    let len = (end - word.start) as u32;
    let case = match word.capitals {
        0 => Case::Lower,
        1 if word.is_title => Case::Title,
        capitals if capitals == len => Case::Upper,
        _ => Case::Mixed,
    };
    tokens.push(Token {
        element: WORD,
        script: word.script,
        is_ascii: word.is_ascii,
        case,
        points: word.points,
        start: word.start as u32,
        end: end as u32,
    });
}

/// Returns the element of an ASCII character that is not a letter.
pub const fn ascii_element(byte: u8) -> u8 {
    match byte {
        b'\n' | b'\r' => LINE,
        b' ' | b'\t' => SPACE,
        b'0'..=b'9' => DIGIT,
        0..=31 | 127 => CONTROL,
        b'.' | b',' | b';' | b':' | b'!' | b'?' => ASCII_SIGN,
        b'(' | b'[' | b'{' | b'<' => ASCII_SIGN + 1,
        b')' | b']' | b'}' | b'>' => ASCII_SIGN + 2,
        b'"' | b'`' => ASCII_SIGN + 3,
        b'-' | b'_' | b'/' | b'\\' | b'|' => ASCII_SIGN + 4,
        b'\'' => ASCII_SIGN + 5,
        _ => ASCII_SIGN + 6,
    }
}

/// Returns the class of a wide character, which double-byte encodings have.
pub fn wide_class(character: char) -> Option<u8> {
    Some(match character as u32 {
        0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x3400..=0x4DBF | 0x20000..=0x2FFFF => HAN,
        0x3041..=0x309F => HIRAGANA,
        0x30A0..=0x30FF => KATAKANA,
        0xAC00..=0xD7A3 => HANGUL,
        0x3000..=0x303F => CJK_SIGN,
        0xFF01..=0xFF60 | 0xFFE0..=0xFFE6 => FULL_WIDTH,
        0xFF61..=0xFF9F => HALF_KATAKANA,
        0x3130..=0x318F | 0x3200..=0x33FF => CJK_OTHER,
        0xE000..=0xF8FF | 0x100000.. => RARE,
        _ => return None,
    })
}

/// True for a vowel point of Hebrew or Arabic, which belongs to the letter before it.
pub fn is_point(character: char) -> bool {
    matches!(character, '\u{5B0}'..='\u{5BD}' | '\u{5BF}' | '\u{5C1}' | '\u{5C2}' | '\u{64B}'..='\u{652}')
}

/// The number of groups of non-ASCII signs.
pub const SIGN_GROUPS: usize = 12;
