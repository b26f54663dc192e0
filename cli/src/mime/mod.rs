//! Mail, converted part by part.
//!
//! * `mailbox`: the messages of a mailbox, one after another.
//! * `message`: the parts of a message, by the crate `mailparse`, and the changes that make them UTF-8.
//! * `part`: the text of one part.
//! * `field`, `words`: parameters of fields, and text in fields that says its charset.
//! * `edit`: changes of a message, and the message with them.
//! * `transfer`: quoted-printable and base64.
//! * `report`: the outcome for the parts.

#[cfg(all(test, feature = "mail"))]
mod changes;
#[cfg_attr(not(feature = "mail"), path = "no_convert.rs")]
mod convert;
#[cfg(feature = "mail")]
mod edit;
#[cfg(feature = "mail")]
mod field;
#[cfg(feature = "mail")]
mod mailbox;
#[cfg(feature = "mail")]
mod message;
#[cfg(feature = "mail")]
mod part;
mod report;
#[cfg(feature = "mail")]
mod transfer;
#[cfg(feature = "mail")]
mod words;

pub use convert::convert;
pub use report::Report;

use crate::decide::Question;
use mojika::Encoding;

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
