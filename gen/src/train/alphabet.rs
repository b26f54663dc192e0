//! Numbers of a script's letters, which its encodings and languages share.
//!
//! 0 is space or control, 1 a sign or digit; ASCII letters have the numbers 2 to 27 in Latin, and share the number 2
//! elsewhere. Then come letters that the training texts lack, and the others by code point.

use std::collections::BTreeMap;

use super::candidates::{SCRIPTS, UNDETERMINED};
use super::{letters, texts::Texts};

/// Letters and signs of a script.
pub struct Alphabet {
    pub is_latin: bool,
    letters: Vec<char>,
}

impl Alphabet {
    /// The alphabet of a script's languages.
    pub fn read(script: usize, texts: &Texts) -> Result<Self, String> {
        let (name, languages) = SCRIPTS[script];
        let mut counts: BTreeMap<char, u32> = BTreeMap::new();
        for &language in languages.iter().filter(|&&one| one != UNDETERMINED) {
            for (letter, _) in letters::characters(texts.of(language)?, language) {
                if letters::is_letter(letter)
                    && !super::signs::is_sign(letter)
                    && !letter.is_ascii()
                    && is_of(name, letter)
                {
                    *counts.entry(letter).or_default() += 1;
                }
            }
        }
        let encodable: Vec<&encoding_rs::Encoding> = super::candidates::CANDIDATES
            .iter()
            .filter_map(|candidate| encoding_rs::Encoding::for_label(candidate.name.as_bytes()))
            .collect();
        let letters = counts
            .into_iter()
            .filter(|&(letter, count)| {
                let mut buffer = [0; 4];
                let text = &*letter.encode_utf8(&mut buffer);
                count >= 5 && encodable.iter().any(|encoding| !encoding.encode(text).2)
            })
            .map(|(letter, _)| letter)
            .collect();
        Ok(Self {
            is_latin: name == "Latin",
            letters,
        })
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.first() + self.letters.len()
    }

    /// Number of letters that the training texts lack.
    pub fn rare(&self) -> usize {
        if self.is_latin { 28 } else { 3 }
    }

    fn first(&self) -> usize {
        self.rare() + 1
    }

    /// The letters with numbers of their own beyond ASCII.
    pub fn letters(&self) -> impl Iterator<Item = (usize, char)> + '_ {
        (self.first()..).zip(self.letters.iter().copied())
    }

    /// The number of a letter in lower case, or of a sign.
    pub fn number(&self, letter: char) -> usize {
        match letter {
            '\0'..=' ' | '\u{A0}' => 0,
            'a'..='z' if self.is_latin => 2 + letter as usize - 'a' as usize,
            'a'..='z' => 2,
            _ if letters::is_letter(letter) && !super::signs::is_sign(letter) => self
                .letters
                .binary_search(&letter)
                .map_or(self.rare(), |at| self.first() + at),
            // Signs beyond ASCII stand where those of ASCII do.
            _ => 1,
        }
    }
}

/// Whether a letter is of the script, as far as its encodings go.
fn is_of(script: &str, letter: char) -> bool {
    match script {
        "Latin" => matches!(letter, '\u{AA}'..='\u{36F}' | '\u{1E00}'..='\u{1EFF}'),
        "Greek" => matches!(letter, '\u{370}'..='\u{3FF}'),
        "Hebrew" => matches!(letter, '\u{590}'..='\u{5FF}'),
        "Arabic" => matches!(letter, '\u{600}'..='\u{6FF}'),
        "Thai" => matches!(letter, '\u{E00}'..='\u{E7F}'),
        _ => matches!(letter, '\u{400}'..='\u{4FF}'),
    }
}
