//! From bytes to an encoding when nobody says it, as software on the Web decides.
//!
//! [`sniff`] takes the bytes of a document, or their beginning, and [`Hints`], and returns a [`Decision`]. The parts
//! are public and stand one file per standard: [`bom`], [`transport`], [`html`], [`css`], [`xml`], the table of
//! [`contexts`] and [`mod@detect`]. This room does no I/O, and without the feature `alloc` it works on borrowed bytes
//! alone.

pub mod bom;
pub mod contexts;
pub mod css;
mod decision;
pub mod detect;
pub mod html;
#[cfg(feature = "alloc")]
mod page;
pub mod transport;
pub mod xml;

pub use contexts::Context;
pub use decision::{Confidence, Decision, Hints, Source, sniff, sniff_leniently};
#[cfg(feature = "alloc")]
pub use page::{Document, DocumentError, Page, decode_document};

use crate::Encoding;

/// The encoding of a label, or of a name outside the Standard.
fn encoding_for_name(name: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label(name).or_else(|| extended(name))
}

/// The encoding outside the Standard of this name.
fn extended(name: &[u8]) -> Option<&'static Encoding> {
    crate::extended::for_name(name)
}
