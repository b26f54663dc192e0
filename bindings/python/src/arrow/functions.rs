//! `arrow_decode`, `arrow_encode` and `arrow_detect`, over the crate `mojika_arrow`.

use super::column::Column;
use super::{Arrays, raise};
use crate::names;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use mojika_arrow::{
    Decode, Encode, Failure, Faults, Labels, OnError, What, bytes_type, detect, fields, text_type,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;

/// Decodes a column of bytes: binary to string, large_binary to large_string, binary_view to string_view.
#[pyfunction]
#[pyo3(signature = (data, label, errors="strict", *, bom="sniff", errors_out=false))]
pub fn arrow_decode<'py>(
    py: Python<'py>,
    data: AnyArray,
    label: &Bound<'py, PyAny>,
    errors: &str,
    bom: &str,
    errors_out: bool,
) -> PyResult<(Column, Option<Bound<'py, PyAny>>)> {
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
    let faults = errors_out.then(|| Faults::new(What::Bytes));
    converted(
        py,
        &data,
        text_type,
        faults,
        |chunk, first, faults| match faults {
            Some(faults) => work.decode_listing(chunk, first, faults),
            None => work.decode(chunk, first),
        },
    )
}

/// Encodes a column of text: string to binary, large_string to large_binary, string_view to binary_view.
#[pyfunction]
#[pyo3(signature = (data, label, errors="strict", *, errors_out=false))]
pub fn arrow_encode<'py>(
    py: Python<'py>,
    data: AnyArray,
    label: &Bound<'py, PyAny>,
    errors: &str,
    errors_out: bool,
) -> PyResult<(Column, Option<Bound<'py, PyAny>>)> {
    let data = Arrays::of(data)?;
    let on_error = match errors {
        "strict" | "fatal" => OnError::Fail,
        "html" | "xmlcharrefreplace" => OnError::Replace,
        "replace" => OnError::Substitute,
        "null" => OnError::Null,
        _ => {
            return Err(PyValueError::new_err(format!(
                "errors must be 'strict', 'html', 'replace' or 'null', not {errors:?}"
            )));
        }
    };
    let labels = match label.extract::<String>() {
        Ok(label) => Labels::All(names::require_target(&label)?.encoding),
        Err(_) => labels(label, &data)?,
    };
    if let Labels::All(encoding) = labels {
        encoding.new_encoder().map_err(crate::errors::no_encoder)?;
    }
    let work = Encode { labels, on_error };
    let faults = errors_out.then(|| Faults::new(What::Characters));
    converted(
        py,
        &data,
        bytes_type,
        faults,
        |chunk, first, faults| match faults {
            Some(faults) => work.encode_listing(chunk, first, faults),
            None => work.encode(chunk, first),
        },
    )
}

/// Returns the encodings of a column of bytes, as structs of encoding, source and confidence.
#[pyfunction]
pub fn arrow_detect(py: Python<'_>, data: AnyArray) -> PyResult<Column> {
    let data = Arrays::of(data)?;
    let structs = |_: &DataType| Ok(DataType::Struct(fields()));
    let (column, _) = converted(py, &data, structs, None, |chunk, _, _| detect(chunk))?;
    Ok(column)
}

/// Returns the encoding for a label, or the encodings for a column of labels, which has a label for each row of `data`.
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

/// Converts each chunk of a column by `convert`, which also gets the number of the chunk's first row. Returns the new
/// column, and a table of the faults that `convert` adds to the list.
fn converted<'py>(
    py: Python<'py>,
    data: &Arrays,
    data_type: impl Fn(&DataType) -> Result<DataType, Failure> + Sync,
    mut faults: Option<Faults>,
    convert: impl Fn(&ArrayRef, usize, Option<&mut Faults>) -> Result<ArrayRef, Failure> + Sync,
) -> PyResult<(Column, Option<Bound<'py, PyAny>>)> {
    let list = &mut faults;
    let converted = py.detach(|| {
        let mut first = 0;
        let chunks = data.chunks.iter().map(|chunk| {
            let converted = convert(chunk, first, list.as_mut());
            first += chunk.len();
            converted
        });
        let chunks: Result<Vec<ArrayRef>, Failure> = chunks.collect();
        Ok((chunks?, data_type(data.field.data_type())?))
    });
    let (chunks, data_type) = converted.map_err(|failure: Failure| raise(failure, py))?;
    let faults = faults.map(|faults| super::table(py, faults.table()));
    Ok((data.column(chunks, data_type), faults.transpose()?))
}
