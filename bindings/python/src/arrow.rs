//! Conversion of whole columns. Arrow's PyCapsule interface takes them from any library and passes them to any library.

mod column;
mod functions;

use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use column::Column;
use mojika_arrow::Failure;
use pyo3::exceptions::{PyLookupError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3_arrow::input::AnyArray;
use std::sync::Arc;

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Column>()?;
    module.add_function(wrap_pyfunction!(functions::arrow_decode, module)?)?;
    module.add_function(wrap_pyfunction!(functions::arrow_encode, module)?)?;
    module.add_function(wrap_pyfunction!(functions::arrow_detect, module)?)
}

/// The arrays of an argument.
struct Arrays {
    chunks: Vec<ArrayRef>,
    field: FieldRef,
    /// True if the input was a stream, so that the result is a stream too.
    is_stream: bool,
}

impl Arrays {
    fn of(data: AnyArray) -> PyResult<Self> {
        let is_stream = matches!(data, AnyArray::Stream(_));
        let reader = data.into_reader()?;
        let field = reader.field();
        let chunks: Result<Vec<_>, ArrowError> = reader.collect();
        let chunks = chunks.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let arrays = Self {
            chunks,
            field,
            is_stream,
        };
        Ok(arrays.only_column())
    }

    /// Replaces a stream of record batches by its column, if it has only one. An array of structs with a null is not
    /// such a stream.
    fn only_column(self) -> Self {
        let DataType::Struct(fields) = self.field.data_type() else {
            return self;
        };
        let [field] = &fields[..] else {
            return self;
        };
        let columns = self.chunks.iter().map(|chunk| {
            let batch = chunk.as_any().downcast_ref::<arrow_array::StructArray>()?;
            (batch.null_count() == 0).then(|| batch.column(0).clone())
        });
        match columns.collect() {
            Some(chunks) => Self {
                chunks,
                field: field.clone(),
                is_stream: self.is_stream,
            },
            None => self,
        }
    }

    fn rows(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// Returns a column of the converted chunks.
    fn column(&self, chunks: Vec<ArrayRef>, data_type: DataType) -> Column {
        let field = Field::new(self.field.name(), data_type, true);
        Column::new(chunks, Arc::new(field), self.is_stream)
    }
}

/// Returns a table as `mojika.arrow.Table`.
pub fn table(py: Python<'_>, rows: StructArray) -> PyResult<Bound<'_, PyAny>> {
    let field = Field::new("", rows.data_type().clone(), false);
    let column = Column::new(vec![Arc::new(rows)], Arc::new(field), true);
    py.import("mojika.arrow")?.call_method1("Table", (column,))
}

/// Returns the exception for a failed column. Its attribute `row` has the row number.
fn raise(failure: Failure, py: Python<'_>) -> PyErr {
    let said = failure.to_string();
    let (error, row) = match failure {
        Failure::Malformed {
            row,
            bytes,
            encoding,
            sequence,
        } => {
            let bytes = PyBytes::new(py, &bytes);
            (crate::errors::malformed(&bytes, encoding, sequence), row)
        }
        Failure::Unmappable { row, text, error } => (unmappable(py, &text, error), row),
        Failure::UnknownLabel { row, label } => {
            let names = match label {
                Some(_) => "; mojika.encodings() lists the names",
                None => "",
            };
            (PyLookupError::new_err(said + names), row)
        }
        Failure::TooLong => return PyValueError::new_err(said),
        Failure::Type(_) => return PyTypeError::new_err(said),
    };
    // Ignore a failure: the exception is also useful without this attribute.
    let _ = error.value(py).setattr("row", row);
    error
}

fn unmappable(py: Python<'_>, text: &str, error: mojika::EncodeError) -> PyErr {
    let mojika::EncodeError::Unmappable {
        encoding,
        unmappable,
    } = error
    else {
        return crate::errors::unencodable(error);
    };
    let start = text[..unmappable.offset as usize].chars().count();
    let object = pyo3::types::PyString::new(py, text);
    crate::errors::raise(crate::errors::encode_exception(
        py,
        encoding,
        &object,
        start,
        start + 1,
    ))
}
