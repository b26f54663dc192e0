//! The class for editing text files, as `mojika edit` and `put` do: all other bytes stay unchanged.

use crate::{errors, names};
use mojika_convert::engine::ErrorMode;
use mojika_edit::files::HowArgs;
use mojika_edit::files::text_file::{Content, Refusal, TextFile};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

static EDIT_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// A text file to be edited.
#[pyclass(module = "mojika", frozen)]
pub struct EditedFile {
    file: TextFile,
    /// The fingerprint of the content, from the last time that the text was read.
    seen: Mutex<Option<String>>,
}

fn refused(py: Python<'_>, refusal: Refusal) -> PyErr {
    match refusal {
        Refusal::Io(error, message) => match error.raw_os_error() {
            Some(number) => PyOSError::new_err((number, message)),
            None => PyOSError::new_err(message),
        },
        Refusal::Edit(message) => {
            // The words of the command.
            let message = message.replace(
                "--errors html, replacement or skip",
                "errors=\"html\", \"replace\" or \"ignore\"",
            );
            let class = EDIT_ERROR.import(py, "mojika._errors", "EditError");
            errors::raise(class.and_then(|class| class.call1((message,))))
        }
    }
}

#[pymethods]
impl EditedFile {
    #[new]
    #[pyo3(signature = (path, encoding, errors="strict", *, keep_line_ends=false, keep_times=false, max_size=67108864))]
    fn new(
        path: PathBuf,
        encoding: &str,
        errors: &str,
        keep_line_ends: bool,
        keep_times: bool,
        max_size: u64,
    ) -> PyResult<Self> {
        let on_unmappable = match errors {
            "strict" => ErrorMode::Fatal,
            "replace" => ErrorMode::Replacement,
            "html" => ErrorMode::Html,
            "ignore" => ErrorMode::Skip,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "errors must be 'strict', 'replace', 'html' or 'ignore', not {errors:?}"
                )));
            }
        };
        let file = TextFile {
            path,
            encoding: names::require(encoding)?,
            how: HowArgs {
                errors: on_unmappable,
                keep_line_ends,
                keep_times,
                ..HowArgs::default()
            },
            max_size,
        };
        Ok(Self {
            file,
            seen: Mutex::new(None),
        })
    }

    /// The path.
    #[getter]
    fn name(&self) -> PathBuf {
        self.file.path.clone()
    }

    /// The file's encoding: the requested one, or the one that its byte order mark names.
    #[getter]
    fn encoding(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.read(py).map(|content| content.encoding)
    }

    /// The line ends: "LF", "CRLF", "CR", "NEL", "mixed" or "none".
    #[getter]
    fn line_ends(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.read(py).map(|content| content.line_ends)
    }

    /// The encoding and SHA-1 of the file, as `mojika get` prints them.
    #[getter]
    fn fingerprint(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py).map(|content| content.fingerprint)
    }

    /// Returns the text, with U+FFFD for each malformed sequence.
    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        let content = self.read(py)?;
        *self.seen() = Some(content.fingerprint);
        Ok(content.text)
    }

    /// Replaces a text that occurs exactly once or, with `all`, each occurrence. Returns the number of replacements.
    #[pyo3(signature = (old, new, *, all=false))]
    fn replace(&self, py: Python<'_>, old: &str, new: &str, all: bool) -> PyResult<usize> {
        py.detach(|| self.file.replace(old, new, all))
            .map_err(|refusal| refused(py, refusal))
    }

    /// Applies a unified diff. Returns the number of changed regions.
    fn patch(&self, py: Python<'_>, diff: &str) -> PyResult<usize> {
        py.detach(|| self.file.patch(diff))
            .map_err(|refusal| refused(py, refusal))
    }

    /// Writes a new text if the file has not changed since `text` was read. Returns the number of changed regions.
    #[pyo3(signature = (text, *, expect=None))]
    fn write(&self, py: Python<'_>, text: &str, expect: Option<String>) -> PyResult<usize> {
        // Copy the fingerprint, because the lock must not be held while other threads may run.
        let seen = self.seen().clone();
        let expected = expect.or(seen).ok_or_else(|| {
            PyValueError::new_err("read the text first, or give the fingerprint that is expected")
        })?;
        let places = py
            .detach(|| self.file.write(text, &expected))
            .map_err(|refusal| refused(py, refusal))?;
        *self.seen() = None;
        Ok(places)
    }

    fn __repr__(&self) -> String {
        format!(
            "<mojika.EditedFile {:?} in {}>",
            self.file.path, self.file.encoding
        )
    }
}

impl EditedFile {
    fn seen(&self) -> MutexGuard<'_, Option<String>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, py: Python<'_>) -> PyResult<Content> {
        py.detach(|| self.file.read())
            .map_err(|refusal| refused(py, refusal))
    }
}
