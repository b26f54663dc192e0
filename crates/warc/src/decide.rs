//! Decides about one body: its type, its encoding with the reason, its text, and the agreement of header, document and
//! bytes.

use mojika::{BomHandling, Encoding};
use mojika_convert::decide::{Decided, Later, Outcome, Question};
use mojika_convert::engine::{self, ErrorMode, From, Input, Options, Trouble};
use mojika_sniff::detect::Ranking;
use mojika_sniff::judge::{is_mostly_utf_8, judge, window};
use mojika_sniff::{Confidence, Context, Decision, Hints, Response, Source, bom, html, xml};
use std::borrow::Cow;
use std::io;

/// The decoded text of a body.
pub struct BodyText<'a> {
    pub text: Cow<'a, str>,
    pub decision: Decision,
    /// The probability that the text is right, if no declaration decided.
    pub probability: Option<f32>,
    /// True if the text lacks the required probability.
    pub is_doubtful: bool,
    /// The number of malformed sequences. The text has a U+FFFD for each.
    pub replaced: u64,
    /// The first malformed sequence in the body.
    pub first_error: Option<Trouble>,
    pub voices: Voices,
    /// The likeliest language, as a BCP 47 tag, if detection names one for the chosen encoding.
    pub language: Option<&'static str>,
    /// The error that the XML standard requires. The document is nevertheless read as browsers do.
    pub xml_error: Option<String>,
}

/// The encodings according to the header, the document and the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Voices {
    /// The header's charset, if its label is known.
    pub header: Option<&'static Encoding>,
    /// The document's declaration: `meta`, XML declaration, `@charset`.
    pub document: Option<&'static Encoding>,
    pub bytes: Bytes,
    /// The contradictions between the encodings.
    pub disagreements: Disagreements,
}

/// The encoding by the bytes alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bytes {
    /// The bytes are ASCII, which is the same in all but a few encodings.
    Ascii,
    /// A byte order mark.
    Bom(&'static Encoding),
    /// The bytes are valid UTF-8, and not ASCII.
    Utf8,
    /// A guess by detection.
    Guess(&'static Encoding),
    /// No encoding fits.
    Unknown,
}

impl Bytes {
    /// Returns the word for the kind of bytes in records and in the summary.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ascii => "ASCII",
            Self::Bom(encoding) | Self::Guess(encoding) => encoding.name(),
            Self::Utf8 => "UTF-8",
            Self::Unknown => "unknown",
        }
    }
}

/// The pairs of header, document and bytes that contradict each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Disagreements {
    pub header_document: bool,
    pub header_bytes: bool,
    pub document_bytes: bool,
}

impl Disagreements {
    /// True if there is a contradiction.
    pub fn any(self) -> bool {
        self != Self::default()
    }

    /// Returns the words for the contradicting pairs.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        let words = [
            (self.header_document, "header-document"),
            (self.header_bytes, "header-bytes"),
            (self.document_bytes, "document-bytes"),
        ];
        words.into_iter().filter(|one| one.0).map(|one| one.1)
    }
}

/// Decides the encoding of a decoded body, and returns the text; `None` if the body is not text.
pub fn decide<'a>(
    response: &Response,
    body: &'a [u8],
    question: &Question,
) -> Option<BodyText<'a>> {
    let hints = response.hints(body)?;
    let hints = question.hints_of(&hints);
    let mut policy = question.policy();
    let mut xml_error = None;
    let judged = judge(body, &hints, &policy).or_else(|error| {
        xml_error = Some(error.to_string());
        policy.like_browsers = true;
        judge(body, &hints, &policy)
    });
    let judgement = judged.ok()?;
    let decision = judgement.decision;
    let text = &body[decision.bom_length..];
    let decoded = decision.encoding.with(BomHandling::Keep).decode(text);
    let (mut replaced, mut first_error) = (0, None);
    // Binary data that the server declares as text is still written.
    let mut is_doubtful = judgement.is_doubtful(question.confidence)
        || question.confidence > 0.0 && question.binary(&judgement, body).is_some();
    if !is_doubtful {
        let sure = Decided::sure(judgement, body.len() as u64);
        // For UTF-8, the survey covers only the examined part; damage after it is compared below.
        let is_utf_8 = decision.encoding == mojika::UTF_8;
        let surveyed = match is_utf_8 {
            true => window(body),
            false => body,
        };
        let is_whole = surveyed.len() == body.len();
        let may_be_mixed = !is_utf_8 || decoded.had_errors || body.contains(&0x1B);
        is_doubtful = may_be_mixed
            && matches!(
                question.doubting_lines(sure, surveyed, is_whole).outcome,
                Outcome::Doubtful(_)
            );
    }
    if decoded.had_errors {
        let later;
        (replaced, first_error, later) = errors(decision, body);
        if !is_doubtful && question.confidence > 0.0 {
            let doubt = question.doubt_later(decision, &later, &mut &*body);
            is_doubtful = doubt.is_ok_and(|doubt| doubt.is_some());
        }
    }
    // If the text is UTF-8, decoding has already examined all bytes.
    let is_utf_8 = (decision.encoding == mojika::UTF_8).then_some(!decoded.had_errors);
    let ranking = &judgement.ranking;
    let voices = voices(
        response,
        body,
        &hints,
        &decision,
        &decoded.text,
        is_utf_8,
        ranking,
    );
    Some(BodyText {
        language: language(body, &decision, &decoded.text, voices.bytes, ranking),
        probability: judgement.probability,
        is_doubtful,
        text: decoded.text,
        decision,
        replaced,
        first_error,
        voices,
        xml_error,
    })
}

/// Returns the number of malformed sequences, the first sequence, and the sequences after the examined part.
fn errors(decision: Decision, body: &[u8]) -> (u64, Option<Trouble>, Later) {
    let (mut first, mut later) = (None, Later::default());
    let options = Options {
        errors: ErrorMode::Replacement,
        ..Options::new(From::Decided(decision), mojika::UTF_8)
    };
    let mut reader = body;
    let mut remember = |trouble: &Trouble| {
        first.get_or_insert_with(|| trouble.clone());
        later.push(trouble);
    };
    let input = Input::new(&mut reader);
    let (outcome, _) = engine::convert(input, &mut io::sink(), &options, &mut remember);
    (outcome.malformed, first, later)
}

fn voices(
    response: &Response,
    body: &[u8],
    hints: &Hints<'_>,
    decision: &Decision,
    text: &str,
    is_utf_8: Option<bool>,
    ranking: &Ranking,
) -> Voices {
    let header = response.charset();
    let document = declared(body, hints.context, decision);
    let bytes = examine(body, decision, is_utf_8, ranking);
    let differ = |one: Option<&'static Encoding>, other: Option<&'static Encoding>| matches!((one, other), (Some(one), Some(other)) if one != other);
    // The declaration and the guess may give the same text: GBK and gb18030, ISO-8859-1 and windows-1252.
    let against = |declared: Option<&'static Encoding>| {
        let Some(declared) = declared else {
            return false;
        };
        match bytes {
            Bytes::Ascii => !declared.is_ascii_compatible(),
            Bytes::Unknown => declared == mojika::UTF_8,
            Bytes::Bom(encoding) => encoding != declared,
            Bytes::Utf8 => declared != mojika::UTF_8,
            Bytes::Guess(guess) => {
                guess != declared && !is_same_text(body, guess, declared, decision, text)
            }
        }
    };
    let disagreements = Disagreements {
        header_document: differ(header, document),
        header_bytes: against(header),
        document_bytes: against(document),
    };
    Voices {
        header,
        document,
        bytes,
        disagreements,
    }
}

fn is_same_text(
    body: &[u8],
    guess: &'static Encoding,
    declared: &'static Encoding,
    decision: &Decision,
    text: &str,
) -> bool {
    let decode = |encoding: &'static Encoding| -> Cow<'_, str> {
        if encoding == decision.encoding {
            Cow::Borrowed(text)
        } else {
            encoding.with(BomHandling::Keep).decode(body).text
        }
    };
    decode(guess) == decode(declared)
}

/// Returns the language of detection's guess, if the guess decodes to the same text.
fn language(
    body: &[u8],
    decision: &Decision,
    text: &str,
    bytes: Bytes,
    ranking: &Ranking,
) -> Option<&'static str> {
    let Bytes::Guess(guess) = bytes else {
        return None;
    };
    let mut guesses = ranking.iter();
    let language = guesses.find(|one| one.encoding == guess)?.language?;
    let decided = decision.encoding;
    (guess == decided || is_same_text(body, guess, decided, decision, text)).then_some(language)
}

/// Returns the document's declaration, even if another source decides.
fn declared(body: &[u8], context: Context, decision: &Decision) -> Option<&'static Encoding> {
    match context {
        Context::HtmlParser if decision.confidence == Confidence::Tentative => {
            // A `meta` after the prescanned bytes counts, too, because a browser would apply it.
            html::prescan(body).or_else(|| html::prescan_all(body))
        }
        Context::HtmlParser => html::prescan(body),
        Context::XmlParser => {
            let found = xml::sniff_like_browsers(body);
            return (found.source == Source::XmlDeclaration).then_some(found.encoding);
        }
        Context::CssFromDocument => return mojika_sniff::css::charset(body),
        _ => None,
    }
    .filter(|found| found.source != Source::XmlFamily)
    .map(|found| found.encoding)
}

fn examine(body: &[u8], decision: &Decision, is_utf_8: Option<bool>, ranking: &Ranking) -> Bytes {
    if let Some(found) = bom::standard(body) {
        return Bytes::Bom(found.encoding);
    }
    let ascii = mojika::mem::ascii_prefix_len(body);
    if ascii == body.len() && !body.contains(&0x1B) {
        return Bytes::Ascii;
    }
    if decision.source == Source::Detection {
        return if decision.encoding == mojika::UTF_8 {
            Bytes::Utf8
        } else {
            Bytes::Guess(decision.encoding)
        };
    }
    let is_utf_8 = is_utf_8.unwrap_or_else(|| simdutf8::basic::from_utf8(body).is_ok());
    if is_utf_8 && ascii < body.len() {
        return Bytes::Utf8;
    }
    if !is_utf_8 && is_mostly_utf_8(body) {
        return Bytes::Utf8;
    }
    match ranking.first() {
        Some(guess) if guess.encoding == mojika::UTF_8 => Bytes::Utf8,
        Some(guess) => Bytes::Guess(guess.encoding),
        None if ascii == body.len() => Bytes::Ascii,
        None => Bytes::Unknown,
    }
}
