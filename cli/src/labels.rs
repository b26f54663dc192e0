//! From a label to its encoding, or to the labels that may have been meant.

use crate::report::Failure;
use mojika::{Encoding, extended};
use std::cmp::Reverse;

/// Most labels to suggest.
const MOST: usize = 4;

/// Names that iconv and Python know and the Standard does not, with the Standard's label.
const EVERYDAY: &[(&str, &str)] = &[
    ("cp932", "shift_jis"),
    ("cp936", "gbk"),
    ("cp949", "euc-kr"),
    ("cp950", "big5"),
    ("euccn", "gbk"),
    ("euc-cn", "gbk"),
    ("eucjp", "euc-jp"),
    ("euckr", "euc-kr"),
    ("latin9", "iso-8859-15"),
    ("latin-9", "iso-8859-15"),
    ("uhc", "euc-kr"),
    ("utf16", "utf-16"),
    ("utf16be", "utf-16be"),
    ("utf16le", "utf-16le"),
];

/// Before a name, it says that the Standard's labels do not count.
const EXTENDED: &str = "extended:";

/// `label` without whitespace around it, or the Standard's label for an everyday name.
pub fn standard(label: &str) -> &str {
    let label = label.trim_ascii();
    let everyday = EVERYDAY
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(label));
    everyday.map_or(label, |(_, standard)| standard)
}

/// The encoding that `label` names: a label of the Standard, an everyday name, or else a name of `extended`.
pub fn find(label: &str) -> Result<&'static Encoding, Failure> {
    let found = match label.trim_ascii().strip_prefix(EXTENDED) {
        Some(name) => extended::for_name(name),
        None => Encoding::for_label(standard(label)).or_else(|| extended::for_name(label)),
    };
    found.ok_or_else(|| Failure::UnknownLabel {
        label: label.to_owned(),
        nearest: nearest(label),
    })
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
    // Both rooms know some names.
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
    fn everyday_names_are_taken() {
        for (name, label) in super::EVERYDAY {
            let encoding = super::find(name).unwrap();
            assert_eq!(Some(encoding), mojika::Encoding::for_label(label), "{name}");
            assert_eq!(
                mojika::Encoding::for_label(name),
                None,
                "{name} is in the Standard"
            );
        }
        assert_eq!(super::find(" CP932 ").unwrap(), mojika::SHIFT_JIS);
    }

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
