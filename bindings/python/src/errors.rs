//! Exceptions: classes of `mojika._errors`, derived from Python's own.

use mojika::{EncodeError, Encoding, MalformedSequence, NoEncoder};
use mojika_arrow::Place;
use mojika_sniff::judge::Judgement;
use pyo3::exceptions::{PyLookupError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString, PyType};

/// The maximum number of errors that the list for a file has.
pub const MOST_LISTED: usize = 1_000_000;

static DECODE_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static ENCODE_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static DOUBT_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static XML_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

fn class<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyType>>,
    name: &str,
) -> PyResult<&'py Bound<'py, PyType>> {
    cell.import(py, "mojika._errors", name)
}

/// Returns the exception for an unknown encoding name.
pub fn unknown_name(name: &str) -> PyErr {
    let near = mojika_convert::labels::nearest(name);
    let hint = match near.is_empty() {
        true => String::new(),
        false => format!("did you mean {}? ", near.join(", ")),
    };
    PyLookupError::new_err(format!(
        "unknown encoding: {name}; {hint}mojika.encodings() lists the names"
    ))
}

/// The replacement for malformed sequences, or for unmappable characters.
pub enum Errors {
    Strict,
    /// U+FFFD, or "?" in an encoder.
    Replace,
    /// Numeric character references: the Standard's error mode "html", of encoders.
    Html,
    /// The empty text.
    Ignore,
    /// The result of a `codecs` handler or of a function.
    Handler(Py<PyAny>),
}

impl Errors {
    /// Parses an argument `errors` of a decoder or an encoder: a word of the library, or else a handler.
    pub fn of(errors: Option<&Bound<'_, PyAny>>, encodes: bool) -> PyResult<Self> {
        let Some(errors) = errors else {
            return Ok(Errors::Strict);
        };
        let word = errors.cast::<PyString>().ok();
        Ok(match word.map(|word| word.to_str()).transpose()? {
            Some("strict" | "fatal") => Errors::Strict,
            Some("replace") => Errors::Replace,
            Some("replacement") if !encodes => Errors::Replace,
            Some("html" | "xmlcharrefreplace") if encodes => Errors::Html,
            Some("ignore") => Errors::Ignore,
            _ => Errors::Handler(handler(errors)?.unbind()),
        })
    }
}

/// Returns the error handler for an argument `errors`: a function, or the name of a handler registered with `codecs`.
pub fn handler<'py>(errors: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    check_handling(Some(errors))?;
    match errors.is_instance_of::<PyString>() {
        true => {
            let codecs = errors.py().import("codecs")?;
            codecs.call_method1("lookup_error", (errors,))
        }
        false => Ok(errors.clone()),
    }
}

/// Refuses an argument `errors` that is neither a word nor a function, even if the input has no error.
pub fn check_handling(errors: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    match errors {
        Some(errors) if !errors.is_instance_of::<PyString>() && !errors.is_callable() => Err(
            PyTypeError::new_err("errors must be a word, or a function that takes the exception"),
        ),
        _ => Ok(()),
    }
}

/// Returns the exception for encoding to replacement, which has no encoder.
pub fn no_encoder(error: NoEncoder) -> PyErr {
    PyLookupError::new_err(error.to_string())
}

/// Returns a `UnicodeDecodeError` subclass about `object[start..end]`. `offset` counts from the start of the input.
pub fn decode_exception<'py>(
    encoding: &Encoding,
    object: &Bound<'py, PyBytes>,
    start: usize,
    end: usize,
    offset: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let arguments = (encoding.name(), object, start, end, "malformed sequence");
    let exception = class(py, &DECODE_ERROR, "DecodeError")?.call1(arguments)?;
    exception.setattr("offset", offset)?;
    Ok(exception)
}

/// Adds line and column to the exception, if known.
pub fn placed<'py>(
    exception: Bound<'py, PyAny>,
    place: Option<Place>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(place) = place {
        exception.setattr("line", place.line)?;
        exception.setattr("column", place.column)?;
    }
    Ok(exception)
}

/// Returns the line and column of an error that follows `bytes`.
pub fn place_after(encoding: &'static Encoding, bytes: &[u8]) -> Place {
    let mut place = Place::default();
    place.advance(encoding.decode(bytes).text.as_bytes());
    place
}

/// Returns the exception for a malformed sequence in whole input.
pub fn malformed(
    bytes: &Bound<'_, PyBytes>,
    encoding: &'static Encoding,
    sequence: MalformedSequence,
) -> PyErr {
    let start = sequence.offset as usize;
    let end = start + usize::from(sequence.len);
    let exception = decode_exception(encoding, bytes, start, end, sequence.offset);
    let place = place_after(encoding, &bytes.as_bytes()[..start]);
    raise(exception.and_then(|exception| placed(exception, Some(place))))
}

/// Returns a `UnicodeEncodeError` subclass about characters of `object`.
pub fn encode_exception<'py>(
    py: Python<'py>,
    encoding: &Encoding,
    object: &Bound<'py, PyAny>,
    start: usize,
    end: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let arguments = (encoding.name(), object, start, end, "unmappable");
    class(py, &ENCODE_ERROR, "EncodeError")?.call1(arguments)
}

/// Returns the line and column of the character with index `character`.
pub fn place_of(text: &Bound<'_, PyString>, character: usize) -> PyResult<Place> {
    let before = text.get_item(pyo3::types::PySlice::new(
        text.py(),
        0,
        character as isize,
        1,
    ))?;
    let line = before.call_method1("count", ("\n",))?.extract::<u64>()? + 1;
    let start = before.call_method1("rfind", ("\n",))?.extract::<i64>()? + 1;
    let column = character as u64 - start as u64 + 1;
    Ok(Place { line, column })
}

/// Returns the exception for "auto" without a certain encoding. `no_text` describes bytes that are not text.
pub fn doubt(
    py: Python<'_>,
    judgement: &Judgement,
    no_text: Option<String>,
    reason: Option<String>,
) -> PyErr {
    let guesses = judgement.ranking.iter();
    let candidates: Vec<_> = guesses
        .map(|guess| (guess.encoding.name(), guess.probability))
        .collect();
    let declared = judgement.declared.map(|declared| declared.encoding.name());
    let encoding = judgement.decision.encoding.name();
    let arguments = (encoding, declared, candidates, no_text, reason);
    raise(class(py, &DOUBT_ERROR, "DoubtError").and_then(|class| class.call1(arguments)))
}

/// Returns the exception for an XML document whose encoding declaration contradicts its bytes.
pub fn xml(py: Python<'_>, error: &mojika_sniff::xml::XmlError) -> PyErr {
    let make = || class(py, &XML_ERROR, "XmlError")?.call1((error.to_string(),));
    raise(make())
}

/// Converts an encoding error. The exception has no `str` for its indices to refer to.
pub fn unencodable(error: EncodeError) -> PyErr {
    match error {
        EncodeError::NoEncoder(error) => no_encoder(error),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// Returns the exception as an error, or the error of creating it.
pub fn raise(exception: PyResult<Bound<'_, PyAny>>) -> PyErr {
    match exception {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// Returns an error handler's result for an exception: text or bytes, and the position at which to continue. The default
/// position is the end of the error.
pub fn handled<'py>(
    handler: &Bound<'py, PyAny>,
    exception: Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, isize)> {
    let result = handler.call1((&exception,))?;
    if result.is_instance_of::<PyString>() || result.is_instance_of::<PyBytes>() {
        return Ok((result, exception.getattr("end")?.extract()?));
    }
    result.extract().map_err(|_| {
        PyTypeError::new_err(
            "an error handler must return the replacement, or a tuple of replacement and position",
        )
    })
}

/// Calls [`handled`] for a stream, and returns the text or bytes. The position must be `length`, the exception's end.
pub fn handled_in_stream<'py>(
    handler: &Bound<'py, PyAny>,
    exception: Bound<'py, PyAny>,
    length: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let (replacement, position) = handled(handler, exception)?;
    match position == length as isize {
        true => Ok(replacement),
        false => Err(PyValueError::new_err(format!(
            "the error handler wants to go on at {position}, and in a file can only go on after the error, at {length}"
        ))),
    }
}

/// Converts a handler's position, which may be negative, to an index of an object of this length.
pub fn position(given: isize, length: usize) -> PyResult<usize> {
    let position = if given < 0 {
        length.checked_add_signed(given)
    } else {
        Some(given as usize)
    };
    position
        .filter(|&position| position <= length)
        .ok_or_else(|| {
            pyo3::exceptions::PyIndexError::new_err(format!(
                "position {given} from error handler out of bounds"
            ))
        })
}
