//! A quick test of a text: the encodings in which the first two characters of a run are bytes that can start UTF-8.

use super::{READINGS, is_typographic, readings};
use mojika::{BomHandling, GBK, mem};
use std::sync::OnceLock;

/// The bits of the single-byte encodings.
const SINGLE_BYTE: u32 = (1 << (READINGS - 1)) - 1;

/// The bits of GBK, which is the last reading, for runs that start with UTF-8 sequences of two, three and four bytes. In a
/// result, the first bit stands for all.
const GBK_BITS: [u32; 3] = [1 << (READINGS - 1), 1 << READINGS, 1 << (READINGS + 1)];

/// All encodings.
const ALL: u32 = SINGLE_BYTE | GBK_BITS[0];

/// For each BMP character, a bit for each encoding. In the first set, a run may begin with the character; in the second, it
/// may be the second character of a run.
static SETS: OnceLock<Vec<(u32, u32)>> = OnceLock::new();

/// Returns the encodings, a bit for each, in which every run of the line may have been decoded. Signs that were added later
/// are ignored.
pub fn possible(line: &str) -> u32 {
    let (mut of_all, mut of_any, mut rest) = (ALL, 0, line);
    loop {
        rest = &rest[mem::ascii_prefix_len(rest.as_bytes())..];
        let Some(first) = rest.chars().next() else {
            return of_all & of_any;
        };
        let of_run = of_start(rest);
        if of_all & of_run == 0 && !is_typographic(first) {
            return 0;
        }
        let end = rest.bytes().position(|byte| byte.is_ascii());
        let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        of_any |= of_run;
        if !run.chars().all(is_typographic) {
            of_all &= of_run;
        }
    }
}

/// True if no line that was encoded twice has a first run that begins with `text`. This holds for most lines.
pub fn is_excluded(text: &str) -> bool {
    of_start(text) == 0 && !text.starts_with(is_typographic)
}

/// Returns the encodings in which a run that begins with `text` may have been decoded.
fn of_start(text: &str) -> u32 {
    let sets = SETS.get_or_init(sets);
    let set = |character: char| sets.get(u32::from(character) as usize);
    let mut characters = text.chars();
    let first = characters.next().and_then(set).map_or(0, |sets| sets.0);
    let second = match characters.next().filter(|c| !c.is_ascii()) {
        // A single character means GBK, the only reading that turns two bytes into one character.
        None => GBK_BITS[0],
        Some(second) => set(second).map_or(0, |sets| sets.1),
    };
    let both = first & second;
    let is_gbk = both & !SINGLE_BYTE != 0;
    both & SINGLE_BYTE | if is_gbk { GBK_BITS[0] } else { 0 }
}

fn sets() -> Vec<(u32, u32)> {
    let mut sets = vec![(0, 0); 1 << 16];
    for (number, encoding) in readings().into_iter().enumerate() {
        let mut note = |bytes: &[u8]| {
            let text = match encoding.decode_fatal(bytes, BomHandling::Keep) {
                Ok(decoded) => decoded.text.into_owned(),
                // Programs keep an unmapped byte.
                Err(_) if encoding.is_single_byte() => char::from(bytes[0]).to_string(),
                Err(_) => return,
            };
            let mut characters = text.chars();
            if let (Some(character), None) = (characters.next(), characters.next())
                && let Some(set) = sets.get_mut(u32::from(character) as usize)
            {
                let (first, second) = if encoding == GBK {
                    of_gbk(bytes)
                } else {
                    (is_lead(bytes[0]).into(), is_tail(bytes[0]).into())
                };
                set.0 |= first << number;
                set.1 |= second << number;
            }
        };
        for first in 0x80..=0xFF {
            note(&[first]);
            for second in (0x40..=0xFE).take_while(|_| encoding == GBK) {
                note(&[first, second]);
            }
        }
    }
    sets
}

/// True if a byte can start a non-ASCII UTF-8 sequence.
fn is_lead(byte: u8) -> bool {
    matches!(byte, 0xC2..=0xF4)
}

/// True if a byte is a UTF-8 continuation byte.
fn is_tail(byte: u8) -> bool {
    matches!(byte, 0x80..=0xBF)
}

/// Returns the lengths (a bit each for two, three and four) of sequences that may start with the bytes of a GBK character.
/// The second set has those that may have two earlier bytes, and continue with the character.
fn of_gbk(bytes: &[u8]) -> (u32, u32) {
    let &[first, second] = bytes else {
        // U+20AC is one byte.
        return (0, if is_tail(bytes[0]) { 0b110 } else { 0 });
    };
    let begins = match first {
        _ if !is_tail(second) => 0,
        0xC2..=0xDF => 0b001,
        0xE0..=0xEF => 0b010,
        0xF0..=0xF4 => 0b100,
        _ => 0,
    };
    let goes_on = match (first, second) {
        // Another sequence, the end of one and the start of another, or the end.
        _ if is_lead(first) && is_tail(second) => 0b001,
        _ if is_tail(first) && is_lead(second) => 0b010,
        _ if is_tail(first) && is_tail(second) => 0b100,
        _ => 0,
    };
    (begins, goes_on)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::read_back;

    #[test]
    fn what_is_not_possible_is_not_looked_at() {
        assert_eq!(possible("Привет, это обычный текст"), 0);
        assert_eq!(possible("naïve élève"), 0);
        assert_eq!(possible("“quoted” — and © 2003"), 0);
        assert_eq!(possible("中文的例子"), 0);
        assert_ne!(possible("cafÃ© — ok"), 0);
        assert_ne!(possible("— cafÃ©"), 0);
        assert_ne!(possible("РџСЂРёРІРµС‚"), 0);
        // E4 B8 96 87 is not UTF-8.
        assert_eq!(possible("涓枃涔辩爜"), 0);
    }

    #[test]
    fn no_reading_is_excluded_that_can_be_undone() {
        assert_eq!(readings().map(|one| one == GBK)[READINGS - 1..], [true]);
        let texts = [
            "éà",
            "é中é",
            "中é",
            "中文",
            "中文字化",
            "от",
            "😀",
            "é😀",
            "中😀é",
        ];
        let mut undone = [0; READINGS];
        for text in texts
            .into_iter()
            .flat_map(|text| [text.to_owned(), text.repeat(4)])
        {
            for (number, encoding) in readings().into_iter().enumerate() {
                let twice = encoding.decode(text.as_bytes()).text;
                if read_back(&twice, encoding).is_none() {
                    continue;
                }
                undone[number] += 1;
                assert_ne!(possible(&twice) & 1 << number, 0, "{twice} {encoding}");
                assert!(!is_excluded(&twice), "{twice}");
            }
        }
        assert!(undone.iter().all(|&count| count > 0), "{undone:?}");
    }
}
