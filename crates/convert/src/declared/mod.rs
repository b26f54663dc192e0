//! Changes the declarations of a file to its new encoding.
//!
//! * `markup`: finds the labels in HTML, XML and CSS. Web archives use it, too.
//! * `spelling`: the name of an encoding under each convention.
//! * `rewriter`: a writer that changes only the labels in a text.
//!
//! The library (`sniff::declared`) finds the declarations in text files; the decision on an encoding uses it, too.

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
    /// Text with a declaration of the given kind.
    Text(Kind),
    /// The first line of an exported registry file: ANSI, or UTF-16LE.
    Registry,
}

impl Convention {
    /// Returns the convention's name in reports.
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

/// A declaration that the conversion makes false, and its new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The convention of the declaration.
    pub convention: Convention,
    /// The label in the input.
    pub from: String,
    /// The true label; `None` if the convention has no name for the encoding. The old label then stays.
    pub to: Option<String>,
}

/// The maximum number of changes that are listed for a file.
const MOST_LISTED: usize = 1000;

/// The first changes of a file, and the number of all changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The first changes.
    pub listed: Vec<Change>,
    /// The number of updated declarations.
    pub updated: u64,
    /// The number of declarations that stay although they are now false.
    pub untrue: u64,
    /// True if all declarations stay, because the user did not request changes.
    pub are_kept: bool,
}

impl Changes {
    /// Counts a change, and lists it if the list is not full.
    pub fn push(&mut self, change: Change) {
        match change.to {
            Some(_) if !self.are_kept => self.updated += 1,
            _ => self.untrue += 1,
        }
        if self.listed.len() < MOST_LISTED {
            self.listed.push(change);
        }
    }

    /// Returns a line for each listed declaration that stays although it is false.
    pub fn untrue_notes(&self) -> Vec<String> {
        let untrue = self
            .listed
            .iter()
            .filter(|change| self.are_kept || change.to.is_none());
        let note = |change: &Change| {
            let remedy = match change.to {
                Some(_) => "; --update-declared changes it",
                None => ", as it has no name for the output encoding",
            };
            format!("{} {}{remedy}", change.convention.as_str(), change.from)
        };
        untrue.map(note).collect()
    }

    /// Returns the number of changes that are not listed.
    pub fn beyond(&self) -> u64 {
        self.updated + self.untrue - self.listed.len() as u64
    }
}

/// The output of a conversion, and the treatment of its declarations.
#[derive(Clone, Copy, Debug)]
pub struct Target<'p> {
    /// The encoding of the output.
    pub to: &'static Encoding,
    /// The type of the file. With [`FileContext::Auto`], the file's name determines the type, or else its text.
    pub context: FileContext,
    /// The name of the file.
    pub path: Option<&'p Path>,
    /// True if false declarations are changed; otherwise they are only listed.
    pub updates: bool,
}

/// Runs a conversion. Changes the false declarations in its output, or only lists them; returns them in any case.
pub fn updated(
    output: &mut (dyn Write + Send),
    target: Target<'_>,
    convert: impl FnOnce(&mut (dyn Write + Send)) -> (Outcome, Result<(), Failure>),
) -> (Outcome, Result<(), Failure>, Changes) {
    let mut rewriter = Rewriter::new(output, target);
    let (mut outcome, result) = convert(&mut rewriter);
    match rewriter.finish(outcome.encoding) {
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

/// Returns the false declarations of `text`, which was converted from the encoding `from`, if known. `is_whole` is true
/// if `text` is the whole output.
fn edits(
    text: &str,
    target: Target<'_>,
    is_whole: bool,
    from: Option<&'static Encoding>,
) -> Vec<Edit> {
    let mut found: Vec<(Range<usize>, Convention)> = Vec::new();
    let context = target.context.resolve(target.path, text.as_bytes());
    let mut is_page = false;
    declared::places(text.as_bytes(), is_whole, &mut |place| {
        is_page |= place.kind.is_of_page();
        let at = place.start..place.end;
        // A declaration for data or generated output changes only if it names the encoding that the text was in.
        if place.kind.is_of_text()
            || from.is_some() && place.kind.encoding(text[at.clone()].as_bytes()) == from
        {
            found.push((at, Convention::Text(place.kind)));
        }
    });
    // A page that is generated by a program may have declarations of the program and of HTML.
    let markup = if is_page {
        Some(Markup::Html)
    } else {
        markup_of(context, text)
    };
    if let Some(markup) = markup {
        let is_there =
            |convention| matches!(convention, Convention::Text(kind) if kind.is_in_markup());
        found.retain(|(_, convention)| is_there(*convention));
        let labels = markup::labels(text, markup).into_iter();
        // An XML declaration is at the start of the text, also in HTML.
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
    // A collation belongs to one character set, and the name of the new collation is not known.
    let has_collation = || text.contains("COLLATE") || text.contains("collate");
    // A search of all labels for each of many unknown ones would take long.
    let are_few = found.len() <= MOST_LISTED;
    let mut end = 0;
    let mut edits = Vec::new();
    for (at, convention) in found {
        // Two rules may find the same label.
        if at.start < end {
            continue;
        }
        let from = &text[at.clone()];
        let is_misspelt = || are_few && spelling::is_misspelt(convention, from);
        let to = spelling::changed(convention, from, target.to)
            .or_else(|| is_misspelt().then(|| spelling::name(convention, from, target.to)));
        if let Some(to) = to {
            end = at.end;
            let is_fixed =
                convention == Convention::Text(Kind::Data("sql-charset")) && has_collation();
            let change = Change {
                convention,
                from: from.to_owned(),
                to: to.filter(|_| !is_fixed),
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

/// Returns the first line of an exported registry file, if changing it does not change the meaning of other lines.
///
/// The first line determines the encoding of hexadecimal strings: ANSI for `REGEDIT4`, UTF-16LE for the other first
/// line.
fn registry(text: &str, is_whole: bool) -> Option<(Range<usize>, Convention)> {
    let text_start = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
    let line = text[text_start..].lines().next()?;
    let is_header = line == spelling::REGISTRY_ANSI || line == spelling::REGISTRY_UTF_16;
    let has_hex = || {
        let mut words = ["hex(1):", "hex(2):", "hex(7):"].iter();
        words.any(|word| text.contains(word))
    };
    (is_header && is_whole && !has_hex())
        .then(|| (text_start..text_start + line.len(), Convention::Registry))
}
