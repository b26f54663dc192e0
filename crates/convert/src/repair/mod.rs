//! Repairs text that was decoded in the wrong encoding and saved. Either UTF-8 was read in another encoding and written
//! as UTF-8 again (`Ã©`, `РџСЂ`, `文å—`), or text in an old encoding was read in ISO-8859-1 (`ÑÅÊÐÅÒ`).
//!
//! [`repair`] returns the repaired text with a [`Finding`] for each line; [`inspect`] returns only the findings. Each
//! finding lists the [`Misreading`]s that explain the line.
//!
//! ```
//! use mojika_convert::repair;
//!
//! let repaired = repair::repair("cafÃ© – Привет\nok\n");
//! assert_eq!(repaired.text, "café – Привет\nok\n");
//! let finding = &repaired.findings[0];
//! assert_eq!((finding.line, &*finding.before), (1, "cafÃ© – Привет\n"));
//! assert_eq!(finding.misreadings[0].to_string(), "encode windows-1252, decode UTF-8");
//! ```
//!
//! One rule finds UTF-8 that was read in any encoding. A *run* is the text between two ASCII characters. A line was
//! encoded twice if one encoding can encode all its runs, and the bytes of each run are UTF-8 for fewer characters. The
//! required number of characters depends on their kind: one `é` may suffice, Cyrillic needs three letters, GBK four
//! Chinese characters. Beside correct text, at least half of the runs must be impossible in text. In doubt, a line stays.
//!
//! `RepairReader` repairs the lines of a stream.

mod fit;
mod misread;
mod reader;
mod readings;
mod runs;
#[cfg(test)]
mod tests;

use reader::Lines;
#[cfg(feature = "files")]
pub(crate) use reader::RepairReader;
pub use reader::{Repairs, Treatment, count};

use mojika::{Encoding, UTF_8};
use mojika_sniff::Confidence;
use readings::{READINGS, Reading, Signs};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;

/// The maximum number of times that a text may have been encoded again.
const MOST_ROUNDS: usize = 3;

/// One decoding in a wrong encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misreading {
    /// The encoding of the text.
    pub encoding: &'static Encoding,
    /// The wrong encoding in which the text was decoded.
    pub read_as: &'static Encoding,
}

impl fmt::Display for Misreading {
    /// Writes the conversions that undo the misreading.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "encode {}, decode {}", self.read_as, self.encoding)
    }
}

/// A line that was decoded in the wrong encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The number of the line, from 1.
    pub line: u64,
    /// The line before its repair.
    pub before: String,
    /// The repaired line; `None` if the line stays.
    pub after: Option<String>,
    /// The misreadings that explain the line, the last one first. If the line stays, they are alternatives.
    pub misreadings: Vec<Misreading>,
}

impl Finding {
    /// Returns "certain" if one original explains the line, and "tentative" if several do, so that the line stays.
    pub fn confidence(&self) -> Confidence {
        match self.after {
            Some(_) => Confidence::Certain,
            None => Confidence::Tentative,
        }
    }
}

/// A text after its repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair<'t> {
    /// The repaired text. Ambiguous lines are unchanged.
    pub text: Cow<'t, str>,
    /// The findings, in the order of the lines.
    pub findings: Vec<Finding>,
}

/// Repairs the lines of a text.
///
/// ```
/// use mojika_convert::repair;
///
/// assert_eq!(repair::repair("Queen\u{92}s").text, "Queen’s");
/// // `Ã€` is `À` read in windows-1252, and `ä` read in ISO-8859-15.
/// let unclear = repair::repair("Ã€hnlich");
/// assert_eq!(unclear.text, "Ã€hnlich");
/// assert_eq!(unclear.findings[0].after, None);
/// ```
pub fn repair(text: &str) -> Repair<'_> {
    let mut findings = Vec::new();
    let mut repaired = String::new();
    let mut copied = 0;
    let mut lines = Lines::default();
    lines.each(text, &mut |place, line, undone| {
        if let Undone::Text(after, _) = &undone {
            repaired.push_str(&text[copied..place]);
            repaired.push_str(after);
            copied = reader::end_of_line(text, place);
        }
        findings.extend(undone.finding(line, &text[place..]));
    });
    let text = match copied {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(repaired + &text[copied..]),
    };
    Repair { text, findings }
}

/// Finds the lines of a text that were decoded in the wrong encoding.
///
/// ```
/// use mojika_convert::repair;
///
/// let findings = repair::inspect("ok\nРџСЂРёРІРµС‚\n");
/// assert_eq!(findings[0].line, 2);
/// assert_eq!(findings[0].misreadings[0].read_as.name(), "windows-1251");
/// assert_eq!(findings[0].confidence().as_str(), "certain");
/// ```
pub fn inspect(text: &str) -> Vec<Finding> {
    repair(text).findings
}

/// Evidence from earlier lines. A *reading* is an encoding in which UTF-8 may have been read by mistake.
///
/// Some characters are letters in two readings: `Ã€` is `À` read in windows-1252, and `ä` read in ISO-8859-15. Without
/// other evidence in the line, the reading that explains more earlier lines is chosen.
#[derive(Default)]
pub struct History {
    /// For each pair of readings, the number of lines that only the first one explains.
    lines: [[u64; READINGS]; READINGS],
    misread: misread::History,
}

/// The factor by which the lines that only one reading explains must exceed those that only another reading explains.
const CLEARLY: u64 = 8;

impl History {
    /// Counts a line that the readings `explains` explain.
    fn add(&mut self, explains: u32) {
        for one in numbers(explains) {
            for other in numbers(!explains) {
                self.lines[one][other] += 1;
            }
        }
    }

    /// True if some reading of `one` explains clearly more earlier lines than every reading of `other`.
    fn prefers(&self, one: &Original, other: &Original) -> bool {
        numbers(one.explains).any(|one| {
            numbers(other.explains)
                .all(|other| self.lines[one][other] > CLEARLY * self.lines[other][one])
        })
    }
}

/// Returns the numbers of the readings whose bit is set.
fn numbers(bits: u32) -> impl Iterator<Item = usize> {
    (0..READINGS).filter(move |number| bits & 1 << number != 0)
}

/// The result of the search for a line's original, which it had before it was decoded in a wrong encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undone {
    /// The line is correct.
    Clean,
    /// The original line, and its misreadings, the last one first.
    Text(String, Vec<Misreading>),
    /// The line was decoded in one of several wrong encodings, with different originals.
    Ambiguous(Vec<Misreading>),
}

impl Undone {
    /// Returns the finding about the line at the start of `text`; `None` if the line is correct.
    fn finding(self, line: u64, text: &str) -> Option<Finding> {
        let (after, misreadings) = match self {
            Self::Clean => return None,
            Self::Text(after, misreadings) => (Some(after), misreadings),
            Self::Ambiguous(misreadings) => (None, misreadings),
        };
        let before = text[..reader::end_of_line(text, 0)].to_owned();
        Some(Finding {
            line,
            before,
            after,
            misreadings,
        })
    }
}

/// Returns the original of a line; `history` has the evidence of the lines before it.
pub fn undo(line: &str, history: &mut History) -> Undone {
    undo_of(line, history, Signs::of(line.as_bytes()))
}

/// Returns the original of a line. `signs` were found in the line, or in a block that contains the line.
fn undo_of(line: &str, history: &mut History, signs: Signs) -> Undone {
    let mut misreadings = Vec::new();
    let mut text = Cow::Borrowed(line);
    let mut explains = 0;
    if let Some((rest, number)) = runs::without_mark(line) {
        text = Cow::Borrowed(rest);
        misreadings.push(of_utf_8(number));
    }
    let marks = misreadings.len();
    while misreadings.len() < MOST_ROUNDS + marks {
        let mut next = originals(&text, history, signs.is_mixed);
        let Some(first) = next.pop() else { break };
        if !next.is_empty() {
            next.push(first);
            return Undone::Ambiguous(next.iter().map(|one| of_utf_8(one.reading)).collect());
        }
        misreadings.push(of_utf_8(first.reading));
        if explains == 0 {
            explains = first.explains;
        }
        text = Cow::Owned(first.text);
    }
    // C1 control characters come from text that was read in the wrong encoding, and disappear once that is undone.
    let is_utf_8 = misreadings.len() > marks;
    let had_controls = signs.is_misread && line.chars().any(is_c1);
    if signs.is_misread && !is_utf_8 || had_controls {
        match misread::undo(&text, is_utf_8, &mut history.misread) {
            Undone::Clean if is_utf_8 && text.chars().any(is_c1) => return Undone::Clean,
            Undone::Clean => {}
            Undone::Text(after, of_it) => {
                text = Cow::Owned(after);
                misreadings.extend(of_it);
            }
            ambiguous => return ambiguous,
        }
    } else if is_utf_8 && text.chars().any(is_c1) {
        return Undone::Clean;
    }
    if misreadings.is_empty() {
        return Undone::Clean;
    }
    if explains > 0 {
        history.add(explains);
    }
    Undone::Text(text.into_owned(), misreadings)
}

fn of_utf_8(reading: Reading) -> Misreading {
    let (encoding, read_as) = (UTF_8, reading.encoding());
    Misreading { encoding, read_as }
}

/// True for a C1 control character, which does not occur in text.
fn is_c1(character: char) -> bool {
    matches!(character, '\u{80}'..='\u{9F}')
}

/// A possible original text of a line that was read in another encoding.
struct Original {
    text: String,
    reading: Reading,
    /// The readings that turn `text` into the line, one bit for each.
    explains: u32,
}

/// Returns the best original texts of the line over all readings; empty if no reading explains the line.
fn originals(line: &str, history: &History, looks_within: bool) -> Vec<Original> {
    let (of_all, of_any) = readings::possible(line, looks_within);
    let mut texts: Vec<(Score, Original)> = Vec::new();
    let whole = numbers(of_all).map(|number| (number, false));
    let mixed = numbers(of_any).map(|number| (number, true));
    for (number, is_mixed) in whole.chain(mixed) {
        if is_mixed && !texts.is_empty() {
            break;
        }
        let explains = 1 << number;
        let reading = Reading(number);
        let Some(back) = runs::read_back(line, reading, is_mixed) else {
            continue;
        };
        if let Some((_, same)) = texts.iter_mut().find(|(_, other)| other.text == back.text) {
            same.explains |= explains;
            continue;
        }
        let score = Score {
            count: back.count,
            oddities: Reverse(0),
        };
        texts.push((
            score,
            Original {
                text: back.text,
                reading,
                explains,
            },
        ));
    }
    if texts.len() > 1 {
        for (score, original) in &mut texts {
            score.oddities = Reverse(fit::oddities(&original.text));
        }
        let best = texts.iter().map(|(score, _)| *score).max();
        texts.retain(|(score, _)| Some(*score) == best);
    }
    let mut texts: Vec<_> = texts.into_iter().map(|(_, original)| original).collect();
    let preferred = (0..texts.len()).find(|&one| {
        let mut others = texts.iter().enumerate().filter(|(other, _)| *other != one);
        others.all(|(_, other)| history.prefers(&texts[one], other))
    });
    match preferred {
        Some(preferred) => vec![texts.swap_remove(preferred)],
        None => texts,
    }
}

/// The quality of an original; the first field takes precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    /// The number of characters in the original of the line's runs.
    count: usize,
    /// The number of oddities of the original; fewer are better.
    oddities: Reverse<usize>,
}

/// True for signs that programs insert into text that is otherwise ASCII.
fn is_typographic(character: char) -> bool {
    matches!(
        character,
        '\u{2010}'..='\u{2026}' | '\u{A0}' | '«' | '»' | '©' | '®' | '™' | '€' | '°' | '·'
    )
}
