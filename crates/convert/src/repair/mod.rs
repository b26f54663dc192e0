//! Text that was decoded in the wrong encoding and saved: UTF-8 that was read in another encoding, and written as UTF-8
//! again (`Ã©`, `РџСЂ`, `文å—`), and text in an old encoding that was read in ISO-8859-1 (`ÑÅÊÐÅÒ`).
//!
//! [`repair`] gives the text back with a [`Finding`] for each line, and [`inspect`] only finds. Each finding explains itself
//! by the [`Misreading`]s that were undone.
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
//! One rule finds UTF-8 in all readings. A *run* is the text between two characters of ASCII. A line is encoded twice if one
//! encoding has all of its runs, and the bytes of each run are UTF-8 for fewer characters. The number of characters that
//! this takes depends on their kind: `é` may be one, letters of Cyrillic are three, Chinese characters from GBK are four.
//! Beside good text, a run must be one that no text has. In doubt, a line stays.
//!
//! `RepairReader` does this with each line of a stream.

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

/// The most times that a text may have been encoded.
const MOST_ROUNDS: usize = 3;

/// One decoding in a wrong encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misreading {
    /// The encoding of the text.
    pub encoding: &'static Encoding,
    /// The encoding in which it was read by mistake.
    pub read_as: &'static Encoding,
}

impl fmt::Display for Misreading {
    /// Writes the steps that undo it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "encode {}, decode {}", self.read_as, self.encoding)
    }
}

/// A line that was decoded in the wrong encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its number, from 1.
    pub line: u64,
    /// The line as it stood.
    pub before: String,
    /// The line after the repair; `None` if it stays.
    pub after: Option<String>,
    /// The misreadings that explain the line, the last one first; alternatives, if it stays.
    pub misreadings: Vec<Misreading>,
}

impl Finding {
    /// Certain if one text explains the line, and tentative if several do: then it stays.
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
    /// The text, in which lines that may have been several texts are as they were.
    pub text: Cow<'t, str>,
    /// The lines that were found, in order.
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

/// Evidence of earlier lines for the readings.
///
/// Some bytes are letters in two readings: `Ã€` is `À` read in windows-1252, and `ä` read in ISO-8859-15. Without other
/// evidence in the line, the reading that explains more earlier lines wins.
#[derive(Default)]
pub struct History {
    /// For each pair of readings, the number of lines that only the first one explains.
    lines: [[u64; READINGS]; READINGS],
    misread: misread::History,
}

/// The factor by which the lines of one reading alone must exceed those of the other alone.
const CLEARLY: u64 = 8;

impl History {
    /// Adds a line that these readings explain.
    fn add(&mut self, explains: u32) {
        for one in numbers(explains) {
            for other in numbers(!explains) {
                self.lines[one][other] += 1;
            }
        }
    }

    /// True if a reading of one text explains the earlier lines, and no reading of another text
    /// does.
    fn prefers(&self, one: &Original, other: &Original) -> bool {
        numbers(one.explains).any(|one| {
            numbers(other.explains)
                .all(|other| self.lines[one][other] > CLEARLY * self.lines[other][one])
        })
    }
}

/// The numbers of the readings that have their bit set.
fn numbers(bits: u32) -> impl Iterator<Item = usize> {
    (0..READINGS).filter(move |number| bits & 1 << number != 0)
}

/// The line before it was decoded in the wrong encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undone {
    /// It is as it should be.
    Clean,
    /// The line as it was, and its misreadings, the last one first.
    Text(String, Vec<Misreading>),
    /// It was decoded in one of several wrong encodings.
    Ambiguous(Vec<Misreading>),
}

impl Undone {
    /// The finding about a line with which `text` begins.
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

/// Returns the original of a line; `history` is that of the lines before it.
pub fn undo(line: &str, history: &mut History) -> Undone {
    undo_of(line, history, Signs::of(line.as_bytes()))
}

/// Returns the original of a line of a text with these signs.
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
    // Controls come from text that was read in the wrong encoding, and disappear when every round is undone.
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

/// True if a character is a control that text has not.
fn is_c1(character: char) -> bool {
    matches!(character, '\u{80}'..='\u{9F}')
}

/// A text that was read in another encoding, and so became a line.
struct Original {
    text: String,
    reading: Reading,
    /// A bit for each reading by which `text` becomes the line.
    explains: u32,
}

/// Returns the best original texts of the line by all readings; none without a reading.
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

/// The quality of an original; the first field counts more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    /// The number of characters that the runs of the line have become.
    count: usize,
    /// The number of oddities: the fewer, the better.
    oddities: Reverse<usize>,
}

/// Signs that programs put into text that is ASCII otherwise.
fn is_typographic(character: char) -> bool {
    matches!(
        character,
        '\u{2010}'..='\u{2026}' | '\u{A0}' | '«' | '»' | '©' | '®' | '™' | '€' | '°' | '·'
    )
}
