//! Conversion of Apache Arrow columns between text encodings.
//!
//! [`Decode`] converts bytes to text, [`Encode`] text to bytes, and [`detect`] finds the encoding of each value. All
//! layouts of bytes and text are supported: 32-bit and 64-bit offsets, views, fixed sizes, and dictionaries of these. A row
//! that cannot be converted becomes a [`Failure`] with its number, U+FFFD, or a null.
//!
//! ```
//! use arrow_array::{ArrayRef, BinaryArray, cast::AsArray};
//! use mojika_arrow::{Decode, Labels, OnError};
//! use std::sync::Arc;
//!
//! let column: ArrayRef = Arc::new(BinaryArray::from_opt_vec(vec![Some(b"\x95\xb6"), None]));
//! let work = Decode { labels: Labels::All(mojika::SHIFT_JIS), on_error: OnError::Fail, bom: mojika::BomHandling::Sniff };
//! let text = work.decode(&column, 0)?;
//! assert_eq!(text.as_string::<i32>().value(0), "文");
//! # Ok::<(), mojika_arrow::Failure>(())
//! ```

mod decode;
mod detect;
mod encode;
mod failure;
mod faults;
mod rows;

pub use decode::{Decode, text_type};
pub use detect::{detect, fields, judged, judged_by, plain_text};
pub use encode::{Encode, bytes_type};
pub use failure::Failure;
pub use faults::{Faults, Place, What, character_name};
pub use rows::Labels;

/// The handling of a row that cannot be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnError {
    /// The conversion fails with a [`Failure`].
    Fail,
    /// U+FFFD for each malformed sequence; a numeric character reference for each unmappable character. A row without an
    /// encoding is a [`Failure`].
    Replace,
    /// U+FFFD for each malformed sequence; "?" for each unmappable character. A row without an encoding is a [`Failure`].
    Substitute,
    /// The row becomes null.
    Null,
}
