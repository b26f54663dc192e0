//! Finds the encoding of bytes, as software on the Web does.
//!
//! [`sniff`] takes the bytes of a document, or their beginning, and [`Hints`], and returns a [`Decision`]. The parts
//! are public, with one module per standard: [`bom`], [`html`], [`css`], [`xml`], the table of contexts
//! (docs/SNIFFING.md) and [`mod@detect`]. This crate does no I/O. Without the feature `alloc`, it only borrows bytes.

#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(missing_debug_implementations)]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod bom;
pub mod contexts;
pub mod css;
mod decision;
pub mod declared;
pub mod detect;
mod hints;
pub mod html;
#[cfg(feature = "alloc")]
pub mod judge;
mod mime;
#[cfg(feature = "alloc")]
mod page;
#[cfg(feature = "alloc")]
mod page_reader;
#[cfg(feature = "alloc")]
mod response;
mod source;
mod transport;
pub mod xml;

pub use contexts::Context;
pub use decision::{Confidence, Decision};
pub use hints::{Hints, sniff, sniff_leniently};
#[cfg(feature = "alloc")]
pub use judge::{Judge, Judgement, judge};
#[cfg(feature = "alloc")]
pub use page::{Document, DocumentError, decode_document};
#[cfg(feature = "alloc")]
pub use page_reader::{PageReader, PageStop};
#[cfg(feature = "alloc")]
pub use response::Response;
pub use source::Source;

use mojika::Encoding;

/// Returns the encoding with this label, or the encoding outside the Standard with this name.
fn encoding_for_name(name: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label(name).or_else(|| extended(name))
}

/// Returns the encoding outside the Standard with this name.
///
/// A number alone names a code page only on a command line: in XML, the name of an encoding begins with a letter.
fn extended(name: &[u8]) -> Option<&'static Encoding> {
    let is_number = name.trim_ascii().iter().all(u8::is_ascii_digit);
    mojika::extended::for_name(name).filter(|_| !is_number)
}

/// The examples of the guides, as doctests.
#[cfg(all(doctest, feature = "detect", feature = "std"))]
mod documents {
    #[doc = include_str!("../../../docs/CALLS.md")]
    struct Calls;
    #[doc = include_str!("../../../docs/WARC.md")]
    struct Warc;
}
