//! Thread CPU time, contestants in alternating slices, medians and ratios.
//!
//! Other processes share the machine, and the clock frequency varies. Time is therefore this thread's processor time.
//! Contestants take turns in slices of a few milliseconds, so that disturbances affect each one. A ratio is the median over
//! the rounds, with one slice each.

use serde::Serialize;

/// Returns the CPU time that this thread has used, in nanoseconds.
pub fn thread_cpu_nanos() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is a live, exclusively borrowed timespec, which is all that clock_gettime writes to.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(failed, 0, "no thread CPU clock");
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The duration of a race.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Plan {
    /// Slices per contestant.
    pub rounds: usize,
    /// Least CPU time of a slice, in nanoseconds.
    pub slice_nanos: u64,
}

/// Runs the contestants by turns, and returns the nanoseconds per pass of each contestant, by round.
pub fn race(contestants: &mut [&mut dyn FnMut()], plan: Plan) -> Vec<Vec<f64>> {
    let passes: Vec<u64> = contestants
        .iter_mut()
        .map(|contestant| passes_per_slice(contestant, plan.slice_nanos))
        .collect();
    let mut nanos = vec![Vec::with_capacity(plan.rounds); contestants.len()];
    for round in 0..plan.rounds {
        for turn in 0..contestants.len() {
            // Every other round is in reverse order, so that no contestant always follows the same one.
            let who = if round % 2 == 0 {
                turn
            } else {
                contestants.len() - 1 - turn
            };
            let start = thread_cpu_nanos();
            for _ in 0..passes[who] {
                contestants[who]();
            }
            let taken = thread_cpu_nanos() - start;
            nanos[who].push(taken.max(1) as f64 / passes[who] as f64);
        }
    }
    nanos
}

/// Returns the number of passes that fill a slice.
fn passes_per_slice(contestant: &mut &mut dyn FnMut(), slice_nanos: u64) -> u64 {
    let mut passes = 1_u64;
    loop {
        let start = thread_cpu_nanos();
        for _ in 0..passes {
            contestant();
        }
        let taken = thread_cpu_nanos() - start;
        // Too short to estimate a pass: try more passes first.
        if taken >= slice_nanos / 8 || passes > 1 << 24 {
            return (slice_nanos * passes).div_ceil(taken.max(1)).max(1);
        }
        passes *= 4;
    }
}

/// Returns the median of the values; NaN if there are none.
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// Returns the quantile of the values, interpolated; NaN if there are none.
pub fn quantile(values: &[f64], share: f64) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = share * (sorted.len() - 1) as f64;
    let (low, part) = (place as usize, place.fract());
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] * (1.0 - part) + sorted[high] * part
}

/// The speed of one contestant relative to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// Median over the rounds; above 1 is faster.
    pub median: f64,
    /// Lower quartile over the rounds.
    pub low: f64,
    /// Upper quartile over the rounds.
    pub high: f64,
}

impl Ratio {
    /// Returns the ratio of two contestants' times in the same rounds.
    pub fn new(ours: &[f64], theirs: &[f64]) -> Self {
        let ratios: Vec<f64> = theirs.iter().zip(ours).map(|(t, o)| t / o).collect();
        Self {
            median: median(&ratios),
            low: quantile(&ratios, 0.25),
            high: quantile(&ratios, 0.75),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn median_is_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&[7.0]), 7.0);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn quartiles_are_interpolated() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(quantile(&values, 0.25), 2.0);
        assert_eq!(quantile(&values[..2], 0.25), 1.25);
        assert_eq!(quantile(&values, 1.0), 5.0);
    }

    #[test]
    fn ratio_pairs_rounds_and_ignores_an_outlier() {
        // In round 2, the machine was three times slower. In round 3, an interrupt hit mojika's slice.
        let ratio = Ratio::new(&[1.0, 3.0, 9.0, 1.0, 1.0], &[2.0, 6.0, 2.0, 2.0, 2.0]);
        assert_eq!(ratio.median, 2.0);
    }

    #[test]
    fn race_measures_a_pass_and_fills_its_slices() {
        let work = |n: u64| (0..n).fold(0, |sum, i| black_box(sum + i));
        let mut calls = [0_u32; 2];
        let [fast_calls, slow_calls] = &mut calls;
        let mut fast = || {
            *fast_calls += 1;
            black_box(work(2_000));
        };
        let mut slow = || {
            *slow_calls += 1;
            black_box(work(40_000));
        };
        let plan = Plan {
            rounds: 5,
            slice_nanos: 200_000,
        };
        let nanos = race(&mut [&mut fast, &mut slow], plan);
        assert!(nanos.iter().all(|rounds| rounds.len() == 5));
        let ratio = Ratio::new(&nanos[0], &nanos[1]).median;
        // The second contestant does twenty times the work. If slices were measured instead of passes, the ratio would
        // be 1. Load on the machine affects its exact value.
        assert!(ratio > 2.0, "{ratio}");
        assert!(calls[0] > calls[1] && calls[1] > 5);
    }
}
