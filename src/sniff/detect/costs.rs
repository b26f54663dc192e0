//! The candidates' costs, and the ranking that follows from them.

use super::{DetectHints, Ranking};
use crate::Encoding;

/// The lowest cost of each encoding, cheapest first; the dearest fall off.
pub struct Costs {
    list: [Option<(&'static Encoding, u32)>; Ranking::MOST],
}

impl Costs {
    pub fn new() -> Self {
        Self {
            list: [None; Ranking::MOST],
        }
    }

    /// The lowest cost so far.
    pub fn least(&self) -> u32 {
        self.list[0].map_or(u32::MAX, |(_, cost)| cost)
    }

    /// Adds a candidate, unless hints forbid it.
    pub fn add(&mut self, encoding: &'static Encoding, cost: u32, hints: &DetectHints) {
        if !hints.allows(encoding) {
            return;
        }
        let place = self
            .list
            .iter_mut()
            .find(|place| place.is_none_or(|(listed, _)| listed == encoding));
        match place {
            Some(Some((_, listed))) => *listed = cost.min(*listed),
            Some(empty) => *empty = Some((encoding, cost)),
            None => match &mut self.list[Ranking::MOST - 1] {
                Some(last) if cost < last.1 => *last = (encoding, cost),
                _ => return,
            },
        }
        self.list
            .sort_unstable_by_key(|place| place.map_or(u32::MAX, |(_, cost)| cost));
    }

    /// Probabilities fall by half for each `SCALE` of cost.
    pub fn rank(&self, ranking: &mut Ranking) {
        const SCALE: u32 = 4;
        let least = self.least();
        let weight = |cost: u32| 1.0 / (1_u64 << ((cost - least) / SCALE).min(60)) as f32;
        let sum: f32 = self
            .list
            .iter()
            .flatten()
            .map(|&(_, cost)| weight(cost))
            .sum();
        for &(encoding, cost) in self.list.iter().flatten() {
            ranking.push(encoding, weight(cost) / sum);
        }
    }
}
