//! A detector's answer about a labelled document, and its correctness.

use super::document::{Document, find, is_latin, is_of_the_web};
use mojika::Encoding;

/// Answers with a lower probability count as doubtful.
const DOUBT: f32 = 0.9;

/// The answer of a detector.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// The name of an encoding, `ASCII`, `binary`, or `none`.
    pub name: String,
    /// The encoding, if mojika has it. `ASCII` is decoded as UTF-8.
    pub encoding: Option<&'static Encoding>,
    /// The probability; 0 if none was stated.
    pub probability: f32,
    /// A language tag, or empty.
    pub language: String,
    /// The time in seconds.
    pub time: f64,
}

impl Said {
    /// Returns the answer with this name, even if mojika does not know the name.
    pub fn of_name(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            encoding: find(name),
            ..Self::default()
        }
    }

    /// True if the answer is the document's label, or decodes the document to the same text.
    pub fn is_exact(&self, document: &Document) -> bool {
        if plain(&self.name) == plain(&document.label) {
            return true;
        }
        let bytes = &document.bytes;
        match (find(&document.label), self.encoding) {
            (Some(label), Some(said)) => {
                label == said || label.decode(bytes).text == said.decode(bytes).text
            }
            _ => false,
        }
    }

    /// True if the answer is right for a document of this kind. If `extended` is false, a doubtful answer is also right
    /// for a document in an encoding outside the Standard.
    pub fn is_right(&self, document: &Document, extended: bool) -> bool {
        self.is_exact(document)
            || match document.kind.split(' ').next().unwrap_or("") {
                // The label is ASCII; text with control characters may also count as binary data.
                "E" => matches!(self.name.as_str(), "binary" | "none"),
                // There is no model of the language, so any Latin encoding is right.
                "H" => self.encoding.is_some_and(is_latin),
                // A detector without a name for binary data is right if it has no answer.
                "J" => self.name == "none",
                _ => !extended && !is_of_the_web(&document.label) && self.is_doubt(),
            }
    }

    /// True if the answer is impossible: the document is malformed in it, and well-formed in the labelled encoding.
    pub fn is_impossible(&self, document: &Document) -> bool {
        let has_errors = |encoding: &'static Encoding| encoding.decode(&document.bytes).had_errors;
        match (find(&document.label), self.encoding) {
            (Some(label), Some(said)) => has_errors(said) && !has_errors(label),
            _ => false,
        }
    }

    /// True if there is no answer, or a doubtful one.
    pub fn is_doubt(&self) -> bool {
        self.encoding.is_none() || self.probability > 0.0 && self.probability < DOUBT
    }
}

/// Returns the letters and digits of a name, in lower case.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(char::is_ascii_alphanumeric);
    kept.map(|letter| letter.to_ascii_lowercase()).collect()
}
