//! Computes the probabilities of the answers from their costs and from the similarity of the text to known text.

use super::costs::{BIT, Cost, probability, sum};
use super::model::LANGUAGES;
use super::reader::{MALFORMED, Reader};
use super::{Answer, BEHIND, Encodings, Entry, Expected};
use alloc::vec::Vec;
use core::ops::Range;
use mojika::Encoding;

/// The weights, in bits, of the logistic function for the probability, computed by `mojika-proof detect --fit`. The
/// factors are 1, the margin in bits, its square root, that root times the share of the language, the share, and bits
/// per byte.
const CALIBRATION: [f32; 6] = [-2.503, 0.008, 0.554, 2.455, 4.473, -0.478];

/// The maximum margin per byte other than spaces, because two letters are little evidence.
const EVIDENCE: Cost = 3 * BIT / 4;

/// The range to which [`Features::rate`] is clamped.
const BITS_A_BYTE: [f32; 2] = [3.0, 9.0];

/// The divisor of all costs in bits, because the tokens of a text depend on one another.
const TEMPERATURE: Cost = 2;

/// The features from which the probability of the first answer is computed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Features {
    /// The odds of the first answer against all others, as a cost.
    pub margin: Cost,
    /// The amount by which the reading is better than no encoding, in bits per non-ASCII byte.
    pub fit: f32,
    /// The number of malformed sequences in the parts.
    pub malformed: u32,
    /// The share of the language among the sources of its words. It is small in lists of letters and in unknown
    /// languages.
    pub known: f32,
    /// The cost in bits per byte other than spaces.
    pub rate: f32,
}

/// Returns the answers with their probabilities.
pub fn posterior(
    entries: &[Entry],
    bytes: &[u8],
    parts: &[Range<usize>],
    expected: &impl Expected,
    malformed: &impl Fn(&'static Encoding) -> u32,
) -> (Vec<Answer>, Features) {
    let high = super::beyond_ascii(bytes, parts);
    let ink = parts.iter().flat_map(|part| &bytes[part.clone()]);
    let ink = ink.filter(|byte| **byte > b' ').count();
    let mut answers: Vec<(Answer, &Reader)> = Vec::new();
    let (mut nothing, mut hidden) = (None, None);
    for entry in entries {
        let reader = &entry.reader;
        let first = reader.hypotheses.iter().min_by_key(|one| one.cost);
        let mut costs = reader.hypotheses.iter().map(|one| reader.base + one.cost);
        let Some((first, mut cost)) = first.zip(costs.next()) else {
            continue;
        };
        cost = costs.fold(cost, sum);
        let Some(encoding) = entry.encoding() else {
            match entry.encodings {
                Encodings::Hidden => {
                    hidden = Some(hidden.map_or(cost, |all| sum(all, cost)));
                }
                _ => nothing = Some(cost),
            }
            continue;
        };
        let malformed = malformed(encoding);
        cost += MALFORMED * malformed as Cost;
        let tag = match first.wide {
            Some(wide) => wide.tag(),
            None => LANGUAGES[usize::from(first.language)].tag,
        };
        let answer = Answer {
            encoding,
            language: Some(tag).filter(|tag| *tag != "und"),
            probability: 0.0,
            cost,
            malformed,
        };
        answers.push((answer, reader));
    }
    answers.sort_by_key(|one| one.0.cost);
    let Some(&(best, reader)) = answers.first() else {
        return (Vec::new(), Features::default());
    };
    let mut answers: Vec<Answer> = answers.iter().map(|one| one.0).collect();
    let odds = |cost: Cost| odds((cost - best.cost) / TEMPERATURE);
    let others = answers.iter().skip(1).map(|one| one.cost).chain(hidden);
    let margin = others
        .reduce(sum)
        .map_or(Cost::MAX, |cost| cost - best.cost);
    let margin = margin.min(EVIDENCE.saturating_mul(ink as Cost));
    let all: f32 = answers.iter().map(|one| odds(one.cost)).sum();
    let none = nothing.map_or(0.0, odds) + hidden.map_or(0.0, odds);
    let features = Features {
        margin,
        fit: nothing.map_or(0, |cost| cost - best.cost) as f32 / BIT as f32 / high.max(1) as f32,
        malformed: reader.malformed,
        known: reader.known(),
        rate: best.cost as f32 / BIT as f32 / ink.max(1) as f32,
    };
    let first = if expected.is_certain() || high == 0 {
        1.0 / all
    } else {
        features.probability()
    };
    let others = (all - 1.0 + none).max(f32::MIN_POSITIVE);
    for (at, answer) in answers.iter_mut().enumerate() {
        answer.probability = match at {
            0 => first,
            // The remaining probability is that of no encoding.
            _ => ((1.0 - first) * odds(answer.cost) / others).min(first * odds(answer.cost)),
        };
    }
    (answers, features)
}

/// Returns the ratio of the probabilities of two readings, of which the first costs `more` more than the second.
pub fn odds(more: Cost) -> f32 {
    let of_less = probability(more.abs()).max(1) as f32 / 65536.0;
    if more < 0 { 1.0 / of_less } else { of_less }
}

impl Features {
    /// Returns the factors of the weights of [`CALIBRATION`].
    pub fn factors(&self) -> [f32; 6] {
        let margin = self.margin.clamp(0, BEHIND);
        let root = (margin * BIT).isqrt() as f32 / BIT as f32;
        let [least, most] = BITS_A_BYTE;
        let bits = margin as f32 / BIT as f32;
        let rate = self.rate.clamp(least, most);
        [1.0, bits, root, root * self.known, self.known, rate]
    }

    /// Returns the probability that the first answer is right.
    fn probability(&self) -> f32 {
        let weighted = self.factors().into_iter().zip(CALIBRATION);
        let in_bits: f32 = weighted.map(|(factor, weight)| factor * weight).sum();
        1.0 / (1.0 + odds((in_bits * BIT as f32) as Cost))
    }
}
