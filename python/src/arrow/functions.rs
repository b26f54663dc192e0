//! `arrow_decode`, `arrow_encode`, `arrow_detect`: the work is that of the crate `mojika_arrow`.

use super::column::Column;
use super::{Arrays, raise};
use crate::names;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use mojika_arrow::{
    Decode, Encode, Failure, Labels, OnError, bytes_type, detect, fields, text_type,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;

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
    let work = Decode {
        labels: labels(label, &data)?,
        on_error,
        bom: crate::decode::bom_handling(bom)?,
    };
    converted(py, &data, text_type, |chunk, first| {
        work.decode(chunk, first)
    })
}

/// A column of text to a column of bytes: string to binary, large_string to large_binary, string_view to binary_view.
#[pyfunction]
#[pyo3(signature = (data, label, errors="strict"))]
pub fn arrow_encode(
    py: Python<'_>,
    data: AnyArray,
    label: &Bound<'_, PyAny>,
    errors: &str,
) -> PyResult<Column> {
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
    let labels = labels(label, &data)?;
    if let Labels::All(encoding) = labels {
        encoding.new_encoder().map_err(crate::errors::no_encoder)?;
    }
    let work = Encode { labels, on_error };
    converted(py, &data, bytes_type, |chunk, first| {
        work.encode(chunk, first)
    })
}

/// A column of bytes to a column of structs: encoding, source, confidence.
#[pyfunction]
pub fn arrow_detect(py: Python<'_>, data: AnyArray) -> PyResult<Column> {
    let data = Arrays::of(data)?;
    let structs = |_: &DataType| Ok(DataType::Struct(fields()));
    converted(py, &data, structs, |chunk, _| detect(chunk))
}

/// The encodings of one label, or of a column with a label for each row of `data`.
fn labels(label: &Bound<'_, PyAny>, data: &Arrays) -> PyResult<Labels> {
    if let Ok(label) = label.extract::<String>() {
        return Ok(Labels::All(names::require(&label)?));
    }
    let labels = Arrays::of(label.extract()?)?;
    if labels.rows() != data.rows() {
        return Err(PyValueError::new_err(format!(
            "{} labels for {} rows",
            labels.rows(),
            data.rows()
        )));
    }
    Labels::of(&labels.chunks, names::find).map_err(|failure| raise(failure, label.py()))
}

/// The column that `convert` makes of each piece, which it gets with the number of its first row.
fn converted(
    py: Python<'_>,
    data: &Arrays,
    data_type: impl Fn(&DataType) -> Result<DataType, Failure> + Sync,
    convert: impl Fn(&ArrayRef, usize) -> Result<ArrayRef, Failure> + Sync,
) -> PyResult<Column> {
    let converted = py.detach(|| {
        let mut first = 0;
        let chunks = data.chunks.iter().map(|chunk| {
            let converted = convert(chunk, first);
            first += chunk.len();
            converted
        });
        let chunks: Result<Vec<ArrayRef>, Failure> = chunks.collect();
        Ok((chunks?, data_type(data.field.data_type())?))
    });
    let (chunks, data_type) = converted.map_err(|failure: Failure| raise(failure, py))?;
    Ok(data.column(chunks, data_type))
}
