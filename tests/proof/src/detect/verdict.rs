//! A detector's answer about a labelled document, and its correctness.

use super::document::{Document, find, is_latin, is_of_the_web};
use mojika::Encoding;

/// Answers with a lower probability than this are doubt.
const DOUBT: f32 = 0.9;

/// The answer of a detector.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// The name of an encoding, `ASCII`, `binary`, or `none`.
    pub name: String,
    /// The encoding, if mojika has it. ASCII is read as UTF-8.
    pub encoding: Option<&'static Encoding>,
    /// 0 where none was stated.
    pub probability: f32,
    /// A language tag, or empty.
    pub language: String,
    /// In seconds.
    pub time: f64,
}

impl Said {
    /// An answer by its name. Names that mojika does not know are kept.
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

    /// True if the answer is right for a document of its kind. Where encodings outside the Standard are no answers
    /// (`extended` is false), doubt is right for documents in them.
    pub fn is_right(&self, document: &Document, extended: bool) -> bool {
        self.is_exact(document)
            || match document.kind.split(' ').next().unwrap_or("") {
                // Text with controls is ASCII or no text.
                "E" => matches!(self.name.as_str(), "binary" | "none"),
                // The language is unknown: any Latin encoding will do.
                "H" => self.encoding.is_some_and(is_latin),
                // A detector without a name for binary data has no answer to it.
                "J" => self.name == "none",
                _ => !extended && !is_of_the_web(&document.label) && self.is_doubt(),
            }
    }

    /// True if the answer is impossible: the document has malformed sequences in it, and none in its label.
    pub fn is_impossible(&self, document: &Document) -> bool {
        let has_errors = |encoding: &'static Encoding| encoding.decode(&document.bytes).had_errors;
        match (find(&document.label), self.encoding) {
            (Some(label), Some(said)) => has_errors(said) && !has_errors(label),
            _ => false,
        }
    }

    /// True if there is no answer, or one with little probability.
    pub fn is_doubt(&self) -> bool {
        self.encoding.is_none() || self.probability > 0.0 && self.probability < DOUBT
    }
}

/// Letters and digits of a name, in lower case.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(char::is_ascii_alphanumeric);
    kept.map(|letter| letter.to_ascii_lowercase()).collect()
}
