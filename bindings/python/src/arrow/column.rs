//! `Column`: the result of a conversion, which can be exported repeatedly through Arrow's interface.

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{DataType, FieldRef};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PyString, PyTuple};
use pyo3_arrow::ffi::{
    ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule,
};

/// A column of Arrow arrays.
#[pyclass(module = "mojika.arrow", frozen)]
pub struct Column {
    chunks: Vec<ArrayRef>,
    field: FieldRef,
    is_stream: bool,
}

impl Column {
    pub fn new(chunks: Vec<ArrayRef>, field: FieldRef, is_stream: bool) -> Self {
        Self {
            chunks,
            field,
            is_stream,
        }
    }
}

#[pymethods]
impl Column {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.field.as_ref())?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let chunks = self.chunks.clone().into_iter().map(Ok);
        let reader = ArrayIterator::new(chunks, self.field.clone());
        Ok(to_stream_pycapsule(py, Box::new(reader), requested_schema)?)
    }

    /// Returns the only array. Raises `AttributeError` if there are several, so that consumers use the stream.
    #[pyo3(signature = (requested_schema=None))]
    fn _array<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        match &self.chunks[..] {
            [array] => Ok(to_array_pycapsules(
                py,
                self.field.clone(),
                array,
                requested_schema,
            )?),
            _ => Err(pyo3::exceptions::PyValueError::new_err(
                "several arrays: use __arrow_c_stream__",
            )),
        }
    }

    /// Returns the rows of a table as dicts, without another library.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = PyList::empty(py);
        for chunk in &self.chunks {
            let Some(table) = chunk.as_any().downcast_ref::<StructArray>() else {
                return Err(pyo3::exceptions::PyTypeError::new_err("no table"));
            };
            for row in 0..table.len() {
                let values = PyDict::new(py);
                for (field, column) in table.fields().iter().zip(table.columns()) {
                    values.set_item(field.name(), value(py, column, row)?)?;
                }
                rows.append(values)?;
            }
        }
        Ok(rows)
    }

    #[getter]
    fn is_stream(&self) -> bool {
        self.is_stream
    }

    #[getter]
    fn chunk_lengths(&self) -> Vec<usize> {
        self.chunks.iter().map(|chunk| chunk.len()).collect()
    }

    #[getter]
    fn null_count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.null_count()).sum()
    }

    #[getter]
    fn r#type(&self) -> String {
        self.field.data_type().to_string()
    }

    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __repr__(&self) -> String {
        format!("<Column of {}, {} rows>", self.r#type(), self.__len__())
    }
}

/// Returns a value as a Python object, for the types in tables of faults.
fn value<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match column.data_type() {
        DataType::UInt64 => {
            let number = column.as_primitive::<UInt64Type>().value(row);
            number.into_pyobject(py)?.into_any()
        }
        DataType::Utf8 => PyString::new(py, column.as_string::<i32>().value(row)).into_any(),
        DataType::Binary => PyBytes::new(py, column.as_binary::<i32>().value(row)).into_any(),
        other => {
            let message = format!("no value of a table of faults: {other}");
            return Err(pyo3::exceptions::PyTypeError::new_err(message));
        }
    })
}
