//! The result of an edit, and its errors.

use super::file::Opened;
use super::how::HowArgs;
use super::patches::Patches;
use crate::{Document, EditError, LineEnds, Patch};
use mojika::{EncodeError, Fallback};
use mojika_convert::engine::{ErrorMode, Position};
use mojika_convert::report::{Failure, counted};

/// The result for a file.
pub struct Changed {
    pub patches: Patches,
    pub encoding: &'static mojika::Encoding,
    /// True if the file's line ends are mixed, so that insertions could not follow them.
    pub is_mixed: bool,
}

/// Returns a failure about a file's text.
pub fn refused(opened: &Opened, reason: impl Into<String>) -> Failure {
    Failure::Refused {
        name: opened.name().to_owned(),
        reason: reason.into(),
    }
}

impl Changed {
    /// Returns one line about the changes, or lists them in a dry run.
    pub fn summary(&self, opened: &Opened, is_dry: bool) -> String {
        let name = opened.name();
        let encoding = self.encoding;
        if self.patches.is_empty() {
            return format!("{name}: {encoding}, nothing to change");
        }
        let places = counted(self.patches.len() as u64, "place");
        let (removed, written) = self.patches.sizes();
        let removed = counted(removed, "byte");
        let verb = if is_dry { "would replace" } else { "replaced" };
        let first = self.patches.first().unwrap_or_default();
        let mut line = format!(
            "{name}: {encoding}, {verb} {removed} with {written} at {places}, the first at byte offset {first}"
        );
        if self.is_mixed {
            line.push_str("; its line ends are mixed, and inserted ones were kept as given");
        }
        match opened.other_links() {
            0 => {}
            1 => line.push_str("; 1 more hard link keeps the old text"),
            links => line.push_str(&format!("; {links} more hard links keep the old text")),
        }
        line
    }
}

/// Returns a text with all line ends of one kind.
pub fn with_line_ends(text: &str, ends: LineEnds) -> String {
    match ends.text() {
        Some(own) => text.replace("\r\n", "\n").replace('\n', own),
        None => text.to_owned(),
    }
}

/// Returns the number of line ends in a text.
pub fn lines_in(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

/// Returns the patches of a document's edits.
pub fn encoded(document: &Document<'_>, how: &HowArgs) -> Result<Vec<Patch>, EditError> {
    document.patches_with(|_| match how.errors {
        ErrorMode::Fatal => Fallback::Fail,
        ErrorMode::Replacement => Fallback::Text("?".into()),
        ErrorMode::Html => Fallback::Html,
        ErrorMode::Skip => Fallback::Omit,
    })
}

/// Explains an edit's error, with line and column. `document` starts at a byte offset of the file, and at a line and
/// column. The column may differ in the edited text.
pub fn explained(
    document: &Document<'_>,
    error: &EditError,
    (start, old, new): (usize, Position, Position),
) -> String {
    let edited = document.edited_text();
    let place = |mut place: Position, text: &str, offset: usize| {
        place.advance(text.as_bytes().get(..offset).unwrap_or_default());
        format!("line {}, column {}", place.lines + 1, place.column + 1)
    };
    match error {
        EditError::Encode(EncodeError::Unmappable {
            encoding,
            unmappable,
        }) => {
            let scalar = unmappable.scalar;
            format!(
                "U+{:04X} {scalar:?} at {} of the new text cannot be written in {encoding}; \
                 --errors html, replacement or skip writes something else",
                u32::from(scalar),
                place(new, &edited, unmappable.offset as usize)
            )
        }
        EditError::Replacement { offset } => format!(
            "U+FFFD at {} of the new text stands for no bytes of the file: it can be kept or removed, not inserted",
            place(new, &edited, *offset)
        ),
        EditError::Combines { offset, source } => format!(
            "the edit at {}, byte offset {}, would join bytes of the file into other characters or \
             a byte order mark; include the U+FFFD next to it in the edit, or change less",
            place(old, document.text(), *offset),
            start + source
        ),
        error => error.to_string(),
    }
}
