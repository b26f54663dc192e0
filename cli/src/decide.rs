//! The encoding of a file that the user does not name, and whether that is sure enough to convert it.
//!
//! Every route asks here: one file, a pipe, folders, `check`, `detect`. The library's [`judge`](mojika::sniff::judge)
//! decides; this module says what a file is read as, how much of it there is to look at, and what a doubt is.

use crate::engine::{self, Place, Trouble, TroubleKind};
use crate::mail;
use crate::survey::Survey;
use mojika::sniff::detect::{Content, Guess, Ranking};
use mojika::sniff::judge::{self, Judge, Judgement, Policy};
use mojika::sniff::{Context, Decision, Hints, Source, bom, xml};
use mojika::{BomHandling, Encoding};
use std::io::{self, Read};
use std::path::Path;

/// Bytes to read at once.
const PIECE: usize = 64 << 10;

/// Parts of a text that are compared after what its decision rests on, at most.
const MOST_PARTS: usize = 64;

/// Candidates that are shown of a doubtful file.
pub const SHOWN: usize = 3;

/// What files are read as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileContext {
    /// By the file's extension, else by its first bytes.
    #[default]
    Auto,
    /// This kind of file.
    Of(Context),
    /// This place of the Web, by its row of the library's table.
    Web(Context),
}

impl FileContext {
    /// The library's context for a file that starts with `head`; the extension is the one of the text, decompressed.
    pub fn resolve(self, path: Option<&Path>, head: &[u8]) -> Context {
        match self {
            FileContext::Auto => path
                .and_then(by_extension)
                .unwrap_or_else(|| Context::of_content(head)),
            FileContext::Of(context) | FileContext::Web(context) => context,
        }
    }
}

/// What an extension says. That of a text file says nothing: pages and XML are saved as such, too.
fn by_extension(path: &Path) -> Option<Context> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match &*extension {
        "html" | "htm" | "shtml" | "php" | "asp" | "aspx" | "jsp" => Context::HtmlParser,
        "xml" | "xhtml" | "xht" | "svg" | "rss" | "atom" | "rdf" | "xsl" | "xslt" | "xsd"
        | "opml" | "kml" | "gpx" | "wsdl" | "ent" | "dtd" => Context::XmlParser,
        "css" => Context::CssFromDocument,
        _ => return None,
    })
}

/// How to decide.
#[derive(Clone, Debug, Default)]
pub struct Question {
    pub context: FileContext,
    /// A label or a Content-Type.
    pub transport: Option<String>,
    pub environment: Option<&'static Encoding>,
    pub locale: Option<String>,
    pub tld: Option<String>,
    pub allowed: Option<Vec<&'static Encoding>>,
    pub denied: Vec<&'static Encoding>,
    pub extended: bool,
    /// The probability from which on a text is converted.
    pub confidence: f32,
    pub distrust_declared: bool,
    /// Whether every file is taken for text.
    pub is_text: bool,
}

impl Question {
    /// The same hints for a document of the Web; its own host counts more than that of the question.
    #[cfg(all(unix, feature = "warc"))]
    pub fn hints_of<'a>(&'a self, hints: &Hints<'a>) -> Hints<'a> {
        let own = self.hints(hints.context);
        Hints {
            transport: hints.transport,
            tld: hints.tld.or(own.tld),
            ..own
        }
    }

    fn hints(&self, context: Context) -> Hints<'_> {
        Hints {
            transport: self.transport.as_deref().map(str::as_bytes),
            implied_environment: self.environment,
            locale: self.locale.as_deref(),
            tld: self.tld.as_deref(),
            ..Hints::new(context)
        }
    }

    /// How declarations are weighed against bytes.
    pub fn policy(&self) -> Policy<'_> {
        let mut policy = Policy::default();
        policy.distrust_declared = self.distrust_declared;
        policy.is_text = self.is_text;
        policy.allowed = self.allowed.as_deref();
        policy.denied = &self.denied;
        policy.extended = self.extended;
        policy.by_table = matches!(self.context, FileContext::Web(_));
        policy
    }

    /// Decides on a file that is all in memory.
    pub fn of_bytes(&self, path: Option<&Path>, bytes: &[u8]) -> Decided {
        let hints = self.hints(self.context.resolve(path, bytes));
        let judged = judge::judge(bytes, &hints, &self.policy());
        let decided = Decided::new(
            judged,
            self,
            bytes,
            judge::window(bytes),
            bytes.len() as u64,
        );
        self.doubting_lines(decided, bytes, true)
    }

    /// A guess, unless some lines are in UTF-8 and others are not. `is_whole` says whether the lines are those of the text
    /// from its start on.
    fn doubting_lines(&self, mut decided: Decided, lines: &[u8], is_whole: bool) -> Decided {
        let is_guess = decided.decision().is_some_and(|decision| {
            decision.source == Source::Detection && decision.encoding.is_ascii_compatible()
        });
        if !is_guess || !matches!(decided.outcome, Outcome::Sure) || self.confidence == 0.0 {
            return decided;
        }
        // Reading bytes in memory does not fail.
        let survey = Survey::of(lines).unwrap_or_default();
        if survey.is_mixed() {
            let place = survey.first.filter(|_| is_whole);
            let doubt = Doubt::of_lines(&survey, place);
            decided.outcome = Outcome::Doubtful(Box::new(doubt));
        }
        decided
    }

    /// The doubt about a file that is guessed to be in one encoding, of which no more than the beginning was looked at.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be read.
    pub fn doubt_lines(&self, decided: &Decided, text: impl Read) -> io::Result<Option<Doubt>> {
        let is_guess = decided.decision().is_some_and(|decision| {
            decision.source == Source::Detection
                && decision.encoding.is_ascii_compatible()
                && decision.encoding != mojika::UTF_8
        });
        if !is_guess || !matches!(decided.outcome, Outcome::Sure) || self.confidence == 0.0 {
            return Ok(None);
        }
        let survey = Survey::of(text)?;
        Ok(survey
            .is_mixed()
            .then(|| Doubt::of_lines(&survey, survey.first)))
    }

    /// Decides on a file that begins with `head`, of which as much is read as may matter.
    ///
    /// # Errors
    ///
    /// Fails if the reader does.
    pub fn of_reader(
        &self,
        path: Option<&Path>,
        head: &[u8],
        rest: &mut dyn Read,
    ) -> io::Result<Decided> {
        let mut judge = self.judge(path, head);
        judge.feed(head);
        let mut piece = vec![0; PIECE];
        while !judge.is_decided() {
            match rest.read(&mut piece) {
                Ok(0) => break,
                Ok(length) => judge.feed(&piece[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.concluded(&judge, head))
    }

    /// What a file is by a judgement and its start, if it is no text.
    pub fn binary(&self, judgement: &Judgement, head: &[u8]) -> Option<&'static str> {
        if self.is_text {
            return None;
        }
        let is_guess = matches!(
            judgement.decision.source,
            Source::Detection | Source::Locale | Source::Default
        );
        let encoding = judgement.decision.encoding;
        let encoding = (!is_guess || is_wide(encoding)).then_some(encoding);
        let format = judgement.ranking.format().filter(|_| is_guess);
        format.or_else(|| binary(head, encoding))
    }

    /// The doubt about a text that was converted by a decision, and turned out to be malformed later: whether it is in
    /// another encoding there. `text` is all of it.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be read again.
    pub fn doubt_later(
        &self,
        decision: Decision,
        later: &Later,
        text: &mut dyn Read,
    ) -> io::Result<Option<Doubt>> {
        let encoding = decision.encoding;
        let mut read = 0;
        let mut part = Vec::new();
        for &place in &later.places {
            let start = read.max((place.offset - HALF) & !3);
            io::copy(&mut text.take(start - read), &mut io::sink())?;
            part.clear();
            let length = text
                .take(place.offset + HALF - start)
                .read_to_end(&mut part)?;
            read = start + length as u64;
            // No line begins within a character.
            let before = part.len().min((place.offset - start) as usize);
            let line = match encoding.code_unit_len() {
                1 => memchr::memchr(b'\n', &part[..before]),
                _ => None,
            };
            let part = &part[line.map_or(0, |end| end + 1)..];
            if judge::is_contradicted(encoding, part, &self.policy()) {
                // What precedes it is in the encoding that was decided on.
                let before = part.len().min(before - line.map_or(0, |end| end + 1));
                let line = memchr::memrchr(b'\n', &part[..before]);
                let part = &part[line.map_or(0, |end| end + 1)..];
                let ranking = self.of_bytes(None, part).judgement;
                let ranking = ranking.map_or(Ranking::empty(), |judgement| judgement.ranking);
                return Ok(Some(Doubt::of_part(decision, place, &ranking, part)));
            }
        }
        Ok(None)
    }

    /// A judge of a stream that begins with `head`, which it has not been fed.
    pub fn judge(&self, path: Option<&Path>, head: &[u8]) -> Judge<'_> {
        Judge::new(self.hints(self.context.resolve(path, head)), self.policy())
    }

    /// What a judge has found of a stream that begins with `head`.
    pub fn concluded(&self, judge: &Judge<'_>, head: &[u8]) -> Decided {
        let decided = Decided::new(judge.finish(), self, head, judge.window(), judge.compared());
        self.doubting_lines(decided, judge.window(), false)
    }
}

/// Half of the bytes that are compared around a malformed sequence.
const HALF: u64 = judge::WINDOW_LENGTH as u64 / 2;

/// Malformed sequences that follow what a decision rests on: one in each part of the text that is to be compared.
pub struct Later {
    places: Vec<Place>,
    /// The last one of all.
    pub last: Option<Place>,
    /// The offset up to which bytes have been compared, or will be.
    compared: u64,
}

impl Default for Later {
    /// What is declared was compared with the first bytes.
    fn default() -> Self {
        Self {
            places: Vec::new(),
            last: None,
            compared: judge::WINDOW_LENGTH as u64,
        }
    }
}

impl Later {
    /// Takes an error, which comes after all that were taken.
    pub fn push(&mut self, trouble: &Trouble) {
        if trouble.kind != TroubleKind::Malformed {
            return;
        }
        let place = Place::of(trouble);
        self.last = Some(place);
        if place.offset >= self.compared && self.places.len() < MOST_PARTS {
            self.compared = place.offset + HALF;
            self.places.push(place);
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// The decision on a file.
#[derive(Debug)]
pub struct Decided {
    pub judgement: Option<Judgement>,
    pub outcome: Outcome,
    /// The offset up to which bytes were compared.
    pub compared: u64,
}

/// What is to be done with a file by the decision.
#[derive(Debug)]
pub enum Outcome {
    /// Its text is right with the probability that is asked for.
    Sure,
    /// A person has to choose.
    Doubtful(Box<Doubt>),
    /// An XML document whose encoding declaration is not what its bytes show.
    Contradiction(xml::XmlError, Place),
    /// It is no text, but this.
    Binary(&'static str),
}

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

impl Decided {
    fn new(
        judged: Result<Judgement, xml::XmlError>,
        question: &Question,
        head: &[u8],
        window: &[u8],
        compared: u64,
    ) -> Self {
        let judgement = match judged {
            Ok(judgement) => judgement,
            Err(error) => {
                let offset = error.offset;
                let encoding = error.fallback.unwrap_or(mojika::UTF_8);
                let line = line_of(encoding, head, offset);
                return Self {
                    judgement: None,
                    outcome: Outcome::Contradiction(error, Place { offset, line }),
                    compared,
                };
            }
        };
        let outcome = if let Some(what) = question.binary(&judgement, head) {
            Outcome::Binary(what)
        } else if judgement.is_doubtful(question.confidence) {
            Outcome::Doubtful(Box::new(Doubt::of(&judgement, head, window)))
        } else {
            Outcome::Sure
        };
        Self {
            judgement: Some(judgement),
            outcome,
            compared,
        }
    }

    /// The decision of the library, if there is one.
    pub fn decision(&self) -> Option<Decision> {
        self.judgement.map(|judgement| judgement.decision)
    }
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
    fn of_lines(survey: &Survey, place: Option<Place>) -> Self {
        let [utf_8, others] = survey.lines();
        let at = place.map_or_else(String::new, |place| {
            format!(", the first of these at {place}")
        });
        Self {
            reason: format!(
                "{utf_8} lines are UTF-8 and {others} are in another encoding{at}; --mixed converts each from its own"
            ),
            place,
            ..Self::default()
        }
    }

    /// A text that is in another encoding from a part on, which begins before `place`.
    fn of_part(decision: Decision, place: Place, ranking: &Ranking, part: &[u8]) -> Self {
        let Decision {
            encoding, source, ..
        } = decision;
        let as_decided = Candidate::new(encoding, None, part);
        let guesses = ranking.iter();
        let guesses =
            guesses.map(|guess| Candidate::new(guess.encoding, Some(guess.probability), part));
        Self {
            reason: format!(
                "{encoding} by its beginning ({source}), but malformed in it at {place}"
            ),
            candidates: guesses.take(SHOWN - 1).chain([as_decided]).collect(),
            place: Some(place),
        }
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

    fn of(judgement: &Judgement, head: &[u8], window: &[u8]) -> Self {
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
                    Content::Unsupported(name) => {
                        format!("this is {name}, which nothing here decodes")
                    }
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
fn line_of(encoding: &'static Encoding, head: &[u8], offset: u64) -> Option<(u64, u64)> {
    let before = head.get(..usize::try_from(offset).ok()?)?;
    let text = encoding.decode_with(before, BomHandling::Remove).text;
    engine::line_after(&mut text.as_bytes()).ok()
}

/// Characters that are shown of a line, at most.
const LINE: usize = 72;

/// The first line beyond ASCII as it reads in an encoding. Controls and what would move the cursor become U+FFFD.
pub fn line(encoding: &'static Encoding, window: &[u8]) -> String {
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

/// Whether text in this encoding has units of two or four bytes, and so bytes of 0.
pub fn is_wide(encoding: &Encoding) -> bool {
    encoding.code_unit_len() > 1
}

/// Starts of files that are not text.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1A\n", "a PNG image"),
    (b"\xFF\xD8\xFF", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive"),
    (b"\x7FELF", "an ELF binary"),
    (b"OggS", "Ogg media"),
    (b"ID3", "MP3 audio"),
    (b"\0asm", "WebAssembly"),
    (b"SQLite format 3\0", "an SQLite database"),
];

/// Bytes that are looked through for a NUL: no more than of a pipe are held back.
const HEAD: usize = 4096;

/// What a file of this start is, if it is not text in `encoding`; `None` as encoding if nothing says which one it is.
pub fn binary(head: &[u8], encoding: Option<&Encoding>) -> Option<&'static str> {
    if bom::of_text(head).is_some() {
        return None;
    }
    let has_nul = memchr::memchr(0, &head[..head.len().min(HEAD)]).is_some();
    if let Some((_, what)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        // A text may begin with the letters of a short one.
        let is_letters = ["MP3 audio", "a GIF image", "Ogg media"].contains(what);
        if !is_letters || has_nul {
            return Some(what);
        }
    }
    if has_nul && !encoding.is_some_and(is_wide) {
        return Some("binary: it has NUL bytes");
    }
    mail::kind(head)
}

/// A probability for people to read: rounded down, as no guess is certain, and what is asked for is not reached by rounding.
pub fn hundredths(probability: f32) -> String {
    format!("{:.2}", (probability * 100.0).floor() / 100.0)
}

/// Four digits are what there is to know.
pub fn rounded(probability: f32) -> f64 {
    (f64::from(probability) * 1e4).round() / 1e4
}

/// The word for what the bytes are.
pub fn content(judgement: &Judgement) -> &'static str {
    match judgement.ranking.content() {
        Content::Ascii => "ascii",
        Content::Text | Content::Unsupported(_) => "text",
        _ => "binary",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_binary_and_utf_16_is_not() {
        assert!(binary(b"\x89PNG\r\n\x1A\n\0\0", None).is_some());
        assert!(binary(b"a\0b\0", Some(mojika::SHIFT_JIS)).is_some());
        assert!(binary(b"a\0b\0", Some(mojika::UTF_16LE)).is_none());
        assert!(binary(b"\xFF\xFEa\0", None).is_none());
        assert!(binary(b"BZh is how this text begins", None).is_none());
        let question = Question::default();
        let wide = mojika::UTF_16BE
            .encode("Text without a byte order mark.")
            .unwrap();
        assert!(matches!(
            question.of_bytes(None, &wide).outcome,
            Outcome::Sure
        ));
        let none = question.of_bytes(None, b"\x01\0\0\0\x7F\0\x80\xFF\0\0\0\x02");
        assert!(matches!(none.outcome, Outcome::Binary(_)));
    }

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
