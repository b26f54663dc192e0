//! Mail, converted part by part.
//!
//! * `mailbox`: the messages of a mailbox, one after another.
//! * `message`: the parts of a message, by the crate `mailparse`, and the changes that make them UTF-8.
//! * `part`: the text of one part.
//! * `field`, `words`: parameters of fields, and text in fields that says its charset.
//! * `edit`: changes of a message, and the message with them.
//! * `transfer`: quoted-printable and base64.
//! * `report`: what became of the parts.

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

/// How mail is converted.
pub struct Rules<'r> {
    /// How the encoding of a part is decided.
    pub question: &'r Question,
    /// The encoding of parts that say none.
    pub given: Option<&'static Encoding>,
    /// Whether fields of headers are converted, too.
    pub headers: bool,
    /// Whether declarations in parts are made true.
    pub updates_declared: bool,
}

#[cfg(test)]
impl<'r> Rules<'r> {
    /// The text of parts alone, each by what it says or what is detected.
    pub fn of(question: &'r Question) -> Self {
        Self {
            question,
            given: None,
            headers: false,
            updates_declared: false,
        }
    }
}
