//! What is changed in a text: an exact text, by a unified diff, or all of it.

use super::file::Opened;
use super::find::Finder;
use super::how::HowArgs;
use super::needle::Needle;
use super::source::PIECE;
use crate::engine::ErrorMode;
use crate::report::Failure;
use mojika::edit::{Document, EditError, LineEnds, Patch};
use mojika::{BomHandling, Decoder, EncodeError, Encoding, Fallback};
use std::io::{self, Read};
use std::path::Path;

/// A change of files.
#[derive(Clone, Debug)]
pub enum Change {
    /// An exact text by another one, once or wherever it is.
    Replace { old: String, new: String, all: bool },
    /// A unified diff.
    Patch(String),
}

impl Change {
    /// # Errors
    ///
    /// Fails if there is nothing to look for.
    pub fn replace(old: &str, new: &str, all: bool) -> Result<Self, Failure> {
        if old.is_empty() {
            return Err(Failure::usage("the text to replace is empty"));
        }
        Ok(Self::Replace {
            old: old.to_owned(),
            new: new.to_owned(),
            all,
        })
    }
}

/// What became of a file.
pub struct Changed {
    pub patches: Vec<Patch>,
    encoding: &'static mojika::Encoding,
    /// Of a file in which insertions could not follow its line ends.
    is_mixed: bool,
}

/// A failure that is about a file's text.
fn refused(opened: &Opened, reason: impl Into<String>) -> Failure {
    Failure::Refused {
        name: opened.name().to_owned(),
        reason: reason.into(),
    }
}

impl Changed {
    /// A line that says what was changed, or would be.
    pub fn summary(&self, opened: &Opened, is_dry: bool) -> String {
        let name = opened.name();
        let encoding = self.encoding;
        if self.patches.is_empty() {
            return format!("{name}: {encoding}, nothing to change");
        }
        let places = self.patches.len();
        let s = if places == 1 { "" } else { "s" };
        let removed: usize = self.patches.iter().map(|patch| patch.source.len()).sum();
        let written: usize = self.patches.iter().map(|patch| patch.bytes.len()).sum();
        let verb = if is_dry { "would replace" } else { "replaced" };
        let first = self.patches[0].source.start;
        let mut line = format!(
            "{name}: {encoding}, {verb} {removed} bytes with {written} at {places} place{s}, the first at byte offset {first}"
        );
        if self.is_mixed {
            line.push_str("; its line ends are mixed, and inserted ones were kept as given");
        }
        match opened.other_links() {
            0 => {}
            links => line.push_str(&format!("; {links} more hard links keep the old text")),
        }
        line
    }
}

/// The word for line ends.
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

/// A text with all its line ends of one kind.
fn with_line_ends(text: &str, ends: LineEnds) -> String {
    let own = match ends {
        LineEnds::Lf => "\n",
        LineEnds::CrLf => "\r\n",
        LineEnds::Cr => "\r",
        LineEnds::Nel => "\u{85}",
        _ => return text.to_owned(),
    };
    text.replace("\r\n", "\n").replace('\n', own)
}

/// Changes a file's text.
///
/// # Errors
///
/// Fails if the text is not there as it should be, or the new one cannot be written.
pub fn apply(opened: &Opened, change: &Change, how: &HowArgs) -> Result<Changed, Failure> {
    match change {
        Change::Replace { old, new, all } => replace(opened, old, new, *all, how),
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

/// Replaces an exact text.
fn replace(
    opened: &Opened,
    old: &str,
    new: &str,
    all: bool,
    how: &HowArgs,
) -> Result<Changed, Failure> {
    replace_found(opened, opened.finder()?, (old, new, all), how)
}

/// Replaces an exact text, which is found with the finder, or else in all of the file's text.
fn replace_found(
    opened: &Opened,
    finder: Option<Finder<'_>>,
    (old, new, all): (&str, &str, bool),
    how: &HowArgs,
) -> Result<Changed, Failure> {
    if finder.is_some() {
        opened.refuse_sparse()?;
    }
    // Line ends are those of all of the text, which is read for them if there are any in what is to be replaced.
    let follows = !how.keep_line_ends && (old.contains(['\r', '\n']) || new.contains(['\r', '\n']));
    let ends = match (&finder, follows) {
        (_, false) => None,
        (Some(finder), true) => Some(
            finder
                .line_ends()
                .map_err(|error| opened.unreadable(error))?,
        ),
        (None, true) => Some(opened.document()?.line_ends()),
    };
    let old = match ends {
        Some(ends) => with_line_ends(old, ends),
        None => old.to_owned(),
    };
    let mut search = Search {
        opened,
        old: memchr::memmem::Finder::new(&old),
        new,
        all,
        ends,
        how,
        encoding: opened.encoding(),
        found: Found::default(),
        patches: Vec::new(),
    };
    let parts = match &finder {
        Some(finder) => match Needle::of(finder.encoding, finder.boundary, &old) {
            Some(needle) => finder
                .parts(&needle, opened.max_size())
                .map_err(|error| opened.unreadable(error))?,
            None => None,
        },
        None => None,
    };
    match (&finder, parts) {
        (Some(finder), Some(parts)) => {
            search.encoding = finder.encoding;
            for part in parts {
                let document = finder.open(&part);
                let document = document.map_err(|error| opened.unreadable(error))?;
                search.within(document, part.start as usize)?;
            }
        }
        _ => search.within(opened.document()?, 0)?,
    }
    search.finish()
}

/// The search for an exact text in the parts of a file, with what replaces it.
struct Search<'a> {
    opened: &'a Opened,
    old: memchr::memmem::Finder<'a>,
    new: &'a str,
    all: bool,
    /// Of all of the text; `None` if insertions need none.
    ends: Option<LineEnds>,
    how: &'a HowArgs,
    encoding: &'static Encoding,
    found: Found,
    patches: Vec<Patch>,
}

/// Where the text was found.
#[derive(Default)]
struct Found {
    count: usize,
    /// The first two: the start of the part in bytes, and how many lines end in the part before.
    first: Vec<(usize, usize)>,
}

impl Search<'_> {
    /// Replaces the text in a part that starts at an offset of the file.
    fn within(&mut self, mut document: Document<'_>, start: usize) -> Result<(), Failure> {
        let text = document.text();
        let places: Vec<usize> = match self.all {
            true => self.old.find_iter(text.as_bytes()).collect(),
            false => self.overlapping(text),
        };
        let missing = 2 - self.found.first.len();
        let first = places.iter().take(missing);
        let first = first.map(|&at| (start, lines_in(&text[..at])));
        self.found.first.extend(first);
        self.found.count += places.len();
        // What is there too often is counted alone.
        if places.is_empty() || (!self.all && self.found.count > 1) {
            return Ok(());
        }
        document.follow_line_ends(!self.how.keep_line_ends);
        if let Some(ends) = self.ends {
            document.set_line_ends(ends);
        }
        for at in places {
            let replaced = document.replace(at..at + self.old.needle().len(), self.new);
            replaced.map_err(|error| refused(self.opened, error.to_string()))?;
        }
        self.encoding = document.encoding();
        let patches = match encoded(&document, self.how) {
            Ok(patches) => patches,
            Err(error) => {
                let old = self.place_of(start, &[])?;
                let edited = self.place_of(start, &self.patches)?;
                let start = (start, old, edited);
                return Err(refused(self.opened, explained(&document, &error, start)));
            }
        };
        self.patches.extend(patches.into_iter().map(|mut patch| {
            patch.source.start += start;
            patch.source.end += start;
            patch
        }));
        Ok(())
    }

    /// Where the text is, also where it overlaps itself: there is no telling which of them is meant.
    fn overlapping(&self, text: &str) -> Vec<usize> {
        let (mut places, mut from) = (Vec::new(), 0);
        while let Some(found) = self.old.find(&text.as_bytes()[from..]) {
            places.push(from + found);
            from += found + 1;
        }
        places
    }

    /// Line and column of an offset of the file, which has these patches before.
    fn place_of(&self, offset: usize, patches: &[Patch]) -> Result<Place, Failure> {
        let mut place = Place::default();
        let mut decoder = Decoder::new(self.opened.encoding(), BomHandling::Sniff);
        let mut take = |bytes: &[u8]| {
            let mut text = String::new();
            decoder.decode_append(bytes, &mut text, false);
            place.take(&text);
        };
        let mut at = 0;
        let ends = patches
            .iter()
            .map(|patch| (patch.source.start, Some(patch)));
        for (end, patch) in ends.chain(std::iter::once((offset, None))) {
            while at < end {
                let next = end.min(at + PIECE);
                let bytes = self.opened.source().range(at as u64, next as u64);
                take(&bytes.map_err(|error| self.opened.unreadable(error))?);
                at = next;
            }
            if let Some(patch) = patch {
                take(&patch.bytes);
                at = patch.source.end;
            }
        }
        Ok(place)
    }

    fn finish(self) -> Result<Changed, Failure> {
        let old = String::from_utf8_lossy(self.old.needle());
        if self.found.count == 0 {
            return Err(refused(self.opened, format!("{old:?} is not in its text")));
        }
        if self.found.count > 1 && !self.all {
            let mut lines = Vec::new();
            for &(start, before) in &self.found.first {
                lines.push(self.place_of(start, &[])?.line + before);
            }
            return Err(refused(
                self.opened,
                format!(
                    "{old:?} is in its text {} times, in lines {} and {} at first; \
                     give more of the text around it, or --all",
                    self.found.count, lines[0], lines[1]
                ),
            ));
        }
        let is_mixed = self.new.contains(['\r', '\n']) && self.ends == Some(LineEnds::Mixed);
        Ok(Changed {
            patches: self.patches,
            encoding: self.encoding,
            is_mixed,
        })
    }
}

/// A place in a text.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    column: usize,
}

impl Default for Place {
    fn default() -> Self {
        Self { line: 1, column: 1 }
    }
}

impl Place {
    /// Goes on over a text.
    fn take(&mut self, text: &str) {
        let lines = lines_in(text);
        if lines > 0 {
            self.line += lines;
            self.column = 1;
        }
        let line = text.rsplit('\n').next().unwrap_or_default();
        self.column += line.chars().count();
    }
}

/// How many lines end in a text.
fn lines_in(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

/// Gives a file another text.
///
/// # Errors
///
/// Fails if it cannot be written.
pub fn whole(opened: &Opened, text: &str, how: &HowArgs) -> Result<Changed, Failure> {
    let document = opened.document()?;
    if text.is_empty() && !document.text().is_empty() {
        return Err(refused(
            opened,
            "the new text is empty, as of a command that has failed; to empty a file, write to it",
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
    // Editors write a byte order mark before UTF-8; the file's own is no text.
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
    let start = (0, Place::default(), Place::default());
    let patches = patches.map_err(|error| refused(opened, explained(document, &error, start)))?;
    Ok(Changed {
        patches,
        encoding: document.encoding(),
        is_mixed,
    })
}

/// The bytes of a document's edits.
fn encoded(document: &Document<'_>, how: &HowArgs) -> Result<Vec<Patch>, EditError> {
    document.patches_with(|_| match how.errors {
        ErrorMode::Fatal => Fallback::Fail,
        ErrorMode::Replacement => Fallback::Text("?".into()),
        ErrorMode::Html => Fallback::Html,
        ErrorMode::Skip => Fallback::Omit,
    })
}

/// What is wrong with an edit, with line and column. The document starts at a byte of the file, which is at a place of the
/// text, and at another one of the edited text.
fn explained(
    document: &Document<'_>,
    error: &EditError,
    (start, old, new): (usize, Place, Place),
) -> String {
    let edited = document.edited_text();
    let place = |mut place: Place, text: &str, offset: usize| {
        place.take(text.get(..offset).unwrap_or_default());
        format!("line {}, column {}", place.line, place.column)
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

/// A text with all its line ends, which are of one kind, U+000A.
fn in_lf(text: &str, ends: LineEnds) -> String {
    match ends {
        LineEnds::Cr => text.replace('\r', "\n"),
        LineEnds::Nel => text.replace('\u{85}', "\n"),
        LineEnds::Mixed => text.to_owned(),
        _ => with_line_ends(text, LineEnds::Lf),
    }
}

/// A text after a unified diff. With mixed line ends, those of the diff are what it says.
fn patched(text: &str, ends: LineEnds, patch: &str) -> Result<String, String> {
    // A diff that was made of other line ends is meant, too: those of insertions follow the file's.
    let patch = match ends {
        LineEnds::Mixed => patch.to_owned(),
        _ => with_line_ends(patch, LineEnds::Lf),
    };
    let parsed = diffy::Patch::from_str(&patch)
        .map_err(|error| format!("the diff is no unified diff of one file: {error}"))?;
    if parsed.hunks().is_empty() {
        return Err(
            "the diff has no hunk that begins with @@: it is no unified diff, or an empty one"
                .to_owned(),
        );
    }
    let applied = diffy::apply(&in_lf(text, ends), &parsed);
    applied.map_err(|error| format!("the diff does not fit its text: {error}"))
}

/// The text of a merge, and whether both sides change the same lines.
///
/// # Errors
///
/// Fails if one cannot be read.
pub fn merged(
    base: &Opened,
    ours: &Opened,
    theirs: &Opened,
    how: &HowArgs,
) -> Result<(String, bool), Failure> {
    let documents = [base.document()?, ours.document()?, theirs.document()?];
    let is_mixed = how.keep_line_ends
        || documents
            .iter()
            .any(|document| document.line_ends() == LineEnds::Mixed);
    // The three may differ in line ends alone, which is no conflict; insertions follow those of `ours`.
    let [base, ours, theirs] = documents.map(|document| match is_mixed {
        true => document.text().to_owned(),
        false => in_lf(document.text(), document.line_ends()),
    });
    match diffy::merge(&base, &ours, &theirs) {
        Ok(merged) => Ok((merged, false)),
        Err(conflicting) => Ok((conflicting, true)),
    }
}

/// Reads a diff, from standard input if the path is "-".
///
/// # Errors
///
/// Fails if it cannot be read, or is not in UTF-8.
pub fn read_patch(path: &Path) -> Result<String, Failure> {
    let (name, read) = match path.as_os_str() == "-" {
        true => {
            let mut bytes = Vec::new();
            let read = io::stdin().read_to_end(&mut bytes).map(|_| bytes);
            ("standard input".to_owned(), read)
        }
        false => (crate::quote::quote(path), std::fs::read(path)),
    };
    let bytes = read.map_err(|error| Failure::io("read", name.clone(), error))?;
    utf_8(&name, bytes)
}

/// What must be UTF-8.
///
/// # Errors
///
/// Fails if it is not.
pub fn utf_8(name: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| Failure::Refused {
        name: name.to_owned(),
        reason: format!(
            "is not UTF-8 at byte offset {}; the new text is to be UTF-8, whatever the file is in",
            error.utf8_error().valid_up_to()
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::file::Choice;
    use crate::edit::how::SizeArgs;
    use mojika_spec::Random;

    /// A file of odd bytes, mostly apart from each other by plain ones, in which a part of its text is looked for.
    fn any_file(random: &mut Random) -> Vec<u8> {
        let mut bytes = Vec::new();
        let parts = random.below(6);
        for _ in 0..=parts {
            let length = random.below(40);
            bytes.extend(random.odd_bytes(length));
            let filler: &[u8] =
                random.pick::<&[u8]>(&[b"ab ", b"\x81\x40", b"x\r\n", b"\0a", b"zz"]);
            let length = *random.pick(&[0, 1, 40, 600, 5000]);
            bytes.extend(filler.iter().cycle().take(length));
        }
        bytes
    }

    #[test]
    fn a_file_that_changes_before_it_is_written_stays_as_it_is_then() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let size = SizeArgs { max_size: 64 << 20 };
        for other in ["other text", "te", ""] {
            std::fs::write(&path, "text").unwrap();
            let opened = Opened::open(&path, &Choice::Named(mojika::UTF_8), size);
            let opened = opened.unwrap_or_else(|_| panic!("it can be read"));
            std::fs::write(&path, other).unwrap();
            let how = HowArgs::default();
            let changed = replace_found(
                &opened,
                opened.finder().unwrap_or(None),
                ("ex", "X", false),
                &how,
            );
            // Shorter, it cannot be read as far as it was; longer, it is another file.
            let written = changed.and_then(|changed| opened.write(&changed.patches, false));
            let message = written.err().and_then(|failure| failure.message());
            assert!(message.is_some(), "{other:?}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
            assert_eq!(folder.path().read_dir().unwrap().count(), 1);
        }
    }

    #[test]
    fn a_text_is_found_in_parts_as_in_all_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let standard = mojika::Encoding::all().iter().copied();
        let all: Vec<_> = standard.chain(mojika::extended::all()).collect();
        let size = SizeArgs { max_size: 64 << 20 };
        let (mut written, mut failed, mut in_parts) = (0, 0, 0);
        for case in 0..250 {
            let mut random = Random::from_seeds(&[0x46, case]);
            let encoding = *random.pick(&all);
            let bytes = any_file(&mut random);
            std::fs::write(&path, &bytes).unwrap();
            let opened = Opened::open(&path, &Choice::Named(encoding), size);
            let opened = opened.unwrap_or_else(|_| panic!("it can be read"));
            let Some(finder) = opened.finder().unwrap_or_else(|_| panic!("it can be read")) else {
                continue;
            };
            let document = opened
                .document()
                .unwrap_or_else(|_| panic!("it can be read"));
            let scalars: Vec<char> = document.text().chars().collect();
            if scalars.is_empty() {
                continue;
            }
            let start = random.below(scalars.len());
            let length = 1 + random.below(4);
            let old: String = scalars[start..].iter().take(length).collect();
            let new = *random.pick(&["", "a", "\n", "é", "字", "\u{FFFD}", "0", "q\r\nq"]);
            let is_all = random.below(2) == 0;
            let how = HowArgs {
                keep_line_ends: random.below(2) == 0,
                ..HowArgs::default()
            };
            let result = |finder: Option<Finder<'_>>| {
                let changed = replace_found(&opened, finder, (&old, new, is_all), &how);
                changed
                    .map(|changed| (changed.patches, changed.is_mixed))
                    .map_err(|failure| failure.message().unwrap_or_default())
            };
            let (parts, whole) = (result(Some(finder)), result(None));
            assert_eq!(
                parts,
                whole,
                "case {case}, {encoding}: {old:?} by {new:?}, {} bytes",
                bytes.len()
            );
            let needle = Needle::of(finder.encoding, finder.boundary, &old);
            in_parts += usize::from(needle.is_some());
            match whole {
                Ok(_) => written += 1,
                Err(_) => failed += 1,
            }
        }
        assert!(written > 10 && failed > 10, "{written} {failed}");
        assert!(in_parts > 10, "{in_parts}");
    }
}
