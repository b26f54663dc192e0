//! From a label to its encoding, or to the labels that may have been meant.

use crate::report::Failure;
use mojika::{Encoding, extended};
use std::cmp::Reverse;

/// Most labels to suggest.
const MOST: usize = 4;

/// The encoding that `label` names: a label of the Standard, an everyday name, or else a name of `extended`.
pub fn find(label: &str) -> Result<&'static Encoding, Failure> {
    extended::find(label).ok_or_else(|| Failure::UnknownLabel {
        label: label.to_owned(),
        nearest: nearest(label),
    })
}

/// The encoding that `label` names as a target.
///
/// To read, "ascii" is windows-1252, as in the Standard: that is what is found under this label. To write, it is
/// US-ASCII: who asks for it wants no other bytes.
pub fn find_target(label: &str) -> Result<&'static Encoding, Failure> {
    let names = ["ascii", "us-ascii", "ansi_x3.4-1968"];
    let label = label.trim();
    if names.iter().any(|name| name.eq_ignore_ascii_case(label)) {
        return Ok(extended::US_ASCII);
    }
    find(label)
}

/// Known labels that look like `label`, the nearest first.
///
/// A label is near if few letters differ, punctuation aside, or if it has the same number: "cp949" is near
/// "windows-949".
fn nearest(label: &str) -> Vec<&'static str> {
    let label = label.to_ascii_lowercase();
    let (letters, number) = (squash(&label), number(&label));
    let most_edits = (letters.chars().count() / 3).clamp(1, 3);

    let mut candidates: Vec<_> = Encoding::all()
        .iter()
        .flat_map(|encoding| encoding.labels())
        .chain(extended::all().flat_map(extended::names))
        .filter_map(|known| {
            let edits = strsim::osa_distance(&letters, &squash(known));
            let same_number = number.len() >= 3 && number == self::number(known);
            let rank = (
                edits,
                Reverse(same_number),
                strsim::osa_distance(&label, known),
            );
            (edits <= most_edits || same_number).then_some((rank, known))
        })
        .collect();
    candidates.sort_by_key(|&(rank, _)| rank);
    // The Standard and `extended` share some names.
    candidates.dedup();
    // A label that differs in its punctuation only leaves no doubt.
    if let Some(&((0, ..), _)) = candidates.first() {
        candidates.retain(|&((edits, ..), _)| edits == 0);
    }
    candidates.truncate(MOST);
    candidates.into_iter().map(|(_, known)| known).collect()
}

/// Letters and digits only.
fn squash(label: &str) -> String {
    label.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Digits only.
fn number(label: &str) -> String {
    label.chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn swapped_letters_are_near() {
        assert_eq!(nearest("shift-jsi")[..2], ["shift-jis", "shift_jis"]);
        assert_eq!(nearest("UFT8")[0], "utf8");
    }

    #[test]
    fn punctuation_alone_leaves_no_doubt() {
        assert_eq!(nearest("latin-1"), ["latin1"]);
        assert_eq!(nearest("eucjp"), ["euc-jp"]);
    }

    #[test]
    fn the_number_of_a_code_page_is_near() {
        assert_eq!(nearest("cp949"), ["windows-949"]);
        assert_eq!(nearest("cp932")[0], "ms932");
    }

    #[test]
    fn nonsense_is_near_nothing() {
        assert!(nearest("").is_empty());
        assert!(nearest("wordperfect for windows").is_empty());
    }
}
