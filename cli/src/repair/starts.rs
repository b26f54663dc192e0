//! A quick look at a line: in which encodings the first two characters of each run are the bytes with which UTF-8 begins.

use super::{is_typographic, readings};
use mojika::{BomHandling, GBK};
use std::sync::OnceLock;

/// For each character of the Basic Multilingual Plane, a bit for each encoding: in the first set if its first byte may begin
/// a sequence of UTF-8, in the second if it may go on with one.
static SETS: OnceLock<Vec<(u16, u16)>> = OnceLock::new();

/// The encodings, a bit for each, that each run of the line may have been read in.
pub fn possible(line: &str) -> u16 {
    let sets = SETS.get_or_init(sets);
    let all = (1 << readings().len()) - 1;
    let (mut possible, mut place) = (all, 0);
    let first = line.bytes().position(|byte| !byte.is_ascii());
    for run in line[first.unwrap_or(line.len())..]
        .split(|c: char| c.is_ascii())
        .filter(|run| !run.is_empty())
    {
        if possible == 0 {
            return 0;
        }
        // Signs that somebody has added are not looked at.
        if run.chars().all(is_typographic) {
            continue;
        }
        place += 1;
        let mut characters = run.chars();
        let mut set = |of: fn(&(u16, u16)) -> u16| {
            let code = characters.next().map(|c| u32::from(c) as usize);
            // Two bytes become two characters, or, in GBK, which is the last reading, one.
            code.map_or(1 << (readings().len() - 1), |code| {
                sets.get(code).map_or(0, of)
            })
        };
        possible &= set(|sets| sets.0);
        possible &= set(|sets| sets.1);
    }
    // Without any run, there are signs alone.
    if place == 0 { all } else { possible }
}

fn sets() -> Vec<(u16, u16)> {
    let mut sets = vec![(0, 0); 1 << 16];
    for (number, encoding) in readings().into_iter().enumerate() {
        let bit = 1 << number;
        let mut note = |bytes: &[u8]| {
            let text = match encoding.decode_fatal(bytes, BomHandling::Keep) {
                Ok(decoded) => decoded.text.into_owned(),
                // Programs keep the byte.
                Err(_) if encoding.is_single_byte() => char::from(bytes[0]).to_string(),
                Err(_) => return,
            };
            let mut characters = text.chars();
            if let (Some(character), None) = (characters.next(), characters.next())
                && let Some(set) = sets.get_mut(u32::from(character) as usize)
            {
                set.0 |= if matches!(bytes[0], 0xC2..=0xF4) {
                    bit
                } else {
                    0
                };
                // After a character of two bytes, another one begins anywhere in a sequence.
                set.1 |= if bytes.len() > 1 || matches!(bytes[0], 0x80..=0xBF) {
                    bit
                } else {
                    0
                };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_possible_is_not_looked_at() {
        assert_eq!(possible("Привет, это обычный текст"), 0);
        assert_eq!(possible("naïve élève"), 0);
        assert_ne!(possible("cafÃ© — ok"), 0);
        assert_ne!(possible("РџСЂРёРІРµС‚"), 0);
        assert_ne!(possible("涓枃涔辩爜"), 0);
    }
}
