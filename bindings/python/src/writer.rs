//! `Utf8Encoder`: conversion of UTF-8 in pieces to any encoding, with a list of all unmappable characters.
//!
//! The Python class `Utf8Writer` uses it to write files.

use crate::arrow;
use crate::decode::PIECE;
use crate::errors::{self, Errors, MOST_LISTED};
use crate::names::{self, Target};
use crate::text::{Input, detached};
use mojika::{Encoder, Encoding, Status, UTF_8};
use mojika_arrow::{Faults, Place, What};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Encodes UTF-8 in pieces.
#[pyclass(module = "mojika._native")]
pub struct Utf8Encoder {
    encoder: Encoder,
    /// True if the name is one under which CPython begins with a byte order mark.
    #[pyo3(get)]
    has_mark: bool,
    errors: Errors,
    /// The first bytes of an incomplete character at the end of the last piece.
    incomplete: Vec<u8>,
    /// The number of UTF-8 bytes that have been encoded, and the line and column after them.
    position: u64,
    place: Place,
    faults: Faults,
    count: u64,
}

#[pymethods]
impl Utf8Encoder {
    #[new]
    fn new(encoding: &str, errors: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Target { encoding, has_mark } = names::require_target(encoding)?;
        Ok(Self {
            has_mark,
            encoder: encoding.new_encoder().map_err(errors::no_encoder)?,
            errors: Errors::of(Some(errors), true)?,
            incomplete: Vec::new(),
            position: 0,
            place: Place::default(),
            faults: Faults::new(What::Characters),
            count: 0,
        })
    }

    #[getter]
    fn encoding(&self) -> &'static str {
        self.encoder.encoding().name()
    }

    /// The bytes of the byte order mark; ValueError if the encoding has none.
    fn bom<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let encoding = self.encoder.encoding();
        match encoding
            .bom()
            .and_then(|_| encoding.encode("\u{FEFF}").ok())
        {
            Some(bom) => Ok(PyBytes::new(py, &bom)),
            None => Err(PyValueError::new_err(format!(
                "{encoding} has no byte order mark"
            ))),
        }
    }

    /// Encodes a piece of UTF-8 or a str.
    #[pyo3(signature = (data, r#final=false))]
    fn encode<'py>(
        &mut self,
        data: &Bound<'py, PyAny>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let py = data.py();
        let mut bytes = std::mem::take(&mut self.incomplete);
        let kept = bytes.len();
        if let Ok(text) = data.cast::<PyString>() {
            bytes.extend_from_slice(text.to_str()?.as_bytes());
        } else {
            bytes.extend_from_slice(Input::of(data)?.as_slice());
        }
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            Err(error) => {
                let valid = error.valid_up_to();
                if error.error_len().is_some() || r#final {
                    let length = error.error_len().unwrap_or(bytes.len() - valid);
                    let failed = self.not_utf_8(py, &bytes, valid, length);
                    // Undo this call.
                    bytes.truncate(kept);
                    self.incomplete = bytes;
                    return Err(failed);
                }
                self.incomplete = bytes[valid..].to_vec();
                std::str::from_utf8(&bytes[..valid]).unwrap_or_default()
            }
        };
        let mut out = Vec::with_capacity(text.len() + 64);
        self.all(py, text, r#final, &mut out)?;
        Ok(PyBytes::new(py, &out))
    }

    /// The unmappable characters so far, as a table: row (null), offset, line, column, character, name, encoding.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arrow::table(py, self.faults.table())
    }

    /// The number of errors.
    #[getter]
    fn error_count(&self) -> u64 {
        self.count
    }
}

impl Utf8Encoder {
    fn all(&mut self, py: Python<'_>, text: &str, last: bool, out: &mut Vec<u8>) -> PyResult<()> {
        let (mut at, mut counted) = (0, 0);
        loop {
            let mut end = (at + PIECE).min(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let is_last = end == text.len();
            let encoder = &mut self.encoder;
            let progress = detached(py, end - at, || {
                encoder.encode_append(&text[at..end], out, last && is_last)
            });
            at += progress.read;
            let Status::Unmappable(unmappable) = progress.status else {
                self.place.advance(&text.as_bytes()[counted..at]);
                counted = at;
                if is_last {
                    self.position += text.len() as u64;
                    return Ok(());
                }
                py.check_signals()?;
                continue;
            };
            // The last character read. It differs from the reported one for controls that ISO-2022-JP refuses.
            let character = text[..at].chars().next_back().unwrap_or(unmappable.scalar);
            let start = at - character.len_utf8();
            self.place.advance(&text.as_bytes()[counted..start]);
            counted = start;
            let offset = self.position + start as u64;
            self.unmappable(py, character, unmappable.scalar, offset, out)?;
        }
    }

    /// Writes the replacement for an unmappable character. The encoder reported `reported`: the same, or U+FFFD.
    fn unmappable(
        &mut self,
        py: Python<'_>,
        character: char,
        reported: char,
        offset: u64,
        out: &mut Vec<u8>,
    ) -> PyResult<()> {
        let encoding = self.encoder.encoding();
        self.count += 1;
        if self.faults.len() < MOST_LISTED {
            self.faults
                .unmappable(None, offset, self.place, character, encoding);
        }
        let substitute = match &self.errors {
            Errors::Ignore => return Ok(()),
            Errors::Replace => "?".to_owned(),
            Errors::Html => format!("&#{};", u32::from(reported)),
            Errors::Strict => {
                return Err(PyErr::from_value(self.exception(py, character, offset)?));
            }
            Errors::Handler(handler) => {
                let exception = self.exception(py, character, offset)?;
                let given = errors::handled_in_stream(handler.bind(py), exception.clone(), 1)?;
                if let Ok(bytes) = given.cast::<PyBytes>() {
                    out.extend_from_slice(bytes.as_bytes());
                    return Ok(());
                }
                let text = given.cast::<PyString>()?.to_str()?.to_owned();
                let before = (self.encoder.clone(), out.len());
                if let Status::Unmappable(_) = self.encoder.encode_append(&*text, out, false).status
                {
                    self.encoder = before.0;
                    out.truncate(before.1);
                    return Err(PyErr::from_value(exception));
                }
                return Ok(());
            }
        };
        self.encoder.encode_append(&*substitute, out, false);
        Ok(())
    }

    /// Returns the exception about an unmappable character. Its object is that character alone.
    fn exception<'py>(
        &self,
        py: Python<'py>,
        character: char,
        offset: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let object = PyString::new(py, character.encode_utf8(&mut [0; 4]));
        let encoding: &'static Encoding = self.encoder.encoding();
        let exception = errors::encode_exception(py, encoding, object.as_any(), 0, 1)?;
        exception.setattr("offset", offset)?;
        errors::placed(exception, Some(self.place))
    }

    /// Returns the exception about bytes that are not UTF-8.
    fn not_utf_8(&self, py: Python<'_>, bytes: &[u8], valid: usize, length: usize) -> PyErr {
        let mut place = self.place;
        place.advance(&bytes[..valid]);
        let object = PyBytes::new(py, &bytes[valid..valid + length]);
        let offset = self.position + valid as u64;
        let exception = errors::decode_exception(UTF_8, &object, 0, length, offset);
        errors::raise(exception.and_then(|exception| errors::placed(exception, Some(place))))
    }
}
