//! The sources of an encoding, and the word for each in output.

use core::fmt;

/// The source of an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// A byte order mark.
    Bom,
    /// The user's choice.
    Override,
    /// The transport's `charset`.
    Transport,
    /// A `meta` element of HTML.
    Meta,
    /// The encoding declaration of XML, also at the start of HTML.
    XmlDeclaration,
    /// The first bytes of an XML document without a declaration.
    XmlFamily,
    /// `@charset` of CSS.
    CssCharset,
    /// A declaration in a text file, such as a gettext header, a coding cookie, a modeline or LaTeX's `inputenc`.
    Declaration,
    /// The document or element that refers to this one.
    Environment,
    /// A guess from the bytes.
    Detection,
    /// A guess from the reader's locale.
    Locale,
    /// The default, if no source decides.
    Default,
}

impl Source {
    /// All sources, in the order of their precedence.
    pub const ALL: [Source; 12] = [
        Source::Bom,
        Source::Override,
        Source::Transport,
        Source::Meta,
        Source::XmlDeclaration,
        Source::XmlFamily,
        Source::CssCharset,
        Source::Declaration,
        Source::Environment,
        Source::Detection,
        Source::Locale,
        Source::Default,
    ];

    /// Returns the word for the source in all output.
    pub fn as_str(self) -> &'static str {
        match self {
            Source::Bom => "bom",
            Source::Override => "override",
            Source::Transport => "transport",
            Source::Meta => "meta",
            Source::XmlDeclaration => "xml-declaration",
            Source::XmlFamily => "xml-family",
            Source::CssCharset => "css-charset",
            Source::Declaration => "declaration",
            Source::Environment => "environment",
            Source::Detection => "detection",
            Source::Locale => "locale",
            Source::Default => "default",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
