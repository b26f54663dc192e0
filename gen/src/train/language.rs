//! The model of a language: the cost of a letter, given the previous letter and the class of the letter before that.
//!
//! The weight of a word is a root of its number of occurrences, so that common words do not dominate. The classes
//! minimise the cost of the text: one letter is split off, and then letters change classes as long as the cost falls.

use super::counts::Words;
use super::symbols::Symbols;
use super::tokens::SCRIPTS;

/// The maximum number of classes.
const MOST_CLASSES: usize = 8;
/// The number of passes that move letters to better classes.
const ROUNDS: usize = 6;
/// The maximum number of letters of a language other than Thai.
const MOST_LETTERS: usize = 52;
const MOST_IN_THAI: usize = 70;
/// The minimum share of a letter that belongs to the language.
const LEAST: f64 = 1e-4;

/// Costs of the sixteen levels of a letter, in bits.
pub const LEVELS: [f64; 16] = [
    0.1, 0.45, 0.9, 1.4, 1.9, 2.45, 3.0, 3.6, 4.3, 5.0, 5.8, 6.8, 8.0, 9.5, 11.5, 14.0,
];

/// Returns the level of a probability.
pub fn level(probability: f64) -> u8 {
    let distance = |level: &usize| (LEVELS[*level] + probability.log2()).abs();
    let nearest = (0..16).min_by(|one, other| distance(one).total_cmp(&distance(other)));
    nearest.unwrap_or(0) as u8
}

/// The class of each letter, and the cost of the text with these classes, in bits.
type Classes = (Vec<u8>, f64);

/// A language.
pub struct Language {
    pub tag: &'static str,
    pub script: u8,
    /// The number of each letter of the script in this language's model; 1 if the language lacks the letter.
    pub numbers: Vec<u8>,
    /// The number of letters, with 0 for the end of a word and 1 for letters outside the language.
    pub len: usize,
    /// The number of letters in the text.
    pub total: f64,
    /// The best division into one class, into two classes, and so on.
    pub steps: Vec<Classes>,
    trigrams: Vec<f64>,
    bigrams: Vec<f64>,
}

impl Language {
    /// Counts the letters of a language. The weight of a word is its number of occurrences to the power of `power`.
    pub fn new(
        tag: &'static str,
        script: u8,
        words: &Words,
        symbols: &Symbols,
        power: f64,
        most_classes: usize,
    ) -> Self {
        let mut frequencies = vec![0.0; symbols.len_of(script)];
        for (word, &count) in words {
            for &letter in word {
                frequencies[usize::from(letter)] += f64::from(count).powf(power);
            }
        }
        let all: f64 = frequencies.iter().sum();
        let mut order: Vec<usize> = (1..frequencies.len())
            .filter(|&letter| frequencies[letter] > (all * LEAST).max(3.0))
            .collect();
        order.sort_by(|&one, &other| frequencies[other].total_cmp(&frequencies[one]));
        let is_thai = usize::from(script) == SCRIPTS - 1;
        order.truncate(if is_thai { MOST_IN_THAI } else { MOST_LETTERS });
        let mut numbers = vec![1; frequencies.len()];
        numbers[0] = 0;
        for (number, &letter) in order.iter().enumerate() {
            numbers[letter] = number as u8 + 2;
        }
        let len = order.len() + 2;
        let mut trigrams = vec![0.0; len * len * len];
        for (word, &count) in words {
            let count = f64::from(count).powf(power);
            let (mut before, mut last) = (0, 0);
            for &letter in word.iter().chain(&[0]) {
                let number = usize::from(numbers[usize::from(letter)]);
                trigrams[(before * len + last) * len + number] += count;
                (before, last) = (last, number);
            }
        }
        let mut language = Self {
            tag,
            script,
            numbers,
            len,
            total: trigrams.iter().sum(),
            steps: Vec::new(),
            bigrams: bigrams(&trigrams, len),
            trigrams,
        };
        language.find_classes(most_classes.min(MOST_CLASSES));
        language
    }

    /// Returns the size in bytes of the costs with this number of classes.
    pub fn size(&self, classes: usize) -> usize {
        (self.len * self.len * classes).div_ceil(2)
    }

    /// Returns the probability of each letter, given the class and the previous letter.
    pub fn probabilities(&self, classes: usize) -> Vec<f64> {
        let mut table = self.table(&self.steps[classes - 1].0, classes);
        for (number, row) in table.chunks_mut(self.len).enumerate() {
            let last = number % self.len;
            let sum: f64 = row.iter().sum();
            let weight = row.iter().filter(|&&count| count > 0.0).count() as f64 + 1.0;
            for (letter, cell) in row.iter_mut().enumerate() {
                let less = self.bigrams[last * self.len + letter];
                *cell = (*cell + weight * less) / (sum + weight);
            }
        }
        table
    }

    /// Returns the counts of each class.
    fn table(&self, classes: &[u8], number: usize) -> Vec<f64> {
        let pair = self.len * self.len;
        let mut table = vec![0.0; number * pair];
        for (rows, &class) in self.trigrams.chunks(pair).zip(classes) {
            let of_class = &mut table[usize::from(class) * pair..][..pair];
            for (cell, count) in of_class.iter_mut().zip(rows) {
                *cell += count;
            }
        }
        table
    }

    fn find_classes(&mut self, most: usize) {
        let mut classes = vec![0; self.len];
        self.steps = vec![(classes.clone(), cost(&self.table(&classes, 1), self.len))];
        for number in 2..=most.min(self.len) {
            let mut table = self.table(&classes, number);
            let gain = |letter: &usize| {
                let class = usize::from(classes[*letter]);
                self.gain(&table, *letter, class, number - 1)
            };
            let first = (0..self.len).max_by(|one, other| gain(one).total_cmp(&gain(other)));
            self.change(&mut table, &mut classes, first.unwrap_or(0), number - 1);
            for _ in 0..ROUNDS {
                let mut is_better = false;
                for letter in 0..self.len {
                    let class = usize::from(classes[letter]);
                    let gain = |to: &usize| self.gain(&table, letter, class, *to);
                    let others = (0..number).filter(|&to| to != class);
                    let best = others.max_by(|one, other| gain(one).total_cmp(&gain(other)));
                    if let Some(to) = best.filter(|to| gain(to) > 1e-3) {
                        self.change(&mut table, &mut classes, letter, to);
                        is_better = true;
                    }
                }
                if !is_better {
                    break;
                }
            }
            self.steps.push((classes.clone(), cost(&table, self.len)));
        }
    }

    /// Moves a letter to another class.
    fn change(&self, table: &mut [f64], classes: &mut [u8], letter: usize, to: usize) {
        let pair = self.len * self.len;
        let from = usize::from(classes[letter]);
        for at in 0..pair {
            let count = self.trigrams[letter * pair + at];
            table[from * pair + at] -= count;
            table[to * pair + at] += count;
        }
        classes[letter] = to as u8;
    }

    /// Returns the saving in bits if a letter moves to another class.
    fn gain(&self, table: &[f64], letter: usize, from: usize, to: usize) -> f64 {
        let entropy = |count: f64| {
            if count > 1e-9 {
                count * count.log2()
            } else {
                0.0
            }
        };
        let len = self.len;
        let row = |class: usize, last: usize| &table[(class * len + last) * len..][..len];
        let mut gain = 0.0;
        for last in 0..len {
            let own = &self.trigrams[(letter * len + last) * len..][..len];
            let sum: f64 = own.iter().sum();
            if sum == 0.0 {
                continue;
            }
            let (before, after) = (row(from, last), row(to, last));
            let (of_before, of_after): (f64, f64) = (before.iter().sum(), after.iter().sum());
            gain += entropy(of_before) + entropy(of_after);
            gain -= entropy(of_before - sum) + entropy(of_after + sum);
            for ((&count, &before), &after) in own.iter().zip(before).zip(after) {
                if count > 0.0 {
                    gain += entropy(before - count) + entropy(after + count);
                    gain -= entropy(before) + entropy(after);
                }
            }
        }
        gain
    }
}

/// Returns the smoothed probability of each letter after another one.
fn bigrams(trigrams: &[f64], len: usize) -> Vec<f64> {
    let mut pairs = vec![0.0; len * len];
    for rows in trigrams.chunks(len * len) {
        for (pair, count) in pairs.iter_mut().zip(rows) {
            *pair += count;
        }
    }
    let mut single = vec![0.0; len];
    for row in pairs.chunks(len) {
        for (one, count) in single.iter_mut().zip(row) {
            *one += count;
        }
    }
    let all: f64 = single.iter().sum();
    let of_others = all * 2e-5;
    let smoothed = |letter: usize| {
        let extra = if letter == 1 { of_others } else { 0.0 };
        (single[letter] + 0.5 + extra) / (all + of_others + 0.5 * len as f64)
    };
    for row in pairs.chunks_mut(len) {
        let sum: f64 = row.iter().sum();
        let weight = row.iter().filter(|&&count| count > 0.0).count() as f64 + 1.0;
        for (letter, cell) in row.iter_mut().enumerate() {
            *cell = (*cell + weight * smoothed(letter)) / (sum + weight);
        }
    }
    pairs
}

/// Returns the cost of the text in bits, without smoothing.
fn cost(table: &[f64], len: usize) -> f64 {
    let of_row = |row: &[f64]| {
        let sum: f64 = row.iter().sum();
        let counts = row.iter().filter(|&&count| count > 1e-9);
        counts
            .map(|count| -count * (count / sum).log2())
            .sum::<f64>()
    };
    table.chunks(len).map(of_row).sum()
}

/// Returns the number of classes of each language, which minimises the total cost of text within `bytes`.
pub fn shares(languages: &[Language], bytes: usize) -> Vec<usize> {
    let mut classes = vec![1; languages.len()];
    loop {
        let used: usize = languages
            .iter()
            .zip(&classes)
            .map(|(one, &k)| one.size(k))
            .sum();
        let gain = |at: &usize| {
            let (language, steps) = (&languages[*at], &languages[*at].steps);
            let more = steps[classes[*at] - 1].1 - steps[classes[*at]].1;
            more / language.total / (language.len * language.len) as f64
        };
        let fits = |at: &usize| {
            let (language, k) = (&languages[*at], classes[*at]);
            k < language.steps.len() && used + language.size(k + 1) - language.size(k) <= bytes
        };
        let open = (0..languages.len()).filter(fits);
        let Some(best) = open.max_by(|one, other| gain(one).total_cmp(&gain(other))) else {
            return classes;
        };
        classes[best] += 1;
    }
}
