//! Decides the encoding of a file that the user does not name, and whether the decision is certain enough to convert.
//!
//! All subcommands use this module: for one file, a pipe, folders, `check`, `detect`. The library's
//! [`judge`](fn@mojika_sniff::judge) decides. This module limits the examined part of a file, `context` chooses the
//! context, `doubt` describes a doubt, `later` collects malformed sequences that may raise one, and `binary` recognises
//! binary data.

mod binary;
mod context;
mod doubt;
mod later;

pub use binary::binary;
pub use context::FileContext;
use doubt::line_of;
pub use doubt::{Candidate, Doubt, hundredths, no_answer};
use later::HALF;
pub use later::Later;

use crate::bounded;
use crate::engine::Place;
use crate::survey::{self, Survey};
use mojika::{BomHandling, Decoder, Encoding};
use mojika_sniff::detect::{Content, Guess, Ranking};
use mojika_sniff::judge::{self, Judge, Judgement, Policy, is_wide};
use mojika_sniff::{Context, Decision, Hints, Source, xml};
use std::io::{self, Read};
use std::path::Path;

/// The number of bytes to read at once.
const READ_LENGTH: usize = 64 << 10;

/// The minimum probability for reporting that a part of a text is in another encoding.
const OF_PART: f32 = 0.97;

/// The number of candidates that are shown for a doubtful file.
pub const SHOWN: usize = 3;

/// The options for deciding the encoding of a file.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The file's context, by `--context` or its name.
    pub context: FileContext,
    /// The label or the Content-Type that came with the file.
    pub transport: Option<String>,
    /// The encoding of the user's locale.
    pub environment: Option<&'static Encoding>,
    /// The locale of the readers, a BCP 47 tag.
    pub locale: Option<String>,
    /// The top-level domain or host from which the file came.
    pub tld: Option<String>,
    /// The encodings that may be guessed; `None` means all.
    pub allowed: Option<Vec<&'static Encoding>>,
    /// The encodings that must not be guessed.
    pub denied: Vec<&'static Encoding>,
    /// True if encodings outside the Standard may be guessed.
    pub extended: bool,
    /// The minimum probability for converting a text.
    pub confidence: f32,
    /// True if the bytes decide when they contradict a declaration.
    pub distrust_declared: bool,
    /// True if every file is treated as text.
    pub is_text: bool,
}

impl Question {
    /// Returns the hints for a document of the Web. Hints that came with the document take precedence.
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

    /// Returns the weights of declarations and bytes.
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

    /// Decides on a file in memory.
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

    /// Returns the decision, or a doubt if `text` is in several encodings. `is_whole` is true if `text` begins at the
    /// start of the document.
    pub fn doubting_lines(&self, mut decided: Decided, text: &[u8], is_whole: bool) -> Decided {
        if !self.may_have_parts(&decided) {
            return decided;
        }
        let has_lines = self.may_doubt_lines(&decided);
        let survey = Survey::of_text(text, has_lines);
        let escaped = || {
            // ISO-2022-JP consists of ASCII bytes, so it is also well-formed UTF-8.
            let is_utf_8 = |decision: &Decision| decision.encoding == mojika::UTF_8;
            let decision = decided
                .decision()
                .filter(|one| has_lines && is_utf_8(one))?;
            let place = survey::escaped(text)?;
            Some(Doubt::of_escapes(
                decision,
                Some(place).filter(|_| is_whole),
            ))
        };
        let malformed = || {
            let is_sure = matches!(decided.outcome, Outcome::Sure);
            let judgement = decided.judgement.as_ref().filter(|_| is_sure)?;
            Doubt::of_malformed(judgement, text, decided.compared - text.len() as u64)
        };
        let doubt = self.doubt(&decided, &survey, is_whole);
        let doubt = doubt.or_else(escaped).or_else(malformed);
        if let Some(doubt) = doubt {
            decided.outcome = Outcome::Doubtful(Box::new(doubt));
        }
        decided
    }

    /// Returns a doubt if the encoding was guessed from the start of a file and a later part is in another encoding.
    /// `text` is the whole text.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be read.
    pub fn doubt_lines(&self, decided: &Decided, text: impl Read) -> io::Result<Option<Doubt>> {
        let encoding = decided.decision().map(|decision| decision.encoding);
        let has_lines = self.may_doubt_lines(decided) && encoding != Some(mojika::UTF_8);
        let has_parts = self.may_have_parts(decided) && encoding.is_some_and(is_wide);
        Ok(match has_lines || has_parts {
            true => self.doubt(decided, &Survey::of(text, has_lines)?, true),
            false => None,
        })
    }

    /// Returns the doubt about the guess for a converted pipe, if later text may be in another encoding.
    pub fn doubt_pipe(&self, judgement: Judgement, survey: &Survey) -> Option<Doubt> {
        self.doubt(&Decided::sure(judgement, 0), survey, true)
    }

    /// Returns the doubt about a decision by the survey of the text.
    fn doubt(&self, decided: &Decided, survey: &Survey, is_whole: bool) -> Option<Doubt> {
        if !self.may_have_parts(decided) {
            return None;
        }
        if let Some(doubt) = Doubt::of_parts(&survey.wide, is_whole) {
            return Some(doubt);
        }
        let decision = decided
            .decision()
            .filter(|_| self.may_doubt_lines(decided))?;
        let encoding = decision.encoding;
        if let Some(place) = survey.torn(encoding) {
            return Some(Doubt::of_torn(Some(place).filter(|_| is_whole)));
        }
        if survey.is_mixed_with(encoding, encoding != mojika::UTF_8) {
            return Some(Doubt::of_lines(survey, survey.first.filter(|_| is_whole)));
        }
        let is_sure_guess =
            decision.source == Source::Detection && matches!(decided.outcome, Outcome::Sure);
        if encoding == mojika::UTF_8 || !is_sure_guess {
            return None;
        }
        let hints = self.hints(Context::PlainText);
        survey.parts.unlike().find_map(|(place, part)| {
            let judged = judge::judge(&part, &hints, &self.policy()).ok()?;
            let guess = judged.ranking.first()?;
            let read =
                |encoding: &'static Encoding| encoding.with(BomHandling::Keep).decode(&part).text;
            let is_other = guess.probability >= OF_PART
                && guess.encoding != encoding
                && read(guess.encoding) != read(encoding);
            let place = Some(place).filter(|_| is_whole);
            is_other.then(|| Doubt::of_change(decision, place, &judged.ranking, &part))
        })
    }

    /// Returns the doubt about a text that has parts in UTF-16 and parts in other encodings.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be read.
    pub fn doubt_parts(&self, text: impl Read) -> io::Result<Option<Doubt>> {
        if self.confidence == 0.0 {
            return Ok(None);
        }
        let survey = Survey::of(text, false)?;
        Ok(Doubt::of_parts(&survey.wide, true))
    }

    /// True if a text may have parts in UTF-16 and parts in other encodings, despite the decision.
    fn may_have_parts(&self, decided: &Decided) -> bool {
        let is_given = |decision: Decision| {
            decision.source == Source::Override || decision.encoding.code_unit_len() == 4
        };
        let is_text = match decided.outcome {
            Outcome::Binary(what) => what == binary::NUL,
            Outcome::Contradiction(..) => false,
            Outcome::Sure | Outcome::Doubtful(_) => true,
        };
        is_text && self.confidence != 0.0 && !decided.decision().is_some_and(is_given)
    }

    /// Returns the likeliest encoding outside the Standard, if the guess is certain.
    fn guess_extended(&self, judgement: &Judgement, window: &[u8]) -> Option<Guess> {
        if self.extended || judgement.decision.source != Source::Detection {
            return None;
        }
        let mut policy = self.policy();
        policy.extended = true;
        let hints = self.hints(Context::PlainText);
        let judged = judge::judge(window, &hints, &policy).ok()?;
        let guess = *judged.ranking.first()?;
        let is_sure = guess.probability >= self.confidence;
        (is_sure && !Encoding::all().contains(&guess.encoding)).then_some(guess)
    }

    /// Returns the doubt about mixed lines from their survey. `other` is the encoding of lines that are not UTF-8. A pipe
    /// is converted while it is surveyed, line by line.
    pub fn doubt_mixed(
        &self,
        other: &'static Encoding,
        survey: &Survey,
        is_pipe: bool,
    ) -> Option<Doubt> {
        if self.confidence == 0.0 {
            return None;
        }
        let is_chance = is_pipe && survey.has_both() && !survey.is_by_line(other);
        let mut doubt = Doubt::of_parts(&survey.wide, true)
            .or_else(|| is_chance.then(|| Doubt::of_chance(survey, other)));
        if let Some(doubt) = &mut doubt {
            doubt.add_remedy("a pipe is read once: write it to a file");
        }
        let torn = || Some(Doubt::of_torn(Some(survey.torn(other)?)));
        doubt.or_else(torn).map(|doubt| Doubt {
            is_named: true,
            ..doubt
        })
    }

    /// True if a text is guessed or declared to be in an ASCII-compatible encoding, so that its lines can be compared.
    fn may_doubt_lines(&self, decided: &Decided) -> bool {
        let is_guess = decided.decision().is_some_and(|decision| {
            let is_named = matches!(decision.source, Source::Override | Source::Bom);
            !is_named && decision.encoding.is_ascii_compatible()
        });
        let is_text = matches!(decided.outcome, Outcome::Sure | Outcome::Doubtful(_));
        is_guess && is_text && self.confidence != 0.0
    }

    /// Decides on a file that begins with `head`. Reads `rest` only as far as it may change the decision.
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
        let mut piece = vec![0; READ_LENGTH];
        while !judge.is_decided() {
            match bounded::read(&mut *rest, &mut piece)? {
                0 => break,
                length => judge.feed(&piece[..length]),
            }
        }
        Ok(self.concluded(&judge, head))
    }

    /// Returns the kind of a file that is not text, by a judgement and the file's first bytes; `None` if it is text.
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
        // As in browsers, a file is text if its declaration or the transport names an encoding that decodes it.
        let is_document = || {
            let decision = judgement.decision;
            let mut decoder = Decoder::new(decision.encoding, BomHandling::Remove);
            let is_declared = matches!(
                decision.source,
                Source::Transport | Source::Meta | Source::XmlDeclaration | Source::CssCharset
            );
            is_declared
                && !decoder
                    .decode_append(head, &mut String::new(), false)
                    .had_errors
        };
        let found = format.or_else(|| binary(head, encoding));
        found.filter(|what| *what != binary::NUL || !is_document())
    }

    /// Returns a doubt if the text is malformed after the examined part, and probably in another encoding there. `text`
    /// is the whole text.
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
        if later.has_nul {
            return self.doubt_parts(text);
        }
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
            // The comparison starts at a line, because a line never starts within a character.
            let before = part.len().min((place.offset - start) as usize);
            let line = memchr::memchr(b'\n', &part[..before]).filter(|_| !is_wide(encoding));
            let skipped = line.map_or(0, |end| end + 1);
            let (part, before) = (&part[skipped..], before - skipped);
            if judge::is_contradicted(encoding, part, &self.policy()) {
                // Lines before the malformed sequence are in the decided encoding.
                let line = memchr::memrchr(b'\n', &part[..before]);
                let part = &part[line.map_or(0, |end| end + 1)..];
                let ranking = self.of_bytes(None, part).judgement;
                let ranking = ranking.map_or(Ranking::empty(), |judgement| judgement.ranking);
                return Ok(Some(Doubt::of_part(decision, place, &ranking, part)));
            }
        }
        Ok(None)
    }

    /// Returns a judge of a stream that begins with `head`, which the caller must feed to it.
    pub fn judge(&self, path: Option<&Path>, head: &[u8]) -> Judge<'_> {
        Judge::new(self.hints(self.context.resolve(path, head)), self.policy())
    }

    /// Returns a judge's decision on a stream that begins with `head`.
    pub fn concluded(&self, judge: &Judge<'_>, head: &[u8]) -> Decided {
        let decided = Decided::new(judge.finish(), self, head, judge.window(), judge.compared());
        // The window starts at the document's start if it has all examined bytes, otherwise within the document.
        let is_whole = judge.compared() == judge.window().len() as u64;
        self.doubting_lines(decided, judge.window(), is_whole)
    }
}

/// The decision on a file.
#[derive(Debug)]
pub struct Decided {
    /// The judgement behind the outcome.
    pub judgement: Option<Judgement>,
    /// The consequence for the file.
    pub outcome: Outcome,
    /// The offset of the end of the examined bytes.
    pub compared: u64,
}

/// The result of a decision for a file.
#[derive(Debug)]
pub enum Outcome {
    /// The text is right with the required probability.
    Sure,
    /// The user has to choose.
    Doubtful(Box<Doubt>),
    /// An XML document whose encoding declaration contradicts its bytes.
    Contradiction(xml::XmlError, Box<Doubt>),
    /// Binary data; the string describes its kind.
    Binary(&'static str),
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
                let place = Place { offset, line };
                // The encodings among which the user can choose, guessed from the bytes alone.
                let text = question.hints(Context::PlainText);
                let shown = judge::judge(window, &text, &question.policy());
                let ranking = shown.map_or(Ranking::empty(), |shown| shown.ranking);
                let doubt = Doubt::of_contradiction(&error, place, &ranking, window);
                return Self {
                    judgement: None,
                    outcome: Outcome::Contradiction(error, Box::new(doubt)),
                    compared,
                };
            }
        };
        let outcome = if let Some(what) = question.binary(&judgement, head) {
            Outcome::Binary(what)
        } else if judgement.is_doubtful(question.confidence) {
            let transport = question.transport.as_deref();
            let mut doubt = Doubt::of(&judgement, transport, head, window);
            if let Some(guess) = question.guess_extended(&judgement, window) {
                let probability = hundredths(guess.probability);
                doubt.add_remedy(&format!(
                    "{} with {probability} by --extended",
                    guess.encoding
                ));
            }
            Outcome::Doubtful(Box::new(doubt))
        } else {
            Outcome::Sure
        };
        Self {
            judgement: Some(judgement),
            outcome,
            compared,
        }
    }

    /// Returns a decision without a doubt. `compared` is the offset of the end of the examined bytes.
    pub fn sure(judgement: Judgement, compared: u64) -> Self {
        Self {
            judgement: Some(judgement),
            outcome: Outcome::Sure,
            compared,
        }
    }

    /// Returns the library's decision, if there is one.
    pub fn decision(&self) -> Option<Decision> {
        self.judgement.map(|judgement| judgement.decision)
    }
}

/// Returns the kind of a file that is not text, with the default options; `None` for text.
pub fn no_text(judgement: &Judgement, head: &[u8]) -> Option<&'static str> {
    Question::default().binary(judgement, head)
}

/// Rounds to four significant digits.
pub fn rounded(probability: f32) -> f64 {
    (f64::from(probability) * 1e4).round() / 1e4
}

/// Returns "ascii", "text" or "binary", by the judged bytes.
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

    /// The host and the transport of a document take precedence over those of the question.
    #[test]
    fn hints_of_a_document_come_before_those_of_the_question() {
        let question = Question {
            transport: Some("koi8-r".to_owned()),
            environment: Some(mojika::GBK),
            locale: Some("el".to_owned()),
            tld: Some("gr".to_owned()),
            ..Question::default()
        };
        let mut own = Hints::new(Context::HtmlParser);
        let hints = question.hints_of(&own);
        assert_eq!((hints.transport, hints.tld), (None, Some("gr")));
        (own.transport, own.tld) = (Some(&b"text/html"[..]), Some("ru"));
        let hints = question.hints_of(&own);
        assert_eq!(
            (hints.transport, hints.tld),
            (Some(&b"text/html"[..]), Some("ru"))
        );
        assert_eq!(hints.context, Context::HtmlParser);
        assert_eq!(hints.implied_environment, Some(mojika::GBK));
        assert_eq!(hints.locale, Some("el"));
    }

    #[test]
    fn what_is_no_text_is_named() {
        for (bytes, what) in [
            (&b"\x89PNG\r\n\x1A\n"[..], Some("PNG")),
            (b"a\0b\xFF", Some("binary: it has NUL bytes")),
            (b"GIF8 begins this text", None),
            ("да".as_bytes(), None),
        ] {
            let hints = Hints::new(Context::PlainText);
            let judgement = judge::judge(bytes, &hints, &Policy::default()).unwrap();
            assert_eq!(no_text(&judgement, bytes), what, "{bytes:?}");
        }
    }
}
