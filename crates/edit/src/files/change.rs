//! The changes of a text: an exact text, a unified diff, or a whole new text.

use super::changed::{Changed, encoded, explained, refused, with_line_ends};
use super::file::Opened;
use super::how::HowArgs;
use super::patches::Patches;
use super::replace;
use crate::{Document, LineEnds};
use mojika_convert::bounded::{self, read_all};
use mojika_convert::engine::Position;
use mojika_convert::quote::input_name;
use mojika_convert::report::Failure;
use std::io;
use std::path::Path;

/// The maximum number of hunks of a diff. Each is searched for in the whole text.
const MOST_HUNKS: usize = 20_000;

/// A change of a file's text.
#[derive(Clone, Debug)]
pub enum Change {
    /// Replaces an exact text by another text, once or everywhere.
    Replace { old: String, new: String, all: bool },
    /// A unified diff.
    Patch(String),
}

impl Change {
    /// # Errors
    ///
    /// Fails if `old` is empty.
    pub fn replace(old: &str, new: &str, all: bool) -> Result<Self, Failure> {
        if old.is_empty() {
            return Err(Failure::usage(
                "the text to replace is empty; give the text as it is in the file: --replace OLD NEW",
            ));
        }
        Ok(Self::Replace {
            old: old.to_owned(),
            new: new.to_owned(),
            all,
        })
    }
}

/// Returns the word for a kind of line ends.
pub fn line_ends(ends: LineEnds) -> &'static str {
    match ends {
        LineEnds::None => "none",
        LineEnds::Lf => "LF",
        LineEnds::CrLf => "CRLF",
        LineEnds::Cr => "CR",
        LineEnds::Nel => "NEL",
        _ => "mixed",
    }
}

/// Changes a file's text.
///
/// # Errors
///
/// Fails if the text does not match, or the new one cannot be written.
pub fn apply(opened: &Opened, change: &Change, how: &HowArgs) -> Result<Changed, Failure> {
    match change {
        Change::Replace { old, new, all } => replace::replace(opened, old, new, *all, how),
        Change::Patch(patch) => {
            let document = opened.document()?;
            let ends = match how.keep_line_ends {
                true => LineEnds::Mixed,
                false => document.line_ends(),
            };
            let text =
                patched(document.text(), ends, patch).map_err(|reason| refused(opened, reason))?;
            whole_of(opened, document, &text, how)
        }
    }
}

/// Replaces the whole text of a file.
///
/// # Errors
///
/// Fails if the new text cannot be written.
pub fn whole(opened: &Opened, text: &str, how: &HowArgs) -> Result<Changed, Failure> {
    let document = opened.document()?;
    if text.is_empty() && !document.text().is_empty() {
        return Err(refused(
            opened,
            "the new text is empty, as after a command that failed; to empty the file on purpose, truncate it: truncate -s 0 FILE",
        ));
    }
    whole_of(opened, document, text, how)
}

fn whole_of(
    opened: &Opened,
    mut document: Document<'_>,
    text: &str,
    how: &HowArgs,
) -> Result<Changed, Failure> {
    // Editors may write a byte order mark at the start of a UTF-8 text; the mark of the file is not part of the text.
    let text = match document.text().starts_with('\u{FEFF}') {
        true => text,
        false => text.strip_prefix('\u{FEFF}').unwrap_or(text),
    };
    document.follow_line_ends(!how.keep_line_ends);
    document.set_text(text);
    let is_mixed = !how.keep_line_ends && document.line_ends() == LineEnds::Mixed;
    patches(opened, &document, how, is_mixed)
}

fn patches(
    opened: &Opened,
    document: &Document<'_>,
    how: &HowArgs,
    is_mixed: bool,
) -> Result<Changed, Failure> {
    let patches = encoded(document, how);
    let start = (0, Position::default(), Position::default());
    let found = patches.map_err(|error| refused(opened, explained(document, &error, start)))?;
    let mut patches = Patches::default();
    let kept = patches.extend(&found, 0);
    kept.map_err(|error| opened.not_kept(error))?;
    Ok(Changed {
        patches,
        encoding: document.encoding(),
        is_mixed,
    })
}

/// Returns a text with its line ends, which are of one kind, replaced by U+000A.
fn in_lf(text: &str, ends: LineEnds) -> String {
    match ends {
        LineEnds::Cr => text.replace('\r', "\n"),
        LineEnds::Nel => text.replace('\u{85}', "\n"),
        LineEnds::Mixed => text.to_owned(),
        _ => with_line_ends(text, LineEnds::Lf),
    }
}

/// Applies a unified diff to a text. If the text's line ends are mixed, those of the diff must match exactly.
fn patched(text: &str, ends: LineEnds, patch: &str) -> Result<String, String> {
    // The diff may have other line ends than the file, because insertions get those of the file.
    let patch = match ends {
        LineEnds::Mixed => patch.to_owned(),
        _ => with_line_ends(patch, LineEnds::Lf),
    };
    let parsed = diffy::Patch::from_str(&patch).map_err(|error| {
        format!("the diff is not a unified diff of one file: {error}; `diff -u` writes one")
    })?;
    if parsed.hunks().is_empty() {
        return Err(
            "the diff is empty, or not a unified diff, whose changes begin with @@; `diff -u` writes one"
                .to_owned(),
        );
    }
    if parsed.hunks().len() > MOST_HUNKS {
        return Err(format!(
            "the diff has more than {MOST_HUNKS} hunks; apply it in several parts, or give the whole text to `mojika put`"
        ));
    }
    let applied = diffy::apply(&in_lf(text, ends), &parsed);
    applied.map_err(|error| format!("the diff does not fit its text: {error}; make the diff from the text that `mojika get -q` prints"))
}

/// Reads a diff or a text of at most `most` bytes; "-" is standard input.
///
/// # Errors
///
/// Fails if the input cannot be read, is longer than `most` bytes, or is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String, Failure> {
    let name = input_name(path);
    let read = bounded::open(path).and_then(|file| read_all(file, most));
    let bytes = read.map_err(|error| {
        let message = format!("{error}; --max-size says how many are allowed");
        let error = match error.kind() {
            io::ErrorKind::Other => io::Error::other(message),
            _ => error,
        };
        Failure::io("read", name.clone(), error)
    })?;
    utf_8(&name, bytes)
}

/// Returns the input as text, if it is UTF-8.
///
/// # Errors
///
/// Fails if the input is not UTF-8.
pub fn utf_8(name: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| Failure::Refused {
        name: name.to_owned(),
        reason: format!(
            "is not UTF-8 at byte offset {}; give the new text in UTF-8, which is encoded as the file is",
            error.utf8_error().valid_up_to()
        ),
    })
}
