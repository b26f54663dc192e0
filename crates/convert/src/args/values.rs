//! The words for option values whose types do not depend on clap.

use crate::engine::{BomMode, Compress, ErrorMode, Form, Format, Newline};
use crate::job::report::Progress;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use std::str::FromStr;

/// Parses a whole number.
///
/// # Errors
///
/// Fails if the text is not a number, or if the number is too large.
pub fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    let message = "give a whole number, 0 or more";
    text.parse().map_err(|_| message.to_owned())
}

/// Lists the values of a type, each with its word, its aliases and its meaning.
macro_rules! values {
    ($type:ident: $($value:ident $(($($inner:tt)+))? $word:literal $([$alias:literal])? $(= $help:literal)?,)+) => {
        impl ValueEnum for $type {
            fn value_variants<'a>() -> &'a [Self] {
                &[$(Self::$value $(($($inner)+))?),+]
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                Some(match self {
                    $(Self::$value $(($($inner)+))? => PossibleValue::new($word)$(.alias($alias))?$(.help($help))?,)+
                })
            }
        }
    };
}

values! { ErrorMode:
    Fatal "fatal" ["fail"] = "Stop with an error; no output file is written",
    Replacement "replacement" ["replace"] = "Malformed input becomes U+FFFD; a character that the output encoding lacks (which may be U+FFFD) becomes \"?\"",
    Html "html" = "Malformed input becomes U+FFFD; a character that the output encoding lacks becomes &#…; with its number",
    Skip "skip" = "Both are omitted",
}

values! { BomMode:
    Add "add" = "Write a byte order mark",
    Strip "strip" = "Write none",
    None "none" = "Write none, and remove those inside the text, which joined files have",
    Keep "keep" = "Write one if the input has one and the output encoding has one",
    Ignore "ignore" = "Write none, and use --from even if the input begins with another mark",
}

values! { Newline:
    Keep "keep" = "Keep them",
    Lf "lf" = "U+000A, as in Unix",
    Crlf "crlf" = "U+000D U+000A, as in Windows",
    Cr "cr" = "U+000D, as in Mac OS before X",
    Nel "nel" = "U+0085, as in z/OS",
}

values! { Form:
    Nfc "nfc" = "Composed, the usual form",
    Nfd "nfd" = "Decomposed, the form of file names in macOS",
    Nfkc "nfkc" = "Composed, without differences of compatibility",
    Nfkd "nfkd" = "Decomposed, without differences of compatibility",
}

values! { Compress:
    Keep "keep" = "That of the input",
    None "none" = "No compression",
    To(Format::Gzip) "gz" = "In gzip's format",
    To(Format::Zstd) "zst" = "In Zstandard's format",
    To(Format::Bzip2) "bz2" = "In bzip2's format",
    To(Format::Xz) "xz" = "In the format of xz",
}

values! { Progress:
    Auto "auto" = "On a terminal only",
    Always "always" = "Always; if standard error is not a terminal, one line per second",
    Never "never" = "Never",
}
