//! Single-byte encodings: what each byte stands for, and how common it is.

use std::collections::HashMap;

use super::{alphabet::Alphabet, candidates::Candidate, cost, letters};

/// Cost of a byte without a character.
const UNMAPPED: u8 = 45;
/// Cost of a control character.
const CONTROL: u8 = 30;
/// Cost of a letter that the training texts lack.
const RARE: u8 = 18;

/// The sign that is rare elsewhere than behind a letter: it has a case of its own.
const APOSTROPHE: char = '\u{2019}';

/// How common signs beyond ASCII are in all languages.
pub struct Signs {
    counts: HashMap<char, f64>,
    sum: f64,
}

impl Signs {
    /// Counts the signs of all texts.
    pub fn count<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut counts: HashMap<char, f64> = HashMap::new();
        for text in texts {
            for sign in text
                .chars()
                .filter(|&c| !c.is_ascii() && !letters::is_letter(c))
            {
                *counts.entry(sign).or_default() += 1.0;
            }
        }
        let sum = counts.values().sum();
        Self { counts, sum }
    }

    fn cost(&self, sign: char) -> u8 {
        let count = self.counts.get(&sign).unwrap_or(&0.0);
        cost((count + 0.3) / (self.sum + 30.0), 20)
    }
}

/// The character of each byte from 0x80 on.
fn characters(name: &str) -> [Option<char>; 128] {
    let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).expect("names are labels");
    std::array::from_fn(|at| {
        encoding
            .decode_without_bom_handling_and_without_replacement(&[at as u8 + 0x80])
            .and_then(|text| text.chars().next())
    })
}

/// The letter in lower case, and whether that is another one.
fn folded(character: char) -> (char, bool) {
    let lower = character.to_lowercase().next().unwrap_or(character);
    (letters::with_cedilla(lower), lower != character)
}

/// For each byte from 0x80 on the number in the alphabet, then for each the case in the two high bits and a cost.
pub fn bytes(candidate: &Candidate, alphabet: &Alphabet, signs: &Signs) -> Vec<u8> {
    let rows = characters(candidate.name).map(|character| match character {
        None => (alphabet.sign(), 0, UNMAPPED),
        Some('\u{80}'..='\u{9F}') => (alphabet.sign(), 0, CONTROL),
        Some(character) if letters::is_letter(character) => {
            let (lower, is_upper) = folded(character);
            let number = alphabet.number(lower);
            let extra = if number == alphabet.rare() { RARE } else { 0 };
            (number, 1 + u8::from(is_upper), extra)
        }
        Some(APOSTROPHE) => (alphabet.sign(), 3, signs.cost(APOSTROPHE)),
        Some(sign) => (alphabet.sign(), 0, signs.cost(sign)),
    });
    let numbers = rows.iter().map(|&(number, ..)| number as u8);
    let costs = rows.iter().map(|&(_, case, cost)| case << 6 | cost);
    numbers.chain(costs).collect()
}
