//! Affix files of spelling dictionaries: a comment, and then endings, which are text in no language.

use super::common::Random;
use super::lists::judged;
use super::texts::TEXTS;
use super::{encoded, encoding};

/// How many letters a file has at most, less than any of these encodings has.
const LETTERS_MOST: usize = 31;

/// Affix files with the names of their encodings: a comment of some words, and lines of letters by chance.
fn affix_files(count: usize) -> impl Iterator<Item = (&'static str, Vec<u8>)> {
    let mut random = Random::new(41);
    let texts: Vec<_> = TEXTS
        .iter()
        .map(|&(name, _, text)| (name, text, letters(name)))
        .filter(|text| text.2.len() > LETTERS_MOST)
        .collect();
    (0..count).map(move |at| {
        let &(name, text, ref letters) = &texts[at % texts.len()];
        let words: Vec<&str> = text.split_whitespace().collect();
        let begin = random.below(words.len().saturating_sub(10).max(1));
        let end = words.len().min(begin + 6 + random.below(4));
        let mut letters = letters.clone();
        random.shuffle(&mut letters);
        letters.truncate(8 + random.below(LETTERS_MOST - 7));
        let all: String = letters.iter().collect();
        let mut file = format!("# {}\nTRY {all}\n", words[begin..end].join(" "));
        let line = ["SFX A 0 ", "REP ", "MAP "][random.below(3)];
        for _ in 0..20 + random.below(60) {
            file += line;
            for most in [4, 3] {
                let len = random.below(most) + most - 3;
                file.extend((0..len).map(|_| letters[random.below(letters.len())]));
                file.push(' ');
            }
            file.push('\n');
        }
        (name, encoded(name, &file))
    })
}

/// The letters beyond ASCII of an encoding whose characters are single bytes, without capitals.
fn letters(name: &str) -> Vec<char> {
    let bytes: Vec<u8> = (0x80..=0xFF).collect();
    let decoded = encoding(name).decode(&bytes).text;
    if decoded.chars().count() != bytes.len() {
        return Vec::new();
    }
    let is_listed = |letter: &char| letter.is_alphabetic() && !letter.is_uppercase();
    decoded.chars().filter(is_listed).collect()
}

/// Returns affix files in any encoding.
pub fn documents(count: usize) -> impl Iterator<Item = Vec<u8>> {
    affix_files(count).map(|file| file.1)
}

#[test]
fn words_at_the_beginning_count_where_no_encoding_fits() {
    let (right, sure) = judged(affix_files(1000));
    assert!(right.len() >= 400, "{}", right.len());
    assert!(sure.len() <= 24, "{} {}", sure.len(), sure.join("\n"));
}
