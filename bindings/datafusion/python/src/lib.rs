//! `mojika_datafusion._native`: the functions as capsules for DataFusion's Python module.

use datafusion::logical_expr::ScalarUDF;
use datafusion_ffi::proto::logical_extension_codec::FFI_LogicalExtensionCodec;
use datafusion_ffi::udf::FFI_ScalarUDF;
use datafusion_ffi::udtf::FFI_TableFunction;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::CStr;
use std::sync::{Arc, LazyLock};
use tokio::runtime::Runtime;

/// The runtime that reads files.
static RUNTIME: LazyLock<std::io::Result<Runtime>> = LazyLock::new(Runtime::new);

const CODEC: &CStr = c"datafusion_logical_extension_codec";

/// A scalar function.
#[pyclass(frozen)]
struct Function(Arc<ScalarUDF>);

#[pymethods]
impl Function {
    fn __datafusion_scalar_udf__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let function = FFI_ScalarUDF::from(self.0.clone());
        PyCapsule::new_with_value(py, function, c"datafusion_scalar_udf")
    }
}

/// The table function.
#[pyclass(frozen)]
struct ReadCsvText;

#[pymethods]
impl ReadCsvText {
    #[new]
    fn new() -> Self {
        Self
    }

    /// Returns a capsule of the function. `session` is a session of DataFusion, or the capsule of its codec.
    fn __datafusion_table_function__<'py>(
        &self,
        py: Python<'py>,
        session: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let getter = "__datafusion_logical_extension_codec__";
        let capsule = if session.hasattr(getter)? {
            session.call_method1(getter, (&session,))?
        } else {
            session
        };
        let capsule = capsule.cast::<PyCapsule>()?;
        let codec = capsule.pointer_checked(Some(CODEC))?;
        // SAFETY: by the protocol of DataFusion's Python module, a capsule of this name holds this type. The capsule is
        // alive here, and `clone` calls the function that the other library has put into the codec.
        let codec = unsafe { codec.cast::<FFI_LogicalExtensionCodec>().as_ref() }.clone();
        let runtime = RUNTIME
            .as_ref()
            .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
        let function = FFI_TableFunction::new_with_ffi_codec(
            Arc::new(mojika_datafusion::ReadCsvText),
            Some(runtime.handle().clone()),
            codec,
        );
        PyCapsule::new_with_value(py, function, c"datafusion_table_function")
    }
}

/// Returns all scalar functions.
#[pyfunction]
fn functions() -> Vec<Function> {
    let functions = mojika_datafusion::functions().into_iter();
    functions
        .map(|function| Function(Arc::new(function)))
        .collect()
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(functions, module)?)?;
    module.add_class::<Function>()?;
    module.add_class::<ReadCsvText>()
}
