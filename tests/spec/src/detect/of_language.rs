//! What a language makes of the letters of a sample.

use super::single_byte::{
    ASCII_NUMBERS, Kind, class, is_foreign, is_repeated, is_spare_space, kind, number, step_in,
};
use super::{CANDIDATES, Script, UNDETERMINED, counts, prior_of_language, tag};
use std::ops::Range;

/// What a language makes of the letters.
#[derive(Clone, Copy)]
pub struct OfLanguage {
    cost: u32,
    /// What ASCII letters cost, which is a part of that.
    ascii: u32,
    /// How many of these costs there are.
    pairs: u32,
    is_undetermined: bool,
}

impl OfLanguage {
    /// What a language makes of the letters of a sample up to `end`.
    pub fn new(candidate: usize, language: u8, sample: &[u8], end: usize) -> Self {
        let mut read = Self::after(candidate, language, sample, 0..end);
        read.cost += prior_of_language(language) + foreign(candidate, language, sample);
        read
    }

    /// What a language makes of the letters at these places, as if the text began there.
    pub fn after(candidate: usize, language: u8, sample: &[u8], places: Range<usize>) -> Self {
        let (mut before, mut was_ascii) = (0, true);
        let (mut cost, mut ascii, mut pairs) = (0, 0, 0);
        for at in places {
            let byte = sample[at];
            if kind(candidate, byte) == Kind::Point
                || is_repeated(candidate, sample, at)
                || is_spare_space(candidate, sample, at)
            {
                continue;
            }
            let number = number(candidate, byte);
            let (next, rarity) = class(language, number);
            let of_step = step_in(candidate, language, before, next);
            cost += rarity + of_step;
            let is_ascii = number < ASCII_NUMBERS && kind(candidate, byte) != Kind::Sign;
            if is_ascii && was_ascii {
                ascii += of_step;
                pairs += 1;
            }
            (before, was_ascii) = (next, is_ascii);
        }
        Self {
            cost,
            ascii,
            pairs,
            is_undetermined: tag(language) == UNDETERMINED,
        }
    }

    /// Returns the sum of these costs, `more`, and the costs of the letters that follow.
    pub fn and(self, more: u32, after: Self) -> Self {
        Self {
            cost: self.cost + more + after.cost,
            ascii: self.ascii + after.ascii,
            ..after
        }
    }

    /// Returns the cost of each of these encodings and languages, which have read letters of the same sample.
    pub fn costs(all: &[((usize, u8), Self)], sample: &[u8]) -> Vec<u32> {
        let least_ascii = Self::least_ascii(all);
        let has_few_letters = counts::has_few_letters(sample);
        let costs = all
            .iter()
            .map(|(_, one)| one.cost(least_ascii, has_few_letters));
        costs.collect()
    }

    /// What ASCII letters cost in the language in Latin script that they fit best.
    fn least_ascii(all: &[((usize, u8), Self)]) -> u32 {
        let latin = all
            .iter()
            .filter(|((candidate, _), _)| CANDIDATES[*candidate].script == Script::Latin);
        latin.map(|(_, one)| one.ascii).min().unwrap_or(0)
    }

    /// The cost.
    ///
    /// A language without a model has the letters of others beyond ASCII; its ASCII letters tell nothing. Where it has few
    /// letters beyond ASCII, they cost what text does in another language, if all languages fit it worse.
    fn cost(self, least_ascii: u32, has_few_letters: bool) -> u32 {
        if !self.is_undetermined {
            return self.cost;
        }
        let of_ascii = if has_few_letters && self.pairs >= 32 {
            least_ascii.min(43 * self.pairs / 8)
        } else {
            least_ascii
        };
        self.cost - self.ascii + of_ascii
    }
}

/// What the letters cost that a language in Latin script does not have, if at most 24 bytes are beyond ASCII: 8 for each of
/// three of them. Nobody knows which letters English texts lack.
fn foreign(candidate: usize, language: u8, sample: &[u8]) -> u32 {
    let mut high: Vec<u8> = sample
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii())
        .collect();
    if high.len() > 24 {
        return 0;
    }
    high.sort_unstable();
    high.dedup();
    let foreign = high
        .iter()
        .filter(|&&byte| is_foreign(candidate, language, byte));
    8 * foreign.count().min(3) as u32
}
