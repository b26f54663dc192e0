//! The sources of an encoding, and the word for each in output.

use core::fmt;

/// Defines the sources, in the order of their precedence, each with its word.
macro_rules! sources {
    ($($(#[$doc:meta])* $source:ident $word:literal)*) => {
        /// The source of an encoding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Source {
            $($(#[$doc])* $source,)*
        }

        impl Source {
            /// All sources, in the order of their precedence.
            pub const ALL: [Source; 12] = [$(Source::$source,)*];

            /// Returns the word for the source in all output.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Source::$source => $word,)*
                }
            }
        }
    };
}

sources! {
    /// A byte order mark.
    Bom "bom"
    /// The user's choice.
    Override "override"
    /// The transport's `charset`.
    Transport "transport"
    /// A `meta` element of HTML.
    Meta "meta"
    /// The encoding declaration of XML, also at the start of HTML.
    XmlDeclaration "xml-declaration"
    /// The first bytes of an XML document without a declaration.
    XmlFamily "xml-family"
    /// `@charset` of CSS.
    CssCharset "css-charset"
    /// A declaration in a text file, such as a gettext header, a coding cookie, a modeline or LaTeX's `inputenc`.
    Declaration "declaration"
    /// The document or element that refers to this one.
    Environment "environment"
    /// A guess from the bytes.
    Detection "detection"
    /// A guess from the reader's locale.
    Locale "locale"
    /// The default, if no source decides.
    Default "default"
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
