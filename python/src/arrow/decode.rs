//! Columns of bytes to columns of text.

use super::column::Column;
use super::rows::{self, Labels};
use super::{Arrays, Failure, OnError};
use crate::names;
use arrow_array::builder::StringViewBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericStringArray, OffsetSizeTrait};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;
use mojika::{BomHandling, Decoder, Encoding, FatalDecodeStatus};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use std::sync::Arc;

/// A column of bytes to a column of text: binary to string, large_binary to large_string, binary_view to string_view.
#[pyfunction]
#[pyo3(signature = (data, label, errors="strict", *, bom="sniff"))]
pub fn arrow_decode(
    py: Python<'_>,
    data: AnyArray,
    label: &Bound<'_, PyAny>,
    errors: &str,
    bom: &str,
) -> PyResult<Column> {
    let data = Arrays::of(data)?;
    let on_error = match errors {
        "strict" | "fatal" => OnError::Fail,
        "replace" | "replacement" => OnError::Replace,
        "null" => OnError::Null,
        _ => {
            return Err(PyValueError::new_err(format!(
                "errors must be 'strict', 'replace' or 'null', not {errors:?}"
            )));
        }
    };
    let bom = crate::decode::bom_handling(bom)?;
    let labels = if let Ok(label) = label.extract::<String>() {
        Labels::All(names::require(&label)?)
    } else {
        let labels = Arrays::of(label.extract()?)?;
        if labels.rows() != data.rows() {
            return Err(PyValueError::new_err(format!(
                "{} labels for {} rows",
                labels.rows(),
                data.rows()
            )));
        }
        Labels::of(&labels).map_err(|failure| failure.raise(py))?
    };
    let work = Work {
        labels,
        on_error,
        bom,
    };
    let decoded = py.detach(|| {
        let mut first = 0;
        let chunks = data.chunks.iter().map(|chunk| {
            let decoded = work.decode(chunk, first);
            first += chunk.len();
            decoded
        });
        let chunks: Result<Vec<ArrayRef>, Failure> = chunks.collect();
        Ok((chunks?, text_type(data.field.data_type())?))
    });
    let (chunks, data_type) = decoded.map_err(|failure: Failure| failure.raise(py))?;
    Ok(data.column(chunks, data_type))
}

/// The type of text for a type of bytes.
fn text_type(bytes: &DataType) -> Result<DataType, Failure> {
    Ok(match bytes {
        DataType::Binary | DataType::FixedSizeBinary(_) => DataType::Utf8,
        DataType::LargeBinary => DataType::LargeUtf8,
        DataType::BinaryView => DataType::Utf8View,
        DataType::Dictionary(_, values) => text_type(values)?,
        other => return Err(Failure::Type(other.clone())),
    })
}

struct Work {
    labels: Labels,
    on_error: OnError,
    bom: BomHandling,
}

impl Work {
    /// Decodes a chunk, the first row of which is row `first` of the column.
    fn decode(&self, chunk: &ArrayRef, first: usize) -> Result<ArrayRef, Failure> {
        let chunk = &rows::plain(chunk).map_err(Failure::Type)?;
        match text_type(chunk.data_type())? {
            DataType::Utf8View => self.to_view(chunk, first),
            DataType::LargeUtf8 => {
                let length = chunk.as_binary::<i64>().value_data().len();
                self.to_offsets::<i64>(chunk, first, length)
            }
            _ => {
                let length = match chunk.as_binary_opt::<i32>() {
                    Some(array) => array.value_data().len(),
                    None => chunk.get_buffer_memory_size(),
                };
                self.to_offsets::<i32>(chunk, first, length)
            }
        }
    }

    fn to_offsets<O: OffsetSizeTrait>(
        &self,
        chunk: &ArrayRef,
        first: usize,
        bytes: usize,
    ) -> Result<ArrayRef, Failure> {
        let value = rows::values(chunk).ok_or_else(|| Failure::Type(chunk.data_type().clone()))?;
        let nulls = chunk.nulls();
        // Half as much again is what most text needs, and untouched pages cost nothing.
        let mut text = String::with_capacity(bytes + bytes / 2);
        let mut offsets = Vec::with_capacity(chunk.len() + 1);
        offsets.push(O::default());
        let mut bad = Vec::new();
        let mut rows = Rows::new(self);
        for row in 0..chunk.len() {
            if nulls.is_none_or(|nulls| nulls.is_valid(row))
                && !rows.append(value(row), first + row, &mut text)?
            {
                bad.push(row);
            }
            offsets.push(O::from_usize(text.len()).ok_or(Failure::TooLong)?);
        }
        let nulls = with_bad(nulls, &bad, chunk.len());
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        // SAFETY: the values are UTF-8, as a `String`, and each offset was the length of it between two characters,
        // in ascending order; the check would read all text once more.
        let array = unsafe {
            GenericStringArray::<O>::new_unchecked(
                offsets,
                Buffer::from_vec(text.into_bytes()),
                nulls,
            )
        };
        Ok(Arc::new(array))
    }

    fn to_view(&self, chunk: &ArrayRef, first: usize) -> Result<ArrayRef, Failure> {
        let value = rows::values(chunk).ok_or_else(|| Failure::Type(chunk.data_type().clone()))?;
        let mut builder = StringViewBuilder::with_capacity(chunk.len());
        let mut text = String::new();
        let mut rows = Rows::new(self);
        for row in 0..chunk.len() {
            text.clear();
            if chunk.is_valid(row) && rows.append(value(row), first + row, &mut text)? {
                builder.append_value(&text);
            } else {
                builder.append_null();
            }
        }
        Ok(Arc::new(builder.finish()))
    }
}

/// The nulls and the rows that have become null.
pub fn with_bad(nulls: Option<&NullBuffer>, bad: &[usize], length: usize) -> Option<NullBuffer> {
    if bad.is_empty() {
        return nulls.cloned();
    }
    let mut valid: Vec<bool> = match nulls {
        Some(nulls) => nulls.iter().collect(),
        None => vec![true; length],
    };
    for &row in bad {
        valid[row] = false;
    }
    Some(NullBuffer::from(valid))
}

/// Decodes row after row; the decoder of the row before is taken again.
struct Rows<'a> {
    work: &'a Work,
    decoder: Option<(&'static Encoding, Decoder)>,
}

impl<'a> Rows<'a> {
    fn new(work: &'a Work) -> Self {
        Self {
            work,
            decoder: None,
        }
    }

    /// Appends the text of a row; false, and nothing, if the row is to be null.
    fn append(&mut self, bytes: &[u8], row: usize, text: &mut String) -> Result<bool, Failure> {
        let Work {
            labels,
            on_error,
            bom,
        } = self.work;
        let Some(encoding) = labels.get(row) else {
            return match on_error {
                OnError::Null => Ok(false),
                OnError::Fail | OnError::Replace => Err(labels.failure(row)),
            };
        };
        let decoder = match &mut self.decoder {
            Some((last, decoder)) if *last == encoding => decoder,
            other => &mut other.insert((encoding, Decoder::new(encoding, *bom))).1,
        };
        if *on_error == OnError::Replace {
            decoder.decode_append(bytes, text, true);
            return Ok(true);
        }
        let length = text.len();
        let progress = decoder.decode_append_fatal(bytes, text, true);
        let FatalDecodeStatus::Malformed(sequence) = progress.status else {
            return Ok(true);
        };
        let encoding = decoder.encoding();
        decoder.reset();
        text.truncate(length);
        match on_error {
            OnError::Null => Ok(false),
            OnError::Fail | OnError::Replace => Err(Failure::Malformed {
                row,
                bytes: bytes.to_vec(),
                encoding,
                sequence,
            }),
        }
    }
}
