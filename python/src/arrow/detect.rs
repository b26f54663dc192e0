//! Columns of bytes to columns of encodings, with the reason.

use super::column::Column;
use super::rows;
use super::{Arrays, Failure};
use crate::sniff;
use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{DataType, Field, Fields};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use std::sync::Arc;

/// A column of bytes to a column of structs: encoding, source, confidence.
#[pyfunction]
pub fn arrow_detect(py: Python<'_>, data: AnyArray) -> PyResult<Column> {
    let data = Arrays::of(data)?;
    let chunks: Result<Vec<_>, Failure> = py.detach(|| data.chunks.iter().map(detect).collect());
    let chunks = chunks.map_err(|failure| failure.raise(py))?;
    Ok(data.column(chunks, DataType::Struct(fields())))
}

fn fields() -> Fields {
    let names = ["encoding", "source", "confidence"];
    names
        .map(|name| Field::new(name, DataType::Utf8, true))
        .to_vec()
        .into()
}

fn detect(chunk: &ArrayRef) -> Result<ArrayRef, Failure> {
    let chunk = &rows::plain(chunk).map_err(Failure::Type)?;
    let value = rows::values(chunk).ok_or_else(|| Failure::Type(chunk.data_type().clone()))?;
    let mut columns = [
        StringBuilder::new(),
        StringBuilder::new(),
        StringBuilder::new(),
    ];
    for row in 0..chunk.len() {
        let words = chunk.is_valid(row).then(|| {
            let decision = sniff::plain_text(value(row));
            [
                decision.encoding.name(),
                decision.source.as_str(),
                decision.confidence.as_str(),
            ]
        });
        for (index, column) in columns.iter_mut().enumerate() {
            column.append_option(words.map(|words| words[index]));
        }
    }
    let columns = columns.map(|mut column| Arc::new(column.finish()) as ArrayRef);
    let nulls = chunk.nulls().cloned();
    Ok(Arc::new(StructArray::new(
        fields(),
        columns.to_vec(),
        nulls,
    )))
}
