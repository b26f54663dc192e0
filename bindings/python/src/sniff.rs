//! Detection of encodings in the library's order of evidence, and decoding of whole HTML and XML documents.

use crate::errors;
use crate::names;
use crate::text::{Input, detached};
use mojika::Encoding;
use mojika_convert::decide::{self, Decided, Outcome, Question};
use mojika_convert::engine;
pub use mojika_sniff::Source;
use mojika_sniff::detect::Content;
use mojika_sniff::judge::{self, Judgement, Policy, judge};
use mojika_sniff::{Confidence, Context, DocumentError, Hints};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// An encoding with the evidence for it.
#[pyclass(module = "mojika", frozen, eq)]
#[derive(Clone, PartialEq)]
pub struct Detection {
    #[pyo3(get)]
    encoding: Option<String>,
    #[pyo3(get)]
    source: String,
    /// "certain" or "tentative".
    #[pyo3(get)]
    certainty: String,
    #[pyo3(get)]
    bom_length: usize,
    /// The probability that the text is right; None if the encoding is declared.
    #[pyo3(get)]
    probability: Option<f32>,
    /// Names and probabilities from detection, the best first.
    #[pyo3(get)]
    candidates: Vec<(String, f32)>,
    /// The encoding that a byte order mark, the transport or the document declares.
    #[pyo3(get)]
    declared: Option<String>,
    /// The encoding that the bytes indicate, if it contradicts the declared one.
    #[pyo3(get)]
    contradiction: Option<String>,
    /// "text", "unknown" (text in no known encoding), "binary", or the name of a compressed format.
    #[pyo3(get)]
    kind: String,
    /// A description of bytes that are not text.
    #[pyo3(get)]
    what: Option<String>,
    is_broken: bool,
}

/// The fields of a [`Detection`] for pickle.
type Parts = (
    Option<String>,
    String,
    String,
    usize,
    Option<f32>,
    Vec<(String, f32)>,
    Option<String>,
    Option<String>,
    String,
    Option<String>,
    bool,
);

impl Detection {
    fn of(judgement: &Judgement, no_text: Option<(String, String)>) -> Self {
        let guesses = judgement.ranking.iter();
        let guesses = guesses.map(|guess| (guess.encoding.name().to_owned(), guess.probability));
        let decision = judgement.decision;
        // If no encoding fits, the default encoding does not count as an answer, unless a standard requires it.
        let is_unknown =
            judgement.probability == Some(0.0) && decision.confidence == Confidence::Tentative;
        let (kind, what) = match no_text {
            Some((kind, what)) => (kind, Some(what)),
            None if is_unknown => match judgement.ranking.content() {
                Content::Binary => ("binary".to_owned(), None),
                Content::Unsupported(name) => ("unknown".to_owned(), Some(name.to_owned())),
                _ => ("unknown".to_owned(), None),
            },
            None => ("text".to_owned(), None),
        };
        let declared = judgement.declared;
        Self {
            encoding: (kind == "text").then(|| decision.encoding.name().to_owned()),
            source: decision.source.as_str().to_owned(),
            certainty: decision.confidence.as_str().to_owned(),
            bom_length: decision.bom_length,
            probability: judgement.probability,
            candidates: guesses.collect(),
            declared: declared.map(|declared| declared.encoding.name().to_owned()),
            contradiction: judgement.contradiction.map(|one| one.name().to_owned()),
            kind,
            what,
            is_broken: judgement.malformed.is_some(),
        }
    }
}

/// Returns the kind and a description of bytes that are not text.
fn no_text(judgement: &Judgement, bytes: &[u8]) -> Option<(String, String)> {
    if let Some(format) = engine::Format::of(bytes) {
        return Some((format.to_string(), format!("{format} data")));
    }
    let what = decide::no_text(judgement, bytes)?;
    Some(("binary".to_owned(), what.to_owned()))
}

#[pymethods]
impl Detection {
    #[new]
    fn new(parts: Parts) -> Self {
        Self {
            encoding: parts.0,
            source: parts.1,
            certainty: parts.2,
            bom_length: parts.3,
            probability: parts.4,
            candidates: parts.5,
            declared: parts.6,
            contradiction: parts.7,
            kind: parts.8,
            what: parts.9,
            is_broken: parts.10,
        }
    }

    fn __getnewargs__(&self) -> (Parts,) {
        let own = self.clone();
        ((
            own.encoding,
            own.source,
            own.certainty,
            own.bom_length,
            own.probability,
            own.candidates,
            own.declared,
            own.contradiction,
            own.kind,
            own.what,
            own.is_broken,
        ),)
    }

    /// True if the probability of the text is below `confidence`, or the text is malformed in the declared encoding.
    #[pyo3(signature = (confidence=0.9))]
    fn is_doubtful(&self, confidence: f32) -> bool {
        confidence > 0.0
            && (self.is_broken
                || self
                    .probability
                    .is_some_and(|probability| probability < confidence))
    }

    fn __repr__(&self) -> String {
        let encoding = match &self.encoding {
            Some(encoding) => format!("'{encoding}'"),
            None => format!("None, kind='{}'", self.kind),
        };
        let mut shown = format!(
            "Detection(encoding={encoding}, source='{}', certainty='{}'",
            self.source, self.certainty
        );
        if let Some(declared) = &self.declared {
            shown += &format!(", declared='{declared}'");
        }
        if let Some(probability) = self.probability {
            shown += &format!(", probability={probability:.2}");
        }
        if !self.candidates.is_empty() {
            let guesses = self.candidates.iter();
            let guesses =
                guesses.map(|(name, probability)| format!("('{name}', {probability:.2})"));
            shown += &format!(", candidates=[{}]", guesses.collect::<Vec<_>>().join(", "));
        }
        shown + ")"
    }
}

/// The arguments for detection.
pub struct Wish {
    /// The least probability that the text is right.
    confidence: f32,
    /// The only encodings that detection may return; `None` allows any encoding.
    allowed: Option<Vec<&'static Encoding>>,
    locale: Option<String>,
}

impl Wish {
    /// Parses the arguments `confidence`, `allowed` and `locale`.
    pub fn of(
        confidence: f32,
        allowed: Option<Vec<String>>,
        locale: Option<&str>,
    ) -> PyResult<Self> {
        Ok(Self {
            confidence,
            allowed: allowed.map(|allowed| known(&allowed)).transpose()?,
            locale: locale.map(str::to_owned),
        })
    }
}

/// Returns the encodings that an argument `allowed` names.
fn known(names: &[String]) -> PyResult<Vec<&'static Encoding>> {
    if names.is_empty() {
        return Err(PyValueError::new_err("allowed names no encoding"));
    }
    names.iter().map(|name| names::require(name)).collect()
}

/// Returns the policy that allows only these encodings. If one is outside the Standard, `extended` is set.
fn policy_of<'p>(allowed: Option<&'p [&'static Encoding]>) -> Policy<'p> {
    let mut policy = Policy::default();
    policy.allowed = allowed;
    policy.extended = allowed.is_some_and(|allowed| {
        let is_extended = |encoding| !Encoding::all().contains(encoding);
        allowed.iter().any(is_extended)
    });
    policy
}

/// Decides the encoding of bytes labelled "auto", and returns the decision with its evidence.
///
/// # Errors
///
/// `DoubtError` if the probability of the text is below the required one, or the bytes are not text.
pub fn judged(py: Python<'_>, bytes: &[u8], wish: &Wish) -> PyResult<Judgement> {
    let confidence = wish.confidence;
    let policy = policy_of(wish.allowed.as_deref());
    let extended = policy.extended;
    let judgement = detached(py, bytes.len(), || {
        mojika_arrow::judged_by(bytes, wish.locale.as_deref(), policy)
    });
    let no_text = no_text(&judgement, bytes).filter(|_| confidence > 0.0);
    if no_text.is_some() || judgement.is_doubtful(confidence) {
        let no_text = no_text.map(|(_, what)| what);
        return Err(errors::doubt(py, &judgement, no_text, None));
    }
    // The command asks the same question: is it one encoding from the start to the end?
    let question = Question {
        confidence,
        allowed: wish.allowed.clone(),
        locale: wish.locale.clone(),
        extended,
        ..Question::default()
    };
    let decided = detached(py, bytes.len(), || {
        question.doubting_lines(Decided::sure(judgement, bytes.len() as u64), bytes, true)
    });
    match decided.outcome {
        Outcome::Doubtful(doubt) => {
            // Python has no options of the command.
            let reason = Some(doubt.reason);
            Err(errors::doubt(py, &judgement, None, reason))
        }
        _ => Ok(judgement),
    }
}

/// The number of bytes of a file that are read at once before its encoding is decided. It is also the number of bytes
/// that are read from the first non-ASCII byte on.
pub const PIECE: usize = judge::WINDOW_LENGTH;

/// The maximum number of bytes held before a file's encoding is decided. A file with a longer ASCII prefix is UTF-8.
pub const MAX_HELD: usize = 16 << 20;

/// Returns the context with this id.
fn context_of(id: &str) -> PyResult<Context> {
    let context = match id {
        "text" => Some(Context::PlainText),
        "html" => Some(Context::HtmlParser),
        "xml" => Some(Context::XmlParser),
        "css" => Some(Context::CssFromDocument),
        id => Context::for_id(id),
    };
    context.ok_or_else(|| {
        PyValueError::new_err(format!(
            "unknown context {id:?}: 'auto', 'text', 'html', 'xml', 'css', or an id of docs/SNIFFING.md"
        ))
    })
}

/// Detects the encoding of bytes, with the evidence.
#[pyfunction]
#[pyo3(signature = (data, *, context="auto", transport=None, environment=None, locale=None, tld=None, allowed=None))]
pub fn detect(
    data: &Bound<'_, PyAny>,
    context: &str,
    transport: Option<&str>,
    environment: Option<&str>,
    locale: Option<&str>,
    tld: Option<&str>,
    allowed: Option<Vec<String>>,
) -> PyResult<Detection> {
    let py = data.py();
    let input = Input::of(data)?;
    let bytes = input.as_slice();
    let id = context;
    let context = match context {
        "auto" => Context::of_content(bytes),
        id => context_of(id)?,
    };
    let hints = Hints {
        transport: transport.map(str::as_bytes),
        implied_environment: environment.map(names::require).transpose()?,
        locale,
        tld,
        ..Hints::new(context)
    };
    let allowed = allowed.map(|allowed| known(&allowed)).transpose()?;
    let mut policy = policy_of(allowed.as_deref());
    // Any other id is a context of the Web, which has a row in the table of contexts.
    policy.by_table = !["auto", "text", "html", "xml", "css"].contains(&id);
    let judgement = detached(py, bytes.len(), || judge(bytes, &hints, &policy))
        .map_err(|error| errors::xml(py, &error))?;
    let no_text = ["auto", "text"]
        .contains(&id)
        .then(|| no_text(&judgement, bytes))
        .flatten();
    Ok(Detection::of(&judgement, no_text))
}

/// A decoded document.
#[pyclass(module = "mojika", frozen)]
pub struct Document {
    document: mojika_sniff::Document,
}

#[pymethods]
impl Document {
    #[getter]
    fn text(&self) -> &str {
        &self.document.text
    }

    #[getter]
    fn encoding(&self) -> &'static str {
        self.document.decision.encoding.name()
    }

    #[getter]
    fn source(&self) -> &'static str {
        self.document.decision.source.as_str()
    }

    #[getter]
    fn certainty(&self) -> &'static str {
        self.document.decision.confidence.as_str()
    }

    #[getter]
    fn bom_length(&self) -> usize {
        self.document.decision.bom_length
    }

    /// The offset and the length in bytes of each malformed sequence.
    #[getter]
    fn errors(&self) -> Vec<(u64, u8)> {
        let errors = self.document.errors.iter();
        errors
            .map(|sequence| (sequence.offset, sequence.len))
            .collect()
    }

    #[getter]
    fn late_meta(&self) -> Option<&'static str> {
        self.document.late_meta.map(mojika::Encoding::name)
    }

    fn __str__(&self) -> &str {
        &self.document.text
    }

    fn __repr__(&self) -> String {
        format!(
            "Document(encoding='{}', source='{}', {} bytes of text, {} errors)",
            self.encoding(),
            self.source(),
            self.document.text.len(),
            self.document.malformed
        )
    }
}

fn document(data: &Bound<'_, PyAny>, hints: &Hints<'_>) -> PyResult<Document> {
    let py = data.py();
    let input = Input::of(data)?;
    let bytes = input.as_slice();
    match detached(py, bytes.len(), || {
        mojika_sniff::decode_document(bytes, hints)
    }) {
        Ok(document) => Ok(Document { document }),
        Err(DocumentError::Xml(error)) => Err(errors::xml(py, &error)),
        Err(DocumentError::Malformed(error)) => Err(errors::malformed(
            input.to_object(),
            error.encoding,
            error.sequence,
        )),
        Err(other) => Err(PyValueError::new_err(other.to_string())),
    }
}

/// Decodes a web page as a browser does.
#[pyfunction]
#[pyo3(signature = (data, *, content_type=None, encoding=None, locale=None, tld=None))]
pub fn decode_html(
    data: &Bound<'_, PyAny>,
    content_type: Option<&str>,
    encoding: Option<&str>,
    locale: Option<&str>,
    tld: Option<&str>,
) -> PyResult<Document> {
    let hints = Hints {
        transport: content_type.map(str::as_bytes),
        user_override: encoding.map(names::require).transpose()?,
        locale,
        tld,
        ..Hints::new(Context::HtmlParser)
    };
    document(data, &hints)
}

/// Decodes an XML document as an XML processor does.
#[pyfunction]
#[pyo3(signature = (data, *, content_type=None, encoding=None))]
pub fn decode_xml(
    data: &Bound<'_, PyAny>,
    content_type: Option<&str>,
    encoding: Option<&str>,
) -> PyResult<Document> {
    let hints = Hints {
        transport: content_type.map(str::as_bytes),
        user_override: encoding.map(names::require).transpose()?,
        ..Hints::new(Context::XmlParser)
    };
    document(data, &hints)
}
