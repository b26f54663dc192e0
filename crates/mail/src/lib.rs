//! Mail, converted part by part.
//!
//! * `mailbox`: the messages of a mailbox, one after another.
//! * `message`: the parts of a message, parsed by the crate `mailparse`, and the changes that make them UTF-8.
//! * `part`: the text of one part.
//! * `field`, `words`: parameters of fields, and text in fields with a declared charset.
//! * `edit`: applies changes to a message.
//! * `transfer`: quoted-printable and base64.

#![forbid(unsafe_code)]

#[cfg(all(test, feature = "parts"))]
mod changes;
#[cfg_attr(not(feature = "parts"), path = "no_convert.rs")]
mod convert;
#[cfg(feature = "parts")]
mod edit;
#[cfg(feature = "parts")]
mod field;
#[cfg(feature = "parts")]
mod mailbox;
#[cfg(feature = "parts")]
mod message;
#[cfg(feature = "parts")]
mod part;
#[cfg(feature = "parts")]
mod transfer;
#[cfg(feature = "parts")]
mod words;

pub use convert::convert;
pub use mojika_convert::job::mail::Report;

use mojika::Encoding;
use mojika_convert::decide::Question;

/// The rules for converting mail.
pub struct Rules<'r> {
    /// The options for deciding the encoding of a part.
    pub question: &'r Question,
    /// The encoding of parts without a declaration.
    pub given: Option<&'static Encoding>,
    /// True if header fields are converted, too.
    pub headers: bool,
    /// True if declarations in parts are updated.
    pub updates_declared: bool,
}

#[cfg(test)]
impl<'r> Rules<'r> {
    /// Returns rules that convert only the text of parts, by declaration or detection.
    pub fn of(question: &'r Question) -> Self {
        Self {
            question,
            given: None,
            headers: false,
            updates_declared: false,
        }
    }
}
