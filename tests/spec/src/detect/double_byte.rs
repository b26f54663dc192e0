//! What double-byte encodings make of running text.

use super::standings::Fit;

static PAIRS: &[u8] = include_bytes!("../../../../tables/detect/pairs.bin");

/// Encodings and their languages.
pub const FORMS: [(&str, &str); 5] = [
    ("EUC-JP", "ja"),
    ("Shift_JIS", "ja"),
    ("EUC-KR", "ko"),
    ("Big5", "zh-TW"),
    ("GBK", "zh-CN"),
];

/// What half of a character costs, or a character far from all others.
const LONE_LEAD: u32 = 14;

/// A character, or one malformed byte.
enum Character {
    /// Of a length in bytes, and its cost.
    Whole(usize, u32),
    /// Half-width kana.
    Kana(usize, u32),
    Malformed,
}

use Character::{Kana, Malformed, Whole};

/// The character that these bytes begin with. There are at least two, and the first is not ASCII.
fn character(form: usize, bytes: &[u8]) -> Character {
    let (lead, trail) = (bytes[0], bytes[1]);
    let in_94 = (0xA1..=0xFE).contains(&lead) && (0xA1..=0xFE).contains(&trail);
    let in_63 = (0x40..=0x7E).contains(&trail);
    let listed = |row: u8, cell: u8| Whole(2, listed(form, usize::from(row), usize::from(cell)));
    match FORMS[form].0 {
        "EUC-JP" if lead == 0x8E && (0xA1..=0xDF).contains(&trail) => Kana(2, 18),
        "EUC-JP" if lead == 0x8F && (0xA1..=0xFE).contains(&trail) => Whole(3, 30),
        "EUC-JP" | "EUC-KR" | "GBK" if in_94 => listed(lead - 0xA1, trail - 0xA1),
        "EUC-KR"
            if (0x81..=0xC6).contains(&lead)
                && (trail.is_ascii_alphabetic() || (0x81..=0xFE).contains(&trail)) =>
        {
            Whole(2, 26)
        }
        "GBK" if (0x81..=0xFE).contains(&lead) && (in_63 || (0x80..=0xFE).contains(&trail)) => {
            Whole(2, 26)
        }
        "GBK" if (0x81..=0xFE).contains(&lead) && trail.is_ascii_digit() => {
            // The third and the fourth byte may be cut off.
            let is_third = bytes.get(2).is_none_or(|byte| (0x81..=0xFE).contains(byte));
            let is_fourth = bytes.get(3).is_none_or(u8::is_ascii_digit);
            if is_third && is_fourth {
                Whole(4, 52)
            } else {
                Malformed
            }
        }
        "Big5" if (0xA1..=0xF9).contains(&lead) && in_63 => listed(lead - 0xA1, trail - 0x40),
        "Big5" if (0xA1..=0xF9).contains(&lead) && (0xA1..=0xFE).contains(&trail) => {
            listed(lead - 0xA1, trail - 0xA1 + 63)
        }
        "Big5" if (0x87..=0xFE).contains(&lead) && (in_63 || (0xA1..=0xFE).contains(&trail)) => {
            Whole(2, 26)
        }
        "Shift_JIS" if (0xA1..=0xDF).contains(&lead) => Kana(1, 14),
        "Shift_JIS" if !in_63 && !(0x80..=0xFC).contains(&trail) => Malformed,
        "Shift_JIS" if (0xF0..=0xFC).contains(&lead) => Whole(2, 26),
        "Shift_JIS" if (0x81..=0x9F).contains(&lead) || (0xE0..=0xEF).contains(&lead) => {
            // Section 12.3.1 of the Standard: pointers count 188 cells for each lead.
            let lead_offset = if lead < 0xA0 { 0x81 } else { 0xC1 };
            let offset = if trail < 0x7F { 0x40 } else { 0x41 };
            let pointer = u16::from(lead - lead_offset) * 188 + u16::from(trail - offset);
            listed((pointer / 94) as u8, (pointer % 94) as u8)
        }
        _ => Malformed,
    }
}

/// The cost of a character in the tables: how common it is, in four steps.
fn listed(form: usize, row: usize, cell: usize) -> u32 {
    let (place, size, cells) = [
        (0, 2209, 94),
        (0, 2209, 94),
        (2213, 2209, 94),
        (4426, 3494, 157),
        (7924, 2209, 94),
    ][form];
    let at = row * cells + cell;
    let step = if at / 4 < size {
        PAIRS[place + 4 + at / 4] >> (2 * (at % 4)) & 3
    } else {
        0
    };
    u32::from(PAIRS[place + usize::from(step)])
}

/// What was read, as far as words go. Malformed bytes are none.
#[derive(Clone, Copy, PartialEq)]
enum Token {
    Character,
    Kana,
    AsciiLetter,
    Digit,
    OtherAscii,
}

impl Token {
    fn is_character(self) -> bool {
        matches!(self, Token::Character | Token::Kana)
    }
}

/// Whether the last word before a place was one of characters: ASCII words have two letters and more.
fn follows(tokens: &[Token]) -> bool {
    let mut letters = 0;
    for token in tokens.iter().rev() {
        letters = match token {
            Token::AsciiLetter => letters + 1,
            Token::Digit => letters,
            _ => 0,
        };
        if letters == 2 || token.is_character() {
            return token.is_character();
        }
    }
    false
}

/// How many of the last tokens are characters.
fn word_len(tokens: &[Token]) -> usize {
    let last = tokens.iter().rev();
    last.take_while(|token| token.is_character()).count()
}

/// What the word costs that ends here, before an ASCII byte.
fn word_cost(tokens: &[Token], next: Token) -> u32 {
    let (before, word) = tokens.split_at(tokens.len() - word_len(tokens));
    if word.is_empty() || follows(before) {
        return 0;
    }
    if word.len() > 1 {
        return if word.len() == 2 { 5 } else { 2 };
    }
    // An ASCII word may have digits.
    let last = before.iter().rfind(|&&token| token != Token::Digit);
    let touching = [last, Some(&next)]
        .into_iter()
        .filter(|&token| token == Some(&Token::AsciiLetter));
    let of_kana = if word == [Token::Kana] { 14 } else { 0 };
    8 + 10 * touching.count() as u32 + of_kana
}

/// What an encoding makes of running text.
pub struct Reading {
    pub cost: u32,
    /// What it costs more if that is all.
    pub end: u32,
    pub has_four_bytes: bool,
    /// How well it fits what is beyond ASCII.
    pub fit: Fit,
}

/// Reads stretches from byte `start` on up to byte `end` of all of them, or until the cost is above `bound`.
///
/// Characters end with a stretch. `english` has the cost of each ASCII byte.
pub fn read(
    form: usize,
    start: usize,
    stretches: &[Vec<u8>],
    english: &[u32],
    end: usize,
    bound: u32,
) -> Reading {
    let text = stretches.concat();
    let mut reading = Reading {
        cost: 10 * start as u32,
        end: 0,
        has_four_bytes: false,
        fit: Fit {
            cost: 0,
            bytes: 0,
            unknown: 8,
            is_known: false,
        },
    };
    let mut tokens = Vec::new();
    let (mut begin_of_stretch, mut at, mut was_ascii) = (0, start, true);
    for stretch in stretches {
        let end_of_stretch = begin_of_stretch + stretch.len();
        at = at.max(begin_of_stretch);
        begin_of_stretch = end_of_stretch;
        while at < end.min(end_of_stretch) && reading.cost <= bound {
            let byte = text[at];
            let is_ascii = byte < 0x80;
            reading.cost += if is_ascii == was_ascii { 0 } else { 2 };
            was_ascii = is_ascii;
            if is_ascii {
                let next = match byte {
                    b'a'..=b'z' | b'A'..=b'Z' => Token::AsciiLetter,
                    b'0'..=b'9' => Token::Digit,
                    _ => Token::OtherAscii,
                };
                reading.cost += english[at] + word_cost(&tokens, next);
                tokens.push(next);
                at += 1;
                continue;
            }
            let rest = &text[at..end_of_stretch];
            if rest.len() == 1 {
                if end_of_stretch == text.len() {
                    reading.cost += 18 + lone_lead(&tokens);
                }
                at += 1;
                continue;
            }
            let (len, cost) = match character(form, rest) {
                Whole(len, cost) => {
                    reading.has_four_bytes |= len == 4;
                    tokens.push(Token::Character);
                    (len, cost)
                }
                Kana(len, cost) => {
                    let word = &tokens[tokens.len() - word_len(&tokens)..];
                    let is_after = !word.is_empty() && word.iter().all(|one| *one == Token::Kana);
                    tokens.push(Token::Kana);
                    (len, cost - if is_after { 4 } else { 0 })
                }
                Malformed => (1, 60),
            };
            reading.cost += cost;
            reading.fit.cost += cost;
            reading.fit.bytes += len as u32;
            at += len;
        }
        at = at.min(end_of_stretch);
    }
    let has_characters = tokens.iter().any(|token| token.is_character());
    reading.end =
        word_cost(&tokens, Token::OtherAscii) + if has_characters { 0 } else { LONE_LEAD };
    reading
}

/// What half of a character at the end costs more if there is no word near it.
fn lone_lead(tokens: &[Token]) -> u32 {
    // An ASCII word ends with a space.
    let ended = tokens
        .iter()
        .rposition(|&token| !matches!(token, Token::AsciiLetter | Token::Digit))
        .map_or(0, |at| at + 1);
    if word_len(tokens) > 0 || follows(&tokens[..ended]) {
        0
    } else {
        LONE_LEAD
    }
}
