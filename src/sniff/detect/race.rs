//! The race of the candidates: all read the sample in stretches, and those that fall far behind drop out.
//!
//! Most text is decided after the first stretches.

use super::letters::{English, LONGEST_STRETCH, Letters};
use super::pairs::Pairs;
use super::prior::Prior;
use super::sample::{CAPACITY, MAIN, Sample, is_paired};
use super::{Ranking, other};
use crate::Encoding;

/// Where candidates are compared, in bytes of the sample.
const STAGES: [usize; 7] = [32, 64, 128, 256, 512, MAIN, CAPACITY];

const _: () = {
    let mut at = 1;
    while at < STAGES.len() {
        assert!(STAGES[at] - STAGES[at - 1] <= LONGEST_STRETCH);
        at += 1;
    }
};

/// How far behind the best a candidate may be and stay in the race.
const MARGIN: u32 = 48;

/// The least number of bytes read before an answer, if there are more.
const LEAST: usize = 64;

/// Average cost of a byte above which EBCDIC is noise.
const EBCDIC_MOST: u32 = 6;

/// Average cost of a byte above which pairs of bytes are no characters.
const PAIRED_MOST: u32 = 9;

/// How far each encoding is behind the best.
struct Standings {
    list: [Option<(&'static Encoding, &'static str, u32)>; Self::MOST],
}

impl Standings {
    const MOST: usize = 8;

    fn new() -> Self {
        Self {
            list: [None; Self::MOST],
        }
    }

    /// Adds an encoding, or lowers its cost if it is listed with a higher one.
    fn note(&mut self, encoding: &'static Encoding, language: &'static str, behind: u32) {
        let listed = |place: &Option<(&Encoding, &str, u32)>| {
            place.is_none_or(|(listed, ..)| listed == encoding)
        };
        let last = Self::MOST - 1;
        let at = self.list.iter().position(listed).unwrap_or(last);
        if self.list[at].is_none_or(|(.., listed)| behind < listed) {
            self.list[at] = Some((encoding, language, behind));
            let order = |place: Option<(&Encoding, &str, u32)>| {
                place.map_or(u32::MAX, |(.., behind)| behind)
            };
            for at in (1..=at).rev() {
                if order(self.list[at]) < order(self.list[at - 1]) {
                    self.list.swap(at, at - 1);
                }
            }
        }
    }

    fn behind(&self, encoding: &'static Encoding) -> Option<(&'static str, u32)> {
        let place = self.list.iter().flatten();
        place
            .clone()
            .find(|&&(listed, ..)| listed == encoding)
            .map(|&(_, language, behind)| (language, behind))
    }

    /// Probabilities fall by half for each `SCALE` of cost.
    fn rank(&self, ranking: &mut Ranking) {
        const SCALE: f32 = 4.0;
        let weight = |behind: u32| 1.0 / (1_u64 << ((behind as f32 / SCALE) as u32).min(60)) as f32;
        let sum: f32 = self
            .list
            .iter()
            .flatten()
            .map(|&(.., behind)| weight(behind))
            .sum();
        for &(encoding, language, behind) in self.list.iter().flatten() {
            ranking.push(encoding, weight(behind) / sum, Some(language));
        }
    }
}

/// Ranks the encodings of text.
pub(super) fn text(sample: &Sample, prior: &Prior, with_others: bool, ranking: &mut Ranking) {
    let mut pairs = Pairs::new(sample.main(), prior);
    if !with_others && is_paired(sample.main()) {
        let (standings, cost, read) = run(sample, &mut Letters::empty(), &mut pairs.clone());
        if cost <= PAIRED_MOST.saturating_mul(read as u32) {
            return standings.rank(ranking);
        }
    }
    let mut letters = Letters::empty();
    letters.select(sample.all(), prior);
    if with_others {
        letters.add_others(sample.all(), prior);
    }
    run(sample, &mut letters, &mut pairs).0.rank(ranking);
}

/// Ranks the encodings of EBCDIC, if these bytes full of control characters are text in one of them.
pub(super) fn ebcdic(sample: &Sample, prior: &Prior, ranking: &mut Ranking) {
    let mut letters = Letters::empty();
    letters.add_others(sample.all(), prior);
    letters.keep(other::is_ebcdic);
    let (standings, cost, read) = run(sample, &mut letters, &mut Pairs::empty());
    if read > 0 && cost <= EBCDIC_MOST * read as u32 {
        standings.rank(ranking);
    }
}

/// The standings, the lowest cost and the bytes read.
fn run(sample: &Sample, letters: &mut Letters, pairs: &mut Pairs) -> (Standings, u32, usize) {
    let (main, all) = (sample.main(), sample.all());
    let mut standings = Standings::new();
    let mut best = u32::MAX;
    let mut end = 0;
    let mut english = English::new();
    for stage in STAGES {
        // Windows are of single bytes: double-byte encodings cannot be compared by them.
        let most = if pairs.is_empty() {
            all.len()
        } else {
            main.len()
        };
        if end == most {
            break;
        }
        end = stage.min(most);
        let english = if pairs.is_empty() && !letters.has_other_scripts() {
            &[]
        } else {
            english.up_to(all, end)
        };
        letters.advance(all, english, end);
        pairs.advance(main, english, end, letters.best().saturating_add(MARGIN));
        best = letters.best().min(pairs.best());
        let bound = best.saturating_add(MARGIN);
        let mut only = None;
        let mut is_decided = true;
        for (encoding, language, cost) in letters.costs().chain(pairs.costs()) {
            if cost > bound {
                standings.note(encoding, language, cost - best);
            } else {
                is_decided &= only.is_none_or(|only| only == encoding);
                only = Some(encoding);
            }
        }
        letters.drop_above(bound);
        pairs.drop_above(bound);
        if is_decided && end >= LEAST {
            break;
        }
    }
    for (encoding, language, cost) in letters.costs().chain(pairs.costs()) {
        standings.note(encoding, language, cost - best);
    }
    for (rare, rarer, common) in letters.alike() {
        if let Some((language, behind)) = standings.behind(common) {
            standings.note(rare, language, behind + rarer);
        }
    }
    (standings, best, end)
}
