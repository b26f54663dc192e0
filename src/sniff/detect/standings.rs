//! From costs to probabilities: how far each encoding is behind the best, and which of them are one answer.

use super::evidence::Evidence;
use super::{Ranking, text};
use crate::Encoding;

/// Probabilities fall by half for each `SCALE` of cost: letters of a text depend on one another more than the model knows.
const SCALE: f32 = 4.0;

/// What malformed sequences cost if they are as many as the bytes beyond ASCII; a share of them costs its part.
const MALFORMED: u64 = 4000;

/// The least that a malformed sequence costs.
const MALFORMED_LEAST: u64 = 6;

/// How far behind the best an encoding may be that decodes all that was read.
const LEADING: u32 = 40;

/// An encoding, as far as the race went.
#[derive(Clone, Copy)]
struct Place {
    encoding: &'static Encoding,
    language: &'static str,
    behind: u32,
    malformed: u64,
}

/// How far each encoding is behind the best.
pub(super) struct Standings {
    list: [Option<Place>; Self::MOST],
}

impl Standings {
    const MOST: usize = 12;

    pub fn new() -> Self {
        Self {
            list: [None; Self::MOST],
        }
    }

    /// Adds an encoding, or lowers its cost if it is listed with a higher one.
    pub fn note(&mut self, encoding: &'static Encoding, language: &'static str, behind: u32) {
        let is_its = |place: &Option<Place>| place.is_none_or(|place| place.encoding == encoding);
        let last = Self::MOST - 1;
        let at = self.list.iter().position(is_its).unwrap_or(last);
        if self.list[at].is_none_or(|place| behind < place.behind) {
            self.list[at] = Some(Place {
                encoding,
                language,
                behind,
                malformed: 0,
            });
            self.sort();
        }
    }

    /// Sorts the list; places that are equally far behind keep their order.
    fn sort(&mut self) {
        let order = |place: Option<Place>| place.map_or(u32::MAX, |place| place.behind);
        for end in 1..Self::MOST {
            for at in (1..=end).rev() {
                if order(self.list[at]) >= order(self.list[at - 1]) {
                    break;
                }
                self.list.swap(at, at - 1);
            }
        }
    }

    pub fn behind(&self, encoding: &'static Encoding) -> Option<(&'static str, u32)> {
        let mut places = self.list.iter().flatten();
        let place = places.find(|place| place.encoding == encoding)?;
        Some((place.language, place.behind))
    }

    /// Ranks the answers: encodings that read the text alike are one, by the name of the most common of them.
    pub fn rank(mut self, evidence: Option<&Evidence>, ranking: &mut Ranking) {
        if let Some(evidence) = evidence {
            let high = evidence.high().max(1);
            for place in self.list.iter_mut().flatten().filter(|place| place.behind < LEADING) {
                let malformed = evidence.malformed(place.encoding);
                place.malformed = malformed.sequences;
                let count = malformed.sequences - u64::from(malformed.is_cut);
                if count > 0 {
                    let cost = (MALFORMED * count / high).max(MALFORMED_LEAST);
                    place.behind = place.behind.saturating_add(u32::try_from(cost).unwrap_or(u32::MAX));
                }
            }
            self.sort();
        }
        let least = self.list[0].map_or(0, |place| place.behind);
        let weight = |behind: u32| {
            let halvings = ((behind - least) as f32 / SCALE) as u32;
            1.0 / (1_u64 << halvings.min(60)) as f32
        };
        let mut weights = [0.0_f32; Self::MOST];
        let mut answer = [0; Self::MOST];
        let mut sum = 0.0;
        for (at, place) in self.list.iter().enumerate() {
            let Some(place) = place else { break };
            let is_its = |first: &Option<Place>| {
                first.is_some_and(|first| match evidence {
                    Some(evidence) => text::is_same(first.encoding, place.encoding, evidence.bytes()),
                    None => first.encoding == place.encoding,
                })
            };
            answer[at] = self.list[..at].iter().position(is_its).unwrap_or(at);
            let weight = weight(place.behind);
            sum += weight;
            weights[answer[at]] += weight;
        }
        for (at, place) in self.list.iter().enumerate() {
            let Some(place) = place else { break };
            if answer[at] == at {
                let same = (at..Self::MOST).filter(|&other| answer[other] == at);
                let common = same
                    .filter_map(|other| self.list[other])
                    .min_by_key(|place| super::prior::rarity(place.encoding))
                    .map_or(place.encoding, |place| place.encoding);
                ranking.push(
                    common,
                    weights[at] / sum,
                    Some(place.language).filter(|&tag| tag != super::tables::UNDETERMINED),
                    place.malformed,
                );
            }
        }
    }
}
