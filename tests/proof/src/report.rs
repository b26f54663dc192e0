//! Counts, failure messages, and the search for the smallest input that still fails.

use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The number of failures printed in full, per section.
const PRINTED: u64 = 12;

/// The cases and differences of one section.
#[derive(Debug, Default)]
pub struct Tally {
    cases: AtomicU64,
    differences: AtomicU64,
    shrinking: Mutex<()>,
}

/// One failed comparison.
#[derive(Debug)]
pub struct Failure<'a> {
    /// The encoding.
    pub encoding: &'a str,
    /// The direction, the form and the error mode.
    pub operation: &'a str,
    /// The chunks of the input and the sizes of outputs.
    pub split: String,
    /// The input in hex.
    pub input: String,
    /// The difference.
    pub detail: String,
}

impl Tally {
    /// Counts compared cases.
    pub fn count(&self, cases: u64) {
        self.cases.fetch_add(cases, Ordering::Relaxed);
    }

    /// Counts a difference. The first few are described by `describe` and printed, with the current instruction set.
    pub fn differ<'a>(&self, describe: impl FnOnce() -> Failure<'a>) {
        if self.differences.fetch_add(1, Ordering::Relaxed) < PRINTED {
            let _one_at_a_time = self.shrinking.lock();
            let failure = describe();
            eprintln!(
                "DIFFERENCE {} [{}] {}\n  split: {}\n  input: {}\n  {}",
                failure.encoding,
                mojika::simd::level(),
                failure.operation,
                failure.split,
                failure.input,
                failure.detail
            );
        }
    }

    /// Returns the number of cases compared so far.
    pub fn cases(&self) -> u64 {
        self.cases.load(Ordering::Relaxed)
    }

    /// Returns the number of differences so far.
    pub fn differences(&self) -> u64 {
        self.differences.load(Ordering::Relaxed)
    }
}

/// Returns units in hex; of many units, only the first ones.
pub fn hex<T: std::fmt::UpperHex>(units: &[T]) -> String {
    let mut shown = String::new();
    let width = 2 * size_of::<T>().min(2);
    for (i, unit) in units.iter().enumerate() {
        if units.len() > 600 && i == 560 {
            let _ = write!(shown, "... ({} in all)", units.len());
            break;
        }
        let _ = write!(shown, "{unit:0width$X} ");
    }
    shown
}

/// Returns a small part of `input` for which `fails` is still true, found by removing pieces.
pub fn shrink<T: Clone>(input: &[T], fails: impl Fn(&[T]) -> bool) -> Vec<T> {
    const PATIENCE: Duration = Duration::from_secs(5);
    let start = Instant::now();
    let mut smallest = input.to_vec();
    let mut piece = smallest.len().div_ceil(2);
    while piece > 0 {
        let mut at = 0;
        let mut shrunk = false;
        while at < smallest.len() {
            if start.elapsed() > PATIENCE {
                return smallest;
            }
            let mut shorter = smallest.clone();
            shorter.drain(at..(at + piece).min(smallest.len()));
            if fails(&shorter) {
                smallest = shorter;
                shrunk = true;
            } else {
                at += piece;
            }
        }
        if piece > 1 {
            piece = piece.div_ceil(2);
        } else if !shrunk {
            break;
        }
    }
    smallest
}
