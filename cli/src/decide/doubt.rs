//! What a doubt is: why a file is doubtful, and the candidates as a person would read them.

use super::SHOWN;
use crate::engine::{self, Place};
use crate::survey::Survey;
use mojika::sniff::detect::{Content, Guess, Ranking};
use mojika::sniff::judge::Judgement;
use mojika::sniff::{Decision, xml};
use mojika::{BomHandling, Encoding};

/// Why a file is doubtful, and what a person needs to choose.
#[derive(Clone, Debug, Default)]
pub struct Doubt {
    /// In words.
    pub reason: String,
    pub candidates: Vec<Candidate>,
    /// Where it is malformed in what is declared or decided.
    pub place: Option<Place>,
}

/// An encoding that a doubtful file may be in.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub encoding: &'static Encoding,
    /// That the text is right; `None` for what is declared.
    pub probability: Option<f32>,
    /// The first line beyond ASCII as it would read.
    pub line: String,
}

impl Doubt {
    /// What is to be said of XML that contradicts itself.
    pub fn of_contradiction(error: &xml::XmlError, place: Place) -> Self {
        Self {
            reason: format!("{error}{}", place.in_lines()),
            place: Some(place),
            ..Self::default()
        }
    }

    /// A text of lines in two encodings, and where the first is that is not UTF-8.
    pub(super) fn of_lines(survey: &Survey, place: Option<Place>) -> Self {
        let [utf_8, others] = survey.lines();
        let at = place.map_or_else(String::new, |place| {
            format!(", the first of these at {place}")
        });
        let (lines, others_are) = (
            if utf_8 == 1 { "line is" } else { "lines are" },
            if others == 1 { "is" } else { "are" },
        );
        Self {
            reason: format!(
                "{utf_8} {lines} UTF-8 and {others} {others_are} in another encoding{at}; --mixed converts each from its own"
            ),
            place,
            ..Self::default()
        }
    }

    /// A part of the text is in another encoding than the one that was decided on.
    pub(super) fn of_change(
        decision: Decision,
        place: Option<Place>,
        ranking: &Ranking,
        part: &[u8],
    ) -> Self {
        let shown = ranking
            .first()
            .map_or("another encoding", |guess| guess.encoding.name());
        Self {
            reason: of_several(decision, place, shown),
            place,
            ..Self::of_part_read(decision.encoding, ranking, part)
        }
    }

    /// UTF-8 with text in ISO-2022-JP.
    pub(super) fn of_escapes(decision: Decision, place: Option<Place>) -> Self {
        Self {
            reason: of_several(decision, place, mojika::ISO_2022_JP.name()),
            place,
            ..Self::default()
        }
    }

    /// The candidates of a part, and what it was taken for.
    fn of_part_read(decided: &'static Encoding, ranking: &Ranking, part: &[u8]) -> Self {
        let as_decided = Candidate::new(decided, None, part);
        let guesses = ranking.iter();
        let guesses =
            guesses.map(|guess| Candidate::new(guess.encoding, Some(guess.probability), part));
        Self {
            candidates: guesses.take(SHOWN - 1).chain([as_decided]).collect(),
            ..Self::default()
        }
    }

    /// A text that is in another encoding from a part on, which begins before `place`.
    pub(super) fn of_part(
        decision: Decision,
        place: Place,
        ranking: &Ranking,
        part: &[u8],
    ) -> Self {
        let Decision {
            encoding, source, ..
        } = decision;
        Self {
            reason: format!(
                "{encoding} by its beginning ({source}), but malformed in it at {place}"
            ),
            place: Some(place),
            ..Self::of_part_read(encoding, ranking, part)
        }
    }

    /// The same doubt about a pipe that has been converted.
    pub(super) fn of_written(mut self) -> Self {
        self.reason += "; it has been written by then, and a file is read again";
        self
    }

    /// A pipe that is malformed at a place after the bytes that its decision rests on.
    pub fn of_pipe(decision: Decision, place: Place) -> Self {
        Self {
            reason: format!(
                "{} by its beginning ({}), but malformed in it at {place}, which has been written by then: a file is read again",
                decision.encoding, decision.source
            ),
            place: Some(place),
            ..Self::default()
        }
    }

    pub(super) fn of(judgement: &Judgement, head: &[u8], window: &[u8]) -> Self {
        let declared = judgement
            .declared
            .filter(|_| judgement.malformed.is_some() || judgement.contradiction.is_some());
        let place = declared
            .zip(judgement.malformed)
            .map(|(declared, offset)| Place {
                offset,
                line: line_of(declared.encoding, head, offset),
            });
        let reason = match (declared, place) {
            (Some(declared), Some(place)) => format!(
                "declared {} ({}), but malformed in it at {place}",
                declared.encoding, declared.source
            ),
            _ if let (Some(declared), Some(shown)) =
                (judgement.declared, judgement.contradiction) =>
            {
                format!(
                    "declared {} ({}), but its bytes show {shown}",
                    declared.encoding, declared.source
                )
            }
            _ => match judgement.ranking.first() {
                Some(guess) => format!(
                    "{} with a probability of {}",
                    guess.encoding,
                    hundredths(guess.probability)
                ),
                None => match judgement.ranking.content() {
                    Content::Unsupported(name) => format!("this is {name}, {}", no_answer(name)),
                    Content::Binary => "more control characters than text has".to_owned(),
                    _ => "nothing says which encoding this is".to_owned(),
                },
            },
        };
        let as_declared = declared.map(|declared| Candidate::new(declared.encoding, None, window));
        let guessed =
            |guess: &Guess| Candidate::new(guess.encoding, Some(guess.probability), window);
        let guesses = judgement.ranking.iter().map(guessed);
        Self {
            reason,
            candidates: guesses.chain(as_declared).take(SHOWN).collect(),
            place,
        }
    }
}

/// The reason why a text is not in one encoding.
fn of_several(decision: Decision, place: Option<Place>, shown: &str) -> String {
    let at = place.map_or_else(String::new, |place| format!(" at {place}"));
    format!(
        "{} as a whole ({}), but a part of it{at} is in {shown} by its bytes: it may have been put together of several texts",
        decision.encoding, decision.source
    )
}

impl Candidate {
    fn new(encoding: &'static Encoding, probability: Option<f32>, window: &[u8]) -> Self {
        Self {
            encoding,
            probability,
            line: line(encoding, window),
        }
    }
}

/// The line and the column of a malformed sequence; `None` if it is not in what there is of the file's start.
pub(super) fn line_of(encoding: &'static Encoding, head: &[u8], offset: u64) -> Option<(u64, u64)> {
    let before = head.get(..usize::try_from(offset).ok()?)?;
    let text = encoding.decode_with(before, BomHandling::Remove).text;
    engine::line_after(&mut text.as_bytes()).ok()
}

/// Characters that are shown of a line, at most.
const LINE: usize = 72;

/// The first line beyond ASCII as it reads in an encoding. Controls and what would move the cursor become U+FFFD.
fn line(encoding: &'static Encoding, window: &[u8]) -> String {
    // More than a line that fits a screen, in any encoding.
    let text = encoding
        .decode_with(&window[..window.len().min(2048)], BomHandling::Remove)
        .text;
    let first = text
        .find(|character: char| !character.is_ascii())
        .unwrap_or(0);
    let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let beyond = line
        .find(|character: char| !character.is_ascii())
        .unwrap_or(0);
    // What is beyond ASCII is to be seen, not what precedes it.
    let before = line[..beyond].chars().count().saturating_sub(LINE / 3);
    let shown = line.chars().skip(before).take(LINE).map(|character| {
        if crate::quote::is_unsafe(character) {
            '\u{FFFD}'
        } else {
            character
        }
    });
    let shown: String = shown.collect();
    shown.trim().to_owned()
}

/// A probability for people to read: rounded down, as no guess is certain, and what is asked for is not reached by rounding.
pub fn hundredths(probability: f32) -> String {
    format!("{:.2}", (probability * 100.0).floor() / 100.0)
}

/// Why an encoding that detection names is no answer.
pub fn no_answer(name: &str) -> &'static str {
    let is_extended = name == "EBCDIC" || mojika::extended::for_name(name).is_some();
    if is_extended {
        "which --extended guesses"
    } else {
        "which nothing here decodes"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika::sniff::judge;

    #[test]
    fn a_line_is_shown_from_before_its_first_letter_beyond_ascii() {
        let text = b"first line\nsecond \xCF\xF0\xE8\xE2\xE5\xF2\x1B[31m\nthird \xCF\n";
        assert_eq!(
            line(mojika::WINDOWS_1251, text),
            "second Привет\u{FFFD}[31m"
        );
        let long = [&[b'a'; 300][..], b"\xE9"].concat();
        assert!(line(mojika::WINDOWS_1252, judge::window(&long)).ends_with("aaaé"));
    }
}
