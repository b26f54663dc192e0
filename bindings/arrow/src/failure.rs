//! The error that ends the conversion of a column.

use arrow_schema::DataType;
use mojika::{EncodeError, Encoding, MalformedSequence};
use std::fmt;

/// The error that ends the conversion of a column. Row numbers start at the number that the caller gave for the first row.
#[derive(Debug)]
pub enum Failure {
    /// A row has a malformed sequence.
    Malformed {
        /// The number of the row.
        row: usize,
        /// The bytes of the row.
        bytes: Vec<u8>,
        /// The encoding in which the row was decoded.
        encoding: &'static Encoding,
        /// The sequence, with its offset in the value.
        sequence: MalformedSequence,
    },
    /// A row has a character that its encoding lacks, or its encoding has no encoder.
    Unmappable {
        /// The number of the row.
        row: usize,
        /// The text of the row.
        text: String,
        /// The library's error.
        error: EncodeError,
    },
    /// A row has no encoding.
    UnknownLabel {
        /// The number of the row.
        row: usize,
        /// The label; `None` for a null.
        label: Option<String>,
    },
    /// The result exceeds 32-bit offsets.
    TooLong,
    /// The column's type, which is given, is not a type of bytes (to decode) or of text (to encode).
    Type(DataType),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Malformed {
                row,
                encoding,
                sequence,
                ..
            } => write!(
                f,
                "not {}: malformed sequence of {} {} at byte offset {} of row {row}",
                encoding.name(),
                sequence.len,
                if sequence.len == 1 { "byte" } else { "bytes" },
                sequence.offset
            ),
            Failure::Unmappable { row, error, .. } => write!(f, "row {row}: {error}"),
            Failure::UnknownLabel {
                row,
                label: Some(label),
            } => write!(f, "unknown encoding in row {row}: {label}"),
            Failure::UnknownLabel { row, label: None } => {
                write!(f, "the label of row {row} is null")
            }
            Failure::TooLong => f.write_str(
                "the result is longer than 2 GiB, which offsets of 32 bits cannot say: cast the column to large_binary or \
                 large_string first",
            ),
            Failure::Type(data_type) => write!(f, "not a column for this: {data_type}"),
        }
    }
}

impl std::error::Error for Failure {}
