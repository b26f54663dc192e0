//! The reason why a file is doubtful, and the candidates as a user would see them.

use super::SHOWN;
use crate::engine::{self, Part, Place};
use crate::survey::{Survey, Wide};
use mojika::{BomHandling, Decoder, Encoding, UTF_8, extended};
use mojika_sniff::detect::{Content, Ranking};
use mojika_sniff::judge::Judgement;
use mojika_sniff::{Decision, Source, bom, xml};
use std::fmt;

/// The number of non-ASCII bytes for each malformed sequence up to which a guess is doubtful.
const LEAST_PER_MALFORMED: usize = 64;

/// The remedy for a text that is not in the encoding of its byte order mark.
const FALSE_MARK: &str = "if the mark is false, --bom ignore lets --from decide";

/// The reason why a file is doubtful, with the facts for a choice.
#[derive(Clone, Debug, Default)]
pub struct Doubt {
    /// The reason in words.
    pub reason: String,
    /// The possible encodings.
    pub candidates: Vec<Candidate>,
    /// The position of a malformed sequence in the declared or decided encoding.
    pub place: Option<Place>,
    /// The remedy in words, with the options of the command; empty if only the usual one helps, `--from`.
    pub remedy: String,
    /// True if `--from` alone does not help.
    pub is_named: bool,
}

/// Formats the reason and the remedy.
impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        match &*self.remedy {
            "" => Ok(()),
            remedy => write!(f, "; {remedy}"),
        }
    }
}

/// A possible encoding of a doubtful file.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// The probability that the text is right; `None` for a declared encoding.
    pub probability: Option<f32>,
    /// The first line that the two most likely encodings decode differently, decoded in this encoding.
    pub line: String,
}

impl Doubt {
    /// Returns the doubt about XML that contradicts itself.
    pub(super) fn of_contradiction(
        error: &xml::XmlError,
        place: Place,
        ranking: &Ranking,
        window: &[u8],
    ) -> Self {
        Self {
            reason: format!("{error}{}", place.in_lines()),
            candidates: candidates(guesses(ranking).take(SHOWN), window),
            place: Some(place),
            ..Self::default()
        }
    }

    /// Returns the doubt about a text with lines in two encodings; `place` is in the first line that is not UTF-8.
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
                "{utf_8} {lines} UTF-8 and {others} {others_are} in another encoding{at}"
            ),
            remedy: "--mixed converts each from its own".to_owned(),
            place,
            is_named: true,
            ..Self::default()
        }
    }

    /// Returns the doubt about lines that were read as UTF-8, but may be so by chance.
    pub(super) fn of_chance(survey: &Survey, other: &'static Encoding) -> Self {
        let reason = format!("lines that may be UTF-8 or {other}: {}", survey.lines()[0]);
        Self {
            reason,
            ..Self::default()
        }
    }

    /// Returns the doubt about a line with words in UTF-8 and in another encoding.
    pub(super) fn of_torn(place: Option<Place>) -> Self {
        let at = place.map_or_else(String::new, |place| format!(" at {place}"));
        Self {
            reason: format!("UTF-8 and another encoding in one line{at}"),
            remedy: "make two lines of it".to_owned(),
            place,
            is_named: true,
            ..Self::default()
        }
    }

    /// Returns the doubt about a text that has parts in UTF-16 and parts in other encodings. `is_whole` is true if the
    /// text starts at the document's start.
    pub(super) fn of_parts(wide: &Wide, is_whole: bool) -> Option<Self> {
        let name = |part: &Part| part.encoding.map_or("text of single bytes", Encoding::name);
        let [first, second, ..] = &wide.parts()[..] else {
            return Self::of_half(wide, is_whole);
        };
        let place = Some(second.place).filter(|_| is_whole);
        let at = place.map_or_else(String::new, |place| format!(" at {place}"));
        let mut doubt = Self {
            reason: format!("{} turns into {}{at}", name(first), name(second)),
            remedy: "--mixed converts each part of a file from its own encoding".to_owned(),
            place,
            is_named: true,
            ..Self::default()
        };
        if place.is_some_and(|place| place.offset == 2) {
            doubt.add_remedy(FALSE_MARK);
        }
        Some(doubt)
    }

    /// Returns the doubt about UTF-16 that has half a character.
    pub(crate) fn of_half(wide: &Wide, is_whole: bool) -> Option<Self> {
        let place = wide.half().map(|place| is_whole.then_some(place))?;
        let at = place.map_or_else(String::new, |place| format!(" at {place}"));
        let reason = format!("UTF-16 with half a character{at}: it may have been filtered");
        Some(Self {
            reason,
            remedy: "convert the file as it was before".to_owned(),
            place,
            is_named: true,
            ..Self::default()
        })
    }

    /// Returns the doubt about a text with a part that is in another encoding than the decided one.
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

    /// Returns the doubt about UTF-8 that contains ISO-2022-JP.
    pub(super) fn of_escapes(decision: Decision, place: Option<Place>) -> Self {
        Self {
            reason: of_several(decision, place, mojika::ISO_2022_JP.name()),
            place,
            ..Self::default()
        }
    }

    /// Returns a doubt with the candidates for a part; the decided encoding is the last candidate.
    fn of_part_read(decided: &'static Encoding, ranking: &Ranking, part: &[u8]) -> Self {
        let others = guesses(ranking).filter(|(encoding, _)| *encoding != decided);
        let guesses = others.take(SHOWN - 1);
        Self {
            candidates: candidates(guesses.chain([(decided, None)]), part),
            ..Self::default()
        }
    }

    /// Returns the doubt about a text that is malformed in the guessed encoding, and well-formed in another guess. `text`
    /// is at `offset` of the document.
    pub(super) fn of_malformed(judgement: &Judgement, text: &[u8], offset: u64) -> Option<Self> {
        let decision = judgement.decision;
        let encoding = decision.encoding;
        let is_guess = decision.source == Source::Detection && encoding != UTF_8;
        // Text is well-formed in most single-byte encodings.
        let others = judgement.ranking.iter().skip(1);
        let mut others = others.filter(|one| !one.encoding.is_single_byte());
        // The counts of detection are free, but they leave out a character that is cut at the start.
        if !is_guess || encoding.is_single_byte() || others.clone().all(|one| one.malformed > 0) {
            return None;
        }
        let malformed = |encoding: &'static Encoding| {
            let mut read = String::new();
            // The end of the text may be missing.
            Decoder::new(encoding, BomHandling::Keep).decode_append(text, &mut read, false);
            read.matches('\u{FFFD}').count()
        };
        let high = text.iter().filter(|byte| !byte.is_ascii()).count();
        let is_often = high <= LEAST_PER_MALFORMED * malformed(encoding);
        if !is_often || !others.any(|other| malformed(other.encoding) == 0) {
            return None;
        }
        let error = encoding.with(BomHandling::Keep).decode_fatal(text).err()?;
        let place = Place {
            offset: offset + error.sequence.offset,
            line: line_of(encoding, text, error.sequence.offset).filter(|_| offset == 0),
        };
        Some(Self::of_part(decision, place, &judgement.ranking, text))
    }

    /// Returns the doubt about a text whose encoding changes within a part. The part starts before `place`.
    pub(super) fn of_part(
        decision: Decision,
        place: Place,
        ranking: &Ranking,
        part: &[u8],
    ) -> Self {
        Self {
            reason: malformed_later(decision, place),
            place: Some(place),
            ..Self::of_part_read(decision.encoding, ranking, part)
        }
    }

    /// Adds to the remedy that the text has been written, because it came from a pipe.
    pub fn of_written(mut self) -> Self {
        self.add_remedy("it has been written by then, and a file is read again");
        self
    }

    /// Adds to the remedy.
    pub(super) fn add_remedy(&mut self, remedy: &str) {
        if !self.remedy.is_empty() {
            self.remedy += "; ";
        }
        self.remedy += remedy;
    }

    /// Returns the doubt about a pipe that is malformed after the examined bytes.
    pub fn of_pipe(decision: Decision, place: Place) -> Self {
        Self {
            reason: malformed_later(decision, place),
            place: Some(place),
            ..Self::default()
        }
        .of_written()
    }

    /// Returns the doubt about a judgement, with the text of the transport if there is one.
    pub(super) fn of(
        judgement: &Judgement,
        transport: Option<&str>,
        head: &[u8],
        window: &[u8],
    ) -> Self {
        let said = |declared: Decision| match (declared.source, transport) {
            (Source::Transport, Some(transport)) => said(declared, transport.as_bytes()),
            _ => said(declared, head),
        };
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
            (Some(declared), Some(place)) => {
                format!("{}, but malformed in it at {place}", said(declared))
            }
            _ if let (Some(declared), Some(shown)) =
                (judgement.declared, judgement.contradiction) =>
            {
                format!("{}, but its bytes show {shown}", said(declared))
            }
            _ => match judgement.ranking.first() {
                Some(guess) => {
                    // The decision's probability includes that of other guesses that decode to the same text.
                    let of_text = judgement
                        .probability
                        .filter(|_| guess.encoding == judgement.decision.encoding);
                    let probability = of_text.unwrap_or(guess.probability);
                    format!(
                        "{} with a probability of {}",
                        guess.encoding,
                        hundredths(probability)
                    )
                }
                None => match judgement.ranking.content() {
                    Content::Unsupported(name) => format!("this is {name}, {}", no_answer(name)),
                    Content::Binary => "more control characters than text has".to_owned(),
                    _ => "nothing says which encoding this is".to_owned(),
                },
            },
        };
        let as_declared = declared.map(|declared| (declared.encoding, None));
        let others = guesses(&judgement.ranking)
            .filter(|(guess, _)| declared.is_none_or(|declared| *guess != declared.encoding));
        let in_question = others
            .take(SHOWN - as_declared.iter().len())
            .chain(as_declared);
        Self {
            reason,
            candidates: candidates(in_question, window),
            remedy: match declared.filter(|_| place.is_some()) {
                Some(declared) if declared.source == Source::Bom => FALSE_MARK.to_owned(),
                _ => String::new(),
            },
            place,
            is_named: false,
        }
    }
}

/// Returns a description of the declaration. `text` is the text that contains its label.
fn said(declared: Decision, text: &[u8]) -> String {
    let Decision {
        encoding, source, ..
    } = declared;
    let text = String::from_utf8_lossy(text);
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c));
    let label = words.find(|word| extended::find(word) == Some(encoding));
    let is_other = |label: &&str| !label.eq_ignore_ascii_case(encoding.name());
    match label.filter(is_other).filter(|_| source != Source::Bom) {
        Some(label) => format!("declared {label}, which is {encoding} ({source})"),
        None => format!("declared {encoding} ({source})"),
    }
}

/// Returns the guessed encodings with their probabilities.
fn guesses(ranking: &Ranking) -> impl Iterator<Item = (&'static Encoding, Option<f32>)> + '_ {
    let guesses = ranking.iter();
    guesses.map(|guess| (guess.encoding, Some(guess.probability)))
}

/// Returns the reason why a text is not in a single encoding.
fn of_several(decision: Decision, place: Option<Place>, shown: &str) -> String {
    let at = place.map_or_else(String::new, |place| format!(" at {place}"));
    format!(
        "{} as a whole ({}), but a part of it{at} is in {shown} by its bytes: it may have been put together of several texts",
        decision.encoding, decision.source
    )
}

/// Returns the reason why a text changes its encoding after the examined part.
fn malformed_later(decision: Decision, place: Place) -> String {
    format!(
        "{} by its beginning ({}), but malformed in it at {place}",
        decision.encoding, decision.source
    )
}

/// Returns the line and the column of a malformed sequence; `None` if the sequence is not in `head`.
pub(super) fn line_of(encoding: &'static Encoding, head: &[u8], offset: u64) -> Option<(u64, u64)> {
    let before = head.get(..usize::try_from(offset).ok()?)?;
    let text = encoding.with(BomHandling::Remove).decode(before).text;
    engine::line_after(&mut text.as_bytes()).ok()
}

/// The maximum number of characters that are shown of a line.
const LINE: usize = 72;

/// Returns the possible encodings, with one line of the text in each.
///
/// The line is the first that the first two encodings decode differently: equal lines do not help the user to choose.
fn candidates(
    encodings: impl Iterator<Item = (&'static Encoding, Option<f32>)>,
    window: &[u8],
) -> Vec<Candidate> {
    // Each encoding is tried without the mark, as --bom ignore does.
    let window = &window[bom::of_text(window).map_or(0, |bom| bom.length)..];
    let read = encodings.map(|(encoding, probability)| {
        let text = encoding.with(BomHandling::Remove).decode(window).text;
        (encoding, probability, text)
    });
    let read: Vec<_> = read.collect();
    let differs = match &read[..] {
        [(one, _, first), (other, _, second), ..]
            if one.is_ascii_compatible() && other.is_ascii_compatible() =>
        {
            difference(first, second)
        }
        _ => None,
    };
    let candidates = read.iter().map(|(encoding, probability, text)| {
        let place = differs.filter(|_| encoding.is_ascii_compatible());
        Candidate {
            encoding,
            probability: *probability,
            line: line(text, place.unwrap_or_else(|| beyond_ascii(text))),
        }
    });
    candidates.collect()
}

/// Returns the index of the first line that differs, and the index of the first different character in that line.
fn difference(one: &str, other: &str) -> Option<(usize, usize)> {
    let mut lines = one.lines().zip(other.lines()).enumerate();
    let (line, (one, other)) = lines.find(|(_, (one, other))| one != other)?;
    let same = one.chars().zip(other.chars());
    Some((line, same.take_while(|(one, other)| one == other).count()))
}

/// Returns the index of the first non-ASCII line, and the index of the first non-ASCII character in that line.
fn beyond_ascii(text: &str) -> (usize, usize) {
    let mut lines = text.lines().enumerate();
    let found = lines.find(|(_, line)| !line.is_ascii());
    found.map_or((0, 0), |(line, text)| {
        (line, text.chars().take_while(char::is_ascii).count())
    })
}

/// Returns the part of a line around a character. Control characters and those that move the cursor become U+FFFD.
fn line(text: &str, (line, character): (usize, usize)) -> String {
    let line = text.lines().nth(line).unwrap_or_default();
    // The excerpt shows more characters after the difference than before.
    let before = character.saturating_sub(LINE / 3);
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

/// Formats a probability for users. It is rounded down, so that it reaches neither 1 nor the required value.
pub fn hundredths(probability: f32) -> String {
    format!("{:.2}", (probability * 100.0).floor() / 100.0)
}

/// Returns the reason why the encoding `name`, which detection found, cannot be the answer.
pub fn no_answer(name: &str) -> &'static str {
    let is_extended = name == "EBCDIC" || mojika::extended::for_name(name).is_some();
    if is_extended {
        "which is guessed with --extended"
    } else {
        "which nothing here decodes"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika_sniff::judge;

    /// Returns the lines of a text in two encodings.
    fn lines(encodings: [&'static Encoding; 2], text: &[u8]) -> Vec<String> {
        let encodings = encodings.into_iter().map(|encoding| (encoding, None));
        let candidates = candidates(encodings, text);
        candidates.into_iter().map(|one| one.line).collect()
    }

    #[test]
    fn a_line_is_shown_from_before_its_first_letter_beyond_ascii() {
        let text = b"first line\nsecond \xCF\xF0\xE8\xE2\xE5\xF2\x1B[31m\nthird \xCF\n";
        let shown = lines([mojika::WINDOWS_1251, mojika::KOI8_R], text);
        assert_eq!(
            shown,
            ["second Привет\u{FFFD}[31m", "second оПХБЕР\u{FFFD}[31m"]
        );
        let long = [&[b'a'; 300][..], b"\xE9"].concat();
        let shown = lines([mojika::WINDOWS_1252, mojika::KOI8_R], judge::window(&long));
        assert!(shown[0].ends_with("aaaé"), "{shown:?}");
    }

    #[test]
    fn the_line_that_is_shown_differs_between_the_likeliest() {
        let same = b"\xEA\xE1\xEB\xFC\n".repeat(60);
        let text = [&same[..], b"and \xB6\xEB\xEB\xE1\n"].concat();
        let greek = [mojika::ISO_8859_7, mojika::WINDOWS_1253];
        assert_eq!(lines(greek, &text), ["and Άλλα", "and ¶λλα"]);
        // The difference is 200 characters after the start of the line.
        let text = [&same[..4], &b" ".repeat(200), b"\xB6\n"].concat();
        assert_eq!(lines(greek, &text), ["Ά", "¶"]);
        // UTF-16 has other line breaks than single bytes, so each candidate shows its own first non-ASCII line.
        let wide = mojika::UTF_16LE.encode("ab\n文字\n").unwrap();
        let own = ["文字", "\u{FFFD}‡eW["];
        let mut readings = [mojika::UTF_16LE, mojika::WINDOWS_1251];
        assert_eq!(lines(readings, &wide), own);
        readings.reverse();
        assert_eq!(lines(readings, &wide), [own[1], own[0]]);
        // If the encodings decode all lines alike, the first non-ASCII line is shown.
        assert_eq!(lines(greek, &same), ["καλό", "καλό"]);
    }
}
