//! `Utf8Reader`: a readable file object that yields UTF-8, over a file in any encoding.
//!
//! The class has the methods of `io.BufferedReader`. It does not derive from `io.BufferedIOBase`, because pandas would
//! then add a text layer and encode the text again. It decodes and reads without the interpreter's lock.

mod building;
mod state;

use crate::arrow;
use crate::errors::Errors;
use crate::names;
use crate::packed::{Compression, Packed};
use crate::sniff::Wish;
use crate::source::Source;
use building::Building;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use state::State;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A readable file object that yields UTF-8, over a file in any encoding.
#[pyclass(module = "mojika", frozen, weakref)]
pub struct Utf8Reader {
    /// Release the interpreter's lock before this lock, whose holder may wait for the interpreter's.
    state: Mutex<State>,
    name: Option<String>,
}

impl Utf8Reader {
    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` with the state, without the interpreter's lock.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut State) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| work(&mut self.locked()))
    }
}

impl Drop for Utf8Reader {
    /// Warns if the file has not been closed, as Python's own files do.
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if !state.source().is_file() {
            return;
        }
        let name = self.name.take().unwrap_or_default();
        Python::attach(|py| {
            let before = PyErr::take(py);
            let message = format!("unclosed file <mojika.Utf8Reader name={name:?}>\0");
            let class = py.get_type::<pyo3::exceptions::PyResourceWarning>();
            if let Ok(message) = std::ffi::CStr::from_bytes_with_nul(message.as_bytes())
                && let Err(error) = PyErr::warn(py, class.as_any(), message, 1)
            {
                error.write_unraisable(py, None);
            }
            if let Some(before) = before {
                before.restore(py);
            }
        });
    }
}

/// Returns an `io.UnsupportedOperation`.
fn unsupported(py: Python<'_>, operation: &str) -> PyErr {
    let make = || {
        let class = py.import("io")?.getattr("UnsupportedOperation")?;
        class.call1((operation,))
    };
    crate::errors::raise(make())
}

#[pymethods]
impl Utf8Reader {
    #[new]
    #[pyo3(
        signature = (file, encoding="auto", errors=None, *, bom="sniff", confidence=0.9, compression=Some("infer"),
            allowed=None, locale=None),
        text_signature = "(file, encoding='auto', errors='strict', *, bom='sniff', confidence=0.9, compression='infer', \
            allowed=None, locale=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "each is one of Python's")]
    fn new(
        file: &Bound<'_, PyAny>,
        encoding: &str,
        errors: Option<&Bound<'_, PyAny>>,
        bom: &str,
        confidence: f32,
        compression: Option<&str>,
        allowed: Option<Vec<String>>,
        locale: Option<&str>,
    ) -> PyResult<Self> {
        let encoding = match encoding {
            "auto" => None,
            name => Some(names::require(name)?),
        };
        let compression = Compression::of(compression)?;
        let wish = Wish::of(confidence, allowed, locale)?;
        let on_error = Errors::of(errors, false)?;
        let handling = crate::decode::bom_handling(bom)?;
        let (source, name) = Source::of(file)?;
        let source = Packed::new(source, compression);
        Ok(Self {
            state: Mutex::new(State::new(source, encoding, handling, on_error, wish)),
            name,
        })
    }

    /// Reads up to `size` bytes of UTF-8, or all if `size` is None or negative. Returns fewer bytes only at the end.
    #[pyo3(signature = (size=None, /))]
    fn read<'py>(&self, py: Python<'py>, size: Option<isize>) -> PyResult<Bound<'py, PyBytes>> {
        /// The maximum capacity that is reserved because of the caller's `size`. More is reserved when there is text.
        const MAX_RESERVED: usize = 16 << 20;
        let most = size.and_then(|size| usize::try_from(size).ok());
        let capacity = match most {
            Some(size) => size.min(MAX_RESERVED),
            None => self.with(py, |state| state.rest_hint())?,
        };
        let most = most.unwrap_or(usize::MAX);
        let mut bytes = Building::new(py, capacity)?;
        loop {
            let missing = most - bytes.filled();
            let count = self.with(py, |state| {
                let spare = bytes.spare();
                let room = spare.len().min(missing);
                state.read_into(&mut spare[..room])
            })?;
            bytes.add(count);
            if bytes.filled() == most || !bytes.is_full() {
                return bytes.finish(py);
            }
            bytes.grow(py, most.min(bytes.filled() * 2))?;
        }
    }

    fn readall<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.read(py, None)
    }

    /// Reads up to `size` bytes, with at most one read of the inner file.
    #[pyo3(signature = (size=-1, /))]
    fn read1<'py>(&self, py: Python<'py>, size: isize) -> PyResult<Bound<'py, PyBytes>> {
        let most = usize::try_from(size).unwrap_or(usize::MAX);
        let bytes = self.with(py, |state| {
            let window = if most == 0 { &[][..] } else { state.window()? };
            let bytes = window[..window.len().min(most)].to_vec();
            state.advance(bytes.len());
            Ok(bytes)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns decoded text at the position without consuming it: at least one byte, except at the end. Reads the inner
    /// file only if no decoded text is left.
    #[pyo3(signature = (size=0, /))]
    fn peek<'py>(&self, py: Python<'py>, size: isize) -> PyResult<Bound<'py, PyBytes>> {
        let _ = size;
        let bytes = self.with(py, |state| Ok(state.window()?.to_vec()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Reads into a writable buffer. Returns the number of bytes.
    fn readinto(&self, py: Python<'_>, buffer: &Bound<'_, PyAny>) -> PyResult<usize> {
        let buffer = writable(buffer)?;
        let bytes = self.read(py, Some(buffer.len_bytes() as isize))?;
        Ok(fill(&buffer, bytes.as_bytes()))
    }

    fn readinto1(&self, py: Python<'_>, buffer: &Bound<'_, PyAny>) -> PyResult<usize> {
        let buffer = writable(buffer)?;
        let bytes = self.read1(py, buffer.len_bytes() as isize)?;
        Ok(fill(&buffer, bytes.as_bytes()))
    }

    #[pyo3(signature = (size=None, /))]
    fn readline<'py>(&self, py: Python<'py>, size: Option<isize>) -> PyResult<Bound<'py, PyBytes>> {
        let most = size.and_then(|size| usize::try_from(size).ok());
        let line = self.with(py, |state| state.read_line(most.unwrap_or(usize::MAX)))?;
        Ok(PyBytes::new(py, &line))
    }

    #[pyo3(signature = (hint=None, /))]
    fn readlines<'py>(&self, py: Python<'py>, hint: Option<isize>) -> PyResult<Bound<'py, PyList>> {
        let most = hint
            .filter(|&hint| hint > 0)
            .map_or(usize::MAX, |hint| hint as usize);
        let lines = PyList::empty(py);
        let mut length = 0;
        while length < most {
            let line = self.readline(py, None)?;
            if line.as_bytes().is_empty() {
                break;
            }
            length += line.as_bytes().len();
            lines.append(line)?;
        }
        Ok(lines)
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let line = self.readline(py, None)?;
        Ok((!line.as_bytes().is_empty()).then_some(line))
    }

    /// Seeks to a position in bytes of UTF-8, relative to the start (0), the current position (1) or the end (2).
    #[pyo3(signature = (offset, whence=0, /))]
    fn seek(&self, py: Python<'_>, offset: i64, whence: u32) -> PyResult<u64> {
        if !self.seekable(py)? {
            return Err(unsupported(py, "File or stream is not seekable."));
        }
        self.with(py, |state| {
            let base = match whence {
                0 => 0,
                1 => state.position(),
                2 => state.size()?,
                _ => {
                    return Err(PyValueError::new_err(format!(
                        "invalid whence ({whence}, should be 0, 1 or 2)"
                    )));
                }
            };
            let place = base
                .checked_add_signed(offset)
                .ok_or_else(|| PyValueError::new_err(format!("negative seek value {offset}")))?;
            state.set_position(place);
            Ok(place)
        })
    }

    fn tell(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |state| {
            state.check_open()?;
            Ok(state.position())
        })
    }

    fn seekable(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |state| {
            state.check_open()?;
            Ok(state.source().is_seekable())
        })
    }

    fn readable(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |state| state.check_open().map(|()| true))
    }

    fn writable(&self) -> bool {
        false
    }

    fn isatty(&self) -> bool {
        false
    }

    fn flush(&self) {}

    #[pyo3(signature = (*_args))]
    fn write(&self, py: Python<'_>, _args: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        Err(unsupported(py, "write"))
    }

    #[pyo3(signature = (*_args))]
    fn truncate(&self, py: Python<'_>, _args: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        Err(unsupported(py, "truncate"))
    }

    /// Raises an error: a descriptor would yield raw bytes.
    fn fileno(&self, py: Python<'_>) -> PyResult<i32> {
        Err(unsupported(py, "fileno"))
    }

    fn detach(&self, py: Python<'_>) -> PyResult<()> {
        Err(unsupported(py, "detach"))
    }

    /// Closes this file and the inner file object.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let source = self.with(py, |state| Ok(state.close()))?;
        match source.object(py) {
            Some(file) if file.bind(py).hasattr("close")? => {
                file.call_method0(py, "close").map(drop)
            }
            _ => Ok(()),
        }
    }

    #[getter]
    fn closed(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |state| Ok(state.check_open().is_err()))
    }

    #[getter]
    fn name(&self) -> PyResult<&str> {
        self.name
            .as_deref()
            .ok_or_else(|| pyo3::exceptions::PyAttributeError::new_err("name"))
    }

    /// Returns "r" instead of "rb", because pandas adds a text layer to a file in mode "rb".
    #[getter]
    fn mode(&self) -> &'static str {
        "r"
    }

    /// The encoding of the inner file: requested, detected, or that of a byte order mark.
    #[getter]
    fn source_encoding(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.with(py, |state| Ok(state.encoding()?.name()))
    }

    /// The evidence for `source_encoding`, in the library's words: override, bom, xml-declaration, detection, default.
    #[getter]
    fn source(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.with(py, |state| Ok(state.decided_by()?.as_str()))
    }

    /// True if a malformed sequence in the text decoded so far has been replaced or omitted.
    #[getter]
    fn had_errors(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |state| Ok(state.had_errors()))
    }

    /// The malformed sequences in the text decoded so far, as a table: row (null), offset, line, column, bytes,
    /// encoding. The table has the first million; `error_count` is the total number.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = self.with(py, |state| Ok(state.faults().0.table()))?;
        arrow::table(py, table)
    }

    #[getter]
    fn error_count(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |state| Ok(state.faults().1))
    }

    /// "certain" or "tentative", as in a `Detection`.
    #[getter]
    fn certainty(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.with(py, |state| {
            let judgement = state.judgement()?;
            let certainty = judgement.map(|judgement| judgement.decision.confidence);
            Ok(certainty.map_or("certain", |certainty| certainty.as_str()))
        })
    }

    /// The probability that the text is right; None if its encoding was declared.
    #[getter]
    fn probability(&self, py: Python<'_>) -> PyResult<Option<f32>> {
        self.with(py, |state| {
            Ok(state.judgement()?.and_then(|one| one.probability))
        })
    }

    /// Names and probabilities from detection, the best first; empty if the caller named an encoding.
    #[getter]
    fn candidates(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, f32)>> {
        self.with(py, |state| {
            let guesses = state
                .judgement()?
                .into_iter()
                .flat_map(|one| one.ranking.iter());
            Ok(guesses
                .map(|guess| (guess.encoding.name(), guess.probability))
                .collect())
        })
    }

    /// Raises an error, because the reader is not writable.
    fn writelines(&self, py: Python<'_>, lines: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = lines;
        Err(unsupported(py, "write"))
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&self, py: Python<'_>, _args: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("cannot pickle 'Utf8Reader' object"))
    }

    fn __repr__(&self) -> String {
        match &self.name {
            Some(name) => format!("<mojika.Utf8Reader name={name:?}>"),
            None => "<mojika.Utf8Reader>".to_owned(),
        }
    }
}

/// Returns the object's writable buffer. Callers check the object before they read anything.
fn writable(object: &Bound<'_, PyAny>) -> PyResult<PyBuffer<u8>> {
    let buffer = PyBuffer::<u8>::get(object)?;
    if buffer.readonly() || !buffer.is_c_contiguous() {
        return Err(PyTypeError::new_err(
            "a writable contiguous buffer is required",
        ));
    }
    Ok(buffer)
}

/// Copies `bytes` to the front of a buffer from [`writable`], which is long enough. Returns the number of bytes.
fn fill(buffer: &PyBuffer<u8>, bytes: &[u8]) -> usize {
    assert!(!buffer.readonly() && bytes.len() <= buffer.len_bytes());
    // SAFETY: the buffer is exported as long as `buffer` lives, so it is not freed. `writable` has checked that it is
    // writable and contiguous, and the assertion that it is long enough. `bytes` is memory of this module, so there is
    // no overlap. The interpreter's lock is held.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), buffer.buf_ptr().cast(), bytes.len());
    }
    bytes.len()
}
