//! Mail, converted part by part.
//!
//! * `mailbox`: the messages of a mailbox, one after another.
//! * `message`: the parts of a message, by the crate `mailparse`, and the changes that make them UTF-8.
//! * `part`: the text of one part.
//! * `field`, `words`: parameters of fields, and text in fields that says its charset.
//! * `edit`: changes of a message, and the message with them.
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
    /// The question for the encoding of a part.
    pub question: &'r Question,
    /// The encoding of parts that say none.
    pub given: Option<&'static Encoding>,
    /// True if fields of headers are converted, too.
    pub headers: bool,
    /// True if declarations in parts are made true.
    pub updates_declared: bool,
}

#[cfg(test)]
impl<'r> Rules<'r> {
    /// Returns the rules for the text of parts alone, by declaration or detection.
    pub fn of(question: &'r Question) -> Self {
        Self {
            question,
            given: None,
            headers: false,
            updates_declared: false,
        }
    }
}
