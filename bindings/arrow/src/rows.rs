//! The values of a column of bytes or text in any layout, and their labels.

use crate::{Failure, Faults, OnError};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use mojika::Encoding;

/// A function that returns the bytes of a row by its number. The row must not be null.
pub type Values<'a> = Box<dyn Fn(usize) -> &'a [u8] + Sync + Send + 'a>;

/// Returns access to the rows of `array`; `None` for types other than bytes.
pub fn values(array: &ArrayRef) -> Option<Values<'_>> {
    Some(match array.data_type() {
        DataType::Binary => {
            let array = array.as_binary::<i32>();
            Box::new(|row| array.value(row))
        }
        DataType::LargeBinary => {
            let array = array.as_binary::<i64>();
            Box::new(|row| array.value(row))
        }
        DataType::BinaryView => {
            let array = array.as_binary_view();
            Box::new(|row| array.value(row))
        }
        DataType::FixedSizeBinary(_) => {
            let array = array.as_fixed_size_binary();
            Box::new(|row| array.value(row))
        }
        _ => return None,
    })
}

/// A function that returns the text of a row by its number.
pub type Texts<'a> = Box<dyn Fn(usize) -> &'a str + Sync + Send + 'a>;

/// Returns access to the rows of `array`; `None` for types other than text.
pub fn texts(array: &ArrayRef) -> Option<Texts<'_>> {
    Some(match array.data_type() {
        DataType::Utf8 => {
            let array = array.as_string::<i32>();
            Box::new(|row| array.value(row))
        }
        DataType::LargeUtf8 => {
            let array = array.as_string::<i64>();
            Box::new(|row| array.value(row))
        }
        DataType::Utf8View => {
            let array = array.as_string_view();
            Box::new(|row| array.value(row))
        }
        _ => return None,
    })
}

/// The encoding of each row.
#[derive(Debug)]
pub enum Labels {
    /// The same encoding for all rows.
    All(&'static Encoding),
    /// An encoding for each row, from [`Labels::of`].
    Each(Encodings),
}

/// The encodings of rows, by label.
#[derive(Debug)]
pub struct Encodings {
    /// `None` if the label is null or unknown.
    encodings: Vec<Option<&'static Encoding>>,
    bad: Vec<Bad>,
}

/// A row without an encoding.
#[derive(Debug)]
struct Bad {
    row: usize,
    label: Option<String>,
}

impl Labels {
    /// Returns the encodings of a column of labels in chunks. `find` looks up a label.
    pub fn of(
        labels: &[ArrayRef],
        find: impl Fn(&str) -> Option<&'static Encoding>,
    ) -> Result<Self, Failure> {
        let mut encodings = Vec::new();
        let mut bad = Vec::new();
        let mut known: Option<(String, Option<&'static Encoding>)> = None;
        for chunk in labels {
            let chunk = plain(chunk).map_err(Failure::Type)?;
            let text = texts(&chunk).ok_or_else(|| Failure::Type(chunk.data_type().clone()))?;
            for row in 0..chunk.len() {
                let label = chunk.is_valid(row).then(|| text(row));
                // Usually the label equals that of the previous row.
                let encoding = label.and_then(|label| match &known {
                    Some((last, encoding)) if last == label => *encoding,
                    _ => {
                        let encoding = find(label);
                        known = Some((label.to_owned(), encoding));
                        encoding
                    }
                });
                if encoding.is_none() {
                    bad.push(Bad {
                        row: encodings.len(),
                        label: label.map(str::to_owned),
                    });
                }
                encodings.push(encoding);
            }
        }
        Ok(Labels::Each(Encodings { encodings, bad }))
    }

    /// Returns the encoding of a row; `None` if its label is null or unknown.
    pub fn get(&self, row: usize) -> Option<&'static Encoding> {
        match self {
            Labels::All(encoding) => Some(encoding),
            Labels::Each(each) => each.encodings[row],
        }
    }

    /// Returns the encoding of a row. `None` if the row has no encoding and becomes null; `faults` then lists the row.
    pub(crate) fn required(
        &self,
        row: usize,
        on_error: OnError,
        faults: Option<&mut Faults>,
    ) -> Result<Option<&'static Encoding>, Failure> {
        if let Some(encoding) = self.get(row) {
            return Ok(Some(encoding));
        }
        let label = self.unknown(row);
        match on_error {
            OnError::Null => {
                if let Some(faults) = faults {
                    faults.no_encoding(row, label);
                }
                Ok(None)
            }
            OnError::Fail | OnError::Replace | OnError::Substitute => Err(Failure::UnknownLabel {
                row,
                label: label.map(str::to_owned),
            }),
        }
    }

    /// Returns the label of a row without an encoding; `None` if it is null.
    fn unknown(&self, row: usize) -> Option<&str> {
        let Labels::Each(each) = self else {
            return None;
        };
        let bad = each.bad.binary_search_by_key(&row, |bad| bad.row).ok()?;
        each.bad[bad].label.as_deref()
    }
}

/// Returns the array with its dictionary expanded.
pub fn plain(array: &ArrayRef) -> Result<ArrayRef, DataType> {
    let DataType::Dictionary(_, values) = array.data_type() else {
        return Ok(array.clone());
    };
    arrow_cast::cast(array, values).map_err(|_| array.data_type().clone())
}
