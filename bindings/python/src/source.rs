//! The source of a reader's bytes: a file that Rust reads, or a Python file object.

use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

pub enum Source {
    /// A file, which is read without the interpreter's lock.
    File(File),
    /// A file object, read by its method `read` with the interpreter's lock held. `base` is its position at the start.
    Object {
        file: Py<PyAny>,
        base: Option<u64>,
    },
    Closed,
}

impl Source {
    /// Accepts a path, a file descriptor, or an object with `read`.
    pub fn of(file: &Bound<'_, PyAny>) -> PyResult<(Self, Option<String>)> {
        let py = file.py();
        if file.hasattr("read")? {
            let probe = file.call_method1("read", (0,))?;
            if probe.cast::<PyBytes>().is_err() && probe.extract::<Vec<u8>>().is_err() {
                return Err(PyTypeError::new_err(
                    "the file must be open for bytes: its read() returns text",
                ));
            }
            let base = place(file);
            let source = Source::Object {
                file: file.clone().unbind(),
                base,
            };
            let name = file
                .getattr("name")
                .ok()
                .and_then(|name| name.extract().ok());
            return Ok((source, name));
        }
        let path: PathBuf = py
            .import("os")?
            .call_method1("fspath", (file,))?
            .extract()?;
        let opened = py.detach(|| File::open(&path).and_then(|file| Ok((file.metadata()?, file))));
        let (metadata, opened) = opened.map_err(|error| os_error(py, error, &path))?;
        if metadata.is_dir() {
            // Linux opens a folder without an error, and fails only when reading it.
            let error = std::io::Error::from(std::io::ErrorKind::IsADirectory);
            return Err(os_error(py, error, &path));
        }
        Ok((
            Source::File(opened),
            Some(path.to_string_lossy().into_owned()),
        ))
    }

    /// Appends at most `amount` bytes to `buffer`; 0 means the end. Call it without the interpreter's lock.
    pub fn read(&mut self, buffer: &mut Vec<u8>, amount: usize) -> PyResult<usize> {
        let before = buffer.len();
        match self {
            Source::File(file) => {
                buffer.resize(before + amount, 0);
                let read = loop {
                    match file.read(&mut buffer[before..]) {
                        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {
                            if let Err(error) = Python::attach(|py| py.check_signals()) {
                                buffer.truncate(before);
                                return Err(error);
                            }
                        }
                        other => break other,
                    }
                };
                buffer.truncate(before + *read.as_ref().unwrap_or(&0));
                Ok(read?)
            }
            Source::Object { file, .. } => Python::attach(|py| {
                let chunk = file.bind(py).call_method1("read", (amount,))?;
                if chunk.is_none() {
                    return Err(PyErr::new::<pyo3::exceptions::PyBlockingIOError, _>(
                        "the file has no bytes at present",
                    ));
                }
                match chunk.cast::<PyBytes>() {
                    Ok(bytes) => buffer.extend_from_slice(bytes.as_bytes()),
                    Err(_) => {
                        let bytes = pyo3::buffer::PyBuffer::<u8>::get(&chunk)?;
                        buffer.extend_from_slice(&bytes.to_vec(py)?);
                    }
                }
                Ok(buffer.len() - before)
            }),
            Source::Closed => Err(PyValueError::new_err("I/O operation on closed file.")),
        }
    }

    /// Returns the length of the file in bytes, if it is known without reading.
    pub fn length(&self) -> Option<u64> {
        match self {
            Source::File(file) => Some(file.metadata().ok()?.len()),
            Source::Object { .. } | Source::Closed => None,
        }
    }

    /// True if [`seek`](Self::seek) works.
    pub fn is_seekable(&mut self) -> bool {
        match self {
            Source::File(file) => file.stream_position().is_ok(),
            Source::Object { base, .. } => base.is_some(),
            Source::Closed => false,
        }
    }

    /// Seeks to `place`, in bytes from the start of the stream.
    pub fn seek(&mut self, place: u64) -> PyResult<()> {
        match self {
            Source::File(file) => {
                file.seek(SeekFrom::Start(place))?;
                Ok(())
            }
            Source::Object {
                file,
                base: Some(base),
            } => Python::attach(|py| {
                file.bind(py).call_method1("seek", (*base + place,))?;
                Ok(())
            }),
            Source::Object { base: None, .. } => {
                Err(PyErr::new::<PyOSError, _>("the file is not seekable"))
            }
            Source::Closed => Err(PyValueError::new_err("I/O operation on closed file.")),
        }
    }

    /// Returns the Python file object, if the source is one.
    pub fn object(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        match self {
            Source::Object { file, .. } => Some(file.clone_ref(py)),
            Source::File(_) | Source::Closed => None,
        }
    }
}

/// Returns the position of a file object, if it is seekable.
fn place(file: &Bound<'_, PyAny>) -> Option<u64> {
    let seekable = file.call_method0("seekable").ok()?;
    if !seekable.is_truthy().ok()? {
        return None;
    }
    file.call_method0("tell").ok()?.extract().ok()
}

/// Returns Python's exception with errno and file name.
fn os_error(py: Python<'_>, error: std::io::Error, path: &std::path::Path) -> PyErr {
    let number = error.raw_os_error().or(match error.kind() {
        std::io::ErrorKind::IsADirectory => Some(21),
        _ => None,
    });
    let Some(number) = number else {
        return error.into();
    };
    let message = py
        .import("os")
        .and_then(|os| os.call_method1("strerror", (number,)))
        .and_then(|message| message.extract::<String>());
    match message {
        Ok(message) => PyOSError::new_err((number, message, path.to_path_buf())),
        Err(error) => error,
    }
}
