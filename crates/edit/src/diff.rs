//! Finds the changes between two texts, in time proportional to their lengths.
//!
//! Lines that occur once in each text are anchors. The longest sequence of anchors in the same order is kept. The lines
//! between anchors, and then the characters of changed lines, are compared by the algorithm of Myers, "An O(ND)
//! Difference Algorithm and Its Variations" (1986). A search stops after [`MAX_EDITS`] edits and keeps them. Another
//! search continues from there.

use alloc::vec::Vec;
use core::ops::Range;
use std::collections::HashMap;

/// The maximum number of edits of one search. A search costs at most the square of this number, and advances by at
/// least this number of tokens.
const MAX_EDITS: usize = 128;

/// A range of old tokens or bytes, and the range of new tokens or bytes that replaces it.
type Hunk = (Range<usize>, Range<usize>);

/// Returns the changes in order; they do not touch one another.
pub(super) fn changes<'a>(old: &str, new: &'a str) -> Vec<(Range<usize>, &'a str)> {
    let mut all = Vec::new();
    let whole = trimmed_within(old, new, &(0..old.len(), 0..new.len()));
    let mut numbers = HashMap::new();
    let old_lines = lines(old, &whole.0, &mut numbers);
    let new_lines = lines(new, &whole.1, &mut numbers);
    for hunk in line_hunks(&old_lines.tokens, &new_lines.tokens, numbers.len()) {
        // The unchanged characters of a changed line keep their bytes.
        let hunk = (old_lines.range(&hunk.0), new_lines.range(&hunk.1));
        let (old_range, new_range) = trimmed_within(old, new, &hunk);
        let (old_parts, new_parts) = (characters(old, &old_range), characters(new, &new_range));
        let mut hunks = Vec::new();
        push_hunks(&old_parts.tokens, &new_parts.tokens, (0, 0), &mut hunks);
        let change = |hunk: &Hunk| (old_parts.range(&hunk.0), &new[new_parts.range(&hunk.1)]);
        all.extend(hunks.iter().map(change));
    }
    all
}

/// Returns both ranges without their common start and end.
fn trimmed_within(old: &str, new: &str, (old_range, new_range): &Hunk) -> Hunk {
    let (start, end) = super::common(&old[old_range.clone()], &new[new_range.clone()]);
    let within = |range: &Range<usize>| range.start + start..range.end - end;
    (within(old_range), within(new_range))
}

/// A part of a text, split into tokens.
struct TokenParts<T> {
    tokens: Vec<T>,
    /// The start of each token, followed by the end of the last token.
    starts: Vec<usize>,
}

impl<T> TokenParts<T> {
    fn range(&self, tokens: &Range<usize>) -> Range<usize> {
        self.starts[tokens.start]..self.starts[tokens.end]
    }
}

/// Returns the lines of a part as numbers: equal lines have equal numbers.
fn lines<'t>(
    text: &'t str,
    range: &Range<usize>,
    numbers: &mut HashMap<&'t str, usize>,
) -> TokenParts<usize> {
    let (mut tokens, mut starts) = (Vec::new(), Vec::from([range.start]));
    for line in text[range.clone()].split_inclusive('\n') {
        let next = numbers.len();
        tokens.push(*numbers.entry(line).or_insert(next));
        starts.push(starts.last().map_or(0, |start| start + line.len()));
    }
    TokenParts { tokens, starts }
}

fn characters(text: &str, range: &Range<usize>) -> TokenParts<char> {
    let part = &text[range.clone()];
    let starts = part.char_indices().map(|(at, _)| range.start + at);
    TokenParts {
        tokens: part.chars().collect(),
        starts: starts.chain([range.end]).collect(),
    }
}

/// Returns the ranges of lines that differ. `count` is the number of distinct lines.
fn line_hunks(old: &[usize], new: &[usize], count: usize) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    let mut at = (0, 0);
    for kept in kept_lines(old, new, count)
        .into_iter()
        .chain([(old.len(), new.len())])
    {
        push_hunks(&old[at.0..kept.0], &new[at.1..kept.1], at, &mut hunks);
        at = (kept.0 + 1, kept.1 + 1);
    }
    hunks
}

/// Returns the indexes of the longest sequence of lines that occur once in each text, in the same order in both.
fn kept_lines(old: &[usize], new: &[usize], count: usize) -> Vec<(usize, usize)> {
    // For each line number, its count in a text and its last index.
    let places = |text: &[usize]| {
        let mut places = alloc::vec![(0_u32, 0); count];
        for (at, &line) in text.iter().enumerate() {
            places[line] = (places[line].0.saturating_add(1), at);
        }
        places
    };
    let (in_old, in_new) = (places(old), places(new));
    // The longest increasing subsequence: the best last pair for each length, and for each pair the previous one.
    let mut ends: Vec<usize> = Vec::new();
    let mut pairs: Vec<((usize, usize), Option<usize>)> = Vec::new();
    for (at, &line) in old.iter().enumerate() {
        let (count, place) = in_new[line];
        if in_old[line].0 != 1 || count != 1 {
            continue;
        }
        let length = ends.partition_point(|&end| pairs[end].0.1 < place);
        let before = length.checked_sub(1).map(|last| ends[last]);
        match ends.get_mut(length) {
            Some(end) => *end = pairs.len(),
            None => ends.push(pairs.len()),
        }
        pairs.push(((at, place), before));
    }
    let last = ends.last().copied();
    let chain = core::iter::successors(last, |&pair| pairs[pair].1);
    let mut kept: Vec<_> = chain.map(|pair| pairs[pair].0).collect();
    kept.reverse();
    kept
}

/// Appends the ranges that differ; `at` is the offset of both slices in the whole.
fn push_hunks<T: PartialEq>(old: &[T], new: &[T], at: (usize, usize), hunks: &mut Vec<Hunk>) {
    let mut push = |old: Range<usize>, new: Range<usize>| {
        let old = at.0 + old.start..at.0 + old.end;
        let new = at.1 + new.start..at.1 + new.end;
        match hunks.last_mut() {
            Some(last) if last.0.end == old.start && last.1.end == new.start => {
                (last.0.end, last.1.end) = (old.end, new.end);
            }
            _ => hunks.push((old, new)),
        }
    };
    let (mut x, mut y) = (0, 0);
    let mut search = Search::default();
    while x < old.len() && y < new.len() {
        let (old, new) = (&old[x..], &new[y..]);
        let (edits, row) = search.run(old, new);
        for &(from_x, from_y, is_removed) in edits.iter().rev() {
            let (from_x, from_y) = (x + from_x, y + from_y);
            let (removed, inserted) = (usize::from(is_removed), usize::from(!is_removed));
            push(from_x..from_x + removed, from_y..from_y + inserted);
        }
        (x, y) = (x + row.0, y + row.1);
    }
    if x < old.len() || y < new.len() {
        push(x..old.len(), y..new.len());
    }
}

/// The index in the old text, the index in the new text, and true for a removal or false for an insertion.
type TokenEdit = (usize, usize, bool);

/// Searches for the fewest edits.
#[derive(Default)]
struct Search {
    /// For each number of edits `d`, an entry for each of `d + 1` diagonals: the farthest old token that `d` edits
    /// reach, if any. On diagonal `i`, `d - 2 i` more new tokens than old tokens have been read.
    reached: Vec<Option<usize>>,
}

impl Search {
    /// Returns the edits, the last one first, and the indexes that they reach: the ends of both texts, or the farthest
    /// point after [`MAX_EDITS`] edits.
    fn run<T: PartialEq>(&mut self, old: &[T], new: &[T]) -> (Vec<TokenEdit>, (usize, usize)) {
        self.reached.clear();
        let mut farthest = (0, 0, 0);
        for d in 0..=MAX_EDITS {
            farthest = (0, 0, 0);
            for i in 0..=d {
                let start = match d {
                    0 => Some((0, true)),
                    _ => self.step(old.len(), new.len(), d, i),
                };
                let end = start.map(|(x, _)| {
                    let y = x + d - 2 * i;
                    let same = old[x..].iter().zip(&new[y..]);
                    x + same.take_while(|(one, other)| one == other).count()
                });
                self.reached.push(end);
                if let Some(x) = end {
                    let y = x + d - 2 * i;
                    if (x, y) == (old.len(), new.len()) {
                        return (self.edits(old.len(), new.len(), d, i), (x, y));
                    }
                    farthest = farthest.max((x + y, i, x));
                }
            }
        }
        let (sum, i, x) = farthest;
        (self.edits(old.len(), new.len(), MAX_EDITS, i), (x, sum - x))
    }

    /// Returns the old token that edit `d` reaches on diagonal `i`, and true if the edit removes a token.
    fn step(&self, old: usize, new: usize, d: usize, i: usize) -> Option<(usize, bool)> {
        let before = &self.reached[(d - 1) * d / 2..];
        let removed = i.checked_sub(1).and_then(|i| before[i]);
        let removed = removed.map(|x| x + 1).filter(|&x| x <= old);
        let inserted = if i < d { before[i] } else { None };
        let inserted = inserted.filter(|&x| x + d - 2 * i <= new);
        match (removed, inserted) {
            (Some(removed), Some(inserted)) if inserted >= removed => Some((inserted, false)),
            (Some(removed), _) => Some((removed, true)),
            (None, inserted) => inserted.map(|x| (x, false)),
        }
    }

    /// Returns the `d` edits that reach diagonal `i`, the last one first.
    fn edits(&self, old: usize, new: usize, d: usize, mut i: usize) -> Vec<TokenEdit> {
        let mut edits = Vec::with_capacity(d);
        for d in (1..=d).rev() {
            let Some((x, is_removed)) = self.step(old, new, d, i) else {
                break;
            };
            let y = x + d - 2 * i;
            let removed = usize::from(is_removed);
            edits.push((x - removed, y - (1 - removed), is_removed));
            i -= removed;
        }
        edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn differences_are_within_lines() {
        let changed = |old, new| changes(old, new);
        assert_eq!(changed("a\nb\n", "a\nb\n"), []);
        assert_eq!(changed("", "ab"), [(0..0, "ab")]);
        assert_eq!(changed("a\nfoo bar\nz", "a\nfoo car\nz"), [(6..7, "c")]);
        // The text between two changes of a line is kept.
        assert_eq!(
            changed("x\nx1\u{FFFD}2y\n", "x\nx3\u{FFFD}4y\n"),
            [(3..4, "3"), (7..8, "4")]
        );
        assert_eq!(changed("あい", "いい"), [(0..3, "い")]);
        // A line that occurs once in both texts is kept, even if other lines have moved.
        let found = changed("x\n}\none\nz", "y\n}\nOne\n}\none\nw");
        assert!(
            found
                .iter()
                .all(|(range, _)| range.end <= 4 || range.start >= 8)
        );
    }

    /// The text needs more edits than one search may have.
    #[test]
    fn many_edits_are_found_one_by_one() {
        let old: String = (0..3000).map(|n| alloc::format!("{n}ab\n")).collect();
        let new = old.replace('a', "xy");
        let found = changes(&old, &new);
        assert_eq!(found.len(), 3000);
        // At the end of a search, the letter next to an edit may be replaced, too.
        assert!(
            found
                .iter()
                .all(|(range, text)| range.len() <= 2 && text.len() <= 3)
        );
    }
}
