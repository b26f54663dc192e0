//! Finds the encoding for a label, and similar labels for a mistyped label.

use crate::report::Failure;
use mojika::{Encoding, extended};

/// The maximum number of suggested labels.
const MAX_SUGGESTIONS: usize = 4;

/// Returns the encoding with this label: a label of the Standard, a name of `extended`, or else another program's name.
pub fn find(label: &str) -> Result<&'static Encoding, Failure> {
    if let Some(found) = extended::find(label) {
        return Ok(found);
    }
    if label.trim().is_empty() {
        return Err(Failure::usage(
            "an empty label, which is the locale's charset to iconv, names no encoding here: name it, as in --from latin1",
        ));
    }
    let is_page = of_page("", &[label.trim()]).is_some();
    let label = label.to_owned();
    Err(match extended::missing(&label).filter(|_| !is_page) {
        Some(name) => Failure::MissingEncoding { label, name },
        None => Failure::UnknownLabel { label, nearest },
    })
}

/// Returns the encoding with the label of an option; `None` for "auto".
pub fn given(label: &str) -> Result<Option<&'static Encoding>, Failure> {
    (label != "auto").then(|| find(label)).transpose()
}

/// Returns the encoding with this charset name in mail.
///
/// Browsers refuse ISO-2022-KR, ISO-2022-CN and HZ, because pages could hide markup in them; mail uses these encodings.
/// Single quotation marks are ignored ([`unquoted`]).
pub fn of_mail(label: &str) -> Result<&'static Encoding, Failure> {
    let label = unquoted(label);
    let found = find(label)?;
    if found != mojika::REPLACEMENT {
        return Ok(found);
    }
    Ok(extended::find(&format!("extended:{label}")).unwrap_or(found))
}

/// Returns a charset name of mail without blanks around it. Some programs put it in single quotation marks, which have no
/// meaning there.
pub fn unquoted(label: &str) -> &str {
    let label = label.trim();
    let quoted = label
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''));
    quoted.map_or(label, str::trim)
}

/// Returns the output encoding with this label.
///
/// For input, "ascii" is windows-1252, as in the Standard, because text with this label is in windows-1252. For output,
/// "ascii" is US-ASCII, because the user expects no other bytes.
pub fn find_target(label: &str) -> Result<&'static Encoding, Failure> {
    let label = label.trim();
    // Any name of US-ASCII, such as "ascii", "us-ascii" or "646".
    match extended::find(&format!("extended:{label}")) {
        Some(ascii) if ascii == extended::US_ASCII => Ok(ascii),
        _ => find(label),
    }
}

/// Returns known labels that resemble `label`, the most similar first.
///
/// A label is similar if it has the same digits and differs in few letters. If the most similar labels mean different
/// encodings, none is suggested, because the suggestion might be wrong.
pub fn nearest(label: &str) -> Vec<&'static str> {
    let label = label.trim().to_ascii_lowercase();
    let (letters, numbers) = (letters(&label), numbers(&label));
    // The names of UTF-8 in MySQL, and of UTF-8 with a mark in other programs.
    let ends = ["mb3", "mb4", "bom", "-bom"];
    let based = || {
        ends.iter()
            .find_map(|end| extended::find(label.strip_suffix(end)?))
    };
    if let Some(page) = of_page(&letters, &numbers).or_else(|| based().map(Encoding::name)) {
        return vec![page];
    }
    let most_edits = match letters.chars().count() {
        0..3 => 0,
        3..8 => 1,
        _ => 2,
    };
    let labels = Encoding::all().iter().flat_map(|&encoding| {
        let named = move |label| (label, encoding);
        encoding.labels().map(named)
    });
    let names = extended::all().flat_map(|encoding| {
        let named = move |name| (name, encoding);
        extended::names(encoding).map(named)
    });
    let candidates = labels.chain(names).chain(extended::foreign_names());
    let mut candidates: Vec<_> = candidates
        .filter(|(known, _)| self::numbers(&known.to_ascii_lowercase()) == numbers)
        .filter_map(|(known, encoding)| {
            let known_letters = self::letters(&known.to_ascii_lowercase());
            let edits = strsim::osa_distance(&letters, &known_letters);
            let is_near =
                edits <= most_edits && (edits <= 1 || !differ_at_end(&letters, &known_letters));
            is_near.then(|| (edits, strsim::osa_distance(&label, known), known, encoding))
        })
        .collect();
    candidates.sort_by_key(|&(edits, all, known, _)| (edits, all, known));
    let Some(&(least, _, _, first)) = candidates.first() else {
        return Vec::new();
    };
    // A name may be a label of the Standard and a name of `extended`; the Standard's meaning takes precedence.
    let meant = |known: &str, encoding| extended::find(known).unwrap_or(encoding);
    let is_near = |edits: usize| edits == least;
    let first = meant(candidates[0].2, first);
    if candidates
        .iter()
        .any(|&(edits, _, known, encoding)| is_near(edits) && meant(known, encoding) != first)
    {
        return Vec::new();
    }
    let mut labels: Vec<_> = candidates
        .into_iter()
        .filter(|&(_, _, known, encoding)| meant(known, encoding) == first)
        .map(|(_, _, known, _)| known)
        .collect();
    labels.dedup();
    labels.truncate(MAX_SUGGESTIONS);
    labels
}

/// Returns the label of a code page in a form such as "codepage 1252" or "oem437".
fn of_page(letters: &str, numbers: &[&str]) -> Option<&'static str> {
    let [number] = numbers else { return None };
    let page = || Encoding::for_windows_code_page(number.parse().ok()?);
    let found = match letters {
        // A number without letters is a code page if it has at least three digits.
        "" if number.len() > 2 => page().or_else(|| {
            let mut labels = ["cp", "asmo-"].iter();
            labels.find_map(|start| extended::find(&format!("{start}{number}")))
        }),
        "codepage" | "page" | "pc" | "oem" | "ansi" | "msdos" | "windowscp" | "wincp" | "mswin" => {
            extended::find(&format!("cp{number}"))
        }
        _ => None,
    };
    found.map(Encoding::name)
}

/// Returns only the letters.
fn letters(label: &str) -> String {
    label.chars().filter(|c| c.is_alphabetic()).collect()
}

/// True if only the last two letters differ, as in another word: "chinese-xy" is not similar to "chinese-hz".
fn differ_at_end(one: &str, other: &str) -> bool {
    const LAST: usize = 2;
    let pairs = one.chars().zip(other.chars());
    let common = pairs.take_while(|(one, other)| one == other).count();
    let longest = one.chars().count().max(other.chars().count());
    common + LAST >= longest
}

/// Returns the sequences of digits in a label.
fn numbers(label: &str) -> Vec<&str> {
    let runs = label.split(|c: char| !c.is_ascii_digit());
    runs.filter(|run| !run.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika_spec::sample::in_turns;

    #[test]
    fn ascii_as_a_target_is_us_ascii_by_every_name() {
        let foreign = extended::foreign_names().map(|(name, _)| name);
        let foreign = foreign.filter(|name| {
            let own = extended::find(&format!("extended:{name}"));
            own == Some(extended::US_ASCII)
        });
        let names = extended::names(extended::US_ASCII).chain(foreign);
        let names: Vec<_> = names.chain([" ASCII ", "us_ascii", "ANSI_X3.4"]).collect();
        assert!(names.contains(&"646") && names.contains(&"csascii"));
        for name in names {
            assert_eq!(find_target(name).unwrap(), extended::US_ASCII, "{name}");
        }
        assert_eq!(find_target("latin1").unwrap(), mojika::WINDOWS_1252);
    }

    #[test]
    fn the_last_two_letters_differ_at_most() {
        for (one, other) in [
            ("chinese", "chinese-h"),
            ("viscii", "visc"),
            ("", "ab"),
            ("a", "a"),
            ("abcd", "abxy"),
        ] {
            assert!(
                differ_at_end(one, other) && differ_at_end(other, one),
                "{one} {other}"
            );
        }
        for (one, other) in [
            ("chinese", "chinese-hz"),
            ("visciix", "visc"),
            ("", "abc"),
            ("abcxyz", "abc"),
            ("xbc", "abc"),
        ] {
            assert!(
                !differ_at_end(one, other) && !differ_at_end(other, one),
                "{one} {other}"
            );
        }
    }

    #[test]
    fn a_suggestion_never_leads_to_another_encoding() {
        for label in [
            "windows-1259",
            "koi8-x",
            "iso-8859-17",
            "iso-8859-12",
            "cp99",
            "utf-9",
            "big6",
            "latin-20",
            "euc-xy",
            "ibm1252",
            "viscj",
            "",
            "wordperfect for windows",
            "chinese-xy",
            "korean-ab",
            "iso",
            "8859-77",
        ] {
            assert!(nearest(label).is_empty(), "{label}: {:?}", nearest(label));
        }
        for (label, name) in [
            ("viscii", "VISCII"),
            ("MULELAO", "MULELAO-1"),
            ("MacGreek", "MacGreek"),
            ("WCHAR_T", "WCHAR_T"),
        ] {
            // The test accepts encodings that mojika supports by now.
            match find(label) {
                Ok(found) => assert_eq!(extended::find(label), Some(found)),
                Err(Failure::MissingEncoding { name: said, .. }) => assert_eq!(said, name),
                Err(other) => panic!("{label}: {other:?}"),
            }
        }
    }

    /// Labels with two swapped letters are found.
    #[test]
    fn a_typing_error_leads_to_the_encoding_that_was_meant_or_to_none() {
        for (number, &encoding) in Encoding::all().iter().enumerate() {
            for known in in_turns(encoding.labels().step_by(5), 6, number) {
                for at in (1..known.len()).step_by(3) {
                    let mut typed = known.as_bytes().to_vec();
                    typed.swap(at - 1, at);
                    let typed = String::from_utf8(typed).unwrap();
                    if extended::find(&typed).is_some() || extended::missing(&typed).is_some() {
                        continue;
                    }
                    for suggested in nearest(&typed) {
                        let to = extended::find(suggested).unwrap();
                        assert_eq!(to, extended::find(known).unwrap(), "{typed}: {suggested}");
                    }
                }
            }
        }
    }
}
