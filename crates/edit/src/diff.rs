//! From two texts to the changes that lead from one to the other.

use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::Range;
use imara_diff::{Algorithm, Diff, InternedInput};

/// The changes, in order; none touches another.
pub(super) fn changes<'a>(old: &str, new: &'a str) -> Vec<(Range<usize>, &'a str)> {
    let mut all = Vec::new();
    let whole = trimmed(old, new);
    let (old_lines, new_lines) = (Parts::lines(old, &whole.0), Parts::lines(new, &whole.1));
    for (old_range, new_range) in hunks(&old_lines, &new_lines, Algorithm::Histogram) {
        // Characters that a line keeps keep their bytes.
        let (old_range, new_range) = trimmed_within(old, new, &old_range, &new_range);
        let (old_parts, new_parts) = (
            Parts::characters(old, &old_range),
            Parts::characters(new, &new_range),
        );
        for (range, replacement) in hunks(&old_parts, &new_parts, Algorithm::Myers) {
            all.push((range, &new[replacement]));
        }
    }
    all
}

/// Returns the ranges of both texts without their common start and end.
pub(super) fn trimmed(old: &str, new: &str) -> (Range<usize>, Range<usize>) {
    trimmed_within(old, new, &(0..old.len()), &(0..new.len()))
}

fn trimmed_within(
    old: &str,
    new: &str,
    old_range: &Range<usize>,
    new_range: &Range<usize>,
) -> (Range<usize>, Range<usize>) {
    let (old, new) = (&old[old_range.clone()], &new[new_range.clone()]);
    let (start, end) = super::common(old, new);
    let within = |range: &Range<usize>| range.start + start..range.end - end;
    (within(old_range), within(new_range))
}

/// A part of a text in tokens.
struct Parts<T> {
    tokens: Vec<T>,
    /// The start of each word, then the end of the last one.
    starts: Vec<usize>,
}

impl<'a> Parts<&'a str> {
    fn lines(text: &'a str, range: &Range<usize>) -> Self {
        let tokens: Vec<_> = text[range.clone()].split_inclusive('\n').collect();
        Self::new(tokens, range.start, |line| line.len())
    }
}

impl Parts<char> {
    fn characters(text: &str, range: &Range<usize>) -> Self {
        let tokens: Vec<_> = text[range.clone()].chars().collect();
        Self::new(tokens, range.start, |scalar| scalar.len_utf8())
    }
}

impl<T> Parts<T> {
    fn new(tokens: Vec<T>, start: usize, length: impl Fn(&T) -> usize) -> Self {
        let mut at = start;
        let ends = tokens.iter().map(|token| {
            at += length(token);
            at
        });
        let starts = core::iter::once(start).chain(ends).collect();
        Self { tokens, starts }
    }

    fn range(&self, tokens: &Range<u32>) -> Range<usize> {
        self.starts[tokens.start as usize]..self.starts[tokens.end as usize]
    }
}

/// The ranges of both texts that differ.
fn hunks<T: Copy + Default + Eq + Hash>(
    old: &Parts<T>,
    new: &Parts<T>,
    algorithm: Algorithm,
) -> Vec<(Range<usize>, Range<usize>)> {
    let mut input = InternedInput::default();
    input.update_before(old.tokens.iter().copied());
    input.update_after(new.tokens.iter().copied());
    let diff = Diff::compute(algorithm, &input);
    let ranges = |hunk: imara_diff::Hunk| (old.range(&hunk.before), new.range(&hunk.after));
    diff.hunks().map(ranges).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_within_lines() {
        let changed = |old, new| changes(old, new);
        assert_eq!(changed("a\nb\n", "a\nb\n"), []);
        assert_eq!(changed("", "ab"), [(0..0, "ab")]);
        assert_eq!(changed("a\nfoo bar\nz", "a\nfoo car\nz"), [(6..7, "c")]);
        // The text between two changes of a line stays.
        assert_eq!(
            changed("x\nx1\u{FFFD}2y\n", "x\nx3\u{FFFD}4y\n"),
            [(3..4, "3"), (7..8, "4")]
        );
        assert_eq!(changed("あい", "いい"), [(0..3, "い")]);
    }
}
