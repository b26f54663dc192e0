//! Columns of text to columns of bytes.

use super::column::Column;
use super::decode::with_bad;
use super::rows;
use super::{Arrays, Failure, OnError};
use crate::names;
use arrow_array::builder::BinaryViewBuilder;
use arrow_array::{Array, ArrayRef, GenericBinaryArray, OffsetSizeTrait};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;
use mojika::{EncodeError, Encoding};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use std::borrow::Cow;
use std::sync::Arc;

/// A column of text to a column of bytes: string to binary, large_string to large_binary, string_view to binary_view.
#[pyfunction]
#[pyo3(signature = (data, label, errors="strict"))]
pub fn arrow_encode(py: Python<'_>, data: AnyArray, label: &str, errors: &str) -> PyResult<Column> {
    let data = Arrays::of(data)?;
    let on_error = match errors {
        "strict" | "fatal" => OnError::Fail,
        "html" | "xmlcharrefreplace" => OnError::Replace,
        "null" => OnError::Null,
        _ => {
            return Err(PyValueError::new_err(format!(
                "errors must be 'strict', 'html' or 'null', not {errors:?}"
            )));
        }
    };
    let encoding = names::require(label)?;
    encoding.new_encoder().map_err(crate::errors::no_encoder)?;
    let work = Work { encoding, on_error };
    let encoded = py.detach(|| {
        let mut first = 0;
        let chunks = data.chunks.iter().map(|chunk| {
            let encoded = work.encode(chunk, first);
            first += chunk.len();
            encoded
        });
        let chunks: Result<Vec<ArrayRef>, Failure> = chunks.collect();
        Ok((chunks?, bytes_type(data.field.data_type())?))
    });
    let (chunks, data_type) = encoded.map_err(|failure: Failure| failure.raise(py))?;
    Ok(data.column(chunks, data_type))
}

/// The type of bytes for a type of text.
fn bytes_type(text: &DataType) -> Result<DataType, Failure> {
    Ok(match text {
        DataType::Utf8 => DataType::Binary,
        DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::Utf8View => DataType::BinaryView,
        DataType::Dictionary(_, values) => bytes_type(values)?,
        other => return Err(Failure::Type(other.clone())),
    })
}

struct Work {
    encoding: &'static Encoding,
    on_error: OnError,
}

impl Work {
    fn encode(&self, chunk: &ArrayRef, first: usize) -> Result<ArrayRef, Failure> {
        let chunk = &rows::plain(chunk).map_err(Failure::Type)?;
        match bytes_type(chunk.data_type())? {
            DataType::BinaryView => self.to_view(chunk, first),
            DataType::LargeBinary => self.to_offsets::<i64>(chunk, first),
            _ => self.to_offsets::<i32>(chunk, first),
        }
    }

    fn to_offsets<O: OffsetSizeTrait>(
        &self,
        chunk: &ArrayRef,
        first: usize,
    ) -> Result<ArrayRef, Failure> {
        let text = rows::texts(chunk).ok_or_else(|| Failure::Type(chunk.data_type().clone()))?;
        let mut bytes = Vec::new();
        let mut offsets = Vec::with_capacity(chunk.len() + 1);
        offsets.push(O::default());
        let mut bad = Vec::new();
        for row in 0..chunk.len() {
            if chunk.is_valid(row) {
                match self.row(text(row), first + row)? {
                    Some(encoded) => bytes.extend_from_slice(&encoded),
                    None => bad.push(row),
                }
            }
            offsets.push(O::from_usize(bytes.len()).ok_or(Failure::TooLong)?);
        }
        let nulls = with_bad(chunk.nulls(), &bad, chunk.len());
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        let values = Buffer::from_vec(bytes);
        Ok(Arc::new(GenericBinaryArray::<O>::new(
            offsets, values, nulls,
        )))
    }

    fn to_view(&self, chunk: &ArrayRef, first: usize) -> Result<ArrayRef, Failure> {
        let text = rows::texts(chunk).ok_or_else(|| Failure::Type(chunk.data_type().clone()))?;
        let mut builder = BinaryViewBuilder::with_capacity(chunk.len());
        for row in 0..chunk.len() {
            let encoded = match chunk.is_valid(row) {
                true => self.row(text(row), first + row)?,
                false => None,
            };
            builder.append_option(encoded);
        }
        Ok(Arc::new(builder.finish()))
    }

    /// The bytes of a row; `None` if it is to be null.
    fn row<'a>(&self, text: &'a str, row: usize) -> Result<Option<Cow<'a, [u8]>>, Failure> {
        let encoded = match self.on_error {
            OnError::Replace => {
                let encoded = self.encoding.encode_html(text).map(|encoded| encoded.bytes);
                encoded.map_err(EncodeError::NoEncoder)
            }
            OnError::Fail | OnError::Null => self.encoding.encode(text),
        };
        match encoded {
            Ok(bytes) => Ok(Some(bytes)),
            Err(EncodeError::Unmappable { .. }) if self.on_error == OnError::Null => Ok(None),
            Err(error) => Err(Failure::Unmappable {
                row,
                text: text.to_owned(),
                error,
            }),
        }
    }
}
