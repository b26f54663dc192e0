//! The commands for one file, as functions for the Python module.

use super::change::{self, Change};
use super::file::{Choice, Fingerprint, Opened};
use super::how::HowArgs;
use mojika::Encoding;
use mojika_convert::report::Failure;
use std::io;
use std::path::PathBuf;

/// A file with its encoding and the options for edits.
#[derive(Clone, Debug)]
pub struct TextFile {
    /// The path of the file; links are followed.
    pub path: PathBuf,
    /// The encoding of the file, unless it has a byte order mark.
    pub encoding: &'static Encoding,
    /// The options of a change.
    pub how: HowArgs,
    /// The number of bytes of the longest file that is read whole.
    pub max_size: u64,
}

/// The text of a file, with the state of the file at that time.
pub struct Content {
    /// The text, with U+FFFD for each malformed sequence.
    pub text: String,
    /// The name of the encoding.
    pub encoding: &'static str,
    /// The word for the line ends of the text.
    pub line_ends: &'static str,
    /// The fingerprint, as printed by `mojika get`.
    pub fingerprint: String,
}

/// The reason why a file is unchanged.
pub enum Refusal {
    /// The file cannot be read or written.
    Io(io::Error, String),
    /// The file is not as expected, or the new text cannot be written.
    Edit(String),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let message = failure.message().unwrap_or_default();
        match failure {
            Failure::Io { error, .. } => Self::Io(error, message),
            _ => Self::Edit(message),
        }
    }
}

impl TextFile {
    /// Returns the text.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or is too long.
    pub fn read(&self) -> Result<Content, Refusal> {
        let opened = self.open(self.encoding)?;
        let document = opened.document()?;
        Ok(Content {
            text: document.text().to_owned(),
            encoding: document.encoding().name(),
            line_ends: change::line_ends(document.line_ends()),
            fingerprint: opened.fingerprint()?.to_string(),
        })
    }

    /// Replaces an exact text, once or everywhere, and returns the number of changes.
    ///
    /// # Errors
    ///
    /// Fails if the text does not match, or the new one cannot be written.
    pub fn replace(&self, old: &str, new: &str, all: bool) -> Result<usize, Refusal> {
        self.change(&Change::replace(old, new, all)?)
    }

    /// Applies a unified diff, and returns the number of changes.
    ///
    /// # Errors
    ///
    /// Fails if the diff does not fit, or the new text cannot be written.
    pub fn patch(&self, diff: &str) -> Result<usize, Refusal> {
        self.change(&Change::Patch(diff.to_owned()))
    }

    /// Replaces the whole text, if the fingerprint is unchanged, and returns the number of changes.
    ///
    /// # Errors
    ///
    /// Fails if the file has changed, or the text cannot be written.
    pub fn write(&self, text: &str, expected: &str) -> Result<usize, Refusal> {
        let expected = Fingerprint::parse(expected)?;
        let opened = self.open(expected.encoding)?;
        opened.expect(&expected)?;
        let changed = change::whole(&opened, text, &self.how)?;
        opened.write(&changed.patches, self.how.keep_times)?;
        Ok(changed.patches.len())
    }

    fn change(&self, change: &Change) -> Result<usize, Refusal> {
        let opened = self.open(self.encoding)?;
        let changed = change::apply(&opened, change, &self.how)?;
        opened.write(&changed.patches, self.how.keep_times)?;
        Ok(changed.patches.len())
    }

    fn open(&self, encoding: &'static Encoding) -> Result<Opened, Failure> {
        Opened::open(&self.path, &Choice::Named(encoding), self.max_size)
    }
}
