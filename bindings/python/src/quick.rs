//! `decode(data, encoding)` and `encode(text, encoding)` without other arguments.
//!
//! A call of PyO3's functions takes more time than copying 20 characters: it sorts and converts seven arguments, and compares
//! the name. These functions take the arguments as CPython passes them, and know the encoding of the same name object. They
//! leave every other call to PyO3's functions.

use crate::names::Target;
use crate::{decode, encode};
use mojika::BomHandling;
use pyo3::ffi;
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyCFunction, PyString};
use std::cell::Cell;
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{NonNull, null_mut};
use std::thread::LocalKey;

/// PyO3's functions, for all other calls.
static DECODE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static ENCODE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Adds the functions `decode` and `encode` to the module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let (decode, encode) = (
        wrap_pyfunction!(decode::decode, module)?,
        wrap_pyfunction!(encode::encode, module)?,
    );
    add(
        module,
        c"decode",
        quick_decode,
        c"decode(data, encoding='auto', errors='strict', *, bom='sniff', confidence=0.9, allowed=None, locale=None)\n--\n\n\
        Decodes bytes to str.",
    )?;
    add(
        module,
        c"encode",
        quick_encode,
        c"encode(text, encoding='utf-8', errors='strict')\n--\n\nEncodes a str.",
    )?;
    DECODE.get_or_init(py, || decode.into_any().unbind());
    ENCODE.get_or_init(py, || encode.into_any().unbind());
    Ok(())
}

fn add(
    module: &Bound<'_, PyModule>,
    name: &'static CStr,
    function: ffi::PyCFunctionFastWithKeywords,
    doc: &'static CStr,
) -> PyResult<()> {
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunctionFastWithKeywords: function,
        },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: doc.as_ptr(),
    }));
    let module_name = module.name()?;
    // SAFETY: the definition is never freed, and its flags are those of the function's type. CPython returns a new reference,
    // or null with an exception set.
    let function = unsafe {
        let function = ffi::PyCFunction_NewEx(definition, module.as_ptr(), module_name.as_ptr());
        Bound::from_owned_ptr_or_err(module.py(), function)?.cast_into_unchecked::<PyCFunction>()
    };
    module.add_function(function)
}

unsafe extern "C" fn quick_decode(
    _module: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    thread_local! {
        static LAST: Last = const { Cell::new(None) };
    }
    let quickly = |data: &Bound<'_, PyAny>, name: &Bound<'_, PyAny>| {
        let data = data.cast_exact::<PyBytes>().ok()?;
        let Target { encoding, .. } = known(&LAST, name, Target::to_read)?;
        let text = decode::decode_bytes(encoding, data, BomHandling::Sniff, None);
        Some(text.map(|text| text.into_ptr()))
    };
    // SAFETY: CPython calls this with its lock held, and with arguments of this number.
    unsafe { call(&DECODE, arguments, count, keywords, quickly) }
}

unsafe extern "C" fn quick_encode(
    _module: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    thread_local! {
        static LAST: Last = const { Cell::new(None) };
    }
    let quickly = |text: &Bound<'_, PyAny>, name: &Bound<'_, PyAny>| {
        let text = text.cast_exact::<PyString>().ok()?;
        let bytes = encode::encode_to(known(&LAST, name, Target::to_write)?, text, None);
        Some(bytes.map(|bytes| bytes.into_ptr()))
    };
    // SAFETY: as in `quick_decode`.
    unsafe { call(&ENCODE, arguments, count, keywords, quickly) }
}

/// Calls `quickly` with two arguments. Calls `general` if it returns `None`, and for other arguments.
///
/// # Safety
///
/// The thread must hold the interpreter's lock, and the arguments must be those of a call of CPython.
#[inline]
unsafe fn call(
    general: &PyOnceLock<Py<PyAny>>,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
    quickly: impl FnOnce(&Bound<'_, PyAny>, &Bound<'_, PyAny>) -> Option<PyResult<*mut ffi::PyObject>>,
) -> *mut ffi::PyObject {
    // SAFETY: the caller guarantees the lock.
    let py = unsafe { Python::assume_attached() };
    if count == 2 && keywords.is_null() {
        // SAFETY: there are two arguments, which outlive the call.
        let (input, name) = unsafe {
            (
                Borrowed::from_ptr(py, *arguments),
                Borrowed::from_ptr(py, *arguments.add(1)),
            )
        };
        // A panic must not unwind into CPython.
        let result = catch_unwind(AssertUnwindSafe(|| quickly(&input, &name)))
            .unwrap_or_else(|_| Some(Err(PanicException::new_err("a panic in mojika"))));
        match result {
            Some(Ok(result)) => return result,
            Some(Err(error)) => {
                error.restore(py);
                return null_mut();
            }
            None => {}
        }
    }
    let Some(general) = general.get(py) else {
        return null_mut();
    };
    // SAFETY: these are the arguments of a call of CPython.
    unsafe { ffi::PyObject_Vectorcall(general.as_ptr(), arguments, count as usize, keywords) }
}

/// The name of the last call of this thread, with a reference that this owns, and its encoding.
type Last = Cell<Option<(NonNull<ffi::PyObject>, Target)>>;

/// Returns the encoding of a name; `None` if the general function must find it.
#[inline]
fn known(
    last: &'static LocalKey<Last>,
    name: &Bound<'_, PyAny>,
    find: fn(&str) -> Option<Target>,
) -> Option<Target> {
    if let Some((known, target)) = last.get()
        && known.as_ptr() == name.as_ptr()
    {
        return Some(target);
    }
    let text = name.cast_exact::<PyString>().ok()?.to_str().ok()?;
    let target = find(text)?;
    let owned = NonNull::new(name.clone().into_ptr())?;
    if let Some((before, _)) = last.replace(Some((owned, target))) {
        // SAFETY: the cell owned this reference.
        drop(unsafe { Bound::from_owned_ptr(name.py(), before.as_ptr()) });
    }
    Some(target)
}
