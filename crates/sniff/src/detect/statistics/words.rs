//! The distinct words of all readings, and their costs in each language.

use super::costs::Cost;
use super::model::{self, LANGUAGES};
use super::set::{Map, hash};
use alloc::vec::Vec;

/// Marks a cost that has not been computed.
const MISSING: u16 = u16::MAX;

/// The index of the cost in the pooled model, after the costs in each language.
const POOLED: usize = LANGUAGES.len();
const ROW: usize = LANGUAGES.len() + 1;

/// The words.
#[derive(Default)]
pub struct Words {
    numbers: Map,
    letters: Vec<u8>,
    /// The script of each word, and the end of its letters in `letters`.
    words: Vec<(u8, u32)>,
    costs: Vec<u16>,
    /// The readings that contain each word, one bit for each.
    readings: Vec<u64>,
}

impl Words {
    /// Returns the number of a word.
    pub fn number(&mut self, script: u8, word: &[u8]) -> usize {
        let key = hash(u64::from(script) + 1, word.iter().copied());
        let (number, is_new) = self.numbers.insert(key, self.words.len() as u32);
        if is_new {
            self.letters.extend_from_slice(word);
            self.words.push((script, self.letters.len() as u32));
            self.readings.push(0);
            self.costs.resize(self.costs.len() + ROW, MISSING);
        }
        number as usize
    }

    /// True if the reading has not contained the word before.
    pub fn first_in(&mut self, number: usize, reading: u8) -> bool {
        let bit = 1 << reading;
        let is_first = self.readings[number] & bit == 0;
        self.readings[number] |= bit;
        is_first
    }

    /// Marks all words as not contained in any reading. Their costs are kept.
    pub fn forget(&mut self) {
        self.readings.fill(0);
    }

    fn word(&self, number: usize) -> (u8, &[u8]) {
        let start = match number {
            0 => 0,
            _ => self.words[number - 1].1 as usize,
        };
        let (script, end) = self.words[number];
        (script, &self.letters[start..end as usize])
    }

    /// Returns the cost of a word in a language; `None` if the language has another script.
    pub fn cost(&mut self, number: usize, language: u8) -> Option<Cost> {
        let model = &LANGUAGES[usize::from(language)];
        if self.words[number].0 != model.script {
            return None;
        }
        Some(self.cached(number, usize::from(language), |_, word| model.word(word)))
    }

    /// Returns the cost of a word in the pooled model of its script.
    pub fn pooled(&mut self, number: usize) -> Cost {
        self.cached(number, POOLED, model::pooled_word)
    }

    fn cached(&mut self, number: usize, at: usize, cost: impl Fn(u8, &[u8]) -> Cost) -> Cost {
        let at = number * ROW + at;
        if self.costs[at] == MISSING {
            let (script, word) = self.word(number);
            self.costs[at] = cost(script, word).min(Cost::from(MISSING) - 1) as u16;
        }
        Cost::from(self.costs[at])
    }
}
