//! Declarations in text: gettext headers, coding cookies, variables of Emacs, modelines of Vim, `inputenc` of LaTeX,
//! page directives of JSP, and desktop entries. The conventions in `table` consist of a few words before a label.
//!
//! These conventions have two uses. [`find`] gives [`sniff`](super::sniff()) and [`judge`](super::judge()) the
//! declaration of a text file; [`judge`](super::judge()) also reads beyond the head. [`places`] gives a converter the
//! labels that become false after a conversion.
//!
//! The sources: GNU gettext manual, "Header Entry"; PEP 263; Ruby's "magic comments"; Emacs manual, "Specifying File
//! Variables"; Vim's help, "modeline"; the LaTeX package `inputenc`; Texinfo's manual, "`@documentencoding`"; perlpod;
//! JavaServer Pages 2.3, JSP.4.1 "Page Character Encoding"; the Desktop Entry Specification 0.9.4, "Encoding"; the
//! directive `#pragma code_page` of Microsoft's resource compiler; Inno Setup's `LanguageCodePage`; vCard 2.1; the manuals
//! of MySQL, PostgreSQL, Hunspell, R ("Writing R Extensions"), PHP and ASP; the format of UltraStar; JabRef.

mod conventions;
#[cfg(feature = "alloc")]
mod late;
mod page_directive;
mod table;

#[cfg(feature = "alloc")]
pub(super) use late::LateDeclaration;

use super::{css, html};
use conventions::Search;
use core::ops::Range;
use mojika::{Encoding, extended};

/// The number of bytes from the start that [`find`] reads.
pub const HEAD_LENGTH: usize = 4096;

/// The convention that a declaration follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `charset=` in the header entry of a gettext catalogue.
    Gettext,
    /// `coding:` or `coding=` in a comment with `#` in the first two lines.
    Cookie,
    /// `coding:` between `-*-`, or in the list of local variables at the end.
    Emacs,
    /// `fileencoding=` or `fenc=` in a modeline.
    Vim,
    /// An option of LaTeX's package `inputenc`.
    Inputenc,
    /// `Encoding=` of a desktop entry.
    DesktopEntry,
    /// The number of a Windows code page.
    CodePage,
    /// A page that a program generates: a directive, a property or a header. The value is the word for it in reports.
    Page(&'static str),
    /// A few words before the label: `% !TeX encoding =`, `SET NAMES`. The value is the word for them in reports.
    Words(&'static str),
    /// The label of data or output, such as a SQL table or `xsl:output`. The value is the word for it in reports.
    Data(&'static str),
}

impl Kind {
    /// Returns the convention's name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gettext => "gettext-header",
            Self::Cookie => "coding-cookie",
            Self::Emacs => "emacs-variable",
            Self::Vim => "vim-modeline",
            Self::Inputenc => "inputenc",
            Self::DesktopEntry => "desktop-entry",
            Self::CodePage => "code-page",
            Self::Page(word) | Self::Words(word) | Self::Data(word) => word,
        }
    }

    /// True if the label names the encoding of the text itself. Other labels name the encoding of data.
    pub fn is_of_text(self) -> bool {
        !matches!(self, Self::Data(_))
    }

    /// True if declarations of this kind may be in a page or another markup document.
    pub fn is_in_markup(self) -> bool {
        matches!(
            self,
            Self::Page(_) | Self::Words("sql-names") | Self::Data(_)
        )
    }

    /// True if programs that generate pages read declarations of this kind.
    pub fn is_of_page(self) -> bool {
        matches!(self, Self::Page(_))
    }

    /// Returns the encoding of a label under this convention.
    pub fn encoding(self, label: &[u8]) -> Option<&'static Encoding> {
        let label = core::str::from_utf8(label).ok()?.trim_ascii();
        let is_number = label.bytes().all(|byte| byte.is_ascii_digit());
        match self {
            Self::CodePage | Self::Page(_) if is_number => {
                Encoding::for_windows_code_page(label.parse().ok()?)
            }
            // In a document, a number alone is not a label.
            _ if is_number || self == Self::CodePage => None,
            Self::Words(_) | Self::Data(_) => {
                // Removes the additions of Hunspell and MySQL to the names of encodings.
                let label = label.strip_prefix("microsoft-").unwrap_or(label);
                let label = label.strip_suffix("-2533").unwrap_or(label);
                let length = label.len().saturating_sub(3);
                let is_long = matches!(label.get(length..), Some("mb3" | "mb4"));
                extended::find(if is_long { &label[..length] } else { label })
            }
            _ => extended::find(label),
        }
    }
}

/// The position of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The convention of the declaration.
    pub kind: Kind,
    /// The offset of the label's first byte.
    pub start: usize,
    /// The offset of the byte after the label.
    pub end: usize,
}

/// Returns the place of the label in an XML declaration or in an `@charset` rule at the very start.
pub fn label_at_start(text: &[u8]) -> Option<Range<usize>> {
    css::label(text).or_else(|| html::xml_label(text))
}

/// Returns the encoding that a text declares in its first [`HEAD_LENGTH`] bytes. `is_whole` is true if `head` is the whole
/// text.
///
/// Only encodings that are compatible with ASCII are returned, because the declaration was read as ASCII.
pub fn find(head: &[u8], is_whole: bool) -> Option<&'static Encoding> {
    let is_whole = is_whole && head.len() <= HEAD_LENGTH;
    find_in(&head[..head.len().min(HEAD_LENGTH)], is_whole)
}

/// Returns the encoding that `text` declares.
pub(super) fn find_in(text: &[u8], is_whole: bool) -> Option<&'static Encoding> {
    first(text, |search| search.all(is_whole))
}

/// Returns the encoding that `end`, the last bytes of a text, declares.
#[cfg(feature = "alloc")]
fn find_in_end(end: &[u8]) -> Option<&'static Encoding> {
    first(end, |search| {
        search.last_modelines(0);
        search.emacs_variables();
    })
}

/// Returns the encoding of the first label that names an encoding of text.
fn first(text: &[u8], search: impl FnOnce(&mut Search)) -> Option<&'static Encoding> {
    let mut found: Option<(Place, &'static Encoding)> = None;
    let mut each = |place: Place| {
        let encoding = place.kind.encoding(&text[place.start..place.end]);
        // If one package has several encoding options, the last one counts.
        let is_option = found.is_some_and(|(before, _)| {
            let between = text.get(before.end..place.start);
            (before.kind, place.kind) == (Kind::Inputenc, Kind::Inputenc)
                && between.is_some_and(|between| !between.contains(&b'}'))
        });
        if let Some(encoding) = encoding
            && encoding.is_ascii_compatible()
            && place.kind.is_of_text()
            && (found.is_none() || is_option)
        {
            found = Some((place, encoding));
        }
    };
    search(&mut Search {
        text,
        each: &mut each,
    });
    found.map(|(_, encoding)| encoding)
}

/// Calls `each` with the position of every label in `text` whose encoding is compatible with ASCII.
///
/// `is_whole` is true if `text` reaches the end of the file; its last lines are read only then. A label that matches
/// two conventions is passed twice.
pub fn places(text: &[u8], is_whole: bool, each: &mut dyn FnMut(Place)) {
    Search { text, each }.all(is_whole);
}

impl Search<'_, '_> {
    fn all(&mut self, is_whole: bool) {
        self.gettext();
        self.first_lines();
        self.vim(is_whole);
        if is_whole {
            self.emacs_variables();
        }
        self.inputenc();
        self.page_directives();
        self.sections();
        self.table();
    }
}
