//! Changes the declarations of a file to its new encoding.
//!
//! * `markup`: finds the labels in HTML, XML and CSS. Web archives use it, too.
//! * `spelling`: the name of an encoding under each convention.
//! * `rewriter`: a writer that changes only the labels in a text.
//!
//! The conventions of text files are the library's (`sniff::declared`), which reads them when it decides on an encoding.

pub mod markup;
mod rewriter;
mod spelling;

use rewriter::Rewriter;

use crate::decide::FileContext;
use crate::engine::{Failure, Outcome};
use markup::Markup;
use mojika::Encoding;
use mojika_sniff::declared::{self, Kind};
use mojika_sniff::{Context, contexts};
use std::io::Write;
use std::ops::Range;
use std::path::Path;

/// The convention that a declaration follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// HTML, XML or CSS.
    Markup(Markup),
    /// Text with a declaration of this kind.
    Text(Kind),
    /// The first line of an exported registry: ANSI, or UTF-16LE.
    Registry,
}

impl Convention {
    /// The word for it in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Markup(Markup::Css) => "css-charset",
            Self::Markup(Markup::Xml) => "xml-declaration",
            Self::Markup(Markup::Html | Markup::Xhtml) => "meta",
            Self::Text(kind) => kind.as_str(),
            Self::Registry => "registry-header",
        }
    }
}

/// A declaration that the conversion makes untrue, and its new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The convention of the declaration.
    pub convention: Convention,
    /// The label in the input.
    pub from: String,
    /// The label in the output; `None` if the convention has no name for the encoding, so that the old one stays.
    pub to: Option<String>,
}

/// Changes that are listed for a file, at most.
const MOST_LISTED: usize = 1000;

/// The changes of a file: the first ones, and the number of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The first changes.
    pub listed: Vec<Change>,
    /// Declarations that are true now.
    pub updated: u64,
    /// Declarations that stay, although they are not true any more.
    pub untrue: u64,
}

impl Changes {
    /// Counts a change, and lists it if there is room.
    pub fn push(&mut self, change: Change) {
        match change.to {
            Some(_) => self.updated += 1,
            None => self.untrue += 1,
        }
        if self.listed.len() < MOST_LISTED {
            self.listed.push(change);
        }
    }

    /// The number of changes that are not listed.
    pub fn beyond(&self) -> u64 {
        self.updated + self.untrue - self.listed.len() as u64
    }
}

/// Runs a conversion to `to` and changes the declarations in its output; returns the declarations
/// that were not true, too.
///
/// `context` determines the type of the file; with [`FileContext::Auto`], its name does, or else its text.
pub fn updated(
    output: &mut (dyn Write + Send),
    to: &'static Encoding,
    context: FileContext,
    path: Option<&Path>,
    convert: impl FnOnce(&mut (dyn Write + Send)) -> (Outcome, Result<(), Failure>),
) -> (Outcome, Result<(), Failure>, Changes) {
    let mut rewriter = Rewriter::new(output, to, context, path);
    let (mut outcome, result) = convert(&mut rewriter);
    match rewriter.finish() {
        Ok((changes, growth)) => {
            outcome.bytes_out = outcome.bytes_out.saturating_add_signed(growth);
            (outcome, result, changes)
        }
        Err(error) => (
            outcome,
            result.and(Err(Failure::Write(error))),
            Changes::default(),
        ),
    }
}

/// A label in a text, with its new value.
struct Edit {
    at: Range<usize>,
    change: Change,
}

/// Returns the untrue declarations of `text` for `to`. `is_whole` is true if the text ends there.
fn edits(
    text: &str,
    context: FileContext,
    path: Option<&Path>,
    is_whole: bool,
    to: &'static Encoding,
) -> Vec<Edit> {
    let mut found: Vec<(Range<usize>, Convention)> = Vec::new();
    let context = context.resolve(path, text.as_bytes());
    let mut is_jsp = false;
    declared::places(text.as_bytes(), is_whole, &mut |place| {
        is_jsp |= place.kind == Kind::Jsp;
        found.push((place.start..place.end, Convention::Text(place.kind)));
    });
    // A page that a program makes has both.
    let markup = if is_jsp {
        Some(Markup::Html)
    } else {
        markup_of(context, text)
    };
    if let Some(markup) = markup {
        found.retain(|(_, convention)| *convention == Convention::Text(Kind::Jsp));
        let labels = markup::labels(text, markup).into_iter();
        // The declaration of XML is at the start, also in HTML.
        let start = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let xml_end = match start.starts_with("<?xml") {
            true => text.find('>').unwrap_or(text.len()),
            false => 0,
        };
        found.extend(labels.map(|label| {
            let is_xml = label.start <= xml_end && xml_end > 0;
            let markup = if is_xml { Markup::Xml } else { markup };
            (label, Convention::Markup(markup))
        }));
    } else {
        found.extend(registry(text, is_whole));
    }
    found.sort_by_key(|(label, _)| (label.start, label.end));
    let mut end = 0;
    let mut edits = Vec::new();
    for (at, convention) in found {
        // Two rules may find one label.
        if at.start < end {
            continue;
        }
        let from = &text[at.clone()];
        if let Some(to) = spelling::changed(convention, from, to) {
            end = at.end;
            let change = Change {
                convention,
                from: from.to_owned(),
                to,
            };
            edits.push(Edit { at, change });
        }
    }
    edits
}

fn markup_of(context: Context, text: &str) -> Option<Markup> {
    use contexts::Sniffing;
    Some(match context.row().sniffing {
        Sniffing::Html | Sniffing::XhrHtml => Markup::Html,
        Sniffing::Css => Markup::Css,
        Sniffing::Xml if text.contains("<html") => Markup::Xhtml,
        Sniffing::Xml => Markup::Xml,
        _ => return None,
    })
}

/// The first line of an exported registry, where changing it changes nothing else.
///
/// Strings that are written in hexadecimal are in ANSI after one first line and in UTF-16LE after the other.
fn registry(text: &str, is_whole: bool) -> Option<(Range<usize>, Convention)> {
    let text_start = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
    let line = text[text_start..].lines().next()?;
    let is_header = line == spelling::REGISTRY_ANSI || line == spelling::REGISTRY_UTF_16;
    let has_hex = ["hex(1):", "hex(2):", "hex(7):"]
        .iter()
        .any(|word| text.contains(word));
    (is_header && is_whole && !has_hex)
        .then(|| (text_start..text_start + line.len(), Convention::Registry))
}
