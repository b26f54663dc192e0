//! A language: the classes of its letters, and the cost of one class after another.

use std::collections::HashMap;

use super::{alphabet::Alphabet, candidates::UNDETERMINED, cost, letters};

/// Classes of a language.
pub const CLASSES: usize = 46;
/// Letters that are no class of their own.
const OTHER: usize = 45;

/// Counts of a language.
pub struct Language {
    /// Class of each number of the alphabet, and how rare the letter is in its class, in the two high bits.
    pub map: Vec<u8>,
    /// Cost of each class after each other, two in a byte.
    pub costs: Vec<u8>,
    /// Cost of each number of the alphabet: of ASCII letters among these, of others among those.
    pub single: Vec<u8>,
}

impl Language {
    /// Counts the text of a language.
    pub fn train(text: &str, name: &str, alphabet: &Alphabet) -> Self {
        let mut counts: HashMap<char, f64> = HashMap::new();
        for (letter, _) in letters::characters(text, name) {
            *counts.entry(letter).or_default() += 1.0;
        }
        let count = |letter: char| counts.get(&letter).copied().unwrap_or(0.0);
        let mut common: Vec<(usize, f64)> = alphabet
            .letters()
            .map(|(number, letter)| (number, count(letter)))
            .filter(|&(_, count)| count > 0.0)
            .collect();
        common.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let first = if alphabet.is_latin { 28 } else { 3 };
        let mut classes = vec![OTHER; alphabet.len()];
        classes[..first].copy_from_slice(&Vec::from_iter(0..first));
        for (&(number, _), class) in common.iter().zip(first..OTHER) {
            classes[number] = class;
        }
        let others: f64 = alphabet
            .letters()
            .filter(|&(number, _)| classes[number] == OTHER)
            .map(|(_, letter)| count(letter) + 0.3)
            .sum();
        let mut map: Vec<u8> = classes.iter().map(|&class| class as u8).collect();
        for (number, letter) in alphabet.letters() {
            if classes[number] == OTHER {
                // In steps of five units.
                let step = cost((count(letter) + 0.3) / others, 15) / 5;
                map[number] |= step << 6;
            }
        }
        let mut pairs = vec![[0.02; CLASSES]; CLASSES];
        let mut previous = 0;
        for (letter, _) in letters::characters(text, name) {
            let class = classes[alphabet.number(letter)];
            pairs[previous][class] += 1.0;
            previous = class;
        }
        // Where nobody knows the language, no letter rules out another one.
        let most = if name == UNDETERMINED { 10 } else { 15 };
        let nibbles: Vec<u8> = pairs
            .iter()
            .flat_map(|row| {
                let sum: f64 = row.iter().sum();
                row.map(|count| cost(count / sum, most))
            })
            .collect();
        let costs = nibbles.chunks(2).map(|two| two[0] | two[1] << 4).collect();
        Self {
            map,
            costs,
            single: single(alphabet, count),
        }
    }
}

/// The cost of each letter by itself.
fn single(alphabet: &Alphabet, count: impl Fn(char) -> f64) -> Vec<u8> {
    /// For letters that are not of the language.
    const MOST: u8 = 22;
    let shares = |letters: Vec<(usize, char)>, costs: &mut [u8]| {
        let sum: f64 = letters.iter().map(|&(_, letter)| count(letter) + 0.1).sum();
        for (number, letter) in letters {
            costs[number] = cost((count(letter) + 0.1) / sum, MOST);
        }
    };
    let mut costs = vec![0; alphabet.len()];
    costs[alphabet.rare()] = MOST;
    if alphabet.is_latin {
        shares((2..).zip('a'..='z').collect(), &mut costs);
    }
    shares(alphabet.letters().collect(), &mut costs);
    costs
}
