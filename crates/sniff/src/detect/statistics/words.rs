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

#[derive(Default)]
pub struct Words {
    numbers: Map,
    letters: Vec<u8>,
    /// The script of each word, and the end of its letters in `letters`.
    words: Vec<(u8, u32)>,
    costs: Vec<[u16; ROW]>,
    /// The readings that contain each word, one bit for each.
    readings: Vec<u64>,
}

impl Words {
    /// Returns the number of a word.
    pub fn number(&mut self, script: u8, word: &[u8]) -> usize {
        let key = hash(script.into(), word);
        let (number, is_new) = self.numbers.insert(key, self.words.len() as u32);
        if is_new {
            self.letters.extend_from_slice(word);
            self.words.push((script, self.letters.len() as u32));
            self.readings.push(0);
            self.costs.push([MISSING; ROW]);
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

    /// Returns a word.
    pub fn get(&mut self, number: usize) -> Word<'_> {
        let start = match number {
            0 => 0,
            _ => self.words[number - 1].1 as usize,
        };
        let (script, end) = self.words[number];
        Word {
            script,
            letters: &self.letters[start..end as usize],
            costs: &mut self.costs[number],
        }
    }
}

/// A word, and its costs.
pub struct Word<'a> {
    script: u8,
    letters: &'a [u8],
    costs: &'a mut [u16; ROW],
}

impl Word<'_> {
    /// Returns the cost of the word in a language; `None` if the language has another script.
    pub fn cost(&mut self, language: u8) -> Option<Cost> {
        let model = &LANGUAGES[usize::from(language)];
        if self.script != model.script {
            return None;
        }
        Some(self.cached(usize::from(language), |word| model.word(word.letters)))
    }

    /// Returns the cost of the word in the pooled model of its script.
    pub fn pooled(&mut self) -> Cost {
        self.cached(POOLED, |word| model::pooled_word(word.script, word.letters))
    }

    fn cached(&mut self, at: usize, cost: impl Fn(&Self) -> Cost) -> Cost {
        if self.costs[at] == MISSING {
            self.costs[at] = cost(self).min(Cost::from(MISSING) - 1) as u16;
        }
        Cost::from(self.costs[at])
    }
}
