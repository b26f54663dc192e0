//! The model of a script: the cost of a letter after another one in all its languages, for names and foreign words.

use super::counts::Counts;
use super::language::level;
use super::symbols::Symbols;

/// The number of letters to which each language is scaled.
const LETTERS: f64 = 100_000.0;
/// The share of letters that belong to no language of the script.
const OTHERS: f64 = 0.002;
/// The weight of the probability of a letter alone, for each distinct letter that was seen after the previous letter.
const WEIGHT: f64 = 8.0;

/// A script.
pub struct Script {
    /// The cost level of each letter given the previous letter, two levels in a byte.
    pub bytes: Vec<u8>,
    /// The cost of each letter without regard to the previous letter, in bits.
    pub letters: Vec<f64>,
}

impl Script {
    /// Counts a script.
    pub fn new(script: u8, counts: &Counts, symbols: &Symbols, power: f64) -> Self {
        let len = symbols.len_of(script);
        let (mut pairs, mut single) = (vec![0.0; len * len], vec![0.0; len]);
        let is_own = |tag: &str, its: u8| its == script && tag != "he-v";
        for (_, _, words) in counts.words.iter().filter(|one| is_own(one.0, one.1)) {
            let all: f64 = words
                .values()
                .map(|&count| f64::from(count).powf(power))
                .sum();
            for (word, &count) in words {
                let count = f64::from(count).powf(power) / all * LETTERS;
                let mut last = 0;
                for letter in word.iter().chain(&[0]).map(|&letter| usize::from(letter)) {
                    pairs[last * len + letter] += count;
                    single[letter] += count;
                    last = letter;
                }
            }
        }
        let all: f64 = single.iter().sum();
        for one in &mut single {
            *one = (*one + all * OTHERS / len as f64) / (all * (1.0 + OTHERS));
        }
        let mut levels = Vec::new();
        for row in pairs.chunks(len) {
            let sum: f64 = row.iter().sum();
            let weight = (row.iter().filter(|&&count| count > 0.5).count() as f64 + 3.0) * WEIGHT;
            let cells = row.iter().zip(&single);
            levels.extend(cells.map(|(count, one)| level((count + weight * one) / (sum + weight))));
        }
        Self {
            bytes: super::packed(&levels),
            letters: single.iter().map(|one| -one.log2()).collect(),
        }
    }
}
