//! The frequencies of letters in each language, in occurrences per 10,000 letters.
//!
//! Counted in one encyclopedia article per language (on the planet Mars, tags removed, case folded). Czech is estimated:
//! its letters are in the usual order of frequency, with counts by Zipf's law.

use crate::rng::Rng;

/// Languages written in an alphabet: in each line a tag, and letters, each followed by its count.
const LETTERS: &str = include_str!("letters.txt");

/// Returns the letters of a language, each as often as in 10,000 letters of text; `None` if its alphabet is not listed.
pub fn by_frequency(tag: &str) -> Option<Vec<char>> {
    let mut lines = LETTERS.lines().filter_map(|line| line.split_once(' '));
    let (_, counts) = lines.find(|(language, _)| *language == tag)?;
    let mut letters = Vec::new();
    for entry in counts.split(' ') {
        let mut rest = entry.chars();
        let letter = rest.next()?;
        let count = rest.as_str().parse().ok()?;
        letters.extend(std::iter::repeat_n(letter, count));
    }
    Some(letters)
}

/// Returns a Latin word as it occurs in other scripts: a name, a unit, an abbreviation.
pub fn latin_word(rng: &mut Rng) -> &'static str {
    const WORDS: [&str; 9] = [
        "NASA", "Viking", "km", "Orbiter", "Web", "GPS", "Express", "pH", "Nature",
    ];
    WORDS[rng.below(WORDS.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_to_ten_thousand() {
        let tags = LETTERS.lines().map(|line| &line[..2]);
        assert_eq!(tags.clone().count(), 9);
        for tag in tags {
            let count = by_frequency(tag).unwrap().len();
            assert!((9_900..=10_100).contains(&count), "{tag}: {count}");
        }
        assert_eq!(by_frequency("ja"), None);
    }
}
