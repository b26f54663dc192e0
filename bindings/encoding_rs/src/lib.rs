//! The API of encoding_rs 0.8.44 on mojika's engine.
//!
//! It has the name of the published crate, so that `[patch.crates-io]` replaces that crate in a dependency graph: see the
//! README. The published crate's documentation describes all public items; the comments here are summaries, and list the
//! differences.
//!
//! Conversions are [`mojika`]'s. This crate adds encoding_rs' contract where it differs:
//!
//! * a malformed sequence or an unmappable scalar value is only reported while U+FFFD or a numeric character reference
//!   still fits, so that a caller can write it at that point;
//! * output is limited to the capacity of a `String` or `Vec`, which never grows;
//! * encoding to UTF-16BE, UTF-16LE and replacement means encoding to UTF-8;
//! * a finished decoder panics when used again;
//! * the `max_…_length` methods return encoding_rs' numbers.
//!
//! ```
//! let (text, encoding, had_errors) = encoding_rs::SHIFT_JIS.decode(b"\x95\xB6\x8E\x9A");
//! assert_eq!((&*text, encoding.name(), had_errors), ("文字", "Shift_JIS", false));
//! ```

#![cfg_attr(not(test), no_std)]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod bom;
mod decoder;
mod encoder;
mod encoding;
mod max_length;
pub mod mem;
mod results;
#[cfg(feature = "serde")]
mod serde;
mod sink;

pub use decoder::Decoder;
pub use encoder::Encoder;
pub use encoding::*;
pub use results::{CoderResult, DecoderResult, EncoderResult};

/// The README's examples, as doctests.
#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct Readme;
