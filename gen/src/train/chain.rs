//! The chain: the cost of each token after the previous one. Tokens are classed into elements.
//!
//! Rare pairs of signs back off to their groups in three steps: the next sign after the previous group, the next group
//! after the previous group, and the next group alone.

use super::symbols::{Symbols, sign_group};
use super::tokens::{CONTROL, HALF_KATAKANA, RARE, SIGN, SIGN_GROUPS, UNKNOWN};

/// The divisor of pair counts. The pairs of one text are not independent, so each counts less.
const SCALE: f64 = 20.0;
/// The share of each cost that comes from the cost of the element alone, however often the pair was counted.
const ALONE: f64 = 0.06;
/// The weights of the three back-off steps, per distinct element.
const WEIGHTS: [f64; 3] = [6.0, 4.0, 4.0];
/// The cost of a sign alone, in bits, by its group.
const FLOORS: [f64; SIGN_GROUPS] = [
    13.0, 13.0, 13.5, 15.0, 14.0, 14.0, 15.5, 18.0, 24.0, 17.5, 26.0, 19.0,
];
/// The number of core elements, which are those that are not signs.
const CORE: usize = SIGN as usize;
const GROUPS: usize = CORE + SIGN_GROUPS;

/// Costs in bits.
pub struct Chain {
    elements: usize,
    exact: Vec<f64>,
    of_group: Vec<f64>,
}

impl Chain {
    /// Computes costs from counts.
    pub fn new(counts: &[f64], symbols: &Symbols) -> Self {
        let elements = symbols.elements();
        let group = |element: usize| match element.checked_sub(CORE) {
            Some(sign) => CORE + sign_group(symbols.list[sign]),
            None => element,
        };
        let floor = |element: usize| {
            let bits = match element as u8 {
                UNKNOWN => 16.0,
                CONTROL => 14.0,
                RARE => 24.0,
                HALF_KATAKANA => 18.0,
                _ if element >= CORE => FLOORS[group(element) - CORE],
                _ => 17.0,
            };
            f64::exp2(-bits)
        };
        let counts: Vec<f64> = counts.iter().map(|count| count / SCALE).collect();
        let rows = || counts.chunks(elements);
        let total: f64 = counts.iter().sum();
        let single = |next: usize| rows().map(|row| row[next]).sum::<f64>() / total + floor(next);
        let single: Vec<f64> = (0..elements).map(single).collect();
        let all: f64 = single.iter().sum();
        let single: Vec<f64> = single.iter().map(|one| one / all).collect();
        let mut of_next = vec![0.0; GROUPS];
        for (next, one) in single.iter().enumerate() {
            of_next[group(next)] += one;
        }
        let mut after_group = vec![0.0; GROUPS * elements];
        let mut between_groups = vec![0.0; GROUPS * GROUPS];
        for (previous, row) in rows().enumerate() {
            for (next, count) in row.iter().enumerate() {
                after_group[group(previous) * elements + next] += count;
                between_groups[group(previous) * GROUPS + group(next)] += count;
            }
        }
        let seen = |row: &[f64]| row.iter().filter(|&&count| count > 0.0).count() as f64 + 1.0;
        let mut of_group = vec![0.0; GROUPS * elements];
        for previous in 0..GROUPS {
            let row = &after_group[previous * elements..][..elements];
            let groups = &between_groups[previous * GROUPS..][..GROUPS];
            let sum: f64 = row.iter().sum();
            let weights = [WEIGHTS[0] * seen(groups), WEIGHTS[1] * seen(row)];
            for next in 0..elements {
                let its_group = group(next);
                let less =
                    (groups[its_group] + weights[0] * of_next[its_group]) / (sum + weights[0]);
                let less = less * single[next] / of_next[its_group];
                of_group[previous * elements + next] =
                    (row[next] + weights[1] * less) / (sum + weights[1]);
            }
        }
        let mut exact = vec![0.0; elements * elements];
        for (previous, row) in rows().enumerate() {
            let sum: f64 = row.iter().sum();
            let weight = WEIGHTS[2] * seen(row);
            for next in 0..elements {
                let less = of_group[group(previous) * elements + next];
                exact[previous * elements + next] = match previous {
                    0..CORE => less,
                    _ => (row[next] + weight * less) / (sum + weight),
                };
            }
        }
        let bits = |(at, probability): (usize, f64)| {
            let alone = floor(at % elements);
            -(probability * (1.0 - ALONE) + ALONE * alone).log2()
        };
        Self {
            elements,
            exact: exact.into_iter().enumerate().map(bits).collect(),
            of_group: of_group.into_iter().enumerate().map(bits).collect(),
        }
    }

    /// Returns the chain of words as bytes. It holds the costs of all elements after each core element, of core
    /// elements after each sign, and of signs after each group of signs.
    pub fn bytes(&self) -> Vec<u8> {
        let all = self.elements;
        let exact = |previous: usize, next: usize| self.exact[previous * all + next];
        let of_core =
            (0..CORE).flat_map(|previous| (0..all).map(move |next| exact(previous, next)));
        let of_signs =
            (CORE..all).flat_map(|previous| (0..CORE).map(move |next| exact(previous, next)));
        let of_group = |group: usize| &self.of_group[group * all + CORE..(group + 1) * all];
        let of_groups = (CORE..GROUPS).flat_map(of_group).copied();
        of_core.chain(of_signs).chain(of_groups).map(byte).collect()
    }

    /// Returns the chain of a double-byte encoding as bytes. It holds the costs of core elements after core elements.
    pub fn bytes_of_core(&self) -> Vec<u8> {
        let rows = self.exact.chunks(self.elements).take(CORE);
        rows.flat_map(|row| &row[..CORE])
            .copied()
            .map(byte)
            .collect()
    }
}

/// Returns a cost in eighths of a bit.
fn byte(bits: f64) -> u8 {
    (bits * 8.0).round().clamp(0.0, 255.0) as u8
}
